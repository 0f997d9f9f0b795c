//! The events of a game, as one stream of owned values.
//!
//! A game's log, the live board and the transcript are folds over this stream: each takes the
//! events one by one and keeps what it needs.

use super::Outcome;
use arbiter_rules::{BySide, Ply, Position, Side};
use std::sync::Arc;
use std::time::Duration;

/// The most bytes of an `info` line or of an offending reply that a log keeps, before escaping
/// (docs/reference/gamelog.md, Comments).
pub const NOTE_BYTES: usize = 500;

/// Something that happened in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A game begins: its players are asked to get ready.
    Began {
        /// The number of the game in its match or tournament, from 1.
        number: u64,
        /// The names of the players.
        players: BySide<String>,
        /// The position that the game begins from.
        start: Position,
    },
    /// A player is ready.
    Ready { side: Side },
    /// A line to or from a player. A line that a player writes between two games belongs to
    /// neither.
    Line {
        /// The player's name.
        player: Arc<str>,
        /// The stream that it was on.
        channel: Channel,
        /// The line without its newline; any bytes.
        line: Vec<u8>,
        /// For an unrecognised line that is nearly an answer: what the player's author must write
        /// instead.
        correction: Option<String>,
    },
    /// A side was asked for a ply.
    Asked {
        side: Side,
        /// The number of the ply, from 1.
        number: usize,
        /// How much time the ply may use, increment included; `None` without a clock.
        budget: Option<Duration>,
    },
    /// A program was stopped, so that a debugger can attach to it.
    Held {
        /// The player's name.
        player: String,
        /// The process id of its program.
        pid: u32,
    },
    /// A ply was played.
    Played {
        /// The side that played it.
        side: Side,
        /// The number of the ply, from 1.
        number: usize,
        /// The ply, with its note for the log.
        played: Played,
    },
    /// An answer was no legal ply, and the side is asked again.
    Refused {
        side: Side,
        /// Why the answer is no legal ply.
        reason: String,
    },
    /// The game is over.
    Ended {
        /// How it ended.
        outcome: Outcome,
        /// After a forfeit or an abort: what happened, in a sentence.
        detail: Option<String>,
        /// After a forfeit: the offending reply.
        reply: Option<Note>,
    },
}

/// Receives the events of games while they are played, for a screen or a transcript.
pub trait Watcher: Send + Sync {
    /// Whether lines of this channel are wanted; others are not sent.
    fn wants(&self, channel: Channel) -> bool;

    /// Receives an event. It must return soon, because it is called between two plies or while a
    /// player's clock runs.
    fn event(&self, event: Event);
}

/// The stream of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// To the player.
    Request,
    /// From the player's standard output, a line of the protocol.
    Reply,
    /// From the player's standard output, a line that the protocol does not allow here.
    Unrecognised,
    /// From the player's standard error.
    Stderr,
    /// From an adapter to the bot behind it.
    Sent,
    /// From the bot behind an adapter.
    Said,
}

impl Channel {
    /// The mark before its lines in transcripts: `>` for a line to the bot, `<` for one from it,
    /// `?` for an unrecognised one, `!` for one on its standard error; `>>` and `<<` behind an
    /// adapter.
    pub fn mark(self) -> &'static str {
        match self {
            Channel::Request => ">",
            Channel::Reply => "<",
            Channel::Unrecognised => "?",
            Channel::Stderr => "!",
            Channel::Sent => ">>",
            Channel::Said => "<<",
        }
    }
}

/// A ply as it was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    pub ply: Ply,
    /// Its note for the log; `None` for a forced pass.
    pub note: Option<Note>,
}

/// The comment after a ply, or the last comment of a forfeit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Note {
    /// Wall time that the ply used, to the microsecond.
    pub wall: Option<Duration>,
    /// Processor time that it used, to the microsecond, if it is known; a log has it only with wall
    /// time.
    pub cpu: Option<Duration>,
    /// The bot's last `info` for that ply without the word, or the reply that lost; any bytes, at
    /// most [`NOTE_BYTES`].
    pub text: Vec<u8>,
}
