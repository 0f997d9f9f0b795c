//! Which games of a journal count when bots come, go and change: a league of nights, against a slow
//! second implementation that keeps every game with the contents that played it.

use arbiter_config::Config;
use arbiter_cup::tournament::roster::{self, KeySource, RunPlan};
use arbiter_cup::tournament::{
    Absentee, AttemptResult, Entrant, JOURNAL_VERSION, JournalContents, JournalEntry, JournalHead,
    NextAttempt, PublicNames, RecordedGame, progress,
};
use arbiter_game::content::Content;
use arbiter_game::game_id::names_in;
use arbiter_rules::seed::{Generator, SecretKey};
use std::collections::{BTreeMap, BTreeSet};

/// The log of a game of these bots.
fn log(one: &str, other: &str) -> String {
    format!(
        "[White \"{one}\"] [Black \"{other}\"] [Result \"1-0\"] [Game \"loa\"] [Outcome \"win\"]\n\
         [Termination \"resign\"]\n\n1. a2c4 1-0\n"
    )
}

/// A configuration with these bots; each is `name` and `content`.
fn config(bots: &[(String, u32)]) -> Config {
    let mut text = "game = 'loa'\n[schedule]\ngames = 2\n".to_owned();
    for (name, _) in bots {
        text += &format!("[[bot]]\nname = '{name}'\ncommand = './{name}'\n");
    }
    Config::parse(&text).unwrap_or_else(|errors| panic!("{}", errors.display("cup.toml")))
}

/// A journal in memory, and the games that were ever played: id and the contents of both bots.
#[derive(Default)]
struct League {
    entries: Vec<JournalEntry>,
    played: BTreeSet<(String, u32, u32)>,
}

impl League {
    fn contents(&self) -> JournalContents {
        let mut contents = JournalContents::default();
        for (place, entry) in self.entries.iter().enumerate() {
            contents.add(place as u64, entry.clone());
        }
        contents
    }

    /// A night with these bots that is killed after so many games; returns the ids that were
    /// played.
    fn night(&mut self, bots: &[(String, u32)], most: usize) -> Vec<String> {
        let contents = self.contents();
        let config = config(bots);
        let entrant = |(name, version): &(String, u32)| {
            let content = Content { command: vec![version.to_string()], ..Content::default() };
            Entrant::new(
                name.clone(),
                String::new(),
                &content,
                BTreeMap::new(),
                contents.entrant(name),
            )
        };
        let plan = RunPlan {
            name: "league",
            text: "",
            config: &config,
            openings: None,
            entrants: bots.iter().map(entrant).collect(),
            absent: Vec::new(),
            keep_changed: false,
            shard: None,
            key: KeySource::Unknown,
            seeds: None,
            other: None,
        };
        let head = roster::head(plan, &contents).unwrap();
        if contents.head.as_ref() != Some(&head) {
            self.entries.push(JournalEntry::Head(head.clone()));
        }
        let mut games = contents.games;
        games.follow_roster(&head);
        let (played, mut new) = (games.played(), Vec::new());
        let mut progress = progress(&config, &head.bots(), 1).unwrap();
        let digest = |name: &str| {
            head.roster.iter().find(|bot| bot.name == name).unwrap().digest.clone().unwrap()
        };
        while let NextAttempt::Play(pairing, attempt) = progress.next() {
            let result = AttemptResult::Scored([2, 0]);
            if !played.contains_key(&(pairing.id.clone(), attempt)) {
                if new.len() == most {
                    break;
                }
                let (one, other) = names_in(&pairing.id).unwrap();
                self.entries.push(JournalEntry::Game(RecordedGame {
                    fault: None,
                    id: pairing.id.clone(),
                    attempt,
                    round: pairing.round,
                    pair: pairing.pair,
                    digests: [digest(one), digest(other)],
                    log: log(one, other),
                    stderr: String::new(),
                    stderr_last: None,
                }));
                new.push(pairing.id.clone());
            }
            progress.ended(pairing.index, result);
        }
        new
    }
}

#[test]
fn a_league_plays_exactly_what_has_no_game_of_the_current_contents() {
    for seed in 0..40 {
        let mut generator = Generator::from_state(seed);
        let mut league = League::default();
        let mut all: BTreeMap<String, (u32, bool)> = BTreeMap::new();
        for night in 0..6 {
            // Bots are added, changed, changed back, withdrawn and let in again.
            all.insert(format!("bot{}", generator.below(8)), (0, true));
            for (version, there) in all.values_mut() {
                match generator.below(6) {
                    0 => *version = generator.below(3) as u32,
                    1 => *there = !*there,
                    _ => {}
                }
            }
            let bots: Vec<(String, u32)> = all
                .iter()
                .filter(|(_, (_, there))| *there)
                .map(|(name, (version, _))| (name.clone(), *version))
                .collect();
            if bots.len() < 2 {
                continue;
            }
            let version = |name: &str| bots.iter().find(|bot| bot.0 == name).unwrap().1;
            let wanted: BTreeSet<(String, u32, u32)> = bots
                .iter()
                .flat_map(|one| bots.iter().map(move |other| (one, other)))
                .filter(|(one, other)| one.0 < other.0)
                .flat_map(|(one, other)| {
                    (1..=2).map(move |n| (format!("{}~{}.{n}", one.0, other.0), one.1, other.1))
                })
                .collect();
            let missing: BTreeSet<_> = wanted.difference(&league.played).cloned().collect();
            let most =
                if generator.below(2) == 0 { generator.below(9) as usize } else { usize::MAX };
            let ids = league.night(&bots, most);
            let new: BTreeSet<_> = ids
                .iter()
                .map(|id| {
                    let (one, other) = names_in(id).unwrap();
                    (id.clone(), version(one), version(other))
                })
                .collect();
            assert_eq!(new.len(), ids.len(), "seed {seed}, night {night}: a game was played twice");
            assert!(new.is_subset(&missing), "seed {seed}, night {night}: {new:?} of {missing:?}");
            assert_eq!(new.len(), missing.len().min(most), "seed {seed}, night {night}");
            league.played.extend(new);
            // What counts afterwards is what was ever played by exactly these contents.
            let contents = league.contents();
            let counting = contents.games.counting_for(contents.head.as_ref().unwrap());
            let counting: BTreeSet<&str> = counting.ids().collect();
            let expected: BTreeSet<&str> =
                wanted.intersection(&league.played).map(|(id, ..)| id.as_str()).collect();
            assert_eq!(counting, expected, "seed {seed}, night {night}");
        }
    }
}

#[test]
fn of_sixty_bots_two_that_changed_play_their_games_and_no_others() {
    let mut bots: Vec<(String, u32)> =
        (0..60).map(|number| (format!("bot{number:03}"), 0)).collect();
    let mut league = League::default();
    assert_eq!(league.night(&bots, usize::MAX).len(), 60 * 59);
    (bots[17].1, bots[42].1) = (1, 1);
    let played = league.night(&bots, usize::MAX);
    assert_eq!(played.len(), 2 * (58 + 58 + 1));
    assert!(played.iter().all(|id| id.contains("bot017") || id.contains("bot042")));
    assert_eq!(league.night(&bots, usize::MAX).len(), 0);
    let said = {
        let contents = league.contents();
        let mut now = contents.head.clone().unwrap();
        now.roster.remove(17);
        roster::changes(&contents, &now)
    };
    let said: Vec<String> = said.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["bot017 is withdrawn: games that no longer count: 118"]);
}

/// The head of a tournament with these bots, as many that cannot play, and this schedule, whose
/// names are published as aliases; those that begin with `own` are the organiser's.
fn public_head(names: &[&str], schedule: &str, contents: &JournalContents) -> JournalHead {
    head_with_key(names, schedule, contents, b"secret")
}

fn head_with_key(
    names: &[&str],
    schedule: &str,
    contents: &JournalContents,
    key: &[u8],
) -> JournalHead {
    let own = names.iter().filter(|name| name.starts_with("own"));
    let own: String =
        own.map(|name| format!("[[bot]]\nname = '{name}'\ncommand = './own'\n")).collect();
    let text = format!(
        "game = 'loa'\n[schedule]\n{schedule}\n{own}[[bots]]\nfolder = 'in'\n\
         [publish]\nnames = 'alias'\n"
    );
    let config =
        Config::parse(&text).unwrap_or_else(|errors| panic!("{}", errors.display("cup.toml")));
    let content = Content::default();
    let entrant = |name: &&str| {
        Entrant::new((*name).to_owned(), String::new(), &content, BTreeMap::new(), None)
    };
    let absentee = |name: &&str| Absentee {
        name: format!("{name}-absent"),
        private: None,
        reason: (*name).to_owned(),
        folder: None,
        excluded: false,
    };
    let plan = RunPlan {
        name: "cup",
        text: &text,
        config: &config,
        openings: None,
        entrants: names.iter().map(entrant).collect(),
        absent: names.iter().map(absentee).collect(),
        keep_changed: false,
        shard: None,
        key: KeySource::Drawn(SecretKey::new(key)),
        seeds: None,
        other: None,
    };
    roster::head(plan, contents).unwrap()
}

/// The own names of the bots that are scheduled.
fn own_names(head: &JournalHead) -> Vec<String> {
    head.roster.iter().map(|bot| bot.private_name().to_owned()).collect()
}

/// Shards of a tournament that draw keys of their own must find that they play the same one.
#[test]
fn the_fingerprint_does_not_depend_on_the_secret_key() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let contents = JournalContents::default();
    let head = |key: &[u8]| head_with_key(&names, "format = 'round-robin'", &contents, key);
    let (one, other) = (head(b"one"), head(b"other"));
    assert_ne!(own_names(&one), own_names(&other), "the order follows from the aliases");
    assert_eq!(one.fingerprint, other.fingerprint);
}

#[test]
fn the_order_of_aliases_does_not_tell_the_names() {
    let names = ["own-a", "own-b", "own-c", "own-d", "a", "b", "c", "d", "e", "f", "g", "h"];
    for (schedule, leading) in [
        ("format = 'round-robin'", 0),
        ("format = 'swiss'", 0),
        ("format = 'knockout'", 0),
        ("format = 'gauntlet'\nchallengers = 3", 3),
        ("format = 'gauntlet'\nchallengers = 6", 6),
    ] {
        let head = public_head(&names, schedule, &JournalContents::default());
        let order: Vec<(String, String)> = head
            .known_names()
            .take(names.len())
            .map(|(alias, name)| (alias.to_owned(), name.to_owned()))
            .collect();
        assert_ne!(own_names(&head), names, "the order is always the same, and improbable");
        // The configuration decides who the challengers are, and not in which order.
        let (first, others) = order.split_at(leading);
        assert!(first.is_sorted() && others.is_sorted(), "{schedule}: {order:?}");
        let own = first.iter().filter(|(_, name)| name.starts_with("own")).count();
        assert_eq!(own, leading.min(4), "{schedule}: {order:?}");
        let absent: Vec<String> = head.absent.iter().map(|bot| bot.name.clone()).collect();
        assert!(absent.len() == names.len() && absent.is_sorted(), "{schedule}: {absent:?}");
    }
    // A journal that was begun in another order goes on in that, and takes new bots.
    let (new, names) = (names, &names[2..]);
    let mut contents = JournalContents::default();
    let content = Content::default();
    let key = SecretKey::new(b"secret");
    let aliases = PublicNames::Aliases(key.clone());
    let roster = names.iter().map(|name| {
        Entrant::new((*name).to_owned(), String::new(), &content, BTreeMap::new(), None)
            .named(&aliases)
    });
    contents.add(
        0,
        JournalEntry::Head(JournalHead {
            rules: None,
            v: JOURNAL_VERSION,
            name: "cup".to_owned(),
            fingerprint: "f".to_owned(),
            config: String::new(),
            deciding: Vec::new(),
            roster: roster.collect(),
            numbers: None,
            absent: Vec::new(),
            keep_changed: false,
            shard: None,
            key: Some(key),
            seeds: None,
            previous: None,
        }),
    );
    let mut order = own_names(&public_head(&new, "", &contents));
    order.retain(|name| names.contains(&&**name));
    assert_eq!(order, names);
}
