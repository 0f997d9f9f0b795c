//! The conversation with a console program: a state machine on what it prints, byte by byte.

use super::game::{ConsoleGame, Due, Step};
use super::heard::{Heard, last_lines};
use super::{Listen, Table};
use crate::protocol::{Conversation, ParsedLine, Prompts, Stream};
use crate::{End, Garbled, Reply, Start, Turn};
use arbiter_rules::Position;
use regex::bytes::Regex;
use std::sync::Arc;

/// The most bytes of a refusal that are quoted, from its end.
const QUOTED: usize = 200;

/// A conversation with one program.
#[derive(Debug)]
pub(in crate::protocol) struct Console {
    pub(super) table: Arc<Table>,
    pub(super) phase: Phase,
    pub(super) streams: Vec<Heard>,
    /// The game, once it has begun.
    pub(super) game: Option<ConsoleGame>,
    /// What the table has no words for in this game, as a sentence.
    pub(super) trouble: Option<String>,
    /// The side plays another ply in the same turn.
    pub(super) moves_again: bool,
    /// The stream on which it printed last, by its place in `streams`.
    pub(super) last: usize,
    /// There are bytes that were not searched yet.
    is_fresh: bool,
    /// An answer is at the end of what came, so that further bytes may change it.
    is_undecided: bool,
    /// What came is all: nothing follows before the program is sent something.
    is_complete: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Prompts of `setup` are answered.
    Setup,
    /// The program has nothing to do.
    Waiting,
    /// The program is to move.
    Turn,
}

/// A piece of output and its meaning.
type Piece = (Vec<u8>, ParsedLine<'static>);

impl Console {
    pub(in crate::protocol) fn new(table: Arc<Table>) -> Console {
        let streams = streams(table.listen).iter().map(|&stream| Heard::new(stream)).collect();
        Console {
            table,
            phase: Phase::Setup,
            streams,
            game: None,
            trouble: None,
            moves_again: false,
            last: 0,
            is_fresh: false,
            is_undecided: false,
            is_complete: false,
        }
    }

    /// The text of a prompt, if it is at the end of what came on a stream.
    fn find_prompt(&self, prompt: &Option<Regex>) -> Option<Vec<u8>> {
        let prompt = prompt.as_ref()?;
        self.streams.iter().find_map(|heard| heard.find_prompt(prompt)).map(<[u8]>::to_vec)
    }

    /// The first of these prompts that is at the end of what came, with its text.
    fn first_prompt(&self, prompts: &[Option<Regex>]) -> Option<(usize, Vec<u8>)> {
        for (number, prompt) in prompts.iter().enumerate() {
            if let Some(text) = self.find_prompt(prompt) {
                return Some((number, text));
            }
        }
        None
    }

    /// Whether a prompt of `ask` is at the end of what came.
    pub(super) fn asks_for_ply(&self) -> bool {
        self.game.as_ref().is_some_and(|game| self.first_prompt(&game.ask).is_some())
    }

    /// Answers a prompt of `setup`.
    fn answer_setup(&mut self, number: usize, prompt: Vec<u8>) -> Option<Piece> {
        let game = self.game.as_mut()?;
        let Ok(sent) = game.setup_line(&self.table.setup[number]) else {
            // The program was told all blocks and asks for one more, so it has refused one. Before
            // its first turn it stays in `Setup`: it never gets ready.
            if self.phase == Phase::Turn {
                self.phase = Phase::Waiting;
            }
            return Some((prompt, ParsedLine::Garbled(Garbled::FurtherBlock)));
        };
        if self.phase == Phase::Setup && game.held_back_entry() == Some(number) {
            game.held_back = sent;
            self.phase = Phase::Waiting;
        } else {
            game.due = Some(Due::Setup(sent));
        }
        Some((prompt, ParsedLine::Prompt))
    }

    /// Looks for a prompt of `setup`, or for one of `ask`, which ends it.
    fn hear_setup(&mut self) -> Option<Piece> {
        let game = self.game.as_ref()?;
        if let Some((number, text)) = self.first_prompt(&game.setup) {
            return self.answer_setup(number, text);
        }
        let (_, text) = self.first_prompt(&game.ask)?;
        self.phase = Phase::Waiting;
        Some((text, ParsedLine::Prompt))
    }

    /// Looks for an answer, then for a prompt.
    fn hear_turn(&mut self, position: &Position) -> Option<Piece> {
        // 1. An answer, once the program knows all that it has to know.
        if self.game.as_ref()?.steps.is_empty() {
            let answer = self.hear_answer(position);
            if answer.is_some() || self.is_undecided {
                return answer;
            }
        }
        // 2. The prompt of what is sent next.
        let game = self.game.as_ref()?;
        if let Some(Step { ask: Some(ask), .. }) = game.steps.front()
            && let Some(text) = self.find_prompt(&game.ask[*ask])
        {
            self.game.as_mut()?.due = Some(Due::Step);
            return Some((text, ParsedLine::Prompt));
        }
        // 3. Before its first ply, further prompts of `setup`: the last one was held back.
        if game.turns == 1
            && let Some((number, text)) = self.first_prompt(&game.setup)
        {
            return self.answer_setup(number, text);
        }
        // 4. A prompt that was answered in this turn: the program has refused the answer.
        for (prompt, &asked) in game.ask.iter().zip(&game.asked) {
            if asked && let Some(text) = self.find_prompt(prompt) {
                self.phase = Phase::Waiting;
                return Some((self.refusal(&text), ParsedLine::Garbled(Garbled::Refused)));
            }
        }
        None
    }

    /// The end of what the program printed when it refused what it was sent.
    fn refusal(&self, prompt: &[u8]) -> Vec<u8> {
        let mut said = prompt;
        for heard in &self.streams {
            let since = heard.since().trim_ascii();
            if since.ends_with(prompt) && since.len() >= said.len() {
                said = since;
            }
        }
        let lines = last_lines(said, usize::MAX);
        lines[lines.len().saturating_sub(QUOTED)..].to_vec()
    }

    /// Looks for an answer. One that further bytes may change makes the console undecided.
    fn hear_answer(&mut self, position: &Position) -> Option<Piece> {
        let game = self.game.as_ref()?;
        self.is_undecided = false;
        for heard in &mut self.streams {
            let resign = game.resign.as_ref();
            let Some(found) = heard.find_answer(&game.answer, resign) else { continue };
            // `a1` may become `a12` with the next byte.
            if heard.is_at_end(&found) && !self.is_complete {
                self.is_undecided = true;
                return None;
            }
            let (text, at) = heard.answer(&found);
            let reply =
                if found.resigns { Reply::Resign } else { game.read_answer(position, text, at)? };
            let answer = heard.text(&found).to_vec();
            heard.take(&found);
            self.phase = Phase::Waiting;
            return Some((answer, ParsedLine::Reply(reply)));
        }
        None
    }

    /// Keeps the first thing that the table has no words for: it is the program's fault, and
    /// explained to its author.
    fn noted(&mut self, result: Result<(), String>) -> Result<(), String> {
        if let Err(why) = &result {
            self.trouble.get_or_insert_with(|| why.clone());
        }
        result
    }

    fn begin(&mut self, out: &mut String, start: &Start<'_>) -> Result<(), String> {
        let table = Arc::clone(&self.table);
        let mut game = ConsoleGame::new(&table, start)?;
        let mut text = String::new();
        for entry in table.setup.iter().filter(|entry| entry.prompt.is_none()) {
            text += &game.setup_line(entry)?;
        }
        // Without prompts nothing shows when the program is ready, so it gets all of this with its
        // first turn, when its clock runs.
        if game.setup.iter().any(Option::is_some) {
            out.push_str(&text);
        } else {
            game.held_back = text;
            self.phase = Phase::Waiting;
        }
        self.game = Some(game);
        Ok(())
    }

    fn begin_turn(&mut self, out: &mut String, turn: &Turn<'_>) -> Result<(), String> {
        let Some(game) = &mut self.game else { return Err("the game has not begun".to_owned()) };
        game.turns += 1;
        game.steps.clear();
        game.asked.fill(false);
        game.learn(&self.table, turn)?;
        let before = out.len();
        out.push_str(&std::mem::take(&mut game.held_back));
        game.push_steps(out, false);
        self.phase = Phase::Turn;
        // What came while the program was not asked is searched again, now for an answer.
        self.is_fresh = true;
        self.moves_again = turn.same_side_again && turn.refused.is_none();
        for heard in &mut self.streams {
            heard.set_searched(false);
        }
        if out.len() > before {
            self.draw_line();
        }
        Ok(())
    }
}

fn streams(listen: Listen) -> &'static [Stream] {
    match listen {
        Listen::Stdout => &[Stream::Stdout],
        Listen::Stderr => &[Stream::Stderr],
        Listen::Both => &[Stream::Stdout, Stream::Stderr],
    }
}

impl Conversation for Console {
    fn push_start(&mut self, out: &mut String, start: &Start<'_>) -> Result<(), String> {
        let begun = self.begin(out, start);
        self.noted(begun)
    }

    fn is_ready(&self) -> bool {
        self.phase != Phase::Setup
    }

    fn push_turn(&mut self, out: &mut String, turn: &Turn<'_>) -> Result<(), String> {
        let begun = self.begin_turn(out, turn);
        self.noted(begun)
    }

    fn push_prompted(&mut self, out: &mut String) {
        let Some(game) = &mut self.game else { return };
        match game.due.take() {
            None => return,
            Some(Due::Setup(text)) => out.push_str(&text),
            Some(Due::Step) => game.push_steps(out, true),
        }
        self.draw_line();
    }

    fn push_rest(&mut self, out: &mut String) {
        let Some(game) = &mut self.game else { return };
        if self.phase == Phase::Setup {
            let pushed = game.push_all_of_setup(out, &self.table.setup);
            self.phase = Phase::Waiting;
            // A program that prompts like this would be refused a block, which `noted` keeps.
            let _ = self.noted(pushed);
        } else {
            while !game.steps.is_empty() {
                game.push_steps(out, true);
            }
        }
    }

    fn push_end(&mut self, _out: &mut String, _end: &End<'_>) {
        self.phase = Phase::Waiting;
    }

    fn push_quit(&self, _out: &mut String) {}

    fn read<'a>(&self, position: &Position, line: &'a [u8]) -> ParsedLine<'a> {
        let Some(game) = &self.game else { return ParsedLine::Unrecognised };
        if game.resign.as_ref().is_some_and(|resign| resign.is_match(line)) {
            return ParsedLine::Reply(Reply::Resign);
        }
        game.read_answer(position, line, 0).map_or(ParsedLine::Unrecognised, ParsedLine::Reply)
    }

    fn prompts(&mut self) -> Option<&mut dyn Prompts> {
        Some(self)
    }
}

impl Prompts for Console {
    fn streams(&self) -> &'static [Stream] {
        streams(self.table.listen)
    }

    fn take_in(&mut self, stream: Stream, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let number = self.streams.iter().position(|heard| heard.stream == stream);
        let Some(number) = number else { return };
        self.streams[number].push(bytes);
        if !bytes.trim_ascii().is_empty() {
            self.last = number;
        }
        self.is_fresh = true;
        self.is_undecided = false;
        self.is_complete = false;
    }

    fn draw_line(&mut self) {
        for heard in &mut self.streams {
            heard.draw_line();
        }
    }

    fn hear(&mut self, position: &Position) -> Option<Piece> {
        if !std::mem::take(&mut self.is_fresh) {
            return None;
        }
        let piece = match self.phase {
            Phase::Setup => self.hear_setup(),
            Phase::Waiting => None,
            Phase::Turn => self.hear_turn(position),
        };
        for heard in &mut self.streams {
            heard.set_searched(true);
        }
        piece
    }

    fn is_undecided(&self) -> bool {
        self.is_undecided
    }

    fn decide(&mut self) {
        if std::mem::take(&mut self.is_undecided) {
            self.is_fresh = true;
            self.is_complete = true;
        }
    }
}

#[cfg(test)]
mod tests;
