//! All that a fit says.

use super::fit::{Advantage, Likelihood, Values};
use super::groups::{Arrows, Groups, Relation};
use super::information::{Covariance, Scatter, places};
use super::limit::{Limit, limits};
use super::meetings::meetings;
use super::normal::normal_cdf;
use super::walks::obstacle;
use super::{K, Z};
use crate::standings::Encounters;
use std::fmt;

/// So many Newton steps at most (definition 8).
const STEPS: usize = 100;

/// A difference whose variance is below this, in Elo², has no likelihood of superiority (definition 11).
const CERTAIN: f64 = 1e-9;

/// Tables show the width from pairs when there are so many more clusters than parameters (definition 17).
const SPARE_CLUSTERS: u64 = 20;

/// What the fit says of a bot; all figures in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rated {
    /// The number of its group, from 1 (definition 5).
    pub group: usize,
    /// Its rating, to be compared inside its group only; none for a bot alone in its group (definitions 4 to 8).
    pub rating: Option<f64>,
    /// Half the 95 % interval, from the information, relative to the group's mean (definition 9).
    pub half_width: Option<f64>,
    /// The same from pairs of games; none when there are not more clusters than parameters (definition 10).
    pub half_width_pairs: Option<f64>,
    /// What is known of a bot alone in its group (definition 7).
    pub limit: Option<Limit>,
}

/// The first side's advantage, in Elo (definition 6).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstSide {
    /// What the first side is stronger by; none if it has no unique finite maximum: the ratings then take it as 0.
    pub estimate: Option<f64>,
    /// Half the 95 % interval, from the information (definition 9).
    pub half_width: Option<f64>,
    /// The same from pairs of games; none when there are not more clusters than parameters (definition 10).
    pub half_width_pairs: Option<f64>,
    /// Why there is no estimate; none if there is one.
    pub reason: Option<Unestimated>,
}

/// Why the first side's advantage is not estimated (definition 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unestimated {
    /// The greater, the likelier.
    PlusInfinite,
    /// The smaller, the likelier.
    MinusInfinite,
    /// The games say nothing of it.
    Unidentified,
    /// The maximum was not found in the steps allowed; then there are no ratings either (definitions 8 and 17).
    NotFound,
}

impl Unestimated {
    /// The word in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Unestimated::PlusInfinite => "+inf",
            Unestimated::MinusInfinite => "-inf",
            Unestimated::Unidentified => "unidentified",
            Unestimated::NotFound => "not-found",
        }
    }
}

impl fmt::Display for Unestimated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How one bot of a group compares with another (definition 11).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Superiority {
    /// What the first is rated above the second, in Elo.
    pub difference: f64,
    /// Half the difference's 95 % interval, from the information, in Elo.
    pub half_width: f64,
    /// The probability that the first is the stronger, from the information; none for a difference without variance.
    pub los: Option<f64>,
    /// Half the difference's 95 % interval from pairs, in Elo; none when there are not more clusters than parameters.
    pub half_width_pairs: Option<f64>,
    /// The probability from pairs; none without that interval, or for a difference without variance.
    pub los_pairs: Option<f64>,
}

/// Which of the two widths a table shows (definition 17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// `half_width`, which takes every game for itself.
    Information,
    /// `half_width_pairs`, which takes a pair of games as one.
    Pairs,
}

/// The ratings of all bots from all their counted games, with everything that is said beside them (definitions 1 to 11).
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    bots: Vec<Rated>,
    first_side: FirstSide,
    log_likelihood: Option<f64>,
    clusters: u64,
    parameters: u64,
    groups: Groups,
    /// Of each bot in its group.
    places: Vec<usize>,
    spreads: Option<Spreads>,
}

/// Covariances in Elo² once divided by the scale.
#[derive(Debug, Clone, PartialEq)]
struct Spreads {
    plain: Covariance,
    pairs: Covariance,
    /// G/(G-K); none when G <= K.
    correction: Option<f64>,
}

impl Spreads {
    /// A variance of the information, in Elo².
    fn plain(&self, variance: impl Fn(&Covariance) -> f64) -> f64 {
        variance(&self.plain) / (K * K)
    }

    /// A variance from pairs, in Elo².
    fn pairs(&self, variance: impl Fn(&Covariance) -> f64) -> Option<f64> {
        self.correction.map(|correction| variance(&self.pairs) * correction / (K * K))
    }
}

impl Ratings {
    /// The ratings of `bots` bots, numbered from 0 in configuration order.
    ///
    /// # Panics
    /// If an encounter names a bot that is not among them.
    #[must_use]
    pub fn fit(bots: usize, encounters: &Encounters) -> Ratings {
        Ratings::fit_within(bots, encounters, STEPS)
    }

    fn fit_within(bots: usize, encounters: &Encounters, steps: usize) -> Ratings {
        let meetings = meetings(encounters);
        let arrows = Arrows::new(bots, &meetings);
        let groups = Groups::new(&arrows);
        let obstacle = obstacle(&arrows, &groups);
        let advantage = if obstacle.is_none() { Advantage::Estimated } else { Advantage::Zero };
        let likelihood = Likelihood::new(&groups, &meetings, advantage);
        let in_groups: usize = groups.members.iter().map(|members| members.len() - 1).sum();
        let mut ratings = Ratings {
            bots: groups.of.iter().map(|&group| Rated::unrated(group)).collect(),
            first_side: FirstSide {
                estimate: None,
                half_width: None,
                half_width_pairs: None,
                reason: obstacle,
            },
            log_likelihood: None,
            clusters: Scatter::clusters(encounters, &groups),
            parameters: in_groups as u64 + u64::from(advantage == Advantage::Estimated),
            places: places(&groups),
            spreads: None,
            groups: groups.clone(),
        };
        let Some((at, information)) = likelihood.climb(steps) else {
            ratings.first_side.reason = obstacle.or(Some(Unestimated::NotFound));
            return ratings;
        };
        ratings.log_likelihood = Some(likelihood.logarithm(&at));
        for (rated, limit) in ratings.bots.iter_mut().zip(limits(&groups, &meetings, &at)) {
            rated.limit = limit;
        }
        drop(likelihood); // as large as the encounters, and the covariances want room
        let [plain, pairs] = information.covariances(Scatter::of(encounters, &groups, &at));
        let spare = ratings.clusters.saturating_sub(ratings.parameters);
        let correction = (spare > 0).then(|| ratings.clusters as f64 / spare as f64);
        ratings.enter(&at, Spreads { plain, pairs, correction });
        ratings
    }

    /// Enters what was found, in Elo.
    fn enter(&mut self, at: &Values, spreads: Spreads) {
        if self.first_side.reason.is_none() {
            let variance = |covariance: &Covariance| covariance.first_side;
            self.first_side.estimate = Some(at.first_side / K);
            self.first_side.half_width = Some(half_width(spreads.plain(variance)));
            self.first_side.half_width_pairs = spreads.pairs(variance).map(half_width);
        }
        for (bot, rated) in self.bots.iter_mut().enumerate() {
            let group = self.groups.of[bot];
            if self.groups.members[group].len() == 1 {
                continue;
            }
            let variance = |covariance: &Covariance| covariance.variance(group, self.places[bot]);
            rated.rating = Some(at.ratings[bot] / K);
            rated.half_width = Some(half_width(spreads.plain(variance)));
            rated.half_width_pairs = spreads.pairs(variance).map(half_width);
        }
        self.spreads = Some(spreads);
    }

    /// All bots, by their numbers.
    #[must_use]
    pub fn bots(&self) -> &[Rated] {
        &self.bots
    }

    /// The bots of each group in configuration order; group 1 comes first (definition 5).
    #[must_use]
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups.members
    }

    /// How group `a` stands to group `b`, both counted from 1 as in [`Rated::group`] (definition 5).
    ///
    /// # Panics
    /// If there is no such group.
    #[must_use]
    pub fn relation(&self, a: usize, b: usize) -> Relation {
        self.groups.relation(a - 1, b - 1)
    }

    /// The first side's advantage (definition 6).
    #[must_use]
    pub fn first_side(&self) -> FirstSide {
        self.first_side
    }

    /// The natural logarithm of the likelihood of the games inside groups (definition 4); none if the maximum was not
    /// found.
    #[must_use]
    pub fn log_likelihood(&self) -> Option<f64> {
        self.log_likelihood
    }

    /// G, the pairs and single games inside groups (definition 10).
    #[must_use]
    pub fn clusters(&self) -> u64 {
        self.clusters
    }

    /// K, what was estimated: a bot less than each group has, and the first side's advantage (definition 10).
    #[must_use]
    pub fn parameters(&self) -> u64 {
        self.parameters
    }

    /// The width that tables show (definition 17).
    #[must_use]
    pub fn shown_width(&self) -> Width {
        if self.clusters >= self.parameters + SPARE_CLUSTERS { Width::Pairs } else { Width::Information }
    }

    /// How bot `a` compares with bot `b`; none unless they are two bots of one group with ratings (definition 11).
    ///
    /// # Panics
    /// If there is no such bot.
    #[must_use]
    pub fn superiority(&self, a: usize, b: usize) -> Option<Superiority> {
        let group = self.groups.of[a];
        if a == b || group != self.groups.of[b] {
            return None;
        }
        let spreads = self.spreads.as_ref()?;
        let difference = self.bots[a].rating? - self.bots[b].rating?;
        let variance =
            |covariance: &Covariance| covariance.of_difference(group, self.places[a], self.places[b]);
        let [plain, pairs] = [Some(spreads.plain(variance)), spreads.pairs(variance)];
        let los = |variance: f64| (variance >= CERTAIN).then(|| normal_cdf(difference / variance.sqrt()));
        Some(Superiority {
            difference,
            half_width: half_width(spreads.plain(variance)),
            los: plain.and_then(los),
            half_width_pairs: pairs.map(half_width),
            los_pairs: pairs.and_then(los),
        })
    }

    /// Shifts the ratings of this bot's group so that it has rating 0, and with group 1 the limits, which are on its
    /// scale. Widths stay relative to the group's mean. Nothing changes if the bot has no rating.
    ///
    /// # Panics
    /// If there is no such bot.
    pub fn anchor(&mut self, bot: usize) {
        let Rated { group, rating: Some(zero), .. } = self.bots[bot] else { return };
        for rated in &mut self.bots {
            if rated.group == group {
                rated.rating = rated.rating.map(|rating| rating - zero);
            }
            if group == 1 {
                rated.limit = rated.limit.map(|limit| limit.less(zero));
            }
        }
    }
}

impl Rated {
    fn unrated(group: usize) -> Rated {
        Rated { group: group + 1, rating: None, half_width: None, half_width_pairs: None, limit: None }
    }
}

/// Half the 95 % interval (definition 9).
fn half_width(variance: f64) -> f64 {
    Z * variance.sqrt()
}

#[cfg(test)]
mod tests;
