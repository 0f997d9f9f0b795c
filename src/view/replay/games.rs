//! The list of a log's games: what it needs of each, in a few bytes, and the filter.

use crate::game::GameResult;
use crate::record::{GamePlace, LogError, RawGame, ReadEnd, read_places};
use crate::rules::{Game, Side};
use crate::text::Interner;
use std::io::Read;
use std::ops::ControlFlow;

/// How much of a name or another word of a tag is kept, in bytes.
const WORD_BYTES: usize = 64;

/// A game of a log, with its words as the thread that reads the log sends them, or in another form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListedGame<W = String> {
    /// Where it is.
    pub place: GamePlace,
    /// The players, first the one who moves first.
    pub players: [W; 2],
    /// The result, with the score of that player in front.
    pub result: GameResult,
    /// The tags `Outcome` and `Termination`.
    pub end: [W; 2],
    /// The number of plies.
    pub plies: u32,
}

impl ListedGame {
    /// The row of a game, or of what cannot be read.
    #[must_use]
    pub fn new(place: GamePlace, game: &Result<RawGame<'_>, LogError>) -> ListedGame {
        let Ok(raw) = game else {
            let unknown = || ["?".to_owned(), "?".to_owned()];
            let end = ["broken".to_owned(), "unreadable".to_owned()];
            return ListedGame {
                place,
                players: unknown(),
                result: GameResult::Unknown,
                end,
                plies: 0,
            };
        };
        let word = |name| {
            let value = raw.tag(name).map_or("?", |tag| &*tag.value);
            let end =
                (0..=value.len().min(WORD_BYTES)).rev().find(|&end| value.is_char_boundary(end));
            value[..end.unwrap_or_default()].to_owned()
        };
        let game = raw.tag("Game").and_then(|tag| Game::named(&tag.value));
        let [first, second] = match game.map_or(Side::First, Game::white) {
            Side::First => ["White", "Black"],
            Side::Second => ["Black", "White"],
        };
        let players = [word(first), word(second)];
        let result = game.map_or(raw.result, |game| raw.result.of_first_side(game));
        let end = [word("Outcome"), word("Termination")];
        let plies = u32::try_from(raw.moves.len()).unwrap_or(u32::MAX);
        ListedGame { place, players, result, end, plies }
    }
}

impl<W> ListedGame<W> {
    fn with_words<V>(self, mut word: impl FnMut(W) -> V) -> ListedGame<V> {
        let ListedGame { place, players, result, end, plies } = self;
        ListedGame { place, players: players.map(&mut word), result, end: end.map(word), plies }
    }
}

/// The game that the user asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedGame {
    /// The game with this number in the log, from 1.
    Number(usize),
    /// The first game with this `GameId` or `SentId`.
    Id(String),
}

impl WantedGame {
    /// A number, or else an id; the first game if the user names none.
    #[must_use]
    pub fn parse(text: Option<&str>) -> WantedGame {
        match text.map(|text| (text, text.parse().ok())) {
            None => WantedGame::Number(1),
            Some((_, Some(number))) => WantedGame::Number(number),
            Some((id, None)) => WantedGame::Id(id.to_owned()),
        }
    }

    /// Whether a game, or what cannot be read at its place, is the one.
    #[must_use]
    pub fn is(&self, place: GamePlace, game: &Result<RawGame<'_>, LogError>) -> bool {
        match (self, game) {
            (WantedGame::Number(number), _) => place.number() == *number,
            (WantedGame::Id(id), Ok(game)) => game.is_called(id),
            (WantedGame::Id(_), Err(_)) => false,
        }
    }
}

/// A part of the list of a log's games.
#[derive(Debug)]
pub enum ListPart {
    /// The next games of the log; the index of the game that the user asked for, if it is among
    /// them.
    Games(Vec<ListedGame>, Option<usize>),
    /// The log has been read to its end, or to this error of the file.
    End(Option<String>),
}

/// The most games that are sent at a time.
const BATCH: usize = 1000;

/// Reads a log to its end and sends its games to the model in batches, the first one as soon as it
/// was read and the wanted one as soon as it was found. `send` breaks when there is no model any
/// more.
pub fn list_games(
    source: impl Read,
    wanted: &WantedGame,
    mut send: impl FnMut(ListPart) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut batch = Vec::new();
    let mut found = None;
    let read: Result<(), ReadEnd<()>> = read_places(source, |place, _, game| {
        let is_wanted = found.is_none() && wanted.is(place, &game);
        batch.push(ListedGame::new(place, &game));
        if is_wanted {
            found = Some(place.number() - 1);
        }
        if !is_wanted && place.number() > 1 && batch.len() < BATCH {
            return Ok(());
        }
        let index = found.filter(|_| is_wanted);
        send(ListPart::Games(std::mem::take(&mut batch), index))
            .continue_value()
            .ok_or(ReadEnd::Ended(()))
    });
    let error = match read {
        Ok(()) => None,
        Err(ReadEnd::Ended(())) => return ControlFlow::Break(()),
        Err(ReadEnd::Unreadable(error)) => Some(error.to_string()),
    };
    send(ListPart::Games(batch, None))?;
    send(ListPart::End(error))
}

/// The games of a log, in their order.
#[derive(Debug, Default)]
pub struct GameList {
    /// With the numbers of their words.
    rows: Vec<ListedGame<u32>>,
    words: Interner,
    is_complete: bool,
}

impl GameList {
    /// Adds the next game.
    pub fn push(&mut self, game: ListedGame) {
        let row = game.with_words(|word| self.words.intern(word) as u32);
        self.rows.push(row);
    }

    /// The whole log has been read.
    pub fn complete(&mut self) {
        self.is_complete = true;
    }

    /// Whether the whole log has been read.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The number of games so far.
    #[must_use]
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// A game, by its index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<ListedGame<&str>> {
        Some(self.rows.get(index)?.with_words(|number| &*self.words.texts()[number as usize]))
    }

    /// The indices, from `from` on, of the games that a filter lets through.
    pub fn filtered(&self, filter: &Filter, from: usize) -> Vec<u32> {
        // Whether each word of the log contains each word of the filter.
        let has: Vec<Vec<bool>> = filter
            .texts
            .iter()
            .map(|text| {
                self.words.texts().iter().map(|word| word.to_lowercase().contains(text)).collect()
            })
            .collect();
        let passes = |row: &ListedGame<u32>| {
            let words = [row.players[0], row.players[1], row.end[0], row.end[1]];
            has.iter().all(|has| words.iter().any(|&word| has[word as usize]))
                && filter.results.iter().all(|&result| result == row.result)
                && filter.more_than.is_none_or(|plies| row.plies > plies)
                && filter.less_than.is_none_or(|plies| row.plies < plies)
        };
        let rows = self.rows.iter().enumerate().skip(from);
        rows.filter(|(_, row)| passes(row)).map(|(index, _)| index as u32).collect()
    }
}

/// What the user looks for. Every word must hold: `>50` and `<20` are about the number of plies,
/// `1-0`, `0-1`, `1/2-1/2` or `1/2`, and `*` about the result as it is shown; any other word is
/// part of a player's name, of the outcome or of its reason.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    texts: Vec<String>,
    results: Vec<GameResult>,
    more_than: Option<u32>,
    less_than: Option<u32>,
}

impl Filter {
    /// Reads a filter. Any text is one; a length that is no number is ignored, because it is being
    /// typed.
    #[must_use]
    pub fn parse(text: &str) -> Filter {
        let mut filter = Filter::default();
        for word in text.split_whitespace() {
            if let Some(number) = word.strip_prefix('>') {
                filter.more_than = number.parse().ok().or(filter.more_than);
            } else if let Some(number) = word.strip_prefix('<') {
                filter.less_than = number.parse().ok().or(filter.less_than);
            } else if let Some(result) =
                GameResult::named(word).or((word == "1/2").then_some(GameResult::Draw))
            {
                filter.results.push(result);
            } else {
                filter.texts.push(word.to_lowercase());
            }
        }
        filter
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The games of a log.
    pub(in crate::view::replay) fn listed(log: &[u8]) -> Vec<ListedGame> {
        let mut games = Vec::new();
        let _ = list_games(log, &WantedGame::Number(1), |input| {
            if let ListPart::Games(batch, _) = input {
                games.extend(batch);
            }
            ControlFlow::Continue(())
        });
        games
    }

    fn list(log: &str) -> GameList {
        let mut list = GameList::default();
        listed(log.as_bytes()).into_iter().for_each(|game| list.push(game));
        list
    }

    fn game(players: [&str; 2], result: &str, end: [&str; 2], moves: &str) -> String {
        format!(
            "[White \"{}\"]\n[Black \"{}\"]\n[Game \"loa\"]\n[Result \"{result}\"]\n[Outcome \"{}\"]\n\
             [Termination \"{}\"]\n\n{moves} {result}\n\n",
            players[0], players[1], end[0], end[1]
        )
    }

    #[test]
    fn games_are_found_by_bot_result_termination_and_length() {
        // In loa Black moves first and stands in front.
        let log = game(["conny", "Randy"], "0-1", ["win", "connected"], "a2c4")
            + &game(["greta", "randy"], "1-0", ["forfeit", "timeout"], "a2c4 c0b1")
            + &game(["greta", "conny"], "1/2-1/2", ["draw", "repetition"], "a2c4 c0b1 a4a5")
            + "[White \"cut\"]\n\n1. a2";
        let list = list(&log);
        assert_eq!(list.len(), 4);
        let line = list.get(1).unwrap();
        assert_eq!(
            (line.players, line.end, line.plies),
            (["randy", "greta"], ["forfeit", "timeout"], 2)
        );
        for (filter, expected) in [
            ("", &[0, 1, 2, 3][..]),
            ("randy", &[0, 1]),
            ("RANDY conny", &[0]),
            ("0-1", &[1]),
            ("1-0", &[0]),
            ("1/2-1/2 greta", &[2]),
            ("1/2", &[2]),
            ("forfeit", &[1]),
            ("timeo", &[1]),
            (">1 <3", &[1]),
            (">1 <", &[1, 2]),
            ("broken", &[3]),
            ("nothing", &[]),
        ] {
            assert_eq!(list.filtered(&Filter::parse(filter), 0), expected, "{filter}");
        }
        assert_eq!(list.filtered(&Filter::parse("greta"), 2), [2]);
    }

    #[test]
    fn long_names_are_cut() {
        let log = game(["b", &"é".repeat(100)], "*", ["aborted", "aborted"], "");
        assert_eq!(list(&log).get(0).unwrap().players[0], "é".repeat(32));
    }
}
