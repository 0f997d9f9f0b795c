//! `configs/cluster/slurm.sh` on a Slurm cluster of three virtual nodes on this machine: nodes that die,
//! tasks that run twice, a full disk, the time limit. The merged folder is that of an unsharded run.
//!
//! `cargo test --test slurm` runs it, `cargo test` does not. It prints a transcript. Where Slurm is not
//! installed, or where no namespaces can be made, it says so and does nothing.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(
    clippy::shadow_unrelated,
    clippy::too_many_lines,
    reason = "a test runs the program again and again, and one story is told in one function"
)]
#![allow(clippy::print_stdout, reason = "the transcript is the output of this program")]

#[path = "../it/support/mod.rs"]
mod support;

mod checks;
mod cluster;

use cluster::{Cluster, NEEDS};
use std::process::{Command, ExitCode};
use support::{skip, wait_until_gone, which};

/// The argument by which this program is started as the first process of a namespace.
const INSIDE: &str = "--inside";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|word| word == INSIDE) {
        inside(&arguments[1..]);
        return ExitCode::SUCCESS;
    }
    let missing: Vec<&str> =
        NEEDS.into_iter().filter(|&program| which(program).is_none()).collect();
    if !missing.is_empty() {
        skip(&format!(
            "{} not installed: configs/cluster/slurm.sh is not tested",
            missing.join(", ")
        ));
        return ExitCode::SUCCESS;
    }
    if !isolated().arg("true").status().unwrap().success() {
        skip("no namespaces can be made here: configs/cluster/slurm.sh is not tested");
        return ExitCode::SUCCESS;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut command = isolated();
    command.arg(std::env::current_exe().unwrap()).arg(INSIDE).args(arguments);
    let status = command.env("TMPDIR", dir.path()).status().unwrap();
    wait_until_gone(dir.path().to_str().unwrap());
    if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A command that runs a program in namespaces of processes and mounts. All that the program started ends
/// with it, and it ends with this process.
fn isolated() -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "unshare"]);
    if !rustix::process::getuid().is_root() {
        command.args(["--user", "--map-current-user", "--keep-caps"]);
    }
    command.args(["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]);
    command
}

/// Runs the checks whose names contain one of the words, or all of them, on one cluster.
fn inside(words: &[String]) {
    let dir = std::env::temp_dir().join("cluster");
    std::fs::create_dir(&dir).unwrap();
    let mut cluster = Cluster::start(&dir);
    cluster.say("three nodes are idle");
    let chosen = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    let mut count = 0;
    for (name, check) in checks::ALL.into_iter().filter(|(name, _)| chosen(name)) {
        println!("== {name}");
        check(&mut cluster);
        assert_eq!(cluster.queued(), 0, "{name} leaves jobs");
        cluster.say("ok");
        count += 1;
    }
    println!("{count} checks passed");
}
