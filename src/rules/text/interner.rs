//! Texts that occur many times, each kept once and named by a number.

use std::collections::HashMap;

/// Texts with their numbers, from 0 in the order of their first occurrence.
///
/// ```
/// use arbiter_rules::text::Interner;
/// let mut names = Interner::default();
/// assert_eq!(["conny", "randy", "conny"].map(|name| names.intern(name.to_owned())), [0, 1, 0]);
/// assert_eq!(names.texts(), ["conny", "randy"]);
/// ```
#[derive(Debug, Default)]
pub struct Interner {
    numbers: HashMap<String, usize>,
    texts: Vec<String>,
}

impl Interner {
    /// The number of a text.
    pub fn intern(&mut self, text: String) -> usize {
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        let number = self.texts.len();
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    /// All texts, in the order of their numbers.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}
