//! Reads the comments of a log: the note of a ply, and in a custom game the position after it.

use super::characters::is_space;
use super::escape::push_unescaped;
use crate::Note;
use arbiter_rules::Ruleset;
use std::borrow::Cow;
use std::time::Duration;

/// How the comment with the position after a ply begins, in custom games.
pub(super) const POSITION: &str = "[%at";

/// The comments that are notes: all but positions.
pub(super) fn notes<'a>(
    ruleset: &Ruleset,
    comments: &'a [Cow<'a, str>],
) -> impl Iterator<Item = &'a Cow<'a, str>> {
    let keeps_positions = ruleset.game().asks_rules();
    comments.iter().filter(move |comment| !keeps_positions || position_in(comment).is_none())
}

/// The position text of a comment that holds one.
pub(super) fn position_in(comment: &str) -> Option<String> {
    let inner = comment.trim_matches(is_space).strip_prefix(POSITION)?.strip_suffix(']')?;
    let mut words: Vec<&str> = inner.split(is_space).collect();
    words.retain(|word| !word.is_empty());
    let mut text = Vec::new();
    push_unescaped(&mut text, &words.join(" "));
    String::from_utf8(text).ok()
}

/// Wall time, `cpu` and processor time, text; each may be missing, the second only with the first.
pub(super) fn read_note(comment: &str) -> Note {
    let mut words = comment.split(is_space).filter(|word| !word.is_empty());
    let mut note = Note::default();
    // `words` follows `ahead` only past what is a time; the rest is text.
    let mut ahead = words.clone();
    if let Some(wall) = ahead.next().and_then(read_time) {
        note.wall = Some(wall);
        words = ahead.clone();
        if ahead.next() == Some("cpu")
            && let Some(cpu) = ahead.next().and_then(read_time)
        {
            note.cpu = Some(cpu);
            words = ahead;
        }
    }
    for word in words {
        if !note.text.is_empty() {
            note.text.push(b' ');
        }
        push_unescaped(&mut note.text, word);
    }
    note
}

/// A time such as `0.012345s`, with any number of decimals, rounded to the microsecond.
pub(super) fn read_time(word: &str) -> Option<Duration> {
    let number = word.strip_suffix('s')?;
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || !whole.bytes().chain(decimals.bytes()).all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    let mut digits = decimals.bytes().map(|byte| u64::from(byte - b'0'));
    let mut micros = 0;
    for _ in 0..6 {
        micros = micros * 10 + digits.next().unwrap_or(0);
    }
    // The seventh decimal rounds.
    micros += u64::from(digits.next().unwrap_or(0) >= 5);
    Duration::from_secs(whole.parse().ok()?).checked_add(Duration::from_micros(micros))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(wall: Option<u64>, cpu: Option<u64>, text: &str) -> Note {
        Note {
            wall: wall.map(Duration::from_micros),
            cpu: cpu.map(Duration::from_micros),
            text: text.into(),
        }
    }

    #[test]
    fn times_have_any_number_of_decimals() {
        for (word, micros) in [
            ("0.012345s", Some(12_345)),
            ("1s", Some(1_000_000)),
            ("1.s", Some(1_000_000)),
            ("0.366s", Some(366_000)),
            ("0.0000004s", Some(0)),
            ("0.0000005s", Some(1)),
            ("0.99999951s", Some(1_000_000)),
            (".5s", None),
            ("0.5", None),
            ("s", None),
            ("1.5.5s", None),
            ("-1s", None),
            ("+1s", None),
            ("1e3s", None),
            ("18446744073709551616s", None),
            ("18446744073709551615.9999999s", None),
        ] {
            assert_eq!(read_time(word), micros.map(Duration::from_micros), "{word}");
        }
    }

    #[test]
    fn comments_have_times_and_text() {
        for (comment, expected) in [
            ("0.5s", note(Some(500_000), None, "")),
            (" 0.5s\r\n cpu\t0.25s ", note(Some(500_000), Some(250_000), "")),
            ("0.5s cpu 0.25s depth 5\nscore", note(Some(500_000), Some(250_000), "depth 5 score")),
            ("0.5s cpu time", note(Some(500_000), None, "cpu time")),
            ("cpu 0.5s", note(None, None, "cpu 0.5s")),
            ("a  nice\n\nmove", note(None, None, "a nice move")),
            (r"\x30.5s \x20a\x20 b\", note(None, None, r"0.5s  a  b\")),
            (r"0.5s \x63pu 1s", note(Some(500_000), None, "cpu 1s")),
            ("  ", Note::default()),
        ] {
            assert_eq!(read_note(comment), expected, "{comment:?}");
        }
    }
}
