//! A second implementation of the games, written from docs/reference/rules.md alone, with plain
//! lists of letters. Tests compare the fast engine with it. It shares no code with the engine, and
//! computes everything again on each call instead of keeping state up to date.
//!
//! Options, positions and plies must be valid: refusing them is tested on the engine only.

mod flipflop;
mod gekitai;
mod lineup;
mod loa;

/// Row and column, both from 0, not as the game prints them.
type Cell = (usize, usize);
/// Squares down and squares to the right.
type Direction = (isize, isize);
/// The winner's letter (or none) and the reason's word; none while the game goes on.
type Ending = Option<(Option<char>, &'static str)>;

/// Horizontal and vertical.
const STRAIGHT: [Direction; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [Direction; 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];
const ALL: [Direction; 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// A game in progress, straight from docs/reference/rules.md.
pub trait Slow {
    /// The board's letters, top row first; '.' empty, '#' block.
    fn rows(&self) -> &[Vec<char>];
    /// Position text as docs/reference/rules.md writes it.
    fn text(&self) -> String;
    /// The legal plies' canonical texts, sorted as text ("pass" where it is one); empty when the
    /// game is over.
    fn plies(&self) -> Vec<String>;
    /// Plays one of [`Slow::plies`].
    fn play(&mut self, ply: &str);
    /// Winner's letter (or none) and the reason's word.
    fn ending(&self) -> Option<(Option<char>, &'static str)>;
}

/// The start position of a game with some of its options set, the others at their defaults.
pub fn start(game: &str, set: &[(String, String)]) -> Box<dyn Slow> {
    let position = match game {
        "loa" => loa::START.to_owned(),
        "flipflop" => flipflop::start_text(set),
        "lineup" => lineup::start_text(set),
        "gekitai" => gekitai::start_text(set),
        _ => panic!("no game {game}"),
    };
    read(game, set, &position)
}

/// A set-up position. The board's size is the text's, the option `n` repeats it.
pub fn read(game: &str, set: &[(String, String)], position: &str) -> Box<dyn Slow> {
    match game {
        "loa" => Box::new(loa::Loa::read(set, position)),
        "flipflop" => Box::new(flipflop::FlipFlop::read(position)),
        "lineup" => Box::new(lineup::LineUp::read(set, position)),
        "gekitai" => Box::new(gekitai::Gekitai::read(set, position)),
        _ => panic!("no game {game}"),
    }
}

/// Applies one of the 8 symmetries (0..8, 0 the identity; 4..8 of square boards only) to a cell of
/// a board.
pub fn mapped(symmetry: usize, (rows, columns): (usize, usize), (row, column): Cell) -> Cell {
    let row = if symmetry & 1 == 0 { row } else { rows - 1 - row };
    let column = if symmetry & 2 == 0 { column } else { columns - 1 - column };
    if symmetry & 4 == 0 { (row, column) } else { (column, row) }
}

/// The canonical text of the ply's image under a symmetry ("pass" stays).
pub fn mapped_ply(game: &str, size: (usize, usize), symmetry: usize, ply: &str) -> String {
    let square = |name: &str, first_row| {
        self::name(mapped(symmetry, size, cell(name, first_row)), first_row)
    };
    match game {
        _ if ply == "pass" => ply.to_owned(),
        "loa" => square(&ply[..2], 0) + &square(&ply[2..], 0),
        "flipflop" => flipflop::number(mapped(symmetry, size, flipflop::cell(ply, size.0)), size.0),
        "lineup" => square(ply, 0),
        "gekitai" => square(ply, 1),
        _ => panic!("no game {game}"),
    }
}

/// The image of a position text under a symmetry.
pub fn mapped_text(symmetry: usize, position: &str) -> String {
    let (text, rest) = position.split_once(' ').unwrap();
    let rows = read_rows(text);
    let mut image = rows.clone();
    for cell in cells(&rows) {
        let (row, column) = mapped(symmetry, (rows.len(), rows[0].len()), cell);
        image[row][column] = at(&rows, cell);
    }
    format!("{} {rest}", write_rows(&image))
}

/// The text of an option, or its default.
fn option<'a>(set: &'a [(String, String)], key: &str, default: &'a str) -> &'a str {
    set.iter().find(|(name, _)| name == key).map_or(default, |(_, value)| value)
}

/// The number of an option, or its default.
fn number(set: &[(String, String)], key: &str, default: usize) -> usize {
    option(set, key, &default.to_string()).parse().unwrap()
}

/// The board and the side to move of a position text.
fn read_position(position: &str) -> (Vec<Vec<char>>, char) {
    let mut fields = position.split(' ');
    let rows = read_rows(fields.next().unwrap());
    (rows, fields.next().unwrap().parse().unwrap())
}

fn read_rows(text: &str) -> Vec<Vec<char>> {
    text.split('/').map(read_row).collect()
}

fn read_row(text: &str) -> Vec<char> {
    let (mut row, mut run) = (Vec::new(), 0);
    for letter in text.chars() {
        if let Some(digit) = letter.to_digit(10) {
            run = 10 * run + digit as usize; // a run may have two digits
            continue;
        }
        row.resize(row.len() + run, '.');
        row.push(letter);
        run = 0;
    }
    row.resize(row.len() + run, '.');
    row
}

/// The rows of a position text.
pub fn write_rows(rows: &[Vec<char>]) -> String {
    let mut text = rows.iter().map(|row| row.iter().collect()).collect::<Vec<String>>().join("/");
    for count in (1..=rows.len()).rev() {
        text = text.replace(&".".repeat(count), &count.to_string()); // the longest runs first
    }
    text
}

/// The name of a square: its column's letter and its row's number; `first_row` is the number of the
/// top row.
fn name((row, column): Cell, first_row: usize) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + first_row)
}

fn cell(name: &str, first_row: usize) -> Cell {
    (name[1..].parse::<usize>().unwrap() - first_row, (name.as_bytes()[0] - b'a') as usize)
}

/// All squares, row by row.
fn cells(rows: &[Vec<char>]) -> Vec<Cell> {
    (0..rows.len()).flat_map(|row| (0..rows.len()).map(move |column| (row, column))).collect()
}

fn at(rows: &[Vec<char>], (row, column): Cell) -> char {
    rows[row][column]
}

/// The squares that hold a letter; the empty ones for '.'.
fn holding(rows: &[Vec<char>], letter: char) -> Vec<Cell> {
    cells(rows).into_iter().filter(|&cell| at(rows, cell) == letter).collect()
}

/// The squares from one, itself excluded, to the edge of the board, the nearest first.
fn ray(rows: &[Vec<char>], (row, column): Cell, (down, right): Direction) -> Vec<Cell> {
    let n = rows.len() as isize;
    (1..n)
        .map(|steps| (row as isize + steps * down, column as isize + steps * right))
        .take_while(|(row, column)| (0..n).contains(row) && (0..n).contains(column))
        .map(|(row, column)| (row as usize, column as usize))
        .collect()
}

/// Whether at least `length` of a letter are in a row somewhere.
fn has_line(rows: &[Vec<char>], letter: char, length: usize) -> bool {
    let starts_line = |cell, direction| {
        let ahead = ray(rows, cell, direction);
        ahead.len() + 1 >= length
            && ahead[..length - 1].iter().all(|&next| at(rows, next) == letter)
    };
    holding(rows, letter)
        .into_iter()
        .any(|cell| ALL.iter().any(|&direction| starts_line(cell, direction)))
}

/// The other side's letter, in any of the games.
fn opponent(letter: char) -> char {
    match letter {
        'B' => 'W',
        'W' => 'B',
        'X' => 'O',
        _ => 'X',
    }
}

/// Sorts the plies of a game that is not over; a side without plies passes.
fn listed(mut plies: Vec<String>) -> Vec<String> {
    if plies.is_empty() {
        plies.push("pass".to_owned());
    }
    plies.sort();
    plies
}

/// The ending by goals with `side` to move, so that the other side has just moved, or is treated as
/// if it had. `goal` returns the word of the goal that a side has reached, if any.
fn judged(side: char, goal: impl Fn(char) -> Option<&'static str>, simultaneous: &str) -> Ending {
    let mover = opponent(side);
    match (goal(mover), goal(side)) {
        (Some(_), Some(_)) => Some(((simultaneous == "mover").then_some(mover), "simultaneous")),
        (Some(reason), None) => Some((Some(mover), reason)),
        (None, Some(_)) => Some((Some(side), "suicide")),
        (None, None) => None,
    }
}
