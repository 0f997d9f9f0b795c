//! Room on the disk. A league runs for months, so it stops in time: with too little room no game
//! begins, no submission is taken and no version is tried, and all go on when there is room again.

use super::store::LeagueStore;
use arbiter_game::settings::size_text;
use arbiter_ground::recorder::RunScreen;
use arbiter_ground::repeated::Repeated;
use arbiter_host::locate::disk_usage;
use arbiter_play::arena::Run;
use rustix::fs::statvfs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The least time between two measurements of the result folder.
const PAUSE: Duration = Duration::from_secs(1);
/// Measuring takes at most this part (1/n) of the time of a core.
const SHARE: u32 = 50;
/// What is left free on the file system, for the games that run and for the tables: this much, or
/// a part (1/n) of a small one.
const RESERVE: u64 = 64 << 20;
const RESERVE_PART: u64 = 16;

/// Why a league begins nothing now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shortage {
    /// Its folder has as much as `[league] disk` allows.
    Limit { most: u64 },
    /// The file system has hardly any room: also what is small may fail.
    Disk { free: u64 },
}

impl Shortage {
    /// The reason, for everybody.
    pub fn why(&self) -> String {
        match self {
            Shortage::Limit { most } => {
                format!("the league has taken the {} that `disk` allows", size_text(*most))
            }
            Shortage::Disk { free } => format!("the disk has {} MiB left", free >> 20),
        }
    }
}

/// The room of a file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct FreeSpace {
    pub free: u64,
    total: u64,
}

impl FreeSpace {
    /// That of the file system of a folder; `None` if the system does not say.
    pub fn of(folder: &Path) -> Option<FreeSpace> {
        let stat = statvfs(folder).ok()?;
        let block = stat.f_frsize;
        Some(FreeSpace {
            free: stat.f_bavail.saturating_mul(block),
            total: stat.f_blocks.saturating_mul(block),
        })
    }

    /// Whether there is hardly any room, where this much more is to be written.
    pub fn is_short_of(&self, more: u64) -> bool {
        self.free < RESERVE.min(self.total / RESERVE_PART).saturating_add(more)
    }
}

/// The result folder of a league, which is measured by a thread, and its limit.
pub struct DiskRoom {
    folder: PathBuf,
    most: Option<u64>,
    /// The bytes of the folder when it was last measured.
    used: Arc<AtomicU64>,
    /// Why nothing begins, as it was last seen.
    pub shortage: Option<Shortage>,
    /// What measures it, if it has a limit.
    _measuring: Option<Repeated>,
}

impl DiskRoom {
    /// Measures the folder, and goes on measuring it if it has a limit.
    pub fn start(folder: &Path, most: Option<u64>) -> DiskRoom {
        let used = Arc::new(AtomicU64::new(0));
        let mut measuring = None;
        if most.is_some() {
            // The first time before the first game.
            let pause = measure(folder, &used);
            let measured = folder.to_owned();
            let bytes = Arc::clone(&used);
            measuring = Some(Repeated::start(pause, move || measure(&measured, &bytes)));
        }
        let folder = folder.to_owned();
        DiskRoom { folder, most, used, shortage: None, _measuring: measuring }
    }

    /// Why nothing may begin now; `None` if there is room.
    pub fn look(&self) -> Option<Shortage> {
        if let Some(space) = FreeSpace::of(&self.folder)
            && space.is_short_of(0)
        {
            return Some(Shortage::Disk { free: space.free });
        }
        let most = self.most?;
        (self.used.load(Ordering::Relaxed) >= most).then_some(Shortage::Limit { most })
    }

    /// The free bytes of the file system.
    pub fn free(&self) -> u64 {
        FreeSpace::of(&self.folder).unwrap_or_default().free
    }
}

/// Measures the folder; returns how long to wait before the next time.
fn measure(folder: &Path, used: &AtomicU64) -> Duration {
    let began = Instant::now();
    // If it cannot be opened, the next game that is recorded says so.
    if let Ok(found) = disk_usage(folder) {
        used.store(found.bytes, Ordering::Relaxed);
    }
    PAUSE.max(began.elapsed() * SHARE)
}

impl LeagueStore<'_> {
    /// Begins nothing while there is no room, and goes on when there is.
    pub(super) fn look_for_room(&mut self, run: &Run, screen: &mut dyn RunScreen) {
        let found = self.room.look();
        let is_short = found.is_some();
        let was_paused = self.board.lock().pause(is_short);
        if was_paused && !is_short {
            run.wake();
        }
        // The free bytes change all the time.
        let is_known = is_short == self.room.shortage.is_some();
        self.room.shortage = found;
        if is_known {
            return;
        }
        self.clock.is_due = true;
        if let Some(desk) = &self.desk {
            desk.set_full(is_short);
        }
        let note = match &self.room.shortage {
            Some(shortage) => format!(
                "{}: no game begins and no submission is taken until there is room",
                shortage.why()
            ),
            None => "there is room on the disk again: the league goes on".to_owned(),
        };
        screen.note(&note.into());
    }

    /// Whether hardly anything can be written.
    pub(super) fn is_disk_full(&self) -> bool {
        matches!(self.room.shortage, Some(Shortage::Disk { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_disk_keeps_a_part_free_and_a_large_one_a_fixed_size() {
        let small = FreeSpace { free: 1 << 20, total: 16 << 20 };
        assert!(!small.is_short_of(0) && small.is_short_of(1));
        let large = FreeSpace { free: RESERVE, total: 1 << 40 };
        assert!(!large.is_short_of(0) && large.is_short_of(1));
    }

    #[test]
    fn a_folder_with_more_than_its_limit_is_short_of_room() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(DiskRoom::start(dir.path(), Some(1 << 20)).look(), None);
        std::fs::create_dir(dir.path().join("bots")).unwrap();
        std::fs::write(dir.path().join("bots/log"), vec![b'x'; 1 << 20]).unwrap();
        let room = DiskRoom::start(dir.path(), Some(1 << 20));
        assert_eq!(room.look(), Some(Shortage::Limit { most: 1 << 20 }));
        assert_eq!(DiskRoom::start(dir.path(), None).look(), None);
    }
}
