//! The transposition table: results of searched positions, in a table of fixed size where newer results
//! replace older ones.

use crate::rules::Ply;

/// How a stored value relates to the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the true value.
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// The stored result of one position.
#[derive(Debug, Clone, Copy)]
pub(super) struct TranspositionEntry {
    /// [`Position::key`](crate::rules::Position::key).
    pub(super) key: u64,
    /// The value for the side to move, or a bound on it.
    pub(super) value: i32,
    /// How `value` relates to the true value.
    pub(super) bound: Bound,
    /// The depth of the search below the position.
    pub(super) depth: u32,
    /// The best ply.
    pub(super) ply: Ply,
}

/// 2^16 slots; positions whose hashes have the same low 16 bits share one.
#[derive(Debug, Clone)]
pub(super) struct TranspositionTable {
    slots: Vec<Option<(u32, TranspositionEntry)>>,
    /// The number of the current question.
    question: u32,
}

const SLOTS: usize = 1 << 16;

impl Default for TranspositionTable {
    fn default() -> TranspositionTable {
        TranspositionTable { slots: vec![None; SLOTS], question: 0 }
    }
}

impl TranspositionTable {
    /// The entry of the position with this hash.
    pub(super) fn get(&self, key: u64) -> Option<TranspositionEntry> {
        self.slots[slot(key)].map(|(_, entry)| entry).filter(|entry| entry.key == key)
    }

    /// Stores a result, unless the slot holds a deeper one of the same question.
    pub(super) fn put(&mut self, entry: TranspositionEntry) {
        let slot = &mut self.slots[slot(entry.key)];
        if slot.is_none_or(|(question, old)| question != self.question || entry.depth >= old.depth) {
            *slot = Some((self.question, entry));
        }
    }

    /// Starts a new question: all entries stored before may be replaced.
    pub(super) fn age(&mut self) {
        self.question += 1;
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        self.slots.fill(None);
    }
}

fn slot(key: u64) -> usize {
    key as usize % SLOTS
}
