//! The shape of an assignment.

use super::requirement::Requirement;
use arbiter_rules::Game;
use arbiter_rules::text::words;
use std::collections::BTreeMap;
use std::time::Duration;

/// What is marked, how it is built, and what each part of it is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// `loa`, `gekitai`, `flipflop`, or the name of the file without `.toml`.
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
    /// The boards that are tried; the first is the default board. Empty in games that have one
    /// board.
    pub boards: Vec<Board>,
    /// The names of the constants that hold `n`, `p` and `l` in a submission.
    pub constants: BTreeMap<char, String>,
    /// Headers that only other compilers have, with what takes their place as C++.
    pub stand_ins: BTreeMap<String, String>,
    /// Texts that count as each other, one list for each meaning.
    pub same: Vec<Vec<String>>,
    /// Processor time of a case.
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

/// The measures of a board: squares a side, pieces a player, pieces of a line that wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// Squares a side.
    pub n: u32,
    /// Pieces a player has; `None` where the game has no such number.
    pub p: Option<u32>,
    /// Pieces of a line that wins; `None` where the game has no such number.
    pub l: Option<u32>,
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
    }
}

impl Assignment {
    /// Maximum points of all parts together.
    #[must_use]
    pub fn most(&self) -> f64 {
        self.parts.iter().map(Part::most).sum()
    }
}

impl Part {
    /// Maximum points.
    #[must_use]
    pub fn most(&self) -> f64 {
        match &self.kind {
            PartKind::Builds { points, .. }
            | PartKind::Globals { points }
            | PartKind::Program { points, .. } => *points,
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
