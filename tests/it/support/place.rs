//! The folder of a test: a temporary folder with a configuration, bots and results.

use crate::support::{Ran, arbiter, write_program};
use arbiter::store::journal::Journal;
use arbiter::tournament::{JournalEntry, JournalHead};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Answers the first legal ply; one process for all its games, which starts fast.
pub const FIRST: &str = r#"#!/bin/sh
# A bot that plays the first legal move.
while read -r word rest; do
    case $word in
    start) echo ready reuse ;;
    moves) moves=$rest ;;
    go) echo "move ${moves%% *}" ;;
    quit) exit ;;
    esac
done
"#;

/// Answers the last legal ply; one process for all its games.
pub const LAST: &str = r#"
import sys
moves = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "start": print("ready reuse", flush=True)
    elif word == "moves": moves = rest
    elif word == "go": print("move", moves[-1], flush=True)
"#;

/// Answers with a text that is no ply.
pub const ILLEGAL: &str = "while read -r word rest; do case $word in start) echo ready ;; go) echo move z99 ;; esac; done\n";

/// In its first ply it creates a file, if it may write in its folder, and waits until another file
/// releases it.
pub const WAITS: &str = r#"
import os, sys, time
def tell():
    try: open("waiting-%d" % os.getpid(), "w").close()
    except OSError: pass
moves = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "start": print("ready", flush=True)
    elif word == "moves": moves = rest
    elif word == "go":
        if not os.path.exists("release"):
            tell()
            while not os.path.exists("release"): time.sleep(0.01)
        print("move", moves[0], flush=True)
"#;

/// A configuration of tiny games with limits that no healthy bot reaches on any machine. `schedule`
/// is the content of that table; `more` are further tables; bots are names and commands.
pub fn cup(schedule: &str, more: &str, bots: &[(&str, &str)]) -> String {
    let mut text = format!(
        "name = 'cup'\ngame = 'lineup'\n[options]\nn = 4\ns = 3\n[time]\nmove = '120s'\nstart = '120s'\nfinish = '1h'\n\
         [limits]\nsandbox = 'basic'\n[schedule]\nseed = 7\nopening-plies = 2\n{schedule}\n{more}\n"
    );
    for (name, command) in bots {
        text.push_str(&format!("[[bot]]\nname = '{name}'\ncommand = '{command}'\n"));
    }
    text
}

/// A folder that is removed on drop.
pub struct Place {
    dir: TempDir,
}

/// Both kinds of bots: those that are kept between games, and those that are started for each game.
/// Two of them are programs, which [`Place::with_bots`] writes.
pub const BOTS: [(&str, &str); 4] = [
    ("kept", "python3 last/bot.py"),
    ("fresh", "sh first/bot.sh"),
    ("ada", "builtin:random"),
    ("bea", "builtin:greedy"),
];

impl Place {
    /// A place with the programs of [`BOTS`].
    pub fn with_bots() -> Place {
        let place = Place::new();
        place.write("last/bot.py", LAST);
        place.write("first/bot.sh", FIRST);
        place
    }

    pub fn new() -> Place {
        Place { dir: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    /// Writes a program that can be run.
    pub fn program(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        write_program(&self.path(name), text);
    }

    /// The command that plays this configuration, with results in `out`.
    pub fn command(&self, config: &str, out: &str, more: &[&str]) -> Command {
        self.write("cup.toml", config);
        let mut command = arbiter(&["tournament"]);
        command.arg(self.path("cup.toml")).arg("--out").arg(self.path(out)).args(more);
        command.env_remove("GITHUB_STEP_SUMMARY");
        command
    }

    pub fn play(&self, config: &str, out: &str, more: &[&str]) -> Ran {
        self.command(config, out, more).output().unwrap().into()
    }

    /// Runs [`play`](Place::play) and checks its exit status.
    pub fn ends(&self, status: i32, config: &str, out: &str, more: &[&str]) -> Ran {
        let ran = self.play(config, out, more);
        assert_eq!(ran.status, Some(status), "{ran:?}");
        ran
    }

    /// Starts a tournament and does not wait for it; its stderr goes to `err.txt`.
    pub fn start(&self, config: &str, out: &str, more: &[&str]) -> Child {
        let errors = fs::File::create(self.path("err.txt")).unwrap();
        self.command(config, out, more).stdout(Stdio::null()).stderr(errors).spawn().unwrap()
    }

    /// Every file in the folder, by its path.
    pub fn snapshot(&self, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.path(name), &mut found);
        found
    }

    /// The files that are computed from the journal, without dates and times.
    pub fn results(&self, out: &str) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        for name in ["games.pgn", "standings.json", "standings.md", "junit.xml"] {
            found.insert(name.to_owned(), self.text(&format!("{out}/{name}")));
        }
        found.insert("games.pgn".to_owned(), games(&found["games.pgn"]).join("\n"));
        // A tournament that was interrupted has more runs than one that was not.
        let mut table: serde_json::Value = serde_json::from_str(&found["standings.json"]).unwrap();
        table.as_object_mut().unwrap().remove("history");
        found.insert("standings.json".to_owned(), table.to_string());
        for entry in self.path(&format!("{out}/feedback")).read_dir().unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if !name.ends_with(".md") {
                continue; // logs of games.pgn
            }
            let page = self.text(&format!("{out}/feedback/{name}"));
            // "- The answer that lost: `move z99`, after 0.012 s"
            let lines = page.lines().map(|line| match line.rsplit_once(", after ") {
                Some((answer, _)) if answer.starts_with("- The answer that lost") => answer,
                _ => line,
            });
            found.insert(name, lines.collect::<Vec<_>>().join("\n"));
        }
        found
    }

    /// The newest head of the journal.
    pub fn head(&self, out: &str) -> JournalHead {
        let mut head = None;
        Journal::read_only(&self.path(&format!("{out}/journal.jsonl")), |_, entry| {
            if let JournalEntry::Head(newer) = entry {
                head = Some(newer);
            }
        })
        .unwrap();
        head.unwrap()
    }

    /// The games of the journal: id, attempt, and whether it was aborted.
    pub fn journal(&self, out: &str) -> Vec<(String, u64, bool)> {
        let mut games = Vec::new();
        for line in self.text(&format!("{out}/journal.jsonl")).lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let entry = &line["entry"];
            if entry["type"] == "game" {
                let aborted = entry["log"].as_str().unwrap().contains("[Outcome \"aborted\"]");
                games.push((
                    entry["id"].as_str().unwrap().to_owned(),
                    entry["attempt"].as_u64().unwrap(),
                    aborted,
                ));
            }
        }
        games
    }
}

fn collect(path: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    if path.is_dir() {
        found.insert(path.to_owned(), Vec::new());
        for entry in path.read_dir().unwrap() {
            collect(&entry.unwrap().path(), found);
        }
    } else if path.exists() {
        found.insert(path.to_owned(), fs::read(path).unwrap());
    }
}

/// The games of a log without dates and comments: comments contain times, which also change line
/// breaks.
pub fn games(log: &str) -> Vec<String> {
    let game = |game: &str| {
        // Whether the machine was busy differs between runs, like the date.
        let differing = ["[Date ", "[Disturbed ", "[Times "];
        let differs = |line: &&str| differing.iter().any(|tag| line.starts_with(tag));
        let lines: Vec<&str> = game.lines().filter(|line| !differs(line)).collect();
        let text = lines.join("\n");
        let plain: Vec<&str> = text
            .split('{')
            .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest))
            .collect();
        plain.concat().split_ascii_whitespace().collect::<Vec<_>>().join(" ")
    };
    log.split("[Event ").skip(1).map(game).collect()
}

/// The value of a tag in every game of a log.
pub fn tags<'a>(log: &'a str, tag: &str) -> Vec<&'a str> {
    let begin = format!("[{tag} \"");
    log.lines().filter_map(|line| line.strip_prefix(&*begin)?.strip_suffix("\"]")).collect()
}

/// Sends a signal to a process that was started here.
pub fn signal(child: &Child, signal: &str) {
    let sent = Command::new("sh")
        .args(["-c", &format!("kill -{signal} {}", child.id())])
        .status()
        .unwrap();
    assert!(sent.success());
}
