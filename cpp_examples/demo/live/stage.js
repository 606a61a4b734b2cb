// The picture: floor, light, camera, and a mesh for each body, drawn by three.js.

import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { arena } from "./arena.js";
import { frame } from "./framing.js";
import { drawnGeometry, skinNormals, surfaceGeometry } from "./geometry.js";
import { Materials } from "./materials.js";

const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const flat = (geometry) => geometry.rotateX(-Math.PI / 2);

export class Stage {
    constructor(world) {
        this.world = world;
        this.renderer = new three.WebGLRenderer({ antialias: true });
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        this.renderer.shadowMap.enabled = true;
        this.canvas = this.renderer.domElement;
        document.body.prepend(this.canvas);
        this.scene = new three.Scene();
        this.camera = new three.PerspectiveCamera(34, 1, 0.05, 40);
        this.orbit = new OrbitControls(this.camera, this.canvas);
        this.orbit.target.set(0, 0.3, 0);
        Object.assign(this.orbit, { maxPolarAngle: 0.49 * Math.PI, minDistance: 0.5, enablePan: false });
        this.orbit.addEventListener("change", () => (this.stale = true));
        /** Drawn again only when something has changed: a page at rest costs nothing. */
        this.stale = true;
        this.sky = new three.HemisphereLight();
        this.sun = new three.DirectionalLight("white", 1.9);
        this.sun.position.set(-1.2, 2.6, 1.1);
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(2048, 2048);
        this.sun.shadow.normalBias = 0.004;
        Object.assign(this.sun.shadow.camera, { left: -1.2, right: 1.2, bottom: -1.2, top: 1.2, near: 0.5, far: 6 });
        this.ground = new three.Mesh(flat(new three.CircleGeometry(30, 64)), new three.MeshStandardMaterial({ roughness: 1 }));
        this.ground.receiveShadow = true;
        // Where the floor ends that bodies stay on.
        this.rim = new three.Mesh(flat(new three.TorusGeometry(arena.radius + 0.012, 0.008, 8, 96)), new three.MeshStandardMaterial({ roughness: 0.9 }));
        this.rim.castShadow = this.rim.receiveShadow = true;
        this.scene.fog = new three.Fog("white", 3, 9);
        this.meshes = new Map();
        this.materials = new Materials();
        this.contacts = contactPoints(world);
        this.string = new three.Line(new three.BufferGeometry().setAttribute("position", new three.BufferAttribute(new Float32Array(6), 3)),
            new three.LineBasicMaterial({ depthTest: false, transparent: true }));
        this.string.frustumCulled = this.string.visible = false;
        this.scene.add(this.sky, this.sun, this.ground, this.rim, this.contacts, this.string);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
        this.paint();
        addEventListener("resize", () => this.resize());
        const watch = new ResizeObserver(() => this.resize());
        for (const card of document.querySelectorAll(".card.fixed")) watch.observe(card);
        this.resize();
    }

    paint() {
        this.scene.background = new three.Color(tone("sky"));
        this.scene.fog.color.copy(this.scene.background);
        this.sky.color.set(tone("sky-light"));
        this.sky.groundColor.set(tone("ground-light"));
        this.sky.intensity = Number(tone("sky-strength"));
        this.ground.material.color.set(tone("ground"));
        this.rim.material.color.set(tone("rim"));
        this.string.material.color.set(tone("accent"));
        this.stale = true;
    }

    resize() {
        this.renderer.setSize(innerWidth, innerHeight);
        const cards = [...document.querySelectorAll(".card.fixed")].map((card) => card.getBoundingClientRect());
        const { distance, free } = frame(this.camera, this.orbit, cards, innerWidth, innerHeight, this.distance ?? null);
        Object.assign(this, { distance, free });
        Object.assign(this.scene.fog, { near: 1.3 * distance, far: 3.5 * distance });
        this.orbit.update();
        this.stale = true;
    }

    clear() {
        for (const item of [...this.meshes.keys()]) this.remove(item);
    }

    /** Begins with a whole body of a solid. */
    hang(item, solid) {
        this.solid = solid;
        this.normals = solid.isDrawn ? null : skinNormals(item.surface);
        this.add(item, 0);
    }

    add(item, shade) {
        const { solid } = this, { palette } = solid;
        const geometry = solid.isDrawn ? drawnGeometry(item.body.drawing(), palette.length) : surfaceGeometry(item.surface, this.normals);
        const mesh = new three.Mesh(geometry, this.materials.of(solid, shade));
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

    /** Puts meshes and camera where they are now. */
    place() {
        for (const [{ pose }, mesh] of this.meshes) {
            mesh.position.fromArray(pose, 0);
            mesh.quaternion.fromArray(pose, 3);
            mesh.updateMatrixWorld();
        }
        this.camera.updateMatrixWorld();
    }

    draw(showsContacts) {
        const { world } = this;
        this.stale = false;
        this.place();
        const { geometry } = this.contacts;
        this.contacts.visible = showsContacts;
        if (showsContacts) {
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

function contactPoints(world) {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(world.points, 3).setUsage(three.DynamicDrawUsage));
    const material = new three.PointsMaterial({ color: 0x1668e0, size: 5, sizeAttenuation: false, depthTest: false, transparent: true });
    const points = new three.Points(geometry, material);
    points.frustumCulled = false;
    points.renderOrder = 1;
    return points;
}
