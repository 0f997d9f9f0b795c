//! Counts the plies after each ply of a position without playing them.
//!
//! All moves along a line have one length, the number of pieces on it. So how many moves of a side a line has depends only on
//! what stands on it, which is written as a number in base 3, one digit a square: the *code* of the line. A table has the number
//! of moves for each code. A move changes the codes of seven lines, those through its two squares, and the number of the
//! opponent's moves changes only on these.

/// The ways in which lines go: along columns, rows, and the diagonals of either kind.
const WAYS: usize = 4;
/// 8 columns, 8 rows and twice 15 diagonals.
const LINES: usize = 8 + 8 + 15 + 15;
/// The number of codes of all lengths, 3 + 9 + … + 3⁸.
const CODES: usize = FIRST[9];

/// By the length of a line, 1 to 8: the code of an empty one. The codes of the shorter lines come before. The last entry is the
/// number of all codes.
const FIRST: [usize; 10] = {
    let mut first = [0; 10];
    let mut length = 1;
    while length < 9 {
        first[length + 1] = first[length] + 3usize.pow(length as u32);
        length += 1;
    }
    first
};

/// A square as part of one of its lines.
#[derive(Clone, Copy)]
struct LineSquare {
    line: u8,
    /// What one unit of the square's digit adds to the code of the line.
    unit: u16,
}

/// The place of a square in its line of each way, and the length of that line.
const fn place(square: usize, way: usize) -> (LineSquare, usize) {
    let (column, row) = (square / 8, square % 8);
    let (line, at, length) = match way {
        0 => (column, row, 8),
        1 => (8 + row, column, 8),
        2 => (16 + 7 + column - row, if column < row { column } else { row }, 8 - column.abs_diff(row)),
        _ => {
            let sum = column + row;
            (31 + sum, if sum < 7 { column } else { 7 - row }, 8 - sum.abs_diff(7))
        }
    };
    (LineSquare { line: line as u8, unit: 3u16.pow(at as u32) }, length)
}

/// By square and way.
static PLACES: [[LineSquare; WAYS]; 64] = {
    let mut places = [[LineSquare { line: 0, unit: 0 }; WAYS]; 64];
    let mut index = 0;
    while index < 64 * WAYS {
        places[index / WAYS][index % WAYS] = place(index / WAYS, index % WAYS).0;
        index += 1;
    }
    places
};

/// The code of each line without pieces.
static EMPTY: [u16; LINES] = {
    let mut codes = [0; LINES];
    let mut index = 0;
    while index < 64 * WAYS {
        let (place, length) = place(index / WAYS, index % WAYS);
        codes[place.line as usize] = FIRST[length] as u16;
        index += 1;
    }
    codes
};

/// By code: the number of moves along the line of the side whose pieces are the digit 2.
static MOVES: [u8; CODES] = {
    let mut moves = [0; CODES];
    let mut length = 1;
    while length <= 8 {
        let mut code = FIRST[length];
        while code < FIRST[length + 1] {
            moves[code] = moves_along(code - FIRST[length], length);
            code += 1;
        }
        length += 1;
    }
    moves
};

/// The number of moves along a line of this length with these digits.
const fn moves_along(mut digits: usize, length: usize) -> u8 {
    let (mut own, mut theirs) = (0u8, 0u8);
    let mut at = 0;
    while at < length {
        match digits % 3 {
            1 => theirs |= 1 << at,
            2 => own |= 1 << at,
            _ => {}
        }
        digits /= 3;
        at += 1;
    }
    let distance = (own | theirs).count_ones() as usize;
    let mut moves = 0;
    let mut low = 0;
    while distance > 0 && low + distance < length {
        let high = low + distance;
        let between = (1 << high) - (2 << low);
        let ends = own >> low & 1 ^ own >> high & 1;
        // A move from one end to the other, over no piece of the other side.
        if ends != 0 && theirs as usize & between == 0 {
            moves += 1;
        }
        low += 1;
    }
    moves
}

/// The lines of a position: a piece of the side to move is the digit 1, one of its opponent, whose moves are counted, is 2.
pub(super) struct LineCodes {
    /// The code of each line.
    codes: [u16; LINES],
    /// The number of moves of each line.
    moves: [i32; LINES],
    /// The sum of `moves`.
    total: i32,
}

impl LineCodes {
    /// The lines with these pieces; the moves that are counted are those of `theirs`.
    #[inline(always)]
    pub(super) fn new(own: impl Iterator<Item = usize>, theirs: impl Iterator<Item = usize>) -> LineCodes {
        let mut codes = EMPTY;
        for square in own {
            for place in PLACES[square] {
                codes[usize::from(place.line)] += place.unit;
            }
        }
        for square in theirs {
            for place in PLACES[square] {
                codes[usize::from(place.line)] += 2 * place.unit;
            }
        }
        let moves = codes.map(|code| i32::from(MOVES[usize::from(code)]));
        LineCodes { codes, moves, total: moves.iter().sum() }
    }

    /// Takes a piece of the side to move off its square.
    #[inline(always)]
    pub(super) fn remove(&mut self, square: usize) {
        self.change(square, |code, unit| code - unit);
    }

    /// Puts a piece of the side to move on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, square: usize) {
        self.change(square, |code, unit| code + unit);
    }

    #[inline(always)]
    fn change(&mut self, square: usize, changed: impl Fn(u16, u16) -> u16) {
        for place in PLACES[square] {
            let line = usize::from(place.line);
            let code = changed(self.codes[line], place.unit);
            let moves = i32::from(MOVES[usize::from(code)]);
            self.total += moves - self.moves[line];
            (self.codes[line], self.moves[line]) = (code, moves);
        }
    }

    /// The number of moves of the side not to move if a piece of the side to move were put on this square, in place of one
    /// of its own if `captures`.
    #[inline(always)]
    pub(super) fn moves_after(&self, square: usize, captures: bool) -> i32 {
        let mut total = self.total;
        for place in PLACES[square] {
            let line = usize::from(place.line);
            let code = self.codes[line];
            let code = if captures { code - place.unit } else { code + place.unit };
            total += i32::from(MOVES[usize::from(code)]) - self.moves[line];
        }
        total
    }
}
