//! Which parts of a tournament are public, and which only a bot's author sees.

use crate::place::{FIRST, Place, cup, tags};
use crate::support::{ARBITER, run};
use std::process::Command;

const SECRET: &str = "the-word-on-stderr";

/// All public files of a result folder, and the printed output.
fn public(place: &Place, out: &str, ran: &crate::support::Ran) -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = ["games.pgn", "standings.json", "standings.md", "junit.xml"]
        .map(|file| (file.to_owned(), place.text(&format!("{out}/{file}"))))
        .into();
    texts.push(("stdout".to_owned(), ran.stdout.clone()));
    for format in ["text", "markdown", "json"] {
        let shown = run(&["standings", place.path(out).to_str().unwrap(), "--format", format]);
        texts.push((format!("standings --format {format}"), shown.stdout));
    }
    let shown = run(&["standings", place.path(out).to_str().unwrap(), "--format", "junit"]);
    texts.push(("standings --format junit".to_owned(), shown.stdout));
    texts
}

/// Bots that write to stderr and lose in every way, one that is missing, and a healthy one.
fn leaky(place: &Place) -> String {
    let crash = format!(
        "echo {SECRET} >&2; while read -r word rest; do case $word in start) echo ready ;; go) exit 9 ;; esac; done\n"
    );
    place.write("one/bot.sh", &crash);
    let illegal = format!(
        "while read -r word rest; do case $word in start) echo ready ;; go) echo {SECRET} >&2; echo move z99 ;; esac; done\n"
    );
    place.write("two/bot.sh", &illegal);
    let once = format!(
        "echo {SECRET} >&2; while read -r word rest; do case $word in start) test -e been && exit 3; : > been; echo ready ;; esac; done\n"
    );
    place.write("three/bot.sh", &once);
    place.write("four/bot.sh", &once);
    place.write("in/real-unbuilt/bot.toml", "command = './bot'\nbuild = 'echo broken >&2; exit 1'\n");
    place.write("in/real-wrong/bot.toml", "command = 'sh bot.sh'\nsize = 3\n");
    place.write("in/real-missing/bot.toml", "command = './no-such-bot'\n");
    let bots = [
        ("real-crash", "sh one/bot.sh"),
        ("real-illegal", "sh two/bot.sh"),
        ("real-once", "sh three/bot.sh"),
        ("real-never", "sh four/bot.sh"),
        ("real-random", "builtin:random"),
        ("real-greedy", "builtin:greedy"),
    ];
    cup(
        "games = 2",
        "[expect]\nreal-greedy = '>= 0'\n[ratings]\nanchor = 'real-random'\n[[bots]]\nfolder = 'in'",
        &bots,
    )
}

#[test]
fn public_files_have_no_names_under_aliases_no_stderr_and_no_folders_of_the_organiser() {
    let place = Place::new();
    let config = leaky(&place);
    let ran = place.ends(0, &config, "out", &[]);
    let here = place.path("").display().to_string();
    for (what, text) in public(&place, "out", &ran) {
        assert!(text.contains("real-crash"), "{what}: {text}");
        assert!(!text.contains(SECRET), "{what} has what a bot wrote to stderr: {text}");
        assert!(!text.contains(&*here), "{what} has a path of this machine: {text}");
    }
    for (bot, words) in [("real-crash", "exit status 9"), ("real-illegal", "move z99")] {
        let page = place.text(&format!("out/feedback/{bot}.md"));
        assert!(page.contains(words) && page.contains(SECRET), "{page}");
    }
    let log = place.path("out/bots/real-crash/real-crash~real-greedy.1.log");
    assert!(std::fs::read_to_string(log).unwrap().contains(SECRET));

    for been in ["three/been", "four/been"] {
        std::fs::remove_file(place.path(been)).unwrap();
    }
    for (junit, out) in [("bots", "alias"), ("games", "alias-games")] {
        let publish = format!("{config}[publish]\nnames = 'alias'\njunit = '{junit}'\n");
        let place_summary = place.path(&format!("summary-{out}.md"));
        let ran =
            place.command(&publish, out, &[]).env("GITHUB_STEP_SUMMARY", &place_summary).output().unwrap();
        let ran: crate::support::Ran = ran.into();
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let mut texts = public(&place, out, &ran);
        texts.push(("summary".to_owned(), std::fs::read_to_string(place_summary).unwrap()));
        for (what, text) in texts {
            for hidden in ["real-", SECRET, &*here] {
                let line = text.lines().find(|line| line.contains(hidden));
                assert_eq!(line, None, "{what} ({junit}) shows {hidden}");
            }
            assert!(text.contains("bot-"), "{what}: {text}");
        }
        let page = place.text(&format!("{out}/feedback/real-crash.md"));
        assert!(
            page.contains("real-crash") && page.contains("real-greedy") && page.contains(SECRET),
            "{page}"
        );
        assert_eq!(
            run(&["verify", place.path(&format!("{out}/games.pgn")).to_str().unwrap()]).status,
            Some(0)
        );
        // Aliases stay the same when the same tournament is continued.
        let before = place.results(out);
        place.ends(0, &publish, out, &[]);
        assert_eq!(place.results(out), before);
        for been in ["three/been", "four/been"] {
            std::fs::remove_file(place.path(been)).unwrap();
        }
    }
    // With public stderr, the files contain it.
    let open = place.ends(0, &format!("{config}[publish]\nstderr = 'public'\n"), "open", &[]);
    assert!(place.text("open/junit.xml").contains(SECRET), "{open:?}");
}

#[test]
fn the_command_in_the_feedback_plays_the_same_game_again() {
    let place = Place::new();
    place.write("my bots/first/bot.sh", FIRST);
    place.write(
        "env/bot.sh",
        &FIRST.replace("start) echo ready ;;", "start) test \"$LEVEL\" = 'a b' && echo ready ;;"),
    );
    // Its second answer is right, which is enough where two are allowed.
    let wrong = "go) case $right in 1) echo \"move $ply\"; right=0 ;; *) echo move z99; right=1 ;; esac ;;";
    place.write("second/bot.sh", &FIRST.replace("go) echo \"move $ply\" ;;", wrong));
    place.program("program/bot", &format!("{FIRST}# {}\n", "x".repeat(9)));
    let more = "[match]\nattempts = 2\nrepetition = 0\nmax-plies = 300\n\
        [[bot]]\nname = 'variable'\ncommand = 'sh env/bot.sh'\nenv = { LEVEL = 'a b' }\n\
        [[bot]]\nname = 'listed'\ncommand = ['sh', 'my bots/first/bot.sh', \"it's\"]\n";
    let bots = [
        ("ada", "builtin:random"),
        ("bea", "builtin:greedy"),
        ("second", "sh second/bot.sh"),
        ("program", "program/bot"),
    ];
    place.ends(0, &cup("games = 2", more, &bots), "out", &["--strict"]);
    let bin = place.path("bin");
    std::fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(ARBITER, bin.join("arbiter")).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let log = place.text("out/games.pgn");
    let games: Vec<&str> = log.split("[Event ").skip(1).collect();
    let mut repeated = 0;
    for bot in ["ada", "bea", "second", "program", "variable", "listed"] {
        let page = place.text(&format!("out/feedback/{bot}.md"));
        for command in page.split("To play it again:\n\n```sh\n").skip(1).take(2) {
            let command = command.split("\n```").next().unwrap();
            let again = place.path(&format!("again{repeated}.pgn"));
            // In another folder, with only a shell and arbiter on its path.
            let ran: crate::support::Ran = Command::new("sh")
                .args(["-c", &format!("{command} --log '{}'", again.display())])
                .env("PATH", &path)
                .current_dir("/")
                .output()
                .unwrap()
                .into();
            assert_eq!(ran.status, Some(0), "{command}: {ran:?}");
            let text = std::fs::read_to_string(&again).unwrap();
            let id = tags(&text, "GameId");
            let before = games.iter().find(|game| tags(game, "GameId") == id);
            let before = before.unwrap_or_else(|| panic!("{command}: {id:?} is none of the games"));
            for tag in [
                "FEN",
                "Options",
                "Result",
                "Outcome",
                "Termination",
                "PlyCount",
                "MaxPlies",
                "Repetition",
                "Seed",
            ] {
                assert_eq!(tags(&text, tag), tags(before, tag), "{tag}: {command}");
            }
            assert_eq!(plies(&text), plies(before), "{command}");
            repeated += 1;
        }
    }
    assert!(repeated >= 6, "{repeated}");
}

/// Crashes under a memory limit of 64 MiB, and plays on under the default.
const HUNGRY: &str = "import sys
for line in sys.stdin:
    words = line.split()
    if words[:1] == ['start']:
        print('ready', flush=True)
    elif words[:1] == ['moves']:
        ply = words[1]
    elif words[:1] == ['go']:
        much = bytearray(200 << 20)
        print('move', ply, flush=True)
";

#[test]
fn a_loss_under_a_limit_is_repeated_under_the_same_limit() {
    let place = Place::new();
    place.write("hungry.py", HUNGRY);
    let config = cup("games = 2", "", &[("hungry", "python3 hungry.py"), ("ada", "builtin:random")])
        .replace("[limits]", "[limits]\nmemory = '64MiB'\nprocesses = 3")
        .replace("[time]", "[time]\npondering = 'on'\nclock = 'cpu'\nwall-cap = '10x+60s'");
    place.ends(0, &config, "out", &[]);
    let page = place.text("out/feedback/hungry.md");
    let command = page.split("To play it again:\n\n```sh\n").nth(1).unwrap().split("\n```").next().unwrap();
    for flag in ["--memory 64MiB", "--processes 3", "--pondering on", "--clock cpu", "--wall-cap 10x+60s"] {
        assert!(command.contains(flag), "{flag}: {command}");
    }
    let arguments = command.strip_prefix("arbiter ").unwrap();
    let ran: crate::support::Ran =
        Command::new("sh").args(["-c", &format!("'{ARBITER}' {arguments}")]).output().unwrap().into();
    assert!(ran.stdout.contains("forfeit crash"), "{command}: {ran:?}");
    assert!(ran.stdout.contains("it may use 64 MiB of memory"), "{command}: {ran:?}");
}

/// The plies of a game, without comments.
fn plies(game: &str) -> Vec<String> {
    let moves = game.rsplit_once("]\n\n").unwrap().1;
    let plain: Vec<&str> =
        moves.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect();
    plain.concat().split_ascii_whitespace().map(str::to_owned).collect()
}
