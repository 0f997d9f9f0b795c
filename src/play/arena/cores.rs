//! The cores that games are pinned to.

use arbiter_game::{Pin, Pondering, Settings};
use arbiter_host::bot::{core_in_use, cores, keep_to};
use std::io;
use std::sync::{Mutex, PoisonError};

/// The cores that no worker has taken yet, with repetitions if there are fewer cores than workers;
/// empty if workers are not pinned.
#[derive(Debug)]
pub struct Cores(Mutex<Vec<usize>>);

impl Cores {
    /// The cores for this number of workers, by the setting `pin`.
    pub fn new(settings: &Settings, workers: usize) -> Cores {
        let allowed = cores();
        let pin = settings.rules.pin;
        if allowed.is_empty() && pin == Pin::On {
            tracing::warn!(
                "games are not given cores of their own: this system does not tell which there are"
            );
        }
        let frozen = settings.time.pondering == Pondering::Off;
        Cores(Mutex::new(match pin {
            Pin::On => allowed.iter().copied().cycle().take(allowed.len().max(workers)).collect(),
            Pin::Auto if frozen && workers <= allowed.len() => allowed,
            Pin::Auto | Pin::Off => Vec::new(),
        }))
    }

    /// Pins this thread, and the processes that it starts from now on, to a core, which it takes.
    /// The core that the thread runs on is preferred, because the system chose it as idle. Without
    /// a core to take, the thread is not pinned.
    ///
    /// # Errors
    /// This thread may not run there.
    pub fn pin(&self) -> io::Result<()> {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if free.is_empty() {
            return Ok(());
        }
        let here = core_in_use();
        let at = free.iter().position(|&core| core == here).unwrap_or_default();
        keep_to(free.remove(at))
    }
}
