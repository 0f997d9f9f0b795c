//! What `arbiter check` found of bots: as text for a terminal, as a page for the author of a
//! submission, and as a table for the organiser (docs/cli.md, Checking a bot).
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

use arbiter_engine::bot_check::{CheckResult, CheckedBot, Finding, Line, Other};
use arbiter_game::Channel;
use arbiter_rules::text::counted;

/// The file that shows a fault without arbiter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The file of what the bot was sent, as its reader finds it.
    pub file: String,
    /// The command line for a shell that feeds it to the program; none if there is none.
    pub command: Option<String>,
    /// The build that has to be run before.
    pub build: Option<String>,
}

/// Where the evidence of a finding is; none if it has none.
pub type EvidenceOf<'a> = &'a dyn Fn(&Finding) -> Option<Evidence>;

/// The most lines between arbiter and the bot that are shown of a game: the last ones.
const LINES: usize = 12;
/// The most of its standard error among them, so that a traceback leaves room for the question.
const ERROR_LINES: usize = 6;

/// The games of a bot, in the order in which they were checked.
fn games(bot: &CheckedBot) -> Vec<&str> {
    let mut games: Vec<&str> = Vec::new();
    for game in bot.findings.iter().map(|finding| &*finding.game) {
        if !game.is_empty() && !games.contains(&game) {
            games.push(game);
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

fn told(bot: &CheckedBot) -> impl Iterator<Item = Told<'_>> {
    let mut faults = 0;
    let mut remarks = 0;
    bot.told().map(move |(finding, alike)| {
        let counter = if finding.result == CheckResult::Fault { &mut faults } else { &mut remarks };
        *counter += 1;
        let alike = alike.into_iter().map(|finding| label(bot, finding)).collect();
        Told { number: *counter, finding, alike }
    })
}

/// What another level of isolation says of the cause.
fn of_isolation(other: Other) -> Option<String> {
    match other {
        Other::Untried => None,
        Other::Varies => {
            Some("It does not always fail: the same game, played again, did not.".to_owned())
        }
        Other::Fails => Some("Isolation is not the cause: it fails without it as well.".to_owned()),
        Other::Passes(level) => Some(format!(
            "Isolation is the cause: under {level} it does not fail. `arbiter doctor` says what each level forbids."
        )),
    }
}

/// The situations that show the same.
fn of_alike(alike: &[String], result: CheckResult) -> Option<String> {
    let [one, several] = match result {
        CheckResult::Fault => ["fails", "fail"],
        CheckResult::Ok | CheckResult::Remark | CheckResult::Skipped => ["is", "are"],
    };
    match alike {
        [] => None,
        [alone] => Some(format!("And 1 situation more {one} alike: {alone}.")),
        more => Some(format!(
            "And {} situations more {several} alike: {}.",
            more.len(),
            more.join(", ")
        )),
    }
}

/// What happened, and the lines of output that stand behind it, as after a build.
fn sentence(finding: &Finding) -> (&str, impl Iterator<Item = &str>) {
    let mut lines = finding.sentence.lines();
    (lines.next().unwrap_or_default(), lines.map(|line| line.strip_prefix("  ").unwrap_or(line)))
}

/// The lines of a finding that are shown: the last ones.
fn shown_lines(finding: &Finding) -> impl Iterator<Item = &Line> {
    let is_error = |line: &&Line| line.channel == Channel::Stderr;
    let mut left_out = finding.lines.iter().filter(is_error).count().saturating_sub(ERROR_LINES);
    let lines = finding.lines.iter().filter(move |line| {
        let is_left_out = is_error(line) && left_out > 0;
        left_out -= usize::from(is_left_out);
        !is_left_out
    });
    let lines: Vec<&Line> = lines.collect();
    let more = lines.len().saturating_sub(LINES);
    lines.into_iter().skip(more)
}

/// What stands before the lines, with the marks that they have.
fn of_lines(finding: &Finding) -> String {
    let of = |channel| match channel {
        Channel::Request => "> to the bot",
        Channel::Reply => "< from it",
        Channel::Unrecognised => "? from it, not understood",
        Channel::Stderr => "! on its standard error",
        Channel::Sent => ">> from its adapter",
        Channel::Said => "<< to its adapter",
    };
    let all = [
        Channel::Request,
        Channel::Reply,
        Channel::Unrecognised,
        Channel::Stderr,
        Channel::Sent,
        Channel::Said,
    ];
    let marks = all
        .into_iter()
        .filter(|&channel| shown_lines(finding).any(|line| line.channel == channel))
        .map(of);
    let which = if shown_lines(finding).count() < finding.lines.len() {
        "The last lines"
    } else {
        "The lines"
    };
    format!("{which} ({}):", marks.collect::<Vec<_>>().join(", "))
}

/// What the evidence is, before its command.
fn of_evidence(finding: &Finding, evidence: &Evidence) -> String {
    let plies = match finding.plies {
        Some(plies @ 1..) => format!(" (a game of {})", plies_of(plies)),
        Some(0) | None => String::new(),
    };
    match &evidence.build {
        Some(build) => {
            format!("To see it without arbiter{plies}, after `{build}` in the bot's folder:")
        }
        None => format!("To see it without arbiter{plies}:"),
    }
}

fn plies_of(plies: usize) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

/// How many causes of this result are told of the bot.
fn causes(bot: &CheckedBot, result: CheckResult) -> u64 {
    bot.told().filter(|(finding, _)| finding.result == result).count() as u64
}

/// The bot's result: the worst of its situations.
#[must_use]
pub fn result(bot: &CheckedBot) -> CheckResult {
    let has = |result| bot.count(result) > 0;
    [CheckResult::Fault, CheckResult::Remark]
        .into_iter()
        .find(|&result| has(result))
        .unwrap_or(CheckResult::Ok)
}

/// The sum of a bot's check in one line, without its name: `2 faults, in 9 of 41 situations of loa;
/// 1 remark`.
#[must_use]
pub fn sum(bot: &CheckedBot) -> String {
    let faults = causes(bot, CheckResult::Fault);
    let remarks = causes(bot, CheckResult::Remark);
    let skipped = bot.count(CheckResult::Skipped);
    let tried = bot.findings.len() - skipped;
    let of = if games(bot).is_empty() {
        String::new()
    } else {
        format!(" of {}", games(bot).join(", "))
    };
    let situations = counted(tried as u64, "situation") + &of;
    let mut sum = match faults {
        0 => format!("no fault in {situations}"),
        _ => format!(
            "{}, in {} of {situations}",
            counted(faults, "fault"),
            bot.count(CheckResult::Fault)
        ),
    };
    if remarks > 0 {
        sum += &format!("; {}", counted(remarks, "remark"));
    }
    if skipped > 0 {
        sum += &format!("; {skipped} not tried");
    }
    sum
}
