//! How often authors may do something.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// When each author did something, as far back as it counts.
#[derive(Debug)]
pub(crate) struct Pace {
    within: Duration,
    times: HashMap<String, VecDeque<Instant>>,
}

impl Pace {
    /// What authors do counts for this long.
    pub fn new(within: Duration) -> Pace {
        Pace { within, times: HashMap::new() }
    }

    /// The time until an author may do it again; `None` if they did it fewer than `most` times.
    pub fn wait(&mut self, author: &str, most: u32, now: Instant) -> Option<Duration> {
        let times = self.times.get_mut(author)?;
        while times.front().is_some_and(|first| now.duration_since(*first) >= self.within) {
            times.pop_front();
        }
        let first = times.front().filter(|_| times.len() >= most as usize)?;
        Some(self.within.saturating_sub(now.duration_since(*first)))
    }

    /// Counts what an author does, if there were fewer than `most` of it.
    ///
    /// # Errors
    /// The time until the next one.
    pub fn count(&mut self, author: &str, most: u32, now: Instant) -> Result<(), Duration> {
        if let Some(time) = self.wait(author, most, now) {
            return Err(time);
        }
        self.times.entry(author.to_owned()).or_default().push_back(now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_has_so_many_uploads() {
        let begin = Instant::now();
        let at = |minutes: u64| begin + Duration::from_mins(minutes);
        let mut pace = Pace::new(Duration::from_hours(1));
        assert_eq!(pace.count("ann", 2, at(0)), Ok(()));
        assert_eq!(pace.count("ann", 2, at(20)), Ok(()));
        assert_eq!(pace.count("ann", 2, at(30)), Err(Duration::from_mins(30)));
        assert_eq!(pace.count("bob", 2, at(30)), Ok(()), "another author");
        assert_eq!(pace.count("ann", 2, at(60)), Ok(()), "a refused one does not count");
        assert_eq!(pace.count("ann", 2, at(61)), Err(Duration::from_mins(19)));
    }
}
