//! Where a game was lost by what is proved of its positions.

use super::search::{Answer, DEEPEST, EVER, OutOfNodes, Proof, Prover};
use crate::record::Record;
use crate::replay::{MOST_PLIES, replay};
use crate::{Outcome, Played};
use arbiter_rules::{Ply, Position, Side};
use std::collections::HashMap;
use std::fmt;

/// The bound of nodes of a game, if none is given.
pub const NODES: u64 = 5_000_000;

/// Wins are looked for in so many last plies of a game alone.
const LAST_PLIES: usize = 1_000;

/// What is proved of a ply, for the side that plays it. Plies are counted from that ply on, with
/// it.
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
    /// The opponent has no forced win within so many plies; none at all if it is [`EVER`].
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

/// What is proved of a ply of the loser.
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
    /// It ends with the game, or early if the nodes ended.
    pub line: Vec<Ply>,
}

impl Claim {
    /// The game with the proof in place of its plies from this one on; none if the proof does not
    /// go to the end.
    #[must_use]
    pub fn proof_of(&self, record: &Record) -> Option<Record> {
        let plies = record.plies[..self.number - 1].iter().cloned();
        let proof = self.line.iter().map(|&ply| Played { ply, note: None });
        let end = self.line.iter().fold(self.before.clone(), |position, &ply| position.after(ply));
        let outcome = Outcome::Rules(end.ending()?);
        Some(Record { plies: plies.chain(proof).collect(), outcome, ..record.clone() })
    }
}

/// What is proved of a game that a side lost by the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Turning {
    /// The side that lost.
    pub loser: Side,
    /// In the order of the game: the last ply of each row of its plies before which it had a proved
    /// win, and the ply that turned the game.
    pub claims: Vec<Claim>,
    /// The number of the ply that turned the game: the last ply of the loser before which its loss
    /// is not proved. None if it is proved before all of them.
    pub turned: Option<usize>,
    /// The value of each ply of the game for the side that played it: a win, a loss or a draw,
    /// where one is proved.
    pub values: Vec<Option<Value>>,
    /// The number of positions that were looked at.
    pub nodes: u64,
}

/// Why nothing can be said of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// No side lost it by the rules.
    #[error("no side lost it by the rules: it ended by {0}")]
    NotLost(String),
    /// A custom game.
    #[error("proofs are for the games of arbiter: {0} is a game of one's own")]
    OwnGame(String),
    /// It has too many plies.
    #[error("it has {0} plies, and proofs are for games of at most {MOST_PLIES}")]
    TooLong(usize),
    /// The log contradicts the rules.
    #[error("it contradicts the rules{}: {what}", .ply.map(|ply| format!(" at ply {ply}")).unwrap_or_default())]
    Invalid {
        /// The number of the wrong ply, from 1; none if the result is wrong.
        ply: Option<usize>,
        /// What is wrong.
        what: String,
    },
}

impl Turning {
    /// Proves what it can of a logged game with at most this many nodes. Draws by repetition and by
    /// the limit of plies count as the log's tags `Repetition` and `MaxPlies` have them; a log
    /// without them is of a game without.
    ///
    /// # Errors
    /// The game is not one that a side lost by the rules of a game of arbiter, its log is wrong, or
    /// it is too long.
    pub fn of(record: &Record, nodes: u64) -> Result<Turning, Unproved> {
        let ruleset = record.ruleset();
        let game = ruleset.game();
        if game.asks_rules() {
            return Err(Unproved::OwnGame(game.name().to_owned()));
        }
        replay(record).map_err(|wrong| Unproved::Invalid { ply: wrong.ply, what: wrong.what })?;
        let not_lost = || Unproved::NotLost(record.outcome.termination().to_string());
        let loser = record.outcome.loser_by_rules().ok_or_else(not_lost)?;
        if record.plies.len() > MOST_PLIES {
            return Err(Unproved::TooLong(record.plies.len()));
        }
        Ok(Walk::new(record, loser, nodes).turning())
    }
}

/// A game on the way back from its end.
struct Walk {
    /// The positions of the game, from its start to its end.
    positions: Vec<Position>,
    plies: Vec<Ply>,
    /// Where the game came to a position that draws when it occurs once more.
    nearly_drawn: Vec<usize>,
    /// The length that draws.
    most: u32,
    loser: Side,
    nodes: u64,
    wins: Prover,
    losses: Prover,
}

impl Walk {
    fn new(record: &Record, loser: Side, nodes: u64) -> Walk {
        let plies: Vec<Ply> = record.plies.iter().map(|played| played.ply).collect();
        let mut positions = vec![record.start.clone()];
        positions.extend(record.steps().map_while(|step| step.after.ok()));
        let repetition = record.repetition.filter(|&times| times > 0);
        // Each position once, with how often it has occurred.
        let mut met: HashMap<u64, Vec<(usize, u32)>> = HashMap::new();
        let mut nearly_drawn = Vec::new();
        for (at, position) in positions.iter().enumerate() {
            let known = met.entry(position.key()).or_default();
            let earlier =
                known.iter_mut().find(|(earlier, _)| positions[*earlier].repeats(position));
            let times = match earlier {
                Some((_, times)) => {
                    *times += 1;
                    *times
                }
                None => {
                    known.push((at, 1));
                    1
                }
            };
            nearly_drawn.extend((repetition == Some(times + 1)).then_some(at));
        }
        Walk {
            positions,
            plies,
            nearly_drawn,
            most: record.max_plies.filter(|&plies| plies > 0).unwrap_or(u32::MAX),
            loser,
            nodes,
            wins: Prover::new(!loser),
            losses: Prover::new(loser),
        }
    }

    fn turning(mut self) -> Turning {
        let (lost, holds) = self.walk_back();
        let turned = self.plies_of(self.loser).rfind(|&at| lost[at].is_none());
        let loss = turned.map_or((0, false), |at| self.loss_after(at, &lost));
        let mut found =
            Found { lost, holds, turned, loss, won: vec![Proof::Holds(0); self.plies.len()] };
        let mut claims = match turned {
            Some(at) => self.missed_wins(at, &mut found.won),
            None => Vec::new(),
        };
        if let Some(at) = turned {
            let missed = claims.pop_if(|claim| claim.number == at + 1);
            let claim = self.turning_ply(at, &found, missed);
            claims.push(claim);
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

    /// Goes back from the end as far as the loss is proved at every ply of the loser.
    fn walk_back(&mut self) -> (Vec<Option<u16>>, u16) {
        let mut lost = vec![None; self.plies.len()];
        lost.push(Some(0));
        for at in (0..self.plies.len()).rev() {
            if self.positions[at].side() != self.loser {
                lost[at] = lost[at + 1].map(|within: u16| within.saturating_add(1));
                continue;
            }
            self.tell(at, &lost);
            match self.wins.prove(&self.positions[at], self.left(at), self.until(5)) {
                Proof::Wins { within, .. } => lost[at] = Some(within),
                Proof::Holds(holds) => return (lost, holds),
            }
        }
        (lost, 0)
    }

    /// Gets the search for the winner ready for a position: what draws there, and what the plies of
    /// the game after it show.
    fn tell(&mut self, at: usize, lost: &[Option<u16>]) {
        self.wins.set_drawn(&self.drawn(at));
        let mut next = at + usize::from(self.positions[at].side() == self.loser);
        while next < self.plies.len()
            && self.positions[next].side() != self.loser
            && let Some(within) = lost[next]
        {
            self.wins.tell(&self.positions[next], self.plies[next], within);
            next += 1;
        }
    }

    /// The last of each row of plies of the loser before which it had a proved win, up to the
    /// position `last`. All are searched to a number of plies before any is searched deeper. `won`
    /// keeps what is proved.
    fn missed_wins(&mut self, last: usize, won: &mut [Proof]) -> Vec<Claim> {
        let end = self.losses.nodes().saturating_add(self.until(7).min(self.nodes / 8));
        let from = self.plies.len().saturating_sub(LAST_PLIES);
        let is_near = |at: &usize| (from..=last).contains(at);
        let candidates: Vec<usize> = self.plies_of(self.loser).filter(is_near).collect();
        let mut open = candidates.clone();
        let mut best = HashMap::new();
        'deeper: for within in 1..=DEEPEST {
            let mut still = Vec::new();
            for at in open.into_iter().rev() {
                if self.left(at) < u32::from(within) {
                    won[at] = Proof::Holds(EVER); // the game is drawn before
                    continue;
                }
                self.losses.set_drawn(&self.drawn(at));
                match self.losses.search(&self.positions[at], within, end) {
                    Ok(Answer::Wins) => {
                        won[at] = Proof::Wins { within, is_shortest: true };
                        best.insert(at, self.losses.best(&self.positions[at]));
                    }
                    Ok(Answer::Holds(plies)) => {
                        won[at] = Proof::Holds(plies);
                        still.extend((plies != EVER).then_some(at));
                    }
                    Err(OutOfNodes) => break 'deeper,
                }
            }
            still.reverse();
            open = still;
        }
        let is_won = |at: usize| matches!(won[at], Proof::Wins { .. });
        let next = candidates.iter().skip(1).map(|&at| is_won(at)).chain([false]);
        let missed = candidates.iter().zip(next).filter(|&(&at, next)| is_won(at) && !next);
        let missed: Vec<usize> = missed.map(|(&at, _)| at).collect();
        missed
            .into_iter()
            .filter_map(|at| self.missed_win(at, won[at], best.remove(&at)??))
            .collect()
    }

    fn missed_win(&mut self, at: usize, proof: Proof, best: Ply) -> Option<Claim> {
        let Proof::Wins { within, is_shortest } = proof else { return None };
        self.losses.set_drawn(&self.drawn(at));
        let before = self.positions[at].clone();
        let mut line = self.losses.line(&before, within, self.until(8));
        if line.is_empty() {
            line.push(best);
        }
        let better = Some((line[0], Value::Wins { within, is_shortest }));
        Some(Claim { number: at + 1, before, played: self.plies[at], value: None, better, line })
    }

    /// In how many plies the loser loses by force after the ply at this place, and whether that is
    /// the fewest.
    fn loss_after(&mut self, at: usize, lost: &[Option<u16>]) -> (u16, bool) {
        let known = lost[at + 1].unwrap_or(EVER);
        if self.positions[at + 1].ending().is_some() {
            return (known, true);
        }
        self.tell(at, lost);
        match self.wins.prove(&self.positions[at + 1], self.left(at + 1), self.until(6)) {
            Proof::Wins { within, is_shortest } => (within, is_shortest),
            Proof::Holds(_) => (known, false),
        }
    }

    /// What is proved of the ply that turned the game, of which `missed` says that there was a win.
    fn turning_ply(&mut self, at: usize, found: &Found, missed: Option<Claim>) -> Claim {
        let before = self.positions[at].clone();
        self.tell(at, &found.lost);
        let best = self.wins.best(&before);
        let loss = found.loss;
        let value = Some(Value::after(before.side() == !self.loser, loss.0, loss.1));
        if let Some(missed) = missed {
            return Claim { value, ..missed };
        }
        let holds = match (found.holds, found.won[at]) {
            (EVER, Proof::Holds(EVER)) => Some(Value::Draws),
            (holds, _) if holds > loss.0 => Some(Value::Holds(holds)),
            _ => None,
        };
        let mut line = vec![self.plies[at]];
        line.extend(self.wins.line(&self.positions[at + 1], loss.0, self.until(8)));
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
            let after = &self.positions[at + 1];
            let winner = match after.ending() {
                Some(ending) => ending.winner.map(|winner| (winner, 0, true)),
                None => match self.value(at + 1, found) {
                    Some(winner) => winner,
                    None => break,
                },
            };
            let side = self.positions[at].side();
            values[at] = Some(match winner {
                Some((winner, within, is_shortest)) => {
                    Value::after(winner == side, within, is_shortest)
                }
                None => Value::Draws,
            });
        }
        values
    }

    /// Who wins from a position by force, in how many plies, and whether fewer are not enough; none
    /// inside if neither side does, and none if that is not proved.
    #[expect(clippy::option_option, reason = "a draw and what is not proved are different")]
    fn value(&mut self, at: usize, found: &Found) -> Option<Option<(Side, u16, bool)>> {
        let is_open = found.holds != EVER && !matches!(found.won.get(at), Some(Proof::Wins { .. }));
        if found.turned == Some(at) && is_open {
            return None; // as many nodes as there are for it were spent
        }
        self.tell(at, &found.lost);
        self.losses.set_drawn(&self.drawn(at));
        let mut is_drawn = true;
        for winner in [!self.loser, self.loser] {
            let left = self.left(at);
            let nodes = self.until(8);
            let prover = if winner == self.loser { &mut self.losses } else { &mut self.wins };
            match prover.prove(&self.positions[at], left, nodes) {
                Proof::Wins { within, is_shortest } => {
                    return Some(Some((winner, within, is_shortest)));
                }
                Proof::Holds(_) if found.lost[at].is_some() => {
                    return found.lost[at].map(|within| Some((winner, within, false)));
                }
                Proof::Holds(plies) => is_drawn &= plies == EVER,
            }
        }
        is_drawn.then_some(None)
    }

    /// The places of the plies of a side, from 0.
    fn plies_of(&self, side: Side) -> impl DoubleEndedIterator<Item = usize> + use<'_> {
        (0..self.plies.len()).filter(move |&at| self.positions[at].side() == side)
    }

    /// How many plies the game may still have after this many.
    fn left(&self, plies: usize) -> u32 {
        self.most.saturating_sub(u32::try_from(plies).unwrap_or(u32::MAX))
    }

    /// The positions that draw when they occur again, at this place of the game.
    fn drawn(&self, at: usize) -> Vec<Position> {
        let places = self.nearly_drawn.iter().take_while(|&&place| place <= at);
        places.map(|&place| self.positions[place].clone()).collect()
    }

    fn used(&self) -> u64 {
        self.wins.nodes() + self.losses.nodes()
    }

    /// The nodes that are left of so many eighths.
    fn until(&self, eighths: u64) -> u64 {
        (self.nodes / 8).saturating_mul(eighths).saturating_sub(self.used())
    }
}

/// What the walk back found, by the number of plies before a position.
struct Found {
    /// The loss is proved within so many plies.
    lost: Vec<Option<u16>>,
    /// The position that turned the game is not lost within so many plies.
    holds: u16,
    turned: Option<usize>,
    /// In how many plies the loss comes after the ply that turned the game, and whether that is the
    /// fewest.
    loss: (u16, bool),
    /// Wins of the loser.
    won: Vec<Proof>,
}
