// @ts-check
// The page of a bot, `#bot/NAME`: its results against each opponent, by side and by round, how its
// games end, its time, and its last games. `?against=NAME` shows those against one opponent.

/** @import { Bot, Child, Column, Game } from './types' */
import { addressOf, addressOfBot, goToAddress, linkTo, query } from './address.js';
import { dayOf, lengthChart, roundOf, timeChart } from './charts.js';
import { scoreClass } from './crosstable.js';
import { countedGames, endKind, endText, scoreOf, table } from './data.js';
import { botLink, chart, displayName, lineChart, nameElement } from './draw.js';
import { byId, element, section, shape } from './element.js';
import { leagueParts } from './league.js';
import { fillList, gameRow } from './list.js';
import { countColumn, numberColumn, ofThisPage, tableElement } from './tables.js';
import { counted, elo, fixed, intervalText, percent, visible } from './text.js';

/** Marks of its form, small boards, and games by round that are shown. */
const [FORM, BOARDS, BY_ROUND] = [10, 12, 500];

/** The games of a bot that have a result and count, in their order. @param {string} name */
export const gamesOf = (name) =>
  countedGames().filter(({ players, result }) => players.includes(name) && result !== '*');

/** The side of a bot in a game. @param {Game} game @param {string} name */
const sideOf = ({ players }, name) => players.indexOf(name);

/** @param {Game} game @param {string} name */
const opponentOf = (game, name) => game.players[1 - sideOf(game, name)];

/** Lost, drawn and won games of a bot, as numbers. */
class Tally {
  /** @param {Game[]} games @param {string} name */
  constructor(games, name) {
    this.counts = [0, 0, 0];
    for (const game of games) {
      this.counts[scoreOf(game, sideOf(game, name))] += 1;
    }
    const [, drawn, won] = this.counts;
    this.games = games.length;
    this.points = won + drawn / 2;
    this.share = games.length === 0 ? null : this.points / games.length;
  }

  /** `3 won, 1 drawn, 2 lost`. */
  get text() {
    const [lost, drawn, won] = this.counts;
    return this.games === 0 ? '–' : `${won} won, ${drawn} drawn, ${lost} lost`;
  }

  /** `3.5/6`. */
  get pointsText() {
    return this.games === 0 ? '–' : `${fixed(this.points)}/${this.games}`;
  }

  /** The share of each as a bar. */
  bar() {
    const [lost, drawn, won] = this.counts;
    const scale = 1000 / (this.games || 1);
    /** @param {number} from @param {number} count @param {string} kind */
    const piece = (from, count, kind) => {
      const [x, width] = [from * scale, count * scale];
      return shape('rect', { x, y: 0, width, height: 100, class: `part ${kind}` });
    };
    return chart('tally', this.text,
      piece(0, won, 'won'), piece(won, drawn, 'drawn'), piece(won + drawn, lost, 'lost'));
  }
}

/**
 * A mark of a game for a bot, which leads to it: W, D or L.
 * @param {Game} game
 * @param {string} name
 */
function mark(game, name) {
  const score = scoreOf(game, sideOf(game, name));
  const opponent = visible(opponentOf(game, name));
  const said = `${['lost', 'drawn', 'won'][score]} against ${opponent}: ${visible(endText(game))}`;
  const kind = `mark score${score * 5}`;
  const attributes = { href: linkTo(game), class: kind, title: said, 'aria-label': said };
  return element('a', attributes, 'LDW'[score]);
}

/** The last games of a bot, the newest on the right. @param {string} name @param {Game[]} games */
const form = (name, games) =>
  element('span', { class: 'form' }, ...games.slice(-FORM).map((game) => mark(game, name)));

/** The bots of the table, each with its form. */
export function botsSection() {
  const { bots } = table;
  if (bots.length === 0) {
    return null;
  }
  const [list, foot] = [element('ol', { id: 'bots', class: 'games' }), element('p', {})];
  fillList(list, foot, bots.length, (at) => botCard(bots[at]));
  const said = 'Each with its last results, the newest on the right.';
  return section('bots', 'Bots', element('p', { class: 'hint' }, said), ofThisPage(), list, foot);
}

/** @param {Bot} bot */
function botCard(bot) {
  const { rating } = bot.rating;
  const rated = rating === null ? '' : `, rating ${elo(rating)}`;
  return element('li', { class: 'card' },
    element('b', {}, `${bot.rank}. `, botLink(bot.name), displayName(bot)),
    element('span', { class: 'hint' }, `${fixed(bot.points)} of ${bot.games}`, rated),
    form(bot.name, gamesOf(bot.name)));
}

/** The page of a bot. @param {string} name */
export function drawBot(name) {
  const bot = table.bots.find((one) => one.name === name);
  if (bot === undefined) {
    return; // no address leads here
  }
  const opponents = table.bots.map((other) => other.name).filter((other) => other !== name);
  const against = opponents.find((other) => other === query.get('against')) ?? null;
  const games = gamesOf(name)
    .filter((game) => against === null || opponentOf(game, name) === against);
  const choice = element('select', {
    id: 'against',
    change: ({ target }) => goToAddress(addressOfBot(name, target.value || null)),
  });
  choice.append(element('option', { value: '' }, 'all bots'), ...opponents.map((other) =>
    element('option', { value: other, selected: other === against }, visible(other))));
  const { rating } = bot;
  const rated = rating.rating === null
    ? '' : ` · rating ${elo(rating.rating)} (${intervalText(rating)})`;
  const points = `${fixed(bot.points)} points of ${counted(bot.games, 'game')}`;
  const head = element('div', { class: 'bot-head' },
    element('h2', { id: 'bot-heading', tabindex: -1 }, nameElement(name), displayName(bot),
      ...(against === null ? [] : [' against ', botLink(against)])),
    element('p', {}, `rank ${bot.rank} of ${table.bots.length} · ${points}`, rated),
    element('p', { class: 'tools' },
      element('label', { for: 'against' }, 'against'),
      choice,
      against === null
        ? null : element('a', { href: addressOfBot(against, name) }, 'the other way round'),
      element('span', { class: 'form-words' }, `last ${Math.min(FORM, games.length)}: `),
      form(name, games)));
  const parts = games.length === 0
    ? [element('p', {}, 'No game of this page counts for it.')]
    : [
      element('div', {}, bySide(name, games), byEnd(name, games), timeOf(name, games),
        against === null ? byRun(name) : null, byRound(name, games)),
      against === null ? byOpponent(name, games) : null,
      lastGames(name, against, games),
    ];
  const ofLeague = against === null ? leagueParts(name) : [];
  const shown = [head, ofThisPage(), ...ofLeague, ...parts].filter((one) => one !== null);
  byId('bot').replaceChildren(...shown);
}

/** A part of a bot's page. @param {string} heading @param {...Child} children */
const part = (heading, ...children) =>
  element('section', {}, element('h3', {}, heading), ...children);

/** @param {string} name @param {Game[]} games */
function bySide(name, games) {
  /** @param {string} said @param {Game[]} of */
  const row = (said, of) => {
    const tally = new Tally(of, name);
    const share = tally.share === null ? '' : `, ${percent(tally.share)} %`;
    return element('div', { class: 'row' }, element('span', {}, said), tally.bar(),
      element('span', { class: 'figures' }, tally.text + share));
  };
  const [first, second] = [0, 1].map((side) => games.filter((game) => sideOf(game, name) === side));
  return part('By side', element('div', { class: 'ranges' },
    row('all games', games), row('moved first', first), row('moved second', second)));
}

/** @param {string} name @param {Game[]} games */
function byOpponent(name, games) {
  const groups = Map.groupBy(games, (game) => opponentOf(game, name));
  const rows = table.bots.filter((bot) => groups.has(bot.name)).map((bot) => {
    const of = groups.get(bot.name) ?? [];
    const sides = [0, 1].map((side) =>
      new Tally(of.filter((game) => sideOf(game, name) === side), name));
    return { bot, of, all: new Tally(of, name), sides };
  });
  /** @typedef {(typeof rows)[number]} Row */
  /** @param {string} head @param {number} at @param {string} says @returns {Column<Row>} */
  const side = (head, at, says) => numberColumn(head, ({ sides }) =>
    element('span', { title: sides[at].text }, sides[at].pointsText),
    ({ sides }) => sides[at].share, says);
  /** @type {Column<Row>[]} */
  const columns = [
    numberColumn('rank', ({ bot }) => String(bot.rank), ({ bot }) => bot.rank),
    {
      head: 'opponent',
      kind: 'bot',
      value: ({ bot }) => bot.name,
      cell: ({ bot }) =>
        element('a', { href: addressOfBot(name, bot.name) }, nameElement(bot.name)),
    },
    {
      head: 'points',
      kind: 'number result',
      value: ({ all }) => all.points,
      cell: ({ all }) => element('span', { class: scoreClass(all.share ?? 0) }, all.pointsText),
    },
    side('moved first', 0, 'Points and games where it moved first'),
    side('moved second', 1, 'Points and games where it moved second'),
    { head: 'last games', kind: 'words', cell: ({ of }) => form(name, of) },
  ];
  const heading = 'Against each opponent';
  return part(heading, tableElement('opponents', heading, columns, rows));
}

/** @param {string} name @param {Game[]} games */
function byEnd(name, games) {
  const groups = [...Map.groupBy(games, endKind)];
  const ends = groups.map(([end, of]) => ({ end, tally: new Tally(of, name) }));
  ends.sort((one, other) => other.tally.games - one.tally.games);
  /** @typedef {(typeof ends)[number]} Row */
  const bots = [name, ...query.getAll('against')].map((bot) => ['bot', bot]);
  /** @param {string} end */
  const address = (end) => addressOf('games', new URLSearchParams([...bots, ['filter', end]]));
  /** @type {Column<Row>[]} */
  const columns = [
    {
      head: 'end',
      kind: 'bot',
      value: ({ end }) => end,
      cell: ({ end }) => element('a', { href: address(end) }, visible(end)),
    },
    countColumn('won', ({ tally }) => tally.counts[2]),
    countColumn('drawn', ({ tally }) => tally.counts[1]),
    countColumn('lost', ({ tally }) => tally.counts[0]),
  ];
  const heading = 'How its games end';
  return part(heading, tableElement('bot-ends', heading, columns, ends));
}

/** @param {string} name @param {Game[]} games */
function byRound(name, games) {
  const rounds = Map.groupBy(games.slice(-BY_ROUND), roundOf);
  if (rounds.size < 2) {
    return null;
  }
  const heading = games.length > BY_ROUND ? `By round, the last ${BY_ROUND} games` : 'By round';
  const rows = [...rounds].map(([round, of]) => element('li', {},
    element('span', { class: 'hint' }, visible(round)), ...of.map((game) => mark(game, name))));
  return part(heading, element('ol', { class: 'by-round' }, ...rows));
}

/** Rank by rating, and rating, after each run. @param {string} name */
function byRun(name) {
  const points = table.history.flatMap((run) => {
    const rated = run.bots.flatMap(({ rating }) => rating ?? []);
    const own = run.bots.find((bot) => bot.name === name)?.rating ?? null;
    const rank = 1 + rated.filter((rating) => rating > (own ?? 0)).length;
    return own === null ? [] : [{ day: dayOf(run), rating: own, rank }];
  });
  if (points.length < 2) {
    return null;
  }
  const series = [{ name, values: points.map(({ rating }) => rating) }];
  const days = points.map(({ day }) => day);
  const ranks = points.slice(-FORM).map(({ day, rank }) => `${day}: rank ${rank}`);
  return part('Rating and rank by run', lineChart(series, days, 'Rating after each run', elo),
    element('p', { class: 'hint' }, `Rank by rating, ${ranks.join(', ')}.`));
}

/**
 * Its time per ply beside that of its opponents, and the plies of its games.
 * @param {string} name
 * @param {Game[]} games
 */
function timeOf(name, games) {
  /** @type {[own: number[], others: number[]]} */
  const [own, others] = [[], []];
  for (const game of games) {
    game.times((side, micros) => (game.players[side] === name ? own : others).push(micros));
  }
  return part('Time and length', timeChart([[name, own], ['its opponents', others]]),
    lengthChart([['plies per game', games.map((game) => game.plies)]]));
}

/** @param {string} name @param {string | null} against @param {Game[]} games */
function lastGames(name, against, games) {
  const bots = against === null ? [name] : [name, against];
  const chosen = new URLSearchParams(bots.map((bot) => ['bot', bot]));
  const all = `All ${counted(games.length, 'game')} in the list`;
  return element('section', { class: 'wide' }, element('h3', {}, 'Last games'),
    element('ol', { class: 'games' }, ...games.slice(-BOARDS).reverse().map(gameRow)),
    element('p', {}, element('a', { href: addressOf('games', chosen) }, all)));
}
