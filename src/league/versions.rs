//! The versions of submissions in a result folder: copies of what was handed in, and what became of
//! each. One file, `league/versions.json`, says which copy plays; it is replaced as a whole, so a
//! kill at any moment leaves the state before or after. It has the own names of bots and is closed
//! to other users.

use super::intake::{Place, Stamp};
use anyhow::{Context, bail};
use arbiter_config::Config;
use arbiter_game::content::sha256;
use arbiter_ground::utc;
use arbiter_host::files::{self, identity};
use arbiter_host::locate::{remove_folder, remove_folder_if_there};
use arbiter_play::store::replace_private;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The version of the file.
const VERSION: u32 = 1;
/// The most verdicts of a bot that are kept.
const VERDICTS: usize = 20;

/// What has become of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It waits for its turn.
    Waits,
    /// It is built, tried and checked.
    Tried,
    Plays,
    /// Another version plays in its place.
    Replaced,
    /// It cannot play; the version before plays on, if there is one.
    Refused,
    /// Its author took it away.
    Withdrawn,
}

impl State {
    /// In a word, as `league.json` has it.
    pub fn word(self) -> &'static str {
        match self {
            State::Waits => "waits",
            State::Tried => "checks",
            State::Plays => "plays",
            State::Replaced => "replaced",
            State::Refused => "refused",
            State::Withdrawn => "withdrawn",
        }
    }

    /// Whether the verdict is still to come.
    fn is_open(self) -> bool {
        matches!(self, State::Waits | State::Tried)
    }

    fn was_accepted(self) -> bool {
        matches!(self, State::Plays | State::Replaced)
    }
}

/// A version that has arrived and is to be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVersion {
    pub place: Place,
    /// The state of the submission that is meant.
    pub stamp: Stamp,
    /// Its number among those of its bot, from 1.
    pub number: u64,
}

/// A version, and what its author has to know.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Version {
    /// Its number among those of its bot, from 1.
    pub number: u64,
    /// When it arrived, in the form of RFC 3339.
    pub time: String,
    pub state: State,
    /// The state of the submission that it is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    stamp: String,
    /// Why, for its author.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
    /// When it was accepted or refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
    /// The digest of its content, if it plays or has played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// The versions of a submission.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct BotVersions {
    /// The state of the submission that was last judged.
    #[serde(default)]
    pub stamp: String,
    /// The number of the version that plays.
    #[serde(default)]
    pub current: Option<u64>,
    /// The newest ones, the oldest first.
    #[serde(default)]
    pub versions: Vec<Version>,
}

impl BotVersions {
    /// Whether a version of it ever played.
    pub fn has_played(&self) -> bool {
        self.versions.iter().any(|version| version.digest.is_some())
    }

    /// The newest one.
    pub fn newest(&self) -> Option<&Version> {
        self.versions.last()
    }
}

/// The file, as it is written.
#[derive(Debug, Default, Serialize, Deserialize)]
struct VersionsFile {
    v: u32,
    /// By the `[[bots]]` folder as the configuration names it, then by own name.
    folders: BTreeMap<String, BTreeMap<String, BotVersions>>,
}

/// The versions of all submissions.
pub struct Versions {
    dir: PathBuf,
    /// Which folder it is, when this process plays in it.
    identity: Option<(u64, u64)>,
    /// The `[[bots]]` folders as the configuration names them, in its order.
    folders: Vec<String>,
    bots: BTreeMap<Place, BotVersions>,
    /// The newest versions that the run before left without a verdict.
    interrupted: BTreeMap<Place, Version>,
    /// The number of versions of each bot whose copies are kept.
    kept: u32,
}

impl Versions {
    /// Those of the result folder `results`, which another process may play in.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn read(results: &Path, config: &Config) -> anyhow::Result<Versions> {
        let dir = std::path::absolute(results.join("league"))?;
        let folders: Vec<String> = config.folders.iter().map(|one| one.folder.clone()).collect();
        let kept = config.league.versions;
        let mut bots = BTreeMap::new();
        let path = dir.join("versions.json");
        match files::read(&path) {
            Ok(bytes) => {
                let file: VersionsFile =
                    serde_json::from_slice(&bytes).with_context(|| path.display().to_string())?;
                if file.v != VERSION {
                    bail!("{}: its version is {}, expected {VERSION}", path.display(), file.v);
                }
                for (folder, known) in file.folders {
                    let Some(at) = folders.iter().position(|one| *one == folder) else { continue };
                    for (name, versions) in known {
                        bots.insert((at, name), versions);
                    }
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).context(path.display().to_string()),
        }
        Ok(Versions { dir, identity: None, folders, bots, interrupted: BTreeMap::new(), kept })
    }

    /// This process plays in the folder. Versions that a killed one has left without a verdict are
    /// judged again: the state of their submission was not recorded, so it arrives again.
    ///
    /// # Errors
    /// A folder cannot be made, or the file not be written.
    pub fn take_over(&mut self) -> io::Result<()> {
        // Bots that are users of their own pass through it to their copies.
        make(&self.dir, 0o711)?;
        make(&self.dir.join("versions"), 0o700)?;
        self.identity = Some(identity(&fs::metadata(&self.dir)?));
        for (place, bot) in &mut self.bots {
            let open = bot.versions.extract_if(.., |version| version.state.is_open());
            if let Some(newest) = open.last() {
                self.interrupted.insert(place.clone(), newest);
            }
        }
        self.write()
    }

    /// The folder in which builds are made.
    pub fn builds(&self) -> PathBuf {
        self.dir.join("builds")
    }

    /// What was judged of each submission.
    pub fn stamps(&self) -> BTreeMap<Place, Stamp> {
        let mut stamps = BTreeMap::new();
        for (place, bot) in &self.bots {
            if !bot.stamp.is_empty() {
                stamps.insert(place.clone(), Stamp(bot.stamp.clone()));
            }
        }
        stamps
    }

    /// The copies that play: by the number of the folder, each bot's own name and its copy.
    pub fn playing(&self) -> Vec<BTreeMap<String, PathBuf>> {
        let mut playing = vec![BTreeMap::new(); self.folders.len()];
        for (place, bot) in &self.bots {
            if let Some(current) = bot.current {
                playing[place.0].insert(place.1.clone(), self.copy(place, current));
            }
        }
        playing
    }

    /// All submissions with their versions.
    pub fn bots(&self) -> impl Iterator<Item = (&Place, &BotVersions)> {
        self.bots.iter()
    }

    pub fn of(&self, place: &Place) -> Option<&BotVersions> {
        self.bots.get(place)
    }

    /// The copy of the accepted version before the newest one that was handed in.
    pub fn before(&self, place: &Place) -> Option<PathBuf> {
        let bot = self.bots.get(place)?;
        let newest = bot.newest()?.number;
        let mut earlier = bot.versions.iter().rev().filter(|version| version.number < newest);
        let accepted = earlier.find(|version| version.state.was_accepted())?;
        let copy = self.copy(place, accepted.number);
        copy.is_dir().then_some(copy)
    }

    /// The number of the version with this digest, and its copy, if that is kept.
    pub fn of_digest(&self, place: &Place, digest: Option<&str>) -> Option<(u64, PathBuf)> {
        let all = &self.bots.get(place)?.versions;
        let found = all.iter().rev().find(|version| version.digest.as_deref() == digest)?;
        let copy = self.copy(place, found.number);
        copy.is_dir().then_some((found.number, copy))
    }

    /// The folder of the copy of a version: it has the name of the submission.
    fn copy(&self, (folder, name): &Place, number: u64) -> PathBuf {
        self.copies(*folder).join(name).join(number.to_string()).join(name)
    }

    /// The folder of the copies from a `[[bots]]` folder. It follows from the name of that, not
    /// from its number, which changes with the configuration.
    fn copies(&self, folder: usize) -> PathBuf {
        let digest = sha256(self.folders[folder].as_bytes());
        self.dir.join("versions").join(&digest[..16])
    }

    /// Where a version is built.
    pub fn build(&self, place: &Place, number: u64) -> PathBuf {
        self.builds().join(build_name(place, number))
    }

    /// Whether the folder has another name by now.
    pub fn are_moved(&self) -> bool {
        fs::metadata(&self.dir).ok().as_ref().map(identity) != self.identity
    }

    /// Whether a version is being tried.
    pub fn is_tried(&self, place: &Place, number: u64) -> bool {
        let mut known = self.bots.get(place).into_iter().flat_map(|bot| &bot.versions);
        known.any(|version| version.number == number && version.state == State::Tried)
    }

    /// When this state of a submission arrived first: at this `time`, or in a run that ended before
    /// its verdict.
    pub fn first_arrival(&mut self, place: &Place, stamp: &Stamp, time: &str) -> String {
        match self.interrupted.remove(place) {
            Some(version) if version.stamp == stamp.0 => version.time,
            _ => time.to_owned(),
        }
    }

    /// The version that waits has another state now, and is the same version still.
    pub fn renewed(&mut self, place: &Place, stamp: &Stamp) {
        let newest = self.bots.get_mut(place).and_then(|bot| bot.versions.last_mut());
        if let Some(version) = newest {
            version.stamp.clone_from(&stamp.0);
        }
    }

    /// A submission has arrived: its version, which waits.
    pub fn arrived(&mut self, place: Place, stamp: Stamp, time: String) -> NewVersion {
        // A clock that was set back does not make it older than those before it.
        let known = self.bots.values().flat_map(|bot| &bot.versions);
        let time = known.map(|version| &version.time).max().max(Some(&time)).cloned();
        let time = time.unwrap_or_default();
        let bot = self.bots.entry(place.clone()).or_default();
        let number = 1 + bot.newest().map_or(0, |version| version.number);
        bot.versions.push(Version {
            number,
            time,
            state: State::Waits,
            stamp: stamp.0.clone(),
            said: String::new(),
            decided: None,
            digest: None,
        });
        // What was accepted stays as long as its copy does.
        while bot.versions.len() > VERDICTS
            && let Some(at) =
                bot.versions.iter().position(|version| version.state == State::Refused)
        {
            bot.versions.remove(at);
        }
        NewVersion { place, stamp, number }
    }

    /// A version plays in the place of the one that did.
    pub fn plays(&mut self, new: &NewVersion, digest: Option<String>, said: &str) {
        self.judged(new, State::Plays, said);
        let Some(bot) = self.bots.get_mut(&new.place) else { return };
        let before = bot.current.replace(new.number);
        for version in &mut bot.versions {
            if Some(version.number) == before {
                version.state = State::Replaced;
            }
            if version.number == new.number {
                version.digest.clone_from(&digest);
            }
        }
    }

    /// What has become of a version.
    pub fn set(&mut self, new: &NewVersion, state: State, said: &str) {
        let Some(bot) = self.bots.get_mut(&new.place) else { return };
        for version in &mut bot.versions {
            if version.number == new.number {
                version.state = state;
                said.clone_into(&mut version.said);
                if matches!(state, State::Plays | State::Refused) {
                    version.decided = Some(utc::now());
                }
            }
        }
    }

    /// A version had no verdict, because its submission changed meanwhile.
    pub fn forget(&mut self, place: &Place, number: u64) {
        if let Some(bot) = self.bots.get_mut(place) {
            bot.versions.retain(|version| version.number != number);
        }
    }

    /// The submission is not there any more.
    pub fn withdraw(&mut self, place: &Place) {
        let Some(bot) = self.bots.get_mut(place) else { return };
        bot.stamp.clear();
        let current = bot.current.take();
        let newest = bot.newest().map(|version| version.number);
        for version in &mut bot.versions {
            let is_last = [current, newest].contains(&Some(version.number));
            if version.state.is_open() || is_last {
                version.state = State::Withdrawn;
            }
        }
    }

    /// The verdict on a version: its submission does not arrive again in this state.
    pub fn judged(&mut self, new: &NewVersion, state: State, said: &str) {
        self.set(new, state, said);
        if let Some(bot) = self.bots.get_mut(&new.place) {
            bot.stamp.clone_from(&new.stamp.0);
        }
    }

    /// Where the copy of a version is made. What a killed run has left there is removed.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn place_for_copy(&self, place: &Place, number: u64) -> io::Result<PathBuf> {
        let copy = self.copy(place, number);
        if let Some(above) = copy.parent() {
            remove_folder_if_there(above)?;
            DirBuilder::new().recursive(true).mode(0o700).create(above)?;
        }
        Ok(copy)
    }

    /// Writes what is known, and removes the copies of the versions that are not kept.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self) -> io::Result<()> {
        let mut file = VersionsFile { v: VERSION, folders: BTreeMap::new() };
        for ((folder, name), bot) in &self.bots {
            let all = file.folders.entry(self.folders[*folder].clone()).or_default();
            all.insert(name.clone(), bot.clone());
        }
        let text = serde_json::to_string(&file)?;
        replace_private(&self.dir.join("versions.json"), &text)?;
        for (place, bot) in &self.bots {
            self.drop_old(place, bot)?;
        }
        Ok(())
    }

    /// Removes the copies of a bot that are neither kept nor waited for.
    fn drop_old(&self, place: &Place, bot: &BotVersions) -> io::Result<()> {
        let mut kept: Vec<u64> = Vec::new();
        for version in bot.versions.iter().rev() {
            let has_room = kept.len() < self.kept as usize;
            if version.state.is_open() || version.state.was_accepted() && has_room {
                kept.push(version.number);
            }
        }
        let all = self.copies(place.0).join(&place.1);
        let entries = match all.read_dir() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let number = entry.file_name().to_string_lossy().parse();
            if number.is_ok_and(|number| !kept.contains(&number) && bot.current != Some(number)) {
                remove_folder(&entry.path())?;
            }
        }
        Ok(())
    }
}

/// The name of the folder in which a version is built.
pub fn build_name((folder, name): &Place, number: u64) -> String {
    format!("{folder}.{name}.{number}")
}

fn make(dir: &Path, mode: u32) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(mode).create(dir)
}
