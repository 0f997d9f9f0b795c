//! How often authors may hand in.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

const HOUR: Duration = Duration::from_hours(1);

/// When each author handed in during the last hour.
#[derive(Debug, Default)]
pub(super) struct UploadPace(HashMap<String, VecDeque<Instant>>);

impl UploadPace {
    /// Counts an upload of an author, if there were fewer than `most` of theirs within the hour
    /// before.
    ///
    /// # Errors
    /// The time until the next one.
    pub fn count(&mut self, author: &str, most: u32, now: Instant) -> Result<(), Duration> {
        let times = self.0.entry(author.to_owned()).or_default();
        while times.front().is_some_and(|first| now.duration_since(*first) >= HOUR) {
            times.pop_front();
        }
        match times.front() {
            Some(first) if times.len() >= most as usize => {
                Err(HOUR.saturating_sub(now.duration_since(*first)))
            }
            _ => {
                times.push_back(now);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_has_so_many_uploads() {
        let begin = Instant::now();
        let at = |minutes: u64| begin + Duration::from_mins(minutes);
        let mut pace = UploadPace::default();
        assert_eq!(pace.count("ann", 2, at(0)), Ok(()));
        assert_eq!(pace.count("ann", 2, at(20)), Ok(()));
        assert_eq!(pace.count("ann", 2, at(30)), Err(Duration::from_mins(30)));
        assert_eq!(pace.count("bob", 2, at(30)), Ok(()), "another author");
        assert_eq!(pace.count("ann", 2, at(60)), Ok(()), "a refused one does not count");
        assert_eq!(pace.count("ann", 2, at(61)), Err(Duration::from_mins(19)));
    }
}
