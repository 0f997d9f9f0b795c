//! What a ply changed on the board, for screens and pictures that mark it.

use super::{Cell, Ply, Position};

/// What a ply did to a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SquareChange {
    /// The piece that moved came from here.
    Left,
    /// The piece that was placed or moved is here.
    Arrived,
    /// The piece that moved is here and took the piece that was here.
    Took,
    /// The piece here changed its side.
    Recoloured,
    /// A piece was pushed to here.
    PushedTo,
    /// A piece was pushed away from here, to another square.
    PushedFrom,
    /// A piece was pushed from here off the board.
    PushedOff,
}

/// A square that a ply changed: row and column as [`Position::cell`] counts them, and what happened there.
pub type ChangedSquare = ((usize, usize), SquareChange);

/// The squares that a legal ply changed, row by row from the row that is printed first; none for a pass.
///
/// ```
/// use arbiter::rules::{Ruleset, SquareChange, changed_squares};
/// let loa = Ruleset::named("loa", "").unwrap();
/// let before = loa.start();
/// let ply = loa.read_ply("a2c4").unwrap();
/// let changes = changed_squares(&before, ply, &before.after(ply));
/// assert_eq!(changes, [((2, 0), SquareChange::Left), ((4, 2), SquareChange::Arrived)]);
/// ```
#[must_use]
pub fn changed_squares(before: &Position, ply: Ply, after: &Position) -> Vec<ChangedSquare> {
    let size = before.ruleset().size();
    let squares = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
    squares.filter_map(|at| Some((at, change_of(before, ply, after, at)?))).collect()
}

fn change_of(before: &Position, ply: Ply, after: &Position, at: (usize, usize)) -> Option<SquareChange> {
    let ruleset = before.ruleset();
    let square = ruleset.square(at.0, at.1);
    let was = before.cell(at.0, at.1);
    match ply {
        Ply::Pass => return None,
        Ply::Move(from, _) if from == square => return Some(SquareChange::Left),
        Ply::Move(_, to) if to == square => {
            let took = matches!(was, Cell::Piece(_));
            return Some(if took { SquareChange::Took } else { SquareChange::Arrived });
        }
        Ply::Place(to) if to == square => return Some(SquareChange::Arrived),
        Ply::Move(..) | Ply::Place(_) => {}
    }
    match (was, after.cell(at.0, at.1)) {
        (was, is) if was == is => None,
        (Cell::Empty, _) => Some(SquareChange::PushedTo),
        (_, Cell::Empty) => {
            let Ply::Place(placed) = ply else { return None };
            let arrived = square_behind(ruleset.row_and_column(placed), at, ruleset.size())
                .is_some_and(|(row, column)| before.cell(row, column) != after.cell(row, column));
            Some(if arrived { SquareChange::PushedFrom } else { SquareChange::PushedOff })
        }
        _ => Some(SquareChange::Recoloured),
    }
}

/// The square straight behind the second one, seen from the first; none off the board.
fn square_behind(from: (usize, usize), over: (usize, usize), size: usize) -> Option<(usize, usize)> {
    let behind = |from: usize, over: usize| (2 * over).checked_sub(from).filter(|&at| at < size);
    Some((behind(from.0, over.0)?, behind(from.1, over.1)?))
}

#[cfg(test)]
mod tests {
    use super::super::{Game, Ruleset};
    use super::*;

    fn after(game: &str, position: &str, ply: &str) -> Vec<ChangedSquare> {
        let ruleset = Ruleset::named(game, "").unwrap();
        let before = ruleset.read_position(position).unwrap();
        let ply = ruleset.read_ply(ply).unwrap();
        before.check(ply).unwrap();
        changed_squares(&before, ply, &before.after(ply))
    }

    #[test]
    fn captures_recolouring_and_pushes_are_told_apart() {
        use SquareChange::*;
        for (game, position, ply, expected) in [
            // A piece takes the piece on the square that it moves to.
            ("loa", "8/8/8/B2W4/8/8/8/W6B B", "a3c3", vec![((3, 0), Left), ((3, 2), Arrived)]),
            ("loa", "8/8/8/B1W5/8/8/8/W6B B", "a3c3", vec![((3, 0), Left), ((3, 2), Took)]),
            ("flipflop", "8/8/8/3WB3/3BW3/8/8/8 W 1", "29", vec![((3, 4), Recoloured), ((3, 5), Arrived)]),
            // One piece is pushed to the next square, the other one off the board.
            (
                "gekitai",
                "6/6/2X3/6/6/6 O",
                "d3",
                vec![((2, 1), PushedTo), ((2, 2), PushedFrom), ((2, 3), Arrived)],
            ),
            ("gekitai", "6/X5/6/6/6/6 O", "b2", vec![((1, 0), PushedOff), ((1, 1), Arrived)]),
        ] {
            assert_eq!(after(game, position, ply), expected, "{game} {position} {ply}");
        }
    }

    #[test]
    fn every_change_of_a_random_game_is_marked_and_nothing_else() {
        let mut generator = crate::seed::Generator::new(&[&"changes"]);
        for game in Game::ALL {
            for _ in 0..20 {
                let mut position = Ruleset::named(game.name(), "").unwrap().start();
                for _ in 0..200 {
                    let plies = position.sorted_plies();
                    if plies.is_empty() {
                        break;
                    }
                    let ply = plies[generator.below(plies.len() as u64) as usize];
                    let next = position.after(ply);
                    let marked = changed_squares(&position, ply, &next);
                    let size = position.ruleset().size();
                    for row in 0..size {
                        for column in 0..size {
                            let differs = position.cell(row, column) != next.cell(row, column);
                            let mark = marked.iter().find(|(at, _)| *at == (row, column));
                            assert_eq!(mark.is_some(), differs, "{position} {ply:?}: {row} {column}");
                        }
                    }
                    position = next;
                }
            }
        }
    }
}
