//! The conversation with a console program: a state machine on what it prints, byte by byte.

use super::heard::{Heard, last_lines};
use super::template::compile;
use super::{BlockCursor, Context, Entry, Forms, Listen, Pattern, Table, Values};
use crate::protocol::{Conversation, ParsedLine, Prompts, Stream};
use crate::{End, Garbled, Reply, Start, Turn};
use arbiter_rules::{Ply, Position, Side};
use regex::bytes::Regex;
use std::collections::VecDeque;
use std::sync::Arc;

/// The most bytes of a refusal that are quoted.
const QUOTED: usize = 200;

/// A conversation with one program.
#[derive(Debug)]
pub(in crate::protocol) struct Console {
    pub(super) table: Arc<Table>,
    pub(super) phase: Phase,
    pub(super) streams: Vec<Heard>,
    /// The game, once it has begun.
    pub(super) game: Option<Game>,
    /// What the table has no words for in this game, as a sentence.
    pub(super) trouble: Option<String>,
    /// The side plays another ply in the same turn.
    pub(super) moves_again: bool,
    /// The stream on which it printed last, by its place in `streams`.
    pub(super) last: usize,
    /// Something is to be searched.
    is_fresh: bool,
    /// An answer is at the end of what came.
    is_undecided: bool,
    /// Nothing more comes before the program is sent something.
    is_all: bool,
}

/// What the program is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// What it asks before its first ply is answered.
    Setup,
    /// Nothing.
    Waiting,
    /// To move.
    Turn,
}

/// The patterns of a game and how far it went.
#[derive(Debug)]
pub(super) struct Game {
    values: Values,
    you: Side,
    /// The prompts of `setup` and `ask`; none for entries that have none.
    setup: Vec<Option<Regex>>,
    ask: Vec<Option<Regex>>,
    answer: Regex,
    forms: Forms,
    resign: Option<Regex>,
    blocks: BlockCursor,
    /// The position that the program knows, and how many plies led to it.
    known: Position,
    told: usize,
    /// What is sent at the beginning of the first turn.
    held_back: String,
    turns: usize,
    /// The last answer of `setup` is held back.
    holds_back: bool,
    /// What is still to be sent before the program decides.
    pub(super) steps: VecDeque<Step>,
    /// The entries of `ask` that were sent in this turn.
    asked: Vec<bool>,
    /// The text that the last prompt asked for.
    due: Option<Due>,
}

/// A text that is sent, of this entry of `ask`; none for `turn`.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) ask: Option<usize>,
    text: String,
}

/// What a prompt asks for.
#[derive(Debug)]
enum Due {
    /// This text of `setup`.
    Setup(String),
    /// The next of the steps of a turn.
    Step,
}

/// A piece of output and its meaning.
type Piece = (Vec<u8>, ParsedLine<'static>);

impl Game {
    fn new(table: &Table, start: &Start<'_>) -> Result<Game, String> {
        let values = Values::new(table, start);
        let prompts = |entries: &[Entry]| -> Result<Vec<Option<Regex>>, String> {
            let prompt = |pattern: &Pattern| {
                let expression = pattern.expression(&values)?;
                // With a newline if a comment at the end of the pattern hides what follows it.
                let at_end = |newline| compile(&format!("(?:{expression}{newline})\\s*\\z"));
                at_end("").or_else(|_| at_end("\n"))
            };
            entries.iter().map(|entry| entry.prompt.as_ref().map(prompt).transpose()).collect()
        };
        let answer = table.answer.compile(&values)?;
        Ok(Game {
            you: start.you,
            setup: prompts(&table.setup)?,
            ask: prompts(&table.ask)?,
            forms: Forms::of(&answer)?,
            answer,
            resign: table.resign.as_ref().map(|resign| resign.compile(&values)).transpose()?,
            blocks: BlockCursor::default(),
            known: start.position.clone(),
            told: 0,
            held_back: String::new(),
            turns: 0,
            holds_back: start.you == start.position.side()
                || table.ask.iter().all(|entry| entry.prompt.is_none()),
            steps: VecDeque::new(),
            asked: vec![false; table.ask.len()],
            due: None,
            values,
        })
    }

    /// The decision in a text with a match of `move` at an offset.
    fn read_answer(&self, position: &Position, text: &[u8], at: usize) -> Option<Reply> {
        let captures = self.answer.captures_at(text, at)?;
        Some(self.forms.read(&captures, &self.values, position))
    }

    /// The line that an entry of `setup` sends; an error if it is about a further block, and the
    /// board has no more.
    fn setup_line(&mut self, entry: &Entry) -> Result<String, String> {
        Ok(self.blocks.text(&entry.send, &self.values)? + "\n")
    }

    /// Appends what `setup` sends if each prompt comes once, and those of blocks once for each
    /// block. What is held back is kept.
    fn push_all_of_setup(&mut self, out: &mut String, entries: &[Entry]) -> Result<(), String> {
        let last = self.setup.iter().rposition(Option::is_some).filter(|_| self.holds_back);
        let prompted: Vec<usize> =
            (0..entries.len()).filter(|&number| self.setup[number].is_some()).collect();
        for group in prompted
            .chunk_by(|&one, &next| entries[one].send.has_block() == entries[next].send.has_block())
        {
            let times =
                if entries[group[0]].send.has_block() { self.values.block_count() } else { 1 };
            for &number in group.iter().cycle().take(times * group.len()) {
                let text = self.setup_line(&entries[number])?;
                let out = if Some(number) == last { &mut self.held_back } else { &mut *out };
                out.push_str(&text);
            }
        }
        Ok(())
    }

    /// Learns what happened since the last turn: each ply of the opponent is to be told.
    fn learn(&mut self, table: &Table, turn: &Turn<'_>) -> Result<(), String> {
        for &ply in &turn.plies[self.told..] {
            let is_told = self.known.side() != self.you
                && (ply != Ply::Pass || self.tells_passes(table, ply));
            if is_told {
                for (number, entry) in table.ask.iter().enumerate() {
                    let text = entry.send.text(&self.values, Context::Ply(&self.known, ply))?;
                    self.steps.push_back(Step { ask: Some(number), text });
                }
            }
            self.known = self.known.after(ply);
        }
        self.told = turn.plies.len();
        if let Some(template) = &table.turn {
            let text = template.text(&self.values, Context::Board(turn.position))?;
            self.steps.push_back(Step { ask: None, text });
        }
        Ok(())
    }

    /// Whether the opponent's pass is sent. A program that knows the rules neither prompts for a
    /// move where there is none nor needs to be told, so a pass is sent only if the table can say
    /// it and waits for nothing.
    fn tells_passes(&self, table: &Table, pass: Ply) -> bool {
        let told = Context::Ply(&self.known, pass);
        let can_tell = |entry: &Entry| entry.send.text(&self.values, told).is_ok();
        table.ask.iter().all(|entry| entry.prompt.is_none() && can_tell(entry))
    }

    /// Sends the next text, and those behind it that need no prompt.
    fn push_steps(&mut self, out: &mut String, mut is_prompted: bool) {
        while let Some(step) = self.steps.front() {
            let waits = step.ask.is_some_and(|ask| self.ask[ask].is_some());
            if waits && !std::mem::take(&mut is_prompted) {
                return;
            }
            if let Some(ask) = step.ask {
                self.asked[ask] = true;
            }
            out.push_str(&step.text);
            out.push('\n');
            self.steps.pop_front();
        }
    }
}

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
            is_all: false,
        }
    }

    /// The first of these prompts that is at the end of what came, with its text.
    fn prompted<'a>(
        &self,
        prompts: impl Iterator<Item = &'a Option<Regex>>,
    ) -> Option<(usize, Vec<u8>)> {
        prompts.enumerate().find_map(|(number, prompt)| {
            let prompt = prompt.as_ref()?;
            let found = self.streams.iter().find_map(|heard| heard.find_prompt(prompt))?;
            Some((number, found.to_vec()))
        })
    }

    /// Whether a prompt of `ask` is at the end of what came.
    pub(super) fn asks_for_ply(&self) -> bool {
        self.game.as_ref().is_some_and(|game| self.prompted(game.ask.iter()).is_some())
    }

    /// The program was told all blocks and asks for one more, so it has refused one.
    fn has_no_further_block(&mut self, prompt: Vec<u8>) -> Piece {
        if self.phase == Phase::Turn {
            self.phase = Phase::Waiting; // in setup the program is not ready
        }
        (prompt, ParsedLine::Garbled(Garbled::FurtherBlock))
    }

    /// Looks for a prompt of `setup`, or for one of `ask`, which ends it.
    fn hear_setup(&mut self) -> Option<Piece> {
        let game = self.game.as_ref()?;
        let Some((number, text)) = self.prompted(game.setup.iter()) else {
            let (_, text) = self.prompted(game.ask.iter())?;
            self.phase = Phase::Waiting;
            return Some((text, ParsedLine::Prompt));
        };
        let game = self.game.as_mut()?;
        let Ok(sent) = game.setup_line(&self.table.setup[number]) else {
            return Some(self.has_no_further_block(text));
        };
        if game.holds_back && game.setup.iter().rposition(Option::is_some) == Some(number) {
            // So that the program cannot think before its clock runs.
            game.held_back = sent;
            self.phase = Phase::Waiting;
        } else {
            game.due = Some(Due::Setup(sent));
        }
        Some((text, ParsedLine::Prompt))
    }

    /// Looks for an answer, then for a prompt.
    fn hear_turn(&mut self, position: &Position) -> Option<Piece> {
        if self.game.as_ref()?.steps.is_empty()
            && let Some(found) = self.hear_answer(position)
        {
            return found;
        }
        let game = self.game.as_ref()?;
        let next = game.steps.front().and_then(|step| step.ask);
        if let Some((_, text)) = next.and_then(|ask| self.prompted(game.ask[ask..=ask].iter())) {
            self.game.as_mut()?.due = Some(Due::Step);
            return Some((text, ParsedLine::Prompt));
        }
        if game.turns == 1
            && let Some((number, text)) = self.prompted(game.setup.iter())
        {
            let game = self.game.as_mut()?;
            let Ok(sent) = game.setup_line(&self.table.setup[number]) else {
                return Some(self.has_no_further_block(text));
            };
            game.due = Some(Due::Setup(sent));
            return Some((text, ParsedLine::Prompt));
        }
        let asked = game.ask.iter().zip(&game.asked).filter(|&(_, &asked)| asked);
        let (_, text) = self.prompted(asked.map(|(prompt, _)| prompt))?;
        self.phase = Phase::Waiting;
        let said = self.streams.iter().map(|heard| heard.since().trim_ascii());
        let said = said.filter(|said| said.ends_with(&text)).max_by_key(|said| said.len());
        let lines = last_lines(said.unwrap_or(&text), usize::MAX);
        let quoted = lines[lines.len().saturating_sub(QUOTED)..].to_vec();
        Some((quoted, ParsedLine::Garbled(Garbled::Refused)))
    }

    /// Looks for an answer; the inner option is none if there is one that further bytes may change.
    fn hear_answer(&mut self, position: &Position) -> Option<Option<Piece>> {
        let game = self.game.as_ref()?;
        let found = self.streams.iter_mut().find_map(|heard| {
            let found = heard.find_answer(&game.answer, game.resign.as_ref())?;
            Some((heard, found))
        });
        let (heard, found) = found?;
        self.is_undecided = heard.is_at_end(&found) && !self.is_all;
        if self.is_undecided {
            return Some(None);
        }
        let (text, at) = heard.answer(&found);
        let reply =
            if found.resigns { Reply::Resign } else { game.read_answer(position, text, at)? };
        let text = heard.text(&found).to_vec();
        heard.take(&found);
        self.phase = Phase::Waiting;
        Some(Some((text, ParsedLine::Reply(reply))))
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
        let mut game = Game::new(&table, start)?;
        let mut text = String::new();
        for entry in table.setup.iter().filter(|entry| entry.prompt.is_none()) {
            text += &game.setup_line(entry)?;
        }
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
            let _ = self.noted(pushed); // a program that prompts so would be refused a block
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
        let heard = self.streams.iter_mut().enumerate().find(|(_, heard)| heard.stream == stream);
        let Some((number, heard)) = heard.filter(|_| !bytes.is_empty()) else { return };
        heard.push(bytes);
        if !bytes.trim_ascii().is_empty() {
            self.last = number;
        }
        (self.is_fresh, self.is_undecided, self.is_all) = (true, false, false);
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
            (self.is_fresh, self.is_all) = (true, true);
        }
    }
}

#[cfg(test)]
mod tests;
