// The screen of an idle table: it comes after a while with a clear felt and no input, and any
// touch, key or card ends it.

import { cardFace } from "./cards.js";
import { byId, h, patch } from "./dom.js";
import { start, t } from "./words.js";

const HAND = ["Ts", "Js", "Qs", "Ks", "As"];
const BEHIND = ".top, .felt, .keys, .panel";

let since = performance.now();
let isFree = () => false;

// `free` says whether nothing goes on at the table; 0 seconds: the screen never comes.
export function startIdle(seconds, free) {
  if (!seconds) return;
  isFree = free;
  setInterval(() => {
    if (!isFree()) tableMoved();
    else if (performance.now() - since >= seconds * 1000) show();
  }, 500);
  for (const name of ["click", "keydown"]) window.addEventListener(name, end, true);
  for (const name of ["pointerdown", "wheel", "touchstart"]) {
    window.addEventListener(name, begin, { capture: true, passive: true });
  }
  window.addEventListener("pointermove", (event) => event.pointerType === "mouse" && tableMoved());
}

// Something goes on: the table is shown again.
export function tableMoved() {
  since = performance.now();
  hide();
}

function begin() {
  since = performance.now();
}

// The touch or key that ends the screen does nothing else.
function end(event) {
  begin();
  if (byId("idle").hidden) return;
  hide();
  event.preventDefault();
  event.stopImmediatePropagation();
}

function show() {
  const place = byId("idle");
  if (!place.hidden) return;
  patch(
    place,
    h("p", { class: "idle-game" }, t(start.house.title)),
    h("div", { class: "hand", "aria-hidden": "true" }, HAND.map((card) => cardFace(card, { disabled: true, tabindex: -1 }))),
    h("h2", {}, t("This table checks every payout")),
    h("p", {}, told()),
    h("p", { class: "idle-call" }, t("Deal a hand, or touch the screen")),
  );
  place.hidden = false;
  for (const element of document.querySelectorAll(BEHIND)) element.inert = true;
}

function told() {
  return start.round.mode === "demo"
    ? t("The camera reads the cards, and the screen shows what each bet is owed.")
    : t("The camera reads the cards, the dealer answers first, and the screen shows what is right and why.");
}

function hide() {
  const place = byId("idle");
  if (place.hidden) return;
  place.hidden = true;
  for (const element of document.querySelectorAll(BEHIND)) element.inert = false;
}
