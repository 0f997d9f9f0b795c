'use strict';
// A page that is served: it follows its tournament and shows the running games.

/** The running games by their slot, and what is drawn when there is time. */
const running = new Map();
const due = { table: false, list: false, timer: null, cost: 0 };
/** Updates are taken one after the other. */
let taken = Promise.resolve();

// Running games.

/** A step as the server writes it. */
function liveStep([side, named, end, changes, micros, text]) {
  return { side, own: named, end, changes, micros, text };
}

/** A running game after an update of it; `before` is what was known of it. */
function advanced(before, update) {
  const { game, from, steps, clocks, ended } = update;
  const known = game === undefined ? before
    : { ...game, cells: cellsOf(game.board, game.start), last: null, plies: 0, steps: [] };
  if (known === undefined || known.plies !== from) {
    return undefined;
  }
  for (const step of steps.map(liveStep)) {
    play(known.cells, step);
    known.last = step;
    known.steps.push(step);
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
  const moves = game.clocks[side][1] !== null;
  return element('p', { class: moves ? 'player on-move' : 'player' },
    disc(game.board, side), nameElement(game.players[side]),
    element('span', { class: 'clock', 'data-side': side }, liveClock(game, side)));
}

/** The parts of a running game; `marks` are marked squares beside those of the last ply. The second side may be below. */
function liveParts(game, marks = [], isSecondBelow = false, isTurned = false) {
  const said = game.ended ?? `ply ${game.plies}: ${lastPlyText(game)}`;
  const changes = [...(game.last?.changes ?? []), ...marks];
  const label = `${game.players.map(visible).join(' against ')}, ${said}`;
  const [above, below] = isSecondBelow ? [0, 1] : [1, 0];
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
  const scrolled = window.scrollY;
  const isShown = !document.getElementById('overview').hidden;
  const focused = focusedPlace();
  if (due.table && isShown) {
    drawTables();
    drawMenu();
  } else if (due.table) {
    drawHead();
    redrawBot();
  }
  if (due.list && isShown) {
    drawList(document.getElementById('list').children.length);
  }
  if (!isShown) {
    // Its own query holds when it is shown again.
    drawnQuery = null;
  }
  focused?.();
  window.scrollTo(0, scrolled);
  [due.table, due.list] = [false, false];
  due.cost = performance.now() - began;
}

/** Remembers what has the focus in the first view; returns what gives it to the same when that is drawn anew, if it is. */
function focusedPlace() {
  const focused = document.activeElement;
  const part = focused.closest('.part-place, #places, #leader, #facts');
  if (part === null || focused.matches('input')) {
    return null;
  }
  const same = (other) => other.tagName === focused.tagName
    && ['id', 'href', 'aria-label'].every((name) => other.getAttribute(name) === focused.getAttribute(name))
    && (focused.matches('[id], [aria-label]') || other.textContent === focused.textContent);
  return () => focused.isConnected || Array.from(part.querySelectorAll('a, button, select, [tabindex]')).find(same)?.focus({ preventScroll: true });
}

/** Draws the page of a bot anew, unless something in it is used. */
function redrawBot() {
  const shown = document.getElementById('bot');
  const used = shown.contains(document.activeElement) && document.activeElement.id !== 'bot-heading';
  if (!shown.hidden && !used) {
    drawBot(place.slice(BOT.length));
  }
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
    drawHead();
  }
}

function follow(from) {
  const source = new EventSource(`events?from=${from}`);
  source.addEventListener('open', () => {
    sayState('Live.');
    document.documentElement.dataset.live = 'true';
    drawHead();
  });
  source.addEventListener('error', () => {
    if (document.documentElement.dataset.live !== 'over') {
      sayState('The connection is lost; trying again …');
      document.documentElement.dataset.live = 'lost';
      drawHead();
    }
  });
  source.addEventListener('message', (event) => {
    takeNext(() => takeUpdate(source, JSON.parse(event.data)));
  });
}

// The beginning.

started.then(async () => {
  const block = blockText('live');
  const { from, opponents, rules } = await readBlock(block);
  const parts = element('main', { id: 'live' },
    element('p', { id: 'live-state', class: 'hint', role: 'status' }),
    opponents === null ? null : personSection(opponents, rules));
  document.getElementById('overview').before(parts);
  document.getElementById('now').prepend(element('section', { id: 'section-running', hidden: true, 'aria-labelledby': 'heading-running' },
    element('h2', { id: 'heading-running' }, 'Running games'), element('div', { id: 'running' })));
  const show = () => {
    parts.hidden = document.getElementById('overview').hidden;
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
