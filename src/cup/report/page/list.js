// @ts-check
// The list of games and its filter. The address has the filter (`filter`) and the bots whose games
// are shown (`bot`).

/** @import { Game } from './types' */
import { choose, gameName, linkTo, query } from './address.js';
import { counts, endText, finalCells, games, scoreText, winner } from './data.js';
import { botLink, nameElement, thumbnail } from './draw.js';
import { byId, element, section } from './element.js';
import { counted, plies, visible } from './text.js';

/** Games that the list shows at first, and that a press of its button adds. */
const [FIRST_ROWS, MORE_ROWS] = [24, 240];

/** Results by the words for them. @type {Record<string, string>} */
const RESULTS = { '1-0': '1-0', '0-1': '0-1', '1/2': '1/2-1/2', '1/2-1/2': '1/2-1/2', '*': '*' };

/** @param {string} text */
const wordsOf = (text) => text.split(/\s+/).filter((word) => word !== '');
const filterText = () => query.get('filter') ?? '';

/**
 * A filter as in `arbiter replay`: every word must hold. `>50` and `<20` are about the number of
 * plies, `1-0`, `0-1`, `1/2-1/2` or `1/2`, and `*` about the result as the list shows it; any other
 * word is part of a name, the end, or the id.
 * @param {string} text
 */
export function filterOf(text) {
  const tests = wordsOf(text).map(wordTest);
  return (/** @type {Game} */ game) => tests.every((holds) => holds(game));
}

/** @param {string} word @returns {(game: Game) => boolean} */
function wordTest(word) {
  const [, sign, number] = /^([<>])(\d*)$/.exec(word) ?? [];
  if (number === '') {
    return () => true; // a number is still to be typed
  }
  if (sign !== undefined) {
    return ({ plies }) => (sign === '>' ? plies > Number(number) : plies < Number(number));
  }
  if (Object.hasOwn(RESULTS, word)) {
    return (game) => scoreText(game) === RESULTS[word];
  }
  const part = word.toLowerCase();
  return ({ players, outcome, termination, id, more }) =>
    [...players, outcome, termination, id, more.sent?.[0]].some((field) =>
      field?.toLowerCase().includes(part));
}

/** The games that the list shows, in their order. */
export function chosenGames() {
  const passes = filterOf(filterText());
  const bots = query.getAll('bot');
  return games.filter((game) => bots.every((name) => game.players.includes(name)) && passes(game));
}

/** Chooses a filter, and draws the list. @param {string} filter */
function chooseFilter(filter) {
  choose('filter', filter === '' ? [] : [filter], 'games');
  drawList();
}

/** Shows the list with the games of these bots that pass a filter. @param {string[]} bots */
export function showGames(bots, filter = filterText()) {
  choose('bot', bots);
  chooseFilter(filter);
  byId('section-games').scrollIntoView();
  byId(bots.length > 0 ? 'everything' : 'filter').focus();
}

/** The words that the filter understands, as buttons that put them in or take them out. */
function filterWords() {
  const ends = new Set(games.flatMap(({ outcome, termination }) => [outcome, termination]));
  const found = new Set(games.map(scoreText));
  const results = ['1-0', '0-1', '1/2', '*'].filter((word) => found.has(RESULTS[word]));
  const known = [...results, ...[...ends].sort()].filter((word) => /^\S+$/.test(word));
  return known.map((word) => {
    const click = () => {
      const words = wordsOf(filterText());
      const others = words.filter((other) => other !== word);
      const isIn = others.length < words.length;
      showGames(query.getAll('bot'), (isIn ? others : [...words, word]).join(' '));
    };
    const attributes = { type: 'button', class: 'word', 'data-word': word, click };
    return element('button', attributes, visible(word));
  });
}

export function gamesSection() {
  const filter = element('input', {
    id: 'filter',
    type: 'search',
    placeholder: 'words that must all hold',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'filter-words',
    keydown: ({ key }) => key === 'Enter' && byId('list').querySelector('a')?.focus(),
    input: ({ target }) => chooseFilter(target.value),
  });
  const leftOut = `This page shows the first ${counted(games.length, 'game')} and leaves out ` +
    `${counts.leftOut.toLocaleString('en')} that came after them. The table counts all.`;
  return section('games', 'Games',
    element('p', { class: 'tools' },
      element('label', { for: 'filter' }, 'Filter '), filter,
      element('span', { id: 'pair' }), element('span', { id: 'found', role: 'status' })),
    element('p', { class: 'printed-only', id: 'chosen' }),
    element('p', { class: 'tools words', id: 'filter-words' },
      'part of a name or an id, ', element('code', {}, '>50'), ' or ', element('code', {}, '<20'),
      ' plies, results with who moves first in front, and ends: ',
      element('span', { id: 'words', class: 'tools' })),
    counts.leftOut > 0 ? element('p', { class: 'warning', id: 'left-out' }, leftOut) : null,
    element('ol', { id: 'list', class: 'games' }),
    element('p', { id: 'more' }));
}

/** Shows the games of the filter, at least so many at first, more when they are asked for. */
export function drawList(least = FIRST_ROWS) {
  const found = chosenGames();
  const bots = query.getAll('bot');
  const filter = /** @type {HTMLInputElement} */ (byId('filter'));
  const wanted = filterText();
  if (filter.value !== wanted) {
    filter.value = wanted;
  }
  const words = wordsOf(wanted);
  const known = byId('words');
  if (known.dataset.games !== String(games.length)) {
    known.dataset.games = String(games.length);
    known.replaceChildren(...filterWords());
  }
  for (const button of known.querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String(words.includes(button.dataset.word ?? '')));
  }
  const everything = element('button',
    { type: 'button', id: 'everything', click: () => showGames([]) }, 'all bots');
  byId('pair').replaceChildren(
    ...bots.flatMap((name, at) => [at === 0 ? 'of ' : ' against ', botLink(name)]),
    ...(bots.length === 0 ? [] : [' ', everything]));
  const all = counted(games.length, 'game');
  const said = found.length === games.length ? all : `${found.length} of ${all}`;
  byId('found').textContent = said;
  // What the tools say is not printed.
  const isAll = bots.length === 0 && words.length === 0;
  const chosen = visible([bots.join(' against '), wanted].join(' '));
  byId('chosen').textContent = isAll ? '' : `${chosen}: ${said}`;
  fillList(byId('list'), byId('more'), found.length, (at) => gameRow(found[at]),
    Math.max(least, FIRST_ROWS));
}

/**
 * Fills a list with its first rows, and its foot with a button for more of `count`.
 * @param {HTMLElement} list
 * @param {HTMLElement} foot
 * @param {number} count
 * @param {(at: number) => Node} row
 */
export function fillList(list, foot, count, row, first = FIRST_ROWS) {
  /** @param {number} many */
  const add = (many) => {
    const from = list.children.length;
    const to = Math.min(count, from + many);
    list.append(...Array.from({ length: to - from }, (_, at) => row(from + at)));
    const left = `Show more: ${(count - to).toLocaleString('en')} left`;
    const more = element('button', { type: 'button', click: () => add(MORE_ROWS) }, left);
    foot.replaceChildren(...(to < count ? [more] : []));
  };
  list.replaceChildren();
  add(first);
}

/** @param {Game} game */
export function gameRow(game) {
  const won = winner(game);
  /** @param {number} side */
  const player = (side) => {
    const bot = nameElement(game.players[side]);
    bot.classList.toggle('won', won === side);
    return bot;
  };
  const score = element('b', { class: 'score' }, scoreText(game));
  const how = game.outcome === 'forfeit' ? 'how forfeit' : 'how';
  return element('li', {},
    element('a', { href: linkTo(game) },
      thumbnail(game.board, finalCells(game)),
      element('span', { class: 'who' }, player(0), score, player(1)),
      element('span', { class: how }, visible(endText(game))),
      element('span', { class: 'length' }, plies(game.plies)),
      element('span', { class: 'id' }, visible(gameName(game)))));
}
