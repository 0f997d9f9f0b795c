//! Whether a program can be run, as far as looking at its file tells, before it is started.

use super::program::{Program, search};
use super::submission::{self, Place, Submission};
use super::system::is_program;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// How to name the interpreter of a script, where its name tells.
fn by_interpreter(path: &Path) -> String {
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

/// Whether a program can be run; that of a submission only where it may lie.
///
/// # Errors
/// What is in the way, with its cure.
pub(super) fn check(program: &Program) -> Result<(), String> {
    let (path, access) = (&program.command, &program.access);
    let submission = access.submission.as_ref().filter(|_| !access.from_path);
    if let Some(submission) = &access.submission {
        submission.admit(program)?;
    }
    let shown = path.display();
    let unstartable = |what: String| Err(format!("{shown}: {what}"));
    // A link that leads out of a submission was refused before, and to one within it the content is opened without links.
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
            by_interpreter(path)
        ));
    }
    let mut head = [0; 256];
    let read = submission::open(path, submission).and_then(|mut file| file.read(&mut head));
    let Ok(count) = read else { return Ok(()) }; // it may be run and not read
    let head = &head[..count];
    let Some(line) = head.strip_prefix(b"#!") else {
        // Anything else the system would give to a shell, which makes something else of it than its author meant.
        return match is_program(head) {
            true => Ok(()),
            false => unstartable(format!(
                "is no program for this machine, and no script with a first line such as #!/usr/bin/env python3; \
                 add that line, or name its interpreter{}",
                by_interpreter(path)
            )),
        };
    };
    let line = &line[..line.iter().position(|&b| b == b'\n').unwrap_or(line.len())];
    if line.ends_with(b"\r") {
        return unstartable(format!(
            "its first line ends like a Windows line (CR LF), so its interpreter is not found; run `sed -i 's/\\r$//' {shown}`"
        ));
    }
    interpreter(&String::from_utf8_lossy(line), submission).or_else(unstartable)
}

/// Whether the interpreter is there that a first line names.
fn interpreter(line: &str, submission: Option<&Submission>) -> Result<(), String> {
    let mut words = line.split_whitespace();
    let interpreter = words.next().unwrap_or_default();
    if interpreter.is_empty() {
        return Err("its first line, #!, names no interpreter".to_owned());
    }
    let there = match submission.map(|submission| submission.place(Path::new(interpreter))) {
        Some(Err(why)) => return Err(format!("the interpreter in its first line: {why}")),
        Some(Ok(place)) => !matches!(place, Place::Missing(_)),
        None => Path::new(interpreter).exists(),
    };
    if !there {
        return Err(format!("its first line names an interpreter that is not there: {interpreter}"));
    }
    if interpreter.ends_with("/env")
        && let Some(name) = words.find(|word| !word.starts_with('-') && !word.contains('='))
        && search(name).is_err()
    {
        return Err(format!("its first line names an interpreter that is not installed: {name}"));
    }
    Ok(())
}
