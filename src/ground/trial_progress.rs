//! Shows the builds and tests of bots before the first game: as a block on a terminal, else in a
//! line now and then if they take long, and one at the beginning if there are many.

use super::output::{can_draw, colour, complain};
use arbiter_show::view::{Block, PROGRESS_FRAME, Waiting, terminal_size};
use std::io::stderr;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Without a terminal, the first line comes after this time, and each further one after twice the
/// time.
const FIRST_LINE: Duration = Duration::from_secs(10);

/// This many bots take seconds, which is said before.
const MANY_BOTS: usize = 50;

/// A step that all bots go through before the first game, shown until it is dropped.
pub struct TrialProgress {
    /// The bots that are done, and those at work.
    state: Arc<Mutex<Waiting>>,
    /// The thread that shows it ends when this is dropped.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl TrialProgress {
    /// Begins to show a step of this number of bots, if there are any; `what` is done with them,
    /// such as `building`.
    pub fn begin(what: &'static str, total: usize) -> TrialProgress {
        let began = Instant::now();
        let state = Waiting { what, began, done: 0, total, running: Vec::new() };
        let state = Arc::new(Mutex::new(state));
        let (stop, stopped) = channel::<()>();
        let shown = Arc::clone(&state);
        if total >= MANY_BOTS && !can_draw(&stderr()) {
            complain(format_args!("{what} {total} bots before the first game"));
        }
        let thread = thread::spawn(move || {
            let mut block = None;
            if total > 0 && can_draw(&stderr()) {
                block = Some(Block::new(stderr(), colour(), || terminal_size(stderr())));
            }
            let mut next_line = FIRST_LINE;
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(PROGRESS_FRAME) {
                let now = Instant::now();
                if let Some(block) = &mut block {
                    let lines = lock(&shown).lines(block.room(), now);
                    block.draw_lines(&lines);
                } else if total > 0 && now.duration_since(began) >= next_line {
                    let line = lock(&shown).line(now);
                    complain(line);
                    next_line *= 2;
                }
            }
            if let Some(block) = &mut block {
                block.end();
            }
        });
        TrialProgress { state, stop: Some(stop), thread: Some(thread) }
    }

    /// Does the work on the bot of this name, which others may have too, and shows it as long.
    pub fn during<T>(&self, name: &str, work: impl FnOnce() -> T) -> T {
        self.enter(name.to_owned());
        let done = work();
        self.leave(name);
        done
    }

    /// Work on this bot begins.
    pub fn enter(&self, name: String) {
        lock(&self.state).running.push((name, Instant::now()));
    }

    /// The bot is shown by another name from now on.
    pub fn rename(&self, name: &str, other: String) {
        let mut state = lock(&self.state);
        if let Some((shown, _)) = state.running.iter_mut().find(|(running, _)| running == name) {
            *shown = other;
        }
    }

    /// Work on this bot is over.
    pub fn leave(&self, name: &str) {
        let mut state = lock(&self.state);
        // Two bots may have one name, so only one of them is removed.
        if let Some(at) = state.running.iter().position(|(running, _)| running == name) {
            state.running.remove(at);
        }
        state.done += 1;
    }
}

impl Drop for TrialProgress {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // a panic of it has been printed
        }
    }
}

fn lock(state: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
