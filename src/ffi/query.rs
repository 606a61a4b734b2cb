//! `fc_query_pair`, `fc_query_shape`, `fc_reduce_contacts`: contacts.

use super::clock::Moment;
use super::descriptor::{self, Stamped};
use super::door::call;
use super::object;
use super::pointer::{Buffer, FARTHEST, Out, buffer, out, place, pose, slice};
use super::shape::{self, ForShape, fc_shape};
use super::status::{FC_INCOMPLETE, FC_INTERRUPTED, FC_OK, Failure, fc_status};
use super::types::{fc_contact, fc_object, fc_pose};
use crate::body::Object;
use crate::contact::{
    Contact, Mode, Motion, MotionsOfStep, PairMemory, QueryOptions, QueryStats, Structure, query_pair_in_step,
    query_shape, query_shape_ahead, query_shape_remembered, reduce_contacts,
};
use crate::field::shape::Shape;
use crate::geom::Pose;
use std::cell::Cell;

/// Query flag: contact points are relative to `origin` instead of A's position.
pub const FC_QUERY_ORIGIN: u32 = 1;
/// Query flag: measure the time of the call for fc_query_stats (adds about 50 ns).
pub const FC_QUERY_TIMED: u32 = 2;
// 4 was FC_QUERY_CELLS, 8 FC_QUERY_ALONG_NORMAL (now the default). These bits stay reserved and are rejected like any
// unknown bit.
/// Query flag: search samples with the sphere trees of Glondu 2013 instead of the default buckets, for comparison.
/// Slower, and may select other samples. Both objects must come from assets with FC_ASSET_SPHERE_TREES.
pub const FC_QUERY_SPHERE_TREES: u32 = 16;
/// Query flag: measure depths between objects by the shortest way out of each point. The default is along the contact
/// normal, to the crack between siblings or to the face that faces the other body, as solvers need it: near a rim the
/// shortest way points sideways and is about zero however deep the bodies penetrate. With the flag, bodies that have
/// crossed get no common direction. Fragments near where they parted are still measured across their common crack.
pub const FC_QUERY_SHORTEST_WAY: u32 = 32;
/// Query flag: look at sample points only, and not at creases. Edges that cross between samples are missed.
pub const FC_QUERY_POINTS_ONLY: u32 = 64;

/// Contact mode: target_contacts well-spread contacts, then only contacts deeper than the deepest so far by more
/// than the tolerance. The default.
pub const FC_MODE_TARGET_THEN_DEEPER: u32 = 0;
/// Contact mode: target_contacts contacts, then all contacts deeper than the tolerance (Glondu et al. 2013).
pub const FC_MODE_TARGET_THEN_DEEP: u32 = 1;
/// Contact mode: target_contacts contacts and no more.
pub const FC_MODE_EXACTLY: u32 = 2;
/// Contact mode: every sample point in contact.
pub const FC_MODE_FULL: u32 = 3;

/// Level: only the bodies as wholes were looked at. One contact, along the direction in which they overlap least.
pub const FC_LEVEL_BODIES: u32 = 0;
/// Level: no sample was found to touch, but some were not measured. One contact in the middle of these.
pub const FC_LEVEL_SPHERES: u32 = 1;
/// Level: the contacts were measured, but there may be others, or deeper ones.
pub const FC_LEVEL_SAMPLES: u32 = 2;
/// Level: as many contacts as wanted were measured; deeper ones may be left.
pub const FC_LEVEL_TARGET: u32 = 3;
/// Level: all is known; the query was not interrupted.
pub const FC_LEVEL_ALL: u32 = 4;

/// Query options. Start from fc_query_desc_default(); every field has a default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_query_desc {
    /// Set by fc_query_desc_default().
    pub struct_size: u32,
    /// FC_QUERY_*; default 0. All other bits are rejected; 4 and 8 are retired and stay reserved.
    pub flags: u32,
    /// FC_MODE_*; default FC_MODE_TARGET_THEN_DEEPER.
    pub mode: u32,
    /// Target number of contacts per pair. Default 8.
    pub target_contacts: u32,
    /// Maximum number of contacts per pair. The contacts kept can apply the same forces and torques as the full set;
    /// fc_query_stats.left_out counts the rest. Default 0: no limit.
    pub max_contacts: u32,
    /// Metres. Bodies separated by at most this are still in contact, with depth < 0. Default -1: 0.1 % of the
    /// smaller radius.
    pub margin: f32,
    /// Metres by which a further contact must be deeper. Default -1: 0.2 % of the smaller radius, or a quarter of
    /// the largest depth so far, whichever is larger.
    pub tolerance: f32,
    /// Must be 0.
    pub reserved: u32,
    /// World position that contact points are relative to, if flags has FC_QUERY_ORIGIN.
    pub origin: [f64; 3],
    /// Maximum number of contacts per pair with nearly the same normal (within 5 degrees); 0: no limit. Default 4:
    /// solvers gain nothing from a fifth.
    pub max_per_normal: u32,
    /// Most units of work of the call, so that it ends in time: see fc_query_stats.work for what calls take. 1 looks at the
    /// bodies as wholes only. If that is less than the query needs, it returns its best contacts so far and FC_INTERRUPTED.
    /// Default 0: no limit.
    pub budget: u32,
    /// fc_query_pairs: how important each pair is, relative to the others, for its share of the budget; 0 and more. Default
    /// NULL: all alike.
    pub weights: *const f32,
    /// What is kept of each pair between queries: one fc_pair_memory for a single query, `pair_count` for fc_query_pairs, read
    /// and written. With it, contacts stay the same while the bodies do not move, which then costs next to nothing, and bodies
    /// that have crossed are pushed back to where they came from. Default NULL: nothing is kept.
    pub memories: *mut fc_pair_memory,
    /// How the bodies move, two per pair: A's, then B's; 2 * `pair_count` for fc_query_pairs. Besides the contacts of now, bodies get
    /// those that they will have within `seconds`, with the gaps of now as negative depths (speculative contacts): those of the first
    /// touch, and of what meets then if a solver lets no contact close by more than its gap. Where bodies turn far, less than the gap.
    /// A solver that respects them all, exactly, ends the step with bodies no more than 1 % of the smaller radius deeper in each
    /// other; measured to 500 m/s, 1 of 400 landings on a half-space goes deeper, 1 of 35 at an object that does not move, and of
    /// free pairs that close in by more than a radius 1 of 3: those can still pass through each other. Sweep what must not. What
    /// other bodies or forces add to the motion in the step is not known. Shapes given by a field have contacts of now only.
    /// `budget` is never exceeded; without one, this ends after some 16,000 units, with FC_INTERRUPTED. Default NULL: contacts of now.
    pub motions: *const fc_motion,
    /// Seconds of the step that `motions` are for. Default 0: contacts of now.
    pub seconds: f32,
    /// Must be 0.
    pub reserved_2: u32,
}

/// Linear and angular velocity of a body, in world axes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct fc_motion {
    /// Metres per second, of the centre of mass; of a simple shape, of the origin of its frame.
    pub linear: [f32; 3],
    /// Radians per second.
    pub angular: [f32; 3],
}

/// What a query keeps of a pair of bodies, for the next one. Zero at first; 440 bytes of plain data, no pointers: copy it, save it,
/// roll it back. The same memory and poses give the same contacts, bit for bit. A memory of other bodies is noticed and begins
/// anew. For a simple shape set it to zero if the shape changes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_pair_memory {
    /// The library's.
    pub data: [u64; 55],
}

const _: () = assert!(size_of::<fc_pair_memory>() == size_of::<PairMemory>());

/// A caller's memory of a pair.
#[derive(Clone, Copy)]
pub(super) struct MemoryAt(*mut fc_pair_memory);

// SAFETY: each is used by one thread at a time.
unsafe impl Send for MemoryAt {}
// SAFETY: likewise.
unsafe impl Sync for MemoryAt {}

impl MemoryAt {
    /// Runs a query with the memory of pair `k`, and writes it back if the query succeeds.
    pub fn with(
        self,
        k: usize,
        query: impl FnOnce(Option<&mut PairMemory>) -> Result<QueryStats, Failure>,
    ) -> Result<QueryStats, Failure> {
        if self.0.is_null() {
            return query(None);
        }
        // SAFETY: the caller gave as many as there are pairs, aligned (checked); both types are plain numbers of the same size.
        let mut memory = unsafe { self.0.add(k).cast::<PairMemory>().read() };
        let stats = query(Some(&mut memory))?;
        // SAFETY: as above.
        unsafe { self.0.add(k).cast::<PairMemory>().write(memory) };
        Ok(stats)
    }
}

// SAFETY: sizes add up without padding, and all fields are numbers or pointers.
unsafe impl Stamped for fc_query_desc {
    const NAME: &'static str = "fc_query_desc";
    const DEFAULT: Self = Self {
        struct_size: 0,
        flags: 0,
        mode: FC_MODE_TARGET_THEN_DEEPER,
        target_contacts: 8,
        max_contacts: 0,
        margin: -1.0,
        tolerance: -1.0,
        reserved: 0,
        origin: [0.0; 3],
        max_per_normal: 4,
        budget: 0,
        weights: std::ptr::null(),
        memories: std::ptr::null_mut(),
        motions: std::ptr::null(),
        seconds: 0.0,
        reserved_2: 0,
    };
}

/// Statistics of a query. Start from fc_query_stats_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_query_stats {
    /// Set by fc_query_stats_default().
    pub struct_size: u32,
    /// Number of pairs queried.
    pub pairs: u32,
    /// Number of spheres around samples tested.
    pub spheres_visited: u64,
    /// Number of samples tested against bounds.
    pub points_tested: u64,
    /// Number of samples whose depth or separation was computed: the most expensive step.
    pub evaluations: u64,
    /// Number of contacts found.
    pub found: u64,
    /// Number of contacts found but not returned because of max_contacts or max_per_normal.
    pub left_out: u64,
    /// Duration of the call if flags has FC_QUERY_TIMED, else 0.
    pub nanoseconds: u64,
    /// Units of work: one for bodies as wholes, for eight spheres or samples tested, and for a tighter bound of a sample;
    /// eight for an evaluation. The same on every machine; a unit takes 40 to 300 nanoseconds, and a pair
    /// about a microsecond besides.
    pub work: u64,
    /// FC_LEVEL_*: how far the query went; of many pairs, the lowest.
    pub level: u32,
    /// Number of pairs that the budget ended before all was known.
    pub interrupted: u32,
    /// Number of pairs whose contacts came from their memory: they had not moved.
    pub recalled: u64,
    /// Number of pairs that have crossed: their contacts have one direction, along which they came, and part the hulls.
    pub crossed: u64,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_query_stats {
    const NAME: &'static str = "fc_query_stats";
    const DEFAULT: Self = Self {
        struct_size: 0,
        pairs: 0,
        spheres_visited: 0,
        points_tested: 0,
        evaluations: 0,
        found: 0,
        left_out: 0,
        nanoseconds: 0,
        work: 0,
        level: FC_LEVEL_ALL,
        interrupted: 0,
        recalled: 0,
        crossed: 0,
    };
}

impl fc_query_stats {
    pub(super) fn add(&mut self, stats: &QueryStats) {
        self.pairs += 1;
        self.spheres_visited += stats.spheres_visited as u64;
        self.points_tested += stats.points_tested as u64;
        self.evaluations += stats.evaluations as u64;
        self.found += stats.found as u64;
        self.left_out += stats.left_out as u64;
        self.work += stats.work as u64;
        self.level = self.level.min(stats.level as u32);
        self.interrupted += stats.is_interrupted() as u32;
        self.recalled += stats.is_recalled as u64;
        self.crossed += stats.is_crossed as u64;
    }
}

thread_local! {
    /// Contacts to be returned. Taken, not borrowed: the caller's field callback may query too.
    static CONTACTS: Cell<Vec<Contact>> = const { Cell::new(vec![]) };
    static STATS: Cell<fc_query_stats> = const { Cell::new(fc_query_stats::DEFAULT) };
}

/// Lends this thread's contact buffer, cleared.
pub(super) fn with_contacts<T>(body: impl FnOnce(&mut Vec<Contact>) -> T) -> T {
    CONTACTS.with(|kept| {
        let mut contacts = kept.take();
        contacts.clear();
        let result = body(&mut contacts);
        kept.set(contacts);
        result
    })
}

/// Frees this thread's scratch memory.
pub(super) fn release_scratch() {
    CONTACTS.take();
}

pub(super) fn set_stats(stats: fc_query_stats) {
    STATS.set(stats);
}

/// 0 means no limit.
fn limit(number: u32) -> u32 {
    if number == 0 { u32::MAX } else { number }
}

/// A validated descriptor.
pub(super) struct Query {
    pub options: QueryOptions,
    pub started: Option<Moment>,
    weights: *const f32,
    pub memories: MemoryAt,
    motions: *const fc_motion,
    seconds: f64,
}

/// The motions of all pairs of a call over a step; none if it asks for contacts of now.
#[derive(Clone, Copy)]
pub(super) struct Motions<'a> {
    of_pairs: &'a [fc_motion],
    seconds: f64,
}

impl Motions<'_> {
    /// Of pair `k`, checked.
    pub fn of(&self, k: usize) -> Result<Option<MotionsOfStep>, Failure> {
        let Some(given) = self.of_pairs.get(2 * k..2 * k + 2) else { return Ok(None) };
        for (i, motion) in given.iter().enumerate() {
            for (name, velocity) in [("linear", motion.linear), ("angular", motion.angular)] {
                place(velocity.map(f64::from), "").map_err(|_| {
                    let index = 2 * k + i;
                    let text = format!(
                        "desc.motions[{index}].{name} is {velocity:?}; it must be finite and below {FARTHEST:e}"
                    );
                    Failure::argument(text)
                })?;
            }
        }
        let motions =
            [0, 1].map(|i| Motion { linear: given[i].linear.map(f64::from), angular: given[i].angular.map(f64::from) });
        Ok(Some((motions, self.seconds)))
    }
}

impl Query {
    /// Motions of pairs, if there are any.
    ///
    /// # Safety
    /// The descriptor's motions are null or two for each pair, and outlive `'a`.
    pub unsafe fn motions<'a>(&self, pairs: u32) -> Result<Motions<'a>, Failure> {
        let is_ahead = !self.motions.is_null() && self.seconds > 0.0;
        let count = if is_ahead { pairs.saturating_mul(2) } else { 0 };
        // SAFETY: required.
        Ok(Motions { of_pairs: unsafe { slice(self.motions, count, "desc.motions")? }, seconds: self.seconds })
    }

    /// Weights of pairs, if there are any.
    ///
    /// # Safety
    /// The descriptor's weights are null or as many as there are pairs, and outlive `'a`.
    pub unsafe fn weights<'a>(&self, count: u32) -> Result<Option<&'a [f32]>, Failure> {
        if self.weights.is_null() {
            return Ok(None);
        }
        // SAFETY: required.
        let weights = unsafe { slice(self.weights, count, "desc.weights")? };
        match weights.iter().position(|w| !(*w >= 0.0 && w.is_finite())) {
            Some(k) => Err(Failure::argument(format!(
                "desc.weights[{k}] is {}; it must be zero or a positive number",
                weights[k]
            ))),
            None => Ok(Some(weights)),
        }
    }

    /// # Safety
    /// `desc` is null or as large as it says.
    #[inline]
    pub unsafe fn read(desc: *const fc_query_desc) -> Result<Self, Failure> {
        // SAFETY: required.
        let desc = unsafe { descriptor::read_or_default(desc, "desc")? };
        let reserved = desc.reserved;
        let known =
            FC_QUERY_ORIGIN | FC_QUERY_TIMED | FC_QUERY_SPHERE_TREES | FC_QUERY_SHORTEST_WAY | FC_QUERY_POINTS_ONLY;
        if desc.flags & !known != 0 || reserved != 0 {
            let text = format!("desc.flags is {:#x} and reserved {reserved}; use FC_QUERY_* and 0", desc.flags);
            return Err(Failure::argument(text));
        }
        let mode = match desc.mode {
            FC_MODE_TARGET_THEN_DEEPER => Mode::TargetThenDeeper,
            FC_MODE_TARGET_THEN_DEEP => Mode::TargetThenDeep,
            FC_MODE_EXACTLY => Mode::Exactly,
            FC_MODE_FULL => Mode::Full,
            other => return Err(Failure::argument(format!("desc.mode is {other}; it must be one of FC_MODE_*"))),
        };
        // Negative selects the default. NaN does not compare as negative.
        let length = |value: f32, name: &str| match value as f64 {
            default if default < 0.0 => Ok(None),
            length if length <= FARTHEST => Ok(Some(length)),
            _ => Err(Failure::argument(format!("desc.{name} is {value}; it must be a length below {FARTHEST:e} m"))),
        };
        let origin = match desc.flags & FC_QUERY_ORIGIN != 0 {
            true => Some(place(desc.origin, "desc.origin")?),
            false => None,
        };
        let options = QueryOptions {
            mode,
            target: desc.target_contacts,
            margin: length(desc.margin, "margin")?,
            tolerance: length(desc.tolerance, "tolerance")?,
            max_contacts: limit(desc.max_contacts),
            max_per_normal: limit(desc.max_per_normal),
            origin,
            structure: match desc.flags & FC_QUERY_SPHERE_TREES {
                0 => Structure::Buckets,
                _ => Structure::SphereTree,
            },
            shortest_way: desc.flags & FC_QUERY_SHORTEST_WAY != 0,
            points_only: desc.flags & FC_QUERY_POINTS_ONLY != 0,
            budget: desc.budget,
        };
        if !desc.memories.is_aligned() {
            return Err(Failure::argument("desc.memories is not aligned to 8 bytes"));
        }
        let memories = MemoryAt(desc.memories);
        let (seconds, reserved_2) = (desc.seconds as f64, desc.reserved_2);
        // False for NaN too.
        if !(0.0..=FARTHEST).contains(&seconds) || reserved_2 != 0 {
            let text = format!(
                "desc.seconds is {seconds} and reserved_2 {reserved_2}; use the seconds of the step (0: contacts of now) and 0"
            );
            return Err(Failure::argument(text));
        }
        Ok(Self {
            options,
            weights: desc.weights,
            memories,
            motions: desc.motions,
            seconds,
            started: (desc.flags & FC_QUERY_TIMED != 0).then(Moment::now),
        })
    }

    pub fn nanoseconds(&self) -> u64 {
        self.started.map_or(0, |start| start.elapsed())
    }
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_query_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_query_desc_init(desc: *mut fc_query_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// Finds the contacts between two objects.
///
/// Writes at most `capacity` contacts and sets `*count` to the number found. If that is more than `capacity`,
/// returns FC_INCOMPLETE and the contacts written are valid. The order is greedy (deepest first, then the contact
/// that adds most), so any prefix is a good manifold. Ties are broken by `feature`, so the order is the same on
/// every run and for any number of threads. Swapping A and B gives the same contacts with the normals negated.
///
/// With a `desc->budget` that does not suffice, returns FC_INTERRUPTED and the best contacts so far: those measured, or, if
/// none was, one that stands for all that may touch (its feature has the index 0x0fffffff). They mean *maybe*.
///
/// Units    metres; poses are object to world, positions in double.
/// Owner    buffers stay yours; no pointer is kept.
/// Threads  beside any other call.
/// Memory   no heap allocation once both objects have been queried and this thread has handled as many contacts.
/// Cost     grows with the number of spheres visited, not with the mesh; fc_query_get_stats returns that number.
/// Fails    FC_ERROR_INVALID_HANDLE (stale or foreign), FC_ERROR_INVALID_ARGUMENT (NULL, a pose that is not finite
///          or not a rotation, a margin that is NaN), FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
///
/// `desc` may be NULL for the defaults.
///
/// # Safety
/// Poses are readable, `desc` is NULL or as large as it says, `contacts` has room for `capacity`, `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_query_pair(
    a: fc_object,
    pose_a: *const fc_pose,
    b: fc_object,
    pose_b: *const fc_pose,
    desc: *const fc_query_desc,
    contacts: *mut fc_contact,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    with_contacts(|found| {
        call(
            || {
                let (a, b) = (object::get(a, "a")?, object::get(b, "b")?);
                // SAFETY: required.
                let (pose_a, pose_b, query, receiver) = unsafe {
                    let receiver = Receiver::new(contacts, capacity, count)?;
                    (pose(pose_a, "pose_a")?, pose(pose_b, "pose_b")?, Query::read(desc)?, receiver)
                };
                // SAFETY: the header requires two.
                let ahead = unsafe { query.motions(1)? }.of(0)?;
                let stats = query.memories.with(0, |memory| {
                    let (a, b) = ((&a.object, &pose_a), (&b.object, &pose_b));
                    Ok(query_pair_in_step(a, b, ahead.as_ref(), &query.options, memory, found)?)
                })?;
                Ok((receiver, stats, query.nanoseconds(), &*found))
            },
            |(receiver, stats, nanoseconds, found)| receiver.take(found, &stats, nanoseconds),
        )
    })
}

/// Finds the contacts between an object, A, and a simple shape, B. Everything else is as in fc_query_pair.
///
/// Shapes have samples too, and those belong to B (bit 31 of the feature is set): the corners of a box (the lowest
/// bits of the feature give the side in x, y and z), the vertices of a hull, the centre of a ball, points along the
/// axis of a capsule, and the points of a field, by index. A half-space has none. They detect penetration of an
/// object between the object's own samples: a ball in the middle of a coarse face is located to less than a
/// hundredth of a mesh edge. A ball touches on up to four sides, as in a groove or the corner of a room, and so does
/// each sample of a capsule: to the index is added the number of the side, from 0 to 3, times the number of samples;
/// with a memory a side keeps its number. A sample of a shape either pushes the object out of the shape or makes no
/// contact, so the vertices of flat ground never stop an object that slides over them.
///
/// # Safety
/// As fc_query_pair; `shape` is as large as it says, and its points are readable as far as their count says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_query_shape(
    a: fc_object,
    pose_a: *const fc_pose,
    shape: *const fc_shape,
    pose_shape: *const fc_pose,
    desc: *const fc_query_desc,
    contacts: *mut fc_contact,
    capacity: u32,
    count: *mut u32,
) -> fc_status {
    with_contacts(|found| {
        call(
            || {
                let a = object::get(a, "a")?;
                // SAFETY: required.
                let (pose_a, pose_b, query, shape, receiver) = unsafe {
                    let receiver = Receiver::new(contacts, capacity, count)?;
                    let poses = (pose(pose_a, "pose_a")?, pose(pose_shape, "pose_shape")?);
                    (poses.0, poses.1, Query::read(desc)?, shape::read(shape)?, receiver)
                };
                // SAFETY: the header requires two.
                let ahead = unsafe { query.motions(1)? }.of(0)?;
                let stats = query.memories.with(0, |memory| {
                    let poses = [&pose_a, &pose_b];
                    shape.with(ShapeQuery { a: &a.object, poses, options: &query.options, ahead, memory, found })
                })?;
                Ok((receiver, stats, query.nanoseconds(), &*found))
            },
            |(receiver, stats, nanoseconds, found)| receiver.take(found, &stats, nanoseconds),
        )
    })
}

/// A query of an object against a shape.
struct ShapeQuery<'a> {
    a: &'a Object,
    poses: [&'a Pose; 2],
    options: &'a QueryOptions,
    ahead: Option<MotionsOfStep>,
    memory: Option<&'a mut PairMemory>,
    found: &'a mut Vec<Contact>,
}

impl ForShape for ShapeQuery<'_> {
    type Output = QueryStats;

    fn run(self, shape: &impl Shape) -> Result<QueryStats, Failure> {
        let Self { a, poses: [pose_a, pose_b], options, ahead, memory, found } = self;
        Ok(match (ahead, memory) {
            (Some(([of_a, of_b], seconds)), memory) => {
                query_shape_ahead(a, pose_a, &of_a, shape, pose_b, &of_b, seconds, options, memory, found)?
            }
            (None, Some(memory)) => query_shape_remembered(a, pose_a, shape, pose_b, options, memory, found)?,
            (None, None) => query_shape(a, pose_a, shape, pose_b, options, found)?,
        })
    }
}

/// Output pointers of a query.
struct Receiver {
    contacts: Buffer<fc_contact>,
    count: Out<u32>,
}

impl Receiver {
    /// # Safety
    /// As [`buffer`] and [`out`].
    unsafe fn new(contacts: *mut fc_contact, capacity: u32, count: *mut u32) -> Result<Self, Failure> {
        // SAFETY: required.
        unsafe { Ok(Self { contacts: buffer(contacts, capacity, "contacts")?, count: out(count, "count")? }) }
    }

    fn take(&self, found: &[Contact], stats: &QueryStats, nanoseconds: u64) -> fc_status {
        let written = self.contacts.fill(found.iter().map(|c| (*c).into()));
        self.count.write(found.len() as u32);
        let mut all = fc_query_stats { nanoseconds, ..fc_query_stats::DEFAULT };
        all.add(stats);
        set_stats(all);
        match written < found.len() {
            _ if stats.is_interrupted() => FC_INTERRUPTED,
            true => FC_INCOMPLETE,
            false => FC_OK,
        }
    }
}

/// Reduces contacts in the same way as queries do: to at most `max_per_normal` contacts with nearly the same normal
/// (within 5 degrees) and at most `max_contacts` in total; 0 means no limit. For engines that merge the contacts of
/// several pairs, such as those of a compound. All points must be relative to the same origin. The deepest contact
/// is always kept, together with those that best span each group of normals, so that the result can apply the same
/// forces and torques as the full set. The order is that of a query.
///
/// Writes at most `capacity` contacts and sets `*reduced_count` to the number that remain. If that is more than
/// `capacity`, returns FC_INCOMPLETE and the contacts written are valid. `reduced` may be `contacts`.
///
/// Owner    buffers stay yours; no pointer is kept.
/// Threads  beside any other call.
/// Memory   no heap allocation once this thread has handled as many contacts.
/// Fails    FC_ERROR_INVALID_ARGUMENT (NULL, a contact with a value that is not finite), FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// `contacts` has `count` elements, `reduced` room for `capacity`, `reduced_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_reduce_contacts(
    contacts: *const fc_contact,
    count: u32,
    max_per_normal: u32,
    max_contacts: u32,
    reduced: *mut fc_contact,
    capacity: u32,
    reduced_count: *mut u32,
) -> fc_status {
    with_contacts(|list| {
        call(
            || {
                // SAFETY: required. The input is copied before any output is written.
                let (given, places, number) = unsafe {
                    let given = slice(contacts, count, "contacts")?;
                    (given, buffer(reduced, capacity, "reduced")?, out(reduced_count, "reduced_count")?)
                };
                for (k, contact) in given.iter().enumerate() {
                    if !contact.point.iter().chain(&contact.normal).chain([&contact.depth]).all(|c| c.is_finite()) {
                        let text = format!("contacts[{k}] is {contact:?}; its numbers must be finite");
                        return Err(Failure::argument(text));
                    }
                }
                list.extend(given.iter().map(|c| Contact::from(*c)));
                reduce_contacts(list, limit(max_per_normal), limit(max_contacts));
                Ok((places, number, &*list))
            },
            |(places, number, list)| {
                let written = places.fill(list.iter().map(|c| (*c).into()));
                number.write(list.len() as u32);
                if written < list.len() { FC_INCOMPLETE } else { FC_OK }
            },
        )
    })
}

/// Returns the statistics of this thread's last successful query.
///
/// Fails    FC_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `stats` is as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_query_get_stats(stats: *mut fc_query_stats) -> fc_status {
    call(
        // SAFETY: required.
        || unsafe { descriptor::receiver(stats, "stats") },
        |receiver| {
            receiver.write(&STATS.get());
            FC_OK
        },
    )
}
