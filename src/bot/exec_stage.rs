//! The exec stage: a process that restricts itself and then becomes the bot by exec.
//!
//! It receives the bot's standard input from its warden, applies the restrictions of the policy, and execs
//! the bot's program. If a step fails it reports that on the channel to the warden. The channel closes at a
//! successful exec, which the warden takes as the start of the bot.

use super::ipc::{Report, receive_descriptor};
use super::system;
use crate::game::Sandbox;
use crate::sandbox::{self, Cgroup, Policy, StepError};
use rustix::process::setsid;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// First argument of the program when it is the exec stage.
pub const EXEC: &str = "__exec";

/// Runs the exec stage; `command` is the bot's program and its arguments. Returns only if something failed.
pub fn exec_stage(policy: &Policy, command: &[OsString]) -> ExitCode {
    let Ok(channel) = io::stdin().as_fd().try_clone_to_owned() else { return ExitCode::FAILURE };
    let Some((program, arguments)) = command.split_first() else { return ExitCode::FAILURE };
    let report = match prepare(policy, program, &channel) {
        Err((step, error)) => Report::Broken(format!("{step}: {error}")),
        Ok(()) => {
            let error = Command::new(program).args(arguments).exec();
            Report::Unstartable(format!("{}: {error}{}", program.display(), advice(policy, &error)))
        }
    };
    let _ = std::fs::File::from(channel).write_all(format!("{report}\n").as_bytes()); // fails if the warden has ended
    ExitCode::FAILURE
}

/// What the user can do if the sandbox may have caused the error.
fn advice(policy: &Policy, error: &io::Error) -> &'static str {
    match (policy.sandbox, error.kind()) {
        (Sandbox::Strict, io::ErrorKind::PermissionDenied) => {
            "; under strict it, or what interprets it, may lie where bots cannot read: add that folder to the bot's `read`"
        }
        _ => "",
    }
}

/// Takes the bot's standard input and applies the restrictions.
fn prepare(policy: &Policy, program: &OsStr, channel: &OwnedFd) -> Result<(), StepError> {
    fn step(name: &'static str, result: Result<(), impl Into<io::Error>>) -> Result<(), StepError> {
        result.map_err(|error| (name, error.into()))
    }
    let input = receive_descriptor(channel).map_err(|error| ("receiving standard input", error))?;
    step("standard input", rustix::stdio::dup2_stdin(&input))?;
    drop(input);
    step("setsid", setsid().map(|_| ()))?;
    step("dying with the warden", sandbox::die_with_parent())?;
    if policy.sandbox == Sandbox::Off {
        return Ok(());
    }
    step("closing inherited descriptors", system::close_inherited(channel))?;
    step("entering the control group", Cgroup::enter(&policy.cgroups))?;
    sandbox::restrict_self(policy, program)
}
