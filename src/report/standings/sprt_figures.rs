//! The figures of an SPRT.

use super::contents::SprtReport;
use super::rounding::{elo, fine};
use crate::rating::MatchStatistics;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct SprtFigures {
    pub(super) model: &'static str,
    pub(super) elo0: Option<f64>,
    pub(super) elo1: Option<f64>,
    pub(super) lower: Option<f64>,
    pub(super) upper: Option<f64>,
    pub(super) llr: Option<f64>,
    pub(super) pairs: u64,
    pub(super) counts: [u64; 5],
    pub(super) verdict: Option<&'static str>,
    pub(super) statistics: Option<StatisticsFigures>,
}

/// Statistics from pairs (definition 12). The estimates of a stopped test are biased outwards.
#[derive(Debug, Serialize)]
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
    pub(super) fn new(report: &SprtReport) -> SprtFigures {
        SprtFigures {
            model: report.model,
            elo0: elo(report.elo0),
            elo1: elo(report.elo1),
            lower: fine(report.lower),
            upper: fine(report.upper),
            llr: fine(report.llr),
            pairs: report.counts.iter().sum(),
            counts: report.counts,
            verdict: report.verdict,
            statistics: report.statistics.as_ref().map(StatisticsFigures::new),
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
    fn new(statistics: &MatchStatistics) -> StatisticsFigures {
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
