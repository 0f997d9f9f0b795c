//! Starts a bot below its warden, and follows the warden's reports until nothing of the bot is
//! left.

use super::excerpt::Excerpt;
use super::spawn::{BotError, Spawned, State, WARDEN_GRACE, Warden, attempt, spawn};
use super::stall::patiently;
use super::stderr::{Stderr, collect};
use super::system::ProcessTree;
use super::{ExitReport, Launcher, LineSink, Notes};
use crate::locate::Program;
use arbiter_game::{Exit, LimitExceeded, Settings};
use arbiter_rules::text::printable;
use rustix::process::{Pid, Signal, kill_process};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The referee's view of the bot's processes.
pub(super) struct Process {
    /// The bot's name.
    name: String,
    warden: Warden,
    state: watch::Receiver<State>,
    stderr: Arc<Stderr>,
    /// Ends when the bot's standard error does.
    collector: JoinHandle<()>,
}

/// The referee's ends of the bot's standard input and output.
pub(super) struct Pipes {
    pub input: pipe::Sender,
    pub output: pipe::Receiver,
}

impl Process {
    /// Starts the warden and through it the bot, and waits until the bot's own program runs.
    pub async fn start(
        launcher: &Launcher,
        program: &Program,
        settings: &Settings,
        lines: Option<LineSink>,
    ) -> Result<(Process, Pipes), BotError> {
        let Spawned { warden, input, output, errors, reports } =
            spawn(launcher, program, &settings.limits)?;
        let reports = attempt("a channel", UnixStream::from_std(reports))?;
        let (sender, state) = watch::channel(State::default());
        tokio::spawn(follow(reports, sender));
        let errors = attempt("standard error", pipe::Receiver::from_owned_fd(errors.into()))?;
        let stderr = Arc::new(Stderr::new(errors, lines, settings.limits.output));
        let collector = tokio::spawn(collect(Arc::clone(&stderr)));
        let pipes = Pipes {
            input: attempt("standard input", pipe::Sender::from_owned_fd(input.into()))?,
            output: attempt("standard output", pipe::Receiver::from_owned_fd(output.into()))?,
        };
        let mut process = Process { name: program.name.clone(), warden, state, stderr, collector };
        let _ = patiently(WARDEN_GRACE, process.state.wait_for(State::is_settled)).await;
        process.state.borrow().begun()?;
        Ok((process, pipes))
    }

    /// The PID of the bot's own program.
    pub fn pid(&self) -> Option<u32> {
        Some(self.state.borrow().started.as_ref()?.pid)
    }

    /// Stops the bot's own program, and returns its pid; `None` if it has ended.
    pub fn stop_program(&self) -> Option<u32> {
        if !self.lives() {
            return None;
        }
        let pid = self.pid()?;
        kill_process(Pid::from_raw(i32::try_from(pid).ok()?)?, Signal::STOP).ok()?;
        Some(pid)
    }

    pub fn lives(&self) -> bool {
        self.state.borrow().lives()
    }

    /// Whether all processes of the bot that can be ended have ended.
    pub fn is_over(&self) -> bool {
        self.state.borrow().over
    }

    /// The limit that it exceeded, if it was ended for that.
    pub fn exceeded(&self) -> Option<LimitExceeded> {
        self.state.borrow().exceeded
    }

    /// The bot's processes; `None` when its program has ended already.
    pub fn process_tree(&self) -> Option<ProcessTree> {
        ProcessTree::new(self.state.borrow().started.as_ref()?, self.warden.id()).ok()
    }

    /// Its standard error. From its start on everything is kept until [`Stderr::take_heard`].
    pub fn listen_to_stderr(&self) -> Arc<Stderr> {
        self.stderr.keep_for_conversation();
        Arc::clone(&self.stderr)
    }

    /// What the bot has written to its standard error so far.
    pub fn stderr(&self) -> Excerpt {
        self.stderr.kept()
    }

    /// What it writes to standard error from now on belongs to this ply.
    pub fn begin_ply(&self, ply: usize) {
        self.stderr.begin_ply(ply);
    }

    /// What the bot has written to its standard error so far; from now on it is collected anew.
    pub fn take_stderr(&self) -> Excerpt {
        self.stderr.take_kept()
    }

    /// Waits for the end of the bot's own program, at most `grace`; `None` if it still lives.
    ///
    /// # Errors
    /// The warden ended without a report: something in arbiter failed.
    pub async fn exit(&mut self, grace: Duration) -> Result<Option<Exit>, BotError> {
        let ended = self.state.wait_for(|state| state.exit.is_some() || state.over);
        let Some(waited) = patiently(grace, ended).await else { return Ok(None) };
        if let Ok(state) = waited {
            if state.exit.is_some() {
                return Ok(state.exit);
            }
            if state.started.is_some() {
                return Ok(Some(ENDED_WITH_ITS_WARDEN));
            }
        }
        Err(BotError::Broken("the bot's warden ended before the bot".to_owned()))
    }

    /// Waits until the bot's standard error is at its end, at most `grace`.
    pub async fn settle_stderr(&mut self, grace: Duration) {
        if !self.collector.is_finished() {
            let _ = patiently(grace, &mut self.collector).await; // else what came so far is used
        }
    }

    /// Ends everything that is left of the bot. Returns when nothing is left, or when it has warned
    /// of what could not be ended.
    pub async fn end(mut self) -> ExitReport {
        self.warden.hang_up();
        let over = patiently(WARDEN_GRACE, self.state.wait_for(|state| state.over)).await.is_some();
        let left = self.state.borrow().left.clone();
        if let Some(left) = left {
            let left = printable(left.as_bytes(), LEFT_BYTES);
            tracing::warn!("{}: processes of the bot are killed and do not end: {left}", self.name);
        } else if over {
            self.settle_stderr(WARDEN_GRACE).await;
        } else {
            self.warden.kill(); // a warden that does not end was attacked, or has an error
            let limit = WARDEN_GRACE.as_secs();
            tracing::warn!(
                "{}: its warden did not end within {limit} s; processes of the bot may be left",
                self.name
            );
        }
        self.warden.reap();
        let state = self.state.borrow().clone();
        let broken = match state.failure {
            Some(BotError::Broken(what)) => Some(what),
            Some(BotError::Unstartable(_)) | None => None,
        };
        let notes = Notes { stderr: self.stderr(), ..Notes::default() };
        ExitReport { exit: state.exit, usage: state.gone, notes, broken, ..ExitReport::default() }
    }
}

/// How a bot ended whose warden vanished while it ran: it is killed with its warden (see
/// `exec_stage`). This counts as the bot's own end, because otherwise a bot could abort a game that
/// it loses by killing its warden.
pub(super) const ENDED_WITH_ITS_WARDEN: Exit = Exit::Signal(9);

/// How much of a list of processes is shown.
const LEFT_BYTES: usize = 500;

/// Follows the warden's reports to their end.
async fn follow(reports: UnixStream, state: watch::Sender<State>) {
    let mut lines = BufReader::new(reports).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        state.send_modify(|state| state.record(&line));
    }
    state.send_modify(|state| state.over = true);
}
