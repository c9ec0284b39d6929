// One line that comes up for a moment.

import { byId } from "./dom.js";

let timer = 0;

export function toast(line) {
  const place = byId("toast");
  place.textContent = line;
  place.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => {
    place.hidden = true;
  }, 6000);
}
