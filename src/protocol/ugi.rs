//! The Universal Game Interface (docs/protocol.md, ugi).

use super::answer::{first_word, nearly_a_ply, read_ply};
use super::{Conversation, LINE_CAP, ParsedLine};
use crate::clock::TimeControl;
use crate::game::{End, NearlyAPly, Reply, Start, Turn, Wanted, Wording};
use crate::rules::{Ply, Position, Side};
use std::fmt::Write;
use std::time::Duration;

/// The depth in plies that is asked for without a clock: the interface has no word for a search that ends by itself whenever
/// it likes.
const DEPTH: u32 = 4;

/// A conversation with one program.
#[derive(Debug, Default)]
pub(super) struct Ugi {
    stage: Stage,
    /// What the program is sent before a game, once it has said `ugiok`.
    setup: String,
    /// Where the game begins, as `position` has it.
    beginning: String,
    /// What each ply adds to the stock of time; none where there is no stock.
    increment: Option<Duration>,
    /// The next turn is the program's first one, which has a limit of its own.
    has_own_limit: bool,
}

/// What the program was asked last before its first turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    /// Nothing.
    #[default]
    New,
    /// `ugi`.
    Greeted,
    /// `isready`.
    SetUp,
    /// Nothing more: it said `readyok`.
    Ready,
}

impl Conversation for Ugi {
    fn push_start(&mut self, out: &mut String, start: &Start<'_>) {
        let ruleset = start.position.ruleset();
        self.setup.clear();
        let mut option = |name: &str, value: &dyn std::fmt::Display| {
            let _ = writeln!(self.setup, "setoption name {name} value {value}"); // writing to a String cannot fail
        };
        option("Game", &ruleset.game().name());
        for (key, value) in ruleset.options() {
            option(key, &value);
        }
        option("RandomSeed", &start.sent.seeds[start.you]);
        self.setup.push_str("uginewgame\nisready\n");
        self.beginning = match start.position {
            position if *position == ruleset.start() => "startpos".to_owned(),
            position => format!("fen {position}"),
        };
        self.increment = match start.settings.time.control {
            TimeControl::Game { increment, .. } => Some(increment),
            TimeControl::Ply(_) | TimeControl::Unlimited => None,
        };
        self.has_own_limit = start.settings.time.first_move.is_some();
        if self.stage == Stage::New {
            self.stage = Stage::Greeted;
            out.push_str("ugi\n");
        } else {
            self.push_prompted(out);
        }
    }

    fn is_ready(&self) -> bool {
        self.stage == Stage::Ready
    }

    fn push_turn(&mut self, out: &mut String, turn: &Turn<'_>) -> Result<(), String> {
        out.push_str("position ");
        out.push_str(&self.beginning);
        let mut separator = " moves ";
        for &ply in turn.plies {
            out.push_str(separator);
            turn.position.ruleset().push_ply(out, ply);
            separator = " ";
        }
        let increment = self.increment.filter(|_| !self.has_own_limit);
        self.has_own_limit = false;
        // Writing to a String cannot fail.
        let _ = match (turn.clock, increment) {
            (None, _) => writeln!(out, "\ngo depth {DEPTH}"),
            (Some((own, _)), None) => writeln!(out, "\ngo movetime {}", own.as_millis()),
            (Some((own, opponent)), Some(increment)) => {
                let (first, second) =
                    if turn.side == Side::First { (own, opponent) } else { (opponent, own) };
                let [first, second, inc] = [first, second, increment].map(|time| time.as_millis());
                writeln!(out, "\ngo p1time {first} p2time {second} p1inc {inc} p2inc {inc}")
            }
        };
        Ok(())
    }

    /// What follows `ugiok`.
    fn push_prompted(&mut self, out: &mut String) {
        self.stage = Stage::SetUp;
        out.push_str(&self.setup);
    }

    fn push_end(&mut self, _out: &mut String, _end: &End<'_>) {}

    fn push_quit(&self, out: &mut String) {
        out.push_str("quit\n");
    }

    fn read<'a>(&self, position: &Position, line: &'a [u8]) -> ParsedLine<'a> {
        match first_word(line) {
            (b"bestmove", text) => ParsedLine::Reply(reply(position, text)),
            (b"info", text) => ParsedLine::Info(text),
            (b"id" | b"option", text) => ParsedLine::Name(text),
            (b"ugiok", b"") if self.stage == Stage::Greeted => ParsedLine::Prompt,
            (b"readyok", b"") if self.stage == Stage::SetUp => ParsedLine::Ready(b""),
            _ => ParsedLine::Unrecognised,
        }
    }

    fn ready_with(&mut self, _words: &[u8]) -> Vec<String> {
        self.stage = Stage::Ready;
        Vec::new()
    }

    fn is_reusable(&self) -> bool {
        true
    }
}

/// The answer in the text after `bestmove`. Of `PLY ponder PLY`, which other interfaces have, the first ply counts.
fn reply(position: &Position, text: &[u8]) -> Reply {
    let at = text.windows(8).position(|part| part == b" ponder ").unwrap_or(text.len());
    let text = text[..at].trim_ascii_end();
    let ply = read_ply(position, text, "bestmove");
    if text == b"resign" && !ply.as_ref().is_ok_and(|&ply| position.is_legal(ply)) {
        return Reply::Resign;
    }
    ply.map_or_else(Reply::Illegal, Reply::Ply)
}

impl Wording for Ugi {
    fn ply(&self, position: &Position, ply: Ply) -> String {
        format!("bestmove {}", position.ruleset().ply_text(ply))
    }

    fn ready(&self) -> &'static str {
        if self.stage == Stage::Greeted { "ugiok" } else { "readyok" }
    }

    fn request(&self, wanted: Wanted) -> &'static str {
        match wanted {
            Wanted::Ready if self.stage == Stage::Greeted => "ugi",
            Wanted::Ready => "isready",
            Wanted::Answer => "go",
        }
    }

    fn quit(&self) -> &'static str {
        "quit"
    }

    fn nearly_a_ply(&self, position: &Position, line: &[u8]) -> Option<NearlyAPly> {
        nearly_a_ply(position, line, "bestmove")
    }

    fn not_an_answer(&self, line: &[u8], wanted: Wanted) -> String {
        let (first, _) = first_word(line);
        let (ready, request) = (self.ready(), self.request(wanted));
        match wanted {
            Wanted::Ready if first == ready.as_bytes() => {
                format!("but \"{ready}\" stands alone on its line")
            }
            Wanted::Ready => format!(
                "which is not \"{ready}\"; after \"{request}\", print \"{ready}\"; write messages for people to stderr"
            ),
            Wanted::Answer if first == b"bestmove" => {
                "but the bot had not read the question by then, so it is not an answer to it".to_owned()
            }
            Wanted::Answer if first.eq_ignore_ascii_case(b"bestmove") => {
                "which is not an answer; write bestmove in lower case, then a space and the ply".to_owned()
            }
            Wanted::Answer => {
                "which is not an answer; write bestmove and the ply, and messages for people to stderr"
                    .to_owned()
            }
        }
    }

    fn longest_line(&self) -> usize {
        LINE_CAP
    }
}
