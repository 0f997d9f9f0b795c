//! A simulated term: authors hand in what works, what is broken and what is hostile, while games
//! are played and the league is killed. `cargo test` simulates a short one, `ARBITER_ALL=1` a whole
//! one.

use super::{BOT, Place, Played, check_tables};
use crate::support::served::{Answer, Served};
use crate::support::{arbiter, has, plays_all, wait_for};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Command;

/// How much happens.
struct TermSize {
    authors: usize,
    /// In each round every author hands in once.
    rounds: usize,
    /// One upload in this many is bad.
    one_bad_in: usize,
    /// The number of games at the end.
    games: usize,
    /// The room of the league; what it writes beyond that is removed when it says so.
    disk_mib: usize,
    /// The most memory of the league.
    memory_mib: u64,
}

const SHORT: TermSize =
    TermSize { authors: 4, rounds: 5, one_bad_in: 3, games: 60, disk_mib: 64, memory_mib: 256 };
const WHOLE: TermSize = TermSize {
    authors: 40,
    rounds: 10,
    one_bad_in: 10,
    games: 20_000,
    disk_mib: 120,
    memory_mib: 1024,
};

/// The size of the whole term, or of a smaller one for a trial of it: `ARBITER_TERM` is its number
/// of games.
fn size() -> TermSize {
    let games = std::env::var("ARBITER_TERM").ok().and_then(|games| games.parse().ok());
    match games {
        Some(games) => TermSize { games, disk_mib: 16 + games / 200, ..WHOLE },
        None if plays_all() => WHOLE,
        None => SHORT,
    }
}

/// How a bot begins a game: it plays all of them in one process, and what it says is logged.
const BEGINS: &str = "echo ready reuse; echo it begins >&2";

/// The most bytes of an upload.
const UPLOAD: usize = 64 << 10;

/// What an author hands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Upload {
    Good,
    /// The same once more.
    Same,
    /// It ends at once.
    Broken,
    /// It writes without end.
    Floods,
    /// An archive with a file outside of its folder.
    Escapes,
    /// More than is allowed.
    Huge,
    /// The connection ends in the middle.
    HalfWritten,
}

/// The bad ones, and the one that is good twice.
const SPECIAL: [Upload; 6] = [
    Upload::Broken,
    Upload::Floods,
    Upload::Escapes,
    Upload::Huge,
    Upload::HalfWritten,
    Upload::Same,
];

/// A term that is being simulated.
struct Term {
    size: TermSize,
    place: Place,
    league: Served,
    /// A worker, which is killed with the league.
    worker: Option<Played>,
    /// By author: the number of versions, and the last good program.
    authors: BTreeMap<String, (u64, String)>,
    /// The journal as far as it was read, and its complete lines with a game.
    read: u64,
    games: usize,
    /// The most memory of all processes of the league, in KiB.
    memory: u64,
    /// How often it was killed, and how often there was no room.
    kills: usize,
    shortages: usize,
    /// How many uploads there were of each kind, and how many versions had a verdict.
    uploads: BTreeMap<String, usize>,
    verdicts: usize,
}

impl Term {
    fn begin(size: TermSize) -> Term {
        let more = "command = \"sh bot.sh\"\n[publish]\nfeedback = \"links\"\n[uploads]\n\
                    per-hour = 10000\nsize = \"64KiB\"";
        let place = Place::new(more);
        let config = fs::read_to_string(place.config()).unwrap();
        // Its games are the shortest of all.
        let config =
            config.replace("game = \"gekitai\"", "game = \"lineup\"\n[options]\nn = 4\ns = 3");
        let disk = format!("[league]\ndisk = \"{}MiB\"", size.disk_mib);
        fs::write(place.config(), config.replace("[league]", &disk)).unwrap();
        let mut authors = BTreeMap::new();
        for number in 0..size.authors {
            let name = format!("author{number}");
            fs::create_dir(place.dir.path().join("in").join(&name)).unwrap();
            authors.insert(name, (1, String::new()));
        }
        let league = start(&place);
        let mut term = Term {
            size,
            place,
            league,
            worker: None,
            authors,
            read: 0,
            games: 0,
            memory: 0,
            kills: 0,
            shortages: 0,
            uploads: BTreeMap::new(),
            verdicts: 0,
        };
        // A folder without anything is an author who has a link.
        let all: Vec<String> = term.authors.keys().cloned().collect();
        for name in all {
            term.wait_for_verdict(&name, "refused");
        }
        term.worker = Some(term.place.worker());
        term
    }

    /// Every author hands in once; returns what each version has to become.
    fn hand_in(&mut self, round: usize) -> Vec<(String, &'static str)> {
        let links = fs::read_to_string(self.place.results().join("feedback-links.txt")).unwrap();
        let mut expected = Vec::new();
        let names: Vec<String> = self.authors.keys().cloned().collect();
        for (number, name) in names.into_iter().enumerate() {
            let line = links.lines().find(|line| line.contains(&format!("\t{name}\t"))).unwrap();
            let address = line.split_once(".html").unwrap().0;
            let index = round * self.size.authors + number;
            let is_special = (index + round) % self.size.one_bad_in == self.size.one_bad_in - 1;
            let upload = if is_special {
                SPECIAL[index / self.size.one_bad_in % SPECIAL.len()]
            } else {
                Upload::Good
            };
            let silent = BOT.replace("echo TALKS >&2", ":");
            let good = format!("{}# {index}\n", silent.replace("echo ready", BEGINS));
            let last = &self.authors[&name].1;
            let upload =
                if last.is_empty() && upload == Upload::Same { Upload::Good } else { upload };
            let program = if upload == Upload::Same { last.clone() } else { good };
            *self.uploads.entry(format!("{upload:?}")).or_default() += 1;
            if let Some(state) = self.send(upload, address, &program) {
                let author = self.authors.get_mut(&name).unwrap();
                author.0 += 1;
                if state == "plays" {
                    author.1 = program;
                }
                expected.push((name, state));
            }
        }
        expected
    }

    /// Sends an upload; what its version has to become, if it is taken.
    fn send(&self, upload: Upload, address: &str, program: &str) -> Option<&'static str> {
        let answer = match upload {
            Upload::Good | Upload::Same => self.put(address, "bot.sh", program),
            Upload::Broken => self.put(address, "bot.sh", "exit 7\n"),
            Upload::Floods => self.put(address, "bot.sh", "exec yes\n"),
            Upload::Escapes => self.put(address, "bot.tar", &tar("../../escaped", program)),
            Upload::Huge => self.put(address, "bot.sh", &"#".repeat(2 * UPLOAD)),
            Upload::HalfWritten => {
                let length = 2 * program.len();
                let mut stream = self.league.connect();
                let head = self.head(address, "bot.sh", length);
                stream.write_all((head + program).as_bytes()).unwrap();
                return None;
            }
        };
        let (status, state) = match upload {
            Upload::Good | Upload::Same => ("201", Some("plays")),
            Upload::Broken | Upload::Floods => ("201", Some("refused")),
            Upload::Escapes => ("422", None),
            Upload::Huge => ("413", None),
            Upload::HalfWritten => unreachable!(),
        };
        assert_eq!(answer.status(), status, "{upload:?}: {answer:?}");
        state
    }

    fn put(&self, address: &str, file: &str, body: &str) -> Answer {
        self.league.raw(&(self.head(address, file, body.len()) + body))
    }

    fn head(&self, address: &str, file: &str, length: usize) -> String {
        format!(
            "PUT /a/{address}/{file} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n",
            self.league.address
        )
    }

    /// Waits until the newest version of an author is in this state.
    fn wait_for_verdict(&mut self, name: &str, state: &str) {
        let number = self.authors[name].0;
        let mut seen = Value::Null;
        loop {
            let status = wait_for("another state", || {
                let status = self.place.status()?;
                (status != seen).then_some(status)
            });
            seen = status;
            self.make_room(&seen);
            let mut versions = seen["versions"].as_array().unwrap().iter();
            let found =
                versions.find(|version| version["bot"] == name && version["number"] == number);
            let Some(version) = found else { continue };
            if version["state"] == state {
                break;
            }
            let is_open = version["state"] == "waits" || version["state"] == "checks";
            assert!(is_open, "{name}: version {number} is to be {state}: {version}");
        }
        self.verdicts += 1;
    }

    /// Waits until the journal has this many games.
    fn wait_for_games(&mut self, games: usize) {
        while self.games < games {
            let journal = self.place.results().join("journal.jsonl");
            let read = self.read;
            wait_for("games", || {
                if let Some(status) = self.place.status() {
                    self.make_room(&status);
                }
                (fs::metadata(&journal).ok()?.len() > read).then_some(())
            });
            let mut file = fs::File::open(&journal).unwrap();
            file.seek(SeekFrom::Start(self.read)).unwrap();
            let mut text = String::new();
            file.read_to_string(&mut text).unwrap();
            // A line that is still being written is read the next time.
            let complete = text.rfind('\n').map_or(0, |end| end + 1);
            self.read += complete as u64;
            self.games += text[..complete].matches("\"type\":\"game\"").count();
        }
    }

    /// What an organiser does when the league says that there is no room: old logs are removed.
    fn make_room(&mut self, status: &Value) {
        if status["full"].is_null() {
            return;
        }
        let mut removed = 0;
        for bot in fs::read_dir(self.place.results().join("bots")).unwrap() {
            for log in fs::read_dir(bot.unwrap().path()).unwrap() {
                removed += usize::from(fs::remove_file(log.unwrap().path()).is_ok());
            }
        }
        self.shortages += usize::from(removed > 0);
    }

    fn kill(&mut self) {
        self.measure();
        self.worker = Some(self.place.worker()); // in the place of one that is killed
        self.league.child.kill().unwrap();
        self.league.child.wait().unwrap();
        self.kills += 1;
        self.league = start(&self.place);
    }

    /// Remembers the most memory of the process of the league.
    fn measure(&mut self) {
        let status = fs::read_to_string(format!("/proc/{}/status", self.league.child.id()));
        for line in status.unwrap_or_default().lines() {
            if let Some(most) = line.strip_prefix("VmHWM:") {
                let most = most.trim().trim_end_matches(" kB").parse().unwrap();
                self.memory = self.memory.max(most);
            }
        }
    }

    /// The league ends as a service does, and everything is there once.
    fn end(mut self) {
        self.measure();
        assert_eq!(self.league.interrupt(), Some(0));
        check_tables(&self.place.results());
        let journal = fs::read_to_string(self.place.results().join("journal.jsonl")).unwrap();
        let mut ids = HashSet::new();
        let mut games = 0;
        for line in journal.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let entry = &line["entry"];
            if entry["type"] == "game" {
                games += 1;
                assert!(
                    ids.insert((entry["id"].to_string(), entry["attempt"].as_u64())),
                    "{entry}"
                );
            }
        }
        assert!(games >= self.size.games, "{games}");
        assert!(!self.place.dir.path().join("escaped").exists());
        let disk = disk_of(&self.place.results());
        let memory = self.memory >> 10;
        let Term { kills, shortages, uploads, verdicts, .. } = &self;
        let report = format!(
            "a term: {games} games, {kills} kills, {verdicts} verdicts, uploads {uploads:?}, \
             {memory} MiB, {disk} MiB on disk, {shortages} times no room"
        );
        if plays_all() {
            // Past the capture of output, as `skip` does.
            std::io::stderr().write_all(format!("{report}\n").as_bytes()).unwrap();
        }
        assert!(!plays_all() || shortages > &0, "{report}");
        assert!(memory <= self.size.memory_mib, "{report}");
        // The page and the tables of the end come on top.
        assert!(disk <= 2 * self.size.disk_mib, "{report}");
    }
}

/// Sets the clock of the calendar of its process back by two days, five seconds after the first
/// look at it.
const CLOCK: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    static time_t first;
    if (!real) real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    int done = real(id, now);
    if (id != CLOCK_REALTIME || done != 0) return done;
    if (!first) first = now->tv_sec;
    if (now->tv_sec - first >= 5) now->tv_sec -= 2 * 24 * 60 * 60;
    return done;
}
"#;

/// Starts everything that plays. In a whole term the clock of each process jumps.
fn start(place: &Place) -> Served {
    let config = place.config();
    let league = ["league", config.to_str().unwrap(), "--serve", "127.0.0.1:0"];
    let mut command = arbiter(&league);
    command.args(["--concurrency", "2"]);
    if plays_all() && has("cc", "a clock that jumps in a league") {
        let library = place.dir.path().join("clock.so");
        if !library.exists() {
            let source = place.dir.path().join("clock.c");
            fs::write(&source, CLOCK).unwrap();
            let mut compiler = Command::new("cc");
            compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-ldl");
            assert!(compiler.status().unwrap().success());
        }
        command.env("LD_PRELOAD", library);
    }
    Served::announced("league", command)
}

/// The MiB of a folder.
fn disk_of(folder: &Path) -> usize {
    let used = Command::new("du").args(["-sm"]).arg(folder).output().unwrap().stdout;
    let used = String::from_utf8(used).unwrap();
    used.split_whitespace().next().unwrap().parse().unwrap()
}

/// An archive with a file of this path, as text: all its bytes are ASCII.
fn tar(path: &str, content: &str) -> String {
    let mut head = vec![0; 512];
    head[..path.len()].copy_from_slice(path.as_bytes());
    head[100..107].copy_from_slice(b"0000644");
    let length = format!("{:011o}", content.len());
    head[124..135].copy_from_slice(length.as_bytes());
    head[156] = b'0';
    head[257..265].copy_from_slice(b"ustar\x0000");
    head[148..156].copy_from_slice(b"        ");
    let sum: u32 = head.iter().map(|&byte| u32::from(byte)).sum();
    head[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut archive = String::from_utf8(head).unwrap() + content;
    while !archive.len().is_multiple_of(512) {
        archive.push('\0');
    }
    archive + &"\0".repeat(1024)
}

#[test]
fn a_term_has_every_verdict_and_every_game_once() {
    let size = size();
    let rounds = size.rounds;
    let games = size.games;
    let mut term = Term::begin(size);
    for round in 0..rounds {
        let expected = term.hand_in(round);
        if round % 2 == 1 {
            // Uploads that were answered are there after a kill.
            term.kill();
        }
        for (name, state) in expected {
            term.wait_for_verdict(&name, state);
        }
        term.wait_for_games(games * (round + 1) / rounds);
    }
    term.end();
}
