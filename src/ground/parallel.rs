//! The same work on many items, some at a time.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Does the work on every item, `workers` at a time, and hands the results to `done` in the order
/// of the items. Each thread calls `begin` first. A panic of a thread is this one's.
///
/// # Errors
/// That of `done`. Work that has begun by then is finished, and no other begins.
pub fn in_parallel<'a, A: Sync, T: Send, E>(
    items: &'a [A],
    workers: usize,
    begin: impl Fn() + Sync,
    work: impl Fn(&'a A) -> T + Sync,
    mut done: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let next = &AtomicUsize::new(0);
    let begin = &begin;
    let work = &work;
    thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..workers.clamp(1, items.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(move || {
                begin();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if sender.send((at, work(item))).is_err() {
                        return; // `done` has failed
                    }
                }
            });
        }
        drop(sender); // so that the results end when the threads do
        let mut early = BTreeMap::new();
        let mut handed = 0;
        for (at, result) in results {
            early.insert(at, result);
            while let Some(due) = early.remove(&handed) {
                done(due)?;
                handed += 1;
            }
        }
        Ok(())
    })
}

/// The results of the work on every item, in their order.
pub fn map_in_parallel<'a, A: Sync, T: Send>(
    items: &'a [A],
    workers: usize,
    begin: impl Fn() + Sync,
    work: impl Fn(&'a A) -> T + Sync,
) -> Vec<T> {
    let mut all = Vec::new();
    let Ok(()) = in_parallel(items, workers, begin, work, |result| {
        all.push(result);
        Ok::<(), Infallible>(())
    });
    all
}
