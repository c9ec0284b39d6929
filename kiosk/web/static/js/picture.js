// The live picture: never shown as live when it is not.

import { byId } from "./dom.js";
import { start, t } from "./words.js";

const REASONS = {
  "camera-lost": t("Camera lost"),
  stale: t("Picture is old"),
  "camera-moved": t("Camera was moved"),
  "camera-frozen": t("Picture stands still"),
  "camera-black": t("Picture is black"),
  "light-poor": t("Too little light"),
};

const state = { linked: true, age: null, at: null, trouble: null, camera: null, held: false };
let loads = 0;
let again = 0;

export function startPicture() {
  const image = byId("live");
  image.addEventListener("error", () => {
    clearTimeout(again);
    again = setTimeout(reload, 2000);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) image.removeAttribute("src");
    else reload();
  });
  reload();
}

export function reload() {
  clearTimeout(again);
  loads += 1;
  byId("live").src = `/stream.mjpg?n=${loads}`;
}

export function pictureLost() {
  state.linked = false;
  draw();
}

export function pictureFound() {
  state.linked = true;
  reload();
  draw();
}

export function pictureBeat(age) {
  state.age = age;
  if (age !== null) state.at = Date.now() - age;
  draw();
}

export function pictureHeld(held) {
  state.held = held;
  draw();
}

export function pictureTrouble(trouble, camera) {
  if (trouble !== undefined) state.trouble = trouble;
  if (camera !== undefined) state.camera = camera;
  draw();
}

function reason() {
  if (!state.linked) return t("Connection lost");
  if (state.trouble) return REASONS[state.trouble] ?? state.trouble;
  if (state.camera && !state.camera.ok) return t("Camera lost");
  if (state.age === null && state.at === null) return t("No picture yet");
  // A held hand also stops a recording.
  if (state.age === null || state.age > start.stale_ms) {
    return state.held ? t("Picture is held") : t("Picture is old");
  }
  return null;
}

function draw() {
  const why = reason();
  const veil = byId("veil");
  const picture = byId("picture");
  picture.classList.toggle("veiled", why !== null);
  veil.hidden = why === null;
  if (why !== null) {
    const time = state.at
      ? t("Picture of {time}", { time: new Date(state.at).toLocaleTimeString(start.language) })
      : "";
    const more = state.linked && state.camera && !state.camera.ok ? state.camera.text : "";
    veil.replaceChildren(line("strong", why), line("span", time), line("small", more));
  }
  byId("picture-note").textContent =
    why === null && state.age !== null ? t("Live, {ms} ms", { ms: state.age }) : "";
}

function line(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
