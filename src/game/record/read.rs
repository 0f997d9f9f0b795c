//! Turns the parts of a game, as [`pgn`](super::pgn) reads them, into a [`Record`]: checks which
//! tags are present, their values, and that they agree. It does not check whether the plies are
//! legal and the outcome is right.

use super::Record;
use super::comments::{notes, position_in, read_note};
use super::pgn::{LogError, RawGame, Tag, read_raw};
use crate::clock::TimeControl;
use crate::{Abort, GameResult, Note, Outcome, Played, SentLines};
use arbiter_rules::own::{OwnDefinition, Rules};
use arbiter_rules::text::shortened;
use arbiter_rules::{BySide, Game, Layout, Margin, OptionError, Position, Ruleset, split_options};
use std::fmt;
use std::iter::FusedIterator;
use std::str::FromStr;

/// The tags that have a field in [`Record`]; all others are kept in [`Record::more`].
pub const TAGS: &[&str] = &[
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Game",
    "Options",
    "Rules",
    "Board",
    "TimeControl",
    "WhiteTimeControl",
    "BlackTimeControl",
    "Outcome",
    "Termination",
    "PlyCount",
    "SetUp",
    "FEN",
    "MaxPlies",
    "Repetition",
    "GameId",
    "Pair",
    "Seed",
    "SentId",
    "WhiteSeed",
    "BlackSeed",
    "Isolation",
    "WhiteDigest",
    "BlackDigest",
    "Settings",
    "Detail",
    "Margin",
];

/// Reads the records of a log one after the other; what cannot be read is an error, and the next
/// item is the game after it. No game is kept after it was returned, so a log may contain any
/// number of games.
///
/// ```
/// use arbiter_game::record::read_log;
/// let log = r#"
/// [White "conny"]
/// [Black "randy"]
/// [Result "1-0"]
/// [Game "loa"]
/// [Outcome "win"]
/// [Termination "resign"]
///
/// 1. a2c4 {0.012345s depth 5} 1-0
/// "#;
/// let record = read_log(log.as_bytes()).next().unwrap().unwrap();
/// assert_eq!(record.plies[0].note.as_ref().unwrap().text, b"depth 5");
/// assert_eq!(read_log(record.to_string().as_bytes()).next(), Some(Ok(record)));
/// ```
pub fn read_log(log: &[u8]) -> impl FusedIterator<Item = Result<Record, LogError>> + Clone {
    read_raw(log).map(|game| Record::from_raw(&game?, None))
}

impl Record {
    /// The record of a game's parts.
    ///
    /// White space in a comment is layout: a run of it is one space. A comment that does not begin
    /// with a time is text only; an empty one is ignored. Of several comments after a ply the first
    /// is kept; in a forfeit the last one after the last ply's own (without plies: the last before
    /// the result) is the [`reply`]. A custom game has the rules that are given, if they are those
    /// that the log names; without rules it has only what the log says about it.
    ///
    /// # Errors
    /// A needed tag is missing, a tag's value is invalid, tags contradict each other or the moves,
    /// or a move is no ply of the game.
    ///
    /// ```
    /// use arbiter_game::record::{Record, read_raw};
    /// let log = b"[White \"conny\"] [Black \"randy\"] [Result \"*\"] [Game \"go\"] 1. D4 *";
    /// let raw = read_raw(log).next().unwrap().unwrap();
    /// let error = Record::from_raw(&raw, None).unwrap_err();
    /// assert_eq!(error.to_string(), "line 1: game 1: the tag Outcome is missing");
    /// ```
    ///
    /// [`reply`]: Record::reply
    pub fn from_raw(raw: &RawGame<'_>, rules: Option<&Rules>) -> Result<Record, LogError> {
        // What is checked first is reported first: tags that are missing, then their values, then
        // the moves.
        needed(raw, "White")?;
        needed(raw, "Black")?;
        let name = needed(raw, "Game")?;
        let outcome_word = &needed(raw, "Outcome")?.value;
        let termination = &needed(raw, "Termination")?.value;
        let result = read_result(raw)?;
        check_ply_count(raw)?;
        let ruleset = read_ruleset(raw, name, rules)?;
        let game = ruleset.game();
        let Some(outcome) = Outcome::from_tags(game, result, outcome_word, termination) else {
            return Err(raw.error_at(
                raw.line,
                format_args!(
                    "Result \"{result}\", Outcome {outcome_word:?} and Termination \
                     {termination:?} do not go together"
                ),
            ));
        };
        check_clocks(raw)?;
        let start = read_start(raw, &ruleset)?;
        let mut plies = Vec::with_capacity(raw.moves.len());
        read_plies(raw, &ruleset, &mut plies)?;
        keep_positions(raw, &start, &plies)?;
        Ok(Record {
            sent: read_sent(raw, &ruleset)?,
            max_plies: read_number(raw, "MaxPlies")?,
            repetition: read_number(raw, "Repetition")?,
            margin: read_margin(raw)?,
            plies,
            ..Record::new(raw, start, outcome)
        })
    }

    /// The record of as much of a game as can be read: the plies up to the first that is no ply.
    /// Names that are missing are `?`, and an outcome that cannot be read is that of an aborted
    /// game. `None` if the tags do not say from which position the game begins.
    pub(super) fn readable_part(raw: &RawGame<'_>) -> Option<Record> {
        let ruleset = read_ruleset(raw, raw.tag("Game")?, None).ok()?;
        let start = read_start(raw, &ruleset).ok()?;
        let outcome = readable_outcome(raw, &ruleset).unwrap_or(Outcome::Aborted(Abort::Broken));
        let mut plies = Vec::new();
        // The plies up to the first that is none, and the positions up to the first that is wrong.
        let _ = read_plies(raw, &ruleset, &mut plies);
        let _ = keep_positions(raw, &start, &plies);
        Some(Record { plies, ..Record::new(raw, start, outcome) })
    }

    /// A record with the texts of the tags, without limits and plies.
    fn new(raw: &RawGame<'_>, start: Position, outcome: Outcome) -> Record {
        let ruleset = start.ruleset();
        let game = ruleset.game();
        let reply = match outcome {
            Outcome::Forfeit(..) => read_reply(raw, &ruleset),
            _ => None,
        };
        let time = raw.text("TimeControl");
        let white_time = raw.text("WhiteTimeControl").or_else(|| time.clone());
        let black_time = raw.text("BlackTimeControl").or(time);
        Record {
            event: raw.text_or("Event", "?"),
            site: raw.text_or("Site", "?"),
            date: raw.text_or("Date", "????.??.??"),
            round: raw.text_or("Round", "?"),
            players: by_side(game, raw.text_or("White", "?"), raw.text_or("Black", "?")),
            start,
            time_control: by_side(game, white_time, black_time),
            max_plies: None,
            repetition: None,
            id: raw.text("GameId"),
            pair: raw.text("Pair"),
            seed: raw.text("Seed"),
            sent: None,
            isolation: raw.text("Isolation"),
            digests: by_side(game, raw.text("WhiteDigest"), raw.text("BlackDigest")),
            settings: raw.text("Settings"),
            detail: raw.text("Detail"),
            margin: None,
            more: more(raw),
            plies: Vec::new(),
            reply,
            outcome,
        }
    }
}

impl RawGame<'_> {
    /// The value of a tag.
    fn text(&self, name: &str) -> Option<String> {
        Some(self.tag(name)?.value.to_string())
    }

    fn text_or(&self, name: &str, missing: &str) -> String {
        self.text(name).unwrap_or_else(|| missing.to_owned())
    }

    fn error_at(&self, line: usize, message: impl fmt::Display) -> LogError {
        let message = shortened(&message.to_string());
        LogError { line, game: self.number, ply: None, has_tags: true, message }
    }

    /// An error in the move with this index.
    fn error_in_move(&self, index: usize, message: impl fmt::Display) -> LogError {
        LogError { ply: Some(index + 1), ..self.error_at(self.moves[index].line, message) }
    }
}

fn needed<'a>(raw: &'a RawGame<'_>, name: &str) -> Result<&'a Tag<'a>, LogError> {
    raw.tag(name).ok_or_else(|| raw.error_at(raw.line, format_args!("the tag {name} is missing")))
}

/// The tag `Result`, which must equal the result at the end of the moves.
fn read_result(raw: &RawGame<'_>) -> Result<GameResult, LogError> {
    let tag = needed(raw, "Result")?;
    let Some(result) = GameResult::named(&tag.value) else {
        let what = format_args!("Result is {:?}, not 1-0, 0-1, 1/2-1/2 or *", tag.value);
        return Err(raw.error_at(tag.line, what));
    };
    let end = raw.result;
    if result != end {
        let what = format_args!("the moves end with {end}, but Result is {result}");
        return Err(raw.error_at(raw.result_line, what));
    }
    Ok(result)
}

/// The outcome by the tags of a game, part of which cannot be read.
fn readable_outcome(raw: &RawGame<'_>, ruleset: &Ruleset) -> Option<Outcome> {
    let result = GameResult::named(&raw.tag("Result")?.value)?;
    let outcome = &raw.tag("Outcome")?.value;
    Outcome::from_tags(ruleset.game(), result, outcome, &raw.tag("Termination")?.value)
}

fn check_ply_count(raw: &RawGame<'_>) -> Result<(), LogError> {
    let counted = raw.moves.len();
    if let Some(tag) = raw.tag("PlyCount")
        && let Some(said) = read_number::<u32>(raw, tag.name)?
        && said as usize != counted
    {
        let what = format_args!("PlyCount is {said}, but the number of plies is {counted}");
        return Err(raw.error_at(tag.line, what));
    }
    Ok(())
}

/// What the bots were sent; `None` without the tag `SentId`.
fn read_sent(raw: &RawGame<'_>, ruleset: &Ruleset) -> Result<Option<SentLines>, LogError> {
    let Some(id) = raw.text("SentId") else { return Ok(None) };
    let seeds = by_side(ruleset.game(), read_seed(raw, "WhiteSeed")?, read_seed(raw, "BlackSeed")?);
    Ok(Some(SentLines { id, seeds }))
}

fn read_seed(raw: &RawGame<'_>, name: &str) -> Result<u64, LogError> {
    needed(raw, name)?;
    Ok(read_number(raw, name)?.unwrap_or_default())
}

/// The number in a tag; `None` without the tag.
fn read_number<N: FromStr>(raw: &RawGame<'_>, name: &str) -> Result<Option<N>, LogError> {
    let Some(tag) = raw.tag(name) else { return Ok(None) };
    // Rust also reads `+1`.
    let is_number = tag.value.as_bytes().iter().all(u8::is_ascii_digit);
    match tag.value.parse() {
        Ok(number) if is_number => Ok(Some(number)),
        _ => {
            let what = format_args!("{name} is {:?}, which is not a number", tag.value);
            Err(raw.error_at(tag.line, what))
        }
    }
}

/// The tag `Margin`; `None` without it.
fn read_margin(raw: &RawGame<'_>) -> Result<Option<Margin>, LogError> {
    let Some(tag) = raw.tag("Margin") else { return Ok(None) };
    let margin = tag.value.parse().ok().and_then(Margin::new);
    if margin.is_none() {
        return Err(raw.error_at(tag.line, format_args!("Margin is not {}", Margin::FORM)));
    }
    Ok(margin)
}

/// The tags of clocks: each has a clock, or `?` for an unknown one, and both sides have one or
/// neither.
fn check_clocks(raw: &RawGame<'_>) -> Result<(), LogError> {
    for name in ["TimeControl", "WhiteTimeControl", "BlackTimeControl"] {
        if let Some(tag) = raw.tag(name)
            && tag.value != "?"
            && TimeControl::parse(&tag.value).is_err()
        {
            let what = format_args!(
                "{name} is {:?}; write BASE+INC in seconds, such as 10+0.1, or 1/SECONDS for a \
                 time a ply, or - for no clock",
                tag.value
            );
            return Err(raw.error_at(tag.line, what));
        }
    }
    if raw.tag("TimeControl").is_some() {
        return Ok(());
    }
    let (tag, other) = match (raw.tag("WhiteTimeControl"), raw.tag("BlackTimeControl")) {
        (Some(tag), None) => (tag, "BlackTimeControl"),
        (None, Some(tag)) => (tag, "WhiteTimeControl"),
        _ => return Ok(()),
    };
    let what = format_args!(
        "{} stands without {other}; write both, or TimeControl for both sides",
        tag.name
    );
    Err(raw.error_at(tag.line, what))
}

fn read_ruleset(
    raw: &RawGame<'_>,
    game: &Tag<'_>,
    rules: Option<&Rules>,
) -> Result<Ruleset, LogError> {
    // A message names the line of the options, where they stand.
    let mut line = game.line;
    let mut options = Vec::new();
    if let Some(tag) = raw.tag("Options") {
        line = tag.line;
        options = split_options(&tag.value).map_err(|error| raw.error_at(line, error))?;
    }
    // Only a custom game has rules in a file; its options are not known without them.
    if let Some(named) = raw.tag("Rules")
        && Game::named(&game.value).is_none()
    {
        return read_own_ruleset(raw, game, named, rules, options);
    }
    Ruleset::with_options(&game.value, &options).map_err(|error| {
        let is_of_game = matches!(error, OptionError::Game { .. });
        raw.error_at(if is_of_game { game.line } else { line }, error)
    })
}

/// The ruleset of a custom game: by the rules that are given, if they are those that the log names,
/// otherwise by what the log says about them.
fn read_own_ruleset(
    raw: &RawGame<'_>,
    game: &Tag<'_>,
    named: &Tag<'_>,
    rules: Option<&Rules>,
    options: Vec<(String, String)>,
) -> Result<Ruleset, LogError> {
    let wrong =
        |what: &str| raw.error_at(named.line, format_args!("Rules is {:?}, {what}", named.value));
    let Some((file, digest)) = named.value.rsplit_once(' ') else {
        return Err(wrong("not a file and its digest"));
    };
    if let Some(rules) = rules
        && rules.are(&game.value, digest)
    {
        return Ruleset::by_rules(rules, &options).map_err(|error| raw.error_at(named.line, error));
    }
    let board = needed(raw, "Board")?;
    let layout: Layout = board.value.parse().map_err(|why| {
        raw.error_at(board.line, format_args!("Board is {:?}: {why}", board.value))
    })?;
    Ruleset::own(OwnDefinition::told(&game.value, file, digest, options, layout))
        .map_err(|fault| wrong(&fault.what))
}

/// Keeps what a log of a custom game says about its positions, each with the position before it. So
/// nothing has to be asked of the rules, which may be missing.
fn keep_positions(raw: &RawGame<'_>, start: &Position, plies: &[Played]) -> Result<(), LogError> {
    if !start.ruleset().game().asks_rules() {
        return Ok(());
    }
    let mut at = start.clone();
    for (index, Played { ply, .. }) in plies.iter().enumerate() {
        let played = &raw.moves[index];
        // Where the positions end, those after them are unknown too.
        let Some(text) = played.comments.iter().find_map(|comment| position_in(comment)) else {
            break;
        };
        at = at.record_next(*ply, &text).map_err(|error| {
            let what = format_args!("the position after {:?}: {error}", played.text);
            raw.error_in_move(index, what)
        })?;
    }
    Ok(())
}

/// The players by side; the game defines which side a log calls White.
fn by_side<T>(game: &Game, white: T, black: T) -> BySide<T> {
    BySide::from_own(game.white(), white, black)
}

/// The start position: that of the tag `FEN`, if `SetUp` is 1 or missing, else that of the ruleset.
fn read_start(raw: &RawGame<'_>, ruleset: &Ruleset) -> Result<Position, LogError> {
    let set_up = raw.tag("SetUp");
    match (set_up.map(|tag| (&*tag.value, tag.line)), raw.tag("FEN")) {
        (None | Some(("1", _)), Some(fen)) => {
            ruleset.logged_position(&fen.value).map_err(|error| raw.error_at(fen.line, error))
        }
        (None | Some(("0", _)), None) => Ok(ruleset.start()),
        (Some(("1", line)), None) => {
            Err(raw.error_at(line, "SetUp is 1, but the tag FEN is missing"))
        }
        (Some(("0", line)), Some(_)) => {
            Err(raw.error_at(line, "SetUp is 0, but there is a tag FEN"))
        }
        (Some((other, line)), _) => {
            Err(raw.error_at(line, format_args!("SetUp is {other:?}, not 0 or 1")))
        }
    }
}

/// The tags that have no field in a record.
fn more(raw: &RawGame<'_>) -> Vec<(String, String)> {
    let mut more = Vec::new();
    for tag in &raw.tags {
        if !TAGS.contains(&tag.name) {
            more.push((tag.name.to_owned(), tag.value.to_string()));
        }
    }
    more
}

/// Reads the plies, up to the first that is no ply.
fn read_plies(
    raw: &RawGame<'_>,
    ruleset: &Ruleset,
    plies: &mut Vec<Played>,
) -> Result<(), LogError> {
    for (index, played) in raw.moves.iter().enumerate() {
        let ply = ruleset.read_logged_ply(played.text).map_err(|error| {
            raw.error_in_move(index, format_args!("{:?} is no move: {error}", played.text))
        })?;
        let note = notes(ruleset, &played.comments).next().map(|comment| read_note(comment));
        plies.push(Played { ply, note: note.filter(|note| *note != Note::default()) });
    }
    Ok(())
}

/// The last comment of a forfeit, if it is not the note of the last ply.
fn read_reply(raw: &RawGame<'_>, ruleset: &Ruleset) -> Option<Note> {
    let last = match raw.moves.last() {
        // The first note is the ply's own, or empty.
        Some(played) => notes(ruleset, &played.comments).skip(1).last(),
        None => raw.before.last(),
    };
    Some(read_note(last?))
}
