// The felt's four corners on the live picture, dragged with a finger under a magnifier.

import { arrow, drag, s, svg, unit } from "./calsvg.js";
import { h } from "./dom.js";
import { t } from "./words.js";

const ZOOM = 4;
const REACH_PX = 30;

export class Corners {
  constructor(box, image, { onChange, onHold }) {
    this.box = box;
    this.image = image;
    this.onChange = onChange;
    this.onHold = onHold;
    this.corners = null;
    this.glass = h("canvas", { class: "magnifier", width: 240, height: 240, hidden: true });
    box.append(this.glass);
  }

  show(corners, width, height) {
    if (this.held) return;
    this.corners = corners.map((corner) => [...corner]);
    if (!this.drawing || this.size?.[0] !== width || this.size?.[1] !== height) {
      this.size = [width, height];
      this.drawing?.remove();
      this.drawing = svg(width, height, t("Corners of the felt"));
      this.box.insertBefore(this.drawing, this.glass);
      this.build();
    }
    this.place();
  }

  build() {
    this.edge = s("polygon", { class: "felt-edge" });
    this.grips = [0, 1, 2, 3].map((number) => {
      const grip = s(
        "g",
        { class: "corner", tabindex: 0, role: "button", "data-corner": number + 1, "aria-label": t("Corner {n}", { n: number + 1 }) },
        s("circle", { class: "grip" }),
        s("circle", { class: "point" }),
        s("text", {}, String(number + 1)),
      );
      grip.addEventListener("pointerdown", (event) => this.grab(number, event));
      grip.addEventListener("keydown", (event) => this.nudge(number, event));
      return grip;
    });
    this.drawing.replaceChildren(this.edge, ...this.grips);
  }

  place() {
    const px = unit(this.drawing);
    this.edge.setAttribute("points", this.corners.map((corner) => corner.join(",")).join(" "));
    this.grips.forEach((grip, number) => {
      const [x, y] = this.corners[number];
      const [ring, point, label] = grip.children;
      for (const circle of [ring, point]) {
        circle.setAttribute("cx", x);
        circle.setAttribute("cy", y);
      }
      ring.setAttribute("r", REACH_PX * px);
      point.setAttribute("r", 3 * px);
      label.setAttribute("x", x + (x < this.size[0] / 2 ? 1 : -1) * (REACH_PX + 14) * px);
      label.setAttribute("y", y + 8 * px);
      label.setAttribute("font-size", 24 * px);
    });
  }

  grab(number, event) {
    const from = [...this.corners[number]];
    this.held = true;
    this.onHold(true);
    this.magnify(number);
    drag(
      this.drawing,
      event,
      (dx, dy) => {
        this.corners[number] = this.within([from[0] + dx, from[1] + dy]);
        this.place();
        this.magnify(number);
      },
      () => {
        this.held = false;
        this.glass.hidden = true;
        this.onHold(false);
        this.onChange(this.corners.map((corner) => [...corner]));
      },
    );
  }

  nudge(number, event) {
    const way = arrow(event);
    if (!way) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : 1;
    const [x, y] = this.corners[number];
    this.corners[number] = this.within([x + way[0] * step, y + way[1] * step]);
    this.place();
    this.onChange(this.corners.map((corner) => [...corner]));
  }

  within([x, y]) {
    const [width, height] = this.size;
    return [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)];
  }

  // The place under the finger, larger, on the side where the finger is not.
  magnify(number) {
    const [x, y] = this.corners[number];
    const glass = this.glass;
    glass.hidden = false;
    glass.classList.toggle("right", x < this.size[0] / 2);
    const part = glass.width / ZOOM / Math.max(unit(this.drawing), 0.2);
    const tool = glass.getContext("2d");
    tool.fillStyle = "#000";
    tool.fillRect(0, 0, glass.width, glass.height);
    if (this.image.naturalWidth) {
      tool.drawImage(this.image, x - part / 2, y - part / 2, part, part, 0, 0, glass.width, glass.height);
    }
    const middle = glass.width / 2;
    tool.strokeStyle = "#ff3b30";
    tool.lineWidth = 2;
    tool.beginPath();
    tool.moveTo(middle, 0);
    tool.lineTo(middle, glass.height);
    tool.moveTo(0, middle);
    tool.lineTo(glass.width, middle);
    tool.stroke();
  }

  end() {
    this.drawing?.remove();
    this.glass.remove();
  }
}
