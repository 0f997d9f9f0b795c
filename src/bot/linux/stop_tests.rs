//! What a bot uses after it was stopped, with a real process that is resumed from outside.
#![cfg(test)]

use super::ProcessTree;
use crate::bot::ipc::Started;
use crate::bot::meter::{Meter, Next};
use crate::game::Settings;
use rustix::process::{Pid, Signal, kill_process};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// Processor time that is more than a bot may use after its stop.
const MUCH: Duration = Duration::from_millis(80);

/// A process that computes until this is dropped.
struct Busy(Child);

impl Busy {
    fn new() -> Busy {
        Busy(Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap())
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    /// It alone: other processes of this program are other tests'.
    fn tree(&self) -> ProcessTree {
        let started = Started { pid: self.0.id(), init: None, group: None };
        ProcessTree::new(&started, self.0.id()).unwrap()
    }

    /// A meter that has just stopped it.
    fn stopped(&self) -> Meter {
        let mut meter = Meter::new(Some(self.tree()), Settings::default(), None);
        meter.begin(None);
        meter.end(Duration::ZERO, Next::Wait);
        self.await_stop();
        meter
    }

    fn await_stop(&self) {
        let tree = self.tree();
        while !tree.is_stopped() {
            thread::yield_now();
        }
    }

    /// Waits until it has used so much more processor time.
    fn computes(&self, more: Duration) {
        let mut tree = self.tree();
        let before = tree.cpu().unwrap();
        while tree.cpu().unwrap() < before + more {
            thread::yield_now();
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_a_resumed_bot_used_is_charged_to_its_next_question_and_counted() {
    let busy = Busy::new();
    let mut meter = busy.stopped();
    assert_eq!(meter.resumed(), None);
    busy.signal(Signal::CONT);
    busy.computes(MUCH);
    assert!(meter.begin(None) + MUCH <= Instant::now(), "wall time is charged");
    assert!(meter.resumed() >= Some(MUCH));
    assert!(meter.end(Duration::ZERO, Next::Wait).cpu >= Some(MUCH), "processor time is charged");
    assert!(meter.take_pondered() >= MUCH);
    meter.forget();
    assert_eq!(meter.resumed(), None, "each game is judged for itself");
}

#[test]
fn what_a_bot_used_before_its_stop_took_effect_is_charged_and_no_fault() {
    let busy = Busy::new();
    let mut meter = busy.stopped();
    busy.signal(Signal::CONT);
    busy.computes(MUCH);
    busy.signal(Signal::STOP);
    busy.await_stop();
    assert!(meter.begin(None) + MUCH <= Instant::now());
    assert_eq!(meter.resumed(), None);
}

#[test]
fn a_bot_that_stays_stopped_is_charged_nothing() {
    let busy = Busy::new();
    let mut meter = busy.stopped();
    let stopped = Instant::now();
    while stopped.elapsed() < Duration::from_millis(5) {
        thread::yield_now();
    }
    assert!(meter.begin(None) > stopped && meter.resumed().is_none() && meter.take_pondered().is_zero());
}
