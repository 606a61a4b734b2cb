//! Engine hooks: log and job system (the allocator is in `alloc`).

use super::alloc;
use super::catch::caught;
use super::hook::Hook;
use super::status::{FC_ERROR_TASKS, Failure};
use super::threads::Threads;
use crate::tasks::Tasks;
use std::ffi::{CString, c_char, c_void};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Log level: an unexpected failure.
pub const FC_LOG_ERROR: u32 = 0;
/// Log level: it works, but perhaps not as you expect.
pub const FC_LOG_WARNING: u32 = 1;
/// Log level: information.
pub const FC_LOG_INFO: u32 = 2;

/// Receives a log message, valid until the function returns. Called by any thread, during the call that the message
/// is about. Must not call fc_ functions.
pub type fc_log_fn = Option<unsafe extern "C" fn(level: u32, message: *const c_char, user_data: *mut c_void)>;

/// Runs the work items [begin, end) of a task. Provided by the library, called by the engine.
pub type fc_range_fn = Option<unsafe extern "C" fn(begin: u32, end: u32, task: *mut c_void)>;

/// Calls `run(begin, end, task)` over [0, count) in ranges of about `grain`, each index exactly once, on any
/// threads, and returns when all are done. The split into ranges does not affect results. A thread that waits in it
/// may do other work meanwhile, including fc_ calls. Called by any thread that makes an fc_ call.
pub type fc_parallel_for_fn =
    Option<unsafe extern "C" fn(count: u32, grain: u32, run: fc_range_fn, task: *mut c_void, user_data: *mut c_void)>;

/// The engine's log hook.
#[derive(Clone, Copy)]
pub(super) struct Log {
    pub write: unsafe extern "C" fn(u32, *const c_char, *mut c_void),
    pub user_data: *mut c_void,
}

pub(super) static LOG: Hook<Log> = Hook::new();

/// Sends a message to the log hook, if one is set.
pub(super) fn log(level: u32, message: &str) {
    if let Some(log) = LOG.get()
        && let Ok(text) = CString::new(message)
    {
        // SAFETY: the header requires a function with this signature.
        unsafe { (log.write)(level, text.as_ptr(), log.user_data) };
    }
}

/// The engine's job system.
#[derive(Clone, Copy)]
pub(super) struct Jobs {
    pub parallel_for: unsafe extern "C" fn(u32, u32, fc_range_fn, *mut c_void, *mut c_void),
    pub user_data: *mut c_void,
}

// SAFETY: the header says that any thread may call the function with the pointer.
unsafe impl Send for Jobs {}
// SAFETY: as above.
unsafe impl Sync for Jobs {}

impl Jobs {
    fn start(&self, count: usize, watched: *mut c_void) {
        // SAFETY: the header requires a function with this signature; `watched` outlives the call, and the header
        // requires the engine to be done with it when the function returns.
        unsafe { (self.parallel_for)(count as u32, 1, Some(run_range), watched, self.user_data) }
    }
}

static TASKS: Mutex<Option<Tasks>> = Mutex::new(None);

/// The current target of parallel work.
pub(super) fn tasks() -> Tasks {
    TASKS.lock().unwrap_or_else(|e| e.into_inner()).clone().unwrap_or_default()
}

/// Sets the target of parallel work; work that is running is not moved.
pub(super) fn set_tasks(tasks: Option<Tasks>) {
    let before = std::mem::replace(&mut *TASKS.lock().unwrap_or_else(|e| e.into_inner()), tasks);
    drop(before); // joins threads, so not under the lock
}

/// The engine's job system, with failures passed back.
pub(super) fn on_jobs(jobs: Jobs) -> Tasks {
    Tasks::host(Arc::new(move |count, run| {
        Watched::run(count, run, |watched| jobs.start(count, watched));
    }))
}

/// The library's own threads, with failures passed back.
pub(super) fn on_threads(count: usize) -> Result<Tasks, Failure> {
    let threads = Threads::start(count)?;
    Ok(Tasks::host(Arc::new(move |count, run| {
        Watched::run(count, run, |watched| {
            let watched = AtomicPtr::new(watched);
            threads.run(count, &|range| {
                // SAFETY: `watched` outlives the call.
                unsafe { run_range(range.start as u32, range.end as u32, watched.load(Ordering::Relaxed)) }
            });
        });
    })))
}

/// A parallel task, and what other threads report back: failures, exhausted memory, the number of items done.
struct Watched<'a> {
    run: &'a (dyn Fn(Range<usize>) + Sync),
    count: u32,
    done: AtomicU64,
    exhausted: AtomicBool,
    failure: Mutex<Option<Failure>>,
}

impl Watched<'_> {
    /// Runs the work through `start`, and raises on this thread the failures of the others.
    fn run(count: usize, run: &(dyn Fn(Range<usize>) + Sync), start: impl FnOnce(*mut c_void)) {
        let watched = Watched {
            run,
            count: count as u32,
            done: AtomicU64::new(0),
            exhausted: AtomicBool::new(false),
            failure: Mutex::new(None),
        };
        start((&raw const watched).cast_mut().cast());
        if watched.exhausted.load(Ordering::Relaxed) {
            alloc::raise();
        }
        let mut failure = watched.failure.into_inner().unwrap_or_else(|e| e.into_inner());
        let done = watched.done.load(Ordering::Relaxed);
        if failure.is_none() && done != count as u64 {
            let text = format!(
                "the task hook ran {done} of {count} pieces of work; it must run each exactly once before it returns"
            );
            failure = Some(Failure { status: FC_ERROR_TASKS, text });
        }
        if let Some(failure) = failure {
            resume_unwind(Box::new(failure)); // caught in `door`
        }
    }
}

/// The function that the engine calls.
///
/// # Safety
/// `task` is the pointer that came with this function, and the call that it came with has not returned.
unsafe extern "C" fn run_range(begin: u32, end: u32, task: *mut c_void) {
    // SAFETY: required above.
    let watched = unsafe { &*task.cast_const().cast::<Watched>() };
    let (outcome, exhausted) = caught(|| {
        if begin > end || end > watched.count {
            let text = format!("the task hook ran [{begin}, {end}) of [0, {})", watched.count);
            return Err(Failure { status: FC_ERROR_TASKS, text });
        }
        (watched.run)(begin as usize..end as usize);
        Ok(())
    });
    if let Err(failure) = outcome {
        watched.failure.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(failure);
    }
    if exhausted {
        watched.exhausted.store(true, Ordering::Relaxed);
    }
    watched.done.fetch_add(end.saturating_sub(begin) as u64, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::super::door::call;
    use super::super::{FC_ERROR_INTERNAL, FC_OK};
    use super::*;
    use std::ptr::null_mut;

    unsafe extern "C" fn forgets_the_last(count: u32, _: u32, run: fc_range_fn, task: *mut c_void, _: *mut c_void) {
        // SAFETY: as the header says.
        unsafe { run.unwrap()(0, count - 1, task) }
    }

    unsafe extern "C" fn goes_too_far(count: u32, _: u32, run: fc_range_fn, task: *mut c_void, _: *mut c_void) {
        // SAFETY: as the header says.
        unsafe { run.unwrap()(1, count + 1, task) }
    }

    fn run(tasks: &Tasks, count: usize, work: impl Fn(Range<usize>) + Sync) -> i32 {
        let prepare = || {
            tasks.parallel_for(count, 1, work);
            Ok(())
        };
        call(prepare, |()| FC_OK)
    }

    #[test]
    fn engines_that_lose_work_are_told() {
        for parallel_for in [forgets_the_last, goes_too_far] {
            let tasks = on_jobs(Jobs { parallel_for, user_data: null_mut() });
            assert_eq!(run(&tasks, 10, |_| {}), FC_ERROR_TASKS);
        }
    }

    #[test]
    fn panics_of_other_threads_come_back() {
        let tasks = on_threads(3).unwrap();
        let work = |range: Range<usize>| assert_ne!(range.start, 5, "work 5");
        assert_eq!(run(&tasks, 10, work), FC_ERROR_INTERNAL);
        assert_eq!(run(&tasks, 5, work), FC_OK);
    }
}
