//! Properties of random schedules: which bots are paired, how often, with which sides, and in which
//! order.

mod fixed;
mod knockout;
mod oracle;
mod order;
mod refusals;
mod swiss;

use arbiter_rank::schedule::{
    Bots, Bye, Decided, Dependence, FORMATS, Format, NextGame, Pairing, Ranking, Results, Schedule,
};
use arbiter_rules::seed::Generator;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn names(bots: usize) -> Vec<String> {
    // Not in byte order, so that ids and the configuration differ.
    (0..bots).map(|bot| format!("{}{bot}", ["m", "Z", "a"][bot % 3])).collect()
}

/// The format of this name.
fn named(word: &str) -> Format {
    Format::named(word).unwrap()
}

/// The score of a game as a function of the game alone. `seed % 3` = 0 is a mixture with aborted
/// games, 1 has draws only, with 2 the bot that is earlier in the configuration wins most games.
fn score(pairing: &Pairing, seed: u64) -> Option<[u32; 2]> {
    let drawn = Generator::new(&[&seed, &pairing.id]).below(20);
    let earlier_wins = if pairing.first < pairing.second { [2, 0] } else { [0, 2] };
    match (seed % 3, drawn) {
        (0, 0) => None,
        (1, _) | (0, 1..=7) | (2, 0..=3) => Some([1, 1]),
        (0, 8..=13) => Some([2, 0]),
        (2, 4..=16) => Some(earlier_wins),
        _ => Some([0, 2]),
    }
}

/// The whole output of a schedule.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    games: Vec<Pairing>,
    byes: Vec<Bye>,
    notes: Vec<String>,
    decided: Vec<Decided>,
    ranking: Ranking,
}

/// Plays a tournament with `workers` games at a time, which end in random order.
fn play(format: Format, names: &[String], seed: u64, workers: usize, order: u64) -> Told {
    let mut generator = Generator::from_state(order);
    let mut schedule = Schedule::new(format, names).unwrap();
    let (mut results, mut games, mut running) =
        (Results::default(), Vec::new(), Vec::<Pairing>::new());
    loop {
        let next = if running.len() < workers { Some(schedule.next(&results)) } else { None };
        match next {
            Some(NextGame::Game(pairing)) => {
                games.push(pairing.clone());
                running.push(pairing);
                continue;
            }
            Some(NextGame::Over) if running.is_empty() => break,
            Some(NextGame::Wait) => assert!(!running.is_empty(), "waits for nothing"),
            _ => {}
        }
        let ended = running.swap_remove(generator.below(running.len() as u64) as usize);
        results.settle(&ended, score(&ended, seed));
    }
    assert_eq!(results.prefix(), games.len() as u64);
    let (byes, notes) =
        (schedule.byes().to_vec(), schedule.notes(names).iter().map(ToString::to_string).collect());
    Told { games, byes, notes, decided: schedule.decided().to_vec(), ranking: schedule.ranking() }
}

/// Checks the properties of ids, indices, sides, pairs and openings that hold in every format.
fn check_numbers(games: &[Pairing], names: &[String]) {
    let ids: BTreeSet<&String> = games.iter().map(|game| &game.id).collect();
    assert_eq!(ids.len(), games.len(), "an id twice");
    let mut between: BTreeMap<[usize; 2], Vec<&Pairing>> = BTreeMap::new();
    for (index, game) in games.iter().enumerate() {
        assert_eq!(game.index, index as u64);
        assert_ne!(game.first, game.second);
        let (one, other) = (game.first.min(game.second), game.first.max(game.second));
        between.entry([one, other]).or_default().push(game);
    }
    for ([one, other], meetings) in between {
        let (low, high) =
            (names[one].as_str().min(&names[other]), names[one].as_str().max(&names[other]));
        let mut units: BTreeMap<u64, Vec<&Pairing>> = BTreeMap::new();
        for (at, game) in meetings.into_iter().enumerate() {
            assert_eq!(game.number, at as u64 + 1);
            assert_eq!(game.id, format!("{low}~{high}.{}", game.number));
            units.entry(game.opening).or_default().push(game);
        }
        assert!(units.keys().copied().eq(1..=units.len() as u64), "openings in order");
        let mut pairs = 0;
        for unit in units.values() {
            match unit[..] {
                [single] => assert_eq!(single.pair, None),
                [game, back] => {
                    pairs += 1;
                    assert_eq!((game.pair, back.pair), (Some(pairs), Some(pairs)));
                    assert_eq!((game.first, game.second), (back.second, back.first), "sides");
                    assert_eq!((game.meeting, game.round), (back.meeting, back.round));
                    assert_eq!(game.index + 1, back.index);
                }
                _ => panic!("{} games of an opening", unit.len()),
            }
        }
    }
}

/// The games of each pairing, in order.
fn meetings(games: &[Pairing]) -> BTreeMap<u64, Vec<&Pairing>> {
    let mut meetings: BTreeMap<u64, Vec<&Pairing>> = BTreeMap::new();
    for game in games {
        meetings.entry(game.meeting).or_default().push(game);
    }
    assert!(meetings.keys().copied().eq(0..meetings.len() as u64));
    meetings
}
