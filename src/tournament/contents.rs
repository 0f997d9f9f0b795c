//! What a journal contains: a fold over its entries.

use super::entries::{Entrant, JournalEntry, JournalHead, RunEntry};
use super::games::GameIndex;
use crate::content::sha256;
use std::collections::{BTreeSet, HashMap};

/// What a journal contains.
#[derive(Debug, Default)]
pub struct JournalContents {
    /// Its newest head; none if the journal is empty, as after a crash.
    pub head: Option<JournalHead>,
    /// Its games.
    pub games: GameIndex,
    /// Its runs, the oldest first.
    pub runs: Vec<RunEntry>,
    /// Each bot that was ever scheduled, as it was last.
    entrants: HashMap<String, Entrant>,
    /// The names of every roster, in its order; each order once.
    rosters: BTreeSet<Vec<String>>,
    /// The number of heads.
    heads: usize,
    /// Since when each bot is known.
    since: HashMap<String, Seniority>,
}

/// Since when a journal knows a bot: the number of the head that first schedules it, and of the first that names it at
/// all. Who is less was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seniority {
    scheduled: usize,
    named: usize,
}

impl Seniority {
    /// That of a bot that is not known yet.
    pub const NEW: Seniority = Seniority { scheduled: usize::MAX, named: usize::MAX };
}

impl JournalContents {
    /// Adds the entry at this position of the journal.
    pub fn add(&mut self, place: u64, entry: JournalEntry) {
        match entry {
            JournalEntry::Head(head) => {
                self.rosters.insert(head.names());
                for name in head.names() {
                    let since = self.since.entry(name).or_insert(Seniority::NEW);
                    since.scheduled = since.scheduled.min(self.heads);
                }
                for absent in &head.absent {
                    let since = self.since.entry(absent.name.clone()).or_insert(Seniority::NEW);
                    since.named = since.named.min(self.heads);
                }
                self.heads += 1;
                self.games.add_roster(&head.roster);
                self.entrants.extend(head.roster.iter().map(|bot| (bot.name.clone(), bot.clone())));
                self.head = Some(head);
            }
            JournalEntry::Game(game) => self.games.add(place, game.summary()),
            JournalEntry::Run(run) => self.runs.push(run),
        }
    }

    /// A bot that was scheduled, as it was when it last was.
    #[must_use]
    pub fn entrant(&self, name: &str) -> Option<&Entrant> {
        self.entrants.get(name)
    }

    /// A bot as a new version, with a digest of its own, if it has a content that it had before another one. The content
    /// that it had last is no new version, also after nights without it.
    #[must_use]
    pub fn as_version(&self, bot: Entrant) -> Entrant {
        let Some(digest) = &bot.digest else { return bot };
        let is_last = match self.entrants.get(&bot.name) {
            Some(last) => last.digest.as_ref() == Some(digest),
            None => self.games.versions(&bot.name) == 1, // a merged journal names only the bots of its last run
        };
        if is_last {
            return bot;
        }
        let returns = (1_u32..).map(|number| sha256(format!("{digest}\nrestored {number}").as_bytes()));
        let mut digests = std::iter::once(digest.clone()).chain(returns);
        let digest = digests.find(|digest| !self.games.has_version(&bot.name, digest));
        Entrant { digest, ..bot }
    }

    /// Since when a bot is known.
    #[must_use]
    pub fn seniority(&self, name: &str) -> Seniority {
        self.since.get(name).copied().unwrap_or(Seniority::NEW)
    }

    /// An earlier roster in which two of these bots stood in another order, if there is one.
    #[must_use]
    pub fn other_order(&self, names: &[String]) -> Option<&[String]> {
        let place: HashMap<&String, usize> =
            names.iter().enumerate().map(|(place, name)| (name, place)).collect();
        let differs = |roster: &&Vec<String>| !roster.iter().filter_map(|name| place.get(name)).is_sorted();
        self.rosters.iter().find(differs).map(Vec::as_slice)
    }
}
