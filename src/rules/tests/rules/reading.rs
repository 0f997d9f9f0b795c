//! Positions and plies are read strictly, and errors name the place.

use crate::games::rules;

/// Fails unless each text is refused with all of its words.
fn refused(game: &str, options: &str, cases: &[(String, &[&str])]) {
    for (text, words) in cases {
        let message = rules(game, options).read_position(text).unwrap_err().to_string();
        assert!(
            words.iter().all(|&word| message.contains(word)),
            "{game} {options} {text:?}: {message}"
        );
    }
}

#[test]
fn a_position_of_loa_is_read_strictly() {
    let start = rules("loa", "").start().to_string();
    let rows = |third: &str| format!("1WWWWWW1/B6B/{third}/B6B/B6B/B6B/B6B/1WWWWWW1 B");
    let side = |side: &str| start.replace(" B", side);
    refused(
        "loa",
        "",
        &[
            (rows("B0B5B"), &["row 3", "`0`"]),
            (rows("B06B"), &["row 3", "`06`"]),
            (rows("44"), &["row 3", "44 empty squares"]),
            (rows("B99999999999999999999999B"), &["row 3", "99999999999999999999999"]),
            (rows("B5B"), &["row 3", "7 squares wide"]),
            (rows("B7B"), &["row 3", "9 squares wide"]),
            (rows("BBBBBBBBB"), &["row 3", "9 squares wide"]),
            (rows(""), &["row 3", "0 squares wide"]),
            (rows("B6b"), &["row 3", "'b'"]),
            (rows("B6é"), &["row 3", "'é'"]),
            (rows("B\t5B"), &["row 3", "'\\t'"]),
            (rows("B-6B"), &["row 3", "'-'"]),
            (rows("B6#"), &["row 3", "'#'"]),
            (rows("B6B/8"), &["9 rows where 8"]),
            (rows("B6B").replacen("/B6B", "", 1), &["7 rows where 8"]),
            (rows("B6B").replace(' ', "/ "), &["9 rows where 8"]),
            (rows("BB5B"), &["13 pieces of B", "at most 12"]),
            (rows("BW5B"), &["13 pieces of W", "at most 12"]),
            ("B6B/8/8/8/8/8/8/8 B".to_owned(), &["no piece of W"]),
            ("W6W/8/8/8/8/8/8/8 B".to_owned(), &["no piece of B"]),
            (side(""), &["1 field", "side to move"]),
            (side(" X"), &["side to move", "\"X\""]),
            (side(" b"), &["side to move", "\"b\""]),
            (side(" BW"), &["side to move", "\"BW\""]),
            (side(" B\n"), &["side to move", "\"B\\n\""]),
            (side(" B 1"), &["3 fields"]),
            (side("  B"), &["space"]),
            (side(" B "), &["space"]),
            (format!(" {start}"), &["space"]),
            (String::new(), &["position", "empty"]),
        ],
    );
}

#[test]
fn a_position_of_flipflop_is_read_strictly() {
    let rows = |third: &str| format!("8/8/{third}/3WB3/3BW3/8/8/8 W 1");
    let extra = |extra: &str| format!("8/8/8/3WB3/3BW3/8/8/8{extra}");
    refused(
        "flipflop",
        "",
        &[
            (rows("0"), &["row 3", "`0`"]),
            (rows("08"), &["row 3", "`08`"]),
            (rows("7"), &["row 3", "7 squares wide"]),
            (rows("9"), &["row 3", "9 empty squares"]),
            (rows("4W4"), &["row 3", "9 squares wide"]),
            (rows("7O"), &["row 3", "'O'", "`W`", "`B`"]),
            (rows("7#"), &["row 3", "'#'"]),
            (rows("8/8"), &["9 rows where 8"]),
            (extra(""), &["1 field", "3 are needed", "1 or 2"]),
            (extra(" W"), &["2 fields", "3 are needed"]),
            (extra(" W 1 1"), &["4 fields"]),
            (extra(" X 1"), &["side to move", "\"X\""]),
            (extra(" w 1"), &["side to move", "\"w\""]),
            (extra(" W 0"), &["third field", "\"0\""]),
            (extra(" W 3"), &["third field", "\"3\""]),
            (extra(" W 01"), &["third field", "\"01\""]),
            (extra(" W  1"), &["space"]),
            (extra(" W 1 "), &["space"]),
            // No second piece: none diagonally at the start, none at all without pieces.
            (
                extra(" W 2").replace("3BW3", "3B4"),
                &["third field is 2", "W can place no second piece"],
            ),
            (
                "8/8/8/8/8/8/8/8 B 2".to_owned(),
                &["third field is 2", "B can place no second piece"],
            ),
            (
                "WBB5/8/8/8/8/8/8/8 W 2".to_owned(),
                &["third field is 2", "W can place no second piece"],
            ),
            (String::new(), &["position", "empty"]),
        ],
    );
    let wide = |third: &str| format!("{}{third}{} B 1", "24/".repeat(2), "/24".repeat(21));
    refused(
        "flipflop",
        "n=24",
        &[
            (wide("23"), &["row 3", "23 squares wide"]),
            (wide("25"), &["row 3", "25 empty squares"]),
            (wide("W24"), &["row 3", "25 squares wide"]),
            (wide("024"), &["row 3", "`024`"]),
            (rows("8"), &["8 rows where 24"]),
        ],
    );
    let split = rules("flipflop", "n=24").read_position(&wide("12W11")).unwrap();
    assert_eq!(split.to_string(), wide("12W11"));
}

#[test]
fn a_position_of_lineup_is_read_strictly() {
    let rows = |third: &str| format!("3#1/1#3/{third}/1#3/2#2 O");
    let side = |side: &str| format!("3#1/1#3/5/1#3/2#2{side}");
    refused(
        "lineup",
        "",
        &[
            (rows("0"), &["row 3", "`0`"]),
            (rows("05"), &["row 3", "`05`"]),
            (rows("6"), &["row 3", "6 empty squares"]),
            (rows("#2#"), &["row 3", "4 squares wide"]),
            (rows("######"), &["row 3", "6 squares wide"]),
            (rows("1*3"), &["row 3", "'*'", "`O`", "`X`", "a block is `#`"]),
            (rows("4o"), &["row 3", "'o'"]),
            (rows("4W"), &["row 3", "'W'"]),
            (rows("5/5"), &["6 rows where 5"]),
            (side(""), &["1 field"]),
            (side(" B"), &["side to move", "\"B\"", "O or X"]),
            (side(" x"), &["side to move", "\"x\""]),
            (side(" #"), &["side to move", "\"#\""]),
            (side(" O 1"), &["3 fields"]),
            (side("  O"), &["space"]),
            (String::new(), &["position", "empty"]),
        ],
    );
    let blocks_of_text = rules("lineup", "blocks=none").read_position(&rows("5")).unwrap();
    assert_eq!(blocks_of_text.ruleset().options_text(), "n=5 s=4 blocks=d0,b1,b3,c4");
}

#[test]
fn a_position_of_gekitai_is_read_strictly() {
    let rows = |third: &str| format!("6/6/{third}/6/6/6 X");
    let side = |side: &str| format!("6/6/6/6/6/6{side}");
    refused(
        "gekitai",
        "",
        &[
            (rows("0"), &["row 3", "`0`"]),
            (rows("06"), &["row 3", "`06`"]),
            (rows("33X"), &["row 3", "33 empty squares"]),
            (rows("5"), &["row 3", "5 squares wide"]),
            (rows("XXXXXXX"), &["row 3", "7 squares wide"]),
            (rows("5x"), &["row 3", "'x'"]),
            (rows("5#"), &["row 3", "'#'"]),
            (rows("6/6"), &["7 rows where 6"]),
            (rows("6").replace("6/6/6/6", "6/XXXXXX/XXX3/6"), &["9 pieces of X", "at most 8"]),
            (rows("6").replace("6/6/6/6", "6/OOOOOO/OOO3/6"), &["9 pieces of O", "at most 8"]),
            (side(""), &["1 field"]),
            (side(" B"), &["side to move", "\"B\"", "X or O"]),
            (side(" X 1"), &["3 fields"]),
            (side(" X "), &["space"]),
            (String::new(), &["position", "empty"]),
        ],
    );
    refused("gekitai", "p=1", &[(rows("2XX2"), &["2 pieces of X", "at most 1"])]);
    refused(
        "gekitai",
        "n=5",
        &[
            (rows("6"), &["6 rows where 5"]),
            ("XX1XX/5/XX1X1/5/5 X".to_owned(), &["7 pieces of X", "at most 6"]),
        ],
    );
}

/// A game, its options, and texts that are no plies there.
const NO_PLIES: [(&str, &str, &[&str]); 7] = [
    (
        "loa",
        "",
        &[
            "", "a2", "a2c", "a2c44", "A2c4", "a2C4", "a8c4", "i2c4", "a2c9", "a2--c4", "a2  c4",
            " a2c4", "a2c4 ", "a2xc4", "a2\tc4", "Pass", "pass ", "é2c4", "aéc4", "0", "a2-c",
            "a2c4\n",
        ],
    ),
    (
        "flipflop",
        "",
        &[
            "",
            " 20",
            "20 ",
            "64",
            "020",
            "00",
            "+20",
            "-1",
            "20.0",
            "a2",
            "Pass",
            "PASS",
            "passes",
            "pass ",
            "é",
            "٣",
            "99999999999999999999",
            "65536",
            "65556",
        ],
    ),
    ("flipflop", "n=24", &["576", "1000", "0575", "pass 1"]),
    (
        "lineup",
        "",
        &[
            "",
            "a",
            "0",
            "a5",
            "f0",
            "a00",
            "a01",
            "a-1",
            "a+1",
            "aa",
            "a0 ",
            " a0",
            "a 0",
            "a0b",
            "é0",
            "aé",
            "pass",
            "a0a1",
            "a99999999999999999999",
            "[0",
            "`0",
            "@0",
        ],
    ),
    ("lineup", "n=19", &["a19", "t0", "a018", "a1 8"]),
    (
        "gekitai",
        "",
        &["", "a0", "a7", "g1", "a01", "c", "3", "3c", "pass", "c3c4", "c3 ", "é1", "a1\n"],
    ),
    ("gekitai", "n=8", &["a0", "a9", "i1", "i9"]),
];

#[test]
fn what_is_no_ply_is_refused() {
    for (game, options, texts) in NO_PLIES {
        for text in texts {
            assert!(rules(game, options).read_ply(text).is_err(), "{game} {options} {text:?}");
        }
    }
    for (game, options, text, read) in [
        ("flipflop", "n=24", "575", "575"),
        ("flipflop", "", "0", "0"),
        ("flipflop", "", "pass", "pass"),
        ("lineup", "n=19", "S18", "s18"),
        ("lineup", "", "D0", "d0"),
        ("gekitai", "n=8", "H8", "h8"),
        ("loa", "", "a2-c4", "a2c4"),
    ] {
        let ruleset = rules(game, options);
        assert_eq!(ruleset.ply_text(ruleset.read_ply(text).unwrap()).to_string(), read);
    }
}
