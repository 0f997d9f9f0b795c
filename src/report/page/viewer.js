'use strict';
// The view of one game: board, clocks, plies, graphs, and the keys of `arbiter replay`.

/** The game that is shown; null in the first view. */
let view = null;
/** How many plies are played in a second; `null` is the time that each ply took. */
const PACES = [0.5, 1, 2, 4, 8, 16];
const pace = { at: 2, real: false, timer: null };
/** How often the last key has come again because it is held. */
let repeats = 0;
let turned = false;
/** Whether the board is also shown as text. */
let asText = false;
/** Plies of the list that are elements at the same time, on the screen and on paper. */
const [LISTED, PRINTED] = [400, 20_000];

/** What keys do, for the page of keys. */
const KEYS = [
  ['← →', 'one ply back or on, faster when held; also a swipe on the board'],
  ['↑ ↓', 'the last or the next ply of the same bot'],
  ['home end', 'the start position, the end'],
  ['g', 'go to a ply by its number'],
  ['space', 'play, or stop playing'],
  ['+ −', 'play faster, slower'],
  ['r', 'play in the time that each ply took, or evenly'],
  ['n p', 'the next game of the list, the one before'],
  ['N P', 'the next game of the same two bots, the one before'],
  ['/', 'the list of games, with a filter'],
  ['f', 'turn the board'],
  ['t', 'the board as text'],
  ['y', 'copy the position text'],
  ['s', 'save the game as PGN'],
  ['?', 'these keys'],
  ['esc', 'back to the table'],
];

/** Opens a game after so many plies; null for the start. */
function openGame(game, ply) {
  stop();
  const isOther = view === null || view.open.game !== game;
  if (isOther) {
    view = { open: new OpenGame(game), ply: 0, listed: null };
    drawGame();
  }
  goTo(ply ?? 0);
  if (isOther) {
    document.getElementById('board').focus({ preventScroll: true });
    document.querySelector('.game-head').scrollIntoView();
  }
}

/** Shows the game after so many plies. */
function goTo(ply) {
  const { open } = view;
  view.ply = Math.max(0, Math.min(open.steps.length, ply));
  drawPly();
  addressBecomes(linkTo(open.game, view.ply));
}

/** The next ply of the side that played the last one (or will play, at the start), or the one before. */
function sameBot(direction) {
  const {
    open: { steps },
    ply,
  } = view;
  const side = steps[Math.max(0, ply - 1)]?.side;
  for (let at = ply + direction; at > 0 && at <= steps.length; at += direction) {
    if (steps[at - 1].side === side) {
      return at;
    }
  }
  return direction > 0 ? steps.length : 0;
}

// Playing.

function isPlaying() {
  return pace.timer !== null;
}

function stop() {
  clearTimeout(pace.timer);
  pace.timer = null;
  drawPace();
}

function start() {
  if (view.ply === view.open.steps.length) {
    goTo(0);
  }
  planNext();
}

/** Waits for the time of the next ply. */
function planNext() {
  const step = view.open.steps[view.ply];
  if (step === undefined) {
    stop();
    return;
  }
  const wait = pace.real ? (step.micros ?? 0) / 1000 : 1000 / PACES[pace.at];
  clearTimeout(pace.timer);
  pace.timer = setTimeout(
    () => {
      goTo(view.ply + 1);
      planNext();
    },
    Math.max(wait, 20),
  );
  drawPace();
}

function togglePlaying() {
  if (isPlaying()) {
    stop();
  } else {
    start();
  }
}

function changePace(by) {
  pace.at = Math.max(0, Math.min(PACES.length - 1, pace.at + by));
  pace.real = false;
  replan();
}

function toggleReal() {
  pace.real = !pace.real;
  replan();
}

function replan() {
  if (isPlaying()) {
    planNext();
  }
  drawPace();
}

function drawPace() {
  const button = document.getElementById('play');
  if (button === null) {
    return;
  }
  button.textContent = isPlaying() ? 'Stop' : 'Play';
  document.getElementById('pace').textContent = pace.real ? 'in real time' : `${PACES[pace.at]} a second`;
  document.getElementById('real').setAttribute('aria-pressed', String(pace.real));
}

// What is drawn once for a game.

function drawGame() {
  const { open } = view;
  const { game } = open;
  const button = (id, text, label, click) =>
    element('button', { type: 'button', id, 'aria-label': label, title: label, click }, text);
  const row = (id, games, what) => {
    const at = games.indexOf(game);
    const turn = (by, text, label) => {
      const made = button(`${by < 0 ? 'previous' : 'next'}${id}`, text, `${label} ${what}`, () => goBeside(games, by));
      made.disabled = games[at + by] === undefined;
      return made;
    };
    return element(
      'span',
      { class: 'controls' },
      turn(-1, '‹', 'The game before'),
      `${at < 0 ? '–' : at + 1} of ${games.length} ${what}`,
      turn(1, '›', 'The next game'),
    );
  };
  const controls = element(
    'div',
    { class: 'controls', role: 'group', 'aria-label': 'Steps' },
    button('first', '«', 'The start position', () => goTo(0)),
    button('back', '‹', 'One ply back', () => goTo(view.ply - 1)),
    button('on', '›', 'One ply on', () => goTo(view.ply + 1)),
    button('last', '»', 'The end', () => goTo(open.steps.length)),
    button('play', 'Play', 'Play, or stop playing', togglePlaying),
    button('slower', '−', 'Play slower', () => changePace(-1)),
    element('span', { id: 'pace' }),
    button('faster', '+', 'Play faster', () => changePace(1)),
    button('real', 'Real time', 'Play in the time that each ply took', toggleReal),
  );
  const tools = element(
    'div',
    { class: 'controls' },
    button('turn', 'Turn', 'Turn the board', turnBoard),
    button('as-text', 'Text', 'The board as text', toggleText),
    button('copy', 'Copy position', 'Copy the position text', copyPosition),
    game.more.trouble ? null : button('save', 'Save PGN', 'Save the game as PGN', saveGame),
    element('span', { id: 'copied', role: 'status' }),
  );
  const slider = element('input', {
    id: 'slider',
    type: 'range',
    min: 0,
    max: open.steps.length,
    'aria-label': 'Ply',
    input: (event) => goTo(Number(event.target.value)),
  });
  const head = element(
    'div',
    { class: 'game-head' },
    element('a', { href: addressOf(place, query), id: 'all' }, place.startsWith(BOT) ? visible(place.slice(BOT.length)) : 'Table and games'),
    element(
      'h2',
      {},
      botLink(game.players[0]),
      ` (${game.board.letters[0]}) ${scoreText(game)} `,
      botLink(game.players[1]),
      ` (${game.board.letters[1]})`,
    ),
    element('p', {}, gameFacts(game)),
    element(
      'p',
      { class: 'controls' },
      row('', chosenGames(), 'in the list'),
      row('-of-pair', gamesOfPair(game), 'of these two'),
    ),
  );
  const boardSide = element(
    'div',
    { class: 'board-side' },
    element('p', { id: 'player-1', class: 'player' }),
    element('div', { id: 'board', tabindex: -1 }),
    element('p', { id: 'player-0', class: 'player' }),
    slider,
    controls,
    element('p', { id: 'said', 'aria-live': 'polite' }),
    element('div', { id: 'explanation' }),
    tools,
    element('pre', { id: 'text-board', hidden: !asText, tabindex: 0, 'aria-label': 'The board as text' }),
  );
  const listSide = element(
    'div',
    { class: 'list-side' },
    element('div', { id: 'graphs' }, ...graphs(open)),
    element('h3', { id: 'plies-heading' }, plies(open.steps.length)),
    element('ol', { id: 'plies', 'aria-labelledby': 'plies-heading' }),
  );
  document
    .getElementById('viewer')
    .replaceChildren(head, element('div', { class: 'game' }, boardSide, listSide));
  swipes(document.getElementById('board'));
  drawPace();
}

function gameFacts(game) {
  const facts = [gameName(game), game.board.title, endText(game), plies(game.plies)];
  if (game.round && game.round !== '?') {
    facts.push(`round ${game.round}`);
  }
  const times = game.condition.time[0] === game.condition.time[1] ? [game.condition.time[0]] : game.condition.time;
  if (times.some((time) => time && time !== '-')) {
    facts.push(`time ${times.map((time) => time ?? '-').join(' and ')}`);
  }
  return facts.map(visible).join(' · ');
}

// What is drawn for each ply.

/** A ply in words: `3. B alice: a2c4  12.3 ms`. */
function plySentence(number) {
  const { open } = view;
  const { game } = open;
  if (number === 0) {
    return 'start position';
  }
  const { side, micros } = open.steps[number - 1];
  const note = open.note(number);
  const time = micros === null ? '' : `  ${timeText(micros)}`;
  const name = visible(game.players[side]);
  const said = note === '' ? '' : `  ${visible(note)}`;
  return `${number}. ${game.board.letters[side]} ${name}: ${open.plyText(number)}${time}${said}`;
}

function drawPly() {
  const { open, ply } = view;
  const { game, steps } = open;
  const changes = ply === 0 ? [] : steps[ply - 1].changes;
  const label = `Position after ply ${ply} of ${steps.length}`;
  document
    .getElementById('board')
    .replaceChildren(boardPicture(game.board, open.boards[ply], changes, turned, label));
  document.getElementById('said').textContent = plySentence(ply);
  document.getElementById('text-board').textContent = open.text(ply);
  document.getElementById('copied').textContent = '';
  const slider = document.getElementById('slider');
  slider.value = String(ply);
  slider.setAttribute('aria-valuetext', `ply ${ply} of ${steps.length}`);
  [0, 1].forEach(drawPlayer);
  drawExplanation();
  drawPlies();
  document.querySelectorAll('#graphs .cursor').forEach((cursor) => {
    cursor.setAttribute('x1', graphX(ply, steps.length));
    cursor.setAttribute('x2', graphX(ply, steps.length));
  });
}

/** The side that is on move after so many plies. */
function sideOnMove(open, ply) {
  const { game, steps } = open;
  const next = steps[ply];
  if (next) {
    return next.side;
  }
  const letter = (ply === 0 ? game.start : `_ ${steps[ply - 1].end}`).split(' ')[1];
  return game.board.letters.indexOf(letter);
}

function drawPlayer(side) {
  const { open, ply } = view;
  const { game } = open;
  const isOver = ply === open.steps.length;
  const isOn = !isOver && sideOnMove(open, ply) === side;
  const left = open.clocks[ply][side];
  const clock = left === null ? '' : clockText(left);
  // Like the board, the side that moves first is below unless the board is turned.
  const place = document.getElementById(`player-${turned ? 1 - side : side}`);
  place.classList.toggle('on-move', isOn);
  place.replaceChildren(
    disc(game.board, side),
    nameElement(game.players[side]),
    element('span', { class: 'state' }, isOn ? 'on move' : isOver ? endOf(game, side) : ''),
    element('span', { class: 'clock' }, clock),
  );
}

/** How the game ended for a side. */
function endOf(game, side) {
  const won = winner(game);
  return won < 0
    ? ''
    : won === side
      ? 'won'
      : game.outcome === 'forfeit'
        ? `forfeited: ${game.termination}`
        : 'lost';
}

/** What is proved of the next and the last ply; after the last ply: how the game ended, and what a forfeiting bot did wrong. */
function drawExplanation() {
  const {
    open: { game, steps },
    ply,
  } = view;
  const { detail, reply, trouble, stderr, proved = [] } = game.more;
  const parts = proved
    .filter(([number]) => number === ply || number === ply + 1)
    .flatMap(([number, said, proof]) => [
      element('p', { class: 'proved' }, `Proved of ply ${number}: ${said}`),
      element('p', { class: 'hint' }, `The proof: ${proof}`),
    ]);
  if (ply === steps.length) {
    parts.push(element('p', {}, element('strong', {}, visible(trouble ?? endText(game)))));
    const won = (steps.at(-1)?.changes ?? []).filter(([, mark]) => mark === 'w');
    if (won.length > 0) {
      const names = won.map(([square]) => game.board.squares[square]);
      parts.push(element('p', { class: 'hint', id: 'won' }, `with ${names.join(' ')}`));
    }
    if (proved.length > 0) {
      const [number] = proved.at(-1);
      const go = () => goTo(number - 1);
      parts.push(element('button', { type: 'button', id: 'where-lost', click: go }, `Where it was lost: ply ${number}`));
    }
    if (detail) {
      parts.push(element('p', {}, visible(detail)));
    }
    if (reply && reply[1] !== '') {
      const time = reply[0] === null ? '' : ` after ${timeText(reply[0] * 1e6)}`;
      parts.push(element('p', {}, `The answer that lost${time}: `, element('code', {}, visible(reply[1]))));
    }
    if (stderr) {
      parts.push(
        element('p', {}, 'Standard error, its end:'),
        element('pre', {}, stderr.split('\n').map(visible).join('\n')),
      );
    }
  }
  const place = document.getElementById('explanation');
  place.classList.toggle('forfeit', parts.length > 0 && game.outcome === 'forfeit');
  place.replaceChildren(...parts);
}

/** The list of plies; of a long game the part around the one that is shown. */
function drawPlies(listed = LISTED) {
  const { open, ply } = view;
  const list = document.getElementById('plies');
  const from = Math.floor(Math.max(0, ply - 1) / listed) * listed;
  const part = `${from}+${listed}`;
  if (view.listed !== part) {
    view.listed = part;
    const shown = open.steps.slice(from, from + listed);
    list.start = from + 1;
    list.replaceChildren(
      ...shown.map((step, at) => {
        const number = from + at + 1;
        const time = step.micros === null ? '' : timeText(step.micros);
        return element(
          'li',
          { class: `side${step.side}` },
          element(
            'button',
            { type: 'button', click: () => goTo(number) },
            element('span', { class: 'number' }, `${number}.`),
            element('span', {}, `${open.game.board.letters[step.side]} ${open.plyText(number)}`),
            element('span', { class: 'time' }, time),
          ),
        );
      }),
    );
  }
  list.querySelector('[aria-current]')?.removeAttribute('aria-current');
  const current = list.children[ply - 1 - from]?.firstElementChild;
  if (current) {
    current.setAttribute('aria-current', 'step');
    // Only the list scrolls, not the page.
    list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  } else {
    list.scrollTop = 0;
  }
}

window.addEventListener('beforeprint', () => view && drawPlies(PRINTED));
window.addEventListener('afterprint', () => view && drawPlies());

// Graphs over the plies.

const graphX = (ply, count) => (count === 0 ? 0 : (ply / count) * 1000);

/** Evaluation, depth and time, as far as they are known, with a mark where a bot forfeited. */
function graphs(open) {
  const { game, steps } = open;
  const all = [
    ['Evaluation', game.more.scores, true, String],
    ['Depth', game.more.depths, false, String],
    ['Time per ply', steps.map((step) => step.micros), false, timeText],
  ];
  return all
    .filter(([, values]) => values?.some((value) => value !== null))
    .map(([title, values, isLine, text]) => graph(open, title, values, isLine, text));
}

/** How much larger the values beyond the scale of a graph of evaluations are: those that stand for a won game. */
const BEYOND = 8;

/** The largest of some sizes, in ascending order, below those that are far beyond all others; else the largest. */
function largestUsual(sizes) {
  const half = Math.floor(sizes.length / 2);
  const gap = sizes.findLastIndex((size, at) => at > half && size > BEYOND * sizes[at - 1] && sizes[at - 1] > 0);
  return sizes.at(gap < 0 ? -1 : gap - 1);
}

function graph(open, title, values, isLine, text) {
  const count = open.steps.length;
  const known = values.filter((value) => value !== null);
  const sizes = known.map(Math.abs).sort((one, other) => one - other);
  const most = sizes.at(-1);
  const top = isLine ? largestUsual(sizes) : most;
  // Evaluations: nearly linear up to twice the usual value, so that huge ones do not flatten the others; and what is
  // beyond the scale is drawn at its edge.
  const unit = 2 * quantile(sizes, 0.5) || 1;
  const edge = top === most ? 1 : 1.15;
  const scale = isLine
    ? (value) => Math.sign(value) * Math.min(Math.asinh(Math.abs(value) / unit), edge * Math.asinh(top / unit))
    : (value) => value;
  const least = known.some((value) => value < 0) ? scale(-most) : 0;
  const y = (value) => 97 - ((scale(value) - least) / (scale(most) - least || 1)) * 94;
  const bounds = top === most ? [] : [top, -top].filter((value) => scale(value) >= least);
  const drawn = isLine
    ? [0, 1].map((side) => {
        const points = values
          .map((value, at) => [value, at])
          .filter(([value, at]) => value !== null && open.steps[at].side === side)
          .map(([value, at]) => `${graphX(at + 1, count)},${y(value)}`);
        return shape('polyline', { points: points.join(' '), class: `series side${side}` });
      })
    : [0, 1].map((side) => {
        const bars = values.map((value, at) =>
          value === null || open.steps[at].side !== side
            ? ''
            : `M${graphX(at, count)} 100V${y(value)}H${graphX(at + 1, count)}V100z`,
        );
        return shape('path', { d: bars.join(''), class: `bar side${side}` });
      });
  const { game } = open;
  const isForfeit = game.outcome === 'forfeit';
  const drawing = chart(
    'graph',
    `${title} by ply`,
    line(0, y(0), 1000, y(0), 'zero'),
    ...bounds.map((value) => line(0, y(value), 1000, y(value), 'zero')),
    ...drawn,
    isForfeit ? line(1000, 0, 1000, 100, 'forfeit-mark') : null,
    line(0, 0, 0, 100, 'cursor'),
  );
  drawing.addEventListener('click', (event) => {
    const box = drawing.getBoundingClientRect();
    goTo(Math.round(((event.clientX - box.left) / box.width) * count));
  });
  const key = (side) =>
    element(
      'span',
      { class: `key side${side}` },
      `${game.board.letters[side]} `,
      nameElement(game.players[side]),
    );
  return element(
    'figure',
    {},
    element(
      'figcaption',
      {},
      element('b', {}, title),
      ' ',
      key(0),
      ' ',
      key(1),
      isForfeit ? element('span', { class: 'key forfeit' }, game.termination) : null,
      element('span', { class: 'most' }, `up to ${text(top)}${top === most ? '' : `; at the edge ${text(most)}`}`),
    ),
    drawing,
  );
}

// What the buttons and keys do.

function turnBoard() {
  turned = !turned;
  drawPly();
}

function toggleText() {
  asText = !asText;
  document.getElementById('text-board').hidden = !asText;
}

/** Copies the position text; where the page may not, it shows the text instead. */
async function copyPosition() {
  const text = view.open.position(view.ply);
  let said = `copied: ${text}`;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    said = text;
  }
  document.getElementById('copied').textContent = said;
}

function saveGame() {
  const { open } = view;
  const url = URL.createObjectURL(new Blob([pgnOf(open)], { type: 'application/x-chess-pgn' }));
  const file = `${gameName(open.game).replace(/[^\w~.-]/g, '_')}.pgn`;
  element('a', { href: url, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function goToGame(game) {
  goToAddress(linkTo(game));
}

/** Goes to the game beside this one among others, if there is one. */
function goBeside(others, by) {
  const other = others[others.indexOf(view.open.game) + by];
  if (other) {
    goToGame(other);
  }
}

/** The games of the same two bots, whoever moved first. */
function gamesOfPair({ players: [first, second] }) {
  return games.filter(({ players }) => players.includes(first) && players.includes(second));
}

function askForPly() {
  const answer = prompt(`Ply, 0 to ${view.open.steps.length}`, String(view.ply));
  if (answer !== null && /^\s*\d+\s*$/.test(answer)) {
    goTo(Number(answer));
  }
}

/** A finger that moves sideways on the board steps. */
function swipes(board) {
  let from = null;
  board.addEventListener(
    'touchstart',
    (event) => {
      from = event.touches.length === 1 ? event.touches[0].clientX : null;
    },
    { passive: true },
  );
  board.addEventListener('touchend', (event) => {
    const by = from === null ? 0 : event.changedTouches[0].clientX - from;
    if (Math.abs(by) > 30) {
      goTo(view.ply + (by < 0 ? 1 : -1));
    }
  });
}

/** Keys of the view of a game; whether the key is one of them. */
function viewerKey({ key, repeat }) {
  const { ply, open } = view;
  repeats = repeat ? repeats + 1 : 0;
  // A key that is held goes faster.
  const step = [1, 2, 5, 10][Math.min(3, Math.floor(repeats / 12))];
  const does = {
    ArrowLeft: () => goTo(ply - step),
    ArrowRight: () => goTo(ply + step),
    ArrowUp: () => goTo(sameBot(-1)),
    ArrowDown: () => goTo(sameBot(1)),
    Home: () => goTo(0),
    End: () => goTo(open.steps.length),
    ' ': togglePlaying,
    '+': () => changePace(1),
    '-': () => changePace(-1),
    r: toggleReal,
    g: askForPly,
    n: () => goBeside(chosenGames(), 1),
    p: () => goBeside(chosenGames(), -1),
    N: () => goBeside(gamesOfPair(open.game), 1),
    P: () => goBeside(gamesOfPair(open.game), -1),
    f: turnBoard,
    t: toggleText,
    y: copyPosition,
    s: () => open.game.more.trouble || saveGame(),
    Escape: closeGame,
  }[key];
  does?.();
  return does !== undefined;
}

/** Back to what was shown before the game. */
function closeGame() {
  goToAddress(addressOf(place, query));
}
