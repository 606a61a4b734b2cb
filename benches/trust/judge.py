"""What is true of the pairs that fracas-trust wrote, by manifold3d, and how the library's answers compare.

    judge.py DIR [--name NAME] [--markdown FILE]

The common volume of each pair is cached in DIR/truth.f64: new answers to the same pairs need no new truth. The judge makes the
bodies itself where it can: hulls of corner lists; skins, trimmed by the half-spaces between a seed and all others. Of rough
fragments only our exported surface is known.
"""

import argparse
import hashlib
import json
import pathlib
import sys
import time

import numpy as np
from manifold3d import Error, Manifold, Mesh64

# A pair overlaps if it has more than this share of the smaller volume in common.
OVERLAP = 1e-4
# A pushed pair is resolved if no contact is deeper than this share of the smaller radius, and it does not overlap.
DEPTH_LEFT = 1e-3
# Gaps are measured up to this share of the smaller radius.
REACH = 0.05


def read(folder, name, columns):
    kind = {"f64": "<f8", "u32": "<u4"}[name.rsplit(".", 1)[1]]
    return np.fromfile(folder / name, dtype=kind).reshape(-1, columns)


def matrix(pose):
    """Rotation and translation of a pose: position, then x, y, z, w."""
    x, y, z, w = pose[3:7]
    turn = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])
    return turn, pose[:3]


def solid(points, triangles):
    """A closed mesh; points that no triangle uses are left out."""
    used, triangles = np.unique(triangles, return_inverse=True)
    mesh = Mesh64(np.ascontiguousarray(points[used]), triangles.reshape(-1, 3).astype(np.uint64))
    made = Manifold(mesh)
    if made.status() != Error.NoError or made.is_empty():
        return None
    return made


def properties(body):
    """Volume and centre of mass, by cones from the origin."""
    mesh = body.to_mesh64()
    a, b, c = (mesh.vert_properties[:, :3][mesh.tri_verts[:, k].astype(int)] for k in range(3))
    cones = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    return cones.sum(), (cones[:, None] * (a + b + c)).sum(0) / 4 / cones.sum()


class Bodies:
    """The bodies of a run, as the judge makes them."""

    def __init__(self, folder, index):
        self.index = index
        points, triangles = read(folder, "points.f64", 3), read(folder, "triangles.u32", 3)
        self.meshes, p, t = [], 0, 0
        for point_count, triangle_count in index["meshes"]:
            self.meshes.append((points[p : p + point_count], triangles[t : t + triangle_count]))
            p, t = p + point_count, t + triangle_count
        self.cells = {}
        self.skins = {}
        self.off = 0.0
        self.solids = [self.body(told) for told in index["bodies"]]
        self.volumes = np.array([0.0 if body is None else body.volume() for body in self.solids])
        self.radii = np.array([told["radius"] for told in index["bodies"]])

    def body(self, told):
        if told["truth"] == "hull":
            made = Manifold.hull_points(self.meshes[told["mesh"]][0])
        elif told["truth"] == "surface":
            made = solid(*self.meshes[told["mesh"]])
        else:
            made = self.part(told)
        if made is not None:
            self.off = max(self.off, abs(made.volume() / told["volume"] - 1))
        return made

    def part(self, told):
        """The part of a cell that the body is. Its centre tells which, if there are several."""
        key = told["break"], told["cell"]
        if key not in self.cells:
            self.cells[key] = self.trimmed(*key).decompose()
        centre, volume = np.array(told["centre"]), told["volume"]

        def distance(part):
            own, middle = properties(part)
            return np.linalg.norm(middle - centre) / told["radius"] + abs(own / volume - 1)

        return min(self.cells[key], key=distance, default=None)

    def trimmed(self, number, cell):
        broken = self.index["breaks"][number]
        if number not in self.skins:
            self.skins[number] = solid(*self.meshes[broken["mesh"]])
        seeds = np.array(broken["seeds"])
        left = self.skins[number]
        for other in np.delete(seeds, cell, axis=0):
            way = seeds[cell] - other
            length = np.linalg.norm(way)
            left = left.trim_by_plane(way / length, float(way @ (seeds[cell] + other)) / 2 / length)
        return left

    def common(self, a, b, pose_a, pose_b):
        """Common volume, and the gap if there is none, of two bodies; in the frame of the second, and about its place."""
        (turn_a, at_a), (turn_b, at_b) = matrix(pose_a), matrix(pose_b)
        turn, at = turn_b.T @ turn_a, turn_b.T @ (at_a - at_b)
        first, second = self.solids[a].transform(np.column_stack([turn, at])), self.solids[b]
        volume = (first ^ second).volume()
        reach = REACH * min(self.radii[a], self.radii[b])
        low_a, low_b = np.array(first.bounding_box()), np.array(second.bounding_box())
        if volume > 0:
            return volume, 0.0
        if (low_a[:3] > low_b[3:] + reach).any() or (low_b[:3] > low_a[3:] + reach).any():
            return 0.0, reach
        return 0.0, first.min_gap(second, reach)


class Progress:
    def __init__(self, what, count):
        self.what, self.count, self.start, self.said = what, count, time.time(), time.time()

    def at(self, done):
        if time.time() - self.said > 10:
            self.said = time.time()
            print(f"{self.what}: {done} of {self.count}, {self.said - self.start:.0f} s", flush=True)


def truth(folder, name, bodies, pairs, poses):
    """Common volumes and gaps of pairs in poses; computed once for each set of bodies, pairs and poses."""
    content = hashlib.sha256(bodies.index["hash"].encode() + pairs.tobytes() + poses.tobytes()).hexdigest()
    cached, key = folder / f"{name}.f64", folder / f"{name}.key"
    if cached.exists() and key.exists() and key.read_text() == content:
        return read(folder, cached.name, 2)
    found = np.zeros((len(pairs), 2))
    progress = Progress(f"{folder.name}: {name}", len(pairs))
    for k, (a, b, _) in enumerate(pairs):
        if bodies.solids[a] is None or bodies.solids[b] is None:
            found[k] = np.nan
        else:
            found[k] = bodies.common(a, b, poses[k, :7], poses[k, 7:])
        progress.at(k + 1)
    found.astype("<f8").tofile(cached)
    key.write_text(content)
    return found


def table(head, rows):
    """A Markdown table, columns aligned."""
    cells = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[k]) for row in cells) for k in range(len(head))]
    lines = ["| " + " | ".join(c.ljust(w) if k == 0 else c.rjust(w) for k, (c, w) in enumerate(zip(row, widths))) + " |" for row in cells]
    rule = "|" + "|".join("-" * (w + 2) if k == 0 else "-" * (w + 1) + ":" for k, w in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def percent(part, whole):
    return f"{100 * part / whole:.2f} %" if whole else "-"


def judged_by(bodies, numbers):
    by = {bodies.index["bodies"][k]["truth"] for k in numbers}
    return {"hull": "corners", "cell": "skin and seeds", "surface": "our surface"}[by.pop()] if len(by) == 1 else "mixed"


def overlaps(folder, bodies, pairs, poses, name):
    """Missed and invented overlaps by category."""
    volume, gap = truth(folder, "truth", bodies, pairs, poses).T
    contacts, deep = read(folder, f"answers-{name}.u32", 2).T
    depth = read(folder, f"answers-{name}.f64", 1)[:, 0]
    known = ~np.isnan(volume)
    share = volume / np.minimum(bodies.volumes[pairs[:, 0]], bodies.volumes[pairs[:, 1]]).clip(1e-300)
    radius = np.minimum(bodies.radii[pairs[:, 0]], bodies.radii[pairs[:, 1]])
    rows = []

    def row(title, own):
        real = own & known & (share > OVERLAP)
        missed, silent = real & (deep == 0), real & (contacts == 0)
        false = own & known & (deep > 0) & (volume == 0) & (gap > 0)
        most = 100 * share[missed].max() if missed.any() else 0
        deepest = 100 * (depth[false] / radius[false]).max() if false.any() else 0
        by = judged_by(bodies, pairs[own][:, :2].ravel())
        rows.append([
            title, by, own.sum(), real.sum(), missed.sum(), percent(missed.sum(), real.sum()), f"{most:.3g} %",
            (missed & (share > 0.01)).sum(), silent.sum(), percent(silent.sum(), real.sum()), false.sum(), f"{deepest:.2g} %",
        ])

    for k, title in enumerate(bodies.index["categories"]):
        if (pairs[:, 2] == k).any():
            row(title, pairs[:, 2] == k)
    row("**all**", np.ones(len(pairs), bool))
    head = [
        "category", "judged by", "pairs", "overlap by > 1e-4", "missed: no depth > 0", "share", "largest missed volume", "missed > 1 %",
        "no contact at all", "share", "false alarms", "deepest, of the radius",
    ]
    lines = [table(head, rows)]
    if not known.all():
        lines.append(f"\n{(~known).sum()} pairs are not judged: manifold3d took a surface for no solid.")
    lines.append(f"\nVolumes of the judge's bodies differ from ours by {bodies.off:.1e} at most.")
    return "\n".join(lines)


def pushouts(folder, bodies, pairs, poses):
    """How many pairs are apart after pushing, by category and rule."""
    smaller = np.minimum(bodies.volumes[pairs[:, 0]], bodies.volumes[pairs[:, 1]])
    before = truth(folder, "truth", bodies, pairs, poses)[:, 0] / smaller
    came = read(folder, "came.f64", 4)
    rows = []
    for run in bodies.index["runs"]:
        ends = read(folder, f"ends-{run}.f64", 9)
        steps, left = ends[:, 7], ends[:, 8]
        after = truth(folder, f"truth-{run}", bodies, pairs, np.column_stack([ends[:, :7], poses[:, 7:]]))[:, 0] / smaller
        known = ~np.isnan(before) & ~np.isnan(after)
        # A pair that does not overlap before needs no pushing.
        counted = known & (before > OVERLAP)
        quiet, apart = left <= DEPTH_LEFT, after < OVERLAP
        moved = ends[:, :3] - poses[:, :3]
        along = np.einsum("ij,ij->i", moved, came[:, :3])
        through = along > 0.5 * came[:, 3]
        length = np.linalg.norm(moved, axis=1) / came[:, 3]
        for k, title in enumerate(bodies.index["categories"]):
            own = counted & (pairs[:, 2] == k)
            good = own & quiet & apart
            rows.append([
                title, run, own.sum(), percent(good.sum(), own.sum()), percent((own & ~quiet).sum(), own.sum()),
                percent((own & quiet & ~apart).sum(), own.sum()), percent((good & through).sum(), own.sum()),
                f"{np.median(steps[good]) if good.any() else 0:.0f}", f"{np.median(length[good]) if good.any() else 0:.2f}",
            ])
    head = [
        "category", "query and rule", "pairs", "resolved", "contacts left", "no contacts, yet overlapping", "out on the far side",
        "steps, median", "way out / way in, median",
    ]
    order = sorted(range(len(rows)), key=lambda k: (bodies.index["categories"].index(rows[k][0]), k))
    return table(head, [rows[k] for k in order])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--name", default="default", help="of the answers")
    parser.add_argument("--markdown", type=pathlib.Path, help="append the table to this file")
    given = parser.parse_args()
    index = json.loads((given.folder / "index.json").read_text())
    bodies = Bodies(given.folder, index)
    bad = sum(body is None for body in bodies.solids)
    print(f"{given.folder.name}: {len(bodies.solids)} bodies made, {bad} are no solid to manifold3d", flush=True)
    pairs, poses = read(given.folder, "pairs.u32", 3), read(given.folder, "poses.f64", 14)
    is_pushed = index["kind"] == "pushout"
    text = pushouts(given.folder, bodies, pairs, poses) if is_pushed else overlaps(given.folder, bodies, pairs, poses, given.name)
    print(text)
    if given.markdown:
        title = {"few": "Overlaps: bodies of few nodes", "fragments": "Overlaps: fragments of eight bodies", "pushout": "Push-out"}[index["kind"]]
        with given.markdown.open("a") as out:
            out.write(f"\n## {title}\n\n{text}\n")


if __name__ == "__main__":
    sys.exit(main())
