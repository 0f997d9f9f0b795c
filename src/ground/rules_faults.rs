//! What is said of rules that fail (docs/own-game.md, Whose fault): the notes of a table, and the
//! last lines of a command.

use super::verdict::Verdict;
use arbiter_cup::report::feedback::shell_word;
use arbiter_game::openings::OpeningError;
use arbiter_host::rules_process::RulesFileError;
use arbiter_rules::text::{Message, counted, printable};
use arbiter_rules::{OptionError, PositionError, RulesFault};
use std::error::Error;
use std::fmt::Write;

/// After so many different faults a run stops.
const DIFFERENT: usize = 3;
/// The most bytes of what rules wrote that are shown.
const STDERR: usize = 4_000;

/// The different faults of the rules, each with the number of games that it aborted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RulesFaults(Vec<(RulesFault, u64)>);

impl RulesFaults {
    /// Counts a game that was aborted by this fault.
    pub fn add(&mut self, fault: &RulesFault) {
        match self.0.iter_mut().find(|(known, _)| known.kind() == fault.kind()) {
            Some((_, games)) => *games += 1,
            None => self.0.push((fault.clone(), 1)),
        }
    }

    /// Whether they are so many that a run with them stops.
    pub fn are_too_many(&self) -> bool {
        self.0.len() >= DIFFERENT
    }

    /// What a table has to say of each.
    pub fn notes(&self) -> impl Iterator<Item = Message> {
        self.0.iter().map(|(fault, games)| {
            Message::from(format!("{}: ", aborted(*games))).quoted(sentence(fault))
        })
    }

    /// The exit status of a run with them; none without. `stopped` says that the run ended because
    /// of them.
    pub fn of_run(&self, stopped: bool) -> Option<Verdict> {
        let head = aborted(self.0.iter().map(|(_, games)| games).sum());
        let more = if stopped {
            format!("; after {} different faults the run stops", self.0.len())
        } else {
            String::new()
        };
        self.verdict(head + &more)
    }

    /// The exit status that follows from them, with this and then everything that is known of each
    /// as the reason; none without faults.
    pub fn verdict(&self, mut text: String) -> Option<Verdict> {
        for (fault, games) in &self.0 {
            let _ = write!(text, "\n{fault} ({}){}", counted(*games, "game"), evidence(fault));
        }
        (!self.0.is_empty()).then(|| Verdict::because(3, vec![text]))
    }
}

fn aborted(games: u64) -> String {
    let (are, they) = if games == 1 { ("is", "it is") } else { ("are", "they are") };
    format!(
        "{} {are} aborted, because the rules failed; {they} not played again",
        counted(games, "game")
    )
}

/// Place, function and sentence.
fn sentence(fault: &RulesFault) -> String {
    RulesFault { position: None, ply: None, ..fault.clone() }.to_string()
}

/// What is shown beside the sentence about a fault: what the rules wrote, and the command that
/// shows it again.
pub fn evidence(fault: &RulesFault) -> String {
    let mut text = String::new();
    let mut line = |what: &str, value: &str| _ = write!(text, "\n  {what}:{value}");
    if !fault.stderr.is_empty() {
        let shown = fault.stderr.lines().map(|line| printable(line.as_bytes(), STDERR));
        line(
            "the end of what the rules wrote",
            &shown.map(|line| format!("\n    {line}")).collect::<String>(),
        );
    }
    if let (false, Some(position)) = (fault.rules.is_empty(), &fault.position) {
        let mut words: Vec<&str> = ["arbiter", "moves"]
            .into_iter()
            .chain(fault.rules.iter().map(|word| &**word))
            .collect();
        words.extend(["--position", position]);
        words.extend(fault.ply.iter().flat_map(|ply| ["--after", ply]));
        let words: Vec<String> = words.into_iter().map(shell_word).collect();
        line("shown again by", &format!(" {}", words.join(" ")));
    }
    text
}

/// The fault of the rules that an error is about, if it is.
pub fn fault_in(error: &anyhow::Error) -> Option<&RulesFault> {
    error.chain().find_map(|error| {
        let of_opening = || match error.downcast_ref()? {
            OpeningError::Rules { fault, .. } => Some(&**fault),
            _ => None,
        };
        let of_position = || error.downcast_ref::<PositionError>()?.fault.as_deref();
        error
            .downcast_ref::<RulesFault>()
            .or_else(of_position)
            .or_else(of_opening)
            .or_else(|| fault_of_file(error))
    })
}

/// Whether an error is that rules fail before any position: then their file is bad input.
pub fn is_of_file(error: &anyhow::Error) -> bool {
    error.chain().any(|error| fault_of_file(error).is_some())
}

fn fault_of_file<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a RulesFault> {
    let of_options = || match error.downcast_ref()? {
        OptionError::Rules(fault) => Some(&**fault),
        _ => None,
    };
    let of_file = || match error.downcast_ref()? {
        RulesFileError::Rules(fault) => Some(&**fault),
        RulesFileError::Unusable { .. } => None,
    };
    of_options().or_else(of_file)
}
