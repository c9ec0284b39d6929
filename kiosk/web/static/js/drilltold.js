// What an answer was worth, bet by bet, with its mistakes and the reasons.

import { h } from "./dom.js";
import { moveText } from "./drillasks.js";
import { differenceText, kindName } from "./kinds.js";
import { BET_NAMES, combinationName, money, t } from "./words.js";

export function toldView(round, told, start) {
  return h(
    "section",
    { class: `drill-told ${told.right ? "is-right" : "is-wrong"}` },
    h("h2", { class: "verdict-line", tabindex: -1 }, told.right ? `✓ ${t("Right")}` : `✗ ${t("Wrong")}`),
    speed(told, start),
    h("p", { class: "told-topic" }, t("Topic: {topic}", { topic: start.topics[told.topic] ?? told.topic })),
    told.kinds.length
      ? h("p", { class: "told-kinds" }, t("Kind of mistake: {kinds}", { kinds: told.kinds.map(kindName).join(", ") }))
      : null,
    truth(round, told),
    bets(told),
    reasons(told),
    told.kept || !start.person ? null : h("p", { class: "bad" }, t("Progress could not be stored: it is kept until the kiosk restarts.")),
  );
}

function speed(told, start) {
  const parts = [];
  if (told.newly_unlocked) {
    parts.push(h("p", { class: "speed unlocked" }, t("Accuracy reached: from now on speed counts in this topic.")));
  }
  if (told.seconds !== null) {
    const fast = told.seconds <= told.target;
    const text = t("{seconds} s, target {target} s", { seconds: money(told.seconds), target: money(told.target) });
    const mark = fast ? t("in time") : t("too slow");
    parts.push(h("p", { class: fast ? "speed good" : "speed slow" }, `${fast ? "✓ " : ""}${mark}: ${text}`));
  } else if (!told.unlocked && !told.newly_unlocked) {
    const { window: n, accuracy } = start.aims;
    parts.push(h("p", { class: "speed quiet" }, t("Accuracy first: speed counts once {accuracy} % of {n} answers are right.", { accuracy, n })));
  }
  return parts;
}

function truth(round, told) {
  if (round.form === "hand") {
    return h("p", { class: "told-hand" }, (told.names ?? told.combinations.map(combinationName)).join(" + "));
  }
  if (round.form === "game") {
    return h("p", { class: "told-hand" }, told.game ? t("Game") : t("No game"));
  }
  if (round.form === "order") {
    const name = (step) => (round.seats ? t("Box {n}", { n: step }) : (BET_NAMES[step] ?? step));
    return h("ol", { class: "told-order" }, told.order.map((step) => h("li", {}, name(step))));
  }
  if (told.damaged) {
    return h("p", { class: "told-hand" }, t("Wrong number of cards: call the floor, settle nothing."));
  }
  if (told.floor) return h("p", { class: "told-hand" }, t("The number of cards was right."));
  return null;
}

function bets(told) {
  const due = told.due ?? {};
  return Object.keys(due).map((bet) => {
    const line = due[bet];
    const mark = told.bets?.[bet];
    return h(
      "section",
      { class: `told-bet r-${line.result}` },
      h("b", {}, mark ? (mark.right ? "✓ " : "✗ ") : "", BET_NAMES[bet] ?? bet),
      h("span", { class: "told-due" }, moveText(line)),
      mark && !mark.right ? wrong(mark) : null,
      told.why?.[bet] ? h("p", { class: "told-why" }, told.why[bet]) : null,
    );
  });
}

function wrong(mark) {
  const said = mark.said?.result ? t("you said {answer}", { answer: moveText(mark.said) }) : t("you left it out");
  const named = (mark.mistakes ?? []).slice(0, 2);
  return h(
    "div",
    { class: "told-wrong" },
    h("p", {}, [said, differenceText(mark.difference, money)].filter(Boolean).join(" — ")),
    named.map((slip) => h("p", { class: "told-slip" }, slip.text, h("span", { class: "rule" }, ` [${slip.rule}]`))),
  );
}

function reasons(told) {
  if (!told.lines?.length) return null;
  return h("div", { class: "told-lines" }, told.lines.map((line) => h("p", {}, line)));
}
