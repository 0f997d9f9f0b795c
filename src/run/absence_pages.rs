//! Feedback for the authors of submissions that do not play, before the first game.

use super::feedback_links::{FeedbackLinks, write_table};
use super::ready_bot::ReadyBot;
use super::trial::Refusal;
use anyhow::Context;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::author_page::author_page;
use arbiter_cup::report::feedback::{AbsenceFeedback, FailedStep, absence};
use arbiter_cup::tournament::{Absentee, JournalHead, PublicNames};
use arbiter_game::Settings;
use arbiter_ground::bot_names::{bot_name, page_name};
use arbiter_ground::failure::Failure;
use arbiter_ground::request::TournamentRequest;
use arbiter_play::store::ResultFolder;
use arbiter_rules::RulesFileName;
use std::io;

/// What the links to pages follow from, and what others may see.
pub struct PublishedLinks<'a> {
    pub links: FeedbackLinks,
    pub names: PublicNames,
    pub anonymizer: &'a Anonymizer,
}

/// Writes a page for each bot that was refused, and for each that is absent from the tournament for
/// another reason, if there is a tournament; also those of links.
///
/// # Errors
/// A page cannot be written.
pub fn write_absence_pages(
    request: &TournamentRequest,
    folder: &ResultFolder,
    ready: &[ReadyBot],
    refused: &[(Absentee, Refusal)],
    head: Option<&JournalHead>,
    published: Option<&PublishedLinks<'_>>,
) -> Result<(), Failure> {
    let tournament = &*request.name;
    let page =
        |name, reason| AbsenceFeedback { tournament, name, reason, failed: None, again: None };
    let all = head.iter().flat_map(|head| &head.absent);
    // By their own names: which aliases they have may just have been decided by another shard.
    let is_refused = |absent: &Absentee| {
        refused.iter().any(|(bot, _)| bot.private_name() == absent.private_name())
    };
    let others: Vec<_> = all
        .filter(|absent| !is_refused(absent))
        .map(|absent| (page(absent.private_name(), &absent.reason), absent))
        .collect();
    let plays = |bot: &&ReadyBot| {
        !others.iter().any(|(_, absent)| absent.private_name() == bot.entrant.private_name())
    };
    let mut taken = ready
        .iter()
        .filter(plays)
        .map(|bot| bot.entrant.private_name().to_ascii_lowercase())
        .collect();
    let repeated: Vec<Option<String>> =
        refused.iter().map(|(_, why)| repetition(why, &request.config.settings)).collect();
    let refused = refused.iter().zip(&repeated).map(|((bot, refusal), again)| {
        let failed = refusal.failed.as_ref().map(|(step, output)| (*step, &output[..]));
        let again = again.as_deref();
        let page = page(bot.private_name(), &refusal.why);
        (AbsenceFeedback { failed, again, ..page }, bot)
    });
    let mut pages: Vec<_> = refused.chain(others.iter().copied()).collect();
    // Another folder's name may become that of a bot; the page of this name is the bot's.
    pages.sort_by_key(|(page, _)| bot_name(page.name) != page.name);
    for (page, absentee) in pages {
        let name = page_name(page.name, &mut taken);
        let logs = folder.replace_feedback_games(&name, &[]);
        let written = logs.and_then(|()| folder.replace_feedback(&name, &absence(&page)));
        let linked = written.and_then(|()| {
            published.map_or(Ok(()), |published| published.write(folder, &page, absentee))
        });
        linked
            .with_context(|| format!("{}: feedback/{}.md", folder.dir().display(), absentee.name))
            .map_err(Failure::Unfinished)?;
    }
    match head {
        Some(_) => write_table(published.map(|published| &published.links), folder),
        None => Ok(()),
    }
}

impl PublishedLinks<'_> {
    /// Writes the page of a bot as others may see it, if it has an address.
    fn write(
        &self,
        folder: &ResultFolder,
        page: &AbsenceFeedback<'_>,
        absentee: &Absentee,
    ) -> io::Result<()> {
        let address = self.links.address(page.name, absentee.folder.as_ref());
        let Some(address) = address else { return Ok(()) };
        let public = |text: &str| self.anonymizer.clean(text);
        let failed =
            page.failed.map(|(step, output)| (step, public(&String::from_utf8_lossy(output))));
        let reason = public(page.reason);
        let again = page.again.map(public);
        let shown = absence(&AbsenceFeedback {
            tournament: page.tournament,
            name: &self.names.name(page.name),
            reason: &reason,
            failed: failed.as_ref().map(|(step, output)| (*step, output.as_bytes())),
            again: again.as_deref(),
        });
        folder.replace_link_games(address, &[])?;
        folder.replace_link(address, &author_page(&shown, address, &[]))
    }
}

/// The command that repeats at home what failed.
fn repetition(refusal: &Refusal, settings: &Settings) -> Option<String> {
    match refusal.failed.as_ref()? {
        (FailedStep::Build, _) => refusal.build.clone(),
        (FailedStep::Start, _) => {
            let game = settings.ruleset.game();
            let mut rules = game.name().to_owned();
            // The author has the file somewhere else.
            if let Some(RulesFileName { file, .. }) = game.rules_file() {
                rules = file.to_owned();
                for (key, value) in settings.ruleset.options() {
                    rules += &format!(" --set {key}={value}");
                }
            }
            let sandbox = settings.limits.sandbox.word();
            Some(format!("arbiter play {rules} FOLDER builtin:random --sandbox {sandbox}"))
        }
    }
}
