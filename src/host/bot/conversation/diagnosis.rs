//! What a bot that has lost left behind, and why it was silent: found out before it is ended.

use super::exchange::read_until;
use super::hearing::LINE_BYTES;
use super::{Bot, CLOSING};
use crate::bot::stall::Patience;
use crate::locate::{class_file, unknown_installation};
use arbiter_game::protocol::ParsedLine;
use arbiter_game::{
    Evidence, Fault, Forfeit, NOTE_BYTES, Reply, Sandbox, SecondAnswer, Silence, ends_with_error,
    explain,
};
use std::env;
use std::time::{Duration, Instant};

/// How long a silent bot is looked at to see whether it computes, each time.
const LOOK: Duration = Duration::from_millis(30);
/// How often it must be seen to: the threads of a virtual machine compute now and then while its
/// program waits.
const LOOKS: u32 = 8;
/// A bot that uses less processor time than this in [`LOOK`] does not compute.
const IDLE: Duration = Duration::from_millis(10);
/// How long an answer may take to appear once the input of a bot is closed that does not read.
const LAST_OUTPUT: Duration = Duration::from_millis(500);

/// Variables by which interpreters find libraries, which bots do not get from `basic` on; each with
/// words of the error that a program prints if it lacks a library.
const LIBRARIES: [(&str, &[&str]); 6] = [
    ("PYTHONPATH", &["ModuleNotFoundError", "ImportError"]),
    ("NODE_PATH", &["Cannot find module", "Cannot find package"]),
    ("CLASSPATH", &["ClassNotFoundException", "NoClassDefFoundError", "find or load main class"]),
    ("PERL5LIB", &["in @INC"]),
    ("RUBYLIB", &["LoadError"]),
    ("LD_LIBRARY_PATH", &["shared librar", "shared object"]),
];

impl Bot {
    /// Why the bot lost, in a sentence, and the offending reply as a log keeps it. The bot cannot
    /// be asked again: its input may be closed to see whether an answer comes out that was never
    /// flushed.
    pub async fn explain(&mut self, forfeit: &Forfeit<'_>) -> (String, Vec<u8>) {
        self.has_lost = true;
        let mut evidence = self.evidence().await;
        let silent = forfeit.answer.reply.is_none();
        if silent && matches!(forfeit.fault, Fault::Timeout | Fault::NoStart) {
            evidence.silence = self.diagnose_silence().await;
            if evidence.silence == Some(Silence::Mute) {
                // What it says of the end of its input tells whether it only waited for more.
                self.process.settle_stderr(CLOSING).await;
                let stderr = self.process.stderr().last_lines(usize::MAX);
                if ends_with_error(&stderr) {
                    evidence.stderr = stderr;
                    evidence.ended_with_error = true;
                }
            }
            if let Some(Silence::AtEndOfInput(answer)) = &mut evidence.silence
                && let Some(said) = self.behind.as_ref().and_then(|behind| behind.said.as_ref())
            {
                answer.clone_from(said); // what it came from is the adapter's
            }
            if matches!(evidence.silence, Some(Silence::Late(_))) {
                evidence.took = Some(self.meter.asked_at().elapsed());
            }
        }
        if forfeit.fault == Fault::IllegalMove && !self.reads_bytes {
            evidence.second_answer = self.find_second_answer().await;
        }
        let sentence = explain(forfeit, &self.settings, &evidence, &*self.conversation);
        let mut reply = evidence.offending_reply();
        reply.truncate(NOTE_BYTES);
        (sentence, reply)
    }

    /// What the bot left behind. It waits a moment for what the bot last wrote to its standard
    /// error.
    async fn evidence(&mut self) -> Evidence {
        self.meter.let_run();
        let moment = if self.output_closed { CLOSING } else { Duration::from_millis(2) };
        self.process.settle_stderr(moment).await;
        let partial = self.lines.partial();
        let stderr = self.process.stderr().last_lines(usize::MAX);
        let unknown_installation =
            if self.strict { unknown_installation(&self.program) } else { None };
        Evidence {
            reply: (!self.reply.is_empty()).then(|| self.reply.clone()),
            partial: partial[..partial.len().min(LINE_BYTES)].to_vec(),
            behind: self.behind.clone(),
            unrecognised: self.unrecognised.clone(),
            withheld: self.withheld(&stderr),
            stderr,
            program: self.program.script_name(),
            silence: None,
            took: None,
            read_after_board: self.read_after_board(),
            ended_with_error: false,
            answered_early: self.answers_unasked,
            second_answer: None,
            own_folder: self.program.lines_for_own_folder(),
            unknown_installation,
            folder: self.program.dir.to_string_lossy().into_owned(),
            class_file: class_file(&self.program),
            // It was sent something, and everything is still in the pipe.
            reads_nothing: self.reads_bytes && self.sent > 0 && self.unread() == Some(self.sent),
        }
    }

    /// The number of lines after `board` in the last question, if the bot has read all of it.
    fn read_after_board(&self) -> Option<usize> {
        if self.unread()? > 0 {
            return None;
        }
        let (_, after) = self.request.split_once("board\n")?;
        Some(after.lines().count())
    }

    /// Variables with folders of libraries that arbiter has and withholds from the bot, and that
    /// the bot may lack by what it wrote to standard error.
    fn withheld(&self, stderr: &[Vec<u8>]) -> Vec<&'static str> {
        let mut withheld = Vec::new();
        if self.settings.limits.sandbox == Sandbox::Off {
            return withheld;
        }
        let stderr = String::from_utf8_lossy(&stderr.join(&b'\n')).into_owned();
        for (name, errors) in LIBRARIES {
            let is_missed = errors.iter().any(|error| stderr.contains(error));
            let is_set = self.program.spec.env.contains_key(name);
            if is_missed && !is_set && env::var_os(name).is_some() {
                withheld.push(name);
            }
        }
        withheld
    }

    /// Why a bot that was asked says nothing; `None` if that cannot be found out.
    async fn diagnose_silence(&mut self) -> Option<Silence> {
        if !self.process.lives() || self.output_closed {
            return None;
        }
        // What came for the question stays apart from what comes now.
        self.unrecognised.clear();
        let partial = self.lines.partial().len();
        let mut doing = Silence::Computing;
        for _ in 0..LOOKS {
            let before = self.meter.cpu();
            self.hear_for(LOOK, |_| false).await;
            if let Some(answer) = self.late_answer(partial) {
                return Some(Silence::Late(answer));
            }
            doing = self.meter.silence()?;
            // If its processor time is not known, what `/proc` shows of its threads decides.
            let is_idle = match (before, self.meter.cpu()) {
                (Some(before), Some(now)) => now.saturating_sub(before) < IDLE,
                _ => true,
            };
            if doing != Silence::Computing && is_idle {
                break;
            }
            doing = Silence::Computing;
        }
        if doing == Silence::Computing {
            return Some(doing);
        }
        let waits = doing == Silence::Waiting;
        // It never read all of the question, so its last line is still held back. What kept the
        // bot, perhaps the machine, is not known, and an answer now would prove nothing.
        if waits && self.is_held_back {
            return None;
        }
        // Of several threads one may read while another one is only late: then a further line
        // proves nothing.
        if waits
            && !self.reads_bytes
            && self.meter.is_single()
            && let Some(silence) = self.provoke().await
        {
            return Some(silence);
        }
        let unfinished = self.lines.partial().len();
        self.input = None;
        // What it kept comes when it ends at the end of its input, for which it has its grace where
        // that is long.
        let time = if waits { CLOSING.max(self.settings.time.grace) } else { LAST_OUTPUT };
        self.hear_for(time, |bot| {
            bot.whole_answer().is_some() || bot.reads_bytes && !bot.unrecognised.is_empty()
        })
        .await;
        Some(match self.late_answer(unfinished) {
            Some(answer) if waits => Silence::AtEndOfInput(answer),
            Some(answer) => Silence::Late(answer),
            None if waits && self.output_closed => Silence::Mute,
            None => doing,
        })
    }

    /// Sends a bot that waits for input although it has read all of the question a further line,
    /// then an empty one, then the last line of the question again, in case that it reads two lines
    /// at a time twice; returns what it answers then.
    async fn provoke(&mut self) -> Option<Silence> {
        let again = self.request.split_inclusive('\n').next_back().unwrap_or_default().to_owned();
        let ignored = self.conversation.ignored_line();
        for (number, line) in [ignored, "\n", &again, &again].into_iter().enumerate() {
            self.input.as_ref()?.try_write(line.as_bytes()).ok()?;
            for _ in 0..LOOKS {
                self.hear_for(LOOK, |bot| bot.whole_answer().is_some()).await;
                let has_read = self.unread().unwrap_or_default() == 0;
                if self.output_closed || has_read && self.meter.silence() == Some(Silence::Waiting)
                {
                    break;
                }
            }
            if let Some(answer) = self.whole_answer().map(<[u8]>::to_vec) {
                return Some(if number < 2 {
                    Silence::AfterLine(answer)
                } else {
                    Silence::AskedAgain(answer)
                });
            }
        }
        None
    }

    /// What it wrote since the question was over: an answer, or a line that is not complete.
    /// `before` is the length of such a line at that time.
    fn late_answer(&self, before: usize) -> Option<Vec<u8>> {
        let partial = self.lines.partial();
        let answer = if let Some(answer) = self.whole_answer() {
            answer
        } else if partial.len() != before {
            partial
        } else if self.reads_bytes {
            self.unrecognised.first()?
        } else {
            return None;
        };
        (!answer.is_empty()).then(|| answer.to_vec())
    }

    /// The answer among the whole lines that it wrote since the question was over.
    fn whole_answer(&self) -> Option<&[u8]> {
        for line in &self.unrecognised {
            if matches!(self.parsed(line), ParsedLine::Ready(_) | ParsedLine::Reply(_)) {
                return Some(line);
            }
        }
        None
    }

    /// The meaning of a line, as one about the last question.
    fn parsed<'a>(&self, line: &'a [u8]) -> ParsedLine<'a> {
        self.conversation.read(&self.asked.1, line)
    }

    /// Whether its answer is a second one to an earlier question: a further answer comes although
    /// it is asked no more. If it would have been legal at the question before, it was for that.
    async fn find_second_answer(&mut self) -> Option<SecondAnswer> {
        let (number, position) = self.answered.as_ref()?;
        let parsed = self.conversation.read(position, &self.reply);
        let was_legal =
            matches!(parsed, ParsedLine::Reply(Reply::Ply(ply)) if position.is_legal(ply));
        // The number of the question before, if the answer was for that.
        let before = was_legal.then_some(*number);
        self.unrecognised.clear();
        self.set_aside();
        let deadline = Instant::now() + if before.is_some() { CLOSING } else { LOOK };
        loop {
            let mut lines = self.unrecognised.iter();
            if lines.any(|line| self.parsed(line).is_answer()) {
                return Some(before.map_or(SecondAnswer::Likely, SecondAnswer::To));
            }
            if self.output_closed || Instant::now() >= deadline {
                break;
            }
            self.hear_for(LOOK, |_| false).await;
            if self.meter.silence() != Some(Silence::Computing) && self.unrecognised.is_empty() {
                break;
            }
        }
        before.map(SecondAnswer::Stale)
    }

    /// Listens for this time, or until the bot closes its output or has said enough; what comes is
    /// set aside. Returns what is left of the time.
    pub(super) async fn hear_for(
        &mut self,
        time: Duration,
        enough: impl Fn(&Bot) -> bool,
    ) -> Duration {
        let mut patience = Patience::new(time);
        while !self.output_closed && !enough(self) {
            let due = patience.next_look();
            let heard =
                read_until(&mut self.output, &mut self.chunk, &mut self.alarm, Some(due)).await;
            if let Some(count) = heard {
                self.take_in(count);
                self.set_aside();
            }
            // Also for a program that writes without end.
            if patience.is_over(due) {
                break;
            }
        }
        patience.left()
    }
}
