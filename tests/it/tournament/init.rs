//! The configurations that `--init` writes.

use crate::support::place::ILLEGAL;
use crate::support::{Ran, arbiter, project, sample};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

const PURPOSES: [&str; 3] = ["class", "league", "versions"];

/// A folder in which configurations are written.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// One with the configuration of a purpose, and with bots of which one loses at once: it
    /// answers what no rules allow.
    fn with_bots(purpose: &str) -> Folder {
        let folder = Folder::new();
        folder.init(purpose);
        let made = folder.run(&["new", "shell", "bots/new"]);
        assert_eq!(made.status, Some(0), "{made:?}");
        folder.add("old", "bot.sh", ILLEGAL, "sh bot.sh");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        arbiter(arguments).current_dir(self.0.path()).output().unwrap().into()
    }

    /// Writes the configuration of a purpose.
    fn init(&self, purpose: &str) -> Ran {
        let flag = format!("--init={purpose}");
        self.run(&["tournament", &flag, "--game", "gekitai", "--bots", "bots"])
    }

    /// Adds a bot.
    fn add(&self, name: &str, file: &str, program: &str, command: &str) {
        let folder = self.path("bots").join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(file), program).unwrap();
        fs::write(folder.join("bot.toml"), format!("command = \"{command}\"\n")).unwrap();
    }

    /// Plays the tournament of a purpose, and returns its table.
    fn play(&self, purpose: &str, concurrency: &str) -> String {
        let config = format!("{purpose}.toml");
        let played = self.run(&["tournament", &config, "--concurrency", concurrency]);
        assert_eq!(played.status, Some(0), "{played:?}");
        self.read(&format!("{purpose}/standings.md"))
    }
}

#[test]
fn a_configuration_is_written_with_its_workflow_and_never_overwritten() {
    let folder = Folder::new();
    for purpose in PURPOSES {
        fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(folder.path(".gitignore"))
            .and_then(|mut file| file.write_all(format!("/{purpose}/bots/").as_bytes()))
            .unwrap();
        let written = folder.init(purpose);
        assert_eq!(written.status, Some(0), "{written:?}");
        let (config, workflow) =
            (format!("{purpose}.toml"), format!(".github/workflows/{purpose}.yml"));
        assert!((25..=40).contains(&folder.read(&config).lines().count()), "{config}");
        let command = format!("arbiter tournament {config}");
        let texts = folder.read(&config) + &folder.read(&workflow);
        assert!(
            folder.read(&workflow).contains(&command) && !texts.replace("@v4", "").contains('@'),
            "{texts}"
        );
        let again = folder.init(purpose);
        assert!(again.status == Some(2) && again.stderr.contains(&config), "{again:?}");
        fs::rename(folder.path(&config), folder.path("kept.toml")).unwrap();
        let again = folder.init(purpose);
        assert!(again.status == Some(2) && again.stderr.contains(&workflow), "{again:?}");
        fs::rename(folder.path("kept.toml"), folder.path(&config)).unwrap();
    }
    // What a commit must not publish is ignored, each line once, behind what was there.
    let ignored = folder.read(".gitignore");
    for private in ["aliases.txt", "bots/", "feedback/", "journal*.jsonl*"] {
        for purpose in PURPOSES {
            let line = format!("/{purpose}/{private}");
            assert_eq!(ignored.lines().filter(|known| **known == line).count(), 1, "{line}");
        }
    }
}

#[test]
fn a_configuration_without_a_purpose_has_the_name_of_its_file() {
    let folder = Folder::new();
    // In a pipe nothing is asked for.
    let written = folder.run(&["tournament", "--init", "cup.toml"]);
    assert_eq!(written.status, Some(0), "{written:?}");
    let config = folder.read("cup.toml");
    assert!(config.contains("\nname = \"cup\"") && config.contains("\ngame = \"loa\""), "{config}");
    let refused = folder.run(&["tournament", "--init", "new.toml", "--bots", "a\"b"]);
    assert!(refused.status == Some(2) && !folder.path("new.toml").exists(), "{refused:?}");
}

#[test]
fn a_written_configuration_plays_as_it_is() {
    for purpose in sample(PURPOSES, 2) {
        let table = Folder::with_bots(purpose).play(purpose, "2");
        assert!(table.contains("new"), "{table}");
    }
}

#[test]
fn a_bot_that_sleeps_does_not_hold_up_its_class() {
    let folder = Folder::with_bots("class");
    let program = fs::read_to_string(project("tests/bots/using.py")).unwrap();
    folder.add("sleeper", "bot.py", &program, "python3 bot.py sleep 5");
    // Its games wait, all of them at a time.
    let table = folder.play("class", "16");
    assert!(table.contains("Forfeits of sleeper: ") && table.contains(" timeout"), "{table}");
}
