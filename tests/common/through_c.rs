//! The C interface as a program calls it, with lists instead of pointers. Every call that fails is an `Err` with the library's sentence;
//! a call that reports an error of our own (FC_ERROR_INTERNAL) panics.

#![allow(unsafe_code)] // it calls what C calls

use super::surfaces::Skin;
use fracas::ffi::*;
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

pub type Said<T> = Result<T, String>;

/// The sentence of a failed call; a remark (status above 0) is no failure.
fn done(status: fc_status) -> Said<fc_status> {
    // SAFETY: never NULL, and ours until the next call.
    let text = || unsafe { CStr::from_ptr(fc_last_error()) }.to_string_lossy().into_owned();
    assert!(status != FC_ERROR_INTERNAL, "an internal error: {}", text());
    if status < 0 { Err(format!("{status:?}: {}", text())) } else { Ok(status) }
}

/// A descriptor with its defaults.
fn defaults<T>(init: unsafe extern "C" fn(*mut T, u32)) -> T {
    // SAFETY: plain data, filled by the call.
    unsafe {
        let mut desc = MaybeUninit::<T>::zeroed();
        init(desc.as_mut_ptr(), size_of::<T>() as u32);
        desc.assume_init()
    }
}

pub struct Asset(pub fc_asset);

impl Drop for Asset {
    fn drop(&mut self) {
        assert_eq!(fc_asset_release(self.0), FC_OK);
    }
}

pub struct Object(pub fc_object);

impl Drop for Object {
    fn drop(&mut self) {
        assert_eq!(fc_object_destroy(self.0), FC_OK);
    }
}

/// Cooks a surface that is kept for drawing.
pub fn cook(skin: &Skin, flags: u32, tets: u32) -> Said<Asset> {
    let positions: Vec<f32> = skin.points.iter().flatten().map(|c| *c as f32).collect();
    let indices: Vec<u32> = skin.triangles.iter().flatten().copied().collect();
    let uvs: Vec<f32> = skin.points.iter().flat_map(|p| [p[0] as f32, p[2] as f32]).collect();
    let mut desc = defaults(fc_asset_desc_init);
    desc.positions = positions.as_ptr();
    desc.node_count = skin.points.len() as u32;
    desc.triangles = indices.as_ptr();
    desc.triangle_count = skin.triangles.len() as u32;
    desc.uvs = uvs.as_ptr();
    desc.fill_tets = tets;
    desc.flags = FC_ASSET_KEEP_SURFACE | flags;
    let mut asset = fc_asset { id: 0 };
    // SAFETY: the lists outlive the call.
    done(unsafe { fc_asset_create(&desc, &mut asset) })?;
    Ok(Asset(asset))
}

impl Asset {
    pub fn info(&self) -> fc_asset_info {
        // SAFETY: plain data, filled by the call.
        unsafe {
            let mut info = MaybeUninit::<fc_asset_info>::zeroed().assume_init();
            info.struct_size = size_of::<fc_asset_info>() as u32;
            assert_eq!(fc_asset_get_info(self.0, &mut info), FC_OK);
            info
        }
    }

    /// Its bodies, each an object.
    pub fn objects(&self) -> Vec<Object> {
        let made = |body: u32| {
            let mut desc = defaults(fc_object_desc_init);
            desc.body = body;
            let mut object = fc_object { id: 0 };
            // SAFETY: all is in scope.
            assert_eq!(unsafe { fc_object_create(self.0, &desc, &mut object) }, FC_OK);
            Object(object)
        };
        (0..self.info().body_count).map(made).collect()
    }

    pub fn load_objects(&self, bytes: &[u8]) -> Said<Vec<Object>> {
        let mut count = 0;
        let mut list = vec![fc_object { id: 0 }; 1 << 12];
        // SAFETY: lists are as long as told.
        let status = unsafe {
            fc_object_load(bytes.as_ptr(), bytes.len() as u64, self.0, list.as_mut_ptr(), list.len() as u32, &mut count)
        };
        done(status)?;
        Ok(list[..count as usize].iter().map(|object| Object(*object)).collect())
    }
}

/// Saves objects.
pub fn save(objects: &[Object]) -> Said<Vec<u8>> {
    let list: Vec<fc_object> = objects.iter().map(|object| object.0).collect();
    let mut size = 0;
    // SAFETY: lists are as long as told.
    unsafe {
        done(fc_object_save(list.as_ptr(), list.len() as u32, null_mut(), 0, &mut size))?;
        let mut bytes = vec![0; size as usize];
        done(fc_object_save(list.as_ptr(), list.len() as u32, bytes.as_mut_ptr(), size, &mut size))?;
        Ok(bytes)
    }
}

/// What is drawn of an object.
pub struct Drawn {
    pub vertices: Vec<fc_vertex>,
    pub triangles: Vec<fc_drawn_triangle>,
    pub patches: u32,
    pub open_edges: u32,
}

impl Drawn {
    pub fn volume(&self) -> f64 {
        let Some(first) = self.vertices.first() else { return 0.0 };
        let at = |k: u32| {
            let vertex = &self.vertices[k as usize];
            fracas::Vector::from_fn(|c, _| f64::from(vertex.position[c]) - f64::from(first.position[c]))
        };
        let flux = |t: &fc_drawn_triangle| {
            let [a, b, c] = t.corners.map(at);
            a.dot(&b.cross(&c)) / 6.0
        };
        self.triangles.iter().map(flux).sum()
    }

    /// The box around what triangles use.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for corner in self.triangles.iter().flat_map(|t| t.corners) {
            let at = self.vertices[corner as usize].position.map(f64::from);
            let [low, high] = bounds;
            bounds = [std::array::from_fn(|k| low[k].min(at[k])), std::array::from_fn(|k| high[k].max(at[k]))];
        }
        bounds
    }
}

/// How an object is to break.
pub struct Blow {
    pub pattern: u32,
    pub count: u32,
    pub seed: u64,
    pub point: [f32; 3],
    pub radius: f32,
    pub roughness: f32,
}

impl Object {
    pub fn mass(&self) -> fc_mass {
        // SAFETY: plain data, filled by the call.
        unsafe {
            let mut mass = MaybeUninit::<fc_mass>::zeroed().assume_init();
            assert_eq!(fc_object_mass(self.0, &mut mass), FC_OK);
            mass
        }
    }

    /// The box in its own frame.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let pose = fc_pose { position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };
        let mut bounds = fc_aabb { min: [0.0; 3], max: [0.0; 3] };
        // SAFETY: all is in scope.
        assert_eq!(unsafe { fc_object_bounds(self.0, &pose, &mut bounds) }, FC_OK);
        [bounds.min, bounds.max]
    }

    /// Its fragments; none if it stays whole.
    pub fn fracture(&self, blow: &Blow) -> Said<Vec<Object>> {
        let mut desc = defaults(fc_fracture_desc_init);
        desc.pattern = blow.pattern;
        desc.count = blow.count;
        desc.seed = blow.seed;
        desc.impact_point = blow.point;
        desc.impact_radius = blow.radius;
        desc.roughness = blow.roughness;
        let mut list = vec![fc_object { id: 0 }; 1 << 12];
        let mut count = 0;
        // SAFETY: lists are as long as told.
        let status =
            unsafe { fc_fracture(self.0, &desc, list.as_mut_ptr(), list.len() as u32, &mut count, null_mut()) };
        done(status)?;
        Ok(list[..count as usize].iter().map(|object| Object(*object)).collect())
    }

    pub fn prepare(&self) -> Said<()> {
        done(fc_object_prepare(self.0)).map(|_| ())
    }

    pub fn drawing(&self) -> Said<Drawn> {
        let (mut vertex_count, mut triangle_count) = (0, 0);
        // SAFETY: lists are as long as told; all are plain data.
        unsafe {
            let mut info = MaybeUninit::<fc_drawing_info>::zeroed().assume_init();
            info.struct_size = size_of::<fc_drawing_info>() as u32;
            done(fc_object_drawing(
                self.0,
                null_mut(),
                0,
                &mut vertex_count,
                null_mut(),
                0,
                &mut triangle_count,
                null_mut(),
            ))?;
            let mut vertices = vec![MaybeUninit::<fc_vertex>::zeroed().assume_init(); vertex_count as usize];
            let mut triangles = vec![MaybeUninit::<fc_drawn_triangle>::zeroed().assume_init(); triangle_count as usize];
            done(fc_object_drawing(
                self.0,
                vertices.as_mut_ptr(),
                vertex_count,
                &mut vertex_count,
                triangles.as_mut_ptr(),
                triangle_count,
                &mut triangle_count,
                &mut info,
            ))?;
            Ok(Drawn { vertices, triangles, patches: info.patch_count, open_edges: info.open_edge_count })
        }
    }

    /// How many convex parts it has.
    pub fn convex_parts(&self) -> Said<u32> {
        let [mut parts, mut vertices, mut triangles] = [0; 3];
        // SAFETY: all is in scope, and nothing is written with capacities of 0.
        done(unsafe {
            fc_object_convex_parts(
                self.0,
                null(),
                null_mut(),
                0,
                &mut parts,
                null_mut(),
                0,
                &mut vertices,
                null_mut(),
                0,
                &mut triangles,
            )
        })?;
        Ok(parts)
    }

    /// The volume of its tetrahedra.
    pub fn volume_of_tets(&self) -> Said<f64> {
        let [mut node_count, mut tet_count] = [0; 2];
        // SAFETY: lists are as long as told; all are plain data.
        let (nodes, tets) = unsafe {
            done(fc_object_tets(self.0, null_mut(), 0, &mut node_count, null_mut(), 0, &mut tet_count))?;
            let mut nodes = vec![MaybeUninit::<fc_tet_node>::zeroed().assume_init(); node_count as usize];
            let mut tets = vec![[0u32; 4]; tet_count as usize];
            done(fc_object_tets(
                self.0,
                nodes.as_mut_ptr(),
                node_count,
                &mut node_count,
                tets.as_mut_ptr().cast(),
                tet_count,
                &mut tet_count,
            ))?;
            (nodes, tets)
        };
        let volume = |tet: &[u32; 4]| {
            let [a, b, c, d] = tet.map(|n| fracas::Vector::from(nodes[n as usize].position));
            (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
        };
        Ok(tets.iter().map(volume).sum())
    }
}

/// Contacts of pairs, with memories and motions.
pub fn contacts(
    pairs: &[fc_pair],
    memories: &mut [fc_pair_memory],
    motions: &[fc_motion],
    seconds: f32,
) -> Said<Vec<fc_contact>> {
    let mut desc = defaults(fc_query_desc_init);
    desc.memories = memories.as_mut_ptr();
    desc.motions = motions.as_ptr();
    desc.seconds = seconds;
    let mut offsets = vec![0u32; pairs.len() + 1];
    // SAFETY: lists are as long as told; contacts are plain data.
    unsafe {
        let mut contacts = vec![MaybeUninit::<fc_contact>::zeroed().assume_init(); 64 * pairs.len() + 64];
        done(fc_query_pairs(
            pairs.as_ptr(),
            pairs.len() as u32,
            &desc,
            contacts.as_mut_ptr(),
            contacts.len() as u32,
            offsets.as_mut_ptr(),
            null_mut(),
        ))?;
        contacts.truncate(*offsets.last().unwrap() as usize);
        Ok(contacts)
    }
}
