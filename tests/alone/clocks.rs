//! Clocks and limits with real bots: which time is charged, when bots are stopped, how much memory
//! is too much.
//!
//! The bots are those of tests/bots/using.py. No test depends on the speed of the machine: bots
//! that must be in time have minutes, and bots that must exceed a limit exceed it by a wide margin.

use crate::support::{
    Ran, arbiter, judge_all, marker, plays_all, processes_with, project, run, skip, wait_for,
};
use crate::{loads_machine, measures_machine};
use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::CpuSet;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

fn using(behaviour: &str) -> String {
    format!("python3 {} {behaviour}", project("tests/bots/using.py").display())
}

/// Plays a short game of this bot, which has the first side, against one that sleeps for a time or
/// answers at once.
fn play(bot: &str, opponent: Option<&str>, more: &[&str]) -> (Ran, Value) {
    let bot = using(bot);
    let opponent = opponent.map_or_else(|| "builtin:random".to_owned(), using);
    let base = ["play", "loa", &bot, &opponent, "--json", "--seed", "1", "--start", "120s"];
    let ran = run(&[&base[..], more].concat());
    let game = ran.stdout.lines().next().and_then(|line| serde_json::from_str(line).ok());
    let game = game.unwrap_or_else(|| panic!("{ran:?}"));
    (ran, game)
}

fn detail(game: &Value) -> &str {
    game["detail"].as_str().unwrap_or_default()
}

/// The notes of each ply in the log: wall time, processor time, `info`.
fn notes(log: &Path) -> Vec<(f64, f64, String)> {
    let text = fs::read_to_string(log).unwrap();
    let (_, moves) = text.split_once("\n\n").unwrap();
    let comments = moves.split('{').skip(1).map(|part| part.split_once('}').unwrap().0);
    let seconds = |word: &str| word.strip_suffix('s').unwrap().parse::<f64>().unwrap();
    comments
        .map(|comment| {
            let words: Vec<&str> = comment.split_whitespace().collect();
            assert_eq!(words[1], "cpu", "{comment}");
            (seconds(words[0]), seconds(words[2]), words[3..].join(" "))
        })
        .collect()
}

/// Programs that load the whole machine until they are dropped.
struct Load(Vec<Child>);

impl Load {
    fn new() -> Load {
        let busy =
            || Command::new("sh").args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn();
        Load((0..6).map(|_| busy().unwrap()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn both_times_of_every_ply_are_in_the_log_whichever_is_charged() {
    let dir = tempfile::tempdir().unwrap();
    for clock in ["wall", "cpu"] {
        let log = dir.path().join(clock);
        let more = [
            "--max-plies",
            "6",
            "--time",
            "600+1",
            "--clock",
            clock,
            "--log",
            log.to_str().unwrap(),
        ];
        let (ran, game) = play("cpu 0.2", Some("sleep 0.2"), &more);
        assert_eq!(game["termination"], "max-plies", "{ran:?}");
        let notes = notes(&log);
        assert_eq!(notes.len(), 6);
        for (number, (wall, cpu, _)) in notes.iter().enumerate() {
            assert!(*wall >= 0.2, "{notes:?}");
            match number % 2 {
                0 => assert!((0.15..*wall + 0.01).contains(cpu), "it computed: {notes:?}"),
                _ => assert!(*cpu < 0.15, "it slept: {notes:?}"),
            }
        }
        assert_eq!(run(&["verify", log.to_str().unwrap()]).status, Some(0));
    }
}

#[test]
fn where_processor_time_is_charged_a_sleeper_meets_the_cap() {
    let more = ["--clock", "cpu", "--move-time", "200ms", "--wall-cap", "2x+1s"];
    let (ran, game) = play("sleep 3600", None, &more);
    assert_eq!(
        (&game["termination"], &game["winner"]),
        (&"timeout".into(), &"random".into()),
        "{ran:?}"
    );
    assert!(detail(&game).contains("0.220 s of processor time and 1.420 s of wall time"), "{game}");
    assert!(detail(&game).contains("slept until the wall time was over"), "{game}");
}

#[test]
fn without_a_clock_a_program_that_stalls_loses() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("games.pgn");
    let limit = ["--time", "none", "--stall", "1s"];
    for clock in ["wall", "cpu"] {
        let more = [&limit[..], &["--clock", clock, "--log", log.to_str().unwrap()]].concat();
        let (ran, game) = play("sleep 3600", None, &more);
        assert_eq!(
            (&game["termination"], &game["winner"]),
            (&"timeout".into(), &"random".into()),
            "{ran:?}"
        );
        assert!(detail(&game).contains("within 1.000 s (`stall`, as there is no clock)"), "{game}");
    }
    let text = fs::read_to_string(&log).unwrap();
    assert_eq!(text.matches("--stall 1s").count(), 2, "{text}");
    assert_eq!(run(&["verify", log.to_str().unwrap()]).status, Some(0));
    // It limits plies, not the start, and no ply that a clock limits.
    let short = ["--stall", "1ms", "--time", "600+1", "--max-plies", "4"];
    let (ran, game) = play("sleep 0.1", Some("sleep 0.1"), &short);
    assert_eq!(game["termination"], "max-plies", "{ran:?}");
}

#[test]
fn where_processor_time_is_charged_who_computes_too_long_is_noticed_before_the_cap() {
    for bot in ["cpu 3600", "child 3600", "grandchild 3600"] {
        let more = ["--clock", "cpu", "--move-time", "300ms", "--wall-cap", "1000x+1h"];
        let (ran, game) = play(bot, None, &more);
        assert_eq!(game["termination"], "timeout", "{bot}: {ran:?}");
        assert!(
            detail(&game).contains("computed until the processor time was over"),
            "{bot}: {game}"
        );
    }
}

/// The winners and reasons of a small tournament in which processor time is charged. One bot is far
/// within its time, one far over it, one computes nothing.
fn verdicts(dir: &Path, name: &str) -> Vec<[String; 4]> {
    let config = dir.join(format!("{name}.toml"));
    let bot = |name: &str, behaviour: &str| {
        let command =
            if behaviour.is_empty() { "builtin:random".to_owned() } else { using(behaviour) };
        format!("[[bot]]\nname = '{name}'\ncommand = \"{command}\"\n")
    };
    let text = format!(
        "game = 'loa'\n[schedule]\ngames = 2\nopening-plies = 0\n[time]\nclock = 'cpu'\nmove = '500ms'\n\
         wall-cap = '1000x'\nstart = '120s'\n[match]\nmax-plies = 4\n[limits]\nsandbox = 'basic'\n{}{}{}",
        bot("slow", "cpu 0.15"),
        bot("endless", "cpu 3600"),
        bot("quick", "")
    );
    fs::write(&config, text).unwrap();
    let ran = run(&["tournament", config.to_str().unwrap(), "--json", "--concurrency", "2"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let games = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let words =
        |game: Value| ["id", "winner", "outcome", "termination"].map(|key| game[key].to_string());
    let mut verdicts: Vec<_> = games.filter(|line| line["type"] == "game").map(words).collect();
    verdicts.sort();
    verdicts
}

#[test]
fn where_processor_time_is_charged_no_verdict_depends_on_what_else_the_machine_does() {
    let dir = tempfile::tempdir().unwrap();
    let alone = verdicts(dir.path(), "alone");
    let _machine = loads_machine();
    let load = Load::new();
    let beside = verdicts(dir.path(), "beside");
    drop(load);
    assert_eq!(alone, beside);
    assert_eq!(alone.len(), 6, "{alone:?}");
    for [id, winner, _, termination] in &alone {
        if id.contains("endless") {
            assert!(termination == "\"timeout\"" && !winner.contains("endless"), "{alone:?}");
        } else {
            assert_eq!(termination, "\"max-plies\"", "{alone:?}");
        }
    }
}

#[test]
fn what_a_bot_starts_uses_its_time() {
    let dir = tempfile::tempdir().unwrap();
    for bot in ["child 0.3", "grandchild 0.3"] {
        let log = dir.path().join(bot.split(' ').next().unwrap());
        let more = ["--max-plies", "4", "--time", "600+0", "--log", log.to_str().unwrap()];
        let (ran, game) = play(bot, None, &more);
        assert_eq!(game["termination"], "max-plies", "{ran:?}");
        for (wall, cpu, _) in notes(&log).iter().step_by(2) {
            assert!((0.2..wall + 0.05).contains(cpu), "{bot}: {:?}", notes(&log));
        }
    }
}

/// The time that a bot used off move in all plies except its first: before `ready` it may use any
/// time.
fn off_move(log: &Path) -> Vec<f64> {
    let own = notes(log).into_iter().step_by(2).skip(1);
    own.map(|(_, _, info)| info.split(' ').next().unwrap().parse().unwrap()).collect()
}

#[test]
fn a_bot_off_move_is_frozen_or_what_it_used_is_told() {
    let _machine = measures_machine();
    let dir = tempfile::tempdir().unwrap();
    let game = |pondering: &str, bot: &str| {
        let log = dir.path().join(format!("{pondering}-{bot}"));
        // A note of what was used needs one turn of the opponent, a comparison of plies several.
        let plies = if pondering == "off" { "6" } else { "4" };
        let more = ["--max-plies", plies, "--time", "600+0", "--pondering", pondering, "--log"];
        let (ran, game) =
            play(bot, Some("sleep 1"), &[&more[..], &[log.to_str().unwrap()]].concat());
        assert_eq!(game["termination"], "max-plies", "{ran:?}");
        (ran, log)
    };
    let (ran, log) = game("off", "ponder");
    let least = off_move(&log).into_iter().fold(f64::MAX, f64::min);
    // It runs on until arbiter has read its answer and stops it; not frozen, it would use all of
    // the second.
    assert!(least < 0.5, "in a second of its opponent's: {:?}", off_move(&log));
    assert!(!ran.stderr.contains("while it was not on move"), "{ran:?}");
    for bot in ["ponder", "ponder-in-a-child"] {
        let (ran, _) = game("on", bot);
        assert!(ran.stderr.contains("note: using used "), "{ran:?}");
        assert!(ran.stderr.contains("while it was not on move in game using~using-2.1"), "{ran:?}");
    }
    let (ran, _) = game("on", "cpu 0");
    assert!(!ran.stderr.contains("while it was not on move"), "{ran:?}");
}

#[test]
fn the_built_in_search_thinks_off_move_where_it_may_and_ends_when_it_is_told() {
    let _machine = measures_machine();
    let game = |pondering: &str, bot: &str| {
        let opponent = using("sleep 1");
        let base = [
            "play", "loa", bot, &opponent, "--name", "own", "--name", "other", "--seed", "1",
            "--start", "120s",
        ];
        let more =
            ["--max-plies", "6", "--time", "600+0", "--move-time", "own=100ms", "--margin", "60s"];
        let ran = run(&[&base[..], &more, &["--grace", "600s", "--pondering", pondering]].concat());
        assert!(ran.status == Some(0) && ran.stdout.contains("max-plies"), "{ran:?}");
        ran.stderr.contains("note: own used ")
    };
    assert!(game("on", "builtin:search"));
    assert!(!game("off", "builtin:search"));
}

#[test]
fn what_a_bot_computes_after_its_answer_is_its_own_time_in_a_pause_too() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    // White's second turn is of two pieces: it is asked again, and its opponent is not asked in
    // between.
    let bot = using("after 0.5");
    let base = [
        "play",
        "flipflop",
        &bot,
        "builtin:random",
        "--seed",
        "1",
        "--start",
        "120s",
        "--pause",
        "1s",
    ];
    let ran = run(&[&base[..], &["--time", "600+0", "--log", log.to_str().unwrap()]].concat());
    assert!(ran.status == Some(0) && ran.stdout.contains("4 plies"), "{ran:?}");
    let notes = notes(&log);
    assert!(
        notes[2..].iter().all(|(wall, ..)| *wall >= 0.4),
        "it computes for 0.5 s of its own: {notes:?}"
    );
}

/// The states of all processes with this word in their command line, by /proc/PID/stat; without
/// those of arbiter itself.
fn states(marker: &str) -> String {
    let bots = processes_with(marker)
        .into_iter()
        .filter(|line| !line.contains(" -- ") && !line.contains(" play "));
    let state = |line: String| {
        let stat = fs::read_to_string(format!("{}/stat", line.split(' ').next().unwrap())).ok()?;
        stat.rsplit(") ").next()?.chars().next()
    };
    bots.filter_map(state).collect()
}

/// The pids of the bots with this word in their command line, without arbiter's own processes.
fn bots(marker: &str) -> Vec<Pid> {
    let lines = processes_with(marker);
    let bots = lines.iter().filter(|line| !line.contains(" -- ") && !line.contains(" play "));
    let pid = |line: &String| {
        line.split(' ').next()?.rsplit('/').next()?.parse().ok().and_then(Pid::from_raw)
    };
    bots.filter_map(pid).collect()
}

/// Whether a process is in a control group of its bot in cgroup v2.
fn is_in_freezable_group(process: Pid) -> bool {
    let groups = fs::read_to_string(format!("/proc/{}/cgroup", process.as_raw_nonzero()))
        .unwrap_or_default();
    groups.lines().any(|line| line.starts_with("0::") && line.contains("/bot-"))
}

#[test]
fn where_a_bot_has_a_control_group_what_its_short_processes_use_is_charged() {
    let dir = tempfile::tempdir().unwrap();
    let (log, marker) = (dir.path().join("game.pgn"), marker("unseen"));
    let bot = using(&format!("unseen-children 0.4 {marker}"));
    let base = ["play", "loa", &bot, "builtin:random", "--json", "--seed", "1", "--start", "120s"];
    let more = ["--sandbox", "strict", "--processes", "4", "--max-plies", "6", "--time", "600+0"];
    let mut command = arbiter(&[&base[..], &more, &["--log", log.to_str().unwrap()]].concat());
    let mut game = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut has_group = false;
    while game.try_wait().unwrap().is_none() {
        has_group |= bots(&marker).into_iter().any(is_in_freezable_group);
    }
    let ran: Ran = game.wait_with_output().unwrap().into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    if !has_group {
        return skip(
            "bots have no control group in cgroup v2: their short processes are not charged",
        );
    }
    let own: Vec<f64> = notes(&log).iter().step_by(2).map(|note| note.1).collect();
    assert!(own.len() == 3 && own.iter().all(|&cpu| cpu >= 0.4), "{own:?}");
}

/// A process outside of the game resumes the bot again and again, faster than any process of a bot
/// can.
#[test]
fn a_bot_that_is_resumed_off_move_stays_frozen_or_loses() {
    let _machine = loads_machine();
    for options in [&["--sandbox", "basic"][..], &["--sandbox", "strict", "--processes", "4"]] {
        let marker = marker("resumed");
        let bot = using(&format!("ponder 0 {marker}"));
        let sleeper = using("sleep 0.5");
        let base = [
            "play", "loa", &bot, &sleeper, "--json", "--seed", "1", "--start", "120s", "--time",
            "7200+0",
        ];
        let base = [&base[..], &["--max-plies", "12", "--pin", "off"], options].concat();
        let mut command = arbiter(&base);
        let mut game = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut freezable = false;
        while game.try_wait().unwrap().is_none() {
            for process in bots(&marker) {
                freezable |= is_in_freezable_group(process);
                let _ = kill_process(process, Signal::CONT); // fails if it has ended
            }
        }
        let ran: Ran = game.wait_with_output().unwrap().into();
        let game: Value =
            serde_json::from_str(ran.stdout.lines().next().unwrap_or_default()).unwrap();
        if freezable {
            assert_eq!(game["termination"], "max-plies", "{ran:?}");
            continue;
        }
        assert_eq!(
            (&game["termination"], &game["winner"]),
            (&"protocol".into(), &"using-2".into()),
            "{ran:?}"
        );
        assert!(detail(&game).contains("something resumed them or started new ones"), "{game}");
        assert!(detail(&game).contains("the match allows 50 ms in a game"), "{game}");
    }
}

/// A stop does not end a system call: what threads use in one that goes on counts, though they stop
/// when it ends, before the opponent has answered.
#[test]
fn a_bot_whose_system_calls_go_on_after_its_answer_loses() {
    let _machine = measures_machine();
    for sandbox in &["strict", "basic"][..if plays_all() { 2 } else { 1 }] {
        let more = ["--sandbox", sandbox, "--max-plies", "12", "--time", "7200+0"];
        let (ran, game) = play("calls 1", Some("sleep 10"), &more);
        assert_eq!(
            (&game["termination"], &game["winner"]),
            (&"protocol".into(), &"using-2".into()),
            "{sandbox}: {ran:?}"
        );
        assert!(detail(&game).contains("a stop did not end a long system call"), "{game}");
    }
}

/// A losing bot cannot have its game played again: what it uses after its answer is charged to its
/// next ply, which begins that much earlier, but arbiter's timers of that ply are not late for it.
#[test]
fn what_a_bot_uses_after_its_answer_does_not_disturb_its_game() {
    let _machine = measures_machine();
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("games");
    let more = ["--max-plies", "4", "--time", "600+0", "--log", log.to_str().unwrap()];
    let (ran, game) = play("after-and-slow 2", Some("sleep 0.3"), &more);
    assert_eq!(game["termination"], "max-plies", "{ran:?}");
    let text = fs::read_to_string(&log).unwrap();
    let late = text.lines().find(|line| line.contains("a timer went off")).unwrap_or_default();
    let ms = late.split(' ').filter_map(|word| word.parse::<u64>().ok()).next().unwrap_or_default();
    assert!(ms < 1000, "the machine itself may be late, but not by what was charged: {late}");
}

/// Whatever a bot does before it is ready, it does while its opponent does not need the processor.
#[test]
fn bots_get_ready_one_after_the_other() {
    let dir = tempfile::tempdir().unwrap();
    for more in [&["--pondering", "off"][..], &["--pondering", "on"], &["--pin", "off"]] {
        let transcript = dir.path().join("lines");
        let base =
            ["--max-plies", "2", "--time", "600+0", "--transcript", transcript.to_str().unwrap()];
        let (ran, game) = play("cpu 0", Some("cpu 0"), &[&base[..], more].concat());
        assert_eq!(game["termination"], "max-plies", "{ran:?}");
        let lines = fs::read_to_string(&transcript).unwrap();
        let at = |what: &str| lines.find(what).unwrap_or_else(|| panic!("{what}: {lines}"));
        assert!(at("using < ready") < at("using-2 > arena"), "{lines}");
    }
}

/// A bot that may ponder does so when both are ready.
#[test]
fn a_bot_that_is_ready_is_stopped_while_its_opponent_starts() {
    for pondering in ["off", "on"] {
        let marker = marker("ready");
        let [bot, sleeper] = ["ponder 0", "sleep-at-start 3600"]
            .map(|behaviour| using(&format!("{behaviour} {marker}")));
        let more = ["--time", "7200+0", "--start", "3600s", "--pondering", pondering];
        let mut game = arbiter(&[&["play", "loa", &bot, &sleeper][..], &more].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for("a stopped bot beside one that starts", || {
            ["TS", "ST"].contains(&states(&marker).as_str()).then_some(())
        });
        game.kill().unwrap();
        game.wait().unwrap();
        crate::support::wait_until_gone(&marker);
    }
}

#[test]
fn everything_that_a_bot_started_is_stopped_off_move_and_gone_in_the_end() {
    let marker = marker("family");
    let bot = using(&format!("ponder-in-a-child 0 {marker}"));
    let sleeper = using("sleep 3600");
    // The bot with a child moves first, then its opponent sleeps. Also the bot that waits for its
    // first question is stopped.
    for bots in [[&bot, &sleeper], [&sleeper, &bot]] {
        let mut game =
            arbiter(&["play", "loa", bots[0], bots[1], "--time", "7200+0", "--start", "120s"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
        wait_for("the stop of both processes", || (states(&marker) == "TT").then_some(()));
        game.kill().unwrap();
        game.wait().unwrap();
        crate::support::wait_until_gone(&marker);
    }
}

#[test]
fn a_frozen_bot_hears_the_end_and_leaves_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let transcript = dir.path().join("lines");
    let more =
        ["--max-plies", "2", "--grace", "300s", "--transcript", transcript.to_str().unwrap()];
    let began = Instant::now();
    let (ran, game) = play("cpu 0", Some("cpu 0"), &[&more[..], &["--time", "600+0"]].concat());
    assert_eq!(game["termination"], "max-plies", "{ran:?}");
    assert!(began.elapsed() < Duration::from_secs(300), "the whole grace was waited for");
    let lines = fs::read_to_string(transcript).unwrap();
    assert!(lines.contains("limit clock wall") && lines.contains("limit pondering off"), "{lines}");
}

#[test]
fn a_bot_with_too_much_memory_loses_by_that_and_reads_how_much() {
    // At once, and in small steps, in plies that are too short for a reading.
    // Less than twice the limit, because no program can exceed that.
    for bot in ["memory 800", "hoard 20"] {
        let (ran, game) =
            play(bot, None, &["--time", "600+0", "--max-plies", "400", "--repetition", "0"]);
        assert_eq!(game["termination"], "memory-limit", "{bot}: {ran:?}");
        let detail = detail(&game);
        assert!(
            detail.contains("MiB of memory in use; the match allows 512.0 MiB"),
            "{bot}: {detail}"
        );
    }
}

#[test]
fn both_bots_share_one_core_where_they_are_frozen_off_move() {
    let dir = tempfile::tempdir().unwrap();
    let cores = |more: &[&str]| {
        let log = dir.path().join("games");
        let _ = fs::remove_file(&log);
        let base = ["--max-plies", "4", "--time", "600+0", "--log", log.to_str().unwrap()];
        let (ran, game) = play("cpu 0", Some("cpu 0"), &[&base[..], more].concat());
        assert_eq!(game["termination"], "max-plies", "{ran:?}");
        let cores = |(_, _, info): (f64, f64, String)| {
            info.split(' ').nth(1).unwrap().parse::<usize>().unwrap()
        };
        notes(&log).into_iter().map(cores).collect::<Vec<_>>()
    };
    let all = std::thread::available_parallelism().unwrap().get();
    assert_eq!(cores(&[]), [1; 4], "auto is the default");
    assert_eq!(
        cores(&["--pondering", "on"]),
        [all; 4],
        "it would favour one that thinks on its opponent's time"
    );
    assert_eq!(cores(&["--pin", "off"]), [all; 4]);
    let too_many = (all + 1).to_string();
    assert_eq!(cores(&["--concurrency", &too_many]), [all; 4], "there is not one for each game");
}

/// Stops and continues arbiter itself until it ends, so that its timers are late as on a busy
/// machine. It starts no program for this, because on a slow machine a ply could end before.
fn disturb(mut arbiter: Child) -> Ran {
    while arbiter.try_wait().unwrap().is_none() {
        for signal in [Signal::STOP, Signal::CONT] {
            kill_process(Pid::from_child(&arbiter), signal).unwrap(); // a process that was not waited for takes any
            std::thread::sleep(Duration::from_millis(150));
        }
    }
    arbiter.wait_with_output().unwrap().into()
}

/// A control group whose processes are run for a millisecond in each second: on a machine with too
/// much to do, they would be run no more often.
struct SeldomRun(PathBuf);

impl SeldomRun {
    /// None, which is said aloud, where this user can make none.
    fn new() -> Option<SeldomRun> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "arbiter-test-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let top = Path::new("/sys/fs/cgroup");
        let v1: &[_] = &[("cpu.cfs_period_us", "1000000"), ("cpu.cfs_quota_us", "1000")];
        let v2: &[_] = &[("cpu.max", "1000 1000000")];
        let made = [(top.join("cpu"), v1), (top.join("cpu,cpuacct"), v1), (top.to_owned(), v2)];
        let group = made.into_iter().find_map(|(parent, limits)| {
            let group = SeldomRun(parent.join(&name));
            fs::create_dir(&group.0).ok()?;
            limits
                .iter()
                .all(|(file, text)| fs::write(group.0.join(file), text).is_ok())
                .then_some(group)
        });
        if group.is_none() {
            skip("no control group with a limit of processor time can be made");
        }
        group
    }

    /// A bot that computes so long in it for each answer.
    fn bot(&self, behaviour: &str, seconds: f64) -> String {
        format!("{behaviour} {seconds} {}", self.0.display())
    }
}

impl Drop for SeldomRun {
    fn drop(&mut self) {
        // A process leaves it when it has ended, which it does when it is run.
        wait_for("the bots to leave the control group", || fs::remove_dir(&self.0).ok());
    }
}

#[test]
fn where_processor_time_is_charged_the_deadline_of_a_bot_that_is_not_run_is_put_off() {
    let Some(group) = SeldomRun::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("game");
    let more = [
        "--max-plies",
        "1",
        "--clock",
        "cpu",
        "--move-time",
        "1s",
        "--wall-cap",
        "1x",
        "--sandbox",
        "basic",
    ];
    let (ran, game) = play(
        &group.bot("seldom-run", 0.004),
        None,
        &[&more[..], &["--log", log.to_str().unwrap()]].concat(),
    );
    assert_eq!(game["termination"], "max-plies", "{ran:?}");
    let (wall, ..) = notes(&log)[0];
    assert!(wall <= 1.02, "what it waited is not charged: {wall}");
    assert_eq!(run(&["verify", log.to_str().unwrap()]).status, Some(0));
}

#[test]
fn where_wall_time_is_charged_the_log_says_that_the_bot_that_lost_was_not_run() {
    let Some(group) = SeldomRun::new() else { return };
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("game");
    let more = ["--move-time", "400ms", "--sandbox", "basic", "--log", log.to_str().unwrap()];
    // Its time may also be over while it is still on its way into the group, or when it has just
    // been run.
    let is_told = (0..20).any(|_| {
        let (ran, game) = play(&group.bot("seldom-run", 3600.0), None, &more);
        assert_eq!(game["termination"], "timeout", "{ran:?}");
        assert_eq!(run(&["verify", log.to_str().unwrap()]).status, Some(0));
        let text = fs::read_to_string(&log).unwrap();
        fs::remove_file(&log).unwrap();
        text.contains("the bot that lost by its time could run and had no processor for ")
    });
    assert!(is_told);
}

#[test]
fn a_bot_that_does_not_want_to_be_run_is_not_kept_waiting_by_the_machine() {
    let dir = tempfile::tempdir().unwrap();
    let group = SeldomRun::new();
    let lowered = group.as_ref().map(|group| group.bot("seldom-run-and-nice", 3600.0));
    let bots = ["sleep 3600", "cpu 3600", "stop"].map(str::to_owned).into_iter().chain(lowered);
    for (number, bot) in bots.enumerate() {
        let log = dir.path().join(number.to_string());
        let more =
            ["--clock", "cpu", "--move-time", "200ms", "--wall-cap", "1x", "--sandbox", "basic"];
        let (ran, game) =
            play(&bot, None, &[&more[..], &["--log", log.to_str().unwrap()]].concat());
        assert_eq!(game["termination"], "timeout", "{ran:?}");
        assert!(!fs::read_to_string(&log).unwrap().contains("had no processor for "), "{bot}");
    }
}

#[test]
fn a_game_that_the_machine_disturbed_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("games");
    let [first, second] = ["sleep 1", "sleep 1"].map(using);
    let play =
        ["play", "loa", &first, &second, "--max-plies", "2", "--time", "600+0", "--start", "120s"];
    let mut command = arbiter(&[&play[..], &["--log", log.to_str().unwrap()]].concat());
    let ran = disturb(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("[Disturbed \"arbiter itself did not run for "), "{text}");
    assert_eq!(run(&["verify", log.to_str().unwrap()]).status, Some(0), "and is a log like others");
}

#[test]
fn a_disturbed_game_is_played_again_where_the_configuration_wants_it() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("cup.toml");
    let bot = using("sleep 0.7");
    let text = format!(
        "game = 'loa'\n[schedule]\ngames = 1\nopening-plies = 0\n[time]\nclock = 'cpu'\nstart = '120s'\n\
         wall-cap = '100x'\n[match]\nmax-plies = 2\nreplay-disturbed = true\n[limits]\nsandbox = 'basic'\n\
         [[bot]]\nname = 'a'\ncommand = '{bot}'\n[[bot]]\nname = 'b'\ncommand = '{bot}'\n"
    );
    fs::write(&config, text).unwrap();
    let mut command = arbiter(&["tournament", config.to_str().unwrap()]);
    let ran = disturb(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let journal = fs::read_to_string(dir.path().join("cup/journal.jsonl")).unwrap();
    let games =
        journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["entry"].clone());
    let games: Vec<Value> = games.filter(|entry| entry["type"] == "game").collect();
    let log = |game: &Value| game["log"].as_str().unwrap().to_owned();
    assert_eq!(games.len(), 3, "what is disturbed to the end counts at last: {journal}");
    for (number, game) in games.iter().enumerate() {
        assert_eq!(game["attempt"], number + 1);
        assert!(
            log(game).contains("[Disturbed \"arbiter itself did not run for "),
            "{}",
            log(game)
        );
        assert_eq!(log(game).contains("[Outcome \"aborted\"]"), number < 2, "{}", log(game));
    }
    assert!(
        log(&games[0]).contains("arbiter: the machine disturbed the game: "),
        "{}",
        log(&games[0])
    );
}

/// The limit of what arbiter waits for in the tests that stop it.
const LIMIT: &str = "8s";

/// Something that says in a folder that it waits (`waits`), goes on when it is told to (`go`), and
/// says when it is done (`done`).
struct Gate(tempfile::TempDir);

/// When something goes on that waits at a gate.
#[derive(Clone, Copy, PartialEq)]
enum Opens {
    /// While arbiter is stopped.
    Meanwhile,
    /// Behind that, as if it was frozen together with arbiter.
    Afterwards,
}

impl Gate {
    fn new() -> Gate {
        Gate(tempfile::tempdir().unwrap())
    }

    fn bot(&self, behaviour: &str) -> String {
        using(&format!("{behaviour} 0 {}", self.0.path().display()))
    }

    fn await_file(&self, name: &str) {
        wait_for(name, || self.0.path().join(name).exists().then_some(()));
    }

    fn open(&self) {
        fs::write(self.0.path().join("go"), "").unwrap();
        self.await_file("done");
    }

    /// Stops arbiter while it waits at the gate, until behind the limit. False if this machine was
    /// too slow to stop it soon.
    fn stop(&self, arbiter: &Child, opens: Opens) -> bool {
        self.await_file("waits");
        let since = fs::metadata(self.0.path().join("waits")).unwrap().modified().unwrap();
        let pid = Pid::from_child(arbiter);
        kill_process(pid, Signal::STOP).unwrap();
        wait_for("a stopped arbiter", || {
            (crate::support::Stat::of(pid.as_raw_nonzero().get())?.state == 'T').then_some(())
        });
        let is_in_time = since.elapsed().unwrap() < Duration::from_secs(2);
        if opens == Opens::Meanwhile {
            self.open();
        }
        std::thread::sleep(Duration::from_secs(9));
        kill_process(pid, Signal::CONT).unwrap();
        if opens == Opens::Afterwards {
            fs::write(self.0.path().join("go"), "").unwrap();
        }
        is_in_time
    }
}

/// Runs a command in which something waits at the gate that is given to `command`, with arbiter
/// stopped meanwhile.
fn stopped_at_the_gate(opens: Opens, mut command: impl FnMut(&Gate) -> Command) -> Ran {
    loop {
        let gate = Gate::new();
        let mut command = command(&gate);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let is_in_time = gate.stop(&child, opens);
        let ran = child.wait_with_output().unwrap().into();
        if is_in_time {
            return ran;
        }
    }
}

#[test]
fn a_question_during_which_arbiter_was_stopped_is_marked_and_no_time_is_credited() {
    let cpu = ["--clock", "cpu", "--move-time", LIMIT, "--wall-cap", "1x", "--start", "120s"];
    let rows = [
        ("when-told", &["--move-time", LIMIT, "--start", "120s"][..], "[Termination \"timeout\"]"),
        ("when-told", &cpu, "[Termination \"timeout\"]"),
        // Whether `ready` came in time is not asked once it is there.
        ("start-when-told", &["--start", LIMIT, "--max-plies", "2"], ""),
    ];
    let complaints = judge_all(&rows, rows.len(), |&(behaviour, limits, end)| {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("game");
        let ran = stopped_at_the_gate(Opens::Meanwhile, |gate| {
            let _ = fs::remove_file(&log);
            let bot = gate.bot(behaviour);
            let base = ["play", "loa", &bot, "builtin:random", "--sandbox", "basic", "--log"];
            arbiter(&[&base[..], &[log.to_str().unwrap()], limits].concat())
        });
        let text = fs::read_to_string(&log).unwrap();
        let is_marked = text.contains("[Disturbed \"arbiter itself did not run for ");
        let is_right = text.contains(end) && is_marked;
        (!is_right).then(|| format!("{behaviour}: {text} {ran:?}"))
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_game_during_which_arbiter_was_stopped_is_played_again_where_the_configuration_wants_it() {
    let dir = tempfile::tempdir().unwrap();
    let ran = stopped_at_the_gate(Opens::Meanwhile, |gate| {
        let _ = fs::remove_dir_all(dir.path().join("cup"));
        let text = format!(
            "game = 'loa'\n[schedule]\ngames = 1\nopening-plies = 0\n[time]\nmove = '{LIMIT}'\nstart = '120s'\n\
             margin = '0s'\n[match]\nmax-plies = 2\nreplay-disturbed = true\n[limits]\nsandbox = 'basic'\n\
             [[bot]]\nname = 'a'\ncommand = '{}'\n[[bot]]\nname = 'b'\ncommand = 'builtin:random'\n",
            gate.bot("when-told")
        );
        let config = dir.path().join("cup.toml");
        fs::write(&config, text).unwrap();
        arbiter(&["tournament", config.to_str().unwrap()])
    });
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let journal = fs::read_to_string(dir.path().join("cup/journal.jsonl")).unwrap();
    let entries =
        journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["entry"].clone());
    let games: Vec<Value> = entries.filter(|entry| entry["type"] == "game").collect();
    let first = games[0]["log"].as_str().unwrap();
    assert!(
        games.len() > 1 && first.contains("[Disturbed \"arbiter itself did not run for "),
        "{journal}"
    );
    assert!(first.contains("[Outcome \"aborted\"]"), "{journal}");
}

#[test]
fn a_build_and_a_trial_start_during_which_arbiter_was_stopped_do_not_fail_for_their_time() {
    let complaints = judge_all(&["build", "start"], 2, |&what| {
        let dir = tempfile::tempdir().unwrap();
        let ran = stopped_at_the_gate(Opens::Afterwards, |gate| {
            let _ = fs::remove_dir_all(dir.path().join("cup"));
            let folder = gate.0.path().display();
            let bot = match what {
                "build" => format!(
                    "command = '{}'\nbuild = 'touch {folder}/waits; while [ ! -e {folder}/go ]; do sleep 0.01; done; touch {folder}/done'",
                    using("cpu 0")
                ),
                _ => format!("command = '{}'", gate.bot("start-when-told")),
            };
            let [build_time, time] =
                if what == "build" { [LIMIT, "120s"] } else { ["120s", LIMIT] };
            let text = format!(
                "game = 'loa'\n[schedule]\ngames = 1\nopening-plies = 0\n[time]\nstart = '{time}'\n\
                 [match]\nmax-plies = 2\n[limits]\nsandbox = 'basic'\nbuild-time = '{build_time}'\n\
                 [[bot]]\nname = 'a'\n{bot}\n[[bot]]\nname = 'b'\ncommand = 'builtin:random'\n",
            );
            let config = dir.path().join("cup.toml");
            fs::write(&config, text).unwrap();
            arbiter(&["tournament", config.to_str().unwrap(), "--strict"])
        });
        (ran.status != Some(0)).then(|| format!("{what}: {ran:?}"))
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The output of a command whose processes have one core together.
fn on_one_core(mut command: Command) -> Ran {
    let on_one = move || -> Ran {
        let mut one = CpuSet::new();
        one.set(rustix::thread::sched_getcpu());
        rustix::thread::sched_setaffinity(None, &one).unwrap();
        command.output().unwrap().into()
    };
    std::thread::spawn(on_one).join().unwrap()
}

#[test]
fn more_games_at_once_than_cores_are_told_before_the_first_game_marked_and_told_in_the_table() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("cup.toml");
    let bot = using("cpu 0.7");
    let text = format!(
        "game = 'loa'\n[schedule]\ngames = 6\nopening-plies = 0\n[time]\nmove = '1s'\nstart = '600s'\n\
         [match]\nmax-plies = 2\n[limits]\nsandbox = 'basic'\n\
         [[bot]]\nname = 'a'\ncommand = '{bot}'\n[[bot]]\nname = 'b'\ncommand = '{bot}'\n"
    );
    fs::write(&config, text).unwrap();
    let ran = on_one_core(arbiter(&["tournament", config.to_str().unwrap(), "--concurrency", "6"]));
    assert!(ran.stderr.contains("note: 6 games at a time on 1 core: "), "{ran:?}");
    assert!(ran.stderr.contains("charge processor time (the clock \"cpu\")"), "{ran:?}");
    assert!(ran.stdout.contains(" bots waited for a processor for more than a tenth"), "{ran:?}");
    let journal = fs::read_to_string(dir.path().join("cup/journal.jsonl")).unwrap();
    assert!(
        journal.contains("the bot that lost by its time could run and had no processor for "),
        "{journal}"
    );
    // Fewer games, or a clock that is right, need no note.
    for more in [&["--concurrency", "1"][..], &["--concurrency", "6", "--clock", "cpu"]] {
        let play =
            ["play", "loa", "builtin:random", "builtin:random", "-n", "6", "--max-plies", "2"];
        let ran = on_one_core(arbiter(&[&play[..], more].concat()));
        assert!(ran.status == Some(0) && !ran.stderr.contains("at a time on"), "{ran:?}");
    }
}

#[test]
fn where_processor_time_is_charged_tables_pages_and_feedback_tell_how_long_a_bot_slept() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("cup.toml");
    let text = format!(
        "game = 'loa'\n[schedule]\ngames = 2\nopening-plies = 0\n[time]\nmove = '600s'\nclock = 'cpu'\n\
         start = '120s'\n[match]\nmax-plies = 4\n[limits]\nsandbox = 'basic'\n\
         [[bot]]\nname = 'sleeper'\ncommand = '{}'\n[[bot]]\nname = 'quick'\ncommand = 'builtin:random'\n",
        using("sleep 2")
    );
    fs::write(&config, text).unwrap();
    let ran = run(&["tournament", config.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("sleeper took 2.") && !ran.stdout.contains("quick took "),
        "{ran:?}"
    );
    let read = |name: &str| fs::read_to_string(dir.path().join("cup").join(name)).unwrap();
    for file in ["standings.md", "report.html", "feedback/sleeper.md"] {
        let text = crate::support::page::text_of(&read(file));
        assert!(text.contains(" s of wall time a move, of which it computed for "), "{file}");
    }
    assert!(!read("feedback/quick.md").contains("wall time"));
}
