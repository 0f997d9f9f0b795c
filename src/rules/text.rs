//! Text from outside arbiter (bots, file names, configurations, errors of parsers), made safe to
//! show.
//!
//! Every such text goes through one of three functions before it reaches a terminal, a log, a table
//! or a report: bytes through [`printable`], which keeps them readable as `\xHH`; a sentence of
//! arbiter's own that quotes something through [`harmless`]; what stands in columns through
//! [`one_column`]. Knows nothing of the rest of the crate.

mod base64;
mod interner;
mod message;
mod word;
mod wrap;

pub use crate::words;
pub use base64::base64;
pub use interner::Interner;
pub use message::Message;
pub use word::Word;
pub use wrap::{hanging, wrap};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use {serde, word::read_word};

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::str::Utf8Error;

/// Untrusted bytes as text that is safe on a terminal, in a log, in a sentence and in the output of
/// a CI workflow.
///
/// Text of every language stays as it is. Control characters, characters that change the direction
/// of writing or are invisible, bytes that are no UTF-8, and what would make a workflow command
/// (`::error::`, `##[error]`) become `\xHH`. The result of a result is the same, so text that
/// passes through several files is escaped once. After `most` bytes the text is cut and ends with
/// `…`.
///
/// ```
/// use arbiter_rules::text::printable;
/// assert_eq!(printable(b"move \x1b[2J\xff", 100), r"move \x1b[2J\xff");
/// assert_eq!(printable("naïve “小明” \u{202e}".as_bytes(), 100), r"naïve “小明” \xe2\x80\xae");
/// assert_eq!(printable("abcdé".as_bytes(), 5), "abcd…");
/// assert_eq!(printable(b"::error::a ##[group]", 100), r":\x3aerror::a ##\x5bgroup]");
/// ```
pub fn printable(bytes: &[u8], most: usize) -> String {
    let mut text = String::new();
    // Chunk by chunk: what is valid UTF-8, then the bytes after it that are not.
    let cut = bytes.len() > most;
    let mut chunks = bytes[..bytes.len().min(most)].utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        for letter in chunk.valid().chars() {
            if is_visible(letter) && !makes_command(&text, letter) {
                text.push(letter);
            } else {
                push_escaped(&mut text, letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        // A letter that the cut divides is left out.
        if !cut || chunks.peek().is_some() || str::from_utf8(chunk.invalid()).is_err_and(is_wrong) {
            push_escaped(&mut text, chunk.invalid());
        }
    }
    if cut {
        text.push('…');
    }
    text
}

/// Whether the bytes are more than the beginning of a letter.
fn is_wrong(error: Utf8Error) -> bool {
    error.error_len().is_some()
}

/// Whether a character shows itself and nothing else: it is neither a control character nor a line
/// end, does not change the direction of writing, and is not invisible. Spaces are visible, and so
/// are the joiners of Persian and Indic words.
pub fn is_visible(letter: char) -> bool {
    // U+FFFE, U+FFFF and the last two of every other plane are no characters.
    let is_character = letter as u32 & 0xfffe != 0xfffe;
    is_character && !letter.is_control() && !HIDDEN.iter().any(|range| range.contains(&letter))
}

/// Characters that change the direction of writing, end lines or are invisible (Unicode, general
/// categories Cf, Zl, Zp and Co), without the joiners U+200C and U+200D.
const HIDDEN: [RangeInclusive<char>; 16] = [
    '\u{ad}'..='\u{ad}',
    '\u{61c}'..='\u{61c}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200b}',
    '\u{200e}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{3164}'..='\u{3164}',
    '\u{e000}'..='\u{f8ff}',
    '\u{fdd0}'..='\u{fdef}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
    '\u{f0000}'..='\u{10ffff}',
];

/// A text of arbiter's own that may quote untrusted words, such as a path or the error of a parser,
/// made safe to print.
///
/// Visible characters and line ends stay; everything else becomes `?`.
///
/// ```
/// use arbiter_rules::text::harmless;
/// assert_eq!(harmless("a\u{1b}[2J: “é”: no such file…\n"), "a?[2J: “é”: no such file…\n");
/// assert_eq!(harmless("a\n ::set-output ##vso[task]"), "a\n :?set-output ##vso?task]");
/// ```
pub fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        let stays = is_visible(letter) || letter == '\n';
        safe.push(if stays && !makes_command(&safe, letter) { letter } else { '?' });
    }
    safe
}

/// Whether `text` followed by `letter` would be read as a command by a CI workflow: `::` at the
/// beginning of a line (GitHub), or `##`, a word and `[` anywhere (GitHub, Azure, TeamCity).
pub fn makes_command(text: &str, letter: char) -> bool {
    match letter {
        // Only the end is looked at: JSON is one line of many megabytes.
        ':' => text.strip_suffix(':').is_some_and(|before| {
            let before = before.trim_end_matches(|c: char| c.is_whitespace() && c != '\n');
            before.is_empty() || before.ends_with('\n')
        }),
        '[' => text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).ends_with("##"),
        _ => false,
    }
}

/// A message with what it quotes cut: of a word of more than 100 bytes the beginning and the end
/// stay, and of a message of more than 1,000 bytes as well.
///
/// ```
/// use arbiter_rules::text::shortened;
/// let said = format!("{:?} is no move: expected a square such as c3", "x".repeat(1000));
/// let message = shortened(&said);
/// assert!(message.starts_with("\"xxx"));
/// assert!(message.ends_with("x\" is no move: expected a square such as c3"));
/// assert_eq!(message.len(), 136);
/// ```
pub fn shortened(message: &str) -> String {
    // Moves and most paths are shorter; what bots send may have megabytes without a blank.
    let words: Vec<_> = message.split(' ').map(|word| cut_inside(word, 100, [80, 12])).collect();
    cut_inside(&words.join(" "), 1000, [700, 200]).into_owned()
}

/// A text of more than `most` bytes without its middle: so many bytes of its beginning and of its
/// end stay.
fn cut_inside(text: &str, most: usize, [head, tail]: [usize; 2]) -> Cow<'_, str> {
    if text.len() <= most {
        return text.into();
    }
    let head = text.floor_char_boundary(head);
    let tail = text.ceil_char_boundary(text.len() - tail);
    format!("{}…{}", &text[..head], &text[tail..]).into()
}

/// The most characters of a name that [`display_name`] returns.
pub const DISPLAY_NAME: usize = 40;

/// A name that a person chose, as it is shown beside the plain name of a bot: in one line, with a
/// question mark for each character that is not visible, and with `…` after [`DISPLAY_NAME`]
/// characters. `None` if nothing is left.
///
/// ```
/// use arbiter_rules::text::display_name;
/// assert_eq!(display_name(" Zoë\n  Ω\u{202e} ").unwrap(), "Zoë Ω?");
/// assert_eq!(display_name(&"x".repeat(10_000)).unwrap(), "x".repeat(40) + "…");
/// assert_eq!(display_name("\u{1b}\n\u{200b}"), None);
/// ```
pub fn display_name(text: &str) -> Option<String> {
    text.chars().find(|letter| is_visible(*letter) && !letter.is_whitespace())?;
    // A name of many lines, or with wide gaps, would move what stands beside it.
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = harmless(&words).chars().take(DISPLAY_NAME).collect();
    let cut = if words.chars().nth(DISPLAY_NAME).is_some() { "…" } else { "" };
    Some(shown + cut)
}

/// The lines of a text in one, for a cell or a note.
///
/// ```
/// use arbiter_rules::text::one_line;
/// let text = "its build failed\n  a.c:3: error\n\n  boom\n";
/// assert_eq!(one_line(text), "its build failed | a.c:3: error | boom");
/// ```
pub fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" | ")
}

/// A number of things, such as `1 game` and `2 games`.
pub fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// A character of an untrusted text as one column of a terminal: tabs become a blank; what is not
/// visible becomes U+FFFD.
///
/// ```
/// let shown: String = "a\tb\u{1b}\u{202e}".chars().map(arbiter_rules::text::one_column).collect();
/// assert_eq!(shown, "a b\u{fffd}\u{fffd}");
/// ```
pub fn one_column(c: char) -> char {
    match c {
        '\t' => ' ',
        c if is_visible(c) => c,
        _ => '\u{fffd}',
    }
}

/// Appends bytes as `\xHH`.
fn push_escaped(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(text, "\\x{byte:02x}"); // writing to a String cannot fail
    }
}
