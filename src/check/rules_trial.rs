//! Tries out the rules of a custom game, and prints the results
//! (docs/reference/custom-games.md, Trying the rules out).

use anyhow::anyhow;
use arbiter_engine::rules_check::{Trial, shorten, try_game};
use arbiter_game::{Outcome, Settings};
use arbiter_ground::failure::Failure;
use arbiter_ground::isolation::cores;
use arbiter_ground::output::{complain, print_if_open};
use arbiter_ground::own_rules::load_rules;
use arbiter_ground::parallel::in_parallel;
use arbiter_rules::own::{EngineAnswer, EngineQuestion, OwnOption, Rules, RulesEngine};
use arbiter_rules::text::{counted, harmless};
use arbiter_rules::{RulesFault, Ruleset};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// An engine with the time that its answers to moves took.
#[derive(Debug)]
struct Timed {
    engine: Arc<dyn RulesEngine>,
    nanoseconds: AtomicU64,
    moves: AtomicU64,
}

impl RulesEngine for Timed {
    fn answer(&self, question: &EngineQuestion) -> Result<EngineAnswer, RulesFault> {
        let began = Instant::now();
        let answer = self.engine.answer(question);
        // The table shows the time of a move.
        if matches!(question, EngineQuestion::Advance(..)) {
            self.nanoseconds.fetch_add(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
            self.moves.fetch_add(1, Ordering::Relaxed);
        }
        answer
    }
}

/// Plays this many random games by rules with the defaults of their options, and a tenth as many
/// with each option at its ends; returns the number of mistakes.
///
/// # Errors
/// The rules cannot be loaded, or standard output fails.
pub fn try_rules_out(path: &Path, games: u32) -> Result<usize, Failure> {
    let limits = Settings::of_play().limits;
    let rules = load_rules(path, &limits)?;
    // A second process: answers that depend on earlier questions differ between the two.
    let again = load_rules(path, &limits)?;
    print_line(&format!("{}  {}", path.display(), rules.title()))?;
    print_line("  games       plies   moves   first  second   draws   us a move  options")?;
    let mut mistakes = 0;
    let sets = option_sets(rules.options());
    for set in &sets {
        let games = if set.is_empty() { games } else { games.div_ceil(10) };
        mistakes += try_options(&rules, &again, set, games.into())?;
        if set.is_empty() && mistakes > 0 && sets.len() > 1 {
            print_line("the options are not tried until there is no mistake with their defaults")?;
            break;
        }
    }
    let count =
        if mistakes == 0 { "no mistake".to_owned() } else { counted(mistakes as u64, "mistake") };
    print_line(&format!("{count} found"))?;
    Ok(mistakes)
}

/// Tries the rules with these options; returns the number of their mistakes.
fn try_options(
    rules: &Rules,
    again: &Rules,
    set: &[(String, String)],
    games: u64,
) -> Result<usize, Failure> {
    let options: Vec<String> = set.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let shown = if options.is_empty() { "defaults".to_owned() } else { options.join(" ") };
    let both = rules.with_options(set).and_then(|one| Ok((one, again.with_options(set)?)));
    let (mut definition, other) = match both {
        Ok(both) => both,
        Err(error) => {
            print_line(&format!("\nMISTAKE with {shown}: {:#}\n", anyhow!(error)))?;
            return Ok(1);
        }
    };
    let (Some(engine), Some(other)) = (definition.engine.take(), other.engine) else {
        return Err(anyhow!("the rules have no engine").into());
    };
    let timed =
        Arc::new(Timed { engine, nanoseconds: AtomicU64::new(0), moves: AtomicU64::new(0) });
    definition.engine = Some(Arc::clone(&timed) as Arc<dyn RulesEngine>);
    let ruleset = match Ruleset::own(definition) {
        Ok(ruleset) => ruleset,
        Err(fault) => {
            print_line(&format!("\nMISTAKE with {shown}: at the start: {fault}\n"))?;
            return Ok(1);
        }
    };
    let engines: [&dyn RulesEngine; 2] = [&*timed, &*other];
    let mut trial = Trial::default();
    // The first game alone: with others beside it, the time of a move would be that of starting
    // further processes and of waiting for a processor.
    trial.add_game(try_game(&ruleset, engines, 0));
    let moves = timed.moves.load(Ordering::Relaxed).max(1);
    let micros = timed.nanoseconds.load(Ordering::Relaxed) as f64 / 1e3 / moves as f64;
    if !trial.is_enough() {
        play_further(&ruleset, engines, games, &mut trial);
    }
    shorten(&ruleset, &mut trial);
    print_line(&row(&trial, micros, &shown))?;
    if let Some((played, end)) = &trial.example
        && set.is_empty()
    {
        print_line(&example(&ruleset, played, *end))?;
    }
    for note in notes(&trial) {
        complain(format_args!("note: {shown}: {note}"));
    }
    for mistake in &trial.mistakes {
        print_line(&format!("\nMISTAKE with {shown}: {}", mistake.what))?;
        if !mistake.seen.is_empty() {
            print_line(&format!("  seen      {}", mistake.seen))?;
        }
        print_line(&format!("  position  {}", mistake.position))?;
        let way = match &mistake.way[..] {
            [] => "at the start".to_owned(),
            way => way.join(" "),
        };
        print_line(&format!("  moves     {way}\n"))?;
    }
    Ok(trial.mistakes.len())
}

/// Plays the games after the first one, as many at a time as the machine has processors.
fn play_further(ruleset: &Ruleset, engines: [&dyn RulesEngine; 2], games: u64, trial: &mut Trial) {
    let numbers: Vec<u64> = (1..games).collect();
    // An error means enough.
    let _ = in_parallel(
        &numbers,
        cores(),
        || (),
        |number| try_game(ruleset, engines, *number),
        |game| {
            trial.add_game(game);
            if trial.is_enough() { Err(()) } else { Ok(()) }
        },
    );
}

/// The defaults, then each option at its least and at its greatest value unless that is its
/// default.
fn option_sets(options: &[OwnOption]) -> Vec<Vec<(String, String)>> {
    let mut sets = vec![Vec::new()];
    for option in options {
        let (Some(least), Some(greatest)) = (option.values.first(), option.values.last()) else {
            continue;
        };
        if *least != option.default {
            sets.push(vec![(option.key.clone(), least.clone())]);
        }
        if *greatest != option.default && greatest != least {
            sets.push(vec![(option.key.clone(), greatest.clone())]);
        }
    }
    sets
}

/// A line of the table.
fn row(trial: &Trial, micros: f64, options: &str) -> String {
    if trial.games == 0 {
        let none = "-";
        return format!(
            "  {none:<8} {none:>8} {none:>7} {none:>7} {none:>7} {none:>7}   {none:>9}  {options}"
        );
    }
    let (least, _, most) = trial.plies;
    format!(
        "  {:<8} {:>8} {:>7.1} {:>7} {:>7} {:>7}   {:>9.0}  {options}",
        trial.games,
        format!("{least}-{most}"),
        trial.branching(),
        share(trial.wins[0], trial.games),
        share(trial.wins[1], trial.games),
        share(trial.draws.iter().sum(), trial.games),
        micros,
    )
}

fn share(games: u64, of: u64) -> String {
    format!("{:.1}%", 100.0 * games as f64 / of as f64)
}

/// One game with its result, so that a person can see whether the right side wins.
fn example(ruleset: &Ruleset, moves: &[String], end: Outcome) -> String {
    let winner = match end.winner() {
        Some(side) => format!("{} wins", ruleset.game().letters()[side]),
        None => "a draw".to_owned(),
    };
    let moves = if moves.is_empty() { "no move".to_owned() } else { moves.join(" ") };
    format!("example: {moves}; {winner} by {}", end.termination())
}

/// What is not a mistake, but perhaps not intended.
fn notes(trial: &Trial) -> Vec<String> {
    let mut notes = Vec::new();
    let [_, repeated, long] = trial.draws;
    if long > 0 {
        notes.push(format!(
            "{long} of {} games were drawn by the limit of plies: do games end?",
            trial.games
        ));
    }
    if repeated * 2 > trial.games {
        notes.push(format!("{repeated} of {} games were drawn by repetition", trial.games));
    }
    let [first, second] = trial.wins;
    if trial.games > 0 && trial.plies.2 == 0 {
        notes.push("the game is over at the start".to_owned());
    } else if trial.games > 0 && trial.moved.contains(&0) {
        notes.push("one side was never to move: which side does play name?".to_owned());
    }
    if trial.games >= 20 && first.max(second) == trial.games {
        notes.push("one side won every game: does ending name the winner?".to_owned());
    } else if trial.games >= 100 && trial.wins.contains(&0) {
        notes.push("one side won no game".to_owned());
    }
    notes
}

fn print_line(line: &str) -> Result<(), Failure> {
    print_if_open(harmless(line))
}
