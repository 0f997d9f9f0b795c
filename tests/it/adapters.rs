//! Bots of other kinds play through adapters: whole games against stand-in engines, and what a bot
//! behind an adapter is told when it does something wrong.

use crate::support::{
    Ran, has, has_strict, judge_all, plays_all, project, run, sample_of_kinds, skip, which,
};
use std::fs;
use std::path::PathBuf;

/// Limits that no healthy bot reaches.
const PATIENT: [&str; 4] = ["--move-time", "120s", "--start", "120s"];

/// The command of a stand-in engine.
fn engine(words: &str) -> String {
    format!("python3 {}/{words}", project("tests/adapters/engines").display())
}

/// The path of a file of the project.
fn path(name: &str) -> String {
    project(name).to_str().unwrap().to_owned()
}

/// Whether adapters can be run here.
fn has_python() -> bool {
    has("python3", "adapters, which are programs in Python")
}

/// Plays a game of this bot, which is called `one`, against a bot that makes random moves.
fn play(game: &str, bot: &str, options: &[&str]) -> Ran {
    run(&[&["play", game, bot, "builtin:random", "--name", "one"], options].concat())
}

/// Plays games on both sides in turn, in which nothing may go wrong.
fn plays_whole_games(game: &str, bot: &str, options: &[&str]) {
    for sandbox in ["basic", "strict"] {
        if !has_python() || sandbox == "strict" && !has_strict("adapters in a sandbox") {
            continue;
        }
        let games = if plays_all() && sandbox == "strict" { "10" } else { "2" };
        let base = ["--sandbox", sandbox, "-n", games];
        let ran = play(game, bot, &[&base[..], &PATIENT, options].concat());
        assert_eq!(ran.status, Some(0), "{bot} {ran:?}");
        let count = ran.stdout.lines().filter(|line| line.starts_with("one~random.")).count();
        assert_eq!(count.to_string(), games, "{bot} {ran:?}");
        let is_fault = ["forfeit", "aborted"].iter().any(|word| ran.stdout.contains(word));
        assert!(!is_fault, "{bot} {ran:?}");
    }
}

/// Public engines, each with its adapter and its game; `.ci/slow` installs them from Debian.
const ENGINES: [(&str, &str, &str); 4] = [
    ("gnugo", "adapter:gtp", "--mode gtp --level 1"),
    ("stockfish", "adapter:uci", ""),
    ("gnuchess", "adapter:uci", "--uci"),
    ("fairymax", "adapter:xboard", ""),
];

/// The commands of those engines that are installed, with their names.
fn installed_engines(adapters: &[&str]) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for (name, adapter, words) in ENGINES {
        if !adapters.contains(&adapter) {
            continue;
        }
        let in_games = Some(PathBuf::from("/usr/games").join(name)).filter(|file| file.is_file());
        if let Some(file) = which(name).or(in_games) {
            found.push((name, format!("{adapter} {} {words}", file.display())));
        } else {
            skip(&format!("{name} is not installed: {adapter}"));
        }
    }
    found
}

/// A tournament of public engines, of a function and a class in Python, and of a bot that speaks
/// arbiter's own protocol.
fn plays_a_tournament(game: &str, options: &str, mut bots: Vec<(&'static str, String)>) {
    let file = |name: &str| path(&format!("tests/adapters/engines/{name}"));
    bots.push(("function", format!("adapter:python {}", file("function.py"))));
    bots.push(("agent", format!("adapter:python {}:Agent", file("agent.py"))));
    bots.push(("native", "builtin:random".to_owned()));
    let bots: String = bots
        .iter()
        .map(|(name, command)| format!("[[bot]]\nname = '{name}'\ncommand = '{command}'\n"))
        .collect();
    let dir = tempfile::tempdir().unwrap();
    let cup = dir.path().join("cup.toml");
    // An engine without `setboard` begins at the usual start.
    let config = format!(
        "game = '{game}'\n[options]\n{options}\n{bots}[schedule]\nopening-plies = 0\n[match]\nmax-plies = 24\n\
         [time]\nmove = '100ms'\nmargin = '60s'\nstart = '120s'\n\
         [limits]\nsandbox = 'strict'\nprocesses = 4\nthreads = 16\n"
    );
    fs::write(&cup, config).unwrap();
    let out = dir.path().join("out");
    let ran = run(&["tournament", cup.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let is_fault = ["forfeit", "aborted"].iter().any(|word| ran.stdout.contains(word));
    assert!(!is_fault, "{ran:?}");
    let rules = if game.ends_with(".py") { vec!["--rules", game] } else { Vec::new() };
    let ran = run(&[&["standings", out.to_str().unwrap(), "--verify"], &rules[..]].concat());
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

#[test]
fn public_engines_and_bots_of_all_kinds_play_tournaments() {
    if !plays_all() || !has_python() || !has_strict("engines in a sandbox") {
        return;
    }
    plays_a_tournament(&path("games/go.py"), "", installed_engines(&["adapter:gtp"]));
    let of_chess = installed_engines(&["adapter:uci", "adapter:xboard"]);
    plays_a_tournament(&path("games/chess.py"), "", of_chess);
    skip("public brains of Gomocup, of which Debian has none: stand-ins play");
    let brain = format!("adapter:gomocup {}", engine("gomocup.py"));
    plays_a_tournament(
        "lineup",
        "blocks = 'none'",
        vec![("brain", brain.clone()), ("other", brain)],
    );
}

#[test]
fn gtp() {
    let bot = format!("adapter:gtp {}", engine("gtp.py hex"));
    plays_whole_games(&path("games/hex.py"), &bot, &["--set", "size=5"]);
}

#[test]
fn gomocup() {
    let bot = format!("adapter:gomocup {}", engine("gomocup.py"));
    plays_whole_games("lineup", &bot, &["--set", "n=8", "--set", "s=4"]);
}

#[test]
fn uci() {
    let game = path("games/breakthrough.py");
    plays_whole_games(&game, &format!("adapter:uci {} {game}", engine("uci.py")), &[]);
}

#[test]
fn xboard() {
    let game = path("games/breakthrough.py");
    plays_whole_games(&game, &format!("adapter:xboard {} {game}", engine("xboard.py")), &[]);
}

/// A bot of CodinGame that answers so, one argument a turn, and then plays on its own.
fn codingame(answers: &[&str]) -> String {
    let answers: String = answers.iter().map(|answer| format!(" '{answer}'")).collect();
    format!("adapter:codingame {}{answers}", engine("codingame.py"))
}

#[test]
fn codingame_in_lines_of_action_and_elsewhere() {
    plays_whole_games("loa", &codingame(&["noise/MOVE", "/MOVE/MOVE", "random why not"]), &[]);
    plays_whole_games("lineup", &codingame(&[]), &["--set", "n=8", "--set", "s=4"]);
}

#[test]
fn codingame_has_the_lines_of_its_site() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let lines = |bot: &str, position: &str| {
        let file = dir.path().join("lines.txt");
        let options = ["--seed", "4", "--position", position, "--max-plies", "4"];
        let file_option = ["--transcript", file.to_str().unwrap()];
        let ran = play("loa", bot, &[&options[..], &file_option, &PATIENT].concat());
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let text = fs::read_to_string(&file).unwrap();
        let of_bot = text.lines().filter_map(|line| {
            let (_, line) = line.split_once(" one ")?;
            line.starts_with(">> ").then(|| line[3..].to_owned())
        });
        (ran, of_bot.collect::<Vec<_>>().join(" "))
    };
    let start = "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B";
    let (_, first) = lines(&codingame(&[]), start);
    let expected = "b .bbbbbb. w......w w......w w......w w......w w......w w......w .bbbbbb. null 36 \
                    b1b3 b1d3 b1h1 b8b6 b8d6 b8h8 c1a3 ";
    assert!(first.starts_with(expected), "{first}");
    // The first side is stuck; the bot is asked for its pass as soon as it can move again.
    let (ran, passes) = lines(&codingame(&["pass", "MOVE"]), STUCK);
    let expected = "b bw...... ww...... ........ ........ ........ ........ ......ww ......wb \
                    null 1 pass bw...... ";
    assert!(passes.starts_with(expected), "{passes} {ran:?}");
    let (ran, _) = lines(&codingame(&["b8b6"]), STUCK);
    let expected = "answered `b8b6` where `pass` was the only move";
    assert!(ran.stdout.contains(expected), "{ran:?}");
}

/// Black can only pass; White can free it.
const STUCK: &str = "BW6/WW6/8/8/8/8/6WW/6WB B";

#[test]
fn codingame_is_random_by_the_seed() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("game.pgn");
    let plies = |seed: &str| {
        let _ = fs::remove_file(&log);
        let options = ["--seed", seed, "--max-plies", "20", "--log", log.to_str().unwrap()];
        play("loa", &codingame(&["random"; 12]), &[&options[..], &PATIENT].concat());
        let text = fs::read_to_string(&log).unwrap();
        arbiter::record::read_log(text.as_bytes()).next().unwrap().unwrap().plies
    };
    let moves = |seed| plies(seed).into_iter().map(|played| played.ply).collect::<Vec<_>>();
    assert_eq!(moves("5"), moves("5"));
    assert_ne!(moves("5"), moves("6"));
}

#[test]
fn a_tournament_of_all_dialects_and_of_adapters() {
    if !has_python() || !has_strict("bots of many kinds under strict") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let cody = dir.path().join("in/cody");
    fs::create_dir_all(&cody).unwrap();
    fs::copy(project("tests/adapters/engines/codingame.py"), cody.join("bot.py")).unwrap();
    fs::write(cody.join("bot.toml"), "command = 'python3 bot.py'\nadapter = 'codingame'\n")
        .unwrap();
    let console = dir.path().join("in/boardy");
    fs::create_dir_all(&console).unwrap();
    for file in ["bot.toml", "loa.py"] {
        fs::copy(project("bots/console/board-python").join(file), console.join(file)).unwrap();
    }
    // Each bot meets a built-in one; in full tests also every other bot.
    let format =
        if plays_all() { "format = 'round-robin'" } else { "format = 'gauntlet'\nchallengers = 1" };
    let config = "game = 'loa'\n[schedule]\nFORMAT\ngames = 2\n[time]\nmove = '120s'\nstart = '120s'\n\
         [match]\nmax-plies = 60\n\
         [[bot]]\nname = 'native'\ncommand = 'builtin:greedy'\n\
         [[bot]]\nname = 'carl'\ncommand = 'adapter:codingame python3 bot.py'\ndir = 'in/cody'\n\
         [[bot]]\nname = 'rudi'\ncommand = 'python3 bot.py'\ndir = 'in/cody'\nadapter = 'codingame'\n\
         [[bot]]\nname = 'ugo'\ncommand = 'ugi:builtin:random'\n\
         [[bots]]\nfolder = 'in'\n";
    fs::write(dir.path().join("all.toml"), config.replace("FORMAT", format)).unwrap();
    let file = dir.path().join("all.toml");
    let out = dir.path().join("out");
    let ran =
        run(&["tournament", file.to_str().unwrap(), "--out", out.to_str().unwrap(), "--strict"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let verified = run(&["standings", out.to_str().unwrap(), "--verify"]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    let requests = |bot: &str, game: &str| {
        run(&["rerun", out.to_str().unwrap(), game, "--requests", bot]).stdout
    };
    let cody = requests("cody", "cody~native.1");
    assert!(["b\n", "w\n"].contains(&&cody[..2]) && cody[2..].starts_with(".b"), "{cody}");
    assert!(cody.matches("\n.bbbbbb.\n").count() > 0 && !cody.contains("arena"), "{cody}");
    assert!(requests("rudi", "native~rudi.1").contains(".bbbbbb.\n"));
    assert!(requests("native", "native~rudi.1").starts_with("arena 1\n"));
    assert!(requests("ugo", "native~ugo.1").starts_with("ugi\nsetoption name Game value loa\n"));
    let boards = requests("boardy", "boardy~native.2");
    assert_eq!(boards.lines().next().map(|line| line.split(' ').count()), Some(8), "{boards}");
}

#[test]
fn python() {
    let file = |name: &str| path(&format!("tests/adapters/engines/{name}"));
    plays_whole_games("loa", &format!("adapter:python {}", file("function.py")), &[]);
    plays_whole_games("gekitai", &format!("adapter:python {}:Agent", file("agent.py")), &[]);
}

/// The same function behind the adapter that comes along and behind one of the organiser, in every
/// form of its command.
#[test]
fn a_bot_in_python_has_one_form_of_command() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let adapter = dir.path().join("course.py");
    fs::write(&adapter, "from arbiter_adapter import PythonBot, run\nrun(PythonBot)\n").unwrap();
    let file = dir.path().join("bot.py");
    fs::write(&file, "def last(game): return game.moves[-1]\n").unwrap();
    // A folder says in its bot.toml which file it is.
    let folder = dir.path().join("mine");
    fs::create_dir(&folder).unwrap();
    fs::copy(&file, folder.join("bot.py")).unwrap();
    fs::write(folder.join("bot.toml"), "command = \"python3 bot.py last\"\n").unwrap();
    let file = file.display();
    let python = which("python3").unwrap();
    let python = python.display();
    for adapter in ["python", adapter.to_str().unwrap()] {
        for command in [
            format!("{file}:last"),
            format!("{file} last"),
            format!("python3 {file} last"),
            format!("python3 -u {file}:last"),
            format!("{python} {file} last"),
            folder.display().to_string(),
        ] {
            let bot = format!("adapter:{adapter} {command}");
            let ran = play("lineup", &bot, &[&PATIENT[..], &["--max-plies", "4"]].concat());
            let is_played = ran.stdout.contains("  draw max-plies  4 plies");
            assert!(ran.status == Some(0) && is_played, "{bot} {ran:?}");
        }
    }
}

/// Sides with the letters of chess pieces need no kings: any position is sent as FEN.
#[test]
fn a_game_of_chess_letters_begins_anywhere() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let lines = dir.path().join("lines.txt");
    let rules = fs::read_to_string(project("games/breakthrough.py")).unwrap();
    let rules = rules
        .replace("\"WB\"", "\"Pp\"")
        .replace("\"W\"", "\"P\"")
        .replace("\"B\"", "\"p\"")
        .replace("\"BW\"", "\"pP\"");
    let game = dir.path().join("pawns.py");
    fs::write(&game, rules).unwrap();
    let position = "4/1p2/4/P3/4 p";
    for (protocol, sent) in [
        ("uci", "position fen 4/1p2/4/P3/4 b - - 0 1 moves"),
        ("xboard", "setboard 4/1p2/4/P3/4 b - - 0 1"),
    ] {
        let bot =
            format!("adapter:{protocol} {}", engine(&format!("faulty.py {protocol} illegal")));
        let set = ["--set", "rows=5", "--set", "columns=4", "--position", position];
        let transcript = ["--transcript", lines.to_str().unwrap()];
        let ran = play(game.to_str().unwrap(), &bot, &[&set[..], &transcript, &PATIENT].concat());
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let lines = fs::read_to_string(&lines).unwrap();
        assert!(lines.contains(&format!(" one >> {sent}")), "{lines}");
    }
}

#[test]
fn files_of_a_bot_that_runs_once_for_each_move() {
    let dir = tempfile::tempdir().unwrap();
    let bot = dir.path().join("one");
    fs::create_dir(&bot).unwrap();
    fs::copy(project("tests/adapters/engines/files.py"), bot.join("files.py")).unwrap();
    fs::write(
        bot.join("bot.toml"),
        "command = \"python3 files.py 0\"\nadapter = \"files\"\nscratch = true\n",
    )
    .unwrap();
    let options = ["--set", "n=4", "--set", "s=4", "--processes", "2", "--threads", "2"];
    plays_whole_games("lineup", bot.to_str().unwrap(), &options);
}

#[test]
fn a_custom_adapter_plays_and_its_folder_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let adapter = dir.path().join("lines.py");
    fs::write(&adapter, LINES).unwrap();
    let bot = dir.path().join("bot.py");
    fs::write(&bot, SPEAKS_LINES).unwrap();
    let bot = format!("adapter:{} python3 {}", adapter.display(), bot.display());
    plays_whole_games("gekitai", &bot, &[]);
}

/// An adapter that sends a bot the last move and all moves in one line.
const LINES: &str = "\
from arbiter_adapter import Adapter, run

class Lines(Adapter):
    def turn(self):
        self.bot.send(' '.join([self.game.last or 'begin', *self.game.moves]))

run(Lines)
";

/// A bot that answers the lines of [`LINES`].
const SPEAKS_LINES: &str = "while True: print(input().split()[1], flush=True)\n";

#[test]
fn the_adapter_of_a_game_is_named_by_submissions_too() {
    if !has_python() || !has_strict("a tournament of bots behind the adapter of a game") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let rules = fs::read_to_string(project("games/connect4.py")).unwrap();
    write("connect4.py", &format!("{rules}\nadapter = \"lines.py\"\n"));
    write("lines.py", LINES);
    write("bots/zoe/bot.py", SPEAKS_LINES);
    write("bots/zoe/bot.toml", "command = 'python3 bot.py'\nadapter = 'lines.py'\n");
    write("bots/max/bot.py", SPEAKS_LINES);
    write(
        "cup.toml",
        "game = 'connect4.py'\n[[bots]]\nfolder = 'bots'\ncommand = 'python3 bot.py'\n\
         adapter = 'lines.py'\n[time]\nmove = '120s'\nstart = '120s'\n",
    );
    let cup = dir.path().join("cup.toml");
    let out = dir.path().join("out");
    let ran = run(&["tournament", cup.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let games = fs::read_to_string(out.join("games.pgn")).unwrap();
    assert!(games.contains("[Outcome \"") && !games.contains("forfeit"), "{games}");

    // Its mistakes are the organiser's, and found before the first game.
    write("lines.py", &LINES.replace("game.last", "game.lst"));
    let ran = run(&["tournament", cup.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let what = "adapter: lines.py: it was tried before the first game: the adapter failed: lines.py, \
                line 5: AttributeError: ";
    assert!(ran.status == Some(2) && ran.stderr.contains(what), "{ran:?}");

    // So is what its lines cannot say, even if only a submission names it.
    let refuses = LINES.replace(
        "def turn(self):\n",
        "def turn(self):\n        if any(self.game.pieces()): self.fault('pieces')\n",
    );
    write("lines.py", &refuses);
    let out = dir.path().join("other");
    fs::remove_dir_all(dir.path().join("bots/max")).unwrap();
    write(
        "cup.toml",
        "game = 'connect4.py'\n[[bots]]\nfolder = 'bots'\n[[bot]]\nname = 'random'\n\
         command = 'builtin:random'\n",
    );
    let ran = run(&["tournament", cup.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let what = "adapter: lines.py: it was tried before the first game: pieces";
    assert!(ran.status == Some(2) && ran.stderr.contains(what), "{ran:?}");

    // Two adapters contradict each other.
    write("bots/zoe/bot.toml", "command = 'adapter:python bot.py'\nadapter = 'lines.py'\n");
    let ran = run(&["tournament", cup.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let what = "it names two adapters, python in `command` and lines.py";
    assert!(ran.stderr.contains(what), "{ran:?}");
}

/// An adapter of the organiser with a mistake, and what is said of it.
const MISTAKES: [(&str, &str); 5] = [
    ("from arbiter_adapter import (Adapter run\n", "SyntaxError: "),
    ("import no_such_module\n", "lines.py, line 1: ModuleNotFoundError: No module named"),
    ("from arbiter_adapter import Adapter\n", "it did nothing; its last line is run(…)"),
    ("import os\nos._exit(3)\n", "ended with exit status 3"),
    (
        "from arbiter_adapter import PythonBot, run\nclass Any(PythonBot):\n    methods = nothing\n",
        "lines.py, line 3: NameError: name 'nothing' is not defined",
    ),
];

#[test]
fn a_mistake_in_an_adapter_of_the_organiser_is_no_bots_fault() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    write("bots/zoe/bot.py", SPEAKS_LINES);
    // The trial of an adapter runs nothing of a submission.
    write("bots/max/bot.py", SPEAKS_LINES);
    write("bots/max/select.py", "import os\nos._exit(4)\n");
    let cup = write(
        "cup.toml",
        "game = 'gekitai'\n[[bots]]\nfolder = 'bots'\ncommand = 'python3 bot.py'\n\
         adapter = 'lines.py'\n[limits]\nsandbox = 'basic'\n",
    );
    let out = dir.path().join("out");
    let tournament = || run(&["tournament", &cup, "--out", out.to_str().unwrap()]);
    let ran = tournament();
    assert!(ran.status == Some(2) && ran.stderr.contains("lines.py: No such file"), "{ran:?}");
    for (source, expected) in MISTAKES {
        let adapter = write("lines.py", source);
        for ran in [tournament(), play("gekitai", &format!("adapter:{adapter} true"), &[])] {
            let is_said = ran.stderr.contains("it was tried before the first game: ")
                && ran.stderr.contains(expected);
            assert!(ran.status == Some(2) && is_said, "{source} {ran:?}");
            assert!(!ran.stdout.contains("forfeit"), "{source} {ran:?}");
        }
    }
    write("lines.py", LINES);
    assert_eq!(tournament().status, Some(0));

    // Lines that cannot say where a game begins fit only games from the usual start.
    let refuses = "from arbiter_adapter import Adapter, run\n\
                   class Lines(Adapter):\n    \
                       def turn(self):\n        \
                           if any(self.game.pieces()): self.fault('cannot say where pieces are')\n        \
                           self.bot.send('?')\nrun(Lines)\n";
    let bot = format!("adapter:{} true", write("lines.py", refuses));
    let ran = play("gekitai", &bot, &["--opening-plies", "2"]);
    let refused = "it was tried before the first game: cannot say where pieces are";
    assert!(ran.status == Some(2) && ran.stderr.contains(refused), "{ran:?}");
    let ran = play("gekitai", &bot, &[]);
    assert!(ran.status == Some(0) && ran.stdout.contains("forfeit crash"), "{ran:?}");
}

/// An adapter that comes along with a game for which its protocol has no words.
const UNSPEAKABLE: [(&str, &str, &str); 3] = [
    ("gtp", "breakthrough", "plays by GTP, where a move is one square, not `a2a3`"),
    ("gomocup", "ataxx", "plays by Gomocup, where a move is one square, not `a7a5`"),
    ("gtp", "connect4", "plays by GTP, where a board is a square of up to 25 rows"),
];

#[test]
fn what_a_protocol_cannot_say_is_said_at_once() {
    if !has_python() {
        return;
    }
    for (protocol, game, expected) in UNSPEAKABLE {
        let game = path(&format!("games/{game}.py"));
        let ran = play(&game, &format!("adapter:{protocol} true"), &[]);
        assert!(ran.status == Some(2) && ran.stderr.contains(expected), "{ran:?}");
    }
    // What no first position tells costs the game, when it happens.
    let connect6 = path("games/connect6.py");
    for protocol in ["gomocup", "uci", "xboard"] {
        let bot = format!("adapter:{protocol} {}", engine(&format!("faulty.py {protocol} plays")));
        let ran = play(&connect6, &bot, &PATIENT);
        let what = "speaks a protocol in which no side moves twice in a row, as one did here";
        let is_lost = ran.stdout.contains("  forfeit protocol  3 plies  ");
        assert!(is_lost && ran.stdout.contains(what), "{ran:?}");
    }
}

#[test]
fn what_names_no_adapter_says_so() {
    let dir = tempfile::tempdir().unwrap();
    for (bot, expected) in [
        ("adapter:gpt true", "adapter: there is no gpt; there are gtp, gomocup, uci"),
        ("adapter:none.py ./x", "/x: no such file"),
        ("adapter:none.py true", "none.py: No such file"),
        ("adapter:gtp", "adapter:gtp: no command follows"),
        ("adapter:gtp ugi:true", "an adapter speaks arbiter's own protocol; leave the dialect out"),
        ("adapter:files true", "files in its folder, which two games would share; write scratch"),
        ("adapter:gtp builtin:random", "a built-in bot needs no adapter"),
        ("codingame:./x", "codingame is an adapter; write adapter:codingame ./x"),
    ] {
        let ran = play("lineup", bot, &[]);
        assert!(ran.status == Some(2) && ran.stderr.contains(expected), "{bot}: {ran:?}");
    }
    // Of a stranger no file is opened.
    let folder = dir.path().join("bots/eve");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("lines.py"), LINES).unwrap();
    fs::write(folder.join("bot.toml"), "command = 'sh bot.sh'\nadapter = 'lines.py'\n").unwrap();
    fs::write(folder.join("bot.sh"), "").unwrap();
    let cup = dir.path().join("cup.toml");
    fs::write(&cup, "game = 'lineup'\n[[bots]]\nfolder = 'bots'\n[limits]\nsandbox = 'basic'\n")
        .unwrap();
    let out = dir.path().join("out");
    let ran = run(&["tournament", cup.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(format!("{ran:?}").contains("other files are the organiser's"), "{ran:?}");
}

#[test]
fn rules_say_which_side_is_black_elsewhere() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let lines = dir.path().join("lines.txt");
    let game = dir.path().join("other-hex.py");
    let rules = fs::read_to_string(project("games/hex.py")).unwrap();
    let bot = format!("adapter:gtp {}", engine("gtp.py hex"));
    let shown = ["--max-plies", "2", "--transcript", lines.to_str().unwrap()];
    let options = [&["--set", "size=5"], &shown[..], &PATIENT].concat();
    // The first to move is black, unless the rules say something else.
    for (line, expected) in
        [("", "genmove b"), ("black = 'X'", "genmove b"), ("black = 'O'", "genmove w")]
    {
        fs::write(&game, format!("{rules}\n{line}\n")).unwrap();
        let ran = play(game.to_str().unwrap(), &bot, &options);
        assert_eq!(ran.status, Some(0), "{line} {ran:?}");
        let lines = fs::read_to_string(&lines).unwrap();
        assert!(lines.contains(expected), "{line} {lines}");
    }
    fs::write(&game, format!("{rules}\nblack = ['O']\n")).unwrap();
    let ran = play(game.to_str().unwrap(), &bot, &options);
    let what = "black is ['O']; it is the side that is black elsewhere, 'X' or 'O'";
    assert!(ran.status == Some(2) && ran.stderr.contains(what), "{ran:?}");
}

#[test]
fn the_lines_of_a_bot_are_in_the_transcript() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("lines.txt");
    let bot = format!("adapter:gtp {}", engine("gtp.py hex"));
    let options = ["--set", "size=5", "--transcript", file.to_str().unwrap()];
    let ran = play(&path("games/hex.py"), &bot, &[&options[..], &PATIENT].concat());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let lines = fs::read_to_string(file).unwrap();
    for line in [" one >> boardsize 5\n", " one >> genmove b\n", " one << =\n"] {
        assert!(lines.contains(line), "{line} {lines}");
    }
}

/// A bot that answers the handshake of a protocol and then does something wrong: the protocol, the
/// fault, the fault's word in the result, and what the sentence says.
const FAULTS: [(&str, &str, &str, &str); 25] = [
    ("gtp", "illegal", "protocol", "answered `= Z99` to `genmove b`"),
    ("gtp", "odd", "protocol", "answered `= a²` to `genmove b`"),
    ("gtp", "refusal", "protocol", "answered `? no` to `genmove b`"),
    ("gtp", "garbage", "protocol", "a NUL byte came, which is not text: \"said \\x00"),
    ("gtp", "long", "protocol", "wrote a line of more than 65000 bytes"),
    ("gtp", "crash", "crash", "the bot was sent \"genmove b\" and "),
    ("gtp", "late", "timeout", "was sent \"genmove b\" and last wrote \"thinking\""),
    ("gtp", "silent", "timeout", "the bot was sent \"genmove b\" and "),
    ("gtp", "closes", "crash", "ended with exit status 0, or closed its standard output; behind"),
    ("gomocup", "illegal", "protocol", "answered `99,99` to `BEGIN`"),
    ("gomocup", "odd", "protocol", "answered `²,1` to `BEGIN`"),
    ("gomocup", "refusal", "protocol", "answered `ERROR no` to `BEGIN`"),
    ("gomocup", "crash", "crash", "the program ended with exit status 1"),
    ("gomocup", "late", "timeout", "was sent \"BEGIN\" and last wrote \"MESSAGE thinking\""),
    ("gomocup", "silent", "timeout", "was sent \"BEGIN\" and wrote nothing after it"),
    ("uci", "illegal", "illegal-move", "last wrote \"bestmove z9\""),
    ("uci", "refusal", "protocol", "answered `bestmove` to `go "),
    ("uci", "crash", "crash", "was sent \"go movetime"),
    ("uci", "late", "timeout", "and last wrote \"info depth 1\""),
    ("uci", "silent", "timeout", "was sent \"go movetime"),
    ("xboard", "illegal", "illegal-move", "last wrote \"move z9\""),
    ("xboard", "refusal", "protocol", "answered `Illegal move: z9` to `go`"),
    ("xboard", "late", "timeout", "was sent \"go\" and last wrote \"thinking\""),
    ("xboard", "silent", "timeout", "was sent \"go\" and wrote nothing after it"),
    ("xboard", "buffered", "timeout", "input was closed; then \"move a1\" appeared. Either "),
];

#[test]
fn a_fault_behind_an_adapter_is_the_bots_own() {
    if !has_python() {
        return;
    }
    let hex = path("games/hex.py");
    // The first fault with each word in each protocol, and one in six of the others.
    let rows = sample_of_kinds(FAULTS, 6, |row| (row.0, row.2));
    let complaints = judge_all(&rows, 4, |&(protocol, kind, fault, expected)| {
        let bot = format!("adapter:{protocol} {}", engine(&format!("faulty.py {protocol} {kind}")));
        let game = if protocol == "gomocup" { "lineup" } else { &hex };
        let time = if fault == "timeout" { "2s" } else { "120s" };
        let ran = play(game, &bot, &["--move-time", time, "--start", "120s"]);
        let lost = [" 0-1 random (", &format!("  forfeit {fault} "), expected];
        let is_said = lost.iter().all(|text| ran.stdout.contains(text));
        let is_right = ran.status == Some(0) && is_said;
        (!is_right).then(|| format!("{protocol} {kind}: {ran:?}"))
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// What a bot in Python does wrong: its file, the fault's word, and what the sentence says.
const PYTHON_FAULTS: [(&str, &str, &str); 15] = [
    (
        "def choose(game):\n    return deeper(game)\ndef deeper(game):\n    return game.moves[900]\n",
        "protocol",
        "bot.py, line 4: `return game.moves[900]`: IndexError: list index out of range",
    ),
    ("def choose(game):\n    return 3\n", "protocol", "returned `3` in place of a word of"),
    ("def choose(game):\n    return 'z9'\n", "illegal-move", "came \"move z9\""),
    ("def choose(game) return 3\n", "no-start", "bot.py, line 1: `def choose(game) return 3`"),
    ("def play(game):\n    pass\n", "no-start", "bot.py has no function choose(game) and no class"),
    ("import sys\nsys.exit(3)\n", "no-start", "bot.py, line 2: `sys.exit(3)`: SystemExit: 3"),
    (
        "import os\ndef choose(game):\n    os._exit(3)\n",
        "crash",
        "the program ended with exit status 3",
    ),
    // What a bot makes of the sentence about it is its own fault as well.
    (
        "def choose(game):\n    raise ValueError('x' * 100000)\n",
        "protocol",
        "bot.py, line 2: `raise ValueError('x' * 100000)`: ValueError: xxx",
    ),
    (
        "class E(BaseException):\n    def __str__(self): return 1 / 0\n\
         def choose(game): raise E\n",
        "protocol",
        "line 3: `def choose(game): raise E`: E: its text cannot be shown: ZeroDivisionError",
    ),
    (
        "exec(compile('\\n' * 99 + 'def choose(game): return 1 / 0', __file__, 'exec'))\n",
        "protocol",
        "bot.py, line 100: ZeroDivisionError: division by zero",
    ),
    (
        "class S(str):\n    split = strip = None\ndef choose(game): return S('z9')\n",
        "illegal-move",
        "came \"move z9\"",
    ),
    (
        "class X:\n    __class__ = property(lambda self: 1 / 0)\ndef choose(game): return X()\n",
        "protocol",
        "bot.py broke the adapter that it runs in: ZeroDivisionError: division by zero",
    ),
    (
        "def choose(game):\n    game.history = None\n    return game.moves[0]\n",
        "protocol",
        "bot.py broke the adapter that it runs in: AttributeError: 'NoneType' object",
    ),
    (
        "class M(type):\n    def __getattr__(self, name): return 1 / 0\nclass B(metaclass=M): pass\n",
        "no-start",
        "bot.py broke the adapter that it runs in: ZeroDivisionError: division by zero",
    ),
    (
        "class Bot:\n    def __init__(self, board): self.n = 1 / len(board)\n    def move(self): 3\n",
        "no-start",
        "bot.py, line 2: `def __init__(self, board): self.n = 1 / len(board)`: ZeroDivisionError",
    ),
];

#[test]
fn an_exception_of_a_bot_in_python_is_its_fault() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bot.py");
    let bot = format!("adapter:python {}", file.display());
    for (source, fault, expected) in PYTHON_FAULTS {
        fs::write(&file, source).unwrap();
        let ran = play("lineup", &bot, &PATIENT);
        let lost = [" 0-1 random (", &format!("  forfeit {fault} "), expected];
        let is_said = lost.iter().all(|text| ran.stdout.contains(text));
        assert!(ran.status == Some(0) && is_said, "{source}: {ran:?}");
    }
}

/// A bot that tries to start a process and to get at its adapter, and says on standard error what
/// it could do.
const REACHES: &str = "\
import ctypes, os, sys
def can(what, function):
    try:
        function()
        print('CAN', what, file=sys.stderr, flush=True)
    except OSError:
        pass
libc = ctypes.CDLL(None, use_errno=True)
def trace(pid):
    if libc.ptrace(16, pid, 0, 0) != 0:
        raise OSError
can('fork', lambda: os.fork() or os._exit(0))
for pid in range(1, 60):
    if pid != os.getpid():
        can(f'signal {pid}', lambda: os.kill(pid, 0))
        can(f'trace {pid}', lambda: trace(pid))
        can(f'read {pid}', lambda: open(f'/proc/{pid}/mem', 'rb'))
        can(f'open {pid}', lambda: open(f'/proc/{pid}/fd/1', 'w'))
while True: print(input().split()[1], flush=True)
";

#[test]
fn neither_adapter_nor_bot_can_touch_the_other_or_fork() {
    if !has_python() || !has_strict("an adapter and its bot are kept apart") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let adapter = dir.path().join("lines.py");
    let in_adapter = REACHES.rsplit_once("while").unwrap().0;
    fs::write(&adapter, format!("{in_adapter}\n{LINES}")).unwrap();
    let bot = dir.path().join("bot.py");
    fs::write(&bot, REACHES).unwrap();
    let bot = format!("adapter:{} python3 {}", adapter.display(), bot.display());
    let lines = dir.path().join("lines.txt");
    let options = ["--sandbox", "strict", "--transcript", lines.to_str().unwrap()];
    let ran = play("gekitai", &bot, &[&options[..], &PATIENT].concat());
    assert!(ran.status == Some(0) && !ran.stdout.contains("forfeit"), "{ran:?}");
    let lines = fs::read_to_string(lines).unwrap();
    assert!(!lines.contains("CAN "), "{lines}");
}
