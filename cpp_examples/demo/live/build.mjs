// Makes the live page: one file that opens from the file system, with three.js and the library in it.
//
//   node build.mjs [WASM] [PAGE]     default: bindings/npm/fracas.wasm, which scripts/platforms wasm makes, and out/demo/live.html
//
// three and esbuild come from out/page, see need_page in scripts/setup.sh.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url)), root = resolve(here, "../../..");
const [wasm = join(root, "bindings/npm/fracas.wasm"), page = join(root, "out/demo/live.html")] = process.argv.slice(2);
if (!existsSync(wasm)) {
    console.error(`There is no file ${wasm}; scripts/platforms wasm makes it.`);
    process.exit(1);
}

const packages = join(root, "out/page/"), { build } = createRequire(packages)("esbuild");
const bundled = async (name, format) => {
    const { outputFiles: [{ text }] } = await build({
        entryPoints: [join(here, name)], bundle: true, minify: true, write: false, format, target: "es2022", charset: "utf8",
        external: ["node:*"], // the package reads files under node only
        logOverride: { "empty-import-meta": "silent" }, // the worker is given the library, and looks for no file
        nodePaths: [join(packages, "node_modules")], logLevel: "warning",
    });
    return text.replaceAll("</script", "<\\/script"); // it must not end its element
};
const [script, worker] = await Promise.all([bundled("main.js", "esm"), bundled("worker.js", "iife")]);
const packed = gzipSync(readFileSync(wasm), { level: 9 }).toString("base64");
// Replacements are functions: a "$" in a text means nothing then.
const html = readFileSync(join(here, "index.html"), "utf8")
    .replace("<!--wasm-->", () => packed).replace("/*worker*/", () => worker).replace("/*script*/", () => script);
mkdirSync(dirname(page), { recursive: true });
writeFileSync(page, html);
console.log(`   ${page}: ${(html.length / 1e6).toFixed(1)} MB`);
