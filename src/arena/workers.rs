//! Workers: threads with one game each, an event loop each, and the two bots of that game.

use super::conditions::Conditions;
use super::game::{self, Assignment, Finished, Seat};
use super::machine::Machine;
use super::player::Contender;
use super::queue::{GameQueue, Task};
use crate::bot::{core_in_use, cores, ignored_signals, keep_to};
use crate::game::{Pin, Pondering, Watcher};
use crate::rules::BySide;
use crate::tournament::AttemptResult;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What is to be played, by whom and how.
pub struct Match {
    /// What all games share.
    pub conditions: Conditions,
    /// The bots' names and what plays under them; pairings name them by their place here.
    pub bots: Vec<(String, Contender)>,
    /// Games at a time, at least 1.
    pub concurrency: usize,
    /// What sees the events of all games.
    pub watcher: Option<Arc<dyn Watcher>>,
}

/// What a run tells while it goes on.
pub enum RunEvent {
    /// A game has ended; its worker goes on when it has been [settled](Run::settle).
    Finished(Box<Finished>),
    /// A worker cannot go on.
    Broken(String),
    /// The user or the system asked for an end (SIGINT, SIGTERM, SIGHUP). Games that are running go on until the run
    /// is dropped with its process; nothing of their bots survives it.
    Interrupted,
}

enum WorkerMessage {
    Event(RunEvent),
    /// A worker has left.
    Left,
}

/// A run of workers: iterate over what it tells; it ends when all games are played.
pub struct Run {
    messages: Receiver<WorkerMessage>,
    working: usize,
    shared: Arc<Shared>,
}

/// What came of waiting for a run.
pub enum RunUpdate {
    /// It told something.
    Event(RunEvent),
    /// It told nothing for so long.
    Quiet,
    /// It is over.
    Over,
}

impl Run {
    /// Waits for what the run tells next, for so long at most.
    pub fn wait(&mut self, limit: Duration) -> RunUpdate {
        while self.working > 0 {
            match self.messages.recv_timeout(limit) {
                Ok(WorkerMessage::Event(told)) => return RunUpdate::Event(told),
                Ok(WorkerMessage::Left) => self.working -= 1,
                Err(RecvTimeoutError::Timeout) => return RunUpdate::Quiet,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        RunUpdate::Over
    }

    /// A game that was told of is where it has to be: its result counts from now on, and its worker takes another.
    pub fn settle(&self, index: u64, ended: AttemptResult) {
        self.shared.queue().ended(index, ended);
        self.shared.changed.notify_all();
    }

    /// No more games begin; those that are running go on to their end.
    pub fn close(&self) {
        self.shared.queue().close();
        self.shared.changed.notify_all();
    }

    /// Looks at the queue.
    pub fn queue<T>(&self, look: impl FnOnce(&GameQueue) -> T) -> T {
        look(&self.shared.queue())
    }
}

impl Iterator for Run {
    type Item = RunEvent;

    fn next(&mut self) -> Option<RunEvent> {
        while self.working > 0 {
            match self.messages.recv().ok()? {
                WorkerMessage::Event(told) => return Some(told),
                WorkerMessage::Left => self.working -= 1,
            }
        }
        None
    }
}

/// Starts the workers; each takes the next game from the queue when what it has played is settled.
#[must_use]
pub fn run(plan: Match, queue: GameQueue) -> Run {
    let (sender, messages) = channel();
    let working = plan.concurrency.max(1);
    let cores = Mutex::new(free_cores(&plan, working));
    let shared = Arc::new(Shared { plan, queue: Mutex::new(queue), changed: Condvar::new(), cores });
    for _ in 0..working {
        let (shared, sender) = (Arc::clone(&shared), sender.clone());
        thread::spawn(move || {
            let leaving = Leaving(sender);
            let shared = shared; // dropped before the worker has left: what goes with the plan must not outlive the run
            if let Err(error) = work(&shared, &leaving.0) {
                leaving.tell(WorkerMessage::Event(RunEvent::Broken(format!("a worker: {error}"))));
            }
        });
    }
    thread::spawn(move || {
        if let Err(error) = watch_for_signals(&sender) {
            tracing::warn!("signals are not watched for: {error}");
        }
    });
    Run { messages, working, shared }
}

/// Says that a worker has left, whichever way it leaves.
struct Leaving(Sender<WorkerMessage>);

impl Leaving {
    fn tell(&self, message: WorkerMessage) {
        let _ = self.0.send(message); // perhaps nobody listens any more
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        if thread::panicking() {
            self.tell(WorkerMessage::Event(RunEvent::Broken(
                "a worker panicked, which is a fault of arbiter".to_owned(),
            )));
        }
        self.tell(WorkerMessage::Left);
    }
}

fn watch_for_signals(sender: &Sender<WorkerMessage>) -> io::Result<()> {
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
            if sender.send(WorkerMessage::Event(RunEvent::Interrupted)).is_err() {
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

struct Shared {
    plan: Match,
    queue: Mutex<GameQueue>,
    changed: Condvar,
    /// Cores that no worker has yet; none at all where workers are not pinned.
    cores: Mutex<Vec<usize>>,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, GameQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game, as soon as there is one; nothing when there will be none.
    fn next(&self) -> Result<Option<Box<Assignment>>, String> {
        let mut queue = self.queue();
        loop {
            match queue.next() {
                Task::Play(assignment) => return Ok(Some(assignment)),
                Task::Leave => return Ok(None),
                Task::Broken(what) => return Err(what),
                Task::Wait => {
                    queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Waits until a game is settled, or nothing more is to begin.
    fn await_settled(&self, index: u64) {
        let queue = self.queue();
        let waiting = |queue: &mut GameQueue| queue.is_open(index);
        drop(self.changed.wait_while(queue, waiting).unwrap_or_else(PoisonError::into_inner));
    }
}

fn work(shared: &Shared, told: &Sender<WorkerMessage>) -> io::Result<()> {
    let plan = &shared.plan;
    pin(&mut shared.cores.lock().unwrap_or_else(PoisonError::into_inner))?;
    let mut seats = Vec::new();
    let mut machine = Machine::new();
    runtime()?.block_on(async {
        loop {
            let assignment = match shared.next() {
                Ok(Some(assignment)) => *assignment,
                Ok(None) => break,
                Err(what) => {
                    let _ = told.send(WorkerMessage::Event(RunEvent::Broken(what))); // perhaps nobody listens any more
                    break;
                }
            };
            let index = assignment.pairing.index;
            let players = [assignment.pairing.first, assignment.pairing.second];
            take_seats(&mut seats, players, &plan.bots).await;
            let [(_, first), (_, second)] = &mut seats[..] else { break };
            let seats = BySide { first, second };
            let finished =
                game::play(&plan.conditions, assignment, seats, &mut machine, plan.watcher.as_ref()).await;
            if told.send(WorkerMessage::Event(RunEvent::Finished(Box::new(finished)))).is_err() {
                break;
            }
            shared.await_settled(index);
        }
        for (_, mut seat) in seats {
            seat.leave().await;
        }
    });
    Ok(())
}

/// Seats these two bots, the first one first. One that was here for the last game keeps its seat and its process; one
/// that does not play leaves.
async fn take_seats(seats: &mut Vec<(usize, Seat)>, players: [usize; 2], bots: &[(String, Contender)]) {
    let before = std::mem::take(seats);
    let (mut staying, leaving): (Vec<_>, Vec<_>) =
        before.into_iter().partition(|(bot, _)| players.contains(bot));
    for (_, mut seat) in leaving {
        seat.leave().await;
    }
    for bot in players {
        let seat = match staying.iter().position(|&(sitting, _)| sitting == bot) {
            Some(at) => staying.swap_remove(at).1,
            None => Seat::new(bots[bot].0.clone(), bots[bot].1.clone()),
        };
        seats.push((bot, seat));
    }
}

pub(super) fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// The cores that workers are to be pinned to, more than one worker to a core if there are not enough; none if workers
/// are not to be pinned.
fn free_cores(plan: &Match, workers: usize) -> Vec<usize> {
    let cores = cores();
    let settings = &plan.conditions.settings;
    let pin = settings.rules.pin;
    if cores.is_empty() && pin == Pin::On {
        tracing::warn!("games are not given cores of their own: this system does not tell which there are");
    }
    let frozen = settings.time.pondering == Pondering::Off;
    match pin {
        Pin::On => cores.iter().copied().cycle().take(cores.len().max(workers)).collect(),
        Pin::Auto if frozen && workers <= cores.len() => cores,
        Pin::Auto | Pin::Off => Vec::new(),
    }
}

/// Keeps this thread, and every process that it starts, on one of these cores, which is then taken: the one that it
/// runs on if that is free, because the system has found it idle.
fn pin(free: &mut Vec<usize>) -> io::Result<()> {
    if free.is_empty() {
        return Ok(());
    }
    let here = core_in_use();
    let at = free.iter().position(|&core| core == here).unwrap_or_default();
    keep_to(free.remove(at))
}
