//! What the readers of both dialects have in common: a line becomes a command to the bot, and the
//! game that the lines describe is kept.

use super::game::GameInProgress;
use super::native::NativeReader;
use super::ugi::UgiReader;
use std::fmt;

/// Why a bot cannot follow the game; a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProtocolError(String);

impl ProtocolError {
    pub(super) fn new(what: impl fmt::Display) -> ProtocolError {
        ProtocolError(what.to_string())
    }
}

/// What the bot has to do about a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RefereeCommand {
    Nothing,
    /// A new game starts: forget the last one, and print this, if it is not empty.
    Start(String),
    /// Print this, newline included.
    Say(String),
    /// Answer with a ply.
    Go,
    /// Stop.
    Quit,
}

/// The conversation in one of the dialects that the bots speak.
#[derive(Debug, Clone)]
pub(super) enum Reader {
    Native(Box<NativeReader>),
    Ugi(UgiReader),
}

impl Reader {
    /// Reads a line, without its newline.
    pub(super) fn receive(&mut self, line: &str) -> Result<RefereeCommand, ProtocolError> {
        match self {
            Reader::Native(reader) => reader.receive(line),
            Reader::Ugi(reader) => reader.receive(line),
        }
    }

    /// The game, if it has a question that is not answered yet.
    pub(super) fn turn(&mut self) -> Option<&mut GameInProgress> {
        match self {
            Reader::Native(reader) => reader.turn(),
            Reader::Ugi(reader) => reader.turn(),
        }
    }
}

/// Parses a number of a line.
pub(super) fn number<N: std::str::FromStr>(line: &str, text: &str) -> Result<N, ProtocolError> {
    text.parse().map_err(|_| ProtocolError::new(format_args!("`{line}`: `{text}` is not a number")))
}
