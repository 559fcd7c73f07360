// Elements as values, and the only code that changes the document. The view is a function of the state.

/** @typedef {import("./types").VNode} VNode */
/** @typedef {VNode | string | number | null | undefined | false} Child */

/** The element that the page is drawn in. */
export const app = /** @type {HTMLElement} */ (document.getElementById("app"));

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "path", "circle", "rect", "g"]);

/** @type {WeakMap<Node, VNode>} */
const views = new WeakMap();

/**
 * An element. `key` identifies it among its siblings in any order; `vars` are custom properties; `html` is
 * markup that the server has escaped.
 * @param {string} tag
 * @param {Record<string, unknown> | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {VNode}
 */
export function h(tag, props, ...children) {
  const { key, ...rest } = props ?? {};
  const kept = children.flat(2).filter((child) => child !== null && child !== undefined && child !== false && child !== "");
  return {
    tag,
    key: key === undefined ? undefined : String(key),
    props: rest,
    children: kept.map((child) => (typeof child === "object" ? /** @type {VNode} */ (child) : String(child))),
  };
}

/**
 * Replace the children of an element by these, with as few changes as possible.
 * @param {Element} parent
 * @param {(VNode | string)[]} wanted
 */
export function patch(parent, wanted) {
  if (!wanted.length && !parent.firstChild) return;
  /** @type {Map<string, Element>} */
  const keyed = new Map();
  for (let child = parent.firstChild, next = null; child; child = next) {
    next = child.nextSibling;
    const key = views.get(child)?.key;
    if (key === undefined) continue;
    if (wanted.some((each) => typeof each !== "string" && each.key === key)) keyed.set(key, /** @type {Element} */ (child));
    else child.remove();
  }
  let here = parent.firstChild;
  for (const each of wanted) {
    const key = typeof each === "string" ? undefined : each.key;
    const fit = key === undefined ? fits(here, each) && here : keyed.get(key);
    const node = fit && sameTag(fit, each) ? fit : create(each);
    if (node === here) here = here.nextSibling;
    else if (here && fit === here && key !== undefined) {
      here = here.nextSibling;
      fit.replaceWith(node); // what follows stays in the document: moved, it would no longer be scrolled
    } else parent.insertBefore(node, here);
    if (typeof each === "string") {
      if (node.nodeValue !== each) node.nodeValue = each;
    } else update(/** @type {Element} */ (node), each);
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

/**
 * @param {ChildNode | null} node
 * @param {VNode | string} each
 */
function fits(node, each) {
  if (!node) return false;
  if (typeof each === "string") return node.nodeType === Node.TEXT_NODE;
  return views.has(node) && views.get(node)?.key === undefined;
}

/**
 * @param {Node} node
 * @param {VNode | string} each
 */
function sameTag(node, each) {
  return typeof each === "string" || views.get(node)?.tag === each.tag;
}

/**
 * @param {VNode | string} each
 * @returns {ChildNode}
 */
function create(each) {
  if (typeof each === "string") return document.createTextNode(each);
  return DRAWN.has(each.tag) ? document.createElementNS(SVG, each.tag) : document.createElement(each.tag);
}

/**
 * @param {Element} node
 * @param {VNode} wanted
 */
function update(node, wanted) {
  const before = views.get(node)?.props ?? {};
  for (const name of Object.keys(before)) if (!(name in wanted.props)) setProperty(node, name, undefined, before[name]);
  for (const [name, value] of Object.entries(wanted.props)) {
    if (before[name] !== value || name === "value" || name === "vars") setProperty(node, name, value, before[name]);
  }
  views.set(node, wanted);
  if (!("html" in wanted.props)) patch(node, wanted.children);
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {any} value
 * @param {any} before
 */
function setProperty(node, name, value, before) {
  if (name === "vars") {
    for (const [each, worth] of Object.entries(value ?? {})) {
      if (before?.[each] !== worth) /** @type {HTMLElement} */ (node).style.setProperty(each, String(worth));
    }
  } else if (name === "html") node.innerHTML = value ?? "";
  else if (name === "value") {
    const field = /** @type {HTMLInputElement} */ (node);
    if (field !== document.activeElement && field.value !== value) field.value = value ?? "";
  } else if (value === undefined || value === null || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}
