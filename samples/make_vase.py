"""Writes vase.glb, the textured sample mesh: `python3 samples/make_vase.py`. Needs nothing but Python.

A vase with a wall of 8 mm: glazed outside, with a texture, a normal map that a KHR_texture_transform tiles, and a clear coat;
bare clay inside and below. Two materials, seams, and images in the file: what an artist's program would export.
"""

import json
import math
import pathlib
import struct
import zlib

AROUND = 36  # columns
WALL = 0.008


def png(width, height, pixel):
    """RGB, each row as differences to the pixel before it."""
    rows = b""
    for y in range(height):
        row = [c for x in range(width) for c in pixel((x + 0.5) / width, (y + 0.5) / height)]
        rows += b"\1" + bytes((c - (row[k - 3] if k > 2 else 0)) & 255 for k, c in enumerate(row))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def glaze(u, v):
    """Cream, with blue bands and a row of dots; v runs from the lip to the foot."""
    cream, blue, rust = (236, 228, 208), (38, 78, 138), (150, 74, 42)

    def edge(distance):  # 1 inside, 0 outside, over about a pixel
        return min(max(0.5 - distance * 256, 0), 1)

    bands = max(edge(abs(v - at) - half) for at, half in ((0.12, 0.012), (0.36, 0.02), (0.74, 0.02), (0.80, 0.006)))
    wave = edge(abs(v - 0.55 - 0.05 * math.sin(12 * math.pi * u)) - 0.014)
    dots = edge(math.hypot(((u * 18) % 1 - 0.5) / 18 * 1.6, v - 0.24) - 0.018)
    mixed = cream
    for share, colour in ((max(bands, wave), blue), (dots, rust)):
        mixed = tuple(a + (b - a) * share for a, b in zip(mixed, colour))
    return tuple(round(c) for c in mixed)


def dimples(u, v):
    """Shallow bowls on a square lattice; it tiles."""
    x, y = (u * 4) % 1 - 0.5, (v * 4) % 1 - 0.5
    distance = math.hypot(x, y)
    slope = 0.9 * math.sin(2 * math.pi * distance) if distance < 0.5 else 0
    nx, ny = (-slope * x / distance, slope * y / distance) if distance > 1e-6 else (0, 0)
    length = math.sqrt(nx * nx + ny * ny + 1)
    return tuple(round(127.5 + 127.5 * c / length) for c in (nx, ny, 1))


def radius(y):
    """Of the outside at a height: a Catmull-Rom curve through a few measures."""
    marks = ((-0.03, 0.030), (0, 0.036), (0.03, 0.045), (0.1, 0.060), (0.165, 0.040), (0.2, 0.029), (0.236, 0.038), (0.26, 0.045))
    k = max(k for k in range(1, len(marks) - 2) if marks[k][0] <= y)
    (y0, a), (y1, b), (y2, c), (y3, d) = marks[k - 1 : k + 3]
    t, step = (y - y1) / (y2 - y1), y2 - y1
    m1, m2 = (c - a) / (y2 - y0) * step, (d - b) / (y3 - y1) * step
    return ((2 * t - 3) * t * t + 1) * b + ((t - 2) * t + 1) * t * m1 + (3 - 2 * t) * t * t * c + (t - 1) * t * t * m2


# Profiles as (radius, height), from the middle of the foot over the lip to the bottom inside.
TOP = 0.236
outside = [(radius(TOP * k / 16), TOP * k / 16) for k in range(17)]
lip_middle = radius(TOP) - WALL / 2
lip = [(lip_middle + WALL / 2 * math.cos(a), TOP + WALL / 2 * math.sin(a)) for a in (math.pi * k / 4 for k in range(1, 5))]
inside = [(radius(y) - WALL, y) for y in (WALL + (TOP - WALL) * k / 12 for k in range(11, -1, -1))]
PARTS = [
    ("foot", "clay", [(0.0, 0.0), outside[0]]),
    ("outside", "glaze", outside + lip),
    ("inside", "clay", [lip[-1]] + inside),
    ("bottom", "clay", [inside[-1], (0.0, WALL)]),
]


def revolved(profile):
    """Vertices (position, normal, tangent, texture coordinates) and triangles."""
    lengths = [math.dist(a, b) for a, b in zip(profile, profile[1:])]
    vertices, triangles = [], []
    for j, (r, y) in enumerate(profile):
        before, after = profile[max(j - 1, 0)], profile[min(j + 1, len(profile) - 1)]
        dr, dy = after[0] - before[0], after[1] - before[1]
        n = math.hypot(dr, dy)
        for i in range(AROUND + 1):
            turn = 2 * math.pi * (i % AROUND) / AROUND
            c, s = math.cos(turn), math.sin(turn)
            normal = (dy / n * c, -dr / n, dy / n * s)
            uv = (1 - i / AROUND, 1 - sum(lengths[:j]) / sum(lengths))
            vertices.append(((r * c, y, r * s), normal, (s, 0, -c, 1), uv))
    for j in range(len(profile) - 1):
        for i in range(AROUND):
            a, b = j * (AROUND + 1) + i, (j + 1) * (AROUND + 1) + i
            if profile[j][0] > 0:
                triangles.append((a, b, a + 1))
            if profile[j + 1][0] > 0:
                triangles.append((b, b + 1, a + 1))
    return vertices, triangles


data, views, accessors = b"", [], []


def view(content, **more):
    global data
    views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(content), **more})
    data += content + b"\0" * (-len(content) % 4)
    return len(views) - 1


def accessor(rows, kind, component, code, target):
    flat = [c for row in rows for c in row]
    content = struct.pack(f"<{len(flat)}{code}", *flat)
    count = len(flat) if kind == "SCALAR" else len(rows)
    accessors.append({"bufferView": view(content, target=target), "componentType": component, "count": count, "type": kind})
    if kind == "VEC3":
        single = [struct.unpack("<3f", struct.pack("<3f", *row)) for row in rows]
        accessors[-1].update(min=[min(c) for c in zip(*single)], max=[max(c) for c in zip(*single)])
    return len(accessors) - 1


primitives = []
for _, material, profile in PARTS:
    vertices, triangles = revolved(profile)
    positions, normals, tangents, uvs = zip(*vertices)
    attributes = {
        "POSITION": accessor(positions, "VEC3", 5126, "f", 34962),
        "NORMAL": accessor(normals, "VEC3", 5126, "f", 34962),
        "TEXCOORD_0": accessor(uvs, "VEC2", 5126, "f", 34962),
    }
    if material == "glaze":
        attributes["TANGENT"] = accessor(tangents, "VEC4", 5126, "f", 34962)
    indices = accessor(triangles, "SCALAR", 5123, "H", 34963)
    primitives.append({"attributes": attributes, "indices": indices, "material": ["glaze", "clay"].index(material)})

document = {
    "asset": {"version": "2.0", "generator": "samples/make_vase.py"},
    "scene": 0,
    "scenes": [{"nodes": [0]}],
    "nodes": [{"name": "vase", "mesh": 0}],
    "meshes": [{"name": "vase", "primitives": primitives}],
    "materials": [
        {
            "name": "glaze",
            "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0, "roughnessFactor": 0.35},
            "normalTexture": {
                "index": 1,
                "scale": 0.6,
                "extensions": {"KHR_texture_transform": {"scale": [6, 4], "offset": [0.125, 0]}},
            },
            "extensions": {"KHR_materials_clearcoat": {"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.1}},
        },
        {
            "name": "clay",
            "pbrMetallicRoughness": {"baseColorFactor": [0.45, 0.2, 0.12, 1], "metallicFactor": 0, "roughnessFactor": 0.9},
        },
    ],
    "textures": [{"sampler": 0, "source": 0}, {"sampler": 1, "source": 1}],
    "samplers": [
        {"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 33071},
        {"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 10497},
    ],
    "images": [
        {"name": "glaze", "mimeType": "image/png", "bufferView": view(png(256, 256, glaze))},
        {"name": "dimples", "mimeType": "image/png", "bufferView": view(png(128, 128, dimples))},
    ],
    "extensionsUsed": ["KHR_materials_clearcoat", "KHR_texture_transform"],
}
document.update(accessors=accessors, bufferViews=views, buffers=[{"byteLength": len(data)}])
text = json.dumps(document, separators=(",", ":")).encode()
text += b" " * (-len(text) % 4)
chunks = struct.pack("<I", len(text)) + b"JSON" + text + struct.pack("<I", len(data)) + b"BIN\0" + data
pathlib.Path(__file__).with_name("vase.glb").write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks)
