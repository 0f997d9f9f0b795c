//! A feedback page as HTML, for a reader who has a link to it alone.
//!
//! Its input is the Markdown of [`feedback`](super::feedback). All text in it is escaped again, and
//! links and HTML are left out, so everything that a stranger wrote is only text.
//!
//! ```
//! use arbiter_cup::report::author_page::author_page;
//! let markdown = "# bot-1f in cup\n\n- Came `<b>`: a \\<b\\>\n";
//! let page = author_page(markdown, &Default::default(), "ab12", &["bot-1f~bot-2a.1".into()]);
//! let shown = "<h1>bot-1f in cup</h1>\n\
//!     <ul>\n<li>Came <code>&lt;b&gt;</code>: a &lt;b&gt;</li>\n</ul>\n";
//! assert!(page.contains(shown), "{page}");
//! assert!(page.contains("<meta name=\"robots\" content=\"noindex, nofollow\">"));
//! assert!(page.contains("<a href=\"ab12/bot-1f~bot-2a.1.pgn\" download>bot-1f~bot-2a.1.pgn</a>"));
//! ```

use super::escape::xml;
use super::picture::Picture;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, html};
use std::collections::BTreeMap;

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
h2 { margin-top: 2.5rem; border-top: 1px solid #8888; padding-top: 1rem }
pre { padding: .75rem; border: 1px solid #8888; border-radius: .25rem; line-height: 1.3; white-space: pre-wrap }
table { width: 100%; table-layout: fixed; border-collapse: collapse }
th, td { width: 50%; padding: .5rem .75rem; border: 1px solid #8888; text-align: left; vertical-align: top }
figure { margin: 1rem 0 }
figure svg { display: block; max-width: 100%; height: auto; border-radius: .25rem }
</style>
"#;

/// The page of this Markdown, with pictures in the place of its `boards`, and with links to the
/// logs of these games, which lie in the folder `logs` beside it.
pub fn author_page(
    markdown: &str,
    boards: &BTreeMap<String, Picture>,
    logs: &str,
    games: &[String],
) -> String {
    let mut out = format!("{HEAD}<title>{}</title>\n</head>\n<body>\n", xml(&title(markdown)));
    html::push_html(&mut out, with_pictures(markdown, boards).into_iter());
    if !games.is_empty() {
        out += "<h2>Logs</h2>\n<ul>\n";
        let folder = xml(logs);
        for game in games {
            let file = xml(&format!("{game}.pgn"));
            out += &format!("<li><a href=\"{folder}/{file}\" download>{file}</a></li>\n");
        }
        out += "</ul>\n";
    }
    out + "</body>\n</html>\n"
}

/// The parts of the Markdown, with a picture in the place of each block that has the name of one.
/// Nobody else writes a block with such a name.
fn with_pictures<'a>(markdown: &'a str, boards: &BTreeMap<String, Picture>) -> Vec<Event<'a>> {
    let mut shown = Vec::new();
    let mut is_left_out = false;
    for event in events(markdown) {
        if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(name))) = &event
            && let Some(picture) = boards.get(&**name)
        {
            let figure = format!("<figure>\n{}</figure>\n", picture.svg());
            shown.push(Event::Html(figure.into()));
            is_left_out = true;
        }
        if !is_left_out {
            shown.push(event);
        } else if matches!(event, Event::End(TagEnd::CodeBlock)) {
            is_left_out = false;
        }
    }
    shown
}

/// The parts of the Markdown without links, pictures and HTML: nothing leads elsewhere. The text
/// inside a link stays.
fn events(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES).filter(|event| !is_foreign(event))
}

fn is_foreign(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::Html(_)
            | Event::InlineHtml(_)
            | Event::Start(Tag::HtmlBlock | Tag::Link { .. } | Tag::Image { .. })
            | Event::End(TagEnd::HtmlBlock | TagEnd::Link | TagEnd::Image)
    )
}

/// The words of the first heading.
fn title(markdown: &str) -> String {
    let mut title = String::new();
    for event in events(markdown) {
        match event {
            Event::Text(text) | Event::Code(text) => title += &text,
            Event::End(TagEnd::Heading(_)) => break,
            _ => {}
        }
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::escape::tests::HOSTILE;
    use crate::report::escape::{code, code_block, line, lines, markdown};
    use proptest::prelude::*;

    /// What a reader sees of Markdown, without its tags.
    fn seen(markdown: &str) -> String {
        let mut page = String::new();
        html::push_html(&mut page, events(markdown));
        let mut parts = page.split('<');
        let first = parts.next().unwrap().to_owned();
        let text = parts.fold(first, |text, part| text + part.split_once('>').unwrap().1);
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
        entities.into_iter().fold(text, |text, (entity, letter)| text.replace(entity, letter))
    }

    fn words(page: String) -> Vec<String> {
        page.split_whitespace().map(str::to_owned).collect()
    }

    /// The page shows a text as it is: between words, as code, and in a block.
    fn is_shown(text: &str) -> Result<(), TestCaseError> {
        let text_line = line(text);
        prop_assert_eq!(seen(&format!("a {} z", markdown(text))), format!("a {text_line} z\n"));
        prop_assert_eq!(
            words(seen(&format!("a {} z", code(text)))),
            words(format!("a {text_line} z"))
        );
        prop_assert_eq!(seen(&code_block(text.as_bytes())), lines(text.as_bytes()) + "\n\n");
        prop_assert_eq!(
            title(&format!("# a {} z\n\n# x", markdown(text))),
            format!("a {text_line} z")
        );
        Ok(())
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
        for text in &HOSTILE {
            is_shown(text).unwrap();
        }
    }

    #[test]
    fn boards_are_pictures_by_their_names_and_everything_else_is_text() {
        let start = arbiter_rules::Ruleset::named("loa", "").unwrap().start();
        let picture = Picture::with_arrow(&start, None, "<b>".to_owned());
        let boards = BTreeMap::from([("board-1".to_owned(), picture)]);
        let markdown = "```board-1\n  a b\n```\n\n```board-2\nx y\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n";
        let page = author_page(markdown, &boards, "", &[]);
        assert_eq!(page.matches("<svg").count(), 1);
        assert!(page.contains("<title>&lt;b&gt;</title>") && !page.contains("a b\n"), "{page}");
        assert!(page.contains("x y") && page.contains("<td>1</td><td>2</td>"), "{page}");
        // A phone shows whole commands.
        assert!(HEAD.contains("white-space: pre-wrap") && HEAD.contains("max-width: 100%"));
    }

    #[test]
    fn markup_and_links_are_left_out() {
        let mut page = String::new();
        html::push_html(
            &mut page,
            events("a <b onclick=x>b</b> [c](javascript:x) ![d](e)\n\n<script>f</script>\n"),
        );
        assert_eq!(page, "<p>a b c d</p>\n");
    }
}
