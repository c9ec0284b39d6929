// The large keys at the foot of the page.

import { h } from "./dom.js";
import { t } from "./words.js";

export function mainKeys(round, toConfirm) {
  const answering = round.mode === "training" && !round.revealed;
  const unseen = round.boxes.some((box) => box.in_play && box.settled);
  const due = round.revealed || round.stage === "void" ? "next" : unseen ? "reveal" : null;
  return [
    toConfirm
      ? big("confirm", t("Confirm box {n}", { n: toConfirm }), "⏎", { class: "good", "data-box": toConfirm })
      : big("confirm", t("All confirmed"), "⏎", { disabled: true, class: "done" }),
    big("reveal", answering ? t("Reveal") : t("Show"), "R", { class: due === "reveal" ? "due" : "" }),
    big("next", t("Next round"), "N", { class: due === "next" ? "due" : "" }),
    big("hold", round.held ? t("Release") : t("Hold"), "H", {
      class: round.held ? "held" : "",
      "aria-pressed": String(Boolean(round.held)),
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
