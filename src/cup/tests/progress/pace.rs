//! The speed of workers and the times of interruptions do not change a result.

use super::*;

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn workers_and_their_pace_change_nothing(
        cup in some_cup(),
        workers in 2..12_usize,
        pace in any::<u64>(),
    ) {
        let alone = cup.alone();
        let mut run = Run::new(&cup, workers, pace);
        prop_assert!(run.play(u64::MAX));
        let together = run.told();
        prop_assert!(together.settled.is_sorted_by_key(|settled| settled.pairing.index));
        prop_assert!(together.complete);
        prop_assert_eq!(together, alone);
    }

    /// [`Run::play`] asserts that no attempt is played that the journal holds.
    #[test]
    fn an_interrupted_tournament_ends_the_same(
        cup in some_cup(),
        workers in 1..9_usize,
        pace in any::<u64>(),
        limits in prop::collection::vec(0..40_u64, 1..5),
    ) {
        let mut journal = Journal::new();
        for limit in limits {
            // Games that run at an interruption are not recorded.
            let mut run = Run::again(&cup, workers, pace ^ limit, journal);
            run.play(limit);
            journal = run.journal;
        }
        let mut run = Run::again(&cup, workers, pace, journal);
        prop_assert!(run.play(u64::MAX));
        let known = run.journal.clone();
        prop_assert_eq!(run.told(), cup.alone());
        // Another walk with all results plays nothing.
        let mut walk = Run::again(&cup, 1, pace, known.clone());
        prop_assert!(walk.play(0));
        prop_assert_eq!(walk.journal.len(), known.len());
        prop_assert_eq!(walk.told(), cup.alone());
    }
}

/// A progress keeps only games that are handed out: a tournament with more games than fit into
/// memory is no slower.
#[test]
fn the_longest_tournament_there_is_can_be_begun() {
    let format = Format { games: u32::MAX, rounds: u32::MAX, ..named("round-robin") };
    let names = ["a", "b", "c"].map(String::from);
    let mut progress = TournamentProgress::new(
        Schedule::new(format, &names).unwrap(),
        TournamentRules { tries: 3, ..TournamentRules::default() },
    );
    let (mut pace, mut running, mut settled) = (Generator::from_state(1), Vec::new(), 0_u64);
    let most = if plays_all() { 1_000_000 } else { 200_000 };
    while settled < most {
        match progress.next() {
            NextAttempt::Play(pairing, _) => running.push(pairing.index),
            other => panic!("{other:?}"),
        }
        if running.len() == 8 {
            let index = running.swap_remove(pace.below(8) as usize);
            let drawn = pace.below(50);
            progress.ended(
                index,
                if drawn == 0 { AttemptResult::Aborted } else { AttemptResult::Scored([1, 1]) },
            );
        }
        for game in progress.counted() {
            assert_eq!(game.pairing.index, settled);
            settled += 1;
        }
    }
    assert!(!progress.is_complete());
}
