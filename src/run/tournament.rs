//! Runs a tournament: a finished game goes to the journal first, then to the screen and the tables.

use super::begin::{ReadyTournament, begin};
use super::folder_store::{FolderStore, end_run};
use super::options::{RunKind, RunOptions};
use super::ready_bot::ReadyBot;
use super::result_files::{ResultFiles, summarise};
use crate::display::live::{LivePage, LiveSetup};
use crate::display::run_display::{KeptLines, RunDisplay};
use crate::display::terminal_screen::TerminalScreen;
use crate::display::watched_games::WatchedGames;
use crate::tables::bot_times::crowd;
use crate::tables::recorded::Recorded;
use crate::tables::report::{CountedGames, rules_faults, standings_report, verdict};
use anyhow::Context;
use arbiter_cup::report::standings::{match_json, text};
use arbiter_cup::tournament::{AttemptResult, PlayedGames, Share, TRIES};
use arbiter_game::openings::Openings;
use arbiter_ground::bot_log_writer::BotLogWriter;
use arbiter_ground::failure::Failure;
use arbiter_ground::follow::{RunEnd, follow};
use arbiter_ground::limited_work::LimitedWork;
use arbiter_ground::output::{complain, fitted, print_if_open};
use arbiter_ground::preparation::Preparation;
use arbiter_ground::public_names::published_failure;
use arbiter_ground::recorder::Recorder;
use arbiter_ground::request::{TournamentRequest, openings};
use arbiter_ground::verdict::Verdict;
use arbiter_play::arena::{self, GameQueue, Match, PlayerSpec, Players, ScheduledGames};
use arbiter_play::store::ResultFolder;
use std::collections::BTreeMap;
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
    let (folder, prepared) = prepare(request, &options, dir)?;
    let anonymizer = prepared.ready.anonymizer.clone();
    let ended = play(options, &folder, prepared);
    ended.map_err(|failure| published_failure(failure, &anonymizer))
}

/// What the games of a tournament are played with.
pub struct PreparedTournament {
    pub preparation: Preparation,
    pub openings: Openings,
    pub ready: ReadyTournament,
}

/// What the games are played under on this machine, with a `pause` between two plies, and the
/// positions that they begin from.
///
/// # Errors
/// This system cannot do what the configuration asks for, or there are too few openings.
pub fn conditions(
    request: &TournamentRequest,
    pause: Duration,
) -> Result<(Preparation, Openings), Failure> {
    let schedule = &request.config.schedule;
    let settings = request.config.settings.clone();
    let stderr = request.config.publish.stderr;
    let mut preparation =
        Preparation::new(settings, &request.name, schedule.seed, stderr, request.origin)?;
    preparation.conditions.pause = pause;
    preparation.isolate()?;
    let mut openings = openings(&request.config, request.listed.as_deref())?;
    preparation.conditions.opening = openings.first_other().context("[schedule]")?;
    Ok((preparation, openings))
}

/// Opens the result folder, and does everything that comes before the first game.
///
/// # Errors
/// It cannot begin.
pub fn prepare(
    request: &TournamentRequest,
    options: &RunOptions,
    dir: &Path,
) -> Result<(ResultFolder, PreparedTournament), Failure> {
    let (mut preparation, openings) = conditions(request, options.pause)?;
    if let Some(note) = crowd(&request.config.settings, options.concurrency.into()) {
        complain(note);
    }
    let folder = ResultFolder::open(dir)?;
    let ready = begin(request, options, &mut preparation, &folder)?;
    // A copy of the rules of a custom game, for people: it is never run.
    if let Some(source) = request.config.settings.ruleset.game().source() {
        folder
            .replace_rules(|copy| source.save_copy(copy))
            .context("copying the rules into the result folder")
            .map_err(Failure::Unfinished)?;
    }
    Ok((folder, PreparedTournament { preparation, openings, ready }))
}

/// Plays the missing games, then writes all results.
fn play(
    options: RunOptions,
    folder: &ResultFolder,
    prepared: PreparedTournament,
) -> Result<Verdict, Failure> {
    let PreparedTournament { preparation, openings, ready } = prepared;
    let ReadyTournament { progress, bots, recorded, share, builds, changed, anonymizer } = ready;
    let RunOptions { concurrency, stop_at, address, json, kind, explanation, strict, .. } = options;
    let anonymizer = &anonymizer;
    let conditions = preparation.conditions;
    // 1. The display, then the page, whose address is a line above the block.
    let shown = folder.dir().display().to_string();
    let logs = folder.bot_logs().context(shown).map_err(Failure::Unfinished)?;
    let total = total_games(&recorded, &share, kind);
    let before = recorded.index.count() as u64;
    let lines = match kind {
        RunKind::Tournament => KeptLines::Notable,
        RunKind::Test => KeptLines::Trouble,
    };
    let mut display = RunDisplay::new(json, lines, &recorded.head.name, total, before);
    let games = WatchedGames::new(concurrency.into(), anonymizer.clone());
    let mut watchers = display.watch(&games);
    let mut live = None;
    if let Some(address) = address {
        let recorded = recorded.follower()?;
        let watched = Some(games.clone());
        let page = LivePage::start(LiveSetup { watched, ..LiveSetup::new(address, recorded) })?;
        display.note(&format!("the page of the tournament: {}", page.url()));
        live = Some(page);
        watchers = games.watchers();
    }
    // 2. The games, each kept in the journal before it counts and is shown.
    let plan = Match { conditions, concurrency: concurrency.into(), watchers };
    let known = known_games(&recorded);
    let scheduled = ScheduledGames::new(progress, openings, players(&bots), known).share(share);
    let sandbox = plan.conditions.launcher.sandbox;
    let standings = CountedGames::of(&recorded).map_err(Failure::Unfinished)?.standings;
    let files = ResultFiles { folder, anonymizer, told: BTreeMap::new() };
    let refresh = LimitedWork::new(REFRESH, REFRESH_SHARE, Instant::now() + REFRESH);
    let store =
        FolderStore { kind, ..FolderStore::new(recorded, builds, &bots, sandbox, files, refresh) };
    let screen =
        TerminalScreen { anonymizer: anonymizer.clone(), display: Some(display), spectators: None };
    let logs = Some(BotLogWriter::of_tournament(logs, &store.recorded.head));
    let mut recorder = Recorder { logs, standings, stop_at, ..Recorder::new(store, screen) };
    let mut run = arena::run(plan, GameQueue::new(scheduled));
    let ended = follow(&mut run, TICK, &mut recorder);
    let rules_fail = matches!(ended, Ok(RunEnd::RulesFail));
    let ended = ended.and_then(|end| end_run(&mut recorder, end));
    let waits = run.queue(|queue| queue.progress()?.waiting_round());
    // 3. The terminal is restored before anything else is printed.
    recorder.screen.finish().map_err(|error| Failure::Unfinished(error.into()))?;
    // 4. After an interruption the tables are brought up to date as at the end; after a failure of
    // the journal there is nothing that they could be computed from.
    let stopped = match ended {
        Err(failure @ (Failure::Unfinished(_) | Failure::Usage(_))) => return Err(failure),
        Err(failure) => Some(failure),
        Ok(()) => None,
    };
    // 5. The run enters the journal before its tables are written, because their history includes
    // it.
    let kept = &mut recorder.store;
    let mut report = standings_report(&kept.recorded, anonymizer).map_err(Failure::Unfinished)?;
    let new_games = kept.recorded.index.count() as u64 - before;
    if changed || new_games > 0 {
        let entered = kept.enter_run(&bots, new_games, &report, &mut recorder.screen);
        report.history.push(anonymizer.run(&entered.map_err(Failure::Unfinished)?));
    }
    let end = match kind {
        RunKind::Test => None,
        RunKind::Tournament if json => match_json(&report),
        RunKind::Tournament => Some(fitted(&text(&report, explanation), stdout())),
    };
    let printed = match end {
        Some(end) => print_if_open(end.trim_end()),
        None => Ok(()),
    };
    // 6. The files are written even if the table could not be printed.
    kept.files.write(&kept.recorded, &report).map_err(Failure::Unfinished)?;
    summarise(&report)?;
    printed?;
    drop(live); // browsers get the last table, which is on disk now
    // 7. The exit status, with all results written.
    if let Some(failure) = stopped {
        return Err(failure);
    }
    if let Some(round) = waits {
        complain(format_args!("round {round} waits for merge"));
    }
    match rules_faults(&kept.recorded).map_err(Failure::Unfinished)?.of_run(rules_fail) {
        Some(verdict) => Ok(verdict),
        None => verdict(&report, &strict, &kept.recorded.head),
    }
}

/// The number of games when the run is complete, as far as it is known now.
fn total_games(recorded: &Recorded, share: &Share, kind: RunKind) -> Option<u64> {
    let format = recorded.config.schedule.format;
    if !format.ends_by_tests() {
        share.games(&recorded.config, &recorded.head.bots())
    } else if kind == RunKind::Test {
        Some(2 * u64::from(format.max_pairs))
    } else {
        None
    }
}

fn players(bots: &[ReadyBot]) -> Players {
    let mut players = Players::new();
    for bot in bots {
        let player = PlayerSpec::Program(Arc::clone(&bot.program));
        players.insert(bot.entrant.name.clone(), player);
    }
    players
}

/// The results that no game of this run replaces.
fn known_games(recorded: &Recorded) -> PlayedGames {
    let format = recorded.config.schedule.format;
    // An aborted game is known, but counts as not played until it was tried often enough.
    let mut known = recorded.index.played();
    if format.kind.replays_aborted && !format.ends_by_tests() {
        known.retain(|(_, attempt), ended| *ended != AttemptResult::Aborted || *attempt < TRIES);
    }
    known
}
