//! The command line with which a person reproduces a finding without arbiter: the bot with a file
//! as its standard input.

use arbiter_cup::report::check::Evidence;
use arbiter_cup::report::feedback::shell_word;
use arbiter_host::locate::{FolderAccess, Program};
use std::path::Path;

/// The evidence in a file, with a command for the folder `here`.
pub fn from_here(program: &Program, here: &Path, file: String) -> Evidence {
    let dir = program.source();
    let input = shell_word(&file);
    let mut command = None;
    if let Some(words) = words(program, here) {
        command = Some(if dir == here {
            format!("{words} < {input}")
        } else {
            let mut below = dir.strip_prefix(here).unwrap_or(dir).display().to_string();
            if below.starts_with('-') {
                below.insert_str(0, "./"); // or `cd` would take it for an option
            }
            format!("(cd {} && {words}) < {input}", shell_word(&below))
        });
    }
    Evidence { file, command, build: build(program) }
}

/// The evidence in a file, with a command for the folder of the bot, where its author copies it.
pub fn in_its_folder(program: &Program, file: String) -> Evidence {
    let input = shell_word(&file);
    let command = words(program, program.source()).map(|words| format!("{words} < {input}"));
    Evidence { file, command, build: build(program) }
}

/// The build, if it was run in a copy and not in the bot's folder.
fn build(program: &Program) -> Option<String> {
    program.access.copied_from.as_ref()?;
    program.spec.build.clone()
}

/// The command of a bot as a shell reads it in the bot's folder; its words may be relative to
/// `here`. `None` where the command has values of the game.
fn words(program: &Program, here: &Path) -> Option<String> {
    if program.built_in {
        let mut words = vec!["arbiter".to_owned()];
        for word in &program.arguments {
            words.push(word.to_string_lossy().into_owned());
        }
        return shell_line(&words);
    }
    if program.spec.table().is_some() && program.words.iter().any(|word| word.contains('{')) {
        return None;
    }
    let mut words = program.words.clone();
    for word in &mut words {
        let path = here.join(&*word);
        if let FolderAccess::Folder(copy) = &program.access.folder {
            // A path into the copy, which is removed after the check.
            if let Ok(below) = Path::new(&*word).strip_prefix(copy) {
                *word = program.source().join(below).display().to_string();
            }
        } else if let Ok(below) = path.strip_prefix(&program.dir)
            && path.exists()
        {
            *word = below.display().to_string();
        }
    }
    // A shell looks a word without a `/` up in PATH.
    let first = words.first_mut()?;
    if !program.access.from_path && !first.contains('/') {
        first.insert_str(0, "./");
    }
    shell_line(&words)
}

fn shell_line(words: &[String]) -> Option<String> {
    shlex::try_join(words.iter().map(String::as_str)).ok()
}
