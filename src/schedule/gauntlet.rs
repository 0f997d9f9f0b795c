//! Gauntlet: the first bots of the configuration, the challengers, play against all others. Challengers do
//! not play each other.

use super::climb::Climb;
use super::format::{Format, FormatKind, Stop};
use super::league::League;
use super::round_robin;

pub(super) const KIND: FormatKind = FormatKind {
    word: "gauntlet",
    help: "the first bots meet all others",
    keys: &["schedule.games", "schedule.rounds", "schedule.challengers"],
    leaders: "the challengers",
    leading: |format| format.challengers,
    refusal: |format, bots| format.leaves_opponents("schedule.challengers", format.challengers, bots),
    games: |format, bots| {
        let challengers = u64::from(format.challengers);
        challengers * bots.saturating_sub(challengers) * format.games_of_pairing()
    },
    pairs_at_once: |format, bots| match format.stop {
        Stop::Played => u64::MAX,
        Stop::Decided => bots.saturating_sub(format.challengers.into()),
    },
    begin: |format, bots| match format.stop {
        Stop::Played => League::begin(format, bots, following),
        Stop::Decided => Climb::begin(format, bots),
    },
    ..round_robin::KIND
};

fn following(format: &Format, bots: usize, pairing: Option<[usize; 2]>) -> Option<[usize; 2]> {
    let challengers = format.challengers as usize;
    match pairing {
        None => Some([0, challengers]),
        Some([challenger, opponent]) if opponent + 1 < bots => Some([challenger, opponent + 1]),
        Some([challenger, _]) if challenger + 1 < challengers => Some([challenger + 1, challengers]),
        Some(_) => None,
    }
}
