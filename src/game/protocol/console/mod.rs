//! The dialect `console`: a program that talks to a person (docs/reference/console.md).
//!
//! Owns the [`Table`], which says what such a program prints and what it is sent, with its
//! [`Template`]s and [`Pattern`]s. A table is written in a `bot.toml`, or in a file of the
//! organiser; `config` reads it.
//!
//! For each game a table's patterns are compiled with the [`Values`] of the game. `conversation` is
//! the state machine that searches what came (`heard`) for them, and sends what a prompt asks for;
//! `groups` reads a ply out of a match, in the forms of `squares`.
//!
//! ```
//! use arbiter_game::protocol::console::{Pattern, Template};
//! assert!(Template::parse("{n} {side:B=b,W=r}").is_ok());
//! let unknown = Template::parse("{size}").unwrap_err();
//! assert!(unknown.starts_with("unknown value `{size}`; the values are "));
//! assert!(Pattern::parse(r"Player {first:X|O} plays: (?<COL>[A-Z])(?<y>\d{1,2})").is_ok());
//! ```

mod conversation;
mod game;
mod groups;
mod heard;
mod squares;
mod table;
mod template;
mod values;
mod wording;

pub use squares::Form;
pub use table::{Entry, Listen, Table};
pub use template::{Pattern, Place, Template};
pub use values::{Cells, Context, Values};

use super::Conversation;
use std::sync::Arc;

/// A conversation with a program by its table.
pub fn conversation(table: &Arc<Table>) -> Box<dyn Conversation> {
    Box::new(conversation::Console::new(Arc::clone(table)))
}

#[cfg(test)]
mod tests;
