//! Properties that hold in every position of every game: options, start positions and plies are
//! random.

use crate::games::{self, Reached, below, pick, reached, setup, sizes, slow, text, texts};
use arbiter_rules::seed::Generator;
use arbiter_rules::{Cell, Game, Ply, Position, Ruleset, Side, Square, Symmetry};
use arbiter_rules::{divide, perft, perft_playing};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A random position of a random game.
fn somewhere() -> impl Strategy<Value = Reached> {
    (any::<u64>(), prop::sample::select(Game::ALL.to_vec()))
        .prop_map(|(seed, game)| reached(&game, &mut Generator::from_state(seed)))
}

/// A game, a size of board and a seed for more.
fn some_rules() -> impl Strategy<Value = (Game, usize, u64)> {
    let rules = |game: Game| (Just(game.clone()), prop::sample::select(sizes(&game)), any::<u64>());
    prop::sample::select(Game::ALL.to_vec()).prop_flat_map(rules)
}

/// All values of a ply, squares outside of every board included.
fn every_ply() -> impl Iterator<Item = Ply> {
    // 575 is the last number of the largest board, 24×24; the others lie on some boards or on none.
    let numbers = || (0..70_u16).chain([384, 575, 576, 640, u16::MAX]);
    let moves = numbers()
        .flat_map(move |from| numbers().map(move |to| Ply::Move(Square(from), Square(to))));
    let places = (0..=1200).chain([u16::MAX]).map(|square| Ply::Place(Square(square)));
    places.chain(moves).chain([Ply::Pass])
}

/// The slow implementation's number for a symmetry.
fn slow_number(symmetry: Symmetry) -> usize {
    const SIZE: usize = 5;
    let is_same = |&number: &usize| {
        let mut cells = (0..SIZE * SIZE).map(|at| (at / SIZE, at % SIZE));
        cells.all(|cell| {
            slow::mapped(number, (SIZE, SIZE), cell) == symmetry.cell((SIZE, SIZE), cell)
        })
    };
    (0..8).find(is_same).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(if crate::plays_all() { 1500 } else { 250 })
    })]

    #[test]
    fn position_texts_are_read_back(Reached { position, passed } in somewhere()) {
        let read = position.ruleset().read_position(&position.to_string()).unwrap();
        prop_assert_eq!(read.to_string(), position.to_string());
        prop_assert!(read.repeats(&position) && position.repeats(&read));
        prop_assert_eq!(read.key(), position.key());
        prop_assert_eq!(read.ruleset(), position.ruleset());
        // The text of a loa position has no forced passes: they are counted from the set-up
        // position on.
        let forgets = passed && *position.ruleset().game() == Game::Loa;
        prop_assert!(forgets || (read == position && read.ending() == position.ending()));
    }

    #[test]
    fn exactly_the_listed_plies_may_be_played(Reached { position, .. } in somewhere()) {
        let listed: BTreeSet<_> = position.plies().collect();
        prop_assert_eq!(listed.len(), position.plies().count(), "no ply is listed twice");
        for ply in every_ply() {
            let broken = position.broken_rules(ply);
            prop_assert_eq!(broken.is_empty(), listed.contains(&ply), "{} {:?}", position, ply);
            let refused = position.check(ply).err();
            prop_assert_eq!(refused.as_ref(), broken.first(), "{} {:?}", position, ply);
        }
        prop_assert!(listed.iter().all(|&ply| every_ply().any(|it| it == ply)));
        prop_assert_eq!(listed.is_empty(), position.ending().is_some());
        // A second piece of flipflop may be declined; a forced pass is the only ply.
        let passes = listed.contains(&Ply::Pass);
        let may_decline = position.piece() == Some(2);
        prop_assert_eq!(position.forced_pass(), (passes && !may_decline).then_some(Ply::Pass));
        prop_assert!(!passes || (listed.len() == 1) != may_decline);
        prop_assert!(!may_decline || passes);
    }

    #[test]
    fn lists_are_sorted_and_counted(Reached { position, .. } in somewhere()) {
        let texts = texts(&position);
        prop_assert!(texts.is_sorted_by(|a, b| a < b), "{:?}", texts);
        prop_assert_eq!(
            BTreeSet::from_iter(position.sorted_plies()),
            BTreeSet::from_iter(position.plies())
        );
        prop_assert_eq!(position.ply_count(), texts.len() as u64);
        prop_assert_eq!(position.plies().count(), texts.len());
        let mut pushed = "before".to_owned();
        position.push_plies(&mut pushed);
        let words = ["before".to_owned()].into_iter().chain(texts.clone());
        prop_assert_eq!(pushed, words.collect::<Vec<_>>().join(" "));
        for (ply, text) in position.sorted_plies().into_iter().zip(texts) {
            prop_assert_eq!(position.ruleset().read_ply(&text), Ok(ply), "{}", text);
        }
    }

    #[test]
    fn boards_are_written_as_they_are(Reached { position, .. } in somewhere()) {
        let ruleset = position.ruleset();
        let letter = |(row, column)| match position.cell(row, column) {
            Cell::Empty => '.',
            Cell::Piece(side) => ruleset.letter(side),
            Cell::Block => '#',
        };
        let mut expected = "before".to_owned();
        for (row, column) in ruleset.cells() {
            expected.push(letter((row, column)));
            expected.extend((column + 1 == ruleset.columns()).then_some('\n'));
        }
        let mut pushed = "before".to_owned();
        position.push_board(&mut pushed);
        prop_assert_eq!(&pushed, &expected);
        for side in Side::BOTH {
            let count =
                ruleset.cells().filter(|&cell| letter(cell) == ruleset.letter(side)).count();
            prop_assert_eq!(position.piece_count(side) as usize, count);
            let groups = position.group_count(side) as usize;
            prop_assert!(groups <= count && (groups == 0) == (count == 0));
        }
    }

    #[test]
    fn keys_are_those_of_what_stands(Reached { position, .. } in somewhere()) {
        let ruleset = position.ruleset();
        let mut keys = BTreeMap::from([(position.key(), position.to_string())]);
        for image in ruleset.symmetries().iter().map(|&symmetry| position.image(symmetry)) {
            let there = keys.entry(image.key()).or_insert_with(|| image.to_string());
            prop_assert_eq!(&*there, &image.to_string(), "two images have one key");
        }
        for ply in position.plies() {
            let after = position.after(ply);
            prop_assert_eq!(after.key(), ruleset.read_position(&after.to_string()).unwrap().key());
            // Two plies of gekitai may lead to one position: a piece put on either side of another
            // pushes it over.
            let there = keys.entry(after.key()).or_insert_with(|| after.to_string());
            prop_assert_eq!(&*there, &after.to_string(), "two positions have one key");
            let mut played = position.clone();
            played.play(ply);
            prop_assert_eq!(played, after);
        }
    }

    #[test]
    fn divide_sums_to_perft(Reached { position, .. } in somewhere()) {
        prop_assert_eq!((perft(&position, 0), perft_playing(&position, 0)), (1, 1));
        prop_assert_eq!(divide(&position, 0), []);
        for depth in 1..=if position.ply_count() < 40 { 3 } else { 2 } {
            let count = perft(&position, depth);
            let rows = divide(&position, depth);
            let (first_plies, counts): (Vec<_>, Vec<u64>) = rows.into_iter().unzip();
            prop_assert_eq!(counts.iter().sum::<u64>(), count);
            prop_assert_eq!(first_plies, texts(&position));
            prop_assert_eq!(perft_playing(&position, depth), count);
        }
    }

    #[test]
    fn images_have_the_images_of_plies_and_ends(Reached { position, .. } in somewhere()) {
        let ruleset = position.ruleset();
        let (game, size) = (ruleset.game().name(), (ruleset.rows(), ruleset.columns()));
        for &symmetry in ruleset.symmetries() {
            let number = slow_number(symmetry);
            let image = position.image(symmetry);
            prop_assert_eq!(image.to_string(), slow::mapped_text(number, &position.to_string()));
            prop_assert_eq!(image.ending(), position.ending());
            prop_assert_eq!(image.image(symmetry.inverse()), position.clone());
            prop_assert_eq!((image.side(), image.piece()), (position.side(), position.piece()));

            let plies: BTreeSet<_> =
                position.plies().map(|ply| symmetry.ply(&ruleset, ply)).collect();
            prop_assert_eq!(&BTreeSet::from_iter(image.plies()), &plies);
            let mut expected: Vec<_> =
                texts(&position)
                    .iter()
                    .map(|ply| slow::mapped_ply(game, size, number, ply))
                    .collect();
            expected.sort();
            prop_assert_eq!(texts(&image), expected);
            for ply in position.plies() {
                let mapped = symmetry.ply(&ruleset, ply);
                prop_assert_eq!(symmetry.inverse().ply(&ruleset, mapped), ply);
                prop_assert_eq!(
                    text(&image, mapped),
                    slow::mapped_ply(game, size, number, &text(&position, ply))
                );
                prop_assert_eq!(image.after(mapped), position.after(ply).image(symmetry));
            }
            prop_assert_eq!(perft(&image, 2), perft(&position, 2));
        }
    }

    #[test]
    fn set_options_are_read_back((game, size, seed) in some_rules()) {
        let mut generator = Generator::from_state(seed);
        let set = setup::some_options(&game, size, &mut generator);
        let ruleset = Ruleset::with_options(game.name(), &set).unwrap();
        prop_assert_eq!(ruleset.rows(), size);
        let options = ruleset.options_text();
        prop_assert_eq!(Ruleset::named(game.name(), &options), Ok(ruleset.clone()));
        for (key, value) in set {
            let said = ruleset.options().into_iter().find(|(name, _)| *name == key);
            match (key.as_str(), said) {
                ("blocks", Some((_, said))) => prop_assert_eq!(
                    said.split(',').collect::<BTreeSet<_>>(),
                    value.split(',').collect::<BTreeSet<_>>()
                ),
                ("b" | "seed", None) => {} // replaced by the blocks that they produced
                (_, said) => prop_assert_eq!(said.map(|(_, found)| found), Some(value)),
            }
        }
        prop_assert_eq!(ruleset.start().ruleset(), ruleset.clone());
        prop_assert_eq!(ruleset.start().side(), Side::First);
    }

    #[test]
    fn no_text_makes_reading_panic((game, size, seed) in some_rules(), text in "\\PC{0,40}") {
        let mut generator = Generator::from_state(seed);
        let options = setup::some_options(&game, size, &mut generator);
        let ruleset = Ruleset::with_options(game.name(), &options).unwrap();
        let _ = ruleset.read_position(&text);
        let _ = Ruleset::with_options(game.name(), &[(text.clone(), text.clone())]);
        if let Ok(ply) = ruleset.read_ply(&text) {
            prop_assert_eq!(ruleset.read_ply(&ruleset.ply_text(ply).to_string()), Ok(ply));
        }
        // A position text with one character more, less or changed is refused with the place of the
        // error, or is read as written.
        let position = reached(&game, &mut generator).position;
        let mut damaged: Vec<char> = position.to_string().chars().collect();
        let at = below(&mut generator, damaged.len());
        let length = below(&mut generator, 2).min(damaged.len() - at);
        let letters: Vec<char> = "BWOX#0123456789/ é.-".chars().collect();
        let more = (below(&mut generator, 3) > 0).then(|| pick(&mut generator, &letters));
        damaged.splice(at..at + length, more);
        let damaged: String = damaged.into_iter().collect();
        match position.ruleset().read_position(&damaged) {
            Ok(read) => prop_assert_eq!(canonical(&read), canonical_text(&damaged)),
            Err(error) => {
                let error = error.to_string();
                prop_assert!(
                    error.starts_with("position: ") || error.starts_with("position, row "),
                    "{}",
                    error
                );
            }
        }
    }
}

/// The text of a position with its empty squares one by one.
fn canonical(position: &Position) -> String {
    canonical_text(&position.to_string())
}

/// The rows of a position text with their empty squares one by one: `12` may be written `93`, or
/// the other way round.
fn canonical_text(text: &str) -> String {
    let (rows, rest) = text.split_once(' ').unwrap();
    let (mut out, mut run) = (String::new(), 0);
    for letter in rows.chars().chain([' ']) {
        match letter.to_digit(10) {
            Some(digit) => run = 10 * run + digit as usize,
            None => {
                out += &".".repeat(run);
                out.push(letter);
                run = 0;
            }
        }
    }
    out + rest
}

#[test]
fn square_and_place_are_inverse() {
    for game in Game::ALL {
        for size in sizes(&game) {
            let options = if sizes(&game).len() == 1 { String::new() } else { format!("n={size}") };
            let ruleset = games::rules(game.name(), &options);
            let squares: BTreeSet<Square> =
                ruleset.cells().map(|(row, column)| ruleset.square(row, column)).collect();
            assert_eq!(squares.len(), ruleset.rows() * ruleset.columns());
            for (row, column) in ruleset.cells() {
                let square = ruleset.square(row, column);
                assert_eq!(ruleset.row_and_column(square), (row, column));
                let first = if game == Game::Gekitai { 1 } else { 0 };
                let name = format!("{}{}", char::from(b'a' + column as u8), row + first);
                let (ply, expected) = match game {
                    Game::Loa => (Ply::Move(square, square), name.repeat(2)),
                    Game::FlipFlop => (Ply::Place(square), (row * size + column).to_string()),
                    Game::Lineup | Game::Gekitai => {
                        assert_eq!(ruleset.read_ply(&name.to_uppercase()), Ok(Ply::Place(square)));
                        (Ply::Place(square), name)
                    }
                    #[allow(
                        unreachable_patterns,
                        reason = "plies of other games need not name squares"
                    )]
                    _ => continue,
                };
                let text = ruleset.ply_text(ply).to_string();
                assert_eq!(text, expected);
                assert_eq!(ruleset.read_ply(&text), Ok(ply), "{text}");
            }
        }
    }
}

#[test]
fn there_are_eight_symmetries() {
    let numbers: BTreeSet<usize> = Symmetry::ALL.into_iter().map(slow_number).collect();
    assert_eq!(numbers.len(), 8);
    assert_eq!(slow_number(Symmetry::ALL[0]), 0, "the first changes nothing");
}

#[test]
fn every_move_of_loa_has_a_text_and_is_read_back() {
    let ruleset = games::rules("loa", "");
    let moves = (0..64).flat_map(|from| (0..64).map(move |to| Ply::Move(Square(from), Square(to))));
    let texts: Vec<_> = moves.clone().map(|ply| ruleset.ply_text(ply).to_string()).collect();
    assert!(texts.is_sorted(), "the order of squares is that of their names");
    assert_eq!(ruleset.ply_text(Ply::Pass).to_string(), "pass");
    assert_eq!(ruleset.read_ply("pass"), Ok(Ply::Pass));
    for (ply, text) in moves.zip(texts) {
        let (from, to) = text.split_at(2);
        for written in [text.clone(), format!("{from} {to}"), format!("{from}-{to}")] {
            assert_eq!(ruleset.read_ply(&written), Ok(ply), "{written}");
        }
    }
}
