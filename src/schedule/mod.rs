//! Which games are to be played: pairings as a lazy sequence with stable ids (tournaments.md, Games, pairs, ids).
//!
//! Owns the formats of tournaments, a file each. Knows nothing of bots, rules, files or time: a bot is a number, the place
//! of its name in the configuration, and all it learns of a game is who scored what. The sequence is made while it is
//! asked for, in memory that does not grow with the number of games; the same results always give the same sequence,
//! in whatever order games end.
//!
//! ```
//! use arbiter::schedule::{Format, Next, Results, Schedule};
//! let names = ["randy", "conny", "greta"].map(String::from);
//! let mut schedule = Schedule::new(Format::Swiss { games: 2, rounds: 2 }, &names)?;
//! let mut results = Results::default();
//! let mut played = Vec::new();
//! while let Next::Game(pairing) = schedule.next(&results) {
//!     results.settle(&pairing, Some([1, 1])); // a draw, half a point each; at once, so there is never a `Next::Wait`
//!     played.push((pairing.id, pairing.first));
//! }
//! assert_eq!(played[0], ("conny~randy.1".into(), 0));
//! assert_eq!(played[1], ("conny~randy.2".into(), 1)); // sides exchanged, the same opening
//! assert_eq!(schedule.byes()[0].bot, 2); // three bots: one pauses, and gets the two points
//! # Ok::<(), arbiter::schedule::ScheduleError>(())
//! ```

mod error;
mod gauntlet;
mod knockout;
pub mod matching;
mod note;
mod results;
mod round_robin;
mod sprt;
mod stretch;
mod swiss;
mod total;

pub use error::ScheduleError;
pub use knockout::{Decided, Decision};
pub use note::{Bye, Note};
pub use results::Results;

use gauntlet::Gauntlet;
use knockout::Knockout;
use round_robin::RoundRobin;
use sprt::Sprt;
use stretch::Stretch;
use swiss::Swiss;

/// One game that is to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// `A~B.N`: the names in byte order and the number of the game between them in this tournament.
    pub id: String,
    /// The place of the game in the schedule, from 0.
    pub index: u64,
    /// Which pairing of the schedule it belongs to, from 0.
    pub meeting: u64,
    /// From 1.
    pub round: u32,
    /// Which game of its pairing it is, from 1.
    pub game: u64,
    /// The number of the game between the two bots, from 1, over all rounds and rematches.
    pub number: u64,
    /// The bot that has the first side: its place in the configuration, from 0.
    pub first: usize,
    /// The other bot.
    pub second: usize,
    /// The number of the pair between the two bots that it belongs to, from 1; none for a single game.
    pub pair: Option<u64>,
    /// Which opening: the number of this pair or single game between the two bots, from 1. Games of a pair share it.
    pub opening: u64,
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// This game can begin.
    Game(Pairing),
    /// Results of running games are needed first.
    Wait,
    /// No further game begins.
    Over,
}

/// How bots are paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Everybody against everybody.
    RoundRobin {
        /// Of a pairing.
        games: u32,
        /// Each of them has all pairings.
        rounds: u32,
    },
    /// The first bots against all others.
    Gauntlet {
        /// How many they are.
        challengers: usize,
        /// Of a pairing.
        games: u32,
        /// Each of them has all pairings.
        rounds: u32,
    },
    /// Bots with equal points meet, and nobody twice.
    Swiss {
        /// Of a pairing.
        games: u32,
        /// In each of them a bot has one pairing.
        rounds: u32,
    },
    /// Who loses a meeting is out.
    Knockout {
        /// Regular games of a meeting; even, and all of them are played.
        best_of: u32,
    },
    /// The first bot is tested against the second.
    Sprt {
        /// Without a verdict the test ends after so many.
        max_pairs: u32,
        /// So many pairs may have begun beyond the finished ones that follow each other without a gap.
        ahead: u32,
    },
}

/// The sequence of all games of a tournament.
#[derive(Debug, Clone)]
pub struct Schedule {
    names: Vec<String>,
    state: State,
    /// Games of one pairing that come next.
    stretch: Option<Stretch>,
    /// The index of the next game.
    index: u64,
}

#[derive(Debug, Clone)]
enum State {
    RoundRobin(RoundRobin),
    Gauntlet(Gauntlet),
    Swiss(Swiss),
    Knockout(Knockout),
    Sprt(Sprt),
}

/// What a format has to say when the games of its last stretch are handed out.
#[derive(Debug)]
enum Step {
    Play(Stretch),
    Wait,
    Over,
}

impl From<Option<Stretch>> for Step {
    fn from(stretch: Option<Stretch>) -> Step {
        stretch.map_or(Step::Over, Step::Play)
    }
}

impl Schedule {
    /// A tournament of bots with these names, in the order of the configuration.
    pub fn new(format: Format, names: &[String]) -> Result<Schedule, ScheduleError> {
        error::check(format, names)?;
        let bots = names.len();
        let state = match format {
            Format::RoundRobin { games, rounds } => State::RoundRobin(RoundRobin::new(bots, games, rounds)),
            Format::Gauntlet { challengers, games, rounds } => {
                State::Gauntlet(Gauntlet::new(bots, challengers, games, rounds))
            }
            Format::Swiss { games, rounds } => State::Swiss(Swiss::new(bots, games, rounds)),
            Format::Knockout { best_of } => State::Knockout(Knockout::new(bots, best_of)),
            Format::Sprt { max_pairs, ahead } => State::Sprt(Sprt::new(max_pairs, ahead)),
        };
        Ok(Schedule { names: names.to_vec(), state, stretch: None, index: 0 })
    }

    /// The next game, if one can begin. After [`Next::Wait`] it is worth asking again when `results` have changed.
    ///
    /// `results` are those of the games that this schedule has given, and of no others.
    pub fn next(&mut self, results: &Results) -> Next {
        if results.is_closed() {
            return Next::Over;
        }
        loop {
            let stretch = self.stretch.as_mut();
            if let Some(pairing) = stretch.and_then(|stretch| stretch.next(self.index, &self.names)) {
                self.index += 1;
                return Next::Game(pairing);
            }
            let step = match &mut self.state {
                State::RoundRobin(round_robin) => round_robin.next().into(),
                State::Gauntlet(gauntlet) => gauntlet.next().into(),
                State::Swiss(swiss) => swiss.next(results),
                State::Knockout(knockout) => knockout.next(results),
                State::Sprt(sprt) => sprt.next(results),
            };
            match step {
                Step::Play(stretch) => self.stretch = Some(stretch),
                Step::Wait => return Next::Wait,
                Step::Over => return Next::Over,
            }
        }
    }

    /// Who had no opponent in the rounds that have begun. In Swiss a bye gives all points of a pairing; in a knockout
    /// the top seeds begin with round 2.
    #[must_use]
    pub fn byes(&self) -> &[Bye] {
        match &self.state {
            State::Swiss(swiss) => &swiss.byes,
            State::Knockout(knockout) => &knockout.byes,
            State::RoundRobin(_) | State::Gauntlet(_) | State::Sprt(_) => &[],
        }
    }

    /// What the user should know of this schedule; more may come with each round.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        match &self.state {
            State::Swiss(swiss) => &swiss.notes,
            State::RoundRobin(_) | State::Gauntlet(_) | State::Knockout(_) | State::Sprt(_) => &[],
        }
    }

    /// The meetings of a knockout that are decided, in the order in which they were. Those of a round are known when
    /// [`Schedule::next`] has been asked after it.
    #[must_use]
    pub fn decided(&self) -> &[Decided] {
        match &self.state {
            State::Knockout(knockout) => &knockout.decided,
            State::RoundRobin(_) | State::Gauntlet(_) | State::Swiss(_) | State::Sprt(_) => &[],
        }
    }

    /// Who has won a knockout; known when [`Schedule::next`] has said that it is over.
    #[must_use]
    pub fn winner(&self) -> Option<usize> {
        match &self.state {
            State::Knockout(knockout) => knockout.winner(),
            State::RoundRobin(_) | State::Gauntlet(_) | State::Swiss(_) | State::Sprt(_) => None,
        }
    }
}
