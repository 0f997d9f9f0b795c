//! The results of a class, for its teacher: a page and a table for other programs.

use super::marks::{MarkedPart, MarkedSubmission};
use super::naming::Naming;
use super::points::rounded;
use super::sheet::Sheet;
use arbiter_cup::report::escape;
use arbiter_rules::text::counted;
use std::collections::BTreeMap;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr as _;

/// The most lines of what fails.
const LISTED: usize = 20;

/// The parts of a class, which all of its submissions have.
fn parts(class: &[MarkedSubmission]) -> &[MarkedPart] {
    class.first().map_or(&[], |first| &first.parts)
}

/// The points of each part, and their sum.
fn row(marked: &MarkedSubmission) -> Vec<f64> {
    let mut row: Vec<f64> = marked.parts.iter().map(|part| part.points).collect();
    row.push(marked.points());
    row
}

/// The mean of each column, rounded.
fn means(rows: &[Vec<f64>]) -> Vec<f64> {
    let mut means = Vec::new();
    for column in 0..rows[0].len() {
        let sum: f64 = rows.iter().map(|row| row[column]).sum();
        means.push(rounded(sum / rows.len() as f64));
    }
    means
}

/// Appends a row of a table of Markdown.
fn push_row(page: &mut String, head: &str, points: &[f64]) {
    let _ = write!(page, "| {head} |");
    for number in points {
        let _ = write!(page, " {number} |");
    }
    page.push('\n');
}

impl Sheet {
    /// The page of a class, in Markdown: a row a student, the means, and what fails most often.
    pub fn class(&self, class: &[MarkedSubmission]) -> String {
        let parts = parts(class);
        let mut page = format!(
            "# {}: {}\n\n| submission |",
            escape::markdown(&self.assignment.name),
            counted(class.len() as u64, "submission")
        );
        for part in parts {
            let _ = write!(page, " {} /{} |", escape::markdown(&part.name), part.most);
        }
        let most = class.first().map_or(0.0, MarkedSubmission::most);
        let _ = write!(page, " all /{most} |\n| --- |{}\n", " ---: |".repeat(parts.len() + 1));
        let rows: Vec<_> = class.iter().map(row).collect();
        for (marked, row) in std::iter::zip(class, &rows) {
            push_row(&mut page, &escape::markdown(&marked.name), row);
        }
        if !rows.is_empty() {
            push_row(&mut page, "*mean*", &means(&rows));
        }
        page.push_str(&failures(class));
        page
    }

    /// The table of a class as comma-separated values: a row a student, a column a part, and the
    /// sum.
    pub fn class_csv(&self, class: &[MarkedSubmission]) -> String {
        let mut out = String::from("submission");
        for part in parts(class) {
            out += &format!(",{}", cell(&part.name));
        }
        out += ",all\n";
        for marked in class {
            out += &cell(&marked.name);
            for points in row(marked) {
                out += &format!(",{points}");
            }
            out.push('\n');
        }
        out
    }
}

/// How many submissions fail in what, the most frequent first.
fn failures(class: &[MarkedSubmission]) -> String {
    let mut counts: BTreeMap<(&str, String), u64> = BTreeMap::new();
    for marked in class {
        for part in &marked.parts {
            if let Some(naming) = Naming::of(&part.cases) {
                *counts.entry((&part.name, naming.words())).or_default() += 1;
            }
        }
    }
    if counts.is_empty() {
        return String::new();
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    // A stable sort: equal ones stay in the order of parts.
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut text = "\n## What fails\n\n| part | what the failing cases share | submissions |\n\
         | --- | --- | ---: |\n"
        .to_owned();
    for ((part, words), count) in rows.iter().take(LISTED) {
        let _ = writeln!(
            text,
            "| {} | {} | {count} |",
            escape::markdown(part),
            escape::markdown(words)
        );
    }
    if rows.len() > LISTED {
        let _ = writeln!(text, "\nand {} more", rows.len() - LISTED);
    }
    text
}

/// A cell of comma-separated values (RFC 4180). A text that a spreadsheet would compute gets an
/// apostrophe in front.
fn cell(text: &str) -> String {
    let mut text = escape::line(text);
    if text.trim_start().starts_with(['=', '+', '-', '@']) {
        text.insert(0, '\'');
    }
    // A `;` separates cells where a comma is the decimal mark, and some programs cut blanks at
    // ends.
    if text.contains([',', '"', ';']) || text.trim().width() != text.width() {
        text = format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::samples::{gekitai, submission};

    #[test]
    fn a_class_has_a_row_a_student_and_what_fails() {
        let sheet = gekitai();
        let class = [
            submission("ada", [1.0; 4]),
            submission("b|ob, \"=1\"", [1.0, 0.0, 0.0, 1.0]),
            submission("=cmd()", [1.0, 0.0, 0.0, 1.0]),
            submission("zoe", [0.0; 4]),
        ];
        assert_eq!(
            sheet.class(&class),
            "\
# gekitai: 4 submissions

| submission | builds /5 | program /40 | all /45 |
| --- | ---: | ---: | ---: |
| ada | 4 | 40 | 44 |
| b\\|ob, \"=1\" | 4 | 26.7 | 30.7 |
| =cmd() | 4 | 26.7 | 30.7 |
| zoe | 4 | 0 | 4 |
| *mean* | 4 | 23.4 | 27.4 |

## What fails

| part | what the failing cases share | submissions |
| --- | --- | ---: |
| program | push over an edge | 2 |
| program | all cases | 1 |
"
        );
        assert_eq!(
            sheet.class_csv(&class),
            "submission,builds,program,all\nada,4,40,44\n\"b|ob, \"\"=1\"\"\",4,26.7,30.7\n'=cmd(),4,26.7,30.7\nzoe,4,0,4\n"
        );
        assert_eq!(sheet.class_csv(&[]), "submission,all\n");
        assert!(sheet.class(&[]).starts_with("# gekitai: 0 submissions\n"));
    }
}
