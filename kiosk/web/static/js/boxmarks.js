// The numbers of the boxes over the live picture: there they may run the other way than on the page.

import { byId } from "./dom.js";
import { s } from "./calsvg.js";

const SIZE = 0.032;
// Radius of a number, as a share of the picture's width.
let drawn = "";

export function boxMarks(table, selected) {
  const { width, height, zones } = table ?? {};
  const boxes = (zones ?? []).filter(({ zone, polygon }) => /^box\d+$/.test(zone) && polygon.length);
  const key = JSON.stringify([width, height, selected, boxes.map(({ zone, polygon }) => [zone, polygon])]);
  if (key === drawn) return;
  drawn = key;
  const drawing = byId("box-marks");
  if (!width || !height) {
    drawing.replaceChildren();
    return;
  }
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  drawing.replaceChildren(...boxes.map((box) => mark(box, width, height, selected)));
}

function mark({ zone, polygon }, width, height, selected) {
  const number = Number(zone.slice(3));
  const radius = SIZE * width;
  const [x, y] = foot(polygon, radius, width, height);
  return s(
    "g",
    { class: number === selected ? "box-mark selected" : "box-mark", "data-mark": number },
    s("circle", { cx: x, cy: y, r: radius, "stroke-width": radius / 6 }),
    s("text", { x, y, "font-size": radius * 1.25, "text-anchor": "middle", dy: "0.36em" }, String(number)),
  );
}

// The middle of the edge that is lowest in the picture, within it: there the mark hides least.
function foot(polygon, radius, width, height) {
  const edges = polygon.map(([x, y], place) => {
    const [nextX, nextY] = polygon[(place + 1) % polygon.length];
    return [(x + nextX) / 2, (y + nextY) / 2];
  });
  const [x, y] = edges.reduce((low, edge) => (edge[1] > low[1] ? edge : low));
  const within = (value, most) => Math.min(Math.max(value, radius * 1.1), most - radius * 1.1);
  return [within(x, width), within(y, height)];
}
