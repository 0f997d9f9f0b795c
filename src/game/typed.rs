//! Reads what a person types for a ply: at a terminal or in a browser, where no dialect stands
//! between the person and the rules.

use super::Reply;
use arbiter_rules::Position;
use arbiter_rules::text::printable;

/// The most bytes of what was typed that a message quotes; no ply is as long.
const TYPED: usize = 40;

/// The answer that a person types for this position: a legal ply, or `resign`.
///
/// # Errors
/// A sentence for the person, with an example of a legal ply.
///
/// ```
/// use arbiter_game::typed_reply;
/// use arbiter_rules::Ruleset;
/// let start = Ruleset::named("loa", "").unwrap().start();
/// assert!(typed_reply(&start, " a2c4 ").is_ok());
/// let refused = typed_reply(&start, "a9").unwrap_err();
/// assert!(refused.starts_with("expected one of 36 legal moves such as \"a1a7\"; came \"a9\": "));
/// ```
pub fn typed_reply(position: &Position, typed: &str) -> Result<Reply, String> {
    let typed = typed.trim();
    if typed == "resign" {
        return Ok(Reply::Resign);
    }
    let refused = match position.ruleset().read_ply(typed) {
        Ok(ply) => match position.check(ply) {
            Ok(()) => return Ok(Reply::Ply(ply)),
            Err(illegal) => illegal.to_string(),
        },
        Err(unread) => unread.to_string(),
    };
    let legal = legal_texts(position);
    let example = legal.first().map(String::as_str).unwrap_or_default();
    Err(format!(
        "expected one of {} legal moves such as \"{example}\"; came \"{}\": {refused}",
        legal.len(),
        printable(typed.as_bytes(), TYPED)
    ))
}

/// The legal plies of a position as text, sorted.
pub fn legal_texts(position: &Position) -> Vec<String> {
    let ruleset = position.ruleset();
    position.sorted_plies().into_iter().map(|ply| ruleset.ply_text(ply).to_string()).collect()
}
