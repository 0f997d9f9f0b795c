//! A ply that is chosen on a board, square by square.

use super::board::At;
use arbiter_rules::{Cell, Ply, Position, Side};

/// What follows when a square is chosen.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Ply(Ply),
    /// One of several plies with these squares, as text.
    Several(Vec<String>),
    /// Another square is to be chosen; or the last one was chosen again, and none is chosen any
    /// more.
    GoesOn,
    /// There is no such ply; why, in a sentence. No square is chosen any more.
    Refused(String),
}

/// Chooses a square for a ply of the side to move, after those that are `chosen`.
pub(super) fn choose(position: &Position, side: Side, chosen: &mut Vec<At>, at: At) -> Choice {
    let mut next = chosen.clone();
    next.push(at);
    let (whole, longer) = plies_of(position, &next);
    if longer {
        *chosen = next;
        return Choice::GoesOn;
    }
    // A ply can be the beginning of a longer one. Its last square, chosen again, ends it there.
    let again = chosen.last() == Some(&at);
    let plies = if whole.is_empty() && again { plies_of(position, chosen).0 } else { whole };
    let before = std::mem::take(chosen);
    match plies[..] {
        [ply] => Choice::Ply(ply),
        [] if again => Choice::GoesOn,
        [] if before.is_empty() && is_own_piece_to_move(position, side, at) => {
            *chosen = next; // why it cannot move is said when it is clear whereto
            Choice::GoesOn
        }
        [] => Choice::Refused(refusal(position, &before, at)),
        _ => {
            let ruleset = position.ruleset();
            Choice::Several(plies.iter().map(|&ply| ruleset.ply_text(ply).to_string()).collect())
        }
    }
}

/// The squares that follow those that are chosen in legal plies.
pub(super) fn targets_after(position: &Position, chosen: &[At]) -> Vec<At> {
    let mut targets = Vec::new();
    for ply in position.plies() {
        if let Some([next, ..]) = position.squares(ply).strip_prefix(chosen) {
            targets.push(*next);
        }
    }
    targets
}

/// The legal plies with these squares, and whether there are others that begin with them.
fn plies_of(position: &Position, squares: &[At]) -> (Vec<Ply>, bool) {
    let mut whole = Vec::new();
    let mut has_longer = false;
    for ply in position.sorted_plies() {
        match position.squares(ply).strip_prefix(squares) {
            Some([]) => whole.push(ply),
            Some(_) => has_longer = true,
            None => {}
        }
    }
    (whole, has_longer)
}

fn places(position: &Position) -> bool {
    position.plies().any(|ply| matches!(ply, Ply::Place(_)))
}

/// Whether a ply may begin on a square as far as one sees without the rules: pieces move, and one
/// of the side stands there.
fn is_own_piece_to_move(position: &Position, side: Side, at: At) -> bool {
    position.plies().any(|ply| position.squares(ply).len() > 1)
        && !places(position)
        && position.cell(at.0, at.1) == Cell::Piece(side)
}

fn refusal(position: &Position, before: &[At], at: At) -> String {
    let ruleset = position.ruleset();
    let to = ruleset.square(at.0, at.1);
    let ply = match *before {
        [] if places(position) => Ply::Place(to),
        [] if position.plies().all(|ply| position.squares(ply).is_empty()) => {
            return "plies are words here: type one, or choose it with tab or a click".to_owned();
        }
        [] => return "choose a piece of yours first".to_owned(),
        [from] => Ply::Move(ruleset.square(from.0, from.1), to),
        [.., last] => {
            let last = ruleset.ply_text(Ply::Place(ruleset.square(last.0, last.1)));
            let to = ruleset.ply_text(Ply::Place(to));
            return format!("no legal ply goes on from {last} to {to}");
        }
    };
    match position.check(ply) {
        Ok(()) => format!("{}: ", ruleset.ply_text(ply)),
        Err(illegal) => format!("{}: {illegal}", ruleset.ply_text(ply)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::own::sample::{self, Row};

    /// Chains of squares, of which one is the beginning of another; and two plies with the same
    /// squares.
    const ROWS: &[Row] = &[(
        "X2/1O1/3 X",
        &[
            ("a1b1", "1X1/1O1/3 O"),
            ("a1b1c2", "3/1OX/3 O"),
            ("a1c3", "3/1O1/2X O"),
            ("swap", "O2/1O1/3 O"),
            ("a1", "3/1O1/3 O"),
        ],
    )];

    #[test]
    fn a_ply_is_chosen_square_by_square() {
        let start = sample::game("chains", "XO 3x3", ROWS).start();
        let ply = |text: &str| Choice::Ply(start.ruleset().read_ply(text).unwrap());
        let after = |squares: &[At]| {
            let mut chosen = Vec::new();
            let last = squares
                .iter()
                .map(|&at| choose(&start, Side::First, &mut chosen, at))
                .last()
                .unwrap();
            (last, chosen)
        };
        assert_eq!(after(&[(0, 0)]), (Choice::GoesOn, vec![(0, 0)]));
        assert_eq!(after(&[(0, 0), (2, 2)]), (ply("a1c3"), vec![]));
        assert_eq!(
            after(&[(0, 0), (0, 1)]),
            (Choice::GoesOn, vec![(0, 0), (0, 1)]),
            "it may go on"
        );
        assert_eq!(
            after(&[(0, 0), (0, 1), (0, 1)]),
            (ply("a1b1"), vec![]),
            "the same again ends it"
        );
        assert_eq!(after(&[(0, 0), (0, 1), (1, 2)]), (ply("a1b1c2"), vec![]));
        let several = Choice::Several(vec!["a1".to_owned(), "swap".to_owned()]);
        assert_eq!(after(&[(0, 0), (0, 0)]), (several, vec![]));
        let refused = |squares: &[At]| match after(squares) {
            (Choice::Refused(why), chosen) if chosen.is_empty() => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(&[(0, 0), (0, 1), (0, 0)]), "no legal ply goes on from b1 to a1");
        assert_eq!(refused(&[(0, 0), (1, 0)]), "a1a2: a1a2 is not in the table");
        assert_eq!(refused(&[(2, 2)]), "c3: c3 is not in the table");
        let mut targets = targets_after(&start, &[(0, 0)]);
        targets.sort_unstable();
        assert_eq!(targets, [(0, 1), (0, 1), (2, 2)]);
        assert_eq!(targets_after(&start, &[(0, 0), (0, 1)]), [(1, 2)]);
    }

    #[test]
    fn a_game_of_words_says_that_it_is_one() {
        const WORDS: &[Row] = &[("3 X", &[("one", "X2 O"), ("two", "1X1 O")])];
        let start = sample::game("words", "XO 1x3", WORDS).start();
        let refused = choose(&start, Side::First, &mut Vec::new(), (0, 0));
        assert!(matches!(refused, Choice::Refused(why) if why.starts_with("plies are words here")));
    }
}
