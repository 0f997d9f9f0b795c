// @ts-check
// Starts the page: reads the data, then shows what the address names.

/** @import { Game } from './types' */
import {
  BOT, addressOf, addressed, drawn, dropAddress, goToAddress, linkTo, place, query, setPlace,
  settleAddress,
} from './address.js';
import { drawBot } from './bots.js';
import { readFile } from './data.js';
import { byId, element } from './element.js';
import { KEYS } from './keys.js';
import { drawList } from './list.js';
import { drawMenu, drawOverview, drawTables, resumeShowcase } from './overview.js';
import { visible } from './text.js';
import { closeGame, openGame, view, viewerKey } from './viewer.js';

/** Colours as the system has them, light, dark. */
const THEMES = ['auto', 'light', 'dark'];

/** @param {string} theme */
function showTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const button = byId('theme');
  button.textContent = `colours: ${theme}`;
  button.setAttribute('aria-label', `Colours: ${theme}`);
}

/** The colours that the reader chose last; the page may not be allowed to store them. */
function storedTheme() {
  try {
    const stored = localStorage.getItem('arbiter-theme');
    return THEMES.find((theme) => theme === stored) ?? THEMES[0];
  } catch {
    return THEMES[0];
  }
}

function nextTheme() {
  const shown = document.documentElement.dataset.theme ?? '';
  const theme = THEMES[(THEMES.indexOf(shown) + 1) % THEMES.length];
  showTheme(theme);
  try {
    localStorage.setItem('arbiter-theme', theme);
  } catch {
    // The choice then holds until the page is closed.
  }
}

/** Says what is wrong; nothing if the text is empty. @param {string} text */
function sayTrouble(text) {
  byId('trouble').hidden = text === '';
  byId('trouble').textContent = text;
}

/** The views, of which one is shown. */
const VIEWS = ['overview', 'bot', 'viewer'];
/** What had the focus when a game was opened. @type {Element | null} */
let origin = null;

/** Shows what the address names. */
function route() {
  dropAddress();
  const { place: part, chosen, game, ply, unknown = '' } = addressed(location.hash);
  sayTrouble(unknown);
  const bot = part?.startsWith(BOT) ? part.slice(BOT.length) : null;
  const shown = game ? 'viewer' : bot === null ? 'overview' : 'bot';
  const left = view?.open.game;
  if (left === undefined) {
    origin = document.activeElement;
  }
  const before = VIEWS.find((id) => !byId(id).hidden);
  for (const id of VIEWS) {
    byId(id).hidden = id !== shown;
  }
  document.documentElement.dataset.view = shown;
  nameTab(game ? game.players.join(' against ') : bot ?? '');
  if (game) {
    openGame(game, ply ?? 0);
    return;
  }
  closeGame();
  setPlace(part, chosen);
  if (bot === null) {
    showOverview(left, before);
    return;
  }
  drawBot(bot);
  window.scrollTo(0, 0);
  byId('bot-heading').focus({ preventScroll: true });
}

/**
 * The title in the browser's tab and history: what is shown, and the title of the whole.
 * @param {string} shown
 */
function nameTab(shown) {
  const whole = byId('title').textContent ?? '';
  document.title = shown === '' ? whole : `${visible(shown)} · ${whole}`;
}

/**
 * Shows the first view: the game that was left, or the part that the address names.
 * @param {Game | undefined} left
 * @param {string | undefined} before
 */
function showOverview(left, before) {
  if (String(query) !== drawn.query) {
    drawn.query = String(query);
    drawTables();
    drawMenu();
    drawList();
  }
  resumeShowcase();
  const isKnown = origin?.isConnected && origin !== document.body;
  if (left !== undefined && isKnown && origin instanceof HTMLElement) {
    // Back to where the game was opened; in the list to the game that was shown last.
    const list = origin.closest('#list')?.querySelectorAll('a') ?? [];
    (Array.from(list).find((link) => link.getAttribute('href') === linkTo(left)) ?? origin).focus();
  } else if (place !== '') {
    document.getElementById(`section-${place}`)?.scrollIntoView();
  } else if (before !== 'overview') {
    window.scrollTo(0, 0);
  }
}

function showKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (byId('keys'));
  const here = KEYS.filter(([, name]) => name !== '');
  const rows = here.map(([, name, says]) => element('tr', {},
    element('th', { scope: 'row' }, element('kbd', {}, name)), element('td', {}, says)));
  dialog.replaceChildren(
    element('h2', {}, 'Keys'),
    element('table', {}, ...rows),
    element('button', { type: 'button', click: () => dialog.close() }, 'Close'));
  dialog.showModal();
}

/** Goes to the filter of the list of games. */
function toFilter() {
  if (byId('overview').hidden) {
    goToAddress(addressOf('games', place.startsWith(BOT) ? undefined : query));
    route();
  }
  byId('section-games').scrollIntoView();
  byId('filter').focus();
}

/** What a key does in every view, if anything. @param {string} key */
function common(key) {
  const isBot = view === null && place.startsWith(BOT);
  const leave = isBot ? () => goToAddress('') : undefined;
  return new Map([['?', showKeys], ['/', toFilter], ['Escape', leave]]).get(key);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const { target, key } = event;
  const isText = target instanceof HTMLSelectElement
    || (target instanceof HTMLInputElement && target.type !== 'range');
  const isDialog = /** @type {HTMLDialogElement} */ (byId('keys')).open;
  if (event.ctrlKey || event.altKey || event.metaKey || isText || isDialog) {
    return;
  }
  if (key === ' ' && (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement)) {
    return; // the button is pressed
  }
  const does = common(key);
  does?.();
  if (does !== undefined || (view !== null && viewerKey(event))) {
    event.preventDefault();
  }
}

/**
 * Holds back the load event, so that what prints the page or takes a picture of it when it is
 * loaded gets it drawn: a page is not loaded while a frame in it is. Returns what lets the event
 * come.
 */
function holdLoad() {
  const frame = element('iframe', { hidden: true });
  document.body.append(frame);
  frame.contentDocument?.open();
  return () => {
    frame.contentDocument?.close();
    frame.remove();
  };
}

async function main() {
  const letLoad = holdLoad();
  try {
    await showPage();
  } finally {
    letLoad();
  }
}

async function showPage() {
  showTheme(storedTheme());
  byId('theme').addEventListener('click', nextTheme);
  byId('help').addEventListener('click', showKeys);
  try {
    await readFile();
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const needs = 'It needs a browser of 2024 or later.';
    sayTrouble(`The data of this page cannot be read: ${message}. ${needs}`);
    return;
  }
  drawOverview();
  window.addEventListener('hashchange', route);
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) {
      settleAddress();
    }
  }, true);
  route();
  document.documentElement.dataset.ready = 'true';
  performance.mark('ready');
}

/** Settles when the page is shown. */
export const started = main();
