//! Ratings: Bradley-Terry with the first side's advantage, widths, likelihoods of superiority, and SPRT, by the
//! definitions of tournaments.md, Ratings. All ratings and widths are in Elo.
//!
//! Owns the fit and everything that is computed from it or from counts of two bots. Does not know names, games, files or
//! how a figure is shown: bots are numbers, the input is [`Encounters`](crate::standings::Encounters) or plain counts.
//!
//! ```
//! use arbiter::rating::{Ratings, Relation};
//! use arbiter::standings::{Encounters, Score::{Draw, Loss, Win}};
//! let mut encounters = Encounters::default();
//! encounters.add_pair(0, 1, [Win, Loss]); // 0 beats 1 from both sides
//! encounters.add_pair(0, 1, [Win, Draw]);
//! encounters.add_pair(1, 0, [Win, Draw]);
//! encounters.add_pair(0, 2, [Win, Loss]); // so does it 2, which never scores
//! let ratings = Ratings::fit(3, &encounters);
//! let [strong, weak, beaten] = ratings.bots() else { panic!("three bots") };
//! assert!(strong.rating > weak.rating);
//! assert!(beaten.rating.is_none());
//! assert_eq!(ratings.relation(strong.group, beaten.group), Relation::Above);
//! ```

mod fit;
mod groups;
mod information;
mod limit;
mod linear;
mod matches;
mod meetings;
mod normal;
mod ratings;
mod sprt;
mod walks;

pub use groups::Relation;
pub use limit::Limit;
pub use matches::MatchStatistics;
pub use normal::normal_cdf;
pub use ratings::{FirstSide, Rated, Ratings, Superiority, Unestimated, Width};
pub use sprt::{Hypothesis, Model, Sprt, Trial};

use std::f64::consts::LN_10;

/// Elo to the natural logarithm of odds (definition 1).
const K: f64 = LN_10 / 400.0;

/// A normal value is within this many standard deviations 95 times in 100 (definition 1).
const Z: f64 = 1.959_963_984_540_054;

/// What reaches beyond on one side: the probability of a one-sided limit of 95 % (definitions 7 and 12).
const TAIL: f64 = 0.05;
