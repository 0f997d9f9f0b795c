#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::rules_program(bytes));
