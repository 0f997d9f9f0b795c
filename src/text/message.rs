//! Messages about bots, in which names and what authors wrote are told apart from arbiter's own
//! words.

use std::fmt;

/// A message about bots. Under aliases it is published with aliases for the names alone: to replace
/// names in the whole text would tell an author who lists names in it, as those of files, which
/// alias is whose.
///
/// ```
/// use arbiter::text::Message;
/// let message = Message::default().bot("anna").own(" changed (").quoted("ben.py").own(")");
/// assert_eq!(message.to_string(), "anna changed (ben.py)");
/// let shown = message.shown(|_| "bot-1".into(), |_| "bot-1~bot-2.3".into(), |_| "…".into());
/// assert_eq!(shown, "bot-1 changed (…)");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// Words of arbiter's own.
    Own(String),
    /// The name of a bot.
    Bot(String),
    /// The id of a game.
    Game(String),
    /// What an author may have written.
    Quoted(String),
}

impl Message {
    /// The message with words of arbiter's own behind it.
    #[must_use]
    pub fn own(self, words: impl Into<String>) -> Message {
        self.with(Part::Own(words.into()))
    }

    /// The message with the name of a bot behind it.
    #[must_use]
    pub fn bot(self, name: impl Into<String>) -> Message {
        self.with(Part::Bot(name.into()))
    }

    /// The message with the id of a game behind it.
    #[must_use]
    pub fn game(self, id: impl Into<String>) -> Message {
        self.with(Part::Game(id.into()))
    }

    /// The message with text behind it that an author may have written.
    #[must_use]
    pub fn quoted(self, text: impl Into<String>) -> Message {
        self.with(Part::Quoted(text.into()))
    }

    /// Messages in one, with this between them.
    #[must_use]
    pub fn joined(messages: impl IntoIterator<Item = Message>, between: &str) -> Message {
        messages.into_iter().fold(Message::default(), |all, message| {
            if all.0.is_empty() { message } else { all.own(between).and(message) }
        })
    }

    /// The message with another one behind it.
    #[must_use]
    pub fn and(mut self, more: Message) -> Message {
        self.0.extend(more.0);
        self
    }

    /// The text, with what these return for the name of a bot, the id of a game, and what an author
    /// may have written.
    #[must_use]
    pub fn shown(
        &self,
        bot: impl Fn(&str) -> String,
        game: impl Fn(&str) -> String,
        quoted: impl Fn(&str) -> String,
    ) -> String {
        let text = |part: &Part| match part {
            Part::Own(words) => words.clone(),
            Part::Bot(name) => bot(name),
            Part::Game(id) => game(id),
            Part::Quoted(text) => quoted(text),
        };
        self.0.iter().map(text).collect()
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
        f.write_str(&self.shown(str::to_owned, str::to_owned, str::to_owned))
    }
}
