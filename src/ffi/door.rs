//! The entry point of every call from C.
//!
//! A call has two halves. `prepare` checks, converts and computes; it may fail, panic or run out of memory, and then
//! everything that it built is dropped and nothing has changed. `commit` creates handles and writes outputs, and
//! does not allocate from the engine.

use super::catch::caught;
use super::status::{FC_ERROR_INTERNAL, FC_ERROR_OUT_OF_MEMORY, Failure, fc_status, set_last_error};
use super::{alloc, hooks};

/// Runs a call.
pub(super) fn call<T>(prepare: impl FnOnce() -> Result<T, Failure>, commit: impl FnOnce(T) -> fc_status) -> fc_status {
    alloc::mark_used();
    match caught(prepare) {
        (Ok(prepared), false) => commit(prepared),
        (Ok(_), true) => failed(&Failure { status: FC_ERROR_OUT_OF_MEMORY, text: EXHAUSTED.into() }),
        (Err(failure), _) => failed(&failure),
    }
}

const EXHAUSTED: &str = "the allocator hook returned NULL; what the call had made is freed, and it may be repeated";

/// Records a failure and returns its status.
pub(super) fn failed(failure: &Failure) -> fc_status {
    set_last_error(&failure.text);
    if failure.status == FC_ERROR_INTERNAL {
        hooks::log(hooks::FC_LOG_ERROR, &failure.text);
    }
    failure.status
}

#[cfg(test)]
mod tests {
    use super::super::{FC_ERROR_INVALID_ARGUMENT, FC_OK, fc_last_error};
    use super::*;
    use std::ffi::CStr;

    fn last() -> String {
        // SAFETY: the text is this thread's and NUL-terminated.
        unsafe { CStr::from_ptr(fc_last_error()) }.to_str().unwrap().to_string()
    }

    #[test]
    fn a_panic_is_a_status_and_commits_nothing() {
        let status = call(|| -> Result<(), _> { panic!("three is {}", 4) }, |()| unreachable!());
        assert_eq!(status, FC_ERROR_INTERNAL);
        assert!(last().contains("three is 4") && last().contains("door.rs"), "{}", last());
        assert_eq!(call(|| Ok(7), |seven| seven - 7), FC_OK);
    }

    #[test]
    fn a_failure_has_its_text() {
        assert_eq!(call(|| Err::<(), _>(Failure::argument("x is 3")), |()| 0), FC_ERROR_INVALID_ARGUMENT);
        assert_eq!(last(), "x is 3");
    }

    #[test]
    fn a_call_within_a_call_is_its_own() {
        let outer = call(
            || {
                assert_eq!(call(|| -> Result<(), _> { panic!("inner") }, |()| 0), FC_ERROR_INTERNAL);
                Ok(())
            },
            |()| FC_OK,
        );
        assert_eq!(outer, FC_OK);
    }
}
