// All 52 cards, to name or to correct one: tap the card, tap the right one.

import { act, post, quietly } from "./api.js";
import { cardFace } from "./cards.js";
import { h } from "./dom.js";
import { key, openSheet } from "./sheet.js";
import { toast } from "./toast.js";
import { cardName, handsOf, t, zoneName } from "./words.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";

export function cardSheet(round, zone, { was = null, doubt = null } = {}) {
  const lying = new Set([
    ...(round.dealer.draws ?? []),
    ...handsOf(round).flatMap((hand) => hand.cards),
  ]);
  const grid = h(
    "div",
    { class: "deck" },
    [...SUITS].flatMap((suit) =>
      [...RANKS].map((rank) => {
        const card = rank + suit;
        return cardFace(card, {
          "data-do": "pick",
          "data-lying": lying.has(card) && card !== was,
          "data-now": card === was,
        });
      }),
    ),
  );
  const title = was
    ? t("{zone}: {card} is really", { zone: zoneName(zone), card: cardName(was) })
    : t("{zone}: which card lies there?", { zone: zoneName(zone) });
  const keys = [key(t("Cancel"), "close")];
  let keep = false;
  const keeping = () => keep ? t("Misread: the picture will be kept") : t("Misread: keep the picture");
  // The card may be gone before it is named: the picture of now is held for that.
  if (was || doubt) quietly("misread/hold", { was, doubt });
  if (was || doubt) keys.push(key(keeping(), "keep", { "aria-pressed": "false" }));
  if (was) keys.push(key(t("No card lies there"), "remove", { class: "warn" }));
  const close = openSheet(title, grid, keys, (action, data, button) => {
    if (action === "keep") {
      keep = !keep;
      button.setAttribute("aria-pressed", String(keep));
      button.textContent = keeping();
      return true;
    }
    if (action === "pick") {
      if (keep) keepPicture({ card: data.card, was, doubt });
      send({ zone: zone ?? null, card: data.card, ...(was ? { was } : {}), ...(doubt ? { doubt } : {}) }, close);
      return true;
    }
    if (action === "remove") {
      if (keep) keepPicture({ card: null, was, doubt });
      send({ zone, was, card: null }, close);
      return true;
    }
    return false;
  });
}

async function keepPicture(body) {
  if (await post("misread", body)) toast(t("The picture of the misread card is kept."));
}

async function send(body, close) {
  if (body.was && body.was === body.card) close();
  else if (await act("cards", body)) close();
}
