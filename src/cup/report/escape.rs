//! Makes untrusted text safe for each kind of page: one function for each kind, used everywhere.
//!
//! Owns the escaping of Markdown, JSON, XML and terminal text. Names and standard error can be any
//! bytes: they must not control a terminal, change the direction of writing, open a tag, mention a
//! user by `@`, or be a command for a CI workflow that shows the log (`::error::`, `##[error]` on
//! GitHub).
//!
//! ```
//! use arbiter_cup::report::escape;
//! assert_eq!(escape::line("evil\u{1b}[2J\nname"), "evil?[2J name");
//! assert_eq!(escape::markdown("a|b <script> @all"), "a\\|b \\<script\\> @<!-- -->all");
//! ```

use arbiter_rules::text::{harmless, is_visible, makes_command, printable};

/// What a tab is replaced by.
const TAB: &str = "    ";

/// Maximum number of bytes of standard error that a page shows for one game.
const TAIL: usize = 4096;

/// One line for a terminal: a name, or a sentence that may quote untrusted text. Line ends become
/// spaces; characters that are not visible become question marks.
pub fn line(text: &str) -> String {
    harmless(text).replace('\n', " ")
}

/// The lines of a bot's output, with every byte that is no visible text as `\xHH`; without a
/// newline at the end.
///
/// ```
/// use arbiter_cup::report::escape::lines;
/// assert_eq!(lines(b"\x1b[1mhello\n\tworld\n"), "\\x1b[1mhello\n    world");
/// ```
pub fn lines(bytes: &[u8]) -> String {
    let mut out = String::new();
    for (number, line) in bytes.trim_ascii_end().split(|&byte| byte == b'\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        // Tabs are the one control character of source code that is shown as what it is.
        for (column, part) in line.trim_ascii_end().split(|&byte| byte == b'\t').enumerate() {
            if column > 0 {
                out += TAB;
            }
            out += &printable(part, usize::MAX);
        }
    }
    out
}

/// The end of a bot's output, short enough for a page, and whether it was cut; it starts at the
/// beginning of a line if there is one.
pub fn tail(bytes: &[u8]) -> (bool, &[u8]) {
    let from = bytes.len().saturating_sub(TAIL);
    if from == 0 {
        return (false, bytes);
    }
    let end = &bytes[from..];
    match end.iter().position(|&byte| byte == b'\n') {
        Some(newline) if newline + 1 < end.len() => (true, &end[newline + 1..]),
        _ => (true, end), // one long line, from its middle on
    }
}

/// Markdown for the middle of a line that shows the text as it is: no markup, tag, link, mention or
/// table column.
pub fn markdown(text: &str) -> String {
    let text = line(text);
    let mut out = String::with_capacity(text.len() + 8);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_markup = match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '!' | '&' | '$'
            | '^' | '{' | '}' => true,
            '.' => out.ends_with("www"), // a link
            ':' => letters.peek().is_some_and(|&next| next != ' '), // a link or a picture
            _ => false,
        };
        if is_markup {
            out.push('\\');
        }
        out.push(letter);
        if letter == '@' {
            out.push_str("<!-- -->"); // a backslash does not stop GitHub from notifying the user
        }
    }
    out
}

/// Markdown for the beginning of a line; the text is also no list and no heading.
///
/// ```
/// use arbiter_cup::report::escape::markdown_line;
/// assert_eq!([markdown_line("- a"), markdown_line("1. a")], ["\\- a", "1\\. a"]);
/// ```
pub fn markdown_line(text: &str) -> String {
    let mut out = markdown(text.trim_start());
    // `1.` and `1)` begin a numbered list, `-` and `+` a list, and `=` and `-` underline a heading.
    let digits = out.bytes().take_while(u8::is_ascii_digit).count();
    match out.as_bytes().get(digits) {
        Some(b'.' | b')') if digits > 0 => out.insert(digits, '\\'),
        Some(b'-' | b'+' | b'=') if digits == 0 => out.insert(0, '\\'),
        _ => {}
    }
    out
}

/// A block of code: its fence is longer than any run of backticks in it. The lines are those of
/// [`lines`].
pub fn code_block(bytes: &[u8]) -> String {
    named_block("text", bytes)
}

/// A block of code with a word of ours after its fence, by which a page for the browser finds it.
pub(crate) fn named_block(name: &str, bytes: &[u8]) -> String {
    let text = lines(bytes);
    let fence = "`".repeat(3.max(longest_run(&text) + 1));
    format!("{fence}{name}\n{text}\n{fence}\n")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

/// A command line as a block of code that can be copied: backslashes stay, and only characters that
/// could control a terminal are escaped.
pub fn command(text: &str) -> String {
    // A backslash has a meaning for `line`, and none for a terminal.
    let visible = text.replace('\\', "/");
    if text.contains('`') || line(&visible) != visible {
        return code_block(text.as_bytes());
    }
    format!("```sh\n{text}\n```\n")
}

/// Text as code inside a line, outside of tables; backticks in it do not end it.
pub fn code(text: &str) -> String {
    let text = line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    // A backtick beside the fence would be a part of it; one blank on each side is not shown.
    if text.is_empty() || text.starts_with('`') || text.ends_with('`') {
        return format!("{fence} {text} {fence}");
    }
    format!("{fence}{text}{fence}")
}

/// Text for XML, between tags or in quotes: one line without control characters and without markup.
///
/// ```
/// use arbiter_cup::report::escape::xml;
/// assert_eq!(xml("a<b> & \"c\"\n"), "a&lt;b&gt; &amp; &quot;c&quot; ");
/// ```
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in line(text).chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter => out.push(letter),
        }
    }
    out
}

/// The same JSON, with every character that could control a terminal or change the direction of
/// writing as `\uXXXX`. Text without such characters is returned as it is: that of a thousand bots
/// is large.
pub fn json(text: String) -> String {
    let Some((first, _)) = text.char_indices().find(|&(at, letter)| !is_plain(&text[..at], letter))
    else {
        return text;
    };
    let mut out = text[..first].to_owned();
    for letter in text[first..].chars() {
        if is_plain(&out, letter) {
            out.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            out += &format!("\\u{unit:04x}");
        }
    }
    out
}

/// Whether a letter of JSON may stay as it is after the text `before`.
fn is_plain(before: &str, letter: char) -> bool {
    (is_visible(letter) || letter == '\n') && !makes_command(before, letter)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Hostile names and lines.
    pub(in crate::report) const HOSTILE: [&str; 19] = [
        "\u{1b}[2J\u{1b}]0;title\u{7}gone",
        "\u{202e}evil\u{2066}\u{200f}",
        "a\0b\u{8}\u{7f}\u{85}\u{9b}31m",
        "]]></system-out><script>alert(1)</script>",
        "</system-out>&amp;<!-- -->",
        "<img src=x onerror=alert(1)>",
        "`````\n# heading",
        "::error file=x::boom",
        "  ::set-output name=x::y",
        "x ##[error]boom",
        "x ##vso[task.complete]boom",
        "a|b\\|c",
        "=1+1",
        "+1",
        "@everyone",
        "- item",
        "1. item",
        "[link](http://evil.example) www.evil.example",
        "\u{feff}\u{fffe}\u{ffff}\u{10ffff}",
    ];

    /// Whether the text controls no terminal, no direction of writing and no workflow.
    pub(in crate::report) fn is_safe(text: &str) -> bool {
        !text.contains(|c: char| c != '\n' && !is_visible(c))
            && !text.contains("##[")
            && !text.contains("##vso[")
            && !text.lines().any(|line| line.trim_start().starts_with("::"))
    }

    #[test]
    fn what_strangers_wrote_does_nothing() {
        for text in HOSTILE {
            assert!(is_safe(&line(text)) && !line(text).contains('\n'), "{text:?}");
            assert!(is_safe(&lines(text.as_bytes())), "{text:?}");
            assert!(is_safe(&markdown(text)) && is_safe(&code_block(text.as_bytes())), "{text:?}");
            let value = serde_json::Value::from(text);
            let written = json(value.to_string());
            assert!(is_safe(&written) && written.is_ascii(), "{text:?}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), value);
        }
    }

    #[test]
    fn text_of_every_language_stays_as_it_is() {
        let text = "print(\"a\\nb\") … é ⇒ 小明, हिन्दी, می‌خواهم, 🎲 50 €";
        assert_eq!([lines(text.as_bytes()), line(text)], [text, text]);
        assert_eq!(code_block(text.as_bytes()), format!("```text\n{text}\n```\n"));
        assert_eq!(lines("\u{1b}[1m\u{202e}é".as_bytes()), "\\x1b[1m\\xe2\\x80\\xaeé");
    }

    #[test]
    fn markdown_shows_the_text_itself() {
        for (text, expected) in [
            ("conny-2.1, 'x' (y)", "conny-2.1, 'x' (y)"),
            ("a_b*c", "a\\_b\\*c"),
            ("<script>", "\\<script\\>"),
            ("- x 1. y =1+1", "- x 1. y =1+1"),
            ("::error::x", "\\:?error\\:\\:x"),
            ("www.x.org: http://x.org", "www\\.x.org: http\\://x.org"),
            ("@all", "@<!-- -->all"),
            ("12.5 ± 3 %", "12.5 ± 3 %"),
        ] {
            assert_eq!(markdown(text), expected, "{text}");
        }
        assert_eq!(markdown_line("=1+1"), "\\=1+1");
        assert_eq!(markdown_line("  12) x"), "12\\) x");
        assert_eq!(markdown_line("12 x."), "12 x.");
        assert_eq!(code("a`|b"), "``a`|b``");
        assert_eq!(code_block(b"```\nx"), "````text\n```\nx\n````\n");
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(256)
        })]

        #[test]
        fn any_text_is_safe(text in "(\\PC|\\pC|[|`:@#\\[<\n]){0,40}") {
            let bytes = text.as_bytes();
            let shown = lines(bytes);
            prop_assert_eq!(lines(shown.as_bytes()), &*shown);
            for safe in [line(&text), shown, markdown(&text), code_block(bytes), code(&text)] {
                prop_assert!(is_safe(&safe), "{:?}", safe);
            }
            let columns = markdown(&text).replace("\\\\", "").replace("\\|", "");
            prop_assert!(!columns.contains('|'));
            let written = json(serde_json::Value::from(text.as_str()).to_string());
            prop_assert!(is_safe(&written));
            prop_assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        }
    }
}
