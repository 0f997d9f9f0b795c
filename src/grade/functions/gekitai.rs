//! Calls of the functions of Gekitai.

use super::call::{Call, Expected, Value};
use super::calls::Calls;
use super::squares::{Square, Squares, after_random, along, below};
use arbiter_config::assignment::Board;
use arbiter_rules::seed::Generator;
use arbiter_rules::{Ply, Position, Ruleset};

/// What moves may have in common beside their classes.
const OWN_PUSHED: &str = "own pieces are pushed";
const OTHER_PUSHED: &str = "pieces of the opponent are pushed";

/// The functions, in the order of the hand-out, with their prototypes.
pub(super) const FUNCTIONS: &[(&str, &str)] = &[
    ("is_valid_move", "bool is_valid_move(char board[][N], char player, int y, int x)"),
    ("pieces_on_board", "int pieces_on_board(char board[][N], char player)"),
    ("pieces_in_line", "bool pieces_in_line(char board[][N], char player)"),
    ("move", "void move(char board[][N], char player, int y, int x)"),
    ("print", "void print(char board[][N])"),
];

/// The eight directions, with the class of pushes to there and over an edge there.
const DIRECTIONS: [(Square, &str, &str); 8] = [
    ((-1, 0), "pushes up", "pushes over the upper edge"),
    ((1, 0), "pushes down", "pushes over the lower edge"),
    ((0, -1), "pushes to the left", "pushes over the left edge"),
    ((0, 1), "pushes to the right", "pushes over the right edge"),
    ((-1, -1), "pushes to the upper left", "diagonal pushes over an edge"),
    ((-1, 1), "pushes to the upper right", "diagonal pushes over an edge"),
    ((1, -1), "pushes to the lower left", "diagonal pushes over an edge"),
    ((1, 1), "pushes to the lower right", "diagonal pushes over an edge"),
];

/// The four directions of a line, with their classes.
const LINES: [(Square, &str); 4] = [
    ((0, 1), "horizontal lines"),
    ((1, 0), "vertical lines"),
    ((1, 1), "diagonals from upper left"),
    ((-1, 1), "diagonals from lower left"),
];

impl Squares {
    /// Labels for the edges of the board that pieces of `player` touch.
    fn edges(&self, player: char) -> Vec<&'static str> {
        let mut all = Vec::new();
        for (index, letter) in self.letters.iter().enumerate() {
            if *letter == player {
                all.extend(self.edges_at(self.square(index)));
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn other(player: char) -> char {
    if player == 'X' { 'O' } else { 'X' }
}

/// The player whose turn it is when both take turns.
fn in_turn(number: usize) -> char {
    if number.is_multiple_of(2) { 'X' } else { 'O' }
}

/// Makes the calls of one board.
struct Maker {
    calls: Calls,
    n: usize,
    l: usize,
    /// The rules with so many pieces that their number ends no game.
    rules: Ruleset,
    /// The same with the longest line, so that boards with shorter ones can be played on.
    loose: Ruleset,
    random: Generator,
    /// Boards of games that are not over, without pieces of only one side.
    played: Vec<Squares>,
}

/// The rules of a board of `n` rows, where `l` in a row win and pieces do not run out.
fn ruleset(n: usize, l: usize) -> Option<Ruleset> {
    Ruleset::named("gekitai", &format!("n={n} p={} l={l}", n * n / 2)).ok()
}

/// The calls for a board, the same ones for the same seed; none if the rules have no such board.
pub(super) fn calls(board: Board, seed: u64) -> Vec<Call> {
    let n = board.n as usize;
    let l = board.l.unwrap_or(3) as usize;
    let (Some(rules), Some(loose)) = (ruleset(n, l), ruleset(n, n)) else { return Vec::new() };
    let random = Generator::new(&[&seed, &"functions of gekitai", &n, &l]);
    let mut maker = Maker {
        calls: Calls::new(format!("n{n}")),
        n,
        l,
        rules,
        loose,
        random,
        played: Vec::new(),
    };
    maker.play();
    maker.is_valid_move();
    maker.pieces_on_board();
    maker.pieces_in_line();
    maker.moves();
    maker.print();
    maker.calls.into_vec()
}

impl Maker {
    /// Plays random games, and keeps some of their boards.
    fn play(&mut self) {
        while self.played.len() < 10 {
            let plies = 4 + below(&mut self.random, self.n * 2);
            let position = after_random(self.rules.start(), plies, &mut self.random);
            let squares = Squares::of(&position);
            if position.ending().is_none() && squares.count('X') > 0 && squares.count('O') > 0 {
                self.played.push(squares);
            }
        }
    }

    /// Adds a question: the board stays as it is, and nothing is printed.
    fn ask(
        &mut self,
        function: &'static str,
        squares: &Squares,
        (player, square): (char, Option<Square>),
        value: Value,
        labels: Vec<&'static str>,
    ) {
        let expected = Expected::silent(value, squares.rows());
        self.calls.add(function, call(function, squares, player, square), expected, labels);
    }

    fn is_valid_move(&mut self) {
        let n = self.n as isize;
        let last = n - 1;
        let mut boards = vec![Squares::empty(self.n)];
        boards.extend(self.played[..3].iter().cloned());
        for (index, squares) in boards.iter().enumerate() {
            let near = [-2, -1, 0, 1, last, n, n + 1, 26];
            for y in near {
                for x in near {
                    // Far outside in both ways is no more than outside in one.
                    if index > 0
                        && !(0..n).contains(&y)
                        && !(0..n).contains(&x)
                        && (y, x) != (-1, n)
                    {
                        continue;
                    }
                    self.ask_valid(squares, in_turn(index), (y, x));
                }
            }
            for at in 0..self.n * self.n {
                let (y, x) = squares.square(at);
                // Most squares are empty, and they are all alike.
                if squares.letters[at] != '.' || at % 5 == 0 {
                    self.ask_valid(squares, in_turn((y + x) as usize), (y, x));
                }
            }
        }
    }

    fn ask_valid(&mut self, squares: &Squares, player: char, square: Square) {
        let n = self.n as isize;
        let (y, x) = square;
        let class = match squares.at(square) {
            None if y < 0 => "rows above the board",
            None if y >= n => "rows below the board",
            None if x < 0 => "columns left of the board",
            None => "columns right of the board",
            Some('.') => "empty squares",
            Some(piece) if piece == player => "squares of the player",
            Some(_) => "squares of the opponent",
        };
        let mut labels = vec![class];
        if squares.at(square).is_none() {
            labels.push("squares outside");
            if x < 0 && y < 0 {
                labels.push("columns left of the board");
            }
            if x >= n && !(0..n).contains(&y) {
                labels.push("columns right of the board");
            }
        } else {
            labels.extend(squares.edges_at(square));
        }
        let valid = Value::Truth(self.after(squares, player, square).is_some());
        self.ask("is_valid_move", squares, (player, Some(square)), valid, labels);
    }

    fn pieces_on_board(&mut self) {
        let last = self.n as isize - 1;
        let mut boards = self.boards_from_play(self.played.len());
        for (start, step, class) in [
            ((0, 0), (0, 1), "only the first row"),
            ((last, 0), (0, 1), "only the last row"),
            ((0, 0), (1, 0), "only the first column"),
            ((0, last), (1, 0), "only the last column"),
        ] {
            for player in ['X', 'O'] {
                let mut squares = Squares::empty(self.n);
                squares.put_line(start, step, [0, 2, 3, last], player);
                boards.push((squares, class));
            }
        }
        for part in 2..5 {
            boards.push((self.full('X', 'O', part), "full boards"));
        }
        for (squares, class) in boards {
            for player in ['X', 'O'] {
                let count = squares.count(player);
                if count > 0 {
                    let value = Value::Number(count as i64);
                    self.ask("pieces_on_board", &squares, (player, None), value, vec![class]);
                }
            }
        }
    }

    /// The first boards from play.
    fn boards_from_play(&self, most: usize) -> Vec<(Squares, &'static str)> {
        let mut boards = Vec::new();
        for squares in &self.played[..most] {
            boards.push((squares.clone(), "boards from play"));
        }
        boards
    }

    /// A board with one letter on each square of this distance, and another one on those between.
    fn full(&self, each: char, others: char, distance: usize) -> Squares {
        let mut full = Squares::empty(self.n);
        for (index, letter) in full.letters.iter_mut().enumerate() {
            *letter = if index % distance == 0 { each } else { others };
        }
        full
    }

    /// Whether the rules see a line of `player`, all other pieces aside.
    fn has_line(&self, squares: &Squares, player: char) -> Option<bool> {
        let mut alone = squares.clone();
        for letter in &mut alone.letters {
            *letter = if *letter == player { player } else { '.' };
        }
        let position = alone.position(&self.rules, &player.to_string())?;
        Some(position.ending().is_some())
    }

    /// Asks for a line of `player` if the rules say of it what `line` says.
    fn ask_line(
        &mut self,
        squares: &Squares,
        player: char,
        line: bool,
        mut labels: Vec<&'static str>,
    ) {
        if squares.count(player) > 0 && self.has_line(squares, player) == Some(line) {
            labels.push(if line { "lines" } else { "no line" });
            self.ask("pieces_in_line", squares, (player, None), Value::Truth(line), labels);
        }
    }

    fn pieces_in_line(&mut self) {
        let n = self.n as isize;
        let l = self.l as isize;
        let empty = Squares::empty(self.n);
        for (step, class) in LINES {
            for index in 0..self.n * self.n {
                let first = empty.square(index);
                if empty.index(along(first, step, l - 1)).is_none() {
                    continue;
                }
                let player = in_turn(index);
                let [second, behind] = [1, l].map(|steps| along(first, step, steps));
                let mut line = empty.clone();
                line.put_line(first, step, 0..l, player);
                let mut labels = vec![class];
                labels.extend(line.edges(player));
                self.ask_line(&line, player, true, labels);
                if index % 4 != 0 {
                    continue;
                }
                // The same line of the opponent, one piece less, a gap, a piece of the opponent in
                // it.
                let mut theirs = empty.clone();
                theirs.put_line(first, step, 0..l, other(player));
                if let Some(free) = theirs.letters.iter().position(|&letter| letter == '.') {
                    theirs.letters[free] = player;
                }
                self.ask_line(&theirs, player, false, vec!["lines of the opponent"]);
                let mut short = line.clone();
                short.put(first, '.');
                self.ask_line(&short, player, false, vec!["lines that are too short"]);
                for (letter, label) in [
                    (other(player), "lines with a piece of the opponent in them"),
                    ('.', "lines with a gap"),
                ] {
                    let mut broken = line.clone();
                    broken.put(second, letter);
                    broken.put(behind, player);
                    self.ask_line(&broken, player, false, vec![label]);
                }
            }
            // Squares that follow each other in memory but not on the board.
            let distance = step.0 * n + step.1;
            for start in (0..n * n).step_by(2) {
                let mut squares = empty.clone();
                let indexes: Vec<isize> = (0..l).map(|index| start + index * distance).collect();
                if indexes.iter().all(|index| (0..n * n).contains(index)) {
                    for index in indexes {
                        squares.letters[index as usize] = 'X';
                    }
                    self.ask_line(&squares, 'X', false, vec!["lines over an edge"]);
                }
            }
        }
        for (step, class) in LINES {
            let first = (if step.0 < 0 { n - 1 } else { 0 }, 0);
            let mut long = empty.clone();
            long.put_line(first, step, 0..n, 'O');
            let mut labels = vec!["lines that are longer", class];
            labels.extend(long.edges('O'));
            self.ask_line(&long, 'O', true, labels);
        }
        for squares in self.played.clone() {
            for player in ['X', 'O'] {
                for line in [true, false] {
                    self.ask_line(&squares, player, line, vec!["boards from play"]);
                }
            }
        }
    }

    /// The position after a piece on a square, if the rules allow it.
    fn after(&self, squares: &Squares, player: char, square: Square) -> Option<Position> {
        let position = squares.position(&self.loose, &player.to_string())?;
        let index = squares.index(square)?;
        let ply = Ply::Place(self.loose.square(index / self.n, index % self.n));
        position.is_legal(ply).then(|| position.after(ply))
    }

    /// Adds a move, if the rules allow it. Whose pieces it pushes is among its labels.
    fn add_move(
        &mut self,
        squares: &Squares,
        player: char,
        square: Square,
        mut labels: Vec<&'static str>,
    ) {
        let Some(position) = self.after(squares, player, square) else { return };
        let after = Squares::of(&position);
        for (step, ..) in DIRECTIONS {
            let Some(at) = squares.index(along(square, step, 1)) else { continue };
            // A neighbour whose square is empty afterwards was pushed.
            let piece = squares.letters[at];
            let whose = if piece == player { OWN_PUSHED } else { OTHER_PUSHED };
            if piece != '.' && after.letters[at] == '.' && !labels.contains(&whose) {
                labels.push(whose);
            }
        }
        let expected = Expected::silent(Value::Nothing, after.rows());
        self.calls.add("move", call("move", squares, player, Some(square)), expected, labels);
    }

    fn moves(&mut self) {
        let n = self.n as isize;
        let last = n - 1;
        let empty = Squares::empty(self.n);
        for (index, square) in
            [(0, 0), (0, last), (last, 0), (last, last), (2, 1), (1, 3)].into_iter().enumerate()
        {
            let labels = vec!["moves without a neighbour"];
            self.add_move(&empty, in_turn(index), square, labels.clone());
            let mut far = empty.clone();
            far.put(((square.0 + 3) % n, (square.1 + 2) % n), 'O');
            self.add_move(&far, 'X', square, labels);
        }
        for (step, pushes, over) in DIRECTIONS {
            for index in 0..self.n * self.n {
                let square = empty.square(index);
                let [near, to] = [1, 2].map(|steps| along(square, step, steps));
                if empty.index(near).is_none() {
                    continue;
                }
                let player = in_turn(index);
                for piece in [player, other(player)] {
                    let mut squares = empty.clone();
                    squares.put(near, piece);
                    if empty.index(to).is_some() {
                        if index % 3 == 0 {
                            self.add_move(&squares, player, square, vec![pushes]);
                        }
                        if index % 3 == 1 {
                            let blocks = if index % 2 == 0 { piece } else { other(piece) };
                            squares.put(to, blocks);
                            let labels = vec!["pushes that are blocked"];
                            self.add_move(&squares, player, square, labels);
                        }
                    } else {
                        let corner = [near.0, near.1].iter().all(|side| [0, last].contains(side));
                        let corner = corner && step.0 != 0 && step.1 != 0;
                        let class = if corner { "pushes over a corner" } else { over };
                        let labels = vec![class, "pushes off the board"];
                        self.add_move(&squares, player, square, labels);
                    }
                }
            }
        }
        for square in [
            (2, 2),
            (1, 1),
            (1, last - 1),
            (last - 1, 1),
            (last - 1, last - 1),
            (0, 2),
            (2, last),
            (last, 2),
            (2, 0),
        ] {
            for turn in 0..3 {
                let mut squares = empty.clone();
                for (index, (step, ..)) in DIRECTIONS.into_iter().enumerate() {
                    let letters = ['X', 'O', '.'];
                    squares.put(along(square, step, 1), letters[(index + turn) % (2 + turn % 2)]);
                    if (index + turn) % 3 == 0 {
                        squares.put(along(square, step, 2), letters[(index / 2 + turn) % 3]);
                    }
                }
                self.add_move(&squares, 'X', square, vec!["several pushes"]);
            }
        }
        for squares in self.played.clone() {
            for _ in 0..4 {
                let [y, x] = [0; 2].map(|_| below(&mut self.random, self.n) as isize);
                let player = if squares.count('X') > squares.count('O') { 'O' } else { 'X' };
                self.add_move(&squares, player, (y, x), vec!["boards from play"]);
            }
        }
    }

    fn print(&mut self) {
        let mut boards = vec![
            (Squares::empty(self.n), "the empty board"),
            (self.full('O', 'X', 3), "full boards"),
        ];
        boards.extend(self.boards_from_play(6));
        for (squares, class) in boards {
            let printed = squares.printed(&self.rules, b'A', 2);
            let expected = Expected { value: Value::Nothing, state: squares.rows(), printed };
            let call = (squares.rows(), Vec::new(), "print(board)".to_owned());
            self.calls.add("print", call, expected, vec![class]);
        }
    }
}

/// A call with a player, and perhaps a square.
fn call(
    function: &str,
    squares: &Squares,
    player: char,
    square: Option<Square>,
) -> (String, Vec<String>, String) {
    let mut arguments = vec![player.to_string()];
    let mut shown = format!("{function}(board, '{player}'");
    if let Some((y, x)) = square {
        arguments.extend([y, x].map(|number| number.to_string()));
        shown += &format!(", {y}, {x}");
    }
    (squares.rows(), arguments, shown + ")")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn boards() -> [Board; 4] {
        [(6, 8, 3), (5, 6, 3), (7, 8, 3), (8, 8, 4)].map(|(n, p, l)| Board {
            n,
            p: Some(p),
            l: Some(l),
            ..Board::default()
        })
    }

    #[test]
    fn every_class_has_two_calls_on_every_board() {
        for board in boards() {
            let mut classes = BTreeMap::new();
            for call in calls(board, 1) {
                *classes.entry((call.function, call.class)).or_insert(0) += 1;
            }
            assert!(classes.len() >= 40, "{classes:?}");
            assert!(
                classes.iter().all(|(&(function, class), &count)| count >= 2
                    || (function, class) == ("print", "the empty board")
                    || (function, class) == ("print", "full boards")),
                "{classes:?}"
            );
        }
    }

    #[test]
    fn names_and_lines_are_unlike() {
        let calls = calls(boards()[0], 1);
        let names: std::collections::BTreeSet<_> = calls.iter().map(|call| &call.name).collect();
        assert_eq!(names.len(), calls.len());
    }
}
