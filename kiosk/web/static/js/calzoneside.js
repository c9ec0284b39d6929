// Step three: the zones, and how high an index appears in each.

import { clashes, nameOf } from "./calzones.js";
import { openLayout, state } from "./calstate.js";
import { VERDICTS } from "./caltexts.js";
import { h } from "./dom.js";
import { start, t } from "./words.js";

const BOXES = [1, 2, 3, 4, 5, 6];
const IDS = ["dealer", ...BOXES.map((n) => `box${n}`), "board", "muck", "dealer-small", ...BOXES.map((n) => `box${n}-small`), ...BOXES.map((n) => `box${n}-bonus`)];

export function zonesSide() {
  const zones = state.history.now;
  const missing = IDS.filter((id) => !zones.some((zone) => zone.id === id));
  return [
    h("h2", { tabindex: -1, "data-key": "head" }, t("Where do the cards go?")),
    h("p", { class: "hint", "data-key": "hint" }, t("Drag a zone to move it, its yellow points to make it larger. The lines are 10 cm apart.")),
    h(
      "div",
      { class: "row", "data-key": "keys" },
      act("undo", `↶ ${t("Undo")}`, !state.history.past.length),
      act("redo", `↷ ${t("Redo")}`, !state.history.future.length),
      act("new-picture", t("New picture"), false),
    ),
    warning(zones),
    h("div", { class: "zones-list", "data-key": "list" }, zones.map(line)),
    h(
      "div",
      { class: "row", "data-key": "more" },
      choice("add", t("Add a zone"), missing.map((id) => [id, nameOf(id)])),
      act("remove", t("Take {zone} away", { zone: state.chosen ? nameOf(state.chosen) : "…" }), !state.chosen),
    ),
    choice("base", t("Zones of another layout"), start.layouts.layouts.map(({ name, title }) => [name, title || name])),
  ];
}

function act(name, text, disabled) {
  return h("button", { type: "button", class: "key", "data-do": name, "data-key": name, disabled }, text);
}

function choice(name, label, options) {
  return h(
    "label",
    { "data-key": name },
    label,
    h("select", { "data-field": name }, h("option", { value: "", "data-key": "none" }, "…"), options.map(([value, text]) => h("option", { value, "data-key": value }, text))),
  );
}

function warning(zones) {
  const crossed = [...clashes(zones)].map(nameOf);
  if (crossed.length) return h("p", { class: "bad", "data-key": "warn" }, `! ${t("These overlap: {zones}", { zones: crossed.join(", ") })}`);
  const small = state.sizes.filter(({ verdict }) => verdict === "too small");
  if (small.length) return h("p", { class: "bad", "data-key": "warn" }, `! ${t("Indices are too small in some zones: move the camera closer or raise the resolution.")}`);
  return state.sizes.length ? h("p", { class: "good", "data-key": "warn" }, `✓ ${t("Every index is large enough.")}`) : null;
}

function line(zone) {
  const size = state.sizes.find((known) => known.zone === zone.id);
  const bad = size?.verdict === "too small";
  return h(
    "button",
    { type: "button", "data-do": "choose", "data-zone": zone.id, "data-key": zone.id, "aria-pressed": String(zone.id === state.chosen) },
    h("span", { class: bad ? "bad" : "good" }, size ? (bad ? "!" : "✓") : "·"),
    h("span", {}, nameOf(zone.id)),
    h("span", { class: bad ? "bad" : "" }, size ? t("{px} px: {verdict}", { px: Math.round(size.index_px), verdict: VERDICTS[size.verdict] }) : ""),
  );
}

state.acts.undo = () => {
  state.history.undo();
  state.chosen = state.history.now.some(({ id }) => id === state.chosen) ? state.chosen : null;
};

state.acts.redo = () => state.history.redo();

state.acts.choose = ({ zone }) => {
  state.chosen = zone;
};

state.acts.remove = () => {
  state.history.push(state.history.now.filter(({ id }) => id !== state.chosen));
  state.chosen = null;
};

state.fields.add = (id) => {
  if (!id) return;
  const { width, height } = state.felt;
  const w = Math.min(14, width / 3);
  const d = Math.min(11, height / 3);
  const left = Math.round(width - w) / 2;
  const top = Math.round(height - d) / 2;
  state.history.push([...state.history.now, { id, rect: [left, top, left + w, top + d] }]);
  state.chosen = id;
};

state.fields.base = (name) => (name ? openLayout(name) : null);
