//! The functions of the courses' assignments: right ones have no failing call, and each mutant of
//! them is found by calls that name its rule. The compiler is started as it is; without `g++` the
//! tests say so and check nothing. `.ci/slow` tries all mutants and boards (`ARBITER_ALL`),
//! otherwise it is the first mutant of each function, and one board in three.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may panic, and prints the table of mutants"
)]

use crate::support::shared::Shared;
use crate::support::{sample, sample_of_kinds};
use arbiter::config::assignment::Board;
use arbiter::grade::functions::{
    Answers, Call, Mode, Place, TestMain, Verdict, calls, input, judge,
};
use arbiter::grade::{Found, RIGHT, provided};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

#[derive(Deserialize)]
struct Mutants {
    mutant: Vec<Mutant>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    function: String,
    /// Another function that calls it, so that its calls may fail, too.
    #[serde(default)]
    within: Option<String>,
    find: String,
    put: String,
    #[serde(default)]
    board: Option<u32>,
    labels: BTreeSet<String>,
}

impl Mutant {
    /// The rows of the board that it is tried on.
    fn rows(&self, game: &Game) -> u32 {
        self.board.unwrap_or(game.boards[0].n)
    }
}

/// A game with its right functions and their mutants.
struct Game {
    name: &'static str,
    right: &'static str,
    mutants: &'static str,
    boards: &'static [Board],
    /// Lines of the right functions with constants, for each board.
    constants: fn(&str, Board) -> String,
}

const GEKITAI: Game = Game {
    name: "gekitai",
    right: include_str!("../../grade/functions/gekitai.cpp"),
    mutants: include_str!("../../grade/functions/gekitai.toml"),
    boards: &[board(6, 8, 3), board(5, 6, 3), board(8, 8, 4), board(7, 8, 3)],
    constants: |source, board| {
        source
            .replace("N = 6;", &format!("N = {};", board.n))
            .replace("P = 8;", &format!("P = {};", board.p.unwrap()))
            .replace("L = 3;", &format!("L = {};", board.l.unwrap()))
    },
};

const FLIPFLOP: Game = Game {
    name: "flipflop",
    right: include_str!("../../grade/functions/flipflop.cpp"),
    mutants: include_str!("../../grade/functions/flipflop.toml"),
    boards: &[board(8, 0, 0), board(10, 0, 0), board(24, 0, 0)],
    constants: |source, _| source.to_owned(),
};

const LOA: Game = Game {
    name: "loa",
    right: RIGHT,
    mutants: include_str!("../../grade/functions/loa.toml"),
    boards: &[board(8, 12, 0)],
    constants: |source, _| source.to_owned(),
};

const fn board(n: u32, p: u32, l: u32) -> Board {
    Board { n, p: Some(p), l: Some(l), b: None, s: None }
}

fn has_compiler() -> bool {
    crate::support::has("g++", "functions of C++")
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// The folder of the headers that all sources include. A test keeps it to its end.
static HEADERS: Shared<tempfile::TempDir> = Shared::new();

fn headers() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    // Read once, they take half of the time of each submission away.
    let common = folder.path().join("common.h");
    std::fs::write(&common, "#include <cstdlib>\n#include <iomanip>\n#include <iostream>\n")
        .unwrap();
    run(Command::new("g++").args(["-std=c++17", "-O1", "-x", "c++-header"]).arg(&common));
    folder
}

/// Compiles the test main of a game for a board.
fn test_main(game: &Game, board: Board, folder: &Path) -> PathBuf {
    let (source, object) =
        (folder.join(format!("main{}.cpp", board.n)), folder.join(format!("main{}.o", board.n)));
    let main = TestMain::of(game.name).unwrap();
    let header = main.header.map(|name| provided(name).unwrap());
    std::fs::write(&source, main.source(header.unwrap_or_default())).unwrap();
    let size = format!("-DBOARD_N={}", board.n);
    let flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", &size, "-c"];
    run(Command::new("g++").args(flags).arg(&source).arg("-o").arg(&object));
    object
}

/// Compiles a submission, links it with a test main, and runs the calls in each mode.
fn answers(
    source: &str,
    main: &Path,
    folder: &Path,
    calls: &[Call],
    modes: &[Mode],
) -> Vec<Answers> {
    let [file, object, program] =
        ["submission.cpp", "submission.o", "program"].map(|name| folder.join(name));
    std::fs::write(&file, source).unwrap();
    std::fs::write(folder.join("LinesOfAction.h"), provided("LinesOfAction.h").unwrap()).unwrap();
    let common = HEADERS.get(headers).path().join("common.h");
    let compile = ["-std=c++17", "-O1", "-c", "-include"];
    run(Command::new("g++").args(compile).arg(&common).arg(&file).arg("-o").arg(&object));
    run(Command::new("g++").arg("-Wl,--wrap=main").args([&object, main]).arg("-o").arg(&program));
    modes
        .iter()
        .map(|&mode| {
            let mut child = Command::new(&program)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            child
                .stdin
                .take()
                .unwrap()
                .write_all(input(mode, 1, &BTreeMap::new(), calls).as_bytes())
                .unwrap();
            Answers::read(&child.wait_with_output().unwrap().stdout, calls.len())
        })
        .collect()
}

const MODES: [Mode; 2] =
    [Mode { alone: false, place: Place::Front }, Mode { alone: false, place: Place::End }];

/// What is wrong, call by call, over several runs.
fn failures<'a>(calls: &'a [Call], runs: &[Answers]) -> Vec<(&'a Call, Found)> {
    calls
        .iter()
        .enumerate()
        .filter_map(|(index, call)| {
            runs.iter()
                .find_map(|run| found(judge(call, &run.calls[index])))
                .map(|found| (call, found))
        })
        .collect()
}

/// What is wrong with an answer by the rules, or in its text.
fn found(verdict: Verdict) -> Option<Found> {
    let text = verdict.text.into_iter().next().map(|difference| Found {
        sentence: difference.sentence,
        shown: difference.shown,
        ..Found::default()
    });
    verdict.rules.or(text)
}

fn check_right(game: &Game) {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let _headers = HEADERS.get(headers);
    for &board in sample(game.boards, 3) {
        let calls = calls(game.name, board, 1);
        let main = test_main(game, board, folder.path());
        let alone = [Mode { alone: true, place: Place::End }];
        let modes: Vec<Mode> = MODES.into_iter().chain(alone).collect();
        let runs =
            answers(&(game.constants)(game.right, board), &main, folder.path(), &calls, &modes);
        assert_eq!(runs[0].there.len(), TestMain::of(game.name).unwrap().functions.len());
        let failures = failures(&calls, &runs);
        assert!(
            failures.is_empty(),
            "{} failures, first {:#?}\n{}",
            failures.len(),
            failures[0],
            failures[0].1.shown
        );
    }
}

/// Finds every mutant of a game; returns the table of which class and which call find it.
fn check_mutants(game: &Game) {
    if !has_compiler() {
        return;
    }
    let Mutants { mutant: mutants } = toml::from_str(game.mutants).unwrap();
    assert!(mutants.len() >= 40, "{} mutants of {}", mutants.len(), game.name);
    let folder = tempfile::tempdir().unwrap();
    let _headers = HEADERS.get(headers);
    let sampled = sample_of_kinds(mutants.iter().enumerate(), 100, |(_, mutant)| &mutant.function);
    let mut prepared = BTreeMap::new();
    for &board in game.boards {
        if sampled.iter().any(|(_, mutant)| mutant.rows(game) == board.n) {
            let main = test_main(game, board, folder.path());
            prepared.insert(board.n, (main, calls(game.name, board, 1), board));
        }
    }
    let waiting = Mutex::new(sampled.into_iter());
    let (wrong, table) = (Mutex::new(Vec::new()), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for worker in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            let (waiting, wrong, table, prepared) = (&waiting, &wrong, &table, &prepared);
            let folder = folder.path().join(format!("worker{worker}"));
            std::fs::create_dir(&folder).unwrap();
            scope.spawn(move || {
                loop {
                    let Some((number, mutant)) = waiting.lock().unwrap().next() else { return };
                    let (main, calls, board) = &prepared[&mutant.rows(game)];
                    let times = game.right.matches(&mutant.find).count();
                    let source =
                        (game.constants)(&game.right.replace(&mutant.find, &mutant.put), *board);
                    let what = format!(
                        "{}: `{}` for `{}`",
                        mutant.function,
                        mutant.put.trim(),
                        mutant.find.trim()
                    );
                    if times != 1 {
                        wrong
                            .lock()
                            .unwrap()
                            .push(format!("{what}: the text to find is there {times} times"));
                        continue;
                    }
                    let runs = answers(&source, main, &folder, calls, &MODES);
                    match verdict(mutant, &failures(calls, &runs)) {
                        Ok(line) => {
                            drop(table.lock().unwrap().insert(number, format!("{what}: {line}")))
                        }
                        Err(why) => wrong.lock().unwrap().push(format!("{what}: {why}")),
                    }
                }
            });
        }
    });
    let (wrong, table) = (wrong.into_inner().unwrap(), table.into_inner().unwrap());
    // The table is long, and a log that is cut in its middle must not lose what is wrong.
    if wrong.is_empty() {
        eprintln!("{}", table.into_values().collect::<Vec<_>>().join("\n"));
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), mutants.len(), wrong.join("\n"));
}

/// The call that finds a mutant, or why the calls do not name its rule.
fn verdict(mutant: &Mutant, failures: &[(&Call, Found)]) -> Result<String, String> {
    let Some((call, found)) = failures.iter().min_by_key(|(call, _)| call.length) else {
        return Err("no call finds it".to_owned());
    };
    let mut wrong = String::new();
    let mut missing = mutant.labels.clone();
    for (call, found) in failures {
        missing.retain(|label| label != "all" && !call.labels.contains(&label.as_str()));
        if mutant.within.as_deref() == Some(call.function) {
            continue;
        }
        let belongs =
            |label: &&str| mutant.labels.contains(*label) || mutant.labels.contains("all");
        if call.function != mutant.function || !call.labels.iter().any(belongs) {
            let _ = write!(wrong, "\n    {} {:?} {}", call.name, call.labels, found.sentence);
        }
    }
    if !missing.is_empty() {
        let _ = write!(wrong, "\n    no failing call is one of {missing:?}");
    }
    if wrong.is_empty() {
        Ok(format!(
            "{} calls, first {} ({}): {}",
            failures.len(),
            call.name,
            call.labels.join(", "),
            found.sentence
        ))
    } else {
        Err(wrong.chars().take(1200).collect())
    }
}

#[test]
fn right_functions_of_gekitai_have_no_failing_call() {
    check_right(&GEKITAI);
}

#[test]
fn every_mutant_of_gekitai_is_found_by_calls_of_its_rule() {
    check_mutants(&GEKITAI);
}

#[test]
fn right_functions_of_flipflop_have_no_failing_call() {
    check_right(&FLIPFLOP);
}

#[test]
fn every_mutant_of_flipflop_is_found_by_calls_of_its_rule() {
    check_mutants(&FLIPFLOP);
}

#[test]
fn right_functions_of_loa_have_no_failing_call() {
    check_right(&LOA);
}

#[test]
fn every_mutant_of_loa_is_found_by_calls_of_its_rule() {
    check_mutants(&LOA);
}

#[test]
fn a_call_that_the_machine_holds_up_is_made_again() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let _headers = HEADERS.get(headers);
    let calls = calls(LOA.name, LOA.boards[0], 1);
    let main = test_main(&LOA, LOA.boards[0], folder.path());
    // The first call of all ends as one that is held up does.
    let marker = folder.path().join("held-up");
    let once = format!(
        "if (FILE *first = fopen({marker:?}, \"wx\")) {{ fclose(first); signal(SIGALRM, SIG_DFL); raise(SIGALRM); }}"
    );
    let swap = "swap(currentPlayer, nextPlayer);";
    assert_eq!(RIGHT.matches(swap).count(), 1);
    let source = RIGHT.replace(swap, &format!("{once} {swap}"));
    let source = format!("#include <csignal>\n#include <cstdio>\n{source}");
    let runs = answers(&source, &main, folder.path(), &calls, &MODES);
    assert!(marker.exists());
    let failures = failures(&calls, &runs);
    assert!(failures.is_empty(), "{:#?}", failures[0]);
}
