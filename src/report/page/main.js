'use strict';
// Starts the page: reads the data, then shows what the address names.

/** Colours as the system has them, light, dark. */
const THEMES = ['auto', 'light', 'dark'];

function showTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const button = document.getElementById('theme');
  button.textContent = `colours: ${theme}`;
  button.setAttribute('aria-label', `Colours: ${theme}`);
}

/** The colours that the reader chose last; the page may not be allowed to store them. */
function storedTheme() {
  try {
    const theme = localStorage.getItem('arbiter-theme');
    return THEMES.includes(theme) ? theme : THEMES[0];
  } catch {
    return THEMES[0];
  }
}

function nextTheme() {
  const theme = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  showTheme(theme);
  try {
    localStorage.setItem('arbiter-theme', theme);
  } catch {
    // The choice then holds until the page is closed.
  }
}

/** What had the focus when a game was opened. */
let origin = null;

/** Shows what the address names. */
function route() {
  clearTimeout(addressTimer);
  addressDue = null;
  const wanted = addressed(location.hash);
  const { game, ply, unknown } = wanted;
  const shown = game ? 'viewer' : wanted.place?.startsWith(BOT) ? 'bot' : 'overview';
  const trouble = document.getElementById('trouble');
  trouble.hidden = unknown === undefined;
  trouble.textContent = unknown ?? '';
  const left = view?.open.game;
  if (left === undefined) {
    origin = document.activeElement;
  }
  const before = ['overview', 'bot', 'viewer'].find((id) => !document.getElementById(id).hidden);
  ['overview', 'bot', 'viewer'].forEach((id) => {
    document.getElementById(id).hidden = id !== shown;
  });
  document.documentElement.dataset.view = shown;
  nameTab(game ? game.players.join(' against ') : shown === 'bot' ? wanted.place.slice(BOT.length) : '');
  if (game) {
    openGame(game, ply);
    return;
  }
  if (left !== undefined) {
    stop();
    view = null;
    document.getElementById('viewer').replaceChildren();
  }
  place = wanted.place ?? '';
  query = wanted.chosen ?? new URLSearchParams();
  if (shown === 'bot') {
    drawBot(place.slice(BOT.length));
    window.scrollTo(0, 0);
    document.getElementById('bot-heading').focus({ preventScroll: true });
    return;
  }
  showOverview(left, before);
}

/** The title of the page in the browser's tab and history: what is shown, and the title of the whole. */
function nameTab(shown) {
  const whole = document.getElementById('title').textContent;
  document.title = shown === '' ? whole : `${visible(shown)} · ${whole}`;
}

/** Shows the first view: the game that was left, or the part that the address names. */
function showOverview(left, before) {
  if (String(query) !== drawnQuery) {
    drawnQuery = String(query);
    drawTables();
    drawMenu();
    drawList();
  }
  if (showcase.open !== null) {
    showcase.plan();
  }
  if (left !== undefined && origin?.isConnected && origin !== document.body) {
    // Back to where the game was opened; in the list to the game that was shown last.
    const links = origin.closest('#list') === null ? [] : Array.from(document.querySelectorAll('#list a'));
    (links.find((one) => one.getAttribute('href') === linkTo(left)) ?? origin).focus();
  } else if (place !== '') {
    document.getElementById(`section-${place}`)?.scrollIntoView();
  } else if (before !== 'overview') {
    window.scrollTo(0, 0);
  }
}

function showKeys() {
  const dialog = document.getElementById('keys');
  const rows = KEYS.map(([name, says]) =>
    element('tr', {}, element('th', { scope: 'row' }, element('kbd', {}, name)), element('td', {}, says)),
  );
  dialog.replaceChildren(
    element('h2', {}, 'Keys'),
    element('table', {}, ...rows),
    element('button', { type: 'button', click: () => dialog.close() }, 'Close'),
  );
  dialog.showModal();
}

/** Goes to the filter of the list of games. */
function toFilter() {
  if (document.getElementById('overview').hidden) {
    goToAddress(addressOf('games', place.startsWith(BOT) ? undefined : query));
    route();
  }
  document.getElementById('section-games').scrollIntoView();
  document.getElementById('filter').focus();
}

function toTable() {
  goToAddress('');
}

function onKey(event) {
  const isText = event.target instanceof HTMLSelectElement || (event.target instanceof HTMLInputElement && event.target.type !== 'range');
  const isButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
  if (event.ctrlKey || event.altKey || event.metaKey || isText || document.getElementById('keys').open) {
    return;
  }
  if (event.key === ' ' && isButton) {
    return; // the button is pressed
  }
  const common = { '?': showKeys, '/': toFilter, Escape: view === null && place.startsWith(BOT) ? toTable : undefined }[event.key];
  common?.();
  if (common !== undefined || (view !== null && viewerKey(event))) {
    event.preventDefault();
  }
}

/**
 * Holds back the load event, so that what prints the page or takes a picture of it when it is loaded gets it drawn: a
 * page is not loaded while a frame in it is. Returns what lets the event come.
 */
function holdLoad() {
  const frame = element('iframe', { hidden: true });
  document.body.append(frame);
  frame.contentDocument.open();
  return () => {
    frame.contentDocument.close();
    frame.remove();
  };
}

async function main() {
  const loaded = holdLoad();
  try {
    await showPage();
  } finally {
    loaded();
  }
}

async function showPage() {
  showTheme(storedTheme());
  document.getElementById('theme').addEventListener('click', nextTheme);
  document.getElementById('help').addEventListener('click', showKeys);
  try {
    await readFile();
  } catch (error) {
    const trouble = document.getElementById('trouble');
    trouble.hidden = false;
    const needs = 'It needs a browser of 2024 or later.';
    trouble.textContent = `The data of this page cannot be read: ${error.message}. ${needs}`;
    return;
  }
  drawOverview();
  window.addEventListener('hashchange', route);
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', (event) => event.target.closest('a') && settleAddress(), true);
  route();
  document.documentElement.dataset.ready = 'true';
  performance.mark('ready');
}

/** Settles when the page is shown. */
const started = main();
