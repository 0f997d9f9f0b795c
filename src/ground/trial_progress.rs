//! Shows the builds and tests of bots before the first game: as a block on a terminal, else in a
//! line now and then if they take long, and one at the beginning if there are many.

use super::output::{can_draw, colour, complain};
use super::repeated::Repeated;
use arbiter_show::view::{Block, PROGRESS_FRAME, Waiting, terminal_size};
use std::io::{Stderr, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    /// What shows it; `None` if there are no bots.
    _shown: Option<Repeated>,
}

/// A step as it is shown.
struct ShownStep {
    state: Arc<Mutex<Waiting>>,
    /// On a terminal.
    block: Option<Block<Stderr>>,
    /// Otherwise, when the next line comes.
    next_line: Duration,
}

impl ShownStep {
    fn show(&mut self) {
        let now = Instant::now();
        let state = lock(&self.state);
        if let Some(block) = &mut self.block {
            let lines = state.lines(block.room(), now);
            drop(state); // no bot waits for a terminal
            block.draw_lines(&lines);
        } else if now.duration_since(state.began) >= self.next_line {
            let line = state.line(now);
            drop(state);
            complain(line);
            self.next_line *= 2;
        }
    }
}

impl Drop for ShownStep {
    fn drop(&mut self) {
        if let Some(block) = &mut self.block {
            block.end();
        }
    }
}

impl TrialProgress {
    /// Begins to show a step of this number of bots, if there are any; `what` is done with them,
    /// such as `building`.
    pub fn begin(what: &'static str, total: usize) -> TrialProgress {
        let state = Waiting { what, began: Instant::now(), done: 0, total, running: Vec::new() };
        let state = Arc::new(Mutex::new(state));
        if total == 0 {
            return TrialProgress { state, _shown: None };
        }
        let mut block = None;
        if can_draw(&stderr()) {
            block = Some(Block::new(stderr(), colour(), || terminal_size(stderr())));
        } else if total >= MANY_BOTS {
            complain(format_args!("{what} {total} bots before the first game"));
        }
        let mut step = ShownStep { state: Arc::clone(&state), block, next_line: FIRST_LINE };
        let shown = Repeated::start(PROGRESS_FRAME, move || {
            step.show();
            PROGRESS_FRAME
        });
        TrialProgress { state, _shown: Some(shown) }
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

fn lock(state: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
