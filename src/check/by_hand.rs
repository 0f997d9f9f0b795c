//! The command line by which a person feeds a file to a bot, without arbiter.

use arbiter_cup::report::check::Evidence;
use arbiter_cup::report::feedback::shell_word;
use arbiter_host::locate::{FolderAccess, Program};
use std::path::Path;

/// The evidence in a file that is fed to a program from the folder `here`.
pub fn from_here(program: &Program, here: &Path, file: String) -> Evidence {
    let dir = program.source();
    let command = words(program, here).map(|words| {
        if dir == here {
            format!("{words} < {}", shell_word(&file))
        } else {
            let mut dir = dir.strip_prefix(here).unwrap_or(dir).display().to_string();
            if dir.starts_with('-') {
                dir.insert_str(0, "./"); // no option of `cd`
            }
            format!("(cd {} && {words}) < {}", shell_word(&dir), shell_word(&file))
        }
    });
    Evidence { file, command, build: build(program) }
}

/// The evidence in a file that its author copies into the folder of the bot.
pub fn in_its_folder(program: &Program, file: String) -> Evidence {
    let command =
        words(program, program.source()).map(|words| format!("{words} < {}", shell_word(&file)));
    Evidence { file, command, build: build(program) }
}

/// The build, if it was run in a copy and not in the bot's folder.
fn build(program: &Program) -> Option<String> {
    program.spec.build.clone().filter(|_| program.access.copied_from.is_some())
}

/// The command of a bot as a shell reads it in the bot's folder; its words may be relative to
/// `here`. None where the command has values of the game.
fn words(program: &Program, here: &Path) -> Option<String> {
    let shell = |words: &[String]| shlex::try_join(words.iter().map(String::as_str)).ok();
    if program.built_in {
        let arguments = program.arguments.iter().map(|word| word.to_string_lossy().into_owned());
        return shell(&std::iter::once("arbiter".to_owned()).chain(arguments).collect::<Vec<_>>());
    }
    if program.spec.table().is_some() && program.words.iter().any(|word| word.contains('{')) {
        return None;
    }
    let mut words = program.words.clone();
    match &program.access.folder {
        FolderAccess::Folder(copy) => {
            // In a copy the words lead into it.
            let moved = |word: &String| match Path::new(word).strip_prefix(copy) {
                Ok(below) => program.source().join(below).display().to_string(),
                Err(_) => word.clone(),
            };
            words = words.iter().map(moved).collect();
        }
        _ => {
            let below = |word: &String| {
                let path = here.join(word);
                let below = path.strip_prefix(&program.dir).ok().filter(|_| path.exists());
                below.map_or_else(|| word.clone(), |below| below.display().to_string())
            };
            words = words.iter().map(below).collect();
        }
    }
    // A shell looks a word without a `/` up in PATH.
    let first = words.first_mut()?;
    if !program.access.from_path && !first.contains('/') {
        first.insert_str(0, "./");
    }
    shell(&words)
}
