//! A rules process, started as arbiter starts it.

use crate::support::project;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::LazyLock;

pub const DRIVER: &str = "bots/playout-python/arbiter_rules.py";

/// The interpreter itself: what is called `python3` may be a script that looks for it, which takes
/// longer than a question.
pub static PYTHON: LazyLock<String> = LazyLock::new(|| {
    let found = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable, end='')"])
        .output()
        .unwrap();
    String::from_utf8(found.stdout).unwrap()
});

/// A rules process.
pub struct Rules {
    pub process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Rules {
    pub fn of(file: &Path) -> Rules {
        Rules::by(&[project(DRIVER).as_os_str(), file.as_os_str()])
    }

    /// The rules of a game in the project, with options such as `rows=5 columns=3`.
    pub fn with(file: &str, options: &str) -> Rules {
        let mut rules = Rules::of(&project(file));
        for option in options.split_whitespace() {
            assert_eq!(
                rules.ask(&format!("set {}", option.replace('=', " "))),
                json!({}),
                "{file} {options}"
            );
        }
        rules
    }

    pub fn by(arguments: &[&OsStr]) -> Rules {
        let mut process = Command::new(&*PYTHON)
            .args(["-I", "-S", "-B"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (questions, answers) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Rules { process, questions, answers: BufReader::new(answers) }
    }

    /// The line that answers a question; empty if the process has ended.
    pub fn line(&mut self, question: &str) -> String {
        let mut line = String::new();
        match writeln!(self.questions, "{question}") {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            sent => sent.unwrap(),
        }
        self.answers.read_line(&mut line).unwrap();
        line.trim_end_matches('\n').to_owned()
    }

    pub fn ask(&mut self, question: &str) -> Value {
        let line = self.line(question);
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{question}: {error}: {line:?}"))
    }

    /// The number of sequences of so many plies from a position.
    pub fn perft(&mut self, state: &Value, depth: u32) -> u64 {
        let moves = state["moves"].as_array().unwrap();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|ply| self.after(state, ply))
            .collect::<Vec<_>>()
            .iter()
            .map(|next| self.perft(next, depth - 1))
            .sum()
    }

    pub fn after(&mut self, state: &Value, ply: &Value) -> Value {
        self.ask(&format!(
            "advance {}\t{}",
            state["position"].as_str().unwrap(),
            ply.as_str().unwrap()
        ))
    }
}

impl Drop for Rules {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
