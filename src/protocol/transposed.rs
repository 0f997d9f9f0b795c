//! The board of CodinGame: that of `loa` with rows and columns exchanged.
//!
//! The first side's pieces stand on our columns a and h, and there on the top and the bottom row.
//! So our `a2`, column 0 and row 2, is their column 2 in the top row, which is row 0.

use crate::game::NearlyAPly;
use crate::rules::{Cell, Ply, Position, Ruleset, Square};
use crate::text::printable;

/// The most bytes of a line that is quoted.
const QUOTED: usize = 120;

/// A square of theirs: its column from the left and its row from the top, both from 0.
pub(super) type Place = (usize, usize);

/// Where a square of ours is on their board.
pub(super) fn place(ruleset: Ruleset, square: Square) -> Place {
    ruleset.row_and_column(square)
}

/// The square of ours at a place of theirs; none if it is off the board.
pub(super) fn square(ruleset: Ruleset, (column, row): Place) -> Option<Square> {
    (column < ruleset.rows() && row < ruleset.columns()).then(|| ruleset.square(column, row))
}

/// The ply between two places of theirs.
pub(super) fn ply(ruleset: Ruleset, from: Place, to: Place) -> Option<Ply> {
    Some(Ply::Move(square(ruleset, from)?, square(ruleset, to)?))
}

/// The rows of their board, the top one first.
pub(super) fn rows(
    position: &Position,
) -> impl Iterator<Item = impl Iterator<Item = Cell> + '_> + '_ {
    let ruleset = position.ruleset();
    (0..ruleset.columns())
        .map(move |row| (0..ruleset.rows()).map(move |column| position.cell(column, row)))
}

/// What is wrong with a line in whose place this answer would be right; none if it is that answer.
pub(super) fn corrected(line: &str, correction: String) -> Option<NearlyAPly> {
    let came = printable(line.as_bytes(), QUOTED);
    let mistake = format!("\"{came}\" came: write \"{correction}\"");
    (correction != line).then_some(NearlyAPly { mistake, correction })
}

/// A sentence of the rules with squares and the letters of the sides as a dialect writes them.
pub(super) fn sentence(
    text: &str,
    place_text: fn(Place) -> String,
    sides: [(&str, &str); 2],
) -> String {
    let translated = |word: &str| match *word.as_bytes() {
        [column @ b'a'..=b'h', row @ b'0'..=b'7'] => {
            Some(place_text((usize::from(row - b'0'), usize::from(column - b'a'))))
        }
        _ => sides.iter().find(|(letter, _)| *letter == word).map(|(_, name)| (*name).to_owned()),
    };
    let ends = |a: char, b: char| a.is_ascii_alphanumeric() != b.is_ascii_alphanumeric();
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars() {
        if word.chars().next_back().is_some_and(|last| ends(last, c)) {
            out += &translated(&word).unwrap_or_else(|| word.clone());
            word.clear();
        }
        word.push(c);
    }
    out + &translated(&word).unwrap_or(word)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::{End, Outcome, Reply, SentLines, Settings, Start, Turn};
    use crate::protocol::{Conversation, Dialect, ParsedLine};
    use crate::rules::{BySide, Side};
    use proptest::prelude::*;
    use std::time::Duration;

    /// A conversation at the beginning of a game of a program that has this side; its random bits
    /// are 7.
    pub(in crate::protocol) fn begun(you: Side, settings: &Settings) -> Box<dyn Conversation> {
        let mut conversation = Dialect::Codingame.conversation().unwrap();
        let sent = SentLines { id: "1".into(), seeds: BySide { first: 7, second: 7 } };
        let position = settings.ruleset.start();
        let mut out = String::new();
        let start = Start { sent: &sent, position: &position, you, settings };
        conversation.push_start(&mut out, &start).unwrap();
        assert!(out.is_empty() && conversation.is_ready() && !conversation.can_refuse());
        conversation
    }

    /// What is sent for a turn in this position, after these plies, with 900 ms left.
    pub(in crate::protocol) fn turn(
        conversation: &mut dyn Conversation,
        position: &Position,
        plies: &[Ply],
    ) -> String {
        let clocks = BySide::from_own(position.side(), 900, 800)
            .map(|time| Some(Duration::from_millis(time)));
        let turn = Turn { clocks, ..Turn::unlimited(position, plies) };
        let mut out = String::new();
        conversation.push_turn(&mut out, &turn).unwrap();
        out
    }

    /// The plies of a line of texts and the positions after each.
    pub(in crate::protocol) fn played(start: Position, texts: &str) -> (Vec<Ply>, Position) {
        let mut position = start;
        let mut plies = Vec::new();
        for text in texts.split_whitespace() {
            let ply = position.ruleset().read_ply(text).unwrap();
            assert!(position.is_legal(ply), "{text}");
            position = position.after(ply);
            plies.push(ply);
        }
        (plies, position)
    }

    #[test]
    fn nothing_is_sent_after_the_end() {
        let settings = Settings::default();
        let mut conversation = begun(Side::First, &settings);
        let position = settings.ruleset.start();
        let mut out = String::new();
        let outcome = Outcome::Resigned(Side::Second);
        conversation.push_end(
            &mut out,
            &End { you: Side::First, position: &position, plies: &[], outcome, detail: None },
        );
        conversation.push_quit(&mut out);
        assert_eq!(out, "");
    }

    #[test]
    fn squares_are_transposed_both_ways() {
        let loa = Ruleset::default();
        for row in 0..8 {
            for column in 0..8 {
                let ours = loa.square(row, column);
                assert_eq!(place(loa, ours), (row, column), "our row is their column");
                assert_eq!(square(loa, place(loa, ours)), Some(ours));
            }
        }
        assert_eq!((square(loa, (8, 0)), square(loa, (0, 8))), (None, None));
        let start = loa.start();
        let rows: Vec<Vec<Cell>> = rows(&start).map(Iterator::collect).collect();
        for row in [&rows[0], &rows[7]] {
            assert!(row[1..7].iter().all(|&cell| cell == Cell::Piece(Side::First)), "{row:?}");
        }
        assert_eq!(
            (rows[2][0], rows[2][7]),
            (Cell::Piece(Side::Second), Cell::Piece(Side::Second))
        );
    }

    proptest! {
        /// What is printed for a legal ply is read as that ply, in every position of a random game.
        #[test]
        fn every_ply_is_read_as_it_is_written(choices in proptest::collection::vec(any::<usize>(), 0..120)) {
            let settings = Settings::default();
            let conversation = begun(Side::First, &settings);
            let mut position = settings.ruleset.start();
            for &choice in &choices {
                let plies = position.sorted_plies();
                for &ply in &plies {
                    let line = conversation.ply(&position, ply);
                    let read = conversation.read(&position, line.as_bytes());
                    prop_assert!(read == ParsedLine::Reply(Reply::Ply(ply)), "{line} {read:?}");
                    let near = conversation.nearly_a_ply(&position, line.as_bytes());
                    prop_assert!(near.is_none(), "{line} {near:?}");
                }
                let Some(&ply) = plies.get(choice % plies.len().max(1)) else { break };
                position = position.after(ply);
            }
        }

        /// Any bytes, in any game: a ply that is read can be checked and written.
        #[test]
        fn nothing_that_is_read_panics(
            line in "(move |pass|random|[a-j][0-9]){0,3}[ -~]{0,9}|[0-9 ,move]{0,12}|.{0,20}",
            game in 0_usize..4,
        ) {
            let ruleset = Ruleset::named(["loa", "flipflop", "lineup", "gekitai"][game], "").unwrap();
            let settings = Settings::for_ruleset(ruleset);
            let conversation = begun(Side::Second, &settings);
            let position = ruleset.start();
            let parsed = conversation.read(&position, line.as_bytes());
            if let ParsedLine::Reply(Reply::Ply(ply)) | ParsedLine::Commented(Reply::Ply(ply), _) = parsed {
                let _ = (position.check(ply), conversation.ply(&position, ply));
            }
            let _ = conversation.nearly_a_ply(&position, line.as_bytes());
            let _ = conversation.reason(&line);
        }
    }
}
