//! What is said of rules that fail (docs/reference/custom-games.md, Whose fault): the notes of a
//! table, and the last lines of a command.

use super::verdict::Verdict;
use arbiter_cup::report::feedback::shell_word;
use arbiter_game::openings::OpeningError;
use arbiter_host::rules_process::RulesFileError;
use arbiter_rules::text::{Message, counted, printable};
use arbiter_rules::{OptionError, PositionError, RulesFault};
use std::error::Error;
use std::fmt::Write;

/// After this many different faults a run stops.
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

    /// The exit status of a run with them; `None` without. `stopped` says that the run ended
    /// because of them.
    pub fn of_run(&self, stopped: bool) -> Option<Verdict> {
        let mut text = aborted(self.0.iter().map(|(_, games)| games).sum());
        if stopped {
            text += &format!("; after {} different faults the run stops", self.0.len());
        }
        self.verdict(text)
    }

    /// The exit status that follows from them, with this and then everything that is known of each
    /// as the reason; `None` without faults.
    pub fn verdict(&self, mut text: String) -> Option<Verdict> {
        if self.0.is_empty() {
            return None;
        }
        for (fault, games) in &self.0 {
            let _ = write!(text, "\n{fault} ({}){}", counted(*games, "game"), evidence(fault));
        }
        Some(Verdict::because(3, vec![text]))
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
    if !fault.stderr.is_empty() {
        text += "\n  the end of what the rules wrote:";
        for line in fault.stderr.lines() {
            let _ = write!(text, "\n    {}", printable(line.as_bytes(), STDERR));
        }
    }
    if let Some(position) = &fault.position
        && !fault.rules.is_empty()
    {
        text += "\n  shown again by: arbiter moves";
        for word in &*fault.rules {
            let _ = write!(text, " {}", shell_word(word));
        }
        let _ = write!(text, " --position {}", shell_word(position));
        if let Some(ply) = &fault.ply {
            let _ = write!(text, " --after {}", shell_word(ply));
        }
    }
    text
}

/// The fault of the rules that an error is about, if it is.
pub fn fault_in(error: &anyhow::Error) -> Option<&RulesFault> {
    for cause in error.chain() {
        if let Some(fault) = cause.downcast_ref::<RulesFault>() {
            return Some(fault);
        }
        if let Some(PositionError { fault: Some(fault), .. }) = cause.downcast_ref() {
            return Some(fault);
        }
        if let Some(OpeningError::Rules { fault, .. }) = cause.downcast_ref() {
            return Some(fault);
        }
        if let Some(fault) = fault_of_file(cause) {
            return Some(fault);
        }
    }
    None
}

/// Whether an error is that rules fail before any position: then their file is bad input.
pub fn is_of_file(error: &anyhow::Error) -> bool {
    error.chain().any(|error| fault_of_file(error).is_some())
}

fn fault_of_file<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a RulesFault> {
    if let Some(OptionError::Rules(fault)) = error.downcast_ref() {
        return Some(fault);
    }
    match error.downcast_ref()? {
        RulesFileError::Rules(fault) => Some(fault),
        RulesFileError::Unusable { .. } => None,
    }
}
