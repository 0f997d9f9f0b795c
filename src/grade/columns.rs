//! Tables on a terminal.

use unicode_width::UnicodeWidthStr as _;

/// The rows as lines, each with a newline: the cells of the first column begin below each other,
/// those of the others end so.
///
/// ```
/// let rows = [["bot", "points"], ["小明", "1"], ["greta", "12"]].map(|row| row.map(str::to_owned).to_vec());
/// assert_eq!(arbiter_grade::aligned(&rows), "bot    points\n小明        1\ngreta      12\n");
/// ```
pub fn aligned(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(width - cell.width());
            if at == 0 {
                line = cell.clone() + &pad;
            } else {
                line += &format!("  {pad}{cell}");
            }
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}
