//! `greedy`: looks one ply ahead and plays the ply of the highest value; equal ones are chosen from
//! at random.

use super::evaluation::{self, WIN};
use super::random;
use arbiter_rules::seed::Generator;
use arbiter_rules::{Ply, Position, Side};

/// A ply of the highest value; `None` if there are no plies.
pub(super) fn choose(position: &Position, generator: &mut Generator) -> Option<Ply> {
    let mut best = i32::MIN;
    let mut equals = Vec::new();
    for ply in position.plies() {
        let of_ply = value(&position.after(ply), position.side());
        if of_ply > best {
            best = of_ply;
            equals.clear();
        }
        if of_ply == best {
            equals.push(ply);
        }
    }
    random::choose(equals, generator)
}

/// The value of a position for a side. Won positions have the highest value, and a suicide is a
/// loss.
fn value(position: &Position, side: Side) -> i32 {
    match position.ending() {
        Some(ending) => evaluation::ending_value(ending, side, WIN),
        None => evaluation::evaluate(position, side),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::Ruleset;

    fn chosen(position: &str, seed: u64) -> String {
        let loa = Ruleset::named("loa", "").expect("loa is a game");
        let position = loa.read_position(position).expect("a position of loa");
        let ply =
            choose(&position, &mut Generator::from_state(seed)).expect("there is a legal ply");
        loa.ply_text(ply).to_string()
    }

    #[test]
    fn a_win_is_taken_at_once() {
        for seed in 0..20 {
            // b1 joins a0 and a1 from d1: two pieces stand on row 1.
            assert_eq!(chosen("B7/B2B4/8/8/W6W/8/8/8 B", seed), "d1b1");
        }
    }

    #[test]
    fn a_suicide_is_avoided() {
        // f7h7 takes a piece and leaves W with one group.
        let position = "B7/8/8/3WW3/B7/8/8/5B1W B";
        let loa = Ruleset::named("loa", "").expect("loa is a game");
        let read = loa.read_position(position).expect("a position of loa");
        let suicides = |ply: &Ply| {
            read.after(*ply).ending().is_some_and(|end| end.winner == Some(!read.side()))
        };
        assert!(read.plies().any(|ply| suicides(&ply)), "the test needs a temptation");
        for seed in 0..20 {
            let ply = loa.read_ply(&chosen(position, seed)).expect("a ply");
            assert!(!suicides(&ply));
        }
    }
}
