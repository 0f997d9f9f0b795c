//! What the command line says of itself: help on one screen, usage errors, what a shell completes,
//! manual pages.

use crate::support::{ARBITER, POSIX, Ran, arbiter, commands, project, run, skip};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn the_help_of_each_command_is_one_screen_with_examples_that_fit() {
    let of = |command: &str, flag: &str| match command {
        "" => run(&[flag]).stdout,
        command => run(&[command, flag]).stdout,
    };
    for command in commands().iter().map(String::as_str).chain([""]) {
        let help = of(command, "--help");
        assert!(help.lines().count() <= 40, "{command}: {} lines\n{help}", help.lines().count());
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
        let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_default();
        let all = of(command, "--help-all");
        let (_, more) = all.split_once("\nExamples:\n").unwrap_or_default();
        let more = more.lines().take_while(|line| !line.is_empty());
        assert!(!examples.is_empty(), "{help}");
        assert!(examples.lines().chain(more).all(|line| line.starts_with("  arbiter ")), "{all}");
        assert_eq!(help, of(command, "-h"));
    }
}

#[test]
fn the_doctor_says_what_is_in_force_what_is_missing_and_how_many_games_run_on_every_system() {
    let ran = run(&["doctor"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let isolation = if POSIX {
        "isolation: basic: this system has no strict"
    } else {
        "strict on this machine: strict "
    };
    let begins = |words: &str| ran.stdout.lines().any(|line| line.starts_with(words));
    assert!(begins(isolation), "{ran:?}");
    assert!(POSIX || ran.stdout.starts_with("strict holds: "), "{ran:?}");
    assert!(begins("cores: ") && ran.stdout.contains("; games at a time by default: "), "{ran:?}");
    assert!(!POSIX || begins("advice: bots have all your rights"), "{ran:?}");
}

#[test]
fn a_usage_error_shows_the_usage_of_the_command_that_was_typed() {
    let cases: [&[&str]; 5] = [
        &["play", "loa"],
        &["play", "loa", "a", "b", "--bogus"],
        &["play", "loa", "a", "b", "--games", "x"],
        &["play", "loa", "a", "b", "--time", "3", "--time", "4"],
        &["play", "loa", "a", "b", "--opening-plies", "2", "--position", "x"],
    ];
    for case in cases {
        let ran = run(case);
        let end = "\n\nUsage: arbiter play [OPTIONS] <GAME> <BOT> <BOT>\n\nFor more information, try '--help'.\n";
        assert!(ran.status == Some(2) && ran.stderr.ends_with(end), "{ran:?}");
        assert_eq!(ran.stderr.matches("Usage").count(), 1, "{ran:?}");
    }
}

/// What bash offers for the last word of a line in this folder, through the script that arbiter
/// writes. `replaced` is the part of the word that bash replaces.
fn offered(folder: &Path, words: &[&str], line: &str, replaced: &str) -> Vec<String> {
    let script = run(&["completions", "bash"]).stdout;
    let test = format!(
        "{script}\nCOMP_LINE=\"$1\" COMP_POINT=${{#1}} replaced=$2\nshift 2\nCOMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1))\n\
         _arbiter '{ARBITER}' \"$replaced\"\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    );
    let mut bash = Command::new("bash");
    bash.args(["-c", &test, "bash", line, replaced]).args(words).current_dir(folder);
    let output = bash.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_bots_options_and_the_game_ids_of_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("games.pgn");
    let played = run(&[
        "play",
        "lineup",
        "builtin:random",
        "builtin:greedy",
        "--log",
        log.to_str().unwrap(),
    ]);
    assert_eq!(played.status, Some(0), "{played:?}");
    fs::create_dir(dir.path().join("mybot")).unwrap();
    fs::write(dir.path().join("notes.txt"), "").unwrap();
    let offered = |words: &[&str], line, replaced| offered(dir.path(), words, line, replaced);
    assert_eq!(offered(&["arbiter", "tou"], "arbiter tou", "tou"), ["tournament"]);
    assert_eq!(offered(&["arbiter", "play", "gek"], "arbiter play gek", "gek"), ["gekitai"]);
    let bots = offered(&["arbiter", "play", "loa", ""], "arbiter play loa ", "");
    let has = |word: &str| bots.iter().any(|bot| bot == word);
    assert!(
        has("builtin:greedy") && has("human") && has("mybot/") && !has("notes.txt"),
        "{bots:?}"
    );
    // bash takes the words apart at the colon and at the sign of equality.
    let words = ["arbiter", "play", "loa", "builtin", ":", "gr"];
    assert_eq!(offered(&words, "arbiter play loa builtin:gr", "gr"), ["greedy"]);
    let words = ["arbiter", "moves", "loa", "--set", "stuck", "="];
    assert_eq!(offered(&words, "arbiter moves loa --set stuck=", ""), ["pass", "loss"]);
    let keys =
        offered(&["arbiter", "moves", "loa", "--set", "st"], "arbiter moves loa --set st", "st");
    assert_eq!(keys, ["stuck="]);
    let ids = offered(&["arbiter", "rerun", ".", "gr"], "arbiter rerun . gr", "gr");
    assert_eq!(ids, ["greedy~random.1"]);
    let levels = offered(&["arbiter", "play", "--sandbox", "b"], "arbiter play --sandbox b", "b");
    assert_eq!(levels, ["basic"]);
}

#[test]
fn each_shell_has_a_script_that_it_can_read() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]);
        assert!(
            script.status == Some(0) && script.stdout.contains("ARBITER_COMPLETE"),
            "{script:?}"
        );
        let file = dir.path().join(shell);
        fs::write(&file, script.stdout).unwrap();
        match Command::new(shell).arg("-n").arg(&file).output() {
            Ok(read) if shell != "elvish" && shell != "powershell" => {
                assert!(read.status.success(), "{read:?}")
            }
            _ => skip(&format!("there is no {shell} to read its script")),
        }
    }
    assert_eq!(run(&["completions", "tcsh"]).status, Some(2));
}

#[test]
fn each_command_has_a_manual_page() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("man1");
    let written = run(&["man", folder.to_str().unwrap()]);
    assert_eq!(written.status, Some(0), "{written:?}");
    let mut names: Vec<String> =
        commands().iter().map(|command| format!("arbiter-{command}.1")).collect();
    names.push("arbiter.1".to_owned());
    let mut found: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    names.sort();
    assert_eq!(found, names);
    let page = folder.join("arbiter-play.1");
    match Command::new("groff").args(["-man", "-Tutf8", "-ww", "-P-cbou"]).arg(&page).output() {
        Ok(shown) => {
            let text = String::from_utf8_lossy(&shown.stdout);
            assert!(shown.status.success() && shown.stderr.is_empty(), "{shown:?}");
            assert!(
                text.contains("--wall-cap <CAP> [default: 3x+1s]\n              With --clock")
                    && text.contains("arbiter play loa human builtin:search"),
                "{text}"
            );
        }
        Err(_) => skip("there is no groff to read the manual pages"),
    }
}

/// Runs the program in a folder, with files that may not have any content.
fn without_room(folder: &Path, arguments: &[&str]) -> Ran {
    let limited = "ulimit -f 0; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", limited, ARBITER]).args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).output().unwrap().into()
}

#[test]
fn an_output_replaces_nothing_that_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let [log, link, none, cup] = ["g.pgn", "link.pgn", "none.txt", "cup.toml"].map(at);
    let bots = ["play", "lineup", "builtin:random", "builtin:random", "--sandbox", "off"];
    assert_eq!(run(&[&bots[..], &["--log", &log]].concat()).status, Some(0));
    std::os::unix::fs::symlink(&log, &link).unwrap();
    let config = "game = \"lineup\"\n[limits]\nsandbox = \"off\"\n[schedule]\ngames = 2\n\
        [[bot]]\nname = \"a\"\ncommand = \"builtin:random\"\n\
        [[bot]]\nname = \"b\"\ncommand = \"builtin:random\"\n";
    fs::write(&cup, config).unwrap();
    let folder = at("cup");
    assert_eq!(run(&["tournament", &cup, "--out", &folder]).status, Some(0));
    let journal = format!("{folder}/journal.jsonl");
    let before = [&log, &journal].map(|file| fs::read(file).unwrap());
    for arguments in [
        &["report", &log, "-o", &log][..],
        &["report", &link, "-o", &log],
        &["report", &log, "-o", &link],
        &["replay", &log, "1", "--svg", "-o", &log],
        &["replay", &log, "1", "--gif", "-o", &link],
        &["report", &folder, "-o", &journal],
        &["replay", &folder, "1", "--svg", "-o", &journal],
        &[&bots[..], &["--log", &log, "--transcript", &link]].concat(),
        &[&bots[..], &["--log", &none, "--transcript", &none]].concat(),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains("name another one"), "{arguments:?}: {ran:?}");
    }
    assert_eq!([&log, &journal].map(|file| fs::read(file).unwrap()), before);
    assert!(!Path::new(&none).exists());
    assert_eq!(run(&["report", &folder, "-o", &format!("{folder}/report.html")]).status, Some(0));
    let picture = run(&["replay", &log, "1", "--svg", "-o", "-"]);
    assert!(picture.status == Some(0) && picture.stdout.starts_with("<svg"), "{picture:?}");
    let mut replay = arbiter(&["replay", "-", "1", "--svg", "-o", "-"]);
    let piped: Ran = replay.stdin(fs::File::open(&log).unwrap()).output().unwrap().into();
    assert_eq!((piped.status, piped.stdout), (Some(0), picture.stdout), "{}", piped.stderr);
}

#[test]
fn a_write_that_fails_ends_with_3_and_names_what_was_to_be_written() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        skip("this system has no device that is always full");
        return;
    }
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["play", "--help"],
        &["tournament", "--help-all"],
        &["tournament", "--print-default"],
        &["completions", "bash"],
        &["games"],
        &["new"],
        &["moves", "loa"],
    ] {
        let out = fs::OpenOptions::new().write(true).open(full).unwrap();
        let ran: Ran = arbiter(arguments).stdout(out).output().unwrap().into();
        let said = ran.stderr.contains("standard output: No space left on device");
        assert!(ran.status == Some(3) && said, "{arguments:?}: {ran:?}");
    }

    let play = ["play", "lineup", "builtin:random", "builtin:greedy", "-n", "2"];
    for flag in ["--transcript", "--log"] {
        let ran = run(&[&play[..], &[flag, "/dev/full"]].concat());
        let said = ran.stderr.contains(&format!("{flag} /dev/full"));
        assert!(ran.status == Some(3) && said, "{flag}: {ran:?}");
    }

    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("cup.toml");
    let bots = ["random", "greedy"]
        .map(|bot| format!("[[bot]]\nname = '{bot}'\ncommand = 'builtin:{bot}'\n"));
    fs::write(&config, format!("game = 'lineup'\n{}", bots.concat())).unwrap();
    for summary in ["/dev/full", "/nowhere/summary.md"] {
        let mut command = arbiter(&["tournament", config.to_str().unwrap()]);
        let ran: Ran = command.env("GITHUB_STEP_SUMMARY", summary).output().unwrap().into();
        let said = ran.stderr.contains(&format!("GITHUB_STEP_SUMMARY: {summary}"));
        assert!(ran.status == Some(3) && said, "{ran:?}");
    }

    let log = project("tests/vectors/games/gekitai.pgn");
    let log = log.to_str().unwrap();
    for (file, arguments) in [
        ("pages", &["man", "pages"][..]),
        ("game.py", &["new", "--rules", "game"]),
        ("bot", &["new", "python", "bot"]),
        ("class.toml", &["tournament", "--init=class"]),
        ("ply.svg", &["replay", log, "1", "--svg", "-o", "ply.svg"]),
        ("ply.gif", &["replay", log, "1", "--gif", "-o", "ply.gif"]),
    ] {
        let ran = without_room(dir.path(), arguments);
        let said = ran.stderr.contains(file) && ran.stderr.contains("File too large");
        assert!(ran.status == Some(3) && said, "{arguments:?}: {ran:?}");
    }
}

/// The step of action.yml that plays, as a runner of GitHub runs it.
#[test]
fn the_action_plays_a_tournament() {
    let dir = tempfile::tempdir().unwrap();
    let action = fs::read_to_string(project("action.yml")).unwrap();
    let (_, play) = action.split_once("    - name: Play\n").unwrap();
    let (_, script) = play.split_once("run: |\n").unwrap();
    let (script, _) = script.split_once("    - if").unwrap();
    let config = "game = \"lineup\"\n[[bot]]\nname = \"one\"\ncommand = \"builtin:random\"\n[[bot]]\nname = \"two\"\ncommand = \"builtin:greedy\"\n";
    fs::write(dir.path().join("a cup.toml"), config).unwrap();
    let path = format!(
        "{}:{}",
        Path::new(ARBITER).parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let ran: Ran = Command::new("bash")
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
        .current_dir(dir.path())
        .env("PATH", path)
        .env("GITHUB_STEP_SUMMARY", dir.path().join("summary"))
        .envs([("CONFIG", "a cup.toml"), ("ARGUMENTS", "--strict --concurrency 2")])
        .envs([("STOP_AFTER", "5h"), ("OUT", "the results")])
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(fs::read_to_string(dir.path().join("summary")).unwrap().contains("| one |"), "{ran:?}");
    let uploaded = action.lines().filter_map(|line| line.trim().strip_prefix("${{ inputs.out }}/"));
    for name in uploaded.map(|name| name.replace('*', "json")) {
        assert!(dir.path().join("the results").join(&name).is_file(), "{name}");
    }
}

/// Actions that are named, with the inputs of their `action.yml` at that version.
const ACTIONS: [(&str, &[&str]); 8] = [
    (
        "actions/checkout@v4",
        &[
            "repository",
            "ref",
            "token",
            "ssh-key",
            "ssh-known-hosts",
            "ssh-strict",
            "ssh-user",
            "persist-credentials",
            "path",
            "clean",
            "filter",
            "sparse-checkout",
            "sparse-checkout-cone-mode",
            "fetch-depth",
            "fetch-tags",
            "show-progress",
            "lfs",
            "submodules",
            "set-safe-directory",
            "github-server-url",
        ],
    ),
    (
        "actions/cache/restore@v4",
        &[
            "path",
            "key",
            "restore-keys",
            "fail-on-cache-miss",
            "lookup-only",
            "enableCrossOsArchive",
        ],
    ),
    ("actions/cache/save@v4", &["path", "key", "upload-chunk-size", "enableCrossOsArchive"]),
    (
        "actions/upload-artifact@v4",
        &[
            "name",
            "path",
            "if-no-files-found",
            "retention-days",
            "compression-level",
            "overwrite",
            "include-hidden-files",
        ],
    ),
    (
        "actions/download-artifact@v4",
        &["name", "path", "pattern", "merge-multiple", "github-token", "repository", "run-id"],
    ),
    ("actions/upload-pages-artifact@v3", &["name", "path", "retention-days"]),
    (
        "actions/deploy-pages@v4",
        &["token", "timeout", "error_count", "reporting_interval", "artifact_name", "preview"],
    ),
    ("./", &["config", "arguments", "stop-after", "out"]),
];

/// A step of a workflow: its keys with their values; those of `with` and `env` as `with.KEY`.
type Step = Vec<(String, String)>;

/// The steps of a workflow or of an action, as the few shapes of YAML that these files use.
fn steps(text: &str) -> Vec<Step> {
    let depth = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
    let mut steps: Vec<Step> = Vec::new();
    let mut table: Option<(usize, String)> = None;
    let mut at = usize::MAX; // the depth of the keys of a step
    let is_text = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    for line in text.lines().skip_while(|line| line.trim() != "steps:").skip(1).filter(is_text) {
        if line.trim_start().starts_with("- ") && (at == usize::MAX || depth(line) == at) {
            at = depth(line);
            table = None;
            steps.push(Vec::new());
        }
        let here = depth(line);
        if here < at {
            at = usize::MAX; // the steps of another job follow
            continue;
        }
        let Some((key, value)) = line.trim_start_matches([' ', '-']).split_once(':') else {
            continue;
        };
        let value = value.split(" #").next().unwrap().trim().to_owned();
        let (key, steps_end) = (key.to_owned(), steps.len() - 1);
        match &table {
            _ if here == at => {
                table = value.is_empty().then(|| (usize::MAX, key.clone()));
                steps[steps_end].push((key, value));
            }
            // Deeper lines are those of a text.
            Some((inner, name)) if *inner == usize::MAX || *inner == here => {
                let name = name.clone();
                table = Some((here, name.clone()));
                steps[steps_end].push((format!("{name}.{key}"), value));
            }
            _ => {}
        }
    }
    steps
}

/// What is wrong with the steps of a workflow or of an action.
fn faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let steps = steps(text);
    let value = |step: &Step, key: &str| {
        step.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone())
    };
    for step in &steps {
        let Some(action) = value(step, "uses") else { continue };
        let Some((_, inputs)) = ACTIONS.iter().find(|(name, _)| *name == action) else {
            faults.push(format!("{action} is in no table"));
            continue;
        };
        for (key, _) in step {
            if let Some(input) = key.strip_prefix("with.")
                && !inputs.contains(&input)
            {
                faults.push(format!("{action} has no input {input}"));
            }
        }
        if action.starts_with("actions/cache/save")
            && value(step, "if").as_deref() != Some("always()")
        {
            faults.push("a job that fails does not save the cache".to_owned());
        }
    }
    let keys = |action: &str| -> BTreeSet<Option<String>> {
        let of_action = |step: &&Step| value(step, "uses").as_deref() == Some(action);
        steps.iter().filter(of_action).map(|step| value(step, "with.key")).collect()
    };
    let (restored, saved) = (keys("actions/cache/restore@v4"), keys("actions/cache/save@v4"));
    if restored != saved || saved.iter().flatten().any(|key| !key.contains("github.run_attempt")) {
        faults.push(format!("the cache is restored by {restored:?} and saved by {saved:?}"));
    }
    faults
}

#[test]
fn workflows_use_actions_as_these_are_and_keep_games_when_a_job_fails() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = vec![
        ("action.yml".to_owned(), fs::read_to_string(project("action.yml")).unwrap()),
        (
            "github.yml".to_owned(),
            fs::read_to_string(project("configs/cluster/github.yml")).unwrap(),
        ),
    ];
    let season = fs::read_to_string(project("docs/guides/nightly-league.md")).unwrap();
    let nightly = season.split("```yaml").nth(1).unwrap().split("```").next().unwrap();
    files.push(("nightly-league.md".to_owned(), nightly.to_owned()));
    for purpose in ["class", "league", "versions"] {
        let init = format!("--init={purpose}");
        let written = arbiter(&["tournament", &init]).current_dir(dir.path()).output().unwrap();
        assert!(written.status.success(), "{written:?}");
        let path = dir.path().join(format!(".github/workflows/{purpose}.yml"));
        let text = fs::read_to_string(path).unwrap();
        // A job is ended after six hours, with whatever it has not saved by then.
        assert!(
            text.contains("    timeout-minutes: 350\n") && text.contains(" --stop-after 5h"),
            "{text}"
        );
        let config = format!("{purpose}.toml");
        let plan = ["tournament", &config, "--stop-after", "5h", "--print-plan"];
        for folder in ["bots/new", "bots/old"] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        let planned: Ran = arbiter(&plan).current_dir(dir.path()).output().unwrap().into();
        assert!(!planned.stderr.contains("--stop-after"), "{planned:?}");
        files.push((config, text));
    }
    for (file, text) in &files {
        let count =
            text.lines().filter(|line| line.contains("uses: ") && !line.starts_with('#')).count();
        let used = steps(text).iter().flatten().filter(|(key, _)| key == "uses").count();
        assert_eq!(used, count, "{file}: a step was not read");
        assert_eq!(faults(text), [""; 0], "{file}");
    }
}
