//! A feedback page as HTML, for a reader who has a link to it alone.
//!
//! Its input is the Markdown of [`feedback`](super::feedback), which has headings, lists, blocks of code and sentences with
//! code in them, and nothing else: all text in it is escaped again, so whatever a stranger wrote is only text.
//!
//! ```
//! use arbiter::report::author_page::author_page;
//! let page = author_page("# bot-1f in cup\n\n- Came `<b>`: a \\<b\\>\n", "ab12", &["bot-1f~bot-2a.1".into()]);
//! assert!(page.contains("<h1>bot-1f in cup</h1>\n<ul>\n<li>Came <code>&lt;b&gt;</code>: a &lt;b&gt;</li>\n</ul>\n"), "{page}");
//! assert!(page.contains("<meta name=\"robots\" content=\"noindex, nofollow\">"));
//! assert!(page.contains("<a href=\"ab12/bot-1f~bot-2a.1.pgn\" download>bot-1f~bot-2a.1.pgn</a>"));
//! ```

use super::escape::xml;
use std::fmt::Write;

const HEAD: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
pre { overflow-x: auto; padding: .75rem; border: 1px solid; border-radius: .25rem; line-height: 1.3 }
</style>
"#;

/// The page of this Markdown, with links to the logs of these games, which lie in the folder `logs` beside it.
#[must_use]
pub fn author_page(markdown: &str, logs: &str, games: &[String]) -> String {
    let mut out = HEAD.to_owned();
    let title = markdown.lines().next().unwrap_or_default().trim_start_matches(['#', ' ']);
    let _ = write!(out, "<title>{}</title>\n</head>\n<body>\n", inline(title)); // writing to a String cannot fail
    body(&mut out, markdown);
    if !games.is_empty() {
        out.push_str("<h2>Logs</h2>\n<ul>\n");
        for game in games {
            let file = xml(&format!("{game}.pgn"));
            let _ = writeln!(out, "<li><a href=\"{}/{file}\" download>{file}</a></li>", xml(logs));
        }
        out.push_str("</ul>\n");
    }
    out + "</body>\n</html>\n"
}

fn body(out: &mut String, markdown: &str) {
    let mut lines = markdown.lines();
    let mut in_list = false;
    while let Some(line) = lines.next() {
        let item = line.strip_prefix("- ");
        if in_list != item.is_some() {
            out.push_str(if in_list { "</ul>\n" } else { "<ul>\n" });
            in_list = !in_list;
        }
        let fence: String = line.chars().take_while(|&letter| letter == '`').collect();
        let _ = match (item, line) {
            (Some(item), _) => writeln!(out, "<li>{}</li>", inline(item)),
            (None, "") => Ok(()),
            _ if fence.len() >= 3 => {
                let code: Vec<String> = lines.by_ref().take_while(|line| *line != fence).map(xml).collect();
                writeln!(out, "<pre>{}</pre>", code.join("\n"))
            }
            _ => match (line.strip_prefix("# "), line.strip_prefix("## ")) {
                (Some(title), _) => writeln!(out, "<h1>{}</h1>", inline(title)),
                (_, Some(heading)) => writeln!(out, "<h2>{}</h2>", inline(heading)),
                _ => writeln!(out, "<p>{}</p>", inline(line)),
            },
        };
    }
    if in_list {
        out.push_str("</ul>\n");
    }
}

/// A line: its code, and its other text without the backslashes and comments that Markdown needs.
fn inline(line: &str) -> String {
    let (mut out, mut text) = (String::new(), String::new());
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        if ticks > 0
            && let Some((code, after)) = closed(&rest[ticks..], ticks)
        {
            let padded = code.strip_prefix(' ').and_then(|code| code.strip_suffix(' '));
            let code = padded.filter(|code| code.starts_with('`') || code.ends_with('`')).unwrap_or(code);
            let _ = write!(out, "{}<code>{}</code>", xml(&std::mem::take(&mut text)), xml(code));
            rest = after;
        } else if let Some(after) = rest.strip_prefix("<!-- -->") {
            rest = after;
        } else {
            let escaped = rest.strip_prefix('\\').and_then(|rest| rest.chars().next());
            let shown = escaped.filter(char::is_ascii_punctuation);
            rest = &rest[letter.len_utf8() + shown.map_or(0, char::len_utf8)..];
            text.push(shown.unwrap_or(letter));
        }
    }
    out + &xml(&text)
}

/// The code up to the next run of so many backticks, and what follows it; none if there is no such run.
fn closed(text: &str, ticks: usize) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find('`')?;
        let run = text[at..].len() - text[at..].trim_start_matches('`').len();
        if run == ticks {
            return Some((&text[..at], &text[at + run..]));
        }
        from = at + run;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::escape::tests::HOSTILE;
    use crate::report::escape::{code, code_block, line, markdown};
    use proptest::prelude::*;

    /// The page shows a text as it is, as words, as code and in a block.
    fn is_shown(text: &str) -> Result<(), TestCaseError> {
        prop_assert_eq!(inline(&markdown(text)), xml(text));
        prop_assert_eq!(inline(&code(text)), format!("<code>{}</code>", xml(&pad(&line(text)))));
        let mut block = String::new();
        body(&mut block, &code_block(text.as_bytes()));
        prop_assert_eq!(block.matches('<').count(), 2, "{}", block);
        prop_assert!(block.starts_with("<pre>") && block.ends_with("</pre>\n"), "{}", block);
        Ok(())
    }

    /// Of no text a blank is shown.
    fn pad(text: &str) -> String {
        if text.is_empty() { "  ".to_owned() } else { text.to_owned() }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

        #[test]
        fn any_text_is_shown(text in "(\\PC|\\pC|[|`:@#\\[<\n\\\\ ]){0,40}") {
            is_shown(&text)?;
        }
    }

    #[test]
    fn what_strangers_wrote_is_text() {
        HOSTILE.iter().for_each(|text| is_shown(text).unwrap());
    }
}
