//! What others may see of what bots and their authors wrote. A bot has its public name by the time
//! that it comes here ([`PublicNames`](crate::tournament::PublicNames)), so names need no care; but
//! it may quote the own name of another one, and messages of interpreters name folders of the
//! organiser's machine. [`Anonymizer::clean`] removes both (docs/reference/publishing.md, Aliases):
//! when a record is made, and again when a line is shown, because a line that was recorded before a
//! bot joined can have its name.
//!
//! ```
//! use arbiter_cup::report::anonymizer::Anonymizer;
//! let anonymizer =
//!     Anonymizer::hiding(["conny".to_owned()], [("/home/prof/cup/conny".to_owned(), ".")]);
//! let public = anonymizer.clean("cannot be run: /home/prof/cup/conny/bot by ConnyBot");
//! assert_eq!(public, "cannot be run: ./bot by (…)Bot");
//! ```

use super::bot_names::BotNames;
use crate::tournament::{Absentee, RunEntry};
use arbiter_game::game_id::pairing_name;
use arbiter_game::record::Record;
use arbiter_game::{Event, Note, Outcome};
use arbiter_rules::text::{Message, one_line};
use arbiter_rules::{BySide, Side};
use std::cmp::Reverse;
use std::sync::{Arc, PoisonError, RwLock};

/// Removes from what a bot or its author wrote the own names of bots, if these are hidden, and
/// folders of the organiser's machine.
#[derive(Debug, Clone, Default)]
pub struct Anonymizer {
    /// The names that others may not see, if names are hidden.
    /// Clones share them: bots join a league while it is played.
    hidden: Option<Arc<RwLock<BotNames>>>,
    /// The folders with what stands for them, longer ones first.
    folders: Vec<(String, &'static str)>,
}

/// Gives a player of a record another name, wherever arbiter says it.
pub fn rename(record: &mut Record, name: &str, other: &str) {
    for player in [&mut record.players.first, &mut record.players.second] {
        if player == name {
            other.clone_into(player);
        }
    }
    if let Some(detail) = &record.detail
        && let Some(text) = text_about(name, detail)
    {
        record.detail = Some(format!("{other}: {text}"));
    }
    if let Some((_, number)) = record.id.as_deref().and_then(|id| id.rsplit_once('.')) {
        let BySide { first, second } = &record.players;
        record.id = Some(format!("{}.{number}", pairing_name(first, second)));
    }
}

/// What a sentence says about the bot whose name it begins with; `None` if it is not about this
/// bot.
fn text_about<'a>(name: &str, detail: &'a str) -> Option<&'a str> {
    detail.strip_prefix(name)?.strip_prefix(": ")
}

/// What stands for a name in text that a bot may have written. Its alias would tell which name it
/// belongs to.
const SOME_BOT: &str = "(…)";

impl Anonymizer {
    /// Where names are published: hides these folders, with what stands for each.
    pub fn new(folders: impl IntoIterator<Item = (String, &'static str)>) -> Anonymizer {
        // The root `/` is left out: replacing it would change every path.
        let mut folders: Vec<(String, &'static str)> =
            folders.into_iter().filter(|(folder, _)| folder.len() > 1).collect();
        // A folder inside another one is replaced first, because it is hidden as a whole.
        folders.sort_by_cached_key(|(folder, _)| (Reverse(folder.len()), folder.clone()));
        folders.dedup_by(|(one, _), (other, _)| one == other);
        Anonymizer { folders, hidden: None }
    }

    /// Where names are aliases: hides these names too.
    pub fn hiding(
        names: impl IntoIterator<Item = String>,
        folders: impl IntoIterator<Item = (String, &'static str)>,
    ) -> Anonymizer {
        Anonymizer {
            hidden: Some(Arc::new(RwLock::new(BotNames::new(names)))),
            ..Anonymizer::new(folders)
        }
    }

    /// Where names are aliases: hides exactly these names from now on, also in clones of it.
    pub fn hide_instead(&self, names: impl IntoIterator<Item = String>) {
        if let Some(hidden) = &self.hidden {
            *hidden.write().unwrap_or_else(PoisonError::into_inner) = BotNames::new(names);
        }
    }

    /// Changes nothing: for logs that the user names, and for games of the user's own bots.
    pub fn unchanged() -> Anonymizer {
        Anonymizer::default()
    }

    pub fn hides_names(&self) -> bool {
        self.hidden.is_some()
    }

    /// Text that a bot or its author may have written, without the names of bots and with the
    /// folders replaced.
    pub fn clean(&self, text: &str) -> String {
        // Folders first, as a whole: the name of a bot is often a part of its folder's name.
        let text = self.without_folders(text);
        match &self.hidden {
            // Most games have no such text, and there may be hundreds of names.
            Some(names) if !text.is_empty() => {
                names.read().unwrap_or_else(PoisonError::into_inner).replaced(&text, SOME_BOT)
            }
            _ => text,
        }
    }

    fn without_folders(&self, text: &str) -> String {
        let mut whole = text.to_owned();
        // Most texts name no folder, and there may be hundreds of folders.
        if !text.contains('/') {
            return whole;
        }
        for (folder, word) in &self.folders {
            whole = whole.replace(folder, word);
        }
        without_cut_folders(&whole, &self.folders)
    }

    /// The sentence about the end of a game, which begins with the public name of the bot that it
    /// is about and may quote it.
    pub fn detail(&self, players: &BySide<String>, outcome: Outcome, detail: &str) -> String {
        let BySide { first, second } = players;
        let separator = format!("; {second}: ");
        // Neither bot got ready, and there is a sentence about each.
        if outcome == Outcome::NeitherStarted
            && let Some(text) = text_about(first, detail)
            && let Some((text, more)) = text.rsplit_once(&separator)
        {
            return format!("{first}: {}{separator}{}", self.clean(text), self.clean(more));
        }
        for name in [first, second] {
            if let Some(text) = text_about(name, detail) {
                return format!("{name}: {}", self.clean(text));
            }
        }
        self.clean(detail)
    }

    /// A message, cleaned where it quotes.
    pub fn message(&self, message: &Message) -> String {
        message.shown(|text| self.clean(text))
    }

    /// The record that others may see. If names are aliases, comments by the bots are left out,
    /// because they may reveal who the authors are, and the run's seed, which is the same in all of
    /// its logs.
    pub fn record(&self, record: Record) -> Record {
        self.masked(record, None)
    }

    /// The record for the author of the bot of this public name, whose page calls it `shown`: with
    /// its comments.
    pub fn record_for(&self, record: Record, name: &str, shown: &str) -> Record {
        let mut record = self.masked(record, Some(name));
        rename(&mut record, name, shown);
        record
    }

    /// The record for all, or for the author of the bot `reader`, whose comments stay.
    fn masked(&self, mut record: Record, reader: Option<&str>) -> Record {
        if let Some(detail) = &mut record.detail {
            *detail = self.detail(&record.players, record.outcome, detail);
        }
        if self.hidden.is_none() {
            return record;
        }
        let is_own = record.players.as_ref().map(|name| reader == Some(name));
        // Whose turn each ply was follows from playing the log, which ends at an illegal ply: what
        // follows belongs to nobody.
        let mut sides: Vec<Side> = Vec::new();
        if reader.is_some() {
            for step in record.steps() {
                sides.push(step.side);
            }
        }
        for (number, played) in record.plies.iter_mut().enumerate() {
            let stays = sides.get(number).is_some_and(|side| is_own[*side]);
            self.mask(&mut played.note, stays);
        }
        let has_lost = record.outcome.loser().is_some_and(|loser| is_own[loser]);
        self.mask(&mut record.reply, has_lost);
        record.seed = None;
        for side in Side::BOTH {
            if !is_own[side] {
                record.digests[side] = None;
            }
        }
        record
    }

    /// Leaves out what a bot said, or cleans it if it `stays`.
    fn mask(&self, note: &mut Option<Note>, stays: bool) {
        let Some(note) = note else { return };
        if !stays {
            note.text.clear();
            return;
        }
        let text = String::from_utf8_lossy(&note.text);
        let clean = self.clean(&text);
        // Bytes that are no text stay as they are.
        if clean != text {
            note.text = clean.into_bytes();
        }
    }

    /// A bot that is not scheduled, without its own name and its folder.
    pub fn absentee(&self, bot: &Absentee) -> Absentee {
        let reason = one_line(&self.clean(&bot.reason));
        Absentee { private: None, reason, folder: None, ..bot.clone() }
    }

    /// What happens in a game of these players.
    pub fn event(&self, mut event: Event, players: &BySide<String>) -> Event {
        if let Event::Ended { outcome, detail: Some(detail), .. } = &mut event {
            *detail = self.detail(players, *outcome, detail);
        }
        event
    }

    /// An entry of the history: without digests if names are hidden, because the files of a bot
    /// give it away.
    pub fn run(&self, run: &RunEntry) -> RunEntry {
        let mut run = run.clone();
        if self.hides_names() {
            for bot in &mut run.bots {
                bot.digest = None;
            }
        }
        run
    }
}

/// Replaces what a cut has left of these folders before its mark. The names of bots in them are
/// removed with them.
fn without_cut_folders(text: &str, folders: &[(String, &'static str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (cut, _) in text.match_indices('…') {
        let head = &text[copied..cut];
        if let Some((place, word)) = cut_folder(head, folders) {
            out.push_str(&head[..place]);
            out.push_str(word);
            copied = cut;
        }
    }
    out + &text[copied..]
}

/// Where the longest beginning of a folder stands that the text ends with, and what stands for
/// that folder. A single `/` is the beginning of every folder, and says nothing.
fn cut_folder(head: &str, folders: &[(String, &'static str)]) -> Option<(usize, &'static str)> {
    for (place, _) in head.match_indices('/') {
        let rest = &head[place..];
        for (folder, word) in folders {
            if rest.len() > 1 && folder.starts_with(rest) {
                return Some((place, word));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_game::record::read_log;

    #[test]
    fn no_name_is_left_in_what_a_bot_wrote() {
        let log = b"[White \"bot-b\"] [Black \"bot-a\"] [Result \"1-0\"] [Game \"loa\"]
            [Outcome \"forfeit\"] [GameId \"bot-a~bot-b.12\"] [Termination \"illegal-move\"]
            [Detail \"bot-a: /srv/zed/bot said a9, alice; zedd\"]
            1. a2c4 {0.1s alice was here} c0b1 {0.5s} {0.1s zed a9} 1-0";
        let record = read_log(log).next().unwrap().unwrap();
        let names = ["alice", "zed"].map(str::to_owned);
        let anonymizer =
            Anonymizer::hiding(names, ["/srv/zed", "/"].map(|folder| (folder.to_owned(), ".")));
        let public = anonymizer.record(record.clone()).to_string();
        assert!(!public.contains("alice") && !public.contains("zed"), "{public}");
        assert!(public.contains("[Detail \"bot-a: ./bot said a9, (…); (…)d\"]"), "{public}");
        assert_eq!(Anonymizer::unchanged().record(record.clone()), record);
        // The author's page has the own name of the bot where arbiter says it, and its last answer.
        let author = anonymizer.record_for(record, "bot-a", "zed").to_string();
        assert!(author.contains("[GameId \"bot-b~zed.12\"]"), "{author}");
        assert!(author.contains("[Detail \"zed: ./bot said a9, (…); (…)d\"]"), "{author}");
        let said = author.contains("(\\xe2\\x80\\xa6) was here") && author.contains(" a9}");
        assert!(author.contains("[Black \"zed\"]") && said, "{author}");
        let message = Message::from("bot-a changed (").quoted("alice zed");
        assert_eq!(anonymizer.message(&message), "bot-a changed ((…) (…)");
        // A name of a file or of a person is mostly the name of the bot with something beside it,
        // or in other capitals.
        let similar = "Zed ZED alice_bot.py, my-alice.py, zedd, 2alice";
        assert_eq!(anonymizer.clean(similar), "(…) (…) (…)_bot.py, my-(…).py, (…)d, 2(…)");
    }
}
