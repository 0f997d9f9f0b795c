//! Workers: threads that each play one game at a time, with an event loop and the two bots of that
//! game.

use super::conditions::Conditions;
use super::cores::Cores;
use super::event_loop::event_loop;
use super::game::{self, Assignment, Finished};
use super::machine::Machine;
use super::player::PlayerSpec;
use super::queue::{GameQueue, Stage, Task};
use super::seat::Seat;
use super::signals::EndSignals;
use arbiter_cup::tournament::AttemptResult;
use arbiter_game::Watcher;
use arbiter_host::bot::Launcher;
use arbiter_rules::{BySide, Side};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::watch;

/// The plan of a run: its conditions and number of workers.
pub struct Match {
    /// The conditions of all games.
    pub conditions: Conditions,
    /// The number of games at a time, at least 1.
    pub concurrency: usize,
    /// Who watches the games.
    pub watchers: Watchers,
}

/// The watchers of the workers, in their order; each gets the events of all games of its worker. A
/// worker without one is not watched.
pub type Watchers = Vec<Arc<dyn Watcher>>;

/// An event of a run.
pub enum RunEvent {
    /// A game has ended; its worker waits until the game is [settled](Run::settle).
    Finished(Box<Finished>),
    /// A worker cannot go on.
    Broken(String),
    /// The user or the system asked for an end (SIGINT, SIGTERM, SIGHUP). Running games continue
    /// until the process exits; their bots end with it. The receiver bounds that by
    /// [`Run::finish_time`].
    Interrupted,
}

/// How long workers may take to end the bots that they keep: longer than a warden may take.
const KEPT_BOTS_LIMIT: Duration = Duration::from_mins(5);

/// A message from a worker thread, or from the thread that watches for signals.
enum WorkerMessage {
    Event(RunEvent),
    /// A worker has ended.
    Left,
}

/// A run of workers: an iterator over its events, which ends when all games are played.
pub struct Run {
    messages: Receiver<WorkerMessage>,
    /// For games that come from elsewhere.
    sender: Sender<WorkerMessage>,
    working: usize,
    shared: Arc<Shared>,
}

/// The result of [`Run::wait`].
pub enum RunUpdate {
    /// An event came.
    Event(RunEvent),
    /// No event came within the time.
    Quiet,
    /// The run is over.
    Over,
}

impl Run {
    /// Waits for the next event, at most this long.
    pub fn wait(&mut self, limit: Duration) -> RunUpdate {
        while self.working > 0 {
            match self.messages.recv_timeout(limit) {
                Ok(WorkerMessage::Event(event)) => return RunUpdate::Event(event),
                Ok(WorkerMessage::Left) => self.working -= 1,
                Err(RecvTimeoutError::Timeout) => return RunUpdate::Quiet,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        RunUpdate::Over
    }

    /// Settles a finished game, once it is recorded: its result counts from now on, and its worker
    /// takes the next game.
    pub fn settle(&self, index: u64, ended: AttemptResult) {
        self.shared.queue().ended(index, ended);
        self.shared.changed.notify_all();
    }

    /// Ends the bots that are kept for their next game, and returns when nothing of them is left:
    /// they may hold files that they have deleted. They are started again where they play next.
    pub fn end_kept_bots(&self) {
        let mut queue = self.shared.queue();
        queue.end_kept_bots();
        let changed = &self.shared.changed;
        changed.notify_all();
        // A worker that panicked ends none.
        let ended = changed.wait_timeout_while(queue, KEPT_BOTS_LIMIT, |queue| queue.ends_bots());
        drop(ended.unwrap_or_else(PoisonError::into_inner));
    }

    /// Takes a game that another process is to play, if games still begin. Its end comes by
    /// [`deliver`](Run::deliver), or it is [taken back](Run::take_back).
    pub fn lend(&self, take: impl FnOnce() -> Option<Assignment>) -> Option<Assignment> {
        self.shared.queue().lend(take)
    }

    /// A game that was lent has ended: it becomes an event of the run.
    pub fn deliver(&self, finished: Box<Finished>) {
        let event = WorkerMessage::Event(RunEvent::Finished(finished));
        let _ = self.sender.send(event); // the receiver is this run's own
    }

    /// A game that was lent does not come back: it goes back where games come from.
    pub fn take_back(&self, index: u64, give_back: impl FnOnce()) {
        self.shared.queue().take_back(index, give_back);
        self.wake();
    }

    /// Has workers that wait ask for a game again: there may be one now.
    pub fn wake(&self) {
        // A worker that was told to wait has the queue until it does.
        drop(self.shared.queue());
        self.shared.changed.notify_all();
    }

    /// Whether a game is being played.
    pub fn is_playing(&self) -> bool {
        self.shared.queue().is_playing()
    }

    /// Lets no more games begin; running games continue to their end.
    pub fn close(&self) {
        self.shared.queue().close();
        self.shared.changed.notify_all();
    }

    /// Breaks off running games, whose bots are killed, and returns when nothing of them is left.
    pub fn break_off(mut self) {
        self.close();
        self.shared.broken_off.send_replace(true);
        while let Some(event) = self.next() {
            if let RunEvent::Finished(finished) = event {
                // It ended before; its worker waits for this.
                self.settle(finished.pairing.index, finished.record.outcome.into());
            }
        }
    }

    /// What starts the bots.
    pub fn launcher(&self) -> &Launcher {
        &self.shared.plan.conditions.launcher
    }

    /// How long running games may go on after an interruption.
    pub fn finish_time(&self) -> Duration {
        self.shared.plan.conditions.settings.time.finish
    }

    /// Reads from the queue.
    pub fn queue<T>(&self, look: impl FnOnce(&GameQueue) -> T) -> T {
        look(&self.shared.queue())
    }
}

impl Iterator for Run {
    type Item = RunEvent;

    fn next(&mut self) -> Option<RunEvent> {
        match self.wait(Duration::MAX) {
            RunUpdate::Event(event) => Some(event),
            RunUpdate::Quiet | RunUpdate::Over => None,
        }
    }
}

/// Starts the workers; each takes the next game from the queue when its last game is settled.
/// Signals that ask for an end are events of the run.
pub fn run(plan: Match, queue: GameQueue) -> Run {
    let messages = channel();
    // Before any game begins, so that no signal comes to a game before its handler.
    let sender = messages.0.clone();
    EndSignals::forward(move || sender.send(WorkerMessage::Event(RunEvent::Interrupted)).is_ok());
    start(plan, queue, messages)
}

/// Starts the workers as [`run`] does, in a program that watches for signals itself.
pub fn run_beside(plan: Match, queue: GameQueue) -> Run {
    start(plan, queue, channel())
}

fn start(
    plan: Match,
    queue: GameQueue,
    (sender, messages): (Sender<WorkerMessage>, Receiver<WorkerMessage>),
) -> Run {
    let working = plan.concurrency.max(1);
    let cores = Cores::new(&plan.conditions.settings, working);
    let shared = Arc::new(Shared {
        plan,
        queue: Mutex::new(queue),
        changed: Condvar::new(),
        broken_off: watch::Sender::new(false),
        cores,
    });
    for worker in 0..working {
        let shared = Arc::clone(&shared);
        let sender = sender.clone();
        thread::spawn(move || {
            let leaving = Leaving(sender);
            // Dropped before `leaving` reports the end, so that the plan does not outlive the run.
            let shared = shared;
            if let Err(error) = work(&shared, worker, &leaving) {
                leaving.broken(format!("a worker: {error}"));
            }
        });
    }
    Run { messages, sender, working, shared }
}

/// Reports the end of a worker on drop, so also after a panic.
struct Leaving(Sender<WorkerMessage>);

impl Leaving {
    fn send(&self, message: WorkerMessage) {
        let _ = self.0.send(message); // fails if the run was dropped
    }

    fn broken(&self, what: String) {
        self.send(WorkerMessage::Event(RunEvent::Broken(what)));
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        if thread::panicking() {
            self.broken("a worker panicked, which is a fault of arbiter".to_owned());
        }
        self.send(WorkerMessage::Left);
    }
}

struct Shared {
    plan: Match,
    queue: Mutex<GameQueue>,
    changed: Condvar,
    /// Whether running games are broken off.
    broken_off: watch::Sender<bool>,
    cores: Cores,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, GameQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for what the worker is to do next.
    fn next(&self, worker: usize) -> Task {
        let mut queue = self.queue();
        loop {
            if let Some(task) = queue.next(worker) {
                return task;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until a game is settled, or its worker is to end the bots that it keeps; whether it is
    /// not settled yet.
    fn await_settled(&self, index: u64, worker: usize) -> bool {
        let mut queue = self.queue();
        while queue.is_open(index) && queue.stage(worker) == Some(Stage::Waiting) {
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        queue.is_open(index)
    }

    fn set_stage(&self, worker: usize, stage: Stage) {
        self.queue().set_stage(worker, stage);
        self.changed.notify_all();
    }

    /// The worker has no bots any more.
    fn has_left(&self, worker: usize) {
        self.queue().has_left(worker);
        self.changed.notify_all();
    }
}

/// Plays games from the queue until none is left, as the worker of this number.
fn work(shared: &Shared, worker: usize, leaving: &Leaving) -> io::Result<()> {
    let plan = &shared.plan;
    shared.cores.pin()?;
    let mut seats = Vec::new();
    let mut machine = Machine::new(plan.conditions.launcher.clone());
    // Between games the thread waits for others, which the event loop must not.
    let event_loop = event_loop()?;
    let mut broken_off = shared.broken_off.subscribe();
    loop {
        let assignment = match shared.next(worker) {
            Task::Play(assignment) => *assignment,
            Task::EndBots => {
                event_loop.block_on(end_bots(&mut seats));
                shared.set_stage(worker, Stage::Waiting);
                continue;
            }
            Task::Leave => break,
            Task::Broken(what) => {
                leaving.broken(what);
                break;
            }
        };
        let index = assignment.pairing.index;
        event_loop.block_on(take_seats(&mut seats, &assignment.players));
        let [first, second] = &mut seats[..] else { break };
        let both = BySide { first, second };
        let watcher = plan.watchers.get(worker);
        let game = game::play(&plan.conditions, assignment, both, &mut machine, watcher);
        let game = event_loop.block_on(async {
            tokio::select! {
                biased;
                finished = game => Some(finished),
                _ = broken_off.wait_for(|is_so| *is_so) => None,
            }
        });
        // With the seats its bots are dropped, which kills them.
        let Some(mut finished) = game else { return Ok(()) };
        // Nothing keeps the bots any longer, and how they end belongs to their last game.
        if shared.queue().is_last(index) {
            for (seat, side) in seats.iter_mut().zip(Side::BOTH) {
                let exit = event_loop.block_on(seat.leave());
                finished.exits[side] = exit.or(finished.exits[side].take());
            }
        }
        shared.set_stage(worker, Stage::Waiting);
        let finished = WorkerMessage::Event(RunEvent::Finished(Box::new(finished)));
        if leaving.0.send(finished).is_err() {
            break;
        }
        while shared.await_settled(index, worker) {
            event_loop.block_on(end_bots(&mut seats));
            shared.set_stage(worker, Stage::Waiting);
        }
    }
    event_loop.block_on(end_bots(&mut seats));
    shared.has_left(worker);
    Ok(())
}

/// Ends the bots that were kept in these seats.
async fn end_bots(seats: &mut [Seat]) {
    for seat in seats {
        seat.leave().await;
    }
}

/// Fills the seats with these two players in this order. A bot of the last game keeps its seat and
/// its process if the same program plays again; a bot that does not play now is ended.
async fn take_seats(seats: &mut Vec<Seat>, players: &BySide<(String, PlayerSpec)>) {
    let players = [&players.first, &players.second];
    let mut staying = Vec::new();
    for mut seat in std::mem::take(seats) {
        if players.iter().any(|(name, spec)| seat.is_of(name, spec)) {
            staying.push(seat);
        } else {
            seat.leave().await;
        }
    }
    for (name, spec) in players {
        let seat = match staying.iter().position(|seat| seat.name == *name) {
            Some(at) => staying.swap_remove(at),
            None => Seat::new(name.clone(), spec.clone()),
        };
        seats.push(seat);
    }
}
