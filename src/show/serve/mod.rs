//! Serves a page to browsers: the report page of a tournament, live.
//!
//! Owns the server, who may ask it ([`Token`] and address), the [`Feed`] of updates, how a
//! [`RunningGame`] is told to pages, and how the [`Uploads`] of authors arrive. It has no files:
//! there is the page, its updates, the games of persons and what authors have, and no path leads
//! elsewhere. Knows neither journals nor bots.
//!
//! The server runs on a thread of its own. Updates are made once for all browsers. One that is slow
//! misses updates and then gets the whole state, and one that takes nothing for a minute is
//! disconnected; so browsers cost the games nothing but the processor time of sending, which is
//! limited to a part of one core: with many browsers updates come less often.

mod authors;
mod challenge;
mod connection;
mod feed;
mod form;
mod gate;
mod places;
mod running;
mod server;
mod site;
mod token;
mod uploads;

pub use challenge::ChallengeForm;
pub use feed::{Feed, FeedChange, LeagueChange};
pub use running::RunningGame;
pub use server::{Server, ServerAddress, ServerSetup, most_readers};
pub use site::{PersonGames, SeatGames};
pub use token::{Token, is_same_secret};
pub use uploads::{RefusalKind, UploadLimits, UploadRefusal, Uploads};
