//! Laws of the pairs of a league, whatever happens in it.

use arbiter_rank::league::{AskError, League, NEWCOMER_GAMES, NextPair, Tally, Why};
use arbiter_rules::seed::Generator;
use proptest::prelude::*;
use std::collections::BTreeMap;

const WINS: Tally = Tally { wins: 2, draws: 0, losses: 0 };

/// A league with all that its journal would have.
#[derive(Default)]
struct Journal {
    league: League,
    /// The games of earlier versions of each bot in the league.
    bots: BTreeMap<usize, u64>,
    running: Vec<(u64, [usize; 2])>,
    /// The results of present versions.
    results: Vec<(u64, [usize; 2], Tally)>,
    /// All pairs ever.
    begun: Vec<(u64, [usize; 2])>,
}

impl Journal {
    fn of(bots: usize) -> Journal {
        let mut journal = Journal::default();
        for bot in 0..bots {
            journal.join(bot);
        }
        journal
    }

    fn join(&mut self, bot: usize) {
        let mut before = self.bots.get(&bot).copied().unwrap_or_default();
        before += self.league.games(bot);
        self.leave(bot);
        self.league.join(bot, before);
        self.bots.insert(bot, before);
    }

    fn leave(&mut self, bot: usize) {
        self.league.leave(bot);
        self.bots.remove(&bot);
        self.results.retain(|(_, pair, _)| !pair.contains(&bot));
        // Pairs of the version before end, and do not count.
        for (number, bots) in self.running.extract_if(.., |(_, pair)| pair.contains(&bot)) {
            self.league.add(number, bots, WINS);
        }
    }

    fn begin(&mut self) -> Option<NextPair> {
        let next = self.league.next_pair()?;
        self.league.begin(next.number, [next.one, next.other]);
        self.running.push((next.number, [next.one, next.other]));
        self.begun.push((next.number, [next.one, next.other]));
        Some(next)
    }

    /// Ends a pair. The bot with the lower number is a bit stronger.
    fn end(&mut self, at: usize) {
        let (number, [one, other]) = self.running.remove(at);
        let mut lot = Generator::new(&[&number, &one, &other]);
        let mut tally = Tally::default();
        for _ in 0..2 {
            match lot.below(8) {
                0 => tally.draws += 1,
                1..=4 if one < other => tally.wins += 1,
                1..=2 => tally.wins += 1,
                _ => tally.losses += 1,
            }
        }
        self.league.add(number, [one, other], tally);
        self.results.push((number, [one, other], tally));
    }

    fn play(&mut self, pairs: usize) {
        for _ in 0..pairs {
            self.begin().unwrap();
            self.end(0);
        }
    }

    /// The league that continues from the journal; its lines come in an order that depends on this
    /// number.
    fn again(&self, order: u64) -> League {
        let mut lot = Generator::from_state(order);
        let mut league = League::new();
        for (&bot, &before) in &self.bots {
            league.join(bot, before);
        }
        let mut results = self.results.clone();
        while !results.is_empty() {
            let (number, bots, tally) =
                results.swap_remove(lot.below(results.len() as u64) as usize);
            league.add(number, bots, tally);
        }
        for &(number, bots) in self.running.iter().rev() {
            league.begin(number, bots);
        }
        for &(number, bots) in self.begun.iter().rev() {
            league.played(number, bots);
        }
        league
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn pairs_are_of_two_bots_in_the_league_and_follow_from_the_journal(
        events in prop::collection::vec((0..10_u8, 0..7_usize), 1..120),
        order in any::<u64>(),
    ) {
        let mut journal = Journal::default();
        for (event, bot) in events {
            match event {
                0 => journal.leave(bot),
                1 | 2 => journal.join(bot),
                3..6 if !journal.running.is_empty() => journal.end(bot % journal.running.len()),
                _ => {
                    let mut again = journal.again(order);
                    prop_assert_eq!(again.next_pair(), journal.league.next_pair());
                    let Some(next) = journal.begin() else {
                        prop_assert!(journal.bots.len() < 2);
                        continue;
                    };
                    prop_assert_ne!(next.one, next.other);
                    prop_assert!(journal.bots.contains_key(&next.one));
                    prop_assert!(journal.bots.contains_key(&next.other));
                }
            }
        }
    }
}

#[test]
fn a_newcomer_is_paired_at_once_and_then_gets_its_games() {
    let mut journal = Journal::of(10);
    journal.play(400);
    journal.join(10);
    let Some(first) = journal.begin() else { panic!("there are bots") };
    assert_eq!((first.one, first.why), (10, Why::Newcomer { games: 0, of: NEWCOMER_GAMES }));
    // One pair at a time: the next opponent depends on how it goes.
    let other = journal.begin().unwrap();
    assert!(other.one != 10 && other.other != 10);
    journal.end(1);
    journal.end(0);
    for games in (2..NEWCOMER_GAMES).step_by(2) {
        let next = journal.begin().unwrap();
        assert_eq!((next.one, next.why), (10, Why::Newcomer { games, of: NEWCOMER_GAMES }));
        journal.end(0);
    }
    assert!(!matches!(journal.begin().unwrap().why, Why::Newcomer { .. }));
}

#[test]
fn among_newcomers_the_one_that_has_played_least_in_all_is_first() {
    let mut league = League::new();
    league.join(0, 500);
    league.join(1, 0);
    league.join(2, 40);
    assert_eq!(league.next_pair().unwrap().one, 1);
}

#[test]
fn no_bot_waits_for_long_while_another_one_is_uploaded_again_and_again() {
    const BOTS: usize = 9;
    let mut journal = Journal::of(BOTS);
    // The last one loses every game: it is known to be the weakest, and says nothing of others.
    let mut last = [0; BOTS];
    for _ in 0..600 {
        let next = journal.begin().unwrap();
        for bot in [next.one, next.other] {
            last[bot] = next.number;
        }
        let (number, bots) = journal.running.remove(0);
        let mut tally = Tally { wins: 1, draws: 0, losses: 1 };
        if bots[0] == BOTS - 1 {
            tally = Tally { wins: 0, draws: 0, losses: 2 };
        } else if bots[1] == BOTS - 1 {
            tally = WINS;
        }
        journal.league.add(number, bots, tally);
        if number % 3 == 0 {
            journal.league.join(0, number);
        }
        let waited = last.map(|last| number - last);
        assert!(waited.iter().all(|&waited| waited <= 6 * BOTS as u64), "{number}: {waited:?}");
    }
}

#[test]
fn a_bot_with_a_pair_under_way_is_left_out_while_two_others_are_there() {
    let mut journal = Journal::of(9);
    journal.play(200);
    let mut met = Vec::new();
    for _ in 0..4 {
        let next = journal.begin().unwrap();
        met.extend([next.one, next.other]);
    }
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len(), 8);
    assert!(journal.begin().is_some()); // there are more boards than bots for them
}

#[test]
fn a_pair_of_an_earlier_version_does_not_count() {
    let mut league = League::new();
    league.join(3, 0);
    league.join(7, 0);
    league.begin(1, [3, 7]);
    league.join(7, 0);
    league.add(1, [3, 7], WINS);
    assert_eq!(league.games(3), 0);
    // It is no longer under way: else neither bot would be paired as a newcomer.
    let next = league.next_pair().unwrap();
    assert_eq!((next.one, next.why), (3, Why::Newcomer { games: 0, of: NEWCOMER_GAMES }));
    league.begin(2, [7, 3]);
    league.add(2, [7, 3], Tally::default()); // aborted
    league.add(3, [7, 3], WINS);
    assert_eq!(league.games(3), 2);
    league.leave(3);
    assert_eq!((league.games(7), league.next_pair()), (0, None));
}

#[test]
fn close_bots_play_until_they_are_told_apart() {
    let mut league = League::new();
    for bot in 0..3 {
        league.join(bot, 0);
    }
    // The third one loses everything; the others are equal.
    for number in 0..12 {
        league.add(3 * number + 1, [0, 1], Tally { wins: 1, draws: 0, losses: 1 });
        league.add(3 * number + 2, [0, 2], WINS);
        league.add(3 * number + 3, [1, 2], WINS);
    }
    let next = league.next_pair().unwrap();
    assert_eq!((next.one, next.other, next.why), (0, 1, Why::Undecided { ranks: [1, 2] }));
    assert_eq!(next.why.to_string(), "ranks 1 and 2 are not told apart");
}

#[test]
fn pairs_that_are_asked_for_come_first_and_one_of_a_bot_waits_at_a_time() {
    let mut league = League::new();
    for bot in 0..4 {
        league.join(bot, 0);
    }
    assert_eq!(league.ask(2, 3), Ok(0));
    assert_eq!(league.ask(3, 2), Ok(1), "the other author's own pair");
    assert_eq!(league.ask(2, 0), Err(AskError::StillWaits));
    assert_eq!(league.ask(0, 0), Err(AskError::Itself));
    assert_eq!(league.ask(0, 9), Err(AskError::NoOpponent));
    assert_eq!(league.ask(9, 0), Err(AskError::DoesNotPlay));
    assert_eq!((league.asked_by(2), league.asked_by(0)), (Some(3), None));
    let next = league.next_pair().unwrap();
    assert_eq!((next.one, next.other, next.why), (2, 3, Why::AskedFor));
    league.begin(next.number, [next.one, next.other]);
    // A new version plays in the place of the one before; who leaves plays no more.
    assert_eq!(league.ask(2, 1), Ok(1));
    league.join(2, 0);
    assert_eq!((league.asked_by(2), league.asked_by(3)), (Some(1), Some(2)));
    league.leave(1);
    assert_eq!((league.asked_by(2), league.asked_by(3)), (None, Some(2)));
    let last = league.next_pair().unwrap();
    assert_eq!((last.one, last.other), (3, 2));
    league.begin(last.number, [last.one, last.other]);
    assert_ne!(league.next_pair().unwrap().why, Why::AskedFor);
}
