//! The state machine behind [`read_heads`](super::read_heads): takes bytes, returns games.

use super::words::{MoveHash, without_numbers};
use super::{GameHead, HEAD_BYTES};
use crate::GameResult;
use crate::record::characters::{MARK, is_blank, is_tag_name_byte, without_marks_at_end};
use crate::record::search::NEXT_GAME;

/// The most bytes of a word, or of the name of a tag, that are kept; no result is as long.
const WORD_BYTES: usize = 256;

/// What the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ScanState {
    /// Tags, moves, and what is between them.
    #[default]
    Text,
    /// A comment in braces that began on this line; its last `matched` bytes begin [`NEXT_GAME`].
    Brace { began: usize, matched: usize },
    /// The rest of a line that is skipped.
    Line,
    /// A glyph's number.
    Glyph,
    /// A tag, from its `[` on this line on.
    Tag { began: usize, part: TagPart },
}

/// The parts of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagPart {
    Name,
    /// White space between name and value.
    Gap,
    Value,
    /// After a backslash.
    Escape,
    /// After a quote, which ends the value or is part of it.
    Closed {
        /// The number of bytes of the value if the quote ends it.
        length: usize,
        /// The line has ended since the quote.
        line_ended: bool,
    },
}

/// Reads games from bytes that come in parts of any size.
#[derive(Debug, Default)]
pub(super) struct HeadScanner {
    state: ScanState,
    /// The number of bytes of a byte order mark that this line has begun with; all of them after any
    /// other byte.
    mark: usize,
    line: usize,
    /// Whether the last byte was a CR.
    after_cr: bool,
    /// Whether the next byte is the first of its line.
    at_line_start: bool,
    /// Whether this line has anything but white space.
    line_has_text: bool,
    /// Whether the line before this one has nothing but white space.
    after_blank_line: bool,
    /// The depth of variations.
    depth: u32,
    word: Vec<u8>,
    /// Whether the game has moves, or text where moves can be.
    has_moves: bool,
    moves: MoveHash,
    name: String,
    value: Vec<u8>,
    head: GameHead,
    /// The number of tags before the last blank line.
    blank_at: Option<usize>,
    games: usize,
    /// The game that has ended. It changes places with `head`, so that both keep their memory.
    ended: GameHead,
    has_ended: bool,
}

impl HeadScanner {
    pub(super) fn new() -> HeadScanner {
        HeadScanner { line: 1, at_line_start: true, ..HeadScanner::default() }
    }

    /// Takes bytes up to the end of a game. Returns how many were taken, and the game.
    pub(super) fn scan(&mut self, bytes: &[u8]) -> (usize, Option<&GameHead>) {
        self.has_ended = false;
        let mut at = 0;
        while at < bytes.len() && !self.has_ended {
            if matches!(self.state, ScanState::Brace { matched: 0, .. }) && self.line_has_text {
                // Most of a log with comments is skipped here: before the line ends, a comment can
                // only be closed.
                let rest = &bytes[at..];
                let end = rest.iter().position(|byte| matches!(byte, b'}' | b'\n' | b'\r'));
                let skipped = end.unwrap_or(rest.len());
                if skipped > 0 {
                    self.after_cr = false;
                    self.at_line_start = false;
                    at += skipped;
                    continue;
                }
            }
            self.byte(bytes[at]);
            at += 1;
        }
        (at, self.has_ended.then_some(&self.ended))
    }

    /// The last game, at the end of the log.
    pub(super) fn finish(&mut self) -> Option<&GameHead> {
        self.has_ended = false;
        self.end_word();
        if !self.has_ended {
            match self.state {
                ScanState::Tag { began, part: TagPart::Closed { length, .. } } => {
                    self.end_tag(began, length)
                }
                ScanState::Tag { began, .. } => self.refuse_tag(began, "has no end"),
                ScanState::Brace { began, .. } => self.blame_comment(began),
                ScanState::Text | ScanState::Line | ScanState::Glyph => {}
            }
        }
        if !self.has_ended {
            self.end_game();
        }
        self.has_ended.then_some(&self.ended)
    }

    fn byte(&mut self, byte: u8) {
        if MARK.get(self.mark) == Some(&byte) {
            self.mark = (self.mark + 1) % MARK.len(); // another one may follow
            self.after_cr = false;
            return;
        }
        self.mark = if matches!(byte, b'\n' | b'\r') { 0 } else { MARK.len() };
        let was_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
        // The second byte of a line end.
        if was_cr && byte == b'\n' {
            return;
        }
        let byte = if byte == b'\r' { b'\n' } else { byte };
        let is_first = std::mem::replace(&mut self.at_line_start, byte == b'\n');
        match self.state {
            ScanState::Text => self.text(byte, is_first),
            ScanState::Line if byte == b'\n' => self.state = ScanState::Text,
            ScanState::Line => {}
            ScanState::Glyph if byte.is_ascii_digit() => {}
            ScanState::Glyph => {
                self.state = ScanState::Text;
                self.text(byte, is_first);
            }
            ScanState::Brace { began, matched } => self.brace(byte, is_first, began, matched),
            ScanState::Tag { began, part } => self.tag(byte, is_first, began, part),
        }
        if byte == b'\n' {
            self.line += 1;
            self.after_blank_line = !self.line_has_text;
            if self.after_blank_line && !self.head.is_empty() {
                self.blank_at = Some(self.head.tags.len());
            }
            self.line_has_text = false;
        } else {
            self.line_has_text |= !is_blank(byte);
        }
    }

    /// A byte outside comments and tags.
    fn text(&mut self, byte: u8, is_first: bool) {
        match byte {
            b'%' if is_first => self.state = ScanState::Line,
            b'{' | b';' | b'(' | b')' | b'[' | b']' | b'}' | b'$' | b'*' => {
                self.end_word();
                self.sign(byte, is_first);
            }
            _ if is_blank(byte) => self.end_word(),
            _ if self.word.len() < WORD_BYTES => self.word.push(byte),
            _ => {}
        }
    }

    fn sign(&mut self, byte: u8, is_first: bool) {
        match byte {
            b'{' => self.state = ScanState::Brace { began: self.line, matched: 0 },
            b';' => self.state = ScanState::Line,
            b'(' => self.depth = self.depth.saturating_add(1),
            b')' => self.depth = self.depth.saturating_sub(1),
            b'$' => self.state = ScanState::Glyph,
            b'*' if self.depth == 0 => self.take_word(b"*"),
            // A `[` in a variation is text, unless a line begins with it.
            b'[' if self.depth == 0 || is_first => {
                if self.has_moves {
                    self.end_game();
                }
                self.depth = 0;
                self.begin_tag(self.line, TagPart::Name);
            }
            _ => {}
        }
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if self.depth == 0 && !word.is_empty() {
            self.take_word(&word);
        }
        self.word = word;
        self.word.clear();
    }

    fn take_word(&mut self, word: &[u8]) {
        // A log without a line end at its end was joined with another one.
        let word = without_marks_at_end(word);
        if word.is_empty() {
            return;
        }
        if self.head.is_empty() {
            self.head.line = self.line;
            self.head.blame(self.line, "there are no tags before this".to_owned());
        }
        let result = std::str::from_utf8(without_numbers(word)).ok().and_then(GameResult::named);
        // Before any tag, a `*` may be a sign of a text around the games.
        if result.is_some() && !self.head.tags.is_empty() {
            self.head.result = result;
            self.end_game();
        } else {
            self.has_moves = true;
            self.moves.add(word);
        }
    }

    /// A byte of a comment in braces.
    fn brace(&mut self, byte: u8, is_first: bool, began: usize, matched: usize) {
        if byte == b'}' {
            self.state = ScanState::Text;
            return;
        }
        let begins = is_first && self.after_blank_line;
        let matched =
            if (matched > 0 || begins) && byte == NEXT_GAME[matched] { matched + 1 } else { 0 };
        if matched < NEXT_GAME.len() {
            self.state = ScanState::Brace { began, matched };
            return;
        }
        // What came last is the beginning of the next game's tag.
        self.blame_comment(began);
        self.end_game();
        self.depth = 0;
        self.begin_tag(self.line, TagPart::Value);
        self.name.push_str("Event");
    }

    fn blame_comment(&mut self, began: usize) {
        if !self.head.is_empty() {
            let fault = "the comment that begins here is not closed by `}`";
            self.head.blame(began, fault.to_owned());
        }
    }

    fn begin_tag(&mut self, began: usize, part: TagPart) {
        self.name.clear();
        self.value.clear();
        self.state = ScanState::Tag { began, part };
    }

    /// A byte of a tag.
    fn tag(&mut self, byte: u8, is_first: bool, began: usize, part: TagPart) {
        let part = match (part, byte) {
            (TagPart::Name, _) if is_tag_name_byte(byte) => {
                if self.name.len() < WORD_BYTES {
                    self.name.push(char::from(byte));
                }
                TagPart::Name
            }
            (TagPart::Name | TagPart::Gap, b'"') if !self.name.is_empty() => TagPart::Value,
            (TagPart::Name, _) if is_blank(byte) && self.name.is_empty() => TagPart::Name,
            (TagPart::Name | TagPart::Gap, _) if is_blank(byte) => TagPart::Gap,
            (TagPart::Name | TagPart::Gap, _) => {
                self.refuse_tag(began, "needs a value in quotes");
                if byte != b']' {
                    self.state = ScanState::Line;
                }
                return;
            }
            (TagPart::Value | TagPart::Escape, b'\n') => {
                self.refuse_tag(began, "has no closing quote on its line");
                return;
            }
            (TagPart::Escape, b'"' | b'\\') => self.keep(byte),
            (TagPart::Escape, _) => {
                self.keep(b'\\');
                self.keep(byte)
            }
            (TagPart::Closed { length, .. }, b']') => {
                self.end_tag(began, length);
                return;
            }
            (TagPart::Closed { length, line_ended }, _) if is_blank(byte) => {
                self.keep(byte);
                TagPart::Closed { length, line_ended: line_ended || byte == b'\n' }
            }
            (TagPart::Closed { length, line_ended: true }, _) => {
                // The `]` is missing.
                self.end_tag(began, length);
                self.text(byte, is_first);
                return;
            }
            // Behind a quote that has not ended the value, the value goes on.
            (TagPart::Value | TagPart::Closed { .. }, b'"') => {
                let length = self.value.len();
                self.keep(b'"');
                TagPart::Closed { length, line_ended: false }
            }
            (TagPart::Value | TagPart::Closed { .. }, b'\\') => TagPart::Escape,
            (TagPart::Value | TagPart::Closed { .. }, _) => self.keep(byte),
        };
        self.state = ScanState::Tag { began, part };
    }

    /// Adds a byte to the value, if there is room.
    fn keep(&mut self, byte: u8) -> TagPart {
        if self.value.len() <= HEAD_BYTES {
            self.value.push(byte);
        }
        TagPart::Value
    }

    /// Ends a tag whose value has so many bytes.
    fn end_tag(&mut self, began: usize, length: usize) {
        self.state = ScanState::Text;
        self.value.truncate(length);
        // The name was given before the last blank line: the tags since then are another game's.
        if let Some(index) = self.blank_at
            && self.head.has(&self.name, index)
        {
            let next = self.head.split_off(index);
            self.end_game();
            self.head = next;
        }
        self.head.push(began, &self.name, &self.value);
    }

    fn refuse_tag(&mut self, began: usize, what: &str) {
        self.state = ScanState::Text;
        if self.head.is_empty() {
            self.head.line = began;
        }
        let name = &self.name;
        let fault = if name.is_empty() {
            "a tag has no name".to_owned()
        } else {
            format!("the tag {name} {what}")
        };
        self.head.blame(began, fault);
    }

    /// Ends the game, if one has begun.
    fn end_game(&mut self) {
        if self.head.is_empty() {
            return;
        }
        self.games += 1;
        self.head.number = self.games;
        self.head.moves = self.moves.take();
        std::mem::swap(&mut self.head, &mut self.ended);
        self.head.clear();
        self.has_ended = true;
        self.has_moves = false;
        self.blank_at = None;
    }
}
