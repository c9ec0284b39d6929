// The record's pages: stepping through a hand, tables that stay live, waiting for a check.

function replay(list, bar) {
  const steps = [...list.children];
  if (!steps.length) return;
  let at = 0;
  let timer = null;
  const play = bar.querySelector("#play");

  function show(number) {
    at = Math.max(0, Math.min(steps.length - 1, number));
    steps.forEach((step, n) => { step.hidden = n !== at; });
    bar.querySelector("#step-number").textContent = `${at + 1} / ${steps.length}`;
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    play.setAttribute("aria-pressed", "false");
  }
  function start() {
    if (at === steps.length - 1) show(0);
    play.setAttribute("aria-pressed", "true");
    timer = setInterval(() => (at < steps.length - 1 ? show(at + 1) : stop()), 1500);
  }
  const moves = { first: () => 0, back: () => at - 1, on: () => at + 1, last: () => steps.length };
  for (const [id, to] of Object.entries(moves)) {
    bar.querySelector(`#${id}`).addEventListener("click", () => { stop(); show(to()); });
  }
  play.addEventListener("click", () => (timer ? stop() : start()));
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const id = keys[event.key];
    if (!id || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    bar.querySelector(`#${id}`).click();
  });
  bar.hidden = false;
  show(0);
}

function liveTables(place) {
  let asked = 0;
  let drawn = 0;
  async function refresh() {
    asked += 1;
    const mine = asked;
    const answer = await fetch("/audit/tables?part=rows").catch(() => null);
    const rows = answer?.ok && !answer.redirected ? await answer.text().catch(() => null) : null;
    if (mine < drawn) return;
    drawn = mine;
    if (rows !== null) {
      place.innerHTML = rows;
    } else if (!place.querySelector(".lost")) {
      const line = document.createElement("p");
      line.className = "problem bad lost";
      line.setAttribute("role", "alert");
      line.textContent = place.dataset.lost;
      place.prepend(line);
    }
  }
  setInterval(() => { if (!document.hidden) refresh(); }, Number(place.dataset.every));
}

const steps = document.getElementById("steps");
if (steps) replay(steps, document.getElementById("stepper"));
const tables = document.getElementById("tables");
if (tables) liveTables(tables);
if (document.querySelector("#check[data-running]")) setTimeout(() => location.reload(), 1500);
const print = document.getElementById("print");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
