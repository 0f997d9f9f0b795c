//! Marks of courses' assignments: the cases, the expected answers, and the points of a submission.
//!
//! Everything but `marking` is pure: cases of whole games and of single functions are made from the
//! rules, judged by them, and reported. `marking` compiles and runs submissions. The contract is
//! docs/reference/grade.md.
//!
//! | question | modules |
//! | --- | --- |
//! | which games and calls there are | `sheet` (all of them), `cases`, `functions` |
//! | what a source and an object say | `source` (tokens), `definitions`, `constants`, `forbidden`, `debug_info` |
//! | what a course gives out, and what stands in for Visual Studio | `provided`, `stand_ins` |
//! | what an output says | `transcript` (boards and results), `words` (the text around them) |
//! | what is wrong with it | `comparison`, `judge`, `sentence`, `text` (recurring faults of the text) |
//! | what it is worth | `marks`, `points` |
//! | how it is reported | `naming` (what failing cases share), `page`, `class`, `plain`, `formats` |

#![forbid(unsafe_code)]

pub mod cases;
mod class;
mod columns;
mod comparison;
mod constants;
mod debug_info;
mod definitions;
mod forbidden;
mod formats;
pub mod functions;
mod judge;
pub mod marking;
mod marks;
mod naming;
mod page;
mod page_names;
mod plain;
mod points;
mod provided;
mod samples;
mod sentence;
mod sheet;
mod source;
mod stand_ins;
mod text;
mod transcript;
mod words;

pub use columns::aligned;
pub use comparison::output_limit;
pub use formats::Format;
pub use judge::judge;
pub use marks::{CaseMark, Found};
pub use points::rounded;
pub use provided::{RIGHT, provided};
pub use sheet::Sheet;
pub(crate) use {
    constants::replace_constants,
    marks::{MarkedPart, MarkedSubmission},
    page_names::page_names,
    points::Worth,
    provided::SCRIPTED,
    sentence::of_limit,
};
