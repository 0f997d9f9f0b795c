//! Rounding of figures in reports, and intervals in words.

/// Decimals of shares, probabilities and likelihood ratios.
const FINE: i32 = 6;

/// Decimals of figures in Elo.
const ELO: i32 = 4;

/// A rounded figure; none if it is not finite, so that no report holds such a number.
fn rounded(value: f64, decimals: i32) -> Option<f64> {
    let scale = 10_f64.powi(decimals);
    value.is_finite().then(|| (value * scale).round() / scale + 0.0) // + 0.0: no negative zero
}

/// A figure in Elo.
pub(super) fn elo(value: f64) -> Option<f64> {
    rounded(value, ELO)
}

/// A share, probability or likelihood ratio.
pub(super) fn fine(value: f64) -> Option<f64> {
    rounded(value, FINE)
}

/// A share in percent.
pub(super) fn percent_text(value: f64) -> String {
    format!("{:.1}", 100.0 * value)
}

/// A figure with one decimal, or what stands for none.
pub(super) fn figure_text(figure: Option<f64>, none: &str) -> String {
    figure.map_or_else(|| none.to_owned(), |figure| format!("{figure:.1}"))
}

/// An interval in words. An end that is missing is no bound.
#[must_use]
pub fn interval(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{low:.1} to {high:.1}"),
        (Some(low), None) => format!("{low:.1} and more"),
        (None, Some(high)) => format!("{high:.1} and less"),
        (None, None) => "no bounds".to_owned(),
    }
}
