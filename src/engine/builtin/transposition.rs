//! The transposition table: results of searched positions, in a table of fixed size.
//!
//! A position has two slots. A result replaces that of another question, or else the one that is
//! less deep. The best ply is stored as its number among the position's plies, so that an entry has
//! 16 bytes in every game.

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TranspositionEntry {
    /// The value for the side to move, or a bound on it.
    pub(super) value: i32,
    /// How `value` relates to the true value.
    pub(super) bound: Bound,
    /// The depth of the search below the position.
    pub(super) depth: u8,
    /// The number of the best ply in [`Position::plies`](arbiter_rules::Position::plies).
    pub(super) ply: u16,
}

/// A table of 16 MiB, which the system provides as far as it is used.
#[derive(Debug, Clone)]
pub(super) struct TranspositionTable {
    /// For each slot the [key](arbiter_rules::Position::key) and the packed entry, 0 for none.
    words: Vec<u64>,
    /// The number of the current question, modulo 64.
    question: u8,
}

/// Slots of 16 bytes, a power of two: the last bits of a key are its place.
const SLOTS: usize = 1 << 20;

impl Default for TranspositionTable {
    fn default() -> TranspositionTable {
        TranspositionTable { words: vec![0; 2 * SLOTS], question: 0 }
    }
}

impl TranspositionTable {
    /// The entry of the position with this hash.
    pub(super) fn get(&self, key: u64) -> Option<TranspositionEntry> {
        let pair = &self.words[first_word(key)..][..4];
        let packed = if pair[0] == key {
            pair[1]
        } else if pair[2] == key {
            pair[3]
        } else {
            0
        };
        (packed != 0).then(|| unpacked(packed))
    }

    /// Stores a result.
    pub(super) fn put(&mut self, key: u64, entry: TranspositionEntry) {
        let question = self.question;
        let pair = &mut self.words[first_word(key)..][..4];
        let is_first = pair[0] == key
            || pair[2] != key && worth(pair[1], question) <= worth(pair[3], question);
        let at = if is_first { 0 } else { 2 };
        pair[at] = key;
        pair[at + 1] = packed(entry, question);
    }

    /// Starts a new question: all entries stored before may be replaced.
    pub(super) fn age(&mut self) {
        self.question = (self.question + 1) % 64;
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        *self = TranspositionTable::default(); // fresh memory costs less than writing all of it
    }
}

/// The word at which the two slots of a position begin.
fn first_word(key: u64) -> usize {
    (key as usize % (SLOTS / 2)) * 4
}

/// Which of two results is rather kept: one of this question before any other, and the deeper one.
fn worth(packed: u64, question: u8) -> i32 {
    if packed != 0 && question_of(packed) == question {
        1 + i32::from(unpacked(packed).depth)
    } else {
        0
    }
}

/// The value in the lower half, then the number of the ply, the depth, the bound from 1, and the
/// question.
fn packed(entry: TranspositionEntry, question: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.value as u32)
        | u64::from(entry.ply) << 32
        | u64::from(entry.depth) << 48
        | bound << 56
        | u64::from(question) << 58
}

fn question_of(packed: u64) -> u8 {
    (packed >> 58) as u8
}

fn unpacked(packed: u64) -> TranspositionEntry {
    let bound = match packed >> 56 & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        _ => Bound::Upper,
    };
    TranspositionEntry {
        value: packed as u32 as i32,
        bound,
        depth: (packed >> 48) as u8,
        ply: (packed >> 32) as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: u8) -> TranspositionEntry {
        TranspositionEntry { value, bound: Bound::Lower, depth, ply: 360 }
    }

    #[test]
    fn entries_come_back_as_they_were() {
        let mut table = TranspositionTable::default();
        for value in [0, 1, -1, 1_000_000, -1_000_000] {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let entry = TranspositionEntry { bound, ..entry(value, 200) };
                table.put(7, entry);
                assert_eq!(table.get(7), Some(entry));
            }
        }
        assert_eq!(table.get(8), None);
        table.clear();
        assert_eq!(table.get(7), None);
    }

    #[test]
    fn the_deepest_results_of_a_question_stay() {
        let mut table = TranspositionTable::default();
        let key = |number: u64| number * SLOTS as u64; // all share their slots
        table.put(key(1), entry(1, 9));
        table.put(key(2), entry(2, 3));
        table.put(key(3), entry(3, 5));
        assert_eq!(table.get(key(1)), Some(entry(1, 9)));
        assert_eq!((table.get(key(2)), table.get(key(3))), (None, Some(entry(3, 5))));
        table.age();
        table.put(key(4), entry(4, 1));
        assert_eq!(table.get(key(4)), Some(entry(4, 1)), "earlier questions are replaced");
    }
}
