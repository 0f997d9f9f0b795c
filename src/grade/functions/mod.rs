//! The functions of a submission, each called alone.
//!
//! A test main in C++ reads calls as lines and answers each with a line; it runs the student's
//! code, so it does not receive the expected answers. [`calls()`] makes the calls with what the
//! rules expect of them; [`judge`] compares.

mod call;
mod calls;
mod flipflop;
mod gekitai;
mod loa;
mod printed;
mod squares;
mod verdict;

pub use call::{Answer, Answers, Call, Expected, Fate, Mode, Place, Value, input};
pub use verdict::{Verdict, is_outside, judge};

use arbiter_config::assignment::Board;

/// The test main for the functions of a game, as C++ source, and its functions.
#[derive(Debug, Clone, Copy)]
pub struct TestMain {
    game: &'static str,
    /// Whether its source depends on the size of the board, `BOARD_N`.
    pub depends_on_size: bool,
    /// The name of the course's header that declares them; none if they are free functions.
    pub header: Option<&'static str>,
    /// Constants that the prototypes carry, with the values that the test main has for them.
    pub constants: &'static [(&'static str, u32)],
    /// The functions with their prototypes, in the order of the hand-out.
    pub functions: &'static [(&'static str, &'static str)],
}

impl TestMain {
    /// The test main for a game that has one: `flipflop`, `gekitai` and `loa`.
    pub fn of(game: &str) -> Option<TestMain> {
        match game {
            "flipflop" => Some(TestMain {
                game: include_str!("flipflop.cpp"),
                depends_on_size: false,
                header: None,
                constants: &[("MAX_ARRAY_SIZE", 24)],
                functions: flipflop::FUNCTIONS,
            }),
            "gekitai" => Some(TestMain {
                game: include_str!("gekitai.cpp"),
                depends_on_size: true,
                header: None,
                constants: &[],
                functions: gekitai::FUNCTIONS,
            }),
            "loa" => Some(TestMain {
                game: include_str!("loa.cpp"),
                depends_on_size: false,
                header: Some("LinesOfAction.h"),
                constants: &[],
                functions: loa::FUNCTIONS,
            }),
            _ => None,
        }
    }

    /// The names that a function may have in a submission: that of its prototype, which in a
    /// course's class is one of a member, and as flipflop's course has misspelt it.
    pub fn names(&self, function: &str) -> [String; 2] {
        let class = self.header.and_then(|header| header.strip_suffix(".h"));
        let other = class.map(|class| format!("{class}::{function}"));
        [
            function.to_owned(),
            other.unwrap_or_else(|| function.replace("Initialize", "Initialiize")),
        ]
    }

    /// Its source, with the text of its header, whose members become public, so that it can set
    /// them. It is compiled with `-O0`, and with `-DBOARD_N=` and the size of the board, and linked
    /// behind the submission with `-Wl,--wrap=main`, so that the `main` of the submission stays as
    /// it is and does not run.
    pub fn source(&self, header: &str) -> String {
        let opened = header.replace("private:", "public:").replace("protected:", "public:");
        [&opened, "\n", self.game, include_str!("harness.cpp")].concat()
    }
}

/// The calls for a game on a board, in the order of its functions; the same ones for the same seed.
pub fn calls(game: &str, board: Board, seed: u64) -> Vec<Call> {
    match game {
        "flipflop" => flipflop::calls(board, seed),
        "gekitai" => gekitai::calls(board, seed),
        "loa" => loa::calls(seed),
        _ => Vec::new(),
    }
}
