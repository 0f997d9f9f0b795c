//! Isolation as the user gets to know it: what is in force at the start of a run, and whether that is enough.

use super::{Failure, complain};
use crate::bot::{Launcher, probe_isolation};
use crate::game::{Limits, Sandbox};
use crate::locate::Program;
use crate::sandbox::{self, Groups, Isolation, Namespaces, STRICTEST};
use anyhow::{Context, anyhow};
use std::sync::Arc;

/// What is said where there is no `strict`.
pub(super) const LACKING: &str = "this system has no strict; bots run under basic and can read your files and reach \
the network: let only programs play that you trust";

/// Finds out what is in force, and says it; under a lower level than the limits require nothing is to be played. On a system
/// that has no level as strict as was asked for, the strictest that it has is in force from now on.
///
/// # Errors
/// It is lower, or could not be found out.
pub(super) fn establish(launcher: &mut Launcher, limits: &Limits) -> Result<Isolation, Failure> {
    let required = limits.require_isolation;
    if launcher.sandbox > STRICTEST {
        launcher.sandbox = STRICTEST;
        if required > Some(STRICTEST) {
            let what = "isolation: strict is required and this system has none, so nothing is played";
            return Err(Failure::Unfinished(anyhow!(what)));
        }
        complain(format_args!("isolation: {}: {LACKING}", STRICTEST.word()));
    }
    if launcher.sandbox < Sandbox::Strict {
        return Ok(Isolation::untried(launcher.sandbox));
    }
    let isolation = best(launcher, limits)?;
    let breaches: Vec<&str> = isolation.breaches().iter().map(|tried| tried.name).collect();
    if breaches.is_empty() {
        complain(format_args!("isolation: {}", isolation.line()));
        return Ok(isolation);
    }
    let what = format!(
        "isolation: {}: strict is not whole on this machine ({}); `arbiter doctor` says what helps",
        isolation.line(),
        breaches.join(", ")
    );
    if required == Some(Sandbox::Strict) {
        return Err(Failure::Unfinished(anyhow!("{what}; strict is required, so nothing is played")));
    }
    complain(what);
    Ok(isolation)
}

/// As root: whether each bot can be another user, and what is then in force for all of them. If each can, none begins as
/// anything else from now on; else those that cannot, for what they need lies in root's folders, are named.
///
/// # Errors
/// It could not be found out; or one cannot, and `strict` is required.
pub(super) fn users<'a>(
    launcher: &mut Launcher,
    isolation: Isolation,
    limits: &Limits,
    bots: impl Iterator<Item = (&'a str, &'a Program)>,
) -> Result<Isolation, Failure> {
    if launcher.sandbox < Sandbox::Strict || !sandbox::is_root() {
        return Ok(isolation);
    }
    let (mut lowest, mut kept) = (isolation, Vec::new());
    if lowest.uid == 0 {
        kept.push(format!("every bot: {}", barred(launcher, limits, None)));
    } else {
        for (name, program) in bots.filter(|(_, program)| !program.built_in) {
            let found = find_out(launcher, limits, Some(program))?;
            if found.uid == 0 {
                kept.push(format!("{name}: {}", barred(launcher, limits, Some(program))));
                lowest = found;
            }
        }
    }
    launcher.separate = kept.is_empty();
    if kept.is_empty() {
        return Ok(lowest);
    }
    let what = format!(
        "isolation: root without capabilities: {}; install arbiter and the bots' interpreters, and put their folders, where \
         everybody may read, or start arbiter as an ordinary user",
        kept.join("; ")
    );
    if limits.require_isolation == Some(Sandbox::Strict) {
        let what = anyhow!("{what}; strict is required, so nothing is played");
        return Err(Failure::Unfinished(what));
    }
    complain(what);
    Ok(lowest)
}

/// What keeps a bot from being another user.
fn barred(launcher: &Launcher, limits: &Limits, program: Option<&Program>) -> String {
    let separate = Launcher { separate: true, ..launcher.clone() };
    let failure = find_out(&separate, limits, program).err();
    let cause = failure.as_ref().and_then(Failure::error).map(|error| error.root_cause().to_string());
    cause.unwrap_or_else(|| "it could just now".to_owned())
}

/// With control groups if they work here, which is tried when they are taken, and with as many namespaces as work here: that
/// is tried by the program that attacks. Of what works equally well the first is taken.
fn best(launcher: &mut Launcher, limits: &Limits) -> Result<Isolation, Failure> {
    if launcher.sandbox < Sandbox::Strict {
        return find_out(launcher, limits, None);
    }
    launcher.groups = Groups::take(&launcher.program).map(Arc::new);
    let breaches = |found: &Result<Isolation, Failure>| {
        found.as_ref().map_or(usize::MAX, |isolation| isolation.breaches().len())
    };
    launcher.namespaces = Namespaces::All;
    let mut best = find_out(launcher, limits, None);
    for namespaces in [Namespaces::SharedProc, Namespaces::None] {
        if breaches(&best) == 0 {
            break;
        }
        let tried = Launcher { namespaces, ..launcher.clone() };
        let found = find_out(&tried, limits, None);
        if breaches(&found) < breaches(&best) {
            (best, *launcher) = (found, tried);
        }
    }
    best
}

fn find_out(launcher: &Launcher, limits: &Limits, as_bot: Option<&Program>) -> Result<Isolation, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("starting an event loop").map_err(Failure::Unfinished)?;
    let found = runtime.block_on(probe_isolation(launcher, limits, as_bot));
    found.map_err(|error| Failure::Unfinished(anyhow!(error).context("trying out the sandbox")))
}

/// What would make isolation and fairness on this machine better.
pub(super) fn advice(strict: &Isolation) -> Vec<String> {
    let mut advice = sandbox::advice(strict);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores < 2 {
        advice.push("one core: the referee and both bots share it, so thinking times vary".to_owned());
    }
    advice
}

/// What is known of each level: for `arbiter doctor`.
///
/// # Errors
/// It could not be found out.
pub(super) fn levels(launcher: impl Fn(Sandbox) -> Launcher) -> Result<[Isolation; 3], Failure> {
    let best = |sandbox| best(&mut launcher(sandbox), &Limits::default());
    Ok([best(Sandbox::Off)?, best(Sandbox::Basic)?, best(Sandbox::Strict)?])
}
