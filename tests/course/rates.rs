//! How often a test is wrong, when eight workers play games whose length tells how they end: what the user was promised
//! by `alpha` and `beta`.

use super::*;
use arbiter::rating::Hypothesis;
use std::f64::consts::{LN_10, SQRT_2};

const WORKERS: usize = 8;

/// What a game of the tested bot brings, by whether it has the first side: chances of a win and of a draw.
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
            variance += (win + draw / 4.0 - of_game * of_game) / 4.0; // the two games are independent
        }
        (mean - 0.5) / variance.sqrt()
    }

    /// Bots for which a hypothesis is true (tournaments.md, definition 13).
    fn of(model: Model, elo: f64) -> Chances {
        match model {
            Model::Logistic => Chances::with_mean(1.0 / (1.0 + 10_f64.powf(-elo / 400.0))),
            Model::Normalized => {
                let ratio = SQRT_2 * elo * LN_10 / 800.0;
                let [mut low, mut high] = [0.3, 0.7];
                for _ in 0..60 {
                    let mean = f64::midpoint(low, high);
                    *(if Chances::with_mean(mean).ratio() < ratio { &mut low } else { &mut high }) = mean;
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

/// One test; the verdict, and the pairs that it took. Either the course counts, in schedule order, or pairs count in the
/// order in which they end.
fn verdict(sprt: Sprt, chances: Chances, test: u64, in_order: bool) -> (Hypothesis, u64) {
    let format = Format::Sprt { max_pairs: u32::MAX, ahead: WORKERS as u32 };
    let schedule = Schedule::new(format, &["new", "old"].map(String::from)).unwrap();
    let rules = Rules { tries: 3, stop_after_forfeits: 0, sprt: in_order.then_some(sprt) };
    let mut course = Course::new(schedule, rules);
    let (mut running, mut now) = (BinaryHeap::new(), 0);
    let (mut halves, mut by_end) = (BTreeMap::new(), Trial::new(sprt));
    loop {
        while running.len() < WORKERS
            && let Step::Play(pairing, 1) = course.next()
        {
            let points = chances.play(test, &pairing);
            // A lost game is short.
            let length = if points == 0 { 1 } else { 20 };
            running.push(Reverse((now + length, pairing.index, pairing.first, points)));
        }
        let Reverse((end, index, first, points)) = running.pop().unwrap();
        now = end;
        let scores = if first == 0 { [points, 2 - points] } else { [2 - points, points] };
        course.ended(index, Ended::Scored(scores));
        match halves.remove(&(index / 2)) {
            None => drop(halves.insert(index / 2, points)),
            Some(other) if !in_order => by_end.add((points + other) as usize),
            Some(_) => {}
        }
        course.settled().for_each(drop);
        let trial = course.trial().unwrap_or(&by_end);
        if let Some(verdict) = trial.verdict() {
            return (verdict, trial.counts().iter().sum());
        }
    }
}

/// Shares of wrong verdicts when H0 and when H1 is true, and pairs per test.
fn rates(sprt: Sprt, tests: u64, in_order: bool) -> ([f64; 2], f64) {
    let mut all = 0;
    let wrong = [(sprt.elo0, Hypothesis::H1), (sprt.elo1, Hypothesis::H0)].map(|(elo, wrong)| {
        let chances = Chances::of(sprt.model, elo);
        let is_wrong = |test: &u64| {
            let (verdict, pairs) = verdict(sprt, chances, *test, in_order);
            all += pairs;
            verdict == wrong
        };
        (0..tests).filter(is_wrong).count() as f64 / tests as f64
    });
    (wrong, all as f64 / (2 * tests) as f64)
}

/// The nominal rate and three standard errors.
fn bound(tests: u64) -> f64 {
    0.05 + 3.0 * (0.05 * 0.95 / tests as f64).sqrt()
}

/// With 20,000 tests each, the course is wrong in 4.98 % when H0 is true and in 4.85 % when H1 is, as promised. If pairs
/// counted in the order in which they end, lost games would come first, for they are short: 3.95 % and 5.41 %, so that
/// good changes would be refused more often than was said.
#[test]
fn logistic_tests_are_wrong_as_often_as_promised_and_by_end_they_would_not_be() {
    let sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
    let (wrong, pairs) = rates(sprt, 6_000, true);
    assert!(wrong.iter().all(|&rate| rate <= bound(6_000)), "{wrong:?}");
    // Nor is the test longer than it must be: a rate far below the promise is paid for with games.
    assert!(wrong.iter().all(|&rate| rate > 0.03) && (50.0..80.0).contains(&pairs), "{wrong:?} {pairs}");
    let (by_end, _) = rates(sprt, 6_000, false);
    assert!(
        by_end[0] < wrong[0] && by_end[1] > wrong[1],
        "the same games, in another order: {by_end:?} {wrong:?}"
    );
}

/// Hypotheses further apart than above: each pair costs twenty times as much to weigh in this model.
#[test]
fn normalized_tests_are_wrong_no_more_often_than_promised() {
    let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    let (wrong, pairs) = rates(sprt, 1_500, true);
    assert!(wrong.iter().all(|&rate| rate <= bound(1_500)), "{wrong:?}");
    assert!(wrong.iter().all(|&rate| rate > 0.02) && (30.0..50.0).contains(&pairs), "{wrong:?} {pairs}");
}

/// The bots of these tests are as far apart as the hypothesis says, by the definition of the other model too.
#[test]
fn chances_fulfil_their_hypothesis() {
    let normalized = Chances::of(Model::Normalized, 100.0);
    assert!((normalized.ratio() - 0.407_0).abs() < 1e-4, "sqrt(2) · 100 · ln 10/800: {}", normalized.ratio());
    let logistic = Chances::of(Model::Logistic, 60.0);
    let mean: f64 = logistic.0.iter().map(|[win, draw]| (win + draw / 2.0) / 2.0).sum();
    assert!((mean - 0.585_5).abs() < 1e-4, "1/(1 + 10^(-60/400)): {mean}");
    for [win, draw] in Chances::of(Model::Normalized, 0.0).0 {
        assert!(win > 0.0 && win + draw < 1.0);
    }
}
