//! The errors of configurations and of `bot.toml`, with line and message; and no text makes their
//! readers panic.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use arbiter_config::{Config, ConfigErrors, DEFAULT, console, manifest};
use arbiter_game::protocol::Dialect;
use arbiter_game::protocol::console::Listen;
use arbiter_rank::schedule::FORMATS;
use proptest::prelude::*;

/// A text, and its errors: each has a line and parts of the message. There must be no other errors.
type Row = (&'static str, &'static [(usize, &'static [&'static str])]);

/// Two bots are appended to each of these.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    // Unknown keys and tables.
    ("gmae = 'loa'", &[(1, &["unknown key `gmae`", "did you mean `game`?"])]),
    (
        "[schedule]\ngame_count = 1",
        &[(2, &["unknown key `game_count` in [schedule]", "known are format, games, rounds"])],
    ),
    ("[schedule]\nbest_of = 2", &[(2, &["unknown key `best_of`", "did you mean `best-of`?"])]),
    ("[schedule]\nOpening-Plies = 2", &[(2, &["did you mean `opening-plies`?"])]),
    ("\n[shedule]\ngames = 2", &[(2, &["unknown table `shedule`", "did you mean `schedule`?"])]),
    ("games = 2", &[(1, &["unknown key `games`", "it belongs in [schedule]"])]),
    (
        "[schedule]\nname = 'x'",
        &[(2, &["unknown key `name` in [schedule]", "it belongs at the top of the file"])],
    ),
    ("[time]\nrepetition = 3", &[(2, &["it belongs in [match]"])]),
    ("[time.extra]\nx = 1", &[(1, &["unknown table `extra` in [time]"])]),
    ("[[bto]]\nname = 'c'", &[(1, &["unknown table `bto`", "did you mean `bot`?"])]),
    (
        "a-key-that-is-far-too-long-to-be-quoted-in-full = 1",
        &[(1, &["`a-key-that-is-far-too-long-to-be-quoted-…`"])],
    ),
    // Types.
    (
        "[schedule]\ngames = '2'",
        &[(2, &["`games` in [schedule] cannot be `'2'`", "a whole number from 1 to"])],
    ),
    ("[schedule]\ngames = 2.0", &[(2, &["cannot be `2.0`"])]),
    ("[schedule]\ngames = [2]", &[(2, &["cannot be a list"])]),
    (
        "[schedule]\nformat = 1",
        &[(2, &["`format`", "cannot be `1`", "\"round-robin\"", "\"sprt\" or \"league\""])],
    ),
    ("name = 5", &[(1, &["`name` cannot be `5`"])]),
    ("game = true", &[(1, &["`game` cannot be `true`", "text in quotes"])]),
    ("schedule = 5", &[(1, &["`schedule` is a table", "[schedule]"])]),
    ("[[schedule]]\ngames = 2", &[(1, &["`schedule` is one table", "write [schedule], once"])]),
    ("[match]\nreplay-disturbed = 'no'", &[(2, &["true or false, without quotes"])]),
    ("[time]\nbase = 10", &[(2, &["`base` in [time] cannot be `10`", "a number and a unit"])]),
    // Impossible values.
    ("[schedule]\ngames = 0", &[(2, &["cannot be `0`", "from 1 to"])]),
    ("[schedule]\ngames = -2", &[(2, &["cannot be `-2`"])]),
    ("[schedule]\ngames = 99999999999999999999", &[(2, &["cannot be `99999999999999999999`"])]),
    ("[schedule]\nseed = -1", &[(2, &["`seed`", "from 0 to 18446744073709551615"])]),
    ("[schedule]\nformat = 'knockout'\ngames = 2", &[(3, &["`games`", "knockout", "best-of`"])]),
    ("[schedule]\nbest-of = 2", &[(2, &["`best-of`", "round-robin", "games`"])]),
    ("[schedule]\nbest-of = 3", &[(2, &["`best-of`", "cannot be `3`", "even number"])]),
    ("[schedule]\nformat = 'round-robbin'", &[(2, &["did you mean \"round-robin\"?"])]),
    ("[schedule]\nformat = 'Swiss'", &[(2, &["did you mean \"swiss\"?"])]),
    (
        "[schedule]\nformat = 'gauntlet'\nchallengers = 2",
        &[(3, &["`challengers`", "there are 2 bots"])],
    ),
    ("[sprt]\nalpha = 0", &[(2, &["`alpha`", "above 0 and below 1"])]),
    ("[sprt]\nalpha = 1.0", &[(2, &["above 0 and below 1"])]),
    ("[sprt]\nalpha = nan", &[(2, &["above 0 and below 1"])]),
    ("[sprt]\nelo0 = inf", &[(2, &["from -2000 to 2000"])]),
    ("[sprt]\nalpha = 0.5\nbeta = 0.6", &[(3, &["`alpha` and `beta`", "below 1 together", "1.1"])]),
    ("[sprt]\nelo0 = 5\nelo1 = 5", &[(3, &["`elo1` must be above `elo0`"])]),
    ("[sprt]\nelo0 = 20", &[(2, &["`elo1` must be above `elo0`", "20 is not above 20"])]),
    ("[sprt]\nelo0 = 30\nelo1 = 'x'", &[(3, &["`elo1`", "-2000 to 2000"])]),
    ("[schedule]\ntie-break = 'points'", &[(2, &["`tie-break`", "\"none\" or \"margin\""])]),
    (
        "[schedule]\nformat = 'knockout'\ntie-break = 'margin'",
        &[(3, &["leave it out in a knockout"])],
    ),
    ("[match]\nrepetition = 1", &[(2, &["`repetition`", "0 for never", "from 2"])]),
    ("[match]\nattempts = 0", &[(2, &["`attempts`", "from 1"])]),
    ("[match]\npin = 'of'", &[(2, &["did you mean \"off\"?"])]),
    ("[time]\nbase = '0s'", &[(2, &["more than 0"])]),
    ("[time]\nmove = '0ms'", &[(2, &["more than 0"])]),
    ("[time]\nbase = '10 s'", &[(2, &["\"500ms\", \"10s\""])]),
    ("[time]\nmargin = '-1s'", &[(2, &["`margin`", "a number and a unit"])]),
    ("[time]\nbase = '5s'\nmove = '1s'", &[(3, &["`move` and `base` do not go together"])]),
    ("[time]\nincrement = '1s'\nmove = '1s'", &[(2, &["`increment` goes with `base`"])]),
    ("[time]\nwall-cap = '3+1s'", &[(2, &["\"3x+1s\""])]),
    ("[time]\nclock = 'real'", &[(2, &["\"wall\" or \"cpu\""])]),
    ("[limits]\nmemory = '512MB'", &[(2, &["cannot be `'512MB'`", "did you mean \"512MiB\"?"])]),
    ("[limits]\nmemory = 512", &[(2, &["a whole number and a unit"])]),
    ("[limits]\nmemory = '1KiB'", &[(2, &["write 1MiB to 1TiB"])]),
    ("[limits]\nprocesses = 0", &[(2, &["`processes`"])]),
    ("[limits]\nprocesses = 9\nthreads = 8", &[(3, &["9 `processes`", "`threads` cannot be 8"])]),
    ("[limits]\nsandbox = 'none'", &[(2, &["\"off\", \"basic\" or \"strict\""])]),
    ("[limits]\nrequire-isolation = 'stricd'", &[(2, &["did you mean \"strict\"?"])]),
    ("name = '../up'", &[(1, &["names the result folder"])]),
    ("[publish]\njunit = 'game'", &[(2, &["did you mean \"games\"?"])]),
    // The game and its options.
    ("game = 'lao'", &[(1, &["unknown game `lao`", "did you mean `loa`?"])]),
    (
        "game = 'flipflop'\n[options]\nn = 9",
        &[(3, &["option `n` cannot be `9`", "even number, 8 to 24"])],
    ),
    (
        "[options]\nsimultanous = 'draw'",
        &[(2, &["unknown option `simultanous` of loa", "did you mean `simultaneous`?"])],
    ),
    ("[options]\nstuck = 'los'\nsimultaneous = 'x'",
        &[
            (2, &["did you mean `loss`?"]),
            (3, &["option `simultaneous` cannot be `x`", "draw or mover"]),
        ]),
    ("[options]\nstuck = 1.5", &[(2, &["a word in quotes or a whole number"])]),
    // Keys that name bots.
    ("[expect]\na = 'most'", &[(2, &["`a` in [expect]", "\">= 0.6\""])]),
    ("[expect]\na = 0.6", &[(2, &["\">= 0.6\""])]),
    ("[expect]\na = '>= 60'", &[(2, &["from 0 to 1"])]),
    ("[expect]\na = '> 1'", &[(2, &["that can hold"])]),
    ("[expect]\ncony = '> 0.1'", &[(2, &["no [[bot]] is called `cony`", "there are a, b"])]),
    ("[ratings]\nanchor = 'a'\nanchors = { b = 1 }", &[(2, &["leave it out beside `anchors`"])]),
    (
        "[ratings.anchors]\nA = 1\na = nan",
        &[(2, &["no [[bot]] is called `A`"]), (3, &["write a rating from -10000 to 10000"])],
    ),
    ("[ratings]\nanchor = 'A'", &[(2, &["no [[bot]] is called `A`"])]),
    // The deadline of a league: TOML's own times, other forms, and days that do not exist.
    ("[league]\nfreeze = 2026-12-18T18:00:00Z", &[(2, &["write a time in UTC, such as"])]),
    ("[league]\nfreeze = '2026-12-18 18:00'", &[(2, &["write a time in UTC, such as"])]),
    ("[league]\nfreeze = '2026-13-18T18:00:00Z'", &[(2, &["write a time in UTC, such as"])]),
    ("[league]\ndisk = 2", &[(2, &["such as \"64KiB\", \"512MiB\""])]),
    ("[league]\ndisk = '64KiB'", &[(2, &["write 1MiB to 1024TiB"])]),
    (
        "[schedule]\nseeds = 'league'",
        &[(
            2,
            &["`seeds` is for \"swiss\" and \"knockout\"", "leave it out in a round-robin"],
        )],
    ),
    ("[schedule]\nformat = 'knockout'\nseeds = 3", &[(3, &["`seeds` in [schedule]"])]),
    // SPRT.
    ("[schedule]\nformat = 'sprt'\nopening-plies = 0", &[(3, &["\"sprt\" needs openings"])]),
    (
        "[schedule]\nformat = 'sprt'\n[[bot]]\nname = 'c'\ncommand = 'c'",
        &[(2, &["but there are 3; remove all but two"])],
    ),
    ("[schedule]\nformat = 'sprt'\n[[bots]]\nfolder = 'x'", &[(3, &["instead of [[bots]]"])]),
    // Bots.
    ("[[bot]]\nname = 'c'", &[(1, &["[[bot]] needs `command`", "command = \"python3 bot.py\""])]),
    ("[[bot]]\ncommand = 'c'", &[(1, &["[[bot]] needs `name`"])]),
    ("[[bot]]\nname = 'c d'\ncommand = 'c'", &[(2, &["1 to 64 of a to z"])]),
    ("[[bot]]\nname = 'a'\ncommand = 'c'", &[(5, &["two bots are called `a`"])]),
    ("[[bot]]\nname = 'B'\ncommand = 'c'", &[(8, &["two bots are called `b`", "case is ignored"])]),
    ("[[bot]]\nname = 'c'\ncommand = ''", &[(3, &["it is empty"])]),
    ("[[bot]]\nname = 'c'\ncommand = []", &[(3, &["the list is empty"])]),
    (
        "[[bot]]\nname = 'c'\ncommand = ['', 'x']",
        &[(3, &["its first word, the program, is empty"])],
    ),
    ("[[bot]]\nname = 'c'\ncommand = [\n'x',\n5]", &[(5, &["`command` in [[bot]] cannot be `5`"])]),
    (
        "[[bot]]\nname = 'c'\ncommand = 'c'\ndialect = 'natve'",
        &[(4, &["did you mean \"native\"?"])],
    ),
    (
        "[[bot]]\nname = 'c'\ncommand = 'c'\nconsole = 'x.toml'\ndialect = 'native'",
        &[(5, &["`dialect`", "`console` names a table, which needs the dialect \"console\""])],
    ),
    (
        "[[bot]]\nname = 'c'\ncommand = 'c'\nconsole = { move = 'x' }",
        &[(4, &["`console`", "text in quotes"])],
    ),
    (
        "[[bot]]\nname = 'c'\ncommand = 'c'\nenv = { X = 3 }",
        &[(4, &["`X` in env", "in quotes, also for a number"])],
    ),
    ("[[bot]]\nname = 'c'\ncommand = 'c'\nread = 'x'", &[(4, &["a list of texts"])]),
    (
        "[[bot]]\nname = 'c'\ncommand = 'c'\nmemory = '1GiB'",
        &[(4, &["unknown key `memory` in [[bot]]", "it belongs in [limits]"])],
    ),
    (
        "[[bot]]\nname = 'c'\ncommand = 'c'\ntime = '1+0'",
        &[(4, &["`time` is a table; write [bot.time]"])],
    ),
    (
        "[[bot]]\nname = 'c'\ncommand = 'c'\ntime = { base = 'none' }",
        &[(4, &["`base` in [bot.time]", "\"500ms\", \"10s\""])],
    ),
    (
        "[[bot]]\nname = 'c'\ncommand = 'c'\ntime = { base = '1s', move = '1s' }",
        &[(4, &["`move` and `base` do not go together"])],
    ),
    (
        "[[bot]]\nname = 'c'\ncommand = 'c'\ntime = { margin = '1s' }",
        &[(4, &["unknown key `margin` in [bot.time]", "it belongs in [time]"])],
    ),
    (
        "[time]\nmove = '1s'\n[[bot]]\nname = 'c'\ncommand = 'c'\ntime = { increment = '1s' }",
        &[(6, &["`increment` goes with `base`; write both"])],
    ),
    ("[[bots]]\ncommand = 'c'", &[(1, &["[[bots]] needs `folder`"])]),
    ("[[bots]]\nfolder = 'x'\n[[bots]]\nfolder = 'x'", &[(4, &["`x` is listed twice"])]),
    ("[bots]\nfolder = 'x'", &[(1, &["`bots` is a list of tables", "[[bots]] with two brackets"])]),
    // Several errors, in the order of the lines.
    ("gmae = 'loa'\n[time]\nbase = 'x'\n[match]\nattempts = 0\nx = 1",
        &[(1, &["gmae"]), (3, &["base"]), (5, &["attempts"]), (6, &["`x`"])]),
];

/// Nothing is appended to these.
#[rustfmt::skip]
const ALONE: &[Row] = &[
    ("", &[(1, &["no bots", "[[bot]]"])]),
    ("\n\ngame = 'loa'\n", &[(1, &["no bots"])]),
    ("game = 'loa'\n[[bot]]\nname = 'a'\ncommand = 'a'\n", &[(2, &["only one bot"])]),
    (
        "[bot]\nname = 'a'\ncommand = 'a'\n",
        &[(1, &["`bot` is a list of tables", "[[bot]] with two brackets"])],
    ),
    ("bot = ['a', 'b']", &[(1, &["list of tables"]), (1, &["list of tables"])]),
    // Syntax errors of TOML.
    ("game = loa", &[(1, &["not TOML"])]),
    ("game = 'loa'\n\n[schedule\ngames = 2", &[(3, &["not TOML"])]),
    ("game = 'loa'\ngame = 'loa'", &[(2, &["not TOML", "duplicate key"])]),
    ("game =", &[(1, &["not TOML"])]),
    ("a = 1\nb = 'x", &[(2, &["not TOML"])]),
];

#[rustfmt::skip]
const MANIFESTS: &[Row] = &[
    ("name = 'x'", &[(1, &["the file needs `command`", "python3 bot.py"])]),
    (
        "command = 'x'\nlanguag = 'c'",
        &[(2, &["unknown key `languag`", "did you mean `language`?"])],
    ),
    (
        "command = 'x'\ndir = '/'",
        &[(2, &["`dir` is refused", "only the organiser's configuration may set it"])],
    ),
    ("command = 'x'\ntime = { base = '1h' }", &[(2, &["`time` is refused", "organiser"])]),
    ("command = 'x'\nread = ['/etc']\nmemory = '1TiB'\n[env]\nPATH = ''\n[limits]\nsandbox = 'off'",
        &[(2, &["`read`"]), (3, &["`memory`"]), (4, &["`env`"]), (6, &["`limits`", "organiser"])]),
    (
        "command = 'x'\ndialect = 'uci'",
        &[(
            2,
            &["`dialect`", "`uci` is an adapter: write `adapter = \"uci\"` in place of `dialect`"],
        )],
    ),
    (
        "command = 'x'\ndialect = 'usi'",
        &[(2, &["`dialect`", "\"native\", \"console\" or \"ugi\""])],
    ),
    ("command = 'x'\ndialect = 'console'", &[(2, &["needs the table [console]"])]),
    (
        "command = 'x'\n[console]\nmove = '(?<text>\\w+)'",
        &[(2, &["[console] needs `dialect = \"console\"`"])],
    ),
    (
        "command = 'x'\ndialect = 'console'\nconsole = 'x.toml'",
        &[
            (2, &["needs the table [console]"]),
            (3, &["`console` is a table", "write [console] above its keys"]),
        ],
    ),
    ("command = 'x'\ngames = 'loa'", &[(2, &["a list of texts"])]),
    ("command = 5", &[(1, &["a command line in quotes or a list of words"])]),
    ("command = ''", &[(1, &["it is empty"])]),
    ("command = 'x'\nx = 1\nz = 3", &[(2, &["known are name, command, build"]), (3, &["`z`"])]),
    ("command = \"\u{1b}[2J", &[(1, &["not TOML"])]),
    (
        "command = “python3 bot.py”",
        &[(1, &["not TOML", "typographic ones: write straight ones, \"…\""])],
    ),
    ("command = \"python3 C:\\Users\\bot.py\"", &[(1, &["not TOML", "write / between folders"])]),
];

/// Tables, each below a line `[console]`.
#[rustfmt::skip]
const TABLES: &[Row] = &[
    ("listen = 'stdout'", &[(1, &["[console] needs `move`"])]),
    ("move = 'plays (?<x>\\d)'", &[(2, &["`move` in [console]", "no groups that name a move"])]),
    (
        "move = 'plays (?<x>\\d)(?<Y>\\d)'",
        &[(2, &["unknown group `Y`", "x, y, x1, y1, col, COL, row, text"])],
    ),
    ("move = 'plays (?<text>'", &[(2, &["it is no regular expression: unclosed group"])]),
    ("move = '(?<text>\\w*)'", &[(2, &["it matches the empty text"])]),
    ("move = '{ply.x} (?<text>\\w+)'", &[(2, &["change during a game"])]),
    (
        "move = '(?<text>\\w+)'\nmov = 'x'",
        &[(3, &["unknown key `mov` in [console]", "did you mean `move`?"])],
    ),
    ("move = '(?<text>\\w+)'\nlisten = 'all'", &[(3, &["\"stdout\", \"stderr\" or \"both\""])]),
    ("move = '(?<text>\\w+)'\ntranspose = 1", &[(3, &["true or false"])]),
    ("move = '(?<text>\\w+)'\nshare = 1.5", &[(3, &["above 0 and at most 1"])]),
    ("move = '(?<text>\\w+)'\nshare = 0", &[(3, &["above 0 and at most 1"])]),
    (
        "move = '(?<text>\\w+)'\nresign = '*'",
        &[(3, &["`resign`", "repetition operator missing expression"])],
    ),
    (
        "move = '(?<text>\\w+)'\nturn = '{foo}'",
        &[(3, &["`turn`", "unknown value `{foo}`; the values are {blocks}, "])],
    ),
    (
        "move = '(?<text>\\w+)'\nturn = '{ply.x}'",
        &[(3, &["a ply, {ply.…}, is told in `ask` only"])],
    ),
    (
        "move = '(?<text>\\w+)'\nsetup = [\n{ send = '{board}' },\n{ prompt = '(', send = '' },\n\
         { promt = 'x', send = '1' },\n{ prompt = 'x' },\n]",
        &[
            (4, &["`send` in [[console.setup]]", "the board, {board}, is told in `turn` only"]),
            (5, &["`prompt`", "unclosed group"]),
            (6, &["unknown key `promt`", "did you mean `prompt`?"]),
            (7, &["[[console.setup]] needs `send`"]),
        ],
    ),
    (
        "move = '(?<text>\\w+)'\nask = [{ send = '{block.x}' }]",
        &[(3, &["`send` in [[console.ask]]", "a block, {block.…}, is told in `setup` only"])],
    ),
    ("move = '(?<text>\\w+)'\nask = { send = '{ply.x}' }", &[(3, &["`ask` is a list of tables"])]),
    (
        "move = '(?<text>\\w+)'\nneeds = { blocks = ['a0'] }",
        &[(3, &["`blocks` in [console.needs]", "a word in quotes or a whole number"])],
    ),
    (
        "move = '(?<text>\\w+)'\ncells = { white = 'x', B = 1 }",
        &[(3, &["`white` is no letter of a piece"]), (3, &["`B` in [console.cells]", "in quotes"])],
    ),
];

/// Compares the errors with the row; each must quote a line of the text.
fn assert_errors<T: std::fmt::Debug>(
    text: &str,
    read: Result<T, ConfigErrors>,
    expected: &[(usize, &[&str])],
) {
    let errors = read.expect_err(text);
    let shown = errors.display("cup.toml").to_string();
    let lines: Vec<usize> = errors.errors().iter().map(|error| error.line).collect();
    assert_eq!(
        lines,
        expected.iter().map(|(line, _)| *line).collect::<Vec<_>>(),
        "{text}\n{shown}"
    );
    for (error, (line, fragments)) in errors.errors().iter().zip(expected) {
        for fragment in *fragments {
            assert!(error.message.contains(fragment), "no `{fragment}` in:\n{shown}");
        }
        assert!(shown.contains(&format!("cup.toml:{line}: {}", error.message)), "{shown}");
    }
}

#[test]
fn a_bad_configuration_is_refused_with_line_and_advice() {
    for (text, expected) in ROWS {
        let whole = format!(
            "{text}\n[[bot]]\nname = 'a'\ncommand = 'a'\n[[bot]]\nname = 'b'\ncommand = 'b'\n"
        );
        assert_errors(text, Config::parse(&whole), expected);
    }
    for (text, expected) in ALONE {
        assert_errors(text, Config::parse(text), expected);
    }
}

#[test]
fn a_bad_manifest_is_refused_with_line_and_advice() {
    for (text, expected) in MANIFESTS {
        assert_errors(text, manifest::parse(text), expected);
    }
    for (text, expected) in TABLES {
        assert_errors(text, console::parse(&format!("[console]\n{text}")), expected);
    }
    assert_errors("\n", console::parse("\n"), &[(1, &["the file needs the table [console]"])]);
}

#[test]
fn a_table_of_a_console_program_is_read_from_both_kinds_of_files() {
    let table = "[console]\nlisten = 'both'\nshare = 0.25\nneeds = { blocks = 'none', n = 5 }\n\
                 turn = '{board}'\n\
                 setup = [{ send = '{n}' }, { prompt = 'time: ', send = '{seconds}' }]\n\
                 cells = { B = 'b', empty = 'e', join = ' ' }\n\
                 move = 'plays (?<COL>[A-Z])(?<y>\\d+)'\n";
    let file = console::parse(table).unwrap();
    assert_eq!((file.listen, file.share, file.tells_positions()), (Listen::Both, 250, true));
    assert_eq!(
        file.needs,
        [("blocks".to_owned(), "none".to_owned()), ("n".to_owned(), "5".to_owned())]
    );
    assert_eq!((file.setup.len(), file.setup[1].send.source()), (2, "{seconds}"));
    assert_eq!((file.cells.pieces.len(), file.cells.join.as_str()), (1, " "));
    let bot = format!("command = 'x'\ndialect = 'console'\n{table}");
    assert_eq!(manifest::parse(&bot).unwrap().table().map(|read| &**read), Some(&file));
    assert_ne!(console::parse(&table.replace("0.25", "0.5")).unwrap().text(), file.text());
    let of_organiser = manifest::parse_for_table(&bot.replace("move", "mvoe")).unwrap();
    assert_eq!(
        of_organiser.console, None,
        "its own table does not count, nor what is wrong with it"
    );
}

#[test]
fn a_manifest_says_how_a_bot_is_started_and_who_made_it() {
    let text = "name = 'Ünïcode!'\nauthors = ['A', 'B']\nlanguage = 'c'\nbuild = 'make'\n\
                command = ['./bot', '-x']\n\
                games = ['loa']\ndialect = 'ugi'";
    let manifest = manifest::parse(text).unwrap();
    assert_eq!(manifest.command.unwrap().words().unwrap(), ["./bot", "-x"]);
    assert_eq!(manifest.dialect, Some(Dialect::Ugi));
    assert_eq!(manifest.label.as_deref(), Some("Ünïcode!"), "a label may be anything");
    let shortest = manifest::parse("authors = 'A'\ncommand = 'x'").unwrap();
    assert_eq!(shortest.dialect(), Dialect::default());
}

#[test]
fn an_error_is_shown_with_its_line_and_a_mark() {
    let errors = Config::parse("[schedule]\ngmaes = 2\nformat = 'swis' # of course\n").unwrap_err();
    let formats: Vec<String> =
        FORMATS.iter().map(|format| format!("\"{}\"", format.word)).collect();
    let (last, others) = formats.split_last().unwrap();
    let others = others.join(", ");
    assert_eq!(
        errors.display("cup.toml").to_string(),
        format!(
            "\
cup.toml:1: no bots; add a [[bot]] with name and command for each, or a [[bots]] with a folder of them
 1 | [schedule]
   | ^
cup.toml:2: unknown key `gmaes` in [schedule]; did you mean `games`?
 2 | gmaes = 2
   | ^^^^^
cup.toml:3: `format` in [schedule] cannot be `'swis'`: write {others} or {last}; did you mean \"swiss\"?
 3 | format = 'swis' # of course
   |          ^^^^^^"
        )
    );
}

/// Checks that reading does not panic, and that each error is on a line of the text.
fn check_any_text(text: &str) -> Result<(), TestCaseError> {
    let lines = text.split('\n').count();
    let mut found = Vec::new();
    found.extend(Config::parse(text).err());
    found.extend(manifest::parse(text).err());
    for errors in found {
        prop_assert!(!errors.errors().is_empty());
        for error in errors.errors() {
            prop_assert!((1..=lines).contains(&error.line), "line {} of {lines}", error.line);
            prop_assert!(!error.message.contains(char::is_control));
        }
        let shown = errors.display("f").to_string();
        prop_assert!(!shown.contains(|c: char| c.is_control() && c != '\n'));
    }
    Ok(())
}

#[test]
fn depth_is_refused_before_it_takes_the_stack() {
    let many = |text: &str| text.repeat(32_000);
    for text in [
        format!("a = {}", many("[")),
        format!("a = {}", many("{a=")),
        format!("{}a = 1", many("a.")),
        format!("[{}a]", many("a.")),
        format!("[[{}a]]", many("a.")),
        format!("a = {{ {}a = 1 }}", many("a.")),
        many("[a]\n"),
        many("a = [\n"),
    ] {
        assert!(Config::parse(&text).is_err());
        assert!(manifest::parse(&text).is_err());
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*|(.|\n|\r|\t|=|\\[|\\]|\"|')*") {
        check_any_text(&text)?;
    }

    #[test]
    fn any_lines_of_toml_are_read_or_refused(
        lines in prop::collection::vec("(\\[\\[?)?[a-z.\"' =-]{0,12}(\\]\\]?)?|[a-z-]{1,8} = (-?[0-9.]{1,9}|\"\\PC{0,9}\"|\\{ ?\\}|\\[\\[*)", 0..20)
    ) {
        check_any_text(&lines.join("\n"))?;
    }

    #[test]
    fn a_spoilt_default_file_is_read_or_refused(
        cuts in prop::collection::vec((0..DEFAULT.len(), 0usize..20, "\\PC{0,6}|\n|\"|\\[|\\]|=|#|\r|\0|-?[0-9]{1,20}"), 1..6)
    ) {
        let mut text = DEFAULT.to_owned();
        for (at, length, new) in cuts {
            let at = text.floor_char_boundary(at);
            let end = text.floor_char_boundary(at + length);
            text.replace_range(at..end.max(at), &new);
        }
        check_any_text(&text)?;
    }
}

#[test]
fn the_ready_configurations_are_right() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    let mut count = 0;
    let files = ["", "levels"].map(|name| std::fs::read_dir(folder.join(name)).unwrap());
    for entry in files.into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(
                Config::parse(&text).err().map(|errors| errors.to_string()),
                None,
                "{path:?}"
            );
            count += 1;
        }
    }
    assert!(count >= 9, "{count}");
}
