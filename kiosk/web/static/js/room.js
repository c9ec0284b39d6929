// What a place has no room for: reasons give way to verdicts, and what lies below the edge is marked.

const LEVELS = [1, 2, 3];
// Of a box: reasons of right answers go, all reasons go, the cards grow smaller.
const PLACES = ".bets, .open-asks";

export function makeRoom() {
  for (const box of document.querySelectorAll(".box")) {
    const bets = box.querySelector(".bets");
    box.removeAttribute("data-tight");
    for (const level of bets ? LEVELS : []) {
      if (!below(bets)) break;
      box.setAttribute("data-tight", level);
    }
  }
  for (const place of document.querySelectorAll(PLACES)) markMore(place);
}

export function watchRoom() {
  window.addEventListener("resize", makeRoom);
  const scrolled = ({ target }) => target instanceof Element && target.matches(PLACES) && markMore(target);
  document.addEventListener("scroll", scrolled, true);
  document.fonts?.ready.then(makeRoom);
}

function markMore(place) {
  place.toggleAttribute("data-more", below(place));
}

function below(place) {
  return place.scrollHeight - place.clientHeight - place.scrollTop > 2;
}
