//! The tree below the root: what is searched how deeply, and what is not searched.

use super::WON;
use crate::builtin::evaluation::{self, Evaluation, WIN};
use crate::builtin::game::DrawLimits;
use crate::builtin::move_ordering::{self, MAX_DEPTH, MoveOrdering, RankedPly};
use crate::builtin::time_management::SearchLimit;
use crate::builtin::transposition::{Bound, TranspositionEntry, TranspositionTable};
use arbiter_rules::{Ply, Position};
use std::time::Duration;

/// Nodes between two looks at the clock.
pub(super) const NODES_PER_TIME_CHECK: u64 = 32;
/// What a ply of depth is worth at most, for pruning by the static value, in hundredths of a logit.
const MARGIN: i32 = 120;
/// The depth up to which positions are pruned by their static value.
const PRUNED_DEPTH: i32 = 3;
/// The least depth at which late plies are searched less deeply (late move reductions), and how
/// many plies are never late.
const REDUCED_DEPTH: i32 = 3;
const NEVER_LATE: usize = 3;
/// The least depth at which passing is tried, and how much less deeply it is searched: the null
/// move of C. Donninger, "Null move and deep search", ICCA Journal 16 (1993), 137-143.
const NULL_DEPTH: i32 = 3;
const NULL_REDUCTION: i32 = 3;

/// The search was interrupted because a limit was reached.
#[derive(Debug)]
pub(super) struct Interrupted;

/// The values between which the exact value matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const OPEN: Window = Window { alpha: -WIN, beta: WIN };

    /// The window of the least width above alpha.
    fn null(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }

    /// The same, as the other side sees it.
    fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The search for the answer to one question.
pub(super) struct SearchRun<'a> {
    pub(super) evaluation: Box<dyn Evaluation>,
    pub(super) table: &'a mut TranspositionTable,
    pub(super) ordering: &'a mut MoveOrdering,
    /// The legal plies of the root with their numbers, in random order.
    pub(super) root: Vec<(u16, Ply)>,
    /// The hashes of all positions from the start of the game to the parent of the current node.
    pub(super) path: Vec<u64>,
    pub(super) draws: DrawLimits,
    /// The best ply at the current depth so far.
    pub(super) best: Option<(Ply, i32)>,
    pub(super) nodes: u64,
    pub(super) limit: SearchLimit,
    /// Whether the clock ended the search.
    pub(super) is_out_of_time: bool,
    pub(super) now: &'a mut dyn FnMut() -> Duration,
}

impl SearchRun<'_> {
    /// The value of a position for the side to move: exact inside the window, otherwise a bound on
    /// the same side of the window.
    pub(super) fn node(
        &mut self,
        position: &Position,
        depth: i32,
        height: u32,
        window: Window,
    ) -> Result<i32, Interrupted> {
        self.nodes += 1;
        self.check_limits()?;
        if let Some(ending) = position.ending() {
            return Ok(evaluation::ending_value(ending, position.side(), WIN - height as i32));
        }
        let key = position.key();
        if height > 0 && self.is_drawn(key) {
            return Ok(0);
        }
        if depth <= 0 || height >= MAX_DEPTH {
            return Ok(self.evaluation.value(position));
        }
        // No ply wins sooner than the next one (mate distance pruning).
        let soonest = WIN - height as i32 - 1;
        if height > 0 && window.alpha >= soonest {
            return Ok(soonest);
        }
        let known = self.table.get(key);
        // At the root a value is not enough: the best ply has to be found.
        if let Some(entry) = known
            && height > 0
            && i32::from(entry.depth) >= depth
        {
            let value = at_height(entry.value, height as i32);
            match entry.bound {
                Bound::Exact => return Ok(value),
                Bound::Lower if value >= window.beta => return Ok(value),
                Bound::Upper if value <= window.alpha => return Ok(value),
                Bound::Lower | Bound::Upper => {}
            }
        }
        let node = Node { position, depth, height, window, known: known.map(|entry| entry.ply) };
        if let Some(value) = self.pruned(&node)? {
            return Ok(value);
        }
        // If a limit interrupts the search, the path stays too long: nothing is searched after
        // that.
        self.path.push(key);
        let (best, ply) = self.best_ply(&node)?;
        self.path.pop();
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let value = at_height(best, -(height as i32));
        self.table.put(key, TranspositionEntry { value, bound, depth: depth as u8, ply });
        Ok(best)
    }

    /// The value of a position that need not be searched to its depth, since it is far better than
    /// asked for, or stays as good when the side to move passes.
    fn pruned(&mut self, node: &Node<'_>) -> Result<Option<i32>, Interrupted> {
        let &Node { position, depth, height, window, .. } = node;
        let beta = window.beta;
        if height == 0 || !window.is_null() || beta.abs() > WON {
            return Ok(None);
        }
        let tries_pass = depth >= NULL_DEPTH && self.evaluation.passing_is_bad();
        let tries_estimate = depth <= PRUNED_DEPTH && self.evaluation.is_steady();
        if !tries_estimate && !tries_pass {
            return Ok(None);
        }
        // The static value, less all that the rest of the depth can be worth.
        let estimate = self.evaluation.value(position);
        let least = estimate - MARGIN * depth;
        if tries_estimate && least >= beta {
            return Ok(Some(least));
        }
        if tries_pass
            && estimate >= beta
            && let Some(turned) = position.turned()
        {
            // If passing is good enough already, a real ply is so as well. No win is claimed by it.
            let less = depth - 1 - NULL_REDUCTION;
            let value = -self.node(&turned, less, height + 1, window.reversed())?;
            return Ok((value >= beta).then_some(value.min(WON)));
        }
        Ok(None)
    }

    /// The value of the best ply of a node, and the number of that ply.
    fn best_ply(&mut self, node: &Node<'_>) -> Result<(i32, u16), Interrupted> {
        let &Node { position, height, window: Window { mut alpha, beta }, .. } = node;
        let depth = node.depth - 1;
        let mut plies = self.ranked(position, height, node.known);
        // A position without an ending has at least one ply.
        let mut best = (-WIN, plies[0].number);
        for index in 0..plies.len() {
            move_ordering::best_to_front(&mut plies[index..]);
            let RankedPly { number, ply, .. } = plies[index];
            let next = position.after(ply);
            // In FlipFlop the same side may be to move again.
            let turned = next.side() != position.side();
            let is_late = index >= NEVER_LATE && node.depth >= REDUCED_DEPTH;
            let reduction = if is_late { reduction(depth, index) } else { 0 };
            let child = Child { next: &next, turned, height: height + 1 };
            // The first ply is searched with the whole window. The others only have to show that
            // they are not better: only one that is gets its reduced depth, and then the whole
            // window.
            let mut value = WIN;
            if index > 0 {
                value = self.child(&child, depth - reduction, Window::null(alpha))?;
                if value > alpha && reduction > 0 {
                    value = self.child(&child, depth, Window::null(alpha))?;
                }
            }
            if index == 0 || value > alpha && value < beta && beta - alpha > 1 {
                value = self.child(&child, depth, Window { alpha, beta })?;
            }
            if value > best.0 {
                best = (value, number);
            }
            if value > alpha {
                alpha = value;
                if height == 0 {
                    self.best = Some((ply, value));
                }
            }
            if value >= beta {
                self.ordering.record_cutoff(position, &plies[..=index], node.depth);
                break;
            }
        }
        self.ordering.return_list(height, plies);
        Ok(best)
    }

    /// The value of a child for the side that moved.
    fn child(&mut self, child: &Child<'_>, depth: i32, window: Window) -> Result<i32, Interrupted> {
        if child.turned {
            Ok(-self.node(child.next, depth, child.height, window.reversed())?)
        } else {
            self.node(child.next, depth, child.height, window)
        }
    }

    /// The plies of a node with their ranks.
    fn ranked(&mut self, position: &Position, height: u32, known: Option<u16>) -> Vec<RankedPly> {
        let mut plies = self.ordering.take_list(height);
        // The plies of the root are shuffled, and keep their numbers.
        if height == 0 {
            for &(number, ply) in &self.root {
                plies.push(self.rank(position, number, ply, known));
            }
        } else {
            for (number, ply) in (0..).zip(position.plies()) {
                plies.push(self.rank(position, number, ply, known));
            }
        }
        plies
    }

    /// The best known ply comes first.
    fn rank(&self, position: &Position, number: u16, ply: Ply, known: Option<u16>) -> RankedPly {
        let is_best = known == Some(number);
        let rank = if is_best { u32::MAX } else { self.ordering.rank(position, ply) };
        RankedPly { rank, number, ply }
    }

    /// Whether a position after the root ends the game as a draw, as the referee counts or sooner:
    /// one that occurs again is likely to occur once more.
    fn is_drawn(&self, key: u64) -> bool {
        self.path.len() >= self.draws.plies || self.draws.repetition && self.path.contains(&key)
    }

    fn check_limits(&mut self) -> Result<(), Interrupted> {
        self.is_out_of_time = self.nodes.is_multiple_of(NODES_PER_TIME_CHECK)
            && self.limit.time.is_some_and(|time| (self.now)() >= time.most);
        if self.is_out_of_time || self.nodes > self.limit.nodes { Err(Interrupted) } else { Ok(()) }
    }

    /// Whether a greater depth is not worth beginning.
    pub(super) fn has_enough(&mut self) -> bool {
        self.is_out_of_time = self.limit.time.is_some_and(|time| (self.now)() >= time.enough);
        self.is_out_of_time || self.nodes >= self.limit.nodes
    }
}

/// What is known of a position that is searched.
struct Node<'a> {
    position: &'a Position,
    depth: i32,
    height: u32,
    window: Window,
    /// The number of the ply that was best in an earlier search.
    known: Option<u16>,
}

/// A position after a ply.
struct Child<'a> {
    next: &'a Position,
    /// Whether the other side is to move.
    turned: bool,
    height: u32,
}

/// How much less deeply a late ply is searched.
fn reduction(depth: i32, index: usize) -> i32 {
    // One ply; one more for each of two steps of depth and lateness.
    (1 + i32::from(depth >= 5 && index >= 8) + i32::from(depth >= 8 && index >= 16)).min(depth)
}

/// Converts a won or lost value between the distance from the root, used in the search, and the
/// distance from its position, used in the table.
fn at_height(value: i32, height: i32) -> i32 {
    // The same win is found from roots at different distances; an estimate does not change.
    if value.abs() < WON { value } else { value - value.signum() * height }
}
