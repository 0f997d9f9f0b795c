//! What others may see, as a type: a [`Public`] value comes from an [`Anonymizer`] alone, and
//! reports, pages, JSON and terminals take nothing else. An anonymizer removes real names under
//! `[publish] names = "alias"`, and folders of the organiser's machine (docs/publishing.md,
//! Aliases). What the author of a bot may see of its games is [`ForAuthor`].
//!
//! ```
//! use arbiter::report::anonymizer::Anonymizer;
//! let aliases = [("conny".to_owned(), "bot-1f".to_owned())];
//! let anonymizer = Anonymizer::new(aliases, [("/home/prof/cup/conny".to_owned(), ".")]);
//! assert_eq!(*anonymizer.name("conny"), "bot-1f");
//! assert_eq!(*anonymizer.text_by_bot("cannot be run: /home/prof/cup/conny/bot"), "cannot be run: ./bot");
//! ```

use super::bot_names::BotNames;
use crate::game::{Event, Note, Outcome, TimeSettings};
use crate::game_id::{game_id, names_in, pairing_name, parts_of};
use crate::record::Record;
use crate::replay::Timeline;
use crate::rules::{BySide, Side};
use crate::standings::Standings;
use crate::text::{Message, one_line};
use crate::tournament::{Absentee, RunBot, RunEntry};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;

/// What others may see. Only an [`Anonymizer`] makes one, so a report cannot show a real name by
/// mistake:
///
/// ```
/// use arbiter::record::Record;
/// use arbiter::report::{anonymizer::Anonymizer, text};
/// fn line(record: Record, anonymizer: &Anonymizer) -> String {
///     text::game(&anonymizer.record(record))
/// }
/// ```
///
/// ```compile_fail,E0308
/// use arbiter::record::Record;
/// use arbiter::report::{anonymizer::Public, json};
/// fn object(record: &Record) -> String {
///     json::game(record, 1) // expects a &Public<Record>
/// }
/// ```
///
/// ```compile_fail,E0423
/// use arbiter::report::anonymizer::Public;
/// let name = Public("conny".to_owned()); // the field is private
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Public<T>(T);

/// What the author of one bot may see beside what is [`Public`]: its own name, unless others may
/// find the page, and what the bot said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForAuthor<T>(T);

impl<T> Deref for Public<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Deref for ForAuthor<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Display> fmt::Display for Public<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A game that others may see; implemented here alone.
pub trait PublicGame {
    fn public_record(&self) -> &Record;
}

impl PublicGame for Public<Record> {
    fn public_record(&self) -> &Record {
        self
    }
}

impl PublicGame for Public<Timeline> {
    fn public_record(&self) -> &Record {
        self.record()
    }
}

impl Public<Record> {
    /// The game ply by ply, whose clocks ran under these settings.
    #[must_use]
    pub fn timeline(self, time: &TimeSettings) -> Public<Timeline> {
        Public(Timeline::new(self.0, time))
    }
}

impl Public<Timeline> {
    /// The game as the beginning of one whose log breaks off there.
    #[must_use]
    pub fn of_part(self) -> Public<Timeline> {
        Public(self.0.of_part())
    }
}

impl Public<Event> {
    /// The players of a game that begins.
    #[must_use]
    pub fn players(&self) -> Option<BySide<Public<String>>> {
        match &self.0 {
            Event::Began { players, .. } => Some(players.clone().map(Public)),
            _ => None,
        }
    }
}

/// Replaces names by aliases, and folders by short words.
#[derive(Debug, Clone, Default)]
pub struct Anonymizer {
    aliases: HashMap<String, String>,
    /// The folders with what stands for them, longer ones first.
    folders: Vec<(String, &'static str)>,
    /// What bots are called beside their names: with aliases it is left out.
    display_names: Vec<String>,
    /// The names and display names, if there are aliases.
    quoted_names: BotNames,
}

/// What the author of a bot may see.
#[derive(Debug, Clone)]
pub struct AuthorAnonymizer {
    /// With the aliases of the other bots.
    others: Anonymizer,
    name: String,
}

impl AuthorAnonymizer {
    /// A record: with the bot's name and comments, as others see the rest.
    #[must_use]
    pub fn record(&self, record: Record) -> ForAuthor<Record> {
        ForAuthor(self.others.masked(record, Some(&self.name)))
    }

    /// Text that a bot may have written, as others see it but for the bot's name.
    #[must_use]
    pub fn text_by_bot(&self, text: &str) -> ForAuthor<String> {
        ForAuthor(self.others.text_by_bot(text).0)
    }
}

/// What stands for a name in text that a bot may have written. Its alias would tell which name it
/// belongs to.
const SOME_BOT: &str = "(…)";

impl Anonymizer {
    /// Names with their aliases, if names are published as aliases, and the folders to be hidden,
    /// with what stands for each.
    #[must_use]
    pub fn new(
        aliases: impl IntoIterator<Item = (String, String)>,
        folders: impl IntoIterator<Item = (String, &'static str)>,
    ) -> Anonymizer {
        // The root `/` is left out: replacing it would change every path.
        let mut folders: Vec<_> =
            folders.into_iter().filter(|(folder, _)| folder.len() > 1).collect();
        folders.sort_by(|(one, _), (other, _)| {
            other.len().cmp(&one.len()).then_with(|| one.cmp(other))
        });
        folders.dedup_by(|(one, _), (other, _)| one == other);
        let aliases = aliases.into_iter().collect();
        Anonymizer { aliases, folders, ..Anonymizer::default() }.with_display_names([])
    }

    /// The same with what bots are called beside their names.
    #[must_use]
    pub fn with_display_names(self, names: impl IntoIterator<Item = String>) -> Anonymizer {
        let mut named = Anonymizer { display_names: names.into_iter().collect(), ..self };
        named.quoted_names = named.all_names();
        named
    }

    /// What is removed from text that a bot may have written.
    fn all_names(&self) -> BotNames {
        if self.aliases.is_empty() {
            return BotNames::default();
        }
        BotNames::new(self.display_names.iter().chain(self.aliases.keys()))
    }

    /// What a bot is called beside its name; none if names are aliases.
    #[must_use]
    pub fn display_name(&self, name: &str) -> Option<Public<String>> {
        self.aliases.is_empty().then(|| Public(name.to_owned()))
    }

    /// Changes nothing: for logs that the user names, and for games of the user's own bots.
    #[must_use]
    pub fn unchanged() -> Anonymizer {
        Anonymizer::default()
    }

    /// What the author of this bot may see, who knows its name and what it said.
    #[must_use]
    pub fn for_author(&self, name: &str) -> AuthorAnonymizer {
        let mut others = self.clone();
        others.aliases.remove(name);
        others.quoted_names = others.all_names();
        AuthorAnonymizer { others, name: name.to_owned() }
    }

    /// The same for a page that others may find: it has the bot's public name.
    #[must_use]
    pub fn for_unnamed_author(&self, name: &str) -> AuthorAnonymizer {
        AuthorAnonymizer { others: self.clone(), name: name.to_owned() }
    }

    /// The public name of a bot.
    #[must_use]
    pub fn name(&self, name: &str) -> Public<String> {
        Public(self.alias(name).to_owned())
    }

    fn alias<'a>(&'a self, name: &'a str) -> &'a str {
        self.aliases.get(name).map_or(name, String::as_str)
    }

    /// The public id of a game: it has the public names of its bots.
    #[must_use]
    pub fn id(&self, id: &str) -> Public<String> {
        Public(match (names_in(id), parts_of(id)) {
            (Some((one, other)), Some((_, number))) => {
                game_id(self.alias(one), self.alias(other), number)
            }
            _ => self.text_by_bot(id).0,
        })
    }

    /// The text with the folders replaced. It may have names, so it is not public yet.
    #[must_use]
    pub fn without_folders(&self, text: &str) -> String {
        // Most texts name no folder, and there may be hundreds of folders.
        if !text.contains('/') {
            return text.to_owned();
        }
        let mut whole = text.to_owned();
        for (folder, word) in &self.folders {
            whole = whole.replace(folder, word);
        }
        without_cut_folders(&whole, &self.folders)
    }

    /// Text that a bot may have written, with the folders replaced and without the names of bots.
    #[must_use]
    pub fn text_by_bot(&self, text: &str) -> Public<String> {
        // Most games are without it, and there may be hundreds of names.
        Public(if text.is_empty() {
            String::new()
        } else {
            self.quoted(&self.without_folders(text))
        })
    }

    /// The text without the names of bots.
    fn quoted(&self, text: &str) -> String {
        if self.aliases.is_empty() {
            return text.to_owned();
        }
        self.quoted_names.replaced(text, SOME_BOT)
    }

    /// The sentence about the end of a game, which begins with the name of the bot that it is about
    /// and may quote it.
    fn detail(&self, players: &BySide<String>, outcome: Outcome, detail: &str) -> String {
        let BySide { first, second } = players;
        let Some((name, text)) = [first, second]
            .into_iter()
            .find_map(|name| Some((name, detail.strip_prefix(&**name)?.strip_prefix(": ")?)))
        else {
            return self.text_by_bot(detail).0;
        };
        let other = format!("; {second}: ");
        let (text, more) = match (outcome, text.rfind(&other)) {
            // Neither bot got ready, and there is a sentence about each.
            (Outcome::NeitherStarted, Some(at)) if name == first => {
                let more = self.text_by_bot(&text[at + other.len()..]);
                (&text[..at], format!("; {}: {more}", self.alias(second)))
            }
            _ => (text, String::new()),
        };
        format!("{}: {}{more}", self.alias(name), self.text_by_bot(text))
    }

    /// A message with the aliases of bots, and without their names in what an author may have
    /// written. Folders are the reader's own.
    #[must_use]
    pub fn message(&self, message: &Message) -> Public<String> {
        let id = |id: &str| self.id(id).0;
        Public(message.shown(|name| self.alias(name).to_owned(), id, |text| self.quoted(text)))
    }

    /// The same without the folders.
    #[must_use]
    pub fn message_without_folders(&self, message: &Message) -> Public<String> {
        Public(self.without_folders(&self.message(message)))
    }

    /// The text with the names of all bots replaced by their aliases, and the ids of games by those
    /// that others see, for messages of arbiter alone: where an author's words are in a text, the
    /// aliases would tell whose they are. Folders are the reader's own.
    #[must_use]
    pub fn names(&self, text: &str) -> Public<String> {
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
        Public(out)
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
    pub fn digest(&self, digest: Option<&String>) -> Option<Public<String>> {
        digest.filter(|_| self.aliases.is_empty()).cloned().map(Public)
    }

    /// The record that others may see. If names are aliases, comments by the bots are left out,
    /// because they may reveal who the authors are, and the run's seed, which is the same in all of
    /// its logs.
    #[must_use]
    pub fn record(&self, record: Record) -> Public<Record> {
        Public(self.masked(record, None))
    }

    /// The record for all, or for the author of the bot `reader`, whose comments stay.
    fn masked(&self, mut record: Record, reader: Option<&str>) -> Record {
        record.detail =
            record.detail.map(|detail| self.detail(&record.players, record.outcome, &detail));
        if self.aliases.is_empty() {
            return record;
        }
        let is_own = record.players.as_ref().map(|name| reader == Some(name));
        let silence = |note: &mut Option<Note>| note.iter_mut().for_each(|note| note.text.clear());
        let sides: Vec<Side> =
            reader.map_or_else(Vec::new, |_| record.steps().map(|step| step.side).collect());
        let mut sides = sides.into_iter(); // of the plies to the first illegal one
        // A page that others may find has an alias for its reader too.
        let is_named = reader.is_some_and(|name| !self.aliases.contains_key(name));
        let keep = |note: &mut Option<Note>| {
            let Some(note) = note.as_mut().filter(|_| !is_named) else { return };
            let text = String::from_utf8_lossy(&note.text);
            let quoted = self.quoted(&text);
            // Bytes that are no text stay as they are.
            if quoted != text {
                note.text = quoted.into_bytes();
            }
        };
        for played in &mut record.plies {
            let spoke = sides.next().is_some_and(|side| is_own[side]);
            if spoke { keep(&mut played.note) } else { silence(&mut played.note) }
        }
        let lost = record.outcome.loser().is_some_and(|loser| is_own[loser]);
        if lost {
            keep(&mut record.reply)
        } else {
            silence(&mut record.reply)
        }
        record.seed = None;
        for side in Side::BOTH {
            record.digests[side] = record.digests[side].take().filter(|_| is_own[side]);
        }
        record.players = record.players.map(|name| self.alias(&name).to_owned());
        record.id = record.id.as_ref().and_then(|id| id.rsplit_once('.')).map(|(_, number)| {
            format!("{}.{number}", pairing_name(&record.players.first, &record.players.second))
        });
        record
    }

    /// Points and counts under the public names.
    #[must_use]
    pub fn standings(&self, standings: Standings) -> Public<Standings> {
        Public(standings.renamed(|name| self.alias(name).to_owned()))
    }

    /// A bot that is not scheduled, without its folder.
    #[must_use]
    pub fn absentee(&self, bot: &Absentee) -> Public<Absentee> {
        let reason = one_line(&self.text_by_bot(&bot.reason).0); // earlier versions recorded several lines
        Public(Absentee {
            name: self.alias(&bot.name).to_owned(),
            reason,
            folder: None,
            ..bot.clone()
        })
    }

    #[must_use]
    pub fn run(&self, run: &RunEntry) -> Public<RunEntry> {
        let bot = |bot: &RunBot| RunBot {
            name: self.alias(&bot.name).to_owned(),
            digest: self.digest(bot.digest.as_ref()).map(|digest| digest.0),
            ..*bot
        };
        Public(RunEntry {
            time: run.time.clone(),
            games: run.games,
            bots: run.bots.iter().map(bot).collect(),
        })
    }

    /// What happens in a game of these players.
    #[must_use]
    pub fn event(&self, event: Event, players: &BySide<String>) -> Public<Event> {
        Public(match event {
            Event::Began { number, players, start } => Event::Began {
                number,
                players: players.map(|name| self.alias(&name).to_owned()),
                start,
            },
            Event::Ended { outcome, detail, reply } => {
                let detail = detail.map(|detail| self.detail(players, outcome, &detail));
                Event::Ended { outcome, detail, reply }
            }
            event => event,
        })
    }
}

/// Whether a name that ends before this letter, or begins behind it, is a part of a longer word.
fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
}

/// Replaces what a cut has left of these folders before its mark. The names of bots in them are
/// removed with them.
fn without_cut_folders(text: &str, folders: &[(String, &'static str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (cut, _) in text.match_indices('…') {
        let head = &text[copied..cut];
        let places = head.match_indices('/').map(|(place, _)| place);
        let found = places.filter(|place| head.len() - place > 1).find_map(|place| {
            let (_, word) =
                folders.iter().find(|(folder, _)| folder.starts_with(&head[place..]))?;
            Some((place, *word))
        });
        if let Some((place, word)) = found {
            out.push_str(&head[..place]);
            out.push_str(word);
            copied = cut;
        }
    }
    out + &text[copied..]
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
        let aliases = [("alice", "bot-b"), ("zed", "bot-a")]
            .map(|(name, alias)| (name.to_owned(), alias.to_owned()));
        let anonymizer =
            Anonymizer::new(aliases, ["/srv/zed", "/"].map(|folder| (folder.to_owned(), ".")));
        let public = anonymizer.record(record.clone()).to_string();
        assert!(!public.contains("alice") && !public.contains("zed"), "{public}");
        assert!(public.contains("[GameId \"bot-a~bot-b.12\"]"), "{public}");
        assert!(public.contains("[Detail \"bot-a: ./bot said a9, (…); (…)d\"]"), "{public}");
        assert_eq!(*Anonymizer::unchanged().record(record.clone()), record);
        assert_eq!(*anonymizer.names("in/zed/bot of zed; zedd"), "in/bot-a/bot of bot-a; zedd");
        let message = Message::default().bot("zed").own(" changed (").quoted("alice zed").own(")");
        assert_eq!(*anonymizer.message(&message), "bot-a changed ((…) (…))");
        // A name of a file or of a person is mostly the name of the bot with something beside it,
        // or in other capitals.
        let said = "Zed ZED alice_bot.py, my-alice.py, zedd, 2alice";
        assert_eq!(*anonymizer.text_by_bot(said), "(…) (…) (…)_bot.py, my-(…).py, (…)d, 2(…)");
        let ids = "alice~zed.1, zed~alice and logs/alice~zed.12. But alice~zed.x.3 and ~zed";
        let public =
            "bot-a~bot-b.1, bot-a~bot-b and logs/bot-a~bot-b.12. But bot-a~bot-b.x.3 and ~bot-a";
        assert_eq!(*anonymizer.names(ids), public);
    }

    #[test]
    fn a_name_that_is_the_alias_of_another_is_no_second_time_replaced() {
        let aliases = [("alice", "bot-b"), ("bot-b", "bot-a"), ("zé", "bot-c"), ("z", "bot-d")];
        let aliases = aliases.map(|(name, alias)| (name.to_owned(), alias.to_owned()));
        let anonymizer = Anonymizer::new(aliases, []);
        let shown = anonymizer.names("alice~bot-b.1: alice, bot-b, z and zé; bot-bz");
        assert_eq!(*shown, "bot-a~bot-b.1: bot-b, bot-a, bot-d and bot-c; bot-bz");
    }
}
