//! arbiter's own dialect, protocol.md: what the referee writes and what a bot's lines mean.

use super::{Pondering, Wishes};
use crate::clock::{Charged, TimeControl};
use crate::rules::{Ply, Position, Ruleset, Side};
use std::fmt::Write;
use std::time::Duration;

/// What a line of a bot says; which of these counts depends on when it is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said<'a> {
    /// `ready`, with the words after it.
    Ready(&'a [u8]),
    /// `name TEXT`.
    Name(&'a [u8]),
    /// `move PLY`: the words after `move`.
    Move(&'a [u8]),
    /// `resign`, alone on its line.
    Resign,
    /// `info …`: what follows the word.
    Info(&'a [u8]),
    /// Anything else.
    Stray,
}

/// What a line says. White space at either end, a carriage return included, is ignored.
///
/// ```
/// use arbiter::protocol::native::{Said, hear};
/// assert_eq!(hear(b" move a2 c4\r"), Said::Move(b"a2 c4"));
/// assert_eq!(hear(b"MOVE a2c4"), Said::Stray);
/// assert_eq!(hear(b"resign now"), Said::Stray);
/// ```
#[must_use]
pub fn hear(line: &[u8]) -> Said<'_> {
    let line = line.trim_ascii();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let rest = rest.trim_ascii_start();
    match word {
        b"move" => Said::Move(rest),
        b"info" => Said::Info(rest),
        b"resign" if rest.is_empty() => Said::Resign,
        b"ready" => Said::Ready(rest),
        b"name" => Said::Name(rest),
        _ => Said::Stray,
    }
}

/// The ply that the words after `move` say, if it may be played here.
///
/// # Errors
/// A sentence for the bot's author that says why they are no legal ply.
pub fn legal_ply(position: &Position, words: &[u8]) -> std::result::Result<Ply, String> {
    let text = str::from_utf8(words).map_err(|_| "it is not UTF-8 text".to_owned())?;
    if text.is_empty() {
        return Err("there is no ply behind the word move".to_owned());
    }
    let ruleset = position.ruleset();
    let read = if text.contains(|c: char| c.is_ascii_whitespace()) {
        ruleset.read_ply(&text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
    } else {
        ruleset.read_ply(text)
    };
    let ply = read.map_err(|error| error.to_string())?;
    position.check(ply).map_err(|illegal| illegal.to_string())?;
    Ok(ply)
}

/// Reads the words after `ready`; the second value has those that nobody knows.
#[must_use]
pub fn wishes(words: &[u8]) -> (Wishes, Vec<String>) {
    let mut wishes = Wishes::default();
    let mut unknown = Vec::new();
    for word in words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        match word {
            b"reuse" => wishes.reuse = true,
            b"lean" => wishes.lean = true,
            b"position" => wishes.position = true,
            other => unknown.push(String::from_utf8_lossy(other).into_owned()),
        }
    }
    (wishes, unknown)
}

/// Everything that the start block tells a bot.
#[derive(Debug, Clone)]
pub struct Start<'a> {
    /// The game's id.
    pub id: &'a str,
    /// Where the game begins; the ruleset is in it.
    pub position: &'a Position,
    /// The bot's side.
    pub you: Side,
    /// What there is of time.
    pub time: TimeControl,
    /// A limit of its own for the first ply.
    pub first_move: Option<Duration>,
    /// What a ply may be over its limit.
    pub margin: Duration,
    /// Which time a ply is charged with.
    pub charged: Charged,
    /// Whether the bot may think while it is not on move.
    pub pondering: Pondering,
    /// Memory, in bytes.
    pub memory: u64,
    /// The length that draws.
    pub max_plies: u32,
    /// The occurrence of a position that draws; 0 for never.
    pub repetition: u32,
    /// Answers before an illegal one loses.
    pub attempts: u32,
    /// 64 random bits for the bot.
    pub seed: u64,
}

/// Appends the start block, `arena 1` to `start`.
pub fn push_start(out: &mut String, start: &Start<'_>) {
    let ruleset = start.position.ruleset();
    let mut lines = Lines(out);
    lines.line(format_args!("arena 1"));
    lines.line(format_args!("id {}", start.id));
    lines.line(format_args!("game {}", ruleset.game().name()));
    for (key, value) in ruleset.options() {
        lines.line(format_args!("option {key} {value}"));
    }
    lines.line(format_args!("size {}", ruleset.size()));
    lines.line(format_args!("you {}", ruleset.letter(start.you)));
    lines.line(format_args!("opponent {}", ruleset.letter(!start.you)));
    lines.line(format_args!("first {}", ruleset.letter(start.position.side())));
    lines.line(format_args!("position {}", start.position));
    match start.time {
        TimeControl::Game { base, increment } => {
            lines.line(format_args!("time {} {}", base.as_millis(), increment.as_millis()));
        }
        TimeControl::Ply(time) => lines.line(format_args!("time move {}", time.as_millis())),
        TimeControl::Unlimited => lines.line(format_args!("time none")),
    }
    if let Some(first) = start.first_move {
        lines.line(format_args!("time first {}", first.as_millis()));
    }
    match start.charged {
        Charged::Wall => lines.line(format_args!("limit clock wall")),
        Charged::Cpu(cap) => {
            lines.line(format_args!("limit clock cpu"));
            // That of a ply at the start; it shrinks with the stock.
            if let Some(time) = start.time.initial() {
                lines.line(format_args!("limit wall {}", cap.of(time).as_millis()));
            }
        }
    }
    lines.line(format_args!("limit margin {}", start.margin.as_millis()));
    lines.line(format_args!("limit memory {}", start.memory));
    lines.line(format_args!("limit plies {}", start.max_plies));
    lines.line(format_args!("limit repetition {}", start.repetition));
    lines.line(format_args!("limit attempts {}", start.attempts));
    lines.line(format_args!(
        "limit pondering {}",
        match start.pondering {
            Pondering::Off => "off",
            Pondering::On => "on",
        }
    ));
    lines.line(format_args!("seed {}", start.seed));
    lines.line(format_args!("start"));
}

struct Lines<'a>(&'a mut String);

impl Lines<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.0, "{text}"); // writing to a String cannot fail
    }
}

/// Everything that a turn block tells a bot.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// The number of the ply to come, from 1.
    pub number: usize,
    /// What this ply may use and what the opponent has; none without a clock, and then there is no such line.
    pub clock: Option<(Duration, Duration)>,
    /// Board and side to move.
    pub position: &'a Position,
    /// What the bot asked for.
    pub wishes: Wishes,
}

/// Appends the turn block, `turn` to `go`; `since` has the plies since the previous request.
pub fn push_turn(out: &mut String, turn: &Turn<'_>, since: impl Iterator<Item = Ply>) {
    let ruleset = turn.position.ruleset();
    out.push_str("turn ");
    push_number(out, turn.number as u64);
    out.push('\n');
    push_since(out, ruleset, since);
    if let Some((own, opponent)) = turn.clock {
        out.push_str("clock ");
        push_number(out, own.as_millis() as u64);
        out.push(' ');
        push_number(out, opponent.as_millis() as u64);
        out.push('\n');
    }
    if turn.wishes.position {
        let _ = writeln!(out, "position {}", turn.position); // writing to a String cannot fail
    }
    if !turn.wishes.lean {
        push_board(out, turn.position);
    }
    if let Some(piece) = turn.position.piece() {
        let _ = writeln!(out, "piece {piece}"); // writing to a String cannot fail
    }
    if !turn.wishes.lean {
        out.push_str("moves");
        turn.position.push_plies(out);
        out.push('\n');
    }
    out.push_str("go\n");
}

fn push_since(out: &mut String, ruleset: Ruleset, since: impl Iterator<Item = Ply>) {
    out.push_str("since");
    for ply in since {
        out.push(' ');
        ruleset.push_ply(out, ply);
    }
    out.push('\n');
}

fn push_board(out: &mut String, position: &Position) {
    out.push_str("board\n");
    position.push_board(out);
}

/// Appends a number, without the machinery of formatting: this is written twice a ply.
fn push_number(out: &mut String, number: u64) {
    out.push_str(itoa::Buffer::new().format(number));
}

/// Appends `illegal REASON`; the turn block follows once more.
pub fn push_illegal(out: &mut String, reason: &str) {
    Lines(out).line(format_args!("illegal {}", one_line(reason)));
}

/// How a game ended for one bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Result {
    /// It won.
    Win,
    /// It lost.
    Loss,
    /// Nobody did.
    Draw,
    /// The game counts for nobody.
    Aborted,
}

/// Appends the end block: the last plies and the board, after a forfeit why, and `end`.
pub fn push_end(
    out: &mut String,
    position: &Position,
    wishes: Wishes,
    since: impl Iterator<Item = Ply>,
    why: Option<&str>,
    (result, reason): (Result, &str),
) {
    push_since(out, position.ruleset(), since);
    if !wishes.lean {
        push_board(out, position);
    }
    let mut lines = Lines(out);
    if let Some(why) = why {
        lines.line(format_args!("why {}", one_line(why)));
    }
    let word = match result {
        Result::Win => "win",
        Result::Loss => "loss",
        Result::Draw => "draw",
        Result::Aborted => "aborted",
    };
    lines.line(format_args!("end {word} {reason}"));
}

/// The last line to a bot that is not kept.
pub const QUIT: &str = "quit\n";

/// Text that stays within one line of at most 4,095 bytes, its first word included.
fn one_line(text: &str) -> String {
    let mut line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.truncate(line.floor_char_boundary(4_000));
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    fn loa() -> Position {
        Ruleset::named("loa", &[]).unwrap().start()
    }

    #[test]
    fn the_start_block_is_the_one_in_the_protocol() {
        let mut out = String::new();
        let second = Duration::from_secs(1);
        let start = Start {
            id: "conny~randy.2",
            position: &loa(),
            you: Side::First,
            time: TimeControl::Game { base: 10 * second, increment: second / 10 },
            first_move: None,
            margin: second / 50,
            charged: Charged::Wall,
            pondering: Pondering::Off,
            memory: 512 << 20,
            max_plies: 400,
            repetition: 3,
            attempts: 1,
            seed: 11_400_714_819_323_198_485,
        };
        push_start(&mut out, &start);
        assert_eq!(
            out,
            "arena 1\nid conny~randy.2\ngame loa\noption simultaneous draw\noption stuck pass\nsize 8\nyou B\n\
             opponent W\nfirst B\nposition 1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B\ntime 10000 100\n\
             limit clock wall\nlimit margin 20\nlimit memory 536870912\nlimit plies 400\nlimit repetition 3\n\
             limit attempts 1\nlimit pondering off\nseed 11400714819323198485\nstart\n"
        );
        out.clear();
        let charged = Charged::Cpu(crate::clock::WallCap::DEFAULT);
        push_start(&mut out, &Start { charged, pondering: Pondering::On, ..start });
        assert!(out.contains("\nlimit clock cpu\nlimit wall 31000\nlimit margin 20\n"), "{out}");
        assert!(out.contains("\nlimit pondering on\n"), "{out}");
    }

    #[test]
    fn the_turn_block_has_what_the_bot_wished() {
        let clock = Some((Duration::from_micros(10_088_700), Duration::from_millis(9991)));
        let text = |wishes, clock, since: &[Ply]| {
            let mut out = String::new();
            push_turn(&mut out, &Turn { number: 3, clock, position: &loa(), wishes }, since.iter().copied());
            out
        };
        let ruleset = loa().ruleset();
        let plies = ["a1c1", "b0b2"].map(|text| ruleset.read_ply(text).unwrap());
        let full = text(Wishes::default(), clock, &plies);
        assert!(full.starts_with("turn 3\nsince a1c1 b0b2\nclock 10088 9991\nboard\n.WWWWWW.\nB......B\n"));
        assert!(full.ends_with(".WWWWWW.\nmoves a1a7 a1c1 a1c3 a2c0 a2c2 a2c4 a3c1 a3c3 a3c5 a4c2 a4c4 a4c6 a5c3 \
             a5c5 a5c7 a6a0 a6c4 a6c6 h1f1 h1f3 h1h7 h2f0 h2f2 h2f4 h3f1 h3f3 h3f5 h4f2 h4f4 h4f6 h5f3 h5f5 h5f7 \
             h6f4 h6f6 h6h0\ngo\n"));
        let lean = Wishes { lean: true, position: true, reuse: false };
        assert_eq!(
            text(lean, None, &[]),
            "turn 3\nsince\nposition 1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B\ngo\n"
        );
    }

    #[test]
    fn the_turn_block_of_flipflop_says_which_piece() {
        let flipflop = Ruleset::named("flipflop", &[]).unwrap();
        let text = |position: &str| {
            let position = flipflop.read_position(position).unwrap();
            let wishes = Wishes::default();
            let mut out = String::new();
            push_turn(
                &mut out,
                &Turn { number: 1, clock: None, position: &position, wishes },
                std::iter::empty(),
            );
            out
        };
        assert!(text("8/8/8/3WB3/3BW3/8/8/8 W 1").ends_with("........\npiece 1\nmoves 20 29 34 43\ngo\n"));
        let second = text("8/3B4/2BBW3/1B1BW3/2BWWWW1/2WWW3/3B4/8 W 2");
        let (before, plies) = second.split_once("moves ").unwrap();
        assert!(before.ends_with("\n........\npiece 2\n") && plies.ends_with(" pass\ngo\n"), "{second}");
        let mut lean = String::new();
        let wishes = Wishes { lean: true, ..Wishes::default() };
        let turn = Turn { number: 1, clock: None, position: &flipflop.start(), wishes };
        push_turn(&mut lean, &turn, std::iter::empty());
        assert_eq!(lean, "turn 1\nsince\npiece 1\ngo\n");
    }

    #[test]
    fn the_end_block_says_why_in_one_line() {
        let mut out = String::new();
        let lean = Wishes { lean: true, ..Wishes::default() };
        push_end(&mut out, &loa(), lean, std::iter::empty(), Some("a\nb\r\u{1b}"), (Result::Loss, "timeout"));
        assert_eq!(out, "since\nwhy a b  \nend loss timeout\n");
        let mut out = String::new();
        push_end(&mut out, &loa(), lean, std::iter::empty(), Some(&"ü".repeat(5000)), (Result::Win, "crash"));
        assert!(out.lines().all(|line| line.len() <= 4095));
    }

    #[test]
    fn lines_mean_what_the_protocol_says() {
        for (line, said) in [
            (&b"move a2c4"[..], Said::Move(b"a2c4")),
            (b"\t move\ta2  c4 \r", Said::Move(b"a2  c4")),
            (b"move", Said::Move(b"")),
            (b"moves a2c4", Said::Stray),
            (b"Move a2c4", Said::Stray),
            (b"a2c4", Said::Stray),
            (b"resign", Said::Resign),
            (b"resign.", Said::Stray),
            (b"info depth 3 ", Said::Info(b"depth 3")),
            (b"info", Said::Info(b"")),
            (b"ready reuse lean", Said::Ready(b"reuse lean")),
            (b"name Conny 3", Said::Name(b"Conny 3")),
            (b"", Said::Stray),
            (b"\xff\xfe", Said::Stray),
        ] {
            assert_eq!(hear(line), said);
        }
        let (known, unknown) = wishes(b" lean  fast\treuse \xff");
        assert_eq!(known, Wishes { lean: true, reuse: true, position: false });
        assert_eq!(unknown, ["fast", "\u{fffd}"]);
    }
}
