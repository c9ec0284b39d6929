// Bright or dark, on every page: the key that switches, kept for a year.

const KEY = '[data-do="theme"]';

document.addEventListener("click", (event) => {
  if (!event.target.closest(KEY)) return;
  const root = document.documentElement;
  const theme = root.dataset.theme === "bright" ? "dark" : "bright";
  root.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
});

for (const key of document.querySelectorAll(KEY)) key.hidden = false;
