//! Submissions arrive and become versions; those that can play replace the ones that do.

use super::LeagueStore;
use crate::intake::{Arrival, Place, Stamp};
use crate::judge::{Job, Judged, Verdict};
use crate::versions::{BotVersions, State, Versions};
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
use arbiter_rules::text::{Message, one_line, printable};
use arbiter_run::absence_pages::{PublishedLinks, write_absence_pages};
use arbiter_run::feedback_links::FeedbackLinks;
use arbiter_run::ready_bot::ReadyBot;
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
        self.written.is_due = true;
        // Before the first message about it.
        self.inner.recorded.private_names.insert(arrival.place().1.clone());
        self.hide_names();
        match arrival {
            Arrival::There(place, stamp) => {
                let time = self.versions.first_arrival(&place, &stamp, time);
                let deadline = self.request.config.league.freeze.as_ref();
                let late = deadline.filter(|freeze| **freeze <= time);
                // One that still waits is the same version, in a newer state.
                if late.is_none()
                    && self.versions.is_waiting(&place)
                    && let Some(waiting) =
                        self.waiting.iter_mut().find(|(other, ..)| *other == place)
                {
                    self.versions.renewed(&place, &stamp);
                    waiting.1 = stamp;
                    return Ok(());
                }
                if late.is_none() && self.retries.renew(&place, &stamp, Instant::now()) {
                    self.versions.renewed(&place, &stamp);
                    return Ok(());
                }
                let number = self.versions.arrived(&place, &stamp, time);
                if let Some(why) = self.why_taken(&place) {
                    self.versions.set(&place, number, State::Refused, &why);
                    self.versions.judged(&place, &stamp);
                    let note = Message::from("a submission does not play: ");
                    screen.note(&note.quoted(why));
                    return self.write_versions();
                }
                if let Some(freeze) = late {
                    let why = format!("it came after the deadline, which was {freeze}");
                    self.versions.set(&place, number, State::Refused, &why);
                    self.write_versions()?;
                    return self.refuse(&place, number, Refusal::from(why), screen);
                }
                self.waiting.push_back((place, stamp, number));
                Ok(())
            }
            Arrival::Gone(place) => {
                self.waiting.retain(|(other, ..)| *other != place);
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
                self.board.lock().leave(&name);
                self.retire(&name);
                screen.note(&format!("{name} is withdrawn").into());
                self.change_head(without_bot(&self.inner.recorded.head, &place.1, None))
            }
        }
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
        let Some((place, stamp, number)) = self.waiting.pop_front() else { return Ok(()) };
        let copy = self.versions.place_for_copy(&place, number);
        let copy = copy.context("league/versions").map_err(Failure::Unfinished)?;
        self.versions.set(&place, number, State::Tried, "");
        self.is_judging = true;
        self.written.is_due = true;
        let build = self.versions.build(&place, number);
        self.judge.judge(Job { place, stamp, number, copy, build });
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
        self.written.is_due = true;
        let Judged { job: Job { place, stamp, number, .. }, verdict } = judged;
        if !self.versions.is_tried(&place, number) {
            return Ok(()); // it was withdrawn meanwhile
        }
        match verdict {
            Verdict::Plays(bot, remark) => {
                self.retries.forget(&place);
                let digest = bot.entrant.digest.clone();
                self.versions.plays(&place, number, digest, &remark);
                self.versions.judged(&place, &stamp);
                self.write_versions()?;
                self.put_in(*bot, &place, number, screen)?;
                run.wake();
                Ok(())
            }
            Verdict::Refused(refusal) => {
                self.retries.forget(&place);
                self.take_refusal(&place, &stamp, number, *refusal, screen)
            }
            Verdict::Untried(refusal) => {
                // A newer one takes its place; later it would take the place of that one.
                let newest = self.versions.of(&place).and_then(BotVersions::newest);
                let mut pause = None;
                if newest.is_some_and(|version| version.number == number) {
                    let version = (&place, &stamp, number);
                    pause = self.retries.put_off(version, self.room.free(), Instant::now());
                }
                let Some(pause) = pause else {
                    return self.take_refusal(&place, &stamp, number, *refusal, screen);
                };
                let why = format!(
                    "the server could not try it, and tries it again within {}: {}",
                    duration_text(pause),
                    one_line(&refusal.why)
                );
                self.versions.set(&place, number, State::Waits, &why);
                self.write_versions()?;
                self.refuse(&place, number, Refusal { why, ..*refusal }, screen)
            }
            // When it has settled it arrives again, and is the version of this number then.
            Verdict::Changed => {
                self.versions.forget(&place, number);
                self.intake.again(place);
                Ok(())
            }
            Verdict::BrokenOff => Ok(()),
        }
    }

    /// A version does not play.
    fn take_refusal(
        &mut self,
        place: &Place,
        stamp: &Stamp,
        number: u64,
        refusal: Refusal,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        self.versions.set(place, number, State::Refused, &one_line(&refusal.why));
        self.versions.judged(place, stamp);
        self.write_versions()?;
        self.refuse(place, number, refusal, screen)
    }

    /// A version plays from now on.
    fn put_in(
        &mut self,
        mut bot: ReadyBot,
        place: &Place,
        number: u64,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        let head = with_bot(&self.inner.recorded.head, bot.entrant.clone());
        let name = bot.entrant.name.clone();
        self.change_head(head)?;
        bot.schedule(&bot.entrant.clone());
        self.inner.files.told.remove(&place.1);
        let numbers = self.inner.recorded.head.numbers.as_ref();
        let sides = numbers.and_then(|known| known.get(&name)).copied().unwrap_or_default();
        let player = PlayerSpec::Program(Arc::clone(&bot.program));
        self.retire(&name);
        self.programs.insert(name.clone(), Arc::clone(&bot.program));
        let mut board = self.board.lock();
        board.join(&bot.entrant, sides, player);
        // Games of this content that were played before count again.
        drop(board);
        self.tell_board(&name)?;
        screen.note(&format!("{name}: version {number} plays").into());
        self.pages_are_due = true;
        Ok(())
    }

    /// Tells the board which games of a bot count that the journal has.
    fn tell_board(&self, name: &str) -> Result<(), Failure> {
        let recorded = &self.inner.recorded;
        let names = recorded.head.names();
        let mut board = self.board.lock();
        let counted = recorded.counted(|counted, _| {
            let [first, second] =
                [counted.pairing.first, counted.pairing.second].map(|bot| &*names[bot]);
            if first == name || second == name {
                board.known(0, first, second, counted.ended);
            }
            Ok(())
        });
        counted.map(drop).map_err(Failure::Unfinished)
    }

    /// Records that a version cannot play, and tells its author at once.
    fn refuse(
        &mut self,
        place: &Place,
        number: u64,
        refusal: Refusal,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        let name = self.names.name(&place.1);
        let shown = printable(name.as_bytes(), 100); // any name of a folder
        let note = Message::from(format!("{shown}: version {number} does not play: "));
        screen.note(&note.quoted(&*refusal.why));
        let is_playing = self.versions.of(place).is_some_and(|bot| bot.current.is_some());
        let why = self.inner.anonymizer.clean(&refusal.why);
        if is_playing {
            self.inner.files.told.insert(place.1.clone(), told(number, &why));
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
