//! The first line of a script, `#!`.

use super::submission::{self, Submission};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Bytes that the kernel reads of a first line (`BINPRM_BUF_SIZE`).
const MAX_LINE: usize = 256;

/// The first line of a script.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shebang {
    /// The program that it names, such as `/usr/bin/env`.
    pub program: PathBuf,
    /// The words after that.
    pub words: Vec<String>,
}

/// The first bytes of a program or script.
pub(super) fn first_bytes(file: &Path, submission: Option<&Submission>) -> io::Result<Vec<u8>> {
    let mut head = vec![0; MAX_LINE];
    let count = submission::open(file, submission)?.read(&mut head)?;
    head.truncate(count);
    Ok(head)
}

/// The first line of a script; `None` if the file does not begin with `#!` or cannot be read.
pub(super) fn shebang(script: &Path, submission: Option<&Submission>) -> Option<Shebang> {
    let head = first_bytes(script, submission).ok()?;
    let line = head.strip_prefix(b"#!")?;
    let line = String::from_utf8_lossy(line.split(|&byte| byte == b'\n').next()?).into_owned();
    let mut words = line.split_whitespace().map(str::to_owned);
    Some(Shebang { program: PathBuf::from(words.next()?), words: words.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_first_line_names_an_interpreter_and_its_arguments() {
        let folder = tempfile::tempdir().unwrap();
        let (script, program, pipe) =
            (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
        fs::write(&script, "#! /opt/ruby -w\nputs").unwrap();
        fs::write(&program, "\x7fELF").unwrap();
        let expected = Shebang { program: "/opt/ruby".into(), words: vec!["-w".to_owned()] };
        assert_eq!(shebang(&script, None), Some(expected));
        assert_eq!(shebang(&program, None), None);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(shebang(&pipe, None), None, "a named pipe without a writer does not block");
    }
}
