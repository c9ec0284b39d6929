// All that the set-up knows so far, and the layout it makes of it.

import { get, post } from "./api.js";
import { History } from "./calhistory.js";
import { fitted } from "./calzones.js";
import { start } from "./words.js";

const current = start.layouts.current;

export const state = {
  step: 0,
  cameras: start.cameras,
  size: null,
  checks: null,
  mismatches: [],
  base: null,
  baseName: current,
  felt: { width: 96, height: 54 },
  ruler: 10,
  corners: null,
  placed: false,
  how: "markers",
  markers: null,
  lens: null,
  lensFrom: null,
  lensError: 0,
  series: null,
  looks: 0,
  history: new History([]),
  chosen: null,
  sizes: [],
  limits: { min_px: 20, good_px: 24 },
  name: "",
  title: "",
  saved: null,
  used: null,
  busy: false,
  acts: {},
  fields: {},
};

let opened = 0;

// The layout to begin with: its zones, and its corners where the picture is the same. The one that
// was wished for last counts.
export async function openLayout(name = state.baseName) {
  opened += 1;
  const mine = opened;
  const found = await get(`calibrate/layouts/${name}`);
  if (!found || mine !== opened || !state.size) return;
  const base = found.layout;
  const first = state.base === null;
  state.base = base;
  state.baseName = name;
  // Corners and size that were found meanwhile stay.
  if (first && !state.placed) {
    state.felt = { ...base.felt };
    const [width, height] = state.size;
    const { camera } = base;
    state.corners = camera.corners.map(([x, y]) => [(x * width) / camera.width, (y * height) / camera.height]);
  }
  const zones = fitted(base.zones, base.felt, state.felt);
  if (first) state.history = new History(zones);
  else state.history.push(zones);
  document.dispatchEvent(new CustomEvent("layout-opened"));
}

export function resized(felt) {
  const zones = fitted(state.history.now, state.felt, felt);
  state.felt = felt;
  state.history = new History(zones);
}

export function layout() {
  const [width, height] = state.size;
  const made = {
    format: state.lens ? 2 : 1,
    name: state.name || "new",
    title: state.title,
    games: state.base.games ?? [],
    felt: state.felt,
    camera: { width, height, corners: state.corners },
    card: state.base.card,
    zones: state.history.now,
  };
  if (state.lens) {
    made.lens = { matrix: state.lens.slice(0, 4), coefficients: state.lens.slice(4), error: state.lensError };
  }
  return made;
}

let asked = 0;

// How high an index appears in each zone; the newest question counts.
export async function measure(draw) {
  asked += 1;
  const mine = asked;
  await new Promise((resolve) => setTimeout(resolve, 150));
  if (mine !== asked) return;
  const found = await post("calibrate/sizes", { layout: layout() });
  if (mine !== asked) return;
  state.sizes = found?.zones ?? [];
  if (found) state.limits = found;
  draw();
}
