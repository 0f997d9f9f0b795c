//! A page of tables and sentences, once as terminal text and once as Markdown.
//!
//! Owns how blocks look. Does not know what they say: cells and sentences come as they are, strangers' words among
//! them, and are escaped here, on their way out.

use super::escape;
use std::fmt::Write;

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// What the page is about.
    Title(String),
    /// What the next blocks are about.
    Heading(&'static str),
    /// Figures.
    Table(Table),
    /// Sentences, one a line.
    Lines(Vec<String>),
}

/// Figures in columns: those on the left are words, the others numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<String>>,
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) head: String,
    pub(super) kind: Kind,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Words,
    Number,
}

impl Column {
    pub(super) fn words(head: &str) -> Column {
        Column { head: head.to_owned(), kind: Kind::Words }
    }

    pub(super) fn number(head: &str) -> Column {
        Column { head: head.to_owned(), kind: Kind::Number }
    }
}

/// For a terminal: columns aligned, a blank line between blocks.
pub(super) fn text(blocks: &[Block]) -> String {
    let parts = blocks.iter().map(|block| match block {
        Block::Title(title) => escape::line(title) + "\n",
        Block::Heading(heading) => format!("{heading}:\n"),
        Block::Table(table) => aligned(table),
        Block::Lines(lines) => lines.iter().map(|line| escape::line(line) + "\n").collect(),
    });
    let mut out = String::new();
    let mut under_heading = true;
    for (part, block) in parts.zip(blocks) {
        if !under_heading {
            out.push('\n');
        }
        out.push_str(&part);
        under_heading = matches!(block, Block::Heading(_));
    }
    out
}

/// A table with aligned columns, two spaces apart.
pub(super) fn aligned(table: &Table) -> String {
    let heads: Vec<String> = table.columns.iter().map(|column| escape::line(&column.head)).collect();
    let rows = table.rows.iter().map(|row| row.iter().map(|cell| escape::line(cell)).collect());
    let all: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let widest = |column: usize| all.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..table.columns.len()).map(widest).collect();
    let mut out = String::new();
    for row in &all {
        let cells =
            row.iter().zip(&widths).zip(&table.columns).map(|((cell, &width), column)| match column.kind {
                Kind::Words => format!("{cell:<width$}"),
                Kind::Number => format!("{cell:>width$}"),
            });
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    out
}

/// For a page that is published.
pub(super) fn markdown(blocks: &[Block]) -> String {
    let parts = blocks.iter().map(|block| match block {
        Block::Title(title) => format!("# {}\n", escape::markdown(title)),
        Block::Heading(heading) => format!("## {heading}\n"),
        Block::Table(table) => piped(table),
        Block::Lines(lines) => {
            lines.iter().map(|line| format!("- {}\n", escape::markdown_line(line))).collect()
        }
    });
    parts.collect::<Vec<_>>().join("\n")
}

fn piped(table: &Table) -> String {
    let mut out = String::new();
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out.push_str(&row(table.columns.iter().map(|column| escape::markdown(&column.head)).collect()));
    let rule = table.columns.iter().map(|column| match column.kind {
        Kind::Words => "---",
        Kind::Number => "---:",
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
    fn a_page_in_both_forms() {
        let table = Table {
            columns: vec![Column::words("bot"), Column::number("points")],
            rows: vec![vec!["a|b".into(), "1.5".into()], vec!["<c>".into(), "-".into()]],
        };
        let blocks = [
            Block::Title("cup".into()),
            Block::Heading("Games"),
            Block::Table(table),
            Block::Lines(vec!["Said @all.".into(), "::error::".into()]),
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
