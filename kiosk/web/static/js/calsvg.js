// Elements of a drawing over a picture, and what fingers do on it.

const SVG = "http://www.w3.org/2000/svg";

export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function svg(width, height, label) {
  const drawing = s("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none" });
  drawing.setAttribute("role", "group");
  drawing.setAttribute("aria-label", label);
  return drawing;
}

// The pointer's place in the drawing's own units.
export function placeOf(drawing, event) {
  const box = drawing.getBoundingClientRect();
  const view = drawing.viewBox.baseVal;
  return [
    ((event.clientX - box.left) / box.width) * view.width,
    ((event.clientY - box.top) / box.height) * view.height,
  ];
}

// How many units of the drawing one pixel of the screen is.
export function unit(drawing) {
  const box = drawing.getBoundingClientRect();
  return box.width ? drawing.viewBox.baseVal.width / box.width : 1;
}

// Follows a finger from `event` on: `move` with the way since the start, `end` when it lifts.
export function drag(drawing, event, move, end) {
  event.preventDefault();
  const from = placeOf(drawing, event);
  const id = event.pointerId;
  drawing.setPointerCapture?.(id);
  const moved = (next) => {
    if (next.pointerId !== id) return;
    const to = placeOf(drawing, next);
    move(to[0] - from[0], to[1] - from[1]);
  };
  const ended = (next) => {
    if (next.pointerId !== id) return;
    drawing.removeEventListener("pointermove", moved);
    drawing.removeEventListener("pointerup", ended);
    drawing.removeEventListener("pointercancel", ended);
    end();
  };
  drawing.addEventListener("pointermove", moved);
  drawing.addEventListener("pointerup", ended);
  drawing.addEventListener("pointercancel", ended);
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function arrow(event) {
  return ARROWS[event.key] ?? null;
}
