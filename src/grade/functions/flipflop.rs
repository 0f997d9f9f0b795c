//! Calls of the functions of FlipFlop. Squares are numbers row by row; White is 1, Black 2.

use super::call::{Call, Expected, Value};
use super::calls::Calls;
use super::squares::{Square, Squares, after_random, along, below};
use arbiter_config::assignment::Board;
use arbiter_rules::seed::Generator;
use arbiter_rules::{Ply, Position, Ruleset, SquareChange};

/// The functions, in the order of the hand-out, with their prototypes.
pub(super) const FUNCTIONS: &[(&str, &str)] = &[
    ("InitializeBoard", "bool InitializeBoard(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n)"),
    ("DisplayBoard", "bool DisplayBoard(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n)"),
    (
        "PlacePiece",
        "bool PlacePiece(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n, int player, \
         int square, int which, int& captured)",
    ),
    (
        "IsThisMoveValid",
        "bool IsThisMoveValid(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n, int player, \
         int square, int which)",
    ),
    (
        "IsAnyMoveValid",
        "bool IsAnyMoveValid(int board[MAX_ARRAY_SIZE][MAX_ARRAY_SIZE], int n, int player, \
         int which)",
    ),
];

/// The directions as rows and columns, with their classes; those along rows and columns first.
const DIRECTIONS: [(Square, &str); 8] = [
    ((-1, 0), "lines upwards"),
    ((1, 0), "lines downwards"),
    ((0, -1), "lines to the left"),
    ((0, 1), "lines to the right"),
    ((-1, -1), "lines to the upper left"),
    ((-1, 1), "lines to the upper right"),
    ((1, -1), "lines to the lower left"),
    ((1, 1), "lines to the lower right"),
];

/// The piece of a turn, 1 or 2, that needs a line in this direction.
fn piece_for((down, right): Square) -> u8 {
    if down == 0 || right == 0 { 1 } else { 2 }
}

/// The classes of pieces that capture lines of the other kind as well.
const MIXED_FIRST: &str = "diagonals captured by a first piece";
const MIXED_SECOND: &str = "straight lines captured by a second piece";

/// The label of the first or second piece of a turn.
fn kind(which: u8) -> &'static str {
    if which == 1 { "first piece" } else { "second piece" }
}

fn side(player: u8) -> &'static str {
    if player == 1 { "White" } else { "Black" }
}

/// What stands on a square, by the number that the functions have for it.
const LETTERS: [char; 3] = ['.', 'W', 'B'];

/// The pieces of a player and of the opponent.
fn pieces(player: u8) -> [char; 2] {
    [player, 3 - player].map(|player| LETTERS[usize::from(player)])
}

impl Squares {
    /// The board as the test main reads and writes it.
    fn numbers(&self) -> String {
        self.rows().replace('.', "0").replace('W', "1").replace('B', "2")
    }

    /// The position in which a side places its first or second piece; none if nothing can be
    /// placed.
    fn turn(&self, player: u8, which: u8) -> Option<Position> {
        let ruleset = Ruleset::named("flipflop", &format!("n={}", self.n)).ok()?;
        self.position(&ruleset, &format!("{} {which}", pieces(player)[0]))
    }

    /// The position in which a piece may be placed on a square, and the ply that does it; `None` if
    /// the rules forbid it.
    fn placing(&self, player: u8, square: usize, which: u8) -> Option<(Position, Ply)> {
        let position = self.turn(player, which)?;
        let ply = Ply::Place(position.ruleset().square(square / self.n, square % self.n));
        position.is_legal(ply).then_some((position, ply))
    }

    /// The squares on which a piece may be placed.
    fn valid(&self, player: u8, which: u8) -> Vec<usize> {
        let Some(position) = self.turn(player, which) else { return Vec::new() };
        let mut squares = Vec::new();
        for ply in position.plies() {
            if let Ply::Place(square) = ply {
                let (row, column) = position.ruleset().row_and_column(square);
                squares.push(row * self.n + column);
            }
        }
        squares
    }

    /// The squares of the pieces that a piece on a square captures, be it the first or the second
    /// of its turn.
    fn captured(&self, player: u8, square: usize) -> Vec<usize> {
        let placing = [1, 2].into_iter().find_map(|which| self.placing(player, square, which));
        let mut captured = Vec::new();
        if let Some((position, ply)) = placing {
            for ((row, column), change) in position.changes(ply) {
                if change == SquareChange::Recoloured {
                    captured.push(row * self.n + column);
                }
            }
        }
        captured
    }

    /// What `DisplayBoard` prints: fields of four columns.
    fn displayed(&self) -> String {
        let mut text = String::new();
        for (index, letter) in self.letters.iter().enumerate() {
            text += &match letter {
                '.' => format!("{index:4}"),
                piece => format!("{piece:>4}"),
            };
            text += if index % self.n == self.n - 1 { "\n" } else { "" };
        }
        text
    }
}

/// The calls for a size of board, the same ones for the same seed; none if the rules have no such
/// board.
pub(super) fn calls(board: Board, seed: u64) -> Vec<Call> {
    let n = board.n as usize;
    let Ok(ruleset) = Ruleset::named("flipflop", &format!("n={n}")) else { return Vec::new() };
    let random = Generator::new(&[&seed, &"functions of flipflop", &n]);
    let mut maker =
        Maker { calls: Calls::new(format!("n{n}")).with_open_layout(), n, ruleset, random };
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

/// Where a line in a direction begins at an edge, at this distance from the corner where it runs
/// along the edge.
fn begin((down, right): Square, last: isize, distance: isize) -> Square {
    let [row, column] = [down, right].map(|step| match step {
        -1 => last,
        0 => distance,
        _ => 0,
    });
    (row, column)
}

/// Makes the calls of one size.
struct Maker {
    calls: Calls,
    n: usize,
    ruleset: Ruleset,
    random: Generator,
}

impl Maker {
    /// The board of a random game after some plies.
    fn played(&mut self, plies: usize) -> Squares {
        Squares::of(&after_random(self.ruleset.start(), plies, &mut self.random))
    }

    fn initialize_board(&mut self) {
        let n = self.n;
        let start = Squares::of(&self.ruleset.start()).numbers();
        for (letters, class) in [
            ((0..n * n).map(|index| LETTERS[index % 3]).collect(), "arrays with values"),
            (vec!['B'; n * n], "arrays with values"),
            (vec!['.'; n * n], "empty arrays"),
        ] {
            let before = Squares { n, letters }.numbers();
            self.initialize([&before, &start], n, true, vec![class, "sizes in range"]);
        }
        for (size, class) in [(6, "boards that are too small"), (26, "boards that are too large")] {
            self.initialize(["any", "any"], size, false, vec![class]);
        }
        self.initialize(["null", "null"], n, false, vec!["no array"]);
    }

    /// Adds a call of `InitializeBoard` with an array that has one content before it and one after.
    fn initialize(
        &mut self,
        [before, after]: [&str; 2],
        n: usize,
        value: bool,
        labels: Vec<&'static str>,
    ) {
        let array = if before == "null" { "nullptr" } else { "board" };
        let call =
            (before.to_owned(), vec![n.to_string()], format!("InitializeBoard({array}, {n})"));
        let expected = Expected::silent(Value::Truth(value), after.to_owned());
        self.calls.add("InitializeBoard", call, expected, labels);
    }

    fn display_board(&mut self, played: &[Squares]) {
        let n = self.n;
        let mut full = Squares::empty(n);
        for (index, letter) in full.letters.iter_mut().enumerate() {
            *letter = LETTERS[1 + index % 3 / 2];
        }
        let mut boards = vec![(Squares::empty(n), "the empty board"), (full, "full boards")];
        for squares in played {
            boards.push((squares.clone(), "boards from play"));
        }
        for (squares, class) in boards {
            let printed = squares.displayed();
            let expected = Expected { value: Value::Nothing, state: squares.numbers(), printed };
            let before =
                (squares.numbers(), vec![n.to_string()], format!("DisplayBoard(board, {n})"));
            let mut labels = vec![class];
            for (letter, label) in
                [('.', "empty squares"), ('W', "pieces of White"), ('B', "pieces of Black")]
            {
                if squares.letters.contains(&letter) {
                    labels.push(label);
                }
            }
            self.calls.add("DisplayBoard", before, expected, labels);
        }
    }

    /// Adds a call of `PlacePiece` or `IsThisMoveValid` on an empty square. `legal` is what the
    /// caller thinks of it; if the rules think otherwise, nothing is added.
    fn place(
        &mut self,
        function: &'static str,
        squares: &Squares,
        (player, square, which): (u8, usize, u8),
        legal: Option<bool>,
        mut labels: Vec<&'static str>,
    ) {
        let placing = squares.placing(player, square, which);
        if squares.letters[square] != '.' || legal.is_some_and(|legal| legal != placing.is_some()) {
            return;
        }
        let kind = kind(which);
        labels.push(kind);
        labels.push(side(player));
        labels.push(if placing.is_some() { "valid moves" } else { "invalid moves" });
        let place = squares.square(square);
        labels.extend(squares.edges_at(place));
        // A line that is trapped begins beside the square.
        let captured = squares.captured(player, square);
        let mut lines = Vec::new();
        let mut is_mixed = false;
        for (step, class) in DIRECTIONS {
            let beside = squares.index(along(place, step, 1));
            if beside.is_some_and(|at| captured.contains(&at)) {
                lines.push(class);
                is_mixed |= piece_for(step) != which;
            }
        }
        // A piece needs a line of its own kind, and captures those of the other kind, too.
        if is_mixed && placing.is_some() && labels[0] == "several lines" {
            labels.insert(0, if which == 1 { MIXED_FIRST } else { MIXED_SECOND });
        }
        if lines.len() > 1 {
            lines.push("several lines");
        }
        lines.retain(|class| !labels.contains(class));
        labels.extend(lines);
        let arguments =
            [squares.n, player.into(), square, which.into()].map(|number| number.to_string());
        let last = if function == "PlacePiece" { ", captured" } else { "" };
        let shown = format!("{function}(board, {}{last})", arguments.join(", "));
        let mut expected = Expected::silent(Value::Truth(placing.is_some()), squares.numbers());
        if function == "PlacePiece" {
            "Illegal move\n".clone_into(&mut expected.printed);
            if let Some((position, ply)) = placing {
                expected.value = Value::Captures(captured.len() as i64);
                expected.state = Squares::of(&position.after(ply)).numbers();
                expected.printed = format!("{} has placed the {kind}\n", side(player));
            }
        }
        let call = (squares.numbers(), arguments.to_vec(), shown);
        if let Some(call) = self.calls.add(function, call, expected, labels) {
            call.kind = kind;
        }
    }

    /// Boards that are made for one line or a few.
    fn lines(&mut self, function: &'static str) {
        let n = self.n;
        let last = n as isize - 1;
        let empty = Squares::empty(n);
        for (index, player) in [1, 2].into_iter().enumerate() {
            let [own, other] = pieces(player);
            for (turn, (step, class)) in DIRECTIONS.into_iter().enumerate() {
                let which = piece_for(step);
                // From the middle, and from the far edge to the near one.
                let near = begin(step, last, (turn as isize * 2 + 1) % (last + 1));
                for (place, length) in [((4, 4), 1), ((4, 3), 2), (near, 3), (near, last - 1)] {
                    let Some(square) = empty.index(place) else { continue };
                    let mut open = empty.clone();
                    open.put_line(place, step, 1..=length, other);
                    let mut line = open.clone();
                    line.put(along(place, step, length + 1), own);
                    let mut boards = vec![(line.clone(), which, true, class)];
                    if length <= 3 || n != 24 {
                        let wrong = if which == 1 {
                            "a second piece with straight lines only"
                        } else {
                            "a first piece with diagonals only"
                        };
                        boards.push((line.clone(), 3 - which, false, wrong));
                        let label = "lines without an own piece at their end";
                        boards.push((open.clone(), which, false, label));
                        if length > 1 {
                            line.put(along(place, step, 1), '.');
                            boards.push((line, which, false, "lines with a gap"));
                        }
                        // The opponent's pieces up to the edge of the board.
                        open.put_line(place, step, 1..=last, other);
                        boards.push((open, which, false, "lines to the edge"));
                        let mut beside = empty.clone();
                        beside.put(along(place, step, 1), own);
                        beside.put(along(place, step, 2), other);
                        boards.push((beside, which, false, "an own piece beside the square"));
                    }
                    for (squares, piece, legal, label) in boards {
                        let call = (player, square, piece);
                        self.place(function, &squares, call, Some(legal), vec![label]);
                    }
                }
            }
            // Several lines around one square: each pair of directions, and all eight with one left
            // out.
            let square = 4 * n + 4;
            for turn in 0..8 {
                for (which, left_out) in [(1, 8), (2, 8), (1, turn), (2, turn)] {
                    let mut squares = empty.clone();
                    for (at, (step, _)) in DIRECTIONS.into_iter().enumerate() {
                        let length = if (at + turn + index) % 2 == 0 { 1 } else { 2 };
                        let pair = left_out == 8 && at != turn && at != (turn + 3) % 8;
                        if pair || at == left_out {
                            continue;
                        }
                        squares.put_line((4, 4), step, 1..=length, other);
                        squares.put(along((4, 4), step, length + 1), own);
                    }
                    let call = (player, square, which);
                    self.place(function, &squares, call, Some(true), vec!["several lines"]);
                }
            }
        }
    }

    fn boards_from_play(&mut self, function: &'static str, played: &[Squares]) {
        for squares in played {
            for turn in 0..12 {
                let square = below(&mut self.random, squares.letters.len());
                let call = (1 + turn % 2, square, 1 + turn / 2 % 2);
                self.place(function, squares, call, None, vec!["boards from play"]);
            }
            for (player, which) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
                let valid = squares.valid(player, which);
                if !valid.is_empty() {
                    let call = (player, valid[below(&mut self.random, valid.len())], which);
                    self.place(function, squares, call, Some(true), vec!["boards from play"]);
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
        let kind = kind(which);
        labels.push(kind);
        labels.push(side(player));
        labels.push(if any { "a valid move" } else { "no valid move" });
        let arguments = [squares.n, player.into(), which.into()].map(|number| number.to_string());
        let shown = format!("IsAnyMoveValid(board, {})", arguments.join(", "));
        let call = (squares.numbers(), arguments.to_vec(), shown);
        let right = Expected::silent(Value::Truth(any), squares.numbers());
        if let Some(call) = self.calls.add("IsAnyMoveValid", call, right, labels) {
            call.kind = kind;
        }
    }

    fn is_any_move_valid(&mut self, played: &[Squares]) {
        let empty = Squares::empty(self.n);
        for player in [1, 2] {
            let [own, other] = pieces(player);
            for (turn, (step, class)) in DIRECTIONS.into_iter().enumerate() {
                let which = piece_for(step);
                let near = begin(step, self.n as isize - 1, turn as isize);
                for (place, length) in [((4, 4), 1), ((3, 5), 2), (near, 2)] {
                    // A piece of the player at one end only, so that the line has one square that
                    // traps it.
                    let mut squares = empty.clone();
                    squares.put_line(place, step, 1..=length, other);
                    squares.put(along(place, step, length + 1), own);
                    let mut labels = vec![class];
                    labels.extend(squares.edges_at(place));
                    self.ask_any(&squares, (player, which), Some(true), labels);
                    let wrong = if which == 1 {
                        "straight lines for a second piece"
                    } else {
                        "diagonals for a first piece"
                    };
                    self.ask_any(&squares, (player, 3 - which), Some(false), vec![wrong]);
                    squares.put(place, own);
                    let between = vec!["lines between own pieces"];
                    self.ask_any(&squares, (player, which), Some(false), between);
                }
            }
            let mut alone = empty.clone();
            for index in 0..6 {
                alone.put((2, 1 + index), own);
                let which = 1 + (index % 2) as u8;
                for asked in [player, 3 - player] {
                    self.ask_any(&alone, (asked, which), Some(false), vec!["pieces of one side"]);
                }
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

    use super::super::call::{Answer, Fate};
    use super::super::verdict::judge;
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn an_array_that_is_not_there_is_not_shown_as_a_board() {
        let calls = calls(Board { n: 8, ..Board::default() }, 1);
        let call = calls.iter().find(|call| call.state == "null").unwrap();
        let fate =
            Fate::Returned { value: "1".to_owned(), state: "null".to_owned(), outside: false };
        let answer = Answer { fate, read: false, printed: Vec::new(), errors: Vec::new(), slow: 0 };
        let found = judge(call, &answer).rules.unwrap();
        assert_eq!(found.sentence, "`InitializeBoard(nullptr, 8)` returns true; right is false");
        assert_eq!(found.shown, "InitializeBoard(nullptr, 8)\n");
    }

    #[test]
    fn every_class_has_two_calls() {
        let mut classes = BTreeMap::new();
        for n in [8, 10, 24] {
            for call in calls(Board { n, ..Board::default() }, 1) {
                *classes.entry((call.function, call.class)).or_insert(0) += 1;
            }
        }
        assert!(classes.len() >= 40, "{classes:?}");
        assert!(classes.values().all(|&count| count >= 2), "{classes:?}");
    }
}
