//! The desk between an upload and the folder of a submission.

use super::*;
use crate::challenges::tests::board;
use std::os::unix::fs::{FileExt, symlink};
use tempfile::TempDir;

/// A desk for `ann` with this configuration, and its folder.
fn desk(config: UploadsConfig, marker: Option<&str>) -> (UploadDesk, TempDir) {
    let place = tempfile::tempdir().unwrap();
    let bots = place.path().join("bots");
    let pages = place.path().join("pages");
    fs::create_dir_all(bots.join("ann")).unwrap();
    fs::create_dir_all(bots.join(".upload-1-1/new")).unwrap();
    fs::create_dir_all(pages.join("a1")).unwrap();
    fs::write(bots.join("ann/old.py"), "old").unwrap();
    fs::write(pages.join("a1.html"), "page").unwrap();
    fs::write(pages.join("a1/x.pgn"), "log").unwrap();
    fs::write(pages.join("secret.pgn"), "other").unwrap();
    let marker = marker.map(str::to_owned);
    let challenges = Challenges::new(board(), config.challenges);
    let freeze = None;
    let setup = DeskSetup { config, number: 0, bots, pages, marker, freeze, challenges };
    let desk = UploadDesk::open(setup).unwrap();
    desk.set_authors(vec![author("a1", "ann"), author("b2", "../bob")]);
    (desk, place)
}

fn author(address: &str, bot: &str) -> Author {
    Author { address: address.into(), bot: bot.into(), shown: bot.into(), before: None }
}

/// Hands in a file of this name.
fn hand_in(desk: &UploadDesk, name: &str, content: &str) -> Result<String, UploadRefusal> {
    let upload = desk.begin("a1")?;
    upload.write_all_at(content.as_bytes(), 0).unwrap();
    desk.take("a1", upload, Some(name))
}

/// The names in the folder of submissions, and in that of `ann`.
fn names(place: &TempDir) -> Vec<String> {
    let mut names = Vec::new();
    for folder in ["bots", "bots/ann"] {
        for entry in fs::read_dir(place.path().join(folder)).unwrap() {
            names.push(entry.unwrap().file_name().into_string().unwrap());
        }
    }
    names.sort();
    names
}

#[test]
fn an_upload_replaces_the_submission_or_leaves_it_as_it_was() {
    let (desk, place) = desk(UploadsConfig::default(), Some("done"));
    assert_eq!(names(&place), ["ann", "old.py"], "what a killed process left is gone");
    let no_archive = hand_in(&desk, "bot.zip", "text").unwrap_err();
    assert_eq!(no_archive.kind, RefusalKind::Unacceptable);
    assert_eq!(names(&place), ["ann", "old.py"]);
    hand_in(&desk, "new.py", "new").unwrap();
    assert_eq!(names(&place), ["ann", "done", "new.py"]);
    hand_in(&desk, "done", "by the author").unwrap();
    assert_eq!(names(&place), ["ann", "done"]);
    let refused = desk.take_back("a1").unwrap_err();
    assert_eq!(
        (refused.kind, &*refused.why),
        (RefusalKind::Impossible, "there is no version before it")
    );
    // What was accepted before comes back, with a marker that is new.
    let before = place.path().join("before");
    fs::create_dir(&before).unwrap();
    fs::write(before.join("first.py"), "first").unwrap();
    symlink("first.py", before.join("done")).unwrap();
    desk.set_authors(vec![Author { before: Some(before), ..author("a1", "ann") }]);
    desk.take_back("a1").unwrap();
    assert_eq!(names(&place), ["ann", "done", "first.py"]);
    assert_eq!(fs::read_to_string(place.path().join("bots/ann/first.py")).unwrap(), "first");
}

#[test]
fn authors_are_known_by_their_addresses() {
    let (desk, _place) = desk(UploadsConfig::default(), None);
    assert!(desk.knows("a1"));
    for address in ["", "a", "a11", "A1", "b2", "../secret"] {
        assert!(!desk.knows(address), "{address}");
        assert_eq!(desk.begin(address).unwrap_err().kind, RefusalKind::Impossible);
    }
    assert_eq!(desk.page("a1").unwrap().as_deref(), Some("page"));
    assert_eq!(desk.log("a1", "x.pgn").as_deref(), Some(&b"log"[..]));
    for name in ["../secret.pgn", ".pgn", "x", "y.pgn", "x\0.pgn"] {
        assert_eq!(desk.log("a1", name), None, "{name}");
    }
    desk.set_authors(Vec::new());
    assert!(!desk.knows("a1"));
}

fn is_too_often(done: Result<String, UploadRefusal>) {
    let refused = done.unwrap_err();
    assert!(matches!(refused.kind, RefusalKind::TooOften(_)), "{refused:?}");
    assert!(refused.why.contains("2 times within an hour"), "{refused:?}");
}

#[test]
fn an_author_hands_in_so_often_an_hour() {
    let config = UploadsConfig { per_hour: 2, ..UploadsConfig::default() };
    let (desk, _place) = desk(config, None);
    hand_in(&desk, "bot.zip", "text").unwrap_err();
    hand_in(&desk, "a.py", "text").unwrap();
    is_too_often(hand_in(&desk, "a.py", "text"));
    // What was handed in can still be taken back, as often.
    for _ in 0..2 {
        assert_eq!(desk.take_back("a1").unwrap_err().kind, RefusalKind::Impossible);
    }
    is_too_often(desk.take_back("a1"));
}
