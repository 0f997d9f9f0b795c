//! Properties of a tournament's progress, over thousands of simulated tournaments: workers play
//! games of unequal length, some are forfeited or aborted, and decisions must not depend on the
//! speed of workers or on interruptions.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod counting;
mod league;
mod milestones;
mod pace;
mod rates;
mod sprt;

use arbiter_cup::tournament::{
    AttemptResult, CountedGame, Milestones, NextAttempt, PairTests, TournamentProgress,
    TournamentRules,
};
use arbiter_rank::rating::{Model, Sprt, Trial};
use arbiter_rank::schedule::{Bye, Decided, Dependence, Format, Pairing, Ranking, Schedule};
use arbiter_rules::seed::Generator;
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

fn names(bots: usize) -> Vec<String> {
    // Not in byte order, so that ids and the configuration differ.
    (0..bots).map(|bot| format!("{}{bot}", ["m", "Z", "a"][bot % 3])).collect()
}

/// The format of this name.
fn named(word: &str) -> Format {
    Format::named(word).unwrap()
}

/// The content of a journal: how games ended, by id and attempt.
type Journal = BTreeMap<(String, u32), AttemptResult>;

/// A tournament whose results are a function of the game and the attempt.
#[derive(Debug, Clone)]
struct Cup {
    format: Format,
    bots: usize,
    rules: TournamentRules,
    seed: u64,
    /// How many of ten attempts are aborted.
    aborted: u64,
    /// How many of ten others are forfeited.
    forfeited: u64,
}

impl Cup {
    fn progress(&self) -> TournamentProgress {
        TournamentProgress::new(
            Schedule::new(self.format, &names(self.bots)).unwrap(),
            self.rules.clone(),
        )
    }

    fn result(&self, id: &str, attempt: u32) -> AttemptResult {
        let mut generator = Generator::new(&[&self.seed, &id, &attempt]);
        if generator.below(10) < self.aborted {
            let rules_fail = self.aborted < 10 && generator.below(4) == 0;
            return if rules_fail { AttemptResult::RulesFail } else { AttemptResult::Aborted };
        }
        let forfeited = generator.below(10) < self.forfeited;
        match (forfeited, generator.below(5)) {
            (true, drawn) => AttemptResult::Forfeited(if drawn % 2 == 0 { [2, 0] } else { [0, 2] }),
            (false, 0 | 1) => AttemptResult::Scored([2, 0]),
            (false, 2) => AttemptResult::Scored([0, 2]),
            (false, _) => AttemptResult::Scored([1, 1]),
        }
    }

    /// The unbroken run of one worker.
    fn alone(&self) -> Told {
        let mut run = Run::new(self, 1, 0);
        assert!(run.play(u64::MAX));
        run.told()
    }
}

/// All output of a progress.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    settled: Vec<CountedGame>,
    trial: Option<Trial>,
    milestones: Option<Milestones>,
    stopped_by: Option<usize>,
    notes: Vec<String>,
    byes: Vec<Bye>,
    decided: Vec<Decided>,
    ranking: Ranking,
    complete: bool,
}

/// Workers that play a cup in an event queue.
struct Run<'a> {
    cup: &'a Cup,
    progress: TournamentProgress,
    workers: usize,
    pace: Generator,
    now: u64,
    /// The running games, ordered by the time of their end.
    running: BinaryHeap<Reverse<(u64, u64)>>,
    games: BTreeMap<u64, (Pairing, u32)>,
    /// Played before, and not asked for yet.
    known: Journal,
    /// All that has ended, in this run or before.
    journal: Journal,
    settled: Vec<CountedGame>,
}

impl<'a> Run<'a> {
    fn new(cup: &'a Cup, workers: usize, pace: u64) -> Run<'a> {
        Run::again(cup, workers, pace, Journal::new())
    }

    /// Continues an interrupted run.
    fn again(cup: &'a Cup, workers: usize, pace: u64, journal: Journal) -> Run<'a> {
        Run {
            cup,
            progress: cup.progress(),
            workers,
            pace: Generator::from_state(pace),
            now: 0,
            running: BinaryHeap::new(),
            games: BTreeMap::new(),
            known: journal.clone(),
            journal,
            settled: Vec::new(),
        }
    }

    /// Plays until all games are over, which it returns, or until this number of games have ended.
    fn play(&mut self, mut limit: u64) -> bool {
        loop {
            let over = self.hand_out();
            if over && self.running.is_empty() {
                return true;
            }
            assert!(over || !self.progress.is_complete(), "complete too early");
            if limit == 0 {
                return false;
            }
            limit -= 1;
            let Reverse((now, index)) = self.running.pop().unwrap();
            self.now = now;
            let (pairing, attempt) = self.games.remove(&index).unwrap();
            let ended = self.cup.result(&pairing.id, attempt);
            let twice = self.journal.insert((pairing.id, attempt), ended);
            assert_eq!(twice, None, "the same attempt is never played twice");
            self.progress.ended(index, ended);
            self.collect();
        }
    }

    /// Gives every idle worker a game; returns whether there will be no more games.
    fn hand_out(&mut self) -> bool {
        while self.games.len() < self.workers {
            match self.progress.next() {
                NextAttempt::Play(pairing, attempt) => {
                    match self.known.remove(&(pairing.id.clone(), attempt)) {
                        Some(ended) => {
                            self.progress.ended(pairing.index, ended);
                            self.collect();
                        }
                        None => {
                            // Some games take ten times as long as others.
                            let scale = 1 + 9 * self.pace.below(2);
                            self.running.push(Reverse((
                                self.now + scale * (1 + self.pace.below(20)),
                                pairing.index,
                            )));
                            let before = self.games.insert(pairing.index, (pairing, attempt));
                            assert_eq!(before, None, "a game that is out is not handed out");
                        }
                    }
                }
                NextAttempt::Wait => {
                    assert!(!self.running.is_empty(), "waits for nothing");
                    return false;
                }
                NextAttempt::Over => {
                    // Workers stay while a game runs that may have to be played again.
                    assert!(self.running.is_empty() || self.is_decided(), "over too early");
                    assert!(self.progress.is_complete());
                    return true;
                }
            }
        }
        false
    }

    /// Whether the tournament was decided before the end of the schedule.
    fn is_decided(&self) -> bool {
        let verdict = self.progress.trial().and_then(Trial::verdict);
        self.progress.stopped_by().is_some() || verdict.is_some()
    }

    fn collect(&mut self) {
        self.settled.extend(self.progress.counted());
    }

    fn told(self) -> Told {
        let schedule = self.progress.schedule();
        Told {
            trial: self.progress.trial().cloned(),
            milestones: self.progress.milestones().cloned(),
            stopped_by: self.progress.stopped_by(),
            notes: schedule.notes(&names(self.cup.bots)).iter().map(ToString::to_string).collect(),
            byes: schedule.byes().to_vec(),
            decided: schedule.decided().to_vec(),
            ranking: schedule.ranking(),
            complete: self.progress.is_complete(),
            settled: self.settled,
        }
    }
}

/// A random tournament of a format other than SPRT.
fn some_table() -> impl Strategy<Value = Cup> {
    let two = || (1..4_u32, 1..4_u32);
    let format = prop_oneof![
        (two(), 2..6_usize).prop_map(|((games, rounds), bots)| (
            Format { games, rounds, ..named("round-robin") },
            bots
        )),
        (two(), 2..6_usize).prop_map(|((games, rounds), bots)| {
            (Format { challengers: bots as u32 / 2, games, rounds, ..named("gauntlet") }, bots)
        }),
        (two(), 2..9_usize)
            .prop_map(|((games, rounds), bots)| (Format { games, rounds, ..named("swiss") }, bots)),
        (1..3_u32, 2..12_usize)
            .prop_map(|(pairs, bots)| (Format { best_of: 2 * pairs, ..named("knockout") }, bots)),
    ];
    (format, any::<u64>(), 0..7_u64, 0..4_u64, 0..6_u32).prop_map(
        |((format, bots), seed, aborted, forfeited, stop_after_forfeits)| Cup {
            format,
            bots,
            rules: TournamentRules { tries: 3, stop_after_forfeits, tests: PairTests::None },
            seed,
            aborted: aborted.saturating_sub(2),
            forfeited,
        },
    )
}

/// A random SPRT of two bots; hypotheses are far apart, so that many verdicts are reached.
fn some_test() -> impl Strategy<Value = Cup> {
    let numbers = (1..60_u32, 1..6_u32, 0..12_u32);
    (numbers, any::<u64>(), 0..6_u64, 0..3_u64, -2..3_i32).prop_map(
        |((max_pairs, ahead, stop_after_forfeits), seed, aborted, forfeited, at)| {
            let elo0 = 60.0 * f64::from(at);
            let sprt =
                Sprt { elo0, elo1: elo0 + 120.0, alpha: 0.1, beta: 0.1, model: Model::Logistic };
            Cup {
                format: Format { max_pairs, ahead, ..named("sprt") },
                bots: 2,
                rules: TournamentRules {
                    tries: 3,
                    stop_after_forfeits,
                    tests: PairTests::Sprt(Trial::new(sprt)),
                },
                seed,
                aborted: aborted.saturating_sub(2),
                forfeited,
            }
        },
    )
}

fn some_cup() -> impl Strategy<Value = Cup> {
    prop_oneof![4 => some_table(), 2 => some_test()]
}

/// Whether tests run in full (`ARBITER_ALL`) rather than on a sample.
fn plays_all() -> bool {
    std::env::var_os("ARBITER_ALL").is_some()
}

/// This many cases in `.ci/slow`; otherwise an eighth of them, but at least 32.
fn cases(all: u32) -> ProptestConfig {
    let cases = if plays_all() { all } else { (all / 8).max(32) };
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}
