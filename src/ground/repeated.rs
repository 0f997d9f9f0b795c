//! Work that is repeated on a thread of its own.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A thread that repeats its work until this is dropped. Dropping it waits for work that has begun.
pub struct Repeated {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Repeated {
    /// Does this work for the first time after `pause`; it returns the pause before the next time.
    pub fn start(
        mut pause: Duration,
        mut work: impl FnMut() -> Duration + Send + 'static,
    ) -> Repeated {
        let (stop, stopped) = channel::<()>();
        let thread = thread::spawn(move || {
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                pause = work();
            }
        });
        Repeated { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Repeated {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // a panic of it has been printed
        }
    }
}
