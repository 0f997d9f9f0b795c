//! `arbiter check` on every broken bot of the modules `broken_bots` and `explanations`: what it
//! tells first, and whether the file that it writes shows the fault without arbiter.
//!
//! That is what `.ci/slow` tries (`ARBITER_ALL`). Otherwise it is the first bot of every second
//! thing that is to be told.

use super::by_hand::shows;
use crate::explanations::table;
use crate::support::broken_bots;
use crate::support::broken_bots::Ends::{Forfeits, Plays, Resigns};
use crate::support::faulty_programs::{self, programs};
use crate::support::{POSIX, judge_all, marker, plays_all, run, sample};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The situation and the fault that are told first.
type Told = (&'static str, Option<&'static str>);

/// A broken bot: its row in its table, the command line, what it needs if it is a faulty program,
/// the level of isolation that it needs, and the situation and the fault that are to be told first,
/// if any are.
struct Case {
    row: &'static str,
    line: String,
    needs: Option<&'static str>,
    sandbox: &'static str,
    told: Option<Told>,
    /// Whether the file shows its fault to somebody who feeds it to the bot by hand.
    shows_by_hand: bool,
}

/// What is told first where it is not a lost game in `ready` or `opening`; none for nothing at all.
const ELSEWHERE: &[(&str, Option<Told>)] = &[
    ("stray-debug", Some(("stdout", None))),
    ("bad-utf8-stray", Some(("stdout", None))),
    ("chatty-off-move", Some(("stdout", None))),
    ("two-answers", Some(("one-answer", None))),
    ("early-answer", Some(("one-answer", None))),
    ("ignores-sigterm", Some(("quit", None))),
    ("$ python3 tests/bots/unflushed.py ready", Some(("flush", None))),
];

fn told(row: &'static str, usual: Option<Told>) -> Option<Told> {
    ELSEWHERE.iter().find(|(known, _)| *known == row).map_or(usual, |(_, told)| *told)
}

/// What a game that is lost so is told as.
fn lost(termination: &'static str) -> Option<Told> {
    Some((if termination == "no-start" { "ready" } else { "opening" }, Some(termination)))
}

/// The cases of both tables that are tried, of those whose compilers are installed. `dir` is the
/// folder of the broken bots; `DIR` in the faulty ones is replaced by `install`.
fn cases(dir: &Path) -> Vec<Case> {
    let broken = broken_bots::installed().into_iter().map(|&(row, _, ends, _)| {
        let usual = match ends {
            Plays | Resigns => None,
            Forfeits(termination) => lost(termination),
        };
        Case {
            row,
            line: broken_bots::line(row, dir, &marker("check")),
            needs: None,
            sandbox: "basic",
            told: told(row, usual),
            // By hand its line is whole, and nobody sees that it began before the question.
            shows_by_hand: row != "early-half",
        }
    });
    let missing = faulty_programs::not_installed();
    let faulty = table::TABLE.iter().filter(|row| !missing.contains(row.needs));
    let faulty = faulty.map(|row| Case {
        row: row.bot,
        line: row.bot.to_owned(),
        needs: Some(row.needs),
        sandbox: row
            .options
            .iter()
            .skip_while(|word| **word != "--sandbox")
            .nth(1)
            .unwrap_or(&"basic"),
        told: told(row.bot, lost(row.termination)),
        shows_by_hand: true,
    });
    let mut known = HashSet::new();
    let is_tried = |case: &Case| plays_all() || known.insert((case.told, case.sandbox));
    let cases = broken.chain(faulty).filter(|case| !POSIX || case.sandbox != "strict");
    sample(cases.filter(is_tried), 2)
}

/// Makes the programs of these cases, and leaves out what cannot be made. Returns the folder of the
/// faulty ones.
fn install(cases: &mut Vec<Case>, dir: &Path) -> tempfile::TempDir {
    let broken = cases.iter().filter(|case| case.needs.is_none()).map(|case| case.row);
    broken_bots::compile(&broken.collect::<Vec<_>>(), dir);
    let (programs, missing) = programs(&cases.iter().filter_map(|case| case.needs).collect());
    cases.retain(|case| case.needs.is_none_or(|needs| !missing.contains(needs)));
    let folder = programs.path().canonicalize().unwrap();
    for case in cases {
        case.line = case.line.replace("DIR", folder.to_str().unwrap());
    }
    programs
}

/// A tournament, so that clock and board are not varied, with the two limits of [`limits`].
const CUP: &str = "game = 'loa'\n[time]\nmove = 'MOVE'\nstart = 'START'\n[[bot]]\nname = 'a'\ncommand = 'a'\n[[bot]]\nname = 'b'\n\
                   command = 'b'\n";

/// The time for a ply and the one to get ready: short where a bot exceeds it by far, and far from
/// what others need.
fn limits(case: &Case) -> [&'static str; 2] {
    match case.told.and_then(|(_, fault)| fault) {
        Some("no-start") => ["60s", "1s"],
        Some("timeout") => ["1s", "60s"],
        _ => ["60s", "60s"],
    }
}

/// What is wrong with what is told of a bot.
fn judge(case: &Case, number: usize, dir: &Path) -> Option<String> {
    let out = dir.join(format!("out-{number}"));
    let (out, config) = (out.to_str().unwrap(), dir.join(format!("cup-{number}.toml")));
    let [ply, start] = limits(case);
    fs::write(&config, CUP.replace("MOVE", ply).replace("START", start)).unwrap();
    let cup = ["--config", config.to_str().unwrap(), "--sandbox", case.sandbox];
    let ran = run(&[&["check", &case.line, "--json", "--out", out], &cup[..]].concat());
    let objects =
        ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap_or_default());
    let objects: Vec<Value> = objects.collect();
    let of = |result: &str| objects.iter().find(|object| object["result"] == result);
    let first = of("fault").or_else(|| of("remark"));
    let found = first
        .map(|first| (first["situation"].as_str().unwrap_or_default(), first["fault"].as_str()));
    let status = Some(i32::from(of("fault").is_some()));
    let whole =
        format!("{} {:?}: told {found:?}: {}", case.row, case.told, first.unwrap_or(&Value::Null));
    if found != case.told || ran.status != status {
        return Some(format!("{whole}\n  status {:?} {}", ran.status, ran.stderr));
    }
    if !case.shows_by_hand {
        return None;
    }
    let (object, fault) = first.and_then(|first| Some((first, first["fault"].as_str()?)))?;
    let file = object["file"].as_str()?;
    let command = object["command"].as_str()?;
    shows(
        fault,
        command,
        &fs::read_to_string(file).unwrap(),
        &dir.join(format!("by-hand-{number}")),
    )
    .err()
    .map(|why| format!("{whole}\n  {command}\n  does not show it: {why}"))
}

#[test]
fn a_broken_bot_is_told_its_fault_and_the_file_shows_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut cases = cases(dir.path());
    let _programs = install(&mut cases, dir.path());
    let numbered: Vec<(usize, &Case)> = cases.iter().enumerate().collect();
    let complaints = judge_all(&numbered, 4, |&(number, case)| judge(case, number, dir.path()));
    for entry in dir.path().read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "pid") {
            let pid = fs::read_to_string(path).unwrap();
            let _ = Command::new("kill").args(["-9", pid.trim()]).status(); // a daemon that was fed by hand
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
