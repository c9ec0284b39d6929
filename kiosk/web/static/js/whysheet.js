// A box in full: every bet with its reason in large words.

import { reasonLine, resultText } from "./boxview.js";
import { cardFace } from "./cards.js";
import { h } from "./dom.js";
import { key, openSheet } from "./sheet.js";
import { BET_NAMES, combinationName, money, t, withCurrency } from "./words.js";

export function whySheet(round, box) {
  const { result } = box;
  if (!result) return;
  const told = result.explanation ?? {};
  openSheet(
    t("Box {n}: why", { n: box.box }),
    h(
      "div",
      { class: "why" },
      (result.combinations ?? []).map((slug, place) =>
        h(
          "section",
          { class: "why-hand" },
          h("b", { class: `combo combo-${place + 1}` }, combinationName(slug)),
          h("div", { class: "hand" }, (box.significant?.[place] ?? []).map((card) => cardFace(card))),
        ),
      ),
      Object.entries(result.bets).map(([name, line]) =>
        h(
          "section",
          { class: `bet settled r-${line.result}` },
          h("span", { class: "bet-name" }, BET_NAMES[name] ?? name),
          h("span", { class: "bet-stake" }, box.bets?.[name] ? money(box.bets[name]) : ""),
          h("span", { class: "bet-result" }, resultText(line)),
          told.bets?.[name] ? reasonLine(told.bets[name]) : null,
        ),
      ),
      [...(round.dealer.explanation ?? []), ...(told.lines ?? [])].map((line) => h("p", { class: "why-line" }, line)),
      h(
        "p",
        { class: "why-sum" },
        h("span", { class: "pay" }, `▲ ${t("PAY")} ${withCurrency(result.paid, round.table.currency)}`),
        h("span", { class: "take" }, `▼ ${t("TAKE")} ${withCurrency(result.taken, round.table.currency)}`),
      ),
    ),
    [key(t("Bets"), "bets", { "data-box": box.box }), key(t("Close"), "close", { class: "good" })],
  );
}
