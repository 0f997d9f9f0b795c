//! Rulesets: which game is played, and with which options.

use super::options::split_options;
use super::text::Word;
use super::{BySide, OptionError, OptionSpec, Ply, PlyError, Position, PositionError, Side, Square};
use super::{flipflop, gekitai, lineup, loa};
use std::fmt;

/// One of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Game {
    /// Lines of Action.
    Loa,
    /// FlipFlop.
    FlipFlop,
    /// Line 'em Up.
    Lineup,
    /// Gekitai.
    Gekitai,
}

impl Game {
    /// All games.
    pub const ALL: [Game; 4] = [Game::Loa, Game::FlipFlop, Game::Lineup, Game::Gekitai];

    /// The name in commands and logs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Game::Loa => "loa",
            Game::FlipFlop => "flipflop",
            Game::Lineup => "lineup",
            Game::Gekitai => "gekitai",
        }
    }

    /// The name in texts for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Game::Loa => "Lines of Action",
            Game::FlipFlop => "FlipFlop",
            Game::Lineup => "Line 'em Up",
            Game::Gekitai => "Gekitai",
        }
    }

    /// The game of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Game> {
        Game::ALL.into_iter().find(|game| game.name() == name)
    }

    /// The game's rule options with defaults and ranges.
    #[must_use]
    pub fn options(self) -> &'static [OptionSpec] {
        match self {
            Game::Loa => loa::OPTIONS,
            Game::FlipFlop => flipflop::OPTIONS,
            Game::Lineup => lineup::OPTIONS,
            Game::Gekitai => gekitai::OPTIONS,
        }
    }

    /// The letters of the two sides.
    #[must_use]
    pub fn letters(self) -> BySide<char> {
        match self {
            Game::Loa => loa::LETTERS,
            Game::FlipFlop => flipflop::LETTERS,
            Game::Lineup => lineup::LETTERS,
            Game::Gekitai => gekitai::LETTERS,
        }
    }

    /// The side that a log calls `White` (docs/gamelog.md, Tags): W in `loa` and `flipflop`, O in `lineup`, X in
    /// `gekitai`.
    #[must_use]
    pub fn white(self) -> Side {
        match self {
            Game::Loa => Side::Second,
            Game::FlipFlop | Game::Lineup | Game::Gekitai => Side::First,
        }
    }
}

/// A game with its options.
///
/// ```
/// use arbiter::rules::Ruleset;
/// let gekitai = Ruleset::named("gekitai", "n=7 l=4").unwrap();
/// assert_eq!(gekitai.options_text(), "n=7 p=8 l=4 simultaneous=draw");
/// let error = Ruleset::named("flipflop", "n=9").unwrap_err();
/// assert_eq!(error.to_string(), "option `n` cannot be `9`: it is an even number, 8 to 24 (default 8)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ruleset(pub(super) AnyRules);

/// One variant for each game; private to this module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AnyRules {
    Loa(loa::LoaRules),
    FlipFlop(flipflop::FlipFlopRules),
    Lineup(lineup::LineupRules),
    Gekitai(gekitai::GekitaiRules),
}

/// Lines of Action with its default options: the game of a configuration that names none.
impl Default for Ruleset {
    fn default() -> Ruleset {
        Ruleset(AnyRules::Loa(loa::LoaRules::default()))
    }
}

/// Evaluates the expression with the rules of whichever game it is.
macro_rules! each {
    ($ruleset:expr, $rules:ident => $do:expr) => {
        match $ruleset.0 {
            AnyRules::Loa($rules) => $do,
            AnyRules::FlipFlop($rules) => $do,
            AnyRules::Lineup($rules) => $do,
            AnyRules::Gekitai($rules) => $do,
        }
    };
}

impl Ruleset {
    /// The ruleset of the game of that name with these options, as `n=7 l=4`; options not given have their defaults.
    ///
    /// # Errors
    /// An unknown game or option, an option given twice, or a value outside its range.
    pub fn named(name: &str, options: &str) -> Result<Ruleset, OptionError> {
        Ruleset::with_options(name, &split_options(options)?)
    }

    /// The ruleset of the game of that name with these options, as keys and values.
    ///
    /// # Errors
    /// As for [`named`](Ruleset::named).
    pub fn with_options(name: &str, set: &[(String, String)]) -> Result<Ruleset, OptionError> {
        Ok(Ruleset(match Game::named(name) {
            Some(Game::Loa) => AnyRules::Loa(loa::LoaRules::new(set)?),
            Some(Game::FlipFlop) => AnyRules::FlipFlop(flipflop::FlipFlopRules::new(set)?),
            Some(Game::Lineup) => AnyRules::Lineup(lineup::LineupRules::new(set)?),
            Some(Game::Gekitai) => AnyRules::Gekitai(gekitai::GekitaiRules::new(set)?),
            None => {
                let known = Game::ALL.map(Game::name).join(", ");
                return Err(OptionError::Game { game: name.to_owned(), known });
            }
        }))
    }

    /// Which game.
    #[must_use]
    pub fn game(self) -> Game {
        match self.0 {
            AnyRules::Loa(_) => Game::Loa,
            AnyRules::FlipFlop(_) => Game::FlipFlop,
            AnyRules::Lineup(_) => Game::Lineup,
            AnyRules::Gekitai(_) => Game::Gekitai,
        }
    }

    /// Every option with its value, in the order of [`Game::options`]. The options `b` and `seed` are not
    /// among them: the blocks that they produce are.
    #[must_use]
    pub fn options(self) -> Vec<(&'static str, String)> {
        each!(self, rules => rules.values())
    }

    /// The options as a log's `Options` tag writes them: `simultaneous=draw stuck=pass`.
    #[must_use]
    pub fn options_text(self) -> String {
        self.options().iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// Number of rows, which is also the number of columns.
    #[must_use]
    pub fn size(self) -> usize {
        each!(self, rules => rules.size())
    }

    /// How many pieces in a row win; none in games without such a goal.
    #[must_use]
    pub fn in_a_row(self) -> Option<usize> {
        match self.0 {
            AnyRules::Loa(_) | AnyRules::FlipFlop(_) => None,
            AnyRules::Lineup(rules) => Some(rules.in_a_row()),
            AnyRules::Gekitai(rules) => Some(rules.in_a_row()),
        }
    }

    /// The name of a column: its letter; in `flipflop`, whose squares have numbers, what the column adds to
    /// the row's number.
    #[must_use]
    pub fn column_name(self, column: usize) -> String {
        match self.0 {
            AnyRules::FlipFlop(_) => column.to_string(),
            AnyRules::Loa(_) | AnyRules::Lineup(_) | AnyRules::Gekitai(_) => {
                char::from(b'a' + column as u8).to_string()
            }
        }
    }

    /// The name of a row, counted from the one that is printed first: its number; in `flipflop` that of its
    /// first square.
    #[must_use]
    pub fn row_name(self, row: usize) -> String {
        match self.0 {
            AnyRules::FlipFlop(rules) => rules.square(row, 0).0.to_string(),
            AnyRules::Gekitai(_) => (row + gekitai::FIRST_ROW).to_string(),
            AnyRules::Loa(_) | AnyRules::Lineup(_) => row.to_string(),
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
        Position(each!(self, rules => rules.start()))
    }

    /// Reads a position text, strictly. The blocks of `lineup` are those of the text: the position's own
    /// [`ruleset`](Position::ruleset) has them, not the blocks of this one.
    ///
    /// # Errors
    /// A sentence that names the row or field.
    pub fn read_position(self, text: &str) -> Result<Position, PositionError> {
        each!(self, rules => rules.read_position(text)).map(Position)
    }

    /// Reads a ply as people and bots write it. Whether it is legal is decided by [`Position::check`].
    ///
    /// # Errors
    /// A sentence that describes what a ply looks like.
    pub fn read_ply(self, text: &str) -> Result<Ply, PlyError> {
        each!(self, rules => rules.read_ply(text))
    }

    /// The canonical text of a ply of this board. For a square of another board the text is meaningless, or
    /// the call panics.
    pub fn ply_text(self, ply: Ply) -> impl fmt::Display {
        self.word(ply)
    }

    /// Appends the canonical text of a ply, as [`ply_text`](Ruleset::ply_text) makes it.
    #[inline]
    pub fn push_ply(self, out: &mut String, ply: Ply) {
        self.word(ply).push_to(out);
    }

    /// The canonical text of a ply.
    #[inline(always)]
    pub(super) fn word(self, ply: Ply) -> Word {
        each!(self, rules => rules.word(ply))
    }

    /// The square at a row, counted from the one that is printed first, and a column, counted from the left;
    /// both from 0.
    #[must_use]
    pub fn square(self, row: usize, column: usize) -> Square {
        each!(self, rules => rules.square(row, column))
    }

    /// Row and column of a square, as [`square`](Ruleset::square) counts them.
    ///
    /// ```
    /// use arbiter::rules::{Ply, Ruleset};
    /// let flipflop = Ruleset::named("flipflop", "").unwrap();
    /// let Ok(Ply::Place(square)) = flipflop.read_ply("20") else { panic!() };
    /// assert_eq!(flipflop.row_and_column(square), (2, 4));
    /// assert_eq!(flipflop.square(2, 4), square);
    /// ```
    #[must_use]
    pub fn row_and_column(self, square: Square) -> (usize, usize) {
        each!(self, rules => rules.row_and_column(square))
    }
}
