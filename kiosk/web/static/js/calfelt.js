// Step two: where the felt lies. Printed markers, or four corners by hand; the lens.

import { post } from "./api.js";
import { resized, state } from "./calstate.js";
import { LENS_WHY, PIECES } from "./caltexts.js";
import { h } from "./dom.js";
import { start, t } from "./words.js";

export function feltSide() {
  return [
    h("h2", { tabindex: -1, "data-key": "head" }, t("Where does the felt lie?")),
    h(
      "div",
      { class: "row", "data-key": "size" },
      number("width", t("Width, cm"), state.felt.width),
      number("height", t("Depth, cm"), state.felt.height),
    ),
    h("p", { class: "hint", "data-key": "hint" }, t("Measure the rectangle that the cards are dealt on. Its diagonal must be {cm} cm.", { cm: Math.hypot(state.felt.width, state.felt.height).toFixed(1) })),
    h(
      "div",
      { class: "row", "data-key": "tabs" },
      tab("markers", t("With printed markers")),
      tab("hand", t("By hand")),
    ),
    ...(state.how === "markers" ? byMarkers() : byHand()),
    lens(),
  ];
}

function number(name, label, value) {
  return h("label", { "data-key": name }, label, h("input", { type: "number", inputmode: "decimal", step: "0.1", min: 10, max: 500, value, "data-field": name, id: `felt-${name}` }));
}

function tab(how, text) {
  return h("button", { type: "button", class: "key tab", "data-do": "how", "data-how": how, "data-key": how, "aria-pressed": String(state.how === how) }, text);
}

function byMarkers() {
  return [
    h("p", { "data-key": "print" }, t("Print the sheet at 100 %, cut out the four pieces and lay each with its black-tipped corner on its corner of the rectangle. Lay the board in the middle too.")),
    h(
      "div",
      { class: "row", "data-key": "papers" },
      ...["a4", "a3", "letter"].map((paper) =>
        h("a", { class: "key", href: `/api/v1/calibrate/sheet.pdf?paper=${paper}&lang=${start.language}`, target: "_blank", rel: "noopener", "data-key": paper }, t("Print {paper}", { paper: paper === "letter" ? "Letter" : paper.toUpperCase() })),
      ),
    ),
    h(
      "details",
      { "data-key": "ruler" },
      h("summary", {}, t("The printed ruler is not 10 cm long")),
      h("label", {}, t("Its length, cm"), h("input", { type: "number", step: "0.01", min: 8, max: 12, value: state.ruler, "data-field": "ruler" })),
    ),
    h("button", { type: "button", class: "key good", "data-do": "find", "data-key": "find", disabled: state.busy }, t("Find the markers")),
    markersFound(),
  ];
}

function markersFound() {
  const found = state.markers;
  if (!found) return null;
  const missing = [1, 2, 3, 4].filter((piece) => !found.seen.includes(piece));
  if (missing.length) {
    const names = missing.map((piece) => `${piece} (${PIECES[piece - 1]})`).join(", ");
    return told(false, t("Not seen: piece {pieces}. Uncover it, take glare away, move nothing else.", { pieces: names }));
  }
  if (found.good) {
    const more = found.board ? "" : ` ${t("With the board in the middle it would be surer.")}`;
    return told(true, t("All four pieces agree within {mm} mm.", { mm: found.error_mm }) + more);
  }
  const [w, depth] = found.measured.map(Math.round);
  return told(false, [
    t("The pieces do not agree with {w} × {h} cm ({mm} mm apart).", { w: state.felt.width, h: state.felt.height, mm: found.error_mm }),
    t("They seem to lie about {w} × {h} cm apart: measure again.", { w, h: depth }),
  ].join(" "));
}

function told(good, text) {
  return h("p", { class: good ? "good" : "bad", id: "found", "data-key": "found" }, `${good ? "✓" : "!"} ${text}`);
}

function byHand() {
  return [
    h("p", { "data-key": "how" }, t("Drag the numbers 1 to 4 to the corners of the rectangle: far left, far right, near right, near left, seen from the players' side. The circle shows what is under your finger.")),
    state.placed ? told(true, t("Corners are set. Check them on the next page.")) : h("button", { type: "button", class: "key", "data-do": "as-is", "data-key": "as-is" }, t("The corners are right as they are")),
  ];
}

function lens() {
  const { series } = state;
  const known = state.lensFrom === "series";
  return h(
    "details",
    { "data-key": "lens" },
    h("summary", {}, known ? `✓ ${t("The lens is measured")}` : t("Measure the lens (optional)")),
    h("p", {}, t("Hold the board flat to all parts of the picture, straight and tilted, and take a picture each time.")),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "key", "data-do": "lens-take" }, t("Take a picture")),
      h("button", { type: "button", class: "key", "data-do": "lens-fit", disabled: !series || series.pictures < series.needed }, t("Work the lens out")),
      h("button", { type: "button", class: "key", "data-do": "lens-clear" }, t("Start anew")),
    ),
    series ? h("p", { class: series.why ? "bad" : "good" }, `${t("{n} of {needed} pictures.", { n: series.pictures, needed: series.needed })} ${LENS_WHY[series.why] ?? ""}`) : null,
    known ? h("p", { class: "good" }, t("Points agree within {px} pixels.", { px: state.lensError })) : null,
  );
}

state.acts.how = ({ how }) => {
  state.how = how;
};

state.acts.find = async () => {
  state.busy = true;
  const body = { width: state.felt.width, height: state.felt.height, ruler: state.ruler };
  if (state.lensFrom === "series") body.lens = state.lens;
  const found = await post("calibrate/markers", body);
  state.busy = false;
  state.markers = found;
  if (!found?.corners) return;
  state.corners = found.corners;
  state.placed = found.good;
  if (state.lensFrom !== "series") {
    state.lens = found.lens;
    state.lensFrom = found.lens ? "markers" : null;
  }
};

state.acts["as-is"] = () => {
  state.placed = true;
};

state.acts["lens-take"] = async () => {
  state.series = (await post("calibrate/lens", { do: "take" })) ?? state.series;
};

state.acts["lens-fit"] = async () => {
  const found = await post("calibrate/lens", { do: "fit" });
  if (!found) return;
  state.lens = found.lens;
  state.lensFrom = "series";
  state.lensError = found.error_px;
};

state.acts["lens-clear"] = async () => {
  state.series = await post("calibrate/lens", { do: "clear" });
  if (state.lensFrom === "series") state.lens = state.lensFrom = null;
};

function length(name, value) {
  const cm = Number(value);
  if (cm >= 10 && cm <= 500) resized({ ...state.felt, [name]: cm });
}

state.fields.width = (value) => length("width", value);
state.fields.height = (value) => length("height", value);
state.fields.ruler = (value) => {
  const cm = Number(value);
  if (cm >= 8 && cm <= 12) state.ruler = cm;
};
