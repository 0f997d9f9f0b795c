// @ts-check
// A game of a person on a page that is served, against a bot or another person. It knows no rules:
// the server says which plies are legal, and what each changes on the board.

/** @import { Game, Mark, PersonState, PersonUpdate, Rules, RunningGame, Seat } from './types' */
import { goToAddress, linkTo } from './address.js';
import { Positions, cellsOf, games, play, takeGames } from './data.js';
import { boardPicture } from './draw.js';
import { byId, element } from './element.js';
import { due, redrawSoon, takeEach } from './redraw.js';
import { advanced, liveParts, liveStep } from './running.js';
import { visible } from './text.js';

/**
 * The game of the person; null if there is none. Before the server has answered, it has no `state`
 * and no `game`.
 *
 * - `path`: where its states are, and where answers go;
 * - `seat`: the seat, if another person is the opponent;
 * - `chosen`: the squares that are chosen of the next ply;
 * - `several`: the plies among which these leave a choice;
 * - `earlier`: the plies of the game before, of which one was taken back;
 * - `finished`: the game when it is over.
 * @typedef {{ text: string, isChosen: boolean, before: string }} PersonPly
 * @typedef {{
 *   number: number, path: string, seat: Seat | null, source: EventSource,
 *   state: PersonState | null, game: RunningGame | null,
 *   chosen: number[], several: string[], earlier: PersonPly[], showsLegal: boolean,
 *   finished: Game | null,
 * }} PersonGame
 * @type {PersonGame | null}
 */
export let own = null;

/**
 * The game of the person, which the server has answered.
 * @returns {PersonGame & { state: PersonState, game: RunningGame }}
 */
const begun = () => /** @type {any} */ (own);

/** What the person is asked; null if it is not the person's turn. */
const turn = () => own?.state?.turn ?? null;

/**
 * Sends a request; returns the answer, or throws the server's sentence.
 * @param {string} path
 * @param {object} body
 */
async function ask(path, body) {
  const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) {
    throw new Error((await answer.text()) || 'the server refuses it');
  }
  return answer.json();
}

/** @param {string} text */
function personSays(text) {
  byId('person-said').textContent = visible(text);
}

/** @param {unknown} error */
function personSaysError(error) {
  personSays(/** @type {Error} */ (error).message);
}

/** @param {string[]} opponents @param {Rules} rules */
export function personSection(opponents, rules) {
  const bot = element('select', { id: 'person-bot' },
    ...opponents.map((name) => element('option', { value: name }, visible(name))));
  const side = element('select', { id: 'person-side' },
    element('option', { value: 0 }, 'I move first'),
    element('option', { value: 1 }, 'I move second'));
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    begin({ bot: bot.value, side: Number(side.value) });
  };
  return sectionOf('Play a bot', rules,
    element('form', { class: 'tools', submit },
      element('label', {}, 'against ', bot), side,
      element('button', { id: 'person-begin' }, 'Begin')));
}

/** The section of a person who plays another one. @param {Seat} seat @param {Rules} rules */
export function seatSection({ name, other }, rules) {
  const click = async () => {
    try {
      await ask('seat', { ready: true });
    } catch (error) {
      personSaysError(error);
    }
  };
  return sectionOf(`${visible(name)} against ${visible(other)}`, rules,
    element('div', { class: 'tools' },
      element('button', { type: 'button', id: 'person-begin', hidden: true, click }, 'Begin')));
}

/**
 * What persons play in, below what begins a game.
 * @param {string} heading
 * @param {Rules} rules
 * @param {HTMLElement} beginning
 */
function sectionOf(heading, rules, beginning) {
  const ply = element('input', {
    id: 'person-ply',
    type: 'search',
    list: 'person-legal',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'move, or resign',
  });
  /** @param {SubmitEvent} event */
  const answer = (event) => {
    event.preventDefault();
    sendPly(ply.value);
    ply.value = '';
  };
  /** @param {string} id @param {string} text @param {() => unknown} click */
  const button = (id, text, click) =>
    element('button', { type: 'button', id: `person-${id}`, hidden: true, click }, text);
  const step = () => {
    const { finished } = begun();
    if (finished !== null) {
      goToAddress(linkTo(finished));
    }
  };
  return element('section', { id: 'section-person', 'aria-labelledby': 'heading-person' },
    element('h2', { id: 'heading-person' }, heading),
    beginning,
    element('div', { class: 'person' },
      element('div', {},
        element('div', { id: 'person-board', class: 'running' }),
        element('form', { id: 'person-form', class: 'tools', hidden: true, submit: answer },
          element('label', { for: 'person-ply' }, 'Your move '), ply, element('button', {}, 'Play'),
          button('pass', 'Pass', () => sendPly('pass')),
          button('resign', 'Resign', () => sendPly('resign'))),
        element('div', { class: 'tools' },
          button('shows-legal', 'Legal moves', toggleLegal),
          button('back', 'Take back', takeBack),
          button('step', 'Step through it', step),
          button('again', 'Play again', () => beginAgain(begun().state.you)),
          button('other', 'Other side', () => beginAgain(1 - begun().state.you))),
        element('p', { id: 'person-said', role: 'status' }),
        element('p', { id: 'person-saved', class: 'hint' })),
      element('div', {},
        element('div', { id: 'person-plies-legal', class: 'tools' }),
        element('ol', { id: 'person-plies', 'aria-label': 'The moves so far' }),
        rulesBox(rules))),
    element('datalist', { id: 'person-legal' }));
}

/**
 * The rules of the game in some lines, with a ply as an example; nothing for a game of which the
 * page does not know them.
 * @param {Rules} rules
 */
function rulesBox({ title, lines, options, example }) {
  if (example === null) {
    return null;
  }
  const { board, start, step, caption } = example;
  const cells = cellsOf(board, start);
  const { changes } = liveStep(step);
  play(cells, changes);
  const picture = boardPicture(board, cells, changes, false, caption);
  return element('details', { id: 'person-rules', open: true },
    element('summary', {}, `${title} in short`),
    element('ol', {}, ...lines.map((line) => element('li', {}, line))),
    element('p', { class: 'hint' }, `Here: ${visible(options)}`),
    element('figure', {}, picture, element('figcaption', {}, caption)));
}

/** Whether the server is asked for a game: a second press does not ask for another one. */
let isBeginning = false;

/**
 * Begins a game, which ends the one before it; `earlier` are the plies that are kept of that.
 * @param {{ bot: string, side: number, position?: string }} wanted
 * @param {PersonPly[]} earlier
 */
async function begin(wanted, earlier = []) {
  if (isBeginning) {
    return;
  }
  isBeginning = true;
  try {
    const { game } = await ask('play', { ...wanted, instead: own?.number ?? null });
    sessionStorage.setItem('arbiter-game', String(game));
    document.getElementById('person-rules')?.removeAttribute('open');
    followPerson(game, earlier);
  } catch (error) {
    personSaysError(error);
  } finally {
    isBeginning = false;
  }
}

/** Begins a game against the same bot. @param {number} side */
function beginAgain(side) {
  const { game, state } = begun();
  begin({ bot: game.players[1 - state.you], side });
}

/** @param {string} text */
async function sendPly(text) {
  const asked = turn();
  if (asked === null) {
    personSays('it is not your turn');
    return;
  }
  try {
    chooseNone();
    // Before the answer: the end of the game may be said earlier than that comes.
    personSays('');
    await ask(begun().path, { game: begun().number, number: asked.number, text });
  } catch (error) {
    personSaysError(error);
    drawPerson();
  }
}

// Taking back.

/**
 * All moves so far, each with its text, whether it is the person's, and the position before it.
 * @returns {PersonPly[]}
 */
function ownPlies() {
  const { game: { board, start, steps }, state, earlier } = begun();
  const positions = new Positions(board, start, steps);
  const plies = steps.map(({ side, micros }, at) => ({
    text: `${board.letters[side]} ${positions.plyText(at + 1)}`,
    isChosen: side === state.you && micros !== null,
    before: positions.position(at),
  }));
  return [...earlier, ...plies];
}

/** Takes back the last ply of the person: begins again from the position before it. */
function takeBack() {
  const { game, state } = begun();
  const plies = ownPlies();
  const last = plies.findLastIndex(({ isChosen }) => isChosen);
  const side = state.you;
  const wanted = { bot: game.players[1 - side], side, position: plies[last].before };
  begin(wanted, plies.slice(0, last));
}

/** @param {number} number @param {PersonPly[]} earlier */
export function followPerson(number, earlier = []) {
  const path = `play/${number}`;
  const source = followed({ number, path, seat: null, earlier });
  personSays('The bot gets ready …');
  takeEach(source, ({ state }) => state.over, (update) => takePerson(source, update));
  source.addEventListener('error', () => {
    // A browser closes the stream of a known game as well, when the page is loaded anew.
    if (source.readyState === EventSource.CLOSED && own?.source === source && own.state === null) {
      sessionStorage.removeItem('arbiter-game');
      personSays('This game is over, or the server does not know it.');
    }
  });
}

/** Follows the games at a seat, one after the other. @param {Seat} seat */
export function followSeat(seat) {
  const source = followed({ number: 0, path: 'seat', seat, earlier: [] });
  takeEach(source, () => false, (update) => takePerson(source, update));
  source.addEventListener('error', () => {
    personSays('The connection is lost; trying again …');
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => followSeat(seat), 5000);
    }
  });
}

/**
 * Begins to follow what is at a path, in place of what was followed.
 * @param {{ number: number, path: string, seat: Seat | null, earlier: PersonPly[] }} followed
 */
function followed({ number, path, seat, earlier }) {
  own?.source.close();
  const source = new EventSource(`${path}/events`);
  own = {
    number, path, seat, source, state: null, game: null, chosen: [], several: [], earlier,
    showsLegal: false, finished: null,
  };
  byId('person-board').replaceChildren();
  drawPerson();
  return source;
}

/** @param {EventSource} source @param {PersonUpdate} update */
async function takePerson(source, { state, game, finished }) {
  if (own?.source !== source) {
    return;
  }
  const isAnother = state.number !== own.number;
  const isAsked = state.turn !== null && (isAnother || state.turn.number !== turn()?.number);
  const wasOver = !isAnother && (own.state?.over ?? false);
  own.number = state.number;
  own.state = state;
  if (isAnother) {
    own.finished = null;
    own.game = null;
    document.getElementById('person-rules')?.removeAttribute('open');
    byId('person-board').replaceChildren();
    chooseNone();
  }
  if (game !== null) {
    own.game = advanced(undefined, game) ?? null;
  }
  if (isAsked) {
    chooseNone();
    personSays(state.turn?.refused ?? 'It is your turn.');
  }
  if (own.seat !== null && (!isAsked || state.over)) {
    personSays(seatText(state, own.seat));
  }
  if (state.over && !wasOver) {
    sessionStorage.removeItem('arbiter-game');
    if (own.seat === null) {
      // How the game ended stands below its board.
      personSays(state.trouble ?? '');
    }
    if (finished !== null) {
      await takeGames(finished, false);
      own.finished = games.at(-1) ?? null;
      due.list = true;
      redrawSoon();
    }
  }
  drawPerson();
}

/** What a person at a seat has to know now. @param {PersonState} state @param {Seat} seat */
function seatText({ turn: asked, trouble, over, ready }, { other }) {
  const [isReady, isOtherReady] = ready ?? [false, false];
  if (!over && asked === null) {
    return `It is the turn of ${visible(other)}.`;
  }
  if (!over) {
    return asked?.refused ?? 'It is your turn.';
  }
  const before = trouble === null ? '' : `${trouble} `;
  if (isReady) {
    return `${before}A game begins when ${visible(other)} is ready, too.`;
  }
  return isOtherReady ? `${before}${visible(other)} is ready for a game.`
    : `${before}A game begins when you both are ready.`;
}

// What is drawn.

function toggleLegal() {
  begun().showsLegal = !begun().showsLegal;
  drawPerson();
}

/**
 * The legal plies, each with its text, its squares by their numbers, and whether it is a word: not
 * the names of its squares.
 */
function legalPlies() {
  const { legal, squares } = turn() ?? { legal: [], squares: [] };
  /** @param {number} square */
  const name = (square) => begun().game.board.squares[square];
  return legal.map((text, at) => ({
    text,
    squares: squares[at],
    isWord: text !== 'pass' && text !== squares[at].map(name).join(''),
  }));
}

/** The legal plies that begin with these squares. @param {number[]} chosen */
function pliesFrom(chosen) {
  return legalPlies().filter(({ squares }) => chosen.every((square, at) => squares[at] === square));
}

function chooseNone() {
  begun().chosen = [];
  begun().several = [];
}

/**
 * Marks of the squares that are chosen and of those that may follow, or if the legal plies are
 * shown of those of one square.
 * @returns {Mark[]}
 */
function marksOf() {
  const { chosen, game: { cells }, showsLegal } = begun();
  const next = pliesFrom(chosen).filter(({ squares }) => squares.length > chosen.length);
  const shown = chosen.length > 0 ? next
    : next.filter(({ squares }) => showsLegal && squares.length === 1);
  const targets = shown.map(({ squares }) => squares[chosen.length]);
  return [
    ...chosen.map((square) => /** @type {Mark} */ ([square, 'a'])),
    ...targets.map((square) => /** @type {Mark} */ ([square, cells[square] > 0 ? 'r' : 'l'])),
  ];
}

function drawPerson() {
  const { state, seat, game, showsLegal, finished, earlier, several } =
    /** @type {PersonGame} */ (own);
  const legal = turn()?.legal ?? [];
  /** @param {string} id */
  const part = (id) => byId(`person-${id}`);
  const plies = game === null ? earlier : ownPlies();
  const isAsked = legal.length > 0;
  const isOver = game !== null && state?.over;
  const hasClock = game?.clocks.some(([left]) => left !== null) ?? true;
  part('form').hidden = !isAsked;
  part('resign').hidden = !isAsked;
  part('shows-legal').hidden = !isAsked;
  part('pass').hidden = !legal.includes('pass');
  part('back').hidden = hasClock || seat !== null || !plies.some(({ isChosen }) => isChosen);
  part('step').hidden = finished === null;
  part('again').hidden = !isOver || seat !== null;
  part('other').hidden = !isOver || seat !== null;
  part('begin').hidden = seat !== null && (!state?.over || Boolean(state.ready?.[0]));
  part('shows-legal').setAttribute('aria-pressed', String(showsLegal));
  const saved = state?.saved ?? null;
  part('saved').textContent = saved === null ? '' : `The log of the game is in ${visible(saved)}.`;
  part('legal').replaceChildren(...legal.map((text) => element('option', { value: text })));
  // Plies that are words have no other place to be clicked.
  const words = game === null ? [] : legalPlies().filter(({ isWord }) => isWord);
  const listed = several.length > 0 ? several : showsLegal ? legal : words.map(({ text }) => text);
  part('plies-legal').replaceChildren(...listed.map((text) =>
    element('button', { type: 'button', click: () => sendPly(text) }, text)));
  part('plies').replaceChildren(...plies.map(({ text }, at) =>
    element('li', {}, `${at + 1}. ${text}`)));
  part('plies').scrollTop = part('plies').scrollHeight;
  if (game !== null) {
    const isSecond = state?.you === 1;
    const parts = liveParts(game, marksOf(), isSecond, isTurnedToPerson());
    const { above, board, below, sentence } = parts;
    board.addEventListener('click', (event) => chooseSquare(clicked(board, event)));
    part('board').replaceChildren(above, board, below, sentence);
  }
}

/**
 * Whether the board is turned to the person. A game whose rules the page does not know may have an
 * up and a down.
 */
function isTurnedToPerson() {
  const { game, state } = begun();
  return state.you === 1 && game.board.rules === undefined;
}

/**
 * The number of the square of a click; null beside the board.
 * @param {SVGSVGElement} picture
 * @param {MouseEvent} click
 */
function clicked(picture, { clientX, clientY }) {
  const { columns, rows, squares } = begun().game.board;
  const point = new DOMPoint(clientX, clientY).matrixTransform(picture.getScreenCTM()?.inverse());
  const [x, y] = [Math.floor(point.x), Math.floor(point.y)];
  if (Math.min(x, y) < 0 || x >= columns.length || y >= rows.length) {
    return null;
  }
  const at = y * columns.length + x;
  return isTurnedToPerson() ? squares.length - 1 - at : at;
}

/**
 * Chooses a square: one more of the ply, or the last one again, which ends a ply that could go on,
 * or takes the choice back.
 * @param {number | null} square
 */
function chooseSquare(square) {
  if (square === null || turn() === null) {
    return;
  }
  const { chosen, game } = begun();
  const next = [...chosen, square];
  const fitting = pliesFrom(next);
  if (fitting.some(({ squares }) => squares.length > next.length)) {
    begun().chosen = next;
    drawPerson();
    return;
  }
  const isAgain = chosen.at(-1) === square;
  const endsHere = isAgain && fitting.length === 0;
  const whole = endsHere
    ? pliesFrom(chosen).filter(({ squares }) => squares.length === chosen.length) : fitting;
  if (whole.length === 1) {
    sendPly(whole[0].text);
  } else if (whole.length > 1 || isAgain) {
    chooseNone();
    begun().several = whole.map(({ text }) => text);
    drawPerson();
  } else {
    // The server says why there is no such ply.
    sendPly(next.map((each) => game.board.squares[each]).join(''));
  }
}
