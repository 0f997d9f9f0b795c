//! What the choice of pairs in a league is worth: leagues of simulated bots of known strength.
//!
//! Forty bots begin together. The first table has the share of right ranks after some games, and
//! the games until 95 % are right in the mean of all simulations: of all two bots whose strengths
//! differ by more than 20 Elo, those in the right order by their ratings. The second has the games
//! that a newcomer needs among forty bots that have met each other, until its rating is within 100
//! Elo of its strength and stays there for as long as it is followed: in 50, 80 and 95 % of the
//! simulations (82 means more than 80). The third has the time of a choice.
//!
//! The strengths are normally distributed with a standard deviation of 200 Elo, 10 % of the games
//! are drawn, and four pairs are under way at a time. The league is compared with a round-robin and
//! with a ladder, in which the bots in turn challenge the one that is ranked directly above them;
//! ratings are the same for all.
//!
//! `cargo bench --bench league` prints the tables; it uses all cores. Every run gives the same
//! figures but for the times. Without `--bench` (under `cargo test`) it does nothing.

use arbiter_rank::league::{League, NextPair, Tally};
use arbiter_rank::rating::{FirstSide, RatingOptions, Ratings};
use arbiter_rank::standings::{Encounters, Score};
use arbiter_rules::seed::Generator;
use rustix::time::{ClockId, clock_gettime};
use std::collections::VecDeque;
use std::io::Write;
use std::thread;

const BOTS: usize = 40;
/// Standard deviation of the strengths, in Elo.
const DEVIATION: f64 = 200.0;
/// The share of drawn games between bots of about the same strength.
const DRAWN: f64 = 0.1;
/// Bots whose strengths differ by less, in Elo, may stand in any order.
const ALIKE: f64 = 20.0;
/// The share of right ranks that a league has to reach.
const RIGHT: f64 = 0.95;
/// Pairs under way at a time.
const WORKERS: usize = 4;
/// Simulated leagues, each of so many pairs, with a look at the ranks after every few.
const LEAGUES: u64 = 40;
const PAIRS: usize = 800;
const LOOK: usize = 20;
/// Simulated newcomers, each followed for so many pairs.
const NEWCOMERS: u64 = 50;
const FOLLOWED: usize = 40;
/// A newcomer's rating is right within this, in Elo.
const NEAR: f64 = 100.0;

/// What decides who plays whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pairing {
    League,
    RoundRobin,
    Ladder,
}

const PAIRINGS: [Pairing; 3] = [Pairing::League, Pairing::RoundRobin, Pairing::Ladder];

/// Bots with their results.
struct Simulation {
    strengths: Vec<f64>,
    league: League,
    encounters: Encounters,
    lot: Generator,
}

impl Simulation {
    fn new(bots: usize, name: &str, number: u64) -> Simulation {
        let mut lot = Generator::new(&[&"league", &name, &number]);
        let mut league = League::new();
        let mut strengths = Vec::new();
        for bot in 0..bots {
            league.join(bot, 0);
            strengths.push(DEVIATION * normal(&mut lot));
        }
        Simulation { strengths, league, encounters: Encounters::default(), lot }
    }

    /// Plays a pair of games.
    fn play(&mut self, number: u64, [one, other]: [usize; 2]) {
        let scores = [self.game(one, other), self.game(other, one)];
        self.encounters.add_pair(one, other, scores);
        let mut tally = Tally::default();
        for score in [scores[0], scores[1].of_opponent()] {
            match score {
                Score::Win => tally.wins += 1,
                Score::Draw => tally.draws += 1,
                Score::Loss => tally.losses += 1,
            }
        }
        self.league.add(number, [one, other], tally);
    }

    fn game(&mut self, first: usize, second: usize) -> Score {
        let difference = self.strengths[first] - self.strengths[second];
        let expected = 1.0 / (1.0 + 10_f64.powf(-difference / 400.0));
        let drawn = DRAWN.min(2.0 * expected.min(1.0 - expected));
        let lot = unit(&mut self.lot);
        if lot < expected - drawn / 2.0 {
            Score::Win
        } else if lot < expected + drawn / 2.0 {
            Score::Draw
        } else {
            Score::Loss
        }
    }

    /// The ratings that a table would show; 0 of bots without games.
    fn ratings(&self) -> Vec<f64> {
        // Sides are swapped in each pair.
        let options = RatingOptions { first_side: FirstSide::LeftOut, ..RatingOptions::default() };
        let ratings = Ratings::fit(self.strengths.len(), &self.encounters, &options);
        ratings.bots().iter().map(|bot| bot.rating.unwrap_or_default()).collect()
    }

    /// The share of right ranks.
    fn right(&self, ratings: &[f64]) -> f64 {
        let mut right = 0;
        let mut all = 0;
        for one in 0..ratings.len() {
            for other in one + 1..ratings.len() {
                let difference = self.strengths[one] - self.strengths[other];
                if difference.abs() > ALIKE {
                    all += 1;
                    right += usize::from((ratings[one] - ratings[other]) * difference > 0.0);
                }
            }
        }
        right as f64 / all as f64
    }
}

/// The last value, measured from the mean of the others.
fn from_others(values: &[f64]) -> f64 {
    let (last, others) = values.split_last().expect("there is a bot");
    last - others.iter().sum::<f64>() / others.len() as f64
}

/// A random number from 0 to 1.
fn unit(lot: &mut Generator) -> f64 {
    lot.next_u64() as f64 / 2_f64.powi(64)
}

/// A normally distributed random number, by the method of Box and Muller.
fn normal(lot: &mut Generator) -> f64 {
    let radius = (-2.0 * (1.0 - unit(lot)).ln()).sqrt();
    radius * (2.0 * std::f64::consts::PI * unit(lot)).cos()
}

/// The pair with this number, from 0, of a round-robin that begins again and again: the method of
/// the circle, for an even number of bots.
fn round_robin(bots: usize, number: usize) -> [usize; 2] {
    let round = number / (bots / 2) % (bots - 1);
    let board = number % (bots / 2);
    if board == 0 {
        return [bots - 1, round];
    }
    [(round + board) % (bots - 1), (round + bots - 1 - board) % (bots - 1)]
}

/// The bots, the highest rating first.
fn ranking(ratings: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&one, &other| ratings[other].total_cmp(&ratings[one]));
    order
}

/// The shares of right ranks of a league, look by look.
fn season(pairing: Pairing, number: u64) -> Vec<f64> {
    let mut simulation = Simulation::new(BOTS, "season", number);
    let mut order: Vec<usize> = (0..BOTS).collect();
    let mut running = VecDeque::new();
    let mut begun = 0;
    let mut looks = Vec::new();
    for ended in 1..=PAIRS {
        while running.len() < WORKERS {
            let bots = match pairing {
                Pairing::League => next(&mut simulation.league),
                Pairing::RoundRobin => round_robin(BOTS, begun),
                Pairing::Ladder => {
                    let challenger = begun % (BOTS - 1) + 1;
                    [order[challenger], order[challenger - 1]]
                }
            };
            begun += 1;
            simulation.league.begin(begun as u64, bots);
            running.push_back((begun as u64, bots));
        }
        let (pair, bots) = running.pop_front().expect("pairs are under way");
        simulation.play(pair, bots);
        if ended % LOOK == 0 {
            let ratings = simulation.ratings();
            looks.push(simulation.right(&ratings));
            order = ranking(&ratings);
        }
    }
    looks
}

fn next(league: &mut League) -> [usize; 2] {
    let NextPair { one, other, .. } = league.next_pair().expect("there are bots");
    [one, other]
}

/// The games of a newcomer until its rating is near and stays there.
fn newcomer(pairing: Pairing, number: u64) -> Vec<f64> {
    let mut simulation = Simulation::new(BOTS, "newcomer", number);
    let mut pairs = BOTS * (BOTS - 1) / 2;
    for pair in 0..pairs {
        simulation.play(pair as u64 + 1, round_robin(BOTS, pair));
    }
    let field = simulation.ratings();
    simulation.league.join(BOTS, 0);
    let strength = DEVIATION * normal(&mut simulation.lot);
    simulation.strengths.push(strength);
    let mut above = ranking(&field); // of the ladder: bots that it has not passed, best first
    let mut until = 0;
    let mut met = 0;
    while met < FOLLOWED {
        let bots = match pairing {
            Pairing::League => next(&mut simulation.league),
            Pairing::RoundRobin => [BOTS, met % BOTS],
            Pairing::Ladder => [BOTS, above.last().copied().unwrap_or(0)],
        };
        pairs += 1;
        simulation.play(pairs as u64, bots);
        if !bots.contains(&BOTS) {
            continue;
        }
        met += 1;
        let ratings = simulation.ratings();
        let error = from_others(&ratings) - from_others(&simulation.strengths);
        if error.abs() > NEAR {
            until = met + 1;
        }
        above = ranking(&ratings);
        let own = above.iter().position(|&bot| bot == BOTS).unwrap_or_default();
        above.truncate(own.max(1));
        above.retain(|&bot| bot != BOTS);
    }
    vec![2.0 * until as f64]
}

/// The values of so many simulations, on all cores.
fn simulate(
    count: u64,
    pairing: Pairing,
    one: fn(Pairing, u64) -> Vec<f64>,
) -> std::io::Result<Vec<Vec<f64>>> {
    let workers = thread::available_parallelism()?.get() as u64;
    let mut all = Vec::new();
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for first in 0..workers {
            let numbers = (first..count).step_by(workers as usize);
            threads.push(scope.spawn(move || -> Vec<Vec<f64>> {
                numbers.map(|number| one(pairing, number)).collect()
            }));
        }
        for thread in threads {
            // Without the simulations of a thread that panicked, the figures would be of others.
            all.extend(thread.join().expect("the simulations of a thread"));
        }
    });
    Ok(all)
}

fn main() -> std::io::Result<()> {
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{BOTS} bots, {LEAGUES} leagues: right ranks after so many games")?;
    writeln!(out, "{:12}{:>7}{:>7}{:>7}{:>7}  95 % right", "", 400, 800, 1200, 1600)?;
    for pairing in PAIRINGS {
        let leagues = simulate(LEAGUES, pairing, season)?;
        let mut means = Vec::new();
        for look in 0..PAIRS / LOOK {
            let sum: f64 = leagues.iter().map(|looks| looks[look]).sum();
            means.push(sum / leagues.len() as f64);
        }
        write!(out, "{:12}", format!("{pairing:?}"))?;
        for games in [400, 800, 1200, 1600] {
            write!(out, "{:>5.1} %", 100.0 * means[games / 2 / LOOK - 1])?;
        }
        match means.iter().position(|&right| right >= RIGHT) {
            Some(look) => writeln!(out, "  {:>4} games", 2 * LOOK * (look + 1))?,
            None => writeln!(out, "  more than {}", 2 * PAIRS)?,
        }
    }
    writeln!(out, "\na newcomer: games until it is within {NEAR} Elo, {NEWCOMERS} simulations")?;
    writeln!(out, "{:12}{:>6}{:>6}{:>6}", "", "50 %", "80 %", "95 %")?;
    for pairing in PAIRINGS {
        let mut games = simulate(NEWCOMERS, pairing, newcomer)?.concat();
        games.sort_by(f64::total_cmp);
        write!(out, "{:12}", format!("{pairing:?}"))?;
        for share in [0.5, 0.8, 0.95] {
            write!(out, "{:>6}", games[(games.len() as f64 * share) as usize])?;
        }
        writeln!(out)?;
    }
    writeln!(out)?;
    for bots in [40, 400] {
        writeln!(out, "a choice among {bots} bots: {:.1} ms", time_of_choice(bots))?;
    }
    Ok(())
}

fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The processor time of a choice, with the fit of the strengths, after a round-robin, in ms.
fn time_of_choice(bots: usize) -> f64 {
    const CHOICES: usize = 20;
    let mut simulation = Simulation::new(bots, "time", 0);
    let pairs = bots * (bots - 1) / 2;
    for pair in 0..pairs {
        simulation.play(pair as u64 + 1, round_robin(bots, pair));
    }
    let mut spent = 0.0;
    for pair in 0..CHOICES {
        let began = processor_time();
        let chosen = next(&mut simulation.league);
        spent += processor_time() - began;
        simulation.play((pairs + pair + 1) as u64, chosen);
    }
    1000.0 * spent / CHOICES as f64
}
