//! Round-robin and gauntlet: the schedule does not depend on results.

use super::*;

fn some_format() -> impl Strategy<Value = (Format, usize)> {
    (2..9_usize, 1..7_u32, 1..5_u32, any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(bots, games, rounds, index, everybody)| {
            let challengers = index.index(bots - 1) as u32 + 1;
            let gauntlet = Format { challengers, games, rounds, ..named("gauntlet") };
            (
                if everybody { Format { games, rounds, ..named("round-robin") } } else { gauntlet },
                bots,
            )
        },
    )
}

fn all(format: Format, names: &[String]) -> Vec<Pairing> {
    all_of(format, Bots::joining(names))
}

fn all_of(format: Format, bots: Bots) -> Vec<Pairing> {
    let mut schedule = Schedule::of(format, bots).unwrap();
    let results = Results::default();
    std::iter::from_fn(|| match schedule.next(&results) {
        NextGame::Game(pairing) => Some(pairing),
        NextGame::Wait => panic!("nothing to wait for"),
        NextGame::Over => None,
    })
    .collect()
}

/// The properties of a game that must not depend on other bots.
fn seen_by_the_two(
    games: &[Pairing],
    names: &[String],
) -> BTreeSet<(String, String, Option<u64>, u64, u32)> {
    let seen = |game: &Pairing| {
        (game.id.clone(), names[game.first].clone(), game.pair, game.opening, game.round)
    };
    games.iter().map(seen).collect()
}

proptest! {
    #![proptest_config(crate::cases(3000))]

    #[test]
    fn everybody_meets_the_right_ones_the_right_number_of_times((format, bots) in some_format()) {
        let games = all(format, &names(bots));
        check_numbers(&games, &names(bots));
        let Format { games: of_pairing, rounds, .. } = format;
        let challengers = format.uses("schedule.challengers").then_some(format.challengers as usize);
        // In row order, the order of shares.
        let mut rows = Vec::new();
        for round in 1..=rounds {
            for low in 0..challengers.unwrap_or(bots) {
                for high in challengers.unwrap_or(low + 1)..bots {
                    rows.push((round, low, high));
                }
            }
        }
        let mut meetings: Vec<Vec<&Pairing>> = meetings(&games).into_values().collect();
        prop_assert_eq!(meetings.len(), rows.len());
        prop_assert!(meetings.is_sorted_by_key(|meeting| meeting[0].round));
        meetings.sort_by_key(|meeting| meeting[0].share_unit);
        let units: BTreeSet<u64> = games.iter().map(|game| game.share_unit).collect();
        prop_assert!(units.iter().copied().eq(0..units.len() as u64));
        let mut balance = BTreeMap::new();
        for (meeting, (round, low, high)) in meetings.iter().zip(rows) {
            prop_assert_eq!(meeting.len(), of_pairing as usize);
            for (at, game) in meeting.iter().enumerate() {
                prop_assert_eq!((game.round, game.game), (round, at as u64 + 1));
                let is_lower_first = (high - low) % 2 == 1; // their numbers are their places plus 1
                let sides =
                    if (game.number % 2 == 1) == is_lower_first { (low, high) } else { (high, low) };
                prop_assert_eq!((game.first, game.second), sides);
                *balance.entry((low, high)).or_insert(0_i32) += if game.first == low { 1 } else { -1 };
            }
        }
        for surplus in balance.into_values() {
            prop_assert_eq!(surplus.abs(), i32::from(of_pairing % 2 == 1 && rounds % 2 == 1));
        }
    }

    #[test]
    fn all_bots_take_turns((format, bots) in some_format()) {
        let games = all(Format { games: 1, ..format }, &names(bots));
        let leading = if format.uses("schedule.challengers") { format.challengers as usize } else { 0 };
        // With an odd number of bots one of them pauses in each circle.
        let allowed = if leading == 0 && bots % 2 == 1 { 2 } else { 1 };
        let mut played = vec![0_u32; bots];
        for game in &games {
            played[game.first] += 1;
            played[game.second] += 1;
            let (challengers, others) = played.split_at(leading);
            for group in [challengers, others] {
                let spread = group.iter().max().map_or(0, |most| most - group.iter().min().unwrap());
                prop_assert!(spread <= allowed, "{:?} in {:?}", played, format);
            }
        }
    }

    #[test]
    fn more_bots_only_add_games(
        (format, bots) in some_format(), places in prop::collection::vec(0..20_usize, 1..4), numbered in any::<bool>(),
    ) {
        let numbered = |names: &[String], numbers: Vec<u32>| {
            Bots::numbered(names.to_vec(), numbered.then_some(numbers))
        };
        let few = names(bots);
        let mut many = few.clone();
        let mut numbers: Vec<u32> = (1..).take(bots).collect();
        let first = format.leading(); // the challengers are to stay the same
        for (number, place) in places.into_iter().enumerate() {
            let place = first + place % (many.len() - first + 1);
            many.insert(place, format!("new{number}"));
            // The number that a bot had which is away stays free.
            numbers.insert(place, 2 + (bots + number) as u32);
        }
        let before = all_of(format, numbered(&few, (1..).take(bots).collect()));
        let after = all_of(format, numbered(&many, numbers));
        prop_assert!(seen_by_the_two(&after, &many).is_superset(&seen_by_the_two(&before, &few)));
    }
}

#[test]
fn a_round_is_that_of_bergers_tables() {
    let table = |bots| {
        let games = all(Format { games: 1, ..named("round-robin") }, &names(bots));
        let pairings =
            games.iter().map(|game| [game.first.min(game.second), game.first.max(game.second)]);
        pairings.map(|pairing| pairing.map(|bot| bot + 1)).collect::<Vec<_>>()
    };
    // FIDE Handbook, General rules and technical recommendations for tournaments, Annex 1: 5 or 6
    // players.
    let six = [
        [[1, 6], [2, 5], [3, 4]],
        [[4, 6], [3, 5], [1, 2]],
        [[2, 6], [1, 3], [4, 5]],
        [[5, 6], [1, 4], [2, 3]],
        [[3, 6], [2, 4], [1, 5]],
    ];
    assert_eq!(table(6), six.concat());
    let five: Vec<[usize; 2]> = six.concat().into_iter().filter(|[_, high]| *high < 6).collect();
    assert_eq!(table(5), five);
}

#[test]
fn with_one_game_a_pairing_all_bots_have_both_sides_about_equally_often() {
    for bots in 2..30 {
        let games = all(Format { games: 1, ..named("round-robin") }, &names(bots));
        for bot in 0..bots {
            let first = games.iter().filter(|game| game.first == bot).count();
            let second = games.iter().filter(|game| game.second == bot).count();
            assert_eq!(first + second, bots - 1);
            assert!(first.abs_diff(second) <= 1, "bot {bot} of {bots}: {first} and {second}");
        }
    }
}

#[test]
fn the_sequence_is_made_while_it_is_asked_for() {
    let (games, rounds, most) = (u32::MAX, u32::MAX, u32::MAX);
    let asked = if crate::plays_all() { 1_000_000 } else { 100_000 };
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
        for index in 0..asked {
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
    let games =
        all(Format { games: 3, rounds: 2, ..named("round-robin") }, &["x", "Y"].map(String::from));
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
