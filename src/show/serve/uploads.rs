//! What the server asks of whoever takes uploads.

use super::challenge::ChallengeForm;
use std::fs::File;
use std::io;
use std::time::Duration;

/// The limits of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadLimits {
    /// The most bytes of its body.
    pub bytes: u64,
    /// The most time until all of it has arrived.
    pub time: Duration,
}

/// Why an upload is not taken, with a sentence for its author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadRefusal {
    pub kind: RefusalKind,
    pub why: String,
}

/// What the sender can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// Send something else.
    Unacceptable,
    /// Send less.
    TooLarge,
    /// Send it faster.
    TooSlow,
    /// Wait for this long, because the author has sent too much.
    TooOften(Duration),
    /// Wait for this long, because the server has too much to do.
    Busy(Duration),
    /// Nothing: it cannot be done now.
    Impossible,
    /// Nothing: the server has failed.
    Failed,
}

impl UploadRefusal {
    pub fn new(kind: RefusalKind, why: impl Into<String>) -> UploadRefusal {
        UploadRefusal { kind, why: why.into() }
    }
}

/// Authors, who are known by secret addresses, and what they hand in. Every call but
/// [`limits`](Uploads::limits) and [`knows`](Uploads::knows) may wait for files.
pub trait Uploads: Send + Sync {
    fn limits(&self) -> UploadLimits;

    /// Whether this is the address of an author. How long that takes must not depend on how much of
    /// it is right ([`is_same_secret`](super::is_same_secret)).
    fn knows(&self, address: &str) -> bool;

    /// The page of an author, as HTML; `None` if there is none yet.
    ///
    /// # Errors
    /// It cannot be read.
    fn page(&self, address: &str) -> io::Result<Option<String>>;

    /// The log of this name beside the page of an author.
    fn log(&self, address: &str, name: &str) -> Option<Vec<u8>>;

    /// Begins an upload: a new file that the body is written to.
    ///
    /// # Errors
    /// The author may not hand in now, or there is no room.
    fn begin(&self, address: &str) -> Result<File, UploadRefusal>;

    /// Takes an upload that has arrived, with the name of the file as its author calls it. Returns
    /// a sentence for the author.
    ///
    /// # Errors
    /// It is not taken; the submission stays as it was.
    fn take(
        &self,
        address: &str,
        upload: File,
        name: Option<&str>,
    ) -> Result<String, UploadRefusal>;

    /// Takes the newest upload of an author back. Returns a sentence for the author.
    ///
    /// # Errors
    /// There is none before it, or it cannot be restored.
    fn take_back(&self, address: &str) -> Result<String, UploadRefusal>;

    /// What an author may ask for beside that; `None` if it is nothing.
    fn challenge_form(&self, address: &str) -> Option<ChallengeForm>;

    /// Has the bot of an author play this opponent, before any pair that the league chooses. Returns a
    /// sentence for the author.
    ///
    /// # Errors
    /// They do not play.
    fn challenge(&self, address: &str, opponent: &str) -> Result<String, UploadRefusal>;
}
