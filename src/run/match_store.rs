//! A match: its games are kept in a log, if the user wants one, and its result is an exit status.

use crate::display::terminal_screen::TerminalScreen;
use anyhow::{Context, anyhow};
use arbiter_ground::bot_log_writer::BotLogWriter;
use arbiter_ground::failure::Failure;
use arbiter_ground::recorder::{Interruption, RecordStore, Recorder, RunScreen};
use arbiter_ground::verdict::{Strict, Verdict};
use arbiter_play::arena::Finished;
use arbiter_play::store::GameLog;
use arbiter_rank::schedule::Pairing;
use arbiter_rank::standings::Row;
use arbiter_rules::BySide;
use arbiter_rules::text::counted;
use std::path::Path;

/// Where the games of a match are kept.
pub struct MatchStore {
    /// The number of games of the match.
    pub games: u32,
    pub log: Option<GameLog>,
    /// The digests of the bots, if a log is written.
    pub digests: [Option<String>; 2],
}

impl RecordStore for MatchStore {
    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        let Pairing { first, second, .. } = finished.pairing;
        finished.record.digests = BySide { first, second }.map(|bot| self.digests[bot].clone());
        let Some(log) = &mut self.log else { return Ok(()) };
        let id = &finished.pairing.id;
        log.append(&finished.record)
            .with_context(|| format!("--log {}: the game {id} is lost", log.path().display()))
            .map_err(Failure::Unfinished)
    }

    fn interrupt(
        &mut self,
        interruption: Interruption,
        played: u64,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        interruption.announce(&format!("{played} of {} games were played", self.games), screen)
    }
}

/// Opens the file of `--log`.
///
/// # Errors
/// It cannot be opened; the error names the option.
pub fn open_log(path: &Path) -> anyhow::Result<GameLog> {
    GameLog::open(path).with_context(|| format!("--log {}", path.display()))
}

/// The exit status, with the reasons for it; `strict` says whose forfeits and aborted games
/// count.
///
/// # Errors
/// No game began: every one was aborted, or neither bot started. Or logs of bots could not be
/// written.
pub fn match_verdict(
    recorder: &Recorder<MatchStore, TerminalScreen>,
    strict: &Strict,
) -> Result<Verdict, Failure> {
    if let Some(verdict) = recorder.faults.of_run(recorder.faults.are_too_many()) {
        return Ok(verdict);
    }
    let rows = recorder.standings.rows();
    if rows.iter().all(|row| row.games == row.both_lost) {
        return Err(Failure::Unfinished(match &recorder.broken {
            Some(why) => anyhow!("every game was aborted: {why}"),
            None => anyhow!("neither bot started in any game"),
        }));
    }
    if let Some(failed) = recorder.logs.as_ref().and_then(BotLogWriter::failed) {
        return Err(Failure::Unfinished(anyhow!("--bot-logs: {failed}")));
    }
    let mut rows: Vec<&Row> = rows.iter().filter(|row| strict.concerns(&row.name)).collect();
    rows.sort_by_key(|row| &row.name);
    let mut reasons = Vec::new();
    for row in &rows {
        if row.forfeits > 0 {
            reasons.push(format!("{} lost {} by forfeit", row.name, counted(row.forfeits, "game")));
        }
    }
    // An aborted game is in the rows of both bots.
    if let Some(row) = rows.first()
        && row.aborted > 0
    {
        reasons.push(format!("aborted: {}", counted(row.aborted, "game")));
    }
    Ok(Verdict::because(1, reasons))
}
