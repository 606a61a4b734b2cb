//! An object of Fracas as a shape of Rapier: its box, its mass, and what rays and points find. Contacts are the dispatcher's.
//!
//! The frame of the shape is that of the object. Fragments keep the frame of what they were broken from, so at the break all of
//! them have the pose of the body that they replace.

use crate::convert::{point, to_rapier, vector};
use fracas::Object;
use nalgebra::{Matrix3, Rotation3, SymmetricEigen, UnitQuaternion};
use rapier3d::geometry::{Aabb, ColliderBuilder, SharedShape};
use rapier3d::math::{Real, Rotation, Vector};
use rapier3d::parry::bounding_volume::BoundingSphere;
use rapier3d::parry::mass_properties::MassProperties;
use rapier3d::parry::query::{PointProjection, PointQuery, Ray, RayCast, RayIntersection};
use rapier3d::parry::shape::{FeatureId, Shape, ShapeType, TypedShape};

/// The shape of an object, intact or a fragment. Cheap to clone: the object is shared.
#[derive(Clone, Debug)]
pub struct FcShape {
    object: Object,
}

impl FcShape {
    /// Of an object.
    pub fn new(object: Object) -> Self {
        Self { object }
    }

    /// The object.
    pub fn object(&self) -> &Object {
        &self.object
    }

    /// Half the diagonal of its box, in metres.
    pub fn radius(&self) -> f64 {
        self.object.in_metres().bounds().radius()
    }

    /// The shape of an object that this is; `None` if it is one of Rapier's.
    pub fn of(shape: &dyn Shape) -> Option<&Self> {
        shape.as_shape::<Self>()
    }

    /// A collider of it, as heavy as the object is.
    pub fn collider(object: Object) -> ColliderBuilder {
        let density = object.asset().density() as Real;
        ColliderBuilder::new(SharedShape::new(Self::new(object))).density(density)
    }

    /// Signed distance from a point of its frame, in metres, negative inside, and the way out.
    pub(crate) fn signed_distance(&self, p: &fracas::Point) -> (f64, fracas::Vector) {
        let found = self.object.in_metres().signed_distance(p);
        (found.distance, found.outward)
    }

    fn has_inside(&self, p: Vector) -> bool {
        self.compute_local_aabb().contains_local_point(p) && self.signed_distance(&point(p)).0 <= 0.0
    }
}

impl Shape for FcShape {
    fn compute_local_aabb(&self) -> Aabb {
        let bounds = self.object.in_metres().bounds();
        Aabb::new(to_rapier(&bounds.min.coords), to_rapier(&bounds.max.coords))
    }

    fn compute_local_bounding_sphere(&self) -> BoundingSphere {
        self.compute_local_aabb().bounding_sphere()
    }

    /// In double precision: the moments of small fragments differ by less than what single precision makes of their tensor.
    fn mass_properties(&self, density: Real) -> MassProperties {
        let own = self.object.in_metres().mass();
        let share = f64::from(density) / self.object.asset().density();
        let inertia: Matrix3<f64> = own.inertia * share;
        let principal = SymmetricEigen::new(inertia);
        let mut axes = principal.eigenvectors;
        if axes.determinant() < 0.0 {
            axes.column_mut(2).neg_mut();
        }
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes)).coords;
        MassProperties::with_principal_inertia_frame(
            to_rapier(&own.centre.coords),
            (own.mass * share) as Real,
            to_rapier(&principal.eigenvalues.map(|moment| moment.max(0.0))),
            Rotation::from_xyzw(turn.x as f32, turn.y as f32, turn.z as f32, turn.w as f32).normalize(),
        )
    }

    fn shape_type(&self) -> ShapeType {
        ShapeType::Custom
    }

    fn as_typed_shape(&self) -> TypedShape<'_> {
        TypedShape::Custom(self)
    }

    /// What moves by less in a step does not pass through anything. Fragments may be thin, so it is a thin part of the box.
    fn ccd_thickness(&self) -> Real {
        self.compute_local_aabb().half_extents().min_element()
    }

    fn ccd_angular_thickness(&self) -> Real {
        std::f32::consts::FRAC_PI_4
    }

    fn clone_dyn(&self) -> Box<dyn Shape> {
        Box::new(self.clone())
    }

    /// Objects come in other sizes, but not stretched.
    fn scale_dyn(&self, scale: Vector, _: u32) -> Option<Box<dyn Shape>> {
        let even = scale.x > 0.0 && scale == Vector::splat(scale.x);
        let scaled = even.then(|| self.object.scaled(self.object.scale() * f64::from(scale.x)))?.ok()?;
        Some(Box::new(Self::new(scaled)))
    }
}

impl RayCast for FcShape {
    fn cast_local_ray_and_get_normal(&self, ray: &Ray, most: Real, solid: bool) -> Option<RayIntersection> {
        let inside = self.has_inside(ray.origin);
        if inside && solid {
            return Some(RayIntersection::new(0.0, Vector::ZERO, FeatureId::Unknown));
        }
        // Both lengths are in directions, so the scale is that of the frame alone.
        let scale = self.object.scale();
        let hit = self.object.ray(&(point(ray.origin) / scale), &(vector(ray.dir) / scale), most.into())?;
        let towards = if inside { -hit.normal } else { hit.normal };
        Some(RayIntersection::new(hit.t as Real, to_rapier(&towards), FeatureId::Unknown))
    }
}

impl PointQuery for FcShape {
    fn project_local_point(&self, p: Vector, solid: bool) -> PointProjection {
        let (distance, outward) = self.signed_distance(&point(p));
        let inside = distance <= 0.0;
        let on_surface = p - to_rapier(&(outward * distance));
        PointProjection::new(inside, if inside && solid { p } else { on_surface })
    }

    fn project_local_point_and_get_feature(&self, p: Vector) -> (PointProjection, FeatureId) {
        (self.project_local_point(p, false), FeatureId::Unknown)
    }
}
