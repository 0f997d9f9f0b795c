// @ts-check
// The graphs over the plies of a game.

/** @import { OpenGame } from './data.js' */
/** @import { Series } from './types' */
import { quantile } from './charts.js';
import { chart, colourOf, line, nameElement } from './draw.js';
import { element, shape } from './element.js';
import { timeText } from './text.js';

/** @param {number} ply @param {number} count */
export const graphX = (ply, count) => (count === 0 ? 0 : (ply / count) * 1000);

/**
 * Evaluation, depth and time, as far as they are known, with a mark where a bot forfeited.
 * A click goes to a ply.
 * @param {OpenGame} open
 * @param {(ply: number) => void} go
 */
export function graphs(open, go) {
  const { depths = [], scores = [] } = open.game.more;
  const times = open.steps.map(({ micros }) => micros);
  return [
    graph(open, go, 'Evaluation', scores, true, String),
    graph(open, go, 'Depth', depths, false, String),
    graph(open, go, 'Time per move', times, false, timeText),
  ];
}

/** How far the evaluations of won games are beyond all others. */
const BEYOND = 8;

/**
 * The largest of some sizes, in ascending order, below those that are far beyond all others; else
 * the largest.
 * @param {number[]} sizes
 */
function largestUsual(sizes) {
  const half = Math.floor(sizes.length / 2);
  const gap = sizes.findLastIndex((size, at) =>
    at > half && size > BEYOND * sizes[at - 1] && sizes[at - 1] > 0);
  return sizes[gap < 0 ? sizes.length - 1 : gap - 1];
}

/**
 * A graph of values; null if none is known.
 * @param {OpenGame} open
 * @param {(ply: number) => void} go
 * @param {string} title
 * @param {Series} values
 * @param {boolean} isLine
 * @param {(value: number) => string} text
 */
function graph(open, go, title, values, isLine, text) {
  const count = open.steps.length;
  const known = values.filter((value) => value !== null);
  if (known.length === 0) {
    return null;
  }
  const sizes = known.map(Math.abs).sort((one, other) => one - other);
  const most = sizes[sizes.length - 1];
  const top = isLine ? largestUsual(sizes) : most;
  // Evaluations: nearly linear up to twice the usual value, so that huge ones do not flatten the
  // others; and what is beyond the scale is drawn at its edge.
  const unit = 2 * quantile(sizes, 0.5) || 1;
  const edge = (top === most ? 1 : 1.15) * Math.asinh(top / unit);
  /** @param {number} value */
  const scale = (value) =>
    isLine ? Math.sign(value) * Math.min(Math.asinh(Math.abs(value) / unit), edge) : value;
  const least = known.some((value) => value < 0) ? scale(-most) : 0;
  /** @param {number} value */
  const y = (value) => 97 - ((scale(value) - least) / (scale(most) - least || 1)) * 94;
  const bounds = top === most ? [] : [top, -top].filter((value) => scale(value) >= least);
  const levels = [0, ...bounds].map((value) => line(0, y(value), 1000, y(value), 'zero'));
  const drawn = [0, 1].map((side) => {
    const colour = colourOf(open.board, side);
    const own = values.flatMap((value, at) =>
      value !== null && open.steps[at].side === side ? [{ value, at }] : []);
    if (isLine) {
      const points = own.map(({ value, at }) => `${graphX(at + 1, count)},${y(value)}`);
      return shape('polyline', { points: points.join(' '), class: `series ${colour}` });
    }
    const bars = own.map(({ value, at }) =>
      `M${graphX(at, count)} 100V${y(value)}H${graphX(at + 1, count)}V100z`);
    return shape('path', { d: bars.join(''), class: `bar ${colour}` });
  });
  const { game } = open;
  const isForfeit = game.outcome === 'forfeit';
  const drawing = chart('graph', `${title} by ply`, ...levels, ...drawn,
    isForfeit ? line(1000, 0, 1000, 100, 'forfeit-mark') : null,
    line(0, 0, 0, 100, 'cursor'));
  drawing.addEventListener('click', ({ clientX }) => {
    const { left, width } = drawing.getBoundingClientRect();
    go(Math.round(((clientX - left) / width) * count));
  });
  /** @param {number} side */
  const key = (side) => element('span', { class: `key ${colourOf(game.board, side)}` },
    `${game.board.letters[side]} `, nameElement(game.players[side]));
  const caption = element('figcaption', {}, element('b', {}, title), ' ', key(0), ' ', key(1),
    isForfeit ? element('span', { class: 'key forfeit' }, game.termination) : null,
    element('span', { class: 'most' }, `up to ${text(top)}`));
  return element('figure', {}, caption, drawing);
}
