// @ts-check
// The crosstable. Of many bots it shows the neighbourhood of one in the table, and the whole as a
// picture.

import { addressOfBot, choose, goToAddress, query } from './address.js';
import { table } from './data.js';
import { botLink } from './draw.js';
import { byId, element, section } from './element.js';
import { showGames } from './list.js';
import { counted, fixed, visible } from './text.js';

/** Bots that are shown at the same time, and columns of a part that is printed. */
const [NEIGHBOURS, PRINTED_COLUMNS] = [25, 12];
/** Bots up to which the whole table is printed, and up to which there is a picture. */
const [PRINTED_BOTS, PICTURE] = [100, 2000];

/** Points and numbers of games of each two bots, by their places in the table. */
class Crosstable {
  constructor() {
    const size = table.bots.length;
    this.size = size;
    this.places = new Map(table.bots.map((bot, at) => [bot.name, at]));
    this.points = new Float32Array(size * size);
    this.games = new Uint32Array(size * size);
    for (const { bot, opponent, games, points } of table.crosstable) {
      const [row, column] = this.placesOf(bot, opponent);
      this.put(row, column, points, games);
      this.put(column, row, games - points, games);
    }
  }

  /** @param {...string} bots */
  placesOf(...bots) {
    return bots.map((name) => this.places.get(name) ?? 0);
  }

  /** @param {number} row @param {number} column @param {number} points @param {number} games */
  put(row, column, points, games) {
    this.points[row * this.size + column] = points;
    this.games[row * this.size + column] = games;
  }

  /**
   * Points and games of a bot against another; null if they have not met.
   * @param {number} row
   * @param {number} column
   */
  at(row, column) {
    const at = row * this.size + column;
    return this.games[at] === 0 ? null : { points: this.points[at], games: this.games[at] };
  }

  /** The same in words. @param {number} row @param {number} column */
  text(row, column) {
    const found = this.at(row, column);
    const [one, other] = [row, column].map((place) => visible(table.bots[place].name));
    const score = found === null ? 'no game' : `${found.points} of ${found.games}`;
    return `${one} against ${other}: ${score}`;
  }
}

/** The class of the colour of a score from 0 to 1. @param {number} share */
export const scoreClass = (share) => `score score${Math.round(share * 10)}`;

export function crosstableSection() {
  const { bots } = table;
  if (bots.length < 2) {
    return null;
  }
  if (bots.length > PICTURE) {
    const said = `With ${counted(bots.length, 'bot')} it is too large. ` +
      'The page of a bot has its results against each other.';
    return section('crosstable', 'Crosstable', element('p', {}, said));
  }
  const results = new Crosstable();
  const all = bots.map((_, at) => at);
  const isWhole = bots.length <= NEIGHBOURS;
  const near = Math.max(0, bots.findIndex((bot) => bot.name === query.get('near')));
  const first = Math.min(near - Math.floor(NEIGHBOURS / 2), bots.length - NEIGHBOURS);
  const from = Math.max(0, first);
  const shown = isWhole ? all : all.slice(from, from + NEIGHBOURS);
  const cut = element('div', { class: 'printed-only' });
  // What fits no page is cut into parts when the page is printed.
  window.onbeforeprint = () => {
    const rows = bots.length > PRINTED_BOTS ? shown : all;
    const parts = inParts(rows).map((columns) => crosstable(results, rows, columns));
    cut.replaceChildren(...(rows === all ? [] : [placesText(shown)]), ...parts);
  };
  window.onafterprint = () => cut.replaceChildren();
  const said = 'Points of the row’s bot and the number of games; green where it scored more than ' +
    'half, orange where less. A cell leads to the games.';
  return section('crosstable', 'Crosstable',
    element('p', { class: 'hint' }, said),
    isWhole ? null : neighbourhoodChoice(near, shown),
    element('div', { class: 'screen-only' }, crosstable(results, shown, shown)), cut,
    isWhole ? null : picture(results));
}

/** Places in parts that fit the width of a page. @param {number[]} places */
function inParts(places) {
  const parts = [];
  for (let at = 0; at < places.length; at += PRINTED_COLUMNS) {
    parts.push(places.slice(at, at + PRINTED_COLUMNS));
  }
  return parts;
}

/** Which places of the table are shown. @param {number[]} shown */
function placesText(shown) {
  const [from, to] = [shown[0] + 1, shown[shown.length - 1] + 1];
  return element('span', { class: 'hint' },
    `places ${from} to ${to} of ${table.bots.length}; all of them are in the picture below`);
}

/** Chooses the bot whose neighbourhood is shown. @param {number} near @param {number[]} shown */
function neighbourhoodChoice(near, shown) {
  const choice = element('select', {
    id: 'near',
    change: ({ target }) => {
      choose('near', [target.value], 'crosstable');
      byId('section-crosstable').replaceWith(crosstableSection() ?? '');
      byId('near').focus();
    },
  });
  choice.append(...table.bots.map(({ name, rank }, at) =>
    element('option', { value: name, selected: at === near }, `${rank}. ${visible(name)}`)));
  return element('p', { class: 'tools' },
    element('label', { for: 'near' }, 'Bots near'), choice, placesText(shown));
}

/**
 * The rows and columns of bots at these places.
 * @param {Crosstable} results
 * @param {number[]} rows
 * @param {number[]} columns
 */
function crosstable(results, rows, columns) {
  const { bots } = table;
  /** @param {number} row @param {number} column */
  const cell = (row, column) => {
    const found = results.at(row, column);
    if (found === null) {
      return row === column
        ? element('td', { class: 'self' }) : element('td', { class: 'none' }, '–');
    }
    const label = results.text(row, column);
    const click = () => showGames([bots[row].name, bots[column].name]);
    const attributes = { type: 'button', class: 'cell', 'aria-label': label, title: label, click };
    const games = element('small', {}, `/${found.games}`);
    return element('td', { class: scoreClass(found.points / found.games) },
      element('button', attributes, fixed(found.points), games));
  };
  const lines = rows.map((row) => element('tr', {},
    element('td', { class: 'number place' }, String(bots[row].rank)),
    element('th', { scope: 'row', class: 'bot' }, botLink(bots[row].name)),
    ...columns.map((column) => cell(row, column))));
  const heads = columns.map((column) =>
    element('th', { scope: 'col', class: 'upright' }, botLink(bots[column].name)));
  const listeners = { pointerover: lightColumn, pointerleave: lightColumn };
  const made = element('table', { class: 'crosstable', ...listeners },
    element('thead', {}, element('tr', {},
      element('td', { class: 'place' }),
      element('th', { scope: 'col', class: 'bot' }, 'bot'), ...heads)),
    element('tbody', {}, ...lines));
  const region = { tabindex: 0, role: 'region', 'aria-label': 'Crosstable' };
  return element('div', { class: 'scroll both', ...region }, made);
}

/** Lights the column of the cell that is pointed at; its row has `:hover`. @param {any} event */
function lightColumn({ type, target, currentTarget }) {
  const at = type === 'pointerleave' ? -1 : target.closest('td, th')?.cellIndex ?? -1;
  for (const row of currentTarget.rows) {
    for (const cell of row.cells) {
      cell.classList.toggle('lit', at > 1 && cell.cellIndex === at);
    }
  }
}

/**
 * The whole table, a point for each two bots; a click leads to their games.
 * @param {Crosstable} results
 */
function picture(results) {
  const { size } = results;
  const drawing = element('canvas', {
    id: 'crosstable-picture',
    width: size,
    height: size,
    role: 'img',
    'aria-label': 'Crosstable of all bots',
  });
  paint(drawing, results);
  const usual = `All ${size} bots in the order of the table: ` +
    'a row for each, a point for each opponent.';
  const said = element('figcaption', { class: 'hint', id: 'pointed' }, usual);
  /** The row and the column that are pointed at. @param {MouseEvent} event */
  const pointed = ({ clientX, clientY }) => {
    const { left, top, width, height } = drawing.getBoundingClientRect();
    return [(clientY - top) / height, (clientX - left) / width].map((share) =>
      Math.max(0, Math.min(size - 1, Math.floor(share * size))));
  };
  drawing.addEventListener('pointermove', (event) => {
    const [row, column] = pointed(event);
    said.textContent = results.text(row, column);
  });
  drawing.addEventListener('pointerleave', () => {
    said.textContent = usual;
  });
  drawing.addEventListener('click', (event) => {
    const [row, column] = pointed(event);
    const against = row === column ? null : table.bots[column].name;
    goToAddress(addressOfBot(table.bots[row].name, against));
  });
  return element('figure', { class: 'picture' }, drawing, said);
}

/** @param {HTMLCanvasElement} drawing @param {Crosstable} results */
function paint(drawing, results) {
  const context = drawing.getContext('2d');
  const pixels = context?.createImageData(results.size, results.size);
  if (!context || !pixels) {
    return; // a browser without graphics
  }
  for (const { bot, opponent } of table.crosstable) {
    const [one, other] = results.placesOf(bot, opponent);
    for (const [row, column] of [[one, other], [other, one]]) {
      const found = results.at(row, column);
      const share = found === null ? 0.5 : found.points / found.games;
      const grey = [128, 128, 128, 60];
      const depth = Math.round(Math.abs(share - 0.5) * 510);
      const colour = share < 0.5 ? [213, 94, 0, depth] : [0, 122, 89, depth];
      pixels.data.set(share === 0.5 ? grey : colour, 4 * (row * results.size + column));
    }
  }
  context.putImageData(pixels, 0, 0);
}
