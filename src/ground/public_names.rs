//! What others may see of the bots in a journal.

use super::failure::Failure;
use arbiter_config::{Config, Names};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::tournament::JournalHead;
use std::collections::BTreeMap;

/// What others may see of bots with these own names, and what stands for these folders.
pub fn anonymizer_of(
    config: &Config,
    head: &JournalHead,
    names: impl IntoIterator<Item = String>,
    folders: impl IntoIterator<Item = (String, &'static str)>,
) -> Anonymizer {
    match config.publish.names {
        Names::Name => Anonymizer::new(folders),
        Names::Alias => {
            let shown = head.roster.iter().filter_map(|bot| bot.display.clone());
            let said = config.display_names.values().cloned();
            Anonymizer::hiding(names.into_iter().chain(shown).chain(said), folders)
        }
    }
}

/// A failure of a run as others may read it: if names are aliases, an error of the system may name
/// a bot by its folder. Otherwise its paths stay, so that the organiser can follow them.
pub fn published_failure(failure: Failure, anonymizer: &Anonymizer) -> Failure {
    if anonymizer.hides_names() { failure.reworded(|text| anonymizer.clean(text)) } else { failure }
}

/// What the scheduled bots are called beside their names, by these: as the organiser says, else as
/// their authors do. Nothing if names are not published.
pub fn display_names(config: &Config, head: &JournalHead) -> BTreeMap<String, String> {
    if config.publish.names == Names::Alias {
        return BTreeMap::new();
    }
    let mut names = BTreeMap::new();
    for bot in &head.roster {
        if let Some(display) = &bot.display {
            names.insert(bot.name.clone(), display.clone());
        }
    }
    names.extend(config.display_names.clone()); // the organiser overrules the authors
    names.retain(|name, display| name != display);
    names
}
