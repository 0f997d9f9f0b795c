//! The shape of an assignment.

use super::requirement::Requirement;
use crate::bot_spec::BotSpec;
use arbiter_rules::text::words;
use arbiter_rules::{Game, OptionError, Ruleset};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is marked, how it is built, and what each part of it is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// `loa`, `gekitai`, `flipflop`, `lineup`, or the name of the file without `.toml`.
    pub name: String,
    /// The game whose rules decide.
    pub game: Game,
    /// Names of the files that students hand in.
    pub files: Vec<String>,
    /// Names of files that the course gives out; they replace files of the same name in a
    /// submission.
    pub provided: Vec<String>,
    /// How a program comes of the files.
    pub toolchain: Toolchain,
    /// How the program of `command` is built and asked for moves.
    pub player: BotSpec,
    /// The boards that are tried; the first is the default board. Empty in games that have one
    /// board.
    pub boards: Vec<Board>,
    /// The names of the constants that hold `n`, `p` and `l` in a submission.
    pub constants: BTreeMap<char, String>,
    /// Headers that only other compilers have, with what takes their place as C++.
    pub stand_ins: BTreeMap<String, String>,
    /// Texts that count as each other, one list for each meaning.
    pub same: Vec<Vec<String>>,
    /// Processor time of a case; in games, the time of a move.
    pub time: Duration,
    /// What is marked.
    pub parts: Vec<Part>,
    /// What is asked for and no case shows.
    pub requirements: Vec<Requirement>,
}

/// How a program comes of a submission's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Toolchain {
    /// A command of a C++ compiler with its flags; the files and `-o` are appended.
    Compile(String),
    /// The command that runs the program, in the folder of the submission; nothing is compiled.
    Command(String),
}

/// The measures of a board, by the names of the game's options: squares a side, pieces a player,
/// pieces of a line that wins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// Squares a side.
    pub n: u32,
    /// Pieces a player has; `None` where the game has no such number.
    pub p: Option<u32>,
    /// Pieces of a line that wins; `None` where the game has no such number.
    pub l: Option<u32>,
    /// The blocks of `lineup`; `None` for those of its hand-out, or none.
    pub b: Option<u32>,
    /// Pieces of a line that wins in `lineup`.
    pub s: Option<u32>,
}

impl Board {
    /// The options of the rules that it sets, in the order of their keys on pages.
    pub fn options(self) -> Vec<(&'static str, u32)> {
        let mut options = vec![("n", self.n)];
        for (key, value) in [("p", self.p), ("l", self.l), ("b", self.b), ("s", self.s)] {
            if let Some(number) = value {
                options.push((key, number));
            }
        }
        options
    }

    /// The rules of a game on it.
    ///
    /// # Errors
    /// The game is not played on such a board.
    pub fn ruleset(self, game: &Game) -> Result<Ruleset, OptionError> {
        let mut options = Vec::new();
        for (key, value) in self.options() {
            options.push((key.to_owned(), value.to_string()));
        }
        Ruleset::with_options(game.name(), &options)
    }
}

/// Classes of cases, and what each weighs beside the others.
pub type Weights = BTreeMap<String, f64>;

/// One part of an assignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its name, unlike that of any other part: by default its kind, in a file of several with the
    /// file's stem.
    pub name: String,
    /// The submitted files that it is built from; all of the assignment if empty.
    pub files: Vec<String>,
    /// What is marked, and what for.
    pub kind: PartKind,
}

/// What a part marks.
#[derive(Debug, Clone, PartialEq)]
pub enum PartKind {
    /// The files compile, without warnings.
    Builds {
        /// Maximum points.
        points: f64,
        /// What a warning adds: a negative number.
        each_warning: f64,
        /// The fewest points that warnings and the compiler leave.
        at_least: f64,
        /// What is added if they compile with Visual Studio alone: 0 or a negative number.
        only_visual_studio: f64,
    },
    /// The files have no global variables but constant ones.
    Globals {
        /// All points or none.
        points: f64,
    },
    /// The functions (or, in loa, the members of the class), each called alone.
    Functions {
        /// The points of each function.
        points: BTreeMap<String, f64>,
        /// The share of them that is earned by what is printed, 0 to 1.
        text: f64,
        /// What the classes of cases of each function weigh.
        weights: BTreeMap<String, Weights>,
    },
    /// Whole games: what the program prints for an input.
    Program {
        /// Maximum points.
        points: f64,
        /// The share of them that is earned by the words around boards and results, 0 to 1.
        text: f64,
        /// What the classes of cases weigh.
        weights: Weights,
    },
    /// Whole games against arbiter, in which the program is asked for its moves.
    Games {
        /// Maximum points.
        points: f64,
        /// What the classes of cases weigh.
        weights: Weights,
    },
}

words! {
    /// The kinds of parts.
    Kind {
        /// The files compile.
        Builds = "builds",
        /// There are no global variables.
        Globals = "globals",
        /// Functions are called.
        Functions = "functions",
        /// The program is run.
        Program = "program",
        /// The program plays.
        Games = "games",
    }
}

impl Assignment {
    /// Maximum points of all parts together.
    pub fn most(&self) -> f64 {
        self.parts.iter().map(Part::most).sum()
    }
}

impl Part {
    /// Maximum points.
    pub fn most(&self) -> f64 {
        match &self.kind {
            PartKind::Builds { points, .. }
            | PartKind::Globals { points }
            | PartKind::Program { points, .. }
            | PartKind::Games { points, .. } => *points,
            PartKind::Functions { points, .. } => points.values().sum(),
        }
    }

    /// The functions that it marks.
    pub fn functions(&self) -> impl Iterator<Item = &String> {
        let points = match &self.kind {
            PartKind::Functions { points, .. } => Some(points),
            _ => None,
        };
        points.into_iter().flat_map(BTreeMap::keys)
    }
}
