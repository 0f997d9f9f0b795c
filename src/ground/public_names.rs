//! Who is called what in public: aliases, and the anonymizer that follows from the head of a
//! journal.

use crate::config::{Config, Names};
use crate::report::anonymizer::Anonymizer;
use crate::tournament::JournalHead;
use std::collections::BTreeMap;

/// The names of bots with their aliases in the tournament of this journal; none if names are
/// published.
pub fn aliases<'a>(
    config: &Config,
    head: &JournalHead,
    names: impl Iterator<Item = &'a String>,
) -> BTreeMap<String, String> {
    match config.publish.names {
        Names::Name => BTreeMap::new(),
        Names::Alias => names.map(|name| (name.clone(), head.alias(name))).collect(),
    }
}

/// All names in the head of a journal.
pub fn names_in(head: &JournalHead) -> impl Iterator<Item = &String> {
    head.roster.iter().map(|bot| &bot.name).chain(head.absent.iter().map(|bot| &bot.name))
}

/// What others may see of the bots in this head.
pub fn anonymizer_of_head(config: &Config, head: &JournalHead) -> Anonymizer {
    anonymizer_of(config, head, aliases(config, head, names_in(head)), [])
}

/// What others may see of bots with these aliases, and what stands for these folders.
pub fn anonymizer_of(
    config: &Config,
    head: &JournalHead,
    aliases: BTreeMap<String, String>,
    folders: impl IntoIterator<Item = (String, &'static str)>,
) -> Anonymizer {
    Anonymizer::new(aliases, folders).with_display_names(display_names(config, head).into_values())
}

/// What the scheduled bots are called beside their names, by these: as the organiser says, else as
/// their authors do.
pub fn display_names(config: &Config, head: &JournalHead) -> BTreeMap<String, String> {
    let of_authors =
        head.roster.iter().filter_map(|bot| Some((bot.name.clone(), bot.display.clone()?)));
    let all = of_authors.chain(config.display_names.clone()).collect::<BTreeMap<_, _>>();
    all.into_iter().filter(|(name, display)| name != display).collect()
}
