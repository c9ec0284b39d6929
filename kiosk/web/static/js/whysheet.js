// A box in full: every bet with its reason in large words.

import { reasonLine, resultText, saidText } from "./boxview.js";
import { cardFace } from "./cards.js";
import { h } from "./dom.js";
import { differenceText, kindName } from "./kinds.js";
import { key, openSheet } from "./sheet.js";
import { BET_NAMES, combinationName, money, t, withCurrency } from "./words.js";

// A wrong bet: its kind, what was said, by how much, and the slip that leads to it.
function mistakeOf(box, name) {
  const found = box.answer?.mistakes?.[name];
  if (!found) return null;
  const parts = [saidText(box.answer.bets?.[name]), differenceText(found.difference, money)];
  return h(
    "div",
    { class: "answer wrong" },
    h("b", {}, `✗ ${kindName(found.kind)}: `),
    parts.filter(Boolean).join(" — "),
    found.mistakes.slice(0, 2).map((slip) => reasonLine(`${slip.text} [${slip.rule}]`)),
  );
}

// How the answer as a whole was given.
function mannerOf(box) {
  if (box.unanswered) return h("p", { class: "answer wrong" }, t("shown, not answered"));
  if (box.answer?.out_of_order) return h("p", { class: "answer wrong" }, t("answered out of order"));
  return null;
}

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
      mannerOf(box),
      Object.entries(result.bets).map(([name, line]) =>
        h(
          "section",
          { class: `bet settled r-${line.result}` },
          h("span", { class: "bet-name" }, BET_NAMES[name] ?? name),
          h("span", { class: "bet-stake" }, box.bets?.[name] ? money(box.bets[name]) : ""),
          h("span", { class: "bet-result" }, resultText(line)),
          mistakeOf(box, name),
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
