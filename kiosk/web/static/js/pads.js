// Choices and a keypad for touch monitors, also typed on a keyboard.

import { h } from "./dom.js";

export function key(text, action, extra = {}) {
  const { class: more = "", ...rest } = extra;
  return h("button", { type: "button", class: `key ${more}`, "data-do": action, ...rest }, text);
}

// A row of choices of which one is pressed.
export function choices(name, options, chosen) {
  return h(
    "div",
    { class: "choices", role: "group", "data-key": `choices-${name}` },
    options.map(([value, text]) =>
      h(
        "button",
        {
          type: "button",
          class: "choice",
          "data-key": value,
          "data-do": "choose",
          "data-name": name,
          "data-value": value,
          "aria-pressed": String(value === chosen),
        },
        text,
      ),
    ),
  );
}

export function keypad() {
  const digits = ["7", "8", "9", "⌫", "4", "5", "6", ",", "1", "2", "3", "00", "0"];
  return h(
    "div",
    { class: "keypad" },
    digits.map((digit) => key(digit, "digit", { "data-value": digit, "data-key": digit })),
  );
}

// The amount after a digit was pressed. Amounts stay short texts until they are sent.
export function typed(before, digit) {
  if (digit === "⌫") return before.slice(0, -1);
  if (digit === ",") return before.includes(".") ? before : `${before || "0"}.`;
  if (/\.\d\d$/.test(before) || before.length > 11) return before;
  return (before === "0" ? "" : before) + digit;
}

export function number(text) {
  const found = Number(text);
  return text !== "" && Number.isFinite(found) && found >= 0 ? found : null;
}
