//! Ratings: the Bradley-Terry model with the first side's advantage and virtual draws, bounds,
//! likelihoods of superiority, and SPRT, by the definitions of src/rank/definitions.md. All
//! ratings are in Elo.
//!
//! Owns the fit and everything computed from it, or from counts of two bots' games. Knows no names,
//! games, files or layouts: bots are numbers, the input is
//! [`Encounters`](crate::standings::Encounters) or plain counts.
//!
//! ```
//! use arbiter_rank::rating::{RatingOptions, Ratings};
//! use arbiter_rank::standings::{Encounters, Score::{Draw, Loss, Win}};
//! let mut encounters = Encounters::default();
//! encounters.add_pair(0, 1, [Win, Loss]); // 0 beats 1 from both sides
//! encounters.add_pair(0, 1, [Win, Draw]);
//! encounters.add_pair(1, 0, [Win, Draw]);
//! encounters.add_pair(0, 2, [Win, Loss]); // 0 also beats 2, which never scores
//! let ratings = Ratings::fit(3, &encounters, &RatingOptions::default());
//! let [strong, weak, beaten] = ratings.bots() else { panic!("three bots") };
//! assert!(strong.rating > weak.rating && weak.rating > beaten.rating);
//! assert!(beaten.low.is_none() && beaten.high.is_some());
//! let difference = ratings.difference(0, 1).unwrap();
//! assert!(difference.low.unwrap() < difference.estimate && difference.superiority > 0.5);
//! ```

mod crossing;
mod elimination;
mod fit;
mod forecast;
mod game_graph;
mod groups;
mod information;
mod likelihood;
mod matches;
mod matrix;
mod network;
mod normal;
mod paired;
mod ratings;
mod scatter;
mod sprt;
mod step_test;
mod strength;
mod strong_components;

pub(crate) use information::of_game;
pub use likelihood::FirstSide;
pub use matches::MatchStatistics;
pub use paired::ScoreDifference;
pub use ratings::{
    AnchorContradiction, BotRating, FirstSideAdvantage, RatingDifference, RatingOptions, Ratings,
    dense_core,
};
pub use sprt::{Hypothesis, Model, Sprt, Trial};
pub use step_test::{StepRule, StepTest, StepVerdict};
pub(crate) use strength::{Strength, strengths};

use std::f64::consts::LN_10;

/// Factor from Elo to natural logarithms of odds (definition 1).
pub(crate) const K: f64 = LN_10 / 400.0;

/// A normally distributed value is within this many standard deviations of its mean with
/// probability 0.95 (definition 1).
pub(crate) const Z: f64 = 1.959_963_984_540_054;
