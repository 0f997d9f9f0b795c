//! The folder in which a submission is built, for one board or for all on which no constant is
//! replaced: its sources as they are compiled, the files of the course, and what stands in for
//! headers that Linux does not have.

use super::Objects;
use crate::marking::compiler::STAND_INS;
use crate::marking::failure::{StepFailure, broken};
use crate::marking::reader::{Extent, LeftOut, SourcesFacts, SourcesQuestion, read_sources};
use crate::marking::submissions::{make_readable, write_readable};
use arbiter_config::assignment::Board;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of files that include others of the assignment.
pub(super) const ALONE: &str = "arbiter-alone";

/// The folder in which units of one board and extent are built.
#[derive(Debug, Clone)]
pub struct BuildFolder {
    pub path: PathBuf,
    /// The names of the constants that were not found.
    pub missing: Vec<String>,
    /// The functions that were left out because they do not compile.
    pub left_out: Vec<LeftOut>,
}

impl<'a> Objects<'a> {
    /// The folder in which the submission is built for a board.
    ///
    /// # Errors
    /// The sources cannot be read, or files cannot be written.
    pub fn build_folder(
        &mut self,
        board: Option<Board>,
        extent: &Extent,
    ) -> Result<BuildFolder, StepFailure> {
        let key = (board, extent.clone());
        if let Some(prepared) = self.prepared.get(&key) {
            return Ok(prepared.clone());
        }
        if let Some(why) = &self.unreadable {
            return Err(StepFailure::OfSubmission(why.clone()));
        }
        let path = match board {
            Some(board) => self.folder.join(format!("n{}-{}", board.n, self.prepared.len())),
            None => self.folder.join(format!("build-{}", self.prepared.len())),
        };
        let of_board = self.board_constants(board);
        let mut values = of_board.clone();
        if let Some(main) = self.compiler.main {
            values.extend(main.constants.iter().map(|&(name, value)| (name.to_owned(), value)));
        }
        let mut question =
            SourcesQuestion { values, contents: Some(extent.clone()), ..self.files.question() };
        let mut names: Vec<&String> =
            self.files.sources.keys().chain(&self.files.headers).collect();
        if *extent == Extent::OwnHeaders {
            question.headers.extend(self.files.own_headers.values().cloned());
            names.extend(self.files.own_headers.keys());
        }
        let read = read_sources(&self.compiler.runner, &self.files.folder, question);
        if let Err(StepFailure::OfSubmission(why)) = &read {
            self.unreadable = Some(why.clone());
        }
        let (facts, contents) = read?;
        self.write_files(&path, &facts, names, &contents)
            .map_err(broken("writing a copy of a submission"))?;
        // Those of the board come first; without the fixed ones a program can be tried, too.
        let mut missing = Vec::new();
        for ((name, _), found) in of_board.into_iter().zip(&facts.found) {
            if !found {
                missing.push(name);
            }
        }
        let prepared = BuildFolder { path, missing, left_out: facts.left_out };
        self.prepared.insert(key, prepared.clone());
        Ok(prepared)
    }

    /// The board that a submission is built as for this one: its own if nothing is replaced.
    pub fn built_as(&self, board: Option<Board>) -> Option<Board> {
        if self.board_constants(board).is_empty() { self.own_board() } else { board }
    }

    /// The values on a board of the constants that differ from board to board.
    fn board_constants(&self, board: Option<Board>) -> Vec<(String, u32)> {
        let assignment = &self.compiler.sheet.assignment;
        let mut values = Vec::new();
        // The first board is the one that the sources are written for.
        if let Some(board) = board
            && assignment.boards.first() != Some(&board)
        {
            for (key, value) in [('n', Some(board.n)), ('p', board.p), ('l', board.l)] {
                if let (Some(name), Some(value)) = (assignment.constants.get(&key), value) {
                    values.push((name.clone(), value));
                }
            }
        }
        values
    }

    /// Writes the files that a submission is built from into a folder, which is made: its own of
    /// these names as they were read, and those of the course.
    fn write_files(
        &self,
        dir: &Path,
        facts: &SourcesFacts,
        mut names: Vec<&'a String>,
        contents: &[Vec<u8>],
    ) -> io::Result<()> {
        make_readable(dir)?;
        for (name, content) in names.iter().zip(contents) {
            write_readable(&dir.join(name), content)?;
            self.write_alone(dir, name, content)?;
        }
        for (name, content) in &self.compiler.sheet.provided {
            if !names.contains(&name) {
                write_readable(&dir.join(name), content)?;
                names.push(name);
            }
        }
        self.write_headers(dir, facts, &names)
    }

    /// Writes the stand-ins of headers that only Visual Studio has, and headers that are there in
    /// another letter case, under the names by which sources include them.
    fn write_headers(&self, dir: &Path, facts: &SourcesFacts, names: &[&String]) -> io::Result<()> {
        let sheet = &self.compiler.sheet;
        let mut included: BTreeSet<&String> = facts.included_by_headers.iter().collect();
        for source in &facts.sources {
            included.extend(&source.included);
        }
        let mut stand_ins: BTreeSet<&str> = BTreeSet::new();
        for header in included {
            if names.contains(&header) || header.contains(['/', '\\']) || header.starts_with('.') {
                continue;
            }
            if let Some(other) = names.iter().find(|name| name.eq_ignore_ascii_case(header)) {
                // Not a copy: a large header may be included under a hundred spellings.
                write_readable(&dir.join(header), format!("#include \"{other}\"\n"))?;
            } else if sheet.stand_in(header).is_some() {
                stand_ins.insert(header);
            }
        }
        if !stand_ins.is_empty() {
            // They include each other.
            stand_ins.extend(sheet.stand_ins().map(|(name, _)| name));
        }
        for header in stand_ins {
            if let Some(text) = sheet.stand_in(header) {
                write_stand_in(dir, header, text)?;
            }
        }
        Ok(())
    }

    /// Writes a copy of a file that includes others of the assignment. Each is marked without the
    /// others, so beside it lie files of their names that include the headers of the course alone.
    fn write_alone(&self, dir: &Path, file: &str, content: &[u8]) -> io::Result<()> {
        let others = self.others_included(file);
        if others.is_empty() {
            return Ok(());
        }
        let folder = dir.join(ALONE);
        if !folder.exists() {
            make_readable(&folder)?;
        }
        let mut headers = String::new();
        for (name, _) in &self.compiler.sheet.provided {
            headers += &format!("#include \"{name}\"\n");
        }
        for other in others {
            write_readable(&folder.join(other), &headers)?;
        }
        write_readable(&folder.join(file), content)
    }
}

/// Writes a stand-in of a header into the folder of those of a submission.
pub(super) fn write_stand_in(dir: &Path, header: &str, text: &str) -> io::Result<()> {
    let folder = dir.join(STAND_INS);
    if !folder.exists() {
        make_readable(&folder)?;
    }
    write_readable(&folder.join(header), text)
}
