//! Milestones: submissions against steps, with real processes.

use crate::support::place::{FIRST, ILLEGAL, Place, cup, tags};
use crate::support::{ARBITER, plays_all, sample};
use crate::tournament::resume::{Chance, play_with_kills};
use std::collections::{BTreeMap, BTreeSet};

/// The steps, the weakest first; their tables stand in another order.
pub const STEPS: &str = "[milestones]\nsteps = ['zack', 'bea']";
pub const GAUNTLET: &str = "format = 'gauntlet'\nchallengers = 2\ngames = 10\nrounds = 3";

/// A place with three submissions, and a configuration with two steps.
pub fn class(schedule: &str, more: &str) -> (Place, String) {
    let place = Place::new();
    let greedy = include_str!("../../../bots/greedy-python/bot.py");
    for (name, file, program) in
        [("anna", "bot.py", greedy), ("ben", "bot.sh", FIRST), ("cora", "bot.sh", ILLEGAL)]
    {
        let command = if file == "bot.py" { "python3 bot.py" } else { "sh bot.sh" };
        place.write(&format!("in/{name}/{file}"), program);
        place.write(&format!("in/{name}/bot.toml"), &format!("command = '{command}'\n"));
    }
    let steps = [("bea", "builtin:greedy"), ("zack", "builtin:random")];
    (place, cup(schedule, &format!("{more}\n[[bots]]\nfolder = 'in'"), &steps))
}

fn milestones(place: &Place, out: &str) -> serde_json::Value {
    let table: serde_json::Value =
        serde_json::from_str(&place.text(&format!("{out}/standings.json"))).unwrap();
    table["milestones"].clone()
}

/// The number of games that count between each two bots.
fn games(place: &Place, out: &str) -> BTreeMap<String, usize> {
    let mut games = BTreeMap::new();
    for id in tags(&place.text(&format!("{out}/games.pgn")), "GameId") {
        *games.entry(id.rsplit_once('.').unwrap().0.to_owned()).or_default() += 1;
    }
    games
}

#[test]
fn a_bot_meets_the_next_step_when_it_has_passed_those_below_and_until_its_verdict() {
    let (place, config) = class(GAUNTLET, &format!("{STEPS}\nstop = 'decided'"));
    place.ends(0, &config, "out", &["--concurrency", "1"]);
    // It breaks the rules in every game: six pairs say so, and it never meets the second step.
    let games = games(&place, "out");
    assert_eq!((games["cora~zack"], games.get("bea~cora")), (12, None), "{games:?}");
    assert!(games.values().all(|count| *count <= 30 && count % 2 == 0), "{games:?}");
    assert_eq!(
        place.journal("out").len(),
        games.values().sum::<usize>(),
        "no game is played that does not count"
    );
    let found = milestones(&place, "out");
    let of = |name: &str| {
        found["bots"].as_array().unwrap().iter().find(|bot| bot["bot"] == name).unwrap().clone()
    };
    assert_eq!(found["bots"].as_array().unwrap().len(), 3, "steps have no milestones");
    let cora = of("cora");
    assert_eq!(cora["text"], "zack not passed (95 %), bea not reached");
    assert_eq!((&cora["passed"], &cora["steps"][1]["verdict"]), (&0.into(), &"not reached".into()));
    // The one that looks a ply ahead passes the random step, and none passes a step without a game
    // there.
    let anna = of("anna");
    assert_eq!(anna["steps"][0]["verdict"], "passed", "{anna}");
    for bot in found["bots"].as_array().unwrap() {
        let ends =
            bot["steps"].as_array().unwrap().iter().map(|step| step["pairs"].as_u64().unwrap() > 0);
        let reached = ends.filter(|has_games| *has_games).count() as u64;
        assert!(bot["passed"].as_u64().unwrap() <= reached, "{bot}");
    }
    // In the table, for other programs, and for the author.
    let table = place.text("out/standings.md");
    assert!(
        table.contains("## Milestones\n") && table.contains("Steps, the weakest first: zack, bea;"),
        "{table}"
    );
    assert!(table.contains("biased outwards"), "{table}");
    let csv = place.text("out/milestones.csv");
    assert!(
        csv.starts_with(
            "bot,passed,of,step,confidence,next,verdict,next_confidence,more_games,left_out\n"
        ),
        "{csv}"
    );
    assert!(csv.contains("\ncora,0,2,,,zack,not passed,0.955202,,0\n"), "{csv}");
    let page = place.text("out/feedback/cora.md");
    let line =
        "- Milestones: zack not passed (95 %), bea not reached (a step asks 50 % of the points)\n";
    assert!(page.contains(line), "{page}");
    assert!(!place.text("out/feedback/bea.md").contains("Milestones"));
    // Started again when all is done: nothing is played and nothing changes.
    let before = place.snapshot("out");
    place.ends(0, &config, "out", &[]);
    assert_eq!(place.snapshot("out"), before);
    // Without steps the file goes.
    place.ends(2, &config.replace("steps = ['zack', 'bea']", ""), "out", &[]);
    // Another rule that decides games needs another folder.
    let other = place.ends(2, &config.replace("stop =", "score = 0.6\nstop ="), "out", &[]);
    assert!(other.stderr.contains("milestones.score"), "{other:?}");
}

#[test]
fn any_number_of_workers_and_kills_give_the_same_milestones() {
    let (place, config) = class(GAUNTLET, &format!("{STEPS}\nstop = 'decided'"));
    place.ends(0, &config, "whole", &["--concurrency", "1"]);
    let whole = (place.results("whole"), place.text("whole/milestones.csv"));
    place.ends(0, &config, "many", &["--concurrency", "5"]);
    assert_eq!((place.results("many"), place.text("many/milestones.csv")), whole);
    let mut chance = Chance(0x3a25);
    play_with_kills(&place, &config, "killed", 0, &mut chance);
    assert_eq!((place.results("killed"), place.text("killed/milestones.csv")), whole);
}

#[test]
fn without_a_stop_all_games_are_played_and_the_milestones_are_the_same() {
    let (place, config) = class(GAUNTLET, STEPS);
    place.ends(0, &config, "all", &[]);
    assert_eq!(place.journal("all").len(), 2 * 3 * 30);
    place.ends(0, &config.replace(STEPS, &format!("{STEPS}\nstop = 'decided'")), "decided", &[]);
    let verdicts = |out: &str| {
        let found = milestones(&place, out);
        let bots = found["bots"].as_array().unwrap().iter();
        let steps = |bot: &serde_json::Value| {
            let steps = bot["steps"].as_array().unwrap().iter();
            steps.map(|step| step["verdict"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        bots.map(|bot| (bot["bot"].to_string(), steps(bot))).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(verdicts("all"), verdicts("decided"));
    // In a round-robin too; and without steps their file goes.
    let table = "format = 'gauntlet'\nchallengers = 2";
    let (place, config) = class(GAUNTLET, STEPS);
    let mut config = config.replace(table, "format = 'round-robin'");
    if !plays_all() {
        config = config.replace("rounds = 3", "rounds = 1");
    }
    place.ends(0, &config, "out", &[]);
    assert_eq!(place.text("out/milestones.csv").lines().count(), 4);
    place.ends(0, &config.replace(STEPS, ""), "out", &[]);
    assert!(!place.path("out/milestones.csv").exists() && milestones(&place, "out").is_null());
}

#[test]
fn a_changed_submission_climbs_anew_and_the_others_stay() {
    let (place, config) = class(GAUNTLET, &format!("{STEPS}\nstop = 'decided'"));
    place.ends(0, &config, "out", &[]);
    let before = place.text("out/milestones.csv");
    place.write("in/cora/bot.sh", &format!("{FIRST}# mended\n"));
    place.ends(0, &config, "out", &[]);
    let after = place.text("out/milestones.csv");
    let line =
        |csv: &str, bot: &str| csv.lines().find(|line| line.starts_with(bot)).unwrap().to_owned();
    for bot in ["anna", "ben"] {
        assert_eq!(line(&before, bot), line(&after, bot));
    }
    assert_ne!(line(&before, "cora"), line(&after, "cora"));
    // What it had comes back with its content.
    place.write("in/cora/bot.sh", ILLEGAL);
    place.ends(0, &config, "out", &[]);
    assert_eq!(place.text("out/milestones.csv"), before);
}

#[test]
fn under_aliases_milestones_name_no_bot() {
    let more = format!("{STEPS}\nstop = 'decided'\n[publish]\nnames = 'alias'\nfeedback = 'links'");
    let (place, config) = class(GAUNTLET, &more);
    place.ends(0, &config, "out", &[]);
    let aliases: BTreeMap<String, String> = place
        .text("out/aliases.txt")
        .lines()
        .map(|line| {
            let (alias, name) = line.split_once(' ').unwrap();
            (name.to_owned(), alias.to_owned())
        })
        .collect();
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|letter: char| !letter.is_ascii_alphanumeric()).map(str::to_owned).collect()
    };
    let names: BTreeSet<String> = aliases.keys().cloned().collect();
    let published = ["milestones.csv", "standings.json", "standings.md"]
        .map(|file| place.text(&format!("out/{file}")));
    for file in &published {
        assert_eq!(words(file).intersection(&names).next(), None, "{file}");
    }
    let [csv, ..] = published;
    assert!(
        csv.contains(&format!("\n{},0,2,,,{},not passed,", aliases["cora"], aliases["zack"])),
        "{csv}"
    );
    // Its author reads its own name, and the aliases of the steps; the page under a link has no
    // name at all.
    let line = format!(
        "- Milestones: {} not passed (95 %), {} not reached",
        aliases["zack"], aliases["bea"]
    );
    assert!(place.text("out/feedback/cora.md").contains(&line));
    let pages = place.snapshot("out/feedback-links");
    let pages: Vec<String> =
        pages.values().map(|page| String::from_utf8_lossy(page).into_owned()).collect();
    let shown = line.trim_start_matches("- ");
    assert!(pages.iter().any(|page| page.contains(shown)), "{shown}");
    assert!(pages.iter().all(|page| words(page).is_disjoint(&names)));
}

#[test]
fn formats_that_choose_their_games_by_other_results_are_refused() {
    for format in ["swiss", "knockout"] {
        let (place, config) = class(&format!("format = '{format}'"), STEPS);
        let ran = place.ends(2, &config, "out", &[]);
        assert!(
            ran.stderr.contains("milestones are for \"round-robin\" and \"gauntlet\""),
            "{ran:?}"
        );
        assert!(
            ran.stderr.contains(&format!("a \"{format}\" chooses its games by other results")),
            "{ran:?}"
        );
        assert!(!place.path("out").exists());
    }
}

#[test]
fn openings_that_would_come_twice_are_refused() {
    let (place, config) = class(GAUNTLET, STEPS);
    place.write("openings.txt", "4/4/4/4 X\n");
    let listed = config.replace("opening-plies = 2", "openings = 'openings.txt'");
    let ran = place.ends(2, &listed, "out", &[]);
    assert!(
        ran.stderr.contains("15 are needed, and there are 1, because pairs that repeat others"),
        "{ran:?}"
    );
    place.write("openings.txt", &"# a comment\n4/4/4/4 X\n".repeat(15));
    let ran = place.ends(2, &listed, "out", &[]);
    assert!(
        ran.stderr.contains("position 2 is also an earlier one, and pairs that repeat"),
        "{ran:?}"
    );
}

/// Begins a game and fails at its first ply.
const CRASHES: &str =
    "while read -r word rest; do case $word in start) echo ready ;; go) exit 3 ;; esac; done\n";

#[test]
fn a_step_that_fails_is_named_and_passes_nobody() {
    let more = format!("{STEPS}\nstop = 'decided'");
    let (place, config) = class("format = 'gauntlet'\nchallengers = 2\ngames = 4", &more);
    place.write("crashes.sh", CRASHES);
    let config = config.replace("command = 'builtin:random'", "command = 'sh crashes.sh'");
    let ran = place.ends(0, &config, "out", &[]);
    let warning = "WARNING: the step zack lost 10 games by forfeit (10 crash): no pair with one of them counts for milestones";
    assert!(ran.stdout.contains(warning), "{ran:?}");
    let found = milestones(&place, "out");
    assert_eq!(found["warnings"], serde_json::json!([warning]));
    // Two pairs each: cora forfeits the games in which it is the first to answer.
    let of = |name: &str| {
        found["bots"].as_array().unwrap().iter().find(|bot| bot["bot"] == name).unwrap().clone()
    };
    for bot in ["anna", "ben", "cora"] {
        assert_eq!(
            (&of(bot)["passed"], &of(bot)["steps"][0]["pairs"]),
            (&0.into(), &0.into()),
            "{found}"
        );
        assert_eq!(of(bot)["steps"][0]["left_out"], 2, "{found}");
    }
    let said = "zack undecided: no pair of games yet (2 pairs left out: zack lost by forfeit), bea not reached";
    assert_eq!(of("anna")["text"], said);
    assert!(place.text("out/feedback/anna.md").contains(&format!("- Milestones: {said}")));
    assert!(place.text("out/standings.md").contains(warning));
    assert!(place.text("out/milestones.csv").contains("\nanna,0,2,,,zack,undecided,,,2\n"));
    let ran = place.ends(1, &config, "out", &["--strict"]);
    assert!(ran.stderr.contains("zack lost 10 games by forfeit"), "{ran:?}");
}

#[test]
fn further_rounds_go_on_in_the_same_folder() {
    let more = format!("{STEPS}\nstop = 'decided'");
    let (place, config) = class("format = 'gauntlet'\nchallengers = 2\ngames = 4", &more);
    place.ends(0, &config, "out", &[]);
    let before = place.journal("out");
    let table = place.text("out/standings.md");
    let said = "to play on in the same folder raise schedule.rounds, which is 1; a verdict takes, by bot: anna about 3, ben about 6, cora about 3";
    assert!(table.contains(said), "{table}");
    let raised = config.replace("games = 4", "games = 4\nrounds = 3");
    place.ends(0, &raised, "out", &[]);
    let after = place.journal("out");
    assert!(after.len() > before.len() && before.iter().all(|game| after.contains(game)));
    assert!(
        place.text("out/milestones.csv").contains("\ncora,0,2,,,zack,not passed,0.955202,,0\n")
    );
    place.ends(0, &raised, "whole", &[]);
    assert_eq!(place.text("out/milestones.csv"), place.text("whole/milestones.csv"));
    // Fewer rounds would leave out games that were played.
    let ran = place.ends(2, &config, "out", &[]);
    assert!(ran.stderr.contains("schedule.rounds was 3, is 1"), "{ran:?}");
}

/// Runs a bot and holds each of its answers back for as long as it thought: a machine at half the
/// speed.
const SLOWED: &str = r#"
import subprocess, sys, time
bot = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
for line in sys.stdin:
    asked = time.monotonic()
    bot.stdin.write(line)
    last = {"start": "ready", "go": "move"}.get(line.split(" ")[0].strip())
    said = " "
    while last and said and said.split()[:1] != [last]:
        said = bot.stdout.readline()
        if said.startswith("move"): time.sleep(time.monotonic() - asked)
        print(said, end="", flush=True)
"#;

/// Steps and bots that think for a number of nodes; they are the same on every machine.
const BY_NODES: [(&str, &str); 5] = [
    ("low", "builtin:random"),
    ("high", "builtin:search?nodes=40"),
    ("anna", "builtin:search?nodes=400"),
    ("ben", "builtin:search?depth=1&noise=200"),
    ("cora", "sh first.sh"),
];

#[test]
fn milestones_are_the_same_on_a_machine_at_half_the_speed_and_with_any_number_of_workers() {
    let place = Place::new();
    place.write("first.sh", FIRST);
    place.write("slowed.py", SLOWED);
    let schedule = "format = 'gauntlet'\nchallengers = 2\ngames = 16";
    let config = cup(
        schedule,
        "[milestones]\nsteps = ['low', 'high']\nwrong = 0.2\nstop = 'decided'",
        &BY_NODES,
    );
    let by_game = config.replace("move = '120s'", "base = '2h'");
    let by_processor = config.replace("move = '120s'", "move = '120s'\nclock = 'cpu'");
    let slowed = |config: &str| {
        let half = |command: &str| match command.strip_prefix("builtin:") {
            Some(bot) => format!("command = ['python3', 'slowed.py', '{ARBITER}', 'bot', '{bot}']"),
            None => "command = ['python3', 'slowed.py', 'sh', 'first.sh']".to_owned(),
        };
        let config = config.replace("sandbox = 'basic'", "sandbox = 'basic'\nprocesses = 8");
        BY_NODES.iter().fold(config, |config, (_, command)| {
            config.replace(&format!("command = '{command}'"), &half(command))
        })
    };
    place.ends(0, &config, "whole", &["--concurrency", "1"]);
    let whole = (milestones(&place, "whole").to_string(), place.text("whole/milestones.csv"));
    assert!(whole.1.contains("\nanna,1,") || whole.1.contains("\nanna,2,"), "{}", whole.1);
    let runs = [
        ("many", config.clone(), "5"),
        ("by-game", by_game.clone(), "1"),
        ("processor", by_processor.clone(), "5"),
        ("slowed", slowed(&by_game), "1"),
        ("slowed-processor", slowed(&by_processor), "5"),
    ];
    for (out, config, workers) in sample(runs, 3) {
        place.ends(0, &config, out, &["--concurrency", workers]);
        assert_eq!(
            (milestones(&place, out).to_string(), place.text(&format!("{out}/milestones.csv"))),
            whole,
            "{out}"
        );
    }
}
