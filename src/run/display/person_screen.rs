//! The table of a person who plays: the screen, the keys, and the way of the answers to the game.

use arbiter_game::{Event, PersonTurn, Reply};
use arbiter_ground::output::{complain, print_if_open};
use arbiter_play::arena::PersonReplies;
use arbiter_show::view::{Colour, FullScreen, TableEffect, TableModel};
use crossterm::event::{Event as TerminalInput, KeyEventKind, MouseButton, MouseEventKind};
use std::collections::VecDeque;
use std::io;
use std::time::Instant;

/// What the screen of the table takes, in its order.
enum TableInput {
    Event(Event),
    /// A question to the person of this number.
    Turn(usize, PersonTurn),
}

/// A table at which one or two persons play.
#[derive(Default)]
pub struct PersonScreen {
    /// `None` when the persons have left.
    screen: Option<FullScreen>,
    model: TableModel,
    /// The ways of the answers, by the numbers of the BOTs.
    replies: [Option<PersonReplies>; 2],
    /// The person who is asked, and the number of the ply.
    asked: Option<(usize, usize)>,
    /// What comes while the end of a game is looked at.
    waiting: VecDeque<TableInput>,
    /// What is printed when the terminal is as before: results, and notes for standard error.
    results: Vec<String>,
    notes: Vec<String>,
}

impl PersonScreen {
    /// Fills the terminal with a table for a match of this number of games.
    ///
    /// # Errors
    /// The terminal cannot do this.
    pub fn enter(colour: Colour, games: u32) -> io::Result<PersonScreen> {
        let screen = Some(FullScreen::enter(colour)?);
        let model = TableModel::new(games);
        Ok(PersonScreen { screen, model, ..PersonScreen::default() })
    }

    /// A person sits down, as the BOT of this number.
    pub(crate) fn add_person(&mut self, person: usize, replies: PersonReplies) {
        self.replies[person] = Some(replies);
    }

    /// Shows an event, after the end of the game before it has been looked at.
    pub fn show(&mut self, event: Event) {
        self.waiting.push_back(TableInput::Event(event));
        self.advance();
    }

    /// Asks a person. A clock does not wait until the end of the game before has been looked at.
    pub fn ask(&mut self, person: usize, turn: PersonTurn) {
        if turn.deadline.is_some() && self.model.is_over() {
            self.model.go_on();
        }
        self.waiting.push_back(TableInput::Turn(person, turn));
        self.advance();
    }

    fn advance(&mut self) {
        while !self.is_looking() {
            match self.waiting.pop_front() {
                Some(TableInput::Event(event)) => self.model.show(&event, Instant::now()),
                Some(TableInput::Turn(person, turn)) => {
                    self.asked = Some((person, turn.number));
                    self.model.ask(turn);
                }
                None => return,
            }
        }
    }

    /// Whether the end of a game is looked at.
    pub(crate) fn is_looking(&self) -> bool {
        self.screen.is_some() && self.model.is_over()
    }

    /// Takes what the person does: a key, or a click. A changed size is seen when the screen is
    /// drawn.
    pub fn input(&mut self, input: &TerminalInput) {
        let effect = match input {
            TerminalInput::Key(key) if key.kind != KeyEventKind::Release => self.model.key(*key),
            TerminalInput::Mouse(mouse)
                if mouse.kind == MouseEventKind::Down(MouseButton::Left) =>
            {
                let area = self.screen.as_ref().map(FullScreen::area).unwrap_or_default();
                self.model.click(area, mouse.column, mouse.row)
            }
            _ => None,
        };
        match effect {
            Some(TableEffect::Answer(reply)) => self.answer(Some(reply)),
            Some(TableEffect::GoOn) => {
                self.model.go_on();
                self.advance();
            }
            Some(TableEffect::Leave) => self.leave(),
            None => {}
        }
    }

    fn answer(&mut self, reply: Option<Reply>) {
        self.model.take_turn();
        let Some((person, number)) = self.asked.take() else { return };
        if let Some(replies) = &self.replies[person] {
            replies.send(number, reply);
        }
    }

    /// Answers nothing if a flag has fallen, and draws.
    pub fn tick(&mut self) {
        let now = Instant::now();
        if self.model.deadline().is_some_and(|deadline| now >= deadline) {
            self.answer(None);
        }
        let Some(screen) = &mut self.screen else { return };
        if screen.draw(|grid| self.model.draw(now, grid)).is_err() {
            self.leave(); // the terminal is gone
        }
    }

    /// The persons leave: the game that runs, or the next one, is broken off, and the match ends.
    pub fn leave(&mut self) {
        self.replies = [None, None];
        self.close();
    }

    /// The line of a finished game.
    pub fn end(&mut self, line: String) {
        match &self.screen {
            Some(_) => self.results.push(line),
            None => drop(print_if_open(line)),
        }
    }

    /// A line of arbiter's own.
    pub fn note(&mut self, line: String) {
        match &self.screen {
            Some(_) => self.notes.push(line),
            None => complain(line),
        }
    }

    /// Leaves the terminal as it was, and prints what has been said.
    pub fn close(&mut self) {
        self.screen = None;
        for line in self.notes.drain(..) {
            complain(line);
        }
        for line in self.results.drain(..) {
            let _ = print_if_open(line);
        }
    }
}
