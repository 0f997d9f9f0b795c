//! One case of a program: what it is given, and what it must print.

use arbiter_config::assignment::Board;
use arbiter_rules::{Ply, Ruleset};

/// A whole game that a program is run with.
#[derive(Debug, Clone)]
pub struct ProgramCase {
    /// Its name, unlike that of any other case of the assignment: `n6-push-corner-2`.
    pub name: String,
    /// The class whose points it shares.
    pub class: &'static str,
    /// All classes that occur in it; its own is one of them.
    pub labels: Vec<&'static str>,
    /// The board that the program is built for; `None` in a game of one board.
    pub board: Option<Board>,
    /// The rules that decide.
    pub ruleset: Ruleset,
    /// What is typed, in order.
    pub entries: Vec<Entry>,
    /// All of standard input: one entry a line.
    pub input: String,
    /// What `arbiter hotseat` prints for this input.
    pub expected: String,
    /// The script of the class that stands in for the right one (`provided/scripted.cpp`); none
    /// where the program is run with the right class, and in games without a class.
    pub script: Option<String>,
}

/// One move as it is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The text, such as `a6` or `Z -1`.
    pub text: String,
    /// The ply that it plays; `None` if it must be refused.
    pub ply: Option<Ply>,
}
