//! Where the likelihood of some games falls to a level when one value moves: the skewed part of the
//! bounds (definition 10).

use super::Z;
use super::information::of_game;
use super::likelihood::chances;

/// No crossing is searched beyond this, in natural logarithms of odds: the exponential function
/// ends at 709.
const FURTHEST: f64 = 700.0;

/// Games whose expected scores depend on one value: a bot's rating, or the first side's advantage.
#[derive(Debug, Clone, Default)]
pub(super) struct MovedGames {
    /// The number of games, and the chances of winning and losing them for the side that gains when
    /// the value rises.
    games: Vec<(f64, [f64; 2])>,
    /// The points of that side and of the other one.
    points: [f64; 2],
    /// The information of the games about the value.
    information: f64,
}

impl MovedGames {
    /// Adds games with these points in which the gaining side has this logarithm of the odds.
    pub fn add(&mut self, advantage: f64, points: [f64; 2]) {
        let count = points[0] + points[1];
        if count > 0.0 {
            self.games.push((count, chances(advantage)));
            self.points[0] += points[0];
            self.points[1] += points[1];
            self.information += count * of_game(advantage);
        }
    }

    /// What the crossings add to the square of a half width below and above; `None` where there is
    /// no crossing (definition 10).
    ///
    /// If the likelihood were a parabola, its crossing would be at the half width that the
    /// information gives. Only what lies beyond that is skew.
    pub fn skews(&self, scatter: f64) -> [Option<f64>; 2] {
        let square = Z * Z * scatter;
        let mut skews = self.crossings(square / 2.0);
        for skew in skews.iter_mut().flatten() {
            *skew = (skew.powi(2) - square / self.information).max(0.0);
        }
        skews
    }

    /// How far the value must fall, and how far it must rise, until the logarithm of the likelihood
    /// is `level` below its current value, which need not be its maximum; `None` if it never is,
    /// because all games were lost, or won.
    fn crossings(&self, level: f64) -> [Option<f64>; 2] {
        let [of_gaining, of_other] = self.points;
        [
            (of_gaining > 0.0).then(|| self.crossing(1, level)),
            (of_other > 0.0).then(|| self.crossing(0, level)),
        ]
    }

    /// The crossing towards greater chances of the side with this number.
    ///
    /// The loss of log-likelihood is convex in the distance. So Newton's method from a point where
    /// it rises goes beyond the crossing at once and then approaches it from there.
    fn crossing(&self, side: usize, level: f64) -> f64 {
        // Not `self.information`, which counts hopeless games as a little: here they count nothing.
        let information: f64 = self.games.iter().map(|(count, [p, q])| count * p * q).sum();
        let mut at = (2.0 * level / information).sqrt().min(1.0);
        let mut beyond = false;
        loop {
            let (loss, slope) = self.loss(side, at);
            beyond |= loss >= level;
            let newton = at - (loss - level) / slope;
            let is_usable = slope > 0.0 && newton.is_finite();
            let next = if is_usable { newton.min(2.0 * at) } else { 2.0 * at };
            // From beyond, only rounding leads upwards again.
            if beyond && next >= at || (next / at - 1.0).abs() < 1e-13 {
                return at;
            }
            if next >= FURTHEST {
                return FURTHEST;
            }
            at = next;
        }
    }

    /// The loss of log-likelihood at this distance, and its slope. With p the chance here, the loss
    /// of a game of this side is ln(1 + p (eˣ - 1)), less x if it was won.
    fn loss(&self, side: usize, distance: f64) -> (f64, f64) {
        let growth = distance.exp_m1();
        let mut loss = 0.0;
        let mut expected = 0.0;
        for &(count, chances) in &self.games {
            let change = chances[side] * growth;
            loss += count * change.ln_1p();
            expected += count * (1.0 - chances[1 - side] / (1.0 + change));
        }
        (loss - self.points[side] * distance, expected - self.points[side])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn logarithm(games: &[(f64, [u32; 2])], moved: f64) -> f64 {
        let of = |&(advantage, [won, lost]): &(f64, [u32; 2])| {
            let at: f64 = advantage + moved;
            -f64::from(won) * (-at).exp().ln_1p() - f64::from(lost) * at.exp().ln_1p()
        };
        games.iter().map(of).sum()
    }

    proptest! {
        #[test]
        fn the_likelihood_is_at_the_level_there(
            games in prop::collection::vec((-12.0..12.0_f64, prop::array::uniform2(0..40_u32)), 1..6),
            level in 0.1..10.0_f64,
        ) {
            let mut moved = MovedGames::default();
            for &(advantage, points) in &games {
                moved.add(advantage, points.map(f64::from));
            }
            let sum = |side: usize| games.iter().map(|(_, points)| points[side]).sum::<u32>();
            let [low, high] = moved.crossings(level);
            prop_assert_eq!([low.is_some(), high.is_some()], [sum(0) > 0, sum(1) > 0]);
            for crossing in low.map(|low| -low).into_iter().chain(high) {
                prop_assert!(crossing != 0.0);
                let loss = logarithm(&games, 0.0) - logarithm(&games, crossing);
                prop_assert!((loss - level).abs() < 1e-8 * (1.0 + logarithm(&games, 0.0).abs()), "{crossing}: {loss}");
            }
        }
    }

    #[test]
    fn far_crossings_are_finite() {
        for advantage in [-1e4, -800.0, 800.0, 1e4] {
            let mut moved = MovedGames::default();
            moved.add(advantage, [1.0, 1.0]);
            assert!(
                moved.crossings(2.0).into_iter().all(|found| found.is_some_and(f64::is_finite))
            );
        }
    }
}
