//! Tables on a terminal.

use unicode_width::UnicodeWidthStr as _;

/// The rows as lines, each with a newline: the cells of the first column begin below each other,
/// those of the others end so.
///
/// ```
/// let rows = [["bot", "points"], ["小明", "1"], ["greta", "12"]].map(|row| row.map(str::to_owned).to_vec());
/// assert_eq!(arbiter_grade::aligned(&rows), "bot    points\n小明        1\ngreta      12\n");
/// ```
#[must_use]
pub fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width =
        |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.width()).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or_default()).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, width))| {
            let pad = " ".repeat(width - cell.width());
            if at == 0 { format!("{cell}{pad}") } else { format!("{pad}{cell}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
