//! `greedy`: looks one ply ahead and takes what looks best; ties are for the generator.

use super::evaluation::{self, WIN};
use super::random;
use crate::rules::{Ply, Position, Side};
use crate::seed::Generator;

/// A ply of the highest worth, none if there are no plies.
pub(super) fn choose(position: &Position, generator: &mut Generator) -> Option<Ply> {
    let me = position.side();
    let worths: Vec<(Ply, i32)> =
        position.plies().map(|ply| (ply, worth(&position.after(ply), me))).collect();
    let best = worths.iter().map(|&(_, worth)| worth).max()?;
    let equals = worths.iter().filter(|&&(_, worth)| worth == best).map(|&(ply, _)| ply);
    random::choose(equals.collect(), generator)
}

/// What a position is worth to a side: a win is taken at once, and a suicide is a loss.
fn worth(position: &Position, side: Side) -> i32 {
    match position.ending() {
        Some(ending) => evaluation::ended(ending, side, WIN),
        None => evaluation::evaluate(position, side),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    fn chosen(position: &str, seed: u64) -> String {
        let loa = Ruleset::named("loa", &[]).expect("loa is a game");
        let position = loa.read_position(position).expect("a position of loa");
        let ply = choose(&position, &mut Generator::from_state(seed)).expect("somebody can move");
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
        let loa = Ruleset::named("loa", &[]).expect("loa is a game");
        let read = loa.read_position(position).expect("a position of loa");
        let suicides =
            |ply: &Ply| read.after(*ply).ending().is_some_and(|end| end.winner == Some(!read.side()));
        assert!(read.plies().any(|ply| suicides(&ply)), "the test needs a temptation");
        for seed in 0..20 {
            let ply = loa.read_ply(&chosen(position, seed)).expect("a ply");
            assert!(!suicides(&ply));
        }
    }
}
