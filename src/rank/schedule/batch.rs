//! Consecutive games of one pairing in the schedule; formats hand out games in such batches.

use super::{Bots, Pairing};
use arbiter_game::game_id::game_id;

/// Games `played + 1` to `end` of a pairing.
#[derive(Debug, Clone)]
pub(super) struct GameBatch {
    /// The number of the pairing in the schedule, from 0.
    pub meeting: u64,
    /// The round, from 1.
    pub round: u32,
    /// The bots; the first one has the first side in odd games of the pairing.
    pub bots: [usize; 2],
    /// The number of earlier pairings of the two bots, and the games of each.
    pub earlier: [u32; 2],
    pub played: u64,
    pub end: u64,
}

impl GameBatch {
    /// All games of a pairing with sides alternating over all rounds. They do not depend on the
    /// other bots.
    pub fn alternating(
        meeting: u64,
        round: u32,
        bots: &Bots,
        pairing: [usize; 2],
        games: u32,
    ) -> GameBatch {
        let earlier = [round - 1, games];
        let mut bots = bots.by_sides(pairing);
        if earlier.iter().all(|number| number % 2 == 1) {
            bots.reverse(); // two bots had an odd number of games before
        }
        GameBatch { meeting, round, bots, earlier, played: 0, end: games.into() }
    }

    /// The next game, if there is one; `index` is its index in the schedule.
    pub fn next(&mut self, index: u64, names: &[String]) -> Option<Pairing> {
        if self.played == self.end {
            return None;
        }
        self.played += 1;
        let game = self.played;
        let [pairings, games] = self.earlier.map(u64::from);
        let [odd, even] = self.bots;
        let (first, second) = if game % 2 == 1 { (odd, even) } else { (even, odd) };
        let number = pairings * games + game;
        let pair = game.div_ceil(2);
        // The last game of an odd number has no partner.
        let is_in_pair = game < self.end || game.is_multiple_of(2);
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
            pair: is_in_pair.then_some(pairings * (games / 2) + pair),
            opening: pairings * games.div_ceil(2) + pair,
        })
    }
}
