//! Records the finished games of a match, shows them, and decides the exit status.

use super::audience::Spectators;
use super::bot_log_writer::BotLogWriter;
use super::follow::{GameKeeper, Interruption};
use super::output::complain;
use super::rules_faults::RulesFaults;
use super::run_display::RunDisplay;
use super::{Failure, Strict, Verdict};
use crate::arena::{Finished, Run};
use crate::game::Outcome;
use crate::record::Record;
use crate::report::anonymizer::Anonymizer;
use crate::report::text;
use crate::rules::{BySide, Side};
use crate::schedule::Pairing;
use crate::standings::{Row, Scored, Standings};
use crate::store::GameLog;
use crate::text::counted;
use anyhow::{Context, anyhow};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;
use std::time::Duration;

/// Shows the games of a match.
pub struct MatchScreen {
    pub spectators: Option<Spectators>,
    /// None if the spectators have a board.
    pub display: Option<RunDisplay>,
}

impl MatchScreen {
    fn game(&mut self, finished: &Finished) -> Result<(), Failure> {
        let record = Anonymizer::unchanged().record(finished.record.clone());
        if let Some(display) = &mut self.display {
            return display.game(&record, finished.attempt);
        }
        self.spectators.iter().for_each(|spectators| spectators.end(text::game(&record)));
        Ok(())
    }

    fn note(&mut self, line: &str) {
        match (&mut self.display, &self.spectators) {
            (Some(display), _) => display.note(&Anonymizer::unchanged().names(line)),
            (None, Some(spectators)) => spectators.note(line.to_owned()),
            (None, None) => complain(line),
        }
    }

    fn draw(&mut self, run: &Run, standings: &Standings) {
        self.display.iter_mut().for_each(|display| display.draw(run, standings, &Anonymizer::unchanged()));
    }

    /// The match is over; returns when everything is shown.
    ///
    /// # Errors
    /// The transcript is not complete.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(display) = &mut self.display {
            display.end();
        }
        match self.spectators {
            Some(spectators) => spectators.finish(),
            None => Ok(()),
        }
    }
}

/// Records the finished games of a match and shows them.
pub struct MatchRecorder {
    /// The number of games of the match.
    pub games: u32,
    pub log: Option<GameLog>,
    pub bot_logs: Option<BotLogWriter>,
    /// The digests of the bots, if a log is written.
    pub digests: [Option<String>; 2],
    pub standings: Standings,
    pub repeats: Repeats,
    /// How arbiter itself failed last.
    pub broken: Option<String>,
    /// How the rules of the game failed.
    pub faults: RulesFaults,
    pub screen: MatchScreen,
}

/// How many games from one position repeat an earlier one, ply by ply and with the same sides: they say nothing new of the bots.
#[derive(Default)]
pub struct Repeats {
    seen: HashSet<u64>,
    pub games: u32,
}

impl Repeats {
    fn add(&mut self, record: &Record) {
        if record.plies.is_empty() {
            return;
        }
        let mut hasher = DefaultHasher::new();
        record.players.first.hash(&mut hasher);
        record.plies.iter().for_each(|played| played.ply.hash(&mut hasher));
        self.games += u32::from(!self.seen.insert(hasher.finish()));
    }
}

/// Opens the file of `--log`.
///
/// # Errors
/// It cannot be opened; the error names the option.
pub fn open_log(path: &Path) -> anyhow::Result<GameLog> {
    GameLog::open(path).with_context(|| format!("--log {}", path.display()))
}

impl MatchRecorder {
    /// The number of games so far, also of those without a result. Both bots play in each.
    pub fn played(&self) -> u64 {
        self.standings.rows().first().map_or(0, |row| row.games + row.aborted)
    }

    /// The exit status, with the reasons for it; `strict` says whose forfeits and aborted games count.
    ///
    /// # Errors
    /// No game began: every one was aborted, or neither bot started. Or logs of bots could not be
    /// written.
    pub fn verdict(&self, strict: &Strict) -> Result<Verdict, Failure> {
        if let Some(verdict) = self.faults.of_run(self.faults.are_too_many()) {
            return Ok(verdict);
        }
        let rows = self.standings.rows();
        if rows.iter().all(|row| row.games == row.both_lost) {
            return Err(Failure::Unfinished(match &self.broken {
                Some(why) => anyhow!("every game was aborted: {why}"),
                None => anyhow!("neither bot started in any game"),
            }));
        }
        if let Some(failed) = self.bot_logs.as_ref().and_then(BotLogWriter::failed) {
            return Err(Failure::Unfinished(anyhow!("--bot-logs: {failed}")));
        }
        let mut rows: Vec<&Row> = rows.iter().filter(|row| strict.concerns(&row.name)).collect();
        rows.sort_by_key(|row| &row.name);
        let lost = rows.iter().filter(|row| row.forfeits > 0);
        let lost = lost.map(|row| format!("{} lost {} by forfeit", row.name, counted(row.forfeits, "game")));
        let aborted = rows.first().filter(|row| row.aborted > 0);
        let aborted = aborted.map(|row| format!("aborted: {}", counted(row.aborted, "game")));
        Ok(Verdict::because(1, lost.chain(aborted).collect()))
    }
}

impl GameKeeper for MatchRecorder {
    fn look(&mut self, run: &Run) -> Result<(), Failure> {
        self.screen.draw(run, &self.standings);
        Ok(())
    }

    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        let Pairing { first, second, .. } = finished.pairing;
        finished.record.digests = BySide { first, second }.map(|bot| self.digests[bot].clone());
        if let Some(log) = &mut self.log {
            let logged = log.append(&finished.record);
            let context =
                || format!("--log {}: the game {} is lost", log.path().display(), finished.pairing.id);
            logged.with_context(context).map_err(Failure::Unfinished)?;
        }
        self.standings.add(&Scored::from(&finished.record));
        self.repeats.add(&finished.record);
        finished.fault.iter().for_each(|fault| self.faults.add(fault));
        self.broken = finished.broken.clone().or(self.broken.take());
        let warning = self.bot_logs.as_mut().and_then(|logs| logs.write(finished));
        if let Some(warning) = warning {
            self.screen.note(&warning);
        }
        Ok(())
    }

    fn show(&mut self, finished: &Finished) -> Result<(), Failure> {
        let notes = early_ends(finished).into_iter().chain(pondering(finished));
        notes.for_each(|note| self.screen.note(&note));
        self.screen.game(finished)
    }

    fn interrupt(&mut self, interruption: Interruption) -> Result<(), Failure> {
        let kept = format!("{} of {} games were played", self.played(), self.games);
        interruption.announce(&kept, |line| self.screen.note(line))
    }
}

/// Notes on bots that ended early without losing by it, because they were not asked again: their authors should
/// know.
pub fn early_ends(finished: &Finished) -> Vec<String> {
    let note = |side: Side| {
        let expected = match finished.record.outcome {
            Outcome::Forfeit(loser, _) | Outcome::Resigned(loser) => loser == side,
            Outcome::NeitherStarted | Outcome::Aborted(_) => true,
            Outcome::Rules(_) | Outcome::Repetition | Outcome::MaxPlies => false,
        };
        let report = finished.exits[side].as_ref().filter(|end| end.ended_early && !expected)?;
        let (name, game) = (&finished.record.players[side], &finished.pairing.id);
        let how = report.exit.map_or_else(|| "ended".to_owned(), |exit| exit.to_string());
        Some(format!("note: {name} {how} before game {game} was over; it was not asked again"))
    };
    Side::BOTH.into_iter().filter_map(note).collect()
}

/// Processor time off move is reported from this time on, and from this part (1/n) of the opponent's time on.
const PONDERED: (Duration, u32) = (Duration::from_millis(100), 20);

/// With pondering allowed: notes on bots that used processor time while they were not on move.
fn pondering(finished: &Finished) -> Vec<String> {
    let record = &finished.record;
    let note = |side: Side| {
        let pondered = finished.notes[side].pondered;
        let opponent = record.steps().filter(|step| step.side != side);
        let opponent: Duration = opponent.filter_map(|step| step.note.and_then(|note| note.wall)).sum();
        (pondered > PONDERED.0 && pondered * PONDERED.1 > opponent).then(|| {
            format!(
                "note: {} used {:.3} s of processor time while it was not on move in game {}, in which its opponent \
                 took {:.3} s",
                record.players[side],
                pondered.as_secs_f64(),
                finished.pairing.id,
                opponent.as_secs_f64()
            )
        })
    };
    Side::BOTH.into_iter().filter_map(note).collect()
}
