//! Reads tags and results of any program's logs and skips the moves: no text stops the reading.
//!
//! The reader of arbiter's own logs is [`pgn`](super::pgn): it keeps every part of a game, so it
//! needs the whole game in memory, and refuses what is no part of a game log. This one takes a byte
//! at a time and keeps only the tags.
//!
//! A game ends after the result that follows its moves, or before the tag that follows them. Tags
//! that no moves follow are a game of tags only: it ends at the last blank line before a tag that
//! stands before that line too. Skipped are comments, variations, glyphs, lines that begin with
//! `%`, and moves, of which only a hash is kept. A comment that is not closed ends where a line
//! after a blank line begins with `[Event "`.

mod scanner;
mod words;

use super::escape::tag_letter;
use crate::GameResult;
use scanner::HeadScanner;
use std::io::{self, Read};

/// The number of bytes that are read at a time.
const BLOCK: usize = 1 << 16;

/// The most bytes of names and values that are kept of one game's tags, and the most tags: far more
/// than any program writes. They bound memory, and time, because each tag is compared with all
/// before it.
const HEAD_BYTES: usize = 1 << 20;
const HEAD_TAGS: usize = 1000;

/// Tags and result of one game. If a tag is given twice, the first one is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameHead {
    /// The number of the game in the log, from 1.
    pub number: usize,
    /// The line of its first tag, from 1; without tags that of its first move.
    pub line: usize,
    /// Names and values of all tags.
    text: String,
    tags: Vec<TagPlace>,
    /// The result after the moves, if there is one.
    pub result: Option<GameResult>,
    /// A hash of the moves as they are written, without comments, variations, glyphs and move
    /// numbers, and their number; `None` without moves. The hash is stable only within one run of
    /// the program.
    pub moves: Option<(u64, u64)>,
    /// The first thing in the game that is no part of a log and its line, if there is one.
    pub fault: Option<(usize, String)>,
}

/// Where a tag is in the text of a head: the value follows the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TagPlace {
    line: usize,
    name: usize,
    value: usize,
    end: usize,
}

impl GameHead {
    /// The value of the tag of that name, control characters read as spaces. A value that is not
    /// UTF-8 is read as Latin-1.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|tag| self.name(tag) == name)?;
        Some(&self.text[tag.value..tag.end])
    }

    fn is_empty(&self) -> bool {
        self.line == 0
    }

    fn name(&self, tag: &TagPlace) -> &str {
        &self.text[tag.name..tag.value]
    }

    /// Whether one of the first `count` tags has the name.
    fn has(&self, name: &str, count: usize) -> bool {
        self.tags.iter().take(count).any(|tag| self.name(tag) == name)
    }

    /// Adds a tag, if it is new and there is room.
    fn push(&mut self, line: usize, name: &str, value: &[u8]) {
        if self.is_empty() {
            self.line = line;
        }
        // Other programs' logs may give a tag twice, and that is no fault of the game.
        if self.has(name, HEAD_TAGS) {
            return;
        }
        if self.tags.len() == HEAD_TAGS || self.text.len() + name.len() + value.len() > HEAD_BYTES {
            return self.blame(line, "the game has too many tags".to_owned());
        }
        let start = self.text.len();
        self.text.push_str(name);
        let middle = self.text.len();
        // Old programs write Latin-1, whose bytes are the first 256 characters.
        match std::str::from_utf8(value) {
            Ok(value) => self.text.extend(value.chars().map(tag_letter)),
            Err(_) => self.text.extend(value.iter().map(|&byte| tag_letter(char::from(byte)))),
        }
        self.tags.push(TagPlace { line, name: start, value: middle, end: self.text.len() });
    }

    /// Moves the tags from an index on into a head of their own.
    fn split_off(&mut self, index: usize) -> GameHead {
        let mut head = GameHead::default();
        for tag in self.tags.split_off(index) {
            head.push(tag.line, self.name(&tag), &self.text.as_bytes()[tag.value..tag.end]);
        }
        head
    }

    /// Remembers the first fault.
    fn blame(&mut self, line: usize, what: String) {
        self.fault.get_or_insert((line, what));
    }

    /// Forgets the game and keeps the memory for the next one.
    fn clear(&mut self) {
        self.text.clear();
        self.tags.clear();
        self.line = 0;
        self.result = None;
        self.moves = None;
        self.fault = None;
    }
}

/// Reads tags and results of the games of a log from a stream, and calls `each` for one after the
/// other. Any bytes are read: what is no game has no tags or no result. Memory does not grow with
/// the log or a game.
///
/// # Errors
/// The stream cannot be read, or `each` has returned an error.
///
/// ```
/// use arbiter_game::GameResult;
/// use arbiter_game::record::read_heads;
/// let log = b"[White \"Jos\xe9\"]\n[Black \"randy\"]\n\n1. e4 (1. d4 *) e5 $1 1/2-1/2\n";
/// let mut count = 0;
/// read_heads(&log[..], |game| {
///     assert_eq!(game.tag("White"), Some("José"));
///     assert_eq!(game.result, Some(GameResult::Draw));
///     count += 1;
///     Ok::<_, std::io::Error>(())
/// })?;
/// assert_eq!(count, 1);
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn read_heads<E: From<io::Error>>(
    mut source: impl Read,
    mut each: impl FnMut(&GameHead) -> Result<(), E>,
) -> Result<(), E> {
    let mut scanner = HeadScanner::new();
    let mut block = vec![0; BLOCK];
    loop {
        let count = match source.read(&mut block) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        let mut rest = &block[..count];
        while !rest.is_empty() {
            let (used, game) = scanner.scan(rest);
            if let Some(game) = game {
                each(game)?;
            }
            rest = &rest[used..];
        }
    }
    if let Some(game) = scanner.finish() {
        each(game)?;
    }
    Ok(())
}
