//! The ids of games, `A~B.N`: the names of the two bots in byte order, and the number of the game
//! between them, from 1 (docs/reference/tournaments.md, Games, pairs, ids).
//!
//! ```
//! use arbiter_game::game_id::{game_id, names_in, parts_of};
//! assert_eq!(game_id("zed", "alice", 3), "alice~zed.3");
//! assert_eq!(names_in("alice~zed.3"), Some(("alice", "zed")));
//! assert_eq!(parts_of("alice~zed.3"), Some(("alice~zed", 3)));
//! assert_eq!(parts_of("alice~zed.03"), None);
//! ```

/// The part of the ids of two bots' games that stands before the number.
pub fn pairing_name(one: &str, other: &str) -> String {
    format!("{}~{}", one.min(other), one.max(other))
}

/// The id of the game with this number between two bots.
pub fn game_id(one: &str, other: &str, number: u64) -> String {
    format!("{}.{number}", pairing_name(one, other))
}

/// The names of the two bots in a game's id.
pub fn names_in(id: &str) -> Option<(&str, &str)> {
    let (one, rest) = id.split_once('~')?;
    Some((one, rest.rsplit_once('.')?.0))
}

/// The names and the number in a game's id; `None` if the text has another form.
pub fn parts_of(id: &str) -> Option<(&str, u64)> {
    let (names, digits) = id.rsplit_once('.')?;
    let number: u64 = digits.parse().ok()?;
    // No `+1` and no `01`: each game has one id.
    (names.contains('~') && number.to_string() == digits && number > 0).then_some((names, number))
}
