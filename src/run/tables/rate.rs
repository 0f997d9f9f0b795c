//! Fitting ratings, with a note before it if that takes long.

use arbiter_ground::output::complain;
use arbiter_rank::rating::{RatingOptions, Ratings, dense_core};
use arbiter_rank::standings::Encounters;
use std::sync::Once;

/// The greatest core that is fitted without a note: it takes seconds.
const QUICK: usize = 1500;

/// The ratings of these bots, as by [`Ratings::fit`]. The first long fit of this process is
/// announced on standard error.
pub fn rate(bots: usize, encounters: &Encounters, options: &RatingOptions) -> Ratings {
    static SAID: Once = Once::new();
    if bots > QUICK
        && !SAID.is_completed()
        && let Some(said) = announcement(dense_core(bots, encounters))
    {
        SAID.call_once(|| complain(said));
    }
    Ratings::fit(bots, encounters, options)
}

fn announcement(core: usize) -> Option<String> {
    if core <= QUICK {
        return None;
    }
    Some(format!(
        "note: {core} bots met so many others that their ratings are one dense problem; the time \
         for it grows with the cube of their number, to a minute for 3000"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_fit_is_announced() {
        assert_eq!(announcement(1000), None);
        assert!(announcement(2999).is_some_and(|said| said.contains("2999 bots")));
    }
}
