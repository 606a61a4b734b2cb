"""Looks at a GLB of `fracas fracture` through the eyes of somebody else: trimesh.

    check.py FILE.glb VOLUME PIECES [ARTIST]

Every piece must be closed once its vertices are joined by position, the volumes must add up to VOLUME within 0.1 % and be
those of the extras, and both materials must have texture coordinates in metres and unit normals that look outwards. With
the file that an artist made, the materials are those of it, and cover as much of the texture and of the surface as there;
where a vertex is the artist's, so are its texture coordinates; volumes are only about those of the extras. The origin of
each piece is its centre of mass. Prints one line, or what is wrong.
"""

import json
import struct
import sys

import numpy
import scipy.spatial
import trimesh

path, volume, count = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
scene = trimesh.load(path, process=False)
problems = []

with open(path, "rb") as file:
    header = file.read(20)
    document = json.loads(file.read(struct.unpack("<I", header[12:16])[0]))
extras = {node["name"]: node["extras"] for node in document["nodes"]}

# trimesh makes a geometry of each primitive; those of one piece hang below its node.
pieces, offsets = {}, {}
for node in scene.graph.nodes_geometry:
    parent = scene.graph.transforms.parents[node]
    name = node if parent == scene.graph.base_frame else parent
    pieces.setdefault(name, []).append(scene.geometry[scene.graph[node][1]])
    offsets[name] = scene.graph[name][0][:3, 3]



def areas(mesh):
    """On the surface and in the texture."""
    a, b, c = mesh.visual.uv[mesh.faces].transpose(1, 2, 0)
    across = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return numpy.array([mesh.area_faces.sum(), 0.5 * abs(across).sum()])


def vertices(mesh):
    """Positions and texture coordinates."""
    return zip(map(tuple, numpy.float32(mesh.vertices) + 0.0), mesh.visual.uv)


artist, known, found, survived = {}, {}, {}, set()
made = trimesh.load(sys.argv[4], process=False, force="scene") if len(sys.argv) > 4 else trimesh.Scene()
for node in made.graph.nodes_geometry:
    place, geometry = made.graph[node]
    mesh = made.geometry[geometry].copy()
    mesh.apply_transform(place)
    name = mesh.visual.material.name
    artist[name] = artist.get(name, 0) + areas(mesh)
    for place, uv in vertices(mesh):
        known.setdefault(place, []).append(uv)

# Pieces are stored in single precision from their own centres: places are the same to a tenth of a micrometre.
places = list(known)
tree = scipy.spatial.cKDTree(numpy.array(places).reshape(-1, 3)) if places else None

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
        material = mesh.visual.material.name
        if material in artist:
            found[material] = found.get(material, 0) + areas(mesh)
            apart, nearest = tree.query(mesh.vertices + offsets[name])
            for far, near, own in zip(apart, nearest, mesh.visual.uv):
                if far < 1e-7:
                    place = places[near]
                    survived.add(place)
                    if min(abs(own - uv).max() for uv in known[place]) > 1e-6:
                        problems.append(f"{name}: at {place} the texture coordinates are {own}, not one of {known[place]}")
        elif not 0.5 * area < areas(mesh)[1] < 1.001 * area:
            problems.append(f"{name}: {material} of {area} m² is {areas(mesh)[1]} m² of texture")
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
    passed = {tuple(way): n for way, n in zip(ways.tolist(), counts.tolist())}
    if any(passed.get((b, a), 0) != n for (a, b), n in passed.items()):
        problems.append(f"{name}: is not closed")
    if not artist and abs(body.center_mass).max() > 1e-3 * numpy.ptp(joined, axis=0).max():
        problems.append(f"{name}: its centre of mass is {body.center_mass}, not its origin")
    closed += body.is_watertight
    total += body.volume
    # Crumbs of a millionth of the body are mostly rounding.
    said = extras[name]["volume"]
    within = 0.05 * said + 1e-3 * volume if artist else 1e-3 * said + 1e-6 * volume
    if not abs(body.volume - said) < within:
        problems.append(f"{name}: its volume is {body.volume}, and the extras say {said}")

if len(pieces) != count:
    problems.append(f"{len(pieces)} pieces are in the file, not {count}")
if abs(total / volume - 1) > 1e-3:
    problems.append(f"the volumes add up to {total}, not {volume}")
allowed = set(artist or ["skin"]) | {"crack"}
if not materials <= allowed or (count > 1 and materials != allowed):
    problems.append(f"the materials are {sorted(materials)}")
for material, expected in artist.items():
    if abs(found.get(material, 0) / expected - 1).max() > 1e-4:
        problems.append(f"{material} has areas of {found.get(material)}, not {expected}")
if len(survived) < len(known):
    problems.append(f"of {len(known)} places of the artist's, {len(known) - len(survived)} are not there any more")
if problems:
    sys.exit("\n".join(problems))
print(f"{len(pieces)} closed pieces, {closed} of them watertight for trimesh, volume off by {abs(total / volume - 1):.1e}")
