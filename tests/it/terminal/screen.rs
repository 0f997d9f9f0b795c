//! What a person at a terminal sees, through a pseudo-terminal: the screen while bots are built,
//! tested, waited for and play, and what stays on it.

use crate::support::tmux::Terminal;
use crate::support::{ARBITER, arbiter, interrupt, run, wait_for};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::thread;
use tempfile::TempDir;

/// A bot that makes a file `started-PID` in its folder, waits before `ready` until there is a file
/// `ready`, and before its answers until there is a file `go`.
const HOLDS: &str = r#"
import os, sys, time
open(f"started-{os.getpid()}", "w").close()
def hold(name):
    while not os.path.exists(name): time.sleep(0.01)
moves = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "start": hold("ready"); print("ready", flush=True)
    elif word == "moves": moves = rest
    elif word == "go": hold("go"); print("move", moves[0], flush=True)
"#;

/// No healthy bot is near this limit on any machine.
const CALM: [&str; 4] = ["--move-time", "120s", "--start", "120s"];

/// A tiny game.
const TINY: [&str; 5] = ["lineup", "--set", "n=4", "--set", "s=3"];

/// A terminal of this many columns and lines that understands what arbiter may write, and nothing
/// else.
struct Screen {
    columns: usize,
    lines: usize,
    /// Every line since the beginning; the last `lines` of them are visible.
    text: Vec<Vec<char>>,
    row: usize,
    column: usize,
}

impl Screen {
    fn new((columns, lines): (usize, usize), written: &[u8]) -> Screen {
        let mut screen = Screen { columns, lines, text: vec![Vec::new()], row: 0, column: 0 };
        let written = String::from_utf8_lossy(written);
        let mut letters = written.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\r' => screen.column = 0,
                '\n' => screen.down(),
                '\u{1b}' => {
                    let sequence: Vec<char> =
                        letters.by_ref().take_while(|c| !c.is_alphabetic()).collect();
                    let at = written.len() - letters.as_str().len();
                    let end = written[..at].chars().last().unwrap();
                    let number: String = sequence.iter().skip(1).collect();
                    screen.control(end, number.parse().unwrap_or_default());
                }
                letter => screen.put(letter),
            }
        }
        screen
    }

    fn top(&self) -> usize {
        self.text.len().saturating_sub(self.lines)
    }

    fn down(&mut self) {
        self.row += 1;
        if self.row == self.text.len() {
            self.text.push(Vec::new());
        }
    }

    fn put(&mut self, letter: char) {
        if self.column == self.columns {
            self.column = 0;
            self.down();
        }
        let line = &mut self.text[self.row];
        line.resize(line.len().max(self.column + 1), ' ');
        line[self.column] = letter;
        self.column += 1;
    }

    fn control(&mut self, end: char, number: usize) {
        match end {
            'A' => self.row = self.row.saturating_sub(number).max(self.top()),
            'J' => {
                let (top, column) = (self.top(), self.column);
                self.text[self.row].truncate(column);
                self.text.truncate(self.row + 1);
                // A terminal does not scroll back.
                self.text.resize(self.text.len().max(top + self.lines), Vec::new());
            }
            'K' => {
                let column = self.column;
                self.text[self.row].truncate(column);
            }
            'm' => {}
            other => panic!("an escape sequence that is not expected: {other}"),
        }
    }

    /// All lines since the beginning, also those that have scrolled away.
    fn all(&self) -> Vec<String> {
        self.text.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned()).collect()
    }

    /// The visible lines that are not blank.
    fn visible(&self) -> Vec<String> {
        self.all().split_off(self.top()).into_iter().filter(|line| !line.is_empty()).collect()
    }
}

/// A program on a terminal of its own.
struct OnTerminal {
    child: Child,
    size: (usize, usize),
    written: Arc<Mutex<Vec<u8>>>,
    reader: thread::JoinHandle<()>,
}

impl OnTerminal {
    fn start(mut command: Command, size: (usize, usize)) -> OnTerminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        // A terminal that programs of other tests inherit never closes.
        fcntl_setfd(&master, FdFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let path = Path::new(std::ffi::OsStr::from_bytes(name.to_bytes()));
        let slave = OpenOptions::new().read(true).write(true).open(path).unwrap();
        let [ws_col, ws_row] = [size.0, size.1].map(|length| length.try_into().unwrap());
        tcsetwinsize(&master, Winsize { ws_col, ws_row, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let child = command.stdout(slave.try_clone().unwrap()).stderr(slave).spawn().unwrap();
        drop(command); // it holds the terminal open
        let written = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&written);
        let mut master = File::from(master);
        let reader = thread::spawn(move || {
            let mut bytes = [0; 4096];
            // An error means that the program and its bots have closed the terminal.
            while let Ok(count) = master.read(&mut bytes) {
                if count == 0 {
                    break;
                }
                seen.lock().unwrap().extend(&bytes[..count]);
            }
        });
        OnTerminal { child, size, written, reader }
    }

    fn screen(&self) -> Screen {
        Screen::new(self.size, &self.written.lock().unwrap())
    }

    /// Waits until a visible line contains these words, and returns the visible lines.
    fn shows(&self, words: &str) -> Vec<String> {
        wait_for(words, || {
            let lines = self.screen().visible();
            lines.iter().any(|line| line.contains(words)).then_some(lines)
        })
    }

    /// Waits for the end of the program; returns its exit status and all lines of the terminal.
    fn end(mut self) -> (Option<i32>, Vec<String>) {
        let status = self.child.wait().unwrap().code();
        self.reader.join().unwrap();
        let all = Screen::new(self.size, &self.written.lock().unwrap()).all();
        (status, all)
    }
}

/// A folder with the bot [`HOLDS`], and its command line.
fn holding() -> (TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("holds.py"), HOLDS).unwrap();
    let bot = format!("python3 {}", dir.path().join("holds.py").display());
    (dir, bot)
}

fn release(dir: &TempDir, name: &str) {
    fs::write(dir.path().join(name), "").unwrap();
}

fn play(bots: [&str; 2], more: &[&str]) -> Command {
    arbiter(&[&["play"], &TINY[..1], &bots, &TINY[1..], &CALM, more].concat())
}

#[test]
fn a_bot_that_is_waited_for_has_a_clock() {
    let (dir, bot) = holding();
    let terminal = OnTerminal::start(play([&bot, "builtin:random"], &[]), (80, 24));
    let waiting = terminal.shows("getting ready 0:");
    assert_eq!(waiting[0], "game 1 of 1   ply 0", "{waiting:?}");
    assert_eq!(
        waiting.len(),
        1 + 5,
        "title, and the board with the players beside it: {waiting:?}"
    );
    let ready = waiting.iter().filter(|line| !line.contains("getting ready")).count();
    assert_eq!(ready, 5, "the other bot gets ready after it: {waiting:?}");
    release(&dir, "ready");
    let clock = || {
        let lines = terminal.shows("holds   1:");
        lines
            .iter()
            .find_map(|line| line.split_once("holds   1:").map(|(_, clock)| clock.to_owned()))
    };
    let first = clock();
    wait_for("another time on the clock", || (clock() != first).then_some(()));
    release(&dir, "go");
    let (status, all) = terminal.end();
    assert_eq!(status, Some(0), "{all:?}");
    assert_eq!(all.iter().filter(|line| line.starts_with("game 1 of 1")).count(), 1, "{all:?}");
    assert!(all.iter().any(|line| line.starts_with("holds~random.1  holds (")), "{all:?}");
}

#[test]
fn a_match_of_many_games_shows_a_block_from_the_start_and_leaves_a_line_a_game() {
    let (dir, bot) = holding();
    release(&dir, "ready");
    let command = play([&bot, "builtin:random"], &["-n", "6", "--concurrency", "2", "--seed", "1"]);
    let terminal = OnTerminal::start(command, (60, 20));
    let block = terminal.shows("holds~random.2 0:");
    assert!(block[0].starts_with("holds against random   0 of 6 games   0:"), "{block:?}");
    assert!(block[2].starts_with("playing  holds~random.1 0:"), "{block:?}");
    release(&dir, "go");
    let (status, all) = terminal.end();
    assert_eq!(status, Some(0), "{all:?}");
    assert_eq!(all.iter().filter(|line| line.starts_with("holds~random.")).count(), 6, "{all:?}");
    assert!(!all.iter().any(|line| line.contains("of 6 games") || line.contains('█')), "{all:?}");
    assert!(all.iter().any(|line| line.starts_with("bot ")), "the table: {all:?}");
}

#[test]
fn sentences_are_broken_between_words() {
    let bot = crate::support::broken("illegal");
    let arguments = ["--concurrency", "2", "--seed", "1", "--strict"];
    let mut piped = vec!["play", TINY[0], &bot, "builtin:random"];
    piped.extend(TINY[1..].iter().chain(&CALM).chain(&arguments));
    let expected = run(&piped);
    assert_eq!(expected.status, Some(1), "{expected:?}");
    assert!(expected.stdout.len() > 60, "{expected:?}");
    let terminal = OnTerminal::start(play([&bot, "builtin:random"], &arguments), (60, 20));
    let (status, all) = terminal.end();
    assert_eq!(status, Some(1), "{all:?}");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&all.join("\n")), words(&(expected.stdout + &expected.stderr)), "{all:?}");
}

#[test]
fn a_dumb_terminal_gets_no_control_sequences() {
    let bots = ["builtin:random", "builtin:greedy"];
    for more in [&["-n", "2"][..], &["-n", "2", "--concurrency", "2"]] {
        for (term, is_drawn) in [("xterm", true), ("dumb", false)] {
            let mut command = play(bots, more);
            command.env("TERM", term);
            let terminal = OnTerminal::start(command, (80, 24));
            let written = Arc::clone(&terminal.written);
            let (status, all) = terminal.end();
            assert_eq!(status, Some(0), "{all:?}");
            let has_controls = written.lock().unwrap().contains(&0x1b);
            assert_eq!(has_controls, is_drawn, "{term} {more:?}: {all:?}");
            assert!(all.iter().any(|line| line.contains("greedy~random.2")), "{term}: {all:?}");
        }
    }
}

#[test]
fn the_first_interrupt_of_a_match_lets_its_games_end_and_shows_the_table() {
    let (dir, bot) = holding();
    release(&dir, "ready");
    for concurrency in ["1", "2"] {
        let more = ["-n", "50", "--concurrency", concurrency, "--seed", "1", "--finish", "1h"];
        let terminal = OnTerminal::start(play([&bot, "builtin:random"], &more), (80, 24));
        terminal.shows(if concurrency == "1" { "holds   1:" } else { "holds~random.2 0:" });
        let kill = format!("kill -{} {}", interrupt(), terminal.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        terminal.shows("interrupted: the running games have 3600s to end");
        release(&dir, "go");
        let (status, all) = terminal.end();
        assert_eq!(status, Some(130), "{all:?}");
        let games = all.iter().filter(|line| line.starts_with("holds~random.")).count();
        assert_eq!(games.to_string(), concurrency, "{all:?}");
        assert!(all.iter().any(|line| line.starts_with("bot ")), "the table: {all:?}");
        let last = format!("arbiter: interrupted after {concurrency} of 50 games");
        assert_eq!(all.iter().rfind(|line| !line.is_empty()), Some(&last), "{all:?}");
        fs::remove_file(dir.path().join("go")).unwrap();
    }
}

#[test]
fn a_tournament_shows_builds_tests_and_games() {
    let (dir, _) = holding();
    let here = dir.path();
    let config = format!(
        "game = 'lineup'\n[options]\nn = 4\ns = 3\n[time]\nmove = '120s'\nstart = '120s'\n[limits]\nsandbox = 'basic'\n\
         [[bots]]\nfolder = 'in'\n[[bot]]\nname = 'a'\ncommand = 'builtin:random'\n\
         [[bot]]\nname = 'b'\ncommand = 'python3 {}'\n",
        here.join("holds.py").display()
    );
    fs::write(here.join("cup.toml"), config).unwrap();
    fs::create_dir_all(here.join("in/built")).unwrap();
    let built = here.join("built").display().to_string();
    let manifest =
        format!("command = './bot'\nbuild = 'until [ -e {built} ]; do sleep 0.05; done; exit 3'\n");
    fs::write(here.join("in/built/bot.toml"), manifest).unwrap();
    for size in [(80, 24), (60, 20)] {
        let mut command = arbiter(&["tournament", "--strict", "--restart"]);
        command.arg(here.join("cup.toml")).env_remove("GITHUB_STEP_SUMMARY");
        let terminal = OnTerminal::start(command, size);
        let lines = terminal.shows("building 1 bot   0 done   0:");
        assert!(lines.last().unwrap().starts_with("  built  0:"), "{lines:?}");
        release(&dir, "built");
        let lines = terminal.shows("testing 2 bots   1 done   0:");
        assert!(lines.last().unwrap().starts_with("  b  0:"), "{lines:?}");
        release(&dir, "ready");
        let lines = terminal.shows("cup   0 of 2 games");
        assert!(
            lines.iter().any(|line| line.starts_with("built does not play: its build")),
            "{lines:?}"
        );
        release(&dir, "go");
        let (status, all) = terminal.end();
        assert_eq!(status, Some(1), "{all:?}");
        let last = all.iter().rfind(|line| !line.is_empty()).unwrap();
        assert_eq!(last, "exit status 1: built does not play", "{all:?}");
        let is_block = |line: &String| {
            ["building", "testing", "cup   "].iter().any(|word| line.starts_with(word))
        };
        assert!(!all.iter().any(is_block), "{all:?}");
        for name in ["built", "ready", "go"] {
            fs::remove_file(here.join(name)).unwrap();
        }
    }
}

#[test]
fn a_run_shows_a_board_that_a_key_exchanges_for_another_one() {
    let Some(terminal) = Terminal::open(80, 24, "the boards of a run in a terminal") else {
        return;
    };
    let (dir, bot) = holding();
    let flags =
        [&TINY[1..], &CALM, &["-n", "4", "--concurrency", "2", "--seed", "1"]].concat().join(" ");
    terminal.start(&format!("{ARBITER} play lineup '{bot}' builtin:random {flags}"));
    let titles = [1, 2].map(|number| format!("holds~random.{number}   ply"));
    let started = || {
        let files = fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().file_name());
        files.filter(|name| name.to_string_lossy().starts_with("started-")).count()
    };
    wait_for("the bots of both games", || (started() == 2).then_some(()));
    release(&dir, "ready");
    terminal.wait_for("tab: another game");
    // In one of the two games the bot that waits is not to move first.
    let screen = terminal.wait_for("holds   1:");
    // Either worker may play either game.
    let [first, other] =
        if screen.contains(&titles[0]) { [0, 1] } else { [1, 0] }.map(|at| &titles[at]);
    assert!(screen.contains(first) && !screen.contains(other), "{screen}");
    terminal.send(&["Tab"]);
    let screen = terminal.wait_for(other);
    assert!(!screen.contains(first), "{screen}");
    terminal.send(&["@", "Tab"]);
    terminal.wait_for(first);
    release(&dir, "go");
    let screen = terminal.is_clean_after(0);
    assert!(!screen.contains(" ply ") && !screen.contains('@'), "{screen}");
}

#[test]
fn a_pause_between_plies_is_charged_to_no_clock() {
    let (dir, _) = holding();
    let log = dir.path().join("log.pgn");
    let began = std::time::Instant::now();
    let bots = ["builtin:random", "builtin:random"];
    let more = ["--pause", "700ms", "--max-plies", "3", "--log", log.to_str().unwrap()];
    let arguments =
        [&["play"], &TINY[..1], &bots, &TINY[1..], &["--time", "600+0"], &more].concat();
    let done = run(&arguments);
    let elapsed = began.elapsed().as_secs_f64();
    assert_eq!(done.status, Some(0), "{done:?}");
    let record = fs::read_to_string(log).unwrap().replace('\n', " ");
    let seconds = |comment: &str| comment.split_once('s')?.0.parse::<f64>().ok();
    let used: Vec<f64> = record.split('{').skip(1).filter_map(seconds).collect();
    assert_eq!(used.len(), 3, "{record}");
    assert!(used.iter().sum::<f64>() + 2.0 * 0.7 <= elapsed, "{used:?} in {elapsed}");
}
