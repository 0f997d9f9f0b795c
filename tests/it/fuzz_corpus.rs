//! Replays the corpus, from fuzzing and by hand, through the checks of the fuzz targets.

use crate::checks::TARGETS;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The names of the entries of a folder of `fuzz/`.
fn names(folder: &str) -> BTreeSet<String> {
    let entries =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(folder)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_target_has_a_corpus_and_every_corpus_a_target() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names("corpus"), targets);
    assert_eq!(names("targets"), targets.iter().map(|name| format!("{name}.rs")).collect());
    assert!(names("dictionaries").is_subset(&targets));
    assert!(targets.iter().all(|target| !names(&format!("corpus/{target}")).is_empty()));
}

#[test]
fn what_is_checked_holds_for_every_corpus() {
    for (target, check) in TARGETS {
        for name in names(&format!("corpus/{target}")) {
            let file =
                Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target).join(&name);
            let bytes = fs::read(file).unwrap();
            // The panic says what is wrong; this says where.
            let held = std::panic::catch_unwind(|| check(&bytes)).is_ok();
            assert!(held, "fuzz/corpus/{target}/{name}");
        }
    }
}
