//! What a journal contains: a fold over its entries.

use super::entries::{Entrant, JournalEntry, JournalHead, RunEntry};
use super::games::GameIndex;
use arbiter_game::content::sha256;
use std::collections::{BTreeSet, HashMap};

/// What a journal contains.
#[derive(Debug, Default)]
pub struct JournalContents {
    /// Its newest head; `None` if the journal is empty, as after a crash.
    pub head: Option<JournalHead>,
    pub games: GameIndex,
    /// Its runs, the oldest first.
    pub runs: Vec<RunEntry>,
    /// Each bot that was ever scheduled, as it was last.
    entrants: HashMap<String, Entrant>,
    /// The public name that a bot was last scheduled by, by its own name in small letters.
    last_names: HashMap<String, String>,
    /// The own names of all bots that a head ever named.
    pub private_names: BTreeSet<String>,
    /// The names of every roster, in its order; each order once.
    rosters: BTreeSet<Vec<String>>,
    /// The number of heads.
    heads: usize,
    /// Since when each bot is known, by its own name and its `[[bots]]` folder; without a folder
    /// from journals that name none.
    since: HashMap<(String, Option<String>), Seniority>,
}

/// Since when a journal knows a bot: the number of the head that first schedules it, and of the
/// first that names it at all. The lesser of two bots was there before the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seniority {
    scheduled: usize,
    named: usize,
}

impl Seniority {
    /// That of a bot that is not known yet.
    const NEW: Seniority = Seniority { scheduled: usize::MAX, named: usize::MAX };

    /// Whether the bot was ever scheduled.
    pub fn is_scheduled(&self) -> bool {
        self.scheduled < usize::MAX
    }
}

impl JournalContents {
    /// Adds the entry at this position of the journal.
    pub fn add(&mut self, place: u64, entry: JournalEntry) {
        match entry {
            JournalEntry::Head(head) => {
                self.rosters.insert(head.names());
                self.meet(&head);
                self.games.add_roster(&head.roster);
                for bot in &head.roster {
                    self.entrants.insert(bot.name.clone(), bot.clone());
                    let own = bot.private_name().to_ascii_lowercase();
                    self.last_names.insert(own, bot.name.clone());
                }
                self.head = Some(head);
            }
            JournalEntry::Game(game) => self.games.add(place, game.summary()),
            JournalEntry::Run(run) => self.runs.push(run),
        }
    }

    /// Records who is named in a head: one of this journal, or that of another run of the
    /// tournament.
    pub fn meet(&mut self, head: &JournalHead) {
        self.private_names.extend(head.private_names());
        for bot in &head.roster {
            let name = bot.private_name().to_owned();
            let known = (name.clone(), bot.folder.clone());
            // What a journal without folders knows of a name, it knows of the bot that plays under
            // this name after it.
            let new = Seniority { scheduled: self.heads, named: usize::MAX };
            let before = self.since.remove(&(name, None)).unwrap_or(new);
            let since = self.since.entry(known).or_insert(Seniority::NEW);
            since.scheduled = since.scheduled.min(before.scheduled);
            since.named = since.named.min(before.named);
        }
        for absent in &head.absent {
            let known = (absent.private_name().to_owned(), absent.folder.clone());
            let since = self.since.entry(known).or_insert(Seniority::NEW);
            since.named = since.named.min(self.heads);
        }
        self.heads += 1;
    }

    /// A bot that was scheduled, by its public name, as it was when it last was.
    pub fn entrant(&self, name: &str) -> Option<&Entrant> {
        self.entrants.get(name)
    }

    /// The own names of all bots that were ever scheduled.
    pub fn scheduled_names(&self) -> impl Iterator<Item = &str> {
        let known = self.since.iter().filter(|(_, since)| since.is_scheduled());
        known.map(|((name, _), _)| &**name)
    }

    /// A bot as a new version, with a digest of its own, if it has a content that it had before
    /// another one, or before its name was written otherwise (only case differs). The content that
    /// it had last is no new version, also after nights without it.
    pub fn as_version(&self, bot: Entrant) -> Entrant {
        let Some(digest) = &bot.digest else { return bot };
        let own = bot.private_name();
        let is_last = match self.last_names.get(&own.to_ascii_lowercase()) {
            Some(last) if *last == bot.name => {
                self.entrants.get(last).is_some_and(|last| last.digest.as_ref() == Some(digest))
            }
            Some(_) => false,
            // A merged journal names only the bots of its last run.
            None => self.games.versions(own) == 1,
        };
        if is_last {
            return bot;
        }
        // The first digest that this bot never had, which is that of the content unless it had the
        // content before.
        let mut version = digest.clone();
        for number in 1.. {
            if !self.games.has_version(own, &version) {
                break;
            }
            version = sha256(format!("{digest}\nrestored {number}").as_bytes());
        }
        Entrant { digest: Some(version), ..bot }
    }

    /// Since when the submission of this own name in this `[[bots]]` folder is known.
    pub fn seniority(&self, name: &str, folder: &str) -> Seniority {
        let mut least = Seniority::NEW;
        for listed_in in [Some(folder.to_owned()), None] {
            if let Some(&known) = self.since.get(&(name.to_owned(), listed_in)) {
                least = least.min(known);
            }
        }
        least
    }

    /// These bots in this order, except that bots of an earlier roster keep the order that they had
    /// there, because the sides of games follow from it. `None` if earlier rosters contradict each
    /// other.
    pub fn in_known_order(&self, bots: &[Entrant]) -> Option<Vec<Entrant>> {
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (place, bot) in bots.iter().enumerate() {
            places.insert(&bot.name, place);
        }
        // A topological sort: of each roster every bot comes after the one before it, and of the
        // bots that wait for none the first one of `bots` is next.
        let mut after: BTreeSet<(usize, usize)> = BTreeSet::new();
        for roster in &self.rosters {
            let mut before = None;
            for name in roster {
                let Some(&place) = places.get(&**name) else { continue };
                if let Some(before) = before.replace(place) {
                    after.insert((before, place));
                }
            }
        }
        let mut waits_for = vec![0; bots.len()];
        for &(_, later) in &after {
            waits_for[later] += 1;
        }
        let mut free: BTreeSet<usize> = (0..bots.len()).filter(|&at| waits_for[at] == 0).collect();
        let mut order = Vec::new();
        while let Some(next) = free.pop_first() {
            order.push(bots[next].clone());
            for &(_, later) in after.range((next, 0)..(next + 1, 0)) {
                waits_for[later] -= 1;
                if waits_for[later] == 0 {
                    free.insert(later);
                }
            }
        }
        (order.len() == bots.len()).then_some(order)
    }
}
