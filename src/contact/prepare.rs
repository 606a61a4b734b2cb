//! What queries of an object otherwise prepare on first use.

use super::thickness::{dent, thickness};
use crate::body::Object;
use crate::reference::nodal::Scheme;

impl Object {
    /// Prepares what contact queries of the object would otherwise prepare on first use; for example in a job of its
    /// own, before the next frame. Rays and drawings still prepare theirs on first use.
    pub fn prepare(&self) {
        self.samples();
        self.creases();
        self.field(Scheme::default()).prepare_all();
        dent(self);
        thickness(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::{Asset, CookOptions};
    use crate::contact::{QueryOptions, query_pair};
    use crate::fracture::pattern::Roughness;
    use crate::fracture::{FractureOptions, Pattern, fracture};
    use crate::geom::Pose;
    use crate::solid::shapes;

    #[test]
    fn nothing_is_left_for_the_first_query() {
        let asset = Asset::cook(shapes::ball(1.0, 8), &CookOptions::default()).unwrap();
        let whole = Object::intact(&asset).remove(0);
        let rough = Roughness { amplitude: 0.03, wavelength: 3.0, seed: 7 };
        for pattern in [Pattern::random_voronoi(6, 1), Pattern::random_voronoi(6, 1).rough(rough)] {
            let pieces = fracture(&whole, &pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects;
            pieces.iter().for_each(Object::prepare);
            let held = |pieces: &[Object]| {
                let of_piece =
                    |piece: &Object| piece.creases().dent.get().is_some() && piece.creases().thickness.get().is_some();
                (pieces.iter().all(of_piece), pieces[0].memory().made_by)
            };
            let before = held(&pieces);
            assert!(before.0);
            let (mut out, here) = (vec![], Pose::identity());
            for (a, b) in pieces.iter().flat_map(|a| pieces.iter().map(move |b| (a, b))) {
                for way in [1e-4, 0.02, 0.2] {
                    query_pair(a, &Pose::translation(way, 0.0, 0.0), b, &here, &QueryOptions::default(), &mut out)
                        .unwrap();
                }
            }
            assert_eq!(held(&pieces), before, "a query prepared more");
            assert!(out.len() > 100);
        }
    }
}
