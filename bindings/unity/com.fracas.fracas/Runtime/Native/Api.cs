// Generated from include/fracas.h by bindings/unity/generate; do not edit.
//
// The C interface as it is: same names, same layout, same order. Structs are blittable. Handles are structs of one integer, which
// Burst passes by value; everything else goes by pointer. Function pointers are IntPtr: make them of a delegate below by
// Marshal.GetFunctionPointerForDelegate, and keep the delegate alive as long as the library may call it.
using System;
using System.Runtime.InteropServices;

#pragma warning disable CS1591 // what has no comment in the header has none here
namespace Fracas.Native
{
    /// <summary>
    /// A cooked solid, shared by all objects created from it. Created by fc_asset_create or fc_asset_load, released by
    /// fc_asset_release.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_asset
    {
        /// <summary>0 is the null handle.</summary>
        public ulong id;
    }

    /// <summary>
    /// A rigid body, intact or a fragment. Created by fc_object_create, fc_fracture or fc_object_load, destroyed by
    /// fc_object_destroy.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_object
    {
        /// <summary>0 is the null handle.</summary>
        public ulong id;
    }

    /// <summary>A rigid transform from a body's frame to the world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_pose
    {
        /// <summary>Metres.</summary>
        public fixed double position[3];
        /// <summary>Unit quaternion x, y, z, w. A length within 0.001 of 1 is accepted and normalised.</summary>
        public fixed float rotation[4];
    }

    /// <summary>An axis-aligned bounding box, in metres.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_aabb
    {
        /// <summary>Minimum corner.</summary>
        public fixed double min[3];
        /// <summary>Maximum corner.</summary>
        public fixed double max[3];
    }

    /// <summary>Mass properties of a body, in the object's frame.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_mass
    {
        /// <summary>Cubic metres.</summary>
        public double volume;
        /// <summary>Kilograms.</summary>
        public double mass;
        /// <summary>Centre of mass, metres.</summary>
        public fixed double centre[3];
        /// <summary>
        /// Inertia about the centre of mass, in kg m²: xx, yy, zz, xy, yz, zx of the symmetric tensor (products of
        /// inertia have the sign that they have in the tensor). fc_mass_inertia_matrix makes the matrix of it.
        /// </summary>
        public fixed double inertia[6];
    }

    /// <summary>A convex hull to query against. Created by fc_hull_create, destroyed by fc_hull_destroy.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_hull
    {
        /// <summary>0 is the null handle.</summary>
        public ulong id;
    }

    /// <summary>One contact. 32 bytes, no padding; this layout is frozen for the life of ABI 1.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_contact
    {
        /// <summary>Metres, world axes, relative to the query's origin (default: A's position); midway between both surfaces.</summary>
        public fixed float point[3];
        /// <summary>Penetration depth in metres; &gt; 0 penetrating, &lt; 0 a separation within the query's margin.</summary>
        public float depth;
        /// <summary>Unit normal from B towards A: moving A by depth * normal resolves this contact.</summary>
        public fixed float normal[3];
        /// <summary>
        /// Stable between frames, and of samples through fractures; key for warm starting. Bit 31: it is B's. Bits 28 to 30: kind; 0: a
        /// sample point, 1: a cube of a tree, 2: a crease (a convex edge). Bits 0 to 27: index among these; 0x0fffffff: none, the contact
        /// stands for many. See fc_object_feature.
        /// </summary>
        public uint feature;
    }

    /// <summary>A scene of deforming triangle meshes. Created by fc_scene_create, destroyed by fc_scene_destroy.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_scene
    {
        /// <summary>0 is the null handle.</summary>
        public ulong id;
    }

    /// <summary>
    /// A body of a scene, valid in that scene only. Created by fc_scene_add, fc_scene_split or fc_scene_merge; ended by
    /// fc_scene_delete, a split or a merge, and with its scene.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_body
    {
        /// <summary>0 is no body.</summary>
        public ulong id;
    }

    /// <summary>A body of tetrahedra that deforms. Created by fc_soft_create, destroyed by fc_soft_destroy.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_soft
    {
        /// <summary>0 is the null handle.</summary>
        public ulong id;
    }

    /// <summary>
    /// A tree of cubes with densities. Created by fc_voxtree_create, fc_voxtree_from_object or fc_voxtree_load, destroyed by
    /// fc_voxtree_destroy.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_voxtree
    {
        /// <summary>0 is the null handle.</summary>
        public ulong id;
    }

    /// <summary>The mesh to cook: tetrahedra, or a closed surface to fill with them. Start from fc_asset_desc_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_asset_desc
    {
        /// <summary>Set by fc_asset_desc_default().</summary>
        public uint struct_size;
        /// <summary>Number of nodes (for a surface: vertices).</summary>
        public uint node_count;
        /// <summary>Three floats per node, in metres.</summary>
        public float* positions;
        /// <summary>Four node indices per tetrahedron, in any order.</summary>
        public uint* tets;
        /// <summary>Number of tetrahedra.</summary>
        public uint tet_count;
        /// <summary>Bytes from one position to the next; 0: tightly packed.</summary>
        public uint position_stride;
        /// <summary>Bytes from one tetrahedron to the next; 0: tightly packed.</summary>
        public uint tet_stride;
        /// <summary>Kilograms per cubic metre. Default 1000.</summary>
        public float density;
        /// <summary>
        /// Number of distance grid cells along the longest side, 4 to 1024. Default 64; raised where thin walls need it
        /// and grid_max_bytes allows it. Memory grows with the cube.
        /// </summary>
        public uint grid_cells;
        /// <summary>Must be 0.</summary>
        public uint reserved;
        /// <summary>Size limit of the grid, in bytes; the number of cells is reduced to fit. Default 0: 8 MiB.</summary>
        public ulong grid_max_bytes;
        /// <summary>Progress callback; may be NULL.</summary>
        public IntPtr progress;
        /// <summary>Passed to progress.</summary>
        public void* user_data;
        /// <summary>
        /// Instead of tets: three node indices per triangle of a closed surface, counter-clockwise seen from outside.
        /// Vertices with equal positions (seams, hard edges) count as one. NULL if there are tets.
        /// </summary>
        public uint* triangles;
        /// <summary>Number of triangles.</summary>
        public uint triangle_count;
        /// <summary>Bytes from one triangle to the next; 0: tightly packed.</summary>
        public uint triangle_stride;
        /// <summary>Filling: edge length at the surface, in metres. Default 0: chosen to give about fill_tets tetrahedra.</summary>
        public float fill_edge;
        /// <summary>
        /// Filling: approximate number of tetrahedra if fill_edge is 0. A body too thin for that gets up to four times
        /// as many, or is filled as with FC_ASSET_MEET_SURFACE. Default 0: 5,000.
        /// </summary>
        public uint fill_tets;
        /// <summary>Filling: how many times longer edges may be deep inside than at the surface, 1 or more. Default 0: 2.</summary>
        public float fill_coarsening;
        /// <summary>Filling: edges where the surface turns by more than this angle, in degrees, stay sharp. Default 0: 40.</summary>
        public float fill_sharp_angle;
        /// <summary>FC_ASSET_*, or 0.</summary>
        public uint flags;
        /// <summary>Must be 0.</summary>
        public uint reserved_2;
        /// <summary>For FC_ASSET_KEEP_SURFACE: texture coordinates, two floats per node; NULL: zeros.</summary>
        public float* uvs;
        /// <summary>For FC_ASSET_KEEP_SURFACE: unit normals, three floats per node; NULL: averages of the triangles at each node.</summary>
        public float* normals;
        /// <summary>For FC_ASSET_KEEP_SURFACE: one number per triangle, for your use; NULL: zeros.</summary>
        public uint* materials;
        /// <summary>Bytes from one pair of texture coordinates to the next; 0: tightly packed.</summary>
        public uint uv_stride;
        /// <summary>Bytes from one normal to the next; 0: tightly packed.</summary>
        public uint normal_stride;
        /// <summary>Bytes from one material to the next; 0: tightly packed.</summary>
        public uint material_stride;
        /// <summary>Must be 0.</summary>
        public uint reserved_3;
    }

    /// <summary>Properties of an asset. Start from fc_asset_info_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_asset_info
    {
        /// <summary>Set by fc_asset_info_default().</summary>
        public uint struct_size;
        /// <summary>FC_WARNING_*, or 0.</summary>
        public uint warnings;
        /// <summary>Number of nodes that belong to a tetrahedron.</summary>
        public uint node_count;
        /// <summary>Number of tetrahedra.</summary>
        public uint tet_count;
        /// <summary>Number of boundary triangles; see fc_asset_skin.</summary>
        public uint skin_triangle_count;
        /// <summary>Number of connected bodies. fc_object_create creates an object from one of them.</summary>
        public uint body_count;
        /// <summary>Half the diagonal of the bounding box, in metres.</summary>
        public double radius;
        /// <summary>Mean edge length, in metres.</summary>
        public double mean_edge;
        /// <summary>Approximate thickness of the thinnest wall, in metres.</summary>
        public double thinnest_wall;
        /// <summary>Edge length of a distance grid cell, in metres.</summary>
        public double grid_cell;
        /// <summary>Bytes of memory used: what cooking produced, and what queries of its intact bodies have built so far.</summary>
        public ulong bytes;
        /// <summary>Hash; equal for assets cooked from the same mesh, on every run.</summary>
        public ulong hash;
        /// <summary>
        /// For a filled surface: the largest distance from any of its points to the boundary of the tetrahedra, in
        /// metres; underestimated by at most a fiftieth of an edge. -1 if the tetrahedra were given.
        /// </summary>
        public double surface_to_tets;
        /// <summary>The same from the boundary of the tetrahedra to the surface.</summary>
        public double tets_to_surface;
    }

    /// <summary>
    /// A triangle of an asset's boundary. Indices are those of the source tetrahedra: yours, or the asset's own for a
    /// filled surface.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_skin_triangle
    {
        /// <summary>Node indices, counter-clockwise seen from outside.</summary>
        public fixed uint nodes[3];
        /// <summary>Index of the tetrahedron behind it.</summary>
        public uint tet;
    }

    /// <summary>Options of a new object. Start from fc_object_desc_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_object_desc
    {
        /// <summary>Set by fc_object_desc_default().</summary>
        public uint struct_size;
        /// <summary>Index of the connected body of the asset. Default 0.</summary>
        public uint body;
        /// <summary>
        /// Scale factor, 1e-6 to 1e6: lengths in the object's frame are the asset's times this. Default 1. Fragments
        /// inherit it.
        /// </summary>
        public double scale;
        /// <summary>User data. Fragments inherit it.</summary>
        public ulong user_data;
    }

    /// <summary>Properties of an object. Start from fc_object_info_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_object_info
    {
        /// <summary>Set by fc_object_info_default().</summary>
        public uint struct_size;
        /// <summary>1 if created by a fracture, else 0.</summary>
        public uint is_fragment;
        /// <summary>Index among the fragments of its fracture, or among the bodies of its asset.</summary>
        public uint piece;
        /// <summary>The pattern cell that it fills: index of the seed, or your group or label.</summary>
        public uint cell;
        /// <summary>Number of asset nodes that it owns. A fragment may own none.</summary>
        public uint node_count;
        /// <summary>Number of sample points on its cracks.</summary>
        public uint crack_point_count;
        /// <summary>Scale factor; see fc_object_desc.</summary>
        public double scale;
        /// <summary>User data.</summary>
        public ulong user_data;
        /// <summary>FC_KIND_*: what it consists of.</summary>
        public uint kind;
        /// <summary>Number of planes that fc_object_get_planes returns.</summary>
        public uint plane_count;
    }

    /// <summary>
    /// Bytes of memory used by an object, including what queries have built so far. Start from
    /// fc_object_memory_default().
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_object_memory
    {
        /// <summary>Set by fc_object_memory_default().</summary>
        public uint struct_size;
        /// <summary>Number of fragments of the fracture that created it, which share break_bytes; 0 for an intact object.</summary>
        public uint fragment_count;
        /// <summary>The object itself: its handle, and a surface, drawing, tetrahedra or convex parts whose size was queried but which were not yet fetched.</summary>
        public ulong object_bytes;
        /// <summary>Data of the fracture that created it. Freed with the last of its fragments.</summary>
        public ulong break_bytes;
        /// <summary>Its asset, shared by all objects of it; the same as fc_asset_info.bytes.</summary>
        public ulong asset_bytes;
    }

    /// <summary>Two adjacent fragments of one fracture.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_adjacency
    {
        /// <summary>Indices of the two fragments in the array that fc_fracture filled, the lower first.</summary>
        public fixed uint pieces[2];
        /// <summary>Area of the crack between them, in square metres.</summary>
        public double area;
    }

    /// <summary>Result of a ray cast.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_ray_hit
    {
        /// <summary>Metres along the ray.</summary>
        public double distance;
        /// <summary>Unit outward normal of the surface there, world axes. A ray that starts inside hits the surface from behind.</summary>
        public fixed float normal[3];
        /// <summary>FC_FACE_SKIN or FC_FACE_CRACK.</summary>
        public uint face;
        /// <summary>
        /// Skin: index of the triangle in fc_asset_skin. Crack: index of the fragment on the other side, FC_NONE if the
        /// crack is older than the last fracture.
        /// </summary>
        public uint source;
        /// <summary>Always 0.</summary>
        public uint reserved;
    }

    /// <summary>The sample point or crease that a contact's feature identifies.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_feature
    {
        /// <summary>Position in the object's frame, metres. Of a crease, its middle.</summary>
        public fixed double position[3];
        /// <summary>FC_FACE_SKIN or FC_FACE_CRACK. Of a crease, one of the two faces that meet there.</summary>
        public uint face;
        /// <summary>Skin: your index of the node. Crack, crease: FC_NONE.</summary>
        public uint node;
        /// <summary>Skin: index in fc_asset_skin of a triangle that contains the node or crease. Crack: FC_NONE.</summary>
        public uint source;
        /// <summary>Always 0.</summary>
        public uint reserved;
    }

    /// <summary>
    /// A plane that cuts a fragment out of the original body. 24 bytes, no padding; starts with the four floats that
    /// fc_hull_create takes.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_plane
    {
        /// <summary>Unit normal out of the fragment, in the object's frame.</summary>
        public fixed float normal[3];
        /// <summary>Metres: the fragment lies where normal . x &lt;= offset.</summary>
        public float offset;
        /// <summary>1 if the fragment has a face on it. 0 if it only cuts off other parts of the body.</summary>
        public uint has_face;
        /// <summary>
        /// Index of the fragment on the other side. FC_NONE if there are several, if there is none, or if the crack is
        /// older than the last fracture.
        /// </summary>
        public uint neighbour;
    }

    /// <summary>A triangle of an object's surface.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_triangle
    {
        /// <summary>Vertex indices, counter-clockwise seen from outside.</summary>
        public fixed uint corners[3];
        /// <summary>FC_FACE_SKIN or FC_FACE_CRACK.</summary>
        public uint face;
        /// <summary>
        /// Skin: index of the triangle in fc_asset_skin that it is a part of. Crack: index of the fragment on the other
        /// side, FC_NONE if the crack is older than the last fracture.
        /// </summary>
        public uint source;
        /// <summary>
        /// Per corner. Skin: barycentric weights of the first and second node of the source triangle (the third is 1
        /// minus both), to interpolate your UVs. Crack: texture coordinates in metres, the same from both sides.
        /// </summary>
        public fixed float coordinates[6];
        /// <summary>Always 0.</summary>
        public uint reserved;
    }

    /// <summary>A vertex of a render mesh. 32 bytes, no padding.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_vertex
    {
        /// <summary>In the object's frame, metres.</summary>
        public fixed float position[3];
        /// <summary>Unit outward normal.</summary>
        public fixed float normal[3];
        /// <summary>
        /// Skin: your texture coordinates, interpolated. Crack: metres in one plane for the whole crack between two
        /// fragments, the same from both sides.
        /// </summary>
        public fixed float uv[2];
    }

    /// <summary>A triangle of a render mesh.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_drawn_triangle
    {
        /// <summary>Vertex indices, counter-clockwise seen from outside.</summary>
        public fixed uint corners[3];
        /// <summary>Your material (0 if the asset has none); FC_NONE on cracks.</summary>
        public uint material;
    }

    /// <summary>Quality of a render mesh. Start from fc_drawing_info_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_drawing_info
    {
        /// <summary>Set by fc_drawing_info_default().</summary>
        public uint struct_size;
        /// <summary>Number of crack triangles; they come last.</summary>
        public uint crack_triangle_count;
        /// <summary>
        /// Number of places where cracks and your mesh did not meet and a patch covers the gap: mostly tips of fragments
        /// that are smaller than the triangles of the mesh.
        /// </summary>
        public uint patch_count;
        /// <summary>Number of open edges where your mesh is not open; 0 if your mesh is closed.</summary>
        public uint open_edge_count;
    }

    /// <summary>A node of an object's tetrahedra. 72 bytes, no padding.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_tet_node
    {
        /// <summary>Metres, in the object's frame, while nothing is deformed.</summary>
        public fixed double position[3];
        /// <summary>
        /// Shares of four nodes of the asset's mesh, not negative, sum 1: where these have moved, this one has moved along. A
        /// node of the mesh itself has one share of 1.
        /// </summary>
        public fixed double weights[4];
        /// <summary>Those nodes, by your numbers.</summary>
        public fixed uint nodes[4];
    }

    /// <summary>How an object is approximated by convex parts. Start from fc_convex_desc_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_convex_desc
    {
        /// <summary>Set by fc_convex_desc_default().</summary>
        public uint struct_size;
        /// <summary>Maximum number of parts, 1 to 64. Default 8; 1 gives the convex hull.</summary>
        public uint max_parts;
        /// <summary>Maximum number of vertices per part, 4 to 1024. Default 64: at most 124 triangles, within the limits of PhysX and Unity (255).</summary>
        public uint max_points;
        /// <summary>Parts are cut until their hulls exceed the object's volume by no more than this share of it, 0 to 1. Default 0.05.</summary>
        public float excess;
    }

    /// <summary>A convex part of an object. 24 bytes, no padding.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_convex_part
    {
        /// <summary>Index of its first vertex.</summary>
        public uint first_vertex;
        /// <summary>Number of its vertices.</summary>
        public uint vertex_count;
        /// <summary>Index of its first triangle.</summary>
        public uint first_triangle;
        /// <summary>Number of its triangles.</summary>
        public uint triangle_count;
        /// <summary>Metres: no point of the object's part is farther in front of a face; 0 unless max_points left vertices out.</summary>
        public float error;
        /// <summary>0.</summary>
        public uint reserved;
    }

    /// <summary>Distance of a node from the crack towards a label.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_node_gap
    {
        /// <summary>Your index of the node.</summary>
        public uint node;
        /// <summary>The label on the other side.</summary>
        public uint opponent;
        /// <summary>Distance in metres.</summary>
        public double gap;
    }

    /// <summary>Position of a cut on an edge.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_edge_cut
    {
        /// <summary>Your indices of the end nodes.</summary>
        public fixed uint nodes[2];
        /// <summary>From 0 at the first node to 1 at the second.</summary>
        public double position;
    }

    /// <summary>
    /// Fracture options. Start from fc_fracture_desc_default() and set `pattern` and the fields that it uses. All
    /// lengths are metres in the object's frame.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_fracture_desc
    {
        /// <summary>Set by fc_fracture_desc_default().</summary>
        public uint struct_size;
        /// <summary>FC_PATTERN_*. There is no default.</summary>
        public uint pattern;
        /// <summary>Planes or points, depending on the pattern.</summary>
        public float* values;
        /// <summary>Number of planes or points.</summary>
        public uint value_count;
        /// <summary>Bytes from one plane or point to the next; 0: tightly packed.</summary>
        public uint value_stride;
        /// <summary>One label per node of the mesh.</summary>
        public uint* labels;
        /// <summary>Distances of nodes from cracks; may be NULL.</summary>
        public fc_node_gap* gaps;
        /// <summary>Positions of cuts on edges; may be NULL.</summary>
        public fc_edge_cut* edge_cuts;
        /// <summary>Number of labels; must be the number of nodes that the asset was made from.</summary>
        public uint label_count;
        /// <summary>Number of gaps.</summary>
        public uint gap_count;
        /// <summary>Number of edge cuts.</summary>
        public uint edge_cut_count;
        /// <summary>Number of cells, for patterns that take one. Default 8. Each takes a region or more: see max_regions.</summary>
        public uint count;
        /// <summary>Random seed of the pattern.</summary>
        public ulong seed;
        /// <summary>Point of impact.</summary>
        public fixed float impact_point[3];
        /// <summary>
        /// Cells with a seed farther than this from impact_point stay joined. Default 0: half the object's radius, which is
        /// half the diagonal of its box.
        /// </summary>
        public float impact_radius;
        /// <summary>Direction of the impact; need not be a unit vector.</summary>
        public fixed float impact_direction[3];
        /// <summary>
        /// Amplitude of rough cracks, as a fraction of the asset's radius, at most 0.05. Default 0: smooth. Labels are
        /// not affected.
        /// </summary>
        public float roughness;
        /// <summary>Wavelength of the roughness, in mean edge lengths of the mesh, 2 or more. Default 4.</summary>
        public float roughness_wavelength;
        /// <summary>Fragments with a smaller fraction of the object's volume are joined to a neighbour. Default 0: keep all.</summary>
        public float min_volume_share;
        /// <summary>Random seed of the roughness.</summary>
        public ulong roughness_seed;
        /// <summary>
        /// Fragments with a smaller bounding radius (half the diagonal of their box) are joined to the neighbour with
        /// which they share the largest crack. Default 0: keep all.
        /// </summary>
        public float min_radius;
        /// <summary>Maximum number of fragments; beyond it, the smallest are joined to a neighbour. Default 0: no limit.</summary>
        public uint max_fragments;
        /// <summary>
        /// Maximum number of regions (convex parts of tetrahedra) that the fracture may create, a limit on time and
        /// memory: some hundred bytes each, and work that creates none is limited in proportion. Beyond it the call fails
        /// with FC_ERROR_TOO_LARGE, at once if that can be told beforehand, and creates nothing. Default 0: 4,194,304.
        /// </summary>
        public uint max_regions;
        /// <summary>Must be 0.</summary>
        public uint reserved;
        /// <summary>
        /// FC_PATTERN_VORONOI: one number per point; cells with the same number are one, without cracks between them. May be
        /// NULL: each is its own.
        /// </summary>
        public uint* groups;
        /// <summary>
        /// FC_PATTERN_VORONOI: nine floats, a 3 x 3 matrix row by row. A point belongs to the cell whose point is nearest after
        /// both are multiplied by it; its scale does not matter. (1, 0, 0, 0, 1, 0, 0, 0, 0.5) gives cells twice as long along
        /// z. May be NULL: the identity.
        /// </summary>
        public float* metric;
    }

    /// <summary>Outcome of a fracture. Start from fc_fracture_info_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_fracture_info
    {
        /// <summary>Set by fc_fracture_info_default().</summary>
        public uint struct_size;
        /// <summary>Number of fragments created; 0 if nothing was cut.</summary>
        public uint fragment_count;
        /// <summary>Number of pattern cells that have no volume in the object and so created no fragment.</summary>
        public uint vanished_cells;
        /// <summary>Number of fragments joined to a neighbour because they were too small or too many.</summary>
        public uint crumbs_joined;
    }

    /// <summary>A shape. Start from fc_shape_default() and set `kind` and the fields that it uses. Lengths in metres.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_shape
    {
        /// <summary>Set by fc_shape_default().</summary>
        public uint struct_size;
        /// <summary>FC_SHAPE_*. There is no default.</summary>
        public uint kind;
        /// <summary>Half-space: outward normal, of any nonzero length. Default z.</summary>
        public fixed float normal[3];
        /// <summary>Half-space: offset of the plane along the unit normal.</summary>
        public float offset;
        /// <summary>Box: half extents.</summary>
        public fixed float half_extents[3];
        /// <summary>Ball, capsule: radius.</summary>
        public float radius;
        /// <summary>Capsule: end points of its segment.</summary>
        public fixed float ends[6];
        /// <summary>Hull: handle of the hull.</summary>
        public fc_hull hull;
        /// <summary>Field: the distance function.</summary>
        public IntPtr field;
        /// <summary>Passed to field.</summary>
        public void* user_data;
        /// <summary>
        /// Field: protruding points of its surface, three floats per point, such as the vertices of a terrain. Only
        /// these detect a sharp point that penetrates the middle of a coarse face. May be NULL.
        /// </summary>
        public float* points;
        /// <summary>Number of points.</summary>
        public uint point_count;
        /// <summary>Bytes from one point to the next; 0: tightly packed.</summary>
        public uint point_stride;
    }

    /// <summary>
    /// What a query keeps of a pair of bodies, for the next one. Zero at first; 440 bytes of plain data, no pointers: copy it, save it,
    /// roll it back. The same memory and poses give the same contacts, bit for bit. A memory of other bodies is noticed and begins
    /// anew. For a simple shape set it to zero if the shape changes.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_pair_memory
    {
        /// <summary>The library's.</summary>
        public fixed ulong data[55];
    }

    /// <summary>Linear and angular velocity of a body, in world axes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_motion
    {
        /// <summary>Metres per second, of the centre of mass; of a simple shape, of the origin of its frame.</summary>
        public fixed float linear[3];
        /// <summary>Radians per second.</summary>
        public fixed float angular[3];
    }

    /// <summary>Query options. Start from fc_query_desc_default(); every field has a default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_query_desc
    {
        /// <summary>Set by fc_query_desc_default().</summary>
        public uint struct_size;
        /// <summary>FC_QUERY_*; default 0. All other bits are rejected; 4 and 8 are retired and stay reserved.</summary>
        public uint flags;
        /// <summary>FC_MODE_*; default FC_MODE_TARGET_THEN_DEEPER.</summary>
        public uint mode;
        /// <summary>Target number of contacts per pair. Default 8.</summary>
        public uint target_contacts;
        /// <summary>
        /// Maximum number of contacts per pair. The contacts kept can apply the same forces and torques as the full set;
        /// fc_query_stats.left_out counts the rest. Default 0: no limit.
        /// </summary>
        public uint max_contacts;
        /// <summary>
        /// Metres. Bodies separated by at most this are still in contact, with depth &lt; 0. Default -1: 0.1 % of the
        /// smaller radius.
        /// </summary>
        public float margin;
        /// <summary>
        /// Metres by which a further contact must be deeper. Default -1: 0.2 % of the smaller radius, or a quarter of
        /// the largest depth so far, whichever is larger.
        /// </summary>
        public float tolerance;
        /// <summary>Must be 0.</summary>
        public uint reserved;
        /// <summary>World position that contact points are relative to, if flags has FC_QUERY_ORIGIN.</summary>
        public fixed double origin[3];
        /// <summary>
        /// Maximum number of contacts per pair with nearly the same normal (within 5 degrees); 0: no limit. Default 4:
        /// solvers gain nothing from a fifth.
        /// </summary>
        public uint max_per_normal;
        /// <summary>
        /// Most units of work of the call, so that it ends in time: see fc_query_stats.work for what calls take. 1 looks at the
        /// bodies as wholes only. If that is less than the query needs, it returns its best contacts so far and FC_INTERRUPTED.
        /// Default 0: no limit.
        /// </summary>
        public uint budget;
        /// <summary>
        /// fc_query_pairs: how important each pair is, relative to the others, for its share of the budget; 0 and more. Default
        /// NULL: all alike.
        /// </summary>
        public float* weights;
        /// <summary>
        /// What is kept of each pair between queries: one fc_pair_memory for a single query, `pair_count` for fc_query_pairs, read
        /// and written. With it, contacts stay the same while the bodies do not move, which then costs next to nothing, and bodies
        /// that have crossed are pushed back to where they came from. Default NULL: nothing is kept.
        /// </summary>
        public fc_pair_memory* memories;
        /// <summary>
        /// How the bodies move, two per pair: A's, then B's; 2 * `pair_count` for fc_query_pairs. Besides the contacts of now, bodies get
        /// those that they will have within `seconds`, with the gaps of now as negative depths (speculative contacts): those of the first
        /// touch, and of what meets then if a solver lets no contact close by more than its gap. Where bodies turn far, less than the gap.
        /// A solver that respects them all, exactly, ends the step with bodies no more than 1 % of the smaller radius deeper in each
        /// other; measured to 500 m/s, 1 of 400 landings on a half-space goes deeper, 1 of 35 at an object that does not move, and of
        /// free pairs that close in by more than a radius 1 of 3: those can still pass through each other. Sweep what must not. What
        /// other bodies or forces add to the motion in the step is not known. Shapes given by a field have contacts of now only.
        /// `budget` is never exceeded; without one, this ends after some 16,000 units, with FC_INTERRUPTED. Default NULL: contacts of now.
        /// </summary>
        public fc_motion* motions;
        /// <summary>Seconds of the step that `motions` are for. Default 0: contacts of now.</summary>
        public float seconds;
        /// <summary>Must be 0.</summary>
        public uint reserved_2;
    }

    /// <summary>Statistics of a query. Start from fc_query_stats_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_query_stats
    {
        /// <summary>Set by fc_query_stats_default().</summary>
        public uint struct_size;
        /// <summary>Number of pairs queried.</summary>
        public uint pairs;
        /// <summary>Number of spheres around samples tested.</summary>
        public ulong spheres_visited;
        /// <summary>Number of samples tested against bounds.</summary>
        public ulong points_tested;
        /// <summary>Number of samples whose depth or separation was computed: the most expensive step.</summary>
        public ulong evaluations;
        /// <summary>Number of contacts found.</summary>
        public ulong found;
        /// <summary>Number of contacts found but not returned because of max_contacts or max_per_normal.</summary>
        public ulong left_out;
        /// <summary>Duration of the call if flags has FC_QUERY_TIMED, else 0.</summary>
        public ulong nanoseconds;
        /// <summary>
        /// Units of work: one for bodies as wholes, for eight spheres or samples tested, and for a tighter bound of a sample;
        /// eight for an evaluation. The same on every machine; a unit takes 40 to 300 nanoseconds, and a pair
        /// about a microsecond besides.
        /// </summary>
        public ulong work;
        /// <summary>FC_LEVEL_*: how far the query went; of many pairs, the lowest.</summary>
        public uint level;
        /// <summary>Number of pairs that the budget ended before all was known.</summary>
        public uint interrupted;
        /// <summary>Number of pairs whose contacts came from their memory: they had not moved.</summary>
        public ulong recalled;
        /// <summary>Number of pairs that have crossed: their contacts have one direction, along which they came, and part the hulls.</summary>
        public ulong crossed;
    }

    /// <summary>One pair of a batch.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_pair
    {
        /// <summary>The first object.</summary>
        public fc_object a;
        /// <summary>The second object.</summary>
        public fc_object b;
        /// <summary>Pose of the first object.</summary>
        public fc_pose pose_a;
        /// <summary>Pose of the second object.</summary>
        public fc_pose pose_b;
    }

    /// <summary>Sweep options. Start from fc_sweep_desc_default(); every field has a default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_sweep_desc
    {
        /// <summary>Set by fc_sweep_desc_default().</summary>
        public uint struct_size;
        /// <summary>FC_SWEEP_*; default 0. All other bits are rejected.</summary>
        public uint flags;
        /// <summary>
        /// Metres. Bodies that overlap by more than this at the start meet at time 0. Default -1: 0.1 % of the smaller radius,
        /// as for queries.
        /// </summary>
        public float margin;
        /// <summary>
        /// Metres. Bodies meet when their gap falls below this; never less than rounding. Default -1: a tenth of the margin or 1e-5
        /// of the way of the step, whichever is less.
        /// </summary>
        public float tolerance;
        /// <summary>World position that contact points are relative to, if flags has FC_SWEEP_ORIGIN.</summary>
        public fixed double origin[3];
    }

    /// <summary>The first touch of two moving bodies.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_sweep_hit
    {
        /// <summary>From 0, the start, to 1, the end. Never later than the true time. 2: they do not touch (fc_sweep_pairs).</summary>
        public double time;
        /// <summary>The contact at that time: the point is midway between the bodies, the depth minus their gap.</summary>
        public fc_contact contact;
        /// <summary>1: they touch at that time. 0: the search was ended after much work; they are apart until that time.</summary>
        public uint exact;
        /// <summary>Always 0.</summary>
        public uint reserved;
    }

    /// <summary>One pair of a batch of sweeps.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_sweep
    {
        /// <summary>The first object.</summary>
        public fc_object a;
        /// <summary>The second object.</summary>
        public fc_object b;
        /// <summary>Pose of the first object at the start.</summary>
        public fc_pose start_a;
        /// <summary>Pose of the first object at the end.</summary>
        public fc_pose end_a;
        /// <summary>Pose of the second object at the start.</summary>
        public fc_pose start_b;
        /// <summary>Pose of the second object at the end.</summary>
        public fc_pose end_b;
    }

    /// <summary>Distance and closest points of two bodies.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_distance
    {
        /// <summary>Metres. Bodies that overlap: minus the depth of their deepest contact.</summary>
        public double distance;
        /// <summary>World position of the point on A.</summary>
        public fixed double point_a[3];
        /// <summary>World position of the point on B.</summary>
        public fixed double point_b[3];
        /// <summary>Unit normal from B towards A, world axes.</summary>
        public fixed float normal[3];
        /// <summary>Always 0.</summary>
        public uint reserved;
    }

    /// <summary>Options of a new scene. Start from fc_scene_desc_default(); every field has a default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_scene_desc
    {
        /// <summary>Set by fc_scene_desc_default().</summary>
        public uint struct_size;
        /// <summary>FC_CONES_*; default FC_CONES_CONSERVATIVE.</summary>
        public uint cones;
        /// <summary>
        /// World position that positions in single precision are relative to; choose a point near the bodies. All of them
        /// must be within 1e9 m of it. Default 0, 0, 0.
        /// </summary>
        public fixed double origin[3];
        /// <summary>
        /// Share of the work of queries that an update may spend on rebuilding trees that have become slow. 0: never
        /// rebuild. Default 0.25.
        /// </summary>
        public float restructuring;
        /// <summary>Must be 0.</summary>
        public uint reserved;
    }

    /// <summary>Properties of a scene and of its last update. Start from fc_scene_info_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_scene_info
    {
        /// <summary>Set by fc_scene_info_default().</summary>
        public uint struct_size;
        /// <summary>Number of bodies.</summary>
        public uint body_count;
        /// <summary>Number of triangles of all bodies.</summary>
        public ulong triangle_count;
        /// <summary>Bytes of memory used by bodies and trees.</summary>
        public ulong bytes;
        /// <summary>Last update: number of triangles of bodies that were refitted.</summary>
        public ulong refitted_triangles;
        /// <summary>Last update: number of triangles below nodes that were rebuilt.</summary>
        public ulong rebuilt_triangles;
        /// <summary>Last update: number of nodes that were rebuilt.</summary>
        public ulong rebuilt_nodes;
        /// <summary>Duration of the last update.</summary>
        public ulong update_nanoseconds;
    }

    /// <summary>The mesh of a body, open or closed. Start from fc_body_mesh_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_body_mesh
    {
        /// <summary>Set by fc_body_mesh_default().</summary>
        public uint struct_size;
        /// <summary>Number of vertices.</summary>
        public uint vertex_count;
        /// <summary>Three floats per vertex: metres, world axes, relative to the scene's origin. NULL if there are positions_double.</summary>
        public float* positions;
        /// <summary>Instead of positions: three doubles per vertex, metres, world space.</summary>
        public double* positions_double;
        /// <summary>
        /// Three vertex indices per triangle, counter-clockwise seen from outside. Neighbours should have the same
        /// orientation; where they do not, the mesh is treated as if it were cut.
        /// </summary>
        public uint* triangles;
        /// <summary>
        /// Parts of a split: for each triangle, the triangle of the old body that it comes from, or FC_NONE. The tree of the
        /// part is then derived from that of the old body instead of built anew. May be NULL.
        /// </summary>
        public uint* sources;
        /// <summary>Number of triangles.</summary>
        public uint triangle_count;
        /// <summary>Bytes from one position to the next; 0: tightly packed.</summary>
        public uint position_stride;
        /// <summary>Bytes from one triangle to the next; 0: tightly packed.</summary>
        public uint triangle_stride;
        /// <summary>Bytes from one source to the next; 0: tightly packed.</summary>
        public uint source_stride;
    }

    /// <summary>How a body collides. Start from fc_body_desc_default(); every field has a default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_body_desc
    {
        /// <summary>Set by fc_body_desc_default().</summary>
        public uint struct_size;
        /// <summary>FC_BODY_*; default 0.</summary>
        public uint flags;
        /// <summary>Two bodies collide if each has a bit of its category in the other's mask. Default 1.</summary>
        public uint category;
        /// <summary>See category. Default 0xffffffff: collides with all.</summary>
        public uint mask;
        /// <summary>
        /// Metres: fc_scene_query_proximity and fc_scene_query_object treat the surface as thicker by this on both sides.
        /// Default 0.
        /// </summary>
        public float thickness;
        /// <summary>Must be 0.</summary>
        public uint reserved;
    }

    /// <summary>Options of continuous queries and tests. Start from fc_ccd_desc_default(); every field has a default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_ccd_desc
    {
        /// <summary>Set by fc_ccd_desc_default().</summary>
        public uint struct_size;
        /// <summary>
        /// Number of subdivisions after which a test that is still uncertain returns the earliest time that it cannot
        /// exclude: it may then report features that only come near each other. Few tests need any. Default 10,000.
        /// </summary>
        public uint max_boxes;
        /// <summary>Features that come as near as this share of their own extent may count as meeting. Default 1e-6.</summary>
        public double tolerance;
    }

    /// <summary>Two triangles that intersect. 64 bytes, no padding.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_overlap
    {
        /// <summary>The bodies; twice the same for a self-collision.</summary>
        public fc_body bodies_0;
        /// <summary>The bodies; twice the same for a self-collision.</summary>
        public fc_body bodies_1;
        /// <summary>Their triangles.</summary>
        public fixed uint triangles[2];
        /// <summary>
        /// Penetration depth in metres, an estimate from the two triangles alone. This and what follows are 0 without
        /// FC_DISCRETE_CONTACTS.
        /// </summary>
        public float depth;
        /// <summary>
        /// Unit normal from the second triangle towards the first, world axes: moving the first by depth * normal parts
        /// them.
        /// </summary>
        public fixed float normal[3];
        /// <summary>Middle of the intersection, in metres, world space.</summary>
        public fixed double point[3];
    }

    /// <summary>
    /// Features that meet during a step. 48 bytes, no padding. Vertex indices of a body with FC_BODY_WELD count positions,
    /// in the order in which they first occur.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_impact
    {
        /// <summary>The bodies; twice the same for a self-collision.</summary>
        public fc_body bodies_0;
        /// <summary>The bodies; twice the same for a self-collision.</summary>
        public fc_body bodies_1;
        /// <summary>Of the first body: the vertex and FC_NONE, or the two vertices of the edge.</summary>
        public fixed uint a[2];
        /// <summary>Of the second body: the triangle and FC_NONE, or the two vertices of the edge.</summary>
        public fixed uint b[2];
        /// <summary>FC_IMPACT_*.</summary>
        public uint kind;
        /// <summary>Always 0.</summary>
        public uint reserved;
        /// <summary>Time of impact: 0 is the start of the step, 1 its end. Never later than the true time.</summary>
        public double time;
    }

    /// <summary>Features that are near each other. 104 bytes, no padding. Vertex indices as in fc_impact.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_proximity
    {
        /// <summary>The bodies; twice the same for a part of a body near another part of it.</summary>
        public fc_body bodies_0;
        /// <summary>The bodies; twice the same for a part of a body near another part of it.</summary>
        public fc_body bodies_1;
        /// <summary>Of the first body: the vertex and FC_NONE, or the two vertices of the edge.</summary>
        public fixed uint a[2];
        /// <summary>Of the second body: the triangle and FC_NONE, or the two vertices of the edge.</summary>
        public fixed uint b[2];
        /// <summary>Distance of the closest points in metres, without the thickness of the bodies.</summary>
        public double distance;
        /// <summary>The closest points, on the first body and on the second, in metres, world space.</summary>
        public fixed double points[6];
        /// <summary>Unit normal from the second point towards the first, world axes; 0, 0, 0 if they are the same.</summary>
        public fixed float normal[3];
        /// <summary>FC_IMPACT_*.</summary>
        public uint kind;
    }

    /// <summary>A contact between a triangle of a scene and an object. 64 bytes, no padding.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_scene_contact
    {
        /// <summary>The body.</summary>
        public fc_body body;
        /// <summary>Its triangle.</summary>
        public uint triangle;
        /// <summary>Penetration depth in metres, with the thickness of the body; &lt; 0 a separation within the margin.</summary>
        public float depth;
        /// <summary>Deepest point of the triangle, in metres, world space.</summary>
        public fixed double point[3];
        /// <summary>Barycentric coordinates of the point in the triangle.</summary>
        public fixed float weights[3];
        /// <summary>
        /// Unit normal from the object towards the triangle, world axes: moving the triangle by depth * normal resolves
        /// this contact.
        /// </summary>
        public fixed float normal[3];
    }

    /// <summary>Result of a ray cast against a scene. 48 bytes, no padding.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_scene_hit
    {
        /// <summary>The body.</summary>
        public fc_body body;
        /// <summary>Metres along the ray.</summary>
        public double distance;
        /// <summary>Its triangle.</summary>
        public uint triangle;
        /// <summary>Barycentric coordinates of the point in the triangle.</summary>
        public fixed float weights[3];
        /// <summary>Unit normal of the triangle, out of its counter-clockwise side, world axes; 0, 0, 0 if it has no area.</summary>
        public fixed float normal[3];
        /// <summary>Always 0.</summary>
        public uint reserved;
    }

    /// <summary>Statistics of a query of a scene. Start from fc_scene_stats_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_scene_stats
    {
        /// <summary>Set by fc_scene_stats_default().</summary>
        public uint struct_size;
        /// <summary>Always 0.</summary>
        public uint reserved;
        /// <summary>Number of overlap tests of tree nodes.</summary>
        public ulong node_tests;
        /// <summary>Number of nodes whose inside needed no look for self-collisions.</summary>
        public ulong culled_nodes;
        /// <summary>Number of contours that were looked at for that.</summary>
        public ulong contour_tests;
        /// <summary>Number of pairs of triangles whose boxes overlap.</summary>
        public ulong candidates;
        /// <summary>Number of tests of two triangles, vertex and triangle, or two edges.</summary>
        public ulong elementary_tests;
        /// <summary>Number of results.</summary>
        public ulong found;
        /// <summary>Duration of the query.</summary>
        public ulong nanoseconds;
    }

    /// <summary>A new soft body. Start from fc_soft_desc_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_soft_desc
    {
        /// <summary>Set by fc_soft_desc_default().</summary>
        public uint struct_size;
        /// <summary>FC_SOFT_*; default 0.</summary>
        public uint flags;
        /// <summary>World position that positions in single precision are relative to, now and later. Default 0, 0, 0.</summary>
        public fixed double origin[3];
        /// <summary>Three floats per node: metres, world axes, relative to the origin. NULL if there are positions_double.</summary>
        public float* positions;
        /// <summary>Instead of positions: three doubles per node, metres, world space.</summary>
        public double* positions_double;
        /// <summary>Four node indices per tetrahedron.</summary>
        public uint* tets;
        /// <summary>Number of nodes.</summary>
        public uint node_count;
        /// <summary>Number of tetrahedra.</summary>
        public uint tet_count;
        /// <summary>Bytes from one position to the next; 0: tightly packed.</summary>
        public uint position_stride;
        /// <summary>Bytes from one tetrahedron to the next; 0: tightly packed.</summary>
        public uint tet_stride;
    }

    /// <summary>A tetrahedron that gets other corners. 20 bytes, no padding.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_tet_change
    {
        /// <summary>Its index. The number of tetrahedra, and so on: a new one.</summary>
        public uint tet;
        /// <summary>Its nodes from now on; four times FC_NONE: it is removed.</summary>
        public fixed uint nodes[4];
    }

    /// <summary>Properties of a soft body. Start from fc_soft_info_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_soft_info
    {
        /// <summary>Set by fc_soft_info_default().</summary>
        public uint struct_size;
        /// <summary>Number of nodes.</summary>
        public uint node_count;
        /// <summary>Number of tetrahedra, those that were removed included: one more than the highest index.</summary>
        public uint tet_count;
        /// <summary>Last update: number of tetrahedra that are there.</summary>
        public uint live_tets;
        /// <summary>
        /// Last update: number of tetrahedra that are inverted or have no volume. They take no part in queries until they
        /// have one.
        /// </summary>
        public uint inverted_tets;
        /// <summary>Last update: number of triangles of the boundary.</summary>
        public uint boundary_triangles;
        /// <summary>Bytes of memory.</summary>
        public ulong bytes;
        /// <summary>Duration of the last update.</summary>
        public ulong update_nanoseconds;
    }

    /// <summary>Options of penalties. Start from fc_penalty_desc_default(); every field has a default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_penalty_desc
    {
        /// <summary>Set by fc_penalty_desc_default().</summary>
        public uint struct_size;
        /// <summary>FC_PENALTY_*; default 0.</summary>
        public uint flags;
        /// <summary>FC_DEPTHS_*: how depths of nodes are found. Default FC_DEPTHS_EXACT.</summary>
        public uint depths;
        /// <summary>
        /// FC_PENETRATING_*: what of the first body is looked for in the second, and the other way round. Default
        /// FC_PENETRATING_SEGMENTS.
        /// </summary>
        public fixed uint penetrating[2];
        /// <summary>Must be 0.</summary>
        public uint reserved;
    }

    /// <summary>
    /// A force to be: multiply `load` by a stiffness (N/m for points, N/m² for segments). 176 bytes, no padding.
    ///
    /// The force `stiffness * load * direction` acts on `nodes` of the penetrating body by their `weights`, and its negative
    /// on `tet_nodes` of the other by `tet_weights`, or on a rigid body at `point`: forces and moments of a record cancel.
    /// With `gradient` instead of `direction` the force has a potential.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_penalty
    {
        /// <summary>Where it acts: metres, world space.</summary>
        public fixed double point[3];
        /// <summary>Unit vector out of the body that is penetrated: the penetrating feature is pushed along it.</summary>
        public fixed double direction[3];
        /// <summary>Negative gradient of the depth: about the direction; 0, 0, 0 where the depth is constant.</summary>
        public fixed double gradient[3];
        /// <summary>Depth of the point, in metres.</summary>
        public double depth;
        /// <summary>Points: the depth, in metres. Segments: the share of the integral of the depth along them that acts here, in m².</summary>
        public double load;
        /// <summary>Segments: the length that it stands for, in metres. Points: the area around them, in m²; 0 if it is not known.</summary>
        public double weight;
        /// <summary>Weights of `nodes`, sum 1.</summary>
        public fixed double weights[2];
        /// <summary>Weights of `tet_nodes`, sum 1; 0 if there are none.</summary>
        public fixed double tet_weights[4];
        /// <summary>
        /// Nodes of the penetrating feature: of a soft body, vertices of fc_object_surface or of the triangles, samples of a
        /// shape. The second is FC_NONE for a point.
        /// </summary>
        public fixed uint nodes[2];
        /// <summary>Nodes of the tetrahedron that is penetrated; FC_NONE in what is rigid.</summary>
        public fixed uint tet_nodes[4];
        /// <summary>That tetrahedron; FC_NONE in what is rigid.</summary>
        public uint tet;
        /// <summary>0: a feature of the first body is in the second. 1: the other way round.</summary>
        public uint side;
    }

    /// <summary>Statistics of a query of penalties. Start from fc_penalty_stats_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_penalty_stats
    {
        /// <summary>Set by fc_penalty_stats_default().</summary>
        public uint struct_size;
        /// <summary>Always 0.</summary>
        public uint reserved;
        /// <summary>Number of features that are inside: points, or parts of segments.</summary>
        public ulong parts;
        /// <summary>Number of tetrahedra that were penetrated.</summary>
        public ulong tets;
        /// <summary>Number of nodes of the boundary that marches of depths began with, of the first body and of the second.</summary>
        public fixed ulong seeds[2];
        /// <summary>Number of nodes within the bodies whose depths were found.</summary>
        public fixed ulong settled[2];
        /// <summary>Number of results.</summary>
        public ulong found;
        /// <summary>Duration of the query.</summary>
        public ulong nanoseconds;
    }

    /// <summary>A new tree. Start from fc_voxtree_desc_default(), and give a surface or densities.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_voxtree_desc
    {
        /// <summary>Set by fc_voxtree_desc_default().</summary>
        public uint struct_size;
        /// <summary>FC_VOXTREE_*; default 0.</summary>
        public uint flags;
        /// <summary>A closed surface: three floats per vertex, metres, in the body's frame.</summary>
        public float* positions;
        /// <summary>Its triangles: three vertex indices each, counter-clockwise seen from outside.</summary>
        public uint* triangles;
        /// <summary>Number of vertices.</summary>
        public uint vertex_count;
        /// <summary>Number of triangles.</summary>
        public uint triangle_count;
        /// <summary>Bytes from one position to the next; 0: tightly packed.</summary>
        public uint position_stride;
        /// <summary>Bytes from one triangle to the next; 0: tightly packed.</summary>
        public uint triangle_stride;
        /// <summary>
        /// Another surface near it, such as one with fewer triangles, whose almost planar parts become the groups: three floats
        /// per vertex, tightly packed. Default NULL: the surface itself.
        /// </summary>
        public float* group_positions;
        /// <summary>Its triangles, tightly packed.</summary>
        public uint* group_triangles;
        /// <summary>Number of its vertices.</summary>
        public uint group_vertex_count;
        /// <summary>Number of its triangles.</summary>
        public uint group_triangle_count;
        /// <summary>Instead of a surface: densities of cubes, from 0 to 1, x fastest, then y.</summary>
        public float* densities;
        /// <summary>Number of cubes along x, y and z.</summary>
        public fixed uint density_size[3];
        /// <summary>Number of densities; the product of these.</summary>
        public uint density_count;
        /// <summary>Lowest corner of the cubes, in the body's frame.</summary>
        public fixed double density_origin[3];
        /// <summary>Edge of these cubes, metres.</summary>
        public double density_edge;
        /// <summary>Of a surface or an object: finest cubes along its longest side. Default 32.</summary>
        public uint cells;
        /// <summary>How many cubes along an edge become one of the next level, 2 to 16: from the finest level on; the last is repeated.</summary>
        public uint branching_count;
        /// <summary>As many numbers. Default NULL: always 2.</summary>
        public uint* branching;
        /// <summary>
        /// Neighbours whose normals differ by less than this, in degrees, belong to one group; contacts are averaged within
        /// pairs of groups. 0: the whole body is one group. Default 30.
        /// </summary>
        public float group_angle;
        /// <summary>Must be 0.</summary>
        public uint reserved;
    }

    /// <summary>Properties of a tree. Start from fc_voxtree_info_default().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_voxtree_info
    {
        /// <summary>Set by fc_voxtree_info_default().</summary>
        public uint struct_size;
        /// <summary>FC_VOXTREE_*.</summary>
        public uint flags;
        /// <summary>Number of levels; the first is one cube around all.</summary>
        public uint level_count;
        /// <summary>Number of cubes of all levels.</summary>
        public uint node_count;
        /// <summary>Number of groups.</summary>
        public uint group_count;
        /// <summary>Always 0.</summary>
        public uint reserved;
        /// <summary>Edge of the finest cubes, metres.</summary>
        public double edge;
        /// <summary>Lowest corner of all cubes, in the body's frame.</summary>
        public fixed double origin[3];
        /// <summary>Bytes of memory.</summary>
        public ulong bytes;
    }

    /// <summary>Options of a query of two trees. Start from fc_voxtree_query_desc_default(); every field has a default.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_voxtree_query_desc
    {
        /// <summary>Set by fc_voxtree_query_desc_default().</summary>
        public uint struct_size;
        /// <summary>FC_VOXQUERY_*; default 0.</summary>
        public uint flags;
        /// <summary>
        /// Most tests of two cubes in this call; never exceeded. Measuring a sample of an exact finest level counts as eight. 1
        /// tests the cubes around the bodies. Default 0: no limit.
        /// </summary>
        public ulong budget;
        /// <summary>
        /// Cubes of this level are not divided; 0 is the cube around all. Default FC_NONE: no limit, and exact finest levels are
        /// measured.
        /// </summary>
        public uint level;
        /// <summary>Maximum number of contacts, the likeliest. Default 0: no limit.</summary>
        public uint max_contacts;
        /// <summary>World position that contact points are relative to, if flags has FC_VOXQUERY_ORIGIN.</summary>
        public fixed double origin[3];
        /// <summary>
        /// Asked before each pair of cubes is divided. With it, results depend on the machine: it is the only option of the
        /// library that is not deterministic. Default NULL.
        /// </summary>
        public IntPtr is_over;
        /// <summary>Passed to it.</summary>
        public void* user_data;
    }

    /// <summary>A pair of cubes that overlap, one of each tree. 16 bytes, no padding.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_node_pair
    {
        /// <summary>Their numbers.</summary>
        public fixed uint nodes[2];
        /// <summary>For the library: when its turn is, or what was measured.</summary>
        public ulong key;
    }

    /// <summary>
    /// How far the refinement of two trees went. Plain data that the caller keeps: it may be copied and saved, and a later call
    /// with the same trees in the same poses goes on from it. Start from fc_refinement_default(), and give it memory.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_refinement
    {
        /// <summary>Set by fc_refinement_default().</summary>
        public uint struct_size;
        /// <summary>Number of pairs that `pairs` has room for. The query ends, interrupted, before it would need more.</summary>
        public uint capacity;
        /// <summary>Your memory.</summary>
        public fc_node_pair* pairs;
        /// <summary>Tests so far. 0: start anew.</summary>
        public ulong tests;
        /// <summary>Number of pairs that may be divided or measured; they come first.</summary>
        public uint open_count;
        /// <summary>Number of pairs of finest cubes that need not be looked at again; they follow.</summary>
        public uint done_count;
        /// <summary>For the library.</summary>
        public uint next;
        /// <summary>For the library.</summary>
        public uint order;
        /// <summary>Result: the coarsest level that a cube of an open pair has; the number of levels if there is none.</summary>
        public uint level;
        /// <summary>Result: 1 if nothing is left to do, else 0.</summary>
        public uint is_done;
    }

    /// <summary>
    /// Debug draw callbacks. Start from fc_debug_draw_default(); any function may be NULL (without `triangle`, edges are
    /// drawn with `line`). They are called by the drawing thread, and must not call fc_ functions. Colours are
    /// 0xRRGGBBAA.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct fc_debug_draw
    {
        /// <summary>Set by fc_debug_draw_default().</summary>
        public uint struct_size;
        /// <summary>FC_DRAW_*. Default FC_DRAW_CRACKS | FC_DRAW_BOUNDS.</summary>
        public uint flags;
        /// <summary>
        /// Level of the spheres: 0 is the coarsest; beyond the last level, the samples are drawn as small crosses. Level of
        /// the boxes: 0 is the whole body; a leaf above the level is drawn too. Of a tree of cubes the finest level is the last.
        /// </summary>
        public uint level;
        /// <summary>Drawn length of a contact normal, in metres. Default 0.1.</summary>
        public float normal_length;
        /// <summary>World position that drawn points are relative to. Default 0, 0, 0.</summary>
        public fixed double origin[3];
        /// <summary>Draws lines.</summary>
        public IntPtr line;
        /// <summary>Draws triangles.</summary>
        public IntPtr triangle;
        /// <summary>Draws text: the depth of each contact, in millimetres.</summary>
        public IntPtr text;
        /// <summary>Passed to all of them.</summary>
        public void* user_data;
    }

    /// <summary>
    /// Returns `size` bytes aligned to `alignment` (a power of two, 16 or more), or NULL if out of memory. Called by any
    /// thread, at any time during fc_ calls and at the end of threads that made some. Must not call fc_ functions.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void* fc_alloc_fn(UIntPtr size, UIntPtr alignment, void* user_data);

    /// <summary>
    /// Frees a block that fc_alloc_fn returned, with the same size and alignment. Called by any thread. Must not call
    /// fc_ functions.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void fc_free_fn(void* block, UIntPtr size, UIntPtr alignment, void* user_data);

    /// <summary>
    /// Receives a log message, valid until the function returns. Called by any thread, during the call that the message
    /// is about. Must not call fc_ functions.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void fc_log_fn(uint level, byte* message, void* user_data);

    /// <summary>Runs the work items [begin, end) of a task. Provided by the library, called by the engine.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void fc_range_fn(uint begin, uint end, void* task);

    /// <summary>
    /// Calls `run(begin, end, task)` over [0, count) in ranges of about `grain`, each index exactly once, on any
    /// threads, and returns when all are done. The split into ranges does not affect results. A thread that waits in it
    /// may do other work meanwhile, including fc_ calls. Called by any thread that makes an fc_ call.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void fc_parallel_for_fn(uint count, uint grain, IntPtr run, void* task, void* user_data);

    /// <summary>
    /// Reports the progress of cooking, from 0 to 1. Called by any thread that works on it; calls may arrive out of
    /// order. Must not call fc_ functions.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void fc_progress_fn(float done, void* user_data);

    /// <summary>
    /// Returns the signed distance, in metres, from three doubles at `point` (in the shape's frame) to the surface of a
    /// body, negative inside, and writes the direction out of the body there to three doubles at `outward` (any nonzero
    /// length). The distance must be 1-Lipschitz: it must not change faster than the point moves. Underestimating it
    /// outside, or overestimating it inside, costs time; the opposite loses contacts. Called a few hundred times per
    /// query, by the querying thread. May call fc_ functions; must not throw or longjmp.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate double fc_field_fn(double* point, double* outward, void* user_data);

    /// <summary>
    /// Says whether time is over: 0 if the query may go on. Called by the querying thread, often; it must be fast, and must not
    /// call fc_query_voxtrees.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate int fc_deadline_fn(void* user_data);

    /// <summary>Draws a line. Three floats per point, metres, world axes, relative to the draw origin.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void fc_draw_line_fn(float* a, float* b, uint rgba, void* user_data);

    /// <summary>Draws a triangle, counter-clockwise seen from outside.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void fc_draw_triangle_fn(float* a, float* b, float* c, uint rgba, void* user_data);

    /// <summary>Draws a short UTF-8 text, valid until the function returns.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void fc_draw_text_fn(float* at, byte* text, uint rgba, void* user_data);

    /// <summary>Constants and functions of the C interface.</summary>
    public static unsafe class Api
    {
#if (UNITY_IOS || UNITY_TVOS || UNITY_VISIONOS || UNITY_WEBGL) && !UNITY_EDITOR
        /// <summary>Where the functions are: linked into the program itself.</summary>
        public const string Library = "__Internal";
#else
        /// <summary>Where the functions are: libfracas.so, libfracas.dylib or fracas.dll.</summary>
        public const string Library = "fracas";
#endif

        /// <summary>Major version of this header.</summary>
        public const uint FC_VERSION_MAJOR = 0;
        /// <summary>Minor version of this header.</summary>
        public const uint FC_VERSION_MINOR = 1;
        /// <summary>Patch version of this header.</summary>
        public const uint FC_VERSION_PATCH = 0;
        /// <summary>ABI version. Only a breaking change raises it; new functions and new fields at the end of descriptors do not.</summary>
        public const uint FC_ABI_VERSION = 1;
        /// <summary>Success.</summary>
        public const int FC_OK = 0;
        /// <summary>Success; there are more results than fit the buffer, and those written are valid.</summary>
        public const int FC_INCOMPLETE = 1;
        /// <summary>Success; the pattern cut nothing and no fragments were created: keep the object.</summary>
        public const int FC_UNCHANGED = 2;
        /// <summary>Success; nothing is hit: no surface along the ray, no impact in the step.</summary>
        public const int FC_NO_HIT = 3;
        /// <summary>Success except for some pairs: each has its own status.</summary>
        public const int FC_SOME_FAILED = 4;
        /// <summary>
        /// Success; the scene is changed as it should be, but the allocator hook returned NULL meanwhile: the blocks that it
        /// did not give are from the system heap.
        /// </summary>
        public const int FC_LOW_MEMORY = 5;
        /// <summary>
        /// Success; the budget or the deadline ended the query before it knew all. Contacts mean *maybe*: bodies may touch at
        /// other points too, or, if none was measured, not at all. fc_query_get_stats returns how far it went.
        /// </summary>
        public const int FC_INTERRUPTED = 6;
        /// <summary>NULL where a pointer is required, a number that is not finite or out of range, a pose that is not a rotation.</summary>
        public const int FC_ERROR_INVALID_ARGUMENT = -1;
        /// <summary>A handle that was destroyed, or that never was a handle of this kind.</summary>
        public const int FC_ERROR_INVALID_HANDLE = -2;
        /// <summary>The mesh is not a valid solid, or not a valid body of a scene; the text names the offending element.</summary>
        public const int FC_ERROR_INVALID_MESH = -3;
        /// <summary>More elements than the library can index, or more than a limit of the call allows.</summary>
        public const int FC_ERROR_TOO_LARGE = -4;
        /// <summary>The buffer is too small, and a partial result would be useless.</summary>
        public const int FC_ERROR_CAPACITY = -5;
        /// <summary>The allocator hook returned NULL.</summary>
        public const int FC_ERROR_OUT_OF_MEMORY = -6;
        /// <summary>A descriptor uses fields that this version of the library does not know.</summary>
        public const int FC_ERROR_UNSUPPORTED = -7;
        /// <summary>The call is not allowed at this time: see fc_set_allocator, and fc_scene_create for scenes.</summary>
        public const int FC_ERROR_WRONG_TIME = -8;
        /// <summary>The task hook did not run the work that it was given, or not all of it.</summary>
        public const int FC_ERROR_TASKS = -9;
        /// <summary>
        /// A bug in the library; please report the text. Nothing was changed, unless the call was to change a scene: see
        /// fc_scene_create.
        /// </summary>
        public const int FC_ERROR_INTERNAL = -10;
        /// <summary>Bytes that are not a saved block, damaged, or of another version; the text says which.</summary>
        public const int FC_ERROR_INVALID_DATA = -11;
        /// <summary>Invalid index: no such element.</summary>
        public const uint FC_NONE = 0xffffffffu;
        /// <summary>Log level: an unexpected failure.</summary>
        public const uint FC_LOG_ERROR = 0;
        /// <summary>Log level: it works, but perhaps not as you expect.</summary>
        public const uint FC_LOG_WARNING = 1;
        /// <summary>Log level: information.</summary>
        public const uint FC_LOG_INFO = 2;
        /// <summary>
        /// Warning: a wall is thinner than four cells of the distance grid, so penetration depths in it are too small. Raise
        /// grid_max_bytes or grid_cells.
        /// </summary>
        public const uint FC_WARNING_THIN_WALLS = 1;
        /// <summary>Warning: some nodes belong to no tetrahedron and were dropped.</summary>
        public const uint FC_WARNING_UNUSED_NODES = 2;
        /// <summary>
        /// Warning: the surface was repaired before filling, or could not be preserved everywhere. The log hook receives one
        /// message for each case.
        /// </summary>
        public const uint FC_WARNING_REPAIRED = 4;
        /// <summary>
        /// Asset flag: objects are drawn with the surface that the asset is made from, cut along the cracks; see
        /// fc_object_drawing.
        /// </summary>
        public const uint FC_ASSET_KEEP_SURFACE = 1;
        /// <summary>
        /// Asset flag: the surface is exactly the boundary of the tetrahedra. Each of its triangles becomes one tetrahedron
        /// or a few, and the fill_ fields are ignored. For closed surfaces of at most a few thousand triangles that do not
        /// touch themselves.
        /// </summary>
        public const uint FC_ASSET_MEET_SURFACE = 2;
        /// <summary>
        /// Asset flag: build sphere trees, which every fracture splits, for FC_QUERY_SPHERE_TREES. For tetrahedra and for
        /// surfaces.
        /// </summary>
        public const uint FC_ASSET_SPHERE_TREES = 4;
        /// <summary>
        /// All of the original body that lies behind the object's planes and within its bounds. An intact object is a cell
        /// with no planes.
        /// </summary>
        public const uint FC_KIND_CELL = 0;
        /// <summary>One of several connected components of a cell.</summary>
        public const uint FC_KIND_PART_OF_CELL = 1;
        /// <summary>
        /// Several cells joined together: small fragments with their neighbours, or the remainder beyond an impact. Has no
        /// planes.
        /// </summary>
        public const uint FC_KIND_UNION = 2;
        /// <summary>Its cracks are not planar: they are rough, or come from labels. Has no planes.</summary>
        public const uint FC_KIND_ROUGH = 3;
        /// <summary>On the original surface (the skin).</summary>
        public const uint FC_FACE_SKIN = 0;
        /// <summary>On a crack.</summary>
        public const uint FC_FACE_CRACK = 1;
        /// <summary>Cuts along planes: four floats per plane in `values`, normal and offset (normal . x = offset).</summary>
        public const uint FC_PATTERN_PLANES = 1;
        /// <summary>
        /// Cuts into the Voronoi cells of points: three floats per point in `values`. `groups` joins cells, `metric` stretches
        /// them: any union of convex cells is a pattern.
        /// </summary>
        public const uint FC_PATTERN_VORONOI = 2;
        /// <summary>Cuts into the Voronoi cells of `count` random points (`seed`), distributed uniformly by volume within the object.</summary>
        public const uint FC_PATTERN_RANDOM_VORONOI = 3;
        /// <summary>
        /// Breaks as under an impact: small cells at `impact_point`, larger ones away from it, about `count` in total. Cells
        /// with a seed beyond `impact_radius` stay joined, so the remainder has a ragged border. Cells are elongated along
        /// `impact_direction`; zero: isotropic.
        /// </summary>
        public const uint FC_PATTERN_IMPACT = 4;
        /// <summary>
        /// Your own fracture: one label per node of the mesh in `labels` (nodes in no tetrahedron of this object are
        /// ignored). `gaps` or `edge_cuts` say where the cracks cut; with neither, they cut edges at the middle.
        /// </summary>
        public const uint FC_PATTERN_LABELS = 5;
        /// <summary>All points below a plane: normal . x &lt;= offset.</summary>
        public const uint FC_SHAPE_HALF_SPACE = 1;
        /// <summary>A ball of `radius` around the origin of its frame.</summary>
        public const uint FC_SHAPE_BALL = 2;
        /// <summary>A box of `half_extents` around the origin of its frame.</summary>
        public const uint FC_SHAPE_BOX = 3;
        /// <summary>All points within `radius` of the segment from `ends[0]` to `ends[1]`.</summary>
        public const uint FC_SHAPE_CAPSULE = 4;
        /// <summary>A convex hull; see fc_hull_create.</summary>
        public const uint FC_SHAPE_HULL = 5;
        /// <summary>A signed distance field given by `field`: terrain, a heightfield, your own distance field.</summary>
        public const uint FC_SHAPE_FIELD = 6;
        /// <summary>Query flag: contact points are relative to `origin` instead of A's position.</summary>
        public const uint FC_QUERY_ORIGIN = 1;
        /// <summary>Query flag: measure the time of the call for fc_query_stats (adds about 50 ns).</summary>
        public const uint FC_QUERY_TIMED = 2;
        /// <summary>
        /// Query flag: search samples with the sphere trees of Glondu 2013 instead of the default buckets, for comparison.
        /// Slower, and may select other samples. Both objects must come from assets with FC_ASSET_SPHERE_TREES.
        /// </summary>
        public const uint FC_QUERY_SPHERE_TREES = 16;
        /// <summary>
        /// Query flag: measure depths between objects by the shortest way out of each point. The default is along the contact
        /// normal, to the crack between siblings or to the face that faces the other body, as solvers need it: near a rim the
        /// shortest way points sideways and is about zero however deep the bodies penetrate. With the flag, bodies that have
        /// crossed get no common direction. Fragments near where they parted are still measured across their common crack.
        /// </summary>
        public const uint FC_QUERY_SHORTEST_WAY = 32;
        /// <summary>Query flag: look at sample points only, and not at creases. Edges that cross between samples are missed.</summary>
        public const uint FC_QUERY_POINTS_ONLY = 64;
        /// <summary>
        /// Contact mode: target_contacts well-spread contacts, then only contacts deeper than the deepest so far by more
        /// than the tolerance. The default.
        /// </summary>
        public const uint FC_MODE_TARGET_THEN_DEEPER = 0;
        /// <summary>Contact mode: target_contacts contacts, then all contacts deeper than the tolerance (Glondu et al. 2013).</summary>
        public const uint FC_MODE_TARGET_THEN_DEEP = 1;
        /// <summary>Contact mode: target_contacts contacts and no more.</summary>
        public const uint FC_MODE_EXACTLY = 2;
        /// <summary>Contact mode: every sample point in contact.</summary>
        public const uint FC_MODE_FULL = 3;
        /// <summary>Level: only the bodies as wholes were looked at. One contact, along the direction in which they overlap least.</summary>
        public const uint FC_LEVEL_BODIES = 0;
        /// <summary>Level: no sample was found to touch, but some were not measured. One contact in the middle of these.</summary>
        public const uint FC_LEVEL_SPHERES = 1;
        /// <summary>Level: the contacts were measured, but there may be others, or deeper ones.</summary>
        public const uint FC_LEVEL_SAMPLES = 2;
        /// <summary>Level: as many contacts as wanted were measured; deeper ones may be left.</summary>
        public const uint FC_LEVEL_TARGET = 3;
        /// <summary>Level: all is known; the query was not interrupted.</summary>
        public const uint FC_LEVEL_ALL = 4;
        /// <summary>Sweep flag: the contact point is relative to `origin` instead of A's position at the start.</summary>
        public const uint FC_SWEEP_ORIGIN = 1;
        /// <summary>
        /// Culling of self-collision: the cone of normals, then the contour of what it holds; closed bodies that are seen whole
        /// from a point inside need not even that. Misses nothing. The default.
        /// </summary>
        public const uint FC_CONES_CONSERVATIVE = 0;
        /// <summary>
        /// Culling of self-collision: dual cones alone (Heo et al. 2010), for comparison. May miss self-collisions where parts of a
        /// body that are connected face each other.
        /// </summary>
        public const uint FC_CONES_FAST = 1;
        /// <summary>Culling of self-collision: as FC_CONES_CONSERVATIVE, but of dual cones. Misses nothing; culls less.</summary>
        public const uint FC_CONES_DUAL_CONTOUR = 2;
        /// <summary>No culling of self-collision.</summary>
        public const uint FC_CONES_OFF = 3;
        /// <summary>
        /// Update flag: for continuous queries, too. Without it the update is faster, and the scene is ready for the other
        /// queries only.
        /// </summary>
        public const uint FC_UPDATE_CONTINUOUS = 1;
        /// <summary>Body flag: it does not collide with itself.</summary>
        public const uint FC_BODY_NO_SELF_COLLISION = 1;
        /// <summary>
        /// Body flag: vertices at the same position are one. For render meshes, which have several along texture seams and hard
        /// edges: without it such a seam is an open edge, and the triangles on both sides collide with each other.
        /// </summary>
        public const uint FC_BODY_WELD = 2;
        /// <summary>Discrete query flag: compute point, normal and depth of the pairs that are written.</summary>
        public const uint FC_DISCRETE_CONTACTS = 1;
        /// <summary>Kind of an impact or proximity: a vertex of the first body and a triangle of the second.</summary>
        public const uint FC_IMPACT_VERTEX_FACE = 0;
        /// <summary>Kind of an impact or proximity: an edge of the first body and an edge of the second.</summary>
        public const uint FC_IMPACT_EDGE_EDGE = 1;
        /// <summary>
        /// Soft body flag: all tetrahedra are listed right-handed ((b - a) x (c - a) . (d - a) &gt; 0 at rest). Those that are
        /// inverted now, or have no volume, are accepted and wait for one. Without it either sense is accepted, and every
        /// tetrahedron must have a volume when it is given.
        /// </summary>
        public const uint FC_SOFT_ORIENTED = 1;
        /// <summary>
        /// Depths of nodes: the closest point of the boundary is searched for each node that is asked for. Exact; the fastest
        /// for few nodes. The default.
        /// </summary>
        public const uint FC_DEPTHS_EXACT = 0;
        /// <summary>
        /// Depths of nodes: nodes hand on the closest triangle (closest-feature fast marching, Marchal 2004). Never too small;
        /// the fastest for all nodes.
        /// </summary>
        public const uint FC_DEPTHS_CLOSEST_FEATURE = 1;
        /// <summary>
        /// Depths of nodes: nodes hand on the closest node of the boundary (closest-point fast marching). Faster still, and less
        /// exact.
        /// </summary>
        public const uint FC_DEPTHS_CLOSEST_POINT = 2;
        /// <summary>
        /// What of a body is looked for in the other: edges of its boundary; of a shape its edges, which a ball, a capsule and a
        /// half-space do not have. The default.
        /// </summary>
        public const uint FC_PENETRATING_SEGMENTS = 0;
        /// <summary>
        /// What of a body is looked for in the other: nodes of its boundary; of an object the vertices of its surface; of a
        /// shape its corners, its given points, or the balls that it is made of, which are felt wherever they reach. Faster, and
        /// blind for edges that cross.
        /// </summary>
        public const uint FC_PENETRATING_POINTS = 1;
        /// <summary>
        /// What of a body is looked for in the other: all edges, also those within it. As FC_PENETRATING_SEGMENTS for what is not
        /// a soft body.
        /// </summary>
        public const uint FC_PENETRATING_ALL_SEGMENTS = 2;
        /// <summary>What of a body is looked for in the other: nothing.</summary>
        public const uint FC_PENETRATING_NOTHING = 3;
        /// <summary>
        /// Penalty flag: directions from gradients that are shared by the tetrahedra around each node, so that they do not jump
        /// between tetrahedra. Costs more depths.
        /// </summary>
        public const uint FC_PENALTY_SMOOTH = 1;
        /// <summary>
        /// Penalty flag: depths are measured at every point, instead of linear between the nodes of tetrahedra. Exact, whatever
        /// the mesh, and slower.
        /// </summary>
        public const uint FC_PENALTY_MEASURED = 2;
        /// <summary>
        /// Tree flag, for fc_voxtree_from_object and fc_voxtree_load: the finest level is exact. Samples of the object in the finest
        /// cubes are measured by the field of the other body, if its tree has this too.
        /// </summary>
        public const uint FC_VOXTREE_EXACT = 1;
        /// <summary>Tree query flag: contact points are relative to `origin` instead of A's position.</summary>
        public const uint FC_VOXQUERY_ORIGIN = 1;
        /// <summary>Tree query flag: pairs of cubes are divided level by level, as in the paper, instead of the likeliest first.</summary>
        public const uint FC_VOXQUERY_BY_LEVEL = 2;
        /// <summary>Tree query flag: normals of pairs are along the line between their centres, instead of by the gradients of densities.</summary>
        public const uint FC_VOXQUERY_CENTRES = 4;
        /// <summary>Tree query flag: all pairs count alike in averages, instead of by the probability that they collide.</summary>
        public const uint FC_VOXQUERY_AVERAGES = 8;
        /// <summary>Tree query flag: one contact of the bodies, instead of one per pair of groups.</summary>
        public const uint FC_VOXQUERY_UNGROUPED = 16;
        /// <summary>Draw the bounding spheres of the samples at `level`.</summary>
        public const uint FC_DRAW_SPHERES = 1;
        /// <summary>Draw the cracks.</summary>
        public const uint FC_DRAW_CRACKS = 2;
        /// <summary>Draw the bounding box: in the object's axes, of each body of a scene, or of a soft body.</summary>
        public const uint FC_DRAW_BOUNDS = 4;
        /// <summary>Draw the whole surface.</summary>
        public const uint FC_DRAW_SURFACE = 8;
        /// <summary>Draw the boxes of the trees of a scene's bodies, of a soft body, or of a tree of cubes, at `level`.</summary>
        public const uint FC_DRAW_BOXES = 16;

        /// <summary>Returns the version of the loaded library: major * 1000000 + minor * 1000 + patch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern uint fc_version();

        /// <summary>Returns the same as text, "0.1.0". Valid as long as the library is loaded.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern byte* fc_version_text();

        /// <summary>Returns the FC_ABI_VERSION of the loaded library.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern uint fc_abi_version();

        /// <summary>
        /// Returns 1 if a program compiled against `abi_version` can use this library, else 0. Call it before anything else:
        /// `assert(fc_abi_compatible(FC_ABI_VERSION))`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern uint fc_abi_compatible(uint abi_version);

        /// <summary>Returns the name of a status ("FC_OK"), for logs. Valid as long as the library is loaded.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern byte* fc_status_name(int status);

        /// <summary>
        /// Returns one sentence on the last failed call of this thread: what is wrong, where, and what to do. Never NULL;
        /// valid until this thread's next fc_ call.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern byte* fc_last_error();

        /// <summary>
        /// Sets this thread's text, for wrappers that check what they are given themselves and fail as a call would: so
        /// fc_last_error() describes that failure, and not the one before. Copied; up to 511 bytes of UTF-8. NULL is no text.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_set_last_error(byte* text);

        /// <summary>
        /// Sets the allocator for all memory of the library. NULL and NULL: the system heap, the default.
        ///
        /// Every block of the library, on any thread, is allocated with `alloc` and freed with `free`. If `alloc` returns
        /// NULL, the request is served from the system heap, and the call that made it frees what it has allocated and
        /// returns FC_ERROR_OUT_OF_MEMORY (a call that changes a scene may return FC_LOW_MEMORY instead and keep it); the
        /// process aborts only if the system heap is exhausted too. Two things bypass
        /// the hook: a table of 32 bytes per handle alive at once, and a few bytes for each hook that is set. Blocks live
        /// until their handles are destroyed. Scratch memory belongs to the threads that make fc_ calls and is freed when
        /// they end (for the thread that calls fc_shutdown, there); keep the functions valid until then.
        ///
        /// Fails    FC_ERROR_WRONG_TIME after the first call that uses memory (fc_set_log and the version calls do not),
        ///          until fc_shutdown. FC_ERROR_INVALID_ARGUMENT if only one of the functions is NULL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_set_allocator(IntPtr alloc, IntPtr free, void* user_data);

        /// <summary>Sets the callback for warnings and for reports of bugs in the library. NULL: no log, the default.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_set_log(IntPtr log, void* user_data);

        /// <summary>
        /// Runs parallel work on the engine's job system. NULL: on the calling thread, the default.
        ///
        /// Used by cooking, fc_fracture, fc_query_pairs, fc_sweep_pairs, fc_scene_update and the queries of scenes. Results are
        /// the same, bit for bit, wherever work runs. Calls that are already running are not moved.
        /// Fails    FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_set_task_system(IntPtr parallel_for, void* user_data);

        /// <summary>
        /// Runs parallel work on threads created by the library, for programs that have no job system. 0 or 1: on the
        /// calling thread, the default. Replaces the setting of fc_set_task_system, and vice versa. Returns when threads
        /// that are no longer needed have ended.
        ///
        /// Fails    FC_ERROR_INVALID_ARGUMENT (more than 256), FC_ERROR_TOO_LARGE (the system cannot create more),
        ///          FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_set_threads(uint count);

        /// <summary>Returns the number of live handles of all kinds: 0 when everything was destroyed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern uint fc_live_handles();

        /// <summary>
        /// Shuts the library down: destroys all handles, ends all threads created by the library, frees the scratch memory
        /// of this thread, and removes all hooks. The library is then as if it had just been loaded, and may be used again
        /// or unloaded. Old handles stay invalid.
        ///
        /// Calls that are running on other threads finish safely, but the library's threads end, and memory is freed, only
        /// after them: let them finish first. `leaked_handles` is set to the number of handles that were still alive; it may
        /// be NULL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_shutdown(uint* leaked_handles);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_asset_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_asset_desc_init(fc_asset_desc* desc, uint struct_size);

        /// <summary>
        /// Checks a mesh and cooks it: connectivity, distance grid, point location. Inverted tetrahedra are reoriented. A
        /// surface is filled with tetrahedra first; repairs made on the way are reported to the log hook and in
        /// fc_asset_info.warnings.
        ///
        /// Owner    the mesh stays yours and is copied; release the asset with fc_asset_release.
        /// Threads  beside any other call; uses the task hook.
        /// Cost     0.5 s for 48,000 tetrahedra and a grid of 64 cells on one core; filling a surface is extra. Cook at load
        ///          time, not during play.
        /// Fails    FC_ERROR_INVALID_MESH (the text names the offending element by index; also if there are neither
        ///          tetrahedra nor triangles), FC_ERROR_INVALID_ARGUMENT (also if there are both), FC_ERROR_TOO_LARGE,
        ///          FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_asset_create(fc_asset_desc* desc, fc_asset* asset);

        /// <summary>
        /// Releases an asset handle. Its objects keep the data that they need.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_asset_release(fc_asset asset);

        /// <summary>
        /// Returns the properties of an asset.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_asset_get_info(fc_asset asset, fc_asset_info* info);

        /// <summary>
        /// Returns the boundary triangles of an asset, with your node indices (for a filled surface: the asset's own). The
        /// `source` of a surface triangle is an index into this array.
        ///
        /// Writes at most `capacity` triangles and sets `*count` to the total number; FC_INCOMPLETE if that is more.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_asset_skin(fc_asset asset, fc_skin_triangle* triangles, uint capacity, uint* count);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_object_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_object_desc_init(fc_object_desc* desc, uint struct_size);

        /// <summary>
        /// Creates an object from an asset. A hundred objects share one asset and cost next to nothing.
        ///
        /// Owner    release it with fc_object_destroy. The asset's handle may be released earlier.
        /// Threads  beside any other call.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (no such body, a scale out of range),
        ///          FC_ERROR_OUT_OF_MEMORY.
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_create(fc_asset asset, fc_object_desc* desc, fc_object* @object);

        /// <summary>
        /// Destroys an object. Calls that are running on it finish safely; its fragments and siblings do not need it.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE, also if it was already destroyed.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_destroy(fc_object @object);

        /// <summary>
        /// Returns the properties of an object.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_get_info(fc_object @object, fc_object_info* info);

        /// <summary>
        /// Builds the data that contact queries of an object otherwise build on first use, so that no frame has to build it.
        /// Call it for fragments in the job that created them. Optional: queries build what is missing, and the contacts
        /// are the same. Frames in which pieces have just parted still take longer than later ones: rough pieces up to ten times.
        ///
        /// Threads  beside any other call; objects of one fracture can be prepared on several threads at once.
        /// Memory   a few hundred bytes per sample point, kept with the fracture; more for rough cracks.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_prepare(fc_object @object);

        /// <summary>
        /// Returns the memory used by an object, its own and shared. Objects of one fracture or asset each report the whole
        /// shared part: count it once.
        ///
        /// Threads  beside any other call.
        /// Cost     grows with the number of fragments of its fracture.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_get_memory(fc_object @object, fc_object_memory* memory);

        /// <summary>
        /// Sets an object's user data, the only mutable state of an object.
        ///
        /// Threads  beside any other call; concurrent readers see the old or the new value.
        /// Fails    FC_ERROR_INVALID_HANDLE.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_set_user_data(fc_object @object, ulong user_data);

        /// <summary>
        /// Returns an object's user data.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_get_user_data(fc_object @object, ulong* user_data);

        /// <summary>
        /// Returns the axis-aligned bounding box of an object: in world space for a pose, in the object's frame if `at` is
        /// NULL.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_bounds(fc_object @object, fc_pose* at, fc_aabb* bounds);

        /// <summary>
        /// Returns volume, mass, centre of mass and inertia, in the object's frame. Those of the fragments add up to their
        /// parent's.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_mass(fc_object @object, fc_mass* mass);

        /// <summary>
        /// Writes the inertia of a body about its centre of mass as a matrix: nine numbers, row by row. The same the other way
        /// round, column by column, since it is symmetric.
        ///
        /// Fails    FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_mass_inertia_matrix(fc_mass* mass, double* matrix);

        /// <summary>
        /// Returns the pairs of adjacent fragments of the fracture that created this object, with the areas of the cracks
        /// between them.
        ///
        /// Writes at most `capacity` pairs and sets `*count` to the total number; FC_INCOMPLETE if that is more. An object
        /// that is not a fragment has none.
        /// Cost     grows with the cracks of the whole fracture; call it for one of the fragments only.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_adjacency(fc_object @object, fc_adjacency* pairs, uint capacity, uint* count);

        /// <summary>
        /// Returns the signed distance from a world-space point to the surface of an object in a pose: negative inside.
        /// `outward` receives the unit direction out of the object, world axes; it may be NULL.
        ///
        /// Threads  beside any other call.
        /// Cost     a few microseconds. The first point farther away than a quarter of an edge, like the first ray, builds
        ///          the surface: about 1 ms per fragment.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_signed_distance(fc_object @object, fc_pose* at, double* point, double* distance, float* outward);

        /// <summary>
        /// Returns the first hit of a ray with an object's surface, skin or crack, from either side, within `max_distance`.
        /// Returns FC_NO_HIT if there is none; `*hit` is then not written.
        ///
        /// Threads  beside any other call.
        /// Memory   the first ray against an object builds its surface, which the object keeps.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (a direction of length zero), FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_ray_cast(fc_object @object, fc_pose* at, double* origin, float* direction, double max_distance, fc_ray_hit* hit);

        /// <summary>
        /// Returns the sample point or crease that a contact's feature identifies, for materials, sounds and decals. Pass the object
        /// that owns the sample: B if bit 31 of the feature is set, else A. (Samples of simple shapes belong to no object:
        /// see fc_query_shape.)
        ///
        /// Cost     for cracks, grows with the number of crack points of the object; the first crease of an object, like the first ray,
        ///          builds its surface.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (the feature is not one of this object's).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_feature(fc_object @object, uint feature, fc_feature* info);

        /// <summary>
        /// Returns a hash of an object's whole state (mesh, cracks, scale, density; not its user data). Two objects with the
        /// same hash behave identically, bit for bit. The hash is the same on every run; compare it to find where two
        /// simulations diverge.
        ///
        /// Cost     grows with the object's nodes and cracks.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_state_hash(fc_object @object, ulong* hash);

        /// <summary>
        /// Returns the planes that cut a fragment out of the original body, in the object's frame.
        ///
        /// The fragment is the part of the original body behind all of these planes and within its bounds (FC_KIND_CELL), or
        /// one connected component of that (FC_KIND_PART_OF_CELL). That suffices for culling: a point in front of any plane
        /// is outside the fragment.
        ///
        /// As a convex collider they need care. They are cracks only, so they do not bound the fragment at its skin, and
        /// rarely enclose a finite volume by themselves: add the six planes of fc_object_bounds. If the body is convex,
        /// these planes and those of the body's own hull are exactly the fragment. If it is not, the hull also fills the
        /// concavities of the skin, such as the inside of a bowl. Fragments of kind FC_KIND_PART_OF_CELL share planes, so
        /// their hulls may overlap.
        ///
        /// A union, a rough fragment and an intact object have 0 planes: planes alone do not describe them. The call then
        /// returns FC_OK; fc_object_info has the kind.
        ///
        /// Writes at most `capacity` planes and sets `*count` to the total number; FC_INCOMPLETE if that is more.
        /// Units    metres; normals have unit length.
        /// Owner    the buffer stays yours.
        /// Threads  beside any other call.
        /// Memory   no heap allocation.
        /// Cost     a copy.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_get_planes(fc_object @object, fc_plane* planes, uint capacity, uint* count);

        /// <summary>
        /// Returns the closed surface of an object, skin and cracks, in the object's frame.
        ///
        /// Writes as many vertices (three floats per vertex) and triangles as fit, and sets both counts to the total
        /// numbers; FC_INCOMPLETE if something did not fit. Call it with capacities of 0, allocate, call it again: the
        /// surface is cached between the two calls, not rebuilt.
        ///
        /// Owner    buffers stay yours.
        /// Threads  beside any other call.
        /// Cost     about 2 ms for each of 27 pieces of a ball of 5,000 nodes; not needed for contacts.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_surface(fc_object @object, float* positions, uint vertex_capacity, uint* vertex_count, fc_triangle* triangles, uint triangle_capacity, uint* triangle_count);

        /// <summary>
        /// Returns the render mesh of an object, in its frame: its part of the surface that the asset was made from with
        /// FC_ASSET_KEEP_SURFACE, cut along the cracks, and the crack faces, which end at it. Closed, once vertices of equal
        /// position are welded, if that surface was closed. Without such a surface: skin and cracks as in fc_object_surface,
        /// flat shaded.
        ///
        /// Writes as many vertices and triangles as fit, and sets both counts to the total numbers; FC_INCOMPLETE if
        /// something did not fit. Call it with capacities of 0, allocate, call it again: the mesh is cached between the two
        /// calls, not rebuilt.
        ///
        /// Owner    buffers stay yours.
        /// Threads  beside any other call.
        /// Cost     about 3 ms for each of 27 pieces of a body of 100,000 triangles, 1 ms for 10,000. For rough cracks, and after an
        ///          impact, 12 to 50 ms a piece, where the surface was met exactly 0.3 to 5: build it in a job, over several frames.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
        ///
        /// `info` may be NULL.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_drawing(fc_object @object, fc_vertex* vertices, uint vertex_capacity, uint* vertex_count, fc_drawn_triangle* triangles, uint triangle_capacity, uint* triangle_count, fc_drawing_info* info);

        /// <summary>
        /// Returns an object as tetrahedra that fit together face to face, in its own frame: those of its asset, and parts of
        /// them along its cracks. For simulators of deforming bodies, and for fc_soft_create, which needs FC_SOFT_ORIENTED for
        /// them.
        ///
        /// The corners of tetrahedra are right-handed. Where cracks nearly meet in a point, some may have no volume, or be
        /// inverted by rounding: leave them out of a simulation.
        ///
        /// Writes as many nodes and tetrahedra (four node indices each) as fit, and sets both counts to the total numbers;
        /// FC_INCOMPLETE if something did not fit. Call it with capacities of 0, allocate, call it again: the tetrahedra are
        /// cached between the two calls.
        ///
        /// Owner    buffers stay yours.
        /// Threads  beside any other call.
        /// Cost     grows with the tetrahedra of the object; for a fragment, mostly those that are cut. The first such call on
        ///          fragments of a break may take several milliseconds more (see fc_fracture).
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_tets(fc_object @object, fc_tet_node* nodes, uint node_capacity, uint* node_count, uint* tets, uint tet_capacity, uint* tet_count);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_convex_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_convex_desc_init(fc_convex_desc* desc, uint struct_size);

        /// <summary>
        /// Approximates an object by convex polyhedra, in its own frame: colliders for engines that take no custom shapes, such as
        /// Chaos or Unity's PhysX. Contacts of Fracas itself do not use them.
        ///
        /// Fragments of a convex body are convex (FC_KIND_CELL), and get one part that is exact. Others are cut along planes until
        /// the parts' hulls fit as the descriptor says, or no cut helps.
        ///
        /// Writes as many parts, vertices (three floats per vertex) and triangles (three vertex indices, counter-clockwise seen
        /// from outside, each part its own) as fit, and sets all counts to the total numbers; FC_INCOMPLETE if something did not
        /// fit. Call it with capacities of 0, allocate, call it again: the parts are cached between the two calls.
        ///
        /// Owner    buffers stay yours.
        /// Threads  beside any other call.
        /// Cost     a hull takes 0.1 to 0.3 ms for a fragment of a body of 20,000 tetrahedra, every cut some 20 ms more: when bodies
        ///          break in a frame, ask for one part, or do it in a job. Not needed for contacts.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_convex_parts(fc_object @object, fc_convex_desc* desc, fc_convex_part* parts, uint part_capacity, uint* part_count, float* positions, uint vertex_capacity, uint* vertex_count, uint* triangles, uint triangle_capacity, uint* triangle_count);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_fracture_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_fracture_desc_init(fc_fracture_desc* desc, uint struct_size);

        /// <summary>
        /// Returns an upper bound on the number of fragments: the smaller of max_fragments and max_regions. The mesh sets no
        /// limit, since a fragment need not own a node. Set max_fragments to keep the array short, or call fc_fracture with
        /// the capacity that you have: if it is too small, FC_ERROR_CAPACITY comes with the number of fragments.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_UNSUPPORTED.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_fracture_bound(fc_object @object, fc_fracture_desc* desc, uint* bound);

        /// <summary>
        /// Breaks an object: reads it and creates new objects, each connected, with its own mass properties, and breakable
        /// again. Together they are exactly the old object. All or nothing.
        ///
        /// The object stays unchanged: swap bodies at the end of your step, then destroy it. Fragments share its frame, so
        /// give them its pose (and its velocity field). They inherit its scale and user data, and are ordered by pattern
        /// cell.
        /// FC_UNCHANGED: nothing was cut, `*count` is 0, keep the object.
        ///
        /// `info` may be NULL.
        /// Owner    the fragments are yours; release them with fc_object_destroy.
        /// Threads  beside any other call, including queries of this object and its siblings; uses the task hook.
        /// Cost     1.5 ms for a body of 5,000 nodes in 27 cells by seeds on one core, two to four times as much for blows and
        ///          joined cells, more for planes, rough cracks and fragments; grows with the tetrahedra of this object and with
        ///          the regions that the cracks cut them into. The first smooth fracture of a body by seeds or a blow defers part
        ///          of the work: the first fracture, surface, drawing or save of one of its fragments takes as long again, once.
        ///          Queries do not.
        /// Fails    FC_ERROR_CAPACITY (more fragments than `capacity`: `*count` is set to their number, nothing is created),
        ///          FC_ERROR_TOO_LARGE (more regions than max_regions, or more than 16,777,216 seeds or planes; nothing is
        ///          created), FC_ERROR_INVALID_HANDLE,
        ///          FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED, FC_ERROR_TASKS.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_fracture(fc_object @object, fc_fracture_desc* desc, fc_object* fragments, uint capacity, uint* count, fc_fracture_info* info);

        /// <summary>
        /// Serializes a cooked asset to a block of bytes: little-endian, versioned, checksummed; the same bytes on every
        /// machine.
        ///
        /// Sets `*size` to the number of bytes. With a `capacity` of 0 it writes nothing and returns FC_INCOMPLETE: use that
        /// to query the size.
        /// Owner    the buffer stays yours.
        /// Threads  beside any other call.
        /// Fails    FC_ERROR_CAPACITY (nothing is written, `*size` is set), FC_ERROR_INVALID_HANDLE,
        ///          FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_asset_save(fc_asset asset, byte* bytes, ulong capacity, ulong* size);

        /// <summary>
        /// Loads an asset that fc_asset_save saved. Every call returns the same results as with the saved asset, bit for
        /// bit.
        ///
        /// Safe for untrusted files: all bytes are validated. At least twenty times faster than cooking.
        /// Owner    the bytes stay yours; no pointer is kept. Release the asset with fc_asset_release.
        /// Threads  beside any other call.
        /// Fails    FC_ERROR_INVALID_DATA (the text gives the reason and the version of the data),
        ///          FC_ERROR_INVALID_ARGUMENT, FC_ERROR_TOO_LARGE, FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_asset_load(byte* bytes, ulong size, fc_asset* asset);

        /// <summary>
        /// Serializes objects of one asset, intact or fragments, of any generation, with the data that they need of the
        /// fractures that created them, and with their user data. The asset itself is not included.
        ///
        /// Save fragments of one body together: fragments loaded together are siblings as the saved ones are; fragments of
        /// two separate loads are not. `*size`, `bytes` and `capacity` are as in fc_asset_save.
        ///
        /// Threads  beside any other call.
        /// Fails    as fc_asset_save; FC_ERROR_INVALID_ARGUMENT if there are no objects, or if they are of different assets.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_save(fc_object* objects, uint count, byte* bytes, ulong capacity, ulong* size);

        /// <summary>
        /// Loads the objects that fc_object_save saved, in the order in which they were passed, as objects of `asset`, which
        /// must have the same mesh and density. They are new objects, identical to the saved ones bit for bit.
        ///
        /// Sets `*count` to the number of objects. All or nothing. Safe for untrusted files: all bytes are validated.
        /// Owner    release each object with fc_object_destroy.
        /// Threads  beside any other call.
        /// Fails    FC_ERROR_CAPACITY (nothing is created, `*count` is set), FC_ERROR_INVALID_DATA, FC_ERROR_INVALID_HANDLE,
        ///          FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_object_load(byte* bytes, ulong size, fc_asset asset, fc_object* objects, uint capacity, uint* count);

        /// <summary>Fills a shape of `struct_size` bytes with the defaults; use fc_shape_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_shape_init(fc_shape* shape, uint struct_size);

        /// <summary>
        /// Creates a convex hull from the planes of its faces: four floats per plane, outward normal and offset along it
        /// (points with normal . x &lt;= offset are inside). Normals are normalised, and offsets scaled with them.
        ///
        /// `stride` is in bytes from one plane to the next; 0: tightly packed.
        /// Owner    the planes stay yours; release the hull with fc_hull_destroy.
        /// Fails    FC_ERROR_INVALID_ARGUMENT (planes that enclose no volume or an infinite one), FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_hull_create(float* planes, uint count, uint stride, fc_hull* hull);

        /// <summary>
        /// Destroys a hull. Calls that are running with it finish safely.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_hull_destroy(fc_hull hull);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_query_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_query_desc_init(fc_query_desc* desc, uint struct_size);

        /// <summary>
        /// Finds the contacts between two objects.
        ///
        /// Writes at most `capacity` contacts and sets `*count` to the number found. If that is more than `capacity`,
        /// returns FC_INCOMPLETE and the contacts written are valid. The order is greedy (deepest first, then the contact
        /// that adds most), so any prefix is a good manifold. Ties are broken by `feature`, so the order is the same on
        /// every run and for any number of threads. Swapping A and B gives the same contacts with the normals negated.
        ///
        /// With a `desc-&gt;budget` that does not suffice, returns FC_INTERRUPTED and the best contacts so far: those measured, or, if
        /// none was, one that stands for all that may touch (its feature has the index 0x0fffffff). They mean *maybe*.
        ///
        /// Units    metres; poses are object to world, positions in double.
        /// Owner    buffers stay yours; no pointer is kept.
        /// Threads  beside any other call.
        /// Memory   no heap allocation once both objects have been queried and this thread has handled as many contacts.
        /// Cost     grows with the number of spheres visited, not with the mesh; fc_query_get_stats returns that number.
        /// Fails    FC_ERROR_INVALID_HANDLE (stale or foreign), FC_ERROR_INVALID_ARGUMENT (NULL, a pose that is not finite
        ///          or not a rotation, a margin that is NaN), FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_query_pair(fc_object a, fc_pose* pose_a, fc_object b, fc_pose* pose_b, fc_query_desc* desc, fc_contact* contacts, uint capacity, uint* count);

        /// <summary>
        /// Finds the contacts between an object, A, and a simple shape, B. Everything else is as in fc_query_pair.
        ///
        /// Shapes have samples too, and those belong to B (bit 31 of the feature is set): the corners of a box (the lowest
        /// bits of the feature give the side in x, y and z), the vertices of a hull, the centre of a ball, points along the
        /// axis of a capsule, and the points of a field, by index. A half-space has none. They detect penetration of an
        /// object between the object's own samples: a ball in the middle of a coarse face is located to less than a
        /// hundredth of a mesh edge. A ball touches on up to four sides, as in a groove or the corner of a room, and so does
        /// each sample of a capsule: to the index is added the number of the side, from 0 to 3, times the number of samples;
        /// with a memory a side keeps its number. A sample of a shape either pushes the object out of the shape or makes no
        /// contact, so the vertices of flat ground never stop an object that slides over them.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_query_shape(fc_object a, fc_pose* pose_a, fc_shape* shape, fc_pose* pose_shape, fc_query_desc* desc, fc_contact* contacts, uint capacity, uint* count);

        /// <summary>
        /// Reduces contacts in the same way as queries do: to at most `max_per_normal` contacts with nearly the same normal
        /// (within 5 degrees) and at most `max_contacts` in total; 0 means no limit. For engines that merge the contacts of
        /// several pairs, such as those of a compound. All points must be relative to the same origin. The deepest contact
        /// is always kept, together with those that best span each group of normals, so that the result can apply the same
        /// forces and torques as the full set. The order is that of a query.
        ///
        /// Writes at most `capacity` contacts and sets `*reduced_count` to the number that remain. If that is more than
        /// `capacity`, returns FC_INCOMPLETE and the contacts written are valid. `reduced` may be `contacts`.
        ///
        /// Owner    buffers stay yours; no pointer is kept.
        /// Threads  beside any other call.
        /// Memory   no heap allocation once this thread has handled as many contacts.
        /// Fails    FC_ERROR_INVALID_ARGUMENT (NULL, a contact with a value that is not finite), FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_reduce_contacts(fc_contact* contacts, uint count, uint max_per_normal, uint max_contacts, fc_contact* reduced, uint capacity, uint* reduced_count);

        /// <summary>
        /// Returns the statistics of this thread's last successful query.
        ///
        /// Fails    FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_query_get_stats(fc_query_stats* stats);

        /// <summary>
        /// Finds the contacts of many pairs, in parallel on the task hook. Each pair gives the same contacts as with
        /// fc_query_pair; all are returned in one array in the order of the pairs.
        ///
        /// Sets `offsets[k]` to the index of the first contact of pair k, and `offsets[pair_count]` to the total number;
        /// writes at most `capacity` contacts. If there are more, returns FC_INCOMPLETE; all offsets are correct, and the
        /// contacts below `capacity` are valid. A pair that fails has no contacts, and its status is in `statuses` (may be
        /// NULL); the call then returns FC_SOME_FAILED, even if the buffer was too small as well (compare `offsets[pair_count]` with
        /// `capacity`), and fc_last_error() describes the first failure.
        ///
        /// `desc-&gt;budget` is the budget of all pairs together. It is divided before the work by `desc-&gt;weights` (all alike if
        /// NULL); what pairs leave of theirs goes to those that were interrupted, in their order, which are queried once more with
        /// four times as much. Every pair gets one unit at least; only so may the budget be exceeded. Interrupted pairs have the
        /// status FC_INTERRUPTED, and so has the call, unless a pair failed (compare `offsets[pair_count]` with `capacity`). The same
        /// pairs, weights and budget give the same contacts for any number of threads.
        ///
        /// Owner    buffers stay yours; no pointer is kept.
        /// Threads  beside any other call.
        /// Memory   no heap allocation in a warm call; with fc_set_threads one block per call.
        /// Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED, FC_ERROR_TASKS; not for a bad
        ///          pair.
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_query_pairs(fc_pair* pairs, uint pair_count, fc_query_desc* desc, fc_contact* contacts, uint capacity, uint* offsets, int* statuses);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_sweep_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_sweep_desc_init(fc_sweep_desc* desc, uint struct_size);

        /// <summary>
        /// Finds the first time at which two moving objects touch. Returns FC_NO_HIT if they do not; `*hit` is then not written.
        ///
        /// Each object moves from its start pose to its end pose: its centre of mass on a straight line, turning about it at constant
        /// angular velocity by the smaller angle. The time is never later than the true one; it is early by the time that the objects
        /// take to cross the tolerance, about 1e-5 of the step if they meet head-on, more if they graze.
        ///
        /// Objects that overlap by more than the margin at the start meet at time 0, with their deepest contact. Those that only
        /// touch there meet at time 0 if they close in. If they part or slide, the sweep goes on, and they meet when they have sunk in by
        /// another tenth of the margin. Swapping A and B changes the sign of the normal and nothing else.
        ///
        /// Units    metres; poses are object to world, positions in double; time from 0 to 1.
        /// Owner    buffers stay yours; no pointer is kept.
        /// Threads  beside any other call.
        /// Memory   no heap allocation once both objects have been swept. Objects whose convex hulls touch where they themselves do not
        ///          build their surface on first use, some milliseconds per fragment, and keep it.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, a pose that is not finite or not a rotation, a margin or a
        ///          tolerance that is NaN), FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_sweep_pair(fc_object a, fc_pose* start_a, fc_pose* end_a, fc_object b, fc_pose* start_b, fc_pose* end_b, fc_sweep_desc* desc, fc_sweep_hit* hit);

        /// <summary>
        /// Finds the first time at which a moving object, A, and a moving simple shape, B, touch. The shape turns about the origin of its
        /// frame. Everything else is as in fc_sweep_pair.
        ///
        /// Fails    also with FC_ERROR_INVALID_ARGUMENT for a shape given by a field, whose surface is not known.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_sweep_shape(fc_object a, fc_pose* start_a, fc_pose* end_a, fc_shape* shape, fc_pose* start_shape, fc_pose* end_shape, fc_sweep_desc* desc, fc_sweep_hit* hit);

        /// <summary>
        /// Sweeps many pairs, in parallel on the task hook. Each pair gives the same hit as with fc_sweep_pair; `hits[k]` is that of
        /// sweep k. Pairs that do not touch have time 2, later than any hit, and zeros.
        ///
        /// `statuses[k]` (may be NULL) is FC_OK, FC_NO_HIT, or the error of a pair that failed; its time is 2 too. The call then returns
        /// FC_SOME_FAILED, and fc_last_error() describes the first failure. Misses alone give FC_OK. The same sweeps give the same hits
        /// for any number of threads.
        ///
        /// Owner    buffers stay yours; no pointer is kept.
        /// Threads  beside any other call.
        /// Memory   no heap allocation in a warm call; with fc_set_threads one block per call.
        /// Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED, FC_ERROR_TASKS; not for a bad
        ///          pair.
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_sweep_pairs(fc_sweep* sweeps, uint count, fc_sweep_desc* desc, fc_sweep_hit* hits, int* statuses);

        /// <summary>
        /// Finds the distance of two objects and their closest points. Returns FC_NO_HIT if they are farther apart than `range`, which
        /// may be infinite; `*closest` is then not written. A small range is faster: the search ends as soon as it is exceeded.
        ///
        /// Units    metres; poses are object to world, positions in double.
        /// Threads  beside any other call.
        /// Memory   no heap allocation once both objects have been measured. Objects whose hulls are closest where they themselves are
        ///          not build their surface on first use, some milliseconds per fragment, and keep it.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, a pose that is not finite or not a rotation, a range that is
        ///          negative or NaN), FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_distance_pair(fc_object a, fc_pose* pose_a, fc_object b, fc_pose* pose_b, double range, fc_distance* closest);

        /// <summary>
        /// Finds the distance of an object, A, and a simple shape, B, and their closest points. Everything else is as in
        /// fc_distance_pair.
        ///
        /// Fails    also with FC_ERROR_INVALID_ARGUMENT for a shape given by a field, whose surface is not known.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_distance_shape(fc_object a, fc_pose* pose_a, fc_shape* shape, fc_pose* pose_shape, double range, fc_distance* closest);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_scene_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_scene_desc_init(fc_scene_desc* desc, uint struct_size);

        /// <summary>
        /// Creates an empty scene: bodies of triangles that move, split and merge, and collide with each other and with
        /// themselves. In a frame: change it (fc_scene_move, fc_scene_split, ...), update it, query it.
        ///
        /// Unlike everything else here, a scene changes. At any time either one call may change it (add, delete, split, merge,
        /// move, update), or any number of calls may read it; a call at another time returns FC_ERROR_WRONG_TIME and does
        /// nothing. No call waits. A change that fails leaves the scene as it was, with one exception: a call that changes it
        /// and returns FC_ERROR_INTERNAL or FC_ERROR_TASKS has left it half changed, and all calls but fc_scene_destroy return
        /// FC_ERROR_INTERNAL from then on. Changes that cannot be undone do not fail for lack of memory: they are made, and
        /// return FC_LOW_MEMORY.
        ///
        /// Owner    release it with fc_scene_destroy, which also ends its bodies.
        /// Threads  beside any other call.
        /// Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_create(fc_scene_desc* desc, fc_scene* scene);

        /// <summary>
        /// Destroys a scene and its bodies. Calls that are running on it finish safely.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_destroy(fc_scene scene);

        /// <summary>
        /// Begins a step and makes a scene ready for queries. Call it once per frame, after all other changes: a body that was
        /// not moved since the last update is at rest in this step, even if it moved in the last one.
        ///
        /// With FC_UPDATE_CONTINUOUS in `flags` the scene is ready for all queries: those of time of impact look at the motion
        /// from the positions at the last update to those of now. Without it, it is ready for the others.
        ///
        /// Threads  not beside any other call on the scene; uses the task hook.
        /// Cost     on one core about 11 ms for 100,000 triangles of bodies that moved, 13 ms with FC_UPDATE_CONTINUOUS;
        ///          fc_scene_get_info returns how long it took.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (an unknown flag), FC_ERROR_WRONG_TIME (another call on
        ///          the scene is running), FC_ERROR_TASKS (see fc_scene_create). May return FC_LOW_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_update(fc_scene scene, uint flags);

        /// <summary>
        /// Returns the properties of a scene and the statistics of its last update.
        ///
        /// Threads  beside queries of the scene; not beside a call that changes it.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_WRONG_TIME (a call that changes the scene is
        ///          running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_get_info(fc_scene scene, fc_scene_info* info);

        /// <summary>Fills a mesh of `struct_size` bytes with the defaults; use fc_body_mesh_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_body_mesh_init(fc_body_mesh* mesh, uint struct_size);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_body_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_body_desc_init(fc_body_desc* desc, uint struct_size);

        /// <summary>
        /// Adds a body to a scene. It is at rest until it is moved.
        ///
        /// Owner    the mesh stays yours and is copied; the body ends with fc_scene_delete, or with its scene.
        /// Threads  not beside any other call on the scene.
        /// Cost     builds a tree: about 17 ms for 100,000 triangles.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (also a position that is not finite, or farther than
        ///          1e9 m from the scene's origin), FC_ERROR_INVALID_MESH (an index out of range, a triangle that uses a vertex
        ///          twice, no triangles), FC_ERROR_TOO_LARGE, FC_ERROR_OUT_OF_MEMORY (the scene has the bodies that it had, but
        ///          must be updated before a query), FC_ERROR_UNSUPPORTED, FC_ERROR_WRONG_TIME (another call on the scene is
        ///          running).
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_add(fc_scene scene, fc_body_mesh* mesh, fc_body_desc* desc, fc_body* body);

        /// <summary>
        /// Adds the collision surface of an object in a pose, as fc_object_surface returns it: vertices and triangles have the
        /// same numbers. Everything else is as in fc_scene_add.
        ///
        /// Cost     that of fc_object_surface, and of fc_scene_add.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_add_object(fc_scene scene, fc_object @object, fc_pose* at, fc_body_desc* desc, fc_body* body);

        /// <summary>
        /// Adds the render mesh of an object in a pose, as fc_object_drawing returns it, always with FC_BODY_WELD. Everything
        /// else is as in fc_scene_add.
        ///
        /// Cost     that of fc_object_drawing, and of fc_scene_add.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_add_drawing(fc_scene scene, fc_object @object, fc_pose* at, fc_body_desc* desc, fc_body* body);

        /// <summary>
        /// Deletes a body of a scene.
        ///
        /// Threads  not beside any other call on the scene.
        /// Fails    FC_ERROR_INVALID_HANDLE (also a body that is not in the scene), FC_ERROR_WRONG_TIME (another call on the
        ///          scene is running). May return FC_LOW_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_delete(fc_scene scene, fc_body body);

        /// <summary>
        /// Replaces a body by parts, which may have new vertices and triangles, and ends it. Parts collide as the body did. So
        /// that they do not collide along the cut at once, vertices of different parts at the same position count as one
        /// vertex, until the end of the first step in which a part moves.
        ///
        /// Sets `bodies[k]` to the body of `parts[k]`; all parts have the same struct_size.
        /// Owner    the parts stay yours and are copied.
        /// Threads  not beside any other call on the scene.
        /// Cost     about one and a half times that of adding the parts.
        /// Fails    FC_ERROR_INVALID_HANDLE (also a body that is not in the scene), FC_ERROR_INVALID_ARGUMENT (also no parts),
        ///          FC_ERROR_INVALID_MESH (also a source that the body does not have), FC_ERROR_TOO_LARGE,
        ///          FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED, FC_ERROR_WRONG_TIME (another call on the scene is running).
        ///          May return FC_LOW_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_split(fc_scene scene, fc_body body, fc_body_mesh* parts, uint part_count, fc_body* bodies);

        /// <summary>
        /// Splits a body along edges: `labels[t]` is the part of triangle t. Parts are numbered from 0 without gaps.
        ///
        /// Sets `bodies[k]` to the body of part k, and `*count` to the number of parts. A part has the triangles with its label
        /// and the vertices that they use, both in the order of the body (a body with FC_BODY_WELD has one vertex for each
        /// position, in the order in which positions first occur). Everything else is as in fc_scene_split.
        /// Fails    as fc_scene_split; FC_ERROR_CAPACITY (more parts than `capacity`: `*count` is set to their number, nothing is
        ///          changed), FC_ERROR_INVALID_ARGUMENT (also if `triangle_count` is not that of the body, or a number is not
        ///          used by any triangle).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_split_by_labels(fc_scene scene, fc_body body, uint* labels, uint triangle_count, fc_body* bodies, uint capacity, uint* count);

        /// <summary>
        /// Replaces bodies by one, which collides as the first of them did, and ends them.
        ///
        /// `mesh` is the mesh of the new body. NULL: all triangles of the bodies, one body after the other; vertices at the same
        /// position become one, numbered in the order in which positions first occur. The bodies must then hang together by
        /// such vertices.
        /// Owner    the mesh stays yours and is copied.
        /// Threads  not beside any other call on the scene.
        /// Cost     that of fc_scene_add.
        /// Fails    FC_ERROR_INVALID_HANDLE (also a body that is not in the scene), FC_ERROR_INVALID_ARGUMENT (also no bodies, a
        ///          body that is listed twice, or without `mesh` one that shares no vertex with the others),
        ///          FC_ERROR_INVALID_MESH, FC_ERROR_TOO_LARGE, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED,
        ///          FC_ERROR_WRONG_TIME (another call on the scene is running). May return FC_LOW_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_merge(fc_scene scene, fc_body* bodies, uint body_count, fc_body_mesh* mesh, fc_body* merged);

        /// <summary>
        /// Moves a body: new positions for all its vertices, three floats each, metres, world axes, relative to the scene's
        /// origin. They are where the body is at the end of the step that the next fc_scene_update begins; it starts where the
        /// body was at the last one. Moving a body twice before an update counts as once, with the last positions.
        ///
        /// `stride` is in bytes from one position to the next; 0: tightly packed.
        /// Owner    the positions stay yours and are copied.
        /// Threads  not beside any other call on the scene.
        /// Memory   no heap allocation.
        /// Fails    FC_ERROR_INVALID_HANDLE (also a body that is not in the scene), FC_ERROR_INVALID_ARGUMENT (another number of
        ///          vertices than the body has, a position that is not finite or farther than 1e9 m from the scene's origin),
        ///          FC_ERROR_WRONG_TIME (another call on the scene is running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_move(fc_scene scene, fc_body body, float* positions, uint vertex_count, uint stride);

        /// <summary>The same with three doubles per vertex, world space.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_move_double(fc_scene scene, fc_body body, double* positions, uint vertex_count, uint stride);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_ccd_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_ccd_desc_init(fc_ccd_desc* desc, uint struct_size);

        /// <summary>
        /// Returns the first time at which a vertex meets a triangle, while all four points move along straight lines. `start`
        /// and `end` are twelve doubles each: the vertex, then the corners of the triangle, at time 0 and at time 1.
        ///
        /// Conservative: no collision is missed, and the time is never later than the true one, whatever rounding does. Returns
        /// FC_NO_HIT if they do not meet; `*time` is then not written.
        /// Units    any; all points in the same.
        /// Threads  beside any other call.
        /// Memory   no heap allocation in a warm call.
        /// Fails    FC_ERROR_INVALID_ARGUMENT (NULL, a coordinate that is not finite or above 1e100, an option out of range),
        ///          FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_ccd_vertex_face(double* start, double* end, fc_ccd_desc* desc, double* time);

        /// <summary>The same for two edges: `start` and `end` have the ends of the first, then those of the second.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_ccd_edge_edge(double* start, double* end, fc_ccd_desc* desc, double* time);

        /// <summary>
        /// Finds all pairs of triangles that intersect at the end of the step, between bodies and within them. The decision is
        /// exact. Triangles of one body that share vertices collide if they have more than those in common.
        ///
        /// Writes at most `capacity` pairs and sets `*count` to the number found; FC_INCOMPLETE if that is more, and the pairs
        /// written are valid. The order is the same on every run and for any number of threads. Calling again with a larger
        /// buffer repeats the query.
        ///
        /// Owner    buffers stay yours; no pointer is kept.
        /// Threads  beside other queries of the scene; not beside a call that changes it. Uses the task hook.
        /// Memory   the thread keeps its list of results; some small blocks per call.
        /// Cost     grows with the triangles that are near each other; fc_scene_get_stats returns what was done.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, an unknown flag), FC_ERROR_OUT_OF_MEMORY,
        ///          FC_ERROR_TASKS, FC_ERROR_WRONG_TIME (the scene was changed since its last update, or a call that changes it
        ///          is running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_query_discrete(fc_scene scene, uint flags, fc_overlap* pairs, uint capacity, uint* count);

        /// <summary>
        /// Finds all vertices that meet triangles and edges that meet edges during the step, each with its first time, between
        /// bodies and within them. Vertices move along straight lines, from where they were at the update before to where they
        /// were at the last.
        ///
        /// Conservative: no collision is missed, and no time is later than the true one; features that come within
        /// `desc-&gt;tolerance` of each other may be reported as well. Features that meet at the start of the step have time 0.
        /// Everything else is as in fc_scene_query_discrete.
        /// Fails    as fc_scene_query_discrete; FC_ERROR_WRONG_TIME also if the last update was without FC_UPDATE_CONTINUOUS.
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_query_continuous(fc_scene scene, fc_ccd_desc* desc, fc_impact* impacts, uint capacity, uint* count);

        /// <summary>
        /// Returns the first impact of the step: all bodies may move up to its time without touching. Of several at the same
        /// time, always the same. Returns FC_NO_HIT if nothing meets; `*impact` is then not written.
        ///
        /// Threads  beside other queries of the scene; not beside a call that changes it. Uses the task hook.
        /// Cost     less than fc_scene_query_continuous: later impacts are not computed.
        /// Fails    as fc_scene_query_continuous.
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_first_impact(fc_scene scene, fc_ccd_desc* desc, fc_impact* impact);

        /// <summary>
        /// Finds all vertices near triangles and edges near edges at the end of the step: those whose distance is at most
        /// `distance` plus the thicknesses of both bodies, between bodies and within them. For cloth and shells, which have a
        /// thickness and no volume. Features that share a vertex are not near each other.
        ///
        /// Everything else is as in fc_scene_query_discrete.
        /// Fails    as fc_scene_query_discrete; FC_ERROR_INVALID_ARGUMENT also for a distance that is negative or NaN.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_query_proximity(fc_scene scene, double distance, fc_proximity* proximities, uint capacity, uint* count);

        /// <summary>
        /// Finds the contacts between a scene and an object in a pose: for each triangle that is in the object or within
        /// `margin` of it, at the end of the step, its deepest point. Triangles whose deepest point is a common vertex have one
        /// contact together. Bodies without a bit of `mask` in their category are left out.
        ///
        /// Writes at most `capacity` contacts and sets `*count` to the number found; FC_INCOMPLETE if that is more, and the
        /// contacts written are valid. The order is the same on every run.
        ///
        /// Owner    buffers stay yours; no pointer is kept.
        /// Threads  beside other queries of the scene; not beside a call that changes it.
        /// Memory   the thread keeps its list of results; a few small blocks per triangle.
        /// Cost     some hundred distances per triangle near the object.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, a pose that is not finite or not a rotation, a
        ///          margin that is negative or NaN), FC_ERROR_OUT_OF_MEMORY, FC_ERROR_WRONG_TIME (the scene was changed since
        ///          its last update, or a call that changes it is running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_query_object(fc_scene scene, fc_object @object, fc_pose* at, double margin, uint mask, fc_scene_contact* contacts, uint capacity, uint* count);

        /// <summary>
        /// Returns the first hit of a ray with a triangle of a scene, from either side, at the end of the step, within
        /// `max_distance`, of bodies with a bit of `mask` in their category. Returns FC_NO_HIT if there is none; `*hit` is then
        /// not written. Of several at the same distance, always the same.
        ///
        /// Threads  beside other queries of the scene; not beside a call that changes it.
        /// Memory   a few small blocks per call.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (a direction of length zero), FC_ERROR_OUT_OF_MEMORY,
        ///          FC_ERROR_WRONG_TIME (the scene was changed since its last update, or a call that changes it is running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_ray_cast(fc_scene scene, double* origin, float* direction, double max_distance, uint mask, fc_scene_hit* hit);

        /// <summary>
        /// Returns the statistics of this thread's last successful discrete, continuous or proximity query of a scene.
        ///
        /// Fails    FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_scene_get_stats(fc_scene_stats* stats);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_soft_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_soft_desc_init(fc_soft_desc* desc, uint struct_size);

        /// <summary>
        /// Creates a soft body: tetrahedra whose nodes you move in every step, and that you may cut. It is ready for queries. In
        /// a step: set positions, cut, update, query. For penalty forces (fc_query_soft_pair) and for depths. Contacts of a body
        /// with itself are not found: for these see fc_scene_create.
        ///
        /// Like a scene, a soft body changes. At any time either one call may change it (set positions, set tetrahedra, update),
        /// or any number of calls may read it; a call at another time returns FC_ERROR_WRONG_TIME and does nothing. No call
        /// waits. A change that fails leaves the body as it was, with one exception: a call that changes it and returns
        /// FC_ERROR_INTERNAL has left it half changed, and all calls but fc_soft_destroy return FC_ERROR_INTERNAL from then on.
        /// A change that has begun does not fail for lack of memory: it is made, and returns FC_LOW_MEMORY.
        ///
        /// Owner    release it with fc_soft_destroy; the arrays stay yours and are copied.
        /// Threads  beside any other call.
        /// Cost     about 6 ms for 10,000 tetrahedra.
        /// Fails    FC_ERROR_INVALID_ARGUMENT (also a position that is not finite, or farther than 1e9 m from the world's
        ///          origin), FC_ERROR_INVALID_MESH (an index out of range, a tetrahedron without volume or with a node twice, more
        ///          than two tetrahedra at a face, no tetrahedra), FC_ERROR_TOO_LARGE, FC_ERROR_OUT_OF_MEMORY,
        ///          FC_ERROR_UNSUPPORTED.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_soft_create(fc_soft_desc* desc, fc_soft* soft);

        /// <summary>
        /// Destroys a soft body. Calls that are running on it finish safely.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_soft_destroy(fc_soft soft);

        /// <summary>
        /// Sets new positions of all nodes: three floats each, metres, world axes, relative to the body's origin. They are
        /// copied, and used from the next fc_soft_update on.
        ///
        /// `stride` is the number of bytes from one position to the next; 0: tightly packed.
        /// Threads  not beside any other call on the body.
        /// Memory   no heap allocation.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, a count that is not that of the nodes, a position
        ///          that is not finite or farther than 1e9 m from the world's origin), FC_ERROR_WRONG_TIME (another call on the
        ///          body is running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_soft_set_positions(fc_soft soft, float* positions, uint count, uint stride);

        /// <summary>As fc_soft_set_positions, with three doubles per node, in world space.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_soft_set_positions_double(fc_soft soft, double* positions, uint count, uint stride);

        /// <summary>
        /// Cuts a soft body: adds nodes after those that there are (three doubles each, world space; most of them doubles of old
        /// ones), and gives some tetrahedra other corners, or removes them. Only faces of these are looked at again. Parts that
        /// come apart stay one body. Used from the next fc_soft_update on.
        ///
        /// Threads  not beside any other call on the body.
        /// Cost     grows with the changes; the next update also builds its trees anew.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (also a tetrahedron that is changed twice, or an index
        ///          beyond the next new one), FC_ERROR_INVALID_MESH (as fc_soft_create), FC_ERROR_TOO_LARGE,
        ///          FC_ERROR_OUT_OF_MEMORY (the changes could not be copied; nothing was changed), FC_ERROR_WRONG_TIME (another
        ///          call on the body is running). May return FC_LOW_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_soft_set_tets(fc_soft soft, fc_tet_change* changes, uint change_count, double* nodes, uint node_count);

        /// <summary>
        /// Makes a soft body ready for queries at its new positions.
        ///
        /// Threads  not beside any other call on the body.
        /// Memory   no heap allocation, unless it was cut.
        /// Cost     about 0.14 ms for 10,000 tetrahedra, after a cut 3 ms; fc_soft_get_info returns how long it took.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_WRONG_TIME (another call on the body is running). May return
        ///          FC_LOW_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_soft_update(fc_soft soft);

        /// <summary>
        /// Returns the properties of a soft body, and what its last update found.
        ///
        /// Threads  beside queries of the body; not beside a call that changes it.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_WRONG_TIME (a call that changes the body is
        ///          running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_soft_get_info(fc_soft soft, fc_soft_info* info);

        /// <summary>
        /// Returns the boundary of a soft body: three node indices per triangle, counter-clockwise seen from outside.
        ///
        /// Writes as many triangles as fit, and sets `*count` to their total number; FC_INCOMPLETE if that is more. After a cut,
        /// those of the cut, whether it was updated or not.
        /// Threads  beside queries of the body; not beside a call that changes it.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_WRONG_TIME (a call that changes the body is
        ///          running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_soft_boundary(fc_soft soft, uint* triangles, uint capacity, uint* count);

        /// <summary>
        /// Returns the depths of nodes: their distances to the boundary, 0 on it.
        ///
        /// `method` is one of FC_DEPTHS_*. `depths[k]` is that of `nodes[k]`, or, if `nodes` is NULL, of node k: `count` is then
        /// the number of all nodes. The fewer are asked for, the less is done (see docs/formulations/penalty.md).
        /// Threads  beside other queries of the body; not beside a call that changes it.
        /// Memory   no heap allocation once this thread has handled a body of that size.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, an unknown method, a node that the body does not
        ///          have), FC_ERROR_OUT_OF_MEMORY, FC_ERROR_WRONG_TIME (the body was changed since its last update, or a call that
        ///          changes it is running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_soft_depths(fc_soft soft, uint method, uint* nodes, uint count, double* depths);

        /// <summary>
        /// Returns the signed distance from a world-space point to the boundary of a soft body: negative inside. `outward`
        /// receives the unit direction out of the body, world axes; it may be NULL.
        ///
        /// Threads  beside other queries of the body; not beside a call that changes it.
        /// Memory   no heap allocation once this thread has done so before.
        /// Cost     a few microseconds near the boundary of 10,000 tetrahedra.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_WRONG_TIME (the body was
        ///          changed since its last update, or a call that changes it is running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_soft_signed_distance(fc_soft soft, double* point, double* distance, float* outward);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_penalty_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_penalty_desc_init(fc_penalty_desc* desc, uint struct_size);

        /// <summary>
        /// Finds what pushes two soft bodies apart (Marchal 2004): edges or nodes of each within tetrahedra of the other, with
        /// depths, directions, and nodes and weights of both sides.
        ///
        /// Edges are felt where no node is inside, such as two bodies that cross edge to edge. Depth is linear within each
        /// tetrahedron, from the depths of its nodes; where all four are on the boundary, it is measured.
        ///
        /// Writes at most `capacity` penalties and sets `*count` to the number found; FC_INCOMPLETE if that is more, and those
        /// written are valid. The order is the same on every run. Calling again with a larger buffer repeats the query.
        ///
        /// Owner    buffers stay yours; no pointer is kept.
        /// Threads  beside other queries of both bodies; not beside a call that changes one of them.
        /// Memory   no heap allocation once this thread has handled as many penalties of bodies as large.
        /// Cost     grows with the tetrahedra that are penetrated; fc_penalty_get_stats returns their number.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (NULL, an option out of range), FC_ERROR_OUT_OF_MEMORY,
        ///          FC_ERROR_UNSUPPORTED, FC_ERROR_WRONG_TIME (a body was changed since its last update, or a call that changes
        ///          it is running).
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_query_soft_pair(fc_soft a, fc_soft b, fc_penalty_desc* desc, fc_penalty* penalties, uint capacity, uint* count);

        /// <summary>
        /// Finds what pushes a soft body and an object apart: edges or nodes of the soft body in the object, measured in its
        /// distance field at eighths of an edge, and edges or vertices of the object's surface in the soft body. Everything else
        /// is as in fc_query_soft_pair, with the soft body as the first.
        ///
        /// Memory   the first query builds the object's surface, which the object keeps, unless `desc-&gt;penetrating[1]` is
        ///          FC_PENETRATING_NOTHING.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_query_soft_object(fc_soft soft, fc_object @object, fc_pose* at, fc_penalty_desc* desc, fc_penalty* penalties, uint capacity, uint* count);

        /// <summary>
        /// Finds what pushes a soft body and a simple shape apart: edges or nodes of the soft body in the shape, and edges or
        /// corners of the shape in the soft body. Everything else is as in fc_query_soft_pair, with the soft body as the first.
        ///
        /// A probe: a ball with `desc-&gt;penetrating` FC_PENETRATING_NOTHING and FC_PENETRATING_POINTS gives one penalty, at the
        /// closest point of the boundary, wherever it touches.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_query_soft_shape(fc_soft soft, fc_shape* shape, fc_pose* at, fc_penalty_desc* desc, fc_penalty* penalties, uint capacity, uint* count);

        /// <summary>
        /// Finds what pushes triangles out of a soft body: cloth, a floor, any surface, open or closed. It has no inside, so
        /// edges or vertices of the triangles in the soft body are all that is looked for (`desc-&gt;penetrating[1]`; the first is
        /// not used). Positions in single precision are relative to the body's origin; `mesh-&gt;sources` is not used. Everything
        /// else is as in fc_query_soft_pair, with the soft body as the first.
        /// Fails    as fc_query_soft_pair; FC_ERROR_INVALID_MESH (an index out of range), FC_ERROR_TOO_LARGE.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_query_soft_triangles(fc_soft soft, fc_body_mesh* mesh, fc_penalty_desc* desc, fc_penalty* penalties, uint capacity, uint* count);

        /// <summary>
        /// Returns the statistics of this thread's last successful query of penalties.
        ///
        /// Fails    FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_penalty_get_stats(fc_penalty_stats* stats);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_voxtree_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_voxtree_desc_init(fc_voxtree_desc* desc, uint struct_size);

        /// <summary>
        /// Creates a tree of cubes of one size per level from a closed surface, or from densities such as volume data (VoxTree,
        /// Dingliana and O'Sullivan 2004). fc_query_voxtrees finds contacts of two trees, as far as a budget allows.
        ///
        /// Units    metres, in the body's frame.
        /// Owner    arrays stay yours; no pointer is kept. Destroy the tree with fc_voxtree_destroy.
        /// Threads  beside any other call.
        /// Cost     about 15 ms for 32 cubes along a side, 60 ms for 64; much of it for groups.
        /// Fails    FC_ERROR_INVALID_ARGUMENT (no surface and no densities, or both; a number of densities that is not that of the
        ///          cubes; a density that is not from 0 to 1; a surface that holds nothing), FC_ERROR_TOO_LARGE,
        ///          FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_voxtree_create(fc_voxtree_desc* desc, fc_voxtree* tree);

        /// <summary>
        /// Creates a tree of an object, intact or a fragment, in its frame. Each crack towards another fragment is a group.
        ///
        /// Of `desc`, which may be NULL for the defaults, flags, cells, branching and group_angle count; surface and densities must
        /// be NULL. With FC_VOXTREE_EXACT the tree keeps the object's data alive.
        /// Owner    destroy the tree with fc_voxtree_destroy; it may outlive the object.
        /// Threads  beside any other call.
        /// Cost     as fc_voxtree_create; grows with the object's own size, not with that of the body it was broken from.
        /// Fails    as fc_voxtree_create, and FC_ERROR_INVALID_HANDLE.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_voxtree_from_object(fc_object @object, fc_voxtree_desc* desc, fc_voxtree* tree);

        /// <summary>
        /// Destroys a tree. Calls that are running on it finish safely.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_voxtree_destroy(fc_voxtree tree);

        /// <summary>
        /// Returns the properties of a tree.
        ///
        /// Threads  beside any other call.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_voxtree_get_info(fc_voxtree tree, fc_voxtree_info* info);

        /// <summary>
        /// Serializes a tree; `*size`, `bytes` and `capacity` are as in fc_asset_save. An exact finest level is not included.
        ///
        /// Threads  beside any other call.
        /// Fails    as fc_asset_save.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_voxtree_save(fc_voxtree tree, byte* bytes, ulong capacity, ulong* size);

        /// <summary>
        /// Loads a tree that fc_voxtree_save saved, identical to it bit for bit. Unless `object` is the null handle, it becomes
        /// exact with the samples and the field of that object, which must be the one that it was made of.
        ///
        /// Safe for untrusted files: all bytes are validated.
        /// Owner    the bytes stay yours. Destroy the tree with fc_voxtree_destroy.
        /// Threads  beside any other call.
        /// Fails    FC_ERROR_INVALID_DATA (the text gives the reason), FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT,
        ///          FC_ERROR_OUT_OF_MEMORY.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_voxtree_load(byte* bytes, ulong size, fc_object @object, fc_voxtree* tree);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_voxtree_query_desc_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_voxtree_query_desc_init(fc_voxtree_query_desc* desc, uint struct_size);

        /// <summary>
        /// Finds contacts of two trees, dividing pairs of cubes until nothing is left, or the budget, the level or the deadline of
        /// `desc` ends it (VoxTree, Dingliana and O'Sullivan 2004). Interrupted, it returns FC_INTERRUPTED and the contacts of what
        /// overlaps so far, which mean *maybe*: cubes overlap that may hold nothing there.
        ///
        /// Writes at most `capacity` contacts, the likeliest first, and sets `*count` to the number found; FC_INCOMPLETE if that is
        /// more. Without exact finest levels depths are estimates, good to half a finest cube; of cubes that may be divided they are
        /// never negative. `feature`: bits 28 to 30 are 1, bits 14 to 27 the group of A, bits 0 to 13 that of B (0x3fff: a cube of
        /// several).
        ///
        /// `refinement` may be NULL. Else the query goes on from it, unless its `tests` are 0, and puts into it how far it came.
        /// fc_query_get_stats returns tests as `work`.
        ///
        /// Units    metres; poses are object to world, positions in double.
        /// Owner    buffers stay yours; no pointer is kept.
        /// Threads  beside any other call.
        /// Memory   no heap allocation once this thread has handled as many pairs; at most 1,048,576 pairs (then interrupted).
        /// Cost     some forty nanoseconds a test.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (also a refinement whose counts exceed its capacity),
        ///          FC_ERROR_WRONG_TIME (called by a deadline function), FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
        ///
        /// `desc` may be NULL for the defaults.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_query_voxtrees(fc_voxtree a, fc_pose* pose_a, fc_voxtree b, fc_pose* pose_b, fc_voxtree_query_desc* desc, fc_refinement* refinement, fc_contact* contacts, uint capacity, uint* count);

        /// <summary>Fills a descriptor of `struct_size` bytes with the defaults; use fc_debug_draw_default().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern void fc_debug_draw_init(fc_debug_draw* draw, uint struct_size);

        /// <summary>
        /// Draws what `draw-&gt;flags` selects of an object in a pose.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_draw_object(fc_object @object, fc_pose* at, fc_debug_draw* draw);

        /// <summary>
        /// Draws contacts: a cross at each, its normal, and its depth as text. `origin` is the world position that their
        /// points are relative to (for fc_query_pair without FC_QUERY_ORIGIN: A's position).
        ///
        /// Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_UNSUPPORTED.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_draw_contacts(fc_contact* contacts, uint count, double* origin, fc_debug_draw* draw);

        /// <summary>
        /// Draws what `draw-&gt;flags` selects of a scene: FC_DRAW_SURFACE, the triangles at the end of the step;
        /// FC_DRAW_BOUNDS and FC_DRAW_BOXES, boxes as of the last update (none of a body that is newer). Other flags have no
        /// meaning for it.
        ///
        /// Threads  beside queries of the scene; not beside a call that changes it.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED,
        ///          FC_ERROR_WRONG_TIME (a call that changes the scene is running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_draw_scene(fc_scene scene, fc_debug_draw* draw);

        /// <summary>
        /// Draws what `draw-&gt;flags` selects of a soft body: FC_DRAW_SURFACE, its boundary; FC_DRAW_BOUNDS and FC_DRAW_BOXES, boxes
        /// of its tetrahedra as of the last update. Other flags have no meaning for it.
        ///
        /// Threads  beside queries of the body; not beside a call that changes it.
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED,
        ///          FC_ERROR_WRONG_TIME (a call that changes the body is running).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_draw_soft(fc_soft soft, fc_debug_draw* draw);

        /// <summary>
        /// Draws what `draw-&gt;flags` selects of a tree of cubes in a pose: FC_DRAW_BOUNDS, the cube around all; FC_DRAW_BOXES, the
        /// cubes of a level, coloured by their groups, with the density as opacity. Other flags have no meaning for it.
        ///
        /// Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_draw_voxtree(fc_voxtree tree, fc_pose* at, fc_debug_draw* draw);

        /// <summary>
        /// Draws how far a refinement came (figure 9 of VoxTree): for each pair of cubes its normal, and for each contact that is made
        /// of them a cross, the normal and the depth. `desc` may be NULL; of it the flags count.
        ///
        /// Fails    as fc_query_voxtrees.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_draw_refinement(fc_voxtree a, fc_pose* pose_a, fc_voxtree b, fc_pose* pose_b, fc_voxtree_query_desc* desc, fc_refinement* refinement, fc_debug_draw* draw);

        /// <summary>
        /// Draws penalties: a cross at each, its direction, and its depth as text.
        ///
        /// Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_UNSUPPORTED.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern int fc_draw_penalties(fc_penalty* penalties, uint count, fc_debug_draw* draw);

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_asset_desc_default(fc_asset_desc* desc) { fc_asset_desc_init(desc, (uint)sizeof(fc_asset_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_object_desc_default(fc_object_desc* desc) { fc_object_desc_init(desc, (uint)sizeof(fc_object_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_convex_desc_default(fc_convex_desc* desc) { fc_convex_desc_init(desc, (uint)sizeof(fc_convex_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_fracture_desc_default(fc_fracture_desc* desc) { fc_fracture_desc_init(desc, (uint)sizeof(fc_fracture_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_shape_default(fc_shape* shape) { fc_shape_init(shape, (uint)sizeof(fc_shape)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_query_desc_default(fc_query_desc* desc) { fc_query_desc_init(desc, (uint)sizeof(fc_query_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_sweep_desc_default(fc_sweep_desc* desc) { fc_sweep_desc_init(desc, (uint)sizeof(fc_sweep_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_scene_desc_default(fc_scene_desc* desc) { fc_scene_desc_init(desc, (uint)sizeof(fc_scene_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_body_mesh_default(fc_body_mesh* mesh) { fc_body_mesh_init(mesh, (uint)sizeof(fc_body_mesh)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_body_desc_default(fc_body_desc* desc) { fc_body_desc_init(desc, (uint)sizeof(fc_body_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_ccd_desc_default(fc_ccd_desc* desc) { fc_ccd_desc_init(desc, (uint)sizeof(fc_ccd_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_soft_desc_default(fc_soft_desc* desc) { fc_soft_desc_init(desc, (uint)sizeof(fc_soft_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_penalty_desc_default(fc_penalty_desc* desc) { fc_penalty_desc_init(desc, (uint)sizeof(fc_penalty_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_voxtree_desc_default(fc_voxtree_desc* desc) { fc_voxtree_desc_init(desc, (uint)sizeof(fc_voxtree_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_voxtree_query_desc_default(fc_voxtree_query_desc* desc) { fc_voxtree_query_desc_init(desc, (uint)sizeof(fc_voxtree_query_desc)); }

        /// <summary>Fills it with the defaults.</summary>
        public static void fc_debug_draw_default(fc_debug_draw* draw) { fc_debug_draw_init(draw, (uint)sizeof(fc_debug_draw)); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_asset_info_default(fc_asset_info* info) { *info = default(fc_asset_info); info->struct_size = (uint)sizeof(fc_asset_info); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_object_info_default(fc_object_info* info) { *info = default(fc_object_info); info->struct_size = (uint)sizeof(fc_object_info); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_object_memory_default(fc_object_memory* memory) { *memory = default(fc_object_memory); memory->struct_size = (uint)sizeof(fc_object_memory); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_drawing_info_default(fc_drawing_info* info) { *info = default(fc_drawing_info); info->struct_size = (uint)sizeof(fc_drawing_info); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_fracture_info_default(fc_fracture_info* info) { *info = default(fc_fracture_info); info->struct_size = (uint)sizeof(fc_fracture_info); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_query_stats_default(fc_query_stats* stats) { *stats = default(fc_query_stats); stats->struct_size = (uint)sizeof(fc_query_stats); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_scene_info_default(fc_scene_info* info) { *info = default(fc_scene_info); info->struct_size = (uint)sizeof(fc_scene_info); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_scene_stats_default(fc_scene_stats* stats) { *stats = default(fc_scene_stats); stats->struct_size = (uint)sizeof(fc_scene_stats); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_soft_info_default(fc_soft_info* info) { *info = default(fc_soft_info); info->struct_size = (uint)sizeof(fc_soft_info); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_penalty_stats_default(fc_penalty_stats* stats) { *stats = default(fc_penalty_stats); stats->struct_size = (uint)sizeof(fc_penalty_stats); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_voxtree_info_default(fc_voxtree_info* info) { *info = default(fc_voxtree_info); info->struct_size = (uint)sizeof(fc_voxtree_info); }

        /// <summary>Prepares it as an output: sets its size and clears the rest.</summary>
        public static void fc_refinement_default(fc_refinement* refinement) { *refinement = default(fc_refinement); refinement->struct_size = (uint)sizeof(fc_refinement); }
    }
}
