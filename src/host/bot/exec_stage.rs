//! The exec stage: a process that restricts itself and then becomes the bot by exec.
//!
//! It is a fork of the bot's warden: starting arbiter's program once more would take longer than
//! all that it does. It applies the restrictions of the policy and execs the bot's program. If a
//! step fails it reports that on the channel to the warden. The channel closes at a successful
//! exec, which the warden takes as the start of the bot.

use super::ipc::Report;
use crate::sandbox::{self, Cgroup, Namespaces, Policy, StepError, step};
use arbiter_game::{DiskUsage, Sandbox};
use fork::{Fork, fork};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::FdFlags;
use rustix::process::{Pid, setsid};
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt, symlink};
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
    pub environment: Vec<(&'static str, OsString)>,
    /// If it runs in a copy of its folder: that folder.
    pub copied: Option<&'a Path>,
    /// Its standard input. Standard error is that of this process.
    pub input: OwnedFd,
    /// Its standard output; `None` for that of this process.
    pub output: Option<OwnedFd>,
    /// Further descriptors that it gets, under the numbers that they have.
    pub kept: Vec<OwnedFd>,
}

/// Starts the exec stage as a child of this process, which must have no other thread: one that
/// holds a lock would not exist in the child. Returns its pid and the channel to it.
///
/// # Errors
/// The system refuses a channel or another process.
pub(super) fn start(bot: BotToExec<'_>) -> io::Result<(Pid, UnixStream)> {
    let (above, below) = UnixStream::pair()?;
    match fork()? {
        Fork::Parent(pid) => Ok((Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidData)?, above)),
        Fork::Child => {
            drop(above);
            let _ = catch_unwind(AssertUnwindSafe(|| exec_stage(bot, &below)));
            // Without dropping anything: what the warden holds for the bot is the warden's to
            // remove.
            std::process::exit(1)
        }
    }
}

/// Runs the exec stage. Returns only if something failed.
fn exec_stage(bot: BotToExec<'_>, mut channel: &UnixStream) {
    let Some(program) = bot.command.first() else { return };
    let report = become_bot(bot, program, channel);
    let _ = channel.write_all(report.line().as_bytes()); // fails if the warden has ended
}

/// Restricts this process and execs the bot's program. Returns only what failed.
fn become_bot(
    BotToExec { policy, command, environment, copied, input, output, kept }: BotToExec<'_>,
    program: &OsStr,
    channel: &UnixStream,
) -> Report {
    let restricted = step("standard input and output", redirect(input, output, &kept))
        .and_then(|()| prepare(policy, program, &kept, channel));
    if let Err((step, error)) = restricted {
        return Report::Broken(format!("{step}: {error}"));
    }
    // With the restrictions in force: the copy has what the bot may read, and takes as much room as
    // it may, wherever links lead.
    let command = match run_in_copy(policy, copied, command) {
        Ok(command) => command,
        Err(error) => {
            let what = format!(
                "scratch = true: its folder cannot be copied into its scratch folder: {error}"
            );
            return if is_disk_full(policy, &error) {
                Report::Broken(what)
            } else {
                Report::Unstartable(what + advice(policy, &error))
            };
        }
    };
    let error = Command::new(&command[0]).args(&command[1..]).envs(environment).exec();
    let program = program.to_string_lossy();
    Report::Unstartable(format!("{program}: {error}{}", advice(policy, &error)))
}

/// If the bot runs in a copy of its folder, makes the copy in its scratch folder and changes to it.
/// Returns the command, with the paths in the copy.
fn run_in_copy(
    policy: &Policy,
    folder: Option<&Path>,
    command: &[OsString],
) -> io::Result<Vec<OsString>> {
    let Some(folder) = folder else { return Ok(command.to_vec()) };
    let copy = policy.scratch.join("folder");
    copy_as_bot(folder, &copy, DEEPEST, &mut policy.scratch_limit())?;
    std::env::set_current_dir(&copy)?;
    let mut command = command.to_vec();
    for word in &mut command {
        if let Ok(below) = Path::new(word).strip_prefix(folder) {
            *word = copy.join(below).into();
        }
    }
    Ok(command)
}

/// Whether a copy failed because the disk or the user's share of it is full, which is no fault of
/// the bot. In a mount namespace the scratch folder is a file system of its own with the size that
/// a bot may use.
fn is_disk_full(policy: &Policy, error: &io::Error) -> bool {
    let is_full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
    is_full && policy.namespaces == Namespaces::None
}

/// The most folders in each other of a bot that runs in a copy.
const DEEPEST: u32 = 100;

/// Copies a folder by what a bot may do under `strict`, which cannot change modes and times. What
/// it cannot read is left out. `room` is what the copy may still take.
fn copy_as_bot(from: &Path, to: &Path, depth: u32, room: &mut DiskUsage) -> io::Result<()> {
    if depth == 0 {
        return Err(io::Error::other(format!("it is nested deeper than {DEEPEST} folders")));
    }
    DirBuilder::new().mode(0o755).create(to)?;
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if room.files == 0 {
            return Err(io::Error::other("it has more than 4,096 files"));
        }
        room.files -= 1;
        let kind = entry.file_type()?;
        let path = entry.path();
        let copy = to.join(entry.file_name());
        if kind.is_dir() {
            copy_as_bot(&path, &copy, depth - 1, room)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(&path)?, copy)?;
        } else if kind.is_file() {
            let read = match File::open(&path) {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => continue,
                read => read?,
            };
            let mode = read.metadata()?.permissions().mode() & 0o777 | 0o600;
            let mut made = OpenOptions::new().write(true).create_new(true).mode(mode).open(copy)?;
            let copied = io::copy(&mut read.take(room.bytes + 1), &mut made)?;
            if copied > room.bytes {
                return Err(io::Error::other("it has more than 64 MiB"));
            }
            room.bytes -= copied;
        }
    }
    Ok(())
}

/// What the user can do if the sandbox may have caused the error.
fn advice(policy: &Policy, error: &io::Error) -> &'static str {
    if policy.sandbox == Sandbox::Strict && error.kind() == io::ErrorKind::PermissionDenied {
        "; under strict it, or what interprets it, may lie where bots cannot read: \
         add that folder to the bot's `read`"
    } else {
        ""
    }
}

/// Gives the bot its descriptors.
fn redirect(input: OwnedFd, output: Option<OwnedFd>, kept: &[OwnedFd]) -> io::Result<()> {
    rustix::stdio::dup2_stdin(&input)?;
    if let Some(output) = output {
        rustix::stdio::dup2_stdout(&output)?;
    }
    for descriptor in kept {
        rustix::io::fcntl_setfd(descriptor, FdFlags::empty())?;
    }
    Ok(())
}

/// Applies the restrictions.
fn prepare(
    policy: &Policy,
    program: &OsStr,
    kept: &[OwnedFd],
    channel: &UnixStream,
) -> Result<(), StepError> {
    step("setsid", setsid())?;
    step("dying with the warden", sandbox::die_with_parent())?;
    // After that: a warden that ended before the call kills nobody.
    step("dying with the warden", warden_lives(channel))?;
    step("the limit of open files", sandbox::limit_open_files(policy.open_files))?;
    if policy.sandbox == Sandbox::Off {
        return Ok(());
    }
    let mut open: Vec<_> = kept.iter().map(AsFd::as_fd).collect();
    open.push(channel.as_fd());
    step("closing inherited descriptors", sandbox::close_inherited(&open))?;
    step("entering the control group", Cgroup::enter(&policy.cgroups))?;
    sandbox::restrict_self(policy, program)
}

/// That the warden has not ended: it sends nothing, so the channel is readable only then.
fn warden_lives(channel: &UnixStream) -> io::Result<()> {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    if poll(&mut [PollFd::new(channel, PollFlags::IN)], Some(&now))? > 0 {
        return Err(io::Error::other("it has ended already"));
    }
    Ok(())
}
