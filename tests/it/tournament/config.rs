//! Errors of a configuration or its bots are reported before the first game, all at once.

use crate::support::place::{FIRST, Place, cup, tags};
use crate::support::{Ran, arbiter, run};

const TWO: [(&str, &str); 2] = [("a", "builtin:random"), ("b", "builtin:greedy")];

#[test]
fn every_bot_that_does_not_start_is_named() {
    let place = Place::new();
    place.write("plain.sh", FIRST);
    place.write("silent.sh", "while read -r line; do :; done\n");
    place.write("gone.sh", "echo no luck today >&2; exit 5\n");
    place.write("built/readme", "");
    let more = "[[bot]]\nname = 'unbuilt'\ncommand = './bot'\ndir = 'built'\n\
        build = 'echo compiling; echo line 3: oops >&2; exit 7'\n\
        [[bot]]\nname = 'unmade'\ncommand = 'built/bot'\nbuild = 'true'\n\
        [[bot]]\nname = 'homeless'\ncommand = 'sh plain.sh'\ndir = 'nowhere'\n";
    let bots = [
        ("missing", "./no/such/bot"),
        ("unknown", "no-such-program-anywhere x"),
        ("builtin", "builtin:deepblue"),
        ("silent", "sh silent.sh"),
        ("gone", "sh gone.sh"),
        ("plain", "./plain.sh"),
    ];
    let config = cup("games = 2", more, &bots).replace("start = '120s'", "start = '3s'");
    let ran = place.ends(2, &config, "out", &["--concurrency", "4"]);
    for words in [
        &["missing: ", "no/such/bot", "no such file"][..],
        &["unknown: ", "no-such-program-anywhere"],
        &["builtin: ", "builtin:deepblue", "there is no such bot"],
        &["silent: ", "expected \"ready\"", "nothing came"],
        &["gone: ", "exit status 5", "no luck today"],
        &["plain: ", "plain.sh", "chmod +x"],
        &["unbuilt: its build", "exit 7", "exit status 7"],
        &["unmade: ", "built/bot"],
        &["homeless: ", "nowhere", "no such folder"],
    ] {
        let said = ran.stderr.lines().any(|line| words.iter().all(|word| line.contains(word)));
        assert!(said, "no line has {words:?}: {}", ran.stderr);
    }
    // The end of a build's output, of both streams.
    assert!(
        ran.stderr.contains("\n  compiling\n") && ran.stderr.contains("\n  line 3: oops\n"),
        "{ran:?}"
    );
    assert_eq!(place.text("out/bots/unbuilt/build.log").trim_end(), "compiling\nline 3: oops");
    assert_eq!(ran.stdout, "");
    assert!(!place.path("out/games.pgn").exists());
    // When they are fixed, the same folder takes the games.
    place.ends(0, &cup("games = 2", "", &TWO), "out", &[]);
}

#[test]
fn a_build_may_take_so_long_and_no_longer() {
    let place = Place::new();
    let marker = crate::support::marker("build");
    place.write("slow/build.sh", "sleep 600 & sleep 600\n");
    let more = format!(
        "[[bot]]\nname = 'slow'\ncommand = 'slow/bot'\ndir = 'slow'\nbuild = 'sh build.sh {marker}'\n"
    );
    let config = cup("games = 2", &more, &TWO).replace("[limits]", "[limits]\nbuild-time = '1s'");
    let ran = place.ends(2, &config, "out", &[]);
    assert!(
        ran.stderr.contains("slow: ") && ran.stderr.contains("took longer than 1 s"),
        "{ran:?}"
    );
    crate::support::wait_until_gone(&marker);
}

#[test]
fn errors_of_the_file_say_where_and_what_was_meant() {
    let place = Place::new();
    let text = "game = 'lao'\n[shedule]\nseed = 1\n[time]\nmove = '5sec'\nicnrement = '1s'\n\
        [[bot]]\nname = 'conny'\ncommand = 'x'\n[[bot]]\nname = 'Conny'\ncommand = 'y'\n";
    let ran = place.ends(2, text, "out", &[]);
    for words in [
        ["cup.toml:1", "`lao`", "did you mean `loa`?"],
        ["cup.toml:2", "`shedule`", "did you mean `schedule`?"],
        ["cup.toml:5", "`move`", "a number and a unit"],
        ["cup.toml:6", "`icnrement`", "did you mean `increment`?"],
        ["cup.toml:11", "`Conny`", "case is ignored"],
    ] {
        let said = ran.stderr.lines().any(|line| words.iter().all(|word| line.contains(word)));
        assert!(said, "no line has {words:?}: {}", ran.stderr);
    }
    assert!(!place.path("out").exists(), "nothing is made for a configuration that is wrong");
    let ran = run(&["tournament", "/no/such/cup.toml"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("/no/such/cup.toml: No such file"), "{ran:?}");
    let ran = run(&["tournament"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("<CONFIG.toml>"), "{ran:?}");
    // Schedules that are impossible with these bots.
    let many = cup("games = 2", "", &TWO).replace("opening-plies = 2", "opening-plies = 90");
    let ran = place.ends(2, &many, "out", &[]);
    assert!(ran.stderr.contains("opening-plies"), "{ran:?}");
    // Unknown names are errors.
    let ran = place.ends(2, &cup("games = 2", "", &TWO), "out", &["--strict=nobody"]);
    assert!(ran.stderr.contains("--strict: no bot is called nobody"), "{ran:?}");
    // A stranger's folder that has the name of another bot stops no other bot; a folder that is not
    // there is an error.
    place.write("others/B/bot.sh", FIRST);
    let folder = cup("games = 2", "[[bots]]\nfolder = 'others'\ncommand = 'sh bot.sh'\n", &TWO);
    let ran = place.ends(1, &folder, "twice", &["--strict=B"]);
    assert!(ran.stderr.contains("B does not play: another bot has this name"), "{ran:?}");
    let ran = place.ends(2, &cup("", "[[bots]]\nfolder = 'nowhere'\n", &TWO), "out", &[]);
    assert!(ran.stderr.contains("nowhere") && ran.stderr.contains("No such file"), "{ran:?}");
}

#[test]
fn the_default_configuration_plays() {
    let place = Place::new();
    let ran = run(&["tournament", "--print-default"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let quick = ran
        .stdout
        .replace("base = \"10s\"", "base = \"100ms\"")
        .replace("increment = \"100ms\"", "increment = \"2ms\"")
        .replace("margin = \"20ms\"", "margin = \"120s\"")
        .replace("start = \"10s\"", "start = \"120s\"");
    place.ends(0, &quick, "out", &["--strict"]);
    assert_eq!(
        tags(&place.text("out/games.pgn"), "GameId"),
        ["random~searcher.1", "random~searcher.2"]
    );
}

#[test]
fn results_go_beside_the_configuration_under_its_name() {
    let place = Place::new();
    place.write("cups/spring.toml", &cup("games = 1", "", &TWO));
    place.write("cups/summer.toml", &cup("games = 1", "", &TWO).replace("name = 'cup'\n", ""));
    for (file, folder) in [("cups/spring.toml", "cups/cup"), ("cups/summer.toml", "cups/summer")] {
        let ran = run(&["tournament", place.path(file).to_str().unwrap()]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(place.journal(folder).len(), 1);
    }
}

#[test]
fn a_file_of_openings_is_used_in_its_order() {
    let place = Place::new();
    let positions = ["4/4/4/O3 X", "4/1X2/4/O3 O", "4/4/O3/4 X"];
    place.write(
        "openings.txt",
        &format!("# mine\n{}\n\n{}\n{}\n", positions[0], positions[1], positions[2]),
    );
    let listed = |games: &str| {
        cup(&format!("{games}\nopenings = 'openings.txt'"), "", &TWO)
            .replace("opening-plies = 2\n", "")
    };
    let ran = place.ends(0, &listed("games = 8"), "out", &[]);
    assert!(ran.stderr.contains("4 are needed, and there are 3"), "{ran:?}");
    let [one, two, three] = positions;
    assert_eq!(
        tags(&place.text("out/games.pgn"), "FEN"),
        [one, one, two, two, three, three, one, one]
    );
    // With another content of the file it is another tournament.
    place.write("openings.txt", "4/4/4/O3 X\n");
    let ran = place.ends(2, &listed("games = 8"), "out", &[]);
    assert!(ran.stderr.contains("the content of the file of openings"), "{ran:?}");
    place.write("openings.txt", "4/4/4/O3 X\nelsewhere\n");
    let ran = place.ends(2, &listed("games = 2"), "other", &[]);
    assert!(ran.stderr.contains("openings.txt") && ran.stderr.contains("line 2"), "{ran:?}");
    // A test needs an opening for each pair: repeated games would count as new evidence.
    place.write("openings.txt", &positions.join("\n"));
    let test = listed("format = 'sprt'")
        .replace("[[bot]]\nname = 'a'", "[sprt]\nmax-pairs = 4\n[[bot]]\nname = 'a'");
    let ran = place.ends(2, &test, "test", &[]);
    assert!(
        ran.stderr.contains("4 are needed, and there are 3") && ran.stderr.contains("max-pairs"),
        "{ran:?}"
    );
    assert!(!place.path("test/games.pgn").exists());
    let ran = place.ends(
        2,
        &test.replace("openings = 'openings.txt'", "openings = 'none.txt'"),
        "test",
        &[],
    );
    assert!(ran.stderr.contains("none.txt") && ran.stderr.contains("No such file"), "{ran:?}");
}

#[test]
fn files_without_an_end_are_refused() {
    let place = Place::new();
    let config = cup("openings = '/dev/zero'", "", &TWO).replace("opening-plies = 2\n", "");
    let ran = place.ends(2, &config, "out", &[]);
    assert!(ran.stderr.contains("/dev/zero: is not a regular file"), "{ran:?}");
    for command in [
        &["tournament", "/dev/zero"][..],
        &["standings", "/dev/zero"],
        &["verify", "/dev/zero"],
        &["rerun", "/dev/zero", "1"],
    ] {
        let ran = run(command);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("/dev/zero: it is "), "{ran:?}");
    }
    // A journal with a line that does not end.
    std::fs::create_dir(place.path("sparse")).unwrap();
    std::fs::File::create(place.path("sparse/journal.jsonl")).unwrap().set_len(1 << 40).unwrap();
    let ran = run(&["standings", place.path("sparse").to_str().unwrap()]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
}

#[test]
fn a_bot_gets_its_environment() {
    let place = Place::new();
    let ready = "start) test \"$LEVEL\" = '3 or more' && echo ready ;;";
    place.write("bot.sh", &FIRST.replace("start) echo ready ;;", ready));
    let more = "[[bot]]\nname = 'c'\ncommand = 'sh bot.sh'\nenv = { LEVEL = '3 or more' }\n";
    place.ends(0, &cup("games = 1", more, &TWO), "out", &["--strict"]);
    assert_eq!(place.journal("out").len(), 3);
}

#[test]
fn a_configuration_that_is_not_there_says_what_would_be_right() {
    let place = Place::new();
    let config = cup("games = 1", "", &TWO);
    let says = |name: &str, words: &[&str]| {
        let ran =
            Ran::from(arbiter(&["tournament", name]).current_dir(place.path("")).output().unwrap());
        assert_eq!(ran.status, Some(2), "{name}: {ran:?}");
        for word in words {
            assert!(ran.stderr.contains(word), "{name}: {word}: {ran:?}");
        }
        assert!(!ran.stderr.contains("os error"), "{name}: {ran:?}");
    };
    says("cup.toml", &["arbiter: cup.toml: No such file", "arbiter tournament --init cup.toml"]);
    place.write("cup.toml", &config);
    says("cup", &["arbiter: cup: No such file", "did you mean cup.toml?"]);
    place.write("cup/journal.jsonl", "");
    says("cup", &["arbiter: cup: is a folder, not a configuration", "did you mean cup.toml?"]);
    place.write("course/bot.toml", "");
    place.write("course/spring.toml", &config);
    says(
        "course",
        &["course: is a folder, not a configuration", "did you mean course/spring.toml?"],
    );
    // Its results would be in the place of the configuration itself.
    place.write("league", &config.replace("name = 'cup'\n", ""));
    says(
        "league",
        &["league is no folder, and the results need one of this name", "league.toml", "--out"],
    );
    // Its results would be in the folder above.
    place.write("...toml", &config.replace("name = 'cup'\n", ""));
    says("...toml", &["...toml: the tournament would be called \"..\"", "a `name`"]);
}
