//! The list of a log's games: what it needs of each, in a few bytes, and the filter.

use arbiter_game::GameResult;
use arbiter_game::record::{GamePlace, LogError, RawGame, ReadEnd, read_places};
use arbiter_rules::text::Interner;
use arbiter_rules::{Game, Side};
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
    pub fn new(place: GamePlace, game: &Result<RawGame<'_>, LogError>) -> ListedGame {
        let Ok(raw) = game else {
            return ListedGame {
                place,
                players: ["?", "?"].map(str::to_owned),
                result: GameResult::Unknown,
                end: ["broken", "unreadable"].map(str::to_owned),
                plies: 0,
            };
        };
        let mut result = raw.result;
        let mut white = Side::First;
        if let Some(tag) = raw.tag("Game")
            && let Some(rules) = Game::named(&tag.value)
        {
            result = result.of_first_side(&rules);
            white = rules.white();
        }
        let [first, second] = match white {
            Side::First => ["White", "Black"],
            Side::Second => ["Black", "White"],
        };
        ListedGame {
            place,
            players: [word(raw, first), word(raw, second)],
            result,
            end: [word(raw, "Outcome"), word(raw, "Termination")],
            plies: u32::try_from(raw.moves.len()).unwrap_or(u32::MAX),
        }
    }
}

/// The value of a tag, as far as the list keeps it.
fn word(game: &RawGame<'_>, tag: &str) -> String {
    let value = game.tag(tag).map_or("?", |tag| &*tag.value);
    value[..value.floor_char_boundary(WORD_BYTES)].to_owned()
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
    pub fn parse(text: Option<&str>) -> WantedGame {
        let text = text.unwrap_or("1");
        match text.parse() {
            Ok(number) => WantedGame::Number(number),
            Err(_) => WantedGame::Id(text.to_owned()),
        }
    }

    /// Whether a game, or what cannot be read at its place, is the one.
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
    let mut is_found = false;
    let read: Result<(), ReadEnd<()>> = read_places(source, |place, _, game| {
        batch.push(ListedGame::new(place, &game));
        // An id can occur several times in a log.
        let is_wanted = !is_found && wanted.is(place, &game);
        is_found |= is_wanted;
        // The user waits for the first game and for the wanted one, for no other.
        if !is_wanted && place.number() > 1 && batch.len() < BATCH {
            return Ok(());
        }
        let index = is_wanted.then(|| place.number() - 1);
        send(ListPart::Games(std::mem::take(&mut batch), index))
            .continue_value()
            .ok_or(ReadEnd::Ended(()))
    });
    // What is left of the last batch is sent even if the file breaks off.
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
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The number of games so far.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// A game, by its index.
    pub fn get(&self, index: usize) -> Option<ListedGame<&str>> {
        Some(self.rows.get(index)?.with_words(|number| &*self.words.texts()[number as usize]))
    }

    /// The indices, from `from` on, of the games that a filter lets through.
    pub fn filtered(&self, filter: &Filter, from: usize) -> Vec<u32> {
        // For each word of the filter whether each word of the log contains it: texts are compared
        // once a word, not once a game.
        let mut contained: Vec<Vec<bool>> = vec![Vec::new(); filter.texts.len()];
        for word in self.words.texts() {
            let word = word.to_lowercase();
            for (text, words) in filter.texts.iter().zip(&mut contained) {
                words.push(word.contains(text));
            }
        }
        let mut indices = Vec::new();
        for (index, row) in self.rows.iter().enumerate().skip(from) {
            if filter.admits_numbers(row) && contained.iter().all(|has| row.has_any(has)) {
                indices.push(index as u32);
            }
        }
        indices
    }
}

impl ListedGame<u32> {
    /// Whether one of its words is in the set.
    fn has_any(&self, set: &[bool]) -> bool {
        self.players.iter().chain(&self.end).any(|&word| set[word as usize])
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
    /// Whether the result and the number of plies of a game pass.
    fn admits_numbers(&self, game: &ListedGame<u32>) -> bool {
        self.results.iter().all(|&result| result == game.result)
            && self.more_than.is_none_or(|plies| game.plies > plies)
            && self.less_than.is_none_or(|plies| game.plies < plies)
    }

    /// Reads a filter. Any text is one; a length that is no number is ignored, because it is being
    /// typed.
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
pub(super) mod tests;
