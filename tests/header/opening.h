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
