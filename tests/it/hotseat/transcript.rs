//! The output of `arbiter hotseat` in a whole game without invalid moves: a second implementation,
//! written from the specification.

use arbiter::rules::{Cell, Ending, Ply, Position, Ruleset, Side};

fn letter(position: &Position, row: usize, column: usize) -> char {
    match position.cell(row, column) {
        Cell::Empty => '.',
        Cell::Block => '#',
        Cell::Piece(side) => position.ruleset().letter(side),
    }
}

fn rows(position: &Position, first: usize, width: usize) -> String {
    let ruleset = position.ruleset();
    let row = |row: usize| {
        let cells: String = (0..ruleset.columns())
            .map(|column| format!(" {}", letter(position, row, column)))
            .collect();
        format!("{:>width$}{cells}\n", row + first)
    };
    (0..ruleset.rows()).map(row).collect()
}

fn verdict(position: &Position, ending: Ending, before: &str) -> String {
    ending.winner.map_or("Draw game!\n".to_owned(), |side| {
        format!("{before}{} wins!\n", position.ruleset().letter(side))
    })
}

fn side(position: &Position) -> char {
    position.ruleset().letter(position.side())
}

/// Every position, and the ply after each but the last.
pub fn loa(positions: &[Position], plies: &[Ply]) -> String {
    let mut out = String::new();
    for (at, position) in positions.iter().enumerate() {
        if at == 0 || plies[at - 1] != Ply::Pass {
            out += &format!("  a b c d e f g h\n{}", rows(position, 0, 1));
        }
        out += &match position.ending() {
            Some(ending) => verdict(position, ending, ""),
            None if plies[at] == Ply::Pass => format!("{} has no move.\n", side(position)),
            None => format!("{}'s move: ", side(position)),
        };
    }
    out
}

/// From the start position.
pub fn gekitai(ruleset: &Ruleset, plies: &[&str]) -> String {
    let letters = ["A", "B", "C", "D", "E", "F", "G", "H"];
    let header = format!("   {}\n", letters[..ruleset.columns()].join(" "));
    let mut position = ruleset.start();
    let mut out = format!("Round 1:\n{header}{}Player X's turn: ", rows(&position, 1, 2));
    for (at, ply) in plies.iter().enumerate() {
        position.play(ruleset.read_ply(ply).unwrap());
        let board = format!("{header}{}", rows(&position, 1, 2));
        out += &match position.ending() {
            None => format!("Round {}:\n{board}Player {}'s turn: ", at + 2, side(&position)),
            Some(ending) => format!("Game over:\n{board}{}", verdict(&position, ending, "Player ")),
        };
    }
    out
}

/// Every position.
pub fn lineup(positions: &[Position]) -> String {
    let size = positions[0].ruleset().rows();
    let width = (size - 1).to_string().len();
    let header: String = ('A'..='S').take(size).map(|letter| format!(" {letter}")).collect();
    let show = |position: &Position| {
        let then = match position.ending() {
            Some(ending) => verdict(position, ending, "Player "),
            None => format!("Player {}'s turn: ", side(position)),
        };
        format!("{:width$}{header}\n{}{then}", "", rows(position, 0, width))
    };
    positions.iter().map(show).collect()
}

/// The input and the expected output.
pub fn flipflop(positions: &[Position], plies: &[Ply]) -> (String, String) {
    let name = |letter| if letter == 'W' { "White" } else { "Black" };
    let ruleset = positions[0].ruleset();
    let size = ruleset.rows();
    let board = |position: &Position| {
        let mut out = String::new();
        for at in 0..size * size {
            let letter = letter(position, at / size, at % size);
            let field = if letter == '.' { at.to_string() } else { letter.to_string() };
            out += &format!("{field:>4}{}", if at % size == size - 1 { "\n" } else { "" });
        }
        out
    };
    let (mut typed, mut out) = (String::new(), board(&positions[0]));
    for (at, ply) in plies.iter().enumerate() {
        let (before, after) = (&positions[at], &positions[at + 1]);
        let mover = name(side(before));
        let second = before.piece() == Some(2);
        let question = format!("{mover}, do you want a second piece? (y/n) ");
        let which = match (ply, second) {
            (Ply::Pass, true) => {
                typed += "N\n";
                out += &format!("{question}{mover} has declined the second piece\n");
                continue;
            }
            (Ply::Pass, false) => {
                out += &format!("{mover} is unable to move\n");
                continue;
            }
            (_, true) => {
                typed += "Yes ";
                out += &question;
                "second"
            }
            (_, false) => "first",
        };
        typed += &format!("{}\n", ruleset.ply_text(*ply));
        let captured = before.piece_count(!before.side()) - after.piece_count(!before.side());
        let plural = if captured == 1 { "" } else { "s" };
        out += &format!("{mover}, {which} piece: {mover} has placed the {which} piece\n");
        out += &format!("{mover} has captured {captured} piece{plural}\n{}", board(after));
    }
    let last = &positions[positions.len() - 1];
    let [white, black] = Side::BOTH.map(|side| last.piece_count(side));
    let (mover, other) = if side(last) == 'W' { ("White", "Black") } else { ("Black", "White") };
    out += &format!(
        "{mover} is unable to move\n{other} is unable to move\nWhite: {white}, Black: {black}\n"
    );
    let winner = last.ending().unwrap().winner;
    out += &winner
        .map_or("Draw game!\n".into(), |side| format!("{} wins!\n", name(ruleset.letter(side))));
    (typed, out)
}
