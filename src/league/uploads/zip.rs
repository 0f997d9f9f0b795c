//! Reading a zip archive.

use super::tree::NewTree;
use super::unpack::UnpackError;
use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive};
use std::fs::File;

/// The bits of a Unix mode that say what a file is; a zip has them above 16 other bits.
const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const REGULAR: u32 = 0o100_000;
/// The owner may execute it.
const EXECUTABLE: u32 = 0o100;
const ENCRYPTED: &str = "it is encrypted; pack it without a password";

/// Unpacks a zip archive into a new folder.
///
/// # Errors
/// It has something that no submission may have, or is damaged, or cannot be written.
pub(super) fn unpack_zip(upload: &File, tree: &mut NewTree<'_>) -> Result<(), UnpackError> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(upload.try_clone()?, &mut buffer).map_err(damaged)?;
    let mut ranges = Vec::new();
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        let name = entry.file_path();
        let raw = name.as_bytes();
        // Whatever system it was packed on: Python has Unix modes on Windows, too.
        let mode = entry.external_attributes() >> 16;
        let is_folder = entry.is_dir() || mode & KIND == FOLDER;
        let Some(path) = tree.entry(raw, is_folder)? else { continue };
        match mode & KIND {
            0 | FOLDER | REGULAR => {}
            0o120_000 => return refused(raw, "it is a symbolic link; pack the file itself"),
            _ => return refused(raw, "it is neither a file nor a folder; leave it out"),
        }
        let flags = entry.flags();
        if flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked() {
            return refused(raw, ENCRYPTED);
        }
        let here = archive.get_entry(entry.wayfinder()).map_err(damaged)?;
        ranges.push((entry.local_header_offset(), here.compressed_data_range().1));
        if is_folder {
            tree.folder(&path)?;
            continue;
        }
        let is_program = mode & EXECUTABLE != 0;
        match entry.compression_method() {
            CompressionMethod::STORE => {
                tree.file(&path, is_program, &mut here.verifying_reader(here.reader()))?;
            }
            CompressionMethod::DEFLATE => {
                let content = DeflateDecoder::new(here.reader());
                tree.file(&path, is_program, &mut here.verifying_reader(content))?;
            }
            other => {
                let number = other.as_u16();
                return refused(
                    raw,
                    &format!(
                        "it is compressed by method {number}; pack with the usual one, Deflate"
                    ),
                );
            }
        }
    }
    // One part of the file that is the content of many entries: no program packs so.
    ranges.push((archive.directory_offset(), u64::MAX));
    ranges.sort_unstable();
    if ranges.windows(2).any(|two| two[0].1 > two[1].0) {
        let why = "its entries overlap; pack it again with another program";
        return Err(UnpackError::Refused(why.to_owned()));
    }
    Ok(())
}

fn refused(raw: &[u8], why: &str) -> Result<(), UnpackError> {
    Err(UnpackError::about(raw, why))
}

fn damaged(error: rawzip::Error) -> UnpackError {
    UnpackError::Refused(format!(
        "the zip archive is damaged or incomplete ({error}); pack and send it again"
    ))
}
