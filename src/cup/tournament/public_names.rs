//! What bots are called in public. It is decided once: as soon as the key of a run is known, before
//! its bots are built and before anything is said of them.
//!
//! ```
//! use arbiter_cup::tournament::PublicNames;
//! use arbiter_rules::seed::SecretKey;
//! let aliases = PublicNames::Aliases(SecretKey::new(b"of the run"));
//! assert_eq!(aliases.name("conny"), "smooth-platypus-37e5");
//! assert_eq!(PublicNames::Names.name("conny"), "conny");
//! ```

use super::alias_words::{ADJECTIVES, ANIMALS};
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
    pub fn of(names: Names, key: Option<SecretKey>) -> PublicNames {
        match names {
            Names::Name => PublicNames::Names,
            Names::Alias => PublicNames::Aliases(key.unwrap_or_else(|| SecretKey::new(b""))),
        }
    }

    /// The public name of the bot of this name. It depends on this bot alone, so later bots do not
    /// change it. Two bots have the same one with a probability of 2^-30; then one does not play.
    pub fn name(&self, name: &str) -> String {
        match self {
            PublicNames::Names => name.to_owned(),
            PublicNames::Aliases(key) => {
                let mut generator = Generator::new(&[&"alias", &key.secret_text(), &name]);
                alias(generator.next_u64())
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
    pub fn ids(&self, typed: &str) -> Vec<String> {
        let Some(((one, other), (_, number))) = names_in(typed).zip(parts_of(typed)) else {
            return vec![typed.to_owned()];
        };
        let mut ids = Vec::new();
        for first in [one.to_owned(), self.name(one)] {
            for second in [other.to_owned(), self.name(other)] {
                ids.push(game_id(&first, &second, number));
            }
        }
        ids
    }

    /// The configuration with the public names of the bots that it names. What finds programs, such
    /// as the names of folders, is left as it is.
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
    pub fn are_aliases(&self) -> bool {
        matches!(self, PublicNames::Aliases(_))
    }
}

/// The alias that random bits make: `quiet-otter-7f3a`. Two words and four digits have 30 bits.
fn alias(bits: u64) -> String {
    let adjective = ADJECTIVES[(bits >> 57) as usize];
    let animal = ANIMALS[(bits >> 50) as usize % ANIMALS.len()];
    format!("{adjective}-{animal}-{:04x}", (bits >> 34) & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rank::schedule::is_bot_name;
    use std::collections::BTreeSet;

    #[test]
    fn an_alias_has_thirty_bits_and_is_the_name_of_a_bot() {
        assert_eq!(alias(0), "airy-alpaca-0000");
        assert_eq!(alias(u64::MAX), "zippy-zebra-ffff");
        let mut different = BTreeSet::new();
        for bit in 34..64 {
            let alias = alias(1 << bit);
            assert!(is_bot_name(&alias), "{alias}");
            different.insert(alias);
        }
        assert_eq!(different.len(), 30);
        for words in [ADJECTIVES, ANIMALS] {
            assert!(words.is_sorted() && words.iter().all(|word| word.len() <= 8), "{words:?}");
            assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len());
        }
    }
}
