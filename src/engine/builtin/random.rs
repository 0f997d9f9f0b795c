//! `random`: plays each legal ply with equal probability.

use arbiter_rules::seed::Generator;

/// One of the plies; `None` if the list is empty.
pub(super) fn choose<P>(mut plies: Vec<P>, generator: &mut Generator) -> Option<P> {
    let count = plies.len() as u64;
    (count > 0).then(|| plies.swap_remove(generator.below(count) as usize))
}
