//! The processes of one rules file that wait for a question, and the private copy that they run
//! from.

use super::copy::PrivateCopy;
use super::process::{Launch, RulesProcess};
use crate::bot::Launcher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// One rules file that is loaded.
pub(super) struct Source {
    pub launch: Launch,
    /// The processes that wait; dropped before the copy.
    idle: Mutex<Vec<Idle>>,
    /// None when it was ended.
    copy: Mutex<Option<PrivateCopy>>,
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

static SOURCES: Mutex<Vec<Weak<Source>>> = Mutex::new(Vec::new());

/// Ends all processes of rules that wait for a question, and removes the copies of the rules. A
/// program calls it before it exits, because rulesets are never dropped. (If it is killed, the
/// wardens end the processes.)
pub fn end_all() {
    let sources = std::mem::take(&mut *locked(&SOURCES));
    for source in sources.iter().filter_map(Weak::upgrade) {
        locked(&source.idle).clear();
        locked(&source.copy).take();
    }
}

/// Runs all rules that are loaded under this launcher from now on: that of the run, with the
/// namespaces and control groups that were found to work after the rules had to be known. An answer
/// may take so long then.
pub fn run_all_under(launcher: &Launcher, answer: Duration) {
    for source in locked(&SOURCES).iter().filter_map(Weak::upgrade) {
        locked(&source.launch.limits).rules_time = answer;
        source.run_under(launcher);
    }
}

impl Source {
    /// Starts processes by this launcher from now on, and ends those that wait.
    pub fn run_under(&self, launcher: &Launcher) {
        locked(&self.launch.launcher).clone_from(launcher);
        locked(&self.idle).clear();
    }

    pub fn new(launch: Launch, copy: PrivateCopy) -> Arc<Source> {
        let source =
            Arc::new(Source { launch, idle: Mutex::default(), copy: Mutex::new(Some(copy)) });
        let mut sources = locked(&SOURCES);
        sources.retain(|source| source.strong_count() > 0);
        sources.push(Arc::downgrade(&source));
        source
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
