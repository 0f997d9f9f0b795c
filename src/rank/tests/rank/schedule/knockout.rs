//! The bracket, and how level pairings are decided.

use super::*;
use arbiter_rank::schedule::Decision;

/// The points of a pairing's bots, the one named first in front, from these games.
fn points(games: &[&Pairing], seed: u64) -> [u32; 2] {
    let named = games[0].first;
    games.iter().fold([0, 0], |[one, other], game| {
        let [first, second] = score(game, seed).unwrap_or_default();
        if game.first == named {
            [one + first, other + second]
        } else {
            [one + second, other + first]
        }
    })
}

proptest! {
    #![proptest_config(crate::cases(3000))]

    #[test]
    fn brackets_are_fair_and_decisions_right(bots in 2..40_usize, pairs in 1..4_u32, seed in any::<u32>()) {
        let seed = 3 * u64::from(seed) + 1 + u64::from(seed % 2); // without aborted games, which stop a knockout
        let best_of = 2 * pairs as usize;
        let told = play(Format { best_of: 2 * pairs, ..named("knockout") }, &names(bots), seed, 1, 0);
        let meetings = meetings(&told.games);
        let full = bots.next_power_of_two();
        // All but one are knocked out, each once; byes go to the top seeds.
        prop_assert_eq!(meetings.len(), bots - 1);
        prop_assert_eq!(told.decided.len(), bots - 1);
        prop_assert_eq!(&told.byes, &(0..full - bots).map(|bot| Bye { round: 1, bot, half_points: 0 }).collect::<Vec<_>>());
        let mut out: BTreeSet<usize> = BTreeSet::new();
        for decided in &told.decided {
            let games = &meetings[&decided.meeting];
            let (better, other) = (games[0].first, games[0].second);
            prop_assert!(better < other, "the better seed is named first");
            prop_assert_eq!([better, other], [decided.winner.min(decided.loser), decided.winner.max(decided.loser)]);
            prop_assert!(out.insert(decided.loser) && !out.contains(&decided.winner));
            prop_assert!(games.iter().all(|game| game.round == decided.round));
            // Seeds 1 and 2 are in different halves, the four best in different quarters, and so
            // on.
            let left = full >> (decided.round - 1); // as many as can play in this round
            prop_assert!(other >= left / 2);
            let lead = |first: &[&Pairing]| points(first, seed)[0].cmp(&points(first, seed)[1]);
            prop_assert!(games.len() >= best_of);
            let further = (games.len() - best_of) / 2;
            prop_assert!(further <= 3);
            for level in 0..further {
                prop_assert!(lead(&games[..best_of + 2 * level]).is_eq(), "a further pair though it was decided");
            }
            let expected = match (lead(games).is_eq(), further) {
                (true, 3) => Decision::Seed,
                (false, 0) => Decision::Games,
                (false, pair) => Decision::FurtherPair(pair as u32),
                (true, _) => panic!("level after {further} further pairs, but over"),
            };
            prop_assert_eq!(decided.decision, expected);
            prop_assert_eq!(decided.winner == better, lead(games).is_ge());
        }
        let Ranking::Knockout(places) = &told.ranking else { panic!("{:?}", told.ranking) };
        let first: Vec<usize> = (0..bots).filter(|&bot| places[bot] == 1).collect();
        prop_assert!(first.len() == 1 && !out.contains(&first[0]), "one bot is left, and is first");
        // Rounds do not overlap.
        prop_assert!(told.games.is_sorted_by_key(|game| game.round));
    }
}

#[test]
fn without_upsets_the_last_meetings_are_of_the_best() {
    for bots in 2..=64_usize {
        let mut schedule =
            Schedule::new(Format { best_of: 2, ..named("knockout") }, &names(bots)).unwrap();
        let mut results = Results::default();
        let mut games = Vec::new();
        while let NextGame::Game(pairing) = schedule.next(&results) {
            results.settle(
                &pairing,
                Some(if pairing.first < pairing.second { [2, 0] } else { [0, 2] }),
            );
            games.push(pairing);
        }
        let rounds = bots.next_power_of_two().ilog2();
        for game in games {
            let left = 1 << (rounds - game.round + 1); // bots in this round, if it were full
            assert_eq!(game.first + game.second, left - 1, "{bots} bots, round {}", game.round);
        }
        let Ranking::Knockout(places) = schedule.ranking() else { panic!() };
        assert_eq!(places.iter().position(|&place| place == 1), Some(0));
    }
}

#[test]
fn the_usual_bracket_of_eight() {
    let told = play(Format { best_of: 2, ..named("knockout") }, &names(8), 1, 1, 0); // draws only: the better seed wins
    let round_one: Vec<_> = meetings(&told.games)
        .values()
        .map(|games| (games[0].round, games[0].first, games[0].second))
        .collect();
    assert_eq!(
        round_one,
        [(1, 0, 7), (1, 3, 4), (1, 1, 6), (1, 2, 5), (2, 0, 3), (2, 1, 2), (3, 0, 1)]
    );
    assert!(told.decided.iter().all(|decided| decided.decision == Decision::Seed));
    assert_eq!(told.games.len(), 7 * (2 + 6));
    // The regular games of the round come first, then one further pair of each pairing in turn.
    let round_two: Vec<u64> = told
        .games
        .iter()
        .filter(|game| game.round == 2)
        .map(|game| game.meeting)
        .step_by(2)
        .collect();
    assert_eq!(round_two, [4, 5, 4, 5, 4, 5, 4, 5]);
}

/// Plays a knockout of four whose games of the best seed and the last end so; the others are won by
/// the better seed.
fn four(of_first_match: Option<[u32; 2]>) -> (Schedule, Vec<Pairing>) {
    let mut schedule =
        Schedule::new(Format { best_of: 2, ..named("knockout") }, &names(4)).unwrap();
    let (mut results, mut games) = (Results::default(), Vec::new());
    while let NextGame::Game(pairing) = schedule.next(&results) {
        let is_first_match =
            pairing.first + pairing.second == 3 && pairing.first * pairing.second == 0;
        let by_seed = if pairing.first < pairing.second { [2, 0] } else { [0, 2] };
        results.settle(&pairing, if is_first_match { of_first_match } else { Some(by_seed) });
        games.push(pairing);
    }
    (schedule, games)
}

#[test]
fn a_match_that_neither_starts_is_won_by_nobody() {
    let (schedule, games) = four(Some([0, 0]));
    assert_eq!(
        games.iter().map(|game| game.round).collect::<Vec<_>>(),
        [1; 4],
        "the other match decides all"
    );
    assert_eq!(schedule.byes(), [Bye { round: 2, bot: 1, half_points: 0 }]);
    assert_eq!(schedule.ranking(), Ranking::Knockout(vec![2, 1, 2, 2]));
    let notes: Vec<String> = schedule.notes(&names(4)).iter().map(ToString::to_string).collect();
    assert!(
        notes[0].contains("so both are out") && notes[1].contains("has won the knockout"),
        "{notes:?}"
    );
}

#[test]
fn an_aborted_game_stops_a_knockout() {
    let (schedule, games) = four(None);
    assert_eq!(
        games.iter().map(|game| game.round).collect::<Vec<_>>(),
        [1; 4],
        "no further pair, no next round"
    );
    assert_eq!(schedule.decided().len(), 1, "the other match of the round counts");
    let notes: Vec<String> = schedule.notes(&names(4)).iter().map(ToString::to_string).collect();
    assert!(notes.len() == 1 && notes[0].contains("nobody advances"), "{notes:?}");
}
