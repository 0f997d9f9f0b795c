//! Ratings of all bots: the result of a fit.

use super::crossing::MovedGames;
use super::fit::maximize;
use super::game_graph::{GameGraph, HeadToHead};
use super::groups::{RatingGroups, determine_first_side};
use super::information::{Covariance, Information, InformationFrom};
use super::likelihood::{FirstSide, Likelihood, Values};
use super::normal::normal_cdf;
use super::scatter::Scatter;
use super::strong_components::StrongComponents;
use super::{K, Z};
use crate::standings::Encounters;

/// The rating of a bot; all figures in Elo, and `None` for a bot without games.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BotRating {
    /// The number of its group, from 1 (definition 4).
    pub group: usize,
    /// Its rating, comparable inside its group only (definitions 4 to 7).
    pub rating: Option<f64>,
    /// The lower end of the 95 % interval; `None` if there is no lower bound (definition 10).
    pub low: Option<f64>,
    /// The upper end; `None` if there is no upper bound.
    pub high: Option<f64>,
    /// Half the 95 % interval by the information alone, which has the same width on both sides
    /// (definition 10).
    pub half_width: Option<f64>,
}

/// The first side's advantage, in Elo. All figures are `None` if the games do not determine it;
/// then ratings are computed with the advantage 0 (definition 5).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FirstSideAdvantage {
    /// The advantage.
    pub estimate: Option<f64>,
    /// The lower end of the 95 % interval; `None` if the first side lost every game (definition
    /// 10).
    pub low: Option<f64>,
    /// The upper end; `None` if the first side won every game.
    pub high: Option<f64>,
    /// Half the 95 % interval by the information alone.
    pub half_width: Option<f64>,
}

/// The difference of two bots of one group (definition 11).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingDifference {
    /// The rating of the first bot less that of the second, in Elo.
    pub estimate: f64,
    /// The lower end of the 95 % interval, in Elo; `None` if there is no lower bound.
    pub low: Option<f64>,
    /// The upper end, in Elo; `None` if there is no upper bound.
    pub high: Option<f64>,
    /// The likelihood of superiority: the probability that the first bot is the stronger one.
    pub superiority: f64,
}

/// What ratings need beside the games.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RatingOptions {
    /// Whether pairings followed results, as in a Swiss (definition 11b).
    pub swiss: bool,
    /// Bots with the ratings that they have by definition, in Elo (definition 4). One alone shifts
    /// its group; several in a group are fixed, and the others are estimated with them.
    pub anchors: Vec<(usize, f64)>,
    /// What is said of the first side (definition 5).
    pub first_side: FirstSide,
}

/// Two anchors of one group whose games contradict the difference that they have by definition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnchorContradiction {
    /// The two bots.
    pub bots: [usize; 2],
    /// The rating of the first less that of the second by definition, in Elo.
    pub given: f64,
    /// The same as the games say it.
    pub found: RatingDifference,
}

/// Ratings of a group that differ less, in squared natural logarithms of odds, do not differ
/// (definition 11b).
const NO_SPREAD: f64 = 1e-12;

/// A likelihood of superiority above this and below its complement claims nothing with 95 %
/// confidence.
const UNCLAIMED: f64 = 0.025;

/// A fit ends when no value changes by more than this, in Elo (definition 7).
const STILL: f64 = 1e-7;

/// How often the drawn games are laid and the ratings fitted (definition 6).
const FITS: usize = 3;

/// The ratings of all bots from all counted games, with the figures of the whole fit (definitions 1
/// to 11b).
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    bots: Vec<BotRating>,
    /// B of each group: the part of a difference that is not luck (definition 11b).
    kept: Vec<f64>,
    first_side: FirstSideAdvantage,
    is_first_side_left_out: bool,
    parameters: usize,
    virtual_draws: f64,
    groups: RatingGroups,
    components: StrongComponents,
    scatter: Scatter,
    covariance: Covariance,
    /// E- and E+ of each bot: what its likelihood adds to the squares of the half widths below and
    /// above its rating, in squared natural logarithms of odds (definition 10).
    skews: Vec<[f64; 2]>,
}

impl Ratings {
    /// The ratings of `bots` bots, numbered from 0 in configuration order.
    ///
    /// # Panics
    /// If an encounter or an anchor names a bot that is not among them.
    pub fn fit(bots: usize, encounters: &Encounters, options: &RatingOptions) -> Ratings {
        let mut graph = GameGraph::new(bots, encounters);
        let fixed: Vec<usize> = options.anchors.iter().map(|(bot, _)| *bot).collect();
        let groups = RatingGroups::new(&graph, &fixed);
        let mut first_side = options.first_side;
        if !determine_first_side(&graph, &groups) {
            first_side = FirstSide::LeftOut;
        }
        let parameters = groups.differences() + usize::from(first_side == FirstSide::Estimated);
        let mut at = start(&groups, &options.anchors);
        for _ in 0..FITS {
            // The covariance, which may have as many cells as there are bots by bots, is gone
            // before the fit.
            covariance(&Likelihood { graph: &graph, first_side }, &groups, &at)
                .lay_draws(&mut graph, &groups, &at);
            at = maximize(&Likelihood { graph: &graph, first_side }, &groups, at, STILL);
        }
        let covariance = covariance(&Likelihood { graph: &graph, first_side }, &groups, &at);
        let mut ratings = Ratings {
            bots: Vec::new(),
            kept: vec![1.0; groups.members.len()],
            first_side: FirstSideAdvantage::default(),
            is_first_side_left_out: options.first_side == FirstSide::LeftOut,
            parameters,
            virtual_draws: graph.virtual_draws(),
            components: StrongComponents::new(&graph, &groups),
            scatter: Scatter::new(encounters, &groups, &at, parameters),
            covariance,
            skews: Vec::new(),
            groups,
        };
        let means = ratings.means(&at);
        // The bounds follow: they need `kept` and the skews of the same bot.
        if options.swiss {
            ratings.kept = ratings.kept_in_swiss(&graph, &at, &means);
        }
        for bot in 0..bots {
            ratings.skews.push(ratings.skews_of(&graph, &at, bot));
            ratings.bots.push(ratings.rating_of(&at, &means, bot));
        }
        ratings.first_side = ratings.first_side_of(&graph, &at);
        // An anchor alone in its group shifts it; several were fixed from the beginning.
        for &(bot, given) in &options.anchors {
            if !ratings.groups.is_anchor(bot) {
                shift(&mut ratings.bots, bot, given);
            }
        }
        ratings
    }

    /// The mean rating of each group, 0 for those without several anchors.
    fn means(&self, at: &Values) -> Vec<f64> {
        let mut means = Vec::new();
        for bots in &self.groups.members {
            let sum: f64 = bots.iter().map(|&bot| at.ratings[bot]).sum();
            means.push(sum / bots.len() as f64);
        }
        means
    }

    /// B of each group (definition 11b).
    fn kept_in_swiss(&self, graph: &GameGraph, at: &Values, means: &[f64]) -> Vec<f64> {
        let mut met: Vec<Vec<f64>> = vec![Vec::new(); means.len()];
        for edge in &graph.edges {
            let [a, b] = edge.bots();
            met[self.groups.of[a]].push(self.variance_of_difference(a, b));
        }
        let mut kept = Vec::new();
        for ((bots, mean), variances) in self.groups.members.iter().zip(means).zip(&mut met) {
            // The mean of (r_i - r_j)² over all pairs of n values is 2/(n - 1) times the sum of
            // their squares around the mean.
            let squares: f64 = bots.iter().map(|&bot| (at.ratings[bot] - mean).powi(2)).sum();
            let spread = 2.0 / (bots.len() as f64 - 1.0) * squares;
            kept.push(if bots.len() < 3 {
                1.0
            } else if spread < NO_SPREAD {
                0.0
            } else {
                (1.0 - median(variances) / spread).max(0.0)
            });
        }
        kept
    }

    /// E- and E+ of a bot, by its own games.
    fn skews_of(&self, graph: &GameGraph, at: &Values, bot: usize) -> [f64; 2] {
        if self.groups.is_anchor(bot) {
            return [0.0; 2];
        }
        let mut games = MovedGames::default();
        for (first, second, of_sides) in graph.edges_of(bot).flat_map(HeadToHead::games) {
            let advantage = at.advantage(first, second);
            let [won, lost] = of_sides.points();
            if first == bot {
                games.add(advantage, [won, lost]);
            } else {
                games.add(-advantage, [lost, won]);
            }
        }
        let group = self.groups.of[bot];
        let size = self.groups.members[group].len() as f64;
        // A bot moves the mean of its group, but not the anchors.
        let share =
            if self.groups.is_anchored(group) { 1.0 } else { ((size - 1.0) / size).powi(2) };
        // Without a crossing there is no bound, and the value is not used.
        games.skews(self.scatter.of_bot(bot)).map(|skew| share * skew.unwrap_or_default())
    }

    /// The rating of a bot with its bounds (definitions 10 and 11b).
    fn rating_of(&self, at: &Values, means: &[f64], bot: usize) -> BotRating {
        let group = self.groups.of[bot];
        let unrated = BotRating { group: group + 1, ..BotRating::default() };
        if self.groups.members[group].len() == 1 {
            return unrated;
        }
        let variance =
            Z * Z * self.scatter.of_bot(bot) * self.covariance.of_rating(&self.groups, bot);
        let [below, above] = self.skews[bot].map(|skew| (variance + skew).sqrt() / K);
        let rating = at.ratings[bot] / K;
        let kept = if self.groups.is_anchor(bot) {
            rating
        } else {
            (means[group] + self.kept[group] * (at.ratings[bot] - means[group])) / K
        };
        BotRating {
            rating: Some(rating),
            low: self.components.has_low(bot).then_some(rating.min(kept) - below),
            high: self.components.has_high(bot).then_some(rating.max(kept) + above),
            half_width: Some(variance.sqrt() / K),
            ..unrated
        }
    }

    /// The variance of the difference of two bots of one group, in squared natural logarithms of
    /// odds (definition 11).
    fn variance_of_difference(&self, a: usize, b: usize) -> f64 {
        let scatter = self.scatter.of_bot(a).max(self.scatter.of_bot(b));
        scatter * self.covariance.of_difference(&self.groups, a, b, 0.0)
    }

    /// The first side's advantage, with its bounds from all games.
    fn first_side_of(&self, graph: &GameGraph, at: &Values) -> FirstSideAdvantage {
        let Some(variance) = self.covariance.first_side else { return self.first_side };
        let mut games = MovedGames::default();
        for (first, second, of_sides) in graph.games() {
            games.add(at.advantage(first, second), of_sides.points());
        }
        let scatter = self.scatter.of_first_side.unwrap_or(1.0);
        let variance = Z * Z * scatter * variance;
        let [below, above] = games.skews(scatter);
        let estimate = at.first_side / K;
        FirstSideAdvantage {
            estimate: Some(estimate),
            low: below.map(|skew| estimate - (variance + skew).sqrt() / K),
            high: above.map(|skew| estimate + (variance + skew).sqrt() / K),
            half_width: Some(variance.sqrt() / K),
        }
    }

    /// All bots, by their numbers.
    pub fn bots(&self) -> &[BotRating] {
        &self.bots
    }

    /// The bots of each group in configuration order (definition 4).
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups.members
    }

    /// B of each group, the part of a difference that is not luck: 1 except in a Swiss; `None` for
    /// a bot without games (definition 11b).
    pub fn kept(&self) -> impl ExactSizeIterator<Item = Option<f64>> {
        let groups = self.kept.iter().zip(&self.groups.members);
        groups.map(|(kept, bots)| (bots.len() > 1).then_some(*kept))
    }

    /// The first side's advantage, the same in all groups.
    pub fn first_side(&self) -> FirstSideAdvantage {
        self.first_side
    }

    /// Whether the options [left out](FirstSide::LeftOut) an advantage of the first side.
    pub fn is_first_side_left_out(&self) -> bool {
        self.is_first_side_left_out
    }

    /// φ, how widely points of bots scatter, as a multiple of the variance of independent games;
    /// `None` without games (definition 9).
    pub fn scatter(&self) -> Option<f64> {
        self.scatter.of_points
    }

    /// φ_h, the same of points of the first sides (definition 9).
    pub fn scatter_first_side(&self) -> Option<f64> {
        self.scatter.of_first_side
    }

    /// G, the number of pairs and single games, those that repeat each other as one (definition 9).
    pub fn clusters(&self) -> u64 {
        self.scatter.clusters
    }

    /// D, how often a game was played, on average over the games: 1 if none repeats another one
    /// (definition 9).
    pub fn repetition(&self) -> f64 {
        self.scatter.repetition
    }

    /// K, the number of estimated values: one less than the size of each group or than that of its
    /// anchors, and one for the first side's advantage (definition 9).
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// The number of drawn games that were not played (definition 6).
    pub fn virtual_draws(&self) -> f64 {
        self.virtual_draws
    }

    /// The rating of bot `a` less that of bot `b`; `None` unless they are two bots of one group
    /// (definition 11).
    ///
    /// # Panics
    /// If there is no such bot.
    pub fn difference(&self, a: usize, b: usize) -> Option<RatingDifference> {
        let group = self.groups.of[a];
        if a == b || group != self.groups.of[b] {
            return None;
        }
        let one = &self.bots[a];
        let other = &self.bots[b];
        let estimate = one.rating? - other.rating?;
        let kept = if self.groups.is_anchor(a) && self.groups.is_anchor(b) {
            estimate
        } else {
            self.kept[group] * estimate
        };
        let variance = self.variance_of_difference(a, b);
        let [a_low, a_high] = self.skews[a];
        let [b_low, b_high] = self.skews[b];
        let is_group_of_two = self.groups.members[group].len() == 2;
        let [below, above] = if is_group_of_two && !self.groups.is_anchored(group) {
            // Both skews are those of the same games, and each is a quarter of theirs.
            [4.0 * a_low, 4.0 * a_high]
        } else {
            [a_low + b_high, a_high + b_low]
        }
        .map(|skew| (Z * Z * variance + skew).sqrt() / K);
        let same = self.components.of[a] == self.components.of[b];
        let has_low = same || one.low.is_some() && other.high.is_some();
        let has_high = same || one.high.is_some() && other.low.is_some();
        // Nothing is claimed of a side on which nothing bounds the difference.
        let least = if has_high { 0.0 } else { UNCLAIMED };
        let most = if has_low { 1.0 } else { 1.0 - UNCLAIMED };
        let superiority = normal_cdf(kept * K / variance.max(f64::MIN_POSITIVE).sqrt());
        Some(RatingDifference {
            estimate,
            low: has_low.then_some(estimate.min(kept) - below),
            high: has_high.then_some(estimate.max(kept) + above),
            superiority: superiority.clamp(least, most),
        })
    }

    /// The anchors of one group whose differences by definition are outside the 95 % intervals of
    /// these ratings, which are fitted without anchors.
    pub fn contradictions(&self, anchors: &[(usize, f64)]) -> Vec<AnchorContradiction> {
        let mut contradictions = Vec::new();
        for (at, &(a, of_a)) in anchors.iter().enumerate() {
            for &(b, of_b) in &anchors[at + 1..] {
                let Some(found) = self.difference(a, b) else { continue };
                let given = of_a - of_b;
                // An end that is missing bounds nothing.
                let low = found.low.unwrap_or(f64::NEG_INFINITY);
                let high = found.high.unwrap_or(f64::INFINITY);
                if given < low || given > high {
                    contradictions.push(AnchorContradiction { bots: [a, b], given, found });
                }
            }
        }
        contradictions
    }
}

/// The inverse of the information of the played games at these values.
fn covariance(likelihood: &Likelihood<'_>, groups: &RatingGroups, at: &Values) -> Covariance {
    Information::new(likelihood, groups, at, InformationFrom::Games).covariance()
}

/// The values from which the ratings are searched: 0, or the fixed ratings of anchors and their
/// mean.
fn start(groups: &RatingGroups, anchors: &[(usize, f64)]) -> Values {
    let mut at = Values::zeros(groups.of.len());
    for (group, bots) in groups.members.iter().enumerate() {
        if !groups.is_anchored(group) {
            continue;
        }
        let mut own = anchors.to_vec();
        own.retain(|(bot, _)| groups.of[*bot] == group);
        let mean = own.iter().map(|(_, given)| given).sum::<f64>() / own.len() as f64;
        for &bot in bots {
            at.ratings[bot] = K * mean;
        }
        for (bot, given) in own {
            at.ratings[bot] = K * given;
        }
    }
    at
}

/// Shifts the ratings and bounds of this bot's group so that it has this rating (definition 4).
/// Does nothing if it has none.
fn shift(bots: &mut [BotRating], bot: usize, to: f64) {
    let BotRating { group, rating: Some(from), .. } = bots[bot] else { return };
    for rated in bots {
        // Games tell differences alone, so all ratings of a group move together.
        if rated.group == group {
            let figures = [&mut rated.rating, &mut rated.low, &mut rated.high];
            for figure in figures.into_iter().flatten() {
                *figure += to - from;
            }
        }
    }
}

/// The middle one of these values, or the mean of the two in the middle.
fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 }
}

/// The number of bots, in the largest such set, who met so many others that their ratings are
/// computed as a dense problem: the time of [`Ratings::fit`] grows with its cube. Games between
/// neighbours in a chain have hardly any; in a round-robin it is the number of all bots.
///
/// # Panics
/// If an encounter names a bot that is not below `bots`.
pub fn dense_core(bots: usize, encounters: &Encounters) -> usize {
    let groups = RatingGroups::new(&GameGraph::new(bots, encounters), &[]);
    groups.orders.iter().map(|order| order.core()).max().unwrap_or_default()
}

#[cfg(test)]
mod tests;
