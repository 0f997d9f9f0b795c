'use strict';
// The data of the page, and the only place where it comes in: `takeTable` takes the table, `takeGame` a game.
// Both may be called again. This file knows how the games are stored, and no rules: a ply is a list of
// squares with their new content.

/** The object of `arbiter standings --format json`; null until it is known. */
let table = null;
/** All games, in their order. */
const games = [];
/** What the page does not show: numbers, and a reason. */
let counts = {};
const gamesById = new Map();

/** The names of the bots of the table. */
let botNames = new Set();

/** Takes the table: the first one, or a newer one. */
function takeTable(figures) {
  table = figures;
  botNames = new Set(table.bots.map(({ name }) => name));
}

/**
 * Takes the next game.
 *
 * A game has `id`, `round`, `players` (who moves first, who moves second), `result`, `outcome`,
 * `termination`, `plies` (their number), `condition` (see `PageGames::condition`), `board`, `start` (a
 * position text), `pair`, `more`, `isCounted` (whether it is one of the table's),
 * `steps()` and `times(each)`.
 *
 * `steps()` is an array of plies `{side, own, end, changes, micros, text}`. `changes` are
 * `[square, mark, content]`; the first `own` of them are the squares that the ply names, and those with the mark `w` are
 * the squares that won, which may be among the others too. `end` is the
 * position text after the board; `text` is that of a ply that is not the names of those squares, else null; `micros` is null
 * if the time is not known. `times(each)` calls `each` with
 * the side and the microseconds of every ply whose time is known.
 */
function takeGame(game) {
  game.number = games.push(game);
  // Of logs of several runs, games may have the same id: the first one has it, the others have their numbers.
  for (const id of [game.id, game.more.sent?.[0] ?? null]) {
    if (id !== null && !gamesById.has(id)) {
      gamesById.set(id, game);
    }
  }
}

/** The game of an id, or of a number from 1. */
function findGame(name) {
  return gamesById.get(name) ?? (/^[1-9]\d*$/.test(name) ? games[Number(name) - 1] : undefined);
}

/** The text of a ply: the squares that it names, or `pass`, where it has no other. */
function stepText(board, { own, changes, text }) {
  return text ?? (own === 0 ? 'pass' : changes.slice(0, own).map(([square]) => board.squares[square]).join(''));
}

/** What stands for a game in links. */
function gameName(game) {
  return game.id !== null && gamesById.get(game.id) === game && !isReserved(game.id) ? game.id : String(game.number);
}

// What is in the file.

/** The text of a block of the file. */
function blockText(id) {
  const block = document.getElementById(id);
  block.remove();
  return block.textContent;
}

/** The value of a block: JSON, then zlib, then base64. */
async function readBlock(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).json();
}

/** The square that holds this, after so many others that do. */
function squareOf(cells, held, others) {
  let square = cells.indexOf(held);
  for (let left = others; left > 0; left--) {
    square = cells.indexOf(held, square + 1);
  }
  return square;
}

/** All squares that hold this. */
function squaresOf(cells, held) {
  return Array.from(cells.keys()).filter((square) => cells[square] === held);
}

/** The plies of a game, of its columns (`games.rs`); `cells` is the board that it begins with. */
function stepsOf(patterns, { numbers, squares, distances, times }, cells) {
  let [nextSquare, nextDistance] = [0, 0];
  return numbers.map((number, at) => {
    const [side, own, end, marks, text = null, held = null] = patterns[number];
    let square = 0;
    const changes = marks.map(([mark, content], index) => {
      const usual = mark === 'l' ? side + 1 : 0;
      square =
        index === 0
          ? squareOf(cells, held ?? usual, squares[nextSquare++])
          : (square + distances[nextDistance++]) % cells.length;
      return [square, mark, content];
    });
    const step = { side, own, end, changes, micros: times[at], text };
    play(cells, step);
    // All squares that hold the same have won, and one of them is stored.
    step.changes = changes.flatMap(([square, mark, content]) =>
      mark === 'W' ? squaresOf(cells, content).map((other) => [other, 'w', content]) : [[square, mark, content]],
    );
    return step;
  });
}

/** The blocks of games. */
const BLOCKS = ['head', 'games', 'patterns', 'squares', 'distances', 'times'];

/** Takes the games of blocks, whose texts are given by name. Returns what the blocks leave out. */
async function takeGames(texts, isCounted = true) {
  const [head, stored, ...columns] = await Promise.all(BLOCKS.map((name) => readBlock(texts[name])));
  stored.forEach((entry, at) => {
    const [numbers, squares, distances, times] = columns.map((column) => column[at]);
    const game = storedGame(entry, head, { numbers, squares, distances, times });
    // The table leaves out a game of a bot against itself.
    takeGame({ ...game, isCounted: isCounted && game.players[0] !== game.players[1] });
  });
  return head.counts;
}

/** Takes everything that is in the file. */
async function readFile() {
  counts = await takeGames(Object.fromEntries(BLOCKS.map((name) => [name, blockText(name)])));
  takeTable(await readBlock(blockText('table')));
}

function storedGame(entry, { boards, conditions, patterns }, plyColumns) {
  const [id, round, first, second, result, outcome, termination, plies, number, start, pair, more = {}] =
    entry;
  const condition = conditions[number];
  const board = boards[condition.board];
  const from = start === '' ? condition.start : start;
  return {
    id,
    round,
    players: [first, second],
    result,
    outcome,
    termination,
    plies,
    condition,
    board,
    pair,
    more,
    start: from,
    steps: () => stepsOf(patterns, plyColumns, cellsOf(board, from)),
    times: (each) => {
      plyColumns.times.forEach((micros, at) => {
        if (micros !== null) {
          each(patterns[plyColumns.numbers[at]][0], micros);
        }
      });
    },
  };
}

// What can be said of a game.

/** The side that won, 0 or 1; -1 if neither did. */
function winner(game) {
  const white = game.board.white;
  return game.result === '1-0' ? white : game.result === '0-1' ? 1 - white : -1;
}

/** The result with the score of the side that moved first in front. */
function scoreText(game) {
  const won = winner(game);
  return won < 0 ? game.result : won === 0 ? '1-0' : '0-1';
}

/** Outcome and reason: `win connected`. */
function endText(game) {
  return game.outcome === game.termination ? game.outcome : `${game.outcome} ${game.termination}`;
}

/** The squares of a position text: 0 empty, 1 and 2 the letters of the first and second side, 3 a block, from 4 on other letters. */
function cellsOf(board, text) {
  const cells = [];
  for (const [part] of text.split(' ')[0].matchAll(/\d+|[^\d/]/g)) {
    const run = Number.parseInt(part, 10);
    if (Number.isNaN(run)) {
      const other = board.others?.findIndex(([letter]) => letter === part) ?? -1;
      cells.push(part === '#' ? 3 : other >= 0 ? other + 4 : board.letters.indexOf(part) + 1);
    } else {
      cells.push(...new Array(run).fill(0));
    }
  }
  return Uint8Array.from(cells);
}

/** The board after all plies. */
function finalCells(game) {
  const cells = cellsOf(game.board, game.start);
  game.steps().forEach((step) => play(cells, step));
  return cells;
}

function play(cells, step) {
  for (const [square, , content] of step.changes) {
    cells[square] = content;
  }
}

/** A game opened for stepping: the board after each ply, and the clocks before each. */
class OpenGame {
  constructor(game) {
    this.game = game;
    this.steps = game.steps();
    this.boards = [cellsOf(game.board, game.start)];
    for (const step of this.steps) {
      const cells = this.boards[this.boards.length - 1].slice();
      play(cells, step);
      this.boards.push(cells);
    }
    this.clocks = clocksOf(game, this.steps);
  }

  /** The text of a ply, from 1. */
  plyText(number) {
    return stepText(this.game.board, this.steps[number - 1]);
  }

  /** The position text after so many plies. */
  position(plies) {
    const { board } = this.game;
    const { columns, rows: names } = board;
    const end = plies === 0 ? this.game.start.split(' ').slice(1).join(' ') : this.steps[plies - 1].end;
    const rows = [];
    for (let row = 0; row < names.length; row++) {
      const cells = Array.from(this.boards[plies].subarray(row * columns.length, (row + 1) * columns.length));
      const line = cells.map((cell) => cellLetter(board, cell)).join('');
      rows.push(line.replace(/\.+/g, (run) => String(run.length)));
    }
    return `${rows.join('/')} ${end}`;
  }

  /** The board after so many plies as text, as `arbiter replay --plain` prints it. */
  text(plies) {
    const { board } = this.game;
    const { columns, rows } = board;
    const [label, width] = [rows, columns].map((names) => Math.max(...names.map((name) => name.length)));
    const line = (head, cells) =>
      `${head.padStart(label)} ${cells.map((cell) => cell.padStart(width)).join(' ')}`;
    const lines = [line('', columns)];
    for (let row = 0; row < rows.length; row++) {
      const cells = Array.from(this.boards[plies].subarray(row * columns.length, (row + 1) * columns.length));
      lines.push(
        line(
          rows[row],
          cells.map((cell) => cellLetter(board, cell)),
        ),
      );
    }
    return lines.join('\n');
  }

  /** The bot's note for a ply, from 1; empty if there is none. */
  note(number) {
    const found = this.game.more.notes?.find(([ply]) => ply === number);
    if (found) {
      return found[1];
    }
    const figure = (word, values) =>
      (values?.[number - 1] ?? null) === null ? [] : [word, values[number - 1]];
    const { depths, scores } = this.game.more;
    return [...figure('depth', depths), ...figure('score', scores)].join(' ');
  }
}

function cellLetter(board, cell) {
  return cell === 0 ? '.' : cell === 3 ? '#' : cell > 3 ? board.others[cell - 4][0] : board.letters[cell - 1];
}

/** The side whose piece is on a square; -1 if there is none. */
function cellSide(board, cell) {
  return cell === 0 || cell === 3 ? -1 : cell > 3 ? board.others[cell - 4][1] : cell - 1;
}

/** The microseconds that each side has before the first ply and after each; null without a clock. */
function clocksOf(game, steps) {
  const { clocks: controls } = game.condition;
  const stock = controls.map((clock) => clock?.initial ?? null);
  const first = controls.map((clock) => clock?.first ?? null);
  const shown = (side) => first[side] ?? stock[side];
  const clocks = [[shown(0), shown(1)]];
  for (const { side, micros } of steps) {
    const clock = controls[side];
    let left = null;
    if (micros !== null && clock !== null) {
      // Times are rounded, so a flag falls only if the time is clearly over.
      left = micros * 0.99 > shown(side) + clock.margin ? 0 : null;
      if (left === null && first[side] === null && clock.increment !== null) {
        stock[side] = Math.max(0, stock[side] - micros) + clock.increment;
      }
      first[side] = null;
    }
    const now = [shown(0), shown(1)];
    now[side] = left ?? now[side];
    clocks.push(now);
  }
  return clocks;
}

// A game as a log.

/** The game as PGN with arbiter's tags; times are rounded as they are on this page. */
function pgnOf(open) {
  const { game } = open;
  const { condition } = game;
  const { sent } = game.more;
  const white = game.board.white;
  const tags = [
    ['Event', condition.event],
    ['Site', condition.site],
    ['Date', condition.date],
    ['Round', game.round],
    ['White', game.players[white]],
    ['Black', game.players[1 - white]],
    ['Result', game.result],
    ['Game', game.board.game],
    ['Options', condition.options],
    ['Rules', game.board.rules?.[0]],
    ['Board', game.board.rules?.[1]],
    ...(condition.time[0] === condition.time[1]
      ? [['TimeControl', condition.time[0]]]
      : [
          ['WhiteTimeControl', condition.time[white]],
          ['BlackTimeControl', condition.time[1 - white]],
        ]),
    ['Outcome', game.outcome],
    ['Termination', game.termination],
    ['PlyCount', String(game.plies)],
    ...(game.start === condition.start && game.board.rules === undefined
      ? []
      : [
          ['SetUp', '1'],
          ['FEN', game.start],
        ]),
    ['MaxPlies', condition.maxPlies],
    ['Repetition', condition.repetition],
    ['GameId', game.id],
    ['Pair', game.pair],
    ['Seed', condition.seed],
    ['SentId', sent?.[0]],
    ['WhiteSeed', sent?.[1 + white]],
    ['BlackSeed', sent?.[2 - white]],
    ['Isolation', condition.isolation],
    ['WhiteDigest', condition.digests[white]],
    ['BlackDigest', condition.digests[1 - white]],
    ['Settings', condition.settings],
    ['Detail', game.more.detail],
  ];
  const lines = tags
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => {
      const text = String(value)
        .replace(/["\\]/g, '\\$&')
        .replace(/[\u0000-\u001f\u007f]/g, ' ');
      return `[${name} "${text}"]`;
    });
  return `${lines.join('\n')}\n\n${wrapped(moveWords(open), 79)}\n\n`;
}

function moveWords(open) {
  const words = [];
  let turn = 0;
  let noted = [];
  open.steps.forEach((step, at) => {
    const before = at === 0 ? null : open.steps[at - 1].side;
    if (step.side === 0 && before !== 0) {
      turn += 1;
      words.push(`${turn}.`);
    } else if (before === null) {
      turn = 1;
      words.push('1...');
    }
    noted = comment(step.micros, open.note(at + 1));
    words.push(open.plyText(at + 1), ...positionWords(open, at + 1), ...noted);
  });
  const { reply } = open.game.more;
  if (reply) {
    // Without a comment of the last ply, the reply would be read as that.
    const separator = open.steps.length > 0 && noted.length === 0 ? ['{}'] : [];
    words.push(...separator, ...comment(reply[0] === null ? null : reply[0] * 1e6, reply[1]));
  }
  words.push(open.game.result);
  return words;
}

/** The comment with the position after a ply, which the log of a game needs whose rules are not arbiter's. */
function positionWords(open, ply) {
  if (open.game.board.rules === undefined) {
    return [];
  }
  const hex = (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return `{[%at ${open.position(ply).replace(/[\\{}[\]%;]/g, hex)}]}`.split(' ');
}

/** A comment as a log has it (docs/gamelog.md, Comments), word by word; none if it is empty. */
function comment(micros, text) {
  const time = micros === null ? [] : [`${(micros / 1e6).toFixed(6)}s`];
  const byteText = (byte) => `\\x${byte.toString(16).padStart(2, '0')}`;
  const hex = (letters) => Array.from(new TextEncoder().encode(letters), byteText).join('');
  // What is escaped on this page already, as \xHH, stays as it is; so do single spaces between words.
  const special = /\\(?!x[0-9a-f]{2})|[{}[\]%;]|[^\x20-\x7e]|^ | $|(?<= ) /gu;
  // A first word that would be read as a time.
  const mistakable = micros === null ? /^[\d.]+s(?= |$)/ : /^cpu(?= |$)/;
  const escaped = text.replace(special, hex).replace(mistakable, (word) => hex(word[0]) + word.slice(1));
  const parts = [...time, ...(escaped === '' ? [] : [escaped])];
  return parts.length === 0 ? [] : `{${parts.join(' ')}}`.split(' ');
}

function wrapped(words, width) {
  const lines = [''];
  for (const word of words) {
    const last = lines[lines.length - 1];
    if (last !== '' && last.length + 1 + word.length > width) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
  }
  return lines.join('\n');
}
