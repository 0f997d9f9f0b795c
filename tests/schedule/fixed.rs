//! Round-robin and gauntlet: the schedule does not depend on results.

use super::*;

fn some_format() -> impl Strategy<Value = (Format, usize)> {
    (2..9_usize, 1..7_u32, 1..5_u32, any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(bots, games, rounds, index, everybody)| {
            let challengers = index.index(bots - 1) as u32 + 1;
            let gauntlet = Format { challengers, games, rounds, ..named("gauntlet") };
            (if everybody { Format { games, rounds, ..named("round-robin") } } else { gauntlet }, bots)
        },
    )
}

fn all(format: Format, names: &[String]) -> Vec<Pairing> {
    let mut schedule = Schedule::new(format, names).unwrap();
    let results = Results::default();
    std::iter::from_fn(|| match schedule.next(&results) {
        NextGame::Game(pairing) => Some(pairing),
        NextGame::Wait => panic!("nothing to wait for"),
        NextGame::Over => None,
    })
    .collect()
}

/// The properties of a game that must not depend on other bots.
fn seen_by_the_two(games: &[Pairing], names: &[String]) -> BTreeSet<(String, String, Option<u64>, u64, u32)> {
    let seen =
        |game: &Pairing| (game.id.clone(), names[game.first].clone(), game.pair, game.opening, game.round);
    games.iter().map(seen).collect()
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn everybody_meets_the_right_ones_the_right_number_of_times((format, bots) in some_format()) {
        let games = all(format, &names(bots));
        check_numbers(&games, &names(bots));
        let Format { games: of_pairing, rounds, .. } = format;
        let challengers = format.uses("schedule.challengers").then_some(format.challengers as usize);
        let mut expected = Vec::new(); // in the order of the schedule
        for round in 1..=rounds {
            for low in 0..challengers.unwrap_or(bots) {
                for high in challengers.unwrap_or(low + 1)..bots {
                    expected.push((round, low, high));
                }
            }
        }
        let meetings = meetings(&games);
        prop_assert_eq!(meetings.len(), expected.len());
        let mut balance = BTreeMap::new();
        for (games, (round, low, high)) in meetings.values().zip(expected) {
            prop_assert_eq!(games.len(), of_pairing as usize);
            for (at, game) in games.iter().enumerate() {
                prop_assert_eq!((game.round, game.game), (round, at as u64 + 1));
                let sides = if game.number % 2 == 1 { (low, high) } else { (high, low) };
                prop_assert_eq!((game.first, game.second), sides);
                *balance.entry((low, high)).or_insert(0_i32) += if game.first == low { 1 } else { -1 };
            }
        }
        for balance in balance.into_values() {
            prop_assert_eq!(balance, i32::from(of_pairing % 2 == 1 && rounds % 2 == 1));
        }
    }

    #[test]
    fn more_bots_only_add_games((format, bots) in some_format(), places in prop::collection::vec(0..20_usize, 1..4)) {
        let few = names(bots);
        let mut many = few.clone();
        let first = format.leading(); // the challengers are to stay the same
        for (number, place) in places.into_iter().enumerate() {
            many.insert(first + place % (many.len() - first + 1), format!("new{number}"));
        }
        let (before, after) = (all(format, &few), all(format, &many));
        prop_assert!(seen_by_the_two(&after, &many).is_superset(&seen_by_the_two(&before, &few)));
    }
}

#[test]
fn the_sequence_is_made_while_it_is_asked_for() {
    let (games, rounds, most) = (u32::MAX, u32::MAX, u32::MAX);
    let formats = [
        (Format { games, rounds, ..named("round-robin") }, 1000),
        (Format { games: 1, rounds, ..named("round-robin") }, 3),
        (Format { challengers: 3, games, rounds, ..named("gauntlet") }, 1000),
        (Format { games, rounds, ..named("swiss") }, 21),
        (Format { best_of: most - 1, ..named("knockout") }, 21),
        (Format { max_pairs: most, ahead: 2, ..named("sprt") }, 2),
    ];
    for (format, bots) in formats {
        let mut schedule = Schedule::new(format, &names(bots)).unwrap();
        let mut results = Results::default();
        for index in 0..1_000_000 {
            let NextGame::Game(pairing) = schedule.next(&results) else {
                panic!("{format:?} ended at {index}")
            };
            assert_eq!(pairing.index, index);
            results.settle(&pairing, Some([2, 0]));
        }
    }
}

#[test]
fn the_two_games_of_a_pair_and_a_single_one() {
    let games = all(Format { games: 3, rounds: 2, ..named("round-robin") }, &["x", "Y"].map(String::from));
    let told: Vec<_> =
        games.iter().map(|game| (game.id.as_str(), game.first, game.pair, game.opening)).collect();
    assert_eq!(
        told,
        [
            ("Y~x.1", 0, Some(1), 1),
            ("Y~x.2", 1, Some(1), 1),
            ("Y~x.3", 0, None, 2),
            ("Y~x.4", 1, Some(2), 3),
            ("Y~x.5", 0, Some(2), 3),
            ("Y~x.6", 1, None, 4),
        ]
    );
}
