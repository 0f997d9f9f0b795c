//! Rules in Python behind their line protocol: the driver (bots/playout-python/arbiter_rules.py) is
//! started as arbiter starts it, and asked directly. The games of `games/` are counted against
//! published numbers, and each mistake of an author has its sentence.

mod rules;
mod tables;

use crate::support::{plays_all, project, sample};
use rules::{DRIVER, PYTHON, Rules};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tables::{FAULTS, LOADING, PERFT, PLIES, SLOW, SMALL};

/// A file with these rules.
fn file(folder: &Path, name: &str, source: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, source).unwrap();
    path
}

#[test]
fn the_games_have_as_many_sequences_of_plies_as_published() {
    for (game, options, position, counts) in
        PERFT.iter().chain(if plays_all() { SLOW } else { &[] })
    {
        let mut rules = Rules::with(&format!("games/{game}.py"), options);
        let start = if position.is_empty() { "start".to_owned() } else { format!("at {position}") };
        let start = rules.ask(&start);
        for (depth, count) in (1..).zip(*counts) {
            assert_eq!(
                rules.perft(&start, depth),
                *count,
                "{game} {options} {position}, depth {depth}"
            );
        }
    }
}

/// Breakthrough once more, on boards as lists of letters: White goes up.
fn breakthrough(board: &[Vec<char>], white: bool, depth: u32) -> u64 {
    let (own, other) = if white { ('W', 'B') } else { ('B', 'W') };
    let far = if white { board.last() } else { board.first() };
    let is_over = far.unwrap().contains(&other) || !board.iter().any(|row| row.contains(&own));
    if depth == 0 || is_over {
        return u64::from(depth == 0);
    }
    let mut count = 0;
    for (row, column) in
        (0..board.len()).flat_map(|row| (0..board[0].len()).map(move |column| (row, column)))
    {
        let Some(to) = (if white { row.checked_sub(1) } else { Some(row + 1) }) else { continue };
        for step in [0, 1, 2] {
            let target = board
                .get(to)
                .zip((column + step).checked_sub(1))
                .and_then(|(row, at)| row.get(at))
                .copied();
            let may_enter = target == Some('.') || target == Some(other) && step != 1;
            if board[row][column] == own && may_enter {
                let mut next = board.to_vec();
                next[row][column] = '.';
                next[to][column + step - 1] = own;
                count += breakthrough(&next, !white, depth - 1);
            }
        }
    }
    count
}

#[test]
fn breakthrough_is_counted_twice() {
    for (rows, columns, depth, known) in
        [(8, 8, 3, 11_132), (5, 3, 5, 0), (3, 12, 3, 0), (4, 2, 8, 0)]
    {
        let mut rules =
            Rules::with("games/breakthrough.py", &format!("rows={rows} columns={columns}"));
        let start = rules.ask("start");
        let deep = if rows >= 5 { 2 } else { 1 };
        let letter = |row| {
            if row < deep {
                'B'
            } else if row >= rows - deep {
                'W'
            } else {
                '.'
            }
        };
        let board: Vec<Vec<char>> = (0..rows).map(|row| vec![letter(row); columns]).collect();
        for depth in 1..=depth {
            assert_eq!(
                rules.perft(&start, depth),
                breakthrough(&board, true, depth),
                "{rows}x{columns}, {depth}"
            );
        }
        assert!(known == 0 || breakthrough(&board, true, depth) == known);
    }
}

#[test]
fn plies_of_the_games_do_what_their_descriptions_say() {
    for [game, options, position, ply, next, ending] in PLIES {
        let mut rules = Rules::with(&format!("games/{game}.py"), options);
        let answer = rules.ask(&format!("advance {position}\t{ply}"));
        let part = |part: &str| match part.parse::<f64>() {
            Ok(margin) => json!(margin),
            Err(_) => json!((part != "-").then_some(part)),
        };
        let ending = ending.contains(' ').then(|| ending.split(' ').map(part).collect::<Vec<_>>());
        assert_eq!(
            (&answer["position"], &answer["ending"]),
            (&json!(next), &json!(ending)),
            "{game} {position} {ply}"
        );
    }
}

/// A position of tests/own/faulty.py in which its fault is awake.
const AWAKE: &str = "X2/1O1/3 X";

fn faulty(place: &str, what: &str) -> (Rules, String) {
    let mut rules = Rules::with("tests/own/faulty.py", "");
    let question = rules.be_faulty(place, what);
    (rules, question)
}

impl Rules {
    /// Gives tests/own/faulty.py this fault; the question that wakes it.
    fn be_faulty(&mut self, place: &str, what: &str) -> String {
        for option in [format!("what {what}"), format!("where {place}")] {
            assert_eq!(self.ask(&format!("set {option}")), json!({}));
        }
        match place {
            "start" | "file" => "start".to_owned(),
            "why" => format!("why {AWAKE}\ta1"),
            "squares" => format!("advance {AWAKE}\ttake-2-2"),
            _ => format!("advance {AWAKE}\tc3"),
        }
    }
}

#[test]
fn each_mistake_of_an_author_has_its_sentence_and_line() {
    let source = fs::read_to_string(project("tests/own/faulty.py")).unwrap();
    let mut rules = Rules::with("tests/own/faulty.py", "");
    for (place, what, sentence, snippet) in FAULTS {
        let question = rules.be_faulty(place, what);
        let line = source.lines().position(|line| line.contains(snippet)).unwrap() + 1;
        let function = (*place != "file").then_some(place);
        let expected = json!({"fault": {"what": sentence, "function": function, "file": "faulty.py", "line": line}});
        assert_eq!(rules.ask(&question), expected, "{place} {what}");
        assert_eq!(rules.ask(&question), expected, "{place} {what}: the process goes on");
    }
}

#[test]
fn what_an_author_prints_and_reads_does_no_harm() {
    let (mut healthy, question) = faulty("play", "nothing");
    let expected = healthy.ask(&question);
    for what in ["prints", "reads"] {
        let (mut rules, question) = faulty("play", what);
        assert_eq!(rules.ask(&question), expected, "{what}");
    }
    for place in ["identity", "why", "squares"] {
        let (mut rules, question) = faulty(place, "none");
        let answer = rules.ask(&question);
        assert!(
            place == "why" && answer.is_null() || answer["moves"].is_array(),
            "{place}: {answer}"
        );
        assert!(answer.get(place).is_none(), "{place}: {answer}");
    }
}

#[test]
fn what_no_driver_can_help_is_left_to_arbiter() {
    for place in ["start", "moves", "play", "ending", "identity", "why", "squares", "file"] {
        let (mut rules, question) = faulty(place, "exits");
        assert_eq!(rules.line(&question), "", "{place}");
        assert_eq!(rules.process.wait().unwrap().code(), Some(3), "{place}");
    }
    let (mut rules, question) = faulty("play", "closes");
    assert_eq!(rules.line(&question), "");
    assert!(!rules.process.wait().unwrap().success());
    let (mut rules, question) = faulty("play", "scribbles");
    assert_eq!(rules.line(&question), "garbage");
    let mut exits = Rules::of(&project("tests/own/load/exits.py"));
    assert_eq!(exits.line("rules 1"), "");
}

#[test]
fn files_that_cannot_be_loaded_and_questions_that_are_none_have_their_sentence() {
    let folder = tempfile::tempdir().unwrap();
    for (extra, question, sentence) in sample(LOADING, 3) {
        let path = file(folder.path(), "small.py", &format!("{SMALL}{extra}\n"));
        let answer = Rules::of(&path).ask(question);
        let (sentence, line) = match sentence.strip_suffix(" (no line)") {
            Some(sentence) => (sentence, Value::Null),
            None => (*sentence, json!(SMALL.lines().count() + extra.lines().count())),
        };
        let said = answer["error"].as_str().or(answer["fault"]["what"].as_str());
        let fits = said.is_some_and(|said| said.starts_with(sentence));
        assert!(fits, "{extra} {question}: {answer}, not {sentence}");
        if let Some(fault) = answer.get("fault") {
            assert_eq!(
                (&fault["file"], &fault["line"]),
                (&json!("small.py"), &line),
                "{extra}: {answer}"
            );
        }
    }
    let mut missing = Rules::of(&folder.path().join("missing.py"));
    assert_eq!(
        missing.ask("rules 1")["fault"]["what"],
        "missing.py cannot be read: No such file or directory"
    );
    let binary = folder.path().join("binary.py");
    fs::write(&binary, b"sides = '\xff'\n\0").unwrap();
    assert!(Rules::of(&binary).ask("rules 1")["fault"]["what"].is_string());
    assert_eq!(Rules::of(&project("tests/own/load/syntax.py")).ask("rules 1")["fault"]["line"], 3);
    assert_eq!(Rules::of(&project("tests/own/load/raises.py")).ask("rules 1")["fault"]["line"], 3);
}

#[test]
fn what_is_remembered_and_moves_come_back_as_they_were_returned() {
    let folder = tempfile::tempdir().unwrap();
    let source = format!(
        "{SMALL}import dataclasses
pieces = {{'X': 'XK'}}
row_names = ['3', '2', '1']
def start(): return [['.', 'K', '#'], '...', ('.', '.', 'O')], 'X', 7, 'a,b', -3, True
def moves(board, side, *rest):
    board[0][0] = 'X'  # does no harm
    yield (0, 0)
    yield [[0, 0], [1, 1]]
    yield ((0, 0), (1, 1), (2, 2))
    yield '-'.join(type(value).__name__ for value in rest)
    yield 'tenuki'
def play(board, side, *rest): return board, 'O', 8, rest[1], -3, repr(rest[-1]).replace(' ', '')
def ending(board, side, *rest): return None if side == 'X' else (None, 'full-board')
def squares(board, side, *rest): return [(1, 1), (1, 2)] if rest[-1] == 'tenuki' else None
def identity(board, side, *rest): return side, [1, 'a']
def why(board, side, *rest): return repr(rest[-1]) + '\\n is no move'
@dataclasses.dataclass
class Piece: letter: str = 'K'
"
    );
    let mut rules = Rules::of(&file(folder.path(), "kept.py", &source));
    let position = "1K#/3/2O X 7 a,b -3 1";
    let start = rules.ask("start");
    assert_eq!(
        start,
        json!({
            "sides": "XO", "rows": 3, "columns": 3, "row_names": ["3", "2", "1"], "column_names": ["a", "b", "c"],
            "pieces": {"X": "XK", "O": "O"}, "position": position, "ending": null, "identity": "[\"X\",[1,\"a\"]]",
            "moves": ["a3", "a3b2", "a3b2c1", "int-str-int-int", "tenuki"],
            "squares": {"a3b2c1": [[0, 0], [1, 1], [2, 2]], "tenuki": [[1, 1], [1, 2]]},
        })
    );
    let forms = ["(0,0)", "((0,0),(1,1))", "((0,0),(1,1),(2,2))", "'int-str-int-int'", "'tenuki'"];
    for (ply, form) in start["moves"].as_array().unwrap().iter().zip(forms) {
        let next = rules.ask(&format!("advance {position}\t{}", ply.as_str().unwrap()));
        assert_eq!(next["position"], format!("1K#/3/2O O 8 a,b -3 {form}"));
        assert_eq!((&next["moves"], &next["ending"]), (&json!([]), &json!([null, "full-board"])));
    }
    for (text, form) in
        [("c1", "(2, 2)"), ("c1a3", "((2, 2), (0, 0))"), ("tenuki", "'tenuki'"), ("c1a", "'c1a'")]
    {
        assert_eq!(rules.ask(&format!("why {position}\t{text}")), format!("{form} is no move"));
    }
    assert_eq!(
        Rules::of(&file(folder.path(), "mute.py", SMALL)).ask("why 3/3/3 X\td4"),
        Value::Null
    );
}

/// The plies of a game, chosen by a number: questions and answers.
fn play_through(rules: &mut Rules, number: usize) -> Vec<(String, String)> {
    let mut state = rules.ask("start");
    let mut played = Vec::new();
    while let moves @ [_, ..] = &state["moves"].as_array().unwrap()[..] {
        let ply = moves[number * (played.len() + 7) % moves.len()].as_str().unwrap();
        let question = format!("advance {}\t{ply}", state["position"].as_str().unwrap());
        let answer = rules.line(&question);
        state = serde_json::from_str(&answer).unwrap();
        played.push((question, answer));
        if played.len() == 150 {
            break;
        }
    }
    played
}

#[test]
fn an_answer_does_not_depend_on_what_was_asked_before() {
    let games = ["connect4", "othello", "breakthrough", "hex", "ataxx", "connect6", "go", "chess"]
        .map(|game| format!("games/{game}.py"));
    let driver = fs::read_to_string(project(DRIVER)).unwrap();
    let others = ["tests/own/lines-of-action.py", "tests/own/faulty.py"];
    for game in sample(games.iter().map(String::as_str).chain(others), 3) {
        let played = play_through(&mut Rules::with(game, ""), 17);
        assert!(played.len() >= 9, "{game}");
        // As text of a command, and the last question first.
        let mut again = Rules::by(&["-c".as_ref(), driver.as_ref(), project(game).as_os_str()]);
        for (question, answer) in played.iter().rev() {
            assert_eq!(&again.line(question), answer, "{game}: {question}");
        }
        // What follows from a position does not depend on the way to it.
        let mut at = Rules::with(game, "");
        for (_, answer) in &played {
            let state: Value = serde_json::from_str(answer).unwrap();
            assert_eq!(
                at.ask(&format!("at {}", state["position"].as_str().unwrap())),
                state,
                "{game}"
            );
        }
    }
}

#[test]
fn options_that_were_set_later_hold_from_then_on() {
    let mut rules = Rules::with("games/connect4.py", "");
    assert_eq!(
        rules.ask("rules 1")["options"][1],
        json!({
            "key": "columns", "default": 7, "values": [4, 5, 6, 7, 8, 9, 10, 11, 12], "about": "columns of the board",
        })
    );
    assert_eq!(rules.ask("start")["columns"], 7);
    assert_eq!(rules.ask("set columns 9"), json!({}));
    assert_eq!(rules.ask("start")["position"], "9/9/9/9/9/9 X");
    assert_eq!(
        rules.ask("set columns 99")["error"]
            .as_str()
            .map(|error| error.starts_with("option `columns`")),
        Some(true)
    );
    assert_eq!(rules.ask("at 9/9/9/9/9/X8 O")["moves"].as_array().unwrap().len(), 9);
}

/// All boards of the usual names can be read in one way, also the largest; and such names are found
/// quickly.
#[test]
fn large_boards_have_names() {
    let folder = tempfile::tempdir().unwrap();
    for (rows, columns) in [(32, 32), (1, 32), (32, 1), (3, 12)] {
        let source = format!(
            "{SMALL}def start(): return ['.' * {columns}] * {rows}, 'X'\ndef moves(*_): return ['go']\n"
        );
        let start = Rules::of(&file(folder.path(), "large.py", &source)).ask("start");
        let names = |key: &str| {
            start[key]
                .as_array()
                .unwrap()
                .iter()
                .map(|name| name.as_str().unwrap())
                .collect::<Vec<_>>()
        };
        let squares: BTreeSet<String> = names("row_names")
            .iter()
            .flat_map(|row| names("column_names").into_iter().map(move |at| format!("{at}{row}")))
            .collect();
        assert_eq!(squares.len(), rows * columns);
    }
}

/// The same file as a module: what a bot computes is what the referee plays by.
#[test]
fn a_bot_loads_the_rules_that_arbiter_plays_by() {
    let program = "
import arbiter_rules as a
rules = a.load('games/othello.py', {'size': 6})
def perft(position, depth):
    moves = rules.moves(position)
    return len(moves) if depth == 1 else sum(perft(rules.play(position, move), depth - 1) for move in moves)
print(perft(rules.start(), 4), rules.options, rules.start().text)
position = rules.read('6/6/2BW2/2WB2/6/6 B')
print(position == rules.start(), position.side, position.board[2], position.rest, rules.ending(position), rules.moves(position)[:2])
print(rules.squares(position, 'a1'), rules.moves('6/6/6/6/6/6 B'), rules.ending('6/6/6/6/6/6 B'))
for wrong in (lambda: rules.play(position, 'a1'), lambda: rules.read('6 B'), lambda: a.load('games/othello.py', {'size': 7})):
    try:
        wrong()
    except ValueError as error:
        print(error)
try:
    a.load('tests/own/load/raises.py')
except a.Fault as fault:
    print(fault)
";
    let ran = Command::new(&*PYTHON)
        .args(["-B", "-c", program])
        .current_dir(project(""))
        .env("PYTHONPATH", project("bots/playout-python"))
        .output()
        .unwrap();
    let (said, noted) =
        (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap());
    let expected = "\
244 {'size': 6} 6/6/2WB2/2BW2/6/6 B
False B ['.', '.', 'B', 'W', '.', '.'] () None ['b4', 'c5']
[(0, 0)] [] (None, 'equal-pieces')
`a1` is no legal move in 6/6/2BW2/2WB2/6/6 B
position: 1 row where 6 are needed
option `size` cannot be `7`: it is 4 or 6 or 8 or 10 or 12 or 14 or 16 (default 8)
raises.py, line 3: KeyError: 'sides'
";
    assert_eq!(said, expected, "{noted}");
}

/// A question of the protocol of bots, at a position of Connect Four.
fn turn(rules: &mut Rules, position: &str) -> String {
    let moves: Vec<String> = rules.ask(&format!("at {position}"))["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|ply| ply.as_str().unwrap().to_owned())
        .collect();
    format!("turn 1\nsince\nposition {position}\nmoves {}\ngo\n", moves.join(" "))
}

/// The answers of the sample bot to the same questions, in a game by these rules.
fn answers(arguments: &[&str], name: &str, questions: &str) -> String {
    let asked = format!("arena 1\ngame {name}\ntime none\nseed 17\nstart\n{questions}quit\n");
    let mut bot = Command::new(&*PYTHON)
        .args(["-B", "bots/playout-python/bot.py"])
        .args(arguments)
        .current_dir(project(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    bot.stdin.take().unwrap().write_all(asked.as_bytes()).unwrap();
    let ended = bot.wait_with_output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    String::from_utf8(ended.stdout).unwrap() + &String::from_utf8(ended.stderr).unwrap()
}

#[test]
fn the_sample_bot_plays_every_game_and_the_same_game_again_under_the_same_seed() {
    let mut rules = Rules::with("games/connect4.py", "");
    let wins = turn(&mut rules, "7/7/7/7/OOO4/XXX4 X");
    let questions = turn(&mut rules, "7/7/7/7/7/7 X") + &wins;
    let arguments = ["games/connect4.py", "playouts=60"];
    let first = answers(&arguments, "connect4", &questions);
    assert_eq!(first.lines().next(), Some("ready reuse position"));
    assert_eq!(first.lines().last(), Some("move 4"), "{first}");
    assert_eq!(answers(&arguments, "connect4", &questions), first);
    // Without rules it plays, and says what it misses.
    let said = answers(&[], "connect4", &wins);
    assert!(said.contains("\nmove ") && said.contains("it has no rules of connect4: "), "{said}");
}

#[test]
fn the_example_of_the_page_is_a_game() {
    let page = fs::read_to_string(project("docs/guides/custom-game.md")).unwrap();
    let example =
        page.split("```python connect4.py\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut example = Rules::of(&file(folder.path(), "connect4.py", example));
    let mut game = Rules::with("games/connect4.py", "");
    for question in [
        "rules 1",
        "set columns 9",
        "start",
        "advance 9/9/9/9/XXX6/OOO6 X\t4",
        "at 9/9/9/9/XXX6/OOOO5 X",
    ] {
        assert_eq!(example.ask(question), game.ask(question), "{question}");
    }
}
