//! Which game is played, and with which options.

use super::position::Board;
use super::{BySide, OptionError, OptionSpec, Ply, PlyError, Position, PositionError, Side, loa};
use std::fmt;

/// One of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Game {
    /// Lines of Action.
    Loa,
}

impl Game {
    /// All of them.
    pub const ALL: [Game; 1] = [Game::Loa];

    /// The name in commands and logs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Game::Loa => "loa",
        }
    }

    /// The game of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Game> {
        Game::ALL.into_iter().find(|game| game.name() == name)
    }

    /// Its rule options with defaults and ranges.
    #[must_use]
    pub fn options(self) -> &'static [OptionSpec] {
        match self {
            Game::Loa => loa::OPTIONS,
        }
    }

    /// The letters of the two sides.
    #[must_use]
    pub fn letters(self) -> BySide<char> {
        match self {
            Game::Loa => loa::LETTERS,
        }
    }

    /// The side whose bot a log calls `White` (gamelog.md): W in `loa` and `flipflop`, O in `lineup`, X in
    /// `gekitai`.
    #[must_use]
    pub fn white(self) -> Side {
        match self {
            Game::Loa => Side::Second,
        }
    }
}

/// Which of the games, with its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ruleset(pub(super) Rules);

/// One arm a game; nothing outside this room sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Rules {
    Loa(loa::Rules),
}

impl Ruleset {
    /// The rules of the game of that name with these options (key, value); what is not given is the default.
    ///
    /// # Errors
    /// An unknown game or option, an option given twice, or a value outside its range.
    pub fn named(name: &str, set: &[(String, String)]) -> Result<Ruleset, OptionError> {
        match Game::named(name) {
            Some(Game::Loa) => Ok(Ruleset(Rules::Loa(loa::Rules::new(set)?))),
            None => {
                Err(OptionError::Game { game: name.to_owned(), known: Game::ALL.map(Game::name).join(", ") })
            }
        }
    }

    /// Which game.
    #[must_use]
    pub fn game(self) -> Game {
        match self.0 {
            Rules::Loa(_) => Game::Loa,
        }
    }

    /// Every option with its value, in the order of [`Game::options`].
    #[must_use]
    pub fn options(self) -> Vec<(&'static str, String)> {
        let values = match self.0 {
            Rules::Loa(rules) => rules.values(),
        };
        self.game().options().iter().zip(values).map(|(spec, value)| (spec.key, value.to_owned())).collect()
    }

    /// The options as a log's `Options` tag writes them: `simultaneous=draw stuck=pass`.
    #[must_use]
    pub fn options_text(self) -> String {
        self.options().iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// Rows, and columns.
    #[must_use]
    pub fn size(self) -> usize {
        match self.0 {
            Rules::Loa(_) => loa::SIZE,
        }
    }

    /// The number of the row that is printed and sent first.
    #[must_use]
    pub fn first_row(self) -> usize {
        match self.0 {
            Rules::Loa(_) => 0,
        }
    }

    /// The letter of a side.
    #[must_use]
    pub fn letter(self, side: Side) -> char {
        self.game().letters()[side]
    }

    /// The start position.
    #[must_use]
    pub fn start(self) -> Position {
        match self.0 {
            Rules::Loa(rules) => Position(Board::Loa(rules.start())),
        }
    }

    /// Reads a position text, strictly.
    ///
    /// # Errors
    /// A sentence that names the row or field.
    pub fn read_position(self, text: &str) -> Result<Position, PositionError> {
        match self.0 {
            Rules::Loa(rules) => rules.read_position(text).map(|board| Position(Board::Loa(board))),
        }
    }

    /// Reads a ply as people and bots write it; whether it is legal is [`Position::check`]'s matter.
    ///
    /// # Errors
    /// A sentence that says what a ply looks like.
    pub fn read_ply(self, text: &str) -> Result<Ply, PlyError> {
        match self.0 {
            Rules::Loa(rules) => rules.read_ply(text),
        }
    }

    /// The canonical text of a ply.
    pub fn ply_text(self, ply: Ply) -> impl fmt::Display {
        let mut text = String::new();
        self.push_ply(&mut text, ply);
        text
    }

    /// Appends the canonical text of a ply.
    #[inline]
    pub fn push_ply(self, out: &mut String, ply: Ply) {
        match self.0 {
            Rules::Loa(_) => loa::push_ply(out, ply),
        }
    }
}
