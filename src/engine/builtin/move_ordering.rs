//! Move ordering with a history table (J. Schaeffer, "The history heuristic and alpha-beta search
//! enhancements in practice", IEEE Transactions on Pattern Analysis and Machine Intelligence 11,
//! 1989, 1203-1212): the earlier the best ply is searched, the more of the tree alpha-beta cuts
//! off.

use arbiter_rules::{Ply, Position};

/// The greatest search depth.
pub(super) const MAX_DEPTH: u32 = 64;

/// Statistics of earlier cutoffs, which rank the plies of a node. Height is the distance from the
/// root in plies.
#[derive(Debug, Clone)]
pub(super) struct MoveOrdering {
    /// For each side and ply, the squared depths of its cutoffs, less a part of those at which it
    /// caused none.
    history: Vec<u32>,
    /// Buffers for ranked plies, one for each height.
    lists: Vec<Vec<RankedPly>>,
}

/// A ply with its rank among those of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct RankedPly {
    pub(super) rank: u32,
    /// Its number in [`Position::plies`].
    pub(super) number: u16,
    pub(super) ply: Ply,
}

/// Entries of the history table for each side: one for each pair of 64 squares. Plies of larger
/// boards share entries.
const HISTORY_SIZE: usize = 4_096;

impl Default for MoveOrdering {
    fn default() -> MoveOrdering {
        let heights = MAX_DEPTH as usize + 1;
        MoveOrdering { history: vec![0; 2 * HISTORY_SIZE], lists: vec![Vec::new(); heights] }
    }
}

impl MoveOrdering {
    /// Plies with a higher rank are searched earlier.
    pub(super) fn rank(&self, position: &Position, ply: Ply) -> u32 {
        self.history[history_index(position, ply)]
    }

    /// Records that the last of these plies caused a cutoff, and those before it did not.
    pub(super) fn record_cutoff(&mut self, position: &Position, plies: &[RankedPly], depth: i32) {
        let Some((last, before)) = plies.split_last() else { return };
        // The deeper the search that was spared, the more the cutoff tells.
        let bonus = (depth * depth) as u32;
        let raised = &mut self.history[history_index(position, last.ply)];
        *raised = raised.saturating_add(bonus).min(u32::MAX / 2);
        for &RankedPly { ply, .. } in before {
            let lowered = &mut self.history[history_index(position, ply)];
            *lowered -= (*lowered / 32).min(bonus);
        }
    }

    /// Reduces the weight of earlier cutoffs, before the search for another ply.
    pub(super) fn age(&mut self) {
        for score in &mut self.history {
            *score /= 4;
        }
    }

    /// Takes the empty buffer of a height.
    pub(super) fn take_list(&mut self, height: u32) -> Vec<RankedPly> {
        let mut list = std::mem::take(&mut self.lists[height as usize]);
        list.clear();
        list
    }

    /// Returns the buffer of a height for later use.
    pub(super) fn return_list(&mut self, height: u32, list: Vec<RankedPly>) {
        self.lists[height as usize] = list;
    }
}

fn history_index(position: &Position, ply: Ply) -> usize {
    let number = match ply {
        Ply::Pass | Ply::Word(_) => 0,
        Ply::Place(square) => square.index(),
        Ply::Move(from, to) => from.index() * 64 + to.index(),
    };
    position.side() as usize * HISTORY_SIZE + number % HISTORY_SIZE
}

/// Swaps the ply of the highest rank to the front.
pub(super) fn best_to_front(plies: &mut [RankedPly]) {
    // Of equal ranks the first: `max_by_key` returns the last that it comes to.
    let best = (0..plies.len()).rev().max_by_key(|&index| plies[index].rank).unwrap_or(0);
    plies.swap(0, best);
}
