//! What changes behind a handle: scenes and soft bodies.
//!
//! It is behind a lock that nobody waits for: a call that comes at the wrong time fails with a sentence. A panic during a
//! change poisons the lock, and the thing is refused from then on.

use super::status::{FC_ERROR_INTERNAL, FC_ERROR_WRONG_TIME, Failure};
use std::sync::{RwLock, TryLockError};

/// A value that one call changes, or any number read.
pub(super) struct Guarded<T> {
    /// C name, for error texts.
    name: &'static str,
    value: RwLock<T>,
}

impl<T> Guarded<T> {
    pub fn new(name: &'static str, value: T) -> Self {
        Self { name, value: RwLock::new(value) }
    }

    /// Lends the value, which no call changes meanwhile.
    pub fn read<R>(&self, body: impl FnOnce(&T) -> Result<R, Failure>) -> Result<R, Failure> {
        let text = |name: &'static str| {
            format!("a call that changes or updates {name} is running; read it when that has returned")
        };
        body(&*self.value.try_read().map_err(|e| self.refused(e, text))?)
    }

    /// Lends the value to the one call that changes it. A panic in `body` makes it unusable.
    pub fn write<R>(&self, body: impl FnOnce(&mut T) -> Result<R, Failure>) -> Result<R, Failure> {
        let text = |name: &'static str| {
            format!("another call is changing, updating or querying {name}; change it when that has returned")
        };
        body(&mut *self.value.try_write().map_err(|e| self.refused(e, text))?)
    }

    /// Why the lock was not given.
    fn refused<G>(&self, error: TryLockError<G>, text: impl Fn(&'static str) -> String) -> Failure {
        match error {
            TryLockError::WouldBlock => Failure { status: FC_ERROR_WRONG_TIME, text: text(self.name) },
            TryLockError::Poisoned(_) => Failure {
                status: FC_ERROR_INTERNAL,
                text: format!(
                    "{} was left half changed by a call that failed before; destroy it and create another",
                    self.name
                ),
            },
        }
    }
}
