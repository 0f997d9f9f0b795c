//! Gauntlet: the first bots of the configuration, the challengers, play against all others.
//! Challengers do not play each other. In a round both groups take turns, each in its order.

use super::climb::Climb;
use super::format::{Format, FormatKind, Stop, refused};
use super::league::{League, Pairings};
use super::round_robin;

pub(super) const KIND: FormatKind = FormatKind {
    word: "gauntlet",
    help: "the first bots meet all others",
    keys: &["schedule.games", "schedule.rounds", "schedule.challengers"],
    leaders: "the challengers",
    leading: |format| format.challengers,
    refusal: |format, bots| {
        let why = format!("must be less than the number of bots; there are {bots} bots");
        let refusal = refused("schedule.challengers", format.challengers, why);
        (challengers(format) >= bots).then_some(refusal)
    },
    games: |format, bots| {
        let challengers = u64::from(format.challengers);
        challengers * bots.saturating_sub(challengers) * format.games_of_pairing()
    },
    pairs_at_once: |format, bots| match format.stop {
        Stop::Played => u64::MAX,
        Stop::Decided => bots.saturating_sub(format.challengers.into()),
    },
    begin: |format, bots| match format.stop {
        Stop::Played => League::begin(format, bots, PAIRINGS),
        Stop::Decided => Climb::begin(format, bots),
    },
    ..round_robin::KIND
};

const PAIRINGS: Pairings = Pairings {
    boards: |format, bots| challengers(format) * opponents(format, bots),
    on_board: pairing,
    row_number: |format, bots, [challenger, opponent]| {
        challenger * opponents(format, bots) + (opponent - challengers(format))
    },
};

fn challengers(format: &Format) -> usize {
    format.challengers as usize
}

fn opponents(format: &Format, bots: usize) -> usize {
    bots - challengers(format)
}

/// Both groups take turns. After the least common multiple of their sizes the pairings would
/// repeat, so from there on the challengers are moved by one place; at that moment all of them have
/// played equally often.
fn pairing(format: &Format, bots: usize, board: usize) -> Option<[usize; 2]> {
    let challengers = challengers(format);
    let opponents = opponents(format, bots);
    let multiple = challengers * opponents / greatest_common_divisor(challengers, opponents);
    Some([(board + board / multiple) % challengers, challengers + board % opponents])
}

fn greatest_common_divisor(mut one: usize, mut other: usize) -> usize {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}
