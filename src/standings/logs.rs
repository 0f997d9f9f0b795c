//! Games of logs of any program into [`Standings`]: what is left out, and why.

use super::sides::SideEvidence;
use super::{HASHES_KEPT, Score, Scored, Standings, hash_of};
use crate::game::GameResult;
use crate::game_id::{pairing_name, parts_of};
use crate::record::{GameHead, RawGame};
use crate::rules::{Game, Side};
use crate::text::shortened;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::hash::Hash;

/// Maximum number of games left out that are named.
const NAMED: usize = 3;

/// Standings from logs. A game counts if White and Black are named and there is a result: that of the tag
/// `Result`, or else the one after the moves. Of records of one game the first one counts ([`GameIds`]); games
/// without `GameId` all count.
///
/// Memory does not grow with the number of games: see [`GameIds`] and [`HASHES_KEPT`].
///
/// ```
/// use arbiter::record::read_heads;
/// use arbiter::standings::LogStandings;
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
    ids: GameIds,
    games: u64,
    left_out: Named,
    repeated_ids: u64,
    /// Games whose tag `Result` is not the result after the moves.
    contradicted: Named,
    /// Logs whose last game has tags alone.
    cut: Named,
    /// Of the current log: its games, those with tags alone, and whether the last one is such a game.
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
        let sentence = |(bot, texts): &(&String, &BTreeSet<String>)| {
            let more = if texts.len() > NAMED { " and more" } else { "" };
            let texts: Vec<&str> = texts.iter().take(NAMED).map(String::as_str).collect();
            format!("{bot} {what} ({}{more}): they are rated as those of one bot", texts.join(", "))
        };
        let more = several.len().saturating_sub(NAMED);
        let more = (more > 0).then(|| format!("so did {more} more bots"));
        several.iter().take(NAMED).map(sentence).chain(more).collect()
    }
}

impl LogStandings {
    /// Adds a game of the log of that name.
    pub fn add(&mut self, file: &str, game: &GameHead) {
        self.games += 1;
        self.log.add(file, game);
        match scored(game) {
            Ok(_) if self.ids.repeats_head(game) => self.repeated_ids += 1,
            Ok(scored) => {
                self.table.add(&scored);
                if let (Some(_), Some(white), Some(black)) =
                    (scored.score, game.tag("White"), game.tag("Black"))
                {
                    self.sides.add(game, [white, black]);
                }
                if let (Some(tag), Some(end)) = (result_tag(game), game.result)
                    && tag != end
                {
                    let what =
                        || format!("{file}:{}: Result is {tag}, but the moves end with {end}", game.line);
                    self.contradicted.add(what);
                }
                let sides = [
                    ("White", "WhiteDigest", "WhiteTimeControl"),
                    ("Black", "BlackDigest", "BlackTimeControl"),
                ];
                for (bot, digest, clock) in sides {
                    self.digests.add(game.tag(bot), game.tag(digest));
                    self.clocks.add(game.tag(bot), game.tag(clock).or_else(|| game.tag("TimeControl")));
                }
            }
            Err((line, what)) => {
                self.left_out.add(|| format!("{file}:{line}: {what}"));
            }
        }
    }

    /// Ends a log: a game whose partner is missing counts as a single game.
    pub fn end_of_log(&mut self) {
        self.table.end_of_log();
        let LogShape { games, only_tags, last } = std::mem::take(&mut self.log);
        if let Some(last) = last.filter(|_| games == 1 || only_tags < games) {
            self.cut.add(|| last);
        }
    }

    /// Points and counts.
    #[must_use]
    pub fn table(&self) -> &Standings {
        &self.table
    }

    /// Whether the tags show which side moved first: a start position, a game of arbiter, or rounds with sides exchanged.
    #[must_use]
    pub fn shows_first_side(&self) -> bool {
        self.sides.is_sufficient()
    }

    /// What does not count, each in a sentence.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (named, what) in [
            (&self.left_out, "left out"),
            (&self.contradicted, "counted by the tag Result, which the moves contradict"),
        ] {
            if named.count > 0 {
                notes.push(format!("{} of {} {what}: {named}", grouped(named.count), games(self.games)));
            }
        }
        if self.cut.count > 0 {
            notes.push(format!("the log ends in the tags of a game: {}", self.cut));
        }
        if self.repeated_ids > 0 {
            let [is, does] = if self.repeated_ids == 1 { ["is", "does"] } else { ["are", "do"] };
            notes.push(format!(
                "{} of {} {is} there before, with the same GameId, event, seed, board, players and digests of these \
                 (without digests: moves and result), and {does} not count",
                grouped(self.repeated_ids),
                games(self.games)
            ));
        }
        notes.extend(self.digests.notes("changed between the games"));
        notes.extend(self.clocks.notes("had several clocks in the games"));
        notes
    }
}

/// A count of games of which the first are named.
#[derive(Debug, Clone, Default)]
pub struct Named {
    count: u64,
    first: Vec<String>,
}

impl Named {
    /// Counts one more; `name` says where it is and what is wrong with it. It is called only if it is named.
    pub fn add(&mut self, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(shortened(&name()));
        }
    }

    /// How many there are.
    #[must_use]
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

/// How much of a log's games there is.
#[derive(Debug, Clone, Default)]
struct LogShape {
    games: u64,
    /// Games that have tags, and neither moves nor a result behind them.
    only_tags: u64,
    /// The place of the last game, if it is such a game.
    last: Option<String>,
}

impl LogShape {
    fn add(&mut self, file: &str, game: &GameHead) {
        let has_moves = game.result.is_some() || game.moves.is_some();
        self.games += 1;
        self.only_tags += u64::from(!has_moves);
        self.last = (!has_moves).then(|| format!("{file}:{}", game.line));
    }
}

/// The ids of games, to find those that are given twice.
///
/// One game has one `GameId`, `Event`, `Seed`, `Game`, `Options` and players with one content: a bot that was changed
/// plays other games under the same ids. Without the digests of both bots only the moves and the result can tell that.
///
/// Of ids `A~B.N` that name the players, memory grows with the pairings and with the gaps between their numbers; of other
/// ids, of games without digests, and beyond gaps, [`HASHES_KEPT`] are known at most.
#[derive(Debug, Clone, Default)]
pub struct GameIds {
    /// Of each pairing with its event and seed, as a hash: all numbers up to this one have been given.
    last: HashMap<u64, u64>,
    /// Hashes of other ids, and of numbers that come later than the next one.
    others: HashSet<u64>,
}

impl GameIds {
    /// Whether this game was there before.
    pub fn repeats_head(&mut self, game: &GameHead) -> bool {
        self.repeats(|name| game.tag(name), (game.moves, game.result))
    }

    /// Whether this game was there before.
    pub fn repeats_raw(&mut self, game: &RawGame<'_>) -> bool {
        let moves: Vec<&str> = game.moves.iter().map(|ply| ply.text).collect();
        self.repeats(|name| game.tag(name).map(|tag| &*tag.value), (moves, game.result))
    }

    /// Whether a game with these tags and this course was there before. Without `GameId` it was not.
    pub(super) fn repeats<'a>(&mut self, tag: impl Fn(&str) -> Option<&'a str>, course: impl Hash) -> bool {
        let Some(id) = tag("GameId") else { return false };
        let players = ["White", "Black"].map(|name| tag(name).unwrap_or_default());
        let run = ["Event", "Seed", "Game", "Options"].map(&tag);
        let [Some(of_white), Some(of_black)] = ["WhiteDigest", "BlackDigest"].map(&tag) else {
            return !self.keep(hash_of(&(id, run, players, tag("Result"), course)));
        };
        let Some((pairing, number)) =
            parts_of(id).filter(|(pairing, _)| *pairing == pairing_name(players[0], players[1]))
        else {
            return !self.keep(hash_of(&(id, run, players, of_white, of_black)));
        };
        // Sides do not matter to such an id.
        let digests = if players[0] < players[1] { [of_white, of_black] } else { [of_black, of_white] };
        // An aborted attempt does not stand for the game that was played after it.
        let is_aborted = tag("Result") == Some(GameResult::Unknown.word());
        let pairing = hash_of(&(pairing, run, digests, is_aborted));
        let last = self.last.entry(pairing).or_default();
        if number <= *last || number > *last + 1 {
            return number <= *last || !self.keep(hash_of(&(pairing, number)));
        }
        *last = number;
        while self.others.remove(&hash_of(&(pairing, last.saturating_add(1)))) {
            *last += 1;
        }
        false
    }

    /// Adds a hash if there is room; returns whether it was not there.
    fn keep(&mut self, hash: u64) -> bool {
        match self.others.len() < HASHES_KEPT {
            true => self.others.insert(hash),
            false => !self.others.contains(&hash),
        }
    }
}

fn result_tag(game: &GameHead) -> Option<GameResult> {
    game.tag("Result").and_then(GameResult::named)
}

/// The part of a game that counts, or the line and the reason why there is none.
fn scored(game: &GameHead) -> Result<Scored<'_>, (usize, String)> {
    let because = |missing: &str| match &game.fault {
        Some((line, what)) => (*line, format!("{missing}: {what}")),
        None => (game.line, missing.to_owned()),
    };
    let white = game.tag("White").ok_or_else(|| because("no tag White"))?;
    let black = game.tag("Black").ok_or_else(|| because("no tag Black"))?;
    if white == black {
        return Err((game.line, format!("{white} plays against itself")));
    }
    let of_white = match result_tag(game).or(game.result).ok_or_else(|| because("no result"))? {
        GameResult::White => Some(Score::Win),
        GameResult::Draw => Some(Score::Draw),
        GameResult::Black => Some(Score::Loss),
        GameResult::Unknown => None,
    };
    let known = game.tag("Game").and_then(Game::named);
    let (first, second, score) = match known.map_or(Side::First, Game::white) {
        Side::First => (white, black, of_white),
        Side::Second => (black, white, of_white.map(Score::of_opponent)),
    };
    let outcome = game.tag("Outcome").unwrap_or_default();
    // As `PliesKey::repeatable`.
    let moves = game.moves.filter(|(_, count)| *count > u64::from(outcome == "forfeit"));
    Ok(Scored {
        score,
        outcome,
        termination: game.tag("Termination").unwrap_or_default(),
        pair: game.tag("Pair"),
        plies: moves
            .map(|(moves, _)| hash_of(&(["FEN", "Game", "Options"].map(|name| game.tag(name)), moves))),
        ..Scored::between(first, second)
    })
}

fn games(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "game" } else { "games" })
}

/// A number with a comma before every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
