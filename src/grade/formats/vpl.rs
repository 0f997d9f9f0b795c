//! The output of an evaluation of VPL for Moodle: comments, then the grade.
//!
//! A line of a comment that begins with `>` is shown with fixed width, one with `-` is a heading.
//! No text of a submission is at the beginning of a line.

use super::super::marks::MarkedSubmission;
use super::super::sheet::Sheet;
use arbiter_cup::report::escape;
use std::fmt::Write;

pub(super) fn text(sheet: &Sheet, marked: &MarkedSubmission) -> String {
    let mut out = String::new();
    for part in &marked.parts {
        let heading = format!("{}: {} of {}", escape::line(&part.name), part.points, part.most);
        let _ = writeln!(out, "Comment :=>> -{heading}"); // writing to a String cannot fail
        for line in sheet.part_as_text(part).lines() {
            let _ = writeln!(out, "Comment :=>> >{line}");
        }
    }
    if !marked.remarks.is_empty() {
        out.push_str("Comment :=>> -Remarks, which cost no points\n");
    }
    for remark in &marked.remarks {
        let _ = writeln!(out, "Comment :=>> >{}", escape::line(remark));
    }
    let _ = writeln!(out, "Grade :=>> {}", marked.points());
    out
}
