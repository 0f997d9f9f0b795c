#![cfg(test)]

use super::*;
use arbiter_game::Sandbox;
use arbiter_game::clock::{TimeControl, WallCap};
use arbiter_game::protocol::Dialect;
use arbiter_rank::rating::StepRule;
use arbiter_rank::schedule::Stop;
use std::collections::BTreeSet;
use std::time::Duration;

/// A configuration with every key (docs/reference/configuration.md) but for those of other formats.
const CONTRACT: &str = r#"
name = "spring-cup"
game = "loa"
[options]
simultaneous = "draw"
[schedule]
format = "round-robin"
games = 2
rounds = 1
opening-plies = 4
openings = "openings.txt"
seed = 42
stop-after-forfeits = 0
tie-break = "none"
[sprt]
elo0 = 0
elo1 = 20
alpha = 0.05
beta = 0.05
model = "normalized"
max-pairs = 2000
[milestones]
steps = []
score = 0.5
wrong = 0.05
stop = "played"
[ratings]
anchor = ""
[time]
base = "10s"
increment = "100ms"
first-move = "0s"
start = "10s"
margin = "20ms"
clock = "wall"
wall-cap = "3x+1s"
stall = "1h"
finish = "60s"
pondering = "off"
[match]
attempts = 1
max-plies = 0
repetition = 3
tell-moves = true
pin = "auto"
replay-disturbed = false
[limits]
sandbox = "strict"
require-isolation = ""
memory = "512MiB"
processes = 1
threads = 64
output = "1MiB"
build-time = "5min"
rules-time = "10s"
[expect]
"conny" = ">= 0.6"
[[bot]]
name = "conny"
command = "bots/conny/conny"
dir = "bots/conny"
build = "make"
dialect = "native"
env = { CONNY_LEVEL = "3" }
read = ["models"]
[[bots]]
folder = "submissions"
command = "python3 bot.py"
exclude = ["conny"]
[names]
conny = "Conny Ω"

[publish]
names = "name"
stderr = "private"
junit = "bots"
"#;

fn defaults() -> Config {
    Config {
        name: None,
        settings: Settings::default(),
        schedule: ScheduleConfig::default(),
        sprt: SprtConfig::default(),
        milestones: MilestonesConfig::default(),
        league: LeagueConfig::default(),
        uploads: None,
        ratings: RatingsConfig::default(),
        expect: Vec::new(),
        bots: Vec::new(),
        folders: Vec::new(),
        display_names: BTreeMap::new(),
        publish: PublishConfig::default(),
    }
}

fn parse(text: &str) -> Config {
    Config::parse(text).unwrap_or_else(|errors| panic!("{}", errors.display("FILE")))
}

/// A configuration of two bots with this line at the top, or this table.
fn with(text: &str) -> Config {
    parse(&format!(
        "{text}\n[[bot]]\nname = 'a'\ncommand = 'a'\n[[bot]]\nname = 'b'\ncommand = 'b'\n"
    ))
}

#[test]
fn the_contract_can_be_read_and_its_values_are_the_defaults() {
    let mut config = parse(CONTRACT);
    let mut bot = BotSpec::new("conny", StartCommand::Line("bots/conny/conny".into()));
    bot.dir = Some("bots/conny".into());
    bot.build = Some("make".into());
    bot.env = [("CONNY_LEVEL".to_owned(), "3".to_owned())].into();
    bot.read = vec!["models".into()];
    bot.dialect = Some(Dialect::default());
    assert_eq!(std::mem::take(&mut config.bots), [bot]);
    let folder = FolderConfig {
        folder: "submissions".into(),
        bots: BotSpec {
            command: Some(StartCommand::Line("python3 bot.py".into())),
            ..BotSpec::default()
        },
        exclude: vec!["conny".into()],
    };
    assert_eq!(std::mem::take(&mut config.folders), [folder]);
    let expectation = Expectation { bot: "conny".into(), relation: Relation::AtLeast, share: 0.6 };
    assert_eq!(std::mem::take(&mut config.expect), [expectation]);
    let display = std::mem::take(&mut config.display_names);
    assert_eq!(display.into_iter().collect::<Vec<_>>(), [("conny".into(), "Conny Ω".into())]);
    assert_eq!(config.name.take().as_deref(), Some("spring-cup"));
    assert_eq!(config.schedule.openings.take().as_deref(), Some("openings.txt"));
    assert_eq!(std::mem::take(&mut config.schedule.seed), 42);
    assert_eq!(config, defaults());
}

#[test]
fn the_default_file_equals_the_default() {
    let mut config = parse(DEFAULT);
    assert_eq!(config.name.take().as_deref(), Some("spring-cup"));
    let bots = std::mem::take(&mut config.bots);
    assert_eq!(bots.len(), 2);
    assert_eq!(config, defaults());
    let mut silent = parse("bot = [{ name = 'a', command = 'a' }, { name = 'b', command = 'b' }]");
    silent.bots.clear();
    assert_eq!(silent, defaults());
}

#[test]
fn the_default_file_has_every_key_and_no_other() {
    let mut heading = String::new();
    let mut written = BTreeSet::new();
    for line in DEFAULT.lines() {
        let line = line.strip_prefix('#').unwrap_or(line);
        if line.starts_with('[') {
            heading = line.to_owned();
            written.insert((String::new(), line.trim_matches(['[', ']']).to_owned()));
        } else if let Some((key, _)) = line.split_once(" = ")
            && !key.contains(' ')
            && !matches!(heading.as_str(), "[options]" | "[expect]" | "[names]")
        {
            written.insert((heading.clone(), key.to_owned()));
        }
    }
    let keys = read_file(CONTRACT, |root| {
        read(root, None, None);
        Some(root.reading.known())
    });
    // The clock of a bot is a table of one line there.
    let mut known = BTreeSet::new();
    for (section, key) in keys.unwrap() {
        if section != "[bot.time]" {
            known.insert((section.to_owned(), key.to_owned()));
        }
    }
    assert_eq!(written, known);
}

#[test]
fn values_are_read() {
    let config =
        with("[time]\nmove = '500ms'\nfirst-move = '5s'\nclock = 'cpu'\nwall-cap = '1.5x'");
    assert_eq!(
        config.settings.time.control.common(),
        Some(TimeControl::Ply(Duration::from_millis(500)))
    );
    assert_eq!(config.settings.time.first_move, Some(Duration::from_secs(5)));
    assert_eq!(config.settings.time.wall_cap, WallCap { factor: 1.5, plus: Duration::ZERO });
    let game = |base, increment| TimeControl::Game {
        base: Duration::from_millis(base),
        increment: Duration::from_millis(increment),
    };
    let of_game = with("[time]\nbase = '1min'").settings.time.control;
    assert_eq!(of_game.common(), Some(game(60_000, 100)));
    let own = |tables: &str, time: &str| {
        with(&format!("{tables}\n[[bot]]\nname = 'c'\ncommand = 'c'\ntime = {{ {time} }}")).bots[0]
            .time
    };
    assert_eq!(own("", "base = '1s', increment = '0s'"), Some(game(1000, 0)));
    assert_eq!(own("", "base = '1s'"), Some(game(1000, 100)), "the rest is as in [time]");
    assert_eq!(own("", "increment = '0s'"), Some(game(10_000, 0)));
    assert_eq!(own("", "move = '100ms'"), Some(TimeControl::Ply(Duration::from_millis(100))));
    assert_eq!(own("[time]\nmove = '1s'", "base = '1s'"), Some(game(1000, 0)));
    assert_eq!(own("[time]\nmove = '1s'", "move = '1s'"), None, "it has that of the tournament");
    assert_eq!(with("").bots[0].time, None);
    let longest = |tables: &str, time: &str| {
        let bot = format!(
            "{tables}\n[match]\nmax-plies = 10\n[[bot]]\nname = 'c'\ncommand = 'c'\n{time}"
        );
        with(&bot).longest_game().map(|most| most.as_millis())
    };
    assert_eq!(longest("[time]\nbase = '1s'", ""), Some(3000));
    assert_eq!(
        longest("[time]\nbase = '1s'", "time = { base = '60s' }"),
        Some(62_000),
        "against one of the others"
    );
    assert_eq!(
        longest("[time]\nbase = '1s'", "time = { base = '100ms' }"),
        Some(3000),
        "two of the others"
    );
    let ruleset = with("game = 'gekitai'\n[options]\nn = 7\nl = '4'").settings.ruleset;
    assert_eq!(ruleset.options_text(), "n=7 p=8 l=4 simultaneous=draw");
    assert_eq!(with("[schedule]\nseed = 18446744073709551615").schedule.seed, u64::MAX);
    assert_eq!(with("[schedule]\nseed = 0xff").schedule.seed, 255);
    assert_eq!(with("[schedule]\ngames = 1_000").schedule.format.games, 1000);
    assert_eq!(with("[sprt]\nelo0 = -1.5\nelo1 = +2").sprt.elo0, -1.5);
    assert_eq!(
        with("[limits]\nrequire-isolation = 'basic'").settings.limits.require_isolation,
        Some(Sandbox::Basic)
    );
    assert!(with("[match]\nreplay-disturbed = true").settings.rules.replay_disturbed);
    assert_eq!(with("time.margin = '1s'").settings.time.margin, Duration::from_secs(1));
    assert_eq!(with("[ratings]\nanchor = 'b'").ratings.anchors, [("b".to_owned(), 0.0)]);
    assert_eq!(
        with("[ratings.anchors]\nb = 10\na = 0.5").ratings.anchors,
        [("b".to_owned(), 10.0), ("a".to_owned(), 0.5)]
    );
    let expect = with("[expect]\nb = '<0.5'\na = ' == 1 '").expect;
    let said: Vec<_> = expect.iter().map(|it| (it.bot.as_str(), it.relation, it.share)).collect();
    assert_eq!(said, [("b", Relation::Below, 0.5), ("a", Relation::Exactly, 1.0)]);
}

#[test]
fn expectations_compare_shares() {
    for (relation, below, same, above) in [
        (Relation::AtLeast, false, true, true),
        (Relation::Above, false, false, true),
        (Relation::AtMost, true, true, false),
        (Relation::Below, true, false, false),
        (Relation::Exactly, false, true, false),
    ] {
        let expectation = Expectation { bot: "a".into(), relation, share: 0.6 };
        let holds = [0.5, 3.0 / 5.0, 0.7].map(|share| expectation.holds(share));
        assert_eq!(holds, [below, same, above], "{relation:?}");
    }
}

#[test]
fn only_what_decides_games_is_in_the_deciding_keys() {
    let usual = with("").identity();
    for text in [
        "name = 'x'",
        "[match]\npin = 'off'",
        "[time]\nstall = '2h'\nfinish = '5s'\ngrace = '1s'",
        "[limits]\nbuild-time = '1s'\nrules-time = '1s'\nrequire-isolation = 'basic'",
        "[publish]\nnames = 'alias'",
        "[expect]\na = '> 0.5'",
        "[ratings]\nanchor = 'a'",
        "[milestones]\nsteps = ['a']\nscore = 0.8",
        "[options]\nsimultaneous = 'draw'",
        "[time]\nbase = '10000ms'\nwall-cap = '4x'",
        "[sprt]\nelo1 = 5",
    ] {
        assert_eq!(with(text).identity(), usual, "{text}");
    }
    for (text, key) in [
        ("[options]\nsimultaneous = 'mover'", "options"),
        ("[schedule]\ngames = 4", "schedule.games"),
        ("[schedule]\nopening-plies = 5", "schedule.opening-plies"),
        ("[schedule]\nseed = 1", "schedule.seed"),
        ("[time]\nincrement = '0s'", "time.increment"),
        ("[time]\nfirst-move = '1s'", "time.first-move"),
        ("[time]\npondering = 'on'", "time.pondering"),
        ("[match]\nrepetition = 0", "match.repetition"),
        ("[match]\nreplay-disturbed = true", "match.replay-disturbed"),
        ("[limits]\nmemory = '1GiB'", "limits.memory"),
        ("[limits]\nsandbox = 'basic'", "limits.sandbox"),
    ] {
        let now = with(text).identity();
        let differing: Vec<_> =
            now.iter().zip(&usual).filter(|(a, b)| a != b).map(|(a, _)| &a.0).collect();
        assert_eq!(differing, [key], "{text}");
    }
    let stopped =
        with("schedule.format = 'gauntlet'\n[milestones]\nsteps = ['a']\nstop = 'decided'")
            .identity();
    for (key, value) in [
        ("milestones.steps", "[\"a\"]"),
        ("milestones.score", "0.5"),
        ("milestones.wrong", "0.05"),
        ("milestones.stop", "decided"),
    ] {
        assert!(stopped.contains(&(key.into(), value.into())), "{key} {stopped:?}");
    }
    let sprt = with("schedule.format = 'sprt'").identity();
    assert!(sprt.contains(&("sprt.elo1".into(), "20".into())), "{sprt:?}");
}

#[test]
fn two_bots_that_differ_have_differing_texts() {
    let bot = BotSpec::new("a", StartCommand::Line("x".into()));
    let timed = BotSpec { time: Some(TimeControl::Ply(Duration::from_secs(1))), ..bot.clone() };
    assert_eq!(timed.identity(), format!("{}, time = \"1/1\"", bot.identity()));
    let line = |line: &str| BotSpec::new("a", StartCommand::Line(line.into())).identity();
    let words = |words: &[&str]| {
        BotSpec::new("a", StartCommand::Words(words.iter().map(|w| (*w).into()).collect()))
            .identity()
    };
    assert_ne!(line("x"), words(&["x"]));
    assert_ne!(words(&["x", "y"]), words(&["x\", \"y"]));
    assert_ne!(words(&["x\\", "y"]), words(&["x\\\", \"y"]));
    assert_ne!(line("x\ny"), line("x\\ny"));
    assert_eq!(
        words(&["x", "y"]),
        r#"name = "a", command = ["x", "y"], dir = "", build = "", dialect = "native", env = {}, read = []"#
    );
}

/// A configuration of three named bots and a folder, with these tables.
fn with_folder(text: &str) -> Result<Config, ConfigErrors> {
    let bots =
        ["low", "high", "other"].map(|name| format!("[[bot]]\nname = '{name}'\ncommand = 'x'\n"));
    Config::parse(&format!("{text}\n{}[[bots]]\nfolder = 'submissions'\n", bots.concat()))
}

#[test]
fn milestones_are_read() {
    for (score, wrong) in [(0.8, 0.01), (0.01, 1e-6), (0.99, 0.5)] {
        let tables =
            format!("[milestones]\nsteps = ['low', 'other']\nscore = {score}\nwrong = {wrong}");
        let rule = StepRule { score, wrong };
        let milestones = MilestonesConfig { steps: vec!["low".into(), "other".into()], rule };
        assert_eq!(with_folder(&tables).unwrap().milestones, milestones);
    }
    let config = with_folder("[milestones]\nsteps = ['low']").unwrap();
    assert_eq!(config.schedule.format.stop, Stop::Played);
    // The steps may stand in another order than their tables.
    let stopped = "[schedule]\nformat = 'gauntlet'\nchallengers = 2\n[milestones]\nsteps = \
                   ['high', 'low']\nstop = 'decided'";
    assert_eq!(with_folder(stopped).unwrap().schedule.format.stop, Stop::Decided);
}

/// Tables that are refused at a line, and words of the message.
fn assert_refused(rows: &[(&str, u32, &str)]) {
    for &(tables, line, message) in rows {
        let errors = with_folder(tables).unwrap_err().display("cup.toml").to_string();
        assert!(
            errors.contains(&format!("cup.toml:{line}: ")) && errors.contains(message),
            "{tables}\n{errors}"
        );
    }
}

#[test]
fn milestones_that_cannot_be_are_refused_with_what_would_be_right() {
    assert_refused(&[
        ("[milestones]\nsteps = ['lwo']", 2, "no [[bot]] is called `lwo`; did you mean `low`?"),
        ("[milestones]\nsteps = ['low', 'low']", 2, "`low` is named twice; remove one of them"),
        ("[milestones]\nscore = 0.8", 2, "there are no milestones without `steps`"),
        ("[milestones]\nstop = 'decided'", 2, "there are no milestones without `steps`"),
        (
            "[milestones]\nsteps = ['low']\nscore = 0.991",
            3,
            "write a share from 0.01 to 0.99, such as 0.8",
        ),
        (
            "[milestones]\nsteps = ['low']\nscore = 0.009",
            3,
            "write a share from 0.01 to 0.99, such as 0.8",
        ),
        (
            "[milestones]\nsteps = ['low']\nwrong = 0.6",
            3,
            "write a number from 0.000001 to 0.5, such as 0.05",
        ),
        (
            "[milestones]\nsteps = ['low']\nwrong = 9e-7",
            3,
            "write a number from 0.000001 to 0.5, such as 0.05",
        ),
        ("[milestones]\nsteps = ['low']\nstop = 'sprt'", 3, "write \"played\" or \"decided\""),
        (
            "[schedule]\ngames = 3\n[milestones]\nsteps = ['low']",
            2,
            "milestones count pairs of games; write an even number",
        ),
        (
            "[schedule]\nopening-plies = 0\n[milestones]\nsteps = ['low']",
            2,
            "milestones need openings, because",
        ),
        (
            "[milestones]\nsteps = ['low', 'high']\n[ratings]\nanchors = { low = 300, high = 200 }",
            2,
            "by [ratings] `low` has 300 and `high`, which follows, 200",
        ),
        (
            "[milestones]\nsteps = ['low', 'high']\n[ratings]\nanchors = { low = 300, high = 300 }",
            2,
            "by [ratings] `low` has 300 and `high`, which follows, 300; write a higher rating",
        ),
        (
            "schedule.format = 'swiss'\n[milestones]\nsteps = ['low']",
            3,
            "milestones are for \"round-robin\" and \"gauntlet\"",
        ),
        (
            "schedule.format = 'knockout'\n[milestones]\nsteps = ['low']",
            3,
            "a \"knockout\" chooses its games by other results",
        ),
    ]);
}

#[test]
fn milestones_that_stop_when_decided_need_a_gauntlet_of_the_steps() {
    assert_refused(&[
        (
            "[schedule]\nformat = 'gauntlet'\nchallengers = 2\n[milestones]\nsteps = ['low', \
             'other']\nstop = 'decided'",
            6,
            "`stop = \"decided\"` is for a gauntlet of the steps",
        ),
        (
            "[schedule]\nformat = 'gauntlet'\nchallengers = 2\n[milestones]\nsteps = ['low']\nstop \
             = 'decided'",
            6,
            "`challengers = 1`",
        ),
        (
            "[schedule]\nformat = 'gauntlet'\nchallengers = 2\nstop-after-forfeits = 3\n\
             [milestones]\nsteps = ['low', 'high']\nstop = 'decided'",
            4,
            "`stop-after-forfeits` does not go with",
        ),
        ("[milestones]\nsteps = ['low']\nstop = 'decided'", 3, "write `format = \"gauntlet\"`"),
    ]);
}

#[test]
fn uploads_are_off_without_their_table_and_need_links_and_a_folder() {
    let league = |publish: &str, bots: &str, uploads: &str| {
        format!("[schedule]\nformat = 'league'\n[publish]\n{publish}\n{bots}\n{uploads}")
    };
    let links = "feedback = 'links'";
    let bots = "[[bots]]\nfolder = 'hw'";
    assert_eq!(parse(&league(links, bots, "")).uploads, None);
    let config = parse(&league(links, bots, "[uploads]"));
    assert_eq!(config.uploads, Some(UploadsConfig::default()));
    for url in ["https://bots.example.org/cup/", "http://[::1]:80/"] {
        let text = league(links, bots, &format!("[uploads]\nurl = '{url}'\nfolder = 'hw'"));
        assert_eq!(parse(&text).uploads.unwrap().url.as_deref(), Some(url));
    }
    let two = "[[bots]]\nfolder = 'hw'\n[[bots]]\nfolder = 'guests'";
    for (text, why) in [
        (league("", bots, "[uploads]"), "write feedback = \"links\" in [publish]"),
        (league(links, two, "[uploads]"), "write the `folder` of one of them"),
        (league(links, two, "[uploads]\nfolder = 'guest'"), "did you mean `guests`?"),
        (league(links, bots, "[uploads]\nsize = '2GiB'"), "write 1KiB to 1GiB"),
        (league(links, bots, "[uploads]\nurl = 'https://a.org/cup'"), "with a / at the end"),
        (league(links, bots, "[uploads]\nurl = 'https://a.org/../'"), "with a / at the end"),
        (league(links, bots, "[uploads]\nurl = 'https:///cup/'"), "with a / at the end"),
        (format!("{bots}\n[uploads]"), "is for the format \"league\""),
    ] {
        let errors = Config::parse(&text).unwrap_err().display("FILE").to_string();
        assert!(errors.contains(why), "{text}: {errors}");
    }
}
