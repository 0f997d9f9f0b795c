//! What others may see, as a type: a [`Public`] value comes from an [`Anonymizer`] alone, and
//! reports, pages, JSON and terminals take nothing else. Bots have their public names by then; an
//! anonymizer removes their own ones from what bots and authors wrote, under
//! `[publish] names = "alias"`, and folders of the organiser's machine (docs/publishing.md,
//! Aliases). What the author of a bot may see of its games is [`ForAuthor`].
//!
//! ```
//! use arbiter::report::anonymizer::Anonymizer;
//! let anonymizer =
//!     Anonymizer::hiding(["conny".to_owned()], [("/home/prof/cup/conny".to_owned(), ".")]);
//! let public = anonymizer.text_by_bot("cannot be run: /home/prof/cup/conny/bot by ConnyBot");
//! assert_eq!(*public, "cannot be run: ./bot by (…)Bot");
//! ```

use super::bot_names::BotNames;
use crate::game::{Event, Note, Outcome, TimeSettings};
use crate::game_id::pairing_name;
use crate::record::Record;
use crate::replay::Timeline;
use crate::rules::{BySide, Side};
use crate::standings::Standings;
use crate::text::{Message, one_line};
use crate::tournament::{Absentee, RunEntry};
use serde::Serialize;
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

/// Cleans what a bot or its author wrote: of the own names of bots, if these are hidden, and of
/// folders of the organiser's machine. What arbiter says of a bot has its public name already
/// ([`PublicNames`](crate::tournament::PublicNames)).
#[derive(Debug, Clone, Default)]
pub struct Anonymizer {
    /// The names that others may not see, if names are hidden.
    hidden: Option<BotNames>,
    /// The folders with what stands for them, longer ones first.
    folders: Vec<(String, &'static str)>,
}

/// What the author of a bot may see.
#[derive(Debug, Clone)]
pub struct AuthorAnonymizer<'a> {
    all: &'a Anonymizer,
    /// The public name of the bot.
    name: &'a str,
    /// What its author's page calls it.
    shown: &'a str,
}

impl AuthorAnonymizer<'_> {
    /// A record: with the bot's name and comments, as others see the rest.
    #[must_use]
    pub fn record(&self, record: Record) -> ForAuthor<Record> {
        let mut record = self.all.masked(record, Some(self.name));
        rename(&mut record, self.name, self.shown);
        ForAuthor(record)
    }

    /// Text that a bot may have written, as others see it.
    #[must_use]
    pub fn text_by_bot(&self, text: &str) -> ForAuthor<String> {
        ForAuthor(self.all.text_by_bot(text).0)
    }
}

/// Gives a player of a record another name, wherever arbiter says it.
pub fn rename(record: &mut Record, name: &str, other: &str) {
    for player in [&mut record.players.first, &mut record.players.second] {
        if player == name {
            other.clone_into(player);
        }
    }
    let text = |detail: &str| Some(detail.strip_prefix(name)?.strip_prefix(": ")?.to_owned());
    if let Some(text) = record.detail.as_deref().and_then(text) {
        record.detail = Some(format!("{other}: {text}"));
    }
    if let Some((_, number)) = record.id.as_deref().and_then(|id| id.rsplit_once('.')) {
        let BySide { first, second } = &record.players;
        record.id = Some(format!("{}.{number}", pairing_name(first, second)));
    }
}

/// What stands for a name in text that a bot may have written. Its alias would tell which name it
/// belongs to.
const SOME_BOT: &str = "(…)";

impl Anonymizer {
    /// Where names are published: hides these folders, with what stands for each.
    #[must_use]
    pub fn new(folders: impl IntoIterator<Item = (String, &'static str)>) -> Anonymizer {
        // The root `/` is left out: replacing it would change every path.
        let mut folders: Vec<_> =
            folders.into_iter().filter(|(folder, _)| folder.len() > 1).collect();
        folders.sort_by(|(one, _), (other, _)| {
            other.len().cmp(&one.len()).then_with(|| one.cmp(other))
        });
        folders.dedup_by(|(one, _), (other, _)| one == other);
        Anonymizer { folders, hidden: None }
    }

    /// Where names are aliases: hides these names too.
    #[must_use]
    pub fn hiding(
        names: impl IntoIterator<Item = String>,
        folders: impl IntoIterator<Item = (String, &'static str)>,
    ) -> Anonymizer {
        let names: Vec<String> = names.into_iter().collect();
        Anonymizer { hidden: Some(BotNames::new(names.iter())), ..Anonymizer::new(folders) }
    }

    /// What a bot is called beside its name; none if names are aliases.
    #[must_use]
    pub fn display_name(&self, name: &str) -> Option<Public<String>> {
        self.hidden.is_none().then(|| Public(name.to_owned()))
    }

    /// Changes nothing: for logs that the user names, and for games of the user's own bots.
    #[must_use]
    pub fn unchanged() -> Anonymizer {
        Anonymizer::default()
    }

    /// What the author of the bot of this public name may see, whose page calls it `shown`.
    #[must_use]
    pub fn for_author<'a>(&'a self, name: &'a str, shown: &'a str) -> AuthorAnonymizer<'a> {
        AuthorAnonymizer { all: self, name, shown }
    }

    /// The public name of a bot.
    #[must_use]
    pub fn name(&self, name: &str) -> Public<String> {
        Public(name.to_owned())
    }

    /// The public id of a game.
    #[must_use]
    pub fn id(&self, id: &str) -> Public<String> {
        Public(id.to_owned())
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
        match &self.hidden {
            Some(names) => names.replaced(text, SOME_BOT),
            None => text.to_owned(),
        }
    }

    /// The sentence about the end of a game, which begins with the public name of the bot that it
    /// is about and may quote it.
    #[must_use]
    pub fn detail(&self, players: &BySide<String>, outcome: Outcome, detail: &str) -> String {
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
                (&text[..at], format!("{other}{more}"))
            }
            _ => (text, String::new()),
        };
        format!("{name}: {}{more}", self.text_by_bot(text))
    }

    /// A message without names in what an author may have written. Folders are the reader's own.
    #[must_use]
    pub fn message(&self, message: &Message) -> Public<String> {
        Public(message.shown(str::to_owned, str::to_owned, |text| self.quoted(text)))
    }

    /// The same without the folders.
    #[must_use]
    pub fn message_without_folders(&self, message: &Message) -> Public<String> {
        Public(self.without_folders(&self.message(message)))
    }

    /// A digest that others may see: none if names are aliases, because the files of a bot
    /// give it away.
    #[must_use]
    pub fn digest(&self, digest: Option<&String>) -> Option<Public<String>> {
        digest.filter(|_| self.hidden.is_none()).cloned().map(Public)
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
        if self.hidden.is_none() {
            return record;
        }
        let is_own = record.players.as_ref().map(|name| reader == Some(name));
        let sides: Vec<Side> =
            reader.map_or_else(Vec::new, |_| record.steps().map(|step| step.side).collect());
        let mut sides = sides.into_iter(); // of the plies to the first illegal one
        for played in &mut record.plies {
            let spoke = sides.next().is_some_and(|side| is_own[side]);
            self.mask(&mut played.note, spoke);
        }
        let has_lost = record.outcome.loser().is_some_and(|loser| is_own[loser]);
        self.mask(&mut record.reply, has_lost);
        record.seed = None;
        for side in Side::BOTH {
            record.digests[side] = record.digests[side].take().filter(|_| is_own[side]);
        }
        record
    }

    /// Leaves out what a bot said, or the names of bots in it if `stays`.
    fn mask(&self, note: &mut Option<Note>, stays: bool) {
        let Some(note) = note else { return };
        if !stays {
            note.text.clear();
            return;
        }
        let text = String::from_utf8_lossy(&note.text);
        let quoted = self.quoted(&text);
        // Bytes that are no text stay as they are.
        if quoted != text {
            note.text = quoted.into_bytes();
        }
    }

    /// Points and counts.
    #[must_use]
    pub fn standings(&self, standings: Standings) -> Public<Standings> {
        Public(standings)
    }

    /// A bot that is not scheduled, without its own name and its folder.
    #[must_use]
    pub fn absentee(&self, bot: &Absentee) -> Public<Absentee> {
        let reason = one_line(&self.text_by_bot(&bot.reason).0);
        Public(Absentee { private: None, reason, folder: None, ..bot.clone() })
    }

    #[must_use]
    pub fn run(&self, run: &RunEntry) -> Public<RunEntry> {
        let mut run = run.clone();
        for bot in &mut run.bots {
            bot.digest = self.digest(bot.digest.as_ref()).map(|digest| digest.0);
        }
        Public(run)
    }

    /// What happens in a game of these players.
    #[must_use]
    pub fn event(&self, event: Event, players: &BySide<String>) -> Public<Event> {
        Public(match event {
            Event::Ended { outcome, detail, reply } => {
                let detail = detail.map(|detail| self.detail(players, outcome, &detail));
                Event::Ended { outcome, detail, reply }
            }
            event => event,
        })
    }
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
    fn no_name_is_left_in_what_a_bot_wrote() {
        let log = b"[White \"bot-b\"] [Black \"bot-a\"] [Result \"1-0\"] [Game \"loa\"] [Outcome \"forfeit\"] [GameId \"bot-a~bot-b.12\"]
            [Termination \"illegal-move\"] [Detail \"bot-a: /srv/zed/bot said a9, alice; zedd\"] 1. a2c4 {0.1s alice was here} c0b1 {0.5s} {0.1s zed a9} 1-0";
        let record = read_log(log).next().unwrap().unwrap();
        let names = ["alice", "zed"].map(str::to_owned);
        let anonymizer =
            Anonymizer::hiding(names, ["/srv/zed", "/"].map(|folder| (folder.to_owned(), ".")));
        let public = anonymizer.record(record.clone()).to_string();
        assert!(!public.contains("alice") && !public.contains("zed"), "{public}");
        assert!(public.contains("[Detail \"bot-a: ./bot said a9, (…); (…)d\"]"), "{public}");
        assert_eq!(*Anonymizer::unchanged().record(record.clone()), record);
        // The author's page has the own name of the bot where arbiter says it, and its last answer.
        let author = anonymizer.for_author("bot-a", "zed").record(record).to_string();
        assert!(author.contains("[GameId \"bot-b~zed.12\"]"), "{author}");
        assert!(author.contains("[Detail \"zed: ./bot said a9, (…); (…)d\"]"), "{author}");
        let said = author.contains("(\\xe2\\x80\\xa6) was here") && author.contains(" a9}");
        assert!(author.contains("[Black \"zed\"]") && said, "{author}");
        let message = Message::default().bot("bot-a").own(" changed (").quoted("alice zed");
        assert_eq!(*anonymizer.message(&message), "bot-a changed ((…) (…)");
        // A name of a file or of a person is mostly the name of the bot with something beside it,
        // or in other capitals.
        let said = "Zed ZED alice_bot.py, my-alice.py, zedd, 2alice";
        assert_eq!(*anonymizer.text_by_bot(said), "(…) (…) (…)_bot.py, my-(…).py, (…)d, 2(…)");
    }
}
