//! The difference of two scores against the same opponents from the same openings (definition 19).

use super::Z;

/// The difference of the mean scores of two bots, from pairs of games that both played against the
/// same opponent from the same opening.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreDifference {
    /// The number of openings that both played.
    pub pairs: u64,
    /// The mean score of the first bot less that of the second, in points of a game: -1 to 1.
    pub estimate: f64,
    /// Its variance; `None` if it cannot be estimated, because there is one pair, or because all
    /// pairs differ alike.
    variance: Option<f64>,
}

impl ScoreDifference {
    /// From the points of both bots in each pair, doubled: 0 to 4. `None` if there are no pairs.
    ///
    /// ```
    /// use arbiter_rank::rating::ScoreDifference;
    /// let better = ScoreDifference::of_pairs(&[(4, 2), (3, 2), (2, 2), (4, 4)]).unwrap();
    /// assert_eq!(better.estimate, 3.0 / 16.0);
    /// let (low, high) = better.interval().unwrap();
    /// assert!(low < 0.0 && high > 0.4);
    /// assert_eq!(ScoreDifference::of_pairs(&[(4, 4), (4, 4)]).unwrap().interval(), None);
    /// ```
    pub fn of_pairs(pairs: &[(u8, u8)]) -> Option<ScoreDifference> {
        if pairs.is_empty() {
            return None;
        }
        let mut differences = Vec::new();
        for &(one, other) in pairs {
            differences.push((f64::from(one) - f64::from(other)) / 4.0);
        }
        let count = pairs.len() as f64;
        let estimate = differences.iter().sum::<f64>() / count;
        let mut squares = 0.0;
        let mut varies = false;
        for difference in differences {
            squares += (difference - estimate).powi(2);
            // Equal differences can have a mean that is off by rounding.
            varies |= (difference - estimate).abs() > 1e-12;
        }
        let variance = varies.then(|| squares / (count - 1.0) / count);
        Some(ScoreDifference { pairs: pairs.len() as u64, estimate, variance })
    }

    /// The difference over several opponents, each with the weight of its pairs; one whose variance
    /// cannot be estimated adds none. `None` if there are no pairs.
    pub fn of_all(opponents: &[ScoreDifference]) -> Option<ScoreDifference> {
        let pairs: u64 = opponents.iter().map(|one| one.pairs).sum();
        if pairs == 0 {
            return None;
        }
        let mut all = ScoreDifference { pairs, estimate: 0.0, variance: None };
        for one in opponents {
            let share = one.pairs as f64 / pairs as f64;
            all.estimate += share * one.estimate;
            if let Some(variance) = one.variance {
                *all.variance.get_or_insert_default() += share.powi(2) * variance;
            }
        }
        Some(all)
    }

    /// The ends of the 95 % interval; `None` if the variance cannot be estimated.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let half = Z * self.variance?.sqrt();
        Some((self.estimate - half, self.estimate + half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_all_pairs() {
        let one = ScoreDifference::of_pairs(&[(4, 0), (2, 2)]).unwrap();
        let other = ScoreDifference::of_pairs(&[(0, 2), (2, 2), (2, 4), (4, 4)]).unwrap();
        let sum = ScoreDifference::of_all(&[one, other]).unwrap();
        assert_eq!((sum.pairs, sum.estimate), (6, 0.0));
        let half =
            |difference: &ScoreDifference| difference.interval().unwrap().1 - difference.estimate;
        let expected = ((half(&one) / 3.0).powi(2) + (half(&other) * 2.0 / 3.0).powi(2)).sqrt();
        assert!((half(&sum) - expected).abs() < 1e-12);
        let alike = ScoreDifference::of_pairs(&[(4, 4)]).unwrap();
        assert_eq!(ScoreDifference::of_all(&[alike, alike]).unwrap().interval(), None);
        assert_eq!((ScoreDifference::of_pairs(&[]), ScoreDifference::of_all(&[])), (None, None));
    }
}
