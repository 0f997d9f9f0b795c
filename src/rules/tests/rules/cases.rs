//! Hand-made test cases of the rules: effects of plies and endings. The slow implementation has to
//! agree.

use crate::games;
use crate::games::{ending, rules, settings, slow};
use arbiter_rules::{Game, Illegal, Ply, perft};

type Ends = Option<(Option<char>, &'static str)>;

/// Options, position, plies to play from it, the position after the last one if it is to be
/// compared, and the ending.
type Case<'a> = (&'a str, &'a str, &'a [&'a str], &'a str, Ends);

const fn by(winner: char, reason: &'static str) -> Ends {
    Some((Some(winner), reason))
}

const fn drawn(reason: &'static str) -> Ends {
    Some((None, reason))
}

/// Plays every case with the engine and with the slow rules.
fn play(game: Game, cases: &[Case<'_>]) {
    for &(options, text, plies, after, expected) in cases {
        let ruleset = rules(game.name(), options);
        let mut position =
            ruleset.read_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut slow = slow::read(game.name(), &settings(&ruleset), text);
        for played in plies {
            let ply = ruleset.read_ply(played).unwrap();
            assert_eq!(position.check(ply), Ok(()), "{options} {position}: {played}");
            position.play(ply);
            slow.play(played);
        }
        assert_eq!(ending(&position), expected, "{options} {text} {plies:?}");
        assert_eq!(slow.ending(), expected, "{options} {text} {plies:?}");
        assert_eq!(position.to_string(), slow.text(), "{options} {text} {plies:?}");
        assert!(
            after.is_empty() || position.to_string() == after,
            "{text} {plies:?} gives {position}"
        );
        assert_eq!(position.plies().next().is_none(), expected.is_some());
        assert_eq!(perft(&position, 1) == 0, expected.is_some());
        if expected.is_some() {
            let error = position.check(Ply::Pass).unwrap_err().to_string();
            assert_eq!(error, "the game is over", "nothing is played after the end");
        }
    }
}

#[test]
fn loa_ends_as_its_rules_say() {
    const STUCK: &str = "BW6/WW6/8/8/8/8/6WW/6WB B"; // B has no move, W has
    const STUCK_NEXT: &str = "BW6/W2W4/8/8/8/8/6WW/6WB W"; // d1b1 leaves B without a move
    const DEAD: &str = games::setup::DEAD; // neither side has a move
    // a2a0 captures the last piece but one, and connects B.
    const BOTH: &str = "WB6/8/B7/8/8/8/8/7W B";
    // d1b1 connects W, and leaves B without a move.
    const CHAIN: &str = "BW6/W2W4/2W5/3W4/4W3/5W2/6WW/6WB W";
    let cases: &[Case<'_>] = &[
        // stuck=loss ends the game as soon as the side to move has no move, a set-up position too.
        ("", STUCK_NEXT, &["d1b1"], STUCK, None),
        ("stuck=loss", STUCK_NEXT, &["d1b1"], STUCK, by('W', "stuck")),
        ("simultaneous=mover stuck=loss", STUCK_NEXT, &["d1b1"], STUCK, by('W', "stuck")),
        ("stuck=loss", STUCK, &[], "", by('W', "stuck")),
        ("stuck=loss", "BW6/WW6/8/8/8/8/6WW/6WB W", &[], "", None),
        ("stuck=loss", "WB6/BB6/8/8/8/8/6BB/6BW W", &[], "", by('B', "stuck")),
        ("stuck=loss", DEAD, &[], "", by('W', "stuck")),
        ("stuck=loss", CHAIN, &["d1b1"], "", by('W', "connected")),
        ("stuck=pass", CHAIN, &["d1b1"], "", by('W', "connected")),
        // Two forced passes in a row, counted from the set-up position on.
        ("", DEAD, &[], "", None),
        ("", DEAD, &["pass"], "", None),
        ("", DEAD, &["pass", "pass"], DEAD, drawn("stalemate")),
        ("simultaneous=mover", DEAD, &["pass", "pass"], "", drawn("stalemate")),
        ("", "BW6/WW6/4W3/8/8/8/6WW/6WB B", &["pass", "e2d2", "pass"], "", None),
        // Set-up positions that are over, as if the side not to move had just moved.
        ("", "BB6/8/8/8/8/8/W6W/8 W", &[], "", by('B', "connected")),
        ("", "BB6/8/8/8/8/8/W6W/8 B", &[], "", by('B', "suicide")),
        ("", "B7/8/8/8/8/8/W7/7W W", &[], "", by('B', "connected")),
        ("", "B7/1B6/8/8/8/8/6W1/7W W", &[], "", drawn("simultaneous")),
        ("simultaneous=mover", "B7/1B6/8/8/8/8/6W1/7W W", &[], "", by('B', "simultaneous")),
        (
            "simultaneous=mover stuck=loss",
            "B7/1B6/8/8/8/8/6W1/7W B",
            &[],
            "",
            by('W', "simultaneous"),
        ),
        // Groups do not wrap around the edge: h0 is no neighbour of a1, nor a7 of b0.
        ("", "7B/B7/W7/8/8/8/8/7W B", &[], "", None),
        ("", "1B5W/8/8/W7/8/8/8/B7 B", &[], "", None),
        // Capture of the last piece but one.
        ("", BOTH, &["a2a0"], "BB6/8/8/8/8/8/8/7W W", drawn("simultaneous")),
        ("simultaneous=mover", BOTH, &["a2a0"], "", by('B', "simultaneous")),
        ("", "W7/8/B7/8/8/8/4B3/7W B", &["a2a0"], "", by('W', "suicide")),
        ("simultaneous=mover", "W7/8/B7/8/8/8/4B3/7W B", &["a2a0"], "", by('W', "suicide")),
    ];
    play(Game::Loa, cases);
}

#[test]
fn flipflop_ends_as_its_rules_say() {
    // 28 traps two, and there is a second piece to place.
    const EARNED: &str = "8/8/8/1WBB4/5B2/8/8/8 W 1";
    const SECOND: &str = "8/8/8/1WWWW3/5B2/8/8/8 W 2";
    let wide = |rows: &str| format!("{}{rows}{} W 1", "24/".repeat(11), "/24".repeat(12));
    let (run, turned) = (wide(&format!("W{}1", "B".repeat(22))), "W".repeat(24));
    let turned = format!("{}{turned}{} B 1", "24/".repeat(11), "/24".repeat(12));
    let open = wide(&format!("1{}1", "B".repeat(22)));
    let cases: &[Case<'_>] = &[
        ("", "8/8/8/3WB3/3BW3/8/8/8 W 1", &["20"], "8/8/4W3/3WW3/3BW3/8/8/8 B 1", None),
        // The second piece: offered, placed, declined. Between the two pieces the game is not over,
        // even if neither side could place a first piece.
        ("", EARNED, &["28"], SECOND, None),
        ("", SECOND, &[], "", None),
        ("", SECOND, &["46"], "8/8/8/1WWWW3/5W2/6W1/8/8 B 1", by('W', "most-pieces")),
        ("", SECOND, &["pass"], "8/8/8/1WWWW3/5B2/8/8/8 B 1", by('W', "most-pieces")),
        // Two trapped, but no second placement; a second placement, but one trapped.
        (
            "",
            "8/8/8/1WBB4/8/8/8/8 W 1",
            &["28"],
            "8/8/8/1WWWW3/8/8/8/8 B 1",
            by('W', "most-pieces"),
        ),
        ("", "8/8/8/2WB4/5B2/8/1BW5/8 W 1", &["28"], "8/8/8/2WWW3/5B2/8/1BW5/8 B 1", None),
        // A piece trapped diagonally counts too, and is turned; but alone it makes no first
        // placement.
        ("", "2W5/3B4/4B3/2WB4/4B3/8/8/8 W 1", &["28"], "2W5/3B4/4B3/2WWW3/4B3/8/8/8 B 1", None),
        (
            "",
            "1W6/2B5/3B4/2WB4/4BB2/6B1/8/8 W 1",
            &["28"],
            "1W6/2W5/3W4/2WWW3/4BB2/6B1/8/8 W 2",
            None,
        ),
        // A line that ends at the edge or at an empty square is not trapped, and lines do not wrap
        // around the edge.
        ("", "8/WB6/8/8/8/8/8/8 W 1", &["10"], "8/WWW5/8/8/8/8/8/8 B 1", by('W', "most-pieces")),
        ("", "8/6BB/W7/8/8/8/8/8 W 1", &[], "", by('B', "most-pieces")),
        ("", "8/7W/B7/8/8/8/8/8 W 1", &[], "", drawn("equal-pieces")),
        // A forced pass; the other side continues.
        ("", "WBB5/8/8/8/8/8/8/8 B 1", &["pass"], "WBB5/8/8/8/8/8/8/8 W 1", None),
        (
            "",
            "WBB5/8/8/8/8/8/8/8 B 1",
            &["pass", "3"],
            "WWWW4/8/8/8/8/8/8/8 B 1",
            by('W', "most-pieces"),
        ),
        // Set-up positions that are over for either side to move.
        ("", "8/8/8/8/8/8/8/8 W 1", &[], "", drawn("equal-pieces")),
        ("", "8/8/8/8/8/8/8/B7 W 1", &[], "", by('B', "most-pieces")),
        ("", "8/8/8/8/8/8/8/B7 B 1", &[], "", by('B', "most-pieces")),
        ("", "W6B/8/8/8/8/8/8/8 B 1", &[], "", drawn("equal-pieces")),
        // The longest possible line.
        ("n=24", &run, &["287"], &turned, by('W', "most-pieces")),
        ("n=24", &open, &[], "", by('B', "most-pieces")),
    ];
    play(Game::FlipFlop, cases);
}

#[test]
fn lineup_ends_as_its_rules_say() {
    let diagonal = |missing: usize| {
        let row = |row: usize| match row {
            0 => "O18".to_owned(),
            18 => "18O".to_owned(),
            row => format!("{row}O{}", 18 - row),
        };
        let empty = |at| if at == missing { "19".to_owned() } else { row(at) };
        (0..19).map(empty).collect::<Vec<_>>().join("/")
    };
    let (before, after) = (format!("{} O", diagonal(7)), format!("{} X", diagonal(19)));
    let cases: &[Case<'_>] = &[
        // In a row, a column, both diagonals; longer than needed too.
        ("", "OOO2/XXX2/5/5/5 O", &["d0"], "OOOO1/XXX2/5/5/5 X", by('O', "line")),
        ("", "O3X/O3X/O3X/5/5 O", &["b3", "e3"], "", by('X', "line")),
        ("", "5/1O3/2O2/3O1/5 O", &["e4"], "", by('O', "line")),
        ("", "4O/3O1/5/1O3/5 O", &["c2"], "", by('O', "line")),
        (
            "n=9 s=3",
            "9/9/9/OO1OO4/9/9/9/9/9 O",
            &["c3"],
            "9/9/9/OOOOO4/9/9/9/9/9 X",
            by('O', "line"),
        ),
        ("n=19 s=19", &before, &["h7"], &after, by('O', "line")),
        ("n=19 s=19", &before, &["h8"], "", None),
        // Not around the edge, not over a block, not over a gap.
        ("", "3OO/OO3/5/5/5 X", &[], "", None),
        ("n=8", "6OO/OO6/8/8/8/8/8/8 X", &[], "", None),
        ("", "OO#OO/5/5/5/5 X", &[], "", None),
        ("", "OOO2/XX3/5/5/5 O", &["e0"], "", None),
        // The board is full; the last piece may still win.
        ("n=3", "OXO/OXX/XO1 O", &["c2"], "OXO/OXX/XOO X", drawn("full-board")),
        ("n=3", "OXO/XOX/XO1 O", &["c2"], "OXO/XOX/XOO X", by('O', "line")),
        ("n=3", "#X#/#1#/#O# O", &["b1"], "#X#/#O#/#O# X", drawn("full-board")),
        // Set-up positions that are over. No option decides who wins when both sides have a line.
        ("n=3", "OXO/OXX/XOO O", &[], "", drawn("full-board")),
        ("n=3", "###/###/### O", &[], "", drawn("full-board")),
        ("n=3", "OOO/XX1/3 X", &[], "", by('O', "line")),
        ("n=3", "OOO/XX1/3 O", &[], "", by('O', "suicide")),
        ("n=3", "OOO/XXX/3 O", &[], "", drawn("simultaneous")),
        ("n=3", "OOO/XXX/OXO X", &[], "", drawn("simultaneous")),
    ];
    play(Game::Lineup, cases);
}

#[test]
fn gekitai_ends_as_its_rules_say() {
    const BOTH: &str = "6/2XOO1/2OX1X/2OO1O/3XX1/6 X"; // c5 completes a line of either side
    // f1 puts the last X on the board, and makes a line of O.
    const ALL_AND_LINE: &str = "1OO1O1/X5/4X1/6/1O1X1X/2XX1X X";
    let cases: &[Case<'_>] = &[
        // Pushed one square away, own pieces and the opponent's, or off the board, at an edge and
        // in a corner.
        ("", "6/1X1O2/6/6/6/6 X", &["c3"], "X3O1/6/2X3/6/6/6 O", None),
        ("", "1O4/X5/6/6/6/6 X", &["b2"], "6/1X4/6/6/6/6 O", None),
        ("", "XO4/6/6/6/6/6 X", &["b2"], "6/1X4/6/6/6/6 O", None),
        ("n=8", "8/8/8/8/8/8/8/6OX X", &["g7"], "8/8/8/8/8/8/6X1/8 O", None),
        // Not if the square behind is occupied, on the board as it was before any push.
        ("", "OX4/6/6/6/6/6 O", &["c1"], "OXO3/6/6/6/6/6 X", None),
        ("", "6/6/6/6/3XO1/6 X", &["c5"], "6/6/6/6/2XXO1/6 O", None),
        ("", "6/OX1XO1/6/6/6/6 O", &["c2"], "6/OXOXO1/6/6/6/6 X", None),
        // A line after the pushes; all pieces; if both, the reason is the line.
        ("", "6/6/XX4/6/6/6 X", &["c3"], "6/6/XXX3/6/6/6 O", by('X', "line")),
        ("", "6/6/X1X3/6/6/6 X", &["b3"], "6/6/1X1X2/6/6/6 O", None),
        ("p=2", "X5/6/6/6/6/6 X", &["f6"], "X5/6/6/6/6/5X O", by('X', "all-pieces")),
        ("p=2", "X5/6/6/6/6/6 X", &["b2"], "6/1X4/6/6/6/6 O", None),
        ("p=3", "6/6/XX4/6/6/6 X", &["c3"], "6/6/XXX3/6/6/6 O", by('X', "line")),
        ("p=1", "6/6/6/6/6/6 X", &["c3"], "", by('X', "all-pieces")),
        ("l=2", "X5/6/6/6/6/6 X", &["b1"], "1X4/6/6/6/6/6 O", None),
        ("l=2", "XO4/X5/6/6/6/6 O", &[], "", by('X', "line")),
        ("l=4", "6/6/XX4/6/6/6 X", &["c3"], "", None),
        ("n=8 l=8 p=9", "8/8/XXXXXXX1/8/8/8/8/8 X", &["h3"], "", by('X', "line")),
        ("n=7", "7/6X/6X/7/7/7/7 X", &["g4"], "7/6X/6X/6X/7/7/7 O", by('X', "line")),
        // Not around the edge.
        ("n=8", "8/6XX/X7/8/8/8/8/8 O", &[], "", None),
        ("n=8", "8/X7/7X/6X1/8/8/8/8 O", &[], "", None),
        ("n=5", "5/3XX/X4/5/5 O", &[], "", None),
        // The mover pushes the opponent's pieces into a line and has none.
        (
            "",
            "6/6/O1O3/OX4/1O1O2/O2X2 X",
            &["e4"],
            "6/6/O1O3/OX2X1/1O4/O1OX2 O",
            by('O', "suicide"),
        ),
        // Both sides reach a goal, in all combinations of goals.
        ("", BOTH, &["c5"], "6/2XOO1/2OXOX/2O2O/2XXX1/6 O", drawn("simultaneous")),
        ("simultaneous=mover", BOTH, &["c5"], "", by('X', "simultaneous")),
        ("", ALL_AND_LINE, &["f1"], "1OOO1X/X5/4X1/6/1O1X1X/2XX1X O", drawn("simultaneous")),
        ("simultaneous=mover", ALL_AND_LINE, &["f1"], "", by('X', "simultaneous")),
        // Set-up positions that are over.
        ("", "XXX3/6/6/6/6/6 O", &[], "", by('X', "line")),
        ("", "XXX3/6/6/6/6/6 X", &[], "", by('X', "suicide")),
        ("", "XXX3/6/6/6/6/3OOO X", &[], "", drawn("simultaneous")),
        ("simultaneous=mover", "XXX3/6/6/6/6/3OOO X", &[], "", by('O', "simultaneous")),
        ("p=2", "X4X/6/6/6/6/O5 O", &[], "", by('X', "all-pieces")),
        ("p=2", "X4X/6/6/6/6/O5 X", &[], "", by('X', "suicide")),
        ("p=2 simultaneous=mover", "X4X/6/6/6/6/O4O O", &[], "", by('X', "simultaneous")),
    ];
    play(Game::Gekitai, cases);
}

#[test]
fn what_is_illegal_is_said_to_the_author_of_the_bot() {
    let cases = [
        ("loa", "", "B7/8/8/2BB1W2/8/8/8/W6W B", "c3c3", "not on one line"),
        (
            "loa",
            "",
            "B7/8/8/2BB1W2/8/8/8/W6W B",
            "b0b1",
            "there is no piece of B on b0: it is empty",
        ),
        (
            "loa",
            "",
            "B7/8/8/2BB1W2/8/8/8/W6W B",
            "pass",
            "pass is only for a side that has no move",
        ),
        ("flipflop", "", "8/8/8/3WB3/3BW3/8/8/8 W 1", "27", "square 27 is not empty"),
        (
            "flipflop",
            "",
            "8/8/8/3WB3/3BW3/8/8/8 W 1",
            "0",
            "a first piece on 0 traps no line horizontally",
        ),
        ("flipflop", "", "8/8/8/3WB3/3BW3/8/8/8 W 1", "pass", "pass is only for a second piece"),
        (
            "flipflop",
            "",
            "8/8/8/1WWWW3/5B2/8/8/8 W 2",
            "38",
            "a second piece on 38 traps no line diagonally",
        ),
        (
            "flipflop",
            "n=10",
            "10/10/10/10/4WB4/4BW4/10/10/10/10 W 1",
            "44",
            "square 44 is not empty",
        ),
        (
            "flipflop",
            "n=10",
            "10/10/10/10/4WB4/4BW4/10/10/10/10 W 1",
            "99",
            "a first piece on 99 traps no line",
        ),
        ("lineup", "", "3#1/1#3/#2#1/1#3/2#2 O", "d0", "d0 is blocked"),
        ("lineup", "", "O4/5/5/5/5 X", "A0", "there is a piece on a0"),
        (
            "lineup",
            "n=12",
            "12/12/12/12/12/12/12/12/12/12/X11/12 O",
            "a10",
            "there is a piece on a10",
        ),
        ("gekitai", "", "O5/6/6/6/6/6 X", "a1", "there is a piece on a1"),
    ];
    for (game, options, text, ply, words) in cases {
        let ruleset = rules(game, options);
        let position = ruleset.read_position(text).unwrap();
        let message = position.check(ruleset.read_ply(ply).unwrap()).unwrap_err().to_string();
        assert!(message.contains(words), "{game} {ply}: {message}");
    }
}

/// The rules that a ply breaks, as the names of their variants.
fn broken(position: &str, ply: &str) -> String {
    let loa = rules("loa", "");
    let broken = loa.read_position(position).unwrap().broken_rules(loa.read_ply(ply).unwrap());
    let name = |rule: &Illegal| format!("{rule:?}").split([' ', '(']).next().unwrap().to_owned();
    broken.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_rule_of_loa_that_a_move_breaks_is_named() {
    const BOARD: &str = "B7/8/8/2BBWW2/8/8/8/W6W B";
    for (ply, rules) in [
        ("c3c2", ""),
        ("c3g3", "OverOpponent"),
        ("b0b1", "NoPiece WrongDistance"),
        ("f3b3", "OpponentsPiece OverOpponent"),
        ("c3c3", "NotOnOneLine"),
        ("c3d5", "NotOnOneLine"),
        ("a0d3", "OntoOwnPiece"),
        ("c3f3", "WrongDistance OverOpponent"),
        ("c3d3", "WrongDistance OntoOwnPiece"),
        ("b1d2", "NoPiece NotOnOneLine"),
        ("pass", "Pass"),
    ] {
        assert_eq!(broken(BOARD, ply), rules, "{ply}");
    }
    // One piece is a group: the game is over, whatever is tried.
    assert_eq!(broken("B7/8/8/8/8/8/W6W/8 W", "a6a7"), "GameOver WrongDistance");
    assert_eq!(broken("B7/8/8/8/8/8/W6W/8 W", "a6a4"), "GameOver");
}
