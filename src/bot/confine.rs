//! The second stage: a process that restricts itself and then becomes the bot.
//!
//! It takes the bot's standard input from its warden, puts on the restrictions in a plain list, and execs. What fails
//! on the way is said on the channel to the warden, which closes by itself when the bot's program takes over.

use super::Sandbox;
use super::control::{Report, receive_descriptor};
use rustix::process::{
    Resource, Rlimit, Signal, getppid, getrlimit, set_parent_process_death_signal, setrlimit, setsid,
};
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Runs the stage under a policy; `command` is the bot's program and its arguments. Returns only when something failed.
pub fn confine(sandbox: Sandbox, command: &[OsString]) -> ExitCode {
    let Ok(channel) = io::stdin().as_fd().try_clone_to_owned() else { return ExitCode::FAILURE };
    let report = match prepare(sandbox, &channel) {
        Err((step, error)) => Report::Broken(format!("{step}: {error}")),
        Ok(()) => {
            let Some((program, arguments)) = command.split_first() else { return ExitCode::FAILURE };
            let error = Command::new(program).args(arguments).exec();
            Report::Unstartable(format!("{}: {error}", program.display()))
        }
    };
    let _ = writeln!(std::fs::File::from(channel), "{report}"); // without a warden there is nobody to tell
    ExitCode::FAILURE
}

/// The restrictions, in their order.
fn prepare(sandbox: Sandbox, channel: &OwnedFd) -> Result<(), (&'static str, io::Error)> {
    fn step(
        name: &'static str,
        result: Result<(), impl Into<io::Error>>,
    ) -> Result<(), (&'static str, io::Error)> {
        result.map_err(|error| (name, error.into()))
    }
    let input = receive_descriptor(channel).map_err(|error| ("taking standard input", error))?;
    step("standard input", rustix::stdio::dup2_stdin(&input))?;
    drop(input);
    step("a session of its own", setsid().map(|_| ()))?;
    let warden = getppid();
    step("to end with its warden", set_parent_process_death_signal(Some(Signal::KILL)))?;
    if getppid() != warden {
        return Err(("to end with its warden", io::Error::other("it is gone")));
    }
    if sandbox == Sandbox::Off {
        return Ok(());
    }
    step("closing inherited descriptors", close_inherited(channel))?;
    // A limit of 1, not 0: with 0 a core pattern that is a pipe would still get its core (core(5)). A lower hard limit
    // than that cannot be raised again.
    let core = getrlimit(Resource::Core).maximum.map_or(1, |hard| hard.min(1));
    step("no core dumps", setrlimit(Resource::Core, Rlimit { current: Some(core), maximum: Some(core) }))?;
    step("first for the out-of-memory killer", std::fs::write("/proc/self/oom_score_adj", "1000"))
}

/// Closes what the shell or whoever started arbiter left open above standard error.
fn close_inherited(channel: &OwnedFd) -> io::Result<()> {
    let mut open = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        open.extend(entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()));
    }
    for descriptor in open.into_iter().filter(|&fd| fd > 2 && fd != channel.as_raw_fd()) {
        let _ = nix::unistd::close(descriptor); // the listing's own descriptor is closed already
    }
    Ok(())
}
