//! The game log: written logs are read back, logs of other programs are read, broken logs are
//! refused with the line, and no input panics.

use crate::games;
use crate::vectors::all_outcomes;
use arbiter_game::record::{LogError, Record, read_log, read_raw, unescape_comment};
use arbiter_game::{Fault, Note, Outcome, Played, SentLines};
use arbiter_rules::seed::Generator;
use arbiter_rules::{BySide, Ending, Game, Margin, Ply, Position, Reason, Ruleset, Side};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn loa() -> Ruleset {
    games::rules("loa", "")
}

/// The outcomes that a log can have.
fn readable_outcomes() -> Vec<Outcome> {
    let drawn_suicide = Outcome::Rules(Ending { winner: None, reason: Reason::Suicide });
    let mut outcomes = all_outcomes();
    outcomes.retain(|outcome| *outcome != drawn_suicide);
    outcomes
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9-]{1,9}", "[\"\\\\ a-zéï\\[\\]{}%;]{0,9}", "\\PC{0,9}"]
        .prop_map(|name| name.replace(['\u{2028}', '\u{2029}'], "_"))
}

fn note() -> impl Strategy<Value = Note> {
    let word = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        "[ ]{0,3}|cpu|[0-9]s|0\\.[0-9]{1,7}s|[ -~]{0,30}".prop_map(String::into_bytes),
    ];
    let text = prop::collection::vec(word, 0..7).prop_flat_map(|words| {
        prop_oneof![Just(words.join(&b' ')), Just(words.concat())].prop_map(|mut text| {
            text.truncate(arbiter_game::NOTE_BYTES);
            text
        })
    });
    let time = || prop_oneof![0..2_000_000_u64, any::<u64>()].prop_map(Duration::from_micros);
    (prop::option::of(time()), prop::option::of(time()), text).prop_map(|(wall, cpu, text)| Note {
        wall,
        cpu: wall.and(cpu),
        text,
    })
}

/// A random walk through legal plies, at most `length` long.
fn walk(position: &mut Position, generator: &mut Generator, length: usize) -> Vec<Ply> {
    let mut walked = Vec::new();
    while walked.len() < length {
        let plies: Vec<_> = position.plies().collect();
        let Ok(1..) = u64::try_from(plies.len()) else { break };
        let ply = plies[generator.below(plies.len() as u64) as usize];
        position.play(ply);
        walked.push(ply);
    }
    walked
}

/// What a log says of the clock of a side.
const CLOCKS: [&str; 6] = ["10+0.1", "0.25", "1/0.5", "-", "none", "?"];

prop_compose! {
    fn record()(
        random in any::<u64>(),
        game in prop::sample::select(Game::ALL.to_vec()),
        (set_up, length) in (any::<bool>(), 0..40_usize),
        texts in prop::array::uniform6(name()),
        options in prop::array::uniform6(prop::option::of(name())),
        clocks in prop::option::of(prop::array::uniform2(prop::sample::select(CLOCKS.to_vec()))),
        digests in prop::array::uniform2(prop::option::of("[0-9a-f]{12}")),
        (max_plies, repetition) in any::<(Option<u32>, Option<u32>)>(),
        more in prop::collection::btree_map("[a-z][A-Za-z0-9_]{0,8}", name(), 0..3),
        notes in prop::collection::vec(prop::option::of(note()), 40),
        reply in prop::option::of(note()),
        outcome in prop::sample::select(readable_outcomes()),
        sent in prop::option::of((name(), any::<[u64; 2]>())),
        margin in prop::option::of(1..=100_000_000_u32),
    ) -> Record {
        let mut generator = Generator::from_state(random);
        let reached = games::reached(&game, &mut generator).position;
        let ruleset = reached.ruleset();
        // The number of forced passes of loa is not part of the text, so it is 0 when the text is
        // read.
        let start = if set_up {
            ruleset.read_position(&reached.to_string()).unwrap()
        } else {
            ruleset.start()
        };
        let mut position = start.clone();
        let plies = walk(&mut position, &mut generator, length);
        let notes = notes.into_iter().map(|note| note.filter(|note| *note != Note::default()));
        let [event, site, date, round, white, black] = texts;
        let clocks = clocks
            .map(|[first, second]| BySide { first, second }.map(|clock| Some(clock.to_owned())));
        let sent =
            sent.map(|(id, [first, second])| SentLines { id, seeds: BySide { first, second } });
        let [id, pair, seed, isolation, settings, detail] = options;
        let [first, second] = digests;
        Record {
            event, site, date, round,
            players: BySide { first: white, second: black },
            digests: BySide { first, second },
            time_control: clocks.unwrap_or_default(),
            start, max_plies, repetition, id, pair, seed, sent, isolation, settings, detail,
            more: more.into_iter().collect(),
            plies: plies.into_iter().zip(notes).map(|(ply, note)| Played { ply, note }).collect(),
            reply: reply.filter(|_| matches!(outcome, Outcome::Forfeit(..))),
            outcome,
            margin: margin.and_then(|hundredths| Margin::new(f64::from(hundredths) / 100.0)),
        }
    }
}

/// The records of a log up to the first that cannot be read, and why it cannot.
fn read_all(log: &[u8]) -> (Vec<Record>, Option<LogError>) {
    let mut records = Vec::new();
    let mut log = read_log(log);
    let error = loop {
        match log.next() {
            Some(Ok(record)) => records.push(record),
            Some(Err(error)) => break Some(error),
            None => break None,
        }
    };
    (records, error)
}

/// Reads any bytes, and checks the properties that hold for all input.
fn check_bytes(log: &[u8]) {
    for game in read_raw(log).flatten() {
        for text in game.moves.iter().flat_map(|played| &played.comments) {
            unescape_comment(text);
        }
    }
    let (records, error) = read_all(log);
    let printed: String = records.iter().map(Record::to_string).collect();
    assert_eq!(read_all(printed.as_bytes()), (records, None));
    let lines = 1 + log.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
    assert!(error.is_none_or(|error| error.line <= lines));
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(records in prop::collection::vec(record(), 1..4)) {
        let log: String = records.iter().map(Record::to_string).collect();
        prop_assert_eq!(read_all(log.as_bytes()), (records, None));
        for line in log.lines().filter(|line| !line.starts_with('[')) {
            prop_assert!(line.is_ascii() && (line.len() < 80 || !line.contains(' ')), "{line:?}");
            prop_assert!(!line.starts_with(' ') && !line.ends_with(' '), "{line:?}");
        }
        let tags = log.lines().filter(|line| line.starts_with('['));
        prop_assert!(tags.clone().all(|line| line.ends_with("\"]")));
    }

    #[test]
    fn line_ends_do_not_matter(record in record()) {
        let log = record.to_string();
        for end in ["\r\n", "\r", "\n\n \t\n"] {
            let changed = format!("\u{feff}{}", log.replace('\n', end));
            prop_assert_eq!(read_all(changed.as_bytes()), (vec![record.clone()], None));
        }
    }

    #[test]
    fn a_cut_log_gives_its_whole_games_and_nothing_else(
        records in prop::collection::vec(record(), 1..3), cut in any::<prop::sample::Index>(),
    ) {
        let log: String = records.iter().map(Record::to_string).collect();
        let cut = cut.index(log.len());
        let (read, error) = read_all(&log.as_bytes()[..cut]);
        let ends = records.iter().scan(0, |end, record| {
            let text = record.to_string();
            *end += text.len();
            Some(*end - text.len() + text.trim_end().len())
        });
        prop_assert_eq!(&read[..], &records[..ends.filter(|&end| end <= cut).count()]);
        prop_assert!(error.is_none_or(|error| error.game == read.len() + 1));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(log in prop::collection::vec(any::<u8>(), 0..300)) {
        check_bytes(&log);
    }

    #[test]
    fn no_words_make_the_reader_panic(
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40),
    ) {
        check_bytes(words.concat().as_bytes());
        check_bytes([HEAD, &words.concat(), " 1-0"].concat().as_bytes());
    }

    #[test]
    fn no_damage_makes_the_reader_panic(
        record in record(),
        damage in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..9_usize, any::<Option<u8>>()), 1..5,
        ),
    ) {
        let mut log = record.to_string().into_bytes();
        for (at, length, byte) in damage {
            let at = at.index(log.len());
            let end = (at + length).min(log.len());
            log.splice(at..end, byte);
        }
        check_bytes(&log);
    }

    #[test]
    fn no_note_is_a_command_to_a_machine_that_shows_the_log(
        mut record in record(),
        words in prop::collection::vec("(::|##)?[a-z]{0,20}(\\[|::)?[a-z]{0,25}", 1..8),
    ) {
        let text = words.join(" ").into_bytes();
        record.plies.truncate(1);
        let Some(first) = record.plies.first_mut() else { return Ok(()) };
        first.note = Some(Note { wall: None, cpu: None, text: text.clone() });
        let log = record.to_string();
        let is_command = |line: &str| {
            let letters = |part: &str| part.split('[').next().is_some_and(|word| {
                word.len() < part.len() && word.bytes().all(|byte| byte.is_ascii_alphabetic())
            });
            line.trim_start().starts_with("::") || line.split("##").skip(1).any(letters)
        };
        prop_assert!(!log.lines().any(is_command), "{log}");
        let read = read_all(log.as_bytes()).0;
        prop_assert_eq!(&read[0].plies[0].note.as_ref().map(|note| note.text.clone()), &Some(text));
    }

    #[test]
    fn no_name_adds_a_tag(mut record in record(), name in any::<String>()) {
        record.players.first = name.clone();
        record.detail = Some(format!("{name}\"]\n[Result \"1-0\"]"));
        let log = record.to_string();
        let tags = read_raw(log.as_bytes()).next().unwrap().unwrap().tags.len();
        prop_assert_eq!(tags, log.split('\n').filter(|line| line.starts_with('[')).count());
        prop_assert_eq!(read_all(log.as_bytes()).0.len(), 1);
    }
}

const WORDS: [&str; 30] = [
    "[",
    "]",
    "\"",
    "\\",
    "{",
    "}",
    ";",
    "%",
    "\n",
    "\r",
    " ",
    "$",
    "1",
    ".",
    "...",
    "*",
    "1-0",
    "1/2-1/2",
    "a2c4",
    "pass",
    "(",
    "é",
    "[Event \"x\"]",
    "[FEN \"8/8 B\"]",
    "{0.5s}",
    "{0.5s cpu 1s x}",
    "\u{feff}",
    "\t",
    "\n%",
    "!",
];

const HEAD: &str = r#"[White "conny"] [Black "randy"] [Result "1-0"]
[Game "loa"] [Outcome "win"] [Termination "resign"]
"#;

fn vectors() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/games"))
}

#[test]
fn the_vectors_are_read() {
    let (mut games, mut names) = (0, BTreeSet::new());
    for entry in fs::read_dir(vectors()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue; // the bad ones
        }
        let log = fs::read_to_string(&path).unwrap();
        let raw: Vec<_> = read_raw(log.as_bytes()).collect::<Result<_, _>>().unwrap();
        assert_eq!(raw.len(), log.matches("[Event ").count(), "{path:?}");
        for game in &raw {
            assert_eq!(
                game.tag("PlyCount").unwrap().value,
                game.moves.len().to_string(),
                "{path:?}"
            );
        }
        let (records, error) = read_all(log.as_bytes());
        assert_eq!((records.len(), error), (raw.len(), None), "{path:?}");
        names.extend(records.iter().map(|record| record.start.ruleset().game().clone()));
        let printed: String = records.iter().map(Record::to_string).collect();
        games += records.len();
        assert_eq!(read_all(printed.as_bytes()), (records, None), "{path:?}");
    }
    assert!(games >= 86, "{games} games were read; there were 86");
    assert_eq!(names, BTreeSet::from(Game::ALL));
}

#[test]
fn the_bad_vectors_are_refused_at_their_game() {
    let index = fs::read_to_string(vectors().join("bad/index.jsonl")).unwrap();
    let mut refused = 0;
    for line in index.lines() {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        let expected = match entry["what"].as_str().unwrap() {
            "bad-tag" => "line 63: game 2: the tag Game needs a value in quotes, found 'f'",
            "truncated" => {
                "line 10: game 1: the value of the tag Outcome has no closing quote on its line"
            }
            "missing-end" => {
                "line 134: game 2: the moves end without a result (1-0, 0-1, 1/2-1/2 or *)"
            }
            "result-tag-and-end-differ" => {
                "line 16: game 1: the moves end with 0-1, but Result is 1-0"
            }
            "wrong-result" => {
                "line 80: game 3: Result \"1/2-1/2\", Outcome \"win\" and Termination \"line\" do \
                 not go together"
            }
            "wrong-outcome" => {
                "line 1: game 1: Result \"0-1\", Outcome \"win\" and Termination \"suicide\" do \
                 not go together"
            }
            "wrong-ply-count" => "line 12: game 1: PlyCount is 20, but the number of plies is 19",
            _ => "", // legality, which replay checks
        };
        let log = fs::read(vectors().join("bad").join(entry["file"].as_str().unwrap())).unwrap();
        let (records, error) = read_all(&log);
        assert_eq!(error.map_or(String::new(), |error| error.to_string()), expected, "{line}");
        if expected.is_empty() {
            let games = String::from_utf8_lossy(&log).matches("[Event ").count();
            assert_eq!(records.len(), games, "{line}");
        } else {
            assert_eq!(records.len() as u64 + 1, entry["game"].as_u64().unwrap());
            refused += 1;
        }
    }
    assert_eq!(refused, 7);
}

#[test]
fn a_record_is_printed_as_the_contract_says() {
    let played = |text, note| Played { ply: loa().read_ply(text).unwrap(), note };
    let note = |micros, text: &str| {
        Some(Note { wall: Some(Duration::from_micros(micros)), cpu: None, text: text.into() })
    };
    let start = loa().read_position("1WWWWWW1/B6B/7B/B6B/B1B4B/B6B/B6B/1WWWWWW1 W").unwrap();
    let record = Record {
        event: "spring-cup".into(),
        site: "?".into(),
        date: "2026.11.21".into(),
        round: "3.1".into(),
        players: BySide {
            first: "o'neil \"x\"".into(),
            second: "na\u{ef}ve\n[Result \"*\"]".into(),
        },
        start,
        time_control: BySide { first: Some("10+0.1".into()), second: Some("10+0.1".into()) },
        max_plies: Some(400),
        repetition: Some(3),
        id: Some("conny~randy.1.1".into()),
        pair: Some("conny~randy.1".into()),
        seed: Some("42".into()),
        sent: Some(SentLines {
            id: "7c1e94d2a0".into(),
            seeds: BySide { first: 5, second: u64::MAX },
        }),
        isolation: Some("basic".into()),
        digests: BySide { first: Some("0123456789ab".into()), second: None },
        settings: Some("--memory 64MiB".into()),
        detail: Some("answered `a9`".into()),
        margin: Margin::new(7.5),
        more: vec![
            ("Annotator".into(), "me".into()),
            ("Game".into(), "x".into()),
            ("a b".into(), "x".into()),
        ],
        plies: vec![
            played("c0b1", note(4_010, "")),
            played("h1h7", note(300_112, "depth 5 score 0.25 pv d7b5")),
            played("d7b5", note(12_000_000, "")),
            played("a3c5", None),
        ],
        reply: note(1, " a9  {}"),
        outcome: Outcome::Forfeit(Side::Second, Fault::IllegalMove),
    };
    let expected = r#"[Event "spring-cup"]
[Site "?"]
[Date "2026.11.21"]
[Round "3.1"]
[White "naïve [Result \"*\"]"]
[Black "o'neil \"x\""]
[Result "0-1"]
[Game "loa"]
[Options "simultaneous=draw stuck=pass"]
[TimeControl "10+0.1"]
[Outcome "forfeit"]
[Termination "illegal-move"]
[PlyCount "4"]
[SetUp "1"]
[FEN "1WWWWWW1/B6B/7B/B6B/B1B4B/B6B/B6B/1WWWWWW1 W"]
[MaxPlies "400"]
[Repetition "3"]
[GameId "conny~randy.1.1"]
[Pair "conny~randy.1"]
[Seed "42"]
[SentId "7c1e94d2a0"]
[WhiteSeed "18446744073709551615"]
[BlackSeed "5"]
[Isolation "basic"]
[BlackDigest "0123456789ab"]
[Settings "--memory 64MiB"]
[Detail "answered `a9`"]
[Margin "7.5"]
[Annotator "me"]

1... c0b1 {0.004010s} 2. h1h7 {0.300112s depth 5 score 0.25 pv d7b5} d7b5
{12.000000s} 3. a3c5 {} {0.000001s \x20a9 \x20\x7b\x7d} 0-1

"#;
    assert_eq!(record.to_string(), expected);
}

#[test]
fn other_programs_logs_are_read() {
    let log = format!(
        "\u{feff}% made elsewhere\r\n; so it is\r\n{HEAD}\r\n{}\r\n{}",
        "1 . a2c4{fine} $3 ;and a remark\r\n1...c0b1\r% 2. not this\n{0.25s\ncpu 0.2s\tgood [x] \
         (y) $3 1.}",
        "{more}\t2. ... pass$14 1-0 {after} [White \"x\"][Black \"y\"][Result \"*\"][Game \"loa\"]
         [Outcome \"aborted\"][Termination \"no-start\"][Extra \"a\\b\"] {nothing} *"
    );
    let (records, error) = read_all(log.as_bytes());
    assert_eq!(error, None);
    let [first, second] = &records[..] else { panic!("{records:?}") };
    let notes: Vec<_> = first.plies.iter().map(|played| played.note.clone()).collect();
    let fine = Note { text: b"fine".to_vec(), ..Note::default() };
    let [wall, cpu] = [250, 200].map(|millis| Some(Duration::from_millis(millis)));
    assert_eq!(
        notes,
        [Some(fine), Some(Note { wall, cpu, text: b"good [x] (y) $3 1.".to_vec() }), None]
    );
    assert_eq!(
        (&*first.event, &*first.date, first.start.clone()),
        ("?", "????.??.??", loa().start())
    );
    assert_eq!(second.more, [("Extra".to_owned(), "a\\b".to_owned())]);
    assert_eq!((second.outcome, &second.reply), (Outcome::NeitherStarted, &None));
}

#[test]
fn other_moves_and_tags_stop_with_line_and_reason() {
    for (moves, expected) in [
        ("a2c4 (a2a4) 1-0", "line 3: game 1, ply 1: a game log has no variations"),
        ("\n\n{ no end", "line 5: game 1: the comment that begins here is not closed by `}`"),
        ("a2c4 $x 1-0", "line 3: game 1: expected a glyph's number after `$`, found 'x'"),
        ("a2c4 c0é 1-0", "line 3: game 1, ply 3: expected a move or a result, found 'é'"),
        ("a2c4\n} 1-0", "line 4: game 1, ply 2: expected a move or a result, found '}'"),
        ("a2c4 . 1-0", "line 3: game 1, ply 2: expected a move or a result, found '.'"),
        (
            "a2c4\nb0b9 1-0",
            "line 4: game 1, ply 2: \"b0b9\" is no move: row '9' is not on the board; rows are 0 \
             to 7",
        ),
        (
            "a2c4! 1-0",
            "line 3: game 1, ply 1: \"a2c4!\" is no move: expected two squares such as a2c4",
        ),
        (
            "1 a2c4 1-0",
            "line 3: game 1, ply 1: \"1\" is no move: expected two squares such as a2c4",
        ),
        ("a2c4 0-1", "line 3: game 1: the moves end with 0-1, but Result is 1-0"),
        ("1-0 a2c4", "line 3: game 2: expected a game's first tag, found 'a'"),
        (
            "[PlyCount \"2\"] a2c4 1-0",
            "line 3: game 1: PlyCount is 2, but the number of plies is 1",
        ),
        ("[PlyCount \"\"] 1-0", "line 3: game 1: PlyCount is \"\", which is not a number"),
        ("[MaxPlies \"-1\"] 1-0", "line 3: game 1: MaxPlies is \"-1\", which is not a number"),
        (
            "[TimeControl \"fast\"] 1-0",
            "line 3: game 1: TimeControl is \"fast\"; write BASE+INC in seconds, such as 10+0.1, \
             or 1/SECONDS for a time a ply, or - \
             for no clock",
        ),
        (
            "[TimeControl \"1+0\"]\n[BlackTimeControl \"0+0\"] 1-0",
            "line 4: game 1: BlackTimeControl is \"0+0\"; write BASE+INC in seconds, such as \
             10+0.1, or 1/SECONDS for a time a ply, \
             or - for no clock",
        ),
        (
            "[WhiteTimeControl \"1+0\"] 1-0",
            "line 3: game 1: WhiteTimeControl stands without BlackTimeControl; write both, or \
             TimeControl for both sides",
        ),
        (
            "[BlackTimeControl \"?\"] 1-0",
            "line 3: game 1: BlackTimeControl stands without WhiteTimeControl; write both, or \
             TimeControl for both sides",
        ),
        ("[SetUp \"1\"] 1-0", "line 3: game 1: SetUp is 1, but the tag FEN is missing"),
        ("[SetUp \"0\"][FEN \"8 B\"] 1-0", "line 3: game 1: SetUp is 0, but there is a tag FEN"),
        ("[SetUp \"2\"] 1-0", "line 3: game 1: SetUp is \"2\", not 0 or 1"),
        ("[FEN \"8 B\"] 1-0", "line 3: game 1: position: 1 row where 8 are needed"),
        ("[Game \"loa\"] 1-0", "line 3: game 1: the tag Game is given twice"),
        (
            "[Site \"x] 1-0",
            "line 3: game 1: the value of the tag Site has no closing quote on its line",
        ),
        ("[Site x] 1-0", "line 3: game 1: the tag Site needs a value in quotes, found 'x'"),
        ("[Site \"x\" 1-0", "line 3: game 1: the tag Site is not closed by `]`, found '1'"),
        ("[\"x\"] 1-0", "line 3: game 1: expected the name of a tag after `[`, found '\"'"),
        (
            "[Options \"n=8\"] 1-0",
            "line 3: game 1: unknown option `n` of loa; its options are: simultaneous, stuck",
        ),
    ] {
        let log = format!("{HEAD}{moves}");
        assert_eq!(read_all(log.as_bytes()).1.unwrap().to_string(), expected, "{moves}");
    }
}

#[test]
fn broken_logs_stop_with_line_and_reason() {
    let games = Game::NAMES.join(", ");
    for (from, to, expected) in [
        ("[White", "[whitE", "line 1: game 1: the tag White is missing"),
        ("\"1-0\"", "\"1-O\"", "line 1: game 1: Result is \"1-O\", not 1-0, 0-1, 1/2-1/2 or *"),
        ("loa", "go", &*format!("line 2: game 1: unknown game `go`; the games are: {games}")),
        (
            "\"win\"",
            "\"draw\"",
            "line 1: game 1: Result \"1-0\", Outcome \"draw\" and Termination \"resign\" do not \
             go together",
        ),
    ] {
        let log = format!("{} 1-0", HEAD.replace(from, to));
        assert_eq!(read_all(log.as_bytes()).1.unwrap().to_string(), expected, "{to}");
    }
    for (log, expected) in [
        (&b"[White \"\xff\"]"[..], "line 1: game 1: the value of the tag White is not UTF-8"),
        (
            b"[White \"x\"]\n\xff",
            "line 2: game 1, ply 1: expected a move or a result, found the byte 0xff, which is \
             not UTF-8",
        ),
        (b"\n\nx", "line 3: game 1: expected a game's first tag, found 'x'"),
        (b"[White \"x\"]\n", "line 2: game 1: the log ends in the tags of this game"),
        (
            b"[White \"x\"]\n\na2c4",
            "line 3: game 1: the moves end without a result (1-0, 0-1, 1/2-1/2 or *)",
        ),
    ] {
        assert_eq!(read_all(log).1.unwrap().to_string(), expected);
    }
}
