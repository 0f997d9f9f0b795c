//! Positions of any of the games.

use super::board::GameBoard;
use super::cell::{BoardCells, Cell};
use super::games::{AnyBoard, AnyPlies, each, map};
use super::notation::{self, PositionError};
use super::own::{OwnBoard, OwnReason, Question};
use super::{ChangedSquare, Ending, Illegal, Margin, Ply, RulesFault, Ruleset, Side, Symmetry};
use multiversion::multiversion;
use std::fmt;

/// Board and side to move, with the ruleset. Positions are copied instead of taking plies back;
/// [`after`] writes no more than its game needs.
///
/// [`Display`](fmt::Display) writes the position text. Two positions are equal if everything that
/// the rules depend on is equal; [`repeats`](Position::repeats) is the weaker equality of draws by
/// repetition.
///
/// [`after`]: Position::after
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position(pub(super) AnyBoard);

impl Ruleset {
    /// The start position.
    pub fn start(&self) -> Position {
        Position(self.0.start())
    }

    /// Reads a position text, strictly. The blocks of `lineup` are those of the text: the
    /// position's own [`ruleset`](Position::ruleset) has them, not the blocks of this one.
    ///
    /// # Errors
    /// A sentence that names the row or field.
    pub fn read_position(&self, text: &str) -> Result<Position, PositionError> {
        self.0.read_position(text).map(Position)
    }

    /// Reads a position text as [`read_position`](Ruleset::read_position) does, but if the rules of
    /// a custom game fail there, the position has a [fault](Position::fault): the text may be
    /// right.
    ///
    /// # Errors
    /// As there.
    pub fn logged_position(&self, text: &str) -> Result<Position, PositionError> {
        // A log is read to be shown and judged, so failing rules must not make it unreadable.
        let read = self.read_position(text);
        if let Err(PositionError { fault: Some(fault), .. }) = &read
            && let Some(rules) = self.own_rules()
        {
            let board = OwnBoard::from_text(rules, text).map_err(PositionError::new)?;
            return Ok(Position(AnyBoard::Own(board.with_fault(RulesFault::clone(fault)))));
        }
        read
    }

    /// A fault of these rules at a position text.
    pub fn fault_at(&self, position: &str, what: impl fmt::Display) -> RulesFault {
        match self.own_rules() {
            Some(rules) => rules.fault_at(RulesFault::new(what), position, None),
            None => RulesFault::new(what).asked(position, None),
        }
    }
}

/// What custom games need beside the others, because their rules have to be asked and a log may
/// tell a game without them.
impl Position {
    /// The board, if it is one of a custom game.
    #[inline]
    fn own(&self) -> Option<&OwnBoard> {
        match &self.0 {
            AnyBoard::Own(board) => Some(board),
            _ => None,
        }
    }

    /// What the rules of a custom game have to be asked before a ply can be judged and played:
    /// [`check`](Position::check) and [`after`](Position::after) block the thread for that, unless
    /// the answer is [kept](super::own::RulesAnswer::keep) before.
    pub fn question(&self, ply: Ply) -> Option<Question> {
        self.own()?.question(ply)
    }

    /// Why the rules do not say what follows from this position: a fault of a custom game.
    /// Nothing else that is asked about the position has a meaning then; a game that comes here is
    /// aborted.
    pub fn fault(&self) -> Option<&RulesFault> {
        self.own()?.fault()
    }

    /// The same position without the one after it, which a custom game keeps: each game has
    /// positions of its own.
    pub fn detached(&self) -> Position {
        match self.own() {
            Some(board) => Position(AnyBoard::Own(board.detached())),
            None => self.clone(),
        }
    }

    /// Keeps the position text after a ply, as a log of a custom game tells it, and returns
    /// that position: it is the one [`after`](Position::after) the ply from now on. In other games
    /// the ply is played, if it is legal.
    ///
    /// # Errors
    /// The text is no position of the board.
    pub fn record_next(&self, ply: Ply, text: &str) -> Result<Position, PositionError> {
        let Some(board) = self.own() else {
            self.check(ply).map_err(PositionError::new)?;
            return Ok(self.after(ply));
        };
        let next = OwnBoard::from_text(board.rules(), text).map_err(PositionError::new)?;
        board.keep_next(ply, next.clone());
        Ok(Position(AnyBoard::Own(next)))
    }

    /// The position after a ply if it is kept and without a fault, in a custom game.
    pub fn recorded_next(&self, ply: Ply) -> Option<Position> {
        let next = self.own()?.kept_next(ply)?;
        next.fault().is_none().then_some(Position(AnyBoard::Own(next)))
    }

    /// Row and column of the squares of a ply, in their order: where it is clicked and marked.
    ///
    /// ```
    /// use arbiter_rules::Ruleset;
    /// let loa = Ruleset::named("loa", "").unwrap();
    /// assert_eq!(loa.start().squares(loa.read_ply("a2c4").unwrap()), [(2, 0), (4, 2)]);
    /// ```
    pub fn squares(&self, ply: Ply) -> Vec<(usize, usize)> {
        if let Some(board) = self.own() {
            return board.squares(ply);
        }
        let ruleset = self.ruleset();
        match ply {
            Ply::Place(to) => vec![ruleset.row_and_column(to)],
            Ply::Move(from, to) => vec![ruleset.row_and_column(from), ruleset.row_and_column(to)],
            Ply::Pass | Ply::Word(_) => Vec::new(),
        }
    }

    /// The legal plies that are words and not the names of squares, in the order of their texts:
    /// what is chosen from a list.
    pub fn words(&self) -> Vec<Ply> {
        let Some(board) = self.own() else { return Vec::new() };
        let mut words = Vec::new();
        for ply in self.plies() {
            if matches!(ply, Ply::Word(_)) && board.named_squares(ply).is_none() {
                words.push(ply);
            }
        }
        words
    }

    /// The letter on a square, as [`push_board`](Position::push_board) writes it; `None` for an
    /// empty one.
    pub fn letter(&self, row: usize, column: usize) -> Option<char> {
        match self.own() {
            Some(board) => board.letter(row, column),
            None => self.cell(row, column).letter(self.ruleset().game().letters()),
        }
    }
}

impl Position {
    /// The ruleset with its options.
    pub fn ruleset(&self) -> Ruleset {
        Ruleset(each!(
            AnyBoard,
            &self.0,
            board => board.rules().into(),
            own board => board.rules().clone().into()
        ))
    }

    /// The side to move.
    #[inline]
    pub fn side(&self) -> Side {
        each!(AnyBoard, &self.0, board => board.side())
    }

    /// 1 or 2: which piece of its turn the side to move places, in `flipflop`, whose turns have
    /// two; `None` in other games.
    pub fn piece(&self) -> Option<u8> {
        each!(AnyBoard, &self.0, board => board.piece())
    }

    /// How the rules have ended the game in this position; `None` while it goes on.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        each!(AnyBoard, &self.0, board => board.ending())
    }

    /// Why the rules of a custom game ended it, if no game of arbiter has this reason.
    pub fn own_reason(&self) -> Option<OwnReason> {
        self.own()?.own_reason()
    }

    /// By how much the winner has won, where the rules of a custom game say so.
    pub fn margin(&self) -> Option<Margin> {
        self.own()?.margin()
    }

    /// The legal plies in a fixed order; there are none when the game is over. A side that cannot
    /// move has the one ply [`Ply::Pass`]. Does not allocate.
    #[inline]
    pub fn plies(&self) -> Plies {
        Plies(map!(AnyPlies, &self.0, board => board.plies()))
    }

    /// The legal plies sorted by their text. Lists for people, bots and openings use this order.
    pub fn sorted_plies(&self) -> Vec<Ply> {
        each!(AnyBoard, &self.0, board => board.sorted_plies().collect())
    }

    /// Number of legal moves; faster than counting [`plies`](Position::plies) in most games.
    #[inline]
    pub fn ply_count(&self) -> u64 {
        count(&self.0)
    }

    /// [`Ply::Pass`], if it is the only legal ply.
    #[inline]
    pub fn forced_pass(&self) -> Option<Ply> {
        // In FlipFlop a pass may be one of several plies: it declines the second piece.
        let mut plies = self.plies();
        let first = plies.next().filter(|&ply| ply == Ply::Pass)?;
        plies.next().is_none().then_some(first)
    }

    /// Checks whether a ply is legal.
    ///
    /// # Errors
    /// The rule that it breaks, the first one if there are several.
    pub fn check(&self, ply: Ply) -> Result<(), Illegal> {
        if self.ending().is_some() {
            return Err(Illegal::GameOver);
        }
        each!(AnyBoard, &self.0, board => board.check(ply))
    }

    /// Every rule that a ply breaks, the one that [`check`](Position::check) returns first; empty
    /// for a legal ply. A ply that only breaks [`Illegal::GameOver`] can be played nevertheless:
    /// the board [`after`](Position::after) it is right, though its ending may not be.
    ///
    /// ```
    /// use arbiter_rules::{Illegal, Ruleset};
    /// let loa = Ruleset::named("loa", "").unwrap();
    /// let broken = loa.start().broken_rules(loa.read_ply("b0b1").unwrap());
    /// use Illegal::{OpponentsPiece, WrongDistance};
    /// assert!(matches!(broken[..], [OpponentsPiece { .. }, WrongDistance { .. }]));
    /// ```
    pub fn broken_rules(&self, ply: Ply) -> Vec<Illegal> {
        // Rules of a custom game name one reason. That the game is over is added below, because the
        // boards do not look at it here.
        let mut broken = each!(
            AnyBoard,
            &self.0,
            board => board.broken_rules(ply),
            own board => board.check(ply).err().into_iter().collect()
        );
        if self.ending().is_some() {
            broken.insert(0, Illegal::GameOver);
        }
        broken
    }

    /// Whether a ply is legal. Unlike [`check`](Position::check) it never asks the rules of a
    /// custom game for a reason.
    pub fn is_legal(&self, ply: Ply) -> bool {
        match self.own() {
            Some(board) => board.is_legal(ply),
            None => self.check(ply).is_ok(),
        }
    }

    /// Plays a legal ply: one of [`plies`](Position::plies), or one that [`check`](Position::check)
    /// accepted. For any other ply the resulting position is meaningless, or the call panics.
    #[inline]
    pub fn play(&mut self, ply: Ply) {
        each!(AnyBoard, &mut self.0, board => *board = board.after(ply));
    }

    /// The position after a legal ply.
    #[inline]
    pub fn after(&self, ply: Ply) -> Position {
        Position(map!(AnyBoard, &self.0, board => board.after(ply)))
    }

    /// The squares that a legal ply changes, row by row from the row that is printed first; empty
    /// for a pass.
    ///
    /// ```
    /// use arbiter_rules::{Ruleset, SquareChange};
    /// let loa = Ruleset::named("loa", "").unwrap();
    /// let ply = loa.read_ply("a2c4").unwrap();
    /// let expected = [((2, 0), SquareChange::Left), ((4, 2), SquareChange::Arrived)];
    /// assert_eq!(loa.start().changes(ply), expected);
    /// ```
    pub fn changes(&self, ply: Ply) -> Vec<ChangedSquare> {
        let ruleset = self.ruleset();
        let mut changes = Vec::new();
        for (square, change) in each!(AnyBoard, &self.0, board => board.changes(ply)) {
            changes.push((ruleset.row_and_column(square), change));
        }
        changes.sort_unstable_by_key(|(square, _)| *square);
        changes
    }

    /// A 64-bit hash of board, blocks and side to move; it is the same in every run and build.
    #[inline]
    pub fn key(&self) -> u64 {
        each!(AnyBoard, &self.0, board => board.key())
    }

    /// Whether board and side to move are the same, which is the equality that counts for
    /// repetition.
    #[inline]
    pub fn repeats(&self, other: &Position) -> bool {
        self.0.repeats(&other.0)
    }

    /// The content of a square: `row` counts from the row that is printed first, `column` from the
    /// left. If the square is not on the board, the answer is meaningless, or the call panics.
    #[inline]
    pub fn cell(&self, row: usize, column: usize) -> Cell {
        each!(AnyBoard, &self.0, board => board.cell(row, column))
    }

    /// The same board with the other side to move, as if the side to move had passed: what it could
    /// do, and what it is worth. Its ending is that of this position. `None` in a custom game,
    /// whose rules may not have such a position.
    #[inline]
    pub fn turned(&self) -> Option<Position> {
        // First, because `map` below needs a board of every game.
        if self.own().is_some() {
            return None;
        }
        Some(Position(map!(AnyBoard, &self.0, board => board.turned())))
    }

    /// The pieces of a side as a set of squares: bit n is the square whose
    /// [index](super::Square::index) is n. `None` on boards of more than 64 squares and in custom
    /// games.
    #[inline]
    pub fn bits(&self, side: Side) -> Option<u64> {
        each!(AnyBoard, &self.0, board => board.bits(side))
    }

    /// Number of pieces of a side on the board.
    pub fn piece_count(&self, side: Side) -> u32 {
        each!(AnyBoard, &self.0, board => board.piece_count(side))
    }

    /// Number of groups of a side's pieces, connected under 8-adjacency.
    pub fn group_count(&self, side: Side) -> u32 {
        each!(AnyBoard, &self.0, board => board.group_count(side))
    }

    /// The position rotated or mirrored by one of [`Ruleset::symmetries`], blocks included.
    pub fn image(&self, symmetry: Symmetry) -> Position {
        let ruleset = self.ruleset();
        let rows = ruleset.rows();
        let columns = ruleset.columns();
        // What is on a square of the image comes from the square that the inverse leads to.
        let cells = BoardCells::from_fn(rows, columns, |row, column| {
            let (row, column) = symmetry.inverse().cell((rows, columns), (row, column));
            self.cell(row, column)
        });
        Position(map!(AnyBoard, &self.0, board => board.with_cells(&cells)))
    }

    /// Appends the board, the row that is printed first at the top: a square's letter, `#` for a
    /// block, `.` for an empty square; a newline after each row.
    #[inline]
    pub fn push_board(&self, out: &mut String) {
        each!(AnyBoard, &self.0, board => board.push_board(out));
    }

    /// Appends every legal ply, sorted by text, each with a space before it.
    #[inline]
    pub fn push_plies(&self, out: &mut String) {
        each!(AnyBoard, &self.0, board => board.push_plies(out));
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(board) = self.own() {
            return f.write_str(board.text()); // it has words that no other game knows
        }
        let ruleset = self.ruleset();
        let letters = ruleset.game().letters();
        let mut out = String::new();
        let size = (ruleset.rows(), ruleset.columns());
        notation::push_rows(&mut out, size, |row, column| self.cell(row, column).letter(letters));
        write!(f, "{out} {}", letters[self.side()])?;
        match self.piece() {
            Some(piece) => write!(f, " {piece}"),
            None => Ok(()),
        }
    }
}

/// The legal plies of a position, see [`Position::plies`].
#[derive(Debug, Clone)]
pub struct Plies(AnyPlies);

impl Iterator for Plies {
    type Item = Ply;

    #[inline]
    fn next(&mut self) -> Option<Ply> {
        each!(AnyPlies, &mut self.0, plies => plies.next())
    }
}

/// Number of legal plies, with the processor's instructions that count bits where it has them: the
/// baseline of x86-64 has none of those.
// A function and not a method, because `multiversion` clones functions; what it calls has to be
// inlined to be cloned with it.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn count(board: &AnyBoard) -> u64 {
    each!(AnyBoard, board, board => board.count())
}
