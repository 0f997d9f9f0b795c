//! Answers of rules programs, right ones and wrong ones.
#![cfg(test)]

use super::*;
use proptest::prelude::*;

const SIDES: BySide<char> = BySide { first: 'X', second: 'O' };

fn advance(line: &str) -> Result<EngineState, String> {
    read_advance(line.as_bytes(), SIDES).map_err(|fault| fault.what)
}

#[test]
fn the_answers_of_the_page_are_read() {
    let line = br#"{"game":"connect4","title":"Connect Four","options":[{"key":"rows","default":6,"values":[4,6],"about":"rows"}]}"#;
    let RulesTitle { title, options, .. } = read_rules(line).unwrap();
    let text = |text: &str| text.to_owned();
    let rows = OwnOption {
        key: text("rows"),
        default: text("6"),
        values: vec![text("4"), text("6")],
        about: text("rows"),
    };
    assert_eq!((&*title, options), ("Connect Four", vec![rows]));
    assert_eq!(read_set(b"{}"), Ok(Ok(())));
    assert_eq!(read_set(br#"{"error":"no"}"#), Ok(Err(text("no"))));
    let named = br#"{"sides":"XO","rows":1,"columns":2,"row_names":["1"],"column_names":["a","b"],"pieces":{"X":"XK"},"position":"2 X","moves":["a1"],"ending":null}"#;
    let RulesStart { layout, state } = read_start(named).unwrap();
    assert_eq!(layout.to_string(), "XO 1x2 pieces=XK,O");
    assert_eq!((&*state.position, state.plies, state.ending), ("2 X", vec![text("a1")], None));
    let unnamed = br#"{"sides":"wb","rows":2,"columns":30,"position":"30/30 w","moves":["a1"]}"#;
    assert_eq!(
        read_start(unnamed).unwrap().layout.column_names()[26..],
        ["aa", "ab", "ac", "ad"],
        "the usual names"
    );
    let moved = r#"{"position":"X1 O","moves":["1"],"ending":["X","line"],"identity":"X","squares":{"1":[[0,1]]}}"#;
    let next = advance(moved).unwrap();
    let ending = EngineEnding { winner: Some(Side::First), reason: text("line"), margin: None };
    assert_eq!((next.ending, next.identity), (Some(ending), Some(text("X"))));
    let won = advance(r#"{"position":"X1 O","moves":[],"ending":["O","area",7.5]}"#).unwrap();
    assert_eq!(won.ending.unwrap().margin, Margin::new(7.5));
    assert_eq!(next.squares, [(text("1"), vec![(0, 1)])]);
    let draw =
        advance(r#"{"position":"XO X","moves":[],"ending":[null,"full-board"],"identity":null}"#)
            .unwrap();
    assert_eq!(draw.ending.unwrap().winner, None);
    assert_eq!(read_at(br#"{"error":"wider than 7"}"#, SIDES), Ok(Err(text("wider than 7"))));
    assert!(read_at(br#"{"position":"2 X","moves":["a1"],"ending":null}"#, SIDES).unwrap().is_ok());
    assert_eq!(read_why(br#""the column is full""#), Ok(Some(text("the column is full"))));
    assert_eq!((read_why(b"null"), read_why(b"\" \"")), (Ok(None), Ok(None)));
}

#[test]
fn a_fault_that_the_program_reports_counts_after_any_question() {
    let line = br#" { "fault" : {"what":"IndexError: list index out of range","function":"play","file":"connect4.py","line":12}}"#;
    let faults = [
        read_rules(line).unwrap_err(),
        read_set(line).unwrap_err(),
        read_start(line).unwrap_err(),
        read_advance(line, SIDES).unwrap_err(),
        read_at(line, SIDES).unwrap_err(),
        read_why(line).unwrap_err(),
    ];
    for fault in faults {
        assert_eq!(
            fault.to_string(),
            "connect4.py, line 12, in play: IndexError: list index out of range"
        );
    }
    let bare = read_why(br#"{"fault":{"what":"no \u001b[2J"}}"#).unwrap_err();
    assert_eq!(bare.to_string(), r"the rules: no \x1b[2J");
    let wrong = read_why(br#"{"fault":"no"}"#).unwrap_err().what;
    assert!(wrong.contains(r#"it has the form {"fault":{"what":"…""#), "{wrong}");
}

/// Answers that are wrong, to a question by its first word, and a part of the sentence about each.
const WRONG: &[(&str, &str, &str)] = &[
    (
        "advance",
        "",
        "the answer to `advance` is ``, which is no JSON: EOF while parsing a value at byte 0",
    ),
    (
        "advance",
        "debug \u{1b}[2J",
        r"is `debug \x1b[2J`, which is no JSON: expected value at byte 1; it has the form {",
    ),
    ("advance", "{}", "has the wrong form: missing field `position`"),
    ("advance", "[]", "has the wrong form: invalid length 0"),
    (
        "advance",
        r#"{"position":"2 X","moves":["a1"],"ending":null} {}"#,
        "trailing characters at byte",
    ),
    ("advance", r#"{"position":"2 X","position":"2 O","moves":[]}"#, "duplicate field `position`"),
    (
        "advance",
        r#"{"position":"2 X","moves":[],"endings":null}"#,
        "unknown field `endings`, expected one of `position`",
    ),
    ("advance", r#"{"position":7,"moves":[]}"#, "invalid type: integer `7`, expected a string"),
    (
        "advance",
        r#"{"position":"2 X","moves":[1]}"#,
        "invalid type: integer `1`, expected a string",
    ),
    ("advance", r#"{"position":"2 X","moves":[""]}"#, r#"the move "" has 0 bytes; it has 1 to 31"#),
    (
        "advance",
        r#"{"position":"2 X","moves":["0123456789abcdef0123456789abcdef"]}"#,
        "has 32 bytes; it has 1 to 31",
    ),
    ("advance", r#"{"position":"2 X","moves":[],"ending":"X"}"#, r#"invalid type: string "X""#),
    ("advance", r#"{"position":"2 X","moves":[],"ending":["X"]}"#, "invalid length 1"),
    ("advance", r#"{"position":"2 X","moves":[],"ending":["X","a",1,2]}"#, "trailing characters"),
    ("advance", r#"{"position":"2 X","moves":[],"ending":[null,"a",1]}"#, "a draw has no margin"),
    (
        "advance",
        r#"{"position":"2 X","moves":[],"ending":["X","a",0.001]}"#,
        "the margin is 0.001; it is a number above 0, up to 1000000",
    ),
    (
        "advance",
        r#"{"position":"2 X","moves":[],"ending":["Z","line"]}"#,
        r#"the winner is "Z"; it is "X", "O", or null for a draw"#,
    ),
    (
        "advance",
        r#"{"position":"2 X","moves":[],"ending":["X","Line!"]}"#,
        r#"the reason is "Line!"; it is a word"#,
    ),
    (
        "advance",
        r#"{"position":"2 X","moves":[],"ending":["X","timeout"]}"#,
        "the reason is `timeout`, which only the referee may say",
    ),
    (
        "advance",
        r#"{"position":"2 X","moves":["a1"],"squares":{"b1":[[0,0]]}}"#,
        r#"squares has the key "b1", which is none of the moves"#,
    ),
    (
        "advance",
        r#"{"position":"2 X","moves":["a1"],"squares":{"a1":[[0,-1]]}}"#,
        "invalid value: integer `-1`, expected u32",
    ),
    (
        "advance",
        r#"{"position":"2 X","moves":["a1"],"squares":{"a1":[[0,0]],"a1":[[0,1]]}}"#,
        "duplicate key `a1`",
    ),
    ("advance", r#"{"error":"no such move"}"#, "the answer to `advance`: an error, no such move"),
    ("at", r#"{"error":7}"#, r#"the answer to `at` is `{"error":7}`, which has the wrong form"#),
    (
        "why",
        "7",
        "has the wrong form: invalid type: integer `7`, expected a string; it has the form \"a \
         sentence\" or null",
    ),
    ("set", r#"{"fine":true}"#, "unknown field `fine`"),
    ("rules", r#"{"title":" "}"#, "the title has 1 bytes; it has 1 to 100"),
    (
        "rules",
        r#"{"title":"x","options":[{"key":"A","default":1,"values":[1]}]}"#,
        r#""A" is no key of an option"#,
    ),
    (
        "rules",
        r#"{"title":"x","options":[{"key":"a","default":1,"values":[]}]}"#,
        "the option `a` has 0 values; it has 1 to 1000",
    ),
    (
        "rules",
        r#"{"title":"x","options":[{"key":"a","default":3,"values":[1,2]}]}"#,
        r#"the default of the option `a`, "3", is not among its values"#,
    ),
    (
        "rules",
        r#"{"title":"x","options":[{"key":"a","default":1,"values":[1,"1"]}]}"#,
        "has the value 1 twice",
    ),
    (
        "rules",
        r#"{"title":"x","options":[{"key":"a","default":1,"values":[1,2.5]}]}"#,
        "a value of an option is a word or a whole number",
    ),
    (
        "rules",
        r#"{"title":"x","options":[{"key":"a","default":1,"values":[1,"x y"]}]}"#,
        r#"has the value "x y"; a value is a whole number"#,
    ),
    (
        "rules",
        r#"{"title":"x","options":[{"key":"a","default":1,"values":[1]},{"key":"a","default":1,"values":[1]}]}"#,
        "the option `a` is listed twice",
    ),
    (
        "start",
        r#"{"sides":"X","rows":1,"columns":1,"position":"1 X","moves":[]}"#,
        r#"sides is "X"; it has the letters of both sides"#,
    ),
    (
        "start",
        r#"{"sides":"XX","rows":1,"columns":1,"position":"1 X","moves":[]}"#,
        "the letter 'X' is given to two pieces",
    ),
    (
        "start",
        r#"{"sides":"XO","rows":33,"columns":1,"position":"1 X","moves":[]}"#,
        "rows is 33; a board has 1 to 32 rows",
    ),
    (
        "start",
        r#"{"sides":"XO","rows":1,"columns":0,"position":"1 X","moves":[]}"#,
        "columns is 0; a board has 1 to 32 columns",
    ),
    (
        "start",
        r#"{"sides":"XO","rows":1,"columns":1,"row_names":[],"position":"1 X","moves":[]}"#,
        "row_names has 0 names where the board needs 1",
    ),
    (
        "start",
        r#"{"sides":"XO","rows":1,"columns":1,"pieces":{"Z":"K"},"position":"1 X","moves":[]}"#,
        r#"pieces has the key "Z"; its keys are X and O"#,
    ),
];

#[test]
fn a_wrong_answer_is_explained_with_what_would_be_right() {
    for (question, line, expected) in WRONG {
        let line = line.as_bytes();
        let fault = match *question {
            "rules" => read_rules(line).unwrap_err(),
            "set" => read_set(line).unwrap_err(),
            "start" => read_start(line).unwrap_err(),
            "advance" => read_advance(line, SIDES).unwrap_err(),
            "at" => read_at(line, SIDES).unwrap_err(),
            _ => read_why(line).unwrap_err(),
        };
        assert!(fault.what.contains(expected), "{question}: {} is not {expected}", fault.what);
        assert!(fault.what.starts_with(&format!("the answer to `{question}`")), "{}", fault.what);
    }
}

#[test]
fn every_word_of_the_referee_is_refused_as_a_reason() {
    let words = Fault::ALL.iter().map(|fault| fault.word());
    for word in words.chain(["resign", "repetition", "max-plies", "aborted", "rules"]) {
        let line = format!(r#"{{"position":"2 X","moves":[],"ending":["X","{word}"]}}"#);
        assert!(advance(&line).unwrap_err().contains("only the referee"), "{word}");
    }
}

#[test]
fn sizes_are_bounded() {
    let moves = |count: usize| {
        let moves: Vec<String> = (0..count).map(|at| format!("\"{at}\"")).collect();
        advance(&format!(r#"{{"position":"2 X","moves":[{}]}}"#, moves.join(",")))
    };
    assert_eq!(moves(MOST_PLIES).unwrap().plies.len(), MOST_PLIES);
    let many = moves(MOST_PLIES + 1).unwrap_err();
    assert!(many.ends_with("there are 2001 moves; at most 2000 are allowed"), "{many}");
    let long = format!(r#"{{"position":"{}","moves":[]}}"#, "x".repeat(4_001));
    assert!(
        advance(&long).unwrap_err().ends_with("position has 4001 bytes; at most 4000 are allowed")
    );
    let fault = format!(r#"{{"fault":{{"what":"{}"}}}}"#, "x".repeat(100_000));
    assert!(read_why(fault.as_bytes()).unwrap_err().what.len() < 600);
    let deep = "[".repeat(1 << 20);
    assert!(advance(&deep).unwrap_err().len() < 600);
}

/// Bytes similar to answers: pieces of JSON, and others.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "null",
        "\"position\":",
        "\"moves\":",
        "\"ending\":",
        "\"fault\":",
        "\"error\":",
        "\"squares\":",
        "\"sides\":\"XO\"",
        "\"rows\":",
        "\"X\"",
        "\"line\"",
        "7",
        "-1",
        "1e99",
        "\\ud800",
        "é",
        "\u{202e}",
    ];
    let piece = prop_oneof![
        6 => prop::sample::select(words.map(|word| word.as_bytes().to_vec()).to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..8),
    ];
    let pieces = prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat());
    // A right or wrong answer with a byte that is another one.
    let near = (prop::sample::select(WRONG.to_vec()), any::<prop::sample::Index>(), any::<u8>());
    let near = near.prop_map(|((_, line, _), at, byte)| {
        let mut line = line.as_bytes().to_vec();
        if !line.is_empty() {
            let at = at.index(line.len());
            line[at] = byte;
        }
        line
    });
    prop_oneof![pieces, near]
}

proptest! {
    #[test]
    fn no_bytes_cause_a_panic_and_what_is_said_of_them_can_be_shown(line in line()) {
        let said = [
            read_rules(&line).err(),
            read_set(&line).err(),
            read_start(&line).err(),
            read_advance(&line, SIDES).err(),
            read_at(&line, SIDES).err(),
            read_why(&line).err(),
        ];
        for fault in said.into_iter().flatten() {
            let RulesFault { what, .. } = fault;
            prop_assert!(what.chars().all(arbiter_rules::text::is_visible), "{what:?}");
        }
    }
}
