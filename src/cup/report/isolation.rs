//! The isolation of bots in a few words, for tables and messages. Logs and JSON have the whole
//! line.

/// The words of the line when nothing is missing, apart from those that end with `=denied`.
const COMPLETE: [&str; 4] = ["fork=allowed", "user=separate", "memory=cgroup", "tree=namespace"];

/// The level of an isolation line (docs/reference/isolation.md, What is in force), and in brackets
/// what of it is not in force.
///
/// ```
/// use arbiter_cup::report::isolation_summary;
/// let line = "strict fork=denied user=separate memory=watched";
/// assert_eq!(isolation_summary(line), "strict (memory=watched)");
/// assert_eq!(isolation_summary("basic"), "basic");
/// ```
pub fn isolation_summary(line: &str) -> String {
    let (level, words) = line.split_once(' ').unwrap_or((line, ""));
    let mut missing = Vec::new();
    for word in words.split_whitespace() {
        if !word.ends_with("=denied") && !COMPLETE.contains(&word) {
            missing.push(word);
        }
    }
    if missing.is_empty() { level.to_owned() } else { format!("{level} ({})", missing.join(" ")) }
}
