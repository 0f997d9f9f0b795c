//! Checks that the error rates of a test are at most `alpha` and `beta`, when eight workers play
//! games whose length depends on how they end.

use super::*;
use arbiter_rank::rating::Hypothesis;
use std::f64::consts::{LN_10, SQRT_2};
use std::num::NonZero;
use std::thread;

const WORKERS: usize = 8;

/// The probabilities of a win and of a draw for the tested bot, on the first and on the second
/// side.
#[derive(Debug, Clone, Copy)]
struct Chances([[f64; 2]; 2]);

impl Chances {
    /// Three games of ten are drawn, and the first side is worth a tenth of a point.
    fn with_mean(mean: f64) -> Chances {
        Chances([mean + 0.1, mean - 0.1].map(|mean| [mean - 0.15, 0.3]))
    }

    /// The pair's mean score above 1/2 in standard deviations of a pair.
    fn ratio(&self) -> f64 {
        let [mut mean, mut variance] = [0.0; 2];
        for [win, draw] in self.0 {
            let of_game = win + draw / 2.0;
            mean += of_game / 2.0;
            // The two games are independent.
            variance += (win + draw / 4.0 - of_game * of_game) / 4.0;
        }
        (mean - 0.5) / variance.sqrt()
    }

    /// Bots for which a hypothesis is true (src/rank/definitions.md, Definition 13).
    fn of(model: Model, elo: f64) -> Chances {
        match model {
            Model::Logistic => Chances::with_mean(1.0 / (1.0 + 10_f64.powf(-elo / 400.0))),
            Model::Normalized => {
                let ratio = SQRT_2 * elo * LN_10 / 800.0;
                let [mut low, mut high] = [0.3, 0.7];
                for _ in 0..60 {
                    let mean = f64::midpoint(low, high);
                    *(if Chances::with_mean(mean).ratio() < ratio {
                        &mut low
                    } else {
                        &mut high
                    }) = mean;
                }
                Chances::with_mean(low)
            }
        }
    }

    /// Half points of the tested bot in a game of a test; the same whenever it is asked.
    fn play(&self, test: u64, pairing: &Pairing) -> u32 {
        let drawn = Generator::from_state(test << 32 | pairing.index).next_u64();
        let drawn = (drawn >> 11) as f64 / (1_u64 << 53) as f64;
        let [win, draw] = self.0[pairing.first];
        if drawn < win { 2 } else { u32::from(drawn < win + draw) }
    }
}

/// One test; the verdict, and the pairs that it took. Either the progress counts, in schedule
/// order, or pairs count in the order in which they end.
fn verdict(sprt: Sprt, chances: Chances, test: u64, in_order: bool) -> (Hypothesis, u64) {
    let format = Format { max_pairs: u32::MAX, ahead: WORKERS as u32, ..named("sprt") };
    let schedule = Schedule::new(format, &["new", "old"].map(String::from)).unwrap();
    let tests = if in_order { PairTests::Sprt(Trial::new(sprt)) } else { PairTests::None };
    let rules = TournamentRules { tries: 3, stop_after_forfeits: 0, tests };
    let mut progress = TournamentProgress::new(schedule, rules);
    let (mut running, mut now) = (BinaryHeap::new(), 0);
    let (mut halves, mut by_end) = (BTreeMap::new(), Trial::new(sprt));
    loop {
        while running.len() < WORKERS
            && let NextAttempt::Play(pairing, 1) = progress.next()
        {
            let points = chances.play(test, &pairing);
            // A lost game is short.
            let length = if points == 0 { 1 } else { 20 };
            running.push(Reverse((now + length, pairing.index, pairing.first, points)));
        }
        let Reverse((end, index, first, points)) = running.pop().unwrap();
        now = end;
        let scores = if first == 0 { [points, 2 - points] } else { [2 - points, points] };
        progress.ended(index, AttemptResult::Scored(scores));
        match halves.remove(&(index / 2)) {
            None => drop(halves.insert(index / 2, points)),
            Some(other) if !in_order => by_end.add((points + other) as usize),
            Some(_) => {}
        }
        progress.counted().for_each(drop);
        let trial = progress.trial().unwrap_or(&by_end);
        if let Some(verdict) = trial.verdict() {
            return (verdict, trial.counts().iter().sum());
        }
    }
}

/// What many tests of the same two hypotheses end with.
#[derive(Debug)]
struct Rates {
    /// Tests simulated under each hypothesis.
    tests: u64,
    /// Wrong verdicts when H0 is true, and when H1 is.
    wrong: [u64; 2],
    /// Pairs per test.
    pairs: f64,
}

impl Rates {
    fn share(&self) -> [f64; 2] {
        self.wrong.map(|wrong| wrong as f64 / self.tests as f64)
    }
}

/// Simulates so many tests under each hypothesis, on all processors. The number of a test seeds its
/// games, and whole numbers are added up, so the result does not depend on the number of threads.
fn rates(sprt: Sprt, tests: u64, in_order: bool) -> Rates {
    let threads = thread::available_parallelism().map_or(1, NonZero::get) as u64;
    let mut all = 0;
    let wrong = [(sprt.elo0, Hypothesis::H1), (sprt.elo1, Hypothesis::H0)].map(|(elo, wrong)| {
        let chances = Chances::of(sprt.model, elo);
        let share_of_thread = |thread: u64| {
            let numbers = (thread..tests).step_by(threads as usize);
            numbers.fold((0, 0), |(errors, sum), test| {
                let (verdict, pairs) = verdict(sprt, chances, test, in_order);
                (errors + u64::from(verdict == wrong), sum + pairs)
            })
        };
        thread::scope(|scope| {
            let handles: Vec<_> =
                (0..threads).map(|thread| scope.spawn(move || share_of_thread(thread))).collect();
            let mut errors = 0;
            for handle in handles {
                let (of_thread, pairs) = handle.join().unwrap();
                errors += of_thread;
                all += pairs;
            }
            errors
        })
    });
    Rates { tests, wrong, pairs: all as f64 / (2 * tests) as f64 }
}

/// With 20,000 tests each, the progress is wrong in 4.98 % when H0 is true and in 4.85 % when H1
/// is, as promised. If pairs counted in the order in which they end, lost games would come first,
/// for they are short: 3.95 % and 5.41 %, so that good changes would be refused more often than was
/// said.
///
/// `.ci/slow` simulates 6,000 tests: 350 of them are the promised 5 % and three standard errors.
/// By the binomial distribution, a tournament that is wrong in 5 % exceeds them with a chance of
/// 0.2 %, and one that is wrong in 6.5 %, 1.3 times the promise, stays within them with a chance
/// of 2 %. Otherwise it is 1,500 tests, of which at most 100 may be wrong: 5 % exceeds that with a
/// chance of 0.2 % as well, while 6.5 % stays within it with a chance of 63 %, and 8 % with one of
/// 3 %. The two orders differ by less than a sample of that size can tell, so only the 6,000
/// compare them.
#[test]
fn logistic_tests_are_wrong_as_often_as_promised_and_by_end_they_would_not_be() {
    let sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
    let (tests, most) = if plays_all() { (6_000, 350) } else { (1_500, 100) };
    let rates_of = |in_order| rates(sprt, tests, in_order);
    let in_order = rates_of(true);
    assert!(in_order.wrong.iter().all(|&wrong| wrong <= most), "{in_order:?}");
    // The test is not longer than necessary: a rate far below the limit would cost more games.
    assert!(in_order.share().iter().all(|&rate| rate > 0.03), "{in_order:?}");
    assert!((50.0..80.0).contains(&in_order.pairs), "{in_order:?}");
    if !plays_all() {
        return;
    }
    let by_end = rates_of(false);
    assert!(
        by_end.wrong[0] < in_order.wrong[0] && by_end.wrong[1] > in_order.wrong[1],
        "the same games, in another order: {by_end:?} {in_order:?}"
    );
}

/// To weigh a pair costs some hundred times as much in this model, and nearly all of the time goes
/// there. So the hypotheses are further apart than above, which makes tests shorter, and there are
/// fewer of them.
///
/// With 10,000 tests each, the progress is wrong in 4.0 % when H0 is true and in 3.6 % when H1 is.
/// Of 700 tests at most 41 may be wrong. By the binomial distribution, a tournament that is wrong
/// in 4 % exceeds this with a chance of 0.7 %, which would be a false alarm; one that is wrong in
/// 7.5 %, 1.5 times the promise, stays within it with a chance of 5.3 %, and one that is wrong in
/// 10 % with a chance below 0.01 %. Outside of `.ci/slow` there are 140 tests, of which at most 11
/// may be wrong. The chance of a false alarm is 1.1 %, but 7.5 % stays within that with a chance of
/// 64 %, and 10 % with one of 25 %: this is only a smoke test. As the games are the same in every
/// run, chance decides only once, when a change gives tests other games or another verdict.
#[test]
fn normalized_tests_are_wrong_no_more_often_than_promised() {
    let sprt = Sprt { elo0: 0.0, elo1: 150.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    let (tests, expected) = if plays_all() { (700, 15..=41) } else { (140, 2..=11) };
    let rates = rates(sprt, tests, true);
    assert!(rates.wrong.iter().all(|wrong| expected.contains(wrong)), "{rates:?}");
    assert!((15.0..22.0).contains(&rates.pairs), "{rates:?}");
}

/// The bots of these tests are as far apart as the hypothesis says, by the definition of the other
/// model too.
#[test]
fn chances_fulfil_their_hypothesis() {
    let normalized = Chances::of(Model::Normalized, 100.0);
    assert!(
        (normalized.ratio() - 0.407_0).abs() < 1e-4,
        "sqrt(2) · 100 · ln 10/800: {}",
        normalized.ratio()
    );
    let logistic = Chances::of(Model::Logistic, 60.0);
    let mean: f64 = logistic.0.iter().map(|[win, draw]| (win + draw / 2.0) / 2.0).sum();
    assert!((mean - 0.585_5).abs() < 1e-4, "1/(1 + 10^(-60/400)): {mean}");
    for [win, draw] in Chances::of(Model::Normalized, 0.0).0 {
        assert!(win > 0.0 && win + draw < 1.0);
    }
}
