//! Uploads: an author hands in a bot by a secret link (docs/reference/league.md, Uploads).
//!
//! Owns what an archive may have, the way of an upload into a `[[bots]]` folder, and who may hand
//! in how often. Starts no program, and knows neither versions nor games: for the league an upload
//! is a submission like any other. Everything in an archive is a stranger's.
//!
//! ```text
//! request body -> .upload-PID-1           a file without a name, already removed
//! unpacked     -> .upload-PID-2/new/…     through descriptors, counted while it is written
//! complete     -> .upload-new-alice       one rename
//! in its place -> alice                   the old one is .upload-old-alice until it is removed
//! ```
//!
//! Names that begin with a dot are no submissions. A process may be killed at any moment: opening
//! the [`UploadDesk`] then leaves the old folder or the new one.

mod desk;
mod entry_path;
mod pace;
mod place;
mod tar;
mod tree;
mod unpack;
mod zip;

pub use desk::{Author, DeskSetup, UploadDesk};
pub(crate) use pace::Pace;
