//! The syntax of a game log: tags, moves, comments, result. Knows no game: a move is a word here,
//! and a tag is a name with a value. `characters` has PGN's white space and line ends.
//!
//! ```
//! use arbiter_game::record::read_raw;
//! let log = b"[White \"conny\"]\n\n1. a2c4 {0.012345s} c0b1 2.h1h7 *\n";
//! let game = read_raw(log).next().unwrap().unwrap();
//! assert_eq!(game.tag("White").unwrap().value, "conny");
//! assert_eq!(game.moves[0].comments, ["0.012345s"]);
//! assert_eq!(game.moves[2].text, "h1h7");
//! ```

use super::characters::{
    MARK, ends_in_blank_line, is_space, is_tag_name_byte, line_ends, line_length,
    without_marks_at_end,
};
use super::escape::tag_letter;
use super::search::{Search, has_next_game, search};
use crate::GameResult;
use arbiter_rules::text::shortened;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::iter::FusedIterator;

/// Why a log cannot be read, without the name of the file.
///
/// ```
/// use arbiter_game::record::read_raw;
/// let error = read_raw(b"[White \"conny\"]\n\n1. a2c4\n(1. a2a4)").next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "line 4: game 1, ply 1: a game log has no variations");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: game {game}{}: {message}", comma_ply(*.ply))]
pub struct LogError {
    /// The line, from 1.
    pub line: usize,
    /// The game within the log, from 1.
    pub game: usize,
    /// The ply within the game, from 1, if the error is in one.
    pub ply: Option<usize>,
    /// Whether a tag of the game was read: without one, what is there may be no game.
    pub has_tags: bool,
    /// What is wrong; quotations in it are cut.
    pub message: String,
}

fn comma_ply(ply: Option<usize>) -> String {
    ply.map(|ply| format!(", ply {ply}")).unwrap_or_default()
}

/// A tag as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag<'a> {
    pub name: &'a str,
    /// The value, with `\"` and `\\` unescaped and control characters read as spaces.
    pub value: Cow<'a, str>,
    /// The line it begins on.
    pub line: usize,
}

/// A move as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawMove<'a> {
    /// The word, without move number and glyphs: printable ASCII.
    pub text: &'a str,
    pub line: usize,
    /// The comments after it, without braces and still escaped; bytes that are not UTF-8 are
    /// replaced.
    pub comments: Vec<Cow<'a, str>>,
}

/// One game of a log, its parts as they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawGame<'a> {
    /// The number of the game in the log, from 1.
    pub number: usize,
    /// The line of its first tag.
    pub line: usize,
    /// The tags in their order, no name twice.
    pub tags: Vec<Tag<'a>>,
    /// The comments between the last tag and the first move.
    pub before: Vec<Cow<'a, str>>,
    pub moves: Vec<RawMove<'a>>,
    /// The result after the moves.
    pub result: GameResult,
    /// The line of that result.
    pub result_line: usize,
}

impl RawGame<'_> {
    /// The tag of that name.
    pub fn tag(&self, name: &str) -> Option<&Tag<'_>> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// Whether this is the id of the game, or the id that its bots were sent.
    pub fn is_called(&self, id: &str) -> bool {
        self.tags.iter().any(|tag| matches!(tag.name, "GameId" | "SentId") && tag.value == id)
    }
}

/// Reads the games of a log one after the other, of any ruleset; see [`RawGames`].
pub fn read_raw(log: &[u8]) -> RawGames<'_> {
    RawGames::resumed(log, Place::BEGINNING)
}

/// A place in a log where a game begins, or where one is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The index of the next byte; 0 only at the beginning of the log.
    pub(super) at: usize,
    /// Its line, from 1.
    pub(super) line: usize,
    /// The number of games before it.
    pub(super) game: usize,
    /// Where the next game begins.
    pub(super) search: Search,
}

impl Place {
    /// The beginning of a log.
    pub(super) const BEGINNING: Place = Place { at: 0, line: 1, game: 0, search: Search::Here };
}

/// What [`RawGames::next_whole`] returns if more of the log can change the next game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unfinished;

/// The most bytes of a character in UTF-8. A message quotes the next character, so an error is sure
/// only if the log has these bytes.
const LOOKAHEAD: usize = 4;

/// The games of a log, each read when it is asked for. What cannot be read is an error; the next
/// item is the game that begins at the next tag `Event`, or at the next tag of any name if the
/// error is behind the game's tags.
#[derive(Debug, Clone)]
pub struct RawGames<'a> {
    log: &'a [u8],
    at: usize,
    /// The line that `at` is on.
    line: usize,
    /// The game that is being read, from 1.
    game: usize,
    search: Search,
    /// Whether a comment or a value had no end before that of the log.
    unclosed: bool,
    /// The names of this game's tags.
    seen: HashSet<&'a str>,
    /// What was read of the game that the error is in.
    cut: Option<RawGame<'a>>,
}

impl<'a> Iterator for RawGames<'a> {
    type Item = Result<RawGame<'a>, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.seek(true) {
            return None;
        }
        self.game += 1;
        // Where the game after an error is looked for, unless the code that finds the error knows
        // better and sets this anew.
        self.search = Search::AfterText;
        let game = self.read_game().transpose();
        if !matches!(game, Some(Err(_))) {
            self.search = Search::Here;
        }
        game
    }
}

impl FusedIterator for RawGames<'_> {}

impl<'a> RawGames<'a> {
    /// The games from a place on. The log may lack what is before the byte before that place.
    pub(super) fn resumed(log: &'a [u8], place: Place) -> RawGames<'a> {
        let Place { at, line, game, search } = place;
        let seen = HashSet::new();
        RawGames { log, at, line, game, search, unclosed: false, seen, cut: None }
    }

    /// The place after the last game.
    pub(super) fn place(&self) -> Place {
        Place { at: self.at, line: self.line, game: self.game, search: self.search }
    }

    /// Goes to where the next game begins, if the last one could not be read. False if this part of
    /// the log has no such place; if it is not the last part, the search goes on from
    /// [`place`](RawGames::place).
    pub(super) fn seek(&mut self, is_last: bool) -> bool {
        (self.at, self.search) = search(self.log, self.at, self.search, is_last, &mut self.line);
        self.search == Search::Here
    }

    /// The game that the error is in, up to the error, if it has moves or could have some.
    pub(super) fn cut(self) -> Option<RawGame<'a>> {
        self.cut
    }

    /// The line of the next game's first byte.
    pub(super) fn next_line(mut self) -> usize {
        self.skip_space();
        self.line
    }

    /// The place of the last line of this part of the log, which holds a game without an end.
    pub(super) fn last_line(mut self) -> Place {
        let end = match self.log.iter().rposition(|&byte| byte == b'\n') {
            Some(newline) => newline + 1,
            None => self.log.len(),
        };
        self.line += line_ends(&self.log[self.at.min(end)..end]);
        Place { at: end, line: self.line, game: self.game + 1, search: Search::AfterText }
    }

    /// What [`next`](Iterator::next) returns, unless bytes after this part of the log could change
    /// it.
    pub(super) fn next_whole(
        &mut self,
    ) -> Result<Option<Result<RawGame<'a>, LogError>>, Unfinished> {
        let game = self.next();
        if self.unclosed || self.at + LOOKAHEAD > self.log.len() {
            Err(Unfinished)
        } else {
            Ok(game)
        }
    }

    /// The next game; `None` at the end of the log.
    fn read_game(&mut self) -> Result<Option<RawGame<'a>>, LogError> {
        self.cut = None;
        let (tags, before) = self.read_head()?;
        let Some(line) = tags.first().map(|tag| tag.line) else { return Ok(None) };
        let mut game = RawGame {
            number: self.game,
            line,
            tags,
            before,
            moves: Vec::new(),
            result: GameResult::Unknown,
            result_line: 0,
        };
        if let Err(error) = self.read_moves(&mut game) {
            self.cut = Some(game);
            return Err(error);
        }
        Ok(Some(game))
    }

    /// Reads the moves and the result into the game.
    fn read_moves(&mut self, game: &mut RawGame<'a>) -> Result<(), LogError> {
        loop {
            // Where the last move ends: an end that is missing is missing here.
            let last_line = self.line;
            self.skip_space();
            match self.peek() {
                end @ (None | Some(b'[')) => {
                    // A `[` is probably the next game.
                    self.search = if end.is_some() { Search::Bracket } else { Search::AfterText };
                    let message = if end.is_none() && game.moves.is_empty() {
                        "the log ends in the tags of this game"
                    } else {
                        "the moves end without a result (1-0, 0-1, 1/2-1/2 or *)"
                    };
                    return Err(LogError { line: last_line, ..self.error(message) });
                }
                Some(b'{' | b';') => {
                    let comment = self.read_comment()?;
                    let comments = match game.moves.last_mut() {
                        Some(last) => &mut last.comments,
                        None => &mut game.before,
                    };
                    comments.push(comment);
                }
                Some(b'(' | b')') => {
                    let ply = Some(game.moves.len()).filter(|&ply| ply > 0);
                    return Err(LogError { ply, ..self.error("a game log has no variations") });
                }
                // A glyph, `$` and a number.
                Some(b'$') => {
                    self.at += 1;
                    if self.take_digits().is_empty() {
                        return Err(self.unexpected("expected a glyph's number after `$`"));
                    }
                }
                Some(b'0'..=b'9') if self.skip_number() => {}
                Some(_) => {
                    let line = self.line;
                    let ply = Some(game.moves.len() + 1);
                    let text = self.read_word().map_err(|error| LogError { ply, ..error })?;
                    if let Some(result) = GameResult::named(text) {
                        game.result = result;
                        game.result_line = line;
                        return Ok(());
                    }
                    game.moves.push(RawMove { text, line, comments: Vec::new() });
                }
            }
        }
    }

    /// The tags and the comments after the last of them; no tags at the end of the log. Comments
    /// between games and between tags belong to no ply and are dropped.
    fn read_head(&mut self) -> Result<(Vec<Tag<'a>>, Vec<Cow<'a, str>>), LogError> {
        let mut tags = Vec::new();
        let mut before = Vec::new();
        self.seen.clear();
        loop {
            self.skip_space();
            match self.peek() {
                Some(b'[') => {
                    before.clear();
                    // If the tag cannot be read, tags of this game may follow it.
                    self.search = Search::AfterTags;
                    let first = tags.first().map(|first: &Tag<'_>| first.name);
                    tags.push(self.read_tag(first)?);
                    self.search = Search::AfterText;
                }
                Some(b'{' | b';') => before.push(self.read_comment()?),
                // A log without a line end at its end was joined with another one.
                Some(_) if tags.is_empty() && self.log[self.at..].starts_with(MARK) => {
                    self.at += MARK.len()
                }
                Some(_) if tags.is_empty() => {
                    return Err(self.unexpected("expected a game's first tag"));
                }
                Some(_) | None => return Ok((tags, before)),
            }
        }
    }

    /// A tag, from its `[` on; `first` is the name of the game's first one.
    fn read_tag(&mut self, first: Option<&str>) -> Result<Tag<'a>, LogError> {
        let line = self.line;
        let bracket = self.at;
        self.at += 1;
        self.skip_space();
        let name = self.take_ascii(is_tag_name_byte);
        if name.is_empty() {
            return Err(self.unexpected("expected the name of a tag after `[`"));
        }
        let is_repeated = self.seen.contains(name);
        // Tags of a log that was cut, and another log behind it.
        let is_next_game =
            name == "Event" && first.is_some() && ends_in_blank_line(&self.log[..bracket]);
        if is_repeated || is_next_game {
            let error = if is_repeated {
                self.error(format_args!("the tag {name} is given twice"))
            } else {
                self.error("the game before this tag Event has no moves and no result")
            };
            if name == "Event" || Some(name) == first {
                // The moves of this game are missing, and another one begins here.
                self.unclosed = self.at + LOOKAHEAD > self.log.len();
                self.at = bracket;
                self.line = line;
                self.search = Search::Bracket;
            }
            return Err(error);
        }
        self.skip_space();
        if self.peek() != Some(b'"') {
            return Err(self.unexpected(format_args!("the tag {name} needs a value in quotes")));
        }
        let value = self.read_value(name)?;
        self.skip_space();
        if self.peek() != Some(b']') {
            return Err(self.unexpected(format_args!("the tag {name} is not closed by `]`")));
        }
        self.at += 1;
        self.seen.insert(name);
        Ok(Tag { name, value, line })
    }

    /// A tag's value, from its opening quote on; it ends on its line.
    fn read_value(&mut self, name: &str) -> Result<Cow<'a, str>, LogError> {
        self.at += 1;
        let rest = &self.log[self.at..];
        let mut length = 0;
        loop {
            match rest[length..] {
                [b'"', ..] => break,
                [] | [b'\n' | b'\r', ..] => {
                    self.unclosed = length == rest.len();
                    return Err(self.error(format_args!(
                        "the value of the tag {name} has no closing quote on its line"
                    )));
                }
                [b'\\', b'"' | b'\\', ..] => length += 2,
                _ => length += 1,
            }
        }
        let Ok(text) = std::str::from_utf8(&rest[..length]) else {
            return Err(self.error(format_args!("the value of the tag {name} is not UTF-8")));
        };
        self.at += length + 1;
        // Most values are borrowed.
        if !text.chars().any(|letter| letter == '\\' || tag_letter(letter) != letter) {
            return Ok(Cow::Borrowed(text));
        }
        let mut value = String::with_capacity(text.len());
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let escaped = if letter == '\\' {
                letters.next_if(|next| matches!(next, '"' | '\\'))
            } else {
                None
            };
            value.push(tag_letter(escaped.unwrap_or(letter)));
        }
        Ok(Cow::Owned(value))
    }

    /// A comment in braces, or one from `;` to the end of its line.
    fn read_comment(&mut self) -> Result<Cow<'a, str>, LogError> {
        let rest = &self.log[self.at + 1..];
        if self.peek() == Some(b';') {
            let length = line_length(rest);
            self.at += 1 + length;
            return Ok(String::from_utf8_lossy(&rest[..length]));
        }
        let end = rest.iter().position(|&byte| byte == b'}');
        let text = &rest[..end.unwrap_or(rest.len())];
        let has_game = has_next_game(text);
        if has_game || end.is_none() {
            // The next game shows that it has no end; otherwise the end may be in the next part of
            // the log.
            self.unclosed = !has_game;
            return Err(self.error("the comment that begins here is not closed by `}`"));
        }
        self.at += 1 + text.len() + 1;
        self.line += line_ends(text);
        Ok(String::from_utf8_lossy(text))
    }

    /// Skips a move number, if digits and a dot come next; white space may stand before the dot,
    /// and more dots may follow.
    fn skip_number(&mut self) -> bool {
        let at = self.at;
        let line = self.line;
        self.take_digits();
        self.skip_space();
        if self.peek() != Some(b'.') {
            // It is the beginning of a move or a result.
            self.at = at;
            self.line = line;
            return false;
        }
        while self.peek() == Some(b'.') {
            self.at += 1;
            self.skip_space();
        }
        true
    }

    /// A move or a result.
    fn read_word(&mut self) -> Result<&'a str, LogError> {
        if self.peek() == Some(b'*') {
            self.at += 1;
            return Ok(GameResult::Unknown.word());
        }
        let word =
            self.take_ascii(|byte| byte.is_ascii_graphic() && !b"{}()[]<>\"$%*.;".contains(&byte));
        if word.is_empty() {
            return Err(self.unexpected("expected a move or a result"));
        }
        Ok(word)
    }

    /// Skips white space, escape lines, which begin with `%`, byte order marks at the beginning of
    /// a line, where logs were joined, and the `^Z` with which old programs end a file.
    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => self.line += 1,
                b'\r' if self.log.get(self.at + 1) != Some(&b'\n') => self.line += 1,
                0x1a => {}
                _ if is_space(char::from(byte)) => {}
                _ if self.is_at_line_start() && self.log[self.at..].starts_with(MARK) => {
                    self.at += MARK.len() - 1;
                }
                b'%' if self.is_at_line_start() => {
                    self.at += line_length(&self.log[self.at..]);
                    continue;
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    /// Whether a line begins here, or its text after byte order marks.
    fn is_at_line_start(&self) -> bool {
        let before = without_marks_at_end(&self.log[..self.at]);
        matches!(before.last(), None | Some(b'\n' | b'\r'))
    }

    /// Takes the ASCII characters for which `wanted` holds.
    fn take_ascii(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let rest = &self.log[self.at..];
        let length = rest.iter().take_while(|&&byte| byte.is_ascii() && wanted(byte)).count();
        self.at += length;
        std::str::from_utf8(&rest[..length]).unwrap_or_default() // ASCII is UTF-8
    }

    fn take_digits(&mut self) -> &'a str {
        self.take_ascii(|byte| byte.is_ascii_digit())
    }

    fn peek(&self) -> Option<u8> {
        self.log.get(self.at).copied()
    }

    /// An error with the next character of the log.
    fn unexpected(&self, message: impl fmt::Display) -> LogError {
        let rest = &self.log[self.at..];
        let chunk = rest[..rest.len().min(LOOKAHEAD)].utf8_chunks().next();
        let letter = chunk.and_then(|chunk| chunk.valid().chars().next());
        let found = match (letter, rest.first()) {
            (_, None) => "the end of the log".to_owned(),
            (_, Some(b'\n' | b'\r')) => "the end of the line".to_owned(),
            (Some(letter), _) => format!("{letter:?}"),
            (None, Some(byte)) => format!("the byte 0x{byte:02x}, which is not UTF-8"),
        };
        self.error(format_args!("{message}, found {found}"))
    }

    fn error(&self, message: impl fmt::Display) -> LogError {
        let message = shortened(&message.to_string());
        LogError {
            line: self.line,
            game: self.game,
            ply: None,
            has_tags: !self.seen.is_empty(),
            message,
        }
    }
}
