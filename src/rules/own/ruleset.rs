//! The rules of one custom game with the values of its options.

use super::definition::OwnDefinition;
use super::game::OwnGame;
use super::options::flags;
use super::source::Rules;
use super::words::{WordTable, Writer, is_word};
use super::{EngineState, LONGEST_WORD, Layout, MOST_SQUARES, RulesEngine};
use crate::options::OptionError;
use crate::{BySide, Ply, PlyError, RulesFault, Square, Symmetry};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The rules of a custom game, with its options. A copy shares them.
#[derive(Debug, Clone)]
pub(crate) struct OwnRules(Arc<RulesData>);

#[derive(Debug)]
struct RulesData {
    definition: OwnDefinition,
    game: OwnGame,
    /// The plies that are words.
    words: WordTable,
}

impl RulesData {
    /// What makes two rulesets equal, even if different processes answer for them.
    // Whether something answers counts: without rules, other plies are legal.
    fn key(&self) -> impl Eq + Hash {
        let OwnDefinition { values, layout, start, engine, .. } = &self.definition;
        (&self.game, values, layout, &start.position, engine.is_some())
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
        (&self.0.game, &self.0.definition.values).hash(state);
    }
}

impl OwnRules {
    /// The rules of a definition.
    ///
    /// # Errors
    /// The start position contradicts the board or itself.
    pub(crate) fn new(
        definition: OwnDefinition,
        source: Option<&Rules>,
    ) -> Result<OwnRules, RulesFault> {
        let BySide { first, second } = definition.layout.sides();
        if let Some(black) = definition.black
            && black != first
            && black != second
        {
            return Err(RulesFault::new(format_args!("black is \"{black}\", which is no side")));
        }
        let rules = OwnRules(Arc::new(RulesData {
            game: OwnGame::new(&definition, source),
            words: WordTable::default(),
            definition,
        }));
        rules.check_start()?;
        Ok(rules)
    }

    /// The rules of a source with these options.
    ///
    /// # Errors
    /// An unknown option, a value that is none of its values, or rules that fail.
    pub(crate) fn from_source(
        source: &Rules,
        set: &[(String, String)],
    ) -> Result<OwnRules, OptionError> {
        let definition = source.with_options(set)?;
        // A fault of the start position has no place in the file, so the file itself is named.
        let file = definition.file.clone();
        OwnRules::new(definition, Some(source)).map_err(|mut fault| {
            if fault.place.is_none() {
                fault.place = Some(file.into());
            }
            OptionError::Rules(Box::new(fault))
        })
    }

    /// The fault with these rules, and with the question in which it came up.
    pub(crate) fn fault_at(
        &self,
        fault: RulesFault,
        position: &str,
        ply: Option<&str>,
    ) -> RulesFault {
        RulesFault { rules: self.command_words().into(), ..fault }.asked(position, ply)
    }

    /// The rules as words of a command line.
    pub(crate) fn command_words(&self) -> Vec<String> {
        let path = self.game().source().and_then(|source| source.path());
        let mut words = vec![path.unwrap_or_else(|| self.file().to_owned())];
        words.extend(flags(&self.0.definition));
        words
    }

    /// The file, without the folders above it.
    pub(super) fn file(&self) -> &str {
        self.0.game.file()
    }

    /// The start position and what follows from it, in the words of the definition.
    pub(super) fn start_state(&self) -> &EngineState {
        &self.0.definition.start
    }

    pub(crate) fn engine(&self) -> Option<&dyn RulesEngine> {
        self.0.definition.engine.as_deref()
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.0.definition.layout
    }

    pub(crate) fn black(&self) -> Option<char> {
        self.0.definition.black
    }

    pub(crate) fn game(&self) -> &OwnGame {
        &self.0.game
    }
}

/// What [`GameRules`](crate::game::GameRules) has for arbiter's games, by the same names, so that
/// `each_rules` finds it in both.
impl OwnRules {
    pub(crate) fn values(&self) -> Vec<(&str, String)> {
        self.0.definition.values.iter().map(|(key, value)| (key.as_str(), value.clone())).collect()
    }

    pub(crate) fn rows(&self) -> usize {
        self.layout().rows()
    }

    pub(crate) fn columns(&self) -> usize {
        self.layout().columns()
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
        self.layout().column_names()[column].clone()
    }

    pub(crate) fn row_name(&self, row: usize) -> String {
        self.layout().row_names()[row].clone()
    }

    pub(crate) fn square(&self, row: usize, column: usize) -> Square {
        Square((row * self.columns() + column) as u16)
    }

    pub(crate) fn row_and_column(&self, square: Square) -> (usize, usize) {
        (square.index() / self.columns(), square.index() % self.columns())
    }

    /// Reads a ply as people and bots write it.
    pub(crate) fn read_ply(&self, text: &str) -> Result<Ply, PlyError> {
        self.read(text, Writer::Stranger).map_err(PlyError::new)
    }

    /// The canonical text of a ply.
    pub(crate) fn ply_text(&self, ply: Ply) -> String {
        match ply {
            Ply::Pass => "pass".to_owned(),
            Ply::Place(to) => self.name_of(to),
            Ply::Move(from, to) => self.name_of(from) + &self.name_of(to),
            Ply::Word(word) => self.0.words.text(word),
        }
    }
}

impl OwnRules {
    /// Row and column of every square, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let columns = self.columns();
        (0..self.rows() * columns).map(move |at| (at / columns, at % columns))
    }

    /// Reads a ply of a log, which may have far more different words than players write.
    pub(crate) fn read_logged_ply(&self, text: &str) -> Result<Ply, PlyError> {
        self.read(text, Writer::Log).map_err(PlyError::new)
    }

    /// The ply of a text. A player or a log may write the names of squares in capitals, and blanks
    /// between them. One square is a place, two are a move, more are a word of their names.
    pub(super) fn read(&self, text: &str, writer: Writer) -> Result<Ply, String> {
        if text == "pass" {
            return Ok(Ply::Pass);
        }
        // 1. Names of squares, in small letters only where the text as it stands has none: columns
        //    may be `A` and `a`.
        let layout = self.layout();
        let mut squares = match writer {
            Writer::Rules => layout.read_squares(text),
            Writer::Log | Writer::Stranger => self.read_spaced_squares(text),
        };
        if squares.is_none() && text.contains(|c: char| c.is_ascii_uppercase()) {
            let named = self.read_spaced_squares(&text.to_ascii_lowercase());
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
                    self.0.words.intern(&names, writer).map(Ply::Word)
                }
            };
        }
        // 2. Another word.
        if is_word(text) {
            return self.0.words.intern(text, writer).map(Ply::Word);
        }
        let first = layout.square_name((0, 0));
        let last = layout.square_name((self.rows() - 1, self.columns() - 1));
        Err(format!(
            "expected a move of {}: squares, which are {first} to {last}, or a word of at most \
             {LONGEST_WORD} letters, digits and signs",
            self.0.definition.name
        ))
    }

    /// The squares of which a text is the names, which may have blanks between them.
    fn read_spaced_squares(&self, text: &str) -> Option<Vec<(usize, usize)>> {
        let mut squares = Vec::new();
        for word in text.split(' ') {
            squares.extend(self.layout().read_squares(word)?);
        }
        Some(squares)
    }

    fn name_of(&self, square: Square) -> String {
        self.layout().square_name(self.row_and_column(square))
    }
}
