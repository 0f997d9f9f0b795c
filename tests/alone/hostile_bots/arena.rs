//! Plays one game of a hostile bot, and records the game and everything around it.

use crate::hostile_bots::machine::{Objects, changes, content, picture, traces};
use crate::hostile_bots::user::{Site, User};
use crate::support::{PATIENCE, Ran, marker, processes_with, project};
use serde_json::Value;
use std::fs::{self, File, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The level of isolation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sandbox {
    Strict,
    Off,
}

/// A game that has been played.
#[derive(Debug)]
pub struct Played {
    pub ran: Ran,
    /// Its log.
    pub log: String,
    /// What the bot wrote to standard error, and its lines of standard output that are not part of
    /// the protocol.
    pub said: String,
    /// Whether arbiter ended as it should: one line on stdout, and a log that verifies.
    pub sound: bool,
    /// What is left of the bots, without files.
    pub left: Vec<String>,
    /// Files of the bots and of the user that have changed, and files left in the folder for
    /// temporary files.
    pub touched: Vec<PathBuf>,
    /// Characters that control a terminal, in everything that arbiter wrote.
    pub odd: String,
}

impl Played {
    /// What `--json` said of the game.
    pub fn game(&self) -> Value {
        self.ran
            .stdout
            .lines()
            .next()
            .and_then(|line| serde_json::from_str(line).ok())
            .unwrap_or_default()
    }
}

/// Default options of a game. No working bot comes near these limits on any machine.
const CALM: [(&str, &str); 4] =
    [("--set", "n=3 --set s=3"), ("--move-time", "120s"), ("--start", "120s"), ("--seed", "1")];

/// A folder with two bots and everything that belongs to their game.
pub struct Table {
    folder: TempDir,
    pub marker: String,
    objects: Objects,
    /// Kept open, for bots that try to connect to it.
    _listeners: (TcpListener, UnixListener),
}

impl Table {
    /// `bot` has the hostile bot, `decoy` the opponent that it may attack, `told` the facts that it
    /// is given, one in each file.
    pub fn lay(site: &Site, user: User) -> Table {
        let folder = site.folder();
        let path = |name: &str| folder.path().join(name);
        for name in ["bot", "decoy", "told", "tmp", "home"] {
            fs::create_dir(path(name)).unwrap();
        }
        let write = |name: &str, text: &[u8], mode: u32| {
            fs::write(path(name), text).unwrap();
            fs::set_permissions(path(name), Permissions::from_mode(mode)).unwrap();
        };
        let source = |name: &str| fs::read(project("tests/bots").join(name)).unwrap();
        // Every user may read the opponent's files, so that only the sandbox refuses them.
        write("bot/hostile.py", &source("hostile.py"), 0o644);
        write("bot/broken.py", &source("broken.py"), 0o644);
        write("decoy/decoy.py", &source("hostile.py"), 0o666);
        write("decoy/broken.py", &source("broken.py"), 0o666);
        write("decoy/secret", b"the secret", 0o666);
        write("decoy/engine", b"#!/bin/sh\necho open engine >&2\n", 0o777);
        write("home/key", b"the user's key", 0o600);
        fs::set_permissions(path("decoy"), Permissions::from_mode(0o777)).unwrap();
        if user.closed {
            fs::set_permissions(path("bot"), Permissions::from_mode(0o700)).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        let socket = UnixListener::bind(path("told/agent")).unwrap();
        fs::set_permissions(path("told/agent"), Permissions::from_mode(0o777)).unwrap();
        let table = Table {
            marker: marker("game"),
            objects: Objects::new(),
            _listeners: (port, socket),
            folder,
        };
        let facts = [
            ("decoy", "decoy"),
            ("log", "games.pgn"),
            ("logs", "logs"),
            ("transcript", "transcript"),
        ];
        for (fact, name) in &facts {
            table.tell(fact, &table.path(name).display().to_string());
        }
        table.tell("socket", &table.path("told/agent").display().to_string());
        table.tell("port", &table._listeners.0.local_addr().unwrap().port().to_string());
        table.tell("key", &table.objects.key.to_string());
        table.tell("name", &table.objects.name);
        site.hand_over(table.folder.path(), user);
        table
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The argument by which the bot finds those facts.
    pub fn told(&self) -> String {
        format!("told={}", self.path("told").display())
    }

    /// Writes a fact at once, so that the bot never reads a part of it.
    pub fn tell(&self, fact: &str, text: &str) {
        fs::write(self.path("told/.new"), text).unwrap();
        fs::rename(self.path("told/.new"), self.path(&format!("told/{fact}"))).unwrap();
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.path(name)).unwrap_or_default()).into_owned()
    }

    /// arbiter for this game, started by a shell that leaves a descriptor open to it.
    pub fn arbiter(&self, site: &Site, user: User, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-c", "exec 9</dev/null; exec \"$@\"", "sh"])
            .args(site.program(user))
            .args(arguments);
        command.current_dir(self.folder.path()).stdin(Stdio::null()).env_clear();
        command.env("PATH", &site.path).env("LANG", "C.UTF-8").env("ARBITER_SECRET", "hunter2");
        command.env("HOME", self.path("home")).env("TMPDIR", self.path("tmp"));
        site.become_user(&mut command, user);
        command
    }

    /// Waits for arbiter, and meanwhile tells the bot the pid of its opponent, if it will ask.
    fn wait(&self, mut arbiter: Child, mut asks: bool) -> Option<i32> {
        self.tell("referee", &arbiter.id().to_string());
        let began = Instant::now();
        loop {
            if let Some(status) = arbiter.try_wait().unwrap() {
                return status.code();
            }
            if began.elapsed() > PATIENCE {
                arbiter.kill().unwrap();
                arbiter.wait().unwrap();
                return None;
            }
            if asks
                && self.text("transcript").contains("asks for its opponent")
                && let Some(opponent) = self.opponent()
            {
                asks = false;
                self.tell("opponent", &opponent);
            }
            thread::sleep(Duration::from_millis(3));
        }
    }

    /// The pid of the opponent's own process, neither its warden nor arbiter.
    fn opponent(&self) -> Option<String> {
        processes_with(&self.marker).into_iter().find_map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let is_decoy = words.get(2).is_some_and(|script| script.ends_with("/decoy.py"));
            is_decoy.then(|| words[0].trim_start_matches("/proc/").to_owned())
        })
    }
}

/// Plays a game of the hostile bot, against the decoy if it attacks its opponent and else against a
/// built-in bot, and records what is left.
pub fn play(site: &Site, user: User, behaviour: &str, sandbox: Sandbox) -> Played {
    let table = Table::lay(site, user);
    let (behaviour, options) = behaviour.split_once(" -- ").unwrap_or((behaviour, ""));
    let path = |name: &str| table.path(name).display().to_string();
    let marker = &table.marker;
    let hostile =
        format!("python3 {} {behaviour} {} {marker}", path("bot/hostile.py"), table.told());
    let against_decoy = behaviour.contains("opponent");
    let opponent = if against_decoy {
        format!("python3 {} decoy {marker}", path("decoy/decoy.py"))
    } else {
        "builtin:random".to_owned()
    };
    // Fewer without the sandbox, because they count for all bots of the same user; still more than
    // a bot is allowed.
    let (level, threads) =
        if sandbox == Sandbox::Strict { ("strict", "3000") } else { ("off", "700") };
    table.tell("threads", threads);
    let (log, logs, transcript) = (path("games.pgn"), path("logs"), path("transcript"));
    let mut arguments =
        vec!["play", "lineup", &hostile, &opponent, "--json", "--sandbox", level, "--log", &log];
    arguments.extend(["--bot-logs", &logs, "--transcript", &transcript]);
    arguments.extend(options.split_ascii_whitespace());
    for (option, value) in CALM.into_iter().filter(|(option, _)| !options.contains(option)) {
        arguments.push(option);
        arguments.extend(value.split(' '));
    }

    let folders = ["bot", "decoy", "home"].map(|name| table.path(name));
    let before = picture(&folders);
    let output = |name: &str| File::create(table.path(name)).unwrap();
    let mut arbiter = table.arbiter(site, user, &arguments);
    let arbiter = arbiter.stdout(output("stdout")).stderr(output("stderr")).spawn().unwrap();
    let status = table.wait(arbiter, against_decoy);
    let left = traces(marker, &table.objects); // at once: arbiter does not end before its bots

    let touched = [changes(&before, &picture(&folders)), content(&table.path("tmp"))].concat();
    let ran = Ran { status, stdout: table.text("stdout"), stderr: table.text("stderr") };
    let (log, said) = (table.text("games.pgn"), bot_log(&table.path("logs/hostile")));
    let sound = is_sound(&table, site, &ran, &log);
    let texts = [&ran.stdout, &ran.stderr, &log, &said, &table.text("transcript")]
        .map(String::as_str)
        .concat();
    let odd = texts.chars().filter(|letter| !matches!(letter, '\n' | ' '..='~' | '…')).collect(); // arbiter writes "…"
    Played { ran, log, said, sound, left, touched, odd }
}

/// Whether arbiter ended a game as it should, whatever a bot did.
fn is_sound(table: &Table, site: &Site, ran: &Ran, log: &str) -> bool {
    let verified =
        Command::new(&site.arbiter).arg("verify").arg(table.path("games.pgn")).output().unwrap();
    let verified = Ran::from(verified);
    // The note is about a bot that has computed while its opponent was on move.
    let expected = ["isolation: ", "note: hostile used "];
    let mut lines = ran.stderr.lines();
    ran.status == Some(0)
        && ran.stdout.lines().count() == 1
        && lines.all(|line| expected.iter().any(|begin| line.starts_with(begin)))
        && verified.status == Some(0)
        && verified.stdout.contains("1 game, valid")
        && log.lines().filter(|line| line.starts_with("[Result ")).count() == 1
}

/// A match of working bots, whose result is always the same. The bots sleep, so that they run all
/// the time without using the processor.
pub fn neighbours(site: &Site, user: User) -> Ran {
    let table = Table::lay(site, User { closed: false, ..user });
    let bot = table.path("bot/using.py");
    fs::copy(project("tests/bots/using.py"), &bot).unwrap();
    site.hand_over(table.folder.path(), user);
    let bot = format!("python3 {} sleep 0.1", bot.display());
    let mut arguments =
        vec!["play", "lineup", &bot, &bot, "-n", "2", "--json", "--strict", "--sandbox", "strict"];
    for (option, value) in CALM.into_iter().filter(|(option, _)| *option != "--set") {
        arguments.extend([option, value]);
    }
    table.arbiter(site, user, &arguments).output().unwrap().into()
}

/// The content of all files in the folder of a bot's logs.
fn bot_log(folder: &Path) -> String {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|file| fs::read_to_string(file.path()).unwrap_or_default()).collect()
}
