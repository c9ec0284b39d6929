// Guides through setting camera and felt up: camera, felt, zones, save.

import { cameraSide, startChecks, stopChecks } from "./calcamera.js";
import { Corners } from "./calcorners.js";
import { feltSide } from "./calfelt.js";
import { LivePicture } from "./calpicture.js";
import { saveSide } from "./calsave.js";
import { STEPS } from "./caltexts.js";
import { ZoneField } from "./calzones.js";
import { measure, openLayout, state } from "./calstate.js";
import { byId, h, patch } from "./dom.js";
import { start, t } from "./words.js";
import { zonesSide } from "./calzoneside.js";

const box = byId("stagebox");
let live = null;
let corners = null;
let field = null;

const SIDES = [cameraSide, feltSide, zonesSide, saveSide];

function reached(step) {
  if (step === 0) return true;
  if (step === 1) return state.size !== null;
  return state.base !== null && state.corners !== null && state.placed;
}

function go(step) {
  if (!reached(step)) return;
  const turned = step !== state.step;
  state.step = step;
  stage();
  draw();
  if (step === 0) startChecks(draw);
  else stopChecks();
  if (step >= 2) measure(draw);
  if (turned) byId("side").querySelector("h2")?.focus();
}

// The large picture: live with corners on it, or the straightened felt with the zones.
function stage() {
  live?.end();
  corners?.end();
  field?.end();
  live = corners = field = null;
  box.replaceChildren();
  // Its shape is known before it is there: nothing may jump under a finger.
  const { width, height } = state.felt;
  const [w, d] = state.step < 2 ? (state.size ?? [null, null]) : [Math.round(width * 10), Math.round(height * 10)];
  const alt = state.step < 2 ? t("Live picture of the camera") : t("The felt from above");
  const image = h("img", { alt, width: w, height: d });
  box.append(image);
  if (state.step >= 2) {
    image.src = feltAddress();
    field = new ZoneField(box, state.felt, { onChange: zonesChanged, onChoose: choose });
    return;
  }
  live = new LivePicture(image, sized);
  if (state.step === 1) {
    corners = new Corners(box, image, { onChange: cornersDragged, onHold: (held) => live.hold(held) });
    showCorners();
  }
}

function feltAddress() {
  state.looks += 1;
  const query = new URLSearchParams({
    corners: state.corners.flat().join(","),
    size: `${state.felt.width},${state.felt.height}`,
    n: state.looks,
  });
  if (state.lens) query.set("lens", state.lens.join(","));
  return `/api/v1/calibrate/felt.jpg?${query}`;
}

function sized(width, height) {
  if (state.size?.[0] === width && state.size?.[1] === height) return;
  state.size = [width, height];
  openLayout();
  showCorners();
  draw();
}

function showCorners() {
  if (corners && state.corners && state.size) corners.show(state.corners, ...state.size);
}

function cornersDragged(found) {
  state.corners = found;
  state.placed = true;
  state.markers = null;
  // A lens that was only guessed from the markers says nothing about corners set by hand.
  if (state.lensFrom === "markers") state.lens = state.lensFrom = null;
  draw();
}

function zonesChanged(zones, chosen) {
  state.chosen = chosen;
  state.history.push(zones);
  state.saved = state.used = null;
  measure(draw);
  draw();
}

function choose(id) {
  state.chosen = id;
  draw();
}

export function draw() {
  patch(byId("steps"), ...STEPS.map((name, step) =>
    h(
      "button",
      {
        type: "button",
        "data-step": step,
        "data-key": step,
        disabled: !reached(step),
        class: step < state.step ? "done" : "",
        "aria-current": step === state.step ? "step" : null,
      },
      `${step + 1}. ${name}`,
    ),
  ));
  patch(byId("side"), ...SIDES[state.step](start));
  patch(
    byId("stepkeys"),
    h("button", { type: "button", class: "key", "data-do": "back", "data-key": "back", disabled: state.step === 0 }, t("Back")),
    state.step < 3
      ? h("button", { type: "button", class: "key good", "data-do": "forward", "data-key": "forward", disabled: !reached(state.step + 1) }, t("Next"))
      : null,
  );
  for (const input of byId("side").querySelectorAll("[data-field]")) {
    // What is shown follows what is known, but never under somebody's fingers.
    if (input !== document.activeElement) input.value = input.getAttribute("value") ?? "";
  }
  if (field) field.show(state.history.now, state.chosen, small());
}

function small() {
  return new Set(state.sizes.filter(({ verdict }) => verdict === "too small").map(({ zone }) => zone));
}

const ACTIONS = {
  back: () => go(state.step - 1),
  forward: () => go(state.step + 1),
  "show-corners": showCorners,
  "new-picture": () => {
    box.querySelector("img").src = feltAddress();
  },
};

document.addEventListener("click", async (event) => {
  const element = event.target.closest("[data-do], [data-step]");
  if (!element || element.disabled) return;
  if (element.dataset.step !== undefined) {
    go(Number(element.dataset.step));
    return;
  }
  const action = ACTIONS[element.dataset.do];
  if (action) action();
  else await state.acts[element.dataset.do]?.(element.dataset);
  if (element.dataset.do !== "new-picture") {
    showCorners();
    if (state.step === 2) measure(draw);
    draw();
  }
});

document.addEventListener("change", (event) => {
  const name = event.target.dataset?.field;
  if (!name) return;
  state.fields[name]?.(event.target.value);
  showCorners();
  if (state.step === 2) measure(draw);
  draw();
});

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || state.step !== 2) return;
  if (event.target.closest("input")) return;
  event.preventDefault();
  state.acts[event.shiftKey ? "redo" : "undo"]();
  measure(draw);
  draw();
});

// The picture on its way may still be of the camera before.
document.addEventListener("camera-chosen", stage);

document.addEventListener("layout-opened", () => {
  showCorners();
  if (state.step >= 2) measure(draw);
  draw();
});

window.addEventListener("resize", () => {
  showCorners();
  draw();
});

go(0);
