//! Where a game was lost, as text and as JSON: what is proved of its plies.
//!
//! ```
//! use arbiter_cup::report::turning;
//! use arbiter_game::{proof::Turning, record::read_log};
//! let log = b"[White \"o\"] [Black \"x\"] [Result \"1-0\"] [Game \"lineup\"] [Outcome \"win\"]
//!     [Termination \"line\"] [Options \"n=3 s=3 blocks=none\"] 1. a0 a1 2. b0 b1 3. c0 1-0";
//! let record = read_log(log).next().unwrap().unwrap();
//! let lost = Turning::of(&record, 1_000_000).unwrap();
//! let text = turning::text(&record, &lost);
//! assert!(text.contains("\nply 2, X x: a1 loses by force in 6; b1 draws\n"), "{text}");
//! ```

use super::json::line;
use super::text::{board, game, player};
use arbiter_game::proof::{Claim, EVER, Turning, Unproved, Value};
use arbiter_game::record::Record;
use arbiter_rules::text::printable;
use arbiter_rules::{Ruleset, Side};
use serde::Serialize;

/// What is proved of a ply in one sentence without its number; `mark` is how a ply is written.
pub fn sentence(claim: &Claim, mark: impl Fn(&str) -> String) -> String {
    let ruleset = claim.before.ruleset();
    let played = mark(&ruleset.ply_text(claim.played).to_string());
    let Some((ply, better_value)) = claim.better else {
        return match claim.value {
            Some(value) => format!("{played} {value}; no other move is proved to be better"),
            None => format!("nothing is proved of {played}"),
        };
    };
    let better = mark(&ruleset.ply_text(ply).to_string());
    match (better_value, claim.value) {
        // A win that was missed matters more than what became of the ply that was played.
        (Value::Wins { .. }, Some(value)) => {
            format!("{better} {better_value}; {played} was played, which {value}")
        }
        (_, Some(value)) => format!("{played} {value}; {better} {better_value}"),
        (_, None) => format!("{better} {better_value}; {played} was played"),
    }
}

/// The plies of the proof of a claim with their numbers: `25. d2b4  26. a1a3`.
pub(crate) fn proof_line(claim: &Claim) -> String {
    let ruleset = claim.before.ruleset();
    let mut plies = Vec::new();
    for (number, &ply) in (claim.number..).zip(&claim.line) {
        plies.push(format!("{number}. {}", ruleset.ply_text(ply)));
    }
    plies.join("  ")
}

/// What is proved of a game in a line for each ply that something is said of, with its proof, and
/// from where on the loss is proved; ends with a newline.
pub fn summary(record: &Record, turning: &Turning) -> String {
    let mut out = String::new();
    for claim in &turning.claims {
        out += &format!("{}\nproof: {}\n", claim_line(record, turning, claim), proof_line(claim));
    }
    out + &conclusion(record, turning)
}

/// What is proved of a ply, with its number and the loser.
fn claim_line(record: &Record, turning: &Turning, claim: &Claim) -> String {
    let letter = record.ruleset().letter(turning.loser);
    let name = printable(record.players[turning.loser].as_bytes(), 64);
    format!("ply {}, {letter} {name}: {}", claim.number, sentence(claim, str::to_owned))
}

/// From where on the loss is proved.
fn conclusion(record: &Record, turning: &Turning) -> String {
    let from = match turning.turned {
        Some(turned) => format!("from ply {turned} on"),
        None => "before its first ply".to_owned(),
    };
    format!("The loss of {} is proved {from}.\n", player(record, turning.loser))
}

/// What is proved of a game, with the board before each ply that something is said of; ends with a
/// newline.
pub fn text(record: &Record, turning: &Turning) -> String {
    let ruleset = record.ruleset();
    let mut out = game(record) + "\n";
    for claim in &turning.claims {
        let before = &claim.before;
        out += &format!("\n{}\n", claim_line(record, turning, claim));
        out += &format!("\n{}\n\nposition: {before}\n", board(before));
        out += &format!("proof: {}\n", proof_line(claim));
    }
    out += &format!("\n{}", conclusion(record, turning));
    if let Some(first) = turning.values.iter().position(Option::is_some) {
        out += &format!("The plies from {} on, each for its side:\n", first + 1);
        for ((number, value), played) in (1..).zip(&turning.values).zip(&record.plies) {
            if let Some(value) = value {
                out += &format!("  {number}. {} {value}\n", ruleset.ply_text(played.ply));
            }
        }
    }
    out
}

#[derive(Serialize)]
struct TurningObject<'a> {
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
            Value::Holds(EVER) => ("does-not-lose", None, false),
            Value::Holds(within) => ("does-not-lose", Some(within), false),
        };
        ValueObject { value: word, within, shortest }
    }
}

impl ClaimObject {
    fn new(claim: &Claim, ruleset: &Ruleset) -> ClaimObject {
        let (better, better_value) = claim.better.unzip();
        let mut proof = Vec::new();
        for &ply in &claim.line {
            proof.push(ruleset.ply_text(ply).to_string());
        }
        ClaimObject {
            ply: claim.number,
            position: claim.before.to_string(),
            played: ruleset.ply_text(claim.played).to_string(),
            value: claim.value.map(ValueObject::new),
            better: better.map(|ply| ruleset.ply_text(ply).to_string()),
            better_value: better_value.map(ValueObject::new),
            proof,
        }
    }
}

/// The side that lost a game by the rules, even if nothing is proved; `None` if the log contradicts
/// the rules.
pub fn loser(record: &Record, turning: &Result<Turning, Unproved>) -> Option<Side> {
    match turning {
        Err(Unproved::Invalid { .. }) => None,
        Ok(_) | Err(Unproved::NotLost(_) | Unproved::OwnGame(_) | Unproved::TooLong(_)) => {
            record.outcome.loser_by_rules()
        }
    }
}

/// The object of a game (docs/reference/gamelog.md, JSON), without a newline.
pub fn json(record: &Record, turning: &Result<Turning, Unproved>) -> String {
    let ruleset = record.ruleset();
    // What is known even if nothing is proved.
    let mut object = TurningObject {
        id: record.id.as_deref(),
        game: ruleset.game().name(),
        loser: loser(record, turning).map(|side| record.players[side].as_str()),
        unproved: None,
        turned: None,
        claims: Vec::new(),
        values: Vec::new(),
        nodes: 0,
    };
    match turning {
        Ok(found) => {
            object.turned = found.turned;
            for claim in &found.claims {
                object.claims.push(ClaimObject::new(claim, &ruleset));
            }
            for value in &found.values {
                object.values.push(value.map(ValueObject::new));
            }
            object.nodes = found.nodes;
        }
        Err(why) => object.unproved = Some(why.to_string()),
    }
    line("turning", &object)
}
