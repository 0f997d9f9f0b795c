//! The order of faults and endings that hold at once (docs/reference/gamelog.md, When several
//! things hold at once), and the other rules of the referee.

use super::*;
use crate::clock::{TimeControl, WallCap};
use crate::{ClockKind, DiskUsage, Exit, Garbled, Tasks};
use arbiter_rules::{Ending, Reason, Ruleset};

fn loa(text: &str) -> Position {
    Ruleset::named("loa", "").unwrap().read_position(text).unwrap()
}

fn start() -> Position {
    Ruleset::named("loa", "").unwrap().start()
}

const SECOND: Duration = Duration::from_secs(1);

/// A second for the game, and a tenth as margin.
fn timed() -> Settings {
    let mut settings = Settings::default()
        .with_control(TimeControl::Game { base: SECOND, increment: Duration::ZERO });
    settings.time.margin = SECOND / 10;
    settings
}

fn open(start: Position) -> Referee {
    Referee::new(&Settings { ruleset: start.ruleset(), ..timed() }, start)
}

fn with(change: impl FnOnce(&mut Settings)) -> Referee {
    let mut settings = timed();
    change(&mut settings);
    Referee::new(&settings, start())
}

/// An answer with this ply or text, as a dialect reads it.
fn answer_in(ruleset: &Ruleset, words: &str) -> Answer {
    let reply = match ruleset.read_ply(words) {
        Ok(ply) => Reply::Ply(ply),
        Err(error) => Reply::Illegal(error.to_string()),
    };
    Answer { reply: Some(reply), ..Answer::default() }
}

fn answer_with(words: &str) -> Answer {
    answer_in(&start().ruleset(), words)
}

/// Judges an answer; the note of the last ply that it led to.
fn judge(referee: &mut Referee, mut answer: Answer) -> (Step, Option<Note>) {
    let step = referee.answer(&mut answer);
    let note = referee.events().filter_map(|event| match event {
        Event::Played { played, .. } => played.note,
        _ => None,
    });
    (step, note.last())
}

fn step(referee: &mut Referee, answer: Answer) -> Step {
    judge(referee, answer).0
}

fn forfeit(fault: Fault) -> Step {
    Step::Over(Outcome::Forfeit(Side::First, fault))
}

const EXIT: Option<Exit> = Some(Exit::Signal(11));

/// What exceeds a limit, and shows the other faults of a program that broke off, too.
fn over(exceeded: LimitExceeded) -> Answer {
    Answer {
        exceeded: Some(exceeded),
        exit: EXIT,
        garbled: Some(Garbled::TooLong),
        ..Answer::default()
    }
}

/// Rows of what holds at once, the answer to the first question, and the step that it leads to.
fn assert_steps<const N: usize>(table: [(&str, Answer, Step); N]) {
    for (what, answer, expected) in table {
        assert_eq!(step(&mut open(start()), answer), expected, "{what}");
    }
}

#[test]
fn an_answer_counts_before_an_exit_and_nothing_counts_before_the_flag() {
    let legal = answer_with("a2c4").reply;
    let illegal = answer_with("a2a3").reply;
    let late = SECOND + SECOND / 10 + Duration::from_nanos(1);
    let just = SECOND + SECOND / 10;
    let nothing = Answer::default();
    assert_steps([
        // A complete answer line within the limit counts before exit and end of file …
        (
            "answer in the pipe and exit",
            Answer { reply: legal.clone(), exit: EXIT, ..nothing.clone() },
            Step::Played,
        ),
        (
            "answer, then output closed",
            Answer {
                reply: legal.clone(),
                garbled: Some(Garbled::OutputClosed),
                ..nothing.clone()
            },
            Step::Played,
        ),
        (
            "answer, then input closed",
            Answer { reply: legal.clone(), garbled: Some(Garbled::InputClosed), ..nothing.clone() },
            Step::Played,
        ),
        (
            "answer at the edge of the margin",
            Answer { reply: legal.clone(), used: just, exit: EXIT, ..nothing.clone() },
            Step::Played,
        ),
        (
            "illegal answer and exit",
            Answer { reply: illegal.clone(), exit: EXIT, ..nothing.clone() },
            forfeit(Fault::IllegalMove),
        ),
        (
            "resigned and exit",
            Answer { reply: Some(Reply::Resign), exit: EXIT, ..nothing.clone() },
            Step::Over(Outcome::Resigned(Side::First)),
        ),
        // … and nothing counts before the flag.
        (
            "late and legal",
            Answer { reply: legal.clone(), used: late, ..nothing.clone() },
            forfeit(Fault::Timeout),
        ),
        (
            "late and illegal",
            Answer { reply: illegal.clone(), used: late, ..nothing.clone() },
            forfeit(Fault::Timeout),
        ),
        (
            "late and resigned",
            Answer { reply: Some(Reply::Resign), used: late, ..nothing.clone() },
            forfeit(Fault::Timeout),
        ),
        (
            "late and exit",
            Answer { used: late, exit: EXIT, ..nothing.clone() },
            forfeit(Fault::Timeout),
        ),
        (
            "over-long and flagged",
            Answer { used: late, garbled: Some(Garbled::TooLong), ..nothing.clone() },
            forfeit(Fault::Timeout),
        ),
        (
            "flooded and flagged",
            Answer { used: late, exceeded: Some(LimitExceeded::Output), ..nothing.clone() },
            forfeit(Fault::Timeout),
        ),
        (
            "all at once, flagged",
            Answer { used: late, ..over(LimitExceeded::Memory(1)) },
            forfeit(Fault::Timeout),
        ),
        ("silent to the end", Answer { used: late, ..nothing.clone() }, forfeit(Fault::Timeout)),
        ("silent, and no time measured", nothing.clone(), forfeit(Fault::Timeout)),
    ]);
}

#[test]
fn limits_count_before_an_answer_and_an_exit_before_what_was_written() {
    let legal = answer_with("a2c4").reply;
    let illegal = answer_with("a2a3").reply;
    let nothing = Answer::default();
    let tasks = LimitExceeded::Tasks(Tasks { processes: 2, threads: 2 });
    let scratch = LimitExceeded::Scratch(DiskUsage { bytes: 1, files: 1 });
    assert_steps([
        // Limits are judged before an answer, in their order.
        ("memory, exit, too long", over(LimitExceeded::Memory(1)), forfeit(Fault::MemoryLimit)),
        ("processes, exit, too long", over(tasks), forfeit(Fault::ProcessLimit)),
        ("output, exit, too long", over(LimitExceeded::Output), forfeit(Fault::OutputLimit)),
        ("scratch, exit, too long", over(scratch), forfeit(Fault::OutputLimit)),
        (
            "memory and a legal answer",
            Answer {
                exceeded: Some(LimitExceeded::Memory(1)),
                reply: legal.clone(),
                ..nothing.clone()
            },
            forfeit(Fault::MemoryLimit),
        ),
        (
            "processes and an illegal answer",
            Answer { exceeded: Some(tasks), reply: illegal.clone(), ..nothing.clone() },
            forfeit(Fault::ProcessLimit),
        ),
        // Then how the program ended, then what it wrote.
        ("exit without an answer", Answer { exit: EXIT, ..nothing.clone() }, forfeit(Fault::Crash)),
        (
            "exit after a line too long",
            Answer { exit: EXIT, garbled: Some(Garbled::TooLong), ..nothing.clone() },
            forfeit(Fault::Crash),
        ),
        (
            "a line with a NUL",
            Answer { garbled: Some(Garbled::Nul), ..nothing.clone() },
            forfeit(Fault::Protocol),
        ),
        (
            "output closed",
            Answer { garbled: Some(Garbled::OutputClosed), ..nothing.clone() },
            forfeit(Fault::Protocol),
        ),
        (
            "a NUL before an illegal answer",
            Answer { garbled: Some(Garbled::Nul), reply: illegal.clone(), ..nothing.clone() },
            forfeit(Fault::Protocol),
        ),
        (
            "a NUL before a legal answer",
            Answer { garbled: Some(Garbled::Nul), reply: legal.clone(), ..nothing.clone() },
            forfeit(Fault::Protocol),
        ),
        (
            "illegal",
            Answer { reply: illegal.clone(), ..nothing.clone() },
            forfeit(Fault::IllegalMove),
        ),
    ]);
}

/// Endings that hold at once: the game's rules, then repetition, then length.
#[test]
fn a_legal_ply_is_judged_by_rules_then_repetition_then_length() {
    // B to move connects with a6c4; it is the first ply and the last that the match allows.
    let winning = loa("8/6W1/6W1/3BB3/5B2/5BB1/BWW5/8 B");
    let connected = Outcome::Rules(Ending { winner: Some(Side::First), reason: Reason::Connected });
    let mut one_ply = timed();
    one_ply.rules.max_plies = 1;
    let last = step(&mut Referee::new(&one_ply, winning), answer_with("a6c4"));
    assert_eq!(last, Step::Over(connected), "win and length");

    let shuffle = ["a1c1", "b0b2", "c1a1", "b2b0"];
    let play = |max_plies, repetition, plies: usize| {
        let mut referee = with(|settings| {
            (settings.rules.max_plies, settings.rules.repetition) = (max_plies, repetition);
        });
        let mut verdict = Step::Played;
        for index in 0..plies {
            verdict = step(&mut referee, answer_with(shuffle[index % 4]));
        }
        verdict
    };
    assert_eq!(play(400, 3, 7), Step::Played);
    assert_eq!(play(400, 3, 8), Step::Over(Outcome::Repetition));
    assert_eq!(play(8, 3, 8), Step::Over(Outcome::Repetition), "repetition and length");
    assert_eq!(play(8, 4, 8), Step::Over(Outcome::MaxPlies));
    assert_eq!(play(400, 2, 4), Step::Over(Outcome::Repetition));
    assert_eq!(play(u32::MAX, 0, 40), Step::Played, "neither limit");
}

#[test]
fn after_the_end_nothing_changes_it() {
    let mut referee = open(start());
    assert_eq!(step(&mut referee, answer_with("a9")), forfeit(Fault::IllegalMove));
    assert!(referee.ask().is_none());
    assert_eq!(step(&mut referee, answer_with("a2c4")), forfeit(Fault::IllegalMove));
    assert_eq!(referee.abort(), Outcome::Forfeit(Side::First, Fault::IllegalMove));
}

#[test]
fn an_illegal_answer_may_be_followed_by_others_on_the_same_clock() {
    let mut referee = with(|settings| settings.rules.attempts = 3);
    let slowly = |words| Answer { used: SECOND / 2, ..answer_with(words) };
    let mut illegal = slowly("a0a1");
    assert_eq!(referee.answer(&mut illegal), Step::Again);
    assert!(referee.refused().unwrap().contains("no piece of B on a0"));
    assert!(matches!(referee.events().next(), Some(Event::Refused { side: Side::First, .. })));
    let turn = referee.ask().unwrap();
    assert_eq!(turn.clocks[turn.side], Some(SECOND / 2));
    assert_eq!((turn.number(), turn.refused, turn.same_side_again), (1, referee.refused(), true));
    let (verdict, note) = judge(&mut referee, slowly("a2c4"));
    assert_eq!(verdict, Step::Played, "0.5 s and 0.5 s are within 1 s");
    assert_eq!(note.unwrap().wall, Some(SECOND));
    assert_eq!(referee.refused(), None);
}

#[test]
fn an_illegal_answer_to_the_last_attempt_loses() {
    let mut referee = with(|settings| settings.rules.attempts = 3);
    for words in ["x", "a2c4 please"] {
        assert!(matches!(step(&mut referee, answer_with(words)), Step::Again), "{words}");
    }
    assert_eq!(
        step(&mut referee, answer_with("pass")),
        forfeit(Fault::IllegalMove),
        "the third is the last"
    );
}

#[test]
fn the_flag_falls_in_a_later_attempt() {
    let mut referee = with(|settings| settings.rules.attempts = 2);
    assert!(matches!(step(&mut referee, Answer { used: SECOND, ..answer_with("x") }), Step::Again));
    assert_eq!(
        step(&mut referee, Answer { used: SECOND / 5, ..answer_with("a2c4") }),
        forfeit(Fault::Timeout)
    );
}

#[test]
fn forced_passes_are_played_without_asking_and_cost_nothing() {
    // B cannot move (rules vectors, "stuck"); W can.
    let stuck = loa("BW6/WW6/8/8/8/8/6WW/6WB B");
    let mut referee = open(stuck);
    assert_eq!(referee.plies(), [Ply::Pass]);
    let passed = Event::Played {
        side: Side::First,
        number: 1,
        played: Played { ply: Ply::Pass, note: None },
    };
    assert_eq!(referee.events().collect::<Vec<_>>(), [passed]);
    let turn = referee.ask().unwrap();
    assert_eq!((turn.side, turn.number()), (Side::Second, 2));
    assert_eq!(turn.clocks[!turn.side], Some(SECOND));
    // Neither can move: two forced passes in a row are a draw before either is asked.
    let both = loa("8/2W1B1W1/1B1B1B1B/2W1B1W1/1W1W1W1W/2W1B1W1/1B1B1B1B/2W1B1W1 B");
    let drawn = open(both);
    assert_eq!(drawn.plies().len(), 2);
    assert_eq!(drawn.outcome().as_ref().map(Outcome::termination), Some("stalemate"));
}

#[test]
fn a_final_answer_has_no_further_attempt() {
    let mut referee = with(|settings| settings.rules.attempts = 3);
    let answer = Answer { is_final: true, ..answer_with("a1b1") };
    assert_eq!(step(&mut referee, answer), forfeit(Fault::IllegalMove));
}

#[test]
fn a_turn_of_two_pieces_is_two_questions_on_one_clock() {
    let flipflop = Ruleset::named("flipflop", "").unwrap();
    // 36 captures 35 and 34, and 54 or others may follow; after the second piece the turn is over.
    let earned = flipflop.read_position("8/8/8/8/1WBB4/1WBB4/8/8 W 1").unwrap();
    let mut referee = open(earned);
    let answer = |words| Answer { used: SECOND / 4, ..answer_in(&flipflop, words) };
    assert_eq!(step(&mut referee, answer("36")), Step::Played);
    let turn = referee.ask().unwrap();
    let budget = turn.clocks[turn.side];
    assert_eq!((turn.side, turn.number(), budget), (Side::First, 2, Some(3 * SECOND / 4)));
    assert!(turn.same_side_again);
    assert_eq!(referee.position().piece(), Some(2));
    let mut declined = referee.clone();
    assert_eq!(step(&mut declined, answer("pass")), Step::Played, "a second piece may be declined");
    assert_eq!(declined.position().piece(), Some(1));
    let text =
        referee.position().plies().next().map(|ply| flipflop.ply_text(ply).to_string()).unwrap();
    assert_ne!(text, "pass");
    assert!(!matches!(step(&mut referee, answer(&text)), Step::Again));
    assert_eq!(referee.plies().len(), 2);
}

/// Rules vectors, "forced-pass".
#[test]
fn a_side_that_can_place_no_first_piece_passes_unasked_and_its_clock_stands() {
    let flipflop = Ruleset::named("flipflop", "").unwrap();
    let text = "WWWWWWWW/WWWWWBWW/WWWWBBBW/WWWBBWBW/WWBBBBWW/WWWWWBBW/1BBBBBBB/B2BWWWB B 1";
    let referee = open(flipflop.read_position(text).unwrap());
    assert_eq!(referee.plies(), [Ply::Pass]);
    let turn = referee.ask().unwrap();
    let opponent = turn.clocks[!turn.side];
    assert_eq!((turn.side, turn.number(), opponent), (Side::First, 2, Some(SECOND)));
}

#[test]
fn a_start_that_fails_is_judged_before_any_ply() {
    let fail = |first, second| open(start()).fail_start(BySide { first, second });
    assert_eq!(fail(false, false), Step::Played);
    assert_eq!(fail(true, false), Step::Over(Outcome::Forfeit(Side::First, Fault::NoStart)));
    assert_eq!(fail(false, true), Step::Over(Outcome::Forfeit(Side::Second, Fault::NoStart)));
    assert_eq!(fail(true, true), Step::Over(Outcome::NeitherStarted));
    let mut referee = open(loa("BW6/WW6/8/8/8/8/6WW/6WB B"));
    let _ = referee.fail_start(BySide { first: true, second: false });
    assert!(
        referee.plies().is_empty(),
        "passes forced from the start are no plies of a game that did not begin"
    );
}

#[test]
fn an_info_is_kept_up_to_its_cap() {
    let mut referee = open(start());
    let info = vec![b'x'; 2 * NOTE_BYTES];
    let answer = Answer { info, used: Duration::from_nanos(1_234_567), ..answer_with("a2c4") };
    let (verdict, note) = judge(&mut referee, answer);
    assert_eq!(verdict, Step::Played);
    let note = note.unwrap();
    assert_eq!(note.text.len(), NOTE_BYTES);
    assert_eq!(note.wall, Some(Duration::from_micros(1234)));
}

/// Processor time is charged; half a second, a cap of twice that and a second, a margin of a tenth.
fn by_cpu(factor: f64) -> Referee {
    with(|settings| {
        *settings =
            settings.with_control(TimeControl::Game { base: SECOND / 2, increment: SECOND / 5 });
        settings.time.clock = ClockKind::Cpu;
        settings.time.wall_cap = WallCap { factor, plus: SECOND };
        settings.rules.attempts = 2;
    })
}

#[test]
fn wall_time_is_only_capped_if_processor_time_is_charged() {
    let took = |wall: Duration, cpu: Duration| Answer {
        used: wall,
        cpu: Some(cpu),
        ..answer_with("a2c4")
    };
    let [limit, cap] = [SECOND * 6 / 10, SECOND * 21 / 10];
    let just = Duration::from_nanos(1);
    for (name, answer, expected) in [
        ("little of both", took(SECOND, SECOND / 10), Step::Played),
        ("all of both", took(cap, limit), Step::Played),
        ("too much computed", took(limit + just, limit + just), forfeit(Fault::Timeout)),
        ("slept too long", took(cap + just, Duration::ZERO), forfeit(Fault::Timeout)),
        ("cpu not known", Answer { used: limit, ..answer_with("a2c4") }, Step::Played),
        (
            "cpu not known, and long",
            Answer { used: limit + just, ..answer_with("a2c4") },
            forfeit(Fault::Timeout),
        ),
    ] {
        let mut referee = by_cpu(2.0);
        let turn = referee.ask().unwrap();
        assert_eq!(turn.clocks[turn.side], Some(SECOND / 2));
        assert_eq!(
            (turn.limit, turn.allowance.cpu, turn.allowance.wall),
            (Some(limit), Some(limit), Some(cap))
        );
        assert_eq!(step(&mut referee, answer), expected, "{name}");
    }
    let mut referee = by_cpu(2.0);
    let (verdict, note) = judge(&mut referee, took(SECOND * 2, SECOND / 10));
    assert_eq!(verdict, Step::Played);
    let note = note.unwrap();
    assert_eq!((note.wall, note.cpu), (Some(SECOND * 2), Some(SECOND / 10)), "both are noted");
    let turn = referee.ask().unwrap();
    assert_eq!(turn.clocks[!turn.side], Some(SECOND * 6 / 10), "0.5 s less 0.1 s and 0.2 s more");
}

#[test]
fn attempts_share_processor_time_and_cap() {
    let took = |words, wall: Duration, cpu: Duration| Answer {
        used: wall,
        cpu: Some(cpu),
        ..answer_with(words)
    };
    let mut referee = by_cpu(2.0);
    assert!(matches!(step(&mut referee, took("x", SECOND, SECOND / 10)), Step::Again));
    let turn = referee.ask().unwrap();
    let left = (turn.clocks[turn.side], turn.limit, turn.allowance.wall);
    assert_eq!(left, (Some(SECOND * 4 / 10), Some(SECOND / 2), Some(SECOND * 11 / 10)));
    assert_eq!(
        step(&mut referee, took("a2c4", SECOND * 12 / 10, Duration::ZERO)),
        forfeit(Fault::Timeout)
    );

    let mut within_cap = by_cpu(2.0);
    assert!(matches!(step(&mut within_cap, took("x", SECOND, SECOND / 10)), Step::Again));
    let (verdict, note) = judge(&mut within_cap, took("a2c4", SECOND, SECOND / 10));
    assert_eq!(verdict, Step::Played);
    let note = note.unwrap();
    assert_eq!((note.wall, note.cpu), (Some(SECOND * 2), Some(SECOND / 5)));
}

proptest::proptest! {
    /// A verdict by processor time does not depend on the wall time of the same work, within the
    /// cap.
    #[test]
    fn other_load_of_the_machine_does_not_change_the_verdict(
        cpu in proptest::collection::vec(0_u64..900, 1..6),
        slowness in 1_u32..4,
    ) {
        let verdict = |times: u32| {
            let mut referee = by_cpu(10.0);
            cpu.iter().map(|&ms| {
                let worked = Duration::from_millis(ms);
                let ply = referee.position().plies().next().unwrap_or(Ply::Pass);
                let mut answer =
                    Answer { used: worked * times, cpu: Some(worked), ..Answer::ply(ply) };
                (referee.answer(&mut answer), referee.ask().map(|turn| turn.clocks))
            }).collect::<Vec<_>>()
        };
        proptest::prop_assert_eq!(verdict(1), verdict(slowness));
    }
}
