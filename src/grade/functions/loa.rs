//! Calls of the member functions of the class of Lines of Action.

use super::call::{Call, Expected, Value};
use super::calls::Calls;
use super::squares::{Squares, after_random, below};
use arbiter_rules::seed::Generator;
use arbiter_rules::{Ending, Illegal, Ply, Position, Ruleset, SquareChange, group_count};
use std::collections::BTreeMap;
use std::ops::Range;

/// The functions, in the order of the hand-out, with their prototypes.
pub(super) const FUNCTIONS: &[(&str, &str)] = &[
    ("LinesOfAction", "LinesOfAction::LinesOfAction()"),
    ("printGame", "void LinesOfAction::printGame()"),
    ("getCurrentPlayer", "char LinesOfAction::getCurrentPlayer()"),
    ("swapPlayer", "void LinesOfAction::swapPlayer()"),
    ("move", "bool LinesOfAction::move(string from, string to)"),
    ("hasConnected", "bool LinesOfAction::hasConnected(char p)"),
    ("gameOver", "char LinesOfAction::gameOver()"),
];

/// The width and height of the board.
const N: isize = 8;
/// The most calls of a kind: of a class, in a direction, on the turn of a player.
const OF_A_KIND: usize = 2;
/// The boards that are drawn in search of calls.
const DRAWN: usize = 4000;

/// The ways of a line, with their labels.
const LINES: [(isize, isize, &str); 4] = [
    (0, 1, "along a row"),
    (1, 0, "along a column"),
    (1, 1, "along a diagonal from upper left"),
    (-1, 1, "along a diagonal from lower left"),
];

/// A square as row and column; it may lie off the board.
type Square = (isize, isize);

/// The class of moves that break only this rule, a label, and why they are refused; `None` for a
/// rule that no move between two squares breaks.
fn words(broken: &Illegal) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match broken {
        Illegal::NoPiece { .. } => (
            FOREIGN,
            "moves from an empty square",
            "there is no piece of the current player on `from`",
        ),
        Illegal::OpponentsPiece { .. } => {
            (FOREIGN, "moves of a piece of the opponent", "the piece on `from` is the opponent's")
        }
        Illegal::NotOnOneLine { from, to } if from == to => {
            (COUNT, "moves to the same square", "a piece must leave its square")
        }
        Illegal::NotOnOneLine { .. } => {
            ("moves along no line", "moves along no line", "the move follows no line")
        }
        Illegal::WrongDistance { pieces, distance, .. } if distance < pieces => {
            (COUNT, "moves that are too short", "there are more pieces on the line")
        }
        Illegal::WrongDistance { .. } => {
            (COUNT, "moves that are too far", "there are fewer pieces on the line")
        }
        Illegal::OverOpponent { .. } => (
            "jumps over the opponent",
            "jumps over the opponent",
            "a piece of the opponent stands between the squares",
        ),
        Illegal::OntoOwnPiece { .. } => {
            ("landings on an own piece", "landings on an own piece", "an own piece stands on `to`")
        }
        _ => return None,
    })
}

/// Boards with groups of a player `P` that a careless search gets wrong, each with a label.
const SHAPES: [(&str, &str); 9] = [
    ("PPPPPPP./.......P/.PPPPPP./P......./.PPPPPP./.......P/PPPPPPP./........", "winding groups"),
    ("PPPPPPPP/.......P/PPPPPP.P/P....P.P/P.PP.P.P/P.PPPP.P/P......P/PPPPPPPP", "winding groups"),
    ("P......./.P.....P/..P....P/...P...P/....P.P./.....P../......../........", "winding groups"),
    ("P.P.P.P./.P.P.P.P/......../......../......../......../......../........", "winding groups"),
    ("......../..PPP.../..P.P.../..PPP.../......../......../......../........", "rings"),
    ("PPPPPPPP/P......P/P......P/P......P/P......P/P......P/P......P/PPPPPPPP", "rings"),
    (
        "PPPPPPPP/P......P/P......P/P...P..P/P......P/P......P/P......P/PPPPPPPP",
        "a piece in a ring",
    ),
    ("PP....../PP....../......../......../......../......../......PP/......PP", "equal groups"),
    ("PPPP..../......../PPPP..../......../PPPP..../......../......../........", "equal groups"),
];

const FOREIGN: &str = "no own piece on the first square";
const COUNT: &str = "moves of another length than the pieces on the line";
const NO_SQUARES: &str = "texts that are no squares";
const CAPTURES: &str = "captures";
const JUMPS: &str = "jumps over own pieces";
const BEHIND: &str = "a piece behind counts, too";
const MADE: &str = "valid moves";

/// A board with the player on turn.
#[derive(Debug, Clone)]
struct Game {
    squares: Squares,
    player: char,
}

impl Game {
    /// The board with these rows.
    fn of(rows: &str, player: char) -> Game {
        let letters = rows.chars().filter(|&letter| letter != '/').collect();
        Game { squares: Squares { n: N as usize, letters }, player }
    }

    /// The board of a position of the rules.
    fn at_position(position: &Position) -> Game {
        let player = position.ruleset().letter(position.side());
        Game { squares: Squares::of(position), player }
    }

    /// The position of the rules with this board; none if they do not have it.
    fn position(&self, rules: &Ruleset) -> Option<Position> {
        self.squares.position(rules, &self.player.to_string())
    }

    fn empty(player: char) -> Game {
        Game { squares: Squares::empty(N as usize), player }
    }

    /// A board with the same letter on all squares.
    fn full(letter: char) -> Game {
        Game::of(&letter.to_string().repeat(64), 'B')
    }

    /// A board with pieces of the player on turn on these squares alone.
    fn with(player: char, squares: &[Square]) -> Game {
        let mut game = Game::empty(player);
        for &square in squares {
            game.put(square, player);
        }
        game
    }

    /// The letter on a square; none off the board.
    fn at(&self, (row, column): Square) -> Option<char> {
        self.squares.at(row, column)
    }

    /// Puts a piece on a square of the board.
    fn put(&mut self, (row, column): Square, letter: char) {
        self.squares.put(row, column, letter);
    }

    fn count(&self, player: char) -> usize {
        self.squares.count(player)
    }

    /// The board with the other members, as the test main reads and writes them.
    fn state(&self) -> String {
        let player = self.player;
        let next = other(self.player);
        format!("{},{player},{next},{},{}", self.squares.rows(), self.count('B'), self.count('W'))
    }

    fn has_piece(&self, square: Square) -> bool {
        !matches!(self.at(square), None | Some('.'))
    }

    /// The letters on the squares that these numbers of steps lead to, as far as they are on the
    /// board.
    fn letters(&self, from: Square, step: Square, steps: Range<isize>) -> Vec<char> {
        let mut letters = Vec::new();
        for count in steps {
            letters.extend(self.at((from.0 + count * step.0, from.1 + count * step.1)));
        }
        letters
    }

    /// The letters on the line through a square in a direction.
    fn line(&self, from: Square, step: Square) -> Vec<char> {
        self.letters(from, step, -N..N + 1)
    }

    /// The pieces on that line.
    fn on_line(&self, from: Square, step: Square) -> isize {
        self.line(from, step).iter().filter(|&&letter| letter != '.').count() as isize
    }

    /// The letters on the squares between two squares of a line, or of what looks like one.
    fn between(&self, from: Square, to: Square) -> Vec<char> {
        self.letters(from, direction(from, to), 1..distance(from, to))
    }

    /// Whether there are pieces on a line before the square from which this step is made.
    fn has_pieces_behind(&self, from: Square, step: Square) -> bool {
        self.letters(from, step, -N..0).iter().any(|&letter| letter != '.')
    }

    /// Whether there are no pieces on a square and around it.
    fn is_lonely(&self, (row, column): Square) -> bool {
        for down in -1..=1 {
            for right in -1..=1 {
                if self.has_piece((row + down, column + right)) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a class that takes a move for one along a diagonal finds nothing else wrong with it.
    fn is_valid_diagonal(&self, from: Square, to: Square) -> bool {
        self.on_line(from, direction(from, to)) == distance(from, to)
            && !self.between(from, to).contains(&other(self.player))
    }

    /// Whether all pieces of a player are one group.
    fn is_connected(&self, player: char) -> bool {
        let n = N as usize;
        let mut squares = Vec::new();
        for (index, letter) in self.squares.letters.iter().enumerate() {
            if *letter == player {
                squares.push((index / n, index % n));
            }
        }
        group_count(squares) == 1
    }

    /// What `gameOver` returns; none if the rules do not have the board.
    fn over(&self, rules: &Ruleset) -> Option<char> {
        Some(match self.position(rules)?.ending() {
            None => '-',
            Some(Ending { winner: None, .. }) => 'D',
            Some(Ending { winner: Some(side), .. }) => rules.letter(side),
        })
    }
}

/// The step of a move in the direction of its end.
fn direction(from: Square, to: Square) -> Square {
    ((to.0 - from.0).signum(), (to.1 - from.1).signum())
}

/// The length of a move.
fn distance(from: Square, to: Square) -> isize {
    (to.0 - from.0).abs().max((to.1 - from.1).abs())
}

fn other(player: char) -> char {
    if player == 'B' { 'W' } else { 'B' }
}

fn turn(player: char) -> &'static str {
    if player == 'B' { "Black is on turn" } else { "White is on turn" }
}

/// The name of a square, also of one near the board: `a0`.
fn name((row, column): Square) -> String {
    [letter(b'a', column), letter(b'0', row)].iter().collect()
}

/// The letter or digit so far behind this one.
fn letter(first: u8, by: isize) -> char {
    char::from(first.wrapping_add_signed(by as i8))
}

/// The label of a line in this direction.
fn line_label(step: Square) -> Option<&'static str> {
    for (down, right, label) in LINES {
        if step == (down, right) || step == (-down, -right) {
            return Some(label);
        }
    }
    None
}

/// The labels of the ways that a step goes.
fn way_labels((down, right): Square) -> Vec<&'static str> {
    let mut labels = Vec::new();
    match right {
        ..0 => labels.push("to the left"),
        0 => {}
        1.. => labels.push("to the right"),
    }
    match down {
        ..0 => labels.push("upwards"),
        0 => {}
        1.. => labels.push("downwards"),
    }
    labels
}

/// Squares of a block of two columns, row by row.
fn block((row, column): Square, count: isize) -> Vec<Square> {
    let mut squares = Vec::new();
    for index in 0..count {
        squares.push((row + index / 2, column + index % 2));
    }
    squares
}

/// The labels of the pieces on the line of a move, on which `theirs` are the opponent's.
fn piece_labels(line: &[char], theirs: char) -> Vec<&'static str> {
    let mut labels = Vec::new();
    if line.contains(&theirs) {
        labels.push("pieces of the opponent on the line");
    }
    if line.first() != Some(&'.') {
        labels.push("a piece at the upper or left end of the line");
    }
    if line.last() != Some(&'.') {
        labels.push("a piece at the lower or right end of the line");
    }
    labels
}

/// The calls; the same ones for the same seed.
pub(super) fn calls(seed: u64) -> Vec<Call> {
    let Ok(rules) = Ruleset::named("loa", "") else { return Vec::new() };
    let random = Generator::new(&[&seed, &"functions of loa"]);
    let start = Game::at_position(&rules.start());
    let mut maker =
        Maker { calls: Calls::new(String::new()), rules, start, random, played: Vec::new() };
    maker.play();
    maker.constructor();
    maker.print_game();
    maker.players();
    maker.moves();
    maker.texts();
    maker.has_connected();
    maker.game_over();
    maker.calls.into_vec()
}

/// Makes the calls.
struct Maker {
    calls: Calls,
    rules: Ruleset,
    /// The board at the start.
    start: Game,
    random: Generator,
    /// Boards of games that are not over.
    played: Vec<Game>,
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        below(&mut self.random, n)
    }

    /// A square drawn at random.
    fn square(&mut self) -> Square {
        (self.below(8) as isize, self.below(8) as isize)
    }

    /// Plays random games, and keeps boards of them.
    fn play(&mut self) {
        for number in 0..12 {
            let position = after_random(self.rules.start(), number * 3 + 1, &mut self.random);
            if position.ending().is_none() {
                self.played.push(Game::at_position(&position));
            }
        }
    }

    /// A board with pieces drawn at random, few or many, each player with one at least.
    fn drawn(&mut self) -> Game {
        let player = if self.below(2) == 0 { 'B' } else { 'W' };
        let mut game = Game::empty(player);
        for letter in ['B', 'W'] {
            for _ in 0..1 + self.below(12) {
                let square = self.square();
                if game.at(square) == Some('.') {
                    game.put(square, letter);
                }
            }
        }
        if game.count('B') == 0 || game.count('W') == 0 {
            Game { player, ..self.start.clone() }
        } else {
            game
        }
    }

    /// Adds a question, which changes and prints nothing.
    fn ask(
        &mut self,
        function: &'static str,
        game: &Game,
        arguments: &[&str],
        value: Value,
        labels: Vec<&'static str>,
    ) -> Option<&mut Call> {
        let quote = if function == "move" { '"' } else { '\'' };
        let mut words = Vec::new();
        let mut quoted = Vec::new();
        for &argument in arguments {
            words.push(argument.to_owned());
            quoted.push(format!("{quote}{argument}{quote}"));
        }
        let shown = format!("{function}({})", quoted.join(", "));
        let expected = Expected::silent(value, game.state());
        self.calls.add(function, (game.state(), words, shown), expected, labels)
    }

    /// The memory of the new object has other values before, so that what the constructor leaves
    /// out shows.
    fn constructor(&mut self) {
        let start = self.start.squares.rows();
        let empty = Game::full('.').squares.rows();
        let full = Game::full('B').squares.rows();
        for (asked, class, before) in [
            ("board", "the board", [(&empty, "B,W,12,12"), (&full, "B,W,12,12")]),
            (
                "players",
                "currentPlayer and nextPlayer",
                [(&start, "-,-,12,12"), (&start, "W,B,12,12")],
            ),
            ("numbers", "blacks and whites", [(&start, "B,W,0,0"), (&start, "B,W,64,1")]),
        ] {
            for (rows, others) in before {
                let state = format!("{rows},{others}");
                let call = (state, vec![asked.to_owned()], "LinesOfAction()".to_owned());
                let expected = Expected::silent(Value::Nothing, self.start.state());
                self.calls.add("LinesOfAction", call, expected, vec![class]);
            }
        }
    }

    fn print_game(&mut self) {
        let mut boards = vec![
            (self.start.clone(), "the board at the start"),
            (Game::full('W'), "full boards"),
            (Game::full('B'), "full boards"),
        ];
        // The last ones have moved farthest from the start.
        for game in self.played.iter().rev().take(5) {
            boards.push((game.clone(), "boards from play"));
        }
        for (game, class) in boards {
            let state = game.state();
            let printed = game.squares.printed(&self.rules, b'a', 1);
            let expected = Expected { value: Value::Nothing, state: state.clone(), printed };
            let call = (state, Vec::new(), "printGame()".to_owned());
            self.calls.add("printGame", call, expected, vec![class]);
        }
    }

    fn players(&mut self) {
        for mut game in [self.start.clone()].into_iter().chain(self.played.clone()) {
            for player in ['B', 'W'] {
                game.player = player;
                self.ask("getCurrentPlayer", &game, &[], Value::Letter(player), vec![turn(player)]);
                let swapped = Game { player: other(player), ..game.clone() };
                let expected = Expected::silent(Value::Nothing, swapped.state());
                let call = (game.state(), Vec::new(), "swapPlayer()".to_owned());
                self.calls.add("swapPlayer", call, expected, vec![turn(player)]);
            }
        }
    }

    /// Adds a move between squares of the board if it is valid or breaks one rule alone, and if
    /// there are few of its kind.
    fn add_move(
        &mut self,
        (game, position): (&Game, &Position),
        (from, to): (Square, Square),
        most: usize,
        kinds: &mut BTreeMap<Vec<&'static str>, usize>,
    ) {
        let [first, last] =
            [from, to].map(|(row, column)| self.rules.square(row as usize, column as usize));
        let ply = Ply::Move(first, last);
        let mut broken = position.broken_rules(ply);
        broken.retain(|rule| *rule != Illegal::GameOver); // of which `move` knows nothing
        let step = direction(from, to);
        let jumps = game.between(from, to).contains(&game.player);
        let is_line = !matches!(broken[..], [Illegal::NotOnOneLine { .. }]);
        let has_pieces_behind = is_line && game.has_pieces_behind(from, step);
        let captures = broken.is_empty()
            && position.changes(ply).iter().any(|(_, change)| *change == SquareChange::Took);
        let (mut labels, why) = match &broken[..] {
            [] if captures => (
                vec![CAPTURES, MADE],
                "as many squares as pieces on the line; the last one may hold a piece of the \
                 opponent",
            ),
            [] if jumps => (
                vec![JUMPS, MADE],
                "as many squares as pieces on the line; own pieces may be jumped over",
            ),
            [] if has_pieces_behind => {
                (vec![BEHIND, MADE], "as many squares as pieces on the whole line")
            }
            [] => {
                let line = line_label(step).unwrap_or_default();
                (vec![line, MADE], "as many squares as pieces on the line")
            }
            [rule] => {
                let Some((class, label, why)) = words(rule) else { return };
                (if class == label { vec![class] } else { vec![class, label] }, why)
            }
            _ => return,
        };
        // A class that takes it for a diagonal must play it, not refuse it for another reason.
        if !is_line && from != to && !game.is_valid_diagonal(from, to) {
            return;
        }
        let mut extra: Vec<&'static str> = vec![turn(game.player)];
        if is_line {
            extra.extend(line_label(step));
        }
        extra.extend(way_labels(step));
        let kind = [labels.clone(), extra.clone()].concat();
        let count = kinds.entry(kind).or_default();
        if *count >= most {
            return;
        }
        *count += 1;
        if captures && jumps {
            extra.push(JUMPS);
        }
        if is_line {
            extra.extend(piece_labels(&game.line(from, step), other(game.player)));
        }
        for label in extra {
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        let value = Value::Truth(broken.is_empty());
        if let Some(call) = self.ask("move", game, &[&name(from), &name(to)], value, labels) {
            call.why = why;
            if has_pieces_behind {
                call.kind = BEHIND;
            }
            if broken.is_empty() {
                let squares = Squares::of(&position.after(ply));
                call.expected.state = Game { squares, player: game.player }.state();
            }
        }
    }

    fn moves(&mut self) {
        let mut kinds = BTreeMap::new();
        for _ in 0..DRAWN {
            let game = self.drawn();
            let from = self.square();
            let Some(position) = game.position(&self.rules) else { continue };
            for index in 0..N * N {
                let to = (index / N, index % N);
                self.add_move((&game, &position), (from, to), OF_A_KIND, &mut kinds);
            }
        }
        for game in self.played.clone() {
            let Some(position) = game.position(&self.rules) else { continue };
            for _ in 0..40 {
                let from = self.square();
                let to = self.square();
                self.add_move((&game, &position), (from, to), OF_A_KIND + 2, &mut kinds);
            }
        }
    }

    /// Texts that name no square. But for that the move is valid, also where a class looks at the
    /// letters behind or before the board.
    fn texts(&mut self) {
        for player in ['B', 'W'] {
            let mut game = Game::with(
                player,
                &[(0, 0), (3, 3), (3, 4), (0, 7), (4, 0), (7, 3), (7, 7), (6, 0)],
            );
            for square in [(5, 6), (1, 5), (6, 2)] {
                game.put(square, other(player));
            }
            let lengths = "texts of another length";
            for (from, to, label) in [
                ("", "d5", lengths),
                ("d3", "", lengths),
                ("d", "d5", lengths),
                ("d3", "d", lengths),
                ("d31", "d5", lengths),
                ("d3", "d55", lengths),
                ("d3d", "d5", lengths),
                ("d3", "d5d3", lengths),
                ("D3", "d5", "capital letters"),
                ("d3", "D5", "capital letters"),
                ("D3", "D5", "capital letters"),
                ("H0", "h3", "capital letters"),
                ("3d", "d5", "a digit before the letter"),
                ("d3", "5d", "a digit before the letter"),
            ] {
                self.ask_texts(&game, [from, to], vec![NO_SQUARES, label, turn(player)]);
            }
            for along in 0..N {
                for (square, label) in [
                    ((-1, along), "rows above the board"),
                    ((N, along), "rows below the board"),
                    ((N + 1, along), "rows below the board"),
                    ((along, -1), "columns left of the board"),
                    ((along, N), "columns right of the board"),
                    ((along, 25), "columns right of the board"),
                ] {
                    self.ask_outside(&game, square, label);
                }
            }
        }
    }

    fn ask_texts(&mut self, game: &Game, texts: [&str; 2], labels: Vec<&'static str>) {
        if let Some(call) = self.ask("move", game, &texts, Value::Truth(false), labels) {
            call.why = "`from` and `to` must be a small letter a to h and a digit 0 to 7";
        }
    }

    /// Asks for a move towards a square outside from inside the board, as far as the line has
    /// pieces then; and for one from there into the board.
    fn ask_outside(&mut self, game: &Game, square: Square, label: &'static str) {
        let player = game.player;
        let inward: Square = match label {
            "rows above the board" => (1, 0),
            "rows below the board" => (-1, 0),
            "columns left of the board" => (0, 1),
            _ => (0, -1),
        };
        let far = 1 + self.below(3) as isize;
        let inside = (square.0 + inward.0 * far, square.1 + inward.1 * far);
        if game.at(inside).is_none() {
            return;
        }
        let mut towards = game.clone();
        towards.put(inside, player);
        let mut step = inside;
        while towards.on_line(inside, inward) < far && game.at(step).is_some() {
            if towards.at(step) == Some('.') {
                towards.put(step, player);
            }
            step = (step.0 + inward.0, step.1 + inward.1);
        }
        for (from, to) in [(inside, square), (square, inside)] {
            let mut board = towards.clone();
            if to == inside {
                board.put(inside, '.');
                // Where a class without a look at the edges finds the square in the next or last
                // row.
                board.put((from.0 + from.1.div_euclid(N), from.1.rem_euclid(N)), player);
            }
            let labels = vec![NO_SQUARES, "squares outside", label, turn(player)];
            self.ask_texts(&board, [&name(from), &name(to)], labels);
        }
    }

    /// Boards with groups of pieces of `player`, each with a class and labels.
    fn groups(player: char) -> Vec<(Game, Vec<&'static str>)> {
        let mut boards = Vec::new();
        for square in [(0, 0), (0, 7), (7, 0), (7, 7), (3, 4), (7, 3), (2, 7)] {
            boards.push((Game::with(player, &[square]), vec!["one piece"]));
        }
        for (down, right, label) in LINES {
            let class = match label {
                "along a row" => "groups along a row",
                "along a column" => "groups along a column",
                "along a diagonal from upper left" => "groups along a diagonal from upper left",
                _ => "groups along a diagonal from lower left",
            };
            for (row, column, length) in
                [(0, 0, 2), (3, 2, 3), (5, 4, 3), (7, 1, 2), (4, 7, 2), (3, 3, 4), (0, 0, 8)]
            {
                let row = if down < 0 { N - 1 - row } else { row };
                let mut game = Game::empty(player);
                for step in 0..length {
                    game.put((row + step * down, column + step * right), player);
                }
                if game.count(player) == length as usize {
                    boards.push((game, vec![class]));
                }
            }
            // Two squares apart is not adjacent, with and without a piece of the opponent between.
            for (row, column) in [(1, 1), (4, 3), (5, 5), (3, 0)] {
                let row = if down < 0 { N - 1 - row } else { row };
                let first = (row, column);
                let last = (row + 2 * down, column + 2 * right);
                let mut game = Game::with(player, &[first, last]);
                if game.count(player) == 2 {
                    boards.push((game.clone(), vec!["two groups", "a gap of one square"]));
                    game.put((row + down, column + right), other(player));
                    boards.push((game, vec!["two groups", "a piece of the opponent between"]));
                }
            }
        }
        for (one, two) in [
            ((1, 7), (2, 0)),
            ((3, 7), (5, 0)),
            ((4, 7), (4, 0)),
            ((0, 3), (7, 3)),
            ((2, 0), (1, 7)),
            ((6, 7), (7, 0)),
        ] {
            let labels = vec!["two groups", "pieces at opposite edges"];
            boards.push((Game::with(player, &[one, two]), labels));
        }
        for (one, two) in [((2, 2), (3, 4)), ((5, 1), (3, 2)), ((6, 6), (4, 5))] {
            let labels = vec!["two groups", "a gap of one square"];
            boards.push((Game::with(player, &[one, two]), labels));
        }
        for (rows, label) in SHAPES {
            let game = Game::of(&rows.replace('P', &player.to_string()), player);
            let class = if game.is_connected(player) { "large groups" } else { "two groups" };
            boards.push((game, vec![class, label]));
        }
        boards
    }

    /// Adds a question for the pieces of `player`.
    fn ask_connected(&mut self, game: &Game, player: char, labels: Vec<&'static str>) {
        let connected = game.is_connected(player);
        let labels = [labels, vec![if connected { "connected" } else { "not connected" }]].concat();
        let why = match (connected, game.count(player)) {
            (true, 1) => "one piece is connected by definition",
            (true, _) => "each piece is adjacent to the group",
            (false, _) => "the pieces are more than one group",
        };
        let value = Value::Truth(connected);
        if let Some(call) = self.ask("hasConnected", game, &[&player.to_string()], value, labels) {
            call.why = why;
        }
    }

    /// Puts pieces of the opponent, as many or one more, not adjacent to each other, on squares
    /// that are far from those of the player.
    fn opposed(game: &Game, player: char, most: usize) -> Game {
        let mut opposed = game.clone();
        for number in 0..N * N {
            // Because 27 and 64 have no common factor, each square comes once, far from the one
            // before.
            let index = number * 27 % 64;
            let square = (index / N, index % N);
            if opposed.is_lonely(square) && opposed.count(other(player)) < most {
                opposed.put(square, other(player));
            }
        }
        opposed
    }

    fn has_connected(&mut self) {
        for player in ['B', 'W'] {
            for (index, (mut game, labels)) in Maker::groups(player).into_iter().enumerate() {
                if index % 2 == 1 {
                    game.player = other(game.player);
                }
                let game = if index % 3 == 0 { game } else { Maker::opposed(&game, player, 3) };
                self.ask_connected(&game, player, labels);
            }
            for game in self.played.clone() {
                self.ask_connected(&game, player, vec!["boards from play"]);
            }
        }
    }

    fn game_over(&mut self) {
        let scattered = [(0, 0), (0, 7), (7, 0), (5, 7)];
        for (over, black, white, class) in [
            ('B', true, false, "Black wins"),
            ('W', false, true, "White wins"),
            ('D', true, true, "draws"),
            ('-', false, false, "the game goes on"),
        ] {
            for (number, (count, place)) in
                [(1, (2, 2)), (2, (3, 3)), (4, (4, 2)), (5, (2, 4)), (3, (4, 4))]
                    .into_iter()
                    .enumerate()
            {
                for player in ['B', 'W'] {
                    let mut game = Game::empty(player);
                    let mut corners = scattered.into_iter().cycle().skip(number);
                    let of_white = (6 - place.0, (place.1 + 3) % 7);
                    for (letter, is_connected, corner) in
                        [('B', black, place), ('W', white, of_white)]
                    {
                        let squares = if is_connected {
                            block(corner, count)
                        } else {
                            corners.by_ref().take(2).collect()
                        };
                        for square in squares {
                            game.put(square, letter);
                        }
                    }
                    // Groups that lie in each other's way end the game otherwise.
                    if game.over(&self.rules) != Some(over) {
                        continue;
                    }
                    let mut labels = vec![class, turn(player)];
                    if count == 1 && over != '-' {
                        labels.push("one piece");
                    }
                    self.ask("gameOver", &game, &[], Value::Letter(over), labels);
                }
            }
        }
        for game in self.played.clone() {
            let labels = vec!["the game goes on", "boards from play"];
            self.ask("gameOver", &game, &[], Value::Letter('-'), labels);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_two_calls() {
        let mut classes = BTreeMap::new();
        for call in calls(1) {
            assert!(call.state.split(',').next().is_some_and(|rows| rows.len() == 71), "{call:?}");
            *classes.entry((call.function, call.class)).or_insert(0) += 1;
        }
        assert!(classes.len() >= 30, "{classes:?}");
        let start = ("printGame", "the board at the start");
        assert!(classes.iter().all(|(key, &count)| count >= 2 || *key == start), "{classes:?}");
    }

    #[test]
    fn each_condition_is_broken_in_each_direction() {
        let calls = calls(1);
        for label in
            ["jumps over the opponent", "landings on an own piece", CAPTURES, JUMPS, COUNT, FOREIGN]
        {
            for (_, _, along) in LINES {
                let there = calls
                    .iter()
                    .any(|call| call.labels.contains(&label) && call.labels.contains(&along));
                assert!(there, "{label} {along}");
            }
        }
    }
}
