//! Says that bots of another site play under other rules than there.

use super::output::complain;
use crate::game::Settings;
use crate::locate::Program;
use crate::rules::BySide;
use std::collections::BTreeMap;

/// Says once for each dialect and what differs from the rules of its site. It is no error.
pub fn note_site_rules<'a>(
    programs: impl Iterator<Item = (String, &'a Program)>,
    settings: &Settings,
) {
    let mut speakers: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (name, program) in programs {
        let settings = settings.with_own_clocks(BySide::from_fn(|_| program.spec.time));
        if let Some(differences) = program.spec.dialect().site_differences(&settings) {
            speakers.entry((program.spec.dialect(), differences)).or_default().push(name);
        }
    }
    for ((dialect, differences), names) in speakers {
        let others = match names.len() - 1 {
            0 => String::new(),
            count => format!(" (and of {count} more)"),
        };
        let name = &*names[0];
        complain(format_args!(
            "note: the site of {name}{others}, {dialect}, has other rules: {differences}"
        ));
    }
}
