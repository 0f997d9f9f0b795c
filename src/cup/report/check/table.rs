//! A line for each submission of a folder, for the organiser: on the terminal, and as the table
//! `check.md`.

use super::{causes, label, result, told};
use crate::report::escape::{line, markdown};
use arbiter_engine::bot_check::{CheckResult, CheckedBot};
use arbiter_rules::text::counted;

/// A submission in the table.
#[derive(Debug, Clone)]
pub struct CheckRow<'a> {
    pub bot: &'a CheckedBot,
    /// The file of its page, as seen from the table.
    pub page: String,
}

/// What is to be fixed first, in a few words that quote nothing of the bot: `crash in capture`;
/// empty if there is nothing.
pub fn few_words(bot: &CheckedBot) -> String {
    let told = told(bot);
    let Some(first) = told.first() else { return String::new() };
    let situation = label(bot, first.finding);
    match first.finding.fault {
        Some(fault) => format!("{fault} in {situation}"),
        None => situation,
    }
}

/// The line of a submission, with its name in `width` columns: name, result, what is to be fixed
/// first, counts.
pub fn row_line(bot: &CheckedBot, width: usize) -> String {
    let mut counts = Vec::new();
    for (result, noun) in [(CheckResult::Fault, "fault"), (CheckResult::Remark, "remark")] {
        let count = causes(bot, result);
        if count > 0 {
            counts.push(counted(count, noun));
        }
    }
    let row = format!(
        "{:<width$}  {:<6}  {:<28}  {}",
        line(&bot.name),
        result(bot).word(),
        few_words(bot),
        counts.join(", ")
    );
    row.trim_end().to_owned()
}

/// The table, in Markdown, in the order of the rows.
pub fn table(rows: &[CheckRow<'_>]) -> String {
    let faulty = rows.iter().filter(|row| result(row.bot) == CheckResult::Fault).count();
    let mut out = format!(
        "# {}, checked\n\n{faulty} with a fault, {} without. What each author should read, and the \
         files that show it, are in the folder of the page.\n\n\
         | bot | result | faults | remarks | to fix first | page |\n\
         | --- | --- | ---: | ---: | --- | --- |\n",
        counted(rows.len() as u64, "submission"),
        rows.len() - faulty,
    );
    for CheckRow { bot, page } in rows {
        out += &format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            markdown(&bot.name),
            result(bot),
            causes(bot, CheckResult::Fault),
            causes(bot, CheckResult::Remark),
            markdown(&few_words(bot)),
            markdown(page)
        );
    }
    out
}
