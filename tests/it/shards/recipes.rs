//! The recipes in `configs/cluster`: GNU parallel is tried, of the others the syntax is checked.

use crate::shards::everything;
use crate::support::place::{BOTS, Place, cup};
use crate::support::{ARBITER, Ran, has, plays_all, project};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs `parallel.sh` with three shards.
fn parallel(place: &Place, config: &str) -> Ran {
    place.write("cup.toml", config);
    let programs = Path::new(ARBITER).parent().unwrap().display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(project("configs/cluster/parallel.sh"));
    command.arg(place.path("cup.toml")).arg("3").arg(place.path("merged"));
    // GNU parallel keeps its settings in the home folder.
    command
        .env("PATH", format!("{programs}:{path}"))
        .env("HOME", place.path(""))
        .env_remove("GITHUB_STEP_SUMMARY");
    command.current_dir(place.path("")).output().unwrap().into()
}

#[test]
fn gnu_parallel_with_three_shards_plays_the_unsharded_tournament() {
    if !has("parallel", "configs/cluster/parallel.sh") {
        return;
    }
    // The second one in rounds, after each of which there is a merge.
    let games = if plays_all() { 3 } else { 2 };
    let games = format!("games = {games}");
    let formats = [cup(&games, "", &BOTS), cup("format = 'swiss'\nrounds = 2", "", &BOTS)];
    for (number, config) in formats.into_iter().enumerate() {
        let place = Place::with_bots();
        place.ends(0, &config, "whole", &[]);
        let ran = parallel(&place, &config);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(everything(&place, "merged"), everything(&place, "whole"));
        if number > 0 && !plays_all() {
            continue;
        }
        // A lost shard is played again by the same command.
        fs::remove_dir_all(place.path("merged.shard-2")).unwrap();
        fs::remove_dir_all(place.path("merged")).unwrap();
        let ran = parallel(&place, &config);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(everything(&place, "merged"), everything(&place, "whole"));
        // A shard that can never play ends the command, with what is missing.
        fs::remove_dir_all(place.path("merged.shard-2")).unwrap();
        fs::remove_dir_all(place.path("merged")).unwrap();
        place.write("merged.shard-2", "a file in the way of its folder");
        let ran = parallel(&place, &config);
        assert_eq!(ran.status, Some(2), "a file is no result folder: {ran:?}");
        fs::remove_file(place.path("merged.shard-2")).unwrap();
        place.write("merged.shard-2/journal.jsonl", "no journal\nat all\n");
        let ran = parallel(&place, &config);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("merged.shard-2"), "{ran:?}");
    }
}

#[test]
fn every_recipe_is_on_the_page_and_its_shell_is_well_formed() {
    let page = fs::read_to_string(project("configs/cluster/README.md")).unwrap();
    let mut recipes = 0;
    for entry in project("configs/cluster").read_dir().unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_name().unwrap().to_str().unwrap();
        if name == "README.md" {
            continue;
        }
        let row = page.lines().find(|line| line.starts_with(&format!("| [{name}]({name})")));
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(
            row.unwrap_or_else(|| panic!("{name}: no row")).contains("not run by us"),
            text.to_lowercase().contains("not run by us"),
            "{name}"
        );
        if name.ends_with(".sh") {
            let checked = Command::new("bash").arg("-n").arg(&file).output().unwrap();
            assert!(checked.status.success() && checked.stderr.is_empty(), "{name}: {checked:?}");
        }
        recipes += 1;
    }
    assert_eq!(recipes, page.lines().filter(|line| line.starts_with("| [")).count());
}
