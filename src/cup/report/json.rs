//! `--json`: one object a line, with a version.

use super::check::Evidence;
use super::escape;
use arbiter_engine::bot_check::{self, CheckResult, Other};
use arbiter_game::Fault;
use arbiter_game::record::Record;
use arbiter_rules::{Margin, RulesFault, Side};
use serde::Serialize;

/// The version of every object but standings: increased when a field is removed or changes its
/// meaning.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct GameObject<'a> {
    id: Option<&'a str>,
    round: &'a str,
    pair: Option<&'a str>,
    attempt: u32,
    game: &'a str,
    white: &'a str,
    black: &'a str,
    result: &'static str,
    winner: Option<&'a str>,
    outcome: &'static str,
    termination: &'a str,
    margin: Option<f64>,
    plies: usize,
    detail: Option<&'a str>,
}

/// The object of a finished game (docs/reference/gamelog.md, JSON), without a newline; `attempt` is
/// the number of the attempt, from 1.
pub fn game(record: &Record, attempt: u32) -> String {
    let ruleset = record.ruleset();
    let game = ruleset.game();
    line(
        "game",
        &GameObject {
            id: record.id.as_deref(),
            round: &record.round,
            pair: record.pair.as_deref(),
            attempt,
            game: game.name(),
            white: &record.players[game.white()],
            black: &record.players[!game.white()],
            result: record.outcome.result(game).word(),
            winner: record.outcome.winner().map(|side: Side| record.players[side].as_str()),
            outcome: record.outcome.word(),
            termination: record.outcome.termination(),
            margin: record.margin.map(Margin::points),
            plies: record.plies.len(),
            detail: record.detail.as_deref(),
        },
    )
}

/// What `verify` finds of a game.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// The number of the game in its log, from 1.
    pub game: usize,
    /// The line that is wrong, or else the first one of the game.
    pub line: usize,
    /// The ply that is wrong, from 1.
    pub ply: Option<usize>,
    /// What is wrong; `None` for a valid game.
    #[serde(skip)]
    pub message: Option<String>,
    /// Whether it is wrong because the game cannot be read.
    #[serde(skip)]
    pub is_unreadable: bool,
    /// How the rules of a custom game failed: then it is not known whether the game is valid.
    #[serde(skip)]
    pub fault: Option<Box<RulesFault>>,
}

#[derive(Serialize)]
struct VerifiedObject<'a> {
    file: &'a str,
    #[serde(flatten)]
    found: &'a Finding,
    valid: bool,
    message: Option<&'a str>,
}

/// The object of a game that `verify` has checked in this file, without a newline.
pub fn verified(file: &str, found: &Finding) -> String {
    let message = found.message.as_deref();
    let valid = message.is_none();
    line("verified", &VerifiedObject { file, found, valid, message })
}

#[derive(Serialize)]
struct CheckObject<'a> {
    bot: &'a str,
    game: Option<&'a str>,
    situation: &'a str,
    what: &'a str,
    result: CheckResult,
    fault: Option<Fault>,
    sentence: &'a str,
    cure: &'a str,
    cause: &'a str,
    plies: Option<usize>,
    isolation: Option<bool>,
    file: Option<&'a str>,
    command: Option<&'a str>,
}

/// The object of a situation of a bot (docs/reference/gamelog.md, JSON), without a newline.
pub fn check(bot: &str, found: &bot_check::Finding, evidence: Option<&Evidence>) -> String {
    line(
        "check",
        &CheckObject {
            bot,
            game: Some(&*found.game).filter(|game| !game.is_empty()),
            situation: &found.situation,
            what: &found.what,
            result: found.result,
            fault: found.fault,
            sentence: &found.sentence,
            cure: &found.cure,
            cause: &found.cause,
            plies: found.plies,
            // Whether isolation is the cause, as far as that is known.
            isolation: match found.other {
                Other::Untried | Other::Varies => None,
                Other::Fails => Some(false),
                Other::Passes(_) => Some(true),
            },
            file: evidence.map(|evidence| &*evidence.file),
            command: evidence.and_then(|evidence| evidence.command.as_deref()),
        },
    )
}

/// An object after the two fields that every object begins with.
#[derive(Serialize)]
struct TypedObject<'a, T> {
    r#type: &'static str,
    v: u32,
    #[serde(flatten)]
    object: &'a T,
}

/// An object of this type, without a newline.
pub(super) fn line(r#type: &'static str, object: &impl Serialize) -> String {
    let typed = TypedObject { r#type, v: VERSION, object };
    // Plain structs of strings and numbers cannot fail.
    escape::json(serde_json::to_string(&typed).unwrap_or_default())
}
