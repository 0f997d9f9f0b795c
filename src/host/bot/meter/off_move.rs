//! A bot while it is not on move: whether it is stopped, and what it uses.
//!
//! A stop does not end a system call: a thread that is in one, such as `madvise` of much memory,
//! stops when the call ends. So a bot can use time after its answer, before its stop or after it.
//! That is charged to its next question. If both bots have one core, it is taken off the time of
//! the opponent that was on move meanwhile, whose deadline is that much later. What it uses after
//! its stop beyond [`CLEANING`], and all that it uses because something resumed it, adds up to a
//! fault ([`Meter::resumed`]).
//!
//! Stopping and resuming costs more than a short ply. So an *idle* bot, one of a single thread (or
//! of two, its own and that of its adapter) that uses next to nothing in the *gaps* between its
//! answers and its stops, is stopped only when its opponent has thought for [`SHORT_PLY`]; all
//! others are stopped at once. A timer that is set for every ply costs as much as the ply does. So
//! if the opponent's last answer came earlier than that, the next one is expected to do so too, and
//! the idle bot is stopped after [`STOP_AFTER_FAST`]. When what a bot uses in the gaps of a game
//! adds up to [`MAX_GAPS`], it is not idle any more in this game.

use super::{Meter, Next, SHORT_PLY, between};
use crate::bot::system::ProcessTree;
use arbiter_game::{Pondering, RESUMED};
use std::mem;
use std::time::{Duration, Instant};

/// If a bot was off move for less than this, its processor time is not read again when its next ply
/// begins: what it used between, mostly the way from its answer to its next `read`, counts for that
/// ply.
const SHORT_WAIT: Duration = Duration::from_micros(50);
/// The processor time of a stopped bot is looked at again if it was off move for longer than this,
/// and counts if it is more than this: until a stop takes effect, a bot uses some.
const WOKEN: Duration = Duration::from_micros(100);
/// What a bot may use after a stop without fault: threads that free memory for it (garbage
/// collection) finish the call that they are in. It is three times what it takes here to return the
/// 512 MiB that a bot has by default to the system.
pub(in crate::bot) const CLEANING: Duration = Duration::from_millis(50);
/// When an idle bot is stopped whose opponent took less than [`SHORT_PLY`] for its last answer.
const STOP_AFTER_FAST: Duration = Duration::from_millis(1);
/// What a bot uses at most between its answer and its stop if it only goes on to its next read.
const SMALL_GAP: Duration = Duration::from_micros(20);
/// A bot that has used this much in the gaps of a game in which it used more than [`SMALL_GAP`] is
/// not idle. One gap alone says little: an interrupt or a slow machine makes it longer.
const MAX_GAPS: Duration = Duration::from_millis(1);
/// New processes and threads of an idle bot are looked for at least this often.
const TASKS_EVERY: Duration = Duration::from_millis(1);

/// What a bot did between its questions.
#[derive(Default)]
pub(super) struct OffMove {
    rest: Rest,
    /// Whether it has one thread, and one more in its adapter, as of the last look, and when that
    /// was.
    is_as_started: bool,
    tasks_seen: Option<Instant>,
    /// Its processor time at its last answer, and when it was stopped.
    pub cpu_at_answer: Option<Duration>,
    cpu_at_stop: Option<Duration>,
    /// What it has used since its last answer, if it was stopped late or not at all and that is
    /// more than [`SMALL_GAP`].
    gap: Duration,
    /// What it has used in the gaps of this game in which it used more than [`SMALL_GAP`].
    gaps: Duration,
    /// What it used off move.
    pondered: Duration,
    /// What of it was used after a stop that something undid.
    after_stops: Duration,
}

/// What a bot does while it is not on move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Rest {
    /// It runs: it may ponder, or is not asked again.
    #[default]
    Runs,
    /// It runs, and is stopped if its opponent thinks for longer.
    Unstopped,
    Stopped,
}

/// The bot that is not on move, for the one that is.
#[derive(Default)]
pub struct Opponent<'a> {
    meter: Option<&'a mut Meter>,
    /// By how much the deadline of the one on move was extended.
    credited: Duration,
}

impl Opponent<'_> {
    /// When it is to be stopped, while `mover` is asked; none if it is stopped, or may run.
    pub(in crate::bot) fn stop_at(&self, mover: &Meter) -> Option<Instant> {
        let meter = self.meter.as_ref()?;
        let after = if mover.was_quick() { STOP_AFTER_FAST } else { SHORT_PLY };
        (meter.off_move.rest == Rest::Unstopped).then_some(mover.question.put + after)
    }

    /// Stops it, if it is to be stopped and is not yet.
    pub fn stop(&mut self) {
        if let Some(meter) = &mut self.meter {
            meter.stop_late();
        }
    }

    /// What it has used until `now` since its answer on the core of its opponent, if that is so
    /// much that it is taken off the opponent's time.
    pub fn used(&mut self, now: Instant) -> Duration {
        let Some(meter) = &mut self.meter else { return Duration::ZERO };
        let used = meter.used_off_move(now);
        if meter.shares_core { used } else { Duration::ZERO }
    }

    /// Extends the deadline of its opponent by what it used of the opponent's time; false if that
    /// is nothing new.
    pub fn extend(&mut self, deadline: &mut Option<Instant>) -> bool {
        let used = self.used(Instant::now());
        let more = used.saturating_sub(self.credited);
        self.credited += more;
        if let Some(deadline) = deadline {
            *deadline += more;
        }
        !more.is_zero()
    }

    /// The processor time that it used since the last look; zero if that is not known.
    pub(super) fn used_since_look(&mut self) -> Duration {
        self.meter.as_mut().and_then(|meter| meter.used_since_look()).unwrap_or_default()
    }

    /// Whether it is a bot that answered its last plies quickly.
    pub fn is_quick(&self) -> bool {
        self.meter.as_ref().is_some_and(|meter| meter.is_quick())
    }
}

impl Meter {
    /// The bot, for its opponent, which is asked while it waits.
    pub fn as_opponent(&mut self) -> Opponent<'_> {
        Opponent { meter: Some(self), credited: Duration::ZERO }
    }

    /// The opponent of the bot gets ready: the bot is stopped if that takes longer.
    pub fn hold(&mut self) {
        if self.off_move.rest == Rest::Runs {
            self.off_move.rest = Rest::Unstopped;
        }
    }

    /// Both bots are ready: one that may ponder runs.
    pub fn release(&mut self) {
        if self.settings.time.pondering == Pondering::On {
            self.let_run();
        }
    }

    /// Lets the bot run, if it is stopped.
    pub fn let_run(&mut self) {
        let before = mem::replace(&mut self.off_move.rest, Rest::Runs);
        if before == Rest::Stopped
            && let Some(tree) = &mut self.tree
        {
            tree.resume();
        }
    }

    /// The bot plays another game: what it used between the two is not counted.
    pub fn forget(&mut self) {
        self.off_move.cpu_at_answer = None;
        self.off_move.pondered = Duration::ZERO;
        self.off_move.after_stops = Duration::ZERO;
        self.off_move.gaps = Duration::ZERO;
        self.off_move.gap = Duration::ZERO;
    }

    /// Stops the bot after a question that took so long, or lets it run, and reads its processor
    /// time.
    pub(super) fn rest(&mut self, took: Duration, next: Next) {
        let Some(tree) = &mut self.tree else { return };
        let now = self.question.began + took;
        let off_move = &mut self.off_move;
        let is_due = match off_move.tasks_seen {
            Some(seen) => now.saturating_duration_since(seen) >= TASKS_EVERY,
            None => true,
        };
        if took >= SHORT_PLY || is_due {
            if tree.look() || off_move.tasks_seen.is_none() {
                off_move.is_as_started = tree.is_as_started();
            }
            off_move.tasks_seen = Some(now);
        }
        let is_idle = next == Next::Wait && off_move.is_as_started && off_move.gaps < MAX_GAPS;
        off_move.rest = if next == Next::Leave || self.settings.time.pondering == Pondering::On {
            Rest::Runs
        } else if is_idle {
            Rest::Unstopped
        } else {
            tree.stop();
            Rest::Stopped
        };
        off_move.cpu_at_answer = tree.cpu();
        off_move.cpu_at_stop = off_move.cpu_at_answer;
        self.waits.cpu_seen = off_move.cpu_at_answer;
    }

    /// Ends the time off move. Returns the processor time at the beginning of the next question,
    /// and how much time of before is charged to it.
    pub(super) fn end_rest(&mut self) -> (Option<Duration>, Duration) {
        let now = Instant::now();
        let runs = self.off_move.rest == Rest::Runs;
        let mut before = self.off_move.cpu_at_answer;
        let mut charged = Duration::ZERO;
        if runs {
            self.waits.threads_at_answer = None; // what it waited off move is no wait of a question
        }
        if before.is_none() || runs && now - self.ended >= SHORT_WAIT {
            before = self.cpu();
            let used = between(self.off_move.cpu_at_answer, before);
            self.off_move.pondered += used.unwrap_or_default();
        } else if !runs {
            let after_stop = self.used_after_stop(now);
            charged = self.off_move.gap + after_stop;
            if !charged.is_zero() {
                self.off_move.pondered += charged;
                let is_stopped = self.tree.as_ref().is_none_or(ProcessTree::is_stopped);
                let excused = if is_stopped { CLEANING } else { Duration::ZERO };
                self.off_move.after_stops += after_stop.saturating_sub(excused);
            }
        }
        self.off_move.gaps += mem::take(&mut self.off_move.gap);
        (before, charged)
    }

    /// Stops a bot that was not stopped when it answered.
    fn stop_late(&mut self) {
        if let (Rest::Unstopped, Some(tree)) = (self.off_move.rest, &mut self.tree) {
            tree.stop();
            self.read_gap();
            self.off_move.rest = Rest::Stopped;
        }
    }

    /// What a bot that is not on move has used since its answer, as far as it is charged.
    fn used_off_move(&mut self, now: Instant) -> Duration {
        if self.off_move.rest == Rest::Unstopped
            && now.saturating_duration_since(self.ended) > SMALL_GAP
        {
            self.read_gap();
        }
        self.off_move.gap + self.used_after_stop(now)
    }

    fn read_gap(&mut self) {
        let Some(last) = self.off_move.cpu_at_answer else { return };
        self.off_move.cpu_at_stop = self.cpu();
        let used = between(Some(last), self.off_move.cpu_at_stop).unwrap_or_default();
        self.off_move.gap = if used > SMALL_GAP { used } else { Duration::ZERO };
    }

    /// The processor time of a stopped bot since it was stopped, if it is more than [`WOKEN`].
    fn used_after_stop(&mut self, now: Instant) -> Duration {
        if self.off_move.rest == Rest::Stopped
            && now.saturating_duration_since(self.ended) > WOKEN
            && let (Some(tree), Some(stopped_at)) = (&mut self.tree, self.off_move.cpu_at_stop)
        {
            tree.look_at_others();
            let used = between(Some(stopped_at), tree.cpu()).unwrap_or_default();
            if used > WOKEN {
                return used;
            }
        }
        Duration::ZERO
    }

    /// The processor time that the bot used in this game while it was to be stopped, without what
    /// cleaning up takes, if it is more than the match allows.
    pub fn resumed(&self) -> Option<Duration> {
        let used = self.off_move.after_stops;
        (used > RESUMED).then_some(used)
    }

    /// Processor time that the bot used while it was not on move, since this was last called.
    pub fn take_pondered(&mut self) -> Duration {
        mem::take(&mut self.off_move.pondered)
    }
}
