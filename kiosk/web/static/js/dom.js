// Elements made in one line, and a patch that keeps what is already on the page, so that a tap
// never falls between two drawings.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

export function symbol(id, className) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("class", className);
  picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${id}`);
  picture.append(use);
  return picture;
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}

// Makes the children of `parent` equal to `fresh`; elements of the same name and data-key stay.
export function patch(parent, ...fresh) {
  let old = parent.firstChild;
  for (const node of nodes(fresh)) {
    if (old && alike(old, node)) {
      const next = old.nextSibling;
      morph(old, node);
      old = next;
    } else {
      parent.insertBefore(node, old);
    }
  }
  while (old) {
    const next = old.nextSibling;
    old.remove();
    old = next;
  }
}

function alike(old, node) {
  if (old.nodeType !== node.nodeType || old.nodeName !== node.nodeName) return false;
  return old.nodeType !== 1 || old.getAttribute("data-key") === node.getAttribute("data-key");
}

function morph(old, node) {
  if (old.nodeType !== 1) {
    if (old.data !== node.data) old.data = node.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!node.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of [...node.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  patch(old, ...node.childNodes);
}

export function byId(id) {
  return document.getElementById(id);
}
