// What the trainee enters, for each form of round.

import { h } from "./dom.js";
import { choices, key, keypad, number, typed } from "./pads.js";
import { BET_NAMES, combinationName, money, t } from "./words.js";

const MOVES = [
  ["lose", t("Take")],
  ["win", t("Pay")],
  ["push", t("Leave")],
];
const MOVING = ["lose", "win"];

// Bets of which some houses take the stake although they win.
export const STAKED = ["bonus", "progressive"];

export const QUESTIONS = {
  settle: t("What happens to each bet?"),
  hand: t("What does this hand hold?"),
  game: t("Does the dealer have a game?"),
  amount: t("How much is paid?"),
  order: t("In which order do you work?"),
};

export function emptyDraft(round) {
  const box = round.boxes[0];
  return {
    focus: round.form === "amount" ? "amount" : null,
    fresh: true,
    amount: "",
    first: null,
    second: null,
    game: null,
    order: [],
    bets: Object.fromEntries(
      round.asks.map((name) => [
        name,
        { result: null, amount: "", stake: box?.bets?.[name] ?? 0, taken: false },
      ]),
    ),
  };
}

// ---- drawing ----

export function asks(round, draft) {
  return h("div", { class: `drill-asks asks-${round.form}` }, DRAW[round.form](round, draft));
}

const DRAW = { settle, hand, game, amount, order };

function settle(round, draft) {
  return [
    h("div", { class: "ask-bets" }, round.asks.map((name) => betRow(name, draft))),
    keypad(),
    key(t("Call the floor: wrong number of cards"), "floor", { class: "floor", "aria-keyshortcuts": "f" }),
    h("p", { class: "keys-hint" }, t("Keyboard: T take, P pay, S the stake too, L leave, F floor, digits, Enter")),
  ];
}

function betRow(name, draft) {
  const line = draft.bets[name];
  const moves = MOVING.includes(line.result);
  return h(
    "div",
    { class: "ask-bet", "data-key": name },
    h("span", { class: "ask-name" }, BET_NAMES[name] ?? name, line.stake ? h("small", {}, ` ${money(line.stake)}`) : null),
    choices(name, MOVES, line.result),
    h(
      "button",
      {
        type: "button",
        class: "amount",
        "data-do": "focus",
        "data-name": name,
        "aria-label": t("Amount of {bet}", { bet: BET_NAMES[name] ?? name }),
        "aria-pressed": String(draft.focus === name),
        disabled: !moves,
      },
      moves ? line.amount || "0" : "—",
    ),
    STAKED.includes(name) && line.result === "win" ? stakeKey(name, line.taken) : null,
  );
}

function stakeKey(name, taken) {
  return key(`${taken ? "✓ " : ""}${t("and take the stake")}`, "stake", {
    class: "stake-key",
    "data-name": name,
    "data-key": "stake",
    "aria-pressed": String(taken),
    "aria-keyshortcuts": "s",
  });
}

function hand(round, draft) {
  const options = [...round.options].reverse().map((slug) => [slug, combinationName(slug)]);
  return [
    h("h3", {}, round.second ? t("First combination") : t("Combination")),
    choices("first", options, draft.first),
    round.second
      ? [
          h("h3", {}, t("Second combination")),
          choices("second", [["none", t("no second")], ...options.filter(([slug]) => slug !== "high-card")], draft.second),
        ]
      : null,
  ];
}

function game(_round, draft) {
  return choices(
    "game",
    [
      ["yes", t("Game")],
      ["no", t("No game")],
    ],
    draft.game,
  );
}

function amount(round, draft) {
  return [
    h("p", { class: "told-hand" }, round.told.join(" + ")),
    h("p", { class: "ask-line" }, t("Pay on {bet}", { bet: BET_NAMES[round.bet] ?? round.bet })),
    h("output", { class: "amount big" }, draft.amount || "0"),
    keypad(),
  ];
}

function order(round, draft) {
  const name = (step) => (round.seats ? t("Box {n}", { n: step }) : (BET_NAMES[step] ?? step));
  return [
    h(
      "p",
      { class: "ask-line" },
      round.seats ? t("Tap the boxes in the order in which you settle them.") : t("Tap the bets in the order in which you deal with them."),
    ),
    h(
      "div",
      { class: "order-steps" },
      round.steps.map((step) => {
        const at = draft.order.indexOf(step);
        return h(
          "button",
          {
            type: "button",
            class: "key step",
            "data-key": step,
            "data-do": "step",
            "data-value": step,
            "aria-pressed": String(at >= 0),
          },
          h("span", { class: "step-at" }, at >= 0 ? at + 1 : ""),
          h("span", {}, name(step)),
          round.seats ? null : h("small", {}, moveText(round.results[step])),
        );
      }),
    ),
    key(t("Start over"), "restart"),
  ];
}

export function moveText(line) {
  if (!line) return "";
  if (line.result === "win") {
    const paid = t("PAY {amount}", { amount: money(line.amount) });
    return line.stake_taken ? `${paid}, ${t("TAKE {amount}", { amount: money(line.stake_taken) })}` : paid;
  }
  if (line.result === "lose") return t("TAKE {amount}", { amount: money(line.amount) });
  return t("leave");
}

// ---- entering ----

// The draft after a press; false when the press means nothing here.
export function enter(round, draft, action, data) {
  if (action === "choose") return chosen(round, draft, data);
  if (action === "focus") {
    draft.focus = data.name;
    draft.fresh = true;
    return true;
  }
  if (action === "digit") return digit(draft, data.value);
  if (action === "stake") {
    draft.bets[data.name].taken = !draft.bets[data.name].taken;
    return true;
  }
  if (action === "step") {
    if (!draft.order.includes(data.value)) draft.order.push(data.value);
    return true;
  }
  if (action === "restart") {
    draft.order = [];
    return true;
  }
  return false;
}

function chosen(_round, draft, { name, value }) {
  if (name in draft.bets) {
    const line = draft.bets[name];
    line.result = value;
    if (value === "lose") line.amount = String(line.stake || "");
    if (value === "win") line.amount = "";
    draft.focus = MOVING.includes(value) ? name : null;
    draft.fresh = true;
  } else {
    draft[name] = value;
  }
  return true;
}

function digit(draft, value) {
  if (!draft.focus) return true;
  const line = draft.focus === "amount" ? draft : draft.bets[draft.focus];
  const before = draft.fresh && value !== "⌫" ? "" : line.amount;
  line.amount = typed(before, value);
  draft.fresh = false;
  return true;
}

// The answer to send, or what is still open.
export function answerOf(round, draft) {
  if (round.form === "settle") return settled(round, draft);
  if (round.form === "amount") {
    const given = number(draft.amount || "");
    return draft.amount === "" ? { open: t("the amount") } : { amount: given ?? 0 };
  }
  if (round.form === "game") {
    return draft.game ? { game: draft.game === "yes" } : { open: t("game or no game") };
  }
  if (round.form === "hand") {
    if (!draft.first || (round.second && !draft.second)) return { open: t("the combinations") };
    const second = round.second && draft.second !== "none" ? [draft.second] : [];
    return { combinations: [draft.first, ...second] };
  }
  if (draft.order.length < round.steps.length) return { open: t("the order") };
  return { order: draft.order };
}

function settled(round, draft) {
  const open = round.asks.filter((name) => {
    const line = draft.bets[name];
    return line.result === null || (MOVING.includes(line.result) && line.amount === "");
  });
  if (open.length) return { open: open.map((name) => BET_NAMES[name] ?? name).join(", ") };
  return {
    bets: Object.fromEntries(
      round.asks.map((name) => {
        const { result, amount: text, stake, taken } = draft.bets[name];
        const said = { result, amount: MOVING.includes(result) ? (number(text) ?? 0) : 0 };
        if (STAKED.includes(name) && result === "win") said.stake_taken = taken ? stake : 0;
        return [name, said];
      }),
    ),
  };
}
