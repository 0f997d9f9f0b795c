//! What is made once for the tests that run beside each other.

use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A value that the tests that run at a time have together. It is dropped with the last of them,
/// because nothing drops a `static`, and a folder in it would stay.
pub struct Shared<T>(Mutex<Weak<T>>);

impl<T> Shared<T> {
    pub const fn new() -> Shared<T> {
        Shared(Mutex::new(Weak::new()))
    }

    /// The value; made if no test has it.
    pub fn get(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.upgrade().unwrap_or_else(|| {
            let made = Arc::new(make());
            *known = Arc::downgrade(&made);
            made
        })
    }

    /// Another value, for this test and those that come after it, because the one they have is
    /// broken.
    pub fn replace(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let made = Arc::new(make());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&made);
        made
    }
}
