// @ts-check
// Addresses of the page, which can be shared. `#alice~bob.3/27` is a ply of a game, `#bot/alice` a
// bot, `#games` a part of the first view. What is chosen there stands behind `?`:
// `#games?bot=alice&filter=forfeit`.

/** @import { Addressed, Game } from './types' */
import { botNames, findGame } from './data.js';
import { visible } from './text.js';

/** The beginning of the address of a bot. */
export const BOT = 'bot/';

/**
 * The parts of the first view in their order, with their names in the menu; null if it has none.
 * @type {Record<string, string | null>}
 */
export const PARTS = {
  table: 'Table', queue: 'Queue', versions: 'Versions', pairings: 'Rounds',
  crosstable: 'Crosstable', games: 'Games', bots: 'Bots', ratings: 'Ratings',
  rounds: null, history: null, times: null, ends: 'Ends', notes: 'Notes', about: 'About',
};

/** What is chosen: the words behind the `?`. */
export let query = new URLSearchParams();
/** What the query belongs to: a part of the first view, or `bot/` and a name. */
export let place = '';
/**
 * The query with which the first view is drawn; null if it is to be drawn anew.
 * @type {{ query: string | null }}
 */
export const drawn = { query: '' };

/**
 * Whether an id of a game would be read as something else: a part of the first view, or a bot.
 * @param {string} id
 */
const isReserved = (id) => id === '' || Object.hasOwn(PARTS, id) || id.startsWith(BOT);

/** @param {string} text */
function decodedPart(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not an address that this page writes: it is taken as it is.
  }
}

/** What an address names. @param {string} hash @returns {Addressed} */
export function addressed(hash) {
  const [path, search] = hash.replace(/^#/, '').split(/\?(.*)/s);
  const text = decodedPart(path);
  if (isReserved(text)) {
    const name = text.slice(BOT.length);
    return text.startsWith(BOT) && !botNames.has(name)
      ? { unknown: `This page has no bot ${visible(name)}.` }
      : { place: text, chosen: new URLSearchParams(search ?? '') };
  }
  // A slash of an id is `%2F` in the addresses that this page writes: `a/3` is a ply of `a`, if
  // there is such a game.
  const [, before, ply] = /^(.*)\/(\d+)$/s.exec(path) ?? [];
  const game = before === undefined ? undefined : findGame(decodedPart(before));
  if (game !== undefined) {
    return { game, ply: Number(ply) };
  }
  const whole = findGame(text);
  return whole === undefined
    ? { unknown: `This page has no game ${visible(text)}.` }
    : { game: whole, ply: null };
}

/** The address of a part of the page with what is chosen in it. @param {string} part */
export function addressOf(part, chosen = new URLSearchParams()) {
  const path = part.startsWith(BOT) ? BOT + encodeURIComponent(part.slice(BOT.length)) : part;
  return chosen.size === 0 ? `#${path}` : `#${path}?${chosen}`;
}

/** What is shown: a part with what is chosen in it. */
export const addressOfPlace = () => addressOf(place, query);

/**
 * The address of a bot, or of its games against another.
 * @param {string} name
 * @param {string | null} against
 */
export const addressOfBot = (name, against = null) =>
  addressOf(BOT + name, new URLSearchParams(against === null ? [] : [['against', against]]));

/** What stands for a game in links. @param {Game} game */
export function gameName(game) {
  const { id, number } = game;
  return id !== null && !isReserved(id) && findGame(id) === game ? id : String(number);
}

/** The address of a game, or of a ply of it. @param {Game} game @param {number | null} ply */
export function linkTo(game, ply = null) {
  const name = encodeURIComponent(gameName(game));
  return ply === null ? `#${name}` : `#${name}/${ply}`;
}

/** Milliseconds before the address follows: browsers refuse addresses that change too often. */
const ADDRESS_PAUSE = 400;
let addressTimer = 0;
/** The address that is to be; null if it is. @type {string | null} */
let addressDue = null;
/** The address that is shown: where the page has another one, its `hashchange` is still to come. */
let addressShown = location.hash;

/** Lets the address follow soon. @param {string} address */
export function addressBecomes(address) {
  clearTimeout(addressTimer);
  addressDue = address;
  addressTimer = setTimeout(settleAddress, ADDRESS_PAUSE);
}

/** Another address has come first. */
export function dropAddress() {
  clearTimeout(addressTimer);
  addressDue = null;
  addressShown = location.hash;
}

/** Lets the address follow at once, so that the way back leads to what was chosen. */
export function settleAddress() {
  if (addressDue !== null && location.hash === addressShown) {
    history.replaceState(null, '', addressDue);
  }
  dropAddress();
}

/** Goes to an address of the page. @param {string} address */
export function goToAddress(address) {
  settleAddress();
  location.hash = address;
}

/** Shows a part of the page with what is chosen in it. */
export function setPlace(part = '', chosen = new URLSearchParams()) {
  place = part;
  query = chosen;
}

/**
 * Chooses values for a word of the query, none to forget it; the address then has it, in this part
 * of the page.
 * @param {string} word
 * @param {string[]} values
 */
export function choose(word, values, part = place) {
  query.delete(word);
  for (const value of values) {
    query.append(word, value);
  }
  place = part;
  if (!place.startsWith(BOT)) {
    drawn.query = String(query);
  }
  addressBecomes(addressOfPlace());
}
