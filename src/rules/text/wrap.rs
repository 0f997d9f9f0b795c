//! Long lines broken between words.

/// The text with every line that is longer than `columns` broken at blanks. A word that is longer
/// than a line stays in one piece, which the terminal breaks.
///
/// ```
/// use arbiter_rules::text::wrap;
/// assert_eq!(wrap("expected an answer within 1 s", 12), "expected an\nanswer\nwithin 1 s");
/// assert_eq!(wrap("a  b\n/a/long/path ends", 6), "a  b\n/a/long/path\nends");
/// ```
pub fn wrap(text: &str, columns: usize) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        // Blanks are written with the word behind them, and left out where the line is broken.
        let mut column = 0;
        let mut blanks = 0;
        for piece in line.split_inclusive(' ') {
            let word = piece.trim_end_matches(' ');
            let length = word.chars().count();
            if length > 0 {
                if column > 0 && column + blanks + length > columns {
                    out.push('\n');
                    column = 0;
                    blanks = 0;
                }
                out.extend(std::iter::repeat_n(' ', blanks));
                out.push_str(word);
                column += blanks + length;
                blanks = 0;
            }
            blanks += piece.len() - word.len();
        }
    }
    out
}

/// The text broken at blanks, with this before each of its lines, in so many columns altogether.
///
/// ```
/// use arbiter_rules::text::hanging;
/// let hung = hanging("expected an answer within 1 s", "  ", 14);
/// assert_eq!(hung, "  expected an\n  answer\n  within 1 s");
/// ```
pub fn hanging(text: &str, indent: &str, columns: usize) -> String {
    let broken = wrap(text, columns.saturating_sub(indent.len()));
    broken.split('\n').map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n")
}
