// Stacks of chips drawn for an amount.

import { h } from "./dom.js";
import { chipsOf, money } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const MOST = 6;

function part(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

// Colours follow the rank of a chip among those of the table.
function rankOf(chip, chips) {
  return [...chips].sort((a, b) => a - b).indexOf(chip) % 6;
}

function stack({ chip, count }, chips) {
  const shown = Math.min(count, MOST);
  const height = 20 + 7 * shown;
  const picture = part("svg", {
    class: `chip-stack chip-${rankOf(chip, chips)}`,
    viewBox: `0 0 46 ${height}`,
    width: 46,
    height,
  });
  for (let n = 0; n < shown; n += 1) {
    const y = height - 12 - 7 * n;
    picture.append(
      part("path", { class: "chip-side", d: `M2 ${y} a21 9 0 0 0 42 0 v6 a21 9 0 0 1 -42 0 z` }),
      part("ellipse", { class: "chip-top", cx: 23, cy: y, rx: 21, ry: 9 }),
      part("ellipse", { class: "chip-edge", cx: 23, cy: y, rx: 17, ry: 6.5 }),
    );
  }
  return h(
    "span",
    { class: "chip-pile" },
    picture,
    h("span", { class: "chip-worth" }, count > 1 ? `${count}×${money(chip)}` : money(chip)),
  );
}

export function chipStacks(amount, chips) {
  const found = chipsOf(amount, chips ?? []);
  return h(
    "span",
    { class: "chip-stacks", "aria-hidden": "true" },
    found.chips.map((pile) => stack(pile, chips)),
  );
}
