//! A bot that can be scheduled, and what changes in its folder from then on.

use arbiter_cup::tournament::Entrant;
use arbiter_host::locate::{ContentRules, FoundContent, Program, ProgramError};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// A bot that can be scheduled.
#[derive(Debug, Clone)]
pub struct ReadyBot {
    pub entrant: Entrant,
    pub program: Arc<Program>,
    /// The files that it plays with, as they were before the first game.
    pub found: FoundContent,
    /// Names of those that its build or the bot itself makes.
    changing: BTreeSet<String>,
    /// The organiser's files that may lie in its folder.
    organisers: Vec<PathBuf>,
}

impl ReadyBot {
    /// A bot that has started.
    pub fn new(
        entrant: Entrant,
        program: Arc<Program>,
        found: FoundContent,
        organisers: Vec<PathBuf>,
    ) -> ReadyBot {
        let mut bot = ReadyBot { entrant, program, found, changing: BTreeSet::new(), organisers };
        bot.note_products();
        bot
    }

    /// Takes the form in which it is scheduled: another run may know more files that its build or
    /// the bot made.
    pub fn schedule(&mut self, entrant: &Entrant) {
        self.entrant = entrant.clone();
        self.note_products();
    }

    /// What the build or the bot made may change, except the program itself.
    fn note_products(&mut self) {
        let program = self.program.program_files();
        let made = self.entrant.products.keys().filter(|name| !program.contains(*name));
        self.changing.extend(made.cloned());
    }

    /// What has changed since the first game, by its names; `last` is the last look at its files.
    /// Files that were not there count if `all` does.
    pub fn changes(&self, last: &mut FoundContent, all: bool) -> Vec<String> {
        let Ok(now) = self.program.content(self.rules(), Some(last)) else {
            return vec!["its folder".to_owned()];
        };
        let before = self.found.content.without(&self.changing);
        let appeared = if all { BTreeSet::new() } else { self.found.appeared_in(&now) };
        let files = now.content.without(&self.changing).without(&appeared).differences(&before);
        *last = now;
        files
    }

    /// The files of its content that were not there before the first game.
    ///
    /// # Errors
    /// Its folder cannot be read.
    pub fn appeared(&self) -> Result<BTreeSet<String>, ProgramError> {
        Ok(self.found.appeared_in(&self.program.content(self.rules(), Some(&self.found))?))
    }

    fn rules(&self) -> ContentRules<'_> {
        ContentRules { patterns: self.program.spec.digest.as_deref(), organisers: &self.organisers }
    }
}
