'use strict';
// Elements, boards and charts. Text of bots becomes text nodes and attributes, never markup; colours and
// sizes are in the style sheet.

const SVG = 'http://www.w3.org/2000/svg';

function withParts(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') {
      made.addEventListener(name, value);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? '' : String(value));
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** An element with attributes (functions are listeners) and children; strings are text. */
function element(name, attributes, ...children) {
  return withParts(document.createElement(name), attributes, children);
}

/** The same of SVG. */
function shape(name, attributes, ...children) {
  return withParts(document.createElementNS(SVG, name), attributes, children);
}

/** Untrusted text; what is invisible in it, or changes the direction of writing, is shown as a code. */
function visible(text) {
  const hidden = /[^\P{C}\u200c\u200d]|[\p{Zl}\p{Zp}]/gu;
  return text.replace(hidden, (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`);
}

/** A bot's name. One without letters can be pointed at too. */
function nameElement(name) {
  const shown = visible(name);
  return element('bdi', { class: 'name' }, shown.trim() === '' ? `“${shown}”` : shown);
}

/** A name, which leads to the bot's page if it is one of the table: a person is not. */
function botLink(name) {
  return !botNames.has(name) ? nameElement(name) : element('a', { href: addressOfBot(name), class: 'bot-link' }, nameElement(name));
}

/** The colour of a side's pieces. */
function colourOf(board, side) {
  return side === (board.light ?? board.white) ? 'light' : 'dark';
}

/** The letter of a side on a piece of its colour. */
function disc(board, side) {
  const colour = colourOf(board, side);
  return element('span', { class: `disc ${colour}`, 'aria-hidden': 'true' }, board.letters[side]);
}

// Numbers.

function fixed(value, digits = 1) {
  const text = value.toFixed(digits);
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
}

function counted(count, noun) {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;
}

/** The least and the greatest of some values; arrays of any length. */
function extremes(values) {
  const both = ([least, most], value) => [Math.min(least, value), Math.max(most, value)];
  return values.reduce(both, [Infinity, -Infinity]);
}

function plies(count) {
  return count === 1 ? '1 ply' : `${count.toLocaleString('en')} plies`;
}

/** A time of a ply: three digits and a unit. */
function timeText(micros) {
  const [value, unit] =
    micros < 1000 ? [micros, 'µs'] : micros < 999_500 ? [micros / 1000, 'ms'] : [micros / 1e6, 's'];
  const digits = value >= 100 || unit === 'µs' ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}

/** The time on a clock. */
function clockText(micros) {
  const tenths = Math.round(micros / 1e5);
  const seconds = Math.floor(tenths / 10);
  const two = (number) => String(number).padStart(2, '0');
  if (seconds >= 3600) {
    return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  }
  const rest = `${seconds % 60}.${tenths % 10}`;
  return seconds < 60 ? rest : `${Math.floor(seconds / 60)}:${rest.padStart(4, '0')}`;
}

// Boards.

/** Where a square is drawn: its column and row, counted from the upper left. */
function placeOf(board, square, turned) {
  const at = turned ? board.squares.length - 1 - square : square;
  return [at % board.columns.length, Math.floor(at / board.columns.length)];
}

/** A board with coordinates and the marks of the last ply, whose `changes` are those of a step. */
function boardPicture(board, cells, changes, turned, label) {
  const { columns, rows } = board;
  const edge = 0.7;
  const picture = shape('svg', {
    class: 'board',
    role: 'img',
    'aria-label': label,
    viewBox: `${-edge} ${-edge} ${columns.length + edge} ${rows.length + edge}`,
  });
  const text = (x, y, words, kind) => shape('text', { x, y, class: kind }, words);
  const shown = (names) => (turned ? [...names].reverse() : names);
  shown(columns).forEach((name, at) => picture.append(text(at + 0.5, -edge / 2, name, 'coordinate')));
  shown(rows).forEach((name, at) => picture.append(text(-edge / 2, at + 0.5, name, 'coordinate')));
  // A square may have changed and have won: the letters of both.
  const marks = new Map();
  changes.forEach(([square, mark]) => {
    const before = marks.get(square) ?? '';
    marks.set(square, mark === 'w' ? `${before}w` : before.replace(/[^w]/, '') + mark);
  });
  cells.forEach((cell, square) => {
    const [x, y] = placeOf(board, square, turned);
    picture.append(
      shape('rect', { x, y, width: 1, height: 1, class: (x + y) % 2 === 0 ? 'square' : 'square other' }),
    );
    picture.append(...squareShapes(board, cell, marks.get(square) ?? '', x, y));
  });
  return picture;
}

/** What is on a square, and what the last ply did there. */
function squareShapes(board, cell, marks, x, y) {
  const shapes = [];
  const mark = marks.replace('w', '');
  if (mark === 'a' || mark === 't') {
    shapes.push(shape('rect', { x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, class: 'moved frame' }));
  }
  const [cx, cy] = [x + 0.5, y + 0.5];
  if (cell === 3) {
    shapes.push(shape('rect', { x: x + 0.1, y: y + 0.1, width: 0.8, height: 0.8, class: 'block' }));
  } else if (cell > 0) {
    const colour = colourOf(board, cellSide(board, cell));
    const changed = mark === 't' || mark === 'r' || mark === 'p' ? ' changed' : '';
    shapes.push(shape('circle', { cx, cy, r: 0.38, class: `piece ${colour}${changed}` }));
    shapes.push(shape('text', { x: cx, y: cy, class: `letter ${colour}` }, cellLetter(board, cell)));
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

/** A small board of four shapes. */
function thumbnail(board, cells) {
  const [width, height] = [board.columns.length, board.rows.length];
  const paths = ['', '', ''];
  cells.forEach((cell, square) => {
    const [x, y] = placeOf(board, square, false);
    if (cell === 3) {
      paths[2] += `M${x + 0.1} ${y + 0.1}h.8v.8h-.8z`;
    } else if (cell > 0) {
      paths[cellSide(board, cell)] += `M${x + 0.12} ${y + 0.5}a.38.38 0 1 1 .76 0a.38.38 0 1 1-.76 0`;
    }
  });
  const kinds = [0, 1].map((side) => `piece ${colourOf(board, side)}`);
  const path = (d, kind) => (d === '' ? null : shape('path', { d, class: kind }));
  return shape(
    'svg',
    { class: 'thumbnail', viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    shape('rect', { width, height, class: 'square' }),
    path(paths[0], kinds[0]),
    path(paths[1], kinds[1]),
    path(paths[2], 'block'),
  );
}

// Charts. They are stretched to the width of the page, so they have lines and no letters; all figures are
// also in the texts beside them.

/** A stretched drawing of 1000 × 100 units. */
function chart(kind, label, ...shapes) {
  return shape(
    'svg',
    {
      class: `chart ${kind}`,
      viewBox: '0 0 1000 100',
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': label,
    },
    ...shapes,
  );
}

function line(x1, y1, x2, y2, kind) {
  return shape('line', { x1, y1, x2, y2, class: kind });
}

/**
 * For each row a name, an interval with its middle, and the figures as text. A row is
 * `{name, low, middle, high, text}`; `low` or `high` is null where the interval has no bound.
 */
function rangeChart(rows, label, scale = (value) => value) {
  const known = rows
    .flatMap((row) => [row.low, row.middle, row.high])
    .filter((value) => value !== null)
    .map(scale);
  const [least, most] = extremes(known);
  const x = (value) => 30 + ((scale(value) - least) / (most - least || 1)) * 940;
  const zero = least < 0 && most > 0 && scale(0) === 0 ? x(0) : null;
  return element(
    'div',
    { class: rows.length > LONG ? 'ranges scroll both' : 'ranges', role: 'list', 'aria-label': label },
    ...rows.map((row) => {
      const [from, to] = [row.low === null ? 0 : x(row.low), row.high === null ? 1000 : x(row.high)];
      const end = (value, at) => (value === null ? null : line(at, 30, at, 70, 'whisker'));
      const drawing = chart(
        'range',
        row.text,
        zero === null ? null : line(zero, 0, zero, 100, 'zero'),
        line(from, 50, to, 50, 'whisker'),
        end(row.low, from),
        end(row.high, to),
        line(x(row.middle), 15, x(row.middle), 85, 'middle'),
      );
      drawing.setAttribute('aria-hidden', 'true');
      return element(
        'div',
        { class: 'row', role: 'listitem' },
        botLink(row.name),
        drawing,
        element('span', { class: 'figures' }, row.text),
      );
    }),
  );
}

/** The number of lines that have a colour of their own. */
const COLOURS = 7;

/**
 * Lines over common steps. A series is `{name, values}`, a value is null where there is none; `steps` are the
 * names of the steps.
 */
function lineChart(series, steps, label, text) {
  const known = series.flatMap(({ values }) => values).filter((value) => value !== null);
  const [least, most] = extremes([0, ...known]);
  const x = (at) => (steps.length < 2 ? 500 : (at / (steps.length - 1)) * 1000);
  const y = (value) => 97 - ((value - least) / (most - least || 1)) * 94;
  const every = Math.max(1, Math.floor(steps.length / 500));
  const shownAt = steps.map((_, at) => at).filter((at) => at % every === 0 || at === steps.length - 1);
  const kind = (at) => `series ${at < COLOURS ? `colour${at}` : 'rest'}`;
  const lines = series.map(({ values }, at) => {
    const points = shownAt
      .filter((step) => values[step] !== null)
      .map((step) => `${x(step)},${y(values[step])}`);
    return shape('polyline', { points: points.join(' '), class: kind(at) });
  });
  const legend = series
    .slice(0, COLOURS)
    .map(({ name, values }, at) =>
      element(
        'li',
        {},
        shape(
          'svg',
          { class: 'key', viewBox: '0 0 24 8', 'aria-hidden': 'true' },
          line(0, 4, 24, 4, kind(at)),
        ),
        nameElement(name),
        ` ${text(values.findLast((value) => value !== null) ?? 0)}`,
      ),
    );
  const rest = series.length - legend.length;
  return element(
    'div',
    { class: 'lines' },
    element('span', { class: 'axis' }, text(most)),
    chart('over', label, line(0, y(0), 1000, y(0), 'zero'), ...lines.reverse()),
    element('span', { class: 'axis' }, text(least)),
    element(
      'p',
      { class: 'steps' },
      element('span', {}, steps[0]),
      element('span', {}, steps[steps.length - 1]),
    ),
    element(
      'ul',
      { class: 'legend' },
      ...legend,
      rest > 0 ? element('li', {}, `and ${rest} more in grey`) : null,
    ),
  );
}
