//! Rules in Python behind their line protocol: the driver (src/rules_process/arbiter_rules.py) is started as arbiter starts it, and
//! asked directly. The games of `games/` are counted against published numbers, and each mistake of an author has its sentence.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::LazyLock;
use std::{fs, io};
use support::project;

const DRIVER: &str = "src/rules_process/arbiter_rules.py";

/// The interpreter itself: what is called `python3` may be a script that looks for it, which takes longer than a question.
static PYTHON: LazyLock<String> = LazyLock::new(|| {
    let found =
        Command::new("python3").args(["-c", "import sys; print(sys.executable, end='')"]).output().unwrap();
    String::from_utf8(found.stdout).unwrap()
});

/// A rules process.
struct Rules {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Rules {
    fn of(file: &Path) -> Rules {
        Rules::by(&[project(DRIVER).as_os_str(), file.as_os_str()])
    }

    /// The rules of a game in the project, with options such as `rows=5 columns=3`.
    fn with(file: &str, options: &str) -> Rules {
        let mut rules = Rules::of(&project(file));
        for option in options.split_whitespace() {
            assert_eq!(
                rules.ask(&format!("set {}", option.replace('=', " "))),
                json!({}),
                "{file} {options}"
            );
        }
        rules
    }

    fn by(arguments: &[&std::ffi::OsStr]) -> Rules {
        let mut process = Command::new(&*PYTHON)
            .args(["-I", "-S", "-B"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (questions, answers) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Rules { process, questions, answers: BufReader::new(answers) }
    }

    /// The line that answers a question; empty if the process has ended.
    fn line(&mut self, question: &str) -> String {
        let mut line = String::new();
        match writeln!(self.questions, "{question}") {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            sent => sent.unwrap(),
        }
        self.answers.read_line(&mut line).unwrap();
        line.trim_end_matches('\n').to_owned()
    }

    fn ask(&mut self, question: &str) -> Value {
        let line = self.line(question);
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{question}: {error}: {line:?}"))
    }

    /// The number of sequences of so many plies from a position.
    fn perft(&mut self, state: &Value, depth: u32) -> u64 {
        let moves = state["moves"].as_array().unwrap();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|ply| self.after(state, ply))
            .collect::<Vec<_>>()
            .iter()
            .map(|next| self.perft(next, depth - 1))
            .sum()
    }

    fn after(&mut self, state: &Value, ply: &Value) -> Value {
        self.ask(&format!("advance {}\t{}", state["position"].as_str().unwrap(), ply.as_str().unwrap()))
    }
}

impl Drop for Rules {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A file with these rules.
fn file(folder: &Path, name: &str, source: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, source).unwrap();
    path
}

/// The squares of a small board are taken by turns. Further lines are added behind it.
const SMALL: &str = "sides = 'XO'
def start(): return ['...'] * 3, 'X'
def moves(board, side): return [(row, column) for row in range(3) for column in range(3) if board[row][column] == '.']
def play(board, side, move):
    board[move[0]][move[1]] = side
    return board, 'O' if side == 'X' else 'X'
def ending(board, side): return None if any('.' in row for row in board) else (None, 'full-board')
";

/// A game, its options, a position or nothing for the start, and the plies from there. Those of Othello, Connect Four and Ataxx are
/// published (Ataxx: libataxx, tests/perft.cpp); those of Hex are products; for Breakthrough see below.
#[rustfmt::skip]
const PERFT: &[(&str, &str, &str, &[u64])] = &[
    ("connect4", "", "", &[7, 49, 343, 2401, 16807]),
    ("othello", "", "", &[4, 12, 56, 244, 1396]),
    ("hex", "", "", &[121, 121 * 121]),
    ("hex", "swap=off", "", &[121, 121 * 120]),
    ("hex", "size=2 swap=off", "", &[4, 12, 24, 12, 0]), // three of the six pairs of cells join the rows
    ("connect6", "", "", &[361]),
    ("ataxx", "", "", &[16, 256, 6460]),
    ("ataxx", "blocks=four", "", &[14, 196, 4184]),
    ("ataxx", "", "7/7/7/7/7/7/7 X", &[0]),
    ("ataxx", "", "7/7/7/7/OOOOOOO/OOOOOOO/XXXXXXX X", &[1, 75, 249]),
    ("ataxx", "", "7/7/7/7/OOOOOOO/OOOOOOO/XXXXXXX O", &[75, 249]),
];

#[test]
fn the_games_have_as_many_sequences_of_plies_as_published() {
    for (game, options, position, counts) in PERFT {
        let mut rules = Rules::with(&format!("games/{game}.py"), options);
        let start = if position.is_empty() { "start".to_owned() } else { format!("at {position}") };
        let start = rules.ask(&start);
        for (depth, count) in (1..).zip(*counts) {
            assert_eq!(rules.perft(&start, depth), *count, "{game} {options} {position}, depth {depth}");
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
    for (row, column) in (0..board.len()).flat_map(|row| (0..board[0].len()).map(move |column| (row, column)))
    {
        let Some(to) = (if white { row.checked_sub(1) } else { Some(row + 1) }) else { continue };
        for step in [0, 1, 2] {
            let target =
                board.get(to).zip((column + step).checked_sub(1)).and_then(|(row, at)| row.get(at)).copied();
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
    for (rows, columns, depth, known) in [(8, 8, 3, 11_132), (5, 3, 6, 0), (3, 12, 3, 0), (4, 2, 9, 0)] {
        let mut rules = Rules::with("games/breakthrough.py", &format!("rows={rows} columns={columns}"));
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

/// What a game does that perft does not see: game and options, position, move, the next position and how it ends.
#[rustfmt::skip]
const PLIES: &[[&str; 6]] = &[
    ["connect4", "", "7/7/7/7/OOO4/XXX4 X", "4", "7/7/7/7/OOO4/XXXX3 O", "X line"],
    ["connect4", "rows=4 columns=4", "1OX1/XOXO/OXOX/OXOX X", "1", "XOX1/XOXO/OXOX/OXOX O", ""],
    ["connect4", "rows=4 columns=4", "XOX1/XOXO/OXOX/OXOX O", "4", "XOXO/XOXO/OXOX/OXOX X", "- full-board"],
    ["hex", "size=3", "1X1/3/3 O", "swap", "3/O2/3 X", ""],
    ["hex", "size=3", "X1X/X2/1OO O", "a3", "X1X/X2/OOO X", "O connected"],
    ["connect6", "", "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 B", "a1",
        "B18/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 W", ""],
    ["connect6", "size=6", "B5/6/6/6/6/6 W", "b1", "BW4/6/6/6/6/6 W", ""],
    ["connect6", "size=6", "BW4/6/6/6/6/6 W", "c1", "BWW3/6/6/6/6/6 B", ""],
    ["connect6", "size=6", "B5/1B4/2B3/3B2/4B1/WWWWW1 B", "f6", "B5/1B4/2B3/3B2/4B1/WWWWWB W", "B line"],
    ["othello", "size=4", "BBBB/WWWW/4/4 B", "a3", "BBBB/BBWW/B3/4 W", ""],
    ["othello", "size=4", "4/4/1BW1/4 B", "d3", "4/4/1BBB/4 W", "B most-pieces"],
    ["ataxx", "size=5", "X3O/5/5/5/O3X X", "a5a3", "4O/5/X4/5/O3X O", ""],
    ["ataxx", "size=5", "XXXXX/XXXXX/XXXXX/XXXXX/XXX1O X", "d1", "XXXXX/XXXXX/XXXXX/XXXXX/XXXXX O", "X no-pieces"],
    ["ataxx", "size=5", "XXXXX/XXXXX/OOOOO/OOOOO/XXO2 O", "d1", "XXXXX/XXXXX/OOOOO/OOOOO/XXOO1 X", ""],
    ["breakthrough", "rows=3 columns=2", "1B/W1/2 W", "a2b3", "1W/2/2 B", "W last-row"],
    ["breakthrough", "rows=4 columns=2", "2/1B/W1/2 W", "a2b3", "2/1W/2/2 B", "W took-all"],
];

#[test]
fn plies_of_the_games_do_what_their_descriptions_say() {
    for [game, options, position, ply, next, ending] in PLIES {
        let mut rules = Rules::with(&format!("games/{game}.py"), options);
        let answer = rules.ask(&format!("advance {position}\t{ply}"));
        let ending =
            ending.split_once(' ').map(|(winner, reason)| json!([(winner != "-").then_some(winner), reason]));
        assert_eq!(
            (&answer["position"], &answer["ending"]),
            (&json!(next), &json!(ending)),
            "{game} {position} {ply}"
        );
    }
}

/// What a function of tests/own/faulty.py does, the answer's `what`, and a text of the line that it names.
#[rustfmt::skip]
const FAULTS: &[(&str, &str, &str, &str)] = &[
    ("start", "raises", "IndexError: list index out of range", "return [][3]"),
    ("moves", "raises", "IndexError: list index out of range", "return [][3]"),
    ("play", "raises", "IndexError: list index out of range", "return [][3]"),
    ("ending", "raises", "IndexError: list index out of range", "return [][3]"),
    ("identity", "raises", "IndexError: list index out of range", "return [][3]"),
    ("why", "raises", "IndexError: list index out of range", "return [][3]"),
    ("squares", "raises", "IndexError: list index out of range", "return [][3]"),
    ("file", "raises", "IndexError: list index out of range", "return [][3]"),
    ("play", "recurses", "RecursionError: maximum recursion depth exceeded", "return recurses(value)"),
    ("play", "leaves", "SystemExit: 3", "sys.exit(3)"),
    ("file", "leaves", "SystemExit: 3", "sys.exit(3)"),
    ("moves", "breaks-off", "IndexError: list index out of range", "yield value[99]"),
    ("start", "none", "start returned None; it returns a position: board, side to move, and what else is remembered", "def start("),
    ("start", "number", "start returned 7; it returns a position: board, side to move, and what else is remembered", "def start("),
    ("play", "text", "play returned 'X'; it returns a position: board, side to move, and what else is remembered", "def play("),
    ("play", "no-side", "play returned [['X', '.', '.'], ['.', 'O', '.'], ['.', '.', 'X']]; it returns a position: board, side to \
        move, and what else is remembered", "def play("),
    ("play", "no-rows", "play returned [] as the board; a board is a list of rows", "def play("),
    ("play", "a-row-more", "play returned a board of 4 rows, not 3", "def play("),
    ("play", "a-square-less", "play returned a board with 2 squares in row 2, not 3", "def play("),
    ("play", "row-of-none", "play returned None as row 2 of the board; a row is a list of letters", "def play("),
    ("play", "square-of-none", "play returned None in row 2, column 0 of the board; a square has the letter of a piece (OX), \".\" \
        or \"#\"", "def play("),
    ("play", "letters", "play returned 'XO' in row 2, column 1 of the board; a square has the letter of a piece (OX), \".\" or \"#\"",
        "def play("),
    ("play", "strange-letter", "play returned 'Z' in row 2, column 2 of the board; a square has the letter of a piece (OX), \".\" or \
        \"#\"", "def play("),
    ("play", "strange-side", "play returned 'Z' as the side to move; it is 'X' or 'O'", "def play("),
    ("play", "rest-more", "play returned 1 value after the side; start returned 0", "def play("),
    ("moves", "none", "moves returned None; it returns a list of moves", "def moves("),
    ("moves", "text", "moves returned 'X'; it returns a list of moves", "def moves("),
    ("moves", "nested", "moves returned [[[[[[[...]]]]]]] as a square; a square is (row, column), two whole numbers", "def moves("),
    ("moves", "twice", "moves returned the move b1 twice", "def moves("),
    ("moves", "empty", "moves returned no move where ending returned None; a side that cannot move has the one move \"pass\"",
        "def moves("),
    ("moves", "many", "moves returned more than 2000 moves", "def moves("),
    ("moves", "off-the-board", "moves returned (3, 0) as a square; the board has 3 rows and 3 columns, counted from 0", "def moves("),
    ("moves", "negative", "moves returned (-1, 0) as a square; the board has 3 rows and 3 columns, counted from 0", "def moves("),
    ("moves", "fraction", "moves returned (1.0, 2) as a square; a square is (row, column), two whole numbers", "def moves("),
    ("moves", "three-numbers", "moves returned (0, 1, 2) as a square; a square is (row, column), two whole numbers", "def moves("),
    ("moves", "no-word", "moves returned 'a b' as a move; a word has letters, digits and +-*/=:.,; a letter or digit first, no full \
        stop at its end", "def moves("),
    ("moves", "full-stop", "moves returned 'a1.' as a move; a word has letters, digits and +-*/=:.,; a letter or digit first, no full \
        stop at its end", "def moves("),
    ("moves", "long-word", "moves returned 'wwwwwwwwwwww...wwwwwwwwwwwww' as a move; a move has up to 31 letters", "def moves("),
    ("moves", "word-of-arbiter", "moves returned 'resign' as a move; arbiter reads that as something else", "def moves("),
    ("moves", "result", "moves returned '1-0' as a move; arbiter reads that as something else", "def moves("),
    ("moves", "move-number", "moves returned '12.a1' as a move; arbiter reads that as something else", "def moves("),
    ("moves", "passes-too", "moves returned \"pass\" beside other moves; it is for a side that has no other", "def moves("),
    ("ending", "text", "ending returned 'X'; it returns None, or winner and reason, such as ('X', 'line')", "def ending("),
    ("ending", "winner-alone", "ending returned ('X',); it returns None, or winner and reason, such as ('X', 'line')", "def ending("),
    ("ending", "strange-winner", "ending returned 'Z' as the winner; it is 'X', 'O', or None for a draw", "def ending("),
    ("ending", "no-reason", "ending returned 'three in a row' as the reason; a reason is a word of up to 31 small letters, digits and \
        hyphens, such as most-pieces", "def ending("),
    ("ending", "reason-of-the-referee", "ending returned 'timeout' as the reason; only the referee may say so", "def ending("),
    ("identity", "nested", "identity returned [[[[[[[...]]]]]]]; it returns a text, a number, or a list of them", "def identity("),
    ("why", "number", "why returned 7; it returns a sentence", "def why("),
    ("squares", "text", "squares returned 'X'; it returns the squares of a move, each (row, column)", "def squares("),
];

/// A position of tests/own/faulty.py in which its fault is awake.
const AWAKE: &str = "X2/1O1/3 X";

fn faulty(place: &str, what: &str) -> (Rules, String) {
    let rules = Rules::with("tests/own/faulty.py", &format!("what={what} where={place}"));
    let question = match place {
        "start" | "file" => "start".to_owned(),
        "why" => format!("why {AWAKE}\ta1"),
        "squares" => format!("advance {AWAKE}\ttake-2-2"),
        _ => format!("advance {AWAKE}\tc3"),
    };
    (rules, question)
}

#[test]
fn each_mistake_of_an_author_has_its_sentence_and_line() {
    let source = fs::read_to_string(project("tests/own/faulty.py")).unwrap();
    for (place, what, sentence, snippet) in FAULTS {
        let (mut rules, question) = faulty(place, what);
        let line = source.lines().position(|line| line.contains(snippet)).unwrap() + 1;
        let function = (*place != "file").then_some(place);
        let expected =
            json!({"fault": {"what": sentence, "function": function, "file": "faulty.py", "line": line}});
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
        assert!(place == "why" && answer.is_null() || answer["moves"].is_array(), "{place}: {answer}");
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

/// A line behind [`SMALL`], a question, and the beginning of `what` or `error` in the answer. The fault is in that line, unless the
/// table says that nothing of it is known.
#[rustfmt::skip]
const LOADING: &[(&str, &str, &str)] = &[
    ("sides = 'XX'", "rules 1", "sides is 'XX'; it has the letters of both sides, such as \"XO\""),
    ("sides = 'X1'", "rules 1", "sides is 'X1'; it has the letters of both sides, such as \"XO\""),
    ("sides = ['X', 'O']", "rules 1", "sides is ['X', 'O']; it has the letters"),
    ("del sides", "rules 1", "there is no sides; it has the letters of both sides, such as \"XO\" (no line)"),
    ("del moves", "rules 1", "there is no function moves; there must be start, moves, play and ending (no line)"),
    ("moves = []", "rules 1", "there is no function moves; there must be start, moves, play and ending"),
    ("title = 3", "rules 1", "title is 3; it is one line of text"),
    ("pieces = {'X': 'K', 'O': 'K'}", "rules 1", "pieces: the letter \"K\" is given to two pieces"),
    ("pieces = {'X': 'O'}", "rules 1", "pieces: the letter \"O\" is given to two pieces"),
    ("pieces = {'Z': 'K'}", "rules 1", "pieces is {'Z': 'K'}; it has the letters of each side's pieces, such as {'X': 'KQ', 'O': 'kq'}"),
    ("option('n', 4, range(5, 9))", "rules 1", "option `n`: its default 4 is not among its values"),
    ("option('N', 4, range(3, 9))", "rules 1", "'N' is no key of an option; it has small letters, digits, - and _, a letter first"),
    ("for _ in 'ab': option('n', 4, range(3, 9))", "rules 1", "option `n` is asked for twice"),
    ("option('n', 4, 'four')", "rules 1", "option `n`: its values are a range or a list of up to 1,000 words, not 'four'"),
    ("option('n', 4, range(10**9))", "rules 1", "option `n`: its values are a range or a list of up to 1,000 words, not range(0, 1000000000)"),
    ("option('n', 'a b', ['a b'])", "rules 1", "option `n`: 'a b' is neither a word nor a whole number"),
    ("option('n', True, [True, False])", "rules 1", "option `n`: True is neither a word nor a whole number"),
    ("option('n', 1, [1, '1'])", "rules 1", "option `n`: a value is listed twice"),
    ("option('n', 1, [1, 2], 'two\\nlines')", "rules 1", "option `n`: what it is about is one line of text, not 'two\\nlines'"),
    ("def start(): return option('n', 1, [1, 2])", "start", "option is called in a function; it is called when the file is read"),
    ("import no_such_module", "rules 1", "ModuleNotFoundError: No module named 'no_such_module'"),
    ("1 / 0", "rules 1", "ZeroDivisionError: division by zero"),
    ("def f(:", "rules 1", "SyntaxError: "),
    ("raise KeyboardInterrupt if False else ValueError('two\\nlines')", "rules 1", "ValueError: two lines"),
    ("class Odd(Exception): __str__ = 3\nraise Odd", "rules 1", "Odd"),
    ("row_names = ['1']", "start", "row_names is ['1']; the board needs a list of 3"),
    ("row_names = [1, 2, 3]", "start", "row_names: 1 is no name of one to three letters and digits"),
    ("row_names = ['1', '2', '-']", "start", "row_names: '-' is no name of one to three letters and digits"),
    ("row_names = '121'", "start", "row_names: \"1\" is given twice"),
    ("column_names = ['a', 'b', 'bbbb']", "start", "column_names: 'bbbb' is no name of one to three letters and digits"),
    ("row_names, column_names = ['1', '11', '2'], ['a', '1a', 'b']", "start",
        "b11a2 can be read as the squares b1 1a2 and as b11 a2; change row_names or column_names"),
    ("row_names, column_names = ['1', '11', '2'], ['a', 'a1', 'b']", "start",
        "a11 can be read as the squares a11 and as a11 elsewhere; change row_names or column_names"),
    ("row_names, column_names = ['1', '1a1', '2'], ['a', 'b', 'c']", "start",
        "c1a1 can be read as the squares c1a1 and as c1 a1; change row_names or column_names"),
    ("def start(): return ['.' * 33], 'X'", "start", "start returned a board of 1 rows and 33 columns; there are 1 to 32 of each"),
    ("def start(): return ['.'] * 33, 'X'", "start", "start returned a board of 33 rows and 1 columns; there are 1 to 32 of each"),
    ("def start(): return [''], 'X'", "start", "start returned a board of 1 rows and 0 columns; there are 1 to 32 of each"),
    ("def start(): return ['...'] * 3, 'X', '7'", "start",
        "start returned '7' after the side; a text that reads as a number comes back as one, so return 7"),
    ("def start(): return ['...'] * 3, 'X', 'a b'", "start",
        "start returned 'a b' after the side; it is a whole number, or a word without spaces, quotes and backslashes"),
    ("def start(): return ['...'] * 3, 'X', ''", "start", "start returned '' after the side; it is a whole number, or a word"),
    ("def start(): return ['...'] * 3, 'X', 1.5", "start", "start returned 1.5 after the side; it is a whole number, or a word"),
    ("def start(): return ['...'] * 3, 'X', 'x' * 4000", "start",
        "start returned a position whose text has 4008 bytes; it may have 4000"),
    ("", "set n 3", "unknown option `n` of small; it has no options"),
    ("option('n', 7, range(4, 13))", "set n 99", "option `n` cannot be `99`: it is 4 to 12 (default 7)"),
    ("option('n', 7, range(4, 13))", "set n 07", "option `n` cannot be `07`: it is 4 to 12 (default 7)"),
    ("option('n', 'a', ['a', 'b'])", "set n", "option `n` cannot be ``: it is a or b (default a)"),
    ("option('n', 4, [4, 6, 8])", "set n 5", "option `n` cannot be `5`: it is 4 or 6 or 8 (default 4)"),
    ("", "rules 2", "version 2 of the protocol is not known; it is 1"),
    ("", "move a1", "unknown request; there are rules, set, start, advance, at and why"),
    ("", "advance 3/3/3 X\td1", "`d1` is no legal move in 3/3/3 X"),
    ("", "advance 3/3/3 X", "`` is no legal move in 3/3/3 X"),
    ("", "at ", "position: it is empty; 2 are needed (rows, then the side to move)"),
    ("", "at 3/3/3", "position: 1 field where 2 are needed (rows, then the side to move)"),
    ("", "at 3/3/3 X X", "position: 3 fields where 2 are needed (rows, then the side to move)"),
    ("", "at 3/3/3  X", "position: stray space; its fields are separated by single spaces"),
    ("", "at 3/3 X", "position: 2 rows where 3 are needed"),
    ("", "at 3/3/2 X", "position, row 3 from the top: 2 squares wide, not 3"),
    ("", "at 3/X3/3 X", "position, row 2 from the top: 4 squares wide, not 3"),
    ("", "at 3/X02/3 X", "position, row 2 from the top: a run of empty squares cannot be `02`"),
    ("", "at 3/9/3 X", "position, row 2 from the top: a run of 9 empty squares does not fit a board 3 wide"),
    ("", "at 3/2Z/3 X", "position, row 2 from the top: unknown letter 'Z'; pieces are `O`, `X`, no square is `#`"),
    ("", "at 3/3/3 Z", "position: unknown side to move \"Z\"; it is X or O"),
    ("def start(): return ['...'] * 3, 'X', 1, 'w'", "at 3/3/3 X 1", "position: 3 fields where 4 are needed (rows, the side to move, and 2 more)"),
    ("def start(): return ['...'] * 3, 'X', 1, 'w'", "at 3/3/3 X 1 \"", "position: '\"' is no word of printable ASCII characters"),
];

#[test]
fn files_that_cannot_be_loaded_and_questions_that_are_none_have_their_sentence() {
    let folder = tempfile::tempdir().unwrap();
    for (extra, question, sentence) in LOADING {
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
            assert_eq!((&fault["file"], &fault["line"]), (&json!("small.py"), &line), "{extra}: {answer}");
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
    assert_eq!(Rules::of(&file(folder.path(), "mute.py", SMALL)).ask("why 3/3/3 X\td4"), Value::Null);
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
    let games = ["connect4", "othello", "breakthrough", "hex", "ataxx", "connect6"]
        .map(|game| format!("games/{game}.py"));
    let driver = fs::read_to_string(project(DRIVER)).unwrap();
    for game in games.iter().map(String::as_str).chain(["tests/own/loa.py", "tests/own/faulty.py"]) {
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
            assert_eq!(at.ask(&format!("at {}", state["position"].as_str().unwrap())), state, "{game}");
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
        rules.ask("set columns 99")["error"].as_str().map(|error| error.starts_with("option `columns`")),
        Some(true)
    );
    assert_eq!(rules.ask("at 9/9/9/9/9/X8 O")["moves"].as_array().unwrap().len(), 9);
}

/// All boards of the usual names can be read in one way, also the largest; and such names are found quickly.
#[test]
fn large_boards_have_names() {
    let folder = tempfile::tempdir().unwrap();
    for (rows, columns) in [(32, 32), (1, 32), (32, 1), (3, 12)] {
        let source = format!(
            "{SMALL}def start(): return ['.' * {columns}] * {rows}, 'X'\ndef moves(*_): return ['go']\n"
        );
        let start = Rules::of(&file(folder.path(), "large.py", &source)).ask("start");
        let names = |key: &str| {
            start[key].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect::<Vec<_>>()
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
        .env("PYTHONPATH", project("src/rules_process"))
        .output()
        .unwrap();
    let (said, noted) = (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap());
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
