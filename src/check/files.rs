//! The files of a check: `check/NAME/SITUATION.txt`, for submissions a page beside them, and
//! `check/check.md`.

use super::by_hand;
use super::subjects::Subject;
use anyhow::{Context, bail};
use arbiter_cup::report::check::{CheckRow, Evidence, page, table};
use arbiter_engine::bot_check::{CheckResult, CheckedBot, Finding};
use arbiter_ground::bot_names::bot_name;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::complain;
use arbiter_host::locate::has_manifest;
use arbiter_play::store::replace_check_files;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// The default folder.
const FOLDER: &str = "check";

/// The page in the folder of a submission, and the table beside these folders.
pub const PAGE: &str = "check.md";

/// The folder of the files.
pub struct CheckFiles {
    /// As the user named it.
    out: PathBuf,
    /// The working directory.
    here: PathBuf,
}

impl CheckFiles {
    /// The files in this folder, or else in the folder `check`, which is no link: it may lie in the
    /// folder of a stranger.
    ///
    /// # Errors
    /// There is something else of the name `check`, or in the place of the folder of one of them;
    /// this folder is that of a bot, whose own files would be replaced; or there is no working
    /// directory.
    pub fn new(out: Option<PathBuf>, subjects: &[Subject]) -> anyhow::Result<CheckFiles> {
        let here = std::env::current_dir().context("the working directory")?;
        let is_other = here.join(FOLDER).symlink_metadata().is_ok_and(|there| !there.is_dir());
        if out.is_none() && is_other {
            bail!(
                "{FOLDER} is no folder, and the files of the check go there; name another with \
                 --out"
            );
        }
        let out = out.unwrap_or_else(|| PathBuf::from(FOLDER));
        let mut own = HashSet::new();
        for subject in subjects {
            if let Some(Ok(folder)) = subject.own_folder().map(Path::canonicalize) {
                own.insert(folder);
            }
        }
        for subject in subjects {
            let folder = out.join(&subject.folder);
            let called = folder.display();
            if folder.symlink_metadata().is_ok_and(|there| !there.is_dir()) {
                bail!(
                    "{called} is not a folder, and files of the check go there; name another with \
                     --out"
                );
            }
            if folder.canonicalize().is_ok_and(|folder| own.contains(&folder)) {
                bail!(
                    "{called} is the folder of a bot, whose files those of the check may replace; \
                     name another with --out"
                );
            }
        }
        Ok(CheckFiles { out, here })
    }

    /// How to reproduce a finding without arbiter, from the working directory.
    pub fn evidence(&self, subject: &Subject, finding: &Finding) -> Option<Evidence> {
        let file = self.out.join(&subject.folder).join(file(subject, finding)?);
        let program = subject.bot.program.as_ref().ok()?;
        Some(by_hand::from_here(program, &self.here, file.display().to_string()))
    }

    /// Replaces the files of an earlier check of this bot.
    ///
    /// # Errors
    /// One cannot be written or removed.
    pub fn keep(&self, subject: &Subject, bot: &CheckedBot) -> Result<(), Failure> {
        let mut files: BTreeMap<PathBuf, Option<&str>> = BTreeMap::new();
        for finding in &bot.findings {
            // An earlier check in more or in fewer games had its file in the other place: that one
            // is removed.
            for place in places(finding) {
                files.entry(place).or_default();
            }
            if let Some(file) = file(subject, finding) {
                files.insert(file, Some(&finding.requests));
            }
        }
        let shown;
        if subject.is_submission() {
            shown = page(bot, &|finding| evidence_for_author(subject, finding));
            files.insert(PathBuf::from(PAGE), Some(&shown));
        }
        let mut placed = Vec::new();
        for (file, text) in files {
            placed.push((Path::new(&subject.folder).join(file), text));
        }
        self.replace(placed.iter().map(|(file, text)| (&**file, *text)))
    }

    /// Notes on standard error that files of the check lie in the bot's folder and so belong to it.
    pub fn note_content(&self, subject: &Subject, bot: &CheckedBot) {
        let Ok(program) = &subject.bot.program else { return };
        let out = self.here.join(&self.out).canonicalize();
        let (Ok(out), Ok(dir)) = (out, program.dir.canonicalize()) else { return };
        if out.starts_with(dir)
            && has_manifest(&program.dir)
            && bot.findings.iter().any(|found| file(subject, found).is_some())
        {
            complain(format_args!(
                "note: {} is in the folder of {}, so its files belong to the bot; run the check \
                 from another folder, or name one with --out",
                self.out.display(),
                bot.name
            ));
        }
    }

    /// Replaces the table of the organiser.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep_table(&self, bots: &[(&Subject, &CheckedBot)]) -> Result<(), Failure> {
        let mut rows = Vec::new();
        for &(subject, bot) in bots {
            rows.push(CheckRow { bot, page: format!("{}/{PAGE}", subject.folder) });
        }
        self.replace(std::iter::once((Path::new(PAGE), Some(&*table(&rows)))))
    }

    fn replace<'a>(
        &self,
        files: impl Iterator<Item = (&'a Path, Option<&'a str>)>,
    ) -> Result<(), Failure> {
        replace_check_files(&self.out, files)
            .with_context(|| format!("the files of the check in {}", self.out.display()))
            .map_err(Failure::Unfinished)
    }
}

/// How the author of a submission reproduces a finding, in the folder of the bot.
fn evidence_for_author(subject: &Subject, finding: &Finding) -> Option<Evidence> {
    let path = file(subject, finding)?.display().to_string();
    Some(by_hand::in_its_folder(subject.bot.program.as_ref().ok()?, path))
}

/// The places of the file of a finding in the folder of its bot: of a check in one game, and of a
/// check in several.
fn places(finding: &Finding) -> [PathBuf; 2] {
    let file = format!("{}.txt", finding.situation);
    [PathBuf::from(&file), Path::new(&bot_name(&finding.game)).join(&file)]
}

/// The file of a finding in the folder of its bot, if it has one.
fn file(subject: &Subject, finding: &Finding) -> Option<PathBuf> {
    match finding.result {
        CheckResult::Fault | CheckResult::Remark if !finding.requests.is_empty() => {
            let [alone, of_game] = places(finding);
            Some(if subject.games.len() > 1 { of_game } else { alone })
        }
        _ => None,
    }
}
