//! Links the program at a fixed address on Linux. arbiter starts itself once or twice for each bot,
//! and a position-independent program first relocates 50,000 pointers, which takes longer than the
//! rest of the start. Libraries, heap and stack are at random addresses as ever.

#![allow(clippy::print_stdout, reason = "what is printed is said to Cargo")]

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let is = |key: &str, value: &str| var(key).is_ok_and(|known| known == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
