//! What things look like on a screen: one table of styles, with colour and without.
//!
//! Nothing is told by colour alone. The two sides are orange and blue, which colour-blind people
//! tell apart and which differ in brightness; text and ground are both set, so that the terminal's
//! own colours do not matter.

use super::Colour;
use arbiter_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

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
    /// The style of a role.
    pub fn style(self, role: Role) -> Style {
        let modifier = match role {
            Role::Text | Role::Block => Modifier::empty(),
            Role::Minor => Modifier::DIM,
            Role::Title | Role::Wrong | Role::Piece(_) => Modifier::BOLD,
            Role::Current => Modifier::REVERSED,
        };
        let plain = Style::new().add_modifier(modifier);
        let (text, ground) = match role {
            _ if self == Colour::No => return plain,
            Role::Text | Role::Minor | Role::Title | Role::Current => return plain,
            Role::Wrong => (Color::Black, 222),
            Role::Piece(Side::First) => (Color::Black, 214),
            Role::Piece(Side::Second) => (Color::White, 25),
            Role::Block => (Color::White, 240),
        };
        plain.fg(text).bg(Color::Indexed(ground))
    }

    /// Draws one line of text, cut off at the end of the area.
    pub(super) fn text(self, role: Role, area: Rect, text: impl AsRef<str>, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        if !area.is_empty() {
            buffer.set_stringn(area.x, area.y, text, usize::from(area.width), self.style(role));
        }
    }

    /// Says in place of a screen that it is too small, and how to leave, if it is.
    pub(super) fn says_too_small(self, way_out: &str, buffer: &mut Buffer) -> bool {
        let screen = *buffer.area();
        let (columns, lines) = LEAST;
        let is_too_small = screen.width < columns || screen.height < lines;
        if is_too_small {
            let need =
                format!("at least {columns} columns and {lines} lines are needed; {way_out}");
            paragraph(vec![self.line(Role::Text, need)], 0, screen, buffer);
        }
        is_too_small
    }

    /// A line of one role.
    pub(super) fn line(self, role: Role, text: impl Into<String>) -> Line<'static> {
        Line::from(Span::styled(text.into(), self.style(role)))
    }
}

/// Draws lines that are broken where they are too long, from the line `scroll` on.
pub(super) fn paragraph(lines: Vec<Line<'_>>, scroll: u16, area: Rect, buffer: &mut Buffer) {
    let area = area.intersection(buffer.area);
    Paragraph::new(lines).wrap(Wrap { trim: false }).scroll((scroll, 0)).render(area, buffer);
}
