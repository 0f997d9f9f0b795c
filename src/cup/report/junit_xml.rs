//! JUnit's XML, as programs that run tests read it: elements, their counts and their escaping. What
//! fails, and why, is the caller's business.
//!
//! ```
//! use arbiter_cup::report::junit_xml::{file, problem, suite, test_case};
//! let late = problem("error", "late", "came <after> the deadline", String::new());
//! let case = test_case("conny", "cup", Some(late));
//! let xml = file("cup", vec![suite("cup", vec![case])]);
//! assert!(xml.contains(r#"<testsuite name="cup" tests="1" skipped="0" errors="1" failures="0">
//!         <testcase name="conny" classname="cup">
//!             <error message="came &lt;after&gt; the deadline" type="late"/>
//! "#));
//! ```

use super::escape;

/// An element with its children, or with a text.
#[derive(Debug)]
pub struct Element {
    tag: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Element>,
    text: String,
}

/// The content of a file of suites.
pub fn file(name: &str, suites: Vec<Element>) -> String {
    let mut all = Element::new("testsuites", [("name", name)]);
    all.children = suites;
    all.push_counts([("skipped", "skipped"), ("failures", "failure"), ("errors", "error")]);
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    all.write("", &mut xml);
    xml
}

/// A suite of test cases.
pub fn suite(name: &str, cases: Vec<Element>) -> Element {
    let mut suite = Element::new("testsuite", [("name", name)]);
    suite.children = cases;
    suite.push_counts([("skipped", "skipped"), ("errors", "error"), ("failures", "failure")]);
    suite
}

/// A test case, with its problem unless it has passed.
pub fn test_case(name: &str, classname: &str, problem: Option<Element>) -> Element {
    let mut case = Element::new("testcase", [("name", name), ("classname", classname)]);
    case.children.extend(problem);
    case
}

/// The `failure` or `error` of a test case, or the reason why it is `skipped`.
pub fn problem(tag: &'static str, r#type: &str, message: &str, text: String) -> Element {
    let mut problem = Element::new(tag, [("message", message), ("type", r#type)]);
    problem.text = text;
    problem
}

impl Element {
    fn new<const N: usize>(tag: &'static str, attributes: [(&'static str, &str); N]) -> Element {
        let attributes = attributes.map(|(name, value)| (name, value.to_owned())).to_vec();
        Element { tag, attributes, children: Vec::new(), text: String::new() }
    }

    /// Adds what a suite or a test case has written as `system-out` or `system-err`, if it has.
    pub fn push_output(&mut self, tag: &'static str, lines: String) {
        if !lines.is_empty() {
            self.children.push(Element { text: lines, ..Element::new(tag, []) });
        }
    }

    /// Adds the numbers of test cases, and of these elements inside them, as attributes.
    fn push_counts(&mut self, counts: [(&'static str, &str); 3]) {
        self.attributes.push(("tests", self.count("testcase").to_string()));
        for (name, tag) in counts {
            self.attributes.push((name, self.count(tag).to_string()));
        }
    }

    fn count(&self, tag: &str) -> usize {
        let mut count = usize::from(self.tag == tag);
        for child in &self.children {
            count += child.count(tag);
        }
        count
    }

    fn write(&self, indent: &str, xml: &mut String) {
        *xml += &format!("{indent}<{}", self.tag);
        for (name, value) in &self.attributes {
            *xml += &format!(" {name}=\"{}\"", escape::xml(value));
        }
        if self.children.is_empty() && self.text.is_empty() {
            *xml += "/>\n";
            return;
        }
        let lines: Vec<String> = self.text.split('\n').map(escape::xml).collect();
        *xml += ">";
        *xml += &lines.join("\n");
        if !self.children.is_empty() {
            *xml += "\n";
            for child in &self.children {
                child.write(&format!("{indent}    "), xml);
            }
            *xml += indent;
        }
        *xml += &format!("</{}>\n", self.tag);
    }
}
