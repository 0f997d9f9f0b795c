//! How often milestones are wrong, and how many games they take: classes of bots of known strength against steps.

use super::{FIRST_SIDE, Lot};
use arbiter::rating::{StepRule, StepTest, StepVerdict};
use arbiter::seed::Generator;
use std::io::{self, Write};

/// The classes of each design.
const CLASSES: u64 = 400;
/// The bots of a class.
const CLASS: usize = 30;
/// The steps.
const STEPS: usize = 5;
/// The most pairs of a bot against a step, and in the designs of long tests.
const MOST: u64 = 500;
const LONG: u64 = 5_000;
/// The most probability of a wrong verdict.
const WRONG: f64 = 0.05;
/// The games that the usual rule plays at a step.
const USUAL: u32 = 5;

/// Where the strengths of a class lie.
#[derive(Clone, Copy)]
enum Place {
    /// Anywhere from below the first step to above the last one.
    Between,
    /// Each bot scores at one of the steps just what is asked.
    On,
    /// Each bot scores a thousandth less than is asked at one of the steps.
    Below,
}

/// A kind of class.
#[derive(Clone, Copy)]
struct Design {
    place: Place,
    /// The share of the points that is asked.
    score: f64,
    /// The distance of the steps, in Elo.
    apart: f64,
    /// Whether both games of a pair always end alike.
    alike: bool,
    /// The most pairs of a bot against a step.
    most: u64,
}

/// What came of the milestones of a design.
#[derive(Default)]
struct Marked {
    bots: u64,
    too_high: u64,
    too_low: u64,
    undecided: u64,
    games: u64,
    forecasts: u64,
    near: u64,
    /// By the usual rule.
    usual_wrong: u64,
}

/// The chance of a bot against another one so much weaker, with the first side and without.
fn chances(lead: f64) -> [f64; 2] {
    [FIRST_SIDE, -FIRST_SIDE].map(|more| 1.0 / (1.0 + 10_f64.powf(-(lead + more) / 400.0)))
}

/// The lead over a step at which a bot scores this share.
fn lead_of(score: f64) -> f64 {
    let (mut low, mut high) = (-2_000.0, 2_000.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        let [first, second] = chances(middle);
        *(if first + second < 2.0 * score { &mut low } else { &mut high }) = middle;
    }
    high
}

impl Design {
    fn name(self) -> String {
        let place = match self.place {
            Place::Between => "between the steps",
            Place::On => "on a step",
            Place::Below => "just below a step",
        };
        let alike = if self.alike { ", pairs alike" } else { "" };
        let long = if self.most == MOST { "" } else { ", long" };
        format!("{place}, {:.0} apart, score {}{alike}{long}", self.apart, self.score)
    }

    fn strength(self, lot: &mut Lot) -> f64 {
        match self.place {
            Place::Between => {
                self.apart * (lot.unit() * (STEPS + 1) as f64 - 1.0) + lead_of(self.score)
            }
            Place::On => self.step(lot) + lead_of(self.score),
            Place::Below => self.step(lot) + lead_of(self.score - 0.001),
        }
    }

    fn step(self, lot: &mut Lot) -> f64 {
        self.apart * lot.below(STEPS) as f64
    }

    fn pair(self, chances: [f64; 2], lot: &mut Lot) -> usize {
        let mut won = |chance| 2 * usize::from(lot.unit() < chance);
        if self.alike {
            2 * won(f64::midpoint(chances[0], chances[1]))
        } else {
            won(chances[0]) + won(chances[1])
        }
    }
}

impl Marked {
    fn add(&mut self, design: Design, lot: &mut Lot) {
        let strength = design.strength(lot);
        let leads: Vec<f64> =
            (0..STEPS).map(|step| strength - design.apart * step as f64).collect();
        let asked = lead_of(design.score) - 1e-6; // sums are rounded
        let truth = leads.iter().filter(|lead| **lead >= asked).count();
        self.bots += 1;
        for (step, &lead) in leads.iter().enumerate() {
            let verdict = self.climb(design, chances(lead), lot);
            self.too_high += u64::from(verdict == Some(StepVerdict::Passed) && step >= truth);
            self.too_low += u64::from(verdict == Some(StepVerdict::NotPassed) && step < truth);
            self.undecided += u64::from(verdict.is_none());
            if verdict != Some(StepVerdict::Passed) {
                break;
            }
        }
        let mut passes = |lead: f64| {
            let points: usize = (0..USUAL)
                .map(|game| usize::from(lot.unit() < chances(lead)[game as usize % 2]))
                .sum();
            points as f64 >= design.score * f64::from(USUAL)
        };
        let passed = leads.iter().take_while(|lead| passes(**lead)).count();
        self.usual_wrong += u64::from(passed != truth);
    }

    /// Plays a bot against a step until there is a verdict.
    fn climb(&mut self, design: Design, chances: [f64; 2], lot: &mut Lot) -> Option<StepVerdict> {
        let mut test = StepTest::new(StepRule { score: design.score, wrong: WRONG });
        let mut half = test.clone();
        let mut played = Vec::new();
        while test.verdict().is_none() && test.pairs() < design.most {
            let half_points = design.pair(chances, lot);
            test.add(half_points);
            played.push(half_points);
        }
        let pairs = test.pairs();
        self.games += 2 * pairs;
        let (before, after) = played.split_at(played.len() / 2);
        for &half_points in before {
            half.add(half_points);
        }
        if let (Some(forecast), Some(_)) = (half.forecast(), test.verdict()) {
            self.forecasts += 1;
            let share = forecast as f64 / after.len() as f64;
            self.near += u64::from((0.5..=2.0).contains(&share));
        }
        test.verdict()
    }
}

fn designs() -> Vec<Design> {
    let mut all = Vec::new();
    for score in [0.5, 0.8] {
        for place in [Place::Between, Place::On, Place::Below] {
            all.extend([25.0, 125.0].map(|apart| Design {
                place,
                score,
                apart,
                alike: false,
                most: MOST,
            }));
        }
        all.push(Design { place: Place::On, score, apart: 125.0, alike: true, most: MOST });
    }
    let long = |apart| Design { place: Place::On, score: 0.5, apart, alike: false, most: LONG };
    all.extend([25.0, 50.0, 125.0].map(long));
    all
}

/// The mean number of games until the verdict on a bot that scores this share.
fn games_until_verdict(asked: f64, share: f64) -> f64 {
    let mut lot = Lot(Generator::new(&[&"until", &asked, &share]));
    let design = Design { place: Place::On, score: asked, apart: 0.0, alike: false, most: MOST };
    let (mut pairs, tests) = (0, 1_000);
    for _ in 0..tests {
        let mut test = StepTest::new(StepRule { score: asked, wrong: WRONG });
        while test.verdict().is_none() {
            test.add(design.pair(chances(lead_of(share)), &mut lot));
        }
        pairs += test.pairs();
    }
    2.0 * pairs as f64 / f64::from(tests)
}

/// In how many percent of cases a bot passes that scores one half where four fifths are asked: by four of five wins, and by
/// the test.
fn passes_of_equals() -> [f64; 2] {
    let mut lot = Lot(Generator::new(&[&"four of five"]));
    let (mut usual, mut tested) = (0, 0);
    let all = CLASSES * CLASS as u64;
    for _ in 0..all {
        usual += u64::from((0..USUAL).filter(|_| lot.unit() < 0.5).count() >= 4);
        let mut test = StepTest::new(StepRule { score: 0.8, wrong: WRONG });
        while test.verdict().is_none() {
            test.add(2 * usize::from(lot.unit() < 0.5) + 2 * usize::from(lot.unit() < 0.5));
        }
        tested += u64::from(test.verdict() == Some(StepVerdict::Passed));
    }
    [usual, tested].map(|passed| 100.0 * passed as f64 / all as f64)
}

/// Prints the table.
pub fn print(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "\n{CLASSES} classes of {CLASS} against {STEPS} steps, wrong = {WRONG}, at most {} games a step ({} in long ones); shares of the bots in percent",
        2 * MOST,
        2 * LONG
    )?;
    writeln!(
        out,
        "{:<48}  wrong  too high  too low  undecided  games  near  rule of {USUAL}",
        "milestones"
    )?;
    for (number, design) in designs().into_iter().enumerate() {
        let mut marked = Marked::default();
        for class in 0..CLASSES {
            let mut lot = Lot(Generator::new(&[&"marks", &number, &class]));
            (0..CLASS).for_each(|_| marked.add(design, &mut lot));
        }
        let share = |part: u64| 100.0 * part as f64 / marked.bots as f64;
        writeln!(
            out,
            "{:<48}  {:>5.1}  {:>8.1}  {:>7.1}  {:>9.1}  {:>5.0}  {:>4.0}  {:>9.1}",
            design.name(),
            share(marked.too_high + marked.too_low),
            share(marked.too_high),
            share(marked.too_low),
            share(marked.undecided),
            marked.games as f64 / marked.bots as f64,
            100.0 * marked.near as f64 / marked.forecasts as f64,
            share(marked.usual_wrong),
        )?;
    }
    for (asked, shares) in
        [(0.5, [0.99, 0.9, 0.8, 0.7, 0.6, 0.55]), (0.8, [0.99, 0.95, 0.9, 0.7, 0.5, 0.2])]
    {
        let games =
            shares.map(|share| format!("{share}: {:.0}", games_until_verdict(asked, share)));
        writeln!(
            out,
            "Games until the verdict where {asked} is asked, by what a bot scores: {}",
            games.join(", ")
        )?;
    }
    let [usual, tested] = passes_of_equals();
    writeln!(
        out,
        "A bot that scores one half passes a step that asks four fifths: by four of five wins in {usual:.1} %, by the test in {tested:.1} %"
    )
}
