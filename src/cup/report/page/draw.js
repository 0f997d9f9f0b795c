// @ts-check
// What is drawn in several places: names, boards and charts.

/** @import { Board, Change, Child, Interval, Mark, Series } from './types' */
import { addressOfBot } from './address.js';
import { botNames, cellLetter, cellSide } from './data.js';
import { element, shape } from './element.js';
import { visible } from './text.js';

/** A bot's name. One without letters can be pointed at too. @param {string} name */
export function nameElement(name) {
  const shown = visible(name);
  return element('bdi', { class: 'name' }, shown.trim() === '' ? `“${shown}”` : shown);
}

/**
 * A name, which leads to the bot's page if it is one of the table: a person is not.
 * @param {string} name
 */
export function botLink(name) {
  const shown = nameElement(name);
  const href = addressOfBot(name);
  return botNames.has(name) ? element('a', { href, class: 'bot-link' }, shown) : shown;
}

/** The display name of a bot, if it has one. @param {{ display?: string }} bot */
export function displayName({ display }) {
  return display ? element('bdi', { class: 'display' }, ` ${visible(display)}`) : null;
}

/** The colour of a side's pieces. @param {Board} board @param {number} side */
export function colourOf({ light, white }, side) {
  return side === (light ?? white) ? 'light' : 'dark';
}

/** The letter of a side on a piece of its colour. @param {Board} board @param {number} side */
export function disc(board, side) {
  const kind = `disc ${colourOf(board, side)}`;
  return element('span', { class: kind, 'aria-hidden': 'true' }, board.letters[side]);
}

// Boards.

/**
 * Where a square is drawn: its column and row, counted from the upper left.
 * @param {Board} board
 * @param {number} square
 */
function placeOf({ columns, squares }, square, isTurned = false) {
  const at = isTurned ? squares.length - 1 - square : square;
  return [at % columns.length, Math.floor(at / columns.length)];
}

/**
 * A board with coordinates, the marks of the last ply, and further ones.
 * @param {Board} board
 * @param {Uint8Array} cells
 * @param {Change[]} changes
 * @param {boolean} isTurned
 * @param {string} label
 * @param {Mark[]} others
 */
export function boardPicture(board, cells, changes, isTurned, label, others = []) {
  const { columns, rows } = board;
  const edge = 0.7;
  const picture = shape('svg', {
    class: 'board',
    role: 'img',
    'aria-label': label,
    viewBox: `${-edge} ${-edge} ${columns.length + edge} ${rows.length + edge}`,
  });
  /** @param {number} x @param {number} y @param {string} words */
  const coordinate = (x, y, words) => {
    picture.append(shape('text', { x, y, class: 'coordinate' }, words));
  };
  /** @param {string[]} names */
  const inOrder = (names) => (isTurned ? [...names].reverse() : names);
  inOrder(columns).forEach((name, at) => coordinate(at + 0.5, -edge / 2, name));
  inOrder(rows).forEach((name, at) => coordinate(-edge / 2, at + 0.5, name));
  // A square may have changed and have won: the letters of both.
  /** @type {Map<number, string>} */
  const marks = new Map();
  for (const [square, mark] of [...changes, ...others]) {
    const before = marks.get(square) ?? '';
    marks.set(square, mark === 'w' ? `${before}w` : before.replace(/[^w]/, '') + mark);
  }
  cells.forEach((cell, square) => {
    const [x, y] = placeOf(board, square, isTurned);
    const kind = (x + y) % 2 === 0 ? 'square' : 'square other';
    picture.append(shape('rect', { x, y, width: 1, height: 1, class: kind }));
    picture.append(...squareShapes(board, cell, marks.get(square) ?? '', x, y));
  });
  const ends = ['l', 'at'].map((letters) => changes.find(([, mark]) => letters.includes(mark)));
  const [from, to] = ends.map((change) => change && placeOf(board, change[0], isTurned));
  if (from && to) {
    picture.append(arrow(from, to));
  }
  return picture;
}

/**
 * An arrow from a square to the edge of a piece on another.
 * @param {number[]} from
 * @param {number[]} to
 */
function arrow([fromX, fromY], [toX, toY]) {
  const length = Math.hypot(toX - fromX, toY - fromY);
  const [dx, dy] = [(toX - fromX) / length, (toY - fromY) / length];
  const tip = length - 0.38;
  // Along the arrow and across it: the shaft, then the head.
  const corners = [
    [0, 0.06], [tip - 0.3, 0.06], [tip - 0.3, 0.2], [tip, 0],
    [tip - 0.3, -0.2], [tip - 0.3, -0.06], [0, -0.06],
  ];
  const points = corners.map(([along, across]) => {
    const [x, y] = [along * dx - across * dy, along * dy + across * dx];
    return `${(fromX + 0.5 + x).toFixed(2)},${(fromY + 0.5 + y).toFixed(2)}`;
  });
  return shape('polygon', { points: points.join(' '), class: 'moved arrow' });
}

/**
 * What is on a square, and what the last ply did there.
 * @param {Board} board
 * @param {number} cell
 * @param {string} marks
 * @param {number} x
 * @param {number} y
 */
function squareShapes(board, cell, marks, x, y) {
  const shapes = [];
  const mark = marks.replace('w', '');
  /** @param {number} inset @param {string} kind */
  const square = (inset, kind) => {
    const [width, height] = [1 - 2 * inset, 1 - 2 * inset];
    return shape('rect', { x: x + inset, y: y + inset, width, height, class: kind });
  };
  if (mark === 'a' || mark === 't') {
    shapes.push(square(0.04, 'moved frame'));
  }
  const [cx, cy] = [x + 0.5, y + 0.5];
  if (cell === 3) {
    shapes.push(square(0.1, 'block'));
  } else if (cell > 0) {
    const colour = colourOf(board, cellSide(board, cell));
    const changed = mark === 't' || mark === 'r' || mark === 'p' ? ' changed' : '';
    shapes.push(shape('circle', { cx, cy, r: 0.38, class: `piece ${colour}${changed}` }));
    const letter = cellLetter(board, cell);
    shapes.push(shape('text', { x: cx, y: cy, class: `letter ${colour}` }, letter));
  } else if (mark === 'l' || mark === 'f') {
    shapes.push(shape('circle', { cx, cy, r: 0.12, class: 'moved dot' }));
  } else if (mark === 'o') {
    shapes.push(shape('text', { x: cx, y: cy, class: 'off' }, '×'));
  }
  if (marks.includes('w')) {
    const corners = 'v.28l.28-.28zm1 0v.28l-.28-.28zm0 1v-.28l-.28.28zm-1 0v-.28l.28.28z';
    shapes.push(shape('path', { d: `M${x} ${y}${corners}`, class: 'won' }));
  }
  return shapes;
}

/** A small board of four shapes. @param {Board} board @param {Uint8Array} cells */
export function thumbnail(board, cells) {
  const [width, height] = [board.columns.length, board.rows.length];
  const paths = ['', '', ''];
  cells.forEach((cell, square) => {
    const [x, y] = placeOf(board, square);
    if (cell === 3) {
      paths[2] += `M${x + 0.1} ${y + 0.1}h.8v.8h-.8z`;
    } else if (cell > 0) {
      const circle = `M${x + 0.12} ${y + 0.5}a.38.38 0 1 1 .76 0a.38.38 0 1 1-.76 0`;
      paths[cellSide(board, cell)] += circle;
    }
  });
  const kinds = [...[0, 1].map((side) => `piece ${colourOf(board, side)}`), 'block'];
  const viewBox = `0 0 ${width} ${height}`;
  return shape('svg', { class: 'thumbnail', viewBox, 'aria-hidden': 'true' },
    shape('rect', { width, height, class: 'square' }),
    ...paths.map((d, at) => (d === '' ? null : shape('path', { d, class: kinds[at] }))));
}

// Charts. They are stretched to the width of the page, so they have lines and no letters; all
// figures are also in the texts beside them.

/**
 * A stretched drawing of 1000 × 100 units.
 * @param {string} kind
 * @param {string} label
 * @param {...Child} shapes
 */
export function chart(kind, label, ...shapes) {
  const box = { viewBox: '0 0 1000 100', preserveAspectRatio: 'none' };
  const attributes = { class: `chart ${kind}`, ...box, role: 'img', 'aria-label': label };
  return shape('svg', attributes, ...shapes);
}

/**
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @param {string} kind
 */
export function line(x1, y1, x2, y2, kind) {
  return shape('line', { x1, y1, x2, y2, class: kind });
}

/** The least and the greatest of any number of values. @param {Series} values */
export function extremes(values) {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value ?? Infinity);
    most = Math.max(most, value ?? -Infinity);
  }
  return [least, most];
}

/** Rows above which what has rows scrolls in its own box. */
export const LONG = 30;

/**
 * For each row a name, an interval with its middle, and the figures as text.
 * @param {Interval[]} rows
 * @param {string} label
 */
export function rangeChart(rows, label, scale = (/** @type {number} */ value) => value) {
  const bounds = rows.flatMap(({ low, middle, high }) => [low, middle, high]);
  const [least, most] = extremes(bounds).map(scale);
  /** @param {number} value */
  const x = (value) => 30 + ((scale(value) - least) / (most - least || 1)) * 940;
  const zero = least < 0 && most > 0 && scale(0) === 0 ? line(x(0), 0, x(0), 100, 'zero') : null;
  const lines = rows.map(({ name, low, middle, high, text }) => {
    const [from, to] = [low === null ? 0 : x(low), high === null ? 1000 : x(high)];
    const drawing = chart('range', text, zero?.cloneNode(),
      line(from, 50, to, 50, 'whisker'),
      low === null ? null : line(from, 30, from, 70, 'whisker'),
      high === null ? null : line(to, 30, to, 70, 'whisker'),
      line(x(middle), 15, x(middle), 85, 'middle'));
    drawing.setAttribute('aria-hidden', 'true');
    return element('div', { class: 'row', role: 'listitem' },
      botLink(name), drawing, element('span', { class: 'figures' }, text));
  });
  const kind = rows.length > LONG ? 'ranges scroll both' : 'ranges';
  return element('div', { class: kind, role: 'list', 'aria-label': label }, ...lines);
}

/** The number of lines that have a colour of their own. */
export const COLOURS = 7;

/**
 * Lines over common steps, whose names are `steps`.
 * @param {{ name: string, values: Series }[]} series
 * @param {string[]} steps
 * @param {string} label
 * @param {(value: number) => string} text
 */
export function lineChart(series, steps, label, text) {
  const [least, most] = extremes([0, ...series.flatMap(({ values }) => values)]);
  /** @param {number} at */
  const x = (at) => (steps.length < 2 ? 500 : (at / (steps.length - 1)) * 1000);
  /** @param {number} value */
  const y = (value) => 97 - ((value - least) / (most - least || 1)) * 94;
  const every = Math.max(1, Math.floor(steps.length / 500));
  const last = steps.length - 1;
  /** @param {number} at */
  const kind = (at) => `series ${at < COLOURS ? `colour${at}` : 'rest'}`;
  const lines = series.map(({ values }, at) => {
    const points = values.flatMap((value, step) =>
      value !== null && (step % every === 0 || step === last) ? [`${x(step)},${y(value)}`] : []);
    return shape('polyline', { points: points.join(' '), class: kind(at) });
  });
  const legend = series.slice(0, COLOURS).map(({ name, values }, at) => {
    const key = { class: 'key', viewBox: '0 0 24 8', 'aria-hidden': 'true' };
    const value = values.findLast((known) => known !== null) ?? 0;
    return element('li', {},
      shape('svg', key, line(0, 4, 24, 4, kind(at))), nameElement(name), ` ${text(value)}`);
  });
  const rest = series.length - legend.length;
  return element('div', { class: 'lines' },
    element('span', { class: 'axis' }, text(most)),
    chart('over', label, line(0, y(0), 1000, y(0), 'zero'), ...lines.reverse()),
    element('span', { class: 'axis' }, text(least)),
    element('p', { class: 'steps' },
      element('span', {}, steps[0]), element('span', {}, steps[last])),
    element('ul', { class: 'legend' },
      ...legend, rest > 0 ? element('li', {}, `and ${rest} more in grey`) : null));
}
