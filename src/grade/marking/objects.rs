//! What was compiled of one submission: a folder for each board, with the files of the submission
//! and those of the course, and each object once.

use super::compiler::{Compiled, Compiler, WINDOWS};
use super::reader::{ReadFailure, SourcesFacts, SourcesQuestion, read_object, read_sources};
use super::submissions::{Files, write_readable};
use crate::debug_info::{ObjectFacts, ObjectQuestion};
use crate::functions::TestMain;
use arbiter_config::assignment::Board;
use arbiter_host::bot::BotError;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The functions of courses that a program has to call and does not define.
const CALLED: [&str; 2] = ["CheckLine", "LinesOfAction::move"];
/// Headers that Visual Studio has and Linux does not, in small letters, with what takes their
/// place.
const WINDOWS_HEADERS: [(&str, &str); 4] =
    [("windows.h", ""), ("stdafx.h", ""), ("pch.h", ""), ("conio.h", include_str!("conio.h"))];

/// What takes the place of a header that only Visual Studio has; none for other headers.
pub fn windows_header(name: &str) -> Option<&'static str> {
    WINDOWS_HEADERS
        .iter()
        .find(|(header, _)| name.eq_ignore_ascii_case(header))
        .map(|(_, text)| *text)
}

/// What was compiled of a submission.
pub struct Objects<'a> {
    pub compiler: &'a Compiler,
    folder: PathBuf,
    files: &'a Files,
    /// The folders of boards, each with the names of the constants that were not found.
    prepared: HashMap<Option<Board>, (PathBuf, Vec<String>)>,
    /// Why the sources cannot be read, once they could not be.
    unreadable: Option<String>,
    objects: HashMap<(Option<Board>, String), Compiled>,
    /// What the objects say, or why they cannot be read.
    facts: HashMap<(Option<Board>, String), Result<ObjectFacts, String>>,
    /// The files whose compilation exceeded a limit. On another board it would do so again, for
    /// minutes.
    over: HashMap<String, Compiled>,
    /// Whether any run of the compiler has exceeded a limit.
    is_over: Cell<bool>,
}

impl<'a> Objects<'a> {
    /// One in a folder that is there.
    pub fn new(compiler: &'a Compiler, folder: PathBuf, files: &'a Files) -> Objects<'a> {
        Objects {
            compiler,
            folder,
            files,
            prepared: HashMap::new(),
            unreadable: None,
            objects: HashMap::new(),
            facts: HashMap::new(),
            over: HashMap::new(),
            is_over: Cell::new(false),
        }
    }

    /// The folder of the copy of the submission.
    pub fn submitted_folder(&self) -> &Path {
        &self.files.folder
    }

    /// Whether a file of the assignment was handed in.
    pub fn has_source(&self, file: &str) -> bool {
        self.files.sources.contains_key(file)
    }

    /// Whether a run of the compiler has exceeded a limit.
    pub fn has_been_over(&self) -> bool {
        self.is_over.get()
    }

    /// The folder in which the submission is built for a board, and the names of the constants that
    /// were not found for it. The first board of the assignment is that of the submission, where
    /// nothing is replaced.
    ///
    /// # Errors
    /// The sources cannot be read, or files cannot be written.
    pub fn board(&mut self, board: Option<Board>) -> Result<(PathBuf, Vec<String>), ReadFailure> {
        if let Some(prepared) = self.prepared.get(&board) {
            return Ok(prepared.clone());
        }
        if let Some(why) = &self.unreadable {
            return Err(ReadFailure::OfSubmission(why.clone()));
        }
        let dir = match board {
            Some(board) => self.folder.join(format!("n{}-{}", board.n, self.prepared.len())),
            None => self.folder.join("build"),
        };
        let values = self.values(board);
        let question = SourcesQuestion {
            values: values.clone(),
            with_contents: true,
            ..self.files.question()
        };
        let read = read_sources(&self.compiler.runner, &self.files.folder, question);
        if let Err(ReadFailure::OfSubmission(why)) = &read {
            self.unreadable = Some(why.clone());
        }
        let (facts, contents) = read?;
        self.write_files(&dir, &facts, &contents).map_err(|error| {
            ReadFailure::Broken(BotError::Broken(format!(
                "writing a copy of a submission: {error}"
            )))
        })?;
        let asked = values.len() - self.fixed_constants().len();
        let missing =
            values.into_iter().zip(&facts.found).take(asked).filter(|(_, found)| !**found);
        let missing: Vec<String> = missing.map(|((name, _), _)| name).collect();
        self.prepared.insert(board, (dir.clone(), missing.clone()));
        Ok((dir, missing))
    }

    /// The constants that have one value on all boards.
    fn fixed_constants(&self) -> &'static [(&'static str, u32)] {
        TestMain::of(self.compiler.sheet.assignment.game.name()).map_or(&[], |main| main.constants)
    }

    /// The values of constants on a board: those that differ from board to board come first.
    fn values(&self, board: Option<Board>) -> Vec<(String, u32)> {
        let assignment = &self.compiler.sheet.assignment;
        let changed = board.filter(|board| assignment.boards.first() != Some(board));
        let mut values = Vec::new();
        if let Some(board) = changed {
            for (key, value) in [('n', Some(board.n)), ('p', board.p), ('l', board.l)] {
                if let (Some(name), Some(value)) = (assignment.constants.get(&key), value) {
                    values.push((name.clone(), value));
                }
            }
        }
        values.extend(
            self.fixed_constants().iter().map(|(name, value)| ((*name).to_owned(), *value)),
        );
        values
    }

    /// Writes the files that a submission is built from into a folder, which is made: its own as
    /// they were read, and those of the course.
    fn write_files(
        &self,
        dir: &Path,
        facts: &SourcesFacts,
        contents: &[Vec<u8>],
    ) -> io::Result<()> {
        DirBuilder::new().create(dir)?;
        fs::set_permissions(dir, Permissions::from_mode(0o755))?;
        let mut names: Vec<&String> = Vec::new();
        for (name, content) in self.files.sources.keys().chain(&self.files.headers).zip(contents) {
            write_readable(&dir.join(name), content)?;
            names.push(name);
        }
        for (name, content) in &self.compiler.sheet.provided {
            write_readable(&dir.join(name), content)?;
            names.push(name);
        }
        self.write_headers(dir, facts, &names)
    }

    /// Writes what takes the place of headers of Windows, and those that are there in another
    /// letter case, under the names by which sources include them.
    fn write_headers(&self, dir: &Path, facts: &SourcesFacts, names: &[&String]) -> io::Result<()> {
        let included: BTreeSet<&String> =
            facts.sources.iter().flat_map(|source| &source.included).collect();
        for header in included {
            if names.contains(&header) || header.contains(['/', '\\']) || header.starts_with('.') {
                continue;
            }
            if let Some(other) = names.iter().find(|name| name.eq_ignore_ascii_case(header)) {
                // Not a copy: a large header may be included under a hundred spellings.
                write_readable(&dir.join(header), format!("#include \"{other}\"\n"))?;
            } else if let Some(text) = windows_header(header) {
                let folder = dir.join(WINDOWS);
                fs::create_dir_all(&folder)?;
                fs::set_permissions(&folder, Permissions::from_mode(0o755))?;
                write_readable(&folder.join(header), text)?;
            }
        }
        Ok(())
    }

    /// The object of a file of the assignment on a board, with debug information. It is compiled
    /// once.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn object(&mut self, board: Option<Board>, file: &str) -> Result<Compiled, BotError> {
        let key = (board, file.to_owned());
        if let Some(known) = self.objects.get(&key).or_else(|| self.over.get(file)) {
            return Ok(known.clone());
        }
        let (dir, _) = match self.board(board) {
            Ok(prepared) => prepared,
            Err(failure) => {
                let output = format!("error: {}", failure.of_submission()?);
                return Ok(Compiled { file: None, output, is_over: false });
            }
        };
        let compiled = self.compile(&dir, &["-g", "-c", file], &object_name(file))?;
        if compiled.is_over {
            self.over.insert(file.to_owned(), compiled.clone());
        }
        self.objects.insert(key, compiled.clone());
        Ok(compiled)
    }

    /// What the object of a file on a board says, which was compiled.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn object_facts(
        &mut self,
        board: Option<Board>,
        file: &str,
    ) -> Result<ObjectFacts, ReadFailure> {
        let key = (board, file.to_owned());
        if !self.facts.contains_key(&key) {
            let read = match self.read_object(board, file) {
                Ok(facts) => Ok(facts),
                Err(failure) => Err(format!(
                    "the object of {file} cannot be read: {}",
                    failure.of_submission()?
                )),
            };
            self.facts.insert(key.clone(), read);
        }
        self.facts[&key].clone().map_err(ReadFailure::OfSubmission)
    }

    /// Whether the object of a file on a board calls one of the functions of the course that it
    /// does not define. One that cannot be read does not.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn lacks(
        &mut self,
        board: Option<Board>,
        file: &str,
        function: &str,
    ) -> Result<bool, BotError> {
        match self.object_facts(board, file) {
            Ok(facts) => Ok(facts.lacks.contains(function)),
            Err(failure) => failure.of_submission().map(|_| false),
        }
    }

    fn read_object(
        &mut self,
        board: Option<Board>,
        file: &str,
    ) -> Result<ObjectFacts, ReadFailure> {
        let (dir, _) = self.board(board)?;
        let main = TestMain::of(self.compiler.sheet.assignment.game.name());
        let functions: Vec<String> = main
            .iter()
            .flat_map(|main| main.functions)
            .map(|(name, _)| (*name).to_owned())
            .collect();
        let other_names =
            main.iter().flat_map(|main| functions.iter().flat_map(move |name| main.names(name)));
        let question = ObjectQuestion {
            source: file.to_owned(),
            own: self.files.sources.keys().chain(&self.files.headers).cloned().collect(),
            defined: functions
                .iter()
                .cloned()
                .chain(other_names)
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            called: CALLED.map(str::to_owned).into(),
            functions,
        };
        read_object(&self.compiler.runner, &dir, &object_name(file), question)
    }

    /// Runs the compiler of the assignment in a folder, with these arguments and the name of what
    /// it makes.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn compile(&self, dir: &Path, arguments: &[&str], out: &str) -> Result<Compiled, BotError> {
        let compiled = self.compiler.compile(dir, arguments, out)?;
        self.is_over.set(self.is_over.get() || compiled.is_over);
        Ok(compiled)
    }
}

/// The name of the object of a source.
fn object_name(file: &str) -> String {
    format!("{file}.o")
}
