//! Round-robin: all bots against all others. Each round has all pairings, in the circles of
//! Berger's tables.

use super::format::{Dependence, Format, FormatKind};
use super::league::{League, Pairings};

pub(super) const KIND: FormatKind = FormatKind {
    word: "round-robin",
    help: "each bot meets each other bot",
    keys: &["schedule.games", "schedule.rounds"],
    dependence: Dependence::Nothing,
    pairs_equals: false,
    needs_openings: false,
    replays_aborted: true,
    is_endless: false,
    takes_folders: true,
    leaders: "",
    leading: |_| 0,
    refusal: |_, _| None,
    games: |format, bots| bots * bots.saturating_sub(1) / 2 * format.games_of_pairing(),
    openings: |format| u64::from(format.games).div_ceil(2) * u64::from(format.rounds),
    pairs_at_once: |_, _| u64::MAX,
    begin: |format, bots| League::begin(format, bots, BERGER),
};

const BERGER: Pairings = Pairings {
    boards: |_, bots| last_place(bots).div_ceil(2) * last_place(bots),
    on_board: pairing,
    row_number: |_, bots, [low, high]| low * (2 * bots - low - 1) / 2 + (high - low - 1),
};

/// The last place of the tables, which have an even number of places; with an odd number of bots
/// nobody is there, and who meets it pauses.
fn last_place(bots: usize) -> usize {
    bots - 1 + bots % 2
}

/// Of the places before the last those meet in circle c whose sum is c modulo their number. The one
/// that would meet itself meets the last place; they are on the first board, and on each further
/// board are the two next to the places of the board before.
fn pairing(_: &Format, bots: usize, board: usize) -> Option<[usize; 2]> {
    let last = last_place(bots);
    let boards = last.div_ceil(2);
    let circle = board / boards;
    let distance = board % boards;
    // Twice `boards` is 1 modulo `last`, so twice this place is the number of the circle.
    let middle = circle * boards % last;
    if distance == 0 {
        return (last < bots).then_some([middle, last]);
    }
    let one = (middle + distance) % last;
    let other = (middle + last - distance) % last;
    Some([one.min(other), one.max(other)])
}
