//! One game of a situation, as data.

use super::moments::Moment;
use arbiter_game::Settings;
use arbiter_game::protocol::Variation;
use arbiter_rules::Side;

/// How many plies of a game the bot is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// About so many; then its opponent gives up.
    Plies(usize),
    /// As many as the game has.
    Whole,
}

/// Who makes the output of a Python program go out at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Buffering {
    /// arbiter, by `PYTHONUNBUFFERED`.
    Off,
    /// The program has to.
    Own,
}

/// One game of a bot, against an opponent that plays at random.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// The settings of the game.
    pub settings: Settings,
    /// The side of the bot.
    pub side: Side,
    /// Where it begins, and plies that the opponent plays as long as the bot does. The bot itself
    /// is asked after the first `takes_over` of them.
    pub moment: Moment,
    /// How many of these plies are played without asking the bot.
    pub takes_over: usize,
    /// How long it is.
    pub length: Length,
    /// The seed of the opponent's plies, and of the lines `id` and `seed` of the bot.
    pub seed: u64,
    /// In what the conversation differs from a usual one.
    pub variation: Variation,
    /// Who flushes the bot's output.
    pub buffering: Buffering,
}

impl Scenario {
    /// The same from a moment on.
    pub fn starting_at(self, moment: Moment) -> Scenario {
        Scenario { takes_over: moment.plies.len(), moment, ..self }
    }

    /// The number of the ply at which the opponent gives up, or the first of its plies after that.
    pub fn last_ply(&self) -> usize {
        let Length::Plies(own) = self.length else { return usize::MAX };
        self.moment.plies.len() + 2 * own + usize::from(self.moment.side() != self.side)
    }
}
