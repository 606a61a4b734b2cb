//! `fc_object_tets`: an object as tetrahedra, for simulators of deforming bodies.

use super::door::call;
use super::object;
use super::pointer::{buffer, out};
use super::status::{FC_INCOMPLETE, FC_OK, fc_status};
use super::types::fc_object;

/// A node of an object's tetrahedra. 72 bytes, no padding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_tet_node {
    /// Metres, in the object's frame, while nothing is deformed.
    pub position: [f64; 3],
    /// Shares of four nodes of the asset's mesh, not negative, sum 1: where these have moved, this one has moved along. A
    /// node of the mesh itself has one share of 1.
    pub weights: [f64; 4],
    /// Those nodes, by your numbers.
    pub nodes: [u32; 4],
}

/// Returns an object as tetrahedra that fit together face to face, in its own frame: those of its asset, and parts of
/// them along its cracks. For simulators of deforming bodies, and for fc_soft_create, which needs FC_SOFT_ORIENTED for
/// them.
///
/// The corners of tetrahedra are right-handed. Where cracks nearly meet in a point, some may have no volume, or be
/// inverted by rounding: leave them out of a simulation.
///
/// Writes as many nodes and tetrahedra (four node indices each) as fit, and sets both counts to the total numbers;
/// FC_INCOMPLETE if something did not fit. Call it with capacities of 0, allocate, call it again: the tetrahedra are
/// cached between the two calls.
///
/// Owner    buffers stay yours.
/// Threads  beside any other call.
/// Cost     grows with the tetrahedra of the object; for a fragment, mostly those that are cut. The first such call on
///          fragments of a break may take several milliseconds more (see fc_fracture).
/// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
///
/// # Safety
/// `nodes` has room for `node_capacity`, `tets` for `tet_capacity` times four indices, counts are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_object_tets(
    object: fc_object,
    nodes: *mut fc_tet_node,
    node_capacity: u32,
    node_count: *mut u32,
    tets: *mut u32,
    tet_capacity: u32,
    tet_count: *mut u32,
) -> fc_status {
    call(
        || {
            let entry = object::get(object, "object")?;
            // SAFETY: required.
            let places = unsafe {
                (
                    buffer(nodes, node_capacity, "nodes")?,
                    out(node_count, "node_count")?,
                    buffer(tets.cast::<[u32; 4]>(), tet_capacity, "tets")?,
                    out(tet_count, "tet_count")?,
                )
            };
            let kept = entry.tets.lock().unwrap_or_else(|e| e.into_inner()).take();
            let made = kept.unwrap_or_else(|| entry.object.in_metres().tets());
            Ok((entry, made, places))
        },
        |(entry, made, (nodes, node_count, tets, tet_count))| {
            let some_nodes = nodes.fill(made.nodes.iter().map(|node| fc_tet_node {
                position: node.position.coords.into(),
                weights: node.weights,
                nodes: node.nodes,
            }));
            let some_tets = tets.fill(made.tets.iter().copied());
            node_count.write(made.nodes.len() as u32);
            tet_count.write(made.tets.len() as u32);
            if some_nodes == made.nodes.len() && some_tets == made.tets.len() {
                return FC_OK;
            }
            *entry.tets.lock().unwrap_or_else(|e| e.into_inner()) = Some(made);
            FC_INCOMPLETE
        },
    )
}
