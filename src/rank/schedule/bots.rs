//! The bots of a tournament, and which of two has the first side.

/// The bots of a tournament, in the order of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bots {
    names: Vec<String>,
    /// The permanent number of each; `None` in leagues that were begun without numbers.
    numbers: Option<Vec<u32>>,
}

impl Bots {
    /// Bots that join in this order: their numbers are 1, 2, 3 …
    pub fn joining(names: &[String]) -> Bots {
        let numbers = (1..).take(names.len()).collect();
        Bots { names: names.to_vec(), numbers: Some(numbers) }
    }

    /// Bots with these permanent numbers, in the same order; `None` for leagues that were begun
    /// without numbers.
    pub fn numbered(names: Vec<String>, numbers: Option<Vec<u32>>) -> Bots {
        Bots { names, numbers }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Their number.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Two bots of a league, the one first that has the first side in the games with odd numbers
    /// between the two.
    ///
    /// These are the sides of Berger's tables, so that with one game a pairing every bot has both
    /// sides equally often, or nearly so. They follow from the two numbers alone: games keep their
    /// sides when other bots come and go. Without numbers it is the bot that is earlier in the
    /// configuration.
    pub(super) fn by_sides(&self, [low, high]: [usize; 2]) -> [usize; 2] {
        let Some(numbers) = &self.numbers else { return [low, high] };
        let is_sum_odd = numbers[low] % 2 != numbers[high] % 2;
        let is_low_lower = numbers[low] < numbers[high];
        if is_sum_odd == is_low_lower { [low, high] } else { [high, low] }
    }
}
