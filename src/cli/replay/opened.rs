//! Reads games of a log for the screen: the game at a place, its clocks, what its bots wrote.

use anyhow::{Context, bail};
use arbiter_game::record::{GamePlace, LogError, ReadableGame, Record};
use arbiter_game::replay::{Divergence, Timeline, replay};
use arbiter_ground::flags::time_of;
use arbiter_ground::input_file::{FIRST_BYTES, refuse_no_text};
use arbiter_host::files::{self, PositionReader};
use arbiter_play::store::{BotLogs, LoggedLine};
use arbiter_rules::Side;
use arbiter_show::view::replay::{OpenedGame, ProvedLoss, WrittenLine};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A log that can be read at any place, and the folder of what the bots wrote.
pub(super) struct LogSource {
    /// What messages call it.
    pub name: String,
    /// The log.
    pub file: File,
    bots: BotLogs,
}

impl LogSource {
    /// Opens a log, or the `games.pgn` of a folder. The bots' files are in `bot_logs`, by default
    /// in `bots` beside the log.
    ///
    /// # Errors
    /// It cannot be opened, or is no regular file.
    pub fn open(path: &Path, bot_logs: Option<&Path>) -> anyhow::Result<LogSource> {
        let is_folder = path.is_dir();
        let path = if is_folder { path.join("games.pgn") } else { path.to_owned() };
        let name = path.display().to_string();
        let file = match files::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput && !is_folder => {
                bail!("{name}: {error}; --plain prints a game of it")
            }
            opened => opened.with_context(|| name.clone())?,
        };
        let mut first = [0; FIRST_BYTES];
        let length = file.read_at(&mut first, 0).with_context(|| name.clone())?;
        refuse_no_text(&first[..length]).with_context(|| name.clone())?;
        let beside = path.parent().unwrap_or(Path::new("")).join("bots");
        Ok(LogSource { name, file, bots: BotLogs::existing(bot_logs.unwrap_or(&beside)) })
    }

    /// The game at a place. What cannot be read is said in the game's troubles.
    pub fn read(&self, place: GamePlace) -> OpenedGame {
        let index = place.number() - 1;
        let ReadableGame { record, error } = match self.bytes(place) {
            Ok(bytes) => place.read(&bytes),
            Err(error) => {
                return unreadable(index, vec![format!("the game cannot be read: {error}")]);
            }
        };
        let mut troubles: Vec<String> = error.iter().map(ToString::to_string).collect();
        let Some(record) = record else { return unreadable(index, troubles) };
        let written = self.written(&record, &mut troubles);
        // Of a part of a game nobody knows how it went on.
        let proved =
            if error.is_none() { ProvedLoss::of(&record, &time_of(&record)) } else { None };
        let (timeline, divergence) = timeline(record, error.as_ref());
        match divergence {
            None => troubles.extend(timeline.trouble()),
            // The rules failed, so the game contradicts nothing.
            Some(failed) if failed.fault.is_some() => troubles.push(failed.to_string()),
            Some(contradiction) => troubles.push(match contradiction.ply {
                Some(ply) => format!("it contradicts the rules at ply {ply}: {contradiction}"),
                None => format!("it contradicts the rules: {contradiction}"),
            }),
        }
        OpenedGame { index, timeline: Some(timeline), troubles, written, proved }
    }

    /// The bytes of a game; fewer if the file has become shorter.
    fn bytes(&self, place: GamePlace) -> io::Result<Vec<u8>> {
        let range = place.bytes();
        let mut bytes = Vec::new(); // at most 64 MiB and one
        let from = PositionReader { file: &self.file, place: range.start };
        from.take(range.end - range.start).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// What both bots wrote in a game.
    fn written(&self, record: &Record, troubles: &mut Vec<String>) -> Vec<WrittenLine> {
        let Some(id) = &record.id else { return Vec::new() };
        let mut written = Vec::new();
        for side in Side::BOTH {
            let name = &record.players[side];
            match self.bots.read(name, id) {
                Ok(lines) => {
                    for line in lines {
                        let LoggedLine { ply, channel, text } = line;
                        written.push(WrittenLine { side, ply, channel, text });
                    }
                }
                Err(error) => troubles.push(format!("what {name} wrote cannot be read: {error}")),
            }
        }
        written
    }
}

/// A game that cannot be shown, with the reasons.
fn unreadable(index: usize, troubles: Vec<String>) -> OpenedGame {
    OpenedGame { index, timeline: None, troubles, written: Vec::new(), proved: None }
}

/// The plies of a record with its clocks, and the first place where it contradicts the rules. After
/// an error of the log it is the readable part of a game, which contradicts the rules only by an
/// illegal ply.
pub(super) fn timeline(record: Record, error: Option<&LogError>) -> (Timeline, Option<Divergence>) {
    // What only a log tells of its rules cannot be checked here.
    let divergence = if record.ruleset().knows_plies() { replay(&record).err() } else { None };
    let time = time_of(&record);
    let timeline = Timeline::new(record, &time);
    match error {
        None => (timeline, divergence),
        Some(_) => (timeline.of_part(), divergence.filter(|divergence| divergence.ply.is_some())),
    }
}
