//! Sharing a tournament between several runs: shards, a common roster, and the games that other
//! runs have played.

use super::sources::Sources;
use anyhow::{Context, bail};
use arbiter_config::Config;
use arbiter_cup::tournament::roster::{
    KeySource, RosterError, RunPlan, adopted, check_identity, differing_numbers, head,
};
use arbiter_cup::tournament::{
    Absentee, JournalContents, JournalEntry, JournalHead, PlayedGames, Shard, Share, open_stage,
};
use arbiter_ground::failure::Failure;
use arbiter_play::store::journal::{Journal, JournalError};
use arbiter_rank::schedule::{Bots, Dependence};
use clap::Args;
use std::path::{Path, PathBuf};

/// The group of these options in the help.
pub const SHARDS: &str = "Shards";

/// A run that plays a part of a tournament, by the options of its command.
#[derive(Debug, Default, Args)]
pub struct Sharing {
    /// Play shard I of N, into a folder of its own, NAME.shard-I-of-N without --out; `arbiter
    /// merge` joins the folders. Every shard needs the same bots
    #[arg(long, value_name = "I/N", help_heading = SHARDS, hide_short_help = true)]
    pub shard: Option<Shard>,
    /// Who plays, so that a bot that does not start is no error: the first run that finds no FILE
    /// writes it, the others read it. The journal of another shard is such a file too
    #[arg(long, value_name = "FILE", help_heading = SHARDS, hide_short_help = true)]
    pub roster: Option<PathBuf>,
    /// The merged folder: its games are not played again, and in a Swiss tournament or a knockout
    /// the next round follows from them
    #[arg(
        long, value_name = "DIR", requires = "shard",
        help_heading = SHARDS, hide_short_help = true
    )]
    pub from: Option<PathBuf>,
    /// Play exactly the games that are in none of these folders, into NAME.missing without --out;
    /// with --shard a share of them
    #[arg(
        long, value_name = "DIR", num_args = 1.., conflicts_with = "from",
        help_heading = SHARDS, hide_short_help = true
    )]
    pub missing: Vec<PathBuf>,
}

impl Sharing {
    /// Refuses what cannot be shared.
    ///
    /// # Errors
    /// A sentence that says why.
    pub fn check(&self, config: &Config) -> anyhow::Result<()> {
        let option = if self.shard.is_some() { "--shard" } else { "--missing" };
        let is_shared = self.shard.is_some() || !self.missing.is_empty();
        if is_shared && config.schedule.format.kind.dependence == Dependence::Pairs {
            bail!(
                "{option}: a sequential test cannot be shared between runs, because each pair \
                 decides whether another is played; play it in one run, with --concurrency"
            );
        }
        Ok(())
    }

    /// The name of the result folder of a tournament, unless it is given.
    pub fn folder_name(&self, tournament: &str) -> String {
        let what = if self.missing.is_empty() { "" } else { ".missing" };
        let mut name = format!("{tournament}{what}");
        if let Some(shard) = self.shard {
            name += &format!(".shard-{}-of-{}", shard.number(), shard.count());
        }
        name
    }

    /// The head of the journal by this plan. The bots that play, and those that do not, are those
    /// of the roster file; if there is none, it is written.
    ///
    /// # Errors
    /// The file cannot be read or written, is of another tournament, or has bots that cannot play
    /// here as they are there; or the bots of the journal cannot be continued with.
    pub fn agree(
        &self,
        plan: RunPlan<'_>,
        contents: &JournalContents,
    ) -> anyhow::Result<JournalHead> {
        let Some(file) = &self.roster else { return Ok(head(plan, contents)?) };
        let place = format!("--roster {}", file.display());
        if !file.exists() {
            // Another run may write it at the same time: the first one counts.
            let own = head(plan.clone(), contents)?;
            if Journal::write_head_once(file, &own).context(place.clone())? {
                return Ok(own);
            }
        }
        let theirs = roster(file)?;
        let entrants = adopted(&theirs, &plan.entrants, &plan.absent).context(place.clone())?;
        // A key of this run's own must be the same; one that is only drawn gives way.
        let key = match plan.key {
            KeySource::Common(_) => plan.key,
            _ => KeySource::Common(theirs.key.clone()),
        };
        let absent = theirs.absent.clone();
        let plan = RunPlan { entrants, absent, key, other: Some(&theirs), ..plan };
        let own = head(plan, contents).context(place.clone())?;
        check_identity(&theirs, &own.deciding).context(place.clone())?;
        if own.published_names() != theirs.published_names() {
            bail!("{place}: it was written under another value of names in [publish]");
        }
        if own.key != theirs.key {
            bail!("{place}: its secret key is not that of this run's journal, folders or key-file");
        }
        if own.names() != theirs.names() || own.fingerprint != theirs.fingerprint {
            bail!("{place}: it is the roster of a tournament of other bots or commands");
        }
        if let Some(why) = differing_numbers(&own, &theirs) {
            return Err(RosterError(format!("it and this run: {why}").into()))
                .context(place.clone());
        }
        Ok(own)
    }

    /// The head that another run has written for all of them, if there is one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn roster(&self) -> anyhow::Result<Option<JournalHead>> {
        match &self.roster {
            Some(file) if file.exists() => Ok(Some(roster(file)?)),
            _ => Ok(None),
        }
    }

    /// In a shard every bot has to start, unless a roster says who plays: the shards must agree.
    ///
    /// # Errors
    /// A bot does not start; all of them are named.
    pub(crate) fn check_absent(&self, unable: &[Absentee]) -> anyhow::Result<()> {
        let (Some(shard), None) = (self.shard, &self.roster) else { return Ok(()) };
        let mut names = Vec::new();
        for absent in unable {
            if !absent.excluded {
                names.push(&*absent.name);
            }
        }
        if names.is_empty() {
            return Ok(());
        }
        names.sort_unstable(); // they come in the order of their own names
        bail!(
            "--shard {shard}: these bots cannot play, and every shard has to have the same bots: \
             {}; mend them, or let --roster FILE say who plays",
            names.join(", ")
        );
    }

    /// Whether nothing of its own decides the secret key of this run: other runs need the same.
    pub(crate) fn needs_common_key(&self) -> bool {
        self.roster.is_none() && (self.shard.is_some() || !self.missing.is_empty())
    }

    /// The folders whose games are not played again.
    pub fn elsewhere(&self) -> Vec<PathBuf> {
        self.from.iter().chain(&self.missing).cloned().collect()
    }

    /// The share of this run when these games are known from elsewhere.
    pub(crate) fn share_of(&self, elsewhere: PlayedGames, config: &Config, bots: &Bots) -> Share {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        if self.missing.is_empty() {
            Share::new(shard, elsewhere)
        } else {
            Share::of_missing(shard, elsewhere, config, bots)
        }
    }

    /// The games that this run plays. The head notes which results elsewhere they were chosen by.
    ///
    /// # Errors
    /// A folder is of another tournament or of other bots.
    pub fn share(
        &self,
        sources: &Sources,
        head: &mut JournalHead,
        config: &Config,
    ) -> Result<Share, Failure> {
        if self.elsewhere().is_empty() {
            return Ok(self.share_of(PlayedGames::new(), config, &head.bots()));
        }
        sources.head(Some(head))?;
        let elsewhere = sources.games.played(&head.roster);
        sources.check_games(head, config, &elsewhere)?;
        if config.schedule.format.kind.dependence == Dependence::Rounds {
            let stage =
                open_stage(config, &head.bots(), &elsewhere).map_err(anyhow::Error::from)?;
            let has_results = stage.previous.games > 0;
            head.previous = if has_results { Some(stage.previous) } else { None };
        }
        Ok(self.share_of(elsewhere, config, &head.bots()))
    }
}

/// The roster in the file of `--roster`: the newest head of a journal.
fn roster(file: &Path) -> anyhow::Result<JournalHead> {
    let mut head = None;
    Journal::read_only(file, |_, entry| {
        if let JournalEntry::Head(newer) = entry {
            head = Some(newer);
        }
    })
    .and_then(|_| head.ok_or_else(|| JournalError::Foreign(file.to_owned())))
    .with_context(|| format!("--roster {}", file.display()))
}
