// @ts-check
// Who met whom in each round of a knockout or a Swiss tournament, as the rounds of the games say.
// The better rank of two bots of a knockout is the one that went on.

/** @import { Game, Pairing } from './types' */
import { addressOf } from './address.js';
import { roundOf } from './charts.js';
import { countedGames, isOver, scoreOf, table } from './data.js';
import { botLink, nameElement } from './draw.js';
import { element, section } from './element.js';
import { ofThisPage } from './tables.js';
import { visible } from './text.js';

/** The formats whose pairings depend on the rounds before, with the heading of their rounds. */
const HEADINGS = new Map([['knockout', 'Bracket'], ['swiss', 'Rounds']]);
export const isKnockout = () => table.format === 'knockout';
/** Whether a round is the final. @param {string} round */
const isFinal = (round) =>
  isKnockout() && Number(round) === Math.ceil(Math.log2(table.bots.length));
/** Whether all games are played, and the page has them. */
const isWhole = () => isOver() && ofThisPage() === null;

/** @param {Game[]} games @param {Map<string, number>} ranks @returns {Pairing} */
function pairing(games, ranks) {
  const bots = [...games[0].players].sort();
  const points = bots.map((name) => games.reduce((sum, game) =>
    sum + (game.result === '*' ? 0 : scoreOf(game, game.players.indexOf(name)) / 2), 0));
  const [one, other] = bots.map((name, at) =>
    isKnockout() ? ranks.get(name) ?? 0 : -points[at]);
  const winner = one === other ? null : bots[one < other ? 0 : 1];
  return { bots, points, winner };
}

/** The pairings of each round, those of a knockout in the order of the bracket. */
function pairingsByRound() {
  const ranks = new Map(table.bots.map(({ name, rank }) => [name, rank]));
  const rounds = [...Map.groupBy(countedGames(), roundOf)].map(([round, games]) => {
    const met = Map.groupBy(games, ({ players }) => [...players].sort().join(' '));
    return { round, pairings: [...met.values()].map((of) => pairing(of, ranks)) };
  });
  rounds.forEach(({ pairings }, at) => {
    const met = new Set(pairings.flatMap(({ bots }) => bots));
    const later = new Set(rounds.slice(at + 1).flatMap((round) =>
      round.pairings.flatMap(({ bots }) => bots)));
    for (const { name, byes } of table.bots) {
      // Whoever has not met anyone yet may still do so in this round. The table of a knockout
      // counts no byes.
      const isBye = isKnockout() ? later.has(name) : byes > 0 && (later.has(name) || isWhole());
      if (isBye && !met.has(name)) {
        pairings.push({ bots: [name], points: [], winner: name });
      }
    }
  });
  for (let at = rounds.length - 2; isKnockout() && at >= 0; at -= 1) {
    // Beside each other stand the two whose winners meet next.
    const next = rounds[at + 1].pairings.flatMap(({ bots }) => bots);
    /** @param {Pairing} pairing */
    const place = ({ bots }) => next.findIndex((name) => bots.includes(name)) >>> 0;
    rounds[at].pairings.sort((one, other) => place(one) - place(other));
  }
  return rounds;
}

export function pairingsSection() {
  const heading = HEADINGS.get(table.format ?? '');
  const rounds = heading === undefined ? [] : pairingsByRound();
  if (heading === undefined || rounds.length === 0) {
    return null;
  }
  const columns = rounds.map(({ round, pairings }) => element('div', {},
    element('h3', {}, isFinal(round) ? 'Final' : `Round ${visible(round)}`),
    element('ol', {}, ...pairings.map((one) => element('li', {}, pairingElement(one))))));
  const kind = isKnockout() ? 'pairings bracket' : 'pairings';
  return section('pairings', heading, ofThisPage(), element('div', { class: kind }, ...columns));
}

/** @param {Pairing} pairing */
function pairingElement({ bots, points, winner }) {
  const lines = bots.map((name, at) =>
    element('span', { class: name === winner ? 'won' : null },
      nameElement(name), element('b', {}, points.length === 0 ? 'bye' : String(points[at]))));
  if (points.length === 0) {
    return element('span', { class: 'card' }, ...lines);
  }
  const href = addressOf('games', new URLSearchParams(bots.map((name) => ['bot', name])));
  // Of a part of its games the points may be level, and those of the whole not.
  const isLevel = isKnockout() && winner !== null && points[0] === points[1] &&
    ofThisPage() === null;
  return element('a', { href, class: 'card' }, ...lines,
    isLevel ? element('small', {}, `level: ${visible(winner)} is the better seed`) : null);
}

/**
 * Who won the final of a knockout, in words; null before its end, if nobody played it, and if the
 * page does not have all games.
 */
export function finalParts() {
  const last = isWhole() ? pairingsByRound().at(-1) : undefined;
  if (last === undefined || !isFinal(last.round)) {
    return null;
  }
  const [{ bots, points, winner }] = last.pairings;
  if (winner === null) {
    return null;
  }
  const [won, lost] = bots[0] === winner ? [0, 1] : [1, 0];
  const seed = points[0] === points[1] ? ' as the better seed' : '';
  return [botLink(winner), ' won the final against ', botLink(bots[lost]),
    ` ${points[won]}–${points[lost]}${seed}`];
}
