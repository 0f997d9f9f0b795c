//! The processes of one rules file that wait for a question, and the private copy that they run
//! from.

use super::copy::PrivateCopy;
use super::process::{Launch, RulesProcess};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// What starts the processes of one rules file, and those of them that wait.
pub(super) struct ProcessPool {
    pub launch: Launch,
    /// The processes that wait; dropped before the copy.
    idle: Mutex<Vec<Idle>>,
    _copy: PrivateCopy,
}

/// A process that waits.
struct Idle {
    /// The number of the engine whose options it has received, or [`WITHOUT_OPTIONS`].
    engine: usize,
    /// The thread that asked it last: a worker is pinned to one core, and a process to that of the
    /// thread that started it.
    thread: ThreadId,
    process: RulesProcess,
}

/// The engine of processes that have said which options there are, and have received none.
pub(super) const WITHOUT_OPTIONS: usize = usize::MAX;

/// The most processes that wait while those of another engine are asked.
const MOST_OF_OTHERS: usize = 8;

impl ProcessPool {
    pub fn new(launch: Launch, copy: PrivateCopy) -> ProcessPool {
        ProcessPool { launch, idle: Mutex::default(), _copy: copy }
    }

    /// Ends the processes that wait.
    pub fn end_idle(&self) {
        locked(&self.idle).clear();
    }

    /// A waiting process of an engine: that which this thread asked last, or else any.
    pub fn take(&self, engine: usize) -> Option<RulesProcess> {
        let mut idle = locked(&self.idle);
        let thread = thread::current().id();
        let own = idle.iter().rposition(|one| one.engine == engine && one.thread == thread);
        let found = own.or_else(|| idle.iter().rposition(|one| one.engine == engine))?;
        Some(idle.remove(found).process)
    }

    /// A process that has answered waits for the next question of its engine. Logs may have games
    /// with thousands of values of the options, so only the last processes of other engines are
    /// kept. Returns one for the caller to end, which takes a while.
    pub fn put(&self, engine: usize, process: RulesProcess) -> Option<RulesProcess> {
        let mut idle = locked(&self.idle);
        idle.push(Idle { engine, thread: thread::current().id(), process });
        let others = idle.iter().filter(|idle| idle.engine != engine).count();
        if others <= MOST_OF_OTHERS {
            return None;
        }
        let first = idle.iter().position(|idle| idle.engine != engine)?;
        Some(idle.remove(first).process)
    }
}

/// Locks a value, also after a thread has panicked: nothing that holds one of these locks can leave
/// its value half changed.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
