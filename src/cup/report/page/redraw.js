// @ts-check
// Updates of a page that is served are taken one after the other, and drawn when there is time.

import { BOT, drawn, place } from './address.js';
import { drawBot } from './bots.js';
import { byId } from './element.js';
import { drawList } from './list.js';
import { drawHead, drawLeague, drawMenu, drawTables } from './overview.js';

/**
 * What is to be drawn, when, and the milliseconds that it took the last time.
 * @type {{ table: boolean, league: boolean, list: boolean, timer: number | null, cost: number }}
 */
export const due = { table: false, league: false, list: false, timer: null, cost: 0 };
/** Settles when all updates so far are taken. */
let taken = Promise.resolve();

/** Draws what has changed anew, in a small part of the time. */
function redraw() {
  due.timer = null;
  const began = performance.now();
  const hold = heldPart();
  const isShown = !byId('overview').hidden;
  const refocus = focusedPlace();
  if (due.table && isShown) {
    drawTables();
    drawMenu();
  } else if (due.league && isShown) {
    drawLeague();
    drawMenu();
  } else if (due.table || due.league) {
    drawHead();
    redrawBot();
  }
  if (due.list && isShown) {
    drawList(byId('list').children.length);
  }
  if (!isShown) {
    // Its own query holds when it is shown again.
    drawn.query = null;
  }
  refocus();
  hold();
  due.table = false;
  due.league = false;
  due.list = false;
  due.cost = performance.now() - began;
}

/**
 * Remembers what part is being read and where it begins; returns what scrolls the page until it
 * begins there again, whatever has grown above it.
 */
function heldPart() {
  const scrolled = window.scrollY;
  const menu = byId('menu').offsetHeight;
  const shown = () => Array.from(document.querySelectorAll('main:not([hidden]) section'));
  const read = scrolled === 0 ? undefined : shown().findLast((part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return bottom > menu && top < window.innerHeight / 2;
  });
  if (read === undefined) {
    return () => window.scrollTo(0, scrolled);
  }
  const { top } = read.getBoundingClientRect();
  /** @param {Element} part */
  const nameOf = (part) => part.querySelector('h2, h3')?.textContent;
  const name = nameOf(read);
  return () => {
    const same = read.isConnected ? read : shown().find((part) => nameOf(part) === name);
    window.scrollTo(0, scrolled);
    window.scrollBy(0, (same?.getBoundingClientRect().top ?? top) - top);
  };
}

/**
 * Remembers what has the focus in the first view; returns what gives it to the same when that is
 * drawn anew, if it is.
 */
function focusedPlace() {
  const focused = document.activeElement ?? document.body;
  const part = focused.closest('.part-place, #places, #leader, #facts');
  if (part === null || focused.matches('input')) {
    return () => {};
  }
  const names = ['id', 'href', 'aria-label'];
  /** @param {Element} other */
  const isSame = (other) => other.tagName === focused.tagName
    && names.every((name) => other.getAttribute(name) === focused.getAttribute(name))
    && (focused.matches('[id], [aria-label]') || other.textContent === focused.textContent);
  return () => {
    const others = Array.from(part.querySelectorAll('a, button, select, summary, [tabindex]'));
    const same = others.find(isSame);
    if (!focused.isConnected && same instanceof HTMLElement) {
      same.focus({ preventScroll: true });
    }
  };
}

/** Draws the page of a bot anew, unless something in it is used. */
function redrawBot() {
  const bot = byId('bot');
  const focused = document.activeElement;
  const isUsed = bot.contains(focused) && focused?.id !== 'bot-heading';
  if (!bot.hidden && !isUsed) {
    drawBot(place.slice(BOT.length));
  }
}

export function redrawSoon() {
  due.timer ??= setTimeout(redraw, Math.max(200, 20 * due.cost));
}

/** @param {string} text */
export function sayState(text) {
  byId('live-state').textContent = text;
}

/**
 * Takes each update of a stream after all that came before it. What cannot be taken is said, and
 * does not stop what follows.
 *
 * The last update closes the stream when it comes, not when it is taken: the server ends behind it,
 * and the browser of a page that is slow to take its updates would connect again, to nobody.
 * @param {EventSource} source
 * @param {(update: any) => boolean} isLast
 * @param {(update: any) => Promise<void>} take
 */
export function takeEach(source, isLast, take) {
  source.addEventListener('message', ({ data }) => {
    const update = JSON.parse(data);
    if (isLast(update)) {
      source.close();
    }
    taken = taken
      .then(() => take(update))
      .catch(({ message }) => sayState(`An update cannot be shown: ${message}.`));
  });
}
