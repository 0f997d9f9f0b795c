//! From the bytes of an upload to a new folder.

use super::entry_path::{EntryPath, shown};
use super::tar::unpack_tar;
use super::tree::NewTree;
use super::zip::unpack_zip;
use arbiter_host::files::PositionReader;
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;

/// The most that an upload may have when it is unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnpackLimits {
    pub bytes: u64,
    /// Files and folders together.
    pub files: u32,
}

/// Why an upload is not unpacked.
#[derive(Debug)]
pub(super) enum UnpackError {
    /// A sentence for the author: which entry, what is wrong, and what would be right.
    Refused(String),
    /// The machine's fault, such as a full disk.
    Failed(io::Error),
}

impl UnpackError {
    /// The refusal of an entry, or of a whole upload, of this name.
    pub fn about(raw: &[u8], why: &str) -> UnpackError {
        UnpackError::Refused(format!("{}: {why}", shown(raw)))
    }
}

impl From<io::Error> for UnpackError {
    fn from(error: io::Error) -> UnpackError {
        UnpackError::Failed(error)
    }
}

/// How the names of archives end.
const ARCHIVE_NAMES: [&str; 4] = [".zip", ".tar", ".tar.gz", ".tgz"];
/// How the names of other archives end, which are probably meant to be unpacked.
const OTHER_ARCHIVES: [&str; 7] = [".rar", ".7z", ".gz", ".bz2", ".xz", ".zst", ".lzh"];
/// Where a tar archive has the name of its format.
const USTAR: usize = 257;

/// Unpacks an upload into a folder, which is new and empty. `name` is that of the file as its
/// author called it; it decides whether it is an archive or the bot itself (`bot.jar` is a zip
/// archive, too). Without a name only archives are taken. Returns the name of the only entry at the
/// top if that is a folder: it is then the folder of the bot.
///
/// What is in the folder after an error has to be removed.
///
/// # Errors
/// A sentence for the author, or an error of the machine.
pub(super) fn unpack(
    upload: &File,
    name: Option<&str>,
    into: &OwnedFd,
    limits: UnpackLimits,
) -> Result<Option<String>, UnpackError> {
    let mut head = [0; 512];
    let length = read_head(upload, &mut head)?;
    if length == 0 {
        return Err(UnpackError::Refused("the upload is empty; choose a file".to_owned()));
    }
    let head = &head[..length];
    let mut tree = NewTree::new(into, limits);
    let raw = name.unwrap_or_default().as_bytes();
    let lower = name.unwrap_or_default().to_ascii_lowercase();
    // What is no archive by its name is the bot itself.
    if let Some(name) = name
        && !ARCHIVE_NAMES.iter().any(|end| lower.ends_with(end))
    {
        if OTHER_ARCHIVES.iter().any(|end| lower.ends_with(end)) {
            let why = "such archives are not taken; pack a .zip or .tar.gz";
            return Err(UnpackError::about(raw, why));
        }
        // Nothing else says whether it is a program.
        let is_program = head.starts_with(b"#!") || head.starts_with(b"\x7fELF");
        let mut content = PositionReader { file: upload, place: 0 };
        tree.file(&file_name(name)?, is_program, &mut content)?;
        return Ok(None);
    }
    let stream = BufReader::new(PositionReader { file: upload, place: 0 });
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        unpack_zip(upload, &mut tree)?;
    } else if head.starts_with(b"\x1f\x8b") {
        unpack_tar(MultiGzDecoder::new(stream), limits, &mut tree)?;
    } else if head.get(USTAR..).is_some_and(|format| format.starts_with(b"ustar")) {
        unpack_tar(stream, limits, &mut tree)?;
    } else if name.is_some() {
        let why = "this is neither a zip nor a tar archive; pack it again";
        return Err(UnpackError::about(raw, why));
    } else {
        return Err(UnpackError::Refused(
            "the name of the file is missing; end the address with it (curl -T bot.py does so \
             after a /), or send a .zip, .tar or .tar.gz"
                .to_owned(),
        ));
    }
    if !tree.has_files() {
        let why = "there is no file in the archive; pack the folder of the bot";
        return Err(UnpackError::Refused(why.to_owned()));
    }
    Ok(tree.only_folder().map(str::to_owned))
}

/// The name of an upload that is the only file of its submission.
fn file_name(name: &str) -> Result<EntryPath, UnpackError> {
    let path = EntryPath::parse(name.as_bytes()).map_err(UnpackError::Refused)?;
    if path.names.len() == 1 && !name.contains('/') {
        return Ok(path);
    }
    Err(UnpackError::Refused("the name of a file has no folder; send the file alone".to_owned()))
}

fn read_head(upload: &File, head: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    loop {
        match upload.read_at(&mut head[length..], length as u64)? {
            0 => return Ok(length),
            count => length += count,
        }
    }
}

#[cfg(test)]
mod tests;
