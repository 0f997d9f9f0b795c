//! Calls of the functions of FlipFlop. Squares are numbers row by row; White is 1, Black 2.

use super::call::{Call, Expected, Value};
use super::calls::Calls;
use crate::config::assignment::Board;
use crate::rules::{Cell, Ply, Position, Ruleset, Side};
use crate::seed::Generator;
use std::fmt::Write;

/// The functions, in the order of the hand-out, with their prototypes.
pub(super) const FUNCTIONS: &[(&str, &str)] = &[
    ("InitializeBoard", "bool InitializeBoard(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n)"),
    ("DisplayBoard", "bool DisplayBoard(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n)"),
    (
        "PlacePiece",
        "bool PlacePiece(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n, int player, int square, int which, int& captured)",
    ),
    (
        "IsThisMoveValid",
        "bool IsThisMoveValid(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n, int player, int square, int which)",
    ),
    (
        "IsAnyMoveValid",
        "bool IsAnyMoveValid(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n, int player, int which)",
    ),
];

/// The directions as rows and columns, with their classes; those along rows and columns first.
const DIRECTIONS: [(isize, isize, &str); 8] = [
    (-1, 0, "lines upwards"),
    (1, 0, "lines downwards"),
    (0, -1, "lines to the left"),
    (0, 1, "lines to the right"),
    (-1, -1, "lines to the upper left"),
    (-1, 1, "lines to the upper right"),
    (1, -1, "lines to the lower left"),
    (1, 1, "lines to the lower right"),
];

/// The squares of a board: 0, 1 or 2, row by row.
#[derive(Clone)]
struct Squares {
    n: usize,
    pieces: Vec<u8>,
}

impl Squares {
    fn empty(n: usize) -> Squares {
        Squares { n, pieces: vec![0; n * n] }
    }

    fn of(position: &Position) -> Squares {
        let n = position.ruleset().rows();
        let piece = |index| match position.cell(index / n, index % n) {
            Cell::Piece(Side::First) => 1,
            Cell::Piece(Side::Second) => 2,
            _ => 0,
        };
        Squares { n, pieces: (0..n * n).map(piece).collect() }
    }

    fn index(&self, row: isize, column: isize) -> Option<usize> {
        let (row, column) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        (row < self.n && column < self.n).then_some(row * self.n + column)
    }

    /// Puts a piece; nothing happens off the board.
    fn put(&mut self, row: isize, column: isize, piece: u8) {
        if let Some(index) = self.index(row, column) {
            self.pieces[index] = piece;
        }
    }

    fn state(&self) -> String {
        let rows =
            self.pieces.chunks(self.n).map(|row| row.iter().map(|&piece| char::from(b'0' + piece)).collect());
        rows.collect::<Vec<String>>().join("/")
    }

    /// The position with these pieces in which a side places its first or second piece; none if nothing can be placed.
    fn position(&self, player: u8, which: u8) -> Option<Position> {
        let mut text = String::new();
        for (row, pieces) in self.pieces.chunks(self.n).enumerate() {
            text += if row == 0 { "" } else { "/" };
            for run in pieces.chunk_by(|a, b| *a == 0 && *b == 0) {
                let _ = match run {
                    [1] => write!(text, "W"),
                    [2] => write!(text, "B"),
                    run => write!(text, "{}", run.len()),
                };
            }
        }
        let side = if player == 1 { 'W' } else { 'B' };
        let ruleset = Ruleset::named("flipflop", &format!("n={}", self.n)).ok()?;
        ruleset.read_position(&format!("{text} {side} {which}")).ok()
    }

    /// The board after a piece on a square, if the rules allow it.
    fn after(&self, player: u8, square: usize, which: u8) -> Option<Squares> {
        let position = self.position(player, which)?;
        let ply = Ply::Place(position.ruleset().square(square / self.n, square % self.n));
        position.is_legal(ply).then(|| Squares::of(&position.after(ply)))
    }

    /// The squares on which a piece may be placed.
    fn valid(&self, player: u8, which: u8) -> Vec<usize> {
        let Some(position) = self.position(player, which) else { return Vec::new() };
        let square = |ply| match ply {
            Ply::Place(square) => {
                let (row, column) = position.ruleset().row_and_column(square);
                Some(row * self.n + column)
            }
            _ => None,
        };
        position.plies().filter_map(square).collect()
    }

    /// The classes of the directions in which a piece on an empty square traps a line.
    fn trapped(&self, player: u8, square: usize) -> Vec<&'static str> {
        let (row, column) = ((square / self.n) as isize, (square % self.n) as isize);
        let traps = |(dy, dx): (isize, isize)| {
            let at =
                |step: isize| self.index(row + dy * step, column + dx * step).map(|index| self.pieces[index]);
            let length = (1..).take_while(|&step| at(step) == Some(3 - player)).count() as isize;
            length > 0 && at(length + 1) == Some(player)
        };
        DIRECTIONS.iter().filter(|(dy, dx, _)| traps((*dy, *dx))).map(|(.., class)| *class).collect()
    }

    /// What `DisplayBoard` prints: fields of four columns.
    fn printed(&self) -> String {
        let mut text = String::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            let _ = match piece {
                1 => write!(text, "   W"),
                2 => write!(text, "   B"),
                _ => write!(text, "{index:4}"),
            };
            text += if index % self.n == self.n - 1 { "\n" } else { "" };
        }
        text
    }
}

/// Labels for the edges that a square touches.
fn edges(n: usize, square: usize) -> Vec<&'static str> {
    let (row, column) = (square / n, square % n);
    let edges = [
        (row == 0, "first row"),
        (row == n - 1, "last row"),
        (column == 0, "first column"),
        (column == n - 1, "last column"),
    ];
    edges.into_iter().filter(|(touches, _)| *touches).map(|(_, label)| label).collect()
}

/// The calls for a size of board, the same ones for the same seed; none if the rules have no such board.
pub(super) fn calls(board: Board, seed: u64) -> Vec<Call> {
    let n = board.n as usize;
    let Ok(ruleset) = Ruleset::named("flipflop", &format!("n={n}")) else { return Vec::new() };
    let random = Generator::new(&[&seed, &"functions of flipflop", &n]);
    let mut maker = Maker { calls: Calls::new(format!("n{n}")).without_empty_lines(), n, ruleset, random };
    let played: Vec<Squares> = (0..5).map(|index| maker.played(3 + 9 * index)).collect();
    maker.initialize_board();
    maker.display_board(&played);
    for function in ["PlacePiece", "IsThisMoveValid"] {
        maker.lines(function);
        maker.boards_from_play(function, &played);
    }
    maker.is_any_move_valid(&played);
    maker.calls.into_vec()
}

/// Makes the calls of one size.
struct Maker {
    calls: Calls,
    n: usize,
    ruleset: Ruleset,
    random: Generator,
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n.max(1) as u64) as usize
    }

    /// The board of a random game after some plies.
    fn played(&mut self, plies: usize) -> Squares {
        let mut position = self.ruleset.start();
        for _ in 0..plies {
            let all: Vec<Ply> = position.plies().collect();
            if all.is_empty() {
                break;
            }
            position = position.after(all[self.below(all.len())]);
        }
        Squares::of(&position)
    }

    fn initialize_board(&mut self) {
        let mut add = |before: String, n: i64, value: bool, after: String, labels| {
            let shown =
                format!("InitializeBoard({}, {n})", if before == "null" { "nullptr" } else { "board" });
            let expected = Expected { value: Value::Truth(value), state: after, printed: String::new() };
            self.calls.add("InitializeBoard", (before, vec![n.to_string()], shown), expected, labels);
        };
        let (n, start) = (self.n, Squares::of(&self.ruleset.start()).state());
        for (pieces, class) in [
            ((0..n * n).map(|index| (index % 3) as u8).collect(), "arrays with values"),
            (vec![2; n * n], "arrays with values"),
            (vec![0; n * n], "empty arrays"),
        ] {
            let before = Squares { n, pieces }.state();
            add(before, n as i64, true, start.clone(), vec![class, "sizes in range"]);
        }
        for n in [6, 26] {
            let class = if n == 6 { "boards that are too small" } else { "boards that are too large" };
            add("any".to_owned(), n, false, "any".to_owned(), vec![class]);
        }
        add("null".to_owned(), n as i64, false, "null".to_owned(), vec!["no array"]);
    }

    fn display_board(&mut self, played: &[Squares]) {
        let n = self.n;
        let mut full = Squares::empty(n);
        full.pieces.iter_mut().enumerate().for_each(|(index, piece)| *piece = 1 + (index % 3 / 2) as u8);
        let others = [(Squares::empty(n), "the empty board"), (full, "full boards")];
        let played = played.iter().map(|squares| (squares.clone(), "boards from play"));
        for (squares, class) in others.into_iter().chain(played) {
            let expected =
                Expected { value: Value::Nothing, state: squares.state(), printed: squares.printed() };
            let before = (squares.state(), vec![n.to_string()], format!("DisplayBoard(board, {n})"));
            let here = [(0, "empty squares"), (1, "pieces of White"), (2, "pieces of Black")];
            let here = here.into_iter().filter(|(piece, _)| squares.pieces.contains(piece));
            let labels = std::iter::once(class).chain(here.map(|(_, label)| label)).collect();
            self.calls.add("DisplayBoard", before, expected, labels);
        }
    }

    /// Adds a call of `PlacePiece` or `IsThisMoveValid` on an empty square. `legal` is what the caller thinks of it; if the rules
    /// think otherwise, nothing is added.
    fn place(
        &mut self,
        function: &'static str,
        squares: &Squares,
        (player, square, which): (u8, usize, u8),
        legal: Option<bool>,
        mut labels: Vec<&'static str>,
    ) {
        let after = squares.after(player, square, which);
        if squares.pieces[square] != 0 || legal.is_some_and(|legal| legal != after.is_some()) {
            return;
        }
        labels.push(if which == 1 { "first piece" } else { "second piece" });
        labels.push(if player == 1 { "White" } else { "Black" });
        labels.push(if after.is_some() { "valid moves" } else { "invalid moves" });
        labels.extend(edges(squares.n, square));
        let several = (squares.trapped(player, square).len() > 1).then_some("several lines");
        let lines = squares.trapped(player, square).into_iter().chain(several);
        labels.extend(lines.filter(|&class| class != labels[0]).collect::<Vec<_>>());
        let arguments = [squares.n, player.into(), square, which.into()].map(|number| number.to_string());
        let last = if function == "PlacePiece" { ", captured" } else { "" };
        let shown = format!("{function}(board, {}{last})", arguments.join(", "));
        let expected = match &after {
            _ if function != "PlacePiece" => Expected {
                value: Value::Truth(after.is_some()),
                state: squares.state(),
                printed: String::new(),
            },
            None => Expected {
                value: Value::Truth(false),
                state: squares.state(),
                printed: "Illegal move\n".to_owned(),
            },
            Some(after) => {
                let changed =
                    std::iter::zip(&squares.pieces, &after.pieces).filter(|(old, new)| old != new).count();
                let (side, piece) = (
                    if player == 1 { "White" } else { "Black" },
                    if which == 1 { "first" } else { "second" },
                );
                let printed = format!("{side} has placed the {piece} piece\n");
                Expected { value: Value::Captures(changed as i64 - 1), state: after.state(), printed }
            }
        };
        self.calls.add(function, (squares.state(), arguments.to_vec(), shown), expected, labels);
    }

    /// Boards that are made for one line or a few.
    fn lines(&mut self, function: &'static str) {
        let n = self.n;
        for (index, player) in [1, 2].into_iter().enumerate() {
            let (other, last) = (3 - player, n as isize - 1);
            for (turn, (dy, dx, class)) in DIRECTIONS.into_iter().enumerate() {
                let straight = dy == 0 || dx == 0;
                let which = if straight { 1 } else { 2 };
                // From the middle, and from the far edge to the near one.
                let start = |step: isize| match step {
                    -1 => last,
                    0 => (turn as isize * 2 + 1) % (last + 1),
                    _ => 0,
                };
                let far = (last - 1) as usize;
                for (y, x, length) in
                    [(4, 4, 1), (4, 3, 2), (start(dy), start(dx), 3), (start(dy), start(dx), far)]
                {
                    let square = y as usize * n + x as usize;
                    let mut line = Squares::empty(n);
                    for step in 1..=length as isize {
                        line.put(y + dy * step, x + dx * step, other);
                    }
                    let end = length as isize + 1;
                    let mut open = line.clone();
                    line.put(y + dy * end, x + dx * end, player);
                    self.place(function, &line, (player, square, which), Some(true), vec![class]);
                    if length > 3 && n == 24 {
                        continue;
                    }
                    let wrong = if straight {
                        "a second piece with straight lines only"
                    } else {
                        "a first piece with diagonals only"
                    };
                    self.place(function, &line, (player, square, 3 - which), Some(false), vec![wrong]);
                    self.place(
                        function,
                        &open,
                        (player, square, which),
                        Some(false),
                        vec!["lines without an own piece at their end"],
                    );
                    if length > 1 {
                        line.put(y + dy, x + dx, 0);
                        self.place(
                            function,
                            &line,
                            (player, square, which),
                            Some(false),
                            vec!["lines with a gap"],
                        );
                    }
                    // The opponent's pieces up to the edge of the board.
                    for step in 1..=last {
                        open.put(y + dy * step, x + dx * step, other);
                    }
                    self.place(
                        function,
                        &open,
                        (player, square, which),
                        Some(false),
                        vec!["lines to the edge"],
                    );
                    let mut own = Squares::empty(n);
                    own.put(y + dy, x + dx, player);
                    own.put(y + 2 * dy, x + 2 * dx, other);
                    self.place(
                        function,
                        &own,
                        (player, square, which),
                        Some(false),
                        vec!["an own piece beside the square"],
                    );
                }
            }
            // Several lines around one square: each pair of directions, and all eight with one left out.
            let square = 4 * n + 4;
            for turn in 0..8 {
                for (which, left_out) in [(1, 8), (2, 8), (1, turn), (2, turn)] {
                    let mut squares = Squares::empty(n);
                    for (at, (dy, dx, _)) in DIRECTIONS.into_iter().enumerate() {
                        let length = if (at + turn + index) % 2 == 0 { 1 } else { 2 };
                        let pair = left_out == 8 && at != turn && at != (turn + 3) % 8;
                        if pair || at == left_out {
                            continue;
                        }
                        for step in 1..=length {
                            squares.put(4 + dy * step, 4 + dx * step, other);
                        }
                        squares.put(4 + dy * (length + 1), 4 + dx * (length + 1), player);
                    }
                    self.place(
                        function,
                        &squares,
                        (player, square, which),
                        Some(true),
                        vec!["several lines"],
                    );
                }
            }
        }
    }

    fn boards_from_play(&mut self, function: &'static str, played: &[Squares]) {
        for squares in played {
            for turn in 0..12 {
                let square = self.below(squares.pieces.len());
                let (player, which) = (1 + turn % 2, 1 + turn / 2 % 2);
                self.place(function, squares, (player, square, which), None, vec!["boards from play"]);
            }
            for (player, which) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
                let valid = squares.valid(player, which);
                if !valid.is_empty() {
                    let square = valid[self.below(valid.len())];
                    self.place(
                        function,
                        squares,
                        (player, square, which),
                        Some(true),
                        vec!["boards from play"],
                    );
                }
            }
        }
    }

    fn ask_any(
        &mut self,
        squares: &Squares,
        (player, which): (u8, u8),
        expected: Option<bool>,
        mut labels: Vec<&'static str>,
    ) {
        let any = !squares.valid(player, which).is_empty();
        if expected.is_some_and(|expected| expected != any) {
            return;
        }
        labels.push(if which == 1 { "first piece" } else { "second piece" });
        labels.push(if player == 1 { "White" } else { "Black" });
        labels.push(if any { "a valid move" } else { "no valid move" });
        let arguments = [squares.n, player.into(), which.into()].map(|number| number.to_string());
        let shown = format!("IsAnyMoveValid(board, {})", arguments.join(", "));
        let expected = Expected { value: Value::Truth(any), state: squares.state(), printed: String::new() };
        self.calls.add("IsAnyMoveValid", (squares.state(), arguments.to_vec(), shown), expected, labels);
    }

    fn is_any_move_valid(&mut self, played: &[Squares]) {
        let n = self.n;
        for player in [1, 2] {
            let (other, last) = (3 - player, n as isize - 1);
            for (turn, (dy, dx, class)) in DIRECTIONS.into_iter().enumerate() {
                let which = if dy == 0 || dx == 0 { 1 } else { 2 };
                let side = |step: isize| match step {
                    -1 => last,
                    0 => turn as isize,
                    _ => 0,
                };
                for (y, x, length) in [(4, 4, 1), (3, 5, 2), (side(dy), side(dx), 2)] {
                    // A piece of the player at one end only, so that the line has one square that traps it.
                    let mut squares = Squares::empty(n);
                    for step in 1..=length {
                        squares.put(y + dy * step, x + dx * step, other);
                    }
                    squares.put(y + dy * (length + 1), x + dx * (length + 1), player);
                    let mut labels = vec![class];
                    labels.extend(edges(n, y as usize * n + x as usize));
                    self.ask_any(&squares, (player, which), Some(true), labels);
                    let wrong = if which == 1 {
                        "straight lines for a second piece"
                    } else {
                        "diagonals for a first piece"
                    };
                    self.ask_any(&squares, (player, 3 - which), Some(false), vec![wrong]);
                    squares.put(y, x, player);
                    self.ask_any(&squares, (player, which), Some(false), vec!["lines between own pieces"]);
                }
            }
            let mut alone = Squares::empty(n);
            for index in 0..6 {
                alone.put(2, 1 + index, player);
                self.ask_any(
                    &alone,
                    (player, 1 + (index % 2) as u8),
                    Some(false),
                    vec!["pieces of one side"],
                );
                self.ask_any(&alone, (other, 1 + (index % 2) as u8), Some(false), vec!["pieces of one side"]);
            }
        }
        for squares in played {
            for (player, which) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
                self.ask_any(squares, (player, which), None, vec!["boards from play"]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::super::call::{Answer, Fate, judge};
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn an_array_that_is_not_there_is_not_shown_as_a_board() {
        let calls = calls(Board { n: 8, p: None, l: None }, 1);
        let call = calls.iter().find(|call| call.state == "null").unwrap();
        let fate = Fate::Returned { value: "1".to_owned(), state: "null".to_owned(), outside: false };
        let answer = Answer { fate, read: false, printed: Vec::new(), errors: Vec::new() };
        let found = judge(call, &answer).unwrap();
        assert_eq!(found.sentence, "`InitializeBoard(nullptr, 8)` returns true; right is false");
        assert_eq!(found.shown, "InitializeBoard(nullptr, 8)\n");
    }

    #[test]
    fn every_class_has_two_calls() {
        let mut classes = BTreeMap::new();
        for n in [8, 10, 24] {
            for call in calls(Board { n, p: None, l: None }, 1) {
                *classes.entry((call.function, call.class)).or_insert(0) += 1;
            }
        }
        assert!(classes.len() >= 40, "{classes:?}");
        assert!(classes.values().all(|&count| count >= 2), "{classes:?}");
    }
}
