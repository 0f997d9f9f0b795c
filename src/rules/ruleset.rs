//! Rulesets: which game is played, and with which options.
//!
//! A [`Ruleset`] answers what does not depend on a position: options, the size of the board, and
//! the texts of plies and squares. It forwards to the rules of its game.

use super::game::GameRules;
use super::games::{AnyRules, Game, RulesFileName, each_rules};
use super::options::{OptionError, split_options};
use super::own::{OwnDefinition, OwnRules, Rules};
use super::short_text::ShortText;
use super::{Layout, Ply, PlyError, RulesFault, Side, Square, Symmetry};
use std::fmt;

/// A game with its options.
///
/// ```
/// use arbiter_rules::Ruleset;
/// let gekitai = Ruleset::named("gekitai", "n=7 l=4").unwrap();
/// assert_eq!(gekitai.options_text(), "n=7 p=8 l=4 simultaneous=draw");
/// let error = Ruleset::named("flipflop", "n=9").unwrap_err();
/// let why = "option `n` cannot be `9`: it is an even number, 8 to 24 (default 8)";
/// assert_eq!(error.to_string(), why);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Ruleset(pub(super) AnyRules);

impl Ruleset {
    /// The ruleset of the game of that name with these options, as `n=7 l=4`; options not given
    /// have their defaults.
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
        let game = Game::named(name).ok_or_else(|| {
            let known = Game::NAMES.join(", ");
            OptionError::Game { game: name.to_owned(), known }
        })?;
        game.rules(set).map(Ruleset)
    }

    /// The ruleset of the custom game of these rules with these options, as keys and values.
    ///
    /// # Errors
    /// An unknown option, a value that is none of its values, or rules that fail.
    pub fn by_rules(rules: &Rules, set: &[(String, String)]) -> Result<Ruleset, OptionError> {
        OwnRules::from_source(rules, set).map(|rules| Ruleset(rules.into()))
    }

    /// The ruleset of a custom game without its source: other options are not known.
    ///
    /// # Errors
    /// The start position contradicts the board or itself.
    pub fn own(definition: OwnDefinition) -> Result<Ruleset, RulesFault> {
        OwnRules::new(definition, None).map(|rules| Ruleset(rules.into()))
    }

    /// The rules, if they are those of a custom game.
    pub(super) fn own_rules(&self) -> Option<&OwnRules> {
        match &self.0 {
            AnyRules::Own(rules, _) => Some(rules),
            _ => None,
        }
    }

    /// The same game and options. A custom game of which only a log tells gets its rules, if the
    /// `given` ones have its name and digest.
    ///
    /// # Errors
    /// A sentence that asks for the rules, or what is wrong with them.
    pub fn with_rules(&self, given: Option<&Rules>) -> Result<Ruleset, String> {
        let Some(RulesFileName { digest, .. }) = self.game().rules_file() else {
            return Ok(self.clone());
        };
        // Other rules than those of the log could judge its games wrongly: name and digest decide.
        let Some(rules) = given.filter(|rules| rules.are(self.game().name(), digest)) else {
            return match self.missing_rules(given) {
                Some(missing) => Err(missing),
                None => Ok(self.clone()),
            };
        };
        let mut set = Vec::new();
        for (key, value) in self.options() {
            set.push((key.to_owned(), value));
        }
        Ruleset::by_rules(rules, &set).map_err(|error| error.to_string())
    }

    /// The same game with these options, as keys and values; options not given have their defaults.
    ///
    /// # Errors
    /// As for [`named`](Ruleset::named), or the rules of a custom game are not known.
    pub fn with_values(&self, set: &[(String, String)]) -> Result<Ruleset, OptionError> {
        self.game().rules(set).map(Ruleset)
    }

    /// The board of a custom game, which logs describe beside the rules; `None` in a game of
    /// arbiter.
    pub fn layout(&self) -> Option<&Layout> {
        Some(self.own_rules()?.layout())
    }

    /// The letter of the side that programs call black which know only black and white, such as
    /// engines of Go; `None` if a custom game does not say.
    pub fn black(&self) -> Option<char> {
        self.own_rules()?.black()
    }

    /// Whether it is known which plies are legal: not if only a log tells of the rules.
    pub fn knows_plies(&self) -> bool {
        self.own_rules().is_none_or(|rules| rules.engine().is_some())
    }

    /// A sentence that asks for the rules of a custom game if only a log tells of them, and others
    /// are given at most; `None` if they can be asked.
    pub fn missing_rules(&self, given: Option<&Rules>) -> Option<String> {
        if self.knows_plies() {
            return None;
        }
        let RulesFileName { file, digest } = self.game().rules_file()?;
        let name = self.game().name();
        Some(match given {
            None => format!(
                "the rules of {name} are needed: give them by --rules FILE; {file} has the digest \
                 {digest}"
            ),
            Some(other) => format!(
                "the rules of {name} are needed, {file} with the digest {digest}; of those that \
                 are given {} has the digest {}",
                other.path().as_deref().unwrap_or(other.name()),
                other.digest()
            ),
        })
    }

    /// Which game.
    pub fn game(&self) -> &Game {
        self.0.game()
    }

    /// Every option with its value, in the order of [`Game::options`]. The options `b` and `seed`
    /// are not among them: the blocks that they produce are.
    pub fn options(&self) -> Vec<(&str, String)> {
        each_rules!(&self.0, rules => rules.values())
    }

    /// The options as a log's `Options` tag writes them: `simultaneous=draw stuck=pass`.
    pub fn options_text(&self) -> String {
        let options = self.options().into_iter();
        options.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// The game and the options that do not have their defaults as words of a command line.
    ///
    /// ```
    /// use arbiter_rules::Ruleset;
    /// let large = Ruleset::named("gekitai", "n=7").unwrap();
    /// assert_eq!(large.command_words(), ["gekitai", "--set", "n=7"]);
    /// ```
    pub fn command_words(&self) -> Vec<String> {
        if let Some(rules) = self.own_rules() {
            return rules.command_words();
        }
        // Only what differs from the defaults, so that the command is as short as people write it.
        let name = self.game().name();
        let usual = Ruleset::with_options(name, &[]).ok();
        let defaults = usual.as_ref().map(Ruleset::options).unwrap_or_default();
        let mut words = vec![name.to_owned()];
        for option in self.options() {
            if !defaults.contains(&option) {
                let (key, value) = option;
                words.extend(["--set".to_owned(), format!("{key}={value}")]);
            }
        }
        words
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        each_rules!(&self.0, rules => rules.rows())
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        each_rules!(&self.0, rules => rules.columns())
    }

    /// Row and column of every square, as [`square`](Ruleset::square) counts them: row by row from
    /// the one that is printed first.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + Clone + use<> {
        let columns = self.columns();
        (0..self.rows() * columns).map(move |at| (at / columns, at % columns))
    }

    /// Whether the sides always play one ply each in turn.
    pub fn alternates(&self) -> bool {
        each_rules!(&self.0, rules => rules.alternates())
    }

    /// Whether some turns are known to have several plies. Of a custom game that is never known.
    pub fn has_long_turns(&self) -> bool {
        !self.alternates() && !self.game().asks_rules()
    }

    /// How many pieces in a row win; `None` in games without such a goal.
    pub fn in_a_row(&self) -> Option<usize> {
        each_rules!(&self.0, rules => rules.in_a_row())
    }

    /// The symmetries under which the rules are invariant, the identity first.
    pub fn symmetries(&self) -> &'static [Symmetry] {
        each_rules!(&self.0, rules => rules.symmetries())
    }

    /// The name of a column: its letter; in `flipflop`, whose squares have numbers, what the column
    /// adds to the row's number.
    pub fn column_name(&self, column: usize) -> String {
        each_rules!(&self.0, rules => rules.column_name(column))
    }

    /// The name of a row, counted from the one that is printed first: its number; in `flipflop`
    /// that of its first square.
    pub fn row_name(&self, row: usize) -> String {
        each_rules!(&self.0, rules => rules.row_name(row))
    }

    /// The side whose pieces pictures draw light: that of the letter `W` against another one in
    /// custom games, else the one that logs call White.
    pub fn light(&self) -> Side {
        // A custom game has no White, but its author may mean one by the letter.
        let letters = self.game().letters().map(|letter| letter.to_ascii_uppercase());
        if self.game().asks_rules() && letters.first != 'W' && letters.second == 'W' {
            return Side::Second;
        }
        self.game().white()
    }

    /// The letter of a side.
    pub fn letter(&self, side: Side) -> char {
        self.game().letters()[side]
    }

    /// Reads a ply as people and bots write it. Whether it is legal is decided by
    /// [`Position::check`](crate::Position::check).
    ///
    /// # Errors
    /// A sentence that describes what a ply looks like.
    pub fn read_ply(&self, text: &str) -> Result<Ply, PlyError> {
        each_rules!(&self.0, rules => rules.read_ply(text))
    }

    /// Reads a ply of a game that was played: as [`read_ply`](Ruleset::read_ply), but logs may have
    /// far more different words than players may make arbiter remember.
    ///
    /// # Errors
    /// As for [`read_ply`](Ruleset::read_ply), or there are more words than are remembered.
    pub fn read_logged_ply(&self, text: &str) -> Result<Ply, PlyError> {
        match self.own_rules() {
            Some(rules) => rules.read_logged_ply(text),
            None => self.read_ply(text),
        }
    }

    /// The canonical text of a ply of this board. For a square of another board the text is
    /// meaningless, or the call panics.
    pub fn ply_text(&self, ply: Ply) -> impl fmt::Display + use<> {
        self.text_of(ply)
    }

    /// Appends the canonical text of a ply, as [`ply_text`](Ruleset::ply_text) makes it.
    #[inline]
    pub fn push_ply(&self, out: &mut String, ply: Ply) {
        match self.text_of(ply) {
            PlyText::Short(text) => text.push_to(out),
            PlyText::Long(text) => out.push_str(&text),
        }
    }

    #[inline(always)]
    fn text_of(&self, ply: Ply) -> PlyText {
        each_rules!(&self.0, rules => rules.ply_text(ply).into())
    }

    /// The square at a row, counted from the one that is printed first, and a column, counted from
    /// the left; both from 0.
    pub fn square(&self, row: usize, column: usize) -> Square {
        each_rules!(&self.0, rules => rules.square(row, column))
    }

    /// Row and column of a square, as [`square`](Ruleset::square) counts them.
    ///
    /// ```
    /// use arbiter_rules::{Ply, Ruleset};
    /// let flipflop = Ruleset::named("flipflop", "").unwrap();
    /// let Ok(Ply::Place(square)) = flipflop.read_ply("20") else { panic!() };
    /// assert_eq!(flipflop.row_and_column(square), (2, 4));
    /// assert_eq!(flipflop.square(2, 4), square);
    /// ```
    pub fn row_and_column(&self, square: Square) -> (usize, usize) {
        each_rules!(&self.0, rules => rules.row_and_column(square))
    }
}

/// The text of a ply. Those of arbiter's games are short and need no memory, which counts: a list
/// of all legal plies goes to a bot with every question.
enum PlyText {
    Short(ShortText),
    Long(String),
}

impl From<ShortText> for PlyText {
    #[inline(always)]
    fn from(text: ShortText) -> PlyText {
        PlyText::Short(text)
    }
}

impl From<String> for PlyText {
    fn from(text: String) -> PlyText {
        PlyText::Long(text)
    }
}

impl fmt::Display for PlyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlyText::Short(text) => text.fmt(f),
            PlyText::Long(text) => f.pad(text),
        }
    }
}
