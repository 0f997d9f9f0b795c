//! What must hold for whatever bytes a reader is given: one function a fuzz target, named like it.
//!
//! `tests/it/fuzz_corpus.rs` of the package beside this one runs the same functions over the files of `corpus/`. The bytes are
//! those that the reader reads, with a little before and behind them that chooses rules, plies and chunks; what that is
//! stands at each function.

use arbiter_config::Config;
use arbiter_config::manifest;
use arbiter_cup::report::picture::Picture;
use arbiter_cup::report::text;
use arbiter_engine::hotseat::{HotseatSession, InputSource};
use arbiter_game::openings::Openings;
use arbiter_game::protocol::{
    Conversation, Dialect, Line, LineBuffer, ParsedLine, rules_program as answers,
};
use arbiter_game::record::{
    LogError, Record, escape_comment, read_log, read_places, read_raw, unescape_comment,
};
use arbiter_game::replay::{Timeline, replay};
use arbiter_game::{LINE_CAP, Reply, Settings, Wanted};
use arbiter_rules::text::{harmless, is_visible, printable};
use arbiter_rules::{
    BySide, Game, Layout, Ply, Position, Ruleset, Square, Symmetry, perft, perft_playing,
    split_options,
};

/// A fuzz target: its name, and what must hold.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 8] = [
    ("position", position),
    ("ply", ply),
    ("options", options),
    ("line", line),
    ("log", log),
    ("hotseat", hotseat),
    ("config", config),
    ("rules_program", rules_program),
];

/// The rules that the first byte chooses from, `a` the first of them.
const RULESETS: [(&str, &str); 20] = [
    ("loa", ""),
    ("flipflop", ""),
    ("lineup", ""),
    ("gekitai", ""),
    ("loa", "simultaneous=mover"),
    ("loa", "stuck=loss"),
    ("loa", "simultaneous=mover stuck=loss"),
    ("flipflop", "n=10"),
    ("flipflop", "n=24"),
    ("lineup", "n=3 s=3"),
    ("lineup", "n=4 s=3 blocks=b1"),
    ("lineup", "n=7 s=5 b=14 seed=3"),
    ("lineup", "n=8"),
    ("lineup", "n=19 s=19"),
    ("gekitai", "n=5"),
    ("gekitai", "n=5 p=1 l=2"),
    ("gekitai", "n=7 l=4"),
    ("gekitai", "n=8 p=32 l=8"),
    ("gekitai", "simultaneous=mover"),
    ("gekitai", "n=8 p=10 l=2 simultaneous=mover"),
];

/// A position text: the rules, the text, a newline, and a byte for each ply that is then played. Printing gives back what
/// was read, and what must hold for any position holds here and after each ply.
pub fn position(bytes: &[u8]) {
    let Some((ruleset, bytes)) = chosen(bytes) else { return };
    let (text, choices) = first_line(bytes);
    let Some(mut position) = read_position(ruleset.clone(), text) else { return };
    check_position(&position, choices);
    if ruleset.rows() <= 8 {
        assert_eq!(perft(&position, 2), perft_playing(&position, 2), "{position}");
    }
    for &choice in choices.iter().take(12) {
        let Some(ply) = nth_ply(&position, choice.into()) else { break };
        position.play(ply);
        let read =
            ruleset.read_position(&position.to_string()).expect("what is printed can be read");
        assert_eq!(read.key(), position.key(), "{position}");
        assert!(read.repeats(&position), "{position}");
        assert!(ply == Ply::Pass || read == position, "{read:?} is not {position:?}");
        check_position(&position, choices);
    }
}

/// A ply's text: the rules, the text, a newline, and four bytes for each ply that is then played, which are two squares
/// before that. A text that is read is printed in the one way that means the same, and any two squares may be asked about.
pub fn ply(bytes: &[u8]) {
    let Some((ruleset, bytes)) = chosen(bytes) else { return };
    let (text, choices) = first_line(bytes);
    let read = str::from_utf8(text).ok().and_then(|text| ruleset.read_ply(text).ok());
    if let Some(ply) = read {
        let canonical = ruleset.ply_text(ply).to_string();
        assert_eq!(ruleset.read_ply(&canonical), Ok(ply), "{canonical}");
        assert_eq!(ruleset.row_and_column(ruleset.square(1, 2)), (1, 2));
    }
    let native = conversation();
    let mut position = ruleset.start();
    for choice in choices.chunks_exact(4).take(40) {
        let [from, to] = [0, 2].map(|at| u16::from_be_bytes([choice[at], choice[at + 1]]));
        let asked = [Ply::Pass, Ply::Place(Square(from)), Ply::Move(Square(from), Square(to))];
        let plies: Vec<Ply> = position.plies().collect();
        for ply in asked.into_iter().chain(read) {
            assert_eq!(position.check(ply).is_ok(), plies.contains(&ply), "{ply:?} in {position}");
        }
        if let Some(ply) = read {
            let line = [b"move ", text].concat();
            assert_eq!(
                native.read(&position, &line),
                ParsedLine::Reply(Reply::Ply(ply)),
                "{position}"
            );
        }
        let Some(ply) = nth_ply(&position, from.into()) else { break };
        position.play(ply);
    }
}

/// A game and its options, as `loa stuck=loss simultaneous=mover`. What they are printed as means the same.
pub fn options(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let (game, options) = text.split_once(' ').unwrap_or((text, ""));
    let Ok(ruleset) = Ruleset::named(game, options) else { return };
    let printed = ruleset.options_text();
    assert_eq!(Ruleset::named(game, &printed), Ok(ruleset.clone()), "{printed}");
    assert_eq!(Game::named(game).as_ref(), Some(ruleset.game()));
    let start = ruleset.start();
    assert_eq!(start.ruleset(), ruleset);
    assert_eq!(ruleset.read_position(&start.to_string()), Ok(start.clone()));
    check_position(&start, printed.as_bytes());
}

/// What a bot writes: the rules, a byte for the size of chunks, and the bytes. A byte 1 stands for more letters than a line
/// may have but for a few, a byte 2 for the moment at which a line is drawn. The chunks do not matter, and whatever is
/// said can be repeated without harm.
pub fn line(bytes: &[u8]) {
    let Some((ruleset, [chunk, bytes @ ..])) = chosen(bytes) else { return };
    let parts: Vec<Vec<u8>> = bytes.split(|&byte| byte == 2).take(9).map(expanded).collect();
    let (lines, partial) = heard(&parts, usize::MAX);
    assert_eq!((&lines, &partial), (&heard(&parts, 1 + usize::from(*chunk) * 40).0, &partial));
    assert_eq!((&lines, &partial), (&heard(&parts, 1 + usize::from(*chunk % 16)).0, &partial));
    let mut conversation = conversation();
    let mut position = ruleset.start();
    for line in lines.iter().filter_map(|line| line.strip_prefix(b"whole ")) {
        let text = printable(line, 40);
        assert!(text.chars().count() <= 161 && harmless(&text) == text, "{text:?}");
        match conversation.read(&position, line) {
            ParsedLine::Reply(Reply::Ply(ply)) => {
                let line = conversation.ply(&position, ply);
                let parsed = conversation.read(&position, line.as_bytes());
                assert_eq!(parsed, ParsedLine::Reply(Reply::Ply(ply)), "{line}");
                if position.check(ply).is_ok() {
                    position.play(ply);
                }
            }
            ParsedLine::Ready(words) => drop(conversation.ready_with(words)),
            ParsedLine::Info(words) => assert_eq!(unescape_comment(&escape_comment(words)), words),
            ParsedLine::Reply(Reply::Illegal(_) | Reply::Resign) | ParsedLine::Name(_) => {}
            other => {
                assert_eq!(
                    other,
                    ParsedLine::Unrecognised,
                    "arbiter's own dialect has no other lines"
                );
                let _ = conversation.not_an_answer(line, Wanted::Answer);
                if let Some(near) = conversation.nearly_a_ply(&position, line) {
                    let parsed = conversation.read(&position, near.correction.as_bytes());
                    assert!(matches!(parsed, ParsedLine::Reply(Reply::Ply(_))), "{parsed:?}");
                }
            }
        }
    }
}

fn conversation() -> Box<dyn Conversation> {
    Dialect::default().conversation().expect("the default dialect is spoken")
}

/// A log. What is read is printed so that it is read again, whatever error comes after it; it may be replayed.
pub fn log(bytes: &[u8]) {
    for game in read_raw(bytes).flatten() {
        game.moves
            .iter()
            .flat_map(|played| &played.comments)
            .for_each(|text| drop(unescape_comment(text)));
        if let Ok(record) = Record::from_raw(&game, None) {
            let game = Timeline::new(record.clone(), &Settings::default().time);
            // Right or wrong, but no panic.
            let _ = (replay(&record), text::replay(&game), Picture::new(&game, game.len()).svg());
            assert_eq!(read_records(record.to_string().as_bytes()), (vec![record], None));
        }
    }
    // Each game is read at its place as in its log, and of a broken one the part before the error.
    let (records, error) = read_records(bytes);
    let mut at_places = Vec::new();
    let read = read_places(bytes, |place, part, _| {
        at_places.push(place.read(part));
        Ok::<_, std::io::Error>(())
    });
    assert!(read.is_ok());
    let whole =
        at_places.iter().map_while(|game| game.record.clone().filter(|_| game.error.is_none()));
    assert_eq!(whole.collect::<Vec<_>>(), records);
    let printed: String = records.iter().map(Record::to_string).collect();
    assert_eq!(read_records(printed.as_bytes()), (records, None));
    let lines = 1 + bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
    assert!(error.is_none_or(|error| (1..=lines).contains(&error.line)));
}

/// What is typed by two people: the rules, a byte for the size of chunks, a line with the position to begin with (the
/// start if it is none), and the bytes. The chunks do not matter, and nothing that steers a terminal is printed.
pub fn hotseat(bytes: &[u8]) {
    let Some((ruleset, [chunk, bytes @ ..])) = chosen(bytes) else { return };
    let (text, typed) = first_line(bytes);
    let position = read_position(ruleset.clone(), text).unwrap_or_else(|| ruleset.start());
    if HotseatSession::begin(position.clone(), InputSource::Pipe).is_none() {
        return;
    }
    for source in [InputSource::Terminal, InputSource::Pipe] {
        let [whole, chunks, single] = [usize::MAX, usize::from(*chunk).max(1), 1].map(|size| {
            let (mut hotseat, mut printed) =
                HotseatSession::begin(position.clone(), source).expect("the game has a program");
            typed.chunks(size).for_each(|chunk| printed += &hotseat.read(chunk));
            printed += &hotseat.finish();
            (printed, hotseat.is_over())
        });
        assert_eq!(whole, chunks);
        assert_eq!(whole, single);
        assert!(
            whole.0.chars().all(|letter| letter == '\n' || !letter.is_control()),
            "{:?}",
            whole.0
        );
    }
}

/// What must hold for any position, also after plies; `choices` are squares to ask about.
fn check_position(position: &Position, choices: &[u8]) {
    let ruleset = position.ruleset();
    let plies: Vec<Ply> = position.plies().collect();
    assert_eq!(plies.len() as u64, position.ply_count(), "{position}");
    assert_eq!(plies.is_empty(), position.ending().is_some(), "{position}");
    assert!(plies.iter().all(|&ply| position.check(ply).is_ok()), "{position}");
    let mut others = vec![Ply::Pass];
    for pair in choices.windows(2).take(20) {
        let [low, high] = [pair[0], pair[1]].map(|byte| Square(byte.into()));
        others.extend([
            Ply::Place(low),
            Ply::Place(Square(low.0 * 256 + high.0)),
            Ply::Move(low, high),
        ]);
    }
    for ply in others {
        assert_eq!(position.check(ply).is_ok(), plies.contains(&ply), "{ply:?} in {position}");
    }
    let mut sorted: Vec<(String, Ply)> =
        plies.iter().map(|&ply| (ruleset.ply_text(ply).to_string(), ply)).collect();
    sorted.sort();
    assert!(sorted.iter().all(|(text, ply)| ruleset.read_ply(text) == Ok(*ply)), "{position}");
    assert!(sorted.iter().map(|(_, ply)| *ply).eq(position.sorted_plies()), "{position}");
    let mut listed = String::new();
    position.push_plies(&mut listed);
    assert_eq!(listed, sorted.iter().map(|(text, _)| format!(" {text}")).collect::<String>());
    check_images(position, plies.get(choices.len() % plies.len().max(1)).copied());
}

/// A position turned or mirrored is the same game.
fn check_images(position: &Position, ply: Option<Ply>) {
    let judged = position.image(Symmetry::ALL[0]); // that passes went before is not in an image
    assert!(judged.repeats(position), "{position}");
    for &symmetry in position.ruleset().symmetries() {
        let image = position.image(symmetry);
        assert_eq!(image.image(symmetry.inverse()), judged, "{position} {symmetry:?}");
        assert_eq!(image.ending(), judged.ending(), "{position} {symmetry:?}");
        assert_eq!(image.ply_count(), judged.ply_count(), "{position} {symmetry:?}");
        if let Some(ply) = ply {
            let played = image.after(symmetry.ply(&position.ruleset(), ply));
            assert!(
                played.repeats(&position.after(ply).image(symmetry)),
                "{position} {symmetry:?} {ply:?}"
            );
        }
    }
}

/// The position of that text, which is the text of that position.
fn read_position(ruleset: Ruleset, text: &[u8]) -> Option<Position> {
    let text = str::from_utf8(text).ok()?;
    let position = ruleset.read_position(text).ok()?;
    assert_eq!(position.to_string(), text);
    assert_eq!(ruleset.read_position(text), Ok(position.clone()));
    Some(position)
}

/// The rules that the first byte chooses, and the other bytes.
fn chosen(bytes: &[u8]) -> Option<(Ruleset, &[u8])> {
    let (&choice, rest) = bytes.split_first()?;
    let (game, options) = RULESETS[usize::from(choice.wrapping_sub(b'a')) % RULESETS.len()];
    let set = split_options(options).expect("they are key=value");
    Some((Ruleset::with_options(game, &set).expect("they are options of that game"), rest))
}

/// The bytes before the first newline, and those behind it.
fn first_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    (&bytes[..end], bytes.get(end + 1..).unwrap_or_default())
}

fn nth_ply(position: &Position, choice: usize) -> Option<Ply> {
    let count = usize::try_from(position.ply_count()).ok().filter(|&count| count > 0)?;
    position.plies().nth(choice % count)
}

/// The bytes, with nearly a line's worth of letters for the first few bytes 1.
fn expanded(bytes: &[u8]) -> Vec<u8> {
    let mut long =
        bytes.iter().filter(|&&byte| byte == 1).take(2).map(|_| vec![b'x'; LINE_CAP - 3]);
    let one = |&byte: &u8| if byte == 1 { long.next() } else { None }.unwrap_or_else(|| vec![byte]);
    bytes.iter().flat_map(one).collect()
}

/// What a buffer makes of bytes in chunks of some size, with a line drawn after each part: the lines, and what is left.
fn heard(parts: &[Vec<u8>], chunk: usize) -> (Vec<Vec<u8>>, Vec<u8>) {
    let mut buffer = LineBuffer::default();
    let mut lines = Vec::new();
    for part in parts {
        for chunk in part.chunks(chunk) {
            buffer.push(chunk);
            while let Some(line) = buffer.next_line() {
                let kind: &[u8] = match line {
                    Line::Whole(_) => b"whole ",
                    Line::Stale(_) => b"stale ",
                    Line::TooLong(_) => b"long ",
                };
                lines.push([kind, line.bytes()].concat());
            }
        }
        buffer.draw_line();
    }
    (lines, buffer.partial().to_vec())
}

/// Every record of a log, and the error that ended it.
fn read_records(log: &[u8]) -> (Vec<Record>, Option<LogError>) {
    let mut records = Vec::new();
    for record in read_log(log) {
        match record {
            Ok(record) => records.push(record),
            Err(error) => return (records, Some(error)),
        }
    }
    (records, None)
}

/// A configuration, a `bot.toml` and a file of openings, whichever it is. Every error has its line in the text.
pub fn config(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let lines = text.lines().count().max(1);
    for errors in [Config::parse(text).err(), manifest::parse(text).err()].into_iter().flatten() {
        assert!(!errors.errors().is_empty());
        assert!(errors.errors().iter().all(|error| (1..=lines).contains(&error.line)), "{errors}");
        let shown = errors.display("cup.toml").to_string();
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
    }
    if let Ok(config) = Config::parse(text) {
        assert!(!config.identity().is_empty());
        assert!(
            config
                .bots
                .iter()
                .all(|bot| bot.command.as_ref().is_some_and(|command| command.words().is_some()))
        );
    }
    let loa = Ruleset::named("loa", "").unwrap();
    if let Ok(mut openings) = Openings::listed(&loa, text) {
        assert!(openings.get(1).is_ok_and(|position| position.ending().is_none()));
    }
}

/// An answer of a rules program, to whichever question. What is said of a wrong one can be shown; the board of a right one is
/// written and read again.
pub fn rules_program(bytes: &[u8]) {
    let sides = BySide { first: 'X', second: 'O' };
    let start = answers::read_start(bytes);
    let faults = [
        start.as_ref().err().cloned(),
        answers::read_rules(bytes).err(),
        answers::read_set(bytes).err(),
        answers::read_advance(bytes, sides).err(),
        answers::read_at(bytes, sides).err(),
        answers::read_why(bytes).err(),
    ];
    for fault in faults.into_iter().flatten() {
        let shown = fault.to_string();
        assert!(
            !shown.is_empty() && shown.len() < 5000 && shown.chars().all(is_visible),
            "{shown:?}"
        );
    }
    if let Ok(start) = start {
        assert_eq!(start.layout.to_string().parse::<Layout>(), Ok(start.layout));
    }
}
