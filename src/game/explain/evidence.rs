//! What a player wrote and what its processes do: the facts that may explain its fault.

use crate::Silence;
use std::time::Duration;

/// The lines of standard error that are quoted if no error is found in them.
const LAST_LINES: usize = 5;

/// Output and state of a player that may explain its fault.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// The line with its answer.
    pub reply: Option<Vec<u8>>,
    /// Its output after its last newline.
    pub partial: Vec<u8>,
    /// For a bot behind an adapter: what it was sent last, and what it wrote then.
    pub behind: Option<Behind>,
    /// Lines since the question that are no answer.
    pub unrecognised: Vec<Vec<u8>>,
    /// The last lines of its standard error.
    pub stderr: Vec<Vec<u8>>,
    /// The name of its script or program, which shows the language.
    pub program: String,
    /// Why it did not answer, if that is known.
    pub silence: Option<Silence>,
    /// If it has read all of the question, the number of lines after `board`, in a dialect with
    /// this line.
    pub read_after_board: Option<usize>,
    /// When its input was closed, it ended with an error other than the end of its input.
    pub ended_with_error: bool,
    /// It wrote an answer in this game before it was asked.
    pub answered_early: bool,
    /// Environment variables with folders of libraries that arbiter has and the bot does not get.
    pub withheld: Vec<&'static str>,
    /// How long after the question its answer came, if that was too late.
    pub took: Option<Duration>,
    /// Whether the illegal answer was a second answer to an earlier question.
    pub second_answer: Option<SecondAnswer>,
    /// The shell lines that give it a folder of its own, if it has none.
    pub own_folder: Option<[String; 2]>,
    /// The name of a program that it needs and that is in no known installation, so that the files
    /// around that program are closed to it.
    pub unknown_installation: Option<String>,
    /// The folder that it runs in; empty if that is not known.
    pub folder: String,
    /// It was sent something and has read nothing of it; known only of a console program.
    pub reads_nothing: bool,
    /// For a Java program: the file in its folders with the name of its class, compiled or else the
    /// source.
    pub class_file: Option<String>,
}

impl Evidence {
    /// The offending reply, as a log keeps it.
    pub fn offending_reply(&self) -> Vec<u8> {
        match &self.reply {
            Some(reply) => reply.clone(),
            None if !self.partial.is_empty() => self.partial.clone(),
            None => self.last_unrecognised().to_vec(),
        }
    }

    pub(super) fn last_unrecognised(&self) -> &[u8] {
        self.unrecognised.last().map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn last_of_stderr(&self) -> &[Vec<u8>] {
        &self.stderr[self.stderr.len().saturating_sub(LAST_LINES)..]
    }

    /// Whether something came that is no answer.
    pub(super) fn has_come(&self) -> bool {
        !(self.partial.is_empty() && self.unrecognised.is_empty())
    }
}

/// The last lines between an adapter and the bot behind it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Behind {
    /// The last line to the bot.
    pub sent: Vec<u8>,
    /// The last line of the bot since then; `None` if there is none.
    pub said: Option<Vec<u8>>,
}

/// What an illegal answer probably was: a second answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondAnswer {
    /// To the question of the ply of this number.
    To(usize),
    /// To an earlier question.
    Likely,
    /// To this one, with a ply that was legal when the ply of this number was asked for.
    Stale(usize),
}
