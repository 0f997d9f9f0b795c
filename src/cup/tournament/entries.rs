//! The entries of a journal (src/play/store/journal.md), without their form in a file.

use super::public_names::PublicNames;
use super::shard::Shard;
use arbiter_config::{Config, ConfigErrors, Names};
use arbiter_game::content::Content;
use arbiter_game::game_id::{game_id, names_in, parts_of};
use arbiter_rank::schedule::Bots;
use arbiter_rules::own::OwnDefinition;
use arbiter_rules::seed::SecretKey;
use arbiter_rules::{RulesFault, Ruleset};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version that this program writes and reads.
pub const JOURNAL_VERSION: u32 = 5;

/// The head of a journal: the tournament and its bots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHead {
    /// [`JOURNAL_VERSION`].
    pub v: u32,
    pub name: String,
    /// The hash of everything that decides games.
    pub fingerprint: String,
    /// The text of the configuration.
    pub config: String,
    /// The keys that decide games and their values, so that a message can name a difference.
    pub deciding: Vec<(String, String)>,
    /// The bots that are scheduled, in the order in which they are published.
    pub roster: Vec<Entrant>,
    /// The permanent number of every bot that ever joined the league, by its name, from 1 and never
    /// given twice: sides follow from them. `None` in the other formats, and in leagues that were
    /// begun by versions without numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<BTreeMap<String, u32>>,
    /// The bots that are not scheduled, with the reasons, in the order of their public names.
    pub absent: Vec<Absentee>,
    /// Whether games count that were played with an earlier content of a bot, where there is no
    /// other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_changed: bool,
    /// The shard whose games the journal has; `None` if it has all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The rules of a custom game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<RecordedRules>,
    /// The secret from which aliases, and what bots are sent of a game, follow where names are not
    /// published, and the names of the pages of authors; none in journals that need none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<SecretKey>,
    /// The own names of the bots by which this tournament was seeded, the best first; those that
    /// the folder of `[schedule] seeds` had when it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Vec<String>>,
    /// The results elsewhere that the games from here on were chosen by, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<PreviousResults>,
}

impl JournalHead {
    /// The names of the bots that are scheduled.
    pub fn names(&self) -> Vec<String> {
        self.roster.iter().map(|bot| bot.name.clone()).collect()
    }

    /// The bots that are scheduled.
    pub fn bots(&self) -> Bots {
        Bots::numbered(self.names(), self.roster_numbers())
    }

    /// The numbers of the bots that are scheduled. `None` also if one is missing, as in a journal
    /// that another program wrote: then sides are those of a league without numbers.
    fn roster_numbers(&self) -> Option<Vec<u32>> {
        let known = self.numbers.as_ref()?;
        let mut numbers = Vec::new();
        for bot in &self.roster {
            numbers.push(*known.get(&bot.name)?);
        }
        Some(numbers)
    }

    /// What others call the bots of this tournament.
    pub fn public_names(&self) -> PublicNames {
        PublicNames::of(self.published_names().unwrap_or(Names::Alias), self.key.clone())
    }

    /// The public names of all bots with their own ones, those that do not play included.
    pub fn known_names(&self) -> impl Iterator<Item = (&str, &str)> {
        let scheduled = self.roster.iter().map(|bot| (&*bot.name, bot.private_name()));
        scheduled.chain(self.absent.iter().map(|bot| (&*bot.name, bot.private_name())))
    }

    /// The own names of all bots, those that do not play included.
    pub fn private_names(&self) -> impl Iterator<Item = String> {
        self.known_names().map(|(_, own)| own.to_owned())
    }

    /// The public name of the bot that a user means, by its own name or the public one.
    pub fn public_name(&self, typed: &str) -> Option<&str> {
        let mut found = None;
        for (public, private) in self.known_names() {
            // Own names first: one author may have called a bot as the alias of another one.
            if private == typed {
                return Some(public);
            }
            if public == typed {
                found = Some(public);
            }
        }
        found
    }

    /// The public id of the game that a user means, by the own names of its bots or the public
    /// ones.
    pub fn public_id(&self, typed: &str) -> String {
        let Some(((one, other), (_, number))) = names_in(typed).zip(parts_of(typed)) else {
            return typed.to_owned();
        };
        let one = self.public_name(one).unwrap_or(one);
        let other = self.public_name(other).unwrap_or(other);
        game_id(one, other, number)
    }

    /// How the journal's configuration publishes the names of bots; `None` if it cannot be read.
    pub fn published_names(&self) -> Option<Names> {
        Some(self.configuration().ok()?.publish.names)
    }

    /// Reads the configuration. The rules of a custom game need not be there.
    ///
    /// # Errors
    /// As for [`Config::parse`].
    pub fn configuration(&self) -> Result<Config, ConfigErrors> {
        Config::parse_told(&self.config, self.ruleset().as_ref())
    }

    pub(super) fn ruleset(&self) -> Option<Ruleset> {
        self.rules.as_ref().and_then(RecordedRules::ruleset)
    }
}

/// What has to be known of the rules of a custom game to read a journal without them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedRules {
    pub game: String,
    /// Its name in texts for people.
    pub title: String,
    /// The file, without the folders above it.
    pub file: String,
    /// The first hex digits of the digest of its content.
    pub digest: String,
    /// Each option with its value.
    pub options: Vec<(String, String)>,
    /// The board, as the tag `Board` of a log has it.
    pub board: String,
}

impl RecordedRules {
    /// Those of this ruleset; `None` if it is a built-in one.
    pub(super) fn of(ruleset: &Ruleset) -> Option<RecordedRules> {
        let game = ruleset.game();
        let rules = game.rules_file()?;
        let options = ruleset.options().into_iter();
        Some(RecordedRules {
            game: game.name().to_owned(),
            title: game.title().to_owned(),
            file: rules.file.to_owned(),
            digest: rules.digest.to_owned(),
            options: options.map(|(key, value)| (key.to_owned(), value)).collect(),
            board: ruleset.layout()?.to_string(),
        })
    }

    /// The ruleset without its rules, which a journal does not have. `None` if the record
    /// contradicts itself.
    fn ruleset(&self) -> Option<Ruleset> {
        let RecordedRules { game, title, file, digest, options, board } = self;
        let told = OwnDefinition::told(game, file, digest, options.clone(), board.parse().ok()?);
        Ruleset::own(OwnDefinition { title: title.clone(), ..told }).ok()
    }
}

/// A bot that is scheduled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// What others call it.
    pub name: String,
    /// Its own name, if others may not see that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<String>,
    /// The part of its configuration that decides how it plays.
    pub program: String,
    /// The digest of its content, or of a version that has it anew; `None` in journals of version
    /// 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// A summary of its content, so that a message can say what changed; `None` in journals of
    /// version 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// Files in its folder that its build or the bot itself made, which do not belong to its
    /// content. What the build made has its SHA-256; what the bot made has none, because it may
    /// change at any time.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub products: BTreeMap<String, Option<String>>,
    /// The `[[bots]]` folder that it was found in, as the configuration names it; `None` for a
    /// `[[bot]]`, and in journals of earlier versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The name that its `bot.toml` gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
}

impl Entrant {
    /// A bot of this content, as it was before its build, which made `products`. Of one that is
    /// known from before, files that its build or the bot made meanwhile do not count as changes:
    /// if all else is the same, so is its digest. But what the build made and another program has
    /// changed since is content.
    pub fn new(
        name: String,
        program: String,
        content: &Content,
        mut products: BTreeMap<String, Option<String>>,
        earlier: Option<&Entrant>,
    ) -> Entrant {
        // With another build, what the old one made is made no more.
        if let Some(Entrant { content: Some(old), products: made_before, .. }) = earlier
            && old.build == content.build
        {
            for (path, made) in made_before {
                if !products.contains_key(path) && is_as_made(content, path, made.as_ref()) {
                    products.insert(path.clone(), made.clone());
                }
            }
        }
        let names: BTreeSet<String> = products.keys().cloned().collect();
        let written = content.without(&names);
        let summary = written.summary();
        let (digest, kept) = match earlier {
            // Earlier journals have whole lists of files, so summaries are compared.
            Some(Entrant { digest: Some(digest), content: Some(before), .. })
                if before.without(&names).summary() == summary =>
            {
                (digest.clone(), before.summary())
            }
            _ => (written.digest(), summary),
        };
        Entrant {
            name,
            private: None,
            program,
            digest: Some(digest),
            content: Some(kept),
            products,
            folder: None,
            display: None,
        }
    }

    /// Its own name, by which its author and the organiser know it.
    pub fn private_name(&self) -> &str {
        self.private.as_deref().unwrap_or(&self.name)
    }

    /// The bot as others call it by these names.
    pub fn named(mut self, names: &PublicNames) -> Entrant {
        names.give(&mut self.name, &mut self.private);
        self
    }
}

/// Whether a file of a content is as a build `made` it, if it is there; of a file that the bot made
/// nothing is known.
fn is_as_made(content: &Content, path: &str, made: Option<&String>) -> bool {
    let Some(made) = made else { return true };
    content.files.iter().all(|file| file.path != path || file.sha256 == *made)
}

/// A bot that cannot be scheduled.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Absentee {
    /// What others call it.
    pub name: String,
    /// Its own name, if others may not see that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<String>,
    pub reason: String,
    /// Its `[[bots]]` folder, as that of an [`Entrant`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Whether the organiser leaves it out, so that its author has nothing to mend.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub excluded: bool,
}

impl Absentee {
    /// Its own name, by which its author and the organiser know it.
    pub fn private_name(&self) -> &str {
        self.private.as_deref().unwrap_or(&self.name)
    }

    /// The bot as others call it by these names.
    pub fn named(mut self, names: &PublicNames) -> Absentee {
        names.give(&mut self.name, &mut self.private);
        self
    }
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedGame {
    pub id: String,
    /// Which attempt at it this was, from 1.
    pub attempt: u32,
    /// Its round, from 1.
    pub round: u32,
    /// The number of its pair; `None` for a single game.
    pub pair: Option<u64>,
    /// The digests of the two bots, in the order of their names in the id.
    pub digests: [String; 2],
    pub log: String,
    /// The end of the loser's standard error, made printable; it is for the bot's author alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// How many lines of it came after the bot had last been asked for a ply; `None` if it never
    /// was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_last: Option<usize>,
    /// How the rules of the game failed, if that aborted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<RulesFault>,
}

/// A line of the journal. The head alone has the names of bots where these are not published, and
/// the key that leads to them; all other entries, and the ids in them, have the public names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum JournalEntry {
    /// The first line, and a further line when the roster has changed; it is valid from there on.
    Head(JournalHead),
    /// A finished game.
    Game(RecordedGame),
    /// The end of a run that played or changed anything.
    Run(RunEntry),
}

/// A run of a tournament, and what it led to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunEntry {
    /// When it ended, in the form of RFC 3339.
    pub time: String,
    /// The games that it played.
    pub games: u64,
    /// The bots that were scheduled, in the order of the roster.
    pub bots: Vec<RunBot>,
}

/// A bot in a run, and its rating after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunBot {
    pub name: String,
    /// The digest of its content.
    pub digest: Option<String>,
    /// Its rating in Elo, after the run.
    pub rating: Option<f64>,
    /// The lower bound of the rating.
    pub low: Option<f64>,
    /// The upper bound of the rating.
    pub high: Option<f64>,
}

/// The results that the games of a stage were chosen by.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PreviousResults {
    /// The number of games before it.
    pub games: u64,
    /// The hash of their results, in schedule order; empty if there are none.
    pub sha256: String,
}
