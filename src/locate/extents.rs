//! Where a file has data: holes are neither read nor copied, so that a file of 4 GiB that holds nothing costs nothing.

use super::system::next_extent;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt};

/// A file with fewer bytes of holes is hashed as if it had none: its digest is that of its content alone, as others
/// compute it too.
const HOLES: u64 = 1 << 20;
/// What of a file with holes is hashed at a time: one byte in each of many small parts must not cost much more than it
/// takes on the disk.
const BLOCK: u64 = 4096;

/// Calls `each` with the beginning and the length of every part of a file that has data, up to this size.
///
/// # Errors
/// The file cannot be read, or `each` fails.
pub(super) fn extents(
    file: &File,
    size: u64,
    mut each: impl FnMut(u64, u64) -> io::Result<()>,
) -> io::Result<()> {
    let mut at = 0;
    while let Some((begin, end)) = next_extent(file, at, size)? {
        each(begin, end - begin)?;
        at = end;
    }
    Ok(())
}

/// The digest of a file's content up to this size: the SHA-256; of a file with large holes that of its blocks that are
/// not zero, after `sparse `. It depends on the content, and on whether the file has large holes.
///
/// # Errors
/// The file cannot be read.
pub(super) fn digest(file: &File, size: u64) -> io::Result<String> {
    let mut sha = Sha256::new();
    if !has_large_holes(file, size)? {
        let mut buffer = vec![0; 256 * 1024];
        let mut left = file.take(size);
        loop {
            match left.read(&mut buffer)? {
                0 => return Ok(crate::content::hex(&sha.finalize())),
                count => sha.update(&buffer[..count]),
            }
        }
    }
    sha.update(size.to_be_bytes());
    blocks(file, size, |at, block| {
        sha.update(at.to_be_bytes());
        sha.update(block);
        Ok(())
    })?;
    Ok(format!("sparse {}", crate::content::hex(&sha.finalize())))
}

/// Copies a file up to this size to an empty file. What has holes in the copy follows from the digest: of a file with
/// large holes every block of zeros, of another file nothing.
///
/// # Errors
/// A file cannot be read or written, or the first becomes shorter meanwhile.
pub(super) fn copy(mut from: &File, mut to: &File, size: u64) -> io::Result<()> {
    if has_large_holes(from, size)? {
        blocks(from, size, |at, block| to.write_all_at(block, at))?;
        return to.set_len(size);
    }
    let mut done = 0;
    let zeros =
        |to: &mut &File, done: u64, end: u64| io::copy(&mut io::repeat(0).take(end - done), to).map(drop);
    extents(from, size, |begin, length| {
        zeros(&mut to, done, begin)?;
        from.seek(SeekFrom::Start(begin))?;
        let copied = io::copy(&mut from.take(length), &mut to)?;
        done = begin + length;
        if copied == length { Ok(()) } else { Err(changed()) }
    })?;
    zeros(&mut to, done, size)
}

pub(super) fn changed() -> io::Error {
    io::Error::other("it was changed while it was copied")
}

fn has_large_holes(file: &File, size: u64) -> io::Result<bool> {
    let there = file.metadata()?.blocks().saturating_mul(512);
    Ok(size.saturating_sub(there) >= HOLES)
}

/// Calls `each` with the place and the bytes of every block of a file, up to this size, that is not all zeros. Blocks are
/// whole, so that it does not matter where exactly the holes are.
fn blocks(file: &File, size: u64, mut each: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let (mut done, mut buffer) = (0, [0; BLOCK as usize]);
    extents(file, size, |begin, length| {
        let first = (begin / BLOCK * BLOCK).max(done);
        let end = (begin + length).div_ceil(BLOCK) * BLOCK;
        for at in (first..end).step_by(BLOCK as usize) {
            let block = &mut buffer[..BLOCK.min(size - at) as usize];
            file.read_exact_at(block, at)?;
            if block.iter().any(|&byte| byte != 0) {
                each(at, block)?;
            }
        }
        done = end.max(done);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::sha256;

    /// A file of 64 MiB of holes with these bytes at these places.
    fn sparse(data: &[(u64, &[u8])]) -> File {
        let file = tempfile::tempfile().unwrap();
        file.set_len(64 << 20).unwrap();
        data.iter().for_each(|(at, bytes)| file.write_all_at(bytes, *at).unwrap());
        file
    }

    #[test]
    fn every_byte_and_its_place_decide_the_digest_of_a_file_with_holes() {
        let of = |data: &[(u64, &[u8])]| digest(&sparse(data), 64 << 20).unwrap();
        let all = [
            of(&[]),
            of(&[(0, b"x")]),
            of(&[(1, b"x")]),
            of(&[(BLOCK, b"x")]),
            of(&[(40 << 20, b"x")]),
            of(&[(40 << 20, b"y")]),
            of(&[(BLOCK - 1, b"xx")]),
            of(&[(BLOCK - 1, b"xx"), ((64 << 20) - 1, b"z")]),
            digest(&sparse(&[]), (64 << 20) - 1).unwrap(),
        ];
        for (number, one) in all.iter().enumerate() {
            assert!(one.starts_with("sparse ") && !all[..number].contains(one), "{number}: {all:?}");
        }
        // Zeros that were written, and a hole between, are the same content.
        let zeros = vec![0; 3 << 16];
        assert_eq!(of(&[(5 << 20, &zeros[..]), (40 << 20, b"x")]), all[4]);
    }

    #[test]
    fn the_digest_of_a_file_without_holes_is_its_sha256() {
        for length in [0, 1, 300_000] {
            let bytes: Vec<u8> = (0..length).map(|at: usize| (at % 251) as u8).collect();
            let file = tempfile::tempfile().unwrap();
            file.write_all_at(&bytes, 0).unwrap();
            assert_eq!(digest(&file, length as u64).unwrap(), sha256(&bytes));
        }
        let small = tempfile::tempfile().unwrap();
        small.set_len(HOLES - 1).unwrap();
        assert_eq!(digest(&small, HOLES - 1).unwrap(), sha256(&vec![0; (HOLES - 1) as usize]));
    }

    #[test]
    fn a_copy_has_the_holes_of_the_file() {
        let from = sparse(&[(5, b"begin"), (40 << 20, b"middle"), ((64 << 20) - 3, b"end")]);
        let to = tempfile::tempfile().unwrap();
        copy(&from, &to, 64 << 20).unwrap();
        assert_eq!(digest(&to, 64 << 20).unwrap(), digest(&from, 64 << 20).unwrap());
        assert!(to.metadata().unwrap().blocks() * 512 < 2 << 20 && to.metadata().unwrap().len() == 64 << 20);
        let mut middle = [0; 6];
        to.read_exact_at(&mut middle, 40 << 20).unwrap();
        assert_eq!(&middle, b"middle");
    }
}
