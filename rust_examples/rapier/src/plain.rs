//! Contacts of an object with the shapes of Rapier.
//!
//! Fracas asks where samples of the object touch the shape. A small shape may lie between them, so it is asked the other way
//! round too: how deep balls, the ends of capsules, and the corners of boxes and polyhedra are in the object.

use crate::convert::{point, pose as to_pose, vector};
use crate::shape::FcShape;
use crate::terrain::Terrain;
use fracas::contact::{Contact, Feature, QueryOptions, query_shape, reduce_contacts};
use fracas::field::shape::{Ball, Capsule, Cuboid, Custom, Field, HalfSpace, Hull};
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::{Point, Vector};
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::parry::query::{TypedWorkspaceData, Unsupported, WorkspaceData};
use rapier3d::parry::shape::{ConvexPolyhedron, Shape, TypedShape};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sides of what stands for a cylinder or a cone.
const SIDES: u32 = 48;
/// Corners of a capsule along its segment, at most.
const MOST_ALONG: usize = 8;

/// What is kept of a pair between steps: the planes of polyhedra, by the part of a compound that they are. Made when bodies meet.
///
/// Rapier takes a pair that keeps something for one whose manifolds come and go, and looks after its lists of them. Without it,
/// a manifold that is gone stays in the list of the solver.
#[derive(Clone, Default)]
pub(crate) struct Kept {
    hulls: BTreeMap<u32, Arc<Polyhedron>>,
}

struct Polyhedron {
    hull: Hull,
    corners: Vec<Point>,
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
                self.touch(&HalfSpace(plane), at, part, []);
            }
            TypedShape::Ball(ball) => {
                let (centre, radius) = (Point::origin(), ball.radius.into());
                self.touch(&Ball { centre, radius }, at, part, [(centre, radius)]);
            }
            TypedShape::Cuboid(cuboid) => {
                let half = vector(cuboid.half_extents);
                let sign = |k: usize, axis: usize| if k >> axis & 1 == 0 { -1.0 } else { 1.0 };
                let corner = |k| Point::from(Vector::from_fn(|axis, _| half[axis] * sign(k, axis)));
                self.touch(&Cuboid { centre: Point::origin(), half }, at, part, (0..8).map(|k| (corner(k), 0.0)));
            }
            TypedShape::Capsule(capsule) => {
                let (ends, radius) = ([capsule.segment.a, capsule.segment.b].map(point), f64::from(capsule.radius));
                let along = ends[1] - ends[0];
                // Balls along it, no farther apart than they are thick.
                let count = ((along.norm() / radius).ceil() as usize).clamp(1, MOST_ALONG);
                let balls = (0..=count).map(|k| (ends[0] + along * (k as f64 / count as f64), radius));
                self.touch(&Capsule { ends, radius }, at, part, balls);
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
            self.touch(&Custom(|p: &Point| terrain.signed_distance(p)), at, part, []);
        }
    }

    fn ask_hull(
        &mut self,
        at: &Pose,
        part: u32,
        make: impl FnOnce() -> Option<ConvexPolyhedron>,
    ) -> Result<(), Unsupported> {
        let polyhedron = match self.kept.hulls.get(&part) {
            Some(made) => made.clone(),
            None => {
                let made = Arc::new(make().as_ref().and_then(planes_of).ok_or(Unsupported)?);
                self.kept.hulls.insert(part, made.clone());
                made
            }
        };
        self.touch(&polyhedron.hull, at, part, polyhedron.corners.iter().map(|corner| (*corner, 0.0)));
        Ok(())
    }

    /// Contacts with one shape: samples of the object in it, and its corners, balls of some radius around points, in the object.
    fn touch<F: Field>(&mut self, shape: &F, at: &Pose, part: u32, corners: impl IntoIterator<Item = (Point, f64)>) {
        let mut contacts = vec![];
        // Fails only on poses that are no poses: a body that has left this world touches nothing.
        if query_shape(self.object.object(), &self.pose, shape, at, &self.options, &mut contacts).is_err() {
            return;
        }
        let of_samples = contacts.len();
        let origin = Vector::from(self.options.origin.unwrap_or(self.pose.translation.vector.into()));
        let to_object = self.pose.inv_mul(at);
        for (k, (corner, radius)) in corners.into_iter().enumerate() {
            let reach = radius + self.margin();
            let centre = to_object * corner;
            let bounds = self.object.object().bounds();
            let scale = self.object.object().scale();
            let near = |axis: usize| {
                centre[axis] >= bounds.min[axis] * scale - reach && centre[axis] <= bounds.max[axis] * scale + reach
            };
            if !(0..3).all(near) {
                continue;
            }
            let (distance, outward) = self.object.signed_distance(&centre);
            if distance <= reach {
                let middle = self.pose * (centre - outward * ((radius + distance) / 2.0));
                let numbers = |v: &Vector| [v.x as f32, v.y as f32, v.z as f32];
                contacts.push(Contact {
                    point: numbers(&(middle.coords - origin)),
                    depth: (radius - distance) as f32,
                    normal: numbers(&(self.pose.rotation * -outward)),
                    feature: Feature { of_b: true, id: k as u32 }.encoded(),
                });
            }
        }
        if contacts.len() > of_samples {
            reduce_contacts(&mut contacts, self.options.max_per_normal, self.options.max_contacts);
        }
        self.found.extend(contacts.into_iter().map(|contact| (contact, part)));
    }
}

/// Faces of a polyhedron as planes; `None` if it encloses nothing.
fn planes_of(polyhedron: &ConvexPolyhedron) -> Option<Polyhedron> {
    let points = polyhedron.points();
    let planes = polyhedron.faces().iter().map(|face| {
        let corner = polyhedron.vertices_adj_to_face()[face.first_vertex_or_edge as usize];
        let normal = vector(face.normal).normalize();
        Plane { normal, offset: normal.dot(&vector(points[corner as usize])) }
    });
    let hull = Hull::new(planes.collect()).ok()?;
    Some(Polyhedron { hull, corners: points.iter().map(|p| point(*p)).collect() })
}
