//! Messages about bots, in which what authors wrote is told apart from arbiter's own words.

use std::fmt;

/// A message about bots. What it quotes is cleaned before others see it, and the words of arbiter
/// are not: a name may be a word of theirs.
///
/// ```
/// use arbiter_rules::text::Message;
/// let message = Message::from("bot-1 changed (").quoted("ben.py").own(")");
/// assert_eq!(message.to_string(), "bot-1 changed (ben.py)");
/// assert_eq!(message.shown(|_| "…".into()), "bot-1 changed (…)");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// Words of arbiter's own.
    Own(String),
    /// What an author may have written.
    Quoted(String),
}

impl Message {
    /// The message with words of arbiter's own behind it.
    pub fn own(self, words: impl Into<String>) -> Message {
        self.with(Part::Own(words.into()))
    }

    /// The message with text behind it that an author may have written.
    pub fn quoted(self, text: impl Into<String>) -> Message {
        self.with(Part::Quoted(text.into()))
    }

    /// Messages in one, with this between them.
    pub fn joined(messages: impl IntoIterator<Item = Message>, between: &str) -> Message {
        let mut all = Message::default();
        for message in messages {
            if !all.0.is_empty() {
                all = all.own(between);
            }
            all = all.and(message);
        }
        all
    }

    /// The message with another one behind it.
    pub fn and(mut self, more: Message) -> Message {
        self.0.extend(more.0);
        self
    }

    /// The text, with what this returns for what an author may have written.
    pub fn shown(&self, quoted: impl Fn(&str) -> String) -> String {
        let mut shown = String::new();
        for part in &self.0 {
            match part {
                Part::Own(words) => shown += words,
                Part::Quoted(text) => shown += &quoted(text),
            }
        }
        shown
    }

    fn with(mut self, part: Part) -> Message {
        self.0.push(part);
        self
    }
}

impl From<&str> for Message {
    fn from(words: &str) -> Message {
        Message::default().own(words)
    }
}

impl From<String> for Message {
    fn from(words: String) -> Message {
        Message::default().own(words)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(str::to_owned))
    }
}
