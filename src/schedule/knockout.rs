//! Knockout: the loser of a pairing is out. In the bracket the two best seeds can meet in the final only.
//!
//! A bot's seed is its place in the configuration. A round starts when all games of the previous round are
//! settled, and further pairs of level pairings when all games before them are. So the order of games in the
//! schedule does not depend on the order in which they end.

use super::batch::{GameBatch, PreviousGames};
use super::format::{Dependence, Format, FormatKind, FormatState, NextBatch, Ranking};
use super::results::Results;
use super::{Bye, Decided, Decision, round_robin};
use crate::text::Message;
use std::collections::VecDeque;

pub(super) const KIND: FormatKind = FormatKind {
    word: "knockout",
    help: "the loser is out",
    keys: &["schedule.best-of"],
    dependence: Dependence::Rounds,
    refusal: |&Format { best_of, .. }, _| {
        let why = "must be even, so that both bots have the first side equally often";
        (best_of % 2 == 1).then(|| ("schedule.best-of", best_of.to_string(), why.to_owned()))
    },
    games: |format, bots| bots.saturating_sub(1) * u64::from(format.best_of),
    openings: |format| u64::from(format.best_of).div_ceil(2),
    pairs_at_once: |format, bots| bots / 2 * u64::from(format.best_of).div_ceil(2),
    begin: |format, bots| Box::new(Knockout::new(format, bots.count())),
    ..round_robin::KIND
};

/// Maximum number of further pairs after a level result; if they are level too, the better seed wins.
const FURTHER_PAIRS: u32 = 3;

/// A pairing of the current round.
#[derive(Debug, Clone)]
struct KnockoutPairing {
    number: u64,
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
    /// The bots of the next round; neighbours are paired. In the first round a place without a bot is a bye.
    bracket: Vec<Option<usize>>,
    /// Pairings with games that are running or not yet handed out, in order of the bracket.
    open: Vec<KnockoutPairing>,
    /// Further pairs that the open pairings have had.
    further: u32,
    /// Games to be handed out before the next decision.
    batches: VecDeque<GameBatch>,
    handed_out: u64,
    decided: Vec<Decided>,
    byes: Vec<Bye>,
}

impl Knockout {
    fn new(format: &Format, bots: usize) -> Knockout {
        let bracket = bracket(bots);
        let is_alone = |pair: &[Option<usize>]| match pair {
            &[Some(bot), None] | &[None, Some(bot)] => Some(Bye { round: 1, bot, half_points: 0 }),
            _ => None,
        };
        let mut byes: Vec<Bye> = bracket.chunks(2).filter_map(is_alone).collect();
        byes.sort_by_key(|bye| bye.bot);
        Knockout { bots, best_of: format.best_of, bracket, byes, ..Knockout::default() }
    }

    fn begin_round(&mut self, results: &Results) {
        self.round += 1;
        self.further = 0;
        for pair in self.bracket.chunks(2) {
            if let &[Some(one), Some(other)] = pair {
                let bots = [one.min(other), one.max(other)];
                let before = bots.map(|bot| results.points(bot));
                self.open.push(KnockoutPairing { number: self.meetings, bots, before });
                self.meetings += 1;
            }
        }
        let games = u64::from(self.best_of);
        self.batches = self.open.iter().map(|meeting| self.batch(meeting, 0, games)).collect();
    }

    /// Decides pairings and schedules further pairs for level ones. All games handed out must be settled.
    fn judge(&mut self, results: &Results) {
        for mut meeting in std::mem::take(&mut self.open) {
            let points = meeting.bots.map(|bot| results.points(bot));
            let [better, other] = [0, 1].map(|at| points[at] - meeting.before[at]);
            if better == other && self.further < FURTHER_PAIRS {
                meeting.before = points;
                self.open.push(meeting);
                continue;
            }
            let [winner, loser] =
                if better >= other { meeting.bots } else { [meeting.bots[1], meeting.bots[0]] };
            let decision = match self.further {
                _ if better == other => Decision::Seed,
                0 => Decision::Games,
                further => Decision::FurtherPair(further),
            };
            self.decided.push(Decided {
                round: self.round,
                meeting: meeting.number,
                winner,
                loser,
                decision,
            });
            self.bracket.iter_mut().filter(|bot| **bot == Some(loser)).for_each(|bot| *bot = None);
        }
        if self.open.is_empty() {
            self.bracket = self.bracket.chunks(2).map(|pair| pair.iter().copied().flatten().next()).collect();
            return;
        }
        let played = u64::from(self.best_of) + 2 * u64::from(self.further);
        self.further += 1;
        self.batches = self.open.iter().map(|meeting| self.batch(meeting, played, played + 2)).collect();
    }

    fn batch(&self, meeting: &KnockoutPairing, played: u64, end: u64) -> GameBatch {
        let previous = PreviousGames::default(); // two bots are paired at most once in a knockout
        GameBatch { meeting: meeting.number, round: self.round, bots: meeting.bots, previous, played, end }
    }
}

impl FormatState for Knockout {
    fn next(&mut self, results: &Results) -> NextBatch {
        loop {
            if let Some(batch) = self.batches.pop_front() {
                self.handed_out += batch.end - batch.played;
                return NextBatch::Play(batch);
            }
            if results.prefix() < self.handed_out {
                return NextBatch::Wait;
            }
            if !self.open.is_empty() {
                self.judge(results);
            } else if self.bracket.len() > 1 {
                self.begin_round(results);
            } else {
                return NextBatch::Over;
            }
        }
    }

    /// Bots that are still in come first, then those that went out, the latest first.
    fn ranking(&self) -> Ranking {
        let mut places = vec![1; self.bots];
        let last = self.decided.iter().map(|decided| decided.round).max().unwrap_or_default();
        for decided in &self.decided {
            places[decided.loser] = 2 + (last - decided.round) as usize;
        }
        Ranking::Knockout(places)
    }

    fn byes(&self) -> &[Bye] {
        &self.byes
    }

    /// The pairings that were level after their regular games, and the winner.
    fn notes(&self, names: &[String]) -> Vec<Message> {
        let note = |&Decided { round, winner, loser, decision, .. }: &Decided| {
            let [begin, verb, end] = match decision {
                Decision::Games => return None,
                Decision::FurtherPair(pair) => ["", " beat ", &format!(" in further pair {pair}")],
                Decision::Seed => ["all games were level; ", " advances over ", " as the better seed"],
            };
            let winner = Message::from(format!("round {round}: {begin}")).bot(&*names[winner]);
            Some(winner.own(verb).bot(&*names[loser]).own(end))
        };
        let winner = match self.bracket[..] {
            [Some(winner)] => Some(Message::default().bot(&*names[winner]).own(" has won the knockout")),
            _ => None,
        };
        self.decided.iter().filter_map(note).chain(winner).collect()
    }

    fn decided(&self) -> &[Decided] {
        &self.decided
    }
}

/// The places of the first round from top to bottom. With each doubling of the places every seed gets the
/// opponent that it has in a full bracket of that size: the best seed the last, the second the last but one.
fn bracket(bots: usize) -> Vec<Option<usize>> {
    let mut places = vec![0];
    while places.len() < bots {
        let last = 2 * places.len() - 1;
        places = places.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    places.into_iter().map(|seed| (seed < bots).then_some(seed)).collect()
}
