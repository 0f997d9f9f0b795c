//! Positions of custom games.

use super::state::State;
use super::{EngineAnswer, EngineQuestion, EngineState, OwnReason, OwnRules};
use crate::cell::{BoardCells, Cell};
use crate::ending::Ending;
use crate::notation::{self, PositionError};
use crate::short_text::ascii;
use crate::{Margin, Ply, RulesFault, Side, Square, SquareChange, group_count};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A position: its text, and what the engine said about it when the position was made. A copy
/// shares both.
///
/// Nothing here asks the engine but [`after`](OwnBoard::after) and [`check`](OwnBoard::check),
/// which stand in `question.rs` with what can be asked without blocking.
#[derive(Clone)]
pub(crate) struct OwnBoard(Arc<Node>);

struct Node {
    rules: OwnRules,
    text: String,
    /// The letters of the squares, row by row, the top one first.
    letters: String,
    side: Side,
    known: Known,
    /// The position after one ply: the one that was played last from here, or that a log tells. One
    /// is enough: a game goes on by one ply, and who tries others keeps their positions.
    next: Mutex<Option<(Ply, OwnBoard)>>,
    /// Why the ply that was refused last here is illegal.
    why: Mutex<Option<(Ply, String)>>,
}

/// What follows from a position text.
#[derive(Debug, Clone)]
enum Known {
    /// What the engine says.
    State(Arc<State>),
    /// The engine does not say it, by its own fault.
    Fault(Arc<RulesFault>),
    /// Only a log tells of the position.
    Nothing,
}

impl OwnBoard {
    /// The position that an engine describes.
    pub(super) fn from_engine(
        rules: &OwnRules,
        state: &EngineState,
    ) -> Result<OwnBoard, RulesFault> {
        let text = &state.position;
        let board = OwnBoard::from_text(rules, text)
            .map_err(|what| RulesFault::new(format_args!("the position {text:?}: {what}")))?;
        if rules.engine().is_none() {
            return Ok(board); // a log has the text alone
        }
        match State::new(rules, state) {
            Ok(checked) => Ok(board.with_known(Known::State(Arc::new(checked)))),
            Err(what) => Err(rules.fault_at(RulesFault::new(what), board.text(), None)),
        }
    }

    /// The position of a text that has the right form; what follows from it is not known.
    pub(crate) fn from_text(rules: &OwnRules, text: &str) -> Result<OwnBoard, String> {
        let (letters, side, extra) = read_text(rules, text)?;
        let mut canonical = String::with_capacity(text.len());
        push_rows(&mut canonical, &letters, rules.columns());
        canonical.extend([" ", &rules.layout().sides()[side].to_string()]);
        for word in &extra {
            canonical.extend([" ", word]);
        }
        Ok(OwnBoard::new(rules, canonical, letters, side, Known::Nothing))
    }

    /// A start position that is no more than a fault: an empty board.
    pub(super) fn faulty(rules: &OwnRules, fault: RulesFault) -> OwnBoard {
        let letters = ".".repeat(rules.rows() * rules.columns());
        let known = Known::Fault(Arc::new(fault));
        OwnBoard::new(rules, String::new(), letters, Side::First, known)
    }

    /// The same board, of which no more is known than a fault.
    pub(crate) fn with_fault(&self, fault: RulesFault) -> OwnBoard {
        self.with_known(Known::Fault(Arc::new(fault)))
    }

    fn new(rules: &OwnRules, text: String, letters: String, side: Side, known: Known) -> OwnBoard {
        OwnBoard(Arc::new(Node {
            rules: rules.clone(),
            text,
            letters,
            side,
            known,
            next: Mutex::default(),
            why: Mutex::default(),
        }))
    }

    /// The same position without the one after it.
    pub(crate) fn detached(&self) -> OwnBoard {
        self.with_known(self.0.known.clone())
    }

    /// The same board, of which this is known, without the position after it.
    fn with_known(&self, known: Known) -> OwnBoard {
        let Node { rules, text, letters, side, .. } = &*self.0;
        OwnBoard::new(rules, text.clone(), letters.clone(), *side, known)
    }

    pub(crate) fn text(&self) -> &str {
        &self.0.text
    }

    pub(crate) fn rules(&self) -> &OwnRules {
        &self.0.rules
    }

    pub(crate) fn side(&self) -> Side {
        self.0.side
    }

    pub(crate) fn piece(&self) -> Option<u8> {
        None
    }

    fn state(&self) -> Option<&State> {
        match &self.0.known {
            Known::State(state) => Some(state),
            Known::Fault(_) | Known::Nothing => None,
        }
    }

    pub(crate) fn fault(&self) -> Option<&RulesFault> {
        match &self.0.known {
            Known::Fault(fault) => Some(fault),
            Known::State(_) | Known::Nothing => None,
        }
    }

    pub(crate) fn ending(&self) -> Option<Ending> {
        self.state()?.ending
    }

    pub(crate) fn own_reason(&self) -> Option<OwnReason> {
        self.state()?.reason
    }

    pub(crate) fn margin(&self) -> Option<Margin> {
        self.state()?.margin
    }

    pub(crate) fn plies(&self) -> OwnPlies {
        OwnPlies { board: self.clone(), next: 0 }
    }

    pub(crate) fn sorted_plies(&self) -> impl Iterator<Item = Ply> {
        self.plies()
    }

    pub(crate) fn count(&self) -> u64 {
        self.state().map_or(0, |state| state.plies.len() as u64)
    }

    pub(crate) fn is_legal(&self, ply: Ply) -> bool {
        match &self.0.known {
            Known::State(state) => state.plies.contains(&ply),
            Known::Fault(_) => false,
            Known::Nothing => self.kept_next(ply).is_some(),
        }
    }

    /// Why a ply is illegal, as far as that is known without the engine.
    pub(super) fn is_not_listed(&self) -> String {
        const SHOWN: usize = 8;
        let plies = self.plies().take(SHOWN);
        let legal: Vec<String> = plies.map(|ply| self.0.rules.ply_text(ply)).collect();
        let count = self.count();
        let more = if count > SHOWN as u64 { " …" } else { "" };
        let noun = if count == 1 { "legal move" } else { "legal moves" };
        format!("it is not among the {count} {noun} here: {}{more}", legal.join(" "))
    }

    /// What the engine said last about why this ply is illegal, if it was asked.
    pub(super) fn kept_why(&self, ply: Ply) -> Option<String> {
        match &*lock(&self.0.why) {
            Some((of, why)) if *of == ply => Some(why.clone()),
            _ => None,
        }
    }

    /// Keeps why a ply is illegal.
    pub(super) fn keep_why(&self, ply: Ply, why: String) {
        *lock(&self.0.why) = Some((ply, why));
    }

    /// Whether the legal plies are known.
    pub(super) fn knows_plies(&self) -> bool {
        self.state().is_some()
    }

    /// Whether something follows from the position that the engine has to say.
    pub(super) fn is_unasked(&self) -> bool {
        matches!(self.0.known, Known::Nothing) && self.0.rules.engine().is_some()
    }

    /// The position after a ply that is kept.
    pub(crate) fn kept_next(&self, ply: Ply) -> Option<OwnBoard> {
        match &*lock(&self.0.next) {
            Some((of, next)) if *of == ply => Some(next.clone()),
            _ => None,
        }
    }

    /// Keeps the position after a ply.
    pub(crate) fn keep_next(&self, ply: Ply, next: OwnBoard) {
        *lock(&self.0.next) = Some((ply, next));
    }

    /// This position, of which only a log told, with what the engine says about it.
    pub(super) fn completed(&self, said: Result<EngineState, RulesFault>) -> OwnBoard {
        let rules = self.rules();
        let checked = said.and_then(|state| State::new(rules, &state).map_err(RulesFault::new));
        // The text stays that of the log; what follows is the position that the log has next.
        let completed = match checked {
            Ok(state) => self.with_known(Known::State(Arc::new(state))),
            Err(fault) => self.with_fault(rules.fault_at(fault, self.text(), None)),
        };
        *lock(&completed.0.next) = lock(&self.0.next).clone();
        completed
    }

    /// The squares of a ply in their order: where it is clicked and marked.
    pub(crate) fn squares(&self, ply: Ply) -> Vec<(usize, usize)> {
        let rules = &self.0.rules;
        match ply {
            Ply::Pass => Vec::new(),
            Ply::Place(to) => vec![rules.row_and_column(to)],
            Ply::Move(from, to) => vec![rules.row_and_column(from), rules.row_and_column(to)],
            Ply::Word(word) => {
                // What the rules say of it goes first; else its text may be names of squares.
                for (of, squares) in self.state().map_or(&[][..], |state| &state.squares) {
                    if *of == word {
                        return squares.clone();
                    }
                }
                self.named_squares(ply).unwrap_or_default()
            }
        }
    }

    /// The squares that the text of a ply names; `None` if it is another word.
    pub(crate) fn named_squares(&self, ply: Ply) -> Option<Vec<(usize, usize)>> {
        self.0.rules.layout().read_squares(&self.0.rules.ply_text(ply))
    }

    /// Every square whose letter the ply changes. A piece of the side to move that disappears has
    /// left; another one is taken off.
    pub(crate) fn changes(&self, ply: Ply) -> Vec<(Square, SquareChange)> {
        let next = self.after(ply);
        if next.fault().is_some() {
            return Vec::new();
        }
        let went_to = self.squares(ply).last().copied();
        let mut changes = Vec::new();
        for (row, column) in self.0.rules.cells() {
            // Letters, not contents: two pieces of one side may have different letters.
            if self.letter(row, column) == next.letter(row, column) {
                continue;
            }
            let change = match (self.cell(row, column), next.cell(row, column)) {
                (Cell::Piece(side), Cell::Empty) if side == self.side() => SquareChange::Left,
                (_, Cell::Empty) => SquareChange::PushedOff,
                (Cell::Piece(one), Cell::Piece(other)) if one != other => {
                    if Some((row, column)) == went_to {
                        SquareChange::Took
                    } else {
                        SquareChange::Recoloured
                    }
                }
                _ => SquareChange::Arrived,
            };
            changes.push((self.0.rules.square(row, column), change));
        }
        changes
    }

    /// Row and column of the pieces of a side.
    fn pieces(&self, side: Side) -> impl Iterator<Item = (usize, usize)> {
        let cells = self.0.rules.cells();
        cells.filter(move |&(row, column)| self.cell(row, column) == Cell::Piece(side))
    }

    /// What is equal in a repetition.
    fn identity(&self) -> &str {
        self.state().and_then(|state| state.identity.as_deref()).unwrap_or(self.text())
    }

    /// A hash of what is equal in a repetition: FNV-1a with 64 bits (G. Fowler, L. Noll, K. Vo),
    /// because the standard library's hashes may differ from version to version.
    pub(crate) fn key(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325;
        for byte in self.identity().bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        hash
    }

    pub(crate) fn repeats(&self, other: &OwnBoard) -> bool {
        self.0.rules == other.0.rules && self.identity() == other.identity()
    }

    pub(crate) fn letter(&self, row: usize, column: usize) -> Option<char> {
        let letter = *self.0.letters.as_bytes().get(row * self.0.rules.columns() + column)?;
        (letter != b'.').then_some(char::from(letter))
    }

    pub(crate) fn cell(&self, row: usize, column: usize) -> Cell {
        let letter = self.letter(row, column).unwrap_or('.');
        self.0.rules.layout().cell(letter).unwrap_or(Cell::Empty)
    }

    /// Always `None`: what computes with sets of squares is written for one game.
    pub(crate) fn bits(&self, _: Side) -> Option<u64> {
        None
    }

    /// Never asked for: `Position::turned` knows that custom games have none.
    pub(crate) fn turned(&self) -> OwnBoard {
        self.clone()
    }

    pub(crate) fn piece_count(&self, side: Side) -> u32 {
        self.pieces(side).count() as u32
    }

    /// The number of groups under 8-adjacency.
    pub(crate) fn group_count(&self, side: Side) -> u32 {
        group_count(self.pieces(side))
    }

    /// No symmetry of the game is known, so the only image is the board itself.
    pub(crate) fn with_cells(&self, _: &BoardCells) -> OwnBoard {
        self.clone()
    }

    pub(crate) fn push_board(&self, out: &mut String) {
        for row in self.0.letters.as_bytes().chunks(self.0.rules.columns()) {
            out.push_str(ascii(row));
            out.push('\n');
        }
    }

    pub(crate) fn push_plies(&self, out: &mut String) {
        for ply in self.plies() {
            out.extend([" ", &self.0.rules.ply_text(ply)]);
        }
    }
}

impl OwnRules {
    /// The start position, without what was asked about it before.
    pub(crate) fn start(&self) -> OwnBoard {
        // It was checked when the ruleset was made.
        let start = OwnBoard::from_engine(self, self.start_state());
        start.unwrap_or_else(|fault| OwnBoard::faulty(self, fault))
    }

    /// Checks that the start position is one, in which the first side is to move. A log may tell of
    /// another one.
    pub(super) fn check_start(&self) -> Result<(), RulesFault> {
        let start = self.start();
        if let Some(fault) = start.fault() {
            return Err(fault.clone());
        }
        if self.engine().is_some() && start.side() == Side::Second {
            let sides = self.layout().sides();
            return Err(RulesFault::new(format_args!(
                "start names {1} as the side to move, but the first letter of sides, {0}, is that \
                 of the side that begins",
                sides.first, sides.second
            )));
        }
        Ok(())
    }

    /// Reads a position text and asks the engine what follows from it.
    pub(crate) fn read_position(&self, text: &str) -> Result<OwnBoard, PositionError> {
        let board = OwnBoard::from_text(self, text).map_err(PositionError::new)?;
        let Some(engine) = self.engine() else { return Ok(board) };
        let answer = engine.answer(&EngineQuestion::At(board.text().to_owned()));
        if let Ok(EngineAnswer::NoPosition(why)) = answer {
            return Err(PositionError::new(why)); // the text is wrong, not the rules
        }
        let described = answer
            .and_then(EngineAnswer::state)
            .and_then(|state| OwnBoard::from_engine(self, &state));
        described.map_err(|fault| PositionError::from(self.fault_at(fault, text, None)))
    }
}

impl PartialEq for OwnBoard {
    fn eq(&self, other: &OwnBoard) -> bool {
        self.0.rules == other.0.rules && self.0.text == other.0.text
    }
}

impl Eq for OwnBoard {}

impl Hash for OwnBoard {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.0.rules, &self.0.text).hash(state);
    }
}

impl fmt::Debug for OwnBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnBoard")
            .field("text", &self.0.text)
            .field("known", &self.0.known)
            .finish()
    }
}

/// Locks a value, also after a panic of a thread that held the lock: no such thread can have left
/// it in disorder.
fn lock<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A long game is a long chain of positions: it is taken apart link by link, because a call inside
/// another for each link would overflow the stack.
impl Drop for Node {
    fn drop(&mut self) {
        let mut next = lock(&self.next).take();
        while let Some((_, board)) = next {
            next = Arc::into_inner(board.0).and_then(|node| lock(&node.next).take());
        }
    }
}

/// The letters of the squares, the side to move, and the words after it.
fn read_text<'a>(
    rules: &OwnRules,
    position: &'a str,
) -> Result<(String, Side, Vec<&'a str>), String> {
    // Some bound: bots receive the text with each turn, and every log has it.
    const MOST_EXTRA: usize = 4_096;
    let mut fields = position.split(' ');
    let board = fields.next().unwrap_or_default();
    let layout = rules.layout();
    let size = (rules.rows(), rules.columns());
    let letters = notation::read_rows(board, size, '.', |letter| match layout.cell(letter) {
        Some(Cell::Piece(_) | Cell::Block) => Ok(letter),
        Some(Cell::Empty) | None => Err(format!("unknown letter {letter:?}")),
    })?;
    let side = notation::read_side(fields.next().unwrap_or_default(), layout.sides())?;
    let mut extra = Vec::new();
    let mut bytes = 0;
    for word in fields {
        bytes += word.len() + 1;
        if word.is_empty()
            || !word.as_bytes().iter().all(u8::is_ascii_graphic)
            || bytes > MOST_EXTRA
        {
            return Err(format!(
                "position: what follows the side to move is words of visible ASCII characters, \
                 {MOST_EXTRA} bytes at most"
            ));
        }
        extra.push(word);
    }
    Ok((letters.into_iter().collect(), side, extra))
}

/// Appends the rows of a position text.
fn push_rows(out: &mut String, letters: &str, columns: usize) {
    let letters = letters.as_bytes();
    notation::push_rows(out, (letters.len() / columns, columns), |row, column| {
        Some(char::from(letters[row * columns + column])).filter(|&letter| letter != '.')
    });
}

/// The legal plies of a position, sorted by their texts.
#[derive(Debug, Clone)]
pub(crate) struct OwnPlies {
    board: OwnBoard,
    next: usize,
}

impl Iterator for OwnPlies {
    type Item = Ply;

    fn next(&mut self) -> Option<Ply> {
        let ply = self.board.state()?.plies.get(self.next).copied();
        self.next += 1;
        ply
    }
}
