//! The games of a league, a format in which no game depends on another: each round has the same pairings.

use super::batch::GameBatch;
use super::format::{Format, FormatState, NextBatch};
use super::results::Results;

/// The pairing that follows this one in a round of so many bots, or the first one; none after the last. In each the
/// bot that is earlier in the configuration stands first.
pub(super) type FollowingPairing = fn(&Format, usize, Option<[usize; 2]>) -> Option<[usize; 2]>;

#[derive(Debug)]
pub(super) struct League {
    format: Format,
    bots: usize,
    following: FollowingPairing,
    /// Round and bots of the next pairing; none after the last.
    next: Option<(u32, [usize; 2])>,
    meeting: u64,
}

impl League {
    /// The state before the first game.
    pub(super) fn begin(format: &Format, bots: usize, following: FollowingPairing) -> Box<dyn FormatState> {
        let next = following(format, bots, None).map(|first| (1, first));
        Box::new(League { format: *format, bots, following, next, meeting: 0 })
    }
}

impl FormatState for League {
    fn next(&mut self, _: &Results) -> NextBatch {
        let Some((round, pairing)) = self.next else { return NextBatch::Over };
        let batch = GameBatch::alternating(self.meeting, round, pairing, self.format.games);
        self.meeting += 1;
        let following = |pairing| (self.following)(&self.format, self.bots, pairing);
        self.next = match following(Some(pairing)) {
            Some(pairing) => Some((round, pairing)),
            None if round < self.format.rounds => following(None).map(|first| (round + 1, first)),
            None => None,
        };
        NextBatch::Play(batch)
    }
}
