//! What `arbiter check` found of bots: as text for a terminal, as a page for the author of a
//! submission, and as a table for the organiser (docs/reference/commands.md, Checking a bot).
//!
//! A check is read by whoever runs it: the text and the page quote what the bot wrote and have its
//! name. The table quotes nothing of a submission. [`json::check`](super::json::check) has the
//! objects of `--json`.
//!
//! ```
//! use arbiter_engine::bot_check::{CheckResult, CheckedBot, Finding};
//! use arbiter_cup::report::check::text;
//! let silent = Finding {
//!     result: CheckResult::Fault,
//!     sentence: "lost by timeout: nothing came".to_owned(),
//!     ..Finding::new("loa", "opening", "it answers the first question")
//! };
//! let ready = Finding::new("loa", "ready", "it gets ready");
//! let bot = CheckedBot { name: "conny".to_owned(), findings: vec![ready, silent] };
//! assert_eq!(
//!     text(&bot, &|_| None, 80),
//!     "FAULT 1: opening: it answers the first question\n\
//!      \x20 lost by timeout: nothing came\n\
//!      \n\
//!      conny: 1 fault, in 1 of 2 situations of loa\n"
//! );
//! ```

mod page;
mod table;
mod tests;
mod text;

pub use page::page;
pub use table::{CheckRow, few_words, row_line, table};
pub use text::text;

use super::text::plies;
use arbiter_engine::bot_check::{CheckResult, CheckedBot, Finding, Line, Other};
use arbiter_game::Channel;
use arbiter_rules::text::{counted, printable};

/// The file that shows a fault without arbiter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The file of what the bot was sent, as its reader finds it.
    pub file: String,
    /// The command line for a shell that feeds it to the program; `None` if there is none.
    pub command: Option<String>,
    /// The build that has to be run before.
    pub build: Option<String>,
}

/// Where the evidence of a finding is; `None` if it has none.
pub type EvidenceOf<'a> = &'a dyn Fn(&Finding) -> Option<Evidence>;

/// Maximum number of lines between arbiter and the bot that are shown of a game: the last ones.
const LINES: usize = 12;
/// Maximum number of lines of standard error among them, so that a traceback leaves room for the
/// question.
const ERROR_LINES: usize = 6;

/// The games of a bot, in the order in which they were checked.
fn games(bot: &CheckedBot) -> Vec<&str> {
    let mut games: Vec<&str> = Vec::new();
    for finding in &bot.findings {
        if !finding.game.is_empty() && !games.contains(&&*finding.game) {
            games.push(&finding.game);
        }
    }
    games
}

/// The name of a situation, with the game if the bot was checked in several.
fn label(bot: &CheckedBot, finding: &Finding) -> String {
    match games(bot).len() {
        0 | 1 => finding.situation.clone(),
        _ => format!("{} of {}", finding.situation, finding.game),
    }
}

/// A finding to tell, with its number among those of its result, and the names of the situations
/// that are alike.
struct Told<'a> {
    number: usize,
    finding: &'a Finding,
    alike: Vec<String>,
}

impl Told<'_> {
    fn is_fault(&self) -> bool {
        self.finding.result == CheckResult::Fault
    }

    /// What another level of isolation says of the cause.
    fn isolation(&self) -> Option<String> {
        match self.finding.other {
            Other::Untried => None,
            Other::Varies => {
                Some("It does not always fail: the same game, played again, did not.".to_owned())
            }
            Other::Fails => {
                Some("Isolation is not the cause: it fails without it as well.".to_owned())
            }
            Other::Passes(level) => Some(format!(
                "Isolation is the cause: under {level} it does not fail. \
                 `arbiter doctor` says what each level forbids."
            )),
        }
    }

    /// The situations that show the same.
    fn alike(&self) -> Option<String> {
        let [one, several] = if self.is_fault() { ["fails", "fail"] } else { ["is", "are"] };
        match &self.alike[..] {
            [] => None,
            [alone] => Some(format!("And 1 situation more {one} alike: {alone}.")),
            more => {
                let names = more.join(", ");
                Some(format!("And {} situations more {several} alike: {names}.", more.len()))
            }
        }
    }
}

/// What the author is told: each cause once, faults before remarks.
fn told(bot: &CheckedBot) -> Vec<Told<'_>> {
    let mut faults = 0;
    let mut remarks = 0;
    let mut told = Vec::new();
    for (finding, others) in bot.told() {
        let counter = if finding.result == CheckResult::Fault { &mut faults } else { &mut remarks };
        *counter += 1;
        let alike = others.into_iter().map(|other| label(bot, other)).collect();
        told.push(Told { number: *counter, finding, alike });
    }
    told
}

/// What happened, and the lines of output that follow, as after a build.
fn sentence(finding: &Finding) -> (&str, Vec<&str>) {
    let mut lines = finding.sentence.lines();
    let first = lines.next().unwrap_or_default();
    (first, lines.map(|line| line.strip_prefix("  ").unwrap_or(line)).collect())
}

/// The lines of a finding that are shown: the last ones.
fn shown_lines(finding: &Finding) -> Vec<&Line> {
    let mut shown = Vec::new();
    let mut errors = 0;
    // From the end, because the last lines of each kind stay.
    for line in finding.lines.iter().rev() {
        let is_error = line.channel == Channel::Stderr;
        errors += usize::from(is_error);
        if !is_error || errors <= ERROR_LINES {
            shown.push(line);
        }
    }
    shown.truncate(LINES);
    shown.reverse();
    shown
}

/// The lines of a finding that are shown, each after its mark and cut to `most` bytes.
pub fn lines(finding: &Finding, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in shown_lines(finding) {
        lines.push(format!("{} {}", line.channel.mark(), printable(&line.bytes, most)));
    }
    lines
}

/// What stands before the lines, with the marks that they have.
fn of_lines(finding: &Finding) -> String {
    let shown = shown_lines(finding);
    let mut marks = Vec::new();
    for (channel, mark) in [
        (Channel::Request, "> to the bot"),
        (Channel::Reply, "< from it"),
        (Channel::Unrecognised, "? from it, not understood"),
        (Channel::Stderr, "! on its standard error"),
        (Channel::Sent, ">> from its adapter"),
        (Channel::Said, "<< to its adapter"),
    ] {
        if shown.iter().any(|line| line.channel == channel) {
            marks.push(mark);
        }
    }
    let last = if shown.len() < finding.lines.len() { "last " } else { "" };
    format!("The {last}lines ({}):", marks.join(", "))
}

/// What the evidence is, before its command.
fn of_evidence(finding: &Finding, evidence: &Evidence) -> String {
    let game = match finding.plies {
        None | Some(0) => String::new(),
        Some(count) => format!(" (a game of {})", plies(count)),
    };
    let build = match &evidence.build {
        Some(build) => format!(", after `{build}` in the bot's folder"),
        None => String::new(),
    };
    format!("To see it without arbiter{game}{build}:")
}

/// The number of causes with this result that the bot's author is shown.
fn causes(bot: &CheckedBot, result: CheckResult) -> u64 {
    bot.told().filter(|(finding, _)| finding.result == result).count() as u64
}

/// The bot's result: the worst of its situations.
pub fn result(bot: &CheckedBot) -> CheckResult {
    for result in [CheckResult::Fault, CheckResult::Remark] {
        if bot.count(result) > 0 {
            return result;
        }
    }
    CheckResult::Ok
}

/// The sum of a bot's check in one line, without its name: `2 faults, in 9 of 41 situations of loa;
/// 1 remark`.
pub fn sum(bot: &CheckedBot) -> String {
    let skipped = bot.count(CheckResult::Skipped);
    let mut sum = match causes(bot, CheckResult::Fault) {
        0 => "no fault in ".to_owned(),
        faults => {
            format!("{}, in {} of ", counted(faults, "fault"), bot.count(CheckResult::Fault))
        }
    };
    // Those that were not tried come last, by themselves.
    sum += &counted((bot.findings.len() - skipped) as u64, "situation");
    let games = games(bot);
    if !games.is_empty() {
        sum += &format!(" of {}", games.join(", "));
    }
    let remarks = causes(bot, CheckResult::Remark);
    if remarks > 0 {
        sum += &format!("; {}", counted(remarks, "remark"));
    }
    if skipped > 0 {
        sum += &format!("; {skipped} not tried");
    }
    sum
}
