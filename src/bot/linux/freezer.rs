//! Freezing all processes of a control group at once (kernel documentation, "Control Group v2",
//! `cgroup.freeze`).
//!
//! A process that is stopped by SIGSTOP runs again when any process with the right to signal it sends SIGCONT,
//! such as another process of the same bot. A frozen group runs again only when this file is written, which no
//! bot can. A killed process of a frozen group ends.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The freezer of one control group.
pub(super) struct Freezer(File);

impl Freezer {
    /// Opens the file of the freezer.
    ///
    /// # Errors
    /// The file cannot be opened for writing.
    pub fn open(file: &Path) -> io::Result<Freezer> {
        Ok(Freezer(File::options().write(true).open(file)?))
    }

    /// Freezes all processes of the group, those that they start included. Returns before the last of them has
    /// stopped.
    ///
    /// # Errors
    /// The group is gone.
    pub fn freeze(&self) -> io::Result<()> {
        self.0.write_all_at(b"1", 0)
    }

    /// Lets the processes run again.
    ///
    /// # Errors
    /// The group is gone.
    pub fn thaw(&self) -> io::Result<()> {
        self.0.write_all_at(b"0", 0)
    }
}
