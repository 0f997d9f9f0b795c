//! Who plays: for each side of the logged game a program, or the log.

use super::logged::LoggedGame;
use anyhow::{Context, bail};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::tournament::Entrant;
use arbiter_game::content::Content;
use arbiter_game::{Fault, Outcome, RecordedPlayer};
use arbiter_ground::failure::Failure;
use arbiter_ground::finder::finder;
use arbiter_ground::output::complain;
use arbiter_ground::preparation::Preparation;
use arbiter_ground::recorded_bots::SubmissionCopies;
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
        let mut programs = BySide { first: None, second: None };
        for side in Side::BOTH {
            programs[side] = find_program(game, wishes, side, finder, launcher, &mut copies)?;
        }
        let mut then = None;
        if let Some(bot) = wishes.then {
            let Some(side) = Side::BOTH.into_iter().find(|&side| programs[side].is_none()) else {
                bail!(
                    "--then: both sides have a program, so it has no side to take; let the log \
                     play one with --recorded"
                );
            };
            then = Some((side, finder.find(bot).context("--then")?));
        }
        // All three are known now, and none may read the files of another.
        let mut all: Vec<&mut Program> = programs.first.iter_mut().collect();
        all.extend(&mut programs.second);
        all.extend(then.as_mut().map(|(_, program)| program));
        hide_from_each_other(&mut all);

        let record = Arc::new(game.record.player());
        let beyond = if then.is_some() { Beyond::PlayOn } else { Beyond::End };
        let mut sides = BySide::from_fn(|_| PlayerSpec::Recorded(Arc::clone(&record)));
        if let Some((side, program)) = then {
            sides[side] = rerun(program, &record, RerunRole::Successor);
        }
        for (side, program) in Side::BOTH.into_iter().zip([programs.first, programs.second]) {
            let Some(program) = program else { continue };
            let attach = match wishes.attach {
                Some((name, ply)) if name == game.record.players[side] => Some(ply),
                _ => None,
            };
            sides[side] = rerun(program, &record, RerunRole::Compared { beyond, attach });
        }
        Ok(Players { sides, copies })
    }

    /// The program of the bot of this side; `None` where the log plays, even if a program takes
    /// over from it.
    pub fn compared(&self, side: Side) -> Option<&Program> {
        match &self.sides[side] {
            PlayerSpec::Rerun(Rerun { program, role: RerunRole::Compared { .. }, .. }) => {
                Some(program)
            }
            _ => None,
        }
    }

    /// The programs, with the names of their bots.
    fn named<'a>(&'a self, names: &'a BySide<String>) -> Vec<(&'a str, &'a Program)> {
        let mut named = Vec::new();
        let mut successors = Vec::new();
        for side in Side::BOTH {
            if let Some(program) = self.compared(side) {
                named.push((&*names[side], program));
            } else if let Some(program) = self.sides[side].program() {
                successors.push(("--then", &**program));
            }
        }
        named.extend(successors);
        named
    }

    /// Notes a program that is not the one that played the logged game, by its digest. What a build
    /// makes is not known here, so bots with a `build` are left out.
    fn note_other_content(&self, side: Side, game: &LoggedGame) {
        let name = &game.real_names[side];
        let Some(logged) = &game.record.digests[side] else { return };
        let Some(program) = self.compared(side) else { return };
        if program.spec.build.is_some() {
            return;
        }
        let mut patterns = None;
        let mut known = None;
        if let Some(entered) = &game.entered {
            let listed = entered.config.bots.iter().find(|bot| bot.name == *name);
            patterns = listed.and_then(|bot| bot.digest.as_deref());
            known = entered.roster.iter().find(|bot| bot.private_name() == name);
        }
        let rules = ContentRules { patterns, organisers: &[] };
        let Ok(found) = program.content(rules, None) else { return };
        // A log has the clock of each side, and does not say whether it was the bot's own, so the
        // content may be the logged one with it or without.
        let time = game.record.time_control[side].clone();
        let timed = Content { time, ..found.content.clone() };
        for content in [found.content, timed] {
            let name = name.clone();
            let now = Entrant::new(name, String::new(), &content, BTreeMap::new(), known);
            if now.digest.is_none_or(|digest| digest.starts_with(&**logged)) {
                return;
            }
        }
        complain(format_args!(
            "note: {} has changed since it played this game; it may answer differently",
            game.record.players[side]
        ));
    }

    /// Isolates the programs, if there are any, builds them and tests that they start.
    ///
    /// # Errors
    /// The isolation is not enough; or one cannot be built or started, and the logged game does not
    /// say so too.
    pub fn prepare(&self, game: &LoggedGame, preparation: &mut Preparation) -> Result<(), Failure> {
        let programs = self.named(&game.record.players);
        if programs.is_empty() {
            return Ok(());
        }
        preparation.isolate()?;
        let named = programs.iter().map(|&(name, program)| (name.to_owned(), program));
        preparation.separate_users(named, &Anonymizer::unchanged())?;
        for side in Side::BOTH {
            self.note_other_content(side, game);
        }
        for (name, program) in programs {
            // A bot that did not start in the logged game either plays its forfeit again.
            let failed_before = match game.record.outcome {
                Outcome::Forfeit(side, Fault::NoStart) => game.record.players[side] == name,
                Outcome::NeitherStarted => true,
                _ => false,
            };
            match preparation.try_out(name, program) {
                Err(BotError::Unstartable(why)) if failed_before => {
                    complain(format_args!("{name}: {}", game.anonymizer.clean(&why)));
                }
                prepared => prepared.with_context(|| format!("{name} cannot be run"))?,
            }
        }
        Ok(())
    }
}

/// The program that plays this side, if the log does not: the one that the user names, else the
/// tournament's.
fn find_program(
    game: &LoggedGame,
    wishes: &PlayerChoice<'_>,
    side: Side,
    finder: Finder<'_>,
    launcher: &Launcher,
    copies: &mut SubmissionCopies,
) -> anyhow::Result<Option<Program>> {
    let name = &game.record.players[side];
    if wishes.recorded.contains(name) {
        return Ok(None);
    }
    if let Some((_, bot)) = wishes.given.iter().find(|(given, _)| given == name) {
        return Ok(Some(finder.find(bot).with_context(|| format!("--bot {name}"))?));
    }
    let Some(entered) = &game.entered else { return Ok(None) };
    let finder = Finder { from: &entered.from, ..finder };
    let found = entered.program(&game.real_names[side], finder).and_then(|program| {
        if let Some(note) = entered.foreign_commands(name, &program) {
            complain(game.anonymizer.message(&note));
        }
        copies.in_copy(name, program, launcher)
    });
    match found {
        Ok(program) => Ok(Some(program)),
        Err(why) => {
            complain(format_args!(
                "note: {name} plays the plies of the log, because its program is not there: {} \
                 (the configuration's paths start from {}, the folder above the results; --from \
                 names another, --bot {name}=BOT the program)",
                game.anonymizer.clean(&format!("{why:#}")),
                entered.from.display()
            ));
            Ok(None)
        }
    }
}

fn rerun(program: Program, record: &Arc<RecordedPlayer>, role: RerunRole) -> PlayerSpec {
    PlayerSpec::Rerun(Rerun { program: Arc::new(program), record: Arc::clone(record), role })
}
