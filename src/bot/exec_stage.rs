//! The exec stage: a process that restricts itself and then becomes the bot by exec.
//!
//! It is a fork of the bot's warden: starting arbiter's program once more would take longer than all that it
//! does. It applies the restrictions of the policy and execs the bot's program. If a step fails it reports
//! that on the channel to the warden. The channel closes at a successful exec, which the warden takes as the
//! start of the bot.

use super::ipc::Report;
use crate::game::Sandbox;
use crate::sandbox::{self, Cgroup, Policy, StepError};
use fork::{Fork, fork};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, setsid};
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;

/// A bot to start.
pub(super) struct BotToExec<'a> {
    pub policy: &'a Policy,
    /// Its program and its arguments.
    pub command: &'a [OsString],
    /// Environment variables that it has beside those of this process.
    pub environment: Vec<(&'static str, &'a Path)>,
    /// Its standard input. Standard output and standard error are those of this process.
    pub input: OwnedFd,
}

/// Starts the exec stage as a child of this process, which must have no other thread: one that holds a lock
/// would not exist in the child. Returns its pid and the channel to it.
///
/// # Errors
/// The system refuses a channel or another process.
pub(super) fn start(bot: BotToExec<'_>) -> io::Result<(Pid, UnixStream)> {
    let (above, below) = UnixStream::pair()?;
    match fork()? {
        Fork::Parent(pid) => Ok((Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidData)?, above)),
        Fork::Child => {
            drop(above);
            let _ = catch_unwind(AssertUnwindSafe(|| exec_stage(bot, below)));
            // Without dropping anything: what the warden holds for the bot is the warden's to remove.
            std::process::exit(1)
        }
    }
}

/// Runs the exec stage. Returns only if something failed.
fn exec_stage(BotToExec { policy, command, environment, input }: BotToExec<'_>, mut channel: UnixStream) {
    let Some((program, arguments)) = command.split_first() else { return };
    let report = match prepare(policy, Path::new(program), input, &channel) {
        Err((step, error)) => Report::Broken(format!("{step}: {error}")),
        Ok(()) => {
            let error = Command::new(program).args(arguments).envs(environment).exec();
            Report::Unstartable(format!("{}: {error}{}", program.display(), advice(policy, &error)))
        }
    };
    let _ = channel.write_all(report.line().as_bytes()); // fails if the warden has ended
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

/// Sets up the bot's standard input and applies the restrictions.
fn prepare(policy: &Policy, program: &Path, input: OwnedFd, channel: &UnixStream) -> Result<(), StepError> {
    fn step(name: &'static str, result: Result<(), impl Into<io::Error>>) -> Result<(), StepError> {
        result.map_err(|error| (name, error.into()))
    }
    step("standard input", rustix::stdio::dup2_stdin(&input))?;
    drop(input);
    step("setsid", setsid().map(|_| ()))?;
    step("dying with the warden", sandbox::die_with_parent())?;
    step("dying with the warden", warden_lives(channel))?;
    if policy.sandbox == Sandbox::Off {
        return Ok(());
    }
    step("closing inherited descriptors", sandbox::close_inherited(channel))?;
    step("entering the control group", Cgroup::enter(&policy.cgroups))?;
    sandbox::restrict_self(policy, program.as_os_str())
}

/// That the warden has not ended: it sends nothing, so the channel is readable only then.
fn warden_lives(channel: &UnixStream) -> io::Result<()> {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    match poll(&mut [PollFd::new(channel, PollFlags::IN)], Some(&now))? {
        0 => Ok(()),
        _ => Err(io::Error::other("it has ended already")),
    }
}
