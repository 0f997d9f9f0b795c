//! What a ply changed on the board, for screens and pictures that mark it.

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

/// A square that a ply changed: row and column as [`Position::cell`](crate::Position::cell)
/// counts them, and what happened there.
pub type ChangedSquare = ((usize, usize), SquareChange);

#[cfg(test)]
mod tests {
    use super::super::{Game, Ruleset};
    use super::*;

    fn changes(game: &str, position: &str, ply: &str) -> Vec<ChangedSquare> {
        let ruleset = Ruleset::named(game, "").unwrap();
        let before = ruleset.read_position(position).unwrap();
        let ply = ruleset.read_ply(ply).unwrap();
        before.check(ply).unwrap();
        before.changes(ply)
    }

    #[test]
    fn captures_recolouring_and_pushes_are_told_apart() {
        use SquareChange::*;
        for (game, position, ply, expected) in [
            // A piece takes the piece on the square that it moves to.
            ("loa", "8/8/8/B2W4/8/8/8/W6B B", "a3c3", vec![((3, 0), Left), ((3, 2), Arrived)]),
            ("loa", "8/8/8/B1W5/8/8/8/W6B B", "a3c3", vec![((3, 0), Left), ((3, 2), Took)]),
            (
                "flipflop",
                "8/8/8/3WB3/3BW3/8/8/8 W 1",
                "29",
                vec![((3, 4), Recoloured), ((3, 5), Arrived)],
            ),
            // One piece is pushed to the next square, the other one off the board.
            (
                "gekitai",
                "6/6/2X3/6/6/6 O",
                "d3",
                vec![((2, 1), PushedTo), ((2, 2), PushedFrom), ((2, 3), Arrived)],
            ),
            ("gekitai", "6/X5/6/6/6/6 O", "b2", vec![((1, 0), PushedOff), ((1, 1), Arrived)]),
        ] {
            assert_eq!(changes(game, position, ply), expected, "{game} {position} {ply}");
        }
    }

    #[test]
    fn every_change_of_a_random_game_is_marked_and_nothing_else() {
        let mut generator = crate::seed::Generator::new(&[&"changes"]);
        for game in Game::ALL {
            for _ in 0..20 {
                let mut position = Ruleset::named(game.name(), "").unwrap().start();
                let ruleset = position.ruleset();
                for _ in 0..200 {
                    let plies = position.sorted_plies();
                    if plies.is_empty() {
                        break;
                    }
                    let ply = plies[generator.below(plies.len() as u64) as usize];
                    let next = position.after(ply);
                    let marked = position.changes(ply);
                    assert!(marked.is_sorted_by_key(|(square, _)| *square), "{marked:?}");
                    for row in 0..ruleset.rows() {
                        for column in 0..ruleset.columns() {
                            let differs = position.cell(row, column) != next.cell(row, column);
                            let mark = marked.iter().find(|(at, _)| *at == (row, column));
                            assert_eq!(
                                mark.is_some(),
                                differs,
                                "{position} {ply:?}: {row} {column}"
                            );
                        }
                    }
                    position = next;
                }
            }
        }
    }
}
