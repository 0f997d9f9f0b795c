//! A test of two bots: its verdict is that of the pairs in the order of their numbers.

use super::*;

/// Counts pairs in the order of their numbers, without those of which no game counts.
pub(super) fn fold(trial: &mut Trial, settled: &[CountedGame]) {
    for games in settled.chunks_exact(2) {
        assert_eq!(
            (games[0].pairing.pair, games[0].pairing.game + 1),
            (games[1].pairing.pair, games[1].pairing.game)
        );
        let points = |game: &CountedGame| Some(game.ended.half_points()?[game.pairing.first]);
        if let (Some(one), Some(other)) = (points(&games[0]), points(&games[1])) {
            trial.add((one + other) as usize);
        }
    }
}

/// How the games of a pair end that has this number from 1, and at which attempt: both again when
/// one was aborted, unless the rules failed.
fn pair(cup: &Cup, number: u32) -> (u32, [AttemptResult; 2]) {
    let ends = |attempt| {
        [2 * number - 1, 2 * number].map(|game| cup.result(&format!("Z1~m0.{game}"), attempt))
    };
    let is_last = |&attempt: &u32| {
        let ends = ends(attempt);
        ends.contains(&AttemptResult::RulesFail) || !ends.contains(&AttemptResult::Aborted)
    };
    let attempt = (1..=3).find(is_last).unwrap_or(3);
    let is_void = ends(attempt).iter().any(|end| end.half_points().is_none());
    let void =
        |end: AttemptResult| if end.half_points().is_some() { AttemptResult::Aborted } else { end };
    (attempt, ends(attempt).map(|end| if is_void { void(end) } else { end }))
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn the_verdict_is_that_of_pairs_in_number_order(
        cup in some_test(),
        workers in 1..9_usize,
        pace in any::<u64>(),
    ) {
        let cup = Cup { rules: TournamentRules { stop_after_forfeits: 0, ..cup.rules }, ..cup };
        let max_pairs = cup.format.max_pairs;
        let PairTests::Sprt(test) = &cup.rules.tests else { panic!("a test") };
        let sprt = *test.sprt();
        let mut run = Run::new(&cup, workers, pace);
        prop_assert!(run.play(u64::MAX));
        let (mut counts, mut verdict, mut expected) = ([0; 5], None, Vec::new());
        for number in 1..=max_pairs {
            let (attempt, ends) = pair(&cup, number);
            expected.extend(ends.map(|ended| (attempt, ended)));
            // The tested bot has the first side in the first game of a pair.
            let half_points = ends.map(AttemptResult::half_points);
            if let [Some([one, _]), Some([_, other])] = half_points {
                counts[(one + other) as usize] += 1;
                verdict = sprt.verdict(sprt.llr(&counts));
            }
            if verdict.is_some() {
                break;
            }
        }
        let told = run.told();
        let settled: Vec<_> =
            told.settled.iter().map(|settled| (settled.attempt, settled.ended)).collect();
        prop_assert_eq!(settled, expected);
        let trial = told.trial.unwrap();
        prop_assert_eq!((trial.counts(), trial.verdict()), (&counts, verdict));
        let mut folded = Trial::new(sprt);
        fold(&mut folded, &told.settled);
        prop_assert_eq!(folded, trial);
    }

    #[test]
    fn so_many_pairs_are_out_beyond_the_unbroken_prefix(
        cup in some_test(),
        workers in 1..20_usize,
        pace in any::<u64>(),
    ) {
        let ahead = cup.format.ahead;
        let mut run = Run::new(&cup, workers, pace);
        let mut most = 0;
        while !run.play(1) {
            let unbroken = (1..).take_while(|&number| is_done(&cup, &run.journal, number));
            let prefix = unbroken.count() as u64;
            let out = run.games.values().filter_map(|(pairing, _)| pairing.pair).max().unwrap_or(0);
            most = most.max(out.saturating_sub(prefix));
            prop_assert!(out <= prefix + u64::from(ahead));
            // A pair with an aborted game waits for the other one, and then both are out again.
            for (pairing, attempt) in run.games.values() {
                for earlier in 1..*attempt {
                    let odd = (pairing.number - 1) | 1;
                    let ends = [odd, odd + 1]
                        .map(|game| run.journal.get(&(format!("Z1~m0.{game}"), earlier)).copied());
                    prop_assert!(ends.iter().all(Option::is_some));
                    prop_assert!(ends.contains(&Some(AttemptResult::Aborted)));
                }
            }
        }
        prop_assert!(most <= u64::from(ahead));
    }
}

/// Whether both games of a pair have ended at the attempt that counts.
fn is_done(cup: &Cup, journal: &Journal, number: u32) -> bool {
    let (attempt, _) = pair(cup, number);
    [2 * number - 1, 2 * number]
        .iter()
        .all(|game| journal.contains_key(&(format!("Z1~m0.{game}"), attempt)))
}
