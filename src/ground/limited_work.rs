//! Work beside the games that may take only a part of the time.

use std::time::{Duration, Instant};

/// Work that takes a part of the time only.
pub struct LimitedWork {
    /// The least time between the end of one and the next.
    pause: Duration,
    /// It takes at most this part (1/n) of the time.
    share: u32,
    /// When it may be done again.
    due: Instant,
}

impl LimitedWork {
    /// Work that is first due at this time.
    pub fn new(pause: Duration, share: u32, due: Instant) -> LimitedWork {
        LimitedWork { pause, share, due }
    }

    /// Whether it may be done.
    pub fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    /// Does the work, and puts off the next.
    pub fn run<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        self.due = Instant::now() + self.pause.max(began.elapsed() * self.share);
        done
    }
}
