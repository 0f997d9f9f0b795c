//! The game that both bots of a chess referee play, and whether a log has it. Knows neither the referee
//! nor the clock.

use arbiter::record::read_stream;
use std::error::Error;
use std::io::Read;

/// A game of 200 random plies that ends with mate, in UCI notation. No position occurs three times.
const GAME: &str = "\
e2e4 e7e6 f2f3 a7a6 b1a3 f8d6 e1e2 g8e7 g1h3 h7h5 h3f4 h8h7 f4g6 f7f5 a1b1 h5h4 e2e3 f5e4 d1e1 \
e7g8 h2h3 c7c6 f3e4 h7h8 f1c4 d6a3 b2b3 d7d6 e1e2 h8h5 h1g1 a8a7 e2g4 e6e5 g2g3 d8d7 g4f4 a7a8 \
f4f5 a3c1 b1c1 g8e7 f5f7 e8d8 f7f8 d8c7 g6f4 h5h8 d2d4 c6c5 f4d3 c7c6 f8g8 h8g8 c1d1 c6c7 d3f2 \
b7b6 c2c3 d7h3 d1a1 c7b7 f2h1 b7a7 c4e6 h3e6 c3c4 h4g3 g1c1 e6c4 e3f3 c4d3 f3g2 d3f3 g2f3 b8d7 \
b3b4 a7b7 d4c5 a6a5 c5d6 b7b8 c1c8 b8b7 b4a5 b7a6 c8c7 g8f8 f3g2 e7g6 c7c8 a8c8 a2a3 c8c6 g2h3 \
d7b8 a1b1 b8d7 b1b5 f8c8 b5c5 d7c5 a5b6 a6b7 d6d7 c5d3 a3a4 d3c1 d7c8n b7a6 c8a7 c1a2 h3g4 a6b7 \
g4f5 c6d6 f5g5 d6d3 a7b5 g6h4 g5h4 g3g2 h4h5 g2g1r h1f2 b7b6 h5h4 g7g6 f2h1 d3f3 b5a7 g1a1 h1g3 \
a1b1 g3h5 f3h3 h4g4 b1f1 a7c6 f1c1 c6b8 b6c7 a4a5 g6g5 g4g5 c1h1 g5h6 h1c1 b8c6 h3f3 h5g7 f3f8 \
g7e8 c7b7 h6g6 c1c4 c6e5 c4c2 e5c6 b7a8 g6g5 a2c1 c6e7 f8f3 e8f6 a8b8 e7c8 f3g3 g5f4 g3g1 f4e5 \
g1h1 e5d4 c2c7 d4d5 c7g7 f6g8 g7g5 d5d4 g5g8 a5a6 h1h7 a6a7 b8c8 a7a8n c8b7 d4c3 b7a6 a8c7 h7c7 \
c3b4 g8c8 b4a3 c7g7 a3b2 c8c5 b2b1 g7b7 b1a1 c5a5";
/// The result of [`GAME`]: its last ply is the second side's.
const RESULT: &str = "0-1";

/// One side of the game, as the referee asks for it.
#[derive(Default)]
pub struct Side {
    turns: usize,
    moves_second: bool,
}

impl Side {
    /// Another game begins.
    pub fn begin(&mut self) {
        self.turns = 0;
    }

    /// Takes a line `position`, which tells the side to move. How many plies it lists tells nothing:
    /// c-chess-cli sends the position after the last irreversible ply, and the plies since then.
    pub fn position(&mut self, line: &str) {
        let (start, plies) = line.split_once(" moves").unwrap_or((line, ""));
        // `position fen PIECES SIDE …`, or `position startpos`.
        let starts_second = start.split_whitespace().nth(3) == Some("b");
        let is_odd = plies.split_whitespace().count() % 2 == 1;
        self.moves_second = starts_second != is_odd;
    }

    /// The ply of its next turn; `None` after the end of the game.
    pub fn ply(&mut self) -> Option<&'static str> {
        let at = 2 * self.turns + usize::from(self.moves_second);
        self.turns += 1;
        GAME.split_whitespace().nth(at)
    }
}

/// The number of plies in a log that a referee has written.
///
/// # Errors
/// A game did not end as planned: what the run took is not the time of these games.
pub fn plies(log: impl Read) -> Result<u64, Box<dyn Error>> {
    let planned = GAME.split_whitespace().count();
    let mut all = 0;
    read_stream(log, |game| {
        let game = game?;
        let result = game.tag("Result").map_or("none", |result| &*result.value);
        let count = game.moves.len();
        if (count, result) != (planned, RESULT) {
            let number = game.number;
            return Err(format!(
                "game {number} ended after {count} plies with the result {result}; the bots play a game of \
                 {planned} plies with the result {RESULT}"
            )
            .into());
        }
        all += count as u64;
        Ok::<_, Box<dyn Error>>(())
    })?;
    Ok(all)
}
