//! Tries the rules of a custom game: random games, and questions whose answers must be equal
//! (docs/reference/custom-games.md, Trying the rules out).
//!
//! Owns [`Trial`] and what it is made of: [`try_game`] for each game, then [`shorten`]. Knows
//! engines by their trait only, and no clock: who asks measures the time.
//!
//! A mistake is reported once, with the shortest sequence of moves to it that was found: that of
//! the random games, or a shorter one among the first positions after the start.

use arbiter_game::{Answer, Outcome, Referee, Settings, Step, legal_texts};
use arbiter_rules::own::{EngineAnswer, EngineQuestion, EngineState, RulesEngine};
use arbiter_rules::seed::Generator;
use arbiter_rules::{Ply, Position, RulesFault, Ruleset};
use std::collections::VecDeque;

/// Positions that are looked at for a shorter way to a mistake: each is a question to the rules.
const SEARCHED: usize = 2_000;

/// The games whose positions are all asked about again, in another order and of another engine.
/// That costs several questions a position.
const ASKED_AGAIN: u64 = 20;

/// What random games showed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trial {
    /// The number of games that ended.
    pub games: u64,
    /// Their plies: the fewest, all of them together, the most.
    pub plies: (u64, u64, u64),
    /// The legal moves of all positions in which a side chose, together.
    pub choices: u64,
    /// The games that each side won.
    pub wins: [u64; 2],
    /// The draws by the rules, by repetition, and by the limit of plies.
    pub draws: [u64; 3],
    /// The plies of each side.
    pub moved: [u64; 2],
    /// The moves and the end of the shortest game that a side won, or else of the shortest game.
    pub example: Option<(Vec<String>, Outcome)>,
    /// The mistakes, each kind once.
    pub mistakes: Vec<Mistake>,
}

/// A mistake of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong, in the same words wherever it happens.
    pub what: String,
    /// What was seen here; empty if nothing more is to be said.
    pub seen: String,
    /// The moves from the start position to it; the last one is the one that fails.
    pub way: Vec<String>,
    /// The position before that.
    pub position: String,
    /// What two mistakes of one kind have in common.
    kind: String,
    /// Whether the rules did not answer in time: what is asked once more takes as long again.
    late: bool,
    /// Whether a move of one answer is refused by another one: where answers differ already, that
    /// is no mistake of its own.
    follows: bool,
}

impl Mistake {
    /// The mistake that a fault shows, whose sentence is said without what differs from position to
    /// position.
    fn of_fault(fault: &RulesFault, way: &[String]) -> Mistake {
        let (sentence, place, function) = fault.kind();
        let sentence = sentence.replace(|c: char| c.is_ascii_digit(), "");
        Mistake {
            what: RulesFault { position: None, ply: None, ..fault.clone() }.to_string(),
            seen: String::new(),
            way: way.to_vec(),
            position: fault.position.as_deref().unwrap_or_default().to_owned(),
            kind: format!("{place:?} {function:?} {sentence}"),
            late: fault.is_late(),
            follows: false,
        }
    }

    /// A mistake that two answers show which should be equal.
    fn new(what: String, seen: String, position: &str, way: Vec<String>) -> Mistake {
        Mistake {
            kind: what.clone(),
            what,
            seen,
            way,
            position: position.to_owned(),
            late: false,
            follows: false,
        }
    }
}

impl Trial {
    /// The mean number of plies of a game.
    pub fn mean_plies(&self) -> f64 {
        self.plies.1 as f64 / self.games.max(1) as f64
    }

    /// The mean number of legal moves.
    pub fn branching(&self) -> f64 {
        self.choices as f64 / self.plies.1.max(1) as f64
    }

    /// Adds what a later game showed. Several games may be played at a time; added in their order,
    /// they give the same trial as one after another.
    pub fn add_game(&mut self, game: Trial) {
        if let Some((way, outcome)) = &game.example {
            self.count(*outcome, way);
        }
        self.choices += game.choices;
        for (sum, moved) in self.moved.iter_mut().zip(game.moved) {
            *sum += moved;
        }
        let is_first = self.mistakes.is_empty();
        for mistake in game.mistakes {
            if is_first || !mistake.follows {
                self.add(mistake);
            }
        }
    }

    /// Whether no further game is needed: a few mistakes are enough to begin with, and late rules
    /// cost their time at each question.
    pub fn is_enough(&self) -> bool {
        self.mistakes.len() >= 3 || self.is_late()
    }

    fn is_late(&self) -> bool {
        self.mistakes.iter().any(|mistake| mistake.late)
    }

    fn count(&mut self, outcome: Outcome, way: &[String]) {
        let plies = way.len() as u64;
        // A game that somebody wins shows more than a draw.
        let is_better = match &self.example {
            Some((known, end)) => {
                (outcome.winner().is_none(), way.len()) < (end.winner().is_none(), known.len())
            }
            None => true,
        };
        if is_better {
            self.example = Some((way.to_vec(), outcome));
        }
        let (least, sum, most) = self.plies;
        let least = if self.games == 0 { plies } else { least.min(plies) };
        self.plies = (least, sum + plies, most.max(plies));
        self.games += 1;
        match outcome.winner() {
            Some(side) => self.wins[side as usize] += 1,
            None => {
                let kind = match outcome {
                    Outcome::Repetition => 1,
                    Outcome::MaxPlies => 2,
                    _ => 0,
                };
                self.draws[kind] += 1;
            }
        }
    }

    fn add(&mut self, mistake: Mistake) {
        let Some(known) = self.mistakes.iter_mut().find(|known| known.kind == mistake.kind) else {
            self.mistakes.push(mistake);
            return;
        };
        let follows = known.follows && mistake.follows;
        if known.way.len() > mistake.way.len() {
            *known = mistake;
        }
        known.follows = follows;
    }
}

/// Plays the random game of this number by the rules of `ruleset`, whose engine is the first of
/// these. In the first games both are asked about all positions again; the other one has the same
/// rules, and is asked nothing else.
pub fn try_game(ruleset: &Ruleset, engines: [&dyn RulesEngine; 2], number: u64) -> Trial {
    let mut trial = Trial::default();
    let plies = play(ruleset, number, &mut trial);
    if number < ASKED_AGAIN && !trial.is_late() {
        let positions = positions_of(ruleset, &plies);
        ask_again(&positions, engines, &mut trial);
    }
    trial
}

/// Plays a random game and returns its plies.
fn play(ruleset: &Ruleset, number: u64, trial: &mut Trial) -> Vec<Ply> {
    let mut generator = Generator::new(&[&"rules", &number]);
    let start = ruleset.start().detached();
    let mut referee = Referee::new(&Settings::for_ruleset(ruleset.clone()), start);
    while referee.outcome().is_none() {
        let plies = referee.position().sorted_plies();
        trial.choices += plies.len() as u64;
        trial.moved[referee.position().side() as usize] += 1;
        let ply = plies[generator.below(plies.len() as u64) as usize];
        let _: Step = referee.answer(&mut Answer::ply(ply));
    }
    let mut way = Vec::new();
    for &ply in referee.plies() {
        way.push(ruleset.ply_text(ply).to_string());
    }
    if let Some(fault) = referee.position().fault() {
        trial.add(Mistake::of_fault(fault, &way));
    } else if let Some(outcome) = referee.outcome() {
        trial.count(outcome, &way);
    }
    referee.plies().to_vec()
}

/// The positions of a game, each with the move that was played in it, if one was. The rules are
/// asked for all of them.
fn positions_of(ruleset: &Ruleset, plies: &[Ply]) -> Vec<(Position, Option<String>)> {
    let mut position = ruleset.start().detached();
    let mut positions = Vec::new();
    for &ply in plies {
        let next = position.after(ply);
        positions.push((position, Some(ruleset.ply_text(ply).to_string())));
        position = next;
    }
    positions.push((position, None));
    positions.retain(|(reached, _)| reached.fault().is_none());
    positions
}

/// Asks about the positions of a game from its end to its start: twice the one engine, once the
/// other. Rules that remember earlier questions, or that differ from process to process, answer
/// differently then.
fn ask_again(
    positions: &[(Position, Option<String>)],
    engines: [&dyn RulesEngine; 2],
    trial: &mut Trial,
) {
    for (at, (position, played)) in positions.iter().enumerate().rev() {
        let text = position.to_string();
        // 1. The position itself, three times in all.
        let first = match state(engines[0], &text) {
            Ok(first) => first,
            Err(fault) => {
                trial.add(Mistake::of_fault(&fault.asked(&text, None), &way_to(positions, at)));
                if trial.is_late() {
                    return;
                }
                continue;
            }
        };
        let mut faults = Vec::new();
        for (engine, when) in engines.into_iter().zip(WHEN) {
            match state(engine, &text) {
                Ok(second) if second != first => {
                    let what =
                        format!("asked about a position {when}, the rules answer differently");
                    trial.add(Mistake::new(
                        what,
                        difference(&first, &second),
                        &text,
                        way_to(positions, at),
                    ));
                }
                Ok(_) => {}
                Err(fault) => faults.push((fault.asked(&text, None), way_to(positions, at))),
            }
        }
        // 2. What the game knew of it, where it was reached by a move.
        let plies = legal_texts(position);
        if first.position != text || first.ending.is_none() && first.plies != plies {
            let what = "read from its text, a position is another one than after the move to it"
                .to_owned();
            let known = EngineState { position: text.clone(), plies, ..first.clone() };
            trial.add(Mistake::new(what, difference(&known, &first), &text, way_to(positions, at)));
        }
        // 3. The move that was played in it.
        if faults.is_empty()
            && let Some(ply) = played
            && let Some((next, _)) = positions.get(at + 1)
        {
            for (engine, when) in engines.into_iter().zip(WHEN) {
                let question = EngineQuestion::Advance(text.clone(), ply.clone());
                match engine.answer(&question).and_then(EngineAnswer::state) {
                    Ok(again) if again.position != next.to_string() => {
                        let what =
                            format!("the same move, played {when}, leads to another position");
                        let seen = format!("position {next} and {}", again.position);
                        trial.add(Mistake::new(what, seen, &text, way_to(positions, at + 1)));
                    }
                    Ok(_) => {}
                    Err(fault) => {
                        faults.push((fault.asked(&text, Some(ply)), way_to(positions, at + 1)))
                    }
                }
            }
        }
        // 4. Faults last: that a move is refused is no mistake of its own if answers differ
        // already.
        let is_first = trial.mistakes.is_empty();
        for (fault, way) in &faults {
            let follows = fault.ply.is_some() && !fault.is_late();
            if is_first || !follows {
                trial.add(Mistake { follows, ..Mistake::of_fault(fault, way) });
            }
        }
        if trial.is_late() {
            return;
        }
    }
}

/// The moves to the position at this index.
fn way_to(positions: &[(Position, Option<String>)], at: usize) -> Vec<String> {
    positions[..at].iter().filter_map(|(_, played)| played.clone()).collect()
}

/// When each of the two engines is asked.
const WHEN: [&str; 2] = ["the second time", "in another process"];

/// What an engine says of a position, with sorted moves: their order is not the rules'.
fn state(engine: &dyn RulesEngine, text: &str) -> Result<EngineState, RulesFault> {
    let mut state = match engine.answer(&EngineQuestion::At(text.to_owned()))? {
        EngineAnswer::NoPosition(why) => {
            let what = format_args!("a position of a game is refused: {why}");
            return Err(RulesFault::new(what).asked(text, None));
        }
        answer => answer.state()?,
    };
    state.plies.sort_unstable();
    state.squares.sort_unstable();
    Ok(state)
}

/// What differs between two answers, in words.
fn difference(one: &EngineState, other: &EngineState) -> String {
    if one.position != other.position {
        return format!("position {} and {}", one.position, other.position);
    }
    if one.plies != other.plies {
        return format!("{} and {}", moves(one), moves(other));
    }
    if one.ending != other.ending {
        return format!("ending {:?} and {:?}", one.ending, other.ending);
    }
    if one.identity != other.identity {
        return format!("identity {:?} and {:?}", one.identity, other.identity);
    }
    "the squares of the moves".to_owned()
}

fn moves(state: &EngineState) -> String {
    match &state.ending {
        _ if !state.plies.is_empty() => format!("moves {}", state.plies.join(" ")),
        Some(_) => "that the game is over".to_owned(),
        None => "no move".to_owned(),
    }
}

/// Looks for shorter ways to the mistakes among the positions near the start, unless the rules are
/// late.
pub fn shorten(ruleset: &Ruleset, trial: &mut Trial) {
    if trial.is_late() {
        return;
    }
    let longest = trial.mistakes.iter().map(|mistake| mistake.way.len()).max().unwrap_or(0);
    let mut waiting = VecDeque::from([(ruleset.start().detached(), Vec::new())]);
    let mut searched = 0;
    while let Some((position, way)) = waiting.pop_front() {
        if way.len() + 1 >= longest {
            return;
        }
        for ply in position.plies() {
            searched += 1;
            if searched > SEARCHED {
                return;
            }
            let mut longer = way.clone();
            longer.push(ruleset.ply_text(ply).to_string());
            let next = position.detached().after(ply);
            let Some(fault) = next.fault() else {
                waiting.push_back((next, longer));
                continue;
            };
            let found = Mistake::of_fault(fault, &longer);
            if found.late {
                return; // each further question may take as long
            }
            // New kinds of mistakes are not looked for here.
            if trial.mistakes.iter().any(|known| known.kind == found.kind) {
                trial.add(found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_move_is_no_mistake_after_answers_that_differ() {
        let differs = Mistake::of_fault(&RulesFault::new("the rules answer differently"), &[]);
        let refused = Mistake::of_fault(&RulesFault::new("there is no such move"), &[]);
        let refused = Mistake { follows: true, ..refused };
        let games = [&differs, &refused]
            .map(|mistake| Trial { mistakes: vec![mistake.clone()], ..Trial::default() });
        let mut trial = Trial::default();
        for game in games.clone() {
            trial.add_game(game);
        }
        assert_eq!(trial.mistakes, std::slice::from_ref(&differs));
        let mut reversed = Trial::default();
        for game in games.into_iter().rev() {
            reversed.add_game(game);
        }
        assert_eq!(reversed.mistakes, [refused, differs]);
    }
}
