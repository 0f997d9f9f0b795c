//! Small disks, and what fills them.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A small disk in memory, unmounted on drop.
pub struct Disk(PathBuf);

impl Disk {
    /// `None` if this user may not mount.
    pub fn of(size: &str, at: &Path) -> Option<Disk> {
        fs::create_dir(at).unwrap();
        let size = format!("size={size}");
        mount(&["-t", "tmpfs", "-o", &size, "tmpfs"], at).then(|| Disk(at.to_owned()))
    }

    pub fn grow(&self, size: &str) {
        assert!(mount(&["-o", &format!("remount,size={size}")], &self.0));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status(); // an error in drop cannot be handled
    }
}

fn mount(arguments: &[&str], at: &Path) -> bool {
    let mut command = Command::new("mount");
    command.args(arguments).arg(at).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Writes a file that fills its disk.
pub fn fill(path: &Path) {
    let mut file = File::create(path).unwrap();
    while file.write_all(&[b'x'; 4096]).is_ok() {}
}
