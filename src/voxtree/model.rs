//! Contacts from the front of a refinement (VoxTree 3.2 to 3.9): a primitive per pair of cubes, averaged over groups.

use super::groups::NO_GROUP;
use super::refine::{NodePair, Refinement};
use crate::geom::pinned::{cbrt, powi};
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
    /// Penetration: estimated, or, of an exact finest level, measured.
    pub depth: f64,
    /// Whether it was measured: at a sample of an exact finest level.
    pub is_measured: bool,
    /// Sum of the probabilities of its pairs.
    pub probability: f64,
    /// Groups of both bodies; [`super::NO_GROUP`] for cubes of several.
    pub groups: [u16; 2],
    /// Number of its pairs.
    pub pairs: u32,
}

/// A pair of cubes as a contact (3.2), in the frame of the first tree.
#[derive(Clone, Copy)]
struct Primitive {
    groups: [u16; 2],
    /// By its place in the front.
    number: u32,
    is_measured: bool,
    is_finest: bool,
    point: Point,
    normal: Vector,
    probability: f64,
    cubes: [Filled; 2],
    depth: f64,
}

/// A cube as far as it is filled.
#[derive(Clone, Copy)]
struct Filled {
    centre: Point,
    half: f64,
    density: f64,
    outward: Vector,
}

impl Filled {
    /// How high what is in it reaches in a direction. Where that is out of the body: as a slab of the same volume; across that, as a ball.
    fn height(&self, direction: &Vector) -> f64 {
        let slab = 2.0 * self.density - 1.0;
        let ball = cbrt(self.density * 6.0 / std::f64::consts::PI).min(1.0);
        let along = powi(self.outward.dot(direction).max(0.0), 2);
        direction.dot(&self.centre.coords) + self.half * (slab * along + ball * (1.0 - along))
    }
}

/// Pairs up to this many times as large as the smallest tell depths. One division by two of one cube makes 1.5.
const SIZES: f64 = 1.6;

/// Memory of making contacts, to be used again.
#[derive(Default)]
pub struct ModelScratch(Vec<Primitive>);

impl Refinement<'_> {
    /// Appends the contacts of what overlaps now, measured ones first, then the likeliest.
    pub fn contacts(&self, model: &ContactModel, out: &mut Vec<VoxContact>) {
        self.contacts_with(model, &mut ModelScratch::default(), out);
    }

    /// The same, with memory that was used before.
    pub fn contacts_with(
        &self,
        model: &ContactModel,
        ModelScratch(primitives): &mut ModelScratch,
        out: &mut Vec<VoxContact>,
    ) {
        primitives.clear();
        primitives.extend((0..).zip(self.pairs()).map(|(number, pair)| self.primitive(number, pair, model)));
        primitives.sort_unstable_by_key(|p| (p.groups, !p.is_measured, p.number));
        let first = out.len();
        for group in primitives.chunk_by(|a, b| a.groups == b.groups) {
            out.push(if group[0].is_measured { self.measured_contact(group) } else { self.contact(group, model) });
        }
        let order = |c: &VoxContact| if c.is_measured { f64::INFINITY } else { c.probability };
        out[first..].sort_unstable_by(|a, b| order(b).total_cmp(&order(a)).then(a.groups.cmp(&b.groups)));
    }

    /// The contact of each pair of the front before they are averaged (figure 9): point, normal, and how likely it is.
    pub fn raw_contacts(&self, model: &ContactModel, mut found: impl FnMut(Point, Vector, f64)) {
        for pair in self.pairs() {
            let raw = self.primitive(0, pair, model);
            let pose = &self.pair.poses[0];
            found(pose * raw.point, pose.rotation * raw.normal, raw.probability);
        }
    }

    fn primitive(&self, number: u32, pair: &NodePair, model: &ContactModel) -> Primitive {
        let nodes = pair.nodes;
        let ((a, ra), (b, rb)) = self.pair.cubes(nodes);
        let [node_a, node_b] = [0, 1].map(|k| &self.pair.trees[k].nodes()[nodes[k] as usize]);
        let outward =
            [self.pair.trees[0].outward(nodes[0]), self.pair.second.rotation * self.pair.trees[1].outward(nodes[1])];
        let between = (a - b).try_normalize(1e-9 * (ra + rb));
        let by_density = (outward[1] - outward[0]).try_normalize(1e-6);
        let normal = match model.normals {
            Normals::Centres => between.or(by_density),
            Normals::Density => by_density.or(between),
        };
        let estimate = Primitive {
            groups: if model.grouped { [node_a.group, node_b.group] } else { [NO_GROUP; 2] },
            number,
            is_measured: false,
            is_finest: self.is_finest(nodes),
            // Divided by the sizes.
            point: a + (b - a) * (ra / (ra + rb)),
            normal: normal.unwrap_or_else(Vector::z),
            probability: self.pair.probability(nodes) as f64,
            cubes: [
                Filled { centre: a, half: ra, density: node_a.density as f64, outward: outward[0] },
                Filled { centre: b, half: rb, density: node_b.density as f64, outward: outward[1] },
            ],
            depth: 0.0,
        };
        match self.measured(pair) {
            Some(touch) => {
                Primitive { is_measured: true, point: touch.at, normal: touch.normal, depth: touch.depth, ..estimate }
            }
            None => estimate,
        }
    }

    /// The deepest of the measured ones of a group, which come first.
    fn measured_contact(&self, group: &[Primitive]) -> VoxContact {
        let measured = group.iter().take_while(|p| p.is_measured);
        let deepest = measured.fold(&group[0], |best, p| if p.depth > best.depth { p } else { best });
        VoxContact {
            point: self.pair.poses[0] * deepest.point,
            normal: self.pair.poses[0].rotation * deepest.normal,
            depth: deepest.depth,
            is_measured: true,
            probability: group.iter().map(|p| p.probability).sum(),
            groups: deepest.groups,
            pairs: group.len() as u32,
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
        // Only by the smallest cubes, and those with one division less: large ones that were put off as unlikely reach too far.
        let size = |p: &Primitive| p.cubes[0].half + p.cubes[1].half;
        let most = SIZES * group.iter().map(size).fold(f64::INFINITY, f64::min);
        let height = |k: usize, way: Vector| {
            let small = group.iter().filter(|p| size(p) <= most);
            small.map(|p| p.cubes[k].height(&way)).fold(f64::NEG_INFINITY, f64::max)
        };
        let (up, down) = (height(1, normal), -height(0, -normal));
        // Cubes that may be divided cannot tell a gap.
        let depth = if group.iter().all(|p| p.is_finest) { up - down } else { (up - down).max(0.0) };
        let middle = point + normal * (0.5 * (up + down) - normal.dot(&point.coords));
        VoxContact {
            point: self.pair.poses[0] * middle,
            normal: self.pair.poses[0].rotation * normal,
            depth,
            is_measured: false,
            probability,
            groups: group[0].groups,
            pairs: group.len() as u32,
        }
    }
}
