//! Ratings of all bots: the result of a fit.

use super::crossing::MovedGames;
use super::fit::maximize;
use super::game_graph::GameGraph;
use super::groups::{RatingGroups, determine_first_side};
use super::information::{Covariance, Information, InformationFrom, of_game};
use super::likelihood::{Advantage, Likelihood, Values};
use super::normal::normal_cdf;
use super::scatter::Scatter;
use super::strong_components::StrongComponents;
use super::virtual_draws::{set_weights, total};
use super::{K, Z};
use crate::standings::Encounters;

/// The rating of a bot; all figures in Elo, and none for a bot without games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BotRating {
    /// The number of its group, from 1 (definition 4).
    pub group: usize,
    /// Its rating, comparable inside its group only (definitions 4 to 7).
    pub rating: Option<f64>,
    /// The lower end of the 95 % interval; none if there is no lower bound (definition 10).
    pub low: Option<f64>,
    /// The upper end; none if there is no upper bound.
    pub high: Option<f64>,
    /// Half the 95 % interval by the information alone, which has the same width on both sides (definition
    /// 10).
    pub half_width: Option<f64>,
}

/// The first side's advantage, in Elo. All figures are none if the games do not determine it; then ratings
/// are computed with the advantage 0 (definition 5).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstSideAdvantage {
    /// The advantage.
    pub estimate: Option<f64>,
    /// The lower end of the 95 % interval; none if the first side lost every game (definition 10).
    pub low: Option<f64>,
    /// The upper end; none if the first side won every game.
    pub high: Option<f64>,
    /// Half the 95 % interval by the information alone.
    pub half_width: Option<f64>,
}

/// The difference of two bots of one group (definition 11).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingDifference {
    /// The rating of the first bot less that of the second, in Elo.
    pub estimate: f64,
    /// The lower end of the 95 % interval, in Elo; none if there is no lower bound.
    pub low: Option<f64>,
    /// The upper end, in Elo; none if there is no upper bound.
    pub high: Option<f64>,
    /// The likelihood of superiority: the probability that the first bot is the stronger one.
    pub superiority: f64,
}

/// The ratings of all bots from all counted games, with the figures of the whole fit (definitions 1 to 11).
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    bots: Vec<BotRating>,
    first_side: FirstSideAdvantage,
    parameters: usize,
    virtual_draws: f64,
    groups: RatingGroups,
    components: StrongComponents,
    scatter: Scatter,
    covariance: Covariance,
    /// E- and E+ of each bot: what its likelihood adds to the squares of the half widths below and above its
    /// rating, in squared natural logarithms of odds (definition 10).
    skews: Vec<[f64; 2]>,
}

impl Ratings {
    /// The ratings of `bots` bots, numbered from 0 in configuration order.
    ///
    /// # Panics
    /// If an encounter names a bot that is not among them.
    #[must_use]
    pub fn fit(bots: usize, encounters: &Encounters) -> Ratings {
        let mut graph = GameGraph::new(bots, encounters);
        let groups = RatingGroups::new(&graph);
        set_weights(&mut graph, &groups);
        let advantage =
            if determine_first_side(&graph, &groups) { Advantage::Estimated } else { Advantage::Zero };
        let parameters = groups.differences() + usize::from(advantage == Advantage::Estimated);
        let likelihood = Likelihood { graph: &graph, advantage };
        let at = maximize(&likelihood, &groups);
        let information = Information::new(&likelihood, &groups, &at, InformationFrom::Games);
        let mut ratings = Ratings {
            bots: Vec::with_capacity(bots),
            first_side: FirstSideAdvantage { estimate: None, low: None, high: None, half_width: None },
            parameters,
            virtual_draws: total(&graph),
            components: StrongComponents::new(&graph, &groups),
            scatter: Scatter::new(encounters, &groups, &at, parameters),
            covariance: information.covariance(),
            skews: Vec::with_capacity(bots),
            groups,
        };
        let mut games = MovedGames::default();
        for bot in 0..bots {
            let skews = ratings.skews_of(&graph, &at, bot, &mut games);
            ratings.skews.push(skews);
            ratings.bots.push(ratings.rating_of(&at, bot));
        }
        ratings.first_side = ratings.first_side_of(&graph, &at, games);
        ratings
    }

    /// E- and E+ of a bot, by its own games.
    fn skews_of(&self, graph: &GameGraph, at: &Values, bot: usize, games: &mut MovedGames) -> [f64; 2] {
        games.clear();
        let mut information = 0.0;
        for (first, second, of_sides) in graph.edges_of(bot).flat_map(|edge| edge.games()) {
            let advantage = at.advantage(first, second);
            let [won, lost] = of_sides.points();
            let (advantage, points) =
                if first == bot { (advantage, [won, lost]) } else { (-advantage, [lost, won]) };
            games.add(advantage, points);
            information += f64::from(of_sides.count) * of_game(advantage);
        }
        let size = self.groups.members[self.groups.of[bot]].len() as f64;
        let share = ((size - 1.0) / size).powi(2);
        // Without a crossing there is no bound, and the value is not used.
        let skews = skews(games, self.scatter.of_bot(bot), information);
        skews.map(|skew| share * skew.unwrap_or_default())
    }

    fn rating_of(&self, at: &Values, bot: usize) -> BotRating {
        let group = self.groups.of[bot];
        if self.groups.members[group].len() == 1 {
            return BotRating { group: group + 1, rating: None, low: None, high: None, half_width: None };
        }
        let variance = Z * Z * self.scatter.of_bot(bot) * self.covariance.of_rating(&self.groups, bot);
        let rating = at.ratings[bot] / K;
        let [below, above] = self.skews[bot].map(|skew| (variance + skew).sqrt() / K);
        BotRating {
            group: group + 1,
            rating: Some(rating),
            low: self.components.has_low(bot).then_some(rating - below),
            high: self.components.has_high(bot).then_some(rating + above),
            half_width: Some(variance.sqrt() / K),
        }
    }

    /// The first side's advantage, with its bounds from all games.
    fn first_side_of(&self, graph: &GameGraph, at: &Values, mut games: MovedGames) -> FirstSideAdvantage {
        let Some(variance) = self.covariance.first_side else { return self.first_side };
        games.clear();
        let mut information = 0.0;
        for (first, second, of_sides) in graph.edges.iter().flat_map(|edge| edge.games()) {
            let advantage = at.advantage(first, second);
            games.add(advantage, of_sides.points());
            information += f64::from(of_sides.count) * of_game(advantage);
        }
        let scatter = self.scatter.of_first_side.unwrap_or(1.0);
        let variance = Z * Z * scatter * variance;
        let [below, above] = skews(&games, scatter, information);
        let width = |skew: f64| (variance + skew).sqrt() / K;
        let estimate = at.first_side / K;
        FirstSideAdvantage {
            estimate: Some(estimate),
            low: below.map(|skew| estimate - width(skew)),
            high: above.map(|skew| estimate + width(skew)),
            half_width: Some(variance.sqrt() / K),
        }
    }

    /// All bots, by their numbers.
    #[must_use]
    pub fn bots(&self) -> &[BotRating] {
        &self.bots
    }

    /// The bots of each group in configuration order (definition 4).
    #[must_use]
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups.members
    }

    /// The first side's advantage, the same in all groups.
    #[must_use]
    pub fn first_side(&self) -> FirstSideAdvantage {
        self.first_side
    }

    /// φ, how widely points of bots scatter, as a multiple of the variance of independent games; none without
    /// games (definition 9).
    #[must_use]
    pub fn scatter(&self) -> Option<f64> {
        self.scatter.of_points
    }

    /// φ_h, the same of points of the first sides (definition 9).
    #[must_use]
    pub fn scatter_first_side(&self) -> Option<f64> {
        self.scatter.of_first_side
    }

    /// G, the number of pairs and single games (definition 9).
    #[must_use]
    pub fn clusters(&self) -> u64 {
        self.scatter.clusters
    }

    /// K, the number of estimated values: one less than the size of each group, and one for the first side's
    /// advantage (definition 9).
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// The number of drawn games that were not played (definition 6).
    #[must_use]
    pub fn virtual_draws(&self) -> f64 {
        self.virtual_draws
    }

    /// The rating of bot `a` less that of bot `b`; none unless they are two bots of one group (definition
    /// 11).
    ///
    /// # Panics
    /// If there is no such bot.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Option<RatingDifference> {
        let group = self.groups.of[a];
        if a == b || group != self.groups.of[b] {
            return None;
        }
        let (one, other) = (&self.bots[a], &self.bots[b]);
        let estimate = one.rating? - other.rating?;
        let scatter = self.scatter.of_bot(a).max(self.scatter.of_bot(b));
        let variance = scatter * self.covariance.of_difference(&self.groups, a, b);
        let [[a_low, a_high], [b_low, b_high]] = [self.skews[a], self.skews[b]];
        let [below, above] = match self.groups.members[group].len() {
            // Both skews are those of the same games, and each is a quarter of theirs.
            2 => [4.0 * a_low, 4.0 * a_high],
            _ => [a_low + b_high, a_high + b_low],
        };
        let same = self.components.of[a] == self.components.of[b];
        let width = |skew: f64| (Z * Z * variance + skew).sqrt() / K;
        Some(RatingDifference {
            estimate,
            low: (same || one.low.is_some() && other.high.is_some()).then(|| estimate - width(below)),
            high: (same || one.high.is_some() && other.low.is_some()).then(|| estimate + width(above)),
            superiority: normal_cdf(estimate * K / variance.max(f64::MIN_POSITIVE).sqrt()),
        })
    }

    /// Shifts the ratings and bounds of this bot's group so that it has rating 0. Widths and differences stay
    /// (definition 4). Does nothing if the bot has no rating.
    ///
    /// # Panics
    /// If there is no such bot.
    pub fn anchor(&mut self, bot: usize) {
        let BotRating { group, rating: Some(zero), .. } = self.bots[bot] else { return };
        for rated in self.bots.iter_mut().filter(|rated| rated.group == group) {
            for figure in [&mut rated.rating, &mut rated.low, &mut rated.high] {
                *figure = figure.map(|figure| figure - zero);
            }
        }
    }
}

/// The number of bots, in the largest such set, who met so many others that their ratings are computed as a
/// dense problem: the time of [`Ratings::fit`] grows with its cube. Games between neighbours in a chain have
/// hardly any; in a round-robin it is the number of all bots.
///
/// # Panics
/// If an encounter names a bot that is not below `bots`.
#[must_use]
pub fn dense_core(bots: usize, encounters: &Encounters) -> usize {
    let groups = RatingGroups::new(&GameGraph::new(bots, encounters));
    groups.orders.iter().map(|order| order.core()).max().unwrap_or_default()
}

/// What the crossings of these games add to the square of a half width below and above; none where there is
/// no crossing (definition 10).
fn skews(games: &MovedGames, scatter: f64, information: f64) -> [Option<f64>; 2] {
    let square = Z * Z * scatter;
    let skew = |crossing: f64| (crossing.powi(2) - square / information).max(0.0);
    games.crossings(square / 2.0).map(|crossing| crossing.map(skew))
}

#[cfg(test)]
mod tests;
