//! The page of one student: what is right, what is wrong, and one example of each that can be
//! repeated by hand.
//!
//! It holds nothing of other submissions. What students wrote is escaped.

use super::marks::{CaseMark, MarkedPart, MarkedSubmission, TextFault};
use super::naming::{Common, Naming, fails, is_uninformative};
use super::plain::plain;
use super::points::classes;
use super::sheet::Sheet;
use arbiter_cup::report::escape;
use arbiter_rules::text::counted;
use std::fmt::Write;

/// The most failing cases whose names are listed.
const LISTED: usize = 12;
/// The most faults of text that are listed.
const TEXT_FAULTS: usize = 5;
/// The most lines of an output that are shown.
const LINES: usize = 60;

impl Sheet {
    /// The page of a student, in Markdown.
    pub fn student(&self, marked: &MarkedSubmission) -> String {
        let name = escape::markdown(&marked.name);
        let points = marked.points();
        let most = marked.most();
        let mut page = format!("# {name}: {points} of {most}\n\n");
        let assignment = escape::markdown(&self.assignment.name);
        let _ = write!(
            page,
            "Assignment {assignment}.\n\n| part | points | of |\n| --- | ---: | ---: |\n"
        );
        for part in &marked.parts {
            let _ = writeln!(
                page,
                "| {} | {} | {} |",
                escape::markdown(&part.name),
                part.points,
                part.most
            );
        }
        for part in &marked.parts {
            let body = self.part(part);
            if !body.is_empty() {
                let heading = escape::markdown(&part.name);
                let _ = write!(page, "\n## {heading}: {} of {}\n\n{body}", part.points, part.most);
            }
        }
        if !marked.remarks.is_empty() {
            page.push_str("\n## Remarks\n\nThese cost no points.\n\n");
            page.push_str(&list(&marked.remarks));
        }
        page
    }

    /// The page of a student as text.
    pub fn student_as_text(&self, marked: &MarkedSubmission) -> String {
        plain(&self.student(marked))
    }

    /// The section about a part, as text.
    pub(super) fn part_as_text(&self, part: &MarkedPart) -> String {
        plain(&self.part(part)).trim_end().to_owned()
    }

    /// The section about a part, in Markdown; empty if there is nothing to say but its points.
    pub(super) fn part(&self, part: &MarkedPart) -> String {
        let mut sections = Vec::new();
        if !part.notes.is_empty() {
            sections.push(list(&part.notes));
        }
        if let Some(summary) = summary(&part.cases, part.text.is_empty()) {
            sections.push(summary);
        }
        if let Some(shortest) = shortest(&part.cases) {
            sections.push(self.example(shortest));
            sections.push(others(&part.cases, shortest));
        }
        sections.push(text(&part.text));
        sections.retain(|section| !section.is_empty());
        sections.join("\n")
    }

    /// A failing case, so that it can be repeated.
    fn example(&self, case: &CaseMark) -> String {
        let found = case.found.clone().unwrap_or_default();
        let program = self.cases.iter().find(|program| program.name == case.name);
        let name = escape::code(&case.name);
        let mut text = format!(
            "The shortest of them is {name}: {}.\n",
            prose(&found.sentence, escape::markdown)
        );
        if let Some(place) = &found.place {
            let _ = writeln!(text, "Look at {}.", escape::code(place));
        }
        if case.share > 0.0 {
            let _ = writeln!(text, "It earns {} of its points.", case.share);
        }
        if let Some(program) = program {
            let _ = write!(text, "\nInput:\n\n{}", escape::code_block(program.input.as_bytes()));
        }
        if !found.shown.is_empty() {
            let lines: Vec<&str> = found.shown.lines().take(LINES).collect();
            let _ = write!(text, "\n{}", escape::code_block(lines.join("\n").as_bytes()));
        }
        if program.is_some_and(|program| program.script.is_none()) {
            let file = &case.name;
            let command = format!("./program < {file}.in | diff -Z - {file}.out");
            let _ = write!(
                text,
                "\nTo repeat it, write the input into `{file}.in`. With the course's `{file}.out` \
                 beside it, a right program makes this print nothing:\n\n{}",
                escape::command(&command)
            );
        }
        text
    }
}

/// A list of sentences.
fn list(lines: &[String]) -> String {
    let mut list = String::new();
    for line in lines {
        list += &format!("- {}\n", prose(line, escape::markdown_line));
    }
    list
}

/// Text in which what stands between two backticks is code; `first` escapes what stands before the
/// first of them, since only at the beginning of a line a letter may begin a list or a heading.
fn prose(text: &str, first: fn(&str) -> String) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // A single backtick, or two with nothing between them, are no code.
    let inner = parts.get(1..parts.len() - 1).unwrap_or_default();
    if parts.len().is_multiple_of(2) || inner.iter().any(|part| part.trim().is_empty()) {
        return first(text);
    }
    let mut shown = String::new();
    for (at, part) in parts.into_iter().enumerate() {
        shown += &match at {
            0 => first(part),
            _ if at % 2 == 1 => escape::code(part),
            _ => escape::markdown(part),
        };
    }
    shown
}

/// The shortest failing case, the first of equal ones, and one that was run if there is any; where
/// the failures are named by a class, of that class.
pub(super) fn shortest(cases: &[CaseMark]) -> Option<&CaseMark> {
    let mut failing: Vec<&CaseMark> = cases.iter().filter(|case| fails(case)).collect();
    if let Some(Naming { common: Common::Largest(class), .. }) = Naming::of(cases) {
        failing.retain(|case| case.class == class);
    }
    failing.into_iter().min_by_key(|case| (is_uninformative(case), case.length))
}

/// How many cases are right, in which classes all are, and what the others share; none without
/// cases. `with_text` is whether the text is right, too.
fn summary(cases: &[CaseMark], with_text: bool) -> Option<String> {
    let wrong = cases.iter().filter(|case| fails(case)).count();
    let all = counted(cases.len() as u64, "case");
    let Some(naming) = Naming::of(cases) else {
        if cases.is_empty() {
            return None;
        }
        let but = if with_text { "" } else { " but the text" };
        return Some(format!("All is right{but}, in {all}.\n"));
    };
    let mut text = if wrong == cases.len() {
        format!("Nothing is right yet, in {all}.\n")
    } else {
        format!("Right in {} of {all}.\n", cases.len() - wrong)
    };
    let mut right = classes(cases);
    right.retain(|class| !cases.iter().any(|case| case.class == *class && fails(case)));
    if !right.is_empty() {
        let _ = writeln!(text, "All is right in: {}.", right.join(", "));
    }
    let words = naming.words();
    match naming.common {
        Common::All if naming.board.is_none() => {}
        Common::All | Common::Shared(_) => {
            let _ = writeln!(
                text,
                "\n**What fails: {words}.** All failing cases have this, and no case that passes."
            );
        }
        Common::Largest(class) => {
            let mut of_class = 0;
            let mut failing = 0;
            for case in cases {
                if case.class == class {
                    of_class += 1;
                    failing += usize::from(fails(case));
                }
            }
            let _ = writeln!(
                text,
                "\n**What fails most: {words}**, {failing} of {}.",
                counted(of_class, "case")
            );
        }
    }
    Some(text)
}

/// What differs in what is printed, and the first place of the most frequent fault.
fn text(faults: &[TextFault]) -> String {
    let Some(first) = faults.first() else { return String::new() };
    let mut text =
        "**What is printed differs.** Each of these costs once, however often it shows:\n\n"
            .to_owned();
    for fault in faults.iter().take(TEXT_FAULTS) {
        let cases = counted(fault.cases as u64, "case");
        let place = match &fault.place {
            Some(place) => format!(", at `{place}`"),
            None => String::new(),
        };
        let _ = writeln!(
            text,
            "- {}{}",
            prose(&fault.sentence, escape::markdown_line),
            prose(&format!(", in {cases}{place}"), escape::markdown)
        );
    }
    if faults.len() > TEXT_FAULTS {
        let _ = writeln!(text, "- and {} more", faults.len() - TEXT_FAULTS);
    }
    if !first.shown.is_empty() {
        let _ = write!(text, "\n{}", escape::code_block(first.shown.trim_end().as_bytes()));
    }
    text
}

/// How many other cases fail, and their names.
fn others(cases: &[CaseMark], shown: &CaseMark) -> String {
    let mut names = Vec::new();
    for case in cases {
        if fails(case) && case.name != shown.name {
            names.push(escape::code(&case.name));
        }
    }
    if names.is_empty() {
        return String::new();
    }
    let more = match names.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let verb = if names.len() == 1 { "fails" } else { "fail" };
    let count = counted(names.len() as u64, "other case");
    names.truncate(LISTED);
    format!("{count} {verb} too: {}{more}.\n", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::cases::ProgramCase;
    use super::super::marks::Found;
    use super::super::samples::{gekitai, submission};
    use super::*;
    use arbiter_rules::Ruleset;
    use arbiter_rules::text::is_visible;
    use proptest::prelude::*;

    #[test]
    fn a_page_shows_what_is_right_and_one_example_of_what_is_wrong() {
        let sheet = gekitai();
        let page = sheet.student(&submission("ada", [1.0, 0.9, 0.0, 1.0]));
        let expected = "\
# ada: 36.7 of 45

Assignment gekitai.

| part | points | of |
| --- | ---: | ---: |
| builds | 4 | 5 |
| program | 32.7 | 40 |

## builds: 4 of 5

- a.cpp\\:3\\:1: warning: unused

## program: 32.7 of 40

Right in 2 of 4 cases.
All is right in: occupied square, draw.

**What fails: push over an edge.** All failing cases have this, and no case that passes.

The shortest of them is `edge-2`: edge-2: after c3 the X on d4 belongs on e5; it stayed.

```text
expected  4 · · X ↵
printed   4 · X · ↵
```

1 other case fails too: `edge-1`.

## Remarks

These cost no points.

- a.cpp calls system()
";
        assert_eq!(page, expected);
        let right = sheet.student(&submission("ada", [1.0; 4]));
        assert!(right.contains("All is right, in 4 cases.\n"), "{right}");
        let wrong = sheet.student(&submission("ada", [0.0; 4]));
        assert!(wrong.contains("Nothing is right yet, in 4 cases.\n"), "{wrong}");
        let partial = sheet.student(&submission("ada", [0.9, 1.0, 1.0, 0.0]));
        assert!(
            partial.contains("**What fails most: occupied square**, 1 of 1 case."),
            "{partial}"
        );
        assert!(partial.contains("It earns 0.9 of its points."), "{partial}");
    }

    #[test]
    fn what_stands_between_backticks_is_code() {
        for (text, expected) in [
            ("`f(a_b)` returns 1_0", "`f(a_b)` returns 1\\_0"),
            ("- `a` and `b`", "\\- `a` and `b`"),
            ("a ` b_", "a \\` b\\_"),
            ("a `` b", "a \\`\\` b"),
            ("`a``b`", "\\`a\\`\\`b\\`"),
        ] {
            assert_eq!(prose(text, escape::markdown_line), expected, "{text}");
        }
    }

    #[test]
    fn the_example_can_be_repeated() {
        let case = ProgramCase {
            name: "occupied-1".to_owned(),
            class: "occupied square",
            labels: vec!["occupied square"],
            board: None,
            ruleset: Ruleset::named("gekitai", "").unwrap(),
            entries: Vec::new(),
            input: "a1\nZ -1\n".to_owned(),
            expected: String::new(),
            script: None,
        };
        let sheet = Sheet { cases: vec![case], ..gekitai() };
        let page = sheet.student(&submission("ada", [0.0, 1.0, 1.0, 1.0]));
        let command = "```sh\n./program < occupied-1.in | diff -Z - occupied-1.out\n```\n";
        assert!(
            page.contains("\nInput:\n\n```text\na1\nZ -1\n```\n") && page.contains(command),
            "{page}"
        );
    }

    /// What Markdown, terminals and workflows take for more than text.
    const MARKUP: [&str; 45] = [
        "<b>",
        "<div ",
        "</b>",
        "<script>",
        "<!--",
        "-->",
        "<http://x.y>",
        "&lt;",
        "*a*",
        "**",
        "_a_",
        "__",
        "~~a~~",
        "`",
        "``",
        "```\n",
        "~~~\n",
        "[a](b)",
        "![a](b)",
        "[^1]",
        "[^1]: a",
        "[a]: b\n",
        "[[a]]",
        "[x] ",
        "# ",
        "## a {#b}\n",
        "|",
        "|-|-|\n",
        "- ",
        "+ ",
        "1. ",
        "2) ",
        "> ",
        ": ",
        "---\n",
        "===\n",
        "$a$",
        "^a^",
        "\\",
        "\n",
        "\n\n",
        "\n    ",
        "::error::",
        "##[a]",
        "\x1b[2J",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

        /// Whatever students write, the pages have the structure that they have with a plain word
        /// in its place, and control no terminal and no workflow.
        #[test]
        fn what_students_wrote_stays_text(
            pieces in prop::collection::vec(prop_oneof![
                2 => prop::sample::select(&MARKUP).prop_map(str::to_owned),
                1 => "\\PC|\\pC|[ -~]",
            ], 0..8),
        ) {
            let text = pieces.concat();
            let [of_word, of_text] = ["word", &text].map(pages_with);
            for (word, hostile) in of_word.iter().zip(&of_text) {
                prop_assert_eq!(structure(word), structure(hostile), "{:?}\n{}", &text, hostile);
                for page in [hostile, &plain(hostile)] {
                    prop_assert!(!page.contains(|letter| letter != '\n' && !is_visible(letter)), "{:?}", page);
                    prop_assert!(!page.contains("##[") && !page.lines().any(|line| line.trim_start().starts_with("::")), "{}", page);
                }
            }
        }
    }

    /// The page of a student who wrote this wherever students can write, and that of the class.
    fn pages_with(text: &str) -> [String; 2] {
        let mut marked = submission(text, [1.0, 0.0, 1.0, 1.0]);
        marked.remarks.push(text.to_owned());
        marked.parts[0].notes.push(text.to_owned());
        let shown = format!("expected\n{text}");
        let found = Found {
            sentence: text.to_owned(),
            shown,
            place: Some(text.to_owned()),
            uninformative: false,
        };
        marked.parts[1].cases[1].found = Some(found);
        let sheet = gekitai();
        [sheet.student(&marked), sheet.class(&[marked])]
    }

    /// What a reader of Markdown makes of a page, without its text.
    fn structure(page: &str) -> Vec<String> {
        use pulldown_cmark::{Event, Options, Parser};
        let events = Parser::new_ext(page, Options::all()).filter_map(|event| match event {
            Event::Text(_) | Event::SoftBreak | Event::Code(_) => None,
            Event::InlineHtml(html) if &*html == "<!-- -->" => None, // it keeps `@` from being a mention
            other => Some(format!("{other:?}")),
        });
        events.collect()
    }
}
