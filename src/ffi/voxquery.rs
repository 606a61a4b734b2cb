//! `fc_query_voxtrees`: contacts of two trees, as far as a budget or a deadline allows.

use super::descriptor::{self, NOTHING, Stamped};
use super::door::call;
use super::pointer::{Buffer, FARTHEST, Results, buffer, place, pose, slice};
use super::query::{FC_LEVEL_ALL, FC_LEVEL_SPHERES, fc_query_stats, set_stats};
use super::status::{FC_ERROR_WRONG_TIME, FC_INTERRUPTED, Failure, fc_status};
use super::types::{FC_NONE, fc_contact, fc_pose, fc_voxtree};
use super::voxtree;
use crate::geom::{Pose, Vector};
use crate::voxtree::{
    ContactModel, Ends, Front, ModelScratch, NO_GROUP, NodePair, Normals, Order, Refinement, VoxContact, VoxTree,
    Weighting,
};
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;

/// Tree query flag: contact points are relative to `origin` instead of A's position.
pub const FC_VOXQUERY_ORIGIN: u32 = 1;
/// Tree query flag: pairs of cubes are divided level by level, as in the paper, instead of the likeliest first.
pub const FC_VOXQUERY_BY_LEVEL: u32 = 2;
/// Tree query flag: normals of pairs are along the line between their centres, instead of by the gradients of densities.
pub const FC_VOXQUERY_CENTRES: u32 = 4;
/// Tree query flag: all pairs count alike in averages, instead of by the probability that they collide.
pub const FC_VOXQUERY_AVERAGES: u32 = 8;
/// Tree query flag: one contact of the bodies, instead of one per pair of groups.
pub const FC_VOXQUERY_UNGROUPED: u32 = 16;

const KNOWN: u32 =
    FC_VOXQUERY_ORIGIN | FC_VOXQUERY_BY_LEVEL | FC_VOXQUERY_CENTRES | FC_VOXQUERY_AVERAGES | FC_VOXQUERY_UNGROUPED;

/// Says whether time is over: 0 if the query may go on. Called by the querying thread, often; it must be fast, and must not
/// call fc_query_voxtrees.
pub type fc_deadline_fn = Option<unsafe extern "C" fn(user_data: *mut c_void) -> i32>;

/// Options of a query of two trees. Start from fc_voxtree_query_desc_default(); every field has a default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_voxtree_query_desc {
    /// Set by fc_voxtree_query_desc_default().
    pub struct_size: u32,
    /// FC_VOXQUERY_*; default 0.
    pub flags: u32,
    /// Most tests of two cubes in this call; never exceeded. Measuring a sample of an exact finest level counts as eight. 1
    /// tests the cubes around the bodies. Default 0: no limit.
    pub budget: u64,
    /// Cubes of this level are not divided; 0 is the cube around all. Default FC_NONE: no limit, and exact finest levels are
    /// measured.
    pub level: u32,
    /// Maximum number of contacts, the likeliest. Default 0: no limit.
    pub max_contacts: u32,
    /// World position that contact points are relative to, if flags has FC_VOXQUERY_ORIGIN.
    pub origin: [f64; 3],
    /// Asked before each pair of cubes is divided. With it, results depend on the machine: it is the only option of the
    /// library that is not deterministic. Default NULL.
    pub is_over: fc_deadline_fn,
    /// Passed to it.
    pub user_data: *mut c_void,
}

// SAFETY: sizes add up without padding; numbers may be any bytes, and the caller guarantees the function pointer.
unsafe impl Stamped for fc_voxtree_query_desc {
    const NAME: &'static str = "fc_voxtree_query_desc";
    const DEFAULT: Self = Self {
        struct_size: 0,
        flags: 0,
        budget: 0,
        level: FC_NONE,
        max_contacts: 0,
        origin: [0.0; 3],
        is_over: None,
        user_data: NOTHING,
    };
}

/// A pair of cubes that overlap, one of each tree. 16 bytes, no padding.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct fc_node_pair {
    /// Their numbers.
    pub nodes: [u32; 2],
    /// For the library: when its turn is, or what was measured.
    pub key: u64,
}

/// How far the refinement of two trees went. Plain data that the caller keeps: it may be copied and saved, and a later call
/// with the same trees in the same poses goes on from it. Start from fc_refinement_default(), and give it memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_refinement {
    /// Set by fc_refinement_default().
    pub struct_size: u32,
    /// Number of pairs that `pairs` has room for. The query ends, interrupted, before it would need more.
    pub capacity: u32,
    /// Your memory.
    pub pairs: *mut fc_node_pair,
    /// Tests so far. 0: start anew.
    pub tests: u64,
    /// Number of pairs that may be divided or measured; they come first.
    pub open_count: u32,
    /// Number of pairs of finest cubes that need not be looked at again; they follow.
    pub done_count: u32,
    /// For the library.
    pub next: u32,
    /// For the library.
    pub order: u32,
    /// Result: the coarsest level that a cube of an open pair has; the number of levels if there is none.
    pub level: u32,
    /// Result: 1 if nothing is left to do, else 0.
    pub is_done: u32,
}

// SAFETY: sizes add up without padding; numbers and pointers may be any bytes, and every value is checked before use.
unsafe impl Stamped for fc_refinement {
    const NAME: &'static str = "fc_refinement";
    const DEFAULT: Self = Self {
        struct_size: 0,
        capacity: 0,
        pairs: null_mut(),
        tests: 0,
        open_count: 0,
        done_count: 0,
        next: 0,
        order: 0,
        level: 0,
        is_done: 0,
    };
}

/// Lists of a query.
#[derive(Default)]
struct Scratch {
    front: Front,
    model: ModelScratch,
    contacts: Vec<VoxContact>,
}

thread_local! {
    /// Taken, not borrowed: the caller's deadline function may call other functions.
    static KEPT: Cell<Scratch> = Cell::default();
    /// Whether this thread is in a deadline function.
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Frees this thread's scratch memory.
pub(super) fn release_scratch() {
    KEPT.take();
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_voxtree_query_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_voxtree_query_desc_init(desc: *mut fc_voxtree_query_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// A validated query.
pub(super) struct VoxQuery {
    pub model: ContactModel,
    ends: Ends,
    order: Order,
    max_contacts: usize,
    origin: Vector,
    is_over: fc_deadline_fn,
    user_data: *mut c_void,
}

impl VoxQuery {
    /// # Safety
    /// `desc` is null or as large as it says.
    pub unsafe fn read(desc: *const fc_voxtree_query_desc, pose_a: &Pose) -> Result<Self, Failure> {
        // SAFETY: required.
        let desc = unsafe { descriptor::read_or_default(desc, "desc")? };
        if desc.flags & !KNOWN != 0 {
            return Err(Failure::argument(format!("desc.flags is {:#x}; use FC_VOXQUERY_* or 0", desc.flags)));
        }
        let has = |flag: u32| desc.flags & flag != 0;
        let origin = match has(FC_VOXQUERY_ORIGIN) {
            true => Vector::from(place(desc.origin, "desc.origin")?),
            false => pose_a.translation.vector,
        };
        Ok(Self {
            model: ContactModel {
                normals: if has(FC_VOXQUERY_CENTRES) { Normals::Centres } else { Normals::Density },
                weighting: if has(FC_VOXQUERY_AVERAGES) { Weighting::Average } else { Weighting::Probability },
                grouped: !has(FC_VOXQUERY_UNGROUPED),
            },
            ends: Ends {
                budget: if desc.budget == 0 { u64::MAX } else { desc.budget },
                level: desc.level,
                ..Ends::NONE
            },
            order: if has(FC_VOXQUERY_BY_LEVEL) { Order::ByLevel } else { Order::ByProbability },
            max_contacts: if desc.max_contacts == 0 { usize::MAX } else { desc.max_contacts as usize },
            origin,
            is_over: desc.is_over,
            user_data: desc.user_data,
        })
    }

    /// Asks the deadline function.
    fn is_over(&self) -> bool {
        let Some(function) = self.is_over else { return false };
        IS_ASKED.set(true);
        // SAFETY: the caller gave it, and says that it may be called with its user data.
        let is_over = unsafe { function(self.user_data) } != 0;
        IS_ASKED.set(false);
        is_over
    }

    fn contact(&self, found: &VoxContact) -> fc_contact {
        let point = (found.point.coords - self.origin).map(|c| c.clamp(-FARTHEST, FARTHEST));
        fc_contact {
            point: point.cast::<f32>().into(),
            depth: found.depth as f32,
            normal: found.normal.cast::<f32>().into(),
            feature: feature(found.groups),
        }
    }
}

/// Bits 28 to 30: 1, a pair of groups; bits 14 to 27 and 0 to 13: the groups of A and of B.
fn feature(groups: [u16; 2]) -> u32 {
    let [a, b] = groups.map(|group| if group == NO_GROUP { 0x3fff } else { (group & 0x3fff) as u32 });
    1 << 28 | a << 14 | b
}

/// What a caller's refinement holds, put into lists.
///
/// # Safety
/// Its pairs are readable as far as its counts say.
pub(super) unsafe fn front(refinement: &fc_refinement, front: &mut Front) -> Result<(), Failure> {
    let (open, done) = (refinement.open_count, refinement.done_count);
    front.clear();
    if refinement.tests == 0 {
        return Ok(());
    }
    (front.tests, front.next) = (refinement.tests, refinement.next);
    front.order = if refinement.order == 0 { Order::ByLevel } else { Order::ByProbability };
    let Some(count) = open.checked_add(done).filter(|count| *count <= refinement.capacity) else {
        return Err(Failure::argument(format!(
            "refinement has {open} open and {done} done pairs and room for {}; fill it with fc_refinement_default() first",
            refinement.capacity
        )));
    };
    // SAFETY: required.
    let pairs = unsafe { slice(refinement.pairs, count, "refinement.pairs")? };
    let pair = |pair: &fc_node_pair| NodePair { nodes: pair.nodes, key: pair.key };
    front.open.extend(pairs[..open as usize].iter().map(pair));
    front.done.extend(pairs[open as usize..].iter().map(pair));
    Ok(())
}

/// Finds contacts of two trees, dividing pairs of cubes until nothing is left, or the budget, the level or the deadline of
/// `desc` ends it (VoxTree, Dingliana and O'Sullivan 2004). Interrupted, it returns FC_INTERRUPTED and the contacts of what
/// overlaps so far, which mean *maybe*: cubes overlap that may hold nothing there.
///
/// Writes at most `capacity` contacts, the likeliest first, and sets `*count` to the number found; FC_INCOMPLETE if that is
/// more. Without exact finest levels depths are estimates, good to half a finest cube; of cubes that may be divided they are
/// never negative. `feature`: bits 28 to 30 are 1, bits 14 to 27 the group of A, bits 0 to 13 that of B (0x3fff: a cube of
/// several).
///
/// `refinement` may be NULL. Else the query goes on from it, unless its `tests` are 0, and puts into it how far it came.
/// fc_query_get_stats returns tests as `work`.
///
/// Units    metres; poses are object to world, positions in double.
/// Owner    buffers stay yours; no pointer is kept.
/// Threads  beside any other call.
/// Memory   no heap allocation once this thread has handled as many pairs; at most 1,048,576 pairs (then interrupted).
/// Cost     some forty nanoseconds a test.
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (also a refinement whose counts exceed its capacity),
///          FC_ERROR_WRONG_TIME (called by a deadline function), FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// Poses are readable, `desc` is NULL or as large as it says, `refinement` is NULL or as large as it says, with readable and
/// writable pairs as far as its capacity says, `contacts` has room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_query_voxtrees(
    a: fc_voxtree,
    pose_a: *const fc_pose,
    b: fc_voxtree,
    pose_b: *const fc_pose,
    desc: *const fc_voxtree_query_desc,
    refinement: *mut fc_refinement,
    contacts: *mut fc_contact,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    let mut scratch = KEPT.take();
    scratch.contacts.clear();
    let status = call(
        || {
            if IS_ASKED.get() {
                let text =
                    "fc_query_voxtrees was called by a deadline function (is_over); it must only look at a clock"
                        .into();
                return Err(Failure { status: FC_ERROR_WRONG_TIME, text });
            }
            let (a, b) = (voxtree::get(a, "a")?, voxtree::get(b, "b")?);
            // SAFETY: required.
            let (poses, query, results, kept) = unsafe {
                let poses = [pose(pose_a, "pose_a")?, pose(pose_b, "pose_b")?];
                let kept = Kept::new(refinement, &mut scratch.front)?;
                let query = VoxQuery::read(desc, &poses[0])?;
                (poses, query, Results::new(contacts, capacity, count, "contacts")?, kept)
            };
            let before = scratch.front.tests;
            let outcome = run([&a, &b], poses, &query, kept.as_ref(), &mut scratch);
            Ok((query, results, kept, outcome, before, &scratch))
        },
        |(query, results, kept, outcome, before, scratch)| {
            if let Some(kept) = kept {
                kept.write(&scratch.front, &outcome);
            }
            let found = scratch.contacts.len().min(query.max_contacts);
            let status = results.take(scratch.contacts[..found].iter().map(|found| query.contact(found)));
            set_stats(fc_query_stats {
                pairs: 1,
                work: scratch.front.tests - before,
                found: scratch.contacts.len() as u64,
                left_out: (scratch.contacts.len() - found) as u64,
                level: if outcome.is_done { FC_LEVEL_ALL } else { FC_LEVEL_SPHERES },
                interrupted: !outcome.is_done as u32,
                ..fc_query_stats::DEFAULT
            });
            if outcome.is_done { status } else { FC_INTERRUPTED }
        },
    );
    KEPT.set(scratch);
    status
}

/// How a run ended.
struct Outcome {
    is_done: bool,
    level: u32,
}

fn run(
    trees: [&VoxTree; 2],
    poses: [Pose; 2],
    query: &VoxQuery,
    kept: Option<&Kept>,
    Scratch { front, model, contacts }: &mut Scratch,
) -> Outcome {
    let mut refinement = Refinement::resumed(trees, poses, std::mem::take(front));
    let pairs = kept.map_or(query.ends.pairs, |kept| kept.capacity().min(query.ends.pairs));
    let is_done = refinement.run(&Ends { pairs, ..query.ends }, query.order, || query.is_over());
    refinement.contacts_with(&query.model, model, contacts);
    let level = refinement.level();
    *front = refinement.into_front();
    Outcome { is_done, level }
}

/// A caller's refinement, and where it is written to.
struct Kept {
    theirs: fc_refinement,
    receiver: descriptor::Receiver<fc_refinement>,
    pairs: Buffer<fc_node_pair>,
}

impl Kept {
    /// Puts what a caller's refinement holds into lists; `None` if there is none.
    ///
    /// # Safety
    /// `refinement` is null or as large as it says, and its pairs are readable and writable as far as its capacity says.
    unsafe fn new(refinement: *mut fc_refinement, lists: &mut Front) -> Result<Option<Self>, Failure> {
        if refinement.is_null() {
            lists.clear();
            return Ok(None);
        }
        // SAFETY: required.
        unsafe {
            let theirs: fc_refinement = descriptor::read(refinement, "refinement")?;
            front(&theirs, lists)?;
            let pairs = buffer(theirs.pairs, theirs.capacity, "refinement.pairs")?;
            Ok(Some(Self { theirs, receiver: descriptor::receiver(refinement, "refinement")?, pairs }))
        }
    }

    fn capacity(&self) -> usize {
        self.pairs.capacity()
    }

    fn write(self, front: &Front, outcome: &Outcome) {
        let pair = |pair: &NodePair| fc_node_pair { nodes: pair.nodes, key: pair.key };
        self.pairs.fill(front.open.iter().map(pair));
        self.pairs.fill_from(front.open.len(), front.done.iter().map(pair));
        self.receiver.write(&fc_refinement {
            tests: front.tests,
            open_count: front.open.len() as u32,
            done_count: front.done.len() as u32,
            next: front.next,
            order: (front.order == Order::ByProbability) as u32,
            level: outcome.level,
            is_done: outcome.is_done as u32,
            ..self.theirs
        });
    }
}
