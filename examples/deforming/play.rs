//! A sequence in a scene.

use crate::sequences::{Change, Frame, Mesh};
use fracas::deform::{BodyId, BodyMesh, BodyOptions, Scene, SceneOptions};
use fracas::{Point, Result};

/// A scene and the ids of the bodies that the sequence numbers.
pub struct Player {
    pub scene: Scene,
    pub bodies: Vec<BodyId>,
}

impl Player {
    pub fn new(options: SceneOptions) -> Self {
        Self { scene: Scene::new(options), bodies: vec![] }
    }

    /// Applies a frame's changes, then its positions.
    pub fn apply(&mut self, frame: Frame) -> Result<()> {
        for change in frame.changes {
            match change {
                Change::Add { mesh } => {
                    self.bodies.push(self.scene.add(body_mesh(mesh, vec![]), &BodyOptions::default())?);
                }
                Change::Delete { body } => self.scene.delete(self.bodies[body])?,
                Change::Split { body, parts, sources } => {
                    let parts = parts.into_iter().zip(sources).map(|(part, sources)| body_mesh(part, sources));
                    self.bodies.extend(self.scene.split(self.bodies[body], parts.collect())?);
                }
                Change::Merge { bodies, mesh } => {
                    let old: Vec<BodyId> = bodies.iter().map(|k| self.bodies[*k]).collect();
                    self.bodies.push(self.scene.merge(&old, body_mesh(mesh, vec![]))?);
                }
            }
        }
        for (body, positions) in frame.moves {
            self.scene.set_positions(self.bodies[body], positions.iter().map(|p| Point::from(*p)))?;
        }
        Ok(())
    }
}

fn body_mesh(mesh: Mesh, sources: Vec<u32>) -> BodyMesh {
    BodyMesh { positions: mesh.positions.into_iter().map(Point::from).collect(), triangles: mesh.triangles, sources }
}

/// How many bodies changes make.
pub fn parts(changes: &[Change]) -> usize {
    let made = |change: &Change| match change {
        Change::Split { parts, .. } => parts.len(),
        Change::Add { .. } | Change::Merge { .. } => 1,
        Change::Delete { .. } => 0,
    };
    changes.iter().map(made).sum()
}
