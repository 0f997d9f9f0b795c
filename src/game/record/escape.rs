//! Escapes untrusted bytes in a log: in comments, and in the values of tags.

/// Writes bytes as the text of a comment: every byte outside printable ASCII, and `{ } [ ] % ; \`,
/// becomes `\xHH`. The caller cuts them to [`NOTE_BYTES`](crate::NOTE_BYTES).
///
/// ```
/// use arbiter_game::record::{escape_comment, unescape_comment};
/// assert_eq!(escape_comment(b"50% {ok}\n"), r"50\x25 \x7bok\x7d\x0a");
/// assert_eq!(unescape_comment(&escape_comment(b"\xff")), b"\xff");
/// ```
pub fn escape_comment(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &byte in bytes {
        push_comment_byte(&mut out, byte);
    }
    out
}

/// The bytes of a comment: the inverse of [`escape_comment`]. `\xHH` is a byte; everything else, a
/// single backslash too, stands for itself, so that comments of other programs are kept.
pub fn unescape_comment(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    push_unescaped(&mut out, text);
    out
}

/// Appends one byte of a comment, escaped if necessary.
#[inline]
pub(super) fn push_comment_byte(out: &mut String, byte: u8) {
    match byte {
        b'{' | b'}' | b'[' | b']' | b'%' | b';' | b'\\' => push_hex(out, byte),
        b' '..=b'~' => out.push(char::from(byte)),
        _ => push_hex(out, byte),
    }
}

/// Appends a byte as `\xHH`.
pub(super) fn push_hex(out: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.push_str("\\x");
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// Appends what [`unescape_comment`] returns.
pub(super) fn push_unescaped(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        if let Some(byte) = hex_byte(rest) {
            out.push(byte);
            rest = &rest[4..];
        } else {
            out.push(b'\\');
            rest = &rest[1..];
        }
    }
    out.extend_from_slice(rest);
}

/// The byte of `\xHH` at the beginning of `text`, in either case.
fn hex_byte(text: &[u8]) -> Option<u8> {
    let [b'\\', b'x', high, low, ..] = *text else { return None };
    let high = char::from(high).to_digit(16)?;
    let low = char::from(low).to_digit(16)?;
    u8::try_from(high << 4 | low).ok()
}

/// Appends a tag's value: `"` and `\` are escaped as in PGN's export format, and characters that
/// could end the line or control a terminal become spaces, so that a name cannot add a tag. Other
/// letters stay.
pub(super) fn push_tag_value(out: &mut String, value: &str) {
    for letter in value.chars() {
        match tag_letter(letter) {
            letter @ ('"' | '\\') => out.extend(['\\', letter]),
            letter => out.push(letter),
        }
    }
}

/// The character as a tag's value may contain it: a space for control characters and for Unicode's
/// line separators, which end the line for some readers.
#[inline]
pub(super) fn tag_letter(letter: char) -> char {
    if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') { ' ' } else { letter }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_a_comment() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = escape_comment(&bytes);
        assert!(
            text.bytes().all(|byte| (b' '..=b'~').contains(&byte) && !b"{}[]%;".contains(&byte))
        );
        assert_eq!(unescape_comment(&text), bytes);
    }

    #[test]
    fn what_is_no_escape_stands_for_itself() {
        for text in [r"\", r"\x", r"\x4", r"\xg0", r"\n", r"a\\b", r"\é", "naïve"] {
            assert_eq!(unescape_comment(text), text.as_bytes(), "{text}");
        }
        assert_eq!(unescape_comment(r"\x7B\x7b\\x41"), br"{{\A");
    }

    #[test]
    fn a_name_adds_no_tag() {
        let mut out = String::new();
        push_tag_value(&mut out, "na\u{ef}ve \"x\\\"]\n[Result \"1-0\"\u{85}\u{2028}");
        assert_eq!(out, "na\u{ef}ve \\\"x\\\\\\\"] [Result \\\"1-0\\\"  ");
    }
}
