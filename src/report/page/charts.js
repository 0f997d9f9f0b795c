'use strict';
// Charts of the tournament: ratings, points by round, ratings by run, times and lengths.

function ratingsSection() {
  const rated = table.bots.filter((bot) => bot.rating.rating !== null);
  if (rated.length === 0) {
    return null;
  }
  const groups = [...new Set(rated.map((bot) => bot.rating.group))].sort((one, other) => one - other);
  const charts = groups.map((group) => {
    const rows = rated
      .filter((bot) => bot.rating.group === group)
      .map(({ name, rating }) => ({
        name,
        low: rating.low,
        middle: rating.rating,
        high: rating.high,
        text: `${signed(rating.rating)}  (${intervalText(rating)})`,
      }));
    rows.sort((one, other) => other.middle - one.middle);
    return rangeChart(rows, groups.length > 1 ? `Ratings of group ${group}` : 'Ratings');
  });
  return section(
    'ratings',
    'Ratings',
    element(
      'p',
      { class: 'hint' },
      'Elo with its 95 % interval. Each bot gets one drawn game that was not played, ' +
        'so that a rating exists for every bot and is on average neither too large nor too small.',
    ),
    ...charts,
  );
}

/** Points of each bot after each round, in the order of the table. */
function roundsSection() {
  const rounds = new Map();
  const places = new Map(table.bots.map((bot, place) => [bot.name, place]));
  for (const game of countedGames()) {
    if (game.result === '*') {
      continue;
    }
    const round = game.round.split('.')[0];
    if (!rounds.has(round)) {
      rounds.set(round, new Float64Array(table.bots.length));
    }
    const won = winner(game);
    game.players.forEach((name, side) => {
      rounds.get(round)[places.get(name)] += won < 0 ? 0.5 : won === side ? 1 : 0;
    });
  }
  if (rounds.size < 2) {
    return null;
  }
  const sums = table.bots.map(() => 0);
  const values = table.bots.map(() => []);
  for (const points of rounds.values()) {
    sums.forEach((_, place) => values[place].push((sums[place] += points[place])));
  }
  const series = table.bots.map((bot, place) => ({ name: bot.name, values: values[place] }));
  const steps = [...rounds.keys()].map((round) => `round ${visible(round)}`);
  return section(
    'rounds',
    'Points by round',
    ofThisPage(),
    lineChart(series, steps, 'Points of each bot after each round', fixed),
  );
}

/** The ratings after each run, the nights of a league. */
function historySection() {
  const runs = table.history ?? [];
  if (runs.length < 2) {
    return null;
  }
  const series = table.bots.map(({ name }) => ({
    name,
    values: runs.map((run) => run.bots.find((bot) => bot.name === name)?.rating ?? null),
  }));
  const steps = runs.map((run) => run.time.slice(0, 10));
  return section(
    'history',
    'Ratings by run',
    lineChart(series, steps, 'Rating of each bot after each run', signed),
  );
}

/** The value below which this share of sorted values is. */
function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** The scale of times. */
const logarithm = (micros) => Math.log10(micros + 1);

/** A row of a range chart: the median of values with the middle 90 %; null if there are none. */
function rangeRow(name, values, text) {
  if (values.length === 0) {
    return null;
  }
  const sorted = Float64Array.from(values).sort();
  const [low, middle, high] = [0.05, 0.5, 0.95].map((share) => quantile(sorted, share));
  return { name, low, middle, high, text: `${text(middle)}  (${text(low)} … ${text(high)}, at most ${text(sorted.at(-1))})` };
}

function timesSection() {
  const bots = new Map(table.bots.map((bot) => [bot.name, { times: [], lengths: [] }]));
  for (const game of countedGames()) {
    const of = game.players.map((name) => bots.get(name));
    of.forEach((bot) => bot?.lengths.push(game.plies));
    game.times((side, micros) => of[side]?.times.push(micros));
  }
  const rows = (values, text) => [...bots].map(([name, bot]) => rangeRow(name, values(bot), text)).filter((row) => row !== null);
  const times = rows((bot) => bot.times, timeText);
  const lengths = rows((bot) => bot.lengths, String);
  if (lengths.length === 0) {
    return null;
  }
  return section('times', 'Time and length',
    element('p', { class: 'hint' }, 'Median with the range of the middle 90 %.'), ofThisPage(),
    ...(times.length === 0 ? [] : [element('h3', {}, 'Time per ply'), rangeChart(times, 'Time per ply', logarithm)]),
    element('h3', {}, 'Plies per game'), rangeChart(lengths, 'Plies per game'));
}
