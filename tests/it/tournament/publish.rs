//! Which parts of a tournament are public, and which only a bot's author sees.

use crate::support::page::text_of;
use crate::support::place::{LAST, Place, cup};
use crate::support::run;
use arbiter::game_id::{game_id, names_in, parts_of};

const SECRET: &str = "the-word-on-stderr";

/// All public files of a result folder, and the printed output.
fn public(place: &Place, out: &str, ran: &crate::support::Ran) -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> =
        ["games.pgn", "standings.json", "standings.md", "junit.xml"]
            .map(|file| (file.to_owned(), place.text(&format!("{out}/{file}"))))
            .into();
    texts.push(("report.html".to_owned(), text_of(&place.text(&format!("{out}/report.html")))));
    texts.push(("stdout".to_owned(), ran.stdout.clone()));
    for format in ["text", "markdown", "json"] {
        let shown = run(&["standings", place.path(out).to_str().unwrap(), "--format", format]);
        texts.push((format!("standings --format {format}"), shown.stdout));
    }
    let shown = run(&["standings", place.path(out).to_str().unwrap(), "--format", "junit"]);
    texts.push(("standings --format junit".to_owned(), shown.stdout));
    texts
}

/// The id of a game by the own names of its bots.
fn own_id(place: &Place, out: &str, id: &str) -> String {
    let list = place.text(&format!("{out}/aliases.txt"));
    let own = |alias: &str| list.lines().find_map(|line| line.strip_prefix(alias)).unwrap().trim();
    let ((one, other), (_, number)) = names_in(id).zip(parts_of(id)).unwrap();
    game_id(own(one), own(other), number)
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
    place.write(
        "in/real-unbuilt/bot.toml",
        "command = './bot'\nbuild = 'echo broken >&2; exit 1'\n",
    );
    place.write("in/real-wrong/bot.toml", "command = 'sh bot.sh'\nsize = 3\n");
    place.write("in/real-missing/bot.toml", "command = './no-such-bot'\n");
    place.write("in/real name/bot.toml", "command = './no-such-bot'\n");
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
        let ran = place
            .command(&publish, out, &[])
            .env("GITHUB_STEP_SUMMARY", &place_summary)
            .output()
            .unwrap();
        let ran: crate::support::Ran = ran.into();
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let mut texts = public(&place, out, &ran);
        texts.push(("summary".to_owned(), std::fs::read_to_string(place_summary).unwrap()));
        let list = place.text(&format!("{out}/aliases.txt"));
        let aliases: Vec<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
        for (what, text) in texts {
            for hidden in ["real-", "real name", SECRET, &*here] {
                let line = text.lines().find(|line| line.contains(hidden));
                assert_eq!(line, None, "{what} ({junit}) shows {hidden}");
            }
            assert!(aliases.iter().any(|alias| text.contains(alias)), "{what}: {text}");
        }
        // The author of a bot sees its name, and no other.
        let page = place.text(&format!("{out}/feedback/real-crash.md"));
        let is_against = |alias: &&str| page.contains(&format!("against {alias}"));
        assert!(page.contains("real-crash") && page.contains(SECRET), "{page}");
        assert!(aliases.iter().any(is_against), "{page}");
        let mut log = String::new();
        for (path, text) in place.snapshot(&format!("{out}/feedback/real-crash")) {
            let (path, text) = (path.display().to_string(), String::from_utf8(text).unwrap());
            for text in [path.split("/feedback/").nth(1).unwrap(), &text, &page] {
                let others = text.replace("real-crash", "");
                assert!(!others.contains("real-") && !others.contains(&*here), "{others}");
            }
            log = if text.is_empty() { log } else { text };
        }
        assert!(log.contains("\"real-crash\"") && !log.contains("[Seed "), "{log}");
        assert_eq!(
            run(&["verify", place.path(&format!("{out}/games.pgn")).to_str().unwrap()]).status,
            Some(0)
        );
        // A game is found by its published id and by its own.
        let id = |text: &str| {
            text.split_once("[GameId \"").unwrap().1.split_once('"').unwrap().0.to_owned()
        };
        let published = place.text(&format!("{out}/games.pgn"));
        assert!(!published.contains("[Seed "), "{published}");
        let own = own_id(&place, out, &place.journal(out)[0].0);
        let ids = [
            id(&published),
            id(&log),
            own.clone(),
            crate::support::place::tags(&published, "SentId")[0].to_owned(),
        ];
        for asked in [&own, &ids[0], &ids[3]] {
            let ran = run(&["replay", place.path(out).to_str().unwrap(), asked, "--plain"]);
            assert!(ran.stdout.contains(&ids[0]), "{asked}: {ran:?}");
        }
        for id in &ids {
            let folder = place.path(out);
            let found = run(&["rerun", folder.to_str().unwrap(), id, "--requests", "none"]);
            // The bots are called as the id calls them, so that nothing more is shown to whoever
            // has a published one.
            assert!(found.stderr.contains("the bots of the game are "), "{id}: {found:?}");
            assert_eq!(found.stderr.contains("real-"), id.contains("real-"), "{id}: {found:?}");
        }
        // Aliases stay the same when the same tournament is continued.
        let before = place.results(out);
        let again = || {
            ["three/been", "four/been"].map(|been| std::fs::remove_file(place.path(been)).unwrap())
        };
        again(); // these bots start once only
        place.ends(0, &publish, out, &[]);
        assert_eq!(place.results(out), before);
        again();
    }
    // With public stderr, the files contain it.
    let open = place.ends(0, &format!("{config}[publish]\nstderr = 'public'\n"), "open", &[]);
    assert!(place.text("open/junit.xml").contains(SECRET), "{open:?}");
    assert!(text_of(&place.text("open/report.html")).contains(SECRET));
}

/// Standard error is what others see of a run in CI.
#[test]
fn what_a_run_prints_has_no_names_under_aliases() {
    let place = Place::new();
    place.write("in/real-changing/bot.py", &format!("open('bot.py', 'a').write('#\\n')\n{LAST}"));
    place.write("in/real-changing/bot.toml", "command = 'python3 bot.py'\n");
    place.write("in/real-missing/bot.toml", "command = './no-such-bot'\n");
    place.write("in/real name/bot.toml", "command = './no-such-bot'\n");
    place.write("in/real-crash/bot.toml", "command = 'sh bot.sh'\n");
    place.write("in/real-crash/bot.sh", "echo ready\nexit 9\n");
    let more = "[[bots]]\nfolder = 'in'\n[publish]\nnames = 'alias'\n";
    let without_names = |ran: &crate::support::Ran, said: &[&str]| {
        let shown = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!shown.contains("real-") && !shown.contains("real name"), "{shown}");
        for words in said {
            assert!(shown.contains(words), "{words}: {shown}");
        }
    };
    let own = [("real-own", "builtin:greedy")];
    for (format, status, said) in [
        ("round-robin", 0, "changed (bot.py): "),
        ("swiss", 2, "the games of a swiss depend on each other"),
    ] {
        let config = cup(&format!("games = 2\nformat = '{format}'"), more, &own);
        let ran = place.ends(0, &config, format, &[]);
        without_names(&ran, &["does not play: ", "changed during the run (bot.py)"]);
        let list = place.text(&format!("{format}/aliases.txt"));
        for name in ["real-own", "real-changing", "real-missing", "real name", "real-crash"] {
            let line = list.lines().find(|line| line.ends_with(&format!(" {name}"))).unwrap();
            let alias = line.split(' ').next().unwrap();
            assert!(ran.stderr.contains(alias) || ran.stdout.contains(alias), "{line}: {ran:?}");
        }
        let edited = place.text("in/real-changing/bot.py") + "# edited\n";
        place.write("in/real-changing/bot.py", &edited);
        without_names(&place.ends(status, &config, format, &[]), &[said]);
    }
    let broken = cup("games = 2", more, &[("real-own", "sh in/real-missing/bot.sh")]);
    // The list of the aliases is there before the first message about a bot.
    let ran = place.ends(2, &broken, "broken", &[]);
    let list = place.text("broken/aliases.txt");
    let line = list.lines().find(|line| line.ends_with(" real-own")).unwrap();
    without_names(&ran, &[&format!("{}: ", line.split(' ').next().unwrap())]);
}
