//! What decides when several things hold at once (gamelog.md), and the rest of the referee's law.

use super::*;
use crate::clock::WallCap;
use crate::protocol::{Exit, Flood, Tasks};
use crate::rules::{Ending, Reason, Ruleset};

fn loa(text: &str) -> Position {
    Ruleset::named("loa", &[]).unwrap().read_position(text).unwrap()
}

fn start() -> Position {
    Ruleset::named("loa", &[]).unwrap().start()
}

const SECOND: Duration = Duration::from_secs(1);

fn timed(start: Position) -> Terms {
    Terms {
        margin: SECOND / 10,
        ..Terms::new(start, TimeControl::Game { base: SECOND, increment: Duration::ZERO })
    }
}

fn says(words: &str) -> Answer<'_> {
    Answer { reply: Some(Reply::Move(words.as_bytes())), ..Answer::default() }
}

fn forfeit(fault: Fault) -> Step {
    Step::Over(Outcome::Forfeit(Side::First, fault))
}

/// One table for everything that can be true at once: what the question brought, and what it is worth.
#[test]
fn the_precedence_of_all_that_can_be_true_at_once() {
    let legal = Some(Reply::Move(b"a2c4"));
    let illegal = Some(Reply::Move(b"a2a3"));
    let exit = Some(Exit::Signal(11));
    let late = SECOND + SECOND / 10 + Duration::from_nanos(1);
    let just = SECOND + SECOND / 10;
    let nothing = Answer::default();
    let all = Answer {
        over_memory: Some(1),
        over_processes: Some(Tasks { processes: 2, threads: 2 }),
        over_output: Some(Flood::Output),
        exit,
        garbled: Some(Garbled::TooLong),
        ..nothing
    };
    let table = [
        // A complete answer line within the limit counts before exit and end of file …
        ("answer in the pipe and exit", Answer { reply: legal, exit, ..nothing }, Step::Played),
        (
            "answer, then output closed",
            Answer { reply: legal, garbled: Some(Garbled::Closed), ..nothing },
            Step::Played,
        ),
        (
            "answer, then input closed",
            Answer { reply: legal, garbled: Some(Garbled::Deaf), ..nothing },
            Step::Played,
        ),
        (
            "answer at the edge of the margin",
            Answer { reply: legal, used: just, exit, ..nothing },
            Step::Played,
        ),
        ("illegal answer and exit", Answer { reply: illegal, exit, ..nothing }, forfeit(Fault::IllegalMove)),
        (
            "resigned and exit",
            Answer { reply: Some(Reply::Resign), exit, ..nothing },
            Step::Over(Outcome::Resigned(Side::First)),
        ),
        // … and nothing counts before the flag.
        ("late and legal", Answer { reply: legal, used: late, ..nothing }, forfeit(Fault::Timeout)),
        ("late and illegal", Answer { reply: illegal, used: late, ..nothing }, forfeit(Fault::Timeout)),
        (
            "late and resigned",
            Answer { reply: Some(Reply::Resign), used: late, ..nothing },
            forfeit(Fault::Timeout),
        ),
        ("late and exit", Answer { used: late, exit, ..nothing }, forfeit(Fault::Timeout)),
        (
            "over-long and flagged",
            Answer { used: late, garbled: Some(Garbled::TooLong), ..nothing },
            forfeit(Fault::Timeout),
        ),
        (
            "flooded and flagged",
            Answer { used: late, over_output: Some(Flood::Output), ..nothing },
            forfeit(Fault::Timeout),
        ),
        ("all at once, flagged", Answer { used: late, ..all }, forfeit(Fault::Timeout)),
        ("silent to the end", Answer { used: late, ..nothing }, forfeit(Fault::Timeout)),
        ("silent, and no time measured", nothing, forfeit(Fault::Timeout)),
        // Limits are judged before an answer, in their order.
        ("all at once", all, forfeit(Fault::MemoryLimit)),
        ("all but memory", Answer { over_memory: None, ..all }, forfeit(Fault::ProcessLimit)),
        (
            "memory and a legal answer",
            Answer { over_memory: Some(1), reply: legal, ..nothing },
            forfeit(Fault::MemoryLimit),
        ),
        (
            "processes and an illegal answer",
            Answer { over_processes: Some(Tasks { processes: 2, threads: 2 }), reply: illegal, ..nothing },
            forfeit(Fault::ProcessLimit),
        ),
        (
            "output, exit, too long",
            Answer { over_memory: None, over_processes: None, ..all },
            forfeit(Fault::OutputLimit),
        ),
        (
            "output and killed for memory",
            Answer { over_output: Some(Flood::Output), over_memory: Some(1), exit, ..nothing },
            forfeit(Fault::MemoryLimit),
        ),
        // Then how the program ended, then what it wrote.
        ("exit without an answer", Answer { exit, ..nothing }, forfeit(Fault::Crash)),
        (
            "exit after a line too long",
            Answer { exit, garbled: Some(Garbled::TooLong), ..nothing },
            forfeit(Fault::Crash),
        ),
        ("a line with a NUL", Answer { garbled: Some(Garbled::Nul), ..nothing }, forfeit(Fault::Protocol)),
        ("output closed", Answer { garbled: Some(Garbled::Closed), ..nothing }, forfeit(Fault::Protocol)),
        (
            "a NUL before an illegal answer",
            Answer { garbled: Some(Garbled::Nul), reply: illegal, ..nothing },
            forfeit(Fault::Protocol),
        ),
        (
            "a NUL before a legal answer",
            Answer { garbled: Some(Garbled::Nul), reply: legal, ..nothing },
            forfeit(Fault::Protocol),
        ),
        ("illegal", Answer { reply: illegal, ..nothing }, forfeit(Fault::IllegalMove)),
    ];
    for (what, answer, step) in table {
        let mut referee = Referee::new(timed(start()));
        assert_eq!(referee.answer(&answer), step, "{what}");
    }
}

/// Endings that hold at once: the game's rules, then repetition, then length.
#[test]
fn a_legal_ply_is_judged_by_rules_then_repetition_then_length() {
    // B to move connects with a6c4; it is the first ply and the last that the match allows.
    let winning = loa("8/6W1/6W1/3BB3/5B2/5BB1/BWW5/8 B");
    let connected = Outcome::Rules(Ending { winner: Some(Side::First), reason: Reason::Connected });
    let mut referee = Referee::new(Terms { max_plies: 1, ..timed(winning) });
    assert_eq!(referee.answer(&says("a6c4")), Step::Over(connected), "win and length");

    let shuffle = ["a1c1", "b0b2", "c1a1", "b2b0"];
    let play = |max_plies, repetition, plies: usize| {
        let mut referee = Referee::new(Terms { max_plies, repetition, ..timed(start()) });
        let mut last = Step::Played;
        for index in 0..plies {
            last = referee.answer(&says(shuffle[index % 4]));
        }
        last
    };
    assert_eq!(play(400, 3, 7), Step::Played);
    assert_eq!(play(400, 3, 8), Step::Over(Outcome::Repetition));
    assert_eq!(play(8, 3, 8), Step::Over(Outcome::Repetition), "repetition and length");
    assert_eq!(play(8, 4, 8), Step::Over(Outcome::MaxPlies));
    assert_eq!(play(400, 2, 4), Step::Over(Outcome::Repetition));
    assert_eq!(play(0, 0, 40), Step::Played, "neither limit");
}

#[test]
fn after_the_end_nothing_changes_it() {
    let mut referee = Referee::new(timed(start()));
    assert_eq!(referee.answer(&says("a9")), forfeit(Fault::IllegalMove));
    assert_eq!(referee.ask(), None);
    assert_eq!(referee.answer(&says("a2c4")), forfeit(Fault::IllegalMove));
    assert_eq!(referee.abort(), Outcome::Forfeit(Side::First, Fault::IllegalMove));
}

#[test]
fn an_illegal_answer_may_be_followed_by_others_on_the_same_clock() {
    let mut referee = Referee::new(Terms { attempts: 3, ..timed(start()) });
    let slowly = |words| Answer { used: SECOND / 2, ..says(words) };
    assert!(
        matches!(referee.answer(&slowly("a0a1")), Step::Again(reason) if reason.contains("no piece of B on a0"))
    );
    assert_eq!(referee.ask().unwrap().budget, Some(SECOND / 2));
    assert_eq!(referee.ask().unwrap().turn, 1);
    assert_eq!(referee.answer(&slowly("a2c4")), Step::Played, "0.5 s and 0.5 s are within 1 s");
    assert_eq!(referee.plies()[0].note.as_ref().unwrap().wall, Some(SECOND));

    let mut referee = Referee::new(Terms { attempts: 3, ..timed(start()) });
    for words in ["", "a2c4 please"] {
        assert!(matches!(referee.answer(&says(words)), Step::Again(_)), "{words}");
    }
    assert_eq!(referee.answer(&says("pass")), forfeit(Fault::IllegalMove), "the third is the last");

    let mut referee = Referee::new(Terms { attempts: 2, ..timed(start()) });
    assert!(matches!(referee.answer(&Answer { used: SECOND, ..says("x") }), Step::Again(_)));
    assert_eq!(referee.answer(&Answer { used: SECOND / 5, ..says("a2c4") }), forfeit(Fault::Timeout));
}

#[test]
fn two_squares_may_be_two_words() {
    for words in ["a2c4", "a2 c4", "a2  c4", "a2\tc4", "a2-c4"] {
        assert_eq!(Referee::new(timed(start())).answer(&says(words)), Step::Played, "{words:?}");
    }
    for words in ["A2C4", "a2c4.", "a 2c4", "a2 - c4", "a2c4 a2c4", "a2c", "\u{e4}2c4"] {
        assert_eq!(
            Referee::new(timed(start())).answer(&says(words)),
            forfeit(Fault::IllegalMove),
            "{words:?}"
        );
    }
    let bytes = Answer { reply: Some(Reply::Move(b"a2c4\xff")), ..Answer::default() };
    assert_eq!(Referee::new(timed(start())).answer(&bytes), forfeit(Fault::IllegalMove));
}

#[test]
fn forced_passes_are_played_without_asking_and_cost_nothing() {
    // B cannot move (rules vectors, "stuck"); W can.
    let stuck = loa("BW6/WW6/8/8/8/8/6WW/6WB B");
    let referee = Referee::new(timed(stuck));
    assert_eq!(referee.plies().len(), 1);
    assert_eq!(referee.plies()[0], Played { ply: Ply::Pass, note: None });
    let ask = referee.ask().unwrap();
    assert_eq!((ask.side, ask.turn), (Side::Second, 2));
    assert_eq!(ask.opponent, Some(SECOND));
    // Neither can move: two forced passes in a row are a draw before anybody is asked.
    let both = loa("8/2W1B1W1/1B1B1B1B/2W1B1W1/1W1W1W1W/2W1B1W1/1B1B1B1B/2W1B1W1 B");
    let referee = Referee::new(timed(both));
    assert_eq!(referee.plies().len(), 2);
    assert_eq!(referee.outcome().map(Outcome::termination), Some("stalemate"));
}

#[test]
fn a_turn_of_two_pieces_is_two_questions_on_one_clock() {
    let flipflop = Ruleset::named("flipflop", &[]).unwrap();
    // 36 captures 35 and 34, and 54 or others may follow; after the second piece the turn is over.
    let earned = flipflop.read_position("8/8/8/8/1WBB4/1WBB4/8/8 W 1").unwrap();
    let mut referee = Referee::new(timed(earned));
    let answer = |words| Answer { used: SECOND / 4, ..says(words) };
    assert_eq!(referee.answer(&answer("36")), Step::Played);
    let ask = referee.ask().unwrap();
    assert_eq!((ask.side, ask.turn, ask.budget), (Side::First, 2, Some(3 * SECOND / 4)));
    assert_eq!(referee.position().piece(), Some(2));
    let mut declined = referee.clone();
    assert_eq!(declined.answer(&answer("pass")), Step::Played, "a second piece may be declined");
    assert_eq!(declined.position().piece(), Some(1));
    let text = referee.position().plies().next().map(|ply| flipflop.ply_text(ply).to_string()).unwrap();
    assert_ne!(text, "pass");
    assert!(!matches!(referee.answer(&answer(&text)), Step::Again(_)));
    assert_eq!(referee.plies().len(), 2);
    // A side that can place no first piece passes unasked (rules vectors, "forced-pass"), and its clock stands.
    let text = "WWWWWWWW/WWWWWBWW/WWWWBBBW/WWWBBWBW/WWBBBBWW/WWWWWBBW/1BBBBBBB/B2BWWWB B 1";
    let referee = Referee::new(timed(flipflop.read_position(text).unwrap()));
    assert_eq!(referee.plies(), [Played { ply: Ply::Pass, note: None }]);
    let ask = referee.ask().unwrap();
    assert_eq!((ask.side, ask.turn, ask.opponent), (Side::First, 2, Some(SECOND)));
}

#[test]
fn a_start_that_fails_is_judged_before_any_ply() {
    let fail = |first, second| Referee::new(timed(start())).fail_start(BySide { first, second });
    assert_eq!(fail(false, false), Step::Played);
    assert_eq!(fail(true, false), Step::Over(Outcome::Forfeit(Side::First, Fault::NoStart)));
    assert_eq!(fail(false, true), Step::Over(Outcome::Forfeit(Side::Second, Fault::NoStart)));
    assert_eq!(fail(true, true), Step::Over(Outcome::Aborted(Abort::NoStart)));
    let mut referee = Referee::new(timed(loa("BW6/WW6/8/8/8/8/6WW/6WB B")));
    let _ = referee.fail_start(BySide { first: true, second: false });
    assert!(
        referee.plies().is_empty(),
        "passes forced from the start are no plies of a game that did not begin"
    );
}

#[test]
fn an_info_is_kept_up_to_its_cap() {
    let mut referee = Referee::new(timed(start()));
    let info = vec![b'x'; 2 * NOTE_BYTES];
    let answer = Answer { info: Some(&info), used: Duration::from_nanos(1_234_567), ..says("a2c4") };
    assert_eq!(referee.answer(&answer), Step::Played);
    let note = referee.plies()[0].note.clone().unwrap();
    assert_eq!(note.text.len(), NOTE_BYTES);
    assert_eq!(note.wall, Some(Duration::from_micros(1234)));
}

/// Processor time is charged; half a second, a cap of twice that and a second, a margin of a tenth.
fn by_cpu() -> Terms {
    let cap = WallCap { factor: 2.0, plus: SECOND };
    let time = TimeControl::Game { base: SECOND / 2, increment: SECOND / 5 };
    Terms { time, charged: Charged::Cpu(cap), attempts: 2, ..timed(start()) }
}

#[test]
fn where_processor_time_is_charged_the_wall_only_caps() {
    let took = |wall: Duration, cpu: Duration| Answer { used: wall, cpu: Some(cpu), ..says("a2c4") };
    let [limit, cap] = [SECOND * 6 / 10, SECOND * 21 / 10];
    let just = Duration::from_nanos(1);
    for (name, answer, expected) in [
        ("little of both", took(SECOND, SECOND / 10), Step::Played),
        ("all of both", took(cap, limit), Step::Played),
        ("too much computed", took(limit + just, limit + just), forfeit(Fault::Timeout)),
        ("slept too long", took(cap + just, Duration::ZERO), forfeit(Fault::Timeout)),
        ("cpu not known", Answer { used: limit, ..says("a2c4") }, Step::Played),
        ("cpu not known, and long", Answer { used: limit + just, ..says("a2c4") }, forfeit(Fault::Timeout)),
    ] {
        let mut referee = Referee::new(by_cpu());
        let ask = referee.ask().unwrap();
        assert_eq!((ask.budget, ask.limit, ask.wall), (Some(SECOND / 2), Some(limit), Some(cap)));
        assert_eq!(referee.answer(&answer), expected, "{name}");
    }
    let mut referee = Referee::new(by_cpu());
    assert_eq!(referee.answer(&took(SECOND * 2, SECOND / 10)), Step::Played);
    let note = referee.plies()[0].note.clone().unwrap();
    assert_eq!((note.wall, note.cpu), (Some(SECOND * 2), Some(SECOND / 10)), "both are noted");
    assert_eq!(referee.ask().unwrap().opponent, Some(SECOND * 6 / 10), "0.5 s less 0.1 s and 0.2 s more");
}

#[test]
fn attempts_share_processor_time_and_cap() {
    let took = |words, wall: Duration, cpu: Duration| Answer { used: wall, cpu: Some(cpu), ..says(words) };
    let mut referee = Referee::new(by_cpu());
    assert!(matches!(referee.answer(&took("x", SECOND, SECOND / 10)), Step::Again(_)));
    let ask = referee.ask().unwrap();
    let left = (ask.budget, ask.limit, ask.wall);
    assert_eq!(left, (Some(SECOND * 4 / 10), Some(SECOND / 2), Some(SECOND * 11 / 10)));
    assert_eq!(referee.answer(&took("a2c4", SECOND * 12 / 10, Duration::ZERO)), forfeit(Fault::Timeout));

    let mut referee = Referee::new(by_cpu());
    assert!(matches!(referee.answer(&took("x", SECOND, SECOND / 10)), Step::Again(_)));
    assert_eq!(referee.answer(&took("a2c4", SECOND, SECOND / 10)), Step::Played);
    let note = referee.plies()[0].note.clone().unwrap();
    assert_eq!((note.wall, note.cpu), (Some(SECOND * 2), Some(SECOND / 5)));
}

proptest::proptest! {
    /// A verdict by processor time is the same however long the same work took on the wall, within the cap.
    #[test]
    fn what_else_the_machine_does_decides_nothing(
        cpu in proptest::collection::vec(0_u64..900, 1..6),
        slowness in 1_u32..4,
    ) {
        let verdict = |slowness: u32| {
            let cap = WallCap { factor: 10.0, plus: SECOND };
            let mut referee = Referee::new(Terms { charged: Charged::Cpu(cap), ..by_cpu() });
            cpu.iter().map(|&ms| {
                let cpu = Duration::from_millis(ms);
                let words = referee.position().plies().next().map(|ply| {
                    referee.position().ruleset().ply_text(ply).to_string()
                });
                let words = words.unwrap_or_default();
                let answer = Answer { used: cpu * slowness, cpu: Some(cpu), ..says(&words) };
                (referee.answer(&answer), referee.ask().map(|ask| ask.opponent))
            }).collect::<Vec<_>>()
        };
        proptest::prop_assert_eq!(verdict(1), verdict(slowness));
    }
}
