//! Starting a program below a warden of its own, without regard to how it is talked to: bots on an
//! event loop (`process`), rules and builds with or without one (`responder`).

use super::ipc::{Report, Started, send_order};
use super::system::watch_child;
use super::{Launcher, Usage, WARDEN};
use crate::locate::{Program, search_path};
use crate::sandbox::temporary_folder;
use arbiter_game::{Exit, LimitExceeded, Limits, Sandbox};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::time::Duration;
use tokio::runtime;
use tokio::signal::unix::{SignalKind, signal};

/// Why a bot is not running.
#[derive(Debug, Clone, thiserror::Error)]
pub enum BotError {
    /// The bot's program cannot be run at all: the user's error.
    #[error("{0}")]
    Unstartable(String),
    /// Something in arbiter or on the machine failed.
    #[error("{0}")]
    Broken(String),
}

impl BotError {
    pub(super) fn broken(what: &str, error: impl fmt::Display) -> BotError {
        BotError::Broken(format!("{what}: {error}"))
    }
}

/// The result of something that only arbiter or the machine can fail at; the error says at what.
pub(super) fn attempt<T>(what: &str, result: Result<T, impl fmt::Display>) -> Result<T, BotError> {
    result.map_err(|error| BotError::broken(what, error))
}

/// What is known of the processes of a program, by the reports of its warden.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub started: Option<Started>,
    pub failure: Option<BotError>,
    pub exit: Option<Exit>,
    /// The limit that the bot exceeded, if its warden or the kernel ended it for that.
    pub exceeded: Option<LimitExceeded>,
    /// Processes of the bot that could not be ended.
    pub left: Option<String>,
    /// Nothing of the bot is left.
    pub gone: Option<Usage>,
    /// The channel to the warden is closed.
    pub over: bool,
}

impl State {
    /// Whether it is known if the program began.
    pub fn is_settled(&self) -> bool {
        self.started.is_some() || self.failure.is_some() || self.over
    }

    /// How the program began.
    ///
    /// # Errors
    /// It did not, or not yet.
    pub fn begun(&self) -> Result<&Started, BotError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        if let Some(started) = &self.started {
            return Ok(started);
        }
        Err(BotError::Broken(if self.over {
            "the program's warden ended before it began".to_owned()
        } else {
            format!("the program did not begin within {} s", WARDEN_GRACE.as_secs())
        }))
    }

    /// Whether the program runs, as far as its warden has said.
    pub fn lives(&self) -> bool {
        self.exit.is_none() && self.failure.is_none() && !self.over
    }

    /// Records a report of the warden.
    pub fn record(&mut self, line: &str) {
        match Report::read(line) {
            Ok(Report::Started(started)) => self.started = Some(started),
            Ok(Report::Unstartable(why)) => self.failure = Some(BotError::Unstartable(why)),
            Ok(Report::Broken(what)) => self.failure = Some(BotError::Broken(what)),
            Ok(Report::Over(exceeded)) => self.exceeded = Some(exceeded),
            Ok(Report::Ended(exit)) => self.exit = Some(exit),
            Ok(Report::Left(processes)) => self.left = Some(processes),
            Ok(Report::Gone(usage)) => self.gone = Some(usage),
            Err(_) => self.failure = Some(BotError::Broken(format!("the warden said {line:?}"))),
        }
    }
}

/// A program that is being started: its warden, arbiter's ends of its pipes, and the reports of the
/// warden, whose descriptor does not block.
pub(super) struct Spawned {
    pub warden: Warden,
    pub input: PipeWriter,
    pub output: PipeReader,
    pub errors: PipeReader,
    pub reports: UnixStream,
}

/// The warden of a program. Dropping it ends the program with everything that it started.
pub(super) struct Warden {
    /// Nothing is written to it. Closing it tells the warden to end everything.
    channel: Option<OwnedFd>,
    child: Child,
}

/// How long a warden may take to start the bot or to end its processes: a bound for very busy
/// machines, longer than what the warden gives killed processes to end.
pub(super) const WARDEN_GRACE: Duration = Duration::from_secs(90);

impl Warden {
    /// Its pid.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Tells it to end the program.
    pub fn hang_up(&mut self) {
        if let Some(channel) = self.channel.take() {
            // A bot may have stopped it, and it may be gone already.
            let _ = kill_process(Pid::from_child(&self.child), Signal::CONT);
            let _ = rustix::net::shutdown(&channel, rustix::net::Shutdown::Write);
        }
    }

    /// Kills the warden itself.
    pub fn kill(&mut self) {
        let _ = self.child.kill(); // fails only if it has been reaped
    }

    /// Reaps the warden, which exits as soon as nothing of the program is left.
    pub fn reap(&mut self) {
        if let Ok(Some(_)) = self.child.try_wait() {
            return;
        }
        if let Ok(warden) = watch_child(Pid::from_child(&self.child)) {
            let grace = Timespec { tv_sec: WARDEN_GRACE.as_secs() as i64, tv_nsec: 0 };
            if poll(&mut [PollFd::new(&warden, PollFlags::IN)], Some(&grace)) == Ok(0) {
                self.kill(); // a warden that does not end has an error
            }
        }
        let _ = self.child.wait();
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        self.hang_up();
        self.reap();
    }
}

/// Starts a warden and through it the program, whose start the warden then reports.
///
/// # Errors
/// The system refuses a pipe or a process.
pub(super) fn spawn(
    launcher: &Launcher,
    program: &Program,
    limits: &Limits,
) -> Result<Spawned, BotError> {
    attempt("the signal of ended children", children_are_waited_for())?;
    let (bot_input, input) = attempt("a pipe", io::pipe())?;
    let (output, bot_output) = attempt("a pipe", io::pipe())?;
    let (errors, bot_errors) = attempt("a pipe", io::pipe())?;
    let (reports, below) = attempt("a channel", UnixStream::pair())?;
    let child = Command::new(&launcher.program)
        .arg0("arbiter")
        .args([WARDEN, &std::process::id().to_string(), "--"])
        .args(program.command_line())
        .env_clear()
        .envs(environment(launcher.sandbox))
        .envs(&program.spec.env)
        .current_dir(&program.dir)
        .process_group(0)
        .stdin(Stdio::from(OwnedFd::from(below)))
        .stdout(Stdio::from(bot_output))
        .stderr(Stdio::from(bot_errors))
        .spawn()
        .map_err(|error| not_spawned(launcher, &program.dir, &error))?;
    let policy = launcher.policy(program, limits);
    attempt("speaking to the warden", send_order(&reports, &policy, &bot_input))?;
    drop(bot_input);
    let hold = attempt("a channel", reports.try_clone())?;
    attempt("a channel", reports.set_nonblocking(true))?;
    let warden = Warden { channel: Some(hold.into()), child };
    Ok(Spawned { warden, input, output, errors, reports })
}

/// A bot that may write where it likes can remove or close its own folder between two games.
fn not_spawned(launcher: &Launcher, folder: &Path, error: &io::Error) -> BotError {
    let folder_shown = folder.display();
    if let Err(why) = fs::metadata(folder.join(".")) {
        return BotError::Unstartable(format!(
            "its folder {folder_shown} cannot be entered: {why}"
        ));
    }
    BotError::broken(&format!("starting {} in {folder_shown}", launcher.program.display()), error)
}

/// Undoes an inherited ignored `SIGCHLD`, which warden and bot would inherit too and which hides
/// how children end. The handler stays when the event loop that it is set by is gone.
fn children_are_waited_for() -> io::Result<()> {
    static ONCE: Once = Once::new();
    let mut result = Ok(());
    ONCE.call_once(|| result = set_child_handler());
    result
}

fn set_child_handler() -> io::Result<()> {
    let event_loop = runtime::Builder::new_current_thread().enable_io().build()?;
    let inside = event_loop.enter();
    let set = signal(SignalKind::child());
    drop(inside);
    // This thread may be in another event loop, where it must not wait for the end of this one.
    event_loop.shutdown_background();
    set.map(drop)
}

/// Variables by which users have cargo put programs elsewhere than the `command` of a bot says.
const CARGO_ELSEWHERE: [&str; 3] =
    ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_BUILD_TARGET"];

/// Variables of arbiter that a bot gets from `basic` on, because they contain no secrets.
const KEPT: [&str; 5] = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"];
/// Under `strict` these name its scratch folder.
const KEPT_BY_BASIC: [&str; 2] = ["HOME", "TMPDIR"];

/// The environment of a bot, in which Python does not buffer its output.
fn environment(sandbox: Sandbox) -> Vec<(OsString, OsString)> {
    let mut environment = Vec::new();
    for (key, mut value) in std::env::vars_os() {
        let name = key.to_str().unwrap_or_default();
        let is_kept = match sandbox {
            Sandbox::Off => !CARGO_ELSEWHERE.contains(&name),
            Sandbox::Basic => KEPT.contains(&name) || KEPT_BY_BASIC.contains(&name),
            Sandbox::Strict => KEPT.contains(&name),
        };
        if !is_kept {
            continue;
        }
        if sandbox == Sandbox::Strict && name == "PATH" {
            value = std::env::join_paths(search_path(&value)).unwrap_or(value);
        } else if sandbox == Sandbox::Basic && name == "TMPDIR" {
            // It runs in another folder, from which a relative path leads elsewhere.
            value = temporary_folder().into();
        }
        environment.push((key, value));
    }
    // Last, so that it replaces the user's.
    environment.push(("PYTHONUNBUFFERED".into(), "1".into()));
    environment
}
