//! Compares the hard rules of Swiss pairing with py4swiss, if it is installed: whether a round can
//! be paired such that no two bots meet twice and no bot has two byes.

use super::*;
use std::io::Write;
use std::process::{Command, Stdio};

/// Reads one round a line: for each bot whether it has had a bye, then its opponents. Writes
/// whether the round can be paired.
const SCRIPT: &str = "
import sys
from types import SimpleNamespace
from py4swiss.engines.dutch.validity_matcher import ValidityMatcher

class Player:
    def __init__(self, number, text):
        bye, *opponents = map(int, text.split())
        self.id, self.bye_received, self.opponents, self.top_scorer = number, bye == 1, set(opponents), False
        self.color_preference = SimpleNamespace(side=None, strength=None)

for line in sys.stdin:
    players = [Player(number, text) for number, text in enumerate(line.split(','))]
    print(int(ValidityMatcher(players, set()).is_valid_matching()))
";

/// The answers of py4swiss for these rounds; none if it is not installed.
fn ask(rounds: &str) -> Option<Vec<bool>> {
    let importable =
        Command::new("python3").args(["-c", "import py4swiss"]).stderr(Stdio::null()).status();
    if !importable.is_ok_and(|status| status.success()) {
        return None;
    }
    let mut command = Command::new("python3");
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut python = command.spawn().unwrap();
    let (mut stdin, rounds) = (python.stdin.take().unwrap(), rounds.to_owned());
    let writer = std::thread::spawn(move || stdin.write_all(rounds.as_bytes()));
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap().lines().map(|line| line == "1").collect())
}

#[test]
fn keeps_the_hard_rules_where_py4swiss_can() {
    let (mut asked, mut kept) = (String::new(), Vec::new());
    for seed in 0..300 {
        let bots = 2 + seed as usize % 13;
        let rounds = bots as u32 + 2;
        let told = play(
            Format { games: 1 + seed as u32 % 2, rounds, ..named("swiss") },
            &names(bots),
            seed,
            1,
            0,
        );
        let (mut opponents, mut paused) = (vec![BTreeSet::new(); bots], vec![false; bots]);
        for round in 1..=rounds {
            let texts = opponents.iter().zip(&paused).map(|(opponents, &paused)| {
                let met = opponents.iter().map(|bot: &usize| format!(" {bot}")).collect::<String>();
                format!("{}{met}", u8::from(paused))
            });
            asked += &(texts.collect::<Vec<_>>().join(",") + "\n");
            let mut is_kept = true;
            for game in told.games.iter().filter(|game| (game.round, game.game) == (round, 1)) {
                is_kept &= opponents[game.first].insert(game.second);
                opponents[game.second].insert(game.first);
            }
            for bye in told.byes.iter().filter(|bye| bye.round == round) {
                is_kept &= !std::mem::replace(&mut paused[bye.bot], true);
            }
            kept.push(is_kept);
        }
    }
    let Some(said) = ask(&asked) else {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: py4swiss is not installed (pip install py4swiss)"
        );
        return;
    };
    assert_eq!(said, kept);
    assert!(kept.contains(&false) && kept.iter().filter(|&&kept| kept).count() > 1000);
}
