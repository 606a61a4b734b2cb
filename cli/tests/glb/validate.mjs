// Runs the Khronos validator on GLB files: no errors, no warnings. `node validate.mjs FOLDER FILE...`, where FOLDER has
// the package gltf-validator installed.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const validator = createRequire(resolve(folder, "package.json"))("gltf-validator");
for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 20 });
    const { numErrors, numWarnings, numInfos, messages } = report.issues;
    console.log(`${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos`);
    if (numErrors + numWarnings > 0) {
        console.error(JSON.stringify(messages, null, 1));
        process.exitCode = 1;
    }
}
