//! `arbiter grade`: a class of submissions, and how the tests of functions and of whole programs
//! judge wrong ones.

mod command;
mod compiling;
mod faults;
mod functions;
mod lineup;
mod programs;

/// A source with what it uses of `<iostream>` in place of that, so that it compiles in a quarter of
/// the time.
fn with_small_iostream(source: &str) -> String {
    let includes = "#include <iomanip>\n#include <iostream>\nusing namespace std;\n";
    assert!(source.contains(includes));
    source.replace(includes, include_str!("../../grade/small_iostream.h"))
}
