//! Takes the uploads of authors, who are known by the addresses of their links.

use super::pace::Pace;
use super::place::{HiddenFolder, hidden_file, recover, remove, replace};
use super::unpack::{UnpackError, UnpackLimits, unpack};
use crate::challenges::Challenges;
use crate::intake::past;
use arbiter_config::UploadsConfig;
use arbiter_host::locate::copy_folder;
use arbiter_rank::schedule::is_bot_name;
use arbiter_show::serve::{
    ChallengeForm, RefusalKind, UploadLimits, UploadRefusal, Uploads, is_same_secret,
};
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// When an author who finds the disk full may try again.
const FULL_PAUSE: Duration = Duration::from_mins(5);
const HOUR: Duration = Duration::from_hours(1);

/// An author, and the submission that their uploads go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// The secret of their link.
    pub address: String,
    /// The name of their folder in the `[[bots]]` folder.
    pub bot: String,
    /// What others call the bot.
    pub shown: String,
    /// The copy of the accepted version before the newest one that was handed in.
    pub before: Option<PathBuf>,
}

/// Where uploads come to, and what is shown of them.
pub struct DeskSetup {
    pub config: UploadsConfig,
    /// The number of the `[[bots]]` folder that takes uploads, and its path.
    pub number: usize,
    pub bots: PathBuf,
    /// The folder `feedback-links` of the result folder, with the pages of authors.
    pub pages: PathBuf,
    /// The name of the file that shows the league a complete submission, if there is one.
    pub marker: Option<String>,
    /// From when no submission is taken any more.
    pub freeze: Option<String>,
    /// The pairs that authors ask for.
    pub challenges: Challenges,
}

/// Takes uploads.
pub struct UploadDesk {
    setup: DeskSetup,
    authors: RwLock<Vec<Author>>,
    pace: Mutex<Pace>,
    /// Held while an upload is unpacked and put into its place, or a version restored: one at a
    /// time, so that uploads take one core from the games at most.
    placing: Mutex<()>,
    /// Whether there is no room for anything new.
    is_full: AtomicBool,
}

impl UploadDesk {
    /// A desk without authors as yet. What an earlier process left unfinished in the folder is put
    /// in order.
    ///
    /// # Errors
    /// The folder cannot be listed, or something in it cannot be renamed or removed.
    pub fn open(setup: DeskSetup) -> io::Result<UploadDesk> {
        recover(&setup.bots)?;
        Ok(UploadDesk {
            setup,
            authors: RwLock::default(),
            pace: Mutex::new(Pace::new(HOUR)),
            placing: Mutex::default(),
            is_full: AtomicBool::default(),
        })
    }

    /// The number of the `[[bots]]` folder that takes uploads.
    pub fn folder(&self) -> usize {
        self.setup.number
    }

    /// From now on nothing is taken, because there is no room, or all is taken again.
    pub fn set_full(&self, is_full: bool) {
        self.is_full.store(is_full, Ordering::Relaxed);
    }

    /// Replaces the authors. One whose folder cannot be the name of a bot has no uploads.
    pub fn set_authors(&self, mut authors: Vec<Author>) {
        authors.retain(|author| is_bot_name(&author.bot));
        *self.authors.write().unwrap_or_else(PoisonError::into_inner) = authors;
    }

    /// While this is held no submission is replaced: for copying one, which would otherwise lack
    /// the files that are removed meanwhile.
    pub fn hold(&self) -> MutexGuard<'_, ()> {
        self.placing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The author at this address. All addresses are compared, so how long it takes tells nothing.
    fn author(&self, address: &str) -> Option<Author> {
        let authors = self.authors.read().unwrap_or_else(PoisonError::into_inner);
        let mut found = None;
        for author in &*authors {
            if is_same_secret(&author.address, address) {
                found = Some(author.clone());
            }
        }
        found
    }

    /// Puts a copy of an earlier version into the place of a submission.
    fn restore(&self, bot: &str, before: &Path) -> io::Result<()> {
        let _placing = self.hold();
        let hidden = HiddenFolder::new(&self.setup.bots)?;
        let complete = hidden.path().join("new");
        copy_folder(before, &complete)?;
        if let Some(marker) = &self.setup.marker {
            // Made anew, so that it is newer than the one that was seen, which is not written to: it
            // may be a link to a file of the bot.
            let marker = complete.join(marker);
            remove(&marker)?;
            mark(&marker)?;
        }
        replace(&self.setup.bots, bot, &complete)
    }

    /// The author at this address, who may have been withdrawn since the request began; an error
    /// also if nothing is taken now.
    fn known(&self, address: &str) -> Result<Author, UploadRefusal> {
        if self.is_full.load(Ordering::Relaxed) {
            let why = "the server's disk is full; tell the organiser, and send it again later";
            return Err(UploadRefusal::new(RefusalKind::Busy(FULL_PAUSE), why));
        }
        self.author(address).ok_or_else(|| {
            let why = "this bot is no longer in the league; ask the organiser";
            UploadRefusal::new(RefusalKind::Impossible, why)
        })
    }

    /// # Errors
    /// The deadline is over.
    fn check_deadline(&self) -> Result<(), UploadRefusal> {
        let Some(freeze) = past(self.setup.freeze.as_ref()) else { return Ok(()) };
        let why = format!("the deadline was {freeze}; nothing is taken any more");
        Err(UploadRefusal::new(RefusalKind::Impossible, why))
    }

    /// Counts what an author does within an hour: uploads of a bot, or takes them back.
    fn count(&self, what: &str) -> Result<(), UploadRefusal> {
        let most = self.setup.config.per_hour;
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        pace.count(what, most, Instant::now()).map_err(|time| {
            let minutes = time.as_secs() / 60 + 1;
            let why = format!(
                "an author can hand in {most} times within an hour; the next time is in {minutes} \
                 minutes"
            );
            UploadRefusal::new(RefusalKind::TooOften(time), why)
        })
    }

    /// Unpacks an upload beside the submissions, and puts it into the place of this one.
    fn place(&self, bot: &str, upload: &File, name: Option<&str>) -> Result<(), UnpackError> {
        let _placing = self.hold();
        let hidden = HiddenFolder::new(&self.setup.bots)?;
        let mut complete = hidden.path().join("new");
        fs::DirBuilder::new().mode(0o755).create(&complete)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let into = openat(CWD, &complete, flags, Mode::empty())?;
        let limits =
            UnpackLimits { bytes: self.setup.config.unpacked, files: self.setup.config.files };
        if let Some(only) = unpack(upload, name, &into, limits)? {
            complete.push(only);
        }
        if let Some(marker) = &self.setup.marker {
            mark(&complete.join(marker))?;
        }
        Ok(replace(&self.setup.bots, bot, &complete)?)
    }
}

/// Makes the file that shows a complete submission, unless the author has sent it.
fn mark(marker: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).open(marker) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// The answer to an author after an error of the machine; the organiser's log has the error itself.
fn failed(shown: &str, error: &io::Error) -> UploadRefusal {
    tracing::error!("an upload of {shown}: {error}");
    let why = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the server's disk is full",
        _ => "the server cannot keep the upload",
    };
    UploadRefusal::new(RefusalKind::Failed, format!("{why}; tell the organiser, and send it again"))
}

impl Uploads for UploadDesk {
    fn limits(&self) -> UploadLimits {
        UploadLimits { bytes: self.setup.config.size, time: self.setup.config.time }
    }

    fn knows(&self, address: &str) -> bool {
        self.author(address).is_some()
    }

    fn page(&self, address: &str) -> io::Result<Option<String>> {
        // The request has the address of an author, so it is the name of a file there.
        match fs::read_to_string(self.setup.pages.join(format!("{address}.html"))) {
            Ok(page) => Ok(Some(page)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn log(&self, address: &str, name: &str) -> Option<Vec<u8>> {
        let is_log = name.ends_with(".pgn") && !name.starts_with('.') && !name.contains('/');
        if !is_log {
            return None;
        }
        fs::read(self.setup.pages.join(address).join(name)).ok()
    }

    fn begin(&self, address: &str) -> Result<File, UploadRefusal> {
        let Author { bot, shown, .. } = self.known(address)?;
        self.check_deadline()?;
        self.count(&bot)?;
        hidden_file(&self.setup.bots).map_err(|error| failed(&shown, &error))
    }

    fn take(
        &self,
        address: &str,
        upload: File,
        name: Option<&str>,
    ) -> Result<String, UploadRefusal> {
        let Author { bot, shown, .. } = self.known(address)?;
        self.check_deadline()?;
        match self.place(&bot, &upload, name) {
            Ok(()) => {
                Ok("taken: it is tried now, and your page says what becomes of it".to_owned())
            }
            Err(UnpackError::Refused(why)) => {
                Err(UploadRefusal::new(RefusalKind::Unacceptable, why))
            }
            Err(UnpackError::Failed(error)) => Err(failed(&shown, &error)),
        }
    }

    fn take_back(&self, address: &str) -> Result<String, UploadRefusal> {
        let Author { bot, shown, before, .. } = self.known(address)?;
        self.check_deadline()?;
        // Counted apart: who has no upload left can still take back what is broken.
        self.count(&format!("{bot} back"))?;
        let Some(before) = before else {
            let why = "there is no version before it";
            return Err(UploadRefusal::new(RefusalKind::Impossible, why));
        };
        match self.restore(&bot, &before) {
            Ok(()) => Ok("the version before is tried now, and plays if it can".to_owned()),
            Err(error) => Err(failed(&shown, &error)),
        }
    }

    fn challenge_form(&self, address: &str) -> Option<ChallengeForm> {
        self.setup.challenges.form(&self.author(address)?.shown)
    }

    fn challenge(&self, address: &str, opponent: &str) -> Result<String, UploadRefusal> {
        self.setup.challenges.ask(&self.known(address)?.shown, opponent)
    }
}

#[cfg(test)]
mod tests;
