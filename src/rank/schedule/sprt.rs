//! SPRT: the first bot against the second in pairs of games, until there is a verdict.

use super::batch::GameBatch;
use super::format::{Dependence, Format, FormatKind, FormatState, NextGames, refused};
use super::results::Results;

pub(super) const KIND: FormatKind = FormatKind {
    word: "sprt",
    help: "tests whether the first of two bots is better",
    keys: &["sprt.elo0", "sprt.elo1", "sprt.alpha", "sprt.beta", "sprt.model", "sprt.max-pairs"],
    dependence: Dependence::Pairs,
    pairs_equals: false,
    needs_openings: true,
    replays_aborted: false,
    is_endless: false,
    takes_folders: false,
    leaders: "the tested bot",
    leading: |_| 1,
    refusal: |format, bots| match (format.ahead, bots) {
        (0, _) => Some(refused("concurrency", 0, "must be at least 1")),
        (_, 2) => None,
        _ => {
            let why = "tests the first [[bot]] against the second, but there are";
            let why = format!("{why} {bots}; remove all but two");
            Some(refused("schedule.format", "\"sprt\"", why))
        }
    },
    games: |format, _| 2 * u64::from(format.max_pairs),
    openings: |format| format.max_pairs.into(),
    pairs_at_once: |_, _| 1,
    begin: |format, _| Box::new(SprtSchedule(*format)),
};

#[derive(Debug)]
struct SprtSchedule(Format);

impl FormatState for SprtSchedule {
    /// A pair may start while fewer than `ahead` pairs have started beyond the unbroken prefix of
    /// finished pairs. This bounds the games that are wasted when the verdict falls, and the
    /// verdict does not depend on the concurrency.
    fn next(&mut self, results: &Results, played: u64) -> NextGames {
        let pairs = played / 2;
        if pairs == u64::from(self.0.max_pairs) {
            return NextGames::Over;
        }
        if pairs.saturating_sub(results.prefix() / 2) >= u64::from(self.0.ahead) {
            return NextGames::Wait;
        }
        let bots = [0, 1];
        let earlier = [0, 0]; // it has a single pairing
        let end = played + 2;
        NextGames::Play(vec![GameBatch { meeting: 0, round: 1, bots, earlier, played, end }])
    }
}
