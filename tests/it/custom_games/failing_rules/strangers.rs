//! What a stranger sends starts no rules: neither a log nor a result folder, whatever file of rules
//! lies beside it.

use crate::support::served::Served;
use crate::support::{Ran, arbiter, project};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A result folder in a game whose rules leave a mark when they run, from now on.
struct Stranger(TempDir);

impl Stranger {
    fn new() -> Stranger {
        let stranger = Stranger(tempfile::tempdir().unwrap());
        let [armed, mark] = ["armed", "mark"].map(|name| stranger.path(name));
        let rules = fs::read_to_string(project("games/connect4.py")).unwrap();
        let leaves = format!(
            "\nimport os\nif os.path.exists({armed:?}):\n    open({mark:?}, 'w').close()\n"
        );
        fs::write(stranger.path("strange.py"), rules + &leaves).unwrap();
        let config = "name = 'cup'\ngame = 'strange.py'\n[limits]\nsandbox = 'basic'\n[schedule]\ngames = 2\n\
                      [[bot]]\nname = 'ann'\ncommand = 'builtin:random'\n[[bot]]\nname = 'ben'\ncommand = 'builtin:random'\n";
        fs::write(stranger.path("cup.toml"), config).unwrap();
        let played = stranger.run(&["tournament", "cup.toml"]);
        assert_eq!(played.status, Some(0), "{played:?}");
        fs::copy(stranger.path("strange.py"), stranger.path("cup/strange.py")).unwrap();
        fs::write(&armed, "").unwrap();
        stranger
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a command in the folder of the rules.
    fn run(&self, arguments: &[&str]) -> Ran {
        arbiter(arguments).current_dir(self.0.path()).output().unwrap().into()
    }

    /// Whether the rules ran since the last question.
    fn ran(&self) -> bool {
        fs::remove_file(self.path("mark")).is_ok()
    }
}

#[test]
fn a_strangers_log_or_folder_starts_nothing() {
    let stranger = Stranger::new();
    for arguments in [
        &["standings", "cup"][..],
        &["standings", "cup", "--verify"],
        &["standings", "cup/games.pgn", "--format", "json"],
        &["verify", "cup"],
        &["verify", "cup/games.pgn", "--json"],
        &["report", "cup", "--output", "page.html"],
        &["report", "cup/games.pgn", "--output", "log.html"],
        &["replay", "cup", "ann~ben.1"],
        &["replay", "cup/games.pgn", "2"],
        &["rerun", "cup", "ann~ben.1"],
        &["rerun", "cup/games.pgn", "ann~ben.1", "--requests", "ann"],
        &["merge", "cup", "--out", "merged"],
    ] {
        let ran = stranger.run(arguments);
        assert!(!stranger.ran(), "{arguments:?}: {ran:?}");
    }
    let page = Served::folder(Path::new(&stranger.path("cup")), &[]);
    assert_eq!(page.page().status(), "200");
    assert!(!stranger.ran());
    // Rules that the user names do run, so the mark tells.
    for arguments in [
        &["moves", "./strange.py"][..],
        &["verify", "cup", "--rules", "strange.py"],
        &["tournament", "cup.toml"],
    ] {
        let ran = stranger.run(arguments);
        assert!(stranger.ran(), "{arguments:?}: {ran:?}");
    }
}
