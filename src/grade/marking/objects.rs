//! What was compiled of one submission, each object once: in folders with its files and those of
//! the course, one for each extent of the sources, and for each board that replaces constants.
//!
//! ```text
//! object(unit)            the whole file on a board
//!   as it is, then with what Visual Studio includes by itself
//! functions_unit(...)     what the functions of a file are called from
//!   the whole file, then with its own headers, then without `main`, then without the functions
//!   that do not compile
//! ```

mod build_folder;

use super::compiler::{Compiled, Compiler, STAND_INS};
use super::failure::{StepFailure, broken};
use super::reader::{Extent, LeftOut, SourceFacts, SourcesFacts, read_object};
use super::submissions::Files;
use crate::debug_info::{ObjectFacts, ObjectQuestion};
use crate::stand_ins::VISUAL_STUDIO;
use arbiter_config::assignment::Board;
use arbiter_host::bot::BotError;
use build_folder::{ALONE, BuildFolder, write_stand_in};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The functions of courses that a program has to call and does not define.
const CALLED: [&str; 2] = ["CheckLine", "LinesOfAction::move"];
/// How many times a file is compiled again without the functions in which there were errors.
const ROUNDS: usize = 4;
/// The header of [`VISUAL_STUDIO`], in the folder of stand-ins.
const PRELUDE: &str = "visual_studio.h";

/// A source on a board, or a part of one, that is compiled to one object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Unit {
    pub board: Option<Board>,
    /// The name of the file in the assignment.
    pub file: String,
    pub extent: Extent,
}

impl Unit {
    pub fn whole(board: Option<Board>, file: &str) -> Unit {
        Unit { board, file: file.to_owned(), extent: Extent::Whole }
    }
}

/// The compiled files of one submission.
pub struct Objects<'a> {
    pub compiler: &'a Compiler,
    /// The folder in which the build folders are made.
    folder: PathBuf,
    pub files: &'a Files,
    /// The facts about the sources as they were handed in.
    pub survey: &'a SourcesFacts,
    prepared: HashMap<(Option<Board>, Extent), BuildFolder>,
    /// Why the sources cannot be read, once they could not be.
    unreadable: Option<String>,
    objects: HashMap<Unit, Compiled>,
    /// What the objects say, or why they cannot be read.
    facts: HashMap<Unit, Result<ObjectFacts, String>>,
    /// What was found out about files: `None` for those that compile as they are, or the first
    /// error of those that have fewer with what Visual Studio includes by itself, or none.
    needs: BTreeMap<String, Option<String>>,
    /// What the functions of a file were called from on the last board where they compiled.
    extents: BTreeMap<String, Extent>,
    /// The files whose compilation exceeded a limit. On another board it would do so again, for
    /// minutes.
    over: HashMap<String, Compiled>,
    /// Whether any run of the compiler has exceeded a limit.
    is_over: Cell<bool>,
    /// The functions that read memory beside the board, which changes nothing.
    pub reads_outside: BTreeSet<&'static str>,
}

impl<'a> Objects<'a> {
    /// One in a folder that is there.
    pub fn new(
        compiler: &'a Compiler,
        folder: PathBuf,
        files: &'a Files,
        survey: &'a SourcesFacts,
    ) -> Objects<'a> {
        Objects {
            compiler,
            folder,
            files,
            survey,
            prepared: HashMap::new(),
            unreadable: None,
            objects: HashMap::new(),
            facts: HashMap::new(),
            needs: BTreeMap::new(),
            extents: BTreeMap::new(),
            over: HashMap::new(),
            is_over: Cell::new(false),
            reads_outside: BTreeSet::new(),
        }
    }

    /// The file of the submission that is one of the assignment; `None` if it was not handed in.
    pub fn source(&self, file: &str) -> Option<&str> {
        self.files.sources.get(file).map(String::as_str)
    }

    /// The files of the assignment that were handed in under other names: theirs, and those.
    pub fn renamed(&self) -> impl Iterator<Item = (&String, &String)> {
        self.files.sources.iter().filter(|(name, file)| name != file)
    }

    /// The files of the assignment that were handed in, with what they say.
    pub fn sources(&self) -> impl Iterator<Item = (&String, &SourceFacts)> {
        self.files.sources.keys().zip(&self.survey.sources)
    }

    /// What a file of the assignment says.
    pub fn source_facts(&self, file: &str) -> Option<&SourceFacts> {
        let (_, facts) = self.sources().find(|(name, _)| *name == file)?;
        Some(facts)
    }

    /// The first error of a file that compiles only with what Visual Studio includes by itself.
    pub fn error_without_visual_studio(&self, file: &str) -> Option<&str> {
        self.needs.get(file)?.as_deref()
    }

    /// Whether a stand-in takes the place of a header: it has one, and was not handed in.
    pub fn has_stand_in(&self, header: &str) -> bool {
        let is_own = self.files.headers.iter().any(|own| own.eq_ignore_ascii_case(header));
        !is_own && self.compiler.sheet.stand_in(header).is_some()
    }

    /// Remarks about functions: which files were compiled without `main` to call them, which are
    /// missing in there, and which read outside of the board.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if !self.reads_outside.is_empty() {
            let names: Vec<&str> = self.reads_outside.iter().copied().collect();
            remarks.push(format!(
                "memory outside of the board is read by {}, which changes no result here; check an \
                 index before you read its square",
                names.join(", ")
            ));
        }
        for (file, extent) in &self.extents {
            if *extent == Extent::OwnHeaders {
                continue; // this is what a requirement is about
            }
            let mut without: BTreeSet<String> = BTreeSet::new();
            if let Some(facts) = self.source_facts(file)
                && facts.defines.iter().any(|name| name == "main")
            {
                without.insert("`main`".to_owned());
            }
            for ((_, other), folder) in &self.prepared {
                if other == extent {
                    for LeftOut { function, .. } in &folder.left_out {
                        without.insert(format!("`{}`", function.name));
                    }
                }
            }
            let without = Vec::from_iter(without).join(", ");
            remarks.push(format!(
                "the functions of {file} were called without {without}, so that errors in there \
                 cost them nothing"
            ));
        }
        remarks
    }

    /// The files that compile only with headers of their own in place of the course's.
    pub fn needing_own_headers(&self) -> impl Iterator<Item = &String> {
        let needing = self.extents.iter().filter(|(_, extent)| **extent == Extent::OwnHeaders);
        needing.map(|(file, _)| file)
    }

    /// The first board of the assignment: that of the submission, where nothing is replaced.
    pub fn own_board(&self) -> Option<Board> {
        self.compiler.sheet.assignment.boards.first().copied()
    }

    /// Whether a run of the compiler has exceeded a limit.
    pub fn has_been_over(&self) -> bool {
        self.is_over.get()
    }

    /// The object of a unit, with debug information. It is compiled once.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn object(&mut self, unit: &Unit) -> Result<Compiled, BotError> {
        if let Some(known) = self.objects.get(unit).or_else(|| self.over.get(&unit.file)) {
            return Ok(known.clone());
        }
        let own_board = self.own_board();
        if unit.extent == Extent::Whole && unit.board != own_board {
            // What does not compile with its own constants is not tried with others.
            let first = self.object(&Unit::whole(own_board, &unit.file))?;
            if first.file.is_none() {
                return Ok(first);
            }
        }
        let dir = match self.build_folder(unit.board, &unit.extent) {
            Ok(prepared) => prepared.path,
            Err(failure) => {
                let output = format!("error: {}", failure.of_submission()?);
                return Ok(Compiled { file: None, output, is_over: false });
            }
        };
        let compiled = self.compiled(&dir, &unit.file)?;
        if compiled.is_over {
            self.over.insert(unit.file.clone(), compiled.clone());
        }
        self.objects.insert(unit.clone(), compiled.clone());
        Ok(compiled)
    }

    /// Compiles a file as it is and, if it has never compiled so, with what Visual Studio includes
    /// by itself. If neither succeeds, that with fewer errors counts.
    fn compiled(&mut self, dir: &Path, file: &str) -> Result<Compiled, BotError> {
        let object = object_name(file);
        let compiled = self.compile_source(dir, file, &[], &object)?;
        if compiled.is_over || self.needs.contains_key(file) {
            return Ok(compiled);
        }
        if compiled.file.is_some() {
            self.needs.insert(file.to_owned(), None);
            return Ok(compiled);
        }
        self.needs.insert(file.to_owned(), Some(compiled.error()));
        let with_visual_studio = self.compile_source(dir, file, &[], &object)?;
        // Of a function that needs this, the errors say nothing about the others.
        let has_fewer_errors = with_visual_studio.errors() < compiled.errors();
        if with_visual_studio.file.is_some() || has_fewer_errors && !with_visual_studio.is_over {
            return Ok(with_visual_studio);
        }
        self.needs.remove(file);
        Ok(Compiled { is_over: with_visual_studio.is_over, ..compiled })
    }

    /// Compiles a file with these flags, and with what Visual Studio includes by itself if it is
    /// one that needs it.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn compile_source(
        &self,
        dir: &Path,
        file: &str,
        flags: &[&str],
        out: &str,
    ) -> Result<Compiled, BotError> {
        let prelude = format!("{STAND_INS}/{PRELUDE}");
        let alone = format!("{ALONE}/{file}");
        let is_alone = !self.others_included(file).is_empty();
        let mut arguments = [flags, &["-g", "-c"]].concat();
        // Its copy has files in place of the others beside it, which are found first.
        if is_alone {
            arguments.extend([&*alone, "-iquote", "."]);
        } else {
            arguments.push(file);
        }
        if self.needs.get(file).is_some_and(Option::is_some) {
            write_stand_in(dir, PRELUDE, VISUAL_STUDIO).map_err(broken("writing a header"))?;
            arguments.extend(["-include", &prelude]);
        }
        let mut compiled = self.compile(dir, &arguments, out)?;
        if is_alone {
            compiled.output = compiled.output.replace(&format!("{ALONE}/"), "");
        }
        Ok(compiled)
    }

    /// The other files of the assignment that a file includes, as a client may include the source
    /// of its class.
    pub fn others_included(&self, file: &str) -> Vec<&String> {
        let Some(facts) = self.source_facts(file) else { return Vec::new() };
        let files = &self.compiler.sheet.assignment.files;
        facts.included.iter().filter(|name| *name != file && files.contains(name)).collect()
    }

    /// What the functions of a file are called from: the whole of it if that compiles, else with
    /// its own headers in place of the course's, else without `main`, else also without the
    /// functions that do not compile. If nothing of it compiles, the whole.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn functions_unit(&mut self, board: Option<Board>, file: &str) -> Result<Unit, BotError> {
        let whole = Unit::whole(board, file);
        let compiled = self.object(&whole)?;
        if compiled.file.is_some() || compiled.is_over {
            return Ok(whole);
        }
        if !self.files.own_headers.is_empty() {
            let unit = Unit { extent: Extent::OwnHeaders, ..whole.clone() };
            if self.object(&unit)?.file.is_some() {
                self.extents.insert(file.to_owned(), Extent::OwnHeaders);
                return Ok(unit);
            }
        }
        // What worked on the board before is tried first.
        let mut extent = match self.extents.get(file) {
            Some(known) => known.clone(),
            None => Extent::WithoutMain(Vec::new()),
        };
        while let Extent::WithoutMain(rounds) = &extent {
            let unit = Unit { board, file: file.to_owned(), extent: extent.clone() };
            let reduced = self.object(&unit)?;
            if reduced.file.is_some() {
                self.extents.insert(file.to_owned(), extent);
                return Ok(unit);
            }
            let errors = self.error_lines(&reduced);
            // In two rounds a function goes: what is left then is an error outside of functions.
            let is_outside = rounds.iter().filter(|round| **round == errors).count() == 2;
            if reduced.is_over || rounds.len() == ROUNDS || errors.is_empty() || is_outside {
                break;
            }
            extent = Extent::WithoutMain([&rounds[..], &[errors]].concat());
        }
        Ok(whole)
    }

    /// The lines of the submission at which the compiler found errors, with their files.
    fn error_lines(&self, compiled: &Compiled) -> Vec<(String, usize)> {
        let mut lines = BTreeSet::new();
        for line in compiled.output.lines() {
            // An error in a template of a header is one where that is required.
            if !line.contains(": error: ") && !line.contains("required from here") {
                continue;
            }
            if let Some((file, number)) = self.place(line) {
                lines.insert((file.to_owned(), number));
            }
        }
        lines.into_iter().collect()
    }

    /// The file and the line of the submission that a message of the compiler is about.
    fn place(&self, message: &str) -> Option<(&str, usize)> {
        let mut words = message.splitn(3, ':');
        let file = self.files.handed_in(words.next()?)?;
        Some((file.as_str(), words.next()?.parse().ok()?))
    }

    /// Why a function was left out of a unit, in the words of the compiler; `None` if it was not.
    pub fn why_left_out(&self, unit: &Unit, left_out: &LeftOut) -> Option<String> {
        let Extent::WithoutMain(rounds) = &unit.extent else { return None };
        for round in 0..rounds.len() {
            let extent = Extent::WithoutMain(rounds[..round].to_vec());
            let compiled = self.objects.get(&Unit { extent, ..unit.clone() })?;
            for line in compiled.output.lines().filter(|line| line.contains(": error: ")) {
                if let Some((file, number)) = self.place(line)
                    && file == left_out.file
                    && left_out.function.lines.contains(&number)
                {
                    return Some(line.to_owned());
                }
            }
        }
        None
    }

    /// What the object of a unit says, which was compiled.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn object_facts(&mut self, unit: &Unit) -> Result<ObjectFacts, StepFailure> {
        if !self.facts.contains_key(unit) {
            let read = match self.read_object(unit) {
                Ok(facts) => Ok(facts),
                Err(failure) => {
                    let why = failure.of_submission()?;
                    Err(format!("the object of {} cannot be read: {why}", unit.file))
                }
            };
            self.facts.insert(unit.clone(), read);
        }
        self.facts[unit].clone().map_err(StepFailure::OfSubmission)
    }

    /// Whether the object of a unit calls one of the functions of the course that it does not
    /// define. One that cannot be read does not.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn lacks(&mut self, unit: &Unit, function: &str) -> Result<bool, BotError> {
        match self.object_facts(unit) {
            Ok(facts) => Ok(facts.lacks.contains(function)),
            Err(failure) => failure.of_submission().map(|_| false),
        }
    }

    fn read_object(&mut self, unit: &Unit) -> Result<ObjectFacts, StepFailure> {
        let dir = self.build_folder(unit.board, &unit.extent)?.path;
        let mut functions = Vec::new();
        let mut defined = BTreeSet::new();
        if let Some(main) = self.compiler.main {
            for &(name, _) in main.functions {
                functions.push(name.to_owned());
                defined.insert(name.to_owned());
                defined.extend(main.names(name));
            }
        }
        let question = ObjectQuestion {
            source: unit.file.clone(),
            own: self.files.sources.keys().chain(&self.files.headers).cloned().collect(),
            defined: defined.into_iter().collect(),
            called: CALLED.map(str::to_owned).into(),
            functions,
        };
        read_object(&self.compiler.runner, &dir, &object_name(&unit.file), question)
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
pub fn object_name(file: &str) -> String {
    format!("{file}.o")
}
