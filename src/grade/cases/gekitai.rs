//! Games of Gekitai for each class of the contract.
//!
//! Random games give the material: of every position on their way, each move that ends the game
//! gives a game. For each class the best are kept, those with few moves and little else in them,
//! and then moves are left out of them for as long as the class still occurs. Refusals are put into
//! games that are short already.

mod occurrences;

use super::case::{Entry, ProgramCase};
use arbiter_config::assignment::Board;
use arbiter_engine::hotseat::{HotseatSession, InputSource};
use arbiter_rules::seed::Generator;
use arbiter_rules::{Cell, Ply, Position, Ruleset, Side, SquareChange};
use occurrences::{
    AGAIN, ALL_PIECES, BLANK, BOTH_LINES, CAPITAL, CLASSES, CORNER, CORNERS, EDGE, EDGES, Game,
    LABELS, LAST_COLUMN, LAST_ROW, LINES, LOWER, OCCUPIED, OUTSIDE, REFUSED, Record, Rules,
    SUICIDE, WINS,
};

/// Random games a board; the most of them if classes are missing after those.
const GAMES: usize = 120;
const MOST_GAMES: usize = 600;
/// Games of a class that are kept for shortening.
const KEPT: usize = 8;
/// Cases of a class.
const CASES: usize = 3;
/// Moves that the random player chooses from by what they promise; in games in search of missing
/// classes.
const CHOICES: u64 = 3;
const MORE_CHOICES: u64 = 16;

/// The games of the hand-out's two samples, each with its class.
const SAMPLES: [(usize, &str); 2] =
    [(OUTSIDE, "H3,Z -1,A 1,a6,a6,c3,d4,c3"), (BOTH_LINES, "e6,a2,e4,c2,e3,d2,c5,e1,b6,c4")];

impl Game {
    /// The smaller, the better: moves, and things that occur.
    fn cost(&self) -> usize {
        // What occurs beside the class may be why a game fails, so it weighs more than a move.
        self.plies.len() + 2 * self.labels.count_ones() as usize
    }

    /// Whether the games have the same plies but for the last.
    fn is_like(&self, other: &Game) -> bool {
        match (&self.plies[..], &other.plies[..]) {
            ([plies @ .., _], [others @ .., _]) => plies == others,
            (plies, others) => plies.is_empty() && others.is_empty(),
        }
    }
}

/// The cases of a board; none if the game is not played on such a board.
pub fn cases(board: Board, seed: u64) -> Vec<ProgramCase> {
    let Ok(ruleset) = board.ruleset(&arbiter_rules::Game::Gekitai) else { return Vec::new() };
    let maker = Maker { board, rules: Rules::new(ruleset) };
    let mut kinds = maker.search(seed);
    for kind in &mut kinds {
        for game in &mut kind.games {
            maker.shorten(game, kind.labels);
        }
        kind.games.sort_by_key(Game::cost);
        kind.games.dedup();
    }
    let mut short = Vec::new();
    for kind in &kinds {
        short.extend(kind.games.first().cloned());
    }
    short.sort_by_key(Game::cost);
    short.dedup();
    let is_of_handout = Ruleset::named("gekitai", "").is_ok_and(|it| it == maker.rules.ruleset);
    let mut cases = Vec::new();
    for class in 0..CLASSES {
        let games =
            if class < EDGE { short.iter().take(CASES).collect() } else { of_class(&kinds, class) };
        let mut inputs = Vec::new();
        for (at, game) in games.into_iter().enumerate() {
            inputs.push(maker.entries(class, game, at));
        }
        for (of, sample) in SAMPLES {
            if of == class && is_of_handout {
                inputs.push(sample.split(',').map(str::to_owned).collect());
            }
        }
        for (number, texts) in inputs.iter().enumerate() {
            cases.push(maker.case(class, number + 1, texts));
        }
    }
    cases
}

/// Games that are looked for: all of these labels occur in them.
struct Kind {
    class: usize,
    labels: u32,
    /// The best that were found.
    games: Vec<Game>,
}

impl Kind {
    /// Whether there are fewer games than cases. Where a class has several kinds, one game of each
    /// does.
    fn is_missing(&self) -> bool {
        let alone = self.labels == 1 << self.class;
        self.games.len() < if alone { CASES } else { 1 }
    }

    /// Keeps a game if it is one of the best.
    fn offer(&mut self, game: &Game) {
        if game.labels & self.labels != self.labels
            || self.games.iter().any(|kept| kept.is_like(game))
        {
            return;
        }
        let worst = self.games.iter().enumerate().max_by_key(|(_, kept)| kept.cost());
        match worst {
            Some((at, kept)) if self.games.len() >= KEPT => {
                if game.cost() < kept.cost() {
                    self.games[at] = game.clone();
                }
            }
            _ => self.games.push(game.clone()),
        }
    }
}

/// The kinds of each class that is searched for: edges, corners and lines have one for each that a
/// program may forget.
fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for class in EDGE..CLASSES {
        let others: Vec<usize> = match class {
            EDGE => (EDGES..EDGES + 4).collect(),
            CORNER => (CORNERS..CORNERS + 4).collect(),
            _ if (LINES..LINES + 4).contains(&class) => {
                vec![class, LAST_COLUMN, LAST_ROW, WINS + 1]
            }
            AGAIN | ALL_PIECES | SUICIDE => vec![WINS, WINS + 1],
            _ => vec![class],
        };
        for other in others {
            kinds.push(Kind { class, labels: 1 << class | 1 << other, games: Vec::new() });
        }
    }
    kinds
}

/// The games of a class: the best of each kind, then the next ones until there are enough.
fn of_class(kinds: &[Kind], class: usize) -> Vec<&Game> {
    let mut kinds: Vec<&Kind> = kinds.iter().collect();
    kinds.retain(|kind| kind.class == class);
    let mut games: Vec<&Game> = Vec::new();
    for kind in &kinds {
        let next = kind.games.iter().find(|game| !games.contains(game));
        games.extend(next);
    }
    for kind in kinds {
        for game in &kind.games {
            if games.len() < CASES && !games.contains(&game) {
                games.push(game);
            }
        }
    }
    games
}

/// Makes the cases of a board.
struct Maker {
    board: Board,
    rules: Rules,
}

impl Maker {
    /// The best games of each class among random ones.
    fn search(&self, seed: u64) -> Vec<Kind> {
        let mut kinds = kinds();
        let mut generator =
            Generator::new(&[&seed, &"gekitai", &self.rules.ruleset.options_text()]);
        // All pieces of both players, and a few that were pushed off once more.
        let longest = 2 * self.rules.pieces() as usize + 4;
        for number in 0..MOST_GAMES {
            if number >= GAMES && !kinds.iter().any(Kind::is_missing) {
                break;
            }
            // What is missing then is rare: a choice among more plies leads to it sooner.
            let choices = if number < GAMES { CHOICES } else { MORE_CHOICES };
            let mut record = Record::new(&self.rules);
            while record.plies.len() < longest {
                let mut quiet = Vec::new();
                for ply in record.position.plies() {
                    match record.position.after(ply).ending() {
                        None => quiet.push(ply),
                        Some(_) => {
                            if let Some(game) = record.ended_by(ply) {
                                for kind in &mut kinds {
                                    kind.offer(&game);
                                }
                            }
                        }
                    }
                }
                let Some(ply) = self.choose(&record.position, &quiet, choices, &mut generator)
                else {
                    break;
                };
                record.play(ply);
            }
        }
        kinds
    }

    /// One of a few random plies: the one that promises the most.
    fn choose(
        &self,
        position: &Position,
        plies: &[Ply],
        choices: u64,
        generator: &mut Generator,
    ) -> Option<Ply> {
        let mut drawn = Vec::new();
        for _ in 0..choices.min(plies.len() as u64) {
            drawn.push(plies[generator.below(plies.len() as u64) as usize]);
        }
        drawn.into_iter().max_by_key(|&ply| self.promise(&position.after(ply)))
    }

    /// How near both players are to lines.
    fn promise(&self, position: &Position) -> u64 {
        let [mut x, mut o] = [0_u64; 2];
        let [xs, os] = Side::BOTH.map(|side| position.bits(side).unwrap_or_default());
        for line in &self.rules.lines {
            // Each piece on a line makes it worth eight times as much.
            x += 1 << (3 * (xs & line.squares).count_ones());
            o += 1 << (3 * (os & line.squares).count_ones());
        }
        // Both players must come near lines, or no game ends with both.
        x + o + 4 * x.min(o)
    }

    /// Leaves out plies, alone and two at a time, while the labels occur and the game costs less.
    fn shorten(&self, game: &mut Game, labels: u32) {
        while let Some(shorter) = self.shorter(game, labels) {
            *game = shorter;
        }
    }

    /// The first shorter game in which the labels still occur.
    fn shorter(&self, game: &Game, labels: u32) -> Option<Game> {
        // Without one ply all that follow are the other player's; without two they stay whose they
        // are.
        for a in 0..game.plies.len() {
            for b in a..game.plies.len() {
                let mut left = game.plies.clone();
                left.remove(b);
                if a < b {
                    left.remove(a);
                }
                let Some(shorter) = self.replay(&left) else { continue };
                if shorter.labels & labels == labels && shorter.cost() < game.cost() {
                    return Some(shorter);
                }
            }
        }
        None
    }

    /// A game of these plies, if they are legal and the last of them ends it.
    fn replay(&self, plies: &[Ply]) -> Option<Game> {
        let (last, plies) = plies.split_last()?;
        let mut position = self.rules.ruleset.start();
        for &ply in plies.iter().chain([last]) {
            if !position.is_legal(ply) {
                return None;
            }
            position.play(ply);
        }
        let _ = position.ending()?;
        let mut record = Record::new(&self.rules);
        for &ply in plies {
            record.play(ply);
        }
        record.ended_by(*last)
    }

    /// The entries of a game of a class, the one of this number.
    fn entries(&self, class: usize, game: &Game, number: usize) -> Vec<String> {
        let mut texts = self.plain(game);
        match class {
            OCCUPIED => return self.occupied(game, number),
            OUTSIDE => self.add_outside(&mut texts, number),
            LOWER => {
                for text in &mut texts {
                    text.make_ascii_lowercase();
                }
            }
            BLANK => {
                for text in &mut texts {
                    text.insert(1, ' ');
                }
            }
            _ => {}
        }
        texts
    }

    /// The entries of a game, in capitals.
    fn plain(&self, game: &Game) -> Vec<String> {
        let mut texts = Vec::new();
        for &ply in &game.plies {
            texts.push(self.rules.ruleset.ply_text(ply).to_string().to_ascii_uppercase());
        }
        texts
    }

    /// The first piece of a side on a board, as it is typed.
    fn piece(&self, position: &Position, side: Side) -> Option<(usize, usize)> {
        let mut cells = self.rules.ruleset.cells();
        cells.find(|&(row, column)| position.cell(row, column) == Cell::Piece(side))
    }

    /// A game in which each player once chooses a square that is occupied: by a piece just placed,
    /// one of the player's own, or one that was pushed there.
    fn occupied(&self, game: &Game, kind: usize) -> Vec<String> {
        let mut texts = Vec::new();
        let mut position = self.rules.ruleset.start();
        let mut pushed = None;
        for (number, (&ply, text)) in game.plies.iter().zip(self.plain(game)).enumerate() {
            let square = match (kind, number) {
                (0, 1 | 2) => self.piece(&position, !position.side()),
                (1, 2 | 3) => self.piece(&position, position.side()),
                _ => pushed,
            };
            if let Some((row, column)) = square {
                let column = self.rules.ruleset.column_name(column).to_ascii_uppercase();
                texts.push(column + &self.rules.ruleset.row_name(row));
            }
            pushed = None;
            for (at, change) in position.changes(ply) {
                if change == SquareChange::PushedTo {
                    pushed = pushed.or(Some(at));
                }
            }
            position.play(ply);
            texts.push(text);
        }
        // Without a push before its end a game has no such square.
        if texts.len() == game.plies.len() && kind != 0 { self.occupied(game, 0) } else { texts }
    }

    /// Adds entries in which both players choose squares outside: of the first column and row
    /// outside, further ones, and `Z -1`.
    fn add_outside(&self, texts: &mut Vec<String>, kind: usize) {
        let size = self.board.n;
        // The name of the first column outside, as far as the alphabet goes.
        let letter = char::from(b'A' + (self.board.n as u8).min(25));
        let (x, o) = match kind {
            0 => (format!("{letter}3"), format!("A{}", size + 1)),
            1 => ("Z -1".to_owned(), format!("{letter}1")),
            _ => (format!("B{}", size + 1), "Z26".to_owned()),
        };
        // The later one first, so that it does not move the place of the other.
        texts.insert(2.min(texts.len()), x);
        texts.insert(1.min(texts.len()), o);
    }

    /// The case of these entries, labelled with everything that occurs when they are played.
    fn case(&self, class: usize, number: usize, texts: &[String]) -> ProgramCase {
        let mut record = Record::new(&self.rules);
        let mut entries = Vec::new();
        for text in texts {
            let is_lower = text.starts_with(|c: char| c.is_ascii_lowercase());
            record.labels |= if is_lower { 1 << LOWER } else { 1 << CAPITAL };
            record.labels |= u32::from(text.contains(' ')) << BLANK;
            let mut played = None;
            match self.rules.ruleset.read_ply(&text.replace(' ', "")) {
                Ok(ply) if record.position.is_legal(ply) => {
                    record.play(ply);
                    played = Some(ply);
                }
                Ok(_) => record.labels |= 1 << OCCUPIED | 1 << REFUSED,
                Err(_) => record.labels |= 1 << OUTSIDE | 1 << REFUSED,
            }
            entries.push(Entry { text: text.clone(), ply: played });
        }
        let input = texts.join("\n") + "\n";
        let mut labels = Vec::new();
        for (bit, label) in LABELS.iter().enumerate() {
            if record.labels >> bit & 1 == 1 {
                labels.push(*label);
            }
        }
        ProgramCase {
            name: format!(
                "{}-{}-{number}",
                self.short_name(),
                LABELS[class].replace(' ', "-").to_ascii_lowercase()
            ),
            class: LABELS[class],
            labels,
            board: Some(self.board),
            ruleset: self.rules.ruleset.clone(),
            entries,
            expected: printed(&self.rules.ruleset, &input),
            input,
            script: None,
        }
    }

    /// The board in a name: `n6`, with `p` and `l` if they are not those that the hand-out gives
    /// for the size.
    fn short_name(&self) -> String {
        let usual_p = if self.board.n == 5 { 6 } else { 8 };
        let mut name = String::new();
        for (key, value) in self.board.options() {
            if key == "n" || (key, value) != ("p", usual_p) && (key, value) != ("l", 3) {
                name += &format!("{key}{value}");
            }
        }
        name
    }
}

/// What `arbiter hotseat` prints for an input.
pub(super) fn printed(ruleset: &Ruleset, input: &str) -> String {
    let Some((mut hotseat, mut out)) = HotseatSession::begin(ruleset.start(), InputSource::Pipe)
    else {
        return String::new();
    };
    out += &hotseat.read(input.as_bytes());
    out += &hotseat.finish();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::Reason;
    use std::collections::{BTreeMap, BTreeSet};

    fn boards() -> [Board; 4] {
        [(6, 8, 3), (5, 6, 3), (7, 8, 3), (8, 8, 4)].map(|(n, p, l)| Board {
            n,
            p: Some(p),
            l: Some(l),
            ..Board::default()
        })
    }

    #[test]
    fn each_class_has_three_cases_that_end_and_no_case_asks_what_is_open() {
        for board in boards() {
            let cases = cases(board, 1);
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for case in &cases {
                *counts.entry(case.class).or_default() += 1;
                assert!(case.labels.contains(&case.class), "{}: {:?}", case.name, case.labels);
                let mut position = case.ruleset.start();
                for entry in &case.entries {
                    assert_eq!(position.ending(), None, "{}", case.name);
                    entry.ply.into_iter().for_each(|ply| position.play(ply));
                }
                let ending = position.ending().unwrap();
                let all = Side::BOTH.map(|side| Some(position.piece_count(side)) == board.p);
                let mixed = ending.reason == Reason::Simultaneous && all.contains(&true);
                assert!(
                    !mixed,
                    "{}: a line of one player and the last piece of the other",
                    case.name
                );
                assert!(case.expected.ends_with("!\n"), "{}", case.expected);
            }
            assert_eq!(
                counts.keys().copied().collect::<BTreeSet<_>>(),
                LABELS[..CLASSES].iter().copied().collect()
            );
            assert!(counts.values().all(|&count| count >= CASES), "{counts:?}");
            let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
            assert_eq!(names.len(), cases.len());
            for (first, label) in [(EDGES, EDGE), (CORNERS, CORNER)] {
                for kind in &LABELS[first..first + 4] {
                    let shown = |case: &ProgramCase| {
                        case.class == LABELS[label] && case.labels.contains(kind)
                    };
                    assert!(cases.iter().any(shown), "{kind}");
                }
            }
        }
    }

    #[test]
    fn the_samples_of_the_handout_end_as_it_says() {
        let of = |name: &str| {
            cases(boards()[0], 7).into_iter().find(|case| case.name == name).unwrap().expected
        };
        assert!(of("n6-row-or-column-outside-4").ends_with("Player X wins!\n"));
        assert!(of("n6-both-lines-4").ends_with("Draw game!\n"));
    }

    #[test]
    fn the_same_seed_gives_the_same_cases() {
        let inputs = |seed: u64| -> Vec<String> {
            cases(boards()[1], seed).into_iter().map(|case| case.input).collect()
        };
        assert_eq!(inputs(3), inputs(3));
        assert_ne!(inputs(3), inputs(4));
    }
}
