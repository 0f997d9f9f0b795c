//! The sentences that no mutant of tests/grade/programs.toml says.

use super::super::comparison::Comparison;
use super::super::judge::judge;
use super::*;
use crate::cases::loa;
use arbiter_engine::hotseat::{HotseatSession, InputSource};
use arbiter_game::ProgramRun;
use arbiter_rules::Ruleset;
use std::time::Duration;

/// A game on a small board of gekitai.
fn gekitai(moves: &str) -> ProgramCase {
    let ruleset = Ruleset::named("gekitai", "n=5 p=6 l=3").unwrap();
    let (mut position, mut entries) = (ruleset.start(), Vec::new());
    for text in moves.split_whitespace() {
        let ply = ruleset.read_ply(text).ok().filter(|&ply| position.is_legal(ply));
        if let Some(ply) = ply {
            position.play(ply);
        }
        entries.push(Entry { text: text.to_owned(), ply });
    }
    let input = moves.replace(' ', "\n") + "\n";
    let (mut hotseat, mut expected) =
        HotseatSession::begin(ruleset.start(), InputSource::Pipe).unwrap();
    expected += &hotseat.read(input.as_bytes());
    expected += &hotseat.finish();
    ProgramCase {
        name: "case".to_owned(),
        class: "class",
        labels: vec!["class"],
        board: None,
        ruleset,
        entries,
        input,
        expected,
        script: None,
    }
}

/// What happens in the right output of a case.
fn happenings(case: &ProgramCase) -> Vec<Happening> {
    let output = case.expected.as_bytes();
    Comparison::new(&case.ruleset, &case.expected, output, &[]).events()[0].clone()
}

/// What is said of a case in whose events something is changed.
fn said(case: &ProgramCase, change: impl FnOnce(&mut Vec<Event>)) -> String {
    let expected = happenings(case);
    let mut events: Vec<Event> = expected.iter().map(|it| it.event.clone()).collect();
    change(&mut events);
    let happening = |event| Happening { event, answers: 0, lines: Vec::new() };
    let output: Vec<Happening> = events.into_iter().map(happening).collect();
    of_events(case, [&expected, &output]).unwrap()
}

/// Fails with all sentences that are not those behind them.
fn check(sentences: &[(String, &str)]) {
    let wrong: Vec<String> = sentences
        .iter()
        .filter(|(said, expected)| said != expected)
        .map(|(said, expected)| format!("{said}\n  and not: {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where the board of this number stands, from 0.
fn board(events: &[Event], number: usize) -> usize {
    events.iter().enumerate().filter(|(_, event)| event.is_board()).nth(number).unwrap().0
}

/// Prints other pieces on squares of the board of this number.
fn put(number: usize, squares: &[(usize, usize, char)]) -> impl FnOnce(&mut Vec<Event>) {
    move |events| {
        let at = board(events, number);
        let Event::Board(rows) = &mut events[at] else { unreachable!() };
        for &(row, column, piece) in squares {
            rows[row].replace_range(column..=column, piece.encode_utf8(&mut [0; 4]));
        }
    }
}

#[test]
fn boards_of_gekitai() {
    let pushed = gekitai("c3 b2");
    let off = gekitai("a1 b2");
    check(&[
        (
            said(&pushed, |events| drop(events.remove(board(events, 0)))),
            "the board at the start is not printed",
        ),
        (said(&pushed, put(0, &[(0, 0, 'X')])), "the board at the start is another one"),
        (
            said(&pushed, |events| events.insert(0, Event::Refusal)),
            "a refusal is printed before any move",
        ),
        (
            said(&pushed, |events| {
                let at = board(events, 1);
                events[at] = Event::Board(vec![".....".to_owned(); 4]);
            }),
            "after c3 4 rows of a board are printed; there are 5",
        ),
        (said(&pushed, put(2, &[(1, 1, '.')])), "after b2 the O belongs on b2; it is empty"),
        (said(&pushed, put(2, &[(1, 1, 'X')])), "after b2 the O belongs on b2; X stands there"),
        (
            said(&pushed, put(2, &[(2, 2, 'X')])),
            "after b2 the X on c3 belongs on d4; it is on both squares",
        ),
        (said(&pushed, put(2, &[(3, 3, '.')])), "after b2 the X on c3 belongs on d4; it is gone"),
        (
            said(&pushed, put(2, &[(3, 3, 'O')])),
            "after b2 the X on c3 belongs on d4; another piece is there",
        ),
        (said(&pushed, put(2, &[(4, 4, 'X')])), "after b2 the square e5 is empty; X stands there"),
        (
            said(&off, put(2, &[(0, 0, 'O')])),
            "after b2 the X on a1 is pushed off the board; O stands there",
        ),
        (said(&gekitai("c3 e5"), put(2, &[(2, 2, '.')])), "after e5 the X on c3 stays; it is gone"),
        (
            said(&gekitai("c3 e5"), put(2, &[(2, 2, 'O')])),
            "after e5 the X on c3 stays; O stands there",
        ),
    ]);
    let all = happenings(&pushed);
    assert_eq!(of_events(&pushed, [&all, &all]), None);
}

#[test]
fn what_comes_around_the_boards() {
    let open = gekitai("c3 c3 e5");
    let after = |number: usize, event: Event| {
        move |events: &mut Vec<Event>| {
            let at = board(events, number) + 1;
            events[at] = event;
        }
    };
    let refusal =
        |events: &[Event]| events.iter().position(|event| *event == Event::Refusal).unwrap();
    let won = gekitai("c2 e5 c3 c4 c3");
    let whole = happenings(&won);
    assert!(whole.last().unwrap().event.is_result(), "{whole:?}");
    check(&[
        (
            said(&open, |events| events.truncate(board(events, 1) + 1)),
            "the output ends after c3, where the question to O follows",
        ),
        (
            said(&open, |events| events.truncate(board(events, 1))),
            "the output ends before c3 is answered",
        ),
        (
            said(&open, after(1, Event::Refusal)),
            "after c3 the question to O follows; a refusal comes",
        ),
        (
            said(&open, |events| drop(events.remove(refusal(events)))),
            "c3 must be refused: there is a piece on c3; it was played",
        ),
        (
            said(&won, |events| events.push(Event::Board(Vec::new()))),
            "the game is over, but a board comes",
        ),
        (
            said(&won, |events| *events.last_mut().unwrap() = Event::Draw),
            "after c3, X wins: X has a line on c1 c2 c3; the program prints that the game is a draw",
        ),
        (
            said(&won, |events| drop(events.pop())),
            "the output ends after c3; the result is missing: X wins",
        ),
    ]);
}

#[test]
fn the_client_of_loa() {
    let cases = loa::cases(0);
    let whole =
        cases.iter().find(|case| case.script.is_none() && case.class.contains("wins")).unwrap();
    let scripted =
        cases.iter().find(|case| case.script.is_some() && case.class.contains("wins")).unwrap();
    let result = |event: Event| {
        move |events: &mut Vec<Event>| {
            let at = board(events, 1) + 1;
            events.truncate(at);
            events.push(event);
        }
    };
    let other_winner = |events: &mut Vec<Event>| *events.last_mut().unwrap() = Event::Draw;
    let [from, to] = [0, 1].map(|word| {
        let text = whole.entries[0].text.split(' ').nth(word).unwrap();
        let column = usize::from(text.as_bytes()[0] - b'a');
        (text.as_bytes()[1].wrapping_sub(b'0').into(), column)
    });
    let [stays, gone] = [[(from.0, from.1, 'B')], [(to.0, to.1, '.')]];
    check(&[
        (said(whole, put(1, &stays)), "after h6 h0 the square h6 is empty; B stands there"),
        (said(whole, put(1, &gone)), "after h6 h0 the B belongs on h0; it is empty"),
        (
            said(whole, other_winner),
            "after c5 g1, B wins: the move connects the pieces of B alone; the program prints that the game is a draw",
        ),
        (
            said(whole, result(Event::Wins('W'))),
            "after h6 h0 the game is not over: neither player's pieces are connected; the program ends it",
        ),
        (
            said(scripted, put(1, &[(3, 3, 'W'), (4, 4, 'W')])),
            "after f7 h6 the program prints another board than that of the class",
        ),
        (
            said(scripted, result(Event::Draw)),
            "after f7 h6 the game is not over: `gameOver` returns -; the program ends it",
        ),
        (
            said(scripted, other_winner),
            "after a2 e6, B wins: `gameOver` says so; the program prints that the game is a draw",
        ),
    ]);
}

#[test]
fn how_runs_end() {
    let of =
        |end: ProgramEnd, stderr: &str| of_end(end, stderr.as_bytes(), false).unwrap_or_default();
    check(&[
        (of(ProgramEnd::Ended(Exit::Status(1)), "x"), ""),
        (
            of(ProgramEnd::Ended(Exit::Signal(8)), "a\nb \u{1b}c\n\n"),
            "was ended by signal 8, a division by zero or another wrong arithmetic operation (b \\x1bc)",
        ),
        (
            of(ProgramEnd::Ended(Exit::Signal(4)), ""),
            "was ended by signal 4, an illegal instruction",
        ),
        (of(ProgramEnd::Ended(Exit::Signal(6)), ""), "was ended by signal 6, abort"),
        (
            of(ProgramEnd::Ended(Exit::Signal(7)), ""),
            "was ended by signal 7, an access to memory that is not there",
        ),
        (of(ProgramEnd::Ended(Exit::Signal(15)), ""), "was ended by signal 15"),
        (of(ProgramEnd::Waiting, ""), "waits and does nothing, although its input has ended"),
        (of(ProgramEnd::Endless, ""), "prints without end"),
        (
            of(ProgramEnd::Exceeded(LimitExceeded::Memory(9 << 20)), ""),
            "was stopped: used 9 MiB of memory, more than it may",
        ),
    ]);
    let case = gekitai("c3 e5 a1");
    let judged = |output: &str, end: ProgramEnd| {
        let run = ProgramRun {
            output: output.into(),
            stderr: Vec::new(),
            end,
            processor_time: Duration::ZERO,
        };
        let mark = judge(&case, &run, &[]);
        assert!(mark.share < 1.0, "{mark:?}");
        mark.found.unwrap().sentence
    };
    let (begins, _) = case.expected.split_once("Round 2").unwrap();
    let wrong = case.expected.replacen(". . X", ". X .", 1);
    check(&[
        (
            judged("", ProgramEnd::Computing),
            "before it has printed a board, the program computes without end: it used up its processor time",
        ),
        (
            judged(begins, ProgramEnd::Waiting),
            "when it is to answer c3, the program waits and does nothing, although its input has ended",
        ),
        (
            judged(begins, ProgramEnd::Ended(Exit::Status(3))),
            "the program ended with status 3 before the game did; the output ends before c3 is answered",
        ),
        (
            judged(begins, ProgramEnd::Ended(Exit::Status(0))),
            "the program ended before the game did; the output ends before c3 is answered",
        ),
        (
            judged(&wrong, ProgramEnd::Ended(Exit::Signal(6))),
            "c3 was played as b3; then the program was ended by signal 6, abort",
        ),
        (
            judged(&case.expected, ProgramEnd::Endless),
            "the program has played the whole game, then prints without end",
        ),
    ]);
    let run = ProgramRun {
        output: format!("Welcome\n{}", case.expected).into(),
        stderr: Vec::new(),
        end: ProgramEnd::Computing,
        processor_time: Duration::ZERO,
    };
    // The game is over, and it waits for a key.
    let won = gekitai("c2 e5 c3 c4 c3");
    let output = format!("Welcome\n{}", won.expected).into();
    let mark = judge(&won, &ProgramRun { output, ..run }, &[]);
    assert_eq!((mark.share, mark.text.len()), (1.0, 1));
}
