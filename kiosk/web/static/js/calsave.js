// Step four: keep the layout under a name, and use it.

import { post } from "./api.js";
import { layout, state } from "./calstate.js";
import { USED } from "./caltexts.js";
import { h } from "./dom.js";
import { t } from "./words.js";

export function saveSide() {
  const small = state.sizes.filter(({ verdict }) => verdict === "too small").length;
  return [
    h("h2", { tabindex: -1, "data-key": "head" }, t("Keep it")),
    state.markers ? h("p", { class: "hint", "data-key": "away" }, t("Take the markers off the felt first: the kiosk remembers how the bare felt looks, to notice a bumped camera.")) : null,
    h("label", { "data-key": "title" }, t("What it is called"), h("input", { type: "text", maxlength: 80, value: state.title, "data-field": "title", id: "title", placeholder: t("Table 3, by the window") })),
    h("label", { "data-key": "name" }, t("Short name: small letters, digits, dashes"), h("input", { type: "text", maxlength: 40, value: state.name, "data-field": "name", id: "name", pattern: "[a-z0-9][a-z0-9\\-]*", autocapitalize: "none", autocomplete: "off" })),
    small ? h("p", { class: "bad", "data-key": "small" }, `! ${t("Indices are too small in some zones: move the camera closer or raise the resolution.")}`) : null,
    h("button", { type: "button", class: "key good", "data-do": "save", "data-key": "save", disabled: !state.name }, t("Save")),
    state.saved ? h("p", { class: "good", id: "saved", "data-key": "saved" }, `✓ ${t("Saved as {name}, version {n}. Earlier versions are kept.", { name: state.saved.name, n: state.saved.version })}`) : null,
    state.saved?.watched === false ? h("p", { class: "bad", "data-key": "watched" }, `! ${t("The felt has too few marks to notice a bumped camera by: stick four small marks beside the zones and save again.")}`) : null,
    state.saved ? h("button", { type: "button", class: "key good", "data-do": "use", "data-key": "use" }, t("Use it at this table")) : null,
    state.used ? h("p", { class: "good", id: "used", "data-key": "used" }, `✓ ${USED[state.used] ?? state.used}`) : null,
  ];
}

state.fields.title = (value) => {
  state.title = value.trim();
};

state.fields.name = (value) => {
  state.name = value.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  state.saved = state.used = null;
};

// What was changed while it was being saved, or taken into use, is neither.
state.acts.save = async () => {
  state.used = null;
  const sent = layout();
  const saved = await post("calibrate/layouts", { layout: sent });
  state.saved = JSON.stringify(sent) === JSON.stringify(layout()) ? saved : null;
};

state.acts.use = async () => {
  const { saved } = state;
  const used = await post("calibrate/use", { name: saved.name });
  if (saved === state.saved) state.used = used?.when ?? null;
};
