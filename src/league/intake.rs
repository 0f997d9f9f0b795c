//! Submissions as they arrive: a thread looks at the `[[bots]]` folders, and says which submissions
//! are there whole and have another state than the one that was last handed on.
//!
//! Checkouts and synced files arrive in pieces, so a submission counts when nothing in it has
//! changed for a while, or when its marker file has.

use arbiter_config::LeagueConfig;
use arbiter_ground::repeated::Repeated;
use arbiter_ground::utc;
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::{self, Metadata};
use std::hash::{Hash, Hasher};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

/// The time between two looks, if `settle` is not shorter.
const PAUSE: Duration = Duration::from_secs(1);
/// The least time between two looks, however short `settle` is.
const LEAST_PAUSE: Duration = Duration::from_millis(100);
/// Looking takes at most this part (1/n) of the time.
const SHARE: u32 = 20;
/// One that is gone for a shorter time may be exchanged just now.
const GONE: Duration = Duration::from_secs(5);
/// Of a submission with more files the rest is not looked at; its copy is refused anyway.
const FILES: usize = 50_000;

/// A submission: the number of its `[[bots]]` folder in the configuration, from 0, and its name.
pub type Place = (usize, String);

/// What identifies the state of the files of a submission: names, sizes and times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp(pub String);

impl Stamp {
    fn of(hasher: &DefaultHasher) -> Stamp {
        Stamp(format!("{:016x}", hasher.finish()))
    }
}

/// What has become of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrival {
    /// It is there in this state.
    There(Place, Stamp),
    /// It is not there any more.
    Gone(Place),
}

impl Arrival {
    pub fn place(&self) -> &Place {
        match self {
            Arrival::There(place, _) | Arrival::Gone(place) => place,
        }
    }
}

/// Which submissions have settled, from looks at all of them.
#[derive(Debug, Default)]
pub struct Settling {
    /// How long a submission has to be unchanged.
    settle: Duration,
    /// The state of each at the last look, and since when it is unchanged; `None` for one that is
    /// gone.
    seen: BTreeMap<Place, (Option<Stamp>, Instant)>,
    /// The states that were handed on.
    handed_on: BTreeMap<Place, Stamp>,
}

impl Settling {
    /// Those of an earlier run were handed on in these states.
    pub fn new(settle: Duration, handed_on: BTreeMap<Place, Stamp>) -> Settling {
        Settling { settle, seen: BTreeMap::new(), handed_on }
    }

    /// What has settled since the last look, of submissions that are `there` now. One without a
    /// state, which cannot be read or has no marker just now, stays what it was.
    pub fn look(&mut self, now: Instant, there: BTreeMap<Place, Option<Stamp>>) -> Vec<Arrival> {
        let mut states = Vec::new();
        for place in self.handed_on.keys() {
            if !there.contains_key(place) {
                states.push((place.clone(), None));
            }
        }
        states.extend(there.into_iter().filter(|(_, stamp)| stamp.is_some()));
        let mut settled = Vec::new();
        let mut seen = BTreeMap::new();
        for (place, stamp) in states {
            let since = match self.seen.get(&place) {
                Some((before, since)) if *before == stamp => *since,
                _ => now,
            };
            let settle = if stamp.is_some() { self.settle } else { self.settle.max(GONE) };
            if now.duration_since(since) >= settle && self.handed_on.get(&place) != stamp.as_ref() {
                settled.push(match &stamp {
                    Some(stamp) => {
                        self.handed_on.insert(place.clone(), stamp.clone());
                        Arrival::There(place.clone(), stamp.clone())
                    }
                    None => {
                        self.handed_on.remove(&place);
                        Arrival::Gone(place.clone())
                    }
                });
            }
            seen.insert(place, (stamp, since));
        }
        self.seen = seen;
        settled
    }

    /// A submission is handed on once more when it has settled, also in the same state.
    pub fn again(&mut self, place: Place) {
        self.handed_on.insert(place, Stamp(String::new()));
    }
}

/// Looks at the folders until it is dropped.
pub struct Intake {
    /// Each with the time when it had arrived, whole.
    arrivals: Receiver<(Arrival, SystemTime)>,
    /// Submissions that are to arrive again.
    again: Sender<Place>,
    /// What looks at the folders.
    _looking: Repeated,
}

impl Intake {
    /// Begins to look at these folders, in the order of the configuration.
    pub fn start(
        folders: Vec<PathBuf>,
        config: &LeagueConfig,
        handed_on: BTreeMap<Place, Stamp>,
    ) -> Intake {
        let marker = config.marker.clone();
        // A marker says itself that all is there.
        let settle = if marker.is_some() { Duration::ZERO } else { config.settle };
        let pause = config.settle.clamp(LEAST_PAUSE, PAUSE);
        let mut settling = Settling::new(settle, handed_on);
        let (sender, arrivals) = channel();
        let (again, asked) = channel();
        let looking = Repeated::start(Duration::ZERO, move || {
            for place in asked.try_iter() {
                settling.again(place);
            }
            let began = Instant::now();
            // A folder that cannot be read now, as while it is being exchanged, says nothing of its
            // submissions.
            if let Ok(there) = look(&folders, marker.as_deref()) {
                for arrival in settling.look(Instant::now(), there) {
                    // It has been so for that long.
                    let now = SystemTime::now();
                    let arrived = (arrival, now.checked_sub(settle).unwrap_or(now));
                    let _ = sender.send(arrived); // fails if the league has ended
                }
            }
            pause.max(began.elapsed() * SHARE)
        });
        Intake { arrivals, again, _looking: looking }
    }

    /// A submission is to arrive again, in whatever state it settles.
    pub fn again(&self, place: Place) {
        let _ = self.again.send(place); // fails if the thread has panicked, which was printed
    }

    /// What has arrived since the last call, and when.
    pub fn arrived(&self) -> impl Iterator<Item = (Arrival, SystemTime)> + '_ {
        self.arrivals.try_iter()
    }
}

/// The deadline, if it is over.
pub fn past(freeze: Option<&String>) -> Option<&String> {
    freeze.filter(|freeze| **freeze <= utc::now())
}

/// The submissions in these folders, with their states as far as they can be read; with a marker
/// those of the marker.
fn look(folders: &[PathBuf], marker: Option<&str>) -> io::Result<BTreeMap<Place, Option<Stamp>>> {
    let mut there = BTreeMap::new();
    for (number, folder) in folders.iter().enumerate() {
        for entry in folder.read_dir()? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with('.') || !entry.file_type()?.is_dir() {
                continue;
            }
            // Anything may vanish at any moment.
            let state = match marker {
                Some(marker) => marker_stamp(&entry.path().join(marker)),
                None => stamp(&entry.path()).ok(),
            };
            there.insert((number, name), state);
        }
    }
    Ok(there)
}

fn marker_stamp(marker: &Path) -> Option<Stamp> {
    let mut hasher = DefaultHasher::new();
    add(&mut hasher, &fs::symlink_metadata(marker).ok()?);
    Some(Stamp::of(&hasher))
}

/// The state of a folder. Links are not followed.
///
/// # Errors
/// A part of it cannot be read.
pub fn stamp(folder: &Path) -> io::Result<Stamp> {
    let mut hasher = DefaultHasher::new();
    let mut open = vec![folder.to_owned()];
    let mut count = 0;
    while let Some(dir) = open.pop() {
        let mut entries = Vec::new();
        for entry in dir.read_dir()? {
            entries.push(entry?.path());
        }
        entries.sort();
        for path in entries {
            count += 1;
            if count > FILES {
                break;
            }
            let meta = fs::symlink_metadata(&path)?;
            // However the folder itself is spelled.
            path.strip_prefix(folder).unwrap_or(&path).hash(&mut hasher);
            add(&mut hasher, &meta);
            if meta.is_dir() {
                open.push(path);
            }
        }
    }
    Ok(Stamp::of(&hasher))
}

/// Adds the state of a file. Of a folder its times say nothing: a file that comes and goes, as that
/// of an editor, changes them.
fn add(hasher: &mut DefaultHasher, meta: &Metadata) {
    meta.mode().hash(hasher);
    if !meta.is_dir() {
        (meta.size(), meta.ino(), meta.mtime(), meta.mtime_nsec()).hash(hasher);
        (meta.ctime(), meta.ctime_nsec()).hash(hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> Place {
        (0, name.to_owned())
    }

    fn there(all: &[(&str, &str)]) -> BTreeMap<Place, Option<Stamp>> {
        let mut there = BTreeMap::new();
        for (name, state) in all {
            there.insert(place(name), Some(Stamp((*state).to_owned())));
        }
        there
    }

    fn handed_on(name: &str) -> BTreeMap<Place, Stamp> {
        [(place(name), Stamp("1".to_owned()))].into()
    }

    #[test]
    fn one_that_is_asked_for_again_arrives_in_the_same_state() {
        let began = Instant::now();
        let mut settling = Settling::new(Duration::ZERO, handed_on("a"));
        assert_eq!(settling.look(began, there(&[("a", "1")])), []);
        settling.again(place("a"));
        let arrived = Arrival::There(place("a"), Stamp("1".to_owned()));
        assert_eq!(settling.look(began, there(&[("a", "1")])), [arrived]);
        assert_eq!(settling.look(began, there(&[("a", "1")])), []);
    }

    #[test]
    fn one_that_cannot_be_read_stays_what_it_was() {
        let began = Instant::now();
        let mut settling = Settling::new(Duration::from_secs(5), handed_on("a"));
        for seconds in [0, 60, 120] {
            let unread = [(place("a"), None)].into();
            assert_eq!(settling.look(began + Duration::from_secs(seconds), unread), []);
        }
    }

    #[test]
    fn a_submission_counts_once_when_it_has_not_changed_for_a_while() {
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        let mut settling = Settling::new(Duration::from_secs(5), handed_on("old"));
        let old = ("old", "1");
        assert_eq!(settling.look(at(0), there(&[old, ("new", "1")])), []);
        assert_eq!(settling.look(at(4), there(&[old, ("new", "2")])), [], "it still arrives");
        assert_eq!(settling.look(at(8), there(&[old, ("new", "2")])), []);
        let arrived = Arrival::There(place("new"), Stamp("2".to_owned()));
        assert_eq!(settling.look(at(9), there(&[old, ("new", "2")])), [arrived]);
        assert_eq!(settling.look(at(60), there(&[old, ("new", "2")])), [], "once");
    }

    #[test]
    fn one_that_is_gone_is_said_to_be_after_a_while_and_may_come_back() {
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        let mut settling = Settling::new(Duration::from_secs(5), handed_on("a"));
        assert_eq!(settling.look(at(0), there(&[])), [], "it may be exchanged just now");
        assert_eq!(settling.look(at(3), there(&[("a", "1")])), []);
        assert_eq!(settling.look(at(4), there(&[])), []);
        assert_eq!(settling.look(at(9), there(&[])), [Arrival::Gone(place("a"))]);
        assert_eq!(settling.look(at(10), there(&[("a", "1")])), []);
        let back = Arrival::There(place("a"), Stamp("1".to_owned()));
        assert_eq!(settling.look(at(15), there(&[("a", "1")])), [back]);
    }

    #[test]
    fn the_state_of_a_folder_is_that_of_its_files() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("src")).unwrap();
        fs::write(dir.path().join("src/bot.py"), "one").unwrap();
        let before = stamp(dir.path()).unwrap();
        assert_eq!(stamp(dir.path()).unwrap(), before);
        fs::write(dir.path().join("src/.swap"), "").unwrap();
        fs::remove_file(dir.path().join("src/.swap")).unwrap();
        assert_eq!(stamp(dir.path()).unwrap(), before, "what came and went");
        fs::write(dir.path().join("src/bot.py"), "other").unwrap();
        assert_ne!(stamp(dir.path()).unwrap(), before);
    }
}
