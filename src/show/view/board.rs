//! A board on a screen: pieces, what the last ply changed, a cursor and legal plies. Every mark is
//! a sign beside the piece, so that it is seen without colour. A board that has no room scrolls.

use super::grid::{Grid, Rect};
use super::look::Role;
use arbiter_rules::{Cell, ChangedSquare, Position, Ruleset, SquareChange};
use std::ops::Range;

/// Row and column of a square.
pub(super) type At = (usize, usize);

/// The columns of the screen that a square takes: its piece between two signs; one more where names
/// of columns have three letters.
fn cell_width(ruleset: &Ruleset) -> u16 {
    let widest = (0..ruleset.columns()).map(|column| ruleset.column_name(column).len()).max();
    if widest > Some(2) { 4 } else { 3 }
}

/// What [`MARKS`] mean, in a line of 60 columns.
pub const MARKS_IN_SHORT: &str = "[ ] moved  { } took  ( ) left  < > changed  x x off  = = won";

/// The signs around a square that a ply changed or that won, and what they mean.
pub const MARKS: [(&str, &str); 6] = [
    ("[ ]", "the piece that moved or was placed"),
    ("{ }", "the same, and it took a piece"),
    ("( )", "where a piece came from"),
    ("< >", "captured, or pushed to here"),
    ("x x", "pushed off the board from here"),
    ("= =", "part of the line or group that won"),
];

/// Which way round a board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Orientation {
    /// As the text board has it.
    #[default]
    AsPrinted,
    /// Turned by half a turn.
    Turned,
}

impl Orientation {
    /// The other one.
    pub fn turned(self) -> Orientation {
        match self {
            Orientation::AsPrinted => Orientation::Turned,
            Orientation::Turned => Orientation::AsPrinted,
        }
    }

    /// The square this many rows and columns of the drawing away from another, or the last one
    /// before the edge.
    pub(super) fn step(
        self,
        ruleset: &Ruleset,
        (row, column): At,
        (rows, columns): (isize, isize),
    ) -> At {
        let sign = if self == Orientation::Turned { -1 } else { 1 };
        let row = row.saturating_add_signed(sign * rows).min(ruleset.rows() - 1);
        let column = column.saturating_add_signed(sign * columns).min(ruleset.columns() - 1);
        (row, column)
    }

    /// The row or column of the board at a place of the drawing, and the other way.
    fn swap(self, size: usize, at: usize) -> usize {
        match self {
            Orientation::AsPrinted => at,
            Orientation::Turned => size - 1 - at,
        }
    }
}

#[derive(Debug, Clone)]
pub struct BoardView<'a> {
    pub position: &'a Position,
    /// What the last ply changed.
    pub changes: &'a [ChangedSquare],
    /// The squares that legal plies lead to, if they are shown.
    pub targets: Vec<At>,
    /// The square of the cursor, if it is shown.
    pub cursor: Option<At>,
    /// Which way round.
    pub orientation: Orientation,
}

/// The part of a board that has room.
struct VisiblePart {
    /// The width of the rows' names.
    label: u16,
    /// The rows and columns of the drawing.
    rows: Range<usize>,
    columns: Range<usize>,
}

impl BoardView<'_> {
    /// The number of columns and of rows of the screen that a whole board takes.
    pub fn size(ruleset: &Ruleset) -> (u16, u16) {
        // There are at most 32 rows and columns.
        let width = label_width(ruleset) + cell_width(ruleset) * ruleset.columns() as u16;
        (width, ruleset.rows() as u16 + 1)
    }

    /// Row and column of the square that is drawn at a place of the screen.
    pub fn square_at(&self, area: Rect, column: u16, row: u16) -> Option<At> {
        let mut part = self.part(area);
        let cell = cell_width(&self.position.ruleset());
        let across = usize::from(column.checked_sub(area.x + part.label)? / cell);
        let down = usize::from(row.checked_sub(area.y + 1)?);
        Some(self.swapped((part.rows.nth(down)?, part.columns.nth(across)?)))
    }

    /// The board's square at a place of the drawing, and the other way.
    fn swapped(&self, (row, column): At) -> At {
        let ruleset = self.position.ruleset();
        (
            self.orientation.swap(ruleset.rows(), row),
            self.orientation.swap(ruleset.columns(), column),
        )
    }

    /// The part around the cursor, or else around the last ply.
    fn part(&self, area: Rect) -> VisiblePart {
        let ruleset = self.position.ruleset();
        let label = label_width(&ruleset);
        let focus = self.cursor.or_else(|| arrival(self.changes)).unwrap_or(middle(&ruleset));
        let (row, column) = self.swapped(focus);
        let across = area.width.saturating_sub(label) / cell_width(&ruleset);
        VisiblePart {
            label,
            rows: visible(row, area.height.saturating_sub(1), ruleset.rows()),
            columns: visible(column, across, ruleset.columns()),
        }
    }

    /// The three signs of a square, and what they are.
    fn cell(&self, at: At, won: &[At]) -> ([char; 3], Role) {
        let cell = self.position.cell(at.0, at.1);
        let is_empty = cell == Cell::Empty;
        let mut letter = self.position.letter(at.0, at.1).unwrap_or('.');
        let mut role = match cell {
            Cell::Empty => Role::Minor,
            Cell::Piece(side) => Role::Piece(side),
            Cell::Block => Role::Block,
        };
        let change = self.changes.iter().find(|(square, _)| *square == at);
        let is_target = self.targets.contains(&at);
        if is_empty && (is_target || change.is_some() && !won.contains(&at)) {
            role = Role::Title;
        }
        // A square has room for one mark: what the person does now hides what the last ply did.
        let [left, right] = if self.cursor == Some(at) {
            role = Role::Current;
            ['|', '|']
        } else if is_target && is_empty {
            letter = '*';
            [' ', ' ']
        } else if is_target {
            ['*', '*']
        } else if won.contains(&at) {
            ['=', '=']
        } else if let Some((_, change)) = change {
            signs(*change)
        } else {
            [' ', ' ']
        };
        ([left, letter, right], role)
    }
}

/// Of `all` rows or columns those that have room: with `focus` in the middle, if it can be.
fn visible(focus: usize, room: u16, all: usize) -> Range<usize> {
    let count = usize::from(room).min(all);
    let first = focus.saturating_sub(count / 2).min(all - count);
    first..first + count
}

/// The square that a piece moved to or was placed on.
pub(super) fn arrival(changes: &[ChangedSquare]) -> Option<At> {
    for (at, change) in changes {
        if matches!(change, SquareChange::Arrived | SquareChange::Took) {
            return Some(*at);
        }
    }
    None
}

/// The signs around a changed square, as [`MARKS`] explains them.
fn signs(change: SquareChange) -> [char; 2] {
    match change {
        SquareChange::Arrived => ['[', ']'],
        SquareChange::Took => ['{', '}'],
        SquareChange::Left | SquareChange::PushedFrom => ['(', ')'],
        SquareChange::Recoloured | SquareChange::PushedTo => ['<', '>'],
        SquareChange::PushedOff => ['x', 'x'],
    }
}

/// The square in the middle of the board, or the one below and right of it.
pub(super) fn middle(ruleset: &Ruleset) -> At {
    (ruleset.rows() / 2, ruleset.columns() / 2)
}

fn label_width(ruleset: &Ruleset) -> u16 {
    let widest = (0..ruleset.rows()).map(|row| ruleset.row_name(row).len()).max();
    widest.unwrap_or_default().max(2) as u16 // at most three
}

impl BoardView<'_> {
    /// Draws the board, or the part of it that has room.
    pub(super) fn draw(&self, area: Rect, grid: &mut Grid) {
        let area = area.intersection(grid.area());
        let ruleset = self.position.ruleset();
        let part = self.part(area);
        if part.rows.is_empty() || part.columns.is_empty() {
            return;
        }
        let width = usize::from(part.label);
        let vertical = match (part.rows.start > 0, part.rows.end < ruleset.rows()) {
            (false, false) => ' ',
            (true, false) => '↑',
            (false, true) => '↓',
            (true, true) => '↕',
        };
        let cell = cell_width(&ruleset);
        let left = if part.columns.start > 0 { '←' } else { ' ' };
        let hidden = format!("{left}{vertical}");
        grid.text(Role::Minor, area, format!("{hidden:>width$}"));
        let columns = || (area.x + part.label..).step_by(cell.into()).zip(part.columns.clone());
        for (x, at) in columns() {
            let (_, column) = self.swapped((0, at));
            let name = format!("{:^3}", ruleset.column_name(column));
            grid.text(Role::Minor, Rect { x, ..area }, name);
        }
        if part.columns.end < ruleset.columns() {
            // No name is as long.
            let x = area.x + part.label + cell * part.columns.len() as u16 - 1;
            grid.text(Role::Minor, Rect { x, ..area }, "→");
        }
        let won = self.position.winning_squares();
        for (y, down) in (area.y + 1..).zip(part.rows) {
            let (row, _) = self.swapped((down, 0));
            let name = format!("{:>width$}", ruleset.row_name(row));
            grid.text(Role::Minor, Rect { y, ..area }, name);
            for (x, across) in columns() {
                let (signs, role) = self.cell(self.swapped((down, across)), &won);
                grid.text(role, Rect { x, y, ..area }, String::from_iter(signs));
            }
        }
    }
}

/// Row and column of the squares that the legal plies from this square lead to; where pieces are
/// placed, all squares that a piece can be placed on.
pub fn targets_of(position: &Position, from: At) -> Vec<At> {
    let mut targets = Vec::new();
    for ply in position.plies() {
        match position.squares(ply)[..] {
            [start, next, ..] if start == from => targets.push(next),
            [end] => targets.push(end),
            _ => {}
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    /// The lines of a board that is drawn on a screen of this size.
    fn drawn(view: BoardView<'_>, width: u16, height: u16) -> Vec<String> {
        let mut grid = Grid::new(Rect::new(0, 0, width, height));
        view.draw(grid.area(), &mut grid);
        grid.lines()
    }

    fn view(position: &Position) -> BoardView<'_> {
        let orientation = Orientation::AsPrinted;
        BoardView { position, changes: &[], targets: Vec::new(), cursor: None, orientation }
    }

    #[test]
    fn what_a_ply_changed_is_marked_by_signs() {
        assert!(MARKS_IN_SHORT.len() <= 60);
        assert!(MARKS.iter().all(|(sign, _)| MARKS_IN_SHORT.contains(sign)));
        let gekitai = Ruleset::named("gekitai", "").unwrap();
        let before = gekitai.read_position("X5/6/2X3/6/6/6 O").unwrap();
        let ply = gekitai.read_ply("b2").unwrap();
        let after = before.after(ply);
        let changes = before.changes(ply);
        let view = BoardView { changes: &changes, ..view(&after) };
        assert_eq!(
            drawn(view, 20, 5),
            [
                " ↓ a  b  c  d  e  f ",
                " 1x.x .  .  .  .  . ",
                " 2 . [O] .  .  .  . ",
                " 3 .  . (.) .  .  . ",
                " 4 .  .  . <X> .  . "
            ]
        );
    }

    #[test]
    fn the_line_that_won_is_marked() {
        let lineup = Ruleset::named("lineup", "n=4 s=3 blocks=a0").unwrap();
        let before = lineup.read_position("#3/OO2/XX2/4 O").unwrap();
        let ply = lineup.read_ply("c1").unwrap();
        let (after, changes) = (before.after(ply), before.changes(ply));
        let lines = drawn(BoardView { changes: &changes, ..view(&after) }, 14, 5);
        assert_eq!(lines[2..4], [" 1=O==O==O= . ", " 2 X  X  .  . "]);
    }

    #[test]
    fn a_large_board_scrolls_to_the_last_ply_or_the_cursor() {
        let flipflop = Ruleset::named("flipflop", "n=24").unwrap();
        let start = flipflop.start();
        let whole = BoardView::size(&flipflop);
        assert_eq!(whole, (3 + 72, 25));
        let lines = drawn(BoardView { cursor: Some((0, 23)), ..view(&start) }, 15, 4);
        assert_eq!(
            lines,
            [" ←↓20 21 22 23 ", "  0 .  .  . |.|", " 24 .  .  .  . ", " 48 .  .  .  . "]
        );
        let inside = drawn(BoardView { cursor: Some((12, 12)), ..view(&start) }, 12, 4);
        assert_eq!(inside, [" ←↕11 12 13→", "264 W  B  . ", "288 B |W| . ", "312 .  .  . "]);
    }

    #[test]
    fn a_turned_board_is_turned_by_half_a_turn_and_squares_are_found_on_it() {
        let loa = Ruleset::named("loa", "").unwrap();
        let position = loa.read_position("1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/2WWWWW1 B").unwrap();
        let turned = BoardView { orientation: Orientation::Turned, ..view(&position) };
        let lines = drawn(turned.clone(), 26, 9);
        assert_eq!(lines[0], "   h  g  f  e  d  c  b  a ");
        assert_eq!(lines[1], " 7 .  W  W  W  W  W  .  . ");
        assert_eq!(lines[2], " 6 B  .  .  .  .  .  .  B ");
        let area = Rect::new(5, 3, 26, 9);
        assert_eq!(turned.square_at(area, 5 + 2, 4), Some((7, 7)));
        assert_eq!(turned.square_at(area, 5 + 25, 3 + 8), Some((0, 0)));
        for (column, row) in [(6, 4), (5 + 26, 4), (7, 3), (7, 12), (0, 0)] {
            assert_eq!(turned.square_at(area, column, row), None, "{column} {row}");
        }
    }

    #[test]
    fn boards_of_any_size_and_letters_are_drawn() {
        use arbiter_rules::own::sample::{self, Row};
        const KINGS: &[Row] = &[("K1O/#Q1 X", &[("one", "1KO/#Q1 O")])];
        let start =
            sample::game("kings", "XO 2x3 pieces=XK,OQ rows=10,9 columns=aaa,b,ccc", KINGS).start();
        assert_eq!(BoardView::size(&start.ruleset()), (2 + 12, 3));
        let view = BoardView { cursor: Some((1, 1)), ..view(&start) };
        assert_eq!(
            drawn(view.clone(), 14, 3),
            ["  aaa  b  ccc ", "10 K   .   O  ", " 9 #  |Q|  .  "]
        );
        assert_eq!(view.square_at(Rect::new(0, 0, 14, 3), 2 + 8, 1), Some((0, 2)));
        assert_eq!(drawn(view, 10, 3), ["  aaa  b →", "10 K   .  ", " 9 #  |Q| "]);
    }

    #[test]
    fn legal_plies_are_shown() {
        let loa = Ruleset::named("loa", "").unwrap();
        let start = loa.start();
        let targets = targets_of(&start, (2, 0));
        let shown = BoardView { targets, cursor: Some((2, 0)), ..view(&start) };
        let lines = drawn(shown, 26, 9);
        assert_eq!(lines[1], " 0 .  W *W* W  W  W  W  . ");
        assert_eq!(lines[3], " 2|B| .  *  .  .  .  .  B ");
        let gekitai = Ruleset::named("gekitai", "").unwrap().start();
        assert_eq!(targets_of(&gekitai, (0, 0)).len(), 36);
    }
}
