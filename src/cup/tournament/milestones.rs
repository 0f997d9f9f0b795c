//! The milestones of bots: which of several steps each has passed, in their order
//! (src/rank/definitions.md, Definition 20).
//!
//! A fold over finished games, which may come in any order: the pairs of two bots count in the
//! order of their numbers, up to the first that is missing. So milestones depend neither on which
//! game ended first nor on other bots.
//!
//! ```
//! use arbiter_rank::rating::StepRule;
//! use arbiter_rank::schedule::{Format, NextGame, Results, Schedule};
//! use arbiter_cup::tournament::{AttemptResult, StepStatus, Milestones};
//! let names = ["low", "high", "conny"].map(String::from);
//! let mut schedule = Schedule::new(Format { games: 12, ..Format::default() }, &names)?;
//! let mut milestones = Milestones::new(vec![0, 1], StepRule { score: 0.5, wrong: 0.05 });
//! while let NextGame::Game(game) = schedule.next(&Results::default()) {
//!     // conny wins all games, and loses those against the second step.
//!     let won_by_first = if game.first == 2 { game.second == 0 } else { game.first == 1 };
//!     milestones.add(&game, AttemptResult::Scored(if won_by_first { [2, 0] } else { [0, 2] }));
//! }
//! assert_eq!(milestones.of(2), [StepStatus::Passed, StepStatus::NotPassed]);
//! assert_eq!(milestones.place(2), None);
//! # Ok::<(), arbiter_rank::schedule::ScheduleError>(())
//! ```

use super::attempt_result::AttemptResult;
use arbiter_rank::rating::{StepRule, StepTest, StepVerdict};
use arbiter_rank::schedule::{Pairing, StepPlace};
use arbiter_rules::text::words;
use std::collections::BTreeMap;

words! {
    /// What is known of a bot at a step.
    #[must_use]
    StepStatus {
        /// It has passed this step and all below.
        Passed = "passed",
        /// It has passed all steps below, and not this one.
        NotPassed = "not passed",
        /// It has passed all steps below, and this one is open.
        Undecided = "undecided",
        /// It has not passed a step below, or not yet, so nothing is said of this one.
        NotReached = "not reached",
    }
}

/// The milestones of all bots of a tournament but the steps. Bots are numbers, their places in the
/// roster.
#[derive(Debug, Clone, PartialEq)]
pub struct Milestones {
    rule: StepRule,
    steps: Vec<usize>,
    /// By bot and step.
    meetings: BTreeMap<[usize; 2], Meeting>,
}

/// The games of a bot with a step.
#[derive(Debug, Clone, PartialEq)]
struct Meeting {
    test: StepTest,
    /// The number of pairs that are counted, with those that are left out of the test.
    counted: u64,
    /// Those of them that are left out because the step lost a game by forfeit.
    left_out: u64,
    /// The finished games of pairs that are not counted yet, by the pair's number.
    waiting: BTreeMap<u64, Vec<MeasuringGame>>,
}

/// What a game says of the bot that it measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MeasuringGame {
    /// Its half points.
    Points(u32),
    /// The step lost by forfeit: it crashed, say, which says nothing of the bot.
    StepForfeited,
    Aborted,
}

impl MeasuringGame {
    /// What a game says of the first of its sides, or of the second.
    fn of(is_first: bool, ended: AttemptResult) -> MeasuringGame {
        let Some([first, second]) = ended.half_points() else { return MeasuringGame::Aborted };
        let [own, of_step] = if is_first { [first, second] } else { [second, first] };
        // The step also gets no points if neither bot started.
        if matches!(ended, AttemptResult::Forfeited(_)) && of_step == 0 {
            return MeasuringGame::StepForfeited;
        }
        MeasuringGame::Points(own)
    }
}

impl Milestones {
    /// Without games: the steps, the weakest first, and what each asks.
    pub fn new(steps: Vec<usize>, rule: StepRule) -> Milestones {
        Milestones { rule, steps, meetings: BTreeMap::new() }
    }

    /// What each step asks.
    pub fn rule(&self) -> StepRule {
        self.rule
    }

    /// The steps, the weakest first.
    pub fn steps(&self) -> &[usize] {
        &self.steps
    }

    /// The bot that this game measures; `None` if both of its bots are steps, or neither.
    pub fn measured(&self, game: &Pairing) -> Option<usize> {
        match (self.steps.contains(&game.first), self.steps.contains(&game.second)) {
            (true, false) => Some(game.second),
            (false, true) => Some(game.first),
            (true, true) | (false, false) => None,
        }
    }

    /// Adds a game that has ended for good. A pair with an aborted game, or one that the step lost
    /// by forfeit, is left out.
    pub fn add(&mut self, game: &Pairing, ended: AttemptResult) {
        let (Some(bot), Some(pair)) = (self.measured(game), game.pair) else { return };
        let is_first = game.first == bot;
        let step = if is_first { game.second } else { game.first };
        let meeting = self.meetings.entry([bot, step]).or_insert_with(|| Meeting {
            test: StepTest::new(self.rule),
            counted: 0,
            left_out: 0,
            waiting: BTreeMap::new(),
        });
        meeting.waiting.entry(pair).or_default().push(MeasuringGame::of(is_first, ended));
        // Pairs are counted in the order of their numbers, each when both games have ended.
        while let Some(&[one, other]) =
            meeting.waiting.get(&(meeting.counted + 1)).map(Vec::as_slice)
        {
            meeting.counted += 1;
            meeting.waiting.remove(&meeting.counted);
            match (one, other) {
                (MeasuringGame::Points(one), MeasuringGame::Points(other)) => {
                    meeting.test.add((one + other) as usize);
                }
                (MeasuringGame::StepForfeited, _) | (_, MeasuringGame::StepForfeited) => {
                    meeting.left_out += 1;
                }
                _ => {}
            }
        }
    }

    /// The test of a bot against a step; `None` before the first game.
    pub fn test(&self, bot: usize, step: usize) -> Option<&StepTest> {
        self.meetings.get(&[bot, step]).map(|meeting| &meeting.test)
    }

    /// The number of pairs of a bot with a step that are left out because the step lost a game by
    /// forfeit.
    pub fn left_out(&self, bot: usize, step: usize) -> u64 {
        self.meetings.get(&[bot, step]).map_or(0, |meeting| meeting.left_out)
    }

    /// How many more pairs with a step lead to a verdict, if their scores and those that are left
    /// out have the shares of the pairs so far; `None` as for [`StepTest::forecast`].
    pub fn forecast(&self, bot: usize, step: usize) -> Option<u64> {
        let Meeting { test, counted, .. } = self.meetings.get(&[bot, step])?;
        Some((test.forecast()? * counted).div_ceil(test.pairs()))
    }

    /// What is known of a bot at each step, the weakest first.
    pub fn of(&self, bot: usize) -> Vec<StepStatus> {
        let mut statuses = vec![StepStatus::NotReached; self.steps.len()];
        for (status, &step) in statuses.iter_mut().zip(&self.steps) {
            *status = match self.test(bot, step).and_then(StepTest::verdict) {
                Some(StepVerdict::Passed) => StepStatus::Passed,
                Some(StepVerdict::NotPassed) => StepStatus::NotPassed,
                None => StepStatus::Undecided,
            };
            if *status != StepStatus::Passed {
                break; // its games against the steps above do not matter
            }
        }
        statuses
    }

    /// Maximum number of games that a bot may still play, with this many against each step.
    ///
    /// ```
    /// use arbiter_rank::rating::StepRule;
    /// use arbiter_cup::tournament::Milestones;
    /// let milestones = Milestones::new(vec![0, 1], StepRule { score: 0.5, wrong: 0.05 });
    /// assert_eq!(milestones.most_games(2, 200), 400);
    /// ```
    pub fn most_games(&self, bot: usize, of_step: u64) -> u64 {
        let Some(place) = self.place(bot) else { return 0 };
        let steps = self.steps.iter().skip_while(|step| **step != place.step);
        (steps.count() as u64 * of_step).saturating_sub(2 * place.pairs)
    }

    /// The step at which a bot needs further games, and the number of pairs that are counted there;
    /// `None` if all steps are decided.
    pub fn place(&self, bot: usize) -> Option<StepPlace> {
        let at = self.of(bot).iter().position(|status| *status == StepStatus::Undecided)?;
        let step = self.steps[at];
        let pairs = self.meetings.get(&[bot, step]).map_or(0, |meeting| meeting.counted);
        Some(StepPlace { step, pairs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rank::schedule::{Format, NextGame, Results, Schedule};
    use proptest::prelude::*;

    impl Milestones {
        /// Of four bots 3 and 1 are the steps. Bot 0 passes the first and is open at the second,
        /// bot 2 does not pass the first.
        pub(crate) fn example() -> Milestones {
            let mut milestones = Milestones::new(vec![3, 1], StepRule { score: 0.5, wrong: 0.05 });
            for (game, ended) in games() {
                milestones.add(&game, ended);
            }
            milestones
        }
    }

    /// Games with their ends.
    fn games() -> Vec<(Pairing, AttemptResult)> {
        let format = Format { games: 12, ..Format::default() };
        let mut schedule = Schedule::new(format, &["a", "b", "c", "d"].map(String::from)).unwrap();
        let mut games = Vec::new();
        while let NextGame::Game(game) = schedule.next(&Results::default()) {
            let wins_of =
                |bot| AttemptResult::Scored(if game.first == bot { [2, 0] } else { [0, 2] });
            let ended = match [game.first.min(game.second), game.first.max(game.second)] {
                [0, 1] if game.number > 4 => continue,
                [0, 1] if game.number == 4 => AttemptResult::Scored([1, 1]),
                [0, _] => wins_of(0),
                [2, 3] => wins_of(3),
                _ => AttemptResult::Aborted,
            };
            games.push((game, ended));
        }
        games
    }

    proptest! {
        #[test]
        fn games_may_come_in_any_order(games in Just(games()).prop_shuffle()) {
            let mut milestones = Milestones::new(vec![3, 1], StepRule { score: 0.5, wrong: 0.05 });
            for (game, ended) in &games {
                milestones.add(game, *ended);
            }
            prop_assert_eq!(milestones, Milestones::example());
        }

        #[test]
        fn pairs_after_a_missing_game_do_not_count(missing in 0..12_usize) {
            let mut milestones = Milestones::new(vec![3, 1], StepRule { score: 0.5, wrong: 0.05 });
            let mut of_two = games();
            of_two.retain(|(game, _)| [[0, 3], [3, 0]].contains(&[game.first, game.second]));
            of_two.remove(missing);
            for (game, ended) in &of_two {
                milestones.add(game, *ended);
            }
            let place = StepPlace { step: 3, pairs: missing as u64 / 2 };
            prop_assert_eq!(milestones.place(0), Some(place));
            prop_assert_eq!(milestones.of(0), [StepStatus::Undecided, StepStatus::NotReached]);
        }
    }

    #[test]
    fn a_pair_with_an_aborted_game_is_left_out() {
        let mut milestones = Milestones::new(vec![3, 1], StepRule { score: 0.5, wrong: 0.05 });
        let all = games();
        for (at, (game, ended)) in all.iter().enumerate() {
            milestones.add(game, if at % 4 == 0 { AttemptResult::Aborted } else { *ended });
        }
        let test = milestones.test(0, 3).unwrap();
        assert_eq!((test.pairs(), milestones.place(0)), (3, Some(StepPlace { step: 3, pairs: 6 })));
        assert_eq!(milestones.left_out(0, 3), 0);
        let counted = test.forecast().expect("all pairs that count are won");
        assert_eq!(milestones.forecast(0, 3), Some(2 * counted), "half of the pairs count");
    }

    #[test]
    fn a_pair_in_which_the_step_forfeits_is_left_out_and_one_in_which_the_bot_does_counts() {
        let mut milestones = Milestones::new(vec![3, 1], StepRule { score: 0.5, wrong: 0.05 });
        for (game, ended) in games() {
            let ended = match ended {
                AttemptResult::Scored(points) if game.number != 1 => {
                    AttemptResult::Forfeited(points)
                }
                ended => ended,
            };
            milestones.add(&game, ended);
        }
        // Bot 0 won all its games with step 3, and bot 2 lost them.
        let of = |bot| (milestones.test(bot, 3).unwrap().pairs(), milestones.left_out(bot, 3));
        assert_eq!((of(0), of(2)), ((0, 6), (6, 0)));
        assert_eq!(
            (milestones.of(0)[0], milestones.of(2)[0]),
            (StepStatus::Undecided, StepStatus::NotPassed)
        );
        assert_eq!(milestones.place(0), Some(StepPlace { step: 3, pairs: 6 }));
    }
}
