//! A check as text for a terminal.

use super::{Evidence, EvidenceOf, Told, label, of_evidence, of_lines, sentence, sum, told};
use crate::report::escape;
use arbiter_engine::bot_check::CheckedBot;
use arbiter_rules::text::{hanging, harmless};

/// What stands before what is said of a finding, and before lines that show it.
const INDENT: &str = "  ";
const DEEPER: &str = "    ";

/// Maximum and minimum number of bytes that are shown of a line; one that is cut has one column
/// more, for `…`.
const LONGEST: usize = 200;
const SHORTEST: usize = 20;

/// What was found, each cause once, faults before remarks, and the sum at the end; broken to so
/// many columns, except for command lines.
pub fn text(bot: &CheckedBot, evidence: EvidenceOf<'_>, columns: usize) -> String {
    let mut out = String::new();
    for told in told(bot) {
        out += &part(bot, &told, evidence(told.finding).as_ref(), columns);
        out += "\n\n";
    }
    let sum = format!("{}: {}", bot.name, sum(bot));
    out += &wrapped(&sum, "", columns);
    out.push('\n');
    harmless(&out) // once more, because lines begin elsewhere now
}

fn wrapped(text: &str, indent: &str, columns: usize) -> String {
    hanging(&escape::line(text), indent, columns)
}

fn part(bot: &CheckedBot, told: &Told<'_>, evidence: Option<&Evidence>, columns: usize) -> String {
    let finding = told.finding;
    let kind = if told.is_fault() { "FAULT" } else { "REMARK" };
    let head = format!("{kind} {}: {}: {}", told.number, label(bot, finding), finding.what);
    let (sentence, output) = sentence(finding);
    let mut lines = vec![wrapped(&head, "", columns), wrapped(sentence, INDENT, columns)];
    for line in output {
        lines.push(format!("{DEEPER}{}", escape::line(line)));
    }
    if !finding.lines.is_empty() {
        lines.push(wrapped(&of_lines(finding), INDENT, columns));
        // The mark, a blank, and `…` where a line is cut.
        let most = columns.saturating_sub(DEEPER.len() + 3).clamp(SHORTEST, LONGEST);
        lines.extend(super::lines(finding, most).iter().map(|line| format!("{DEEPER}{line}")));
    }
    if !finding.cure.is_empty() {
        lines.push(wrapped(&format!("What to do: {}", finding.cure), INDENT, columns));
    }
    if let Some(isolation) = told.isolation() {
        lines.push(wrapped(&isolation, INDENT, columns));
    }
    if let Some(evidence) = evidence {
        lines.push(wrapped(&of_evidence(finding, evidence), INDENT, columns));
        lines.push(match &evidence.command {
            Some(command) => format!("{DEEPER}{}", escape::line(command)),
            None => format!("{DEEPER}its input is {}", escape::line(&evidence.file)),
        });
    }
    if let Some(alike) = told.alike() {
        lines.push(wrapped(&alike, INDENT, columns));
    }
    lines.join("\n")
}
