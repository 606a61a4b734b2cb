//! Contacts from the front of a refinement (VoxTree 3.2 to 3.9): a primitive per pair of cubes, averaged over groups.

use super::refine::Refinement;
use crate::geom::{Point, Vector};

/// Where the normal of a pair of cubes comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Normals {
    /// Along the line between the centres (3.2).
    #[default]
    Centres,
    /// Out of one body and into the other, by the density gradients of both cubes (3.7).
    Density,
}

/// How primitives are averaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weighting {
    /// All alike (eq. 1 and 2).
    Average,
    /// By the probability that they collide (eq. 9 and 10).
    #[default]
    Probability,
}

/// How contacts are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactModel {
    /// Normals of pairs.
    pub normals: Normals,
    /// Their averages.
    pub weighting: Weighting,
    /// One contact per pair of groups (3.9), or one of all.
    pub grouped: bool,
}

impl Default for ContactModel {
    fn default() -> Self {
        Self { normals: Normals::Density, weighting: Weighting::Probability, grouped: true }
    }
}

/// A contact, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoxContact {
    /// Midway between both surfaces, as far as densities tell.
    pub point: Point,
    /// Unit vector from the second body towards the first.
    pub normal: Vector,
    /// Estimated penetration.
    pub depth: f64,
    /// Sum of the probabilities of its pairs.
    pub probability: f64,
    /// Groups of both bodies; [`super::NO_GROUP`] for cubes of several.
    pub groups: [u16; 2],
    /// Number of its pairs.
    pub pairs: u32,
}

/// A pair of cubes as a contact (3.2), in the frame of the first tree.
struct Primitive {
    groups: [u16; 2],
    point: Point,
    normal: Vector,
    probability: f64,
    /// Centres, and how far the surface is beyond them, by the densities.
    surfaces: [(Point, f64); 2],
}

impl Refinement<'_> {
    /// Appends the contacts of what overlaps now, the likeliest first.
    pub fn contacts(&self, model: &ContactModel, out: &mut Vec<VoxContact>) {
        let mut primitives: Vec<Primitive> = self.pairs().map(|pair| self.primitive(pair, model)).collect();
        // Stable, in the order of the front within a group.
        primitives.sort_by_key(|p| p.groups);
        let first = out.len();
        out.extend(primitives.chunk_by(|a, b| a.groups == b.groups).map(|group| self.contact(group, model)));
        out[first..].sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.groups.cmp(&b.groups)));
    }

    fn primitive(&self, pair: [u32; 2], model: &ContactModel) -> Primitive {
        let ((a, ra), (b, rb)) = self.cubes(pair);
        let [node_a, node_b] = [0, 1].map(|k| &self.trees[k].nodes()[pair[k] as usize]);
        let outward = [self.trees[0].outward(pair[0]), self.turned(&self.trees[1].outward(pair[1]))];
        let between = (a - b).try_normalize(1e-9 * (ra + rb));
        let by_density = (outward[1] - outward[0]).try_normalize(1e-6);
        let normal = match model.normals {
            Normals::Centres => between.or(by_density),
            Normals::Density => by_density.or(between),
        };
        let beyond = |r: f64, density: f32| r * (2.0 * density as f64 - 1.0);
        Primitive {
            groups: if model.grouped { [node_a.group, node_b.group] } else { [super::groups::NO_GROUP; 2] },
            // Divided by the sizes.
            point: a + (b - a) * (ra / (ra + rb)),
            normal: normal.unwrap_or_else(Vector::z),
            probability: self.probability(pair) as f64,
            surfaces: [(a, beyond(ra, node_a.density)), (b, beyond(rb, node_b.density))],
        }
    }

    /// The average of primitives (eq. 1, 2, 9, 10). Where all probabilities are zero, or normals cancel, all count alike.
    fn contact(&self, group: &[Primitive], model: &ContactModel) -> VoxContact {
        let probability: f64 = group.iter().map(|p| p.probability).sum();
        let is_weighted = model.weighting == Weighting::Probability && probability > 0.0;
        let weight = |p: &Primitive| if is_weighted { p.probability } else { 1.0 };
        let sum: Vector = group.iter().map(|p| p.normal * weight(p)).sum();
        let plain = || group.iter().map(|p| p.normal).sum::<Vector>().try_normalize(1e-9);
        let normal = sum.try_normalize(1e-9).or_else(plain).unwrap_or(group[0].normal);
        let total: f64 = group.iter().map(weight).sum();
        let point = Point::from(group.iter().map(|p| p.point.coords * weight(p)).sum::<Vector>() / total);
        // The surfaces of both along the normal: how far the second reaches up, and the first down.
        let height = |k: usize, sign: f64| {
            let heights = group.iter().map(|p| normal.dot(&p.surfaces[k].0.coords) * sign + p.surfaces[k].1);
            heights.fold(f64::NEG_INFINITY, f64::max)
        };
        let (up, down) = (height(1, 1.0), -height(0, -1.0));
        let middle = point + normal * (0.5 * (up + down) - normal.dot(&point.coords));
        VoxContact {
            point: self.poses[0] * middle,
            normal: self.poses[0].rotation * normal,
            depth: up - down,
            probability,
            groups: group[0].groups,
            pairs: group.len() as u32,
        }
    }
}
