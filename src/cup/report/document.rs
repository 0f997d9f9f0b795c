//! Documents of tables and sentences, as text for terminals and as Markdown.
//!
//! Owns the layout of the parts, not their content. Cells and sentences may hold text from other
//! people; they are escaped here, when they are written.

use super::escape;
use unicode_width::UnicodeWidthStr;

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentPart {
    /// The title of the document.
    Title(String),
    /// The heading of the following parts.
    Heading(&'static str),
    Table(DocumentTable),
    /// Sentences, one on each line.
    Lines(Vec<String>),
}

/// A table with text and number columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentTable {
    pub columns: Vec<TableColumn>,
    pub rows: Vec<Vec<String>>,
}

impl DocumentTable {
    /// Adds a column; the first one decides how many rows there are.
    pub fn push(&mut self, column: TableColumn, cells: impl IntoIterator<Item = String>) {
        let is_first = self.columns.is_empty();
        self.columns.push(column);
        for (row, cell) in cells.into_iter().enumerate() {
            if is_first {
                self.rows.push(Vec::new());
            }
            self.rows[row].push(cell);
        }
    }
}

/// The header of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    pub head: String,
    pub kind: ColumnKind,
}

/// The kind of values in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Words,
    Number,
}

impl TableColumn {
    pub fn words(head: &str) -> TableColumn {
        TableColumn { head: head.to_owned(), kind: ColumnKind::Words }
    }

    pub fn number(head: &str) -> TableColumn {
        TableColumn { head: head.to_owned(), kind: ColumnKind::Number }
    }
}

/// The width of a terminal, in columns. Wider tables are continued below.
const WIDTH: usize = 80;

/// Text for a terminal: aligned columns, a blank line between parts.
pub fn text(parts: &[DocumentPart]) -> String {
    let mut out = String::new();
    let mut under_heading = true;
    for part in parts {
        if !under_heading {
            out.push('\n');
        }
        under_heading = matches!(part, DocumentPart::Heading(_));
        match part {
            DocumentPart::Title(title) => out += &(escape::line(title) + "\n"),
            DocumentPart::Heading(heading) => out += &format!("{heading}:\n"),
            DocumentPart::Table(table) => out += &aligned(table),
            DocumentPart::Lines(lines) => {
                for line in lines {
                    out += &(escape::line(line) + "\n");
                }
            }
        }
    }
    out
}

/// A table with aligned columns, two spaces apart. If it is wider than [`WIDTH`], it is continued
/// in further tables, which repeat the columns up to the first one of words.
fn aligned(table: &DocumentTable) -> String {
    let heads = table.columns.iter().map(|column| escape::line(&column.head)).collect();
    // Widths are those of the escaped text, so everything is escaped before it is measured.
    let mut rows: Vec<Vec<String>> = vec![heads];
    for row in &table.rows {
        rows.push(row.iter().map(|cell| escape::line(cell)).collect());
    }
    let mut widths = vec![0; table.columns.len()];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    let mut out = String::new();
    for page in pages(table, &widths) {
        if !out.is_empty() {
            out.push('\n');
        }
        for row in &rows {
            let mut line = String::new();
            for &column in &page {
                let cell = &row[column];
                let blanks = " ".repeat(widths[column] - cell.width());
                line += &match table.columns[column].kind {
                    ColumnKind::Words => format!("{cell}{blanks}  "),
                    ColumnKind::Number => format!("{blanks}{cell}  "),
                };
            }
            out += line.trim_end();
            out.push('\n');
        }
    }
    out
}

/// The columns of each of the tables into which a table is divided.
fn pages(table: &DocumentTable, widths: &[usize]) -> Vec<Vec<usize>> {
    // The columns up to the first one of words, which says what a line is about, stand in each.
    let named = table.columns.iter().position(|column| column.kind == ColumnKind::Words);
    let repeated: Vec<usize> = match named {
        Some(words) => (0..=words).collect(),
        None => Vec::new(),
    };
    let mut pages = Vec::new();
    let mut page = repeated.clone();
    for (column, width) in widths.iter().enumerate().skip(repeated.len()) {
        let taken: usize = page.iter().map(|&shown| widths[shown] + 2).sum();
        // A column that is too wide even alone is still shown.
        if page.len() > repeated.len() && taken + width > WIDTH {
            pages.push(std::mem::replace(&mut page, repeated.clone()));
        }
        page.push(column);
    }
    pages.push(page);
    pages
}

pub fn markdown(parts: &[DocumentPart]) -> String {
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() {
            out.push('\n');
        }
        match part {
            DocumentPart::Title(title) => out += &format!("# {}\n", escape::markdown(title)),
            DocumentPart::Heading(heading) => out += &format!("## {heading}\n"),
            DocumentPart::Table(table) => out += &piped(table),
            DocumentPart::Lines(lines) => {
                for line in lines {
                    out += &format!("- {}\n", escape::markdown_line(line));
                }
            }
        }
    }
    out
}

fn piped(table: &DocumentTable) -> String {
    let mut heads = String::from("|");
    let mut rule = String::from("|");
    for column in &table.columns {
        heads += &format!(" {} |", escape::markdown(&column.head));
        rule += match column.kind {
            ColumnKind::Words => " --- |",
            ColumnKind::Number => " ---: |",
        };
    }
    let mut out = format!("{heads}\n{rule}\n");
    for row in &table.rows {
        out.push('|');
        for cell in row {
            out += &format!(" {} |", escape::markdown(cell));
        }
        out.push('\n');
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
