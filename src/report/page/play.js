'use strict';
// A game of a person against a bot of a page that is served. It knows no rules: the server says which plies are legal, and
// what each changes on the board.

/**
 * The game of the person: its number, its stream, its last state, the game as it is drawn, the squares that are chosen of the next
 * ply, the plies among which these leave a choice, the plies of the game before one was taken back, whether all legal plies are shown, and the finished game. Null if
 * there is none.
 */
let own = null;

/** Sends a request; returns the answer, or throws the server's sentence. */
async function ask(path, body) {
  const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) {
    throw new Error((await answer.text()) || 'the server refuses it');
  }
  return answer.json();
}

function personSays(text) {
  document.getElementById('person-said').textContent = visible(text);
}

function personSection(opponents, rules) {
  const bot = element('select', { id: 'person-bot' }, ...opponents.map((name) => element('option', { value: name }, visible(name))));
  const side = element('select', { id: 'person-side' },
    element('option', { value: 0 }, 'I move first'), element('option', { value: 1 }, 'I move second'));
  const submit = (event) => {
    event.preventDefault();
    begin({ bot: bot.value, side: Number(side.value) });
  };
  const ply = element('input', { id: 'person-ply', type: 'search', list: 'person-legal', autocomplete: 'off', spellcheck: 'false', placeholder: 'ply, or resign' });
  const answer = (event) => {
    event.preventDefault();
    sendPly(ply.value);
    ply.value = '';
  };
  const button = (id, text, click) => element('button', { type: 'button', id: `person-${id}`, hidden: true, click }, text);
  return element('section', { id: 'section-person', 'aria-labelledby': 'heading-person' },
    element('h2', { id: 'heading-person' }, 'Play a bot'),
    element('form', { class: 'tools', submit }, element('label', {}, 'against ', bot), side,
      element('button', { id: 'person-begin' }, 'Begin')),
    element('div', { class: 'person' },
      element('div', {},
        element('div', { id: 'person-board', class: 'running' }),
        element('form', { id: 'person-form', class: 'tools', hidden: true, submit: answer },
          element('label', { for: 'person-ply' }, 'Your ply '), ply, element('button', {}, 'Play'),
          button('pass', 'Pass', () => sendPly('pass')), button('resign', 'Resign', () => sendPly('resign'))),
        element('div', { class: 'tools' },
          button('shows-legal', 'Legal plies', toggleLegal), button('back', 'Take back', takeBack),
          button('step', 'Step through it', () => goToGame(own.finished)),
          button('again', 'Play again', () => beginAgain(own.state.you)),
          button('other', 'Other side', () => beginAgain(1 - own.state.you))),
        element('p', { id: 'person-said', role: 'status' }),
        element('p', { id: 'person-saved', class: 'hint' })),
      element('div', {},
        element('div', { id: 'person-plies-legal', class: 'tools' }),
        element('ol', { id: 'person-plies', 'aria-label': 'The plies so far' }),
        rulesBox(rules))),
    element('datalist', { id: 'person-legal' }));
}

/** The rules of the game in some lines, with a ply as an example; nothing for a game of which the page does not know them. */
function rulesBox({ title, lines, options, example }) {
  if (example === null) {
    return null;
  }
  const { board, start, step, caption } = example;
  const cells = cellsOf(board, start);
  const { changes } = liveStep(step);
  play(cells, { changes });
  return element('details', { id: 'person-rules', open: true },
    element('summary', {}, `${title} in short`),
    element('ol', {}, ...lines.map((line) => element('li', {}, line))),
    element('p', { class: 'hint' }, `Here: ${visible(options)}`),
    element('figure', {}, boardPicture(board, cells, changes, false, caption), element('figcaption', {}, caption)));
}

/** Whether the server is asked for a game: a second press does not ask for another one. */
let isBeginning = false;

/** Begins a game, which ends the one before it; `earlier` are the plies of that that are still played. */
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
    personSays(error.message);
  } finally {
    isBeginning = false;
  }
}

function beginAgain(side) {
  begin({ bot: own.game.players[1 - own.state.you], side });
}

async function sendPly(text) {
  if (!own?.state?.turn) {
    personSays('it is not your turn');
    return;
  }
  try {
    chooseNone();
    // Before the answer: the end of the game may be said earlier than that comes.
    personSays('');
    await ask(`play/${own.state.number}`, { number: own.state.turn.number, text });
  } catch (error) {
    personSays(error.message);
    drawPerson();
  }
}

// Taking back.

/** All plies so far, each with its text, whether the person has chosen it, and the position before it. */
function ownPlies() {
  const { game, state, earlier } = own;
  const open = new OpenGame({ ...game, steps: () => game.steps, condition: { clocks: [null, null] } });
  const plies = game.steps.map(({ side, micros }, at) => ({
    text: `${game.board.letters[side]} ${open.plyText(at + 1)}`,
    isChosen: side === state.you && micros !== null,
    before: open.position(at),
  }));
  return [...earlier, ...plies];
}

/** Begins anew before the last ply that the person has chosen: a bot can be asked from any position on. */
function takeBack() {
  const { game, state } = own;
  const plies = ownPlies();
  const last = plies.findLastIndex(({ isChosen }) => isChosen);
  const wanted = { bot: game.players[1 - state.you], side: state.you, position: plies[last].before };
  begin(wanted, plies.slice(0, last));
}

function followPerson(number, earlier = []) {
  own?.source.close();
  const source = new EventSource(`play/${number}/events`);
  own = { number, source, state: null, game: null, chosen: [], several: [], earlier, showsLegal: false, finished: null };
  document.getElementById('person-board').replaceChildren();
  drawPerson();
  personSays('The bot gets ready …');
  source.addEventListener('message', (event) => {
    takeNext(() => takePerson(source, JSON.parse(event.data)));
  });
  source.addEventListener('error', () => {
    // A browser closes the stream of a known game as well, when the page is loaded anew.
    if (source.readyState === EventSource.CLOSED && own.source === source && own.state === null) {
      sessionStorage.removeItem('arbiter-game');
      personSays('This game is over, or the server does not know it.');
    }
  });
}

async function takePerson(source, { state, game, finished }) {
  if (own?.source !== source) {
    return;
  }
  const isAsked = state.turn !== null && state.turn.number !== own.state?.turn?.number;
  own.state = state;
  if (game !== null) {
    own.game = advanced(undefined, game);
  }
  if (isAsked) {
    chooseNone();
    personSays(state.turn.refused ?? 'It is your turn.');
  }
  if (state.over) {
    source.close();
    sessionStorage.removeItem('arbiter-game');
    // How the game ended stands below its board.
    personSays(state.trouble ?? '');
    if (finished !== null) {
      await takeGames(finished, false);
      own.finished = games.at(-1);
      due.list = true;
      redrawSoon();
    }
  }
  drawPerson();
}

// What is drawn.

function toggleLegal() {
  own.showsLegal = !own.showsLegal;
  drawPerson();
}

/** The legal plies, each with its text, its squares by their numbers, and whether it is a word: not the names of its squares. */
function legalPlies() {
  const { legal = [], squares = [] } = own.state?.turn ?? {};
  const name = (square) => own.game.board.squares[square];
  return legal.map((text, at) => ({
    text,
    squares: squares[at],
    isWord: text !== 'pass' && text !== squares[at].map(name).join(''),
  }));
}

/** The legal plies that begin with these squares. */
function pliesFrom(chosen) {
  return legalPlies().filter(({ squares }) => chosen.every((square, at) => squares[at] === square));
}

function chooseNone() {
  [own.chosen, own.several] = [[], []];
}

/** Marks of the squares that are chosen and of those that may follow, or if the legal plies are shown of those of one square. */
function marksOf() {
  const { chosen, game: { cells }, showsLegal } = own;
  const target = (square) => [square, cells[square] > 0 ? 'r' : 'l'];
  const next = pliesFrom(chosen).filter(({ squares }) => squares.length > chosen.length);
  if (chosen.length > 0) {
    return [...chosen.map((square) => [square, 'a']), ...next.map(({ squares }) => target(squares[chosen.length]))];
  }
  return showsLegal ? next.filter(({ squares }) => squares.length === 1).map(({ squares }) => target(squares[0])) : [];
}

function drawPerson() {
  const { state, game, showsLegal, finished } = own;
  const legal = state?.turn?.legal ?? [];
  const part = (id) => document.getElementById(`person-${id}`);
  const show = (id, isShown) => {
    part(id).hidden = !isShown;
  };
  const isAsked = legal.length > 0;
  const isOver = game !== null && state.over;
  const plies = game === null ? own.earlier : ownPlies();
  const hasClock = game?.clocks.some(([left]) => left !== null) ?? true;
  show('form', isAsked);
  show('resign', isAsked);
  show('pass', legal.includes('pass'));
  show('shows-legal', isAsked);
  show('back', !hasClock && plies.some(({ isChosen }) => isChosen));
  show('step', finished !== null);
  show('again', isOver);
  show('other', isOver);
  part('shows-legal').setAttribute('aria-pressed', String(showsLegal));
  part('saved').textContent = state?.saved ? `The log of the game is in ${visible(state.saved)}.` : '';
  part('legal').replaceChildren(...legal.map((text) => element('option', { value: text })));
  const choice = (text) => element('button', { type: 'button', click: () => sendPly(text) }, text);
  // Plies that are words have no other place to be clicked.
  const words = game === null ? [] : legalPlies().filter(({ isWord }) => isWord).map(({ text }) => text);
  const listed = own.several.length > 0 ? own.several : showsLegal ? legal : words;
  part('plies-legal').replaceChildren(...listed.map(choice));
  part('plies').replaceChildren(...plies.map(({ text }, at) => element('li', {}, `${at + 1}. ${text}`)));
  part('plies').scrollTop = part('plies').scrollHeight;
  if (game !== null) {
    const parts = liveParts(game, marksOf(), state.you === 1, isTurned());
    parts[1].addEventListener('click', chooseSquare);
    part('board').replaceChildren(...parts);
  }
}

/** Whether the board is turned to the person. A game whose rules the page does not know may have an up and a down. */
function isTurned() {
  return own.state.you === 1 && own.game.board.rules === undefined;
}

/** The number of the square of a click. */
function clicked(event) {
  const { board } = own.game;
  const picture = event.currentTarget;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  const [x, y] = [Math.floor(point.x), Math.floor(point.y)];
  if (Math.min(x, y) < 0 || x >= board.columns.length || y >= board.rows.length) {
    return null;
  }
  const at = y * board.columns.length + x;
  return isTurned() ? board.squares.length - 1 - at : at;
}

/** Chooses a square: one more of the ply, or the last one again, which ends a ply that could go on, or takes the choice back. */
function chooseSquare(event) {
  const square = clicked(event);
  if (square === null || !own.state.turn) {
    return;
  }
  const next = [...own.chosen, square];
  const fitting = pliesFrom(next);
  const isWhole = (chosen) => ({ squares }) => squares.length === chosen.length;
  if (fitting.some(({ squares }) => squares.length > next.length)) {
    own.chosen = next;
    drawPerson();
    return;
  }
  const isAgain = own.chosen.at(-1) === square;
  const whole = isAgain && fitting.length === 0 ? pliesFrom(own.chosen).filter(isWhole(own.chosen)) : fitting;
  if (whole.length === 1) {
    sendPly(whole[0].text);
  } else if (whole.length > 1 || isAgain) {
    chooseNone();
    own.several = whole.map(({ text }) => text);
    drawPerson();
  } else {
    // The server says why there is no such ply.
    sendPly(next.map((each) => own.game.board.squares[each]).join(''));
  }
}
