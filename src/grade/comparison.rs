//! How far an output agrees with the expected one, and where it does not.
//!
//! Output is bytes: what is no UTF-8 agrees with nothing. Blanks are the white space of C other
//! than the newline, so the `\r` of a Windows line end is a blank at the end of a line: such output
//! holds [`Level::Ends`]. Texts that count as each other do so at every level.

use super::transcript::{Event, events};
use arbiter_config::assignment::Level;
use arbiter_rules::Ruleset;
use arbiter_rules::text::is_visible;
use std::fmt::Write;

/// The levels, the strictest first.
const LEVELS: [Level; 7] = [
    Level::Exact,
    Level::Ends,
    Level::Blanks,
    Level::Case,
    Level::Words,
    Level::Boards,
    Level::Result,
];
/// The most characters of a line that are shown.
const SHOWN: usize = 100;
/// The lines that are shown before the first difference.
const LINES_BEFORE: usize = 2;

/// The bytes of output after which a program is stopped: four times what is expected, and 64 KiB.
#[must_use]
pub fn output_limit(expected: &str) -> usize {
    4 * expected.len() + 64 * 1024
}

/// An expected output and one that came.
#[derive(Debug)]
pub(super) struct Comparison<'a> {
    expected: &'a str,
    output: String,
    same: &'a [Vec<String>],
    /// What happens in the expected output and in the other one.
    pub(super) events: [Vec<Event>; 2],
}

impl<'a> Comparison<'a> {
    /// Compares the outputs of a game. Each list of `same` has texts that count as each other.
    pub(super) fn new(
        ruleset: &Ruleset,
        expected: &'a str,
        output: &[u8],
        same: &'a [Vec<String>],
    ) -> Comparison<'a> {
        let output = String::from_utf8_lossy(output).into_owned();
        let happens = |text: &str| events(&unified(text, same), ruleset);
        let events = [happens(expected), happens(&output)];
        Comparison { expected, output, same, events }
    }

    /// The levels that hold, the strictest first.
    pub(super) fn levels(&self) -> impl Iterator<Item = Level> {
        LEVELS.into_iter().filter(|&level| self.holds(level))
    }

    /// Whether the outputs agree at a level.
    pub(super) fn holds(&self, level: Level) -> bool {
        let [expected, output] = &self.events;
        match level {
            Level::Exact | Level::Ends | Level::Blanks | Level::Case => {
                let [expected, output] = self.texts().map(|text| self.lines(text, level));
                expected.len() == output.len()
                    && std::iter::zip(expected, output)
                        .all(|(expected, output)| expected.1 == output.1)
            }
            Level::Words => {
                let [expected, output] = self.texts().map(|text| {
                    let words: Vec<&str> = text.split_ascii_whitespace().collect();
                    self.form(&words.join(" "), Level::Case)
                });
                expected == output
            }
            Level::Boards => {
                let boards = |events: &[Event]| -> Vec<Event> {
                    events.iter().filter(|event| event.is_board()).cloned().collect()
                };
                boards(expected) == boards(output)
            }
            Level::Result => {
                let result =
                    |events: &[Event]| events.iter().rfind(|event| event.is_result()).cloned();
                result(expected) == result(output)
            }
        }
    }

    /// The first difference with two lines before it, of both outputs: blanks as `·`, the end of a
    /// line as `↵`. Differences in blanks and letter case are passed over if there is another one.
    pub(super) fn difference(&self) -> String {
        let weakest_first = [Level::Case, Level::Blanks, Level::Ends, Level::Exact];
        for level in weakest_first {
            let sides = self.texts().map(|text| self.lines(text, level));
            let equal =
                std::iter::zip(&sides[0], &sides[1]).take_while(|(a, b)| a.1 == b.1).count();
            if equal == sides[0].len().max(sides[1].len()) {
                continue;
            }
            let mut shown = String::new();
            for ((name, text), lines) in
                ["expected", "printed"].into_iter().zip(self.texts()).zip(&sides)
            {
                push_lines(name, text, lines.get(equal).map(|line| line.0), &mut shown);
            }
            return shown;
        }
        String::new()
    }

    fn texts(&self) -> [&str; 2] {
        [self.expected, &self.output]
    }

    /// The lines of a text, each with its index, as they count at a level.
    fn lines(&self, text: &str, level: Level) -> Vec<(usize, String)> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let lines = text.split('\n').map(|line| self.form(line, level)).enumerate();
        lines
            .filter(|(_, line)| level < Level::Blanks || !line.trim_matches(is_blank).is_empty())
            .collect()
    }

    /// A line as it counts at a level.
    fn form(&self, line: &str, level: Level) -> String {
        let mut form =
            if level == Level::Exact { line } else { line.trim_end_matches(is_blank) }.to_owned();
        if level >= Level::Blanks {
            let mut after_blank = false;
            form.retain(|c| {
                let stays = !(is_blank(c) && after_blank);
                after_blank = is_blank(c);
                stays
            });
            form = form.replace(is_blank, " ");
        }
        if level < Level::Case {
            return unified(&form, self.same);
        }
        let lower: Vec<Vec<String>> = self
            .same
            .iter()
            .map(|texts| texts.iter().map(|text| text.to_ascii_lowercase()).collect())
            .collect();
        unified(&form.to_ascii_lowercase(), &lower)
    }
}

/// The text with the last of each list of texts in place of the others.
fn unified(text: &str, same: &[Vec<String>]) -> String {
    let mut text = text.to_owned();
    for texts in same {
        let Some((kept, others)) = texts.split_last() else { continue };
        for other in others.iter().filter(|other| !other.is_empty()) {
            text = text.replace(other.as_str(), kept);
        }
    }
    text
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\x0b' | '\x0c')
}

/// Appends the line at an index and those before it; without an index the end of the text.
fn push_lines(name: &str, text: &str, index: Option<usize>, out: &mut String) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = index.unwrap_or(lines.len());
    let _ = writeln!(out, "{name}, line {}:", at + 1); // writing to a String cannot fail
    let from = at.saturating_sub(LINES_BEFORE);
    for (number, line) in lines.iter().enumerate().take(at + 1).skip(from) {
        let mark = if number == at { '>' } else { ' ' };
        let _ = writeln!(out, "{mark} {}", shown(line));
    }
    if at >= lines.len() {
        *out += "> (end of the output)\n";
    }
}

/// A line with its blanks and its end made visible.
fn shown(line: &str) -> String {
    let mut shown: String = line
        .chars()
        .take(SHOWN)
        .map(|c| match c {
            ' ' => '·',
            '\t' => '→',
            '\r' => '␍',
            '\n' => '↵',
            c if is_visible(c) => c,
            _ => '\u{fffd}',
        })
        .collect();
    if line.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: &str = "Round 1:\n   A B C D E\n 1 . X . . .\n 2 . . . . .\n 3 . . . . .\n 4 . . . . .\n 5 . . . . .\n\
                            Player X's turn: Game over:\nPlayer X wins!\n";

    fn same() -> Vec<Vec<String>> {
        vec![vec!["Player 1 wins!".to_owned(), "Player X wins!".to_owned()]]
    }

    fn level(output: &[u8]) -> Option<Level> {
        let ruleset = Ruleset::named("gekitai", "n=5").unwrap();
        Comparison::new(&ruleset, EXPECTED, output, &same()).levels().next()
    }

    #[test]
    fn each_level_is_the_highest_that_holds() {
        let with = |from: &str, to: &str| level(EXPECTED.replace(from, to).as_bytes());
        assert_eq!(level(EXPECTED.as_bytes()), Some(Level::Exact));
        assert_eq!(level(EXPECTED.trim_end().as_bytes()), Some(Level::Exact));
        assert_eq!(with("Player X wins!", "Player 1 wins!"), Some(Level::Exact));
        assert_eq!(with("Player X wins!", "PLAYER 1 wins!"), Some(Level::Case));
        assert_eq!(with(" .\n", " . \n"), Some(Level::Ends));
        assert_eq!(with("\n", "\r\n"), Some(Level::Ends));
        assert_eq!(with("\n", "\n\n"), Some(Level::Blanks));
        assert_eq!(with(". .", ".\t  ."), Some(Level::Blanks));
        assert_eq!(with("Round", "round"), Some(Level::Case));
        assert_eq!(with("Round 1:\n", "Round 1: "), Some(Level::Words));
        assert_eq!(with("turn", "move"), Some(Level::Boards));
        assert_eq!(with("Round", "R\u{e9}nd"), Some(Level::Boards));
        assert_eq!(with(". X .", ". O ."), Some(Level::Result));
        assert_eq!(with("X wins", "O wins"), Some(Level::Boards));
        assert_eq!(with("X", "O"), None);
        assert_eq!(level(b""), None);
        assert_eq!(level(b"\xff\xfePlayer 1 wins!\xff"), Some(Level::Result));
    }

    #[test]
    fn the_first_difference_is_shown_with_the_lines_before_it() {
        let ruleset = Ruleset::named("gekitai", "n=5").unwrap();
        let output =
            EXPECTED.replace(" 2 . .", " 2 . O").replace(" 1 ", "  1 ").replace('\n', " \n");
        let (same, shown) = (same(), |output: &str, same: &[Vec<String>]| {
            Comparison::new(&ruleset, EXPECTED, output.as_bytes(), same).difference()
        });
        assert_eq!(
            shown(&output, &same),
            "expected, line 4:\n  ···A·B·C·D·E↵\n  ·1·.·X·.·.·.↵\n> ·2·.·.·.·.·.↵\n\
             printed, line 4:\n  ···A·B·C·D·E·↵\n  ··1·.·X·.·.·.·↵\n> ·2·.·O·.·.·.·↵\n"
        );
        assert_eq!(
            shown("Round 1:\r\n", &same),
            "expected, line 2:\n  Round·1:↵\n> ···A·B·C·D·E↵\nprinted, line 2:\n  Round·1:␍↵\n> (end of the output)\n"
        );
        assert_eq!(shown(EXPECTED, &same), "");
    }
}
