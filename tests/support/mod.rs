//! What the tests with real processes share: running the program, finding what it left behind.

#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program under test.
pub const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");

/// A path in the project.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A command of the program, run in the project's folder, with nothing on its standard input. Python's own protection
/// against unflushed output is taken out of the environment: arbiter has to give it to bots by itself.
pub fn arbiter(arguments: &[&str]) -> Command {
    let mut command = Command::new(ARBITER);
    command.args(arguments).current_dir(project("")).stdin(Stdio::null()).env_remove("PYTHONUNBUFFERED");
    command
}

/// What a command printed, and its exit status.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            status: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Ran {
    arbiter(arguments).output().unwrap().into()
}

/// A command line for a broken bot of `tests/bots/broken.py`; behaviours may take an argument.
pub fn broken(behaviour: &str) -> String {
    format!("python3 {} {behaviour}", project("tests/bots/broken.py").display())
}

/// Processes whose command line has this word: what is left of bots that were started with it.
pub fn processes_with(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let path = entry.path();
        let Ok(line) = std::fs::read(path.join("cmdline")) else { continue };
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let own =
            path.file_name().is_some_and(|name| name.to_string_lossy() == std::process::id().to_string());
        if line.contains(word) && !own {
            found.push(format!("{} {line}", path.display()));
        }
    }
    found
}

/// Waits until nothing with this word in its command line is left; panics with what is left after two minutes.
pub fn wait_until_gone(word: &str) {
    let began = std::time::Instant::now();
    loop {
        let left = processes_with(word);
        if left.is_empty() {
            return;
        }
        assert!(began.elapsed().as_secs() < 120, "still there: {left:#?}");
        std::thread::yield_now();
    }
}

/// Whether a program can be found; says aloud when it cannot, and what is not tested for that.
pub fn has(program: &str, otherwise: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|dir| dir.join(program).is_file());
    if !found {
        skip(&format!("{program} is not installed: {otherwise}"));
    }
    found
}

/// Says aloud that something is not tested; not with eprintln, whose output a passing test keeps to itself.
pub fn skip(why: &str) {
    std::io::stderr().write_all(format!("SKIPPED: {why}\n").as_bytes()).unwrap();
}

/// The moves and the result in a log of one game.
pub fn moves(log: &str) -> String {
    let body = log.split_once("\n\n").unwrap_or_default().1;
    let plain = body.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    plain.flat_map(str::split_ascii_whitespace).collect::<Vec<_>>().join(" ")
}
