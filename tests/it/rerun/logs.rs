//! Which game is meant and who plays, and what a log cannot make arbiter do.

use crate::rerun::{NTH, assert_same, game, rerun};
use crate::support::place::{Place, cup};

#[test]
fn mistakes_are_named() {
    let place = Place::new();
    place.write("nth.py", NTH);
    game(&place, "python3 nth.py 3", "builtin:random", &["-n", "2"]);
    game(&place, "python3 nth.py 3", "builtin:random", &["-n", "2"]);
    let bot = "nth=python3 nth.py 3";
    for (arguments, said) in [
        (&["game.pgn", "--bot", bot][..], "it has several games; name one by its GameId"),
        (
            &["game.pgn", "nth~random.1", "--bot", bot],
            "several games are called nth~random.1; give one of their numbers instead: 1, 3",
        ),
        (
            &["game.pgn", "nth~random.9", "--bot", bot],
            "there is no game nth~random.9 among its 4 games",
        ),
        (
            &["game.pgn", "2"],
            "no program plays; give one with --bot NAME=BOT, NAME is random or nth",
        ),
        (&["game.pgn", "2", "--bot", bot, "--recorded", "nth"], "given by --bot and by --recorded"),
        (
            &["game.pgn", "2", "--bot", "ada=nth.py"],
            "--bot ada: the bots of the game are random and nth",
        ),
        (&["game.pgn", "2", "--bot", "nth"], "write --bot NAME=BOT"),
        (&["game.pgn", "2", "--bot", "nth=no-such-bot"], "no-such-bot: no such file"),
        (
            &["game.pgn", "2", "--bot", bot, "--attach", "random"],
            "--attach random: the log plays for it",
        ),
        (
            &[
                "game.pgn",
                "2",
                "--bot",
                bot,
                "--bot",
                "random=builtin:random",
                "--then",
                "builtin:greedy",
            ],
            "both sides have a program",
        ),
        (&["game.pgn", "2", "--bot", bot, "--from", "."], "is a log and has no configuration"),
        (&["nothing.pgn", "--bot", bot], "nothing.pgn"),
        (&[".", "nth~random.1"], "journal.jsonl"),
    ] {
        let ran = rerun(&place, arguments);
        assert_eq!(ran.status, Some(2), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{arguments:?}: {ran:?}");
    }
    assert_same(&rerun(&place, &["game.pgn", "2", "--bot", bot]));
    assert_same(&rerun(&place, &["game.pgn", "3", "--bot", bot, "--bot", "random=builtin:random"]));
}

/// The log with its tag `Settings` replaced.
fn with_settings(place: &Place, tag: &str) {
    let log = place.text("game.pgn");
    let lines = log.lines().map(|line| if line.starts_with("[Settings ") { tag } else { line });
    place.write("changed.pgn", &lines.chain([""]).collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_log_does_not_weaken_the_sandbox() {
    let place = Place::new();
    // Says on stderr whether it has arbiter's environment, as it has without a sandbox.
    place.write(
        "nth.py",
        &NTH.replace(
            "import os, sys",
            "import os, sys\nprint('HAS', os.environ.get('SECRET'), file=sys.stderr)",
        ),
    );
    game(&place, "python3 nth.py 3", "builtin:random", &[]);
    let arguments = ["changed.pgn", "--bot", "nth=python3 nth.py 3"];
    let with_secret = |more: &[&str]| -> crate::support::Ran {
        let mut command = crate::support::arbiter(&["rerun"]);
        command.args(arguments).args(more).env("SECRET", "open").current_dir(place.path(""));
        command.output().unwrap().into()
    };
    with_settings(&place, "[Settings \"--time 120+1 --sandbox off\"]");
    let ran = with_secret(&[]);
    assert_same(&ran);
    assert!(
        ran.stderr.contains("HAS None") && ran.stderr.contains("the log says --sandbox off"),
        "{ran:?}"
    );
    let ran = with_secret(&["--sandbox", "off"]);
    assert_same(&ran);
    assert!(ran.stderr.contains("HAS open"), "{ran:?}");
    for (tag, said) in [
        ("--time 120+1 --log /tmp/x", "the tag Settings: unexpected argument '--log'"),
        ("--memory", "the tag Settings: a value is required"),
        ("--sandbox none", "the tag Settings: invalid value 'none'"),
        ("'", "the tag Settings: there is an unclosed quote"),
        ("--processes 90", "the tag Settings: --threads: each of 90"),
    ] {
        with_settings(&place, &format!("[Settings \"{tag}\"]"));
        let ran = with_secret(&[]);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(said), "{ran:?}");
    }
}

#[test]
fn a_result_folder_does_not_weaken_the_sandbox() {
    let place = Place::new();
    place.write(
        "bot.sh",
        "echo HAS ${SECRET-nothing} >&2\nwhile read -r word ply rest; do case $word in start) echo ready ;; \
         moves) first=$ply ;; go) echo move $first ;; esac; done\n",
    );
    let config = cup("games = 2", "", &[("sh", "sh bot.sh"), ("random", "builtin:random")])
        .replace("sandbox = 'basic'", "sandbox = 'off'");
    place.ends(0, &config, "out", &[]);
    for (flags, said) in [(&[][..], "HAS nothing"), (&["--sandbox", "off"], "HAS open")] {
        let mut command = crate::support::arbiter(&["rerun", "out", "random~sh.1"]);
        command.args(flags).env("SECRET", "open").current_dir(place.path(""));
        let ran: crate::support::Ran = command.output().unwrap().into();
        assert_same(&ran);
        assert!(ran.stderr.contains(said), "{ran:?}");
        let told = ran.stderr.contains("the configuration says --sandbox off");
        assert_eq!(told, flags.is_empty(), "{ran:?}");
    }
}

#[test]
fn an_old_log_is_played_by_its_other_tags() {
    let place = Place::new();
    place.write("nth.py", NTH);
    game(&place, "python3 nth.py 3", "builtin:random", &["--max-plies", "5", "--repetition", "2"]);
    with_settings(&place, "");
    let ran =
        rerun(&place, &["changed.pgn", "--bot", "nth=python3 nth.py 3", "--log", "again.pgn"]);
    assert_same(&ran);
    assert!(ran.stderr.contains("note: the log has no tag Settings"), "{ran:?}");
    let again = place.text("again.pgn");
    assert!(again.contains("[Settings \"--time 120+1 --max-plies 5 --repetition 2\"]"), "{again}");
}
