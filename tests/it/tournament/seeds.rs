//! A knockout that is seeded by the ranks of a league.

use crate::support::place::{FIRST, LAST, Place, cup};

const FINAL: &str = "format = 'knockout'\nseeds = 'league'";

/// A place with submissions.
fn class(names: &[&str]) -> Place {
    let place = Place::new();
    for (number, name) in names.iter().enumerate() {
        let program = if number % 2 == 0 { FIRST } else { LAST };
        let command = if number % 2 == 0 { "sh bot" } else { "python3 bot" };
        place.write(&format!("in/{name}/bot"), program);
        place.write(&format!("in/{name}/bot.toml"), &format!("command = '{command}'\n"));
    }
    place
}

/// A tournament of all submissions and of a bot of the organiser.
fn config(schedule: &str, publish: &str) -> String {
    cup(schedule, &format!("{publish}[[bots]]\nfolder = 'in'\n"), &[("own", "builtin:greedy")])
}

/// The own names of the roster, in its order.
fn roster(place: &Place, out: &str) -> Vec<String> {
    place.head(out).roster.iter().map(|bot| bot.private_name().to_owned()).collect()
}

/// The own names in the order of the table.
fn ranked(place: &Place, out: &str) -> Vec<String> {
    let table: serde_json::Value =
        serde_json::from_str(&place.text(&format!("{out}/standings.json"))).unwrap();
    let head = place.head(out);
    let mut names = Vec::new();
    for bot in table["bots"].as_array().unwrap() {
        let entrant = head.roster.iter().find(|other| bot["name"] == *other.name).unwrap();
        names.push(entrant.private_name().to_owned());
    }
    names
}

#[test]
fn a_final_is_seeded_by_the_ranks_of_a_league_and_goes_on_as_it_began() {
    for publish in ["", "[publish]\nnames = 'alias'\n"] {
        let place = class(&["anna", "ben", "cora", "dan"]);
        place.ends(0, &config("games = 2\nrounds = 2", publish), "league", &[]);
        // One that the league does not have.
        place.write("in/abel/bot", FIRST);
        place.write("in/abel/bot.toml", "command = 'sh bot'\n");
        let knockout = config(FINAL, publish);
        let ran = place.ends(0, &knockout, "final", &[]);
        let mut seeds = ranked(&place, "league");
        assert_eq!(place.head("final").seeds.as_ref(), Some(&seeds));
        seeds.push("abel".to_owned());
        assert_eq!(roster(&place, "final"), seeds, "{publish}");
        assert!(ran.stderr.contains("5 bots are seeded by their ranks there"), "{ran:?}");
        if !publish.is_empty() {
            assert!(seeds.iter().all(|name| !ran.stdout.contains(&**name)), "{ran:?}");
        }
        // What was used is in the journal, whatever has become of the league.
        let results = place.results("final");
        std::fs::remove_dir_all(place.path("league")).unwrap();
        let again = place.ends(0, &knockout, "final", &[]);
        assert_eq!(place.results("final"), results, "{again:?}");
        let refused = place.ends(2, &knockout.replace("seeds = 'league'", ""), "final", &[]);
        assert!(refused.stderr.contains("schedule.seeds was \"league\", is (none)"), "{refused:?}");
    }
}

#[test]
fn a_folder_that_cannot_seed_is_refused_with_what_would_be_right() {
    let place = class(&["anna", "ben"]);
    let knockout = config(FINAL, "");
    let refused = |said: &str| {
        let ran = place.ends(2, &knockout, "final", &[]);
        let place = ["cup.toml: [schedule] seeds = \"league\": ", "/league: ", said];
        assert!(place.iter().all(|part| ran.stderr.contains(part)), "{said}: {ran:?}");
    };
    refused("there is no such folder; name the result folder of a tournament");
    place.ends(0, &config("games = 2", ""), "other", &[]);
    place.write("league/notes.txt", "no journal");
    refused("it has no journal.jsonl; name the result folder of a tournament");
    refused("; beside it there are other");
    let strangers = [("zed", "builtin:random"), ("zoe", "builtin:random")];
    place.ends(0, &cup("games = 2", "", &strangers), "league", &[]);
    refused("none of its bots plays here; name the result folder of a tournament of these bots");
}

#[test]
fn where_only_one_of_two_tournaments_has_aliases_the_order_is_said_to_tell_the_names() {
    let place = class(&["anna", "ben"]);
    let alias = "[publish]\nnames = 'alias'\n";
    for [of_league, of_final] in [["", alias], [alias, ""]] {
        place.ends(0, &config("games = 2", of_league), "league", &["--restart"]);
        let ran = place.ends(0, &config(FINAL, of_final), "final", &["--restart"]);
        assert!(ran.stderr.contains("can tell from the order whose each alias is"), "{ran:?}");
    }
}
