//! What the bounds of ratings cover: tournaments of bots of known strength, simulated many times.
//!
//! For each design it prints how often the 95 % interval of a rating holds the true strength, relative to the mean of
//! the group; how often the 95 % interval of the difference of two bots holds the true difference; by how many Elo a
//! rating rises for each Elo of strength; the mean width of the intervals of ratings that have both bounds; how many
//! differences are claimed, with a likelihood of superiority above 97.5 %; and the share of these claims that are
//! wrong. A bound that does not exist always holds. Results are games of independent chances with an advantage of the
//! first side, and without draws: these would make the intervals wider than they need to be.
//!
//! Then [`milestones`] prints how often milestones are wrong.
//!
//! `cargo bench --bench coverage` prints both tables, the first on all cores; with `-- milestones` it prints that of milestones alone. Every run
//! gives the same figures. Without
//! `--bench` (under `cargo test`) it does nothing.

mod milestones;

use arbiter::rating::{RatingDifference, RatingOptions, Ratings};
use arbiter::seed::Generator;
use arbiter::standings::{Cluster, Encounters, Score};
use std::error::Error;
use std::io::Write;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Tournaments of each design.
const TOURNAMENTS: usize = 4_000;
/// Tournaments that a worker plays at a time.
const BATCH: usize = 50;
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
    /// The same with bots at equal distances.
    Ladder { bots: usize, pairs: usize, step: f64 },
    /// A class of 16: from -900 to 700, or half of them at -900 as a random bot is.
    Class { pairs: usize, half_random: bool },
    /// A bot alone, 700 Elo from four stronger and four weaker ones. Only that bot is looked at.
    Gap { pairs: usize },
    /// Bots of many seasons: divisions of eight, sorted by strength, each with two of the next one.
    Divisions { bots: usize },
    /// Each bot meets the next, or the first meets all others.
    Tree { bots: usize, is_star: bool },
    /// Two round-robins of four bots with 15 pairs a pairing, and this number of games between the two. Only
    /// differences between the two are looked at.
    Joined { games: usize },
    /// A round-robin of eight in which each pair is played this many times, ply by ply the same.
    Repeated { copies: u32 },
    /// A round-robin of six with ten pairs a pairing, of which so many end alike in both games.
    Correlated { share: f64 },
}

impl Design {
    fn name(self) -> String {
        match self {
            Design::Newcomer { pairs, mean } => {
                format!("newcomer of about {mean:+.0}, {pairs} pairs")
            }
            Design::Swiss { deviation } => format!("Swiss of 16, deviation {deviation:.0}"),
            Design::RoundRobin { bots, pairs, deviation } => {
                format!("round-robin of {bots}, {pairs} pairs, deviation {deviation:.0}")
            }
            Design::Ladder { bots, pairs, step } => {
                format!("ladder of {bots}, {step:.0} apart, {pairs} pairs")
            }
            Design::Class { pairs, half_random: false } => {
                format!("class of 16, -900 to 700, {pairs} pairs")
            }
            Design::Class { pairs, half_random: true } => {
                format!("class of 16, half random, {pairs} pairs")
            }
            Design::Gap { pairs } => format!("alone in a gap of 700, {pairs} pairs"),
            Design::Divisions { bots } => format!("divisions of 8 among {bots}"),
            Design::Tree { bots, is_star: true } => format!("gauntlet of {bots}, 2 pairs"),
            Design::Tree { bots, is_star: false } => format!("chain of {bots}, 2 pairs"),
            Design::Joined { games } => format!("two groups joined by {games} games"),
            Design::Repeated { copies } => format!("round-robin of 8, each pair {copies} times"),
            Design::Correlated { share } => format!("games of a pair alike in {share:.0} %"),
        }
    }

    fn options(self) -> RatingOptions {
        RatingOptions { swiss: matches!(self, Design::Swiss { .. }), ..RatingOptions::default() }
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
            Design::Ladder { bots, pairs, step } => {
                cup.strengths.extend((0..bots).map(|bot| step * bot as f64));
                cup.round_robin(0..bots, pairs, lot);
            }
            Design::Class { pairs, half_random } => {
                let place = |bot: usize| if half_random { bot.saturating_sub(8) * 2 } else { bot };
                cup.strengths.extend((0..16).map(|bot| -900.0 + 1600.0 / 15.0 * place(bot) as f64));
                cup.round_robin(0..16, pairs, lot);
            }
            Design::Gap { pairs } => {
                cup.enter(1, 0.0, 0.0, lot);
                cup.enter(4, 700.0, 30.0, lot);
                cup.enter(4, -700.0, 30.0, lot);
                cup.round_robin(0..9, pairs, lot);
            }
            Design::Divisions { bots } => {
                cup.enter(bots, 0.0, 300.0, lot);
                cup.strengths.sort_by(f64::total_cmp);
                (0..bots - 2)
                    .step_by(6)
                    .for_each(|from| cup.round_robin(from..(from + 8).min(bots), 2, lot));
            }
            Design::Tree { bots, is_star } => {
                cup.enter(bots, 0.0, 150.0, lot);
                for bot in 1..bots {
                    (0..2).for_each(|_| cup.pair(if is_star { 0 } else { bot - 1 }, bot, lot));
                }
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
            Design::Repeated { copies } => {
                cup.enter(8, 0.0, 150.0, lot);
                for (one, other) in pairings(0..8) {
                    let pair =
                        Cluster::Pair([cup.game(one, other, lot), cup.game(other, one, lot)]);
                    (0..copies).for_each(|copy| cup.encounters.add(one, other, pair, copy));
                }
            }
            Design::Correlated { share } => {
                cup.enter(6, 0.0, 150.0, lot);
                for (one, other) in pairings(0..6).flat_map(|pairing| [pairing; 10]) {
                    let score = cup.game(one, other, lot);
                    let alike = 100.0 * lot.unit() < share;
                    let answer =
                        if alike { score.of_opponent() } else { cup.game(other, one, lot) };
                    cup.encounters.add_pair(one, other, [score, answer]);
                }
            }
        }
        (cup.strengths, cup.encounters)
    }

    /// Whether the rating of this bot is looked at.
    fn sees(self, bot: usize) -> bool {
        match self {
            Design::Newcomer { .. } => bot == 5,
            Design::Gap { .. } => bot == 0,
            _ => true,
        }
    }

    /// Whether the difference of these bots is looked at, of which the first has the lower number.
    fn compares(self, one: usize, other: usize) -> bool {
        match self {
            Design::Newcomer { .. } => other == 5,
            Design::Gap { .. } => one == 0,
            Design::Joined { .. } => one < 4 && other >= 4,
            _ => true,
        }
    }
}

/// All pairings of these bots.
fn pairings(bots: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    let end = bots.end;
    bots.flat_map(move |one| (one + 1..end).map(move |other| (one, other)))
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
        for (one, other) in pairings(bots) {
            (0..pairs).for_each(|_| self.pair(one, other, lot));
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
        if lot.unit() < chance { Score::Win } else { Score::Loss }
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
    /// Of ratings times strengths, and of squares of strengths, both from the mean of the group.
    products: f64,
    squares: f64,
    /// The intervals with both bounds, and their widths together.
    bounded: u64,
    widths: f64,
    differences: u64,
    differences_covered: u64,
    claims: u64,
    wrong_claims: u64,
}

impl Tally {
    /// Plays a tournament and compares its ratings with the true strengths.
    fn add(&mut self, design: Design, lot: &mut Lot) {
        let (strengths, encounters) = design.play(lot);
        let ratings = Ratings::fit(strengths.len(), &encounters, &design.options());
        for (bot, rated) in ratings.bots().iter().enumerate().filter(|(bot, _)| design.sees(*bot)) {
            let group = &ratings.groups()[rated.group - 1];
            let mean =
                group.iter().map(|&member| strengths[member]).sum::<f64>() / group.len() as f64;
            let truth = strengths[bot] - mean;
            self.ratings += 1;
            self.ratings_covered += u64::from(holds(rated.low, rated.high, truth));
            self.products += truth * rated.rating.unwrap_or_default();
            self.squares += truth * truth;
            if let (Some(low), Some(high)) = (rated.low, rated.high) {
                self.bounded += 1;
                self.widths += high - low;
            }
        }
        for one in 0..strengths.len() {
            for other in (one + 1..strengths.len()).filter(|&other| design.compares(one, other)) {
                let Some(RatingDifference { low, high, superiority, .. }) =
                    ratings.difference(one, other)
                else {
                    continue;
                };
                let truth = strengths[one] - strengths[other];
                self.differences += 1;
                self.differences_covered += u64::from(holds(low, high, truth));
                let claimed = [superiority > CLAIM, superiority < 1.0 - CLAIM];
                self.claims += u64::from(claimed[0] || claimed[1]);
                self.wrong_claims +=
                    u64::from(claimed[0] && truth < 0.0 || claimed[1] && truth > 0.0);
            }
        }
    }

    fn merge(&mut self, other: Tally) {
        self.ratings += other.ratings;
        self.ratings_covered += other.ratings_covered;
        self.products += other.products;
        self.squares += other.squares;
        self.bounded += other.bounded;
        self.widths += other.widths;
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
    let mut all = Vec::new();
    for mean in [-500.0, 0.0, 500.0] {
        all.extend([1, 2, 3, 5, 8].map(|pairs| Design::Newcomer { pairs, mean }));
    }
    all.extend(
        [10.0, 50.0, 100.0, 200.0, 400.0, 800.0].map(|deviation| Design::Swiss { deviation }),
    );
    let round_robins = [
        (4, 1, 100.0),
        (12, 1, 100.0),
        (8, 5, 100.0),
        (8, 20, 100.0),
        (12, 1, 400.0),
        (8, 20, 400.0),
        (40, 1, 800.0),
    ];
    all.extend(round_robins.map(|(bots, pairs, deviation)| Design::RoundRobin {
        bots,
        pairs,
        deviation,
    }));
    for pairs in [1, 2, 5] {
        all.extend([false, true].map(|half_random| Design::Class { pairs, half_random }));
    }
    let ladders = [
        (8, 1, 250.0),
        (8, 2, 250.0),
        (20, 1, 100.0),
        (20, 2, 150.0),
        (4, 1, 400.0),
        (4, 2, 400.0),
        (8, 1, 400.0),
        (8, 2, 400.0),
    ];
    all.extend(ladders.map(|(bots, pairs, step)| Design::Ladder { bots, pairs, step }));
    all.extend([4, 8].map(|bots| Design::Ladder { bots, pairs: 2, step: 600.0 }));
    all.extend([1, 5].map(|pairs| Design::Gap { pairs }));
    all.push(Design::Divisions { bots: 62 });
    all.extend([false, true].map(|is_star| Design::Tree { bots: 12, is_star }));
    all.extend([1, 2, 4, 8].map(|games| Design::Joined { games }));
    all.extend([1, 3, 10].map(|copies| Design::Repeated { copies }));
    all.extend([0.0, 50.0, 100.0].map(|share| Design::Correlated { share }));
    all
}

fn main() -> Result<(), Box<dyn Error>> {
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    if std::env::args().all(|word| word != "milestones") {
        print_intervals(&mut out)?;
    }
    milestones::print(&mut out)?;
    Ok(())
}

/// Prints the table of intervals.
fn print_intervals(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
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
    writeln!(out, "{TOURNAMENTS} tournaments of each design; shares in percent")?;
    writeln!(
        out,
        "{:<40}  ratings  differences  slope   width  claimed  wrong claims",
        "95 % intervals that hold the truth"
    )?;
    for (design, tally) in designs.iter().zip(tallies) {
        let share = |part: u64, of: u64| 100.0 * part as f64 / of as f64;
        writeln!(
            out,
            "{:<40}  {:>7.1}  {:>11.1}  {:>5.2}  {:>6}  {:>7.1}  {:>12}",
            design.name(),
            share(tally.ratings_covered, tally.ratings),
            share(tally.differences_covered, tally.differences),
            tally.products / tally.squares,
            match tally.bounded {
                0 => "none".to_owned(),
                bounded => format!("{:.0}", tally.widths / bounded as f64),
            },
            share(tally.claims, tally.differences),
            match tally.claims {
                0 => "none made".to_owned(),
                claims => format!("{:.1} of {claims}", share(tally.wrong_claims, claims)),
            },
        )?;
    }
    Ok(())
}
