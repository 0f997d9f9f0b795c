//! The control group of a bot as the referee uses it (kernel documentation, "Control Group v2"):
//! freezing all its processes at once (`cgroup.freeze`), and their processor time (`cpu.stat`).
//!
//! A process that is stopped by SIGSTOP runs again when any process with the right to signal it
//! sends SIGCONT, such as another process of the same bot. A frozen group runs again only when its
//! file is written, which no bot can. A killed process of a frozen group ends.
//!
//! The group's processor time has that of every process that ever was in it, also of one that
//! started and ended unseen and for which its parent did not wait. Of a process that runs at the
//! moment it may lack the time since the last tick of the kernel's timer.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

/// The open files of one control group.
pub(super) struct BotGroup {
    freezer: File,
    cpu: File,
}

impl BotGroup {
    /// Opens the files of the group in this folder of cgroup v2.
    ///
    /// # Errors
    /// One of them cannot be opened.
    pub fn open(folder: &Path) -> io::Result<BotGroup> {
        let freezer = File::options().write(true).open(folder.join("cgroup.freeze"))?;
        Ok(BotGroup { freezer, cpu: File::open(folder.join("cpu.stat"))? })
    }

    /// Freezes all processes of the group, those that they start included. Returns before the last
    /// of them has stopped.
    ///
    /// # Errors
    /// The group is gone.
    pub fn freeze(&self) -> io::Result<()> {
        self.freezer.write_all_at(b"1", 0)
    }

    /// Lets the processes run again.
    ///
    /// # Errors
    /// The group is gone.
    pub fn thaw(&self) -> io::Result<()> {
        self.freezer.write_all_at(b"0", 0)
    }

    /// The processor time of all processes that are or were in the group; `None` if the group is
    /// gone.
    pub fn cpu(&self) -> Option<Duration> {
        let mut text = [0; 512];
        let count = self.cpu.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..count]).ok()?;
        let used = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
        used.parse().ok().map(Duration::from_micros)
    }
}
