//! The games of a league, a format in which no game depends on another: each round has the same
//! pairings.
//!
//! Within a round all bots take turns. So at any moment they have played nearly the same number of
//! games, and the table of a league that is still being played, or was cut off, compares like with
//! like.

use super::batch::GameBatch;
use super::format::{Format, FormatState, NextGames};
use super::results::Results;
use super::{Bots, Pairing};

/// The pairings of a round in which so many bots play.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairings {
    /// The number of boards of a round, including those that stay empty.
    pub boards: fn(&Format, usize) -> usize,
    /// The pairing on a board, the bot that is earlier in the configuration first; `None` if the
    /// board stays empty.
    pub on_board: fn(&Format, usize, usize) -> Option<[usize; 2]>,
    /// The number of a pairing in row order, from 0: all pairings of the first bot, then those of
    /// the second.
    pub row_number: fn(&Format, usize, [usize; 2]) -> usize,
}

#[derive(Debug)]
pub(super) struct League {
    format: Format,
    bots: Bots,
    pairings: Pairings,
    /// The next board, counted over all rounds.
    board: usize,
    /// The number of the next pairing.
    meeting: u64,
}

impl League {
    /// The state before the first game.
    pub fn begin(format: &Format, bots: &Bots, pairings: Pairings) -> Box<dyn FormatState> {
        Box::new(League { format: *format, bots: bots.clone(), pairings, board: 0, meeting: 0 })
    }
}

impl FormatState for League {
    fn next(&mut self, _: &Results, _: u64) -> NextGames {
        let Format { games, rounds, .. } = self.format;
        let bots = self.bots.count();
        let boards = (self.pairings.boards)(&self.format, bots);
        while self.board < boards * rounds as usize {
            let round = (self.board / boards) as u32 + 1;
            let pairing = (self.pairings.on_board)(&self.format, bots, self.board % boards);
            self.board += 1;
            if let Some(pairing) = pairing {
                self.meeting += 1;
                let batch =
                    GameBatch::alternating(self.meeting - 1, round, &self.bots, pairing, games);
                return NextGames::Play(vec![batch]);
            }
        }
        NextGames::Over
    }

    /// Shards were dealt pairs in row order before leagues were played in circles, and folders of
    /// such shards are continued and merged: so a pair stays in its shard.
    fn share_unit(&self, game: &Pairing, _: u64) -> u64 {
        let pairing = [game.first.min(game.second), game.first.max(game.second)];
        let bots = self.bots.count();
        let row_number = (self.pairings.row_number)(&self.format, bots, pairing) as u64;
        let pairings_of_round = Format { games: 1, rounds: 1, ..self.format }.total_games(bots);
        let meeting = u64::from(game.round - 1) * pairings_of_round + row_number;
        meeting * u64::from(self.format.games).div_ceil(2) + (game.game - 1) / 2
    }
}
