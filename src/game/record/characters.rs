//! The characters of PGN: white space, line ends, and names of tags. Logs of old programs and of
//! Windows have further ones that count as white space.

/// The byte order mark: at the beginning of a log, or in its middle, where logs were joined; several
/// where one of them was empty.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// White space as PGN has it: space, tabs, form feed, line ends.
pub(super) fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t'..='\r')
}

/// White space, line ends included, with the bytes that old programs fill a file with: NUL, and the
/// `^Z` at its end.
pub(super) fn is_blank(byte: u8) -> bool {
    is_space(char::from(byte)) || matches!(byte, 0 | 0x1a)
}

/// Old systems end a line by CR alone.
pub(super) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The number of bytes before the end of the line.
pub(super) fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&byte| is_line_end(byte)).unwrap_or(text.len())
}

/// The number of line ends in a text: every LF, and every CR that no LF follows.
pub(super) fn line_ends(text: &[u8]) -> usize {
    let mut count = 0;
    for (index, &byte) in text.iter().enumerate() {
        let is_end = byte == b'\n' || byte == b'\r' && text.get(index + 1) != Some(&b'\n');
        count += usize::from(is_end);
    }
    count
}

/// A text without the byte order marks at its end: a joined log may have had nothing but its own.
pub(super) fn without_marks_at_end(mut text: &[u8]) -> &[u8] {
    while let Some(rest) = text.strip_suffix(MARK) {
        text = rest;
    }
    text
}

/// A text without the byte order marks that it begins with.
pub(super) fn without_marks(mut text: &[u8]) -> &[u8] {
    while let Some(rest) = text.strip_prefix(MARK) {
        text = rest;
    }
    text
}

/// Whether a text ends in a line of white space, which byte order marks may follow.
pub(super) fn ends_in_blank_line(text: &[u8]) -> bool {
    let text = without_marks_at_end(text);
    let end = match text {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n' | b'\r'] => 1,
        _ => return false,
    };
    for &byte in text[..text.len() - end].iter().rev() {
        if is_line_end(byte) {
            return true;
        }
        if !is_blank(byte) {
            return false;
        }
    }
    false
}

/// Whether a byte can be part of the name of a tag.
pub(super) fn is_tag_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_+#=:-".contains(&byte)
}

/// Whether a text can be the name of a tag.
pub(super) fn is_tag_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_tag_name_byte)
}
