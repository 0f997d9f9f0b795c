//! Who loses is out: a bracket in which the two best seeds can meet in the final only.
//!
//! The seed is the place in the configuration. A round begins when all games of the round before are settled, and
//! further pairs of level meetings when all games before them are: so the order of games in the schedule does not
//! depend on which of them end first.

use super::results::Results;
use super::stretch::{Earlier, Stretch};
use super::{Bye, Step};
use std::collections::VecDeque;

/// So many further pairs decide a level meeting at most; after them the better seed wins.
const FURTHER_PAIRS: u32 = 3;

/// How a meeting of a knockout ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    /// The round, from 1; the loser was knocked out in it.
    pub round: u32,
    /// Which pairing of the schedule it was.
    pub meeting: u64,
    /// Who plays on, or has won the tournament.
    pub winner: usize,
    /// Who is out.
    pub loser: usize,
    /// What decided it.
    pub decision: Decision,
}

/// What decided a meeting of a knockout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The points of its regular games.
    Games,
    /// They were level; this further pair, from 1, was the first that was not.
    FurtherPair(u32),
    /// Everything was level; the better seed won.
    Seed,
}

/// A meeting of the round that is being played.
#[derive(Debug, Clone)]
struct Meeting {
    number: u64,
    /// The better seed first.
    bots: [usize; 2],
    /// What the two had scored before the games that are to decide.
    before: [u64; 2],
}

#[derive(Debug, Clone)]
pub(super) struct Knockout {
    best_of: u32,
    round: u32,
    meetings: u64,
    /// Who plays in the next round: neighbours meet; in the first round a place without a bot is a bye.
    bracket: Vec<Option<usize>>,
    /// Meetings whose games are being played or still to be handed out, in order of the bracket.
    open: Vec<Meeting>,
    /// Further pairs that the open meetings have had.
    further: u32,
    /// What is to be handed out before anything is decided.
    stretches: VecDeque<Stretch>,
    handed_out: u64,
    pub(super) decided: Vec<Decided>,
    pub(super) byes: Vec<Bye>,
}

impl Knockout {
    pub(super) fn new(bots: usize, best_of: u32) -> Knockout {
        let bracket = bracket(bots);
        let is_alone = |pair: &[Option<usize>]| match pair {
            &[Some(bot), None] | &[None, Some(bot)] => Some(Bye { round: 1, bot }),
            _ => None,
        };
        let mut byes: Vec<Bye> = bracket.chunks(2).filter_map(is_alone).collect();
        byes.sort_by_key(|bye| bye.bot);
        Knockout {
            best_of,
            round: 0,
            meetings: 0,
            bracket,
            open: Vec::new(),
            further: 0,
            stretches: VecDeque::new(),
            handed_out: 0,
            decided: Vec::new(),
            byes,
        }
    }

    pub(super) fn winner(&self) -> Option<usize> {
        if self.bracket.len() == 1 { self.bracket[0] } else { None }
    }

    pub(super) fn next(&mut self, results: &Results) -> Step {
        loop {
            if let Some(stretch) = self.stretches.pop_front() {
                self.handed_out += stretch.end - stretch.played;
                return Step::Play(stretch);
            }
            if results.prefix() < self.handed_out {
                return Step::Wait;
            }
            if !self.open.is_empty() {
                self.judge(results);
            } else if self.bracket.len() > 1 {
                self.begin_round(results);
            } else {
                return Step::Over;
            }
        }
    }

    fn begin_round(&mut self, results: &Results) {
        self.round += 1;
        self.further = 0;
        for pair in self.bracket.chunks(2) {
            if let &[Some(one), Some(other)] = pair {
                let bots = [one.min(other), one.max(other)];
                let before = bots.map(|bot| results.points(bot));
                self.open.push(Meeting { number: self.meetings, bots, before });
                self.meetings += 1;
            }
        }
        let games = u64::from(self.best_of);
        self.stretches = self.open.iter().map(|meeting| self.stretch(meeting, 0, games)).collect();
    }

    /// All games that were handed out are settled: decides meetings, and gives level ones a further pair.
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
        self.stretches = self.open.iter().map(|meeting| self.stretch(meeting, played, played + 2)).collect();
    }

    fn stretch(&self, meeting: &Meeting, played: u64, end: u64) -> Stretch {
        let earlier = Earlier::default(); // two bots meet once: then one of them is out
        Stretch { meeting: meeting.number, round: self.round, bots: meeting.bots, earlier, played, end }
    }
}

/// The places of the first round from top to bottom. With each doubling of the places every seed gets the opponent that
/// it has in a full bracket of that size: the best the last, the second the last but one.
fn bracket(bots: usize) -> Vec<Option<usize>> {
    let mut places = vec![0];
    while places.len() < bots {
        let last = 2 * places.len() - 1;
        places = places.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    places.into_iter().map(|seed| (seed < bots).then_some(seed)).collect()
}
