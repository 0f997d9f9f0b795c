'use strict';
// A page that is served: it follows its tournament, shows the running games, and lets a person play. It knows no rules:
// the server says which plies are legal, and what each changes on the board.

/** The running games by their slot, and what is drawn when there is time. */
const running = new Map();
const due = { table: false, list: false, timer: null, cost: 0 };
/** The game of the person: its number and last state; null if there is none. */
let own = null;
/** Updates are taken one after the other. */
let taken = Promise.resolve();

// Running games.

/** A step as the server writes it. */
function liveStep([side, named, end, changes, micros]) {
  return { side, own: named, end, changes, micros };
}

/** A running game after an update of it; `before` is what was known of it. */
function advanced(before, update) {
  const { game, from, steps, clocks, ended } = update;
  const known = game === undefined ? before
    : { ...game, cells: cellsOf(game.board, game.start), last: null, plies: 0 };
  if (known === undefined || known.plies !== from) {
    return undefined;
  }
  for (const step of steps.map(liveStep)) {
    play(known.cells, step);
    known.last = step;
    known.plies += 1;
  }
  return Object.assign(known, { clocks, ended, heard: performance.now() });
}

function lastPlyText({ board, last }) {
  if (last === null) {
    return 'start position';
  }
  const time = last.micros === null ? '' : `  ${timeText(last.micros)}`;
  return `${board.letters[last.side]} ${stepText(board, last)}${time}`;
}

/** What the clock of a side says now: what is left, or how long the side has thought. */
function liveClock(game, side) {
  const [left, thinks] = game.clocks[side];
  const gone = thinks === null ? 0 : thinks + performance.now() - game.heard;
  if (left !== null) {
    return clockText(Math.max(0, left - gone) * 1000);
  }
  return thinks === null || gone < 1000 ? '' : `thinks ${clockText(gone * 1000)}`;
}

function livePlayer(game, side) {
  const kind = side === game.board.white ? 'light' : 'dark';
  const moves = game.clocks[side][1] !== null;
  return element('p', { class: moves ? 'player on-move' : 'player' },
    element('span', { class: `disc ${kind}` }, game.board.letters[side]), nameElement(game.players[side]),
    element('span', { class: 'clock', 'data-side': side }, liveClock(game, side)));
}

/** The parts of a running game; `marks` are marked squares beside those of the last ply. */
function liveParts(game, marks = [], isTurned = false) {
  const said = game.ended ?? `ply ${game.plies}: ${lastPlyText(game)}`;
  const changes = [...(game.last?.changes ?? []), ...marks];
  const label = `${game.players.map(visible).join(' against ')}, ${said}`;
  const [above, below] = isTurned ? [0, 1] : [1, 0];
  return [livePlayer(game, above), boardPicture(game.board, game.cells, changes, isTurned, label),
    livePlayer(game, below), element('p', { class: 'said' }, visible(said))];
}

function drawRunning(slot) {
  const game = running.get(slot);
  let shown = document.getElementById(`running-${slot}`);
  if (shown === null) {
    shown = element('article', { id: `running-${slot}`, class: 'running' });
    document.getElementById('running').append(shown);
  }
  shown.replaceChildren(...liveParts(game));
  document.getElementById('section-running').hidden = false;
}

function drawClocks() {
  const all = [...running].map(([slot, game]) => [`running-${slot}`, game]);
  for (const [id, game] of own?.game ? [...all, ['person-board', own.game]] : all) {
    for (const clock of document.querySelectorAll(`#${id} .clock`)) {
      clock.textContent = liveClock(game, Number(clock.dataset.side));
    }
  }
}

// The table and the list.

/** Draws the table and the list anew when they have changed, in a small part of the time. */
function redraw() {
  due.timer = null;
  const began = performance.now();
  if (due.table) {
    const list = document.getElementById('section-games');
    const overview = document.getElementById('overview');
    Array.from(overview.children).filter((part) => part !== list).forEach((part) => part.remove());
    overview.prepend(...tableSections());
    drawFacts();
  }
  if (due.list) {
    const list = document.getElementById('list');
    const rows = list.children.length;
    const place = window.scrollY;
    drawList();
    while (list.children.length < rows && document.getElementById('more').children.length > 0) {
      addRows();
    }
    window.scrollTo(0, place);
  }
  [due.table, due.list] = [false, false];
  due.cost = performance.now() - began;
}

function redrawSoon() {
  due.timer ??= setTimeout(redraw, Math.max(200, 20 * due.cost));
}

function sayState(text) {
  document.getElementById('live-state').textContent = text;
}

/** Takes something after all that came before it. What cannot be taken is said, and does not stop what follows. */
function takeNext(take) {
  taken = taken.then(take).catch((error) => sayState(`An update cannot be shown: ${error.message}.`));
}

/** Takes an update. */
async function takeUpdate(source, update) {
  if (update.reload) {
    source.close();
    location.reload();
    return;
  }
  for (const batch of update.games) {
    await takeGames(batch);
    [due.table, due.list] = [true, true];
  }
  if (update.table !== undefined) {
    takeTable(update.table);
    due.table = true;
  }
  for (const change of update.running) {
    const game = advanced(running.get(change.slot), change);
    if (game !== undefined) {
      running.set(change.slot, game);
      drawRunning(change.slot);
    }
  }
  if (due.table || due.list) {
    redrawSoon();
  }
  if (update.over) {
    source.close();
    sayState('The run has ended; this page shows its last state.');
    document.documentElement.dataset.live = 'over';
  }
}

function follow(from) {
  const source = new EventSource(`events?from=${from}`);
  source.addEventListener('open', () => {
    sayState('Live.');
    document.documentElement.dataset.live = 'true';
  });
  source.addEventListener('error', () => {
    if (document.documentElement.dataset.live !== 'over') {
      sayState('The connection is lost; trying again …');
      document.documentElement.dataset.live = 'lost';
    }
  });
  source.addEventListener('message', (event) => {
    takeNext(() => takeUpdate(source, JSON.parse(event.data)));
  });
}

// A game of the person.

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

function personSection(opponents) {
  const bot = element('select', { id: 'person-bot' }, ...opponents.map((name) => element('option', { value: name }, visible(name))));
  const side = element('select', { id: 'person-side' },
    element('option', { value: 0 }, 'I move first'), element('option', { value: 1 }, 'I move second'));
  const begin = async (event) => {
    event.preventDefault();
    try {
      const { game } = await ask('play', { bot: bot.value, side: Number(side.value) });
      sessionStorage.setItem('arbiter-game', String(game));
      followPerson(game);
    } catch (error) {
      personSays(error.message);
    }
  };
  const ply = element('input', { id: 'person-ply', type: 'search', list: 'person-legal', autocomplete: 'off', spellcheck: 'false', placeholder: 'ply, or resign' });
  const answer = (event) => {
    event.preventDefault();
    sendPly(ply.value);
    ply.value = '';
  };
  return element('section', { id: 'section-person', 'aria-labelledby': 'heading-person' },
    element('h2', { id: 'heading-person' }, 'Play a bot'),
    element('form', { class: 'tools', submit: begin }, element('label', {}, 'against ', bot), side,
      element('button', { id: 'person-begin' }, 'Begin')),
    element('div', { id: 'person-board', class: 'running' }),
    element('form', { id: 'person-form', class: 'tools', hidden: true, submit: answer },
      element('label', { for: 'person-ply' }, 'Your ply '), ply, element('button', {}, 'Play'),
      element('button', { type: 'button', id: 'person-resign', click: () => sendPly('resign') }, 'Resign')),
    element('datalist', { id: 'person-legal' }),
    element('p', { id: 'person-said', role: 'status' }));
}

async function sendPly(text) {
  if (!own?.state?.turn) {
    personSays('it is not your turn');
    return;
  }
  try {
    own.from = null;
    // Before the answer: the end of the game may be said earlier than that comes.
    personSays('');
    await ask(`play/${own.state.number}`, { number: own.state.turn.number, text });
  } catch (error) {
    personSays(error.message);
    drawPerson();
  }
}

function followPerson(number) {
  own?.source.close();
  own = { source: new EventSource(`play/${number}/events`), state: null, game: null, from: null };
  const { source } = own;
  document.getElementById('person-board').replaceChildren();
  drawPerson();
  personSays('The bot gets ready …');
  source.addEventListener('message', (event) => {
    takeNext(() => takePerson(source, JSON.parse(event.data)));
  });
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) {
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
    own.from = null;
    personSays(state.turn.refused ?? 'It is your turn.');
  }
  if (state.over) {
    source.close();
    sessionStorage.removeItem('arbiter-game');
    personSays(state.trouble ?? own.game?.ended ?? '');
    if (finished !== null) {
      await takeGames(finished, false);
      due.list = true;
      redrawSoon();
    }
  }
  drawPerson();
}

function drawPerson() {
  const { state, game, from } = own;
  document.getElementById('person-form').hidden = state === null || state.turn === null;
  document.getElementById('person-legal').replaceChildren(
    ...(state?.turn?.legal ?? []).map((text) => element('option', { value: text })));
  if (game === null) {
    return;
  }
  const { squares } = game.board;
  const targets = from === null ? [] : state.turn?.legal.filter((text) => text.startsWith(from))
    .map((text) => [squares.indexOf(text.slice(from.length)), 'l']).filter(([square]) => square >= 0) ?? [];
  const marks = from === null ? [] : [[squares.indexOf(from), 'a'], ...targets];
  const parts = liveParts(game, marks, state.you === 1);
  parts[1].addEventListener('click', choose);
  document.getElementById('person-board').replaceChildren(...parts);
}

/** The square of a click, by its name. */
function clicked(event) {
  const { board } = own.game;
  const picture = event.currentTarget;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  const [x, y] = [Math.floor(point.x), Math.floor(point.y)];
  if (Math.min(x, y) < 0 || x >= board.columns.length || y >= board.rows.length) {
    return null;
  }
  const at = y * board.columns.length + x;
  return own.state.you === 1 ? board.squares.at(-1 - at) : board.squares[at];
}

/** Chooses a square: the whole ply, where it begins, or where it ends. */
function choose(event) {
  const square = clicked(event);
  const legal = own.state.turn?.legal;
  if (square === null || legal === undefined) {
    return;
  }
  const begins = (text) => text.startsWith(square) && own.game.board.squares.includes(text.slice(square.length));
  if (own.from === square) {
    own.from = null;
  } else if (own.from === null && !legal.includes(square) && legal.some(begins)) {
    own.from = square;
  } else {
    sendPly((own.from ?? '') + square);
    return;
  }
  drawPerson();
}

// The beginning.

started.then(async () => {
  const block = blockText('live');
  const { from, opponents } = JSON.parse(decoded(await readBlock(block)));
  const parts = element('main', { id: 'live' },
    element('p', { id: 'live-state', class: 'hint', role: 'status' }),
    opponents === null ? null : personSection(opponents),
    element('section', { id: 'section-running', hidden: true, 'aria-labelledby': 'heading-running' },
      element('h2', { id: 'heading-running' }, 'Running games'), element('div', { id: 'running' })));
  document.getElementById('overview').before(parts);
  const show = () => {
    parts.hidden = !document.getElementById('viewer').hidden;
  };
  window.addEventListener('hashchange', show);
  show();
  setInterval(drawClocks, 100);
  follow(from);
  const known = sessionStorage.getItem('arbiter-game');
  if (opponents !== null && known !== null) {
    followPerson(Number(known));
  }
});
