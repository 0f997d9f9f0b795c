//! The game that is shown.

use crate::game::Channel;
use crate::replay::Timeline;
use crate::report::anonymizer::Public;
use crate::rules::Side;

/// A line that a bot wrote besides its answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenLine {
    /// The bot's side.
    pub side: Side,
    /// The number of the ply that it had last been asked for; 0 before the first.
    pub ply: usize,
    /// [`Channel::Stderr`] or [`Channel::Unrecognised`].
    pub channel: Channel,
    /// The line, printable.
    pub text: String,
}

/// A game as it was read.
#[derive(Debug)]
pub struct OpenedGame {
    /// Its index in the list.
    pub index: usize,
    /// Its plies; none if nothing of it can be read.
    pub timeline: Option<Public<Timeline>>,
    /// What is wrong with the log or with the files of the bots: sentences.
    pub troubles: Vec<String>,
    /// What the bots wrote.
    pub written: Vec<WrittenLine>,
}
