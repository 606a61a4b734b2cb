// Makes the report page of all runs: one file that opens from the file system, with everything in it. Beside it, summary.json
// has every figure, keyed by scenario and engine.
//
//   node build.mjs [RUNS] [PAGE]     default: out/demo/runs and out/demo/report.html of the project
//
// three, uplot and esbuild come from out/page, where `npm install --prefix out/page` has put them (see need_page in
// scripts/setup.sh), so that the tree stays clean.

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { pack, read } from "./replay.js";

const here = dirname(fileURLToPath(import.meta.url)), root = resolve(here, "../../..");
const [runsFolder = join(root, "out/demo/runs"), page = join(root, "out/demo/report.html")] = process.argv.slice(2);
const packages = join(root, "out/page/");

function giveUp(why) {
    console.error(why);
    process.exit(1);
}

/** The files of the demo, in order of their names. */
function readRuns() {
    if (!existsSync(runsFolder)) giveUp(`There is no folder ${runsFolder}; scripts/demo makes it.`);
    return readdirSync(runsFolder).filter((name) => name.endsWith(".json")).sort().map((name) => {
        try {
            const run = JSON.parse(readFileSync(join(runsFolder, name), "utf8"));
            if (!run.engine || !(run.scenario ?? run.study)) throw new Error("it names no engine, or neither a scenario nor a study");
            return run;
        } catch (error) {
            giveUp(`${join(runsFolder, name)} is not a run: ${error.message}.`);
        }
    });
}

/** A film as a script element that does nothing but carry it; "" if the demo wrote none. */
function film(name) {
    const path = join(runsFolder, basename(name));
    if (!existsSync(path)) return "";
    try {
        const packed = gzipSync(pack(read(readFileSync(path))), { level: 9 }).toString("base64");
        console.log(`   ${name}: ${(packed.length / 1e6).toFixed(2)} MB`);
        return `<script type="text/plain" id="replay:${name}">${packed}</script>\n`;
    } catch (error) {
        giveUp(`${path} is not a replay: ${error.message}.`);
    }
}

async function bundle() {
    const { build } = createRequire(packages)("esbuild");
    const { outputFiles } = await build({
        entryPoints: [join(here, "main.js")], outdir: "out", bundle: true, minify: true, write: false, format: "iife", target: "es2022",
        charset: "utf8", nodePaths: [join(packages, "node_modules")], logLevel: "warning",
    });
    const of = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text;
    return { script: of(".js"), style: of(".css") };
}

/** Every figure but the series, by scenario or study and by engine. */
function summary(runs) {
    const all = {};
    for (const { series, events, replay, ...figures } of runs) {
        const name = figures.scenario ?? figures.study;
        (all[name] ??= {})[figures.engine] = { ...figures, ...(events && { events }) };
    }
    return all;
}

const runs = readRuns();
// A "<" of a run's words must not end its element. Replacements are functions: a "$" in a text means nothing then.
const data = `<script type="application/json" id="runs">${JSON.stringify(runs).replaceAll("<", "\\u003c")}</script>\n`
    + [...new Set(runs.flatMap((run) => [run.replay, run.beside?.replay]).filter((name) => name))].map(film).join("");
const { script, style } = await bundle();
const html = readFileSync(join(here, "index.html"), "utf8")
    .replace("/*style*/", () => style).replace("<!--data-->", () => data).replace("/*script*/", () => script);
mkdirSync(dirname(page), { recursive: true });
writeFileSync(page, html);
writeFileSync(join(dirname(page), "summary.json"), `${JSON.stringify(summary(runs), null, 1)}\n`);
console.log(`   ${page}: ${runs.length} runs, ${(html.length / 1e6).toFixed(1)} MB`);
if (html.length > 25e6) console.log("   That is large for a page; fewer frames (frame_every) or fewer engines make it smaller.");
