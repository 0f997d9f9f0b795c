// @ts-check
// Charts of the tournament: ratings, points by round, ratings by run, times and lengths.

/** @import { Bot, Interval } from './types' */
import { countedGames, scoreOf, table } from './data.js';
import { lineChart, rangeChart } from './draw.js';
import { element, section } from './element.js';
import { ofThisPage } from './tables.js';
import { elo, fixed, intervalText, timeText, visible } from './text.js';

export function ratingsSection() {
  const rated = table.bots.filter(({ rating }) => rating.rating !== null);
  const groups = Map.groupBy(rated, ({ rating }) => rating.group);
  if (groups.size === 0) {
    return null;
  }
  const inOrder = [...groups].sort(([one], [other]) => one - other);
  const charts = inOrder.map(([group, bots]) => {
    const rows = bots.map(ratingRow);
    rows.sort((one, other) => other.middle - one.middle);
    return rangeChart(rows, groups.size > 1 ? `Ratings of group ${group}` : 'Ratings');
  });
  const said = 'Elo with its 95 % interval. We add one virtual draw per bot, so that every bot ' +
    'has a rating.';
  return section('ratings', 'Ratings', element('p', { class: 'hint' }, said), ...charts);
}

/** @param {Bot} bot @returns {Interval} */
function ratingRow({ name, rating }) {
  const { low, rating: known, high } = rating;
  const middle = known ?? 0;
  return { name, low, middle, high, text: `${elo(middle)}  (${intervalText(rating)})` };
}

/** Points of each bot after each round, in the order of the table. */
export function roundsSection() {
  const places = new Map(table.bots.map((bot, place) => [bot.name, place]));
  const played = countedGames().filter(({ result }) => result !== '*');
  const rounds = [...Map.groupBy(played, roundOf)];
  if (rounds.length < 2) {
    return null;
  }
  const sums = table.bots.map(() => 0);
  const series = table.bots.map(({ name }) => ({ name, values: /** @type {number[]} */ ([]) }));
  for (const [, games] of rounds) {
    for (const game of games) {
      game.players.forEach((name, side) => {
        sums[places.get(name) ?? 0] += scoreOf(game, side) / 2;
      });
    }
    sums.forEach((sum, place) => series[place].values.push(sum));
  }
  const steps = rounds.map(([round]) => `round ${visible(round)}`);
  const label = 'Points of each bot after each round';
  return section('rounds', 'Points by round', ofThisPage(), lineChart(series, steps, label, fixed));
}

/** The round of a game without its pairing in the round. @param {{ round: string }} game */
export const roundOf = ({ round }) => round.split('.')[0];

/** The day of a run. @param {{ time: string }} run */
export const dayOf = ({ time }) => time.slice(0, 10);

/** The ratings after each run, the nights of a league. */
export function historySection() {
  const runs = table.history;
  if (runs.length < 2) {
    return null;
  }
  const series = table.bots.map(({ name }) => ({
    name,
    values: runs.map(({ bots }) => bots.find((bot) => bot.name === name)?.rating ?? null),
  }));
  const chart = lineChart(series, runs.map(dayOf), 'Rating of each bot after each run', elo);
  return section('history', 'Ratings by run', chart);
}

/** The value below which this share of sorted values is. @param {ArrayLike<number>} sorted */
export function quantile(sorted, /** @type {number} */ share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** The scale of times. @param {number} micros */
const logarithm = (micros) => Math.log10(micros + 1);

/**
 * Rows of the median of values with the middle 90 %, without those that have no values.
 * @param {[name: string, values: number[]][]} rows
 * @param {(value: number) => string} text
 */
function medianRows(rows, text) {
  return rows.filter(([, values]) => values.length > 0).map(([name, values]) => {
    const sorted = Float64Array.from(values).sort();
    const [low, middle, high] = [0.05, 0.5, 0.95].map((share) => quantile(sorted, share));
    const most = text(sorted[sorted.length - 1]);
    const said = `${text(middle)}  (${text(low)} … ${text(high)}, at most ${most})`;
    return { name, low, middle, high, text: said };
  });
}

/**
 * A chart of times per ply; null if none is known.
 * @param {[name: string, micros: number[]][]} rows
 */
export function timeChart(rows) {
  const known = medianRows(rows, timeText);
  return known.length === 0 ? null : rangeChart(known, 'Time per move', logarithm);
}

/** A chart of plies per game. @param {[name: string, plies: number[]][]} rows */
export const lengthChart = (rows) => rangeChart(medianRows(rows, String), 'Plies per game');

export function timesSection() {
  const played = countedGames();
  if (played.length === 0) {
    return null;
  }
  /** @returns {Map<string, number[]>} */
  const ofEachBot = () => new Map(table.bots.map(({ name }) => [name, []]));
  const [times, lengths] = [ofEachBot(), ofEachBot()];
  for (const game of played) {
    for (const name of game.players) {
      lengths.get(name)?.push(game.plies);
    }
    game.times((side, micros) => times.get(game.players[side])?.push(micros));
  }
  const chart = timeChart([...times]);
  return section('times', 'Time and length',
    element('p', { class: 'hint' }, 'Median with the range of the middle 90 %.'), ofThisPage(),
    ...(chart === null ? [] : [element('h3', {}, 'Time per move'), chart]),
    element('h3', {}, 'Plies per game'), lengthChart([...lengths]));
}
