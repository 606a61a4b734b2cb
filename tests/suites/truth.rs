//! Against exact Voronoi cuts of a scanned bunny, made by other means: needs the data folder.

use crate::common;

use common::locate::Locator;
use common::{data, oracle, scenes};
use fracas::fracture::Fracture;
use fracas::reference::nodal::Scheme;
use fracas::{FractureOptions, Object, Pattern, Point, fracture};

struct Truth {
    bunny: Object,
    seeds: Vec<Point>,
    fracture: Fracture,
    figures: serde_json::Value,
}

fn truth(count: usize) -> Option<Truth> {
    let (solid, seeds) = (data::mesh("bunny")?, data::seeds(count)?);
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(data::file("truth/bunny_truth.json")?).unwrap()).unwrap();
    let bunny = scenes::intact(solid);
    let fracture =
        fracture(&bunny, &Pattern::voronoi(seeds.clone()), &FractureOptions::default()).unwrap().broken().unwrap();
    Some(Truth { bunny, seeds, fracture, figures: json["sets"][count.to_string()].clone() })
}

const SETS: [usize; 5] = [2, 8, 27, 64, 166];

impl Truth {
    /// The cell that owns a point of a tetrahedron.
    fn cell_of(&self, tet: u32, weights: &[f64; 4]) -> u32 {
        let owners: Vec<usize> =
            (0..self.fracture.objects.len()).filter(|k| self.fracture.objects[*k].owns(tet, weights)).collect();
        assert_eq!(owners.len(), 1);
        self.fracture.cells[owners[0]]
    }

    fn nearest(&self, p: &Point) -> u32 {
        (0..self.seeds.len())
            .min_by(|a, b| (self.seeds[*a] - p).norm_squared().total_cmp(&(self.seeds[*b] - p).norm_squared()))
            .unwrap() as u32
    }
}

/// Volumes of all cells, in double precision, and the connected parts of every cell.
#[test]
fn volumes_and_components_are_those_of_the_exact_cut() {
    for count in SETS {
        let Some(truth) = truth(count) else {
            return data::skipped("volumes_and_components_are_those_of_the_exact_cut");
        };
        let exact = data::csv(&format!("truth/bunny_{count}_fragments.csv")).unwrap();
        let whole = truth.bunny.mass().volume;
        let (mut of_body, mut of_cell, mut centre) = (0f64, 0f64, 0f64);
        for cell in 0..count as u32 {
            // Several parts of a cell are in the order of their volumes there.
            let mut ours: Vec<&Object> = (0..truth.fracture.cells.len())
                .filter(|k| truth.fracture.cells[*k] == cell)
                .map(|k| &truth.fracture.objects[k])
                .collect();
            ours.sort_by(|a, b| b.mass().volume.total_cmp(&a.mass().volume));
            let theirs: Vec<&Vec<f64>> = exact.iter().filter(|row| row[0] as u32 == cell).collect();
            assert_eq!(ours.len(), theirs.len(), "{count} seeds: parts of cell {cell}");
            for (own, row) in ours.iter().zip(theirs) {
                let off = (own.mass().volume - row[2]).abs();
                of_body = of_body.max(off / whole);
                of_cell = of_cell.max(off / row[2]);
                let at = Point::new(row[4], row[5], row[6]);
                centre = centre.max((own.mass().centre - at).norm() / truth.bunny.asset().radius());
            }
        }
        println!(
            "{count} seeds, {} pieces as in the exact cut: volumes off by {of_body:.1e} of the body, {of_cell:.1e} of the piece, centres by {centre:.1e} of the radius",
            exact.len()
        );
        assert_eq!(exact.len(), truth.fracture.objects.len());
        // What the files were written with: nine digits of a node's coordinates, seventeen of a volume.
        assert!(of_body < 1e-9 && of_cell < 1e-6 && centre < 1e-7, "{count} seeds");
    }
}

#[test]
fn labels_cut_as_many_edges_and_tetrahedra_as_the_exact_ones() {
    for count in SETS {
        let Some(truth) = truth(count) else { return data::skipped("labels_cut_as_many_edges_and_tetrahedra") };
        let solid = truth.bunny.asset().solid();
        let mut label = vec![0; solid.nodes().len()];
        for (object, cell) in truth.fracture.objects.iter().zip(&truth.fracture.cells) {
            object.nodes().iter().for_each(|n| label[*n as usize] = *cell);
        }
        let cut = solid.edges().iter().filter(|[a, b]| label[*a as usize] != label[*b as usize]).count();
        let mut by_labels = [0; 5];
        for tet in solid.tets() {
            let mut labels = tet.map(|n| label[n as usize]).to_vec();
            labels.sort_unstable();
            labels.dedup();
            by_labels[labels.len()] += 1;
        }
        let wanted = &truth.figures;
        assert_eq!(cut as u64, wanted["tet_edges_cut"].as_u64().unwrap(), "{count} seeds");
        for k in 1..5 {
            assert_eq!(
                by_labels[k],
                wanted["tets_by_label_count"][k.to_string()].as_u64().unwrap(),
                "{count} seeds, {k} labels"
            );
        }
        assert_eq!(
            truth.fracture.objects.len() as u64,
            wanted["label_graph_components"].as_u64().unwrap(),
            "{count} seeds"
        );
        println!(
            "{count} seeds: {cut} edges cut, tetrahedra with 1 / 2 / 3 / 4 labels {:?}: as exact",
            &by_labels[1..]
        );
    }
}

#[test]
fn every_point_has_the_right_owner() {
    for count in SETS {
        let Some(truth) = truth(count) else { return data::skipped("every_point_has_the_right_owner") };
        let samples = 100_000;
        let wrong = oracle::random_points(&truth.bunny, samples, count as u64)
            .iter()
            .filter(|(tet, weights, at)| truth.cell_of(*tet, weights) != truth.nearest(at))
            .count();
        let locator = Locator::new(truth.bunny.asset().solid());
        let mut compared = 0;
        for row in data::csv(&format!("truth/bunny_{count}_points.csv")).unwrap().iter().filter(|r| r[3] == 1.0) {
            let Some((tet, weights)) = locator.find(&Point::new(row[0], row[1], row[2])) else { continue };
            // Points are given with nine digits.
            if row[8] > 1e-9 {
                assert_eq!(truth.cell_of(tet, &weights), row[4] as u32, "{count} seeds: {row:?}");
                compared += 1;
            }
        }
        println!(
            "{count} seeds: {compared} points of the exact cut and {} random ones have the right owner",
            samples - wrong
        );
        assert_eq!(wrong, 0, "{count} seeds");
    }
}

#[test]
fn depths_in_fragments_are_those_of_the_exact_cut() {
    for count in SETS {
        let Some(truth) = truth(count) else { return data::skipped("depths_in_fragments_are_those_of_the_exact_cut") };
        // Several pieces of one cell count as one there, so only cells that are in one piece are compared.
        let single = |cell: u32| truth.fracture.cells.iter().filter(|c| **c == cell).count() == 1;
        let radius = truth.bunny.asset().radius();
        let cell_size = truth.bunny.asset().field().grid.cell_size();
        let (mut all, mut at_cracks) = (vec![], vec![]);
        for row in data::csv(&format!("truth/bunny_{count}_points.csv")).unwrap().iter().filter(|r| r[3] == 1.0) {
            let (p, cell) = (Point::new(row[0], row[1], row[2]), row[4] as u32);
            let Some(k) = truth.fracture.cells.iter().position(|c| *c == cell).filter(|_| single(cell)) else {
                continue;
            };
            let way = truth.fracture.objects[k].field(Scheme::default()).depth(&p);
            let Some(way) = way else {
                assert!(-row[7] < 1e-6 * radius, "{count} seeds: {row:?} is inside");
                continue;
            };
            let error = (way.distance + row[7]).abs();
            assert!(error <= 0.9 * cell_size, "{count} seeds, {p}: {} instead of {}", way.distance, -row[7]);
            all.push(error / radius);
            // Nearer to a crack than to the skin.
            if row[8] < -row[6] {
                at_cracks.push(error / radius);
            }
        }
        for (name, errors) in [("all", &mut all), ("nearer to a crack", &mut at_cracks)] {
            errors.sort_by(f64::total_cmp);
            let percent = |share: usize| 100.0 * errors[(errors.len() * share / 100).min(errors.len() - 1)];
            println!(
                "{count} seeds, depth against the exact cut, {name}, {} points: mean {:.5} % of the radius, 99 of 100 {:.4} %, max {:.4} %",
                errors.len(),
                100.0 * errors.iter().sum::<f64>() / errors.len() as f64,
                percent(99),
                percent(100)
            );
        }
        assert!(all.len() > 500 && at_cracks.len() > 300);
        assert!(at_cracks[at_cracks.len() * 99 / 100] < 5e-4, "{count} seeds");
    }
}
