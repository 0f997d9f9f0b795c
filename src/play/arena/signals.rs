//! The signals that ask for an end: SIGINT, SIGTERM and SIGHUP.

use super::event_loop::event_loop;
use arbiter_host::bot::ignored_signals;
use std::io;
use std::ops::ControlFlow;
use std::thread;
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that ask for an end; `None` for one that was ignored at the start: it stays ignored,
/// as nohup expects.
pub struct EndSignals {
    runtime: Runtime,
    signals: [Option<Signal>; 3],
}

impl EndSignals {
    /// From here on these signals end the process no more.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn catch() -> io::Result<EndSignals> {
        let runtime = event_loop()?;
        let entered = runtime.enter();
        let ignored = ignored_signals();
        let mut signals = [None, None, None];
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        for (caught, kind) in signals.iter_mut().zip(kinds) {
            if ignored >> (kind.as_raw_value() - 1) & 1 == 0 {
                *caught = Some(signal(kind)?);
            }
        }
        drop(entered);
        Ok(EndSignals { runtime, signals })
    }

    /// Calls `send` for each signal on a thread of its own, until it returns that there is no
    /// receiver. Where signals cannot be caught, they end the process, which the log says.
    pub fn forward(mut send: impl FnMut() -> bool + Send + 'static) {
        match EndSignals::catch() {
            Ok(signals) => {
                thread::spawn(move || {
                    signals.report(|| {
                        if send() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                    });
                });
            }
            Err(error) => tracing::warn!("signals are not watched for: {error}"),
        }
    }

    /// Calls `each` for each signal, until it breaks.
    pub fn report(self, mut each: impl FnMut() -> ControlFlow<()>) {
        let [mut interrupt, mut terminate, mut hangup] = self.signals;
        self.runtime.block_on(async {
            loop {
                tokio::select! {
                    () = received(&mut interrupt) => {}
                    () = received(&mut terminate) => {}
                    () = received(&mut hangup) => {}
                }
                if each().is_break() {
                    return;
                }
            }
        });
    }
}

/// Lets a write beyond the limit of the size of files (`ulimit -f`) fail, as one to a full disk
/// does. Otherwise the signal SIGXFSZ ends the process. Bots start with the signal as it is by
/// default.
///
/// # Errors
/// The system does not allow it.
pub fn fail_writes_beyond_limit() -> io::Result<()> {
    let runtime = event_loop()?;
    let _entered = runtime.enter();
    // It stays caught after the drop.
    signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw())).map(drop)
}

async fn received(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}
