//! What came of the situations that a bot was put in.

use arbiter_game::{Channel, Fault, Sandbox};
use arbiter_rules::text::words;

words! {
    /// What came of a situation.
    CheckResult {
        /// Nothing is wrong.
        Ok = "ok",
        /// It loses no game, and its author should know.
        Remark = "remark",
        /// It loses a game by this.
        Fault = "fault",
        /// The bot, its dialect, its game or this machine does not have it.
        Skipped = "skipped",
    }
}

/// A line between arbiter and the bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its direction and stream.
    pub channel: Channel,
    /// Its bytes, without the newline.
    pub bytes: Vec<u8>,
}

/// How a situation that fails goes under another level of isolation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// It was not tried there.
    Untried,
    /// It fails there too, so isolation is not the cause.
    Fails,
    /// It does not fail at this level, so what the checked level forbids is the cause.
    Passes(Sandbox),
    /// It does not fail there, nor when it is played again at the checked level: it fails by
    /// chance.
    Varies,
}

/// What came of one situation, on both sides together: the first side on which it failed, else any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The name of the game.
    pub game: String,
    /// The name of the situation, which is also that of its file: lower-case words joined by `-`.
    pub situation: String,
    /// The situation in one sentence, such as `a forced pass stands in "since"`.
    pub what: String,
    /// What came of it.
    pub result: CheckResult,
    /// The fault by which a game of it was lost; `None` if no game was, for example because the bot
    /// cannot be built.
    pub fault: Option<Fault>,
    /// What happened: the sentence of the forfeit, the remark, or why it was skipped; empty if
    /// nothing is wrong.
    pub sentence: String,
    /// What to do about it; empty where the sentence says so.
    pub cure: String,
    /// What findings with one cause have in common; empty if there is none.
    pub cause: String,
    /// The lines that show it, from where it begins.
    pub lines: Vec<Line>,
    /// Everything that the bot was sent in the shortest game that shows it; empty if it shows
    /// nothing without arbiter.
    pub requests: String,
    /// The plies of that game before the question that failed; `None` if it did not come to a
    /// question.
    pub plies: Option<usize>,
    /// How it goes under another level of isolation.
    pub other: Other,
}

impl Finding {
    /// A situation in which nothing is wrong.
    pub fn new(game: &str, situation: &str, what: &str) -> Finding {
        Finding {
            game: game.to_owned(),
            situation: situation.to_owned(),
            what: what.to_owned(),
            result: CheckResult::Ok,
            fault: None,
            sentence: String::new(),
            cure: String::new(),
            cause: String::new(),
            lines: Vec::new(),
            requests: String::new(),
            plies: None,
            other: Other::Untried,
        }
    }

    /// Whether the other finding has the same result and cause. A remark without a cause is about
    /// its situation, in any game.
    fn is_like(&self, other: &Finding) -> bool {
        if self.result != other.result || self.cause != other.cause {
            return false;
        }
        let is_remark = self.result == CheckResult::Remark;
        !self.cause.is_empty() || is_remark && self.situation == other.situation
    }
}

/// A bot with what its situations showed, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedBot {
    /// Its public name.
    pub name: String,
    /// One finding a situation and game, in the order of what to fix first.
    pub findings: Vec<Finding>,
}

impl CheckedBot {
    /// How many findings have this result.
    pub fn count(&self, result: CheckResult) -> usize {
        self.findings.iter().filter(|finding| finding.result == result).count()
    }

    /// What is to be told of it: each cause once, faults before remarks, with the later findings
    /// that have the same cause.
    pub fn told(&self) -> impl Iterator<Item = (&Finding, Vec<&Finding>)> {
        let mut told: Vec<(&Finding, Vec<&Finding>)> = Vec::new();
        for result in [CheckResult::Fault, CheckResult::Remark] {
            for finding in &self.findings {
                if finding.result != result {
                    continue;
                }
                match told.iter_mut().find(|(first, _)| first.is_like(finding)) {
                    Some((_, later)) => later.push(finding),
                    None => told.push((finding, Vec::new())),
                }
            }
        }
        told.into_iter()
    }
}
