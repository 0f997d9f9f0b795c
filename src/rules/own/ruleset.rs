//! The rules of one game of one's own with the values of its options.
//!
//! They are kept until the program ends, each once, so that a `Ruleset` is a small value as in the
//! other games.

use super::definition::{OwnDefinition, OwnOption};
use super::registry::known_rules;
use super::words::{PlyWord, Writer, is_word};
use super::{EngineState, LONGEST_WORD, Layout, MOST_SQUARES, RulesEngine};
use crate::rules::game::GameDescription;
use crate::rules::options::{Number, OptionError, OptionSpec, OptionValues, Preset, Range};
use crate::rules::{Ply, PlyError, RulesFault, Side, Square, Symmetry};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

/// The most rulesets of games of one's own in one run of the program; a log can name rules that are
/// not there.
const MOST_RULESETS: usize = 10_000;

/// What a ruleset points to.
#[derive(Debug)]
struct Kept {
    description: GameDescription,
    file: &'static str,
    digest: &'static str,
    values: Vec<(&'static str, String)>,
    /// The flags of the options that do not have their defaults.
    flags: Vec<String>,
    layout: Layout,
    start: EngineState,
    engine: Option<Arc<dyn RulesEngine>>,
}

static RULESETS: RwLock<Vec<&'static Kept>> = RwLock::new(Vec::new());

/// The rules of a game of one's own, with its options.
#[derive(Debug, Clone, Copy)]
pub(in crate::rules) struct OwnRules(&'static Kept);

impl PartialEq for OwnRules {
    fn eq(&self, other: &OwnRules) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for OwnRules {}

impl Hash for OwnRules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

impl OwnRules {
    /// The rules of a definition, with the engine of the first one that was the same.
    ///
    /// # Errors
    /// The start position contradicts the board or itself, or there are too many rulesets.
    pub(in crate::rules) fn of(definition: OwnDefinition) -> Result<OwnRules, RulesFault> {
        let same = |kept: &&&'static Kept| kept.is(&definition);
        let known =
            RULESETS.read().unwrap_or_else(PoisonError::into_inner).iter().find(same).copied();
        if let Some(kept) = known {
            return Ok(OwnRules(kept));
        }
        let mut rulesets = RULESETS.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = rulesets.iter().find(same) {
            return Ok(OwnRules(kept)); // another thread was quicker
        }
        if rulesets.len() >= MOST_RULESETS {
            return Err(RulesFault::new(format_args!(
                "more than {MOST_RULESETS} rulesets are read"
            )));
        }
        let rules = OwnRules(Box::leak(Box::new(Kept::new(definition))));
        rules.check_start()?;
        rulesets.push(rules.0);
        Ok(rules)
    }
}

impl Kept {
    fn new(definition: OwnDefinition) -> Kept {
        Kept {
            description: GameDescription {
                name: kept(&definition.name),
                title: kept(&definition.title),
                letters: definition.layout.sides(),
                white: Side::First,
                options: option_specs(&definition.options),
                in_short: &[],
                example: None,
                first_row: 1,
                blocks: true,
                third_field: None,
            },
            file: kept(&definition.file),
            digest: kept(&definition.digest),
            values: definition
                .values
                .iter()
                .map(|(key, value)| (kept(key), value.clone()))
                .collect(),
            flags: flags(&definition),
            layout: definition.layout,
            start: definition.start,
            engine: definition.engine,
        }
    }

    fn is(&self, definition: &OwnDefinition) -> bool {
        let values = |(one, other): (&(&str, String), &(String, String))| {
            *one.0 == *other.0 && one.1 == other.1
        };
        self.digest == definition.digest
            && self.description.name == definition.name
            && self.file == definition.file
            && self.engine.is_some() == definition.engine.is_some()
            && self.values.len() == definition.values.len()
            && self.values.iter().zip(&definition.values).all(values)
            && self.layout == definition.layout
            && self.start.position == definition.start.position
    }
}

/// The flags of the options that do not have their defaults.
fn flags(OwnDefinition { options, values, .. }: &OwnDefinition) -> Vec<String> {
    let is_default = |(key, value): &&(String, String)| {
        options.iter().any(|option| option.key == *key && option.default == *value)
    };
    let other = values.iter().filter(|set| !is_default(set));
    other.flat_map(|(key, value)| ["--set".to_owned(), format!("{key}={value}")]).collect()
}

fn kept(text: &str) -> &'static str {
    Box::leak(text.into())
}

/// Options as tables of arbiter have them; they are kept until the program ends.
#[must_use]
pub fn option_specs(options: &[OwnOption]) -> &'static [OptionSpec] {
    Box::leak(options.iter().map(spec).collect())
}

/// Each option of a game of one's own with its value: the one given, else its default.
///
/// # Errors
/// An unknown key, one that is given twice, or a value that is none of the option's.
pub fn option_values(
    game: &'static str,
    specs: &'static [OptionSpec],
    set: &[(String, String)],
) -> Result<Vec<(String, String)>, OptionError> {
    let values = OptionValues::new(game, specs, set)?;
    Ok(specs.iter().map(|spec| (spec.key.to_owned(), values.text(spec.key))).collect())
}

fn spec(option: &OwnOption) -> OptionSpec {
    let numbers: Option<Vec<u64>> = option.values.iter().map(|value| value.parse().ok()).collect();
    let run = numbers.filter(|numbers| numbers.windows(2).all(|pair| pair[1] == pair[0] + 1));
    let range = match run.as_deref() {
        Some(&[from, .., to]) => Range::Numbers { from, to: Number::Fixed(to) },
        _ => Range::Words(Box::leak(option.values.iter().map(|value| kept(value)).collect())),
    };
    let default = match (range, option.default.parse()) {
        (Range::Numbers { .. }, Ok(number)) => Preset::Number(Number::Fixed(number)),
        _ => Preset::Word(kept(&option.default)),
    };
    OptionSpec { key: kept(&option.key), range, default, about: kept(&option.about) }
}

impl OwnRules {
    /// A fault of these rules at a question.
    pub(in crate::rules) fn failed(
        self,
        fault: RulesFault,
        position: &str,
        ply: Option<&str>,
    ) -> RulesFault {
        RulesFault { rules: self.command_words().into(), ..fault }.asked(position, ply)
    }

    /// The rules as words of a command line.
    pub(in crate::rules) fn command_words(self) -> Vec<String> {
        let path =
            known_rules(self.0.description.name, self.0.digest).and_then(|source| source.path());
        let path = path.unwrap_or_else(|| self.0.file.to_owned());
        std::iter::once(path).chain(self.0.flags.iter().cloned()).collect()
    }

    pub(super) fn told_start(self) -> &'static EngineState {
        &self.0.start
    }

    pub(in crate::rules) fn engine(self) -> Option<&'static dyn RulesEngine> {
        self.0.engine.as_deref()
    }

    pub(in crate::rules) fn layout(self) -> &'static Layout {
        &self.0.layout
    }

    pub(in crate::rules) fn game(self) -> OwnGame {
        OwnGame(self)
    }

    pub(in crate::rules) fn values(self) -> Vec<(&'static str, String)> {
        self.0.values.clone()
    }

    pub(in crate::rules) fn rows(self) -> usize {
        self.0.layout.rows()
    }

    pub(in crate::rules) fn columns(self) -> usize {
        self.0.layout.columns()
    }

    pub(in crate::rules) fn in_a_row(self) -> Option<usize> {
        None
    }

    pub(in crate::rules) fn alternates(self) -> bool {
        false
    }

    /// Nothing is known of symmetries but that the board is itself.
    pub(in crate::rules) fn symmetries(self) -> &'static [Symmetry] {
        &Symmetry::ALL[..1]
    }

    pub(in crate::rules) fn column_name(self, column: usize) -> String {
        self.0.layout.column_names()[column].clone()
    }

    pub(in crate::rules) fn row_name(self, row: usize) -> String {
        self.0.layout.row_names()[row].clone()
    }

    pub(in crate::rules) fn square(self, row: usize, column: usize) -> Square {
        Square((row * self.columns() + column) as u16)
    }

    pub(in crate::rules) fn row_and_column(self, square: Square) -> (usize, usize) {
        (square.index() / self.columns(), square.index() % self.columns())
    }

    /// Reads a ply as people, bots and logs write it.
    pub(in crate::rules) fn read_ply(self, text: &str) -> Result<Ply, PlyError> {
        self.ply(text, Writer::Stranger).map_err(PlyError::new)
    }

    /// Reads a ply of a log, which may have far more different words than players write.
    pub(in crate::rules) fn read_logged_ply(self, text: &str) -> Result<Ply, PlyError> {
        self.ply(text, Writer::Log).map_err(PlyError::new)
    }

    /// The ply of a text. A player or a log may write the names of squares in capitals, and blanks
    /// between them.
    pub(super) fn ply(self, text: &str, writer: Writer) -> Result<Ply, String> {
        if text == "pass" {
            return Ok(Ply::Pass);
        }
        let words = |text: &str| -> Option<Vec<_>> {
            let squares: Option<Vec<_>> =
                text.split(' ').map(|word| self.0.layout.read_squares(word)).collect();
            Some(squares?.concat())
        };
        let in_small_letters = || words(&text.to_ascii_lowercase());
        let squares = match writer {
            Writer::Rules => self.0.layout.read_squares(text),
            Writer::Log | Writer::Stranger => words(text).or_else(in_small_letters),
        };
        let has_capitals = text.bytes().any(|byte| byte.is_ascii_uppercase());
        if writer == Writer::Rules
            && squares.is_none()
            && has_capitals
            && in_small_letters().is_some()
        {
            return Err(
                "a word cannot be the names of squares in capitals; return the squares".to_owned()
            );
        }
        let square = |(row, column)| self.square(row, column);
        match squares.as_deref() {
            Some(&[to]) => return Ok(Ply::Place(square(to))),
            Some(&[from, to]) => return Ok(Ply::Move(square(from), square(to))),
            Some(squares) if squares.len() > MOST_SQUARES => {
                return Err(format!("a move has at most {MOST_SQUARES} squares"));
            }
            Some(squares) => {
                let names: String =
                    squares.iter().map(|&at| self.0.layout.square_name(at)).collect();
                return PlyWord::of(&names, writer).map(Ply::Word);
            }
            None => {}
        }
        if is_word(text) {
            return PlyWord::of(text, writer).map(Ply::Word);
        }
        let first = (0, 0);
        let last = (self.rows() - 1, self.columns() - 1);
        let [first, last] = [first, last].map(|at| self.0.layout.square_name(at));
        Err(format!(
            "expected a move of {}: squares, which are {first} to {last}, or a word of at most {LONGEST_WORD} letters, digits \
             and signs",
            self.0.description.name
        ))
    }

    /// The canonical text of a ply.
    pub(in crate::rules) fn word(self, ply: Ply) -> String {
        let name = |square| self.0.layout.square_name(self.row_and_column(square));
        match ply {
            Ply::Pass => "pass".to_owned(),
            Ply::Place(to) => name(to),
            Ply::Move(from, to) => name(from) + &name(to),
            Ply::Word(word) => word.text().to_owned(),
        }
    }
}

/// A game of one's own, whatever its options are. Two are equal if name and content are.
#[derive(Debug, Clone, Copy)]
pub struct OwnGame(OwnRules);

impl OwnGame {
    /// The file of the rules, without the folders above it.
    pub(in crate::rules) fn file(self) -> &'static str {
        self.0.0.file
    }

    /// The first hex digits of the digest of the rules.
    pub(in crate::rules) fn digest(self) -> &'static str {
        self.0.0.digest
    }

    pub(in crate::rules) fn description(self) -> &'static GameDescription {
        &self.0.0.description
    }

    /// The rules with other options, if they are known.
    pub(in crate::rules) fn with_options(
        self,
        set: &[(String, String)],
    ) -> Result<OwnRules, OptionError> {
        let name = self.description().name;
        let missing = || OptionError::Rules(Box::new(RulesFault::new("the rules are not known")));
        let source = known_rules(name, self.digest()).ok_or_else(missing)?;
        OwnRules::of(source.with_options(set)?).map_err(|fault| OptionError::Rules(Box::new(fault)))
    }

    fn key(self) -> (&'static str, &'static str) {
        (self.0.0.description.name, self.digest())
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
