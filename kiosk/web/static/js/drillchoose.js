// Which house, which topics; where one stands in each.

import { h } from "./dom.js";
import { key } from "./pads.js";
import { t } from "./words.js";

export function chooser(state, start) {
  const house = start.houses.find((known) => known.name === state.house);
  return h(
    "div",
    { class: "chooser", "data-key": "chooser" },
    who(start),
    state.openTest ? resume(state.openTest, start) : null,
    h("h2", {}, t("House")),
    h(
      "div",
      { class: "choices houses", role: "group", "aria-label": t("House") },
      start.houses.map((known) =>
        choice("house", known.name, t(known.title), known.name === state.house, known.mark ? h("small", {}, known.mark) : null),
      ),
    ),
    h("h2", {}, t("Topics")),
    h(
      "div",
      { class: "choices topics", role: "group", "aria-label": t("Topics") },
      choice("all-topics", "", t("All topics"), state.topics.size === 0, due(state)),
      house.topics.map((topic) =>
        choice("topic", topic, start.topics[topic], state.topics.has(topic), standing(state, topic)),
      ),
    ),
    h(
      "div",
      { class: "chooser-keys" },
      key(t("Start"), "begin", { class: "good" }),
      key(t("Test: {n} rounds, {mark} % to pass", { n: start.aims.questions, mark: start.aims.pass_mark }), "test"),
      link(`/rules?house=${encodeURIComponent(state.house)}`, t("Rule card")),
      link(`/drill/progress?house=${encodeURIComponent(state.house)}`, t("Progress")),
      start.class ? link("/drill/class", t("Class")) : null,
    ),
  );
}

function who(start) {
  if (start.person) return h("p", { class: "lead" }, t("Drilling as {name}", { name: start.person }));
  return h(
    "p",
    { class: "lead" },
    t("Nobody is signed in: you drill as a guest, and your progress is forgotten when the kiosk restarts."),
    " ",
    h("a", { class: "inline-link", href: "/signin?next=/drill" }, t("Sign in to keep it")),
  );
}

function resume(test, start) {
  const house = start.houses.find((known) => known.name === test.house);
  return h(
    "p",
    { class: "resume" },
    key(t("Go on with the test: {house}", { house: named(house, test.house) }), "resume", { "data-value": test.id }),
  );
}

function named(house, name) {
  if (!house) return name;
  return house.mark ? `${t(house.title)} (${house.mark})` : t(house.title);
}

function choice(action, value, text, chosen, more = null) {
  return h(
    "button",
    {
      type: "button",
      class: "choice",
      "data-key": `${action}-${value}`,
      "data-do": action,
      "data-value": value,
      "aria-pressed": String(chosen),
    },
    h("span", {}, text),
    more,
  );
}

function standing(state, topic) {
  const found = state.standing?.topics?.[topic];
  if (!found || !found.asked) return h("small", {}, t("new"));
  const share = t("{share} % right", { share: Math.round(100 * found.recent) });
  return h("small", { class: found.unlocked ? "unlocked" : "" }, found.unlocked ? `${share} · ${t("speed counts")}` : share);
}

function due(state) {
  const count = state.standing?.due ?? 0;
  return h("small", {}, count ? t("{n} to repeat", { n: count }) : t("what comes next is chosen for you"));
}

function link(href, text) {
  return h("a", { class: "key", href }, text);
}
