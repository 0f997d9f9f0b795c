// @ts-check
// A game as a log (docs/reference/gamelog.md); times are rounded as they are on this page.

/** @import { OpenGame } from './data.js' */

/** The game as PGN with arbiter's tags. @param {OpenGame} open */
export function pgnOf(open) {
  const { board, condition, more, ...game } = open.game;
  const { time, digests } = condition;
  const { white } = board;
  /** @type {[string, string | number | null | undefined][]} */
  const tags = [
    ['Event', condition.event],
    ['Site', condition.site],
    ['Date', condition.date],
    ['Round', game.round],
    ['White', game.players[white]],
    ['Black', game.players[1 - white]],
    ['Result', game.result],
    ['Game', board.game],
    ['Options', condition.options],
    ['Rules', board.rules?.[0]],
    ['Board', board.rules?.[1]],
  ];
  if (time[0] === time[1]) {
    tags.push(['TimeControl', time[0]]);
  } else {
    tags.push(['WhiteTimeControl', time[white]], ['BlackTimeControl', time[1 - white]]);
  }
  tags.push(['Outcome', game.outcome], ['Termination', game.termination], ['PlyCount', game.plies]);
  if (game.start !== condition.start || board.rules !== undefined) {
    tags.push(['SetUp', 1], ['FEN', game.start]);
  }
  tags.push(
    ['MaxPlies', condition.maxPlies],
    ['Repetition', condition.repetition],
    ['GameId', game.id],
    ['Pair', game.pair],
    ['Seed', condition.seed],
    ['SentId', more.sent?.[0]],
    ['WhiteSeed', more.sent?.[1 + white]],
    ['BlackSeed', more.sent?.[2 - white]],
    ['Isolation', condition.isolation],
    ['WhiteDigest', digests[white]],
    ['BlackDigest', digests[1 - white]],
    ['Settings', condition.settings],
    ['Detail', more.detail],
    ['Margin', more.margin],
  );
  const lines = [];
  for (const [name, value] of tags) {
    if (value !== null && value !== undefined) {
      const text = String(value).replace(/["\\]/g, '\\$&').replace(/[\u0000-\u001f\u007f]/g, ' ');
      lines.push(`[${name} "${text}"]`);
    }
  }
  return `${lines.join('\n')}\n\n${wrapped(moveWords(open), 79)}\n\n`;
}

/** @param {OpenGame} open */
function moveWords(open) {
  /** @type {string[]} */
  const words = [];
  let turn = 0;
  /** @type {string[]} */
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

/**
 * The comment with the position after a ply, which the log of a game needs whose rules are not
 * arbiter's.
 * @param {OpenGame} open
 * @param {number} ply
 */
function positionWords(open, ply) {
  if (open.board.rules === undefined) {
    return [];
  }
  /** @param {string} letter */
  const hex = (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return `{[%at ${open.position(ply).replace(/[\\{}[\]%;]/g, hex)}]}`.split(' ');
}

/**
 * A comment as a log has it (docs/reference/gamelog.md, Comments), word by word; none if it is empty.
 * @param {number | null} micros
 * @param {string} text
 */
function comment(micros, text) {
  const time = micros === null ? [] : [`${(micros / 1e6).toFixed(6)}s`];
  /** @param {number} byte */
  const byteText = (byte) => `\\x${byte.toString(16).padStart(2, '0')}`;
  /** @param {string} letters */
  const hex = (letters) => Array.from(new TextEncoder().encode(letters), byteText).join('');
  // What is escaped on this page already, as \xHH, stays as it is; so do single spaces between
  // words.
  const special = /\\(?!x[0-9a-f]{2})|[{}[\]%;]|[^\x20-\x7e]|^ | $|(?<= ) /gu;
  // A first word that would be read as a time.
  const mistakable = micros === null ? /^[\d.]+s(?= |$)/ : /^cpu(?= |$)/;
  /** @param {string} word */
  const masked = (word) => hex(word[0]) + word.slice(1);
  const escaped = text.replace(special, hex).replace(mistakable, masked);
  const parts = [...time, ...(escaped === '' ? [] : [escaped])];
  return parts.length === 0 ? [] : `{${parts.join(' ')}}`.split(' ');
}

/** @param {string[]} words @param {number} width */
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
