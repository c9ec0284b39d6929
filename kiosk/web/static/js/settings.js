// Settings: the print key, and another house fills the form anew.

for (const key of document.querySelectorAll("[data-print]")) {
  key.hidden = false;
  key.addEventListener("click", () => window.print());
}

for (const choice of document.querySelectorAll("[data-fill]")) {
  choice.addEventListener("change", () => {
    location.assign(`/settings/edit?house=${encodeURIComponent(choice.value)}`);
  });
}
