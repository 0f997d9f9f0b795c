'use strict';
// Starts the page: reads the data, then shows what the address names: `#alice~bob.3/27` is a ply of a game,
// nothing is the table.

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

/** The game and ply that an address names; null for the table. */
function addressed(hash) {
  let text = hash.replace(/^#/, '');
  try {
    text = decodeURIComponent(text);
  } catch {
    // Not an address that this page writes: it is taken as it is.
  }
  const slash = text.lastIndexOf('/');
  const ply = slash < 0 ? '' : text.slice(slash + 1);
  const game = findGame(text) ?? (/^\d+$/.test(ply) ? findGame(text.slice(0, slash)) : undefined);
  if (text === '' || game === undefined) {
    return { game: null, unknown: text };
  }
  return { game, ply: findGame(text) ? null : Number(ply) };
}

/** Shows what the address names. */
function route() {
  clearTimeout(addressTimer);
  const { game, ply, unknown } = addressed(location.hash);
  const trouble = document.getElementById('trouble');
  trouble.hidden = game !== null || unknown === '';
  trouble.textContent = trouble.hidden ? '' : `This page has no game ${visible(unknown)}.`;
  document.getElementById('overview').hidden = game !== null;
  document.getElementById('viewer').hidden = game === null;
  if (game !== null) {
    openGame(game, ply);
  } else if (view !== null) {
    const { game: last } = view.open;
    stop();
    view = null;
    document.getElementById('viewer').replaceChildren();
    const links = Array.from(document.querySelectorAll('#list a'));
    links.find((link) => link.getAttribute('href') === linkTo(last))?.focus();
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

function toFilter() {
  if (view !== null) {
    closeGame();
    route();
  }
  document.getElementById('section-games').scrollIntoView();
  document.getElementById('filter').focus();
}

function onKey(event) {
  const isText = event.target instanceof HTMLInputElement && event.target.type !== 'range';
  const isButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
  if (event.ctrlKey || event.altKey || event.metaKey || isText || document.getElementById('keys').open) {
    return;
  }
  if (event.key === ' ' && isButton) {
    return; // the button is pressed
  }
  const common = { '?': showKeys, '/': toFilter }[event.key];
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
  watchList();
  window.addEventListener('hashchange', route);
  document.addEventListener('keydown', onKey);
  route();
  document.documentElement.dataset.ready = 'true';
  performance.mark('ready');
}

/** Settles when the page is shown. */
const started = main();
