// The zones on the straightened felt, in centimetres: drag, resize, add, take away.

import { arrow, drag, s, svg, unit } from "./calsvg.js";
import { t, zoneName } from "./words.js";

const SNAP = 0.5;
const LEAST = 4;
const HANDLE_PX = 10;
const REACH_PX = 24;

export function nameOf(id) {
  const box = id.match(/^box(\d)-bonus$/);
  if (box) return t("Box {n}, bonus", { n: box[1] });
  return id === "muck" ? t("Muck") : zoneName(id);
}

export function clashes(zones) {
  const found = new Set();
  zones.forEach((one, place) =>
    zones.slice(0, place).forEach((other) => {
      if (!one.rect || !other.rect) return;
      const [a, b, c, d] = one.rect;
      const [e, f, g, i] = other.rect;
      if (a < g && e < c && b < i && f < d) {
        found.add(one.id);
        found.add(other.id);
      }
    }),
  );
  return found;
}

// Zones of another felt, brought to the size of this one.
export function fitted(zones, from, to) {
  const sx = to.width / from.width;
  const sy = to.height / from.height;
  const round = (value) => Math.round(value * 100) / 100;
  return zones.map(({ id, rect, polygon }) =>
    rect
      ? { id, rect: rect.map((value, place) => round(value * (place % 2 ? sy : sx))) }
      : { id, polygon: polygon.map(([x, y]) => [round(x * sx), round(y * sy)]) },
  );
}

export class ZoneField {
  constructor(box, felt, { onChange, onChoose }) {
    this.felt = felt;
    this.onChange = onChange;
    this.onChoose = onChoose;
    this.drawing = svg(felt.width, felt.height, t("Zones on the felt"));
    box.append(this.drawing);
  }

  show(zones, chosen, small) {
    // Under a finger the zones are the finger's.
    if (this.held) return;
    this.zones = structuredClone(zones);
    this.chosen = chosen;
    this.small = small;
    this.draw();
  }

  draw() {
    const focused = this.drawing.contains(document.activeElement) ? document.activeElement.dataset.zone : null;
    const crossed = clashes(this.zones);
    const others = this.zones.filter(({ id }) => id !== this.chosen);
    const top = this.zones.filter(({ id }) => id === this.chosen);
    this.drawing.replaceChildren(
      ...this.lines(),
      ...[...others, ...top].map((zone) => this.zone(zone, crossed.has(zone.id))),
      ...top.filter(({ rect }) => rect).flatMap((zone) => this.handles(zone)),
    );
    if (focused) this.drawing.querySelector(`[data-zone="${focused}"]`)?.focus();
  }

  lines() {
    const { width, height } = this.felt;
    const found = [];
    for (let x = 10; x < width; x += 10) found.push(s("line", { class: "grid-line", x1: x, x2: x, y1: 0, y2: height }));
    for (let y = 10; y < height; y += 10) found.push(s("line", { class: "grid-line", x1: 0, x2: width, y1: y, y2: y }));
    for (let x = 10; x < width; x += 10) found.push(s("text", { class: "grid-text", x: x + 0.3, y: 2 }, `${x}`));
    for (let y = 10; y < height; y += 10) found.push(s("text", { class: "grid-text", x: 0.3, y: y - 0.3 }, `${y}`));
    return found;
  }

  zone(zone, crossed) {
    const classes = ["zone", zone.id === this.chosen && "chosen", this.small.has(zone.id) && "small", crossed && "clash"];
    const points = cornersOf(zone);
    const [x, y] = middle(points);
    const size = Math.min(3, (Math.max(...points.map(([px]) => px)) - Math.min(...points.map(([px]) => px))) / 6);
    const group = s(
      "g",
      { class: classes.filter(Boolean).join(" "), tabindex: 0, role: "button", "data-zone": zone.id, "aria-label": nameOf(zone.id) },
      s("polygon", { class: "area", points: points.map((point) => point.join(",")).join(" ") }),
      s("text", { x, y: y + size / 3, "font-size": size }, nameOf(zone.id)),
    );
    group.addEventListener("pointerdown", (event) => this.move(zone.id, event));
    group.addEventListener("keydown", (event) => this.nudge(zone.id, event));
    group.addEventListener("focus", () => {
      if (this.chosen !== zone.id) this.onChoose(zone.id);
    });
    return group;
  }

  handles(zone) {
    const px = unit(this.drawing);
    const [x1, y1, x2, y2] = zone.rect;
    return [
      [x1, y1, 0, 1],
      [x2, y1, 2, 1],
      [x2, y2, 2, 3],
      [x1, y2, 0, 3],
    ].map(([x, y, across, down]) => {
      const handle = s(
        "g",
        { "data-handle": `${across}${down}` },
        s("circle", { class: "handle-reach", cx: x, cy: y, r: REACH_PX * px }),
        s("circle", { class: "handle", cx: x, cy: y, r: HANDLE_PX * px }),
      );
      handle.addEventListener("pointerdown", (event) => this.resize(zone.id, across, down, event));
      return handle;
    });
  }

  move(id, event) {
    const zone = this.zones.find((known) => known.id === id);
    const from = structuredClone(zone);
    this.chosen = id;
    this.held = true;
    drag(
      this.drawing,
      event,
      (dx, dy) => {
        Object.assign(zone, this.shifted(from, dx, dy));
        this.draw();
      },
      () => this.done(),
    );
  }

  resize(id, across, down, event) {
    event.stopPropagation();
    const zone = this.zones.find((known) => known.id === id);
    const from = [...zone.rect];
    this.held = true;
    drag(
      this.drawing,
      event,
      (dx, dy) => {
        zone.rect = this.stretched(from, across, down, dx, dy);
        this.draw();
      },
      () => this.done(),
    );
  }

  nudge(id, event) {
    const way = arrow(event);
    if (!way) return;
    event.preventDefault();
    const zone = this.zones.find((known) => known.id === id);
    const step = way.map((value) => value * SNAP);
    if (event.shiftKey && zone.rect) zone.rect = this.stretched(zone.rect, 2, 3, ...step);
    else Object.assign(zone, this.shifted(zone, ...step));
    this.chosen = id;
    this.done();
  }

  done() {
    this.held = false;
    this.draw();
    this.onChange(structuredClone(this.zones), this.chosen);
  }

  shifted(zone, dx, dy) {
    const points = cornersOf(zone);
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    const right = clamp(snap(dx), -Math.min(...xs), this.felt.width - Math.max(...xs));
    const low = clamp(snap(dy), -Math.min(...ys), this.felt.height - Math.max(...ys));
    if (zone.rect) {
      const [x1, y1, x2, y2] = zone.rect;
      return { rect: [x1 + right, y1 + low, x2 + right, y2 + low].map(tidy) };
    }
    return { polygon: points.map(([x, y]) => [tidy(x + right), tidy(y + low)]) };
  }

  stretched(from, across, down, dx, dy) {
    const rect = [...from];
    const x = snap(from[across] + dx);
    const y = snap(from[down] + dy);
    rect[across] = across === 0 ? clamp(x, 0, rect[2] - LEAST) : clamp(x, rect[0] + LEAST, this.felt.width);
    rect[down] = down === 1 ? clamp(y, 0, rect[3] - LEAST) : clamp(y, rect[1] + LEAST, this.felt.height);
    return rect.map(tidy);
  }

  end() {
    this.drawing.remove();
  }
}

export function cornersOf({ rect, polygon }) {
  if (!rect) return polygon;
  const [x1, y1, x2, y2] = rect;
  return [[x1, y1], [x2, y1], [x2, y2], [x1, y2]];
}

function middle(points) {
  const sum = points.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return sum.map((value) => value / points.length);
}

function snap(value) {
  return Math.round(value / SNAP) * SNAP;
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

function tidy(value) {
  return Math.round(value * 100) / 100;
}
