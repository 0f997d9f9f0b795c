//! What a bot uses after its answer, with real processes: one that is resumed from outside after it
//! was stopped, and ones that are stopped late.
#![cfg(test)]

use super::ProcessTree;
use crate::bot::ipc::Started;
use crate::bot::meter::{CLEANING, Meter, Next, Opponent};
use crate::bot::system::{core_in_use, cores, keep_to};
use arbiter_game::{Settings, Silence};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Processor time that is more than a bot may use after its stop.
const MUCH: Duration = Duration::from_millis(80);
/// Processor time that cleaning up takes.
const LITTLE: Duration = Duration::from_millis(20);

/// A process that runs, with what it starts, until this is dropped.
struct Busy(Child);

impl Busy {
    fn new() -> Busy {
        Busy::running("while :; do :; done")
    }

    fn running(script: &str) -> Busy {
        Busy(Command::new("sh").args(["-c", script]).process_group(0).spawn().unwrap())
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    /// It alone: other processes of this program are other tests'.
    fn tree(&self) -> ProcessTree {
        let started = Started { pid: self.0.id(), behind: None, init: None, group: None };
        ProcessTree::new(&started, self.0.id()).unwrap()
    }

    /// A meter that has just stopped it.
    fn stopped(&self) -> Meter {
        let mut meter = self.meter();
        meter.begin(None);
        meter.end(Duration::ZERO, Next::Start);
        self.await_stop();
        meter
    }

    fn meter(&self) -> Meter {
        Meter::new(Some(self.tree()), Settings::default(), None)
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
        // Fails if all of it has ended.
        let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
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

/// A bot that has run for so long after it was stopped, as if a system call had gone on, and a
/// meter that has just stopped it.
fn went_on(time: Duration) -> (Busy, Meter) {
    let busy = Busy::new();
    let meter = busy.stopped();
    busy.signal(Signal::CONT);
    busy.computes(time);
    busy.signal(Signal::STOP);
    busy.await_stop();
    (busy, meter)
}

#[test]
fn what_a_bot_used_before_its_stop_took_effect_is_charged_and_no_fault_if_it_is_little() {
    for little in [Duration::from_micros(400), LITTLE] {
        let (_busy, mut meter) = loop {
            let (busy, meter) = went_on(little);
            // On a slow machine it may have been stopped later than it should.
            if busy.tree().cpu().unwrap() < CLEANING {
                break (busy, meter);
            }
        };
        assert!(meter.begin(None) + little <= Instant::now());
        assert_eq!(meter.resumed(), None);
    }
}

#[test]
fn what_a_bot_used_before_its_stop_took_effect_is_a_fault_if_it_is_much() {
    let (_busy, mut meter) = went_on(2 * MUCH);
    assert!(meter.begin(None) + 2 * MUCH <= Instant::now());
    assert!(meter.resumed().is_some());
}

#[test]
fn what_a_bot_used_after_its_stop_is_taken_off_the_time_of_its_opponent_on_the_same_core() {
    for shared in [false, true] {
        if shared {
            keep_to(core_in_use()).unwrap(); // this thread ends with the test
        } else if cores().len() == 1 {
            continue; // there is no other core
        }
        let (_busy, mut meter) = went_on(LITTLE);
        let mut waiting = meter.as_opponent();
        let used = waiting.used(Instant::now());
        assert_eq!(used >= LITTLE, shared, "{used:?}");
        let (now, mut deadline) = (Instant::now(), Some(Instant::now()));
        assert_eq!(waiting.extend(&mut deadline), shared);
        assert_eq!(deadline >= Some(now + LITTLE), shared);
        assert!(!waiting.extend(&mut deadline), "once");
    }
}

#[test]
fn a_look_is_late_for_what_the_machine_did_and_not_for_what_bots_did() {
    keep_to(core_in_use()).unwrap(); // this thread ends with the test
    let (busy, mut meter) = went_on(MUCH);
    let asked = Instant::now();
    let began = meter.begin(None);
    // The question began, for the clock, before it was put; a timer that was planned from there is
    // not late for that.
    meter.woke(Some(began), &mut Opponent::default());
    let late = meter.take_delays().stalled;
    assert!(late <= asked.elapsed(), "{late:?}");
    // It computes on the only core while a look is due: arbiter waits for the processor.
    meter.let_run();
    let due = Instant::now();
    meter.wait_on(&mut Opponent::default());
    busy.computes(MUCH);
    meter.woke(Some(due), &mut Opponent::default());
    let passed = due.elapsed();
    assert!(meter.take_delays().stalled + LITTLE <= passed);
    // It does nothing, whatever wakes arbiter.
    busy.signal(Signal::STOP);
    busy.await_stop();
    meter.woke(None, &mut Opponent::default());
    for look in [Meter::woke, Meter::heard] {
        let since = Instant::now();
        meter.wait_on(&mut Opponent::default());
        pass(since);
        look(&mut meter, Some(since), &mut Opponent::default());
        assert!(meter.take_delays().stalled >= MUCH);
    }
    // An answer that was read without a wait had no look.
    let without_wait = meter.begin(None);
    pass(without_wait);
    meter.end(without_wait.elapsed(), Next::Wait);
    assert!(meter.take_delays().stalled + Duration::from_millis(5) >= MUCH);
}

fn pass(since: Instant) {
    while since.elapsed() < MUCH {
        thread::yield_now();
    }
}

#[test]
fn whether_a_bot_waits_for_input_is_seen_also_when_it_is_stopped() {
    for (script, expected) in [
        ("read line", true),
        ("cat; :", true),
        ("exec sleep 600", false),
        ("sleep 600; read line", false),
    ] {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let bot = Busy(command.spawn().unwrap());
        let mut tree = bot.tree();
        // Until the last program runs: `sleep` is one that sleeps.
        while waits(&mut tree) != Some(expected) || tree.silence() == Some(Silence::Computing) {
            thread::yield_now();
        }
        tree.stop();
        // A thread that is about to stop runs.
        while !tree.is_stopped() || waits(&mut tree) != Some(expected) {
            thread::yield_now();
        }
    }
}

/// Whether the bot waits for input now.
fn waits(tree: &mut ProcessTree) -> Option<bool> {
    tree.look();
    tree.waits_for_input()
}

#[test]
fn a_bot_that_stays_stopped_is_charged_nothing() {
    let busy = Busy::new();
    let mut meter = busy.stopped();
    meter.begin(None); // is charged what it used until its stop took effect
    let charged = (meter.resumed(), meter.take_pondered());
    meter.end(Duration::ZERO, Next::Start);
    let stopped = Instant::now();
    while stopped.elapsed() < Duration::from_millis(5) {
        thread::yield_now();
    }
    assert!(meter.begin(None) > stopped);
    assert_eq!((meter.resumed(), meter.take_pondered()), (charged.0, Duration::ZERO));
}

#[test]
fn an_idle_bot_is_stopped_when_its_opponent_has_thought_for_a_while() {
    let sleeps = Busy::running("exec sleep 600");
    // Until it sleeps it uses processor time.
    while !std::fs::read_to_string(format!("/proc/{}/comm", sleeps.0.id()))
        .unwrap()
        .starts_with("sleep")
        || super::silence::observe_silence(sleeps.0.id().cast_signed()) != Some(Silence::Sleeping)
    {
        thread::yield_now();
    }
    let (mut meter, mut mover) = (sleeps.meter(), sleeps.meter());
    for _ in 0..3 {
        let ended = meter.begin(None);
        meter.end(Duration::ZERO, Next::Wait);
        assert!(!sleeps.tree().is_stopped(), "it is not stopped at once");
        mover.end(Duration::ZERO, Next::Leave);
        let asked = mover.begin(None);
        let stop = meter.as_opponent().stop_at(&mover);
        assert!(stop > Some(asked));
        mover.end(Duration::from_millis(10), Next::Leave);
        assert!(meter.as_opponent().stop_at(&mover) < stop, "sooner if its opponent is slow");
        meter.as_opponent().stop();
        sleeps.await_stop();
        assert_eq!(meter.as_opponent().stop_at(&mover), None, "it is stopped already");
        // It was resumed a moment ago, and may use more than an idle bot does until it sleeps
        // again.
        assert!(meter.begin(None) >= ended, "no more is charged than has passed");
        meter.forget(); // what it used counts for one game: each round is a new one
        meter.let_run();
    }
    meter.end(Duration::ZERO, Next::Start);
    sleeps.await_stop();
}

#[test]
fn a_bot_that_computes_after_its_answer_is_charged_and_stopped_at_once_from_then_on() {
    let busy = Busy::new();
    let mut meter = busy.meter();
    meter.begin(None);
    meter.end(Duration::ZERO, Next::Wait);
    busy.computes(MUCH);
    meter.as_opponent().used(Instant::now());
    assert!(meter.begin(None) + MUCH <= Instant::now(), "wall time is charged");
    assert!(meter.end(Duration::ZERO, Next::Wait).cpu >= Some(MUCH), "processor time is charged");
    assert!(meter.take_pondered() >= MUCH);
    assert_eq!(meter.resumed(), None, "nothing was stopped");
    assert_eq!(meter.as_opponent().stop_at(&busy.meter()), None);
    busy.await_stop();
}

#[test]
fn what_a_bot_used_until_it_was_stopped_late_is_charged() {
    let busy = Busy::new();
    let mut meter = busy.meter();
    meter.begin(None);
    meter.end(Duration::ZERO, Next::Wait);
    busy.computes(MUCH);
    meter.as_opponent().stop();
    busy.await_stop();
    assert!(meter.begin(None) + MUCH <= Instant::now());
    assert_eq!(meter.resumed(), None);
}

#[test]
fn a_bot_of_one_process_behind_an_adapter_is_stopped_late_with_it_and_charged_for_both() {
    let adapter = Busy::running("exec sleep 600");
    let bot = Busy::new();
    let started =
        Started { pid: adapter.0.id(), behind: Some(bot.0.id()), init: None, group: None };
    let tree = ProcessTree::new(&started, adapter.0.id()).unwrap();
    let mut meter = Meter::new(Some(tree), Settings::default(), None);
    meter.begin(None);
    meter.end(Duration::ZERO, Next::Wait);
    assert!(meter.as_opponent().stop_at(&bot.meter()).is_some(), "not at once");
    bot.computes(MUCH);
    meter.as_opponent().stop();
    bot.await_stop();
    adapter.await_stop();
    assert!(meter.begin(None) + MUCH <= Instant::now());
    meter.let_run();
    bot.computes(LITTLE);
    assert!(meter.end(Duration::ZERO, Next::Wait).cpu >= Some(MUCH + LITTLE));
}

#[test]
fn a_bot_with_a_child_is_stopped_at_once() {
    let parent = Busy::running("sleep 600 & wait");
    let mut meter = loop {
        let mut tree = parent.tree();
        tree.look();
        if !tree.is_single() {
            break Meter::new(Some(tree), Settings::default(), None);
        }
    };
    meter.begin(None);
    meter.end(Duration::ZERO, Next::Wait);
    assert_eq!(meter.as_opponent().stop_at(&parent.meter()), None);
}

#[test]
fn a_bot_is_quick_after_several_quick_plies_in_a_row() {
    let sleeps = Busy::running("sleep 600");
    let mut meter = sleeps.meter();
    let mut is_quick_after = |microseconds, next| {
        meter.begin(None);
        meter.end(Duration::from_micros(microseconds), next);
        meter.let_run();
        meter.is_quick() && meter.as_opponent().is_quick()
    };
    assert!(!is_quick_after(1, Next::Start));
    for slow in [100, 2000] {
        assert_eq!(
            [1, 99, 1, 1, 1].map(|ply| is_quick_after(ply, Next::Wait)),
            [false, false, false, true, true]
        );
        assert!(!is_quick_after(slow, Next::Wait));
        assert!(!is_quick_after(1, Next::Wait), "one quick ply tells nothing");
        is_quick_after(slow, Next::Wait);
    }
    assert!(!is_quick_after(1, Next::Start), "each game for itself");
}
