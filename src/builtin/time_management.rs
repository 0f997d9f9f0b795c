//! Time management: how much of its time a bot uses for a ply.

use crate::clock::TimeControl;
use std::time::Duration;

/// When a search ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchLimit {
    /// At this depth in plies.
    Depth(u32),
    /// When this much time has passed since the question.
    Time(Duration),
}

/// The search depth without a clock.
pub(super) const DEPTH: u32 = 4;
/// Reserve for the transfer of the answer where unused time is lost.
const MARGIN: Duration = Duration::from_millis(30);

/// The limit for a ply. `own` is the time that the clock line allows, if there was one; `source` tells
/// whether it is the main clock or a limit for this ply only.
pub(super) fn search_limit(time: TimeControl, own: Option<Duration>, source: TimeSource) -> SearchLimit {
    let Some(own) = own else { return SearchLimit::Depth(DEPTH) };
    SearchLimit::Time(match (time, source) {
        // A thirtieth of the clock lasts for a whole game, and most of the increment can be added; at most a
        // fifth is used.
        (TimeControl::Game { increment, .. }, TimeSource::MainClock) => {
            (own / 30 + increment * 7 / 10).min(own / 5)
        }
        _ => (own / 2).saturating_sub(MARGIN).max(own / 10),
    })
}

/// Where the time of a ply comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeSource {
    /// From the clock of the whole game.
    MainClock,
    /// From a limit for this ply only.
    OwnLimit,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_lasts() {
        let ms = Duration::from_millis;
        let game = TimeControl::Game { base: ms(10_000), increment: ms(100) };
        let spend = |time, own, source| search_limit(time, Some(ms(own)), source);
        assert_eq!(spend(game, 9_000, TimeSource::MainClock), SearchLimit::Time(ms(370)));
        assert_eq!(spend(game, 120, TimeSource::MainClock), SearchLimit::Time(ms(24)), "a fifth");
        assert_eq!(spend(game, 0, TimeSource::MainClock), SearchLimit::Time(ms(0)));
        assert_eq!(spend(game, 1_000, TimeSource::OwnLimit), SearchLimit::Time(ms(470)));
        assert_eq!(spend(TimeControl::Ply(ms(500)), 500, TimeSource::MainClock), SearchLimit::Time(ms(220)));
        assert_eq!(spend(TimeControl::Ply(ms(50)), 50, TimeSource::MainClock), SearchLimit::Time(ms(5)));
        assert_eq!(search_limit(TimeControl::Unlimited, None, TimeSource::MainClock), SearchLimit::Depth(4));
    }
}
