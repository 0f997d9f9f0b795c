//! What a bot consists of: its command, its build, its environment, its protocol and its files, and the
//! digest that identifies them (tournaments.md, Content of bots).
//!
//! ```
//! use arbiter::content::{Content, ContentFile};
//! let file = ContentFile::new("bot.py", true, "5d41…");
//! let alice = Content { command: vec!["python3".into(), "bot.py".into()], files: vec![file], ..Content::default() };
//! let mut edited = alice.clone();
//! edited.files[0].sha256 = "7d79…".into();
//! assert_ne!(alice.digest(), edited.digest());
//! assert_eq!(edited.differences(&alice), ["bot.py"]);
//! ```

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the built-in bots' algorithms. A test in `builtin` fails when one of them plays otherwise; then this
/// number is raised, so that their old games do not count for the new ones.
pub const BUILTIN_VERSION: u32 = 1;

/// The SHA-256 of some bytes, as 64 hex digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as hex digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A digest as tags of game logs and tables have it: its first 12 hex digits (gamelog.md).
#[must_use]
pub fn short_digest(digest: &str) -> String {
    digest.chars().take(12).collect()
}

/// A file of a bot.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContentFile {
    /// Its path relative to the bot's folder, or absolute.
    pub path: String,
    /// Whether its owner may execute it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
    /// The SHA-256 of its content, as hex digits; of a link that of its text, after `link `; or `unreadable`.
    pub sha256: String,
}

impl ContentFile {
    /// A file with this content.
    pub fn new(path: impl Into<String>, executable: bool, sha256: impl Into<String>) -> ContentFile {
        ContentFile { path: path.into(), executable, sha256: sha256.into() }
    }
}

/// Everything that decides how a bot plays, as far as it is the bot's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// The words of its command; paths inside its folder are relative to that.
    pub command: Vec<String>,
    /// Its `build`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The environment that the configuration gives it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Its protocol.
    pub dialect: String,
    /// Its files, sorted by path.
    pub files: Vec<ContentFile>,
}

impl Content {
    /// The digest: the SHA-256 of the content's JSON, as 64 hex digits.
    #[must_use]
    pub fn digest(&self) -> String {
        // Serializing strings, lists and maps of strings cannot fail.
        sha256(&serde_json::to_vec(self).unwrap_or_default())
    }

    /// The same content without these files.
    #[must_use]
    pub fn without(&self, paths: &BTreeSet<String>) -> Content {
        let mut content = self.clone();
        content.files.retain(|file| !paths.contains(&file.path));
        content
    }

    /// What differs from an earlier content, in words for a message: "its command", the paths of files.
    #[must_use]
    pub fn differences(&self, earlier: &Content) -> Vec<String> {
        let settings = [
            (self.command != earlier.command, "its command"),
            (self.build != earlier.build, "its build"),
            (self.env != earlier.env, "its env"),
            (self.dialect != earlier.dialect, "its dialect"),
        ];
        let named = settings.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| what.to_owned());
        let of = |content: &Content| -> BTreeMap<String, ContentFile> {
            content.files.iter().map(|file| (file.path.clone(), file.clone())).collect()
        };
        let (now, before) = (of(self), of(earlier));
        let paths: BTreeSet<&String> = now.keys().chain(before.keys()).collect();
        let files = paths.into_iter().filter_map(|path| match (before.get(path), now.get(path)) {
            (Some(before), Some(now)) => (before != now).then(|| path.clone()),
            (None, _) => Some(format!("{path} is new")),
            (_, None) => Some(format!("{path} is gone")),
        });
        named.chain(files).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content() -> Content {
        let file = |path: &str| ContentFile::new(path, false, sha256(path.as_bytes()));
        Content {
            command: vec!["./bot".into()],
            dialect: "native".into(),
            files: vec![file("a"), file("bot")],
            ..Content::default()
        }
    }

    #[test]
    fn every_part_decides_the_digest_and_is_named() {
        let before = content();
        let change = |change: fn(&mut Content)| {
            let mut after = content();
            change(&mut after);
            assert_ne!(after.digest(), before.digest());
            after.differences(&before).join(", ")
        };
        assert_eq!(change(|c| c.command.push("-v".into())), "its command");
        assert_eq!(change(|c| c.build = Some("make".into())), "its build");
        assert_eq!(change(|c| drop(c.env.insert("LEVEL".into(), "3".into()))), "its env");
        assert_eq!(change(|c| c.dialect = "riddles".into()), "its dialect");
        assert_eq!(change(|c| c.files[1].executable = true), "bot");
        assert_eq!(change(|c| c.files[1].sha256 = sha256(b"x")), "bot");
        assert_eq!(change(|c| c.files[1].path = "but".into()), "bot is gone, but is new");
        assert_eq!(change(|c| drop(c.files.pop())), "bot is gone");
    }

    #[test]
    fn the_digest_is_that_of_earlier_versions_of_arbiter() {
        let json = serde_json::to_string(&Content { files: Vec::new(), ..content() }).unwrap();
        assert_eq!(json, r#"{"command":["./bot"],"dialect":"native","files":[]}"#);
        assert_eq!(sha256(b"hello"), "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    }

    #[test]
    fn left_out_files_decide_nothing() {
        let products = BTreeSet::from(["bot".to_owned()]);
        let mut rebuilt = content();
        rebuilt.files[1].sha256 = sha256(b"other compiler");
        assert_eq!(rebuilt.without(&products).digest(), content().without(&products).digest());
    }
}
