//! Rules of games of one's own as real processes: they play, and whatever they do wrong is one fault with a plain sentence that
//! leaves no process behind.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use arbiter::bot::Launcher;
use arbiter::game::{Limits, Sandbox};
use arbiter::rules::own::RulesSource;
use arbiter::rules::{OptionError, RulesFault, Ruleset, perft};
use arbiter::rules_process::{RulesBounds, RulesFile, RulesFileError};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{ARBITER, POSIX, project, wait_until_gone};

/// The levels at which rules run here.
fn levels() -> &'static [Sandbox] {
    if POSIX { &[Sandbox::Basic] } else { &[Sandbox::Off, Sandbox::Basic, Sandbox::Strict] }
}

fn launcher(sandbox: Sandbox) -> Launcher {
    Launcher::new(PathBuf::from(ARBITER), sandbox)
}

fn load(path: &Path, sandbox: Sandbox) -> Result<RulesFile, RulesFileError> {
    RulesFile::load(path, &launcher(sandbox), &patient())
}

/// Makes the content of a file another one for each level, because equal rules have one engine in a run of a program.
fn mark(path: &Path, sandbox: Sandbox) {
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, text + &format!("# {sandbox:?}\n")).unwrap();
}

/// Bounds that no machine is too slow for.
fn patient() -> RulesBounds {
    RulesBounds { answer: Duration::from_secs(300), ..RulesBounds::default() }
}

fn set(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// A name of a game that is in the command lines of its processes and of no others.
fn unique(name: &str) -> String {
    format!("g{}-{name}", std::process::id())
}

/// Writes a program in Python that speaks the line protocol: a row of nine squares on which the sides place pieces by turns. The
/// code given for a question comes before its answer, in which `answer` can be changed.
fn program(folder: &Path, name: &str, at: &str, code: &str) -> PathBuf {
    let path = folder.join(unique(name));
    let indented: String = code.lines().map(|line| format!("        {line}\n")).collect();
    let text = format!(
        r#"#!/usr/bin/env python3
import json, os, signal, sys, threading, time
def state(text):
    row, side = text.split()
    cells = "".join("." * int(c) if c.isdigit() else c for c in row)
    free = [f"{{'abcdefghi'[i]}}1" for i in range(9) if cells[i] == "."]
    return {{"position": text, "moves": free, "ending": None if free else [None, "full"]}}
def play(text, move):
    row, side = text.split()
    cells = "".join("." * int(c) if c.isdigit() else c for c in row)
    at = "abcdefghi".index(move[0])
    cells = cells[:at] + side + cells[at + 1:]
    row, run = "", 0
    for cell in cells + "!":
        if cell == ".":
            run += 1
        else:
            row, run = row + (str(run) if run else "") + cell, 0
    return row[:-1] + (" O" if side == "X" else " X")
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "rules":
        answer = {{"title": "Row", "options": [{{"key": "size", "default": 9, "values": [9, 8]}}]}}
    elif word == "set":
        answer = {{}}
    elif word == "start":
        answer = {{"sides": "XO", "rows": 1, "columns": 9, **state("9 X")}}
    elif word == "advance":
        answer = state(play(*rest.split("\t")))
    elif word == "at":
        answer = state(rest)
    else:
        answer = "it is taken"
    if word == "{at}":
        pass
{indented}    print(json.dumps(answer), flush=True)
"#
    );
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path
}

/// Loads the rules, makes the ruleset and plays two plies; the first fault.
fn fault_of(path: &Path, sandbox: Sandbox, bounds: &RulesBounds) -> Option<RulesFault> {
    let rules = match RulesFile::load(path, &launcher(sandbox), bounds) {
        Ok(rules) => rules,
        Err(RulesFileError::Rules(fault)) => return Some(*fault),
        Err(error) => panic!("{error}"),
    };
    let ruleset = match rules.ruleset(&[]) {
        Ok(ruleset) => ruleset,
        Err(OptionError::Rules(fault)) => return Some(*fault),
        Err(error) => panic!("{error}"),
    };
    let mut position = ruleset.start();
    for _ in 0..2 {
        let ply = position.plies().next().unwrap();
        position = position.after(ply);
        if let Some(fault) = position.fault() {
            return Some(fault.clone());
        }
    }
    None
}

/// What rules do wrong, at which question, and a part of the sentence about it.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    ("status", "advance", "sys.stderr.write('out of ideas\\n'); sys.exit(3)", "ended with exit status 3"),
    ("killed", "advance", "os.kill(os.getpid(), signal.SIGKILL)", "was ended by SIGKILL"),
    ("first", "rules", "sys.exit(1)", "ended with exit status 1"),
    ("start", "start", "sys.exit(1)", "ended with exit status 1"),
    (
        "garbage",
        "advance",
        "answer = None; print('column 3 is free', flush=True); continue",
        "is `column 3 is free`, which is no JSON",
    ),
    (
        "form",
        "advance",
        "answer = {'position': 7}",
        "has the wrong form: invalid type: integer `7`, expected a string",
    ),
    (
        "fault",
        "advance",
        "answer = {'fault': {'what': 'IndexError: 9', 'function': 'play', 'file': 'row.py', 'line': 7}}",
        "row.py, line 7, in play: IndexError: 9",
    ),
    (
        "closed",
        "advance",
        "os.close(1); time.sleep(1000)",
        "closed its standard input or output, and did not end",
    ),
    (
        "long",
        "advance",
        "sys.stdout.write('x' * 3000000); sys.stdout.flush(); time.sleep(1000)",
        "wrote a line of more than 1024 KiB",
    ),
    (
        "lines",
        "advance",
        "sys.stdout.write('debug\\n' + json.dumps(answer) + '\\n'); continue",
        "beside its answers; each question has one line",
    ),
    (
        "behind",
        "rules",
        "sys.stdout.write(json.dumps(answer) + '\\ndebug\\n'); sys.stdout.flush(); continue",
        "`debug` beside its answers",
    ),
    (
        "flood",
        "advance",
        "[sys.stderr.write('x' * 99 + '\\n') for _ in range(30000)]; sys.exit(4)",
        "ended with exit status 4",
    ),
    (
        "daemon",
        "advance",
        "(os.fork() == 0) and (os.setsid(), time.sleep(1000))\nsys.exit(5)",
        "ended with exit status",
    ),
];

#[test]
fn whatever_rules_do_wrong_is_a_fault_with_a_sentence_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (name, at, code, expected) in FAULTS {
        let path = program(folder.path(), name, at, code);
        // It takes seconds until it is clear that a program without output does not end.
        let all = if *name == "closed" { &levels()[..1] } else { levels() };
        for &sandbox in all {
            mark(&path, sandbox);
            let fault = fault_of(&path, sandbox, &patient());
            let fault = fault.unwrap_or_else(|| panic!("{name} {sandbox:?}: there is no fault"));
            let said = fault.to_string();
            assert!(said.contains(expected), "{name} {sandbox:?}: {said}\n{}", fault.stderr);
            match *name {
                "status" => assert_eq!(&*fault.stderr, "out of ideas", "{sandbox:?}"),
                "flood" => assert!((100..5000).contains(&fault.stderr.len()), "{}", fault.stderr.len()),
                _ => {}
            }
            wait_until_gone(&unique(name));
        }
    }
}

#[test]
fn a_program_that_does_not_answer_or_grows_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(folder.path(), "silent", "advance", "time.sleep(1000)");
    let hog = program(folder.path(), "hog", "advance", "hog = b'x' * (100 << 20); time.sleep(1000)");
    for &sandbox in levels() {
        [&path, &hog].iter().for_each(|path| mark(path, sandbox));
        let bounds = RulesBounds { answer: Duration::from_millis(200), ..patient() };
        let fault = fault_of(&path, sandbox, &bounds).unwrap();
        assert_eq!(fault.what, "did not answer within 0.2 s", "{sandbox:?}");
        if !POSIX {
            let limits = Limits { memory: 64 << 20, ..Limits::default() };
            let fault = fault_of(&hog, sandbox, &RulesBounds { limits, ..patient() }).unwrap();
            assert_eq!(fault.what, "used more memory than 64 MiB", "{sandbox:?}");
        }
    }
    ["silent", "hog"].iter().for_each(|name| wait_until_gone(&unique(name)));
}

fn start(rules: &RulesFile, options: &[(&str, &str)]) -> Ruleset {
    rules.ruleset(&set(options)).unwrap()
}

#[test]
fn a_game_in_python_plays_and_its_options_are_checked_in_the_words_of_all_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("connect4.py");
    fs::copy(project("games/connect4.py"), &path).unwrap();
    for &sandbox in levels() {
        mark(&path, sandbox);
        let rules = load(&path, sandbox).unwrap();
        assert_eq!((rules.name(), rules.title(), rules.file()), ("connect4", "Connect Four", "connect4.py"));
        assert_eq!(rules.digest().len(), 12);
        let ruleset = start(&rules, &[]);
        assert_eq!(perft(&ruleset.start(), 4), 2401, "{sandbox:?}");
        assert_eq!(start(&rules, &[]), ruleset);
        let wide = start(&rules, &[("columns", "9"), ("rows", "4")]);
        assert_eq!((wide.rows(), wide.columns(), perft(&wide.start(), 3)), (4, 9, 729));
        assert_eq!(ruleset.start().to_string(), "7/7/7/7/7/7 X");
        let read = ruleset.read_position("7/7/7/7/7/XXX4 X").unwrap();
        let won = read.after(ruleset.read_ply("4").unwrap());
        assert_eq!(won.ending().unwrap().reason.word(), "line");
        let error = ruleset.read_position("7/7/7/7/7/XXX5 X").unwrap_err().to_string();
        assert!(error.contains("a run of 5 empty squares does not fit a board 7 wide"), "{error}");
    }
    let rules = load(&project("games/connect4.py"), Sandbox::Basic).unwrap();
    let error = |options| rules.ruleset(&set(options)).unwrap_err().to_string();
    assert_eq!(
        error(&[("n", "8")]),
        "unknown option `n` of connect4; its options are: rows, columns, length"
    );
    assert_eq!(error(&[("rows", "3")]), "option `rows` cannot be `3`: it is 4 to 12 (default 6)");
    assert_eq!(error(&[("rows", "6"), ("rows", "7")]), "option `rows` is given twice");
    let unsuited = rules.ruleset(&set(&[("rows", "4")])).unwrap();
    assert_eq!(unsuited.start().to_string(), "7/7/7/7 X");
}
