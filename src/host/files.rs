//! Opening files to read, and making folders. Only regular files are opened: a named pipe, a socket
//! or a device, which a folder of another person may have in the place of any file, is refused
//! without waiting for it.

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::{Errno, retry_on_intr};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Flags to open a file of unknown kind for reading: does not wait for the other end of a named
/// pipe, and does not make a terminal the controlling one.
pub const READ: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Opens a regular file. Links are followed.
///
/// # Errors
/// It cannot be opened, or is no regular file: [`ErrorKind::InvalidInput`]. The error does not name
/// it.
pub fn open(path: &Path) -> io::Result<File> {
    open_at(CWD, path, OFlags::empty())
}

/// Opens a regular file by its path from a folder, with these flags beside [`READ`].
///
/// # Errors
/// As for [`open`].
pub fn open_at(folder: impl AsFd, path: &Path, flags: OFlags) -> io::Result<File> {
    let mode = Mode::from_raw_mode(0o666); // of a file that is created
    match retry_on_intr(|| openat(&folder, path, READ | flags, mode)) {
        Ok(file) => regular(File::from(file)),
        Err(Errno::NXIO | Errno::OPNOTSUPP) => Err(not_regular()), // a socket
        Err(error) => Err(error.into()),
    }
}

fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

fn not_regular() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "is not a regular file")
}

/// The paths in a folder, in no order; none if it cannot be listed.
pub(crate) fn list(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Reads a regular file. Links are followed.
///
/// # Errors
/// As for [`open`], or it cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes a folder and those above it, unless they are there.
///
/// # Errors
/// It cannot be made. Where something else has its name: [`ErrorKind::AlreadyExists`], with what
/// that is.
pub fn make_folder(path: &Path) -> io::Result<()> {
    let Err(error) = fs::create_dir_all(path) else { return Ok(()) };
    let what = match path.symlink_metadata() {
        Ok(there) if there.is_symlink() && !path.exists() => "a link that leads nowhere",
        Ok(_) if path.is_file() => "a file",
        Ok(_) if error.kind() == ErrorKind::AlreadyExists => "a pipe, a socket or a device",
        _ => return Err(error),
    };
    let why = format!("this is {what}, not a folder; name another one");
    Err(io::Error::new(ErrorKind::AlreadyExists, why))
}

/// The device and inode of a file or folder, which identify it under any name.
pub fn identity(there: &Metadata) -> (u64, u64) {
    (there.dev(), there.ino())
}

/// Reads a file from a position on, independently of the file's own cursor.
#[derive(Debug)]
pub struct PositionReader<'a> {
    pub file: &'a File,
    /// Where the next byte is.
    pub place: u64,
}

impl Read for PositionReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.place)?;
        self.place += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    #[test]
    fn what_is_no_regular_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        let _socket = UnixListener::bind(at("socket")).unwrap();
        fs::write(at("file"), "text").unwrap();
        for (target, name) in
            [("file", "link"), ("pipe", "piped"), ("/dev/zero", "device"), (".", "folder")]
        {
            symlink(target, at(name)).unwrap();
        }
        for name in ["file", "link"] {
            assert_eq!(read(&at(name)).unwrap(), b"text", "{name}");
        }
        for name in ["pipe", "piped", "socket", "device", "folder"] {
            for flags in [OFlags::empty(), OFlags::RDWR | OFlags::APPEND | OFlags::CREATE] {
                let error = open_at(CWD, &at(name), flags).unwrap_err();
                let is_folder = error.kind() == ErrorKind::IsADirectory; // to write
                assert!(
                    is_folder || error.to_string() == "is not a regular file",
                    "{name}: {error}"
                );
            }
        }
        assert_eq!(open(&at("none")).unwrap_err().kind(), ErrorKind::NotFound);
        symlink("nowhere", at("lost")).unwrap();
        for (name, what) in
            [("link", "a file"), ("lost", "a link that leads nowhere"), ("piped", "a pipe, a")]
        {
            let error = make_folder(&at(name)).unwrap_err();
            assert!(error.to_string().starts_with(&format!("this is {what}")), "{name}: {error}");
        }
        make_folder(&at("folder/new/newer")).unwrap();
    }
}
