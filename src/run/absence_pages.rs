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
use std::collections::{BTreeMap, HashSet};
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
    let mut pages = Vec::new();
    for (bot, refusal) in refused {
        let page = AbsenceFeedback {
            tournament,
            name: bot.private_name(),
            reason: &refusal.why,
            failed: refusal.failed.clone(),
            again: repetition(refusal, &request.config.settings),
        };
        pages.push((page, bot));
    }
    let mut withdrawn = HashSet::new();
    for absent in head.iter().flat_map(|head| &head.absent) {
        // By the own name: which alias it has may just have been decided by another shard.
        let name = absent.private_name();
        if refused.iter().all(|(bot, _)| bot.private_name() != name) {
            let reason = &*absent.reason;
            let page = AbsenceFeedback { tournament, name, reason, failed: None, again: None };
            pages.push((page, absent));
            withdrawn.insert(name);
        }
    }
    let mut taken = HashSet::new();
    for bot in ready {
        let name = bot.entrant.private_name();
        if !withdrawn.contains(name) {
            taken.insert(name.to_ascii_lowercase());
        }
    }
    // Another folder's name may become that of a bot; the page of this name is the bot's.
    pages.sort_by_key(|(page, _)| bot_name(page.name) != page.name);
    for (page, absentee) in pages {
        write_page(folder, &page, absentee, &mut taken, published)
            .with_context(|| format!("{}: feedback/{}.md", folder.dir().display(), absentee.name))
            .map_err(Failure::Unfinished)?;
    }
    match head {
        Some(_) => write_table(published.map(|published| &published.links), folder),
        None => Ok(()),
    }
}

/// Writes the page of a bot, and that of its link if there are links. Logs of an earlier run would
/// be about another content of the bot, so they go.
fn write_page(
    folder: &ResultFolder,
    page: &AbsenceFeedback<'_>,
    absentee: &Absentee,
    taken: &mut HashSet<String>,
    published: Option<&PublishedLinks<'_>>,
) -> io::Result<()> {
    let name = page_name(page.name, taken);
    folder.replace_feedback_games(&name, &[])?;
    folder.replace_feedback(&name, &absence(page))?;
    match published {
        Some(published) => published.write(folder, page, absentee),
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
        let mut failed = page.failed.clone();
        if let Some((_, output)) = &mut failed {
            *output = self.anonymizer.clean(&String::from_utf8_lossy(output)).into_bytes();
        }
        let again = page.again.as_ref().map(|command| self.anonymizer.clean(command));
        let shown = absence(&AbsenceFeedback {
            tournament: page.tournament,
            name: &self.names.name(page.name),
            reason: &self.anonymizer.clean(page.reason),
            failed,
            again,
        });
        folder.replace_link_games(address, &[])?;
        folder.replace_link(address, &author_page(&shown, &BTreeMap::new(), address, &[]))
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
