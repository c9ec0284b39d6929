// Cards drawn large: rank, suit by shape and by colour.

import { h, symbol } from "./dom.js";
import { cardName, rankText, t } from "./words.js";

export function cardFace(card, attributes = {}, tags = []) {
  const red = "dh".includes(card[1]);
  return h(
    "button",
    {
      type: "button",
      class: `card ${red ? "red" : "black"}${tags.length ? " counts" : ""}`,
      "data-key": card,
      "data-card": card,
      "aria-label": tags.length ? `${cardName(card)} (${tags.join(", ")})` : cardName(card),
      ...attributes,
    },
    h("span", { class: "rank" }, rankText(card)),
    symbol(`suit-${card[1]}`, "suit"),
    tags.length ? h("span", { class: `tag tag-${tags.join("")}` }, tags.join("·")) : null,
  );
}

// The cards of a zone with what is doubtful, unread or still to come.
// `size`: how many cards the row has room for at least.
export function handRow({ zone, cards, expected, bodies, doubts, significant, byPerson, asked, size = 5 }) {
  const unread = Math.max(0, (bodies ?? 0) - cards.length - doubts);
  const missing = Math.max(0, (expected ?? 0) - cards.length - doubts - unread);
  const places = cards.length + doubts + unread + missing;
  const row = [
    ...cards.map((card) =>
      cardFace(
        card,
        {
          "data-do": "fix-card",
          "data-zone": zone,
          "data-asked": asked === card,
          "data-person": (byPerson ?? []).includes(card),
        },
        tagsOf(card, significant),
      ),
    ),
    ...repeat(doubts, (n) => blank(zone, "doubtful", `?${n}`, "?", t("doubtful card"))),
    ...repeat(unread, (n) => blank(zone, "unread", `b${n}`, "", t("card not read"))),
    ...repeat(missing, (n) => blank(zone, "missing", `m${n}`, "", t("no card yet"))),
  ];
  return h("div", { class: "hand", "data-n": Math.max(size, places) }, row);
}

function tagsOf(card, significant) {
  return (significant ?? [])
    .map((group, place) => (group.includes(card) ? String(place + 1) : null))
    .filter((tag) => tag !== null);
}

function blank(zone, kind, key, text, label) {
  return h(
    "button",
    {
      type: "button",
      class: `card blank ${kind}`,
      "data-key": key,
      "data-do": "fix-card",
      "data-zone": zone,
      "aria-label": `${label}: ${t("enter a card")}`,
    },
    text,
  );
}

function repeat(count, make) {
  return Array.from({ length: count }, (_, n) => make(n));
}
