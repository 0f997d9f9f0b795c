//! Reports: values in, text out. Files and screens are handled by the callers.
//!
//! [`standings`] is the standings report in three formats, [`parts`] several of them in one table,
//! [`junit`] the results for programs that run tests, in [`junit_xml`], [`feedback`] a page for a
//! bot's author, which [`mod@author_page`] makes one for the browser, [`check`] what was found of a
//! bot before its first game, [`text`] boards and games, [`turning`] where a game was lost,
//! [`picture`] a position as SVG, [`mod@page`] the page of a tournament for the browser,
//! [`mod@json`] one object a line, [`comparison`] a bot beside an earlier version of it,
//! [`anonymizer`] cleans what bots and authors wrote. All untrusted text goes through [`escape`].

pub mod anonymizer;
pub mod author_page;
mod bot_names;
pub mod check;
pub mod comparison;
mod document;
pub mod escape;
pub mod feedback;
mod isolation;
pub mod json;
pub mod junit;
pub mod junit_xml;
pub mod page;
pub mod parts;
pub mod picture;
pub mod standings;
pub mod text;
pub mod turning;

pub use isolation::isolation_summary;
