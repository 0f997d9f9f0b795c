//! Tables of console programs and real processes: values in commands, where tables are found, and
//! what is refused before the first game.

use crate::support::{has_strict, run, write_program};
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Plays on the first free square. It ends with status 3 if its words are not those of lineup with
/// n=3 on its side.
const PROGRAM: &str = r#"
case "$*" in "3 1 O 4 w" | "3 2 X 4 b") ;; *) echo "the words $*" >&2; exit 3 ;; esac
taken=' '
play() {
    for c in A B C; do for r in 0 1 2; do
        case "$taken" in *" $c$r "*) ;; *) taken="$taken$c$r "; echo "I play $c$r"; return ;; esac
    done; done
}
[ "$2" = 1 ] && play
while printf 'row: ' && read -r r && printf 'column: ' && read -r c; do
    taken="$taken$c$r "
    play
done
"#;

const TABLE: &str = r#"
[console]
needs = { n = 3 }
ask = [{ prompt = 'row: ', send = "{ply.y}" }, { prompt = 'column: ', send = "{ply.COL}" }]
move = 'I play (?<COL>[A-C])(?<y>\d)'
"#;

const COMMAND: &str = "command = ['sh', 'player.sh', '{n}', '{first:1|2}', '{side}', '{seconds}', '{side:O=w,X=b}']\n";

/// A folder with the program and this `bot.toml`.
fn program(folder: &Path, manifest: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("player.sh"), PROGRAM).unwrap();
    fs::write(folder.join("bot.toml"), manifest).unwrap();
}

#[test]
fn the_command_has_the_values_of_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("first-free");
    program(&bot, &format!("{COMMAND}dialect = 'console'\n{TABLE}"));
    let log = folder.path().join("games.pgn");
    for name in [bot.to_str().unwrap().to_owned(), format!("console:{}", bot.display())] {
        let words =
            ["play", "lineup", &name, "builtin:random", "--set", "n=3", "--games", "2", "--strict"];
        let ran =
            run(&[&words[..], &["--time", "396+0.1", "--log", log.to_str().unwrap()]].concat());
        assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
        assert!(fs::read_to_string(&log).unwrap().contains("[Result "), "{}", ran.stderr);
        fs::remove_file(&log).unwrap();
    }
    for (words, why) in [
        (
            &["lineup", "--set", "n=4"][..],
            "it needs n=3, not n=4: set it with --set, or in [options]",
        ),
        (&["loa"], "it needs n=3, and loa has no option n"),
        (
            &["flipflop"],
            "the dialect `console` cannot play flipflop, where a turn may have two plies",
        ),
        (
            &["lineup", "--set", "n=3", "--opening-plies", "2"],
            "because `turn` in its table has no {board}: write `opening-plies = 0`",
        ),
        (
            &["lineup", "--set", "n=3", "--position", "O2/3/3 X"],
            "leave out --opening-plies, --openings and --position",
        ),
    ] {
        let words =
            [&["play", words[0], bot.to_str().unwrap(), "builtin:random"], &words[1..]].concat();
        let ran = run(&words);
        assert!(ran.status != Some(0) && ran.stderr.contains(why), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn groups_of_another_game_are_refused_before_the_first_one() {
    let folder = tempfile::tempdir().unwrap();
    for (game, groups, why) in [
        ("loa", "(?<col>[a-h])(?<row>\\d)", "name no move of loa, where it has two squares"),
        (
            "lineup",
            "(?<from.x>\\d)(?<from.y>\\d)(?<to.x>\\d)(?<to.y>\\d)",
            "name no move of lineup, where it has one",
        ),
    ] {
        let bot = folder.path().join(game);
        program(
            &bot,
            &format!(
                "command = 'sh player.sh'\ndialect = 'console'\n[console]\nmove = '{groups}'\n"
            ),
        );
        let ran = run(&["play", game, bot.to_str().unwrap(), "builtin:random"]);
        assert!(ran.status != Some(0) && ran.stderr.contains(why), "{game}: {}", ran.stderr);
    }
}

#[test]
fn a_dialect_is_named_once_and_a_person_has_none() {
    for (bot, why) in [
        ("console:ugi:x", "it names two dialects, console and ugi; name one"),
        ("ugi:human", "a person has no dialect; write human"),
    ] {
        let ran = run(&["play", "loa", bot, "builtin:random"]);
        assert!(ran.status == Some(2) && ran.stderr.contains(why), "{bot}: {}", ran.stderr);
    }
}

#[test]
fn a_table_of_the_organiser_counts_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lineup.toml"), TABLE).unwrap();
    program(&folder.path().join("class/ann"), COMMAND);
    program(
        &folder.path().join("class/ben"),
        &format!("{COMMAND}dialect = 'console'\n[console]\nmvoe = '('"),
    );
    let cup = folder.path().join("cup.toml");
    let write = |opening_plies: &str, folders: &str| {
        let text = format!(
            "game = 'lineup'\n[options]\nn = 3\n[schedule]\n{opening_plies}\n[time]\nmove = '10s'\n[limits]\nsandbox = 'basic'\n\
             [[bots]]\nfolder = 'class'\n{folders}\n[[bot]]\nname = 'con'\ncommand = {COMMAND}dir = 'class/ann'\nconsole = 'lineup.toml'\n",
            COMMAND = COMMAND.strip_prefix("command = ").unwrap(),
        );
        fs::write(&cup, text).unwrap();
        run(&["tournament", cup.to_str().unwrap(), "--strict"])
    };
    let refused = write("", "console = 'lineup.toml'");
    assert!(
        refused.status != Some(0) && refused.stderr.contains("`opening-plies = 0` in [schedule]"),
        "{}",
        refused.stderr
    );
    let missing = write("opening-plies = 0", "console = 'linup.toml'");
    assert!(
        missing.status != Some(0) && missing.stderr.contains("linup.toml"),
        "{}",
        missing.stderr
    );
    let played = write("opening-plies = 0", "console = 'lineup.toml'");
    assert_eq!(played.status, Some(0), "{}{}", played.stdout, played.stderr);
}

#[test]
fn a_program_with_scratch_writes_beside_itself_anew_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("tracer");
    let command = COMMAND.replace("'sh', 'player.sh'", "'./player.sh'");
    program(&bot, &format!("{command}dialect = 'console'\nscratch = true\n{TABLE}"));
    let script = format!(
        "#!/bin/sh\n[ ! -e trace ] && echo begin >trace && [ -f ./player.sh ] || exit 4\n{PROGRAM}"
    );
    let file = bot.join("player.sh");
    write_program(&file, script);
    symlink("/etc/passwd", bot.join("link")).unwrap();
    let play = |sandbox: &str, set: &str| {
        let words = [
            "play",
            "lineup",
            bot.to_str().unwrap(),
            "builtin:random",
            "--set",
            set,
            "--games",
            "2",
            "--strict",
        ];
        run(&[&words[..], &["--time", "396+0.1", "--sandbox", sandbox]].concat())
    };
    let levels: &[&str] =
        if has_strict("a copy under it") { &["off", "basic", "strict"] } else { &["off", "basic"] };
    for sandbox in levels {
        let ran = play(sandbox, "n=3");
        assert_eq!(ran.status, Some(0), "{sandbox}: {}{}", ran.stdout, ran.stderr);
        assert!(!bot.join("trace").exists());
    }
    fs::File::create(bot.join("large"))
        .and_then(|file| (&file).write_all(&vec![1; 80 << 20]))
        .unwrap();
    for sandbox in levels {
        let ran = play(sandbox, "n=3");
        assert_ne!(
            ran.status,
            Some(0),
            "{sandbox}: its folder is larger than a scratch folder may be"
        );
    }
    fs::remove_file(bot.join("large")).unwrap();
    fs::write(bot.join("bot.toml"), format!("{command}dialect = 'console'\n{TABLE}")).unwrap();
    if levels.contains(&"strict") {
        assert_ne!(play("strict", "n=3").status, Some(0), "without scratch it cannot write");
    }
    fs::remove_file(bot.join("trace")).unwrap_or_default();
}

/// What a table sends without a prompt on a board without blocks: the table of the attack
/// `conknock`.
const FURTHER_BLOCK: &str = "[console]\nsetup = [{ send = 'block {block.x} {block.y}' }]\nmove = 'I play (?<COL>[A-C])(?<y>\\d)'\n";

/// A submission that plays by the native protocol.
const NATIVE: &str = "while read -r word rest; do case $word in start) echo ready ;; moves) moves=${rest%% *} ;; go) echo move $moves ;; esac; done\n";

#[test]
fn a_submissions_own_table_neither_aborts_games_nor_advances_it() {
    let folder = tempfile::tempdir().unwrap();
    let class = folder.path().join("class");
    program(&class.join("aaa"), &format!("{COMMAND}dialect = 'console'\n{FURTHER_BLOCK}"));
    for name in ["bob", "carl", "dora"] {
        fs::create_dir(class.join(name)).unwrap();
        fs::write(class.join(name).join("bot.sh"), NATIVE).unwrap();
        fs::write(class.join(name).join("bot.toml"), "command = 'sh bot.sh'\n").unwrap();
    }
    for format in ["knockout", "round-robin", "swiss"] {
        let cup = folder.path().join(format!("{format}.toml"));
        let text = format!(
            "game = 'lineup'\noptions = {{ n = 3, s = 3 }}\n[schedule]\nformat = '{format}'\nopening-plies = 0\n[time]\nmove = '60s'\n\
             [limits]\nsandbox = 'basic'\n[[bots]]\nfolder = 'class'\n"
        );
        fs::write(&cup, text).unwrap();
        let ran = run(&["tournament", cup.to_str().unwrap()]);
        assert_eq!(ran.status, Some(0), "{format}: {ran:?}");
        assert!(
            !ran.stdout.contains("aborted") && !ran.stdout.contains("INCOMPLETE"),
            "{format}: {ran:?}"
        );
        assert!(
            !ran.stdout.contains("aaa advances") && !ran.stdout.contains("aaa has won"),
            "{format}: {ran:?}"
        );
        assert!(ran.stdout.contains("sends a further block"), "{format}: {ran:?}");
    }
    let checked = run(&[
        "check",
        class.to_str().unwrap(),
        "--config",
        folder.path().join("swiss.toml").to_str().unwrap(),
        "--out",
        folder.path().join("checked").to_str().unwrap(),
    ]);
    assert_eq!(checked.status, Some(1), "{checked:?}");
    for name in ["aaa", "bob", "carl", "dora"] {
        assert!(checked.stdout.contains(name), "{name}: {checked:?}");
    }
}

/// A custom game: each side places a stone, then moves it from square to square.
const SLIDE: &str = "sides = 'XO'
def start(): return [['.'] * 4], 'X', 0
def moves(board, side, count):
    free = [(0, column) for column in range(4) if board[0][column] == '.']
    if count < 2: return free
    own = [(0, column) for column in range(4) if board[0][column] == side]
    return [(a, b) for a in own for b in free]
def play(board, side, count, move):
    if count < 2: board[move[0]][move[1]] = side
    else:
        (a, b), (c, d) = move
        board[a][b], board[c][d] = '.', side
    return board, 'O' if side == 'X' else 'X', count + 1
def ending(board, side, count): return (None, 'done') if count == 6 else None
";

/// Places its stone on the first free square of SLIDE; it is told squares.
const SLIDER: &str = "while read -r word x; do case $word in at) taken=$x ;; go) [ \"$taken\" = 0 ] && echo 'I play b1' || echo 'I play a1' ;; esac; done\n";

#[test]
fn a_ply_that_a_table_cannot_say_is_lost_by_its_bot() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("slide.py");
    fs::write(&rules, SLIDE).unwrap();
    let bot = folder.path().join("slider");
    fs::create_dir(&bot).unwrap();
    fs::write(bot.join("bot.sh"), SLIDER).unwrap();
    let table = "[console]\nask = [{ send = 'at {ply.x}' }]\nturn = 'go'\nmove = 'I play (?<text>[a-d]1)'\n";
    fs::write(bot.join("bot.toml"), format!("command = 'sh bot.sh'\ndialect = 'console'\n{table}"))
        .unwrap();
    let words = [
        "play",
        rules.to_str().unwrap(),
        "builtin:random",
        bot.to_str().unwrap(),
        "--json",
        "--sandbox",
        "basic",
    ];
    let ran = run(&[&words[..], &["--move-time", "60s"]].concat());
    let game: serde_json::Value = serde_json::from_str(ran.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&game["outcome"], &game["termination"]),
        (&"forfeit".into(), &"protocol".into()),
        "{ran:?}"
    );
    assert_eq!(game["winner"], "random", "{ran:?}");
    let detail = game["detail"].as_str().unwrap();
    assert!(
        detail.contains("has no words for the move") && detail.contains("several squares"),
        "{detail}"
    );
}

/// A custom game in which X places one stone, and then each side two in a turn.
const DOUBLE: &str = "sides = 'XO'
def start(): return [['.'] * 3 for row in range(3)], 'X', 1
def moves(board, side, left): return [(row, column) for row in range(3) for column in range(3) if board[row][column] == '.']
def play(board, side, left, move):
    board[move[0]][move[1]] = side
    return (board, side, left - 1) if left > 1 else (board, 'O' if side == 'X' else 'X', 2)
def ending(board, side, left): return None if any('.' in row for row in board) else (None, 'full-board')
";

/// Takes the first free squares. It knows the rules, and prints the stones of a turn in one line,
/// or each when it is told `go`.
const PLACER: &str = r#"
import sys
taken, due = set(), 0
def place(count):
    words = []
    for square in [(row, column) for row in range(3) for column in range(3)]:
        if square not in taken and len(words) < count:
            taken.add(square)
            words.append("put %d,%d" % square)
    print(" and ".join(words), flush=True)
for line in sys.stdin:
    word, *rest = line.split()
    if word == "first" and rest == ["1"]:
        if sys.argv[1] == "turns": place(1)
        due = 2
    elif word == "first": due = 1
    elif word == "go": place(1)
    elif word == "opponent":
        taken.add((int(rest[0]), int(rest[1])))
        due -= 1
        if due == 0:
            due = 2
            if sys.argv[1] == "turns": place(2)
"#;

#[test]
fn a_custom_game_is_played_by_a_table_even_where_a_turn_has_several_plies() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("double.py");
    fs::write(&rules, DOUBLE).unwrap();
    let bot = folder.path().join("placer");
    fs::create_dir(&bot).unwrap();
    fs::write(bot.join("bot.py"), PLACER).unwrap();
    for (how, turn) in [("turns", ""), ("plies", "turn = 'go'\n")] {
        let table = format!(
            "[console]\nsetup = [{{ send = 'first {{first:1|2}}' }}]\nask = [{{ send = 'opponent {{ply.y}} {{ply.x}}' }}]\n{turn}\
             move = 'put (?<y>\\d),(?<x>\\d)'\n"
        );
        let manifest = format!("command = 'python3 bot.py {how}'\ndialect = 'console'\n{table}");
        fs::write(bot.join("bot.toml"), manifest).unwrap();
        let words = [
            "play",
            rules.to_str().unwrap(),
            bot.to_str().unwrap(),
            "builtin:random",
            "-n",
            "4",
            "--json",
        ];
        let ran =
            run(&[&words[..], &["--sandbox", "basic", "--move-time", "60s", "--strict"]].concat());
        assert_eq!(ran.status, Some(0), "{how}: {ran:?}");
        assert_eq!(
            ran.stdout.matches(r#""termination":"full-board""#).count(),
            4,
            "{how}: {ran:?}"
        );
    }
}
