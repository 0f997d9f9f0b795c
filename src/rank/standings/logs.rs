//! Games of logs of any program into [`Standings`]: what is left out, and why.

use super::sides::SideEvidence;
use super::{HASHES_KEPT, Score, Scored, Standings, hash_of};
use arbiter_game::GameResult;
use arbiter_game::record::{GameHead, RawGame};
use arbiter_rules::text::shortened;
use arbiter_rules::{Game, Margin, Side};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::hash::Hash;

/// Maximum number of games left out that are named.
const NAMED: usize = 3;

/// Standings from logs. A game counts if White and Black are named and there is a result: that of
/// the tag `Result`, or else the one after the moves. Of records of one game the first one counts
/// ([`KnownGames`]); games without `GameId` all count.
///
/// Memory does not grow with the number of games: see [`KnownGames`] and [`HASHES_KEPT`].
///
/// ```
/// use arbiter_game::record::read_heads;
/// use arbiter_rank::standings::LogStandings;
/// let log = b"[White \"conny\"] [Black \"randy\"] 1. e4 (1. d4) e5 1-0
///     [White \"conny\"] [Black \"randy\"] e4";
/// let mut standings = LogStandings::default();
/// read_heads(&log[..], |game| Ok::<_, std::io::Error>(drop(standings.add("a.pgn", game))))?;
/// standings.end_of_log();
/// assert_eq!(standings.table().rows()[0].wins, 1);
/// assert_eq!(standings.notes(), ["1 of 2 games left out: a.pgn:2: no result"]);
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct LogStandings {
    table: Standings,
    ids: KnownGames,
    games: u64,
    left_out: Named,
    repeated_ids: u64,
    /// Games whose tag `Result` is not the result after the moves.
    contradicted: Named,
    /// Games that count though they are damaged or cut off.
    damaged: Named,
    /// The current log.
    log: LogShape,
    /// The digests that the logs have of each bot.
    digests: Versions,
    /// The clocks that the logs have of each bot.
    clocks: Versions,
    sides: SideEvidence,
}

/// Texts of each bot, of which [`NAMED`] and one more are kept.
#[derive(Debug, Clone, Default)]
struct Versions(BTreeMap<String, BTreeSet<String>>);

impl Versions {
    fn add(&mut self, bot: Option<&str>, text: Option<&str>) {
        let (Some(bot), Some(text)) = (bot, text) else { return };
        match self.0.get_mut(bot) {
            Some(known) if known.contains(text) || known.len() > NAMED => {}
            Some(known) => drop(known.insert(text.to_owned())),
            None => drop(self.0.insert(bot.to_owned(), BTreeSet::from([text.to_owned()]))),
        }
    }

    /// A sentence for each of the first bots that have several, and one for the others.
    fn notes(&self, what: &str) -> Vec<String> {
        let several: Vec<_> = self.0.iter().filter(|(_, texts)| texts.len() > 1).collect();
        let mut notes = Vec::new();
        for (bot, texts) in several.iter().take(NAMED) {
            let more = if texts.len() > NAMED { " and more" } else { "" };
            let first: Vec<&str> = texts.iter().take(NAMED).map(String::as_str).collect();
            let first = first.join(", ");
            notes.push(format!("{bot} {what} ({first}{more}): they are rated as those of one bot"));
        }
        if several.len() > NAMED {
            notes.push(format!("so did {} more bots", several.len() - NAMED));
        }
        notes
    }
}

impl LogStandings {
    /// Adds a game of the log of that name.
    pub fn add(&mut self, file: &str, game: &GameHead) {
        self.games += 1;
        self.log.games += 1;
        let counted = match scored(game) {
            Ok(counted) => counted,
            Err((line, what)) => return self.left_out.add(|| format!("{file}:{line}: {what}")),
        };
        if self.ids.repeats(|name| game.tag(name), (game.moves, game.result)) {
            self.repeated_ids += 1;
            return;
        }
        self.table.add(&counted);
        if counted.score.is_some() {
            self.sides.add(game);
        }
        let line = game.line;
        if let Some((fault_line, what)) = &game.fault {
            self.damaged.add(|| format!("{file}:{fault_line}: {what}"));
        } else if game.result.is_none() && game.moves.is_none() {
            self.log.only_tags.add(|| format!("{file}:{line}: there is nothing after its tags"));
        }
        if let (Some(tag), Some(end)) = (result_tag(game), game.result)
            && tag != end
        {
            self.contradicted
                .add(|| format!("{file}:{line}: Result is {tag}, but the moves end with {end}"));
        }
        for (bot, digest, clock) in [
            ("White", "WhiteDigest", "WhiteTimeControl"),
            ("Black", "BlackDigest", "BlackTimeControl"),
        ] {
            self.digests.add(game.tag(bot), game.tag(digest));
            self.clocks.add(game.tag(bot), game.tag(clock).or(game.tag("TimeControl")));
        }
    }

    /// Ends a log: a game whose partner is missing counts as a single game.
    pub fn end_of_log(&mut self) {
        self.table.end_of_log();
        // Where all games have tags alone, nothing else was written.
        let LogShape { games, only_tags } = std::mem::take(&mut self.log);
        if games == 1 || only_tags.count() < games {
            self.damaged.append(only_tags);
        }
    }

    /// Points and counts.
    pub fn table(&self) -> &Standings {
        &self.table
    }

    /// Whether the tags show which side moved first: a start position, a game of arbiter, or rounds
    /// with sides exchanged.
    pub fn shows_first_side(&self) -> bool {
        self.sides.is_sufficient()
    }

    /// What does not count, each in a sentence.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (named, what) in [
            (&self.left_out, "left out"),
            (&self.contradicted, "counted by the tag Result, which the moves contradict"),
            (&self.damaged, "damaged or cut off, and counted by the result that is there"),
        ] {
            if named.count > 0 {
                let count = grouped(named.count);
                notes.push(format!("{count} of {} {what}: {named}", games(self.games)));
            }
        }
        if self.repeated_ids > 0 {
            let [is, does] = if self.repeated_ids == 1 { ["is", "does"] } else { ["are", "do"] };
            notes.push(format!(
                "{} of {} {is} there before, with the same GameId, event, seed, board, start, \
                 settings, players and digests of these (without digests: moves and result), and \
                 {does} not count",
                grouped(self.repeated_ids),
                games(self.games)
            ));
        }
        notes.extend(self.digests.notes("changed between the games"));
        notes.extend(self.clocks.notes("had several clocks in the games"));
        notes
    }
}

/// A count of things of which the first three are named: a number and a text of limited length,
/// however many there are.
#[derive(Debug, Clone, Default)]
pub struct Named {
    count: u64,
    first: Vec<String>,
}

impl Named {
    /// Counts one more; `name` says where it is and what is wrong with it. It is called only if it
    /// is named.
    pub fn add(&mut self, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(shortened(&name()));
        }
    }

    /// Counts those of another one after these.
    fn append(&mut self, other: Named) {
        self.count += other.count;
        self.first.extend(other.first);
        self.first.truncate(NAMED);
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first.join("; "))?;
        match self.count - self.first.len() as u64 {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

/// How much of the games of a log there is.
#[derive(Debug, Clone, Default)]
struct LogShape {
    games: u64,
    /// Games that count and have neither moves nor a result after their tags.
    only_tags: Named,
}

/// The games that were read, to find those that are given twice: records of one game have the same
/// tags (`IDENTITY`). Without the digests of both bots, moves and result have to be the same as
/// well, because a bot that was changed plays other games under the same ids. Beyond
/// [`HASHES_KEPT`] games none is known any more.
#[derive(Debug, Clone, Default)]
pub struct KnownGames(HashSet<u64>);

/// The tags by which games are told apart: which game of which run it is, the bots and their sides,
/// and what it was played under.
const IDENTITY: [&str; 12] = [
    "GameId",
    "Event",
    "Seed",
    "White",
    "Black",
    "WhiteDigest",
    "BlackDigest",
    "Game",
    "Options",
    "FEN",
    "TimeControl",
    "Settings",
];

impl KnownGames {
    /// Whether this game was there before.
    pub fn repeats_raw(&mut self, game: &RawGame<'_>) -> bool {
        let moves: Vec<&str> = game.moves.iter().map(|ply| ply.text).collect();
        self.repeats(|name| game.tag(name).map(|tag| &*tag.value), (moves, game.result))
    }

    /// Whether a game with these tags and this course was there before. Without `GameId` it was
    /// not.
    pub(super) fn repeats<'a>(
        &mut self,
        tag: impl Fn(&str) -> Option<&'a str>,
        course: impl Hash,
    ) -> bool {
        if tag("GameId").is_none() {
            return false;
        }
        let is_known_by_digests = tag("WhiteDigest").is_some() && tag("BlackDigest").is_some();
        let course = (!is_known_by_digests).then(|| (tag("Result"), course));
        // An aborted attempt does not stand for the game that was played after it.
        let is_aborted = tag("Result") == Some(GameResult::Unknown.word());
        let hash = hash_of(&(IDENTITY.map(&tag), is_aborted, course));
        if self.0.len() < HASHES_KEPT { !self.0.insert(hash) } else { self.0.contains(&hash) }
    }
}

fn result_tag(game: &GameHead) -> Option<GameResult> {
    game.tag("Result").and_then(GameResult::named)
}

/// The part of a game that counts, or the line and the reason why there is none.
fn scored(game: &GameHead) -> Result<Scored<'_>, (usize, String)> {
    let Some(white) = game.tag("White") else { return Err(missing(game, "no tag White")) };
    let Some(black) = game.tag("Black") else { return Err(missing(game, "no tag Black")) };
    if white == black {
        return Err((game.line, format!("{white} plays against itself")));
    }
    let of_white = match result_tag(game).or(game.result) {
        Some(GameResult::White) => Some(Score::Win),
        Some(GameResult::Draw) => Some(Score::Draw),
        Some(GameResult::Black) => Some(Score::Loss),
        Some(GameResult::Unknown) => None,
        None => return Err(missing(game, "no result")),
    };
    // A custom game does not say which colour moves first; in logs without a game it is White.
    let known = game.tag("Game").and_then(Game::named);
    let (first, second, score) = match known.as_ref().map_or(Side::First, Game::white) {
        Side::First => (white, black, of_white),
        Side::Second => (black, white, of_white.map(Score::of_opponent)),
    };
    let outcome = game.tag("Outcome").unwrap_or_default();
    // As `PliesKey::repeatable`: a game that is forfeited before its first ply repeats nothing.
    let mut plies = None;
    if let Some((moves, count)) = game.moves
        && count > u64::from(outcome == "forfeit")
    {
        let rules = [game.tag("FEN"), game.tag("Game"), game.tag("Options")];
        plies = Some(hash_of(&(rules, moves)));
    }
    Ok(Scored {
        score,
        outcome,
        termination: game.tag("Termination").unwrap_or_default(),
        margin: game.tag("Margin").and_then(|text| Margin::new(text.parse().ok()?)),
        pair: game.tag("Pair"),
        plies,
        ..Scored::between(first, second)
    })
}

/// A tag or a result that is missing may be missing because the game is damaged.
fn missing(game: &GameHead, what: &str) -> (usize, String) {
    match &game.fault {
        Some((line, why)) => (*line, format!("{what}: {why}")),
        None => (game.line, what.to_owned()),
    }
}

fn games(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "game" } else { "games" })
}

/// A number with a comma before every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
