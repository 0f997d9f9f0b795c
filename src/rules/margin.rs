//! By how much a game was won, in the words of a custom game.

use std::fmt;

/// The margin of a win, such as 7.5 points: above 0, with at most two decimals.
///
/// ```
/// use arbiter_rules::Margin;
/// assert_eq!(Margin::new(7.5).unwrap().to_string(), "7.5");
/// assert_eq!([0.0, -1.0, 0.001, 1e7].map(Margin::new), [None; 4]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Margin(u32); // in hundredths, so that sums are exact and equal margins are equal

impl Margin {
    /// What a margin is, as the rest of a sentence.
    pub const FORM: &str = "a number above 0, up to 1000000, with at most two decimals";

    /// The margin of this number of points; `None` if it does not have the [form](Margin::FORM).
    pub fn new(number: f64) -> Option<Margin> {
        // 0.1 is no binary fraction, so a number of hundredths may be off by rounding.
        let hundredths = (100.0 * number).round();
        let is_exact = (100.0 * number - hundredths).abs() < 1e-6;
        (is_exact && (1.0..=1e8).contains(&hundredths)).then_some(Margin(hundredths as u32))
    }

    /// The margin in hundredths.
    pub fn hundredths(self) -> i64 {
        self.0.into()
    }

    /// The margin as a number, such as 7.5.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.points())
    }
}
