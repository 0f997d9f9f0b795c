//! The league's side: gives leases to workers, takes what they deliver, and plays itself what none
//! of them brings back.

use super::super::board::{GameBetween, SharedBoard};
use super::{
    ALIVE, Delivery, GAME, LEASE, Lease, PlayedGame, SignOfLife, game_file, lease_file,
    make_private, read, tokens, workers_folder,
};
use arbiter_ground::output::complain;
use arbiter_ground::recorder::RunScreen;
use arbiter_host::locate::remove_folder;
use arbiter_play::arena::{Assignment, Finished, Run};
use arbiter_play::store::{remove_if_there, replace_private};
use arbiter_rules::BySide;
use arbiter_rules::text::{Message, counted};
use arbiter_run::tables::recorded::Recorded;
use arbiter_show::serve::Token;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The least time between two looks at the folders of workers.
const PAUSE: Duration = Duration::from_millis(100);
/// A worker has this many leases beside those that it plays, so that it need not wait between two
/// games.
const AHEAD: usize = 1;

/// The workers of a league, and the games that they play.
pub struct Leases {
    folder: PathBuf,
    fingerprint: String,
    timeout: Duration,
    workers: BTreeMap<String, Worker>,
    next_look: Instant,
}

/// A worker as the league sees it.
struct Worker {
    folder: PathBuf,
    /// Its last sign of life, and since when that is unchanged; `None` if there never was any.
    sign: Option<SignOfLife>,
    since: Instant,
    leases: BTreeMap<String, LentGame>,
}

struct LentGame {
    assignment: Assignment,
    /// Its game has come, and is about to be recorded.
    is_delivered: bool,
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
        let fingerprint = recorded.head.fingerprint.clone();
        let played = recorded.index.played();
        make_private(&folder)?;
        let now = Instant::now();
        let mut leases =
            Leases { folder, fingerprint, timeout, workers: BTreeMap::new(), next_look: now };
        leases.meet(now)?;
        for worker in leases.workers.values_mut() {
            for token in tokens(&worker.folder, LEASE)? {
                let lease = read::<Lease>(&lease_file(&worker.folder, &token)).ok();
                let lease = lease.filter(|lease| lease.fingerprint == leases.fingerprint);
                let game = lease.map(|lease| lease.game);
                let game = game.filter(|game| !played.contains_key(&(game.pairing(0).id, 1)));
                match game.and_then(|game| board.lock().adopt(&game)) {
                    Some(assignment) => {
                        worker.leases.insert(token, LentGame { assignment, is_delivered: false });
                    }
                    None => worker.remove(&token)?,
                }
            }
        }
        Ok(leases)
    }

    /// The number of workers that live.
    pub fn count(&self) -> usize {
        self.workers.values().filter(|worker| worker.sign.is_some()).count()
    }

    /// Takes what has come, withdraws what will not, and gives out games. What cannot be read or
    /// written is tried again: the folder may be on another machine.
    pub fn look(&mut self, run: &Run, board: &SharedBoard, screen: &mut dyn RunScreen) {
        let now = Instant::now();
        if now < self.next_look {
            return;
        }
        self.next_look = now + PAUSE;
        if let Err(error) = self.meet(now) {
            tracing::debug!("{}: {error}", self.folder.display());
        }
        let mut gone = Vec::new();
        for (name, worker) in &mut self.workers {
            let has_joined = worker.sign.is_none();
            if let Err(error) = worker.take_deliveries(run, board, screen) {
                tracing::debug!("{}: {error}", worker.folder.display());
            }
            if !worker.is_alive(now, self.timeout) {
                gone.push(name.clone());
                continue;
            }
            if let Some(sign) = worker.sign.as_ref().filter(|_| has_joined) {
                let games = counted(sign.games.into(), "game");
                screen.note(&format!("worker {name} plays {games} at a time").into());
            }
            if let Err(error) = worker.give(&self.fingerprint, run, board) {
                tracing::debug!("{}: {error}", worker.folder.display());
            }
        }
        for name in gone {
            self.part_with(&name, run, board, screen);
        }
    }

    /// The journal has the game of this index.
    pub fn kept(&mut self, index: u64) {
        for worker in self.workers.values_mut() {
            let found =
                worker.leases.iter().find(|(_, lent)| lent.assignment.pairing.index == index);
            let Some((token, _)) = found else { continue };
            let token = token.clone();
            worker.leases.remove(&token);
            if let Err(error) = worker.remove(&token) {
                complain(format_args!("note: {}: {error}", worker.folder.display()));
            }
        }
    }

    /// Looks for workers that it does not know yet.
    fn meet(&mut self, now: Instant) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if entry.file_type()?.is_dir() {
                let folder = entry.path();
                let new = || Worker { folder, sign: None, since: now, leases: BTreeMap::new() };
                self.workers.entry(name).or_insert_with(new);
            }
        }
        Ok(())
    }

    /// A worker is gone: its games are played here.
    fn part_with(
        &mut self,
        name: &str,
        run: &Run,
        board: &SharedBoard,
        screen: &mut dyn RunScreen,
    ) {
        let Some(worker) = self.workers.get_mut(name) else { return };
        let mut lost = 0;
        for (token, lent) in std::mem::take(&mut worker.leases) {
            if lent.is_delivered {
                worker.leases.insert(token, lent);
                continue;
            }
            lost += 1;
            give_back(lent, run, board);
        }
        if worker.sign.take().is_some() || lost > 0 {
            let games = counted(lost, "game");
            let note = format!("worker {name} is gone; the league plays {games} of it itself");
            screen.note(&note.into());
        }
        if !worker.leases.is_empty() {
            return; // until these are recorded
        }
        match remove_folder(&worker.folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                tracing::debug!("{}: {error}", worker.folder.display());
            }
            _ => {
                self.workers.remove(name);
            }
        }
    }
}

impl Worker {
    /// Takes the games that it has delivered.
    fn take_deliveries(
        &mut self,
        run: &Run,
        board: &SharedBoard,
        screen: &mut dyn RunScreen,
    ) -> io::Result<()> {
        for token in tokens(&self.folder, GAME)? {
            let Some(lent) = self.leases.get_mut(&token) else {
                self.remove(&token)?; // the lease was withdrawn
                continue;
            };
            if lent.is_delivered {
                continue;
            }
            let id = lent.assignment.pairing.id.clone();
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
                    let name = self.folder.file_name().unwrap_or_default().display();
                    let note = Message::from(format!("worker {name} has not played {id}: "));
                    screen.note(&note.quoted(why));
                    self.withdraw(&token, run, board)?;
                }
            }
        }
        Ok(())
    }

    /// Whether its sign of life has changed within this time.
    fn is_alive(&mut self, now: Instant, timeout: Duration) -> bool {
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

    /// Gives it as many games as it plays.
    fn give(&mut self, fingerprint: &str, run: &Run, board: &SharedBoard) -> io::Result<()> {
        let Some(sign) = &self.sign else { return Ok(()) };
        while self.leases.len() < usize::from(sign.games) + AHEAD {
            let mut lent = None;
            let assignment = run.lend(|| {
                let (assignment, game) = board.lock().lend()?;
                lent = Some(game);
                Some(assignment)
            });
            let (Some(assignment), Some(game)) = (assignment, lent) else { break };
            let token = Token::random()?.to_string();
            let written = self.write_lease(&token, fingerprint, game);
            self.leases.insert(token.clone(), LentGame { assignment, is_delivered: false });
            if written.is_err() {
                return written.and(self.withdraw(&token, run, board));
            }
        }
        Ok(())
    }

    fn write_lease(&self, token: &str, fingerprint: &str, game: GameBetween) -> io::Result<()> {
        let arbiter = env!("CARGO_PKG_VERSION").to_owned();
        let lease = Lease { arbiter, fingerprint: fingerprint.to_owned(), game };
        replace_private(&lease_file(&self.folder, token), &serde_json::to_string(&lease)?)
    }

    /// It does not play a game any more: the league does.
    fn withdraw(&mut self, token: &str, run: &Run, board: &SharedBoard) -> io::Result<()> {
        if let Some(lent) = self.leases.remove(token) {
            give_back(lent, run, board);
        }
        self.remove(token)
    }

    /// Removes the files of a lease.
    fn remove(&self, token: &str) -> io::Result<()> {
        remove_if_there(&lease_file(&self.folder, token))?;
        remove_if_there(&game_file(&self.folder, token))
    }
}

fn give_back(lent: LentGame, run: &Run, board: &SharedBoard) {
    let index = lent.assignment.pairing.index;
    board.lock().give_back(lent.assignment);
    run.take_back(index);
}

/// A game that a worker has played, as if it had been played here.
///
/// # Errors
/// It is not the game that was lent.
fn finished(assignment: &Assignment, played: PlayedGame) -> Result<Finished, String> {
    let PlayedGame { game, broken, notes: [first, second] } = played;
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
        broken,
        fault: game.fault,
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
        let player = |name: &str| (name.to_owned(), PlayerSpec::Person(Person::new(|_| {}).0));
        Assignment {
            pairing: Pairing::alone("a~b.1".to_owned(), 0),
            players: BySide { first: player("a"), second: player("b") },
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
        let played = PlayedGame { game, broken: None, notes: <[_; 2]>::default() };
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
        assert_eq!(tokens(dir.path(), GAME).unwrap(), ["x", "y"]);
    }
}
