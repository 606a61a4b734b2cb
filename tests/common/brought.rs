//! Meshes as users bring them: thin, open, self-crossing, of several bodies, of twelve triangles and of 300,000.
//!
//! All are ours, made here; sizes are those of the things that they stand for, in metres.

use super::surfaces::{Skin, bumpy_ball, knot, l_prism, wedge};
use super::thin::{blade, ellipsoid, flat_hull, lens};
use fracas::geom::random::unit;
use fracas::solid::drawing::DrawingMesh;
use fracas::solid::fill::FillOptions;
use fracas::{Asset, CookOptions, Object, Point, shapes};
use std::collections::HashMap;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// A mesh and what may be asked of it.
pub struct Brought {
    pub name: &'static str,
    pub skin: Skin,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Closed, and does not touch itself: the body has its genus and its volume.
    Sound,
    /// Parts overlap, or the surface passes through itself.
    Crossing,
    /// Has holes.
    Open,
}

impl Kind {
    pub fn is_sound(self) -> bool {
        self == Self::Sound
    }
}

/// A profile of (radius, height) turned about the z axis, `around` times. It starts and ends on the axis, or it is a loop.
pub fn turned(profile: &[[f64; 2]], around: usize) -> Skin {
    let on_axis = |k: usize| profile[k][0] == 0.0;
    let is_loop = !on_axis(0);
    let mut skin = Skin::default();
    let mut number = vec![];
    for (k, [r, z]) in profile.iter().enumerate() {
        number.push(skin.points.len() as u32);
        let copies = if on_axis(k) { 1 } else { around };
        skin.points.extend((0..copies).map(|j| {
            let (sin, cos) = (TAU * j as f64 / around as f64).sin_cos();
            [r * cos, r * sin, *z]
        }));
    }
    let at = |k: usize, j: usize| if on_axis(k) { number[k] } else { number[k] + (j % around) as u32 };
    let steps = if is_loop { profile.len() } else { profile.len() - 1 };
    for k in 0..steps {
        let next = (k + 1) % profile.len();
        for j in 0..around {
            let [a, b, c, d] = [at(k, j), at(k, j + 1), at(next, j + 1), at(next, j)];
            if a != b {
                skin.triangles.push([a, b, c]);
            }
            if c != d {
                skin.triangles.push([a, c, d]);
            }
        }
    }
    if skin.volume() < 0.0 { skin.turned_over() } else { skin }
}

/// Profile of an open vessel: up the outside and down the inside, `steps` along each.
fn vessel(steps: usize, height: f64, floor: f64, wall: f64, radius: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
    let share = |k: usize| k as f64 / steps as f64;
    let mut profile = vec![[0.0, 0.0]];
    profile.extend((0..=steps).map(|k| [radius(share(k)), height * share(k)]));
    profile.extend((0..=steps).rev().map(|k| {
        let z = floor + (height - floor) * share(k);
        [radius(z / height) - wall, z]
    }));
    profile.push([0.0, floor]);
    profile
}

/// A mug with a handle that has grown to it: one closed surface of genus 1.
pub fn mug(wall: f64, around: usize) -> Skin {
    let (radius, height, steps) = (0.04, 0.1, around / 2);
    let body = turned(&vessel(steps, height, wall, wall, |_| radius), around);
    let step = height / steps as f64;
    // The handle takes the place of two by two faces of the outside, above and below.
    let rows = [steps / 5, steps - steps / 5 - 2];
    let ring = |row: usize, is_upper: bool| -> Vec<u32> {
        let at = |row: usize, j: usize| 1 + (row * around + (j + around - 1) % around) as u32;
        let [low, mid, high] = if is_upper { [row + 2, row + 1, row] } else { [row, row + 1, row + 2] };
        vec![at(low, 0), at(low, 1), at(low, 2), at(mid, 2), at(high, 2), at(high, 1), at(high, 0), at(mid, 0)]
    };
    let [lower, upper] = [ring(rows[0], false), ring(rows[1], true)];
    let middles = rows.map(|row| (row + 1) as f64 * step);
    let in_patch = |t: &[u32; 3]| {
        let corners = t.map(|v| body.points[v as usize]);
        [&lower, &upper].iter().zip(middles).any(|(ring, z)| {
            t.iter().all(|v| {
                ring.contains(v) || {
                    let p = body.points[*v as usize];
                    (p[2] - z).abs() < 0.1 * step && p[1].abs() < 1e-9 && p[0] > 0.9 * radius
                }
            }) && corners.iter().all(|p| p[0] > 0.9 * radius)
        })
    };
    let mut skin = Skin { points: body.points.clone(), triangles: vec![] };
    skin.triangles.extend(body.triangles.iter().filter(|t| !in_patch(t)));
    let centre = 0.5 * (middles[0] + middles[1]);
    let arc = 0.5 * (middles[1] - middles[0]);
    let bends = around / 2;
    let mut before = lower.clone();
    for bend in 1..=bends {
        let ring: Vec<u32> = if bend == bends {
            upper.clone()
        } else {
            let turn = PI * bend as f64 / bends as f64;
            let first = skin.points.len() as u32;
            for v in &lower {
                let p = body.points[*v as usize];
                let across = p[2] - middles[0];
                let far = arc - across;
                skin.points.push([p[0] + 0.8 * far * turn.sin(), p[1], centre - far * turn.cos()]);
            }
            (first..first + 8).collect()
        };
        for k in 0..8 {
            let next = (k + 1) % 8;
            skin.triangles.extend([[before[k], before[next], ring[next]], [before[k], ring[next], ring[k]]]);
        }
        before = ring;
    }
    used(skin)
}

/// A cup without a handle.
fn cup(radius: f64, wall: f64) -> Skin {
    turned(&vessel(24, 0.1, wall, wall, |_| radius), 64)
}

/// Without points that no triangle has.
fn used(skin: Skin) -> Skin {
    let mut number: HashMap<u32, u32> = HashMap::new();
    let mut points = vec![];
    let triangles = skin.triangles.iter().map(|t| {
        t.map(|v| {
            *number.entry(v).or_insert_with(|| {
                points.push(skin.points[v as usize]);
                points.len() as u32 - 1
            })
        })
    });
    let triangles = triangles.collect();
    Skin { points, triangles }
}

/// The surface of cells of a grid, two triangles a side. Cells that meet along an edge alone are not allowed.
pub fn blocks(counts: [usize; 3], size: [f64; 3], is_in: impl Fn([usize; 3]) -> bool) -> Skin {
    let inside = |c: [i64; 3]| (0..3).all(|k| c[k] >= 0 && c[k] < counts[k] as i64) && is_in(c.map(|i| i as usize));
    let mut skin = Skin::default();
    let mut numbers: HashMap<[i64; 3], u32> = HashMap::new();
    let all = (0..counts[0]).flat_map(|x| (0..counts[1]).flat_map(move |y| (0..counts[2]).map(move |z| [x, y, z])));
    for cell in all.map(|c| c.map(|i| i as i64)).filter(|c| inside(*c)) {
        for axis in 0..3 {
            for up in [0, 1] {
                let mut beside = cell;
                beside[axis] += 2 * up - 1;
                if inside(beside) {
                    continue;
                }
                let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
                let mut corner = |a: i64, b: i64| {
                    let mut at = cell;
                    at[axis] += up;
                    at[u] += a;
                    at[v] += b;
                    *numbers.entry(at).or_insert_with(|| {
                        skin.points.push([0, 1, 2].map(|k| at[k] as f64 * size[k]));
                        skin.points.len() as u32 - 1
                    })
                };
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                let sides = [[a, b, c], [a, c, d]];
                skin.triangles.extend(if up == 1 { sides } else { sides.map(|[p, q, r]| [p, r, q]) });
            }
        }
    }
    skin
}

/// A box of twelve triangles.
fn plain_box(size: [f64; 3]) -> Skin {
    blocks([1; 3], size, |_| true)
}

/// A tube with flat ends along a path; `across` corners around, of a radius.
fn tube(path: &[Point], radius: f64, across: u32) -> Skin {
    let mut skin = Skin::default();
    let mut first = (path[1] - path[0]).cross(&fracas::Vector::new(0.3, 0.5, 0.8)).normalize();
    let last = path.len() - 1;
    for (k, at) in path.iter().enumerate() {
        let along = (path[(k + 1).min(last)] - path[k.saturating_sub(1)]).normalize();
        first = (first - along * first.dot(&along)).normalize();
        let second = along.cross(&first);
        for j in 0..across {
            let (sin, cos) = (TAU * f64::from(j) / f64::from(across)).sin_cos();
            skin.points.push((at + (first * cos + second * sin) * radius).into());
        }
    }
    let number = |k: u32, j: u32| k * across + j % across;
    for k in 0..last as u32 {
        for j in 0..across {
            let [a, b, c, d] = [number(k, j), number(k, j + 1), number(k + 1, j + 1), number(k + 1, j)];
            skin.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    for j in 1..across - 1 {
        let end = last as u32;
        skin.triangles.extend([[0, j + 1, j], [number(end, 0), number(end, j), number(end, j + 1)]]);
    }
    skin
}

fn along(steps: u32, place: impl Fn(f64) -> [f64; 3]) -> Vec<Point> {
    (0..=steps).map(|k| Point::from(place(f64::from(k) / f64::from(steps)))).collect()
}

fn ball(radius: f64, cells: usize, at: [f64; 3]) -> Skin {
    Skin::of(&shapes::ball(radius, cells)).moved(at)
}

fn scaled(skin: Skin, by: f64) -> Skin {
    skin.placed(|p| Point::from(p.coords * by))
}

/// A ball of latitudes and longitudes.
fn globe(radius: f64, rings: usize) -> Skin {
    let profile = (0..=rings).map(|k| {
        let (sin, cos) = (PI * k as f64 / rings as f64).sin_cos();
        [if k == 0 || k == rings { 0.0 } else { radius * sin }, -radius * cos]
    });
    turned(&profile.collect::<Vec<_>>(), 2 * rings)
}

/// Those that a short run looks at: one of each kind of trouble.
pub fn few() -> Vec<Brought> {
    const FEW: [&str; 3] = ["cup of 10 cm", "window pane", "crate of twelve triangles"];
    all().into_iter().filter(|body| FEW.contains(&body.name)).collect()
}

/// One of them, filled by default and drawn by its surface.
pub fn filled(name: &str) -> Object {
    let body =
        all().into_iter().find(|body| body.name == name).unwrap_or_else(|| panic!("there is no body \"{name}\""));
    let skin = &body.skin;
    let drawing = DrawingMesh::new(&skin.points, &skin.triangles).unwrap();
    let cooking = CookOptions { drawing: Some(Arc::new(drawing)), ..CookOptions::default() };
    let asset = Asset::from_surface(&skin.points, &skin.triangles, &FillOptions::default(), &cooking).unwrap();
    Object::intact(&asset).remove(0)
}

/// All of them.
pub fn all() -> Vec<Brought> {
    use Kind::{Crossing, Open, Sound};
    let bottle = |t: f64| {
        if t < 0.6 {
            0.035
        } else if t < 0.8 {
            0.035 - 0.11 * (t - 0.6)
        } else {
            0.013
        }
    };
    let glass = |t: f64| {
        if t < 0.05 {
            0.035
        } else if t < 0.5 {
            0.005
        } else {
            0.005 + 0.035 * ((t - 0.5) * 2.0).sqrt()
        }
    };
    let wave = |t: f64| 0.06 + 0.03 * (3.0 * t).sin();
    let helix =
        |turns: f64, r: f64, h: f64| move |t: f64| [r * (TAU * turns * t).cos(), r * (TAU * turns * t).sin(), h * t];
    let rib = |r: f64, z: f64, skew: f64| ring(r, 0.004, 24, 8).turned(skew).moved([0.0, 0.0, z]);
    let mut list: Vec<(&'static str, Kind, Skin)> = vec![
        ("mug", Sound, mug(0.005, 32)),
        ("thin mug", Sound, mug(0.002, 32)),
        ("mug of 7,000 triangles", Sound, mug(0.005, 64)),
        ("cup of 10 cm", Sound, cup(0.05, 0.005)),
        ("cup of 8 cm", Sound, cup(0.04, 0.0045)),
        (
            "cup, handle stuck on",
            Crossing,
            cup(0.05, 0.005)
                .and(&ring(0.025, 0.005, 24, 8).placed(|p| Point::new(p.x + 0.055, p.z, p.y + 0.05)).turned_over()),
        ),
        (
            "mug, handle stuck on",
            Crossing,
            turned(&vessel(12, 0.1, 0.005, 0.005, |_| 0.04), 32)
                .and(&ring(0.025, 0.005, 24, 8).placed(|p| Point::new(p.x + 0.045, p.z, p.y + 0.05)).turned_over()),
        ),
        ("vase", Sound, turned(&vessel(24, 0.3, 0.015, 0.012, wave), 32)),
        ("thin vase", Sound, turned(&vessel(24, 0.3, 0.006, 0.004, wave), 32)),
        ("bowl", Sound, turned(&vessel(12, 0.06, 0.006, 0.006, |t| 0.04 + 0.06 * t.sqrt()), 40)),
        ("bottle", Sound, turned(&vessel(20, 0.25, 0.004, 0.003, bottle), 32)),
        ("wine glass", Sound, turned(&stemmed(glass), 32)),
        ("dinner plate", Sound, turned(&vessel(8, 0.02, 0.004, 0.004, |t| 0.06 + 0.07 * t), 48)),
        ("pipe", Sound, turned(&[[0.05, 0.0], [0.05, 1.0], [0.045, 1.0], [0.045, 0.0]], 32)),
        ("roof tile", Sound, bent(&blocks([16, 20, 1], [0.02, 0.02, 0.012], |_| true), 0.15)),
        ("window pane", Sound, plain_box([1.0, 0.006, 0.8])),
        ("curved pane", Sound, bent(&blocks([20, 16, 1], [0.05, 0.05, 0.006], |_| true), 0.9)),
        ("window with bars", Sound, blocks([13, 17, 1], [0.06, 0.06, 0.05], |[x, y, _]| x % 6 == 0 || y % 8 == 0)),
        ("perforated plate", Sound, blocks([17, 17, 1], [0.02, 0.02, 0.01], |[x, y, _]| x % 4 != 2 || y % 4 != 2)),
        ("grate", Sound, blocks([21, 21, 1], [0.015, 0.015, 0.02], |[x, y, _]| x % 4 == 0 || y % 4 == 0)),
        ("crate of twelve triangles", Sound, plain_box([0.4, 0.4, 0.4])),
        ("crate of planks", Crossing, planks()),
        ("hollow crate", Sound, blocks([10, 10, 10], [0.04; 3], |c| c.iter().any(|i| *i == 0 || *i == 9))),
        (
            "open crate",
            Sound,
            blocks([10, 10, 10], [0.04; 3], |[x, y, z]| [x, y].iter().any(|i| *i == 0 || *i == 9) || z == 0),
        ),
        ("brick", Sound, plain_box([0.2, 0.1, 0.065])),
        ("wall", Sound, plain_box([2.0, 0.1, 1.0])),
        ("long plank", Sound, plain_box([2.0, 0.15, 0.02])),
        ("stairs", Sound, blocks([6, 8, 6], [0.3, 0.15, 0.2], |[x, _, z]| z <= x)),
        ("arch", Sound, blocks([12, 4, 12], [0.1; 3], |[x, _, z]| !((3..9).contains(&x) && z < 8))),
        ("ladder", Sound, blocks([7, 1, 25], [0.07, 0.04, 0.06], |[x, _, z]| x == 0 || x == 6 || z % 4 == 2)),
        (
            "table",
            Sound,
            blocks([12, 8, 10], [0.1, 0.1, 0.08], |[x, y, z]| z == 9 || ((x == 0 || x == 11) && (y == 0 || y == 7))),
        ),
        ("chair of boxes", Crossing, chair()),
        ("statue of balls", Crossing, statue()),
        ("rock", Sound, used(bumpy_ball(12))),
        ("angular rock", Sound, flat_hull(3, 40, [0.3, 0.25, 0.2])),
        ("flat shard", Sound, flat_hull(8, 30, [0.3, 0.2, 0.02])),
        ("knot", Sound, knot([2, 3], 0.012, 160, 12)),
        ("torus", Sound, ring(0.1, 0.03, 40, 16)),
        ("bracelet", Sound, ring(0.1, 0.004, 64, 8)),
        ("chain of three", Sound, rib(0.03, 0.0, 0.0).and(&rib(0.03, 0.045, 90.0)).and(&rib(0.03, 0.09, 0.0))),
        ("spring", Sound, tube(&along(160, helix(5.0, 0.03, 0.1)), 0.004, 10)),
        (
            "bent pipe, full",
            Sound,
            tube(&along(24, |t| [0.3 * (PI * 0.5 * t).cos(), 0.3 * (PI * 0.5 * t).sin(), 0.0]), 0.04, 16),
        ),
        ("column", Sound, turned(&column(), 48)),
        ("globe", Sound, globe(0.1, 16)),
        ("globe of eight triangles", Sound, globe(0.1, 2)),
        ("globe torn to triangles", Sound, globe(0.1, 12).torn()),
        ("hollow ball", Sound, ball(0.1, 12, [0.0; 3]).and(&ball(0.08, 12, [0.0; 3]).turned_over())),
        ("thin hollow ball", Sound, globe(0.1, 16).and(&globe(0.097, 16).turned_over())),
        ("blade", Sound, blade(1.0, 0.05, 0.01)),
        ("needle", Sound, ellipsoid([1.0, 0.01, 0.01], 16)),
        ("coin", Sound, turned(&[[0.0, 0.0], [0.0125, 0.0], [0.0125, 0.002], [0.0, 0.002]], 32)),
        ("lens", Sound, lens(0.05, 0.01, 24)),
        ("letter L", Sound, l_prism()),
        ("wedge of 25 degrees", Sound, wedge(25.0)),
        ("tiny cup", Sound, scaled(turned(&vessel(12, 0.1, 0.008, 0.008, |_| 0.04), 24), 0.01)),
        ("tower, a kilometre", Sound, scaled(turned(&vessel(16, 1.0, 0.05, 0.05, |t| 0.25 - 0.1 * t), 24), 1000.0)),
        ("brick far from the origin", Sound, plain_box([0.2, 0.1, 0.065]).moved([300.0, -200.0, 100.0])),
        ("two balls", Sound, ball(0.1, 8, [0.0; 3]).and(&ball(0.06, 8, [0.2, 0.0, 0.0]))),
        ("25 stones", Sound, stones()),
        ("balls that overlap", Crossing, ball(0.1, 8, [0.0; 3]).and(&ball(0.08, 8, [0.12, 0.0, 0.0]))),
        (
            "tube through itself",
            Crossing,
            tube(&along(60, |t| [0.1 * (TAU * t).sin(), 0.05 * (2.0 * TAU * t).sin(), 0.01 * t]), 0.012, 10),
        ),
        ("open bowl", Open, ball(0.1, 12, [0.0; 3]).without(|p| p.z > 0.085)),
        ("ball with three holes", Open, ball(0.1, 12, [0.0; 3]).without(|p| p.iter().any(|c| *c > 0.092))),
        ("rock of 300,000 triangles", Sound, bumpy(387)),
    ];
    list.extend(
        ["bunny", "piggybank", "plate", "bowl", "shelf"]
            .into_iter()
            .filter_map(|name| Some((name, Sound, Skin::obj(name)?)))
            .map(|(name, kind, skin)| {
                (
                    match name {
                        "plate" => "plate of the data",
                        "bowl" => "bowl of the data",
                        other => other,
                    },
                    kind,
                    skin,
                )
            }),
    );
    list.into_iter().map(|(name, kind, skin)| Brought { name, kind, skin }).collect()
}

/// A torus about the z axis.
fn ring(radius: f64, tube: f64, around: usize, across: usize) -> Skin {
    let profile = (0..across).map(|k| {
        let (sin, cos) = (TAU * k as f64 / across as f64).sin_cos();
        [radius + tube * cos, tube * sin]
    });
    turned(&profile.collect::<Vec<_>>(), around)
}

/// A glass on a stem.
fn stemmed(radius: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
    let height = 0.2;
    let mut profile = vec![[0.0, 0.0], [0.035, 0.0], [0.035, 0.003], [0.006, 0.01], [0.005, 0.09]];
    profile.extend((1..=12).map(|k| 0.5 + 0.5 * f64::from(k) / 12.0).map(|t| [radius(t), height * t]));
    profile.extend((2..=12).rev().map(|k| 0.5 + 0.5 * f64::from(k) / 12.0).map(|t| [radius(t) - 0.002, height * t]));
    profile.push([0.0, 0.107]);
    profile
}

fn column() -> Vec<[f64; 2]> {
    let mut profile = vec![[0.0, 0.0], [0.4, 0.0], [0.4, 0.2], [0.3, 0.25]];
    profile.extend((0..=8).map(|k| f64::from(k) / 8.0).map(|t| [0.27 - 0.04 * t * t, 0.3 + 2.5 * t]));
    profile.extend([[0.35, 2.9], [0.35, 3.0], [0.0, 3.0]]);
    profile
}

/// A flat thing bent about the y axis with a radius.
fn bent(skin: &Skin, radius: f64) -> Skin {
    skin.clone().placed(|p| {
        let (sin, cos) = (p.x / radius).sin_cos();
        Point::new((radius + p.z) * sin, p.y, (radius + p.z) * cos)
    })
}

/// Twelve planks around a space, each a closed box of its own, some through others.
fn planks() -> Skin {
    let mut skin = Skin::default();
    for k in 0..3 {
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mut size = [0.06; 3];
            size[k] = 0.42;
            let mut at = [0.0; 3];
            at[k] = -0.01;
            at[(k + 1) % 3] = 0.33 * f64::from(i) + 0.003 * k as f64;
            at[(k + 2) % 3] = 0.33 * f64::from(j) + 0.002 * k as f64;
            skin = skin.and(&plain_box(size).moved(at));
        }
    }
    skin
}

fn chair() -> Skin {
    let leg = |x: f64, y: f64| plain_box([0.05, 0.05, 0.46]).moved([x, y, 0.0]);
    plain_box([0.45, 0.45, 0.05])
        .moved([0.0, 0.0, 0.44])
        .and(&leg(0.01, 0.01))
        .and(&leg(0.39, 0.011))
        .and(&leg(0.012, 0.39))
        .and(&leg(0.391, 0.392))
        .and(&plain_box([0.44, 0.05, 0.5]).moved([0.004, 0.395, 0.46]))
}

/// A standing figure of balls, as one makes it of spheres.
fn statue() -> Skin {
    let balls: [([f64; 3], f64); 7] = [
        ([0.0, 0.0, 0.25], 0.25),
        ([0.01, 0.0, 0.6], 0.2),
        ([0.0, 0.02, 0.88], 0.13),
        ([0.2, 0.01, 0.65], 0.08),
        ([-0.2, 0.0, 0.66], 0.08),
        ([0.3, 0.03, 0.55], 0.06),
        ([-0.31, 0.02, 0.57], 0.06),
    ];
    balls.iter().fold(Skin::default(), |skin, (at, r)| skin.and(&globe(*r, 10).moved(*at)))
}

fn stones() -> Skin {
    (0..25).fold(Skin::default(), |skin, k| {
        let at = [f64::from(k % 5) * 0.3, f64::from(k / 5) * 0.3, 0.02 * unit(4, k.try_into().unwrap())];
        skin.and(&flat_hull(100 + k as u64, 14, [0.2, 0.2, 0.15]).moved(at))
    })
}

/// A bumpy ball of 2 n n triangles.
fn bumpy(n: usize) -> Skin {
    globe(0.1, n).placed(|p| {
        let d = p.coords.normalize();
        let bump = (7.0 * d.x).sin() * (5.0 * d.y + 1.0).sin() * (6.0 * d.z).cos()
            + 0.3 * (31.0 * d.x + 17.0 * d.y).sin() * (1.0 - d.z * d.z);
        Point::from(p.coords * (1.0 + 0.05 * bump))
    })
}
