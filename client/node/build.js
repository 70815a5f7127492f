// Copies proto/ and makes the table of advice, into generated/; neither is kept in the sources.
//   node build.js [ROOT]     ROOT: the top of WasmBurst's sources; two folders up

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = process.argv[2] ?? path.join(here, "../..");
const generated = path.join(here, "generated");

rmSync(generated, { recursive: true, force: true });
mkdirSync(generated);
for (const folder of ["wasmburst", "google"]) {
  cpSync(path.join(root, "proto", folder), path.join(generated, "proto", folder), { recursive: true });
}
// What to do about each reason of an error, from the table of the C++ parts.
const table = readFileSync(path.join(root, "compiler/base/errors.def"), "utf8");
const advice = {};
for (const [, reason, words] of table.matchAll(/^WB_ERROR\(\w+, "(\w+)", \w+, "(.*)"\)$/gm)) {
  advice[reason] = JSON.parse(`"${words}"`);
}
writeFileSync(path.join(generated, "advice.json"), JSON.stringify(advice, null, 2) + "\n");
