// The drills: choose, answer, see why, go on. Everything works by finger and by keyboard.

import { byId, h, patch } from "./dom.js";
import { answerOf, asks, emptyDraft, enter, QUESTIONS, STAKED } from "./drillasks.js";
import { chooser } from "./drillchoose.js";
import { felt } from "./drillfelt.js";
import { toldView } from "./drilltold.js";
import { key } from "./pads.js";
import { send } from "./send.js";
import { toast } from "./toast.js";
import { money, start, t } from "./words.js";

const KEPT = "drill-choice";

const state = {
  screen: "choose",
  house: start.house,
  topics: new Set(),
  standing: null,
  test: null,
  // The test that can be gone on with, null: none.
  openTest: start.test,
  round: null,
  draft: null,
  told: null,
  // Why the round on the page takes no answer any more, null: it does.
  over: null,
  waiting: false,
};

// ---- drawing ----

function draw() {
  const place = byId("drill");
  document.body.classList.toggle("drilling", state.screen !== "choose");
  if (state.screen === "choose") patch(place, chooser(state, start));
  else patch(place, desk());
}

function desk() {
  const { round } = state;
  return h(
    "div",
    { class: "desk", "data-key": `${round.id}` },
    felt(round, state.told),
    h(
      "section",
      { class: "desk-side", "aria-label": t("Your answer") },
      h("div", { class: "desk-head" }, h("h2", {}, QUESTIONS[round.form]), progressLine(round)),
      h("div", { class: "desk-body" }, deskBody()),
      h("footer", { class: "desk-keys" }, deskKeys()),
    ),
  );
}

function deskBody() {
  const { round, told, over } = state;
  if (told) return toldView(round, told, start);
  return over ? h("p", { class: "lead" }, over) : asks(round, state.draft);
}

// Whether the round on the page takes an answer.
function isOpen() {
  return state.screen === "ask" && !state.told && !state.over;
}

function progressLine(round) {
  if (round.test) {
    return h("p", { class: "desk-note" }, t("Test: round {n} of {count}", { n: round.test.done + 1, count: round.test.count }));
  }
  if (round.seconds !== null && !state.told) {
    return h("p", { class: "desk-note" }, t("Speed counts: target {seconds} s", { seconds: money(round.seconds) }));
  }
  return null;
}

function deskKeys() {
  const leave = key(state.test ? t("Break off") : t("Other topics"), "leave");
  if (!isOpen()) return [leave, key(t("Next round"), "next", { class: "good", "aria-keyshortcuts": "Enter" })];
  return [leave, key(t("Give the answer"), "give", { class: "good", "aria-keyshortcuts": "Enter" })];
}

// ---- doing ----

let looks = 0;

// Where the trainee stands in the house that is chosen; the newest question counts.
async function standings() {
  looks += 1;
  const mine = looks;
  const response = await fetch(`/api/v1/drill/standing?house=${encodeURIComponent(state.house)}`).catch(() => null);
  const found = response?.ok ? await response.json() : null;
  if (mine !== looks) return;
  if (found) state.standing = found;
  draw();
}

let left = 0;

// What is still on its way belongs to a screen that was left.
function abandon() {
  left += 1;
  state.waiting = false;
}

// Sends one thing at a time: nothing comes of a second press. `late`: the screen was left meanwhile.
async function once(path, body) {
  if (state.waiting) return {};
  const mine = left;
  state.waiting = true;
  const found = await send(path, body);
  const late = mine !== left;
  if (!late) state.waiting = false;
  return { ...found, late };
}

async function next() {
  const wish = state.test
    ? { test: state.test }
    : { house: state.house, topics: [...state.topics] };
  const { answer: round, error, late } = await once("drill/next", wish);
  if (late) return;
  if (error === "test-over") {
    state.openTest = null;
    leave();
  }
  if (!round) return;
  Object.assign(state, { screen: "ask", round, draft: emptyDraft(round), told: null, over: null });
  draw();
  byId("drill").querySelector(".desk-head h2")?.scrollIntoView({ block: "nearest" });
}

async function give(answer) {
  if (state.waiting || !isOpen()) return;
  if (answer.open) {
    toast(t("Still open: {bets}", { bets: answer.open }));
    return;
  }
  const { answer: told, error, message, late } = await once("drill/answer", { id: state.round.id, ...answer });
  if (late) {
    if (told?.test?.finished) state.openTest = null;
    draw();
    return;
  }
  if (error === "drill-over") return over(message);
  if (!told) return;
  if (told.test) {
    if (told.test.finished) location.assign(`/drill/test/${told.test.id}`);
    else next();
    return;
  }
  state.told = told;
  draw();
  byId("drill").querySelector(".verdict-line")?.focus();
}

// The kiosk has forgotten the round (it was started anew), or another page took its place.
function over(message) {
  if (state.test) return askAgain();
  state.over = message;
  draw();
  byId("drill").querySelector('[data-do="next"]')?.focus();
}

// The open question of a test; what was entered stays where it is the same question.
async function askAgain() {
  const { round: before, draft } = state;
  await next();
  const { round } = state;
  if (!round || round === before || JSON.stringify({ ...round, id: before.id }) !== JSON.stringify(before)) return;
  state.draft = draft;
  toast(t("The question is asked again: give the answer once more."));
  draw();
}

async function test() {
  const house = state.house;
  const { answer: begun, late } = await once("drill/test", { house });
  if (!begun) return;
  state.openTest = { id: begun.id, house };
  if (late) {
    draw();
    return;
  }
  state.test = begun.id;
  next();
}

function leave() {
  abandon();
  Object.assign(state, { screen: "choose", round: null, told: null, over: null, test: null });
  draw();
  standings();
}

function remember() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ house: state.house, topics: [...state.topics] }));
  } catch {
    // A browser that keeps nothing only forgets the choice.
  }
}

function recall() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    const house = start.houses.find((known) => known.name === kept?.house);
    if (!house) return;
    state.house = house.name;
    state.topics = new Set(kept.topics.filter((topic) => house.topics.includes(topic)));
  } catch {
    // As above.
  }
}

const PRESSES = {
  house: ({ value }) => {
    abandon();
    state.house = value;
    state.topics = new Set();
    state.standing = null;
    remember();
    draw();
    standings();
  },
  topic: ({ value }) => {
    if (!state.topics.delete(value)) state.topics.add(value);
    remember();
    draw();
  },
  "all-topics": () => {
    state.topics = new Set();
    remember();
    draw();
  },
  begin: () => next(),
  next: () => next(),
  test: () => test(),
  resume: ({ value }) => {
    abandon();
    state.test = value;
    next();
  },
  give: () => give(answerOf(state.round, state.draft)),
  floor: () => give({ floor: true }),
  leave,
};

document.addEventListener("click", (event) => {
  const element = event.target.closest("#drill [data-do]");
  if (!element || element.disabled) return;
  const { do: action, ...data } = element.dataset;
  if (isOpen() && enter(state.round, state.draft, action, data)) draw();
  else PRESSES[action]?.(data);
});

// ---- keyboard ----

const MOVE_LETTERS = { t: "lose", p: "win", l: "push" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || state.screen !== "ask") return;
  const onButton = event.target.closest("button, a, select, input");
  if (event.key === "Enter") {
    if (onButton) return;
    PRESSES[isOpen() ? "give" : "next"]();
  } else if (!isOpen() || !typedKey(event)) {
    return;
  }
  event.preventDefault();
});

function typedKey(event) {
  const { round, draft } = state;
  const digit = event.key === "Backspace" ? "⌫" : event.key === "." ? "," : event.key;
  if (/^([0-9]|⌫|,)$/.test(digit) && draft.focus) {
    enter(round, draft, "digit", { value: digit });
    draw();
    return true;
  }
  // A letter of the same place on a Russian keyboard counts too.
  const letter = event.code?.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key;
  if (round.form === "settle") return settleKey(letter, event.key);
  if (round.form === "game" && "yn".includes(letter)) {
    enter(round, draft, "choose", { name: "game", value: letter === "y" ? "yes" : "no" });
    draw();
    return true;
  }
  return false;
}

function settleKey(letter, name) {
  const { round, draft } = state;
  if (letter === "f") {
    PRESSES.floor();
    return true;
  }
  if (letter === "s") {
    const bet = round.asks.find((known) => STAKED.includes(known) && draft.bets[known].result === "win");
    if (bet) enter(round, draft, "stake", { name: STAKED.includes(draft.focus) ? draft.focus : bet });
    draw();
    return true;
  }
  const at = round.asks.indexOf(draft.at ?? "");
  if (name === "ArrowDown" || name === "ArrowUp") {
    const step = name === "ArrowDown" ? 1 : -1;
    draft.at = round.asks[(Math.max(at, -1) + step + round.asks.length) % round.asks.length];
  } else if (MOVE_LETTERS[letter]) {
    // Without a chosen bet a letter answers for the next open one.
    const bet = draft.at ?? round.asks.find((known) => draft.bets[known].result === null) ?? round.asks[0];
    draft.at = null;
    enter(round, draft, "choose", { name: bet, value: MOVE_LETTERS[letter] });
  } else {
    return false;
  }
  draw();
  return true;
}

recall();
draw();
standings();
