//! Pictures against what they must show: silhouettes and shadows of known size, depth, slices; and the command itself.

use fracas::shapes::preset;
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Point, Solid, Tasks, Vector, fracture, shapes};
use fracas_cli::raster::slice::{self, Slice};
use fracas_cli::raster::texture::{Transform, Wrap};
use fracas_cli::raster::{Camera, Image, Material, Mesh, Style, Texture, draw, palette};
use fracas_cli::render::meshes;
use fracas_cli::samples;
use std::f64::consts::PI;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

fn intact(solid: Solid) -> Vec<Object> {
    Object::intact(&Asset::cook(solid, &CookOptions::default()).unwrap())
}

fn drawn(objects: &[Object], explode: f64) -> Vec<Mesh> {
    meshes(objects, explode, 40.0, &[], |number, _| palette::fragment(number))
}

/// Transparent, without a ground.
fn plain(size: [usize; 2]) -> Style {
    Style { size, background: None, ground: false, ..Style::default() }
}

/// Opaque pixels, the partly opaque ones by their share.
fn covered(image: &Image) -> f64 {
    image.bytes.chunks_exact(4).map(|p| p[3] as f64 / 255.0).sum()
}

#[test]
fn the_silhouette_of_a_ball_has_its_area() {
    let ball = drawn(&intact(shapes::ball(0.1, 40)), 0.0);
    for (azimuth, distance) in [(0.0f64, 1.0f64), (1.0, 0.5), (2.5, 3.0)] {
        let direction = Vector::new(azimuth.cos(), azimuth.sin(), 0.4);
        // As large as the picture allows.
        let focal = 0.4 / (0.1 / (distance * distance - 0.01).sqrt());
        let camera = Camera::looking_at(&Point::origin(), &direction, distance, &Vector::z(), focal);
        let image = draw(&ball, &camera, &plain([300, 240]));
        let radius = focal * 0.1 / (distance * distance - 0.01).sqrt() * 240.0;
        let (area, expected) = (covered(&image), PI * radius * radius);
        assert!((area / expected - 1.0).abs() < 0.01, "{area} is not {expected}");
    }
}

#[test]
fn a_cuboid_seen_from_the_front_is_a_rectangle() {
    let cuboid = drawn(&intact(shapes::cuboid([0.1, 0.2, 0.1], [1, 2, 1])), 0.0);
    let camera = Camera::looking_at(&Point::origin(), &Vector::x(), 1.0, &Vector::z(), 2.0);
    let image = draw(&cuboid, &camera, &plain([200, 100]));
    // The face in front is 0.95 away.
    let (width, height) = (2.0 * 0.2 / 0.95 * 100.0, 2.0 * 0.1 / 0.95 * 100.0);
    assert!((covered(&image) / (width * height) - 1.0).abs() < 0.02);
    assert_eq!(image.pixel(100, 50)[3], 255);
    assert_eq!((image.pixel(100, 50 - 12)[3], image.pixel(100 - 23, 50)[3]), (0, 0));
    assert_eq!((image.pixel(100, 50 - 9)[3], image.pixel(100 - 20, 50)[3]), (255, 255));
}

/// A large triangle across x, of one colour.
fn sheet(corners: [[f64; 3]; 3], colour: [f64; 3]) -> Mesh {
    let mut mesh = Mesh { material: Material { colour, gloss: 0.0, grain: 0.0 }, ..Mesh::default() };
    mesh.push(corners.map(Point::from), [Vector::x(); 3]);
    mesh
}

#[test]
fn what_is_nearer_hides_what_is_farther() {
    let upright = |x: f64, tilt: f64| [[x - tilt, -3.0, -3.0], [x + tilt, 3.0, -3.0], [x, 0.0, 3.0]];
    let (red, blue) = ([0.8, 0.0, 0.0], [0.0, 0.0, 0.8]);
    let camera = Camera::looking_at(&Point::origin(), &Vector::x(), 10.0, &Vector::z(), 4.0);
    let is_red = |image: &Image, x: usize| {
        let [r, _, b, opacity] = image.pixel(x, 50);
        assert!(opacity == 255 && r.abs_diff(b) > 60, "{r} {b} {opacity}");
        r > b
    };
    for (ahead, behind, expected) in [(red, blue, true), (blue, red, false)] {
        for swap in [false, true] {
            let mut scene = vec![sheet(upright(0.5, 0.0), ahead), sheet(upright(-0.5, 0.0), behind)];
            if swap {
                scene.reverse();
            }
            assert_eq!(is_red(&draw(&scene, &camera, &plain([100, 100])), 50), expected);
        }
    }
    // Two that cross: each is in front on its side; +y is to the right.
    let scene = [sheet(upright(0.0, 0.5), red), sheet(upright(0.0, -0.5), blue)];
    let image = draw(&scene, &camera, &plain([100, 100]));
    assert!(!is_red(&image, 40) && is_red(&image, 60));
}

/// What faces away from the camera or a light is left out of closed surfaces, which changes nothing; others keep it.
#[test]
fn what_is_left_out_of_closed_surfaces_is_not_seen() {
    let ball = &intact(shapes::hollow_ball(0.1, 10, 2))[0];
    let pieces = fracture(ball, &Pattern::random_voronoi(9, 4), &FractureOptions::default()).unwrap().broken().unwrap();
    let mut scene = drawn(&pieces.objects, 0.3);
    assert!(scene.iter().all(|mesh| mesh.is_closed));
    let points: Vec<Point> = scene.iter().flat_map(|m| &m.positions).copied().collect();
    let camera = Camera::around(&points, &Vector::new(1.0, -0.7, 0.5), &Vector::z(), 1.5, 1.0);
    let style = Style { size: [150, 100], ..Style::default() };
    let closed = draw(&scene, &camera, &style);
    scene.iter_mut().for_each(|mesh| mesh.is_closed = false);
    assert!(closed == draw(&scene, &camera, &style));
    // Half of an open ball is its inside.
    let half = |mesh: &mut Mesh| mesh.triangles.retain(|t| t.iter().all(|k| mesh.positions[*k as usize].x < 0.0));
    let mut open = drawn(&intact(shapes::ball(0.1, 10)), 0.0);
    open.iter_mut().for_each(half);
    let from_inside = Camera::looking_at(&Point::origin(), &Vector::x(), 1.0, &Vector::z(), 4.0);
    let seen = |scene: &[Mesh]| covered(&draw(scene, &from_inside, &plain([100, 100])));
    let hidden = seen(&open);
    open.iter_mut().for_each(|mesh| mesh.is_closed = false);
    assert!(hidden < 1.0 && seen(&open) > 1000.0, "{hidden} and {}", seen(&open));
}

#[test]
fn a_picture_is_the_same_for_every_number_of_threads() {
    let ball = &intact(shapes::ball(0.1, 10))[0];
    let pieces = fracture(ball, &Pattern::random_voronoi(9, 4), &FractureOptions::default()).unwrap().broken().unwrap();
    let scene = drawn(&pieces.objects, 0.3);
    let points: Vec<Point> = scene.iter().flat_map(|m| &m.positions).copied().collect();
    let camera = Camera::around(&points, &Vector::new(1.0, -0.7, 0.5), &Vector::z(), 1.5, 1.0);
    let image = |tasks: Tasks| draw(&scene, &camera, &Style { size: [150, 100], tasks, ..Style::default() });
    let first = image(Tasks::inline());
    for threads in [1, 2, 3] {
        assert!(first == image(Tasks::pool(threads).unwrap()), "{threads} threads");
    }
    // Neither blank nor of one colour: nine fragments have nine.
    let hues: std::collections::BTreeSet<u8> = first.bytes.chunks_exact(4).map(|p| p[0] / 16).collect();
    assert!(hues.len() > 8, "{hues:?}");
}

#[test]
fn all_samples_are_in_the_picture_and_fill_it() {
    for sample in &preset::ALL {
        let how = CookOptions {
            grid: fracas::grid::distance::GridOptions { cells: 8, refine: false, ..Default::default() },
            ..Default::default()
        };
        let scene = drawn(&Object::intact(&Asset::cook((sample.make)(), &how).unwrap()), 0.0);
        let points: Vec<Point> = scene.iter().flat_map(|m| &m.positions).copied().collect();
        for direction in [Vector::new(1.0, -1.0, 0.6), Vector::z()] {
            let camera = Camera::around(&points, &direction, &Vector::z(), 4.0 / 3.0, 1.0);
            let image = draw(&scene, &camera, &Style { samples: 1, ..plain([80, 60]) });
            let seen = |x: usize, y: usize| image.pixel(x, y)[3] > 0;
            let rim = (0..80).any(|x| seen(x, 0) || seen(x, 59)) || (0..60).any(|y| seen(0, y) || seen(79, y));
            assert!(!rim, "{} reaches the rim of the picture", sample.name);
            let columns: Vec<usize> = (0..80).filter(|x| (0..60).any(|y| seen(*x, y))).collect();
            let rows: Vec<usize> = (0..60).filter(|y| (0..80).any(|x| seen(x, *y))).collect();
            let [width, height] = [&columns, &rows].map(|list| list.len() as f64);
            assert!(width > 0.8 * 80.0 || height > 0.8 * 60.0, "{}: {width} x {height}", sample.name);
        }
    }
}

/// The files that pictures of figures start from are those figures: if this fails, write them anew (`samples::READY`).
#[test]
fn ready_samples_are_the_samples() {
    for (name, _) in samples::READY {
        let sample = preset::named(name).unwrap();
        let (made, ready) = ((sample.make)(), samples::for_picture(sample));
        let close = |a: f64, b: f64, share: f64| (a / b - 1.0).abs() < share;
        assert!(close(ready.volume(), made.volume(), 1e-3), "{name}: {} and {}", ready.volume(), made.volume());
        // Not to the last tetrahedron: nobody sees that the filling was improved.
        assert!(close(ready.tets().len() as f64, made.tets().len() as f64, 0.2), "{name}");
        let off = |a: &Point, b: &Point| (a - b).norm() < 0.01 * made.bounds().radius();
        assert!(off(&ready.bounds().min, &made.bounds().min) && off(&ready.bounds().max, &made.bounds().max), "{name}");
    }
}

#[test]
fn a_ball_casts_a_shadow_on_the_ground_and_nowhere_else() {
    let ball = drawn(&intact(shapes::ball(0.1, 16)), 0.0);
    let camera = Camera::looking_at(&Point::origin(), &Vector::new(1.0, 0.0, 0.5), 1.2, &Vector::z(), 1.6);
    let image = |ground: bool| draw(&ball, &camera, &Style { ground, ..plain([200, 150]) });
    let (with, without) = (image(true), image(false));
    let below = camera.project(&Point::new(0.0, 0.0, -0.1));
    let at = |image: &Image, right: f64, up: f64| {
        let pixel = [100.0 + (below[0] + right) * 150.0, 75.0 - (below[1] + up) * 150.0];
        image.pixel(pixel[0] as usize, pixel[1] as usize)[3]
    };
    // The light comes from the left: the shadow is to the right of where the ball stands.
    let (left, right) = (at(&with, -0.22, 0.0), at(&with, 0.16, 0.02));
    assert!(right > 60 && left < 25, "left {left}, right {right}");
    assert_eq!((at(&without, 0.16, 0.02), at(&without, -0.22, 0.0)), (0, 0));
    assert_eq!(with.pixel(2, 2)[3], 0, "the sky has no shadow");
}

#[test]
fn edges_are_drawn_where_triangles_meet() {
    let cuboid = drawn(&intact(shapes::cuboid([0.2; 3], [1; 3])), 0.0);
    let camera = Camera::looking_at(&Point::origin(), &Vector::x(), 1.0, &Vector::z(), 3.0);
    let dark = |wire: bool| {
        let image = draw(&cuboid, &camera, &Style { wire, ..plain([120, 120]) });
        let light = |x: usize, y: usize| image.pixel(x, y)[..3].iter().map(|c| *c as u32).sum::<u32>();
        // Off the diagonal, and on it, whichever of the two it is: the middle is on both.
        let darkest = (58..62).map(|x| light(x, 60)).min();
        (light(60, 40), darkest.unwrap())
    };
    let ((side, middle), (wire_side, wire_middle)) = (dark(false), dark(true));
    assert!(side.abs_diff(wire_side) < 3, "{side} {wire_side}");
    assert!(wire_middle * 3 < middle * 2, "{wire_middle} is not much darker than {middle}");
}

#[test]
fn a_slice_through_a_ball_shows_its_disc_and_its_cracks() {
    let ball = &intact(shapes::ball(0.1, 24))[0];
    let side = 200.0;
    // The ball fills 88 % of the picture, whatever the slice.
    let pixel = 0.2 / (0.88 * side);
    for (axis, at) in [(0, 0.0), (1, 0.05), (2, -0.08)] {
        let image = slice::draw(std::slice::from_ref(ball), &Slice { axis, at }, [200, 200], false, &Tasks::inline());
        let warm = image.bytes.chunks_exact(4).filter(|p| p[0] > p[2].saturating_add(6)).count() as f64;
        // Less about half of the line along the skin.
        let expected = PI * ((0.01f64 - at * at).sqrt() / pixel - 0.5).powi(2);
        assert!((warm / expected - 1.0).abs() < 0.03, "{warm} is not {expected}");
    }
    let halves = Pattern::planes(vec![fracas::geom::plane::Plane::through(&Point::origin(), &Vector::x()).unwrap()]);
    let halves = fracture(ball, &halves, &FractureOptions::default()).unwrap().broken().unwrap().objects;
    let image = slice::draw(&halves, &Slice { axis: 2, at: 0.0 }, [200, 200], true, &Tasks::inline());
    let red = |x: usize, y: usize| {
        let [r, g, b, _] = image.pixel(x, y);
        r > 100 && g < 100 && b < 100
    };
    assert!((60..140).all(|y| red(100, y) || red(99, y)), "the crack is a red line");
    assert!((60..140).all(|y| !red(80, y) && !red(120, y)));
    // Of half a ball only: what is not there is outside, and measured from its crack.
    let image = slice::draw(&halves[..1], &Slice { axis: 2, at: 0.0 }, [100, 200], true, &Tasks::inline());
    assert!(image.bytes.chunks_exact(4).any(|p| p[0] > 100 && p[1] < 100 && p[2] < 100));
}

fn fracas(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fracas")).arg("render").args(arguments).output().unwrap()
}

fn decoded(path: &Path) -> (u32, u32, png::ColorType, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, info.color_type, pixels)
}

#[test]
fn the_command_writes_pictures_that_decode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    let out = path.to_str().unwrap();
    for (arguments, size, colours) in [
        (&["ball", "--size", "80x60"][..], (80, 60), png::ColorType::Rgb),
        (
            &["box", "--size", "40x50", "--background", "none", "--view", "30,-20", "--wire"],
            (40, 50),
            png::ColorType::Rgba,
        ),
        (
            &["brick", "--size", "60x60", "--fracture", "6", "--rough", "0.02", "--explode", "0.5"],
            (60, 60),
            png::ColorType::Rgb,
        ),
        (&["torus", "--size", "60x40", "--fracture", "5", "--slice", "z=0.005"], (60, 40), png::ColorType::Rgb),
    ] {
        let output = fracas(&[arguments, &["-o", out]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (width, height, found, pixels) = decoded(&path);
        assert_eq!(((width, height), found), (size, colours), "{arguments:?}");
        assert!(pixels.iter().collect::<std::collections::BTreeSet<_>>().len() > 20, "{arguments:?} is blank");
    }
}

#[test]
fn the_command_draws_assets_and_saved_objects() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let objects = intact(shapes::ball(0.1, 6));
    let pieces = fracture(&objects[0], &Pattern::random_voronoi(4, 1), &FractureOptions::default()).unwrap();
    std::fs::write(place("ball.fracas"), objects[0].asset().save()).unwrap();
    std::fs::write(place("pieces.fracas"), fracas::save_objects(&pieces.broken().unwrap().objects).unwrap()).unwrap();
    let [ball, saved, out] = ["ball.fracas", "pieces.fracas", "out.png"].map(place);
    let [ball, saved, out] = [&ball, &saved, &out].map(|p| p.to_str().unwrap());
    let small = ["--size", "64x48", "-o", out];
    for arguments in [&[ball][..], &[saved, "--asset", ball, "--explode", "0.4"]] {
        let output = fracas(&[arguments, &small].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(decoded(Path::new(out)).0, 64);
    }
    let output = fracas(&[&[saved], &small[..]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--asset"));
    let output = fracas(&[ball, "-o", ball]);
    assert_eq!(output.status.code(), Some(2), "an input is not overwritten");
}

#[test]
fn bad_options_are_answered_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    let out = path.to_str().unwrap();
    for (arguments, code, words) in [
        (&["unicorn"][..], 2, "unicorn is no sample; samples are piggy_bank, rabbit"),
        (&["unicorn.fracas"], 3, "no such file"),
        (&["ball", "--size", "0x10"], 2, "1200x900"),
        (&["ball", "--size", "9000x10"], 2, "1200x900"),
        (&["ball", "--view", "sideways"], 2, "azimuth,elevation"),
        (&["ball", "--view", "10"], 2, "azimuth,elevation"),
        (&["ball", "--up", "x"], 2, "possible values: y, z"),
        (&["ball", "--zoom", "0"], 2, "above zero"),
        (&["ball", "--colours", "rainbow"], 2, "fragment, skin, material"),
        (&["ball", "--colour", "red"], 2, "six hexadecimal digits"),
        (&["ball", "--background", "12345"], 2, "six hexadecimal digits"),
        (&["ball", "--slice", "w=1"], 2, "z=0.01"),
        (&["ball", "--slice", "x=nan"], 2, "z=0.01"),
        (&["ball", "--fracture", "0"], 2, "0 is not in"),
        (&["ball", "--fracture", "4", "--rough", "0.5"], 2, "between 0 and 0.05"),
        (&["ball", "--impact", "0 0 0"], 2, "--fracture"),
        (&["ball", "--explode=-1"], 2, "zero or more"),
    ] {
        let output = fracas(&[arguments, &["-o", out]].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.contains(words), "{arguments:?}: '{told}' does not say '{words}'");
        assert!(!path.exists(), "{arguments:?} wrote a picture");
    }
    let nowhere = folder.path().join("missing").join("picture.png");
    let output = fracas(&["ball", "-o", nowhere.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3));
}

/// A square of 2 m across x, with the texture coordinates of an image seen upright from there.
fn pasted(size: [usize; 2], texels: &[[u8; 3]], wrap: Wrap, transform: Transform) -> Mesh {
    let mut mesh = Mesh { material: Material { colour: [1.0; 3], gloss: 0.0, grain: 0.0 }, ..Mesh::default() };
    let at = |y: f64, z: f64| Point::new(0.0, y, z);
    mesh.push([at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0)], [Vector::x(); 3]);
    mesh.push([at(-1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)], [Vector::x(); 3]);
    mesh.uvs = mesh.positions.iter().map(|p| [(0.5 + 0.5 * p.y) as f32, (0.5 - 0.5 * p.z) as f32]).collect();
    mesh.texture = Some(Arc::new(Texture::new(size, texels.to_vec(), [wrap; 2], transform)));
    mesh
}

/// It fills the middle 160 pixels of 200.
fn upright(mesh: Mesh) -> Image {
    let camera = Camera::looking_at(&Point::origin(), &Vector::x(), 10.0, &Vector::z(), 4.0);
    draw(&[mesh], &camera, &plain([200, 200]))
}

#[test]
fn a_texture_is_where_its_coordinates_are() {
    const RED: [u8; 3] = [230, 20, 20];
    const GREEN: [u8; 3] = [20, 230, 20];
    const BLUE: [u8; 3] = [20, 20, 230];
    const WHITE: [u8; 3] = [230, 230, 230];
    // Which of the four a pixel shows, whatever the light.
    let shown = |image: &Image, x: usize, y: usize| {
        let [r, g, b, opacity] = image.pixel(x, y);
        assert_eq!(opacity, 255);
        let most = r.max(g).max(b);
        [r, g, b].map(|c| c > most / 2)
    };
    let flags = |texel: [u8; 3]| texel.map(|c| c > 100);
    // Quarters of eight texels, so that few pixels lie between two colours.
    let four = |k: usize| [RED, GREEN, BLUE, WHITE][k % 16 / 8 + k / 128 * 2];
    let texels: Vec<[u8; 3]> = (0..256).map(four).collect();
    let as_it_is = Transform::default();
    let moved = Transform { offset: [0.5, 0.0], ..as_it_is };
    let turned = Transform { rotation: PI / 2.0, ..as_it_is };
    let small = Transform { scale: [2.0; 2], ..as_it_is };
    for (wrap, transform, quarters) in [
        (Wrap::Clamp, as_it_is, [RED, GREEN, BLUE, WHITE]),
        (Wrap::Repeat, moved, [GREEN, RED, WHITE, BLUE]),
        (Wrap::Clamp, moved, [GREEN, GREEN, WHITE, WHITE]),
        // Coordinates turn counter-clockwise, so the image turns clockwise: (0, 0) to (1, 0) runs upwards in it.
        (Wrap::Repeat, turned, [BLUE, RED, WHITE, GREEN]),
    ] {
        let image = upright(pasted([16, 16], &texels, wrap, transform));
        let found = [(50, 50), (150, 50), (50, 150), (150, 150)].map(|(x, y)| shown(&image, x, y));
        assert_eq!(found, quarters.map(flags), "{wrap:?} {transform:?}");
    }
    // Four times the image, and mirrored: the outer halves of a row are alike then, the inner ones too.
    let row = |wrap| {
        let image = upright(pasted([16, 16], &texels, wrap, small));
        [40, 80, 120, 160].map(|x| shown(&image, x, 40))
    };
    assert_eq!(row(Wrap::Repeat), [RED, GREEN, RED, GREEN].map(flags));
    assert_eq!(row(Wrap::Mirror), [RED, GREEN, GREEN, RED].map(flags));
}

#[test]
fn a_fine_texture_from_far_is_its_mean() {
    // Sixteen texels a pixel, of a pattern that single texels would alias with.
    let texel = |k: usize| if (k % 640 / 7 + k / 640 / 7).is_multiple_of(2) { [255; 3] } else { [0; 3] };
    let texels: Vec<[u8; 3]> = (0..640 * 640).map(texel).collect();
    let grey = |mesh: Mesh| {
        let camera = Camera::looking_at(&Point::origin(), &Vector::x(), 10.0, &Vector::z(), 4.0);
        let image = draw(&[mesh], &camera, &plain([50, 50]));
        let values: Vec<u8> =
            (10..40).flat_map(|y| (10..40).map(move |x| (x, y))).map(|(x, y)| image.pixel(x, y)[0]).collect();
        (*values.iter().min().unwrap(), *values.iter().max().unwrap())
    };
    let (low, high) = grey(pasted([640, 640], &texels, Wrap::Repeat, Transform::default()));
    // Half of the light is 188 of 255 in sRGB; as bright as an even texture of that.
    let (even, _) = grey(pasted([1, 1], &[[188; 3]], Wrap::Repeat, Transform::default()));
    assert!(low.abs_diff(even) < 12 && high.abs_diff(even) < 12, "{low} to {high}, not {even}");
}

/// A PNG file of one kind.
fn png_of(size: [u32; 2], colours: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
    let mut file = vec![];
    let mut encoder = png::Encoder::new(&mut file, size[0], size[1]);
    encoder.set_color(colours);
    encoder.set_depth(depth);
    if colours == png::ColorType::Indexed {
        encoder.set_palette(vec![10, 20, 30, 200, 100, 50]);
    }
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    file
}

#[test]
fn all_kinds_of_png_are_decoded_and_others_are_not_taken() {
    use png::{BitDepth, ColorType};
    let read = |bytes: &[u8]| Texture::from_png(bytes, [Wrap::Clamp; 2], Transform::default());
    let [a, b] = [[10, 20, 30], [200, 100, 50]];
    for (colours, depth, data, texels) in [
        (ColorType::Rgb, BitDepth::Eight, &[10, 20, 30, 200, 100, 50][..], [a, b]),
        (ColorType::Rgba, BitDepth::Eight, &[10, 20, 30, 9, 200, 100, 50, 255], [a, b]),
        (ColorType::Rgb, BitDepth::Sixteen, &[10, 0, 20, 0, 30, 0, 200, 0, 100, 0, 50, 0], [a, b]),
        (ColorType::Indexed, BitDepth::Two, &[0b0001_0000], [a, b]),
        (ColorType::Grayscale, BitDepth::One, &[0b0100_0000], [[0; 3], [255; 3]]),
        (ColorType::GrayscaleAlpha, BitDepth::Eight, &[7, 1, 90, 2], [[7; 3], [90; 3]]),
    ] {
        let file = png_of([2, 1], colours, depth, data);
        let expected = Texture::new([2, 1], texels.to_vec(), [Wrap::Clamp; 2], Transform::default());
        assert_eq!(read(&file).unwrap(), expected, "{colours:?}, {depth:?}");
        for length in 0..file.len() - 13 {
            assert!(read(&file[..length]).is_err(), "cut to {length} bytes");
        }
    }
    // An image that its header makes huge.
    let mut huge = png_of([2, 1], ColorType::Rgb, BitDepth::Eight, &[0; 6]);
    huge[16..24].copy_from_slice(&[0, 0, 255, 255, 0, 0, 255, 255]);
    assert!(read(&huge).is_err());
}

/// The vase of the samples: cream with blue bands outside. Its pieces too; and a skin of one colour, if one asks for that.
#[test]
fn the_command_draws_the_textures_of_an_asset() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let vase = concat!(env!("CARGO_MANIFEST_DIR"), "/../samples/vase.glb");
    let asset = path("vase.fracas");
    let cook = ["cook", vase, "-o", &asset, "--tets", "2500", "--grid-cells", "24"];
    assert!(Command::new(env!("CARGO_BIN_EXE_fracas")).args(cook).output().unwrap().status.success());
    let drawn = |name: &str, arguments: &[&str]| {
        let out = path(name);
        let common = [
            &asset,
            "-o",
            &out,
            "--size",
            "120x160",
            "--up",
            "y",
            "--view",
            "front",
            "--background",
            "none",
            "--no-ground",
        ];
        let output = fracas(&[&common[..], arguments].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (.., pixels) = decoded(Path::new(&out));
        let is = |wanted: fn([u8; 3]) -> bool| {
            let opaque = pixels.chunks_exact(4).filter(|p| p[3] == 255);
            let (yes, all) = opaque.fold((0, 0), |(yes, all), p| (yes + wanted([p[0], p[1], p[2]]) as u32, all + 1));
            assert!(all > 3000, "{all} pixels");
            f64::from(yes) / f64::from(all)
        };
        let blue = is(|[r, _, b]| b > r.saturating_add(25));
        let cream = is(|[r, g, b]| r > 150 && g > 140 && r > b && b > 100);
        (blue, cream)
    };
    let (blue, cream) = drawn("textured.png", &[]);
    assert!(blue > 0.08 && blue < 0.4 && cream > 0.35, "{blue} {cream}");
    let (blue, cream) = drawn("pieces.png", &["--fracture", "6", "--explode", "0.1"]);
    assert!(blue > 0.05 && cream > 0.25, "{blue} {cream}");
    let (blue, _) = drawn("skin.png", &["--colours", "skin"]);
    assert!(blue < 0.001, "{blue}");
}
