//! What bots are called in public. It is decided once: as soon as the key of a run is known, before
//! its bots are built and before anything is said of them.
//!
//! ```
//! use arbiter_cup::tournament::PublicNames;
//! use arbiter_rules::seed::SecretKey;
//! let aliases = PublicNames::Aliases(SecretKey::new(b"of the run"));
//! assert!(aliases.name("conny").starts_with("bot-"));
//! assert_eq!(PublicNames::Names.name("conny"), "conny");
//! ```

use arbiter_config::{Config, Names};
use arbiter_game::game_id::{game_id, names_in, parts_of};
use arbiter_rules::seed::{Generator, SecretKey};

/// The names by which others know the bots of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublicNames {
    /// Their own.
    Names,
    /// Aliases, which cannot be traced to the names without this key.
    Aliases(SecretKey),
}

impl PublicNames {
    /// Those of a tournament that publishes `names` and has this key. Without a key aliases still
    /// hide the names, but nobody may read them: they can be guessed.
    #[must_use]
    pub fn of(names: Names, key: Option<SecretKey>) -> PublicNames {
        match names {
            Names::Name => PublicNames::Names,
            Names::Alias => PublicNames::Aliases(key.unwrap_or_else(|| SecretKey::new(b""))),
        }
    }

    /// The public name of the bot of this name. It depends on this bot alone, so later bots do not
    /// change it.
    #[must_use]
    pub fn name(&self, name: &str) -> String {
        match self {
            PublicNames::Names => name.to_owned(),
            PublicNames::Aliases(key) => {
                let mut generator = Generator::new(&[&"alias", &key.secret_text(), &name]);
                format!("bot-{:08x}", generator.next_u64() >> 32)
            }
        }
    }

    /// Gives a bot its public name, and keeps its own one beside it if that is another.
    pub fn give(&self, name: &mut String, private: &mut Option<String>) {
        let own = private.take().unwrap_or_else(|| name.clone());
        *name = self.name(&own);
        *private = (own != *name).then_some(own);
    }

    /// The public ids that a user may mean by this one: each of its names is that of a bot, or
    /// already a public one. A text that is no id is itself.
    #[must_use]
    pub fn ids(&self, typed: &str) -> Vec<String> {
        let Some(((one, other), (_, number))) = names_in(typed).zip(parts_of(typed)) else {
            return vec![typed.to_owned()];
        };
        let mut ids = Vec::new();
        for one in [one.to_owned(), self.name(one)] {
            for other in [other.to_owned(), self.name(other)] {
                ids.push(game_id(&one, &other, number));
            }
        }
        ids
    }

    /// The configuration with the public names of the bots that it names. What finds programs, such
    /// as the names of folders, is left as it is.
    #[must_use]
    pub fn config(&self, config: &Config) -> Config {
        let mut public = config.clone();
        if !self.are_aliases() {
            return public;
        }
        for bot in &mut public.bots {
            bot.name = self.name(&bot.name);
        }
        for step in &mut public.milestones.steps {
            *step = self.name(step);
        }
        for (name, _) in &mut public.ratings.anchors {
            *name = self.name(name);
        }
        for expected in &mut public.expect {
            expected.bot = self.name(&expected.bot);
        }
        // Their order is published, and that of the file would tell which alias is whose.
        public.ratings.anchors.sort_by(|(one, _), (other, _)| one.cmp(other));
        public.expect.sort_by(|one, other| one.bot.cmp(&other.bot));
        public.display_names.clear();
        for (name, shown) in &config.display_names {
            public.display_names.insert(self.name(name), shown.clone());
        }
        public
    }

    /// Whether names are hidden.
    #[must_use]
    pub fn are_aliases(&self) -> bool {
        matches!(self, PublicNames::Aliases(_))
    }
}
