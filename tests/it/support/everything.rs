//! What of a merged folder is that of an unsharded run.

use crate::support::place::Place;
use std::collections::BTreeMap;

/// The results of a folder, as [`Place::results`] has them, with what the bots wrote.
pub fn everything(place: &Place, out: &str) -> BTreeMap<String, String> {
    let mut found = place.results(out);
    let root = place.path(out);
    for (path, text) in place.snapshot(&format!("{out}/bots")) {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        found.insert(name, String::from_utf8(text).unwrap());
    }
    for name in ["report.html", "aliases.txt", "missing.txt"] {
        found.insert(format!("there is {name}"), root.join(name).exists().to_string());
    }
    found
}
