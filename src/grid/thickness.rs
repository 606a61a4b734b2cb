//! How thin a solid gets: so that cooking can warn when its grid is too coarse.
//!
//! An estimate: from the middle of every skin triangle a ray is cast straight inwards, and where it leaves through a face
//! that looks the other way, the two make a wall. Faces at more than 30 degrees make an edge, not a wall. Since every rim
//! and tip tapers out, the answer is not the very least but what one percent of the skin, by area, falls below.

use crate::bvh::Bvh;
use crate::geom::{Point, Vector};
use crate::solid::Solid;
use crate::tasks::Tasks;

/// Rays are cast from so many triangles at most, spread evenly over the list.
const RAYS: usize = 1 << 15;

/// Of the skin's area, so much may be thinner.
const TAPERED: f64 = 0.01;
/// Cosine of the angle at which two faces still make a wall.
const PARALLEL: f64 = 0.866;

/// How thick the thinnest walls are; the shortest side of the solid's box if there are no walls.
pub fn thinnest_wall(solid: &Solid, skin: &Bvh, tasks: &Tasks) -> f64 {
    let count = solid.skin().len();
    let rays = count.min(RAYS);
    let triangle = |k: usize| k * count / rays;
    let walls = tasks.map_chunks(rays, 512, |range| {
        range.filter_map(|k| Some((thickness(solid, skin, triangle(k))?, triangle(k)))).collect::<Vec<_>>()
    });
    let area = |triangle: usize| middle_and_normal(solid, triangle).1.norm();
    let mut thinner = TAPERED * (0..rays).map(|k| area(triangle(k))).sum::<f64>();
    let mut walls = walls.concat();
    walls.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (thickness, triangle) in walls {
        thinner -= area(triangle);
        if thinner < 0.0 {
            return thickness;
        }
    }
    solid.bounds().size().min()
}

/// How thick the solid is behind a skin triangle.
fn thickness(solid: &Solid, skin: &Bvh, triangle: usize) -> Option<f64> {
    let (middle, normal) = middle_and_normal(solid, triangle);
    let across = normal.norm();
    let inwards = -normal / across;
    // A step inwards, or the ray would meet the triangle that it comes from.
    let step = 1e-6 * across.sqrt();
    let hit = skin.ray(&(middle + inwards * step), &inwards, f64::INFINITY)?;
    let (_, far) = middle_and_normal(solid, hit.triangle as usize);
    (inwards.dot(&far) > PARALLEL * far.norm()).then_some(hit.t + step)
}

/// Middle, and the outward normal with twice the area for its length.
fn middle_and_normal(solid: &Solid, triangle: usize) -> (Point, Vector) {
    let [a, b, c] = solid.skin()[triangle].nodes.map(|n| solid.nodes()[n as usize]);
    (a + ((b - a) + (c - a)) / 3.0, (b - a).cross(&(c - a)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::distance::over_skin;
    use crate::solid::shapes;

    #[test]
    fn walls_are_as_thick_as_they_were_made() {
        for scale in [1e-6, 1.0, 1e6] {
            for (solid, expected) in [
                (shapes::cuboid([3.0 * scale, 2.0 * scale, 0.1 * scale], [9, 6, 1]), 0.1),
                (shapes::plate(scale, 0.05 * scale, 30), 0.05),
                // A sixth of the radius; the inner ball is made of flat faces.
                (shapes::hollow_ball(scale, 24, 2), 1.0 / 6.0),
                (shapes::ball(scale, 16), 2.0),
            ] {
                let found = thinnest_wall(&solid, &over_skin(&solid).unwrap(), &Tasks::inline()) / scale;
                assert!((found / expected - 1.0).abs() < 0.1, "{found} is not {expected}");
            }
        }
    }
}
