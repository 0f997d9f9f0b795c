//! Errors in a file, shown as compilers show them: file, line, what would be right, the line itself
//! and a mark.

use arbiter_rules::text::one_column;
use std::fmt::{self, Write as _};
use std::ops::Range;

/// Maximum number of characters of a line that are shown; of a longer line the part around the mark
/// is shown.
const SHOWN: usize = 100;
/// Maximum number of errors that are shown.
const MOST: usize = 50;
/// Maximum number of errors of a sentence.
const IN_SENTENCE: usize = 3;
/// What stands in a sentence between a message and the line, which ends with a backtick.
const QUOTES: &str = "; the line is `";

/// An error in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and what would be right, in one line.
    pub message: String,
    /// The line's text as far as it is shown, and where in it the mark begins and how long it is,
    /// in characters.
    shown: String,
    mark: (usize, usize),
}

/// A text, with an index of its lines by byte.
pub(super) struct SourceText<'a> {
    pub(super) text: &'a str,
    /// Where each line begins.
    starts: Vec<usize>,
}

impl<'a> SourceText<'a> {
    pub(super) fn new(text: &'a str) -> SourceText<'a> {
        let mut starts = vec![0];
        for (at, _) in text.match_indices('\n') {
            // The end of the file belongs to its last line: the final newline begins no further
            // line.
            if at + 1 < text.len() {
                starts.push(at + 1);
            }
        }
        SourceText { text, starts }
    }

    /// The number of the line with this byte, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// The text of the line of this number.
    pub(super) fn line_text(&self, number: usize) -> &'a str {
        let rest = &self.text[self.starts[number - 1]..];
        rest.lines().next().unwrap_or_default().trim_end_matches('\r')
    }

    /// An error at these bytes.
    fn error(&self, place: &Range<usize>, message: &str) -> ConfigError {
        let start = self.text.floor_char_boundary(place.start);
        let number = self.line(start);
        let first = self.starts[number - 1];
        let line = self.line_text(number);
        let before = line[..line.floor_char_boundary(start - first)].chars().count();
        let end = line.floor_char_boundary(place.end.saturating_sub(first));
        let width = line[..end].chars().count().saturating_sub(before);
        // Of a long line a quarter of what is shown stands before the mark.
        let skipped = if before + width <= SHOWN { 0 } else { before.saturating_sub(SHOWN / 4) };
        let mark = before - skipped;
        ConfigError {
            line: number,
            message: message.chars().map(one_column).collect(),
            shown: line.chars().skip(skipped).take(SHOWN).map(one_column).collect(),
            // At the end of a line the place after it is marked.
            mark: (mark, width.min(SHOWN.saturating_sub(mark)).max(1)),
        }
    }
}

impl ConfigError {
    /// The message behind the file's name and the line, the line's text, and the mark under it.
    fn write(&self, f: &mut fmt::Formatter<'_>, file: &str) -> fmt::Result {
        let ConfigError { line, message, shown, mark } = self;
        let margin = " ".repeat(line.to_string().len());
        writeln!(f, "{file}:{line}: {message}")?;
        writeln!(f, " {line} | {}", shown.trim_end())?;
        write!(f, " {margin} | {}{}", " ".repeat(mark.0), "^".repeat(mark.1))
    }
}

/// All errors in a file, in the order of its lines; at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigErrors {
    errors: Vec<ConfigError>,
}

impl ConfigErrors {
    /// Errors at these bytes of the text, which are sorted here.
    pub(super) fn new(
        source: &SourceText<'_>,
        mut found: Vec<(Range<usize>, String)>,
    ) -> ConfigErrors {
        found.sort_by_key(|(place, _)| place.start);
        // Several checks may find the same mistake.
        found.dedup();
        let errors = found.iter().map(|(place, message)| source.error(place, message)).collect();
        ConfigErrors { errors }
    }

    /// The errors in order.
    pub fn errors(&self) -> &[ConfigError] {
        &self.errors
    }

    /// The first errors in one line, for tables and notes: each with its line, which is quoted.
    ///
    /// ```
    /// use arbiter_config::manifest;
    /// let errors = manifest::parse("command = 'sh bot.sh'\nmemory =\n").unwrap_err();
    /// let sentence = errors.sentence("bot.toml");
    /// assert!(sentence.starts_with("bot.toml, line 2: not TOML: "), "{sentence}");
    /// assert!(sentence.ends_with("; the line is `memory =`"), "{sentence}");
    /// ```
    pub fn sentence(&self, file: &str) -> String {
        let mut clauses = Vec::new();
        for ConfigError { line, message, shown, .. } in self.errors.iter().take(IN_SENTENCE) {
            clauses.push(match shown.trim() {
                "" => format!("line {line}: {message}"),
                shown => format!("line {line}: {message}{QUOTES}{shown}`"),
            });
        }
        if self.errors.len() > IN_SENTENCE {
            clauses.push(format!("and {} more", self.errors.len() - IN_SENTENCE));
        }
        format!("{file}, {}", clauses.join("; "))
    }

    /// A [sentence](ConfigErrors::sentence) without the lines, which may hold the names of people.
    /// Other text stays as it is.
    ///
    /// ```
    /// use arbiter_config::ConfigErrors;
    /// let sentence = "bot.toml, line 2: not TOML: why; the line is `authors = Anna`; \
    ///     line 3: unknown key `x`; the line is `x = 1`";
    /// let without = "bot.toml, line 2: not TOML: why; line 3: unknown key `x`";
    /// assert_eq!(ConfigErrors::without_lines(sentence), without);
    /// let crafted = "bot.toml, line 2: not TOML: why; the line is `x = `; Anna`; line 3: more";
    /// let without = "bot.toml, line 2: not TOML: why; line 3: more";
    /// assert_eq!(ConfigErrors::without_lines(crafted), without);
    /// ```
    pub fn without_lines(sentence: &str) -> String {
        let mut parts = sentence.split(QUOTES);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            // The last backtick ends the line: the line itself may have what looks like its end.
            if let Some(end) = part.rfind("`; ") {
                out += &part[end + 1..];
            }
        }
        out
    }

    /// All errors as text, each with the file's name, the line, and a mark under what is wrong.
    pub fn display<'a>(&'a self, file: &'a str) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| self.write(f, file))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, file: &str) -> fmt::Result {
        for (index, error) in self.errors.iter().take(MOST).enumerate() {
            if index > 0 {
                f.write_char('\n')?;
            }
            error.write(f, file)?;
        }
        match self.errors.len().saturating_sub(MOST) {
            0 => Ok(()),
            more => write!(f, "\n{file}: and {more} more"),
        }
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "configuration")
    }
}

impl std::error::Error for ConfigErrors {}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, place: Range<usize>) -> String {
        ConfigErrors::new(&SourceText::new(text), vec![(place, "wrong".into())])
            .display("f")
            .to_string()
    }

    #[test]
    fn the_mark_is_under_the_value() {
        assert_eq!(shown("a = 1\nb = 22\n", 10..12), "f:2: wrong\n 2 | b = 22\n   |     ^^");
        assert_eq!(shown("ä = 'ö'\r\n", 5..9), "f:1: wrong\n 1 | ä = 'ö'\n   |     ^^^");
        assert_eq!(shown("a = [\n1,\n2]\n", 4..11), "f:1: wrong\n 1 | a = [\n   |     ^");
        assert_eq!(shown("", 0..0), "f:1: wrong\n 1 | \n   | ^");
        assert_eq!(shown("a =\n", 4..4), "f:1: wrong\n 1 | a =\n   |    ^");
        assert_eq!(
            shown("\tx\x1b[2J\u{202e}", 1..2),
            "f:1: wrong\n 1 |  x\u{fffd}[2J\u{fffd}\n   |  ^"
        );
    }

    #[test]
    fn of_a_long_line_the_part_around_the_mark_is_shown() {
        let text = format!("{}x = 1{}", " ".repeat(500), "#".repeat(500));
        let shown = shown(&text, 504..505);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[1].chars().count(), " 1 | ".len() + SHOWN);
        assert_eq!(
            lines[1].find('1').map(|_| lines[1].rfind('1')),
            Some(Some(lines[2].find('^').unwrap()))
        );
    }

    #[test]
    fn errors_above_the_limit_are_counted() {
        let source = SourceText::new("x\nx\nx");
        let found = (0..60).map(|number| (2..3, number.to_string())).collect();
        let shown = ConfigErrors::new(&source, found).display("f").to_string();
        assert!(shown.starts_with("f:2: 0\n"), "{shown}");
        assert!(shown.ends_with("f: and 10 more"), "{shown}");
    }
}
