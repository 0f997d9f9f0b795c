//! Milestones that stop games: against a slow second implementation, with any number of workers,
//! after interruptions, and in shards.

use super::*;
use arbiter_config::Config;
use arbiter_cup::tournament::{PlayedGames, Shard, Share, StepStatus};
use arbiter_rank::rating::{StepRule, StepTest, StepVerdict};
use arbiter_rank::schedule::{Bots, Stop};

/// A gauntlet of steps that stands in some order, with verdicts that fall soon.
fn some_climb() -> impl Strategy<Value = Cup> {
    let numbers = (1..4_usize, 1..5_usize, 1..6_u32, 1..4_u32, 1..4_u32);
    let rule = (prop_oneof![Just(0.3), Just(0.6), Just(0.8)], prop_oneof![Just(0.1), Just(0.4)]);
    (numbers, rule, any::<u64>(), 0..5_u64, any::<bool>()).prop_map(
        |((steps, others, pairs, rounds, ahead), (score, wrong), seed, aborted, reversed)| {
            let mut order: Vec<usize> = (0..steps).collect();
            if reversed {
                order.reverse();
            }
            let challengers = steps as u32;
            let games = 2 * pairs;
            Cup {
                format: Format {
                    challengers,
                    games,
                    rounds,
                    ahead,
                    stop: Stop::Decided,
                    ..named("gauntlet")
                },
                bots: steps + others,
                rules: TournamentRules {
                    tries: 3,
                    stop_after_forfeits: 0,
                    tests: PairTests::Milestones(Milestones::new(order, StepRule { score, wrong })),
                },
                seed,
                aborted: aborted.saturating_sub(2),
                forfeited: 1,
            }
        },
    )
}

fn milestones(cup: &Cup) -> &Milestones {
    match &cup.rules.tests {
        PairTests::Milestones(milestones) => milestones,
        PairTests::None | PairTests::Sprt(_) => panic!("a cup with milestones"),
    }
}

/// How a game ends for good.
fn end(cup: &Cup, id: &str) -> AttemptResult {
    let mut ends = (1..=3).map(|attempt| cup.result(id, attempt));
    let is_final = |end: &AttemptResult| *end != AttemptResult::Aborted;
    ends.find(is_final).unwrap_or(AttemptResult::Aborted)
}

/// The games that a bot plays, and the number of steps that it passes, without a schedule.
fn slow(cup: &Cup, bot: usize) -> (BTreeSet<String>, usize) {
    let (names, rule) = (names(cup.bots), milestones(cup).rule());
    let most = cup.format.games / 2 * cup.format.rounds;
    let (mut played, mut passed) = (BTreeSet::new(), 0);
    for &step in milestones(cup).steps() {
        let mut test = StepTest::new(rule);
        for pair in 0..most {
            let ids = [1, 2].map(|game| {
                arbiter_game::game_id::game_id(
                    &names[step],
                    &names[bot],
                    u64::from(2 * pair + game),
                )
            });
            let mut ends = ids.each_ref().map(|id| end(cup, id));
            played.extend(ids);
            // First the game in which the step has the first side. Numbers of bots are their places
            // plus 1.
            if (bot - step).is_multiple_of(2) {
                ends.reverse();
            }
            let has_forfeited = ends[0] == AttemptResult::Forfeited([0, 2])
                || ends[1] == AttemptResult::Forfeited([2, 0]);
            if let ([Some([_, one]), Some([other, _])], false) =
                (ends.map(AttemptResult::half_points), has_forfeited)
            {
                test.add((one + other) as usize);
            }
            if test.verdict().is_some() {
                break;
            }
        }
        if test.verdict() != Some(StepVerdict::Passed) {
            break;
        }
        passed += 1;
    }
    (played, passed)
}

fn passed(told: &Told, bot: usize) -> usize {
    let milestones = told.milestones.as_ref().unwrap();
    milestones.of(bot).into_iter().filter(|status| *status == StepStatus::Passed).count()
}

fn ids(told: &Told) -> BTreeSet<String> {
    told.settled.iter().map(|game| game.pairing.id.clone()).collect()
}

/// The games of each two bots.
fn meetings<'a>(ids: impl IntoIterator<Item = &'a String>) -> BTreeMap<String, BTreeSet<String>> {
    let mut meetings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for id in ids {
        let (bots, number) = arbiter_game::game_id::parts_of(id).unwrap();
        meetings.entry(bots.to_owned()).or_default().insert(number.to_string());
    }
    meetings
}

/// What a journal says when it is complete.
fn reread(cup: &Cup, journal: Journal) -> Result<Told, TestCaseError> {
    let before = journal.len();
    let mut run = Run::again(cup, 1, 0, journal);
    prop_assert!(run.play(0), "a game is missing");
    prop_assert_eq!(run.journal.len(), before);
    Ok(run.told())
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn one_worker_plays_what_the_verdicts_take_and_no_more(cup in some_climb()) {
        let told = cup.alone();
        prop_assert!(told.complete);
        let mut expected = BTreeSet::new();
        for bot in milestones(&cup).steps().len()..cup.bots {
            let (games, steps) = slow(&cup, bot);
            prop_assert_eq!(passed(&told, bot), steps);
            expected.extend(games);
        }
        prop_assert_eq!(ids(&told), expected);
    }

    #[test]
    fn any_workers_and_interruptions_give_the_same_milestones(
        cup in some_climb(),
        workers in 1..9_usize,
        pace in any::<u64>(),
        stops in prop::collection::vec(0..30_u64, 0..4),
    ) {
        let mut journal = Journal::new();
        for stop in stops {
            let mut run = Run::again(&cup, workers, pace ^ stop, journal);
            run.play(stop);
            journal = run.journal;
        }
        let mut run = Run::again(&cup, workers, pace, journal);
        prop_assert!(run.play(u64::MAX));
        // What was begun before a verdict was known is no more than what may run ahead.
        let played = meetings(run.journal.keys().map(|(id, _)| id));
        let alone = ids(&cup.alone());
        let needed = meetings(&alone);
        for (meeting, games) in played {
            let pairs_alone = needed.get(&meeting).map_or(0, |all| all.len() / 2);
            let pairs = pairs_alone + cup.format.ahead as usize - 1;
            prop_assert!(games.len() <= 2 * pairs, "{}: {:?}", meeting, games);
        }
        prop_assert_eq!(reread(&cup, run.journal)?, cup.alone());
    }

    #[test]
    fn another_bot_changes_nothing_for_the_others(cup in some_climb()) {
        let more = Cup { bots: cup.bots + 1, ..cup.clone() };
        let new = &names(more.bots)[cup.bots];
        let (before, mut after) = (ids(&cup.alone()), ids(&more.alone()));
        after.retain(|id| {
            let names = arbiter_game::game_id::names_in(id);
            names.is_none_or(|(one, other)| one != new && other != new)
        });
        prop_assert_eq!(before, after);
    }

    #[test]
    fn shards_play_everything_once(cup in some_climb(), count in 1..5_u32, rest in any::<bool>()) {
        let mut together = Journal::new();
        let listed = ["a", "b"].map(|bot| format!("[[bot]]\nname = '{bot}'\ncommand = 'x'\n"));
        let mut config = Config::parse(&listed.concat()).unwrap();
        config.schedule.format = cup.format;
        let bots = Bots::joining(&names(cup.bots));
        let mut play = |known: &Journal| {
            let elsewhere: PlayedGames =
                known.iter().map(|(game, end)| (game.clone(), *end)).collect();
            let mut all = known.clone();
            for number in 1..=count {
                let shard: Shard = format!("{number}/{count}").parse().unwrap();
                let elsewhere = elsewhere.clone();
                let mut share = if rest {
                    Share::of_missing(shard, elsewhere, &config, &bots)
                } else {
                    Share::new(shard, elsewhere)
                };
                let mut progress = cup.progress();
                while let NextAttempt::Play(pairing, attempt) = progress.next() {
                    let key = (pairing.id.clone(), attempt);
                    match share.known(&pairing.id, attempt) {
                        Some(end) => progress.ended(pairing.index, end),
                        None if share.has(&pairing) => {
                            let end = cup.result(&pairing.id, attempt);
                            prop_assert_eq!(all.insert(key, end), None, "two shards play a game");
                            progress.ended(pairing.index, end);
                        }
                        None => progress.left_out(pairing.index),
                    }
                }
            }
            together = all;
            Ok(())
        };
        // Some games are known already, or none is.
        let mut part = Run::new(&cup, 3, 7);
        part.play(if rest { 9 } else { 0 });
        play(&part.journal)?;
        prop_assert_eq!(reread(&cup, together)?, cup.alone());
    }
}
