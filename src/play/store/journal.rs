//! The journal of a tournament: a head, then a line for each finished game. Each line has a
//! checksum and is on disk before the run uses it. It is the only file that continuing needs; all
//! others are computed from it (docs/reference/gamelog.md, Journal).
//!
//! A line is `{"sum":"…","entry":{…}}`, the sum being the first eight bytes of the SHA-256 of the
//! entry's own text. A crash can leave an incomplete tail: [`Journal::remove_incomplete_tail`]
//! removes it, since no later game depends on it. A bad line with anything after it is damage of
//! another kind: it is an error, and the file is not changed.

pub use super::journal_error::JournalError;

use super::replace::path_beside;
use arbiter_cup::tournament::{JOURNAL_VERSION, JournalEntry, JournalHead, RecordedGame};
use arbiter_game::content::hex;
use arbiter_host::files::{self, PositionReader, identity};
use arbiter_rules::text::printable;
use rustix::fs::{CWD, OFlags};
use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line, in bytes.
pub(super) const LINE_BYTES: u64 = 256 << 20;

/// How every line begins.
const SUM_BEGINS: &[u8] = br#"{"sum":""#;

/// How the line of a game begins, with any sum.
const GAME_BEGINS: &[u8] = br#"{"sum":"0123456789abcdef","entry":{"type":"game""#;

/// Where the sum ends in it.
const SUM_ENDS: usize = 24;

/// An open journal, read-only or for appending.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Where the next line begins, and how many lines there are before.
    length: u64,
    lines: usize,
    /// The number of bytes of an incomplete tail, as it was opened.
    torn: u64,
}

impl Journal {
    /// Creates a journal, or opens one to continue it: locks it, and calls `each` with the position
    /// and content of every entry. Call [`remove_incomplete_tail`](Journal::remove_incomplete_tail)
    /// before the first [`append`](Journal::append).
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn open(path: &Path, each: impl FnMut(u64, JournalEntry)) -> Result<Journal, JournalError> {
        let file = open_file(path, OFlags::RDWR | OFlags::APPEND | OFlags::CREATE)?;
        lock(&file, path)?;
        // Who held the lock may have put the folder away.
        match (file.metadata(), fs::metadata(path)) {
            (Ok(locked), Ok(there)) if identity(&locked) == identity(&there) => {
                Journal::scan(file, path, each)
            }
            _ => Err(JournalError::Busy(path.to_owned())),
        }
    }

    /// Removes an incomplete tail, and syncs the file and its folder to disk.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn remove_incomplete_tail(&self) -> Result<(), JournalError> {
        self.io(self.file.set_len(self.length))?;
        self.io(self.file.sync_all())?;
        if let Some(folder) = self.path.parent() {
            let folder = self.io(File::open(folder))?;
            self.io(folder.sync_all())?;
        }
        Ok(())
    }

    /// Closes the file to users outside its group: it has the secret key, from which aliases and
    /// links follow, or will have it. A user who opens the file before that can read the key later.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn close_to_others(&self) -> Result<(), JournalError> {
        self.io(close_to_others(&self.file))
    }

    /// Opens a journal for reading, without a lock: another process may be appending to it.
    ///
    /// # Errors
    /// [`JournalError`], except [`JournalError::Busy`].
    pub fn read_only(
        path: &Path,
        each: impl FnMut(u64, JournalEntry),
    ) -> Result<Journal, JournalError> {
        let file = open_file(path, OFlags::empty())?;
        Journal::scan(file, path, each)
    }

    fn scan(
        file: File,
        path: &Path,
        each: impl FnMut(u64, JournalEntry),
    ) -> Result<Journal, JournalError> {
        let mut journal = Journal { file, path: path.to_owned(), length: 0, lines: 0, torn: 0 };
        journal.torn = journal.read_on(each)?;
        // A single line that begins like a head is an incomplete head; any other text is not a
        // journal.
        if journal.length == 0 && journal.torn > 0 && !journal.begins_with_part_of_head() {
            return Err(JournalError::Foreign(path.to_owned()));
        }
        Ok(journal)
    }

    /// The number of bytes of an incomplete tail, as it was opened.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The same journal for reading on from here.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn reader(&self) -> Result<Journal, JournalError> {
        let file = self.io(self.file.try_clone())?;
        Ok(Journal { file, path: self.path.clone(), ..*self })
    }

    /// Reads the entries that come after those that were read, as another process appends them, and
    /// calls `each` with the position and content of each. Returns the number of bytes of an
    /// incomplete tail.
    ///
    /// # Errors
    /// [`JournalError`], except [`JournalError::Busy`].
    pub fn read_on(
        &mut self,
        mut each: impl FnMut(u64, JournalEntry),
    ) -> Result<u64, JournalError> {
        let mut reader = BufReader::new(PositionReader { file: &self.file, place: self.length });
        let mut length = self.length;
        let mut number = self.lines;
        let mut torn = 0;
        let mut line = Vec::new();
        let mut lines = self.lines;
        let mut bad = None;
        let path = &self.path;
        loop {
            line.clear();
            let count =
                self.io(reader.by_ref().take(LINE_BYTES + 1).read_until(b'\n', &mut line))? as u64;
            if count == 0 {
                break;
            }
            number += 1;
            if let Some(bad) = bad {
                let lost = self.games_after_line(length);
                return Err(JournalError::Damaged { path: path.clone(), line: bad, lost });
            }
            if count > LINE_BYTES {
                return Err(JournalError::TooLong { path: path.clone(), line: number });
            }
            let Some(text) = line.strip_suffix(b"\n") else {
                // Another process may be writing the rest at this moment: it is read next time.
                torn += count;
                break;
            };
            let Some(text) = entry_text(text) else {
                if number == 1 && !text.starts_with(SUM_BEGINS) {
                    return Err(JournalError::Foreign(path.clone()));
                }
                // After a crash a file system may leave the last line with other content, and no
                // more than that line.
                bad = Some(number);
                torn += count;
                continue;
            };
            // The first entry is a head; a newer program may have added others.
            if number == 1 || text.starts_with(r#"{"type":"head""#) {
                self.check_version(text)?;
            }
            match serde_json::from_str(text) {
                Ok(JournalEntry::Game(_) | JournalEntry::Run(_)) if number == 1 => {
                    return Err(JournalError::Foreign(path.clone()));
                }
                Ok(entry) => each(length, entry),
                Err(error) => {
                    let why = printable(error.to_string().as_bytes(), 200);
                    let lost = self.games_after_line(length);
                    let path = path.clone();
                    return Err(JournalError::Unknown { path, line: number, lost, why });
                }
            }
            length += count;
            lines = number;
        }
        (self.length, self.lines) = (length, lines);
        Ok(torn)
    }

    /// The number of games after the line that begins at this position. Lines are not checked: what
    /// is counted is lost with them, whether they are damaged or not. A line that is too long ends
    /// the count, because a file may have holes of any length.
    fn games_after_line(&self, place: u64) -> u64 {
        let mut reader = BufReader::new(PositionReader { file: &self.file, place });
        let mut games = 0;
        let mut begin = Vec::new();
        loop {
            // The rest of the line before is left out; a line may end within its beginning.
            if !begin.ends_with(b"\n") {
                let skipped = reader.by_ref().take(LINE_BYTES).skip_until(b'\n');
                if !skipped.is_ok_and(|count| (count as u64) < LINE_BYTES) {
                    return games;
                }
            }
            begin.clear();
            let read = reader.by_ref().take(GAME_BEGINS.len() as u64).read_until(b'\n', &mut begin);
            if !read.is_ok_and(|count| count > 0) {
                return games;
            }
            games += u64::from(begin.ends_with(&GAME_BEGINS[SUM_ENDS..]));
        }
    }

    /// Whether the path leads to another journal now, or what was read is no more in it.
    pub fn is_replaced(&self) -> bool {
        let (Ok(own), Ok(there)) = (self.file.metadata(), fs::metadata(&self.path)) else {
            return false;
        };
        identity(&own) != identity(&there) || there.len() < self.length
    }

    /// Whether the file, all of which is an incomplete tail, is one line that begins as an
    /// interrupted write of a head does.
    fn begins_with_part_of_head(&self) -> bool {
        let mut line = Vec::new();
        let mut reader = BufReader::new(PositionReader { file: &self.file, place: 0 });
        let read = reader.by_ref().take(LINE_BYTES + 1).read_until(b'\n', &mut line);
        let head = &line[..line.len().min(SUM_BEGINS.len())];
        read.is_ok_and(|count| count as u64 == self.torn) && SUM_BEGINS.starts_with(head)
    }

    fn check_version(&self, head: &str) -> Result<(), JournalError> {
        #[derive(Deserialize)]
        struct Peek {
            v: Option<u64>,
        }
        let path = self.path.clone();
        let Ok(Peek { v: Some(found) }) = serde_json::from_str(head) else {
            return Err(JournalError::Foreign(path));
        };
        match found.cmp(&u64::from(JOURNAL_VERSION)) {
            Ordering::Greater => Err(JournalError::Newer { path, found }),
            Ordering::Less => Err(JournalError::Older { path, found }),
            Ordering::Equal => Ok(()),
        }
    }

    /// Writes an entry, syncs it to disk, and returns its position in the file.
    ///
    /// # Errors
    /// [`JournalError::Io`]; a partly written entry is removed, so that the journal ends as before.
    pub fn append(&mut self, entry: &JournalEntry) -> Result<u64, JournalError> {
        self.write(entry, File::sync_data)
    }

    /// Writes an entry without syncing it, for a journal that no one relies on before
    /// [`put_in_place`].
    ///
    /// # Errors
    /// As for [`append`](Journal::append).
    ///
    /// [`put_in_place`]: Journal::put_in_place
    pub fn append_unsynced(&mut self, entry: &JournalEntry) -> Result<u64, JournalError> {
        self.write(entry, |_| Ok(()))
    }

    fn write(
        &mut self,
        entry: &JournalEntry,
        sync: impl Fn(&File) -> io::Result<()>,
    ) -> Result<u64, JournalError> {
        let line = self.io(line(entry))?;
        if line.len() as u64 > LINE_BYTES {
            return self.io(Err(io::Error::other(format!(
                "an entry is longer than {} MiB",
                LINE_BYTES >> 20
            ))));
        }
        self.io(hide_key(&self.file, entry))?;
        let written = self.file.write_all(line.as_bytes()).and_then(|()| sync(&self.file));
        if let Err(error) = written {
            // If this fails too, the next opening finds an incomplete tail.
            let _ = self.file.set_len(self.length);
            return Err(JournalError::Io { path: self.path.clone(), error });
        }
        let place = self.length;
        self.length += line.len() as u64;
        self.lines += 1;
        Ok(place)
    }

    /// Begins an empty journal beside the one of this path, to take its place.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn beside(target: &Path) -> Result<Journal, JournalError> {
        let path = path_beside(target);
        let mut journal = Journal::open(&path, |_, _| {})?;
        // One that an interrupted process has left.
        journal.io(journal.file.set_len(0))?;
        (journal.length, journal.lines) = (0, 0);
        Ok(journal)
    }

    /// Syncs a journal and gives it this path, in the same folder; what was there is replaced.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn put_in_place(&mut self, target: &Path) -> Result<(), JournalError> {
        let renamed = self.file.sync_all().and_then(|()| fs::rename(&self.path, target));
        if renamed.is_err() {
            self.remove();
        }
        self.io(renamed)?;
        self.path = target.to_owned();
        self.remove_incomplete_tail() // also syncs the folder
    }

    /// Removes the file. It is for a journal that was begun [`beside`](Journal::beside) another and
    /// cannot be written whole: the room is needed for others.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.path); // what is left is emptied by the next one
    }

    /// Writes a file with this head alone, unless there is a file of this name already; whether it
    /// was written. The file appears at once with its content.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn write_head_once(path: &Path, head: &JournalHead) -> Result<bool, JournalError> {
        let failed = |error| JournalError::Io { path: path.to_owned(), error };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let beside = folder.unwrap_or(Path::new(".")).join(unique_name().map_err(failed)?);
        let entry = JournalEntry::Head(head.clone());
        let written = write_and_link(&beside, path, &entry);
        let _ = fs::remove_file(&beside); // it is only left behind
        written.map_err(failed)
    }

    /// Reads the game at a position that [`append`](Journal::append) or [`open`](Journal::open)
    /// gave.
    ///
    /// # Errors
    /// [`JournalError::Io`], and [`JournalError::Foreign`] if there is no game at this position.
    pub fn game(&self, place: u64) -> Result<RecordedGame, JournalError> {
        let mut line = Vec::with_capacity(4096);
        let mut reader = BufReader::new(PositionReader { file: &self.file, place });
        self.io(reader.read_until(b'\n', &mut line))?;
        let entry = line.strip_suffix(b"\n").and_then(entry_text).map(serde_json::from_str);
        match entry {
            Some(Ok(JournalEntry::Game(game))) => Ok(game),
            _ => Err(JournalError::Foreign(self.path.clone())),
        }
    }

    fn io<T>(&self, result: io::Result<T>) -> Result<T, JournalError> {
        result.map_err(|error| JournalError::Io { path: self.path.clone(), error })
    }
}

/// Closes a file to users outside its group if this entry has the secret key.
fn hide_key(file: &File, entry: &JournalEntry) -> io::Result<()> {
    match entry {
        JournalEntry::Head(JournalHead { key: Some(_), .. }) => close_to_others(file),
        _ => Ok(()),
    }
}

fn close_to_others(file: &File) -> io::Result<()> {
    let mode = file.metadata()?.mode();
    if mode & 0o7 == 0 {
        return Ok(());
    }
    match file.set_permissions(Permissions::from_mode(mode & 0o770)) {
        // It belongs to another user of a group that shares the folder, who may go on with it.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        closed => closed,
    }
}

/// Writes a file and gives it this path as well, unless there is a file already; whether it did.
fn write_and_link(beside: &Path, path: &Path, entry: &JournalEntry) -> io::Result<bool> {
    let mut file = File::create_new(beside)?;
    hide_key(&file, entry)?;
    file.write_all(line(entry)?.as_bytes())?;
    file.sync_all()?;
    match fs::hard_link(beside, path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Opens a journal, with these flags.
fn open_file(path: &Path, flags: OFlags) -> Result<File, JournalError> {
    files::open_at(CWD, path, flags).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory => {
            JournalError::NoFile(path.to_owned())
        }
        _ => JournalError::Io { path: path.to_owned(), error },
    })
}

/// How long to wait for a lock. If the holder was killed, a process that it was starting keeps the
/// file, and with it the lock, until it execs.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// Locks the journal for as long as the file is open, so that no other process continues it.
fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if began.elapsed() < LOCK_TIMEOUT => {
                thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy(path.to_owned())),
            Err(TryLockError::Error(error)) => {
                return Err(JournalError::Io { path: path.to_owned(), error });
            }
        }
    }
}

/// The text of a line's entry; `None` if the checksum does not match.
fn entry_text(line: &[u8]) -> Option<&str> {
    #[derive(Deserialize)]
    struct JournalLine<'a> {
        sum: &'a str,
        #[serde(borrow)]
        entry: &'a RawValue,
    }
    let line: JournalLine<'_> = serde_json::from_slice(line).ok()?;
    (line.sum == sum(line.entry.get())).then_some(line.entry.get())
}

/// The line of an entry, with its newline.
fn line(entry: &JournalEntry) -> io::Result<String> {
    let text = serde_json::to_string(entry).map_err(io::Error::other)?;
    Ok(["{\"sum\":\"", &sum(&text), "\",\"entry\":", &text, "}\n"].concat())
}

/// The SHA-256 of the line of an entry, without its newline; `None` if the entry has no line.
pub fn line_sha256(entry: &JournalEntry) -> Option<[u8; 32]> {
    line(entry).ok().map(|line| Sha256::digest(line.trim_end_matches('\n').as_bytes()).into())
}

/// The name of a file that no other process uses, also on other machines that share the folder.
fn unique_name() -> io::Result<String> {
    let mut bytes = [0_u8; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!(".roster-{}.new", hex(&bytes)))
}

fn sum(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> JournalHead {
        JournalHead {
            rules: None,
            v: JOURNAL_VERSION,
            name: "cup".to_owned(),
            fingerprint: "f".to_owned(),
            config: String::new(),
            deciding: Vec::new(),
            roster: Vec::new(),
            numbers: None,
            absent: Vec::new(),
            keep_changed: false,
            shard: None,
            key: None,
            seeds: None,
            previous: None,
        }
    }

    fn game(number: u32) -> RecordedGame {
        let log = "[White \"a\"]\n\n1. \"x\" {é} *\n".to_owned();
        RecordedGame {
            id: format!("a~b.{number}"),
            attempt: 1,
            round: 1,
            pair: None,
            digests: ["0".to_owned(), "1".to_owned()],
            log,
            fault: None,
            stderr: String::new(),
            stderr_last: None,
        }
    }

    /// Writes a journal with a head and this number of games; returns the ends of its lines.
    fn written(path: &Path, games: u32) -> Vec<u64> {
        let mut journal = Journal::open(path, |_, _| {}).unwrap();
        journal.remove_incomplete_tail().unwrap();
        journal.append(&JournalEntry::Head(head())).unwrap();
        let mut ends = vec![journal.length];
        for number in 1..=games {
            journal.append(&JournalEntry::Game(game(number))).unwrap();
            ends.push(journal.length);
        }
        ends
    }

    fn ids(path: &Path) -> (Vec<String>, Journal) {
        let mut ids = Vec::new();
        let each = |_, entry| {
            if let JournalEntry::Game(game) = entry {
                ids.push(game.id)
            }
        };
        let opened = Journal::open(path, each).unwrap();
        (ids, opened)
    }

    #[test]
    fn what_was_written_is_read_back_wherever_it_is_torn() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.jsonl");
        let ends = written(&path, 3);
        let whole = fs::read(&path).unwrap();
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let (found, opened) = ids(&path);
            let lines = ends.iter().filter(|&&end| end <= cut as u64).count();
            assert_eq!(found.len(), lines.saturating_sub(1), "cut at {cut}");
            assert_eq!(opened.length > 0, lines > 0);
            assert_eq!(fs::metadata(&path).unwrap().len(), cut as u64, "opening changes nothing");
            opened.remove_incomplete_tail().unwrap();
            assert_eq!(fs::metadata(&path).unwrap().len(), opened.length, "the tail is cut");
        }
    }

    #[test]
    fn a_game_is_found_at_its_place_and_the_journal_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.jsonl");
        written(&path, 2);
        let mut places = Vec::new();
        let mut journal = Journal::open(&path, |place, _| places.push(place)).unwrap();
        assert_eq!(journal.game(places[2]).unwrap(), game(2));
        let place = journal.append(&JournalEntry::Game(game(3))).unwrap();
        assert_eq!(journal.game(place).unwrap(), game(3));
        drop(journal);
        assert_eq!(ids(&path).0, ["a~b.1", "a~b.2", "a~b.3"]);
    }

    #[test]
    fn damage_before_other_lines_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.jsonl");
        let ends = written(&path, 3);
        let mut bytes = fs::read(&path).unwrap();
        bytes[ends[0] as usize + 40] ^= 1;
        let good_after = bytes.clone();
        // No line after it is good: all games but those of the last line would be lost.
        for end in &ends[1..3] {
            bytes[*end as usize + 90] ^= 1;
        }
        let part_after = &bytes[..ends[1] as usize + 9];
        for (damaged, games) in [(&good_after[..], 2), (&bytes, 2), (part_after, 0)] {
            fs::write(&path, damaged).unwrap();
            let error = Journal::open(&path, |_, _| {}).unwrap_err();
            let is_told =
                matches!(error, JournalError::Damaged { line: 2, lost, .. } if lost == games);
            assert!(is_told, "{error}");
            assert_eq!(fs::read(&path).unwrap(), damaged);
        }
    }

    #[test]
    fn a_lock_another_version_and_another_file_are_different_errors() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.jsonl");
        let first = Journal::open(&path, |_, _| {}).unwrap();
        assert!(matches!(Journal::open(&path, |_, _| {}).unwrap_err(), JournalError::Busy(_)));
        drop(first);
        let newer = "{\"type\":\"head\",\"v\":1000,\"something\":\"new\"}";
        fs::write(&path, format!("{{\"sum\":\"{}\",\"entry\":{newer}}}\n", sum(newer))).unwrap();
        let too_new = Journal::open(&path, |_, _| {}).unwrap_err();
        assert!(matches!(too_new, JournalError::Newer { found: 1000, .. }), "{too_new}");
        let older = newer.replace("1000", "4");
        fs::write(&path, format!("{{\"sum\":\"{}\",\"entry\":{older}}}\n", sum(&older))).unwrap();
        let too_old = Journal::open(&path, |_, _| {}).unwrap_err();
        assert!(matches!(too_old, JournalError::Older { found: 4, .. }), "{too_old}");
        fs::remove_file(&path).unwrap();
        written(&path, 1);
        let whole = fs::read_to_string(&path).unwrap();
        for (entry, known) in [
            ("{\"type\":\"prize\"}", "unknown variant `prize`"),
            ("{\"type\":\"run\"}", "missing field `time`"),
        ] {
            let line = format!("{{\"sum\":\"{}\",\"entry\":{entry}}}\n", sum(entry));
            // At the end, and in front of another line.
            for text in [
                format!("{whole}{line}"),
                format!("{whole}{line}{}\n", whole.lines().last().unwrap()),
            ] {
                fs::write(&path, &text).unwrap();
                let error = Journal::open(&path, |_, _| {}).unwrap_err();
                assert!(
                    matches!(&error, JournalError::Unknown { line: 3, why, .. } if why.contains(known)),
                    "{error}"
                );
                assert!(!error.to_string().contains("damaged"), "{error}");
                assert_eq!(fs::read_to_string(&path).unwrap(), text);
            }
        }
        for text in ["a diary\n", "a diary", "one\ntwo\n"] {
            fs::write(&path, text).unwrap();
            let error = Journal::open(&path, |_, _| {}).unwrap_err();
            assert!(matches!(error, JournalError::Foreign(_)), "{text:?}: {error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
