//! Isolation as the user gets to know it: what is in force at the start of a run, and whether that is enough.

use super::{Failure, complain};
use crate::bot::{Groups, Isolation, Launcher, Program, STRICTEST, Sandbox};
use anyhow::{Context, anyhow};
use std::sync::Arc;

/// What is said where there is no `strict`.
pub(super) const LACKING: &str = "this system has no strict; bots run under basic and can read your files and reach \
the network: let only programs play that you trust";

/// Finds out what is in force, and says it; under a lower level than is `required` nothing is to be played. On a system
/// that has no level as strict as was asked for, the strictest that it has is in force from now on.
///
/// # Errors
/// It is lower, or could not be found out.
pub(super) fn establish(launcher: &mut Launcher, required: Option<Sandbox>) -> Result<Isolation, Failure> {
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
    let isolation = best(launcher)?;
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

/// As root: whether each bot can be another user; those that cannot, for what they need lies in root's folders, are
/// named. What is then in force for all of them.
///
/// # Errors
/// It could not be found out.
pub(super) fn users<'a>(
    launcher: &Launcher,
    isolation: Isolation,
    bots: impl Iterator<Item = (&'a str, &'a Program)>,
) -> Result<Isolation, Failure> {
    if launcher.sandbox < Sandbox::Strict || !crate::bot::is_root() {
        return Ok(isolation);
    }
    let (mut lowest, mut kept) = (isolation, Vec::new());
    for (name, program) in bots.filter(|(_, program)| !program.built_in) {
        let found = find_out(launcher, Some(program))?;
        if found.uid == 0 {
            kept.push(name);
            lowest = found;
        }
    }
    if !kept.is_empty() {
        complain(format_args!(
            "isolation: {}: root without capabilities: another user could not read what they need; install their \
             interpreter, and put their folder, where everybody may read",
            kept.join(", ")
        ));
    }
    Ok(lowest)
}

/// With a control group if one was delegated, and with namespaces if they work here: that is tried, in a bot that is
/// nobody's.
fn best(launcher: &mut Launcher) -> Result<Isolation, Failure> {
    if launcher.sandbox == Sandbox::Strict {
        launcher.spaces = true;
        launcher.groups = Groups::take().map(Arc::new);
    }
    let found = find_out(launcher, None);
    let breaches = |found: &Result<Isolation, Failure>| {
        found.as_ref().map_or(usize::MAX, |isolation| isolation.breaches().len())
    };
    if !launcher.spaces || breaches(&found) == 0 {
        return found;
    }
    launcher.spaces = false;
    let without = find_out(launcher, None);
    if breaches(&without) < breaches(&found) {
        return without;
    }
    launcher.spaces = true;
    found
}

fn find_out(launcher: &Launcher, as_bot: Option<&Program>) -> Result<Isolation, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("starting an event loop").map_err(Failure::Unfinished)?;
    let found = runtime.block_on(Isolation::find_out(launcher, as_bot));
    found.map_err(|error| Failure::Unfinished(anyhow!(error).context("trying out the sandbox")))
}

/// What would make the isolation of this machine better.
pub(super) fn advice(strict: &Isolation) -> Vec<String> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let mut advice = Vec::new();
    let security = read("/sys/kernel/security/lsm");
    let closed = |name: &str| strict.tried.iter().any(|tried| tried.name == name && !tried.open);
    if !closed("read another's file") {
        let how = if security.is_empty() || security.contains("landlock") {
            "use Linux 5.13 or later, built with Landlock"
        } else {
            "add landlock to the kernel's `lsm=` parameter"
        };
        advice.push(format!("bots can read your files: {how}"));
    }
    if !closed("start a process") {
        advice.push("bots can start processes: use Linux on x86_64 or aarch64 with seccomp".to_owned());
    }
    if strict.uid == 0 {
        advice.push("bots stay root, without capabilities: run arbiter as an ordinary user".to_owned());
    }
    if read("/proc/sys/kernel/yama/ptrace_scope").trim() == "0" {
        advice
            .push("other programs of yours can look into bots: sysctl kernel.yama.ptrace_scope=1".to_owned());
    }
    let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if !matches!(governor.trim(), "" | "performance") {
        let governor = governor.trim();
        advice.push(format!(
            "the processor's governor is {governor}: with `performance` thinking times vary less"
        ));
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores < 2 {
        advice.push("one core: the referee and both bots share it, so thinking times vary".to_owned());
    }
    if !strict.has_spaces() {
        let how = if read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").trim() == "1" {
            "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
        } else if read("/proc/sys/kernel/unprivileged_userns_clone").trim() == "0" {
            "sudo sysctl kernel.unprivileged_userns_clone=1"
        } else if read("/proc/sys/user/max_user_namespaces").trim() == "0" {
            "sudo sysctl user.max_user_namespaces=15000"
        } else {
            "in a container, let it make user namespaces"
        };
        advice.push(format!(
            "bots see the names, sizes and times of files that they cannot read, for there are no namespaces: {how}"
        ));
    }
    if !strict.has_group() {
        advice.push(
            "a bot's memory is watched and not limited by the kernel: with systemd, \
             systemd-run --user --scope -p Delegate=yes arbiter …"
                .to_owned(),
        );
    }
    advice
}

/// What is known of each level: for `arbiter doctor`.
///
/// # Errors
/// It could not be found out.
pub(super) fn levels(launcher: impl Fn(Sandbox) -> Launcher) -> Result<[Isolation; 3], Failure> {
    let best = |sandbox| best(&mut launcher(sandbox));
    Ok([best(Sandbox::Off)?, best(Sandbox::Basic)?, best(Sandbox::Strict)?])
}
