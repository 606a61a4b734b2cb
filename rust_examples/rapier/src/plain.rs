//! Contacts of an object with the shapes of Rapier.
//!
//! A small shape may lie between the samples of the object. Fracas tests the samples of the shape too: the centre of a ball,
//! points along the axis of a capsule, corners of boxes and polyhedra.

use crate::convert::{point, pose as to_pose, vector};
use crate::shape::FcShape;
use crate::terrain::Terrain;
use fracas::Point;
use fracas::contact::{Contact, QueryOptions, query_shape};
use fracas::field::shape::{Ball, Capsule, Cuboid, Custom, HalfSpace, Hull, Shape as Plain};
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::parry::query::{TypedWorkspaceData, Unsupported, WorkspaceData};
use rapier3d::parry::shape::{ConvexPolyhedron, Shape, TypedShape};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sides of what stands for a cylinder or a cone.
const SIDES: u32 = 48;

/// What is kept of a pair between steps: the planes of polyhedra, by the part of a compound that they are. Made when bodies meet.
///
/// Rapier takes a pair that keeps something for one whose manifolds come and go, and looks after its lists of them. Without it,
/// a manifold that is gone stays in the list of the solver.
#[derive(Clone, Default)]
pub(crate) struct Kept {
    hulls: BTreeMap<u32, Arc<Hull>>,
}

impl WorkspaceData for Kept {
    fn as_typed_workspace_data(&self) -> TypedWorkspaceData<'_> {
        TypedWorkspaceData::Custom
    }

    fn clone_dyn(&self) -> Box<dyn WorkspaceData> {
        Box::new(self.clone())
    }
}

/// An object, how to ask for its contacts, and where they go.
pub(crate) struct Asker<'a> {
    pub object: &'a FcShape,
    pub pose: Pose,
    pub options: QueryOptions,
    pub kept: &'a mut Kept,
    /// Each with the part of the compound that is touched.
    pub found: &'a mut Vec<(Contact, u32)>,
}

impl Asker<'_> {
    /// Finds the contacts with a shape. Normals point to the object. Compounds are asked part by part.
    pub fn ask(&mut self, shape: &dyn Shape, at: &Pose, part: u32) -> Result<(), Unsupported> {
        match shape.as_typed_shape() {
            TypedShape::HalfSpace(half_space) => {
                let plane = Plane { normal: vector(half_space.normal).normalize(), offset: 0.0 };
                self.touch(&HalfSpace(plane), at, part);
            }
            TypedShape::Ball(ball) => {
                self.touch(&Ball { centre: Point::origin(), radius: ball.radius.into() }, at, part);
            }
            TypedShape::Cuboid(cuboid) => {
                let half = vector(cuboid.half_extents);
                self.touch(&Cuboid { centre: Point::origin(), half }, at, part);
            }
            TypedShape::Capsule(capsule) => {
                let ends = [capsule.segment.a, capsule.segment.b].map(point);
                self.touch(&Capsule { ends, radius: capsule.radius.into() }, at, part);
            }
            TypedShape::ConvexPolyhedron(polyhedron) => self.ask_hull(at, part, || Some(polyhedron.clone()))?,
            TypedShape::Cylinder(cylinder) => {
                self.ask_hull(at, part, || ConvexPolyhedron::from_convex_hull(&cylinder.to_trimesh(SIDES).0))?
            }
            TypedShape::Cone(cone) => {
                self.ask_hull(at, part, || ConvexPolyhedron::from_convex_hull(&cone.to_trimesh(SIDES).0))?
            }
            TypedShape::TriMesh(mesh) => {
                let (mut terrain, around) = self.terrain(at);
                let mut near: Vec<u32> = mesh.bvh().intersect_aabb(&around).collect();
                near.sort_unstable(); // contacts must not depend on how the tree was built
                near.iter().for_each(|k| terrain.add(&mesh.triangle(*k)));
                self.ask_terrain(&terrain, at, part);
            }
            TypedShape::HeightField(heights) => {
                let (mut terrain, around) = self.terrain(at);
                heights.map_elements_in_local_aabb(&around, &mut |_, triangle| terrain.add(triangle));
                self.ask_terrain(&terrain, at, part);
            }
            TypedShape::Compound(compound) => {
                for (k, (place, child)) in compound.shapes().iter().enumerate() {
                    let at = at * to_pose(place);
                    let near = self.around(&at, self.margin()).intersects(&child.compute_local_aabb());
                    if near && FcShape::of(&**child).is_none() {
                        self.ask(&**child, &at, k as u32)?;
                    }
                }
            }
            _ => return Err(Unsupported),
        }
        Ok(())
    }

    fn margin(&self) -> f64 {
        self.options.margin.unwrap_or(0.0)
    }

    /// The box of the object, and so much around it, in the frame of a shape.
    fn around(&self, at: &Pose, more: f64) -> Aabb {
        let to_shape = at.inv_mul(&self.pose);
        let (translation, turn) = (to_shape.translation.vector.cast::<f32>(), to_shape.rotation.coords.cast::<f32>());
        let rotation = rapier3d::math::Rotation::from_xyzw(turn.x, turn.y, turn.z, turn.w);
        let place = rapier3d::math::Pose::from_parts([translation.x, translation.y, translation.z].into(), rotation);
        self.object.compute_aabb(&place).loosened(more as f32)
    }

    /// Terrain is as thick as the object is large: half of it may sink in and still find out.
    fn terrain(&self, at: &Pose) -> (Terrain, Aabb) {
        let thickness = self.object.radius();
        (Terrain::new(thickness), self.around(at, self.margin() + thickness))
    }

    fn ask_terrain(&mut self, terrain: &Terrain, at: &Pose, part: u32) {
        if !terrain.is_empty() {
            let signed = |p: &Point| terrain.signed_distance(p);
            // No points: the numbers of vertices are features, and which triangles are near changes from step to step.
            self.touch(&Custom { signed, point_count: 0, point: |_| Point::origin() }, at, part);
        }
    }

    fn ask_hull(
        &mut self,
        at: &Pose,
        part: u32,
        make: impl FnOnce() -> Option<ConvexPolyhedron>,
    ) -> Result<(), Unsupported> {
        let hull = match self.kept.hulls.get(&part) {
            Some(made) => made.clone(),
            None => {
                let made = Arc::new(make().as_ref().and_then(planes_of).ok_or(Unsupported)?);
                self.kept.hulls.insert(part, made.clone());
                made
            }
        };
        self.touch(&*hull, at, part);
        Ok(())
    }

    /// Contacts with one shape.
    fn touch<S: Plain>(&mut self, shape: &S, at: &Pose, part: u32) {
        let mut contacts = vec![];
        // Fails only on poses that are no poses: a body that has left this world touches nothing.
        let _ = query_shape(self.object.object(), &self.pose, shape, at, &self.options, &mut contacts);
        self.found.extend(contacts.into_iter().map(|contact| (contact, part)));
    }
}

/// Faces of a polyhedron as planes; `None` if it encloses nothing.
fn planes_of(polyhedron: &ConvexPolyhedron) -> Option<Hull> {
    let points = polyhedron.points();
    let planes = polyhedron.faces().iter().map(|face| {
        let corner = polyhedron.vertices_adj_to_face()[face.first_vertex_or_edge as usize];
        let normal = vector(face.normal).normalize();
        Plane { normal, offset: normal.dot(&vector(points[corner as usize])) }
    });
    Hull::new(planes.collect()).ok()
}
