//! What things look like on a screen: one table of styles, with colour and without.
//!
//! Nothing is told by colour alone. The two sides are orange and blue, which colour-blind people tell apart
//! and which differ in brightness; text and ground are both set, so that the terminal's own colours do not
//! matter.

use super::Colour;
use crate::rules::Side;
use ratatui::style::{Color, Modifier, Style};

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
    /// A block of `lineup`.
    Block,
}

impl Colour {
    /// The style of a role.
    #[must_use]
    pub fn style(self, role: Role) -> Style {
        let plain = Style::new();
        let (colour, modifier) = match role {
            Role::Text => (plain, Modifier::empty()),
            Role::Minor => (plain, Modifier::DIM),
            Role::Title => (plain, Modifier::BOLD),
            Role::Current => (plain, Modifier::REVERSED),
            Role::Wrong => (plain.fg(Color::Black).bg(Color::Indexed(222)), Modifier::BOLD),
            Role::Piece(Side::First) => (plain.fg(Color::Black).bg(Color::Indexed(214)), Modifier::BOLD),
            Role::Piece(Side::Second) => (plain.fg(Color::White).bg(Color::Indexed(25)), Modifier::BOLD),
            Role::Block => (plain.fg(Color::White).bg(Color::Indexed(240)), Modifier::empty()),
        };
        match self {
            Colour::Yes => colour.add_modifier(modifier),
            Colour::No => plain.add_modifier(modifier),
        }
    }
}
