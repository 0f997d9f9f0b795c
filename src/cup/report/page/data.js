// @ts-check
// The data of the page, and the only place where it comes in: `takeTable` takes the table,
// `takeGames` games, `takeLeague` what a league says. All may be called again. This file knows how
// the games are stored, and no rules: a ply is a list of squares with their new content.

/**
 * @import { Blocks, Board, Change, Counts, Game, Head, Pattern, PlyColumns } from './types'
 * @import { League, LeagueUpdate, Step, StoredGame, Table } from './types'
 */
import { byId } from './element.js';

/** The object of `arbiter standings --format json`. @type {Table} */
export let table;
/** All games, in their order. @type {Game[]} */
export const games = [];
/** What the page does not show. @type {Counts} */
export let counts;
/** @type {Map<string, Game>} */
const gamesById = new Map();

/** The names of the bots of the table. @type {Set<string>} */
export let botNames = new Set();

/** Takes the table: the first one, or a newer one. @param {Table} figures */
export function takeTable(figures) {
  table = figures;
  botNames = new Set(table.bots.map(({ name }) => name));
}

/** What a league says of itself; null if it is none. @type {League | null} */
export let league = null;

/** Takes what a league says, or what of it has changed. @param {LeagueUpdate | null} update */
export function takeLeague(update) {
  if (update === null || update.v !== undefined) {
    league = update;
    return;
  }
  if (league === null) {
    return; // what has changed comes after the whole only
  }
  const { changed = [], ...fields } = update;
  const byName = new Map(changed.map((bot) => [bot.name, bot]));
  league = { ...league, ...fields };
  league.bots = league.bots.map((bot) => byName.get(bot.name) ?? bot);
}

/** Whether all games of the tournament are played. */
export function isOver() {
  const { games: known, complete } = table;
  return known !== null && known.played === known.scheduled && complete !== false;
}

/** The games that the table counts. */
export const countedGames = () => games.filter((game) => game.isCounted);

/** The game of an id, or of a number from 1. @param {string} name */
export function findGame(name) {
  return gamesById.get(name) ?? (/^[1-9]\d*$/.test(name) ? games[Number(name) - 1] : undefined);
}

// What is in the file.

/** The text of a block of the file. @param {string} id */
export function blockText(id) {
  const block = byId(id);
  block.remove();
  return block.textContent ?? '';
}

/** The value of a block: JSON, then zlib, then base64. @param {string} text */
export async function readBlock(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).json();
}

/** All squares with this content. @param {Uint8Array} cells @param {number} content */
function squaresOf(cells, content) {
  return Array.from(cells.keys()).filter((square) => cells[square] === content);
}

/**
 * The squares that won, of which one is stored if all with the same content have won.
 * @param {Uint8Array} cells
 * @param {Change} change
 * @returns {Change[]}
 */
function withAllWon(cells, change) {
  const [, mark, content] = change;
  const all = squaresOf(cells, content);
  return mark === 'W' ? all.map((square) => [square, 'w', content]) : [change];
}

/**
 * The plies of a game, of its columns (`games.rs`); `cells` is the board that it begins with.
 * @param {Pattern[]} patterns
 * @param {PlyColumns} columns
 * @param {Uint8Array} cells
 * @returns {Step[]}
 */
function stepsOf(patterns, { numbers, squares, distances, times }, cells) {
  let [nextSquare, nextDistance] = [0, 0];
  return numbers.map((number, at) => {
    const [side, own, end, marks, text = null, held = null] = patterns[number];
    /** @type {Change[]} */
    const changes = [];
    for (const [mark, content] of marks) {
      const before = changes.at(-1);
      const usual = mark === 'l' ? side + 1 : 0;
      const square = before === undefined
        ? squaresOf(cells, held ?? usual)[squares[nextSquare++]]
        : (before[0] + distances[nextDistance++]) % cells.length;
      changes.push([square, mark, content]);
    }
    play(cells, changes);
    const all = changes.flatMap((change) => withAllWon(cells, change));
    return { side, own, end, changes: all, micros: times[at], text };
  });
}

/** The blocks of games. */
const BLOCKS = ['head', 'games', 'patterns', 'squares', 'distances', 'times'];

/** Takes the games of blocks. Returns what the blocks leave out. @param {Blocks} texts */
export async function takeGames(texts, isCounted = true) {
  const values = await Promise.all(BLOCKS.map((name) => readBlock(texts[name])));
  const [head, stored, ...columns] = /** @type {[Head, StoredGame[], ...any[]]} */ (values);
  stored.forEach((entry, at) => {
    const [numbers, squares, distances, times] = columns.map((column) => column[at]);
    const game = storedGame(entry, head, { numbers, squares, distances, times }, isCounted);
    games.push(game);
    // Games of several runs may have the same id: the first one has it, the others their numbers.
    for (const id of [game.id, game.more.sent?.[0] ?? null]) {
      if (id !== null && !gamesById.has(id)) {
        gamesById.set(id, game);
      }
    }
  });
  return head.counts;
}

/** Takes everything that is in the file. */
export async function readFile() {
  counts = await takeGames(Object.fromEntries(BLOCKS.map((name) => [name, blockText(name)])));
  takeTable(await readBlock(blockText('table')));
  if (document.getElementById('league') !== null) {
    takeLeague(await readBlock(blockText('league')));
  }
}

/**
 * @param {StoredGame} entry
 * @param {Head} head
 * @param {PlyColumns} columns
 * @param {boolean} isCounted
 * @returns {Game}
 */
function storedGame(entry, { boards, conditions, patterns }, columns, isCounted) {
  const [id, round, first, second, result, outcome, termination, ...others] = entry;
  const [plies, number, usualStart, pair, more = {}] = others;
  const condition = conditions[number];
  const board = boards[condition.board];
  const start = usualStart === '' ? condition.start : usualStart;
  return {
    number: games.length + 1,
    id,
    round,
    players: [first, second],
    result,
    outcome,
    termination,
    plies,
    condition,
    board,
    start,
    pair,
    more,
    // The table leaves out a game of a bot against itself.
    isCounted: isCounted && first !== second,
    steps: () => stepsOf(patterns, columns, cellsOf(board, start)),
    times: (each) => {
      columns.times.forEach((micros, at) => {
        if (micros !== null) {
          each(patterns[columns.numbers[at]][0], micros);
        }
      });
    },
  };
}

// What can be said of a game.

/** The side that won, 0 or 1; -1 if neither did. @param {Game} game */
export function winner({ board: { white }, result }) {
  return result === '1-0' ? white : result === '0-1' ? 1 - white : -1;
}

/** The result with the score of the side that moved first in front. @param {Game} game */
export function scoreText(game) {
  const won = winner(game);
  return won < 0 ? game.result : won === 0 ? '1-0' : '0-1';
}

/** How a game ended for a side: 0 lost, 1 drawn, 2 won. @param {Game} game @param {number} side */
export function scoreOf(game, side) {
  const won = winner(game);
  return won < 0 ? 1 : won === side ? 2 : 0;
}

/** Outcome and reason: `win connected`. @param {Game} game */
export function endKind({ outcome, termination }) {
  return outcome === termination ? outcome : `${outcome} ${termination}`;
}

/** The same, with the margin of a win: `win by 7.5 (area)`. @param {Game} game */
export function endText(game) {
  const { outcome, termination, more: { margin } } = game;
  return margin === undefined ? endKind(game) : `${outcome} by ${margin} (${termination})`;
}

/** How a game ended for a side, in words. @param {Game} game @param {number} side */
export function endOf(game, side) {
  const lost = game.outcome === 'forfeit' ? `forfeited: ${game.termination}` : 'lost';
  return [lost, '', 'won'][scoreOf(game, side)];
}

/**
 * The text of a ply: the squares that it names, or `pass`, where it has no other.
 * @param {Board} board
 * @param {Step} step
 */
export function stepText({ squares }, { own, changes, text }) {
  const names = changes.slice(0, own).map(([square]) => squares[square]);
  return text ?? (own === 0 ? 'pass' : names.join(''));
}

/**
 * The squares of a position text: 0 empty, 1 and 2 the letters of the first and second side, 3 a
 * block, from 4 on other letters.
 * @param {Board} board
 * @param {string} text
 */
export function cellsOf(board, text) {
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

/** @param {Board} board @param {number} cell */
export function cellLetter({ letters, others = [] }, cell) {
  return cell === 0 ? '.' : cell === 3 ? '#' : cell > 3 ? others[cell - 4][0] : letters[cell - 1];
}

/** The side whose piece this is; -1 if it is none. @param {Board} board @param {number} cell */
export function cellSide({ others = [] }, cell) {
  return cell === 0 || cell === 3 ? -1 : cell > 3 ? others[cell - 4][1] : cell - 1;
}

/** The board after all plies. @param {Game} game */
export function finalCells(game) {
  const cells = cellsOf(game.board, game.start);
  for (const { changes } of game.steps()) {
    play(cells, changes);
  }
  return cells;
}

/** @param {Uint8Array} cells @param {Change[]} changes */
export function play(cells, changes) {
  for (const [square, , content] of changes) {
    cells[square] = content;
  }
}

/** Plies with the board before the first and after each. */
export class Positions {
  /** @param {Board} board @param {string} start @param {Step[]} steps */
  constructor(board, start, steps) {
    this.board = board;
    this.start = start;
    this.steps = steps;
    const cells = cellsOf(board, start);
    this.boards = [cells.slice()];
    for (const { changes } of steps) {
      play(cells, changes);
      this.boards.push(cells.slice());
    }
  }

  /** The text of a ply, from 1. @param {number} number */
  plyText(number) {
    return stepText(this.board, this.steps[number - 1]);
  }

  /** What follows the board in the position text after so many plies. @param {number} plies */
  end(plies) {
    return plies === 0 ? this.start.slice(this.start.indexOf(' ') + 1) : this.steps[plies - 1].end;
  }

  /** The letters of the rows after so many plies. @param {number} plies */
  rows(plies) {
    const width = this.board.columns.length;
    const letters = Array.from(this.boards[plies], (cell) => cellLetter(this.board, cell));
    return this.board.rows.map((_, row) => letters.slice(row * width, (row + 1) * width));
  }

  /** The position text after so many plies. @param {number} plies */
  position(plies) {
    /** @param {string[]} row */
    const line = (row) => row.join('').replace(/\.+/g, (run) => String(run.length));
    return `${this.rows(plies).map(line).join('/')} ${this.end(plies)}`;
  }

  /**
   * The board after so many plies as text, as `arbiter replay --plain` prints it.
   * @param {number} plies
   */
  text(plies) {
    const { columns, rows } = this.board;
    const longest = [rows, columns].map((names) => Math.max(...names.map((name) => name.length)));
    const [label, width] = longest;
    /** @param {string} head @param {string[]} row */
    const line = (head, row) =>
      `${head.padStart(label)} ${row.map((cell) => cell.padStart(width)).join(' ')}`;
    const lines = this.rows(plies).map((row, at) => line(rows[at], row));
    return [line('', columns), ...lines].join('\n');
  }
}

/** A game opened for stepping: its boards, and the clocks before each ply. */
export class OpenGame extends Positions {
  /** @param {Game} game */
  constructor(game) {
    super(game.board, game.start, game.steps());
    this.game = game;
    this.clocks = clocksOf(game, this.steps);
  }

  /** The bot's note for a ply, from 1; empty if there is none. @param {number} number */
  note(number) {
    const { notes = [], depths, scores } = this.game.more;
    const words = [];
    for (const [word, values] of Object.entries({ depth: depths, score: scores })) {
      const value = values?.[number - 1] ?? null;
      if (value !== null) {
        words.push(word, value);
      }
    }
    return notes.find(([ply]) => ply === number)?.[1] ?? words.join(' ');
  }
}

/**
 * The microseconds that each side has before the first ply and after each; null without a clock.
 * @param {Game} game
 * @param {Step[]} steps
 */
function clocksOf(game, steps) {
  const { clocks: controls } = game.condition;
  const stock = controls.map((clock) => clock?.initial ?? null);
  const first = controls.map((clock) => clock?.first ?? null);
  const shown = () => [0, 1].map((side) => first[side] ?? stock[side]);
  const clocks = [shown()];
  for (const { side, micros } of steps) {
    const clock = controls[side];
    let hasLost = false;
    if (micros !== null && clock !== null) {
      // Times are rounded, so a flag falls only if the time is clearly over.
      hasLost = micros * 0.99 > (shown()[side] ?? 0) + clock.margin;
      if (!hasLost && first[side] === null && clock.increment !== null) {
        stock[side] = Math.max(0, (stock[side] ?? 0) - micros) + clock.increment;
      }
      first[side] = null;
    }
    const now = shown();
    now[side] = hasLost ? 0 : now[side];
    clocks.push(now);
  }
  return clocks;
}
