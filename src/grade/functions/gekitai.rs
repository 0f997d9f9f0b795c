//! Calls of the functions of Gekitai.

use super::call::{Call, Expected, Value};
use super::calls::Calls;
use super::squares::{Squares, after_random, below};
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

/// The eight directions as rows and columns, with the class of pushes to there, over an edge there,
/// and blocked there.
const DIRECTIONS: [(isize, isize, &str, &str); 8] = [
    (-1, 0, "pushes up", "pushes over the upper edge"),
    (1, 0, "pushes down", "pushes over the lower edge"),
    (0, -1, "pushes to the left", "pushes over the left edge"),
    (0, 1, "pushes to the right", "pushes over the right edge"),
    (-1, -1, "pushes to the upper left", "diagonal pushes over an edge"),
    (-1, 1, "pushes to the upper right", "diagonal pushes over an edge"),
    (1, -1, "pushes to the lower left", "diagonal pushes over an edge"),
    (1, 1, "pushes to the lower right", "diagonal pushes over an edge"),
];

/// The four directions of a line as rows and columns, with their classes.
const LINES: [(isize, isize, &str); 4] = [
    (0, 1, "horizontal lines"),
    (1, 0, "vertical lines"),
    (1, 1, "diagonals from upper left"),
    (-1, 1, "diagonals from lower left"),
];

impl Squares {
    /// Labels for the edges of the board that pieces of `player` touch.
    fn edges(&self, player: char) -> Vec<&'static str> {
        let mut all = Vec::new();
        for (index, letter) in self.letters.iter().enumerate() {
            if *letter == player {
                all.extend(self.edges_at((index / self.n) as isize, (index % self.n) as isize));
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

/// The squares of a board of `n` rows, row by row.
fn all_squares(n: isize) -> Vec<(isize, isize)> {
    let mut squares = Vec::new();
    for y in 0..n {
        for x in 0..n {
            squares.push((y, x));
        }
    }
    squares
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
    fn below(&mut self, n: usize) -> usize {
        below(&mut self.random, n)
    }

    /// Plays random games, and keeps some of their boards.
    fn play(&mut self) {
        while self.played.len() < 10 {
            let plies = 4 + self.below(self.n * 2);
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
        arguments: &[&dyn ToString],
        value: Value,
        labels: Vec<&'static str>,
    ) {
        let arguments: Vec<String> =
            arguments.iter().map(|argument| argument.to_string()).collect();
        let mut rest = String::new();
        for next in &arguments[1..] {
            rest += &format!(", {next}");
        }
        let shown = format!("{function}(board, '{}'{rest})", arguments[0]);
        let expected = Expected::silent(value, squares.rows());
        self.calls.add(function, (squares.rows(), arguments, shown), expected, labels);
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
            for y in 0..n {
                for x in 0..n {
                    // Most squares are empty, and they are all alike.
                    if squares.at(y, x) != Some('.') || (y * n + x) % 5 == 0 {
                        self.ask_valid(squares, in_turn((y + x) as usize), (y, x));
                    }
                }
            }
        }
    }

    fn ask_valid(&mut self, squares: &Squares, player: char, (y, x): (isize, isize)) {
        let n = self.n as isize;
        let class = match squares.at(y, x) {
            None if y < 0 => "rows above the board",
            None if y >= n => "rows below the board",
            None if x < 0 => "columns left of the board",
            None => "columns right of the board",
            Some('.') => "empty squares",
            Some(piece) if piece == player => "squares of the player",
            Some(_) => "squares of the opponent",
        };
        let mut labels = vec![class];
        if squares.at(y, x).is_none() {
            labels.push("squares outside");
            if x < 0 && y < 0 {
                labels.push("columns left of the board");
            }
            if x >= n && !(0..n).contains(&y) {
                labels.push("columns right of the board");
            }
        } else {
            labels.extend(squares.edges_at(y, x));
        }
        let valid = Value::Truth(self.after(squares, player, (y, x)).is_some());
        self.ask("is_valid_move", squares, &[&player, &y, &x], valid, labels);
    }

    fn pieces_on_board(&mut self) {
        let n = self.n as isize;
        let mut boards: Vec<(Squares, &str)> =
            self.played.iter().map(|squares| (squares.clone(), "boards from play")).collect();
        for (index, class) in [
            "only the first row",
            "only the last row",
            "only the first column",
            "only the last column",
        ]
        .into_iter()
        .enumerate()
        {
            for player in ['X', 'O'] {
                let mut squares = Squares::empty(self.n);
                let line = if index % 2 == 0 { 0 } else { n - 1 };
                for along in [0, 2, 3, n - 1] {
                    let (y, x) = if index < 2 { (line, along) } else { (along, line) };
                    squares.put(y, x, player);
                }
                boards.push((squares, class));
            }
        }
        for part in 2..5 {
            let mut squares = Squares::empty(self.n);
            for index in 0..self.n * self.n {
                squares.letters[index] = if index % part == 0 { 'X' } else { 'O' };
            }
            boards.push((squares, "full boards"));
        }
        for (squares, class) in boards {
            for player in ['X', 'O'] {
                let count = squares.count(player);
                if count > 0 {
                    let value = Value::Number(count as i64);
                    self.ask("pieces_on_board", &squares, &[&player], value, vec![class]);
                }
            }
        }
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
            self.ask("pieces_in_line", squares, &[&player], Value::Truth(line), labels);
        }
    }

    fn pieces_in_line(&mut self) {
        let n = self.n as isize;
        let l = self.l as isize;
        for (dy, dx, class) in LINES {
            for (index, (y, x)) in all_squares(n).into_iter().enumerate() {
                let squares = Squares::empty(self.n);
                if squares.index(y + dy * (l - 1), x + dx * (l - 1)).is_none() {
                    continue;
                }
                let player = in_turn(index);
                let mut line = squares.clone();
                for step in 0..l {
                    line.put(y + dy * step, x + dx * step, player);
                }
                let mut labels = vec![class];
                labels.extend(line.edges(player));
                self.ask_line(&line, player, true, labels);
                if index % 4 != 0 {
                    continue;
                }
                // The same line of the opponent, one piece less, a gap, a piece of the opponent in
                // it.
                let mut theirs = line.clone();
                for letter in &mut theirs.letters {
                    if *letter == player {
                        *letter = other(player);
                    }
                }
                if let Some(free) = theirs.letters.iter().position(|&letter| letter == '.') {
                    theirs.letters[free] = player;
                }
                self.ask_line(&theirs, player, false, vec!["lines of the opponent"]);
                let mut short = line.clone();
                short.put(y, x, '.');
                self.ask_line(&short, player, false, vec!["lines that are too short"]);
                let mut broken = line.clone();
                broken.put(y + dy, x + dx, other(player));
                broken.put(y + dy * l, x + dx * l, player);
                let label = "lines with a piece of the opponent in them";
                self.ask_line(&broken, player, false, vec![label]);
                let mut gap = line.clone();
                gap.put(y + dy, x + dx, '.');
                gap.put(y + dy * l, x + dx * l, player);
                self.ask_line(&gap, player, false, vec!["lines with a gap"]);
            }
            // Squares that follow each other in memory but not on the board.
            let step = dy * n + dx;
            for start in 0..n * n {
                let mut squares = Squares::empty(self.n);
                let indexes: Vec<isize> = (0..l).map(|index| start + index * step).collect();
                if start % 2 == 0 && indexes.iter().all(|index| (0..n * n).contains(index)) {
                    for index in &indexes {
                        squares.put(index / n, index % n, 'X');
                    }
                    self.ask_line(&squares, 'X', false, vec!["lines over an edge"]);
                }
            }
        }
        for (dy, dx, class) in LINES {
            let y = if dy < 0 { n - 1 } else { 0 };
            let x = 0;
            let mut long = Squares::empty(self.n);
            for step in 0..n {
                long.put(y + dy * step, x + dx * step, 'O');
            }
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
    fn after(&self, squares: &Squares, player: char, (y, x): (isize, isize)) -> Option<Position> {
        let position = squares.position(&self.loose, &player.to_string())?;
        let index = squares.index(y, x)?;
        let ply = Ply::Place(self.loose.square(index / self.n, index % self.n));
        position.is_legal(ply).then(|| position.after(ply))
    }

    /// Adds a move, if the rules allow it. Whose pieces it pushes is among its labels.
    fn add_move(
        &mut self,
        squares: &Squares,
        player: char,
        (y, x): (isize, isize),
        mut labels: Vec<&'static str>,
    ) {
        let Some(position) = self.after(squares, player, (y, x)) else { return };
        let after = Squares::of(&position);
        for (dy, dx, ..) in DIRECTIONS {
            let Some(at) = squares.index(y + dy, x + dx) else { continue };
            // A neighbour whose square is empty afterwards was pushed.
            let piece = squares.letters[at];
            let whose = if piece == player { OWN_PUSHED } else { OTHER_PUSHED };
            if piece != '.' && after.letters[at] == '.' && !labels.contains(&whose) {
                labels.push(whose);
            }
        }
        let expected = Expected::silent(Value::Nothing, after.rows());
        let arguments = vec![player.to_string(), y.to_string(), x.to_string()];
        let shown = format!("move(board, '{player}', {y}, {x})");
        self.calls.add("move", (squares.rows(), arguments, shown), expected, labels);
    }

    fn moves(&mut self) {
        let n = self.n as isize;
        let last = self.n as isize - 1;
        let empty = Squares::empty(self.n);
        for (index, (y, x)) in
            [(0, 0), (0, last), (last, 0), (last, last), (2, 1), (1, 3)].into_iter().enumerate()
        {
            let labels = vec!["moves without a neighbour"];
            self.add_move(&empty, in_turn(index), (y, x), labels.clone());
            let mut far = empty.clone();
            far.put((y + 3) % n, (x + 2) % n, 'O');
            self.add_move(&far, 'X', (y, x), labels);
        }
        for (dy, dx, pushes, over) in DIRECTIONS {
            for (index, (y, x)) in all_squares(n).into_iter().enumerate() {
                let [near_y, near_x, to_y, to_x] = [y + dy, x + dx, y + 2 * dy, x + 2 * dx];
                if empty.index(near_y, near_x).is_none() {
                    continue;
                }
                let player = in_turn(index);
                for piece in [player, other(player)] {
                    let mut squares = empty.clone();
                    squares.put(near_y, near_x, piece);
                    if empty.index(to_y, to_x).is_some() {
                        if index % 3 == 0 {
                            self.add_move(&squares, player, (y, x), vec![pushes]);
                        }
                        if index % 3 == 1 {
                            let blocks = if index % 2 == 0 { piece } else { other(piece) };
                            squares.put(to_y, to_x, blocks);
                            let labels = vec!["pushes that are blocked"];
                            self.add_move(&squares, player, (y, x), labels);
                        }
                    } else {
                        let corner = [near_y, near_x].iter().all(|&side| side == 0 || side == last);
                        let corner = corner && dy != 0 && dx != 0;
                        let class = if corner { "pushes over a corner" } else { over };
                        let labels = vec![class, "pushes off the board"];
                        self.add_move(&squares, player, (y, x), labels);
                    }
                }
            }
        }
        for (y, x) in [
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
                for (index, (dy, dx, ..)) in DIRECTIONS.into_iter().enumerate() {
                    let letters = ['X', 'O', '.'];
                    squares.put(y + dy, x + dx, letters[(index + turn) % (2 + turn % 2)]);
                    if (index + turn) % 3 == 0 {
                        squares.put(y + 2 * dy, x + 2 * dx, letters[(index / 2 + turn) % 3]);
                    }
                }
                self.add_move(&squares, 'X', (y, x), vec!["several pushes"]);
            }
        }
        for squares in self.played.clone() {
            for _ in 0..4 {
                let place = (self.below(self.n) as isize, self.below(self.n) as isize);
                let player = if squares.count('X') > squares.count('O') { 'O' } else { 'X' };
                self.add_move(&squares, player, place, vec!["boards from play"]);
            }
        }
    }

    fn print(&mut self) {
        let mut full = Squares::empty(self.n);
        for (index, letter) in full.letters.iter_mut().enumerate() {
            *letter = if index % 3 == 0 { 'O' } else { 'X' };
        }
        let mut boards = vec![(Squares::empty(self.n), "the empty board"), (full, "full boards")];
        boards.extend(
            self.played.iter().take(6).map(|squares| (squares.clone(), "boards from play")),
        );
        for (squares, class) in boards {
            let printed = squares.printed(&self.rules, b'A', 2);
            let expected = Expected { value: Value::Nothing, state: squares.rows(), printed };
            let call = (squares.rows(), Vec::new(), "print(board)".to_owned());
            self.calls.add("print", call, expected, vec![class]);
        }
    }
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
