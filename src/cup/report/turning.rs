//! Where a game was lost, as text and as JSON: what is proved of its plies.
//!
//! ```
//! use arbiter_cup::report::turning;
//! use arbiter_game::{proof::Turning, record::read_log};
//! let log = b"[White \"o\"] [Black \"x\"] [Result \"1-0\"] [Game \"lineup\"] [Outcome \"win\"] [Termination \"line\"]
//!     [Options \"n=3 s=3 blocks=none\"] 1. a0 a1 2. b0 b1 3. c0 1-0";
//! let record = read_log(log).next().unwrap().unwrap();
//! let lost = Turning::of(&record, 1_000_000).unwrap();
//! let text = turning::text(&record, &lost);
//! assert!(text.contains("\nply 2, X x: a1 loses by force in 6; b1 draws\n"), "{text}");
//! ```

use super::json::{VERSION, line};
use super::text::{board, game, player};
use arbiter_game::proof::{Claim, EVER, Turning, Unproved, Value};
use arbiter_game::record::Record;
use arbiter_rules::text::printable;
use arbiter_rules::{Ply, Ruleset, Side};
use serde::Serialize;
use std::fmt::Write;

/// What is proved of a ply in one sentence without its number; `mark` is how a ply is written.
#[must_use]
pub fn sentence(claim: &Claim, mark: impl Fn(&str) -> String) -> String {
    let ruleset = claim.before.ruleset();
    let mark = |ply: Ply| mark(&ruleset.ply_text(ply).to_string());
    let played = mark(claim.played);
    match (&claim.better, claim.value) {
        (Some((ply, win @ Value::Wins { .. })), None) => {
            format!("{} {win}; {played} was played", mark(*ply))
        }
        (Some((ply, win @ Value::Wins { .. })), Some(value)) => {
            format!("{} {win}; {played} was played, which {value}", mark(*ply))
        }
        (Some((ply, better)), Some(value)) => format!("{played} {value}; {} {better}", mark(*ply)),
        (None, Some(value)) => format!("{played} {value}; no other ply is proved to be better"),
        (Some((ply, better)), None) => format!("{} {better}; {played} was played", mark(*ply)),
        (None, None) => format!("nothing is proved of {played}"),
    }
}

/// The plies of the proof of a claim with their numbers: `25. d2b4  26. a1a3`.
#[must_use]
pub fn proof_line(claim: &Claim) -> String {
    let ruleset = claim.before.ruleset();
    let plies = claim.line.iter().zip(claim.number..);
    plies
        .map(|(&ply, number)| format!("{number}. {}", ruleset.ply_text(ply)))
        .collect::<Vec<_>>()
        .join("  ")
}

/// What is proved of a game, with the board before each ply that something is said of; ends with a
/// newline.
#[must_use]
pub fn text(record: &Record, turning: &Turning) -> String {
    let ruleset = record.ruleset();
    let loser = turning.loser;
    let name = printable(record.players[loser].as_bytes(), 64);
    let mut out = format!("{}\n", game(record));
    for claim in &turning.claims {
        let number = claim.number;
        let said = sentence(claim, str::to_owned);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "\nply {number}, {} {name}: {said}", ruleset.letter(loser));
        let _ = writeln!(out, "\n{}\n\nposition: {}", board(&claim.before), claim.before);
        let _ = writeln!(out, "proof: {}", proof_line(claim));
    }
    let _ = match turning.turned {
        Some(turned) => {
            writeln!(out, "\nThe loss of {} is proved from ply {turned} on.", player(record, loser))
        }
        None => {
            writeln!(out, "\nThe loss of {} is proved before its first ply.", player(record, loser))
        }
    };
    if let Some(first) = turning.values.iter().position(Option::is_some) {
        let _ = writeln!(out, "The plies from {} on, each for its side:", first + 1);
        for (at, value) in turning.values.iter().enumerate() {
            if let Some(value) = value {
                let _ = writeln!(
                    out,
                    "  {}. {} {value}",
                    at + 1,
                    ruleset.ply_text(record.plies[at].ply)
                );
            }
        }
    }
    out
}

#[derive(Serialize)]
struct TurningObject<'a> {
    r#type: &'static str,
    v: u32,
    id: Option<&'a str>,
    game: &'a str,
    loser: Option<&'a str>,
    unproved: Option<String>,
    turned: Option<usize>,
    claims: Vec<ClaimObject>,
    values: Vec<Option<ValueObject>>,
    nodes: u64,
}

#[derive(Serialize)]
struct ClaimObject {
    ply: usize,
    position: String,
    played: String,
    value: Option<ValueObject>,
    better: Option<String>,
    better_value: Option<ValueObject>,
    proof: Vec<String>,
}

#[derive(Serialize)]
struct ValueObject {
    value: &'static str,
    within: Option<u16>,
    shortest: bool,
}

impl ValueObject {
    fn new(value: Value) -> ValueObject {
        let (word, within, shortest) = match value {
            Value::Wins { within, is_shortest } => ("wins", Some(within), is_shortest),
            Value::Loses { within, is_shortest } => ("loses", Some(within), is_shortest),
            Value::Draws => ("draws", None, false),
            Value::Holds(within) => {
                ("does-not-lose", Some(within).filter(|&within| within != EVER), false)
            }
        };
        ValueObject { value: word, within, shortest }
    }
}

impl ClaimObject {
    fn new(claim: &Claim, ruleset: &Ruleset) -> ClaimObject {
        let text = |ply: Ply| ruleset.ply_text(ply).to_string();
        ClaimObject {
            ply: claim.number,
            position: claim.before.to_string(),
            played: text(claim.played),
            value: claim.value.map(ValueObject::new),
            better: claim.better.map(|(ply, _)| text(ply)),
            better_value: claim.better.map(|(_, value)| ValueObject::new(value)),
            proof: claim.line.iter().map(|&ply| text(ply)).collect(),
        }
    }
}

/// The side that lost a game by the rules, also where nothing is proved; none if the log
/// contradicts them.
#[must_use]
pub fn loser(record: &Record, turning: &Result<Turning, Unproved>) -> Option<Side> {
    match turning {
        Err(Unproved::Invalid { .. }) => None,
        Ok(_) | Err(Unproved::NotLost(_) | Unproved::OwnGame(_) | Unproved::TooLong(_)) => {
            record.outcome.loser_by_rules()
        }
    }
}

/// The object of a game (docs/gamelog.md, JSON), without a newline.
#[must_use]
pub fn json(record: &Record, turning: &Result<Turning, Unproved>) -> String {
    let ruleset = record.ruleset();
    let found = turning.as_ref().ok();
    let claims = found.iter().flat_map(|turning| &turning.claims);
    let values = found.iter().flat_map(|turning| &turning.values);
    line(&TurningObject {
        r#type: "turning",
        v: VERSION,
        id: record.id.as_deref(),
        game: ruleset.game().name(),
        loser: loser(record, turning).map(|side| record.players[side].as_str()),
        unproved: turning.as_ref().err().map(ToString::to_string),
        turned: found.and_then(|turning| turning.turned),
        claims: claims.map(|claim| ClaimObject::new(claim, &ruleset)).collect(),
        values: values.map(|value| value.map(ValueObject::new)).collect(),
        nodes: found.map_or(0, |turning| turning.nodes),
    })
}
