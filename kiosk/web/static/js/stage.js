// One line that says what the kiosk waits for. It uses only what the server has already shown.

import { t } from "./words.js";

export function stageLine(round) {
  if (!round) return { title: t("Starting"), hint: "" };
  if (round.frozen) return { title: t("HELD"), hint: frozenHint(round) };
  if (round.wrong.length) return { title: t("WRONG ANSWER"), hint: wrongHint(round) };
  if (round.unanswered.length) return { title: t("NO ANSWER"), hint: owedHint(round) };
  const waiting = round.boxes.filter((box) => box.assumed && box.cards.length);
  const lines = {
    clear: [t("Felt is clear"), t("Deal the next hand")],
    dealing: [t("Dealing"), dealing(round)],
    "dealer-complete": [t("Dealer's hand is complete"), t("Open the boxes one by one")],
    "no-game": [t("No game"), t("Who buys the dealer's game?")],
    buying: [t("The game is being bought"), t("Replace the dealer's highest card")],
    settling: [t("Settling"), settling(round, waiting)],
    done: [t("Round is settled"), done(round, waiting)],
    void: [t("Misdeal"), t("Clear the felt for a new deal")],
  };
  const [title, hint] = lines[round.stage] ?? [round.stage, ""];
  return { title, hint };
}

// What was overruled in the hand before, which may have left the page at once. `people`: those whose
// names this page may tell.
export function overruledLines(round, people) {
  const lines = new Map();
  for (const { box, who, reason } of round?.overruled_before ?? []) {
    const name = people.find((person) => person.id === who)?.name;
    const said = { name, reason: reasonText(reason), boxes: [] };
    const key = JSON.stringify([who, reason]);
    lines.set(key, lines.get(key) ?? said);
    lines.get(key).boxes.push(box);
  }
  return [...lines.values()].map(({ name, reason, boxes }) => {
    const n = boxes.join(", ");
    return name
      ? t("Last hand: box {n} overruled by {name}: {reason}", { n, name, reason })
      : t("Last hand: box {n} overruled: {reason}", { n, reason });
  });
}

// The panel has no letters: its reason is where it was entered.
export function reasonText(reason) {
  return reason === "panel" ? t("at the button panel") : reason;
}

function wrongHint({ wrong }) {
  return t("The answer for box {n} is wrong: correct it or overrule it", { n: wrong.join(", ") });
}

function owedHint({ unanswered }) {
  return t("Box {n} was shown without an answer: enter it or overrule the box", {
    n: unanswered.join(", "),
  });
}

// A freeze by a person says why; a wrong answer beneath it still waits afterwards.
function frozenHint(round) {
  const why = { "": t("Nothing moves until it is released"), panel: t("Held at the button panel") };
  const said = why[round.hold_reason] ?? round.hold_reason;
  if (round.wrong.length) return `${said}. ${wrongHint(round)}`;
  return round.unanswered.length ? `${said}. ${owedHint(round)}` : said;
}

function dealing(round) {
  const { board, dealer } = round;
  if (board && !board.complete && !dealer.read) {
    const cards = t("{read} of {expected} cards", { read: board.read, expected: board.expected });
    return `${t("Board")}: ${cards}`;
  }
  const { read, expected } = dealer;
  return t("Dealer {read} of {expected} cards", { read, expected });
}

function done(round, waiting) {
  const shown = round.revealed && !round.questions.length && !waiting.length;
  return shown ? t("Clear the felt, or press Next") : settling(round, waiting);
}

function settling(round, waiting) {
  if (round.questions.length) return t("A question is open");
  if (!round.revealed && round.mode === "training") {
    const open = round.boxes.filter(
      (box) => box.in_play && box.settled && !box.answer && !box.revealed,
    );
    // In the order in which the house works off its seats.
    const order = round.order ?? [];
    open.sort((a, b) => order.indexOf(a.box) - order.indexOf(b.box));
    if (open.length) return t("Answer box {n}", { n: open.map((box) => box.box).join(", ") });
    return round.stage === "done" ? t("Reveal the settlement") : t("Open the boxes, then reveal");
  }
  if (waiting.length) {
    return t("Confirm the bets of box {n}", { n: waiting.map((box) => box.box).join(", ") });
  }
  return t("Pay and take, box by box");
}
