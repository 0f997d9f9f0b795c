//! Counting plies: the classic check of a rules engine.

use super::Position;
use super::board::Board;
use multiversion::multiversion;

/// The number of sequences of exactly `depth` plies, forced passes included; a finished game has no
/// continuation. Repetition and length limits do not apply (rules.md, perft). The last plies are counted where the
/// game can tell their number without playing them.
///
/// ```
/// use arbiter::rules::{Ruleset, perft};
/// let loa = Ruleset::named("loa", &[]).unwrap();
/// assert_eq!(perft(&loa.start(), 2), 1244);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    position.sequences(depth, Last::Counted)
}

/// The same number, with every last ply played and the position after it judged: what a search would have to do.
#[must_use]
pub fn perft_playing(position: &Position, depth: u32) -> u64 {
    position.sequences(depth, Last::Played)
}

/// `perft(depth - 1)` after each legal ply, sorted by the ply's text; empty for depth 0.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(String, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let ruleset = position.ruleset();
    let row = |ply| (ruleset.ply_text(ply).to_string(), perft(&position.after(ply), below));
    position.sorted_plies().into_iter().map(row).collect()
}

/// What is done about the last ply of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// It is counted.
    Counted,
    /// It is played and judged.
    Played,
}

/// Counts with the processor's own bit counting where it has that; the baseline x86-64 has not.
///
/// Loops instead of iterators' closures: those are functions of their own, and would be compiled for the baseline.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn sequences<B: Board>(board: &B, depth: u32, last: Last) -> u64 {
    let mut count = 0;
    match (depth, last) {
        (0, _) => count = 1,
        (1, Last::Counted) => count = board.count(),
        (2, Last::Counted) => {
            for ply in board.plies() {
                count += board.after(ply).count();
            }
        }
        (1, Last::Played) => {
            let mut over = 0;
            for ply in board.plies() {
                over += u64::from(board.after(ply).ending().is_some());
                count += 1;
            }
            std::hint::black_box(over); // the verdicts are wanted, though nothing is done with them
        }
        _ => {
            for ply in board.plies() {
                count += sequences(&board.after(ply), depth - 1, last);
            }
        }
    }
    count
}
