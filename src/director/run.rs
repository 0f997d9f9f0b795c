//! Runs a tournament: a finished game goes to the journal first, then to the screen and the tables.

use super::begin::{ReadyTournament, begin};
use super::bot_log_writer::BotLogWriter;
use super::bot_times::crowd;
use super::builds::Builds;
use super::content_watch::{ContentChange, ContentWatch};
use super::entrants::ReadyBot;
use super::follow::{GameKeeper, Interruption, RunEnd, follow};
use super::limited_work::LimitedWork;
use super::live::{LivePage, LiveSetup};
use super::match_recorder::early_ends;
use super::output::{complain, fitted, print_if_open};
use super::preparation::Preparation;
use super::recorded::Recorded;
use super::report::{CountedGames, run_bots, standings_report, verdict};
use super::request::{TournamentRequest, openings};
use super::result_files::{ResultFiles, summarise};
use super::rules_faults::RulesFaults;
use super::run_display::{KeptLines, RunDisplay};
use super::run_options::{RunKind, RunOptions};
use super::watched_games::WatchedGames;
use super::{Failure, Verdict};
use crate::arena::{self, Finished, GameQueue, Match, PlayerSpec, Run};
use crate::game::Sandbox;
use crate::locate::Program;
use crate::openings::Openings;
use crate::report::anonymizer::Anonymizer;
use crate::report::standings::{StandingsReport, match_json, text};
use crate::rules::own::known_rules;
use crate::rules::{Game, Ruleset};
use crate::standings::{Scored, Standings};
use crate::store::ResultFolder;
use crate::text::printable;
use crate::tournament::{AttemptResult, GameSummary, JournalEntry, RunEntry, TRIES};
use anyhow::{Context, anyhow};
use std::io::stdout;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the display is updated while no game ends.
const TICK: Duration = Duration::from_millis(200);
/// The least time between two updates of the tables during a run.
const REFRESH: Duration = Duration::from_secs(10);
/// Updates take at most this part (1/n) of the time.
const REFRESH_SHARE: u32 = 20;
/// Plays the tournament, or continues it, with its results in the folder `dir`.
///
/// # Errors
/// It cannot begin, a game cannot be recorded, or it was interrupted.
pub fn play_tournament(
    request: &TournamentRequest,
    options: RunOptions,
    dir: &Path,
) -> Result<Verdict, Failure> {
    let schedule = &request.config.schedule;
    let (settings, stderr) = (request.config.settings, request.config.publish.stderr);
    let mut preparation = Preparation::new(settings, &request.name, schedule.seed, stderr, request.origin)?;
    preparation.conditions.pause = options.pause;
    preparation.conditions.has_openings = request.listed.is_some() || schedule.opening_plies > 0;
    preparation.isolate()?;
    let openings = openings(&request.config, request.listed.as_deref())?;
    if let Some(note) = crowd(&request.config.settings, options.concurrency.into()) {
        complain(note);
    }
    let folder = ResultFolder::open(dir)?;
    let ready = begin(request, &options, &mut preparation, &folder)?;
    let anonymizer = ready.anonymizer.clone();
    keep_rules(&folder, request.config.settings.ruleset)?;
    let ended = play(options, preparation, openings, &folder, ready);
    ended.map_err(|failure| failure.reworded(|text| anonymizer.names(text).to_string()))
}

/// Keeps a copy of the rules of a game of one's own, for people: it is never run.
///
/// # Errors
/// It cannot be written.
fn keep_rules(folder: &ResultFolder, ruleset: Ruleset) -> Result<(), Failure> {
    let Game::Own(own) = ruleset.game() else { return Ok(()) };
    let Some(source) = known_rules(ruleset.game().name(), own.digest()) else { return Ok(()) };
    let kept = folder.replace_rules(|dir| source.save_copy(dir));
    kept.context("copying the rules into the result folder").map_err(Failure::Unfinished)
}

/// Plays the missing games, then writes all results.
fn play(
    options: RunOptions,
    preparation: Preparation,
    openings: Openings,
    folder: &ResultFolder,
    ready: ReadyTournament,
) -> Result<Verdict, Failure> {
    let ReadyTournament { progress, bots, recorded, share, builds, changed, anonymizer } = ready;
    let RunOptions { concurrency, stop_at, address, json, kind, explanation, strict, .. } = options;
    let (bots, anonymizer) = (&bots[..], &anonymizer);
    let conditions = preparation.conditions;
    let logs = folder.bot_logs().with_context(|| format!("{}", folder.dir().display()));
    let logs = logs.map_err(Failure::Unfinished)?;
    let program = |bot: &ReadyBot| PlayerSpec::Program(Arc::clone(&bot.program));
    let format = recorded.config.schedule.format;
    let most = || (kind == RunKind::Test).then(|| 2 * u64::from(format.max_pairs));
    let total =
        if format.ends_by_tests() { most() } else { share.games(&recorded.config, &recorded.head.bots()) };
    let before = recorded.index.count() as u64;
    let lines = match kind {
        RunKind::Tournament => KeptLines::Notable,
        RunKind::Test => KeptLines::Trouble,
    };
    let mut display = RunDisplay::new(json, lines, &recorded.head.name, total, before);
    let games = WatchedGames::new(concurrency.into(), anonymizer.clone());
    let shown = display.watch(&games);
    let live = address.map(|address| {
        let (recorded, watched) = (recorded.follower()?, Some(games.clone()));
        LivePage::start(LiveSetup { address, recorded, watched, persons: None })
    });
    let live = live.transpose()?;
    let watchers = if live.is_some() { games.watchers() } else { shown };
    if let Some(live) = &live {
        let url = format!("the page of the tournament: {}", live.url());
        display.note(&anonymizer.message(&url.into()));
    }
    let plan = Match {
        conditions,
        bots: bots.iter().map(|bot| (bot.entrant.name.clone(), program(bot))).collect(),
        concurrency: concurrency.into(),
        watchers,
    };
    let mut known = recorded.index.played();
    if format.kind.replays_aborted && !format.ends_by_tests() {
        known.retain(|(_, attempt), ended| *ended != AttemptResult::Aborted || *attempt < TRIES);
    }
    let queue = GameQueue::new(progress, openings, known).share(share);
    let CountedGames { standings, .. } = CountedGames::of(&recorded).map_err(Failure::Unfinished)?;
    let bots_can_write = plan.conditions.launcher.sandbox < Sandbox::Strict;
    let mut recorder = RunRecorder {
        builds,
        watch: ContentWatch::new(bots, !bots_can_write),
        bots_can_write,
        kind,
        files: ResultFiles::new(folder, anonymizer),
        display,
        recorded,
        logs: BotLogWriter::new(logs),
        anonymizer,
        standings,
        refresh: LimitedWork::new(REFRESH, REFRESH_SHARE, Instant::now() + REFRESH),
        refresh_failed: false,
        stop_at,
    };
    let mut run = arena::run(plan, queue);
    let ended = follow(&mut run, TICK, &mut recorder);
    let rules_fail = ended.as_ref().is_ok_and(|end| *end == RunEnd::RulesFail);
    let ended = ended.and_then(|end| recorder.end(end));
    let waits = run.queue(|queue| queue.progress().waiting_round());
    recorder.display.end();
    let stopped = match ended {
        Err(failure @ (Failure::Unfinished(_) | Failure::Usage(_))) => return Err(failure),
        Err(failure) => Some(failure),
        Ok(()) => None,
    };
    let mut report = standings_report(&recorder.recorded, anonymizer).map_err(Failure::Unfinished)?;
    if changed || recorder.recorded.index.count() as u64 > before {
        let run = recorder.enter_run(bots, before, &report).map_err(Failure::Unfinished)?;
        report.history.push(anonymizer.run(&run));
    }
    let shown = |explanation| fitted(&text(&report, explanation), stdout());
    let end = match kind {
        RunKind::Test => None,
        RunKind::Tournament if json => match_json(&report),
        RunKind::Tournament => Some(shown(explanation)),
    };
    let printed = end.map_or(Ok(()), |end| print_if_open(end.trim_end()));
    // Also when the table could not be printed.
    recorder.files.write(&recorder.recorded, &report).map_err(Failure::Unfinished)?;
    summarise(&report)?;
    printed?;
    drop(live);
    match stopped {
        Some(failure) => Err(failure),
        None => {
            if let Some(round) = waits {
                complain(format_args!("round {round} waits for merge"));
            }
            match RulesFaults::of(&recorder.recorded).map_err(Failure::Unfinished)?.of_run(rules_fail) {
                Some(verdict) => Ok(verdict),
                None => verdict(&report, &strict, anonymizer),
            }
        }
    }
}

/// Records finished games in the journal, the logs, the tables and the display.
struct RunRecorder<'a> {
    /// The folder with the programs of submissions. It is removed at the end, before the journal is unlocked: a run that locks it
    /// next prepares the folder for itself. Fields are dropped in this order.
    builds: Builds,
    recorded: Recorded,
    watch: ContentWatch,
    /// Whether bots may change their own files.
    bots_can_write: bool,
    kind: RunKind,
    files: ResultFiles<'a>,
    logs: BotLogWriter,
    anonymizer: &'a Anonymizer,
    display: RunDisplay,
    standings: Standings,
    /// Updates of the tables.
    refresh: LimitedWork,
    /// Whether the user knows that an update has failed.
    refresh_failed: bool,
    /// When no further game begins.
    stop_at: Option<Instant>,
}

impl RunRecorder<'_> {
    /// What the end of the run means.
    ///
    /// # Errors
    /// Not all games were played.
    fn end(&mut self, end: RunEnd) -> Result<(), Failure> {
        if let Some(failed) = self.logs.failed() {
            self.note(&format!("warning: {failed}"));
        }
        let changes = self.watch.finish();
        self.report_changes(changes)?;
        match end {
            RunEnd::Played | RunEnd::RulesFail | RunEnd::TimeUp => Ok(()),
            RunEnd::Broken(what) => {
                Err(Failure::Unfinished(anyhow!("{what}; the games that had ended are recorded")))
            }
            RunEnd::Interrupted => Err(Failure::Interrupted(anyhow!(
                "interrupted after {} games; the same command continues from here",
                self.recorded.index.count()
            ))),
        }
    }

    /// Reports programs that changed during the run.
    ///
    /// # Errors
    /// A program changed that its bot cannot have changed itself, so it was exchanged between two games; in `try` any program
    /// that changed: its author goes on editing.
    fn report_changes(&mut self, changes: Vec<ContentChange>) -> Result<(), Failure> {
        for ContentChange { bot, files } in changes {
            let files = self.anonymizer.text_by_bot(&printable(files.join(", ").as_bytes(), 400));
            if !self.bots_can_write {
                let sandbox = Sandbox::Strict.word();
                return Err(Failure::Unfinished(anyhow!(
                    "{bot} changed during the run ({files}), and under {sandbox} it cannot have done so itself; the games \
                     that ended are recorded, the last of them may have been played with either content. The same command continues with the new one"
                )));
            }
            if self.kind == RunKind::Test {
                return Err(Failure::Unfinished(anyhow!(
                    "{bot} changed during the run ({files}); the games that ended are recorded, the last of them may have been \
                     played with either content. The same command goes on with the new one"
                )));
            }
            self.note(&format!(
                "warning: {bot} changed during the run ({files}); its games may be of two programs. A file that it writes \
                 itself is better left out: see `digest` in arbiter tournament --print-default"
            ));
        }
        Ok(())
    }

    /// Shows a line on standard error, with aliases for names if those are published. Names of bots are removed before from
    /// what an author may have written.
    fn note(&mut self, line: &str) {
        self.display.note(&self.anonymizer.names(line));
    }

    /// Writes the end of the run into the journal, and returns the entry. Files that appeared in the folder of a
    /// `[[bot]]` are its own output if it may write there, and no change of its content from then on.
    fn enter_run(
        &mut self,
        bots: &[ReadyBot],
        before: u64,
        report: &StandingsReport,
    ) -> anyhow::Result<RunEntry> {
        let head = &mut self.recorded.head;
        let mut made = false;
        let is_own = |program: &Program| program.owns_folder() && program.access.submission.is_none();
        for bot in bots.iter().filter(|bot| self.bots_can_write && is_own(&bot.program)) {
            let Some(entrant) = head.roster.iter_mut().find(|entrant| entrant.name == bot.entrant.name)
            else {
                continue;
            };
            let extension = Path::new(&bot.program.script_name()).extension().map(ToOwned::to_owned);
            for file in bot.appeared().unwrap_or_default() {
                // What looks like a part of its program counts as a change in any case.
                if extension.is_none() || Path::new(&file).extension() != extension.as_deref() {
                    let note = format!(
                        "note: {} appeared in the folder of {} and is taken for its own output, not for a part of it",
                        self.anonymizer.text_by_bot(&printable(file.as_bytes(), 200)),
                        bot.entrant.name
                    );
                    self.display.note(&self.anonymizer.names(&note));
                    entrant.products.insert(file, None);
                    made = true;
                }
            }
        }
        if made {
            self.recorded.journal.append(&JournalEntry::Head(head.clone()))?;
        }
        let games = self.recorded.index.count() as u64 - before;
        let time = jiff::Timestamp::now().round(jiff::Unit::Second)?.to_string();
        let bots = run_bots(report, &self.recorded.head);
        let run = RunEntry { time, games, bots };
        self.recorded.journal.append(&JournalEntry::Run(run.clone()))?;
        Ok(run)
    }

    /// Updates the tables from time to time, so that the folder shows the progress of the run. If
    /// that fails, the games go on: they need the journal alone, and the end of the run writes the
    /// tables again.
    fn refresh(&mut self) {
        if !self.refresh.is_due() {
            return;
        }
        let RunRecorder { recorded, files, anonymizer, refresh, .. } = self;
        let update = || files.refresh(recorded, &standings_report(recorded, anonymizer)?);
        if let Err(error) = refresh.run(update)
            && !self.refresh_failed
        {
            self.refresh_failed = true;
            self.note(&format!("warning: the tables cannot be brought up to date: {error:#}"));
        }
    }
}

/// A finished game is on disk before it counts, and counts before it is shown.
impl GameKeeper for RunRecorder<'_> {
    fn look(&mut self, run: &Run) -> Result<(), Failure> {
        let changes: Vec<ContentChange> = self.watch.changes().collect();
        self.report_changes(changes)?;
        self.display.draw(run, &self.standings, self.anonymizer);
        self.refresh();
        Ok(())
    }

    fn is_time_up(&mut self) -> bool {
        let is_up = self.stop_at.is_some_and(|stop| Instant::now() >= stop);
        if is_up {
            self.note(
                "the time of --stop-after is over: the running games are played to their end, and the \
                 same command goes on from there",
            );
        }
        is_up
    }

    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        // A bot that is not found there would lose by a fault that is not its own.
        if self.builds.are_moved() {
            return Err(Failure::Unfinished(anyhow!(
                "the result folder was renamed, and submissions play from copies in it; the games \
                 before are recorded, and the same command with --out continues from there"
            )));
        }
        let record = &mut finished.record;
        record.digests = record.players.as_ref().map(|name| self.recorded.short_digest(name));
        // The folders are those of this run: a later one may not know them.
        record.detail = record.detail.as_ref().map(|detail| self.anonymizer.without_folders(detail));
        let game = self.recorded.game(finished, self.anonymizer);
        let place = self.recorded.journal.append(&JournalEntry::Game(game.clone())).map_err(|error| {
            let recorded = self.recorded.index.count();
            Failure::Unfinished(anyhow!(error).context(format!(
                "the game {} cannot be recorded; the {recorded} games before it are recorded, and the same command \
                 continues from there",
                game.id
            )))
        })?;
        self.recorded.index.add(place, Ok(GameSummary::new(&game, &finished.record)));
        if let Some(warning) = self.logs.write(finished) {
            self.note(&warning);
        }
        Ok(())
    }

    fn show(&mut self, finished: &Finished) -> Result<(), Failure> {
        early_ends(finished).iter().for_each(|note| self.note(note));
        self.standings.add(&Scored::from(&finished.record));
        let record = self.anonymizer.record(finished.record.clone());
        match self.display.game(&record, finished.attempt) {
            Err(Failure::OutputClosed) => Ok(()), // the games are played for the result folder
            shown => shown,
        }
    }

    fn interrupt(&mut self, interruption: Interruption) -> Result<(), Failure> {
        interruption.announce("the games that had ended are recorded", |line| {
            self.display.note(&self.anonymizer.message(&line.into()));
        })
    }
}
