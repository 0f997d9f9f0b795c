//! Rules of custom games as real processes that fail in a run: in `play`, in a tournament of
//! four workers, in `verify` and in a game of a person. No bot loses by it, no other game is lost,
//! and the end of the run says what happened.

use crate::support::served::Served;
use crate::support::{
    Ran, Stat, arbiter, plays_all, processes_with, project, random, run, wait_for,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What rules do, and what is said of it.
const FAULTS: [(&str, &str); 6] = [
    ("raises", "IndexError: list index out of range"),
    ("is-killed", "SIGKILL"),
    ("scribbles", "`garbage`"), // as a wrong answer, or beside one that has come as well
    ("grows", "used more memory than 512 MiB"),
    ("sleeps", "did not answer within 3 s"),
    ("hangs", "did not answer within 3 s"), // and computes all the time
];

/// The functions that do it.
const FUNCTIONS: [&str; 3] = ["moves", "play", "ending"];

/// The rows of a table: each fault in each function; but for the slow tests some faults in one
/// function.
fn rows(
    table: usize,
    faults: &'static [usize],
) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let all = FAULTS.into_iter().enumerate();
    let all = all.flat_map(|(at, fault)| (0..FUNCTIONS.len()).map(move |of| (at, fault, of)));
    let chosen = all.filter(move |(at, _, of)| {
        plays_all() || faults.contains(at) && (at + table) % FUNCTIONS.len() == *of
    });
    chosen.map(|(_, (what, said), of)| (what, said, FUNCTIONS[of]))
}

/// A folder with the rules of `tests/own/faulty.py`, which are healthy until there is the file
/// `ill`. The fault then shows where the condition of Python holds.
struct Place(TempDir);

impl Place {
    fn new(when: &str) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        let text = fs::read_to_string(project("tests/own/faulty.py")).unwrap();
        let healthy = "    is_early = ";
        let ill = format!(
            "    is_early = not os.path.exists({:?}) or board is not None and not ({when}) or ",
            place.path("ill").display().to_string()
        );
        assert_eq!(text.matches(healthy).count(), 1);
        fs::write(place.path("faulty.py"), text.replace(healthy, &ill)).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// From now on the rules fail.
    fn fall_ill(&self) {
        fs::write(self.path("ill"), "").unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        arbiter(arguments).current_dir(self.0.path()).output().unwrap().into()
    }

    /// Plays games of random bots with this fault, and writes their log.
    fn play(&self, what: &str, function: &str, flags: &[&str]) -> Ran {
        let [what, function] = [format!("--set=what={what}"), format!("--set=where={function}")];
        let match_of_two = ["play", "faulty.py", "builtin:random", "builtin:random"];
        let more = ["--seed", "1", "--log", "games.pgn", &what, &function];
        self.run(&[&match_of_two, flags, &more].concat())
    }

    /// Writes a configuration with this fault and more keys before its tables.
    fn configure(&self, (what, function): (&str, &str), schedule: &str) {
        let text = format!(
            "name = 'cup'\ngame = 'faulty.py'\noptions = {{ what = '{what}', where = '{function}' }}\n[time]\nmove = '120s'\n\
             [limits]\nsandbox = 'basic'\nrules-time = '3s'\n[schedule]\n{schedule}\n\
             [[bot]]\nname = 'ann'\ncommand = 'builtin:random'\n[[bot]]\nname = 'ben'\ncommand = 'builtin:random'\n"
        );
        fs::write(self.path("cup.toml"), text).unwrap();
    }
}

/// The condition that is true in a part of the games.
const IN_SOME_GAMES: &str = "board[0][0] == 'X'";

/// Checks a run of six games: those whose rules failed are aborted, the others are drawn; and what
/// is said of them.
fn check(row: &str, ran: &Ran, log: &str, said: &str) {
    assert_eq!(ran.status, Some(3), "{row}: {ran:?}");
    let count = |tags: &str| log.matches(tags).count();
    let (failed, drawn) = (count("[Termination \"rules\"]"), count("[Termination \"full-board\"]"));
    assert!(
        failed > 0 && drawn > 0 && failed + drawn == 6,
        "{row}: {failed} failed, {drawn} drawn: {log}"
    );
    assert_eq!((count("[GameId "), count("forfeit")), (6, 0), "{row}: {log}");
    let names_a_bot = log.lines().any(|line| {
        ["ann", "ben", "random"].iter().any(|bot| line.starts_with(&format!("[Detail \"{bot}")))
    });
    assert!(!names_a_bot, "{row}: {log}");
    let (_, end) =
        ran.stderr.split_once("exit status 3: ").unwrap_or_else(|| panic!("{row}: {ran:?}"));
    for words in [
        said,
        "because the rules failed",
        "faulty.py",
        "; position ",
        "shown again by: arbiter moves ",
    ] {
        assert!(end.contains(words), "{row}: {words}: {end}");
    }
}

/// Runs the command that a run names to show a fault again.
fn show_again(place: &Place, ran: &Ran, said: &str) {
    let line = ran.stderr.lines().rfind(|line| line.contains("shown again by: arbiter ")).unwrap();
    let words = shlex::split(line.split_once("shown again by: arbiter ").unwrap().1).unwrap();
    let again = place.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(again.status, Some(3), "{line}: {again:?}");
    assert!(again.stderr.contains(said), "{line}: {again:?}");
}

#[test]
fn rules_that_fail_in_games_of_play() {
    for (what, said, function) in rows(0, &[2, 3, 4]) {
        let (row, place) = (format!("{what} in {function}"), Place::new(IN_SOME_GAMES));
        place.fall_ill();
        let ran = place.play(
            what,
            function,
            &["--games", "6", "--concurrency", "2", "--rules-time", "3s"],
        );
        check(&row, &ran, &place.text("games.pgn"), said);
        if what == "raises" {
            show_again(&place, &ran, said);
        }
    }
}

#[test]
fn rules_that_fail_in_a_tournament_of_four_workers() {
    for (what, said, function) in rows(1, &[0, 1]) {
        let (row, place) = (format!("{what} in {function}"), Place::new(IN_SOME_GAMES));
        place.configure((what, function), "games = 6\nseed = 1\nopening-plies = 0");
        place.fall_ill();
        let ran = place.run(&["tournament", "cup.toml", "--concurrency", "4", "--out", "out"]);
        check(&row, &ran, &place.text("out/games.pgn"), said);
        let table: Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
        assert_eq!(table["complete"], false, "{row}: {table}");
        assert!(table["notes"].to_string().contains("because the rules failed"), "{row}: {table}");
        assert_eq!(place.text("out/rules-copy/faulty.py"), place.text("faulty.py"), "{row}");
        // The games have ended: the same command plays none again, and says the same.
        let journal = place.text("out/journal.jsonl").lines().count();
        let again = place.run(&["tournament", "cup.toml", "--concurrency", "4", "--out", "out"]);
        check(&row, &again, &place.text("out/games.pgn"), said);
        assert_eq!(place.text("out/journal.jsonl").lines().count(), journal, "{row}");
    }
}

#[test]
fn rules_that_fail_while_logs_are_verified() {
    for (what, said, function) in rows(2, &[0, 1]) {
        let (row, place) = (format!("{what} in {function}"), Place::new("True"));
        let healthy = place.play(what, function, &["--games", "2"]);
        assert_eq!(healthy.status, Some(0), "{row}: {healthy:?}");
        let verify = || place.run(&["verify", "games.pgn", "--rules", "faulty.py"]);
        let valid = verify();
        assert_eq!(
            (valid.status, &*valid.stdout),
            (Some(0), "games.pgn: 2 games, valid\n"),
            "{row}: {valid:?}"
        );
        if ["sleeps", "hangs"].contains(&what) {
            continue; // an answer may take ten seconds there
        }
        place.fall_ill();
        let failed = verify();
        assert_eq!(failed.status, Some(3), "{row}: {failed:?}");
        assert!(
            failed.stdout.contains("not checked, because the rules failed"),
            "{row}: {failed:?}"
        );
        assert!(!failed.stdout.contains("invalid"), "{row}: {failed:?}");
        assert!(failed.stderr.contains(said), "{row}: {failed:?}");
    }
}

#[test]
fn rules_that_fail_in_a_game_of_a_person() {
    for (what, said, function) in rows(0, &[1]) {
        let (row, place) = (format!("{what} in {function}"), Place::new("True"));
        place.configure((what, function), "games = 2\nseed = 1\nopening-plies = 0");
        let played = place.run(&["tournament", "cup.toml", "--out", "out"]);
        assert_eq!(played.status, Some(0), "{row}: {played:?}");
        place.fall_ill();
        let (out, rules, log) =
            (place.path("out"), place.path("faulty.py"), place.path("mine.pgn"));
        let text = |path: &Path| path.display().to_string();
        let mut served = Served::folder(
            &out,
            &["--play", "--rules", &text(&rules), "--log", &text(&log), "--rules-time", "3s"],
        );
        let begun = served.post("play", "{\"bot\":\"ann\",\"side\":0}");
        assert_eq!(begun.body, "{\"game\":1}", "{row}");
        let mut events = served.events("play/1/events");
        let mut asked = 0;
        let last = loop {
            let state = events.next().unwrap();
            if state["state"]["over"] == true {
                break state;
            }
            let turn = &state["state"]["turn"];
            let Some(number) = turn["number"].as_u64().filter(|&number| number > asked) else {
                continue;
            };
            asked = number;
            let answer = served
                .post("play/1", &format!("{{\"number\":{number},\"text\":{}}}", turn["legal"][0]));
            assert_eq!(answer.body, "{}", "{row}: {answer:?}");
        };
        let trouble = last["state"]["trouble"].as_str().unwrap_or_default();
        assert!(trouble.contains(said), "{row}: {last}");
        assert_eq!(served.interrupt(), Some(0), "{row}");
        let log = fs::read_to_string(log).unwrap();
        assert!(
            log.contains("[Termination \"rules\"]") && !log.contains("forfeit"),
            "{row}: {log}"
        );
    }
}

/// Where there is no game yet: while the rules are loaded, at the start position, and while
/// openings are drawn.
#[test]
fn rules_that_fail_before_a_game() {
    let place = Place::new("True");
    place.fall_ill();
    let ran = place.run(&[
        "play",
        "faulty.py",
        "builtin:random",
        "builtin:random",
        "--set",
        "what=raises",
        "--set",
        "where=start",
    ]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    for words in ["faulty.py, line 34, in start", "IndexError", "faulty.py, line 34, in raises"] {
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
    }
    place.configure(("raises", "moves"), "games = 2\nopening-plies = 4");
    let ran = place.run(&["tournament", "cup.toml", "--out", "out"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    for words in
        ["the opening 1 cannot be drawn: faulty.py, line 34, in moves: IndexError", "; position "]
    {
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
    }
    show_again(&place, &ran, "in moves: IndexError");
    let count = run(&[
        "perft",
        &place.path("faulty.py").display().to_string(),
        "4",
        "--set",
        "what=raises",
    ]);
    assert_eq!(count.status, Some(3), "{count:?}");
}

/// Rules that answer differently the second time may be found by a comparison; no bot loses a game
/// by them.
#[test]
fn rules_that_change_their_mind() {
    for function in FUNCTIONS {
        let place = Place::new("True");
        place.fall_ill();
        let ran = place.play("counts", function, &["--games", "4"]);
        assert!(matches!(ran.status, Some(0 | 3)), "{function}: {ran:?}");
        let log = place.text("games.pgn");
        assert_eq!(
            (log.matches("[GameId ").count(), log.matches("forfeit").count()),
            (4, 0),
            "{function}: {log}"
        );
        let verified = place.run(&["verify", "games.pgn", "--rules", "faulty.py"]);
        assert!(matches!(verified.status, Some(0 | 1 | 3)), "{function}: {verified:?}");
    }
}

#[test]
fn after_three_different_faults_a_run_stops() {
    let place = Place::new("True");
    let text = place
        .text("faulty.py")
        .replace("return [][3]", "raise type('E' + os.urandom(8).hex(), (Exception,), {})()");
    fs::write(place.path("faulty.py"), text).unwrap();
    place.configure(("raises", "play"), "games = 40\nopening-plies = 0");
    place.fall_ill();
    let run = || place.run(&["tournament", "cup.toml", "--concurrency", "1", "--out", "out"]);
    let ran = run();
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("; after 3 different faults the run stops\n"), "{ran:?}");
    assert_eq!(ran.stderr.matches("shown again by").count(), 3, "{ran:?}");
    let games = place.text("out/games.pgn").matches("[GameId ").count();
    assert_eq!(games, 3, "the games that were played are kept");
    // The same command goes on.
    run();
    assert_eq!(place.text("out/games.pgn").matches("[GameId ").count(), 6);
}

/// Waits until rules in a file of this name have stopped themselves, stops arbiter as well, and
/// lets both go on long after the time for an answer is over. Returns whether arbiter was stopped
/// early enough; `None` if it has ended.
fn freeze(arbiter: &mut Child, file: &str) -> Option<bool> {
    let mut before = Instant::now();
    let rules = wait_for("frozen rules", || {
        let seen = Instant::now();
        let processes = processes_with(file);
        let pids =
            processes.iter().filter_map(|line| line.strip_prefix("/proc/")?.split(' ').next());
        let mut pids = pids.filter_map(|pid| pid.parse().ok());
        let frozen = pids.find(|&pid| Stat::of(pid).is_some_and(|stat| stat.state == 'T'));
        if frozen.is_none() {
            before = seen;
        }
        let has_ended = arbiter.try_wait().unwrap().is_some();
        (frozen.is_some() || has_ended).then_some(frozen.and_then(Pid::from_raw))
    })?;
    let arbiter = Pid::from_child(arbiter);
    kill_process(arbiter, Signal::STOP).unwrap();
    wait_for("a stopped arbiter", || {
        (Stat::of(arbiter.as_raw_nonzero().get())?.state == 'T').then_some(())
    });
    let is_in_time = before.elapsed() < Duration::from_secs(2);
    std::thread::sleep(Duration::from_secs(6));
    kill_process(arbiter, Signal::CONT).unwrap();
    kill_process(rules, Signal::CONT).unwrap();
    Some(is_in_time)
}

#[test]
fn rules_that_were_frozen_together_with_arbiter_are_not_late() {
    loop {
        let place = Place::new("True");
        let file = format!("frozen{}.py", random());
        let once = "    global calls\n    calls += 1\n    if calls == 1:\n        os.kill(os.getpid(), signal.SIGSTOP)\n    return value\n";
        fs::write(place.path(&file), place.text("faulty.py").replace("    return [][3]\n", once))
            .unwrap();
        place.fall_ill();
        place.configure(("raises", "play"), "games = 1\nopening-plies = 0");
        fs::write(place.path("cup.toml"), place.text("cup.toml").replace("faulty.py", &file))
            .unwrap();
        let mut command = arbiter(&["tournament", "cup.toml", "--concurrency", "1"]);
        command.current_dir(place.0.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = command.spawn().unwrap();
        let (mut times, mut are_in_time) = (0, true);
        while let Some(is_in_time) = freeze(&mut running, &file) {
            times += 1;
            are_in_time &= is_in_time;
        }
        let ran: Ran = running.wait_with_output().unwrap().into();
        assert!(times > 0, "{ran:?}");
        if are_in_time {
            assert_eq!(ran.status, Some(0), "{ran:?}");
            return;
        }
    }
}
