//! Merging the journals of several runs of one tournament, such as its shards
//! (docs/reference/sharing.md, Merging): each game once, by its id and the digests of its bots.
//! What is merged depends on the set of journals only, not on their order or on how often one is
//! given.

use super::attempt_result::AttemptResult;
use super::entries::{Entrant, JournalHead};
use super::games::{GameIndex, PlayedGames};
use super::identity::{OPENINGS, differing_keys, value};
use super::recorded_game::{GameFacts, GameSummary};
use super::roster::{RosterError, difference, differing_numbers, refuse};
use arbiter_game::game_id::{names_in, parts_of};
use arbiter_game::record::SideTimes;
use arbiter_rules::BySide;
use arbiter_rules::text::Message;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The head of the merged journal. The heads come with what messages call their journals, such as
/// their folders.
///
/// # Errors
/// There is no head; or two are of different tournaments, or have different bots, or different
/// contents of a bot.
pub fn merged_head(heads: &[(String, &JournalHead)]) -> Result<JournalHead, RosterError> {
    let [(place, first), others @ ..] = heads else {
        return refuse("there is no journal with games to merge");
    };
    for (other_place, other) in others {
        if let Some(what) = contradiction([place, other_place], [first, other]) {
            return refuse(between([place, other_place], what));
        }
    }
    let mut products: BTreeMap<&str, BTreeMap<String, Option<String>>> = BTreeMap::new();
    let mut keep_changed = false;
    // Each of them may have met bots that are withdrawn and that no other one knows.
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for (_, head) in heads {
        keep_changed |= head.keep_changed;
        numbers.extend(head.numbers.clone().unwrap_or_default());
        for bot in &head.roster {
            let known = products.entry(&bot.name).or_default();
            for (path, made) in &bot.products {
                // Two builds need not make the same bytes.
                let least = known.entry(path.clone()).or_insert_with(|| made.clone());
                if made < least {
                    least.clone_from(made);
                }
            }
        }
    }
    // What is left, such as the part of the configuration that decides no game, is that of the
    // head with the least text, so that the order of the journals decides nothing.
    let mut by_text: BTreeMap<String, JournalHead> = BTreeMap::new();
    for (_, head) in heads {
        let mut whole = JournalHead {
            numbers: if first.numbers.is_some() { Some(numbers.clone()) } else { None },
            keep_changed,
            shard: None,
            previous: None,
            ..(*head).clone()
        };
        for bot in &mut whole.roster {
            bot.products = products.get(&*bot.name).cloned().unwrap_or_default();
        }
        by_text.insert(serde_json::to_string(&whole).unwrap_or_default(), whole);
    }
    by_text.into_values().next().ok_or(RosterError(Message::default()))
}

/// What two journals cannot have if they are to be merged, in a sentence; `None` if they can be
/// merged.
fn contradiction(places: [&str; 2], heads: [&JournalHead; 2]) -> Option<Message> {
    let [one, other] = heads;
    let keys = differing_keys(&one.deciding, &other.deciding, ["is", "and"]);
    if !keys.is_empty() {
        let keys = keys.join("; ");
        return Some(format!("they are results of different tournaments: {keys}").into());
    }
    if let [Some(names), Some(others)] = heads.map(JournalHead::published_names)
        && names != others
    {
        return Some(differing_configurations(one, other).unwrap_or_default());
    }
    if one.key != other.key {
        return Some(
            "they have different secret keys, so their bots have different aliases and links; \
             give all runs of a tournament the same --roster, or a key-file in [publish]"
                .into(),
        );
    }
    let [names, others] = heads.map(JournalHead::names);
    if names != others {
        let mut only = Vec::new();
        for (place, here, there) in [(places[0], &names, &others), (places[1], &others, &names)] {
            let mut lacking = here.clone();
            lacking.retain(|name| !there.contains(name));
            if !lacking.is_empty() {
                only.push(format!("{} only in {place}", lacking.join(", ")));
            }
        }
        return Some(if only.is_empty() {
            "their bots stand in different orders".into()
        } else {
            format!("other bots are scheduled: {}", only.join("; ")).into()
        });
    }
    let mut changed = Vec::new();
    for (bot, again) in one.roster.iter().zip(&other.roster) {
        changed.extend(differing_content(bot, again));
    }
    if !changed.is_empty() {
        let changed = Message::joined(changed, "; ");
        return Some(Message::from("they were played with different contents: ").and(changed));
    }
    let [absent, other_absent] = heads.map(absent_names);
    if let Some(name) = absent.symmetric_difference(&other_absent).next() {
        return Some(
            format!("{name} is listed as a bot that does not play in one of them only").into(),
        );
    }
    if let Some(what) = differing_numbers(one, other) {
        return Some(what.into());
    }
    // Everything above names what differs; this is what is left.
    if one.fingerprint != other.fingerprint {
        return Some(
            "they began with different bots or commands, so they are different tournaments".into(),
        );
    }
    None
}

fn between([one, other]: [&str; 2], what: Message) -> Message {
    Message::from(format!("{one} and {other}: ")).and(what)
}

/// The bots that do not play. A folder that came later may have the name of a bot that plays.
fn absent_names(head: &JournalHead) -> BTreeSet<&str> {
    let mut names: BTreeSet<&str> = head.absent.iter().map(|absent| &*absent.name).collect();
    for bot in &head.roster {
        names.remove(&*bot.name);
    }
    names
}

/// The lines that differ between two configurations; `None` if none do.
fn differing_configurations(one: &JournalHead, other: &JournalHead) -> Option<Message> {
    let what = arbiter_config::difference(&one.config, &other.config, one.ruleset().as_ref())?;
    Some(Message::from("their configurations differ: ").quoted(what))
}

/// Checks that the configurations in these heads are one, apart from what belongs to the machine of
/// a shard, and that each is that of the games. The merged journal has one of them, and its
/// commands are started again.
///
/// # Errors
/// Two differ, or one is not that of the games of its journal; the journals, keys and lines are
/// named.
pub fn check_configurations(heads: &[(String, &JournalHead)]) -> Result<(), RosterError> {
    let [(place, first), others @ ..] = heads else { return Ok(()) };
    for (other, head) in others {
        if let Some(what) = differing_configurations(first, head) {
            return refuse(between([place, other], what));
        }
    }
    let Ok(config) = first.configuration() else { return Ok(()) }; // its reader says why
    let now = first.public_names().config(&config).identity();
    // An older or newer arbiter may know other keys. The text of a file of openings is not in the
    // configuration.
    let mut decided = first.deciding.clone();
    decided.retain(|(key, _)| key != OPENINGS && value(&now, key).is_some());
    let mut said = now;
    said.retain(|(key, _)| value(&decided, key).is_some());
    let differing = differing_keys(&decided, &said, ["was", "is"]);
    if differing.is_empty() {
        return Ok(());
    }
    refuse(format!(
        "{place}: the configuration in its journal is not that of its games: {}",
        differing.join("; ")
    ))
}

/// The name of a bot and what differs of it; `None` if it is the same.
fn differing_content(one: &Entrant, other: &Entrant) -> Option<Message> {
    if one.digest == other.digest {
        return None;
    }
    let what = match difference(one, other) {
        Some(what) => what,
        None => "one of them does not note its content".to_owned(),
    };
    Some(Message::from(format!("{} (", one.name)).quoted(what).own(")"))
}

/// Where a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct JournalPlace {
    /// The number of the journal, as its reader counts them.
    pub journal: usize,
    /// The position in it.
    pub place: u64,
    /// The number of its line, from 1.
    pub line: usize,
}

/// A record of a game.
#[derive(Debug, Clone, Copy)]
pub struct RecordCopy {
    pub at: JournalPlace,
    pub facts: GameFacts,
    /// The SHA-256 of its line.
    line: [u8; 32],
}

impl RecordCopy {
    fn result(&self) -> AttemptResult {
        self.facts.outcome.into()
    }

    /// Whether there is no further attempt after this one.
    fn is_last(&self) -> bool {
        self.result() != AttemptResult::Aborted
    }

    /// What comes first counts: of one attempt first what has a result.
    fn order(&self) -> (u32, bool, [u8; 32]) {
        (self.facts.attempt, self.result().half_points().is_none(), self.line)
    }

    fn is_same_game(&self, other: &RecordCopy) -> bool {
        self.result().half_points() == other.result().half_points()
            && self.facts.plies == other.facts.plies
    }
}

/// The bots' names and the number in an id, and the digests of the bots.
type GameKey = (String, u64, [String; 2]);

/// The games of several journals.
#[derive(Debug, Default)]
pub struct MergedGames {
    games: BTreeMap<GameKey, Vec<RecordCopy>>,
    /// The times of the games whose logs have them, which are few.
    times: HashMap<JournalPlace, BySide<SideTimes>>,
}

/// A game with complete records that differ in result or plies.
#[derive(Debug, Clone)]
pub struct DifferingGame {
    pub id: String,
    pub counts: RecordCopy,
    /// A record of each other course of the game.
    pub others: Vec<RecordCopy>,
}

/// The records that a merged journal has.
#[derive(Debug, Clone, Default)]
pub struct MergedRecords {
    /// Each attempt at each game once, in the order of ids.
    pub records: Vec<JournalPlace>,
    /// Games with different records.
    pub differing: Vec<DifferingGame>,
}

impl MergedGames {
    /// Adds a record, with the SHA-256 of its line.
    pub fn add(&mut self, at: JournalPlace, game: GameSummary, line: [u8; 32]) {
        let GameSummary { id, digests, facts, times } = game;
        if let Some(times) = times {
            self.times.insert(at, times);
        }
        let (names, number) = parts_of(&id).unwrap_or((&id, 0));
        let copy = RecordCopy { at, facts, line };
        self.games.entry((names.to_owned(), number, digests)).or_default().push(copy);
    }

    /// Rebuilds the summary of a copy of this game.
    fn summary(&self, (names, number, digests): &GameKey, copy: &RecordCopy) -> GameSummary {
        GameSummary {
            id: format!("{names}.{number}"),
            digests: digests.clone(),
            facts: copy.facts,
            times: self.times.get(&copy.at).copied(),
        }
    }

    /// All records of a tournament with this head, to be checked, and where each is: a place in the
    /// index is one in the list.
    pub fn all(&self, head: &JournalHead) -> (GameIndex, Vec<JournalPlace>) {
        let mut index = GameIndex::new(&head.roster);
        let mut places = Vec::new();
        for (game, copies) in &self.games {
            // Those that are kept come last, because the last one counts.
            for copy in copies.iter().chain(kept(copies).into_values()) {
                index.add(places.len() as u64, Ok(self.summary(game, copy)));
                places.push(copy.at);
            }
        }
        (index, places)
    }

    /// The games of the merged journal with this head, which has its
    /// [`records`](MergedGames::records) at these places.
    pub fn merged(&self, head: &JournalHead, places: &[u64]) -> GameIndex {
        let mut index = GameIndex::new(&head.roster);
        let mut places = places.iter();
        for (game, copies) in &self.games {
            // The places come second: a `zip` that ends takes one more of its first iterator.
            for (copy, &place) in kept(copies).into_values().zip(places.by_ref()) {
                index.add(place, Ok(self.summary(game, copy)));
            }
        }
        index.follow_roster(head);
        index
    }

    /// Each game once. Of the records after which a game is not played again, that with the lowest
    /// attempt counts, of those one with a result, of those the one with the smallest hash of its
    /// line; aborted attempts before it stay, because a game is played again only after them.
    pub fn records(&self) -> MergedRecords {
        let mut merged = MergedRecords::default();
        for ((names, number, _), copies) in &self.games {
            let kept = kept(copies);
            merged.records.extend(kept.values().map(|copy| copy.at));
            let Some(&counts) = kept.into_values().find(|copy| copy.is_last()) else { continue };
            let others = other_courses(&counts, copies);
            if !others.is_empty() {
                let id = format!("{names}.{number}");
                merged.differing.push(DifferingGame { id, counts, others });
            }
        }
        merged
    }

    /// The results of the games that count for these bots.
    pub fn played(&self, roster: &[Entrant]) -> PlayedGames {
        let mut current: HashMap<&str, &String> = HashMap::new();
        for bot in roster {
            if let Some(digest) = &bot.digest {
                current.insert(&bot.name, digest);
            }
        }
        let mut played = PlayedGames::new();
        for ((names, number, digests), copies) in &self.games {
            let id = format!("{names}.{number}");
            let Some((one, other)) = names_in(&id) else { continue };
            let [first, second] = digests;
            if current.get(one) != Some(&first) || current.get(other) != Some(&second) {
                continue;
            }
            for (attempt, copy) in kept(copies) {
                played.insert((id.clone(), attempt), copy.result());
            }
        }
        played
    }
}

/// The record of each attempt that a merged journal has: of aborted attempts those before the one
/// that counts, because a game is played again only after them.
fn kept(copies: &[RecordCopy]) -> BTreeMap<u32, &RecordCopy> {
    let counts = copies.iter().filter(|copy| copy.is_last()).min_by_key(|copy| copy.order());
    let mut kept = BTreeMap::new();
    for copy in copies {
        if counts.is_none_or(|counts| copy.facts.attempt < counts.facts.attempt) {
            let least = kept.entry(copy.facts.attempt).or_insert(copy);
            if copy.order() < least.order() {
                *least = copy;
            }
        }
    }
    if let Some(counts) = counts {
        kept.insert(counts.facts.attempt, counts);
    }
    kept
}

/// A record of each course of a game that differs from the one that counts, the first of each.
fn other_courses(counts: &RecordCopy, copies: &[RecordCopy]) -> Vec<RecordCopy> {
    let mut sorted = copies.to_vec();
    sorted.retain(|copy| copy.result().half_points().is_some());
    sorted.sort_by_key(RecordCopy::order);
    let mut courses = vec![*counts];
    for copy in sorted {
        if !courses.iter().any(|course| course.is_same_game(&copy)) {
            courses.push(copy);
        }
    }
    courses.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::RecordedGame;
    use arbiter_rules::Margin;
    use proptest::prelude::*;
    use std::time::Duration;

    /// A copy of a record of the game `a~b.NUMBER`: how it went on (0: aborted, 3: aborted because
    /// the rules fail), and which of several lines it is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct Given {
        number: u8,
        digest: u8,
        attempt: u8,
        line: u8,
        course: u8,
    }

    const COURSES: [&str; 4] = [
        "[Result \"*\"] [Outcome \"aborted\"] [Termination \"aborted\"] *",
        "[Result \"1-0\"] [Outcome \"forfeit\"] [Termination \"illegal-move\"]
         1. a2c4 {0.012s} c0b1 {0.5s} {0.1s a9} 1-0",
        "[Result \"0-1\"] [Outcome \"forfeit\"] [Termination \"illegal-move\"]
         1. a2c4 {0.01s} {0.1s a9} 0-1",
        "[Result \"*\"] [Outcome \"aborted\"] [Termination \"rules\"] *",
    ];

    impl Given {
        fn game(self) -> RecordedGame {
            let course = COURSES[usize::from(self.course)];
            RecordedGame {
                id: format!("a~b.{}", self.number),
                attempt: self.attempt.into(),
                round: 1,
                pair: None,
                digests: [self.digest.to_string(), "b".to_owned()],
                log: format!("[White \"a\"] [Black \"b\"] [Game \"loa\"] {course}\n"),
                stderr: String::new(),
                stderr_last: None,
                fault: None,
            }
        }

        fn line(self) -> [u8; 32] {
            let mut line = [0; 32];
            (line[0], line[1], line[2]) = (self.line, self.course, self.attempt);
            line
        }
    }

    fn given() -> impl Strategy<Value = Vec<Given>> {
        let one = (1..3_u8, 0..2_u8, 1..4_u8, 0..3_u8, 0..4_u8);
        let one = one.prop_map(|(number, digest, attempt, line, course)| Given {
            number,
            digest,
            attempt,
            line,
            course,
        });
        proptest::collection::vec(one, 0..24)
    }

    fn merged(given: &[Given]) -> (BTreeSet<Given>, MergedRecords) {
        let mut games = MergedGames::default();
        for (place, one) in (0..).zip(given) {
            let at = JournalPlace { journal: 0, place, line: 1 };
            games.add(at, one.game().summary().unwrap(), one.line());
        }
        let records = games.records();
        let kept: Vec<Given> = records.records.iter().map(|at| given[at.place as usize]).collect();
        let set: BTreeSet<Given> = kept.iter().copied().collect();
        assert_eq!(set.len(), kept.len(), "each attempt at a game once");
        (set, records)
    }

    #[test]
    fn tables_of_merged_games_have_their_margins_and_times() {
        let given = Given { number: 1, digest: 0, attempt: 1, line: 0, course: 1 };
        let mut game = given.game();
        let mut record = game.record().unwrap();
        record.margin = Margin::new(7.5);
        let times = SideTimes { plies: 2, wall: Duration::from_secs(2), ..SideTimes::default() };
        record.note_times(&BySide { first: times, second: times });
        game.log = record.to_string();
        let mut games = MergedGames::default();
        let at = JournalPlace { journal: 0, place: 0, line: 1 };
        games.add(at, game.summary().unwrap(), given.line());
        let (key, copies) = games.games.first_key_value().unwrap();
        let summary = games.summary(key, &copies[0]);
        assert_eq!((summary.facts.margin, summary.times), (record.margin, record.times()));
        assert!(summary.facts.margin.is_some() && summary.times.is_some());
    }

    /// The same, by the words of the definition.
    fn by_definition(given: &[Given]) -> BTreeSet<Given> {
        let same =
            |one: &Given, other: &Given| (one.number, one.digest) == (other.number, other.digest);
        let mut kept = BTreeSet::new();
        for one in given {
            let of_game: Vec<Given> =
                given.iter().copied().filter(|other| same(one, other)).collect();
            let ended = of_game.iter().filter(|copy| copy.course > 0);
            let counts = ended.min_by_key(|copy| (copy.attempt, copy.course == 3, copy.line()));
            let last = counts.map_or(4, |counts| counts.attempt);
            kept.extend(counts);
            for attempt in 1..last {
                let aborted = of_game.iter().filter(|copy| copy.attempt == attempt);
                kept.extend(aborted.min_by_key(|copy| copy.line()));
            }
        }
        kept
    }

    fn differing(records: &MergedRecords) -> Vec<String> {
        records.differing.iter().map(|game| game.id.clone()).collect()
    }

    proptest! {
        #[test]
        fn order_and_repetition_decide_nothing(
            given in given(),
            turned in any::<prop::sample::Index>(),
        ) {
            let (kept, records) = merged(&given);
            prop_assert_eq!(&kept, &by_definition(&given));
            let mut other = given.clone();
            other.reverse();
            if !other.is_empty() {
                other.rotate_left(turned.index(given.len()));
                other.extend_from_slice(&given[..given.len() / 2]);
            }
            let (again, same) = merged(&other);
            prop_assert_eq!(&kept, &again);
            prop_assert_eq!(differing(&records), differing(&same));
            // What was merged may be merged again, also in parts.
            let (one, two) = given.split_at(given.len() / 3);
            let parts: Vec<Given> = merged(one).0.into_iter().chain(merged(two).0).collect();
            prop_assert_eq!(&merged(&parts).0, &kept);
        }

        #[test]
        fn a_difference_is_another_result_or_other_plies(given in given()) {
            let (_, records) = merged(&given);
            let mut courses: BTreeMap<(u8, u8), BTreeSet<u8>> = BTreeMap::new();
            let mut shown = given.clone();
            shown.retain(|one| (1..3).contains(&one.course));
            shown.extend(by_definition(&given).into_iter().filter(|one| one.course > 0));
            for one in shown {
                courses.entry((one.number, one.digest)).or_default().insert(one.course);
            }
            courses.retain(|_, courses| courses.len() > 1);
            let expected: Vec<String> =
                courses.keys().map(|(number, _)| format!("a~b.{number}")).collect();
            prop_assert_eq!(differing(&records), expected);
        }
    }
}
