/**
 * Fracas: collision detection for things that break. Metres, kilograms, radians, seconds; right-handed.
 *
 * Everything made here lives in the module's memory until `dispose()`, or until it is no longer reachable.
 */

type Numbers = ArrayLike<number>;

/** Seven numbers, body to world: position x y z, then the unit quaternion x y z w. */
export type Pose = Numbers;

/** The pose at the origin. */
export const identity: Pose;

/** A call that failed. */
export class FracasError extends Error {
    /** One sentence: what is wrong, where, and what to do. */
    message: string;
    /** FC_ERROR_ number. */
    status: number;
    /** "FC_ERROR_INVALID_MESH", for example. */
    code: string;
}

export type Log = (level: "error" | "warning" | "info", message: string) => void;

/** Loads the library: by default from fracas.wasm beside this package's index.js. Give it bytes, an address, a Response or a module. */
export function load(
    source?: string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module | Response | Promise<Response>,
    options?: { log?: Log },
): Promise<Fracas>;

export interface AssetOptions {
    /** Three numbers a node, or a vertex of the surface. */
    positions: Numbers;
    /** Four node indices per tetrahedron, in any order. */
    tets?: Numbers;
    /** Or three vertex indices per triangle of a closed surface, counter-clockwise from outside; it is filled with tetrahedra. */
    triangles?: Numbers;
    /** Kilograms per cubic metre; 1000 by default. */
    density?: number;
    /** Cells of the distance grid along the longest side; 64 by default. */
    gridCells?: number;
    gridMaxBytes?: number;
    /** Filling: edge length at the surface, in metres, or about how many tetrahedra (5000 by default). */
    fillEdge?: number;
    fillTets?: number;
    fillCoarsening?: number;
    /** Degrees. */
    fillSharpAngle?: number;
    /** Keep the surface for `Body.drawing`, with texture coordinates, normals and materials. */
    keepSurface?: boolean;
    /** The surface is exactly the boundary of the tetrahedra. */
    meetSurface?: boolean;
    /** Told how far cooking is, from 0 to 1. Must not call this library; what it throws, `cook` throws once it is done. */
    progress?: (done: number) => void;
    uvs?: Numbers;
    normals?: Numbers;
    materials?: Numbers;
}

export interface QueryOptions {
    /** What is kept of this pair, for single queries. */
    memory?: PairMemory;
    mode?: "targetThenDeeper" | "targetThenDeep" | "exactly" | "full";
    /** 8 by default. */
    targetContacts?: number;
    maxContacts?: number;
    /** At most so many with nearly the same normal; 4 by default, 0: no limit. */
    maxPerNormal?: number;
    /** Metres: bodies separated by at most this are in contact, with a negative depth. */
    margin?: number;
    tolerance?: number;
    /** Most units of work; the query returns its best contacts so far if that does not suffice. */
    budget?: number;
    /** Contact points are relative to it; by default to A's position. */
    origin?: Numbers;
    /** Six numbers each, linear and angular velocity: contacts that will be within `seconds`. For single queries. */
    motionA?: Numbers;
    motionB?: Numbers;
    seconds?: number;
    /** FC_QUERY_ flags of the C interface: 2 measures times. */
    flags?: number;
}

export interface SweepOptions {
    margin?: number;
    tolerance?: number;
    origin?: Numbers;
}

export interface Contact {
    point: [number, number, number];
    /** Metres; > 0 is overlap. */
    depth: number;
    /** Unit, from B towards A. */
    normal: [number, number, number];
    /** Stable between frames. */
    feature: number;
}

export interface SweepHit {
    /** From 0, the start, to 1, the end. */
    time: number;
    contact: Contact;
    exact: boolean;
}

export interface Closest {
    distance: number;
    pointA: [number, number, number];
    pointB: [number, number, number];
    /** From B towards A. */
    normal: [number, number, number];
}

/** The library. Functions that take poses and a Contacts buffer allocate nothing. */
export class Fracas {
    private constructor();
    readonly version: string;
    /** Assets, bodies and hulls that are alive. */
    readonly liveHandles: number;
    /** Size of the module's memory. */
    readonly bytes: number;
    /** Where warnings and reports of bugs go. */
    setLog(log: Log): void;

    /** Checks and cooks a mesh: half a second for 48,000 tetrahedra, so when loading. */
    cook(options: AssetOptions): Asset;
    loadAsset(bytes: Uint8Array): Asset;
    /** Bodies of one asset, whole or fragments, as bytes for `Asset.loadBodies`. */
    saveBodies(bodies: Body[]): Uint8Array;

    contacts(capacity?: number): Contacts;
    pairs(capacity?: number): Pairs;
    memory(): PairMemory;

    /** All points with normal . x <= offset. */
    halfSpace(normal: Numbers, offset?: number): Shape;
    ball(radius: number): Shape;
    box(halfExtents: Numbers): Shape;
    capsule(from: Numbers, to: Numbers, radius: number): Shape;
    /** Four numbers per plane: outward normal and offset. */
    hull(planes: Numbers): Shape;
    /**
     * Your own body: returns the signed distance of a point and writes the direction outwards. It must not change faster than the point
     * moves, and must not call this library. `points` are sharp points of it, three numbers each.
     */
    field(distance: (point: number[], outward: number[]) => number, points?: Numbers): Shape;

    /** Fills `contacts` with those of A and B, and returns how many there are, which may be more than it holds. The best come first. */
    queryPair(a: Body, poseA: Pose, b: Body, poseB: Pose, contacts: Contacts, options?: QueryOptions): number;
    queryShape(a: Body, poseA: Pose, shape: Shape, poseShape: Pose, contacts: Contacts, options?: QueryOptions): number;
    /** The first touch of two bodies that move and turn from one pose to another; null if there is none. */
    sweepPair(a: Body, startA: Pose, endA: Pose, b: Body, startB: Pose, endB: Pose, options?: SweepOptions): SweepHit | null;
    sweepShape(a: Body, startA: Pose, endA: Pose, shape: Shape, startShape: Pose, endShape: Pose, options?: SweepOptions): SweepHit | null;
    /** Distance and closest points; null beyond the range. */
    distancePair(a: Body, poseA: Pose, b: Body, poseB: Pose, range?: number): Closest | null;
    distanceShape(a: Body, poseA: Pose, shape: Shape, poseShape: Pose, range?: number): Closest | null;
    /** Statistics of the last query. */
    stats(): {
        pairs: number;
        evaluations: number;
        found: number;
        leftOut: number;
        /** With flags: 2; 0 without a clock. */
        nanoseconds: number;
        work: number;
        interrupted: number;
        recalled: number;
        crossed: number;
    };
}

interface Owner {
    readonly isDisposed: boolean;
    dispose(): void;
}

/** A cooked solid, shared by all bodies of it. */
export interface Asset extends Owner {
    readonly info: {
        thinWalls: boolean;
        unusedNodes: boolean;
        repaired: boolean;
        nodes: number;
        tets: number;
        skinTriangles: number;
        bodies: number;
        radius: number;
        meanEdge: number;
        thinnestWall: number;
        bytes: number;
        hash: bigint;
    };
    /** A new body: of the connected solid `index`, with lengths times `scale`. */
    body(options?: { index?: number; scale?: number }): Body;
    save(): Uint8Array;
    loadBodies(bytes: Uint8Array): Body[];
}

export interface FractureOptions {
    /**
     * "randomVoronoi": `count` cells by `seed`; "impact": small ones at `impactPoint`, and one rest beyond `impactRadius`; "voronoi": by
     * `points`; "planes": by `planes`, four numbers each; "labels": one number per node of the mesh. Lengths in the body's frame.
     */
    pattern: "randomVoronoi" | "impact" | "voronoi" | "planes" | "labels";
    count?: number;
    seed?: number | bigint;
    points?: Numbers;
    planes?: Numbers;
    labels?: Numbers;
    impactPoint?: Numbers;
    impactDirection?: Numbers;
    /** 0 or none: half the body's radius. */
    impactRadius?: number;
    /** Amplitude of rough cracks, as a share of the radius, at most 0.05. */
    roughness?: number;
    roughnessWavelength?: number;
    roughnessSeed?: number | bigint;
    /** Smaller fragments are joined to a neighbour: by share of the volume, by radius, by number. */
    minVolumeShare?: number;
    minRadius?: number;
    maxFragments?: number;
    maxRegions?: number;
}

export interface ConvexOptions {
    /** At most so many parts, 1 to 64: 8; 1 is the convex hull. */
    maxParts?: number;
    /** At most so many vertices per part, 4 to 1024: 64. */
    maxPoints?: number;
    /** Cut until the hulls exceed the volume by no more than this share: 0.05. */
    excess?: number;
}

/** A rigid body, whole or a fragment: an fc_object of the C interface. It never changes; fragments have the frame of their asset. */
export interface Body extends Owner {
    /** The handle of the C interface. */
    readonly id: bigint;
    /** A number of its own, from 1. */
    readonly key: number;
    readonly info: {
        isFragment: boolean;
        piece: number;
        cell: number;
        kind: "cell" | "partOfCell" | "union" | "rough";
        planes: number;
        scale: number;
    };
    /** In the body's frame; inertia about the centre: xx, yy, zz, xy, yz, zx. */
    readonly mass: { volume: number; mass: number; centre: [number, number, number]; inertia: number[] };
    /** A hash of its whole state, the same on every platform. */
    readonly hash: bigint;
    bounds(pose: Pose): { min: [number, number, number]; max: [number, number, number] };
    /** Builds what the first queries would build. */
    prepare(): void;
    /** Breaks it into new bodies with the same pose; it stays as it was. An empty array: nothing was cut. */
    fracture(options: FractureOptions): Body[];
    /** The closed surface, in the body's frame. `cracks` has a 1 per crack triangle; `uvs` six numbers per triangle. */
    surface(): { positions: Float32Array; indices: Uint32Array; cracks: Uint8Array; sources: Uint32Array; uvs: Float32Array };
    /** The mesh for drawing; crack triangles come last, from `crackStart` on. */
    drawing(): {
        positions: Float32Array;
        normals: Float32Array;
        uvs: Float32Array;
        indices: Uint32Array;
        materials: Uint32Array;
        crackStart: number;
    };
    /** Convex polyhedra that approximate it, in the body's frame: for engines that take no custom shapes. Each has its own vertices. */
    convexParts(options?: ConvexOptions): { positions: Float32Array; indices: Uint32Array; error: number }[];
    /** The fragments of its break that touch each other, by their places in the array of `fracture`. */
    adjacency(): { pieces: [number, number]; area: number }[];
    rayCast(pose: Pose, origin: Numbers, direction: Numbers, maxDistance?: number): { distance: number; normal: [number, number, number]; isCrack: boolean; source: number } | null;
    /** Negative inside. */
    signedDistance(pose: Pose, point: Numbers): number;
}

/** Something simple to query against. */
export interface Shape extends Owner {}

/** What a query keeps of a pair of bodies for the next one: contacts that stay the same at rest, and cost next to nothing then. */
export interface PairMemory extends Owner {
    clear(): void;
}

/** A buffer that queries fill. */
export interface Contacts extends Owner {
    readonly capacity: number;
    /** How many the last query has put into it. */
    readonly count: number;
    /** Eight numbers each: point, depth, normal, feature (as bits). Ask for it after every query: the memory moves when it grows. */
    readonly floats: Float32Array;
    /** The same memory; the feature is number 8 * k + 7. */
    readonly features: Uint32Array;
    /** One of them as an object. */
    get(k: number): Contact;
}

/** Many pairs in one call, each with a memory that follows it from frame to frame. */
export interface Pairs extends Owner {
    readonly count: number;
    /** Contacts of pair k are offsets[k] to offsets[k + 1]. Ask for it after every query. */
    readonly offsets: Uint32Array;
    /** Begins a frame. Pairs that are added again remember. */
    clear(): void;
    /** Returns the number of the pair. */
    add(a: Body, poseA: Pose, b: Body, poseB: Pose): number;
    /** Returns how many contacts there are. */
    query(contacts: Contacts, options?: Omit<QueryOptions, "memory" | "motionA" | "motionB">): number;
}
