//! Findings that need all situations together: lines that are not part of the protocol, failures
//! by chance, and common causes.

use super::CheckSetup;
use super::judge::{Verdict, finding};
use super::shorten::shorten;
use super::shown::Shown;
use arbiter_engine::bot_check::{CheckResult, Finding, Line, Situation};
use arbiter_ground::failure::Failure;
use std::collections::HashSet;

/// A fault that depends on time counts after this many failures in games that nothing disturbed.
const FAILURES: usize = 3;
/// Maximum number of games that are played to find that out.
const GAMES: usize = 6;

const UNASKED: &str = "it wrote an answer that was not asked for: it does not count, but one that \
     comes late may be taken for the answer to the next question; write one answer to each \
     question";
const STRANGE: &str = "it writes lines to standard output that are none of the protocol; what is \
     for people belongs on standard error";
const LEFT_OVER: &str = "in one process the first game was played again after another one, with \
     the same seed, and it played other moves: something of an earlier game is left, so a game \
     depends on those before";

/// Repeats what may have failed by chance, adds what only all situations together show, and
/// shortens one failing game for each cause.
///
/// # Errors
/// Something in arbiter failed.
pub fn finish(setup: &CheckSetup<'_>, mut all: Vec<Shown>) -> Result<Vec<Finding>, Failure> {
    for shown in &mut all {
        // An answer that came when the input was closed was there all the time.
        let is_proven = shown.finding.sentence.contains("not flushed");
        if shown.situation.is_about_time() && !shown.finding.cause.is_empty() && !is_proven {
            play_again(setup, shown)?;
        }
    }
    // The first lines of each kind in any situation.
    let unasked = first(all.iter().map(|shown| &shown.unasked));
    let strange = first(all.iter().map(|shown| &shown.strange));
    remark(setup, &mut all, &Situation::OneAnswer, unasked, UNASKED);
    remark(setup, &mut all, &Situation::Stdout, strange, STRANGE);
    compare_games(setup, &mut all);
    // A cause that is a fault anywhere is reported there, not as a remark elsewhere.
    let mut faults = HashSet::new();
    for shown in &all {
        if shown.finding.fault.is_some() {
            faults.insert(shown.finding.cause.clone());
        }
    }
    let mut known = HashSet::new();
    for shown in &mut all {
        if shown.finding.fault.is_none() && faults.contains(&shown.finding.cause) {
            *shown = Shown::left_out(setup, &shown.situation, "it fails alike in others");
        }
        if shown.finding.fault.is_some() && known.insert(shown.finding.cause.clone()) {
            shorten(setup, shown)?;
        }
    }
    Ok(all.into_iter().map(|shown| shown.finding).collect())
}

/// Plays a trial that failed again by itself: the machine may have been slow.
fn play_again(setup: &CheckSetup<'_>, shown: &mut Shown) -> Result<(), Failure> {
    let situation = &shown.situation.clone();
    let trial = shown.trial.clone();
    let mut signs = shown.disturbed.take();
    let mut failures = usize::from(signs.is_none());
    for _ in 1..GAMES {
        *shown = Shown::of(setup, situation, &trial)?;
        let fails = !shown.finding.cause.is_empty();
        failures += usize::from(fails && shown.disturbed.is_none());
        signs = shown.disturbed.take().or(signs);
        if !fails || failures == FAILURES {
            return Ok(());
        }
    }
    let why = format!(
        "it lost by its time, and the machine may be the cause, which was busy ({}): check again \
         when it is idle",
        signs.unwrap_or_default()
    );
    *shown = Shown::unplayed(setup, situation, &Verdict::Remark(why, None));
    Ok(())
}

/// The first lines that are there.
fn first<'a>(mut all: impl Iterator<Item = &'a Vec<Line>>) -> Vec<Line> {
    all.find(|lines| !lines.is_empty()).cloned().unwrap_or_default()
}

/// Enters a remark about lines of a bot, if there are any.
fn remark(
    setup: &CheckSetup<'_>,
    all: &mut [Shown],
    situation: &Situation,
    lines: Vec<Line>,
    what: &str,
) {
    let Some(at) = all.iter_mut().find(|shown| shown.situation == *situation) else { return };
    if !lines.is_empty() {
        let verdict = Verdict::Remark(what.to_owned(), None);
        at.finding = Finding { lines, ..finding(setup, situation, &verdict, None) };
    }
}

/// Whether a bot that plays the same with the same seed does so too after another game in the same
/// process.
fn compare_games(setup: &CheckSetup<'_>, all: &mut [Shown]) {
    let mut is_steady = false;
    for shown in &*all {
        is_steady |= shown.situation == Situation::SameSeed
            && shown.finding.result == CheckResult::Ok
            && !shown.plies.is_empty();
    }
    for reuse in all {
        if is_steady
            && reuse.situation == Situation::Reuse
            && reuse.finding.result == CheckResult::Ok
            && reuse.plies.first() != reuse.plies.last()
        {
            let verdict = Verdict::Remark(LEFT_OVER.to_owned(), None);
            reuse.finding = finding(setup, &Situation::Reuse, &verdict, None);
        }
    }
}
