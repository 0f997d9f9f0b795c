//! What a person at a terminal sees and types.

mod person;
mod screen;
