// The dealer's hand and what is known of it.

import { handRow } from "./cards.js";
import { h } from "./dom.js";
import { combinationName, t } from "./words.js";

export function dealerView(round, doubts) {
  const { dealer } = round;
  const asked = round.questions.filter((question) => question.zone === dealer.zone);
  return [
    h(
      "header",
      { class: "dealer-head" },
      h("h2", {}, t("Dealer")),
      verdict(dealer),
      h("span", { class: "dealer-state" }, stateText(dealer)),
    ),
    handRow({
      zone: dealer.zone,
      cards: dealer.cards,
      expected: dealer.expected,
      bodies: dealer.bodies,
      doubts,
      significant: dealer.significant,
      byPerson: dealer.by_person,
      asked: asked.find((question) => question.card)?.card,
    }),
    drawsLine(dealer),
  ];
}

function stateText(dealer) {
  if (dealer.complete) return `✓ ${t("complete")}`;
  return t("{read} of {expected} cards", { read: dealer.read, expected: dealer.expected });
}

function drawsLine(dealer) {
  if (!dealer.draws?.length) return null;
  return h(
    "div",
    { class: "draws" },
    h("span", {}, t("Drawn after the game was bought")),
    handRow({ zone: dealer.zone, cards: dealer.draws, expected: 0, bodies: 0, doubts: 0 }),
  );
}

function verdict(dealer) {
  const shown = dealer.after_buy ?? dealer;
  if (!shown.combination) return null;
  const word = dealer.after_buy
    ? shown.game
      ? t("The game was bought")
      : t("The game was not bought")
    : shown.game
      ? t("GAME")
      : t("NO GAME");
  return h(
    "p",
    { class: `verdict ${shown.game ? "game" : "no-game"}` },
    h("b", {}, word),
    h("span", { class: "combo combo-1" }, combinationName(shown.combination)),
  );
}
