//! What a format says of itself, and the format of a tournament with its numbers.

use super::results::Results;
use super::{Bots, Bye, Decided, FORMATS, GameBatch, Pairing, ScheduleError};
use arbiter_rules::text::{Word, words};
use std::fmt;

/// What a format says of itself, in its own file.
pub struct FormatKind {
    /// How users write it.
    pub word: &'static str,
    /// Who meets whom, in a few words for users.
    pub help: &'static str,
    /// The keys of the configuration, `TABLE.KEY`, by which its tournaments differ, beside those of
    /// openings and seed.
    pub keys: &'static [&'static str],
    /// What its games depend on.
    pub dependence: Dependence,
    /// Whether bots meet whose results are equal, so that luck adds up (src/rank/definitions.md,
    /// Definition 11b).
    pub pairs_equals: bool,
    /// Whether all pairs of two bots would be the same without openings, and no opening may occur
    /// twice.
    pub needs_openings: bool,
    /// Whether a game whose attempts were all aborted gets another one when the tournament is
    /// continued. Not where games that were played since depend on its result.
    pub replays_aborted: bool,
    /// Whether it has no end, and its games are chosen while it is played ([`crate::league`]).
    pub is_endless: bool,
    /// Whether bots may be those of a folder, which are known only when it is read.
    pub takes_folders: bool,
    /// What the leading bots are called, if there are some.
    pub leaders: &'static str,
    /// The number of bots at the head of the configuration whose place there decides what they are.
    pub(super) leading: fn(&Format) -> u32,
    /// Why it cannot be played among so many bots.
    pub(super) refusal: fn(&Format, usize) -> Option<ScheduleError>,
    /// The number of games among so many bots; the most where tests may end them.
    pub(super) games: fn(&Format, u64) -> u64,
    /// The number of openings that two bots need.
    pub(super) openings: fn(&Format) -> u64,
    /// The number of pairs among so many bots that can be played at once.
    pub(super) pairs_at_once: fn(&Format, u64) -> u64,
    /// The state of a tournament of these bots before its first game.
    pub(super) begin: fn(&Format, &Bots) -> Box<dyn FormatState>,
}

/// Refuses a value of the configuration; `why` ends a sentence that begins with the key.
pub(super) fn refused(
    key: &'static str,
    value: impl ToString,
    why: impl Into<String>,
) -> ScheduleError {
    ScheduleError::Refused { key, value: value.to_string(), why: why.into() }
}

words! {
    /// When the games of two bots in a gauntlet end.
    Stop {
        /// When all of them are played.
        Played = "played",
        /// When a test of the other bot against the leading one has a verdict.
        Decided = "decided",
    }
}

/// What the games of a format depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependence {
    /// Nothing: any of them can be played alone. Bots may come, go and change, which adds or
    /// removes games.
    Nothing,
    /// Those of a round depend on the results of the rounds before it.
    Rounds,
    /// Whether a pair is played at all depends on all pairs before it. Its pairs are a test of the
    /// first bot.
    Pairs,
}

impl FormatKind {
    /// Whether no game depends on another one.
    pub fn is_league(&self) -> bool {
        self.dependence == Dependence::Nothing
    }
}

/// A format is known by its word.
impl Word for &'static FormatKind {
    const ALL: &'static [&'static FormatKind] = FORMATS;

    fn word(self) -> &'static str {
        self.word
    }
}

impl PartialEq for FormatKind {
    fn eq(&self, other: &FormatKind) -> bool {
        self.word == other.word
    }
}

impl Eq for FormatKind {}

impl fmt::Debug for FormatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

/// The format of a tournament, with the numbers of all formats; each uses some of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    pub kind: &'static FormatKind,
    /// Games of a pairing.
    pub games: u32,
    /// The number of rounds.
    pub rounds: u32,
    /// The number of first bots that meet the rest.
    pub challengers: u32,
    /// Regular games of a pairing of a knockout; even, and all of them are played.
    pub best_of: u32,
    /// Maximum number of pairs of a test.
    pub max_pairs: u32,
    /// Maximum number of pairs of a test that may have started beyond the unbroken prefix of
    /// finished pairs.
    pub ahead: u32,
    /// When the games against a leading bot end.
    pub stop: Stop,
}

impl Default for Format {
    fn default() -> Format {
        let kind = FORMATS[0];
        Format {
            kind,
            games: 2,
            rounds: 1,
            challengers: 1,
            best_of: 2,
            max_pairs: 2000,
            ahead: u32::MAX,
            stop: Stop::Played,
        }
    }
}

impl Format {
    /// The format that users write like this, with the default numbers.
    pub fn named(word: &str) -> Option<Format> {
        <&FormatKind>::named(word).map(|kind| Format { kind, ..Format::default() })
    }

    /// The keys of all numbers, `TABLE.KEY`, with their values.
    pub fn numbers(&self) -> [(&'static str, u32); 5] {
        let Format { kind: _, games, rounds, challengers, best_of, max_pairs, ahead: _, stop: _ } =
            *self;
        [
            ("schedule.best-of", best_of),
            ("schedule.games", games),
            ("schedule.rounds", rounds),
            ("schedule.challengers", challengers),
            ("sprt.max-pairs", max_pairs),
        ]
    }

    /// Checks that it can be played among so many bots: that no number which it uses is 0, and that
    /// all fit the number of bots.
    pub fn check(&self, bots: usize) -> Result<(), ScheduleError> {
        for (key, number) in self.numbers() {
            if number == 0 && self.uses(key) {
                return Err(refused(key, 0, "must be at least 1"));
            }
        }
        (self.kind.refusal)(self, bots).map_or(Ok(()), Err)
    }

    /// Whether tournaments of this format differ by this key, `TABLE.KEY`.
    pub fn uses(&self, key: &str) -> bool {
        self.kind.keys.contains(&key)
    }

    /// The number of bots at the head of the configuration whose place there decides what they are.
    pub fn leading(&self) -> usize {
        (self.kind.leading)(self) as usize
    }

    /// Whether tests of the results may end the games before all of them are played.
    pub fn ends_by_tests(&self) -> bool {
        self.kind.dependence == Dependence::Pairs || self.stop == Stop::Decided
    }

    /// Whether its games are those of a league, and all of them are played.
    pub fn plays_all_of_a_league(&self) -> bool {
        self.kind.is_league() && !self.kind.is_endless && self.stop == Stop::Played
    }

    /// The number of games among so many bots, or the most if they [end by
    /// tests](Format::ends_by_tests). Further pairs of level pairings in a knockout are not
    /// included.
    pub fn total_games(&self, bots: usize) -> u64 {
        (self.kind.games)(self, bots as u64)
    }

    /// The number of games between two bots of a league.
    pub fn games_of_pairing(&self) -> u64 {
        u64::from(self.games) * u64::from(self.rounds)
    }

    /// The number of openings that two bots need.
    pub fn openings(&self) -> u64 {
        (self.kind.openings)(self)
    }

    /// The number of pairs among so many bots that can be played at once.
    pub fn pairs_at_once(&self, bots: usize) -> u64 {
        (self.kind.pairs_at_once)(self, bots as u64)
    }
}

/// The criteria by which bots are ranked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Ranking {
    /// Points, head-to-head, Sonneborn-Berger, wins.
    #[default]
    Points,
    /// Points, Buchholz, Sonneborn-Berger.
    Swiss,
    /// The place of each bot, by its number; bots that lost in the same round of a knockout share a
    /// place.
    Knockout(Vec<usize>),
    /// The place of each bot by its rating, by its number. Points do not rank bots whose games were
    /// chosen by what they say about the ratings.
    Rating(Vec<usize>),
}

words! {
    /// What comes before the other tie-breaks.
    #[derive(Default)]
    TieBreak {
        /// Nothing.
        #[default]
        None = "none",
        /// The margins of games won, less those of games lost.
        Margin = "margin",
    }
}

impl Ranking {
    /// The criteria in words, the most important first.
    pub fn order(&self) -> &'static [&'static str] {
        match self {
            Ranking::Points => &[
                "points",
                "head-to-head where all tied bots met equally often",
                "Sonneborn-Berger",
                "wins",
            ],
            Ranking::Swiss => &["points", "Buchholz", "Sonneborn-Berger"],
            Ranking::Knockout(_) => &["the round reached"],
            Ranking::Rating(_) => &["rating"],
        }
    }
}

/// The state of a tournament: what it plays next, and what it reports besides its games.
pub(super) trait FormatState: fmt::Debug + Send + Sync {
    /// What follows when all games that it has scheduled, so many, are handed out.
    fn next(&mut self, results: &Results, handed_out: u64) -> NextGames;

    /// What ranks the bots.
    fn ranking(&self) -> Ranking {
        Ranking::Points
    }

    /// The [unit](super::Pairing::share_unit) of a game of this pair.
    fn share_unit(&self, _game: &Pairing, pair: u64) -> u64 {
        pair
    }

    /// The byes of the rounds that have started.
    fn byes(&self) -> &[Bye] {
        &[]
    }

    /// Notes for users, with these names of the bots.
    fn notes(&self, _names: &[String]) -> Vec<String> {
        Vec::new()
    }

    /// The pairings whose winner goes on alone.
    fn decided(&self) -> &[Decided] {
        &[]
    }
}

/// What a format plays next.
#[derive(Debug)]
pub(super) enum NextGames {
    /// These games, then it is asked again.
    Play(Vec<GameBatch>),
    Wait,
    Over,
}
