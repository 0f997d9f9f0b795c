//! Move ordering with killer moves and a history table: the earlier the best ply is searched, the more of the
//! tree alpha-beta cuts off.

use crate::rules::{Ply, Position};

/// The greatest search depth.
pub(super) const MAX_DEPTH: u32 = 64;

/// Statistics of earlier cutoffs, which rank the plies of a node. Height is the distance from the root in
/// plies.
#[derive(Debug, Clone)]
pub(super) struct MoveOrdering {
    /// The last two plies that caused a cutoff, for each height.
    killers: Vec<[Option<Ply>; 2]>,
    /// The history table: for each side and ply, the sum of squared depths of its cutoffs.
    history: Vec<u32>,
    /// Buffers for ranked plies, one for each height.
    lists: Vec<Vec<(u32, Ply)>>,
}

/// Entries of the history table for each side; plies of large boards share entries.
const HISTORY_SIZE: usize = 4_096;

impl Default for MoveOrdering {
    fn default() -> MoveOrdering {
        let heights = MAX_DEPTH as usize + 1;
        MoveOrdering {
            killers: vec![[None; 2]; heights],
            history: vec![0; 2 * HISTORY_SIZE],
            lists: vec![Vec::new(); heights],
        }
    }
}

impl MoveOrdering {
    /// Plies with a higher rank are searched earlier.
    pub(super) fn rank(&self, position: &Position, ply: Ply, height: u32, known: Option<Ply>) -> u32 {
        let [recent, older] = self.killers[height as usize];
        if known == Some(ply) {
            u32::MAX
        } else if recent == Some(ply) {
            u32::MAX - 1
        } else if older == Some(ply) {
            u32::MAX - 2
        } else {
            self.history[history_index(position, ply)]
        }
    }

    /// Records that a ply caused a cutoff.
    pub(super) fn record_cutoff(&mut self, position: &Position, ply: Ply, depth: u32, height: u32) {
        let killers = &mut self.killers[height as usize];
        if killers[0] != Some(ply) {
            *killers = [Some(ply), killers[0]];
        }
        let score = &mut self.history[history_index(position, ply)];
        *score = score.saturating_add(depth * depth).min(u32::MAX / 2);
    }

    /// Reduces the weight of earlier cutoffs, before the search for another ply.
    pub(super) fn age(&mut self) {
        self.history.iter_mut().for_each(|score| *score /= 4);
        self.killers.fill([None; 2]);
    }

    /// Takes the empty buffer of a height.
    pub(super) fn take_list(&mut self, height: u32) -> Vec<(u32, Ply)> {
        let mut list = std::mem::take(&mut self.lists[height as usize]);
        list.clear();
        list
    }

    /// Returns the buffer of a height for later use.
    pub(super) fn return_list(&mut self, height: u32, list: Vec<(u32, Ply)>) {
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
pub(super) fn best_to_front(plies: &mut [(u32, Ply)]) {
    let best = (0..plies.len()).rev().max_by_key(|&index| plies[index].0).unwrap_or(0);
    plies.swap(0, best);
}
