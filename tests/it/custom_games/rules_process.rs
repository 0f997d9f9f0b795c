//! Rules of custom games as real processes: they play, and whatever they do wrong is one
//! fault with a plain sentence that leaves no process behind.

use crate::support::{
    ARBITER, POSIX, Ran, arbiter, project, run, wait_for, wait_until_gone, write_program,
};
use arbiter::bot::{Launcher, probe_isolation};
use arbiter::game::{Limits, Sandbox};
use arbiter::record::read_log;
use arbiter::rules::own::RulesSource;
use arbiter::rules::{OptionError, RulesFault, Ruleset, perft};
use arbiter::rules_process::{RulesFile, RulesFileError};
use arbiter::sandbox::Namespaces;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The levels at which rules run here.
fn levels() -> &'static [Sandbox] {
    if POSIX { &[Sandbox::Basic] } else { &[Sandbox::Off, Sandbox::Basic, Sandbox::Strict] }
}

fn launcher(sandbox: Sandbox) -> Launcher {
    Launcher::new(PathBuf::from(ARBITER), sandbox)
}

fn load(path: &Path, sandbox: Sandbox) -> Result<Arc<RulesFile>, RulesFileError> {
    RulesFile::load(path, &launcher(sandbox), &patient())
}

/// Makes the content of a file another one for each level, because equal rules have one engine in a
/// run of a program.
fn mark(path: &Path, sandbox: Sandbox) {
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, text + &format!("# {sandbox:?}\n")).unwrap();
}

/// Limits that no machine is too slow for.
fn patient() -> Limits {
    Limits { rules_time: Duration::from_secs(300), ..Limits::default() }
}

fn set(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// A name of a game that is in the command lines of its processes and of no others.
fn unique(name: &str) -> String {
    format!("g{}-{name}", std::process::id())
}

/// Writes a program in Python that speaks the line protocol: a row of nine squares on which the
/// sides place pieces by turns. The code given for a question, or for `any`, comes before its
/// answer, in which `answer` can be changed.
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
    if "{at}" in (word, "any"):
        pass
{indented}    print(json.dumps(answer), flush=True)
"#
    );
    write_program(&path, text);
    path
}

/// Loads the rules, makes the ruleset and plays two plies; the first fault.
fn fault_of(path: &Path, sandbox: Sandbox, limits: &Limits) -> Option<RulesFault> {
    let rules = match RulesFile::load(path, &launcher(sandbox), limits) {
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
    (
        "status",
        "advance",
        "sys.stderr.write('out of ideas\\n'); sys.exit(3)",
        "ended with exit status 3",
    ),
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
        "is `debug`, which is no JSON",
    ),
    (
        "behind",
        "rules",
        "sys.stdout.write(json.dumps(answer) + '\\ndebug\\n'); sys.stdout.flush(); continue",
        "`debug` beside its answers; each question has one line",
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
        if POSIX && *name == "daemon" {
            continue; // what leaves its process group is not found there
        }
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
                "flood" => {
                    assert!((100..5000).contains(&fault.stderr.len()), "{}", fault.stderr.len())
                }
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
    let hog =
        program(folder.path(), "hog", "advance", "hog = b'x' * (100 << 20); time.sleep(1000)");
    for &sandbox in levels() {
        for path in [&path, &hog] {
            mark(path, sandbox);
        }
        let limits = Limits { rules_time: Duration::from_millis(200), ..patient() };
        let fault = fault_of(&path, sandbox, &limits).unwrap();
        assert_eq!(fault.what, "did not answer within 0.2 s", "{sandbox:?}");
        if !POSIX {
            let limits = Limits { memory: 64 << 20, ..patient() };
            let fault = fault_of(&hog, sandbox, &limits).unwrap();
            assert_eq!(fault.what, "used more memory than 64 MiB", "{sandbox:?}");
        }
    }
    for name in ["silent", "hog"] {
        wait_until_gone(&unique(name));
    }
}

fn start(rules: &Arc<RulesFile>, options: &[(&str, &str)]) -> Ruleset {
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
        assert_eq!(
            (rules.name(), rules.title(), rules.file()),
            ("connect4", "Connect Four", "connect4.py")
        );
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
        assert_eq!(error, "position, row 6 from the top: 8 squares wide, not 7");
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

#[test]
fn a_process_that_answers_differently_the_second_time_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let dies = "if rest.endswith('a1'): sys.exit(9)\nif word ==";
    let title = format!("{dies} 'rules': answer['title'] = f'Row {{os.getpid()}}'");
    let identity = format!("{dies} 'start': answer['identity'] = str(os.getpid())");
    let same = format!("{dies} 'start': answer['moves'].reverse()");
    for (name, code, question) in [
        ("title", title, Some("rules")),
        ("identity", identity, Some("start")),
        ("same", same, None),
    ] {
        let rules = load(&program(folder.path(), name, "any", &code), Sandbox::Basic).unwrap();
        let start = start(&rules, &[]).start();
        let [a1, i1] = ["a1", "i1"].map(|ply| start.ruleset().read_ply(ply).unwrap());
        assert_eq!(start.after(a1).fault().unwrap().what, "ended with exit status 9");
        let again = start.detached().after(i1);
        match question {
            Some(question) => {
                let expected = format!("answers `{question}` differently the second time");
                assert_eq!(again.fault().unwrap().what, expected);
            }
            None => {
                assert_eq!(again.to_string(), "8X O", "a new process answers the next question")
            }
        }
    }
}

#[test]
fn there_are_at_most_as_many_processes_as_threads_that_ask() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(folder.path(), "threads", "-", "pass");
    let rules = load(&path, Sandbox::Basic).unwrap();
    let position = start(&rules, &[]).start();
    let counts: Vec<u64> = std::thread::scope(|scope| {
        let ask = || scope.spawn(|| perft(&position.detached(), 3));
        let asking: Vec<_> = (0..4).map(|_| ask()).collect();
        asking.into_iter().map(|asking| asking.join().unwrap()).collect()
    });
    assert_eq!(counts, [504; 4]);
    let programs = crate::support::processes_with(&unique("threads"));
    let programs = programs.iter().filter(|line| !line.contains("__launch")).count();
    assert!((1..=4).contains(&programs), "{programs}");
}

/// Rules that answer only when a file is there, which another task of the same event loop writes:
/// if the question blocked the thread, they would be late.
#[test]
fn rules_that_think_do_not_hold_up_their_event_loop() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("go");
    let wait = format!("while not os.path.exists({:?}):\n    time.sleep(0.001)\n", file.display());
    let path = program(folder.path(), "thinks", "advance", &wait);
    let rules = load(&path, Sandbox::Basic).unwrap();
    let position = start(&rules, &[]).start();
    let ply = position.plies().next().unwrap();
    let question = position.question(ply).expect("nothing is known of the next position");
    let event_loop = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    event_loop.block_on(async {
        let (answer, ()) = tokio::join!(question.hear(), async {
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
            fs::write(&file, "").unwrap();
        });
        answer.keep();
    });
    assert!(position.question(ply).is_none(), "the answer is kept");
    assert_eq!(position.after(ply).to_string(), "X8 O");
}

/// A log can have games with every value of the options.
#[test]
fn rules_with_very_many_options_leave_few_processes_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{}.py", unique("options")));
    fs::copy(project("games/connect4.py"), &path).unwrap();
    let rules = load(&path, Sandbox::Basic).unwrap();
    let positions: Vec<_> = (4..13)
        .flat_map(|rows: u8| [(rows, "4"), (rows, "5")])
        .map(|(rows, columns)| {
            start(&rules, &[("rows", &rows.to_string()), ("columns", columns)]).start()
        })
        .collect();
    let programs = crate::support::processes_with(&unique("options"));
    let programs = programs.iter().filter(|line| !line.contains("__launch")).count();
    assert!((1..=9).contains(&programs), "{programs}");
    assert_eq!(perft(&positions[0], 1), 4, "a process is started for the first ones again");
}

/// What a log has must not make the games of another log wrong.
#[test]
fn a_log_with_very_many_words_leaves_the_others_valid() {
    let folder = tempfile::tempdir().unwrap();
    let [rules, log, words] = ["words.py", "log.pgn", "words.pgn"]
        .map(|name| folder.path().join(name).display().to_string());
    let text = r#"
sides = "XO"
def start(): return ["..."], "X", 0
def moves(board, side, number): return [f"{kind}{number}" for kind in "qz"]
def play(board, side, number, move): return board, "O" if side == "X" else "X", number + 1
def ending(board, side, number): return ("X", "done") if number == 4 else None
"#;
    fs::write(&rules, text).unwrap();
    let played = run(&["play", &rules, "builtin:random", "builtin:random", "--log", &log]);
    assert_eq!(played.status, Some(0), "{}", played.stderr);
    let head = fs::read_to_string(&log).unwrap();
    let head = head.split("\n\n").next().unwrap();
    let plies: String = (0..70_000).map(|number| format!("w{number}\n")).collect();
    fs::write(&words, format!("{head}\n\n{plies}1-0\n")).unwrap();
    let ran = run(&["verify", "--rules", &rules, &words, &log]);
    let place = |path: &str, what: &str| format!("{path}: {what}");
    assert!(ran.stdout.contains(&place(&log, "1 game, valid")), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains(&place(&words, "1 game, 1 invalid")),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn the_content_that_was_read_is_what_runs_and_it_goes_with_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{}.py", unique("kept")));
    fs::copy(project("games/connect4.py"), &path).unwrap();
    let rules = load(&path, Sandbox::Basic).unwrap();
    let digest = rules.digest().to_owned();
    fs::write(&path, "sides = 'broken").unwrap();
    assert_eq!(perft(&start(&rules, &[]).start(), 2), 49, "a process that was started before");
    assert_eq!(
        perft(&start(&rules, &[("rows", "5")]).start(), 2),
        49,
        "a process that is started now"
    );
    rules.save_copy(folder.path()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), fs::read(project("games/connect4.py")).unwrap());
    assert_eq!(load(&path, Sandbox::Basic).unwrap().digest(), digest);
    fs::write(&path, "sides = 'broken").unwrap();
    let error = load(&path, Sandbox::Basic).unwrap_err().to_string();
    assert!(error.contains("-kept.py, line 1") && error.contains("SyntaxError"), "{error}");
}

#[test]
fn an_exception_in_a_python_file_has_its_line_and_function() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{}.py", unique("raises")));
    let text = fs::read_to_string(project("games/connect4.py")).unwrap();
    let broken =
        text.replace("    board[row][column] = side\n", "    board[row][column + 99] = side\n");
    assert_ne!(text, broken);
    fs::write(&path, &broken).unwrap();
    let line = broken.lines().position(|line| line.contains("+ 99")).unwrap() + 1;
    let fault = fault_of(&path, Sandbox::Basic, &patient()).unwrap();
    let file = path.file_name().unwrap().to_str().unwrap();
    assert_eq!(fault.place.as_deref(), Some(&*format!("{file}, line {line}")));
    assert_eq!(fault.function.as_deref(), Some("play"));
    assert_eq!(fault.what, "IndexError: list assignment index out of range");
    assert!(fault.stderr.contains("IndexError"), "{}", fault.stderr);
    wait_until_gone(file);
}

#[test]
fn a_folder_is_copied_built_and_started_by_its_settings() {
    let folder = tempfile::tempdir().unwrap();
    let name = unique("folder");
    let dir = folder.path().join(&name);
    fs::create_dir(&dir).unwrap();
    let source = program(&dir, "source", "-", "pass");
    fs::rename(source, dir.join("rules.txt")).unwrap();
    let settings = "rules = 'python3 made.py'\nbuild = 'cp rules.txt made.py'\n";
    fs::write(dir.join("game.toml"), settings).unwrap();
    for &sandbox in levels() {
        fs::write(dir.join("level"), format!("{sandbox:?}")).unwrap();
        let rules = load(&dir, sandbox).unwrap();
        assert_eq!((rules.name(), rules.file()), (&*name, &*name));
        assert_eq!(perft(&start(&rules, &[]).start(), 2), 72, "{sandbox:?}");
        assert!(!dir.join("made.py").exists(), "built in the copy");
        let digest = rules.digest().to_owned();
        assert_eq!(load(&dir, sandbox).unwrap().digest(), digest);
    }
    for (settings, expected) in [
        (
            "rules = 'python3 made.py'\nbuild = 'echo no room >&2; exit 3'",
            "its build `echo no room >&2; exit 3` ended with exit status 3\n  no room",
        ),
        ("rules = 'python3 made.py'\nbuild = 'true'", "after its build `true`: "),
        ("rule = './made'", "line 1: unknown key `rule`; did you mean `rules`?"),
        ("rules = 'nowhere --fast'", "nowhere: no such file, folder or command"),
    ] {
        fs::write(dir.join("game.toml"), settings).unwrap();
        let error = load(&dir, Sandbox::Basic).unwrap_err().to_string();
        assert!(error.starts_with(&*dir.to_string_lossy()) && error.contains(expected), "{error}");
        assert!(!error.contains("arbiter-"), "a path that the user does not know: {error}");
    }
    fs::remove_file(dir.join("game.toml")).unwrap();
    let error = load(&dir, Sandbox::Basic).unwrap_err().to_string();
    assert!(error.contains("the folder has no game.toml"), "{error}");
}

#[test]
fn a_folder_of_rules_brings_its_packages() {
    let folder = tempfile::tempdir().unwrap();
    let name = unique("packed");
    let dir = folder.path().join(&name);
    let package = dir.join("packages/strip");
    fs::create_dir_all(&package).unwrap();
    // As docs/reference/custom-games.md says, but for `pip`.
    let driver = project("bots/playout-python/arbiter_rules.py");
    fs::copy(driver, dir.join("arbiter_rules.py")).unwrap();
    fs::write(package.join("__init__.py"), "from .rules import free\n").unwrap();
    fs::write(
        package.join("rules.py"),
        "def free(board):\n    return [(0, i) for i, letter in enumerate(board[0]) if letter == '.']\n",
    )
    .unwrap();
    fs::write(dir.join(format!("{name}.py")), PACKED).unwrap();
    let settings = format!("rules = 'python3 -B arbiter_rules.py {name}.py'\n");
    fs::write(dir.join("game.toml"), settings).unwrap();
    for &sandbox in levels() {
        mark(&package.join("rules.py"), sandbox);
        let rules = load(&dir, sandbox).unwrap();
        assert_eq!(perft(&start(&rules, &[]).start(), 3), 24, "{sandbox:?}");
    }
}

/// Rules that import a package beside them.
const PACKED: &str = "\
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), 'packages'))
import strip

sides = 'XO'


def start():
    return ['....'], 'X'


def moves(board, side):
    return strip.free(board)


def play(board, side, move):
    board[0][move[1]] = side
    return board, 'O' if side == 'X' else 'X'


def ending(board, side):
    return None if strip.free(board) else (None, 'full-board')
";

#[test]
fn what_is_no_rules_file_is_refused_with_what_would_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("loa.py"), "").unwrap();
    fs::write(at("My Game.py"), "").unwrap();
    fs::write(at("plain"), "hello").unwrap();
    fs::write(at("text.txt"), "hello").unwrap();
    fs::set_permissions(at("text.txt"), Permissions::from_mode(0o755)).unwrap();
    for (name, expected) in [
        ("none.py", "none.py: No such file or directory"),
        ("loa.py", "`loa` is a game of arbiter; give the rules another name"),
        (
            "My Game.py",
            "`My Game` is no name of a game; the name of the file without its ending has at most 40 small letters",
        ),
        ("plain", "plain: may not be executed; run `chmod +x"),
        ("text.txt", "is not a program for this machine, nor a script with a first line"),
    ] {
        let error = load(&at(name), Sandbox::Basic).unwrap_err().to_string();
        assert!(
            error.starts_with(&*at(name).to_string_lossy()) && error.contains(expected),
            "{error}"
        );
        assert!(!error.contains("/arbiter-"), "a path that the user does not know: {error}");
    }
}

#[test]
fn rules_go_on_under_the_isolation_of_the_run() {
    if POSIX {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    let reads = format!("try: answer = open({secret:?}).read()\nexcept OSError: answer = 'closed'");
    let rules = load(&program(folder.path(), "reads", "why", &reads), Sandbox::Basic).unwrap();
    let start = start(&rules, &[]).start();
    let taken = start.ruleset().read_ply("swap").unwrap();
    assert_eq!(start.check(taken).unwrap_err().to_string(), "secret");
    rules.run_under(&launcher(Sandbox::Strict), patient().rules_time);
    // Asked anew: a position keeps what was said of it.
    assert_eq!(start.detached().check(taken).unwrap_err().to_string(), "closed");
}

/// Attacks of a rules file: code, and the word for an attack that succeeded.
const ATTACKS: &[(&str, &str)] = &[
    ("read", "open(SECRET).read()"),
    ("list", "os.listdir(os.path.dirname(SECRET))"),
    ("write-own", "open(__file__, 'a').write('#')"),
    ("write-beside", "open(os.path.join(os.path.dirname(__file__), 'x'), 'w').write('x')"),
    ("write-scratch", "open(os.path.join(os.environ['TMPDIR'], 'x'), 'w').write('x')"),
    ("write-tmp", "open('/tmp/arbiter-rules-attack', 'w').write('x')"),
    ("socket", "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)"),
    ("unix", "socket.socket(socket.AF_UNIX)"),
    ("kill", "os.kill(os.getppid(), 0)"),
    ("kill-arbiter", "os.kill(PID, 0)"),
    ("fork", "os.fork() or os._exit(0)"),
    ("proc", "open(f'/proc/{PID}/maps').read(1)"),
];

#[test]
fn under_strict_a_rules_file_reaches_nothing_and_without_it_what_is_harmless_succeeds() {
    if POSIX {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    let path = folder.path().join(format!("{}.py", unique("attack")));
    let attacks: String =
        ATTACKS.iter().map(|(word, code)| format!("    ({word:?}, lambda: {code}),\n")).collect();
    let text = fs::read_to_string(project("games/connect4.py")).unwrap();
    let attack = format!(
        "import os, socket\nSECRET, PID = {secret:?}, {}\nopen_ones = []\nfor word, attack in [\n{attacks}]:\n    try:\n        attack()\n        open_ones.append(word)\n    except Exception:\n        pass\n",
        std::process::id()
    );
    let text =
        text.replace("title = \"Connect Four\"\n", "title = ' '.join(open_ones) or 'nothing'\n");
    fs::write(&path, attack + &text).unwrap();
    let mut tried = 0;
    for namespaces in [Namespaces::None, Namespaces::SharedProc, Namespaces::All] {
        let launcher = Launcher { namespaces, ..launcher(Sandbox::Strict) };
        let limits = Limits::default();
        // Not every machine has namespaces.
        if namespaces != Namespaces::None && probe_isolation(&launcher, &limits, None).is_err() {
            continue;
        }
        let strict = RulesFile::load(&path, &launcher, &patient()).unwrap();
        assert_eq!(strict.title(), "nothing", "{namespaces:?}");
        tried += 1;
    }
    assert!(tried > 0);
    let open = load(&path, Sandbox::Basic).unwrap();
    for (word, _) in ATTACKS.iter().filter(|(word, _)| *word != "write-scratch") {
        assert!(
            open.title().split(' ').any(|open| open == *word),
            "{word} needs no refusal: {}",
            open.title()
        );
    }
    let _ = fs::remove_file("/tmp/arbiter-rules-attack");
}

/// A command that plays four games by the rules of a file.
fn play(path: &Path, sandbox: Sandbox) -> Command {
    let words = ["builtin:random", "builtin:random", "--games", "4", "--sandbox", sandbox.word()];
    arbiter(&[&["play", path.to_str().unwrap()], &words[..]].concat())
}

/// What the rules take is in no answer of a bot: both together leave room for it in the whole run.
#[test]
fn the_time_of_the_rules_is_charged_to_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("games.pgn");
    let path = program(folder.path(), "sleeps", "advance", "time.sleep(0.5)");
    let began = Instant::now();
    let words = ["builtin:random", "builtin:random", "--games", "1", "--time", "100+1", "--log"];
    let ran: Ran = arbiter(&[&["play", path.to_str().unwrap()], &words[..]].concat())
        .arg(&log)
        .output()
        .unwrap()
        .into();
    let elapsed = began.elapsed();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let record = read_log(&fs::read(&log).unwrap()).next().unwrap().unwrap();
    let walls = record.plies.iter().map(|played| played.note.as_ref().unwrap().wall.unwrap());
    assert_eq!(walls.len(), 9);
    assert!(walls.sum::<Duration>() + 9 * Duration::from_millis(500) < elapsed, "{record}");
}

#[test]
fn after_a_run_no_process_and_no_copy_of_the_rules_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let temporary = folder.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let path = folder.path().join(format!("{}.py", unique("run")));
    fs::copy(project("games/connect4.py"), &path).unwrap();
    for &sandbox in levels() {
        let ran: Ran = play(&path, sandbox).env("TMPDIR", &temporary).output().unwrap().into();
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(
            crate::support::processes_with(&unique("run")),
            Vec::<String>::new(),
            "{sandbox:?}"
        );
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "{sandbox:?}");
    }
}

#[test]
fn rules_end_with_an_arbiter_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let asked = folder.path().join("asked");
    let code = format!("open({asked:?}, 'w').close(); time.sleep(1000)");
    let path = program(folder.path(), "orphan", "advance", &code);
    let mut run =
        play(&path, Sandbox::Basic).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for("the first question", || asked.exists().then_some(()));
    run.kill().unwrap();
    run.wait().unwrap();
    wait_until_gone(&unique("orphan"));
}
