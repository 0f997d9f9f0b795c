//! The names of the pages of students.

use arbiter_ground::bot_names::first_free;
use std::collections::HashSet;

/// The name of the page of each of these submissions: letters, digits, `.`, `_` and `-`, with the
/// ending of Markdown; the second of equal ones has `-2` before it. Case is ignored, because some
/// file systems do.
pub fn page_names<'a>(submissions: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut names = Vec::new();
    let mut taken = HashSet::new();
    for submission in submissions {
        let mut plain = String::new();
        for c in submission.chars().take(60) {
            let fits = c.is_alphanumeric() || "._-".contains(c);
            plain.push(if fits { c } else { '_' });
        }
        let name = match plain.trim_start_matches(['.', '-']) {
            "" => "_",
            rest => rest,
        };
        names.push(first_free(name, |free| taken.insert(free.to_lowercase())) + ".md");
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_student_has_a_file_of_its_own() {
        let submissions = ["ada", "Ada", "../x", "", "小 明", "a/b", "a_b"];
        let expected =
            ["ada", "Ada-2", "_x", "_", "小_明", "a_b", "a_b-2"].map(|name| format!("{name}.md"));
        assert_eq!(page_names(submissions), expected);
    }
}
