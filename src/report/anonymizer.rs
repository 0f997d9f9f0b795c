//! Removes what must not be published: real names under `[publish] names = "alias"`, and folders of the
//! organiser's machine (docs/publishing.md, Aliases).
//!
//! ```
//! use arbiter::report::anonymizer::Anonymizer;
//! let aliases = [("conny".to_owned(), "bot-1f".to_owned())];
//! let anonymizer = Anonymizer::new(aliases, [("/home/prof/cup/conny".to_owned(), ".")]);
//! assert_eq!(anonymizer.name("conny"), "bot-1f");
//! assert_eq!(anonymizer.text("cannot be run: /home/prof/cup/conny/bot"), "cannot be run: ./bot");
//! ```

use crate::game::{Note, Outcome, Played};
use crate::game_id::pairing_name;
use crate::record::Record;
use crate::rules::{BySide, Side};
use crate::text::Message;
use std::collections::HashMap;

/// Replaces names by aliases, and folders by short words.
#[derive(Debug, Clone, Default)]
pub struct Anonymizer {
    aliases: HashMap<String, String>,
    /// The folders with what stands for them, longer ones first.
    folders: Vec<(String, &'static str)>,
    /// The bot whose author alone reads what comes out.
    reader: Option<String>,
}

/// What stands for a name in text that a bot may have written. Its alias would tell which name it belongs to.
const SOME_BOT: &str = "(…)";

impl Anonymizer {
    /// Names with their aliases, if names are published as aliases, and the folders to be hidden, with what stands for
    /// each.
    #[must_use]
    pub fn new(
        aliases: impl IntoIterator<Item = (String, String)>,
        folders: impl IntoIterator<Item = (String, &'static str)>,
    ) -> Anonymizer {
        // The root `/` is left out: replacing it would change every path.
        let mut folders: Vec<_> = folders.into_iter().filter(|(folder, _)| folder.len() > 1).collect();
        folders.sort_by(|(one, _), (other, _)| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        folders.dedup_by(|(one, _), (other, _)| one == other);
        Anonymizer { aliases: aliases.into_iter().collect(), folders, reader: None }
    }

    /// The public name of a bot.
    #[must_use]
    pub fn name<'a>(&'a self, name: &'a str) -> &'a str {
        self.aliases.get(name).map_or(name, String::as_str)
    }

    /// The text with the folders replaced.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        // Most texts name no folder, and there may be hundreds of folders.
        if !text.contains('/') {
            return text.to_owned();
        }
        self.folders.iter().fold(text.to_owned(), |text, (folder, word)| text.replace(folder, word))
    }

    /// The same for the author of this bot, who knows its name and what it said.
    #[must_use]
    pub fn for_author(&self, name: &str) -> Anonymizer {
        let mut own = self.clone();
        own.reader = own.aliases.remove(name).map(|_| name.to_owned());
        own
    }

    /// Text that a bot may have written, with the folders replaced and without the names of bots.
    #[must_use]
    pub fn text_by_bot(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new(); // as most games are without it, and there may be hundreds of names
        }
        self.quoted(&self.text(text))
    }

    /// The text without the names of bots.
    fn quoted(&self, text: &str) -> String {
        let names = self.longest_first().into_iter();
        names.fold(text.to_owned(), |text, (name, _)| replace_word(&text, name, SOME_BOT))
    }

    /// The sentence about the end of a game, which begins with the name of the bot that it is about and may quote it.
    fn detail(&self, record: &Record, detail: &str) -> String {
        let BySide { first, second } = &record.players;
        let Some((name, text)) = [first, second]
            .into_iter()
            .find_map(|name| Some((name, detail.strip_prefix(&**name)?.strip_prefix(": ")?)))
        else {
            return self.text_by_bot(detail);
        };
        let other = format!("; {second}: ");
        let (text, more) = match (record.outcome, text.rfind(&other)) {
            // Neither bot got ready, and there is a sentence about each.
            (Outcome::Aborted(_), Some(at)) if name == first => {
                let more = self.text_by_bot(&text[at + other.len()..]);
                (&text[..at], format!("; {}: {more}", self.name(second)))
            }
            _ => (text, String::new()),
        };
        format!("{}: {}{more}", self.name(name), self.text_by_bot(text))
    }

    /// A message with the aliases of bots, and without their names in what an author may have written. Folders are the
    /// reader's own.
    #[must_use]
    pub fn message(&self, message: &Message) -> String {
        message.shown(|name| self.name(name).to_owned(), |text| self.quoted(text))
    }

    /// The text with the names of all bots replaced by their aliases, and the ids of games by those that others see, for
    /// messages of arbiter alone: where an author's words are in a text, the aliases would tell whose they are. Folders are
    /// the reader's own.
    #[must_use]
    pub fn names(&self, text: &str) -> String {
        let names = self.longest_first();
        let name_at = |text: &'_ str| {
            names.iter().find_map(|(name, alias)| {
                let after = text.strip_prefix(&***name)?;
                (!name.is_empty() && !after.starts_with(is_part)).then_some((*alias, name.len()))
            })
        };
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        // Once from the beginning to the end: a bot may have the alias of another one as its name.
        while let Some(letter) = rest.chars().next() {
            let length = match name_at(rest).filter(|_| !out.ends_with(is_part)) {
                Some((one, length)) => match rest[length..].strip_prefix('~').and_then(name_at) {
                    // The order of two names would tell which alias is whose.
                    Some((other, more)) => {
                        out.push_str(&pairing_name(one, other));
                        length + 1 + more
                    }
                    None => {
                        out.push_str(one);
                        length
                    }
                },
                None => {
                    out.push(letter);
                    letter.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        out
    }

    /// The names with their aliases; a name may have another one in it.
    fn longest_first(&self) -> Vec<(&String, &String)> {
        let mut names: Vec<_> = self.aliases.iter().collect();
        names.sort_by_key(|&(name, _)| (std::cmp::Reverse(name.len()), name));
        names
    }

    /// A digest that others may see: none if names are aliases, because the files of a bot
    /// give it away.
    #[must_use]
    pub fn digest(&self, digest: Option<&String>) -> Option<String> {
        digest.filter(|_| self.aliases.is_empty()).cloned()
    }

    /// The record that others may see. If names are aliases, comments by the bots are left out, because they may reveal
    /// who the authors are (the reader's own are not), and the run's seed, which is the same in all of its logs.
    #[must_use]
    pub fn record(&self, record: &Record) -> Record {
        let mut public = record.clone();
        public.detail = record.detail.as_ref().map(|detail| self.detail(record, detail));
        if self.aliases.is_empty() {
            return public;
        }
        public.seed = None;
        for side in Side::BOTH {
            public.digests[side] =
                record.digests[side].clone().filter(|_| self.is_reader(&record.players[side]));
        }
        public.players = record.players.as_ref().map(|name| self.name(name).to_owned());
        public.id = record.id.as_ref().and_then(|id| id.rsplit_once('.')).map(|(_, number)| {
            format!("{}.{number}", pairing_name(&public.players.first, &public.players.second))
        });
        let silent = |note: &Note| Note { text: Vec::new(), ..note.clone() };
        let mut steps = self.reader.as_ref().map(|_| record.steps());
        let quiet = |played: &Played| {
            let step = steps.as_mut().and_then(Iterator::next);
            let is_own = step.is_some_and(|step| self.is_reader(&record.players[step.side]));
            let note = played.note.as_ref().map(|note| if is_own { note.clone() } else { silent(note) });
            Played { note, ..played.clone() }
        };
        public.plies = record.plies.iter().map(quiet).collect();
        let is_own = record.outcome.loser().is_some_and(|loser| self.is_reader(&record.players[loser]));
        public.reply = record.reply.as_ref().map(|reply| if is_own { reply.clone() } else { silent(reply) });
        public
    }

    fn is_reader(&self, name: &str) -> bool {
        self.reader.as_deref() == Some(name)
    }
}

/// Whether a name that ends before this letter, or begins behind it, is a part of a longer word.
fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
}

/// Replaces a name where it is a whole word.
fn replace_word(text: &str, name: &str, with: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        out.push_str(before);
        let alone = !out.ends_with(is_part) && !after.starts_with(is_part);
        out.push_str(if alone { with } else { name });
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read_log;

    #[test]
    fn an_alias_takes_the_place_of_the_name_everywhere() {
        let log = b"[White \"alice\"] [Black \"zed\"] [Result \"1-0\"] [Game \"loa\"] [Outcome \"forfeit\"] [GameId \"alice~zed.12\"]
            [Termination \"illegal-move\"] [Detail \"zed: /srv/zed/bot said a9, alice; zedd\"] 1. a2c4 {0.1s alice was here} c0b1 {0.5s} {0.1s a9} 1-0";
        let record = read_log(log).next().unwrap().unwrap();
        let aliases =
            [("alice", "bot-b"), ("zed", "bot-a")].map(|(name, alias)| (name.to_owned(), alias.to_owned()));
        let anonymizer = Anonymizer::new(aliases, ["/srv/zed", "/"].map(|folder| (folder.to_owned(), ".")));
        let public = anonymizer.record(&record).to_string();
        assert!(!public.contains("alice") && !public.replace("zedd", "").contains("zed"), "{public}");
        assert!(public.contains("[GameId \"bot-a~bot-b.12\"]"), "{public}");
        assert!(public.contains("[Detail \"bot-a: ./bot said a9, (…); zedd\"]"), "{public}");
        assert_eq!(Anonymizer::default().record(&record), record);
        assert_eq!(anonymizer.names("in/zed/bot of zed; zedd"), "in/bot-a/bot of bot-a; zedd");
        let message = Message::default().bot("zed").own(" changed (").quoted("alice zed").own(")");
        assert_eq!(anonymizer.message(&message), "bot-a changed ((…) (…))");
        let ids = "alice~zed.1, zed~alice and logs/alice~zed.12. But alice~zed.x.3 and ~zed";
        let public = "bot-a~bot-b.1, bot-a~bot-b and logs/bot-a~bot-b.12. But bot-a~bot-b.x.3 and ~bot-a";
        assert_eq!(anonymizer.names(ids), public);
    }

    #[test]
    fn a_name_that_is_the_alias_of_another_is_no_second_time_replaced() {
        let aliases = [("alice", "bot-b"), ("bot-b", "bot-a"), ("zé", "bot-c"), ("z", "bot-d")];
        let aliases = aliases.map(|(name, alias)| (name.to_owned(), alias.to_owned()));
        let anonymizer = Anonymizer::new(aliases, []);
        let shown = anonymizer.names("alice~bot-b.1: alice, bot-b, z and zé; bot-bz");
        assert_eq!(shown, "bot-a~bot-b.1: bot-b, bot-a, bot-d and bot-c; bot-bz");
    }
}
