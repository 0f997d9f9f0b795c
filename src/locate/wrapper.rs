//! Programs that start the program that their arguments name: `env python3 bot.py`, `stdbuf -o0
//! ./bot`.

use super::program::Program;
use super::search_path::find_in_path;
use super::submission::Submission;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// How many wrappers are looked through.
const MAX_WRAPPERS: usize = 16;

/// A program that starts another one.
struct Wrapper {
    name: &'static str,
    /// The letters of its options without a value.
    flags: &'static str,
    /// The letters of its options with a value, which is the rest of the word or else the next
    /// word.
    valued: &'static str,
    /// Words of its own before the program.
    operands: usize,
}

const fn wrapper(
    name: &'static str,
    flags: &'static str,
    valued: &'static str,
    operands: usize,
) -> Wrapper {
    Wrapper { name, flags, valued, operands }
}

const WRAPPERS: [Wrapper; 9] = [
    wrapper("chrt", "abfior", "TPD", 1),
    wrapper("env", "i0v", "uCS", 0),
    wrapper("ionice", "t", "cn", 0),
    wrapper("nice", "", "n", 0),
    wrapper("nohup", "", "", 0),
    wrapper("setsid", "cfw", "", 0),
    wrapper("stdbuf", "", "ioe", 0),
    wrapper("taskset", "ac", "", 1),
    wrapper("timeout", "v", "ks", 1),
];

/// The programs of a command line that runs in `dir`: the first one, the one that it starts if it
/// is a wrapper, and so on; and the arguments of the last. A wrapper of a submission is none: it
/// may start another program than the one that it names.
pub(super) fn commands(
    first: &Path,
    arguments: Vec<String>,
    dir: &Path,
    submission: Option<&Submission>,
) -> (Vec<PathBuf>, Vec<String>) {
    let mut at = first.to_owned();
    let mut arguments = arguments;
    let mut found = Vec::new();
    while found.len() < MAX_WRAPPERS
        && !submission.is_some_and(|submission| submission.contains(&at))
    {
        let words = [&[at.to_string_lossy().into_owned()], &arguments[..]].concat();
        let Some(command) = wrapped(&words) else { break };
        let Some((name, behind)) = command.split_first() else { break };
        let path =
            if name.contains('/') { Some(dir.join(name)) } else { find_in_path(name, submission) };
        let Some(path) = path else { break };
        found.push(std::mem::replace(&mut at, path));
        arguments = behind.to_vec();
    }
    found.push(at);
    (found, arguments)
}

impl Program {
    /// The programs of its command, and the arguments of the last.
    pub(super) fn commands(&self) -> (Vec<PathBuf>, Vec<String>) {
        let arguments =
            self.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        commands(&self.command, arguments, &self.dir, self.access.submission.as_ref())
    }
}

/// The words of the command that the wrapper in these words starts; none if they begin with no
/// wrapper, and if its options are not understood.
pub(super) fn wrapped(words: &[String]) -> Option<Vec<String>> {
    let (first, rest) = words.split_first()?;
    let name = Path::new(first).file_name()?;
    let wrapper = WRAPPERS.iter().find(|wrapper| name == wrapper.name)?;
    let mut rest: VecDeque<String> = rest.iter().cloned().collect();
    while let Some(option) = rest.pop_front_if(|word| word.starts_with('-')) {
        if matches!(&*option, "--" | "-") {
            break;
        }
        wrapper.take_option(&option, &mut rest)?;
    }
    let is_variable = |word: &mut String| wrapper.name == "env" && word.contains('=');
    while rest.pop_front_if(is_variable).is_some() {}
    let command: Vec<String> = rest.into_iter().skip(wrapper.operands).collect();
    (!command.is_empty()).then_some(command)
}

impl Wrapper {
    /// Takes the value of an option from the words behind it; none if the option is not known. The
    /// text of `env -S` becomes words.
    fn take_option(&self, option: &str, rest: &mut VecDeque<String>) -> Option<()> {
        if option.starts_with("--") {
            let (key, _) = option.split_once('=')?;
            return (key != "--split-string").then_some(());
        }
        let letters = option.trim_start_matches('-');
        let valued = letters.find(|letter| !self.flags.contains(letter));
        let Some(at) = valued else { return Some(()) };
        let letter = letters[at..].chars().next().filter(|&letter| self.valued.contains(letter))?;
        let value = match &letters[at + letter.len_utf8()..] {
            "" => rest.pop_front()?,
            value => value.to_owned(),
        };
        if (self.name, letter) == ("env", 'S') {
            // Its escapes, variables and comments are not those of a shell, nor are all its white
            // spaces.
            let is_other =
                |c: char| matches!(c, '\\' | '$' | '#') || (c.is_whitespace() && c != ' ');
            let words = shlex::split(&value).filter(|_| !value.contains(is_other))?;
            for word in words.into_iter().rev() {
                rest.push_front(word);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_starts_the_program_behind_its_options() {
        for (words, command) in [
            ("stdbuf -o0 ./bot", "./bot"),
            ("stdbuf -i 0 --output=L -eL ./bot -x", "./bot -x"),
            ("/usr/bin/env python3 bot.py", "python3 bot.py"),
            ("env -i -u A -uB X=1 Y= python3 -c=1", "python3 -c=1"),
            ("env - X=1 python3", "python3"),
            ("env - -u tool ./bot", "-u tool ./bot"),
            ("env -C . -- python3", "python3"),
            ("env -iS 'A=1 python3 -u' bot.py", "python3 -u bot.py"),
            ("env '-Spython3 -u'", "python3 -u"),
            ("timeout -k 5 30 nice -n 5 ./bot", "nice -n 5 ./bot"),
            ("taskset -c 0-1 ./bot", "./bot"),
        ] {
            let [words, command] = [words, command].map(|text| shlex::split(text).unwrap());
            assert_eq!(wrapped(&words), Some(command), "{words:?}");
        }
        for words in [
            "",
            "env",
            "python3 bot.py",
            "env --unset tool ./bot",
            "env --split-string=tool",
            "env -Z tool ./bot",
            "env -S '${X}tool'",
            "env -S 'tool\\c'",
            "env -S 'A=1\x0b./bot tool'",
            "env -u",
            "timeout 5",
            "nice -5 ./bot",
            "stdbuf",
            "envy tool",
        ] {
            assert_eq!(wrapped(&shlex::split(words).unwrap()), None, "{words}");
        }
    }
}
