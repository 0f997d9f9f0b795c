//! SPRT: the first bot against the second in pairs of games, until there is a verdict.

use super::batch::{GameBatch, PreviousGames};
use super::format::{Dependence, FormatKind, FormatState, NextBatch};
use super::results::Results;

pub(super) const KIND: FormatKind = FormatKind {
    word: "sprt",
    help: "tests whether the first of two bots is better",
    keys: &["sprt.elo0", "sprt.elo1", "sprt.alpha", "sprt.beta", "sprt.model", "sprt.max-pairs"],
    dependence: Dependence::Pairs,
    pairs_equals: false,
    needs_openings: true,
    replays_aborted: false,
    takes_folders: false,
    leaders: "the tested bot",
    leading: |_| 1,
    refusal: |format, bots| match (format.ahead, bots) {
        (0, _) => Some(("concurrency", "0".to_owned(), "must be at least 1".to_owned())),
        (_, 2) => None,
        _ => {
            let why = "tests the first [[bot]] against the second, but there are";
            Some((
                "schedule.format",
                "\"sprt\"".to_owned(),
                format!("{why} {bots}; remove all but two"),
            ))
        }
    },
    games: |format, _| 2 * u64::from(format.max_pairs),
    openings: |format| format.max_pairs.into(),
    pairs_at_once: |_, _| 1,
    begin: |format, _| {
        Box::new(SprtSchedule { max_pairs: format.max_pairs, ahead: format.ahead, pairs: 0 })
    },
};

#[derive(Debug)]
struct SprtSchedule {
    max_pairs: u32,
    ahead: u32,
    /// Pairs that have been handed out.
    pairs: u32,
}

impl FormatState for SprtSchedule {
    /// A pair may start while fewer than `ahead` pairs have started beyond the unbroken prefix of
    /// finished pairs. This bounds the games that are wasted when the verdict falls, and the
    /// verdict does not depend on the concurrency.
    fn next(&mut self, results: &Results) -> NextBatch {
        if self.pairs == self.max_pairs {
            return NextBatch::Over;
        }
        let played = 2 * u64::from(self.pairs);
        if u64::from(self.pairs).saturating_sub(results.prefix() / 2) >= u64::from(self.ahead) {
            return NextBatch::Wait;
        }
        self.pairs += 1;
        let bots = [0, 1];
        let previous = PreviousGames::default();
        NextBatch::Play(GameBatch { meeting: 0, round: 1, bots, previous, played, end: played + 2 })
    }
}
