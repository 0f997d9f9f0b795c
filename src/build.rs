//! Links the program at a fixed address on Linux. arbiter starts itself at least once for each bot,
//! and relocating the 50,000 pointers of a position-independent program takes as long as the rest of
//! that start. The addresses of libraries, heap and stack are still random.

#![allow(clippy::print_stdout, reason = "Cargo reads instructions from standard output")]

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let target = [var("CARGO_CFG_TARGET_OS"), var("CARGO_CFG_TARGET_ENV")];
    if target == [Ok("linux".to_owned()), Ok("gnu".to_owned())] {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
