// The live page: a body falls and breaks; a click breaks a piece where it was clicked, dragging throws it. Fracture and contacts are
// fracas in WebAssembly, solver.js moves the pieces, three.js draws them.

import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { load } from "../../../bindings/npm/index.js";
import { bodies } from "./bodies.js";
import { World, seconds, turned } from "./solver.js";

const element = (id) => document.getElementById(id);
const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const capacity = 400, mostSteps = 4, density = 2000;
/** Radii below this do not break any further, in metres. */
const crumb = 0.012;

/** The file's bytes, which build.mjs has packed into the page. */
async function unpack(text) {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const howTo = "Click a piece to break it there. Drag it to throw it. Drag the ground to look around.";
const say = (words) => (element("hint").textContent = words);
let world, fracas, stage;
const assets = new Map();
/** What is measured in a frame, in milliseconds, as a running mean; the last break by itself. */
const times = { contacts: 0, solver: 0, drawing: 0, break: 0 };
let seed = 1, fragile = null, waiting = 0, kind = "pot", lastBreak = null;

// ---------------------------------------------------------------------------------------------------------------- bodies

function asset(name) {
    if (!assets.has(name)) {
        const made = fracas.cook({ ...bodies[name].make(), density, gridCells: 32 }), body = made.body();
        // Once for nothing: browsers compile what runs for the first time, and the first break would take as long as all of that.
        const pieces = body.fracture({ pattern: "impact", count: 16, impactPoint: body.mass.centre, impactRadius: 0.3, seed: 1 });
        for (const piece of pieces) piece.surface();
        for (const one of [body, ...pieces]) one.dispose();
        assets.set(name, made);
    }
    return assets.get(name);
}

/** Puts one whole body in the air. It is fragile: it breaks where it meets the ground. */
function reset() {
    kind = element("body").value;
    world.clear();
    stage.clear();
    const body = asset(kind).body(), turn = new three.Quaternion(...bodies[kind].start).normalize();
    fragile = world.add(body, [0, 1, 0, ...turn.toArray()]);
    stage.shape(fragile.surface);
    stage.add(fragile);
    waiting = 0.55; // seconds in which one sees it whole
    lastBreak = null;
    times.break = 0;
    say(howTo);
}

/** Breaks a body by a blow at a point of the world; pieces near it fly apart at `burst` metres per second. */
function smash(item, point, direction, burst) {
    const start = performance.now(), wanted = Number(element("pieces").value), room = capacity - world.count;
    if (item.radius < crumb || room < 2) {
        say(room < 2 ? `There are ${world.count} bodies, which is enough: press Reset.` : "That one is too small to break.");
        return [];
    }
    const { pose } = item, back = [-pose[3], -pose[4], -pose[5], pose[6]];
    const local = turned(back, point.map((x, i) => x - pose[i])), before = momentum();
    const made = world.fracture(item, {
        pattern: "impact", count: wanted, maxFragments: Math.min(Math.ceil(1.25 * wanted), room), seed: ++seed, minVolumeShare: 2e-4,
        impactPoint: local, impactDirection: turned(back, direction), impactRadius: 1.3 * item.radius,
        roughness: Number(element("roughness").value),
    }, burst, point);
    if (made.length === 0) return made; // nothing was cut
    if (item === fragile) fragile = null;
    say(howTo);
    stage.remove(item);
    made.forEach((piece, k) => stage.add(piece, k + 1));
    times.break = performance.now() - start;
    lastBreak = { wanted, made: made.length, before, after: momentum() };
    return made;
}

/** Mass and momentum of all bodies. */
function momentum() {
    const sum = { mass: 0, momentum: [0, 0, 0] };
    for (const { row, mass } of world.bodies) {
        sum.mass += mass;
        for (let i = 0; i < 3; ++i) sum.momentum[i] += mass * world.velocity[3 * row + i];
    }
    return sum;
}

function step() {
    if (waiting > 0) {
        waiting -= seconds;
        return;
    }
    if (world.isResting) return;
    world.step(fragile && land);
    stage.stale = true;
}

/** Breaks the first body where it meets the ground. */
function land() {
    return smash(fragile, [...world.points.subarray(0, 3)], [0, 1, 0], 1.2).length > 0;
}

// --------------------------------------------------------------------------------------------------------------- picture

class Stage {
    constructor() {
        this.renderer = new three.WebGLRenderer({ antialias: true });
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        this.renderer.shadowMap.enabled = true;
        this.canvas = this.renderer.domElement;
        document.body.prepend(this.canvas);
        this.scene = new three.Scene();
        this.camera = new three.PerspectiveCamera(34, 1, 0.05, 40);
        this.orbit = new OrbitControls(this.camera, this.canvas);
        Object.assign(this.orbit, { maxPolarAngle: 0.49 * Math.PI, minDistance: 0.5, maxDistance: 8, enablePan: false });
        this.orbit.addEventListener("change", () => (this.stale = true));
        /** Drawn again only when something has changed: a page at rest costs nothing. */
        this.stale = true;
        this.sky = new three.HemisphereLight();
        this.sun = new three.DirectionalLight("white", 1.9);
        this.sun.position.set(-1.2, 2.6, 1.1);
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(2048, 2048);
        this.sun.shadow.normalBias = 0.004;
        Object.assign(this.sun.shadow.camera, { left: -1.6, right: 1.6, bottom: -1.6, top: 1.6, near: 0.5, far: 6 });
        this.ground = new three.Mesh(new three.CircleGeometry(12, 64).rotateX(-Math.PI / 2), new three.MeshStandardMaterial({ roughness: 1 }));
        this.ground.receiveShadow = true;
        this.scene.fog = new three.Fog("white", 3, 9);
        this.meshes = new Map();
        this.contacts = contactPoints();
        this.string = new three.Line(new three.BufferGeometry().setAttribute("position", new three.BufferAttribute(new Float32Array(6), 3)),
            new three.LineBasicMaterial({ depthTest: false, transparent: true }));
        this.string.frustumCulled = this.string.visible = false;
        this.scene.add(this.sky, this.sun, this.ground, this.contacts, this.string);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
        this.paint();
        addEventListener("resize", () => this.resize());
        this.resize();
    }

    paint() {
        this.scene.background = new three.Color(tone("sky"));
        this.scene.fog.color.copy(this.scene.background);
        this.sky.color.set(tone("sky-light"));
        this.sky.groundColor.set(tone("ground-light"));
        this.sky.intensity = Number(tone("sky-strength"));
        this.ground.material.color.set(tone("ground"));
        this.string.material.color.set(tone("accent"));
        this.stale = true;
    }

    resize() {
        this.renderer.setSize(innerWidth, innerHeight);
        const { camera } = this, narrow = innerWidth < innerHeight;
        camera.aspect = innerWidth / innerHeight;
        camera.updateProjectionMatrix();
        if (narrow !== this.narrow) { // else the view is the visitor's
            this.narrow = narrow;
            this.orbit.target.set(0, narrow ? 0.1 : 0.3, 0); // on a narrow page the controls cover the lower part
            camera.position.set(0.75, 0.85, 1.9).multiplyScalar(narrow ? 1.9 : 1.05).add(this.orbit.target);
        }
        this.orbit.update();
        this.stale = true;
    }

    clear() {
        for (const item of [...this.meshes.keys()]) this.remove(item);
    }

    /** Normals of a whole body's skin, at the corners of its triangles: round where they meet at less than 40 degrees. */
    shape({ positions, indices }) {
        const faces = new Float32Array(indices.length), at = new Map();
        for (let t = 0; t < indices.length; t += 3) {
            normalOf(positions, indices, t, faces);
            for (let k = 0; k < 3; ++k) {
                if (!at.has(indices[t + k])) at.set(indices[t + k], []);
                at.get(indices[t + k]).push(t);
            }
        }
        this.normals = new Float32Array(3 * indices.length);
        for (let t = 0; t < indices.length; t += 3) {
            const length = Math.hypot(faces[t], faces[t + 1], faces[t + 2]);
            for (let k = 0; k < 3; ++k) {
                const sum = [0, 0, 0];
                for (const u of at.get(indices[t + k])) {
                    const dot = faces[t] * faces[u] + faces[t + 1] * faces[u + 1] + faces[t + 2] * faces[u + 2];
                    if (dot < Math.cos(0.7) * length * Math.hypot(faces[u], faces[u + 1], faces[u + 2])) continue;
                    for (let i = 0; i < 3; ++i) sum[i] += faces[u + i];
                }
                this.normals.set(sum.map((x) => x / Math.hypot(...sum)), 3 * (t + k));
            }
        }
    }

    /** A body's mesh: skin with the normals of the whole body, cracks flat. */
    add(item, shade = 0) {
        const { positions, indices, cracks, sources, uvs } = item.surface, corners = indices.length, { normals } = this;
        const points = new Float32Array(3 * corners), directions = new Float32Array(3 * corners), flat = new Float32Array(3 * corners);
        let skin = 0, last = corners;
        for (let t = 0; t < corners; t += 3) {
            const crack = cracks[t / 3], to = crack ? (last -= 3) : (skin += 3) - 3, source = 9 * sources[t / 3];
            if (crack) normalOf(positions, indices, t, flat);
            const length = crack ? Math.hypot(flat[t], flat[t + 1], flat[t + 2]) || 1 : 1;
            for (let k = 0; k < 3; ++k) {
                const a = uvs[2 * (t + k)], b = uvs[2 * (t + k) + 1], c = 1 - a - b, out = 3 * (to + k);
                for (let i = 0; i < 3; ++i) {
                    points[out + i] = positions[3 * indices[t + k] + i];
                    directions[out + i] = crack ? flat[t + i] / length
                        : a * normals[source + i] + b * normals[source + 3 + i] + c * normals[source + 6 + i];
                }
            }
        }
        const geometry = new three.BufferGeometry();
        geometry.setAttribute("position", new three.BufferAttribute(points, 3));
        geometry.setAttribute("normal", new three.BufferAttribute(directions, 3));
        geometry.addGroup(0, skin, 0);
        geometry.addGroup(skin, corners - skin, 1);
        const mesh = new three.Mesh(geometry, materials(kind, shade));
        mesh.castShadow = mesh.receiveShadow = true;
        this.meshes.set(item, mesh);
        this.scene.add(mesh);
        this.stale = true;
        item.surface = null; // it is drawn now
    }

    remove(item) {
        const mesh = this.meshes.get(item);
        mesh.geometry.dispose();
        this.scene.remove(mesh);
        this.meshes.delete(item);
    }

    draw() {
        this.stale = false;
        for (const [{ pose }, mesh] of this.meshes) {
            mesh.position.fromArray(pose, 0);
            mesh.quaternion.fromArray(pose, 3);
        }
        const { geometry } = this.contacts;
        this.contacts.visible = element("showContacts").checked;
        if (this.contacts.visible) {
            geometry.attributes.position.needsUpdate = true;
            geometry.setDrawRange(0, world.contacts);
        }
        const { row, point, target } = world.hold;
        this.string.visible = row >= 0;
        if (row >= 0) {
            const { position } = this.string.geometry.attributes;
            position.array.set(point, 0);
            position.array.set(target, 3);
            position.needsUpdate = true;
        }
        this.renderer.render(this.scene, this.camera);
    }
}

/** Cross product of two edges: normal times twice the area. */
function normalOf(positions, indices, t, out) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    out[t] = uy * vz - uz * vy;
    out[t + 1] = uz * vx - ux * vz;
    out[t + 2] = ux * vy - uy * vx;
}

const madeMaterials = new Map();

/** Skin and cracks of a kind of body, in seven shades, so that pieces show before they part. */
function materials(name, shade) {
    const key = `${name} ${shade % 7}`;
    if (!madeMaterials.has(key)) {
        const lighter = shade === 0 ? 0 : (((shade % 7) * 3) % 7) * 0.012 - 0.03;
        madeMaterials.set(key, [bodies[name].colour, bodies[name].crack].map((colour) =>
            new three.MeshStandardMaterial({ color: new three.Color(colour).offsetHSL(0, 0, lighter), roughness: 0.7 })));
    }
    return madeMaterials.get(key);
}

function contactPoints() {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(world.points, 3).setUsage(three.DynamicDrawUsage));
    const material = new three.PointsMaterial({ color: 0x1668e0, size: 5, sizeAttenuation: false, depthTest: false, transparent: true });
    const points = new three.Points(geometry, material);
    points.frustumCulled = false;
    points.renderOrder = 1;
    return points;
}

// --------------------------------------------------------------------------------------------------------------- pointer

const ray = new three.Raycaster(), plane = new three.Plane(), spot = new three.Vector3();

function aim({ clientX, clientY }) {
    spot.set((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight, 0);
    ray.setFromCamera(spot, stage.camera);
}

/** The first body under the pointer, asked of the library; null if there is none. */
function pick(event) {
    aim(event);
    const origin = ray.ray.origin.toArray(), direction = ray.ray.direction.toArray();
    let best = null;
    for (const item of world.bodies) {
        const hit = item.body.rayCast(item.pose, origin, direction, best?.distance ?? 20);
        if (hit && (!best || hit.distance < best.distance)) best = { item, distance: hit.distance };
    }
    if (best) best.point = origin.map((x, i) => x + best.distance * direction[i]);
    return best;
}

function listen(canvas) {
    let pressed = null;
    // Before the camera's listener, which would turn the view.
    canvas.addEventListener("pointerdown", (event) => {
        if (pressed || event.button !== 0) return;
        const hit = pick(event);
        if (!hit) return;
        event.stopImmediatePropagation();
        canvas.setPointerCapture(event.pointerId);
        pressed = { ...hit, id: event.pointerId, x: event.clientX, y: event.clientY, direction: ray.ray.direction.toArray(), dragged: false };
        plane.setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new three.Vector3()), new three.Vector3(...hit.point));
    }, { capture: true });
    canvas.addEventListener("pointermove", (event) => {
        if (!pressed) {
            if (event.pointerType === "mouse" && event.buttons === 0) canvas.classList.toggle("over", pick(event) !== null);
            return;
        }
        if (event.pointerId !== pressed.id) return;
        const { item } = pressed, { hold } = world;
        if (!pressed.dragged && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 6 && world.bodies[item.row] === item) {
            const { pose } = item, at = world.position.subarray(3 * item.row, 3 * item.row + 3);
            pressed.dragged = true;
            hold.row = item.row;
            // Where it is held, in the body: from what was clicked, though it may have moved since.
            hold.local.set(turned([-pose[3], -pose[4], -pose[5], pose[6]], pressed.point.map((x, i) => x - at[i])));
            canvas.classList.add("held");
            if (item === fragile) waiting = 0;
        }
        if (pressed.dragged) {
            aim(event);
            if (ray.ray.intersectPlane(plane, spot)) hold.target.set([spot.x, Math.max(spot.y, 0.02), spot.z]);
        }
    });
    const release = (event) => {
        if (!pressed || event.pointerId !== pressed.id) return;
        const { item, point, direction, dragged } = pressed;
        pressed = null;
        world.hold.row = -1;
        canvas.classList.remove("held");
        if (!dragged && event.type === "pointerup" && world.bodies[item.row] === item) smash(item, point, direction, 1.6);
    };
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, release);
}

// ---------------------------------------------------------------------------------------------------------------- frames

const mean = (name, value) => (times[name] += 0.08 * (value - times[name]));
const text = (id, words) => element(id).textContent !== words && (element(id).textContent = words);
const ms = (value) => `${value.toFixed(value < 9.95 ? 2 : 1)} ms`;
let last = 0, owed = 0, shown = 0;

function frame(now) {
    requestAnimationFrame(frame);
    owed = Math.min(owed + (now - last) / 1000, mostSteps * seconds);
    last = now;
    world.times.contacts = world.times.solver = 0;
    if (element("pause").checked) owed = 0;
    for (; owed >= seconds; owed -= seconds) step();
    if (stage.stale) {
        const start = performance.now();
        stage.draw();
        mean("drawing", performance.now() - start);
        mean("contacts", world.times.contacts);
        mean("solver", world.times.solver);
    }
    if (now - shown < 150) return;
    shown = now;
    text("count", String(world.count));
    text("contactCount", String(world.contacts));
    text("timeAll", ms(times.contacts + times.solver + times.drawing));
    text("timeContacts", ms(times.contacts));
    text("timeSolver", ms(times.solver));
    text("timeDrawing", ms(times.drawing));
    text("timeBreak", times.break ? ms(times.break) : "–");
}

function show() {
    element("piecesShown").textContent = element("pieces").value;
    stage.stale = true; // contacts may have been asked for
    element("roughnessShown").textContent = `${(100 * Number(element("roughness").value)).toFixed(1)} %`;
}

function onPage(point) {
    const { x, y } = point.project(stage.camera);
    return [((x + 1) / 2) * innerWidth, ((1 - y) / 2) * innerHeight];
}

/** The lowest corner of any body, the deepest overlap of any two, and the largest distance from the middle. */
function overlap() {
    let [lowest, deepest, farthest] = [Infinity, 0, 0];
    const contacts = fracas.contacts(64), point = new three.Vector3();
    stage.draw();
    for (const [a, { geometry, matrixWorld }] of stage.meshes) {
        const { position } = geometry.attributes;
        for (let k = 0; k < position.count; ++k) lowest = Math.min(lowest, point.fromBufferAttribute(position, k).applyMatrix4(matrixWorld).y);
        farthest = Math.max(farthest, Math.hypot(a.pose[0], a.pose[2]));
        for (const b of world.bodies) {
            if (b.row >= a.row) continue;
            fracas.queryPair(a.body, a.pose, b.body, b.pose, contacts);
            for (let k = 0; k < contacts.count; ++k) deepest = Math.max(deepest, contacts.floats[8 * k + 3]);
        }
    }
    contacts.dispose();
    return { lowest, deepest, farthest };
}

try {
    const wasm = element("wasm");
    fracas = await load(await unpack(wasm.textContent));
    wasm.remove();
    world = new World(fracas, capacity);
    stage = new Stage();
    for (const [name, { name: shownName }] of Object.entries(bodies)) element("body").add(new Option(shownName, name));
    const controls = element("controls");
    controls.addEventListener("submit", (event) => event.preventDefault());
    controls.addEventListener("input", show);
    element("body").addEventListener("change", reset);
    element("reset").addEventListener("click", reset);
    element("pause").checked = location.hash === "#paused";
    listen(stage.canvas);
    show();
    reset();
    requestAnimationFrame((now) => {
        last = now;
        frame(now);
    });
    // For the tests, which step without drawing.
    window.live = {
        world, step, momentum,
        get lastBreak() { return lastBreak; },
        /** Where a body's centre is on the page; and a place there where the body is the first thing under the pointer. */
        place: (k) => onPage(new three.Vector3(...world.position.subarray(3 * k, 3 * k + 3))),
        visible: (k) => {
            stage.draw();
            const { geometry, matrixWorld } = stage.meshes.get(world.bodies[k]), { position } = geometry.attributes;
            for (let t = 0; t < position.count; t += 3) {
                const middle = new three.Vector3();
                for (let j = 0; j < 3; ++j) middle.addScaledVector(spot.fromBufferAttribute(position, t + j), 1 / 3);
                const [x, y] = onPage(middle.applyMatrix4(matrixWorld));
                if (pick({ clientX: x, clientY: y })?.item.row === k) return [x, y];
            }
            return null;
        },
        overlap,
    };
} catch (error) {
    element("failure").textContent = `This page needs WebAssembly with exceptions, and WebGL, which current browsers have: ${error.message}`;
    element("failure").hidden = false;
    say("");
    console.error(error);
}
