//! The rules of one custom game with the values of its options.

use super::definition::{OwnDefinition, OwnOption};
use super::source::Rules;
use super::words::{Words, Writer, is_word};
use super::{EngineState, LONGEST_WORD, Layout, MOST_SQUARES, RulesEngine};
use crate::game::GameDescription;
use crate::options::{Number, OptionError, OptionSpec, OptionValues, Preset, Range};
use crate::{BySide, Ply, PlyError, RulesFault, Side, Square, Symmetry};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The rules of a custom game, with its options. A copy shares them.
#[derive(Debug, Clone)]
pub(crate) struct OwnRules(Arc<Definition>);

#[derive(Debug)]
struct Definition {
    game: OwnGame,
    values: Vec<(String, String)>,
    /// The flags of the options that do not have their defaults.
    flags: Vec<String>,
    layout: Layout,
    black: Option<char>,
    start: EngineState,
    engine: Option<Arc<dyn RulesEngine>>,
    words: Words,
}

impl Definition {
    /// What makes two definitions the same, whatever answers for them.
    // Whether something answers counts: without rules, other plies are legal.
    fn key(&self) -> impl Eq + Hash {
        let Definition { game, values, layout, start, .. } = self;
        (game, values, layout, &start.position, self.engine.is_some())
    }
}

impl PartialEq for OwnRules {
    fn eq(&self, other: &OwnRules) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.key() == other.0.key()
    }
}

impl Eq for OwnRules {}

impl Hash for OwnRules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.0.game, &self.0.values).hash(state);
    }
}

impl OwnRules {
    /// The rules of a definition.
    ///
    /// # Errors
    /// The start position contradicts the board or itself.
    pub(crate) fn of(
        definition: OwnDefinition,
        source: Option<&Rules>,
    ) -> Result<OwnRules, RulesFault> {
        let flags = flags(&definition);
        let OwnDefinition {
            name,
            title,
            file,
            digest,
            options,
            values,
            layout,
            black,
            start,
            engine,
        } = definition;
        let letters = layout.sides();
        if let Some(black) = black
            && ![letters.first, letters.second].contains(&black)
        {
            return Err(RulesFault::new(format_args!("black is \"{black}\", which is no side")));
        }
        let options = option_specs(&options);
        let source = source.cloned();
        let game = OwnGame(Arc::new(About { name, title, file, digest, letters, options, source }));
        let words = Words::default();
        let rules = OwnRules(Arc::new(Definition {
            game,
            values,
            flags,
            layout,
            black,
            start,
            engine,
            words,
        }));
        rules.check_start()?;
        Ok(rules)
    }

    /// These rules with these options.
    ///
    /// # Errors
    /// An unknown option, a value that is none of its values, or rules that fail.
    pub(crate) fn by(source: &Rules, set: &[(String, String)]) -> Result<OwnRules, OptionError> {
        let definition = source.with_options(set)?;
        // A fault of the start position has no place in the file, so the file itself is named.
        let file = definition.file.clone();
        OwnRules::of(definition, Some(source)).map_err(|mut fault| {
            if fault.place.is_none() {
                fault.place = Some(file.into());
            }
            OptionError::Rules(Box::new(fault))
        })
    }
}

/// The flags of the options that do not have their defaults.
fn flags(OwnDefinition { options, values, .. }: &OwnDefinition) -> Vec<String> {
    let mut flags = Vec::new();
    for (key, value) in values {
        if !options.iter().any(|option| option.key == *key && option.default == *value) {
            flags.extend(["--set".to_owned(), format!("{key}={value}")]);
        }
    }
    flags
}

/// Options as tables of arbiter have them.
pub fn option_specs(options: &[OwnOption]) -> Vec<OptionSpec> {
    options.iter().map(spec).collect()
}

/// Each option of a custom game with its value: the one given, else its default.
///
/// # Errors
/// An unknown key, one that is given twice, or a value that is none of the option's.
pub fn option_values(
    game: &str,
    specs: &[OptionSpec],
    set: &[(String, String)],
) -> Result<Vec<(String, String)>, OptionError> {
    let values = OptionValues::new(game, specs, set)?;
    Ok(specs.iter().map(|spec| (spec.key.to_string(), values.text(&spec.key))).collect())
}

fn spec(option: &OwnOption) -> OptionSpec {
    let range = match consecutive(&option.values) {
        Some((from, to)) => Range::Numbers { from, to: Number::Fixed(to) },
        None => Range::Listed(option.values.clone()),
    };
    let default = match (&range, option.default.parse()) {
        (Range::Numbers { .. }, Ok(number)) => Preset::Number(Number::Fixed(number)),
        _ => Preset::Word(option.default.clone().into()),
    };
    let key = option.key.clone().into();
    OptionSpec { key, range, default, about: option.about.clone().into() }
}

/// The first and the last of several values that are consecutive numbers, so that they are shown as
/// a range.
fn consecutive(values: &[String]) -> Option<(u64, u64)> {
    let [first, .., last] = values else { return None };
    let from: u64 = first.parse().ok()?;
    for (after, value) in (0..).zip(values) {
        let number: u64 = value.parse().ok()?;
        if number.checked_sub(from) != Some(after) {
            return None;
        }
    }
    Some((from, last.parse().ok()?))
}

impl OwnRules {
    /// A fault of these rules at a question.
    pub(crate) fn failed(
        &self,
        fault: RulesFault,
        position: &str,
        ply: Option<&str>,
    ) -> RulesFault {
        RulesFault { rules: self.command_words().into(), ..fault }.asked(position, ply)
    }

    /// The rules as words of a command line.
    pub(crate) fn command_words(&self) -> Vec<String> {
        let OwnGame(about) = &self.0.game;
        let path = about.source.as_ref().and_then(|source| source.path());
        let path = path.unwrap_or_else(|| self.file().to_owned());
        std::iter::once(path).chain(self.0.flags.iter().cloned()).collect()
    }

    /// The file, without the folders above it.
    pub(super) fn file(&self) -> &str {
        self.0.game.file()
    }

    pub(super) fn told_start(&self) -> &EngineState {
        &self.0.start
    }

    pub(crate) fn engine(&self) -> Option<&dyn RulesEngine> {
        self.0.engine.as_deref()
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.0.layout
    }

    pub(crate) fn black(&self) -> Option<char> {
        self.0.black
    }

    pub(crate) fn game(&self) -> &OwnGame {
        &self.0.game
    }

    pub(crate) fn values(&self) -> Vec<(&str, String)> {
        self.0.values.iter().map(|(key, value)| (key.as_str(), value.clone())).collect()
    }

    pub(crate) fn rows(&self) -> usize {
        self.0.layout.rows()
    }

    pub(crate) fn columns(&self) -> usize {
        self.0.layout.columns()
    }

    pub(crate) fn in_a_row(&self) -> Option<usize> {
        None
    }

    pub(crate) fn alternates(&self) -> bool {
        false
    }

    /// Nothing is known of symmetries but that the board is itself.
    pub(crate) fn symmetries(&self) -> &'static [Symmetry] {
        &Symmetry::ALL[..1]
    }

    pub(crate) fn column_name(&self, column: usize) -> String {
        self.0.layout.column_names()[column].clone()
    }

    pub(crate) fn row_name(&self, row: usize) -> String {
        self.0.layout.row_names()[row].clone()
    }

    pub(crate) fn square(&self, row: usize, column: usize) -> Square {
        Square((row * self.columns() + column) as u16)
    }

    pub(crate) fn row_and_column(&self, square: Square) -> (usize, usize) {
        (square.index() / self.columns(), square.index() % self.columns())
    }

    /// Row and column of every square, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let columns = self.columns();
        (0..self.rows() * columns).map(move |at| (at / columns, at % columns))
    }

    /// Reads a ply as people, bots and logs write it.
    pub(crate) fn read_ply(&self, text: &str) -> Result<Ply, PlyError> {
        self.ply(text, Writer::Stranger).map_err(PlyError::new)
    }

    /// Reads a ply of a log, which may have far more different words than players write.
    pub(crate) fn read_logged_ply(&self, text: &str) -> Result<Ply, PlyError> {
        self.ply(text, Writer::Log).map_err(PlyError::new)
    }

    /// The ply of a text. A player or a log may write the names of squares in capitals, and blanks
    /// between them. One square is a place, two are a move, more are a word of their names.
    pub(super) fn ply(&self, text: &str, writer: Writer) -> Result<Ply, String> {
        if text == "pass" {
            return Ok(Ply::Pass);
        }
        let layout = &self.0.layout;
        let mut squares = match writer {
            Writer::Rules => layout.read_squares(text),
            Writer::Log | Writer::Stranger => self.words_of_squares(text),
        };
        if squares.is_none() && text.contains(|c: char| c.is_ascii_uppercase()) {
            let named = self.words_of_squares(&text.to_ascii_lowercase());
            if writer != Writer::Rules {
                squares = named;
            } else if named.is_some() {
                // A player who writes it would play the squares.
                let what = "a word cannot be the names of squares in capitals; return the squares";
                return Err(what.to_owned());
            }
        }
        if let Some(squares) = squares {
            return match squares[..] {
                [(row, column)] => Ok(Ply::Place(self.square(row, column))),
                [(row, column), (to_row, to_column)] => {
                    Ok(Ply::Move(self.square(row, column), self.square(to_row, to_column)))
                }
                _ if squares.len() > MOST_SQUARES => {
                    Err(format!("a move has at most {MOST_SQUARES} squares"))
                }
                _ => {
                    let mut names = String::new();
                    for at in squares {
                        names += &layout.square_name(at);
                    }
                    self.0.words.word(&names, writer).map(Ply::Word)
                }
            };
        }
        if is_word(text) {
            return self.0.words.word(text, writer).map(Ply::Word);
        }
        let first = layout.square_name((0, 0));
        let last = layout.square_name((self.rows() - 1, self.columns() - 1));
        Err(format!(
            "expected a move of {}: squares, which are {first} to {last}, or a word of at most \
             {LONGEST_WORD} letters, digits and signs",
            self.0.game.0.name
        ))
    }

    /// The squares of which a text is the names, which may have blanks between them.
    fn words_of_squares(&self, text: &str) -> Option<Vec<(usize, usize)>> {
        let mut squares = Vec::new();
        for word in text.split(' ') {
            squares.extend(self.0.layout.read_squares(word)?);
        }
        Some(squares)
    }

    /// The canonical text of a ply.
    pub(crate) fn word(&self, ply: Ply) -> String {
        match ply {
            Ply::Pass => "pass".to_owned(),
            Ply::Place(to) => self.name_of(to),
            Ply::Move(from, to) => self.name_of(from) + &self.name_of(to),
            Ply::Word(word) => self.0.words.text(word),
        }
    }

    fn name_of(&self, square: Square) -> String {
        self.0.layout.square_name(self.row_and_column(square))
    }
}

/// A custom game, whatever its options are. Two are equal if name and content are.
#[derive(Debug, Clone)]
pub struct OwnGame(Arc<About>);

#[derive(Debug)]
struct About {
    name: String,
    title: String,
    file: String,
    digest: String,
    letters: BySide<char>,
    options: Vec<OptionSpec>,
    /// `None` if only a log tells of the game.
    source: Option<Rules>,
}

impl OwnGame {
    /// The file of the rules, without the folders above it.
    pub(crate) fn file(&self) -> &str {
        &self.0.file
    }

    /// The first hex digits of the digest of the rules.
    pub(crate) fn digest(&self) -> &str {
        &self.0.digest
    }

    pub(crate) fn description(&self) -> GameDescription<'_> {
        GameDescription {
            name: &self.0.name,
            title: &self.0.title,
            letters: self.0.letters,
            white: Side::First,
            options: &self.0.options,
            in_short: &[],
            example: None,
            first_row: 1,
            blocks: true,
            third_field: None,
        }
    }

    /// Its rules, if the user has given them.
    pub(crate) fn source(&self) -> Option<&Rules> {
        self.0.source.as_ref()
    }

    /// The rules with other options, if they are known.
    pub(crate) fn with_options(&self, set: &[(String, String)]) -> Result<OwnRules, OptionError> {
        match self.source() {
            Some(source) => OwnRules::by(source, set),
            None => Err(OptionError::Rules(Box::new(RulesFault::new("the rules are not known")))),
        }
    }

    fn key(&self) -> (&str, &str) {
        (&self.0.name, self.digest())
    }
}

impl PartialEq for OwnGame {
    fn eq(&self, other: &OwnGame) -> bool {
        self.key() == other.key()
    }
}

impl Eq for OwnGame {}

impl PartialOrd for OwnGame {
    fn partial_cmp(&self, other: &OwnGame) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OwnGame {
    fn cmp(&self, other: &OwnGame) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for OwnGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
