// @ts-check
// Tables: the standings, how games end, and what is to be known about the tournament.

/** @import { Bot, Child, Column } from './types' */
import { choose, query } from './address.js';
import { countedGames, counts, endKind, games, league, table, winner } from './data.js';
import { LONG, botLink, displayName, nameElement } from './draw.js';
import { element, section } from './element.js';
import { showGames } from './list.js';
import { counted, elo, fixed, intervalText, percent, plies, signed, visible } from './text.js';

/**
 * A table that scrolls sideways in its own box. The address has the order as `sort`, `-points` for
 * the greatest first; the rows of `foot` stay last.
 * @template Row
 * @param {string} id
 * @param {string} caption
 * @param {Column<Row>[]} columns
 * @param {Row[]} rows
 * @param {Element[]} foot
 * @returns {HTMLElement}
 */
export function tableElement(id, caption, columns, rows, foot = []) {
  const word = id === 'table' ? 'sort' : `sort-${id}`;
  const by = query.get(word) ?? '';
  const isDown = by.startsWith('-');
  const sortable = columns.filter(({ value }) => value !== undefined);
  const sorted = sortable.find(({ head }) => head === by.replace(/^-/, ''));
  const heads = columns.map((column) => {
    const { head, kind, value, says } = column;
    const order = column === sorted ? (isDown ? 'descending' : 'ascending') : null;
    const attributes = { scope: 'col', class: kind, 'aria-sort': order };
    if (value === undefined) {
      return element('th', { ...attributes, title: says }, head);
    }
    const click = () => {
      choose(word, orderAfter(by, head, rows.map(value)));
      const again = tableElement(id, caption, columns, rows, foot);
      made.replaceWith(again);
      const buttons = Array.from(again.getElementsByTagName('button'));
      buttons.find((button) => button.textContent === head)?.focus();
    };
    const title = says ? `${says}; sorts` : 'sorts';
    return element('th', attributes, element('button', { type: 'button', title, click }, head));
  });
  const lines = sortedRows(rows, sorted?.value, isDown).map((row) =>
    element('tr', {}, ...columns.map(({ cell, kind }) => kind === 'bot'
      ? element('th', { scope: 'row', class: kind }, cell(row))
      : element('td', { class: kind }, cell(row)))));
  const kind = rows.length > LONG ? 'scroll both' : 'scroll';
  const made = element('div', { class: kind, tabindex: 0, role: 'region', 'aria-label': caption },
    element('table', {},
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...lines, ...foot)));
  return made;
}

/**
 * The order after a click on a head: first the order that is usual for such values, then the other
 * one, then none.
 * @param {string} by
 * @param {string} head
 * @param {(string | number | null)[]} values
 */
function orderAfter(by, head, values) {
  const isNumber = typeof values.find((value) => value !== null) === 'number';
  const orders = isNumber && head !== 'rank' ? [`-${head}`, head] : [head, `-${head}`];
  const next = orders[orders.indexOf(by) + 1];
  return next === undefined ? [] : [next];
}

/**
 * @template Row
 * @param {Row[]} rows
 * @param {Column<Row>['value']} value
 * @param {boolean} isDown
 */
function sortedRows(rows, value, isDown) {
  if (value === undefined) {
    return rows;
  }
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) {
      return Number(a === null) - Number(b === null); // what is not known is last in both orders
    }
    return (a < b ? -1 : a > b ? 1 : 0) * (isDown ? -1 : 1);
  });
}

/**
 * A column of numbers: what a cell shows, and the number by which it is sorted.
 * @template Row
 * @param {string} head
 * @param {(row: Row) => Child} cell
 * @param {(row: Row) => number | null} value
 * @param {string} [says]
 * @returns {Column<Row>}
 */
export function numberColumn(head, cell, value, says) {
  return { head, cell, kind: 'number', value, says };
}

/**
 * A column of a count.
 * @template Row
 * @param {string} head
 * @param {(row: Row) => number} count
 * @param {string} [says]
 */
export function countColumn(head, count, says) {
  /** @param {Row} row */
  const cell = (row) => count(row).toLocaleString('en');
  return numberColumn(head, cell, count, says);
}

/**
 * The level of an isolation line, and what of it is not in force, as the tables of the program have
 * it.
 * @param {string} line
 */
function isolationSummary(line) {
  const [level, ...words] = line.split(' ');
  const complete = /=denied$|^(fork=allowed|user=separate|memory=cgroup|tree=namespace)$/;
  const missing = words.filter((word) => !complete.test(word));
  return missing.length > 0 ? `${level} (${missing.join(' ')})` : level;
}

// The table.

/** What is shown of a figure that may not be known. */
const dash = (/** @type {number | null} */ value, /** @type {(value: number) => string} */ text) =>
  value === null ? '–' : text(value);

export function standingsSection() {
  const { bots, order } = table;
  const none = bots.length === 0 ? element('p', {}, 'No game counts yet.') : null;
  if (bots.length + table.absent.length === 0) {
    return section('table', 'Table', none);
  }
  /** @param {(bot: Bot) => boolean} holds */
  const some = (holds) => bots.some(holds);
  const hasTies = new Set(bots.map(({ points }) => points)).size < bots.length;
  const anchors = new Set(table.anchors.map(({ bot }) => bot));
  // What every table has comes first: on a phone the rest is reached by scrolling.
  /** @type {Column<Bot>[]} */
  const columns = [
    numberColumn('rank', ({ rank }) => String(rank), ({ rank }) => rank),
    { head: 'bot', kind: 'bot', value: ({ name }) => name, cell: nameCell },
    ...movesColumn(),
    numberColumn('points', ({ points }) => fixed(points), ({ points }) => points),
    countColumn('games', (bot) => bot.games),
    countColumn('wins', (bot) => bot.wins),
    countColumn('draws', (bot) => bot.draws),
    countColumn('losses', (bot) => bot.losses),
  ];
  if (some(({ rating }) => rating.rating !== null)) {
    columns.push(
      numberColumn('rating', ({ rating: { rating } }) => dash(rating, elo),
        ({ rating }) => rating.rating, 'Elo'),
      numberColumn('95 %', ({ rating }) => dash(rating.rating, () => intervalText(rating)),
        ({ rating }) => rating.low,
        'Where the rating lies with a probability of 95 %; ∞ where no result bounds it'));
  }
  for (const key of /** @type {const} */ (['suicides', 'forfeits', 'aborted', 'byes'])) {
    if (some((bot) => bot[key] > 0)) {
      columns.push(countColumn(key, (bot) => bot[key]));
    }
  }
  if (some(({ versions }) => (versions ?? 0) > 1)) {
    const says = 'Contents with which the bot played';
    columns.push(countColumn('versions', ({ versions }) => versions ?? 0, says));
  }
  if (hasTies && order.includes('Buchholz')) {
    columns.push(numberColumn('Buchholz', (bot) => fixed(bot.tie_breaks.buchholz),
      (bot) => bot.tie_breaks.buchholz, 'Points of its opponents'));
  }
  if (hasTies && order.includes('Sonneborn-Berger')) {
    columns.push(numberColumn('S-B', (bot) => fixed(bot.tie_breaks.sonneborn_berger, 2),
      (bot) => bot.tie_breaks.sonneborn_berger,
      'Sonneborn-Berger: points of the opponents it beat, half of those it drew with'));
  }
  if (some(({ name }) => anchors.has(name))) {
    const cell = (/** @type {Bot} */ { name }) => (anchors.has(name) ? 'anchor' : '');
    columns.push({ head: 'anchor', kind: 'words', cell });
  }
  if (some(({ rating }) => rating.rating !== null && rating.group > 1)) {
    columns.push(numberColumn('group', ({ rating }) => String(rating.group),
      ({ rating }) => rating.group, 'Ratings are comparable inside a group only'));
  }
  const absent = table.absent.map(({ name, reason }) => element('tr', { class: 'absent' },
    element('td', { class: 'number' }, '–'),
    element('th', { scope: 'row', class: 'bot' }, nameElement(name)),
    element('td', { class: 'words', colspan: columns.length - 2 },
      element('p', {}, visible(reason)))));
  return section('table', 'Table', none, tableElement('table', 'Table', columns, bots, absent));
}

/**
 * How many ranks each bot of a league has won since yesterday; no column without a league.
 * @returns {Column<Bot>[]}
 */
function movesColumn() {
  if (league === null) {
    return [];
  }
  const bots = new Map(league.bots.map((bot) => [bot.name, bot]));
  /** @param {Bot} bot */
  const won = ({ name, rank }) => {
    const before = bots.get(name)?.yesterday ?? null;
    return before === null ? null : before.rank - rank;
  };
  /** @param {Bot} bot */
  const cell = (bot) => {
    const ranks = won(bot);
    if (ranks === null) {
      return bots.has(bot.name) ? 'new' : '–';
    }
    const [sign, way] = ranks > 0 ? ['▲', 'up'] : ['▼', 'down'];
    const [shown, said] = ranks === 0
      ? ['=', 'same rank'] : [`${sign}${Math.abs(ranks)}`, `${way} ${Math.abs(ranks)}`];
    return element('span', {},
      element('span', { 'aria-hidden': 'true' }, shown),
      element('span', { class: 'spoken' }, said));
  };
  const says = 'Ranks won or lost since yesterday';
  return [{ head: 'since yesterday', kind: 'number moves', value: won, cell, says }];
}

/** @param {Bot} bot */
function nameCell(bot) {
  const link = botLink(bot.name);
  return bot.display ? element('span', {}, link, displayName(bot)) : link;
}

/**
 * What is said of figures that are counted from the games of the page, if it does not have all that
 * the table counts.
 */
export function ofThisPage() {
  const said = 'This is of the games on this page only; the table counts more.';
  const isPart = counts.leftOut > 0 || counts.unreadable > 0;
  return isPart ? element('p', { class: 'warning' }, said) : null;
}

/** How often each end came; the losers of forfeits by name. */
export function terminationsSection() {
  const all = countedGames();
  if (all.length === 0) {
    return null;
  }
  const rows = [...Map.groupBy(all, endKind)].map(([end, of]) => ({ end, count: of.length, of }));
  rows.sort((one, other) => other.count - one.count);
  /** @type {Column<(typeof rows)[number]>[]} */
  const columns = [
    {
      head: 'end',
      kind: 'bot',
      value: ({ end }) => end,
      cell: ({ end }) => {
        const click = () => showGames([], end);
        return element('button', { type: 'button', class: 'cell', click }, visible(end));
      },
    },
    countColumn('games', ({ count }) => count),
    numberColumn('%', ({ count }) => percent(count / all.length), ({ count }) => count),
    { head: 'by', kind: 'words', cell: ({ of }) => forfeiters(of) },
  ];
  return section('ends', 'How games end',
    ofThisPage(), tableElement('ends', 'How games end', columns, rows));
}

/** Who forfeited these games, and how often. @param {typeof games} of */
function forfeiters(of) {
  const lost = of.filter((game) => game.outcome === 'forfeit' && winner(game) >= 0);
  const losers = [...Map.groupBy(lost, (game) => game.players[1 - winner(game)])];
  losers.sort(([, one], [, other]) => other.length - one.length);
  return element('span', {}, ...losers.map(([name, { length }], at) =>
    element('span', {}, at === 0 ? '' : ', ', botLink(name), ` ${length}`)));
}

export function notesSection() {
  const lines = noteLines().map((text) => element('li', {}, visible(text)));
  return lines.length === 0 ? null : section('notes', 'Notes', element('ul', {}, ...lines));
}

export function noteLines() {
  const { milestones, sprt, scatter } = table;
  const lines = [
    ...table.notes,
    ...table.expectations.map(({ text, kept }) => `[expect] ${text}: ${kept}`),
    ...(milestones?.warnings ?? []),
    ...(milestones?.bots ?? []).map(({ bot, text }) => `milestones of ${bot}: ${text}`),
  ];
  const { advantage } = table.first_side;
  if (advantage !== null) {
    lines.push(`the side that moves first is stronger by ${elo(advantage)} Elo ` +
      `(95 %: ${intervalText(table.first_side)})`);
  }
  if (sprt !== null) {
    const { llr, lower, upper, elo0, elo1, model, pairs, verdict } = sprt;
    lines.push(
      `SPRT, H0: ${elo0} Elo, H1: ${elo1} Elo (${model}): ` +
        `LLR ${signed(llr, 2)} of ${signed(lower, 2)} … ${signed(upper, 2)} ` +
        `after ${counted(pairs, 'pair')}; verdict: ${verdict ?? 'none yet'}`);
  }
  const repeated = table.bots.reduce((sum, bot) => sum + bot.repeated, 0) / 2;
  if (scatter !== null) {
    const once = repeated > 0 ? ', with games that repeat each other counted as one' : '';
    lines.push(`over all bots, results scatter ${fixed(scatter)} times as widely as independent ` +
      `games would${once}`);
  }
  if (repeated > 0) {
    lines.push(`WARNING: ${counted(repeated, 'game')} of the same bots and sides with the moves ` +
      'of earlier ones, which shows nothing new');
  }
  if (counts.unreadable > 0) {
    lines.push(`${counted(counts.unreadable, 'game')} cannot be shown: ${counts.unreadableReason}`);
  }
  if (counts.notesLeftOut > 0) {
    lines.push(`what bots said is left out of ${plies(counts.notesLeftOut)}, because it is too ` +
      'much for a page');
  }
  return lines;
}

/** How many games were played, of how many. */
export function playedText() {
  const { games: known } = table;
  return known && `${known.played} of ${known.at_most ? 'at most ' : ''}`;
}

/** Under what conditions the games were played. */
export function aboutSection() {
  const days = new Set(table.history.map(({ time }) => time.slice(0, 10)));
  const generator = document.querySelector('meta[name=generator]');
  const facts = Object.entries({
    game: [gameTitle(), table.options && `(${table.options})`].filter(Boolean).join(' '),
    format: table.format,
    games: table.games && `${playedText()}${table.games.scheduled} that are scheduled`,
    runs: [...days].join(', '),
    'order of the table': table.order.join(', then '),
    isolation: table.isolation && isolationSummary(table.isolation),
    'in full': table.isolation,
    'made by': generator?.getAttribute('content'),
  });
  const parts = facts.flatMap(([name, value]) =>
    value ? [element('dt', {}, name), element('dd', {}, visible(value))] : []);
  return section('about', 'About', element('dl', { class: 'facts' }, ...parts));
}

/** The name of the game of the tournament, or of all games; empty if there are several. */
export function gameTitle() {
  const titles = new Set(games.map(({ board }) => board.title));
  return titles.size === 1 ? [...titles][0] : table.game ?? '';
}
