//! A new folder that an archive is written into: by descriptors and single names, so that nothing
//! lies outside of it, and counted while it is written, whatever the archive says.

use super::entry_path::EntryPath;
use super::unpack::{UnpackError, UnpackLimits};
use arbiter_game::settings::size_text;
use arbiter_host::locate::is_leftover;
use rustix::fs::{Mode, OFlags, mkdirat, openat};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;

/// The mode of folders and programs, before the umask.
const PASSABLE: Mode = Mode::from_bits_retain(0o755);
/// The mode of other files, before the umask.
const PLAIN: Mode = Mode::from_bits_retain(0o644);
/// Flags to open a folder that was made here.
const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Flags to make a file.
const MAKING: OFlags = OFlags::WRONLY
    .union(OFlags::CREATE)
    .union(OFlags::EXCL)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// What was made under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Made {
    Folder,
    File,
}

/// The new folder, and what is in it so far.
pub(super) struct NewTree<'a> {
    top: &'a OwnedFd,
    limits: UnpackLimits,
    /// What was made, with its path as it was spelled, by that path in lower case.
    made: BTreeMap<String, (String, Made)>,
    entries: u32,
    bytes: u64,
}

impl<'a> NewTree<'a> {
    /// The tree in this folder, which is empty.
    pub fn new(top: &'a OwnedFd, limits: UnpackLimits) -> NewTree<'a> {
        NewTree { top, limits, made: BTreeMap::new(), entries: 0, bytes: 0 }
    }

    /// Counts an entry of the archive, and reads its path; `None` if it is left behind by a tool
    /// and no content.
    ///
    /// # Errors
    /// There are too many entries, or its path is refused.
    pub fn entry(&mut self, raw: &[u8], is_folder: bool) -> Result<Option<EntryPath>, UnpackError> {
        self.entries += 1;
        self.check_count()?;
        let path = EntryPath::parse(raw).map_err(UnpackError::Refused)?;
        let depth = path.names.len();
        for (index, name) in path.names.iter().enumerate() {
            if is_leftover(name.as_bytes(), is_folder || index + 1 < depth) {
                return Ok(None);
            }
        }
        Ok(Some(path))
    }

    fn check_count(&self) -> Result<(), UnpackError> {
        let most = self.limits.files;
        if self.entries > most || self.made.len() > most as usize {
            return Err(UnpackError::Refused(format!(
                "it has more than {most} files and folders; leave out what the bot does not need"
            )));
        }
        Ok(())
    }

    /// Makes a folder, unless it is there already: archives name them as often as they like.
    ///
    /// # Errors
    /// Its name is that of something else, or it cannot be made.
    pub fn folder(&mut self, path: &EntryPath) -> Result<(), UnpackError> {
        self.open_folder(&path.names).map(drop)
    }

    /// Makes a file with this content, and the folders above it.
    ///
    /// # Errors
    /// There is something of its name, its content is damaged or too long, or it cannot be written.
    pub fn file(
        &mut self,
        path: &EntryPath,
        is_program: bool,
        content: &mut dyn Read,
    ) -> Result<(), UnpackError> {
        let Some((name, folders)) = path.names.split_last() else {
            return Err(UnpackError::Refused("it has a file without a name".to_owned()));
        };
        let folder = self.open_folder(folders)?;
        self.add(&path.names, Made::File)?;
        let mode = if is_program { PASSABLE } else { PLAIN };
        let mut file = File::from(openat(&folder, name, MAKING, mode)?);
        let mut buffer = vec![0; 64 << 10];
        loop {
            let count = match content.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    let why = format!(
                        "its content is damaged or incomplete ({error}); pack and send it again"
                    );
                    return Err(UnpackError::about(path.names.join("/").as_bytes(), &why));
                }
            };
            self.bytes += count as u64;
            if self.bytes > self.limits.bytes {
                return Err(too_large(self.limits));
            }
            file.write_all(&buffer[..count])?;
        }
    }

    /// The only entry at the top, if that is a folder.
    pub fn only_folder(&self) -> Option<&str> {
        let mut at_top = self.made.values().filter(|(path, _)| !path.contains('/'));
        match (at_top.next(), at_top.next()) {
            (Some((path, Made::Folder)), None) => Some(path),
            _ => None,
        }
    }

    /// Whether a file was made.
    pub fn has_files(&self) -> bool {
        self.made.values().any(|(_, made)| *made == Made::File)
    }

    /// Opens a folder by its names, and makes what is not there.
    fn open_folder(&mut self, names: &[String]) -> Result<OwnedFd, UnpackError> {
        let mut at = openat(self.top, ".", FOLDER, Mode::empty())?;
        for (index, name) in names.iter().enumerate() {
            if self.add(&names[..=index], Made::Folder)? {
                mkdirat(&at, name, PASSABLE)?;
            }
            at = openat(&at, name, FOLDER, Mode::empty())?;
        }
        Ok(at)
    }

    /// Records that this is made. False if it is a folder that is there.
    fn add(&mut self, names: &[String], what: Made) -> Result<bool, UnpackError> {
        let path = names.join("/");
        if let Some((before, made)) = self.made.get(&path.to_lowercase()) {
            if *before == path && what == Made::Folder && *made == Made::Folder {
                return Ok(false);
            }
            let why = if *before == path {
                "it occurs twice; leave out one of them"
            } else {
                "there is another one that differs only in capitals; leave out one of them"
            };
            return Err(UnpackError::about(path.as_bytes(), why));
        }
        self.made.insert(path.to_lowercase(), (path, what));
        self.check_count()?;
        Ok(true)
    }
}

pub(super) fn too_large(limits: UnpackLimits) -> UnpackError {
    let most = size_text(limits.bytes);
    UnpackError::Refused(format!(
        "it has more than {most} when it is unpacked; leave out what the bot does not need"
    ))
}

impl From<Errno> for UnpackError {
    fn from(error: Errno) -> UnpackError {
        UnpackError::Failed(error.into())
    }
}
