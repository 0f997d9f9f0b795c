//! A bot that plays a legal move at random: your idea goes into `choose`.

use std::collections::HashMap;
use std::io::stdin;

/// What the referee has said about the game.
#[derive(Default)]
#[allow(dead_code)] // until your idea uses all of it
struct Game {
    /// loa, flipflop, lineup, gekitai, or a custom game.
    name: String,
    /// The rules that can be set, such as n=8.
    options: HashMap<String, String>,
    /// The letter of our pieces.
    me: char,
    /// The letter of theirs.
    opponent: char,
    /// The number of rows of the board.
    rows: usize,
    /// The rows from the top: `board[0][2]` is a square of the first row. '.' is an empty one, '#' a block.
    board: Vec<Vec<char>>,
    /// Every legal move of this turn.
    moves: Vec<String>,
    /// The milliseconds that are left on our clock; None without a clock.
    time: Option<u64>,
    /// The state of the random numbers.
    random: u64,
}

/// Returns one of the legal moves.
fn choose(game: &mut Game) -> String {
    // YOUR IDEA GOES HERE
    let number = random(game, game.moves.len());
    game.moves[number].clone()
}

/// Returns a number from 0 to n - 1. Rust's library has no random numbers with a seed.
fn random(game: &mut Game, n: usize) -> usize {
    game.random = game.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (game.random >> 33) as usize % n
}

fn main() {
    let mut game = Game::default();
    let mut lines = stdin().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        match (word, &rest[..]) {
            ("game", [name]) => game.name = name.to_string(),
            ("option", [key, value]) => _ = game.options.insert(key.to_string(), value.to_string()),
            // If there is a second number, it is that of the columns.
            ("size", [rows, ..]) => game.rows = rows.parse().unwrap(),
            ("you", [letter]) => game.me = letter.parse().unwrap(),
            ("opponent", [letter]) => game.opponent = letter.parse().unwrap(),
            // The same seed plays the same game again.
            ("seed", [seed]) => game.random = seed.parse().unwrap(),
            ("start", _) => println!("ready"),
            ("clock", [time, ..]) => game.time = time.parse().ok(),
            ("board", _) => {
                game.board = lines.by_ref().take(game.rows).map(|row| row.trim().chars().collect()).collect();
            }
            ("moves", moves) => game.moves = moves.iter().map(|text| text.to_string()).collect(),
            ("go", _) => println!("move {}", choose(&mut game)),
            ("quit", _) => break,
            _ => {} // all other lines can be ignored
        }
    }
}
