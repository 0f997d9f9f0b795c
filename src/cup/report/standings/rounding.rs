//! Rounding of figures in reports, and intervals in words.

/// Decimals of shares, probabilities and likelihood ratios.
const FINE: i32 = 6;

/// Decimals of figures in Elo.
const ELO: i32 = 4;

/// A rounded figure; `None` if it is not finite, because JSON has no such number.
fn rounded(value: f64, decimals: i32) -> Option<f64> {
    let scale = 10_f64.powi(decimals);
    // Adding 0.0 turns a negative zero into a positive one.
    value.is_finite().then_some((value * scale).round() / scale + 0.0)
}

/// A figure in Elo.
pub fn elo(value: f64) -> Option<f64> {
    rounded(value, ELO)
}

/// A share, probability or likelihood ratio.
pub fn fine(value: f64) -> Option<f64> {
    rounded(value, FINE)
}

/// A share in percent.
pub fn percent_text(value: f64) -> String {
    format!("{:.1}", 100.0 * value)
}

/// A figure with one decimal, or `none`.
pub fn figure_text(figure: Option<f64>, none: &str) -> String {
    match figure {
        Some(figure) => one_decimal(figure),
        None => none.to_owned(),
    }
}

fn one_decimal(figure: f64) -> String {
    format!("{figure:.1}")
}

/// An end of the interval of a rating; `unbounded` if no result bounds it. A bot without a rating
/// has no interval.
pub fn bound_text(rating: Option<f64>, bound: Option<f64>, unbounded: &str) -> String {
    figure_text(bound, if rating.is_some() { unbounded } else { "-" })
}

/// An interval in words. An end that is missing is no bound.
pub fn interval(low: Option<f64>, high: Option<f64>) -> String {
    interval_of(low.map(one_decimal), high.map(one_decimal))
}

/// [`interval`] in whole Elo.
pub fn whole_interval(low: Option<f64>, high: Option<f64>) -> String {
    interval_of(low.map(whole_text), high.map(whole_text))
}

fn interval_of(low: Option<String>, high: Option<String>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{low} to {high}"),
        (Some(low), None) => format!("{low} and more"),
        (None, Some(high)) => format!("{high} and less"),
        (None, None) => "no bounds".to_owned(),
    }
}

/// A figure in whole Elo: its interval is far wider than the decimals.
pub fn whole_text(figure: f64) -> String {
    // Adding 0.0 turns a negative zero into a positive one.
    format!("{:.0}", figure.round() + 0.0)
}
