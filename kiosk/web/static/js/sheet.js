// The one dialog over the table, and the parts that its contents share.

import { byId, h } from "./dom.js";
import { t } from "./words.js";

let onDo = null;
let shown = null;

// Returns what closes this sheet, and no other that was opened since.
export function openSheet(title, body, keys, handle) {
  const sheet = byId("sheet");
  const mine = {};
  shown = mine;
  onDo = handle ?? null;
  sheet.replaceChildren(
    h(
      "header",
      { class: "sheet-head" },
      h("h2", {}, title),
      h("button", { type: "button", class: "close-key", "data-do": "close", "aria-label": t("Close") }, "✕"),
    ),
    h("div", { class: "sheet-body" }, body),
    keys.length ? h("footer", { class: "sheet-keys" }, keys) : "",
  );
  if (!sheet.open) sheet.showModal();
  return () => {
    if (shown === mine && sheet.open) closeSheet();
  };
}

// A sheet sends one thing at a time: nothing comes of a second press while the first is on its way.
export function once(send) {
  let sending = false;
  return async (...what) => {
    if (sending) return;
    sending = true;
    try {
      await send(...what);
    } finally {
      sending = false;
    }
  };
}

export function closeSheet() {
  onDo = shown = null;
  byId("sheet").close();
  byId("menu").close();
}

export function sheetOpen() {
  return Boolean(byId("sheet")?.open || byId("menu")?.open);
}

// The open sheet hears its own buttons first; true when it used the press.
export function sheetHears(action, data, element) {
  return Boolean(onDo?.(action, data, element));
}

export function key(text, action, extra = {}) {
  const { class: more = "", ...rest } = extra;
  return h("button", { type: "button", class: `key ${more}`, "data-do": action, ...rest }, text);
}

// A row of choices of which one is pressed.
export function choices(name, options, chosen) {
  return h(
    "div",
    { class: "choices", role: "group" },
    options.map(([value, text]) =>
      h(
        "button",
        {
          type: "button",
          class: "choice",
          "data-do": "choose",
          "data-name": name,
          "data-value": String(value),
          "aria-pressed": String(value) === String(chosen) ? "true" : "false",
        },
        text,
      ),
    ),
  );
}

// A keypad for touch monitors without a keyboard.
export function keypad() {
  const rows = ["7", "8", "9", "4", "5", "6", "1", "2", "3", "00", "0", "⌫"];
  return h(
    "div",
    { class: "keypad" },
    rows.map((digit) => key(digit, "digit", { "data-value": digit, "data-key": digit })),
  );
}

// A keyboard types on the open sheet's keypad.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !byId("sheet")?.open) return;
  if (event.target.closest("input, textarea")) return;
  const digit = event.key === "Backspace" ? "⌫" : event.key;
  if (!/^([0-9]|⌫)$/.test(digit)) return;
  const pad = byId("sheet").querySelector(`.keypad [data-value="${digit}"]`);
  if (!pad) return;
  pad.click();
  event.preventDefault();
});

// The amount after a digit was pressed. Amounts stay short texts until they are sent.
export function typed(before, digit) {
  if (digit === "⌫") return before.slice(0, -1);
  return (before === "0" ? "" : before) + digit;
}

export function number(text) {
  const found = Number(String(text).replace(",", ".").replace(/\s/g, ""));
  return Number.isFinite(found) && found >= 0 ? found : null;
}
