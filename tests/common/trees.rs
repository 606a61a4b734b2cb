//! Sphere trees of objects, made in other ways than the library does.

use fracas::geom::NONE;
use fracas::reference::tree::{NewPoint, SphereForest, SphereTree};
use fracas::{Asset, CookOptions, Object, Point, Solid};

pub fn with_trees() -> CookOptions {
    CookOptions { sphere_trees: true, ..Default::default() }
}

/// An intact object with a sphere tree.
pub fn cooked(solid: Solid) -> Object {
    Object::intact(&Asset::cook(solid, &with_trees()).unwrap()).remove(0)
}

/// The points of an object, with interior nodes or without: nodes by their number, then crack points by their id. Ascending.
pub fn points_of(object: &Object, interior: bool) -> Vec<(u32, Point)> {
    let solid = object.asset().solid();
    let nodes = object.nodes().iter().filter(|n| interior || solid.is_on_skin(**n));
    let cracks = object.crack_points().iter().map(|p| (solid.nodes().len() as u32 + p.id, p.at));
    let mut points: Vec<(u32, Point)> = nodes.map(|n| (*n, solid.nodes()[*n as usize])).chain(cracks).collect();
    points.sort_unstable_by_key(|(number, _)| *number);
    points
}

/// The tree of an object built anew.
pub fn built(object: &Object, interior: bool) -> SphereForest {
    let points = points_of(object, interior);
    let numbers: Vec<u32> = points.iter().map(|(number, _)| *number).collect();
    let mut at = vec![Point::origin(); numbers.last().map_or(0, |last| *last as usize + 1)];
    points.iter().for_each(|(number, p)| at[*number as usize] = *p);
    SphereForest::build(&at, [&numbers[..]])
}

/// What the tree of an object is split by when it breaks into these fragments.
pub struct Splitting<'a> {
    pub tree: SphereTree<'a>,
    /// By number of the point.
    pub fragment_of: Vec<u32>,
    pub fragments: u32,
    pub added: Vec<NewPoint>,
}

impl<'a> Splitting<'a> {
    pub fn new(object: &'a Object, fragments: &[Object]) -> Self {
        let nodes = object.asset().solid().nodes().len() as u32;
        let mut fragment_of = vec![NONE; (nodes + fragments[0].made_by().next_id) as usize];
        let mut added = vec![];
        for (fragment, number) in fragments.iter().zip(0..) {
            points_of(fragment, true).iter().for_each(|(point, _)| fragment_of[*point as usize] = number);
            let new = fragment.crack_points().iter().filter(|p| p.id >= object.made_by().next_id);
            added.extend(new.map(|p| NewPoint { at: p.at, point: nodes + p.id, fragment: number }));
        }
        Self { tree: object.sphere_tree().unwrap(), fragment_of, fragments: fragments.len() as u32, added }
    }
}
