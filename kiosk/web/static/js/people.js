// Signing in: a pad of digits under a PIN field, for touch.

function pad(place) {
  const field = place.closest("form").elements[place.dataset.pad];
  if (!field) return;
  for (const text of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", "✕"]) {
    const key = document.createElement("button");
    key.type = "button";
    key.textContent = text;
    key.addEventListener("click", () => {
      if (text === "⌫") field.value = field.value.slice(0, -1);
      else if (text === "✕") field.value = "";
      else if (field.value.length < field.maxLength) field.value += text;
    });
    place.append(key);
  }
  place.hidden = false;
}

for (const place of document.querySelectorAll("[data-pad]")) pad(place);
