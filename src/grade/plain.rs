//! A page as text for readers who know no Markdown: terminals, and systems that show what they get
//! as it is.

use super::columns::aligned;
use arbiter_cup::report::escape;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use unicode_width::UnicodeWidthStr as _;

/// What is before each line of a block of code.
const INDENT: &str = "    ";

/// A page as text: headings are underlined, blocks of code are indented, the cells of tables stand
/// below each other, and of what is escaped only the character itself is left.
pub(super) fn plain(markdown: &str) -> String {
    let mut page = Plain::default();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        page.add(event);
    }
    // The name of a submission may be `:error file=x::y`, which is nothing behind `# `.
    escape::lines(page.text.as_bytes()) + "\n"
}

/// What is written so far.
#[derive(Default)]
struct Plain {
    text: String,
    /// Where the last heading begins.
    heading: usize,
    /// The rows of a table, until it ends.
    rows: Vec<Vec<String>>,
    /// The text of a cell or a block of code, until it ends.
    inner: Option<String>,
}

impl Plain {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::TableCell) => self.inner = Some(String::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => self.rows.push(Vec::new()),
            Event::Start(Tag::Heading { .. }) => self.heading = self.text.len(),
            Event::Start(Tag::Item) => self.write("- "),
            Event::Text(text) => self.write(&text),
            Event::Code(code) => self.write(&format!("`{code}`")),
            Event::SoftBreak | Event::End(TagEnd::Item) => self.write("\n"),
            Event::End(TagEnd::TableCell) => {
                let cell = self.inner.take().unwrap_or_default();
                if let Some(row) = self.rows.last_mut() {
                    row.push(cell.clone());
                }
            }
            Event::End(TagEnd::Table) => {
                let table = aligned(&std::mem::take(&mut self.rows));
                self.write(&(table + "\n"));
            }
            Event::End(TagEnd::CodeBlock) => {
                let code = self.inner.take().unwrap_or_default();
                for line in code.lines() {
                    self.write(&format!("{}\n", format!("{INDENT}{line}").trim_end()));
                }
                self.write("\n");
            }
            Event::End(TagEnd::List(_)) => self.write("\n"),
            Event::End(TagEnd::Paragraph) => self.write("\n\n"),
            Event::End(TagEnd::Heading(_)) => {
                let width = self.text[self.heading..].width();
                self.write(&format!("\n{}\n\n", "-".repeat(width)));
            }
            _ => {}
        }
    }

    fn write(&mut self, text: &str) {
        self.inner.as_mut().unwrap_or(&mut self.text).push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_text() {
        let page = "\
# a\\_b: 3 of 5

| part | points |
| --- | ---: |
| builds\\_it | 4 |
| x | 12.5 |

- a.cpp\\:3\\:1: `int *p` \\<b\\>
- 1\\. @<!-- -->all

**What fails: rows.** All
of them.

```text
expected  4 · · X ↵

  printed  \\
```
next
";
        let expected = "\
a_b: 3 of 5
-----------

part       points
builds_it       4
x            12.5

- a.cpp:3:1: `int *p` <b>
- 1. @all

What fails: rows. All
of them.

    expected  4 · · X ↵

      printed  \\

next
";
        assert_eq!(plain(page), expected);
        assert_eq!(plain(""), "\n");
    }
}
