//! The names and contents of the files of `--out`.

use super::marks::MarkedSubmission;
use super::page::Pages;

impl Pages<'_> {
    /// The files of a class: its table as Markdown and as CSV, and a page for each submission in `students/`. Paths have `/` between
    /// folder and name.
    #[must_use]
    pub fn files(&self, class: &[MarkedSubmission]) -> Vec<(String, String)> {
        let mut files =
            vec![("class.md".to_owned(), self.class(class)), ("class.csv".to_owned(), self.class_csv(class))];
        for (name, marked) in names(class).into_iter().zip(class) {
            files.push((format!("students/{name}.md"), self.student(marked)));
        }
        files
    }
}

/// A name of a file for each submission: letters, digits, `.`, `_` and `-`; the second of equal ones ends with `-2`. Case is
/// ignored, because some file systems do.
fn names(class: &[MarkedSubmission]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for marked in class {
        let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let name: String = marked.name.chars().map(plain).take(60).collect();
        let name = match name.trim_start_matches(['.', '-']) {
            "" => "_",
            name => name,
        };
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut free = std::iter::once(name.to_owned()).chain(numbered);
        let is_free = |name: &String| !names.iter().any(|other| other.to_lowercase() == name.to_lowercase());
        names.extend(free.find(is_free));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::samples::{gekitai, submission};
    use super::*;

    #[test]
    fn each_student_has_a_file_of_its_own() {
        let class = ["ada", "Ada", "../x", "", "小 明", "a/b", "a_b"].map(|name| submission(name, [1.0; 4]));
        assert_eq!(names(&class), ["ada", "Ada-2", "_x", "_", "小_明", "a_b", "a_b-2"]);
        let assignment = gekitai();
        let pages = Pages { assignment: &assignment, cases: &[] };
        let files = pages.files(&class);
        assert_eq!(files.len(), 9);
        for (path, content) in &files[2..] {
            let own = class.iter().filter(|one| content.starts_with(&format!("# {}:", one.name))).count();
            assert!(path.starts_with("students/") && own <= 1, "{path}");
        }
    }
}
