//! Static evaluation: the value of a position without search. What a game's strategy is stands in
//! its file here and nowhere else.
//!
//! A value v says that the side to move wins with probability 1 / (1 + exp(-v / 100)), as far as
//! the games tell from which the weights were fitted by logistic regression. So margins of the
//! search mean the same in every game.

mod cells;
mod flipflop;
mod loa;
mod rows;

pub(super) use cells::evaluate;

use crate::rules::{Ending, Game, Position, Ruleset, Side};
use crate::seed::Generator;

/// The value of a won game; every static evaluation is far below.
pub(super) const WIN: i32 = 1_000_000;

/// The value of an ending for a side, when a win has the value `win`.
pub(super) fn ending_value(ending: Ending, side: Side, win: i32) -> i32 {
    match ending.winner {
        Some(winner) if winner == side => win,
        Some(_) => -win,
        None => 0,
    }
}

/// The strategy of a game with its options.
pub(super) trait Evaluation: std::fmt::Debug + Send {
    /// The value of an unfinished position for the side to move, far from that of a won or lost
    /// game.
    fn value(&self, position: &Position) -> i32;
    /// Whether there nearly always is a ply that is so much better than none that the search may
    /// rely on it.
    fn passing_is_bad(&self) -> bool {
        false
    }
    /// Whether the value changes so little from ply to ply that the search may rely on it a few
    /// plies ahead, and at the next depth.
    fn is_steady(&self) -> bool {
        false
    }
}

/// The best strategy for these rules.
pub(super) fn of(ruleset: Ruleset) -> Box<dyn Evaluation> {
    let fits_into_a_word = ruleset.start().bits(Side::First).is_some();
    match ruleset.game() {
        Game::Loa if fits_into_a_word => Box::new(loa::LoaEvaluation),
        Game::FlipFlop if ruleset.rows() == flipflop::SIZE => {
            Box::new(flipflop::FlipFlopEvaluation::new())
        }
        Game::Gekitai if fits_into_a_word => {
            Box::new(rows::RowsEvaluation::new(ruleset, &rows::GEKITAI))
        }
        Game::Lineup if fits_into_a_word => {
            Box::new(rows::RowsEvaluation::new(ruleset, &rows::LINEUP))
        }
        _ => Box::new(cells::CellsEvaluation),
    }
}

/// A strategy whose values are wrong by a little, always by the same in the same position.
#[derive(Debug)]
pub(super) struct Noisy {
    pub(super) strategy: Box<dyn Evaluation>,
    /// The difference of the greatest and the least that is added.
    pub(super) width: u32,
    pub(super) seed: u64,
}

impl Evaluation for Noisy {
    fn value(&self, position: &Position) -> i32 {
        let drawn =
            Generator::from_state(position.key() ^ self.seed).below(u64::from(self.width) + 1);
        self.strategy.value(position) + drawn as i32 - (self.width / 2) as i32
    }

    fn passing_is_bad(&self) -> bool {
        self.strategy.passing_is_bad()
    }
    fn is_steady(&self) -> bool {
        self.strategy.is_steady()
    }
}
