//! `arbiter league`: submissions that arrive, change, break and go while games are played; kills.

mod disk;
mod seasons;
mod term;
mod workers;

use crate::support::served::Served;
use crate::support::{arbiter, has_strict, run, wait_for, wait_or_say};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use tempfile::TempDir;

/// Plays the last move that it is told; `TALKS` is said on standard error. A shell starts in a tenth
/// of the time that Python takes.
const BOT: &str = "\
while read -r word rest; do
    case $word in
    start) echo ready reuse ;;
    moves) move=${rest##* } ;;
    go)
        echo TALKS >&2
        echo move $move ;;
    esac
done
";

/// How leagues are played here: without a pause they would play as many games as the machine can
/// while a test waits for something else.
const FLAGS: [&str; 4] = ["--concurrency", "2", "--pause", "20ms"];

/// A league with a folder of submissions.
struct Place {
    dir: TempDir,
}

/// A league that is played. It is killed when it is dropped.
struct Played {
    child: Child,
}

impl Drop for Played {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Place {
    fn new(more: &str) -> Place {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("in")).unwrap();
        let text = format!(
            "name = \"liga\"\ngame = \"gekitai\"\n[schedule]\nformat = \"league\"\n\
             [league]\nsettle = \"100ms\"\ncheck = \"0s\"\nworker-timeout = \"2s\"\n\
             [time]\nbase = \"1h\"\n\
             [[bot]]\nname = \"first\"\ncommand = \"builtin:random\"\n\
             [[bots]]\nfolder = \"in\"\n{more}\n"
        );
        fs::write(dir.path().join("league.toml"), text).unwrap();
        Place { dir }
    }

    fn config(&self) -> PathBuf {
        self.dir.path().join("league.toml")
    }

    fn results(&self) -> PathBuf {
        self.dir.path().join("liga")
    }

    fn submission(&self, name: &str) -> PathBuf {
        self.dir.path().join("in").join(name)
    }

    /// Hands a program in, or another one in its place.
    fn hand_in(&self, name: &str, program: &str) {
        let folder = self.submission(name);
        if folder.exists() {
            let complete = self.dir.path().join("complete.sh");
            fs::write(&complete, program).unwrap();
            fs::rename(complete, folder.join("bot.sh")).unwrap();
        } else {
            self.hand_in_files(
                name,
                &[("bot.sh", program), ("bot.toml", "command = \"sh bot.sh\"\n")],
            );
        }
    }

    /// Hands a program in that is built by a shell script.
    fn hand_in_to_build(&self, name: &str, program: &str, script: &str) {
        let manifest = "command = \"sh bot.sh\"\nbuild = \"sh build.sh\"\n";
        let files = [("bot.sh", program), ("bot.toml", manifest), ("build.sh", script)];
        self.hand_in_files(name, &files);
    }

    /// Hands files in, all at once: they are there whole, however slow the machine is.
    fn hand_in_files(&self, name: &str, files: &[(&str, &str)]) {
        let complete = self.dir.path().join("complete");
        fs::create_dir(&complete).unwrap();
        for (file, text) in files {
            fs::write(complete.join(file), text).unwrap();
        }
        fs::rename(complete, self.submission(name)).unwrap();
    }

    /// Takes a submission away, all at once.
    fn take_away(&self, name: &str) {
        let gone = self.dir.path().join("gone");
        fs::rename(self.submission(name), &gone).unwrap();
        fs::remove_dir_all(gone).unwrap();
    }

    fn play(&self) -> Played {
        let mut command = arbiter(&["league", self.config().to_str().unwrap()]);
        command.args(FLAGS).stdout(Stdio::null()).stderr(Stdio::inherit());
        Played { child: command.spawn().unwrap() }
    }

    fn status(&self) -> Option<Value> {
        serde_json::from_str(&fs::read_to_string(self.results().join("league.json")).ok()?).ok()
    }

    /// Waits until a version of a bot is in this state; what was said of it.
    fn wait(&self, bot: &str, number: u64, state: &str) -> String {
        let look = || {
            let status = self.status()?;
            let versions = status["versions"].as_array()?;
            let found = versions.iter().find(|version| {
                version["bot"] == bot && version["number"] == number && version["state"] == state
            })?;
            Some(found["said"].as_str()?.to_owned())
        };
        wait_or_say(look, || format!("{bot} {number} {state}: {:#?}", self.status()))
    }

    /// The games of the journal: id and digests.
    fn games(&self) -> Vec<(String, String)> {
        let journal = fs::read_to_string(self.results().join("journal.jsonl")).unwrap_or_default();
        let mut games = Vec::new();
        for line in journal.lines() {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            let entry = &line["entry"];
            if entry["type"] == "game" {
                games
                    .push((entry["id"].as_str().unwrap().to_owned(), entry["digests"].to_string()));
            }
        }
        games
    }

    /// The address of an author's page.
    fn link_of(&self, bot: &str) -> Option<String> {
        let links = fs::read_to_string(self.results().join("feedback-links.txt")).unwrap();
        let line = links.lines().find(|line| line.contains(&format!("\t{bot}\t")))?;
        Some(line.split_once(".html")?.0.to_owned())
    }

    /// Lets the version with this program answer, which is a [`waiting_bot`].
    fn let_go(&self, program: &str) {
        let builds = fs::read_dir(self.results().join("league/builds")).unwrap();
        let mut copies = builds.map(|entry| entry.unwrap().path());
        let copy = copies.find(|copy| fs::read_to_string(copy.join("bot.sh")).unwrap() == program);
        fs::write(copy.unwrap().join("GO"), "").unwrap();
    }

    /// Waits for games with a bot, more than there are.
    fn wait_for_games(&self, bot: &str, more: usize) {
        let count = || self.games().iter().filter(|(id, _)| id.contains(bot)).count();
        let before = count();
        wait_for("games", || (count() >= before + more).then_some(()));
    }
}

impl Played {
    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Ends it as a service manager does; its exit status.
    fn end(mut self) -> Option<i32> {
        self.signal(Signal::TERM);
        self.child.wait().unwrap().code()
    }

    fn kill(mut self) {
        self.signal(Signal::KILL);
        self.child.wait().unwrap();
    }
}

/// The table that is computed from the logs alone has the points of the one in the folder.
fn check_tables(results: &Path) {
    let table: Value =
        serde_json::from_str(&fs::read_to_string(results.join("standings.json")).unwrap()).unwrap();
    let log = results.join("games.pgn");
    let computed = run(&["standings", "--format", "json", log.to_str().unwrap()]);
    assert_eq!(computed.status, Some(0), "{computed:?}");
    let computed: Value = serde_json::from_str(&computed.stdout).unwrap();
    let points = |table: &Value| {
        let mut points: Vec<(String, String)> = Vec::new();
        for bot in table["bots"].as_array().unwrap() {
            if bot["games"].as_u64() > Some(0) {
                points
                    .push((bot["name"].to_string(), format!("{} {}", bot["games"], bot["points"])));
            }
        }
        points.sort();
        points
    };
    assert_eq!(points(&table), points(&computed));
}

#[test]
fn versions_come_break_and_go_while_games_are_played() {
    let place = Place::new("");
    place.hand_in("ann", &BOT.replace("TALKS", "one"));
    let played = place.play();
    place.wait("ann", 1, "plays");
    place.wait_for_games("ann", 2);
    // A second author comes, and plays at once.
    place.hand_in("bob", &BOT.replace("TALKS", "two"));
    place.wait("bob", 1, "plays");
    place.wait_for_games("bob", 2);
    // A broken version does not replace the one that plays, and its author is told.
    place.hand_in("ann", "exit 7");
    let why = place.wait("ann", 2, "refused");
    assert!(why.contains("exit status 7"), "{why}");
    let page = wait_for("the page of the author", || {
        let page = fs::read_to_string(place.results().join("feedback/ann.md")).ok()?;
        page.contains("exit status 7").then_some(page)
    });
    assert!(page.contains("the one before plays on"), "{page}");
    place.wait_for_games("ann", 2);
    // A good one does.
    place.hand_in("ann", &BOT.replace("TALKS", "three"));
    place.wait("ann", 3, "plays");
    place.wait("ann", 1, "replaced");
    place.wait_for_games("ann", 2);
    // Nobody takes the name of another bot.
    for name in ["Ann", "first"] {
        place.hand_in(name, &BOT.replace("TALKS", "thief"));
        let said = place.wait(name, 1, "refused");
        assert!(said.contains("another bot is called"), "{said}");
        place.take_away(name);
    }
    // Who takes the folder away is withdrawn.
    place.take_away("bob");
    place.wait("bob", 1, "withdrawn");
    assert_eq!(played.end(), Some(0), "SIGTERM is its usual end");
    check_tables(&place.results());
    let text = run(&["league", place.config().to_str().unwrap(), "--status"]).stdout;
    assert!(text.contains("ann 3 plays\n") && text.contains("ann 2 refused: "), "{text}");
    // Nothing of the copies that played is left but what is kept.
    assert!(!place.results().join("league/builds").exists());
}

#[test]
fn a_killed_league_goes_on_with_the_versions_that_played() {
    let place = Place::new("");
    place.hand_in("ann", &BOT.replace("TALKS", "one"));
    let played = place.play();
    place.wait("ann", 1, "plays");
    place.wait_for_games("ann", 2);
    place.hand_in("ann", "exit 7");
    place.wait("ann", 2, "refused");
    played.kill();
    let before = place.games();
    let played = place.play();
    place.wait_for_games("ann", 4);
    played.kill();
    // A version that arrives while nobody is there is taken at the next start.
    place.hand_in("bob", &BOT.replace("TALKS", "two"));
    let played = place.play();
    place.wait("bob", 1, "plays");
    place.wait_for_games("bob", 2);
    assert_eq!(played.end(), Some(0));
    let games = place.games();
    assert_eq!(games[..before.len()], before, "no game is lost");
    let ids: HashSet<&String> = games.iter().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), games.len(), "each game is recorded once");
    check_tables(&place.results());
}

#[test]
fn names_stay_hidden_of_bots_that_join_later() {
    if !has_strict("the names of bots that join a league under aliases") {
        return;
    }
    let place = Place::new("[publish]\nnames = \"alias\"");
    let played = place.play();
    wait_for("the state", || place.status());
    // Each says the name of the other.
    place.hand_in("Ottokar", &BOT.replace("TALKS", "Waltraud is here"));
    place.hand_in("Waltraud", "Ottokar_is_there || exit 7");
    let state = |state: &str| {
        wait_for(state, || {
            let status = place.status()?;
            let versions = status["versions"].as_array()?;
            versions.iter().any(|version| version["state"] == state).then_some(())
        })
    };
    state("refused");
    state("plays");
    wait_for("games", || (place.games().len() > 3).then_some(()));
    assert_eq!(played.end(), Some(0));
    for file in ["league.json", "games.pgn", "standings.json", "standings.md", "junit.xml"] {
        let text = fs::read_to_string(place.results().join(file)).unwrap();
        for name in ["Ottokar", "Waltraud", "ottokar", "waltraud"] {
            assert!(!text.contains(name), "{file}: {text}");
        }
    }
    let aliases = fs::read_to_string(place.results().join("aliases.txt")).unwrap();
    assert!(aliases.contains(" Ottokar\n") && aliases.contains(" Waltraud\n"), "{aliases}");
}

#[test]
fn an_author_hands_in_by_a_link_and_takes_back() {
    let place = Place::new("[uploads]\n[publish]\nfeedback = \"links\"");
    let config = fs::read_to_string(place.config()).unwrap();
    let config = config.replace("folder = \"in\"", "folder = \"in\"\ncommand = \"sh bot.sh\"");
    fs::write(place.config(), config).unwrap();
    // A folder without anything is an author who has not handed in yet.
    fs::create_dir(place.dir.path().join("in/ann")).unwrap();
    let served = Served::league(&place.config(), &FLAGS);
    place.wait("ann", 1, "refused");
    let address = &*place.link_of("ann").unwrap();
    let upload = |address: &str, program: &str| {
        served.raw(&format!(
            "PUT /a/{address}/bot.sh HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{program}",
            served.address,
            program.len()
        ))
    };
    let answer = upload(address, &BOT.replace("TALKS", "one"));
    assert!(answer.status() == "201" && answer.body.starts_with("taken"), "{answer:?}");
    place.wait("ann", 2, "plays");
    place.wait_for_games("ann", 2);
    let wrong = address.replace(|digit: char| digit.is_ascii_digit(), "0");
    let answer = upload(&wrong, &BOT.replace("TALKS", "other"));
    assert!(answer.status() == "404" && answer.body.is_empty(), "{answer:?}");
    // What breaks is told on the page of the link.
    upload(address, "exit 7");
    place.wait("ann", 3, "refused");
    let host = format!("Host: {}\r\n", served.address);
    let page = wait_for("the page of the author", || {
        let page = served.get(&format!("/a/{address}"), &host).body;
        page.contains("exit status 7").then_some(page)
    });
    assert!(page.contains("the one before plays on") && page.contains("<form"), "{page}");
    // Taken back, the version before is the submission again.
    let answer =
        served.raw(&format!("POST /a/{address}/back HTTP/1.1\r\n{host}Content-Length: 0\r\n\r\n"));
    assert_eq!(answer.status(), "200", "{answer:?}");
    place.wait("ann", 4, "plays");
    let handed_in = fs::read_to_string(place.dir.path().join("in/ann/bot.sh")).unwrap();
    assert_eq!(handed_in, BOT.replace("TALKS", "one"));
    // The link of an author without a version that plays is alive after a restart.
    fs::create_dir(place.dir.path().join("in/bob")).unwrap();
    place.wait("bob", 1, "refused");
    let bob = wait_for("the link of bob", || place.link_of("bob"));
    drop(served);
    let served = Served::league(&place.config(), &FLAGS);
    let page = served.get(&format!("/a/{bob}"), &format!("Host: {}\r\n", served.address));
    assert_eq!(page.status(), "200", "{page:?}");
}

/// A bot that answers when there is a file in the copy that it plays from: it can read nothing else.
/// A shell would need another process to wait.
fn waiting_bot() -> String {
    let program = "\
import os, sys, time
for line in sys.stdin:
    words = line.split()
    if words[:1] == [\"start\"]:
        print(\"ready\", flush=True)
    elif words[:1] == [\"moves\"]:
        move = words[-1]
    elif words[:1] == [\"go\"]:
        while not os.path.exists(\"GO\"):
            time.sleep(0.02)
        print(\"move\", move, flush=True)
";
    format!("exec python3 -S -E -c '{program}'\n")
}

#[test]
fn an_author_plays_a_chosen_opponent_next() {
    let place = Place::new("[uploads]\n[publish]\nfeedback = \"links\"");
    let waits = waiting_bot();
    place.hand_in("ann", &waits);
    let served = Served::league(&place.config(), &FLAGS);
    // Both games of the first pair wait, so the pair that is asked for stays in the queue.
    wait_for("two running games", || {
        (place.status()?["running"].as_array()?.len() == 2).then_some(())
    });
    let address = place.link_of("ann").unwrap();
    let host = format!("Host: {}\r\n", served.address);
    let page = || served.get(&format!("/a/{address}"), &host).body;
    assert!(page().contains("<option>first</option></select> <button>Play</button>"));
    let ask = |opponent: &str| {
        let body = format!("opponent={opponent}");
        let length = body.len();
        served.raw(&format!(
            "POST /a/{address}/challenge HTTP/1.1\r\n{host}Content-Length: {length}\r\n\r\n{body}"
        ))
    };
    let answer = ask("ann");
    assert!(answer.status() == "422" && answer.body.contains("play itself"), "{answer:?}");
    let answer = ask("first");
    assert!(answer.status() == "202" && answer.body.starts_with("ann plays first next"));
    let answer = ask("first");
    assert!(answer.status() == "409" && answer.body.contains("still waits"), "{answer:?}");
    assert!(page().contains("Your bot plays first next"), "{}", page());
    let first_reason = || Some(place.status()?["next"][0]["why"].as_str()?.to_owned());
    wait_for("the queue", || (first_reason()? == "asked for by ann").then_some(()));
    place.let_go(&waits);
    place.wait_for_games("ann", 4);
    assert!(place.games().iter().any(|(id, _)| id == "ann~first.3"), "{:?}", place.games());
    wait_for("the queue", || (first_reason()? != "asked for by ann").then_some(()));
    assert!(page().contains("<option>first</option>"), "it can be asked for again");
}

#[test]
fn a_game_belongs_to_the_versions_that_play_it() {
    let place = Place::new("");
    let waits = waiting_bot();
    place.hand_in("ann", &waits);
    let played = place.play();
    place.wait("ann", 1, "plays");
    wait_for("a running game", || {
        let running = place.status()?["running"].as_array()?.len();
        (running == 2).then_some(())
    });
    place.hand_in("ann", &BOT.replace("TALKS", "two"));
    place.wait("ann", 2, "plays");
    place.let_go(&waits);
    place.wait_for_games("ann", 4);
    assert_eq!(played.end(), Some(0));
    let games = place.games();
    let digests = |id: &str| games.iter().find(|(other, _)| other == id).unwrap().1.clone();
    assert_eq!(digests("ann~first.1"), digests("ann~first.2"), "one pair of the old version");
    assert_ne!(digests("ann~first.1"), digests("ann~first.3"), "{games:?}");
    check_tables(&place.results());
    let table = fs::read_to_string(place.results().join("games.pgn")).unwrap();
    assert!(!table.contains("ann~first.1\"") && table.contains("ann~first.3\""), "{table}");
}

#[test]
fn after_the_deadline_nothing_is_taken_and_the_games_go_on() {
    let place = Place::new("");
    place.hand_in("ann", &BOT.replace("TALKS", "one"));
    let played = place.play();
    place.wait("ann", 1, "plays");
    assert_eq!(played.end(), Some(0));
    let config = fs::read_to_string(place.config()).unwrap();
    let config = config.replace("[league]", "[league]\nfreeze = \"2001-01-01T00:00:00Z\"");
    fs::write(place.config(), config).unwrap();
    let played = place.play();
    place.hand_in("ann", &BOT.replace("TALKS", "two"));
    let why = place.wait("ann", 2, "refused");
    assert!(why.contains("after the deadline"), "{why}");
    place.wait_for_games("ann", 2);
    assert_eq!(played.end(), Some(0));
    assert_eq!(place.status().unwrap()["frozen"], "2001-01-01T00:00:00Z");
}

#[test]
fn what_has_an_end_is_not_a_league_and_the_other_way_round() {
    let place = Place::new("");
    let config = place.config();
    let config = config.to_str().unwrap();
    let ran = run(&["tournament", config]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("play it with `arbiter league "), "{ran:?}");
    let text = fs::read_to_string(config).unwrap().replace("\"league\"", "\"round-robin\"");
    fs::write(config, text).unwrap();
    let ran = run(&["league", config]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("play it with `arbiter tournament "), "{ran:?}");
    let ran = run(&["league", config, "--status"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
}
