//! Versions that could not be tried, because the machine failed and not they: they wait and are
//! tried again.

use super::intake::{Place, Stamp};
use super::versions::NewVersion;
use std::time::{Duration, Instant};

/// How often a version is tried. A build that fills the disk itself looks like one that found it
/// full, so this ends.
const TRIES: u32 = 4;
/// How long to wait after the first try; then four times as long each time.
const PAUSE: Duration = Duration::from_mins(1);

/// A version that was tried in vain.
#[derive(Debug)]
struct Retried {
    version: NewVersion,
    /// How often it was tried.
    tries: u32,
    /// When it is tried again; `None` if it is being tried.
    due: Option<Instant>,
    /// The free bytes of the disk after the last try.
    free: u64,
}

/// The versions that were tried in vain.
#[derive(Debug, Default)]
pub struct Retries(Vec<Retried>);

impl Retries {
    /// A version could not be tried. Returns how long it waits; `None` after the last try.
    /// `free` are the free bytes of the disk.
    pub fn put_off(&mut self, version: &NewVersion, free: u64, now: Instant) -> Option<Duration> {
        let mut tries = 1;
        for one in &self.0 {
            if one.version.place == version.place && one.version.number == version.number {
                tries += one.tries;
            }
        }
        self.forget(&version.place);
        if tries == TRIES {
            return None;
        }
        let pause = PAUSE * 4_u32.pow(tries - 1);
        let due = Some(now + pause);
        self.0.push(Retried { version: version.clone(), tries, due, free });
        Some(pause)
    }

    /// The versions that are to be tried now: their time has come, or the disk has twice the room.
    pub fn due(&mut self, free: u64, now: Instant) -> Vec<NewVersion> {
        let mut found = Vec::new();
        for one in &mut self.0 {
            let has_room = free / 2 > one.free;
            if one.due.is_some_and(|due| due <= now || has_room) {
                one.due = None;
                found.push(one.version.clone());
            }
        }
        found
    }

    /// A version that waits has a newer state, which is tried soon. Returns whether there is one.
    pub fn renew(&mut self, place: &Place, stamp: &Stamp, now: Instant) -> bool {
        for one in &mut self.0 {
            if one.version.place == *place && one.due.is_some() {
                one.version.stamp = stamp.clone();
                one.due = Some(now);
                one.tries = 0;
                return true;
            }
        }
        false
    }

    /// The submission has a verdict, or is gone.
    pub fn forget(&mut self, place: &Place) {
        self.0.retain(|one| one.version.place != *place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_tried_again_after_a_while_or_with_room_and_not_for_ever() {
        let now = Instant::now();
        let place = (0, "ann".to_owned());
        let third = NewVersion { place: place.clone(), stamp: Stamp("1".to_owned()), number: 3 };
        let fourth = NewVersion { number: 4, ..third.clone() };
        let mut retries = Retries::default();
        let mut at = now;
        for _ in 1..TRIES {
            let pause = retries.put_off(&third, 100, at).unwrap();
            assert_eq!(retries.due(100, at), []);
            at += pause;
            assert_eq!(retries.due(100, at), std::slice::from_ref(&third));
            assert_eq!(retries.due(100, at + pause), [], "it is being tried");
        }
        assert_eq!(retries.put_off(&third, 100, at), None);
        // Another version begins anew, and room lets it be tried at once.
        assert!(retries.put_off(&fourth, 100, at).is_some());
        assert_eq!(retries.due(202, at), [fourth]);
        assert!(!retries.renew(&place, &Stamp("2".to_owned()), at), "it is being tried");
    }
}
