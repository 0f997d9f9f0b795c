//! The isolation of bots in few words, for tables and messages. Logs and JSON have the whole line.

/// What each word of the line is when nothing is missing, beside `denied`.
const COMPLETE: [&str; 4] = ["fork=allowed", "user=separate", "memory=cgroup", "tree=namespace"];

/// The level of an isolation line (docs/isolation.md, What is in force), and in brackets what of it
/// is not in force.
///
/// ```
/// use arbiter_cup::report::isolation_summary;
/// assert_eq!(isolation_summary("strict fork=denied user=separate memory=watched"), "strict (memory=watched)");
/// assert_eq!(isolation_summary("basic"), "basic");
/// ```
#[must_use]
pub fn isolation_summary(line: &str) -> String {
    let (level, words) = line.split_once(' ').unwrap_or((line, ""));
    let is_missing = |word: &&str| !(word.ends_with("=denied") || COMPLETE.contains(word));
    let missing: Vec<&str> = words.split_whitespace().filter(is_missing).collect();
    if missing.is_empty() { level.to_owned() } else { format!("{level} ({})", missing.join(" ")) }
}
