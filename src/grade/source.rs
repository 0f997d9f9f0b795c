//! Reading C++ as far as marking needs it: tokens without comments, and what a source includes and
//! calls.
//!
//! Sources are bytes: their comments may be Big5 or GBK. As for g++, a backslash at the end of a
//! line joins it with the next, also where it is the second byte of a character; [`readable`] makes
//! sources of Visual Studio free of that.

/// What a raw string begins with, before its quote.
const RAW: [&[u8]; 5] = [b"R", b"u8R", b"uR", b"UR", b"LR"];
/// The bytes of the longest delimiter of a raw string: lex.string of the C++ standard.
const DELIMITER: usize = 16;

/// A piece of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// Where it begins.
    pub at: usize,
    /// A name, a number, a literal with its quotes, or one character. A name may have joined lines
    /// in it, as it stands in the source.
    pub text: &'a [u8],
    /// Whether it is the first one of its line.
    pub first: bool,
}

impl Token<'_> {
    /// Where it ends.
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// Whether it is this text.
    pub fn is(&self, text: &str) -> bool {
        let text = text.as_bytes();
        // Hardly any token has lines joined in it, and only such a one is copied to be compared.
        self.text == text
            || self.text.first() == text.first()
                && self.text.contains(&b'\\')
                && without_joined(self.text) == text
    }
}

/// The tokens of a source, without comments.
pub(super) fn tokens(source: &[u8]) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut first = true;
    while let Some(&byte) = source.get(at) {
        let rest = &source[at..];
        let length = match byte {
            b'\n' => {
                first = true;
                1
            }
            _ if byte.is_ascii_whitespace() => 1,
            b'\\' if joined(rest).is_some() => joined(rest).unwrap_or(1),
            b'/' if next_byte(rest, 1) == Some(b'/') => line_comment(rest),
            b'/' if next_byte(rest, 1) == Some(b'*') => block_comment(rest),
            _ => {
                let length = token_length(rest);
                found.push(Token { at, text: &rest[..length], first });
                first = false;
                length
            }
        };
        at += length;
    }
    found
}

/// The length of a backslash with the end of line that it joins to the next.
fn joined(rest: &[u8]) -> Option<usize> {
    let after = rest.strip_prefix(b"\\")?;
    let blanks = after.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    (after.get(blanks) == Some(&b'\n')).then_some(blanks + 2)
}

/// Where the next byte stands at or behind a place where lines may be joined. They may be so within
/// a token, and between the two characters that begin or end a comment.
fn past_joined(rest: &[u8], mut at: usize) -> usize {
    while let Some(length) = rest.get(at..).and_then(joined) {
        at += length;
    }
    at
}

fn next_byte(rest: &[u8], at: usize) -> Option<u8> {
    rest.get(past_joined(rest, at)).copied()
}

/// A text without the places where its lines are joined.
pub(super) fn without_joined(text: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(text.len());
    let mut at = past_joined(text, 0);
    while let Some(&byte) = text.get(at) {
        whole.push(byte);
        at = past_joined(text, at + 1);
    }
    whole
}

fn line_comment(rest: &[u8]) -> usize {
    let mut at = past_joined(rest, 1) + 1;
    while at < rest.len() && rest[at] != b'\n' {
        at += joined(&rest[at..]).unwrap_or(1);
    }
    at.min(rest.len())
}

fn block_comment(rest: &[u8]) -> usize {
    let mut at = past_joined(rest, 1) + 1;
    while at < rest.len() {
        let is_star = rest[at] == b'*';
        at += 1;
        if is_star && next_byte(rest, at) == Some(b'/') {
            return past_joined(rest, at) + 1;
        }
    }
    rest.len()
}

fn token_length(rest: &[u8]) -> usize {
    match rest[0] {
        // A literal that is not closed ends with its line, so that it hides no more than that.
        quote @ (b'"' | b'\'') => {
            let mut at = 1;
            while at < rest.len() && rest[at] != quote && rest[at] != b'\n' {
                at += if rest[at] == b'\\' { joined(&rest[at..]).unwrap_or(2) } else { 1 };
            }
            (at + usize::from(rest.get(at) == Some(&quote))).min(rest.len())
        }
        byte if is_of_word(byte) => {
            let mut end = 1;
            while next_byte(rest, end).is_some_and(is_of_word) {
                end = past_joined(rest, end) + 1;
            }
            let quote = past_joined(rest, end);
            if rest.get(quote) == Some(&b'"') && RAW.contains(&&*without_joined(&rest[..end])) {
                return quote + raw_string(&rest[quote..]);
            }
            end
        }
        _ => 1,
    }
}

/// Whether a byte is part of a name or a number; in any encoding, also of a Chinese letter.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The length of a raw string from its first quote on. No lines are joined in it.
fn raw_string(rest: &[u8]) -> usize {
    // A longer delimiter is no C++, and looking for it would not be linear.
    let open = rest[1..].iter().take(DELIMITER + 1).position(|&byte| byte == b'(');
    let Some(open) = open else { return rest.len() };
    let close = [b")", &rest[1..1 + open], b"\""].concat();
    match rest.windows(close.len()).position(|part| part == close) {
        Some(at) => at + close.len(),
        None => rest.len(),
    }
}

/// The files that a source includes, as they are written there.
pub fn included(source: &[u8]) -> Vec<String> {
    source.split(|&byte| byte == b'\n').filter_map(included_by).collect()
}

/// The file that a line includes.
fn included_by(line: &[u8]) -> Option<String> {
    let line = line.trim_ascii().strip_prefix(b"#")?.trim_ascii_start();
    let line = line.strip_prefix(b"include")?.trim_ascii_start();
    let close = if line.first()? == &b'<' { b'>' } else { b'"' };
    let length = line[1..].iter().position(|&byte| byte == close)?;
    String::from_utf8(line[1..=length].to_vec()).ok()
}

/// Whether a source switches warnings of g++ off.
pub fn hides_warnings(source: &[u8]) -> bool {
    for found in tokens(source).windows(3) {
        let is_pragma = found[0].is("pragma") && found[1].is("GCC");
        if is_pragma && (found[2].is("diagnostic") || found[2].is("system_header")) {
            return true;
        }
    }
    false
}

/// Whether a source calls a function of this name.
pub fn calls(source: &[u8], name: &str) -> bool {
    let tokens = tokens(source);
    tokens.windows(2).any(|pair| pair[0].is(name) && pair[1].is("("))
}

fn of_utf16(wide: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let mut units = Vec::with_capacity(wide.len() / 2);
    for pair in wide.chunks_exact(2) {
        units.push(unit([pair[0], pair[1]]));
    }
    String::from_utf16_lossy(&units).into_bytes()
}

/// The source as g++ reads it in the way that Visual Studio does: UTF-16 becomes UTF-8, carriage
/// returns alone become line ends, and in a comment of a source that is not UTF-8 a backslash that
/// is the second byte of a Chinese character joins no lines. Its lines are its own, whatever
/// directives say.
pub fn readable(source: &[u8]) -> Vec<u8> {
    let mut text = match source {
        [0xff, 0xfe, wide @ ..] => of_utf16(wide, u16::from_le_bytes),
        [0xfe, 0xff, wide @ ..] => of_utf16(wide, u16::from_be_bytes),
        _ => source.to_vec(),
    };
    if !text.contains(&b'\n') {
        for byte in &mut text {
            if *byte == b'\r' {
                *byte = b'\n';
            }
        }
    }
    if str::from_utf8(&text).is_ok() {
        return with_own_lines(text);
    }
    let mut changed = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let content = line.trim_ascii_end();
        changed.extend(content);
        if content.windows(2).any(|pair| pair == b"//")
            && matches!(content, [.., 0x81..=0xfe, b'\\'])
        {
            changed.push(b'.');
        }
        changed.extend(&line[content.len()..]);
    }
    with_own_lines(changed)
}

/// The source without directives that give its lines to another file, as `#line 1 "x.h"` and `# 1
/// "x.h"` do: warnings and variables there would count as those of the system.
fn with_own_lines(mut source: Vec<u8>) -> Vec<u8> {
    let mut blank = Vec::new();
    let tokens = tokens(&source);
    // Each chunk is a line with the lines that are joined to it.
    for line in tokens.chunk_by(|_, next| !next.first) {
        let word = match line {
            [sign, word, ..] if sign.is("#") => word,
            [sign, colon, word, ..] if sign.is("%") && colon.is(":") => word,
            _ => continue,
        };
        if word.is("line") || word.text[0].is_ascii_digit() {
            for token in line {
                blank.push(token.at..token.end());
            }
        }
    }
    for byte in blank.into_iter().flatten() {
        if source[byte] != b'\n' {
            source[byte] = b' ';
        }
    }
    source
}

/// The comments at the top of a source, before its first token.
pub fn top_comments(source: &[u8]) -> &[u8] {
    let end = tokens(source).first().map_or(source.len(), |token| token.at);
    &source[..end]
}

/// Whether comments have an e-mail address.
pub fn has_address(comments: &[u8]) -> bool {
    let mut around = comments.windows(3);
    around.any(|it| it[0].is_ascii_alphanumeric() && it[1] == b'@' && it[2].is_ascii_alphanumeric())
}

/// Whether comments have a number that may be a student's: a word with at least six digits.
pub fn has_student_number(comments: &[u8]) -> bool {
    const DIGITS: usize = 6;
    comments
        .split(|byte| !byte.is_ascii_alphanumeric())
        .any(|word| word.iter().filter(|byte| byte.is_ascii_digit()).count() >= DIGITS)
}

/// What stands beside a name at the top of a source.
const LABELS: [&str; 10] =
    ["address", "author", "by", "email", "id", "mail", "name", "no", "sid", "student"];

/// Whether comments have a word that may be a name, in any encoding: one of letters that is no
/// address, no name of a file and no label such as `SID`.
pub fn has_name(comments: &[u8]) -> bool {
    for word in comments.split(u8::is_ascii_whitespace) {
        if word.contains(&b'@') || word.contains(&b'.') {
            continue;
        }
        for name in word.split(|byte| !is_letter(byte) && !byte.is_ascii_digit()) {
            let is_label = LABELS.iter().any(|label| name.eq_ignore_ascii_case(label.as_bytes()));
            if name.len() > 1 && name.iter().all(is_letter) && !is_label {
                return true;
            }
        }
    }
    false
}

/// Whether this is a letter, or a byte of one in any encoding.
fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphabetic() || !byte.is_ascii()
}

/// Whether a source has a comment.
pub fn has_comments(source: &[u8]) -> bool {
    let mut at = 0;
    for token in tokens(source) {
        // Between tokens are blanks, joined lines and comments.
        if source[at..token.at].contains(&b'/') {
            return true;
        }
        at = token.end();
    }
    source[at..].contains(&b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &[u8]) -> Vec<String> {
        tokens(source)
            .iter()
            .map(|token| String::from_utf8_lossy(token.text).into_owned())
            .collect()
    }

    #[test]
    fn comments_are_no_tokens() {
        let source = b"int a; // b \xa5\\\nc\nd /* e\n*/ \"f // \\\" g\" '\"' h_1 R\"x(i)\" )x\" j\\\nk /* l";
        let expected =
            ["int", "a", ";", "d", "\"f // \\\" g\"", "'\"'", "h_1", "R\"x(i)\" )x\"", "j\\\nk"];
        assert_eq!(texts(source), expected);
    }

    /// Otherwise a source could hide directives and names from marking.
    #[test]
    fn joined_lines_and_raw_strings_hide_nothing() {
        for (source, expected) in [
            ("/* a *\\\n/ b", &["b"][..]),
            ("/\\\n* a */ b /\\ \n/ c\nd", &["b", "d"]),
            ("/*/ a */ b /* c *", &["b"]),
            ("u8R\"(\"/*)\" a LR\"x(\n)x\"", &["u8R\"(\"/*)\"", "a", "LR\"x(\n)x\""]),
            ("R\\\n\"(\"/*)\" a", &["R\\\n\"(\"/*)\"", "a"]),
            ("AR\"(/*\" a", &["AR", "\"(/*\"", "a"]),
            ("a\\\n b\\\n\\\nc \\", &["a", "b\\\n\\\nc", "\\"]),
        ] {
            assert_eq!(texts(source.as_bytes()), expected, "{source}");
        }
        let token = tokens(b"li\\\nne")[0];
        assert!(token.is("line") && !token.is("lin"));
    }

    #[test]
    fn sources_of_visual_studio_are_readable() {
        for (source, expected) in [
            (&b"\xff\xfei\0n\0t\0\n\0\x4b\x68"[..], "int\n\u{684b}".as_bytes()),
            (b"\xfe\xff\0i\0n\0", b"in"),
            (b"a; // b\rc;\r", b"a; // b\nc;\n"),
            (b"a\rb\r\n", b"a\rb\r\n"),
            (b"// \xa5\\\r\nb\\\n\"\xa5\\\n", b"// \xa5\\.\r\nb\\\n\"\xa5\\\n"),
            ("// \u{e9}\\\na".as_bytes(), "// \u{e9}\\\na".as_bytes()),
            (b"\xff\xfe", b""),
            (b"", b""),
        ] {
            assert_eq!(readable(source), expected, "{source:?}");
        }
    }

    #[test]
    fn lines_of_a_source_are_its_own() {
        for (source, expected) in [
            ("#line 1 \"x.h\"\nint g;\n", "int g;"),
            (" # 1 \"x.h\" 1 3 // a\nint g;", "// a\nint g;"),
            ("/**/ %: line \\\n 7\nint g;", "/**/         \\\n  \nint g;"),
            ("#li\\\nne 1 \"x.h\"\nint g;", "int g;"),
            ("#define line 1\nint n = 5\n% line;", "#define line 1\nint n = 5\n% line;"),
            ("#include <x>\nint n = 5\n%\nline;", "#include <x>\nint n = 5\n%\nline;"),
        ] {
            let found = readable(source.as_bytes());
            let lines = |text: &[u8]| text.split(|&byte| byte == b'\n').count();
            assert_eq!(lines(&found), lines(source.as_bytes()), "{source}");
            assert_eq!(
                (found.len(), found.trim_ascii()),
                (source.len(), expected.as_bytes()),
                "{source}"
            );
        }
    }

    #[test]
    fn what_a_source_includes_and_calls() {
        let source = b"// ada@cuhk.edu.hk\r\n#include <iostream>\r\n # include \"stdafx.h\"\r\n\
                       int main() { system (\"pause\"); } // printf(1)";
        assert_eq!(included(source), ["iostream", "stdafx.h"]);
        assert!(calls(source, "system") && !calls(source, "printf"));
        assert!(
            hides_warnings(b" # pragma GCC diagnostic ignored \"-Wall\"")
                && !hides_warnings(b"#pragma warning(disable: 4996)")
        );
        assert!(
            has_address(top_comments(source)) && !has_address(top_comments(b"int a; // a@b.hk"))
        );
        assert!(has_student_number(b"// 1155123456 Ada") && !has_student_number(b"// 6 Nov 2021"));
        for (comments, expected) in [
            ("// Ada Lovelace, 1155123456", true),
            ("/* Name: \u{9673}\u{5927}\u{6587}", true),
            ("// Student ID: s1155123456\n// E-mail: ada@cuhk.edu.hk", false),
            ("// gekitai.cpp", false),
            ("//", false),
        ] {
            assert_eq!(has_name(comments.as_bytes()), expected, "{comments}");
        }
        for (code, expected) in
            [("int a; // b", true), ("/*a*/", true), ("a / b; \"//\"", false), ("a \\\n b", false)]
        {
            assert_eq!(has_comments(code.as_bytes()), expected, "{code}");
        }
    }
}
