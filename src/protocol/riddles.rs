//! The dialect of riddles.io's Lines of Action (docs/protocol.md, Dialects).
//!
//! The first side is `player0`. A square is its column and its row from the upper left corner, both from 0: our `a2` is `2,0`.

use super::transposed::{self, Place};
use super::{Conversation, LINE_CAP, NO_CLOCK, ParsedLine};
use crate::clock::TimeControl;
use crate::game::{End, NearlyAPly, Reply, Start, Turn, Wanted, Wording};
use crate::rules::{Cell, Ply, Position, Ruleset, Side};
use std::fmt::{Display, Write};

/// Why a pass is no answer.
const NO_PASS: &str =
    "this dialect has no pass: a pass that is forced is played without asking, so a move was legal";

/// A conversation with one program.
#[derive(Debug, Default)]
pub(super) struct Riddles {
    /// The lines `settings`, until they are sent with the first turn.
    settings: String,
}

impl Conversation for Riddles {
    fn push_start(&mut self, _out: &mut String, start: &Start<'_>) {
        self.settings = settings_lines(start);
    }

    fn is_ready(&self) -> bool {
        true
    }

    fn push_turn(&mut self, out: &mut String, turn: &Turn<'_>) -> Result<(), String> {
        out.push_str(&std::mem::take(&mut self.settings));
        push_line(out, format_args!("update game round {}", turn.number() / 2));
        let cells = transposed::rows(turn.position).flatten().map(|cell| match cell {
            Cell::Piece(side) => number(side),
            Cell::Empty | Cell::Block => ".",
        });
        push_line(out, format_args!("update game board {}", cells.collect::<Vec<_>>().join(",")));
        for side in Side::BOTH {
            let count = turn.position.piece_count(side);
            push_line(out, format_args!("update player{} piece_count {count}", number(side)));
        }
        let time = turn.clocks[turn.side].map_or(NO_CLOCK, |own| own.as_millis());
        push_line(out, format_args!("action move {time}"));
        Ok(())
    }

    fn push_end(&mut self, _out: &mut String, _end: &End<'_>) {}

    fn push_quit(&self, _out: &mut String) {}

    fn read<'a>(&self, position: &Position, line: &'a [u8]) -> ParsedLine<'a> {
        let words: Vec<&[u8]> =
            line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(4).collect();
        let reply = match words[..] {
            [b"move", from, to] => read_move(position.ruleset(), from, to).map_or_else(
                || Reply::Illegal("a move is two squares, each COLUMN,ROW from 0,0 to 7,7".to_owned()),
                Reply::Ply,
            ),
            [b"move", ..] => {
                Reply::Illegal("after the word move stand two squares with a space between them".to_owned())
            }
            [b"pass", ..] => Reply::Illegal(NO_PASS.to_owned()),
            _ => return ParsedLine::Unrecognised,
        };
        ParsedLine::Reply(reply)
    }
}

fn push_line(out: &mut String, line: impl Display) {
    let _ = writeln!(out, "{line}"); // writing to a String cannot fail
}

/// The number of a side in names and on the board.
fn number(side: Side) -> &'static str {
    match side {
        Side::First => "0",
        Side::Second => "1",
    }
}

/// The lines that are sent once.
fn settings_lines(start: &Start<'_>) -> String {
    let ruleset = start.position.ruleset();
    let you = number(start.you);
    let [bank, per_move] = times(start.settings.time.control[start.you]);
    let mut out = String::new();
    let rounds = start.settings.max_plies().div_ceil(2);
    let lines: [&dyn Display; 8] = [
        &format_args!("timebank {bank}"),
        &format_args!("time_per_move {per_move}"),
        &"player_names player0,player1",
        &format_args!("your_bot player{you}"),
        &format_args!("your_botid {you}"),
        &format_args!("board_width {}", ruleset.rows()),
        &format_args!("board_height {}", ruleset.columns()),
        &format_args!("max_rounds {rounds}"),
    ];
    lines.iter().for_each(|line| push_line(&mut out, format_args!("settings {line}")));
    out
}

/// The stock at the start and what a move adds to it, in milliseconds. A time for each ply is a stock that each move fills up.
fn times(control: TimeControl) -> [u128; 2] {
    match control {
        TimeControl::Game { base, increment } => [base.as_millis(), increment.as_millis()],
        TimeControl::Ply(limit) => [limit.as_millis(); 2],
        TimeControl::Unlimited => [NO_CLOCK; 2],
    }
}

fn place_text((column, row): Place) -> String {
    format!("{column},{row}")
}

/// The ply of two squares, legal or not.
fn read_move(ruleset: Ruleset, from: &[u8], to: &[u8]) -> Option<Ply> {
    let place = |text: &[u8]| match *text {
        [column @ b'0'..=b'7', b',', row @ b'0'..=b'7'] => {
            Some((usize::from(column - b'0'), usize::from(row - b'0')))
        }
        _ => None,
    };
    transposed::ply(ruleset, place(from)?, place(to)?)
}

impl Wording for Riddles {
    fn ply(&self, position: &Position, ply: Ply) -> String {
        let text = |square| place_text(transposed::place(position.ruleset(), square));
        match ply {
            Ply::Move(from, to) => format!("move {} {}", text(from), text(to)),
            Ply::Place(to) => format!("move {}", text(to)),
            Ply::Pass | Ply::Word(_) => "pass".to_owned(),
        }
    }

    fn request(&self, _: Wanted) -> &'static str {
        "\"action move\""
    }

    fn is_request(&self, line: &[u8], _: Wanted) -> bool {
        line.starts_with(b"action move")
    }

    fn quit(&self) -> &'static str {
        "the end of input"
    }

    fn reason(&self, why: &str) -> String {
        transposed::sentence(why, place_text, [("B", "player0"), ("W", "player1")])
    }

    fn nearly_a_ply(&self, position: &Position, line: &[u8]) -> Option<NearlyAPly> {
        let line = str::from_utf8(line.trim_ascii()).ok()?;
        let digits: Vec<u8> = line.bytes().filter(u8::is_ascii_digit).collect();
        let &[a, b, c, d] = &digits[..] else { return None };
        let ply = read_move(position.ruleset(), &[a, b',', b], &[c, b',', d]);
        let correction = self.ply(position, ply.filter(|&ply| position.is_legal(ply))?);
        transposed::corrected(line, correction)
    }

    fn not_an_answer(&self, line: &[u8], _: Wanted) -> String {
        let hint = match line.trim_ascii().eq_ignore_ascii_case(b"resign") {
            true => "this dialect has no word for giving up",
            false => "write messages for people to stderr",
        };
        format!("which is not an answer; {hint}")
    }

    fn longest_line(&self) -> usize {
        LINE_CAP
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Settings;
    use crate::protocol::Dialect;
    use crate::protocol::transposed::tests::{begun, played, turn};
    use std::time::Duration;

    fn loa() -> Position {
        Ruleset::default().start()
    }

    fn settings() -> Settings {
        let mut settings = Settings::default();
        settings.rules.max_plies = 199;
        settings
    }

    fn conversation(you: Side) -> Box<dyn Conversation> {
        begun(Dialect::Riddles, you, &settings())
    }

    #[test]
    fn the_turns_of_the_first_side() {
        let mut first = conversation(Side::First);
        assert_eq!(
            turn(&mut *first, &loa(), &[]),
            "settings timebank 10000\nsettings time_per_move 100\nsettings player_names player0,player1\n\
             settings your_bot player0\nsettings your_botid 0\nsettings board_width 8\nsettings board_height 8\n\
             settings max_rounds 100\nupdate game round 0\nupdate game board .,0,0,0,0,0,0,.,1,.,.,.,.,.,.,1,\
             1,.,.,.,.,.,.,1,1,.,.,.,.,.,.,1,1,.,.,.,.,.,.,1,1,.,.,.,.,.,.,1,1,.,.,.,.,.,.,1,.,0,0,0,0,0,0,.\n\
             update player0 piece_count 12\nupdate player1 piece_count 12\naction move 900\n"
        );
        let (plies, position) = played(loa(), "a2c2 c0b1");
        assert_eq!(
            turn(&mut *first, &position, &plies),
            "update game round 1\nupdate game board .,0,.,0,0,0,0,.,1,1,.,.,.,.,.,1,\
             .,.,0,.,.,.,.,1,1,.,.,.,.,.,.,1,1,.,.,.,.,.,.,1,1,.,.,.,.,.,.,1,1,.,.,.,.,.,.,1,.,0,0,0,0,0,0,.\n\
             update player0 piece_count 12\nupdate player1 piece_count 12\naction move 900\n"
        );
    }

    #[test]
    fn the_second_side_is_the_second_player() {
        let mut second = conversation(Side::Second);
        let (plies, position) = played(loa(), "a2c2");
        let sent = turn(&mut *second, &position, &plies);
        assert!(sent.contains("\nsettings your_bot player1\nsettings your_botid 1\n"), "{sent}");
        assert!(sent.contains("\nupdate game round 1\n"), "{sent}");
    }

    #[test]
    fn rounds_are_counted_as_the_site_counts_them() {
        let mut first = conversation(Side::First);
        let rounds = |plies: usize, conversation: &mut dyn Conversation| {
            let sent = turn(conversation, &loa(), &vec![Ply::Pass; plies]);
            let round = sent.lines().find_map(|line| line.strip_prefix("update game round "));
            round.unwrap().parse::<usize>().unwrap()
        };
        let counted: Vec<usize> = (0..7).map(|plies| rounds(plies, &mut *first)).collect();
        assert_eq!(counted, [0, 1, 1, 2, 2, 3, 3]);
        assert_eq!(rounds(198, &mut *first), 99, "the last ply of 199");
    }

    #[test]
    fn times_are_those_of_the_match() {
        assert_eq!(times(TimeControl::Ply(Duration::from_millis(150))), [150, 150]);
        assert_eq!(times(TimeControl::Unlimited), [NO_CLOCK, NO_CLOCK]);
    }

    #[test]
    fn lines_mean_what_the_site_takes_them_for() {
        let first = conversation(Side::First);
        let ply = |text: &str| ParsedLine::Reply(Reply::Ply(Ruleset::default().read_ply(text).unwrap()));
        for (line, parsed) in [
            (&b"move 2,0 2,2"[..], ply("a2c2")),
            (b"\tmove  2,0  2,2 \r", ply("a2c2")),
            (b"move 7,7 0,7", ply("h7h0")),
            (b"Move 2,0 2,2", ParsedLine::Unrecognised),
            (b"2,0 2,2", ParsedLine::Unrecognised),
            (b"resign", ParsedLine::Unrecognised),
            (b"", ParsedLine::Unrecognised),
            (b"\xff", ParsedLine::Unrecognised),
        ] {
            assert_eq!(first.read(&loa(), line), parsed, "{line:?}");
        }
        for line in [
            "move",
            "move 2,0",
            "move 2,0 2,2 2,4",
            "move 2,0 2,8",
            "move 20 22",
            "move c8 c6",
            "pass",
            "pass now",
        ] {
            let read = first.read(&loa(), line.as_bytes());
            assert!(matches!(read, ParsedLine::Reply(Reply::Illegal(_))), "{line}: {read:?}");
        }
    }

    #[test]
    fn sentences_are_in_squares_of_the_site() {
        let first = conversation(Side::First);
        let why = loa().check(Ruleset::default().read_ply("b2c3").unwrap()).unwrap_err().to_string();
        assert!(first.reason(&why).starts_with("there is no piece of player0 on 2,1: "), "{why}");
        let near = |line: &[u8]| first.nearly_a_ply(&loa(), line).map(|near| near.correction);
        for line in ["2,0 2,2", "Move 2,0 2,2", "move 2 0 2 2", "move 2,0,2,2", "place_move 2,0 2,2"] {
            assert_eq!(near(line.as_bytes()).as_deref(), Some("move 2,0 2,2"), "{line}");
        }
        assert_eq!((near(b"move 2,0 2,2"), near(b"2,0 2,1")), (None, None));
        assert!(first.is_request(b"action move 900", Wanted::Answer));
    }
}
