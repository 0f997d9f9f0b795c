//! The games of a page as columns of compressed JSON.
//!
//! The page knows no rules. For each ply it needs what the ply does on the board: a *pattern* (the
//! side, what happens to how many squares, the end of the position text, and what these do not
//! tell), the squares, and the time. Each column is an array with one entry per game:
//!
//! - `games`: what is known of the game as a whole, see [`PageGames::add`];
//! - `patterns`: for each ply the number of its pattern in the dictionary of the head;
//! - `squares`: for the first square of each ply that has one, how many squares before it hold the
//!   same: a piece of the side if the ply takes it from there, otherwise nothing, unless the
//!   pattern says what. Squares are numbered row by row from the row that is printed first;
//! - `distances`: for each other square its distance from the one before, modulo the number of
//!   squares;
//! - `times`: the microseconds of each ply, or null.
//!
//! Columns compress better than games: equal things lie next to each other.

use super::deflated::Deflated;
use super::drawn_ply::{DrawnPly, after_board, board, content, letter, micros, shorten};
use crate::report::turning::{proof_line, sentence};
use arbiter_game::clock::{Charged, TimeControl};
use arbiter_game::proof::Turning;
use arbiter_game::record::Record;
use arbiter_game::replay::{Measured, Timeline};
use arbiter_game::{Note, TimeSettings};
use arbiter_rules::text::{Interner, printable};
use arbiter_rules::{Side, SquareChange};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Maximum number of bytes of a bot's note for one ply, or of an offending reply.
const NOTE_BYTES: usize = 200;
/// Maximum number of bytes of all notes of a page; scores and depths do not count.
const NOTES_BYTES: usize = 2 << 20;
/// Maximum number of positions that are searched to prove where a game was lost: a millisecond or
/// less, because there are many games.
const PROOF_NODES: u64 = 5_000;
/// The digits of a time that are kept.
const DIGITS: u32 = 3;

/// The games of a page, one after the other, in memory only as they are compressed.
///
/// ```
/// use arbiter_game::Settings;
/// use arbiter_game::record::read_log;
/// use arbiter_game::replay::Timeline;
/// use arbiter_cup::report::page::PageGames;
/// let log = b"[White \"a\"] [Black \"b\"] [Result \"1-0\"] [Game \"loa\"] [Outcome \"win\"]
///     [Termination \"resign\"] 1. a2c4 {0.5s depth 3 score 0.25} c0b1 1-0";
/// let time = Settings::default().time;
/// let mut games = PageGames::new(Some(1));
/// for _ in 0..3 {
///     let record = read_log(log).next().unwrap().unwrap();
///     games.add(|| (Timeline::new(record, &time), time), None);
/// }
/// assert_eq!(games.shown(), 1);
/// ```
#[derive(Debug, Default)]
pub struct PageGames {
    /// Maximum number of games that are shown; `None` for all.
    most: Option<u64>,
    shown: u64,
    left_out: u64,
    unreadable: u64,
    /// Why the first of them cannot be shown.
    unreadable_reason: Option<String>,
    /// Bytes of the notes so far.
    note_bytes: usize,
    notes_left_out: u64,
    /// What many games or plies share, as JSON.
    boards: Interner,
    conditions: Interner,
    pattern_entries: Interner,
    games: Column,
    patterns: Column,
    squares: Column,
    distances: Column,
    times: Column,
}

impl PageGames {
    /// No games yet. Of the games that are added, the first `most` are shown; without it all.
    pub fn new(most: Option<u64>) -> PageGames {
        PageGames { most, ..PageGames::default() }
    }

    /// The number of games that the page shows.
    pub fn shown(&self) -> u64 {
        self.shown
    }

    /// A game cannot be shown, for this reason. The page says how many there are, and why the first
    /// cannot.
    pub fn add_unreadable(&mut self, reason: String) {
        self.unreadable += 1;
        self.unreadable_reason.get_or_insert(reason);
    }

    /// The number of games that cannot be shown, and the reason of the first; `None` if there are
    /// none.
    pub fn unreadable(&self) -> Option<(u64, &str)> {
        Some((self.unreadable, self.unreadable_reason.as_deref()?))
    }

    /// Adds a game with its time settings, and what the loser wrote to standard error if others may
    /// read it. `game` is called only if the game is shown.
    ///
    /// Its entry is the array `[id, round, first player, second player, result, outcome,
    /// termination, plies, condition, start, pair, more]`. `start` is empty for the usual start
    /// position; `more` is left out if it is empty, and has what not all games have: `sent`,
    /// `detail`, `margin`, `reply`, `trouble`, `scores`, `depths`, `notes`, `stderr`, and `proved`,
    /// of plies of the loser the number, what is proved and the plies of the proof.
    pub fn add(&mut self, game: impl FnOnce() -> (Timeline, TimeSettings), stderr: Option<&str>) {
        if self.most.is_some_and(|most| self.shown >= most) {
            self.left_out += 1;
            return;
        }
        // Only now: to replay a game that is not shown would be a waste.
        let (game, time) = game();
        self.shown += 1;
        let record = game.record();
        let ruleset = record.ruleset();
        let is_usual = record.start == ruleset.start();
        let start = if is_usual { String::new() } else { record.start.to_string() };
        let line = json!([
            record.id,
            record.round,
            record.players.first,
            record.players.second,
            record.outcome.result(ruleset.game()).word(),
            record.outcome.word(),
            record.outcome.termination(),
            game.len(),
            self.condition(record, &time),
            start,
            record.pair,
        ]);
        let more = self.more(&game, stderr.filter(|stderr| !stderr.is_empty()));
        self.games.push(&with_more(line, more));
        self.add_plies(&game, time.charged());
    }

    /// The number of what a game was played under.
    fn condition(&mut self, record: &Record, time: &TimeSettings) -> usize {
        let ruleset = record.ruleset();
        let condition = json!({
            "board": self.boards.intern(board(&ruleset).to_string()),
            "options": ruleset.options_text(),
            "start": ruleset.start().to_string(),
            "event": record.event,
            "site": record.site,
            "date": record.date,
            "time": [record.time_control.first, record.time_control.second],
            "maxPlies": record.max_plies,
            "repetition": record.repetition,
            "seed": record.seed,
            "isolation": record.isolation,
            "digests": [record.digests.first, record.digests.second],
            "settings": record.settings,
            "clocks": Side::BOTH.map(|side| clock(time, side)),
        });
        self.conditions.intern(condition.to_string())
    }

    /// What not all games have; null where this one does not have it.
    fn more(&mut self, game: &Timeline, stderr: Option<&str>) -> Value {
        let record = game.record();
        let mut sent = Value::Null;
        if let Some(lines) = &record.sent {
            // The numbers are texts, because those of JavaScript have fewer than 64 bits.
            let [first, second] = Side::BOTH.map(|side| lines.seeds[side].to_string());
            sent = json!([lines.id, first, second]);
        }
        let mut reply = Value::Null;
        if let Some(note) = &record.reply {
            let seconds = note.wall.map(|wall| wall.as_secs_f64());
            reply = json!([seconds, printable(&note.text, NOTE_BYTES)]);
        }
        let mut notes = Vec::new();
        for number in 1..=game.len() {
            notes.extend(self.note(game, number));
        }
        json!({
            "sent": sent,
            "proved": proved(record),
            "detail": record.detail,
            "margin": record.margin.map(|margin| margin.to_string()),
            "trouble": game.trouble(),
            "stderr": stderr,
            "reply": reply,
            "scores": series(game, |measured| measured.score),
            "depths": series(game, |measured| measured.depth),
            "notes": non_empty(notes),
        })
    }

    /// The number of a ply and its note, if that says more than score and depth.
    fn note(&mut self, game: &Timeline, number: usize) -> Option<Value> {
        let note = game.note(number)?;
        if note.text.is_empty() || is_only_figures(note) {
            return None;
        }
        let text = printable(&note.text, NOTE_BYTES);
        // The page says how many notes it lacks, and the logs have them.
        if self.note_bytes + text.len() > NOTES_BYTES {
            self.notes_left_out += 1;
            return None;
        }
        self.note_bytes += text.len();
        Some(json!([number, text]))
    }

    fn add_plies(&mut self, game: &Timeline, charged: Charged) {
        let mut patterns = Vec::with_capacity(game.len());
        let mut squares = Vec::new();
        let mut distances = Vec::new();
        let mut times = Vec::with_capacity(game.len());
        for number in 1..=game.len() {
            let Some(&last) = game.timed_ply(number) else { continue };
            let moment = game.moment(number);
            let after = &moment.position;
            let ruleset = after.ruleset();
            let before = &game.moment(number - 1).position;
            let DrawnPly { own, mut changes, text } =
                DrawnPly::new(before, last.ply, &moment.changes, after);
            shorten(&mut changes, after);
            let mut marks = Vec::new();
            for (_, mark, content) in &changes {
                marks.push(json!([mark, content]));
            }
            // Everything but places and times, so that few patterns serve all plies of a game.
            let side = last.side as u8;
            let end = after_board(after);
            let mut other = None;
            if let Some(&(first, mark, _)) = changes.first() {
                let held: Vec<u8> = ruleset.cells().map(|at| content(before, at)).collect();
                // Counted among the squares that hold the same, which is a smaller number than the
                // place itself, and compresses better.
                squares.push(held[..first].iter().filter(|&&same| same == held[first]).count());
                // In the games of arbiter what the first square held follows from its mark.
                let usual = if mark == letter(SquareChange::Left) { side + 1 } else { 0 };
                if held[first] != usual {
                    other = Some(held[first]);
                }
            }
            let pattern = if text.is_some() || other.is_some() {
                json!([side, own, end, marks, text, other])
            } else {
                json!([side, own, end, marks])
            };
            patterns.push(self.pattern_entries.intern(pattern.to_string()));
            // Modulo the number of squares, so that no distance is negative.
            let count = ruleset.rows() * ruleset.columns();
            for two in changes.windows(2) {
                distances.push((two[1].0 + count - two[0].0) % count);
            }
            let used = game.note(number).and_then(|note| Some(charged.time(note.wall?, note.cpu)));
            times.push(used.map(rounded_micros));
        }
        self.patterns.push(&patterns);
        self.squares.push(&squares);
        self.distances.push(&distances);
        self.times.push(&times);
    }

    /// The games as a JSON object of these blocks, for a page that is open.
    pub fn json(self) -> String {
        let mut object = Map::new();
        for (id, text) in self.blocks() {
            object.insert(id.to_owned(), Value::String(text));
        }
        Value::Object(object).to_string()
    }

    /// The blocks of the page, each with its id: the dictionaries, then the columns.
    pub(super) fn blocks(self) -> [(&'static str, String); 6] {
        let counts = json!({
            "leftOut": self.left_out,
            "notesLeftOut": self.notes_left_out,
            "unreadable": self.unreadable,
            "unreadableReason": self.unreadable_reason,
        });
        let head = format!(
            "{{\"counts\":{counts},\"boards\":[{}],\"conditions\":[{}],\"patterns\":[{}]}}",
            self.boards.texts().join(","),
            self.conditions.texts().join(","),
            self.pattern_entries.texts().join(","),
        );
        [
            ("head", Deflated::new(&head).base64()),
            ("games", self.games.base64()),
            ("patterns", self.patterns.base64()),
            ("squares", self.squares.base64()),
            ("distances", self.distances.base64()),
            ("times", self.times.base64()),
        ]
    }
}

/// A JSON array that is compressed entry by entry, so that memory never holds the whole of it.
#[derive(Debug, Default)]
struct Column {
    stream: Deflated,
    is_begun: bool,
}

impl Column {
    fn push(&mut self, entry: &impl Serialize) {
        self.stream.push(if self.is_begun { b"," } else { b"[" });
        self.is_begun = true;
        self.stream.push(json!(entry).to_string().as_bytes());
    }

    fn base64(mut self) -> String {
        self.stream.push(if self.is_begun { b"]" } else { b"[]" });
        self.stream.base64()
    }
}

/// What is proved of plies of the loser; null if nothing is.
fn proved(record: &Record) -> Value {
    let mut proved = Vec::new();
    if let Ok(turning) = Turning::of(record, PROOF_NODES) {
        for claim in &turning.claims {
            let said = sentence(claim, str::to_owned);
            proved.push(json!([claim.number, said, proof_line(claim)]));
        }
    }
    non_empty(proved)
}

/// An array; null if it is empty.
fn non_empty(values: Vec<Value>) -> Value {
    if values.is_empty() { Value::Null } else { Value::Array(values) }
}

/// The array with an object of the fields that are not null at its end. Most games have none, and
/// there may be many games.
fn with_more(mut line: Value, mut more: Value) -> Value {
    if let (Value::Array(line), Value::Object(fields)) = (&mut line, &mut more) {
        fields.retain(|_, value| !value.is_null());
        if !fields.is_empty() {
            line.push(more);
        }
    }
    line
}

/// How the clock of a side runs, in microseconds; null without a clock.
fn clock(time: &TimeSettings, side: Side) -> Value {
    let (initial, increment) = match time.control[side] {
        TimeControl::Unlimited => return Value::Null,
        TimeControl::Game { base, increment } => (base, Some(micros(increment))),
        TimeControl::Ply(each) => (each, None),
    };
    json!({
        "initial": micros(initial),
        "increment": increment,
        "first": time.first_move.map(micros),
        "margin": micros(time.margin),
    })
}

/// A figure of each ply, to four digits; null if there is none.
fn series(game: &Timeline, figure: fn(&Measured) -> Option<f64>) -> Value {
    let mut values = Vec::new();
    for number in 1..=game.len() {
        let ply = game.timed_ply(number);
        values.push(ply.and_then(|ply| figure(&ply.measured)).map(four_digits));
    }
    if values.iter().all(Option::is_none) { Value::Null } else { json!(values) }
}

fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// Whether a note is `depth N score X`, or a part of that.
fn is_only_figures(note: &Note) -> bool {
    let text = String::from_utf8_lossy(&note.text);
    let mut words = text.split_ascii_whitespace();
    while let Some(word) = words.next() {
        let number: Option<f64> = words.next().and_then(|number| number.parse().ok());
        if !matches!(word, "depth" | "score") || !number.is_some_and(f64::is_finite) {
            return false;
        }
    }
    true
}

/// The microseconds of a time, rounded to [`DIGITS`] digits: more are noise, and noise does not
/// compress.
fn rounded_micros(time: Duration) -> u64 {
    let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let digits = micros.checked_ilog10().map_or(1, |power| power + 1);
    let unit = 10_u64.pow(digits.saturating_sub(DIGITS));
    // A time near the largest number is rounded down, because up would overflow.
    let up = micros % unit * 2 >= unit && micros.checked_add(unit).is_some();
    (micros / unit + u64::from(up && unit > 1)) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_keeps_three_digits() {
        for (time, expected) in [
            (0, 0),
            (999, 999),
            (1_000, 1_000),
            (9_994, 9_990),
            (9_995, 10_000),
            (12_345, 12_300),
            (999_499, 999_000),
            (999_500, 1_000_000),
            (31_536_000_000_000, 31_500_000_000_000), // a year
            (u64::MAX, 18_400_000_000_000_000_000),
        ] {
            assert_eq!(rounded_micros(Duration::from_micros(time)), expected, "{time}");
        }
    }

    #[test]
    fn notes_of_figures_alone_are_not_written_twice() {
        let only = |text: &str| {
            is_only_figures(&Note { wall: None, cpu: None, text: text.as_bytes().to_vec() })
        };
        assert!(only("depth 5 score 0.25") && only("score -1e3"));
        assert!(
            !only("depth 5 score cp 25")
                && !only("depth")
                && !only("so be it")
                && !only("score inf")
        );
    }
}
