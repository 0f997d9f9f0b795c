use super::groups::MoveGroups;
use super::template::BlockCursor;
use super::*;
use crate::{Reply, SentLines, Settings, Start};
use arbiter_rules::{BySide, Ply, Position, Ruleset, Side};

fn table(transpose: bool) -> Table {
    Table { transpose, ..Table::with_move("(?<text>.*)").unwrap() }
}

fn values_of(table: &Table, position: &Position, you: Side, settings: &Settings) -> Values {
    let sent = SentLines { id: String::new(), seeds: BySide { first: 0, second: 0 } };
    Values::new(table, &Start { sent: &sent, position, you, settings })
}

/// Positions of one game, the start first.
fn positions(ruleset: &Ruleset) -> Vec<Position> {
    let mut all = vec![ruleset.start()];
    for step in 0..40usize {
        let last = &all[step];
        let plies = last.sorted_plies();
        let Some(&ply) = plies.get(step * 7 % plies.len().max(1)) else { break };
        all.push(last.after(ply));
    }
    all
}

/// The forms of a column and those of a row.
const COLUMNS: [&str; 4] = ["x", "x1", "col", "COL"];
const ROWS: [&str; 3] = ["y", "y1", "row"];

/// Writes plies by a template, reads them back by a pattern, and returns what was read and written.
fn there_and_back(
    template: &str,
    pattern: &str,
    position: &Position,
    plies: &[Ply],
    transpose: bool,
) -> Vec<(Reply, String)> {
    let settings = Settings::for_ruleset(position.ruleset());
    let values = values_of(&table(transpose), position, position.side(), &settings);
    let template = Template::parse(template).unwrap();
    let regex = Pattern::parse(pattern).unwrap().compile(&values).unwrap();
    let groups = MoveGroups::of(&regex).unwrap();
    let one = |&ply: &Ply| {
        let text = template.text(&values, Context::Ply(position, ply)).unwrap();
        let captures = regex
            .captures(text.as_bytes())
            .unwrap_or_else(|| panic!("{pattern} does not match {text}"));
        (groups.read(&captures, &values, position), text.clone())
    };
    plies.iter().map(one).collect()
}

/// Every form of every legal ply, read back, is the ply.
fn check_all_forms(position: &Position) {
    let check = |template: &str, pattern: &str, plies: &[Ply]| {
        for transpose in [false, true] {
            let found = there_and_back(template, pattern, position, plies, transpose);
            for (ply, (read, text)) in plies.iter().zip(found) {
                assert_eq!(
                    read,
                    Reply::Ply(*ply),
                    "{template} gave {text} in {position}, transposed: {transpose}"
                );
            }
        }
    };
    check("{ply.text}", "^(?<text>.*)$", &position.sorted_plies());
    let squares = |wanted: fn(usize) -> bool| -> Vec<Ply> {
        position.plies().filter(|&ply| wanted(position.squares(ply).len())).collect()
    };
    let (one, more) = (squares(|count| count == 1), squares(|count| count > 1));
    for (column, row) in COLUMNS.into_iter().flat_map(|column| ROWS.map(|row| (column, row))) {
        check(
            &format!("{{ply.{row}}} {{ply.{column}}}"),
            &format!("^(?<{row}>.*) (?<{column}>.*)$"),
            &one,
        );
        check(
            &format!(
                "{{ply.from.{column}}} {{ply.from.{row}}} {{ply.to.{column}}} {{ply.to.{row}}}"
            ),
            &format!("^(?<from.{column}>.*) (?<from.{row}>.*) (?<to.{column}>.*) (?<to.{row}>.*)$"),
            &more,
        );
    }
}

#[test]
fn a_written_ply_is_read_back() {
    for n in [3, 9, 10, 11, 19] {
        check_all_forms(&Ruleset::named("lineup", &format!("n={n}")).unwrap().start());
    }
    for (game, options) in [("lineup", "n=6"), ("gekitai", "n=7"), ("loa", "")] {
        for position in positions(&Ruleset::named(game, options).unwrap()).iter().step_by(9) {
            check_all_forms(position);
        }
    }
}

/// Two rows and three columns; a move has one square, two or three, or is a word.
const OWN: &[arbiter_rules::own::sample::Row] = &[
    (
        "3/3 X",
        &[
            ("a1", "X2/3 O"),
            ("c2", "3/2X O"),
            ("a2b1", "1X1/3 O"),
            ("b2a1c1", "2X/3 O"),
            ("null", "3/3 O"),
        ],
    ),
    ("X2/3 O", &[("swap", "O2/3 X"), ("N", "XO1/3 X")]),
];

#[test]
fn moves_of_a_custom_game_are_read_back() {
    let start = arbiter_rules::own::sample::game("small", "XO 2x3", OWN).start();
    let after = start.after(start.ruleset().read_ply("a1").unwrap());
    for position in [&start, &after] {
        check_all_forms(position);
    }
    let written = |text: &str, transpose| {
        let ply = start.ruleset().read_ply(text).unwrap();
        there_and_back("{ply.text}", "(?<text>.*)", &start, &[ply], transpose).remove(0).1
    };
    assert_eq!(
        ["c2", "a2b1", "b2a1c1", "null"].map(|text| written(text, true)),
        ["b3", "b1a2", "b2a1a3", "null"]
    );
    assert_eq!(written("b2a1c1", false), "b2a1c1");
}

#[test]
fn a_square_outside_the_board_is_an_illegal_answer() {
    let position = Ruleset::named("gekitai", "").unwrap().start();
    let read = |pattern: &str, text: &[u8], transpose| {
        let values = values_of(&table(transpose), &position, Side::First, &Settings::default());
        let regex = Table::read_answer(pattern).unwrap().compile(&values).unwrap();
        MoveGroups::of(&regex).unwrap().read(&regex.captures(text).unwrap(), &values, &position)
    };
    for (pattern, text, why) in [
        ("(?<x>.*) (?<y>.*)", &b"6 0"[..], "column \"6\" is not on the board; `x` is 0 to 5"),
        ("(?<x1>.*) (?<y>.*)", b"0 0", "column \"0\" is not on the board; `x1` is 1 to 6"),
        ("(?<x>.*) (?<y>.*)", b"0 -1", "row \"-1\" is not on the board; `y` is 0 to 5"),
        (
            "(?<x>.*) (?<y>.*)",
            b"0 99999999999999999999999",
            "row \"99999999999999999999999\" is not on the board; `y` is 0 to 5",
        ),
        ("(?<COL>.*) (?<row>.*)", b"g 1", "column \"g\" is not on the board; `COL` is A to F"),
        ("(?<col>.*) (?<row>.*)", b"a 0", "row \"0\" is not on the board; `row` is 1 to 6"),
        (
            "(?s-u)(?<col>.*) (?<row>.*)",
            b"\xff\x1b 0",
            "column \"\\\\xff\\\\x1b\" is not on the board; `col` is a to f",
        ),
        ("(?<text>.*)", b"h9", "column 'h' is not on the board; columns are a to f, rows 1 to 6"),
        ("(?<y>.) (?<x>.)?", b"1 ", "the match of `move` names no whole square"),
    ] {
        assert_eq!(read(pattern, text, false), Reply::Illegal(why.to_owned()), "{pattern}");
    }
    let ply = |text: &str| Reply::Ply(position.ruleset().read_ply(text).unwrap());
    assert_eq!(read("(?<COL>.)(?<row>.)", b"b1", false), ply("b1"), "small letters are read too");
    assert_eq!(read("(?<x>.),(?<y>.)", b"1,3", true), ply("d2"));
}

#[test]
fn values_are_those_of_the_game_and_the_side() {
    let position = Ruleset::named("lineup", "n=4 s=3 blocks=b0,d2").unwrap().start();
    let of = |side, transpose, settings: &Settings, text: &str| {
        let values =
            values_of(&Table { share: 250, ..table(transpose) }, &position, side, settings);
        Template::parse(text).unwrap().text(&values, Context::Nothing)
    };
    let mut settings = Settings::for_ruleset(position.ruleset());
    let all =
        "{n} {s} {blocks} {option.s} {side} {side:O=w,X=b} {first:3|2} {blocks.count} {} {N} {0";
    assert_eq!(of(Side::First, false, &settings, all).unwrap(), "4 3 b0,d2 3 O w 3 2 {} {N} {0");
    assert_eq!(of(Side::Second, false, &settings, all).unwrap(), "4 3 b0,d2 3 X b 2 2 {} {N} {0");
    for (control, seconds) in [("9", "2"), ("1", "1"), ("400+8", "4"), ("none", "2")] {
        settings = settings.with_control(match control {
            "none" => crate::clock::TimeControl::Unlimited,
            plain if !plain.contains('+') => crate::clock::TimeControl::Ply(
                std::time::Duration::from_secs(plain.parse().unwrap()),
            ),
            game => crate::clock::TimeControl::parse(game).unwrap(),
        });
        assert_eq!(of(Side::First, false, &settings, "{seconds}").unwrap(), seconds, "{control}");
    }
    let missing = of(Side::First, false, &settings, "a {p}").unwrap_err();
    assert_eq!(
        missing,
        "the table of the program has the value {p}, but lineup has no such option"
    );
    assert!(
        of(Side::Second, false, &settings, "{side:O=w}")
            .unwrap_err()
            .contains("no text for the side X")
    );
    assert!(of(Side::Second, false, &settings, "{ply.x}").is_err());
    for (text, wrong) in [
        (
            "{size}",
            "unknown value `{size}`; the values are {blocks}, {l}, {n}, {p}, {s}, {simultaneous}, \
             {stuck}, {option.KEY}, ",
        ),
        ("{ply.z}", "unknown value `{ply.z}`; "),
        ("{ply.from.text}", "unknown value `{ply.from.text}`; "),
        ("{first:1}", "`{first:1}` needs a text for each side in order: write {first:1|2}"),
        ("{side:BW}", "`{side:BW}` needs a text for each letter of a side: write {side:B=b,W=r}"),
    ] {
        assert!(Template::parse(text).unwrap_err().starts_with(wrong), "{text}");
    }
}

#[test]
fn the_next_block_comes_when_a_form_would_come_twice() {
    let position = Ruleset::named("lineup", "n=4 blocks=b0,d2").unwrap().start();
    let values =
        |transpose| values_of(&table(transpose), &position, Side::First, &Settings::default());
    let send = |transpose, texts: &[&str]| -> Result<Vec<String>, String> {
        let mut cursor = BlockCursor::default();
        let send = |text: &&str| cursor.text(&Template::parse(text).unwrap(), &values(transpose));
        texts.iter().map(send).collect()
    };
    let (row, column) = ("{block.y}", "{block.COL}");
    assert_eq!(send(false, &[row, column, "{n}", row, column]).unwrap(), ["0", "B", "4", "2", "D"]);
    assert_eq!(send(true, &[row, column, row, column]).unwrap(), ["1", "A", "3", "C"]);
    assert_eq!(
        send(false, &["{block.x} {block.x}", "{block.text}", "{block.text}"]).unwrap(),
        ["1 1", "b0", "d2"]
    );
    let third = send(false, &[row, row, row]).unwrap_err();
    assert!(third.starts_with("the table of the program sends a further block"), "{third}");
    assert!(third.contains("but the board has only 2: "), "{third}");
}

#[test]
fn the_board_is_written_with_the_programs_letters() {
    let position =
        Ruleset::named("lineup", "n=3 s=3 blocks=c0").unwrap().read_position("1X#/O2/3 O").unwrap();
    let board = |cells: Cells, transpose| {
        let table = Table { cells, ..table(transpose) };
        let values = values_of(&table, &position, Side::First, &Settings::default());
        Template::parse("{board}").unwrap().text(&values, Context::Board(&position)).unwrap()
    };
    assert_eq!(board(Cells::default(), false), ".X#\nO..\n...");
    assert_eq!(board(Cells::default(), true), ".O.\nX..\n#..");
    let pieces = [('O', "w".to_owned())].into();
    let cells =
        Cells { pieces, empty: Some("e".into()), block: Some("*".into()), join: " ".into() };
    assert_eq!(board(cells, false), "e X *\nw e e\ne e e");
}

#[test]
fn patterns_keep_their_braces_and_quote_values() {
    let position = Ruleset::named("loa", "").unwrap().start();
    let values = values_of(&table(false), &position, Side::Second, &Settings::default());
    let expression =
        |text: &str| Pattern::parse(text).and_then(|pattern| pattern.expression(&values));
    for (text, expected) in [
        (r"{first:X|O.} \d{1,2}x{3}", r"O\. \d{1,2}x{3}"),
        (r"\p{greek}\x{5a}\{n}", r"\p{greek}\x{5a}\{n}"),
        (r"\\{n}\b{start}", r"\\8\b{start}"),
        (r"{side:W=(}{side}", r"\(W"),
    ] {
        assert_eq!(expression(text).unwrap(), expected, "{text}");
    }
    for (text, wrong) in [
        ("(a", "it is no regular expression: unclosed group"),
        (
            "{ply.x}",
            "a pattern cannot have {ply.…}, {block.…} or {board}, which change during a game",
        ),
        ("(?:a{1000}){1000}", "the pattern is too large"),
    ] {
        assert_eq!(expression(text).unwrap_err(), wrong);
    }
    assert!(expression("{foo}").unwrap_err().starts_with("unknown value `{foo}`"));
    assert!(
        Table::read_answer("(?<z>.)")
            .unwrap_err()
            .starts_with("unknown group `z`; the groups of `move` are x, y,")
    );
    for text in ["plays", "(?<x>.)", "(?<from.x>.)(?<from.y>.)", "(?<x>.)(?<col>.)"] {
        assert!(
            Table::read_answer(text).unwrap_err().contains("no groups that name a move"),
            "{text}"
        );
    }
}

#[test]
fn a_table_says_what_it_needs() {
    let needs = |ruleset: &str, options: &str| {
        let needs = vec![("blocks".to_owned(), "none".to_owned())];
        Table { needs, ..table(false) }.unmet_needs(&Ruleset::named(ruleset, options).unwrap())
    };
    assert_eq!(needs("lineup", "n=7"), [""; 0]);
    assert_eq!(
        needs("lineup", "blocks=a0"),
        ["it needs blocks=none, not blocks=a0: set it with --set, or in [options]"]
    );
    assert_eq!(needs("loa", ""), ["it needs blocks=none, and loa has no option blocks"]);
}
