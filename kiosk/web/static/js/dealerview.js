// What counts for every box: the dealer's hand, the dealer's small hand, the board.

import { handRow } from "./cards.js";
import { h } from "./dom.js";
import { combinationName, t, zoneName } from "./words.js";

// `doubtsOf`: number of doubts in a zone.
export function dealerView(round, doubtsOf) {
  const { dealer, board } = round;
  const row = (hand, more) =>
    handRow({
      zone: hand.zone,
      cards: hand.cards,
      expected: hand.expected,
      bodies: hand.bodies,
      doubts: doubtsOf(hand.zone),
      byPerson: hand.by_person,
      asked: round.questions.find((question) => question.zone === hand.zone && question.card)?.card,
      ...more,
    });
  const { significant } = dealer;
  const beside = [dealer.small, board].filter(Boolean);
  return [
    h(
      "header",
      { class: "dealer-head" },
      h("h2", {}, t("Dealer")),
      verdict(dealer),
      h("span", { class: "dealer-state" }, stateText(dealer, board)),
    ),
    beside.length
      ? h(
          "div",
          { class: "shared-hands", "data-key": "hands" },
          group(zoneName(dealer.zone), row(dealer, { significant, size: dealer.expected }), dealer.expected),
          beside.map((hand) => {
            const size = hand === board ? 5 : hand.expected;
            const dealt = hand !== board && !hand.read && !hand.bodies;
            const more = { size, expected: dealt ? 0 : hand.expected };
            return group(hand === board ? boardName(board) : t("Small hand"), row(hand, more), size);
          }),
        )
      : row(dealer, { significant, size: Math.min(5, dealer.expected) }),
    drawsLine(dealer),
  ];
}

// Of seven cards in two hands each gets the room of its number.
function group(name, hand, size) {
  return h("div", { class: "hand-group", "data-n": size, "data-key": name }, h("h3", {}, name), hand);
}

function boardName(board) {
  const known = board.flop.length && board.cards.length > board.flop.length;
  return known ? t("Flop, turn, river") : t("Board");
}

function stateText(dealer, board) {
  const waiting = [board, dealer].find((hand) => hand && !hand.complete);
  if (!waiting) return `✓ ${t("complete")}`;
  const line = t("{read} of {expected} cards", { read: waiting.read, expected: waiting.expected });
  return waiting === board ? `${t("Board")}: ${line}` : line;
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
