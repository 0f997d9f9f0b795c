//! The dialect of CodinGame's Lines of Action (docs/protocol.md, Dialects).
//!
//! The first side is black, `b`, as in the classical rules: black stands on the top and the bottom
//! row and moves first. A square is a letter for the column and a digit for the row, 8 at the top:
//! our `a2` is `c8`.

use super::transposed::{self, Place};
use super::{Conversation, LINE_CAP, ParsedLine};
use crate::game::{End, NearlyAPly, Reply, Start, Turn, Wanted, Wording};
use crate::rules::{Cell, Ply, Position, Ruleset, Side};
use crate::seed::Generator;
use std::fmt::Write;

/// The rows of the board.
const ROWS: usize = 8;
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
        for row in transposed::rows(turn.position) {
            out.extend(row.map(|cell| match cell {
                Cell::Piece(side) => letter(side),
                Cell::Empty | Cell::Block => '.',
            }));
            out.push('\n');
        }
        let last =
            turn.plies.last().map_or_else(|| "null".to_owned(), |&ply| ply_text(ruleset, ply));
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
            && let Some(ply) = read_move(position.ruleset(), text)
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
        match moves.len() as u64 {
            0 => Reply::Illegal("the game is over".to_owned()),
            count => {
                let chosen = Generator::new(&[&self.seed, &self.number]).below(count);
                Reply::Ply(moves[chosen as usize].1)
            }
        }
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
    let mut moves: Vec<_> = position.plies().map(|ply| (ply_text(ruleset, ply), ply)).collect();
    moves.sort();
    moves
}

fn ply_text(ruleset: Ruleset, ply: Ply) -> String {
    let text = |square| place_text(transposed::place(ruleset, square));
    match ply {
        Ply::Move(from, to) => text(from) + &text(to),
        Ply::Place(to) => text(to),
        Ply::Pass | Ply::Word(_) => PASS.to_owned(),
    }
}

fn place_text((column, row): Place) -> String {
    format!("{}{}", char::from(b'a' + column as u8), ROWS.saturating_sub(row))
}

/// The ply of two squares, legal or not.
fn read_move(ruleset: Ruleset, text: &[u8]) -> Option<Ply> {
    let place = |column: u8, row: u8| {
        let on_board = (b'a'..=b'h').contains(&column) && (b'1'..=b'8').contains(&row);
        on_board.then(|| (usize::from(column - b'a'), ROWS - usize::from(row - b'0')))
    };
    match *text {
        [a, b, c, d] => transposed::ply(ruleset, place(a, b)?, place(c, d)?),
        _ => None,
    }
}

impl Wording for Codingame {
    fn ply(&self, position: &Position, ply: Ply) -> String {
        ply_text(position.ruleset(), ply)
    }

    fn request(&self, _: Wanted) -> &'static str {
        "list of legal moves"
    }

    fn is_request(&self, _line: &[u8], _wanted: Wanted) -> bool {
        false // the last line of a turn is a move, which is an answer
    }

    fn quit(&self) -> &'static str {
        "the end of input"
    }

    fn reason(&self, why: &str) -> String {
        transposed::sentence(why, place_text, [("B", "b"), ("W", "w")])
    }

    fn nearly_a_ply(&self, position: &Position, line: &[u8]) -> Option<NearlyAPly> {
        let line = str::from_utf8(line.trim_ascii()).ok()?;
        let bare: String = line.chars().filter(char::is_ascii_alphanumeric).collect();
        let bare = bare.to_ascii_lowercase();
        let bare = bare.strip_prefix("best").unwrap_or(&bare);
        let bare = bare.strip_prefix("move").unwrap_or(bare);
        let ply =
            read_move(position.ruleset(), bare.as_bytes()).filter(|&ply| position.is_legal(ply));
        let correction = match bare {
            PASS | RANDOM => bare.to_owned(),
            _ => self.ply(position, ply?),
        };
        transposed::corrected(line, correction)
    }

    fn not_an_answer(&self, _: &[u8], _: Wanted) -> String {
        "which is not an answer: a line must begin with one of the moves; write messages for people to stderr"
            .to_owned()
    }

    fn longest_line(&self) -> usize {
        LINE_CAP
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Settings;
    use crate::protocol::transposed::tests::{begun, played, turn};

    fn loa() -> Position {
        Ruleset::default().start()
    }

    fn conversation(you: Side) -> Box<dyn Conversation> {
        begun(you, &Settings::default())
    }

    #[test]
    fn the_turns_of_the_first_side() {
        let mut first = conversation(Side::First);
        assert_eq!(
            turn(&mut *first, &loa(), &[]),
            "b\n.bbbbbb.\nw......w\nw......w\nw......w\nw......w\nw......w\nw......w\n.bbbbbb.\nnull\n36\n\
             b1b3\nb1d3\nb1h1\nb8b6\nb8d6\nb8h8\nc1a3\nc1c3\nc1e3\nc8a6\nc8c6\nc8e6\nd1b3\nd1d3\nd1f3\nd8b6\nd8d6\nd8f6\n\
             e1c3\ne1e3\ne1g3\ne8c6\ne8e6\ne8g6\nf1d3\nf1f3\nf1h3\nf8d6\nf8f6\nf8h6\ng1a1\ng1e3\ng1g3\ng8a8\ng8e6\ng8g6\n"
        );
        let (plies, position) = played(loa(), "a2c2 c0b1");
        let sent = turn(&mut *first, &position, &plies);
        let begin = ".b.bbbb.\nww.....w\n..b....w\nw......w\nw......w\nw......w\nw......w\n.bbbbbb.\na6b7\n";
        assert!(sent.starts_with(begin), "{sent}");
    }

    #[test]
    fn the_turn_of_the_second_side_has_the_move_before() {
        let mut second = conversation(Side::Second);
        let (plies, position) = played(loa(), "a2c2");
        let sent = turn(&mut *second, &position, &plies);
        assert!(
            sent.starts_with(
                "w\n.b.bbbb.\nw......w\nw.b....w\nw......w\nw......w\nw......w\nw......w\n.bbbbbb.\nc8c6\n"
            ),
            "{sent}"
        );
        let moves: Vec<&str> = sent.lines().skip(11).collect();
        assert_eq!(sent.lines().nth(10), Some(&*moves.len().to_string()));
        assert!(moves.is_sorted() && moves.contains(&"a6b7"), "{moves:?}");
    }

    #[test]
    fn a_pass_is_asked_for_and_told() {
        let stuck = Ruleset::default().read_position("BW6/WW6/8/8/8/8/6WW/6WB B").unwrap();
        let mut first = conversation(Side::First);
        let sent = turn(&mut *first, &stuck, &[]);
        assert_eq!(
            sent,
            "b\nbw......\nww......\n........\n........\n........\n........\n......ww\n......wb\nnull\n1\npass\n"
        );
        let pass = ParsedLine::Reply(Reply::Ply(Ply::Pass));
        assert_eq!(
            (first.read(&stuck, b"pass"), first.read(&stuck, b"random")),
            (pass.clone(), pass)
        );
        let mut second = conversation(Side::Second);
        let sent = turn(&mut *second, &stuck.after(Ply::Pass), &[Ply::Pass]);
        assert_eq!(sent.lines().nth(9), Some("pass"), "{sent}");
    }

    #[test]
    fn lines_mean_what_the_site_takes_them_for() {
        let first = conversation(Side::First);
        let ply = |text: &str| Reply::Ply(Ruleset::default().read_ply(text).unwrap());
        for (line, parsed) in [
            (&b"c8c6"[..], ParsedLine::Reply(ply("a2c2"))),
            (b" c8c6\r", ParsedLine::Reply(ply("a2c2"))),
            (
                b"c8c6 \xff three plies deep ",
                ParsedLine::Commented(ply("a2c2"), b"\xff three plies deep"),
            ),
            (b"c8c6!", ParsedLine::Commented(ply("a2c2"), b"!")),
            (b"h1a8", ParsedLine::Reply(ply("h7a0"))),
            (b"pass I must", ParsedLine::Commented(Reply::Ply(Ply::Pass), b"I must")),
            (b"passing", ParsedLine::Unrecognised),
            (b"randomly", ParsedLine::Unrecognised),
            (b"C8C6", ParsedLine::Unrecognised),
            (b"c9c6", ParsedLine::Unrecognised),
            (b"c0c6", ParsedLine::Unrecognised),
            (b"i8c6", ParsedLine::Unrecognised),
            (b"c8", ParsedLine::Unrecognised),
            (b"move c8c6", ParsedLine::Unrecognised),
            (b"", ParsedLine::Unrecognised),
            (b"\xff\xfe\xff\xfe", ParsedLine::Unrecognised),
        ] {
            assert_eq!(first.read(&loa(), line), parsed, "{line:?}");
        }
    }

    #[test]
    fn a_random_ply_follows_from_the_seed_and_the_ply() {
        let chosen = |plies: usize| {
            let mut first = conversation(Side::First);
            let played = vec![Ply::Pass; plies];
            turn(&mut *first, &loa(), &played);
            match first.read(&loa(), b"random or so") {
                ParsedLine::Commented(Reply::Ply(ply), b"or so") => ply,
                other => panic!("{other:?}"),
            }
        };
        let chosen: Vec<(Ply, Ply)> = (0..20).map(|plies| (chosen(plies), chosen(plies))).collect();
        assert!(
            chosen.iter().all(|(one, again)| one == again && loa().is_legal(*one)),
            "{chosen:?}"
        );
        assert!(chosen.iter().any(|other| *other != chosen[0]), "{chosen:?}");
    }

    #[test]
    fn sentences_are_in_squares_of_the_site() {
        let first = conversation(Side::First);
        let why =
            loa().check(Ruleset::default().read_ply("a2c3").unwrap()).unwrap_err().to_string();
        assert_eq!(first.reason(&why), "c8 and d6 are not on one line");
        let why =
            loa().check(Ruleset::default().read_ply("b2c3").unwrap()).unwrap_err().to_string();
        assert!(first.reason(&why).starts_with("there is no piece of b on c7: "), "{why}");
        let near = |line: &[u8]| first.nearly_a_ply(&loa(), line).map(|near| near.correction);
        for line in ["C8C6", "move c8c6", "c8-c6", "c8 c6", "bestmove c8c6", "(c8,c6)"] {
            assert_eq!(near(line.as_bytes()).as_deref(), Some("c8c6"), "{line}");
        }
        assert_eq!(
            (near(b"Random"), near(b"c8c6"), near(b"move c8c7")),
            (Some("random".into()), None, None)
        );
    }
}
