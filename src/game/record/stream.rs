//! Reads a log from a stream, one game at a time, so that memory does not grow with the log.

use super::pgn::{LogError, Place, RawGame, RawGames, Unfinished};
use super::place::{GAME_BYTES, GamePlace};
use super::search::Search;
use std::io::{self, Read};

/// The number of bytes that are read at a time, at least.
const BLOCK: usize = 1 << 18;

/// Reads the games of a log from a stream as [`read_raw`](super::read_raw) reads them from memory,
/// and calls `each` for one after the other, also for what cannot be read.
///
/// Only a part of the log is in memory: 512 KiB, or twice the longest game. A game longer than
/// [`GAME_BYTES`] is an error of the log.
///
/// # Errors
/// The stream cannot be read, or `each` has returned an error.
///
/// ```
/// use arbiter_game::record::read_stream;
/// let log = b"[White \"conny\"] 1. a2c4 * [White \"randy\"] *";
/// let mut names = Vec::new();
/// read_stream(&log[..], |game| {
///     names.extend(game.unwrap().tag("White").map(|tag| tag.value.to_string()));
///     Ok::<_, std::io::Error>(())
/// })?;
/// assert_eq!(names, ["conny", "randy"]);
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn read_stream<E: From<io::Error>>(
    source: impl Read,
    mut each: impl FnMut(Result<RawGame<'_>, LogError>) -> Result<(), E>,
) -> Result<(), E> {
    read_places(source, |_, _, game| each(game))
}

/// Why the reading of a stream ended early: an error type for callers that end it themselves.
#[derive(Debug)]
pub enum ReadEnd<T> {
    /// The stream cannot be read.
    Unreadable(io::Error),
    /// The caller has ended it.
    Ended(T),
}

impl<T> From<io::Error> for ReadEnd<T> {
    fn from(error: io::Error) -> ReadEnd<T> {
        ReadEnd::Unreadable(error)
    }
}

/// Reads the games of a log as [`read_stream`] does. `each` also gets the place of the game in the
/// log, by which it can be read again, and the bytes that this needs. An error has the place of
/// what could not be read, or of its beginning.
///
/// # Errors
/// As for [`read_stream`].
pub fn read_places<E: From<io::Error>>(
    source: impl Read,
    each: impl FnMut(GamePlace, &[u8], Result<RawGame<'_>, LogError>) -> Result<(), E>,
) -> Result<(), E> {
    read_blocks(source, Sizes { block: BLOCK, most: GAME_BYTES }, each)
}

/// The sizes of [`read_blocks`], which tests make small.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    /// The number of bytes that are read at a time, at least.
    block: usize,
    /// The longest game.
    most: usize,
}

fn read_blocks<E: From<io::Error>>(
    mut source: impl Read,
    sizes: Sizes,
    mut each: impl FnMut(GamePlace, &[u8], Result<RawGame<'_>, LogError>) -> Result<(), E>,
) -> Result<(), E> {
    // The number of bytes before the part.
    let mut before = 0;
    // The part of the log from the byte before the next game on.
    let mut part = Vec::new();
    let mut place = Place::BEGINNING;
    loop {
        let rest = part.len() - place.at;
        // Twice as much each time: the beginning of a long game is read again only a few times.
        let wanted = rest.min(sizes.most.saturating_sub(rest)).max(sizes.block);
        part.reserve_exact(wanted);
        let count = source.by_ref().take(wanted as u64).read_to_end(&mut part)?;
        // A short read is the end of the stream: from here on nothing is left for a next part.
        let whole = count < wanted;
        let mut games = RawGames::resumed(&part, place);
        loop {
            let is_found = games.seek(whole);
            place = games.place();
            if !is_found {
                break;
            }
            let game = match if whole { Ok(games.next()) } else { games.next_whole() } {
                Ok(Some(game)) => game,
                Ok(None) => return Ok(()),
                Err(Unfinished) => break,
            };
            // What cannot be read reaches up to the next game, or to the end of what is known.
            let end = if game.is_ok() || games.seek(whole) { games.place().at } else { part.len() };
            let end = end.min(place.at + sizes.most);
            each(GamePlace::new(before, place, end), &part[place.at.saturating_sub(1)..end], game)?;
        }
        if whole {
            return Ok(());
        }
        // A game that has no end within the longest that is read: its rest is skipped, up to a line
        // that begins like a game.
        if place.search == Search::Here && part.len() - place.at > sizes.most {
            let line = RawGames::resumed(&part, place).next_line();
            let message = format!("the game is longer than {} bytes", sizes.most);
            let error = LogError { line, game: place.game + 1, ply: None, has_tags: true, message };
            let end = place.at + sizes.most;
            let bytes = &part[place.at.saturating_sub(1)..end];
            each(GamePlace::new(before, place, end), bytes, Err(error))?;
            place = RawGames::resumed(&part, place).last_line();
        }
        // One byte before the game stays: it shows whether the game begins a line.
        before += place.at.saturating_sub(1) as u64;
        part.drain(..place.at.saturating_sub(1));
        place.at = place.at.min(1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_raw;
    use super::*;
    use proptest::prelude::*;

    /// The items of a log, from a stream that is read in blocks of a size, as they are printed.
    fn streamed(log: &[u8], block: usize, most: usize) -> Vec<String> {
        let mut items = Vec::new();
        let read = read_blocks(log, Sizes { block, most }, |place, bytes, game| {
            // What is at the place is the same game.
            let there = place.bytes();
            let there = &log[there.start as usize..there.end as usize];
            assert_eq!(there, bytes);
            if game.is_ok() {
                assert_eq!(
                    place.read_raw(there).map(|again| format!("{again:?}")),
                    Some(format!("{game:?}"))
                );
            }
            items.push(format!("{game:?}"));
            Ok::<_, io::Error>(())
        });
        assert!(read.is_ok());
        items
    }

    fn whole(log: &[u8]) -> Vec<String> {
        read_raw(log).map(|game| format!("{game:?}")).collect()
    }

    /// What a log consists of, and what breaks one.
    const WORDS: [&str; 37] = [
        "\n[Event \"e\"]",
        "\n[Ev",
        "{a\r\n\r\n[Event \"e\"]",
        "[White \"a\"]",
        "[Black \"b\\\"\"]\r\n",
        "[Game \"lo",
        "\"]",
        "[",
        "]",
        "\"",
        "\\",
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        " ",
        "{a}",
        "{a\r\nb",
        "}",
        ";a",
        "%a",
        "\n%a\n",
        "$",
        "$12",
        "1",
        ".",
        "1.",
        "1 . ",
        "a2c4",
        " 1-0 ",
        "*",
        "1/2-1/2",
        "0-1[",
        "(",
        "é",
        "\u{feff}",
        "\u{1f600}",
    ];

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(2000)
        })]

        #[test]
        fn a_log_is_read_alike_in_blocks_of_any_size(
            words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..30),
            head in any::<bool>(),
            block in 1..40_usize,
        ) {
            let game = "[White \"a\"]\n[Black \"b\"]\n\n1. a2c4 {0.1s} a4a5 1-0\n\n";
            let log = if head { game.to_owned() + &words.concat() } else { words.concat() };
            prop_assert_eq!(streamed(log.as_bytes(), block, GAME_BYTES), whole(log.as_bytes()));
        }

        #[test]
        fn bytes_are_read_alike_in_blocks_of_any_size(
            log in prop::collection::vec(any::<u8>(), 0..60), block in 1..20_usize,
        ) {
            prop_assert_eq!(streamed(&log, block, GAME_BYTES), whole(&log));
        }

        #[test]
        fn the_games_of_logs_in_a_row_are_those_of_each(
            texts in prop::collection::vec("[a-z]{1,9}", 1..20), block in 1..60_usize,
        ) {
            let logs: Vec<String> =
                texts
                    .iter()
                    .map(|text| format!("[White \"{text}\"]\n\n1. {text} {{{text}}} 1-0\n"))
                    .collect();
            let log = logs.concat();
            let mut names = Vec::new();
            let read = read_blocks(log.as_bytes(), Sizes { block, most: 100 }, |_, _, game| {
                names.extend(game.into_iter().map(|game| game.moves[0].text.to_owned()));
                Ok::<_, io::Error>(())
            });
            prop_assert!(read.is_ok());
            prop_assert_eq!(names, texts);
        }
    }

    #[test]
    fn a_game_that_is_too_long_is_an_error_with_its_line() {
        let game = |length: usize| format!("[White \"a\"]\n\n{{{}}} 1-0\n\n", "x".repeat(length));
        let log = game(10) + &game(1000) + &game(10);
        let items = streamed(log.as_bytes(), 64, 512);
        assert_eq!(items.len(), 3);
        assert!(items[2].contains("number: 3, line: 9"), "{}", items[2]);
        assert!(items[1].contains("line: 5, game: 2, ply: None"), "{}", items[1]);
        assert!(items[1].contains("the game is longer than 512 bytes"), "{}", items[1]);
        assert_eq!(streamed(log.as_bytes(), 64, 2000), whole(log.as_bytes()));
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(1000)
        })]

        #[test]
        fn the_game_behind_what_cannot_be_read_is_read(
            words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..20),
            block in 1..60_usize,
        ) {
            // A log that was cut anywhere, and another one behind it.
            let log =
                format!("{}\n\n[Event \"next\"]\n[White \"x\"]\n\n1. a2c4 1-0\n", words.concat());
            let last = streamed(log.as_bytes(), block, GAME_BYTES).pop().unwrap_or_default();
            prop_assert!(last.starts_with("Ok") && last.contains("\"a2c4\""), "{last}");
        }
    }

    #[test]
    fn a_log_that_was_cut_after_tags_without_an_event_does_not_hide_the_next_game() {
        let log =
            "[Black \"b\"]\n[White \"a\"]\n\n[Event \"next\"]\n[White \"x\"]\n\n1. a2c4 1-0\n";
        let items = streamed(log.as_bytes(), BLOCK, GAME_BYTES);
        assert_eq!(items.len(), 2, "{items:?}");
        assert!(
            items[0].contains("line: 4, game: 1") && items[0].contains("no moves"),
            "{}",
            items[0]
        );
        assert!(items[1].starts_with("Ok") && items[1].contains("a2c4"), "{}", items[1]);
    }

    #[test]
    fn an_error_of_the_caller_ends_the_reading() {
        let log = b"[White \"a\"] * [White \"b\"] *";
        let mut count = 0;
        let read = read_stream(&log[..], |_| {
            count += 1;
            Err(io::Error::other("enough"))
        });
        assert_eq!((read.map_err(|error| error.to_string()), count), (Err("enough".to_owned()), 1));
    }
}
