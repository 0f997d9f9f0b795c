//! An assignment of a course, as `arbiter grade` marks it: its file, and the built-in ones.
//!
//! Owns the keys, their defaults and the messages about mistakes. Knows no files: whether a
//! provided file exists is checked when it is opened.
//!
//! ```
//! use arbiter_config::assignment::{built_in, parse};
//! let gekitai = parse(built_in("gekitai").unwrap(), "gekitai").unwrap();
//! assert_eq!((gekitai.boards.len(), gekitai.most()), (4, 100.0));
//! let errors = parse("game = 'gekitai'\nfiels = ['gekitai.cpp']", "mine").unwrap_err();
//! let shown = errors.display("mine.toml").to_string();
//! assert!(shown.contains("mine.toml:2: unknown key `fiels`; did you mean `files`?"));
//! ```

mod checks;
mod read;
mod requirement;
mod shape;
mod weights;

pub use read::parse;
pub use requirement::{Requirement, RequirementKind};
pub use shape::{Assignment, Board, Kind, Part, PartKind, Toolchain, Weights};

/// The built-in assignments: name and text, in the order of the documentation.
pub const BUILT_IN: [(&str, &str); 4] = [
    ("loa", include_str!("../assignments/loa.toml")),
    ("gekitai", include_str!("../assignments/gekitai.toml")),
    ("flipflop", include_str!("../assignments/flipflop.toml")),
    ("lineup", include_str!("../assignments/lineup.toml")),
];

/// The text of the built-in assignment of this name.
pub fn built_in(name: &str) -> Option<&'static str> {
    let (_, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
    Some(text)
}

#[cfg(test)]
mod tests;
