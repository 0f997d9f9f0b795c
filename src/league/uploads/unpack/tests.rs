//! Archives as authors and attackers make them.

use super::*;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tar::{EntryType, Header};
use tempfile::TempDir;

const LIMITS: UnpackLimits = UnpackLimits { bytes: 100_000, files: 20 };

/// An entry of a zip archive.
#[derive(Clone)]
struct Zipped {
    name: Vec<u8>,
    content: Vec<u8>,
    mode: u32,
    method: u16,
    flags: u16,
}

fn zipped(name: &str, content: &str) -> Zipped {
    Zipped { name: name.into(), content: content.into(), mode: 0o100_644, method: 0, flags: 0 }
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What the header of an entry has both beside its content and in the directory.
fn common(entry: &Zipped, stored: usize) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(&entry.content);
    let mut head = Vec::new();
    for number in [20, entry.flags, entry.method, 0, 0x21] {
        head.extend(number.to_le_bytes());
    }
    for number in [crc.sum(), stored as u32, entry.content.len() as u32] {
        head.extend(number.to_le_bytes());
    }
    head.extend((entry.name.len() as u16).to_le_bytes());
    head.extend([0; 2]);
    head
}

/// A zip archive, in which entries may have their content at that of another one.
fn zip_at(entries: &[Zipped], place_of: impl Fn(usize) -> usize) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut places = Vec::new();
    let mut stored = Vec::new();
    for entry in entries {
        let content =
            if entry.method == 8 { deflated(&entry.content) } else { entry.content.clone() };
        places.push(archive.len() as u32);
        stored.push(content.len());
        archive.extend(b"PK\x03\x04");
        archive.extend(common(entry, content.len()));
        archive.extend(&entry.name);
        archive.extend(content);
    }
    let directory = archive.len();
    for (index, entry) in entries.iter().enumerate() {
        archive.extend(b"PK\x01\x02\x14\x03");
        archive.extend(common(entry, stored[index]));
        archive.extend([0; 6]);
        archive.extend((entry.mode << 16).to_le_bytes());
        archive.extend(places[place_of(index)].to_le_bytes());
        archive.extend(&entry.name);
    }
    let length = archive.len() - directory;
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([(entries.len() as u16).to_le_bytes(); 2].concat());
    archive.extend((length as u32).to_le_bytes());
    archive.extend((directory as u32).to_le_bytes());
    archive.extend([0; 2]);
    archive
}

fn zip(entries: &[Zipped]) -> Vec<u8> {
    zip_at(entries, |index| index)
}

/// An entry of a tar archive.
fn tarred(kind: EntryType, name: &str, content: &[u8], mode: u32) -> Vec<u8> {
    let mut header = Header::new_gnu();
    header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(content.len() as u64);
    header.set_mode(mode);
    header.set_cksum();
    let mut entry = header.as_bytes().to_vec();
    entry.extend(content);
    entry.resize(entry.len().next_multiple_of(512), 0);
    entry
}

fn file(name: &str, content: &str) -> Vec<u8> {
    tarred(EntryType::Regular, name, content.as_bytes(), 0o644)
}

fn tar(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut archive = entries.concat();
    archive.extend([0; 1024]);
    archive
}

fn pax(record: &str) -> Vec<u8> {
    // The length counts itself, of two digits here.
    let record = format!("{} {record}\n", record.len() + 4);
    tarred(EntryType::XHeader, "pax", record.as_bytes(), 0o644)
}

/// Unpacks bytes into a folder. Its parent has nothing else afterwards.
fn unpacked(bytes: &[u8], name: Option<&str>) -> Result<(TempDir, Option<String>), String> {
    let place = tempfile::tempdir().unwrap();
    let upload = tempfile::tempfile().unwrap();
    upload.write_all_at(bytes, 0).unwrap();
    fs::create_dir(place.path().join("into")).unwrap();
    let into = openat(CWD, place.path().join("into"), OFlags::DIRECTORY, Mode::empty()).unwrap();
    let result = unpack(&upload, name, &into, LIMITS);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    match result {
        Ok(only) => Ok((place, only)),
        Err(UnpackError::Refused(why)) => Err(why),
        Err(UnpackError::Failed(error)) => panic!("{error}"),
    }
}

/// The files below a folder, with their content.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            for (inner, content) in files(&path) {
                found.insert(format!("{name}/{inner}"), content);
            }
        } else {
            found.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    found
}

#[test]
fn archives_of_every_kind_become_the_same_folder() {
    let mut deflated = zipped("my/lib/a.py", "a");
    deflated.method = 8;
    let mut start = zipped("my/run", "#!/bin/sh\n");
    start.mode = 0o104_777;
    let mut folder = zipped("my/", "");
    folder.mode = 0o040_755;
    let packed = zip(&[folder, start, deflated, zipped("__MACOSX/my/._run", "x")]);
    let streamed = tar(&[
        tarred(EntryType::Directory, "./", b"", 0o755),
        tarred(EntryType::XGlobalHeader, "pax_global_header", b"14 comment=1f\n", 0o644),
        tarred(EntryType::Directory, "./my/", b"", 0o755),
        tarred(EntryType::Directory, "./my", b"", 0o755),
        tarred(EntryType::Regular, "./my/run", b"#!/bin/sh\n", 0o6777),
        tarred(EntryType::GNULongName, "././@LongLink", b"./my/lib/a.py\0", 0o644),
        file("my/lib/cut", "a"),
        file("my/.DS_Store", "x"),
    ]);
    let attributed = tar(&[
        tarred(EntryType::Regular, "my/run", b"#!/bin/sh\n", 0o755),
        pax("SCHILY.xattr.com.apple.x=\n\n\0"),
        pax("path=my/lib/a.py"),
        file("x", "a"),
    ]);
    let expected: BTreeMap<String, String> =
        [("my/run", "#!/bin/sh\n"), ("my/lib/a.py", "a")].map(|(a, b)| (a.into(), b.into())).into();
    for (bytes, name) in [
        (packed, "bot.ZIP"),
        (gzipped(&streamed), "bot.tgz"),
        (streamed, "bot.tar"),
        (gzipped(&attributed), "bot.tar.gz"),
    ] {
        for given in [Some(name), None] {
            let (place, only) = unpacked(&bytes, given).unwrap();
            let into = place.path().join("into");
            assert_eq!(
                (files(&into), only.as_deref()),
                (expected.clone(), Some("my")),
                "{given:?}"
            );
            let mode = |path: &str| fs::metadata(into.join(path)).unwrap().permissions().mode();
            assert_eq!(mode("my/run") & 0o7122, 0o100, "executable for its owner, no set-id");
            assert_eq!(mode("my/lib/a.py") & 0o7133, 0);
        }
    }
    let (_place, only) = unpacked(&zip(&[zipped("bot.py", "x")]), None).unwrap();
    assert_eq!(only, None, "it is the folder itself");
}

#[test]
fn other_files_are_the_only_file_of_a_bot() {
    let jar = zip(&[zipped("META-INF/MANIFEST.MF", "")]);
    for (bytes, name, is_program) in [
        (&b"print()"[..], "my.py", false),
        (b"class Bot {}", "Bot.java", false),
        (b"#!/bin/sh", "bot", true),
        (b"\x7fELF\x02", "bot", true),
        (&jar, "bot.jar", false),
    ] {
        let (place, only) = unpacked(bytes, Some(name)).unwrap();
        let path = place.path().join("into").join(name);
        assert_eq!((fs::read(&path).unwrap(), only), (bytes.to_vec(), None));
        let mode = fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode & 0o100 != 0, is_program, "{name}");
    }
    for (bytes, name, why) in [
        (&b""[..], Some("bot.py"), "choose a file"),
        (b"print()", None, "the name of the file is missing"),
        (b"print()", Some("bot.zip"), "neither a zip nor a tar"),
        (b"Rar!", Some("bot.rar"), "pack a .zip or .tar.gz"),
        (b"x", Some("bot.tar.xz"), "pack a .zip or .tar.gz"),
        (b"x", Some("../bot"), "`..`"),
        (b"x", Some("a/bot"), "no folder"),
        (b"x", Some("."), "no folder"),
        (b"x", Some("/bot"), "absolute"),
        (&[b'x'; 100_001], Some("bot"), "more than 100000B"),
    ] {
        let said = unpacked(bytes, name).map(|_| ()).unwrap_err();
        assert!(said.contains(why), "{name:?}: {said}");
    }
}

#[test]
fn a_zip_that_no_submission_may_be_is_refused() {
    let with_mode = |mode: u32| vec![Zipped { mode, ..zipped("link", "/etc/passwd") }];
    let with_method = |method: u16| vec![Zipped { method, ..zipped("bot.py", "x") }];
    let bomb = Zipped { method: 8, content: vec![0; 10_000_000], ..zipped("zeros", "") };
    let many: Vec<Zipped> = (0..21).map(|n| zipped(&format!("f{n}"), "x")).collect();
    let nested: Vec<Zipped> = (0..3).map(|n| zipped(&format!("{n}/1/2/3/4/5/6"), "")).collect();
    for (entries, why) in [
        (vec![zipped("/etc/passwd", "x")], "/etc/passwd: the path is absolute"),
        (vec![zipped("a/../../x", "x")], "may not have `..`"),
        (vec![zipped("..\\x", "x")], "backslash"),
        (vec![zipped("x\0.py", "x")], "control character"),
        (vec![Zipped { name: b"\xe4.py".into(), ..zipped("", "x") }], "not UTF-8"),
        (vec![zipped(&"n".repeat(256), "x")], "longer than 255 bytes"),
        (vec![zipped(&("d/".repeat(17) + "f"), "x")], "more than 16 folders deep"),
        (vec![zipped("", "x")], "a file without a name"),
        (with_mode(0o120_777), "link: it is a symbolic link"),
        (with_mode(0o010_644), "neither a file nor a folder"),
        (with_mode(0o020_644), "neither a file nor a folder"),
        (vec![zipped("a", "x"), zipped("a", "y")], "a: it occurs twice"),
        (vec![zipped("Bot.py", "x"), zipped("bot.py", "y")], "differs only in capitals"),
        (vec![zipped("A/x", "x"), zipped("a/y", "y")], "differs only in capitals"),
        (vec![zipped("a", "x"), zipped("a/b", "y")], "a: it occurs twice"),
        (vec![zipped("a/b", "x"), zipped("a", "y")], "a: it occurs twice"),
        (vec![Zipped { flags: 1, ..zipped("bot.py", "x") }], "without a password"),
        (with_method(12), "compressed by method 12"),
        (with_method(9), "compressed by method 9"),
        (vec![bomb], "more than 100000B when it is unpacked"),
        (many, "more than 20 files and folders"),
        (nested, "more than 20 files and folders"),
        (Vec::new(), "no file in the archive"),
        (vec![zipped("empty/", "")], "no file in the archive"),
    ] {
        let said = unpacked(&zip(&entries), Some("bot.zip")).map(|_| ()).unwrap_err();
        assert!(said.contains(why), "{why}: {said}");
    }
    // Entries with the content of another one, by headers that agree.
    let same = [zipped("aa", "content"), zipped("ab", "content")];
    let overlapping = zip_at(&same, |_| 0);
    // A header that says less than comes.
    let mut lying = zip(&[Zipped { method: 8, ..zipped("bot.py", &"x".repeat(99)) }]);
    let places: Vec<usize> =
        (0..lying.len() - 4).filter(|at| lying[*at..].starts_with(&[99, 0, 0, 0])).collect();
    for at in places {
        lying[at] = 5;
    }
    for (archive, why) in
        [(overlapping, "its entries overlap"), (lying, "bot.py: its content is damaged")]
    {
        let said = unpacked(&archive, None).map(|_| ()).unwrap_err();
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn a_tar_that_no_submission_may_be_is_refused() {
    let kind = |kind: EntryType| vec![tarred(kind, "thing", b"", 0o644)];
    let endless = vec![pax("comment=x"); 3000];
    let zeros = vec![0; 200_000];
    let long_name = vec![b'n'; 70_000];
    for (entries, why) in [
        (vec![file("/etc/passwd", "x")], "the path is absolute"),
        (vec![file("../x", "x")], "may not have `..`"),
        (vec![pax("path=../x"), file("x", "x")], "may not have `..`"),
        (
            vec![tarred(EntryType::GNULongName, "l", b"/x\0", 0), file("x", "x")],
            "the path is absolute",
        ),
        (kind(EntryType::Symlink), "thing: it is a symbolic link"),
        (kind(EntryType::Link), "thing: it is a hard link"),
        (kind(EntryType::Char), "a device or a pipe"),
        (kind(EntryType::Block), "a device or a pipe"),
        (kind(EntryType::Fifo), "a device or a pipe"),
        (kind(EntryType::GNUSparse), "a sparse file"),
        (kind(EntryType::new(b'V')), "neither a file nor a folder"),
        (vec![pax("GNU.sparse.size=9999999"), file("x", "x")], "a sparse file"),
        (vec![pax("size=1"), file("x", "x")], "its size in its attributes"),
        (vec![tarred(EntryType::XHeader, "x", b"99 path=x\n", 0)], "cannot be read"),
        (vec![tarred(EntryType::GNULongName, "l", &long_name, 0)], "too long"),
        (vec![tarred(EntryType::Regular, "zeros", &zeros, 0o644)], "more than 100000B"),
        (vec![tarred(EntryType::Directory, "d", b"", 0o755); 21], "more than 20 files"),
        (endless, "more than 100000B"),
        (vec![file("a", "x"), file("A", "x")], "differs only in capitals"),
        (vec![file("a", "x"), file("./a", "x")], "a: it occurs twice"),
        (Vec::new(), "neither a zip nor a tar"),
    ] {
        let archive = tar(&entries);
        for (bytes, name) in [(gzipped(&archive), "b.tar.gz"), (archive, "b.tar")] {
            let said = unpacked(&bytes, Some(name)).map(|_| ()).unwrap_err();
            let is_empty = entries.is_empty() && name == "b.tar.gz";
            let why = if is_empty { "no file in the archive" } else { why };
            assert!(said.contains(why), "{why}: {said}");
        }
    }
    // Also if it is skipped.
    for name in ["z", ".DS_Store"] {
        let large = tarred(EntryType::Regular, name, &vec![0; 10_000_000], 0o644);
        let bomb = gzipped(&tar(&[large]));
        assert!(unpacked(&bomb, None).is_err_and(|said| said.contains("more than 100000B")));
    }
}

#[test]
fn a_part_of_an_archive_is_refused() {
    let text = "some text\n".repeat(30);
    let tarred = tar(&[file("a", &text), file("b", &text)]);
    let mut zipped = [zipped("a", &text), zipped("b", &text)];
    zipped[1].method = 8;
    for (bytes, whole) in [(zip(&zipped), 0), (gzipped(&tarred), 0), (tarred, 1024)] {
        assert!(unpacked(&bytes, None).is_ok());
        for length in 0..bytes.len() - whole {
            let part = unpacked(&bytes[..length], Some("b.tar"));
            assert!(part.is_err(), "{length} of {} bytes", bytes.len());
        }
    }
}

/// Whatever one byte says: it is unpacked or refused, and nothing is written elsewhere.
#[test]
fn a_damaged_archive_is_unpacked_or_refused() {
    let mut entries = [zipped("d/a", "text"), zipped("d/b", "text")];
    entries[1].method = 8;
    let tarred = tar(&[pax("path=d/a"), file("x", "text")]);
    for bytes in [zip(&entries), gzipped(&tarred), tarred[..1600].to_vec()] {
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= [1, 0x80, 0xff][at % 3];
            let _ = unpacked(&damaged, Some("b.zip"));
        }
    }
}
