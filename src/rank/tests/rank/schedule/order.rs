//! The sequence does not depend on the order in which games end; and which games may start before
//! others have ended.

use super::*;

/// Any format that schedules its games, with a number of bots that it can be played with.
fn some_format() -> impl Strategy<Value = (Format, usize)> {
    let with_end: Vec<_> = FORMATS.iter().copied().filter(|kind| !kind.is_endless).collect();
    let numbers = (1..4_u32, 1..5_u32, 1..3_u32, 1..40_u32, 1..6_u32);
    (prop::sample::select(with_end), numbers, any::<prop::sample::Index>()).prop_map(
        |(kind, (games, rounds, pairs, max_pairs, ahead), index)| {
            let format = Format {
                kind,
                games,
                rounds,
                best_of: 2 * pairs,
                max_pairs,
                ahead,
                ..Format::default()
            };
            let bots = match format.kind.dependence {
                Dependence::Nothing => 2 + index.index(5),
                Dependence::Rounds => 2 + index.index(18),
                Dependence::Pairs => 2,
            };
            (Format { challengers: (bots as u32 / 2), ..format }, bots)
        },
    )
}

proptest! {
    #![proptest_config(crate::cases(4000))]

    #[test]
    fn workers_and_their_pace_change_nothing(
        (format, bots) in some_format(), workers in 2..12_usize, seed in any::<u64>(), order in any::<u64>(),
    ) {
        let one = play(format, &names(bots), seed, 1, 0);
        check_numbers(&one.games, &names(bots));
        let (total, played) = (format.total_games(bots), one.games.len() as u64);
        let fits = if format.ends_by_tests() {
            played <= total
        } else {
            // A knockout may have further pairs, and fewer games if nobody goes on.
            let ends = ["stays aborted", "both are out"];
            let is_short = one.notes.iter().any(|note| ends.iter().any(|end| note.contains(end)));
            total == played || format.kind.word == "knockout" && (total <= played || is_short)
        };
        prop_assert!(fits, "{} {}", total, played);
        let most = one.games.iter().map(|game| game.opening).max();
        prop_assert!(!format.kind.is_league() || most == Some(format.openings()));
        prop_assert_eq!(&one, &play(format, &names(bots), seed, workers, order));
    }

    #[test]
    fn a_test_runs_ahead_by_so_many_pairs(
        max_pairs in 1..30_u32, ahead in 1..6_u32, seed in any::<u64>(), patience in 1..30_usize,
    ) {
        let mut generator = Generator::from_state(seed);
        let mut schedule = Schedule::new(Format { max_pairs, ahead, ..named("sprt") }, &names(2)).unwrap();
        let (mut results, mut running, mut begun, mut settled) = (Results::default(), Vec::new(), 0, BTreeSet::new());
        loop {
            let whole = (1..=max_pairs.into()).take_while(|pair| {
                [2 * pair - 1, 2 * pair].iter().all(|number| settled.contains(number))
            }).count() as u64;
            match schedule.next(&results) {
                NextGame::Game(pairing) => {
                    begun = begun.max(pairing.pair.unwrap());
                    prop_assert!(begun <= whole + u64::from(ahead));
                    prop_assert_eq!((pairing.meeting, pairing.round, pairing.first), (0, 1, (pairing.number + 1) as usize % 2));
                    running.push(pairing);
                }
                NextGame::Wait => prop_assert_eq!(begun, whole + u64::from(ahead)),
                NextGame::Over => {
                    prop_assert_eq!(begun, u64::from(max_pairs));
                    break;
                }
            }
            if running.len() >= patience || begun >= whole + u64::from(ahead) {
                let ended: Pairing = running.swap_remove(generator.below(running.len() as u64) as usize);
                settled.insert(ended.number);
                results.settle(&ended, Some([1, 1]));
            }
        }
    }

    #[test]
    fn nothing_begins_after_the_close((format, bots) in some_format(), after in 0..10_u64) {
        let mut schedule = Schedule::new(format, &names(bots)).unwrap();
        let mut results = Results::default();
        for _ in 0..after {
            if let NextGame::Game(pairing) = schedule.next(&results) {
                results.settle(&pairing, None);
            }
        }
        results.close();
        prop_assert_eq!(schedule.next(&results), NextGame::Over);
    }
}

#[test]
fn results_are_counted_once_and_the_prefix_has_no_gap() {
    let mut schedule =
        Schedule::new(Format { games: 4, rounds: 1, ..named("round-robin") }, &names(2)).unwrap();
    let mut results = Results::default();
    let games: Vec<Pairing> = (0..4)
        .map(|_| match schedule.next(&results) {
            NextGame::Game(pairing) => pairing,
            other => panic!("{other:?}"),
        })
        .collect();
    results.settle(&games[2], Some([2, 0]));
    results.settle(&games[2], Some([0, 2]));
    results.settle(&games[1], None);
    assert_eq!((results.prefix(), results.points(0), results.points(1)), (0, 2, 0));
    results.settle(&games[0], Some([1, 1]));
    results.settle(&games[0], Some([1, 1]));
    assert_eq!((results.prefix(), results.points(0), results.points(1)), (3, 3, 1));
    assert_eq!((results.points(7), results.is_closed()), (0, false));
}
