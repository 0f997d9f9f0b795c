//! Shortens a game that fails, and finds out whether isolation is the cause.

use super::CheckSetup;
use super::judge::{Verdict, judge, show};
use super::shown::{Shown, needs_board};
use super::stage::{Stage, play};
use crate::bot_check::{Other, Scenario, Situation, cause, shorter};
use crate::director::Failure;
use crate::game::{Fault, Sandbox};
use crate::rules::Ply;

/// So many shorter games are tried, and so many of a bot that does not answer, which takes long.
const TRIES: usize = 16;
const SILENT_TRIES: usize = 3;

/// Looks for the shortest game that fails alike, and plays it under less isolation.
///
/// # Errors
/// Something in arbiter failed.
pub fn shorten(setup: &CheckSetup<'_>, shown: &mut Shown) -> Result<(), Failure> {
    let Some(fault) = shown.fault else { return Ok(()) };
    let situation = shown.situation;
    if let ([scenario], Some(plies)) = (&shown.trial[..], shown.plies.last())
        && !situation.is_about_time()
        && fault != Fault::NoStart
    {
        let tries = if fault == Fault::Timeout { SILENT_TRIES } else { TRIES };
        let candidates = candidates(scenario, plies);
        let mut is_found = false;
        let playable = candidates.into_iter().filter(|candidate| !needs_board(setup, candidate));
        for candidate in playable.take(tries) {
            let stage = play(setup, &candidate, None)?;
            if fails_alike(setup, situation, &stage, &shown.finding.cause)? {
                show(&mut shown.finding, fault, &stage, situation);
                (shown.trial, is_found) = (candidate, true);
                break;
            }
        }
        if fault == Fault::Timeout && !is_found && situation != Situation::Opening {
            // What comes once may be the machine's.
            let again = Shown::of(setup, situation, &shown.trial)?;
            if again.fault.is_none() {
                *shown = again;
                return Ok(());
            }
        }
    }
    if let Some(level) = other_level(setup) {
        let stage = play(setup, &shown.trial, Some(level))?;
        let alike = fails_alike(setup, situation, &stage, &shown.finding.cause)?;
        shown.finding.other = if alike { Other::Fails } else { Other::Passes(level) };
        if !alike {
            shown.finding.requests.clear();
        }
    }
    Ok(())
}

/// Shorter games than this one, which failed after these plies.
fn candidates(scenario: &Scenario, plies: &[Ply]) -> Vec<Vec<Scenario>> {
    let is_shorter = |other: &Scenario| {
        other.moment.plies.len() < scenario.moment.plies.len().max(plies.len())
            || other.takes_over > scenario.takes_over
    };
    shorter(scenario, plies).into_iter().filter(is_shorter).map(|scenario| vec![scenario]).collect()
}

fn fails_alike(
    setup: &CheckSetup<'_>,
    situation: Situation,
    stage: &Stage,
    known: &str,
) -> Result<bool, Failure> {
    Ok(match judge(setup.name, situation, stage)? {
        Verdict::Fault(fault, sentence) => cause(fault, &sentence) == known,
        Verdict::Fine | Verdict::Remark(..) | Verdict::Cannot(_) => false,
    })
}

/// The level to try beside the one of the check.
fn other_level(setup: &CheckSetup<'_>) -> Option<Sandbox> {
    let level = setup.preparation.conditions.launcher.sandbox;
    setup.again_under.filter(|&other| other < level)
}
