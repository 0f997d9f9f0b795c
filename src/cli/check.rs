//! `arbiter check --rules`: tries the rules of a game of one's own.

use super::CommandResult;
use crate::director::{Failure, complain, load_rules, print_if_open};
use crate::game::Settings;
use crate::rules::own::{EngineState, OwnOption, RulesEngine, RulesSource};
use crate::rules::{RulesFault, Ruleset};
use crate::rules_check::{Trial, try_out};
use crate::rules_process::RulesFile;
use crate::text::harmless;
use anyhow::anyhow;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  arbiter check --rules connect4.py                 a thousand random games, and each option at both its ends
  arbiter check --rules connect4.py --games 50      a quick look while the rules are written

Exit status: 0 no mistake; 1 the rules have a mistake; 2 bad usage or input.";

/// Try the rules of a game out
///
/// Plays random games with every option at its default, and a tenth as many with each option at its least and at its greatest
/// value. Each position is read from its text again, and asked about twice, in another order and in another process. Shows how
/// long games are, how many moves there are, who wins, the time a move takes, and each mistake with the shortest way to it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckCommand {
    /// The rules: a Python file, a program, or a folder with a game.toml
    #[arg(long, value_name = "FILE", required = true)]
    rules: PathBuf,
    /// The number of random games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
}

/// An engine with the time that its answers took.
#[derive(Debug)]
struct Timed {
    engine: Arc<dyn RulesEngine>,
    nanoseconds: AtomicU64,
    moves: AtomicU64,
}

impl RulesEngine for Timed {
    fn advance(&self, position: &str, ply: &str) -> Result<EngineState, RulesFault> {
        let began = Instant::now();
        let answer = self.engine.advance(position, ply);
        self.nanoseconds.fetch_add(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
        self.moves.fetch_add(1, Ordering::Relaxed);
        answer
    }

    fn at(&self, position: &str) -> Result<Result<EngineState, String>, RulesFault> {
        self.engine.at(position)
    }

    fn why(&self, position: &str, ply: &str) -> Option<String> {
        self.engine.why(position, ply)
    }
}

impl CheckCommand {
    pub(super) fn run(self) -> CommandResult {
        let load = || load_rules(&self.rules, &Settings::of_play().limits);
        let (rules, again) = (load()?, load()?);
        print_line(&format!("{}  {}", self.rules.display(), rules.title()))?;
        print_line("  games       plies   moves   first  second   draws   us a move  options")?;
        let mut has_mistake = false;
        for set in option_sets(rules.options()) {
            let games = if set.is_empty() { self.games } else { self.games.div_ceil(10) };
            has_mistake |= check(&rules, &again, &set, games.into())?;
        }
        if has_mistake {
            return Ok(ExitCode::from(1));
        }
        print_line("no mistake found")?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Tries the rules with these options; returns whether they have a mistake.
fn check(
    rules: &RulesFile,
    again: &RulesFile,
    set: &[(String, String)],
    games: u64,
) -> Result<bool, Failure> {
    let options = set.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ");
    let shown = if options.is_empty() { "defaults".to_owned() } else { options.clone() };
    let definition = rules.with_options(set).map_err(|error| anyhow!(error));
    let other = again.with_options(set).map_err(|error| anyhow!(error));
    let (mut definition, other) = match definition.and_then(|one| Ok((one, other?))) {
        Ok(both) => both,
        Err(error) => {
            print_line(&format!("{shown}: {error:#}"))?;
            return Ok(true);
        }
    };
    let (Some(engine), Some(other)) = (definition.engine.take(), other.engine) else {
        return Err(anyhow!("the rules have no engine").into());
    };
    let timed = Arc::new(Timed { engine, nanoseconds: AtomicU64::new(0), moves: AtomicU64::new(0) });
    definition.engine = Some(Arc::clone(&timed) as Arc<dyn RulesEngine>);
    let ruleset = match Ruleset::own(definition) {
        Ok(ruleset) => ruleset,
        Err(fault) => {
            print_line(&format!("{shown}: at the start: {fault}"))?;
            return Ok(true);
        }
    };
    let trial = try_out(ruleset, &*timed, &*other, games);
    let moves = timed.moves.load(Ordering::Relaxed).max(1);
    let micros = timed.nanoseconds.load(Ordering::Relaxed) as f64 / 1e3 / moves as f64;
    print_line(&row(&trial, micros, &shown))?;
    for note in notes(&trial) {
        complain(format_args!("note: {shown}: {note}"));
    }
    for mistake in &trial.mistakes {
        print_line(&format!("\nMISTAKE with {shown}: {}", mistake.what))?;
        if !mistake.seen.is_empty() {
            print_line(&format!("  seen      {}", mistake.seen))?;
        }
        print_line(&format!("  position  {}", mistake.position))?;
        let way = if mistake.way.is_empty() { "at the start".to_owned() } else { mistake.way.join(" ") };
        print_line(&format!("  moves     {way}\n"))?;
    }
    Ok(!trial.mistakes.is_empty())
}

/// No option, then each one at its least and at its greatest value, if that is not its default.
fn option_sets(options: &[OwnOption]) -> Vec<Vec<(String, String)>> {
    let ends = options.iter().flat_map(|option| {
        let mut values: Vec<&String> =
            option.values.first().into_iter().chain(option.values.last()).collect();
        values.dedup();
        let others = values.into_iter().filter(|value| **value != option.default);
        others.map(|value| vec![(option.key.clone(), value.clone())]).collect::<Vec<_>>()
    });
    std::iter::once(Vec::new()).chain(ends).collect()
}

/// A line of the table.
fn row(trial: &Trial, micros: f64, options: &str) -> String {
    let share = |games: u64| format!("{:.1}%", 100.0 * games as f64 / trial.games.max(1) as f64);
    let (least, _, most) = trial.plies;
    format!(
        "  {:<8} {:>8} {:>7.1} {:>7} {:>7} {:>7}   {:>9.0}  {options}",
        trial.games,
        format!("{least}-{most}"),
        trial.branching(),
        share(trial.wins[0]),
        share(trial.wins[1]),
        share(trial.draws.iter().sum()),
        micros,
    )
}

/// What is no mistake, but perhaps not meant.
fn notes(trial: &Trial) -> Vec<String> {
    let mut notes = Vec::new();
    let [_, repeated, long] = trial.draws;
    if long > 0 {
        notes
            .push(format!("{long} of {} games were drawn by the limit of plies: do games end?", trial.games));
    }
    if repeated * 2 > trial.games {
        notes.push(format!("{repeated} of {} games were drawn by repetition", trial.games));
    }
    if trial.games >= 100 && trial.wins.contains(&0) {
        notes.push("one side won no game".to_owned());
    }
    notes
}

fn print_line(line: &str) -> Result<(), Failure> {
    print_if_open(harmless(line))
}
