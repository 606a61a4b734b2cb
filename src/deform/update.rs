//! The update: once a step, trees are restructured and refitted (FASTCD 5.3, 5.4).

use super::body::Body;
use super::options::ConeCulling;
use super::refit::{Interval, refit};
use super::restructure::restructure;
use super::scene::{Scene, UpdateStats};
use crate::geom::Point;
use crate::tasks::Tasks;

impl Scene {
    /// Begins a step and makes the scene ready for queries: after bodies were added, removed or moved. A body that was not moved since the
    /// last update is at rest. `Interval::Step` for continuous queries, which also serves discrete ones; `Interval::End` is faster for those.
    pub fn update(&mut self, interval: Interval, tasks: &Tasks) -> UpdateStats {
        let mut stats = UpdateStats::default();
        self.bodies.iter_mut().filter_map(|slot| slot.body.as_mut()).for_each(|body| body.begin_step());
        restructure(self, &mut stats);
        let bodies = self.bodies.iter_mut().filter_map(|slot| slot.body.as_mut());
        let mut stale: Vec<&mut Box<Body>> = bodies.filter(|body| body.is_stale).collect();
        stats.refitted_triangles = stale.iter().map(|body| body.mesh.triangles.len() as u64).sum();
        let (origin, culling) = (self.options.origin, self.options.culling);
        refit_all(&mut stale, &origin, interval, culling, tasks);
        let bodies = &self.bodies;
        self.top.refit(|index| match &bodies[index as usize].body {
            Some(body) => body.summary(),
            None => unreachable!("the tree holds bodies that are there"),
        });
        self.interval = Some(interval);
        stats
    }
}

/// Bodies below this many leaves are refitted whole, several to a task.
const SMALL_BODY: usize = 2048;

fn refit_all(stale: &mut [&mut Box<Body>], origin: &Point, interval: Interval, culling: ConeCulling, tasks: &Tasks) {
    let (mut small, mut large): (Vec<_>, Vec<_>) =
        stale.iter_mut().partition(|body| body.tree.leaves.len() < SMALL_BODY);
    large.iter_mut().for_each(|body| refit(body, origin, interval, culling, tasks));
    tasks.fill(&mut small, 8, |_, bodies| {
        bodies.iter_mut().for_each(|body| refit(body, origin, interval, culling, &Tasks::inline()));
    });
    for body in stale {
        body.is_stale = false;
    }
}
