/*
 * Fracas: collision detection for things that break.
 *
 * MIT or Apache-2.0. Generated from src/ffi/ by scripts/header; do not edit.
 *
 * The way of the data, in one direction:
 *
 *     surface or tetrahedra -> fc_asset -> fc_object -> fc_fracture -> more fc_object -> fc_object_drawing
 *                                              \             /
 *                                          fc_query_pair, fc_query_pairs, fc_query_shape -> fc_contact
 *
 * Ten lines of it (cpp_examples/ has whole programs, fracas.hpp the same in C++):
 *
 *     fc_asset_desc desc; fc_asset_desc_default(&desc);
 *     desc.positions = xyz;  desc.node_count = n;                      // cook once, when loading
 *     desc.tets = indices;   desc.tet_count = m;                       // or triangles of a closed surface
 *     fc_asset asset;        fc_asset_create(&desc, &asset);
 *     fc_object pot, floor;  fc_object_create(asset, NULL, &pot);      // one for each body of your world
 *     fc_query_pair(pot, &pose_pot, floor, &pose_floor, NULL, contacts, 16, &count);   // in your narrow phase
 *     fc_fracture_desc how;  fc_fracture_desc_default(&how);
 *     how.pattern = FC_PATTERN_RANDOM_VORONOI;  how.max_fragments = 32;
 *     fc_fracture(pot, &how, fragments, 32, &count, NULL);             // in a job, whenever you like
 *     fc_object_destroy(pot);                                          // at the end of your step
 *
 * Conventions
 *
 * Space     right-handed; metres, kilograms, radians. Positions in poses are double, so a world may be large; everything
 *           inside a body is relative to it. Bodies of a millimetre and of a kilometre behave alike: no tolerance is absolute.
 *           No place or length may be larger than 1e18 m, no coordinate of a mesh larger than 1e12 m; the radius of a body
 *           is from 1e-5 to 1e7 m.
 *           Quaternions are x, y, z, w. Triangles are counter-clockwise seen from outside.
 * Contacts  normals are unit length from B towards A; depth > 0 is overlap; the point is midway between both surfaces.
 * Handles   64 bits in a struct, 0 is none. A stale or foreign one is answered with FC_ERROR_INVALID_HANDLE. (That of a
 *           second copy of the library in one process cannot always be told from ours.)
 * Errors    every call that can fail returns fc_status: 0 done, > 0 done with a remark, < 0 failed; fc_last_error() says why
 *           in one sentence. NULL is checked everywhere; numbers are checked for NaN and range. Outputs are written only on
 *           success, and a failed call has changed nothing. What cannot be checked is that your pointers and counts are true.
 * Structs   that may grow carry their size: fill them with their _default() function, then set what you need. Programs
 *           compiled with older and with newer headers work, as long as they do not use what the library does not know.
 * Threads   assets, objects and hulls never change, so every call on them may run beside any other, without locks; destroying
 *           is an end, and a call that is running on a destroyed object finishes safely. fc_set_* and fc_shutdown are
 *           for the beginning and the end of the program.
 * Results   are the same, bit for bit, on every run and for every number of threads.
 * Buffers   are yours: capacity in, count out; ask with capacity 0 for the size.
 * Static    programs that link the static library need what fracas.pc and the CMake package name; on Windows define
 *           FC_STATIC.
 */
#ifndef FRACAS_H
#define FRACAS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(_WIN32) && !defined(FC_STATIC)
#define FC_API __declspec(dllimport)
#else
#define FC_API extern
#endif

/* For the few functions that live here: they know the size that your program was compiled with. */
#define FC_INLINE static inline

#ifdef __cplusplus
extern "C" {
#endif

/* Version --------------------------------------------------------------------------------------------------------- */

/** Version of this header. */
#define FC_VERSION_MAJOR 0
/** Version of this header. */
#define FC_VERSION_MINOR 1
/** Version of this header. */
#define FC_VERSION_PATCH 0
/** The binary interface. Only a break raises it; new functions and new fields at the end of descriptors do not. */
#define FC_ABI_VERSION 1

/** Version of the library that is running: major * 1000000 + minor * 1000 + patch. */
FC_API uint32_t fc_version(void);

/** The same as text, "0.1.0". Lives as long as the library. */
FC_API const char *fc_version_text(void);

/** The FC_ABI_VERSION of the library that is running. */
FC_API uint32_t fc_abi_version(void);

/**
 * Whether a program compiled against `abi_version` may use this library: 1 or 0. DepthQuery before anything else:
 * `assert(fc_abi_compatible(FC_ABI_VERSION))`.
 */
FC_API uint32_t fc_abi_compatible(uint32_t abi_version);

/* Results --------------------------------------------------------------------------------------------------------- */

/**
 * What became of a call: 0 done, > 0 done with a remark, < 0 failed (then nothing was changed and no output written,
 * unless the call says otherwise).
 */
typedef int32_t fc_status;

/** Done. */
#define FC_OK 0
/** Done; there is more than fits the buffer, and what was written is valid. */
#define FC_INCOMPLETE 1
/** Done; the pattern cut nothing, so the object as it was is the answer and no fragments were made. */
#define FC_UNCHANGED 2
/** Done; the ray hits nothing. */
#define FC_NO_HIT 3
/** Done, but for some pairs: each has its own status. */
#define FC_SOME_FAILED 4
/** NULL where there must be something, a number that is not finite or out of range, a pose that is not a rotation. */
#define FC_ERROR_INVALID_ARGUMENT (-1)
/** A handle that was destroyed, or never was one of this kind. */
#define FC_ERROR_INVALID_HANDLE (-2)
/** The mesh is not a solid; the text names the culprit. */
#define FC_ERROR_INVALID_MESH (-3)
/** More elements than the library can number. */
#define FC_ERROR_TOO_LARGE (-4)
/** The buffer holds less than the result, and a part of it would be of no use. */
#define FC_ERROR_CAPACITY (-5)
/** The allocator hook had no more memory. */
#define FC_ERROR_OUT_OF_MEMORY (-6)
/** A descriptor uses fields that this version of the library does not know. */
#define FC_ERROR_UNSUPPORTED (-7)
/** The call comes at the wrong time. */
#define FC_ERROR_WRONG_TIME (-8)
/** The task hook did not run the work that it was given, or not all of it. */
#define FC_ERROR_TASKS (-9)
/** A mistake in the library; please report the text. Nothing was changed. */
#define FC_ERROR_INTERNAL (-10)
/** Bytes that are not what was saved, damaged, or of another version; the text says which. */
#define FC_ERROR_INVALID_DATA (-11)

/** Name of a status ("FC_OK"), for logs. Lives as long as the library. */
FC_API const char *fc_status_name(fc_status status);

/**
 * One sentence on the last call of this thread that failed: what is wrong, where, and what to do. Never NULL; valid until
 * the next fc_ call of this thread.
 */
FC_API const char *fc_last_error(void);

/* Plain types and handles ----------------------------------------------------------------------------------------- */

/** "No such element", where a number is expected. */
#define FC_NONE 0xffffffffu

/** A cooked solid, shared by all objects made from it. Begins with fc_asset_create, ends with fc_asset_release. */
typedef struct fc_asset {
    /** 0 is no asset. */
    uint64_t id;
} fc_asset;

/** A rigid body, whole or a fragment. Begins with fc_object_create or fc_fracture, ends with fc_object_destroy. */
typedef struct fc_object {
    /** 0 is no object. */
    uint64_t id;
} fc_object;

/** Where a body is: from its frame to the world. */
typedef struct fc_pose {
    /** Metres. */
    double position[3];
    /** Unit quaternion x, y, z, w. A length within 0.001 of 1 is accepted and normalised. */
    float rotation[4];
} fc_pose;

/** An axis-aligned box, in metres. */
typedef struct fc_aabb {
    /** Lowest corner. */
    double min[3];
    /** Highest corner. */
    double max[3];
} fc_aabb;

/** What a solver needs to know of a body, in the object's frame. */
typedef struct fc_mass {
    /** Cubic metres. */
    double volume;
    /** Kilograms. */
    double mass;
    /** Centre of mass. */
    double centre[3];
    /**
     * Inertia about the centre of mass, in kg m²: xx, yy, zz, xy, yz, zx of the symmetric tensor (products of inertia
     * with the sign that they have in the tensor).
     */
    double inertia[6];
} fc_mass;

/** A convex hull to query against. Begins with fc_hull_create, ends with fc_hull_destroy. */
typedef struct fc_hull {
    /** 0 is no hull. */
    uint64_t id;
} fc_hull;

/** One contact. 32 bytes, no padding; this layout is frozen for the life of ABI 1. */
typedef struct fc_contact {
    /** Metres, world axes, from the query's origin (default: A's position); the midpoint of both surfaces. */
    float point[3];
    /** Metres; > 0 penetrating, < 0 a gap within the query's margin. */
    float depth;
    /** Unit, from B towards A: moving A by depth * normal resolves this contact. */
    float normal[3];
    /** Stable between frames and through fractures; key for warm starting. Bit 31: the sample is B's. See fc_object_feature. */
    uint32_t feature;
} fc_contact;

/* The library: hooks and shutdown --------------------------------------------------------------------------------- */

/** Log level: something failed that should not have. */
#define FC_LOG_ERROR 0
/** Log level: it works, but perhaps not as you expect. */
#define FC_LOG_WARNING 1
/** Log level: for your information. */
#define FC_LOG_INFO 2

/**
 * Returns `size` bytes aligned to `alignment` (a power of two, 16 or more), or NULL if there are none. Called by any
 * thread, at any time during fc_ calls and at the end of threads that made some. Must not call fc_ functions.
 */
typedef void *(*fc_alloc_fn)(size_t size, size_t alignment, void *user_data);

/** Takes back what fc_alloc_fn returned, with the same size and alignment. Called by any thread. Must not call fc_ functions. */
typedef void (*fc_free_fn)(void *block, size_t size, size_t alignment, void *user_data);

/**
 * Takes a message; it is gone when the function returns. Called by any thread, during the call that the message is about.
 * Must not call fc_ functions.
 */
typedef void (*fc_log_fn)(uint32_t level, const char *message, void *user_data);

/** Does the pieces of work [begin, end) of a task. SharedBreak by the library, called by the engine. */
typedef void (*fc_range_fn)(uint32_t begin, uint32_t end, void *task);

/**
 * Calls `run(begin, end, task)` over [0, count) in ranges of about `grain`, each number exactly once, on any threads, and
 * returns when all are done. How the ranges are cut changes no result. A thread that waits in it may do other work
 * meanwhile, fc_ calls included. Called by any thread that makes an fc_ call.
 */
typedef void (*fc_parallel_for_fn)(uint32_t count, uint32_t grain, fc_range_fn run, void *task, void *user_data);

/**
 * Has all memory come from the engine. NULL and NULL: from the system heap, the default.
 *
 * Every block of the library, on any thread, is asked of `alloc` and given back to `free`. If `alloc` returns NULL, the
 * request is served from the system heap, and the call that made it frees what it has begun and returns
 * FC_ERROR_OUT_OF_MEMORY; only if the system heap is exhausted too does the process abort. Not asked of the hook are a table
 * of 32 bytes for each handle alive at once, and a few bytes for each hook that is set. Blocks live until their handles are
 * gone, but working memory belongs to the threads that make fc_ calls, and goes with them (that of the thread that calls
 * fc_shutdown goes there); keep the functions alive until then.
 *
 * Fails    FC_ERROR_WRONG_TIME after the first call that uses memory (fc_set_log and the version calls do not), until
 *          fc_shutdown. FC_ERROR_INVALID_ARGUMENT if only one of the functions is NULL.
 */
FC_API fc_status fc_set_allocator(fc_alloc_fn alloc, fc_free_fn free, void *user_data);

/** Has warnings and reports of the library's own mistakes told to `log`. NULL: to nobody, the default. */
FC_API fc_status fc_set_log(fc_log_fn log, void *user_data);

/**
 * Has parallel work run on the engine's jobs. NULL: on the calling thread, the default.
 *
 * Cooking, fc_fracture and fc_query_pairs use it. Results are the same, bit for bit, wherever work runs. Calls that are
 * running stay where they are.
 * Fails    FC_ERROR_OUT_OF_MEMORY.
 */
FC_API fc_status fc_set_task_system(fc_parallel_for_fn parallel_for, void *user_data);

/**
 * Has parallel work run on threads of the library's own, for programs that have no job system. 0 or 1: on the calling
 * thread, the default. Replaces what fc_set_task_system set, and the other way round. Returns when threads that are no
 * longer wanted have ended.
 *
 * Fails    FC_ERROR_INVALID_ARGUMENT (more than 256), FC_ERROR_TOO_LARGE (the system has no more), FC_ERROR_OUT_OF_MEMORY.
 */
FC_API fc_status fc_set_threads(uint32_t count);

/** How many handles are alive, of all kinds: 0 when everything was destroyed. */
FC_API uint32_t fc_live_handles(void);

/**
 * Ends everything: all handles, all threads of the library's own, the working memory of this thread, all hooks. After it the
 * library is as if it had just been loaded, may be used again, or unloaded. Old handles stay invalid.
 *
 * Calls that are running on other threads finish safely, but threads of the library's own end, and memory is given back, only
 * with them: let them finish first. `leaked_handles` is set to the number of handles that were still alive; it may be NULL.
 */
FC_API fc_status fc_shutdown(uint32_t *leaked_handles);

/* Assets: cook once ----------------------------------------------------------------------------------------------- */

/**
 * Warning: some wall is thinner than four cells of the distance grid, so depths in it come out too small. Raise
 * grid_max_bytes, or grid_cells.
 */
#define FC_WARNING_THIN_WALLS 1

/** Warning: some nodes belong to no tetrahedron and were dropped. */
#define FC_WARNING_UNUSED_NODES 2
/** Warning: the surface had to be repaired to be filled, or could not be kept everywhere. The log hook has a sentence for each. */
#define FC_WARNING_REPAIRED 4
/** Objects are drawn by the surface that the asset is made from, cut along the cracks; see fc_object_drawing. */
#define FC_ASSET_KEEP_SURFACE 1

/**
 * The surface is the boundary of the tetrahedra exactly: each of its triangles has one or a few of them, and fill_ fields do not
 * matter. For closed surfaces of some thousand triangles at most that do not touch themselves.
 */
#define FC_ASSET_MEET_SURFACE 2

/** Objects have sphere trees, which are split at every fracture, for FC_QUERY_SPHERE_TREES. Of tetrahedra and of surfaces. */
#define FC_ASSET_SPHERE_TREES 4

/**
 * Takes the share of the cooking that is done, from 0 to 1. Called by any thread that works on it; calls may overtake each
 * other. Must not call fc_ functions.
 */
typedef void (*fc_progress_fn)(float done, void *user_data);

/** What to cook: tetrahedra, or a closed surface to be filled with them. Start from fc_asset_desc_default(). */
typedef struct fc_asset_desc {
    /** Set by fc_asset_desc_default(). */
    uint32_t struct_size;
    /** How many nodes (of a surface: vertices) there are. */
    uint32_t node_count;
    /** Three floats a node, in metres. */
    const float *positions;
    /** Four node numbers a tetrahedron, in any order. */
    const uint32_t *tets;
    /** How many tetrahedra there are. */
    uint32_t tet_count;
    /** Bytes from one position to the next; 0: side by side. */
    uint32_t position_stride;
    /** Bytes from one tetrahedron to the next; 0: side by side. */
    uint32_t tet_stride;
    /** Kilograms a cubic metre. Default 1000. */
    float density;
    /**
     * Cells of the distance grid along the longest side, 4 to 1024. Default 64; more where thin walls need them and
     * grid_max_bytes allows it. Memory grows with the cube.
     */
    uint32_t grid_cells;
    /** Must be 0. */
    uint32_t reserved;
    /** Bytes that the grid may take; where its cells need more, there are fewer. Default 0: 8 MiB. */
    uint64_t grid_max_bytes;
    /** Told how far the cooking is; may be NULL. */
    fc_progress_fn progress;
    /** Handed to progress. */
    void *user_data;
    /**
     * Instead of tets: three node numbers a triangle of a closed surface, counter-clockwise seen from outside. Vertices of
     * equal position (seams, hard edges) are one for it. NULL if there are tets.
     */
    const uint32_t *triangles;
    /** How many triangles there are. */
    uint32_t triangle_count;
    /** Bytes from one triangle to the next; 0: side by side. */
    uint32_t triangle_stride;
    /** Filling: length of the edges at the surface, in metres. Default 0: what gives about fill_tets tetrahedra. */
    float fill_edge;
    /**
     * Filling: about how many tetrahedra, if fill_edge is 0; if the body is too thin for them, up to four times as many, or as with
     * FC_ASSET_MEET_SURFACE. Default 0: 5,000.
     */
    uint32_t fill_tets;
    /** Filling: how many times longer edges deep inside may be than at the surface, 1 or more. Default 0: 2. */
    float fill_coarsening;
    /** Filling: edges of the surface where it turns by more than this, in degrees, stay sharp. Default 0: 40. */
    float fill_sharp_angle;
    /** FC_ASSET_*, or 0. */
    uint32_t flags;
    /** Must be 0. */
    uint32_t reserved_2;
    /** For FC_ASSET_KEEP_SURFACE: two floats a node, texture coordinates; NULL: zeros. */
    const float *uvs;
    /** For FC_ASSET_KEEP_SURFACE: three floats a node, unit normals; NULL: means of the triangles at each node. */
    const float *normals;
    /** For FC_ASSET_KEEP_SURFACE: a number a triangle, for your use; NULL: zeros. */
    const uint32_t *materials;
    /** Bytes from one pair of texture coordinates to the next; 0: side by side. */
    uint32_t uv_stride;
    /** Bytes from one normal to the next; 0: side by side. */
    uint32_t normal_stride;
    /** Bytes from one material to the next; 0: side by side. */
    uint32_t material_stride;
    /** Must be 0. */
    uint32_t reserved_3;
} fc_asset_desc;

/** What an asset is. Start from fc_asset_info_default(). */
typedef struct fc_asset_info {
    /** Set by fc_asset_info_default(). */
    uint32_t struct_size;
    /** FC_WARNING_*, or 0. */
    uint32_t warnings;
    /** Nodes that belong to a tetrahedron. */
    uint32_t node_count;
    /** Tetrahedra. */
    uint32_t tet_count;
    /** Triangles of the boundary; see fc_asset_skin. */
    uint32_t skin_triangle_count;
    /** Connected bodies: fc_object_create makes one object of one of them. */
    uint32_t body_count;
    /** Half the diagonal of the bounding box, in metres. */
    double radius;
    /** Mean edge length, in metres. */
    double mean_edge;
    /** How thick the thinnest wall is, about, in metres. */
    double thinnest_wall;
    /** Edge length of a cell of the distance grid, in metres. */
    double grid_cell;
    /** Bytes that it takes: what cooking made, and what queries of its intact bodies have prepared by now. */
    uint64_t bytes;
    /** The same for assets cooked from the same mesh, on every run. */
    uint64_t hash;
    /**
     * Of a filled surface: the largest distance from any of its points to the boundary of the tetrahedra, in metres; told too small
     * by a fiftieth of an edge at most. -1 if the tetrahedra were given.
     */
    double surface_to_tets;
    /** The same from any point of the boundary of the tetrahedra to the surface. */
    double tets_to_surface;
} fc_asset_info;

/** A triangle of an asset's boundary, in the numbers of the tetrahedra that it was made from: yours, or of a filled surface its own. */
typedef struct fc_skin_triangle {
    /** Nodes, counter-clockwise seen from outside. */
    uint32_t nodes[3];
    /** The tetrahedron behind it. */
    uint32_t tet;
} fc_skin_triangle;

/** Fills a descriptor of `struct_size` bytes with the defaults; use fc_asset_desc_default(). */
FC_API void fc_asset_desc_init(fc_asset_desc *desc, uint32_t struct_size);

/**
 * Checks a mesh and cooks it: connectivity, distance grid, point location. Inverted tetrahedra are turned round. A surface is
 * filled with tetrahedra first; what had to be repaired on the way goes to the log hook and into fc_asset_info.warnings.
 *
 * Owner    the mesh stays yours and is copied; release the asset with fc_asset_release.
 * Threads  beside any other call; uses the task hook.
 * Cost     half a second for 48,000 tetrahedra and a grid of 64 cells on one core; filling a surface comes on top. Cook when
 *          loading, not when playing.
 * Fails    FC_ERROR_INVALID_MESH (the text names the culprit by index; also if there are neither tetrahedra nor triangles),
 *          FC_ERROR_INVALID_ARGUMENT (also if there are both), FC_ERROR_TOO_LARGE, FC_ERROR_OUT_OF_MEMORY,
 *          FC_ERROR_UNSUPPORTED.
 */
FC_API fc_status fc_asset_create(const fc_asset_desc *desc, fc_asset *asset);

/**
 * Ends a handle of an asset. Its objects keep what they need of it.
 *
 * Fails    FC_ERROR_INVALID_HANDLE.
 */
FC_API fc_status fc_asset_release(fc_asset asset);

/**
 * Says what an asset is.
 *
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
 */
FC_API fc_status fc_asset_get_info(fc_asset asset, fc_asset_info *info);

/**
 * The boundary of an asset, in your own node numbers (of a filled surface: in the asset's): what the `source` of a surface triangle refers to.
 *
 * Writes at most `capacity` triangles and sets `*count` to the number there are; FC_INCOMPLETE if that is more.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
 */
FC_API fc_status fc_asset_skin(fc_asset asset, fc_skin_triangle *triangles, uint32_t capacity, uint32_t *count);

/* Objects: rigid bodies, whole or fragments ----------------------------------------------------------------------- */

/** All of the original body that is behind its planes and within its bounds. An intact object is one with no planes. */
#define FC_KIND_CELL 0
/** One of several connected parts of that. */
#define FC_KIND_PART_OF_CELL 1
/** Several cells that were joined: crumbs with their neighbours, or what remains beyond an impact. It has no planes. */
#define FC_KIND_UNION 2
/** Its cracks are not planes: they are rough, or come from labels. It has no planes. */
#define FC_KIND_ROUGH 3
/** Of the original skin. */
#define FC_FACE_SKIN 0
/** Of a crack. */
#define FC_FACE_CRACK 1

/** Which object to make. Start from fc_object_desc_default(). */
typedef struct fc_object_desc {
    /** Set by fc_object_desc_default(). */
    uint32_t struct_size;
    /** Which of the asset's connected bodies. Default 0. */
    uint32_t body;
    /** Size, 1e-6 to 1e6: everything in the object's frame is the asset's times this. Default 1. Fragments inherit it. */
    double scale;
    /** Yours. Fragments inherit it. */
    uint64_t user_data;
} fc_object_desc;

/** What an object is. Start from fc_object_info_default(). */
typedef struct fc_object_info {
    /** Set by fc_object_info_default(). */
    uint32_t struct_size;
    /** 1 if it comes from a fracture, else 0. */
    uint32_t is_fragment;
    /** Its number among the fragments of its fracture, or among the bodies of its asset. */
    uint32_t piece;
    /** The cell of the pattern that it fills: number of the seed, or your label. */
    uint32_t cell;
    /** Nodes of the asset that it owns. A fragment may own none. */
    uint32_t node_count;
    /** Sample points on its cracks. */
    uint32_t crack_point_count;
    /** Its size; see fc_object_desc. */
    double scale;
    /** Yours. */
    uint64_t user_data;
    /** FC_KIND_*: what it is made of. */
    uint32_t kind;
    /** How many planes fc_object_get_planes returns. */
    uint32_t plane_count;
} fc_object_info;

/** What an object takes of memory, in bytes, with what queries have prepared by now. Start from fc_object_memory_default(). */
typedef struct fc_object_memory {
    /** Set by fc_object_memory_default(). */
    uint32_t struct_size;
    /** How many fragments the break that made it has, which share it; 0 for an intact object. */
    uint32_t fragment_count;
    /** The object itself: its handle, and a surface or drawing that was asked for and not yet taken. */
    uint64_t object_bytes;
    /** The break that made it. It ends with the last of its fragments. */
    uint64_t break_bytes;
    /** Its asset, shared by all objects of it; as fc_asset_info.bytes. */
    uint64_t asset_bytes;
} fc_object_memory;

/** Two fragments of one fracture that touch. */
typedef struct fc_adjacency {
    /** Numbers of the two, the lower first: places in the array that fc_fracture filled. */
    uint32_t pieces[2];
    /** Area of the crack between them, in square metres. */
    double area;
} fc_adjacency;

/** What a ray hits. */
typedef struct fc_ray_hit {
    /** Metres along the ray. */
    double distance;
    /** Unit normal of the surface there, outwards, world axes. A ray that starts inside hits the surface from behind. */
    float normal[3];
    /** FC_FACE_SKIN or FC_FACE_CRACK. */
    uint32_t face;
    /**
     * Skin: number of the triangle in fc_asset_skin. Crack: number of the fragment on the other side, FC_NONE if the crack
     * is older than the last fracture.
     */
    uint32_t source;
    /** Always 0. */
    uint32_t reserved;
} fc_ray_hit;

/** The point of an object that a contact's feature names. */
typedef struct fc_feature {
    /** In the object's frame, metres. */
    double position[3];
    /** FC_FACE_SKIN or FC_FACE_CRACK. */
    uint32_t face;
    /** Skin: your number of the node that it is. Crack: FC_NONE. */
    uint32_t node;
    /** Skin: a triangle in fc_asset_skin that has the node; else FC_NONE. */
    uint32_t source;
    /** Always 0. */
    uint32_t reserved;
} fc_feature;

/**
 * A plane that cuts a fragment out of the original body. 24 bytes, no padding; starts with the four floats that
 * fc_hull_create takes.
 */
typedef struct fc_plane {
    /** Unit, out of the fragment, in the object's frame. */
    float normal[3];
    /** Metres: the fragment is where normal . x <= offset. */
    float offset;
    /** 1 if the fragment has a face on it. 0 if it only cuts off other parts of the body. */
    uint32_t has_face;
    /**
     * Number of the fragment on the other side. FC_NONE if there are several, if there is none, or if the crack is older than
     * the last fracture.
     */
    uint32_t neighbour;
} fc_plane;

/** A triangle of an object's surface. */
typedef struct fc_triangle {
    /** Vertices, counter-clockwise seen from outside. */
    uint32_t corners[3];
    /** FC_FACE_SKIN or FC_FACE_CRACK. */
    uint32_t face;
    /**
     * Skin: number of the triangle in fc_asset_skin that it is a part of. Crack: number of the fragment on the other side,
     * FC_NONE if the crack is older than the last fracture.
     */
    uint32_t source;
    /**
     * For each corner: on the skin its barycentric weights at the first and second node of the source triangle (the third
     * is what is left of 1), to interpolate your UVs; on cracks texture coordinates in metres, alike from both sides.
     */
    float coordinates[3][2];
    /** Always 0. */
    uint32_t reserved;
} fc_triangle;

/** A vertex to draw. 32 bytes, no padding. */
typedef struct fc_vertex {
    /** In the object's frame, metres. */
    float position[3];
    /** Unit length, outwards. */
    float normal[3];
    /** Yours, interpolated; on cracks metres, one plane for the whole crack between two fragments, alike from both sides. */
    float uv[2];
} fc_vertex;

/** A triangle to draw. */
typedef struct fc_drawn_triangle {
    /** Vertices, counter-clockwise seen from outside. */
    uint32_t corners[3];
    /** Your material (0 if the asset has none); FC_NONE on cracks. */
    uint32_t material;
} fc_drawn_triangle;

/** How well a drawing went. Start from fc_drawing_info_default(). */
typedef struct fc_drawing_info {
    /** Set by fc_drawing_info_default(). */
    uint32_t struct_size;
    /** Triangles of cracks; they come last. */
    uint32_t crack_triangle_count;
    /**
     * Places where cracks and your mesh did not meet and a patch was put over the gap: mostly tips of fragments that are
     * smaller than the triangles of the mesh.
     */
    uint32_t patch_count;
    /** Edges that are open although your mesh is not open there; 0 if your mesh is closed. */
    uint32_t open_edge_count;
} fc_drawing_info;

/** Fills a descriptor of `struct_size` bytes with the defaults; use fc_object_desc_default(). */
FC_API void fc_object_desc_init(fc_object_desc *desc, uint32_t struct_size);

/**
 * Makes an object of an asset: a hundred of them share one asset and cost next to nothing.
 *
 * Owner    end it with fc_object_destroy. The asset's handle may go before.
 * Threads  beside any other call.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (no such body, a scale out of range), FC_ERROR_OUT_OF_MEMORY.
 *
 * `desc` may be NULL for the defaults.
 */
FC_API fc_status fc_object_create(fc_asset asset, const fc_object_desc *desc, fc_object *object);

/**
 * Ends an object. Calls that are running on it finish safely; its fragments and siblings do not need it.
 *
 * Fails    FC_ERROR_INVALID_HANDLE, also if it was destroyed before.
 */
FC_API fc_status fc_object_destroy(fc_object object);

/**
 * Says what an object is.
 *
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
 */
FC_API fc_status fc_object_get_info(fc_object object, fc_object_info *info);

/**
 * Makes what contact queries of an object would make when they first need it, so that no frame has to wait for it: call it for
 * fragments in the job that broke them. Queries of objects that are not prepared prepare them; the contacts are the same.
 *
 * Threads  beside any other call; objects of one break can be prepared on several threads at once.
 * Memory   some hundred bytes a sample point, which stay with the break; rough cracks more.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_OUT_OF_MEMORY.
 */
FC_API fc_status fc_object_prepare(fc_object object);

/**
 * Says what an object takes of memory, by itself and shared with others. Objects of one break or asset tell the same of
 * it: count it once.
 *
 * Threads  beside any other call.
 * Cost     grows with the fragments of its break.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
 */
FC_API fc_status fc_object_get_memory(fc_object object, fc_object_memory *memory);

/**
 * Replaces an object's user data: the only thing of an object that ever changes.
 *
 * Threads  beside any other call; whoever reads sees the old or the new value.
 * Fails    FC_ERROR_INVALID_HANDLE.
 */
FC_API fc_status fc_object_set_user_data(fc_object object, uint64_t user_data);

/**
 * An object's user data.
 *
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
 */
FC_API fc_status fc_object_get_user_data(fc_object object, uint64_t *user_data);

/**
 * The box around an object: in the world for a pose, in its own frame for NULL.
 *
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
 */
FC_API fc_status fc_object_bounds(fc_object object, const fc_pose *at, fc_aabb *bounds);

/**
 * Volume, mass, centre of mass and inertia, in the object's frame. Those of fragments add up to their parent's.
 *
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
 */
FC_API fc_status fc_object_mass(fc_object object, fc_mass *mass);

/**
 * Which fragments of the fracture that made this object touch, and how large the cracks between them are.
 *
 * Writes at most `capacity` and sets `*count` to the number there are; FC_INCOMPLETE if that is more. None for an object
 * that is no fragment.
 * Cost     grows with the cracks of the whole fracture; ask one of the fragments.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
 */
FC_API fc_status fc_object_adjacency(fc_object object, fc_adjacency *pairs, uint32_t capacity, uint32_t *count);

/**
 * Signed distance from a point of the world to the surface of an object in a pose: negative inside. `outward` is the unit
 * way out of the object, world axes; it may be NULL.
 *
 * Threads  beside any other call.
 * Cost     some microseconds. The first point farther away than a quarter of an edge, as the first ray, makes the surface ready:
 *          about a millisecond a fragment.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
 */
FC_API fc_status fc_object_signed_distance(fc_object object, const fc_pose *at, const double *point, double *distance,
                                           float *outward);

/**
 * The first point of an object's surface, skin or crack, that a ray meets from either side within `max_distance`.
 * FC_NO_HIT if there is none, and `*hit` is not written.
 *
 * Threads  beside any other call.
 * Memory   the first ray against an object prepares its surface, which stays with it.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (a direction of length zero), FC_ERROR_OUT_OF_MEMORY.
 */
FC_API fc_status fc_object_ray_cast(fc_object object, const fc_pose *at, const double *origin, const float *direction,
                                    double max_distance, fc_ray_hit *hit);

/**
 * Which point of an object a contact's feature names, for materials, sounds and decals. DepthQuery the object that the sample is of:
 * B if bit 31 of the feature is set, else A. (Samples of plain shapes are no object's: see fc_query_shape.)
 *
 * Cost     on cracks it grows with the object's crack points.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT (the feature is none of this object's).
 */
FC_API fc_status fc_object_feature(fc_object object, uint32_t feature, fc_feature *info);

/**
 * A number for all that an object is (mesh, cracks, size, density; not its user data): two objects with the same one behave
 * alike, bit for bit. The same on every run; compare it to find where two simulations part.
 *
 * Cost     grows with the object's nodes and cracks.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
 */
FC_API fc_status fc_object_state_hash(fc_object object, uint64_t *hash);

/**
 * The planes that cut a fragment out of the original body, in the object's frame.
 *
 * The fragment is the part of the original body behind all of these planes and within its bounds (FC_KIND_CELL), or one
 * connected part of that (FC_KIND_PART_OF_CELL). For culling that is enough: what is in front of any plane is outside the fragment.
 *
 * As a convex collider they need care. They are cracks only, so they do not bound the fragment at its skin, and by themselves
 * rarely enclose a finite volume: add the six planes of fc_object_bounds. If the body is convex, these planes and those of the
 * body's own hull are exactly the fragment. If it is not, the hull also fills the hollows of the skin, such as the inside of a
 * bowl. Fragments of kind FC_KIND_PART_OF_CELL share planes, so their hulls may overlap.
 *
 * A union and a rough fragment are not the body behind some planes: they have 0 planes, and so has an intact object. The call
 * returns FC_OK then; fc_object_info has the kind.
 *
 * Writes at most `capacity` planes and sets `*count` to the number there are; FC_INCOMPLETE if that is more.
 * Units    metres; normals have unit length.
 * Owner    the buffer stays yours.
 * Threads  beside any other call.
 * Memory   no heap use.
 * Cost     a copy.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT.
 */
FC_API fc_status fc_object_get_planes(fc_object object, fc_plane *planes, uint32_t capacity, uint32_t *count);

/**
 * The closed surface of an object, skin and cracks, in the object's frame.
 *
 * Writes three floats a vertex, and triangles, as many as fit, and sets both counts to what there is; FC_INCOMPLETE if
 * something did not fit. So ask with capacities 0, make room, ask again: between the two the surface is kept, not made anew.
 *
 * Owner    buffers stay yours.
 * Threads  beside any other call.
 * Cost     about 2 ms for each of 27 pieces of a ball of 5,000 nodes; not needed for contacts.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
 */
FC_API fc_status fc_object_surface(fc_object object, float *positions, uint32_t vertex_capacity, uint32_t *vertex_count,
                                   fc_triangle *triangles, uint32_t triangle_capacity, uint32_t *triangle_count);

/**
 * What to draw of an object, in its frame: its part of the surface that the asset was made from with FC_ASSET_KEEP_SURFACE, cut
 * where the cracks are, and the cracks, which end at it. Closed, once vertices of equal position are joined, if that surface
 * was. Without such a surface: skin and cracks as fc_object_surface has them, shaded flat.
 *
 * Writes vertices and triangles, as many as fit, and sets both counts to what there is; FC_INCOMPLETE if something did not
 * fit. So ask with capacities 0, make room, ask again: between the two the drawing is kept, not made anew.
 *
 * Owner    buffers stay yours.
 * Threads  beside any other call.
 * Cost     about 3 ms for each of 27 pieces of a body of 100,000 triangles, 1 ms of 10,000; of rough cracks, and of what a blow left,
 *          20 to 70 ms: make it in a job.
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
 *
 * `info` may be NULL.
 */
FC_API fc_status fc_object_drawing(fc_object object, fc_vertex *vertices, uint32_t vertex_capacity,
                                   uint32_t *vertex_count, fc_drawn_triangle *triangles, uint32_t triangle_capacity,
                                   uint32_t *triangle_count, fc_drawing_info *info);

/* Fracture -------------------------------------------------------------------------------------------------------- */

/** Cuts along planes: four floats each in `values`, normal and offset (normal . x = offset). */
#define FC_PATTERN_PLANES 1
/** Cuts into the Voronoi cells of points: three floats each in `values`. */
#define FC_PATTERN_VORONOI 2
/** Cuts into the Voronoi cells of `count` points, drawn at random (`seed`) within the object, evenly by volume. */
#define FC_PATTERN_RANDOM_VORONOI 3

/**
 * Breaks as under a blow: small cells at `impact_point`, larger ones away from it, about `count` in all. Cells with a seed
 * beyond `impact_radius` stay joined, so what remains has a ragged border. Cells are longer along `impact_direction`; zero:
 * alike in all directions.
 */
#define FC_PATTERN_IMPACT 4

/**
 * Your own fracture: a label for every node of the mesh in `labels` (nodes that are in no tetrahedron of this object are
 * ignored), and where the cracks cut, in `gaps` or in `edge_cuts` or in neither: in the middle.
 */
#define FC_PATTERN_LABELS 5

/** How far a node is from the crack towards a label. */
typedef struct fc_node_gap {
    /** Node, in your numbers. */
    uint32_t node;
    /** The label on the other side. */
    uint32_t opponent;
    /** Metres. */
    double gap;
} fc_node_gap;

/** Where an edge is cut. */
typedef struct fc_edge_cut {
    /** End nodes, in your numbers. */
    uint32_t nodes[2];
    /** From 0 at the first node to 1 at the second. */
    double position;
} fc_edge_cut;

/**
 * How to break. Start from fc_fracture_desc_default() and set `pattern` and what belongs to it. All lengths are metres in
 * the object's frame.
 */
typedef struct fc_fracture_desc {
    /** Set by fc_fracture_desc_default(). */
    uint32_t struct_size;
    /** FC_PATTERN_*. There is no default. */
    uint32_t pattern;
    /** Planes or points. */
    const float *values;
    /** How many planes or points. */
    uint32_t value_count;
    /** Bytes from one to the next; 0: side by side. */
    uint32_t value_stride;
    /** A label for every node of the mesh. */
    const uint32_t *labels;
    /** Distances of nodes from cracks; may be NULL. */
    const fc_node_gap *gaps;
    /** Places on edges; may be NULL. */
    const fc_edge_cut *edge_cuts;
    /** How many labels; must be the number of nodes that the asset was made from. */
    uint32_t label_count;
    /** How many gaps. */
    uint32_t gap_count;
    /** How many edge cuts. */
    uint32_t edge_cut_count;
    /** How many cells, for patterns that are asked for by number. Default 8. */
    uint32_t count;
    /** Another number, another pattern. */
    uint64_t seed;
    /** Where the blow hits. */
    float impact_point[3];
    /** Cells with a seed farther than this from impact_point stay joined. */
    float impact_radius;
    /** Which way the blow goes; need not be a unit vector. */
    float impact_direction[3];
    /** How far rough cracks stray, as a share of the asset's radius, up to 0.05. Default 0: smooth. Labels stay as they are. */
    float roughness;
    /** Length of their waves, in mean edge lengths of the mesh, 2 or more. Default 4. */
    float roughness_wavelength;
    /** Fragments with a smaller share of the object's volume are joined to a neighbour. Default 0: keep all. */
    float min_volume_share;
    /** Another number, other waves. */
    uint64_t roughness_seed;
    /**
     * Fragments with a smaller bounding radius (half the diagonal of their box) are joined to the neighbour with which they
     * have the largest crack in common. Default 0: keep all.
     */
    float min_radius;
    /** If there are more fragments, the smallest are joined to a neighbour. Default 0: no limit. */
    uint32_t max_fragments;
    /**
     * The most regions (convex parts of tetrahedra) that the event may make. Beyond it the call fails with
     * FC_ERROR_TOO_LARGE, before it makes anything: a limit on time and memory. Default 0: 4,194,304.
     */
    uint32_t max_regions;
    /** Must be 0. */
    uint32_t reserved;
} fc_fracture_desc;

/** What a fracture came to. Start from fc_fracture_info_default(). */
typedef struct fc_fracture_info {
    /** Set by fc_fracture_info_default(). */
    uint32_t struct_size;
    /** Fragments made; 0 if nothing was cut. */
    uint32_t fragment_count;
    /** Cells of the pattern that have no volume in the object, and so made no fragment. */
    uint32_t vanished_cells;
    /** Fragments that were joined to a neighbour because they were too small or too many. */
    uint32_t crumbs_joined;
} fc_fracture_info;

/** Fills a descriptor of `struct_size` bytes with the defaults; use fc_fracture_desc_default(). */
FC_API void fc_fracture_desc_init(fc_fracture_desc *desc, uint32_t struct_size);

/**
 * The most fragments that a fracture can make: max_fragments, or max_regions if that is less. The mesh is no limit: a
 * fragment need not own a node. Set max_fragments to keep the array short, or call fc_fracture with the room that you have:
 * if it is not enough, FC_ERROR_CAPACITY comes with the number of fragments.
 *
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_UNSUPPORTED.
 */
FC_API fc_status fc_fracture_bound(fc_object object, const fc_fracture_desc *desc, uint32_t *bound);

/**
 * Breaks an object: reads it and makes new ones, each connected, weighed, and breakable again; together they are exactly the
 * old one. All or nothing.
 *
 * The object stays as it was: swap bodies at the end of your step, then destroy it. Fragments have its frame, so give them
 * its pose (and its velocity field). They inherit its scale and user data, and come in the order of pattern cell.
 * FC_UNCHANGED: nothing was cut, `*count` is 0, keep the object.
 *
 * `info` may be NULL.
 * Owner    the fragments are yours: fc_object_destroy.
 * Threads  beside any other call, queries of this object and its siblings included; uses the task hook.
 * Cost     4 to 10 ms for 5,000 nodes in 27 cells on one core; grows with the tetrahedra of this object and with the regions
 *          that the cracks cut them into. The first break of a body by seeds keeps some of the work for whoever asks: the
 *          first fracture, surface or saving of one of its fragments takes as long again, once. Queries do not.
 * Fails    FC_ERROR_CAPACITY (more fragments than `capacity`: `*count` says how many, nothing was made),
 *          FC_ERROR_TOO_LARGE (more regions than max_regions; nothing was made), FC_ERROR_INVALID_HANDLE,
 *          FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED, FC_ERROR_TASKS.
 */
FC_API fc_status fc_fracture(fc_object object, const fc_fracture_desc *desc, fc_object *fragments, uint32_t capacity,
                             uint32_t *count, fc_fracture_info *info);

/* Saving and loading ---------------------------------------------------------------------------------------------- */

/**
 * Saves a cooked asset as a block of bytes: little-endian, versioned, checksummed; the same bytes on every machine.
 *
 * Sets `*size` to the number of bytes. With a `capacity` of 0 it writes nothing and returns FC_INCOMPLETE: ask so first.
 * Owner    the buffer stays yours.
 * Threads  beside any other call.
 * Fails    FC_ERROR_CAPACITY (nothing is written, `*size` is set), FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT,
 *          FC_ERROR_OUT_OF_MEMORY.
 */
FC_API fc_status fc_asset_save(fc_asset asset, uint8_t *bytes, uint64_t capacity, uint64_t *size);

/**
 * Loads an asset that fc_asset_save saved. It answers every question bit for bit as the saved one does.
 *
 * Any bytes may be given, those of an untrusted file too: everything is checked. Twenty times faster than to cook and more.
 * Owner    the bytes stay yours and are not kept; release the asset with fc_asset_release.
 * Threads  beside any other call.
 * Fails    FC_ERROR_INVALID_DATA (the text says what is the matter, and of which version it is), FC_ERROR_INVALID_ARGUMENT,
 *          FC_ERROR_TOO_LARGE, FC_ERROR_OUT_OF_MEMORY.
 */
FC_API fc_status fc_asset_load(const uint8_t *bytes, uint64_t size, fc_asset *asset);

/**
 * Saves objects of one asset, whole or broken, of any generations, with what they need of the fractures they come from, and
 * with their user data. The asset itself is not among them.
 *
 * Save together what once was one body: fragments that are loaded together know each other as the saved ones do, those of
 * two loadings do not. `*size`, `bytes` and `capacity` are as in fc_asset_save.
 *
 * Threads  beside any other call.
 * Fails    as fc_asset_save; FC_ERROR_INVALID_ARGUMENT if there are no objects, or if they are of different assets.
 */
FC_API fc_status fc_object_save(const fc_object *objects, uint32_t count, uint8_t *bytes, uint64_t capacity,
                                uint64_t *size);

/**
 * Loads the objects that fc_object_save saved, in the order in which they were given, as objects of `asset`, which must be
 * of the same mesh and density. They are what the saved ones are, bit for bit, and new bodies.
 *
 * Sets `*count` to the number of objects. All or nothing. Any bytes may be given: everything is checked.
 * Owner    destroy each object with fc_object_destroy.
 * Threads  beside any other call.
 * Fails    FC_ERROR_CAPACITY (nothing is made, `*count` is set), FC_ERROR_INVALID_DATA, FC_ERROR_INVALID_HANDLE,
 *          FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY.
 */
FC_API fc_status fc_object_load(const uint8_t *bytes, uint64_t size, fc_asset asset, fc_object *objects,
                                uint32_t capacity, uint32_t *count);

/* Shapes to query against ----------------------------------------------------------------------------------------- */

/** All below a plane: normal . x <= offset. */
#define FC_SHAPE_HALF_SPACE 1
/** A ball of `radius` about the origin of its frame. */
#define FC_SHAPE_BALL 2
/** A box of `half_extents` about the origin of its frame. */
#define FC_SHAPE_BOX 3
/** All within `radius` of the segment from `ends[0]` to `ends[1]`. */
#define FC_SHAPE_CAPSULE 4
/** A convex hull; see fc_hull_create. */
#define FC_SHAPE_HULL 5
/** Whatever `field` says: terrain, a heightfield, your own distance field. */
#define FC_SHAPE_FIELD 6

/**
 * Returns the signed distance, in metres, from three numbers at `point` (in the shape's frame) to a body's surface, negative
 * inside, and writes the way out of the body there to three numbers at `outward` (any length but zero). The distance must
 * not change faster than the point moves; too small outside and too large inside cost time, the other way round contacts.
 * Called some hundred times a query, by the thread that queries. May call fc_ functions; must not throw or jump out.
 */
typedef double (*fc_field_fn)(const double *point, double *outward, void *user_data);

/** A shape. Start from fc_shape_default() and set `kind` and what belongs to it. Lengths in metres. */
typedef struct fc_shape {
    /** Set by fc_shape_default(). */
    uint32_t struct_size;
    /** FC_SHAPE_*. There is no default. */
    uint32_t kind;
    /** Half-space: its normal, of any length but zero. Default z. */
    float normal[3];
    /** Half-space: how far along the unit normal it reaches. */
    float offset;
    /** Box: half the edge lengths. */
    float half_extents[3];
    /** Ball, capsule. */
    float radius;
    /** Capsule: the ends of its segment. */
    float ends[2][3];
    /** Hull. */
    fc_hull hull;
    /** Field. */
    fc_field_fn field;
    /** Handed to field. */
    void *user_data;
    /**
     * Field: points of its surface that stick out, three floats each, such as the vertices of a terrain: a sharp one that pokes
     * into the middle of a coarse face is found by nothing else. May be NULL.
     */
    const float *points;
    /** How many points. */
    uint32_t point_count;
    /** Bytes from one point to the next; 0: side by side. */
    uint32_t point_stride;
} fc_shape;

/** Fills a shape of `struct_size` bytes with the defaults; use fc_shape_default(). */
FC_API void fc_shape_init(fc_shape *shape, uint32_t struct_size);

/**
 * Makes a convex hull from the planes of its faces: four floats each, the outward normal and the offset along it (points
 * with normal . x <= offset are inside). Normals are normalised, and offsets with them.
 *
 * `stride` is in bytes from one plane to the next; 0: side by side.
 * Owner    the planes stay yours; end the hull with fc_hull_destroy.
 * Fails    FC_ERROR_INVALID_ARGUMENT (planes that enclose nothing or no finite body), FC_ERROR_OUT_OF_MEMORY.
 */
FC_API fc_status fc_hull_create(const float *planes, uint32_t count, uint32_t stride, fc_hull *hull);

/**
 * Ends a hull. Calls that are running with it finish safely.
 *
 * Fails    FC_ERROR_INVALID_HANDLE.
 */
FC_API fc_status fc_hull_destroy(fc_hull hull);

/* Queries: contacts ----------------------------------------------------------------------------------------------- */

/** Query flag: points are relative to `origin` instead of A's position. */
#define FC_QUERY_ORIGIN 1
/** Query flag: statistics tell the time too (about 50 ns more). */
#define FC_QUERY_TIMED 2

/**
 * Query flag: depths between objects are measured along the normal, to the crack between siblings or to the face that faces the other
 * body. Without it they are the shortest way out, which on a rim is sideways and about zero, however far bodies have sunk into each
 * other. For solvers.
 */
#define FC_QUERY_ALONG_NORMAL 8

/**
 * Samples are searched by the sphere trees of Glondu 2013 instead of the default buckets, for comparison: slower, and other samples may
 * be chosen. Both objects must be of assets with FC_ASSET_SPHERE_TREES.
 */
#define FC_QUERY_SPHERE_TREES 16

/** Target contacts, well spread; then only what is deeper than the deepest so far by more than the tolerance. The default. */
#define FC_MODE_TARGET_THEN_DEEPER 0
/** Target contacts, then all that are deeper than the tolerance (Glondu et al. 2013). */
#define FC_MODE_TARGET_THEN_DEEP 1
/** Target contacts and no more. */
#define FC_MODE_EXACTLY 2
/** Every sample point that touches. */
#define FC_MODE_FULL 3

/** How to query. Start from fc_query_desc_default(); everything has a default. */
typedef struct fc_query_desc {
    /** Set by fc_query_desc_default(). */
    uint32_t struct_size;
    /** FC_QUERY_*; default 0. All other bits are refused; 4 is retired and stays reserved. */
    uint32_t flags;
    /** FC_MODE_*; default FC_MODE_TARGET_THEN_DEEPER. */
    uint32_t mode;
    /** Contacts a pair that are enough. Default 8. */
    uint32_t target_contacts;
    /**
     * No more contacts a pair than this: those that can push and turn the bodies as all do. What is left out is in the
     * statistics. Default 0: no limit.
     */
    uint32_t max_contacts;
    /** Metres; bodies this far apart still touch, with a depth < 0. Default -1: 0.1 % of the smaller radius. */
    float margin;
    /**
     * Metres by which a further contact must be deeper. Default -1: 0.2 % of the smaller radius, or a quarter of the deepest
     * depth so far, if that is more.
     */
    float tolerance;
    /** Must be 0. */
    uint32_t reserved;
    /** What points are relative to, in the world, if flags has FC_QUERY_ORIGIN. */
    double origin[3];
    /** No more contacts a pair with nearly the same normal (5 degrees) than this; 4 suits solvers. Default 0: no limit. */
    uint32_t max_per_normal;
    /** Must be 0. */
    uint32_t reserved_2;
} fc_query_desc;

/** What a query did. Start from fc_query_stats_default(). */
typedef struct fc_query_stats {
    /** Set by fc_query_stats_default(). */
    uint32_t struct_size;
    /** Pairs that were queried. */
    uint32_t pairs;
    /** Spheres around samples that were tested. */
    uint64_t spheres_visited;
    /** Samples that were tested against bounds. */
    uint64_t points_tested;
    /** Samples whose depth or gap was computed: what costs most. */
    uint64_t evaluations;
    /** Contacts that were found. */
    uint64_t found;
    /** Contacts that were found beyond max_contacts or max_per_normal, and not returned. */
    uint64_t left_out;
    /** Time of the call, if flags had FC_QUERY_TIMED; else 0. */
    uint64_t nanoseconds;
} fc_query_stats;

/** A pair of a batch. */
typedef struct fc_pair {
    /** The first object. */
    fc_object a;
    /** The second object. */
    fc_object b;
    /** Where the first is. */
    fc_pose pose_a;
    /** Where the second is. */
    fc_pose pose_b;
} fc_pair;

/** Fills a descriptor of `struct_size` bytes with the defaults; use fc_query_desc_default(). */
FC_API void fc_query_desc_init(fc_query_desc *desc, uint32_t struct_size);

/**
 * Finds the contacts between two objects.
 *
 * Writes at most `capacity` contacts and sets `*count` to the number found. If that is more than `capacity` it returns
 * FC_INCOMPLETE and those written are valid. The order is greedy (deepest, then whatever adds most), so any prefix is a good
 * manifold; ties go by `feature`, so it is the same on every run and for every number of threads. Swapping A and B gives the
 * same contacts with the normals turned.
 *
 * Units    metres; poses are object to world, positions in double.
 * Owner    buffers stay yours; nothing is kept.
 * Threads  beside any other call.
 * Memory   no heap use once both objects have been queried and this thread has met as many contacts.
 * Cost     grows with the spheres visited, not with the mesh; fc_query_get_stats has the count.
 * Fails    FC_ERROR_INVALID_HANDLE (stale or foreign), FC_ERROR_INVALID_ARGUMENT (NULL, a pose that is not finite or not a
 *          rotation, a margin that is not a number), FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
 *
 * `desc` may be NULL for the defaults.
 */
FC_API fc_status fc_query_pair(fc_object a, const fc_pose *pose_a, fc_object b, const fc_pose *pose_b,
                               const fc_query_desc *desc, fc_contact *contacts, uint32_t capacity, uint32_t *count);

/**
 * Finds the contacts between an object, A, and a plain shape, B. All else is as in fc_query_pair.
 *
 * Shapes have samples too, which are B's (bit 31 of the feature): the corners of a box (the lowest bits of the feature say on which
 * side of x, y and z), the vertices of a hull, the middle of a ball, points along the axis of a capsule, and the points of a field, by
 * their number. A half-space has none. They find what pokes into an object between its own samples: a ball in the middle of a
 * coarse face is found where it is, to less than a hundredth of an edge of the mesh. A point of a shape pushes the object out of
 * the shape or not at all, so vertices of flat ground never stop what slides over them.
 */
FC_API fc_status fc_query_shape(fc_object a, const fc_pose *pose_a, const fc_shape *shape, const fc_pose *pose_shape,
                                const fc_query_desc *desc, fc_contact *contacts, uint32_t capacity, uint32_t *count);

/**
 * Reduces contacts as queries do: to at most `max_per_normal` with nearly the same normal (5 degrees) and `max_contacts` in all;
 * 0 is no limit. For engines that gather the contacts of several pairs, such as those of a compound; all points must be relative
 * to the same origin. The deepest is always kept, and those that span each group of normals best, so that they can push and turn a
 * body as all do: the order is that of a query.
 *
 * Writes at most `capacity` contacts and sets `*reduced_count` to the number that is left. If that is more than `capacity` it
 * returns FC_INCOMPLETE and those written are valid. `reduced` may be `contacts`.
 *
 * Owner    buffers stay yours; nothing is kept.
 * Threads  beside any other call.
 * Memory   no heap use once this thread has met as many contacts.
 * Fails    FC_ERROR_INVALID_ARGUMENT (NULL, a contact with a number that is not finite), FC_ERROR_OUT_OF_MEMORY.
 */
FC_API fc_status fc_reduce_contacts(const fc_contact *contacts, uint32_t count, uint32_t max_per_normal,
                                    uint32_t max_contacts, fc_contact *reduced, uint32_t capacity,
                                    uint32_t *reduced_count);

/**
 * What the last query of this thread that succeeded did.
 *
 * Fails    FC_ERROR_INVALID_ARGUMENT.
 */
FC_API fc_status fc_query_get_stats(fc_query_stats *stats);

/**
 * Finds the contacts of many pairs, in parallel by the task hook: each as fc_query_pair finds them, and all in one list in
 * the order of the pairs.
 *
 * Sets `offsets[k]` to where the contacts of pair k start, and `offsets[pair_count]` to the number of all; writes at most
 * `capacity` contacts. If there are more it returns FC_INCOMPLETE, offsets are right, and all contacts below `capacity` are
 * valid. A pair that fails has no contacts, and its status in `statuses` (may be NULL); the call then returns FC_SOME_FAILED,
 * and fc_last_error() tells of the first.
 *
 * Owner    buffers stay yours; nothing is kept.
 * Threads  beside any other call.
 * Memory   no heap use in a warm call; with fc_set_threads one block a call.
 * Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED, FC_ERROR_TASKS; not for a bad pair.
 *
 * `desc` may be NULL for the defaults.
 */
FC_API fc_status fc_query_pairs(const fc_pair *pairs, uint32_t pair_count, const fc_query_desc *desc,
                                fc_contact *contacts, uint32_t capacity, uint32_t *offsets, fc_status *statuses);

/* Debug draw ------------------------------------------------------------------------------------------------------ */

/** Draw the spheres around the samples, those of `level`. */
#define FC_DRAW_SPHERES 1
/** Draw the cracks. */
#define FC_DRAW_CRACKS 2
/** Draw the bounding box, in the object's axes. */
#define FC_DRAW_BOUNDS 4
/** Draw the whole surface. */
#define FC_DRAW_SURFACE 8

/** Takes a line. Three floats a point, metres, world axes, from the draw origin. */
typedef void (*fc_draw_line_fn)(const float *a, const float *b, uint32_t rgba, void *user_data);

/** Takes a triangle, counter-clockwise seen from outside. */
typedef void (*fc_draw_triangle_fn)(const float *a, const float *b, const float *c, uint32_t rgba, void *user_data);

/** Takes a few words in UTF-8, gone when the function returns. */
typedef void (*fc_draw_text_fn)(const float *at, const char *text, uint32_t rgba, void *user_data);

/**
 * Where drawings go. Start from fc_debug_draw_default(); any function may be NULL (without triangles, their edges are
 * drawn). They are called by the thread that draws, and must not call fc_ functions. Colours are 0xRRGGBBAA.
 */
typedef struct fc_debug_draw {
    /** Set by fc_debug_draw_default(). */
    uint32_t struct_size;
    /** FC_DRAW_*. Default FC_DRAW_CRACKS | FC_DRAW_BOUNDS. */
    uint32_t flags;
    /** Which spheres: 0 is the coarsest; levels that are not there draw the samples themselves, as small crosses. */
    uint32_t level;
    /** Length of a contact's normal, in metres. Default 0.1. */
    float normal_length;
    /** What points are relative to, in the world. Default 0, 0, 0. */
    double origin[3];
    /** Lines. */
    fc_draw_line_fn line;
    /** Triangles. */
    fc_draw_triangle_fn triangle;
    /** Words: the depth of each contact, in millimetres. */
    fc_draw_text_fn text;
    /** Handed to all of them. */
    void *user_data;
} fc_debug_draw;

/** Fills a of `struct_size` bytes with the defaults; use fc_debug_draw_default(). */
FC_API void fc_debug_draw_init(fc_debug_draw *draw, uint32_t struct_size);

/**
 * Draws an object in a pose: what `draw->flags` names.
 *
 * Fails    FC_ERROR_INVALID_HANDLE, FC_ERROR_INVALID_ARGUMENT, FC_ERROR_OUT_OF_MEMORY, FC_ERROR_UNSUPPORTED.
 */
FC_API fc_status fc_draw_object(fc_object object, const fc_pose *at, const fc_debug_draw *draw);

/**
 * Draws contacts: a cross at each, its normal, its depth in words. `origin` is what their points are relative to, in the world
 * (of fc_query_pair without FC_QUERY_ORIGIN: A's position).
 *
 * Fails    FC_ERROR_INVALID_ARGUMENT, FC_ERROR_UNSUPPORTED.
 */
FC_API fc_status fc_draw_contacts(const fc_contact *contacts, uint32_t count, const double *origin,
                                  const fc_debug_draw *draw);

#ifdef __cplusplus
}
#endif

/* Defaults. Inline, because the size is that of the struct your program was compiled with. */

/** Fills it with the defaults. */
FC_INLINE void fc_asset_desc_default(fc_asset_desc *desc) {
    fc_asset_desc_init(desc, (uint32_t)sizeof *desc);
}

/** Fills it with the defaults. */
FC_INLINE void fc_object_desc_default(fc_object_desc *desc) {
    fc_object_desc_init(desc, (uint32_t)sizeof *desc);
}

/** Fills it with the defaults. */
FC_INLINE void fc_fracture_desc_default(fc_fracture_desc *desc) {
    fc_fracture_desc_init(desc, (uint32_t)sizeof *desc);
}

/** Fills it with the defaults. */
FC_INLINE void fc_shape_default(fc_shape *shape) {
    fc_shape_init(shape, (uint32_t)sizeof *shape);
}

/** Fills it with the defaults. */
FC_INLINE void fc_query_desc_default(fc_query_desc *desc) {
    fc_query_desc_init(desc, (uint32_t)sizeof *desc);
}

/** Fills it with the defaults. */
FC_INLINE void fc_debug_draw_default(fc_debug_draw *draw) {
    fc_debug_draw_init(draw, (uint32_t)sizeof *draw);
}

/** Makes it ready to be filled. */
FC_INLINE void fc_asset_info_default(fc_asset_info *info) {
    memset(info, 0, sizeof *info);
    info->struct_size = (uint32_t)sizeof *info;
}

/** Makes it ready to be filled. */
FC_INLINE void fc_object_info_default(fc_object_info *info) {
    memset(info, 0, sizeof *info);
    info->struct_size = (uint32_t)sizeof *info;
}

/** Makes it ready to be filled. */
FC_INLINE void fc_object_memory_default(fc_object_memory *memory) {
    memset(memory, 0, sizeof *memory);
    memory->struct_size = (uint32_t)sizeof *memory;
}

/** Makes it ready to be filled. */
FC_INLINE void fc_drawing_info_default(fc_drawing_info *info) {
    memset(info, 0, sizeof *info);
    info->struct_size = (uint32_t)sizeof *info;
}

/** Makes it ready to be filled. */
FC_INLINE void fc_fracture_info_default(fc_fracture_info *info) {
    memset(info, 0, sizeof *info);
    info->struct_size = (uint32_t)sizeof *info;
}

/** Makes it ready to be filled. */
FC_INLINE void fc_query_stats_default(fc_query_stats *stats) {
    memset(stats, 0, sizeof *stats);
    stats->struct_size = (uint32_t)sizeof *stats;
}

#endif /* FRACAS_H */
