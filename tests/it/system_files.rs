//! Code for one system is in the files `linux` and `posix` of a room. Of the other files, only the
//! `mod.rs` that chooses between these two may ask which system it is.

use crate::support::project;
use std::fs;
use std::path::Path;

const WORDS: [&str; 4] = ["target_os", "target_vendor", "\"/proc", "\"/sys/"];
const CHOOSING: [&str; 3] =
    ["src/host/bot/mod.rs", "src/host/locate/mod.rs", "src/host/sandbox/mod.rs"];

/// Adds the files below `folder` that contain one of the words, but for those for one system.
fn search(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with("linux") || name.starts_with("posix") {
            continue;
        }
        if path.is_dir() {
            search(&path, found);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).unwrap();
            if WORDS.iter().any(|word| text.contains(word)) {
                let path = path.strip_prefix(project("")).unwrap();
                found.push(path.to_str().unwrap().to_owned());
            }
        }
    }
}

#[test]
fn code_for_one_system_is_in_files_for_that_system() {
    let mut found = Vec::new();
    search(&project("src"), &mut found);
    found.sort();
    assert_eq!(found, CHOOSING);
}
