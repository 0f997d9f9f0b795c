//! The pages of the project show only commands that the program takes.

use super::Arguments;
use clap::Parser as _;
use clap::error::ErrorKind;
use std::fs;
use std::path::{Path, PathBuf};

/// The pages in a folder, and in those below it.
fn pages(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found
}

/// The commands of arbiter in a line of a shell, each from the word `arbiter` on up to a comment or
/// to what the shell reads itself.
fn commands_of(line: &str) -> Vec<Vec<String>> {
    let line = line.replace("cargo run --release --", "arbiter");
    let mut commands = Vec::new();
    for part in shlex::split(&line).unwrap_or_default().split(ends_command) {
        if part.len() > 1 && part[0] == "arbiter" {
            commands.push(part.to_vec());
        }
    }
    commands
}

/// Whether a word is one that a shell reads itself.
#[expect(clippy::ptr_arg, reason = "the element of a list of words")]
fn ends_command(word: &String) -> bool {
    ["|", "||", "&&", ";", "<", ">", ">>", "&"].contains(&word.as_str())
}

/// The commands that a page shows: the lines of blocks for a shell, and with the mark `false` those
/// within text, which may leave out what has been said.
fn shown_commands(text: &str) -> Vec<(Vec<String>, bool)> {
    let mut found = Vec::new();
    for (at, part) in text.split("```").enumerate() {
        let (first, lines) = part.split_once('\n').unwrap_or((part, ""));
        if at % 2 == 0 {
            let codes = part.split('`').skip(1).step_by(2);
            found.extend(codes.flat_map(commands_of).map(|command| (command, false)));
        } else if first.starts_with("sh")
            || first.starts_with("console")
            || first.starts_with("yaml")
        {
            let lines = lines.replace("\\\n", " ");
            let lines = lines
                .lines()
                .map(|line| line.trim().trim_start_matches("$ ").trim_start_matches("- run: "));
            found.extend(lines.flat_map(commands_of).map(|command| (command, true)));
        }
    }
    found
}

#[test]
fn the_program_takes_every_command_of_a_page() {
    // Those of `pages` in tests/it/documentation/pages.rs.
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut shown: Vec<_> = ["docs", "configs", "bots", "games"]
        .iter()
        .flat_map(|folder| pages(&project.join(folder)))
        .collect();
    for name in ["README.md", "CHANGELOG.md"] {
        let path = project.join(name);
        let text = fs::read_to_string(&path).unwrap();
        shown.push((path, text));
    }
    let (mut taken, mut faults) = (0, Vec::new());
    for (path, text) in shown {
        for (command, is_whole) in shown_commands(&text) {
            let Err(error) = Arguments::try_parse_from(&command) else {
                taken += 1;
                continue;
            };
            let is_known = match error.kind() {
                // A screen, or a file that only its reader has.
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::ValueValidation => {
                    true
                }
                ErrorKind::UnknownArgument => false,
                ErrorKind::InvalidSubcommand => command[1] == "COMMAND",
                _ => !is_whole,
            };
            if !is_known {
                faults.push(format!("{}: {}: {error}", path.display(), command.join(" ")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.concat());
    assert!(taken >= 120, "{taken} commands");
}
