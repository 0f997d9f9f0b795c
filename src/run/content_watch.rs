//! Notices when the program of a bot changes during a run.

use super::ready_bot::ReadyBot;
use arbiter_host::locate::FoundContent;
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
    pub bot: String,
    pub files: Vec<String>,
}

struct WatchedBot {
    bot: ReadyBot,
    /// Its files at the last look, and which of them had changed then.
    last: FoundContent,
    seen: Vec<String>,
}

/// Looks at the files of all bots, and sends what has changed since before the first game. One look
/// could find a file that is being replaced by the same content, so two have to agree; returns
/// whether something is seen for the first time.
fn look(watched: &mut [WatchedBot], all: bool, changes: &Sender<ContentChange>) -> bool {
    let mut is_doubtful = false;
    for WatchedBot { bot, last, seen } in watched {
        let files = bot.changes(last, all);
        if files.is_empty() || files != *seen {
            is_doubtful |= !files.is_empty();
            *seen = files;
            continue;
        }
        seen.clear();
        bot.found = last.clone();
        let change = ContentChange { bot: bot.entrant.name.clone(), files };
        let _ = changes.send(change); // fails if the run has ended
    }
    is_doubtful
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
        let mut watched = Vec::new();
        for bot in bots {
            let last = bot.found.clone();
            watched.push(WatchedBot { bot: bot.clone(), last, seen: Vec::new() });
        }
        let (sender, changes) = channel();
        let (stop, stopped) = channel::<()>();
        thread::spawn(move || {
            let mut pause = PAUSE;
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(pause) {
                let began = Instant::now();
                look(&mut watched, all, &sender);
                pause = PAUSE.max(began.elapsed() * SHARE);
            }
            if look(&mut watched, all, &sender) {
                thread::sleep(PAUSE);
                look(&mut watched, all, &sender);
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
