//! The figures of an SPRT.

use super::rounding::{elo, fine};
use crate::rating::{Hypothesis, MatchStatistics, Trial};
use serde::Serialize;

/// The current state of an SPRT, rounded.
#[derive(Debug, Clone, Serialize)]
pub struct SprtFigures {
    pub(super) model: &'static str,
    pub(super) elo0: Option<f64>,
    pub(super) elo1: Option<f64>,
    pub(super) lower: Option<f64>,
    pub(super) upper: Option<f64>,
    pub(super) llr: Option<f64>,
    pub(super) pairs: u64,
    pub(super) counts: [u64; 5],
    /// `H0`, `H1` or `undecided`; none while the test is running.
    pub verdict: Option<&'static str>,
    pub(super) statistics: Option<StatisticsFigures>,
}

/// Statistics from pairs (definition 12). The estimates of a stopped test are biased outwards.
#[derive(Debug, Clone, Serialize)]
pub(super) struct StatisticsFigures {
    pub(super) score: Option<f64>,
    pub(super) standard_error: Option<f64>,
    pub(super) elo: Option<f64>,
    pub(super) elo_low: Option<f64>,
    pub(super) elo_high: Option<f64>,
    pub(super) elo_error: Option<f64>,
    pub(super) elo_at_least: Option<f64>,
    pub(super) elo_at_most: Option<f64>,
    pub(super) nelo: Option<f64>,
    pub(super) nelo_error: Option<f64>,
    pub(super) superiority: Option<f64>,
}

impl SprtFigures {
    /// The state of this test; `is_over` says that no pair follows.
    #[must_use]
    pub fn new(trial: &Trial, is_over: bool) -> SprtFigures {
        let (test, counts) = (trial.sprt(), *trial.counts());
        let (lower, upper) = test.bounds();
        let verdict = match trial.verdict() {
            Some(Hypothesis::H0) => Some("H0"),
            Some(Hypothesis::H1) => Some("H1"),
            None => is_over.then_some("undecided"),
        };
        SprtFigures {
            model: test.model.word(),
            elo0: elo(test.elo0),
            elo1: elo(test.elo1),
            lower: fine(lower),
            upper: fine(upper),
            llr: fine(trial.llr()),
            pairs: counts.iter().sum(),
            counts,
            verdict,
            statistics: MatchStatistics::of_pairs(counts).as_ref().map(StatisticsFigures::new),
        }
    }

    /// The log-likelihood ratio with its bounds.
    pub(super) fn ratio(&self) -> String {
        let figure = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
        let [llr, lower, upper] = [self.llr, self.lower, self.upper].map(figure);
        format!("LLR {llr} between {lower} and {upper} after {} pairs", self.pairs)
    }

    /// The figures as sentences.
    pub(super) fn lines(&self) -> Vec<String> {
        let hypothesis = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        let counts = self.counts.map(|count| count.to_string()).join(", ");
        let mut lines = vec![
            format!("H0: {} Elo, H1: {} Elo ({})", hypothesis(self.elo0), hypothesis(self.elo1), self.model),
            format!("{}; pairs with 0, 1/2, 1, 3/2, 2 points: {counts}", self.ratio()),
        ];
        lines.push(match self.verdict {
            None => "No verdict yet".to_owned(),
            Some("undecided") => "Undecided: neither bound was reached".to_owned(),
            Some(verdict) => format!("Verdict: {verdict} is accepted"),
        });
        if let Some(statistics) = &self.statistics {
            lines.push(statistics.line());
        }
        if self.verdict.is_some() {
            lines.push("The Elo estimate of a stopped test is biased outwards.".to_owned());
        }
        lines
    }
}

impl StatisticsFigures {
    pub(super) fn new(statistics: &MatchStatistics) -> StatisticsFigures {
        StatisticsFigures {
            score: fine(statistics.score),
            standard_error: fine(statistics.standard_error),
            elo: statistics.elo.and_then(elo),
            elo_low: statistics.elo_low.and_then(elo),
            elo_high: statistics.elo_high.and_then(elo),
            elo_error: statistics.elo_error.and_then(elo),
            elo_at_least: statistics.elo_at_least.and_then(elo),
            elo_at_most: statistics.elo_at_most.and_then(elo),
            nelo: statistics.nelo.and_then(elo),
            nelo_error: statistics.nelo_error.and_then(elo),
            superiority: statistics.los.and_then(fine),
        }
    }

    fn line(&self) -> String {
        let within = |name: &str, value: Option<f64>, error: Option<f64>| match (value, error) {
            (Some(value), Some(error)) => Some(format!("{name} {value:.1} ± {error:.1}")),
            (Some(value), None) => Some(format!("{name} {value:.1}")),
            (None, _) => None,
        };
        let limit = |sign: &str, value: Option<f64>| value.map(|value| format!("Elo {sign} {value:.1}"));
        let percent =
            |name: &str, value: Option<f64>| value.map(|value| format!("{name} {:.1} %", 100.0 * value));
        let parts = [
            percent("Score", self.score),
            within("Elo", self.elo, self.elo_error),
            limit(">=", self.elo_at_least),
            limit("<=", self.elo_at_most),
            within("nElo", self.nelo, self.nelo_error),
            percent("likelihood of superiority", self.superiority),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
