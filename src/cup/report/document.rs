//! Documents of tables and sentences, as text for terminals and as Markdown.
//!
//! Owns the layout of the parts, not their content. Cells and sentences may hold text from other
//! people; they are escaped here, when they are written.

use super::escape;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DocumentPart {
    /// The title of the document.
    Title(String),
    /// The heading of the following parts.
    Heading(&'static str),
    Table(DocumentTable),
    /// Sentences, one on each line.
    Lines(Vec<String>),
}

/// A table with text and number columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocumentTable {
    pub(super) columns: Vec<TableColumn>,
    pub(super) rows: Vec<Vec<String>>,
}

/// The header of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableColumn {
    pub(super) head: String,
    pub(super) kind: ColumnKind,
}

/// The kind of values in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Words,
    Number,
}

impl TableColumn {
    pub(super) fn words(head: &str) -> TableColumn {
        TableColumn { head: head.to_owned(), kind: ColumnKind::Words }
    }

    pub(super) fn number(head: &str) -> TableColumn {
        TableColumn { head: head.to_owned(), kind: ColumnKind::Number }
    }
}

/// The width of a terminal, in columns. Wider tables are continued below.
const WIDTH: usize = 80;

/// Text for a terminal: aligned columns, a blank line between parts.
pub(super) fn text(blocks: &[DocumentPart]) -> String {
    let parts = blocks.iter().map(|block| match block {
        DocumentPart::Title(title) => escape::line(title) + "\n",
        DocumentPart::Heading(heading) => format!("{heading}:\n"),
        DocumentPart::Table(table) => aligned(table),
        DocumentPart::Lines(lines) => lines.iter().map(|line| escape::line(line) + "\n").collect(),
    });
    let mut out = String::new();
    let mut under_heading = true;
    for (part, block) in parts.zip(blocks) {
        if !under_heading {
            out.push('\n');
        }
        out.push_str(&part);
        under_heading = matches!(block, DocumentPart::Heading(_));
    }
    out
}

/// A table with aligned columns, two spaces apart. If it is wider than [`WIDTH`], it is continued
/// in further tables, which repeat the columns up to the first one of words.
fn aligned(table: &DocumentTable) -> String {
    let heads: Vec<String> =
        table.columns.iter().map(|column| escape::line(&column.head)).collect();
    let rows = table.rows.iter().map(|row| row.iter().map(|cell| escape::line(cell)).collect());
    let all: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let widest =
        |column: usize| all.iter().map(|row| row[column].width()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..table.columns.len()).map(widest).collect();
    let mut out = String::new();
    for columns in pages(table, &widths) {
        if !out.is_empty() {
            out.push('\n');
        }
        for row in &all {
            let cells = columns.iter().map(|&column| {
                let cell = &row[column];
                let blanks = " ".repeat(widths[column] - cell.width());
                match table.columns[column].kind {
                    ColumnKind::Words => format!("{cell}{blanks}"),
                    ColumnKind::Number => format!("{blanks}{cell}"),
                }
            });
            out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            out.push('\n');
        }
    }
    out
}

/// The columns of each of the tables into which a table is divided.
fn pages(table: &DocumentTable, widths: &[usize]) -> Vec<Vec<usize>> {
    let named = table.columns.iter().position(|column| column.kind == ColumnKind::Words);
    let repeated: Vec<usize> = (0..named.map_or(0, |words| words + 1)).collect();
    let width = |columns: &[usize]| columns.iter().map(|&column| widths[column] + 2).sum::<usize>();
    let mut pages = vec![repeated.clone()];
    for (column, own) in widths.iter().enumerate().skip(repeated.len()) {
        let full = |page: &Vec<usize>| page.len() > repeated.len() && width(page) + own > WIDTH;
        if pages.last().is_some_and(full) {
            pages.push(repeated.clone());
        }
        if let Some(page) = pages.last_mut() {
            page.push(column);
        }
    }
    pages
}

pub(super) fn markdown(blocks: &[DocumentPart]) -> String {
    let parts = blocks.iter().map(|block| match block {
        DocumentPart::Title(title) => format!("# {}\n", escape::markdown(title)),
        DocumentPart::Heading(heading) => format!("## {heading}\n"),
        DocumentPart::Table(table) => piped(table),
        DocumentPart::Lines(lines) => {
            lines.iter().map(|line| format!("- {}\n", escape::markdown_line(line))).collect()
        }
    });
    parts.collect::<Vec<_>>().join("\n")
}

fn piped(table: &DocumentTable) -> String {
    let mut out = String::new();
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out.push_str(&row(table.columns.iter().map(|column| escape::markdown(&column.head)).collect()));
    let rule = table.columns.iter().map(|column| match column.kind {
        ColumnKind::Words => "---",
        ColumnKind::Number => "---:",
    });
    let _ = writeln!(out, "| {} |", rule.collect::<Vec<_>>().join(" | ")); // writing to a String cannot fail
    for cells in &table.rows {
        out.push_str(&row(cells.iter().map(|cell| escape::markdown(cell)).collect()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_table_is_continued_below() {
        let columns = ["rank", "bot"].into_iter().chain(["a column of thirty-odd characters"; 4]);
        let columns = columns.map(|head| match head {
            "bot" => TableColumn::words(head),
            head => TableColumn::number(head),
        });
        let mut row = vec!["1".to_owned(), "conny".to_owned()];
        row.extend((0..4).map(|number| number.to_string()));
        let text = aligned(&DocumentTable { columns: columns.collect(), rows: vec![row] });
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!(lines.len(), 11, "{text}");
        assert_eq!(lines[0], "rank  bot    a column of thirty-odd characters");
        assert_eq!(lines[10].split_whitespace().collect::<Vec<_>>(), ["1", "conny", "3"]);
    }

    #[test]
    fn letters_of_two_columns_and_of_none_move_no_other_column() {
        let columns = vec![TableColumn::words("bot"), TableColumn::number("points")];
        let rows = ["ann", "小明", "Zoe\u{308}"]
            .map(|name| vec![name.to_owned(), "1.0".to_owned()])
            .into();
        let shown = aligned(&DocumentTable { columns, rows });
        assert_eq!(shown, "bot   points\nann      1.0\n小明     1.0\nZoe\u{308}      1.0\n");
    }

    #[test]
    fn a_page_in_both_forms() {
        let table = DocumentTable {
            columns: vec![TableColumn::words("bot"), TableColumn::number("points")],
            rows: vec![vec!["a|b".into(), "1.5".into()], vec!["<c>".into(), "-".into()]],
        };
        let blocks = [
            DocumentPart::Title("cup".into()),
            DocumentPart::Heading("Games"),
            DocumentPart::Table(table),
            DocumentPart::Lines(vec!["Said @all.".into(), "::error::".into()]),
        ];
        assert_eq!(
            text(&blocks),
            "cup\n\nGames:\nbot  points\na|b     1.5\n<c>       -\n\nSaid @all.\n:?error::\n"
        );
        assert_eq!(
            markdown(&blocks),
            "# cup\n\n## Games\n\n| bot | points |\n| --- | ---: |\n| a\\|b | 1.5 |\n| \\<c\\> | - |\n\n\
             - Said @<!-- -->all.\n- \\:?error\\::\n"
        );
    }
}
