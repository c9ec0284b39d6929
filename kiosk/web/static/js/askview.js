// Open questions, each with the picture of the doubtful card and one tap to answer; below them the
// rule card in force, a key to all of it.

import { cardFace } from "./cards.js";
import { h } from "./dom.js";
import { boxNumber, handsOf, money, start, t, withCurrency, zoneName } from "./words.js";

export function askView(round, health, frontId) {
  const { questions } = round;
  const front = questions.find((question) => question.id === frontId) ?? questions[0];
  const open = [
    others(questions.filter((question) => question !== front)),
    front ? ask(front, round) : null,
    round.settlement ? whole(round) : null,
    ...troubles(health),
  ];
  return [
    // What lies below the edge is reached by keyboard, too.
    h(
      "div",
      { class: "open-asks", "data-key": "open", tabindex: "0", role: "group", "aria-label": t("Questions") },
      open,
    ),
    ruleCard(round),
  ];
}

// The questions that wait, one key for each place with their number.
function others(waiting) {
  if (!waiting.length) return null;
  const places = new Map();
  for (const question of waiting) {
    const name = zoneName(question.zone);
    places.set(name, [...(places.get(name) ?? []), question]);
  }
  return h(
    "div",
    { class: "more-asks", "data-key": "more" },
    [...places].map(([name, [first, ...more]]) =>
      key(more.length ? `? ${name} (${more.length + 1})` : `? ${name}`, "front", {
        "data-question": first.id,
        "data-key": name,
      }),
    ),
  );
}

function ask(question, round) {
  const key = question.doubt?.key;
  return h(
    "div",
    { class: `ask kind-${question.kind}`, "data-key": question.id },
    key
      ? h("img", {
          class: "ask-picture",
          src: `/doubt/${encodeURIComponent(key)}.jpg`,
          alt: t("Picture of the doubtful card"),
          "data-key": key,
        })
      : null,
    h(
      "div",
      { class: "ask-text" },
      h("p", {}, question.text),
      wrongCardHint(question),
    ),
    h("div", { class: "ask-answers" }, answers(question, round)),
  );
}

function wrongCardHint(question) {
  const tap = !question.card && ["remove-card", "replace-card"].some((action) => question.actions?.includes(action));
  return tap ? h("p", { class: "hint" }, t("Tap the card that is wrong.")) : null;
}

// One button for each thing the question can be answered with.
const ANSWERS = {
  "name-card": ({ zone, doubt }, round) => zone ? named(zone, doubt) : placed(doubt, round),
  "no-card": ({ zone, doubt }) => [
    key(t("No card"), "no-card", { "data-zone": zone, "data-doubt": doubt.key }),
  ],
  "enter-card": ({ zone }) => [key(t("Enter a card"), "fix-card", { "data-zone": zone })],
  "replace-card": ({ card, zone }, round) =>
    zonesOf(card, zone, round).map((place) =>
      key(t("Correct it: {zone}", { zone: zoneName(place) }), "fix-card", {
        "data-zone": place,
        "data-card": card,
        "data-key": `replace-${place}`,
      }),
    ),
  "remove-card": ({ card, zone }, round) =>
    zonesOf(card, zone, round).map((place) =>
      key(t("Take it out: {zone}", { zone: zoneName(place) }), "remove-card", {
        "data-zone": place,
        "data-card": card,
        "data-key": `remove-${place}`,
      }),
    ),
  "hand-stands": ({ id }) => [key(t("The hand stands"), "dismiss", { "data-question": id })],
  "enter-sixth": ({ box }) => [set(t("Sixth card bought"), box, "sixth", true)],
  "no-sixth": ({ box }) => [set(t("No sixth card"), box, "sixth", false)],
  fold: ({ box }) => [set(t("Fold"), box, "action", "fold")],
  "in-play": ({ box }) => [set(t("Put in play"), box, "in_play", true)],
  "not-in-play": ({ box }) => [set(t("Not in play"), box, "in_play", false)],
  "enter-bets": ({ box }) => [key(t("Open the bets"), "bets", { "data-box": box })],
  "enter-buy": ({ box }, round) =>
    round.boxes
      .filter((known) => known.in_play && known.action !== "fold" && (!box || known.box === box))
      .map((known) => set(t("Box {n} buys", { n: known.box }), known.box, "buy", true)),
  "no-buy": ({ box }) => [set(t("Does not buy"), box, "buy", false)],
  "enter-dealt": ({ zone }) => [key(t("Enter the cards dealt"), "enter-dealt", { "data-zone": zone })],
  "name-flop": () => [key(t("Name the flop"), "enter-dealt", { "data-zone": "board" })],
  "enter-meter": () => [key(t("Enter the meter"), "enter-meter", {})],
  "place-stands": () => [key(t("Still right: go on"), "place-stands", {})],
  "set-up": () => [h("a", { class: "key", href: "/calibrate", "data-key": "set-up" }, t("Set up again"))],
  next: () => [key(t("Next round"), "next", {})],
  dismiss: ({ id }) => [key(t("Looked at, go on"), "dismiss", { "data-question": id })],
};

function answers(question, round) {
  const box = boxNumber(question.zone);
  return (question.actions ?? [])
    .filter((action) => ANSWERS[action] && (question.doubt || action !== "name-card"))
    .flatMap((action) => ANSWERS[action]({ ...question, box }, round));
}

function named(zone, doubt) {
  return [
    ...(doubt.candidates ?? []).slice(0, 3).map((candidate) => candidateKey(zone, doubt, candidate)),
    key(t("Another card"), "pick-doubt", { "data-zone": zone, "data-doubt": doubt.key }),
  ];
}

// A card outside every zone: first the place it belongs to, then its name.
function placed(doubt, round) {
  return handsOf(round).map(({ zone }) =>
    key(t("Belongs to: {zone}", { zone: zoneName(zone) }), "pick-doubt", {
      "data-zone": zone,
      "data-doubt": doubt.key,
      "data-key": `place-${zone}`,
    }),
  );
}

function candidateKey(zone, doubt, [card, sure]) {
  const data = { "data-do": "answer-doubt", "data-zone": zone, "data-doubt": doubt.key };
  return h(
    "span",
    { class: "candidate", "data-key": card },
    cardFace(card, data),
    h("small", {}, `${Math.round(sure * 100)} %`),
  );
}

function set(text, box, name, value) {
  return key(text, "set", {
    "data-box": box,
    "data-name": name,
    "data-value": JSON.stringify(value),
    "data-key": `${name}-${box}-${value}`,
  });
}

// A card that lies in two places can be put right in either.
function zonesOf(card, zone, round) {
  if (!card) return [];
  const places = handsOf(round).filter((place) => place.cards.includes(card));
  return places.length ? places.map((place) => place.zone) : [zone].filter(Boolean);
}

function key(text, action, data) {
  return h(
    "button",
    { type: "button", class: "key", "data-do": action, "data-key": action, ...data },
    text,
  );
}

function troubles(health) {
  return Object.entries(health?.parts ?? {})
    .filter(([, part]) => !part.ok)
    .map(([name, part]) =>
      h(
        "div",
        { class: "trouble", "data-key": `part-${name}` },
        h("b", {}, partName(name)),
        h("p", {}, part.text),
      ),
    );
}

function partName(name) {
  const names = {
    camera: t("Camera"),
    model: t("Card reader"),
    deck: t("Deck"),
    storage: t("Storage"),
    server: t("Record server"),
    table: t("Table"),
    panel: t("Button panel"),
    clock: t("Clock"),
  };
  return names[name] ?? name;
}

function whole(round) {
  const { settlement, table } = round;
  return h(
    "div",
    { class: "whole-sum", "data-key": "sum" },
    h("b", {}, t("Whole round")),
    h("span", { class: "pay" }, `▲ ${t("PAY")} ${withCurrency(settlement.paid, table.currency)}`),
    h("span", { class: "take" }, `▼ ${t("TAKE")} ${withCurrency(settlement.taken, table.currency)}`),
  );
}

function ruleCard(round) {
  const { table } = round;
  const limit = table.max_payout === null ? t("no limit") : withCurrency(table.max_payout, table.currency);
  return h(
    "a",
    { class: "rule-card", href: "/rules", "data-key": "rules" },
    h("b", {}, `${t("Rule card")}: ${t(start.house.title)} `),
    h(
      "span",
      {},
      `${t("Ante")} ${money(table.ante_min)} – ${withCurrency(table.ante_max, table.currency)} `,
      h("em", {}, `${t("Pay tables")} › `),
    ),
    h("span", {}, `${t("Most paid to a box")}: ${limit}`),
  );
}
