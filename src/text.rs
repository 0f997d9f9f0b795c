//! Text from outside arbiter (bots, file names, configurations, errors of parsers), made safe to show.
//!
//! Every such text goes through [`printable`], [`harmless`] or [`one_column`] before it reaches a terminal, a log, a table or
//! a report. Knows nothing of the rest of the crate.

mod word;

pub use word::Word;
pub(crate) use word::words;

use std::fmt::Write;

/// Untrusted bytes as text that is safe on a terminal, in a log, in a sentence and in the output of a CI workflow.
///
/// Printable ASCII and letters and digits of any script stay. Everything else, the backslash, and what would make a workflow
/// command (`::error::`, `##[error]`) become `\xHH`. After `most` bytes the text is cut and ends with `…`.
///
/// ```
/// use arbiter::text::printable;
/// assert_eq!(printable(b"move \x1b[2J\xff", 100), r"move \x1b[2J\xff");
/// assert_eq!(printable("naïve\u{202e}".as_bytes(), 100), r"naïve\xe2\x80\xae");
/// assert_eq!(printable(b"abcdef", 3), "abc…");
/// assert_eq!(printable(b"::error::a ##[group]", 100), r":\x3aerror::a ##\x5bgroup]");
/// ```
#[must_use]
pub fn printable(bytes: &[u8], most: usize) -> String {
    let mut text = String::new();
    for chunk in bytes[..bytes.len().min(most)].utf8_chunks() {
        for letter in chunk.valid().chars() {
            let plain = letter.is_alphanumeric() || (' '..='~').contains(&letter) && letter != '\\';
            if plain && !makes_command(&text, letter) {
                text.push(letter);
            } else {
                push_escaped(&mut text, letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        push_escaped(&mut text, chunk.invalid());
    }
    if bytes.len() > most {
        text.push('…');
    }
    text
}

/// A text of arbiter's own that may quote untrusted words, such as a path or the error of a parser, made safe to print.
///
/// Letters, digits, printable ASCII, line ends and the few other signs that arbiter itself writes stay; everything else
/// becomes `?`.
///
/// ```
/// use arbiter::text::harmless;
/// assert_eq!(harmless("a\u{1b}[2J: no such file…\n"), "a?[2J: no such file…\n");
/// assert_eq!(harmless("a\n ::set-output ##vso[task]"), "a\n :?set-output ##vso?task]");
/// ```
#[must_use]
pub fn harmless(text: &str) -> String {
    let stays =
        |c: char| c.is_alphanumeric() || (' '..='~').contains(&c) || matches!(c, '\n' | '…' | '│' | '←');
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        safe.push(if stays(letter) && !makes_command(&safe, letter) { letter } else { '?' });
    }
    safe
}

/// Whether `text` followed by `letter` would be read as a command by a CI workflow: `::` at the beginning of a line (GitHub),
/// or `##`, a word and `[` anywhere (GitHub, Azure, TeamCity).
#[must_use]
pub fn makes_command(text: &str, letter: char) -> bool {
    match letter {
        ':' => text.rsplit('\n').next().is_some_and(|line| line.trim_start() == ":"),
        '[' => text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).ends_with("##"),
        _ => false,
    }
}

/// A character of an untrusted text as one column of a terminal: tabs become a blank; control characters and characters that
/// change the direction of writing become U+FFFD.
///
/// ```
/// let shown: String = "a\tb\u{1b}\u{202e}".chars().map(arbiter::text::one_column).collect();
/// assert_eq!(shown, "a b\u{fffd}\u{fffd}");
/// ```
#[must_use]
pub fn one_column(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

fn push_escaped(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(text, "\\x{byte:02x}"); // writing to a String cannot fail
    }
}
