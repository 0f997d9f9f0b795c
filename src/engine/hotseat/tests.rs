//! Properties of the conversation for any input, in any chunks.

#![cfg(test)]

use super::{HotseatSession, InputSource, PROGRAMS, Program};
use arbiter_rules::{Position, Ruleset};
use proptest::prelude::*;

/// A position in which neither side has a move.
const DEAD: &str = "8/2W1B1W1/1B1B1B1B/2W1B1W1/1W1W1W1W/2W1B1W1/1B1B1B1B/2W1B1W1 B";

/// The whole output for these chunks and then the end of the input, and whether the game is over.
fn printed(position: Position, source: InputSource, chunks: &[&[u8]]) -> (String, bool) {
    let (mut hotseat, mut out) = HotseatSession::begin(position, source).unwrap();
    for chunk in chunks {
        out += &hotseat.read(chunk);
    }
    out += &hotseat.finish();
    (out, hotseat.is_over())
}

/// The output after the first prompt.
fn answers(game: &str, source: InputSource, typed: &[u8]) -> String {
    let start = Ruleset::named(game, "").unwrap().start();
    let opening = HotseatSession::begin(start.clone(), source).unwrap().1.len();
    printed(start, source, &[typed]).0.split_off(opening)
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// Input with many valid moves in it, so that games make progress.
fn typing() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "[a-h][0-7] ?[a-h][0-7]\n".prop_map(String::into_bytes),
        "[A-Fa-f] ?-?[0-9]{1,2}[ \n\t\r]".prop_map(String::into_bytes),
        "[1-6]?[0-9]\n".prop_map(String::into_bytes),
        "(y|YES|n|no|pass|maybe)[ \n]".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..12),
        prop::collection::vec(prop::sample::select(&b" \n\0\xff-+aZ09"[..]), 0..80),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn chunks_make_no_difference(
        typed in typing(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        source in prop::sample::select(&[InputSource::Terminal, InputSource::Pipe][..]),
        game in prop::sample::select(PROGRAMS.map(|program| program.game).to_vec()),
    ) {
        let start = Ruleset::named(game.name(), "").unwrap().start();
        let whole = printed(start.clone(), source, &[&typed]);
        let bytes: Vec<&[u8]> = typed.chunks(1).collect();
        prop_assert_eq!(&whole, &printed(start.clone(), source, &bytes));
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(typed.len() + 1)).collect();
        cuts.extend([0, typed.len()]);
        cuts.sort_unstable();
        let chunks: Vec<&[u8]> = cuts.windows(2).map(|ends| &typed[ends[0]..ends[1]]).collect();
        prop_assert_eq!(&whole, &printed(start, source, &chunks));
    }

    #[test]
    fn nothing_of_what_is_typed_is_printed(
        typed in typing(),
        game in prop::sample::select(PROGRAMS.map(|program| program.game).to_vec()),
    ) {
        let start = Ruleset::named(game.name(), "").unwrap().start();
        let (out, over) = printed(start, InputSource::Pipe, &[&typed]);
        prop_assert!(out.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)));
        prop_assert!(over == out.ends_with('\n'), "it ends with a prompt or with the game: {out}");
    }

    #[test]
    fn every_other_word_of_nonsense_is_a_wrong_move(
        words in prop::collection::vec("[!-,.-/:-@\\[-`{-~]{1,40}", 0..20),
    ) {
        let typed = words.join(" ");
        for game in ["gekitai", "lineup"] {
            let said = answers(game, InputSource::Pipe, typed.as_bytes());
            prop_assert_eq!(count(&said, "Invalid move!\n"), words.len());
        }
        let said = answers("loa", InputSource::Pipe, typed.as_bytes());
        prop_assert_eq!(count(&said, "Invalid move. Try again!\n"), words.len() / 2);
    }
}

#[test]
fn squares_are_read_as_c_reads_a_letter_and_a_number() {
    for (typed, plies, refusals) in [
        ("a1 b2\n", 2, 0),
        ("a1b2\n", 2, 0),
        ("A\n\t 1 b \r\n\x0b2\x0c", 2, 0),
        ("a01 b+2 ", 2, 0),
        ("a1", 1, 0),
        ("a", 0, 0),
        ("a1,b2\n", 1, 1),
        ("1a a1 ", 1, 1),
        ("a a1 ", 1, 1),
        ("aa1 a1 ", 1, 1),
        ("a - 1 a1", 1, 2),
        ("Z -1 a0 a7 g1 a-1 a1 a1", 1, 6),
        ("a4294967297 a18446744073709551617 a1 ", 1, 2),
        ("\0 \x7f \x1b[2J quit a1 ", 1, 4),
    ] {
        let said = answers("gekitai", InputSource::Pipe, typed.as_bytes());
        assert_eq!(
            (count(&said, "Round "), count(&said, "Invalid")),
            (plies, refusals),
            "{typed:?}"
        );
    }
    assert_eq!(count(&answers("lineup", InputSource::Pipe, b"a-0 a-1 "), "Invalid"), 1);
}

#[test]
fn moves_of_loa_are_two_words_or_one() {
    for (typed, plies, refusals) in [
        ("a2\n\nc4 b0 b2\n", 2, 0),
        ("a2c4 b0-b2 ", 2, 0),
        ("a2c4", 1, 0),
        ("a2 c4", 1, 0),
        ("a2", 0, 0),
        ("a2- c4 a2 -c4 a2--c4 a2 ", 0, 3),
        ("A2 c4 a2C4 a2 c 4 a2 c4", 0, 4),
        ("a2 c4d a2c4", 1, 1),
        ("pass a2 pass pass a2 c4", 1, 2),
        ("\u{e9}2 c4 a2 c\u{e9} a2 c4", 1, 2),
    ] {
        let said = answers("loa", InputSource::Pipe, typed.as_bytes());
        let boards = count(&said, "a b c d e f g h\n");
        assert_eq!((boards, count(&said, "Invalid")), (plies, refusals), "{typed:?}");
    }
}

#[test]
fn at_a_terminal_a_wrong_move_takes_its_line_with_it() {
    for (game, typed, plies, refusals) in [
        ("loa", "I say, what about a2 c4?\na2 c4\n", 1, 1),
        ("loa", "help\na2 c4 C0 b1\nb0 b2\n", 2, 2),
        ("loa", "a2 c4 b0 b2\n", 2, 0),
        ("loa", "a2\nc4\n", 1, 0),
        ("loa", "a2 \n c4\na2 c4 b0\nb2", 1, 1),
        ("gekitai", "help me with a1\na1\nb b2 c3\nc3", 2, 2),
        ("gekitai", "z1\na1 a1 b2\nb2\n", 2, 2),
        ("lineup", "a0 d0 b0 c0\nb0\n", 2, 1),
    ] {
        let said = answers(game, InputSource::Terminal, typed.as_bytes());
        let boards = count(&said.to_lowercase(), "a b c d e");
        assert_eq!((boards, count(&said, "Invalid")), (plies, refusals), "{game} {typed:?}");
    }
}

#[test]
fn a_word_of_megabytes_takes_bounded_memory_and_is_one_wrong_word() {
    for Program { game, .. } in PROGRAMS {
        let start = Ruleset::named(game.name(), "").unwrap().start();
        let (mut hotseat, _) = HotseatSession::begin(start, InputSource::Pipe).unwrap();
        for _ in 0..1_000 {
            assert_eq!(hotseat.read(&[b'0'; 4_096]), "");
        }
        assert!(format!("{hotseat:?}").len() < 2_000);
        let said = hotseat.read(b" a2 ") + &hotseat.finish();
        assert!((1..=2).contains(&(count(&said, "Invalid") + count(&said, "Illegal"))), "{said}");
    }
}

#[test]
fn sides_without_a_move_are_not_asked() {
    let read =
        |game: &str, text: &str| Ruleset::named(game, "").unwrap().read_position(text).unwrap();
    let over = |position| {
        let (out, is_over) = printed(position, InputSource::Pipe, &[]);
        assert!(is_over, "{out}");
        out
    };
    // Neither side can move.
    let stuck = over(read("loa", DEAD));
    assert!(stuck.ends_with("\nB has no move.\nW has no move.\nDraw game!\n"), "{stuck}");
    // Over before the first prompt.
    let connected = over(read("loa", "8/8/8/8/8/8/B6B/WW6 B"));
    assert!(connected.ends_with("7 W W . . . . . .\nW wins!\n"), "{connected}");
    let lined_up = over(read("gekitai", "XXX3/6/6/6/6/6 O"));
    assert!(lined_up.starts_with("Game over:\n   A B C D E F\n 1 X X X . . .\n"), "{lined_up}");
    assert!(lined_up.ends_with(" 6 . . . . . .\nPlayer X wins!\n"), "{lined_up}");
}

#[test]
fn a_letter_left_alone_takes_no_other_line_with_it() {
    let typed = b"a\nc1\nc2\n";
    for game in ["gekitai", "lineup"] {
        let out = answers(game, InputSource::Terminal, typed);
        assert_eq!(out, answers(game, InputSource::Pipe, typed), "{game}");
        assert_eq!(count(&out, "Invalid move!"), 1, "{game}: {out}");
    }
    let out = answers("gekitai", InputSource::Terminal, b"a\n3\n");
    assert_eq!(count(&out, "Invalid"), 0, "a square may stand on two lines: {out}");
}
