//! The addresses of the pages for authors under `[publish] feedback = "links"`
//! (docs/reference/publishing.md, A link for each author).

use anyhow::Context;
use arbiter_config::{Config, FeedbackPlace};
use arbiter_cup::tournament::JournalHead;
use arbiter_ground::failure::Failure;
use arbiter_play::store::ResultFolder;
use arbiter_rules::text::printable;
use std::collections::{BTreeMap, BTreeSet};

/// The addresses of all bots in the head of a journal, those that do not play included.
pub struct FeedbackLinks {
    /// By the own name of a bot and its `[[bots]]` folder.
    addresses: BTreeMap<(String, String), String>,
}

impl FeedbackLinks {
    /// The addresses of this tournament; `None` if it publishes no links, or has no key.
    pub fn of(config: &Config, head: &JournalHead) -> Option<FeedbackLinks> {
        let key = head.key.as_ref()?;
        if config.publish.feedback != FeedbackPlace::Links {
            return None;
        }
        let scheduled = head.roster.iter().map(|bot| (bot.private_name(), &bot.folder));
        let absent = head.absent.iter().map(|bot| (bot.private_name(), &bot.folder));
        let mut addresses = BTreeMap::new();
        let mut ambiguous = BTreeSet::new();
        for (name, folder) in scheduled.chain(absent) {
            let bot = (name.to_owned(), folder.clone().unwrap_or_default());
            let address = key.address(&["feedback", &bot.1, &bot.0]);
            if addresses.insert(bot.clone(), address).is_some() {
                ambiguous.insert(bot);
            }
        }
        // Two folders whose names are alike only because they are not UTF-8 have no pages: neither
        // author may see the other's.
        addresses.retain(|bot, _| !ambiguous.contains(bot));
        Some(FeedbackLinks { addresses })
    }

    /// The address of the bot of this own name.
    pub fn address(&self, name: &str, folder: Option<&String>) -> Option<&str> {
        let bot = (name.to_owned(), folder.cloned().unwrap_or_default());
        self.addresses.get(&bot).map(String::as_str)
    }

    /// The own names and addresses of the bots of a `[[bots]]` folder, as it is written there.
    pub fn in_folder(&self, folder: &str) -> Vec<(&str, &str)> {
        let mut found = Vec::new();
        for ((name, place), address) in &self.addresses {
            if place == folder {
                found.push((&**name, &**address));
            }
        }
        found
    }

    /// The addresses of the bots that do not play.
    pub(crate) fn of_absent(&self, head: &JournalHead) -> BTreeSet<&str> {
        let absent = head.absent.iter();
        absent.filter_map(|bot| self.address(bot.private_name(), bot.folder.as_ref())).collect()
    }
}

/// Writes the organiser's table of these addresses, a line for each, and removes the pages at
/// others. Without links there is neither a table nor a page.
///
/// # Errors
/// A file cannot be written or removed.
pub fn write_table(links: Option<&FeedbackLinks>, folder: &ResultFolder) -> Result<(), Failure> {
    let mut table = String::new();
    let mut known = BTreeSet::new();
    for ((name, place), address) in links.iter().flat_map(|links| &links.addresses) {
        let name = printable(name.as_bytes(), usize::MAX);
        let place = printable(place.as_bytes(), usize::MAX);
        table += &format!("{address}.html\t{name}\t{place}\n");
        known.insert(&**address);
    }
    folder
        .replace_links_table(&known, &table)
        .with_context(|| format!("{}: feedback-links", folder.dir().display()))
        .map_err(Failure::Unfinished)
}
