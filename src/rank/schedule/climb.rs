//! The games of a gauntlet that end by tests: each of the other bots meets one leading bot after
//! the other, and each until its test has a verdict. Its games depend on its own results alone.

use super::batch::GameBatch;
use super::format::{Format, FormatState, NextGames};
use super::results::{Results, StepPlace};
use super::{Bots, Pairing};

#[derive(Debug)]
pub(super) struct Climb {
    format: Format,
    bots: Bots,
    /// Of each of the other bots the leading bot that it meets, and the number of pairs with that
    /// one that have begun.
    begun: Vec<Option<StepPlace>>,
    /// The one of them whose turn it is.
    turn: usize,
    meeting: u64,
}

impl Climb {
    /// The state before the first game.
    pub fn begin(format: &Format, bots: &Bots) -> Box<dyn FormatState> {
        let begun = vec![None; bots.count() - format.challengers as usize];
        Box::new(Climb { format: *format, bots: bots.clone(), begun, turn: 0, meeting: 0 })
    }
}

impl FormatState for Climb {
    /// The bots take turns, so that few pairs are begun whose verdict falls meanwhile. Of a bot as
    /// few pairs may have begun beyond the counted ones as in a test.
    fn next(&mut self, results: &Results, _: u64) -> NextGames {
        let Format { games, challengers, ahead: most_ahead, .. } = self.format;
        let most = self.format.games_of_pairing() / 2;
        let others = self.begun.len();
        let mut waits = false;
        for at in (self.turn..others).chain(0..self.turn) {
            let bot = at + challengers as usize;
            let Some(StepPlace { step, pairs: counted }) = results.place(bot) else { continue };
            let before = match self.begun[at] {
                Some(begun) if begun.step == step => begun.pairs,
                _ => 0, // it has just reached this step
            };
            let ahead = before.saturating_sub(counted);
            if before == most || ahead >= most_ahead.into() {
                waits |= ahead > 0; // else all games of the bot with this step are played
                continue;
            }
            self.begun[at] = Some(StepPlace { step, pairs: before + 1 });
            self.turn = (at + 1) % others;
            self.meeting += 1;
            let pairs_of_round = u64::from(games) / 2;
            let round = (before / pairs_of_round) as u32 + 1;
            let played = 2 * (before % pairs_of_round);
            let all =
                GameBatch::alternating(self.meeting - 1, round, &self.bots, [step, bot], games);
            return NextGames::Play(vec![GameBatch { played, end: played + 2, ..all }]);
        }
        if waits { NextGames::Wait } else { NextGames::Over }
    }

    /// A shard has to know all results of a bot.
    fn share_unit(&self, game: &Pairing, _: u64) -> u64 {
        game.first.max(game.second) as u64 - u64::from(self.format.challengers)
    }
}
