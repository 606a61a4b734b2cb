"""Writes slab.vtk, a slab of tetrahedra, and slab.labels, a label for each of its nodes: a crack along a spiral, and one across it."""

import math

ACROSS, LAYERS, SIZE, THICK = 28, 3, 0.5, 0.05
# A cube in six tetrahedra about one diagonal: neighbours fit.
PATHS = [(0, 1, 3, 7), (0, 1, 5, 7), (0, 2, 3, 7), (0, 2, 6, 7), (0, 4, 5, 7), (0, 4, 6, 7)]
side, high = ACROSS + 1, LAYERS + 1

nodes = [(SIZE * (x / ACROSS - 0.5), SIZE * (y / ACROSS - 0.5), THICK * z / LAYERS)
         for z in range(high) for y in range(side) for x in range(side)]
tets = [[x + (c & 1) + side * (y + (c >> 1 & 1) + side * (z + (c >> 2))) for c in path]
        for z in range(LAYERS) for y in range(ACROSS) for x in range(ACROSS) for path in PATHS]


def label(x, y):
    turn = math.atan2(y, x) / (2 * math.pi)
    return int(math.hypot(x, y) / 0.09 - turn) % 2 + (2 if x > 0 else 0)


with open("slab.vtk", "w") as file:
    file.write("# vtk DataFile Version 3.0\nslab\nASCII\nDATASET UNSTRUCTURED_GRID\n")
    file.write(f"POINTS {len(nodes)} double\n" + "".join(f"{x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in nodes))
    file.write(f"CELLS {len(tets)} {5 * len(tets)}\n" + "".join(f"4 {a} {b} {c} {d}\n" for a, b, c, d in tets))
    file.write(f"CELL_TYPES {len(tets)}\n" + "10\n" * len(tets))
with open("slab.labels", "w") as file:
    file.write("".join(f"{label(x, y)}\n" for x, y, _ in nodes))
