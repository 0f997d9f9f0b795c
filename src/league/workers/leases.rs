//! The league's side: gives leases to workers, takes what they deliver, and plays itself what none
//! of them brings back.

use super::super::board::SharedBoard;
use super::{
    ALIVE, Delivery, GAME, LEASE, Lease, PlayedGame, SignOfLife, game_file, league_id, lease_file,
    make_private, read, tokens, workers_folder, write,
};
use arbiter_ground::recorder::RunScreen;
use arbiter_host::locate::remove_folder_if_there;
use arbiter_play::arena::{Assignment, Finished, Run};
use arbiter_play::store::remove_if_there;
use arbiter_rules::BySide;
use arbiter_rules::text::{Message, counted, printable};
use arbiter_run::tables::recorded::Recorded;
use arbiter_show::serve::Token;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The least time between two looks at the folders of workers.
const PAUSE: Duration = Duration::from_millis(100);
/// A worker has this many leases beside those that it plays, so that it need not wait between two
/// games.
const AHEAD: usize = 1;
/// Maximum number of leases of a worker, even if it asks for more games.
const MOST_LEASES: usize = 256;
/// Maximum number of leases given at one look, so that signals and results are not kept waiting.
const MOST_AT_ONCE: usize = 8;
/// The most bytes of a reason that are shown, and the most reasons of a worker.
const MOST_SAID: usize = 300;
const MOST_TOLD: usize = 20;

/// The workers of a league, and the games that they play.
pub struct Leases {
    folder: PathBuf,
    /// The [`league_id`].
    league: String,
    timeout: Duration,
    /// By the names of their folders.
    workers: BTreeMap<OsString, Worker>,
    /// Games lent by an earlier run that this run's queue does not list yet.
    adopted: Vec<Assignment>,
    next_look: Instant,
}

/// A worker as the league sees it.
struct Worker {
    folder: PathBuf,
    /// What it is called in messages.
    name: String,
    /// Its last sign of life, and since when that is unchanged; `None` if there never was any.
    sign: Option<SignOfLife>,
    since: Instant,
    /// Whether it was alive at the last look.
    is_here: bool,
    leases: BTreeMap<String, LentGame>,
    /// Why it has not played games, as it was already told.
    told: BTreeSet<String>,
}

struct LentGame {
    assignment: Assignment,
    /// Its game has come, and is about to be recorded.
    is_delivered: bool,
}

impl LentGame {
    fn index(&self) -> u64 {
        self.assignment.pairing.index
    }
}

impl Leases {
    /// Those that an earlier run of this league may have left in its result folder: games that are
    /// not recorded may still come.
    ///
    /// # Errors
    /// The folder cannot be made or read.
    pub fn open(
        results: &Path,
        timeout: Duration,
        recorded: &Recorded,
        board: &SharedBoard,
    ) -> io::Result<Leases> {
        let folder = workers_folder(results)?;
        let league = league_id(&recorded.head, results)?;
        let played = recorded.index.played();
        make_private(&folder)?;
        let now = Instant::now();
        let mut leases = Leases {
            folder,
            league,
            timeout,
            workers: BTreeMap::new(),
            adopted: Vec::new(),
            next_look: now,
        };
        leases.meet(now)?;
        for worker in leases.workers.values_mut() {
            for token in tokens(&worker.folder, LEASE)? {
                let mut adopted = None;
                if let Ok(lease) = read::<Lease>(&lease_file(&worker.folder, &token))
                    && lease.league == leases.league
                    && !played.contains_key(&(lease.game.pairing(0).id, 1))
                {
                    adopted = board.lock().adopt(&lease.game);
                }
                let Some(assignment) = adopted else {
                    worker.remove(&token);
                    continue;
                };
                leases.adopted.push(assignment.clone());
                worker.leases.insert(token, LentGame { assignment, is_delivered: false });
            }
        }
        Ok(leases)
    }

    /// The number of workers that live.
    pub fn count(&self) -> usize {
        self.workers.values().filter(|worker| worker.is_here).count()
    }

    /// Takes what has come, withdraws what will not, and gives out games. What cannot be read or
    /// written is tried again: the folder may be on another machine.
    pub fn look(&mut self, run: &Run, board: &SharedBoard, screen: &mut dyn RunScreen) {
        let now = Instant::now();
        if now < self.next_look {
            return;
        }
        self.next_look = now + PAUSE;
        for game in self.adopted.drain(..) {
            run.lend(|| Some(game));
        }
        if let Err(error) = self.meet(now) {
            tracing::debug!("{}: {error}", self.folder.display());
        }
        let timeout = self.timeout;
        let mut gone = Vec::new();
        let mut most = MOST_AT_ONCE;
        for (key, worker) in &mut self.workers {
            if worker.is_there() {
                worker.take_deliveries(run, board, screen);
                worker.withdraw_lost(run, board);
            }
            let was_here = worker.is_here;
            worker.is_here = worker.is_alive(now, timeout);
            if !worker.is_here {
                gone.push(key.clone());
                continue;
            }
            if let Some(sign) = worker.sign.as_ref().filter(|_| !was_here) {
                let games = counted(sign.games.into(), "game");
                screen.note(&format!("worker {} plays {games} at a time", worker.name).into());
            }
            if let Err(error) = worker.give(&self.league, &mut most, run, board) {
                tracing::debug!("{}: {error}", worker.folder.display());
            }
        }
        for key in gone {
            self.part_with(&key, run, board, screen);
        }
    }

    /// The journal has the game of this index.
    pub fn kept(&mut self, index: u64) {
        for worker in self.workers.values_mut() {
            let of_game = worker.leases.extract_if(.., |_, lent| lent.index() == index).next();
            if let Some((token, _)) = of_game {
                worker.remove(&token);
            }
        }
    }

    /// Looks for workers that it does not know yet.
    fn meet(&mut self, now: Instant) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() && !self.workers.contains_key(&entry.file_name()) {
                self.workers.insert(entry.file_name(), Worker::new(entry.path(), now));
            }
        }
        Ok(())
    }

    /// A worker is gone: its games are played here.
    fn part_with(
        &mut self,
        key: &OsString,
        run: &Run,
        board: &SharedBoard,
        screen: &mut dyn RunScreen,
    ) {
        let Some(worker) = self.workers.get_mut(key) else { return };
        let mut lost = 0;
        for (token, lent) in std::mem::take(&mut worker.leases) {
            if lent.is_delivered {
                worker.leases.insert(token, lent);
                continue;
            }
            lost += 1;
            give_back(lent, run, board);
        }
        if lost > 0 {
            let games = counted(lost, "game");
            let note = format!("worker {} is gone: {games} of it will be played here", worker.name);
            screen.note(&note.into());
        }
        if !worker.leases.is_empty() {
            return; // until these are recorded
        }
        if let Err(error) = remove_folder_if_there(&worker.folder) {
            tracing::debug!("{}: {error}", worker.folder.display());
            return;
        }
        self.workers.remove(key);
    }
}

impl Worker {
    fn new(folder: PathBuf, now: Instant) -> Worker {
        let name = folder.file_name().unwrap_or_default().as_encoded_bytes();
        Worker {
            name: printable(name, 100),
            folder,
            sign: None,
            since: now,
            is_here: false,
            leases: BTreeMap::new(),
            told: BTreeSet::new(),
        }
    }

    /// Takes the games that it has delivered. What cannot be read or removed now stays until the
    /// next look, and stops nothing else.
    fn take_deliveries(&mut self, run: &Run, board: &SharedBoard, screen: &mut dyn RunScreen) {
        for token in tokens(&self.folder, GAME).unwrap_or_default() {
            let Some(lent) = self.leases.get_mut(&token) else {
                self.remove(&token); // the lease was withdrawn
                continue;
            };
            if lent.is_delivered {
                continue;
            }
            let finished = match read(&game_file(&self.folder, &token)) {
                Ok(Delivery::Played(played)) => finished(&lent.assignment, *played),
                Ok(Delivery::Declined(why)) => Err(why),
                Err(error) => Err(error.to_string()),
            };
            match finished {
                Ok(finished) => {
                    lent.is_delivered = true;
                    run.deliver(Box::new(finished));
                }
                Err(why) => {
                    self.tell(&why, screen);
                    self.withdraw(&token, run, board);
                }
            }
        }
    }

    /// Plays the games here whose leases are not there any more: the worker has dropped them, too.
    fn withdraw_lost(&mut self, run: &Run, board: &SharedBoard) {
        let Ok(there) = tokens(&self.folder, LEASE) else { return };
        let mut lost = Vec::new();
        for (token, lent) in &self.leases {
            if !lent.is_delivered && !there.contains(token) {
                lost.push(token.clone());
            }
        }
        for token in lost {
            self.withdraw(&token, run, board);
        }
    }

    /// Says once why it does not play a game.
    fn tell(&mut self, why: &str, screen: &mut dyn RunScreen) {
        let why = printable(why.as_bytes(), MOST_SAID);
        if self.told.len() < MOST_TOLD && self.told.insert(why.clone()) {
            let note = format!("worker {} does not play a game, which is played here: ", self.name);
            screen.note(&Message::from(note).quoted(why));
        }
    }

    /// Whether its folder is there: a link in its place would lead out of the result folder.
    fn is_there(&self) -> bool {
        fs::symlink_metadata(&self.folder).is_ok_and(|there| there.is_dir())
    }

    /// Whether its sign of life has changed within this time.
    fn is_alive(&mut self, now: Instant, timeout: Duration) -> bool {
        if !self.is_there() {
            return false;
        }
        match read::<SignOfLife>(&self.folder.join(ALIVE)) {
            Ok(sign) if self.sign.as_ref() != Some(&sign) => {
                self.sign = Some(sign);
                self.since = now;
                true
            }
            // It has left, or is about to join.
            Err(error) if error.kind() == ErrorKind::NotFound && self.sign.is_some() => false,
            _ => now.duration_since(self.since) < timeout,
        }
    }

    /// Gives it as many games as it plays, at most `most` of them now.
    fn give(
        &mut self,
        league: &str,
        most: &mut usize,
        run: &Run,
        board: &SharedBoard,
    ) -> io::Result<()> {
        let wanted = match &self.sign {
            Some(SignOfLife { games: 0, .. }) | None => 0,
            Some(sign) => usize::from(sign.games).min(MOST_LEASES) + AHEAD,
        };
        while self.leases.len() < wanted && *most > 0 {
            *most -= 1;
            let token = Token::random()?.to_string();
            let mut lent = None;
            let assignment = run.lend(|| {
                let (assignment, game) = board.lock().lend()?;
                lent = Some(game);
                Some(assignment)
            });
            let (Some(assignment), Some(game)) = (assignment, lent) else { break };
            let arbiter = env!("CARGO_PKG_VERSION").to_owned();
            let lease = Lease { arbiter, league: league.to_owned(), game };
            let written = write(&lease_file(&self.folder, &token), &lease);
            self.leases.insert(token.clone(), LentGame { assignment, is_delivered: false });
            if written.is_err() {
                self.withdraw(&token, run, board);
                return written;
            }
        }
        Ok(())
    }

    /// It does not play a game any more: the league does.
    fn withdraw(&mut self, token: &str, run: &Run, board: &SharedBoard) {
        if let Some(lent) = self.leases.remove(token) {
            give_back(lent, run, board);
        }
        self.remove(token);
    }

    /// Removes the files of a lease. What stays is found again when it is no lease any more.
    fn remove(&self, token: &str) {
        for file in [lease_file(&self.folder, token), game_file(&self.folder, token)] {
            if let Err(error) = remove_if_there(&file) {
                tracing::debug!("{}: {error}", file.display());
            }
        }
    }
}

fn give_back(lent: LentGame, run: &Run, board: &SharedBoard) {
    run.take_back(lent.index(), || board.lock().give_back(lent.assignment));
}

/// A game that a worker has played, as if it had been played here.
///
/// # Errors
/// It is not the game that was lent.
fn finished(assignment: &Assignment, played: PlayedGame) -> Result<Finished, String> {
    let PlayedGame { game, notes: [first, second] } = played;
    let record = game.record().map_err(|error| error.to_string())?;
    let names = assignment.players.as_ref().map(|(name, _)| name);
    if game.id != assignment.pairing.id
        || game.attempt != assignment.attempt
        || record.players.as_ref() != names
        || record.start.to_string() != assignment.start.to_string()
    {
        return Err(format!("another game came, {}", game.id));
    }
    Ok(Finished {
        pairing: assignment.pairing.clone(),
        attempt: game.attempt,
        record,
        broken: None,
        fault: None,
        waited: None,
        notes: BySide { first, second },
        exits: BySide::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_cup::tournament::RecordedGame;
    use arbiter_play::arena::{Person, PlayerSpec};
    use arbiter_rank::schedule::Pairing;
    use arbiter_rules::Ruleset;

    /// A game of `a` and `b`, as it is lent.
    fn lent() -> Assignment {
        let names = BySide { first: "a", second: "b" };
        Assignment {
            pairing: Pairing::alone("a~b.1".to_owned(), 0),
            players: names.map(|name| (name.to_owned(), PlayerSpec::Person(Person::new(|_| {}).0))),
            attempt: 1,
            start: Ruleset::named("gekitai", "").unwrap().start(),
        }
    }

    /// Takes a game that comes with this log.
    fn take(id: &str, attempt: u32, log: &str) -> Result<Finished, String> {
        let game = RecordedGame {
            id: id.to_owned(),
            attempt,
            round: 1,
            pair: None,
            digests: <[String; 2]>::default(),
            log: log.to_owned(),
            stderr: String::new(),
            stderr_last: None,
            fault: None,
        };
        let played = PlayedGame { game, notes: <[_; 2]>::default() };
        finished(&lent(), played)
    }

    const LOG: &str = "[White \"a\"]\n[Black \"b\"]\n[Game \"gekitai\"]\n[Result \"1-0\"]\n\
        [Outcome \"forfeit\"]\n[Termination \"illegal-move\"]\n\n1-0\n";

    #[test]
    fn only_the_game_that_was_lent_is_taken() {
        assert_eq!(take("a~b.1", 1, LOG).map(|game| game.attempt), Ok(1));
        let swapped =
            LOG.replace("White \"a\"", "White \"b\"").replace("Black \"b\"", "Black \"a\"");
        let elsewhere = LOG.replace("gekitai", "loa");
        for (id, attempt, log) in [
            ("a~b.2", 1, LOG),
            ("a~b.1", 2, LOG),
            ("a~b.1", 0, LOG),
            ("../a~b.1", 1, LOG),
            ("a~b.1", 1, &*swapped),
            ("a~b.1", 1, &*elsewhere),
            ("a~b.1", 1, "1. xx yy 1-0"),
            ("a~b.1", 1, ""),
        ] {
            assert!(take(id, attempt, log).is_err(), "{id} {attempt} {log}");
        }
    }

    #[test]
    fn a_file_that_is_none_of_arbiters_is_no_delivery() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.game");
        for text in ["", "{", "{\"played\":{}}", "[1]", "{\"declined\":1}", "\"played\""] {
            fs::write(&file, text).unwrap();
            assert!(read::<Delivery>(&file).is_err(), "{text}");
        }
        let link = dir.path().join("y.game");
        fs::write(&file, "{\"declined\":\"no\"}").unwrap();
        assert!(read::<Delivery>(&file).is_ok());
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(read::<Delivery>(&link).is_err());
        assert_eq!(tokens(dir.path(), GAME).unwrap(), ["x"]);
    }
}
