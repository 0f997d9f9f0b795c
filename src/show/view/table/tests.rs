//! The screen of a person, by its keys.

use super::*;
use crate::view::look::LEAST;
use arbiter_game::{Outcome, Played};
use arbiter_rules::own::sample::{self, Row};
use arbiter_rules::{BySide, Position, Ruleset, Side};
use std::time::Duration;

fn show(table: &mut TableModel, event: Event, now: Instant) {
    table.show(&event, now);
}

fn table(game: &str) -> (TableModel, Instant) {
    table_at(Ruleset::named(game, "").unwrap().start())
}

fn table_at(start: Position) -> (TableModel, Instant) {
    let now = Instant::now();
    let mut table = TableModel::new(2);
    let players = BySide { first: "human".to_owned(), second: "conny".to_owned() };
    show(&mut table, Event::Began { number: 1, players, start }, now);
    show(
        &mut table,
        Event::Asked { side: Side::First, number: 1, budget: Some(Duration::from_secs(61)) },
        now,
    );
    table.ask(PersonTurn { side: Side::First, number: 1, deadline: None, refused: None });
    (table, now)
}

fn press(table: &mut TableModel, keys: &str) -> Option<TableEffect> {
    let key = |letter| match letter {
        '\n' => KeyCode::Enter,
        '\t' => KeyCode::Tab,
        '<' => KeyCode::Left,
        '>' => KeyCode::Right,
        '^' => KeyCode::Up,
        'v' => KeyCode::Down,
        letter => KeyCode::Char(letter),
    };
    let mut effects =
        keys.chars().filter_map(|letter| table.key(KeyEvent::new(key(letter), KeyModifiers::NONE)));
    effects.next()
}

fn screen(table: &TableModel, now: Instant, width: u16, height: u16) -> String {
    let mut grid = Grid::new(Rect::new(0, 0, width, height));
    table.draw(now, &mut grid);
    grid.trimmed_lines().join("\n") + "\n"
}

#[test]
fn the_hints_fit() {
    assert!(HINTS.len() <= usize::from(LEAST.0), "{}", HINTS.len());
}

#[test]
fn a_ply_is_typed_completed_or_chosen_with_the_cursor() {
    let ply = Ruleset::named("loa", "").unwrap().read_ply("a1a7").unwrap();
    for keys in ["a1a7\n", "a1a\t\n", "<<<<<^^^ vvvvvv "] {
        let (mut loa, _) = table("loa");
        assert_eq!(press(&mut loa, keys), Some(TableEffect::Answer(Reply::Ply(ply))), "{keys}");
    }
    let (mut loa, _) = table("loa");
    assert_eq!(press(&mut loa, "a2c\t"), None);
    assert_eq!((&*loa.typed, &*loa.message), ("a2c", "a2c0 a2c2 a2c4"));
    let (mut gekitai, _) = table("gekitai");
    let place = Ruleset::named("gekitai", "").unwrap().square(3, 3);
    assert_eq!(press(&mut gekitai, " "), Some(TableEffect::Answer(Reply::Ply(Ply::Place(place)))));
    assert_eq!(press(&mut gekitai, "resign\n"), Some(TableEffect::Answer(Reply::Resign)));
}

#[test]
fn the_choices_are_listed_on_demand_and_those_without_room_counted() {
    let (mut loa, now) = table("loa");
    assert!(!screen(&loa, now, 60, 20).contains("a1a7"));
    press(&mut loa, "?");
    let shown = screen(&loa, now, 60, 20);
    assert!(shown.contains("\nresign a1a7 a1c1 ") && shown.contains(" h6h0\n"), "{shown}");
    let (mut large, begin) = table("flipflop");
    press(&mut large, "?");
    assert!(screen(&large, begin, 60, 20).contains("\nresign 20 29 34 43\n"));
    let cut = loa.choices(Rect::new(0, 0, 60, 3));
    assert!(cut.ends_with("and 21 more; tab completes what is typed"), "{cut}");
}

#[test]
fn a_click_chooses_a_square() {
    let (mut loa, now) = table("loa");
    let screen = Rect::new(0, 0, 80, 24);
    let mut grid = Grid::new(screen);
    loa.draw(now, &mut grid);
    // The board begins in line 1 with the names of its columns; a square is three columns wide.
    let mut click = |column: u16, row: u16| loa.click(screen, 2 + 3 * column + 1, 2 + row);
    assert_eq!((click(0, 1), click(0, 7)), {
        let ply = Ruleset::named("loa", "").unwrap().read_ply("a1a7").unwrap();
        (None, Some(TableEffect::Answer(Reply::Ply(ply))))
    });
    assert_eq!(loa.click(screen, 79, 23), None);
}

#[test]
fn an_illegal_ply_is_explained_and_not_played() {
    let (mut loa, now) = table("loa");
    assert_eq!(press(&mut loa, "a9\n"), None);
    assert!(
        loa.message.starts_with("expected one of 36 legal moves such as \"a1a7"),
        "{}",
        loa.message
    );
    assert!(loa.message.contains("came \"a9\": "), "{}", loa.message);
    assert!(screen(&loa, now, 80, 24).contains("expected one of 36 legal moves"));
    loa.take_turn();
    assert_eq!(press(&mut loa, "\n"), None);
    assert_eq!(loa.message, "it is not your turn");
}

#[test]
fn the_screen_shows_board_clocks_and_the_end() {
    let (mut table, now) = table("loa");
    let later = now + Duration::from_millis(1_200);
    let shown = screen(&table, later, 60, 20);
    assert!(
        shown.contains("> B human  0:59.8") && shown.contains("you are B, to move: _"),
        "{shown}"
    );
    let ply = Ruleset::named("loa", "").unwrap().read_ply("a1a7").unwrap();
    show(
        &mut table,
        Event::Played { side: Side::First, number: 1, played: Played { ply, note: None } },
        later,
    );
    let line = Event::Line {
        player: "conny".into(),
        channel: Channel::Stderr,
        line: b"depth \x1b[2J".to_vec(),
        correction: None,
    };
    show(&mut table, line, later);
    let moved = screen(&table, later, 80, 24);
    assert!(moved.contains("1. B a1a7") && moved.contains("[B]"), "{moved}");
    assert!(moved.contains("conny│ depth \\x1b[2J") && !moved.contains('\u{1b}'), "{moved}");
    let outcome = Outcome::Resigned(Side::Second);
    show(&mut table, Event::Ended { outcome, detail: None, reply: None }, later);
    let ended = screen(&table, later, 120, 40);
    assert!(ended.contains("human wins by resign   enter: the next game"), "{ended}");
    assert_eq!(press(&mut table, "\n"), Some(TableEffect::GoOn));
    assert!(screen(&table, later, 59, 20).contains("at least 60 columns"));
}

/// Words without squares, one that has a square, and plies of squares.
const ROWS: &[Row] = &[(
    "X2/1O1 X",
    &[
        ("1", "3/3 O"),
        ("drop", "3/1O1 O"),
        ("swap", "O2/1O1 O"),
        ("b1", "XX1/1O1 O"),
        ("a1b2", "3/1X1 O"),
    ],
)];

#[test]
fn words_are_chosen_from_a_list_typed_clicked_or_by_their_squares() {
    let start = sample::game("mixed", "XO 2x3", ROWS).start();
    let answer =
        |text| Some(TableEffect::Answer(Reply::Ply(start.ruleset().read_ply(text).unwrap())));
    for (keys, ply) in [
        ("\t\n", "1"),
        ("\t\t\n", "drop"),
        ("\t\t\t\t\n", "1"),
        ("dr\t\n", "drop"),
        ("swap\n", "swap"),
        ("^< v> ", "a1b2"),
        ("^ ", "b1"),
        ("a1 b2\n", "a1b2"),
    ] {
        let (mut table, _) = table_at(start.clone());
        assert_eq!(press(&mut table, keys), answer(ply), "{keys:?}");
    }
    let (mut table, now) = table_at(start.clone());
    let shown = screen(&table, now, 60, 20);
    assert!(shown.contains("\n1  drop  swap\n"), "{shown}");
    let row = shown.lines().position(|line| line == "1  drop  swap").unwrap() as u16;
    let size = Rect::new(0, 0, 60, 20);
    assert_eq!(table.click(size, 1, row), None, "between two words");
    assert_eq!(table.click(size, 3, row), answer("drop"));
    let (mut chosen, begin) = table_at(start.clone());
    assert_eq!(press(&mut chosen, "^< "), None, "a1 is a word and the beginning of a ply");
    assert!(screen(&chosen, begin, 60, 20).contains("you are X, to move: a1_"));
    assert_eq!(press(&mut chosen, " "), answer("swap"), "the same square again");
    let (mut mistyped, _) = table_at(start.clone());
    assert_eq!(press(&mut mistyped, "v<<^x\n"), None);
    let why = "expected one of 5 legal moves such as \"1\"; came \"x\": x is not in the table";
    assert_eq!(mistyped.message, why);
}

#[test]
fn boards_of_any_size_have_a_screen() {
    for (rows, columns) in [(6, 7), (3, 12), (19, 19), (32, 32), (1, 32), (32, 1)] {
        let layout = format!("XO {rows}x{columns}");
        let empty: &'static str =
            Box::leak(format!("{} X", vec![columns.to_string(); rows].join("/")).into());
        let moves: &'static [Row] = Box::leak(vec![(empty, &[("a1", "?")][..])].into());
        let (mut table, now) =
            table_at(sample::game(&format!("size{columns}"), &layout, moves).start());
        for (width, height) in [(60, 20), (80, 24), (120, 40)] {
            let shown = screen(&table, now, width, height);
            assert!(shown.contains("you are X, to move: _"), "{shown}");
            assert!(shown.contains("|.|"), "the cursor is seen: {shown}");
        }
        // Wherever the cursor is, its square is on the screen.
        for _ in 0..40 {
            press(&mut table, "^<");
        }
        assert!(screen(&table, now, 60, 20).contains("|.|"));
    }
}
