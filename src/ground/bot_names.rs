//! The names of bots: which two must not be one, and what a folder may be called instead.

use super::candidate::Candidate;
use super::output::complain;
use anyhow::bail;
use arbiter_cup::tournament::{JournalContents, PublicNames};
use arbiter_rank::schedule::is_bot_name;
use arbiter_rules::text::printable;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Adds to the refusal of each folder whose name no bot may have the command that renames it. No
/// two get the same name, nor that of another bot or file. The new name is much like the old one,
/// so it must not be published where names are aliases.
pub fn suggest_names(candidates: &mut [Candidate]) {
    let mut taken = names_in_use(candidates);
    for Candidate { name, place, program, excluded, .. } in candidates {
        let Err(why) = program else { continue };
        let is_wrong = place.file_name().is_some_and(|file| file == &**name) && !is_bot_name(name);
        // A name with characters that a sentence cannot show, such as a line end, is in no command.
        let is_shown = printable(name.as_bytes(), usize::MAX) == *name;
        if *excluded || !is_wrong || !is_shown {
            continue;
        }
        let free = free_folder(&bot_name(name), place, &mut taken);
        if let Ok(old) = shlex::try_quote(name) {
            why.push_str(&format!(": mv -- {old} {free}"));
        }
    }
}

/// The names of all bots, in lower case.
fn names_in_use(candidates: &[Candidate]) -> HashSet<String> {
    candidates.iter().map(|one| one.name.to_ascii_lowercase()).collect()
}

/// A name like this one that no bot has and no file beside the folder; it is taken then.
fn free_folder(name: &str, folder: &Path, taken: &mut HashSet<String>) -> String {
    first_free(name, |new| {
        let there = folder.with_file_name(new).symlink_metadata();
        there.is_err() && taken.insert(new.to_ascii_lowercase())
    })
}

/// Refuses two bots of one name, ignoring case. The name is that of a `[[bot]]`; else of the
/// submission that the journal has known for longest, by its name and `[[bots]]` folder. Where it
/// has known two for equally long none plays: to take the first would let a new folder throw
/// another out.
///
/// Where names are published the reason names both folders, and the command that renames this one.
pub fn refuse_equal_names(
    candidates: &mut [Candidate],
    contents: &JournalContents,
    names: &PublicNames,
) -> anyhow::Result<()> {
    let mut taken = names_in_use(candidates);
    let mut of_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        if is_bot_name(&candidate.name) && !candidate.excluded {
            of_name.entry(candidate.name.to_ascii_lowercase()).or_default().push(at);
        }
    }
    for same in of_name.into_values() {
        if same.len() < 2 {
            continue;
        }
        // Least is first; a `[[bot]]` has no folder. A journal that names no folders knows a bot of
        // this name in each: it is the one in the folder that the configuration names first, as it
        // was when that journal was written.
        let mut ranks = Vec::new();
        for &at in &same {
            let Candidate { name, folder, .. } = &candidates[at];
            let seniority = folder.as_ref().map(|folder| contents.seniority(name, folder));
            ranks.push(seniority.map(|since| (since, if since.is_scheduled() { at } else { 0 })));
        }
        let least = ranks.iter().min();
        let mut first = Vec::new();
        let mut others = Vec::new();
        for (at, rank) in same.into_iter().zip(&ranks) {
            if Some(rank) == least { first.push(at) } else { others.push(at) }
        }
        let Some(&one) = first.first() else { continue };
        if first.len() > 1 && candidates[one].folder.is_none() {
            let shown = &candidates[one].shown;
            bail!("{shown} has the name of another bot (case is ignored); rename one of them")
        }
        for &at in &others {
            let cure = cure(candidates, at, one, &mut taken, names);
            candidates[at].program =
                Err(format!("another bot has this name (case is ignored){cure}"));
        }
        if first.len() == 1 {
            continue;
        }
        for &at in &first {
            let other = if at == one { first[1] } else { one };
            let cure = cure(candidates, at, other, &mut taken, names);
            candidates[at].program = Err(format!(
                "another submission has this name (case is ignored), and neither has played here \
                 before, so neither plays{cure}"
            ));
        }
    }
    Ok(())
}

/// Refuses two bots of one alias. An alias follows from the key and the name alone, so only another
/// name helps: the bot that has played here under it keeps it, or else a `[[bot]]`. Of two new
/// submissions neither plays.
pub fn refuse_equal_aliases(
    candidates: &mut [Candidate],
    contents: &JournalContents,
    names: &PublicNames,
) -> anyhow::Result<()> {
    if !names.are_aliases() {
        return Ok(());
    }
    // The withdrawn ones too: their games are in the journal under their aliases. But a bot that
    // was refused for its alias has no claim to it in the next run.
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for name in contents.scheduled_names() {
        known.insert(names.name(name), name);
    }
    let mut of_alias: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        if candidate.program.is_ok() {
            of_alias.entry(candidate.shown.clone()).or_default().push(at);
        }
    }
    for (alias, same) in of_alias {
        let keeps = match known.get(&alias) {
            Some(name) => same.iter().find(|at| candidates[**at].name == *name),
            None if same.len() == 1 => same.first(),
            None => same.iter().find(|at| candidates[**at].folder.is_none()),
        };
        let keeps = keeps.copied();
        for at in same {
            if Some(at) == keeps {
                continue;
            }
            if candidates[at].folder.is_none() {
                bail!("{alias} is the alias of two bots: give the [[bot]] another name");
            }
            candidates[at].program =
                Err("its alias is that of another bot; rename the folder".to_owned());
        }
    }
    Ok(())
}

/// What to do about a folder that has the name of another bot: the end of a sentence.
fn cure(
    candidates: &[Candidate],
    at: usize,
    other: usize,
    taken: &mut HashSet<String>,
    names: &PublicNames,
) -> String {
    let own = &candidates[at];
    let other = &candidates[other];
    let Some(folder) = &own.folder else { return "; rename the folder".to_owned() };
    if names.are_aliases() {
        return "; rename the folder".to_owned(); // the sentence would tell whose alias is whose
    }
    let there = match &other.folder {
        None => format!("the [[bot]] {}", other.name),
        Some(there) => format!("{} in {}", other.name, printable(there.as_bytes(), 200)),
    };
    let free = free_folder(&own.name, &own.place, taken);
    let here = printable(folder.as_bytes(), 200);
    format!(": {there}, and {} in {here}; rename this folder: mv -- {} {free}", own.name, own.name)
}

/// The name, or else the first of `NAME-2`, `NAME-3` and so on that is free.
pub fn first_free(name: &str, mut is_free: impl FnMut(&str) -> bool) -> String {
    let mut free = name.to_owned();
    let mut number: u64 = 1;
    while !is_free(&free) {
        number += 1;
        free = format!("{name}-{number}");
    }
    free
}

/// A name that is valid in results (docs/reference/tournaments.md, Games, pairs, ids): other
/// characters become dashes.
pub fn bot_name(name: &str) -> String {
    let mut fitting = String::new();
    for c in name.chars().take(60) {
        let fits = c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        fitting.push(if fits { c } else { '-' });
    }
    // A name that begins with a dot is a hidden file, one that begins with a dash a flag.
    let trimmed = fitting.trim_start_matches(['.', '_', '-']);
    if trimmed.is_empty() { "bot".to_owned() } else { trimmed.to_owned() }
}

/// The names of two bots: those that the user gives, the first one first, else those that they
/// have. The second of two equal names that are not both given gets a `-2`, which is told on
/// standard error.
///
/// # Errors
/// More than two are given, or two that are equal.
pub fn two_names(given: &[String], found: [String; 2]) -> anyhow::Result<[String; 2]> {
    let [first, second] = found;
    let one = given.first().cloned().unwrap_or(first);
    let mut other = given.get(1).cloned().unwrap_or(second);
    if given.len() > 2 {
        bail!("--name: there are two bots, not {}", given.len());
    }
    if given.len() == 2 && one.eq_ignore_ascii_case(&other) {
        bail!("--name: both bots would be called {one} (case is ignored)");
    }
    if one.eq_ignore_ascii_case(&other) {
        other.push_str("-2");
        complain(format_args!(
            "note: both bots are called {one}; the second one is {other} (see --name)"
        ));
    }
    Ok([one, other])
}

/// The name of a page: that of the bot, or of its folder as a name of a bot, with a number if
/// another page has this name (case is ignored). It is taken then.
pub fn page_name(name: &str, taken: &mut HashSet<String>) -> String {
    first_free(&bot_name(name), |name| taken.insert(name.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_has_a_page_of_its_own() {
        let mut taken = HashSet::from(["ada".to_owned()]);
        let names =
            ["ada", "Ada", "bea", "Anna Schmidt", "Anna-Schmidt", "../etc", "小明", "..", "."];
        let pages = names.map(|name| page_name(name, &mut taken));
        let expected = [
            "ada-2",
            "Ada-3",
            "bea",
            "Anna-Schmidt",
            "Anna-Schmidt-2",
            "etc",
            "bot",
            "bot-2",
            "bot-3",
        ];
        assert_eq!(pages, expected);
    }
}
