//! Whether a program can be run, judged by its file before it is started.

use super::hints::{no_such_file, remedy};
use super::program::{Program, ProgramError, is_script};
use super::run_by::{INTERPRETERS, RunBy};
use super::script::first_bytes;
use super::search_path::find_in_path;
use super::submission::{Location, Submission};
use super::system::{has_emulators, is_program};
use std::env::consts::ARCH;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

impl Program {
    /// Checks that its file can be run, as far as its content and mode show; after a build, what
    /// the build should have made. Of a submission also that its program and the paths in its
    /// command lie where they may.
    ///
    /// # Errors
    /// What is wrong, and what the user can do.
    pub fn check(&self) -> Result<(), ProgramError> {
        Ok(check(self)?)
    }
}

/// Files that are no programs, by their extension: what they are, and what to do. FILE is the path.
const NO_PROGRAMS: [(&str, &str); 5] = [
    (
        "toml",
        "holds settings and is no program: for a bot with a bot.toml name its folder; \
         a tournament is played by `arbiter tournament FILE`",
    ),
    ("zip", "is an archive: unpack it, and name the program in it"),
    ("gz", "is an archive: unpack it, and name the program in it"),
    ("tar", "is an archive: unpack it, and name the program in it"),
    ("ipynb", "is a notebook: write it as a script by `jupyter nbconvert --to script FILE`"),
];

/// Processors by their numbers in ELF files (elf(5), `e_machine`), and by their names in Rust.
const MACHINES: [(u16, &str); 8] = [
    (3, "x86"),
    (21, "powerpc64"),
    (22, "s390x"),
    (40, "arm"),
    (62, "x86_64"),
    (183, "aarch64"),
    (243, "riscv64"),
    (258, "loongarch64"),
];

/// The value of `EI_DATA` for little-endian files.
const LITTLE_ENDIAN: u8 = 1;

/// Processors that also run the programs of an older one, which is named second.
const ALSO_RUN: [[&str; 2]; 2] = [["x86_64", "x86"], ["aarch64", "arm"]];

/// The system or processor that a program with these first bytes was compiled for, if it cannot run
/// here.
fn made_for(head: &[u8]) -> Option<&'static str> {
    if head.starts_with(b"MZ") {
        return Some("Windows");
    }
    let machine = processor_of(head)?;
    let runs = machine == ARCH || ALSO_RUN.contains(&[ARCH, machine]) || has_emulators();
    (!runs).then_some(machine)
}

/// The processor of an ELF program with these first bytes, if it is one of [`MACHINES`].
fn processor_of(head: &[u8]) -> Option<&'static str> {
    let rest = head.strip_prefix(b"\x7fELF")?;
    if rest.get(1) != Some(&LITTLE_ENDIAN) {
        return None;
    }
    let number = u16::from_le_bytes(rest.get(14..16)?.try_into().ok()?);
    let (_, machine) = MACHINES.into_iter().find(|(known, _)| *known == number)?;
    Some(machine)
}

/// The script that the words after an interpreter name, if it is missing: the first word that is no
/// option, if it has the extension of a script.
fn missing_script(program: &Program) -> Option<PathBuf> {
    if !program.access.from_path {
        return None;
    }
    let (commands, arguments) = program.commands();
    // What it starts is not known.
    if commands.last()?.file_name()? == "env" {
        return None;
    }
    let script = arguments.iter().find(|word| !word.starts_with('-') || is_without_script(word))?;
    // A word with `:` is a class path of several files.
    if script.starts_with('-') || script.contains(':') || !is_script(Path::new(script)) {
        return None;
    }
    let path = program.dir.join(script);
    fs::symlink_metadata(&path).is_err().then_some(path)
}

/// Whether no script follows an option of an interpreter, but a program's text or a module's name.
fn is_without_script(option: &str) -> bool {
    ["-c", "-e", "-m", "-p", "--eval"].contains(&option)
}

/// If a command of `java` names the file of a class instead of the class: what to write.
fn class_by_name(program: &Program) -> Option<String> {
    let (first, rest) = program.words.split_first()?;
    if program.command.file_name()? != "java" {
        return None;
    }
    let at = rest.iter().position(|word| !word.starts_with('-') && word.ends_with(".class"))?;
    let file = Path::new(&rest[at]);
    let has_path = rest[..at].iter().any(|word| CLASS_PATH.contains(&word.as_str()));
    let class = if has_path { "CLASS" } else { "-cp FOLDER CLASS" };
    let class = RunBy::fill(class, file);
    let before = [std::slice::from_ref(first), &rest[..at]].concat().join(" ");
    Some(format!("{}: java takes the name of a class: write \"{before} {class}\"", rest[at]))
}

/// Options of java before a class path.
const CLASS_PATH: [&str; 3] = ["-cp", "-classpath", "--class-path"];

/// Checks a program as [`Program::check`].
pub(super) fn check(program: &Program) -> Result<(), String> {
    let path = &program.command;
    let access = &program.access;
    if let Some(submission) = &access.submission {
        check_paths(program, submission)?;
    }
    if access.from_path
        && let [name] = &program.words[..]
        && let Some((_, script)) = INTERPRETERS.iter().find(|(known, _)| known == name)
    {
        return Err(format!(
            "{name}: is an interpreter: name the bot behind it, as in \"{name} {script}\""
        ));
    }
    if let Some(why) = class_by_name(program) {
        return Err(why);
    }
    if let Some(script) = missing_script(program) {
        return Err(no_such_file(program, &script));
    }
    // A link that leads out of a submission was refused above, and the content of a file in it is
    // read without following links.
    match fs::metadata(path) {
        Ok(meta) => check_file(program, &meta).map_err(|why| format!("{}: {why}", path.display())),
        Err(_) => Err(no_such_file(program, path)),
    }
}

/// Checks the file of a program: its kind and mode, then its first bytes.
fn check_file(program: &Program, meta: &Metadata) -> Result<(), String> {
    let path = &program.command;
    let shown = path.display();
    if meta.is_dir() {
        return Err("is a folder, not a program".to_owned());
    }
    if !meta.is_file() {
        return Err("is not a file".to_owned());
    }
    for (extension, what) in NO_PROGRAMS {
        if path.extension() == Some(OsStr::new(extension)) {
            return Err(what.replace("FILE", &shown.to_string()));
        }
    }
    if meta.permissions().mode() & 0o111 == 0 {
        let otherwise = format!("may not be executed; run `chmod +x {shown}`");
        return Err(remedy(program, path, &otherwise));
    }
    let submission = program.access.submission.as_ref().filter(|_| !program.access.from_path);
    // Executable files need not be readable.
    let Ok(head) = first_bytes(path, submission) else { return Ok(()) };
    if head.starts_with(b"\xef\xbb\xbf#!") {
        return Err("begins with a byte order mark, so its first line is not read; \
                    save it as UTF-8 without that mark"
            .to_owned());
    }
    if let Some(system) = made_for(&head) {
        return Err(format!(
            "is a program for {system}, and this machine is {ARCH}; compile it for this one"
        ));
    }
    let Some(line) = head.strip_prefix(b"#!") else {
        if is_program(&head) {
            return Ok(());
        }
        // Anything else would be run by a shell, line by line, which its author did not mean.
        let otherwise = "is not a program for this machine, nor a script with a first line such \
                         as #!/usr/bin/env python3; add that line";
        return Err(remedy(program, path, otherwise));
    };
    let line = &line[..line.iter().position(|&b| b == b'\n').unwrap_or(line.len())];
    if line.ends_with(b"\r") {
        return Err(format!(
            "its first line ends like a Windows line (CR LF), so its interpreter is not found; \
             run `sed -i 's/\\r$//' {shown}`"
        ));
    }
    check_interpreter(&String::from_utf8_lossy(line), &program.dir, submission)
}

/// Checks that the paths in the command of a submission lead where they may.
fn check_paths(program: &Program, submission: &Submission) -> Result<(), String> {
    let (commands, arguments) = program.commands();
    for path in &commands {
        submission.locate(path)?;
    }
    for path in submission.paths_in(&arguments, &program.dir) {
        submission.locate_argument(&path)?;
    }
    Ok(())
}

/// Checks that the interpreter named by a first line exists; `line` is the text after `#!`. A
/// relative path starts from the folder that the script runs in.
fn check_interpreter(
    line: &str,
    dir: &Path,
    submission: Option<&Submission>,
) -> Result<(), String> {
    let mut words = line.split_whitespace();
    let interpreter = words.next().unwrap_or_default();
    if interpreter.is_empty() {
        return Err("its first line, #!, names no interpreter".to_owned());
    }
    let path = dir.join(interpreter);
    let exists = if let Some(submission) = submission {
        let location = submission
            .locate(&path)
            .map_err(|why| format!("the interpreter in its first line: {why}"))?;
        !matches!(location, Location::Missing(_))
    } else {
        path.exists()
    };
    if !exists {
        return Err(format!(
            "its first line names an interpreter that is not there: {interpreter}"
        ));
    }
    if interpreter.ends_with("/env")
        && let Some(name) = words.find(|word| !word.starts_with('-') && !word.contains('='))
        && find_in_path(name, submission).is_none()
    {
        return Err(format!("its first line names an interpreter that is not installed: {name}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_names_its_processor() {
        let mut head = [0; 64];
        head[..6].copy_from_slice(b"\x7fELF\x02\x01");
        for (number, name) in MACHINES {
            head[18..20].copy_from_slice(&number.to_le_bytes());
            assert_eq!(processor_of(&head), Some(name));
            assert_eq!(processor_of(&head[..19]), None);
        }
        let own = fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(made_for(&own), None);
        assert_eq!(made_for(b"MZ\x90"), Some("Windows"));
    }
}
