//! The checks, each with a tournament of its own.

use crate::cluster::{Cluster, Jobs};
use crate::support::everything::everything;
use crate::support::place::{BOTS, Place, cup};
use arbiter::seed::RunSeed;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;

/// What a check is called, and what runs it.
type Check = (&'static str, fn(&mut Cluster));

pub const ALL: [Check; 7] = [
    ("an array of three shards", plain),
    ("an array above MaxArraySize is refused", too_many),
    ("a node dies", node_dies),
    ("a task runs twice", runs_twice),
    ("the disk of a shard is full", disk_is_full),
    ("the time limit", time_limit),
    ("a task that is cancelled or queued again while it plays", cancelled),
];

/// Answers the first legal ply. In games after the sixth of a pairing it says with a file that it is on
/// move, and waits for the file `release` first. `GAMES` are the ids of games by those that bots are sent.
const GATED: &str = r#"
import os, sys, time
game, moves = "", []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "id": game = GAMES.get(rest[0], "~.0")
    elif word == "start": print("ready", flush=True)
    elif word == "moves": moves = rest
    elif word == "go":
        if int(game.rpartition(".")[2]) > 6 and not os.path.exists("release"):
            open("at-" + game, "w").close()
            while not os.path.exists("release"): time.sleep(0.01)
        print("move", moves[0], flush=True)
"#;

/// The first game of each shard in which `gated` waits: two games of the shard come before it.
const GATES: [&str; 3] = ["at-gated~kept.7", "at-gated~kept.9", "at-gated~kept.11"];

/// What arbiter says to the first signal.
const INTERRUPTED: &str = "interrupted: the running games have 3600s to end";

/// A tournament of 36 games, and its unsharded result in `whole`.
fn tournament() -> Place {
    let place = Place::with_bots();
    let opponents = ["bea~gated", "gated~kept"];
    let ids =
        opponents.iter().flat_map(|names| (1..=12).map(move |number| format!("{names}.{number}")));
    let sent = ids.map(|id| format!("{:?}: {id:?}, ", RunSeed::Open(7).sent_id(&id)));
    place.write("gated.py", &format!("GAMES = {{ {} }}\n{GATED}", sent.collect::<String>()));
    let [kept, _, _, bea] = BOTS;
    let bots = [("gated", "python3 gated.py"), kept, bea];
    let config = cup("games = 12", "", &bots).replace("120s", "900s"); // of which much is spent at the gates
    place.write("release", "");
    place.ends(0, &config, "whole", &["--concurrency", "2"]);
    place
}

/// Submits a tournament, and waits until each of its three tasks has recorded two games and is at its gate.
fn at_gates(cluster: &Cluster, place: &Place, environment: &[(&str, &str)]) -> Jobs {
    fs::remove_file(place.path("release")).unwrap();
    let jobs = cluster.submit(place, environment);
    cluster.wait("three tasks at their gates", |_| {
        GATES.iter().all(|gate| place.path(gate).exists()).then_some(())
    });
    for shard in 1..=3 {
        assert_eq!(recorded(place, shard), 2);
    }
    cluster.say("each task has recorded 2 games of 12, and plays the third");
    jobs
}

/// Lets the waiting games go on.
fn release(cluster: &Cluster, place: &Place) {
    place.write("release", "");
    cluster.say("the waiting games go on");
}

/// The number of games in the journal of a shard.
fn recorded(place: &Place, shard: usize) -> usize {
    place.journal(&format!("merged.shard-{shard}")).len()
}

/// What the runs of a task have printed; empty before the first.
fn log(place: &Place, task: usize) -> String {
    fs::read_to_string(place.path(&format!("merged.slurm-{task}.log"))).unwrap_or_default()
}

/// Waits until the log of a task contains a text a number of times.
fn says(cluster: &Cluster, place: &Place, task: usize, text: &str, times: usize) {
    cluster.wait(&format!("{times} of {text:?} in the log of task {task}"), |_| {
        (log(place, task).matches(text).count() >= times).then_some(())
    });
    let log = log(place, task);
    let line = log.lines().rfind(|line| line.contains(text)).unwrap();
    cluster.say(&format!("log of task {task}: {line}"));
}

/// Waits for the merge, and compares: every game once in each journal, and the files of the unsharded run.
fn equals(cluster: &Cluster, place: &Place, jobs: &Jobs) {
    cluster.merges(0, place, jobs);
    for folder in ["merged", "merged.shard-1", "merged.shard-2", "merged.shard-3"] {
        let games = place.journal(folder);
        let ids: HashSet<_> = games.iter().map(|(id, ..)| id).collect();
        assert_eq!(ids.len(), games.len(), "{folder}");
    }
    assert_eq!(everything(place, "merged"), everything(place, "whole"));
    cluster.say("36 games, each once; but for times the folder is that of the unsharded run");
}

fn plain(cluster: &mut Cluster) {
    let place = tournament();
    let jobs = cluster.submit(&place, &[]);
    equals(cluster, &place, &jobs);
    // The same command again plays nothing.
    let before = place.snapshot("merged.shard-1/journal.jsonl");
    let jobs = cluster.submit(&place, &[]);
    equals(cluster, &place, &jobs);
    assert_eq!(place.snapshot("merged.shard-1/journal.jsonl"), before);
}

fn too_many(cluster: &mut Cluster) {
    let place = Place::new();
    place.write("cup.toml", "");
    let ran = cluster.recipe(&place, "4", &[]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert_eq!(ran.stderr, "slurm.sh: 4 shards: this cluster takes at most 3 (MaxArraySize = 4)\n");
    cluster.say(ran.stderr.trim_end());
    assert_eq!(cluster.queued(), 0, "nothing is submitted");
}

fn node_dies(cluster: &mut Cluster) {
    let place = tournament();
    let jobs = at_gates(cluster, &place, &[]);
    let node = cluster.node_of(&jobs, 2);
    cluster.kill_node(node);
    release(cluster, &place);
    cluster.is_queued_again(&jobs, 2, 1);
    says(cluster, &place, 2, "queued again 1 times", 1);
    assert!(!log(&place, 2).contains(&format!("on {node}, queued again 1")), "{node} is dead");
    says(cluster, &place, 2, "continuing: 2 games", 1);
    equals(cluster, &place, &jobs);
    cluster.start_node(node);
}

fn runs_twice(cluster: &mut Cluster) {
    let place = tournament();
    let jobs = at_gates(cluster, &place, &[]);
    let node = cluster.node_of(&jobs, 1);
    cluster.kill_slurmd(node);
    // Slurm gives up the node, not knowing that its task still plays.
    cluster.is_queued_again(&jobs, 1, 1);
    says(cluster, &place, 1, "queued again 1 times", 1);
    says(cluster, &place, 1, "ended with status 3", 1);
    assert_eq!(recorded(&place, 1), 2, "the first run still plays");
    release(cluster, &place);
    says(cluster, &place, 1, &format!("on {node} ended with status 0"), 1);
    assert_eq!(recorded(&place, 1), 12);
    cluster.is_queued_again(&jobs, 1, 2);
    equals(cluster, &place, &jobs);
    cluster.kill_node(node);
    cluster.start_node(node);
}

fn disk_is_full(cluster: &mut Cluster) {
    let place = tournament();
    let folder = cluster.disk.join("shard-1");
    fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(&folder, place.path("merged.shard-1")).unwrap();
    let retries = [("RETRIES", "1")];
    let jobs = at_gates(cluster, &place, &retries);
    let filler = cluster.disk.join("filler");
    let mut file = File::create(&filler).unwrap();
    while file.write_all(&[b'x'; 4096]).is_ok() {}
    drop(file); // while it is open, removing it frees nothing
    cluster.say("the disk of shard 1 is full");
    release(cluster, &place);
    says(cluster, &place, 1, "No space left on device", 1);
    says(cluster, &place, 1, "ended with status 3", 1);
    cluster.is_queued_again(&jobs, 1, 1);
    says(cluster, &place, 1, "ended with status 3", 2);
    says(cluster, &place, 1, "is given up: it has recorded nothing more", 1);
    cluster.merges(1, &place, &jobs);
    let count = recorded(&place, 1);
    let missing =
        place.text("merged/missing.txt").lines().filter(|line| line.contains('~')).count();
    assert_eq!(missing, 12 - count);
    assert_ne!(missing, 0);
    fs::remove_file(&filler).unwrap();
    cluster.say(&format!("{missing} games are in missing.txt; there is room again"));
    let jobs = cluster.submit(&place, &retries);
    says(cluster, &place, 1, &format!("continuing: {count} games"), 2);
    equals(cluster, &place, &jobs);
    fs::remove_dir_all(&folder).unwrap();
}

fn time_limit(cluster: &mut Cluster) {
    let place = tournament();
    let jobs = at_gates(cluster, &place, &[("TIME", "2"), ("LEAD", "60")]);
    // Games that do not end in time are stopped, before the limit itself ends the task.
    for task in 1..=3 {
        says(cluster, &place, task, INTERRUPTED, 1);
    }
    for task in 1..=3 {
        says(cluster, &place, task, "stopped; the games that had ended are recorded", 1);
        says(cluster, &place, task, "continuing: 2 games", 1);
    }
    for task in 1..=3 {
        says(cluster, &place, task, INTERRUPTED, 2);
    }
    release(cluster, &place);
    for task in 1..=3 {
        says(cluster, &place, task, "interrupted after 3 games", 1);
        says(cluster, &place, task, "ended with status 130", 2);
        cluster.is_queued_again(&jobs, task, 2);
        says(cluster, &place, task, "continuing: 3 games", 1);
    }
    equals(cluster, &place, &jobs);
}

fn cancelled(cluster: &mut Cluster) {
    let place = tournament();
    let jobs = at_gates(cluster, &place, &[]);
    cluster.tell("scontrol requeue", &jobs, 2);
    cluster.is_queued_again(&jobs, 2, 1);
    cluster.tell("scancel", &jobs, 3);
    for task in [2, 3] {
        says(cluster, &place, task, "ended with status 137", 1);
        assert_eq!(recorded(&place, task), 2, "nothing of the game that ran");
    }
    release(cluster, &place);
    cluster.merges(1, &place, &jobs);
    assert!(!log(&place, 3).contains("queued again 1 times"), "what is cancelled stays so");
    let jobs = cluster.submit(&place, &[]);
    equals(cluster, &place, &jobs);
}
