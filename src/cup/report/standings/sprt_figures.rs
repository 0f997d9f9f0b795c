//! The figures of an SPRT.

use super::rounding::{elo, fine, interval, percent_text};
use arbiter_rank::rating::{Hypothesis, MatchStatistics, Model, Trial};
use arbiter_rules::text::counted;
use serde::Serialize;

/// What has to be said of every estimate after a verdict.
pub const BIAS: &str = "The Elo estimate of a stopped test is biased outwards.";

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
    /// `H0`, `H1` or `undecided`; `None` while the test is running.
    pub verdict: Option<&'static str>,
    pub(super) statistics: Option<StatisticsFigures>,
}

/// Statistics from pairs (definition 12). The estimates of a stopped test are biased outwards.
#[derive(Debug, Clone, Serialize)]
pub struct StatisticsFigures {
    pub score: Option<f64>,
    pub standard_error: Option<f64>,
    pub elo: Option<f64>,
    pub elo_low: Option<f64>,
    pub elo_high: Option<f64>,
    pub elo_error: Option<f64>,
    pub elo_at_least: Option<f64>,
    pub elo_at_most: Option<f64>,
    pub nelo: Option<f64>,
    pub nelo_error: Option<f64>,
    pub superiority: Option<f64>,
}

impl SprtFigures {
    /// The state of this test; `is_over` says that no pair follows.
    pub fn new(trial: &Trial, is_over: bool) -> SprtFigures {
        let test = trial.sprt();
        let counts = *trial.counts();
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

    /// What the test has found, in words and then in figures: `better: +38.2 Elo (95 %: 9.0 to
    /// 67.7), 206 pairs`. Each verdict says what was refuted: H1 that the difference is at most
    /// `elo0`, H0 that it is at least `elo1`.
    ///
    /// ```
    /// use arbiter_rank::rating::{Model, Sprt, Trial};
    /// use arbiter_cup::report::standings::SprtFigures;
    /// let sprt = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
    /// let mut trial = Trial::new(sprt);
    /// for points in [2, 3, 2, 1, 4].repeat(80) {
    ///     trial.add(points);
    /// }
    /// let result = SprtFigures::new(&trial, true).result();
    /// assert!(result.starts_with("better: +71.4 Elo (95 %: 14.5 to 132.4)"), "{result}");
    /// assert!(result.ends_with(" pairs"), "{result}");
    /// ```
    pub fn result(&self) -> String {
        let unit = if self.model == Model::Normalized.word() { "normalized Elo" } else { "Elo" };
        let elo0 = self.elo0.unwrap_or_default();
        let elo1 = self.elo1.unwrap_or_default();
        let figures = match &self.statistics {
            Some(statistics) => format!(": {}", statistics.estimate()),
            None => String::new(),
        };
        let pairs = counted(self.pairs, "pair");
        // To accept one hypothesis is to refute the other one, which is what the words say: H1 is
        // accepted because the difference cannot be as low as `elo0`.
        let verdict = match self.verdict {
            Some("H1") if elo0 > 0.0 => format!("better by more than {elo0} {unit}"),
            Some("H1") if elo0 < 0.0 => format!("not worse by {} {unit} or more", -elo0),
            Some("H1") => "better".to_owned(),
            Some("H0") if elo1 > 0.0 => format!("not better by {elo1} {unit} or more"),
            Some("H0") if elo1 < 0.0 => format!("worse by more than {} {unit}", -elo1),
            Some("H0") => "worse".to_owned(),
            Some(_) => return format!("undecided after {pairs}{figures}"),
            None => return format!("no verdict yet after {pairs}{figures}"),
        };
        format!("{verdict}{figures}, {pairs}")
    }

    /// The LLR, and how the pairs ended.
    pub fn counted_pairs(&self) -> String {
        let counts = self.counts.map(|count| count.to_string()).join(", ");
        format!("{}; pairs with 0, 1/2, 1, 3/2, 2 points: {counts}", self.ratio())
    }

    /// The log-likelihood ratio with its bounds, and the number of pairs.
    pub(super) fn ratio(&self) -> String {
        format!("{} after {}", self.bounded_ratio(), counted(self.pairs, "pair"))
    }

    fn bounded_ratio(&self) -> String {
        format!(
            "LLR {} between {} and {}",
            three_decimals(self.llr),
            three_decimals(self.lower),
            three_decimals(self.upper)
        )
    }

    /// The result of the test and how far it is: what a person who compares two versions needs.
    pub(super) fn short_lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{}; {}", self.result(), self.bounded_ratio())];
        if self.verdict.is_some() {
            lines.push(BIAS.to_owned());
        }
        lines
    }

    /// The figures as sentences.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "H0: {} Elo, H1: {} Elo ({})",
                hypothesis(self.elo0),
                hypothesis(self.elo1),
                self.model
            ),
            self.counted_pairs(),
            match self.verdict {
                None => "No verdict yet".to_owned(),
                Some("undecided") => "Undecided: neither bound was reached".to_owned(),
                Some(verdict) => format!("Verdict: {verdict} is accepted"),
            },
        ];
        if let Some(statistics) = &self.statistics {
            lines.push(statistics.line());
        }
        if self.verdict.is_some() {
            lines.push(BIAS.to_owned());
        }
        lines
    }
}

fn three_decimals(figure: Option<f64>) -> String {
    match figure {
        Some(figure) => format!("{figure:.3}"),
        None => "-".to_owned(),
    }
}

fn hypothesis(elo: Option<f64>) -> String {
    match elo {
        Some(elo) => elo.to_string(),
        None => "-".to_owned(),
    }
}

impl StatisticsFigures {
    pub fn new(statistics: &MatchStatistics) -> StatisticsFigures {
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

    /// The difference with its interval, if there is one: `+38.2 Elo (95 %: 9.0 to 67.7)`.
    pub fn estimate(&self) -> String {
        match (self.elo, self.elo_low, self.elo_high) {
            (Some(elo), None, None) => format!("{elo:+.1} Elo"),
            (Some(elo), low, high) => format!("{elo:+.1} Elo (95 %: {})", interval(low, high)),
            // If all games were won, or all lost, any larger difference fits as well.
            (None, ..) => match (self.elo_at_least, self.elo_at_most) {
                (Some(least), _) => format!("at least {least:+.1} Elo (95 %)"),
                (None, Some(most)) => format!("at most {most:+.1} Elo (95 %)"),
                (None, None) => "no estimate".to_owned(),
            },
        }
    }

    fn line(&self) -> String {
        let mut parts = Vec::new();
        if let Some(score) = self.score {
            parts.push(format!("Score {} %", percent_text(score)));
        }
        parts.extend(with_error("Elo", self.elo, self.elo_error));
        if let Some(least) = self.elo_at_least {
            parts.push(format!("Elo >= {least:.1}"));
        }
        if let Some(most) = self.elo_at_most {
            parts.push(format!("Elo <= {most:.1}"));
        }
        parts.extend(with_error("nElo", self.nelo, self.nelo_error));
        if let Some(superiority) = self.superiority {
            parts.push(format!("likelihood of superiority {} %", percent_text(superiority)));
        }
        parts.join(", ")
    }
}

fn with_error(name: &str, value: Option<f64>, error: Option<f64>) -> Option<String> {
    match error {
        Some(error) => Some(format!("{name} {:.1} ± {error:.1}", value?)),
        None => Some(format!("{name} {:.1}", value?)),
    }
}
