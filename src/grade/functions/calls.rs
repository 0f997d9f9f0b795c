//! The list of calls that a game's file makes.

use super::call::{Call, Expected};
use std::collections::BTreeSet;

/// Calls with names of their own, none of them twice.
#[derive(Debug, Default)]
pub(super) struct Calls {
    board: String,
    has_open_layout: bool,
    seen: BTreeSet<String>,
    calls: Vec<Call>,
}

impl Calls {
    /// No calls; the name of each that follows begins with `board`, unless that is empty.
    pub(super) fn new(board: String) -> Calls {
        Calls { board, ..Calls::default() }
    }

    /// The layout of what is printed is left open.
    pub(super) fn with_open_layout(self) -> Calls {
        Calls { has_open_layout: true, ..self }
    }

    /// Adds a call unless it is there already, and returns it then. `shown` is the call as C++; the
    /// first label is its class.
    pub(super) fn add(
        &mut self,
        function: &'static str,
        (state, arguments, shown): (String, Vec<String>, String),
        expected: Expected,
        labels: Vec<&'static str>,
    ) -> Option<&mut Call> {
        // An empty square is a dot, or 0 where squares are numbers.
        let pieces = state.chars().filter(|square| !['.', '0', '/'].contains(square)).count();
        let length = pieces + arguments.len();
        let number = self.calls.iter().filter(|call| call.function == function).count() + 1;
        let mut name = format!("{function}-{number}");
        if !self.board.is_empty() {
            name = format!("{}-{name}", self.board);
        }
        let class = labels.first().copied().unwrap_or_default();
        let call = Call {
            name,
            function,
            state,
            arguments,
            shown,
            expected,
            has_open_layout: self.has_open_layout,
            why: "",
            kind: "",
            class,
            labels,
            length,
        };
        if !self.seen.insert(call.line()) {
            return None;
        }
        self.calls.push(call);
        self.calls.last_mut()
    }

    /// The calls, in the order in which they were added.
    pub(super) fn into_vec(self) -> Vec<Call> {
        self.calls
    }
}
