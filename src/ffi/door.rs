//! The entry point of every call from C.
//!
//! A call has two halves. `prepare` checks, converts and computes; it may fail, panic or run out of memory, and then
//! everything that it built is dropped and nothing has changed. `commit` creates handles and writes outputs, and
//! does not allocate from the engine.
//!
//! A call that changes a scene has a third part between them, `change`. An exhausted allocator does not stop it, since
//! memory then comes from the system heap, and what is half changed could not be undone: it is changed, and the status
//! says that memory is low.

use super::catch::caught;
use super::status::{
    FC_ERROR_INTERNAL, FC_ERROR_OUT_OF_MEMORY, FC_LOW_MEMORY, FC_OK, Failure, fc_status, set_last_error,
};
use super::{alloc, hooks};

/// Runs a call.
pub(super) fn call<T>(prepare: impl FnOnce() -> Result<T, Failure>, commit: impl FnOnce(T) -> fc_status) -> fc_status {
    alloc::mark_used();
    match caught(prepare) {
        (Ok(prepared), false) => commit(prepared),
        (Ok(_), true) => failed(&exhausted()),
        (Err(failure), _) => failed(&failure),
    }
}

/// Runs a call that changes a scene. `change` changes nothing if it fails, and all that it should if it does not.
pub(super) fn change<P, T>(
    prepare: impl FnOnce() -> Result<P, Failure>,
    change: impl FnOnce(P) -> Result<T, Failure>,
    commit: impl FnOnce(T) -> fc_status,
) -> fc_status {
    alloc::mark_used();
    let prepared = match caught(prepare) {
        (Ok(prepared), false) => prepared,
        (Ok(_), true) => return failed(&exhausted()),
        (Err(failure), _) => return failed(&failure),
    };
    match caught(|| change(prepared)) {
        (Ok(changed), is_low) => match commit(changed) {
            FC_OK if is_low => FC_LOW_MEMORY,
            status => status,
        },
        (Err(failure), _) => failed(&failure),
    }
}

/// What a call fails with if the allocator hook returned NULL.
pub(super) fn exhausted() -> Failure {
    Failure { status: FC_ERROR_OUT_OF_MEMORY, text: EXHAUSTED.into() }
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
    use super::super::{FC_ERROR_INVALID_ARGUMENT, fc_last_error};
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
    fn a_change_with_little_memory_is_made_and_says_so() {
        let short = || {
            alloc::raise();
            Ok(())
        };
        assert_eq!(change(short, |()| -> Result<(), _> { unreachable!() }, |()| FC_OK), FC_ERROR_OUT_OF_MEMORY);
        assert_eq!(change(|| Ok(()), |()| short(), |()| FC_OK), FC_LOW_MEMORY);
        assert_eq!(change(|| Ok(()), Ok, |()| FC_OK), FC_OK);
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
