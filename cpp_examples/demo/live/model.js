// A visitor's own model: asks the worker to cook it, with a line that says how far it is.

import * as three from "three";

const element = (id) => document.getElementById(id);
/** Half the diagonal of its box in metres: as large as the page's own bodies. */
const radius = 0.33;
const largest = 100e6;

export class Models {
    #worker = null;
    #address;
    /** How many files were taken or refused. */
    settled = 0;

    /** `code` is the worker's script, `module` the library; `take` gets the solid. */
    constructor(code, module, density, take) {
        Object.assign(this, { module, density, take });
        this.#address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
        this.#listen();
    }

    #listen() {
        const isFile = ({ dataTransfer }) => [...(dataTransfer?.types ?? [])].includes("Files");
        addEventListener("dragover", (event) => {
            if (!isFile(event)) return;
            event.preventDefault();
            document.body.classList.add("dropping");
        });
        addEventListener("dragleave", (event) => event.relatedTarget === null && document.body.classList.remove("dropping"));
        addEventListener("drop", (event) => {
            document.body.classList.remove("dropping");
            if (!isFile(event)) return;
            event.preventDefault();
            this.cook(event.dataTransfer.files[0]);
        });
        element("file").addEventListener("change", ({ target }) => {
            if (target.files[0]) this.cook(target.files[0]);
            target.value = ""; // the same file may be chosen again
        });
        element("choose").addEventListener("click", () => element("file").click());
        element("waitEnd").addEventListener("click", () => this.stop());
    }

    /** Forgets what is being cooked, and hides what was said about it. */
    stop() {
        this.#worker?.terminate();
        this.#worker = null;
        clearInterval(this.timer);
        element("wait").hidden = true;
    }

    #say(words, button) {
        element("wait").hidden = false;
        element("waitWords").textContent = words;
        element("waitEnd").textContent = button;
    }

    async cook(file) {
        this.stop();
        const { name } = file, refuse = (why) => {
            this.stop();
            ++this.settled;
            this.#say(`${name}: ${why.replace(/\.$/, "")}.`, "Close");
        };
        if (!/\.(glb|gltf)$/i.test(name)) return refuse("this page reads .glb files");
        if (file.size > largest) return refuse(`it has ${Math.round(file.size / 1e6)} MB; up to ${largest / 1e6} MB are read`);
        const start = performance.now(), worker = new Worker(this.#address);
        let done = 0;
        const tell = () => this.#say(`Filling ${name} with tetrahedra: ${Math.round(100 * done)} %, ${Math.round((performance.now() - start) / 1000)} s`, "Cancel");
        this.#worker = worker;
        this.timer = setInterval(tell, 250);
        tell();
        worker.onerror = (event) => refuse(event.message || "the worker could not be started");
        worker.onmessage = async ({ data }) => {
            if (worker !== this.#worker) return;
            if (data.done !== undefined) {
                done = Math.max(done, data.done);
                return;
            }
            if (data.error !== undefined) return refuse(data.isKnown ? data.error : `it could not be read: ${data.error}`);
            const palette = await Promise.all(data.palette.map(looks));
            if (worker !== this.#worker) return;
            this.stop();
            const took = ((performance.now() - start) / 1000).toFixed(1);
            this.take({ name, called: name, palette, crack: 0xd9cfc2, start: [0.14, 0, 0.2, 0.97], index: data.index, isDrawn: true }, data.asset);
            const remarks = data.remarks.length > 0 ? ` Mind: ${data.remarks.slice(0, 3).join("; ")}.` : "";
            ++this.settled;
            element("hint").textContent = `${name}: ${data.tets} tetrahedra in ${took} s.${remarks} Click it, or press Drop.`;
        };
        worker.postMessage({ module: this.module, file, radius, density: this.density });
    }
}

/** A colour, and an image as a texture; one that cannot be read is left out. */
async function looks({ colour, image }) {
    const bitmap = image && await createImageBitmap(new Blob([image.bytes], { type: image.type })).catch(() => null);
    const texture = bitmap && Object.assign(new three.Texture(bitmap), { colorSpace: three.SRGBColorSpace, wrapS: three.RepeatWrapping, wrapT: three.RepeatWrapping, flipY: false });
    if (texture) texture.needsUpdate = true;
    return { colour: new three.Color(...colour), texture };
}
