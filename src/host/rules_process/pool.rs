//! The processes of one rules file that wait for a question, and the private copy that they run
//! from.

use super::copy::PrivateCopy;
use super::process::{Launch, RulesProcess};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// One rules file that is loaded.
pub(super) struct Source {
    pub launch: Launch,
    /// The processes that wait; dropped before the copy.
    idle: Mutex<Vec<Idle>>,
    _copy: PrivateCopy,
}

/// A process that waits.
struct Idle {
    /// The number of the engine whose options it was told; [`UNTOLD`] of one that was told none.
    engine: usize,
    /// The thread that asked it last. A worker keeps to one core, and a process keeps to that of
    /// the thread that started it.
    thread: ThreadId,
    process: RulesProcess,
}

/// The engine of processes that have said which options there are, and no more.
pub(super) const UNTOLD: usize = usize::MAX;

/// The most processes that wait while those of another engine are asked.
const MOST_OF_OTHERS: usize = 8;

impl Source {
    pub fn new(launch: Launch, copy: PrivateCopy) -> Source {
        Source { launch, idle: Mutex::default(), _copy: copy }
    }

    /// Ends the processes that wait.
    pub fn end_idle(&self) {
        locked(&self.idle).clear();
    }

    /// A waiting process of an engine: that which this thread asked last, or else any.
    pub fn take(&self, engine: usize) -> Option<RulesProcess> {
        let mut idle = locked(&self.idle);
        let thread = thread::current().id();
        let own = idle.iter().rposition(|idle| idle.engine == engine && idle.thread == thread);
        let at = own.or_else(|| idle.iter().rposition(|idle| idle.engine == engine))?;
        Some(idle.remove(at).process)
    }

    /// A process that has answered waits for the next question of its engine. Of those of other
    /// engines only the last ones go on waiting: logs may have games with thousands of values of
    /// the options. Returns one that is to be ended, which takes a while.
    #[must_use]
    pub fn put(&self, engine: usize, process: RulesProcess) -> Option<RulesProcess> {
        let mut idle = locked(&self.idle);
        idle.push(Idle { engine, thread: thread::current().id(), process });
        let is_other = |idle: &Idle| idle.engine != engine;
        let others = idle.iter().filter(|&idle| is_other(idle)).count();
        let first = idle.iter().position(is_other).filter(|_| others > MOST_OF_OTHERS);
        first.map(|at| idle.remove(at).process)
    }
}

/// Nothing that holds one of these locks can leave its value in disorder.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
