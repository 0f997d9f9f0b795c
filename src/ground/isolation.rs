//! Isolation at the start of a run: finding out what is in force, telling the user, and refusing to
//! play if it is not enough.

use super::failure::Failure;
use super::output::complain;
use anyhow::anyhow;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::isolation_summary;
use arbiter_game::{Limits, Sandbox};
use arbiter_host::bot::{Launcher, myself, probe_isolation};
use arbiter_host::locate::Program;
use arbiter_host::sandbox::{
    self, Cgroups, Isolation, Namespaces, STRICTEST, Scratch, temporary_folder,
};
use std::sync::Arc;
use std::thread;

/// The message on a system without `strict`.
pub const LACKING: &str = "this system has no strict; bots run under basic and can read your files \
and reach the network: run only programs that you trust";

/// Runs the isolation probe and reports the result. On a system without the level of the launcher,
/// lowers it to the strictest that there is.
///
/// # Errors
/// The level is lower than the limits require or has breaches, or the probe could not be run.
pub fn establish(launcher: &mut Launcher, limits: &Limits) -> Result<Isolation, Failure> {
    let required = limits.require_isolation;
    // Systems without namespaces have no strict.
    if launcher.sandbox > STRICTEST {
        launcher.sandbox = STRICTEST;
        if required > Some(STRICTEST) {
            let what =
                "isolation: strict is required and this system has none, so nothing is played";
            return Err(Failure::Unfinished(anyhow!(what)));
        }
        complain(format_args!("isolation: {}: {LACKING}", STRICTEST.word()));
    }
    if launcher.sandbox < Sandbox::Strict {
        return Ok(Isolation::unprobed(launcher.sandbox));
    }
    // A run that was killed leaves its temporary folders.
    Scratch::remove_left_over(&temporary_folder());
    let isolation = best(launcher, limits)?;
    let breaches: Vec<&str> = isolation.breaches().iter().map(|probe| probe.name).collect();
    if breaches.is_empty() {
        complain(format_args!("isolation: {}", isolation_summary(&isolation.line())));
        return Ok(isolation);
    }
    let what = format!(
        "isolation: {}: strict is incomplete on this machine ({}); `arbiter doctor` has advice",
        isolation_summary(&isolation.line()),
        breaches.join(", ")
    );
    if required == Some(Sandbox::Strict) {
        return Err(Failure::Unfinished(anyhow!(
            "{what}; strict is required, so nothing is played"
        )));
    }
    complain(what);
    Ok(isolation)
}

/// As root, probes whether each bot can have a user id of its own, and returns the isolation that
/// holds for all. If each can, none is started without one from now on; else the bots that cannot
/// are reported, with the path in root's folders that they need. `anonymizer` replaces the folders
/// that others may not see.
///
/// # Errors
/// The probe could not be run; or `strict` is required and a bot cannot have a user id of its own.
pub fn separate_users<'a>(
    launcher: &mut Launcher,
    isolation: Isolation,
    limits: &Limits,
    bots: impl Iterator<Item = (String, &'a Program)>,
    anonymizer: &Anonymizer,
) -> Result<Isolation, Failure> {
    if launcher.sandbox < Sandbox::Strict || !sandbox::is_root() {
        return Ok(isolation);
    }
    let mut lowest = isolation;
    let mut kept = Vec::new();
    if lowest.uid == 0 {
        // The machine is the reason, not the folder of a bot, so it is the same for all.
        kept.push(format!("every bot: {}", obstacle(launcher, limits, None)));
    } else {
        for (name, program) in bots {
            if program.built_in {
                continue;
            }
            let found = probe(launcher, limits, Some(program))?;
            if found.uid == 0 {
                let why = obstacle(launcher, limits, Some(program));
                kept.push(format!("{name}: {}", anonymizer.clean(&why)));
                lowest = found;
            }
        }
    }
    // If all can have one, it is an error from now on if one does not get it.
    launcher.separate = kept.is_empty();
    if kept.is_empty() {
        return Ok(lowest);
    }
    let what = format!(
        "isolation: root without capabilities: {}; or start arbiter as an ordinary user",
        kept.join("; ")
    );
    if limits.require_isolation == Some(Sandbox::Strict) {
        let what = anyhow!("{what}; strict is required, so nothing is played");
        return Err(Failure::Unfinished(what));
    }
    complain(what);
    Ok(lowest)
}

/// Why a bot cannot have a user id of its own.
fn obstacle(launcher: &Launcher, limits: &Limits, program: Option<&Program>) -> String {
    // With `separate`, a launcher fails instead of going on as root, and says at which path.
    let separate = Launcher { separate: true, ..launcher.clone() };
    match probe(&separate, limits, program) {
        Err(Failure::Unfinished(error)) => error.root_cause().to_string(),
        _ => "the second attempt succeeded".to_owned(),
    }
}

/// The isolation with control groups, if they work here, and with the namespaces that have the
/// fewest breaches; the first of equals.
fn best(launcher: &mut Launcher, limits: &Limits) -> Result<Isolation, Failure> {
    if launcher.sandbox < Sandbox::Strict {
        return probe(launcher, limits, None);
    }
    launcher.cgroups = Cgroups::new(&launcher.program).map(Arc::new);
    launcher.namespaces = Namespaces::All;
    let mut best = probe(launcher, limits, None);
    for namespaces in [Namespaces::SharedProc, Namespaces::None] {
        if breaches(&best) == 0 {
            break;
        }
        let other = Launcher { namespaces, ..launcher.clone() };
        let found = probe(&other, limits, None);
        if breaches(&found) < breaches(&best) {
            best = found;
            *launcher = other;
        }
    }
    best
}

/// The number of breaches; a launcher that cannot be started at all is worse than any.
fn breaches(found: &Result<Isolation, Failure>) -> usize {
    match found {
        Ok(isolation) => isolation.breaches().len(),
        Err(_) => usize::MAX,
    }
}

fn probe(
    launcher: &Launcher,
    limits: &Limits,
    program: Option<&Program>,
) -> Result<Isolation, Failure> {
    probe_isolation(launcher, limits, program)
        .map_err(|error| Failure::Unfinished(anyhow!(error).context("running the isolation probe")))
}

/// How to improve isolation and fairness on this machine.
pub fn advice(strict: &Isolation) -> Vec<String> {
    let mut advice = sandbox::advice(strict);
    if cores() < 2 {
        advice.push(
            "one core: the referee and both bots share it, so thinking times vary".to_owned(),
        );
    }
    advice
}

/// The isolation under each level, for `arbiter doctor`.
///
/// # Errors
/// The probe could not be run.
pub fn levels() -> Result<[Isolation; 3], Failure> {
    Ok([level(Sandbox::Off)?, level(Sandbox::Basic)?, level(Sandbox::Strict)?])
}

fn level(sandbox: Sandbox) -> Result<Isolation, Failure> {
    best(&mut Launcher::new(myself(), sandbox), &Limits::default())
}

/// The number of cores that this process may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The number of games that a tournament plays at a time by default: the available cores less one.
pub fn spare_cores() -> u16 {
    cores().saturating_sub(1).clamp(1, u16::MAX.into()) as u16
}
