//! What an engine says of a position, checked and translated: texts become plies and endings.

use super::words::{PlyWord, Writer};
use super::{EngineEnding, EngineState, MOST_PLIES, OwnReason, OwnRules};
use crate::ending::{Ending, Reason};
use crate::{Margin, Ply};

/// What follows from a position.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Sorted by their texts.
    pub(super) plies: Vec<Ply>,
    pub(super) ending: Option<Ending>,
    /// Why the game is over, if no game of arbiter has this reason.
    pub(super) reason: Option<OwnReason>,
    pub(super) margin: Option<Margin>,
    /// What is equal in a repetition, if not the whole text.
    pub(super) identity: Option<String>,
    /// The squares of plies that are words, for clicks and marks.
    pub(super) squares: Vec<(PlyWord, Vec<(usize, usize)>)>,
}

impl State {
    /// Checks what an engine says against the board of its game.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    pub(super) fn new(rules: &OwnRules, said: &EngineState) -> Result<State, String> {
        let mut state = State { identity: said.identity.clone(), ..State::default() };
        if let Some(end) = &said.ending {
            let (ending, reason) = read_ending(end)?;
            state.ending = Some(ending);
            state.reason = reason;
            state.margin = end.margin;
        } else {
            state.plies = read_plies(rules, &said.plies)?;
            if state.plies.is_empty() {
                let what = "there is no legal move and no ending";
                return Err(format!("{what}; a side that cannot move has the one move \"pass\""));
            }
        }
        for (text, at) in &said.squares {
            for &(row, column) in at {
                if row >= rules.rows() || column >= rules.columns() {
                    return Err(format!(
                        "the square ({row}, {column}) of the move {text:?} is not on the board"
                    ));
                }
            }
            if let Ply::Word(word) = rules.read(text, Writer::Rules)? {
                state.squares.push((word, at.clone()));
            }
        }
        Ok(state)
    }
}

/// An ending, with its reason if no game of arbiter has it.
fn read_ending(ending: &EngineEnding) -> Result<(Ending, Option<OwnReason>), String> {
    let EngineEnding { winner, reason, .. } = ending;
    if let Some(known) = Reason::named(reason) {
        if known == Reason::Suicide && winner.is_none() {
            return Err("a draw cannot have the reason \"suicide\"".to_owned());
        }
        return Ok((Ending { winner: *winner, reason: known }, None));
    }
    match OwnReason::named(reason) {
        Some(own) => Ok((Ending { winner: *winner, reason: Reason::Own }, Some(own))),
        None => {
            Err(format!("the reason {reason:?} is no word of small letters, digits and hyphens"))
        }
    }
}

/// The plies sorted by text.
fn read_plies(rules: &OwnRules, texts: &[String]) -> Result<Vec<Ply>, String> {
    if texts.len() > MOST_PLIES {
        return Err(format!(
            "there are {} legal moves; at most {MOST_PLIES} are allowed",
            texts.len()
        ));
    }
    // Sorted, so that lists for bots and random choices do not depend on the order of the rules.
    let mut sorted: Vec<&String> = texts.iter().collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("the move {:?} is listed twice", pair[0]));
    }
    let mut plies = Vec::with_capacity(sorted.len());
    for text in sorted {
        match rules.read(text, Writer::Rules) {
            Ok(ply) => plies.push(ply),
            Err(why) => return Err(format!("the move {text:?}: {why}")),
        }
    }
    Ok(plies)
}
