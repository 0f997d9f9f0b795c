// @ts-check
// Elements. Strings become text nodes and values of attributes, never markup; colours and sizes are
// in the style sheet.

/** @import { Attributes, Child } from './types' */

const SVG = 'http://www.w3.org/2000/svg';

/** The element of the page with this id. @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @template {Element} Made
 * @param {Made} made
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function withParts(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      made.addEventListener(name, value);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? '' : String(value));
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * An element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {...Child} children
 */
export function element(name, attributes, ...children) {
  return withParts(document.createElement(name), attributes, children);
}

/**
 * The same of SVG.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {...Child} children
 */
export function shape(name, attributes, ...children) {
  return withParts(document.createElementNS(SVG, name), attributes, children);
}

/**
 * A section with a heading, which is a link to itself.
 * @param {string} id
 * @param {string} heading
 * @param {...Child} children
 */
export function section(id, heading, ...children) {
  const link = element('a', { href: `#${id}`, class: 'anchor' }, heading);
  return element('section', { id: `section-${id}`, 'aria-labelledby': `heading-${id}` },
    element('h2', { id: `heading-${id}` }, link), ...children);
}
