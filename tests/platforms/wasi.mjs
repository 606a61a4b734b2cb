// Runs a C test that was built for WebAssembly: `node wasi.mjs test.wasm [arguments]`.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: process.argv.slice(2), returnOnExit: true });
const module = await WebAssembly.compile(await readFile(process.argv[2]));
const instance = await WebAssembly.instantiate(module, { ...wasi.getImportObject(), fracas: { now: () => performance.now() } });
process.exitCode = wasi.start(instance);
