//! Workers that come and go: killed, stopped, cut off, and with a league that is killed.

use super::{BOT, FLAGS, Place, Played, check_tables};
use crate::support::{arbiter, run, wait_for, wait_or_say};
use rustix::process::Signal;
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::Stdio;

/// The moves of a log.
fn moves(log: &Value) -> &str {
    log.as_str().unwrap().rsplit_once("]\n").unwrap().1
}

/// Two authors, whose bots say in each game from which folder they play.
fn place() -> Place {
    let place = Place::new("");
    place.hand_in("ann", &program());
    place.hand_in("bob", &program());
    place
}

fn program() -> String {
    BOT.replace("TALKS", "$PWD")
}

impl Place {
    /// A worker that plays two games at a time.
    pub(super) fn worker(&self) -> Played {
        let mut command = arbiter(&["league", self.config().to_str().unwrap(), "--worker"]);
        command.args(FLAGS).stdout(Stdio::null()).stderr(Stdio::piped());
        Played { child: command.spawn().unwrap() }
    }

    fn workers_folder(&self) -> PathBuf {
        self.results().join("league/workers")
    }

    /// The files of all workers with this extension.
    fn files_of_workers(&self, extension: &str) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for worker in fs::read_dir(self.workers_folder()).into_iter().flatten().flatten() {
            for file in fs::read_dir(worker.path()).into_iter().flatten().flatten() {
                if file.path().extension().is_some_and(|found| found == extension) {
                    files.push(file.path());
                }
            }
        }
        files
    }

    /// Waits for leases, and returns the ids of their games.
    fn wait_for_leases(&self) -> HashSet<String> {
        wait_for("a lease", || {
            let mut ids = HashSet::new();
            for file in self.files_of_workers("lease") {
                let lease: Value = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
                let game = &lease["game"];
                let name = |bot: usize| game["bots"][bot]["entrant"]["name"].as_str();
                let mut names = [name(0)?, name(1)?];
                names.sort_unstable();
                ids.insert(format!("{}.{}", names.join("~"), game["number"]));
            }
            (!ids.is_empty()).then_some(ids)
        })
    }

    /// Waits until these games are recorded.
    fn wait_for_ids(&self, mut ids: HashSet<String>) {
        wait_for("the games of the leases", || {
            for (id, _) in self.games() {
                ids.remove(&id);
            }
            ids.is_empty().then_some(())
        });
    }

    /// Waits until a game is recorded that a bot has played from the copies of a worker.
    fn wait_for_game_of_worker(&self) {
        wait_for("a game of a worker", || {
            let logs = fs::read_dir(self.results().join("bots/ann")).ok()?;
            for log in logs {
                let said = fs::read_to_string(log.unwrap().path()).unwrap_or_default();
                if said.contains("/arbiter-") {
                    return Some(());
                }
            }
            None
        });
    }

    fn wait_for_workers(&self, count: u64) {
        let look = || (self.status()?["workers"] == count).then_some(());
        wait_or_say(look, || format!("{count} workers: {:?}", self.status()));
    }

    /// Every game was recorded once, and the table is that of the logs.
    fn check_games(&self) {
        let games = self.games();
        let ids: HashSet<&String> = games.iter().map(|(id, _)| id).collect();
        assert_eq!(ids.len(), games.len(), "each game is recorded once");
        check_tables(&self.results());
    }

    /// What bots said in their games is kept, wherever these were played.
    fn check_bot_logs(&self) {
        for (id, _) in self.games() {
            for bot in ["ann", "bob"] {
                if id.contains(bot) {
                    let log = self.results().join(format!("bots/{bot}/{id}.log"));
                    let log = fs::read_to_string(&log).unwrap_or_else(|why| panic!("{id}: {why}"));
                    assert!(log.contains(bot), "{id}: {log}");
                }
            }
        }
    }
}

impl Played {
    /// Ends a worker; what it said.
    fn leave(mut self) -> String {
        self.signal(Signal::TERM);
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{said}");
        said
    }
}

#[test]
fn games_of_workers_that_come_and_go_count_once() {
    let place = place();
    let league = place.play();
    place.wait("ann", 1, "plays");
    place.wait("bob", 1, "plays");
    // One plays, and leaves.
    let worker = place.worker();
    place.wait_for_workers(1);
    place.wait_for_game_of_worker();
    let said = worker.leave();
    let played = said.rsplit_once("has played ").unwrap_or_else(|| panic!("{said}")).1;
    assert!(!played.starts_with("0 "), "{said}");
    place.wait_for_workers(0);
    // One is killed, and the league plays its games.
    let worker = place.worker();
    place.wait_for_workers(1);
    let lost = place.wait_for_leases();
    worker.kill();
    place.wait_for_workers(0);
    place.wait_for_ids(lost);
    // One is stopped until it has lost its games, and goes on with others.
    let worker = place.worker();
    place.wait_for_workers(1);
    place.wait_for_leases();
    worker.signal(Signal::STOP);
    place.wait_for_workers(0);
    worker.signal(Signal::CONT);
    place.wait_for_workers(1);
    let lost = place.wait_for_leases();
    // It is cut off: the shared folder has forgotten it.
    for entry in fs::read_dir(place.workers_folder()).unwrap() {
        let _ = fs::remove_dir_all(entry.unwrap().path()); // it writes there meanwhile
    }
    place.wait_for_ids(lost);
    place.wait_for_leases();
    worker.leave();
    assert_eq!(league.end(), Some(0));
    place.check_games();
    place.check_bot_logs();
}

#[test]
fn a_killed_league_gets_the_games_of_its_workers() {
    let place = place();
    let league = place.play();
    place.wait("bob", 1, "plays");
    let worker = place.worker();
    place.wait_for_leases();
    league.kill();
    // The worker plays on; what it has played is waiting for the next league.
    let game = wait_for("a game", || {
        let file = place.files_of_workers("game").pop()?;
        serde_json::from_str::<Value>(&fs::read_to_string(file).ok()?).ok()
    });
    let game = &game["played"]["game"];
    let league = place.play();
    wait_for("the game that was waiting", || {
        let journal = fs::read_to_string(place.results().join("journal.jsonl")).ok()?;
        let mut lines = journal.lines().filter_map(|line| serde_json::from_str(line).ok());
        lines.find(|line: &Value| {
            let entry = &line["entry"];
            entry["id"] == game["id"] && moves(&entry["log"]) == moves(&game["log"])
        })
    });
    // A new version is played by both.
    place.hand_in("ann", &(program() + "# the second\n"));
    place.wait("ann", 2, "plays");
    place.wait_for_games("ann", 8);
    worker.leave();
    place.wait_for_workers(0);
    wait_for("leases without a worker to go", || {
        place.files_of_workers("lease").is_empty().then_some(())
    });
    assert_eq!(league.end(), Some(0));
    place.check_games();
}

#[test]
fn a_worker_needs_the_league_that_it_was_told_of() {
    let place = place();
    let config = place.config();
    let worker = ["league", config.to_str().unwrap(), "--worker"];
    let ran = run(&worker);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("start the league before its workers"), "{ran:?}");
    let league = place.play();
    place.wait("ann", 1, "plays");
    assert_eq!(league.end(), Some(0));
    let text = fs::read_to_string(&config).unwrap().replace("\"1h\"", "\"2h\"");
    fs::write(&config, text).unwrap();
    let ran = run(&worker);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("time.base"), "{ran:?}");
}
