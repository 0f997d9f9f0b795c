use super::*;
use crate::game::{End, Outcome, Reply, SentLines, Settings, Start, Turn};
use crate::protocol::{Conversation, Dialect, ParsedLine};
use crate::rules::{BySide, Ruleset, Side};
use proptest::prelude::*;
use std::time::Duration;

/// A conversation at the beginning of a game of a program that has this side; its random bits
/// are 7.
fn begun(you: Side, settings: &Settings) -> Box<dyn Conversation> {
    let mut conversation = Dialect::Codingame.conversation().unwrap();
    let sent = SentLines { id: "1".into(), seeds: BySide { first: 7, second: 7 } };
    let position = settings.ruleset.start();
    let mut out = String::new();
    let start = Start { sent: &sent, position: &position, you, settings };
    conversation.push_start(&mut out, &start).unwrap();
    assert!(out.is_empty() && conversation.is_ready() && !conversation.can_refuse());
    conversation
}

/// What is sent for a turn in this position, after these plies, with 900 ms left.
fn turn(conversation: &mut dyn Conversation, position: &Position, plies: &[Ply]) -> String {
    let clocks =
        BySide::from_own(position.side(), 900, 800).map(|time| Some(Duration::from_millis(time)));
    let turn = Turn { clocks, ..Turn::unlimited(position, plies) };
    let mut out = String::new();
    conversation.push_turn(&mut out, &turn).unwrap();
    out
}

/// The plies of a line of texts and the positions after each.
fn played(start: Position, texts: &str) -> (Vec<Ply>, Position) {
    let mut position = start;
    let mut plies = Vec::new();
    for text in texts.split_whitespace() {
        let ply = position.ruleset().read_ply(text).unwrap();
        assert!(position.is_legal(ply), "{text}");
        position = position.after(ply);
        plies.push(ply);
    }
    (plies, position)
}

#[test]
fn nothing_is_sent_after_the_end() {
    let settings = Settings::default();
    let mut conversation = begun(Side::First, &settings);
    let position = settings.ruleset.start();
    let mut out = String::new();
    let outcome = Outcome::Resigned(Side::Second);
    conversation.push_end(
        &mut out,
        &End { you: Side::First, position: &position, plies: &[], outcome, detail: None },
    );
    conversation.push_quit(&mut out);
    assert_eq!(out, "");
}

#[test]
fn squares_are_transposed_both_ways() {
    let loa = Ruleset::default();
    for row in 0..8 {
        for column in 0..8 {
            let square = loa.square(row, column);
            let text = square_text(&loa, square);
            assert_eq!(text, format!("{}{}", char::from(b'a' + row as u8), 8 - column));
            let [letter, digit] = text.as_bytes() else { panic!("{text}") };
            assert_eq!(read_square(&loa, *letter, *digit), Some(square));
        }
    }
    for [letter, digit] in [*b"i1", *b"a0", *b"a9", *b"A1"] {
        assert_eq!(read_square(&loa, letter, digit), None);
    }
}

proptest! {
    /// What is printed for a legal ply is read as that ply, in every position of a random game.
    #[test]
    fn every_ply_is_read_as_it_is_written(choices in proptest::collection::vec(any::<usize>(), 0..120)) {
        let settings = Settings::default();
        let conversation = begun(Side::First, &settings);
        let mut position = settings.ruleset.start();
        for &choice in &choices {
            let plies = position.sorted_plies();
            for &ply in &plies {
                let line = conversation.ply(&position, ply);
                let read = conversation.read(&position, line.as_bytes());
                prop_assert!(read == ParsedLine::Reply(Reply::Ply(ply)), "{line} {read:?}");
                let near = conversation.nearly_a_ply(&position, line.as_bytes());
                prop_assert!(near.is_none(), "{line} {near:?}");
            }
            let Some(&ply) = plies.get(choice % plies.len().max(1)) else { break };
            position = position.after(ply);
        }
    }

    /// Any bytes, in any game: a ply that is read can be checked and written.
    #[test]
    fn nothing_that_is_read_panics(
        line in "(move |pass|random|[a-j][0-9]){0,3}[ -~]{0,9}|[0-9 ,move]{0,12}|.{0,20}",
        game in 0_usize..4,
    ) {
        let ruleset = Ruleset::named(["loa", "flipflop", "lineup", "gekitai"][game], "").unwrap();
        let settings = Settings::for_ruleset(ruleset.clone());
        let conversation = begun(Side::Second, &settings);
        let position = ruleset.start();
        let parsed = conversation.read(&position, line.as_bytes());
        if let ParsedLine::Reply(Reply::Ply(ply)) | ParsedLine::Commented(Reply::Ply(ply), _) = parsed {
            let _ = (position.check(ply), conversation.ply(&position, ply));
        }
        let _ = conversation.nearly_a_ply(&position, line.as_bytes());
        let _ = conversation.reason(&line);
    }
}

fn loa() -> Position {
    Ruleset::default().start()
}

fn conversation(you: Side) -> Box<dyn Conversation> {
    begun(you, &Settings::default())
}

#[test]
fn the_turns_of_the_first_side() {
    let mut first = conversation(Side::First);
    assert_eq!(
        turn(&mut *first, &loa(), &[]),
        "b\n.bbbbbb.\nw......w\nw......w\nw......w\nw......w\nw......w\nw......w\n.bbbbbb.\nnull\n36\n\
         b1b3\nb1d3\nb1h1\nb8b6\nb8d6\nb8h8\nc1a3\nc1c3\nc1e3\nc8a6\nc8c6\nc8e6\nd1b3\nd1d3\nd1f3\nd8b6\nd8d6\nd8f6\n\
         e1c3\ne1e3\ne1g3\ne8c6\ne8e6\ne8g6\nf1d3\nf1f3\nf1h3\nf8d6\nf8f6\nf8h6\ng1a1\ng1e3\ng1g3\ng8a8\ng8e6\ng8g6\n"
    );
    let (plies, position) = played(loa(), "a2c2 c0b1");
    let sent = turn(&mut *first, &position, &plies);
    let begin =
        ".b.bbbb.\nww.....w\n..b....w\nw......w\nw......w\nw......w\nw......w\n.bbbbbb.\na6b7\n";
    assert!(sent.starts_with(begin), "{sent}");
}

#[test]
fn the_turn_of_the_second_side_has_the_move_before() {
    let mut second = conversation(Side::Second);
    let (plies, position) = played(loa(), "a2c2");
    let sent = turn(&mut *second, &position, &plies);
    assert!(
        sent.starts_with(
            "w\n.b.bbbb.\nw......w\nw.b....w\nw......w\nw......w\nw......w\nw......w\n.bbbbbb.\nc8c6\n"
        ),
        "{sent}"
    );
    let moves: Vec<&str> = sent.lines().skip(11).collect();
    assert_eq!(sent.lines().nth(10), Some(&*moves.len().to_string()));
    assert!(moves.is_sorted() && moves.contains(&"a6b7"), "{moves:?}");
}

#[test]
fn a_pass_is_asked_for_and_told() {
    let stuck = Ruleset::default().read_position("BW6/WW6/8/8/8/8/6WW/6WB B").unwrap();
    let mut first = conversation(Side::First);
    let sent = turn(&mut *first, &stuck, &[]);
    assert_eq!(
        sent,
        "b\nbw......\nww......\n........\n........\n........\n........\n......ww\n......wb\nnull\n1\npass\n"
    );
    let pass = ParsedLine::Reply(Reply::Ply(Ply::Pass));
    assert_eq!((first.read(&stuck, b"pass"), first.read(&stuck, b"random")), (pass.clone(), pass));
    let mut second = conversation(Side::Second);
    let sent = turn(&mut *second, &stuck.after(Ply::Pass), &[Ply::Pass]);
    assert_eq!(sent.lines().nth(9), Some("pass"), "{sent}");
}

#[test]
fn lines_mean_what_the_site_takes_them_for() {
    let first = conversation(Side::First);
    let ply = |text: &str| Reply::Ply(Ruleset::default().read_ply(text).unwrap());
    for (line, parsed) in [
        (&b"c8c6"[..], ParsedLine::Reply(ply("a2c2"))),
        (b" c8c6\r", ParsedLine::Reply(ply("a2c2"))),
        (
            b"c8c6 \xff three plies deep ",
            ParsedLine::Commented(ply("a2c2"), b"\xff three plies deep"),
        ),
        (b"c8c6!", ParsedLine::Commented(ply("a2c2"), b"!")),
        (b"h1a8", ParsedLine::Reply(ply("h7a0"))),
        (b"pass I must", ParsedLine::Commented(Reply::Ply(Ply::Pass), b"I must")),
        (b"passing", ParsedLine::Unrecognised),
        (b"randomly", ParsedLine::Unrecognised),
        (b"C8C6", ParsedLine::Unrecognised),
        (b"c9c6", ParsedLine::Unrecognised),
        (b"c0c6", ParsedLine::Unrecognised),
        (b"i8c6", ParsedLine::Unrecognised),
        (b"c8", ParsedLine::Unrecognised),
        (b"move c8c6", ParsedLine::Unrecognised),
        (b"", ParsedLine::Unrecognised),
        (b"\xff\xfe\xff\xfe", ParsedLine::Unrecognised),
    ] {
        assert_eq!(first.read(&loa(), line), parsed, "{line:?}");
    }
}

#[test]
fn a_random_ply_follows_from_the_seed_and_the_ply() {
    let chosen = |plies: usize| {
        let mut first = conversation(Side::First);
        let played = vec![Ply::Pass; plies];
        turn(&mut *first, &loa(), &played);
        match first.read(&loa(), b"random or so") {
            ParsedLine::Commented(Reply::Ply(ply), b"or so") => ply,
            other => panic!("{other:?}"),
        }
    };
    let chosen: Vec<(Ply, Ply)> = (0..20).map(|plies| (chosen(plies), chosen(plies))).collect();
    assert!(chosen.iter().all(|(one, again)| one == again && loa().is_legal(*one)), "{chosen:?}");
    assert!(chosen.iter().any(|other| *other != chosen[0]), "{chosen:?}");
}

#[test]
fn sentences_are_in_squares_of_the_site() {
    let first = conversation(Side::First);
    let why = loa().check(Ruleset::default().read_ply("a2c3").unwrap()).unwrap_err().to_string();
    assert_eq!(first.reason(&why), "c8 and d6 are not on one line");
    let why = loa().check(Ruleset::default().read_ply("b2c3").unwrap()).unwrap_err().to_string();
    assert!(first.reason(&why).starts_with("there is no piece of b on c7: "), "{why}");
    let near = |line: &[u8]| first.nearly_a_ply(&loa(), line).map(|near| near.correction);
    for line in ["C8C6", "move c8c6", "c8-c6", "c8 c6", "bestmove c8c6", "(c8,c6)"] {
        assert_eq!(near(line.as_bytes()).as_deref(), Some("c8c6"), "{line}");
    }
    assert_eq!(
        (near(b"Random"), near(b"c8c6"), near(b"move c8c7")),
        (Some("random".into()), None, None)
    );
}

#[test]
fn what_differs_is_named_with_the_file() {
    let mut settings = Settings::default();
    assert_eq!(Dialect::Native.site_differences(&settings), None);
    assert_eq!(
        site_differences(&settings).unwrap(),
        "simultaneous is mover (here draw), 150 plies draw (here 400), repetition does not draw (here 3 times), \
         a ply has 150 ms and the first one 1000 ms; \
         configs/codingame.toml has these rules"
    );
    settings.rules.repetition = 0;
    settings.rules.max_plies = 150;
    settings.ruleset = Ruleset::named("loa", "simultaneous=mover").unwrap();
    settings = settings.with_control(TimeControl::Ply(Duration::from_millis(150)));
    settings.time.first_move = Some(Duration::from_secs(1));
    assert_eq!(site_differences(&settings), None);
}
