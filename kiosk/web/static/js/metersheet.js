// The meter of the progressive jackpot, of which a share may be due.

import { act } from "./api.js";
import { h, patch } from "./dom.js";
import { key, keypad, number, openSheet, typed } from "./sheet.js";
import { t } from "./words.js";

export function meterSheet(round) {
  let amount = String(round.meter ?? "");
  let fresh = true;
  const body = h("div", { class: "meter-sheet" });
  const draw = () =>
    patch(body, h("p", { class: "amount", "data-key": "amount" }, amount || "0"), keypad());
  draw();
  const close = openSheet(
    t("Jackpot meter"),
    body,
    [key(t("Cancel"), "close"), key(t("Save"), "save", { class: "good" })],
    (action, data) => {
      if (action === "digit") {
        amount = typed(fresh && data.value !== "⌫" ? "" : amount, data.value);
        fresh = false;
        draw();
        return true;
      }
      if (action !== "save") return false;
      send(number(amount), close);
      return true;
    },
  );
}

async function send(meter, close) {
  if (await act("bets", { meter: meter || null })) close();
}
