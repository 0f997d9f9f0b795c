//! `loa` once more, read from rules.md alone: lists of lists of letters, and nothing that is clever.

const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// Row and column.
pub type Square = (i32, i32);

#[derive(Clone)]
pub struct Loa {
    /// `B`, `W` or `.`; the top row first.
    pub rows: Vec<Vec<char>>,
    pub side: char,
    pub passes: u32,
    pub simultaneous: &'static str,
    pub stuck: &'static str,
}

pub fn squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|row| (0..8).map(move |column| (row, column)))
}

pub fn opponent(letter: char) -> char {
    if letter == 'B' { 'W' } else { 'B' }
}

pub fn name((row, column): Square) -> String {
    let letter = "abcdefgh".chars().nth(column as usize).unwrap();
    format!("{letter}{row}")
}

pub fn square(name: &str) -> Square {
    squares().find(|&square| self::name(square) == name).unwrap()
}

impl Loa {
    pub fn empty(side: char, (simultaneous, stuck): (&'static str, &'static str)) -> Loa {
        Loa { rows: vec![vec!['.'; 8]; 8], side, passes: 0, simultaneous, stuck }
    }

    pub fn read(text: &str, setting: (&'static str, &'static str)) -> Loa {
        let (rows, side) = text.split_once(' ').unwrap();
        let mut game = Loa::empty(side.chars().next().unwrap(), setting);
        for (row, text) in rows.split('/').enumerate() {
            game.rows[row].clear();
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(count) => (0..count).for_each(|_| game.rows[row].push('.')),
                    None => game.rows[row].push(letter),
                }
            }
        }
        game
    }

    pub fn text(&self) -> String {
        let mut rows: Vec<String> = self.rows.iter().map(|row| row.iter().collect()).collect();
        for count in (1..=8).rev() {
            rows.iter_mut().for_each(|row| *row = row.replace(&".".repeat(count), &count.to_string()));
        }
        format!("{} {}", rows.join("/"), self.side)
    }

    /// What is on a square; none off the board.
    fn at(&self, (row, column): Square) -> Option<char> {
        let on_board = (0..8).contains(&row) && (0..8).contains(&column);
        on_board.then(|| self.rows[row as usize][column as usize])
    }

    pub fn put(&mut self, (row, column): Square, letter: char) {
        self.rows[row as usize][column as usize] = letter;
    }

    pub fn pieces(&self, letter: char) -> Vec<Square> {
        squares().filter(|&square| self.at(square) == Some(letter)).collect()
    }

    /// The squares from one to the edge, itself not included.
    fn ray(&self, (row, column): Square, (down, right): (i32, i32)) -> Vec<Square> {
        let steps = (1..8).map(|n| (row + n * down, column + n * right));
        steps.take_while(|&square| self.at(square).is_some()).collect()
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in self.pieces(self.side) {
            for (down, right) in DIRECTIONS {
                let ahead = self.ray(from, (down, right));
                let line = [&ahead[..], &self.ray(from, (-down, -right))].concat();
                let count = 1 + line.iter().filter(|&&square| self.at(square) != Some('.')).count();
                if count > ahead.len() {
                    continue; // off the board
                }
                let (between, to) = (&ahead[..count - 1], ahead[count - 1]);
                let jumps_opponent =
                    between.iter().any(|&square| self.at(square) == Some(opponent(self.side)));
                if !jumps_opponent && self.at(to) != Some(self.side) {
                    moves.push(name(from) + &name(to));
                }
            }
        }
        moves
    }

    /// The legal plies of a game that is not over.
    pub fn plies(&self) -> Vec<String> {
        let mut plies = self.moves();
        if plies.is_empty() {
            plies.push("pass".to_owned());
        }
        plies.sort();
        plies
    }

    pub fn play(&mut self, ply: &str) {
        if ply == "pass" {
            self.passes += 1;
        } else {
            self.passes = 0;
            self.put(square(&ply[..2]), '.');
            self.put(square(&ply[2..]), self.side);
        }
        self.side = opponent(self.side);
    }

    fn is_connected(&self, letter: char) -> bool {
        let mut left = self.pieces(letter);
        let mut reached = vec![left.pop().unwrap()];
        while let Some((row, column)) = reached.pop() {
            let near = |&(r, c): &Square| (row - r).abs() <= 1 && (column - c).abs() <= 1;
            reached.extend(left.iter().copied().filter(near));
            left.retain(|square| !near(square));
        }
        left.is_empty()
    }

    /// Winner and reason.
    pub fn ending(&self) -> Option<(Option<char>, &'static str)> {
        let mover = opponent(self.side);
        let connected = [mover, self.side].map(|letter| self.is_connected(letter));
        if connected == [true, true] {
            let winner = if self.simultaneous == "mover" { Some(mover) } else { None };
            return Some((winner, "simultaneous"));
        }
        if connected[0] {
            return Some((Some(mover), "connected"));
        }
        if connected[1] {
            return Some((Some(self.side), "suicide"));
        }
        if self.stuck == "loss" && self.moves().is_empty() {
            return Some((Some(mover), "stuck"));
        }
        (self.passes >= 2).then_some((None, "stalemate"))
    }

    /// The board with every square's letter moved to another square.
    pub fn mapped(&self, map: impl Fn(Square) -> Square) -> Loa {
        let mut mapped = self.clone();
        squares().for_each(|square| mapped.put(map(square), self.at(square).unwrap()));
        mapped
    }
}
