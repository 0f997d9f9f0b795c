//! The game that is shown.

use arbiter_cup::report::turning::sentence;
use arbiter_game::proof::Turning;
use arbiter_game::record::Record;
use arbiter_game::replay::Timeline;
use arbiter_game::{Channel, TimeSettings};
use arbiter_rules::Side;
use std::mem;

/// The most positions that are looked at to prove where a game was lost when it is opened: some
/// hundredths of a second.
pub const PROOF_NODES: u64 = 200_000;

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
    /// Its plies; `None` if nothing of it can be read.
    pub timeline: Option<Timeline>,
    /// What is wrong with the log or with the files of the bots: sentences.
    pub troubles: Vec<String>,
    /// What the bots wrote.
    pub written: Vec<WrittenLine>,
    /// Where it was lost; `None` if no side lost it by the rules.
    pub proved: Option<ProvedLoss>,
}

impl OpenedGame {
    /// Shows the proof in place of the game, or the game again; returns the number of plies before
    /// the proof, if there is one.
    pub(super) fn toggle_proof(&mut self) -> Option<usize> {
        let proved = self.proved.as_mut()?;
        mem::swap(self.timeline.as_mut()?, proved.hidden.as_mut()?);
        proved.is_shown = !proved.is_shown;
        Some(proved.number - 1)
    }

    /// Whether the proof is shown in place of the game.
    pub(super) fn shows_proof(&self) -> bool {
        self.proved.as_ref().is_some_and(|proved| proved.is_shown)
    }
}

/// What is proved of a game that was lost by the rules.
#[derive(Debug)]
pub struct ProvedLoss {
    /// The numbers of plies of the loser, each with a sentence.
    pub(super) plies: Vec<(usize, String)>,
    /// The ply with which the proof begins.
    pub(super) number: usize,
    /// The game with the proof, or the game while the proof is shown; `None` if the proof does not
    /// go to the end of the game.
    hidden: Option<Timeline>,
    is_shown: bool,
}

impl ProvedLoss {
    /// What a bounded search proves of a game that is played under these settings, if anything.
    pub fn of(record: &Record, time: &TimeSettings) -> Option<ProvedLoss> {
        let turning = Turning::of(record, PROOF_NODES).ok()?;
        let last = turning.claims.last()?;
        let mut plies = Vec::new();
        for claim in &turning.claims {
            plies.push((claim.number, sentence(claim, str::to_owned)));
        }
        Some(ProvedLoss {
            plies,
            number: last.number,
            hidden: last.proof_of(record).map(|proof| Timeline::new(proof, time)),
            is_shown: false,
        })
    }
}
