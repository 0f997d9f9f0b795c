//! Submissions arrive and become versions; those that can play replace the ones that do.

use super::LeagueStore;
use crate::board::Board;
use crate::intake::{Arrival, Place, Stamp};
use crate::judge::{Job, Judged, Verdict};
use crate::versions::{BotVersions, NewVersion, State, Versions};
use anyhow::Context;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::escape::line;
use arbiter_cup::tournament::Absentee;
use arbiter_cup::tournament::roster::{with_bot, without_bot};
use arbiter_game::clock::duration_text;
use arbiter_ground::failure::Failure;
use arbiter_ground::recorder::RunScreen;
use arbiter_ground::request::TournamentRequest;
use arbiter_play::arena::{PlayerSpec, Run};
use arbiter_rank::schedule::Pairing;
use arbiter_rules::text::{Message, one_line, printable};
use arbiter_run::absence_pages::{PublishedLinks, write_absence_pages};
use arbiter_run::feedback_links::FeedbackLinks;
use arbiter_run::ready_bot::ReadyBot;
use arbiter_run::tables::recorded::Recorded;
use arbiter_run::trial::Refusal;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

impl LeagueStore<'_> {
    /// A submission has arrived or gone at this time.
    pub(super) fn arrive(
        &mut self,
        arrival: Arrival,
        time: &str,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        self.clock.is_due = true;
        // Before the first message about it.
        self.inner.recorded.private_names.insert(arrival.place().1.clone());
        self.hide_names();
        match arrival {
            Arrival::There(place, stamp) => {
                let time = self.versions.first_arrival(&place, &stamp, time);
                let deadline = self.request.config.league.freeze.as_ref();
                let late = deadline.filter(|freeze| **freeze <= time);
                if late.is_none() && self.renew(&place, &stamp) {
                    return Ok(());
                }
                let version = self.versions.arrived(place, stamp, time);
                if let Some(why) = self.why_taken(&version.place) {
                    self.versions.judged(&version, State::Refused, &why);
                    let note = Message::from("a submission does not play: ");
                    screen.note(&note.quoted(why));
                    return self.write_versions();
                }
                if let Some(freeze) = late {
                    let why = format!("it came after the deadline, which was {freeze}");
                    // Not judged: with a later deadline it arrives again.
                    self.versions.set(&version, State::Refused, &why);
                    self.write_versions()?;
                    return self.refuse(&version, Refusal::from(why), screen);
                }
                self.waiting.push_back(version);
                Ok(())
            }
            Arrival::Gone(place) => {
                self.waiting.retain(|version| version.place != place);
                self.retries.forget(&place);
                let is_playing = self.versions.of(&place).is_some_and(|bot| bot.current.is_some());
                self.versions.withdraw(&place);
                self.write_versions()?;
                if !is_playing {
                    // A bot of this name may play that is not this submission.
                    let mut head = self.inner.recorded.head.clone();
                    let folder = Some(&self.request.config.folders[place.0].folder);
                    head.absent.retain(|absent| {
                        absent.private_name() != place.1 || absent.folder.as_ref() != folder
                    });
                    return self.change_head(head);
                }
                let name = self.names.name(&place.1);
                let left = self.board.lock().leave(&name);
                self.retire(left);
                screen.note(&format!("{name} is withdrawn").into());
                self.change_head(without_bot(&self.inner.recorded.head, &place.1, None))
            }
        }
    }

    /// A submission whose version still waits has a newer state, which is the same version.
    /// Returns whether there is one.
    fn renew(&mut self, place: &Place, stamp: &Stamp) -> bool {
        let waiting = self.waiting.iter_mut().find(|version| version.place == *place);
        let waits = match waiting {
            Some(version) => {
                version.stamp = stamp.clone();
                true
            }
            None => self.retries.renew(place, stamp, Instant::now()),
        };
        if waits {
            self.versions.renewed(place, stamp);
        }
        waits
    }

    /// Why a submission cannot have its name, if another bot has it.
    fn why_taken(&self, place: &Place) -> Option<String> {
        let name = &place.1;
        let mut others: Vec<&str> = Vec::new();
        for bot in &self.request.config.bots {
            others.push(&bot.name);
        }
        for (other, bot) in self.versions.bots() {
            if other != place && bot.has_played() {
                others.push(&other.1);
            }
        }
        let taken = others.into_iter().find(|other| other.eq_ignore_ascii_case(name))?;
        Some(format!("another bot is called {taken}; rename the folder (case is ignored)"))
    }

    /// Gives the judge the version that has waited longest, if it is idle.
    pub(super) fn try_next(&mut self) -> Result<(), Failure> {
        if self.is_judging || self.room.shortage.is_some() {
            return Ok(());
        }
        self.waiting.extend(self.retries.due(self.room.free(), Instant::now()));
        let Some(version) = self.waiting.pop_front() else { return Ok(()) };
        let copy = self.versions.place_for_copy(&version.place, version.number);
        let copy = copy.context("league/versions").map_err(Failure::Unfinished)?;
        self.versions.set(&version, State::Tried, "");
        self.is_judging = true;
        self.clock.is_due = true;
        let build = self.versions.build(&version.place, version.number);
        self.judge.judge(Job { version, copy, build });
        Ok(())
    }

    /// A version was tried.
    pub(super) fn take_verdict(
        &mut self,
        judged: Judged,
        run: &Run,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        self.is_judging = false;
        self.clock.is_due = true;
        let Judged { job: Job { version, .. }, verdict } = judged;
        let place = &version.place;
        if !self.versions.is_tried(place, version.number) {
            return Ok(()); // it was withdrawn meanwhile
        }
        match verdict {
            Verdict::Plays(bot, remark) => {
                self.retries.forget(place);
                self.versions.plays(&version, bot.entrant.digest.clone(), &remark);
                self.write_versions()?;
                self.put_in(*bot, &version, screen)?;
                run.wake();
                Ok(())
            }
            Verdict::Refused(refusal) => {
                self.retries.forget(place);
                self.take_refusal(&version, *refusal, screen)
            }
            Verdict::Untried(refusal) => {
                // A newer one takes its place; later it would take the place of that one.
                let newest = self.versions.of(place).and_then(BotVersions::newest);
                let mut pause = None;
                if newest.is_some_and(|newest| newest.number == version.number) {
                    pause = self.retries.put_off(&version, self.room.free(), Instant::now());
                }
                let Some(pause) = pause else {
                    return self.take_refusal(&version, *refusal, screen);
                };
                let why = format!(
                    "the server could not try it, and tries it again within {}: {}",
                    duration_text(pause),
                    one_line(&refusal.why)
                );
                self.versions.set(&version, State::Waits, &why);
                self.write_versions()?;
                self.refuse(&version, Refusal { why, ..*refusal }, screen)
            }
            // When it has settled it arrives again, and is the version of this number then.
            Verdict::Changed => {
                self.versions.forget(place, version.number);
                self.intake.again(version.place);
                Ok(())
            }
            Verdict::BrokenOff => Ok(()),
        }
    }

    /// A version does not play.
    fn take_refusal(
        &mut self,
        version: &NewVersion,
        refusal: Refusal,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        self.versions.judged(version, State::Refused, &one_line(&refusal.why));
        self.write_versions()?;
        self.refuse(version, refusal, screen)
    }

    /// A version plays from now on.
    fn put_in(
        &mut self,
        mut bot: ReadyBot,
        version: &NewVersion,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        let head = with_bot(&self.inner.recorded.head, bot.entrant.clone());
        let name = bot.entrant.name.clone();
        self.change_head(head)?;
        bot.schedule(&bot.entrant.clone());
        self.inner.files.told.remove(&version.place.1);
        let recorded = &self.inner.recorded;
        let mut board = self.board.lock();
        let replaced = seat(&mut board, recorded, &bot);
        // Games of this content that were played before count again.
        let counted = count_games(&mut board, recorded, Some(&name));
        drop(board);
        self.retire(replaced);
        counted.map_err(Failure::Unfinished)?;
        screen.note(&format!("{name}: version {} plays", version.number).into());
        self.pages_are_due = true;
        Ok(())
    }

    /// Records that a version cannot play, and tells its author at once.
    fn refuse(
        &mut self,
        version: &NewVersion,
        refusal: Refusal,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        let NewVersion { place, number, .. } = version;
        let name = self.names.name(&place.1);
        let shown = printable(name.as_bytes(), 100); // any name of a folder
        let note = Message::from(format!("{shown}: version {number} does not play: "));
        screen.note(&note.quoted(&*refusal.why));
        let is_playing = self.versions.of(place).is_some_and(|bot| bot.current.is_some());
        let why = self.inner.anonymizer.clean(&refusal.why);
        if is_playing {
            self.inner.files.told.insert(place.1.clone(), told(*number, &why));
            self.pages_are_due = true;
            return Ok(());
        }
        let absent = absentee(self.request, place, &why).named(&self.names);
        let head = without_bot(&self.inner.recorded.head, &place.1, Some(absent.clone()));
        self.change_head(head)?;
        let links = FeedbackLinks::of(&self.request.config, &self.inner.recorded.head);
        let names = self.names.clone();
        let anonymizer = self.inner.anonymizer;
        let links = links.map(|links| PublishedLinks { links, names, anonymizer });
        let refused = [(absent, refusal)];
        write_absence_pages(
            self.request,
            self.inner.files.folder,
            &[],
            &refused,
            None,
            links.as_ref(),
        )
    }
}

/// Puts a bot, or its new version, on the board; returns what it replaces.
pub fn seat(board: &mut Board, recorded: &Recorded, bot: &ReadyBot) -> Option<PlayerSpec> {
    let numbers = recorded.head.numbers.as_ref();
    let number = numbers.and_then(|known| known.get(&bot.entrant.name)).copied();
    let player = PlayerSpec::Program(Arc::clone(&bot.program));
    board.join(&bot.entrant, number.unwrap_or_default(), player)
}

/// Tells the board the results that the journal has and that count: before any pair begins those of
/// all bots, later those of a bot that has just been seated.
pub fn count_games(
    board: &mut Board,
    recorded: &Recorded,
    seated: Option<&str>,
) -> anyhow::Result<()> {
    let names = recorded.head.names();
    let counted = recorded.counted(|counted, _| {
        let Pairing { first, second, index, .. } = counted.pairing;
        let [first, second] = [&*names[first], &*names[second]];
        match seated {
            None => board.add_result(1 + index, first, second, counted.ended),
            Some(name) if [first, second].contains(&name) => {
                board.add_result(0, first, second, counted.ended);
            }
            Some(_) => {}
        }
        Ok(())
    });
    counted.map(drop)
}

/// A submission that does not play, for this reason, which others may read.
pub fn absentee(request: &TournamentRequest, place: &Place, why: &str) -> Absentee {
    let (number, name) = place;
    Absentee {
        name: name.clone(),
        private: None,
        reason: line(why),
        folder: Some(request.config.folders[*number].folder.clone()),
        excluded: false,
    }
}

/// The sentence for an author whose newest version was refused.
fn told(number: u64, why: &str) -> String {
    format!("Your newest version ({number}) does not play, the one before plays on: {why}")
}

/// What authors are told by their own names when a run begins.
pub fn told_before(versions: &Versions, anonymizer: &Anonymizer) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for ((_, own_name), bot) in versions.bots() {
        if let Some(newest) = bot.newest()
            && newest.state == State::Refused
            && bot.current.is_some()
        {
            let why = anonymizer.clean(&newest.said);
            all.insert(own_name.clone(), told(newest.number, &why));
        }
    }
    all
}
