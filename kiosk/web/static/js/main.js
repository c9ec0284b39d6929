// The live table: events come in, the page is drawn, presses go out.

import { act, post, showsHand } from "./api.js";
import { answerSheet } from "./answersheet.js";
import { askView } from "./askview.js";
import { betSheet } from "./betsheet.js";
import { boxMarks } from "./boxmarks.js";
import { boxView } from "./boxview.js";
import { cardSheet } from "./cardsheet.js";
import { dealerView } from "./dealerview.js";
import { dealtSheet } from "./dealtsheet.js";
import { askDealer, dealerSheet, dealerSign } from "./dealersheet.js";
import { byId, h, patch } from "./dom.js";
import { startIdle } from "./idle.js";
import { connect } from "./link.js";
import { mainKeys } from "./mainkeys.js";
import { meterSheet } from "./metersheet.js";
import { panelButton } from "./panelkeys.js";
import { panelView } from "./panelview.js";
import { pictureBeat, pictureFound, pictureHeld, pictureLost, pictureTrouble, startPicture } from "./picture.js";
import { reasonSheet } from "./reasonsheet.js";
import { closeSheet, key, openSheet, sheetHears, sheetOpen } from "./sheet.js";
import { makeRoom, watchRoom } from "./room.js";
import { overruledLines, stageLine } from "./stage.js";
import { toast } from "./toast.js";
import { whySheet } from "./whysheet.js";
import { start, t } from "./words.js";

const HELD_MS = 800;

const state = {
  round: start.round,
  table: null,
  health: start.health,
  panel: start.panel,
  dealer: start.dealer,
  selected: start.panel.selected ?? null,
  front: null,
  linked: true,
  holding: false,
};

// The box chosen here of which the panel has not told yet, undefined: none; how many presses that
// choose are on their way.
let wanted;
let choosing = 0;
const TOLD_MS = 1500;

// ---- drawing ----

function doubtsOf(zone) {
  const found = state.table?.zones?.find((view) => view.zone === zone);
  return found?.doubts?.length ?? 0;
}

function toConfirm() {
  const open = (box) => box && box.assumed;
  const chosen = state.round.boxes.find((box) => box.box === state.selected);
  if (open(chosen)) return chosen.box;
  return state.round.boxes.find(open)?.box ?? null;
}

function draw() {
  const { round } = state;
  showsHand(round.id);
  const { title, hint } = stageLine(round);
  const before = overruledLines(round, state.dealer.people);
  patch(
    byId("stage"),
    h("b", {}, title),
    h("span", {}, hint),
    before.length ? h("p", { class: "stage-before", "data-key": "before" }, before.join(" · ")) : null,
  );
  document.body.classList.toggle("held", round.frozen);
  const owed = round.wrong.length > 0 || round.unanswered.length > 0;
  document.body.classList.toggle("wrong", !round.frozen && owed);
  document.body.classList.toggle("has-questions", round.questions.length > 0);
  byId("boxes").setAttribute("data-count", round.boxes.length);
  patch(byId("signs"), signs());
  patch(byId("dealer"), ...dealerView(round, doubtsOf));
  const shared = [round.dealer, round.dealer.small, round.board].map((hand) => hand?.zone);
  byId("dealer").classList.toggle(
    "asked",
    round.questions.some((question) => question.zone && shared.includes(question.zone)),
  );
  patch(byId("asks"), ...askView(round, state.health, state.front));
  patch(
    byId("boxes"),
    ...round.boxes.map((box) =>
      boxView(round, box, { selected: box.box === state.selected, doubtsOf }),
    ),
  );
  patch(byId("keys"), ...mainKeys(round, toConfirm()));
  makeRoom();
  boxMarks(state.table, state.selected);
}

function signs() {
  const { round, panel } = state;
  const found = [
    h("span", { class: "sign mode" }, round.mode === "demo" ? t("DEMO") : t("TRAINING")),
  ];
  const dealing = dealerSign(state.dealer);
  if (dealing) found.push(dealing);
  if (round.assumed) found.push(h("span", { class: "sign maybe" }, `≈ ${t("ASSUMED")}`));
  if (panel.kind !== "none") found.push(panelSign(panel));
  found.push(h("span", { class: "sign id" }, round.id));
  return found;
}

function panelSign(panel) {
  const ready = panel.state === "connected";
  return h(
    "button",
    {
      type: "button",
      class: `sign panel-sign ${ready ? "" : "bad"}`,
      "data-do": "panel-toggle",
      "aria-expanded": String(!byId("panel").hidden),
    },
    h("i", { class: `lamp ${ready ? "on" : ""}` }),
    ready ? t("Panel") : t("Panel not connected"),
  );
}

function drawPanel() {
  patch(byId("panel"), ...panelView(state.panel, state.holding));
}

// ---- events ----

function onEvent(name, data) {
  if (name === "hello") {
    // What only the page carries (the rule card) is of the start and the rules that made it.
    if (["version", "boot", "rules"].some((known) => data[known] !== start[known])) location.reload();
    // While nobody listened somebody else may have begun to deal.
    else askDealer().then(learnDealer);
  } else if (name === "dealer") {
    askDealer().then(learnDealer);
  } else if (name === "rules") {
    location.reload();
  } else if (name === "beat") {
    pictureBeat(data.age_ms);
  } else if (name === "panel") {
    onPanel(data);
  } else if (name === "table") {
    onTable(data);
  } else {
    if (name === "round") leaveHand(data.id);
    state[name] = data;
    if (name === "round") pictureHeld(Boolean(data.held));
    if (name === "health") pictureTrouble(undefined, data.parts?.camera ?? null);
    draw();
  }
}

// What was begun for a hand is not entered for the next.
function leaveHand(next) {
  if (next === state.round.id || sheetHand !== state.round.id || !sheetOpen()) return;
  closeSheet();
  toast(t("The hand is over: nothing was entered."));
}

// The box chosen on the panel is the one chosen here; a page elsewhere may look at another until the
// dealer goes on. What the panel tells of the time before a choice made here does not undo it.
function onPanel(data) {
  const told = data.selected ?? null;
  if (told === wanted && !choosing) wanted = undefined;
  if (start.here ? wanted === undefined : data.selected !== state.panel.selected) state.selected = told;
  state.panel = data;
  drawPanel();
  draw();
}

// A choice made here is on its way to the panel. One that the panel never tells of does not last.
async function chosenHere(box, sent) {
  if (!start.here) return;
  wanted = box;
  choosing += 1;
  await sent;
  choosing -= 1;
  if (choosing) return;
  if ((state.panel.selected ?? null) === wanted) wanted = undefined;
  else setTimeout(forgetChoice, TOLD_MS, wanted);
}

function forgetChoice(box) {
  if (choosing || wanted !== box) return;
  wanted = undefined;
  onPanel(state.panel);
}

// The table is told with every reading; only a change of doubts is drawn.
function onTable(data) {
  const counts = (table) => (table?.zones ?? []).map((zone) => zone.doubts.length).join();
  const before = counts(state.table);
  state.table = data;
  pictureTrouble(data.trouble ?? null, undefined);
  if (counts(data) !== before) draw();
  else boxMarks(data, state.selected);
}

function lost() {
  state.linked = false;
  document.body.classList.add("offline");
  const place = byId("lost");
  place.hidden = false;
  place.replaceChildren(
    h("b", {}, t("Connection lost")),
    h(
      "span",
      {},
      t("What is shown is of {time}. Trying again…", {
        time: new Date().toLocaleTimeString(start.language),
      }),
    ),
  );
  pictureLost();
}

function found() {
  state.linked = true;
  document.body.classList.remove("offline");
  byId("lost").hidden = true;
  pictureFound();
}

// Whether the table is idle: bare felt, nobody at it, nothing to say.
function nothingGoesOn() {
  const { round, dealer, health } = state;
  const training = round.mode === "training" && dealer?.dealer;
  const quiet = round.stage === "clear" && !round.questions.length && !round.held;
  return quiet && !training && state.linked && health.ok && !sheetOpen() && byId("panel").hidden;
}

// ---- presses ----

function boxOf(data) {
  const wanted = Number(data.box ?? state.selected);
  return state.round.boxes.find((box) => box.box === wanted) ?? null;
}

const PRESSES = {
  select: (data) => {
    choose(Number(data.box));
  },
  confirm: () => {
    const box = state.round.boxes.find((known) => known.box === toConfirm());
    if (box) act("confirm", { box: box.box, entries: box.entries });
  },
  reveal: () => act("reveal"),
  next: () => act("next"),
  hold: () => act("hold", { held: !state.round.frozen, reason: "" }),
  undo: () => act("undo"),
  void: () => reasonSheet("void"),
  overrule: () => reasonSheet("overrule", { box: state.selected }),
  bets: (data) => withBox(data, (box) => betSheet(state.round, box)),
  answer: (data) => withBox(data, (box) => answerSheet(state.round, box)),
  "enter-dealt": (data) => dealtSheet(state.round, data.zone),
  "enter-meter": () => meterSheet(state.round),
  "put-in": (data) => act("bets", { box: Number(data.box), in_play: true }),
  "fix-card": (data) => cardSheet(state.round, data.zone, { was: data.card ?? null }),
  "answer-doubt": (data) => act("cards", { zone: data.zone ?? null, card: data.card, doubt: data.doubt }),
  "pick-doubt": (data) => cardSheet(state.round, data.zone ?? null, { doubt: data.doubt }),
  "no-card": (data) => act("cards", { zone: data.zone ?? null, card: null, doubt: data.doubt }),
  set: (data) => act("bets", { box: Number(data.box), [data.name]: JSON.parse(data.value) }),
  "remove-card": (data) => act("cards", { zone: data.zone, was: data.card, card: null }),
  dismiss: (data) => act("dismiss", { question: data.question }),
  "place-stands": () => post("calibrate/still-right", {}),
  front: (data) => {
    state.front = data.question;
    draw();
  },
  why: (data) => withBox(data, (box) => whySheet(state.round, box)),
  "panel-toggle": () => {
    byId("panel").hidden = !byId("panel").hidden;
    draw();
  },
  panel: (data) => {
    pressPanel(data);
  },
  "panel-hold": () => {
    state.holding = !state.holding;
    drawPanel();
  },
  menu: () => byId("menu").showModal(),
  close: closeSheet,
  full: () => document.documentElement.requestFullscreen?.().then(closeSheet, () => {}),
  "keys-help": keysHelp,
  "who-deals": () => dealerSheet(state.dealer, learnDealer),
};

// Presses whose sheet, if they open one, is of no hand or only tells of it.
const OF_NO_HAND = ["menu", "who-deals", "why", "keys-help"];
let sheetHand = null;

function press(action, data) {
  sheetHand = OF_NO_HAND.includes(action) ? null : state.round.id;
  PRESSES[action]?.(data);
}

function learnDealer(answer) {
  if (!answer) return;
  state.dealer = answer;
  draw();
}

function withBox(data, use) {
  const box = boxOf(data);
  if (!box) return;
  choose(box.box);
  use(box);
}

// Seen here at once, and told to the panel (which hears the kiosk's own pages only).
function choose(box) {
  const news = box !== state.selected;
  state.selected = box;
  draw();
  if (news) chosenHere(box, post("panel/choose", { box }));
}

function pressPanel({ button, held }) {
  const sent = post("panel/press", { button, held: state.holding || Boolean(held) });
  state.holding = false;
  drawPanel();
  return sent;
}

// A key of the panel's window kept down with the mouse is held.
let pressedAt = Infinity;
document.addEventListener("pointerdown", (event) => {
  pressedAt = event.timeStamp;
});

function keysHelp() {
  byId("menu").close();
  const lines = [
    ["1 – 6", t("choose a box")],
    ["Enter", t("confirm its bets")],
    ["B", t("bets and actions")],
    ["A", t("your answer")],
    ["R", t("reveal")],
    ["N", t("next round")],
    ["H", t("hold or release")],
    ["U", t("undo")],
    ["V", t("misdeal")],
    ["O", t("overrule")],
    ["+ − 7 8 9 0 * / .", t("Button panel")],
  ];
  openSheet(
    t("Keyboard"),
    h("dl", { class: "keys-help" }, lines.map(([letter, text]) => [h("dt", {}, h("kbd", {}, letter)), h("dd", {}, text)])),
    [key(t("Close"), "close")],
  );
}

document.addEventListener("click", (event) => {
  const element = event.target.closest("[data-do]");
  if (!element || element.disabled) return;
  // A key pressed by finger or mouse must not answer the next Enter.
  if (event.detail > 0) element.blur();
  const { do: action, ...data } = element.dataset;
  if (sheetHears(action, data, element)) return;
  const box = element.closest("[data-box]");
  if (data.box === undefined && box) data.box = box.dataset.box;
  if (action === "panel" && event.detail > 0) data.held = event.timeStamp - pressedAt > HELD_MS;
  press(action, data);
});

const LETTERS = { r: "reveal", n: "next", h: "hold", u: "undo", v: "void", o: "overrule", b: "bets", a: "answer" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || sheetOpen()) return;
  if (event.target.closest("input, textarea, summary, .panel")) return;
  if (event.key === "Enter" && event.target.matches("button, a")) return;
  const button = panelButton(event, toConfirm() !== null);
  if (button) {
    // The page looks at once at the box that the panel is about to choose or to leave.
    const box = Number(button.match(/^box(\d)$/)?.[1]);
    const sent = pressPanel({ button });
    if (state.round.boxes.some((known) => known.box === box)) {
      state.selected = box === state.selected ? null : box;
      chosenHere(state.selected, sent);
      draw();
    }
  } else if (event.key === "Enter") {
    press("confirm", {});
  } else {
    // A letter of the same place on a Russian keyboard counts too.
    const letter = event.code?.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key;
    if (!LETTERS[letter]) return;
    press(LETTERS[letter], {});
  }
  event.preventDefault();
});

draw();
drawPanel();
watchRoom();
startPicture();
startIdle(start.idle_s, nothingGoesOn);
connect({ onEvent, onLost: lost, onFound: found });
