//! Games for the client of Lines of Action: with a class that follows a script, and with a right
//! class.
//!
//! A script has boards and answers that no rules give, so that a client with rules of its own
//! prints something else. Whole games come from players who both help one result; each ends as soon
//! as it can.

use super::case::{Entry, ProgramCase};
use super::gekitai::printed;
use arbiter_engine::hotseat::push_cells;
use arbiter_rules::seed::Generator;
use arbiter_rules::{Ending, Illegal, Ply, Position, Ruleset, Side};
use std::fmt::Write;

const VALID: &str = "valid moves";
const REFUSED: &str = "refused moves";
const RESULTS: [(&str, char); 3] = [("B wins", 'B'), ("W wins", 'W'), ("draw", 'D')];
/// The class of each case with a script, the refused moves before each move, and the result.
const SCRIPTS: [(&str, usize, char); 12] = [
    (VALID, 0, 'B'),
    (VALID, 0, 'W'),
    (VALID, 0, 'D'),
    (REFUSED, 1, 'W'),
    (REFUSED, 2, 'B'),
    (REFUSED, 3, 'D'),
    (RESULTS[0].0, 0, 'B'),
    (RESULTS[0].0, 0, 'B'),
    (RESULTS[1].0, 0, 'W'),
    (RESULTS[1].0, 0, 'W'),
    (RESULTS[2].0, 0, 'D'),
    (RESULTS[2].0, 0, 'D'),
];
const SUICIDE: &str = "a win of the side that has not moved";
const SCRIPTED: &str = "a class that answers by a script";
const WHOLE: &str = "a whole game";

/// Plies after which a game that has not ended is given up.
const LONGEST: usize = 60;
/// Games that are played in search of each result.
const GAMES: usize = 12;

/// The moves of the hand-out's sample, up to where it skips some.
const SAMPLE: &str = "a2 c4,C0 b1,j0 b1,c0 c8,c0 d1,c0 d2,c0 b1,a1 d1,a6 a1,h1 h7,d7 b5,c4 g0";

/// The cases of the client.
pub fn cases(seed: u64) -> Vec<ProgramCase> {
    let Ok(ruleset) = Ruleset::named("loa", "") else { return Vec::new() };
    let mut generator = Generator::new(&[&seed, &"loa"]);
    let mut cases = Vec::new();
    for (class, refusals, over) in SCRIPTS {
        cases.push(scripted(&ruleset, class, refusals, over, cases.len(), &mut generator));
    }
    let mut shortest: Option<Vec<Ply>> = None;
    for (class, over) in RESULTS {
        let Some(plies) = game_to(&ruleset.start(), over, &mut generator) else { continue };
        let texts = plies.iter().map(|&ply| text(&ruleset, ply)).collect();
        cases.push(whole(&ruleset, class, texts));
        if shortest.as_ref().is_none_or(|shortest| plies.len() < shortest.len()) {
            shortest = Some(plies);
        }
    }
    // A short one, so that the refusals are most of it.
    if let Some(plies) = shortest {
        cases.push(whole(&ruleset, REFUSED, with_refusals(&ruleset, &plies)));
    }
    if let Some(texts) = sample(&ruleset, &mut generator) {
        cases.push(whole(&ruleset, REFUSED, texts));
    }
    for at in 0..cases.len() {
        let class = cases[at].class;
        let number = 1 + cases[..at].iter().filter(|case| case.class == class).count();
        cases[at].name = format!("{}-{number}", class.replace(' ', "-").to_ascii_lowercase());
    }
    cases
}

/// A move as the hand-out writes it.
fn text(ruleset: &Ruleset, ply: Ply) -> String {
    let Ply::Move(from, to) = ply else { return String::new() };
    let mut names = Vec::new();
    for square in [from, to] {
        let (row, column) = ruleset.row_and_column(square);
        names.push(ruleset.column_name(column) + &ruleset.row_name(row));
    }
    names.join(" ")
}

/// A board of 64 letters, drawn without rules.
fn drawn(generator: &mut Generator) -> String {
    let mut board = String::new();
    for _ in 0..64 {
        board.push(['.', '.', 'B', 'W'][generator.below(4) as usize]);
    }
    board
}

/// A case with answers and boards drawn at random. Before each accepted move so many are refused.
fn scripted(
    ruleset: &Ruleset,
    class: &'static str,
    refusals: usize,
    over: char,
    number: usize,
    generator: &mut Generator,
) -> ProgramCase {
    let mut player = if number.is_multiple_of(2) { 'B' } else { 'W' };
    let mut board = drawn(generator);
    let mut expected = String::new();
    let mut script = format!("{player} {board}\n");
    let mut entries = Vec::new();
    push_board(ruleset, &board, &mut expected);
    let accepted = 2 + generator.below(2) as usize + usize::from(class == VALID);
    for turn in 1..=accepted {
        for refusal in (0..=refusals).rev() {
            let mut squares = Vec::new();
            for _ in 0..2 {
                let column = char::from(b'a' + generator.below(8) as u8);
                squares.push(format!("{column}{}", generator.below(8)));
            }
            let played = refusal == 0;
            if played {
                board = drawn(generator);
            }
            let ends = if played && turn == accepted { over } else { '-' };
            let text = squares.join(" ");
            // Writing to a String cannot fail.
            let _ = writeln!(script, "{text} {} {ends} {board}", u8::from(played));
            let _ = write!(expected, "{player}'s move: ");
            if played {
                push_board(ruleset, &board, &mut expected);
            } else {
                expected += "Invalid move. Try again!\n";
            }
            let ply = if played { ruleset.read_ply(&text).ok() } else { None };
            entries.push(Entry { ply, text });
        }
        // After a refusal the same player is asked again; only a move that is played changes sides.
        player = if player == 'B' { 'W' } else { 'B' };
    }
    expected += match over {
        'B' => "B wins!\n",
        'W' => "W wins!\n",
        _ => "Draw game!\n",
    };
    let labels = labels(class, refusals > 0, over, player, SCRIPTED);
    ProgramCase {
        name: String::new(),
        class,
        labels,
        board: None,
        ruleset: ruleset.clone(),
        input: entries.iter().map(|entry| entry.text.clone() + "\n").collect(),
        entries,
        expected,
        script: Some(script),
    }
}

/// What occurs in a case; its class is among it. `next` would be on move after the end.
fn labels(
    class: &'static str,
    refused: bool,
    over: char,
    next: char,
    kind: &'static str,
) -> Vec<&'static str> {
    let mut labels = vec![VALID];
    if refused {
        labels.push(REFUSED);
    }
    for (label, letter) in RESULTS {
        if letter == over {
            labels.push(label);
        }
    }
    if over == next {
        labels.push(SUICIDE);
    }
    labels.push(kind);
    assert!(labels.contains(&class), "{class} is among {labels:?}");
    labels
}

/// Appends a board of 64 letters as the hand-out's figure shows it.
fn push_board(ruleset: &Ruleset, board: &str, out: &mut String) {
    let rows: Vec<&str> = (0..8).map(|row| &board[8 * row..8 * row + 8]).collect();
    push_cells(ruleset, &rows.join("\n"), b'a', 1, out);
}

/// A whole game of these moves, of which illegal ones are refused.
fn whole(ruleset: &Ruleset, class: &'static str, texts: Vec<String>) -> ProgramCase {
    let mut position = ruleset.start();
    let input = texts.join("\n") + "\n";
    let mut entries = Vec::new();
    for text in texts {
        let ply = legal(&position, &text);
        if let Some(ply) = ply {
            position.play(ply);
        }
        entries.push(Entry { text, ply });
    }
    let over = result(position.ending().and_then(|ending| ending.winner));
    let refused = entries.iter().any(|entry| entry.ply.is_none());
    ProgramCase {
        name: String::new(),
        class,
        labels: labels(class, refused, over, ruleset.letter(position.side()), WHOLE),
        board: None,
        ruleset: ruleset.clone(),
        entries,
        expected: printed(ruleset, &input),
        input,
        script: None,
    }
}

/// The move of a text; `None` if it must be refused.
fn legal(position: &Position, text: &str) -> Option<Ply> {
    let ply = position.ruleset().read_ply(text).ok()?;
    let is_accepted = position.is_legal(ply) && text == text.to_ascii_lowercase();
    is_accepted.then_some(ply)
}

/// The shortest of some random games from a position to a result. The players help the result; no
/// side is without a move.
fn game_to(start: &Position, over: char, generator: &mut Generator) -> Option<Vec<Ply>> {
    let mut best: Option<Vec<Ply>> = None;
    let mut tried = 0;
    // A draw is rare: the search for it goes on until there is one.
    while tried < GAMES || best.is_none() && tried < 20 * GAMES {
        tried += 1;
        let longest = best.as_ref().map_or(LONGEST, |best| best.len() - 1);
        if let Some(plies) = helped(start, over, longest, generator) {
            best = Some(plies);
        }
    }
    best
}

fn helped(
    start: &Position,
    over: char,
    longest: usize,
    generator: &mut Generator,
) -> Option<Vec<Ply>> {
    let mut position = start.clone();
    let mut played = Vec::new();
    while played.len() < longest {
        if position.forced_pass().is_some() {
            return None;
        }
        let mut best = None;
        for ply in position.sorted_plies() {
            let next = position.after(ply);
            if let Some(Ending { winner, .. }) = next.ending() {
                if result(winner) == over {
                    played.push(ply);
                    return Some(played);
                }
                continue; // another result is no help
            }
            // Of plies that are worth the same one is drawn, so that games differ.
            let worth = (worth(&next, over), generator.next_u64());
            if best.is_none_or(|(least, _)| worth < least) {
                best = Some((worth, ply));
            }
        }
        let (_, ply) = best?;
        position.play(ply);
        played.push(ply);
    }
    None
}

/// A result as `gameOver` returns it.
fn result(winner: Option<Side>) -> char {
    match winner {
        Some(Side::First) => 'B',
        Some(Side::Second) => 'W',
        None => 'D',
    }
}

/// The smaller, the nearer is a result: groups and pieces of the sides that are to be connected.
fn worth(position: &Position, over: char) -> u32 {
    let [black, white] =
        Side::BOTH.map(|side| 2 * position.group_count(side) + position.piece_count(side));
    match over {
        'B' => black,
        'W' => white,
        // A draw needs both at once, so the side that is farther from it counts more.
        _ => black + white + 2 * black.max(white),
    }
}

/// Why a move is refused.
#[derive(Debug, Clone, Copy)]
enum Refusal {
    /// The first rule that it breaks is this one.
    Rule(fn(Illegal) -> bool),
    /// It is written in capitals.
    Capitals,
    /// It leads out of the board.
    Outside,
}

impl Refusal {
    const ALL: [Refusal; 7] = [
        Refusal::Rule(|why| matches!(why, Illegal::OntoOwnPiece { .. })),
        Refusal::Rule(|why| matches!(why, Illegal::WrongDistance { .. })),
        Refusal::Rule(|why| matches!(why, Illegal::OverOpponent { .. })),
        Refusal::Rule(|why| matches!(why, Illegal::OpponentsPiece { .. })),
        Refusal::Rule(|why| matches!(why, Illegal::NotOnOneLine { .. })),
        Refusal::Capitals,
        Refusal::Outside,
    ];
}

/// A game with one refused move of each kind, one before each of its first moves.
fn with_refusals(ruleset: &Ruleset, plies: &[Ply]) -> Vec<String> {
    let mut left = Refusal::ALL.to_vec();
    let mut position = ruleset.start();
    let mut texts = Vec::new();
    for &ply in plies {
        // A kind that is not possible here is tried again before the next move.
        for at in 0..left.len() {
            if let Some(refused) = refused(&position, left[at]) {
                texts.push(refused);
                left.remove(at);
                break;
            }
        }
        texts.push(text(ruleset, ply));
        position.play(ply);
    }
    texts
}

/// The first text of a kind that is refused in a position.
fn refused(position: &Position, refusal: Refusal) -> Option<String> {
    let ruleset = position.ruleset();
    match refusal {
        Refusal::Capitals => Some(text(&ruleset, position.plies().next()?).to_ascii_uppercase()),
        // The first three letters are the square from which the move leads, and a blank.
        Refusal::Outside => Some(text(&ruleset, position.plies().next()?)[..3].to_owned() + "i4"),
        Refusal::Rule(rule) => {
            for from in ruleset.cells() {
                for to in ruleset.cells() {
                    let [from, to] = [from, to].map(|(row, column)| ruleset.square(row, column));
                    let ply = Ply::Move(from, to);
                    if position.check(ply).is_err_and(rule) {
                        return Some(text(&ruleset, ply));
                    }
                }
            }
            None
        }
    }
}

/// The hand-out's sample, continued to an end.
fn sample(ruleset: &Ruleset, generator: &mut Generator) -> Option<Vec<String>> {
    let mut texts: Vec<String> = SAMPLE.split(',').map(str::to_owned).collect();
    let mut position = ruleset.start();
    for text in &texts {
        if let Some(ply) = legal(&position, text) {
            position.play(ply);
        }
    }
    let rest = game_to(&position, 'B', generator)?;
    for ply in rest {
        texts.push(text(ruleset, ply));
    }
    Some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn each_class_has_three_cases_and_no_side_is_without_a_move() {
        let cases = cases(1);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for case in &cases {
            *counts.entry(case.class).or_default() += 1;
            assert!(case.labels.contains(&case.class));
            let ends = ["B wins!\n", "W wins!\n", "Draw game!\n"];
            assert!(ends.iter().any(|end| case.expected.ends_with(end)), "{}", case.expected);
            assert!(!case.expected.contains("no move"), "{}", case.expected);
            if case.script.is_some() {
                continue;
            }
            let mut position = case.ruleset.start();
            for entry in &case.entries {
                assert_eq!(
                    (position.ending(), position.forced_pass()),
                    (None, None),
                    "{}",
                    case.name
                );
                entry.ply.into_iter().for_each(|ply| position.play(ply));
            }
            assert!(position.ending().is_some());
        }
        assert_eq!(counts.len(), 5);
        assert!(counts.values().all(|&count| count >= 3), "{counts:?}");
        assert_eq!(cases.iter().map(|case| &case.name).collect::<BTreeSet<_>>().len(), cases.len());
        // The second to sixth moves of the sample are refused, and the first two of Black's next
        // turn.
        let sample = cases.iter().find(|case| case.input.starts_with("a2 c4\nC0 b1\n")).unwrap();
        let refused: Vec<usize> = (0..12).filter(|&at| sample.entries[at].ply.is_none()).collect();
        assert_eq!(refused, [1, 2, 3, 4, 5, 7, 8]);
    }

    #[test]
    fn a_game_has_each_kind_of_refusal() {
        let whole: Vec<_> = cases(2)
            .into_iter()
            .filter(|case| case.class == REFUSED && case.script.is_none())
            .collect();
        assert_eq!(
            whole[0].entries.iter().filter(|entry| entry.ply.is_none()).count(),
            7,
            "{}",
            whole[0].input
        );
    }
}
