// The button panel: its display, lights and, when it is the simulated one, its buttons.

import { h } from "./dom.js";
import { start, t } from "./words.js";

const BUTTONS = {
  box1: "1",
  box2: "2",
  box3: "3",
  box4: "4",
  box5: "5",
  box6: "6",
  plus: "+",
  minus: "−",
  bet: t("Bet"),
  fold: t("Fold"),
  sixth: t("Sixth"),
  exchange: t("Exchange"),
  confirm: t("Confirm"),
  reveal: t("Reveal"),
  next: t("Next"),
  hold: t("Hold"),
};

const LIGHTS = [t("off"), t("on"), t("slow blink"), t("fast blink")];

// `holding`: the next key pressed is kept down.
export function panelView(panel, holding) {
  return [
    h(
      "header",
      { class: "panel-head" },
      h("b", {}, panel.kind === "sim" ? t("Simulated panel") : t("Button panel")),
      h("small", {}, panel.texts?.[start.language] ?? panel.text ?? ""),
    ),
    h(
      "div",
      { class: "panel-face" },
      h("pre", { class: "display", "aria-label": t("Display of the panel") }, lines(panel.display)),
      h(
        "div",
        { class: "lights" },
        (panel.lights ?? []).map((light, n) =>
          h(
            "span",
            { class: `light light-${Number(light)}`, title: LIGHTS[Number(light)] ?? "" },
            h("i", {}),
            n + 1,
          ),
        ),
      ),
      panel.kind === "sim"
        ? h(
            "button",
            {
              type: "button",
              class: "key panel-hold",
              "data-do": "panel-hold",
              "data-key": "panel-hold",
              "aria-pressed": String(holding),
            },
            t("Held down"),
          )
        : null,
      panel.kind === "sim"
        ? h(
            "div",
            { class: "panel-keys" },
            Object.entries(BUTTONS).map(([name, text]) =>
              h(
                "button",
                { type: "button", class: "key", "data-do": "panel", "data-button": name, "data-key": name },
                text,
              ),
            ),
          )
        : null,
    ),
  ];
}

function lines(display) {
  const given = display ?? [];
  return [0, 1, 2, 3].map((n) => (given[n] ?? "").padEnd(20).slice(0, 20)).join("\n");
}
