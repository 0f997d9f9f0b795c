//! What the bounds of ratings cover: tournaments of bots of known strength, simulated many times.
//!
//! For each design it prints how often the 95 % interval of a rating holds the true strength, relative to the mean of
//! the group; how often the 95 % interval of the difference of two bots holds the true difference; how many
//! differences are claimed, with a likelihood of superiority above 97.5 %; and the share of these claims that are
//! wrong. A bound that does not exist always holds. Results are games of independent chances, a third of them draws
//! between equal bots, with an advantage of the first side.
//!
//! `cargo bench --bench coverage` prints the table; it uses all cores. Every run gives the same figures. Without
//! `--bench` (under `cargo test`) it does nothing.

use arbiter::rating::{RatingDifference, Ratings};
use arbiter::seed::Generator;
use arbiter::standings::{Encounters, Score};
use std::error::Error;
use std::io::Write;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Tournaments of each design.
const TOURNAMENTS: usize = 4_000;
/// Tournaments that a worker plays at a time.
const BATCH: usize = 100;
/// The advantage of the first side, in Elo.
const FIRST_SIDE: f64 = 30.0;
/// A difference is claimed from this likelihood of superiority on.
const CLAIM: f64 = 0.975;

/// A kind of tournament.
#[derive(Clone, Copy)]
enum Design {
    /// Five bots with 22 pairs a pairing, and a newcomer with this number of pairs and this mean strength. Only the
    /// newcomer is looked at.
    Newcomer { pairs: usize, mean: f64 },
    /// Sixteen bots with this standard deviation of their strengths, five rounds of a pair.
    Swiss { deviation: f64 },
    /// Bots with this number of pairs a pairing.
    RoundRobin { bots: usize, pairs: usize, deviation: f64 },
    /// Two round-robins of four bots with 15 pairs a pairing, and this number of games between the two. Only
    /// differences between the two are looked at.
    Joined { games: usize },
}

impl Design {
    fn name(self) -> String {
        match self {
            Design::Newcomer { pairs, mean } => format!("newcomer of about {mean:+.0}, {pairs} pairs"),
            Design::Swiss { deviation } => format!("Swiss of 16, deviation {deviation:.0}"),
            Design::RoundRobin { bots, pairs, deviation } => {
                format!("round-robin of {bots}, {pairs} pairs, deviation {deviation:.0}")
            }
            Design::Joined { games } => format!("two groups joined by {games} games"),
        }
    }

    /// The true strengths, and the results.
    fn play(self, lot: &mut Lot) -> (Vec<f64>, Encounters) {
        let mut cup = Cup { strengths: Vec::new(), encounters: Encounters::default() };
        match self {
            Design::Newcomer { pairs, mean } => {
                cup.enter(5, 0.0, 150.0, lot);
                cup.round_robin(0..5, 22, lot);
                cup.enter(1, mean, 50.0, lot);
                let from = lot.below(5);
                (0..pairs).for_each(|pair| cup.pair(5, (from + pair) % 5, lot));
            }
            Design::Swiss { deviation } => {
                cup.enter(16, 0.0, deviation, lot);
                cup.swiss(5, lot);
            }
            Design::RoundRobin { bots, pairs, deviation } => {
                cup.enter(bots, 0.0, deviation, lot);
                cup.round_robin(0..bots, pairs, lot);
            }
            Design::Joined { games } => {
                cup.enter(8, 0.0, 150.0, lot);
                cup.round_robin(0..4, 15, lot);
                cup.round_robin(4..8, 15, lot);
                for game in 0..games {
                    let (one, other) = (lot.below(4), 4 + lot.below(4));
                    let (first, second) = if game % 2 == 0 { (one, other) } else { (other, one) };
                    let score = cup.game(first, second, lot);
                    cup.encounters.add_single(first, second, score);
                }
            }
        }
        (cup.strengths, cup.encounters)
    }

    /// Whether the rating of this bot is looked at.
    fn sees(self, bot: usize) -> bool {
        match self {
            Design::Newcomer { .. } => bot == 5,
            Design::Swiss { .. } | Design::RoundRobin { .. } | Design::Joined { .. } => true,
        }
    }

    /// Whether the difference of these bots is looked at, of which the first has the lower number.
    fn compares(self, one: usize, other: usize) -> bool {
        match self {
            Design::Newcomer { .. } => other == 5,
            Design::Joined { .. } => one < 4 && other >= 4,
            Design::Swiss { .. } | Design::RoundRobin { .. } => true,
        }
    }
}

/// A tournament that is being played.
struct Cup {
    strengths: Vec<f64>,
    encounters: Encounters,
}

impl Cup {
    fn enter(&mut self, bots: usize, mean: f64, deviation: f64, lot: &mut Lot) {
        self.strengths.extend((0..bots).map(|_| mean + deviation * lot.normal()));
    }

    fn round_robin(&mut self, bots: Range<usize>, pairs: usize, lot: &mut Lot) {
        for one in bots.clone() {
            for other in one + 1..bots.end {
                (0..pairs).for_each(|_| self.pair(one, other, lot));
            }
        }
    }

    /// Rounds of one pair, each bot against the next in the order of points that it has not met.
    fn swiss(&mut self, rounds: usize, lot: &mut Lot) {
        let bots = self.strengths.len();
        let mut points = vec![0; bots];
        let mut met = vec![vec![false; bots]; bots];
        for _ in 0..rounds {
            let mut order: Vec<usize> = (0..bots).collect();
            order.sort_by_key(|&bot| std::cmp::Reverse(points[bot]));
            while !order.is_empty() {
                let one = order.remove(0);
                let other = order.iter().position(|&other| !met[one][other]).unwrap_or(0);
                let other = order.remove(other);
                met[one][other] = true;
                met[other][one] = true;
                let scores = [self.game(one, other, lot), self.game(other, one, lot)];
                self.encounters.add_pair(one, other, scores);
                points[one] += scores[0].half_points() + scores[1].of_opponent().half_points();
                points[other] += scores[1].half_points() + scores[0].of_opponent().half_points();
            }
        }
    }

    fn pair(&mut self, one: usize, other: usize, lot: &mut Lot) {
        let scores = [self.game(one, other, lot), self.game(other, one, lot)];
        self.encounters.add_pair(one, other, scores);
    }

    fn game(&self, first: usize, second: usize, lot: &mut Lot) -> Score {
        let lead = self.strengths[first] + FIRST_SIDE - self.strengths[second];
        let chance = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
        let draw = 4.0 / 3.0 * chance * (1.0 - chance);
        match lot.unit() {
            drawn if drawn < chance - draw / 2.0 => Score::Win,
            drawn if drawn < chance + draw / 2.0 => Score::Draw,
            _ => Score::Loss,
        }
    }
}

/// Random numbers.
struct Lot(Generator);

impl Lot {
    fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u64) as usize
    }

    /// From 0 to below 1.
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normally distributed (Box and Muller).
    fn normal(&mut self) -> f64 {
        let (one, other) = (1.0 - self.unit(), self.unit());
        (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos()
    }
}

/// How often figures were right.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    ratings: u64,
    ratings_covered: u64,
    differences: u64,
    differences_covered: u64,
    claims: u64,
    wrong_claims: u64,
}

impl Tally {
    /// Plays a tournament and compares its ratings with the true strengths.
    fn add(&mut self, design: Design, lot: &mut Lot) {
        let (strengths, encounters) = design.play(lot);
        let ratings = Ratings::fit(strengths.len(), &encounters);
        for (bot, rated) in ratings.bots().iter().enumerate().filter(|(bot, _)| design.sees(*bot)) {
            let group = &ratings.groups()[rated.group - 1];
            let mean = group.iter().map(|&bot| strengths[bot]).sum::<f64>() / group.len() as f64;
            self.ratings += 1;
            self.ratings_covered += u64::from(holds(rated.low, rated.high, strengths[bot] - mean));
        }
        for one in 0..strengths.len() {
            for other in (one + 1..strengths.len()).filter(|&other| design.compares(one, other)) {
                let Some(RatingDifference { low, high, superiority, .. }) = ratings.difference(one, other)
                else {
                    continue;
                };
                let truth = strengths[one] - strengths[other];
                self.differences += 1;
                self.differences_covered += u64::from(holds(low, high, truth));
                let claimed = [superiority > CLAIM, superiority < 1.0 - CLAIM];
                self.claims += u64::from(claimed[0] || claimed[1]);
                self.wrong_claims += u64::from(claimed[0] && truth < 0.0 || claimed[1] && truth > 0.0);
            }
        }
    }

    fn merge(&mut self, other: Tally) {
        self.ratings += other.ratings;
        self.ratings_covered += other.ratings_covered;
        self.differences += other.differences;
        self.differences_covered += other.differences_covered;
        self.claims += other.claims;
        self.wrong_claims += other.wrong_claims;
    }
}

fn holds(low: Option<f64>, high: Option<f64>, truth: f64) -> bool {
    low.is_none_or(|low| low <= truth) && high.is_none_or(|high| truth <= high)
}

fn designs() -> Vec<Design> {
    let newcomers = [-500.0, 0.0, 500.0]
        .into_iter()
        .flat_map(|mean| [1, 2, 3, 5, 8].into_iter().map(move |pairs| Design::Newcomer { pairs, mean }));
    let swiss = [10.0, 50.0, 200.0, 400.0, 800.0].map(|deviation| Design::Swiss { deviation });
    let round_robins =
        [(4, 1, 100.0), (12, 1, 100.0), (8, 5, 100.0), (8, 20, 100.0), (12, 1, 400.0), (8, 20, 400.0)]
            .map(|(bots, pairs, deviation)| Design::RoundRobin { bots, pairs, deviation });
    let joined = [1, 2, 4, 8].map(|games| Design::Joined { games });
    newcomers.chain(swiss).chain(round_robins).chain(joined).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    let designs = designs();
    let tallies = Mutex::new(vec![Tally::default(); designs.len()]);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            let number = batch / (TOURNAMENTS / BATCH);
            let Some(&design) = designs.get(number) else { break };
            let mut lot = Lot(Generator::new(&[&"coverage", &batch]));
            let mut tally = Tally::default();
            (0..BATCH).for_each(|_| tally.add(design, &mut lot));
            if let Ok(mut tallies) = tallies.lock() {
                tallies[number].merge(tally);
            }
        }
    };
    thread::scope(|scope| {
        (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| {
            scope.spawn(work);
        });
    });
    let tallies = tallies.into_inner().map_err(|error| error.to_string())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{TOURNAMENTS} tournaments of each design; shares in percent")?;
    writeln!(
        out,
        "{:<40}  ratings  differences  claimed  wrong claims",
        "95 % intervals that hold the truth"
    )?;
    for (design, tally) in designs.iter().zip(tallies) {
        let share = |part: u64, of: u64| 100.0 * part as f64 / of as f64;
        writeln!(
            out,
            "{:<40}  {:>7.1}  {:>11.1}  {:>7.1}  {:>12}",
            design.name(),
            share(tally.ratings_covered, tally.ratings),
            share(tally.differences_covered, tally.differences),
            share(tally.claims, tally.differences),
            match tally.claims {
                0 => "none made".to_owned(),
                claims => format!("{:.1} of {claims}", share(tally.wrong_claims, claims)),
            },
        )?;
    }
    Ok(())
}
