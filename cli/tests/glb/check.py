"""Looks at a GLB of `fracas fracture` through the eyes of somebody else: trimesh.

    check.py FILE.glb VOLUME PIECES

Every piece must be closed once its vertices are joined by position, the volumes must add up to VOLUME within 0.1 % and be
those of the extras, and both materials must have texture coordinates in metres and unit normals that look outwards. Prints
one line, or what is wrong.
"""

import json
import struct
import sys

import numpy
import trimesh

path, volume, count = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
scene = trimesh.load(path, process=False)
problems = []

with open(path, "rb") as file:
    header = file.read(20)
    document = json.loads(file.read(struct.unpack("<I", header[12:16])[0]))
extras = {node["name"]: node["extras"] for node in document["nodes"]}

# trimesh makes a geometry of each primitive; those of one piece hang below its node.
pieces = {}
for node in scene.graph.nodes_geometry:
    parent = scene.graph.transforms.parents[node]
    name = node if parent == scene.graph.base_frame else parent
    pieces.setdefault(name, []).append(scene.geometry[scene.graph[node][1]])

materials, closed, total = set(), 0, 0.0
for name, parts in pieces.items():
    points, faces, start = [], [], 0
    for mesh in parts:
        materials.add(mesh.visual.material.name)
        uv = mesh.visual.uv
        if uv is None or len(uv) != len(mesh.vertices) or not numpy.isfinite(uv).all():
            problems.append(f"{name}: {mesh.visual.material.name} has no texture coordinates")
        lengths = numpy.linalg.norm(mesh.vertex_normals, axis=1)
        if abs(lengths - 1).max() > 1e-4:
            problems.append(f"{name}: a normal has length {lengths[abs(lengths - 1).argmax()]}")
        # Normals look to where the faces do, sharp edges apart: by area, since slivers look anywhere.
        area = mesh.area_faces.sum()
        turned = (mesh.vertex_normals[mesh.faces] * mesh.face_normals[:, None]).sum(axis=2).min(axis=1)
        if mesh.area_faces[turned < 0.7].sum() > 0.005 * area:
            problems.append(f"{name}: normals of {mesh.visual.material.name} look away from its faces")
        # Texture coordinates are metres: laid flat, faces keep their area, or lose some where they are tilted.
        a, b, c = uv[mesh.faces].transpose(1, 0, 2)
        flat = 0.5 * abs(numpy.cross(b - a, c - a))
        if not 0.5 * area < flat.sum() < 1.001 * area:
            problems.append(f"{name}: {mesh.visual.material.name} of {area} m² is {flat.sum()} m² of texture")
        points.append(mesh.vertices)
        faces.append(mesh.faces + start)
        start += len(mesh.vertices)
    # Joined by equality of positions, and by nothing else.
    joined, number = numpy.unique(numpy.concatenate(points).astype(numpy.float32), axis=0, return_inverse=True)
    body = trimesh.Trimesh(joined.astype(float), number.reshape(-1)[numpy.concatenate(faces)], process=False)
    # Balanced: each edge as often in one direction as in the other. That is closed, also where a piece touches itself
    # along an edge, which trimesh's own word for it, watertight, does not allow.
    edges = body.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    ways, counts = numpy.unique(edges, axis=0, return_counts=True)
    known = {tuple(way): n for way, n in zip(ways.tolist(), counts.tolist())}
    if any(known.get((b, a), 0) != n for (a, b), n in known.items()):
        problems.append(f"{name}: is not closed")
    closed += body.is_watertight
    total += body.volume
    # Crumbs of a millionth of the body are mostly rounding.
    said = extras[name]["volume"]
    if not abs(body.volume - said) < 1e-3 * said + 1e-6 * volume:
        problems.append(f"{name}: its volume is {body.volume}, and the extras say {said}")

if len(pieces) != count:
    problems.append(f"{len(pieces)} pieces are in the file, not {count}")
if abs(total / volume - 1) > 1e-3:
    problems.append(f"the volumes add up to {total}, not {volume}")
if not materials <= {"skin", "crack"} or (count > 1 and materials != {"skin", "crack"}):
    problems.append(f"the materials are {sorted(materials)}")
if problems:
    sys.exit("\n".join(problems))
print(f"{len(pieces)} closed pieces, {closed} of them watertight for trimesh, volume off by {abs(total / volume - 1):.1e}")
