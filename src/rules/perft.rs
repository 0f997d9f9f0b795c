//! Perft: counts sequences of plies, the usual test of a move generator.

use super::board::GameBoard;
use super::games::{AnyBoard, each};
use super::own::OwnBoard;
use super::{Position, RulesFault};
use multiversion::multiversion;

/// The number of sequences of exactly `depth` plies, forced passes included; a finished game has no
/// continuation. Repetition and length limits do not apply (docs/reference/rules.md, perft). The
/// last ply is counted without being played.
///
/// ```
/// use arbiter_rules::{Ruleset, perft};
/// let loa = Ruleset::named("loa", "").unwrap();
/// assert_eq!(perft(&loa.start(), 2), 1244);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    sequences_from(position, depth, LastPly::Counted)
}

/// The same number, if the rules of a custom game do not fail below the position.
///
/// # Errors
/// How they fail; those of arbiter never do.
pub fn perft_of_rules(position: &Position, depth: u32) -> Result<u64, Box<RulesFault>> {
    match &position.0 {
        AnyBoard::Own(board) => own_sequences(board, depth),
        _ => Ok(perft(position, depth)),
    }
}

/// The same number, with every last ply played and the resulting position judged: the work that a
/// search would do.
pub fn perft_playing(position: &Position, depth: u32) -> u64 {
    sequences_from(position, depth, LastPly::Played)
}

/// `perft(depth - 1)` after each legal ply, sorted by the ply's text; empty for depth 0.
pub fn divide(position: &Position, depth: u32) -> Vec<(String, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let ruleset = position.ruleset();
    let mut rows = Vec::new();
    for ply in position.sorted_plies() {
        rows.push((ruleset.ply_text(ply).to_string(), perft(&position.after(ply), below)));
    }
    rows
}

/// How the last ply of a sequence is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LastPly {
    /// By the number of legal plies, without playing them.
    Counted,
    /// By playing it and judging the position after it.
    Played,
}

/// The number of sequences with the board of the game.
// A function of its own, so that `last` is no constant in it. Where it is one, the compiler makes
// functions for the baseline processor of the boards' closures, and large boards of `lineup` are
// played four times as slowly.
fn sequences_from(position: &Position, depth: u32, last: LastPly) -> u64 {
    each!(
        AnyBoard,
        &position.0,
        board => sequences(board, depth, last),
        own board => own_sequences(board, depth).unwrap_or(0)
    )
}

/// The number of sequences in a custom game, whose boards are not copied.
fn own_sequences(board: &OwnBoard, depth: u32) -> Result<u64, Box<RulesFault>> {
    if let Some(fault) = board.fault() {
        return Err(Box::new(fault.clone()));
    }
    match depth {
        0 => return Ok(1),
        1 => return Ok(board.count()),
        _ => {}
    }
    let mut count = 0;
    for ply in board.plies() {
        count += own_sequences(&board.after(ply), depth - 1)?;
    }
    Ok(count)
}

/// Uses the processor's bit-counting instructions where it has them; the baseline x86-64 does not.
///
/// Loops instead of iterator closures: closures are separate functions, and would be compiled for
/// the baseline.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn sequences<B: GameBoard>(board: &B, depth: u32, last: LastPly) -> u64 {
    let mut count = 0;
    match (depth, last) {
        (0, _) => count = 1,
        (1, LastPly::Counted) => count = board.count(),
        (1, LastPly::Played) => {
            let mut over = 0;
            for ply in board.plies() {
                over += u64::from(board.after(ply).ending().is_some());
                count += 1;
            }
            std::hint::black_box(over); // keeps the compiler from removing the judging
        }
        _ => {
            for ply in board.plies() {
                count += sequences(&board.after(ply), depth - 1, last);
            }
        }
    }
    count
}
