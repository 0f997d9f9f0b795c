//! The answer `WORD PLY`, of each dialect that has one.

use crate::NearlyAPly;
use arbiter_rules::text::printable;
use arbiter_rules::{Ply, Position};

/// The most bytes of a line that are quoted.
const QUOTED: usize = 120;
/// What programs print for a missing value.
const NOTHING: [&str; 8] = ["None", "null", "undefined", "NaN", "nil", "(null)", "(none)", "0000"];

/// The first word of a line, and the rest of it. White space at either end, a carriage return
/// included, is ignored.
pub(super) fn first_word(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    (word, rest.trim_ascii_start())
}

/// The ply in the text after `word`, legal or not.
///
/// # Errors
/// The reason why it is no ply of the game.
pub(super) fn read_ply(position: &Position, text: &[u8], word: &str) -> Result<Ply, String> {
    let text = str::from_utf8(text).map_err(|_| "it is not UTF-8 text")?;
    if text.is_empty() {
        return Err(format!("no move follows the word {word}"));
    }
    let ruleset = position.ruleset();
    // The text is copied only if it has white space, because every answer is read here.
    let ply = if text.contains(|c: char| c.is_ascii_whitespace()) {
        ruleset.read_ply(&text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
    } else {
        ruleset.read_ply(text)
    };
    // In a custom game any of these words may be a ply.
    if NOTHING.contains(&text) && !ply.as_ref().is_ok_and(|&ply| position.is_legal(ply)) {
        return Err(
            "that is how a program prints a value that is not there: it chose no move".to_owned()
        );
    }
    ply.map_err(|error| error.to_string())
}

/// What is wrong with an answer that was written before this request was read, as a clause.
pub(super) fn came_early(request: &str) -> String {
    format!("but before {request} was read: read on until {request}, then answer")
}

/// If a line is a legal ply except for its form: what is wrong, and the answer with `word` that is
/// right.
pub(super) fn nearly_a_ply(position: &Position, line: &[u8], word: &str) -> Option<NearlyAPly> {
    let line = str::from_utf8(line.trim_ascii()).ok()?;
    if let Some(ply) = legal_ply(position, line) {
        let correction = format!("{word} {ply}");
        let mistake = format!("\"{ply}\" came without the word {word}: write \"{correction}\"");
        return Some(NearlyAPly { mistake, correction });
    }
    let bare = bare_ply(line);
    // Capitals first: in a custom game they may count.
    let ply =
        legal_ply(position, bare).or_else(|| legal_ply(position, &bare.to_ascii_lowercase()))?;
    let correction = format!("{word} {ply}");
    if correction == line {
        return None;
    }
    let came = printable(line.as_bytes(), QUOTED);
    let case = if line.to_ascii_lowercase() == correction { ", in lower case" } else { "" };
    let mistake = format!("\"{came}\" came: write \"{correction}\"{case}");
    Some(NearlyAPly { mistake, correction })
}

/// A legal ply as the game writes it.
fn legal_ply(position: &Position, text: &str) -> Option<String> {
    let ruleset = position.ruleset();
    let ply = ruleset.read_ply(text).ok()?;
    position.is_legal(ply).then(|| ruleset.ply_text(ply).to_string())
}

/// A line without signs around it, such as `>`, and without `move` or `bestmove` before it.
fn bare_ply(line: &str) -> &str {
    fn is_sign(c: char) -> bool {
        !c.is_ascii_alphanumeric()
    }
    let line = line.trim_matches(is_sign);
    for word in ["bestmove", "move"] {
        if let Some((start, rest)) = line.split_at_checked(word.len())
            && start.eq_ignore_ascii_case(word)
        {
            return rest.trim_matches(is_sign);
        }
    }
    line
}
