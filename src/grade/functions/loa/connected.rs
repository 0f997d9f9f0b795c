//! Calls of `hasConnected`: boards whose groups a careless search takes for one, or for several.

use super::game::{Game, N, other};
use super::{LINES, Maker};
use crate::functions::call::Value;
use crate::functions::squares::along;

/// Boards with groups of a player `P` that a careless search gets wrong, each with a label.
const SHAPES: [(&str, &str); 9] = [
    ("PPPPPPP./.......P/.PPPPPP./P......./.PPPPPP./.......P/PPPPPPP./........", "winding groups"),
    ("PPPPPPPP/.......P/PPPPPP.P/P....P.P/P.PP.P.P/P.PPPP.P/P......P/PPPPPPPP", "winding groups"),
    ("P......./.P.....P/..P....P/...P...P/....P.P./.....P../......../........", "winding groups"),
    ("P.P.P.P./.P.P.P.P/......../......../......../......../......../........", "winding groups"),
    ("......../..PPP.../..P.P.../..PPP.../......../......../......../........", "rings"),
    ("PPPPPPPP/P......P/P......P/P......P/P......P/P......P/P......P/PPPPPPPP", "rings"),
    (
        "PPPPPPPP/P......P/P......P/P...P..P/P......P/P......P/P......P/PPPPPPPP",
        "a piece in a ring",
    ),
    ("PP....../PP....../......../......../......../......../......PP/......PP", "equal groups"),
    ("PPPP..../......../PPPP..../......../PPPP..../......../......../........", "equal groups"),
];

impl Maker {
    /// Boards with groups of pieces of `player`, each with a class and labels.
    fn groups(player: char) -> Vec<(Game, Vec<&'static str>)> {
        let mut boards = Vec::new();
        for square in [(0, 0), (0, 7), (7, 0), (7, 7), (3, 4), (7, 3), (2, 7)] {
            boards.push((Game::with(player, &[square]), vec!["one piece"]));
        }
        for (step, label) in LINES {
            let class = match label {
                "along a row" => "groups along a row",
                "along a column" => "groups along a column",
                "along a diagonal from upper left" => "groups along a diagonal from upper left",
                _ => "groups along a diagonal from lower left",
            };
            for (row, column, length) in
                [(0, 0, 2), (3, 2, 3), (5, 4, 3), (7, 1, 2), (4, 7, 2), (3, 3, 4), (0, 0, 8)]
            {
                let row = if step.0 < 0 { N - 1 - row } else { row };
                let mut game = Game::empty(player);
                game.squares.put_line((row, column), step, 0..length, player);
                if game.count(player) == length as usize {
                    boards.push((game, vec![class]));
                }
            }
            // Two squares apart is not adjacent, with and without a piece of the opponent between.
            for (row, column) in [(1, 1), (4, 3), (5, 5), (3, 0)] {
                let first = (if step.0 < 0 { N - 1 - row } else { row }, column);
                let mut game = Game::with(player, &[first, along(first, step, 2)]);
                if game.count(player) == 2 {
                    boards.push((game.clone(), vec!["two groups", "a gap of one square"]));
                    game.put(along(first, step, 1), other(player));
                    boards.push((game, vec!["two groups", "a piece of the opponent between"]));
                }
            }
        }
        for (one, two) in [
            ((1, 7), (2, 0)),
            ((3, 7), (5, 0)),
            ((4, 7), (4, 0)),
            ((0, 3), (7, 3)),
            ((2, 0), (1, 7)),
            ((6, 7), (7, 0)),
        ] {
            let labels = vec!["two groups", "pieces at opposite edges"];
            boards.push((Game::with(player, &[one, two]), labels));
        }
        for (one, two) in [((2, 2), (3, 4)), ((5, 1), (3, 2)), ((6, 6), (4, 5))] {
            let labels = vec!["two groups", "a gap of one square"];
            boards.push((Game::with(player, &[one, two]), labels));
        }
        for (rows, label) in SHAPES {
            let game = Game::of(&rows.replace('P', &player.to_string()), player);
            let class = if game.is_connected(player) { "large groups" } else { "two groups" };
            boards.push((game, vec![class, label]));
        }
        boards
    }

    /// Adds a question for the pieces of `player`.
    fn ask_connected(&mut self, game: &Game, player: char, labels: Vec<&'static str>) {
        let connected = game.is_connected(player);
        let labels = [labels, vec![if connected { "connected" } else { "not connected" }]].concat();
        let why = match (connected, game.count(player)) {
            (true, 1) => "one piece is connected by definition",
            (true, _) => "each piece is adjacent to the group",
            (false, _) => "the pieces are more than one group",
        };
        let value = Value::Truth(connected);
        if let Some(call) = self.ask("hasConnected", game, &[&player.to_string()], value, labels) {
            call.why = why;
        }
    }

    /// Puts pieces of the opponent, as many or one more, not adjacent to each other, on squares
    /// that are far from those of the player.
    fn opposed(game: &Game, player: char, most: usize) -> Game {
        let mut opposed = game.clone();
        for number in 0..game.squares.letters.len() {
            // Because 27 and 64 have no common factor, each square comes once, far from the one
            // before.
            let square = game.squares.square(number * 27 % 64);
            if opposed.is_lonely(square) && opposed.count(other(player)) < most {
                opposed.put(square, other(player));
            }
        }
        opposed
    }

    /// Adds questions for boards with groups, with pieces of the opponent on most of them, and for
    /// boards from play.
    pub(super) fn has_connected(&mut self) {
        for player in ['B', 'W'] {
            for (index, (mut game, labels)) in Maker::groups(player).into_iter().enumerate() {
                // Whose turn it is, and where the opponent's pieces are, must change no answer.
                if index % 2 == 1 {
                    game.player = other(game.player);
                }
                let game = if index % 3 == 0 { game } else { Maker::opposed(&game, player, 3) };
                self.ask_connected(&game, player, labels);
            }
            for game in self.played.clone() {
                self.ask_connected(&game, player, vec!["boards from play"]);
            }
        }
    }
}
