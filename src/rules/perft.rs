//! Counting plies: the classic check of a rules engine.

use super::Position;

/// The number of sequences of exactly `depth` plies, forced passes included; a finished game has no
/// continuation. Repetition and length limits do not apply (rules.md, perft).
///
/// ```
/// use arbiter::rules::{Ruleset, perft};
/// let loa = Ruleset::named("loa", &[]).unwrap();
/// assert_eq!(perft(&loa.start(), 2), 1244);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.plies().count() as u64,
        _ => position.plies().map(|ply| perft(&position.after(ply), depth - 1)).sum(),
    }
}

/// `perft(depth - 1)` after each legal ply, sorted by the ply's text; empty for depth 0.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(String, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let ruleset = position.ruleset();
    let mut rows: Vec<_> = position
        .plies()
        .map(|ply| (ruleset.ply_text(ply).to_string(), perft(&position.after(ply), below)))
        .collect();
    rows.sort();
    rows
}
