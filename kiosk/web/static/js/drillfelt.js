// The felt of a drill round: hands, stakes in chips, limits.

import { chipStacks } from "./chips.js";
import { h, symbol } from "./dom.js";
import { BET_NAMES, cardName, money, rankText, t, withCurrency } from "./words.js";

export function cardPicture(card, tags = []) {
  const red = "dh".includes(card[1]);
  return h(
    "span",
    {
      class: `card ${red ? "red" : "black"}${tags.length ? " counts" : ""}`,
      "data-key": card,
      role: "img",
      "aria-label": tags.length ? `${cardName(card)} (${tags.join(", ")})` : cardName(card),
    },
    h("span", { class: "rank" }, rankText(card)),
    symbol(`suit-${card[1]}`, "suit"),
    tags.length ? h("span", { class: `tag tag-${tags.join("")}` }, tags.join("·")) : null,
  );
}

export function hand(cards, groups = [], name = "") {
  const tags = (card) =>
    groups.map((group, at) => (group.includes(card) ? String(at + 1) : null)).filter(Boolean);
  return h(
    "div",
    { class: "hand", "data-n": Math.max(5, cards.length), role: "group", "aria-label": name },
    cards.map((card) => cardPicture(card, tags(card))),
  );
}

function row(title, content, className = "") {
  return h("div", { class: `felt-row ${className}` }, h("h2", {}, title), content);
}

function backs(count) {
  return h(
    "div",
    { class: "hand", "data-n": 5, role: "img", "aria-label": t("face down") },
    Array.from({ length: count }, () => h("span", { class: "card unread" })),
  );
}

// `told`: what came back after the answer; it marks the significant cards.
export function felt(round, told) {
  return h(
    "section",
    { class: "drill-felt", "aria-label": t("Table") },
    dealerRows(round, told),
    round.board?.length ? row(t("Board"), hand(round.board, boardGroups(round, told), t("Board"))) : null,
    round.seats
      ? h("div", { class: "seats" }, round.boxes.map((box) => boxPart(round, box, told)))
      : round.boxes.map((box) => boxPart(round, box, told)),
    limits(round),
  );
}

function boardGroups(round, told) {
  if (!told) return [];
  return told.significant?.length ? told.significant : (told.dealer ?? []);
}

function dealerRows(round, told) {
  const { cards = [], draws, small } = round.dealer;
  if (!cards.length) return null;
  return [
    row(t("Dealer"), hand(cards, told?.dealer ?? [], t("Dealer")), "dealer-row"),
    draws?.length ? row(t("Drawn after the purchase"), hand(draws, [], t("Drawn after the purchase")), "minor") : null,
    small?.length ? row(t("Dealer's small hand"), hand(small, [], t("Dealer's small hand")), "minor") : null,
  ];
}

function boxPart(round, box, told) {
  const folded = box.action === "fold";
  const seats = round.seats;
  const title = seats || round.boxes.length > 1 ? t("Box {n}", { n: box.box }) : t("The box");
  const marks = box.box === round.box ? (told?.significant ?? []) : [];
  const changed = !seats && box.dealt && box.dealt.join() !== (box.cards ?? []).join();
  return h(
    "div",
    { class: `felt-box${folded ? " folded" : ""}`, "data-key": `box${box.box}` },
    h("h2", {}, title, folded ? h("b", { class: "fold-mark" }, ` ${t("Fold")}`) : null),
    folded && !changed && !box.cards?.length ? backs(round.game === "three_card" ? 3 : 5) : null,
    box.cards?.length ? hand(box.cards, marks, title) : null,
    box.small?.length ? row(t("Small hand"), hand(box.small, [], t("Small hand")), "minor") : null,
    changed ? row(t("As it was dealt"), hand(box.dealt, [], t("As it was dealt")), "minor") : null,
    seats ? null : stakes(round, box),
  );
}

function stakes(round, box) {
  return h(
    "ul",
    { class: "stakes" },
    Object.entries(box.bets).map(([name, amount]) =>
      h(
        "li",
        { class: "stake", "data-key": name },
        chipStacks(amount, round.table.chips),
        h("span", { class: "stake-name" }, BET_NAMES[name] ?? name),
        h("b", {}, money(amount)),
        name === "exchange" && box.exchanged
          ? h("small", {}, t("cards: {n}", { n: box.exchanged }))
          : null,
      ),
    ),
  );
}

function limits(round) {
  const { max_payout: cap, currency } = round.table;
  const parts = [
    cap === null || cap === undefined
      ? t("No table maximum")
      : t("Table maximum {amount}", { amount: withCurrency(cap, currency) }),
  ];
  if (round.meter) parts.push(t("Jackpot meter {amount}", { amount: withCurrency(round.meter, currency) }));
  return h("p", { class: "felt-limits" }, h("b", {}, t(round.title)), ` · ${parts.join(" · ")}`);
}
