// The large keys at the foot of the page.

import { h } from "./dom.js";
import { t } from "./words.js";

export function mainKeys(round, toConfirm) {
  const answering = round.mode === "training" && !round.revealed;
  const unseen = round.boxes.some((box) => box.in_play && box.settled);
  const over = round.revealed || round.stage === "void";
  const due = over ? !round.held && "next" : unseen && "reveal";
  // A wrong answer holds the hand as well, but only a frozen one can be released.
  const { frozen } = round;
  const playing = round.boxes.some((box) => box.in_play);
  return [
    toConfirm
      ? big("confirm", t("Confirm box {n}", { n: toConfirm }), "⏎", { class: "good", "data-box": toConfirm })
      : big("confirm", playing ? t("All confirmed") : t("No box in play"), "⏎", {
          disabled: true,
          class: "done",
        }),
    big("reveal", answering ? t("Reveal") : t("Show"), "R", { class: due === "reveal" ? "due" : "" }),
    big("next", t("Next round"), "N", { class: due === "next" ? "due" : "" }),
    big("hold", frozen ? t("Release") : t("Hold"), "H", {
      class: frozen ? "held" : "",
      "aria-pressed": String(frozen),
    }),
    big("undo", t("Undo"), "U"),
    big("void", t("Misdeal"), "V", { class: "rare" }),
    big("overrule", t("Overrule"), "O", { class: "rare" }),
  ];
}

function big(action, text, letter, extra = {}) {
  const { class: more = "", ...rest } = extra;
  return h(
    "button",
    { type: "button", class: `main-key ${more}`, "data-do": action, "data-key": action, ...rest },
    h("span", {}, text),
    h("kbd", {}, letter),
  );
}
