//! Round-robin: all bots against all others. Each round has all pairings in the order of the configuration.

use super::format::{Dependence, Format, FormatKind};
use super::league::League;

pub(super) const KIND: FormatKind = FormatKind {
    word: "round-robin",
    help: "each bot meets each other bot",
    keys: &["schedule.games", "schedule.rounds"],
    dependence: Dependence::Nothing,
    pairs_equals: false,
    needs_openings: false,
    takes_folders: true,
    leaders: "",
    leading: |_| 0,
    refusal: |_, _| None,
    games: |format, bots| bots * bots.saturating_sub(1) / 2 * format.games_of_pairing(),
    openings: |format| u64::from(format.games).div_ceil(2) * u64::from(format.rounds),
    pairs_at_once: |_, _| u64::MAX,
    begin: |format, bots| League::begin(format, bots, following),
};

fn following(_: &Format, bots: usize, pairing: Option<[usize; 2]>) -> Option<[usize; 2]> {
    match pairing {
        None => Some([0, 1]),
        Some([low, high]) if high + 1 < bots => Some([low, high + 1]),
        Some([low, _]) if low + 2 < bots => Some([low + 1, low + 2]),
        Some(_) => None,
    }
}
