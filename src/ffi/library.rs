//! `fc_set_*`, `fc_shutdown`: what holds for the whole library.

pub use super::alloc::{fc_alloc_fn, fc_free_fn};
pub use super::hooks::{FC_LOG_ERROR, FC_LOG_INFO, FC_LOG_WARNING, fc_log_fn, fc_parallel_for_fn, fc_range_fn};

use super::alloc::{self, ALLOCATOR, Allocator};
use super::door::{call, failed};
use super::hooks::{self, Jobs, LOG, Log};
use super::status::{FC_ERROR_OUT_OF_MEMORY, FC_ERROR_WRONG_TIME, FC_OK, Failure, fc_status};
use super::{asset, batch, hull, object, query};
use crate::{contact, fracture};
use std::ffi::c_void;

/// More threads than this help nobody.
const MOST_THREADS: u32 = 256;

/// Has all memory come from the engine. NULL and NULL: from the system heap, the default.
///
/// Every block of the library, on any thread, is asked of `alloc` and given back to `free`. If `alloc` returns NULL, the
/// request is served from the system heap, and the call that made it frees what it has begun and returns
/// FC_ERROR_OUT_OF_MEMORY; only if the system heap is exhausted too does the process abort. Not asked of the hook are a table
/// of 32 bytes for each handle alive at once, and a few bytes for each hook that is set. Blocks live until their handles are
/// gone, but working memory belongs to the threads that make fc_ calls, and goes with them (that of the thread that calls
/// fc_shutdown goes there); keep the functions alive until then.
///
/// Fails    FC_ERROR_WRONG_TIME after the first call that uses memory (fc_set_log and the version calls do not), until
///          fc_shutdown. FC_ERROR_INVALID_ARGUMENT if only one of the functions is NULL.
///
/// # Safety
/// The functions do what fc_alloc_fn and fc_free_fn say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_set_allocator(alloc: fc_alloc_fn, free: fc_free_fn, user_data: *mut c_void) -> fc_status {
    let hook = match (alloc, free) {
        (Some(alloc), Some(free)) => Some(Allocator { alloc, free, user_data }),
        (None, None) => None,
        _ => return failed(&Failure::argument("alloc and free must both be functions, or both NULL")),
    };
    if alloc::is_used() {
        let text = "the allocator must be set before the first call that uses memory, or after fc_shutdown()".into();
        return failed(&Failure { status: FC_ERROR_WRONG_TIME, text });
    }
    remembered(ALLOCATOR.set(hook))
}

fn remembered(done: bool) -> fc_status {
    match done {
        true => FC_OK,
        false => failed(&Failure { status: FC_ERROR_OUT_OF_MEMORY, text: "the system heap is exhausted".into() }),
    }
}

/// Has warnings and reports of the library's own mistakes told to `log`. NULL: to nobody, the default.
///
/// # Safety
/// The function does what fc_log_fn says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_set_log(log: fc_log_fn, user_data: *mut c_void) -> fc_status {
    remembered(LOG.set(log.map(|write| Log { write, user_data })))
}

/// Has parallel work run on the engine's jobs. NULL: on the calling thread, the default.
///
/// Cooking, fc_fracture and fc_query_pairs use it. Results are the same, bit for bit, wherever work runs. Calls that are
/// running stay where they are.
/// Fails    FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// The function does what fc_parallel_for_fn says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_set_task_system(parallel_for: fc_parallel_for_fn, user_data: *mut c_void) -> fc_status {
    call(
        || Ok(parallel_for.map(|parallel_for| hooks::on_jobs(Jobs { parallel_for, user_data }))),
        |tasks| {
            hooks::set_tasks(tasks);
            FC_OK
        },
    )
}

/// Has parallel work run on threads of the library's own, for programs that have no job system. 0 or 1: on the calling
/// thread, the default. Replaces what fc_set_task_system set, and the other way round. Returns when threads that are no
/// longer wanted have ended.
///
/// Fails    FC_ERROR_INVALID_ARGUMENT (more than 256), FC_ERROR_TOO_LARGE (the system has no more), FC_ERROR_OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub extern "C" fn fc_set_threads(count: u32) -> fc_status {
    call(
        || match count {
            0 | 1 => Ok(None),
            2..=MOST_THREADS => hooks::on_threads(count as usize).map(Some),
            _ => Err(Failure::argument(format!("count is {count}; at most {MOST_THREADS} threads"))),
        },
        |tasks| {
            hooks::set_tasks(tasks);
            FC_OK
        },
    )
}

/// How many handles are alive, of all kinds: 0 when everything was destroyed.
#[unsafe(no_mangle)]
pub extern "C" fn fc_live_handles() -> u32 {
    asset::table().alive() + object::table().alive() + hull::table().alive()
}

/// Ends everything: all handles, all threads of the library's own, the working memory of this thread, all hooks. After it the
/// library is as if it had just been loaded, may be used again, or unloaded. Old handles stay invalid.
///
/// Calls that are running on other threads finish safely, but threads of the library's own end, and memory is given back, only
/// with them: let them finish first. `leaked_handles` is set to the number of handles that were still alive; it may be NULL.
///
/// # Safety
/// `leaked_handles` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_shutdown(leaked_handles: *mut u32) -> fc_status {
    let leaked = object::table().destroy_all() + asset::table().destroy_all() + hull::table().destroy_all();
    hooks::set_tasks(None);
    batch::release_scratch();
    query::release_scratch();
    contact::release_scratch();
    fracture::release_scratch();
    alloc::mark_unused();
    if !leaked_handles.is_null() {
        // SAFETY: required.
        unsafe { leaked_handles.write(leaked) };
    }
    // Blocks remember where they came from, so what other threads still keep finds its way back.
    remembered(ALLOCATOR.set(None) & LOG.set(None))
}
