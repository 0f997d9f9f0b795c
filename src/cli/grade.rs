//! `arbiter grade`: marks the assignments of courses.

use super::{CommandResult, Verdict, one_of};
use anyhow::{Context, anyhow, bail};
use arbiter_config::assignment::{BUILT_IN, built_in, parse};
use arbiter_game::Sandbox;
use arbiter_grade::marking::{GradeRequest, grade};
use arbiter_grade::{Format, Sheet, provided};
use arbiter_ground::input_file::read_named_text;
use arbiter_ground::isolation::cores;
use arbiter_ground::output::write_out;
use arbiter_host::files;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  arbiter grade gekitai ada/gekitai.cpp                     marks one submission
  arbiter grade loa --class handed-in --out marks           each child of a folder
  arbiter grade --print-default gekitai > mine.toml         the assignment, to change it
  arbiter grade mine.toml --class handed-in --out marks     marks by it
  arbiter grade gekitai --cases cases                       input and expected output of each

Exit status: 0 marked, also with bad marks; 2 bad usage or assignment; 3 could not finish; 130 \
interrupted.";

/// Mark the homework of a course by the rules of its game
///
/// Compiles each submission, runs it and calls its functions, and compares with the rules.
/// Everything runs under strict, or nothing is marked unless --sandbox says so.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GradeCommand {
    #[arg(
        value_name = "ASSIGNMENT",
        required_unless_present = "print_default",
        help = "loa, gekitai, flipflop, lineup, or a TOML file"
    )]
    assignment: Option<String>,
    /// Files or folders that were handed in
    #[arg(value_name = "SUBMISSION")]
    submissions: Vec<PathBuf>,
    /// A folder in which each file and folder is a submission
    #[arg(long, value_name = "DIR")]
    class: Option<PathBuf>,
    /// The folder for a page a student, and the tables of the class
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the marks for another system, into the folder of --out or on standard output: json,
    /// junit, gradescope, classroom, autolab, prairielearn or vpl
    #[arg(long, value_name = "F", value_parser = one_of(&Format::ALL))]
    format: Option<Format>,
    /// Write input and expected output of each case into this folder
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// The seed of the cases: another one has other games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The level of isolation: off, basic or strict; by default strict
    #[arg(long, value_name = "LEVEL", value_parser = one_of(&Sandbox::ALL))]
    sandbox: Option<Sandbox>,
    /// The number of submissions that are marked at a time; default: the available cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Print a commented assignment, and do nothing else
    #[arg(long, value_name = "NAME", exclusive = true)]
    #[arg(value_parser = PossibleValuesParser::new(BUILT_IN.map(|(name, _)| name)))]
    print_default: Option<String>,
}

impl GradeCommand {
    pub(super) fn run(self) -> CommandResult {
        if let Some(text) = self.print_default.as_deref().and_then(built_in) {
            write_out(text)?;
            return Ok(Verdict::DONE);
        }
        if self.submissions.is_empty() && self.class.is_none() && self.cases.is_none() {
            return Err(
                anyhow!("there is nothing to mark; give a SUBMISSION, or --class DIR").into()
            );
        }
        let sheet = read_sheet(self.assignment.as_deref().unwrap_or_default(), self.seed)?;
        let request = GradeRequest {
            submissions: self.submissions,
            class: self.class,
            out: self.out,
            format: self.format,
            cases: self.cases,
            sandbox: self.sandbox,
            concurrency: self.concurrency.map_or_else(cores, usize::from),
        };
        grade(sheet, &request)?;
        Ok(Verdict::DONE)
    }
}

/// The sheet of the assignment of this name or file, with the files that its course gives out.
fn read_sheet(named: &str, seed: u64) -> anyhow::Result<Sheet> {
    if let Some(text) = built_in(named) {
        let assignment =
            parse(text, named).map_err(|errors| anyhow!("{}", errors.display(named)))?;
        let mut files = Vec::new();
        for name in &assignment.provided {
            let Some(content) = provided(name) else {
                bail!("{named}: arbiter does not bring {name}");
            };
            files.push((name.clone(), content.as_bytes().to_vec()));
        }
        return Ok(Sheet::new(assignment, files, seed));
    }
    let path = Path::new(named);
    if path.extension().is_none() && !path.exists() {
        let names = BUILT_IN.map(|(name, _)| name).join(", ");
        bail!("{named}: there is no such assignment; write {names}, or the path of a TOML file");
    }
    let text = read_named_text(path).with_context(|| named.to_owned())?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let assignment = parse(&text, &stem).map_err(|errors| anyhow!("{}", errors.display(named)))?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let mut provided = Vec::new();
    for name in &assignment.provided {
        let file = beside.join(name);
        let content = files::read(&file).with_context(|| {
            format!("{named}: `provided` names {name}, which lies beside it: {}", file.display())
        })?;
        provided.push((name.clone(), content));
    }
    Ok(Sheet { folder: beside.to_owned(), ..Sheet::new(assignment, provided, seed) })
}
