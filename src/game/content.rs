//! What identifies a bot: the digest of its command, build, environment, protocol, clock and files
//! (docs/reference/tournaments.md, Content of bots).
//!
//! ```
//! use arbiter_game::content::{Content, ContentFile};
//! let file = ContentFile::new("bot.py", true, "5d41…");
//! let command = vec!["python3".into(), "bot.py".into()];
//! let alice = Content { command, files: vec![file], ..Content::default() };
//! let mut edited = alice.clone();
//! edited.files[0].sha256 = "7d79…".into();
//! assert_ne!(alice.digest(), edited.digest());
//! assert_eq!(edited.differences(&alice), ["bot.py"]);
//! ```

pub use arbiter_rules::seed::hex;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the built-in bots' algorithms. A test in `builtin` fails when the plies of one
/// change; then this number is raised, so that old games do not count for the new bots.
pub const BUILTIN_VERSION: u32 = 3;

/// The most files that a list in a journal has, and the most bytes of their paths: a journal has a
/// list for each bot, and a folder of models or libraries may have thousands of files.
const LISTED: usize = 256;
const LISTED_BYTES: usize = 16 << 10;

/// The SHA-256 of some bytes, as 64 hex digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The first 12 hex digits of a digest, which tags of game logs and tables show
/// (docs/reference/gamelog.md, Tags).
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
    /// The SHA-256 of its content, as hex digits. For a link, `link ` and the SHA-256 of its text;
    /// for a folder that counts as one file or is empty, `folder ` and that of its list; or
    /// `unreadable`.
    pub sha256: String,
}

impl ContentFile {
    /// A file with this content.
    pub fn new(
        path: impl Into<String>,
        executable: bool,
        sha256: impl Into<String>,
    ) -> ContentFile {
        ContentFile { path: path.into(), executable, sha256: sha256.into() }
    }
}

/// Everything about a bot itself that decides how it plays.
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
    /// The table of a program that talks to a person, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub console: Option<String>,
    /// The adapter in front of it, with the SHA-256 of the adapter's source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// Whether it runs in a copy of its folder, in which it may write.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scratch: bool,
    /// The clock that the configuration gives it alone, as a `TimeControl` tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Its files, sorted by path.
    pub files: Vec<ContentFile>,
}

impl Content {
    /// The digest: the SHA-256 of the content's JSON, as 64 hex digits.
    pub fn digest(&self) -> String {
        // Serializing strings, lists and maps of strings cannot fail.
        sha256(&serde_json::to_vec(self).unwrap_or_default())
    }

    /// The content without these files.
    pub fn without(&self, paths: &BTreeSet<String>) -> Content {
        let mut content = self.clone();
        content.files.retain(|file| !paths.contains(&file.path));
        content
    }

    /// The content with one entry for each folder that `folder` returns for the path of a file: all
    /// files in it count as one, whose digest is that of their list. Such a folder is the beginning
    /// of the path, with a `/` at its end.
    pub fn with_folded(&self, folder: impl Fn(&str) -> Option<&str>) -> Content {
        let mut folded: BTreeMap<&str, Vec<&ContentFile>> = BTreeMap::new();
        let mut files = Vec::new();
        for file in &self.files {
            match folder(&file.path) {
                Some(path) => folded.entry(path).or_default().push(file),
                None => files.push(file.clone()),
            }
        }
        for (path, inside) in folded {
            // Serializing texts cannot fail.
            let list = serde_json::to_vec(&inside).unwrap_or_default();
            files.push(ContentFile::new(path, false, format!("folder {}", sha256(&list))));
        }
        files.sort();
        Content { files, ..self.clone() }
    }

    /// The content with a list of files that is short enough to be kept for messages: if it is too
    /// long, each folder counts as one file, and if that is still too long, all files do. The
    /// digest that identifies a bot is that of its whole content.
    pub fn summary(&self) -> Content {
        if self.is_short() {
            return self.clone();
        }
        let by_folder = self.with_folded(|path| path.find('/').map(|end| &path[..=end]));
        // Not a path: `differences` shows it in a sentence, as it shows "its command".
        if by_folder.is_short() { by_folder } else { self.with_folded(|_| Some("its files")) }
    }

    fn is_short(&self) -> bool {
        let bytes: usize = self.files.iter().map(|file| file.path.len()).sum();
        self.files.len() <= LISTED && bytes <= LISTED_BYTES
    }

    /// The differences from an earlier content, in words for a message: "its command", the paths of
    /// files.
    pub fn differences(&self, earlier: &Content) -> Vec<String> {
        let settings = [
            (self.command != earlier.command, "its command"),
            (self.build != earlier.build, "its build"),
            (self.env != earlier.env, "its env"),
            (self.dialect != earlier.dialect, "its dialect"),
            (self.console != earlier.console, "its table [console]"),
            (self.adapter != earlier.adapter, "its adapter"),
            (self.scratch != earlier.scratch, "its scratch"),
            (self.time != earlier.time, "its clock"),
        ];
        let mut differences = Vec::new();
        for (differs, what) in settings {
            if differs {
                differences.push(what.to_owned());
            }
        }
        // By path, each with the file before and now.
        let mut files: BTreeMap<&str, [Option<&ContentFile>; 2]> = BTreeMap::new();
        for file in &earlier.files {
            files.entry(&file.path).or_default()[0] = Some(file);
        }
        for file in &self.files {
            files.entry(&file.path).or_default()[1] = Some(file);
        }
        for (path, [before, now]) in files {
            if before.is_none() {
                differences.push(format!("{path} is new"));
            } else if now.is_none() {
                differences.push(format!("{path} is gone"));
            } else if before != now {
                differences.push(path.to_owned());
            }
        }
        differences
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
        assert_eq!(change(|c| c.dialect = "ugi".into()), "its dialect");
        assert_eq!(change(|c| c.console = Some("{}".into())), "its table [console]");
        assert_eq!(change(|c| c.scratch = true), "its scratch");
        assert_eq!(change(|c| c.time = Some("1+0".into())), "its clock");
        assert_eq!(change(|c| c.files[1].executable = true), "bot");
        assert_eq!(change(|c| c.files[1].sha256 = sha256(b"x")), "bot");
        assert_eq!(change(|c| c.files[1].path = "but".into()), "bot is gone, but is new");
        assert_eq!(change(|c| drop(c.files.pop())), "bot is gone");
    }

    #[test]
    fn the_digest_is_that_of_earlier_versions_of_arbiter() {
        let json = serde_json::to_string(&Content { files: Vec::new(), ..content() }).unwrap();
        assert_eq!(json, r#"{"command":["./bot"],"dialect":"native","files":[]}"#);
        assert_eq!(
            sha256(b"hello"),
            "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        );
    }

    #[test]
    fn a_long_list_is_kept_by_folders_and_its_digest_stays() {
        let many = |folders: usize, each: usize, length: usize| {
            let file = |at: usize| {
                let (folder, name) = (at % folders, at / folders);
                ContentFile::new(
                    format!("{folder:03}/{name:0length$}"),
                    false,
                    sha256(&at.to_be_bytes()),
                )
            };
            let mut files: Vec<ContentFile> = (0..folders * each).map(file).collect();
            files.push(ContentFile::new("bot.py", true, sha256(b"bot")));
            files.sort();
            Content { files, ..content() }
        };
        assert_eq!(many(5, 51, 4).summary(), many(5, 51, 4), "256 files are listed");
        let long = many(5, 4000, 4);
        let mut edited = long.clone();
        edited.files[7].sha256 = sha256(b"edited");
        let (before, after) = (long.summary(), edited.summary());
        assert_eq!(after.differences(&before), ["000/"]);
        assert!(before.files.len() == 6 && before.summary() == before, "{before:?}");
        for far in [many(300, 1, 4), many(3, 80, 250).with_folded(|_| None)] {
            let mut shorter = far.clone();
            shorter.files.pop();
            let is_one = far.summary().files.len() == 1;
            let expected = if is_one { "its files" } else { "bot.py is gone" };
            assert_eq!(shorter.summary().differences(&far.summary()), [expected]);
            assert!(serde_json::to_vec(&far.summary()).unwrap().len() < 64 << 10);
        }
        assert_eq!(many(300, 1, 4).summary().files.len(), 1);
    }

    #[test]
    fn left_out_files_decide_nothing() {
        let products = BTreeSet::from(["bot".to_owned()]);
        let mut rebuilt = content();
        rebuilt.files[1].sha256 = sha256(b"other compiler");
        assert_eq!(rebuilt.without(&products).digest(), content().without(&products).digest());
    }
}
