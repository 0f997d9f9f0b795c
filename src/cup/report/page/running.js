// @ts-check
// Running games of a page that is served: how they go on, and how they are drawn.

/** @import { LiveStep, Mark, RunningGame, RunningUpdate, Step } from './types' */
import { cellsOf, play, stepText } from './data.js';
import { boardPicture, disc, nameElement } from './draw.js';
import { element } from './element.js';
import { clockText, timeText, visible } from './text.js';

/** A step as the server writes it. @param {LiveStep} step @returns {Step} */
export function liveStep([side, own, end, changes, micros, text]) {
  return { side, own, end, changes, micros, text };
}

/**
 * A running game after an update of it; `before` is what was known of it. Undefined if the plies of
 * the update do not follow that.
 * @param {RunningGame | undefined} before
 * @param {RunningUpdate} update
 * @returns {RunningGame | undefined}
 */
export function advanced(before, { game, from, steps, clocks, ended }) {
  const known = game === undefined
    ? before : { ...game, cells: cellsOf(game.board, game.start), steps: [] };
  if (known?.steps.length !== from) {
    return undefined;
  }
  const all = [...known.steps, ...steps.map(liveStep)];
  for (const { changes } of all.slice(from)) {
    play(known.cells, changes);
  }
  return { ...known, steps: all, clocks, ended, heard: performance.now() };
}

/** @param {RunningGame} game */
function lastPlyText({ board, steps }) {
  const last = steps.at(-1);
  if (last === undefined) {
    return 'start position';
  }
  const time = last.micros === null ? '' : `  ${timeText(last.micros)}`;
  return `${board.letters[last.side]} ${stepText(board, last)}${time}`;
}

/**
 * What the clock of a side says now: what is left, or how long the side has thought.
 * @param {RunningGame} game
 * @param {number} side
 */
export function liveClock(game, side) {
  const [left, thinks] = game.clocks[side];
  const gone = thinks === null ? 0 : thinks + performance.now() - game.heard;
  if (left !== null) {
    return clockText(Math.max(0, left - gone) * 1000);
  }
  return gone < 1000 ? '' : `thinks ${clockText(gone * 1000)}`;
}

/** @param {RunningGame} game @param {number} side */
function livePlayer(game, side) {
  const [, thinks] = game.clocks[side];
  return element('p', { class: thinks === null ? 'player' : 'player on-move' },
    disc(game.board, side), nameElement(game.players[side]),
    element('span', { class: 'clock', 'data-side': side }, liveClock(game, side)));
}

/**
 * The player above, the board, the player below, and what is said of a running game.
 * @param {RunningGame} game
 * @param {Mark[]} marks squares that are marked beside those of the last ply
 */
export function liveParts(game, marks = [], isSecondBelow = false, isTurned = false) {
  const said = game.ended ?? `ply ${game.steps.length}: ${lastPlyText(game)}`;
  const changes = game.steps.at(-1)?.changes ?? [];
  const label = `${game.players.map(visible).join(' against ')}, ${said}`;
  const [above, below] = isSecondBelow ? [0, 1] : [1, 0];
  const board = boardPicture(game.board, game.cells, changes, isTurned, label, marks);
  const sentence = element('p', { class: 'said' }, visible(said));
  return { above: livePlayer(game, above), board, below: livePlayer(game, below), sentence };
}
