//! A program that answers each line with one line: the rules of a custom game.
//!
//! It runs below a warden as a bot does, in the same sandbox and with the same limits. It has no
//! event loop of its own, and need not be asked from the same one twice: the caller says how it
//! waits ([`Waiting`]). All waits are in one function, which either blocks the thread or leaves it
//! to the event loop; so the rest, though `async`, exists once, and [`blocking`] runs it without
//! one.

mod whole;

pub use whole::{RunBounds, TimedRun, run_whole, run_within};

use super::Launcher;
use super::excerpt::Excerpt;
use super::spawn::{BotError, Spawned, State, WARDEN_GRACE, Warden, attempt, spawn};
use super::stall::Patience;
use super::system::{ProcessTree, within};
use crate::locate::Program;
use arbiter_game::{Exit, LimitExceeded, Limits, Sandbox, Tasks};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, retry_on_intr};
use std::future::poll_fn;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// How often the memory and the processes of a program that has not answered are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How long a program that closed a pipe is given to show that it is ending, and one that ended to
/// close its pipes.
const CLOSING: Duration = Duration::from_secs(5);
/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// How whoever asks waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// The thread blocks.
    Thread,
    /// The thread goes on with the event loop that it is in.
    EventLoop,
}

/// Runs what waits by [`Waiting::Thread`] alone, and so is ready when it has been polled once.
pub fn blocking<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

/// A running program. Dropping it ends it with everything that it started.
pub struct Responder {
    waiting: Waiting,
    warden: Warden,
    /// `None` after its end was sent.
    input: Option<PipeWriter>,
    output: PipeReader,
    errors: PipeReader,
    reports: UnixStream,
    /// The beginning of a report.
    reported: Vec<u8>,
    state: State,
    /// What it wrote to standard error, which is read until its end.
    stderr: Excerpt,
    stderr_ended: bool,
    tree: Option<ProcessTree>,
    limits: Limits,
    /// How many processes and threads it may have; `None` where that is not limited.
    tasks: Option<Tasks>,
    /// Maximum number of bytes of a line.
    longest: usize,
    /// What it has written since the last question.
    line: Vec<u8>,
    /// How many bytes of that were the last answer.
    answered: usize,
    chunk: Box<[u8]>,
    /// How long it was asked since its memory was looked at.
    unseen: Duration,
}

/// The pipes that a wait is for.
struct Pipes {
    /// Its output has something, or ends.
    output: bool,
    /// Its input can take something.
    input: bool,
}

/// Why a question has no answer. Nothing more can be asked.
#[derive(Debug, Clone)]
pub enum NoAnswer {
    /// It did not come in time.
    Late,
    /// The program ended; how, if it is known.
    Ended(Option<Exit>),
    /// It closed a pipe and did not end.
    Closed,
    /// The line is longer than it may be.
    TooLong,
    /// It wrote something before it was asked, or after its answer.
    Unasked(Vec<u8>),
    Exceeded(LimitExceeded),
    /// Something in arbiter or on the machine failed.
    Broken(String),
}

impl Responder {
    /// Starts the program and waits until it runs. Its lines may have `longest` bytes.
    ///
    /// # Errors
    /// [`BotError::Unstartable`] when the program cannot be run, [`BotError::Broken`] when
    /// something in arbiter failed.
    pub async fn start(
        launcher: &Launcher,
        program: &Program,
        limits: &Limits,
        longest: usize,
        waiting: Waiting,
    ) -> Result<Responder, BotError> {
        let Spawned { warden, input, output, errors, reports } = spawn(launcher, program, limits)?;
        for pipe in [input.as_fd(), output.as_fd(), errors.as_fd()] {
            attempt("a pipe", ioctl_fionbio(pipe, true))?;
        }
        let mut responder = Responder {
            waiting,
            warden,
            input: Some(input),
            output,
            errors,
            reports,
            reported: Vec::new(),
            state: State::default(),
            stderr: Excerpt::default(),
            stderr_ended: false,
            tree: None,
            limits: *limits,
            tasks: (launcher.sandbox == Sandbox::Strict).then(|| limits.tasks()),
            longest,
            line: Vec::new(),
            answered: 0,
            chunk: vec![0; CHUNK].into_boxed_slice(),
            unseen: Duration::ZERO,
        };
        responder.wait_until(WARDEN_GRACE, |responder| responder.state.is_settled()).await;
        let started = responder.state.begun()?;
        responder.tree = ProcessTree::new(started, responder.warden.id()).ok();
        Ok(responder)
    }

    /// Ends the program with everything that it started. To drop it does the same, but blocks the
    /// thread in any case.
    pub async fn end(mut self) {
        self.warden.hang_up();
        self.wait_until(WARDEN_GRACE, |responder| responder.state.over).await;
    }

    /// What it has written to standard error so far.
    pub fn stderr(&self) -> &Excerpt {
        &self.stderr
    }

    /// Asks a question, a line with its newline, and waits for the answer, `limit` at most: a line
    /// without its newline. Time in which arbiter itself did not run does not count.
    ///
    /// # Errors
    /// There is none.
    pub async fn ask(
        &mut self,
        question: &str,
        limit: Duration,
        waiting: Waiting,
    ) -> Result<&[u8], NoAnswer> {
        self.waiting = waiting;
        let began = Instant::now();
        let mut patience = Patience::new(limit);
        self.line.drain(..self.answered);
        self.answered = 0;
        self.read_output().await?;
        if !self.line.is_empty() {
            return Err(NoAnswer::Unasked(std::mem::take(&mut self.line)));
        }
        let mut rest = question.as_bytes();
        let mut look = began + LOOK_EVERY;
        loop {
            rest = self.write_input(rest).await?;
            let due = patience.deadline().min(look);
            self.wait(due, Pipes { output: true, input: !rest.is_empty() })
                .await
                .map_err(|error| NoAnswer::Broken(format!("waiting for an answer: {error}")))?;
            self.read_output().await?;
            if let Some(end) = self.line.iter().position(|&byte| byte == b'\n') {
                // Output that follows the line is found by the next question, as it is if it comes
                // later.
                self.answered = end + 1;
                self.check_after_answer(began.elapsed())?;
                return Ok(self.line[..end].trim_ascii_end());
            }
            if self.has_ended() {
                return Err(self.ending().await);
            }
            if patience.is_over(due) {
                return Err(NoAnswer::Late);
            }
            if Instant::now() >= look {
                self.look()?;
                look = Instant::now() + LOOK_EVERY;
            }
        }
    }

    /// Writes as much of a question as fits into the pipe now, and returns the rest.
    async fn write_input<'a>(&mut self, mut rest: &'a [u8]) -> Result<&'a [u8], NoAnswer> {
        while !rest.is_empty() {
            let Some(input) = &self.input else { return Err(self.ending().await) };
            match retry_on_intr(|| rustix::io::write(input, rest)) {
                Ok(count) => rest = &rest[count..],
                Err(Errno::AGAIN) => break,
                Err(Errno::PIPE) => return Err(self.ending().await),
                Err(error) => return Err(NoAnswer::Broken(format!("writing a question: {error}"))),
            }
        }
        Ok(rest)
    }

    /// Appends what the program has written to the line.
    async fn read_output(&mut self) -> Result<(), NoAnswer> {
        loop {
            match read_pipe(&self.output, &mut self.chunk) {
                Ok(0) => return Err(self.ending().await),
                Ok(count) => self.line.extend_from_slice(&self.chunk[..count]),
                Err(Errno::AGAIN) => return Ok(()),
                Err(error) => return Err(NoAnswer::Broken(format!("reading an answer: {error}"))),
            }
            if self.line.len() > self.longest {
                return Err(NoAnswer::TooLong);
            }
            if self.line.last() == Some(&b'\n') {
                return Ok(());
            }
        }
    }

    /// Waits until its standard error or the warden has something, or one of these pipes can be
    /// used, or until a deadline. Reads standard error and the reports of the warden.
    async fn wait(&mut self, mut deadline: Instant, pipes: Pipes) -> io::Result<()> {
        let mut pipes_to_watch = Vec::with_capacity(4);
        if !self.state.over {
            pipes_to_watch.push((self.reports.as_fd(), PollFlags::IN));
        }
        let errors_at = pipes_to_watch.len();
        if !self.stderr_ended {
            pipes_to_watch.push((self.errors.as_fd(), PollFlags::IN));
        }
        if pipes.output {
            pipes_to_watch.push((self.output.as_fd(), PollFlags::IN));
        }
        if let Some(input) = &self.input
            && pipes.input
        {
            pipes_to_watch.push((input.as_fd(), PollFlags::OUT));
        }
        if self.waiting == Waiting::EventLoop {
            usable(&pipes_to_watch, deadline).await?;
            deadline = Instant::now(); // it has waited, so the poll only looks
        }
        let mut watched = Vec::with_capacity(pipes_to_watch.len());
        for (pipe, flags) in pipes_to_watch {
            watched.push(PollFd::from_borrowed_fd(pipe, flags));
        }
        poll_until(&mut watched, deadline)?;
        let has_reports = !self.state.over && !watched[0].revents().is_empty();
        let has_errors = !self.stderr_ended && !watched[errors_at].revents().is_empty();
        drop(watched);
        if has_errors {
            self.read_errors();
        }
        if has_reports {
            self.read_reports();
        }
        Ok(())
    }

    /// Waits for standard error and reports alone, until something holds, for this time at most.
    async fn wait_until(&mut self, time: Duration, holds: impl Fn(&Responder) -> bool) {
        let mut patience = Patience::new(time);
        while !holds(self) {
            if self.state.over && self.stderr_ended {
                return; // nothing more can come
            }
            let due = patience.next_look();
            let waited = self.wait(due, Pipes { output: false, input: false }).await;
            if waited.is_err() || patience.is_over(due) {
                return;
            }
        }
    }

    fn read_errors(&mut self) {
        match read_pipe(&self.errors, &mut self.chunk) {
            Ok(count @ 1..) => self.stderr.push(&self.chunk[..count]),
            Err(Errno::AGAIN) => {}
            Ok(0) | Err(_) => self.stderr_ended = true,
        }
    }

    fn read_reports(&mut self) {
        let mut chunk = [0; 4096];
        match read_pipe(&self.reports, &mut chunk) {
            Ok(count @ 1..) => self.reported.extend_from_slice(&chunk[..count]),
            Err(Errno::AGAIN) => {}
            Ok(0) | Err(_) => self.state.over = true,
        }
        while let Some(end) = self.reported.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.reported.drain(..=end).collect();
            self.state.record(String::from_utf8_lossy(&line).trim_ascii_end());
        }
    }

    fn has_ended(&self) -> bool {
        !self.state.lives() || self.state.exceeded.is_some()
    }

    /// Why there will be no answer of a program that has ended, or has closed a pipe and may be
    /// ending.
    async fn ending(&mut self) -> NoAnswer {
        self.wait_until(CLOSING, |responder| responder.has_ended() && responder.stderr_ended).await;
        let state = &self.state;
        if let Some(exceeded) = state.exceeded {
            NoAnswer::Exceeded(exceeded)
        } else if let Some(exit) = state.exit {
            NoAnswer::Ended(Some(exit))
        } else if let Some(failure) = &state.failure {
            NoAnswer::Broken(failure.to_string())
        } else if state.over {
            NoAnswer::Ended(None)
        } else {
            NoAnswer::Closed
        }
    }

    /// Checks the limits of a program that has not answered yet.
    fn look(&mut self) -> Result<(), NoAnswer> {
        let Some(tree) = &mut self.tree else { return Ok(()) };
        let may_differ = tree.look();
        if let Some(allowed) = self.tasks
            && may_differ
        {
            let had = tree.tasks();
            if had.processes > allowed.processes || had.threads > allowed.threads {
                return Err(NoAnswer::Exceeded(LimitExceeded::Tasks(had)));
            }
        }
        let tree_memory = tree.memory();
        self.check_memory(tree_memory)
    }

    /// Checks the memory of a program that has answered. A short answer is not looked at, but
    /// several short ones are.
    fn check_after_answer(&mut self, took: Duration) -> Result<(), NoAnswer> {
        self.unseen += took;
        if self.unseen < LOOK_EVERY {
            return Ok(());
        }
        self.unseen = Duration::ZERO;
        self.check_memory(self.tree.as_ref().map_or(0, ProcessTree::peak))
    }

    fn check_memory(&self, used: u64) -> Result<(), NoAnswer> {
        if used > self.limits.memory {
            return Err(NoAnswer::Exceeded(LimitExceeded::Memory(used)));
        }
        Ok(())
    }
}

fn read_pipe(pipe: &impl AsFd, chunk: &mut [u8]) -> rustix::io::Result<usize> {
    retry_on_intr(|| rustix::io::read(pipe, &mut *chunk))
}

/// Waits on the event loop until one of these descriptors can be used, or until a deadline. They
/// are known to the loop for this wait alone, because the next one may be in another thread.
async fn usable(watched: &[(BorrowedFd<'_>, PollFlags)], deadline: Instant) -> io::Result<()> {
    let mut pipes = Vec::with_capacity(watched.len());
    for &(pipe, flags) in watched {
        let reads = flags == PollFlags::IN;
        let interest = if reads { Interest::READABLE } else { Interest::WRITABLE };
        #[expect(
            deprecated,
            reason = "its successor is unsafe to call; what is borrowed stays open for the wait"
        )]
        let pipe = AsyncFd::with_interest(pipe, interest)?;
        pipes.push((pipe, reads));
    }
    let one_is_ready = poll_fn(|context| {
        // All of them are asked until one is ready: asking registers the waker.
        for (pipe, reads) in &pipes {
            let ready =
                if *reads { pipe.poll_read_ready(context) } else { pipe.poll_write_ready(context) };
            if ready.is_ready() {
                return Poll::Ready(());
            }
        }
        Poll::Pending
    });
    within(deadline.saturating_duration_since(Instant::now()), one_is_ready).await;
    Ok(())
}

/// Waits for descriptors until a deadline.
fn poll_until(watched: &mut [PollFd<'_>], deadline: Instant) -> io::Result<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    let timeout = Timespec {
        tv_sec: left.as_secs().min(1 << 30) as i64,
        tv_nsec: left.subsec_nanos().into(),
    };
    match poll(watched, Some(&timeout)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
