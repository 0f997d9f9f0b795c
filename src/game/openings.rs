//! Openings: the positions from which the games of a tournament start
//! (docs/reference/tournaments.md, Openings).
//!
//! Opening k depends only on the ruleset, the number of plies, the seed and k. So every pair of
//! bots gets the same positions, on every machine. This module knows nothing of bots, schedules or
//! files.
//!
//! ```
//! use arbiter_game::openings::Openings;
//! use arbiter_rules::Ruleset;
//! let loa = Ruleset::named("loa", "").unwrap();
//! let mut openings = Openings::random(loa.clone(), 4, 42);
//! let third = openings.get(3).unwrap();
//! assert_ne!(third, openings.get(1).unwrap());
//! assert_eq!(third, Openings::random(loa, 4, 42).get(3).unwrap());
//! ```

use crate::Outcome;
use arbiter_rules::seed::Generator;
use arbiter_rules::{Position, PositionError, RulesFault, Ruleset};
use std::collections::HashSet;

/// Attempts for one opening before it is an error. After one ply there are at most a few dozen
/// positions, each of which is an opening once, so a tournament may well run out of them.
const TRIES: u32 = 1_000;

/// Why an opening cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// No attempt ended in a position that can be an opening.
    #[error(
        "opening-plies = {plies}: no opening {number} was found in {TRIES} tries; fewer or more \
         plies, or fewer pairs (max-pairs), would help"
    )]
    NotFound {
        /// The number of random plies.
        plies: u32,
        /// The number of the opening, from 1.
        number: u64,
    },
    /// A line of the file is not a position that can be an opening.
    #[error("line {line}: {what}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the line.
        what: String,
    },
    /// The rules of the game fail in a position on the way to the opening.
    #[error("the opening {number} cannot be drawn: {fault}")]
    Rules {
        /// The number of the opening, from 1.
        number: u64,
        /// How they fail.
        fault: Box<RulesFault>,
    },
    /// The file has no positions.
    #[error("there is no position in it; write one position text a line")]
    Empty,
}

/// A list of openings by number; random ones are made when they are first asked for.
#[derive(Debug, Clone)]
pub struct Openings {
    made: Vec<Position>,
    /// How further ones are drawn; `None` if `made` is the whole list.
    random: Option<RandomOpenings>,
}

/// Positions after random plies from the start position.
#[derive(Debug, Clone)]
struct RandomOpenings {
    ruleset: Ruleset,
    plies: u32,
    seed: u64,
    /// The texts of those that were drawn, so that none is drawn twice.
    drawn: HashSet<String>,
}

impl Openings {
    /// Every game starts from this position.
    pub fn start(position: Position) -> Openings {
        Openings { made: vec![position], random: None }
    }

    /// `plies` random legal plies from the start position. With 0 plies every game starts from the
    /// start position.
    pub fn random(ruleset: Ruleset, plies: u32, seed: u64) -> Openings {
        if plies == 0 {
            return Openings::start(ruleset.start());
        }
        let random = RandomOpenings { ruleset, plies, seed, drawn: HashSet::new() };
        Openings { made: Vec::new(), random: Some(random) }
    }

    /// The positions of a file, one position text a line. Empty lines are skipped, and comments:
    /// lines that begin with `# ` or are a single `#`. (A block on the board is written `#` too,
    /// but never with a space after it.)
    ///
    /// # Errors
    /// A line is not a position of these rules, the game is over there, or the file has no
    /// position.
    pub fn listed(ruleset: &Ruleset, text: &str) -> Result<Openings, OpeningError> {
        let mut made = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line == "#" || line.starts_with("# ") {
                continue;
            }
            let what = match ruleset.read_position(line) {
                Ok(position) => match Outcome::by_rules(&position) {
                    None => {
                        made.push(position);
                        continue;
                    }
                    Some(outcome) => {
                        format!("the game is over there already ({})", outcome.termination())
                    }
                },
                Err(why) => why.to_string(),
            };
            return Err(OpeningError::Line { line: index + 1, what });
        }
        if made.is_empty() {
            return Err(OpeningError::Empty);
        }
        Ok(Openings { made, random: None })
    }

    /// The number of openings; `None` for random ones, whose number is not known.
    pub fn count(&self) -> Option<u64> {
        if self.random.is_some() { None } else { Some(self.made.len() as u64) }
    }

    /// The number of the first position of a file, among this many, that is also an earlier one.
    pub fn repeated(&self, among: u64) -> Option<usize> {
        let among = usize::try_from(among).unwrap_or(usize::MAX);
        let mut texts = HashSet::new();
        for (index, opening) in self.made.iter().take(among).enumerate() {
            if !texts.insert(opening.to_string()) {
                return Some(index + 1);
            }
        }
        None
    }

    /// Opening `number`, from 1. After the last position of a file follows its first one again.
    ///
    /// # Errors
    /// [`OpeningError::NotFound`] and [`OpeningError::Rules`], for random openings only.
    pub fn get(&mut self, number: u64) -> Result<Position, OpeningError> {
        let index = number.saturating_sub(1) as usize;
        if let Some(random) = &mut self.random {
            // An opening is none of the earlier ones, so these come first.
            while self.made.len() <= index {
                let next = self.made.len() as u64 + 1;
                let plies = random.plies;
                match random.draw(next) {
                    Ok(Some(opening)) => self.made.push(opening),
                    Ok(None) => return Err(OpeningError::NotFound { plies, number: next }),
                    Err(fault) => return Err(OpeningError::Rules { number: next, fault }),
                }
            }
        }
        Ok(self.made[index % self.made.len()].clone())
    }

    /// The first opening that is not the start of the game; `None` if all games begin there. Of
    /// random ones only the first is made.
    ///
    /// # Errors
    /// As for [`get`](Openings::get).
    pub fn first_other(&mut self) -> Result<Option<Position>, OpeningError> {
        let start = self.get(1)?.ruleset().start();
        Ok(self.made.iter().find(|opening| **opening != start).cloned())
    }
}

impl RandomOpenings {
    /// Draws an opening that is none of the earlier ones; `None` if no attempt finds one.
    ///
    /// The openings are a promise (`openings_are_the_same_on_every_machine_and_in_every_version`):
    /// the order of the legal plies and the use of the generator cannot change.
    fn draw(&mut self, number: u64) -> Result<Option<Position>, Box<RulesFault>> {
        let ruleset = &self.ruleset;
        let game = ruleset.game().name();
        let options = ruleset.options_text();
        let mut generator = Generator::new(&[&game, &options, &self.plies, &self.seed, &number]);
        for _ in 0..TRIES {
            let mut position = sound(ruleset.start())?;
            for _ in 0..self.plies {
                let legal = position.sorted_plies();
                if position.ending().is_some() || legal.is_empty() {
                    break;
                }
                let ply = legal[generator.below(legal.len() as u64) as usize];
                position = sound(position.after(ply))?;
            }
            // State that the text does not hold, such as a pass just before, is not part of an
            // opening.
            let text = position.to_string();
            let opening = match ruleset.read_position(&text) {
                Ok(opening) => opening,
                Err(PositionError { fault: Some(fault), .. }) => return Err(fault),
                Err(why) => {
                    let what = format_args!("their own position is none: {why}");
                    return Err(Box::new(ruleset.fault_at(&text, what)));
                }
            };
            if may_begin(&opening)? && !self.drawn.contains(&text) {
                self.drawn.insert(opening.to_string());
                return Ok(Some(opening));
            }
        }
        Ok(None)
    }
}

/// The position, if its rules do not fail.
fn sound(position: Position) -> Result<Position, Box<RulesFault>> {
    match position.fault() {
        Some(fault) => Err(Box::new(fault.clone())),
        None => Ok(position),
    }
}

/// Whether a position can be an opening: the game is not over, no ply wins at once, the side to
/// move has a choice other than a pass, and no turn is half played.
fn may_begin(position: &Position) -> Result<bool, Box<RulesFault>> {
    if position.ending().is_some()
        || position.piece() == Some(2)
        || position.forced_pass().is_some()
    {
        return Ok(false);
    }
    // In a custom game this asks the rules about each ply, so it comes last.
    for ply in position.plies() {
        let next = sound(position.after(ply))?;
        if next.ending().is_some_and(|end| end.winner == Some(position.side())) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::Game;

    fn rules(game: &str) -> Ruleset {
        Ruleset::named(game, "").unwrap()
    }

    #[test]
    fn openings_differ_and_may_begin_in_every_game() {
        for game in Game::NAMES {
            for plies in [2, 4, 7] {
                let mut openings = Openings::random(rules(game), plies, 1);
                let made: Vec<Position> =
                    (1..=20).map_while(|number| openings.get(number).ok()).collect();
                let texts: HashSet<String> = made.iter().map(ToString::to_string).collect();
                assert_eq!(texts.len(), made.len(), "{game}: no opening twice");
                assert!(made.iter().all(|opening| may_begin(opening).unwrap()), "{game}");
                assert!(
                    game == "flipflop" || made.len() == 20,
                    "{game} with {plies} plies: {}",
                    made.len()
                );
            }
        }
    }

    #[test]
    fn openings_do_not_depend_on_those_asked_for_before() {
        let loa = rules("loa");
        let mut one = Openings::random(loa.clone(), 4, 9);
        let mut other = Openings::random(loa.clone(), 4, 9);
        let backwards: Vec<Position> = [5, 2, 1].map(|number| one.get(number).unwrap()).into();
        assert_eq!(backwards, [5, 2, 1].map(|number| other.get(number).unwrap()));
        assert_ne!(one.get(1), Openings::random(loa, 4, 10).get(1));
    }

    /// These texts are promised to users on every machine and in every version.
    #[test]
    fn openings_are_the_same_on_every_machine_and_in_every_version() {
        // Drawn by a second implementation, in Python.
        let loa = Openings::random(rules("loa"), 4, 42).get(1).unwrap();
        assert_eq!(loa.to_string(), "1WWW1WW1/B6B/B6B/B6B/W6B/B4B2/B4B2/1WWWWWW1 B");
    }

    #[test]
    fn too_few_positions_are_an_error_with_the_key_and_the_number() {
        let mut openings = Openings::random(rules("loa"), 1, 1);
        let error = (1..100).find_map(|number| openings.get(number).err()).unwrap();
        assert!(matches!(error, OpeningError::NotFound { plies: 1, number: 37 }), "{error}");
        assert!(error.to_string().starts_with("opening-plies = 1: no opening 37 "), "{error}");
    }

    #[test]
    fn a_file_is_used_in_its_order_and_again_when_it_has_run_out() {
        let loa = rules("loa");
        let start = loa.start();
        let after = start.after(start.sorted_plies()[0]);
        let mut openings =
            Openings::listed(&loa, &format!("# two\n\n{start}\r\n{after}\n")).unwrap();
        assert_eq!(openings.count(), Some(2));
        let found: Vec<Position> = (1..=3).map(|number| openings.get(number).unwrap()).collect();
        assert_eq!(found, [start.clone(), after, start.clone()]);
        let error = Openings::listed(&loa, &format!("{start}\nnonsense")).unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
        assert_eq!(Openings::listed(&loa, "# nothing\n").unwrap_err(), OpeningError::Empty);
    }
}
