//! A check as text for a terminal.

use super::{
    Evidence, EvidenceOf, Told, label, of_alike, of_evidence, of_isolation, of_lines, sentence,
    shown_lines, sum, told,
};
use crate::report::escape;
use arbiter_engine::bot_check::{CheckResult, CheckedBot};
use arbiter_rules::text::{hanging, harmless, printable};

/// What stands before what is said of a finding, and before lines that show it.
const INDENT: &str = "  ";
const DEEPER: &str = "    ";

/// The most bytes of a line that shows something, and the fewest; what is cut has one column more,
/// for `…`.
const LONGEST: usize = 200;
const SHORTEST: usize = 20;

/// What was found, each cause once, faults before remarks, and the sum at the end; broken to so
/// many columns, but for command lines.
#[must_use]
pub fn text(bot: &CheckedBot, evidence: EvidenceOf<'_>, columns: usize) -> String {
    let part = |told: Told<'_>| part(bot, &told, evidence(told.finding).as_ref(), columns);
    let sum = hanging(&escape::line(&format!("{}: {}", bot.name, sum(bot))), "", columns);
    let parts: Vec<String> = told(bot).map(part).chain([sum]).map(|part| part + "\n").collect();
    harmless(&parts.join("\n")) // once more, because lines begin elsewhere now
}

fn part(bot: &CheckedBot, told: &Told<'_>, evidence: Option<&Evidence>, columns: usize) -> String {
    let Told { number, finding, alike } = told;
    let kind = match finding.result {
        CheckResult::Fault => "FAULT",
        CheckResult::Ok | CheckResult::Remark | CheckResult::Skipped => "REMARK",
    };
    let said = |text: &str| hanging(&escape::line(text), INDENT, columns);
    let head = format!("{kind} {number}: {}: {}", label(bot, finding), finding.what);
    let (sentence, output) = sentence(finding);
    let mut lines = vec![hanging(&escape::line(&head), "", columns), said(sentence)];
    lines.extend(output.map(|line| format!("{DEEPER}{}", escape::line(line))));
    if !finding.lines.is_empty() {
        lines.push(said(&of_lines(finding)));
        let most = columns.saturating_sub(DEEPER.len() + 3).clamp(SHORTEST, LONGEST);
        let shown = shown_lines(finding);
        lines.extend(shown.map(|line| {
            format!("{DEEPER}{} {}", line.channel.mark(), printable(&line.bytes, most))
        }));
    }
    if !finding.cure.is_empty() {
        lines.push(said(&format!("What to do: {}", finding.cure)));
    }
    lines.extend(of_isolation(finding.other).map(|text| said(&text)));
    if let Some(evidence) = evidence {
        lines.push(said(&of_evidence(finding, evidence)));
        lines.push(format!(
            "{DEEPER}{}",
            match &evidence.command {
                Some(command) => escape::line(command),
                None => format!("its input is {}", escape::line(&evidence.file)),
            }
        ));
    }
    lines.extend(of_alike(alike, finding.result).map(|text| said(&text)));
    lines.join("\n")
}
