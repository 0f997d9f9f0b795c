//! The deadline of a question, by a timer of the event loop, which counts in milliseconds.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::time::{Sleep, sleep_until, timeout};

/// A timer for one deadline at a time.
#[derive(Default)]
pub(in crate::bot) struct Alarm(Option<Pin<Box<Sleep>>>);

impl Alarm {
    pub fn new() -> io::Result<Alarm> {
        Ok(Alarm::default())
    }

    /// Ready when the deadline has passed; never ready without a deadline.
    pub fn poll_past(&mut self, context: &mut Context<'_>, deadline: Option<Instant>) -> Poll<()> {
        let Some(deadline) = deadline.map(tokio::time::Instant::from_std) else {
            return Poll::Pending;
        };
        let timer = self.0.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        timer.as_mut().poll(context)
    }
}

/// The result of the future; `None` if it is not ready within this time.
pub(in crate::bot) async fn within<T>(
    time: Duration,
    future: impl Future<Output = T>,
) -> Option<T> {
    timeout(time, future).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    #[test]
    fn it_fires_at_the_deadline_whatever_was_set_before() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut alarm = Alarm::new().unwrap();
            let now = Instant::now();
            let past = async |alarm: &mut Alarm, ms| {
                poll_fn(|context| alarm.poll_past(context, Some(now + Duration::from_millis(ms))))
                    .await;
                assert!(now.elapsed() >= Duration::from_millis(ms));
            };
            assert_eq!(within(Duration::ZERO, past(&mut alarm, 600_000)).await, None);
            past(&mut alarm, 20).await;
            past(&mut alarm, 60).await;
            past(&mut alarm, 0).await;
            assert_eq!(within(Duration::from_secs(600), async { 7 }).await, Some(7));
        });
    }
}
