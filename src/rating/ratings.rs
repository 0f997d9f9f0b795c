//! Ratings of all bots: the result of a fit.

use super::fit::maximize;
use super::groups::{Arrows, GroupRelation, RatingGroups};
use super::head_to_head::head_to_heads;
use super::information::{Covariance, Scatter, places};
use super::likelihood::{Advantage, Likelihood, Values};
use super::limit::{RatingLimit, limits};
use super::normal::normal_cdf;
use super::positive_cycle::{Unestimated, why_not_estimated};
use super::{K, Z};
use crate::standings::Encounters;

/// Maximum number of Newton steps (definition 8).
const STEPS: usize = 100;

/// A difference whose variance is below this, in Elo², has no likelihood of superiority (definition 11).
const CERTAIN: f64 = 1e-9;

/// Tables show the width from pairs if there are at least this many more clusters than parameters (definition
/// 17).
const SPARE_CLUSTERS: u64 = 20;

/// The rating of a bot; all figures in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BotRating {
    /// The number of its group, from 1 (definition 5).
    pub group: usize,
    /// Its rating, comparable inside its group only; none for a bot alone in its group (definitions 4 to 8).
    pub rating: Option<f64>,
    /// Half the 95 % interval, from the information, relative to the group's mean (definition 9).
    pub half_width: Option<f64>,
    /// The same from pairs of games; none when there are not more clusters than parameters (definition 10).
    pub half_width_pairs: Option<f64>,
    /// The limit on the rating of a bot alone in its group (definition 7).
    pub limit: Option<RatingLimit>,
}

/// The first side's advantage, in Elo (definition 6).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstSideAdvantage {
    /// The advantage; none if it has no unique finite estimate, and then ratings are computed with 0.
    pub estimate: Option<f64>,
    /// Half the 95 % interval, from the information (definition 9).
    pub half_width: Option<f64>,
    /// The same from pairs of games; none when there are not more clusters than parameters (definition 10).
    pub half_width_pairs: Option<f64>,
    /// Why there is no estimate; none if there is one.
    pub reason: Option<Unestimated>,
}

/// The comparison of two bots of one group (definition 11).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Superiority {
    /// The rating of the first bot less that of the second, in Elo.
    pub difference: f64,
    /// Half the difference's 95 % interval, from the information, in Elo.
    pub half_width: f64,
    /// The probability that the first is the stronger one, from the information; none for a difference
    /// without variance.
    pub los: Option<f64>,
    /// Half the difference's 95 % interval from pairs, in Elo; none when there are not more clusters than parameters.
    pub half_width_pairs: Option<f64>,
    /// The same from pairs; none without that interval, or for a difference without variance.
    pub los_pairs: Option<f64>,
}

/// Which of the two widths a table shows (definition 17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// `half_width`, which treats games as independent.
    Information,
    /// `half_width_pairs`, which treats pairs of games as independent.
    Pairs,
}

/// The ratings of all bots from all counted games, with the figures of the whole fit (definitions 1 to 11).
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    bots: Vec<BotRating>,
    first_side: FirstSideAdvantage,
    log_likelihood: Option<f64>,
    clusters: u64,
    parameters: u64,
    groups: RatingGroups,
    /// The index of each bot in its group.
    places: Vec<usize>,
    covariances: Option<Covariances>,
}

/// Covariances in natural units; the methods convert variances to Elo².
#[derive(Debug, Clone, PartialEq)]
struct Covariances {
    plain: Covariance,
    pairs: Covariance,
    /// G/(G-K); none when G <= K.
    correction: Option<f64>,
}

impl Covariances {
    /// A variance from the information, in Elo².
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
        let head_to_heads = head_to_heads(encounters);
        let arrows = Arrows::new(bots, &head_to_heads);
        let groups = RatingGroups::new(&arrows);
        let obstacle = why_not_estimated(&arrows, &groups);
        let advantage = if obstacle.is_none() { Advantage::Estimated } else { Advantage::Zero };
        let likelihood = Likelihood::new(&groups, &head_to_heads, advantage);
        let in_groups: usize = groups.members.iter().map(|members| members.len() - 1).sum();
        let mut ratings = Ratings {
            bots: groups.of.iter().map(|&group| BotRating::unrated(group)).collect(),
            first_side: FirstSideAdvantage {
                estimate: None,
                half_width: None,
                half_width_pairs: None,
                reason: obstacle,
            },
            log_likelihood: None,
            clusters: Scatter::clusters(encounters, &groups),
            parameters: in_groups as u64 + u64::from(advantage == Advantage::Estimated),
            places: places(&groups),
            covariances: None,
            groups: groups.clone(),
        };
        let Some((at, information)) = maximize(&likelihood, steps) else {
            ratings.first_side.reason = obstacle.or(Some(Unestimated::NotFound));
            return ratings;
        };
        ratings.log_likelihood = Some(likelihood.logarithm(&at));
        for (rated, limit) in ratings.bots.iter_mut().zip(limits(&groups, &head_to_heads, &at)) {
            rated.limit = limit;
        }
        drop(likelihood); // frees memory of the size of the encounters before the covariances are computed
        let [plain, pairs] = information.covariances(Scatter::of(encounters, &groups, &at));
        let spare = ratings.clusters.saturating_sub(ratings.parameters);
        let correction = (spare > 0).then(|| ratings.clusters as f64 / spare as f64);
        ratings.enter(&at, Covariances { plain, pairs, correction });
        ratings
    }

    /// Stores the result of the fit, in Elo.
    fn enter(&mut self, at: &Values, covariances: Covariances) {
        if self.first_side.reason.is_none() {
            let variance = |covariance: &Covariance| covariance.first_side;
            self.first_side.estimate = Some(at.first_side / K);
            self.first_side.half_width = Some(half_width(covariances.plain(variance)));
            self.first_side.half_width_pairs = covariances.pairs(variance).map(half_width);
        }
        for (bot, rated) in self.bots.iter_mut().enumerate() {
            let group = self.groups.of[bot];
            if self.groups.members[group].len() == 1 {
                continue;
            }
            let variance = |covariance: &Covariance| covariance.variance(group, self.places[bot]);
            rated.rating = Some(at.ratings[bot] / K);
            rated.half_width = Some(half_width(covariances.plain(variance)));
            rated.half_width_pairs = covariances.pairs(variance).map(half_width);
        }
        self.covariances = Some(covariances);
    }

    /// All bots, by their numbers.
    #[must_use]
    pub fn bots(&self) -> &[BotRating] {
        &self.bots
    }

    /// The bots of each group in configuration order; group 1 is the first (definition 5).
    #[must_use]
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups.members
    }

    /// How group `a` relates to group `b`; both are numbered from 1 as in [`BotRating::group`] (definition
    /// 5).
    ///
    /// # Panics
    /// If there is no such group.
    #[must_use]
    pub fn relation(&self, a: usize, b: usize) -> GroupRelation {
        self.groups.relation(a - 1, b - 1)
    }

    /// The first side's advantage (definition 6).
    #[must_use]
    pub fn first_side(&self) -> FirstSideAdvantage {
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

    /// K, the number of estimated parameters: one less than the size of each group, and one for the first
    /// side's advantage (definition 10).
    #[must_use]
    pub fn parameters(&self) -> u64 {
        self.parameters
    }

    /// The width that tables show (definition 17).
    #[must_use]
    pub fn shown_width(&self) -> Width {
        if self.clusters >= self.parameters + SPARE_CLUSTERS { Width::Pairs } else { Width::Information }
    }

    /// The comparison of bot `a` with bot `b`; none unless they are two bots of one group with ratings
    /// (definition 11).
    ///
    /// # Panics
    /// If there is no such bot.
    #[must_use]
    pub fn superiority(&self, a: usize, b: usize) -> Option<Superiority> {
        let group = self.groups.of[a];
        if a == b || group != self.groups.of[b] {
            return None;
        }
        let covariances = self.covariances.as_ref()?;
        let difference = self.bots[a].rating? - self.bots[b].rating?;
        let variance =
            |covariance: &Covariance| covariance.of_difference(group, self.places[a], self.places[b]);
        let [plain, pairs] = [Some(covariances.plain(variance)), covariances.pairs(variance)];
        let los = |variance: f64| (variance >= CERTAIN).then(|| normal_cdf(difference / variance.sqrt()));
        Some(Superiority {
            difference,
            half_width: half_width(covariances.plain(variance)),
            los: plain.and_then(los),
            half_width_pairs: pairs.map(half_width),
            los_pairs: pairs.and_then(los),
        })
    }

    /// Shifts the ratings of this bot's group so that it has rating 0; for group 1 also the limits, which are
    /// on its scale. Widths stay relative to the group's mean. Does nothing if the bot has no rating.
    ///
    /// # Panics
    /// If there is no such bot.
    pub fn anchor(&mut self, bot: usize) {
        let BotRating { group, rating: Some(zero), .. } = self.bots[bot] else { return };
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

impl BotRating {
    fn unrated(group: usize) -> BotRating {
        BotRating { group: group + 1, rating: None, half_width: None, half_width_pairs: None, limit: None }
    }
}

/// Half the 95 % interval (definition 9).
fn half_width(variance: f64) -> f64 {
    Z * variance.sqrt()
}

#[cfg(test)]
mod tests;
