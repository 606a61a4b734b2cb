"""ipctk on pairs of frames and on single queries: FOLDER CCD_FOLDER|- SCENE... One line of JSON each. Started by `scripts/bench`."""

import csv
import json
import pathlib
import sys
import time

import ipctk
import numpy

folder, ccd = pathlib.Path(sys.argv[1]), sys.argv[2]
ipctk.set_num_threads(1)
ipctk.set_logger_level(ipctk.LoggerLevel.error)


def timed(work):
    """Milliseconds that this process works, and what comes out."""
    start = time.process_time()
    made = work()
    return (time.process_time() - start) * 1e3, made


def step(name):
    start, end, triangles = (numpy.load(folder / f"{name}_{part}.npy") for part in ("start", "end", "triangles"))
    start, end = numpy.asfortranarray(start), numpy.asfortranarray(end)
    mesh = ipctk.CollisionMesh(start, ipctk.edges(triangles), triangles)
    candidates = ipctk.Candidates()
    build, _ = timed(lambda: candidates.build(mesh, start, end, 0.0, ipctk.LBVH()))
    search, size = timed(lambda: candidates.compute_collision_free_stepsize(mesh, start, end))
    return {"candidates": len(candidates), "candidates_ms": build, "step_ms": search, "size": size}


def queries(file):
    lines = list(csv.reader(file.open()))[1:]
    truths = [line[0] == "1" for line in lines]
    points = [numpy.array(line[-24:], dtype=float).reshape(8, 3) for line in lines]
    inclusion = ipctk.tight_inclusion
    test = inclusion.point_triangle_ccd if file.stem.endswith("_vf") else inclusion.edge_edge_ccd
    taken, found = timed(lambda: [test(*p, tolerance=1e-6, max_iterations=1_000_000)[0] for p in points])
    return {
        "false_positives": sum(f and not t for t, f in zip(truths, found)),
        "missed": sum(t and not f for t, f in zip(truths, found)),
        "microseconds": taken * 1e3 / len(lines),
    }


def say(name, answer):
    print(json.dumps({"name": name, **answer}), flush=True)


for scene in sys.argv[3:]:
    say(scene, step(scene))
if ccd != "-":
    for file in sorted(pathlib.Path(ccd).glob("*.csv")):
        say(file.stem, queries(file))
