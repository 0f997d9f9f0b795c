//! What things look like on a screen: one table of styles, with colour and without.
//!
//! Nothing is told by colour alone. The two sides are orange and blue, which colour-blind people
//! tell apart and which differ in brightness; text and ground are both set, so that the terminal's
//! own colours do not matter.

use super::Colour;
use super::grid::Grid;
use arbiter_rules::Side;

/// The least number of columns and rows that a screen of the whole terminal needs.
pub const LEAST: (u16, u16) = (60, 20);

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Plain text.
    Text,
    /// Text of less interest.
    Minor,
    /// A title, and what is chosen in a list.
    Title,
    /// The line of the current ply, and the cursor.
    Current,
    /// What went wrong.
    Wrong,
    /// A piece of a side.
    Piece(Side),
    /// A block, on which no piece can be placed.
    Block,
}

impl Colour {
    /// The parameters of the escape sequence (SGR) of a role; none for plain text.
    pub(super) fn codes(self, role: Role) -> &'static str {
        match (self, role) {
            (_, Role::Text) | (Colour::No, Role::Block) => "",
            (_, Role::Minor) => "2",
            (_, Role::Title) | (Colour::No, Role::Wrong | Role::Piece(_)) => "1",
            (_, Role::Current) => "7",
            // Black or white on a ground of the 256 colours; all but blocks in bold.
            (Colour::Yes, Role::Wrong) => "1;38;5;0;48;5;222",
            (Colour::Yes, Role::Piece(Side::First)) => "1;38;5;0;48;5;214",
            (Colour::Yes, Role::Piece(Side::Second)) => "1;38;5;15;48;5;25",
            (Colour::Yes, Role::Block) => "38;5;15;48;5;240",
        }
    }
}

/// Says in place of a screen that it is too small, and how to leave, if it is.
pub(super) fn says_too_small(way_out: &str, grid: &mut Grid) -> bool {
    let screen = grid.area();
    let (columns, lines) = LEAST;
    let is_too_small = screen.width < columns || screen.height < lines;
    if is_too_small {
        let need = format!("at least {columns} columns and {lines} lines are needed; {way_out}");
        grid.paragraph(screen, 0, [(Role::Text, need)]);
    }
    is_too_small
}
