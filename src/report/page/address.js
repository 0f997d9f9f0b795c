'use strict';
// Addresses of the page, which can be shared. `#alice~bob.3/27` is a ply of a game, `#bot/alice` a bot,
// `#games` a part of the first view. What is chosen there stands behind `?`: `#games?bot=alice&filter=forfeit`.

/** The beginning of the address of a bot. */
const BOT = 'bot/';

/** What is chosen: the words behind the `?`. */
let query = new URLSearchParams();
/** What the query belongs to: a part of the first view, or `bot/` and a name. */
let place = '';
/** The query with which the first view is drawn; null if it is to be drawn anew. */
let drawnQuery = '';

/** Whether an id of a game would be read as something else: a part of the first view (`PARTS`), or a bot. */
const isReserved = (id) => id === '' || Object.hasOwn(PARTS, id) || id.startsWith(BOT);

function decodedPart(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not an address that this page writes: it is taken as it is.
  }
}

/** What an address names: `place` and `chosen`, or `game` and `ply`, or `unknown`: a sentence. */
function addressed(hash) {
  const [path, search] = hash.replace(/^#/, '').split(/\?(.*)/s);
  const text = decodedPart(path);
  if (isReserved(text)) {
    const name = text.slice(BOT.length);
    return text.startsWith(BOT) && !botNames.has(name)
      ? { unknown: `This page has no bot ${visible(name)}.` }
      : { place: text, chosen: new URLSearchParams(search ?? '') };
  }
  // A slash of an id is `%2F` in the addresses that this page writes: `a/3` is a ply of `a`, if there is such a game.
  const [, before, ply] = /^(.*)\/(\d+)$/s.exec(path) ?? [];
  const game = before === undefined ? undefined : findGame(decodedPart(before));
  if (game !== undefined) {
    return { game, ply: Number(ply) };
  }
  const whole = findGame(text);
  return whole === undefined ? { unknown: `This page has no game ${visible(text)}.` } : { game: whole, ply: null };
}

/** The address of a part of the page with what is chosen in it. */
function addressOf(part, chosen = new URLSearchParams()) {
  const path = part.startsWith(BOT) ? BOT + encodeURIComponent(part.slice(BOT.length)) : part;
  return chosen.size === 0 ? `#${path}` : `#${path}?${chosen}`;
}

/** The address of a bot, or of its games against another. */
const addressOfBot = (name, against = null) =>
  addressOf(BOT + name, new URLSearchParams(against === null ? [] : [['against', against]]));

/** The address of a game, or of a ply of it. */
function linkTo(game, ply = null) {
  const name = encodeURIComponent(gameName(game));
  return ply === null ? `#${name}` : `#${name}/${ply}`;
}

/** Milliseconds after which the address follows what is chosen: browsers refuse addresses that change too often. */
const ADDRESS_PAUSE = 400;
let addressTimer = null;
/** The address that is to be; null if it is. */
let addressDue = null;

/** Lets the address follow soon. */
function addressBecomes(address) {
  clearTimeout(addressTimer);
  addressDue = address;
  addressTimer = setTimeout(settleAddress, ADDRESS_PAUSE);
}

/** Lets the address follow at once: before another one, so that the way back leads to what was chosen. */
function settleAddress() {
  clearTimeout(addressTimer);
  if (addressDue !== null) {
    history.replaceState(null, '', addressDue);
    addressDue = null;
  }
}

/** Goes to an address of the page. */
function goToAddress(address) {
  settleAddress();
  location.hash = address;
}

/** Chooses values for a word of the query, none to forget it; the address then has it, in this part of the page. */
function choose(word, values, part = place) {
  query.delete(word);
  values.forEach((value) => query.append(word, value));
  place = part;
  if (!place.startsWith(BOT)) {
    drawnQuery = String(query);
  }
  addressBecomes(addressOf(place, query));
}
