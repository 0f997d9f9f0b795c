//! Calls of the member functions of the class of Lines of Action.

mod connected;
mod game;

use super::call::{Call, Expected, Value};
use super::calls::Calls;
use super::squares::{Square, Squares, after_random, along, below};
use arbiter_rules::seed::Generator;
use arbiter_rules::{Illegal, Ply, Position, Ruleset, SquareChange};
use game::{Game, N, block, direction, other, square_name};
use std::collections::BTreeMap;

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

/// The most calls of a kind: of a class, in a direction, on the turn of a player.
const OF_A_KIND: usize = 2;
/// The boards that are drawn in search of calls: enough that each rule is broken in each direction,
/// which a test holds.
const DRAWN: usize = 4000;

/// The ways of a line, with their labels.
const LINES: [(Square, &str); 4] = [
    ((0, 1), "along a row"),
    ((1, 0), "along a column"),
    ((1, 1), "along a diagonal from upper left"),
    ((-1, 1), "along a diagonal from lower left"),
];

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

const FOREIGN: &str = "no own piece on the first square";
const COUNT: &str = "moves of another length than the pieces on the line";
const NO_SQUARES: &str = "texts that are no squares";
const CAPTURES: &str = "captures";
const JUMPS: &str = "jumps over own pieces";
const BEHIND: &str = "a piece behind counts, too";
const MADE: &str = "valid moves";

fn turn(player: char) -> &'static str {
    if player == 'B' { "Black is on turn" } else { "White is on turn" }
}

/// The label of a line in this direction.
fn line_label(step: Square) -> Option<&'static str> {
    let (_, label) =
        LINES.into_iter().find(|&(line, _)| step == line || step == (-line.0, -line.1))?;
    Some(label)
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
        if let Some(call) =
            self.ask("move", game, &[&square_name(from), &square_name(to)], value, labels)
        {
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
            for index in 0..game.squares.letters.len() {
                let to = game.squares.square(index);
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
        let inside = along(square, inward, far);
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
            step = along(step, inward, 1);
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
            self.ask_texts(&board, [&square_name(from), &square_name(to)], labels);
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
            for (_, along) in LINES {
                let there = calls
                    .iter()
                    .any(|call| call.labels.contains(&label) && call.labels.contains(&along));
                assert!(there, "{label} {along}");
            }
        }
    }
}
