//! The games of a league, a format in which no game depends on another: each round has the same
//! pairings.
//!
//! Within a round all bots take turns. So at any moment they have played nearly the same number of
//! games, and the table of a league that is still being played, or was cut off, compares like with
//! like.

use super::batch::GameBatch;
use super::format::{Format, FormatState, NextBatch};
use super::results::Results;
use super::{Bots, Pairing};

/// The pairings of a round in which so many bots play.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairings {
    /// The number of boards of a round, including those that stay empty.
    pub(super) boards: fn(&Format, usize) -> usize,
    /// The pairing on a board, the bot that is earlier in the configuration first; `None` if the
    /// board stays empty.
    pub(super) on_board: fn(&Format, usize, usize) -> Option<[usize; 2]>,
    /// The number of a pairing in row order, from 0: all pairings of the first bot, then those of
    /// the second.
    pub(super) row_number: fn(&Format, usize, [usize; 2]) -> usize,
}

#[derive(Debug)]
pub(super) struct League {
    format: Format,
    bots: Bots,
    pairings: Pairings,
    round: u32,
    /// The board of the next pairing.
    board: usize,
    /// The number of the next pairing, and that of the first one of its round.
    meeting: u64,
    first_of_round: u64,
}

impl League {
    /// The state before the first game.
    pub(super) fn begin(format: &Format, bots: &Bots, pairings: Pairings) -> Box<dyn FormatState> {
        Box::new(League {
            format: *format,
            bots: bots.clone(),
            pairings,
            round: 1,
            board: 0,
            meeting: 0,
            first_of_round: 0,
        })
    }
}

impl FormatState for League {
    fn next(&mut self, _: &Results) -> NextBatch {
        loop {
            if self.board == (self.pairings.boards)(&self.format, self.bots.count()) {
                if self.round == self.format.rounds {
                    return NextBatch::Over;
                }
                self.round += 1;
                self.board = 0;
                self.first_of_round = self.meeting;
            }
            let pairing = (self.pairings.on_board)(&self.format, self.bots.count(), self.board);
            self.board += 1;
            if let Some(pairing) = pairing {
                let games = self.format.games;
                let batch =
                    GameBatch::alternating(self.meeting, self.round, &self.bots, pairing, games);
                self.meeting += 1;
                return NextBatch::Play(batch);
            }
        }
    }

    /// Shards were dealt pairs in row order before leagues were played in circles, and folders of
    /// such shards are continued and merged: so a pair stays in its shard.
    fn share_unit(&self, game: &Pairing, _: u64) -> u64 {
        let pairing = [game.first.min(game.second), game.first.max(game.second)];
        let row_number =
            (self.pairings.row_number)(&self.format, self.bots.count(), pairing) as u64;
        let units_of_pairing = u64::from(self.format.games).div_ceil(2);
        (self.first_of_round + row_number) * units_of_pairing + (game.game - 1) / 2
    }
}
