//! What the games of a situation show.

use super::CheckSetup;
use super::stage::Stage;
use anyhow::anyhow;
use arbiter_engine::bot_check::{CheckResult, Finding, Situation, cause, cure};
use arbiter_game::clock::TimeControl;
use arbiter_game::{Abort, Fault, Outcome};
use arbiter_ground::failure::Failure;
use arbiter_rules::Ply;

/// What one trial of a situation showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is wrong.
    Fine,
    /// It lost a game by this fault; the sentence, without the name of the bot.
    Fault(Fault, String),
    /// Its author should know; with the cause if it lost a game, which is no fault in this
    /// situation.
    Remark(String, Option<String>),
    /// The situation does not exist in its dialect or the game; why.
    Cannot(String),
}

/// The beginning of the sentence about a program that the system does not run.
pub const UNRUNNABLE: &str = "cannot be run: ";

/// The beginning of the sentence about a situation in which the rules of a custom game failed.
pub const RULES_FAILED: &str = "the rules failed: ";

/// The verdict about a trial.
///
/// # Errors
/// Something in arbiter failed.
pub fn judge(name: &str, situation: &Situation, stage: &Stage) -> Result<Verdict, Failure> {
    for (game, &side) in stage.games.iter().zip(&stage.heard.sides) {
        let detail = game.record.detail.as_deref().unwrap_or_default();
        let without_name = detail.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
        let sentence = without_name.unwrap_or(detail).to_owned();
        match game.record.outcome {
            Outcome::Forfeit(loser, fault) if loser == side => {
                return Ok(of_fault(situation, fault, sentence));
            }
            Outcome::Aborted(Abort::Rules) => {
                return Ok(Verdict::Cannot(format!("{RULES_FAILED}{sentence}")));
            }
            Outcome::NeitherStarted => return Ok(of_fault(situation, Fault::NoStart, sentence)),
            Outcome::Aborted(Abort::Broken) => {
                let what = game.broken.clone().unwrap_or(sentence);
                return if what.contains("dialect") {
                    Ok(Verdict::Cannot(what))
                } else {
                    Err(Failure::Unfinished(anyhow!("{name}: arbiter: {what}")))
                };
            }
            Outcome::Forfeit(..)
            | Outcome::Rules(_)
            | Outcome::Own { .. }
            | Outcome::Resigned(_)
            | Outcome::Repetition
            | Outcome::MaxPlies => {}
        }
    }
    Ok(of_healthy(situation, stage))
}

fn of_fault(situation: &Situation, fault: Fault, sentence: String) -> Verdict {
    let remark = match (situation, fault) {
        (Situation::Starts | Situation::Ready | Situation::Opening, _) => {
            return Verdict::Fault(fault, sentence);
        }
        (_, Fault::NoStart) if sentence.starts_with(UNRUNNABLE) => {
            return Verdict::Cannot(sentence[UNRUNNABLE.len()..].to_owned());
        }
        (Situation::Limits, _) => "it is near its limits: where they are a fifth lower, it loses",
        (Situation::Flush, _) => {
            "arbiter runs it with PYTHONUNBUFFERED=1; elsewhere its lines do not arrive"
        }
        (Situation::TimeNone, Fault::Timeout) => {
            "nothing limits its time in such a game, and it uses much"
        }
        _ => return Verdict::Fault(fault, sentence),
    };
    Verdict::Remark(format!("{remark}: {sentence}"), Some(cause(fault, &sentence)))
}

fn of_healthy(situation: &Situation, stage: &Stage) -> Verdict {
    let (Some(game), Some(&side)) = (stage.games.last(), stage.heard.sides.last()) else {
        return Verdict::Fine;
    };
    let control = game.record.time_control[side].as_deref().map(TimeControl::parse);
    let is_killed = game.exits[side].as_ref().is_some_and(|exit| exit.killed);
    let used = stage.heard.used;
    let what = match (situation, control) {
        (Situation::Quit, _) if is_killed => {
            "it was still running 5 s after `quit` and the end of its input, and was killed: end \
             there"
                .to_owned()
        }
        (Situation::EndOfInput, _) if is_killed => {
            "it was still running 5 s after the end of its input, and was killed: end there"
                .to_owned()
        }
        (Situation::LongClock, Some(Ok(TimeControl::Game { base, .. }))) if used > base / 2 => {
            format!(
                "it used {:.1} s of its {:.1} s in ten plies: a longer game may end by its time",
                used.as_secs_f64(),
                base.as_secs_f64()
            )
        }
        _ => return Verdict::Fine,
    };
    Verdict::Remark(what, None)
}

/// The plies of each game.
pub fn plies(stage: &Stage) -> Vec<Vec<Ply>> {
    let mut all = Vec::new();
    for game in &stage.games {
        all.push(game.record.plies.iter().map(|played| played.ply).collect());
    }
    all
}

/// The finding about a situation with this verdict about its last trial.
pub fn finding(
    setup: &CheckSetup<'_>,
    situation: &Situation,
    verdict: &Verdict,
    stage: Option<&Stage>,
) -> Finding {
    let game = setup.settings.ruleset.game().name();
    let mut finding = Finding::new(game, &situation.name(), &situation.what());
    match verdict {
        Verdict::Fine => {}
        Verdict::Cannot(why) => {
            finding.result = CheckResult::Skipped;
            finding.sentence.clone_from(why);
        }
        Verdict::Remark(sentence, cause) => {
            finding.result = CheckResult::Remark;
            finding.sentence.clone_from(sentence);
            if let Some(cause) = cause {
                finding.cause.clone_from(cause);
                finding.lines = stage.map(|stage| stage.heard.last_lines()).unwrap_or_default();
            }
        }
        Verdict::Fault(fault, sentence) => {
            finding.result = CheckResult::Fault;
            finding.fault = Some(*fault);
            finding.sentence = lost_by(*fault, sentence);
            finding.cause = cause(*fault, sentence);
            cure(situation, *fault).clone_into(&mut finding.cure);
            if let Some(stage) = stage {
                show(&mut finding, *fault, stage, situation);
            }
        }
    }
    finding
}

/// The sentence about a game that was lost by this fault, which this one explains.
pub fn lost_by(fault: Fault, sentence: &str) -> String {
    format!("lost by {}: {sentence}", fault.word())
}

/// Adds the lines of the games, and what shows the fault without arbiter.
pub fn show(finding: &mut Finding, fault: Fault, stage: &Stage, situation: &Situation) {
    finding.lines = stage.heard.last_lines();
    finding.plies = match (fault, stage.games.last()) {
        (Fault::NoStart, _) | (_, None) => None,
        (_, Some(game)) => Some(game.record.plies.len()),
    };
    // By hand a bot has all of the time and of the machine, and no isolation. It need not wait for
    // a question, and gets the end of its input, at which what it did not flush comes out.
    let only_here = [
        "flush",
        "had not read the question",
        "one more line",
        "it may ",
        "of memory in use",
        "may take",
        "no network",
        "sandbox",
    ];
    let by_hand = match fault {
        Fault::MemoryLimit | Fault::ProcessLimit => false,
        Fault::Timeout | Fault::NoStart if situation.is_about_time() => false,
        _ => !only_here.iter().any(|words| finding.sentence.contains(words)),
    };
    finding.requests = if by_hand { stage.requests() } else { String::new() };
}
