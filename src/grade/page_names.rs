//! The names of the pages of students.

/// The name of the page of each of these submissions: letters, digits, `.`, `_` and `-`, with the
/// ending of Markdown; the second of equal ones has `-2` before it. Case is ignored, because some
/// file systems do.
pub fn page_names<'a>(submissions: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for submission in submissions {
        let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let name: String = submission.chars().map(plain).take(60).collect();
        let name = match name.trim_start_matches(['.', '-']) {
            "" => "_",
            name => name,
        };
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut free = std::iter::once(name.to_owned()).chain(numbered);
        let is_free =
            |name: &String| !names.iter().any(|other| other.to_lowercase() == name.to_lowercase());
        names.extend(free.find(is_free));
    }
    names.iter().map(|name| format!("{name}.md")).collect()
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
