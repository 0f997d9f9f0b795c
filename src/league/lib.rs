//! `arbiter league`: a tournament without an end, which takes submissions while it is played.
//!
//! ```text
//! play_league(request, options)
//!   begin                    as every tournament, with the copies of the versions that play
//!   Intake                   a thread: which submissions have arrived, whole
//!   Judge                    a thread: copies, builds, starts and checks a version
//!   follow(run, recorder)    games; between them LeagueStore::look puts versions in
//!     Board                  who plays whom (arbiter_rank::league)
//!   tables and pages         as every tournament; league.json
//! ```

#![forbid(unsafe_code)]

pub mod archive;
mod board;
mod challenges;
mod feed;
mod intake;
mod judge;
mod retired;
mod retries;
mod room;
pub mod status;
mod store;
mod trials;
mod uploads;
mod versions;
pub mod workers;

use anyhow::{Context, anyhow, bail};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::standings::Explanation;
use arbiter_cup::tournament::roster::without_bot;
use arbiter_cup::tournament::{JournalHead, PublicNames};
use arbiter_ground::bot_log_writer::BotLogWriter;
use arbiter_ground::builds::Builds;
use arbiter_ground::failure::Failure;
use arbiter_ground::follow::{RunEnd, follow};
use arbiter_ground::limited_work::LimitedWork;
use arbiter_ground::output::complain;
use arbiter_ground::preparation::Preparation;
use arbiter_ground::public_names::published_failure;
use arbiter_ground::recorder::Recorder;
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::verdict::{Strict, Verdict};
use arbiter_play::arena::{self, GameQueue, Match};
use arbiter_play::store::ResultFolder;
use arbiter_run::begin::ReadyTournament;
use arbiter_run::display::live::{LivePage, LiveSetup};
use arbiter_run::display::run_display::{KeptLines, RunDisplay};
use arbiter_run::display::terminal_screen::TerminalScreen;
use arbiter_run::display::watched_games::WatchedGames;
use arbiter_run::folder_store::FolderStore;
use arbiter_run::options::{RunKind, RunOptions};
use arbiter_run::ready_bot::ReadyBot;
use arbiter_run::result_files::{ResultFiles, summarise};
use arbiter_run::sharing::Sharing;
use arbiter_run::tables::recorded::Recorded;
use arbiter_run::tables::report::{CountedGames, standings_report};
use arbiter_run::tournament::{PreparedTournament, prepare};
use arbiter_show::serve::{ServerAddress, Uploads};
use board::{Board, SharedBoard};
use challenges::Challenges;
use intake::Intake;
pub use intake::past;
use judge::{Judge, JudgeSetup};
use retired::Retired;
use retries::Retries;
use room::DiskRoom;
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{LeagueStore, StatusClock, absentee, count_games, seat, tell_desk, told_before};
use trials::VersionTrials;
use uploads::{DeskSetup, UploadDesk};
use versions::{State, Versions};
use workers::Leases;

/// How often arrivals and verdicts are looked for while no game ends.
const TICK: Duration = Duration::from_millis(200);
/// The least time between two updates of the tables.
const REFRESH: Duration = Duration::from_secs(30);
/// Updates take at most this part (1/n) of the time.
const REFRESH_SHARE: u32 = 20;

/// The least time between two writings of the pages of authors, and the part (1/n) of the time that
/// they take at most.
const PAGES: Duration = Duration::from_secs(1);
const PAGES_SHARE: u32 = 10;

/// Plays a league, or continues it, in the result folder `dir` until it is interrupted:
/// `concurrency` games at a time, with `pause` between two plies. Serves its page at `address`, if
/// one is given.
///
/// # Errors
/// It cannot begin, or a game cannot be recorded.
pub fn play_league(
    mut request: TournamentRequest,
    concurrency: u16,
    pause: Duration,
    address: Option<ServerAddress>,
    dir: &Path,
) -> Result<Verdict, Failure> {
    refuse_folders_inside(&request, dir)?;
    if let Some(freeze) = past(request.config.league.freeze.as_ref()) {
        complain(format_args!(
            "note: the deadline was {freeze} (`freeze`): no submission is taken"
        ));
    }
    let mut versions = Versions::read(dir, &request.config)?;
    request.copies = Some(versions.playing());
    let run_options = RunOptions {
        concurrency,
        pause,
        stop_at: None,
        address,
        json: false,
        kind: RunKind::Tournament,
        explanation: Explanation::Short,
        strict: Strict::default(),
        keep_changed: false,
        restart: false,
        sharing: Sharing::default(),
    };
    let (folder, prepared) = prepare(&request, &run_options, dir)?;
    // Its journal is locked now, so nobody else plays in it.
    versions.take_over().context("league").map_err(Failure::Unfinished)?;
    let anonymizer = prepared.ready.anonymizer.clone();
    let ended = play(&request, &folder, versions, run_options, prepared);
    ended.map_err(|failure| published_failure(failure, &anonymizer))
}

/// # Errors
/// Submissions lie in the result folder, where `--archive` and the league put files of their own.
fn refuse_folders_inside(request: &TournamentRequest, dir: &Path) -> anyhow::Result<()> {
    let results = std::path::absolute(dir)?;
    for one in &request.config.folders {
        let folder = std::path::absolute(request.from.join(&one.folder))?;
        let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let real_results = results.canonicalize().unwrap_or_else(|_| results.clone());
        if folder.starts_with(&results) || real.starts_with(real_results) {
            bail!(
                "[[bots]] folder = {:?}: it lies in the result folder {}; name one beside it",
                one.folder,
                dir.display()
            );
        }
    }
    Ok(())
}

/// Plays until the end, then writes all results.
fn play(
    request: &TournamentRequest,
    folder: &ResultFolder,
    versions: Versions,
    options: RunOptions,
    prepared: PreparedTournament,
) -> Result<Verdict, Failure> {
    let PreparedTournament { preparation, openings, ready } = prepared;
    let ReadyTournament { bots, mut recorded, builds, anonymizer, .. } = ready;
    let RunOptions { concurrency, address, .. } = options;
    let anonymizer = &anonymizer;
    let names = recorded.head.public_names();
    let head = with_refused(request, &recorded.head, &versions, anonymizer);
    recorded.change_head(head).map_err(|error| Failure::Unfinished(error.into()))?;
    let logs = folder.bot_logs().context("bots").map_err(Failure::Unfinished)?;
    let before = recorded.index.count();
    let mut live = None;
    let mut display =
        RunDisplay::new(false, KeptLines::Notable, &recorded.head.name, None, before as u64);
    let games = WatchedGames::new(concurrency.into(), anonymizer.clone());
    let mut watchers = display.watch(&games);
    // Who plays whom.
    let mut board = Board::new(openings, recorded.index.last_numbers());
    for bot in &bots {
        seat(&mut board, &recorded, bot);
    }
    count_games(&mut board, &recorded, None).map_err(Failure::Unfinished)?;
    let board = SharedBoard::new(board);
    let desk = upload_desk(request, folder, address.as_ref(), &board)?;
    // Before the page is served: a link is not dead for a moment.
    tell_desk(desk.as_ref(), request, &recorded.head, &versions);
    if let Some(address) = address {
        let uploads = desk.clone().map(|desk| desk as Arc<dyn Uploads>);
        let page = live.insert(start_page(request, address, &recorded, &games, uploads)?);
        display.note(&format!("the page of the league: {}", page.url()));
        watchers = games.watchers();
    }

    let timeout = request.config.league.worker_timeout;
    let leases = Leases::open(folder.dir(), timeout, &recorded, &board);
    let leases = leases.context("league/workers").map_err(Failure::Unfinished)?;

    let room = DiskRoom::start(folder.dir(), request.config.league.disk);
    board.lock().pause(room.look().is_some()); // until the store looks

    // What is tried beside the games.
    let intake = start_intake(request, &versions);
    let trials = version_trials(request, &preparation, &names, folder, &versions);
    let trials = trials.map_err(Failure::Unfinished)?;
    let judge = Judge::start(JudgeSetup { trials, desk: desk.clone() });
    let retired = Retired::in_folder(versions.builds());

    let standings = CountedGames::of(&recorded).map_err(Failure::Unfinished)?.standings;
    let sandbox = preparation.conditions.launcher.sandbox;
    let files = ResultFiles { folder, anonymizer, told: told_before(&versions, anonymizer) };
    let refresh = LimitedWork::new(REFRESH, REFRESH_SHARE, Instant::now());
    let inner = FolderStore::new(recorded, builds, &bots, sandbox, files, refresh);
    let store = LeagueStore {
        inner,
        request,
        names,
        hidden: BTreeSet::new(),
        board: board.clone(),
        versions,
        intake,
        judge,
        desk,
        waiting: VecDeque::new(),
        is_judging: false,
        retired,
        leases,
        retries: Retries::default(),
        room,
        clock: StatusClock::new(),
        pages: LimitedWork::new(PAGES, PAGES_SHARE, Instant::now()),
        pages_are_due: false,
        feed: String::new(),
    };
    let screen =
        TerminalScreen { anonymizer: anonymizer.clone(), display: Some(display), spectators: None };
    let logs = Some(BotLogWriter::of_tournament(logs, &store.inner.recorded.head));
    let plan =
        Match { conditions: preparation.conditions, concurrency: concurrency.into(), watchers };
    let mut recorder = Recorder { logs, standings, ..Recorder::new(store, screen) };
    let mut run = arena::run(plan, GameQueue::new(board));
    let ended = follow(&mut run, TICK, &mut recorder);
    recorder.screen.finish().map_err(|error| Failure::Unfinished(error.into()))?;
    if let Err(failure @ (Failure::Unfinished(_) | Failure::Usage(_))) = ended {
        return Err(failure);
    }
    write_results(&mut recorder.store, &bots, &mut recorder.screen)?;
    drop(live); // browsers get the last table, which is on disk now
    verdict(ended?)
}

/// The head with the submissions that were refused and have no version that plays: only what plays
/// was looked for when the run began.
fn with_refused(
    request: &TournamentRequest,
    head: &JournalHead,
    versions: &Versions,
    anonymizer: &Anonymizer,
) -> JournalHead {
    let names = head.public_names();
    let mut head = head.clone();
    for (place, bot) in versions.bots() {
        let own_name = &place.1;
        let Some(newest) = bot.newest() else { continue };
        let is_known = head.known_names().any(|(_, known)| known == own_name);
        if bot.current.is_some() || newest.state != State::Refused || is_known {
            continue;
        }
        let absent = absentee(request, place, &anonymizer.clean(&newest.said)).named(&names);
        head = without_bot(&head, own_name, Some(absent));
    }
    head
}

/// What looks for submissions in the `[[bots]]` folders.
fn start_intake(request: &TournamentRequest, versions: &Versions) -> Intake {
    let mut folders = Vec::new();
    for one in &request.config.folders {
        folders.push(request.from.join(&one.folder));
    }
    Intake::start(folders, &request.config.league, versions.stamps())
}

/// What the versions that arrive while games are played are tried with.
fn version_trials(
    request: &TournamentRequest,
    preparation: &Preparation,
    names: &PublicNames,
    folder: &ResultFolder,
    versions: &Versions,
) -> anyhow::Result<VersionTrials> {
    Ok(VersionTrials {
        config: request.config.clone(),
        from: request.from.clone(),
        preparation: preparation.clone(),
        names: names.clone(),
        folder: folder.clone(),
        builds: Builds::in_folder(versions.builds(), &preparation.conditions.launcher)?,
        organisers: vec![folder.dir().to_owned(), request.file.clone()],
    })
}

fn verdict(end: RunEnd) -> Result<Verdict, Failure> {
    match end {
        RunEnd::Broken(what) => Err(Failure::Unfinished(anyhow!(what))),
        // The usual end: the same command goes on.
        RunEnd::Played | RunEnd::TimeUp | RunEnd::Interrupted => Ok(Verdict::DONE),
        RunEnd::RulesFail => Err(Failure::Unfinished(anyhow!(
            "the rules of the game failed too often; `arbiter check --rules` tries them out"
        ))),
    }
}

/// Serves the page of the league.
fn start_page(
    request: &TournamentRequest,
    address: ServerAddress,
    recorded: &Recorded,
    games: &WatchedGames,
    uploads: Option<Arc<dyn Uploads>>,
) -> anyhow::Result<LivePage> {
    let recorded = recorded.follower()?;
    let watched = Some(games.clone());
    let public = request.config.uploads.as_ref().and_then(|config| config.url.clone());
    LivePage::start(LiveSetup { watched, uploads, public, ..LiveSetup::new(address, recorded) })
}

/// Writes all results after the last game.
fn write_results(
    store: &mut LeagueStore<'_>,
    bots: &[ReadyBot],
    screen: &mut TerminalScreen,
) -> Result<(), Failure> {
    let games = store.clock.unrated;
    let store = &mut store.inner;
    let anonymizer = store.anonymizer;
    let mut report = standings_report(&store.recorded, anonymizer).map_err(Failure::Unfinished)?;
    if games > 0 {
        let entered = store.enter_run(bots, games, &report, screen);
        report.history.push(anonymizer.run(&entered.map_err(Failure::Unfinished)?));
    }
    store.files.write(&store.recorded, &report).map_err(Failure::Unfinished)?;
    summarise(&report)?;
    Ok(())
}

/// What takes uploads, if the configuration has any.
fn upload_desk(
    request: &TournamentRequest,
    folder: &ResultFolder,
    address: Option<&ServerAddress>,
    board: &SharedBoard,
) -> anyhow::Result<Option<Arc<UploadDesk>>> {
    let Some(uploads) = &request.config.uploads else { return Ok(None) };
    if address.is_none() {
        complain("note: [uploads] takes nothing without --serve");
    }
    let mut folders = request.config.folders.iter();
    let folder_number = match &uploads.folder {
        Some(name) => folders.position(|one| one.folder == *name),
        None => folders.position(|_| true),
    };
    let Some(number) = folder_number else { return Ok(None) };
    let bots = request.from.join(&request.config.folders[number].folder);
    let shown = bots.display().to_string();
    let setup = DeskSetup {
        config: uploads.clone(),
        number,
        bots,
        pages: folder.links(),
        marker: request.config.league.marker.clone(),
        freeze: request.config.league.freeze.clone(),
        challenges: Challenges::new(board.clone(), uploads.challenges),
    };
    let desk = UploadDesk::open(setup).with_context(|| format!("[uploads]: {shown}"))?;
    Ok(Some(Arc::new(desk)))
}
