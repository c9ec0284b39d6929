// Which cards were dealt first: the flop among the board, or the hand of a box before it took more.

import { act } from "./api.js";
import { cardFace } from "./cards.js";
import { h, patch } from "./dom.js";
import { key, openSheet } from "./sheet.js";
import { start, t, zoneName } from "./words.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const FLOP = 3;

export function dealtSheet(round, zone) {
  const flop = zone === "board";
  const box = round.boxes.find((known) => known.zone === zone);
  const size = flop ? FLOP : start.house.cards;
  const offered = flop
    ? round.board.cards
    : [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  const chosen = new Set(flop ? round.board.flop : (box?.dealt ?? []));
  const body = h("div", { class: "dealt-sheet" });
  const draw = () =>
    patch(
      body,
      h("p", { "data-key": "count" }, t("{read} of {expected} cards", { read: chosen.size, expected: size })),
      h(
        "div",
        { class: flop ? "hand" : "deck", "data-n": 5, "data-key": "deck" },
        offered.map((card) =>
          cardFace(card, { "data-do": "pick", "aria-pressed": String(chosen.has(card)) }),
        ),
      ),
    );
  draw();
  const close = openSheet(
    flop ? t("Which three cards were dealt first?") : t("{zone}: the cards that were dealt", { zone: zoneName(zone) }),
    body,
    [key(t("Cancel"), "close"), key(t("Save"), "save", { class: "good" })],
    (action, data) => {
      if (action === "pick") {
        if (!chosen.delete(data.card) && chosen.size < size) chosen.add(data.card);
        draw();
        return true;
      }
      if (action !== "save") return false;
      send(zone, [...chosen], close);
      return true;
    },
  );
}

async function send(zone, dealt, close) {
  if (await act("cards", { zone, dealt })) close();
}
