//! Who plays: for each side of the logged game a program, or the log.

use super::logged::LoggedGame;
use anyhow::{Context, bail};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::tournament::Entrant;
use arbiter_game::content::Content;
use arbiter_game::{Fault, Outcome};
use arbiter_ground::failure::Failure;
use arbiter_ground::finder::finder;
use arbiter_ground::output::complain;
use arbiter_ground::preparation::Preparation;
use arbiter_ground::recorded_bots::{RecordedBots, SubmissionCopies};
use arbiter_ground::trust::TrustFlag;
use arbiter_host::bot::{BotError, Launcher};
use arbiter_host::locate::{ContentRules, Finder, Program, hide_from_each_other};
use arbiter_play::arena::{Beyond, PlayerSpec, Rerun, RerunRole};
use arbiter_rules::{BySide, Side};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the user says about who plays.
pub struct PlayerChoice<'a> {
    /// Programs by the names of their bots.
    pub given: Vec<(&'a str, &'a str)>,
    /// Bots whose plies come from the log.
    pub recorded: &'a [String],
    /// The program that takes the log's side where the game leaves it.
    pub then: Option<&'a str>,
    /// The bot that is stopped for a debugger, and before which ply.
    pub attach: Option<(&'a str, usize)>,
    /// Whether the `bot.toml` of a folder is trusted under `strict`.
    pub trust: TrustFlag,
}

/// The players of a rerun.
pub struct Players {
    pub sides: BySide<PlayerSpec>,
    /// Private copies of submissions, which play: they must stay until they have played.
    pub copies: SubmissionCopies,
}

impl Players {
    /// Finds the players: a program where there is one, else the log.
    ///
    /// # Errors
    /// A program that the user names is not there, or the wishes contradict each other.
    pub fn find(
        game: &LoggedGame,
        wishes: &PlayerChoice<'_>,
        launcher: &Launcher,
    ) -> anyhow::Result<Players> {
        let here = std::env::current_dir().context("the working directory")?;
        let trust = wishes.trust.of_folders(launcher.sandbox);
        let ruleset = game.record.ruleset();
        let finder = finder(&here, &launcher.program, ruleset.game(), trust);
        let mut copies = SubmissionCopies::default();
        let mut find = |side: Side| -> anyhow::Result<Option<Program>> {
            let name = &game.record.players[side];
            if wishes.recorded.contains(name) {
                return Ok(None);
            }
            if let Some((_, bot)) = wishes.given.iter().find(|(given, _)| given == name) {
                return Ok(Some(finder.find(bot).with_context(|| format!("--bot {name}"))?));
            }
            let Some(entered) = &game.entered else { return Ok(None) };
            let finder = Finder { from: &entered.from, ..finder };
            let real = &game.real_names[side];
            let program = entered.program(real, finder);
            if let Some(note) =
                program.as_ref().ok().and_then(|found| entered.foreign_commands(name, found))
            {
                complain(game.anonymizer.message(&note));
            }
            match program.and_then(|program| copies.in_copy(name, program, launcher)) {
                Ok(program) => Ok(Some(program)),
                Err(why) => {
                    note_missing(name, entered, &game.anonymizer.clean(&format!("{why:#}")));
                    Ok(None)
                }
            }
        };
        let mut sides = BySide { first: find(Side::First)?, second: find(Side::Second)? };
        let recorded = Side::BOTH.into_iter().find(|&side| sides[side].is_none());
        let mut then = match (wishes.then, recorded) {
            (None, _) => None,
            (Some(bot), Some(side)) => Some((side, finder.find(bot).context("--then")?)),
            (Some(_), None) => bail!(
                "--then: both sides have a program, so it has no side to take; let the log play one with --recorded"
            ),
        };
        let BySide { first, second } = &mut sides;
        let all = [first.as_mut(), second.as_mut(), then.as_mut().map(|(_, program)| program)];
        hide_from_each_other(&mut all.into_iter().flatten().collect::<Vec<_>>());
        let record = Arc::new(game.record.player());
        let beyond = if then.is_some() { Beyond::PlayOn } else { Beyond::End };
        let mut player = |side: Side, program: Option<Program>| {
            let attach = wishes.attach.filter(|(name, _)| *name == game.record.players[side]);
            let successor =
                then.take_if(|(recorded, _)| *recorded == side).map(|(_, program)| program);
            let (program, role) = match (program, successor) {
                (Some(program), _) => {
                    (program, RerunRole::Compared { beyond, attach: attach.map(|(_, ply)| ply) })
                }
                (None, Some(program)) => (program, RerunRole::Successor),
                (None, None) => return PlayerSpec::Recorded(Arc::clone(&record)),
            };
            PlayerSpec::Rerun(Rerun {
                program: Arc::new(program),
                record: Arc::clone(&record),
                role,
            })
        };
        let first = player(Side::First, sides.first);
        let second = player(Side::Second, sides.second);
        Ok(Players { sides: BySide { first, second }, copies })
    }

    /// The program of the bot of this side; none where the log plays, also if a program takes over
    /// from it.
    pub fn compared(&self, side: Side) -> Option<&Program> {
        match &self.sides[side] {
            PlayerSpec::Rerun(Rerun { program, role: RerunRole::Compared { .. }, .. }) => {
                Some(program)
            }
            _ => None,
        }
    }

    /// The programs, with the names of their bots.
    pub fn named<'a>(
        &'a self,
        names: &'a BySide<String>,
    ) -> impl Iterator<Item = (&'a str, &'a Program)> {
        let compared =
            Side::BOTH.into_iter().filter_map(|side| Some((&*names[side], self.compared(side)?)));
        let successors = Side::BOTH.into_iter().filter(|&side| self.compared(side).is_none());
        compared
            .chain(successors.filter_map(|side| Some(("--then", &**self.sides[side].program()?))))
    }

    /// Notes a program that is not the one that played the logged game, as far as digests tell.
    /// What a build makes is not known here, so bots with a `build` are left out.
    fn note_other_content(&self, side: Side, game: &LoggedGame) {
        let name = &game.real_names[side];
        let Some(program) = self.compared(side).filter(|program| program.spec.build.is_none())
        else {
            return;
        };
        let entered = game.entered.as_ref();
        let bot =
            entered.and_then(|entered| entered.config.bots.iter().find(|bot| bot.name == *name));
        let patterns = bot.and_then(|bot| bot.digest.as_deref());
        let known = entered
            .and_then(|entered| entered.roster.iter().find(|bot| bot.private_name() == name));
        let Ok(found) = program.content(ContentRules { patterns, organisers: &[] }, None) else {
            return;
        };
        let has_changed = |content: &Content| {
            let now = Entrant::new(name.clone(), String::new(), content, BTreeMap::new(), known);
            matches!((&game.record.digests[side], &now.digest), (Some(then), Some(now)) if !now.starts_with(&**then))
        };
        // A log has the clock of each side, and does not say whether it was the bot's own.
        let timed =
            Content { time: game.record.time_control[side].clone(), ..found.content.clone() };
        if has_changed(&found.content) && has_changed(&timed) {
            complain(format_args!(
                "note: {} has changed since it played this game; it may answer differently",
                game.record.players[side]
            ));
        }
    }

    /// Isolates the programs, if there are any, builds them and tests that they start.
    ///
    /// # Errors
    /// The isolation is not enough; or one cannot be built or started, and the logged game does not
    /// say so too.
    pub fn prepare(&self, game: &LoggedGame, preparation: &mut Preparation) -> Result<(), Failure> {
        if self.named(&game.record.players).next().is_none() {
            return Ok(());
        }
        preparation.isolate()?;
        let named =
            self.named(&game.record.players).map(|(name, program)| (name.to_owned(), program));
        preparation.separate_users(named, &Anonymizer::unchanged())?;
        let failed_before = |name: &str| match game.record.outcome {
            Outcome::Forfeit(side, Fault::NoStart) => game.record.players[side] == name,
            Outcome::NeitherStarted => true,
            _ => false,
        };
        for &side in Side::BOTH.iter() {
            self.note_other_content(side, game);
        }
        for (name, program) in self.named(&game.record.players) {
            match preparation.try_out(name, program) {
                Err(BotError::Unstartable(why)) if failed_before(name) => {
                    complain(format_args!("{name}: {}", game.anonymizer.clean(&why)));
                }
                prepared => prepared.with_context(|| format!("{name} cannot be run"))?,
            }
        }
        Ok(())
    }
}

/// Says that the log plays for a bot, and why.
fn note_missing(name: &str, entered: &RecordedBots, why: &str) {
    complain(format_args!(
        "note: {name} plays the plies of the log, because its program is not there: {why} (the configuration's paths \
         start from {}, the folder above the results; --from names another, --bot {name}=BOT the program)",
        entered.from.display()
    ));
}
