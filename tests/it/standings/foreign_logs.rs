//! Logs of other programs: `standings` reads tags and results and leaves out what has none; ids
//! that repeat count once; `verify` reads streams and folders.

use crate::support::{Ran, arbiter, project, run};
use arbiter::game::{Abort, GameResult, Outcome};
use arbiter::record::{GameHead, read_heads, read_raw};
use proptest::prelude::*;
use std::fs;
use std::io::{self, Read, Write};
use std::process::Stdio;

/// A stream that gives few bytes at a time.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn heads_of(source: impl Read) -> Vec<GameHead> {
    let mut heads = Vec::new();
    read_heads(source, |head| {
        heads.push(head.clone());
        Ok::<_, io::Error>(())
    })
    .unwrap();
    heads
}

fn heads(log: impl AsRef<[u8]>) -> Vec<GameHead> {
    heads_of(log.as_ref())
}

/// White, the result after the moves, the line, for each game.
fn read(log: impl AsRef<[u8]>) -> Vec<(String, Option<&'static str>, usize)> {
    let white = |head: &GameHead| head.tag("White").unwrap_or("-").to_owned();
    heads(log)
        .iter()
        .map(|head| (white(head), head.result.map(GameResult::word), head.line))
        .collect()
}

const AB: &str = "[White \"a\"]\n[Black \"b\"]\n";

#[test]
fn the_moves_of_other_programs_are_left_alone() {
    let games = [
        ("variations", format!("{AB}\n1. e4 (1. d4 d5 (1... c5 0-1) 1/2-1/2) e5 1-0\n")),
        ("castling and en passant", format!("{AB}\n1. O-O exd6 e.p. 2. 0-0 0-0-0 12.Qxf7# 1-0\n")),
        ("comments", format!("{AB}\n1. e4 {{0-1 [ ( }} e5 ; 0-1 {{\n% 0-1 {{\n $1 !? 1-0\n")),
        (
            "a brace that is not closed in a line comment",
            format!("{AB}; {{\n\n1. e4 1-0 {{the end\n}}"),
        ),
        ("a diagram", format!("{AB}\n1. e4 (2. [#] d4) <reserved> 1-0")),
        ("the end of a file of old programs", format!("{AB}\r\n1. e4\r\n1-0\r\n\x1a")),
        ("a byte order mark", format!("\u{feff}{AB}\n1-0")),
        ("a byte order mark before an escape line", format!("\u{feff}%{{\n{AB}\n1-0")),
        ("a number before the result", format!("{AB}\n1. e4 2.1-0\n")),
        ("CR", format!("{AB}\n1-0\n").replace('\n', "\r")),
        ("an unbalanced parenthesis", format!("{AB}\n1. e4 ) e5 1-0")),
        ("white space in tags", "[ White\n \"a\" ] [\tBlack \"b\"\r\n]\n\n1-0".to_owned()),
        (
            "quotes in a value",
            "[White \"a\"][Black \"the \"big\" b\"]\n[Site \"\\\"]\n\n1-0".to_owned(),
        ),
        ("a tag twice", "[White \"a\"][White \"c\"]\n[Black \"b\"]\n\n1-0".to_owned()),
        ("a tag that is not closed", "[White \"a\"\n[Black \"b\"\n\n1-0".to_owned()),
        ("a tag without value", "[Site]\n[White \"a\"]\n[Black b]\n[%x y]\n\n1-0".to_owned()),
    ];
    for (what, log) in games {
        let games: Vec<_> =
            read(&log).into_iter().map(|(white, result, _)| (white, result)).collect();
        assert_eq!(games, [("a".to_owned(), Some("1-0"))], "{what}");
        let two =
            read(log.trim_end_matches('\u{1a}').to_owned() + "\n\n[Event \"x\"]\n[White \"z\"] *");
        assert_eq!(two.len(), 2, "{what}: {two:?}");
        assert_eq!(two[1].0, "z", "{what}");
    }
    let latin = heads(b"[White \"Jos\xe9 \x85\"]\n[Black \"\xc3\xa9\"] *");
    assert_eq!([latin[0].tag("White"), latin[0].tag("Black")], [Some("José  "), Some("é")]);
}

#[test]
fn games_end_where_the_next_one_begins() {
    let tags = |name: &str| {
        format!("[Event \"e\"]\n[White \"{name}\"]\n[Black \"x\"]\n[Result \"1-0\"]\n")
    };
    let of = |parts: &[(&str, Option<&'static str>, usize)]| -> Vec<(String, Option<&'static str>, usize)> {
        parts.iter().map(|&(name, result, line)| (name.to_owned(), result, line)).collect()
    };
    let only_tags = format!("{}\n{}\n\n{}", tags("a"), tags("b"), tags("c"));
    assert_eq!(read(only_tags), of(&[("a", None, 1), ("b", None, 6), ("c", None, 12)]));
    // The tags after the blank line belong to the game that repeats one of them.
    let other =
        read("[White \"a\"]\n[Black \"b\"]\n\n[Event \"x\"]\n[White \"c\"]\n[Black \"d\"] *");
    assert_eq!(other, of(&[("a", None, 1), ("c", Some("*"), 4)]));
    let no_result = format!("{}\n1. e4 e5\n\n{}\n1. d4 0-1\n", tags("a"), tags("b"));
    assert_eq!(read(no_result), of(&[("a", None, 1), ("b", Some("0-1"), 8)]));
    let in_variation = format!("{}\n1. e4 (1. d4 1-0\n\n{}\n1. d4 0-1\n", tags("a"), tags("b"));
    assert_eq!(read(in_variation), of(&[("a", None, 1), ("b", Some("0-1"), 8)]));
    let in_comment = format!("{}\n1. e4 {{ne\nver\n\n{}\n1. d4 0-1\n", tags("a"), tags("b"));
    assert_eq!(read(&in_comment), of(&[("a", None, 1), ("b", Some("0-1"), 9)]));
    let closed = in_comment.replace("ne\nver\n", "ne\nver").replace("0-1", "} 0-1");
    assert_eq!(read(closed), of(&[("a", Some("0-1"), 1)]), "no blank line before the tag");
    let text = format!("A mail 1-0\nwith * a game\n\n{}\n1-0", tags("a"));
    assert_eq!(read(text), of(&[("-", None, 1), ("a", Some("1-0"), 4)]));
    assert_eq!(read(""), []);
    assert_eq!(read("% x\n; y\n{z}\n\x1a"), []);
}

#[test]
fn the_hash_is_that_of_the_moves() {
    let hash = |moves: &str| heads(format!("{AB}\n{moves} 1-0"))[0].moves;
    let first = hash("1. a2c4 c0b1");
    assert!(first.is_some());
    assert_eq!(hash("1.a2c4{0.1s}(1. b0 c0)c0b1$3"), first);
    assert_ne!(hash("1. a2c4"), first);
    assert_eq!(hash("{a2c4}"), None);
}

#[test]
fn a_head_without_end_does_not_grow() {
    let log = format!("{AB}{}{}\n1-0", "[x \"y\"]\n\n", "[a\"b\"]".repeat(3000));
    assert_eq!(heads(log).len(), 1);
    let mut log = AB.to_owned();
    for number in 0..3000 {
        log.push_str(&format!("[t{number} \"{}\"]", "v".repeat(999)));
    }
    let head = &heads(log + " 1-0")[0];
    assert_eq!((head.tag("Black"), head.result), (Some("b"), Some(GameResult::White)));
    assert_eq!(head.fault.as_ref().unwrap().1, "the game has too many tags");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn a_log_is_read_alike_in_parts_of_any_size(
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40), size in 1..20_usize,
    ) {
        let log = words.concat();
        prop_assert_eq!(heads_of(Trickle(&log, size)), heads(&log));
    }

    #[test]
    fn what_is_read_strictly_is_read_alike(
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..30),
    ) {
        are_read_alike(&words.concat())?;
    }
}

/// A log that was joined from several has the marks of those that were empty.
#[test]
fn several_byte_order_marks_are_read_as_one() {
    for text in
        ["1-0\u{feff}\u{feff};", "\n\u{feff}\u{feff}1. a2c4", "\n\u{feff}\u{feff}\u{feff}% text\n"]
    {
        are_read_alike(text.as_bytes()).unwrap();
    }
}

/// A log with this text in its moves is refused by the strict reader, or read alike by both.
fn are_read_alike(text: &[u8]) -> Result<(), TestCaseError> {
    let log = [b"[White \"a\"] [Black \"b\"] ".as_slice(), text, b" 1-0"].concat();
    let Ok(games) = read_raw(&log).collect::<Result<Vec<_>, _>>() else { return Ok(()) };
    // Only there may such a comment contain a game.
    prop_assume!(!log.windows(8).any(|part| part == b"[Event \""));
    let heads = heads(&log);
    prop_assert_eq!(heads.len(), games.len());
    for (head, game) in heads.iter().zip(&games) {
        prop_assert_eq!(
            (head.number, head.line, head.result),
            (game.number, game.line, Some(game.result))
        );
        for tag in &game.tags {
            prop_assert_eq!(head.tag(tag.name), Some(&*tag.value));
        }
        prop_assert_eq!(head.moves.is_some(), !game.moves.is_empty());
    }
    Ok(())
}

const WORDS: [&[u8]; 31] = [
    b"[White \"a\"]",
    b"[Event \"",
    b"[x \"y\"]\r\n",
    b"[y \"\\\"\"]",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b" ",
    b"{",
    b"}",
    b"{a\n\nb}",
    b";",
    b"%",
    b"$1",
    b"(",
    b")",
    b"1.",
    b" a2c4 ",
    b"1-0",
    b" 0-1 ",
    b"*",
    b" 1/2-1/2\n",
    b"\xe9",
    b"\xef\xbb\xbf",
    b"\x1a",
    b" .",
];

/// Runs a command with a text as its standard input.
fn run_with(arguments: &[&str], input: &[u8]) -> Ran {
    let mut command = arbiter(arguments);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap().into()
}

#[test]
fn standings_names_what_it_leaves_out_and_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("foreign.pgn");
    let game = format!("{AB}[Result \"1-0\"]\n\n1. e4 (1. d4) e5 1-0\n\n");
    let bad = [
        "[White \"a\"]\n\n*\n\n",
        "[White \"a\"]\n[Black \"b\"]\n[Result \"won\"]\n\n",
        "[Black \"b\n\n0-1\n\n",
    ];
    fs::write(
        &path,
        [&game.repeat(1000), bad[0], &game, bad[1], &game, bad[2], &game, bad[0]].concat(),
    )
    .unwrap();
    let path = path.to_str().unwrap();
    let ran = run(&["standings", path]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let note = format!(
        "4 of 1,007 games left out: {path}:6001: no tag Black; {path}:6011: no result; \
         {path}:6021: no tag White: the tag Black has no closing quote on its line; and 1 more"
    );
    assert_eq!(ran.stderr, format!("{note}\n"));
    let json = run(&["standings", "--format", "json", path]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["notes"][0], note);
    // The tags do not show who moved first.
    assert_eq!(json["notes"].as_array().unwrap().len(), 2);
    assert_eq!(json["bots"][0]["wins"], 1003);
    assert_eq!(json["bots"][0]["repeated"], 1002, "of one game's moves");
    for format in ["text", "markdown"] {
        let shown = run(&["standings", "--format", format, path]).stdout;
        let words =
            shown.replace(['\n', '\\'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("4 of 1,007 games left out: "), "{shown}");
    }
    assert_eq!(run_with(&["standings", "-"], game.as_bytes()).status, Some(0));
}

#[test]
fn a_bot_that_was_changed_plays_other_games_under_the_same_ids() {
    let dir = tempfile::tempdir().unwrap();
    let log = |name: &str, tags: &str, moves: &str, result: &str| {
        let path = dir.path().join(name);
        let text = format!(
            "[Event \"cup\"]\n[White \"b\"]\n[Black \"a\"]\n[Result \"{result}\"]\n[Game \"loa\"]\n\
             [Outcome \"win\"]\n[Termination \"resign\"]\n[GameId \"a~b.1\"]\n[Seed \"1\"]\n{tags}\n{moves} {result}\n\n"
        );
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let digests = |white: &str| format!("[WhiteDigest \"{white}\"]\n[BlackDigest \"00\"]\n");
    // Black has won with its first content, White with the second.
    let before = log("before.pgn", &digests("11"), "1. a2c4", "0-1");
    let mended = log("mended.pgn", &digests("22"), "1. a2c4 b1b3", "1-0");
    let bare = log("bare.pgn", "", "1. a2c4", "0-1");
    let other_moves = log("moves.pgn", "", "1. c1c3", "0-1");
    let other_result = log("result.pgn", "", "1. a2c4", "1-0");
    // Of one content one game counts, also if clocks made its moves others.
    let again = log("again.pgn", &digests("11"), "1. c1c3", "0-1");
    let points = |files: &[&String]| {
        let mut arguments = vec!["standings", "--format", "json"];
        arguments.extend(files.iter().map(|file| file.as_str()));
        let json: serde_json::Value = serde_json::from_str(&run(&arguments).stdout).unwrap();
        let bots = json["bots"].as_array().unwrap();
        let of = |name: &str| {
            let bot = bots.iter().find(|bot| bot["name"] == name).unwrap();
            (bot["points"].as_f64().unwrap(), bot["games"].as_u64().unwrap())
        };
        [of("a"), of("b")]
    };
    for files in [[&before, &mended], [&mended, &before]] {
        assert_eq!(points(&files), [(1.0, 2), (1.0, 2)], "{files:?}");
    }
    for files in [[&bare, &other_moves, &other_result], [&other_result, &bare, &other_moves]] {
        assert_eq!(points(&files), [(2.0, 3), (1.0, 3)], "{files:?}");
    }
    assert_eq!(points(&[&before, &again, &before]), [(1.0, 1), (0.0, 1)]);
    assert_eq!(points(&[&bare, &bare]), [(1.0, 1), (0.0, 1)]);
    // The same holds for what reads whole games.
    let verified = run(&["verify", "--json", &before, &mended, &other_moves]);
    assert!(!verified.stderr.contains("remark"), "{verified:?}");
    let cases = run(&["standings", "--format", "junit", &before, &mended]);
    assert!(!cases.stderr.contains("do not count"), "{cases:?}");
}

#[test]
fn a_match_with_the_sides_exchanged_or_other_settings_has_other_games() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("match.pgn");
    let log = path.to_str().unwrap();
    let bots = [["builtin:greedy", "builtin:random"], ["builtin:random", "builtin:greedy"]];
    let more: [&[&str]; 4] =
        [&[], &["--max-plies", "5"], &["--opening-plies", "2"], &["--move-time", "9s"]];
    let mut count = 0;
    for [one, other] in bots {
        for more in more {
            let play =
                ["play", "lineup", one, other, "--seed", "5", "--sandbox", "off", "--log", log];
            let ran = run(&[&play[..], more].concat());
            assert_eq!(ran.status, Some(0), "{ran:?}");
            count += 1;
            let table = run(&["standings", "--format", "json", log]);
            let json: serde_json::Value = serde_json::from_str(&table.stdout).unwrap();
            assert_eq!(json["bots"][0]["games"], count, "{one} {more:?}: {table:?}");
        }
    }
}

#[test]
fn repeated_ids_count_once() {
    let dir = tempfile::tempdir().unwrap();
    let log = |name: &str, from: &str, to: &str| {
        let path = dir.path().join(name);
        let text = "[Event \"cup\"]\n[White \"b\"]\n[Black \"a\"]\n[Result \"0-1\"]\n[Game \"loa\"]\n\
                    [Outcome \"win\"]\n[Termination \"resign\"]\n[GameId \"a~b.1\"]\n[Seed \"1\"]\n\n1. a2c4 0-1\n\n";
        fs::write(&path, text.replace(from, to)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let [one, again] = [log("1.pgn", "", ""), log("2.pgn", "", "")];
    fs::create_dir(dir.path().join("out")).unwrap();
    log("out/games.pgn", "", "");
    let [event, seed] = [log("3.pgn", "cup", "other"), log("4.pgn", "Seed \"1", "Seed \"2")];
    let wrong = log("5.pgn", "[White \"b", "[White \"c");
    let out = dir.path().join("out").to_str().unwrap().to_owned();
    let ran = run(&["standings", "--format", "json", &one, &again, &out, &event, &seed]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let note = "2 of 5 games are there before, with the same GameId, event, seed, board, start, settings, players \
                and digests of these (without digests: moves and result), and do not count";
    assert_eq!(
        (&json["bots"][0]["games"], &json["notes"]),
        (&3.into(), &serde_json::json!([note])),
        "{ran:?}"
    );
    assert_eq!(ran.stderr, format!("{note}\n"));

    let ran = run(&["verify", &one, &out, &event]);
    assert_eq!(ran.status, Some(0), "a remark is no error: {ran:?}");
    let games = format!("{out}/games.pgn");
    let remark = "remark: GameId \"a~b.1\" is that of an earlier game";
    assert_eq!(
        ran.stdout,
        format!(
            "{one}: 1 game, valid\n{games}:8: game 1: {remark}\n\
             {games}: 1 game, valid; 1 repeats the GameId of an earlier game\n{event}: 1 game, valid\n"
        )
    );
    let ran = run(&["verify", "--json", &one, &again]);
    assert_eq!((ran.status, ran.stdout.matches("\"valid\":true").count()), (Some(0), 2), "{ran:?}");
    assert_eq!(ran.stderr, format!("{again}:8: game 1: {remark}\n"));
    let ran = run(&["verify", &wrong]);
    let what = "GameId is \"a~b.1\", but for these players it begins with \"a~c.\"";
    assert_eq!(ran.stdout, format!("{wrong}:8: game 1: {what}\n{wrong}: 1 game, 1 invalid\n"));
    assert_eq!(ran.status, Some(1));
    let text = fs::read(&one).unwrap();
    assert_eq!(run_with(&["verify", "-"], &text).stdout, "-: 1 game, valid\n");
    assert_eq!(
        run_with(&["verify", "-"], &text.repeat(2)[..600.min(2 * text.len() - 9)]).status,
        Some(1),
        "cut"
    );
}

/// A game of arbiter's own log, of these two bots, with these moves.
fn game(white: &str, black: &str, moves: &str) -> String {
    format!(
        "[Event \"cup\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n[Game \"gekitai\"]\n\
         [Outcome \"win\"]\n[Termination \"resign\"]\n\n{moves}\n\n"
    )
}

#[test]
fn the_games_behind_a_broken_one_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    let log = path.to_str().unwrap();
    let page = dir.path().join("page.html");
    let good = game("a", "b", "1. a1 1-0");
    for (what, broken, line, ply) in [
        ("a variation", game("a", "b", "1. a1 (b2) 1-0"), 19, ", ply 1"),
        ("a comment without end", game("a", "b", "1. a1 {so 1-0"), 19, ""),
        ("a move of another game", game("a", "b", "1. Qe4 {so} 1-0"), 19, ", ply 1"),
        ("no result", game("a", "b", "1. a1"), 19, ""),
        ("no end of a tag", good.replace("a\"]", "a\n"), 12, ""),
        ("no moves", game("a", "b", "").trim_end().to_owned() + "\n", 18, ""),
        ("a tag without quotes", good.replace("\"b\"", "b"), 13, ""),
        ("Result against the moves", good.replace("[Result \"1-0", "[Result \"0-1"), 19, ""),
    ] {
        let text = good.clone() + &broken + &good.repeat(130);
        fs::write(&path, text).unwrap();
        let ran = run(&["verify", log]);
        let place = format!("{log}:{line}: game 2{ply}: ");
        let summary = format!("\n{log}: 132 games, 1 invalid (1 cannot be read)\n");
        assert!(
            ran.stdout.starts_with(&place) && ran.stdout.ends_with(&summary),
            "{what}: {ran:?}"
        );
        assert_eq!((ran.status, ran.stdout.lines().count()), (Some(1), 2), "{what}: {ran:?}");
        let ran = run(&["report", log, "-o", page.to_str().unwrap()]);
        assert!(ran.stdout.contains("  131 games  "), "{what}: {ran:?}");
        let said = format!("1 game cannot be shown: a.pgn: line {line}: game 2{ply}: ");
        assert!(ran.status == Some(0) && ran.stderr.contains(&said), "{what}: {ran:?}");
        let ran = run(&["replay", "--plain", log, "3"]);
        assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "{what}: {ran:?}");
        let ran = run(&["standings", "--verify", log]);
        assert!(
            ran.status == Some(1) && ran.stderr.starts_with(&format!("{log}: line {line}: game 2")),
            "{ran:?}"
        );
        let ran = run(&["standings", "--format", "junit", log]);
        assert!(
            ran.status == Some(0) && ran.stderr.contains(&format!("{log}: line {line}: game 2")),
            "{ran:?}"
        );
    }
}

#[test]
fn logs_that_were_joined_have_byte_order_marks_inside() {
    let good = game("a", "b", "1. a1 1-0");
    for join in ["\u{feff}", "\r\n\u{feff}", "\r\n\u{1a}\u{feff}", "\r\n\u{feff}% from here on\r\n"]
    {
        let log = format!("\u{feff}{}{join}{good}", good.trim_end());
        assert_eq!(
            run_with(&["verify", "-"], log.as_bytes()).stdout,
            "-: 2 games, valid\n",
            "{join:?}"
        );
        let ran = run_with(&["standings", "--format", "json", "-"], log.as_bytes());
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((&json["bots"][0]["games"], &*ran.stderr), (&2.into(), ""), "{join:?}");
    }
}

#[test]
fn what_is_no_log_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    let log = path.to_str().unwrap();
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let good = game("a", "b", "1. a1 1-0");
    for (bytes, words) in [
        (b"\x1f\x8b\x08\0".to_vec(), "packed with gzip"),
        (b"BZh91AY&SY".to_vec(), "packed with bzip2"),
        (b"\xfd7zXZ\0\0\x04".to_vec(), "packed with xz"),
        (b"PK\x03\x04".to_vec(), "a zip archive"),
        (utf_16(&format!("\u{feff}{good}")), "UTF-16"),
        (utf_16(&good), "UTF-16"),
        (b"\x89PNG\r\n\x1a\n".to_vec(), "there is no game in it"),
        (b"{\"id\": 1}\n".to_vec(), "there is no game in it"),
        (b"[1, 2]\n".to_vec(), "there is no game in it"),
        (Vec::new(), "there is no game in it"),
    ] {
        fs::write(&path, &bytes).unwrap();
        for command in ["verify", "report", "standings"] {
            let ran = run(&[command, log]);
            assert_eq!(ran.status, Some(2), "{command} {words}: {ran:?}");
            assert!(
                ran.stderr.contains(&format!("arbiter: {log}: ")) && ran.stderr.contains(words),
                "{ran:?}"
            );
        }
    }
    // The other files are verified all the same.
    let other = dir.path().join("b.pgn");
    fs::write(&other, good).unwrap();
    let ran = run(&["verify", log, other.to_str().unwrap()]);
    assert!(ran.status == Some(2) && ran.stdout.ends_with("b.pgn: 1 game, valid\n"), "{ran:?}");
}

#[test]
fn a_long_word_is_not_echoed_whole() {
    let long = "x".repeat(1 << 20);
    let good = game("a", "b", "1. a1 1-0");
    for log in [
        good.replace("a1", &long),
        good.replace("a1", &format!("a{}", "1".repeat(1 << 20))),
        good.replace("gekitai", &long),
        good.replace("[White", &format!("[{long} \"\"][{long} \"\"][White")),
        good.replace("\"1-0\"", &format!("\"{long}\"")),
        good.replace("\"1-0\"", &format!("\"{}\"", "x ".repeat(1 << 20))),
        good.replace("[White", &format!("[GameId \"a~{long}.1\"][White")),
        good.replace("[White", &format!("[Options \"{long}=1\"][White")),
        good.replace("\"a\"", &format!("\"{long}\"")).replace("\"b\"", &format!("\"{long}\"")),
    ] {
        for command in [&["verify", "-"][..], &["standings", "-", "--format", "json"]] {
            let ran = run_with(command, log.as_bytes());
            let said = ran.stderr.len() + if command[0] == "verify" { ran.stdout.len() } else { 0 };
            assert!(said < 3000, "{command:?}: {said} bytes");
            assert!(command[0] != "verify" || ran.stdout.len() > 60, "{ran:?}");
        }
    }
}

#[test]
fn contradictions_are_said() {
    let good = game("a", "b", "1. a1 1-0");
    let against = good.replace("[Result \"1-0", "[Result \"0-1");
    let log = good.clone() + &against + &game("c", "c", "1. a1 1-0") + &game("a", "b", "");
    let ran = run_with(&["standings", "--format", "json", "-"], log.as_bytes());
    for words in [
        "1 of 4 games left out: -:21: c plays against itself",
        "1 of 4 games counted by the tag Result, which the moves contradict: -:11: Result is 0-1, but the moves end with 1-0",
        "1 of 4 games damaged or cut off, and counted by the result that is there: -:31: there is nothing after its tags",
    ] {
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
    }
    // A game that was cut off inside a tag, with whole ones after it.
    let torn = good.split_once("[Outcome").unwrap().0.to_owned() + "[Outc\n\n" + &good + &against;
    let ran = run_with(&["standings", "--format", "json", "-"], torn.as_bytes());
    assert!(ran.stderr.contains("1 of 3 games damaged or cut off"), "{ran:?}");
    let ran = run_with(&["verify", "-"], log.as_bytes());
    for words in [
        "-:19: game 2: the moves end with 1-0, but Result is 0-1",
        "-:23: game 3: remark: \"c\" plays against itself",
        "game 4: the log ends in the tags of this game",
        "-: 4 games, 2 invalid (2 cannot be read)",
    ] {
        assert!(ran.stdout.contains(words), "{words}: {ran:?}");
    }
}

#[test]
fn a_log_without_limit_may_end_where_a_pass_is_forced() {
    let vectors = project("tests/vectors/games");
    let mut tried = 0;
    for entry in fs::read_dir(vectors).unwrap() {
        let path = entry.unwrap().path();
        let Ok(log) = fs::read(&path) else { continue };
        for record in arbiter::record::read_log(&log) {
            let record = record.unwrap();
            let passes = record
                .plies
                .iter()
                .map(|played| record.ruleset().ply_text(played.ply).to_string() == "pass");
            for at in
                passes.enumerate().filter_map(|(index, pass)| (pass && index > 0).then_some(index))
            {
                let mut cut = record.clone();
                cut.plies.truncate(at);
                cut.max_plies = None;
                cut.outcome = Outcome::MaxPlies;
                assert_eq!(arbiter::replay::replay(&cut), Ok(()), "{}: {at}", path.display());
                // A game that stops for another reason needs the pass, if it is forced.
                cut.outcome = Outcome::Aborted(Abort::Broken);
                tried += u32::from(arbiter::replay::replay(&cut).is_err());
            }
        }
    }
    assert!(tried > 0);
}

#[test]
fn a_log_without_limit_may_end_by_repetition_where_a_pass_is_forced() {
    // Both black pieces are shut in; White moves one of its own there and back.
    let log = |plies: &str| {
        format!(
            "[White \"a\"]\n[Black \"b\"]\n[Result \"1/2-1/2\"]\n[Game \"loa\"]\n[Outcome \"draw\"]\n\
             [Termination \"repetition\"]\n[FEN \"6WB/6WW/8/3W4/8/8/WW6/BW6 B\"]\n\n{plies} 1/2-1/2\n"
        )
    };
    let judged = |plies: &str| {
        let log = log(plies);
        let record = arbiter::record::read_log(log.as_bytes()).next().unwrap().unwrap();
        arbiter::replay::replay(&record)
    };
    assert_eq!(judged("1. pass d3e3 2. pass e3d3"), Ok(()));
    assert!(
        judged("1. pass d3e3 2. pass").is_err(),
        "Black has passed, and nothing has occurred twice"
    );
    assert!(judged("1. pass d3e3").is_err(), "nothing has occurred twice");
}

/// The game of the bots that `cargo bench --bench compare` gives to referees of chess, as the lines
/// `position` of this referee ask for it.
fn asked_by(
    sides: &mut [crate::planned::Side; 2],
    position: impl Fn(&[&str]) -> String,
) -> Vec<&'static str> {
    let mut plies = Vec::new();
    sides.iter_mut().for_each(crate::planned::Side::begin);
    loop {
        let side = &mut sides[plies.len() % 2];
        side.position(&position(&plies));
        match side.ply() {
            Some(ply) => plies.push(ply),
            None => return plies,
        }
    }
}

#[test]
fn the_bots_of_the_bench_play_their_game_whatever_a_referee_tells_of_it() {
    let mut sides = [crate::planned::Side::default(), crate::planned::Side::default()];
    let whole =
        asked_by(&mut sides, |plies| format!("position startpos moves {}", plies.join(" ")));
    assert_eq!(whole.len(), 200);
    // c-chess-cli: the position after the last irreversible ply, here every fifth one.
    let cut = |plies: &[&str]| {
        let from = plies.len() / 5 * 5;
        let side = if from.is_multiple_of(2) { "w" } else { "b" };
        let since = match &plies[from..] {
            [] => String::new(),
            since => format!(" moves {}", since.join(" ")),
        };
        format!("position fen 8/8/8/8/8/8/8/8 {side} - - 0 1{since}")
    };
    assert_eq!(asked_by(&mut sides, cut), whole);
    sides.reverse(); // in the next game they change sides
    assert_eq!(asked_by(&mut sides, cut), whole);

    let log = |plies: &[&str], result: &str| {
        format!(
            "[White \"a\"]\n[Black \"b\"]\n[Result \"{result}\"]\n\n{} {result}\n\n",
            plies.join(" ")
        )
    };
    let right = log(&whole, "0-1");
    assert_eq!(crate::planned::plies(right.repeat(2).as_bytes()).unwrap(), 400);
    for wrong in [log(&whole[..40], "1-0"), log(&whole[..40], "0-1"), log(&whole, "1/2-1/2")] {
        let refused =
            crate::planned::plies(format!("{right}{wrong}").as_bytes()).unwrap_err().to_string();
        assert!(refused.starts_with("game 2 ended after "), "{refused}");
    }
}
