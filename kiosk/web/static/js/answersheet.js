// The trainee's own settlement of a box, bet by bet, before the right one is shown.

import { act } from "./api.js";
import { h, patch } from "./dom.js";
import { choices, key, keypad, number, once, openSheet, typed } from "./sheet.js";
import { toast } from "./toast.js";
import { BET_NAMES, money, start, t } from "./words.js";

export function answerSheet(round, box) {
  const names = [...Object.keys(box.bets ?? {}).filter((name) => box.bets[name] > 0), ...unstaked(box)];
  const draft = Object.fromEntries(
    names.map((name) => [name, begun(box, name)]),
  );
  const state = { focus: null, fresh: true };
  const body = h("div", { class: "answer-sheet" });
  const draw = () => patch(body, ...rows(box, names, draft, state));
  draw();
  const give = once(save);
  const close = openSheet(
    t("Box {n}: your answer", { n: box.box }),
    body,
    [key(t("Cancel"), "close"), key(t("Give the answer"), "save", { class: "good" })],
    (action, data) => {
      if (action === "save") {
        give(box, names, draft, close);
        return true;
      }
      const used = change(action, data, draft, state);
      if (used) draw();
      return used;
    },
  );
}

// Payments that have no stake of their own: the ante bonus, jackpot prizes.
function unstaked(box) {
  const bonus = start.house.ante_bonus && box.action === "play" && box.bets?.ante > 0;
  return [...(bonus ? [BONUS] : []), ...(box.prizes ?? []).map(({ name }) => PRIZE + name)];
}

// What pays or is nothing: one that was not due is left out of the answer.
const BONUS = "ante_bonus";
const PRIZE = "prize:";

function stakeOf(box, name) {
  if (name.startsWith(PRIZE)) return box.prizes.find((prize) => PRIZE + prize.name === name).amount;
  return name === BONUS ? box.bets.ante : box.bets[name];
}

function titleOf(name) {
  return name.startsWith(PRIZE) ? name.slice(PRIZE.length) : (BET_NAMES[name] ?? name);
}

// Bets of which some houses take the stake although they win.
const STAKED = ["bonus", "progressive"];

// Where a bet begins: open, or, when answering again, as it was where that was right.
function begun(box, name) {
  const given = box.answer?.bets?.[name];
  if (given && box.answer.right?.[name] === true) {
    const moves = MOVING.includes(given.result);
    return {
      result: moves ? given.result : "push",
      amount: String(moves ? given.amount : stakeOf(box, name)),
      taken: Boolean(given.stake_taken),
    };
  }
  return { result: null, amount: String(stakeOf(box, name)), taken: false };
}

function rows(box, names, draft, state) {
  return [
    h(
      "div",
      { class: "bet-columns", "data-key": "columns" },
      h("div", { class: "bet-rows" }, names.map((name) => row(name, box, draft[name], state))),
      keypad(),
    ),
  ];
}

const MOVES = [
  ["lose", t("Take")],
  ["win", t("Pay")],
  ["push", t("Leave")],
];

const BONUS_MOVES = MOVES.filter(([result]) => ["win", "push"].includes(result));

// Results that move an amount; with the others nothing moves.
const MOVING = ["lose", "win"];

function row(name, box, answer, state) {
  const amount = MOVING.includes(answer.result)
    ? h(
        "button",
        {
          type: "button",
          class: "amount",
          "data-do": "focus",
          "data-name": name,
          "aria-pressed": String(state.focus === name),
        },
        answer.amount === "" ? "0" : answer.amount,
      )
    : h("span", { class: "amount none" }, answer.result ? "0" : "—");
  return h(
    "div",
    { class: "field", "data-key": name },
    h(
      "span",
      { class: "field-name" },
      `${titleOf(name)} `,
      name === BONUS ? null : h("small", {}, money(stakeOf(box, name))),
    ),
    choices(name, name === BONUS ? BONUS_MOVES : MOVES, answer.result),
    STAKED.includes(name) && answer.result === "win" ? stakeKey(name, answer.taken) : null,
    amount,
  );
}

function stakeKey(name, taken) {
  return h(
    "button",
    {
      type: "button",
      class: "choice",
      "data-do": "stake",
      "data-name": name,
      "data-key": "stake",
      "aria-pressed": String(taken),
    },
    t("and take the stake"),
  );
}

function change(action, data, draft, state) {
  if (action === "stake") {
    draft[data.name].taken = !draft[data.name].taken;
    return true;
  }
  if (action === "choose") {
    draft[data.name].result = data.value;
    state.focus = MOVING.includes(data.value) ? data.name : null;
    state.fresh = true;
    return true;
  }
  if (action === "focus") {
    state.focus = data.name;
    state.fresh = true;
    return true;
  }
  if (action === "digit") {
    if (!state.focus) return true;
    const before = state.fresh && data.value !== "⌫" ? "" : draft[state.focus].amount;
    draft[state.focus].amount = typed(before, data.value);
    state.fresh = false;
    return true;
  }
  return false;
}

async function save(box, names, draft, close) {
  const open = names.filter((name) => draft[name].result === null);
  if (open.length) {
    toast(t("Still open: {bets}", { bets: open.map(titleOf).join(", ") }));
    return;
  }
  const bets = Object.fromEntries(
    names.filter((name) => name !== BONUS || draft[name].result === "win").map((name) => {
      const { result, amount, taken } = draft[name];
      const said = { result, amount: MOVING.includes(result) ? (number(amount) ?? 0) : 0 };
      if (STAKED.includes(name) && result === "win") said.stake_taken = taken ? stakeOf(box, name) : 0;
      return [name, said];
    }),
  );
  if (await act("answer", { box: box.box, bets })) close();
}
