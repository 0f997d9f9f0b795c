//! Measures what a bot uses while it is on move, and stops it while it is not (docs/clocks.md,
//! Pondering).
//!
//! Processor time is read when a question begins and when it is answered. A bot that may not ponder
//! is stopped after it has answered (or is ready) and resumed when the next request is in its pipe.
//! For a bot that may ponder, the processor time off move is added up.
//!
//! A stop does not end a system call: a thread that is in one, such as `madvise` of much memory,
//! stops when the call ends. What a bot uses after its answer, before its stop or after it, is
//! charged to its next ply. If both bots have one core, it is taken off the time of the opponent
//! that was on move meanwhile, whose deadline is that much later. What it uses after its stop
//! beyond [`CLEANING`], and all that it uses because something resumed it, adds up to a fault
//! ([`Meter::resumed`]).
//!
//! Stopping and resuming costs more than a short ply. So a *calm* bot, one of a single thread that
//! uses next to nothing between its answers and its stops, is stopped only when its opponent has
//! thought for [`STOP_AFTER`]; all others are stopped at once. A timer that is set for every ply
//! costs as much as the ply does. So if the opponent's last answer came earlier than that, the next
//! one is expected to do so too, and the calm bot is stopped after [`STOP_AFTER_FAST`]. When what a
//! calm bot uses between its answers and its stops adds up to [`RESTLESS`] in a game, it is not
//! calm any more in this game.
//!
//! What the machine kept the bot on move waiting for a processor is in [`RunDelay`]. Where
//! processor time is charged, the deadline is put off by it.

use super::run_delay::{RunDelay, TreeTimes};
use super::stall::StallDetector;
use super::system::{ProcessTree, cores, kept_waiting};
use crate::game::{ClockKind, LimitExceeded, Pondering, RESUMED, Settings, Silence, Tasks};
use std::time::{Duration, Instant};

/// How often the memory and the processes of a bot on move are looked at.
const MEMORY_EVERY: Duration = Duration::from_millis(5);
/// Processor time is not looked at more often than this.
const CPU_EVERY: Duration = Duration::from_millis(2);

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
pub(super) const CLEANING: Duration = Duration::from_millis(50);
/// The deadline of a question is put off by at most this much in all, and each time by at least so
/// much.
const PUT_OFF: Duration = Duration::from_secs(60);
const PUT_OFF_AT_ONCE: Duration = Duration::from_millis(1);
/// A bot that is not run for longer at the end of its time may have lost by that: it is the default
/// margin of a ply.
const NOT_RUN: Duration = Duration::from_millis(20);
/// In a ply shorter than this a new process or thread cannot have used a notable amount of
/// anything.
const SHORT_PLY: Duration = Duration::from_micros(100);
/// So many short plies in a row make a quick bot.
const QUICK_PLIES: usize = 4;

/// A calm bot is stopped when its opponent has been asked for this long.
const STOP_AFTER: Duration = Duration::from_micros(100);
/// The same if the last answer of its opponent took less.
const STOP_AFTER_FAST: Duration = Duration::from_millis(1);
/// What a bot uses at most between its answer and its stop if it only goes on to its next read.
const CALM: Duration = Duration::from_micros(20);
/// A bot that has used this much of the gaps of a game in which it used more than [`CALM`] is not
/// calm. One gap alone says little: an interrupt or a slow machine makes it longer.
const RESTLESS: Duration = Duration::from_millis(1);
/// New processes and threads of a calm bot are looked for at least this often.
const TASKS_EVERY: Duration = Duration::from_millis(1);

/// The meter of one bot.
pub(super) struct Meter {
    tree: Option<ProcessTree>,
    settings: Settings,
    /// How many processes and threads it may have; none where that is not limited.
    tasks: Option<Tasks>,
    rest: Rest,
    /// Whether both bots have one core, so that what one of them uses the other one waits for.
    shares_core: bool,
    /// Whether it has one process with one thread, as of the last look.
    single: bool,
    /// When that was.
    tasks_seen: Option<Instant>,
    /// What it has used in the gaps of this game in which it used more than [`CALM`].
    gaps: Duration,
    /// What it has used since its last answer, if it was stopped late or not at all and that is
    /// more than [`CALM`].
    gap: Duration,
    /// How long the last question took, and when it ended.
    took: Duration,
    ended: Instant,
    /// How many plies in a row it has answered quickly.
    quick: usize,
    /// Its processor time at that end.
    last: Option<Duration>,
    /// Its processor time when it was stopped.
    stopped_at: Option<Duration>,
    /// What it used off move.
    pondered: Duration,
    /// What of it was used after a stop that something undid.
    resumed: Duration,
    /// How long it was on move since its memory was looked at.
    unseen: Duration,
    /// The processor time of its processes as of the last look, to see whether they delayed a
    /// timer.
    seen: Option<Duration>,
    /// Whether arbiter itself was able to look while the bot was asked.
    stalls: StallDetector,
    /// The processor time as of the last [`Meter::take_delays`].
    told: Duration,
    /// How long the bot was not run, if it may have lost its time by that.
    not_run: Duration,
    /// How long it waited for a processor in the long questions of this game.
    waited: Duration,
    /// The times of its threads when it was stopped after a long question.
    times: Option<TreeTimes>,
    asked: Asked,
}

/// What tells whether the machine disturbed a game, or a bot of it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delays {
    /// How long arbiter itself did not run, as far as no bot of the game can have caused that.
    pub stalled: Duration,
    /// The processor time of the bot; none if it is not known.
    pub used: Option<Duration>,
    /// How long it could run and was not run, while its opponent was not either, if it may have
    /// lost its time by that.
    pub not_run: Duration,
    /// How long it waited for a processor while it was asked. Waits in short questions do not
    /// count.
    pub waited: Duration,
}

impl Default for Delays {
    fn default() -> Delays {
        Delays {
            stalled: Duration::ZERO,
            used: Some(Duration::ZERO),
            not_run: Duration::ZERO,
            waited: Duration::ZERO,
        }
    }
}

/// What a bot does while it is not on move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// It runs: it may ponder, or is not asked again.
    Runs,
    /// It runs, and is stopped if its opponent thinks for longer.
    Unstopped,
    Stopped,
}

/// The bot that is not on move, for the one that is.
#[derive(Default)]
pub struct Opponent<'a> {
    meter: Option<&'a mut Meter>,
    /// By how much the deadline of the one on move was put off.
    credited: Duration,
}

impl Opponent<'_> {
    /// When it is to be stopped, while `mover` is asked; none if it is stopped, or may run.
    pub(super) fn stop_at(&self, mover: &Meter) -> Option<Instant> {
        let meter = self.meter.as_ref()?;
        let after = if mover.took < STOP_AFTER { STOP_AFTER_FAST } else { STOP_AFTER };
        (meter.rest == Rest::Unstopped).then(|| mover.asked.put + after)
    }

    /// Stops it, if it is to be stopped and is not yet.
    pub fn stop(&mut self) {
        if let Some(meter) = &mut self.meter {
            meter.stop_late();
        }
    }

    /// What it has used until `now` since its answer on the core of its opponent, if that is so
    /// much that it is taken off the opponent's time.
    pub(super) fn used(&mut self, now: Instant) -> Duration {
        let Some(meter) = &mut self.meter else { return Duration::ZERO };
        let used = meter.used_off_move(now);
        if meter.shares_core { used } else { Duration::ZERO }
    }

    /// Puts off the deadline of its opponent by what it used of the opponent's time; false if that
    /// is nothing new.
    pub(super) fn put_off(&mut self, deadline: &mut Option<Instant>) -> bool {
        let used = self.used(Instant::now());
        let more = used.saturating_sub(self.credited);
        self.credited += more;
        *deadline = deadline.map(|deadline| deadline + more);
        !more.is_zero()
    }

    /// The processor time that it used since the last look; zero if that is not known.
    fn used_since_look(&mut self) -> Duration {
        self.meter.as_mut().and_then(|meter| meter.used_since_look()).unwrap_or_default()
    }

    /// Whether it is a bot that answered its last plies quickly.
    pub(super) fn is_quick(&self) -> bool {
        self.meter.as_ref().is_some_and(|meter| meter.is_quick())
    }
}

/// The question that is being answered.
struct Asked {
    /// From when on time is charged.
    began: Instant,
    /// When it was put. Earlier than this no timer can have been set for it.
    put: Instant,
    /// When its memory was looked at, or the beginning.
    seen: Instant,
    /// The processor time at its beginning.
    before: Option<Duration>,
    /// What of it may be used, where it is charged, and when to look next.
    cpu: Option<(Duration, Instant)>,
    run_delay: RunDelay,
    /// How long the bot waited for a processor until the end of the question.
    waited: Duration,
    /// By how much its deadline was put off.
    put_off: Duration,
}

/// What a bot on move has used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    /// Processor time.
    Cpu,
    /// What a limit allows.
    Limit(LimitExceeded),
}

/// What a question took.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Used {
    pub cpu: Option<Duration>,
    /// The limit that it exceeded.
    pub exceeded: Option<LimitExceeded>,
}

impl Asked {
    fn new(began: Instant, put: Instant, before: Option<Duration>, cpu: Option<Duration>) -> Asked {
        Asked {
            began,
            put,
            seen: put,
            before,
            cpu: cpu.map(|limit| (limit, began + limit)),
            run_delay: RunDelay::default(),
            waited: Duration::ZERO,
            put_off: Duration::ZERO,
        }
    }
}

impl Meter {
    pub fn new(tree: Option<ProcessTree>, settings: Settings, tasks: Option<Tasks>) -> Meter {
        let now = Instant::now();
        Meter {
            tree,
            settings,
            tasks,
            rest: Rest::Runs,
            shares_core: cores().len() == 1,
            single: false,
            tasks_seen: None,
            gaps: Duration::ZERO,
            gap: Duration::ZERO,
            took: Duration::ZERO,
            ended: now,
            quick: 0,
            last: None,
            stopped_at: None,
            pondered: Duration::ZERO,
            resumed: Duration::ZERO,
            unseen: Duration::ZERO,
            seen: None,
            stalls: StallDetector::new(),
            told: Duration::ZERO,
            not_run: Duration::ZERO,
            waited: Duration::ZERO,
            times: None,
            asked: Asked::new(now, now, None, None),
        }
    }

    /// The processor time of the bot since it was started; none if it is not known.
    pub fn cpu(&mut self) -> Option<Duration> {
        self.tree.as_mut()?.cpu()
    }

    /// How long the bot has waited for a processor since it was started; none if it is not known.
    pub fn waited(&self) -> Option<Duration> {
        self.tree.as_ref()?.waited()
    }

    /// What the bot does while it says nothing; none if it is not known.
    pub fn silence(&mut self) -> Option<Silence> {
        self.tree.as_mut()?.silence()
    }

    /// Whether the bot is known to be one process with one thread.
    pub fn is_single(&self) -> bool {
        self.tree.as_ref().is_some_and(ProcessTree::is_single)
    }

    /// Whether the bot waits for its standard input; none if it is not known.
    pub fn waits_for_input(&mut self) -> Option<bool> {
        self.tree.as_mut()?.waits_for_input()
    }

    /// The opponent of the bot gets ready: the bot is stopped if that takes longer.
    pub fn hold(&mut self) {
        if self.rest == Rest::Runs {
            self.rest = Rest::Unstopped;
        }
    }

    /// Both bots are ready: one that may ponder runs.
    pub fn release(&mut self) {
        if self.settings.time.pondering == Pondering::On {
            self.thaw();
        }
    }

    /// The bot plays another game: what it used between the two is not counted.
    pub fn forget(&mut self) {
        self.last = None;
        self.pondered = Duration::ZERO;
        self.resumed = Duration::ZERO;
        self.gaps = Duration::ZERO;
        self.gap = Duration::ZERO;
    }

    /// The bot, for its opponent, which is asked while it waits.
    pub fn as_opponent(&mut self) -> Opponent<'_> {
        Opponent { meter: Some(self), credited: Duration::ZERO }
    }

    /// Begins a question that may use this much processor time; returns the time of the beginning.
    ///
    /// A stopped bot uses nothing. What it used all the same is charged to this question: the
    /// beginning is that much earlier.
    pub fn begin(&mut self, cpu: Option<Duration>) -> Instant {
        let mut now = Instant::now();
        let waited = now - self.ended;
        let mut used = Duration::ZERO;
        let mut before = self.last.filter(|_| self.rest != Rest::Runs || waited < SHORT_WAIT);
        if before.is_none() {
            before = self.cpu();
            now = Instant::now();
            if let (Some(before), Some(last)) = (before, self.last) {
                self.pondered += before.saturating_sub(last);
            }
        } else if self.rest != Rest::Runs {
            let after_stop = self.used_after_stop(now);
            used = self.gap + after_stop;
            if !used.is_zero() {
                self.pondered += used;
                self.resumed += if self.tree.as_ref().is_none_or(ProcessTree::is_stopped) {
                    after_stop.saturating_sub(CLEANING)
                } else {
                    after_stop
                };
                now = Instant::now();
            }
        }
        self.gaps += std::mem::take(&mut self.gap);
        if self.rest == Rest::Runs {
            self.times = None; // what it waited off move is no wait of this question
        }
        self.seen = before;
        self.asked = Asked::new(now.checked_sub(used).unwrap_or(now), now, before, cpu);
        self.stalls.begin(now);
        self.asked.began
    }

    /// Stops a bot that was not stopped when it answered.
    fn stop_late(&mut self) {
        if let (Rest::Unstopped, Some(tree)) = (self.rest, &mut self.tree) {
            tree.stop();
            self.read_gap();
            self.rest = Rest::Stopped;
        }
    }

    /// What a bot that is not on move has used since its answer, as far as it is charged.
    fn used_off_move(&mut self, now: Instant) -> Duration {
        if self.rest == Rest::Unstopped && now.saturating_duration_since(self.ended) > CALM {
            self.read_gap();
        }
        self.gap + self.used_after_stop(now)
    }

    fn read_gap(&mut self) {
        let Some(last) = self.last else { return };
        self.stopped_at = self.cpu();
        let used = self.stopped_at.map_or(Duration::ZERO, |now| now.saturating_sub(last));
        self.gap = Some(used).filter(|&used| used > CALM).unwrap_or_default();
    }

    /// The processor time of a stopped bot since it was stopped, if it is more than [`WOKEN`].
    fn used_after_stop(&mut self, now: Instant) -> Duration {
        let is_long =
            self.rest == Rest::Stopped && now.saturating_duration_since(self.ended) > WOKEN;
        let (Some(tree), Some(stopped_at)) = (&mut self.tree, self.stopped_at.filter(|_| is_long))
        else {
            return Duration::ZERO;
        };
        tree.look_at_others();
        let used = tree.cpu().map_or(Duration::ZERO, |now| now.saturating_sub(stopped_at));
        Some(used).filter(|&used| used > WOKEN).unwrap_or_default()
    }

    /// The processor time that the bot used in this game while it was to be stopped, without what
    /// cleaning up takes, if it is more than the match allows.
    pub fn resumed(&self) -> Option<Duration> {
        Some(self.resumed).filter(|&used| used > RESUMED)
    }

    /// Whether it answered its last question quickly; true if it was asked none.
    pub fn was_quick(&self) -> bool {
        self.took < SHORT_PLY
    }

    /// Whether it answered its last [`QUICK_PLIES`] plies of this game quickly.
    pub fn is_quick(&self) -> bool {
        self.quick >= QUICK_PLIES
    }

    /// Lets the bot run, if it is stopped.
    pub fn thaw(&mut self) {
        let before = std::mem::replace(&mut self.rest, Rest::Runs);
        if before == Rest::Stopped
            && let Some(tree) = &mut self.tree
        {
            tree.resume();
        }
    }

    /// When to [look](Meter::look) while the bot has not answered.
    pub fn next_look(&self) -> Option<Instant> {
        let memory = self.asked.seen + MEMORY_EVERY;
        Some(self.asked.cpu.map_or(memory, |(_, cpu)| memory.min(cpu)))
    }

    /// Checks the limits of the bot on move.
    pub fn look(&mut self) -> Option<Over> {
        let now = Instant::now();
        let tree = self.tree.as_mut()?;
        let may_differ = tree.look();
        if let Some((limit, at)) = self.asked.cpu.filter(|&(_, at)| now >= at) {
            let used =
                tree.cpu().zip(self.asked.before).map(|(now, before)| now.saturating_sub(before));
            let left = used.map_or(limit, |used| limit.saturating_sub(used));
            if left.is_zero() {
                return Some(Over::Cpu);
            }
            // It takes one thread this long to use up what is left.
            self.asked.cpu = Some((limit, at.max(now) + left.max(CPU_EVERY)));
        }
        if let Some(allowed) = self.tasks.filter(|_| may_differ) {
            let had = tree.tasks();
            if had.processes > allowed.processes || had.threads > allowed.threads {
                return Some(Over::Limit(LimitExceeded::Tasks(had)));
            }
        }
        if now >= self.asked.seen + MEMORY_EVERY {
            self.asked.seen = now;
            if self.asked.run_delay.first.is_none() {
                let at_stop = self.times.take().zip(kept_waiting());
                self.asked.run_delay.first = match at_stop {
                    Some((times, arbiter)) => Some(times.since_stop(arbiter)),
                    None => tree.times(),
                };
            }
            let used = tree.memory();
            return (used > self.settings.limits.memory)
                .then_some(Over::Limit(LimitExceeded::Memory(used)));
        }
        None
    }

    /// Ends the question after this time; `next` says whether the bot is asked again.
    pub fn end(&mut self, took: Duration, next: Next) -> Used {
        let now = self.asked.began + took;
        if let Some(late) = self.stalls.end(self.asked.put, MEMORY_EVERY, now) {
            let used = self.used_since_look().unwrap_or_default();
            self.stalls.add(late, used);
        }
        if self.asked.run_delay.lasts() {
            let not_run = self.not_run();
            self.not_run =
                not_run.filter(|&time| next == Next::Leave && time > NOT_RUN).unwrap_or_default();
        }
        let stops = match next {
            Next::Wait | Next::Start => self.settings.time.pondering == Pondering::Off,
            Next::Leave => false,
        };
        let Some(tree) = &mut self.tree else { return Used::default() };
        if took >= SHORT_PLY
            || self.tasks_seen.is_none_or(|seen| now.saturating_duration_since(seen) >= TASKS_EVERY)
        {
            if tree.look() || self.tasks_seen.is_none() {
                self.single = tree.is_single();
            }
            self.tasks_seen = Some(now);
        }
        let is_calm = next == Next::Wait && self.single && self.gaps < RESTLESS;
        self.rest = match stops {
            true if is_calm => Rest::Unstopped,
            true => Rest::Stopped,
            false => Rest::Runs,
        };
        if self.rest == Rest::Stopped {
            tree.stop();
        }
        self.last = tree.cpu();
        self.stopped_at = self.last;
        self.seen = self.last;
        let cpu =
            self.last.zip(self.asked.before).map(|(after, before)| after.saturating_sub(before));
        let mut exceeded = None;
        // A short ply is not looked at, but several short ones are.
        self.unseen += took;
        if self.unseen >= MEMORY_EVERY {
            self.unseen = Duration::ZERO;
            let limit = self.settings.limits.memory;
            exceeded = Some(tree.peak()).filter(|&peak| peak > limit).map(LimitExceeded::Memory);
        }
        self.add_waits();
        (self.took, self.ended) = (took, now);
        self.quick = if next == Next::Wait && took < SHORT_PLY { self.quick + 1 } else { 0 };
        Used { cpu, exceeded }
    }

    /// Looks when bytes came; `planned` is when a timer would have gone off.
    pub fn heard(&mut self, planned: Option<Instant>, opponent: &mut Opponent<'_>) {
        if let Some(late) = self.stalls.look(planned) {
            let used = self.used_by_both(opponent);
            self.stalls.add(late, used);
        }
    }

    /// Looks when a timer has gone off that was set for `planned`.
    pub fn woke(&mut self, planned: Option<Instant>, opponent: &mut Opponent<'_>) {
        let late = self.stalls.look_and_work(planned);
        let used = self.used_by_both(opponent);
        if let Some(late) = late {
            self.stalls.add(late, used);
        }
    }

    /// What the bots of the game used since the last look: they may have kept arbiter from running.
    fn used_by_both(&mut self, opponent: &mut Opponent<'_>) -> Duration {
        let by_opponent = opponent.used_since_look();
        self.look_at_run_delay(by_opponent).unwrap_or_default() + by_opponent
    }

    /// What a timer made arbiter look for is done, and the next wait of the same question begins.
    pub fn wait_on(&mut self, opponent: &mut Opponent<'_>) {
        if let Some(late) = self.stalls.wait_on() {
            let used = self.used_by_both(opponent);
            self.stalls.add(late, used);
        }
    }

    /// The processor time since the last look; none if it is not known.
    fn used_since_look(&mut self) -> Option<Duration> {
        let now = self.cpu();
        let before = std::mem::replace(&mut self.seen, now);
        now.zip(before).map(|(now, before)| now.saturating_sub(before))
    }

    /// Looks whether the bot is run, after its opponent has used so much; returns what the bot used
    /// since the last look.
    fn look_at_run_delay(&mut self, by_opponent: Duration) -> Option<Duration> {
        let used = self.used_since_look();
        let can_run = || self.tree.as_ref().is_some_and(ProcessTree::can_run);
        self.asked.run_delay.look(Instant::now(), used, by_opponent, can_run);
        used
    }

    /// How long the bot could run by now and was not run, while its opponent was not either; none
    /// if it is run.
    fn not_run(&mut self) -> Option<Duration> {
        self.look_at_run_delay(Duration::ZERO);
        let run_delay = &self.asked.run_delay;
        run_delay.lasts().then(|| run_delay.lasting_without_opponent(Instant::now()))
    }

    /// Where processor time is charged, puts off the deadline by what the machine has kept the bot
    /// waiting; false if that is nothing new.
    pub fn put_off(&mut self, deadline: &mut Option<Instant>) -> bool {
        if self.settings.time.clock == ClockKind::Wall {
            return false;
        }
        let more = self.not_put_off();
        if more < PUT_OFF_AT_ONCE {
            return false;
        }
        self.asked.put_off += more;
        *deadline = deadline.map(|deadline| deadline + more);
        true
    }

    /// Adds what the bot waited in a question that was long enough for a look.
    fn add_waits(&mut self) {
        self.times = None;
        if self.asked.run_delay.first.is_none() {
            return;
        }
        self.times = self.tree.as_mut().and_then(ProcessTree::times);
        if let Some(times) = &self.times {
            self.asked.waited = self.asked.run_delay.total(Instant::now(), times);
            self.waited += self.asked.waited;
        }
    }

    /// The bot has said nothing for the `took` that it had: notes what it waited, if that may be
    /// why.
    pub fn note_silence(&mut self, took: Duration) {
        if self.settings.time.clock == ClockKind::Wall {
            let kept = self.asked.run_delay.kept(self.asked.waited, took).unwrap_or_default();
            self.not_run = self.not_run.max(kept);
        }
    }

    /// How long the machine has kept the bot waiting in this question.
    fn waited_on_move(&mut self) -> Duration {
        let times = self.tree.as_mut().and_then(ProcessTree::times);
        times.map_or(Duration::ZERO, |times| self.asked.run_delay.total(Instant::now(), &times))
    }

    /// What of the waits the deadline may be put off by and was not yet.
    fn not_put_off(&mut self) -> Duration {
        self.waited_on_move().min(PUT_OFF).saturating_sub(self.asked.put_off)
    }

    /// The wall time of an answer that took `took` and may take `allowed`, if it is to be judged by
    /// that. Where processor time is charged and it took longer, that is without what the machine
    /// kept the bot waiting.
    pub fn without_delay(
        &mut self,
        took: Duration,
        allowed: Option<Duration>,
        opponent: &mut Opponent<'_>,
    ) -> Duration {
        if let Some(allowed) = allowed.filter(|&allowed| took > allowed) {
            match self.settings.time.clock {
                ClockKind::Cpu => {
                    let more = self.not_put_off();
                    self.asked.put_off += more;
                }
                ClockKind::Wall => {
                    let waited = self.waited_on_move();
                    self.asked.run_delay.look(
                        Instant::now(),
                        None,
                        opponent.used_since_look(),
                        || false,
                    );
                    let made_late = self.asked.run_delay.made_late(waited, took, allowed);
                    self.not_run = made_late.unwrap_or_default();
                }
            }
        }
        took.saturating_sub(self.asked.put_off)
    }

    /// How long the bot could run and was not run, if its deadline cannot be put off any more.
    pub fn given_up(&mut self) -> Option<Duration> {
        let is_late = self.asked.put_off + PUT_OFF_AT_ONCE > PUT_OFF;
        is_late.then(|| self.not_run())?
    }

    /// When the question was put that is being answered.
    pub fn asked_at(&self) -> Instant {
        self.asked.put
    }

    /// The delays and the processor time since this was last called.
    pub fn take_delays(&mut self) -> Delays {
        let now = self.cpu();
        let before = std::mem::replace(&mut self.told, now.unwrap_or_default());
        Delays {
            stalled: self.stalls.take(),
            used: now.map(|now| now.saturating_sub(before)),
            not_run: std::mem::take(&mut self.not_run),
            waited: std::mem::take(&mut self.waited),
        }
    }

    /// Processor time that the bot used while it was not on move, since this was last called.
    pub fn take_pondered(&mut self) -> Duration {
        std::mem::take(&mut self.pondered)
    }
}

/// What becomes of a bot after a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// It waits for another, while its opponent is asked.
    Wait,
    /// It is ready, and waits for the first one, which may take long.
    Start,
    /// It has said nothing, and is not asked again.
    Leave,
}
