//! In which order a search looks at plies: the sooner the best one comes, the less remains to be looked at.

use crate::rules::{Ply, Position};

/// The deepest search.
pub(super) const MAX_DEPTH: u32 = 64;

/// Which plies to look at first.
#[derive(Debug, Clone)]
pub(super) struct Order {
    /// Two plies a height that cut the search off lately.
    killers: Vec<[Option<Ply>; 2]>,
    /// How much each ply has cut off anywhere, by side.
    merits: Vec<u32>,
    /// Lists to be filled again, one a height.
    lists: Vec<Vec<(u32, Ply)>>,
}

/// Places for the merits of a side; plies of large boards share them.
const MERITS: usize = 4_096;

impl Default for Order {
    fn default() -> Order {
        let heights = MAX_DEPTH as usize + 1;
        Order {
            killers: vec![[None; 2]; heights],
            merits: vec![0; 2 * MERITS],
            lists: vec![Vec::new(); heights],
        }
    }
}

impl Order {
    /// The higher, the sooner.
    pub(super) fn rank(&self, position: &Position, ply: Ply, height: u32, known: Option<Ply>) -> u32 {
        let [recent, older] = self.killers[height as usize];
        if known == Some(ply) {
            u32::MAX
        } else if recent == Some(ply) {
            u32::MAX - 1
        } else if older == Some(ply) {
            u32::MAX - 2
        } else {
            self.merits[merit(position, ply)]
        }
    }

    /// A ply has cut the search off.
    pub(super) fn cut(&mut self, position: &Position, ply: Ply, depth: u32, height: u32) {
        let killers = &mut self.killers[height as usize];
        if killers[0] != Some(ply) {
            *killers = [Some(ply), killers[0]];
        }
        let merit = &mut self.merits[merit(position, ply)];
        *merit = merit.saturating_add(depth * depth).min(u32::MAX / 2);
    }

    /// Older cuts count less.
    pub(super) fn fade(&mut self) {
        self.merits.iter_mut().for_each(|merit| *merit /= 4);
        self.killers.fill([None; 2]);
    }

    /// An empty list.
    pub(super) fn take(&mut self, height: u32) -> Vec<(u32, Ply)> {
        let mut list = std::mem::take(&mut self.lists[height as usize]);
        list.clear();
        list
    }

    /// Returns a list for the next time.
    pub(super) fn give_back(&mut self, height: u32, list: Vec<(u32, Ply)>) {
        self.lists[height as usize] = list;
    }
}

fn merit(position: &Position, ply: Ply) -> usize {
    let place = match ply {
        Ply::Pass => 0,
        Ply::Place(square) => square.index(),
        Ply::Move(from, to) => from.index() * 64 + to.index(),
    };
    position.side() as usize * MERITS + place % MERITS
}

/// Swaps the ply of the highest rank to the front.
pub(super) fn bring_best(plies: &mut [(u32, Ply)]) {
    let best = (0..plies.len()).rev().max_by_key(|&index| plies[index].0).unwrap_or(0);
    plies.swap(0, best);
}
