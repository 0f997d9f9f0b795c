'use strict';
// Tables: the standings, how games end, and what is to be known about the tournament.

/** A section with a heading, which is a link to itself. */
function section(id, heading, ...children) {
  return element('section', { id: `section-${id}`, 'aria-labelledby': `heading-${id}` },
    element('h2', { id: `heading-${id}` }, element('a', { href: `#${id}`, class: 'anchor' }, heading)), ...children);
}

/** Rows above which a table scrolls in its own box. */
const LONG = 30;

/**
 * A table that scrolls sideways in its own box. Columns are `{head, cell(row, place), kind, value(row), says}`: a column
 * with `value` can be sorted by it, `says` is the head in words. The address has the order as `sort`, `-points` for
 * the greatest first.
 */
function tableElement(id, caption, columns, rows) {
  const word = id === 'table' ? 'sort' : `sort-${id}`;
  const by = query.get(word) ?? '';
  const sorted = columns.find(({ head, value }) => value !== undefined && head === by.replace(/^-/, ''));
  const down = by.startsWith('-');
  const order = (one, other) => {
    const [a, b] = [one, other].map(sorted.value);
    // What is not known is last in both orders.
    return a === null || b === null ? (a === null) - (b === null) : (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
  };
  const shown = sorted === undefined ? rows : [...rows].sort(order);
  const sort = ({ head, value }) => {
    // First the order that is usual for such values, then the other one, then none.
    const usual = typeof rows.map(value).find((known) => known !== null) === 'number' && head !== 'rank' ? `-${head}` : head;
    const other = usual === head ? `-${head}` : head;
    choose(word, by === usual ? [other] : by === other ? [] : [usual]);
    const again = tableElement(id, caption, columns, rows);
    made.replaceWith(again);
    Array.from(again.querySelectorAll('thead button')).find((button) => button.textContent === head).focus();
  };
  const heads = columns.map((column) => {
    const { head, kind, value, says } = column;
    const order = column === sorted ? (down ? 'descending' : 'ascending') : null;
    const button = () => element('button', { type: 'button', title: says ? `${says}; sorts` : 'sorts', click: () => sort(column) }, head);
    return element('th', { scope: 'col', class: kind, 'aria-sort': order, title: value ? null : says }, value ? button() : head);
  });
  const lines = shown.map((row, at) =>
    element('tr', {}, ...columns.map(({ cell, kind }) => kind === 'bot'
      ? element('th', { scope: 'row', class: kind }, cell(row, at)) : element('td', { class: kind }, cell(row, at)))));
  const made = element('div', { class: rows.length > LONG ? 'scroll both' : 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    element('table', {}, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...lines)));
  return made;
}

/** A column of numbers: what a cell shows, and the number by which it is sorted. */
const numberColumn = (head, cell, value, says) => ({ head, cell, kind: 'number', value, says });
/** A column of a count. */
const countColumn = (head, count, says) => numberColumn(head, (row) => count(row).toLocaleString('en'), count, says);
const botColumn = (head, name, display = () => null) => ({
  head, kind: 'bot', value: name,
  cell: (row) => {
    const link = botLink(name(row));
    const shown = display(row);
    return shown ? element('span', {}, link, ' ', element('bdi', { class: 'display' }, visible(shown))) : link;
  },
});

/** The level of an isolation line, and what of it is not in force, as the tables of the program have it. */
function isolationSummary(line) {
  const [level, ...words] = line.split(' ');
  const complete = /=denied$|^(fork=allowed|user=separate|memory=cgroup|tree=namespace)$/;
  const missing = words.filter((word) => !complete.test(word));
  return missing.length > 0 ? `${level} (${missing.join(' ')})` : level;
}

// The table.

const dash = (value, text) => (value === null || value === undefined ? '–' : text(value));
const signed = (value) => fixed(value).replace('-', '−');
const percent = (value) => fixed(100 * value);

/** A bound of an interval, which may not exist. */
const bound = (value, none) =>
  dash(value ?? none, (known) => (typeof known === 'string' ? known : signed(known)));

const intervalText = ({ low, high }) => `${bound(low, 'and less')} … ${bound(high, 'and more')}`;

/** Whether two bots have the same points. */
function hasTies() {
  return new Set(table.bots.map((bot) => bot.points)).size < table.bots.length;
}

function standingsSection() {
  if (table.bots.length === 0) {
    return section('table', 'Table', element('p', {}, 'No game counts yet.'));
  }
  const any = (holds, ...columns) => (table.bots.some(holds) ? columns : []);
  const count = (key) => any((bot) => bot[key] > 0, countColumn(key, (bot) => bot[key]));
  const neighbours = new Map(table.neighbours.map((two) => [two.bot, two]));
  const next = (head, key, text, says) =>
    numberColumn(head, (bot) => dash(neighbours.get(bot.name)?.[key], text), (bot) => neighbours.get(bot.name)?.[key] ?? null, says);
  const tie = (head, key, digits, says) =>
    numberColumn(head, (bot) => dash(bot.tie_breaks[key], (value) => fixed(value, digits)), (bot) => bot.tie_breaks[key], says);
  const share = (bot) =>
    dash(bot.share, (value) => percent(value) + (bot.share_error === null ? '' : ` ± ${percent(bot.share_error)}`));
  const anchors = new Set(table.anchors.map(({ bot }) => bot));
  const rated = (text) => (bot) => (bot.rating.rating === null ? '–' : text(bot.rating));
  const isRated = (bot) => bot.rating.rating !== null;
  const columns = [
    numberColumn('rank', (bot) => String(bot.rank), (bot) => bot.rank),
    botColumn('bot', (bot) => bot.name, (bot) => bot.display),
    numberColumn('points', (bot) => fixed(bot.points), (bot) => bot.points),
    countColumn('games', (bot) => bot.games),
    ...['wins', 'draws', 'losses', 'suicides', 'forfeits', 'aborted', 'byes'].flatMap(count),
    ...any((bot) => bot.versions > 1, countColumn('versions', (bot) => bot.versions, 'Contents with which the bot played')),
    numberColumn('share %', share, (bot) => bot.share, 'Share of the points in its games, with its 95 % interval'),
    ...(hasTies() && table.order.includes('Buchholz') ? [tie('Buchholz', 'buchholz', 1, 'Points of its opponents')] : []),
    ...(hasTies() ? [tie('S-B', 'sonneborn_berger', 2, 'Sonneborn-Berger: points of the opponents it beat, half of those it drew with')] : []),
    ...any(isRated,
      numberColumn('rating', rated(({ rating }) => signed(rating)), (bot) => bot.rating.rating, 'Elo'),
      numberColumn('95 %', rated(intervalText), (bot) => bot.rating.low, 'Where the rating lies with a probability of 95 %')),
    ...any((bot) => anchors.has(bot.name), { head: 'anchor', kind: 'words', cell: (bot) => (anchors.has(bot.name) ? 'anchor' : '') }),
    ...any((bot) => isRated(bot) && bot.rating.group > 1,
      numberColumn('group', (bot) => dash(bot.rating.group, String), (bot) => bot.rating.group, 'Ratings are comparable inside a group only')),
    ...(table.bots.some(isRated) && table.neighbours.length > 0
      ? [next('to next', 'difference', signed, 'Elo above the next bot'), next('LOS %', 'superiority', percent, 'Likelihood of superiority over the next bot')]
      : []),
  ];
  return section('table', 'Table', tableElement('table', 'Table', columns, table.bots));
}

/** The games that the table counts. */
const countedGames = () => games.filter((game) => game.isCounted);

/** What is said of figures that are counted from the games of the page, if it does not have all that the table counts. */
const ofThisPage = () => (counts.leftOut > 0 || counts.unreadable > 0
  ? element('p', { class: 'warning' }, 'This is of the games on this page only; the table counts more.') : null);

/** How often each end came; the losers of forfeits by name. */
function terminationsSection() {
  const all = countedGames();
  const reasons = new Map();
  for (const game of all) {
    const end = endText(game);
    const reason = reasons.get(end) ?? { end, count: 0, losers: new Map() };
    reasons.set(end, reason);
    reason.count += 1;
    const won = winner(game);
    if (game.outcome === 'forfeit' && won >= 0) {
      const loser = game.players[1 - won];
      reason.losers.set(loser, (reason.losers.get(loser) ?? 0) + 1);
    }
  }
  if (reasons.size === 0) {
    return null;
  }
  const rows = [...reasons.values()].sort((one, other) => other.count - one.count);
  const losers = ({ losers: of }) => {
    const parts = [...of].sort((one, other) => other[1] - one[1])
      .map(([name, count], at) => element('span', {}, at === 0 ? '' : ', ', botLink(name), ` ${count}`));
    return element('span', {}, ...parts);
  };
  const columns = [
    {
      head: 'end', kind: 'bot', value: ({ end }) => end,
      cell: ({ end }) => element('button', { type: 'button', class: 'cell', click: () => showGames([], end) }, visible(end)),
    },
    countColumn('games', ({ count }) => count),
    numberColumn('%', ({ count }) => percent(count / all.length), ({ count }) => count),
    { head: 'by', kind: 'words', cell: losers },
  ];
  return section('ends', 'How games end',
    ofThisPage(), tableElement('ends', 'How games end', columns, rows));
}

function notesSection() {
  const lines = noteLines();
  return lines.length === 0
    ? null
    : section('notes', 'Notes', element('ul', {}, ...lines.map((text) => element('li', {}, visible(text)))));
}

function noteLines() {
  const lines = [
    ...table.notes,
    ...table.expectations.map((expected) => `[expect] ${expected.text}: ${expected.kept}`),
    ...(table.milestones?.warnings ?? []),
    ...(table.milestones?.bots ?? []).map((milestones) => `milestones of ${milestones.bot}: ${milestones.text}`),
    ...table.absent.map((bot) => `not scheduled: ${bot.name}: ${bot.reason}`),
  ];
  const { advantage, low, high } = table.first_side;
  if (advantage !== null) {
    lines.push(`the side that moves first is stronger by ${signed(advantage)} Elo (95 %: ${intervalText({ low, high })})`);
  }
  if (table.sprt !== null) {
    const { llr, lower, upper, elo0, elo1, model, pairs, verdict } = table.sprt;
    const two = (value) => fixed(value, 2).replace('-', '−');
    lines.push(
      `SPRT, H0: ${elo0} Elo, H1: ${elo1} Elo (${model}): ` +
        `LLR ${two(llr)} of ${two(lower)} … ${two(upper)} after ${counted(pairs, 'pair')}; ` +
        `verdict: ${verdict ?? 'none yet'}`,
    );
  }
  const repeated = table.bots.reduce((sum, bot) => sum + bot.repeated, 0) / 2;
  if (table.scatter !== null) {
    const once = repeated > 0 ? ', with games that repeat each other counted as one' : '';
    lines.push(`over all bots, results scatter ${fixed(table.scatter)} times as widely as independent games would${once}`);
  }
  if (repeated > 0) {
    lines.push(`WARNING: ${counted(repeated, 'game')} of the same bots and sides with the plies of earlier ones, which shows nothing new`);
  }
  if (counts.unreadable > 0) {
    lines.push(`${counted(counts.unreadable, 'game')} cannot be shown: ${counts.unreadableReason}`);
  }
  if (counts.notesLeftOut > 0) {
    lines.push(`what bots said is left out of ${plies(counts.notesLeftOut)}, because it is too much for a page`);
  }
  return lines;
}

/** Under what conditions the games were played. */
function aboutSection() {
  const runs = table.history ?? [];
  const facts = [
    ['game', [gameTitle(), table.options && `(${table.options})`].filter(Boolean).join(' ')],
    ['format', table.format],
    ['games', table.games && `${table.games.played} of ${table.games.at_most ? 'at most ' : ''}${table.games.scheduled} that are scheduled`],
    ['runs', runs.length > 0 ? runs.map(({ time }) => time.slice(0, 10)).filter((day, at, all) => all.indexOf(day) === at).join(', ') : null],
    ['order of the table', table.order.join(', then ')],
    ['isolation', table.isolation && isolationSummary(table.isolation)],
    ['in full', table.isolation],
    ['made by', document.querySelector('meta[name=generator]').content],
  ].filter(([, value]) => value);
  return section('about', 'About',
    element('dl', { class: 'facts' }, ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, visible(value))])));
}

/** The name of the game of the tournament, or of all games; empty if there are several. */
function gameTitle() {
  const titles = new Set(games.map((game) => game.board.title));
  return titles.size === 1 ? [...titles][0] : table.game ?? '';
}
