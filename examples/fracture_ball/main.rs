//! Breaks a ball under a blow, prints the fragments as a table, and draws them pulled apart.
//!
//! `cargo run --release --example fracture_ball [picture.png]`

mod picture;

use fracas::fracture::pattern::{Impact, Roughness};
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Point, Vector, fracture, shapes};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let asset = Asset::cook(shapes::ball(0.1, 20), &CookOptions { density: 2400.0, ..Default::default() })?;
    let ball = &Object::intact(&asset)[0];
    println!(
        "A ball of {} tetrahedra and {:.2} kg, cooked in {:.0} ms.",
        asset.solid().tets().len(),
        ball.mass().mass,
        start.elapsed().as_secs_f64() * 1e3
    );

    let blow = Impact {
        point: Point::new(0.06, -0.06, 0.05),
        direction: Vector::new(-0.6, 0.6, -0.5),
        radius: 0.15,
        count: 24,
        seed: 8,
    };
    let pattern = Pattern::impact(blow).rough(Roughness { amplitude: 0.02, wavelength: 4.0, seed: 1 });
    let start = Instant::now();
    let Some(result) = fracture(ball, &pattern, &FractureOptions::default())?.broken() else {
        println!("The blow did not break it.");
        return Ok(());
    };
    let pieces = &result.objects;
    println!("A blow breaks it into {} fragments in {:.2} ms.\n", pieces.len(), start.elapsed().as_secs_f64() * 1e3);

    println!("fragment  nodes  mass / g  share %      centre of mass / mm  neighbours  crack area / cm²  triangles");
    let adjacency = pieces[0].adjacency();
    for piece in pieces {
        let number = piece.piece_number();
        let touching: Vec<f64> = adjacency.iter().filter(|a| a.pieces.contains(&number)).map(|a| a.area).collect();
        let (mass, c) = (piece.mass(), piece.mass().centre * 1e3);
        println!(
            "{number:8} {:6} {:9.2} {:8.2}    ({:6.1}, {:6.1}, {:6.1}) {:11} {:17.2} {:10}",
            piece.nodes().len(),
            mass.mass * 1e3,
            100.0 * mass.mass / ball.mass().mass,
            c.x,
            c.y,
            c.z,
            touching.len(),
            touching.iter().sum::<f64>() * 1e4,
            piece.surface().triangles.len()
        );
    }
    let total: f64 = pieces.iter().map(|p| p.mass().mass).sum();
    println!("\nTogether {:.6} kg of {:.6} kg.", total, ball.mass().mass);

    let path = std::env::args().nth(1).unwrap_or_else(|| "out/demo/fragments.png".into());
    picture::draw_apart(pieces, std::path::Path::new(&path))?;
    println!("Picture: {path}");
    Ok(())
}
