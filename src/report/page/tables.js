'use strict';
// The first view: tables and charts of the tournament, and the list of its games.

/** What the list of games shows: a text, and the two bots of a cell of the crosstable. */
const chosen = { text: '', pair: null };

/** Rows of the list that are added at a time. */
const ROWS = 60;
/** Adds the next rows of the list. */
let addRows = () => {};
/** Bots up to which the crosstable is shown. */
const CROSSTABLE = 100;

/** The sections above the list of games. */
function tableSections() {
  return [
    standingsSection(), crosstableSection(), ratingsSection(), roundsSection(), historySection(), timesSection(),
    terminationsSection(), notesSection(),
  ].filter((section) => section !== null);
}

/** Draws the first view anew. */
function drawOverview() {
  document.getElementById('overview').replaceChildren(...tableSections(), gamesSection());
  drawFacts();
  drawList();
}

/** A section with a heading. */
function section(id, heading, ...children) {
  return element(
    'section',
    { id: `section-${id}`, 'aria-labelledby': `heading-${id}` },
    element('h2', { id: `heading-${id}` }, heading),
    ...children,
  );
}

/** A table that scrolls sideways in its own box. Columns are `{head, cell(row, place), kind}`. */
function tableElement(caption, columns, rows) {
  const heads = columns.map(({ head, kind }) => element('th', { scope: 'col', class: kind }, head));
  const lines = rows.map((row, place) =>
    element(
      'tr',
      {},
      ...columns.map(({ cell, kind }) => {
        const content = cell(row, place);
        return kind === 'bot'
          ? element('th', { scope: 'row', class: kind }, content)
          : element('td', { class: kind }, content);
      }),
    ),
  );
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    element('table', {}, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...lines)),
  );
}

const numberColumn = (head, cell) => ({ head, cell, kind: 'number' });
const botColumn = (name) => ({ head: 'bot', cell: (row) => nameElement(name(row)), kind: 'bot' });

/** The level of an isolation line, and what of it is not in force, as the tables of the program have it. */
function isolationSummary(line) {
  const [level, ...words] = line.split(' ');
  const complete = /=denied$|^(fork=allowed|user=separate|memory=cgroup|tree=namespace)$/;
  const missing = words.filter((word) => !complete.test(word));
  return missing.length > 0 ? `${level} (${missing.join(' ')})` : level;
}

function drawFacts() {
  const facts = [];
  if (table.game) {
    facts.push(table.options ? `${table.game} (${table.options})` : table.game);
  }
  facts.push(...[table.format, table.isolation && `isolation ${isolationSummary(table.isolation)}`].filter(Boolean));
  if (table.games) {
    facts.push(`${table.games.played} of ${table.games.scheduled} games`);
  }
  if (table.complete === false) {
    facts.push('INCOMPLETE: not every game that was to be played counts here');
  }
  document.getElementById('facts').textContent = facts.map(visible).join(' · ');
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
  const count = (head, key) =>
    table.bots.some((bot) => bot[key] > 0) ? [numberColumn(head, (bot) => String(bot[key]))] : [];
  const neighbours = new Map(table.neighbours.map((two) => [two.bot, two]));
  const next = (text) => (bot) => dash(neighbours.get(bot.name), text);
  const tie = (head, key, digits) =>
    numberColumn(head, (bot) => dash(bot.tie_breaks[key], (value) => fixed(value, digits)));
  const isRated = table.bots.some((bot) => bot.rating.rating !== null);
  const share = (bot) =>
    dash(
      bot.share,
      (value) => percent(value) + (bot.share_error === null ? '' : ` ± ${percent(bot.share_error)}`),
    );
  const rated = (text) => (bot) => (bot.rating.rating === null ? '–' : text(bot.rating));
  const columns = [
    numberColumn('rank', (bot) => String(bot.rank)),
    botColumn((bot) => bot.name),
    numberColumn('points', (bot) => fixed(bot.points)),
    numberColumn('games', (bot) => String(bot.games)),
    ...count('wins', 'wins'),
    ...count('draws', 'draws'),
    ...count('losses', 'losses'),
    ...count('suicides', 'suicides'),
    ...count('forfeits', 'forfeits'),
    ...count('aborted', 'aborted'),
    ...count('byes', 'byes'),
    ...(table.bots.some((bot) => bot.versions > 1)
      ? [numberColumn('versions', (bot) => String(bot.versions))]
      : []),
    numberColumn('share %', share),
    ...(hasTies() && table.order.includes('Buchholz') ? [tie('Buchholz', 'buchholz', 1)] : []),
    ...(hasTies() ? [tie('S-B', 'sonneborn_berger', 2)] : []),
    ...(isRated
      ? [
          numberColumn(
            'rating',
            rated((rating) => signed(rating.rating)),
          ),
          numberColumn('95 %', rated(intervalText)),
        ]
      : []),
    ...(isRated && table.neighbours.length > 0
      ? [
          numberColumn(
            'to next',
            next((two) => dash(two.difference, signed)),
          ),
          numberColumn(
            'LOS %',
            next((two) => dash(two.superiority, percent)),
          ),
        ]
      : []),
  ];
  return section('table', 'Table', tableElement('Table', columns, table.bots));
}

function crosstableSection() {
  const { bots } = table;
  if (bots.length < 2) {
    return null;
  }
  if (bots.length > CROSSTABLE) {
    return section(
      'crosstable',
      'Crosstable',
      element(
        'p',
        {},
        `With ${bots.length} bots it is too large. For the games of two, type their names in the filter.`,
      ),
    );
  }
  const cells = new Map();
  const key = (one, other) => `${one.length}:${one}${other}`;
  for (const { bot, opponent, games: count, points } of table.crosstable) {
    cells.set(key(bot, opponent), [points, count]);
    cells.set(key(opponent, bot), [count - points, count]);
  }
  const cell = (one, other) => {
    const found = cells.get(key(one.name, other.name));
    if (!found) {
      return one === other ? '' : '–';
    }
    const [points, count] = found;
    const label = `${visible(one.name)} against ${visible(other.name)}: ${points} of ${count}`;
    return element(
      'button',
      {
        type: 'button',
        class: 'cell',
        'aria-label': label,
        title: label,
        click: () => choosePair(one.name, other.name),
      },
      element('span', {}, fixed(points)),
      element('small', {}, `/${count}`),
    );
  };
  const columns = [
    numberColumn('', (_, place) => String(place + 1)),
    botColumn((bot) => bot.name),
    ...bots.map((other, place) => ({
      head: String(place + 1),
      cell: (bot) => cell(bot, other),
      kind: 'number versus',
    })),
  ];
  return section(
    'crosstable',
    'Crosstable',
    element(
      'p',
      { class: 'hint' },
      'Points of the row’s bot and number of games; a cell leads to the games.',
    ),
    tableElement('Crosstable', columns, bots),
  );
}

// Charts.

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

/** The games that the table counts. */
const countedGames = () => games.filter((game) => game.isCounted);

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

function timesSection() {
  const bots = new Map(table.bots.map((bot) => [bot.name, { times: [], lengths: [] }]));
  for (const game of countedGames()) {
    const of = game.players.map((name) => bots.get(name));
    of.forEach((bot) => bot?.lengths.push(game.plies));
    game.times((side, micros) => of[side]?.times.push(micros));
  }
  const rows = (values, text) =>
    [...bots]
      .filter(([, bot]) => values(bot).length > 0)
      .map(([name, bot]) => {
        const sorted = Float64Array.from(values(bot)).sort();
        const [low, middle, high] = [0.05, 0.5, 0.95].map((share) => quantile(sorted, share));
        return {
          name,
          low,
          middle,
          high,
          text: `${text(middle)}  (${text(low)} … ${text(high)}, at most ${text(sorted.at(-1))})`,
        };
      });
  const times = rows((bot) => bot.times, timeText);
  const lengths = rows((bot) => bot.lengths, String);
  if (lengths.length === 0) {
    return null;
  }
  const of = counts.leftOut > 0 ? ', of the games on this page' : '';
  return section(
    'times',
    'Time and length',
    element('p', { class: 'hint' }, `Median with the range of the middle 90 %${of}.`),
    ...(times.length === 0
      ? []
      : [
          element('h3', {}, 'Time per ply'),
          rangeChart(times, 'Time per ply', (micros) => Math.log10(micros + 1)),
        ]),
    element('h3', {}, 'Plies per game'),
    rangeChart(lengths, 'Plies per game'),
  );
}

function terminationsSection() {
  const reasons = new Map();
  const all = countedGames();
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
  const losers = (reason) =>
    [...reason.losers]
      .sort((one, other) => other[1] - one[1])
      .map(([name, count]) => `${visible(name)} ${count}`)
      .join(', ');
  const columns = [
    {
      head: 'end',
      kind: 'bot',
      cell: (reason) =>
        element(
          'button',
          {
            type: 'button',
            class: 'cell',
            click: () => chooseText(reason.end),
          },
          visible(reason.end),
        ),
    },
    numberColumn('games', (reason) => String(reason.count)),
    numberColumn('%', (reason) => percent(reason.count / all.length)),
    { head: 'by', kind: 'words', cell: losers },
  ];
  return section('ends', 'How games end', tableElement('How games end', columns, rows));
}

function notesSection() {
  const lines = [
    ...table.notes,
    ...table.expectations.map((expected) => `[expect] ${expected.text}: ${expected.kept}`),
    ...table.absent.map((bot) => `not scheduled: ${bot.name}: ${bot.reason}`),
  ];
  const { advantage, low, high } = table.first_side;
  if (advantage !== null) {
    lines.push(
      `the side that moves first is stronger by ${signed(advantage)} Elo ` +
        `(95 %: ${intervalText({ low, high })})`,
    );
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
    lines.push(
      `over all bots, results scatter ${fixed(table.scatter)} times as widely as independent games would${once}`,
    );
  }
  if (repeated > 0) {
    lines.push(
      `WARNING: ${counted(repeated, 'game')} of the same bots and sides with the plies of earlier ones, which shows nothing new`,
    );
  }
  if (counts.unreadable > 0) {
    lines.push(`${counted(counts.unreadable, 'game')} cannot be shown: ${counts.unreadableReason}`);
  }
  if (counts.notesLeftOut > 0) {
    lines.push(
      `what bots said is left out of ${plies(counts.notesLeftOut)}, because it is too much for a page`,
    );
  }
  return lines.length === 0
    ? null
    : section('notes', 'Notes', element('ul', {}, ...lines.map((text) => element('li', {}, visible(text)))));
}

// The list of games.

/**
 * A filter as in `arbiter replay`: every word must hold. `>50` and `<20` are about the number of plies,
 * `1-0`, `0-1`, `1/2-1/2` or `1/2`, and `*` about the result as the list shows it; any other word is part of a name, the end, or the id.
 */
function filterOf(text) {
  const results = new Map(['1-0', '0-1', '1/2-1/2', '*'].map((result) => [result, result]));
  results.set('1/2', '1/2-1/2');
  const tests = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      const length = /^[<>](\d*)$/.exec(word);
      if (length) {
        const plies = Number(length[1]);
        return length[1] === ''
          ? () => true
          : word[0] === '>'
            ? (game) => game.plies > plies
            : (game) => game.plies < plies;
      }
      if (results.has(word)) {
        return (game) => scoreText(game) === results.get(word);
      }
      const part = word.toLowerCase();
      return (game) =>
        [...game.players, game.outcome, game.termination, game.id ?? '', game.more.sent?.[0] ?? ''].some(
          (field) => field.toLowerCase().includes(part),
        );
    });
  return (game) => tests.every((test) => test(game));
}

/** The games that the list shows, in their order. */
function chosenGames() {
  const passes = filterOf(chosen.text);
  const { pair } = chosen;
  const isOfPair = (game) => pair === null || pair.every((name) => game.players.includes(name));
  return games.filter((game) => isOfPair(game) && passes(game));
}

function choosePair(one, other) {
  chosen.pair = [one, other];
  drawList();
  document.getElementById('section-games').scrollIntoView();
  document.getElementById('everything').focus();
}

function chooseText(text) {
  chosen.text = text;
  document.getElementById('filter').value = text;
  drawList();
  document.getElementById('section-games').scrollIntoView();
  document.getElementById('filter').focus();
}

function gamesSection() {
  const filter = element('input', {
    id: 'filter',
    type: 'search',
    placeholder: 'bot, result, reason, >50, <20',
    autocomplete: 'off',
    spellcheck: 'false',
    value: chosen.text,
    input: (event) => {
      chosen.text = event.target.value;
      drawList();
    },
  });
  return section(
    'games',
    'Games',
    element(
      'p',
      { class: 'tools' },
      element('label', { for: 'filter' }, 'Filter '),
      filter,
      element('span', { id: 'pair' }),
      element('span', { id: 'found', role: 'status' }),
    ),
    counts.leftOut > 0
      ? element(
          'p',
          { class: 'warning', id: 'left-out' },
          `This page shows the first ${counted(games.length, 'game')} and leaves out ` +
            `${counts.leftOut.toLocaleString('en')} that came after them. The table counts all.`,
        )
      : null,
    element('ol', { id: 'list' }),
    element('p', { id: 'more' }),
  );
}

/** Shows the games of the filter, some at first, and the next ones when the end of the list is in view. */
function drawList() {
  const found = chosenGames();
  const list = document.getElementById('list');
  const more = document.getElementById('more');
  const pair = document.getElementById('pair');
  pair.replaceChildren(
    ...(chosen.pair === null
      ? []
      : [
          nameElement(chosen.pair[0]),
          ' against ',
          nameElement(chosen.pair[1]),
          ' ',
          element(
            'button',
            {
              type: 'button',
              id: 'everything',
              click: () => {
                chosen.pair = null;
                drawList();
              },
            },
            'all bots',
          ),
        ]),
  );
  document.getElementById('found').textContent =
    found.length === games.length
      ? counted(found.length, 'game')
      : `${found.length} of ${counted(games.length, 'game')}`;
  list.replaceChildren();
  addRows = () => {
    const from = list.children.length;
    list.append(...found.slice(from, from + ROWS).map(gameRow));
    const left = found.length - list.children.length;
    more.replaceChildren(
      ...(left > 0
        ? [
            element(
              'button',
              { type: 'button', click: addRows },
              `Show more: ${left.toLocaleString('en')} left`,
            ),
          ]
        : []),
    );
  };
  addRows();
}

/** Adds rows while the end of the list is in view. */
function watchList() {
  const watched = new IntersectionObserver(
    (entries) => {
      if (
        entries.some((entry) => entry.isIntersecting) &&
        document.getElementById('more').children.length > 0
      ) {
        addRows();
        // The end may still be in view: it is watched anew, which reports it again.
        watched.disconnect();
        watched.observe(document.getElementById('more'));
      }
    },
    { rootMargin: '400px' },
  );
  watched.observe(document.getElementById('more'));
}

function gameRow(game) {
  const [first, second] = game.players;
  const won = winner(game);
  const player = (name, side) => {
    const bot = nameElement(name);
    bot.classList.toggle('won', won === side);
    return bot;
  };
  return element(
    'li',
    {},
    element(
      'a',
      { href: linkTo(game) },
      thumbnail(game.board, finalCells(game)),
      element(
        'span',
        { class: 'who' },
        player(first, 0),
        element('b', { class: 'score' }, scoreText(game)),
        player(second, 1),
      ),
      element('span', { class: game.outcome === 'forfeit' ? 'how forfeit' : 'how' }, visible(endText(game))),
      element('span', { class: 'length' }, plies(game.plies)),
      element('span', { class: 'id' }, visible(gameName(game))),
    ),
  );
}

/** A link to a game, or to a ply of it. */
function linkTo(game, ply = null) {
  const name = encodeURIComponent(gameName(game));
  return ply === null ? `#${name}` : `#${name}/${ply}`;
}
