// @ts-check
// A league that goes on while it is watched: what plays and what is next, the newest versions of
// bots with their verdicts, and how the rating of a bot went.

/** @import { BotVersion, Column, CurvePoint, LeagueBot, NextPairing } from './types' */
import { quantile } from './charts.js';
import { league } from './data.js';
import { COLOURS, botLink, chart, extremes, line } from './draw.js';
import { element, section, shape } from './element.js';
import { numberColumn, tableElement } from './tables.js';
import { agoText, counted, elo, intervalText, minuteText, visible } from './text.js';

/** What became of a version, in words. @type {Record<string, string>} */
const VERDICTS = {
  waits: 'waits for its build',
  builds: 'is being built',
  checks: 'is being checked',
  plays: 'plays',
  refused: 'refused',
  replaced: 'replaced by a newer version',
  withdrawn: 'taken back',
};

/** Letters of what was said of a version that are shown before it is unfolded. */
const SHORT = 90;
/** The versions whose texts are unfolded. @type {Set<string>} */
const unfolded = new Set();

/** How long ago a time was; `drawAges` lets it go on. @param {string} time */
function age(time) {
  return element('time', { datetime: time, title: minuteText(time) }, ageText(time));
}

/**
 * How long ago a time was. The clock of the reader may be behind that of the league.
 * @param {string} time
 */
function ageText(time) {
  const now = Math.max(Date.now(), Date.parse(league?.now ?? '') || 0);
  return agoText(time, now);
}

/** Lets all ages of the page go on. */
export function drawAges() {
  for (const shown of document.getElementsByTagName('time')) {
    const text = ageText(shown.dateTime);
    if (shown.textContent !== text) {
      shown.textContent = text;
    }
  }
}

/** Two bots that play each other. @param {string[]} names */
const pairOf = ([one, other]) => element('span', {}, botLink(one), ' – ', botLink(other));

/** The bots of a game: no name of a bot has a `~`. @param {string} id */
function playersOf(id) {
  const [, one, other] = /^([^~]*)~(.*)\.\d+$/s.exec(id) ?? [];
  return one === undefined ? visible(id) : pairOf([one, other]);
}

/** What plays, and what is next and why. */
export function queueSection() {
  if (league === null) {
    return null;
  }
  const { frozen, workers = 0, running, next } = league;
  /** @type {Column<(typeof running)[number]>[]} */
  const ofRunning = [
    { head: 'game', kind: 'bot', cell: ({ id }) => playersOf(id) },
    { head: 'began', kind: 'age', cell: ({ since }) => age(since) },
  ];
  /** @type {Column<NextPairing>[]} */
  const ofNext = [
    { head: 'game', kind: 'bot', cell: ({ bots }) => pairOf(bots) },
    { head: 'why', kind: 'words', cell: ({ why }) => visible(why) },
  ];
  return section('queue', 'Queue',
    frozen === null ? null : element('p', { class: 'warning' }, 'Frozen since ', age(frozen), '.'),
    element('h3', {}, 'Playing now'),
    running.length === 0 ? element('p', {}, 'No game is being played.')
      : tableElement('playing', 'Playing now', ofRunning, running),
    workers === 0 ? null : element('p', {}, `${counted(workers, 'worker')} on other machines.`),
    element('h3', {}, 'Next'),
    next.length === 0 ? element('p', {}, 'No game is planned.')
      : tableElement('next', 'Next', ofNext, next));
}

/** The newest versions of all bots. */
export function versionsSection() {
  if (league === null) {
    return null;
  }
  const { versions } = league;
  /** @type {Column<BotVersion>[]} */
  const columns = [
    { head: 'bot', kind: 'bot', cell: ({ bot }) => botLink(bot) },
    numberOfVersion,
    { head: 'handed in', kind: 'age', cell: ({ time }) => age(time) },
    { head: 'verdict', kind: 'words', cell: verdict },
  ];
  const heading = 'Newest versions';
  return section('versions', heading,
    versions.length === 0 ? element('p', {}, 'No bot has been handed in yet.')
      : tableElement('newest', heading, columns, versions));
}

/** @type {Column<BotVersion>} */
const numberOfVersion = {
  head: 'version', kind: 'number', cell: ({ number }) => String(number),
};

/** What became of a version, in words. @param {string} state */
export const verdictText = (state) => VERDICTS[state] ?? visible(state);

/** What became of a version, and what was said of it. @param {BotVersion} version */
function verdict({ bot, number, state, said }) {
  return element('div', {},
    element('p', { class: state === 'refused' ? 'verdict warning' : 'verdict' },
      verdictText(state)),
    saidElement(`${bot} ${number}`, said.trim()));
}

/**
 * What was said of a version. A long text is folded, and stays unfolded when it is drawn anew.
 * @param {string} version
 * @param {string} said
 */
function saidElement(version, said) {
  if (said === '') {
    return null;
  }
  const lines = said.split('\n').map(visible);
  const whole = element('p', { class: 'version-said' }, lines.join('\n'));
  if (lines.length === 1 && lines[0].length <= SHORT) {
    return whole;
  }
  const [first] = lines;
  const beginning = first.length <= SHORT ? first : first.slice(0, SHORT).trimEnd();
  const toggle = (/** @type {{ target: HTMLDetailsElement }} */ { target }) => {
    if (target.open) {
      unfolded.add(version);
    } else {
      unfolded.delete(version);
    }
  };
  const label = `${visible(version)}: ${beginning} …`;
  return element('details', { open: unfolded.has(version), toggle },
    element('summary', { 'aria-label': label }, `${beginning} …`), whole);
}

/**
 * The rating of a bot over its versions, and these; nothing without a league.
 * @param {string} name
 */
export function leagueParts(name) {
  const bot = league?.bots.find((one) => one.name === name);
  const versions = league?.versions.filter((version) => version.bot === name) ?? [];
  return [
    bot === undefined ? null : curvePart(bot),
    versionsPart(name, versions, bot?.curve ?? []),
  ];
}

/**
 * The points of a curve that have a rating, one list for each version.
 * @param {CurvePoint[]} curve
 */
function pointsByVersion(curve) {
  const points = curve.flatMap(({ time, version, rating, low, high }) =>
    rating === null ? [] : [{ at: Date.parse(time), time, version, rating, low, high }]);
  return [...Map.groupBy(points, ({ version }) => version)];
}

/**
 * How a rating went, with its 95 % interval. Each version has a line of its own, and a mark where
 * it began.
 * @param {LeagueBot} bot
 */
function curvePart({ version, since, games, curve }) {
  const byVersion = pointsByVersion(curve);
  const points = byVersion.flatMap(([, own]) => own);
  const says = element('p', {}, `Version ${version} joined `, age(since),
    ` and has played ${counted(games, 'game')}.`);
  const heading = element('h3', {}, 'Rating over time');
  if (points.length === 0) {
    return element('section', { class: 'of-league' }, heading, says);
  }
  const last = points[points.length - 1];
  const [from, to] = extremes(points.map(({ at }) => at));
  // The first intervals of a version are wide. They are cut, so that they do not flatten the rest.
  const widths = points.flatMap(({ low, high }) =>
    low === null || high === null ? [] : high - low);
  widths.sort((one, other) => one - other);
  const beyond = widths.length === 0 ? 50 : quantile(widths, 0.5) / 2;
  const [lowest, highest] = extremes(points.map(({ rating }) => rating));
  const [least, most] = [lowest - beyond, highest + beyond];
  /** @param {number} at */
  const x = (at) => (to > from ? ((at - from) / (to - from)) * 1000 : 500);
  /** @param {number} value */
  const y = (value) => {
    const inside = Math.min(most, Math.max(least, value));
    return 100 - ((inside - least) / (most - least || 1)) * 100;
  };
  const bands = [];
  const lines = [];
  const marks = [];
  const legend = [];
  for (const [at, [number, own]] of byVersion.entries()) {
    const upper = own.map((point) => `${x(point.at)},${y(point.high ?? most)}`);
    const lower = own.map((point) => `${x(point.at)},${y(point.low ?? least)}`).reverse();
    bands.push(shape('polygon', { points: [...upper, ...lower].join(' '), class: 'band' }));
    const middle = own.map((point) => `${x(point.at)},${y(point.rating)}`);
    // A version with one point has a line without length, which is a dot.
    const drawn = middle.length === 1 ? [...middle, ...middle] : middle;
    const kind = `series colour${at % COLOURS}`;
    lines.push(shape('polyline', { points: drawn.join(' '), class: kind }));
    const [{ at: began, time }] = own;
    if (at > 0) {
      const mark = line(x(began), 0, x(began), 100, 'version-mark');
      mark.append(shape('title', {}, `version ${number}, ${minuteText(time)}`));
      marks.push(mark);
    }
    const key = { class: 'key', viewBox: '0 0 24 8', 'aria-hidden': 'true' };
    const end = own[own.length - 1];
    legend.push(element('li', {}, shape('svg', key, line(0, 4, 24, 4, kind)),
      ` version ${number}: ${elo(end.rating)}`));
  }
  const zero = least < 0 && most > 0 ? line(0, y(0), 1000, y(0), 'zero') : null;
  const now = `${elo(last.rating)} (95 %: ${intervalText(last)})`;
  const label = `Rating over time, from ${elo(points[0].rating)} to ${now}`;
  const earlier = legend.length - COLOURS;
  return element('section', { class: 'of-league' }, heading, says,
    element('div', { class: 'lines' },
      element('span', { class: 'axis' }, elo(most)),
      chart('over curve', label, ...bands, zero, ...marks, ...lines),
      element('span', { class: 'axis' }, elo(least)),
      element('p', { class: 'steps' },
        element('span', {}, minuteText(points[0].time)),
        element('span', {}, minuteText(last.time))),
      element('ul', { class: 'legend' },
        earlier > 0 ? element('li', {}, `${counted(earlier, 'version')} before`) : null,
        ...legend.slice(-COLOURS))),
    element('p', { class: 'hint' },
      `Elo, now ${now}. A dashed vertical line is where a version began.`));
}

/**
 * The versions of a bot with their verdicts, and the rating that each had last.
 * @param {string} name
 * @param {BotVersion[]} known those of the newest versions of all bots
 * @param {CurvePoint[]} curve
 */
function versionsPart(name, known, curve) {
  if (known.length === 0) {
    return null;
  }
  const ends = new Map(pointsByVersion(curve).map(([number, own]) => [number, own.at(-1)]));
  /** @type {Column<BotVersion>[]} */
  const columns = [
    numberOfVersion,
    { head: 'handed in', kind: 'age', cell: ({ time }) => age(time) },
    numberColumn('rating', ({ number }) => {
      const end = ends.get(number);
      return end === undefined ? '–' : elo(end.rating);
    }, ({ number }) => ends.get(number)?.rating ?? null, 'The last rating of the version, in Elo'),
    { head: 'verdict', kind: 'words', cell: verdict },
  ];
  const heading = 'Versions';
  return element('section', { class: 'of-league' }, element('h3', {}, heading),
    tableElement('bot-versions', `${heading} of ${visible(name)}`, columns, known));
}
