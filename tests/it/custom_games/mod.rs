//! Custom games: their rules in files, the processes that run them, and what shows their games.

mod bots;
mod driver;
mod failing_rules;
mod lines_of_action;
mod pages;
mod rules_process;
