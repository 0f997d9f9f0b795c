//! Finds the game after one that cannot be read.

use super::characters::{
    MARK, ends_in_blank_line, is_blank, is_line_end, is_tag_name_byte, without_marks,
};

/// After a blank line this begins a game even in a comment: that comment was not closed.
pub(super) const NEXT_GAME: &[u8] = b"[Event \"";

/// The most bytes from a tag's `[` to the quote of its value; with more white space it does not
/// begin a game here. So it shows within a bounded part of the log whether a game begins.
const TAG_BYTES: usize = 256;

/// Where the next game begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// At this place.
    Here,
    /// At the `[` of this place if a tag begins with it, else as [`AfterText`](Search::AfterText).
    Bracket,
    /// At the next line that begins with the tag `Event`: other tags may belong to the game that
    /// cannot be read.
    AfterTags,
    /// At the next line that begins with a tag, whichever it is, because the tags of the game have
    /// ended.
    AfterText,
}

/// What a part of a log begins with.
enum Beginning<'a> {
    /// A tag of this name.
    Tag(&'a [u8]),
    /// No tag.
    Other,
    /// The part is too short to say.
    Cut,
}

/// Goes from `at` to where the next game begins. If the log has no such place, the place from which
/// the search goes on when more of the log is known is returned with the state of the search;
/// `is_last` says that there is no more. Counts the lines.
pub(super) fn search(
    log: &[u8],
    mut at: usize,
    mut search: Search,
    is_last: bool,
    line: &mut usize,
) -> (usize, Search) {
    if search == Search::Bracket {
        match beginning(&log[at..]) {
            Beginning::Cut if !is_last => return (at, search),
            Beginning::Tag(_) => search = Search::Here,
            Beginning::Cut | Beginning::Other => search = Search::AfterText,
        }
    }
    while search != Search::Here {
        let rest = &log[at..];
        if log[..at].last().is_none_or(|&byte| is_line_end(byte)) {
            let text = without_marks(rest);
            match beginning(text) {
                Beginning::Tag(name) if search == Search::AfterText || name == b"Event" => {
                    return (log.len() - text.len(), Search::Here);
                }
                Beginning::Cut if !is_last => break,
                Beginning::Cut | Beginning::Tag(_) | Beginning::Other => {}
            }
            // A line of moves: what was read so far were the tags before them.
            if let Some(&byte) = text.first()
                && !is_blank(byte)
                && !b"[%".contains(&byte)
            {
                search = Search::AfterText;
            }
        }
        let Some(end) = rest.iter().position(|&byte| is_line_end(byte)) else {
            at = log.len();
            break;
        };
        at += end;
        // The line end may have a second byte.
        if log[at..] == *b"\r" && !is_last {
            break;
        }
        at += if log[at..].starts_with(b"\r\n") { 2 } else { 1 };
        *line += 1;
    }
    (at, search)
}

/// What a text begins with, as far as it is known.
fn beginning(text: &[u8]) -> Beginning<'_> {
    if text.len() < MARK.len() && MARK.starts_with(text) {
        return Beginning::Cut;
    }
    let known = &text[..text.len().min(TAG_BYTES)];
    let Some(inside) = known.strip_prefix(b"[") else { return Beginning::Other };
    let trimmed = inside.trim_ascii_start();
    let length = trimmed.iter().take_while(|&&byte| is_tag_name_byte(byte)).count();
    let (name, rest) = trimmed.split_at(length);
    match rest.trim_ascii_start().first() {
        Some(b'"') if !name.is_empty() => Beginning::Tag(name),
        None if text.len() < TAG_BYTES => Beginning::Cut,
        Some(_) | None => Beginning::Other,
    }
}

/// Whether a comment has swallowed a game because it was not closed: one of its lines begins with a
/// tag `Event` behind a blank line.
pub(super) fn has_next_game(comment: &[u8]) -> bool {
    // Most comments have no `[`, and that is found faster.
    if !comment.contains(&b'[') {
        return false;
    }
    let mut parts = comment.windows(NEXT_GAME.len()).enumerate();
    parts.any(|(at, part)| part == NEXT_GAME && ends_in_blank_line(&comment[..at]))
}
