//! Notices when the program of a bot changes during a run.

use super::ready_bot::ReadyBot;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two looks at the files of all bots.
const PAUSE: Duration = Duration::from_secs(1);
/// Looking takes at most this part (1/n) of the time.
const SHARE: u32 = 20;

/// A bot whose files have another content than before the first game.
#[derive(Debug)]
pub struct ContentChange {
    /// Its name.
    pub bot: String,
    /// The names of these files.
    pub files: Vec<String>,
}

/// Looks at the files of all bots about once a second, until it is dropped.
pub struct ContentWatch {
    changes: Receiver<ContentChange>,
    /// The thread looks for the last time when this is dropped.
    stop: Option<Sender<()>>,
}

impl ContentWatch {
    /// Begins to watch. Files that appear count as a change if `all` does.
    pub fn new(bots: &[ReadyBot], all: bool) -> ContentWatch {
        // Each bot with the last look at its files, and with what that has found.
        let mut watched: Vec<_> =
            bots.iter().map(|bot| (bot.clone(), bot.found.clone(), Vec::new())).collect();
        let (sender, changes) = channel();
        let (stop, stopped) = channel::<()>();
        thread::spawn(move || {
            // One look could find a file that is being replaced by the same content, so two have to
            // agree.
            let mut look = || {
                let mut is_doubtful = false;
                for (bot, last, seen) in &mut watched {
                    let files = bot.changes(last, all);
                    if !files.is_empty() && files == *seen {
                        let change =
                            ContentChange { bot: bot.entrant.name.clone(), files: files.clone() };
                        let _ = sender.send(change); // fails if the run has ended
                        bot.found = last.clone();
                        seen.clear();
                    } else {
                        is_doubtful |= !files.is_empty();
                        *seen = files;
                    }
                }
                is_doubtful
            };
            let mut pause = PAUSE;
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(pause) {
                let began = Instant::now();
                look();
                pause = PAUSE.max(began.elapsed() * SHARE);
            }
            if look() {
                thread::sleep(PAUSE);
                look();
            }
        });
        ContentWatch { changes, stop: Some(stop) }
    }

    /// Ends the watch after a last look, and returns the changes since the last call of
    /// [`changes`](ContentWatch::changes).
    pub fn finish(&mut self) -> Vec<ContentChange> {
        self.stop = None;
        self.changes.iter().collect()
    }

    /// The changes since the last call.
    pub fn changes(&self) -> impl Iterator<Item = ContentChange> + '_ {
        self.changes.try_iter()
    }
}
