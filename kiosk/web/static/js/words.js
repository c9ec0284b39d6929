// Texts in the language of the page, names of cards, amounts.

const start = JSON.parse(document.getElementById("start").textContent);

export { start };

export function t(text, values = {}) {
  const found = start.texts[text] ?? text;
  return found.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

const plain = new Intl.NumberFormat(start.language, { maximumFractionDigits: 2 });

export function money(amount) {
  return plain.format(amount);
}

export function withCurrency(amount, currency) {
  return currency ? `${money(amount)}\u00a0${currency}` : money(amount);
}

export function cardName(card) {
  return start.cards[card] ?? card;
}

export function rankText(card) {
  return card[0] === "T" ? "10" : card[0];
}

export function zoneName(zone) {
  if (!zone) return t("Table");
  const shared = { dealer: t("Dealer"), "dealer-small": t("Dealer, small hand"), board: t("Board") };
  if (shared[zone]) return shared[zone];
  const n = boxNumber(zone);
  if (!n) return zone;
  return zone.endsWith("-small") ? t("Box {n}, small hand", { n }) : t("Box {n}", { n });
}

export function boxNumber(zone) {
  return Number(zone?.match(/^box(\d+)/)?.[1]) || null;
}

// Every hand of the round, with its zone: the shared ones, then those of the boxes.
export function handsOf(round) {
  const { dealer, board, boxes } = round;
  const small = boxes.map((box) => box.small);
  return [dealer, dealer.small, board, ...boxes, ...small].filter(Boolean);
}

export const BET_NAMES = {
  ante: t("Ante"),
  bet: t("Bet"),
  exchange: t("Exchange"),
  sixth: t("Sixth card"),
  extra_two: t("Two extra cards"),
  insurance: t("Insurance"),
  bonus: t("Bonus"),
  pair_plus: t("Pair plus"),
  progressive: t("Progressive"),
  buy: t("Buying the game"),
  ante_bonus: t("Ante bonus"),
};

const COMBINATIONS = {
  "high-card": t("no combination"),
  "ace-king": t("ace-king"),
  pair: t("pair"),
  "two-pair": t("two pair"),
  "three-of-a-kind": t("three of a kind"),
  straight: t("straight"),
  flush: t("flush"),
  "full-house": t("full house"),
  "four-of-a-kind": t("four of a kind"),
  "straight-flush": t("straight flush"),
  "royal-flush": t("royal flush"),
  "three-pair": t("three pair"),
};

// Where ace-king is a combination, less than that is none.
const ACE_KING_GAMES = ["russian", "five_card", "six_card", "oasis"];

export function combinationName(slug) {
  const game = start.house?.game;
  if (slug === "high-card" && game && !ACE_KING_GAMES.includes(game)) return t("high card");
  return COMBINATIONS[slug] ?? slug;
}

// Fewest chips for an amount. Counted in hundredths, so that nothing is lost in fractions.
export function chipsOf(amount, chips) {
  let rest = Math.round(amount * 100);
  const found = [];
  for (const chip of [...chips].sort((a, b) => b - a)) {
    const worth = Math.round(chip * 100);
    const count = worth > 0 ? Math.floor(rest / worth) : 0;
    if (count > 0) found.push({ chip, count });
    rest -= count * worth;
  }
  return { chips: found, rest: rest / 100 };
}
