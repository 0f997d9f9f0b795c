//! The conversation with a program, as text: splits bytes into lines, and for each dialect writes
//! messages and reads lines.
//!
//! Owns [`Dialect`] and [`Conversation`], which each dialect implements in a file of its own; other
//! rooms use only the trait. [`rules_program`] reads what the rules of a custom game say.
//! Knows the messages to and from players; neither pipes nor processes nor time.
//!
//! ```
//! use arbiter_game::Reply;
//! use arbiter_game::protocol::{Dialect, ParsedLine};
//! use arbiter_rules::Ruleset;
//! let conversation = Dialect::default().conversation().unwrap();
//! let loa = Ruleset::named("loa", "").unwrap();
//! let ply = loa.read_ply("a2c4").unwrap();
//! let parsed = conversation.read(&loa.start(), b" move a2 c4\r");
//! assert_eq!(parsed, ParsedLine::Reply(Reply::Ply(ply)));
//! ```

mod answer;
pub mod console;
mod line;
mod native;
pub mod rules_program;
mod ugi;
mod variation;

pub use line::{Line, LineBuffer};
pub use variation::Variation;

use crate::{End, Garbled, Reply, Start, Turn, Wording};
use arbiter_rules::Position;
use arbiter_rules::text::words;
use std::borrow::Cow;

/// The time in milliseconds that a bot is told if there is no clock and the protocol has no word
/// for that: eleven days. Even with an increment of the same size it fits 32 bits.
const NO_CLOCK: u128 = 1_000_000_000;

words! {
    /// The protocol between a bot and the referee.
    #[derive(Default)]
    Dialect {
        /// arbiter's own protocol.
        #[default]
        Native = "native",
        /// That of programs that talk to a person, each described by a table of its own.
        Console = "console",
        /// The Universal Game Interface.
        Ugi = "ugi",
    }
}

impl Dialect {
    /// Whether a program says that it is ready before its first ply. Otherwise its start counts as
    /// part of that ply.
    pub fn has_handshake(self) -> bool {
        self != Dialect::Console
    }

    /// Whether the messages to a program can be varied: see [`Variation`].
    pub fn has_variations(self) -> bool {
        self == Dialect::Native
    }

    /// A new conversation.
    ///
    /// # Errors
    /// arbiter does not speak it, or it needs a table: see [`console::conversation`].
    pub fn conversation(self) -> Result<Box<dyn Conversation>, String> {
        match self {
            Dialect::Native => Ok(Box::new(native::Native::default())),
            Dialect::Ugi => Ok(Box::new(ugi::Ugi::default())),
            Dialect::Console => {
                Err("the dialect `console` needs a table [console] in its bot.toml".to_owned())
            }
        }
    }
}

/// The conversation with one program: writes messages to it and reads what it writes. Messages are
/// appended to `out`.
pub trait Conversation: Wording + Send {
    /// Writes the message that a game begins; nothing in a dialect that says so with the first
    /// turn.
    ///
    /// # Errors
    /// The program's own table has no words for it; a sentence. The program cannot play.
    fn push_start(&mut self, out: &mut String, start: &Start<'_>) -> Result<(), String>;

    /// Whether the program is ready for its first turn by what it has said so far. In a dialect
    /// without a handshake it is ready at once.
    fn is_ready(&self) -> bool;

    /// Writes the message that the program is to move.
    ///
    /// # Errors
    /// The program's own table has no words for what happened; a sentence. The program cannot play
    /// on.
    fn push_turn(&mut self, out: &mut String, turn: &Turn<'_>) -> Result<(), String>;

    /// Writes what the program asked for when it said [`ParsedLine::Prompt`].
    fn push_prompted(&mut self, _out: &mut String) {}

    /// Writes what the program would be sent before its answer if it prompted for everything once,
    /// in order. For those who show what was sent in a logged game, where no program prompts.
    fn push_rest(&mut self, _out: &mut String) {}

    /// Writes the message that the game is over.
    fn push_end(&mut self, out: &mut String, end: &End<'_>);

    /// Writes the last message, before the program's input is closed.
    fn push_quit(&self, out: &mut String);

    /// The meaning of a line of the program. A ply in it, legal or not, belongs to the game of this
    /// position, about which the program was asked last.
    fn read<'a>(&self, position: &Position, line: &'a [u8]) -> ParsedLine<'a>;

    /// How it reads a program that does not write lines; `None` if it reads lines.
    fn prompts(&mut self) -> Option<&mut dyn Prompts> {
        None
    }

    /// Takes the words of [`ParsedLine::Ready`]: the program is ready. Returns those that are
    /// unknown, which its author may have misspelt.
    fn ready_with(&mut self, _words: &[u8]) -> Vec<String> {
        Vec::new()
    }

    /// Whether the program can play another game in the same process.
    fn is_reusable(&self) -> bool {
        false
    }

    /// Whether the program can be told that an answer was illegal, and be asked again. In a dialect
    /// without words for that an illegal answer loses, even if the match allows several attempts.
    fn can_refuse(&self) -> bool {
        false
    }

    /// Varies the messages from now on; false if the dialect cannot.
    fn vary(&mut self, variation: Variation) -> bool {
        variation == Variation::Plain
    }

    /// A line, with its end, that means nothing to a program. A program that lost by its silence is
    /// sent it, to see whether it waits for more lines than it gets.
    fn ignored_line(&self) -> &'static str {
        "\n"
    }
}

/// The framing of a program that talks to a person: what it writes is searched byte by byte for
/// prompts and answers, which need no line of their own.
pub trait Prompts {
    /// The streams that are searched.
    fn streams(&self) -> &'static [Stream];

    /// Takes the next bytes of a stream.
    fn take_in(&mut self, stream: Stream, bytes: &[u8]);

    /// Marks everything that came so far as older than what is sent now.
    fn draw_line(&mut self);

    /// The next prompt or answer in what came: its bytes and its meaning; `None` until more comes.
    fn hear(&mut self, position: &Position) -> Option<(Vec<u8>, ParsedLine<'static>)>;

    /// Whether there is an answer at the end of what came, which further bytes may change.
    fn is_undecided(&self) -> bool;

    /// Decides with what came: the program waits for input, has closed its output, or what it does
    /// is unknown.
    fn decide(&mut self);
}

/// Takes the next piece of what a program wrote: its bytes and its meaning; `None` until more
/// comes. A piece is a line of `output`, or one of its prompts.
pub fn hear<'a>(
    conversation: &mut dyn Conversation,
    position: &Position,
    output: &'a mut LineBuffer,
) -> Option<(Cow<'a, [u8]>, ParsedLine<'a>)> {
    let line = output.next_line();
    if let Some(prompts) = conversation.prompts() {
        // Prompts are searched in the bytes that they got by `take_in`. Whole lines go to the log.
        if let Some(line) = line {
            return Some((Cow::Borrowed(line.bytes()), ParsedLine::Unrecognised));
        }
        let (bytes, parsed) = prompts.hear(position)?;
        return Some((Cow::Owned(bytes), parsed));
    }
    let line = line?;
    let bytes = line.bytes();
    // The order is the verdict: a line that is too long or has a NUL byte breaks the protocol even
    // if it began before the question.
    let parsed = match line {
        Line::TooLong(_) => ParsedLine::Garbled(Garbled::TooLong),
        _ if bytes.contains(&0) => ParsedLine::Garbled(Garbled::Nul),
        Line::Stale(_) => ParsedLine::Unrecognised,
        Line::Whole(_) => conversation.read(position, bytes),
    };
    Some((Cow::Borrowed(bytes), parsed))
}

/// An output stream of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// The meaning of a line, or of another piece of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsedLine<'a> {
    /// The program is ready; the words say what it asks for.
    Ready(&'a [u8]),
    /// What the program says about itself, such as its name.
    Name(&'a [u8]),
    /// What the program decided.
    Reply(Reply),
    /// Information about the ply to come.
    Info(&'a [u8]),
    /// The program waits for more input before it is ready or answers:
    /// [`Conversation::push_prompted`] writes it.
    Prompt,
    /// The line breaks the protocol.
    Garbled(Garbled),
    /// The program gives up because of a fault, with a reason.
    Fault(&'a [u8]),
    /// A line that an adapter sent to the bot behind it.
    Sent(&'a [u8]),
    /// A line of the bot behind an adapter.
    Said(&'a [u8]),
    /// A line that the dialect does not define.
    Unrecognised,
}

impl ParsedLine<'_> {
    /// Whether the player has decided: a ply, legal or not, or that it resigns.
    pub fn is_answer(&self) -> bool {
        matches!(self, ParsedLine::Reply(_))
    }
}
