//! Where a game is in a log, and reading it from there.

use super::Record;
use super::pgn::{LogError, Place, RawGames};
use super::search::Search;
use std::ops::Range;

/// The longest game that `read_stream` reads, in bytes, with the comments before it.
pub const GAME_BYTES: usize = 64 << 20;

/// The place of a game in a log, as [`read_places`](super::read_places) gives it. Only that part of
/// the log is needed to read the game again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GamePlace {
    /// The number of games before it.
    game: usize,
    /// The line that it begins on, from 1.
    line: usize,
    /// Its first byte, counted from the beginning of the log.
    start: u64,
    /// Its number of bytes.
    length: u32,
}

/// What can be read of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadableGame {
    /// The game; its plies end before the error. `None` if its ruleset or its start position cannot
    /// be read.
    pub record: Option<Record>,
    /// The first error, if there is one.
    pub error: Option<LogError>,
}

impl GamePlace {
    /// The place of a game that begins at `place` in the part of a log and ends before `end`;
    /// `before` bytes of the log stand before the part.
    pub(super) fn new(before: u64, place: Place, end: usize) -> GamePlace {
        let Place { at, line, game, .. } = place;
        let length = (end - at).min(GAME_BYTES) as u32; // at most 64 MiB
        GamePlace { game, line, start: before + at as u64, length }
    }

    /// The number of the game in the log, from 1.
    pub fn number(&self) -> usize {
        self.game + 1
    }

    /// The bytes of the log that [`read`](GamePlace::read) needs: at most [`GAME_BYTES`] and one.
    pub fn bytes(&self) -> Range<u64> {
        // The byte before the game decides whether a `%` at its beginning is the first of a line.
        self.start.saturating_sub(1)..self.start + u64::from(self.length)
    }

    /// Reads the game from [these bytes](GamePlace::bytes) of the log.
    ///
    /// ```
    /// use arbiter_game::record::read_places;
    /// let log = b"[White \"a\"] [Black \"b\"] [Game \"loa\"] [Result \"1-0\"] 1. a2c4 c0b1 2. a9";
    /// let mut places = Vec::new();
    /// read_places(&log[..], |place, _, _| Ok::<_, std::io::Error>(places.push(place)))?;
    /// let part = places[0].bytes();
    /// let game = places[0].read(&log[part.start as usize..part.end as usize]);
    /// assert_eq!(game.record.unwrap().plies.len(), 2);
    /// let error = game.error.unwrap();
    /// assert_eq!(error.message, "the moves end without a result (1-0, 0-1, 1/2-1/2 or *)");
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub fn read(&self, bytes: &[u8]) -> ReadableGame {
        let mut games = self.games(bytes);
        let (raw, error) = match games.next() {
            None => (None, None),
            Some(Err(error)) => (games.cut(), Some(error)),
            Some(Ok(raw)) => match Record::from_raw(&raw, None) {
                Ok(record) => return ReadableGame { record: Some(record), error: None },
                Err(error) => (Some(raw), Some(error)),
            },
        };
        ReadableGame { record: raw.and_then(|raw| Record::readable_part(&raw)), error }
    }

    /// Reads the parts of the game, as they are written.
    #[cfg(test)]
    pub(super) fn read_raw<'a>(
        &self,
        bytes: &'a [u8],
    ) -> Option<Result<super::RawGame<'a>, LogError>> {
        self.games(bytes).next()
    }

    fn games<'a>(&self, bytes: &'a [u8]) -> RawGames<'a> {
        let at = usize::from(self.start > 0).min(bytes.len());
        RawGames::resumed(
            bytes,
            Place { at, line: self.line, game: self.game, search: Search::Here },
        )
    }
}
