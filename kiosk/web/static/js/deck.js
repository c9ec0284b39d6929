// Guides through the 52 cards of a deck: what was seen, what is asked, what is missing.

import { get, post } from "./api.js";
import { h, patch } from "./dom.js";
import { cardName, rankText, start, t } from "./words.js";

const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const WEAK = 0.8;
const root = document.getElementById("deck");
let state = start.state;
let name = "";

function key(text, action, attributes = {}) {
  return h("button", { type: "button", class: "key", "data-key": action, "data-do": action, ...attributes }, text);
}

function shortName(card) {
  return [rankText(card), h("span", { class: "dh".includes(card[1]) ? "suit-red" : "" }, SUITS[card[1]])];
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function inUse() {
  const deck = state.in_use;
  return h(
    "section",
    { class: "block", "data-key": "use" },
    h("h2", {}, t("Deck in use")),
    h("p", { class: `lead ${state.checked ? "good" : "bad"}` }, `${state.checked ? "✓" : "!"} ${useText(deck)}`),
    deck ? whyNot(deck) : null,
    deck ? figures(deck) : null,
    h(
      "div",
      { class: "row" },
      ...state.decks
        .filter((known) => known !== deck?.name)
        .map((known) => key(t("Read with {deck}", { deck: known }), "use", { "data-deck": known, "data-key": `use-${known}` })),
      deck ? key(t("Check again"), "recheck", { "data-deck": deck.name, class: deck.stale ? "key good" : "key" }) : null,
      deck ? key(t("Back to the weights before"), "back") : null,
    ),
  );
}

function useText(deck) {
  if (!deck) return t("deck not checked");
  if (deck.stale) return t("{deck} was checked with other weights: check it again", { deck: deck.name });
  return t("{deck}: {share} read at a single look", { deck: deck.name, share: percent(deck.figures.recall) });
}

function whyNot(deck) {
  const said = {
    recall: () => t("That is below the limit of {limit}: nothing is settled with it.", { limit: percent(state.limit) }),
    found: () => t("Its cards are found at {share} of the looks only. Lay them nearer, or in better light.", { share: percent(deck.figures.found) }),
    misnamed: () => [
      `${t("Nothing is settled with it. Too often named as another card:")} `,
      deck.misnamed.map((card) => [shortName(card), " "]),
    ],
  };
  return state.why_not
    .filter((word) => word in said)
    .map((word) => h("p", { class: "bad", "data-why": word }, "! ", said[word]()));
}

function figures(deck) {
  const found = deck.figures;
  return h(
    "div",
    {},
    h("p", {}, t("Before fitting {before}, after it {after}; wrong names {wrong}.", {
      before: percent(found.before),
      after: percent(found.recall),
      wrong: percent(found.wrong),
    }), "found" in found ? ` ${t("Found at {share} of the looks.", { share: percent(found.found) })}` : ""),
    h(
      "div",
      { class: "grid", role: "list", "aria-label": t("Read of each card") },
      Object.keys(start.cards)
        .filter((card) => card in found.cards)
        .map((card) => recallOf(card, found.cards[card].after, deck.misnamed.includes(card))),
    ),
    found.alike.length
      ? h("p", { class: "bad" }, `! ${t("Hard to tell apart:")} `, found.alike.slice(0, 8).map(([a, b]) => [shortName(a), " / ", shortName(b), "  "]))
      : null,
  );
}

function recallOf(card, share, misnamed) {
  const mark = misnamed ? "✗ " : share < WEAK ? "! " : "";
  const text = `${Math.floor(100 * share)} %`;
  return h(
    "div",
    {
      class: `slot ${misnamed ? "wrong" : share < WEAK ? "half" : "done"}`,
      role: "listitem",
      "data-recall": card,
      "aria-label": `${cardName(card)}: ${text}${misnamed ? `, ${t("too often named as another card")}` : ""}`,
    },
    h("span", {}, shortName(card)),
    h("span", { class: "share" }, `${mark}${text}`),
  );
}

function begin() {
  return h(
    "section",
    { class: "block", "data-key": "begin" },
    h("h2", {}, t("Show a deck")),
    h("p", { class: "lead" }, t("Lay the 52 cards under the camera, some at a time, in any order. The kiosk learns this deck and tells how well it reads it. No hand is dealt meanwhile.")),
    h(
      "div",
      { class: "row" },
      h("label", { for: "deck-name" }, t("Name of the deck")),
      h("input", { type: "text", id: "deck-name", maxlength: 40, autocomplete: "off", value: name }),
      key(t("Begin"), "start", { class: "key good" }),
    ),
  );
}

function showing(job) {
  const left = job.missing.length;
  return h(
    "section",
    { class: "block", "data-key": "showing" },
    h("h2", {}, job.name),
    failed(job),
    h("p", {}, h("span", { class: "count" }, `${52 - left} / 52`), ` ${guide(job)}`),
    job.conflicts.length ? h("p", { class: "bad" }, `! ${t("Read in two places:")} `, job.conflicts.map((card) => [shortName(card), " "])) : null,
    h(
      "div",
      { class: "look" },
      h("img", { class: "wide", src: "/stream.mjpg", alt: t("Live picture of the table"), "data-key": "live" }),
      h("div", {}, job.asked.slice(0, 4).map(askedFor), grid(job)),
    ),
    h("div", { class: "row" }, key(t("All shown: check the deck"), "finish", { class: "key good", disabled: left > 0 }), key(t("Cancel"), "cancel")),
  );
}

function failed(job) {
  return job?.message ? h("p", { class: "problem bad", "data-key": "failed" }, `! ${job.message}`) : null;
}

function guide(job) {
  if (!job.missing.length) return t("All cards were seen. Look through the pictures, then check the deck.");
  if (job.asked.length) return t("Say which card the marked one is.");
  if (job.seen_now.some((card) => job.missing.includes(card))) return t("Hold still …");
  if (job.seen_now.length) return t("Take these away and lay others.");
  return t("Lay some of the cards that have no picture yet.");
}

function askedFor(asked) {
  const [likely] = asked.candidates;
  return h(
    "div",
    { class: "asked", "data-key": `ask-${asked.key}` },
    h("img", { src: `/calibrate/deck/picture/${encodeURIComponent(asked.key)}`, alt: t("doubtful card") }),
    h(
      "select",
      { "data-ask": asked.key, "aria-label": t("Which card is it?") },
      Object.keys(start.cards).map((card) => h("option", { value: card, selected: card === likely?.[0] }, `${rankText(card)}${SUITS[card[1]]}`)),
    ),
    key(t("That is it"), "answer", { "data-asked": asked.key, "data-key": `answer-${asked.key}` }),
    key(t("No card"), "no-card", { "data-asked": asked.key, "data-key": `none-${asked.key}` }),
  );
}

function grid(job) {
  const cells = Object.entries(job.looks).map(([card, looks]) => {
    const kind = looks >= job.needed ? "done" : looks ? "half" : "";
    const now = job.seen_now.includes(card) ? " now" : "";
    return h(
      "button",
      {
        type: "button",
        class: `slot ${kind}${now}`,
        "data-key": card,
        "data-do": looks ? "forget" : null,
        "data-card": card,
        "aria-label": `${cardName(card)}: ${looks ? t("seen; press if the picture shows another card") : t("not yet seen")}`,
      },
      h("span", {}, shortName(card)),
      looks ? h("img", { src: `/calibrate/deck/picture/${card}?n=${looks}`, alt: "" }) : null,
    );
  });
  return h("div", { class: "grid" }, cells);
}

function checking(job) {
  return h(
    "section",
    { class: "block", "data-key": "checking" },
    h("h2", {}, job.name),
    h("p", { class: "lead" }, t("The deck is being checked. That takes up to two minutes.")),
    h("progress", { max: 1, value: job.progress, "aria-label": t("Progress") }),
  );
}

function draw() {
  const job = state.showing;
  const busy = job && (job.stage === "showing" || job.stage === "checking");
  patch(
    root,
    busy ? (job.stage === "showing" ? showing(job) : checking(job)) : [failed(job), inUse(), begin()],
  );
}

// Counts presses and their answers: what was asked before either is old.
let pressed = 0;

async function send(action, body) {
  pressed += 1;
  const answer = await post(`calibrate/deck/${action}`, body);
  pressed += 1;
  if (answer) state = answer;
  draw();
}

root.addEventListener("input", (event) => {
  if (event.target.id === "deck-name") name = event.target.value;
});

root.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (!button) return;
  const { do: action, asked, card, deck } = button.dataset;
  const chosen = asked && root.querySelector(`[data-ask="${CSS.escape(asked)}"]`)?.value;
  if (action === "start") send("start", { name });
  else if (action === "answer") send("answer", { key: asked, card: chosen });
  else if (action === "no-card") send("answer", { key: asked, card: null });
  else if (action === "forget") send("forget", { card });
  else if (action === "use" || action === "recheck") send(action, { name: deck });
  else send(action, {});
});

async function follow() {
  const before = pressed;
  const fresh = await get("calibrate/deck");
  if (fresh && before === pressed) state = fresh;
  if (!root.querySelector("select:focus")) draw();
  setTimeout(follow, state.showing ? 700 : 3000);
}

draw();
follow();
