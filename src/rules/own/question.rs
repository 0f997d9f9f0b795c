//! What a position of a custom game has to ask before a ply can be judged and played.
//!
//! A [`Question`] is made without asking; whoever has it decides how it waits for the answer:
//! [`wait`](Question::wait) blocks the thread, [`hear`](Question::hear) leaves the event loop to
//! others. The [`RulesAnswer`] is then kept with the position, which from there on only reads it.

use super::board::OwnBoard;
use super::{EngineAnswer, EngineQuestion};
use crate::{Illegal, Ply, RulesFault};

/// A question to the rules of a custom game about a ply.
#[derive(Debug)]
pub struct Question {
    board: OwnBoard,
    ply: Ply,
    /// The position after the ply, as a log tells it.
    logged: Option<OwnBoard>,
    asked: EngineQuestion,
}

/// What the rules said to a question.
#[derive(Debug)]
pub struct RulesAnswer {
    question: Question,
    said: Result<EngineAnswer, RulesFault>,
}

impl Question {
    /// Asks the rules, and blocks the thread until they answer.
    pub fn wait(self) -> RulesAnswer {
        let said = match self.board.rules().engine() {
            Some(engine) => engine.answer(&self.asked),
            None => Err(unknown()),
        };
        RulesAnswer { question: self, said }
    }

    /// Asks the rules on the event loop of the caller.
    pub async fn hear(self) -> RulesAnswer {
        let said = match self.board.rules().engine() {
            Some(engine) => engine.answering(&self.asked).await,
            None => Err(unknown()),
        };
        RulesAnswer { question: self, said }
    }
}

/// Only rules that can be asked make questions.
fn unknown() -> RulesFault {
    RulesFault::new("the rules are not known")
}

impl RulesAnswer {
    /// Keeps the answer with the position that it is about.
    pub fn keep(self) {
        if matches!(self.question.asked, EngineQuestion::Why(..)) {
            self.keep_why();
        } else {
            self.keep_next();
        }
    }

    /// Keeps the position after the ply and returns it. A fault is kept too, so that one who shows
    /// the game does not wait for it again.
    fn keep_next(self) -> OwnBoard {
        let RulesAnswer { question: Question { board, ply, logged, .. }, said } = self;
        let state = said.and_then(EngineAnswer::state);
        let rules = board.rules();
        let next = if let Some(logged) = logged {
            logged.completed(state)
        } else {
            match state.and_then(|state| OwnBoard::from_engine(rules, &state)) {
                Ok(next) => next,
                // The question was about this position and the ply, whichever position failed.
                Err(fault) => {
                    let fault = RulesFault { position: None, ..fault };
                    let text = rules.ply_text(ply);
                    board.with_fault(rules.fault_at(fault, board.text(), Some(&text)))
                }
            }
        };
        board.keep_next(ply, next.clone());
        next
    }

    /// Keeps why the ply is illegal and returns it. After a fault only the sentence is another one:
    /// that the ply is illegal is known already.
    fn keep_why(self) -> String {
        let RulesAnswer { question: Question { board, ply, .. }, said } = self;
        let why = match said {
            Ok(EngineAnswer::Why(Some(why))) => why,
            _ => board.is_not_listed(),
        };
        board.keep_why(ply, why.clone());
        why
    }
}

impl OwnBoard {
    /// What must be asked before a ply can be judged and played without asking.
    pub(crate) fn question(&self, ply: Ply) -> Option<Question> {
        if self.is_legal(ply) { self.next(ply).err() } else { self.why(ply).err() }
    }

    /// The position after a ply, or what has to be asked for it.
    fn next(&self, ply: Ply) -> Result<OwnBoard, Question> {
        // 1. What is kept needs no question: it was played last here, or a log told it and the
        //    rules have completed it, or cannot be asked.
        let logged = self.kept_next(ply);
        if let Some(next) = logged.as_ref().filter(|next| !next.is_unasked()) {
            return Ok(next.clone());
        }
        // 2. Without rules nothing can be asked.
        let rules = self.rules();
        let text = rules.ply_text(ply);
        if rules.engine().is_none() {
            // It is not kept: without an engine, only what a log tells is legal.
            let fault = RulesFault::new("the log does not have the position after this move");
            return Ok(self.with_fault(rules.fault_at(fault, self.text(), Some(&text))));
        }
        // 3. A position that a log tells is asked about as it is: rules that have changed since
        //    must not change the game that was played.
        let asked = match &logged {
            Some(logged) => EngineQuestion::At(logged.text().to_owned()),
            None => EngineQuestion::Advance(self.text().to_owned(), text),
        };
        Err(Question { board: self.clone(), ply, logged, asked })
    }

    /// Why an illegal ply is illegal, or what has to be asked for it.
    fn why(&self, ply: Ply) -> Result<String, Question> {
        if let Some(fault) = self.fault() {
            return Ok(fault.to_string());
        }
        if !self.knows_plies() {
            return Ok(format!(
                "the log does not have the position after it; give the rules, {}, by --rules",
                self.rules().file()
            ));
        }
        // A bot may send the same illegal ply again and again: it costs the rules one question.
        if let Some(why) = self.kept_why(ply) {
            return Ok(why);
        }
        let asked = EngineQuestion::Why(self.text().to_owned(), self.rules().ply_text(ply));
        Err(Question { board: self.clone(), ply, logged: None, asked })
    }

    /// The position after a ply; the thread waits for the rules if they have to say it.
    pub(crate) fn after(&self, ply: Ply) -> OwnBoard {
        self.next(ply).unwrap_or_else(|question| question.wait().keep_next())
    }

    /// Whether a ply is legal; the thread waits for the rules if they have to say why not.
    pub(crate) fn check(&self, ply: Ply) -> Result<(), Illegal> {
        if self.is_legal(ply) {
            return Ok(());
        }
        let why = self.why(ply).unwrap_or_else(|question| question.wait().keep_why());
        Err(Illegal::Other(why))
    }
}
