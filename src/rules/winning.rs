//! The squares that show why a game is won, for screens and pictures that mark them.

use super::{Cell, Ending, Position, Reason, Ruleset, Side};
use std::collections::BTreeSet;

impl Ruleset {
    /// Every line that wins if all of its squares hold pieces of one side: row and column of each
    /// square, from one end to the other. Empty in games without such a goal. Where longer lines
    /// win, too, each part of them that is long enough is a line.
    ///
    /// ```
    /// use arbiter_rules::Ruleset;
    /// let lines = Ruleset::named("lineup", "n=3 s=3").unwrap().winning_lines();
    /// assert_eq!(lines.len(), 8);
    /// assert_eq!(lines[0], [(0, 0), (0, 1), (0, 2)]);
    /// ```
    pub fn winning_lines(&self) -> Vec<Vec<(usize, usize)>> {
        let Some(length) = self.in_a_row() else { return Vec::new() };
        let mut lines = Vec::new();
        for (row, column) in self.cells() {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (-1, 1)] {
                let mut line = Vec::with_capacity(length);
                for steps in 0..length as isize {
                    // A row or column before the first one becomes a very large number.
                    let there = row.wrapping_add_signed(steps * down);
                    let across = column.wrapping_add_signed(steps * right);
                    if there < self.rows() && across < self.columns() {
                        line.push((there, across));
                    }
                }
                if line.len() == length {
                    lines.push(line);
                }
            }
        }
        lines
    }
}

impl Position {
    /// Row and column of the squares that won, row by row: every piece in a line that is long
    /// enough; all pieces of the winner where these are its goal, in one group or all of them on
    /// the board. Empty where no line and no group won: a draw, more pieces, an opponent without a
    /// move, a game that goes on; and in custom games.
    ///
    /// ```
    /// use arbiter_rules::Ruleset;
    /// let gekitai = Ruleset::named("gekitai", "").unwrap();
    /// let position = gekitai.read_position("6/6/1X1XX1/6/6/2O2O X").unwrap();
    /// let next = position.after(gekitai.read_ply("c5").unwrap());
    /// assert_eq!(next.winning_squares(), []);
    /// let won = gekitai.read_position("6/1XXX2/6/6/6/2O2O O").unwrap();
    /// assert_eq!(won.winning_squares(), [(1, 1), (1, 2), (1, 3)]);
    /// ```
    pub fn winning_squares(&self) -> Vec<(usize, usize)> {
        if self.ruleset().game().asks_rules() {
            return Vec::new();
        }
        let Some(Ending { winner: Some(winner), reason }) = self.ending() else {
            return Vec::new();
        };
        if !shows_on_board(reason) {
            return Vec::new();
        }
        let mut lines = self.ruleset().winning_lines();
        lines.retain(|line| line.iter().all(|&square| self.has_piece(winner, square)));
        if lines.is_empty() {
            // The goal was not a line: one group, or all pieces on the board.
            let squares = self.ruleset().cells();
            return squares.filter(|&square| self.has_piece(winner, square)).collect();
        }
        let in_line: BTreeSet<_> = lines.into_iter().flatten().collect();
        in_line.into_iter().collect()
    }

    fn has_piece(&self, side: Side, (row, column): (usize, usize)) -> bool {
        self.cell(row, column) == Cell::Piece(side)
    }
}

/// Whether a win for this reason is one of some squares of the winner.
fn shows_on_board(reason: Reason) -> bool {
    match reason {
        Reason::Connected
        | Reason::Suicide
        | Reason::Simultaneous
        | Reason::Line
        | Reason::AllPieces => true,
        Reason::Stuck
        | Reason::Stalemate
        | Reason::MostPieces
        | Reason::EqualPieces
        | Reason::FullBoard
        | Reason::Own => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Generator;
    use std::collections::BTreeMap;

    fn won(game: &str, options: &str, position: &str) -> Vec<(usize, usize)> {
        Ruleset::named(game, options).unwrap().read_position(position).unwrap().winning_squares()
    }

    #[test]
    fn lines_and_groups_are_found_and_other_wins_have_none() {
        // Two lines that cross, one of them longer than it has to be.
        let cross = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (2, 2)];
        assert_eq!(won("lineup", "n=5 s=3 blocks=none", "OOOO1/1O3/2O2/XX3/XX3 X"), cross);
        assert_eq!(won("lineup", "n=5 s=4 blocks=none", "4O/3O1/2O2/1O3/XXX2 X").len(), 4);
        assert_eq!(won("gekitai", "n=5 p=2 l=2", "X4/5/5/2X2/5 O"), [(0, 0), (3, 2)], "all pieces");
        assert_eq!(won("loa", "", "8/8/2BB4/4B3/8/8/W7/7W W"), [(2, 2), (2, 3), (3, 4)]);
        assert_eq!(
            won("loa", "", "8/8/2BB4/4B3/8/8/W7/7W B"),
            [(2, 2), (2, 3), (3, 4)],
            "a suicide"
        );
        assert_eq!(won("loa", "", "8/8/2BB4/4B3/8/8/W7/W7 B"), [], "a draw");
        assert_eq!(won("flipflop", "", "WWWWWWWW/8/8/8/8/8/8/8 W 1"), [], "more pieces");
    }

    /// The goal by its definition in docs/reference/rules.md: enough pieces in a row, all pieces on
    /// the board, or one group.
    fn has_goal(ruleset: &Ruleset, squares: &BTreeSet<(usize, usize)>) -> bool {
        let all = ruleset
            .options()
            .iter()
            .find(|(key, _)| *key == "p")
            .map(|(_, count)| count.parse().unwrap());
        if all == Some(squares.len()) {
            return true;
        }
        let Some(least) = ruleset.in_a_row() else {
            let mut group: Vec<_> = squares.first().copied().into_iter().collect();
            let mut left: BTreeSet<_> = squares.iter().skip(1).copied().collect();
            while let Some((row, column)) = group.pop() {
                let near =
                    |&(r, c): &(usize, usize)| r.abs_diff(row) <= 1 && c.abs_diff(column) <= 1;
                group.extend(left.extract_if(.., near));
            }
            return left.is_empty();
        };
        squares.iter().any(|&(row, column)| {
            [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(down, right): (isize, isize)| {
                (0..least as isize).all(|steps| {
                    let at = (
                        row.checked_add_signed(steps * down),
                        column.checked_add_signed(steps * right),
                    );
                    squares.iter().any(|square| at == (Some(square.0), Some(square.1)))
                })
            })
        })
    }

    /// Random games of every game to their end. The squares are there exactly when a goal of the
    /// winner is on the board, they are the winner's, and reach the goal alone. A line is no longer
    /// one without any of its squares, if there is but one line.
    #[test]
    fn the_squares_of_random_games_are_those_of_the_goal() {
        let mut generator = Generator::new(&[&"winning squares"]);
        let mut seen = BTreeMap::new();
        let games = [
            ("loa", "stuck=loss"),
            ("loa", "simultaneous=mover"),
            ("flipflop", ""),
            ("lineup", "n=4 s=3"),
            ("lineup", "n=9 s=4"),
            ("gekitai", ""),
            ("gekitai", "n=5 p=4 l=4 simultaneous=mover"),
        ];
        for (game, options) in games {
            let ruleset = Ruleset::named(game, options).unwrap();
            for _ in 0..60 {
                let mut position = ruleset.start();
                for _ in 0..600 {
                    let plies = position.sorted_plies();
                    if plies.is_empty() {
                        break;
                    }
                    assert_eq!(position.winning_squares(), [], "{position}");
                    position.play(plies[generator.below(plies.len() as u64) as usize]);
                }
                let winner = position.ending().and_then(|ending| ending.winner);
                let of_winner: BTreeSet<_> = match winner {
                    Some(side) => {
                        let all = position.ruleset().cells();
                        all.filter(|&square| position.has_piece(side, square)).collect()
                    }
                    None => BTreeSet::new(),
                };
                let won: BTreeSet<_> = position.winning_squares().into_iter().collect();
                let is_goal =
                    game != "flipflop" && !of_winner.is_empty() && has_goal(&ruleset, &of_winner);
                assert_eq!(!won.is_empty(), is_goal, "{position}");
                assert!(won.is_subset(&of_winner), "{position}");
                if is_goal {
                    assert!(has_goal(&ruleset, &won), "{position}");
                    *seen.entry(game).or_insert(0) += 1;
                }
                if ruleset.in_a_row().is_some_and(|least| won.len() == least) {
                    for square in &won {
                        let mut less = won.clone();
                        less.remove(square);
                        assert!(!has_goal(&ruleset, &less), "{position}: without {square:?}");
                    }
                }
            }
        }
        for (game, least) in [("loa", 10), ("lineup", 20), ("gekitai", 20)] {
            assert!(seen[game] > least, "{seen:?}");
        }
    }
}
