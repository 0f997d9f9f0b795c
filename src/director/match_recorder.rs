//! Records the finished games of a match, shows them, and decides the exit status.

use super::audience::Spectators;
use super::follow::GameKeeper;
use super::output::{complain, counted};
use super::run_display::RunDisplay;
use super::{Failure, Strict, Verdict};
use crate::arena::{Finished, Run};
use crate::game::Outcome;
use crate::report::anonymizer::Anonymizer;
use crate::report::text;
use crate::rules::{BySide, Side};
use crate::schedule::Pairing;
use crate::standings::{Scored, Standings};
use crate::store::{BotLogs, GameLog};
use anyhow::{Context, anyhow};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Shows the games of a match.
pub struct MatchScreen {
    pub spectators: Option<Spectators>,
    /// None if the spectators have a board.
    pub display: Option<RunDisplay>,
}

impl MatchScreen {
    fn game(&mut self, finished: &Finished) -> Result<(), Failure> {
        match (&mut self.display, &self.spectators) {
            (Some(display), _) => {
                display.game(&Anonymizer::unchanged().record(finished.record.clone()), finished.attempt)
            }
            (None, Some(spectators)) => {
                spectators.end(text::game(&Anonymizer::unchanged().record(finished.record.clone())));
                Ok(())
            }
            (None, None) => Ok(()),
        }
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
    pub fn finish(mut self) {
        self.display.iter_mut().for_each(RunDisplay::end);
        self.spectators.into_iter().for_each(Spectators::finish);
    }
}

/// Records the finished games of a match and shows them.
pub struct MatchRecorder {
    /// The number of games of the match.
    pub games: u32,
    /// The log, with the path that messages name.
    pub log: Option<(GameLog, PathBuf)>,
    pub bot_logs: Option<BotLogs>,
    /// The digests of the bots, if a log is written.
    pub digests: [Option<String>; 2],
    pub standings: Standings,
    pub tally: Tally,
    pub screen: MatchScreen,
}

impl GameKeeper for MatchRecorder {
    fn look(&mut self, run: &Run) -> Result<(), Failure> {
        self.screen.draw(run, &self.standings);
        Ok(())
    }

    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        let Pairing { first, second, .. } = finished.pairing;
        finished.record.digests = BySide { first, second }.map(|bot| self.digests[bot].clone());
        if let Some((log, path)) = &mut self.log {
            let context = || format!("--log {}: the game {} is lost", path.display(), finished.pairing.id);
            log.append(&finished.record).with_context(context).map_err(Failure::Unfinished)?;
        }
        if let Some(logs) = &self.bot_logs {
            write_bot_logs(logs, finished).map_err(Failure::Unfinished)?;
        }
        self.standings.add(&Scored::from(&finished.record));
        self.tally.add(finished);
        Ok(())
    }

    fn show(&mut self, finished: &Finished) -> Result<(), Failure> {
        let notes = early_ends(finished).into_iter().chain(pondering(finished));
        notes.for_each(|note| self.screen.note(&note));
        self.screen.game(finished)
    }

    fn interrupt(&mut self, time: u32) -> Result<(), Failure> {
        if time > 1 {
            let (played, games) = (self.tally.games, self.games);
            return Err(Failure::Interrupted(anyhow!("stopped after {played} of {games} games")));
        }
        self.screen.note(INTERRUPTED);
        Ok(())
    }
}

/// What is said of a first interruption of a run.
pub const INTERRUPTED: &str = "interrupted: the running games will be finished; interrupt again to stop them";

/// Notes on bots that ended early without losing by it, because they were not asked again: their authors should
/// know.
pub fn early_ends(finished: &Finished) -> Vec<String> {
    let note = |side: Side| {
        let expected = match finished.record.outcome {
            Outcome::Forfeit(loser, _) | Outcome::Resigned(loser) => loser == side,
            Outcome::Aborted(_) => true,
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

pub fn write_bot_logs(logs: &BotLogs, finished: &Finished) -> anyhow::Result<()> {
    for side in Side::BOTH {
        let (name, notes) = (&finished.record.players[side], &finished.notes[side]);
        logs.write(name, &finished.pairing.id, &notes.stderr.lines(), &notes.unrecognised.lines())
            .with_context(|| format!("--bot-logs: {name}, game {}", finished.pairing.id))?;
    }
    Ok(())
}

/// Counts of finished games, which decide the exit status.
#[derive(Default)]
pub struct Tally {
    /// Whose forfeits and aborted games count.
    strict: Strict,
    /// All of them.
    pub games: u32,
    aborted: u32,
    /// Forfeits that `--strict` asks for, by bot.
    forfeits: BTreeMap<String, u64>,
    /// Aborted games of a bot that `--strict` asks for.
    strictly_aborted: u64,
    broken: Option<String>,
}

impl Tally {
    /// No games yet.
    pub fn new(strict: Strict) -> Tally {
        Tally { strict, ..Tally::default() }
    }

    fn add(&mut self, finished: &Finished) {
        self.games += 1;
        let record = &finished.record;
        let concerns = |side: Side| self.strict.concerns(&record.players[side]);
        match record.outcome {
            Outcome::Forfeit(loser, _) if concerns(loser) => {
                *self.forfeits.entry(record.players[loser].clone()).or_default() += 1;
            }
            Outcome::Aborted(_) => {
                self.aborted += 1;
                self.strictly_aborted += u64::from(concerns(Side::First) || concerns(Side::Second));
            }
            _ => {}
        }
        if let Some(what) = &finished.broken {
            self.broken = Some(what.clone());
        }
    }

    /// The exit status, with the reasons for it.
    ///
    /// # Errors
    /// Every game was aborted.
    pub fn verdict(self) -> Result<Verdict, Failure> {
        if self.aborted == self.games {
            let why = self.broken.unwrap_or_else(|| "neither bot started".to_owned());
            return Err(Failure::Unfinished(anyhow!("every game was aborted: {why}")));
        }
        let forfeits = self.forfeits.iter();
        let mut reasons: Vec<String> = forfeits
            .map(|(name, &games)| format!("{name} lost {} by forfeit", counted(games, "game")))
            .collect();
        if self.strictly_aborted > 0 {
            reasons.push(format!("aborted: {}", counted(self.strictly_aborted, "game")));
        }
        Ok(Verdict::because(1, reasons))
    }
}
