//! What a console program is sent and how it is read, by feeding bytes in any chunks.

use super::super::{Entry, Pattern, Template};
use super::*;
use crate::protocol::{self, LineBuffer};
use crate::{SentLines, Settings, Wording};
use arbiter_rules::{BySide, Ply, Ruleset, Side};

/// Sizes of chunks in which all that a program prints arrives.
const CHUNKS: [usize; 4] = [1, 2, 7, 1000];

/// A game of a console program, whose output is given by hand.
struct Talk {
    console: Console,
    output: LineBuffer,
    position: Position,
    plies: Vec<Ply>,
    chunk: usize,
}

/// The meanings of what a program printed, and after each prompt what it is sent then.
type Heard = Vec<String>;

impl Talk {
    fn new(table: Table, game: (&str, &str), chunk: usize) -> Talk {
        let position = Ruleset::named(game.0, game.1).unwrap().start();
        let console = Console::new(Arc::new(table));
        Talk { console, output: LineBuffer::default(), position, plies: Vec::new(), chunk }
    }

    fn start(&mut self, you: Side) -> String {
        let mut out = String::new();
        let sent = SentLines { id: String::new(), seeds: BySide { first: 0, second: 0 } };
        let settings = Settings::for_ruleset(self.position.ruleset());
        let start = Start { sent: &sent, position: &self.position, you, settings: &settings };
        self.console.push_start(&mut out, &start).unwrap();
        out
    }

    /// The opponent plays, or the program's answer is played.
    fn play(&mut self, ply: &str) {
        let ply =
            if ply == "pass" { Ply::Pass } else { self.position.ruleset().read_ply(ply).unwrap() };
        self.plies.push(ply);
        if ply != Ply::Pass {
            self.position = self.position.after(ply);
        }
    }

    fn turn(&mut self) -> Result<String, String> {
        let mut out = String::new();
        let turn = Turn::unlimited(&self.position, &self.plies);
        self.console.push_turn(&mut out, &turn).map(|()| out)
    }

    fn hear(&mut self) -> Heard {
        let mut heard = Heard::new();
        while let Some((bytes, parsed)) =
            protocol::hear(&mut self.console, &self.position, &mut self.output)
        {
            let text = match parsed {
                ParsedLine::Unrecognised => continue,
                ParsedLine::Prompt => {
                    let mut out = String::new();
                    self.console.push_prompted(&mut out);
                    out
                }
                ParsedLine::Reply(Reply::Ply(ply)) => {
                    format!("plays {}", self.position.ruleset().ply_text(ply))
                }
                other => format!("{other:?} {}", String::from_utf8_lossy(&bytes)),
            };
            heard.push(text);
        }
        heard
    }

    fn says_on(&mut self, stream: Stream, text: &[u8]) -> Heard {
        let mut heard = Heard::new();
        for chunk in text.chunks(self.chunk) {
            if stream == Stream::Stdout {
                self.output.push(chunk);
            }
            self.console.take_in(stream, chunk);
            heard.extend(self.hear());
        }
        heard
    }

    fn says(&mut self, text: &str) -> Heard {
        self.says_on(Stream::Stdout, text.as_bytes())
    }

    /// The program waits for input.
    fn waits(&mut self) -> Heard {
        self.console.decide();
        self.hear()
    }
}

fn entry(prompt: &str, send: &str) -> Entry {
    let prompt = (!prompt.is_empty()).then(|| Pattern::parse(prompt).unwrap());
    Entry { prompt, send: Template::parse(send).unwrap() }
}

/// A program that asks for a menu's number and for two parts of each ply.
fn menus() -> Table {
    Table {
        setup: vec![entry("size\\? ", "{n}"), entry("who: ", "{first:3|2}")],
        ask: vec![entry("row .*: ", "{ply.y}"), entry("column .*: ", "{ply.COL}")],
        resign: Some(Pattern::parse("I resign").unwrap()),
        ..Table::with_move("plays: (?<COL>[A-Z])(?<y>\\d+)").unwrap()
    }
}

/// A large board without blocks, whose rows are 0 to 11.
const LINEUP: (&str, &str) = ("lineup", "n=12 s=4");
const NOTHING: [&str; 0] = [];

#[test]
fn a_program_that_moves_second_is_set_up_until_it_asks_for_a_ply() {
    for chunk in CHUNKS {
        let mut talk = Talk::new(menus(), LINEUP, chunk);
        assert_eq!(talk.start(Side::Second), "");
        assert!(!talk.console.is_ready());
        assert_eq!(talk.says("Welcome\nsize? "), ["12\n"]);
        assert_eq!(talk.says("\nwho: "), ["2\n"]);
        assert!(!talk.console.is_ready());
        assert_eq!(talk.says("board\nrow (0 to 11): "), [""]);
        assert!(talk.console.is_ready());
        talk.play("b10");
        assert_eq!(talk.turn().unwrap(), "");
        assert_eq!(talk.hear(), ["10\n"], "the prompt has come already");
        assert_eq!(talk.says("column (A to L): "), ["B\n"]);
        assert_eq!(talk.says("\nboard\nO plays: C1"), NOTHING, "a further digit may come");
        assert!(talk.console.is_undecided());
        assert_eq!(talk.says("0"), NOTHING);
        assert_eq!(talk.says("\nboard\nrow (0 to 11): "), ["plays c10"]);
        talk.play("c10");
        talk.play("d0");
        assert_eq!(talk.turn().unwrap(), "");
        assert_eq!(talk.hear(), ["0\n"]);
        assert_eq!(talk.says("column (A to L): "), ["D\n"]);
        assert_eq!(talk.says("O plays: A1"), NOTHING);
        assert_eq!(talk.waits(), ["plays a1"]);
    }
}

#[test]
fn the_last_answer_of_setup_is_held_back_from_the_side_that_moves_first() {
    for chunk in CHUNKS {
        let mut talk = Talk::new(menus(), LINEUP, chunk);
        talk.start(Side::First);
        assert_eq!(talk.says("size? "), ["12\n"]);
        assert_eq!(talk.says("wrong\nsize? "), ["12\n"], "any number of times");
        assert_eq!(talk.says("who: "), [""]);
        assert!(talk.console.is_ready());
        assert_eq!(talk.turn().unwrap(), "3\n");
        assert_eq!(talk.hear(), NOTHING);
        assert_eq!(talk.says("size? "), ["12\n"], "a prompt of setup in the first turn");
        assert_eq!(talk.says("X plays: L11."), ["plays l11"]);
        talk.play("l11");
        talk.play("a0");
        talk.turn().unwrap();
        assert_eq!(talk.says("size? "), NOTHING, "not in the second turn");
        assert_eq!(talk.says("row : "), ["0\n"]);
    }
}

/// Two lines that it does not read, then only numbers.
fn numbers() -> Table {
    Table {
        setup: vec![entry("", "hello"), entry("", "{first:1|2}")],
        ask: vec![entry("", "{ply.x1} {ply.y1}")],
        ..Table::with_move("(?m)^(?<x1>\\d+) (?<y1>\\d+)").unwrap()
    }
}

#[test]
fn a_program_without_prompts_is_ready_at_once() {
    for chunk in CHUNKS {
        let mut talk = Talk::new(numbers(), LINEUP, chunk);
        assert_eq!(talk.start(Side::Second), "");
        assert!(talk.console.is_ready());
        assert_eq!(talk.says("1 1\n"), NOTHING, "it is not asked");
        talk.play("b0");
        assert_eq!(talk.turn().unwrap(), "hello\n2\n2 1\n");
        assert_eq!(talk.hear(), NOTHING, "it came before the question");
        assert_eq!(talk.says("12 12\n"), ["plays l11"]);
        talk.play("l11");
        talk.play("b1");
        assert_eq!(talk.turn().unwrap(), "2 2\n");
        assert_eq!(talk.says("13 1\n").len(), 1);
        let mut first = Talk::new(Table { setup: Vec::new(), ..numbers() }, LINEUP, chunk);
        first.start(Side::First);
        first.says("3 4\n");
        assert_eq!(first.turn().unwrap(), "");
        assert_eq!(first.hear(), ["plays c3"], "nothing is sent with the turn");
        first.play("c3");
        first.play("b1");
        first.turn().unwrap();
        assert_eq!(first.hear(), NOTHING, "an answer counts once");
    }
}

#[test]
fn a_coordinate_off_the_board_is_an_illegal_answer() {
    let mut talk = Talk::new(numbers(), LINEUP, 3);
    talk.start(Side::First);
    talk.turn().unwrap();
    let heard = talk.says("1 13\n");
    assert!(
        heard[0].starts_with("Reply(Illegal(\"row \\\"13\\\" is not on the board"),
        "{heard:?}"
    );
}

#[test]
fn a_prompt_that_comes_again_means_a_refused_ply() {
    for again in ["row: ", "column: "] {
        let mut talk = Talk::new(menus(), LINEUP, 1000);
        talk.start(Side::Second);
        talk.says("row : ");
        talk.play("b10");
        talk.turn().unwrap();
        talk.hear();
        talk.says("column : ");
        let heard = talk.says(&format!("The move is not valid!\n{}", again.replace(':', " :")));
        let said = format!("The move is not valid! | {}", again.replace(':', " :").trim_end());
        assert_eq!(heard, [format!("Garbled(Refused) {said}")]);
    }
    let mut talk = Talk::new(menus(), LINEUP, 1000);
    talk.start(Side::Second);
    talk.says("row : ");
    talk.play("b10");
    talk.turn().unwrap();
    talk.hear();
    assert_eq!(talk.says("no such row: "), NOTHING);
    assert_eq!(
        talk.says("row : "),
        ["Garbled(Refused) no such row: row :"],
        "its column is not asked for"
    );
}

#[test]
fn a_ply_on_standard_error_counts_before_a_prompt_on_standard_output() {
    let table = Table {
        listen: Listen::Both,
        ask: vec![entry("your move: ", "{ply.text}")],
        ..Table::with_move("I play (?<text>[a-z]\\d+)").unwrap()
    };
    for listen in [Listen::Both, Listen::Stderr] {
        let mut talk = Talk::new(Table { listen, ..table.clone() }, LINEUP, 1000);
        talk.start(Side::First);
        talk.turn().unwrap();
        talk.output.push(b"your move: ");
        talk.console.take_in(Stream::Stdout, b"your move: ");
        talk.console.take_in(Stream::Stderr, b"I play c11\n");
        assert_eq!(talk.hear(), ["plays c11"]);
        talk.play("c11");
        talk.play("a0");
        talk.turn().unwrap();
        let told = talk.hear();
        assert_eq!(told == ["a0\n"], listen == Listen::Both, "{told:?}");
    }
}

#[test]
fn a_resignation_is_read_and_the_first_match_counts() {
    for (text, reply) in [("I resign\n", "Reply(Resign)"), ("plays: B2\nI resign\n", "plays b2")] {
        let mut talk = Talk::new(menus(), LINEUP, 1000);
        talk.start(Side::First);
        talk.says("who: ");
        talk.turn().unwrap();
        let heard = talk.says(text);
        assert!(heard.len() == 1 && heard[0].starts_with(reply), "{heard:?}");
    }
}

#[test]
fn the_whole_board_and_a_move_of_two_squares_are_crossed_over() {
    let mut table = Table {
        transpose: true,
        turn: Some(Template::parse("{board}").unwrap()),
        ..Table::with_move("(?<from.x>\\d+) (?<from.y>\\d+) (?<to.x>\\d+) (?<to.y>\\d+)").unwrap()
    };
    table.cells.empty = Some("0".to_owned());
    table.cells.join = " ".to_owned();
    let mut talk = Talk::new(table, ("loa", ""), 5);
    talk.start(Side::First);
    let board = talk.turn().unwrap();
    assert!(
        board.starts_with("0 B B B B B B 0\nW 0 0 0 0 0 0 W\n") && board.lines().count() == 8,
        "{board}"
    );
    assert_eq!(talk.says("2 0 4 2\n"), ["plays a2c4"]);
}

/// B cannot move, W can (rules vectors, "stuck").
const STUCK: &str = "BW6/WW6/8/8/8/8/6WW/6WB B";

#[test]
fn a_pass_is_sent_where_the_table_has_words_for_it() {
    let stuck = Ruleset::named("loa", "").unwrap().read_position(STUCK).unwrap();
    for (prompt, send, sent) in [
        (None, "opponent {ply.text}", "opponent pass\n"),
        (None, "opponent {ply.to.col}", ""),
        (Some("their move: "), "{ply.text}", ""),
    ] {
        let prompt = prompt.map(|prompt| Pattern::parse(prompt).unwrap());
        let ask = vec![Entry { prompt, send: Template::parse(send).unwrap() }];
        let table = Table { ask, ..Table::with_move("plays (?<text>.*)\n").unwrap() };
        let mut talk = Talk::new(table, ("loa", ""), 5);
        talk.position = stuck.clone();
        talk.start(!stuck.side());
        talk.play("pass");
        assert_eq!(talk.turn().unwrap(), sent, "{send}");
    }
}

#[test]
fn blocks_are_sent_one_after_the_other() {
    let table = Table {
        setup: vec![
            entry("", "{n}"),
            entry("how many: ", "{blocks.count}"),
            entry("row: ", "{block.y}"),
            entry("column: ", "{block.COL}"),
            entry("who: ", "{first:1|2}"),
        ],
        ..menus()
    };
    let game = ("lineup", "n=7 s=4 blocks=c2,d3");
    let mut talk = Talk::new(table.clone(), game, 4);
    assert_eq!(talk.start(Side::Second), "7\n", "at once, before the others");
    assert_eq!(talk.says("how many: "), ["2\n"]);
    let told = ["row: ", "column: ", "row: ", "column: "].map(|prompt| talk.says(prompt).concat());
    assert_eq!(told, ["2\n", "C\n", "3\n", "D\n"]);
    assert_eq!(talk.says("row: "), ["Garbled(FurtherBlock) row:"], "there is no third block");
    assert!(!talk.console.is_ready());
    for (you, rest) in [(Side::Second, "2\n2\nC\n3\nD\n2\n"), (Side::First, "2\n2\nC\n3\nD\n")] {
        let mut silent = Talk::new(table.clone(), game, 4);
        silent.start(you);
        let mut out = String::new();
        silent.console.push_rest(&mut out);
        assert_eq!(out, rest);
        if you == Side::Second {
            silent.play("a0");
        }
        out = silent.turn().unwrap();
        silent.console.push_rest(&mut out);
        assert_eq!(out, if you == Side::First { "1\n" } else { "0\nA\n" });
    }
}

#[test]
fn a_flood_takes_no_memory_and_hides_no_later_prompt() {
    let mut talk = Talk::new(menus(), LINEUP, 16 * 1024);
    talk.start(Side::First);
    talk.says("who: ");
    talk.turn().unwrap();
    for _ in 0..100 {
        assert_eq!(talk.says_on(Stream::Stdout, &b"x\0\xff".repeat(5000)), NOTHING);
    }
    assert!(talk.console.streams[0].since().len() <= 128 * 1024);
    talk.chunk = 1;
    assert_eq!(talk.says(&"y".repeat(10_000)), NOTHING);
    assert_eq!(talk.says("size? "), ["12\n"], "in a line that is too long");
    assert_eq!(talk.says("plays: A1 "), ["plays a1"]);
}

#[test]
fn faults_are_explained_by_the_last_words_and_what_was_expected() {
    let waited = |talk: &Talk| talk.console.waited_for().unwrap();
    let mut talk = Talk::new(menus(), LINEUP, 1000);
    talk.start(Side::Second);
    talk.says("Hello\nsize of the board? \n");
    let setup = waited(&talk);
    assert_eq!(setup.expected, "'size\\? ', 'who: ' or 'row .*: '");
    assert_eq!(setup.printed, b"size of the board?");
    talk.says("row : ");
    talk.play("b10");
    talk.turn().unwrap();
    assert_eq!(waited(&talk).expected, "'row .*: '");
    talk.hear();
    talk.says("column : ");
    assert_eq!(waited(&talk).expected, "a move 'plays: (?<COL>[A-Z])(?<y>\\d+)'");
    assert_eq!(waited(&talk).trouble, None);
    let mut first = Talk::new(menus(), LINEUP, 1000);
    first.start(Side::First);
    first.says("who: ");
    first.turn().unwrap();
    assert_eq!(first.says("row : "), NOTHING);
    assert!(waited(&first).trouble.unwrap().contains("hotseat"));
}

#[test]
fn a_number_sign_in_a_prompt_is_itself_and_a_comment_hides_nothing() {
    for prompt in [
        "Size # of rows: ",
        r"Size \# of rows: ",
        r"(?x)Size\ \#\ of\ rows:\   # what it asks first",
    ] {
        let table = Table {
            setup: vec![entry(prompt, "{n}")],
            ..Table::with_move(r"plays: (?<COL>[A-Z])(?<y>\d+)").unwrap()
        };
        let mut talk = Talk::new(table, LINEUP, 1000);
        assert_eq!(talk.start(Side::First), "");
        assert_eq!(talk.says("Size # of rows: "), [""], "{prompt}");
        assert!(talk.console.is_ready(), "{prompt}");
    }
}
