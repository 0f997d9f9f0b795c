//! Time management: how much of its time a bot uses for a ply.

use arbiter_game::clock::TimeControl;
use std::time::Duration;

/// When a search ends: at the first of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SearchLimit {
    /// The greatest depth, in plies.
    pub(super) depth: u32,
    /// The greatest number of nodes.
    pub(super) nodes: u64,
    /// The time since the question; `None` without a clock.
    pub(super) time: Option<TimeLimit>,
}

/// The time for a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeLimit {
    /// After this a greater depth is not begun.
    pub(super) enough: Duration,
    /// After this the search is interrupted.
    pub(super) most: Duration,
}

impl SearchLimit {
    /// To this depth, whatever time it takes.
    pub(super) fn depth(depth: u32) -> SearchLimit {
        SearchLimit { depth, nodes: u64::MAX, time: None }
    }

    /// To this time at most, and half of it for what can be finished.
    pub(super) fn time(most: Duration) -> SearchLimit {
        SearchLimit::between(most / 2, most)
    }

    /// None but a clock that says [`Duration::MAX`].
    pub(super) const NEVER: SearchLimit = SearchLimit::between(Duration::MAX, Duration::MAX);

    const fn between(enough: Duration, most: Duration) -> SearchLimit {
        SearchLimit { depth: u32::MAX, nodes: u64::MAX, time: Some(TimeLimit { enough, most }) }
    }
}

/// The search depth without a clock.
pub(super) const DEPTH: u32 = 4;
/// Reserve for the transfer of the answer where unused time is lost: the search fills such a limit,
/// while a fifth of a clock is far from its end.
const MARGIN: Duration = Duration::from_millis(10);

/// The limit for a ply. `own` is the time that the clock line allows, if there was one; `source`
/// tells whether it is the main clock or a limit for this ply only.
pub(super) fn search_limit(
    time: TimeControl,
    own: Option<Duration>,
    source: TimeSource,
) -> SearchLimit {
    let Some(own) = own else { return SearchLimit::depth(DEPTH) };
    match (time, source) {
        // A thirtieth of the clock lasts for a whole game, and most of the increment can be added.
        // A search that has begun a depth may take three times as much; at most a fifth of the
        // clock is used.
        (TimeControl::Game { increment, .. }, TimeSource::MainClock) => {
            let enough = (own / 30 + increment * 7 / 10).min(own / 5);
            SearchLimit::between(enough, (enough * 3).min(own / 5))
        }
        _ => SearchLimit::time((own - own / 8).saturating_sub(MARGIN).max(own / 10)),
    }
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
        let spend =
            |time, own, source| search_limit(time, Some(ms(own)), source).time.expect("a clock");
        let limit = |enough, most| TimeLimit { enough: ms(enough), most: ms(most) };
        assert_eq!(spend(game, 9_000, TimeSource::MainClock), limit(370, 1_110));
        assert_eq!(spend(game, 120, TimeSource::MainClock), limit(24, 24), "a fifth");
        assert_eq!(spend(game, 0, TimeSource::MainClock), limit(0, 0));
        assert_eq!(spend(game, 1_000, TimeSource::OwnLimit).most, ms(865));
        assert_eq!(spend(TimeControl::Ply(ms(480)), 480, TimeSource::MainClock), limit(205, 410));
        assert_eq!(spend(TimeControl::Ply(ms(10)), 10, TimeSource::MainClock).most, ms(1));
        assert_eq!(
            search_limit(TimeControl::Unlimited, None, TimeSource::MainClock),
            SearchLimit::depth(DEPTH)
        );
    }
}
