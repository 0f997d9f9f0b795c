// A bot that plays a legal move at random: your idea goes into choose().

import { createInterface } from "node:readline";

// What the referee has said about the game.
const game = {
  name: "", // loa, flipflop, lineup, gekitai, or a custom game
  options: {}, // the rules that can be set, such as { n: "8" }
  me: "", // the letter of our pieces
  opponent: "", // the letter of theirs
  rows: 0, // the number of rows of the board
  board: [], // the rows from the top: board[0][2] is a square of the first row;
             // "." is an empty one, "#" a block
  moves: [], // every legal move of this turn
  time: null, // the milliseconds that are left on our clock; null without a clock
};

// Returns one of game.moves.
function choose(game) {
  // YOUR IDEA GOES HERE
  return game.moves[random(game.moves.length)];
}

// Returns a number from 0 to n - 1. Math.random has no seed, so a game could not be played again.
let state = 0n;
function random(n) {
  state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
  return Number((state >> 33n) % BigInt(n));
}

let missing = 0; // how many rows of the board are still to come

createInterface({ input: process.stdin }).on("line", (line) => {
  if (missing > 0) {
    game.board.push(line.trim());
    missing -= 1;
    return;
  }
  const [word, ...rest] = line.trim().split(/\s+/);
  switch (word) {
    case "game":
      game.name = rest[0];
      break;
    case "option":
      game.options[rest[0]] = rest[1];
      break;
    case "size":
      game.rows = Number(rest[0]); // if there is a second number, it is that of the columns
      break;
    case "you":
      game.me = rest[0];
      break;
    case "opponent":
      game.opponent = rest[0];
      break;
    case "seed":
      state = BigInt(rest[0]); // the same seed plays the same game again
      break;
    case "start":
      console.log("ready");
      break;
    case "clock":
      game.time = Number(rest[0]);
      break;
    case "board":
      game.board = [];
      missing = game.rows;
      break;
    case "moves":
      game.moves = rest;
      break;
    case "go":
      console.log("move " + choose(game));
      break;
    case "quit":
      process.exit();
    // All other lines can be ignored.
  }
});
