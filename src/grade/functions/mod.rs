//! The functions of a submission, each called alone.
//!
//! A test main in C++ reads calls as lines and answers each with a line; it runs the student's code, so it is not told what is
//! expected. [`calls()`] makes the calls and takes what is expected of them from the rules; [`judge`] compares.

mod call;
mod calls;
mod flipflop;
mod gekitai;
mod loa;

pub use call::{Answer, Answers, Call, Expected, Fate, Mode, Value, input, judge};

use crate::config::assignment::Board;

/// The test main for the functions of a game, as C++ source, and its functions.
#[derive(Debug, Clone, Copy)]
pub struct TestMain {
    game: &'static str,
    /// The functions with their prototypes, in the order of the hand-out.
    pub functions: &'static [(&'static str, &'static str)],
}

impl TestMain {
    /// The test main for a game that has one: `flipflop`, `gekitai` and `loa`.
    #[must_use]
    pub fn of(game: &str) -> Option<TestMain> {
        let (game, functions) = match game {
            "flipflop" => (include_str!("flipflop.cpp"), flipflop::FUNCTIONS),
            "gekitai" => (include_str!("gekitai.cpp"), gekitai::FUNCTIONS),
            "loa" => (include_str!("loa.cpp"), loa::FUNCTIONS),
            _ => return None,
        };
        Some(TestMain { game, functions })
    }

    /// Its source. It is compiled with `-DBOARD_N=` and the size of the board, and linked with the submission and
    /// `-Wl,--wrap=main`, so that the `main` of the submission stays as it is and does not run.
    #[must_use]
    pub fn source(&self) -> String {
        [self.game, include_str!("harness.cpp")].concat()
    }

    /// Its source with a header of the course before it, whose members become public, so that it can set them.
    #[must_use]
    pub fn source_with(&self, header: &str) -> String {
        let opened = header.replace("private:", "public:").replace("protected:", "public:");
        [&opened, "\n", &self.source()].concat()
    }
}

/// The calls for a game on a board, in the order of its functions; the same ones for the same seed.
#[must_use]
pub fn calls(game: &str, board: Board, seed: u64) -> Vec<Call> {
    match game {
        "flipflop" => flipflop::calls(board, seed),
        "gekitai" => gekitai::calls(board, seed),
        "loa" => loa::calls(seed),
        _ => Vec::new(),
    }
}
