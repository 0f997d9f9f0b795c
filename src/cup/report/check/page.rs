//! The page of a check for the author of a submission, in Markdown.

use super::{
    Evidence, EvidenceOf, Told, label, of_alike, of_evidence, of_isolation, of_lines, sentence,
    shown_lines, sum, told,
};
use crate::report::escape::{code, code_block, command, markdown, markdown_line};
use arbiter_engine::bot_check::{CheckResult, CheckedBot};
use std::fmt::Write;

/// The most bytes of a line that a page shows.
const LONGEST: usize = 400;

/// The page. Its evidence is named as the author finds it, who gets the page together with the
/// files.
#[must_use]
pub fn page(bot: &CheckedBot, evidence: EvidenceOf<'_>) -> String {
    let mut out = format!("# {}, checked\n\n- {}\n", markdown(&bot.name), markdown(&sum(bot)));
    if told(bot).any(|told| evidence(told.finding).is_some()) {
        out.push_str("\nThe commands are for your bot's folder, with the files that lie beside this page copied into it.\n");
    }
    for told in told(bot) {
        section(&mut out, bot, &told, evidence(told.finding).as_ref());
    }
    if told(bot).next().is_none() {
        out.push_str("\nThere is nothing to fix here.\n");
    }
    out
}

fn section(out: &mut String, bot: &CheckedBot, told: &Told<'_>, evidence: Option<&Evidence>) {
    let Told { number, finding, alike } = told;
    let kind = match finding.result {
        CheckResult::Fault => "Fault",
        CheckResult::Ok | CheckResult::Remark | CheckResult::Skipped => "Remark",
    };
    // Writing to a String cannot fail.
    let _ = writeln!(out, "\n## {kind} {number}: {}\n", markdown(&label(bot, finding)));
    let _ = writeln!(out, "- The situation: {}", markdown(&finding.what));
    let (sentence, output) = sentence(finding);
    let _ = writeln!(out, "- What happened: {}", markdown(sentence));
    if !finding.cure.is_empty() {
        let _ = writeln!(out, "- What to do: {}", markdown(&finding.cure));
    }
    for more in of_isolation(finding.other).into_iter().chain(of_alike(alike, finding.result)) {
        let _ = writeln!(out, "- {}", markdown(&more));
    }
    let output = output.collect::<Vec<_>>().join("\n");
    if !output.is_empty() {
        let _ = write!(out, "\n{}", code_block(output.as_bytes()));
    }
    if !finding.lines.is_empty() {
        let lines = shown_lines(finding).map(|line| {
            let cut = &line.bytes[..line.bytes.len().min(LONGEST)];
            let more = if cut.len() < line.bytes.len() { " ..." } else { "" };
            [format!("{} ", line.channel.mark()).as_bytes(), cut, more.as_bytes()].concat()
        });
        let lines = lines.collect::<Vec<_>>().join(&b'\n');
        let _ = write!(out, "\n{}\n\n{}", markdown_line(&of_lines(finding)), code_block(&lines));
    }
    if let Some(evidence) = evidence {
        let _ = match &evidence.command {
            Some(line) => {
                write!(
                    out,
                    "\n{}\n\n{}",
                    markdown_line(&of_evidence(finding, evidence)),
                    command(line)
                )
            }
            None => writeln!(
                out,
                "\nWhat it was sent is in {}, which comes with this page.",
                code(&evidence.file)
            ),
        };
    }
}
