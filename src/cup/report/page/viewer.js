// @ts-check
// The view of one game: board, clocks, plies, graphs, and the keys of `arbiter replay`.

/** @import { Game } from './types' */
import {
  BOT, addressBecomes, addressOfPlace, gameName, goToAddress, linkTo, place,
} from './address.js';
import { OpenGame, endOf, endText, games, scoreText } from './data.js';
import { boardPicture, botLink, disc, nameElement } from './draw.js';
import { byId, element } from './element.js';
import { graphX, graphs } from './graphs.js';
import { chosenGames } from './list.js';
import { pgnOf } from './pgn.js';
import { clockText, plies, timeText, visible } from './text.js';

/**
 * The game that is shown, after how many plies, and which of them are listed; null in other views.
 * @type {{ open: OpenGame, ply: number, listed: string } | null}
 */
export let view = null;
/** The view while a game is shown. */
const shown = () => /** @type {NonNullable<typeof view>} */ (view);
/** How many plies are played in a second. */
const PACES = [0.5, 1, 2, 4, 8, 16];
/** Which of them it is, whether each ply takes its own time instead, and the timer of the next. */
const pace = { at: 2, isReal: false, timer: 0 };
/** How often the last key has come again because it is held. */
let repeats = 0;
let isTurned = false;
/** Whether the board is also shown as text. */
let asText = false;
/** Plies of the list that are elements at the same time, on the screen and on paper. */
const [LISTED, PRINTED] = [400, 20_000];

/** Opens a game after so many plies. @param {Game} game @param {number} ply */
export function openGame(game, ply) {
  stop();
  const isOther = view?.open.game !== game;
  if (isOther) {
    view = { open: new OpenGame(game), ply: 0, listed: '' };
    drawGame();
  }
  goTo(ply);
  if (isOther) {
    byId('board').focus({ preventScroll: true });
    document.querySelector('.game-head')?.scrollIntoView();
  }
}

/** Closes the game that is shown, if one is. */
export function closeGame() {
  if (view !== null) {
    stop();
    view = null;
    byId('viewer').replaceChildren();
  }
}

/** Shows the game after so many plies. @param {number} ply */
export function goTo(ply) {
  const { open } = shown();
  shown().ply = Math.max(0, Math.min(open.steps.length, ply));
  drawPly();
  addressBecomes(linkTo(open.game, shown().ply));
}

/** @param {number} plies */
const goOn = (plies) => goTo(shown().ply + plies);
const goToEnd = () => goTo(shown().open.steps.length);

/**
 * The next ply of the side that played the last one, or at the start will play; or the one before.
 * @param {number} direction
 */
function sameBot(direction) {
  const { open: { steps }, ply } = shown();
  const side = steps[Math.max(0, ply - 1)]?.side;
  for (let at = ply + direction; at > 0 && at <= steps.length; at += direction) {
    if (steps[at - 1].side === side) {
      return at;
    }
  }
  return direction > 0 ? steps.length : 0;
}

// Playing.

export function isPlaying() {
  return pace.timer !== 0;
}

function stop() {
  clearTimeout(pace.timer);
  pace.timer = 0;
  drawPace();
}

/** Waits for the time of the next ply. */
function planNext() {
  const { open, ply } = shown();
  const step = open.steps[ply];
  if (step === undefined) {
    stop();
    return;
  }
  const wait = pace.isReal ? (step.micros ?? 0) / 1000 : 1000 / PACES[pace.at];
  const next = () => {
    goOn(1);
    planNext();
  };
  clearTimeout(pace.timer);
  pace.timer = setTimeout(next, Math.max(wait, 20));
  drawPace();
}

function togglePlaying() {
  if (isPlaying()) {
    stop();
    return;
  }
  if (shown().ply === shown().open.steps.length) {
    goTo(0);
  }
  planNext();
}

/** @param {number} by */
function changePace(by) {
  pace.at = Math.max(0, Math.min(PACES.length - 1, pace.at + by));
  setReal(false);
}

function toggleReal() {
  setReal(!pace.isReal);
}

/** @param {boolean} isReal */
function setReal(isReal) {
  pace.isReal = isReal;
  if (isPlaying()) {
    planNext();
  }
  drawPace();
}

function drawPace() {
  if (view === null) {
    return;
  }
  byId('play').textContent = isPlaying() ? 'Stop' : 'Play';
  byId('pace').textContent = pace.isReal ? 'in real time' : `${PACES[pace.at]} a second`;
  byId('real').setAttribute('aria-pressed', String(pace.isReal));
}

// What is drawn once for a game.

/** @param {string} id @param {string} text @param {string} label @param {() => unknown} click */
const button = (id, text, label, click) =>
  element('button', { type: 'button', id, 'aria-label': label, title: label, click }, text);

/**
 * Leads to the games beside the one that is shown.
 * @param {string} id
 * @param {Game[]} others
 * @param {string} what
 */
function gameSteps(id, others, what) {
  const at = others.indexOf(shown().open.game);
  /** @param {number} by @param {string} text @param {string} label */
  const turn = (by, text, label) => {
    const name = `${by < 0 ? 'previous' : 'next'}${id}`;
    const made = button(name, text, `${label} ${what}`, () => goBeside(others, by));
    made.disabled = others[at + by] === undefined;
    return made;
  };
  return element('span', { class: 'controls' },
    turn(-1, '‹', 'The game before'),
    `${at < 0 ? '–' : at + 1} of ${others.length} ${what}`,
    turn(1, '›', 'The next game'));
}

function drawGame() {
  const { open } = shown();
  const { game } = open;
  const [first, second] = game.players;
  const [firstLetter, secondLetter] = game.board.letters;
  const back = place.startsWith(BOT) ? visible(place.slice(BOT.length)) : 'Table and games';
  const head = element('div', { class: 'game-head' },
    element('a', { href: addressOfPlace(), id: 'all' }, back),
    element('h2', {},
      botLink(first), ` (${firstLetter}) ${scoreText(game)} `,
      botLink(second), ` (${secondLetter})`),
    element('p', {}, gameFacts(game)),
    element('p', { class: 'controls' },
      gameSteps('', chosenGames(), 'in the list'),
      gameSteps('-of-pair', gamesOfPair(game), 'of these two')));
  const slider = element('input', {
    id: 'slider',
    type: 'range',
    min: 0,
    max: open.steps.length,
    'aria-label': 'Ply',
    input: ({ target }) => goTo(Number(target.value)),
  });
  const controls = element('div', { class: 'controls', role: 'group', 'aria-label': 'Steps' },
    button('first', '«', 'The start position', () => goTo(0)),
    button('back', '‹', 'One move back', () => goOn(-1)),
    button('on', '›', 'One move on', () => goOn(1)),
    button('last', '»', 'The end', goToEnd),
    button('play', 'Play', 'Play, or stop playing', togglePlaying),
    button('slower', '−', 'Play slower', () => changePace(-1)),
    element('span', { id: 'pace' }),
    button('faster', '+', 'Play faster', () => changePace(1)),
    button('real', 'Real time', 'Play in the time that each ply took', toggleReal));
  const tools = element('div', { class: 'controls' },
    button('turn', 'Turn', 'Turn the board', turnBoard),
    button('as-text', 'Text', 'The board as text', toggleText),
    button('copy', 'Copy position', 'Copy the position text', copyPosition),
    game.more.trouble ? null : button('save', 'Save PGN', 'Save the game as PGN', saveGame),
    element('span', { id: 'copied', role: 'status' }));
  const textBoard = element('pre', {
    id: 'text-board', hidden: !asText, tabindex: 0, 'aria-label': 'The board as text',
  });
  const boardSide = element('div', { class: 'board-side' },
    element('p', { id: 'player-1', class: 'player' }),
    element('div', { id: 'board', tabindex: -1 }),
    element('p', { id: 'player-0', class: 'player' }),
    slider,
    controls,
    element('p', { id: 'said', 'aria-live': 'polite' }),
    element('div', { id: 'explanation' }),
    tools,
    textBoard);
  const listSide = element('div', { class: 'list-side' },
    element('div', { id: 'graphs' }, ...graphs(open, goTo)),
    element('h3', { id: 'plies-heading' }, plies(open.steps.length)),
    game.more.proved ? element('p', { class: 'hint' }, 'Proved: ? missed a win, ?? lost the ' +
      'game; after it each move of the loser loses, in orange.') : null,
    element('ol', { id: 'plies', 'aria-labelledby': 'plies-heading' }));
  byId('viewer').replaceChildren(head, element('div', { class: 'game' }, boardSide, listSide));
  swipes(byId('board'));
  drawPace();
}

/** @param {Game} game */
function gameFacts(game) {
  const facts = [gameName(game), game.board.title, endText(game), plies(game.plies)];
  if (game.round && game.round !== '?') {
    facts.push(`round ${game.round}`);
  }
  const times = [...new Set(game.condition.time.map((time) => time ?? '-'))];
  if (times.some((time) => time !== '' && time !== '-')) {
    facts.push(`time ${times.join(' and ')}`);
  }
  return facts.map(visible).join(' · ');
}

// What is drawn for each ply.

/** A ply in words: `3. B alice: a2c4  12.3 ms`. @param {number} number */
function plySentence(number) {
  const { open } = shown();
  if (number === 0) {
    return 'start position';
  }
  const { players, board } = open.game;
  const { side, micros } = open.steps[number - 1];
  const who = `${board.letters[side]} ${visible(players[side])}`;
  const time = micros === null ? '' : timeText(micros);
  const parts = [`${number}. ${who}: ${open.plyText(number)}`, time, visible(open.note(number))];
  return parts.filter((part) => part !== '').join('  ');
}

function drawPly() {
  const { open, ply } = shown();
  const { steps } = open;
  const count = steps.length;
  const changes = ply === 0 ? [] : steps[ply - 1].changes;
  const label = `Position after ply ${ply} of ${count}`;
  const picture = boardPicture(open.board, open.boards[ply], changes, isTurned, label);
  byId('board').replaceChildren(picture);
  byId('said').textContent = plySentence(ply);
  byId('text-board').textContent = open.text(ply);
  byId('copied').textContent = '';
  const slider = /** @type {HTMLInputElement} */ (byId('slider'));
  slider.value = String(ply);
  slider.setAttribute('aria-valuetext', `ply ${ply} of ${count}`);
  drawPlayer(0);
  drawPlayer(1);
  drawExplanation();
  drawPlies();
  for (const cursor of byId('graphs').querySelectorAll('.cursor')) {
    cursor.setAttribute('x1', String(graphX(ply, count)));
    cursor.setAttribute('x2', String(graphX(ply, count)));
  }
}

/** The side that is on move after so many plies. @param {OpenGame} open @param {number} ply */
export function sideOnMove(open, ply) {
  const letter = open.end(ply).split(' ')[0];
  return open.steps[ply]?.side ?? open.board.letters.indexOf(letter);
}

/** @param {number} side */
function drawPlayer(side) {
  const { open, ply } = shown();
  const { game } = open;
  const isOver = ply === open.steps.length;
  const isOn = !isOver && sideOnMove(open, ply) === side;
  const left = open.clocks[ply][side];
  // Like the board, the side that moves first is below unless the board is turned.
  const player = byId(`player-${isTurned ? 1 - side : side}`);
  player.classList.toggle('on-move', isOn);
  player.replaceChildren(
    disc(game.board, side),
    nameElement(game.players[side]),
    element('span', { class: 'state' }, isOn ? 'on move' : isOver ? endOf(game, side) : ''),
    element('span', { class: 'clock' }, left === null ? '' : clockText(left)));
}

/**
 * What is proved of the next and the last ply; after the last ply: how the game ended, and what a
 * forfeiting bot did wrong.
 */
function drawExplanation() {
  const { open: { game, steps }, ply } = shown();
  const parts = [];
  for (const [number, said, proof] of game.more.proved ?? []) {
    if (number === ply || number === ply + 1) {
      parts.push(element('p', { class: 'proved' }, `Proved of ply ${number}: ${said}`));
      parts.push(element('p', { class: 'hint' }, `The proof: ${proof}`));
    }
  }
  if (ply === steps.length) {
    parts.push(...endParts());
  }
  const explanation = byId('explanation');
  explanation.classList.toggle('forfeit', parts.length > 0 && game.outcome === 'forfeit');
  explanation.replaceChildren(...parts);
}

/** How the game ended. */
function endParts() {
  const { open: { game, steps } } = shown();
  const { detail, reply, trouble, stderr, proved = [] } = game.more;
  /** @type {HTMLElement[]} */
  const parts = [element('p', {}, element('strong', {}, visible(trouble ?? endText(game))))];
  const won = (steps.at(-1)?.changes ?? []).filter(([, mark]) => mark === 'w');
  if (won.length > 0) {
    const names = won.map(([square]) => game.board.squares[square]);
    parts.push(element('p', { class: 'hint', id: 'won' }, `with ${names.join(' ')}`));
  }
  const lost = proved.at(-1);
  if (lost !== undefined) {
    const [number] = lost;
    const attributes = { type: 'button', id: 'where-lost', click: () => goTo(number - 1) };
    parts.push(element('button', attributes, `Where it was lost: ply ${number}`));
  }
  if (detail) {
    parts.push(element('p', {}, visible(detail)));
  }
  if (reply && reply[1] !== '') {
    const time = reply[0] === null ? '' : ` after ${timeText(reply[0] * 1e6)}`;
    const answer = element('code', {}, visible(reply[1]));
    parts.push(element('p', {}, `The answer that lost${time}: `, answer));
  }
  if (stderr) {
    parts.push(
      element('p', {}, 'Standard error, its end:'),
      element('pre', {}, stderr.split('\n').map(visible).join('\n')));
  }
  return parts;
}

/**
 * What is proved of plies by their numbers. The last of these lost the game, so each later ply of
 * the loser loses too.
 * @param {OpenGame} open
 */
function provedPlies({ steps, game: { more: { proved = [] } } }) {
  const said = new Map(proved.map(([number, text]) => [number, text]));
  const turned = proved.at(-1)?.[0] ?? Infinity;
  steps.forEach(({ side }, at) => {
    if (at >= turned && side === steps[turned - 1].side) {
      said.set(at + 1, 'every move loses here');
    }
  });
  return { said, turned };
}

/** The list of plies; of a long game the part around the one that is shown. */
function drawPlies(listed = LISTED) {
  const { open, ply } = shown();
  const list = /** @type {HTMLOListElement} */ (byId('plies'));
  const from = Math.floor(Math.max(0, ply - 1) / listed) * listed;
  const part = `${from}+${listed}`;
  if (shown().listed !== part) {
    shown().listed = part;
    list.start = from + 1;
    const steps = open.steps.slice(from, from + listed);
    const { said, turned } = provedPlies(open);
    list.replaceChildren(...steps.map(({ side, micros }, at) => {
      const number = from + at + 1;
      const mark = number > turned || !said.has(number) ? '' : number === turned ? ' ??' : ' ?';
      const text = `${open.board.letters[side]} ${open.plyText(number)}${mark}`;
      const loses = number >= turned && said.has(number);
      return element('li', { title: said.get(number) },
        element('button', { type: 'button', click: () => goTo(number) },
          element('span', { class: 'number' }, `${number}.`),
          element('span', { class: loses ? 'loses' : null }, text),
          element('span', { class: 'time' }, micros === null ? '' : timeText(micros))));
    }));
  }
  list.querySelector('[aria-current]')?.removeAttribute('aria-current');
  const current = list.children[ply - 1 - from]?.firstElementChild;
  if (current instanceof HTMLElement) {
    current.setAttribute('aria-current', 'step');
    // Only the list scrolls, not the page.
    list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  } else {
    list.scrollTop = 0;
  }
}

window.addEventListener('beforeprint', () => view && drawPlies(PRINTED));
window.addEventListener('afterprint', () => view && drawPlies());

// What the buttons and keys do.

function turnBoard() {
  isTurned = !isTurned;
  drawPly();
}

function toggleText() {
  asText = !asText;
  byId('text-board').hidden = !asText;
}

/** Copies the position text; where the page may not, it shows the text instead. */
async function copyPosition() {
  const text = shown().open.position(shown().ply);
  let said = `copied: ${text}`;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    said = text;
  }
  byId('copied').textContent = said;
}

function saveGame() {
  const { open } = shown();
  const href = URL.createObjectURL(new Blob([pgnOf(open)], { type: 'application/x-chess-pgn' }));
  const download = `${gameName(open.game).replace(/[^\w~.-]/g, '_')}.pgn`;
  element('a', { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/**
 * Goes to the game beside this one among others, if there is one.
 * @param {Game[]} others
 * @param {number} by
 */
function goBeside(others, by) {
  const other = others[others.indexOf(shown().open.game) + by];
  if (other !== undefined) {
    goToAddress(linkTo(other));
  }
}

/** The games of the same two bots, whoever moved first. @param {Game} game */
function gamesOfPair({ players: [first, second] }) {
  return games.filter(({ players }) => players.includes(first) && players.includes(second));
}

function askForPly() {
  const answer = prompt(`Ply, 0 to ${shown().open.steps.length}`, String(shown().ply));
  if (answer !== null && /^\s*\d+\s*$/.test(answer)) {
    goTo(Number(answer));
  }
}

/** A finger that moves sideways on the board steps. @param {HTMLElement} board */
function swipes(board) {
  /** @type {number | null} */
  let from = null;
  const touched = (/** @type {TouchEvent} */ { touches }) => {
    from = touches.length === 1 ? touches[0].clientX : null;
  };
  board.addEventListener('touchstart', touched, { passive: true });
  board.addEventListener('touchend', ({ changedTouches }) => {
    const by = from === null ? 0 : changedTouches[0].clientX - from;
    if (Math.abs(by) > 30) {
      goOn(by < 0 ? 1 : -1);
    }
  });
}

/** Keys of the view of a game; whether the key is one of them. @param {KeyboardEvent} event */
export function viewerKey({ key, repeat }) {
  const { game } = shown().open;
  repeats = repeat ? repeats + 1 : 0;
  // A key that is held goes faster.
  const step = [1, 2, 5, 10][Math.min(3, Math.floor(repeats / 12))];
  const does = new Map(Object.entries({
    ArrowLeft: () => goOn(-step),
    ArrowRight: () => goOn(step),
    ArrowUp: () => goTo(sameBot(-1)),
    ArrowDown: () => goTo(sameBot(1)),
    Home: () => goTo(0),
    End: goToEnd,
    ' ': togglePlaying,
    '+': () => changePace(1),
    '-': () => changePace(-1),
    r: toggleReal,
    g: askForPly,
    n: () => goBeside(chosenGames(), 1),
    p: () => goBeside(chosenGames(), -1),
    N: () => goBeside(gamesOfPair(game), 1),
    P: () => goBeside(gamesOfPair(game), -1),
    f: turnBoard,
    t: toggleText,
    y: copyPosition,
    s: () => game.more.trouble || saveGame(),
    Escape: () => goToAddress(addressOfPlace()),
  })).get(key);
  does?.();
  return does !== undefined;
}
