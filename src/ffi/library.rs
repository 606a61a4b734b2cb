//! `fc_set_*`, `fc_shutdown`: settings of the whole library.

pub use super::alloc::{fc_alloc_fn, fc_free_fn};
pub use super::hooks::{FC_LOG_ERROR, FC_LOG_INFO, FC_LOG_WARNING, fc_log_fn, fc_parallel_for_fn, fc_range_fn};

use super::alloc::{self, ALLOCATOR, Allocator};
use super::door::{call, failed};
use super::hooks::{self, Jobs, LOG, Log};
use super::status::{FC_ERROR_OUT_OF_MEMORY, FC_ERROR_WRONG_TIME, FC_OK, Failure, fc_status};
use super::{asset, batch, ccd, collision, hull, object, penalty, query, scene, soft, sweep, voxquery, voxtree};
use crate::{contact, fracture};
use std::ffi::c_void;

/// Upper limit of fc_set_threads; more bring no speedup.
const MOST_THREADS: u32 = 256;

/// Sets the allocator for all memory of the library. NULL and NULL: the system heap, the default.
///
/// Every block of the library, on any thread, is allocated with `alloc` and freed with `free`. If `alloc` returns
/// NULL, the request is served from the system heap, and the call that made it frees what it has allocated and
/// returns FC_ERROR_OUT_OF_MEMORY (a call that changes a scene may return FC_LOW_MEMORY instead and keep it); the
/// process aborts only if the system heap is exhausted too. Two things bypass
/// the hook: a table of 32 bytes per handle alive at once, and a few bytes for each hook that is set. Blocks live
/// until their handles are destroyed. Scratch memory belongs to the threads that make fc_ calls and is freed when
/// they end (for the thread that calls fc_shutdown, there); keep the functions valid until then.
///
/// Fails    FC_ERROR_WRONG_TIME after the first call that uses memory (fc_set_log and the version calls do not),
///          until fc_shutdown. FC_ERROR_INVALID_ARGUMENT if only one of the functions is NULL.
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

/// Sets the callback for warnings and for reports of bugs in the library. NULL: no log, the default.
///
/// # Safety
/// The function does what fc_log_fn says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_set_log(log: fc_log_fn, user_data: *mut c_void) -> fc_status {
    remembered(LOG.set(log.map(|write| Log { write, user_data })))
}

/// Runs parallel work on the engine's job system. NULL: on the calling thread, the default.
///
/// Used by cooking, fc_fracture, fc_query_pairs, fc_sweep_pairs, fc_scene_update and the queries of scenes. Results are
/// the same, bit for bit, wherever work runs. Calls that are already running are not moved.
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

/// Runs parallel work on threads created by the library, for programs that have no job system. 0 or 1: on the
/// calling thread, the default. Replaces the setting of fc_set_task_system, and vice versa. Returns when threads
/// that are no longer needed have ended.
///
/// Fails    FC_ERROR_INVALID_ARGUMENT (more than 256), FC_ERROR_TOO_LARGE (the system cannot create more),
///          FC_ERROR_OUT_OF_MEMORY.
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

/// Returns the number of live handles of all kinds: 0 when everything was destroyed.
#[unsafe(no_mangle)]
pub extern "C" fn fc_live_handles() -> u32 {
    let rigid = asset::table().alive() + object::table().alive() + hull::table().alive();
    rigid + scene::table().alive() + soft::table().alive() + voxtree::table().alive()
}

/// Shuts the library down: destroys all handles, ends all threads created by the library, frees the scratch memory
/// of this thread, and removes all hooks. The library is then as if it had just been loaded, and may be used again
/// or unloaded. Old handles stay invalid.
///
/// Calls that are running on other threads finish safely, but the library's threads end, and memory is freed, only
/// after them: let them finish first. `leaked_handles` is set to the number of handles that were still alive; it may
/// be NULL.
///
/// # Safety
/// `leaked_handles` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_shutdown(leaked_handles: *mut u32) -> fc_status {
    let leaked = scene::table().destroy_all()
        + soft::table().destroy_all()
        + voxtree::table().destroy_all()
        + object::table().destroy_all()
        + asset::table().destroy_all()
        + hull::table().destroy_all();
    hooks::set_tasks(None);
    batch::release_scratch();
    query::release_scratch();
    sweep::release_scratch();
    collision::release_scratch();
    penalty::release_scratch();
    soft::release_scratch();
    voxquery::release_scratch();
    ccd::release_scratch();
    contact::release_scratch();
    fracture::release_scratch();
    alloc::mark_unused();
    if !leaked_handles.is_null() {
        // SAFETY: required.
        unsafe { leaked_handles.write(leaked) };
    }
    // Each block records its allocator, so scratch memory of other threads is still freed correctly.
    remembered(ALLOCATOR.set(None) & LOG.set(None))
}
