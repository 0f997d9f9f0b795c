'use strict';
// The page of a bot, `#bot/NAME`: its results against each opponent, by side and by round, how its games end, its time,
// and its last games. `?against=NAME` shows those against one opponent.

/** Marks of its form, small boards, and games by round that are shown. */
const [FORM, BOARDS, BY_ROUND] = [10, 12, 500];

/** The games of a bot that have a result and count, in their order. */
const gamesOf = (name) => countedGames().filter(({ players, result }) => players.includes(name) && result !== '*');

/** How a game ended for a bot: 0 lost, 1 drawn, 2 won. */
function scoreOf(game, name) {
  const won = winner(game);
  return won < 0 ? 1 : game.players[won] === name ? 2 : 0;
}

const opponentOf = (game, name) => game.players[game.players[0] === name ? 1 : 0];

/** Won, drawn and lost games of a bot, as numbers. */
class Tally {
  constructor(of, name) {
    this.counts = [0, 0, 0];
    of.forEach((game) => {
      this.counts[scoreOf(game, name)] += 1;
    });
  }

  get games() {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  get share() {
    return this.games === 0 ? null : (this.counts[2] + this.counts[1] / 2) / this.games;
  }

  /** `3 won, 1 drawn, 2 lost`. */
  get text() {
    const [lost, drawn, won] = this.counts;
    return this.games === 0 ? '–' : `${won} won, ${drawn} drawn, ${lost} lost`;
  }

  /** The share of each as a bar. */
  bar() {
    const [, drawn, won] = this.counts;
    const scale = 1000 / (this.games || 1);
    const part = (from, width, kind) => shape('rect', { x: from * scale, y: 0, width: width * scale, height: 100, class: `part ${kind}` });
    return chart('tally', this.text, part(0, won, 'won'), part(won, drawn, 'drawn'), part(won + drawn, this.counts[0], 'lost'));
  }
}

/** A mark of a game for a bot, which leads to it: W, D or L. */
function mark(game, name) {
  const score = scoreOf(game, name);
  const said = `${['lost', 'drawn', 'won'][score]} against ${visible(opponentOf(game, name))}: ${visible(endText(game))}`;
  return element('a', { href: linkTo(game), class: `mark score${score * 5}`, title: said, 'aria-label': said }, 'LDW'[score]);
}

/** The last games of a bot, the last one on the right. */
const form = (name, of = gamesOf(name)) => element('span', { class: 'form' }, ...of.slice(-FORM).map((game) => mark(game, name)));

/** The bots of the table, each with its form. */
function botsSection() {
  if (table.bots.length === 0) {
    return null;
  }
  const [list, foot] = [element('ol', { id: 'bots', class: 'games' }), element('p', {})];
  fillList(list, foot, table.bots.length, (at) => {
    const { name, rank, points, games: count, rating, display } = table.bots[at];
    return element('li', { class: 'card' },
      element('b', {}, `${rank}. `, botLink(name), display ? element('bdi', { class: 'display' }, ` ${visible(display)}`) : null),
      element('span', { class: 'hint' }, `${fixed(points)} of ${count}`, rating.rating === null ? '' : `, rating ${signed(rating.rating)}`),
      form(name));
  });
  return section('bots', 'Bots', element('p', { class: 'hint' }, 'Each with its last results, the newest on the right.'), ofThisPage(), list, foot);
}

/** The page of a bot. */
function drawBot(name) {
  const bot = table.bots.find((one) => one.name === name);
  const opponents = table.bots.map((other) => other.name).filter((other) => other !== name);
  const against = opponents.find((other) => other === query.get('against')) ?? null;
  const own = gamesOf(name).filter((game) => against === null || opponentOf(game, name) === against);
  const change = (event) => {
    goToAddress(addressOfBot(name, event.target.value === '' ? null : event.target.value));
  };
  const head = element('div', { class: 'bot-head' },
    element('h2', { id: 'bot-heading', tabindex: -1 }, nameElement(name),
      bot.display ? element('bdi', { class: 'display' }, ` ${visible(bot.display)}`) : null,
      ...(against === null ? [] : [' against ', botLink(against)])),
    element('p', {}, `rank ${bot.rank} of ${table.bots.length} · ${fixed(bot.points)} points of ${counted(bot.games, 'game')}`,
      bot.rating.rating === null ? '' : ` · rating ${signed(bot.rating.rating)} (${intervalText(bot.rating)})`),
    element('p', { class: 'tools' },
      element('label', { for: 'against' }, 'against'),
      element('select', { id: 'against', change }, element('option', { value: '' }, 'all bots'),
        ...opponents.map((other) => element('option', { value: other, selected: other === against }, visible(other)))),
      against === null ? null : element('a', { href: addressOfBot(against, name) }, 'the other way round'),
      element('span', { class: 'form-words' }, `last ${Math.min(FORM, own.length)}: `), form(name, own)));
  const parts = own.length === 0
    ? [element('p', {}, 'No game of this page counts for it.')]
    : [element('div', {}, bySide(name, own), byEnd(name, own), timeOf(name, own), against === null ? byRun(name) : null, byRound(name, own)),
      against === null ? byOpponent(name, own) : null, lastGames(name, against, own)];
  document.getElementById('bot').replaceChildren(head, ...[ofThisPage(), ...parts].filter((part) => part !== null));
}

/** A part of a bot's page. */
const part = (heading, ...children) => element('section', {}, element('h3', {}, heading), ...children);

function bySide(name, own) {
  const rows = [['all games', own], ['moved first', own.filter((game) => game.players[0] === name)],
    ['moved second', own.filter((game) => game.players[0] !== name)]];
  return part('By side', element('div', { class: 'ranges' }, ...rows.map(([said, of]) => {
    const tally = new Tally(of, name);
    const share = tally.share === null ? '' : `, ${percent(tally.share)} %`;
    return element('div', { class: 'row' }, element('span', {}, said), tally.bar(), element('span', { class: 'figures' }, tally.text + share));
  })));
}

function byOpponent(name, own) {
  const groups = Map.groupBy(own, (game) => opponentOf(game, name));
  const rows = table.bots.filter((bot) => groups.has(bot.name)).map((bot) => {
    const of = groups.get(bot.name);
    const [first, second] = [true, false].map((isFirst) => new Tally(of.filter((game) => (game.players[0] === name) === isFirst), name));
    return { bot, of, all: new Tally(of, name), first, second };
  });
  const points = ({ all }) => all.share * all.games;
  const side = (head, key, says) => numberColumn(head, (row) => {
    const tally = row[key];
    return element('span', { title: tally.text }, tally.games === 0 ? '–' : `${fixed(tally.share * tally.games)}/${tally.games}`);
  }, (row) => row[key].share, says);
  const columns = [
    numberColumn('rank', ({ bot }) => String(bot.rank), ({ bot }) => bot.rank),
    { head: 'opponent', kind: 'bot', value: ({ bot }) => bot.name,
      cell: ({ bot }) => element('a', { href: addressOfBot(name, bot.name) }, nameElement(bot.name)) },
    { head: 'points', kind: 'number result', value: points,
      cell: (row) => element('span', { class: scoreClass(row.all.share) }, `${fixed(points(row))}/${row.all.games}`) },
    side('moved first', 'first', 'Points and games where it moved first'),
    side('moved second', 'second', 'Points and games where it moved second'),
    { head: 'last games', kind: 'words', cell: ({ of }) => form(name, of) },
  ];
  return part('Against each opponent', tableElement('opponents', 'Against each opponent', columns, rows));
}

function byEnd(name, own) {
  const ends = [...new Set(own.map(endText))].map((end) => ({ end, tally: new Tally(own.filter((game) => endText(game) === end), name) }));
  ends.sort((one, other) => other.tally.games - one.tally.games);
  const count = (head, at) => countColumn(head, ({ tally }) => tally.counts[at]);
  const against = query.getAll('against');
  const columns = [
    { head: 'end', kind: 'bot', value: ({ end }) => end,
      cell: ({ end }) => element('a', { href: addressOf('games', new URLSearchParams([['bot', name], ...against.map((other) => ['bot', other]), ['filter', end]])) }, visible(end)) },
    count('won', 2), count('drawn', 1), count('lost', 0),
  ];
  return part('How its games end', tableElement('bot-ends', 'How its games end', columns, ends));
}

function byRound(name, own) {
  const rounds = Map.groupBy(own.slice(-BY_ROUND), (game) => game.round.split('.')[0]);
  if (rounds.size < 2) {
    return null;
  }
  return part(own.length > BY_ROUND ? `By round, the last ${BY_ROUND} games` : 'By round',
    element('ol', { class: 'by-round' }, ...[...rounds].map(([round, of]) =>
      element('li', {}, element('span', { class: 'hint' }, visible(round)), ...of.map((game) => mark(game, name))))));
}

/** Rank by rating, and rating, after each run. */
function byRun(name) {
  const runs = (table.history ?? []).filter((run) => run.bots.some((bot) => bot.name === name && bot.rating !== null));
  if (runs.length < 2) {
    return null;
  }
  const own = runs.map((run) => run.bots.find((bot) => bot.name === name));
  const rank = (at) => 1 + runs[at].bots.filter((bot) => bot.rating !== null && bot.rating > own[at].rating).length;
  const ranks = own.map((_, at) => `${runs[at].time.slice(0, 10)}: rank ${rank(at)}`);
  return part('Rating and rank by run',
    lineChart([{ name, values: own.map((bot) => bot.rating) }], runs.map((run) => run.time.slice(0, 10)), 'Rating after each run', signed),
    element('p', { class: 'hint' }, `Rank by rating, ${ranks.slice(-FORM).join(', ')}.`));
}

/** Its time per ply beside that of its opponents, and the plies of its games. */
function timeOf(name, own) {
  const times = [[], []];
  own.forEach((game) => game.times((side, micros) => times[game.players[side] === name ? 0 : 1].push(micros)));
  const rows = [name, 'its opponents'].map((who, at) => rangeRow(who, times[at], timeText)).filter((row) => row !== null);
  return part('Time and length',
    rows.length === 0 ? null : rangeChart(rows, 'Time per ply', logarithm),
    rangeChart([rangeRow('plies per game', own.map((game) => game.plies), String)], 'Plies per game'));
}

function lastGames(name, against, own) {
  const chosen = new URLSearchParams([['bot', name], ...(against === null ? [] : [['bot', against]])]);
  return element('section', { class: 'wide' }, element('h3', {}, 'Last games'),
    element('ol', { class: 'games' }, ...own.slice(-BOARDS).reverse().map(gameRow)),
    element('p', {}, element('a', { href: addressOf('games', chosen) }, `All ${counted(own.length, 'game')} in the list`)));
}
