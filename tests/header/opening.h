/*
 * Fracas: collision detection for things that break.
 *
 * MIT or Apache-2.0. Generated from src/ffi/ by scripts/header; do not edit.
 *
 * Data flows in one direction:
 *
 *     surface or tetrahedra -> fc_asset -> fc_object -> fc_fracture -> more fc_object -> fc_object_drawing
 *                                              \             /
 *                                          fc_query_pair, fc_query_pairs, fc_query_shape -> fc_contact
 *
 * Cloth, shells, and whatever else bends before it breaks is a body of an fc_scene instead: see the chapter on scenes.
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
 *           Limits: positions in poses and lengths 1e18 m, mesh coordinates 1e12 m, bounding radius of a body 1e-5 to 1e7 m;
 *           scenes 1e9 m around their origin.
 *           Quaternions are x, y, z, w. Triangles are counter-clockwise seen from outside.
 * Contacts  normals are unit length from B towards A; depth > 0 is overlap; the point is midway between both surfaces.
 * Handles   64 bits in a struct; 0 is the null handle. A stale or foreign handle returns FC_ERROR_INVALID_HANDLE. (A handle of
 *           a second copy of the library in the same process is not always detected.)
 * Errors    every call that can fail returns fc_status: 0 success, > 0 success with a remark, < 0 failure; fc_last_error()
 *           describes it in one sentence. NULL is checked everywhere; numbers are checked for NaN and range. Outputs are
 *           written only on success; a failed call changes nothing (scenes have one exception: see fc_scene_create). Pointers
 *           and counts must be valid: they cannot be checked.
 * Structs   that may grow carry their size: initialize them with their _default() function, then set what you need. Programs
 *           compiled with older or newer headers work as long as they use only what the library supports.
 * Threads   assets, objects and hulls are immutable: calls on them may run concurrently, without locks. A call that is running
 *           while its object is destroyed finishes safely. A scene changes: one call at a time may change it, any number may
 *           query it between, and a call at the wrong time returns FC_ERROR_WRONG_TIME instead of waiting. Call fc_set_* at
 *           startup and fc_shutdown at exit.
 * Results   are deterministic: bit for bit the same on every run and for every number of threads.
 * Buffers   are the caller's: capacity in, count out; call with capacity 0 to get the count.
 * Stack     every call runs on 64 KiB of stack, such as a job's fibre has; fc_asset_create needs 256 KiB. No call recurses on
 *           data.
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

/* Inline functions pass the struct size that your program was compiled with. */
#define FC_INLINE static inline
