//! Shortens a game that fails, and finds out whether isolation is the cause.

use super::CheckSetup;
use super::judge::{Verdict, judge, lost_by, show};
use super::shown::{Shown, can_begin};
use super::stage::play;
use arbiter_engine::bot_check::{Other, Scenario, Situation, cause, shorter};
use arbiter_game::Fault;
use arbiter_ground::failure::Failure;
use arbiter_rules::Ply;

/// Maximum number of shorter games that are tried.
const TRIES: usize = 16;
/// The same for a bot that does not answer, where each takes the whole patience.
const SILENT_TRIES: usize = 3;

/// Isolation is the cause if this many games are right without it; one is not enough, because a bot
/// that answers before `go` fails by chance.
const PASSES: usize = 2;

/// Looks for the shortest game that fails alike, and plays it under less isolation.
///
/// # Errors
/// Something in arbiter failed.
pub fn shorten(setup: &CheckSetup<'_>, shown: &mut Shown) -> Result<(), Failure> {
    let Some(fault) = shown.finding.fault else { return Ok(()) };
    let situation = &shown.situation.clone();
    if let ([scenario], Some(plies)) = (&shown.trial[..], shown.plies.last())
        && !situation.is_about_time()
        && fault != Fault::NoStart
    {
        let tries = if fault == Fault::Timeout { SILENT_TRIES } else { TRIES };
        let mut is_found = false;
        let playable = candidates(scenario, plies)
            .into_iter()
            .filter(|candidate| can_begin(setup, candidate).is_ok());
        for candidate in playable.take(tries) {
            let stage = play(setup, &candidate, None)?;
            if let Verdict::Fault(again, sentence) = judge(setup.name, situation, &stage)?
                && cause(again, &sentence) == shown.finding.cause
            {
                shown.finding.sentence = lost_by(fault, &sentence);
                show(&mut shown.finding, fault, &stage, situation);
                shown.trial = candidate;
                is_found = true;
                break;
            }
        }
        if fault == Fault::Timeout && !is_found && *situation != Situation::Opening {
            // A game that is lost once may have been lost by the machine.
            let again = Shown::of(setup, situation, &shown.trial)?;
            if again.finding.fault.is_none() {
                *shown = again;
                return Ok(());
            }
        }
    }
    if let Some(level) = setup.again_under {
        for _ in 0..PASSES {
            let stage = play(setup, &shown.trial, Some(level))?;
            // The sentence may differ there: what strict adds to it is about isolation.
            shown.finding.other = match judge(setup.name, situation, &stage)? {
                Verdict::Fault(..) => Other::Fails,
                Verdict::Fine | Verdict::Remark(..) => Other::Passes(level),
                Verdict::Cannot(_) => Other::Untried,
            };
            if shown.finding.other != Other::Passes(level) {
                break;
            }
        }
        if let Other::Passes(_) = shown.finding.other {
            // By hand there is no isolation, so its input alone would not show the fault.
            let again = judge(setup.name, situation, &play(setup, &shown.trial, None)?)?;
            match again {
                Verdict::Fault(..) => shown.finding.requests.clear(),
                Verdict::Fine | Verdict::Remark(..) | Verdict::Cannot(_) => {
                    shown.finding.other = Other::Varies;
                }
            }
            shown.finding.cure.clear();
        }
    }
    Ok(())
}

/// Shorter games than this one, which failed after these plies.
fn candidates(scenario: &Scenario, plies: &[Ply]) -> Vec<Vec<Scenario>> {
    let length = scenario.moment.plies.len().max(plies.len());
    let mut candidates = Vec::new();
    for other in shorter(scenario, plies) {
        if other.moment.plies.len() < length || other.takes_over > scenario.takes_over {
            candidates.push(vec![other]);
        }
    }
    candidates
}
