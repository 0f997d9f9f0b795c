//! What is wrong in the output of a whole game, in one sentence of the rules.

mod boards;

use super::cases::{Entry, ProgramCase};
use super::comparison::Happening;
use super::transcript::Event;
use arbiter_game::{Exit, LimitExceeded, ProgramEnd, Tasks};
use arbiter_rules::text::{counted, printable};
use arbiter_rules::{Ending, Position, Reason};
use boards::{Boards, square_name};
use std::iter::zip;

/// The most bytes of standard error that are quoted.
const QUOTED: usize = 120;

/// The sentence about the first event that differs; `None` if the events are equal.
pub(super) fn of_events(
    case: &ProgramCase,
    [expected, output]: [&[Happening]; 2],
) -> Option<String> {
    let at = zip(expected, output).take_while(|(one, other)| one.event == other.event).count();
    let wanted = event_at(expected, at);
    let came = event_at(output, at);
    if wanted.is_none() && came.is_none() {
        return None;
    }
    // The first board is that of the start; each further board and each refusal answers one entry.
    let answers = match (expected.get(at), expected.last()) {
        (Some(next), _) => next.answers,
        (None, Some(last)) => last.answers + usize::from(last.event.is_answer()),
        (None, None) => 0,
    };
    let moment = Moment { case, answers };
    if matches!(wanted, Some(Event::Board(_)))
        && came.is_some_and(|came| !came.is_board())
        && came == event_at(expected, at + 1)
    {
        return Some(moment.no_board());
    }
    // Other events may stand before the answer, and say less.
    if matches!(wanted, Some(Event::Board(_) | Event::Refusal)) && came.is_some() {
        match (next_answer(&expected[at..]), next_answer(&output[at..])) {
            (Some(Event::Board(right)), Some(Event::Board(printed))) if right != printed => {
                return Some(moment.board(right, printed));
            }
            (Some(Event::Board(_)), Some(Event::Refusal)) => return Some(moment.refused()),
            (Some(Event::Refusal), Some(Event::Board(_))) => return Some(moment.played()),
            _ => {}
        }
    }
    Some(moment.other(wanted, came))
}

/// Whether a program asks for more entries than there are.
pub(super) fn asks_on(case: &ProgramCase, output: &[Happening]) -> bool {
    // After the last entry the end of the input is found; a program may ask a few times in a turn.
    let questions = output.iter().filter(|one| matches!(one.event, Event::Prompt(_))).count();
    questions > 2 * case.entries.len() + 2
}

/// The event at this index.
fn event_at(happenings: &[Happening], at: usize) -> Option<&Event> {
    Some(&happenings.get(at)?.event)
}

/// The first of these events that answers an entry.
fn next_answer(happenings: &[Happening]) -> Option<&Event> {
    happenings.iter().map(|happening| &happening.event).find(|event| event.is_answer())
}

/// How a run ended, as the rest of a sentence after `it`; `None` if it ended by itself.
pub(super) fn of_end(end: ProgramEnd, stderr: &[u8], asks_on: bool) -> Option<String> {
    // What a program says last is usually why it ended.
    let last = stderr.split(|&byte| byte == b'\n').rfind(|line| !line.trim_ascii().is_empty());
    let said = match last {
        Some(line) => format!(" ({})", printable(line, QUOTED)),
        None => String::new(),
    };
    Some(match end {
        ProgramEnd::Ended(Exit::Status(_)) => return None,
        ProgramEnd::Ended(Exit::Signal(signal)) => {
            format!("was ended by signal {signal}{}{said}", signal_words(signal))
        }
        ProgramEnd::Computing => "computes without end: it used up its processor time".to_owned(),
        ProgramEnd::Waiting => "waits and does nothing, although its input has ended".to_owned(),
        ProgramEnd::Endless if asks_on => {
            "goes on asking after its input has ended: nothing checks whether `cin` failed"
                .to_owned()
        }
        ProgramEnd::Endless => "prints without end".to_owned(),
        ProgramEnd::Exceeded(limit) => format!("was stopped: {}", of_limit(limit)),
    })
}

/// The limit that a program exceeded, as the rest of a sentence after its name.
pub fn of_limit(limit: LimitExceeded) -> String {
    match limit {
        LimitExceeded::Memory(bytes) => {
            format!("used {} MiB of memory, more than it may", bytes >> 20)
        }
        LimitExceeded::Tasks(Tasks { processes, threads }) => {
            format!("had {processes} processes and {threads} threads, more than it may")
        }
        LimitExceeded::Output | LimitExceeded::Scratch(_) => "wrote more than it may".to_owned(),
    }
}

fn signal_words(signal: i32) -> &'static str {
    match signal {
        4 => ", an illegal instruction",
        6 => ", abort",
        7 => ", an access to memory that is not there",
        8 => ", a division by zero or another wrong arithmetic operation",
        11 => ", an access to memory that is not its own or a recursion too deep",
        _ => "",
    }
}

/// A point of a game: the entries that have been answered.
struct Moment<'a> {
    case: &'a ProgramCase,
    /// The number of boards and refusals before.
    answers: usize,
}

impl Moment<'_> {
    /// The entry that the next answer is for.
    fn entry(&self) -> Option<&Entry> {
        self.case.entries.get(self.answers.checked_sub(1)?)
    }

    /// The entry that was answered last.
    fn last_entry(&self) -> Option<&Entry> {
        self.case.entries.get(self.answers.checked_sub(2)?)
    }

    fn after_last(&self) -> String {
        match self.last_entry() {
            Some(entry) => format!("after {}", entry.text),
            None => "at the start".to_owned(),
        }
    }

    /// The position in which the next entry is typed.
    fn position(&self) -> Position {
        let mut position = self.case.ruleset.start();
        for entry in self.case.entries.iter().take(self.answers.saturating_sub(1)) {
            if let Some(ply) = entry.ply {
                position.play(ply);
            }
        }
        position
    }

    /// A legal entry was refused.
    fn refused(&self) -> String {
        let Some(entry) = self.entry() else {
            return "a refusal is printed before any move".to_owned();
        };
        match self.case.script {
            Some(_) => {
                format!("`move` returns true for {}, but the program refuses it", entry.text)
            }
            None => format!("{} is a legal move; it was refused", entry.text),
        }
    }

    /// An illegal entry was played.
    fn played(&self) -> String {
        let Some(entry) = self.entry() else {
            return "a board is printed too often at the start".to_owned();
        };
        if self.case.script.is_some() {
            return format!("`move` returns false for {}, but the program plays it", entry.text);
        }
        format!("{} must be refused: {}; it was played", entry.text, self.why())
    }

    /// Why the next entry is illegal.
    fn why(&self) -> String {
        let text = self.entry().map_or("", |entry| &entry.text);
        // Programs read a move as several values, with any blanks between them.
        let joined: String = text.split_whitespace().collect();
        match self.case.ruleset.read_ply(&joined) {
            Err(why) => why.to_string(),
            Ok(ply) => match self.position().check(ply) {
                Err(why) => why.to_string(),
                Ok(()) => String::new(),
            },
        }
    }

    /// A board is left out, and what follows it comes.
    fn no_board(&self) -> String {
        match self.entry() {
            Some(entry) => format!("the board after {} is not printed", entry.text),
            None => "the board at the start is not printed".to_owned(),
        }
    }

    /// The board after the next entry is not as it should be.
    fn board(&self, right: &[String], printed: &[String]) -> String {
        let Some(entry) = self.entry() else {
            return "the board at the start is another one".to_owned();
        };
        let after = format!("after {}", entry.text);
        if printed.len() != right.len() {
            return format!(
                "{after} {} of a board are printed; there are {}",
                counted(printed.len() as u64, "row"),
                right.len()
            );
        }
        if self.case.script.is_some() {
            return format!("{after} the program prints another board than that of the class");
        }
        let (position, Some(ply)) = (self.position(), entry.ply) else {
            return after + " the board is another one";
        };
        let board = Boards { ruleset: &self.case.ruleset, before: grid(&position), right, printed };
        // A board that another move leads to tells which one the program played.
        let other =
            position.plies().find(|&other| other != ply && grid(&position.after(other)) == printed);
        if let Some(other) = other {
            let meant = board.ruleset.ply_text(ply).to_string();
            let played = board.ruleset.ply_text(other);
            if entry.text == meant {
                return format!("{meant} was played as {played}");
            }
            return format!("{} is the move {meant}; it was played as {played}", entry.text);
        }
        if board.before == printed {
            return format!("{after} the board must have changed; it is the same as before");
        }
        format!("{after} {}", board.difference(&position.changes(ply)))
    }

    /// Something other than a board or the refusal of an entry.
    fn other(&self, wanted: Option<&Event>, came: Option<&Event>) -> String {
        let after = self.after_last();
        let ending = self.position().ending();
        let next = self.entry().map_or("the last move", |entry| &entry.text);
        let refused = self.last_entry().is_some_and(|entry| entry.ply.is_none());
        let ends = came.is_some_and(Event::is_result);
        match (wanted, came) {
            (Some(Event::Prompt(right)), Some(Event::Prompt(printed))) if refused => {
                format!("{after}, which is refused, {right} is asked again; {printed} is asked")
            }
            (Some(Event::Prompt(right)), Some(Event::Prompt(printed))) => {
                format!("{after} it is {right}'s turn; {printed} is asked")
            }
            (Some(event), Some(_)) if event.is_result() && !ends => {
                format!("{after} the game is over: {}; the program goes on", self.ended())
            }
            (Some(event), Some(came)) if event.is_result() => {
                format!(
                    "{after}, {}: {}; the program prints {}",
                    words(event),
                    self.ended(),
                    quoted(came)
                )
            }
            (Some(_), Some(_)) if ends && ending.is_none() => {
                format!("{after} the game is not over: {}; the program ends it", self.goes_on())
            }
            (Some(Event::Refusal), Some(_)) => {
                format!("{next} must be refused with a message: {}", self.refusal_why())
            }
            (Some(wanted), None) if wanted.is_result() => {
                format!("the output ends {after}; the result is missing: {}", words(wanted))
            }
            (Some(wanted @ Event::Prompt(_)), None) => {
                format!("the output ends {after}, where {} follows", words(wanted))
            }
            (Some(_), None) => format!("the output ends before {next} is answered"),
            (Some(wanted), Some(came)) => {
                format!("{after} {} follows; {} comes", words(wanted), words(came))
            }
            (None, Some(came)) => format!("the game is over, but {} comes", words(came)),
            (None, None) => String::new(),
        }
    }

    fn refusal_why(&self) -> String {
        match self.case.script {
            Some(_) => "`move` returns false".to_owned(),
            None => self.why(),
        }
    }

    /// Why a game is over.
    fn ended(&self) -> String {
        let position = self.position();
        let ruleset = &self.case.ruleset;
        if self.case.script.is_some() {
            return "`gameOver` says so".to_owned();
        }
        let Some(Ending { winner, reason }) = position.ending() else {
            return "the game has ended".to_owned();
        };
        let mut names = Vec::new();
        for &(row, column) in &position.winning_squares() {
            names.push(square_name(ruleset, row, column));
        }
        let line = ruleset.in_a_row().is_some() && !names.is_empty();
        match (reason, winner) {
            (Reason::Simultaneous, _) if ruleset.in_a_row().is_some() => {
                "both players have a line".to_owned()
            }
            (Reason::Simultaneous, _) => "the pieces of both players are connected".to_owned(),
            (Reason::AllPieces, Some(side)) => {
                format!("all pieces of {} are on the board", ruleset.letter(side))
            }
            (Reason::Line, Some(side)) => {
                format!("{} has a line on {}", ruleset.letter(side), names.join(" "))
            }
            (Reason::Suicide, Some(side)) if line => {
                format!("the move gives {} a line on {}", ruleset.letter(side), names.join(" "))
            }
            (Reason::Suicide, Some(side)) => {
                format!("the move connects the pieces of {} alone", ruleset.letter(side))
            }
            (_, Some(side)) => format!("all pieces of {} are connected", ruleset.letter(side)),
            (_, None) => "it is a draw".to_owned(),
        }
    }

    /// Why a game is not over.
    fn goes_on(&self) -> String {
        if self.case.script.is_some() {
            return "`gameOver` returns -".to_owned();
        }
        match self.case.ruleset.in_a_row() {
            Some(length) => {
                format!("neither player has {length} in a row or all pieces on the board")
            }
            None => "neither player's pieces are connected".to_owned(),
        }
    }
}

/// The rows of a board.
pub(super) fn grid(position: &Position) -> Vec<String> {
    let mut board = String::new();
    position.push_board(&mut board);
    board.lines().map(str::to_owned).collect()
}

/// An event as a part of a sentence.
fn words(event: &Event) -> String {
    match event {
        Event::Board(_) => "a board".to_owned(),
        Event::Prompt(player) => format!("the question to {player}"),
        Event::Refusal => "a refusal".to_owned(),
        Event::Wins(player) => format!("{player} wins"),
        Event::Draw => "the game is a draw".to_owned(),
    }
}

/// A result as a program prints it, more or less.
fn quoted(event: &Event) -> String {
    match event {
        Event::Wins(player) => format!("that {player} wins"),
        _ => "that the game is a draw".to_owned(),
    }
}

#[cfg(test)]
mod tests;
