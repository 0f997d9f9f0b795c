//! The dialect of CodinGame's Lines of Action (docs/protocol.md, Dialects).
//!
//! The first side is black, `b`, as in the classical rules: black stands on the top and the bottom
//! row and moves first. Its board is that of `loa` with rows and columns exchanged, because our first
//! side stands on columns a and h. A square is a letter for the column and a digit for the row, 8 at
//! the top: our `a2`, column 0 and row 2, is their column 2 in the top row, `c8`.
//!
//! The dialect does not set the rules of the site; a file in `configs/` has them.

use super::{Conversation, ParsedLine};
use crate::clock::TimeControl;
use crate::game::{End, NearlyAPly, Reply, Settings, Start, Turn, Wanted, Wording};
use crate::rules::{Cell, Ply, Position, Ruleset, Side, Square};
use crate::seed::Generator;
use crate::text::printable;
use std::fmt::Write;
use std::time::Duration;

/// The game of the site.
pub(super) const GAME: &str = "loa";
/// The configuration that has the rules of the site.
const FILE: &str = "configs/codingame.toml";
const SIMULTANEOUS: &str = "mover";
const MAX_PLIES: u32 = 150;
/// The time of the first ply and of each other one, in milliseconds.
const TIMES: [u64; 2] = [1000, 150];
/// The rows of the board.
const ROWS: usize = 8;
/// The most bytes of a line that is quoted.
const QUOTED: usize = 120;
/// A pass, as the site writes it and as a program answers it.
const PASS: &str = "pass";
/// The answer that leaves the choice to the referee.
const RANDOM: &str = "random";

/// A conversation with one program.
#[derive(Debug, Default)]
pub(super) struct Codingame {
    /// The program's side, until it is told with the first turn.
    untold: Option<Side>,
    /// The program's random bits.
    seed: u64,
    /// The number of the ply that it was asked for last.
    number: usize,
}

impl Conversation for Codingame {
    fn push_start(&mut self, _out: &mut String, start: &Start<'_>) -> Result<(), String> {
        *self = Codingame { untold: Some(start.you), seed: start.sent.seeds[start.you], number: 0 };
        Ok(())
    }

    fn is_ready(&self) -> bool {
        true
    }

    fn push_turn(&mut self, out: &mut String, turn: &Turn<'_>) -> Result<(), String> {
        let ruleset = turn.position.ruleset();
        if let Some(you) = self.untold.take() {
            out.extend([letter(you), '\n']);
        }
        for row in 0..ruleset.columns() {
            out.extend((0..ruleset.rows()).map(|column| match turn.position.cell(column, row) {
                Cell::Piece(side) => letter(side),
                Cell::Empty | Cell::Block => '.',
            }));
            out.push('\n');
        }
        let last =
            turn.plies.last().map_or_else(|| "null".to_owned(), |&ply| ply_text(&ruleset, ply));
        let moves = moves(turn.position);
        let _ = writeln!(out, "{last}\n{}", moves.len()); // writing to a String cannot fail
        for (text, _) in moves {
            out.push_str(&text);
            out.push('\n');
        }
        self.number = turn.number();
        Ok(())
    }

    fn push_end(&mut self, _out: &mut String, _end: &End<'_>) {}

    fn push_quit(&self, _out: &mut String) {}

    fn read<'a>(&self, position: &Position, line: &'a [u8]) -> ParsedLine<'a> {
        let line = line.trim_ascii();
        let Some((reply, rest)) = self.answer(position, line) else {
            return ParsedLine::Unrecognised;
        };
        match rest.trim_ascii_start() {
            b"" => ParsedLine::Reply(reply),
            comment => ParsedLine::Commented(reply, comment),
        }
    }
}

impl Codingame {
    /// The answer that a line begins with, and what follows it.
    fn answer<'a>(&self, position: &Position, line: &'a [u8]) -> Option<(Reply, &'a [u8])> {
        if let Some((text, rest)) = line.split_at_checked(4)
            && let Some(ply) = read_move(&position.ruleset(), text)
        {
            return Some((Reply::Ply(ply), rest));
        }
        let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
        let (word, rest) = line.split_at(end);
        let reply = match word {
            _ if word == PASS.as_bytes() => Reply::Ply(Ply::Pass),
            _ if word == RANDOM.as_bytes() => self.random(position),
            _ => return None,
        };
        Some((reply, rest))
    }

    /// A random legal ply, which follows from the program's random bits and the number of the ply.
    fn random(&self, position: &Position) -> Reply {
        let moves = moves(position);
        if moves.is_empty() {
            return Reply::Illegal("the game is over".to_owned());
        }
        let chosen = Generator::new(&[&self.seed, &self.number]).below(moves.len() as u64);
        Reply::Ply(moves[chosen as usize].1)
    }
}

/// The letter of a side.
fn letter(side: Side) -> char {
    match side {
        Side::First => 'b',
        Side::Second => 'w',
    }
}

/// The legal plies with their texts, sorted by these.
fn moves(position: &Position) -> Vec<(String, Ply)> {
    let ruleset = position.ruleset();
    let mut moves: Vec<_> = position.plies().map(|ply| (ply_text(&ruleset, ply), ply)).collect();
    moves.sort();
    moves
}

fn ply_text(ruleset: &Ruleset, ply: Ply) -> String {
    match ply {
        Ply::Move(from, to) => square_text(ruleset, from) + &square_text(ruleset, to),
        Ply::Place(to) => square_text(ruleset, to),
        Ply::Pass | Ply::Word(_) => PASS.to_owned(),
    }
}

fn square_text(ruleset: &Ruleset, square: Square) -> String {
    let (column, row) = ruleset.row_and_column(square);
    format!("{}{}", char::from(b'a' + column as u8), ROWS.saturating_sub(row))
}

fn read_square(ruleset: &Ruleset, letter: u8, digit: u8) -> Option<Square> {
    let column = usize::from(letter.checked_sub(b'a')?);
    let row = ROWS.checked_sub(usize::from(digit.checked_sub(b'0')?))?;
    let is_on_board = column < ROWS.min(ruleset.rows()) && row < ROWS.min(ruleset.columns());
    is_on_board.then(|| ruleset.square(column, row))
}

/// The ply of two squares, legal or not.
fn read_move(ruleset: &Ruleset, text: &[u8]) -> Option<Ply> {
    let &[a, b, c, d] = text else { return None };
    Some(Ply::Move(read_square(ruleset, a, b)?, read_square(ruleset, c, d)?))
}

/// How these settings differ from the rules of the site, and which file has those; `None` if they do
/// not differ.
pub(super) fn site_differences(settings: &Settings) -> Option<String> {
    let mut differing = Vec::new();
    let options = settings.ruleset.options();
    let here =
        options.iter().find(|(key, _)| *key == "simultaneous").map_or("", |(_, value)| value);
    if here != SIMULTANEOUS {
        differing.push(format!("simultaneous is {SIMULTANEOUS} (here {here})"));
    }
    let max_plies = settings.max_plies();
    if max_plies != MAX_PLIES {
        differing.push(format!("{MAX_PLIES} plies draw (here {max_plies})"));
    }
    let repetition = settings.rules.repetition;
    if repetition != 0 {
        differing.push(format!("repetition does not draw (here {repetition} times)"));
    }
    let [first, others] = TIMES;
    let [first_time, time] = TIMES.map(Duration::from_millis);
    if settings.time.control.common() != Some(TimeControl::Ply(time))
        || settings.time.first_move != Some(first_time)
    {
        differing.push(format!("a ply has {others} ms and the first one {first} ms"));
    }
    (!differing.is_empty()).then(|| format!("{}; {FILE} has these rules", differing.join(", ")))
}

impl Wording for Codingame {
    fn ply(&self, position: &Position, ply: Ply) -> String {
        ply_text(&position.ruleset(), ply)
    }

    fn request(&self, _: Wanted) -> &'static str {
        "list of legal moves"
    }

    fn quit(&self) -> &'static str {
        "the end of input"
    }

    fn reason(&self, why: &str) -> String {
        let is_sign = |c: char| !c.is_ascii_alphanumeric();
        let mut reason = String::new();
        for part in why.split_inclusive(is_sign) {
            let word = part.trim_end_matches(is_sign);
            match *word.as_bytes() {
                [letter @ b'a'..=b'h', digit @ b'0'..=b'7'] => {
                    let square = Ruleset::default()
                        .square(usize::from(digit - b'0'), usize::from(letter - b'a'));
                    reason += &square_text(&Ruleset::default(), square);
                }
                [b'B'] => reason.push('b'),
                [b'W'] => reason.push('w'),
                _ => reason += word,
            }
            reason += &part[word.len()..];
        }
        reason
    }

    fn nearly_a_ply(&self, position: &Position, line: &[u8]) -> Option<NearlyAPly> {
        let line = str::from_utf8(line.trim_ascii()).ok()?;
        let bare: String = line.chars().filter(char::is_ascii_alphanumeric).collect();
        let bare = bare.to_ascii_lowercase();
        let bare = bare.strip_prefix("best").unwrap_or(&bare);
        let bare = bare.strip_prefix("move").unwrap_or(bare);
        let ply =
            read_move(&position.ruleset(), bare.as_bytes()).filter(|&ply| position.is_legal(ply));
        let correction = match bare {
            PASS | RANDOM => bare.to_owned(),
            _ => self.ply(position, ply?),
        };
        let came = printable(line.as_bytes(), QUOTED);
        let mistake = format!("\"{came}\" came: write \"{correction}\"");
        (correction != line).then_some(NearlyAPly { mistake, correction })
    }

    fn not_an_answer(&self, _: &[u8], _: Wanted) -> String {
        "which is not an answer: a line must begin with one of the moves; write messages for \
         people to stderr"
            .to_owned()
    }
}

#[cfg(test)]
mod tests;
