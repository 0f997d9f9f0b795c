//! Finds the logged game and the settings that it was played under.

use anyhow::{Context, anyhow, bail};
use arbiter_config::Config;
use arbiter_cup::report::anonymizer::{Anonymizer, rename};
use arbiter_cup::tournament::{JournalContents, JournalEntry, JournalHead};
use arbiter_game::clock::TimeControl;
use arbiter_game::game_id::names_in;
use arbiter_game::record::{Record, read_stream};
use arbiter_game::{SentLines, Settings, StderrAccess};
use arbiter_ground::finder::finder;
use arbiter_ground::flags::{control_of, read_tag};
use arbiter_ground::input_file::{LogFile, NO_GAME};
use arbiter_ground::output::complain;
use arbiter_ground::preparation::{Origin, Preparation};
use arbiter_ground::public_names::anonymizer_of;
use arbiter_ground::recorded_bots::{RecordedBots, recorded_config};
use arbiter_ground::trust::TrustFlag;
use arbiter_host::bot::myself;
use arbiter_host::locate::Program;
use arbiter_play::arena::SentSource;
use arbiter_play::store::ResultFolder;
use arbiter_play::store::journal::Journal;
use arbiter_rules::own::Rules;
use arbiter_rules::seed::RunSeed;
use arbiter_rules::{BySide, Side};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// A game that is to be played again.
pub struct LoggedGame {
    pub record: Record,
    /// The settings that it was played under, as far as they are known.
    pub settings: Settings,
    /// The lines `id` and `seed` that its bots were sent.
    pub sent: SentLines,
    /// Where the bots of its tournament are found; `None` for a game of a log.
    pub entered: Option<RecordedBots>,
    /// The own names of its bots. The record has those of the id by which the user asks for the
    /// game: a user who knows a published id may not learn the names.
    pub real_names: BySide<String>,
    /// What others call them.
    public_names: BySide<String>,
    /// What the user may see of what bots say.
    pub anonymizer: Anonymizer,
}

impl LoggedGame {
    /// Finds a game in a log or in the journal of a result folder; `from` is the folder of the
    /// configuration, if the user names it, and `rules` those of a custom game.
    ///
    /// # Errors
    /// There is no such game, several have this id, or a file cannot be read.
    pub fn find(
        path: &Path,
        id: Option<&str>,
        from: Option<&Path>,
        rules: Option<&Rules>,
    ) -> anyhow::Result<LoggedGame> {
        let file = path.display().to_string();
        if path.is_dir() {
            return LoggedGame::in_journal(path, id, from, rules).context(file);
        }
        if from.is_some() {
            bail!("--from: {file} is a log and has no configuration; name its bots with --bot");
        }
        let record = in_log(LogFile::open(path)?, id, rules).context(file)?;
        let settings = settings_of(&record)?;
        Ok(LoggedGame {
            sent: sent(&record),
            real_names: record.players.clone(),
            public_names: record.players.clone(),
            record,
            settings,
            entered: None,
            anonymizer: Anonymizer::unchanged(),
        })
    }

    /// What the record calls a bot that the user calls so.
    pub fn shown_name(&self, name: &str) -> String {
        for side in Side::BOTH {
            if self.real_names[side] == name || self.public_names[side] == name {
                return self.record.players[side].clone();
            }
        }
        name.to_owned()
    }

    /// The conditions of the game when it is played again, and broken off before the ply of this
    /// number.
    ///
    /// # Errors
    /// This system cannot do what its settings ask for.
    pub fn preparation(&self, stop_before: Option<usize>) -> anyhow::Result<Preparation> {
        let origin = if self.entered.is_some() { Origin::Configuration } else { Origin::Flags };
        let event = &self.record.event;
        let settings = self.settings.clone();
        let seed = seed(&self.record);
        let mut preparation = Preparation::new(
            settings,
            event,
            seed.unwrap_or_default(),
            StderrAccess::Public,
            origin,
        )?;
        let conditions = &mut preparation.conditions;
        conditions.seed = seed;
        conditions.sent = SentSource::Logged(self.sent.clone());
        conditions.tries = 1;
        conditions.stop_before = stop_before;
        Ok(preparation)
    }

    /// The program of a bot of the game, if its tournament has it and it is there.
    pub fn program(&self, name: &str) -> Option<Program> {
        let entered = self.entered.as_ref()?;
        let trust = TrustFlag::default().of_folders(self.settings.limits.sandbox);
        let ruleset = self.record.ruleset();
        let own = myself();
        let finder = finder(&entered.from, &own, ruleset.game(), trust);
        let mut real_name = name;
        for side in Side::BOTH {
            if self.record.players[side] == name {
                real_name = &self.real_names[side];
            }
        }
        entered.program(real_name, finder).ok()
    }

    /// A game of a journal: the one of this id that counts, else the newest.
    fn in_journal(
        dir: &Path,
        wanted: Option<&str>,
        from: Option<&Path>,
        rules: Option<&Rules>,
    ) -> anyhow::Result<LoggedGame> {
        let mut contents = JournalContents::default();
        let mut newest: HashMap<String, u64> = HashMap::new();
        // By the id that its bots were sent.
        let mut newest_sent: HashMap<String, String> = HashMap::new();
        let path = ResultFolder::existing(dir).journal();
        let journal = Journal::read_only(&path, |place, entry| {
            if let JournalEntry::Game(game) = &entry {
                newest.insert(game.id.clone(), place);
                // Only logs that may have the id are parsed: a journal has up to millions.
                if wanted.is_some_and(|id| game.log.contains(id))
                    && let Ok(Record { sent: Some(sent), .. }) = game.record()
                {
                    newest_sent.insert(sent.id, game.id.clone());
                }
            }
            contents.add(place, entry);
        })?;
        let Some(wanted) = wanted else {
            bail!("name one of its games by its GameId, such as alice~bob.1");
        };
        let Some(head) = contents.head.take() else { bail!("its journal has no head") };
        // The user may write the public names or the own ones, or the id that the bots were sent.
        let ids = head.public_names().ids(wanted);
        let known = ids.iter().find(|id| newest.contains_key(*id));
        let Some(id) = known.or_else(|| newest_sent.get(wanted)) else {
            bail!("its journal has no game {wanted}");
        };
        // The game that counts; one of a bot that has changed since or is withdrawn can be played
        // again too.
        let counting = contents.games.counting_for(&head).last_place(id);
        let place = counting.unwrap_or(newest[id]);
        let game = journal.game(place)?;
        let config = recorded_config(&head)?;
        let mut record = game.record_by(rules)?;
        let mut settings = Settings { ruleset: record.ruleset(), ..config.settings };
        settings.time.control = control_of(&record).unwrap_or(settings.time.control);
        let sent = sent(&record);
        record.id = Some(id.clone());
        let public_names = record.players.clone();
        let mut real_names = public_names.clone();
        let mut hidden = contents.private_names.clone();
        for side in Side::BOTH {
            if let Some(entrant) = contents.entrant(&public_names[side]) {
                real_names[side] = entrant.private_name().to_owned();
            }
            hidden.insert(real_names[side].clone());
        }
        let anonymizer = anonymizer_for(wanted, &real_names, hidden, &config, &head);
        if let Some(detail) = record.detail.take() {
            record.detail = Some(anonymizer.detail(&public_names, record.outcome, &detail));
        }
        for side in Side::BOTH {
            if is_in(wanted, &real_names[side]) {
                rename(&mut record, &public_names[side], &real_names[side]);
            }
        }
        let entered = Some(RecordedBots::new(config, head.roster, dir, from)?);
        Ok(LoggedGame { sent, record, settings, entered, real_names, public_names, anonymizer })
    }
}

/// Whether an id has this name in it.
fn is_in(id: &str, name: &str) -> bool {
    names_in(id).is_some_and(|(one, other)| one == name || other == name)
}

/// What someone may see who asks for a game by this id. Names that are published as aliases are
/// hidden, except those in the id, which the user knows.
fn anonymizer_for(
    wanted: &str,
    players: &BySide<String>,
    mut hidden: BTreeSet<String>,
    config: &Config,
    head: &JournalHead,
) -> Anonymizer {
    if Side::BOTH.iter().all(|&side| is_in(wanted, &players[side])) {
        return Anonymizer::unchanged();
    }
    hidden.retain(|name| !is_in(wanted, name));
    anonymizer_of(config, head, hidden, [])
}

/// The game of a log with this id, or with this number from 1; without either, the only game.
fn in_log(log: LogFile, id: Option<&str>, rules: Option<&Rules>) -> anyhow::Result<Record> {
    let number = id.and_then(|id| id.parse::<usize>().ok());
    let mut found = None;
    let mut count = 0;
    let mut unreadable = None;
    let mut numbers: Vec<String> = Vec::new();
    read_stream(log.source, |game| {
        count += 1;
        let game = match game {
            Ok(game) => game,
            Err(error) if number == Some(count) => bail!("{error}"),
            Err(error) => {
                unreadable.get_or_insert(error);
                return Ok(());
            }
        };
        let is_wanted = match (id, number) {
            (_, Some(number)) => number == count,
            (Some(id), None) => game.is_called(id),
            (None, None) => true,
        };
        if is_wanted {
            numbers.push(count.to_string());
            if found.is_none() {
                found = Some(Record::from_raw(&game, rules)?);
            }
        }
        Ok(())
    })?;
    let unreadable = match unreadable {
        Some(error) => format!("; not all of it can be read: {error}"),
        None => String::new(),
    };
    match (found, id) {
        (Some(game), _) if numbers.len() == 1 => Ok(game),
        (None, Some(id)) => bail!("there is no game {id} among its {count} games{unreadable}"),
        (None, None) => bail!("{NO_GAME}{unreadable}"),
        (Some(_), Some(id)) => bail!(
            "several games are called {id}; give one of their numbers instead: {}",
            numbers.join(", ")
        ),
        (Some(_), None) => {
            bail!("it has several games; name one by its GameId, or by its number from 1")
        }
    }
}

/// The settings of a game by its log alone.
fn settings_of(record: &Record) -> anyhow::Result<Settings> {
    let mut settings = match &record.settings {
        Some(tag) => {
            if !tag.is_empty() {
                complain(format_args!("settings of the log: {tag}"));
            }
            read_tag(tag).map_err(|why| anyhow!("the tag Settings: {why}"))?
        }
        None => {
            complain(
                "note: the log has no tag Settings, so time, max-plies, repetition and the game's \
                 options are as it says, and all else is at the default; flags such as --memory \
                 change that",
            );
            let mut settings = Settings::of_play().with_control(TimeControl::Unlimited);
            settings.rules.max_plies = record.max_plies.unwrap_or_default();
            if let Some(repetition) = record.repetition
                && repetition != 1
            {
                settings.rules.repetition = repetition;
            }
            settings
        }
    };
    settings.ruleset = record.ruleset();
    settings.time.control = control_of(record).unwrap_or(settings.time.control);
    // What the machine of the log had to offer is no condition here.
    settings.limits.require_isolation = None;
    Ok(settings)
}

/// The run's seed, if the log says it.
fn seed(record: &Record) -> Option<u64> {
    record.seed.as_ref()?.parse().ok()
}

/// What the bots were sent. Earlier versions sent the id of the log, and seeds that follow from it
/// and the run's seed.
fn sent(record: &Record) -> SentLines {
    if let Some(sent) = &record.sent {
        return sent.clone();
    }
    let seed = seed(record);
    if seed.is_none() {
        complain(
            "note: the log has neither SentId nor Seed, so bots get another seed than they had",
        );
    }
    let id = record.id.as_deref().unwrap_or("?");
    SentLines {
        id: id.to_owned(),
        ..SentLines::new(&RunSeed::Open(seed.unwrap_or_default()), id, &record.ruleset())
    }
}
