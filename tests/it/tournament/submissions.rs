//! `[[bots]]`: folders of submissions. Those that cannot play are listed with the reason, and the
//! others play.

use crate::support::place::{FIRST, Place, WAITS, cup};
use crate::support::{POSIX, skip, wait_for};
use arbiter::text::is_visible;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const TWO: [(&str, &str); 2] = [("ada", "builtin:random"), ("bea", "builtin:greedy")];

/// Bots with a `bot.toml`, bots with the common command, and bots that cannot play.
fn submissions(place: &Place) {
    place.write("in/plain/bot.sh", FIRST);
    place.write("in/manifest/play.sh", FIRST);
    place.write("in/manifest/bot.toml", "name = 'conny the great'\ncommand = 'sh play.sh'\n");
    place.write("in/builds/source.sh", FIRST);
    place.write(
        "in/builds/bot.toml",
        "command = 'sh made.sh'\nbuild = 'echo making it; cp source.sh made.sh; echo a warning >&2'\n",
    );
    place.write(
        "in/unbuilt/bot.toml",
        "command = './bot'\nbuild = 'echo compiling; echo boom >&2; exit 4'\n",
    );
    place.write("in/environment/bot.sh", FIRST);
    place.write("in/environment/bot.toml", "command = 'sh bot.sh'\nenv = { LEVEL = '3' }\n");
    place.write("in/empty/bot.sh", "echo bot.sh is not written yet >&2\nexit 2\n");
    place.write("in/no bot/bot.sh", FIRST);
    place.write("in/.git/config", "");
    place.write("in/stray-file.txt", "");
    place.write("late/nothing/readme.txt", "soon");
}

const FOLDERS: &str = "[[bots]]\nfolder = 'in'\ncommand = 'sh bot.sh'\n[[bots]]\nfolder = 'late'\n";

/// The bots that cannot play, with words of the reason.
const ABSENT: [(&str, &[&str]); 5] = [
    ("empty", &["exit status", "bots/empty/trial.log"]),
    ("environment", &["env"]),
    ("no bot", &["cannot be the name of a bot", "mv -- 'no bot' no-bot"]),
    ("nothing", &["not submitted"]),
    ("unbuilt", &["exit status 4", "bots/unbuilt/build.log"]),
];

#[test]
fn who_cannot_play_is_listed_and_the_others_play() {
    let place = Place::new();
    submissions(&place);
    let config = cup("games = 2", FOLDERS, &TWO);
    let ran = place.ends(0, &config, "out", &[]);
    assert_eq!(place.journal("out").len(), 20, "{ran:?}");
    let table: Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    assert_eq!(table["bots"].as_array().unwrap().len(), 5, "{table}");
    let names: Vec<&str> =
        table["bots"].as_array().unwrap().iter().map(|b| b["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"manifest"), "a label is no name: {names:?}");
    assert_eq!(bots(&table)["manifest"]["display"], "conny the great");
    let absent = table["absent"].as_array().unwrap();
    assert_eq!(absent.len(), ABSENT.len(), "{table}");
    let (page, junit) = (place.text("out/standings.md"), place.text("out/junit.xml"));
    for ((name, words), listed) in ABSENT.into_iter().zip(absent) {
        assert_eq!(listed["name"], name, "{table}");
        let reason = listed["reason"].as_str().unwrap();
        for word in words {
            assert!(reason.contains(word), "{name}: {word:?} is not in {reason:?}");
        }
        assert!(
            page.contains(name) && ran.stdout.contains(name) && ran.stderr.contains(name),
            "{name}: {page}"
        );
        let case = junit
            .split("<testcase ")
            .find(|case| case.starts_with(&format!("name=\"{name}\"")))
            .unwrap();
        assert!(case.contains("<error ") && case.contains("type=\"not-scheduled\""), "{case}");
    }
    // The output of a build is kept, whether it fails or not.
    assert_eq!(place.text("out/bots/builds/build.log").trim_end(), "making it\na warning");
    assert_eq!(place.text("out/bots/unbuilt/build.log").trim_end(), "compiling\nboom");
    // Only its author sees a bot's output, unless `stderr = "public"`.
    assert!(place.text("out/bots/empty/trial.log").contains("bot.sh"));
    for file in ["standings.json", "standings.md", "junit.xml"] {
        let text = place.text(&format!("out/{file}"));
        assert!(!text.contains("  boom") && !text.contains("last on stderr"), "{file}: {text}");
    }
    // Who does not play has a page, with the words of the compiler or of the bot.
    for ((name, words), file) in
        ABSENT.into_iter().zip(["empty", "environment", "no-bot", "nothing", "unbuilt"])
    {
        let feedback = place.text(&format!("out/feedback/{file}.md"));
        assert!(
            feedback.starts_with(&format!("# {name} in cup\n\n- It does not play: ")),
            "{feedback}"
        );
        assert!(feedback.contains(words[0]), "{feedback}");
    }
    let unbuilt = place.text("out/feedback/unbuilt.md");
    let output = "Output of its build:\n\n```text\ncompiling\nboom\n```\n";
    let again = "To repeat it, in your bot's folder:\n\n```sh\necho compiling; echo boom >&2; exit 4\n```\n";
    assert!(unbuilt.contains(output) && unbuilt.ends_with(again), "{unbuilt}");
    let empty = place.text("out/feedback/empty.md");
    assert!(empty.contains("What it wrote:\n\n```text\n") && empty.contains("bot.sh"), "{empty}");
    assert!(
        empty.contains("\narbiter play lineup FOLDER builtin:random --sandbox basic\n"),
        "{empty}"
    );
    // The paths of the folders are not published.
    let here = place.path("").display().to_string();
    for file in ["standings.json", "standings.md", "junit.xml", "games.pgn"] {
        assert!(!place.text(&format!("out/{file}")).contains(&here), "{file}");
    }
    assert!(
        !ran.stdout.contains(&here) && !unbuilt.contains(&here) && !empty.contains(&here),
        "{ran:?}"
    );

    // The same folder again: the tournament is the same; --strict fails for a missing bot.
    let before = place.results("out");
    place.ends(1, &config, "out", &["--strict"]);
    place.ends(1, &config, "out", &["--strict=nothing"]);
    place.ends(0, &config, "out", &["--strict=plain"]);
    assert_eq!(place.results("out"), before);
    let shown = crate::support::run(&["standings", place.path("out").to_str().unwrap()]);
    assert_eq!(shown.stdout.trim(), ran.stdout[ran.stdout.find("cup\n").unwrap()..].trim());

    // A bot that is fixed joins.
    place.write("in/empty/bot.sh", FIRST);
    place.ends(0, &config, "out", &[]);
    assert_eq!(place.journal("out").len(), 30);
    assert!(place.text("out/feedback/empty.md").contains("\n- Rank "));
    // A bot that has played, and is now missing or broken.
    std::fs::remove_file(place.path("in/plain/bot.sh")).unwrap();
    let ran = place.ends(1, &config, "out", &["--strict"]);
    assert!(ran.stderr.contains("plain is withdrawn: games that no longer count: 10"), "{ran:?}");
    let last = ran.stderr.lines().last().unwrap();
    let absent = ["environment", "no bot", "nothing", "plain", "unbuilt"]
        .map(|name| format!("{name} does not play"));
    assert_eq!(last, format!("exit status 1: {}", absent.join("; ")));
    assert!(
        place.text("out/feedback/plain.md").starts_with("# plain in cup\n\n- It does not play: ")
    );
    std::fs::remove_dir_all(place.path("in/plain")).unwrap();
    place.ends(0, &config, "out", &[]);
    assert_eq!(place.journal("out").len(), 30);
    assert!(!place.text("out/games.pgn").contains("\"plain\""));
}

/// The bots of a table by their names.
fn bots(table: &Value) -> BTreeMap<&str, &Value> {
    table["bots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bot| (bot["name"].as_str().unwrap(), bot))
        .collect()
}

/// Texts that a person may give as the name of a bot, and what is shown.
fn display_names() -> [(&'static str, String, String); 6] {
    let long = "N".repeat(10_000);
    let shown = |text: &str| text.to_owned();
    [
        ("zoe", shown("Zo\u{eb} \u{3a9}"), shown("Zo\u{eb} \u{3a9}")),
        ("also-zoe", shown("Zo\u{eb} \u{3a9}"), shown("Zo\u{eb} \u{3a9}")),
        ("lines", shown("| a\n## b\u{202e}"), shown("| a ## b?")),
        ("markup", shown("</script><img src=x>"), shown("</script><img src=x>")),
        ("long", long.clone(), format!("{}…", &long[..40])),
        ("by-organiser", shown("mine"), shown("Mx. Ω")),
    ]
}

#[test]
fn a_name_that_a_person_chose_is_shown_after_that_of_the_bot() {
    let place = Place::new();
    for (name, text, _) in display_names() {
        let quoted = serde_json::to_string(&text).unwrap();
        place.write(
            &format!("in/{name}/bot.toml"),
            &format!("command = 'sh bot.sh'\nname = {quoted}\n"),
        );
        place.write(&format!("in/{name}/bot.sh"), FIRST);
    }
    let names = "[names]\nby-organiser = 'Mx. Ω'\nada = 'Ada of the organiser'\nbea = 'bea'\nnobody = 'Nobody'\n";
    let config = cup("games = 1", &format!("[[bots]]\nfolder = 'in'\n{names}"), &TWO);
    let ran = place.ends(0, &config, "out", &[]);
    let table: Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    let found = bots(&table);
    for (name, _, shown) in display_names() {
        assert_eq!(found[name]["display"], *shown, "{table}");
    }
    assert_eq!(found["ada"]["display"], "Ada of the organiser");
    assert_eq!(found["bea"].get("display"), None, "the same as its name");
    let page = place.text("out/standings.md");
    assert!(page.contains("| zoe | Zoë Ω | ") && page.contains("| also-zoe | Zoë Ω | "), "{page}");
    assert!(
        page.contains("| lines | \\| a \\#\\# b? | ") && page.contains("| bea |  | "),
        "{page}"
    );
    assert!(ran.stdout.contains("  markup        </script><img src=x>  "), "{ran:?}");
    let shown = crate::support::run(&["standings", place.path("out").to_str().unwrap()]);
    assert!(shown.stdout.contains("Mx. Ω") && !shown.stdout.contains("mine"), "{shown:?}");
    for file in ["games.pgn", "junit.xml", "feedback/zoe.md"] {
        assert!(!place.text(&format!("out/{file}")).contains("Zoë"), "{file}");
    }
    // Under aliases there is none, and where a sentence quotes an author it is left out.
    place.write("in/broken/bot.toml", "command = 'sh bot.sh'\nname = Ada of the organiser\n");
    let ran = place.ends(0, &format!("{config}[publish]\nnames = 'alias'\n"), "alias", &[]);
    let files = ["standings.json", "standings.md", "junit.xml", "games.pgn"];
    let texts = files.map(|file| place.text(&format!("alias/{file}")));
    for text in texts.iter().chain([&ran.stdout, &ran.stderr]) {
        for word in ["Zoë", "Mx.", "img", "NNN", "Ada of"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
    }
    // No line of a bot.toml stands there at all: it may have the name of a person.
    place.write("in/other/bot.toml", "command = 'sh bot.sh'\nauthors = Annabel Quark\n");
    let ran = place.ends(0, &format!("{config}[publish]\nnames = 'alias'\n"), "lines", &[]);
    for text in
        [place.text("lines/standings.json"), place.text("lines/junit.xml"), ran.stdout, ran.stderr]
    {
        assert!(!text.contains("the line is") && !text.contains("Quark"), "{text}");
    }
    assert!(place.text("lines/standings.json").contains("line 2: not TOML"));
    assert!(
        place.text("lines/feedback/other.md").contains("the line is \\`authors = Annabel Quark\\`")
    );
    // What cannot be shown is refused in the configuration.
    for wrong in ["''", "'\u{202e}x'", "' a'", "'12345678901234567890123456789012345678901'", "3"] {
        let ran = place.ends(2, &config.replace("'Mx. Ω'", wrong), "wrong", &[]);
        assert!(ran.stderr.contains("`by-organiser` in [names] cannot be "), "{ran:?}");
        assert!(ran.stderr.contains("write 1 to 40 visible characters"), "{ran:?}");
    }
    let ran = place.ends(2, &config.replace("nobody", "'Zoë'"), "wrong", &[]);
    assert!(
        ran.stderr.contains("`Zoë` is no name of a bot: a name is 1 to 64 of a to z"),
        "{ran:?}"
    );
}

#[test]
fn no_two_folders_are_told_to_take_the_same_name() {
    let place = Place::new();
    for name in ["Zoë", "Zoé", "Zo-", "zö", "小明", "小红", "bot-3", "a b", "a_b", "A~B", "a-b-2"]
    {
        place.write(&format!("in/{name}/bot.sh"), FIRST);
    }
    place.write("in/bot", "a file");
    place.write("late/Zoè/bot.sh", FIRST);
    let folders = "[[bots]]\nfolder = 'in'\ncommand = 'sh bot.sh'\n[[bots]]\nfolder = 'late'\ncommand = 'sh bot.sh'\n";
    let config = cup("games = 1", folders, &[("a-b", "builtin:random")]);
    place.ends(0, &config, "out", &[]);
    let table: Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    let reasons: Vec<&str> = table["absent"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bot| bot["reason"].as_str().unwrap())
        .collect();
    let commands: Vec<&str> =
        reasons.iter().map(|reason| reason.split_once(": mv -- ").unwrap().1).collect();
    assert_eq!(commands.len(), 8, "{reasons:?}");
    for command in &commands {
        let folder = if command.contains('è') { "late" } else { "in" };
        let moved = std::process::Command::new("sh")
            .args(["-c", &format!("mv -n -- {command}")])
            .current_dir(place.path(folder))
            .status();
        assert!(moved.unwrap().success(), "{command}");
    }
    // Each is a bot of its own then.
    let ran = place.ends(0, &config, "out", &["--strict"]);
    let table: Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    assert_eq!(bots(&table).len(), 13, "{ran:?}");
}

#[test]
fn notes_quote_a_line_as_a_line() {
    let place = Place::new();
    place.write("in/manifest/bot.toml", "command = 'sh bot.sh'\r\nmemory =\r\n[");
    place.write(
        "in/unknown/bot.toml",
        "command = './bot'\nsize = 3\n\tseize = 4 # why\nx1 = 1\nx2 = 2\n",
    );
    place.write(
        "in/unbuilt/bot.toml",
        "command = './bot'\nbuild = 'echo a.c:3: error; echo boom >&2; exit 4'\n",
    );
    place.write("in/empty/bot.toml", "");
    let config = cup("games = 1", "[publish]\nstderr = 'public'\n[[bots]]\nfolder = 'in'\n", &TWO);
    let ran = place.ends(0, &config, "out", &[]);
    let table: Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    for (bot, reason) in table["absent"].as_array().unwrap().iter().zip([
        "bot.toml, line 1: the file needs `command`, such as command = \"python3 bot.py\"",
        "bot.toml, line 2: not TOML: ",
        "its build `echo a.c:3: error; echo boom >&2; exit 4` ended with exit status 4 | a.c:3: error | boom",
        "bot.toml, line 2: unknown key `size`; known are name, command, build, dialect, adapter, scratch, console, authors, language, games; the line is \
         `size = 3`; line 3: unknown key `seize`; known are name, command, build, dialect, adapter, scratch, console, authors, language, games; the line \
         is `seize = 4 # why`; line 4: unknown key `x1`; known are name, command, build, dialect, adapter, scratch, console, authors, \
         language, games; the line is `x1 = 1`; and 1 more",
    ]) {
        let said = bot["reason"].as_str().unwrap();
        assert!(said.starts_with(reason), "{said}");
        assert!(said.chars().all(is_visible), "{said}");
        let feedback = place.text(&format!("out/feedback/{}.md", bot["name"].as_str().unwrap()));
        assert!(feedback.lines().any(|line| line.starts_with("- It does not play: ")), "{feedback}");
        assert!(!feedback.contains(" | ^") && !ran.stdout.contains(" | ^"), "{feedback}");
    }
    assert!(ran.stdout.contains("; the line is `memory =`"), "{ran:?}");
}

#[test]
fn where_too_few_start_it_is_said_why() {
    let place = Place::new();
    place.write("in/empty/readme.txt", "");
    place.write("in/unbuilt/bot.toml", "command = './bot'\nbuild = 'echo boom; exit 4'\n");
    let config = cup("games = 2", "[[bots]]\nfolder = 'in'\n", &TWO[..1]);
    let ran = place.ends(2, &config, "out", &[]);
    for words in
        [["empty", "not submitted"], ["unbuilt", "exit status 4"], ["two bots or more", ""]]
    {
        assert!(words.iter().all(|word| ran.stderr.contains(word)), "{words:?} {ran:?}");
    }
    assert!(!place.path("out/games.pgn").exists());
    // Their authors are told nevertheless.
    assert!(place.text("out/feedback/unbuilt.md").contains("\nboom\n"));
    assert!(place.text("out/feedback/empty.md").contains("not submitted"));
}

#[test]
fn feedback_is_there_before_the_first_game() {
    let place = Place::new();
    place.write("waits.py", WAITS);
    place.write("in/unbuilt/bot.toml", "command = './bot'\nbuild = 'echo boom; exit 4'\n");
    let bots = [("a", "python3 waits.py"), ("b", "builtin:greedy")];
    let config = cup("games = 2", "[[bots]]\nfolder = 'in'\n", &bots);
    let mut child = place.start(&config, "out", &[]);
    wait_for("a bot in its first ply", || {
        let mut files = place.path("").read_dir().unwrap();
        files
            .any(|file| file.unwrap().file_name().to_string_lossy().starts_with("waiting-"))
            .then_some(())
    });
    assert!(place.text("out/feedback/unbuilt.md").contains("\nboom\n"));
    place.write("release", "");
    assert_eq!(child.wait().unwrap().code(), Some(0), "{}", place.text("err.txt"));
}

#[test]
fn a_bot_is_tested_on_the_cores_of_a_game() {
    if POSIX {
        return skip("games have no cores of their own: on how many a bot is tested");
    }
    let place = Place::new();
    // It gets ready only where it has the cores of a game. With one worker and frozen bots that is
    // one core.
    place.write(
        "in/pinned/bot.py",
        "import os, sys\nif len(os.sched_getaffinity(0)) > 1: sys.exit('too many cores')\n",
    );
    let bot = place.text("in/pinned/bot.py") + crate::support::place::LAST;
    place.write("in/pinned/bot.py", &bot);
    let folder = "[[bots]]\nfolder = 'in'\ncommand = 'python3 bot.py'\n";
    let config = cup("games = 2", folder, &TWO[..1]);
    place.ends(0, &config, "out", &["--strict", "--concurrency", "1"]);
    assert_eq!(place.journal("out").len(), 2);
    // Where games are not pinned, the test is not either.
    let config = config.replace("[limits]", "[match]\npin = 'off'\n[limits]");
    let ran = place.play(&config, "free", &["--concurrency", "1"]);
    let count = ["-c", "import os; print(len(os.sched_getaffinity(0)))"];
    let cores = std::process::Command::new("python3").args(count).output().unwrap().stdout;
    assert_eq!(ran.stderr.contains("pinned does not play"), cores != b"1\n", "{ran:?}");
}

#[test]
fn paths_of_submissions_are_not_published() {
    let (place, other) = (Place::new(), Place::new());
    other.write("in/unbuilt/bot.toml", "command = './bot'\nbuild = 'pwd; exit 4'\n");
    other.write("in/wrong/bot.toml", "command = './bot'\nsize = 3\n");
    other.write("in/gone/bot.toml", "command = 'bin/bot'\n");
    // The folder is not below that of the configuration.
    let here = other.path("").display().to_string();
    let config = cup("games = 2", &format!("[[bots]]\nfolder = '{here}in/../in'\n"), &TWO);
    let ran = place.ends(0, &config, "out", &[]);
    let shown = crate::support::run(&["standings", place.path("out").to_str().unwrap()]);
    let files = ["standings.json", "standings.md", "junit.xml"]
        .map(|file| place.text(&format!("out/{file}")));
    for text in files.iter().chain([&ran.stdout, &shown.stdout]) {
        assert!(text.contains("unbuilt") && !text.contains(&here), "{text}");
    }
}

#[test]
fn in_a_swiss_tournament_who_is_late_stays_out() {
    let place = Place::new();
    place.write("in/plain/bot.sh", FIRST);
    place.write("in/empty/readme.txt", "");
    let folder = "[[bots]]\nfolder = 'in'\ncommand = 'sh bot.sh'\n";
    let config = cup("format = 'swiss'\nrounds = 2", folder, &TWO);
    place.ends(0, &config, "out", &[]);
    let before = place.text("out/games.pgn");
    place.write("in/empty/bot.sh", FIRST);
    let ran = place.ends(0, &config, "out", &[]);
    assert!(
        ran.stderr.contains("empty does not play: could not be started when the tournament began"),
        "{ran:?}"
    );
    assert_eq!(place.text("out/games.pgn"), before);
    place.ends(1, &config, "out", &["--strict"]);
}

#[test]
fn who_is_excluded_is_listed_and_takes_no_place() {
    let place = Place::new();
    for name in ["jan", "JAN", "ben"] {
        place.write(
            &format!("in/{name}/bot.toml"),
            "command = 'sh bot.sh'\nbuild = 'touch built'\n",
        );
        place.write(&format!("in/{name}/bot.sh"), FIRST);
    }
    let folder = "[[bots]]\nfolder = 'in'\nexclude = ['JAN', 'bem']\n";
    let config = cup("games = 1", folder, &TWO);
    // No author has to mend anything: neither --strict nor a shard fails for it. The other one of
    // the name plays.
    let ran = place.ends(0, &config, "out", &["--strict"]);
    assert!(ran.stderr.contains("note: exclude: bem is no folder in in"), "{ran:?}");
    let table: Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    assert_eq!(bots(&table).into_keys().collect::<Vec<_>>(), ["ada", "bea", "ben", "jan"]);
    assert_eq!(table["absent"].as_array().unwrap().len(), 1);
    assert!(place.text("out/junit.xml").contains("<skipped message=\"excluded by the organiser"));
    assert!(!place.text("out/junit.xml").contains("<error "));
    assert!(!place.path("out/bots/JAN").exists(), "it is not built");
    assert!(
        place.text("out/feedback/JAN-2.md").contains("does not play: excluded by the organiser")
    );
    for shard in ["1/2", "2/2"] {
        place.ends(0, &config, &format!("part{}", &shard[..1]), &["--shard", shard]);
    }
    let parts = ["part1", "part2", "merged"].map(|part| place.path(part).display().to_string());
    let merged =
        crate::support::run(&["merge", &parts[0], &parts[1], "--out", &parts[2], "--strict"]);
    assert_eq!(merged.status, Some(0), "{merged:?}");
    // Under aliases nothing names whom a line of the list means.
    let alias = format!("{config}[publish]\nnames = 'alias'\n");
    let ran = place.ends(0, &alias, "alias", &[]);
    let unknown = "name 2 in the list, which has names of folders and not aliases, is no folder";
    assert!(ran.stderr.contains(unknown), "{ran:?}");
    assert!(!ran.stderr.contains("JAN") && !ran.stderr.contains("bem"), "{ran:?}");
    // A bot may have the name of a word of the reason, which aliases leave out there.
    place.write("in/organiser/bot.sh", FIRST);
    let alias = alias
        .replace("['JAN', 'bem']", "['JAN', 'organiser']")
        .replace("exclude", "command = 'sh bot.sh'\nexclude");
    place.ends(0, &alias, "organiser", &["--strict"]);
    assert!(!place.text("organiser/junit.xml").contains("<error "));
    // Where the bots of the beginning have to be there it is refused.
    let swiss =
        cup("format = 'swiss'\nrounds = 2", "[[bots]]\nfolder = 'in'\nexclude = ['JAN']\n", &TWO);
    place.ends(0, &swiss, "swiss", &[]);
    let ran = place.ends(2, &swiss.replace("['JAN']", "['JAN', 'ben']"), "swiss", &[]);
    assert!(
        ran.stderr.contains("ben") && ran.stderr.contains("excluded by the organiser"),
        "{ran:?}"
    );
}

#[test]
fn what_archives_leave_behind_is_no_bot_and_a_folder_in_a_folder_is_entered() {
    let place = Place::new();
    // As archives of macOS and Windows unpack.
    place.write("in/ada/HW1/bot.toml", "command = 'sh play.sh'\n");
    place.write("in/ada/HW1/play.sh", FIRST);
    place.write("in/ada/__MACOSX/HW1/._play.sh", "attributes");
    place.write("in/ada/Thumbs.db", "pictures");
    place.write("in/bea/a/b/bot.sh", FIRST);
    place.write("in/cyd/bot.sh", FIRST);
    place.write("in/cyd/old/bot.toml", "command = 'false'\n");
    // Nothing says which of two is meant.
    place.write("in/dan/one/bot.toml", "command = 'false'\n");
    place.write("in/dan/two/bot.toml", "command = 'false'\n");
    for leftover in
        ["__MACOSX/ada/._bot.sh", "__pycache__/bot.pyc", "lost+found/bot.sh", "@eaDir/x"]
    {
        place.write(&format!("in/{leftover}"), "");
    }
    let config = cup("games = 2", "[[bots]]\nfolder = 'in'\ncommand = 'sh bot.sh'\n", &[]);
    let ran = place.ends(0, &config, "out", &[]);
    let table: Value = serde_json::from_str(&place.text("out/standings.json")).unwrap();
    let played: Vec<&str> = bots(&table).into_keys().collect();
    assert_eq!(played, ["ada", "bea", "cyd"], "{ran:?}");
    let absent = table["absent"].as_array().unwrap();
    assert_eq!(absent.len(), 1, "{table}");
    assert_eq!(absent[0]["name"], "dan");

    // `check` finds the same bots.
    assert_eq!(checked(&place, "in/ada"), ["ada".to_owned()].into());
    assert_eq!(checked(&place, "in"), ["ada", "bea", "cyd", "dan"].map(str::to_owned).into());

    // What is left behind later is no change of the bot.
    place.write("in/ada/HW1/._bot.toml", "attributes");
    place.write("in/bea/a/b/desktop.ini", "icon");
    let before = place.journal("out").len();
    let ran = place.ends(0, &config, "out", &[]);
    assert!(!ran.stderr.contains("changed"), "{ran:?}");
    assert_eq!(place.journal("out").len(), before, "{ran:?}");
}

/// The names of the bots that `check` finds in a folder.
fn checked(place: &Place, folder: &str) -> BTreeSet<String> {
    let folder = place.path(folder);
    let config = place.path("cup.toml");
    let ran = crate::support::run(&[
        "check",
        folder.to_str().unwrap(),
        "--game",
        "lineup",
        "--json",
        "--config",
        config.to_str().unwrap(),
        "--out",
        place.path("checked").to_str().unwrap(),
    ]);
    let lines = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter_map(|line| line["bot"].as_str().map(str::to_owned)).collect()
}
