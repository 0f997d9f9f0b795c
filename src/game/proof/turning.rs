//! Where a game was lost by what is proved of its positions.

use super::search::{DEEPEST, EVER, OutOfNodes, Proof, Prover, SearchResult};
use crate::record::Record;
use crate::replay::{MOST_PLIES, replay};
use crate::{Outcome, Played};
use arbiter_rules::{Ending, Ply, Position, Side};
use std::collections::HashMap;
use std::fmt;

/// The default bound of nodes for a game: the number of positions that are looked at
/// (`--nodes` in docs/reference/commands.md).
pub const NODES: u64 = 5_000_000;

/// Missed wins are searched in the last plies of a game only: each depth is tried at all of them
/// before the next one, so many of them would leave few nodes for each.
const LAST_PLIES: usize = 1_000;

/// What is proved about a ply, for the side that plays it. Plies are counted from this one, which
/// is the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// It wins by force.
    Wins {
        /// The most plies until the end.
        within: u16,
        /// No fewer plies are enough.
        is_shortest: bool,
    },
    /// It loses by force.
    Loses {
        /// The most plies until the end.
        within: u16,
        /// No fewer plies are enough.
        is_shortest: bool,
    },
    /// Neither side has a forced win after it.
    Draws,
    /// The opponent has no forced win within this many plies; none at all if it is [`EVER`].
    Holds(u16),
}

impl fmt::Display for Value {
    /// Writes `wins by force in 3`, `loses by force within 4`, `draws`, `does not lose within 8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, within, is_shortest) = match *self {
            Value::Wins { within: 1, .. } => return f.write_str("wins at once"),
            Value::Loses { within: 1, .. } => return f.write_str("loses at once"),
            Value::Wins { within, is_shortest } => ("wins", within, is_shortest),
            Value::Loses { within, is_shortest } => ("loses", within, is_shortest),
            Value::Draws => return f.write_str("draws"),
            Value::Holds(EVER) => return f.write_str("does not lose"),
            Value::Holds(within) => return write!(f, "does not lose within {within}"),
        };
        write!(f, "{verb} by force {} {within}", if is_shortest { "in" } else { "within" })
    }
}

impl Value {
    /// The value of a ply after which a side wins by force, for the side that played it; `within`
    /// counts from the position after it.
    fn after(is_mover: bool, within: u16, is_shortest: bool) -> Value {
        let within = within.saturating_add(1);
        if is_mover {
            Value::Wins { within, is_shortest }
        } else {
            Value::Loses { within, is_shortest }
        }
    }
}

/// What is proved about a ply of the loser.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The number of the ply, from 1.
    pub number: usize,
    pub before: Position,
    /// The ply that was played.
    pub played: Ply,
    /// Its value, if one is proved.
    pub value: Option<Value>,
    /// Another ply with its value, which is proved to be better: a win, or no loss in as many
    /// plies.
    pub better: Option<(Ply, Value)>,
    /// The plies of the proof from `before` on: of the win that was not played, else of the loss.
    /// It ends with the game, or earlier if the nodes were used up.
    pub line: Vec<Ply>,
}

impl Claim {
    /// The game with the proof in place of its plies from this one on; `None` if the proof does not
    /// reach the end.
    pub fn proof_of(&self, record: &Record) -> Option<Record> {
        let mut plies = record.plies[..self.number - 1].to_vec();
        let mut end = self.before.clone();
        for &ply in &self.line {
            plies.push(Played { ply, note: None });
            end = end.after(ply);
        }
        let outcome = Outcome::by_rules(&end)?;
        Some(Record { plies, outcome, ..record.clone() })
    }
}

/// What is proved about a game that a side lost by the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Turning {
    /// The side that lost.
    pub loser: Side,
    /// In the order of the game: the last ply of each row of its plies before which it had a proved
    /// win, and the ply that turned the game.
    pub claims: Vec<Claim>,
    /// The number of the ply that turned the game: the last ply of the loser before which its loss
    /// is not proved. `None` if it is proved before all of them.
    pub turned: Option<usize>,
    /// The value of each ply of the game for the side that played it: a win, a loss or a draw,
    /// where one is proved.
    pub values: Vec<Option<Value>>,
    /// The number of positions that were looked at.
    pub nodes: u64,
}

/// Why nothing can be proved about a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// No side lost it by the rules.
    #[error("no side lost it by the rules: it ended by {0}")]
    NotLost(String),
    /// A custom game.
    #[error("proofs are for the games of arbiter: {0} is a custom game")]
    OwnGame(String),
    /// It has too many plies.
    #[error("it has {0} plies, and proofs are for games of at most {MOST_PLIES}")]
    TooLong(usize),
    /// The log contradicts the rules.
    #[error("it contradicts the rules{}: {what}", at_ply(*ply))]
    Invalid {
        /// The number of the wrong ply, from 1; `None` if the result is wrong.
        ply: Option<usize>,
        /// What is wrong.
        what: String,
    },
}

fn at_ply(ply: Option<usize>) -> String {
    ply.map(|ply| format!(" at ply {ply}")).unwrap_or_default()
}

impl Turning {
    /// Proves what it can about a logged game with at most this many nodes. Draws by repetition and
    /// by the limit of plies count by the log's tags `Repetition` and `MaxPlies`; without these
    /// tags there are no such draws.
    ///
    /// # Errors
    /// The game is a custom one, its log is wrong, no side lost it by the rules, or it is too long.
    pub fn of(record: &Record, nodes: u64) -> Result<Turning, Unproved> {
        let ruleset = record.ruleset();
        let game = ruleset.game();
        if game.asks_rules() {
            return Err(Unproved::OwnGame(game.name().to_owned()));
        }
        replay(record).map_err(|wrong| Unproved::Invalid { ply: wrong.ply, what: wrong.what })?;
        let Some(loser) = record.outcome.loser_by_rules() else {
            return Err(Unproved::NotLost(record.outcome.termination().to_owned()));
        };
        if record.plies.len() > MOST_PLIES {
            return Err(Unproved::TooLong(record.plies.len()));
        }
        Ok(Walk::new(record, loser, nodes).turning())
    }
}

/// What was proved so far, by the number of plies before a position.
struct Found {
    /// The loss is proved within this many plies.
    lost: Vec<Option<u16>>,
    /// The position that turned the game is not lost within this many plies.
    holds: u16,
    turned: Option<usize>,
    /// The wins of the loser.
    loser_wins: Vec<Proof>,
}

/// A game that is searched backwards from its end.
struct Walk {
    /// The positions of the game, from its start to its end.
    positions: Vec<Position>,
    plies: Vec<Ply>,
    /// The indices of positions that draw when they occur once more.
    nearly_drawn: Vec<usize>,
    /// The length that draws.
    most: u32,
    loser: Side,
    /// The bound of nodes for both searches together.
    nodes: u64,
    /// The search for forced wins of the winner, and for those that the loser missed.
    winner_prover: Prover,
    loser_prover: Prover,
}

impl Walk {
    fn new(record: &Record, loser: Side, nodes: u64) -> Walk {
        let plies: Vec<Ply> = record.plies.iter().map(|played| played.ply).collect();
        let mut positions = vec![record.start.clone()];
        positions.extend(record.steps().map_while(|step| step.after.ok()));
        // Each position once, with how often it has occurred.
        let mut met: HashMap<u64, Vec<(usize, u32)>> = HashMap::new();
        let mut nearly_drawn = Vec::new();
        for (at, position) in positions.iter().enumerate() {
            let known = met.entry(position.key()).or_default();
            let earlier =
                known.iter_mut().find(|(earlier, _)| positions[*earlier].repeats(position));
            let times = if let Some((_, times)) = earlier {
                *times += 1;
                *times
            } else {
                known.push((at, 1));
                1
            };
            if record.repetition == Some(times + 1) {
                nearly_drawn.push(at);
            }
        }
        Walk {
            positions,
            plies,
            nearly_drawn,
            most: record.max_plies.filter(|&most| most > 0).unwrap_or(u32::MAX),
            loser,
            nodes,
            winner_prover: Prover::new(!loser),
            loser_prover: Prover::new(loser),
        }
    }

    fn turning(mut self) -> Turning {
        // The nodes are shared in eighths (`until`): five for the way back, one for the loss after
        // the ply that turned the game, one for missed wins, and the rest for lines and values.
        let (lost, holds) = self.walk_back();
        let turned = self.plies_of_loser().rfind(|&at| lost[at].is_none());
        let loser_wins = vec![Proof::Holds(0); self.plies.len()];
        let mut found = Found { lost, holds, turned, loser_wins };
        let mut claims = Vec::new();
        if let Some(at) = turned {
            let loss = self.loss_after(at, &found.lost);
            claims = self.missed_wins(at, &mut found.loser_wins);
            // If the ply that turned the game also missed a win, both are one claim.
            let missed = claims.pop_if(|claim| claim.number == at + 1);
            claims.push(self.turning_ply(at, &found, loss, missed));
        }
        let values = self.values(&found);
        Turning {
            loser: self.loser,
            claims,
            turned: turned.map(|at| at + 1),
            values,
            nodes: self.used(),
        }
    }

    /// Goes back from the end as far as the loss is proved at every ply of the loser: `lost` and
    /// `holds` of [`Found`].
    fn walk_back(&mut self) -> (Vec<Option<u16>>, u16) {
        let mut lost = vec![None; self.plies.len()];
        lost.push(Some(0));
        for at in (0..self.plies.len()).rev() {
            if self.positions[at].side() != self.loser {
                lost[at] = lost[at + 1].map(|within: u16| within.saturating_add(1));
                continue;
            }
            // If the loss is not proved here, the game was not lost yet, as far as is known.
            self.prepare(at, &lost);
            match self.winner_prover.prove(&self.positions[at], self.left(at), self.until(5)) {
                Proof::Wins { within, .. } => lost[at] = Some(within),
                Proof::Holds(holds) => return (lost, holds),
            }
        }
        (lost, 0)
    }

    /// Prepares the search for the winner's wins for a position: what draws there, and what the
    /// plies of the game after it have shown.
    fn prepare(&mut self, at: usize, lost: &[Option<u16>]) {
        self.winner_prover.set_drawn(&self.drawn(at));
        // From the next position in which the winner is to move: only there a ply shows a win.
        let mut next = at + usize::from(self.positions[at].side() == self.loser);
        while next < self.plies.len()
            && self.positions[next].side() != self.loser
            && let Some(within) = lost[next]
        {
            self.winner_prover.enter_win(&self.positions[next], self.plies[next], within);
            next += 1;
        }
    }

    /// The last of each row of plies of the loser before which it had a proved win, up to the
    /// position `last`. `loser_wins` keeps what is proved.
    fn missed_wins(&mut self, last: usize, loser_wins: &mut [Proof]) -> Vec<Claim> {
        let end = self.loser_prover.nodes().saturating_add(self.until(7).min(self.nodes / 8));
        let from = self.plies.len().saturating_sub(LAST_PLIES);
        let range = from..=last;
        let candidates: Vec<usize> =
            self.plies_of_loser().filter(|at| range.contains(at)).collect();
        // All are searched to a depth before any is searched deeper, so that no deep position uses
        // up the nodes for short wins elsewhere.
        let mut open = candidates.clone();
        let mut best = HashMap::new();
        'deeper: for within in 1..=DEEPEST {
            let mut still = Vec::new();
            for at in open.into_iter().rev() {
                // The game is drawn before that.
                if self.left(at) < u32::from(within) {
                    loser_wins[at] = Proof::Holds(EVER);
                    continue;
                }
                self.loser_prover.set_drawn(&self.drawn(at));
                match self.loser_prover.search(&self.positions[at], within, end) {
                    Ok(SearchResult::Wins) => {
                        loser_wins[at] = Proof::Wins { within, is_shortest: true };
                        // Now: the table is cleared when other positions draw.
                        if let Some(ply) = self.loser_prover.best(&self.positions[at]) {
                            best.insert(at, ply);
                        }
                    }
                    Ok(SearchResult::Holds(plies)) => {
                        loser_wins[at] = Proof::Holds(plies);
                        if plies != EVER {
                            still.push(at);
                        }
                    }
                    Err(OutOfNodes) => break 'deeper,
                }
            }
            still.reverse();
            open = still;
        }
        let mut claims = Vec::new();
        for (index, &at) in candidates.iter().enumerate() {
            let next = candidates.get(index + 1).map(|&next| loser_wins[next]);
            if let Proof::Wins { within, .. } = loser_wins[at]
                && !matches!(next, Some(Proof::Wins { .. }))
                && let Some(&best) = best.get(&at)
            {
                claims.push(self.missed_win(at, within, best));
            }
        }
        claims
    }

    /// The claim that the loser had a win in `within` plies and no fewer, which begins with `best`.
    fn missed_win(&mut self, at: usize, within: u16, best: Ply) -> Claim {
        self.loser_prover.set_drawn(&self.drawn(at));
        let before = self.positions[at].clone();
        let mut line = self.loser_prover.line(&before, within, self.until(8));
        if line.is_empty() {
            line.push(best);
        }
        let better = Some((line[0], Value::Wins { within, is_shortest: true }));
        Claim { number: at + 1, before, played: self.plies[at], value: None, better, line }
    }

    /// The plies until the end after the ply `at`, by which the loser loses by force, and whether
    /// no fewer are enough.
    fn loss_after(&mut self, at: usize, lost: &[Option<u16>]) -> (u16, bool) {
        let known = lost[at + 1].unwrap_or(EVER);
        if self.positions[at + 1].ending().is_some() {
            return (known, true);
        }
        self.prepare(at, lost);
        match self.winner_prover.prove(&self.positions[at + 1], self.left(at + 1), self.until(6)) {
            Proof::Wins { within, is_shortest } => (within, is_shortest),
            Proof::Holds(_) => (known, false),
        }
    }

    /// What is proved about the ply that turned the game, after which the loss takes at most
    /// `within` plies; `missed` is the win that it missed.
    fn turning_ply(
        &mut self,
        at: usize,
        found: &Found,
        (within, is_shortest): (u16, bool),
        missed: Option<Claim>,
    ) -> Claim {
        let before = self.positions[at].clone();
        self.prepare(at, &found.lost);
        let best = self.winner_prover.best(&before);
        let value = Some(Value::after(false, within, is_shortest));
        // A missed win says more than a longer defence.
        if let Some(missed) = missed {
            return Claim { value, ..missed };
        }
        // The better ply draws if neither side has a win, or holds longer than the one played.
        let holds = match (found.holds, found.loser_wins[at]) {
            (EVER, Proof::Holds(EVER)) => Some(Value::Draws),
            (holds, _) if holds > within => Some(Value::Holds(holds)),
            _ => None,
        };
        let mut line = vec![self.plies[at]];
        line.extend(self.winner_prover.line(&self.positions[at + 1], within, self.until(8)));
        Claim {
            number: at + 1,
            before,
            played: self.plies[at],
            value,
            better: best.zip(holds),
            line,
        }
    }

    /// The values of the plies, from the last one back to where the value of a position is not
    /// proved.
    fn values(&mut self, found: &Found) -> Vec<Option<Value>> {
        let mut values = vec![None; self.plies.len()];
        for at in (0..self.plies.len()).rev() {
            let side = self.positions[at].side();
            values[at] = match self.positions[at + 1].ending() {
                Some(Ending { winner: None, .. }) => Some(Value::Draws),
                Some(Ending { winner, .. }) => Some(Value::after(winner == Some(side), 0, true)),
                None => self.value_after(side, at + 1, found),
            };
            if values[at].is_none() {
                break;
            }
        }
        values
    }

    /// The value of the ply that led to the position `at`, for the side that played it.
    fn value_after(&mut self, side: Side, at: usize, found: &Found) -> Option<Value> {
        // All nodes that there are for the position that turned the game were spent.
        let is_open =
            found.holds != EVER && !matches!(found.loser_wins.get(at), Some(Proof::Wins { .. }));
        if found.turned == Some(at) && is_open {
            return None;
        }
        self.prepare(at, &found.lost);
        self.loser_prover.set_drawn(&self.drawn(at));
        let mut is_drawn = true;
        for winner in [!self.loser, self.loser] {
            let left = self.left(at);
            let nodes = self.until(8);
            let prover =
                if winner == self.loser { &mut self.loser_prover } else { &mut self.winner_prover };
            match prover.prove(&self.positions[at], left, nodes) {
                Proof::Wins { within, is_shortest } => {
                    return Some(Value::after(winner == side, within, is_shortest));
                }
                // The way back has proved it, with more nodes than are left now.
                Proof::Holds(_) if let Some(within) = found.lost[at] => {
                    return Some(Value::after(winner == side, within, false));
                }
                Proof::Holds(plies) => is_drawn &= plies == EVER,
            }
        }
        is_drawn.then_some(Value::Draws)
    }

    /// The indices of the plies of the loser.
    fn plies_of_loser(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.plies.len()).filter(|&at| self.positions[at].side() == self.loser)
    }

    /// The number of plies that the game may still have after this many.
    fn left(&self, plies: usize) -> u32 {
        self.most.saturating_sub(u32::try_from(plies).unwrap_or(u32::MAX))
    }

    /// The positions that draw when they occur again after the position `at`.
    fn drawn(&self, at: usize) -> Vec<Position> {
        let mut drawn = Vec::new();
        for &index in &self.nearly_drawn {
            if index <= at {
                drawn.push(self.positions[index].clone());
            }
        }
        drawn
    }

    fn used(&self) -> u64 {
        self.winner_prover.nodes() + self.loser_prover.nodes()
    }

    /// What is left of so many eighths of all nodes.
    fn until(&self, eighths: u64) -> u64 {
        (self.nodes / 8).saturating_mul(eighths).saturating_sub(self.used())
    }
}
