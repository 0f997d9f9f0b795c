//! `random`: plays each legal ply with equal probability.

use crate::rules::Ply;
use crate::seed::Generator;

/// One of the plies; none if the list is empty.
pub(super) fn choose(plies: Vec<Ply>, generator: &mut Generator) -> Option<Ply> {
    let count = plies.len() as u64;
    (count > 0).then(|| plies[generator.below(count) as usize])
}
