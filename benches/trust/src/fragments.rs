//! Fragments of eight bodies, smooth and rough; and shards and plates for pushing out.

use crate::Result;
use crate::common::dice::Dice;
use crate::common::touch::Mesh;
use crate::pool::{Body, Broken, Group, Pool, Truth};
use fracas::fracture::pattern::Roughness;
use fracas::geom::random::mix;
use fracas::{Asset, CookOptions, FractureOptions, Object, Outcome, Pattern, Point, Solid, fracture, shapes};
use rayon::prelude::*;

/// What pairs of fragments are drawn by.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// Number of the body that broke.
    pub of: usize,
    /// Number of the event: fragments of the same one are siblings.
    pub event: usize,
    pub is_rough: bool,
    /// A flat body: a piece of a pane, or a whole plate.
    pub flat: Option<Flat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flat {
    Shard,
    Plate,
}

/// Seeds of the two patterns of each body.
const SEEDS: [usize; 2] = [8, 20];
const ROUGHNESS: Roughness = Roughness { amplitude: 0.03, wavelength: 3.0, seed: 7 };
/// Cells that fill less than this share of the body make no fragment of the test: neither library is exact on dust.
const DUST: f64 = 1e-5;

/// Cubes of a lattice in six tetrahedra each (Kuhn), some left out.
fn blocks(cells: [usize; 3], size: [f64; 3], is_kept: impl Fn([usize; 3]) -> bool) -> Result<Solid> {
    let number = |at: [usize; 3]| ((at[2] * (cells[1] + 1) + at[1]) * (cells[0] + 1) + at[0]) as u32;
    let mut nodes = vec![];
    let mut tets = vec![];
    for z in 0..=cells[2] {
        for y in 0..=cells[1] {
            for x in 0..=cells[0] {
                let at = [x, y, z];
                nodes.push([0, 1, 2].map(|k| size[k] * (at[k] as f64 / cells[k] as f64 - 0.5)));
                if (0..3).any(|k| at[k] == cells[k]) || !is_kept(at) {
                    continue;
                }
                for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                    let mut corner = at;
                    let mut tet = [number(corner); 4];
                    for (step, axis) in order.into_iter().enumerate() {
                        corner[axis] += 1;
                        tet[step + 1] = number(corner);
                    }
                    tets.push(tet);
                }
            }
        }
    }
    Solid::new(&nodes, &tets).map_err(|e| e.to_string())
}

/// The eight bodies, about 20 cm in size.
fn solids() -> Result<Vec<Solid>> {
    Ok(vec![
        shapes::cuboid([0.16, 0.14, 0.12], [6, 5, 5]),
        shapes::ball(0.1, 10),
        shapes::torus(0.08, 0.03, 32, 6),
        shapes::plate(0.13, 0.01, 16),
        shapes::cuboid([0.3, 0.04, 0.03], [20, 3, 2]),
        blocks([8, 8, 4], [0.16, 0.16, 0.08], |[x, y, _]| x < 3 || y < 3)?,
        shapes::brick(1),
        shapes::rabbit(0.006, 2.5),
    ])
}

/// Panes and plates: square, of several thicknesses.
fn panes() -> Vec<Solid> {
    [0.004, 0.01].map(|thickness| shapes::cuboid([0.2, 0.2, thickness], [12, 12, 1])).into()
}

/// Seeds within a solid, drawn by volume.
fn seeds_in(solid: &Solid, count: usize, dice: &mut Dice) -> Vec<Point> {
    let mut sums = vec![];
    let mut total = 0.0;
    for tet in 0..solid.tets().len() as u32 {
        total += solid.signed_volume(tet).abs();
        sums.push(total);
    }
    let seed = |_| {
        let drawn = dice.unit() * total;
        let tet = sums.partition_point(|sum| *sum < drawn).min(sums.len() - 1);
        let weights = [(); 4].map(|_| -dice.unit().ln());
        let corners = solid.corners(tet as u32);
        let sum: f64 = weights.iter().sum();
        Point::from((0..4).map(|k| corners[k].coords * (weights[k] / sum)).sum::<fracas::Vector>())
    };
    (0..count).map(seed).collect()
}

fn skin(solid: &Solid) -> Mesh {
    Mesh { points: solid.nodes().to_vec(), triangles: solid.skin().iter().map(|t| t.nodes).collect() }
}

fn surface(object: &Object) -> Mesh {
    let surface = object.surface();
    Mesh { points: surface.vertices, triangles: surface.triangles.iter().map(|t| t.corners).collect() }
}

/// Adds the fragments of all bodies, and, if wanted, shards and plates.
pub fn add(pool: &mut Pool, seed: u64, with_panes: bool) -> Result<()> {
    let mut solids: Vec<(Solid, Option<Flat>)> = solids()?.into_iter().map(|solid| (solid, None)).collect();
    if with_panes {
        solids.extend(panes().into_iter().map(|solid| (solid, Some(Flat::Shard))));
    }
    let cook = |(solid, flat): (Solid, Option<Flat>)| match Asset::cook(solid, &CookOptions::default()) {
        Ok(asset) => Ok((asset, flat)),
        Err(e) => Err(e.to_string()),
    };
    let assets: Vec<_> = solids.into_par_iter().map(cook).collect::<Result<_>>()?;
    let mut event = 0;
    for (of, (asset, flat)) in assets.iter().enumerate() {
        let whole = Object::intact(asset).remove(0);
        if flat.is_some() {
            let group = Fragment { of, event: usize::MAX, is_rough: false, flat: Some(Flat::Plate) };
            let mesh = skin(asset.solid());
            pool.bodies.push(Body {
                object: whole.clone(),
                mesh,
                truth: Truth::Surface,
                group: Group::Fragment(group),
            });
        }
        for is_rough in [false, true] {
            for count in SEEDS {
                let mut dice = Dice::new(mix(seed ^ mix(event as u64)));
                let seeds = seeds_in(asset.solid(), count, &mut dice);
                let smooth = Pattern::voronoi(seeds.clone());
                let pattern = if is_rough { smooth.rough(ROUGHNESS) } else { smooth };
                let broken = fracture(&whole, &pattern, &FractureOptions::default()).map_err(|e| e.to_string())?;
                let Outcome::Broken(broken) = broken else { return Err(format!("body {of} did not break")) };
                let number = pool.breaks.len();
                let kept = broken.objects.into_iter().zip(broken.cells);
                let kept = kept.filter(|(object, _)| object.mass().volume > DUST * whole.mass().volume);
                pool.bodies.extend(kept.map(|(object, cell)| Body {
                    mesh: surface(&object),
                    object,
                    truth: if is_rough { Truth::Surface } else { Truth::Cell { of: number, cell } },
                    group: Group::Fragment(Fragment { of, event, is_rough, flat: *flat }),
                }));
                if !is_rough {
                    pool.breaks.push(Broken { skin: skin(asset.solid()), seeds });
                }
                event += 1;
            }
        }
    }
    Ok(())
}
