//! Workers: threads with one game each, an event loop each, and the two bots of that game.

use super::game::{self, Contest, Event, Finished, Seat};
use crate::bot::{Bot, BotError, Farewell, Listener, Program};
use crate::protocol::{Exit, printable};
use crate::rules::BySide;
use crate::schedule::Pairing;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Whether a worker and its two bots share one core of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pin {
    /// Wherever the system likes.
    Off,
    /// One core a worker. A bot that thinks on its opponent's time takes the opponent's core.
    On,
}

/// Somebody who watches games as they are played.
pub trait Audience: Send + Sync {
    /// Something happened. Called on the game's own time between two plies.
    fn event(&self, event: Event<'_>);
    /// Who is to hear the lines of the bot of that name, if anybody.
    fn listener(&self, name: &str) -> Option<Arc<dyn Listener>>;
}

/// What is to be played, by whom and how.
pub struct Match {
    /// What is the same in all games.
    pub contest: Contest,
    /// The two bots' names and programs.
    pub bots: [(String, Arc<Program>); 2],
    /// Games at a time, at least 1.
    pub concurrency: usize,
    /// Cores.
    pub pin: Pin,
    /// Who watches.
    pub audience: Option<Arc<dyn Audience>>,
}

/// What a run tells while it goes on.
pub enum Told {
    /// A game has ended.
    Finished(Box<Finished>),
    /// A worker cannot go on.
    Broken(String),
    /// The user or the system asked for an end (SIGINT, SIGTERM, SIGHUP). Games that are running go on until the run
    /// is dropped with its process; nothing of their bots survives it.
    Interrupted,
}

enum Message {
    Told(Told),
    /// A worker has left.
    Left,
}

/// A run of workers: iterate over what it tells; it ends when all games are played.
pub struct Run {
    messages: Receiver<Message>,
    working: usize,
}

impl Iterator for Run {
    type Item = Told;

    fn next(&mut self) -> Option<Told> {
        while self.working > 0 {
            match self.messages.recv().ok()? {
                Message::Told(told) => return Some(told),
                Message::Left => self.working -= 1,
            }
        }
        None
    }
}

/// How long a `build` may take.
const BUILD_TIME: Duration = Duration::from_secs(300);
/// Lines of a failed build that are shown.
const BUILD_LINES: usize = 12;

/// Builds the bot, if it has a `build` command, and tries whether its program can be run at all. The build runs below a
/// warden like a bot, so nothing of it is left either.
///
/// # Errors
/// The build fails or takes longer than five minutes, with the end of what it wrote; the program cannot be run; or
/// something of ours failed.
pub fn prepare(contest: &Contest, program: &Program) -> Result<(), BotError> {
    let runtime = runtime().map_err(|error| BotError::Broken(format!("starting an event loop: {error}")))?;
    runtime.block_on(async {
        if let Some(builder) = program.builder() {
            let build = Bot::start(&contest.launcher, &builder, contest.limits, None).await?;
            let end = build.run_to_end(BUILD_TIME).await;
            if end.exit != Some(Exit::Status(0)) || end.killed {
                return Err(BotError::Unstartable(build_failure(program, &end)));
            }
            program.check().map_err(|error| BotError::Unstartable(error.to_string()))?;
        }
        let bot = Bot::start(&contest.launcher, program, contest.limits, None).await?;
        drop(bot);
        Ok(())
    })
}

fn build_failure(program: &Program, end: &Farewell) -> String {
    let how = match end.exit {
        _ if end.killed => format!("took longer than {} s", BUILD_TIME.as_secs()),
        Some(exit) => exit.to_string(),
        None => "failed".to_owned(),
    };
    let build = program.build.as_deref().unwrap_or_default();
    let lines = [&end.notes.astray, &end.notes.stderr].map(|output| output.last_lines(BUILD_LINES)).concat();
    let lines: String = lines.iter().map(|line| format!("\n  {}", printable(line, 200))).collect();
    format!("{}: its build `{build}` {how}{lines}", program.name)
}

/// Starts the workers over the pairings; each takes the next game when it has finished one.
#[must_use]
pub fn run(plan: Match, pairings: impl Iterator<Item = Pairing> + Send + 'static) -> Run {
    let (sender, messages) = channel();
    let shared = Arc::new(Shared { plan, pairings: Mutex::new(Box::new(pairings)) });
    let working = shared.plan.concurrency.max(1);
    for worker in 0..working {
        let (shared, sender) = (Arc::clone(&shared), sender.clone());
        thread::spawn(move || {
            let leaving = Leaving(sender);
            if let Err(error) = work(worker, &shared, &leaving.0) {
                leaving.tell(Message::Told(Told::Broken(format!("a worker: {error}"))));
            }
        });
    }
    thread::spawn(move || {
        if let Err(error) = watch_for_signals(&sender) {
            tracing::warn!("signals are not watched for: {error}");
        }
    });
    Run { messages, working }
}

/// Says that a worker has left, whichever way it leaves.
struct Leaving(Sender<Message>);

impl Leaving {
    fn tell(&self, message: Message) {
        let _ = self.0.send(message); // perhaps nobody listens any more
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        if thread::panicking() {
            self.tell(Message::Told(Told::Broken(
                "a worker panicked, which is a fault of arbiter".to_owned(),
            )));
        }
        self.tell(Message::Left);
    }
}

fn watch_for_signals(sender: &Sender<Message>) -> io::Result<()> {
    runtime()?.block_on(async {
        let ignored = ignored_signals();
        let watch = |kind: SignalKind| match ignored >> (kind.as_raw_value() - 1) & 1 {
            0 => signal(kind).map(Some),
            _ => Ok(None), // as nohup and shells in the background want it
        };
        let mut interrupt = watch(SignalKind::interrupt())?;
        let mut terminate = watch(SignalKind::terminate())?;
        let mut hangup = watch(SignalKind::hangup())?;
        loop {
            tokio::select! {
                () = received(&mut interrupt) => {}
                () = received(&mut terminate) => {}
                () = received(&mut hangup) => {}
            }
            if sender.send(Message::Told(Told::Interrupted)).is_err() {
                return Ok(());
            }
        }
    })
}

async fn received(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// The signals that whoever started arbiter had it ignore, a bit each (proc_pid_status(5), `SigIgn`).
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

struct Shared {
    plan: Match,
    pairings: Mutex<Box<dyn Iterator<Item = Pairing> + Send>>,
}

impl Shared {
    fn next(&self) -> Option<Pairing> {
        self.pairings.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
}

fn work(worker: usize, shared: &Shared, told: &Sender<Message>) -> io::Result<()> {
    let plan = &shared.plan;
    if plan.pin == Pin::On {
        pin(worker)?;
    }
    let mut seats = plan.bots.clone().map(|(name, program)| Seat::new(name, program));
    runtime()?.block_on(async {
        while let Some(pairing) = shared.next() {
            let [a, b] = &mut seats;
            let seats = if pairing.first == 0 {
                BySide { first: a, second: b }
            } else {
                BySide { first: b, second: a }
            };
            let finished = game::play(&plan.contest, &pairing, seats, plan.audience.as_ref()).await;
            if told.send(Message::Told(Told::Finished(Box::new(finished)))).is_err() {
                break;
            }
        }
        let [a, b] = &mut seats;
        tokio::join!(a.leave(), b.leave());
    });
    Ok(())
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_io().build()
}

/// Keeps this thread, and every process that it starts, on one of the cores that this process may use.
fn pin(worker: usize) -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let allowed = sched_getaffinity(None)?;
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let mut one = CpuSet::new();
    if !cores.is_empty() {
        one.set(cores[worker % cores.len()]);
        sched_setaffinity(None, &one)?;
    }
    Ok(())
}
