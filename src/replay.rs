//! A log through the same referee that judges games: is it what the rules say?
//!
//! Owns the question whether a [`Record`] is valid (gamelog.md): its plies are legal from its start position, and its
//! result, outcome and reason are what the rules say. What a log leaves out is left unchecked.

use crate::clock::TimeControl;
use crate::game::{Abort, Answer, Fault, Outcome, Referee, Settings, Step};
use crate::record::Record;

/// Where a log and the rules part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Divergence {
    /// The ply that is to blame, from 1; none if it is the result.
    pub ply: Option<usize>,
    /// What is wrong.
    pub what: String,
}

/// Plays a log through the referee.
///
/// # Errors
/// The first place where the log and the rules part.
pub fn replay(record: &Record) -> Result<(), Divergence> {
    let no_start =
        matches!(record.outcome, Outcome::Forfeit(_, Fault::NoStart) | Outcome::Aborted(Abort::NoStart));
    if no_start {
        return match record.plies.len() {
            0 => Ok(()),
            _ => Err(at(1, "there is a ply, but the game ended because a bot did not start".to_owned())),
        };
    }
    let mut settings = Settings::of(record.ruleset()).with_control(TimeControl::Unlimited);
    settings.rules.attempts = 1;
    // A log that does not say when a game is drawn is not held to it.
    settings.rules.max_plies = record.max_plies.filter(|&plies| plies > 0).unwrap_or(u32::MAX);
    settings.rules.repetition = record.repetition.unwrap_or(0);
    let mut referee = Referee::new(&settings, record.start);
    let ruleset = record.ruleset();
    let mut agreed = 0;
    loop {
        // Forced passes are played by the referee itself; the log must have them too.
        for &played in &referee.plies()[agreed..] {
            match record.plies.get(agreed) {
                Some(logged) if logged.ply == played => agreed += 1,
                Some(logged) => {
                    let text = ruleset.ply_text(logged.ply);
                    let what = format!("{text}: the side to move has no move and must pass");
                    return Err(at(agreed + 1, what));
                }
                None => return Err(at(agreed + 1, "a forced pass is missing".to_owned())),
            }
        }
        referee.events().for_each(drop);
        let Some(next) = record.plies.get(agreed) else { break };
        if let Some(outcome) = referee.outcome() {
            let text = ruleset.ply_text(next.ply);
            return Err(at(
                agreed + 1,
                format!("{text}: the game was over before it ({})", sentence(outcome)),
            ));
        }
        let step = referee.answer(&mut Answer::ply(next.ply));
        if let (Step::Over(Outcome::Forfeit(..)), Some(illegal)) = (step, referee.refused()) {
            return Err(at(agreed + 1, format!("{}: {illegal}", ruleset.ply_text(next.ply))));
        }
        agreed += 1;
    }
    judge(record, &referee)
}

fn at(ply: usize, what: String) -> Divergence {
    Divergence { ply: Some(ply), what }
}

/// Whether the log's outcome is the referee's, or one that plies do not show and that may stand here.
fn judge(record: &Record, referee: &Referee) -> Result<(), Divergence> {
    let claimed = record.outcome;
    let wrong = |what: String| Err(Divergence { ply: None, what });
    if let Some(outcome) = referee.outcome() {
        if outcome == claimed {
            return Ok(());
        }
        return wrong(format!(
            "the log says {}, but the game ended as {}",
            sentence(claimed),
            sentence(outcome)
        ));
    }
    let on_move = referee.position().side();
    let letter = |side| record.ruleset().letter(side);
    match claimed {
        Outcome::Resigned(loser) if loser != on_move => {
            wrong(format!("{} is said to have resigned, but {} was to move", letter(loser), letter(on_move)))
        }
        Outcome::Forfeit(loser, fault) if fault.is_of_side_on_move() && loser != on_move => wrong(format!(
            "{} is said to have lost by {fault}, but {} was to move",
            letter(loser),
            letter(on_move)
        )),
        Outcome::Repetition if record.repetition.is_none() && referee.occurrences() > 1 => Ok(()),
        Outcome::MaxPlies if record.max_plies.is_none() => Ok(()),
        Outcome::Resigned(_) | Outcome::Forfeit(..) | Outcome::Aborted(_) => Ok(()),
        Outcome::Rules(_) | Outcome::Repetition | Outcome::MaxPlies => {
            wrong(format!("the log says {}, but the game is not over", sentence(claimed)))
        }
    }
}

fn sentence(outcome: Outcome) -> String {
    format!("{} by {}", outcome.word(), outcome.termination())
}
