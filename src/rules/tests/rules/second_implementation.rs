//! The rules engine compared with a slow and simple second implementation, in random games of every
//! option and size, from the start and from set-up positions.

use crate::games::slow::{self, Slow};
use crate::games::{Set, ending, pick, settings, setup, text, texts};
use arbiter_rules::seed::Generator;
use arbiter_rules::{Game, Ply, Position, Reason, Ruleset, Side};
use std::collections::{BTreeMap, BTreeSet};

/// Counts of events in the games, to check that every kind was compared.
#[derive(Default)]
struct Seen {
    /// The option `simultaneous`, the reason of the end and the winner's letter.
    ends: BTreeSet<(String, &'static str, Option<char>)>,
    events: BTreeMap<&'static str, u32>,
}

impl Seen {
    fn event(&mut self, what: &'static str, happened: bool) {
        *self.events.entry(what).or_default() += u32::from(happened);
    }

    /// Fails unless games ended in exactly these ways: for each value of `simultaneous` the reasons
    /// and winners.
    fn assert_ends(&self, expected: &[(&str, Reason, &[Option<char>])]) {
        let each = |&(simultaneous, reason, winners): &(&str, Reason, &[Option<char>])| {
            let row = |&winner| (simultaneous.to_owned(), reason.word(), winner);
            winners.iter().map(row).collect::<Vec<_>>()
        };
        assert_eq!(self.ends, expected.iter().flat_map(each).collect::<BTreeSet<_>>());
    }

    fn assert_events(&self) {
        assert!(
            self.events.values().all(|&count| count >= 10),
            "too rarely seen: {:?}",
            self.events
        );
    }
}

/// Compares two positions that must be equal, by all their methods.
fn assert_same(fast: &Position, slow: &dyn Slow) {
    assert_eq!(fast.to_string(), slow.text());
    assert_eq!(ending(fast), slow.ending(), "{:?} {fast}", fast.ruleset());
    assert_eq!(texts(fast), slow.plies(), "{:?} {fast}", fast.ruleset());
    let mut board = String::new();
    fast.push_board(&mut board);
    let rows = slow.rows().iter().map(|row| row.iter().chain(&['\n']).collect::<String>());
    assert_eq!(board, rows.collect::<String>());
}

/// Both implementations at the same position: the start, or a set-up one. A position for a second
/// piece of `flipflop` is refused if none can be placed; then the position for a first piece is
/// used.
fn both(
    kind: usize,
    ruleset: Ruleset,
    set: &Set,
    generator: &mut Generator,
) -> (Position, Box<dyn Slow>) {
    let name = ruleset.game().name();
    // The engine draws random blocks: src/rules/tests/rules/options.rs compares some with another
    // program.
    let set = if set.iter().any(|(key, _)| key == "b") { &settings(&ruleset) } else { set };
    let Some(mut text) = setup::some_position(kind, &ruleset, generator) else {
        return (ruleset.start(), slow::start(name, set));
    };
    let mut slow = slow::read(name, set, &text);
    if text.ends_with(" 2") {
        let has_second = slow.plies() != ["pass"];
        assert_eq!(ruleset.read_position(&text).is_ok(), has_second, "{text}");
        if !has_second {
            text = text.replace(" 2", " 1");
            slow = slow::read(name, set, &text);
        }
    }
    (ruleset.read_position(&text).unwrap_or_else(|error| panic!("{text}: {error}")), slow)
}

/// The ply that leads to the rarest ending, if there is one, else any ply.
fn choose(position: &Position, generator: &mut Generator) -> Ply {
    let plies = position.sorted_plies();
    let is_rare = |&&ply: &&Ply| {
        let reason = position.after(ply).ending().map(|end| end.reason);
        matches!(reason, Some(Reason::Simultaneous | Reason::EqualPieces))
    };
    let any = pick(generator, &plies);
    if position.ruleset().rows() > 10 { any } else { *plies.iter().find(is_rare).unwrap_or(&any) }
}

/// The events of this ply that are counted.
fn note(seen: &mut Seen, before: &Position, ply: Ply, after: &Position) {
    let pieces = |position: &Position| -> u32 {
        Side::BOTH.into_iter().map(|side| position.piece_count(side)).sum()
    };
    let passed = ply == Ply::Pass;
    match before.ruleset().game() {
        Game::Loa => {
            seen.event("forced pass", passed);
            seen.event("capture", pieces(after) < pieces(before));
        }
        Game::FlipFlop => {
            seen.event("forced pass", passed && before.piece() == Some(1));
            seen.event("second piece declined", passed && before.piece() == Some(2));
            seen.event("second piece placed", !passed && before.piece() == Some(2));
            seen.event(
                "over after a second piece",
                before.piece() == Some(2) && after.ending().is_some(),
            );
        }
        Game::Gekitai => {
            seen.event("pushed off the board", pieces(after) <= pieces(before));
            seen.event("two pushed off the board", pieces(after) < pieces(before));
        }
        _ => {}
    }
}

/// Plays games on boards of a size, each of at most `most` plies, with each kind of set-up in turn.
fn compare(game: Game, (size, games, most): (usize, usize, usize), seen: &mut Seen) {
    let mut generator = Generator::new(&[&"second", &game.name(), &size]);
    let games = if crate::plays_all() { games } else { games.div_ceil(8).max(setup::KINDS) };
    for number in 0..games {
        let set = setup::some_options(&game, size, &mut generator);
        let ruleset = Ruleset::with_options(game.name(), &set).unwrap();
        assert_eq!(ruleset.rows(), size);
        let kind = number % setup::KINDS;
        let (mut fast, mut slow) = both(kind, ruleset, &set, &mut generator);
        seen.event("over from the start", kind != 0 && fast.ending().is_some());
        for _ in 0..most {
            assert_same(&fast, &*slow);
            if let Some((winner, reason)) = slow.ending() {
                let simultaneous = set.iter().find(|(key, _)| key == "simultaneous");
                seen.ends.insert((
                    simultaneous.map_or_else(String::new, |(_, it)| it.clone()),
                    reason,
                    winner,
                ));
                break;
            }
            let ply = choose(&fast, &mut generator);
            slow.play(&text(&fast, ply));
            let after = fast.after(ply);
            note(seen, &fast, ply, &after);
            fast = after;
        }
    }
}

#[test]
fn loa_is_the_same_by_the_slow_rules() {
    let mut seen = Seen::default();
    compare(Game::Loa, (8, 4000, 300), &mut seen);
    let won = &[Some('B'), Some('W')][..];
    seen.assert_ends(&[
        ("draw", Reason::Connected, won),
        ("draw", Reason::Suicide, won),
        ("draw", Reason::Simultaneous, &[None]),
        ("draw", Reason::Stuck, won),
        ("draw", Reason::Stalemate, &[None]),
        ("mover", Reason::Connected, won),
        ("mover", Reason::Suicide, won),
        ("mover", Reason::Simultaneous, won),
        ("mover", Reason::Stuck, won),
        ("mover", Reason::Stalemate, &[None]),
    ]);
    seen.assert_events();
}

#[test]
fn flipflop_is_the_same_by_the_slow_rules() {
    let mut seen = Seen::default();
    let (small, large) =
        ([(8, 4000), (10, 600), (12, 200), (14, 100)], [(16, 60), (18, 50), (20, 40)]);
    for (size, games) in small.into_iter().chain(large).chain([(22, 30), (24, 30)]) {
        compare(Game::FlipFlop, (size, games, 2 * size * size), &mut seen);
    }
    seen.assert_ends(&[
        ("", Reason::MostPieces, &[Some('W'), Some('B')]),
        ("", Reason::EqualPieces, &[None]),
    ]);
    seen.assert_events();
}

#[test]
fn lineup_is_the_same_by_the_slow_rules() {
    let mut seen = Seen::default();
    for size in 3..=20 {
        compare(Game::Lineup, (size, if size < 10 { 400 } else { 60 }, size * size + 1), &mut seen);
    }
    let won = &[Some('O'), Some('X')][..];
    seen.assert_ends(&[
        ("", Reason::Line, won),
        ("", Reason::FullBoard, &[None]),
        ("", Reason::Suicide, won),
        ("", Reason::Simultaneous, &[None]),
    ]);
    seen.assert_events();
}

#[test]
fn gekitai_is_the_same_by_the_slow_rules() {
    let mut seen = Seen::default();
    for size in 5..=8 {
        compare(Game::Gekitai, (size, 3000, 120), &mut seen);
    }
    let won = &[Some('X'), Some('O')][..];
    seen.assert_ends(&[
        ("draw", Reason::Line, won),
        ("draw", Reason::AllPieces, won),
        ("draw", Reason::Suicide, won),
        ("draw", Reason::Simultaneous, &[None]),
        ("mover", Reason::Line, won),
        ("mover", Reason::AllPieces, won),
        ("mover", Reason::Suicide, won),
        ("mover", Reason::Simultaneous, won),
    ]);
    seen.assert_events();
}
