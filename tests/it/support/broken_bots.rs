//! The broken bots of tests/bots, for the tests that play them and that check them.

use crate::support::{has, project};
use Ends::{Forfeits, Plays, Resigns};
use std::path::Path;
use std::process::Command;

/// How the games of a broken bot end, on both sides.
#[derive(Debug, Clone, Copy)]
pub enum Ends {
    /// By the rules, with the same moves as a healthy bot.
    Plays,
    /// Outcome `win`, termination `resign`: no fault.
    Resigns,
    /// Outcome `forfeit`, and this termination.
    Forfeits(&'static str),
}

/// A behaviour of broken.py with its argument, or a command line after `$`; a description; how its
/// games end; and words that `detail` must contain. DIR is a folder of the test, MARKER a word that
/// is unique to the game, SIDE the bot's side.
pub type Row = (&'static str, &'static str, Ends, &'static [&'static str]);

pub const TABLE: &[Row] = &[
    // Unusual, but healthy.
    ("healthy", "nothing is wrong", Plays, &[]),
    ("healthy-reuse", "wants to be kept for another game", Plays, &[]),
    ("crlf", r"ends its lines with \r\n", Plays, &[]),
    ("move-spaces", "says the squares as two words", Plays, &[]),
    ("info", "says `info` before each answer", Plays, &[]),
    ("stray-debug", "prints debugging output on stdout", Plays, &[]),
    ("bad-utf8-stray", "prints terminal escapes and no UTF-8 before each answer", Plays, &[]),
    ("stderr-flood", "writes 20 MiB to stderr before each answer", Plays, &[]),
    ("chatty-off-move", "prints 200 lines of noise after each answer", Plays, &[]),
    ("two-answers", "answers twice: the second does not count", Plays, &[]),
    ("early-answer", "answers before it is asked: that does not count", Plays, &[]),
    ("ignores-sigterm", "lives on after `quit` and ignores SIGTERM", Plays, &[]),
    ("daemon DIR/MARKER.pid", "leaves a daemon behind that holds stdout open", Plays, &[]),
    (
        "$ python3 tests/bots/unflushed.py ready",
        "does not flush: arbiter tells python3 to",
        Plays,
        &[],
    ),
    ("resigns", "resigns", Resigns, &[]),
    // No output arrives, whether the bot printed something or not.
    (
        "silent-start",
        "never says ready",
        Forfeits("no-start"),
        &["expected \"ready\"", "nothing came"],
    ),
    ("unflushed-ready", "does not flush ready", Forfeits("no-start"), &["flush"]),
    (
        "$ python3 -E tests/bots/unflushed.py ready",
        "so in Python",
        Forfeits("no-start"),
        &["\"ready\" appeared", "not flushed (write print(…, flush=True))"],
    ),
    ("$ DIR/c-bot ready", "so in C", Forfeits("no-start"), &["fflush(stdout) in C"]),
    ("$ DIR/cpp-bot ready", "so in C++", Forfeits("no-start"), &["std::flush in C++"]),
    ("$ java -cp DIR Unflushed ready", "so in Java", Forfeits("no-start"), &["System.out.flush()"]),
    (
        "silent",
        "never answers",
        Forfeits("timeout"),
        &["expected an answer within", "after \"go\", print \"move "],
    ),
    ("unflushed", "does not flush its answer", Forfeits("timeout"), &["flush"]),
    (
        "$ python3 -E tests/bots/unflushed.py",
        "so in Python",
        Forfeits("timeout"),
        &["not flushed (write print(…, flush=True))"],
    ),
    ("$ DIR/c-bot", "so in C", Forfeits("timeout"), &["\"move ", "fflush(stdout) in C"]),
    ("$ DIR/cpp-bot", "so in C++", Forfeits("timeout"), &["\"move ", "std::flush in C++"]),
    ("$ java -cp DIR Unflushed", "so in Java", Forfeits("timeout"), &["System.out.flush()"]),
    ("never-reads", "does not read after `ready`", Forfeits("timeout"), &["nothing came"]),
    ("spinning", "computes for ever", Forfeits("timeout"), &["still computing"]),
    ("late 60", "answers after a minute", Forfeits("timeout"), &["it sleeps"]),
    ("stops-itself", "SIGSTOP to itself, again and again", Forfeits("timeout"), &["nothing came"]),
    (
        "hopper",
        "forks and exits for ever, and does not answer",
        Forfeits("timeout"),
        &["nothing came"],
    ),
    (
        "closes-stdin",
        "closes stdin after a question and lives on",
        Forfeits("timeout"),
        &["nothing came"],
    ),
    // Nearly an answer.
    ("no-newline", "says no newline", Forfeits("timeout"), &["\"move ", "without the newline"]),
    (
        "dripping",
        "a byte now and then",
        Forfeits("timeout"),
        &["\"move xxxx", "without the newline"],
    ),
    (
        "bare-move",
        "says the ply alone",
        Forfeits("timeout"),
        &["without the word move: write \"move "],
    ),
    ("chatty-bare-move", "after much else", Forfeits("timeout"), &["without the word move: write"]),
    ("uppercase", "says MOVE", Forfeits("timeout"), &["\"MOVE ", "lower case"]),
    (
        "$ sh -c 'echo READY; while read -r x; do :; done'",
        "",
        Forfeits("no-start"),
        &["READY", "lower case"],
    ),
    (
        "resign-words",
        "says more than resign",
        Forfeits("timeout"),
        &["\"resign now\"", "alone on its line"],
    ),
    ("garbage", "says 20 lines of noise", Forfeits("timeout"), &[r"\x", "which is not an answer"]),
    ("early-half", "begins its answer before it is asked", Forfeits("timeout"), &["\"move "]),
    // Wrong answers.
    (
        "illegal",
        "moves nothing",
        Forfeits("illegal-move"),
        &["\"move a0a0\"", "no piece of SIDE on a0"],
    ),
    (
        "illegal-and-legal",
        "is right too late",
        Forfeits("illegal-move"),
        &["legal moves such as \"move "],
    ),
    (
        "other-side",
        "moves another's piece",
        Forfeits("illegal-move"),
        &["no piece of SIDE", "opponent's"],
    ),
    (
        "extra-words",
        "says more than a ply",
        Forfeits("illegal-move"),
        &[" please\"", "expected two squares"],
    ),
    (
        "bad-utf8",
        "says a ply that is no UTF-8",
        Forfeits("illegal-move"),
        &[r"move \xff\xfe", "UTF-8"],
    ),
    ("nul", "says a NUL", Forfeits("protocol"), &[r"move \x00", "NUL"]),
    ("chatty-nul", "says a NUL after much else", Forfeits("protocol"), &[r"move \x00", "NUL"]),
    (
        "endless-line",
        "says a line without an end",
        Forfeits("protocol"),
        &["more than 65536 bytes", "xxxx"],
    ),
    (
        "endless-lines",
        "says lines without an end",
        Forfeits("output-limit"),
        &["more than 1048576 bytes"],
    ),
    // Ends.
    (
        "exit-at-once",
        "exits at once",
        Forfeits("no-start"),
        &["expected \"ready\"", "exit status 0"],
    ),
    (
        "exit-3-at-start",
        "exits at `start`",
        Forfeits("no-start"),
        &["expected \"ready\"", "exit status 3"],
    ),
    ("exit-after-answer", "answers and exits", Forfeits("crash"), &["exit status 0"]),
    ("daemon-exit DIR/MARKER.pid", "exits below its daemon", Forfeits("crash"), &["exit status 0"]),
    (
        "exception",
        "has a bug in Python",
        Forfeits("crash"),
        &["exit status 1", "ValueError: my bug"],
    ),
    ("crash-segv", "has a bug in C", Forfeits("crash"), &["SIGSEGV"]),
    ("crash-abort", "aborts itself", Forfeits("crash"), &["SIGABRT"]),
    (
        "closes-stdout",
        "closes stdout and lives on",
        Forfeits("protocol"),
        &["closed its standard output"],
    ),
    (
        "deaf",
        "closes stdin before the question",
        Forfeits("protocol"),
        &["closed its standard input"],
    ),
];

/// The bots that need a compiler: the compiler, its arguments, and how the bots' command lines
/// begin.
const COMPILED: [(&str, &[&str], &str); 3] = [
    ("cc", &["-o", "DIR/c-bot", "tests/bots/unflushed.c"], "DIR/c-bot"),
    ("g++", &["-o", "DIR/cpp-bot", "tests/bots/unflushed.cpp"], "DIR/cpp-bot"),
    ("javac", &["-d", "DIR", "tests/bots/Unflushed.java"], "java -cp DIR"),
];

/// The command line of a row's bot; `marker` is a word by which its processes are found.
pub fn line(bot: &str, dir: &Path, marker: &str) -> String {
    let line = match bot.strip_prefix("$ ") {
        Some(line) => format!("{line} {marker}"),
        None => format!("python3 -E tests/bots/broken.py {bot} {marker}"),
    };
    line.replace("DIR", dir.to_str().unwrap()).replace("MARKER", marker)
}

/// The rows of [`TABLE`] but for those whose compiler is not installed, which is printed. Samples are
/// taken of these: otherwise a missing compiler could take away the only row of a kind.
pub fn installed() -> Vec<&'static Row> {
    let missing = COMPILED.iter().filter(|row| !has(row.0, "the unflushed bot in its language"));
    let missing: Vec<&str> = missing.map(|row| row.2).collect();
    TABLE.iter().filter(|row| !missing.iter().any(|command| row.0.contains(command))).collect()
}

/// Compiles those of these bots of the table that need it into DIR.
pub fn compile(bots: &[&str], dir: &Path) {
    for (compiler, arguments, command) in COMPILED {
        if !bots.iter().any(|bot| bot.contains(command)) {
            continue;
        }
        let arguments = arguments.iter().map(|word| word.replace("DIR", dir.to_str().unwrap()));
        let output =
            Command::new(compiler).args(arguments).current_dir(project("")).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}
