//! Decides whether a journal may be continued, and with which bots: the keys that decide games must
//! be the same. In a league bots may come, go and change (docs/reference/tournaments.md, Content of
//! bots, and going on).

use super::contents::JournalContents;
use super::entries::{Absentee, Entrant, JOURNAL_VERSION, JournalHead, RecordedRules};
use super::identity::fingerprint;
use super::public_names::PublicNames;
use super::shard::Shard;
use arbiter_config::{Config, FeedbackPlace, Names};
use arbiter_rank::schedule::{Dependence, Format};
use arbiter_rules::seed::SecretKey;
use arbiter_rules::text::{Message, printable};
use std::collections::BTreeMap;

pub use super::identity::{check_identity, differing_keys, identity};

/// Why the journal of a folder cannot be continued, or journals cannot be merged: what differs, and
/// what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RosterError(pub Message);

/// What a run begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPlan<'a> {
    /// The name of the tournament.
    pub name: &'a str,
    /// The text of its configuration.
    pub text: &'a str,
    /// With the bots' own names.
    pub config: &'a Config,
    /// The text of the file of openings, if the configuration names one.
    pub openings: Option<&'a str>,
    /// The bots that can be scheduled, in the order of the configuration.
    pub entrants: Vec<Entrant>,
    /// The bots that cannot, with the reasons.
    pub absent: Vec<Absentee>,
    /// Whether games count that were played with an earlier content of a bot.
    pub keep_changed: bool,
    /// The shard that is played, if it is not the whole tournament.
    pub shard: Option<Shard>,
    /// Where its secret key comes from, if it needs one.
    pub key: KeySource,
    /// The own names of the bots that seed it, the best first, if its configuration names a folder
    /// and neither its journal nor `other` has them.
    pub seeds: Option<Vec<String>>,
    /// The head of another run of the tournament, whose numbers and seeds are valid here too.
    pub other: Option<&'a JournalHead>,
}

/// Where the secret key of a run comes from that publishes aliases or links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// It is that of other runs of the tournament, or of a file; `None` if they have none.
    Common(Option<SecretKey>),
    /// It is drawn for this run, which is the whole tournament or the first of those that share it.
    Drawn(SecretKey),
    /// The run shares a tournament, and nothing says what its key is.
    Unknown,
}

/// The new head of a tournament's journal, from a plan and what the journal contains.
///
/// # Errors
/// The bots of the journal cannot be continued with.
pub fn head(plan: RunPlan<'_>, contents: &JournalContents) -> Result<JournalHead, RosterError> {
    let RunPlan { name, text, config, openings, keep_changed, shard, other, .. } = plan;
    let before = contents.head.as_ref();
    // 1. The key first: aliases follow from it, and everything below uses public names.
    let key = secret_key(config, before, plan.key)?;
    if key.is_none() && config.publish.feedback == FeedbackPlace::Links {
        return refuse(
            "feedback = \"links\" needs a secret key, and this tournament was begun without one: \
             begin anew with --restart, or leave it out",
        );
    }
    let names = PublicNames::of(config.publish.names, key.clone());
    let config = &names.config(config);
    let mut absent: Vec<Absentee> = plan.absent.into_iter().map(|bot| bot.named(&names)).collect();
    let mut entrants: Vec<Entrant> =
        plan.entrants.into_iter().map(|bot| bot.named(&names)).collect();
    // 2. What the tournament is. A continued one stays what it was, whoever has joined since. The
    // bots are still in the order of the configuration, because that of the aliases depends on the
    // key, and each run of a sharded tournament may draw another one.
    let deciding = identity(config, openings);
    let fingerprint = match before {
        Some(before) => before.fingerprint.clone(),
        None => fingerprint(&deciding, &entrants),
    };
    if names.are_aliases() {
        order_by_alias(config, &mut entrants);
    }
    // As it was seeded first, so that a folder whose ranks have changed since changes nothing.
    let known_seeds = before.or(other).and_then(|known| known.seeds.clone());
    let seeds = known_seeds.or(plan.seeds);
    if let Some(seeds) = &seeds {
        order_by_seeds(seeds, &mut entrants);
    }
    // 3. Who plays, in which order: of a continued tournament in that of its games.
    let roster = match before {
        None => entrants,
        Some(before) => {
            let ordered = in_known_order(before, &names, config, contents, &entrants)?;
            scheduled(config, before, contents, ordered, &mut absent)?
        }
    };
    // All lists that are published follow these two.
    absent.sort();
    // 4. Numbers last: new bots get theirs in the order of the roster.
    let is_league = config.schedule.format.kind.is_league();
    let numbers = if is_league { numbers(before, other, &roster) } else { None };
    Ok(JournalHead {
        v: JOURNAL_VERSION,
        name: name.to_owned(),
        fingerprint,
        config: text.to_owned(),
        deciding,
        roster,
        numbers,
        absent,
        keep_changed,
        shard,
        rules: RecordedRules::of(&config.settings.ruleset),
        key,
        seeds,
        previous: None,
    })
}

/// The numbers of all bots that ever joined. New ones get theirs in the order of the roster, which
/// is published, so that numbers, and the sides that follow from them, reveal no name. `None` if
/// the league was begun without numbers.
fn numbers(
    before: Option<&JournalHead>,
    other: Option<&JournalHead>,
    roster: &[Entrant],
) -> Option<BTreeMap<String, u32>> {
    let mut numbers = match before.or(other) {
        Some(known) => known.numbers.clone()?,
        None => BTreeMap::new(),
    };
    // Another run may have met bots that were never here. Runs that contradict each other are
    // refused later.
    if let Some(JournalHead { numbers: Some(theirs), .. }) = other {
        for (name, number) in theirs {
            numbers.entry(name.clone()).or_insert(*number);
        }
    }
    for bot in roster {
        give_number(&mut numbers, &bot.name);
    }
    Some(numbers)
}

/// Gives a bot the number after the last one, unless it has one.
fn give_number(numbers: &mut BTreeMap<String, u32>, name: &str) {
    if !numbers.contains_key(name) {
        let last = numbers.values().max().copied().unwrap_or_default();
        numbers.insert(name.to_owned(), last.saturating_add(1));
    }
}

/// The head of a league after this bot, which has its public name, has joined or got another
/// version.
pub fn with_bot(head: &JournalHead, bot: Entrant) -> JournalHead {
    let mut head = head.clone();
    head.absent.retain(|absent| absent.private_name() != bot.private_name());
    give_number(head.numbers.get_or_insert_default(), &bot.name);
    match head.roster.iter_mut().find(|one| one.name == bot.name) {
        Some(before) => *before = bot,
        None => head.roster.push(bot),
    }
    head
}

/// The head of a league without the bot of this own name: it has left, or does not play for this
/// reason.
pub fn without_bot(head: &JournalHead, own_name: &str, absent: Option<Absentee>) -> JournalHead {
    let mut head = head.clone();
    head.roster.retain(|bot| bot.private_name() != own_name);
    head.absent.retain(|bot| bot.private_name() != own_name);
    head.absent.extend(absent);
    head.absent.sort();
    head
}

/// Why two runs of a tournament give sides differently, in a sentence; `None` if they do not.
pub fn differing_numbers(one: &JournalHead, other: &JournalHead) -> Option<String> {
    const CURE: &str =
        "so they give sides differently: give every run of a league the same --roster";
    match (&one.numbers, &other.numbers) {
        (None, None) => None,
        (Some(one), Some(other)) => {
            for (name, number) in one {
                if let Some(there) = other.get(name)
                    && there != number
                {
                    return Some(format!(
                        "{name} has the number {number} in one and {there} in the other, {CURE}"
                    ));
                }
            }
            None
        }
        _ => Some(format!(
            "one of them was begun by a version of arbiter that numbered no bots, {CURE}"
        )),
    }
}

/// The secret key of a run: that of its journal, else the common one, else a new one.
///
/// # Errors
/// The run needs a key and none is known, or two keys contradict each other.
pub fn secret_key(
    config: &Config,
    before: Option<&JournalHead>,
    source: KeySource,
) -> Result<Option<SecretKey>, RosterError> {
    let known = before.and_then(|before| before.key.clone());
    match (known, source) {
        (Some(known), KeySource::Common(Some(common))) if known != common => refuse(
            "the folder's games were played with another secret key (aliases and links follow from \
             it): give the run the roster, the folders or the key-file that it was begun with, or \
             name another folder with --out",
        ),
        (Some(known), _) => Ok(Some(known)),
        (None, _) if !config.publish.needs_key() => Ok(None),
        (None, KeySource::Common(None)) if config.publish.names == Names::Alias => refuse(
            "the runs that this one shares the tournament with have no secret key, so they were \
             begun with names = \"name\": begin them anew, or go on as they do",
        ),
        (None, KeySource::Common(key)) => Ok(key),
        (None, KeySource::Drawn(key)) => Ok(Some(key)),
        (None, KeySource::Unknown) => refuse(
            "under names = \"alias\" or feedback = \"links\" all runs that share a tournament need \
             the same secret key: give each of them the same --roster FILE, which the first one \
             writes, or name a file with it in [publish] key-file",
        ),
    }
}

/// The entrants of a run when another run of the tournament has decided who plays: those of its
/// head, each with the same content here.
///
/// # Errors
/// One of them cannot play here, or has another content; all of them are named.
pub fn adopted(
    theirs: &JournalHead,
    found: &[Entrant],
    refused: &[Absentee],
) -> Result<Vec<Entrant>, RosterError> {
    let names = theirs.public_names();
    // In the order of the configuration here; who leads is theirs to say.
    let mut adopted: Vec<Entrant> = found.iter().map(|bot| bot.clone().named(&names)).collect();
    adopted.retain(|mine| has_bot(&theirs.roster, &mine.name));
    let mut errors = Vec::new();
    for bot in &theirs.roster {
        let who = Message::from(&*bot.name);
        let Some(mine) = adopted.iter_mut().find(|mine| mine.name == bot.name) else {
            let absent = refused.iter().find(|one| names.name(one.private_name()) == bot.name);
            let reason = match absent {
                Some(absent) => &absent.reason,
                None => "the configuration has no such bot",
            };
            errors.push(who.own(" plays by the roster and cannot play here: ").quoted(reason));
            continue;
        };
        let Entrant { name, private, program, content, products, folder, display, .. } =
            mine.clone();
        if let Some(content) = content {
            // What a build or the bot made where the roster was written is no part of its content
            // here either.
            let entrant = Entrant::new(name, program, &content, products, Some(bot));
            *mine = Entrant { private, folder, display, ..entrant };
        }
        if let Some(what) = difference(bot, mine) {
            errors.push(who.own(" has another content here (").quoted(what).own(")"));
        }
    }
    if errors.is_empty() { Ok(adopted) } else { refuse(Message::joined(errors, "; ")) }
}

/// What a new head changes in the games that count, in a sentence for each bot.
pub fn changes(contents: &JournalContents, now: &JournalHead) -> Vec<Message> {
    let Some(before) = contents.head.as_ref().filter(|before| *before != now) else {
        return Vec::new();
    };
    let counted = contents.games.counting_for(before);
    let counts = contents.games.counting_for(now);
    let lost = counted.unlike(&counts);
    let found = counts.unlike(&counted);
    let mut said = Vec::new();
    for Entrant { name, .. } in &before.roster {
        if !has_bot(&now.roster, name) {
            let missing = lost.get(&**name).copied().unwrap_or_default().missing;
            said.push(format!("{name} is withdrawn: games that no longer count: {missing}").into());
        }
    }
    for bot in &now.roster {
        let name = &bot.name;
        let Some(earlier) = contents.entrant(name) else { continue };
        let lost = lost.get(&**name).copied().unwrap_or_default().missing;
        let found = found.get(&**name).copied().unwrap_or_default().different;
        let Some(what) = difference(earlier, bot) else {
            if found > 0 && !has_bot(&before.roster, name) {
                said.push(format!("{name} is back: games that count again: {found}").into());
            }
            continue;
        };
        let games = if now.keep_changed {
            ": games with its old content count where there are no new ones (--keep-changed)"
                .to_owned()
        } else if lost > 0 {
            format!(": {lost} of its games are played again; `--keep-changed` counts the old ones")
        } else if found > 0 {
            format!(": games of this content that count again: {found}")
        } else {
            String::new()
        };
        said.push(Message::from(format!("{name} changed (")).quoted(what).own(")").own(games));
    }
    said
}

fn has_bot(roster: &[Entrant], name: &str) -> bool {
    roster.iter().any(|bot| bot.name == name)
}

/// What differs between two contents of a bot, the first three differences; `None` if their digests
/// are equal or one has none.
pub fn difference(earlier: &Entrant, now: &Entrant) -> Option<String> {
    if earlier.digest == now.digest {
        return None;
    }
    let [Some(before), Some(now)] = [&earlier.content, &now.content] else { return None };
    let mut what = now.differences(before);
    if what.is_empty() {
        what.push("the same content as another version".to_owned());
    }
    let more = what.len().saturating_sub(3);
    what.truncate(3);
    if more > 0 {
        what.push(format!("{more} more"));
    }
    Some(printable(what.join(", ").as_bytes(), 400))
}

pub(super) const REMEDY: &str =
    "continue as before, name another folder with --out, or begin anew with --restart";

/// Checks that the names of bots are published as before. What bots were sent under their names
/// follows from the names and the seed, which others know; and who kept a file with aliases would
/// find the names by a later one. Games under other aliases would be those of withdrawn bots.
///
/// # Errors
/// They would be published otherwise; the sentence says what to do.
pub fn check_published_names(before: &JournalHead, now: Names) -> Result<(), RosterError> {
    let why = match (before.published_names(), now) {
        (Some(Names::Name), Names::Alias) => {
            "the folder was begun with names = \"name\": its games can be traced to the bots by \
             what they were sent, so aliases would hide nothing; go on with names = \"name\", \
             begin anew with --restart, or name another folder with --out"
        }
        (Some(Names::Alias), Names::Name) => {
            "the folder was begun with names = \"alias\": who kept one of its files could tell \
             whose each alias is; go on with names = \"alias\" (aliases.txt has the names, if you \
             want to disclose them), begin anew with --restart, or name another folder with --out"
        }
        (_, Names::Alias) if has_other_aliases(before) => {
            "the folder was begun with a version of arbiter that makes other aliases, so none of \
             its games would count: go on with that version, begin anew with --restart, or name \
             another folder with --out"
        }
        _ => return Ok(()),
    };
    refuse(why)
}

/// Whether the aliases of a head do not follow from its key.
fn has_other_aliases(head: &JournalHead) -> bool {
    let names = head.public_names();
    head.key.is_some() && head.roster.iter().any(|bot| bot.name != names.name(bot.private_name()))
}

pub(super) fn refuse<T>(why: impl Into<Message>) -> Result<T, RosterError> {
    Err(RosterError(why.into()))
}

/// The roster of a continued tournament: in a league bots come, go and change; other formats keep
/// the roster of their beginning.
fn scheduled(
    config: &Config,
    before: &JournalHead,
    contents: &JournalContents,
    entrants: Vec<Entrant>,
    absent: &mut Vec<Absentee>,
) -> Result<Vec<Entrant>, RosterError> {
    let format = &config.schedule.format;
    let is_league = format.kind.is_league();
    if !is_league {
        check_all_there(before, &entrants, absent)?;
    }
    let mut roster = Vec::new();
    for entrant in entrants {
        let name = &entrant.name;
        let earlier = contents.entrant(name);
        if !is_league
            && let Some(earlier) = earlier
            && let Some(what) = difference(earlier, &entrant)
        {
            return refuse(changed(name, &what, format));
        }
        if earlier.is_some() || is_league && roster.len() >= format.leading() {
            roster.push(entrant);
            continue;
        }
        if !is_league && before.absent.iter().any(|bot| bot.name == *name) {
            absent.push(stays_out(entrant, "could not be started when the tournament began"));
            continue;
        }
        let (reason, error) = if is_league {
            let leaders = format.kind.leaders;
            (
                format!("it is new, and by its name it would be one of {leaders}"),
                format!(
                    "{name} is new and is one of {leaders}; put it after the other bots, or \
                     {REMEDY}"
                ),
            )
        } else {
            let what = format!("is new, and a bot cannot be added to a {}", format.kind.word);
            (format!("it {what}"), format!("{name} {what}; {REMEDY}"))
        };
        // The author of a submission must not be able to stop the tournament by a second folder.
        if !is_submitted(config, name) {
            return refuse(error);
        }
        absent.push(stays_out(entrant, &reason));
    }
    Ok(roster)
}

/// Whether a bot is one of a folder, and not one that the configuration names.
fn is_submitted(config: &Config, name: &str) -> bool {
    !config.bots.iter().any(|bot| bot.name == name)
}

fn stays_out(bot: Entrant, reason: &str) -> Absentee {
    let Entrant { name, private, folder, .. } = bot;
    Absentee { name, private, reason: reason.to_owned(), folder, excluded: false }
}

/// Puts the bots into the order in which they are scheduled and published. The order of names, or
/// of the configuration, would tell which alias is whose. Which bots lead, such as the challengers
/// of a gauntlet and the bot that a test is about, is left to the configuration.
fn order_by_alias(config: &Config, entrants: &mut [Entrant]) {
    // First the bots that the configuration names one by one, in its order, so that the leading
    // ones are known; then each part by the aliases.
    entrants.sort_by_cached_key(|bot| {
        if is_submitted(config, &bot.name) { Some(bot.name.clone()) } else { None }
    });
    let leading = config.schedule.format.leading().min(entrants.len());
    let (first, others) = entrants.split_at_mut(leading);
    for part in [first, others] {
        part.sort_by(|one, other| one.name.cmp(&other.name));
    }
}

/// Puts the bots into the order of these own names, ignoring case. Those that are not among them
/// come last, in the order that they have.
fn order_by_seeds(seeds: &[String], entrants: &mut [Entrant]) {
    entrants.sort_by_cached_key(|bot| {
        let own = bot.private_name();
        seeds.iter().position(|name| name.eq_ignore_ascii_case(own)).unwrap_or(usize::MAX)
    });
}

/// The bots of a continued tournament in the order of the games that it has. Submissions may come
/// from another folder, or be published otherwise, than before; but where the organiser orders the
/// bots anew, the games are to be others.
fn in_known_order(
    before: &JournalHead,
    names: &PublicNames,
    config: &Config,
    contents: &JournalContents,
    entrants: &[Entrant],
) -> Result<Vec<Entrant>, RosterError> {
    let is_same = match before.configuration() {
        Ok(earlier) => {
            let earlier = names.config(&earlier);
            common_bots(&earlier, config) == common_bots(config, &earlier)
        }
        Err(_) => true, // as of a version that had other keys
    };
    if is_same && let Some(ordered) = contents.in_known_order(entrants) {
        return Ok(ordered);
    }
    let order = before.names().join(", ");
    refuse(format!(
        "the folder's games were played with the bots in another order: {order}; {REMEDY}"
    ))
}

/// The bots that this configuration names one by one and that `other` names too.
fn common_bots<'a>(config: &'a Config, other: &Config) -> Vec<&'a str> {
    let mut names: Vec<&str> = config.bots.iter().map(|bot| bot.name.as_str()).collect();
    names.retain(|name| !is_submitted(other, name));
    names
}

/// Why a bot that changed cannot be continued with in this format.
fn changed(name: &str, what: &str, format: &Format) -> Message {
    let restart = match format.kind.dependence {
        Dependence::Pairs => "begin the test anew with --restart, or ",
        Dependence::Rounds | Dependence::Nothing => "",
    };
    Message::from(format!("{name} changed (")).quoted(what).own(format!(
        "), and the games of a {} depend on each other: restore it, {restart}name another folder \
         with --out",
        format.kind.word
    ))
}

/// Checks that every bot of the journal can be scheduled.
fn check_all_there(
    before: &JournalHead,
    entrants: &[Entrant],
    absent: &[Absentee],
) -> Result<(), RosterError> {
    for Entrant { name, .. } in &before.roster {
        // Another folder of the same name may be absent beside the bot.
        if has_bot(entrants, name) {
            continue;
        }
        let who = format!("{name} has played in this folder and ");
        return refuse(match absent.iter().find(|absent| absent.name == *name) {
            Some(Absentee { reason, .. }) => {
                Message::from(who + "cannot play now: ").quoted(reason)
            }
            None => format!("{who}is no longer in the configuration; {REMEDY}").into(),
        });
    }
    Ok(())
}
