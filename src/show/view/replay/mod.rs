//! The screens of `arbiter replay`: a [`ReplayModel`] takes keys and what is read of a log, says
//! what is to be done, and draws itself. Knows neither files nor the terminal.

mod game;
mod games;
mod layout;
mod model;
mod screens;
mod tests;

pub use game::{OpenedGame, PROOF_NODES, ProvedLoss, WrittenLine};
pub use games::{Filter, GameList, ListPart, ListedGame, WantedGame, list_games};
pub use model::{ReplayEffect, ReplayInput, ReplayModel};
