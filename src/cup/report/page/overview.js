// @ts-check
// The first view: who leads, the table with a board beside it that plays, and the parts below them.

/** @import { Game } from './types' */
import { PARTS, linkTo } from './address.js';
import { botsSection } from './bots.js';
import { historySection, ratingsSection, roundsSection, timesSection } from './charts.js';
import { crosstableSection } from './crosstable.js';
import { OpenGame, endOf, endText, games, isOver, table } from './data.js';
import { boardPicture, botLink, disc } from './draw.js';
import { byId, element } from './element.js';
import { queueSection, versionsSection } from './league.js';
import { drawList, gamesSection } from './list.js';
import { finalParts, isKnockout, pairingsSection } from './pairings.js';
import {
  aboutSection, gameTitle, notesSection, noteLines, playedText, standingsSection,
  terminationsSection,
} from './tables.js';
import { counted, elo, fixed, visible } from './text.js';

/**
 * What makes each of the parts; null if there is nothing to show.
 * @type {Record<string, () => HTMLElement | null>}
 */
const SECTIONS = {
  table: standingsSection, queue: queueSection, versions: versionsSection,
  pairings: pairingsSection, crosstable: crosstableSection, games: gamesSection,
  bots: botsSection, ratings: ratingsSection, rounds: roundsSection, history: historySection,
  times: timesSection, ends: terminationsSection, notes: notesSection, about: aboutSection,
};

/** Draws the first view: each part into a place of its own. */
export function drawOverview() {
  const [first, ...rest] = Object.keys(PARTS).map((id) =>
    element('div', { id: `part-${id}`, class: 'part-place' }));
  const now = element('aside', { id: 'now', 'aria-label': 'A game' });
  byId('overview').replaceChildren(element('div', { id: 'front' }, first, now), ...rest);
  drawTables();
  drawPart('games');
  drawList();
  drawMenu();
  beginShowcase();
}

/** Draws a part anew; what scrolls in it stays where it is. @param {string} id */
function drawPart(id, made = SECTIONS[id]()) {
  const part = byId(`part-${id}`);
  const read = id === 'versions' ? readRow(part) : null;
  const scrolled = Array.from(part.querySelectorAll('.scroll'), ({ scrollLeft, scrollTop }) =>
    ({ left: scrollLeft, top: scrollTop }));
  part.replaceChildren(made ?? '');
  part.querySelectorAll('.scroll').forEach((box, at) => box.scrollTo(scrolled[at]));
  if (read !== null) {
    const rows = Array.from(part.getElementsByTagName('tr'));
    const same = rows.find((row) => rowName(row) === rowName(read.row));
    part.querySelector('.scroll')?.scrollBy(0, (same?.offsetTop ?? read.top) - read.top);
  }
}

/** What stays the same of a row when others come: its first two cells. */
const rowName = (/** @type {HTMLTableRowElement} */ { cells: [one, other] }) =>
  `${one.textContent} ${other.textContent}`;

/**
 * The row that is being read in a table to whose head others come, and where it stands; null if
 * the table is not scrolled.
 * @param {HTMLElement} part
 */
function readRow(part) {
  const scrolled = part.querySelector('.scroll')?.scrollTop ?? 0;
  const rows = Array.from(part.querySelectorAll('tr'));
  const row = rows.slice(1).find(({ offsetTop }) => offsetTop >= scrolled);
  return scrolled === 0 || row === undefined ? null : { row, top: row.offsetTop };
}

/** Draws anew what a league has changed in the first view. */
export function drawLeague() {
  for (const id of ['table', 'queue', 'versions']) {
    const made = SECTIONS[id]();
    const shown = byId(`part-${id}`).firstElementChild;
    // What is the same stays, with what is chosen or copied in it.
    if (made === null ? shown !== null : !made.isEqualNode(shown)) {
      drawPart(id, made);
    }
  }
}

/** Draws everything but the list of games anew. */
export function drawTables() {
  for (const id of Object.keys(PARTS)) {
    if (id !== 'games') {
      drawPart(id);
    }
  }
  drawHead();
}

/** The links to the parts that exist. */
export function drawMenu() {
  const links = Object.entries(PARTS).flatMap(([id, said]) =>
    said !== null && document.getElementById(`section-${id}`) !== null
      ? [element('li', {}, element('a', { href: `#${id}` }, said))]
      : []);
  byId('places').replaceChildren(...links);
}

/** Who leads, in words. */
function leaderParts() {
  const leaders = table.bots.filter((bot) => bot.rank === 1 && (isKnockout() || bot.games > 0));
  if (leaders.length === 0 || table.bots.length < 2) {
    return [];
  }
  const final = finalParts();
  if (final !== null) {
    return final;
  }
  const names = leaders.slice(0, 3).flatMap((bot, at) => [at === 0 ? '' : ', ', botLink(bot.name)]);
  const more = leaders.length > 3 ? ` and ${leaders.length - 3} more` : '';
  if (isKnockout() && leaders.length > 1 && isOver()) {
    return ['Nobody has won the knockout'];
  }
  if (isKnockout()) {
    return [...names, more, leaders.length > 1 ? ' are still in' : ' has won the knockout'];
  }
  const [{ points, games: played, rating: { rating } }] = leaders;
  const verb = leaders.length > 1 ? 'share the first place' : isOver() ? 'is first' : 'leads';
  const rated = leaders.length > 1 || rating === null ? '' : `, rating ${elo(rating)}`;
  const score = `${fixed(points)} points of ${counted(played, 'game')}`;
  return [...names, `${more} ${verb} with ${score}${rated}`];
}

export function drawHead() {
  byId('leader').replaceChildren(...leaderParts());
  const warnings = noteLines().filter((line) => line.includes('WARNING')).length;
  const facts = [gameTitle(), table.format ?? ''].filter((fact) => fact !== '').map(visible);
  if (table.games) {
    facts.push(`${playedText()}${counted(table.games.scheduled, 'game')}`);
  }
  // A served page follows a run until that says that it is over.
  const isServed = document.getElementById('live') !== null;
  const isRunning = isServed && document.documentElement.dataset.live !== 'over';
  if (table.complete === false && !isRunning) {
    const isBegun = table.games === null || table.games.played > 0;
    facts.push(isBegun
      ? 'INCOMPLETE: not every game that was to be played counts here'
      : 'no game has a result yet');
  }
  const link = element('a', { href: '#notes' }, counted(warnings, 'warning'));
  byId('facts').replaceChildren(facts.join(' · '), ...(warnings > 0 ? [' · ', link] : []));
}

/** A finished game beside the table, which plays again and again. */
class Showcase {
  /** @param {Game} game */
  constructor(game) {
    this.open = new OpenGame(game);
    // It begins with its end, which says most to who sees no more than that.
    this.ply = game.plies;
    this.timer = 0;
    this.isStopped = matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  element() {
    const { game } = this.open;
    /** @param {number} side */
    const player = (side) => element('p', { class: 'player' },
      disc(game.board, side), botLink(game.players[side]),
      element('span', { class: 'state' }, endOf(game, side)));
    const toggle = { type: 'button', id: 'showcase-stop', click: () => this.toggle() };
    return element('article', { id: 'showcase' },
      player(1), element('div', { id: 'showcase-board' }), player(0),
      element('p', { class: 'controls' },
        element('button', toggle),
        element('a', { id: 'showcase-open', href: linkTo(game) }, 'Open the game'),
        element('span', { id: 'showcase-ply', class: 'hint' })));
  }

  draw() {
    const { game, steps, boards } = this.open;
    const changes = this.ply === 0 ? [] : steps[this.ply - 1].changes;
    const place = `ply ${this.ply} of ${game.plies}`;
    const label = `${game.players.map(visible).join(' against ')}, ${place}`;
    const picture = boardPicture(game.board, boards[this.ply], changes, false, label);
    byId('showcase-board').replaceChildren(picture);
    byId('showcase-ply').textContent = `${place}, ${endText(game)}`;
    this.plan();
  }

  /** Waits for the next ply while the first view is shown. */
  plan() {
    clearTimeout(this.timer);
    byId('showcase-stop').textContent = this.isStopped ? 'Play' : 'Stop';
    const isLast = this.ply === this.open.game.plies;
    const next = () => {
      this.ply = isLast ? 0 : this.ply + 1;
      this.draw();
    };
    if (!this.isStopped && !byId('overview').hidden) {
      this.timer = setTimeout(next, isLast ? 4000 : 700);
    }
  }

  toggle() {
    this.isStopped = !this.isStopped;
    this.plan();
  }
}

/** @type {Showcase | null} */
let showcase = null;

/** Shows the last game that was won on the board, else the last with plies. */
function beginShowcase() {
  const played = games.filter((game) => game.plies > 0 && !game.more.trouble);
  const game = played.findLast(({ outcome }) => outcome === 'win') ?? played.at(-1);
  if (game !== undefined) {
    showcase = new Showcase(game);
    byId('now').append(showcase.element());
    showcase.draw();
  }
}

/** Goes on with the game beside the table. */
export function resumeShowcase() {
  showcase?.plan();
}
