//! Aborted games, forfeits, and records with gaps.

use super::*;

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn an_aborted_game_is_played_again_three_times_in_all(
        cup in some_table(), workers in 1..9_usize, pace in any::<u64>(),
    ) {
        let cup = Cup { rules: TournamentRules { stop_after_forfeits: 0, ..cup.rules }, ..cup };
        let mut run = Run::new(&cup, workers, pace);
        prop_assert!(run.play(u64::MAX));
        let mut played = BTreeSet::new();
        for settled in &run.settled {
            let id = &settled.pairing.id;
            let mut counts = 1;
            while counts < 3 && cup.result(id, counts) == AttemptResult::Aborted {
                counts += 1;
            }
            prop_assert_eq!((settled.attempt, settled.ended), (counts, cup.result(id, counts)));
            played.extend((1..=counts).map(|attempt| (id.clone(), attempt)));
        }
        prop_assert_eq!(run.journal.into_keys().collect::<BTreeSet<_>>(), played);
    }

    #[test]
    fn a_tournament_of_aborted_games_alone_ends(
        cup in some_cup(),
        workers in 1..9_usize,
        tries in 0..4_u32,
    ) {
        let cup = Cup { aborted: 10, rules: TournamentRules { tries, ..cup.rules }, ..cup };
        let mut run = Run::new(&cup, workers, 1);
        prop_assert!(run.play(u64::MAX));
        prop_assert!(run.progress.is_complete());
        let attempts = tries.max(1);
        prop_assert_eq!(run.journal.len(), run.settled.len() * attempts as usize);
        for settled in &run.settled {
            prop_assert_eq!((settled.attempt, settled.ended), (attempts, AttemptResult::Aborted));
        }
        if let Some(trial) = run.progress.trial() {
            prop_assert_eq!((trial.counts(), trial.verdict()), (&[0; 5], None));
        }
        prop_assert!(cup.bots == 1 || !run.settled.is_empty());
    }

    /// The counted games are those without the rule, up to the game with that forfeit.
    #[test]
    fn the_first_bot_with_so_many_forfeits_in_schedule_order_stops_it(
        cup in some_cup(), workers in 1..9_usize, pace in any::<u64>(), stop in 1..6_u32,
    ) {
        let with = |stop_after_forfeits| {
            let rules = TournamentRules { stop_after_forfeits, ..cup.rules.clone() };
            let cup = Cup { rules, ..cup.clone() };
            let mut run = Run::new(&cup, workers, pace);
            assert!(run.play(u64::MAX));
            run.told()
        };
        let (stopped, full) = (with(stop), with(0));
        prop_assert_eq!(full.stopped_by, None);
        let (mut forfeits, mut expected) = (BTreeMap::new(), None);
        let mut counted = full.settled.clone();
        for (at, settled) in full.settled.iter().enumerate() {
            let bot = match settled.ended {
                AttemptResult::Forfeited([0, 2]) => settled.pairing.first,
                AttemptResult::Forfeited([2, 0]) => settled.pairing.second,
                _ => continue,
            };
            let count = forfeits.entry(bot).or_insert(0);
            *count += 1;
            if *count == stop {
                expected = Some(bot);
                counted.truncate(at + 1);
                break;
            }
        }
        prop_assert_eq!(stopped.stopped_by, expected);
        prop_assert_eq!(stopped.settled, counted);
        prop_assert!(stopped.complete && full.complete);
    }

    /// A walk through a journal with missing games, as for the tables of a running or merged
    /// tournament.
    #[test]
    fn with_gaps_what_is_recorded_counts(
        cup in some_cup(), workers in 1..9_usize, pace in any::<u64>(), missing in 0..10_u64,
    ) {
        let cup = Cup { rules: TournamentRules { stop_after_forfeits: 0, ..cup.rules }, ..cup };
        let mut run = Run::new(&cup, workers, pace);
        prop_assert!(run.play(u64::MAX));
        let (journal, full) = (run.journal.clone(), run.told());
        let mut lot = Generator::from_state(pace);
        let kept: Journal = journal.into_iter().filter(|_| lot.below(20) >= missing).collect();
        let mut progress = cup.progress();
        let (mut settled, mut gap, mut asked) = (Vec::new(), None, BTreeSet::new());
        while let NextAttempt::Play(pairing, attempt) = progress.next() {
            asked.insert(pairing.id.clone());
            match kept.get(&(pairing.id, attempt)) {
                Some(&ended) => progress.ended(pairing.index, ended),
                None => {
                    gap = gap.or(Some(pairing.index));
                    progress.left_out(pairing.index);
                }
            }
            settled.extend(progress.counted());
        }
        prop_assert_eq!(progress.is_complete(), gap.is_none());
        let is_whole = |game: &&CountedGame| {
            (1..=game.attempt).all(|attempt| kept.contains_key(&(game.pairing.id.clone(), attempt)))
        };
        let pair = |game: &CountedGame| game.pairing.index / 2;
        let first = full.settled.chunk_by(|one, other| pair(one) == pair(other)).find(|games| {
            !games.iter().all(|game| is_whole(&game))
        });
        let expected: Vec<CountedGame> = match (cup.format.kind.dependence, first) {
            // A test counts only the unbroken prefix.
            (Dependence::Pairs, Some(first)) => {
                let before = full.settled.iter().take_while(|game| pair(game) < pair(&first[0]));
                before.cloned().collect()
            }
            (Dependence::Pairs, None) => full.settled.clone(),
            // Later rounds are those that can be paired: none after the gap where results decide
            // about them.
            _ => {
                let paired = full.settled.iter().filter(|game| asked.contains(&game.pairing.id));
                paired.filter(is_whole).cloned().collect()
            }
        };
        prop_assert_eq!(&settled, &expected);
        match cup.format.kind.dependence {
            Dependence::Nothing => {
                prop_assert_eq!(
                    asked.len(),
                    full.settled.len(),
                    "a gap hides nothing that comes after it"
                );
            }
            Dependence::Rounds => {
                let round = |index: u64| full.settled[index as usize].pairing.round;
                let last = full.settled.iter().rev().find(|game| asked.contains(&game.pairing.id));
                if let Some(gap) = gap {
                    let last = last.unwrap().pairing.round;
                    prop_assert_eq!(last, round(gap), "the next round is not paired");
                }
            }
            Dependence::Pairs => {
                let PairTests::Sprt(mut trial) = cup.rules.tests.clone() else { panic!("a test") };
                sprt::fold(&mut trial, &expected);
                prop_assert_eq!(progress.trial(), Some(&trial));
            }
        }
    }
}

/// The result of a missing game is not known, so no later game can be said to come after the end.
#[test]
fn forfeits_after_a_gap_stop_nothing() {
    let schedule = || {
        Schedule::new(Format { games: 4, ..Format::default() }, &["a", "b"].map(String::from))
            .unwrap()
    };
    let rules = TournamentRules { tries: 3, stop_after_forfeits: 1, tests: PairTests::None };
    for missing in [0, 2] {
        let mut progress = TournamentProgress::new(schedule(), rules.clone());
        while let NextAttempt::Play(pairing, _) = progress.next() {
            match pairing.index {
                1 => progress.ended(1, AttemptResult::Forfeited([0, 2])),
                index if index == missing => progress.left_out(index),
                index => progress.ended(index, AttemptResult::Scored([1, 1])),
            }
        }
        let counted: Vec<u64> = progress.counted().map(|settled| settled.pairing.index).collect();
        // The bot that is named second has the first side in the second game.
        let expected =
            if missing == 0 { (vec![1, 2, 3], None, false) } else { (vec![0, 1], Some(1), true) };
        assert_eq!((counted, progress.stopped_by(), progress.is_complete()), expected);
    }
}
