//! Feedback for the authors of submissions that do not play, before the first game.

use super::Failure;
use super::entrants::{ReadyBot, RefusedBot, bot_name, first_free};
use super::request::TournamentRequest;
use crate::game::Settings;
use crate::report::feedback::{AbsenceFeedback, FailedStep, absence};
use crate::store::ResultFolder;
use crate::tournament::JournalHead;
use anyhow::Context;
use std::collections::HashSet;

/// Writes a page for each bot that was refused, and for each that is absent from the tournament for another
/// reason, if there is a tournament.
///
/// # Errors
/// A page cannot be written.
pub fn write_absence_pages(
    request: &TournamentRequest,
    folder: &ResultFolder,
    ready: &[ReadyBot],
    refused: &[RefusedBot],
    head: Option<&JournalHead>,
) -> Result<(), Failure> {
    let tournament = &*request.name;
    let page = |name, reason| AbsenceFeedback { tournament, name, reason, failed: None, again: None };
    let all = head.iter().flat_map(|head| &head.absent);
    let others = all.filter(|absent| !refused.iter().any(|bot| bot.absentee.name == absent.name));
    let others: Vec<AbsenceFeedback<'_>> = others.map(|absent| page(&absent.name, &absent.reason)).collect();
    let plays = |bot: &&ReadyBot| !others.iter().any(|absent| absent.name == bot.entrant.name);
    let mut taken = ready.iter().filter(plays).map(|bot| bot.entrant.name.to_ascii_lowercase()).collect();
    let repeated: Vec<Option<String>> =
        refused.iter().map(|bot| repetition(bot, &request.config.settings)).collect();
    let refused = refused.iter().zip(&repeated).map(|(bot, again)| AbsenceFeedback {
        failed: bot.failed.as_ref().map(|(step, output)| (*step, &output[..])),
        again: again.as_deref(),
        ..page(&bot.absentee.name, &bot.why)
    });
    let mut pages: Vec<AbsenceFeedback<'_>> = refused.chain(others.iter().copied()).collect();
    // Another folder's name may become that of a bot; the page of this name is the bot's.
    pages.sort_by_key(|page| bot_name(page.name) != page.name);
    for page in pages {
        let name = page_name(page.name, &mut taken);
        let logs = folder.replace_feedback_games(&name, &[]);
        let written = logs.and_then(|()| folder.replace_feedback(&name, &absence(&page)));
        written
            .with_context(|| format!("{}: feedback/{name}.md", folder.dir().display()))
            .map_err(Failure::Unfinished)?;
    }
    Ok(())
}

/// The command that repeats at home what failed.
fn repetition(bot: &RefusedBot, settings: &Settings) -> Option<String> {
    match bot.failed.as_ref()? {
        (FailedStep::Build, _) => bot.build.clone(),
        (FailedStep::Start, _) => {
            let (game, sandbox) = (settings.ruleset.game().name(), settings.limits.sandbox.word());
            Some(format!("arbiter play {game} FOLDER builtin:random --sandbox {sandbox}"))
        }
    }
}

/// The name of a page: that of the bot, or of its folder as a name of a bot, with a number if another page has
/// this name (case is ignored). It is taken then.
fn page_name(name: &str, taken: &mut HashSet<String>) -> String {
    first_free(&bot_name(name), |name| taken.insert(name.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_has_a_page_of_its_own() {
        let mut taken = HashSet::from(["ada".to_owned()]);
        let names = ["ada", "Ada", "bea", "Anna Schmidt", "Anna-Schmidt", "../etc", "小明", "..", "."];
        let pages = names.map(|name| page_name(name, &mut taken));
        let expected =
            ["ada-2", "Ada-3", "bea", "Anna-Schmidt", "Anna-Schmidt-2", "etc", "bot", "bot-2", "bot-3"];
        assert_eq!(pages, expected);
    }
}
