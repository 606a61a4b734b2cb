"""fcpw on soft bodies: FOLDER REPETITIONS BODY... One line of JSON each. Started by `scripts/bench`."""

import importlib.metadata
import json
import pathlib
import sys
import time

import fcpw
import numpy

folder, repetitions = pathlib.Path(sys.argv[1]), int(sys.argv[2])


def least(work):
    """The least of some times that this process works, in milliseconds."""
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1e3)
    return min(times)


def load(name, part, kind):
    return numpy.asfortranarray(numpy.load(folder / f"{name}_{part}.npy").astype(kind))


def built(points, triangles):
    scene = fcpw.scene_3D()
    scene.set_object_count(1)
    scene.set_object_vertices(points, 0)
    scene.set_object_triangles(triangles, 0)
    scene.build(fcpw.aggregate_type.bvh_surface_area, True)
    return scene


def listed(points):
    return fcpw.float_3D_list(list(numpy.ascontiguousarray(points)))


def asked(scene, points):
    """The time of closest points, and the distances."""
    radii = numpy.full(len(points), numpy.inf, numpy.float32)
    found = fcpw.interaction_3D_list()
    taken = least(lambda: scene.find_closest_points(points, radii, found))
    return taken, [interaction.d for interaction in found]


def body(name):
    rest, deformed, inner, colliding = (load(name, part, numpy.float32) for part in ("rest", "deformed", "inner", "colliding"))
    triangles = load(name, "triangles", numpy.int32)
    scene = built(rest, triangles)
    # fcpw wants lists of its own here, which take long to fill from Python: not timed.
    positions = [listed(rest), listed(deformed)]

    def refit(to):
        scene.update_object_vertices(positions[to], 0)
        scene.refit()

    def step():
        refit(0)
        start = time.process_time()
        refit(1)
        return (time.process_time() - start) * 1e3

    answer = {
        "version": importlib.metadata.version("fcpw"),
        "refit_ms": min(step() for _ in range(repetitions)),
        "build_ms": least(lambda: built(deformed, triangles)),
    }
    for kind, scene in (("refitted", scene), ("built", built(deformed, triangles))):
        for part, points in (("inner", inner), ("colliding", colliding)):
            answer[f"{kind}_{part}_ms"], answer[f"{kind}_{part}"] = asked(scene, points)
    return answer


for name in sys.argv[3:]:
    print(json.dumps({"name": name, **body(name)}), flush=True)
