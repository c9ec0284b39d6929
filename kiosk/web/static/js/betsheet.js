// Bets and actions of one box.

import { act } from "./api.js";
import { h, patch } from "./dom.js";
import { choices, key, keypad, number, once, openSheet, typed } from "./sheet.js";
import { BET_NAMES, money, start, t } from "./words.js";

const { house } = start;
const FIXED_BONUS = Boolean(house.bonus?.ratio);
const EDITED = [
  "ante",
  house.pair_plus && "pair_plus",
  house.insurance && "insurance",
  house.bonus && "bonus",
  house.tokens && "progressive",
].filter(Boolean);
const CHOSEN = [FIXED_BONUS && "bonus", "progressive"];
const TYPED = EDITED.filter((name) => !CHOSEN.includes(name));

export function betSheet(round, box) {
  const draft = draftOf(box);
  const before = structuredClone(draft);
  const chips = [...(round.table.chips ?? [])].sort((a, b) => a - b);
  const state = {
    chip: chips.find((chip) => chip >= round.table.ante_min) ?? chips.at(-1) ?? 1,
    focus: "ante",
    fresh: true,
  };
  const body = h("div", { class: "bet-sheet" });
  const draw = () => patch(body, ...rows(round, box, draft, state, chips));
  const keep = once(save);
  const handle = (action, data) => {
    const used = change(action, data, draft, state);
    if (used) draw();
    else if (action === "save" || action === "save-confirm") {
      keep({ round, box, before, draft, close }, action === "save-confirm");
      return true;
    }
    return used;
  };
  draw();
  const close = openSheet(
    t("Box {n}: bets and actions", { n: box.box }),
    body,
    [
      key(t("Cancel"), "close"),
      key(t("Save"), "save"),
      key(t("Save and confirm"), "save-confirm", { class: "good" }),
    ],
    handle,
  );
}

function draftOf(box) {
  return {
    bets: Object.fromEntries(EDITED.map((name) => [name, String(box.bets?.[name] ?? 0)])),
    action: box.action ?? "play",
    exchanged: box.exchanged ?? 0,
    sixth: Boolean(box.sixth),
    extra_two: Boolean(box.extra_two),
    buy: box.buy,
    in_play: box.in_play,
    bonus: (box.bets?.bonus ?? 0) > 0,
  };
}

function rows(round, box, draft, state, chips) {
  return [
    h(
      "div",
      { class: "bet-columns", "data-key": "columns" },
      h(
        "div",
        { class: "bet-rows" },
        TYPED.map((name) => amountRow(name, draft.bets[name], state)),
        labelled(
          t("Steps of a chip"),
          choices("chip", chips.map((chip) => [chip, money(chip)]), state.chip),
        ),
      ),
      keypad(),
    ),
    FIXED_BONUS ? labelled(BET_NAMES.bonus, yesNo("bonus", draft.bonus)) : null,
    house.tokens ? labelled(t("Jackpot tokens"), choices("progressive", tokens(), draft.bets.progressive)) : null,
    labelled(
      t("Decision"),
      choices("action", [["play", t("Play")], ["fold", t("Fold")]], draft.action),
    ),
    house.exchanges.length > 1
      ? labelled(
          t("Cards exchanged"),
          choices("exchanged", house.exchanges.map((n) => [n, n]), draft.exchanged),
        )
      : null,
    house.sixth ? labelled(t("Sixth card"), yesNo("sixth", draft.sixth)) : null,
    house.extra_two ? labelled(BET_NAMES.extra_two, yesNo("extra_two", draft.extra_two)) : null,
    house.buy ? labelled(t("Buys the dealer's game"), yesNo("buy", draft.buy)) : null,
    labelled(t("Box is in play"), yesNo("in_play", draft.in_play)),
  ];
}

// Jackpot tokens are dropped one to five; the stake is what they cost.
function tokens() {
  const { price, most } = house.tokens;
  return Array.from({ length: most + 1 }, (_, count) => [String(count * price), count]);
}

// A bonus of fixed size follows the ante.
function fixedBonus(ante) {
  const exception = house.bonus.overrides[String(ante)];
  return exception ?? Math.round(ante * house.bonus.ratio * 100) / 100;
}

function yesNo(name, value) {
  return choices(name, [["true", t("Yes")], ["false", t("No")]], value);
}

function labelled(text, inner) {
  return h("div", { class: "field", "data-key": text }, h("span", { class: "field-name" }, text), inner);
}

function amountRow(name, value, state) {
  const focused = state.focus === name;
  return h(
    "div",
    { class: "field", "data-key": name },
    h("span", { class: "field-name" }, BET_NAMES[name]),
    h(
      "div",
      { class: "stepper" },
      key("−", "step", { "data-name": name, "data-value": "-1", "aria-label": t("less") }),
      h(
        "button",
        { type: "button", class: "amount", "data-do": "focus", "data-name": name, "aria-pressed": String(focused) },
        value === "" ? "0" : value,
      ),
      key("+", "step", { "data-name": name, "data-value": "1", "aria-label": t("more") }),
    ),
  );
}

function change(action, data, draft, state) {
  if (action === "step") {
    const now = number(draft.bets[data.name]) ?? 0;
    draft.bets[data.name] = String(Math.max(0, now + Number(data.value) * state.chip));
    state.focus = data.name;
    state.fresh = true;
    return true;
  }
  if (action === "focus") {
    state.focus = data.name;
    state.fresh = true;
    return true;
  }
  if (action === "digit") {
    const before = state.fresh && data.value !== "⌫" ? "" : draft.bets[state.focus];
    draft.bets[state.focus] = typed(before, data.value);
    state.fresh = false;
    return true;
  }
  if (action !== "choose") return false;
  if (data.name === "chip") state.chip = Number(data.value);
  else if (data.name === "bonus") draft.bonus = data.value === "true";
  else if (data.name === "progressive") draft.bets.progressive = data.value;
  else draft[data.name] = data.name === "action" ? data.value : JSON.parse(data.value);
  return true;
}

const ACTIONS = ["action", "exchanged", "sixth", "extra_two", "buy", "in_play"];

// Whether all that was not sent still is as the sheet has shown it. Cards put a box in play.
function stands(before, now, body) {
  const bets = EDITED.filter((name) => !(name in (body.bets ?? {})));
  const actions = ACTIONS.filter((name) => name !== "in_play" && !(name in body));
  return bets.every((name) => before.bets[name] === now.bets[name]) && actions.every((name) => before[name] === now[name]);
}

// Only what was changed is sent, so that nothing else is overwritten; what somebody else changed
// meanwhile is not confirmed unseen.
async function save({ round, box, before, draft, close }, confirm) {
  const body = { box: box.box };
  const bets = {};
  if (FIXED_BONUS) {
    draft.bets.bonus = String(draft.bonus ? fixedBonus(number(draft.bets.ante) ?? 0) : 0);
  }
  for (const name of EDITED) {
    if (draft.bets[name] !== before.bets[name]) bets[name] = number(draft.bets[name]) ?? 0;
  }
  if (Object.keys(bets).length) body.bets = bets;
  for (const name of ACTIONS) {
    if (draft[name] !== before[name]) body[name] = draft[name];
  }
  let { entries } = box;
  if (Object.keys(body).length > 1) {
    const after = await act("bets", body);
    if (!after) return;
    const now = after.boxes.find((known) => known.box === box.box);
    if (after.id === round.id && stands(before, draftOf(now), body)) entries = now.entries;
  }
  if (confirm && !(await act("confirm", { box: box.box, entries }))) return;
  close();
}
