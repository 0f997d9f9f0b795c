//! The screens, drawn on a grid: snapshots of them, and random input.

#![cfg(test)]

use super::*;
use crate::view::Colour;
use crate::view::grid::{Grid, Rect};
use arbiter_game::record::ReadableGame;
use arbiter_game::replay::Timeline;
use arbiter_game::{Channel, Settings};
use arbiter_rules::Side;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use games::tests::listed;
use std::path::PathBuf;
use std::time::Duration;

/// A screen with a log behind it, as the program is but for terminal and files.
struct Desk {
    log: Vec<u8>,
    model: ReplayModel,
    now: Duration,
    effects: Vec<ReplayEffect>,
}

impl Desk {
    fn new(log: &[u8], size: (u16, u16)) -> Desk {
        let model = ReplayModel::new("games.pgn".to_owned(), size);
        let mut desk = Desk { log: log.to_vec(), model, now: Duration::ZERO, effects: Vec::new() };
        desk.input(ReplayInput::Listed(ListPart::Games(listed(log), Some(0))));
        desk.input(ReplayInput::Listed(ListPart::End(None)));
        desk
    }

    /// A log of the project, and one of its games, from 1.
    fn of_file(name: &str, game: usize, size: (u16, u16)) -> Desk {
        let log = std::fs::read(project(&format!("tests/vectors/games/{name}.pgn"))).unwrap();
        let mut desk = Desk::new(&log, size);
        (1..game).for_each(|_| desk.keys("n"));
        desk
    }

    fn input(&mut self, input: ReplayInput) {
        if let Some(effect) = self.model.update(input, self.now) {
            match effect {
                ReplayEffect::Open(index) => {
                    let place = self.model.place(index).unwrap();
                    let opened = self.read(place);
                    self.input(ReplayInput::Opened(Box::new(opened)));
                }
                effect => self.effects.push(effect),
            }
        }
    }

    fn read(&self, place: arbiter_game::record::GamePlace) -> OpenedGame {
        let bytes = place.bytes();
        let bytes = &self.log[bytes.start as usize..bytes.end as usize];
        let ReadableGame { record, error } = place.read(bytes);
        let troubles = error.iter().map(ToString::to_string).collect();
        let line = |side, ply, channel, text: &str| WrittenLine {
            side,
            ply,
            channel,
            text: text.to_owned(),
        };
        let written = vec![
            line(Side::First, 0, Channel::Stderr, "ready in 12 ms"),
            line(Side::Second, 4, Channel::Stderr, "\u{1b}[2J nodes 1200"),
            line(Side::Second, 4, Channel::Unrecognised, "i think"),
        ];
        let time = Settings::default().time;
        let proved = record.as_ref().and_then(|record| ProvedLoss::of(record, &time));
        let timeline = record.map(|record| Timeline::new(record, &time));
        let timeline = timeline.map(|game| if error.is_some() { game.of_part() } else { game });
        OpenedGame { index: place.number() - 1, timeline, troubles, written, proved }
    }

    /// Presses keys: `<` and `>` are left and right, `^` and `_` up and down, `$` is end, newline
    /// enter.
    fn keys(&mut self, keys: &str) {
        for key in keys.chars() {
            let code = match key {
                '<' => KeyCode::Left,
                '>' => KeyCode::Right,
                '^' => KeyCode::Up,
                '_' => KeyCode::Down,
                '$' => KeyCode::End,
                '\n' => KeyCode::Enter,
                '\u{1b}' => KeyCode::Esc,
                key => KeyCode::Char(key),
            };
            self.now += Duration::from_secs(1);
            self.input(ReplayInput::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        }
    }

    fn screen(&self) -> Grid {
        self.screen_of(self.model.size)
    }

    fn screen_of(&self, (width, height): (u16, u16)) -> Grid {
        let mut grid = Grid::new(Rect::new(0, 0, width, height));
        self.model.draw(&mut grid);
        grid
    }

    /// The lines of the screen, without blanks at their ends.
    fn text(&self) -> String {
        self.screen().trimmed_lines().join("\n") + "\n"
    }

    /// Compares the screen with the file of that name; `ARBITER_BLESS=1` writes it.
    fn is_snapshot(&self, name: &str) {
        let path = project(&format!("src/show/view/replay/snapshots/{name}.txt"));
        let text = self.text();
        if std::env::var_os("ARBITER_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(text == expected, "{}:\n{expected}\nbut the screen is\n{text}", path.display());
    }
}

fn project(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A game with clocks, scores and a forfeit.
const FORFEIT: &[u8] = br#"
[Event "cup"]
[White "conny"]
[Black "randy"]
[Result "1-0"]
[Game "loa"]
[TimeControl "10+0.1"]
[GameId "conny~randy.1"]
[Outcome "forfeit"]
[Termination "illegal-move"]
[Detail "randy: expected one of 33 legal moves such as \"move a1b2\"; came \"move a9a9\": row '9' is not on the board"]

1. a3c5 {0.512s depth 5 score 0.25 nodes 1200} e7g5 {0.204s depth 3 score -0.5}
2. c5b6 {1.5s depth 6 score 1.75} c7c5 {0.1s depth 4 score -2} {0.75s move a9a9} 1-0

[White "cut"]
[Black "short"]
[Result "*"]
[Game "gekitai"]

1. c3 d4 2. e
"#;

#[test]
fn screens_are_as_they_were_looked_at() {
    for (width, height) in [(60, 20), (80, 24), (120, 40)] {
        let mut desk = Desk::of_file("loa", 1, (width, height));
        desk.keys("g12\n");
        desk.is_snapshot(&format!("loa-{width}x{height}"));
    }
    for (game, number, ply) in
        [("flipflop", 1, 9), ("lineup", 1, 7), ("gekitai", 1, 8), ("lineup-options", 2, 20)]
    {
        let mut desk = Desk::of_file(game, number, (80, 24));
        desk.keys(&format!("g{ply}\n"));
        desk.is_snapshot(&format!("{game}-80x24"));
    }
}

#[test]
fn a_forfeit_is_explained_with_the_words_of_both_bots() {
    let mut desk = Desk::new(FORFEIT, (80, 24));
    desk.is_snapshot("start-80x24");
    desk.keys("$");
    desk.is_snapshot("forfeit-80x24");
    desk.keys("n$");
    let text = desk.text();
    assert!(text.contains("\nline 21: game 2: the moves end without a result"), "{text}");
    assert!(text.starts_with("2/2  cut (X) against short (O)"), "{text}");
    assert!(text.contains("ply 2 of 2"), "the plies before the error: {text}");
}

#[test]
fn the_pages_of_games_and_keys() {
    let mut desk = Desk::of_file("gekitai", 1, (80, 24));
    desk.keys("/");
    desk.is_snapshot("games-80x24");
    desk.keys("line >10");
    desk.is_snapshot("games-filtered-80x24");
    desk.keys("\u{1b}?");
    desk.is_snapshot("keys-80x24");
    desk.input(ReplayInput::Resize(60, 20));
    desk.is_snapshot("keys-60x20");
    desk.input(ReplayInput::Resize(59, 20));
    assert!(
        desk.text().starts_with("at least 60 columns and 20 lines are needed; q quits"),
        "{}",
        desk.text()
    );
}

#[test]
fn legal_plies_are_shown_for_the_square_under_the_cursor() {
    let mut desk = Desk::of_file("loa", 1, (80, 24));
    desk.keys("m____>");
    desk.keys("<^^");
    desk.is_snapshot("legal-80x24");
    desk.keys("m");
    assert!(!desk.text().contains("legal here"));
}

#[test]
fn a_large_board_scrolls() {
    let log = b"[White \"a\"] [Black \"b\"] [Result \"*\"] [Game \"flipflop\"] [Options \"n=24\"]
        [Outcome \"aborted\"] [Termination \"aborted\"] 1. 277 *";
    let mut desk = Desk::new(log, (60, 20));
    desk.keys(">");
    desk.is_snapshot("large-60x20");
    desk.input(ReplayInput::Resize(120, 40));
    let text = desk.text();
    assert!(text.contains("\n552 ") && !text.contains("→\n"), "the whole board: {text}");
}

/// The ply that is shown after these keys.
fn at(desk: &mut Desk, keys: &str) -> usize {
    desk.keys(keys);
    desk.model.at
}

#[test]
fn keys_step_and_copy_and_write() {
    let mut desk = Desk::new(FORFEIT, (80, 24));
    assert_eq!(at(&mut desk, ">>>"), 3);
    assert_eq!(at(&mut desk, "^"), 1, "the ply before of the same bot");
    assert_eq!(at(&mut desk, "_"), 3);
    assert_eq!(at(&mut desk, "$<"), 3);
    assert_eq!(at(&mut desk, "g99\n"), 4);
    assert_eq!(at(&mut desk, "g2\u{1b}"), 4);
    assert_eq!(at(&mut desk, "g2\n"), 2);
    desk.keys("yen");
    assert_eq!(desk.effects.len(), 1, "a picture is written after a question");
    desk.keys("eyq");
    let text = desk.model.timeline().unwrap().moment(2).position.to_string();
    assert_eq!(
        desk.effects,
        [ReplayEffect::Copy(text), ReplayEffect::WritePicture(2), ReplayEffect::Quit]
    );
    desk.input(ReplayInput::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
    assert_eq!(desk.effects.last(), Some(&ReplayEffect::Interrupt));
}

#[test]
fn a_key_that_is_held_goes_faster() {
    let mut desk = Desk::of_file("loa", 1, (80, 24));
    let right = || ReplayInput::Key(KeyEvent::new(KeyCode::Right, KeyModifiers::NONE));
    for _ in 0..20 {
        desk.now += Duration::from_millis(30);
        desk.input(right());
    }
    assert!(desk.model.at > 20, "{}", desk.model.at);
    let at = desk.model.at;
    desk.now += Duration::from_secs(1);
    desk.input(right());
    assert_eq!(desk.model.at, at + 1);
}

#[test]
fn a_game_is_played_at_the_chosen_pace_and_in_real_time() {
    let mut desk = Desk::new(FORFEIT, (80, 24));
    desk.keys(" ");
    let began = desk.now;
    assert_eq!(desk.model.wake(), Some(began + Duration::from_secs(1)));
    desk.now = began + Duration::from_millis(1999);
    desk.input(ReplayInput::Wake);
    assert_eq!(desk.model.at, 1);
    desk.keys(" ");
    assert_eq!(desk.model.wake(), None, "it stops");
    desk.keys("r ");
    assert_eq!(desk.model.wake(), Some(desk.now + Duration::from_millis(204)), "what ply 2 took");
    desk.now += Duration::from_hours(1);
    desk.input(ReplayInput::Wake);
    assert_eq!((desk.model.at, desk.model.wake()), (4, None), "it stops at the end");
    desk.keys(" ");
    assert_eq!(desk.model.at, 0, "and begins anew");
}

/// Clicks so far to the right of and below the corner of an area.
fn click(desk: &mut Desk, area: Rect, right: u16, down: u16) {
    desk.input(ReplayInput::Mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: area.x + right,
        row: area.y + down,
        modifiers: KeyModifiers::NONE,
    }));
}

#[test]
fn clicks_find_squares_plies_and_games() {
    let mut desk = Desk::of_file("gekitai", 1, (80, 24));
    let areas = desk.model.areas(Rect::new(0, 0, 80, 24));
    click(&mut desk, areas.plies, 3, 4);
    assert_eq!(desk.model.at, 5);
    click(&mut desk, areas.graphs, 9, 1);
    assert_eq!(desk.model.at, 1);
    click(&mut desk, areas.board, 2 + 3 * 4, 3);
    assert_eq!(desk.model.cursor, (2, 4));
    assert!(desk.text().contains("legal here: e3") || desk.text().contains("legal here: none"));
    desk.keys("\u{1b}/");
    click(&mut desk, Rect::new(0, 0, 80, 24), 5, 3 + 2);
    assert_eq!(desk.model.shown().unwrap().0, 2);
}

#[test]
fn a_game_that_is_not_there_ends_the_screen() {
    let mut model = ReplayModel::new("games.pgn".to_owned(), (80, 24));
    assert_eq!(
        model.update(ReplayInput::Listed(ListPart::Games(listed(FORFEIT), None)), Duration::ZERO),
        None
    );
    let effect = model.update(ReplayInput::Listed(ListPart::End(None)), Duration::ZERO);
    assert_eq!(effect, Some(ReplayEffect::NotFound));
}

/// Numbers that look random and are the same in every run (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        for (left, by) in [(true, 13), (false, 7), (true, 17)] {
            self.0 ^= if left { self.0 << by } else { self.0 >> by };
        }
        self.0 % end
    }
}

/// What comes at random: keys, the mouse, other sizes, time.
fn random_input(dice: &mut Dice) -> ReplayInput {
    let mut below = |end: u64| dice.below(end);
    const CODES: [KeyCode; 13] = [
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Backspace,
        KeyCode::Tab,
        KeyCode::F(1),
    ];
    match below(20) {
        0 => ReplayInput::Resize(below(140) as u16, below(50) as u16),
        1 => ReplayInput::Wake,
        2 | 3 => {
            let kinds = [
                MouseEventKind::Down(MouseButton::Left),
                MouseEventKind::ScrollUp,
                MouseEventKind::ScrollDown,
            ];
            let kind = kinds[below(3) as usize];
            let (column, row) = (below(140) as u16, below(50) as u16);
            ReplayInput::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
        }
        4..12 => ReplayInput::Key(KeyEvent::new(CODES[below(13) as usize], KeyModifiers::NONE)),
        _ => {
            let key = char::from(b' ' + below(95) as u8);
            ReplayInput::Key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE))
        }
    }
}

#[test]
fn the_proof_of_where_a_game_was_lost_is_stepped_through() {
    let mut desk = Desk::of_file("gekitai", 2, (80, 24));
    desk.keys("$");
    assert!(desk.text().contains("what is proved begins at ply 17: t shows it"), "{}", desk.text());
    desk.keys("t");
    assert!(desk.text().contains("proved of ply 17: a3 loses by force in 4; "), "{}", desk.text());
    desk.keys(">>>>");
    desk.is_snapshot("proof-80x24");
    desk.keys("t");
    assert!(desk.text().contains("ply 16 of 19 "), "{}", desk.text());
    let mut drawn = Desk::of_file("ends", 3, (80, 24));
    drawn.keys("t");
    assert!(
        drawn.text().contains("nothing is proved of where this game was lost"),
        "{}",
        drawn.text()
    );
}

#[test]
fn random_input_never_panics() {
    let mut dice = Dice(1);
    // All of them are tried by `.ci/slow`, which sets ARBITER_ALL.
    let steps = if std::env::var_os("ARBITER_ALL").is_some() { 3000 } else { 400 };
    for name in ["loa", "flipflop-options", "lineup-options", "gekitai", "ends", "bad/01", "bad/02"]
    {
        let mut desk = Desk::of_file(name, 1, (80, 24));
        for step in 0..steps {
            desk.now += Duration::from_millis(dice.below(300));
            desk.input(random_input(&mut dice));
            assert!(desk.model.at <= desk.model.plies(), "{name}, step {step}");
            match step % 4 {
                0 => drop(desk.screen().to_ansi(Colour::Yes)),
                // The terminal has another size already, of which the model hears next.
                1 => drop(desk.screen_of((dice.below(140) as u16, dice.below(50) as u16))),
                _ => {}
            }
        }
    }
}
