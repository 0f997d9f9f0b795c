//! `env`, which starts the program that its arguments name: `#!/usr/bin/env python3`.
//!
//! Other programs of this kind (`stdbuf`, `nice`, `timeout`) are not looked through: what they
//! start is found in the system, or lies in the folder of the bot.

use super::program::Program;
use super::search_path::find_in_path;
use super::submission::Submission;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// The programs of a command line that runs in `dir`: the first one, the one that it starts if it
/// is `env`, and so on; and the arguments of the last. An `env` of a submission is not looked
/// through: it may start another program than the one that it names.
pub(super) fn commands(
    first: &Path,
    mut arguments: Vec<String>,
    dir: &Path,
    submission: Option<&Submission>,
) -> (Vec<PathBuf>, Vec<String>) {
    let mut programs = Vec::new();
    let mut at = first.to_owned();
    // Ends: each `env` takes at least one word.
    while at.ends_with("env")
        && submission.is_none_or(|submission| !submission.contains(&at))
        && let Some((started, behind)) = started_by_env(&arguments, dir, submission)
    {
        programs.push(std::mem::replace(&mut at, started));
        arguments = behind;
    }
    programs.push(at);
    (programs, arguments)
}

/// The program that `env` starts with these arguments, and the arguments of that.
fn started_by_env(
    arguments: &[String],
    dir: &Path,
    submission: Option<&Submission>,
) -> Option<(PathBuf, Vec<String>)> {
    let mut command = command_of_env(arguments)?;
    let name = command.remove(0);
    let path = if name.contains('/') { dir.join(name) } else { find_in_path(&name, submission)? };
    Some((path, command))
}

impl Program {
    /// The programs of its command, and the arguments of the last.
    pub(super) fn commands(&self) -> (Vec<PathBuf>, Vec<String>) {
        let arguments =
            self.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        commands(&self.command, arguments, &self.dir, self.access.submission.as_ref())
    }
}

/// The words of the command that `env` starts with these arguments; `None` if there is none, or an
/// option other than `-i`, `-S` and `--`.
fn command_of_env(arguments: &[String]) -> Option<Vec<String>> {
    let mut rest: VecDeque<String> = arguments.iter().cloned().collect();
    while let Some(option) = rest.pop_front_if(|word| word.starts_with('-')) {
        if option == "--" {
            break;
        }
        if let Some(text) = option.strip_prefix("-S") {
            let text = if text.is_empty() { rest.pop_front()? } else { text.to_owned() };
            if text.contains(is_unlike_shell) {
                return None;
            }
            for word in shlex::split(&text)?.into_iter().rev() {
                rest.push_front(word);
            }
        } else if option != "-i" {
            return None;
        }
    }
    while rest.pop_front_if(|word| word.contains('=')).is_some() {}
    (!rest.is_empty()).then(|| rest.into())
}

/// Whether `env -S` may read this otherwise than a shell: its escapes, variables and comments are
/// not those of a shell, nor are all its white spaces.
fn is_unlike_shell(c: char) -> bool {
    matches!(c, '\\' | '$' | '#') || (c.is_whitespace() && c != ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn env_starts_the_program_behind_its_options() {
        for (arguments, command) in [
            ("python3 bot.py", Some("python3 bot.py")),
            ("-i X=1 Y= python3 -c=1", Some("python3 -c=1")),
            ("-i -- python3", Some("python3")),
            ("-S 'A=1 python3 -u' bot.py", Some("python3 -u bot.py")),
            ("'-Spython3 -u'", Some("python3 -u")),
            ("", None),
            ("-u tool ./bot", None),
            ("-C . ./bot", None),
            ("--split-string=tool", None),
            ("-S '${X}tool'", None),
            ("-S 'tool\\c'", None),
            ("-S 'A=1\x0b./bot tool'", None),
            ("-S", None),
        ] {
            let [words, command] = [Some(arguments), command].map(|text| shlex::split(text?));
            assert_eq!(command_of_env(&words.unwrap()), command, "{arguments}");
        }
    }
}
