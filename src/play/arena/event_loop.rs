//! The event loop of a thread.

use arbiter_host::bot::EVENT_LOOP_TIMERS;
use std::io;
use tokio::runtime::{Builder, Runtime};

/// An event loop for this thread alone.
pub(super) fn event_loop() -> io::Result<Runtime> {
    let mut builder = Builder::new_current_thread();
    builder.enable_io();
    if EVENT_LOOP_TIMERS {
        builder.enable_time();
    }
    builder.build()
}
