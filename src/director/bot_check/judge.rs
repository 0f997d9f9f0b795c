//! What the games of a situation show.

use super::stage::Stage;
use crate::bot_check::{CheckResult, Exercise, Finding, Situation, cause, cure};
use crate::clock::TimeControl;
use crate::director::Failure;
use crate::game::{Abort, Fault, Outcome};
use crate::rules::Ply;
use anyhow::anyhow;

/// How a bot fared in one trial of a situation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is wrong.
    Fine,
    /// It lost a game by this fault; the sentence, without the name of the bot.
    Fault(Fault, String),
    /// It loses no game by this.
    Remark(String),
    /// Its dialect, or the game, does not have the situation; why.
    Cannot(String),
}

/// How the sentence about a program begins that the system does not run.
pub const UNRUNNABLE: &str = "cannot be run: ";

/// The verdict about a trial.
///
/// # Errors
/// Something in arbiter failed.
pub fn judge(name: &str, situation: Situation, stage: &Stage) -> Result<Verdict, Failure> {
    for (game, &side) in stage.games.iter().zip(&stage.sides) {
        let sentence = || {
            let detail = game.record.detail.as_deref().unwrap_or_default();
            detail.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(detail).to_owned()
        };
        match game.record.outcome {
            Outcome::Forfeit(loser, fault) if loser == side => {
                return Ok(of_fault(situation, fault, sentence()));
            }
            Outcome::Aborted(Abort::Rules) => return Ok(Verdict::Cannot(sentence())),
            Outcome::Aborted(Abort::Broken | Abort::NoStart) => {
                let what = game.broken.clone().unwrap_or_else(sentence);
                return match what.contains("dialect") {
                    true => Ok(Verdict::Cannot(what)),
                    false => Err(Failure::Unfinished(anyhow!("{name}: arbiter: {what}"))),
                };
            }
            Outcome::Forfeit(..)
            | Outcome::Rules(_)
            | Outcome::Resigned(_)
            | Outcome::Repetition
            | Outcome::MaxPlies => {}
        }
    }
    Ok(of_healthy(situation, stage))
}

fn of_fault(situation: Situation, fault: Fault, sentence: String) -> Verdict {
    match (situation, fault) {
        (Situation::Opening, _) => Verdict::Fault(fault, sentence),
        (_, Fault::NoStart) if sentence.starts_with(UNRUNNABLE) => {
            Verdict::Cannot(sentence[UNRUNNABLE.len()..].to_owned())
        }
        (Situation::Limits, _) => Verdict::Remark(format!(
            "it is near its limits: where they are a fifth lower, it loses: {sentence}"
        )),
        (Situation::Flush, _) => Verdict::Remark(format!(
            "arbiter runs it with PYTHONUNBUFFERED=1; elsewhere its lines do not arrive: {sentence}"
        )),
        (Situation::TimeNone, Fault::Timeout) => {
            Verdict::Remark(format!("nothing limits its time in such a game, and it uses much: {sentence}"))
        }
        _ => Verdict::Fault(fault, sentence),
    }
}

fn of_healthy(situation: Situation, stage: &Stage) -> Verdict {
    let Some((game, side)) = stage.games.last().zip(stage.sides.last()) else { return Verdict::Fine };
    match situation {
        Situation::Quit | Situation::EndOfInput => {
            let killed = game.exits[*side].as_ref().is_some_and(|exit| exit.killed);
            let after = if situation == Situation::Quit {
                "`quit` and the end of its input"
            } else {
                "the end of its input"
            };
            match killed {
                true => Verdict::Remark(format!(
                    "it was still running 5 s after {after}, and was killed: end there"
                )),
                false => Verdict::Fine,
            }
        }
        Situation::LongClock => {
            let own = game.record.time_control.as_deref().and_then(|text| TimeControl::parse(text).ok());
            match own {
                Some(TimeControl::Game { base, .. }) if stage.heard.used > base / 2 => {
                    Verdict::Remark(format!(
                        "it used {:.1} s of its {:.1} s in ten plies: a longer game may end by its time",
                        stage.heard.used.as_secs_f64(),
                        base.as_secs_f64()
                    ))
                }
                _ => Verdict::Fine,
            }
        }
        _ => Verdict::Fine,
    }
}

/// The plies of each game.
pub fn plies(stage: &Stage) -> Vec<Vec<Ply>> {
    let plies = |game: &crate::arena::Finished| game.record.plies.iter().map(|played| played.ply).collect();
    stage.games.iter().map(plies).collect()
}

/// What is said of a situation with this verdict about its last trial.
pub fn finding(game: &str, exercise: &Exercise, verdict: &Verdict, stage: Option<&Stage>) -> Finding {
    let situation = exercise.situation;
    let mut finding = Finding::new(game, &situation.name(), &situation.what());
    match verdict {
        Verdict::Fine => {}
        Verdict::Cannot(why) => {
            finding.result = CheckResult::Skipped;
            finding.sentence.clone_from(why);
        }
        Verdict::Remark(sentence) => {
            finding.result = CheckResult::Remark;
            finding.sentence.clone_from(sentence);
        }
        Verdict::Fault(fault, sentence) => {
            finding.result = CheckResult::Fault;
            finding.fault = Some(*fault);
            finding.sentence = format!("lost by {}: {sentence}", fault.word());
            finding.cause = cause(*fault, sentence);
            cure(situation, *fault).clone_into(&mut finding.cure);
            if let Some(stage) = stage {
                show(&mut finding, *fault, stage, situation);
            }
        }
    }
    finding
}

/// Adds the lines of the games, and what shows the fault without arbiter.
pub fn show(finding: &mut Finding, fault: Fault, stage: &Stage, situation: Situation) {
    finding.lines = stage.heard.last_lines();
    finding.plies = match (fault, stage.games.last()) {
        (Fault::NoStart, _) | (_, None) => None,
        (_, Some(game)) => Some(game.record.plies.len()),
    };
    // By hand a bot has all of the time and of the machine, and what it did not flush comes out when it ends.
    let by_hand = match fault {
        Fault::MemoryLimit | Fault::ProcessLimit => false,
        Fault::Timeout | Fault::NoStart => !situation.is_about_time() && !finding.sentence.contains("flush"),
        Fault::OutputLimit | Fault::Crash | Fault::Protocol | Fault::IllegalMove => true,
    };
    finding.requests = if by_hand { stage.heard.requests() } else { String::new() };
}
