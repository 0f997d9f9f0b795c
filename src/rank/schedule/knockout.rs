//! Knockout: the loser of a pairing is out. In the bracket the two best seeds can meet in the final
//! only.
//!
//! Only results advance a bot. Where neither bot starts, both are out, and the next opponent has a
//! bye. Where a game stays aborted, which is the fault of neither, nobody can be said to have lost:
//! the knockout stops after the round.
//!
//! A bot's seed is its place in the configuration. A round starts when all games of the previous
//! round are settled, and further pairs of level pairings when all games before them are. So the
//! order of games in the schedule does not depend on the order in which they end.

use super::batch::GameBatch;
use super::format::{Dependence, Format, FormatKind, FormatState, NextGames, Ranking, refused};
use super::results::Results;
use super::{Bye, round_robin};

pub(super) const KIND: FormatKind = FormatKind {
    word: "knockout",
    help: "the loser is out",
    keys: &["schedule.best-of"],
    dependence: Dependence::Rounds,
    refusal: |&Format { best_of, .. }, _| {
        let why = "must be even, so that both bots have the first side equally often";
        (best_of % 2 == 1).then(|| refused("schedule.best-of", best_of, why))
    },
    games: |format, bots| bots.saturating_sub(1) * u64::from(format.best_of),
    openings: |format| u64::from(format.best_of).div_ceil(2),
    pairs_at_once: |format, bots| bots / 2 * u64::from(format.best_of).div_ceil(2),
    begin: |format, bots| Box::new(Knockout::new(format, bots.count())),
    ..round_robin::KIND
};

/// Maximum number of further pairs after a level result; if they are level too, the better seed
/// wins.
const FURTHER_PAIRS: u32 = 3;

/// The result of a pairing of a knockout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    /// The round, from 1.
    pub round: u32,
    /// The number of the pairing in the schedule, from 0.
    pub meeting: u64,
    /// The bot that reaches the next round, or has won the tournament.
    pub winner: usize,
    /// The bot that is out.
    pub loser: usize,
    /// How it was decided.
    pub decision: Decision,
}

/// How a pairing of a knockout was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// By the points of its regular games.
    Games,
    /// By this further pair, from 1, the first one that was not level.
    FurtherPair(u32),
    /// All games were level, so the better seed won.
    Seed,
}

/// A pairing of the current round.
#[derive(Debug, Clone)]
struct KnockoutPairing {
    meeting: u64,
    /// The better seed first.
    bots: [usize; 2],
    /// The points of both bots before the games that are being played.
    before: [u64; 2],
}

#[derive(Debug, Default)]
struct Knockout {
    bots: usize,
    best_of: u32,
    round: u32,
    meetings: u64,
    /// The bots of the next round; neighbours are paired. In the first round a place without a bot
    /// is a bye.
    bracket: Vec<Option<usize>>,
    /// Pairings with games that are running or not yet handed out, in order of the bracket.
    open: Vec<KnockoutPairing>,
    /// Further pairs that the open pairings have had.
    further: u32,
    decided: Vec<Decided>,
    /// The bots that are out, each with the round in which it lost.
    out: Vec<(u32, usize)>,
    /// The pairings that both bots lost because neither started, each with its round.
    both_out: Vec<(u32, [usize; 2])>,
    /// The pairings with an aborted game, each with its round. There is no round after theirs.
    stopped: Vec<(u32, [usize; 2])>,
    byes: Vec<Bye>,
}

impl Knockout {
    fn new(format: &Format, bots: usize) -> Knockout {
        let bracket = bracket(bots);
        let mut knockout =
            Knockout { bots, best_of: format.best_of, bracket, ..Knockout::default() };
        knockout.add_byes();
        knockout.byes.sort_by_key(|bye| bye.bot);
        knockout
    }

    /// Adds the byes of the round that begins next.
    fn add_byes(&mut self) {
        for pair in self.bracket.chunks(2) {
            if let &[Some(bot), None] | &[None, Some(bot)] = pair {
                self.byes.push(Bye { round: self.round + 1, bot, half_points: 0 });
            }
        }
    }

    fn begin_round(&mut self, results: &Results) -> Vec<GameBatch> {
        self.round += 1;
        self.further = 0;
        for pair in self.bracket.chunks(2) {
            if let &[Some(one), Some(other)] = pair {
                let bots = [one.min(other), one.max(other)];
                let before = bots.map(|bot| results.points(bot));
                self.open.push(KnockoutPairing { meeting: self.meetings, bots, before });
                self.meetings += 1;
            }
        }
        self.schedule(0, self.best_of)
    }

    /// Decides pairings and schedules further pairs for level ones. All games handed out must be
    /// settled.
    fn judge(&mut self, results: &Results) -> Vec<GameBatch> {
        for mut pairing in std::mem::take(&mut self.open) {
            if results.aborted(pairing.bots[0]) > 0 {
                self.stopped.push((self.round, pairing.bots));
                continue;
            }
            let points = pairing.bots.map(|bot| results.points(bot));
            let better = points[0] - pairing.before[0];
            let other = points[1] - pairing.before[1];
            // Every game gives points, unless neither bot started.
            if better == 0 && other == 0 {
                self.both_out.push((self.round, pairing.bots));
                for bot in pairing.bots {
                    self.remove(bot);
                }
                continue;
            }
            if better == other && self.further < FURTHER_PAIRS {
                pairing.before = points;
                self.open.push(pairing);
                continue;
            }
            if better < other {
                pairing.bots.reverse();
            }
            let [winner, loser] = pairing.bots;
            let decision = if better == other {
                Decision::Seed
            } else if self.further == 0 {
                Decision::Games
            } else {
                Decision::FurtherPair(self.further)
            };
            let KnockoutPairing { meeting, .. } = pairing;
            self.decided.push(Decided { round: self.round, meeting, winner, loser, decision });
            self.remove(loser);
        }
        // The games of other pairings that are level would be played for nothing.
        if !self.stopped.is_empty() {
            return Vec::new();
        }
        let played = self.best_of + 2 * self.further;
        self.further += 1;
        self.schedule(played, played + 2)
    }

    /// Games `played + 1` to `end` of the open pairings. Without any the round is over: the bracket
    /// is halved, and of each pair one bot is left, or none.
    fn schedule(&mut self, played: u32, end: u32) -> Vec<GameBatch> {
        if self.open.is_empty() {
            let mut halved = Vec::new();
            for pair in self.bracket.chunks(2) {
                halved.push(pair.iter().flatten().next().copied());
            }
            self.bracket = halved;
            self.add_byes();
        }
        let mut batches = Vec::new();
        for &KnockoutPairing { meeting, bots, .. } in &self.open {
            let earlier = [0, 0]; // two bots are paired at most once in a knockout
            let round = self.round;
            batches.push(GameBatch {
                meeting,
                round,
                bots,
                earlier,
                played: played.into(),
                end: end.into(),
            });
        }
        batches
    }

    /// Takes a bot out of the bracket.
    fn remove(&mut self, bot: usize) {
        self.out.push((self.round, bot));
        for place in &mut self.bracket {
            if *place == Some(bot) {
                *place = None;
            }
        }
    }
}

impl FormatState for Knockout {
    fn next(&mut self, results: &Results, handed_out: u64) -> NextGames {
        let is_round_over = self.open.is_empty();
        if results.prefix() < handed_out {
            NextGames::Wait
        } else if !self.stopped.is_empty() || is_round_over && self.bracket.len() == 1 {
            NextGames::Over
        } else if is_round_over {
            NextGames::Play(self.begin_round(results))
        } else {
            NextGames::Play(self.judge(results))
        }
    }

    /// Bots that are still in come first, then those that went out, the latest first.
    fn ranking(&self) -> Ranking {
        let last = self.out.last().map_or(0, |&(round, _)| round);
        let mut places = vec![1; self.bots];
        for &(round, bot) in &self.out {
            places[bot] = 2 + (last - round) as usize;
        }
        Ranking::Knockout(places)
    }

    fn byes(&self) -> &[Bye] {
        &self.byes
    }

    /// The pairings that were level after their regular games, those that nobody won, and the
    /// winner.
    fn notes(&self, names: &[String]) -> Vec<String> {
        let mut notes = Vec::new();
        for &Decided { round, winner, loser, decision, .. } in &self.decided {
            let winner = &names[winner];
            let loser = &names[loser];
            match decision {
                Decision::Games => {}
                Decision::FurtherPair(pair) => notes
                    .push(format!("round {round}: {winner} beat {loser} in further pair {pair}")),
                Decision::Seed => notes.push(format!(
                    "round {round}: all games were level; {winner} advances over {loser} as the \
                     better seed"
                )),
            }
        }
        for &(round, [one, other]) in &self.both_out {
            notes.push(format!(
                "round {round}: neither {} nor {} started, so both are out; the next opponent has \
                 a bye",
                names[one], names[other]
            ));
        }
        for &(round, [one, other]) in &self.stopped {
            notes.push(format!(
                "round {round}: WARNING: a game of {} and {} stays aborted, so nobody advances and \
                 the knockout stops here; the journal has the reason. The same command plays that \
                 game once more, unless the rules of the game failed",
                names[one], names[other]
            ));
        }
        match self.bracket[..] {
            [Some(winner)] => notes.push(format!("{} has won the knockout", names[winner])),
            [None] => notes.push("nobody has won the knockout".to_owned()),
            _ => {}
        }
        notes
    }

    fn decided(&self) -> &[Decided] {
        &self.decided
    }
}

/// The places of the first round from top to bottom. With each doubling of the places every seed
/// gets the opponent that it has in a full bracket of that size: the best seed the last, the second
/// the last but one.
fn bracket(bots: usize) -> Vec<Option<usize>> {
    let mut places = vec![0];
    while places.len() < bots {
        let last = 2 * places.len() - 1;
        let mut doubled = Vec::new();
        for seed in places {
            doubled.extend([seed, last - seed]);
        }
        places = doubled;
    }
    // A seed that no bot has is a bye for its opponent.
    places.into_iter().map(|seed| (seed < bots).then_some(seed)).collect()
}
