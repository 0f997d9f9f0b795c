//! The answer `WORD PLY`, of each dialect that has one.

use crate::NearlyAPly;
use arbiter_rules::text::printable;
use arbiter_rules::{Ply, Position};

/// The most bytes of a line that is quoted.
const QUOTED: usize = 120;
/// What programs print for a value that is not there.
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
        return Err(format!("no ply follows the word {word}"));
    }
    let ruleset = position.ruleset();
    let ply = if text.contains(|c: char| c.is_ascii_whitespace()) {
        ruleset.read_ply(&text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
    } else {
        ruleset.read_ply(text)
    };
    if NOTHING.contains(&text) && !ply.as_ref().is_ok_and(|&ply| position.is_legal(ply)) {
        return Err(
            "that is how a program prints a value that is not there: it chose no ply".to_owned()
        );
    }
    ply.map_err(|error| error.to_string())
}

/// If a line is a legal ply except for its form: what is wrong, and the answer with `word` that is
/// right.
pub(super) fn nearly_a_ply(position: &Position, line: &[u8], word: &str) -> Option<NearlyAPly> {
    let line = str::from_utf8(line.trim_ascii()).ok()?;
    let legal = |text: &str| {
        let ply = position.ruleset().read_ply(text).ok()?;
        position.is_legal(ply).then(|| position.ruleset().ply_text(ply).to_string())
    };
    if let Some(ply) = legal(line) {
        let correction = format!("{word} {ply}");
        let mistake = format!("\"{ply}\" came without the word {word}: write \"{correction}\"");
        return Some(NearlyAPly { mistake, correction });
    }
    let bare = bare_ply(line)?;
    let ply = legal(bare).or_else(|| legal(&bare.to_ascii_lowercase()))?;
    let correction = Some(format!("{word} {ply}")).filter(|correction| correction != line)?;
    let came = printable(line.as_bytes(), QUOTED);
    let case = if line.to_ascii_lowercase() == correction { ", in lower case" } else { "" };
    Some(NearlyAPly {
        mistake: format!("\"{came}\" came: write \"{correction}\"{case}"),
        correction,
    })
}

/// What may be a ply in a line that begins with `move`, `bestmove` or a sign such as `>`; none if
/// nothing is left.
fn bare_ply(line: &str) -> Option<&str> {
    let is_sign = |c: char| !c.is_ascii_alphanumeric();
    let line = line.trim_matches(is_sign);
    let after = |word: &&str| {
        let (start, rest) = line.split_at_checked(word.len())?;
        start.eq_ignore_ascii_case(word).then_some(rest)
    };
    let line = ["bestmove", "move"].iter().find_map(after).unwrap_or(line);
    Some(line.trim_matches(is_sign)).filter(|rest| !rest.is_empty())
}
