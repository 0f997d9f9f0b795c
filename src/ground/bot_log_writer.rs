//! Writes what bots wrote in a game to their logs, after the game is recorded.

use arbiter_cup::tournament::JournalHead;
use arbiter_play::arena::Finished;
use arbiter_play::store::BotLogs;
use arbiter_rules::Side;
use arbiter_rules::text::{Message, counted};
use std::collections::HashMap;

/// Writes the logs of bots. A bot decides how much it writes, so a log that cannot be written, on a
/// full disk for instance, must cost no game: it is a warning, and the game is recorded before.
pub struct BotLogWriter {
    logs: BotLogs,
    /// The names of folders that are not those of the records, by these.
    folders: HashMap<String, String>,
    failed: u64,
}

impl BotLogWriter {
    pub fn new(logs: BotLogs) -> BotLogWriter {
        BotLogWriter { logs, folders: HashMap::new(), failed: 0 }
    }

    /// The same for a tournament: the folders of its bots have their own names.
    pub fn of_tournament(logs: BotLogs, head: &JournalHead) -> BotLogWriter {
        let mut writer = BotLogWriter::new(logs);
        for bot in &head.roster {
            if let Some(own_name) = &bot.private {
                writer.folders.insert(bot.name.clone(), own_name.clone());
            }
        }
        writer
    }

    /// Writes what both bots wrote in a game. Returns a warning at the first failure; [`failed`]
    /// has the number of all.
    ///
    /// [`failed`]: BotLogWriter::failed
    pub fn write(&mut self, finished: &Finished) -> Option<Message> {
        let id = &finished.pairing.id;
        let mut warning = None;
        for side in Side::BOTH {
            let name = &finished.record.players[side];
            let notes = &finished.notes[side];
            let folder = self.folders.get(name).unwrap_or(name);
            let written =
                self.logs.write(folder, id, &notes.stderr.lines(), &notes.unrecognised.lines());
            if let Err(error) = written {
                self.failed += 1;
                // On a full disk each game would repeat it.
                if self.failed == 1 {
                    let what = format!("warning: what {name} wrote in game {id} cannot be kept: ");
                    let text = Message::from(what).quoted(error.to_string());
                    warning = Some(text.own("; the game counts, and others are played"));
                }
            }
        }
        warning
    }

    /// What the end of a run says of logs that are missing; `None` if all were written.
    pub fn failed(&self) -> Option<String> {
        if self.failed == 0 {
            return None;
        }
        Some(format!("{} of bots could not be written", counted(self.failed, "log")))
    }
}
