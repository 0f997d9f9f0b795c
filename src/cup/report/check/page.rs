//! The page of a check for the author of a submission, in Markdown.

use super::{
    Evidence, EvidenceOf, Told, label, of_evidence, of_lines, sentence, shown_lines, sum, told,
};
use crate::report::escape::{code, code_block, command, markdown, markdown_line};
use arbiter_engine::bot_check::CheckedBot;

/// Maximum number of bytes of a line that a page shows.
const LONGEST: usize = 400;

/// The page. Its evidence is named as the author finds it, who gets the page together with the
/// files.
pub fn page(bot: &CheckedBot, evidence: EvidenceOf<'_>) -> String {
    let mut out = format!("# {}, checked\n\n- {}\n", markdown(&bot.name), markdown(&sum(bot)));
    let all = told(bot);
    if all.is_empty() {
        return out + "\nThere is nothing to fix here.\n";
    }
    if all.iter().any(|told| evidence(told.finding).is_some()) {
        out += "\nThe commands are for your bot's folder, \
                with the files that lie beside this page copied into it.\n";
    }
    for told in all {
        out += &section(bot, &told, evidence(told.finding).as_ref());
    }
    out
}

fn section(bot: &CheckedBot, told: &Told<'_>, evidence: Option<&Evidence>) -> String {
    let finding = told.finding;
    let kind = if told.is_fault() { "Fault" } else { "Remark" };
    let label = markdown(&label(bot, finding));
    let mut out = format!("\n## {kind} {}: {label}\n\n", told.number);
    out += &format!("- The situation: {}\n", markdown(&finding.what));
    let (sentence, output) = sentence(finding);
    out += &format!("- What happened: {}\n", markdown(sentence));
    if !finding.cure.is_empty() {
        out += &format!("- What to do: {}\n", markdown(&finding.cure));
    }
    for more in told.isolation().into_iter().chain(told.alike()) {
        out += &format!("- {}\n", markdown(&more));
    }
    let output = output.join("\n");
    if !output.is_empty() {
        out += &format!("\n{}", code_block(output.as_bytes()));
    }
    if !finding.lines.is_empty() {
        // Bytes, because a line of a bot need not be text.
        let mut lines = Vec::new();
        for line in shown_lines(finding) {
            let cut = &line.bytes[..line.bytes.len().min(LONGEST)];
            let more = if cut.len() < line.bytes.len() { " ..." } else { "" };
            lines.extend(format!("{} ", line.channel.mark()).bytes());
            lines.extend(cut);
            lines.extend(more.bytes());
            lines.push(b'\n');
        }
        out += &format!("\n{}\n\n{}", markdown_line(&of_lines(finding)), code_block(&lines));
    }
    if let Some(evidence) = evidence {
        out += &match &evidence.command {
            Some(line) => {
                format!("\n{}\n\n{}", markdown_line(&of_evidence(finding, evidence)), command(line))
            }
            None => format!(
                "\nWhat it was sent is in {}, which comes with this page.\n",
                code(&evidence.file)
            ),
        };
    }
    out
}
