"""Writes a surface and tetrahedra in every format that trimesh and meshio know, and prints the names of the files."""

import itertools

import meshio
import numpy
import trimesh

ball = trimesh.creation.icosphere(subdivisions=2, radius=0.125)
for name in ["obj", "ply", "stl", "glb", "gltf"]:
    if name == "gltf":
        for file, data in trimesh.exchange.gltf.export_gltf(trimesh.Scene(ball)).items():
            with open(f"surface.{name}" if file.endswith("gltf") else file, "wb") as out:
                out.write(data)
    else:
        ball.export(f"surface.{name}")
    print(f"surface.{name}")
for name, kind in [("text.stl", "stl_ascii"), ("text.ply", None)]:
    data = trimesh.exchange.export.export_mesh(ball, None, kind or "ply", **({} if kind else {"encoding": "ascii"}))
    with open(f"surface-{name}", "wb") as out:
        out.write(data.encode() if isinstance(data, str) else data)
    print(f"surface-{name}")

# A block of cubes, each cut into six tetrahedra around a diagonal.
size = (3, 2, 2)
points = [[x / 8, y / 8, z / 8] for x, y, z in itertools.product(*(range(n + 1) for n in size))]
number = lambda p: (p[0] * (size[1] + 1) + p[1]) * (size[2] + 1) + p[2]
tets = []
for corner in itertools.product(*(range(n) for n in size)):
    for order in itertools.permutations(range(3)):
        at = list(corner)
        tet = [number(at)]
        for axis in order:
            at[axis] += 1
            tet.append(number(at))
        tets.append(tet)
mesh = meshio.Mesh(numpy.array(points), [("tetra", numpy.array(tets))], cell_data={"weight": [numpy.arange(len(tets)) * 1.0]})
for name, options in {
    "22.msh": dict(file_format="gmsh22", binary=False),
    "22b.msh": dict(file_format="gmsh22", binary=True),
    "41.msh": dict(file_format="gmsh", binary=False),
    "41b.msh": dict(file_format="gmsh", binary=True),
    "42.vtk": dict(file_format="vtk42", binary=False),
    "42b.vtk": dict(file_format="vtk42", binary=True),
    "51.vtk": dict(file_format="vtk51", binary=False),
    "51b.vtk": dict(file_format="vtk51", binary=True),
    "text.vtu": dict(file_format="vtu", binary=False),
    "plain.vtu": dict(file_format="vtu", binary=True, compression=None),
    "zlib.vtu": dict(file_format="vtu", binary=True, compression="zlib"),
    "one.node": dict(file_format="tetgen"),
}.items():
    meshio.write(f"tets-{name}", mesh, **options)
    print(f"tets-{name}")
