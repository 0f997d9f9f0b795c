//! What is shown of results: values in, text out. Files and screens are somebody else's business.
//!
//! [`standings`] is the table in three forms, [`junit`] the same for a machine that runs tests, [`feedback`] a page for a
//! bot's author, [`text`] boards and games, [`mod@json`] one object a line. Whatever strangers wrote goes through [`escape`].

pub mod escape;
pub mod feedback;
pub mod json;
pub mod junit;
pub mod mask;
mod page;
pub mod standings;
pub mod text;
