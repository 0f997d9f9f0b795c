//! The paths of the entries of an archive, before anything is made of them.

use arbiter_rules::text::printable;

/// The most bytes of a name, as file systems have it.
const NAME: usize = 255;
/// The most bytes of a path: together with the path of the `[[bots]]` folder it must be a path that
/// the kernel takes.
const PATH: usize = 1024;
/// The most folders one in another.
const DEEPEST: usize = 16;
/// Bytes of a path that a message quotes at most.
const QUOTED: usize = 200;

/// The path of an entry: names of folders, and its own. Without a name it is the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EntryPath {
    pub names: Vec<String>,
}

impl EntryPath {
    /// Reads the path of an entry.
    ///
    /// # Errors
    /// A sentence for the author: it leads out of the archive, or cannot be a path of a submission.
    pub fn parse(raw: &[u8]) -> Result<EntryPath, String> {
        let Ok(path) = str::from_utf8(raw) else {
            return refused(raw, "the name is not UTF-8; rename it, or pack with a newer program");
        };
        if path.chars().any(char::is_control) {
            return refused(raw, "the name has a control character; rename it");
        }
        if path.starts_with('/') {
            return refused(
                raw,
                "the path is absolute; pack paths relative to the folder of the bot",
            );
        }
        if path.contains('\\') {
            return refused(
                raw,
                "the path has a backslash; pack with a program that writes / there",
            );
        }
        if path.len() > PATH {
            return refused(raw, &format!("the path is longer than {PATH} bytes; shorten it"));
        }
        let mut names = Vec::new();
        for name in path.split('/') {
            match name {
                "" | "." => {} // `./bot.py` of tar
                ".." => return refused(raw, "a path may not have `..`; pack the folder itself"),
                _ if name.len() > NAME => {
                    return refused(
                        raw,
                        &format!("a name is longer than {NAME} bytes; shorten it"),
                    );
                }
                _ => names.push(name.to_owned()),
            }
        }
        if names.len() > DEEPEST + 1 {
            return refused(
                raw,
                &format!("it lies more than {DEEPEST} folders deep; pack less deep"),
            );
        }
        Ok(EntryPath { names })
    }
}

fn refused(raw: &[u8], why: &str) -> Result<EntryPath, String> {
    Err(format!("{}: {why}", shown(raw)))
}

/// The path of an entry for a message.
pub(super) fn shown(raw: &[u8]) -> String {
    if raw.is_empty() { "an entry without a name".to_owned() } else { printable(raw, QUOTED) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_their_folder() {
        let names = |raw: &str| EntryPath::parse(raw.as_bytes()).map(|path| path.names.join("|"));
        for (raw, read) in [
            ("bot.py", "bot.py"),
            ("./bot.py", "bot.py"),
            ("a//b/./c/", "a|b|c"),
            ("./", ""),
            ("...", "..."),
            ("größe.txt", "größe.txt"),
        ] {
            assert_eq!(names(raw).as_deref(), Ok(read), "{raw}");
        }
        let long = "n".repeat(256);
        let deep = "d/".repeat(17) + "file";
        let far = "directory/".repeat(103);
        for (raw, why) in [
            ("/etc/passwd", "absolute"),
            ("..", "`..`"),
            ("a/../../b", "`..`"),
            ("a\\..\\b", "backslash"),
            ("a\0b", "control character"),
            ("a\nb", "control character"),
            (&*long, "longer than 255"),
            (&*deep, "more than 16 folders"),
            (&*far, "longer than 1024"),
        ] {
            let said = names(raw).unwrap_err();
            assert!(said.contains(why), "{raw}: {said}");
        }
        assert!(EntryPath::parse(b"caf\xe9.py").unwrap_err().contains("not UTF-8"));
        assert!(EntryPath::parse("d/".repeat(16).as_bytes()).is_ok());
        assert!(EntryPath::parse(("d/".repeat(16) + "file").as_bytes()).is_ok());
    }
}
