//! A worker: plays the games that a league gives it.

use super::programs::Programs;
use super::{
    ALIVE, Delivery, LEASE, Lease, PlayedGame, SignOfLife, game_file, league_id, lease_file,
    make_private, read, tokens, workers_folder, write,
};
use anyhow::{Context, anyhow, bail};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::tournament::roster::{check_identity, identity};
use arbiter_cup::tournament::{AttemptResult, Entrant, JournalContents, PublicNames, RecordedGame};
use arbiter_game::openings::Openings;
use arbiter_ground::failure::Failure;
use arbiter_ground::follow::{RunEnd, follow};
use arbiter_ground::output::complain;
use arbiter_ground::public_names::anonymizer_of;
use arbiter_ground::recorder::{Interruption, RecordStore, Recorder, RunScreen};
use arbiter_ground::repeated::Repeated;
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::verdict::Verdict;
use arbiter_host::sandbox::{Scratch, temporary_folder};
use arbiter_play::arena::{
    self, Assignment, Finished, GameQueue, GameSource, Match, NextGame, PlayerSpec, Run, SentSource,
};
use arbiter_play::store::journal::Journal;
use arbiter_play::store::{ResultFolder, remove_if_there};
use arbiter_rules::BySide;
use arbiter_rules::seed::RunSeed;
use arbiter_rules::text::{Message, counted};
use arbiter_run::tables::report::hidden_folder;
use arbiter_run::tournament::conditions;
use arbiter_show::serve::Token;
use rustix::system::uname;
use std::collections::{BTreeMap, VecDeque};
use std::fs::{Permissions, set_permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often leases are looked for while no game ends.
const TICK: Duration = Duration::from_millis(100);
/// The time between two signs of life, if the league waits for them long enough.
const BEAT: Duration = Duration::from_secs(2);
/// Minimum number of signs of life within `worker-timeout`.
const BEATS: u32 = 10;

/// Plays games of the league in the result folder `dir` until it is interrupted: `concurrency` games
/// at a time, with `pause` between two plies.
///
/// # Errors
/// No league of this configuration is there, or it cannot be played here.
pub fn play_for_league(
    mut request: TournamentRequest,
    concurrency: u16,
    pause: Duration,
    dir: &Path,
) -> Result<Verdict, Failure> {
    let mut contents = JournalContents::default();
    Journal::read_only(&ResultFolder::existing(dir).journal(), |place, entry| {
        contents.add(place, entry);
    })
    .with_context(|| format!("{}: start the league before its workers", dir.display()))?;
    let Some(head) = contents.head.clone() else {
        return Err(anyhow!("{}: no league is played there yet", dir.display()).into());
    };
    let names = head.public_names();
    let public = names.config(&request.config);
    check_identity(&head, &identity(&public, request.listed.as_deref()))
        .map_err(anyhow::Error::from)?;
    request.copies = Some(vec![BTreeMap::new(); request.config.folders.len()]);
    let (mut preparation, openings) = conditions(&request, pause)?;
    if let PublicNames::Aliases(key) = &names {
        preparation.conditions.sent = SentSource::Run(RunSeed::Secret(key.clone()));
    }
    let scratch = Scratch::make(&temporary_folder()).context("a folder for copies of bots")?;
    // A bot that is a user of its own passes through it to its copy.
    set_permissions(scratch.path(), Permissions::from_mode(0o711)).context("TMPDIR")?;
    let programs = Programs::start(&request, preparation, names, &contents, dir, scratch.path())?;
    let conditions = programs.trials.preparation.conditions.clone();
    let hidden = hidden_folder(scratch.path());
    let anonymizer = anonymizer_of(&request.config, &head, contents.private_names, hidden);
    let timeout = request.config.league.worker_timeout;
    let league = league_id(&head, dir).context("journal.jsonl")?;
    let own = OwnFolder::join(dir, concurrency, timeout).context("league/workers")?;
    complain(format_args!("worker {} waits for games of {}", own.name, dir.display()));
    let waiting = WaitingGames::default();
    let store = WorkerStore {
        own,
        league,
        programs,
        openings,
        anonymizer,
        waiting: waiting.clone(),
        leases: BTreeMap::new(),
        unsent: Vec::new(),
        index: 0,
    };
    let plan = Match { conditions, concurrency: concurrency.into(), watchers: Vec::new() };
    let mut recorder = Recorder::new(store, NoteScreen);
    let mut run = arena::run(plan, GameQueue::new(waiting));
    let end = follow(&mut run, TICK, &mut recorder)?;
    let played = counted(recorder.played, "game");
    complain(format_args!("worker {} has played {played}", recorder.store.own.name));
    if let Some((token, error)) = recorder.store.send_unsent() {
        return Err(anyhow!("{token}: the league has not got this game: {error}").into());
    }
    match end {
        RunEnd::Broken(what) => Err(anyhow!(what).into()),
        RunEnd::RulesFail => Err(anyhow!("the rules of the game failed too often").into()),
        RunEnd::Played | RunEnd::TimeUp | RunEnd::Interrupted => Ok(Verdict::DONE),
    }
}

/// Shows notes alone, on standard error.
struct NoteScreen;

impl RunScreen for NoteScreen {
    fn note(&mut self, line: &Message) {
        complain(line);
    }
}

/// The folder of this worker. Its sign of life changes until it is dropped.
struct OwnFolder {
    name: String,
    path: PathBuf,
    /// The number of games that it plays at a time from now on.
    games: Arc<AtomicU16>,
    /// What renews the sign of life.
    beating: Option<Repeated>,
}

impl OwnFolder {
    fn join(results: &Path, games: u16, timeout: Duration) -> io::Result<OwnFolder> {
        let host = uname().nodename().to_string_lossy().replace(['/', '.'], "-");
        // Machines and containers may have the same name and numbers.
        let token = Token::random()?.to_string();
        let name = format!("{host}.{}.{}", process::id(), &token[..6]);
        let path = workers_folder(results)?.join(&name);
        let mut sign = SignOfLife { games, beat: 0 };
        let games = Arc::new(AtomicU16::new(games));
        show_alive(&path, &sign)?;
        let folder = path.clone();
        let wanted = Arc::clone(&games);
        let pause = BEAT.min(timeout / BEATS);
        let beating = Repeated::start(pause, move || {
            sign.beat += 1;
            sign.games = wanted.load(Ordering::Relaxed);
            if let Err(error) = show_alive(&folder, &sign) {
                tracing::debug!("{}: {error}", folder.display());
            }
            pause
        });
        Ok(OwnFolder { name, path, games, beating: Some(beating) })
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        self.beating = None;
        // If that fails, the league finds out by the time.
        let _ = remove_if_there(&self.path.join(ALIVE));
    }
}

/// The league removes the folder of a worker that it takes for dead.
fn show_alive(folder: &Path, sign: &SignOfLife) -> io::Result<()> {
    make_private(folder)?;
    write(&folder.join(ALIVE), sign)
}

/// Games that can begin, each with its lease.
#[derive(Debug, Clone, Default)]
struct WaitingGames(Arc<Mutex<VecDeque<Assignment>>>);

impl WaitingGames {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Assignment>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GameSource for WaitingGames {
    fn next(&mut self) -> NextGame {
        match self.lock().pop_front() {
            Some(assignment) => NextGame::Play(Box::new(assignment)),
            None => NextGame::Wait,
        }
    }

    fn ended(&mut self, _: u64, _: AttemptResult) {}
}

/// The leases of a worker, and what it delivers.
struct WorkerStore {
    own: OwnFolder,
    /// The [`league_id`] of the league that it has joined.
    league: String,
    programs: Programs,
    openings: Openings,
    anonymizer: Anonymizer,
    waiting: WaitingGames,
    /// The index of the game of each lease.
    leases: BTreeMap<String, u64>,
    /// What could not be written yet.
    unsent: Vec<(String, Delivery)>,
    /// The index of the next game.
    index: u64,
}

impl WorkerStore {
    /// Looks which leases were given and withdrawn.
    ///
    /// # Errors
    /// A lease is of another league, which ends the worker.
    fn look_for_leases(&mut self, run: &Run) -> anyhow::Result<()> {
        let Ok(given) = tokens(&self.own.path, LEASE) else {
            return Ok(()); // the folder may be on another machine, and be back later
        };
        let mut waiting = self.waiting.lock();
        self.leases.retain(|token, index| {
            let is_given = given.contains(token);
            if !is_given {
                waiting.retain(|game| game.pairing.index != *index);
            }
            is_given
        });
        drop(waiting);
        for token in given {
            if self.leases.contains_key(&token) {
                continue;
            }
            let Ok(lease) = read::<Lease>(&lease_file(&self.own.path, &token)) else {
                continue; // it was withdrawn
            };
            self.check(&lease)?;
            self.leases.insert(token.clone(), self.index);
            match self.assignment(&lease) {
                Ok(assignment) => {
                    self.waiting.lock().push_back(assignment);
                    run.wake();
                }
                Err(why) => self.send(token, Delivery::Declined(why)),
            }
            self.index += 1;
        }
        Ok(())
    }

    /// # Errors
    /// The lease is not of the league that this worker has joined.
    fn check(&self, lease: &Lease) -> anyhow::Result<()> {
        let own = env!("CARGO_PKG_VERSION");
        if lease.arbiter != own {
            bail!("the league is played by arbiter {}, and this is {own}", lease.arbiter);
        }
        if lease.league != self.league {
            bail!("another league was begun in this folder; start this worker again");
        }
        Ok(())
    }

    /// # Errors
    /// The game cannot be played here; why.
    fn assignment(&mut self, lease: &Lease) -> Result<Assignment, String> {
        let pairing = lease.game.pairing(self.index);
        let first = self.player(&lease.game.bots[pairing.first].entrant)?;
        let second = self.player(&lease.game.bots[pairing.second].entrant)?;
        let start = self.openings.get(pairing.opening).map_err(|error| error.to_string())?;
        Ok(Assignment { pairing, players: BySide { first, second }, attempt: 1, start })
    }

    fn player(&mut self, bot: &Entrant) -> Result<(String, PlayerSpec), String> {
        Ok((bot.name.clone(), PlayerSpec::Program(self.programs.of(bot)?)))
    }

    /// Tells the league what became of a lease, now or as soon as that can be written.
    fn send(&mut self, token: String, delivery: Delivery) {
        self.unsent.push((token, delivery));
        self.send_unsent();
    }

    /// Writes what could not be written before; returns a lease that still has not been answered,
    /// and why.
    fn send_unsent(&mut self) -> Option<(String, io::Error)> {
        let mut failed = None;
        let path = &self.own.path;
        self.unsent.retain(|(token, delivery)| {
            // The league plays what it has withdrawn.
            if !self.leases.contains_key(token) {
                return false;
            }
            match write(&game_file(path, token), delivery) {
                Ok(()) => false,
                Err(error) => {
                    failed = Some((token.clone(), error));
                    true
                }
            }
        });
        failed
    }
}

impl RecordStore for WorkerStore {
    fn look(&mut self, run: &Run, _: &mut dyn RunScreen) -> Result<(), Failure> {
        self.send_unsent();
        Ok(self.look_for_leases(run)?)
    }

    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        let Finished { pairing, attempt, record, broken, fault, notes, .. } = finished;
        let failed = broken.clone().or(fault.as_ref().map(|fault| fault.what.clone()));
        let lease = self.leases.iter().find(|(_, index)| **index == pairing.index);
        let Some((token, _)) = lease else { return Ok(()) }; // it was withdrawn
        let token = token.clone();
        // What fails on this machine need not fail on that of the league.
        if let Some(why) = failed {
            self.send(token, Delivery::Declined(why));
            return Ok(());
        }
        if let Some(detail) = &record.detail {
            let public = self.anonymizer.detail(&record.players, record.outcome, detail);
            record.detail = Some(public);
        }
        let game = RecordedGame {
            id: pairing.id.clone(),
            attempt: *attempt,
            round: pairing.round,
            pair: pairing.pair,
            digests: Default::default(), // the league knows which versions it has lent
            log: record.to_string(),
            stderr: String::new(),
            stderr_last: None,
            fault: None,
        };
        let BySide { first, second } = notes.clone();
        let played = PlayedGame { game, notes: [first, second] };
        self.send(token, Delivery::Played(Box::new(played)));
        Ok(())
    }

    fn outlasts_output(&self) -> bool {
        true
    }

    fn interrupt(
        &mut self,
        interruption: Interruption,
        _: u64,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        self.own.games.store(0, Ordering::Relaxed);
        interruption.announce("the league plays its other games itself", screen)
    }
}
