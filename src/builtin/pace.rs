//! How much of its time a bot spends on a ply.

use crate::clock::TimeControl;
use std::time::Duration;

/// How far a search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// So many plies deep.
    Depth(u32),
    /// Until so much time has passed since the question.
    Time(Duration),
}

/// The depth of a search that no clock limits.
const DEPTH: u32 = 4;
/// What may get lost on the way where time that is left over is lost anyway.
const MARGIN: Duration = Duration::from_millis(30);

/// What to spend on a ply: `own` is what the clock line allows it, if there was one, `apart` says whether
/// that is for this ply only.
pub(super) fn limit(time: TimeControl, own: Option<Duration>, apart: Apart) -> Limit {
    let Some(own) = own else { return Limit::Depth(DEPTH) };
    Limit::Time(match (time, apart) {
        // A thirtieth of the stock lasts for a game; the increment comes back; a fifth is the most.
        (TimeControl::Game { increment, .. }, Apart::No) => (own / 30 + increment * 7 / 10).min(own / 5),
        _ => (own / 2).saturating_sub(MARGIN).max(own / 10),
    })
}

/// Whether a ply has a limit of its own, outside the stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Apart {
    /// It is taken from the stock.
    No,
    /// It is not.
    Yes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_lasts() {
        let ms = Duration::from_millis;
        let game = TimeControl::Game { base: ms(10_000), increment: ms(100) };
        let spend = |time, own, apart| limit(time, Some(ms(own)), apart);
        assert_eq!(spend(game, 9_000, Apart::No), Limit::Time(ms(370)));
        assert_eq!(spend(game, 120, Apart::No), Limit::Time(ms(24)), "a fifth");
        assert_eq!(spend(game, 0, Apart::No), Limit::Time(ms(0)));
        assert_eq!(spend(game, 1_000, Apart::Yes), Limit::Time(ms(470)));
        assert_eq!(spend(TimeControl::Ply(ms(500)), 500, Apart::No), Limit::Time(ms(220)));
        assert_eq!(spend(TimeControl::Ply(ms(50)), 50, Apart::No), Limit::Time(ms(5)));
        assert_eq!(limit(TimeControl::Unlimited, None, Apart::No), Limit::Depth(4));
    }
}
