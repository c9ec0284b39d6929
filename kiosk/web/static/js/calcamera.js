// Step one: which camera, and whether its picture is good enough.

import { get, post } from "./api.js";
import { state } from "./calstate.js";
import { CHECKS } from "./caltexts.js";
import { h } from "./dom.js";
import { t } from "./words.js";

const EVERY_MS = 1500;
let timer = 0;
let running = false;

export function cameraSide(start) {
  return [
    h("h2", { tabindex: -1, "data-key": "head" }, t("Choose the camera")),
    ...state.cameras.cameras.map((camera) =>
      h(
        "button",
        {
          type: "button",
          class: "key camera",
          "data-do": "camera",
          "data-key": camera.source,
          "data-source": camera.source,
          "aria-pressed": String(camera.source === state.cameras.chosen),
        },
        camera.running ? `${camera.name === "sample" ? t("bundled recording") : camera.name} (${t("in use")})` : camera.name,
      ),
    ),
    h(
      "details",
      { "data-key": "other" },
      h("summary", {}, t("A network camera")),
      h("label", {}, t("Address"), h("input", { type: "url", id: "address", placeholder: "rtsp://", autocomplete: "off" })),
      h("p", {}, h("button", { type: "button", class: "key", "data-do": "address" }, t("Look through it"))),
    ),
    h("h2", { "data-key": "head2" }, t("Is the picture good?")),
    h("ul", { class: "verdicts", "data-key": "checks" }, verdicts()),
    now(start.now),
    h("p", { "data-key": "deck" }, h("a", { href: "/calibrate/deck" }, t("Show the deck"))),
  ];
}

function verdicts() {
  if (!state.checks) return [h("li", { "data-key": "none" }, "…", h("span", {}, t("Looking at the picture …")))];
  const found = state.checks.map(({ name, ok, advice }) => verdict(name, ok, CHECKS[name] ?? name, advice ? t(advice) : t("good")));
  return [
    ...found,
    h("li", { "data-key": "size" }, "·", h("span", {}, t("Size of the picture: {w} × {h}", { w: state.size?.[0] ?? "?", h: state.size?.[1] ?? "?" }))),
    ...state.mismatches.map((line) => h("li", { class: "bad", "data-key": line }, "!", h("span", {}, line))),
  ];
}

export function verdict(key, ok, name, text) {
  return h("li", { class: ok ? "good" : "bad", "data-key": key }, ok ? "✓" : "!", h("b", {}, name), h("small", {}, text));
}

// How the layout in use does now, for whoever only came to look.
function now(found) {
  return h(
    "details",
    { "data-key": "now" },
    h("summary", { class: found.ok ? "good" : "bad" }, `${found.ok ? "✓" : "!"} ${t("Layout in use: {name}", { name: found.layout })}`),
    h("p", {}, found.ok ? t("Every index is large enough.") : found.text),
  );
}

export function startChecks(draw) {
  if (running) return;
  running = true;
  const look = async () => {
    if (!running) return;
    const { chosen } = state.cameras;
    const found = document.hidden ? null : await get("calibrate/checks");
    if (!running) return;
    // Of the camera that was chosen before they say nothing.
    if (found && chosen === state.cameras.chosen) {
      state.checks = found.checks;
      state.mismatches = found.mismatches;
      draw();
    }
    timer = setTimeout(look, EVERY_MS);
  };
  look();
}

export function stopChecks() {
  running = false;
  clearTimeout(timer);
}

async function choose(source) {
  const answer = await post("calibrate/camera", { source });
  if (!answer) return;
  state.cameras = answer;
  state.checks = null;
  state.size = null;
  state.base = null;
  state.placed = false;
  state.lens = state.lensFrom = state.markers = null;
  document.dispatchEvent(new CustomEvent("camera-chosen"));
}

state.acts.camera = ({ source }) => choose(source);
state.acts.address = () => {
  const address = document.getElementById("address").value.trim();
  return address ? choose(address) : null;
};
