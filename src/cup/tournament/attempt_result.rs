//! How attempts at games end, as far as a tournament depends on it.

use arbiter_game::{Abort, Outcome};
use arbiter_rules::Side;

/// How an attempt at a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptResult {
    /// With a result: half points of the first and the second side.
    Scored([u32; 2]),
    /// With a result, by forfeit of the side that has no points: of both, if neither started.
    Forfeited([u32; 2]),
    /// Without a result, through neither bot's fault: another attempt may have one.
    Aborted,
    /// Without a result, because the rules of the game fail: another attempt would have none
    /// either.
    RulesFail,
}

impl AttemptResult {
    /// Half points of the first and the second side; `None` for an aborted game.
    pub fn half_points(self) -> Option<[u32; 2]> {
        match self {
            AttemptResult::Scored(half_points) | AttemptResult::Forfeited(half_points) => {
                Some(half_points)
            }
            AttemptResult::Aborted | AttemptResult::RulesFail => None,
        }
    }
}

impl From<Outcome> for AttemptResult {
    fn from(outcome: Outcome) -> AttemptResult {
        let half_points = match outcome.winner() {
            Some(Side::First) => [2, 0],
            Some(Side::Second) => [0, 2],
            None => [1, 1],
        };
        match outcome {
            Outcome::Aborted(Abort::Rules) => AttemptResult::RulesFail,
            Outcome::Aborted(_) => AttemptResult::Aborted,
            Outcome::Forfeit(..) => AttemptResult::Forfeited(half_points),
            Outcome::NeitherStarted => AttemptResult::Forfeited([0, 0]),
            _ => AttemptResult::Scored(half_points),
        }
    }
}
