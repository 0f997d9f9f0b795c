//! Static evaluation: the value of a position without search. What the bots know of a game beside
//! its rules stands in its file here, with a row in [`knowledge_of`], and nowhere else. A game
//! without one is played by what its rules say.
//!
//! A game has two evaluations. [`evaluate`] goes from cell to cell on boards of any size; `greedy`
//! plays by it. An [`Evaluation`] computes with sets of squares and fitted weights, for boards of
//! the usual sizes; `search` takes it where there is one.
//!
//! A value v says that the side to move wins with probability 1 / (1 + exp(-v / 100)), as far as
//! the games tell from which the weights were fitted by logistic regression. So margins of the
//! search mean the same in every game.

mod flipflop;
mod loa;
mod rows;

use arbiter_rules::seed::Generator;
use arbiter_rules::{Ending, Game, Position, Ruleset, Side};

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

/// The evaluation that `search` uses in a game with its options.
pub(super) trait Evaluation: std::fmt::Debug + Send {
    /// The value of an unfinished position for the side to move, far from that of a won or lost
    /// game.
    fn value(&self, position: &Position) -> i32;
    /// Whether there nearly always is a ply that is so much better than none that the search may
    /// rely on it (null move pruning).
    fn passing_is_bad(&self) -> bool {
        false
    }
    /// Whether the value changes so little from ply to ply that the search may rely on it a few
    /// plies ahead (reverse futility pruning), and at the next depth (aspiration windows).
    fn is_steady(&self) -> bool {
        false
    }
}

/// A level: what it is limited by.
#[derive(Debug, Clone, Copy)]
pub(super) enum Level {
    /// It looks one ply ahead, with values that are wrong by up to half of this, in hundredths of a
    /// logit.
    Noise(u32),
    /// It searches so many nodes.
    Nodes(u64),
}

/// What the bots know of a game beside its rules.
pub(super) struct GameKnowledge {
    /// The levels of `search`, the weakest first; empty for a game whose levels nobody has
    /// measured.
    pub(super) levels: &'static [Level],
    /// The value of an unfinished position for a side, on boards of any size, in hundredths of a
    /// unit that differs from game to game.
    cells_value: fn(&Position, Side) -> i32,
    /// The evaluation for boards of the usual sizes, if the board is one.
    fitted: fn(&Ruleset) -> Option<Box<dyn Evaluation>>,
}

/// What is known of any other game.
const BY_RULES: GameKnowledge =
    GameKnowledge { levels: &[], cells_value: value_by_rules, fitted: |_| None };

/// What the bots know of this game.
pub(super) fn knowledge_of(game: &Game) -> &'static GameKnowledge {
    match game {
        Game::Loa => &loa::LOA,
        Game::FlipFlop => &flipflop::FLIPFLOP,
        Game::Lineup => &rows::LINEUP,
        Game::Gekitai => &rows::GEKITAI,
        _ => &BY_RULES,
    }
}

/// The best evaluation for these rules.
pub(super) fn of(ruleset: &Ruleset) -> Box<dyn Evaluation> {
    (knowledge_of(ruleset.game()).fitted)(ruleset).unwrap_or_else(|| Box::new(CellsEvaluation))
}

/// Whether the squares of the board are the bits of a word.
fn fits_into_a_word(ruleset: &Ruleset) -> bool {
    ruleset.start().bits(Side::First).is_some()
}

/// The evaluation for boards of any size, cell by cell.
#[derive(Debug)]
struct CellsEvaluation;

impl Evaluation for CellsEvaluation {
    fn value(&self, position: &Position) -> i32 {
        evaluate(position, position.side())
    }
}

/// The static value of an unfinished position for a side: higher is better, always far from a won
/// or lost game.
pub(super) fn evaluate(position: &Position, side: Side) -> i32 {
    let knowledge = knowledge_of(position.ruleset().game());
    (knowledge.cells_value)(position, side).clamp(-WIN / 2, WIN / 2)
}

/// The value in a game of which no more is known than its rules.
fn value_by_rules(position: &Position, side: Side) -> i32 {
    if position.ruleset().in_a_row().is_some() {
        rows::lines_value(position, side)
    } else {
        100 * piece_lead(position, side)
    }
}

/// Pieces of a side less pieces of the other side.
fn piece_lead(position: &Position, side: Side) -> i32 {
    position.piece_count(side) as i32 - position.piece_count(!side) as i32
}

/// An evaluation whose values are wrong by a little, always by the same in the same position.
#[derive(Debug)]
pub(super) struct Noisy {
    pub(super) exact: Box<dyn Evaluation>,
    /// The difference of the greatest and the least that is added.
    pub(super) width: u32,
    pub(super) seed: u64,
}

impl Evaluation for Noisy {
    fn value(&self, position: &Position) -> i32 {
        let drawn =
            Generator::from_state(position.key() ^ self.seed).below(u64::from(self.width) + 1);
        self.exact.value(position) + drawn as i32 - (self.width / 2) as i32
    }

    fn passing_is_bad(&self) -> bool {
        self.exact.passing_is_bad()
    }
    fn is_steady(&self) -> bool {
        self.exact.is_steady()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::Ruleset;

    fn loa(text: &str) -> Position {
        let loa = Ruleset::named("loa", "").expect("loa is a game");
        loa.read_position(text).expect("a position of loa")
    }

    #[test]
    fn values_of_the_two_sides_are_opposite() {
        let start = loa("1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B");
        assert_eq!(evaluate(&start, Side::First), 0, "the start position is symmetrical");
        let better = loa("8/8/2B5/3B4/8/3B4/W6W/W6W B");
        assert!(evaluate(&better, Side::First) > 0);
        assert_eq!(evaluate(&better, Side::First), -evaluate(&better, Side::Second));
    }

    #[test]
    fn every_game_has_its_evaluation() {
        // The sign of the value for the first side; 0 if the position is equal for both.
        for (game, text, sign) in [
            ("flipflop", "W7/8/8/3WB3/3BW3/5B2/8/8 W 1", 1),
            ("flipflop", "W7/8/8/3WB3/3BW3/8/8/7B W 1", 0),
            ("flipflop", "8/8/8/3WB3/3BW3/8/1B6/8 W 1", 1), // B stands beside an empty corner
            ("lineup", "OO3/5/5/5/3XX X", 0),
            ("lineup", "5/OO3/5/5/X#X#1 O", 1),
            ("gekitai", "6/1XX3/6/6/6/O4O X", 1),
            ("gekitai", "6/6/6/6/6/6 O", 0),
        ] {
            let position =
                Ruleset::named(game, "").expect("a game").read_position(text).expect("a position");
            assert_eq!(evaluate(&position, Side::First).signum(), sign, "{game} {text}");
            assert_eq!(
                evaluate(&position, Side::First),
                -evaluate(&position, Side::Second),
                "{game} {text}"
            );
        }
    }

    #[test]
    fn values_stay_far_below_a_win() {
        // Twelve pieces all around the edge.
        let worst = loa("B1B1B1B1/8/B6B/8/3WW3/3WW3/B6B/B1B1B1B1 B");
        assert!(evaluate(&worst, Side::First) < 0);
        assert!(evaluate(&worst, Side::First).abs() < WIN / 100);
    }
}
