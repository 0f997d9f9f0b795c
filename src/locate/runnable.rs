//! Whether a program can be run, judged by its file before it is started.

use super::installation::find_in_path;
use super::program::{Program, ProgramError};
use super::submission::{self, Location, Submission};
use super::system::is_program;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

impl Program {
    /// Checks that its file can be run, as far as its content and mode show; after a build, what the build
    /// should have made. Of a submission also that its program and the paths in its command lie where they
    /// may.
    ///
    /// # Errors
    /// What is wrong, and what the user can do.
    pub fn check(&self) -> Result<(), ProgramError> {
        check(self).map_err(ProgramError)
    }
}

/// What to write instead of a script that is not executable: `: "python3 bot.py"`. Empty if its extension is
/// not known.
fn interpreter_hint(path: &Path) -> String {
    let interpreter = match path.extension().and_then(|extension| extension.to_str()) {
        Some("py") => "python3",
        Some("sh") => "sh",
        Some("js") => "node",
        Some("pl") => "perl",
        Some("rb") => "ruby",
        Some("jar") => "java -jar",
        _ => return String::new(),
    };
    format!(": \"{interpreter} {}\"", path.display())
}

fn check(program: &Program) -> Result<(), String> {
    let (path, access) = (&program.command, &program.access);
    let submission = access.submission.as_ref().filter(|_| !access.from_path);
    if let Some(submission) = &access.submission {
        check_paths(program, submission)?;
    }
    let shown = path.display();
    let unstartable = |what: String| Err(format!("{shown}: {what}"));
    // A link that leads out of a submission was refused above, and the content of a file in it is read
    // without following links.
    let Ok(meta) = fs::metadata(path) else { return unstartable("no such file".to_owned()) };
    if meta.is_dir() {
        return unstartable("is a folder, not a program".to_owned());
    }
    if !meta.is_file() {
        return unstartable("is not a file".to_owned());
    }
    if meta.permissions().mode() & 0o111 == 0 {
        return unstartable(format!(
            "may not be executed; run `chmod +x {shown}`, or name its interpreter{}",
            interpreter_hint(path)
        ));
    }
    let mut head = [0; 256];
    let read = submission::open(path, submission).and_then(|mut file| file.read(&mut head));
    let Ok(count) = read else { return Ok(()) }; // executable files need not be readable
    let head = &head[..count];
    let Some(line) = head.strip_prefix(b"#!") else {
        // Anything else would be run by a shell, line by line, which its author did not mean.
        return match is_program(head) {
            true => Ok(()),
            false => unstartable(format!(
                "is no program for this machine, and no script with a first line such as #!/usr/bin/env python3; \
                 add that line, or name its interpreter{}",
                interpreter_hint(path)
            )),
        };
    };
    let line = &line[..line.iter().position(|&b| b == b'\n').unwrap_or(line.len())];
    if line.ends_with(b"\r") {
        return unstartable(format!(
            "its first line ends like a Windows line (CR LF), so its interpreter is not found; run `sed -i 's/\\r$//' {shown}`"
        ));
    }
    check_interpreter(&String::from_utf8_lossy(line), submission).or_else(unstartable)
}

/// Checks that the paths in the command of a submission lead where they may.
fn check_paths(program: &Program, submission: &Submission) -> Result<(), String> {
    if !program.access.from_path {
        submission.locate(&program.command)?;
    }
    let mut paths = submission.paths_in(&program.arguments, &program.dir);
    paths.try_for_each(|path| submission.locate(&path).map(drop))
}

/// Checks that the interpreter exists that a first line names; `line` is the text after `#!`.
fn check_interpreter(line: &str, submission: Option<&Submission>) -> Result<(), String> {
    let mut words = line.split_whitespace();
    let interpreter = words.next().unwrap_or_default();
    if interpreter.is_empty() {
        return Err("its first line, #!, names no interpreter".to_owned());
    }
    let there = match submission.map(|submission| submission.locate(Path::new(interpreter))) {
        Some(Err(why)) => return Err(format!("the interpreter in its first line: {why}")),
        Some(Ok(location)) => !matches!(location, Location::Missing(_)),
        None => Path::new(interpreter).exists(),
    };
    if !there {
        return Err(format!("its first line names an interpreter that is not there: {interpreter}"));
    }
    if interpreter.ends_with("/env")
        && let Some(name) = words.find(|word| !word.starts_with('-') && !word.contains('='))
        && find_in_path(name).is_none()
    {
        return Err(format!("its first line names an interpreter that is not installed: {name}"));
    }
    Ok(())
}
