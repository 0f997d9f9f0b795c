//! Standings: a fold over results, never stored beside them.
//!
//! Owns points and counts; how they are shown is `report`'s matter.
//!
//! ```
//! use arbiter::record::GameResult;
//! use arbiter::standings::{Scored, Standings};
//! let mut standings = Standings::default();
//! standings.add(&Scored { white: "conny", black: "randy", result: GameResult::Draw, outcome: "draw" });
//! assert_eq!(standings.rows()[0].half_points, 1);
//! ```

use crate::record::{GameResult, Record};

/// What counts of a game; a log of another program has no more than that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scored<'a> {
    /// White's name.
    pub white: &'a str,
    /// Black's name.
    pub black: &'a str,
    /// White's score.
    pub result: GameResult,
    /// The `Outcome` tag; empty if there is none.
    pub outcome: &'a str,
}

impl<'a> From<&'a Record> for Scored<'a> {
    fn from(record: &'a Record) -> Scored<'a> {
        let game = record.ruleset().game();
        Scored {
            white: &record.players[game.white()],
            black: &record.players[!game.white()],
            result: record.outcome.result(game),
            outcome: record.outcome.word(),
        }
    }
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// The bot.
    pub name: String,
    /// Points, doubled: 2 for a win, 1 for a draw.
    pub half_points: u64,
    /// Games with a result.
    pub games: u64,
    /// Won, forfeits of opponents included.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost, suicides and forfeits included.
    pub losses: u64,
    /// Lost by a ply that completed only the opponent's goal.
    pub suicides: u64,
    /// Lost by breaking a rule of the match.
    pub forfeits: u64,
    /// Without a result; they count for nobody.
    pub aborted: u64,
}

impl Row {
    /// Points: a win is 1, a draw 1/2.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.half_points as f64 / 2.0
    }
}

/// Points and counts of each bot.
#[derive(Debug, Clone, Default)]
pub struct Standings {
    rows: Vec<Row>,
}

impl Standings {
    /// Gives a bot a line before it has played; bots that are equal in all that counts stay in this order.
    pub fn enter(&mut self, name: &str) {
        self.row(name);
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Scored<'_>) {
        for (name, own) in [(game.white, GameResult::White), (game.black, GameResult::Black)] {
            let row = self.row(name);
            match game.result {
                GameResult::Unknown => {
                    row.aborted += 1;
                    continue;
                }
                GameResult::Draw => {
                    row.draws += 1;
                    row.half_points += 1;
                }
                result if result == own => {
                    row.wins += 1;
                    row.half_points += 2;
                }
                GameResult::White | GameResult::Black => {
                    row.losses += 1;
                    row.suicides += u64::from(game.outcome == "suicide");
                    row.forfeits += u64::from(game.outcome == "forfeit");
                }
            }
            row.games += 1;
        }
    }

    /// The table: by points, then wins, then in the order of entering.
    #[must_use]
    pub fn rows(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.half_points), std::cmp::Reverse(row.wins)));
        rows
    }

    fn row(&mut self, name: &str) -> &mut Row {
        let at = self.rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
            self.rows.push(Row { name: name.to_owned(), ..Row::default() });
            self.rows.len() - 1
        });
        &mut self.rows[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_result_is_counted_once() {
        let mut standings = Standings::default();
        standings.enter("a");
        standings.enter("b");
        let games = [
            ("a", "b", GameResult::White, "win"),
            ("b", "a", GameResult::Black, "suicide"),
            ("a", "b", GameResult::Black, "forfeit"),
            ("b", "a", GameResult::Draw, "draw"),
            ("a", "b", GameResult::Unknown, "aborted"),
            ("b", "a", GameResult::White, ""),
        ];
        for (white, black, result, outcome) in games {
            standings.add(&Scored { white, black, result, outcome });
        }
        let rows = standings.rows();
        let line = |row: &Row| {
            let counts =
                [row.games, row.wins, row.draws, row.losses, row.suicides, row.forfeits, row.aborted];
            (row.name.clone(), row.half_points, counts)
        };
        assert_eq!(line(rows[0]), ("a".to_owned(), 5, [5, 2, 1, 2, 0, 1, 1]));
        assert_eq!(line(rows[1]), ("b".to_owned(), 5, [5, 2, 1, 2, 1, 0, 1]));
    }
}
