//! Texts that are kept until the program ends, each once and named by a number, so that small
//! values can stand for them.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

/// Texts with their numbers.
pub(super) struct StaticTexts(LazyLock<RwLock<Numbered>>);

#[derive(Default)]
struct Numbered {
    numbers: HashMap<&'static str, usize>,
    texts: Vec<&'static str>,
}

impl StaticTexts {
    pub(super) const fn new() -> StaticTexts {
        StaticTexts(LazyLock::new(RwLock::default))
    }

    /// The number of a text, which is added if there are fewer than `most` so far; `None` if there
    /// are as many.
    pub(super) fn number(&self, text: &str, most: usize) -> Option<usize> {
        let known =
            self.0.read().unwrap_or_else(PoisonError::into_inner).numbers.get(text).copied();
        if known.is_some() {
            return known;
        }
        let mut numbered = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let Numbered { numbers, texts } = &mut *numbered;
        if let Some(&number) = numbers.get(text) {
            return Some(number); // another thread was quicker
        }
        if texts.len() >= most {
            return None;
        }
        // Never freed, and so limited by `most`: what has the number may outlive everything else.
        let text: &'static str = Box::leak(text.into());
        texts.push(text);
        numbers.insert(text, texts.len() - 1);
        Some(texts.len() - 1)
    }

    /// The text of a number that [`number`](StaticTexts::number) returned.
    pub(super) fn text(&self, number: usize) -> &'static str {
        let numbered = self.0.read().unwrap_or_else(PoisonError::into_inner);
        numbered.texts.get(number).copied().unwrap_or_default()
    }
}
