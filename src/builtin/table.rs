//! What a search has found out about positions: a table of fixed size, newer knowledge over older.

use crate::rules::Ply;

/// What a value says about the position's true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is at least this.
    Lower,
    /// The true one is at most this.
    Upper,
}

/// What is known of one position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// [`Position::key`](crate::rules::Position::key).
    pub(super) key: u64,
    /// The value for the side to move.
    pub(super) value: i32,
    /// What it says.
    pub(super) bound: Bound,
    /// How deep the search below the position was.
    pub(super) depth: u32,
    /// The best ply.
    pub(super) ply: Ply,
}

/// 2^16 places, one for all positions whose keys end alike.
#[derive(Debug, Clone)]
pub(super) struct Table {
    places: Vec<Option<(u32, Entry)>>,
    /// The number of the present question.
    question: u32,
}

const PLACES: usize = 1 << 16;

impl Default for Table {
    fn default() -> Table {
        Table { places: vec![None; PLACES], question: 0 }
    }
}

impl Table {
    /// What is known of the position with this key.
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.places[place(key)].map(|(_, entry)| entry).filter(|entry| entry.key == key)
    }

    /// Keeps what was found out, unless there is something deeper in its place that is as new.
    pub(super) fn put(&mut self, entry: Entry) {
        let place = &mut self.places[place(entry.key)];
        if place.is_none_or(|(question, old)| question != self.question || entry.depth >= old.depth) {
            *place = Some((self.question, entry));
        }
    }

    /// From now on, what was known before may go.
    pub(super) fn age(&mut self) {
        self.question += 1;
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.places.fill(None);
    }
}

fn place(key: u64) -> usize {
    key as usize % PLACES
}
