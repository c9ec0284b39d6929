// One box: its cards, its bets, and once revealed what to pay and what to take.

import { cardFace, handRow } from "./cards.js";
import { h } from "./dom.js";
import { kindName } from "./kinds.js";
import { reasonText } from "./stage.js";
import { BET_NAMES, chipsOf, combinationName, money, t } from "./words.js";

const ORDER = Object.keys(BET_NAMES);

export function boxView(round, box, { selected, doubtsOf }) {
  const zones = [box.zone, box.small?.zone];
  const asked = round.questions.filter((question) => question.zone && zones.includes(question.zone));
  const classes = ["box", `is-${kindOf(box)}`];
  if (selected) classes.push("selected");
  if (asked.length) classes.push("asked");
  if (box.assumed) classes.push("assumed");
  return h(
    "article",
    {
      class: classes.join(" "),
      "data-key": box.zone,
      "data-box": box.box,
      "data-do": "select",
      "aria-label": t("Box {n}", { n: box.box }),
      "aria-current": selected ? "true" : null,
    },
    header(box),
    ...hands(box, asked, doubtsOf),
    headline(round, box),
    betLines(round, box),
    totals(round, box),
    actions(round, box),
  );
}

// The box's hand, its small hand below it, and the cards it was dealt where those count.
function hands(box, asked, doubtsOf) {
  const row = (hand, more) =>
    handRow({
      zone: hand.zone,
      cards: hand.cards,
      expected: box.in_play && box.opened ? hand.expected : 0,
      bodies: hand.bodies,
      doubts: doubtsOf(hand.zone),
      byPerson: hand.by_person,
      asked: asked.find((question) => question.zone === hand.zone && question.card)?.card,
      ...more,
    });
  const took = box.exchanged > 0 || box.sixth;
  return [
    row(box, { significant: box.significant, size: Math.min(5, Math.max(3, box.expected)) }),
    box.small && (box.small.read || box.small.bodies || box.opened) ? h("div", { class: "small-hand", "data-key": "small" }, row(box.small, { size: 2 }), h("span", {}, t("Small hand"))) : null,
    took && box.dealt?.length
      ? h(
          "div",
          { class: "small-hand dealt", "data-key": "dealt" },
          h("div", { class: "hand", "data-n": 7 }, box.dealt.map((card) => cardFace(card, { disabled: true }))),
          h("span", {}, t("Dealt")),
        )
      : null,
  ];
}

function kindOf(box) {
  if (!box.in_play) return "empty";
  if (box.result) return "shown";
  return box.settled ? "ready" : "open";
}

function header(box) {
  return h(
    "header",
    { class: "box-head" },
    h("span", { class: "box-number" }, box.box),
    h("span", { class: "box-state" }, stateText(box)),
    box.in_play ? stamp(box) : null,
  );
}

function stamp(box) {
  // Confirmed bets are not enough: whether the box buys a missing game must be said, too.
  if (box.assumed) return h("span", { class: "stamp maybe" }, `≈ ${t("ASSUMED")}`);
  return h("span", { class: "stamp sure" }, `✓ ${t("CONFIRMED")}`);
}

function stateText(box) {
  if (!box.in_play) return t("not in play");
  if (box.overruled) return t("Overruled: {reason}", { reason: reasonText(box.overruled) });
  if (box.action === "fold") return t("Fold");
  if (box.collected) return t("collected");
  if (box.unanswered) return t("shown, not answered");
  if (box.revealed && box.answer?.out_of_order) return t("answered out of order");
  if (!box.opened) return t("face down");
  if (box.read < box.expected) {
    return t("{read} of {expected} cards", { read: box.read, expected: box.expected });
  }
  return "";
}

function headline(round, box) {
  if (!box.in_play) return null;
  if (box.combinations?.length) {
    return h(
      "p",
      { class: "combination" },
      box.combinations.map((slug, place) => [
        place ? h("span", { class: "plus" }, " + ") : null,
        h("span", { class: `combo combo-${place + 1}` }, combinationName(slug)),
      ]),
      box.result?.paid_as
        ? h("span", { class: "paid-as" }, t("paid as {combination}", { combination: combinationName(box.result.paid_as) }))
        : null,
      whyKey(box),
    );
  }
  if (box.settled && !box.result) {
    const asks = round.mode === "training" && !box.answer;
    const line = asks ? t("Your answer, please") : box.answer ? `✓ ${t("Answered")}` : t("Ready");
    return h("p", { class: "combination quiet" }, line);
  }
  return h("p", { class: "combination quiet" }, box.result ? whyKey(box) : "");
}

function whyKey(box) {
  return h(
    "button",
    { type: "button", class: "why-key has-sign", "data-do": "why", "data-box": box.box },
    ...wordsOrSign(`${t("Why")} ›`, "?"),
  );
}

function betLines(round, box) {
  if (!box.in_play) return null;
  const results = box.result?.bets ?? {};
  const reasons = box.result?.explanation?.bets ?? {};
  const names = [...new Set([...Object.keys(box.bets ?? {}), ...Object.keys(results)])];
  names.sort((a, b) => place(a) - place(b));
  const listed = names.filter((name) => (box.bets?.[name] ?? 0) > 0 || results[name]);
  return h(
    "div",
    {
      class: listed.length > roomFor(round) ? "bets many" : "bets",
      // What lies below the edge is reached by keyboard, too.
      tabindex: "0",
      role: "group",
      "aria-label": t("Bets"),
      "data-do": box.result ? "why" : "bets",
      "data-box": box.box,
    },
    listed.map((name) => betLine(name, box, results[name], reasons[name])),
  );
}

// How many bets a box has room for with their reasons.
function roomFor(round) {
  return round.boxes.length > 4 ? 2 : 3;
}

function place(name) {
  const found = ORDER.indexOf(name);
  return found < 0 ? ORDER.length : found;
}

function betLine(name, box, result, reason) {
  const stake = box.bets?.[name];
  const title = name.startsWith("prize:") ? name.slice(6) : (BET_NAMES[name] ?? name);
  return h(
    "div",
    { class: `bet ${result ? `settled r-${result.result}` : ""}`, "data-key": name },
    h("span", { class: "bet-name" }, title, result ? rightMark(name, box) : null),
    h("span", { class: "bet-stake" }, stake === undefined || stake === null ? "" : money(stake)),
    result ? h("span", { class: "bet-result" }, resultText(result)) : null,
    result ? wrongMark(name, box) : null,
    reason ? reasonLine(reason) : null,
  );
}

// The rule id at the end of a reason never breaks over lines.
export function reasonLine(reason) {
  const [, text, rule] = reason.match(/^(.*?)\s*(\[[^\]]+\])?$/s);
  return h("p", { class: "reason" }, `${text} `, rule ? h("span", { class: "rule" }, rule) : null);
}

export function resultText(result) {
  const words = {
    win: t("PAY {amount}", { amount: money(result.amount) }),
    lose: t("TAKE {amount}", { amount: money(result.amount) }),
    push: t("STAND-OFF"),
    "not-paid": t("not paid"),
    returned: t("RETURN"),
  };
  const line = words[result.result] ?? result.result;
  if (!result.stake_taken) return line;
  return `${line}, ${t("TAKE {amount}", { amount: money(result.stake_taken) })}`;
}

export function saidText(answer) {
  return answer ? t("you said {answer}", { answer: resultText(answer) }) : t("you left it out");
}

// The server says which answers are right (`right`); the page only shows it.
function rightMark(name, box) {
  if (box.answer?.right?.[name] !== true) return null;
  return h("span", { class: "answer right", "aria-label": t("right") }, " ✓");
}

function wrongMark(name, box) {
  if (box.answer?.right?.[name] !== false) return null;
  const kind = box.answer.mistakes?.[name]?.kind;
  const line = saidText(box.answer.bets?.[name]);
  return h("span", { class: "answer wrong" }, kind ? `✗ ${kindName(kind)}: ${line}` : `✗ ${line}`);
}

function totals(round, box) {
  const result = box.result;
  if (!result) return null;
  const currency = round.table?.currency;
  const lines = [];
  if (result.paid > 0) lines.push(total("pay", t("PAY"), result.paid, round, currency));
  if (result.taken > 0) lines.push(total("take", t("TAKE"), result.taken, round, currency));
  if (!lines.length) lines.push(h("div", { class: "total stay" }, h("b", {}, t("NOTHING MOVES"))));
  return h("div", { class: lines.length > 1 ? "totals two" : "totals" }, lines);
}

function total(kind, word, amount, round, currency) {
  const { chips, rest } = chipsOf(amount, round.table?.chips ?? []);
  return h(
    "div",
    { class: `total ${kind}`, "data-key": kind },
    h("span", { class: "total-word" }, kind === "pay" ? `▲ ${word}` : `▼ ${word}`),
    h("b", { class: "total-amount" }, money(amount), currency ? h("small", {}, ` ${currency}`) : null),
    h(
      "span",
      { class: "chips" },
      chips.map(({ chip, count }) =>
        h(
          "span",
          { class: "chip-count", "data-key": chip },
          h("span", { class: "times" }, `${count}×`),
          h("span", { class: `chip chip-${rankOfChip(chip, round)}` }, money(chip)),
        ),
      ),
      rest ? h("span", { class: "rest" }, t("and {rest} no chip fits", { rest: money(rest) })) : null,
    ),
  );
}

function rankOfChip(chip, round) {
  return [...(round.table?.chips ?? [])].sort((a, b) => a - b).indexOf(chip) % 6;
}

// A narrow box shows the sign; readers of the page hear the words all the same.
function wordsOrSign(words, sign) {
  return [h("span", { class: "words" }, words), h("span", { class: "sign-only", "aria-hidden": "true" }, sign)];
}

function actions(round, box) {
  const key = (action, text, extra = {}) =>
    h("button", { type: "button", class: "key", "data-do": action, "data-box": box.box, ...extra }, text);
  if (!box.in_play) {
    return h("div", { class: "box-keys" }, key("put-in", t("Put in play")));
  }
  const training = round.mode === "training" && (!box.revealed || box.answer?.correct === false);
  if (box.result && !box.assumed && !training) return null;
  return h(
    "div",
    { class: "box-keys" },
    key("bets", t("Bets")),
    training ? key("answer", box.answer ? t("Answer again") : t("Answer")) : null,
    box.assumed ? key("confirm", wordsOrSign(t("Confirm"), "✓"), { class: "key good has-sign" }) : null,
  );
}
