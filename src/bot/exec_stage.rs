//! The second stage: a process that restricts itself and then becomes the bot.
//!
//! It takes the bot's standard input from its warden, puts on the restrictions in a plain list, and execs. What fails
//! on the way is said on the channel to the warden, which closes by itself when the bot's program takes over.

use super::ipc::{Report, receive_descriptor};
use super::system;
use crate::game::Sandbox;
use crate::sandbox::{self, Group, Policy, Step};
use rustix::process::setsid;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Runs the stage under a policy; `command` is the bot's program and its arguments. Returns only when something failed.
pub fn confine(policy: &Policy, command: &[OsString]) -> ExitCode {
    let Ok(channel) = io::stdin().as_fd().try_clone_to_owned() else { return ExitCode::FAILURE };
    let Some((program, arguments)) = command.split_first() else { return ExitCode::FAILURE };
    let report = match prepare(policy, program, &channel) {
        Err((step, error)) => Report::Broken(format!("{step}: {error}")),
        Ok(()) => {
            let error = Command::new(program).args(arguments).exec();
            Report::Unstartable(format!("{}: {error}{}", program.display(), cure(policy, &error)))
        }
    };
    let _ = writeln!(std::fs::File::from(channel), "{report}"); // without a warden there is nobody to tell
    ExitCode::FAILURE
}

/// What helps against a refusal that the sandbox may have caused.
fn cure(policy: &Policy, error: &io::Error) -> &'static str {
    match (policy.sandbox, error.kind()) {
        (Sandbox::Strict, io::ErrorKind::PermissionDenied) => {
            "; under strict it, or what interprets it, may lie where bots cannot read: add that folder to the bot's `read`"
        }
        _ => "",
    }
}

/// The restrictions, in their order.
fn prepare(policy: &Policy, program: &OsStr, channel: &OwnedFd) -> Result<(), Step> {
    fn step(name: &'static str, result: Result<(), impl Into<io::Error>>) -> Result<(), Step> {
        result.map_err(|error| (name, error.into()))
    }
    let input = receive_descriptor(channel).map_err(|error| ("taking standard input", error))?;
    step("standard input", rustix::stdio::dup2_stdin(&input))?;
    drop(input);
    step("a session of its own", setsid().map(|_| ()))?;
    step("to end with its warden", sandbox::end_with_warden())?;
    if policy.sandbox == Sandbox::Off {
        return Ok(());
    }
    step("closing inherited descriptors", close_inherited(channel))?;
    step("entering its control group", Group::enter(&policy.groups))?;
    sandbox::enter(policy, program)
}

/// Closes what the shell or whoever started arbiter left open above standard error.
pub(super) fn close_inherited(channel: &impl AsRawFd) -> io::Result<()> {
    for descriptor in system::descriptors()?.into_iter().filter(|&fd| fd > 2 && fd != channel.as_raw_fd()) {
        let _ = nix::unistd::close(descriptor); // not every number is open: the listing's own is closed already
    }
    Ok(())
}
