//! Consecutive games of one pairing in the schedule; formats hand out games in such batches.

use super::{Bots, Pairing};
use crate::game_id::game_id;

/// Numbers of games, pairs and openings that two bots had in earlier pairings of the tournament.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PreviousGames {
    games: u64,
    pairs: u64,
    openings: u64,
}

impl PreviousGames {
    /// Those of `count` pairings of `games` games each.
    pub(super) fn pairings(count: u32, games: u32) -> PreviousGames {
        let count = u64::from(count);
        let games = u64::from(games);
        PreviousGames {
            games: count * games,
            pairs: count * (games / 2),
            openings: count * games.div_ceil(2),
        }
    }
}

/// Games `played + 1` to `end` of a pairing.
#[derive(Debug, Clone)]
pub(super) struct GameBatch {
    /// The number of the pairing in the schedule, from 0.
    pub(super) meeting: u64,
    /// The round, from 1.
    pub(super) round: u32,
    /// The bots; the first one has the first side in odd games of the pairing.
    pub(super) bots: [usize; 2],
    pub(super) previous: PreviousGames,
    pub(super) played: u64,
    pub(super) end: u64,
}

impl GameBatch {
    /// All games of a pairing with sides alternating over all rounds. They do not depend on the
    /// other bots.
    pub(super) fn alternating(
        meeting: u64,
        round: u32,
        bots: &Bots,
        pairing: [usize; 2],
        games: u32,
    ) -> GameBatch {
        let previous = PreviousGames::pairings(round - 1, games);
        let mut bots = bots.by_sides(pairing);
        if previous.games % 2 == 1 {
            bots.reverse();
        }
        GameBatch { meeting, round, bots, previous, played: 0, end: u64::from(games) }
    }

    /// The next game, if there is one; `index` is its index in the schedule.
    pub(super) fn next(&mut self, index: u64, names: &[String]) -> Option<Pairing> {
        if self.played == self.end {
            return None;
        }
        self.played += 1;
        let (game, PreviousGames { games, pairs, openings }) = (self.played, self.previous);
        let [odd, even] = self.bots;
        let (first, second) = if game % 2 == 1 { (odd, even) } else { (even, odd) };
        let number = games + game;
        Some(Pairing {
            id: game_id(&names[odd], &names[even], number),
            index,
            share_unit: 0, // the schedule sets it
            meeting: self.meeting,
            round: self.round,
            game,
            number,
            first,
            second,
            pair: (game < self.end || game % 2 == 0).then_some(pairs + game.div_ceil(2)),
            opening: openings + game.div_ceil(2),
        })
    }
}
