//! The deadline of a question.
//!
//! A kernel timer (timerfd) is set for a bot's first deadline. It is not set again while later
//! questions have later deadlines; when it fires before the deadline, it is set again. So a ply
//! needs no system call for its deadline, and the event loop waits without a timeout. The timer is
//! exact to the microsecond; the event loop's timers count in milliseconds.

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};
use std::future::poll_fn;
use std::io;
use std::os::fd::OwnedFd;
use std::pin::pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::unix::AsyncFd;

/// A timer for one deadline at a time.
pub(in crate::bot) struct Alarm {
    timer: AsyncFd<OwnedFd>,
    /// When it fires next; never later than a deadline that is waited for.
    armed: Option<Instant>,
}

impl Alarm {
    pub fn new() -> io::Result<Alarm> {
        let timer = timerfd_create(
            TimerfdClockId::Monotonic,
            TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC,
        )?;
        #[expect(
            deprecated,
            reason = "its successor is unsafe to call; an OwnedFd is what it asks for"
        )]
        let timer = AsyncFd::new(timer)?;
        Ok(Alarm { timer, armed: None })
    }

    /// Ready when the deadline has passed; never ready without a deadline.
    pub fn poll_past(&mut self, context: &mut Context<'_>, deadline: Option<Instant>) -> Poll<()> {
        let Some(deadline) = deadline else { return Poll::Pending };
        if self.armed.is_none_or(|armed| armed > deadline) {
            self.arm(deadline);
        }
        loop {
            let Ok(mut guard) = ready!(self.timer.poll_read_ready(context)) else {
                return Poll::Ready(());
            };
            guard.clear_ready();
            if Instant::now() >= deadline {
                self.armed = None;
                return Poll::Ready(());
            }
            self.arm(deadline);
        }
    }

    /// Sets the timer, which also clears that it has fired.
    fn arm(&mut self, deadline: Instant) {
        // Zero would disarm the timer.
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_nanos(1));
        let time = Itimerspec {
            it_interval: Timespec { tv_sec: 0, tv_nsec: 0 },
            it_value: Timespec {
                tv_sec: left.as_secs() as i64,
                tv_nsec: left.subsec_nanos().into(),
            },
        };
        let set = timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &time);
        self.armed = set.is_ok().then_some(deadline);
    }
}

/// The result of the future; `None` if it is not ready within this time.
pub(in crate::bot) async fn within<T>(
    time: Duration,
    future: impl Future<Output = T>,
) -> Option<T> {
    let mut alarm = Alarm::new().ok()?;
    let mut future = pin!(future);
    let deadline = Instant::now() + time;
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => alarm.poll_past(context, Some(deadline)).map(|()| None),
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_fires_at_the_deadline_whatever_was_set_before() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        runtime.block_on(async {
            let mut alarm = Alarm::new().unwrap();
            let now = Instant::now();
            // Set for much later, then for sooner, then for later than it is set, then for a time
            // that has passed.
            assert_eq!(within(Duration::ZERO, past(&mut alarm, now, 600_000)).await, None);
            past(&mut alarm, now, 20).await;
            let _ = within(Duration::ZERO, past(&mut alarm, now, 30)).await;
            past(&mut alarm, now, 60).await;
            past(&mut alarm, now, 0).await;
            assert_eq!(within(Duration::from_secs(600), async { 7 }).await, Some(7));
        });
    }

    /// Waits until so many milliseconds have passed since `begin`.
    async fn past(alarm: &mut Alarm, begin: Instant, ms: u64) {
        let wait = Duration::from_millis(ms);
        poll_fn(|context| alarm.poll_past(context, Some(begin + wait))).await;
        assert!(begin.elapsed() >= wait);
    }
}
