//! The cases of whole programs find every mutant of a right program, and no right program fails,
//! however it reads and writes.
//!
//! The programs run without a sandbox, under a limit of processor time. Needs g++. `.ci/slow` tries
//! all mutants and styles (`ARBITER_ALL`), otherwise it is one mutant in twenty of one program and
//! in fifteen of the other, and one style in four.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and prints the table of mutants"
)]

use crate::support::sample;
use crate::support::shared::Shared;
use arbiter::config::assignment::Board;
use arbiter::game::{Exit, ProgramEnd, ProgramRun};
use arbiter::grade::cases::{ProgramCase, gekitai, loa};
use arbiter::grade::{CaseMark, judge, output_limit};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const PROVIDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/grade/provided");
/// The number of SIGXCPU.
const OUT_OF_TIME: i32 = 24;
/// Cases of a program that may use up their time.
const MOST_OUT_OF_TIME: usize = 4;

#[derive(Deserialize)]
struct Mutants {
    gekitai: Vec<Mutant>,
    client: Vec<Mutant>,
}

/// A change of a right program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    name: String,
    old: String,
    new: String,
    labels: Vec<String>,
    #[serde(default)]
    board: Option<[u32; 3]>,
    /// Words of the sentence of the shortest failing case.
    says: String,
}

fn has_compiler() -> bool {
    crate::support::has("g++", "programs of C++")
}

fn provided(name: &str) -> String {
    fs::read_to_string(Path::new(PROVIDED).join(name)).unwrap()
}

fn changed(source: &str, old: &str, new: &str) -> String {
    assert!(source.contains(old), "the right program does not have {old:?}");
    source.replace(old, new)
}

fn board([n, p, l]: [u32; 3]) -> Board {
    Board { n, p: Some(p), l: Some(l), ..Board::default() }
}

fn for_board(source: &str, [n, p, l]: [u32; 3]) -> String {
    let source = changed(source, "N = 6;", &format!("N = {n};"));
    changed(&changed(&source, "P = 8;", &format!("P = {p};")), "L = 3;", &format!("L = {l};"))
}

/// A folder for programs, with what all of them need, compiled: the headers that take most of the
/// time, and the classes.
static PREPARED: Shared<tempfile::TempDir> = Shared::new();

fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let headers = folder.path().join(HEADERS);
    fs::write(
        &headers,
        "#include <cctype>\n#include <iomanip>\n#include <iostream>\n#include <string>\n",
    )
    .unwrap();
    compile(&[&headers, "-o".as_ref(), &folder.path().join("headers.hpp.gch")]);
    for class in ["right", "scripted"] {
        let source = Path::new(PROVIDED).join(format!("{class}.cpp"));
        compile(&[
            "-c".as_ref(),
            &source,
            "-o".as_ref(),
            &folder.path().join(format!("{class}.o")),
        ]);
    }
    folder
}

const HEADERS: &str = "headers.hpp";

fn compile(arguments: &[&Path]) {
    let output =
        Command::new("g++").args(["-std=c++17", "-I", PROVIDED]).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles a source in a [`prepared`] folder, with a class if it needs one; returns the program.
fn compiled(folder: &Path, name: &str, source: &str, class: Option<&str>) -> PathBuf {
    let (file, program, headers) =
        (folder.join(format!("{name}.cpp")), folder.join(name), folder.join(HEADERS));
    fs::write(&file, source).unwrap();
    let class = class.map(|class| folder.join(format!("{class}.o")));
    let mut arguments: Vec<&Path> = vec!["-include".as_ref(), &headers, &file];
    arguments.extend(class.as_deref());
    arguments.extend(["-o".as_ref(), &*program]);
    compile(&arguments);
    program
}

fn run(program: &Path, case: &ProgramCase) -> ProgramRun {
    let script = program.with_extension("script");
    fs::write(&script, case.script.as_deref().unwrap_or_default()).unwrap();
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -S -t 1; exec \"$0\""])
        .arg(program)
        .env("ARBITER_SCRIPT", &script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The input is shorter than what a pipe holds; a program that has ended does not read it.
    let _ = child.stdin.take().unwrap().write_all(case.input.as_bytes());
    let limit = output_limit(&case.expected);
    let mut output = Vec::new();
    child.stdout.take().unwrap().take(limit as u64).read_to_end(&mut output).unwrap();
    let endless = output.len() == limit;
    if endless {
        child.kill().unwrap();
    }
    let status = child.wait().unwrap();
    let end = match (status.code(), status.signal()) {
        _ if endless => ProgramEnd::Endless,
        (_, Some(OUT_OF_TIME)) => ProgramEnd::Computing,
        (Some(code), _) => ProgramEnd::Ended(Exit::Status(code)),
        (None, signal) => ProgramEnd::Ended(Exit::Signal(signal.unwrap_or_default())),
    };
    ProgramRun { output, stderr: Vec::new(), end, processor_time: Duration::ZERO }
}

fn same() -> Vec<Vec<String>> {
    [["Player 1 wins!", "Player X wins!"], ["Player 2 wins!", "Player O wins!"]]
        .map(|texts| texts.map(str::to_owned).to_vec())
        .to_vec()
}

/// The marks of a program; as in `arbiter grade`, the rest is not run after a few cases that use up
/// their time.
fn marks<'a>(program: &Path, cases: impl IntoIterator<Item = &'a ProgramCase>) -> Vec<CaseMark> {
    let mut out_of_time = 0;
    let mut marks = Vec::new();
    for case in cases {
        let run = run(program, case);
        out_of_time += usize::from(run.end == ProgramEnd::Computing);
        marks.push(judge(case, &run, &same()));
        if out_of_time == MOST_OUT_OF_TIME {
            break;
        }
    }
    marks
}

/// Calls `make` for each number below `count`, on every core.
fn each(count: usize, make: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    make(number);
                }
            });
        }
    });
}

/// Marks every mutant; fails with the list of those that no case finds or that cases fail which
/// have nothing to do with it.
fn find_all(mutants: &[Mutant], marked: impl Fn(usize, &Mutant) -> Vec<CaseMark> + Sync) {
    let table = Mutex::new(BTreeMap::new());
    each(mutants.len(), |number| {
        let mutant = &mutants[number];
        let mut failed = marked(number, mutant);
        let all = failed.len();
        failed.retain(|mark| mark.share < 1.0 || !mark.text.is_empty());
        failed.sort_by_key(|mark| mark.length);
        let belongs = |mark: &CaseMark| {
            mutant
                .labels
                .iter()
                .any(|label| label == "all" || mark.labels.contains(&label.as_str()))
        };
        let others: Vec<&str> =
            failed.iter().filter(|mark| !belongs(mark)).map(|mark| mark.name.as_str()).collect();
        let first = failed.first().and_then(said).unwrap_or_default();
        let sentence = first.to_owned();
        let is_right = !failed.is_empty() && others.is_empty() && sentence.contains(&mutant.says);
        let names: Vec<&str> = failed.iter().map(|mark| mark.name.as_str()).take(4).collect();
        let row = format!(
            "{}: {} of {all} cases: {}\n    {sentence}\n    unrelated: {others:?}",
            mutant.name,
            failed.len(),
            names.join(" ")
        );
        table.lock().unwrap().insert(number, (is_right, row));
    });
    let table = table.into_inner().unwrap();
    for (_, row) in table.values() {
        println!("{row}");
    }
    let wrong: Vec<&str> =
        table.values().filter(|(right, _)| !right).map(|(_, row)| row.as_str()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sentence of a failing case: what is wrong by the rules, or in the text.
fn said(mark: &CaseMark) -> Option<&str> {
    let text = mark.text.first().map(|difference| &*difference.sentence);
    mark.found.as_ref().map(|found| &*found.sentence).or(text)
}

fn mutants() -> Mutants {
    toml::from_str(include_str!("../../grade/programs.toml")).unwrap()
}

#[test]
fn every_mutant_of_gekitai_is_found() {
    if !has_compiler() {
        return;
    }
    let folder = PREPARED.get(prepared);
    let mutants = sample(mutants().gekitai, 20);
    let measures = |mutant: &Mutant| mutant.board.unwrap_or([6, 8, 3]);
    let mut cases = BTreeMap::new();
    for mutant in &mutants {
        cases.entry(measures(mutant)).or_insert_with(|| gekitai::cases(board(measures(mutant)), 0));
    }
    let right = provided("gekitai.cpp");
    find_all(&mutants, |number, mutant| {
        let source = for_board(&changed(&right, &mutant.old, &mutant.new), measures(mutant));
        let program = compiled(folder.path(), &format!("m{number}"), &source, None);
        marks(&program, &cases[&measures(mutant)])
    });
}

#[test]
fn every_mutant_of_the_client_is_found() {
    if !has_compiler() {
        return;
    }
    let folder = PREPARED.get(prepared);
    let (cases, right) = (loa::cases(0), provided("gameplay.cpp"));
    let mutants = sample(mutants().client, 15);
    find_all(&mutants, |number, mutant| {
        let source = changed(&right, &mutant.old, &mutant.new);
        client_marks(folder.path(), &format!("c{number}"), &source, &cases)
    });
}

/// The marks of a client, which is built with each of the classes.
fn client_marks(folder: &Path, name: &str, source: &str, cases: &[ProgramCase]) -> Vec<CaseMark> {
    let [scripted, right] = ["scripted", "right"]
        .map(|class| compiled(folder, &format!("{name}-{class}"), source, Some(class)));
    let (with_script, whole): (Vec<&ProgramCase>, Vec<&ProgramCase>) =
        cases.iter().partition(|case| case.script.is_some());
    let mut all = marks(&scripted, with_script);
    all.extend(marks(&right, whole));
    all
}

#[test]
fn right_programs_have_full_marks_however_they_read_and_write() {
    if !has_compiler() {
        return;
    }
    let folder = PREPARED.get(prepared);
    let read = "if (!(cin >> letter >> number)) {\n                return 1;\n            }";
    let by_line = "string line;\n            if (!getline(cin, line)) {\n                return 1;\n            }\n            \
                   letter = line[0];\n            number = stoi(line.substr(1));";
    let by_scanf =
        "if (scanf(\" %c%d\", &letter, &number) != 2) {\n                return 1;\n            }";
    let default = [6, 8, 3];
    // With the kinds of text that differ.
    let styles: [(&str, &str, &str, usize, [u32; 3]); 11] = [
        ("cin", read, read, 0, default),
        ("small board", read, read, 0, [5, 6, 3]),
        ("board of seven", read, read, 0, [7, 8, 3]),
        ("board of eight", read, read, 0, [8, 8, 4]),
        ("getline", read, by_line, 0, default),
        ("scanf", read, by_scanf, 0, default),
        ("Player 1 wins", "Player X wins!", "Player 1 wins!", 0, default),
        (
            "blanks at the ends of rows",
            "        cout << endl;",
            "        cout << ' ' << endl;",
            0,
            default,
        ),
        ("no newline at the end", "!\" << endl;\n    }", "!\";\n    }", 0, default),
        ("carriage returns", "endl", "\"\\r\\n\"", 0, default),
        (
            "debugging text",
            "    board[y][x] = player;\n",
            "    cout << \"moving\\n\";\n    board[y][x] = player;\n",
            1,
            default,
        ),
    ];
    let right = provided("gekitai.cpp");
    let wrong = Mutex::new(Vec::new());
    let styles = sample(styles, 4);
    each(styles.len() + 1, |number| {
        let Some((name, old, new, differences, measures)) = styles.get(number) else {
            let marks =
                client_marks(folder.path(), "right", &provided("gameplay.cpp"), &loa::cases(0));
            wrong.lock().unwrap().extend(marks.into_iter().filter(|mark| !is_right(mark, 0)));
            return;
        };
        let source = for_board(&changed(&right, old, new), *measures).replace(
            "#include <cctype>",
            "#include <cctype>\n#include <cstdio>\n#include <string>",
        );
        let program = compiled(folder.path(), &format!("s{number}"), &source, None);
        let marks = marks(&program, &gekitai::cases(board(*measures), 0));
        assert!(marks.len() > 50, "{name}");
        let is_wrong = |mark: &CaseMark| !is_right(mark, *differences);
        wrong.lock().unwrap().extend(marks.into_iter().filter(is_wrong));
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} cases, such as {:?}", wrong.len(), wrong[0]);
}

/// Whether a case is right by the rules, with so many differences of text.
fn is_right(mark: &CaseMark, differences: usize) -> bool {
    mark.share == 1.0 && mark.text.len() == differences
}
