//! Reading a tar archive, entry by entry as it stands: long names and attributes are read here,
//! with limits, and not by the library, which has none.

use super::tree::{NewTree, too_large};
use super::unpack::{UnpackError, UnpackLimits};
use std::io::{self, Read};
use tar::{Archive, Entry, EntryType};

/// The most bytes of a long name or of the attributes of an entry.
const ATTRIBUTES: u64 = 64 << 10;
/// Bytes of headers for each entry, and at the end of an archive.
const HEADERS: u64 = 4 << 10;
const END: u64 = 1 << 20;

/// Unpacks a tar archive into a new folder.
///
/// # Errors
/// It has something that no submission may have, or is damaged, or cannot be written.
pub(super) fn unpack_tar(
    stream: impl Read,
    limits: UnpackLimits,
    tree: &mut NewTree<'_>,
) -> Result<(), UnpackError> {
    // What is skipped is read, too: a stream of headers and skipped entries must end.
    let most = limits.bytes + u64::from(limits.files) * HEADERS + END;
    let mut archive = Archive::new(EndReader { stream: stream.take(most), has_ended: false });
    let unpacked = unpack_entries(&mut archive, tree);
    let mut reader = archive.into_inner();
    if reader.stream.limit() == 0 {
        return Err(too_large(limits));
    }
    unpacked?;
    if reader.has_ended {
        return Err(damaged("its end is missing"));
    }
    // Zeros, and the checksum of a compressed archive.
    match io::copy(&mut reader, &mut io::sink()) {
        Ok(_) => Ok(()),
        Err(error) => Err(damaged(error)),
    }
}

fn unpack_entries(
    archive: &mut Archive<impl Read>,
    tree: &mut NewTree<'_>,
) -> Result<(), UnpackError> {
    // The name of the next entry, if its header has no room for it.
    let mut long_name = None;
    for entry in archive.entries().map_err(damaged)?.raw(true) {
        let mut entry = entry.map_err(damaged)?;
        let kind = entry.header().entry_type();
        match kind {
            EntryType::GNULongName => {
                let mut name = attributes(&mut entry)?;
                while name.last() == Some(&0) {
                    name.pop();
                }
                long_name = Some(name);
                continue;
            }
            EntryType::XHeader => {
                if let Some(name) = path_attribute(&attributes(&mut entry)?)? {
                    long_name = Some(name);
                }
                continue;
            }
            EntryType::XGlobalHeader => {
                // `git archive` writes the commit there.
                if path_attribute(&attributes(&mut entry)?)?.is_some() {
                    return Err(damaged("all entries have the same name"));
                }
                continue;
            }
            EntryType::GNULongLink => {
                attributes(&mut entry)?; // of a link, which is the next entry
                continue;
            }
            _ => {}
        }
        let raw = long_name.take().unwrap_or_else(|| entry.path_bytes().into_owned());
        let is_folder = kind == EntryType::Directory || kind.is_file() && raw.ends_with(b"/");
        let Some(path) = tree.entry(&raw, is_folder)? else { continue };
        let why = match kind {
            EntryType::Regular | EntryType::Directory => {
                if is_folder {
                    tree.folder(&path)?;
                } else {
                    let mode = entry.header().mode().map_err(damaged)?;
                    tree.file(&path, mode & 0o100 != 0, &mut WholeEntry::new(&mut entry))?;
                }
                continue;
            }
            EntryType::Symlink => "it is a symbolic link; pack the file itself (tar --dereference)",
            EntryType::Link => "it is a hard link; pack the file itself (tar --hard-dereference)",
            EntryType::GNUSparse => "it is a sparse file; pack it without --sparse",
            EntryType::Char | EntryType::Block | EntryType::Fifo => {
                "it is a device or a pipe; leave it out"
            }
            _ => "it is neither a file nor a folder; leave it out",
        };
        return Err(UnpackError::about(&raw, why));
    }
    Ok(())
}

/// The content of an entry that describes the next one.
fn attributes(entry: &mut Entry<'_, impl Read>) -> Result<Vec<u8>, UnpackError> {
    if entry.size() > ATTRIBUTES {
        return Err(damaged("the attributes of an entry are too long"));
    }
    let mut bytes = Vec::new();
    WholeEntry::new(entry).read_to_end(&mut bytes).map_err(damaged)?;
    Ok(bytes)
}

/// The path in the attributes of an entry, in the format of pax: each record is its length, a
/// blank, a key, `=`, a value, a newline. Values may have any bytes, such as attributes of macOS.
fn path_attribute(attributes: &[u8]) -> Result<Option<Vec<u8>>, UnpackError> {
    let mut path = None;
    let mut rest = attributes;
    while !rest.is_empty() {
        let Some((key, value, after)) = pax_record(rest) else {
            return Err(damaged("the attributes of an entry cannot be read"));
        };
        rest = after;
        match key {
            b"path" => path = Some(value.to_vec()),
            // Two readers could disagree where the next entry begins.
            b"size" => return Err(damaged("an entry has its size in its attributes")),
            key if key.starts_with(b"GNU.sparse.") => {
                return Err(damaged("it has a sparse file; pack it without --sparse"));
            }
            _ => {} // times and owners
        }
    }
    Ok(path)
}

/// The key and the value of the first record, and what follows it.
fn pax_record(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let blank = bytes.iter().take(8).position(|byte| *byte == b' ')?;
    let length: usize = str::from_utf8(&bytes[..blank]).ok()?.parse().ok()?;
    let (record, after) = bytes.split_at_checked(length)?;
    let record = record.get(blank + 1..)?.strip_suffix(b"\n")?;
    let equals = record.iter().position(|byte| *byte == b'=')?;
    Some((&record[..equals], &record[equals + 1..], after))
}

fn damaged(why: impl std::fmt::Display) -> UnpackError {
    UnpackError::Refused(format!(
        "the tar archive is damaged or incomplete ({why}); pack and send it again"
    ))
}

/// The content of an entry, which is an error if the archive ends in it.
struct WholeEntry<'e, 'a, R: Read> {
    entry: &'e mut Entry<'a, R>,
    left: u64,
}

impl<'e, 'a, R: Read> WholeEntry<'e, 'a, R> {
    fn new(entry: &'e mut Entry<'a, R>) -> WholeEntry<'e, 'a, R> {
        let left = entry.size();
        WholeEntry { entry, left }
    }
}

impl<R: Read> Read for WholeEntry<'_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.entry.read(buffer)?;
        if count == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left = self.left.saturating_sub(count as u64);
        Ok(count)
    }
}

/// A stream that remembers whether all of it was read: a whole archive ends with zeros before that.
struct EndReader<R> {
    stream: R,
    has_ended: bool,
}

impl<R: Read> Read for EndReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.has_ended |= count == 0 && !buffer.is_empty();
        Ok(count)
    }
}
