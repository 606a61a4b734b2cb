// The picture of a replay: bodies, ground, light and the overlay of contacts. It draws only when something has changed.

import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { tone } from "./dom.js";
import { DeformingMeshes } from "./meshes.js";

const up = new three.Vector3(0, 0, 1);
const view = new three.Vector3(0.55, -1, 0.62).normalize();
/** Seconds of the film in which the camera goes from the whole scene to where things usually are. */
const approach = [0.3, 1.5];

export class Stage {
    /** Throws if the browser has no WebGL. `host` is the element to fill. */
    constructor(host) {
        this.host = host;
        this.renderer = new three.WebGLRenderer({ antialias: true });
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.autoUpdate = false;
        host.append(this.renderer.domElement);

        this.camera = new three.PerspectiveCamera(32, 1, 0.01, 100);
        this.camera.up.copy(up);
        this.controls = new OrbitControls(this.camera, this.renderer.domElement);
        this.controls.maxPolarAngle = 0.495 * Math.PI;
        this.controls.addEventListener("change", () => this.draw());
        this.controls.addEventListener("start", () => (this.held = true)); // from now on the camera is the reader's
        this.scene = new three.Scene();
        this.sky = new three.HemisphereLight();
        this.sky.position.copy(up);
        this.sun = new three.DirectionalLight("white", 2);
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(2048, 2048);
        this.sun.shadow.radius = 3;
        this.scene.fog = new three.Fog("white", 1, 2);
        this.set = new three.Group();
        this.contacts = new ContactOverlay();
        this.scene.add(this.sky, this.sun, this.sun.target, this.set, this.contacts.group);
        this.wire = false;
        this.paint();

        new ResizeObserver(() => this.resize()).observe(host);
        this.resize();
    }

    /** Takes the colours of the style sheet. */
    paint() {
        this.scene.background = new three.Color(tone("sky"));
        this.scene.fog.color.copy(this.scene.background);
        this.sky.color.set(tone("sky-light"));
        this.sky.groundColor.set(tone("ground-light"));
        this.sky.intensity = Number(tone("sky-strength"));
        sceneryMaterial.color.set(tone("scenery"));
        groundMaterial.color.set(tone("ground"));
        gridMaterial.color.set(tone("grid"));
        this.draw();
    }

    /**
     * Puts a replay on the stage, in place of the last one; null empties it. `seconds`: when the camera is to approach, if not as always;
     * `frame`: where to look, if not where this replay says.
     */
    show(replay, seconds, frame) {
        for (const child of this.set.children) child.geometry.dispose();
        for (const actor of this.actors ?? []) actor.dispose?.();
        this.set.clear();
        this.contacts.show(null);
        this.replay = replay;
        this.actors = [];
        if (!replay) return this.draw();

        const geometries = replay.meshes.map(geometryOf);
        this.actors = replay.bodies.map((body) => {
            const geometry = geometries[body.mesh];
            const ground = body.fixed && isGround(geometry); // what never moves is scenery: the floor, the shelf
            const mesh = new three.Mesh(geometry, ground ? groundMaterial : body.fixed ? sceneryMaterial : bodyMaterials(body.group));
            mesh.castShadow = !ground;
            mesh.receiveShadow = true;
            mesh.matrixAutoUpdate = false;
            mesh.renderOrder = ground ? -2 : 0;
            this.set.add(mesh);
            return rigid({ ...body, mesh, ground });
        });
        if (replay.deforming) {
            const meshes = new DeformingMeshes(replay.deforming, surface);
            this.set.add(meshes.mesh, meshes.transparent.mesh);
            this.contacts.group.add(meshes.colliding);
            this.actors.push(meshes, meshes.transparent);
        }
        this.frame = frame ?? { ...frameOf(this.actors, replay), ...(seconds && { seconds }) };
        const ground = this.actors.find((actor) => actor.ground);
        this.hasGround = ground !== undefined;
        if (ground) this.set.add(gridOn(ground, this.frame));
        this.contacts.show(replay, 0.4 * this.frame.usual);
        this.wires(this.wire);
        this.light();
        this.now = 0;
        this.resetView();
        this.at(0);
    }

    /** Shows a moment, in seconds; bodies glide between frames. */
    at(seconds) {
        if (!this.replay) return;
        const place = Math.min(Math.max(seconds / this.replay.secondsPerFrame, 0), this.replay.frameCount - 1);
        const frame = Math.floor(place);
        for (const actor of this.actors) actor.at(frame, place - frame);
        this.contacts.at(frame);
        this.now = seconds;
        this.aim(seconds);
        this.renderer.shadowMap.needsUpdate = true;
        this.draw();
    }

    resetView() {
        if (!this.replay) return;
        this.held = false;
        this.controls.minDistance = 0.05 * this.frame.radius;
        this.controls.maxDistance = 20 * this.frame.radius;
        this.aim(this.now ?? 0);
    }

    /** Sets the camera for a moment, unless the reader holds it. */
    aim(seconds) {
        if (this.held) return;
        const { opening, close } = this.frame, share = three.MathUtils.smoothstep(seconds, ...this.frame.seconds);
        const [first, last] = [opening, close].map((box) => distanceToSee(box, box.getCenter(new three.Vector3()), this.camera));
        opening.getCenter(this.controls.target).lerp(close.getCenter(next), share);
        this.camera.position.copy(this.controls.target).addScaledVector(view, 1.05 * three.MathUtils.lerp(first, last, share));
        this.controls.update();
        this.draw();
    }

    /** Edges of the triangles, over the bodies. Lines are made when they are first asked for. */
    wires(on) {
        this.wire = on;
        for (const { mesh, ground } of this.actors ?? []) {
            if (on && !ground && mesh.children.length === 0) {
                const lines = new three.Mesh(mesh.geometry, wireMaterial);
                lines.matrixAutoUpdate = false;
                mesh.add(lines);
            }
            for (const lines of mesh.children) lines.visible = on;
        }
        this.draw();
    }

    light() {
        const { centre, radius } = this.frame, reach = 1.6 * radius;
        this.sun.target.position.copy(centre);
        this.sun.position.set(-0.5, -0.45, 1).normalize().multiplyScalar(4 * radius).add(centre);
        this.sun.shadow.normalBias = 0.003 * radius;
        Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, bottom: -reach, top: reach, near: radius, far: 8 * radius });
        this.sun.shadow.camera.updateProjectionMatrix();
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.host;
        if (width === 0 || height === 0) return;
        this.renderer.setSize(width, height);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        if (this.replay) this.aim(this.now);
        this.render();
    }

    /** Asks for a picture; many askings give one. */
    draw() {
        this.waiting ??= requestAnimationFrame(() => this.render());
    }

    render() {
        cancelAnimationFrame(this.waiting);
        this.waiting = null;
        const away = this.camera.position.distanceTo(this.controls.target);
        Object.assign(this.camera, { near: 0.02 * away, far: 12 * away });
        this.camera.updateProjectionMatrix();
        const radius = this.frame?.radius ?? 1;
        Object.assign(this.scene.fog, { near: away + 0.6 * radius, far: away + 4 * radius });
        this.renderer.render(this.scene, this.camera);
    }
}

/** What the reader does with one camera the others do too. */
export function lockViews(stages) {
    for (const stage of stages)
        stage.controls.addEventListener("change", () => {
            if (!stage.held) return;
            for (const other of stages) {
                if (other === stage || !other.replay) continue;
                other.held = true;
                other.camera.position.copy(stage.camera.position);
                other.camera.quaternion.copy(stage.camera.quaternion);
                other.controls.target.copy(stage.controls.target);
                other.draw();
            }
        });
}

const surface = { flatShading: true, roughness: 0.75, metalness: 0, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
const sceneryMaterial = new three.MeshStandardMaterial({ ...surface, side: three.DoubleSide });
const groundMaterial = new three.MeshStandardMaterial({ ...surface, roughness: 1, dithering: true, side: three.DoubleSide });
const gridMaterial = new three.LineBasicMaterial({ depthTest: false, depthWrite: false });
const wireMaterial = new three.MeshBasicMaterial({ wireframe: true, color: "black", transparent: true, opacity: 0.22 });

const madeMaterials = new Map();

/** Skin and cracks of what was one body once: hues go round by the golden angle, so neighbours differ. */
function bodyMaterials(group) {
    if (!madeMaterials.has(group)) {
        const hue = (0.055 + group * 0.381966) % 1;
        const skin = new three.Color().setHSL(hue, 0.52, 0.5), crack = new three.Color().setHSL(hue, 0.6, 0.78);
        madeMaterials.set(group, [skin, crack].map((color) => new three.MeshStandardMaterial({ ...surface, color })));
    }
    return madeMaterials.get(group);
}

function geometryOf({ positions, indices, crackStart }) {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(positions, 3));
    geometry.setIndex(new three.BufferAttribute(indices, 1));
    geometry.addGroup(0, 3 * crackStart, 0);
    geometry.addGroup(3 * crackStart, indices.length - 3 * crackStart, 1);
    geometry.computeVertexNormals(); // shadows ask for them; shading takes the faces'
    geometry.computeBoundingSphere();
    geometry.computeBoundingBox();
    return geometry;
}

function isGround({ boundingBox: { min, max } }) {
    const width = Math.min(max.x - min.x, max.y - min.y);
    return width >= 2 && max.z - min.z < 0.1 * width;
}

/**
 * Squares of 10 cm, as far as one sees through the fog. Every edge is a line of its own, as some drivers drop long lines that pass
 * behind the camera. A plane has no end: what is flat is drawn larger, so that its edge is in the fog too.
 */
function gridOn({ track, mesh: { geometry } }, { centre, radius }) {
    const { min, max } = geometry.boundingBox, ends = [], reach = Math.min(Math.ceil(50 * radius), 120);
    if (max.z - min.z < 1e-4) geometry.scale(8, 8, 1);
    const middle = centre.toArray().map((x, k) => Math.round(10 * (x - track[k])));
    const corner = (column, row) => ends.push(0.1 * (middle[0] + column), 0.1 * (middle[1] + row), max.z);
    for (let row = -reach; row <= reach; ++row)
        for (let column = -reach; column <= reach; ++column) {
            if (column < reach) corner(column, row), corner(column + 1, row);
            if (row < reach) corner(column, row), corner(column, row + 1);
        }
    const grid = new three.LineSegments(new three.BufferGeometry().setAttribute("position", new three.Float32BufferAttribute(ends, 3)), gridMaterial);
    grid.position.fromArray(track);
    grid.renderOrder = -1; // over the ground, below all else
    return grid;
}

const from = new three.Quaternion(), to = new three.Quaternion(), place = new three.Vector3(), next = new three.Vector3(), scale = new three.Vector3();

/** The pose `between` (0 to 1) a frame of a body's life and the next one, if it lives as long. */
function setPose({ track, mesh, scale: size }, frame, between) {
    place.fromArray(track, 7 * frame);
    from.fromArray(track, 7 * frame + 3);
    if (between > 0 && 7 * (frame + 1) < track.length) {
        place.lerp(next.fromArray(track, 7 * (frame + 1)), between);
        from.slerp(to.fromArray(track, 7 * (frame + 1) + 3), between);
    }
    mesh.matrix.compose(place, from.normalize(), scale.setScalar(size));
    mesh.matrixWorldNeedsUpdate = true;
}

/** An actor that is a body with a track. */
function rigid(actor) {
    const lives = (frame) => actor.first <= frame && frame < actor.end;
    return Object.assign(actor, {
        size: actor.scale * actor.mesh.geometry.boundingSphere.radius,
        at(frame, between) {
            actor.mesh.visible = lives(frame);
            if (actor.mesh.visible) setPose(actor, frame - actor.first, between);
        },
        boxes(frame) {
            if (!lives(frame)) return [];
            setPose(actor, frame - actor.first, 0);
            return [actor.mesh.geometry.boundingSphere.clone().applyMatrix4(actor.mesh.matrix).getBoundingBox(new three.Box3())];
        },
    });
}

/** Where to look: where things usually are, without the few that fly off; and the whole, with where they start. */
function frameOf(actors, { frameCount, secondsPerFrame, deforming, depths }) {
    const moving = actors.filter((actor) => !actor.fixed), of = moving.length > 0 ? moving : actors.filter((actor) => !actor.ground);
    const axes = [[], [], []], stride = Math.max(1, Math.floor(frameCount / 60)), starts = new three.Box3();
    for (let frame = 0; frame < frameCount; frame += stride)
        for (const box of of.flatMap((actor) => actor.boxes(frame))) {
            for (const corner of [box.min, box.max]) corner.toArray().forEach((x, k) => axes[k].push(x));
            if (frame === 0) starts.union(box);
        }
    const [low, high] = [0.05, 0.95].map((share) => new three.Vector3(...axes.map((values) => values.sort((a, b) => a - b)[Math.floor(share * values.length)] ?? 0)));
    const close = new three.Box3(low, high), whole = close.clone().union(starts);
    const sizes = of.map(({ size }) => size).sort((a, b) => a - b);
    const soft = deforming !== null && depths.length > 0, radius = Math.max(whole.getSize(place).length() / 2, 1e-3);
    // What explodes is seen from near at first; soft bodies, which have forces, fall like others.
    const [opening, seconds] = deforming && !soft ? [starts, [0.15, 0.85].map((share) => share * frameCount * secondsPerFrame)] : [whole, approach];
    return {
        opening, close, seconds, radius,
        centre: whole.getCenter(new three.Vector3()),
        usual: soft ? radius : sizes[Math.floor(sizes.length / 2)] ?? 0.1, // of bodies; forces of soft ones are drawn by it
    };
}

/** How far off, along `view`, the camera has all corners of a box in its picture. */
function distanceToSee(box, centre, camera) {
    const right = new three.Vector3().crossVectors(up, view).normalize(), above = new three.Vector3().crossVectors(view, right);
    const tall = Math.tan((camera.fov * Math.PI) / 360), wide = tall * camera.aspect;
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
        const to = new three.Vector3(...["x", "y", "z"].map((axis, k) => box[corner & (1 << k) ? "max" : "min"][axis])).sub(centre);
        distance = Math.max(distance, to.dot(view) + Math.max(Math.abs(to.dot(right)) / wide, Math.abs(to.dot(above)) / tall));
    }
    return distance;
}

/** Contacts as points, coloured by depth, with their normals. They are seen through the bodies. */
class ContactOverlay {
    constructor() {
        const seenThrough = { depthTest: false, fog: false, transparent: true, vertexColors: true };
        this.group = new three.Group();
        this.points = new three.Points(new three.BufferGeometry(), new three.PointsMaterial({
            ...seenThrough, sizeAttenuation: false, map: disc(), alphaTest: 0.3,
        }));
        this.normals = new three.LineSegments(new three.BufferGeometry(), new three.LineBasicMaterial({ ...seenThrough, opacity: 0.85 }));
        for (const object of [this.normals, this.points]) {
            object.frustumCulled = false;
            object.renderOrder = 1;
            this.group.add(object);
        }
    }

    /** Normals are drawn so long. `deepest` is the depth that has the last colour; few are deeper. */
    show(replay, length) {
        for (const object of [this.normals, this.points]) object.geometry.dispose();
        this.replay = replay;
        if (!replay) return this.at(0);
        const positive = replay.depths.filter((depth) => depth > 0).sort();
        this.deepest = positive[Math.floor(0.9 * positive.length)] ?? 0;
        const { points, normals, depths } = replay;
        const colours = new Float32Array(3 * depths.length), ends = new Float32Array(6 * depths.length), endColours = new Float32Array(6 * depths.length);
        const colour = new three.Color();
        for (let k = 0; k < depths.length; ++k) {
            colour.set(depthColour(this.deepest > 0 ? depths[k] / this.deepest : 0));
            colour.toArray(colours, 3 * k);
            colour.toArray(endColours, 6 * k);
            colour.toArray(endColours, 6 * k + 3);
            for (let axis = 0; axis < 3; ++axis) {
                ends[6 * k + axis] = points[3 * k + axis];
                ends[6 * k + 3 + axis] = points[3 * k + axis] + length * normals[3 * k + axis];
            }
        }
        const attribute = (values) => new three.BufferAttribute(values, 3);
        this.points.geometry = new three.BufferGeometry().setAttribute("position", attribute(points)).setAttribute("color", attribute(colours));
        this.normals.geometry = new three.BufferGeometry().setAttribute("position", attribute(ends)).setAttribute("color", attribute(endColours));
    }

    at(frame) {
        const start = this.replay?.contactStart[frame] ?? 0, count = (this.replay?.contactStart[frame + 1] ?? 0) - start;
        this.points.geometry.setDrawRange(start, count);
        this.points.material.size = Math.min(devicePixelRatio, 2) * Math.min(Math.max(6 * Math.sqrt(400 / (count + 1)), 3), 6); // many are small
        this.normals.geometry.setDrawRange(2 * start, 2 * count);
    }
}

const depthColours = ["#4fb3ff", "#ffd23f", "#ff8a1f", "#e8222e"].map((name) => new three.Color(name));

/** Blue for a gap or a touch, then yellow, orange and red for depth 1. */
function depthColour(depth) {
    const at = Math.min(Math.max(depth, 0), 1) * (depthColours.length - 1), low = Math.min(Math.floor(at), depthColours.length - 2);
    return depthColours[low].clone().lerp(depthColours[low + 1], at - low);
}

/** A white disc with a dark rim, to be coloured. */
function disc() {
    const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    canvas.width = canvas.height = 32;
    pen.arc(16, 16, 13, 0, 2 * Math.PI);
    pen.fillStyle = "white";
    pen.fill();
    pen.lineWidth = 4;
    pen.strokeStyle = "#222";
    pen.stroke();
    return new three.CanvasTexture(canvas);
}
