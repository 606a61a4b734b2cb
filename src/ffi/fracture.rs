//! `fc_fracture`: breaks one object into new ones.

use super::descriptor::{self, Receiver, Stamped};
use super::door::{call, failed};
use super::hooks;
use super::hull::checked_plane;
use super::object::{self, Entry};
use super::pointer::{Buffer, FARTHEST, Out, buffer, out, place, slice, strided};
use super::status::{FC_ERROR_CAPACITY, FC_OK, FC_UNCHANGED, Failure, fc_status};
use super::types::fc_object;
use crate::fracture::pattern::{EdgeCut, Impact, LabelCuts, NodeGap, NodeLabels, Roughness, VoronoiCells};
use crate::fracture::{Fracture, FractureOptions, Outcome, Pattern, check_cells, fracture};
use crate::geom::{Point, Vector};
use nalgebra::Matrix3;
use std::ptr::null;
use std::sync::atomic::Ordering;

/// Cuts along planes: four floats per plane in `values`, normal and offset (normal . x = offset).
pub const FC_PATTERN_PLANES: u32 = 1;
/// Cuts into the Voronoi cells of points: three floats per point in `values`. `groups` joins cells, `metric` stretches
/// them: any union of convex cells is a pattern.
pub const FC_PATTERN_VORONOI: u32 = 2;
/// Cuts into the Voronoi cells of `count` random points (`seed`), distributed uniformly by volume within the object.
pub const FC_PATTERN_RANDOM_VORONOI: u32 = 3;
/// Breaks as under an impact: small cells at `impact_point`, larger ones away from it, about `count` in total. Cells
/// with a seed beyond `impact_radius` stay joined, so the remainder has a ragged border. Cells are elongated along
/// `impact_direction`; zero: isotropic.
pub const FC_PATTERN_IMPACT: u32 = 4;
/// Your own fracture: one label per node of the mesh in `labels` (nodes in no tetrahedron of this object are
/// ignored). `gaps` or `edge_cuts` say where the cracks cut; with neither, they cut edges at the middle.
pub const FC_PATTERN_LABELS: u32 = 5;

/// Distance of a node from the crack towards a label.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_node_gap {
    /// Your index of the node.
    pub node: u32,
    /// The label on the other side.
    pub opponent: u32,
    /// Distance in metres.
    pub gap: f64,
}

/// Position of a cut on an edge.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_edge_cut {
    /// Your indices of the end nodes.
    pub nodes: [u32; 2],
    /// From 0 at the first node to 1 at the second.
    pub position: f64,
}

/// Fracture options. Start from fc_fracture_desc_default() and set `pattern` and the fields that it uses. All
/// lengths are metres in the object's frame.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_fracture_desc {
    /// Set by fc_fracture_desc_default().
    pub struct_size: u32,
    /// FC_PATTERN_*. There is no default.
    pub pattern: u32,
    /// Planes or points, depending on the pattern.
    pub values: *const f32,
    /// Number of planes or points.
    pub value_count: u32,
    /// Bytes from one plane or point to the next; 0: tightly packed.
    pub value_stride: u32,
    /// One label per node of the mesh.
    pub labels: *const u32,
    /// Distances of nodes from cracks; may be NULL.
    pub gaps: *const fc_node_gap,
    /// Positions of cuts on edges; may be NULL.
    pub edge_cuts: *const fc_edge_cut,
    /// Number of labels; must be the number of nodes that the asset was made from.
    pub label_count: u32,
    /// Number of gaps.
    pub gap_count: u32,
    /// Number of edge cuts.
    pub edge_cut_count: u32,
    /// Number of cells, for patterns that take one. Default 8. Each takes a region or more: see max_regions.
    pub count: u32,
    /// Random seed of the pattern.
    pub seed: u64,
    /// Point of impact.
    pub impact_point: [f32; 3],
    /// Cells with a seed farther than this from impact_point stay joined. Default 0: half the object's radius, which is
    /// half the diagonal of its box.
    pub impact_radius: f32,
    /// Direction of the impact; need not be a unit vector.
    pub impact_direction: [f32; 3],
    /// Amplitude of rough cracks, as a fraction of the asset's radius, at most 0.05. Default 0: smooth. Labels are
    /// not affected.
    pub roughness: f32,
    /// Wavelength of the roughness, in mean edge lengths of the mesh, 2 or more. Default 4.
    pub roughness_wavelength: f32,
    /// Fragments with a smaller fraction of the object's volume are joined to a neighbour. Default 0: keep all.
    pub min_volume_share: f32,
    /// Random seed of the roughness.
    pub roughness_seed: u64,
    /// Fragments with a smaller bounding radius (half the diagonal of their box) are joined to the neighbour with
    /// which they share the largest crack. Default 0: keep all.
    pub min_radius: f32,
    /// Maximum number of fragments; beyond it, the smallest are joined to a neighbour. Default 0: no limit.
    pub max_fragments: u32,
    /// Maximum number of regions (convex parts of tetrahedra) that the fracture may create, a limit on time and
    /// memory: some hundred bytes each, and work that creates none is limited in proportion. Beyond it the call fails
    /// with FC_ERROR_TOO_LARGE, at once if that can be told beforehand, and creates nothing. Default 0: 4,194,304.
    pub max_regions: u32,
    /// Must be 0.
    pub reserved: u32,
    /// FC_PATTERN_VORONOI: one number per point; cells with the same number are one, without cracks between them. May be
    /// NULL: each is its own.
    pub groups: *const u32,
    /// FC_PATTERN_VORONOI: nine floats, a 3 x 3 matrix row by row. A point belongs to the cell whose point is nearest after
    /// both are multiplied by it; its scale does not matter. (1, 0, 0, 0, 1, 0, 0, 0, 0.5) gives cells twice as long along
    /// z. May be NULL: the identity.
    pub metric: *const f32,
}

// SAFETY: sizes add up without padding; numbers and pointers may be any bytes.
unsafe impl Stamped for fc_fracture_desc {
    const NAME: &'static str = "fc_fracture_desc";
    const DEFAULT: Self = Self {
        struct_size: 0,
        pattern: 0,
        values: null(),
        value_count: 0,
        value_stride: 0,
        labels: null(),
        gaps: null(),
        edge_cuts: null(),
        label_count: 0,
        gap_count: 0,
        edge_cut_count: 0,
        count: 8,
        seed: 0,
        impact_point: [0.0; 3],
        impact_radius: 0.0,
        impact_direction: [0.0; 3],
        roughness: 0.0,
        roughness_wavelength: 4.0,
        min_volume_share: 0.0,
        roughness_seed: 0,
        min_radius: 0.0,
        max_fragments: 0,
        max_regions: 0,
        reserved: 0,
        groups: null(),
        metric: null(),
    };
}

/// Outcome of a fracture. Start from fc_fracture_info_default().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fc_fracture_info {
    /// Set by fc_fracture_info_default().
    pub struct_size: u32,
    /// Number of fragments created; 0 if nothing was cut.
    pub fragment_count: u32,
    /// Number of pattern cells that have no volume in the object and so created no fragment.
    pub vanished_cells: u32,
    /// Number of fragments joined to a neighbour because they were too small or too many.
    pub crumbs_joined: u32,
}

// SAFETY: sizes add up without padding, and all fields are numbers.
unsafe impl Stamped for fc_fracture_info {
    const NAME: &'static str = "fc_fracture_info";
    const DEFAULT: Self = Self { struct_size: 0, fragment_count: 0, vanished_cells: 0, crumbs_joined: 0 };
}

/// Fills a descriptor of `struct_size` bytes with the defaults; use fc_fracture_desc_default().
///
/// # Safety
/// `desc` points to `struct_size` writable bytes, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_fracture_desc_init(desc: *mut fc_fracture_desc, struct_size: u32) {
    // SAFETY: required.
    unsafe { descriptor::init(desc, struct_size) };
}

/// Returns an upper bound on the number of fragments: the smaller of max_fragments and max_regions. The mesh sets no
/// limit, since a fragment need not own a node. Set max_fragments to keep the array short, or call fc_fracture with
/// the capacity that you have: if it is too small, FC_ERROR_CAPACITY comes with the number of fragments.
///
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_UNSUPPORTED.
///
/// # Safety
/// `desc` is as large as it says, `bound` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_fracture_bound(
    object: fc_object,
    desc: *const fc_fracture_desc,
    bound: *mut u32,
) -> fc_status {
    call(
        || {
            object::get(object, "object")?;
            // SAFETY: required.
            let (desc, place) = unsafe { (descriptor::read(desc, "desc")?, out(bound, "bound")?) };
            let limits = limits(&desc)?;
            Ok((place, limits.max_fragments.min(limits.max_regions)))
        },
        |(place, bound)| {
            place.write(bound);
            FC_OK
        },
    )
}

/// The validated limits of a descriptor, in metres. 0 selects the default.
fn limits(desc: &fc_fracture_desc) -> Result<FractureOptions, Failure> {
    let default = FractureOptions::default();
    let or = |number: u32, default: u32| if number == 0 { default } else { number };
    if desc.reserved != 0 {
        return Err(Failure::argument(format!("desc.reserved is {}; it must be 0", desc.reserved)));
    }
    // NaN is out of range too.
    if !(0.0..=FARTHEST).contains(&f64::from(desc.min_radius)) {
        let text = format!("desc.min_radius is {}; it must be a length, 0 to {FARTHEST:e} m", desc.min_radius);
        return Err(Failure::argument(text));
    }
    Ok(FractureOptions {
        min_radius: f64::from(desc.min_radius),
        min_volume_share: f64::from(desc.min_volume_share),
        max_fragments: or(desc.max_fragments, default.max_fragments),
        max_regions: or(desc.max_regions, default.max_regions),
        ..default
    })
}

/// Breaks an object: reads it and creates new objects, each connected, with its own mass properties, and breakable
/// again. Together they are exactly the old object. All or nothing.
///
/// The object stays unchanged: swap bodies at the end of your step, then destroy it. Fragments share its frame, so
/// give them its pose (and its velocity field). They inherit its scale and user data, and are ordered by pattern
/// cell.
/// FC_UNCHANGED: nothing was cut, `*count` is 0, keep the object.
///
/// `info` may be NULL.
/// Owner    the fragments are yours; release them with fc_object_destroy.
/// Threads  beside any other call, including queries of this object and its siblings; uses the task hook.
/// Cost     1.5 ms for a body of 5,000 nodes in 27 cells by seeds on one core, two to four times as much for blows and
///          joined cells, more for planes, rough cracks and fragments; grows with the tetrahedra of this object and with
///          the regions that the cracks cut them into. The first smooth fracture of a body by seeds or a blow defers part
///          of the work: the first fracture, surface, drawing or save of one of its fragments takes as long again, once.
///          Queries do not.
/// Fails    FC_ERROR_CAPACITY (more fragments than `capacity`: `*count` is set to their number, nothing is created),
///          FC_ERROR_TOO_LARGE (more regions than max_regions, or more than 16,777,216 seeds or planes; nothing is
///          created), FC_ERROR_INVALID_HANDLE,
///          FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED, FC_ERROR_TASKS.
///
/// # Safety
/// `desc` and its pointers are readable as far as its counts say, `fragments` has room for `capacity`, `count` is
/// writable, `info` is NULL or as large as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_fracture(
    object: fc_object,
    desc: *const fc_fracture_desc,
    fragments: *mut fc_object,
    capacity: u32,
    count: *mut u32,
    info: *mut fc_fracture_info,
) -> fc_status {
    call(
        || {
            let entry = object::get(object, "object")?;
            // SAFETY: required.
            let (desc, receivers) = unsafe {
                let info = if info.is_null() { None } else { Some(descriptor::receiver(info, "info")?) };
                let fragments = buffer(fragments, capacity, "fragments")?;
                (descriptor::read(desc, "desc")?, Receivers { fragments, count: out(count, "count")?, info })
            };
            let scale = entry.object.scale();
            // SAFETY: required.
            let mut pattern = unsafe { pattern(&desc, scale)? };
            if desc.roughness != 0.0 {
                pattern = pattern.rough(Roughness {
                    amplitude: desc.roughness as f64,
                    wavelength: desc.roughness_wavelength as f64,
                    seed: desc.roughness_seed,
                });
            }
            let limits = limits(&desc)?;
            let options = FractureOptions { min_radius: limits.min_radius / scale, tasks: hooks::tasks(), ..limits };
            let user_data = entry.user_data.load(Ordering::Relaxed);
            let made = match fracture(&entry.object, &pattern, &options)? {
                Outcome::Broken(made) => made,
                Outcome::Whole { vanished_cells } => {
                    Fracture { objects: vec![], cells: vec![], vanished_cells, crumbs_joined: 0 }
                }
            };
            let info = fc_fracture_info {
                struct_size: 0,
                fragment_count: made.objects.len() as u32,
                vanished_cells: made.vanished_cells,
                crumbs_joined: made.crumbs_joined,
            };
            let pieces = made.objects.into_iter().zip(made.cells);
            let entries: Vec<Box<Entry>> = pieces.map(|(object, cell)| Entry::new(object, cell, user_data)).collect();
            Ok((receivers, entries, info))
        },
        |(receivers, entries, info)| receivers.take(entries, &info).unwrap_or_else(|failure| failed(&failure)),
    )
}

/// Output pointers of fc_fracture.
struct Receivers {
    fragments: Buffer<fc_object>,
    count: Out<u32>,
    info: Option<Receiver<fc_fracture_info>>,
}

impl Receivers {
    #[allow(clippy::vec_box)] // boxed by the caller, so that nothing allocates here
    fn take(self, entries: Vec<Box<Entry>>, info: &fc_fracture_info) -> Result<fc_status, Failure> {
        let (found, capacity) = (entries.len(), self.fragments.capacity());
        if found > capacity {
            self.count.write(found as u32);
            let text = format!("there are {found} fragments, but room for {capacity}; make room or set max_fragments");
            return Err(Failure { status: FC_ERROR_CAPACITY, text });
        }
        object::insert_all(entries, &self.fragments)?;
        self.count.write(found as u32);
        if let Some(receiver) = self.info {
            receiver.write(info);
        }
        Ok(if found == 0 { FC_UNCHANGED } else { FC_OK })
    }
}

/// The pattern of a descriptor, in asset units.
///
/// # Safety
/// The pointers of `desc` are readable as far as its counts say.
unsafe fn pattern(desc: &fc_fracture_desc, scale: f64) -> Result<Pattern, Failure> {
    let point = |p: [f32; 3]| Point::from(p.map(|c| c as f64 / scale));
    let (count, stride) = (desc.value_count, desc.value_stride);
    match desc.pattern {
        FC_PATTERN_PLANES => {
            check_cells("desc.value_count", count as usize)?;
            // SAFETY: required.
            let values = unsafe { strided::<f32, 4>(desc.values, count, stride, "desc.values")? };
            let planes = values.into_iter().enumerate().map(|(k, values)| {
                let mut plane = checked_plane(k, values)?;
                plane.offset /= scale;
                Ok(plane)
            });
            Ok(Pattern::planes(planes.collect::<Result<_, Failure>>()?))
        }
        FC_PATTERN_VORONOI => {
            check_cells("desc.value_count", count as usize)?;
            // SAFETY: required.
            let values = unsafe { strided::<f32, 3>(desc.values, count, stride, "desc.values")? };
            // SAFETY: required.
            let (groups, metric) = unsafe {
                let groups = if desc.groups.is_null() { 0 } else { count };
                let metric = if desc.metric.is_null() { 0 } else { 9 };
                (slice(desc.groups, groups, "desc.groups")?, slice(desc.metric, metric, "desc.metric")?)
            };
            let metric = (!metric.is_empty()).then(|| Matrix3::from_row_iterator(metric.iter().map(|c| f64::from(*c))));
            Ok(Pattern::cells(VoronoiCells {
                seeds: values.into_iter().map(point).collect(),
                groups: groups.to_vec(),
                metric,
            }))
        }
        FC_PATTERN_RANDOM_VORONOI => Ok(Pattern::random_voronoi(desc.count, desc.seed)),
        FC_PATTERN_IMPACT => Ok(Pattern::impact(Impact {
            point: point(desc.impact_point),
            direction: Vector::from(place(desc.impact_direction.map(f64::from), "desc.impact_direction")?),
            radius: desc.impact_radius as f64 / scale,
            count: desc.count,
            seed: desc.seed,
        })),
        // SAFETY: required.
        FC_PATTERN_LABELS => unsafe { labels(desc, scale) },
        other => {
            let text = format!("desc.pattern is {other}; it must be one of FC_PATTERN_*");
            Err(Failure::argument(text))
        }
    }
}

/// # Safety
/// As [`pattern`].
unsafe fn labels(desc: &fc_fracture_desc, scale: f64) -> Result<Pattern, Failure> {
    // SAFETY: required.
    let (labels, gaps, edges) = unsafe {
        (
            slice(desc.labels, desc.label_count, "desc.labels")?,
            slice(desc.gaps, desc.gap_count, "desc.gaps")?,
            slice(desc.edge_cuts, desc.edge_cut_count, "desc.edge_cuts")?,
        )
    };
    let cuts = match (gaps, edges) {
        ([], []) => LabelCuts::Middle,
        (gaps, []) => {
            let gap = |g: &fc_node_gap| NodeGap { node: g.node, opponent: g.opponent, gap: g.gap / scale };
            LabelCuts::Gaps(gaps.iter().map(gap).collect())
        }
        ([], edges) => {
            let cut = |e: &fc_edge_cut| EdgeCut { nodes: e.nodes, position: e.position };
            LabelCuts::Edges(edges.iter().map(cut).collect())
        }
        _ => return Err(Failure::argument("desc has gaps and edge_cuts; give one of them")),
    };
    Ok(Pattern::labels(NodeLabels { labels: labels.to_vec(), cuts }))
}
