//! Catches panics and exhausted memory inside calls.

use super::alloc;
use super::status::{FC_ERROR_INTERNAL, Failure};
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Once, OnceLock};

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `body`, catches its panics, and returns whether its memory was exhausted. A panic whose payload is a
/// [`Failure`] becomes that failure.
pub(super) fn caught<T>(body: impl FnOnce() -> Result<T, Failure>) -> (Result<T, Failure>, bool) {
    keep_panics_quiet();
    alloc::watched(|| {
        // Unwind safe: objects are immutable, and everything that the call has built is dropped.
        catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(failure_of(payload)))
    })
}

fn failure_of(payload: Box<dyn Any + Send>) -> Failure {
    let text = PANIC.take();
    match payload.downcast::<Failure>() {
        Ok(failure) => *failure,
        Err(_) => Failure { status: FC_ERROR_INTERNAL, text: format!("mistake in the library: {text}") },
    }
}

/// Installs a panic hook that records panics inside calls instead of printing them; all others go to the previous
/// hook.
fn keep_panics_quiet() {
    type Printer = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;
    // A static, not a capture, so that the hook does not allocate from the engine.
    static BEFORE: OnceLock<Printer> = OnceLock::new();
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = BEFORE.set(std::panic::take_hook());
        std::panic::set_hook(Box::new(|info| match BEFORE.get() {
            Some(before) if !alloc::is_watched() => before(info),
            _ => drop(PANIC.replace(info.to_string().replace('\n', " "))),
        }));
    });
}
