//! A break: the immutable result of one fracture.
//!
//! Fragments partition the object that broke (Glondu 2013, section 4.1), so every node, cut tetrahedron and crack point
//! is stored once and shared by the fragments. Lists are grouped by fragment, and within one in curve order. A break is
//! self-contained: cuts of earlier events are carried over, so it does not refer to earlier generations. An intact
//! asset is a break without cuts: one piece per connected body.
//!
//! In a cut tetrahedron a fragment has *regions*: convex parts, each bounded by some cracks
//! (docs/formulations/exact-cells.md). A tetrahedron without cracks belongs to the owner of its nodes. A fragment may
//! have only regions, and no node.

use super::group::Group;
pub use super::planes::{CellPlane, box_planes};
use crate::cut::polytope::{Split, Wall};
use crate::geom::aabb::Aabb;
use crate::geom::moments::MassProperties;
use crate::geom::{Local, NONE, Point};
use crate::heap::held;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::OnceLock;

/// Upper bound of nodes and crack points of an asset together: feature numbers have 28 bits
/// (docs/formulations/c-interface.md).
pub const MOST_IDS: u64 = 1 << 28;

/// A tetrahedron crossed by cracks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CutTet {
    /// Index in the solid.
    pub tet: u32,
    /// Offset of its cracks, which end where those of the next one start.
    pub first_split: u32,
    /// Offset of its regions, which end where those of the next one start.
    pub first_region: u32,
}

/// A convex part of a cut tetrahedron.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Region {
    /// The piece that owns it. Regions of other objects are not listed.
    pub piece: u32,
    /// Offset of the cracks that bound it, which end where those of the next region start.
    pub first_wall: u32,
    /// Bit mask of the tetrahedron's nodes that lie in it.
    pub nodes: u8,
}

/// A sample point on a crack, on the side of one fragment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CrackPoint {
    /// Position in the frame of the asset.
    pub at: Point,
    /// Its identity: the element of the mesh that it lies on, and the cells that meet in it (`cut::polytope::Corner`).
    pub key: u64,
    /// Index, unique within the object and stable through all later fractures.
    pub id: u32,
    /// The piece of this break across the crack; [`NONE`] where several cracks meet, and on cracks of earlier events.
    pub neighbour: u32,
}

/// How a fragment is bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// All of the original body within its planes and its box.
    #[default]
    Cell,
    /// One of several connected parts of that.
    PartOfCell,
    /// Several cells that were joined.
    Union,
    /// Its cracks are not planes: rough, or given at nodes.
    Rough,
}

impl Kind {
    /// Whether it is the original body, or a connected part of it, within its planes.
    pub fn is_made_of_planes(self) -> bool {
        self <= Self::PartOfCell
    }
}

/// One fragment of a break, or one connected body of an intact asset.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its range of the break's nodes.
    pub nodes: Range<usize>,
    /// Its range of the break's crack points.
    pub points: Range<usize>,
    /// Volume, mass, centre and inertia.
    pub mass: MassProperties,
    /// Bounding box.
    pub bounds: Aabb,
    /// The cell of the pattern that it fills; 0 for an intact body.
    pub cell: u32,
    /// How it is bounded.
    pub kind: Kind,
    /// Its range of the break's planes; empty unless it is made of planes.
    pub planes: Range<usize>,
    /// Further planes, if there is a drawing mesh: those that cut only its drawn surface, which may reach out of the
    /// bounding box, and the box of that surface. If not all siblings are made of planes: all planes of the last
    /// ancestor of which they were.
    pub drawn: Range<usize>,
}

/// The cut tetrahedra of a break, and their owners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CutTets {
    /// Cut tetrahedra, ascending.
    pub tets: Vec<CutTet>,
    /// Cracks of all cut tetrahedra.
    pub splits: Vec<Split>,
    /// Regions of all cut tetrahedra.
    pub regions: Vec<Region>,
    /// Cracks that bound regions, indexed within their tetrahedron.
    pub walls: Vec<Wall>,
    /// Positions in `tets` of the cut tetrahedra in which each piece has a region, by piece.
    pub by_piece: Vec<u32>,
    /// Offset of each piece in `by_piece`, and the end of the last.
    pub starts: Vec<usize>,
    /// Generation of the break.
    pub generation: u32,
}

/// Cuts the tetrahedra of a break on first use.
pub trait CutLater: Debug + Send + Sync {
    /// Cuts them. Deterministic.
    fn cut(&self, made: &Break) -> CutTets;
    /// Bytes on the heap.
    fn bytes(&self) -> usize;
}

/// Result of one fracture. See the module.
#[derive(Debug, Default)]
pub struct Break {
    /// Fragments, sorted by pattern cell, then lowest node.
    pub pieces: Vec<Piece>,
    /// Nodes by piece, ascending in each.
    pub nodes: Vec<u32>,
    /// Crack points by piece, and in each by the piece across.
    pub points: Vec<CrackPoint>,
    /// Planes around pieces.
    pub planes: Vec<CellPlane>,
    /// Index that the next crack point of these pieces gets.
    pub next_id: u32,
    /// Number of events so far: the generation of the cracks of the next one.
    pub generation: u32,
    /// Its cut tetrahedra, once they are cut; see [`Break::cut_tets`].
    pub cut: OnceLock<CutTets>,
    /// Cuts them on first use; `None`: no tetrahedra are cut.
    pub later: Option<Box<dyn CutLater>>,
    /// If they are cut later: those with regions of pieces that share their cell with other pieces.
    pub shared_cell_tets: CutTets,
    /// By piece: how those are bounded that are several cells of planes; empty if there are none.
    pub groups: Vec<Option<Group>>,
    /// Where the edges of the pieces are, as far as they are not those of the body's own skin.
    pub edges: PieceEdges,
}

/// Edges of the surfaces of pieces that a break made: of cracks, and what it left of those of the skin. Relative to the centre of the asset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PieceEdges {
    /// By piece.
    pub segments: Vec<[Local; 2]>,
    /// Where those of each piece start, and the end of the last; empty if nothing is known of them.
    pub starts: Vec<u32>,
    /// Edges of the skin, by their numbers, ascending, whose ends are of one piece, but not all that is between.
    pub interrupted: Vec<u32>,
}

impl PieceEdges {
    /// Those of a piece, if they are known.
    pub fn of(&self, piece: u32) -> Option<&[[Local; 2]]> {
        let range = self.starts.get(piece as usize..piece as usize + 2)?;
        Some(&self.segments[range[0] as usize..range[1] as usize])
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.segments) + held(&self.starts) + held(&self.interrupted)
    }
}

impl PartialEq for Break {
    fn eq(&self, other: &Self) -> bool {
        (&self.pieces, &self.nodes, &self.points, &self.planes, self.next_id, self.generation)
            == (&other.pieces, &other.nodes, &other.points, &other.planes, other.next_id, other.generation)
            && (&self.groups, &self.edges) == (&other.groups, &other.edges)
            && self.cut_tets() == other.cut_tets()
    }
}

impl Break {
    /// The nodes of a piece.
    pub fn nodes_of(&self, piece: u32) -> &[u32] {
        &self.nodes[self.pieces[piece as usize].nodes.clone()]
    }

    /// Its cut tetrahedra, cut on first use. Queries of pieces made of planes do not need them.
    pub fn cut_tets(&self) -> &CutTets {
        self.cut.get_or_init(|| self.later.as_ref().map_or_else(CutTets::default, |later| later.cut(self)))
    }

    /// The cut tetrahedra with regions of pieces that need more than planes, and maybe others. Never triggers a cut.
    pub fn searched_tets(&self) -> &CutTets {
        if self.later.is_some() { &self.shared_cell_tets } else { self.cut_tets() }
    }

    /// How a piece is bounded that is several cells of planes.
    #[inline]
    pub fn group_of(&self, piece: u32) -> Option<&Group> {
        self.groups.get(piece as usize)?.as_ref()
    }

    /// Sets its cut tetrahedra.
    pub fn set_cut_tets(&mut self, cut_tets: CutTets) {
        self.cut = OnceLock::from(cut_tets);
    }

    /// Whether it is an intact asset: no event made it.
    pub fn is_intact(&self) -> bool {
        self.generation == 0
    }

    /// The cut tetrahedra of a piece, ascending, by position.
    pub fn cuts_of(&self, piece: u32) -> &[u32] {
        self.cut_tets().cuts_of(piece)
    }

    /// The crack points of a piece.
    pub fn points_of(&self, piece: u32) -> &[CrackPoint] {
        &self.points[self.pieces[piece as usize].points.clone()]
    }

    /// The planes around a piece.
    pub fn planes_of(&self, piece: u32) -> &[CellPlane] {
        &self.planes[self.pieces[piece as usize].planes.clone()]
    }

    /// Further planes around the drawn surface of a piece: see [`Piece::drawn`].
    pub fn drawn_planes_of(&self, piece: u32) -> &[CellPlane] {
        &self.planes[self.pieces[piece as usize].drawn.clone()]
    }

    /// Whether a piece owns the point with barycentric coordinates `weights` in tetrahedron `tet` with these nodes.
    pub fn owns(&self, piece: u32, tet: u32, nodes: &[u32; 4], weights: &[f64; 4]) -> bool {
        let cut_tets = self.cut_tets();
        match cut_tets.find(tet) {
            Some(k) => cut_tets.owner_at(k, weights) == piece,
            // Not cut: the owner of one node owns all of it.
            None => self.nodes_of(piece).binary_search(&nodes[0]).is_ok(),
        }
    }

    /// Whether all of its pieces are made of planes. If so, drawn surfaces are divided by planes, else by anchors. The
    /// two differ slightly outside of the tetrahedra, so all siblings use the same.
    pub fn is_made_of_planes(&self) -> bool {
        self.pieces.iter().all(|piece| piece.kind.is_made_of_planes())
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let lists = held(&self.pieces) + held(&self.nodes) + held(&self.points) + held(&self.planes);
        let later = self.later.as_ref().map_or(0, |later| size_of_val(&**later) + later.bytes());
        let groups = held(&self.groups) + self.groups.iter().flatten().map(Group::bytes).sum::<usize>();
        lists
            + later
            + groups
            + self.edges.bytes()
            + self.shared_cell_tets.bytes()
            + self.cut.get().map_or(0, CutTets::bytes)
    }
}

impl CutTets {
    /// The position of a tetrahedron; `None` if it is not cut.
    pub fn find(&self, tet: u32) -> Option<usize> {
        self.tets.binary_search_by_key(&tet, |cut| cut.tet).ok()
    }

    /// Fills `by_piece` and `starts` for `count` pieces.
    pub fn sort_by_piece(&mut self, count: usize) {
        (self.by_piece, self.starts) = cuts_by_piece(count, &self.tets, &self.regions);
    }

    /// The cut tetrahedra of a piece, ascending, by position.
    pub fn cuts_of(&self, piece: u32) -> &[u32] {
        let piece = piece as usize;
        if piece + 1 < self.starts.len() { &self.by_piece[self.starts[piece]..self.starts[piece + 1]] } else { &[] }
    }

    /// The cracks in the cut tetrahedron at position `k`.
    pub fn splits_at(&self, k: usize) -> &[Split] {
        let end = self.tets.get(k + 1).map_or(self.splits.len(), |next| next.first_split as usize);
        &self.splits[self.tets[k].first_split as usize..end]
    }

    /// Index range of the regions of the cut tetrahedron at position `k`.
    pub fn regions_at(&self, k: usize) -> Range<usize> {
        let end = self.tets.get(k + 1).map_or(self.regions.len(), |next| next.first_region as usize);
        self.tets[k].first_region as usize..end
    }

    /// The cracks that bound a region.
    pub fn walls_of(&self, region: usize) -> &[Wall] {
        let end = self.regions.get(region + 1).map_or(self.walls.len(), |next| next.first_wall as usize);
        &self.walls[self.regions[region].first_wall as usize..end]
    }

    /// The region of the cut tetrahedron at position `k` that contains a point, given by barycentric coordinates;
    /// `None` if none of this break does.
    #[inline]
    pub fn region_at(&self, k: usize, weights: &[f64; 4]) -> Option<usize> {
        let splits = self.splits_at(k);
        self.regions_at(k).find(|region| {
            self.walls_of(*region)
                .iter()
                .all(|wall| wall.as_crack().is_none_or(|(split, second)| (splits[split].at(weights) > 0.0) == second))
        })
    }

    /// The piece that owns a point of the cut tetrahedron at position `k`; [`NONE`] if none of this break does.
    #[inline]
    pub fn owner_at(&self, k: usize, weights: &[f64; 4]) -> u32 {
        self.region_at(k, weights).map_or(NONE, |region| self.regions[region].piece)
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let lists = held(&self.tets) + held(&self.splits) + held(&self.regions) + held(&self.walls);
        lists + held(&self.by_piece) + held(&self.starts)
    }
}

/// The positions of the cut tetrahedra in which each piece has a region, by piece, and the offset of each piece.
pub fn cuts_by_piece(count: usize, tets: &[CutTet], regions: &[Region]) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0; count + 1];
    each_piece(count, tets, regions, |_, piece| starts[piece as usize + 1] += 1);
    (0..count).for_each(|k| starts[k + 1] += starts[k]);
    let mut cuts = vec![0; starts[count]];
    let mut next = starts.clone();
    each_piece(count, tets, regions, |k, piece| {
        let place = &mut next[piece as usize];
        cuts[*place] = k;
        *place += 1;
    });
    (cuts, starts)
}

/// In tetrahedra with no more regions each is held against those before.
const FEW_REGIONS: usize = 16;

/// Calls `visit` once for each cut tetrahedron, by position, and each piece with a region in it.
fn each_piece(count: usize, tets: &[CutTet], regions: &[Region], mut visit: impl FnMut(u32, u32)) {
    // By piece: the last tetrahedron with many regions in which it has one.
    let mut last = vec![];
    for (k, cut) in tets.iter().enumerate() {
        let end = tets.get(k + 1).map_or(regions.len(), |next| next.first_region as usize);
        let own = &regions[cut.first_region as usize..end];
        if own.len() > FEW_REGIONS {
            last.resize(count, NONE);
            for region in own {
                if std::mem::replace(&mut last[region.piece as usize], k as u32) != k as u32 {
                    visit(k as u32, region.piece);
                }
            }
            continue;
        }
        for (r, region) in own.iter().enumerate() {
            if own[..r].iter().all(|before| before.piece != region.piece) {
                visit(k as u32, region.piece);
            }
        }
    }
}
