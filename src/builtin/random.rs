//! `random`: every legal ply is equally likely.

use crate::rules::Ply;
use crate::seed::Generator;

/// One of the plies, none if there are none.
pub(super) fn choose(plies: Vec<Ply>, generator: &mut Generator) -> Option<Ply> {
    let count = plies.len() as u64;
    (count > 0).then(|| plies[generator.below(count) as usize])
}
