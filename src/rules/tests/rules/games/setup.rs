//! Random options and set-up positions, of every kind that the rules of a game treat differently.

use super::slow::write_rows;
use super::{Set, below, pick, rules, sizes};
use arbiter_rules::seed::Generator;
use arbiter_rules::{Game, Ruleset};

/// Kinds of set-up position, see [`some_position`].
pub const KINDS: usize = 5;

/// Neither side of `loa` has a move.
pub const DEAD: &str = "8/2W1B1W1/1B1B1B1B/2W1B1W1/1W1W1W1W/2W1B1W1/1B1B1B1B/2W1B1W1 B";

type Cell = (usize, usize);
type Rows = Vec<Vec<char>>;

/// Random options from their whole ranges, on boards of one size; some keep their defaults.
pub fn some_options(game: &Game, size: usize, generator: &mut Generator) -> Set {
    let mut set = Set::new();
    let mut put = |key: &str, value: String| set.push((key.to_owned(), value));
    let default_size = rules(game.name(), "").rows();
    if size != default_size || sizes(game).len() > 1 && below(generator, 2) == 0 {
        put("n", size.to_string());
    }
    match game {
        Game::Loa => {
            put("simultaneous", pick(generator, &["draw", "mover"]).to_owned());
            put("stuck", pick(generator, &["pass", "loss"]).to_owned());
        }
        Game::Lineup => {
            match below(generator, 4) {
                0 => {}
                1 => put("s", "3".to_owned()),
                _ => put("s", (3 + below(generator, size - 2)).to_string()),
            }
            match below(generator, 5) {
                0 => put("blocks", "none".to_owned()),
                1 => put("blocks", some_blocks(size, generator)),
                2 => put("b", below(generator, 2 * size + 1).to_string()),
                3 => {
                    put("b", below(generator, 2 * size + 1).to_string());
                    put("seed", generator.next_u64().to_string());
                }
                _ => {}
            }
        }
        Game::Gekitai => {
            if below(generator, 2) == 0 {
                put("p", (1 + below(generator, size * size / 2)).to_string());
            }
            if below(generator, 2) == 0 {
                put("l", (2 + below(generator, size - 1)).to_string());
            }
            put("simultaneous", pick(generator, &["draw", "mover"]).to_owned());
        }
        _ => {} // no options but the size
    }
    set
}

/// Names of distinct squares; at least one.
fn some_blocks(size: usize, generator: &mut Generator) -> String {
    let mut free = squares(size);
    let names = (0..1 + below(generator, 2 * size)).map(|_| {
        let (row, column) = draw(&mut free, generator);
        format!("{}{row}", char::from(b'a' + column as u8))
    });
    names.collect::<Vec<_>>().join(",")
}

fn squares(size: usize) -> Vec<Cell> {
    (0..size * size).map(|at| (at / size, at % size)).collect()
}

/// Removes and returns a random element.
fn draw<T>(from: &mut Vec<T>, generator: &mut Generator) -> T {
    from.swap_remove(below(generator, from.len()))
}

/// The text of a random position of a kind; kind 0 is the start position, which needs no text.
///
/// Some games are over already, or after one or two plies. In `flipflop`, kind 4 asks for a second
/// piece, and cannot be read if none can be placed.
pub fn some_position(kind: usize, ruleset: &Ruleset, generator: &mut Generator) -> Option<String> {
    let letters = ruleset.game().letters();
    let letters = [letters.first, letters.second];
    let side = pick(generator, &letters);
    let rows = match (ruleset.game(), kind) {
        (_, 0) => return None,
        (Game::Loa, 4) => return Some(DEAD.to_owned()),
        (Game::Loa, 3) => shut_up_in_corners(pick(generator, &letters), generator),
        (Game::Loa, _) => {
            let counts = letters.map(|_| match kind {
                1 => 1 + below(generator, 12),
                _ => 2 + below(generator, 2),
            });
            scattered(8, std::iter::zip(letters, counts), generator)
        }
        (Game::FlipFlop, _) => flipflop(kind, ruleset.rows(), letters, generator),
        (Game::Lineup, _) => lineup(kind, ruleset, letters, generator),
        (Game::Gekitai, _) => gekitai(kind, ruleset, letters, generator),
        #[allow(unreachable_patterns, reason = "a game may have no positions of its own here")]
        _ => return None,
    };
    let extra = match (ruleset.game(), kind) {
        (Game::FlipFlop, 4) => " 2",
        (Game::FlipFlop, _) => " 1",
        _ => "",
    };
    Some(format!("{} {side}{extra}", write_rows(&rows)))
}

/// Places these numbers of each letter on random squares.
fn scattered(
    size: usize,
    pieces: impl Iterator<Item = (char, usize)>,
    generator: &mut Generator,
) -> Rows {
    let mut rows = vec![vec!['.'; size]; size];
    scatter(&mut rows, pieces, generator);
    rows
}

/// Places these numbers of each letter on empty squares, as far as there are any.
fn scatter(
    rows: &mut Rows,
    pieces: impl Iterator<Item = (char, usize)>,
    generator: &mut Generator,
) {
    let mut free = squares(rows.len());
    free.retain(|&(row, column)| rows[row][column] == '.');
    for (letter, count) in pieces {
        for _ in 0..count.min(free.len()) {
            let (row, column) = draw(&mut free, generator);
            rows[row][column] = letter;
        }
    }
}

/// `loa`: pieces of one side are enclosed in corners by the other, so that they soon have no move.
fn shut_up_in_corners(shut: char, generator: &mut Generator) -> Rows {
    let other = if shut == 'B' { 'W' } else { 'B' };
    let mut rows = vec![vec!['.'; 8]; 8];
    let mut corners: Vec<Cell> = vec![(0, 0), (0, 7), (7, 0), (7, 7)];
    for _ in 0..2 + below(generator, 2) {
        let (row, column) = draw(&mut corners, generator);
        let [near_row, near_column] = [row, column].map(|at| if at == 0 { 1 } else { 6 });
        rows[row][column] = shut;
        for (down, right) in [(near_row, column), (row, near_column), (near_row, near_column)] {
            rows[down][right] = other;
        }
    }
    let mut middle = squares(8);
    middle.retain(|&(row, column)| (2..6).contains(&row) && (2..6).contains(&column));
    for letter in [shut, other] {
        for _ in 0..below(generator, 3) {
            let (row, column) = draw(&mut middle, generator);
            rows[row][column] = letter;
        }
    }
    rows
}

/// Many pieces; few pieces, sometimes of one side only; nearly all squares filled; many pieces with
/// a second piece to place.
fn flipflop(kind: usize, size: usize, letters: [char; 2], generator: &mut Generator) -> Rows {
    let all = size * size;
    let counts = match kind {
        2 => letters.map(|_| below(generator, 5)),
        3 => {
            let first = below(generator, all);
            [first, all - first - 1 - below(generator, 6).min(all - first - 1)]
        }
        _ => {
            let first = below(generator, all);
            [first, below(generator, all - first)]
        }
    };
    scattered(size, std::iter::zip(letters, counts), generator)
}

/// This many squares in a row, in a random direction.
fn line(size: usize, length: usize, generator: &mut Generator) -> Vec<Cell> {
    let (down, right) = pick(generator, &[(0, 1), (1, 0), (1, 1), (1, -1)]);
    let row = below(generator, size - down * (length - 1));
    let reach = if right == 0 { 0 } else { length - 1 };
    let column = below(generator, size - reach) + if right < 0 { reach } else { 0 };
    (0..length)
        .map(|step| (row + down * step, column.wrapping_add_signed(right * step as isize)))
        .collect()
}

/// Gives each side a line of pieces, or nearly one, and returns how many pieces each has; lines may
/// cross.
fn lines(
    rows: &mut Rows,
    length: usize,
    letters: [char; 2],
    generator: &mut Generator,
) -> [usize; 2] {
    for letter in letters {
        let gap = below(generator, 3 * length);
        for (step, (row, column)) in line(rows.len(), length, generator).into_iter().enumerate() {
            if step != gap {
                rows[row][column] = letter;
            }
        }
    }
    letters.map(|letter| rows.iter().flatten().filter(|&&it| it == letter).count())
}

/// Random pieces and blocks; few pieces with the blocks of the options; nearly all squares filled;
/// lines of both sides.
fn lineup(kind: usize, ruleset: &Ruleset, letters: [char; 2], generator: &mut Generator) -> Rows {
    let size = ruleset.rows();
    let all = size * size;
    let mut rows = vec![vec!['.'; size]; size];
    let [first, second] = letters;
    match kind {
        1 => {
            let counts = [second, '#', first].map(|letter| (letter, below(generator, all / 2)));
            scatter(&mut rows, counts.into_iter(), generator);
        }
        2 => {
            for (_, blocks) in ruleset.options().into_iter().filter(|(key, _)| *key == "blocks") {
                for name in blocks.split(',').filter(|&name| name != "none") {
                    rows[name[1..].parse::<usize>().unwrap()]
                        [usize::from(name.as_bytes()[0] - b'a')] = '#';
                }
            }
            scatter(
                &mut rows,
                letters.map(|letter| (letter, below(generator, size))).into_iter(),
                generator,
            );
        }
        3 => {
            let blocks = below(generator, size);
            let pieces = all - blocks - below(generator, 6);
            let counts = [('#', blocks), (first, pieces / 2), (second, pieces - pieces / 2)];
            scatter(&mut rows, counts.into_iter(), generator);
        }
        _ => {
            lines(&mut rows, ruleset.in_a_row().unwrap(), letters, generator);
            let counts = ['#', first, second].map(|letter| (letter, below(generator, size)));
            scatter(&mut rows, counts.into_iter(), generator);
        }
    }
    rows
}

/// Random pieces; many on an edge; all pieces on the board, or all but one; lines of both sides.
fn gekitai(kind: usize, ruleset: &Ruleset, letters: [char; 2], generator: &mut Generator) -> Rows {
    let size = ruleset.rows();
    let mut rows = vec![vec!['.'; size]; size];
    let most = super::settings(ruleset)
        .iter()
        .find(|(key, _)| key == "p")
        .unwrap()
        .1
        .parse::<usize>()
        .unwrap();
    let mut on_board = [0, 0];
    let length = ruleset.in_a_row().unwrap();
    if kind == 4 && length <= most {
        on_board = lines(&mut rows, length, letters, generator);
    }
    let counts = on_board.map(|there| match kind {
        3 => most - below(generator, 3).min(1),
        _ => below(generator, most - there + 1).min(below(generator, most - there + 1)),
    });
    scatter(&mut rows, std::iter::zip(letters, counts), generator);
    if kind == 2 {
        rows.sort_by_key(|row| row.iter().filter(|&&it| it == '.').count());
    }
    rows
}
